//! Between two byte streams and the protocol's layer, which is `rmcp`.

pub(crate) mod ending;
mod frame;
pub(crate) mod input;
mod json;
mod message;
mod open;
pub(crate) mod outbox;
pub(crate) mod transport;

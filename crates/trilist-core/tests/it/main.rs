//! The contract of the core through its public interface, over a scripted source.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

mod cancel;
mod contents;
mod cursor;
mod digest;
mod error;
mod explanation;
mod fake;
mod page;
mod pager;
mod path;
mod quote;
mod random;
mod request;
mod schema;
mod select;
mod sorted;
mod source;
mod stream;
mod tally;

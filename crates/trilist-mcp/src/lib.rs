//! trilist as a server of the Model Context Protocol, over a pair of byte streams.
//!
//! Any agent host can start it: a [`Server`] is opened on the roots that the host names and
//! [`serve`] answers until the input ends, in both eras of the protocol (2025-11-25 and earlier
//! with `initialize`, 2026-07-28 without). Each tool is a module of its own behind one small
//! trait; [`schema`] gives their definitions in the forms that model APIs take.
//!
//! ```
//! use std::sync::{Arc, Mutex};
//!
//! use trilist_mcp::{Input, Options, Output, Server, serve};
//!
//! # #[derive(Clone, Default)]
//! # struct Shared(Arc<Mutex<Vec<u8>>>);
//! # impl std::io::Write for Shared {
//! #     fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
//! #         self.0.lock().unwrap().write(bytes)
//! #     }
//! #     fn flush(&mut self) -> std::io::Result<()> {
//! #         Ok(())
//! #     }
//! # }
//! # impl Output for Shared {}
//! # struct Text(&'static [u8]);
//! # impl std::io::Read for Text {
//! #     fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
//! #         self.0.read(bytes)
//! #     }
//! # }
//! # impl Input for Text {}
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = std::env::temp_dir().join(format!("trilist-mcp-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(folder.join("src"))?;
//! # let output = Shared::default();
//! let server = Server::open(&[&folder], trilist::Policy::default(), &Options::default())?;
//! let input = Text(concat!(
//!     r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_dir","#,
//!     r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
//!     r#""io.modelcontextprotocol/clientCapabilities":{}}}}"#,
//! ).as_bytes());
//! serve(server, input, output.clone())?;
//! let reply = String::from_utf8(output.0.lock().unwrap().clone())?;
//! assert!(reply.contains("1 entry, complete"));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```
//!
//! Left out on purpose: every other transport, and the protocol's own roots (what may be read is
//! for the host's configuration to say, not for a client). This is the one crate in which there is
//! an asynchronous runtime; it lives inside [`serve`].

mod answer;
mod arguments;
mod awake;
mod engine;
mod handler;
mod protocol;
pub mod schema;
mod serve;
mod server;
mod tools;
mod turns;
mod workers;

pub use protocol::input::Input;
pub use protocol::outbox::Output;
pub use serve::{Ended, ServeError, serve};
pub use server::{Options, Server, SetupError};

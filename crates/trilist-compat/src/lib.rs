//! The list tools of other programs, on trilist's engine.
//!
//! Models know these tools and hosts are built around them, so each module keeps one contract to
//! the letter: argument names, defaults, the order of the checks, their messages, the text. What
//! trilist has to add stands apart, in a `notice`. Each module says where each behaviour was taken
//! from (`Source:`) and where it parts from it (`Differs:`).
//!
//! ```
//! use trilist::{Cancel, Lister, Policy};
//! use trilist_compat::{Options, codex};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = std::env::temp_dir().join(format!("trilist-compat-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(folder.join("src"))?;
//! # std::fs::write(folder.join("src/main.rs"), "")?;
//! let lister = Lister::open(&[&folder], Policy::default())?;
//! let arguments = format!(r#"{{"dir_path":"{}"}}"#, folder.display());
//! let args = codex::parse(&arguments).map_err(|reply| reply.error.unwrap_or_default())?;
//! let reply = codex::list(&args, Options::default(), &lister, &Cancel::new());
//! assert!(reply.text.is_some_and(|text| text.ends_with("\nsrc/\n  main.rs")));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```
//!
//! Left out on purpose: the environment and the working directory, which a host hands over as
//! [`Surroundings`]; and every concrete source, since a contract only knows the `Lister`.

pub mod aider;
mod arguments;
mod call;
pub mod codex;
mod failure;
mod faults;
pub mod gemini;
pub mod gencode;
mod iso;
pub mod lenient;
mod node_ignore;
mod node_path;
pub mod opencode;
pub mod order;
mod read;
pub mod roo;
pub mod sii;
mod text;
mod tool;

pub use call::{CallError, Surroundings, call, policy, serve};
pub use tool::{Facts, Question, Tool};

/// How closely a contract is kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether faults of the recorded program are kept too, where that is safe: entries that it
    /// forges, and one bad entry that ends the call. Default: false.
    pub strict: bool,
}

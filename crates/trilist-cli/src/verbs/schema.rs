//! `trilist schema`: what a model is told of a tool.

use trilist_mcp::schema::{Dialect, definitions};

use crate::args::SchemaArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::stdout;

/// Prints trilist's own tools as a model API takes them, or the JSON Schema of another program's
/// tool.
///
/// # Errors
///
/// When standard output cannot be written.
pub(crate) fn run(args: &SchemaArgs) -> Result<Exit, Failure> {
    let schema = match args.tool {
        Some(tool) => tool.schema(),
        None => definitions(args.dialect.unwrap_or(Dialect::Mcp)),
    };
    stdout::write_all(format!("{schema:#}\n").as_bytes()).map_err(Failure::Output)?;
    Ok(Exit::AsAsked)
}

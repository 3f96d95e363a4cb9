//! `trilist schema`: what arguments a tool takes.

use crate::args::SchemaArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::stdout;

/// Prints the JSON Schema of a tool's arguments, as a model is given it.
///
/// # Errors
///
/// When standard output cannot be written.
pub(crate) fn run(args: &SchemaArgs) -> Result<Exit, Failure> {
    let schema = args.tool.schema();
    stdout::write_all(format!("{schema:#}\n").as_bytes()).map_err(Failure::Output)?;
    Ok(Exit::AsAsked)
}

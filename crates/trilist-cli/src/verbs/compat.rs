//! `trilist compat`: one call as another program's tool answers it.

use trilist::{Cancel, ErrorReply, ListError, quote};
use trilist_compat::{CallError, Options, Surroundings, call};

use crate::args::CompatArgs;
use crate::environment;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::fence;
use crate::output::stdout;

/// Answers the call with one JSON object; that the tool refuses it is an answer too.
///
/// # Errors
///
/// When the arguments are no call, or standard output cannot be written.
pub(crate) fn run(args: &CompatArgs) -> Result<Exit, Failure> {
    let call_args = serde_json::from_str(&args.args)
        .map_err(|error| CallError { message: format!("--args is no JSON object: {error}") })?;
    let (home, config_dir) = environment::home();
    let cwd = environment::working_directory().map_err(|error| ListError::Io {
        what: "cannot tell the working directory".to_owned(),
        error: error.to_string(),
    })?;
    let around = Surroundings { cwd, home, config_dir };
    let options = Options { strict: args.strict };
    // Which places the tool reads is the call's to say; no other program, no writing, no network.
    fence::close(["/"]);
    let answer = call(args.tool, &call_args, &around, options, &Cancel::new())?;
    stdout::write_all(format!("{answer}\n").as_bytes()).map_err(Failure::Output)?;
    Ok(Exit::AsAsked)
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Failure {
        Failure::Listing(ErrorReply {
            code: "invalid_argument".to_owned(),
            message: quote::printable(&error.message).into_owned(),
            hint: Some("docs/contracts.md shows a call of each tool.".to_owned()),
        })
    }
}

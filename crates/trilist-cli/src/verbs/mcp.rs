//! `trilist mcp`: the tools for an agent host, on standard input and output.

use std::path::{Path, PathBuf};

use trilist::{ErrorReply, quote};
use trilist_compat::Surroundings;
use trilist_mcp::{Ended, Options, ServeError, Server, SetupError, serve};

use crate::args::McpArgs;
use crate::configured;
use crate::environment;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::fence;
use crate::output::stdout::Stdout;
use crate::place;
use crate::stdin::Stdin;
use crate::values::Items;

/// Serves until standard input ends.
///
/// # Errors
///
/// When the roots, the configuration or the tools asked for cannot be used, or the streams fail.
pub(crate) fn run(args: &McpArgs) -> Result<Exit, Failure> {
    let roots = roots(&args.root)?;
    let policy = configured::policy(args.no_config, false, &args.access)?;
    let (home, config_dir) = environment::home();
    let around = Surroundings { home, config_dir, ..Surroundings::default() };
    let (tools, profiles) = (Items::all(&args.tools), Items::all(&args.profile));
    let options = Options { tools, profiles, around };
    let server = Server::open(&roots, policy, &options)?;
    // Roots may come, go and be replaced; no other program, no writing, no network.
    fence::close(["/"]);
    match serve(server, Stdin::new(), Stdout) {
        Ok(Ended::Input) => Ok(Exit::AsAsked),
        Ok(Ended::ClosedPipe) => Ok(Exit::ClosedPipe),
        Err(ServeError::Output(error)) => Err(Failure::Output(error)),
        Err(error) => Err(broken(&error)),
    }
}

/// The roots as given, else the working directory: a host starts a server where its project is.
fn roots(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    if !given.is_empty() {
        let absolute = given.iter().map(|root| place::absolute(root));
        return Ok(absolute.collect::<Result<_, _>>()?);
    }
    let dir = place::absolute(Path::new(""))?;
    let (home, _) = environment::home();
    if dir.parent().is_none() || home.is_some_and(|home| place::is_same(&home, &dir)) {
        return Err(Failure::Listing(ErrorReply {
            code: "invalid_argument".to_owned(),
            message: format!(
                "without --root the working directory would be served, which is `{}`",
                quote::shown(dir.as_os_str().as_encoded_bytes())
            ),
            hint: Some("Give --root DIR, with the directory of the project.".to_owned()),
        }));
    }
    Ok(vec![dir])
}

fn broken(error: &ServeError) -> Failure {
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
    let message = format!("{error}{}", cause.unwrap_or_default());
    let message = quote::printable(&message).into_owned();
    Failure::Listing(ErrorReply { code: "io_error".to_owned(), message, hint: None })
}

impl From<SetupError> for Failure {
    fn from(error: SetupError) -> Failure {
        match error {
            SetupError::Roots(error) => error.into(),
            error => Failure::Listing(ErrorReply {
                code: "invalid_argument".to_owned(),
                message: quote::printable(&error.to_string()).into_owned(),
                hint: None,
            }),
        }
    }
}

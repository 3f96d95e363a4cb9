//! What is read from the process's surroundings.

#![expect(
    clippy::disallowed_methods,
    reason = "the environment and the working directory belong to the front end"
)]

use std::env;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use etcetera::BaseStrategy as _;
use etcetera::base_strategy::Xdg;

/// The working directory.
///
/// # Errors
///
/// What the system says when it was removed or may not be known.
pub(crate) fn working_directory() -> io::Result<PathBuf> {
    env::current_dir()
}

/// Where the user's configuration of trilist lies, if there is a home.
pub(crate) fn user_config() -> Option<PathBuf> {
    Some(Xdg::new().ok()?.config_dir().join("trilist/config.toml"))
}

/// The file that git reads as the user's global excludes.
pub(crate) fn git_excludes() -> Option<PathBuf> {
    let places = Xdg::new().ok()?;
    trilist::git_excludes_file(places.home_dir(), &places.config_dir())
}

/// The user's home and configuration directory, as far as they are known.
pub(crate) fn home() -> (Option<PathBuf>, Option<PathBuf>) {
    match Xdg::new() {
        Ok(places) => (Some(places.home_dir().to_path_buf()), Some(places.config_dir())),
        Err(_) => (None, None),
    }
}

/// Whether names are coloured when the command line leaves it open: on a terminal, unless
/// `NO_COLOR`, `CLICOLOR=0` or a dumb terminal says otherwise; elsewhere only where
/// `CLICOLOR_FORCE` asks for it.
pub(crate) fn wants_colour() -> bool {
    if is_set("NO_COLOR") {
        return false;
    }
    if is_set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0") {
        return true;
    }
    !is("CLICOLOR", "0") && !is("TERM", "dumb") && io::stdout().is_terminal()
}

fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

fn is(name: &str, wanted: &str) -> bool {
    env::var_os(name).is_some_and(|value| value == wanted)
}

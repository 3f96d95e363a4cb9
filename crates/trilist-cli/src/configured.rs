//! The configuration of one run.

use std::path::PathBuf;

use trilist::{Config, ConfigError, ErrorReply, Policy, quote};

use crate::args::Access;
use crate::environment;
use crate::failure::Failure;

/// What was read for a run.
pub(crate) struct Configured {
    pub(crate) config: Config,
    /// The user's file, if there is one.
    pub(crate) user: Option<PathBuf>,
}

/// Reads the user's configuration, unless it is not wanted.
///
/// # Errors
///
/// When it cannot be used as it stands.
pub(crate) fn read(no_config: bool) -> Result<Configured, Failure> {
    let mut config = Config::new(Policy::default());
    let place = environment::user_config().filter(|_| !no_config);
    let user = match place {
        Some(path) => config.load_user(&path)?.then_some(path),
        None => None,
    };
    Ok(Configured { config, user })
}

/// The policy of a listing.
///
/// # Errors
///
/// As [`read`].
pub(crate) fn policy(
    no_config: bool,
    global_excludes: bool,
    access: &Access,
) -> Result<Policy, Failure> {
    let config = read(no_config)?.config;
    let mut policy = config.policy();
    policy.tree_config = !no_config;
    policy.deny.extend_from_slice(&access.deny);
    policy.allow.extend_from_slice(&access.allow);
    policy.refused.extend(environment::home().0);
    if global_excludes || config.wants_global_excludes() {
        policy.global_excludes = environment::git_excludes();
    }
    Ok(policy)
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        let go_on = || "Give --no-config to go on without it.".to_owned();
        let message = quote::printable(&error.to_string()).into_owned();
        let hint = Some(error.hint().unwrap_or_else(go_on));
        Failure::Listing(ErrorReply { code: "invalid_argument".to_owned(), message, hint })
    }
}

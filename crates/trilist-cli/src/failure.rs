//! What ends a run before a reply is written.

use std::error::Error as _;
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use trilist::{ErrorReply, ListError, OpenError, quote};

use crate::exit::Exit;
use crate::options;
use crate::output::stdout;

/// Why there is no whole reply.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The listing failed, and nothing has been said of it yet.
    Listing(ErrorReply),
    /// The listing failed, and the reply on standard output says so.
    Told(ErrorReply),
    /// Standard output cannot be written.
    Output(io::Error),
}

/// Where a failure is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    /// A line on standard error.
    Text,
    /// An object on standard output, which is all that a program reads.
    Json,
}

impl Failure {
    /// Tells the failure and gives the status to end with.
    pub(crate) fn tell(self, channel: Channel) -> Exit {
        match self {
            Failure::Output(error) if error.kind() == ErrorKind::BrokenPipe => Exit::ClosedPipe,
            Failure::Output(error) => {
                notice(&format!("io_error: cannot write to standard output: {error}\n"));
                Exit::Io
            }
            Failure::Told(reply) => Exit::of_code(&reply.code),
            Failure::Listing(reply) => tell(&reply, channel),
        }
    }
}

/// Tells a failed call and gives the status to end with.
pub(crate) fn tell(reply: &ErrorReply, channel: Channel) -> Exit {
    match channel {
        Channel::Text => notice(&line(reply)),
        Channel::Json => {
            let text = format!("{{{}}}\n", json_member(reply));
            if let Err(error) = stdout::write_all(text.as_bytes()) {
                return Failure::Output(error).tell(channel);
            }
        }
    }
    Exit::of_code(&reply.code)
}

/// Writes to standard error; a closed one has no reader to miss it.
pub(crate) fn notice(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// `"error":{…}`, to stand in an object.
pub(crate) fn json_member(reply: &ErrorReply) -> String {
    let reply = serde_json::to_string(reply).expect("a reply has only string keys");
    format!("\"error\":{reply}")
}

fn line(reply: &ErrorReply) -> String {
    match &reply.hint {
        Some(hint) => format!("{}: {}. {hint}\n", reply.code, reply.message),
        None => format!("{}: {}\n", reply.code, reply.message),
    }
}

impl From<ListError> for Failure {
    fn from(error: ListError) -> Failure {
        Failure::Listing(options::reply(error))
    }
}

impl Failure {
    /// A root that cannot be opened.
    pub(crate) fn from_root(root: &Path, error: io::Error) -> Failure {
        OpenError::NoneUsable { path: root.to_path_buf(), error }.into()
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Failure {
        let kind = match &error {
            OpenError::NoneUsable { error, .. } => error.kind(),
            OpenError::NoRoot | OpenError::Relative { .. } | OpenError::Policy { .. } => {
                ErrorKind::InvalidInput
            }
        };
        let code = match kind {
            ErrorKind::InvalidInput => "invalid_argument",
            ErrorKind::NotFound => "not_found",
            ErrorKind::NotADirectory => "not_directory",
            ErrorKind::PermissionDenied => "permission_denied",
            _ => "io_error",
        };
        let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
        let message = quote::printable(&format!("{error}{cause}")).into_owned();
        Failure::Listing(ErrorReply { code: code.to_owned(), message, hint: None })
    }
}

//! Reading the words of the command line.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser as _};
use trilist::{ErrorReply, View, quote};

use crate::args::Args;
use crate::exit::Exit;
use crate::failure::{self, Channel, Failure};
use crate::output::stdout;

/// Words that ask for no listing.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Help or the version was asked for.
    Shown(String),
    /// The words make no request.
    Misused {
        /// What is wrong, and how to find out what is right.
        text: String,
        channel: Channel,
    },
}

/// The arguments that the words of a command line make.
pub(crate) fn parse(words: &[OsString]) -> Result<Args, Stop> {
    let parsed = Args::try_parse_from(words).and_then(forms_agree);
    parsed.map_err(|error| {
        let text = error.render().to_string();
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Stop::Shown(text),
            _ => Stop::Misused { text, channel: channel(words) },
        }
    })
}

/// What clap cannot say: a view has no JSON form but the overview, which cannot be streamed.
fn forms_agree(args: Args) -> Result<Args, clap::Error> {
    let is_overview = args.format.view == Some(View::Overview);
    let other = match args.format.view {
        Some(_) if args.format.json && !is_overview => "'--json'",
        Some(View::Overview) if args.pages.all => "'--all'",
        Some(View::Drawn) if args.pages.all => "'--all'",
        _ if args.format.drawn && args.pages.all => {
            return Err(conflict("'--tree'", "'--all'"));
        }
        _ if args.pages.no_count && !is_overview => {
            let text = "'--no-count' is only for '--view overview'";
            return Err(Args::command().error(ErrorKind::ArgumentConflict, text));
        }
        _ => return Ok(args),
    };
    Err(conflict("'--view <VIEW>'", other))
}

fn conflict(one: &str, other: &str) -> clap::Error {
    let text = format!("the argument {one} cannot be used with {other}");
    Args::command().error(ErrorKind::ArgumentConflict, text)
}

/// Where to tell an error of words that were not understood as a whole.
fn channel(words: &[OsString]) -> Channel {
    let mut options = words.iter().take_while(|word| *word != "--");
    if options.any(|word| word == "--json" || word == "--jsonl") {
        Channel::Json
    } else {
        Channel::Text
    }
}

impl Stop {
    /// Writes what there is to say.
    pub(crate) fn tell(self) -> Exit {
        match self {
            Stop::Shown(text) => match stdout::write_all(text.as_bytes()) {
                Ok(()) => Exit::AsAsked,
                Err(error) => Failure::Output(error).tell(Channel::Text),
            },
            Stop::Misused { text, channel: Channel::Text } => {
                let text = text.strip_prefix("error: ").unwrap_or(&text);
                let lines: Vec<_> = text.lines().map(quote::printable).collect();
                failure::notice(&format!("invalid_argument: {}\n", lines.join("\n")));
                Exit::Invalid
            }
            Stop::Misused { text, channel } => failure::tell(&reply(&text), channel),
        }
    }
}

/// The first paragraph is the message, the others are the hint.
fn reply(text: &str) -> ErrorReply {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let (message, hint) = text.split_once("\n\n").unwrap_or((text, ""));
    let one_line = |text: &str| {
        let words: Vec<_> = text.split_whitespace().map(quote::printable).collect();
        words.join(" ")
    };
    let hint = Some(one_line(hint)).filter(|hint| !hint.is_empty());
    ErrorReply { code: "invalid_argument".to_owned(), message: one_line(message), hint }
}

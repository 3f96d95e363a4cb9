//! Answers in words.

use trilist_core::{Kind, ListError, Mode, Reason, Skip, Standing, VcsInfo, VcsState};

use super::asked::Asked;
use super::ground::{Ground, Leads};
use super::{Listing, standing};
use crate::roots;

/// What a message is about.
pub(super) struct Subject<'a> {
    pub(super) mode: Mode,
    /// The depth of the listing.
    pub(super) depth: u32,
    pub(super) is_dir: bool,
    pub(super) ground: &'a Ground,
    /// Whether the path is in version control's own state, or is that.
    pub(super) is_git: bool,
    /// What the system says, when something cannot be read.
    pub(super) why: Option<&'a str>,
}

/// The most notes of an answer.
const MAX_NOTES: usize = 5;

/// A path outside every root: nothing is said of what is there.
pub(super) fn outside_root(asked: &Asked) -> Standing {
    Standing {
        listed: Some(false),
        reason: Some(Reason::OutsideRoot),
        message: format!("`{}` lies outside the root, where nothing is listed", asked.shown()),
        ..Standing::default()
    }
}

/// A mode without a listing.
pub(super) fn unavailable(mode: Mode, error: &ListError) -> Standing {
    Standing {
        reason: Some(Reason::Unavailable),
        message: format!("mode `{mode}` has no listing here: {error}"),
        error: Some(error.reply()),
        ..Standing::default()
    }
}

/// A path in a root that does not lie below the listed directory.
pub(super) fn beside(asked: &Asked, listing: &Listing, ground: &Ground) -> Standing {
    let root = &listing.job.place.root;
    if let Ground::Closed { at } = ground {
        let at = roots::absolute(root, at);
        let message = format!("it lies below `{at}`, which the host keeps closed");
        let (listed, reason) = (Some(false), Some(Reason::Protected));
        return Standing { listed, reason, at: Some(at), message, ..Standing::default() };
    }
    let link = standing::link(ground, |at| roots::absolute(root, at));
    let reason = if link.is_some() { Reason::Link } else { Reason::Subtree };
    let message = match &link {
        _ if asked.is_listed_directory(listing) => {
            "it is the listed directory itself, not an entry in it".to_owned()
        }
        Some(link) => format!(
            "it does not lie below the listed directory by this name; {}",
            through(link, ground)
        ),
        None => "it lies outside the listed directory".to_owned(),
    };
    Standing { listed: Some(false), reason: Some(reason), message, link, ..Standing::default() }
}

/// The answer with further notes.
pub(super) fn with_notes(mut standing: Standing, notes: &[String]) -> Standing {
    standing.notes.extend_from_slice(notes);
    standing.notes.truncate(MAX_NOTES);
    standing
}

/// What an answer says.
pub(super) fn message(standing: &Standing, subject: &Subject<'_>) -> String {
    match standing.reason {
        None => listed(standing, subject),
        Some(reason) => match &standing.at {
            Some(at) => above(reason, at, standing, subject),
            None => itself(reason, standing, subject),
        },
    }
}

fn listed(standing: &Standing, subject: &Subject<'_>) -> String {
    let what = match (standing.skipped, &standing.rule) {
        (Some(Skip::Builtin), _) => "listed as one row and not entered: the builtin list names it",
        (Some(Skip::Protected), _) if subject.is_git => {
            "listed as one row and not entered: it is version control's own state"
        }
        (Some(Skip::Protected), _) => "listed as one row and not entered: the host keeps it closed",
        (Some(Skip::Mount), _) => "listed as one row and not entered: it is a mount point",
        (Some(Skip::Loop), _) => {
            "listed as one row and not entered: it leads to a directory that is entered elsewhere"
        }
        (Some(Skip::Depth), _) => "listed as one row and not entered: it lies at the depth limit",
        (None, Some(rule)) => return format!("listed, marked as ignored by {}", words_of(rule)),
        // A submodule is a directory on disk, and a row of its own to version control.
        (None, None)
            if subject.is_dir
                && subject.mode != Mode::Fs
                && standing.kind != Some(Kind::Submodule) =>
        {
            "listed: entries lie below it"
        }
        (None, None) => return format!("listed{}", standing.vcs.map_or("", state)),
    };
    what.to_owned()
}

fn state(vcs: VcsInfo) -> &'static str {
    match vcs.state {
        VcsState::Tracked => " (tracked)",
        VcsState::Added => ": only in the index, staged to be added",
        VcsState::Deleted => ": only in HEAD, its removal is staged",
        VcsState::Conflicted => ": in conflict, an unfinished merge has it in several stages",
    }
}

/// The path itself is the reason.
fn itself(reason: Reason, standing: &Standing, subject: &Subject<'_>) -> String {
    let rule = || standing.rule.as_ref().map_or_else(|| "a rule".to_owned(), words_of);
    match reason {
        Reason::Hidden => {
            "its name starts with `.`, and hidden names were not asked for".to_owned()
        }
        Reason::Ignored => format!("ignored by {}", rule()),
        Reason::Builtin => {
            "the builtin list of dependency and cache directories names it".to_owned()
        }
        Reason::Protected if subject.is_git => {
            "version control's own state is not listed".to_owned()
        }
        Reason::Protected => "the host keeps it closed".to_owned(),
        Reason::Kind => format!(
            "it is a {}, and that kind was not asked for",
            standing.kind.map_or("directory", noun)
        ),
        Reason::Pattern => "no pattern of the request matches it".to_owned(),
        Reason::OutsideRoot => "it leads outside the root".to_owned(),
        Reason::Untracked if subject.is_dir => "nothing in it is tracked".to_owned(),
        Reason::Untracked => "untracked: neither HEAD nor the index has it".to_owned(),
        Reason::Empty if standing.omitted.is_empty() => match subject.mode {
            Mode::Vcs => "nothing in it is tracked".to_owned(),
            _ => "there is no file in it".to_owned(),
        },
        Reason::Empty => {
            let parts: Vec<String> = standing
                .omitted
                .iter()
                .map(|one| format!("{} {}", one.count, one.reason.name()))
                .collect();
            format!("everything in it is left out: {}", parts.join(", "))
        }
        Reason::Unreadable => format!("it cannot be read{}", because(subject)),
        Reason::Unknown => match &standing.error {
            Some(error) => format!("not found out: {}", error.message),
            None => "not found out: it changed while it was looked for".to_owned(),
        },
        Reason::Absent => "it does not exist".to_owned(),
        reason => reason.name().to_owned(),
    }
}

/// Something on the way is the reason.
fn above(reason: Reason, at: &str, standing: &Standing, subject: &Subject<'_>) -> String {
    let rule = || standing.rule.as_ref().map_or_else(|| "a rule".to_owned(), words_of);
    match reason {
        Reason::Hidden => format!(
            "it lies below `{at}`, whose name starts with `.`: hidden names were not asked for"
        ),
        Reason::Ignored => format!("it lies below `{at}`, which is ignored by {}", rule()),
        Reason::Builtin => {
            format!("it lies below `{at}`, which the builtin list names: one row, not entered")
        }
        Reason::Protected if at.rsplit('/').next() == Some(".git") => {
            format!("it lies below `{at}`, version control's own state: not entered")
        }
        Reason::Protected => {
            format!("it lies below `{at}`, which the host keeps closed: not entered")
        }
        Reason::Depth => {
            format!("it lies below `{at}`, which is at the depth limit of {}", subject.depth)
        }
        Reason::Mount => {
            format!("it lies below `{at}`, where another file system begins: not entered")
        }
        Reason::Loop => {
            format!("it lies below `{at}`, which leads to a directory that is entered elsewhere")
        }
        Reason::Kind | Reason::Pattern => format!("it lies below `{at}`, which was not asked for"),
        Reason::Unreadable => format!("`{at}` cannot be read{}", because(subject)),
        Reason::Submodule => {
            format!("it lies below `{at}`, a submodule: one entry here, with names of its own")
        }
        Reason::Link => match &standing.link {
            Some(link) => through(link, subject.ground),
            None => format!("it lies behind the link `{at}`"),
        },
        Reason::Absent => absent(at, standing, subject),
        reason => format!("{} at `{at}`", reason.name()),
    }
}

fn because(subject: &Subject<'_>) -> String {
    subject.why.map_or(String::new(), |why| format!(": {why}"))
}

fn absent(at: &str, standing: &Standing, subject: &Subject<'_>) -> String {
    let mut text = match subject.ground {
        Ground::NoDirectory { kind, .. } => {
            format!("it does not exist: `{at}` is a {}, not a directory", noun(*kind))
        }
        _ => format!("it does not exist: the nearest directory that does is `{at}`"),
    };
    if !standing.similar.is_empty() {
        let names: Vec<String> = standing.similar.iter().map(|name| format!("`{name}`")).collect();
        text.push_str(&format!(", which has {}", names.join(", ")));
    }
    text
}

fn through(link: &trilist_core::LinkOnWay, ground: &Ground) -> String {
    let Ground::Link { leads, .. } = ground else { return String::new() };
    let to = match (leads, &link.leads_to) {
        (Leads::Outside, _) => "outside the root".to_owned(),
        (Leads::Nowhere(what), _) => (*what).to_owned(),
        (Leads::To(_), place) => format!("to `{}`", place.as_deref().unwrap_or(".")),
    };
    format!(
        "it lies behind the link `{}` -> `{}`, which is not entered; the path leads {to}",
        link.path, link.target
    )
}

/// Why rules that re-include the path do not.
pub(super) fn without_effect(standing: &Standing) -> Option<String> {
    let rule = standing.overruled.first()?;
    let place = format!("{}:{} `{}`", rule.source, rule.line, rule.pattern);
    Some(match &standing.at {
        Some(at) => format!(
            "{place} does not bring it back: nothing below a directory that is left out is looked \
             at, so `{at}` itself would have to be re-included first"
        ),
        None => format!("{place} does not bring it back: the rule above comes before it"),
    })
}

/// A rule with its place: `.gitignore:3 `*.log``, in git's dialect.
fn words_of(rule: &trilist_core::ExplainedRule) -> String {
    format!("{}:{} `{}` ({})", rule.source, rule.line, rule.pattern, rule.dialect.name())
}

fn noun(kind: Kind) -> &'static str {
    match kind {
        Kind::Other => "pipe, socket or device",
        Kind::Symlink => "link",
        Kind::Dir => "directory",
        kind => kind.name(),
    }
}

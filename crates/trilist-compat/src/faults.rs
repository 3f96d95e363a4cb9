//! What went wrong while a call was answered, each fact once.

use std::collections::{BTreeMap, BTreeSet};

use trilist::{ListError, Lister, Page, PathArg, TruncatedBy, quote};

use crate::read::joined;
use crate::text::{MOST_NOTICES, bounded};

/// The longest ignore file, in bytes.
const MOST_RULE_BYTES: u64 = 1 << 20;

/// What is to be said of the listings and the files that one call reads. Several listings of the
/// same directory mostly say the same, which is told once.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    told: Vec<String>,
    known: BTreeSet<String>,
    /// Faults that a page counts and does not name, by what its paths count from.
    unnamed: BTreeMap<Vec<u8>, u64>,
    /// Whether a page named one fault twice, so that its count says too much.
    counted_twice: bool,
    late: bool,
}

impl Faults {
    /// Says something of its own, unless it was said.
    pub(crate) fn say(&mut self, what: impl Into<String>) {
        let what = what.into();
        if self.known.insert(what.clone()) {
            self.told.push(what);
        }
    }

    /// What went wrong in a listing of the directory that the call is about.
    pub(crate) fn page(&mut self, page: &Page) {
        self.page_below(b"", page);
    }

    /// The same of a directory that goes by `prefix`.
    pub(crate) fn page_below(&mut self, prefix: &[u8], page: &Page) {
        let mut seen = BTreeSet::new();
        for warning in &page.warnings {
            let path = match (prefix, warning.path.as_str()) {
                (b"", path) => path.to_owned(),
                (prefix, ".") => quote::shown(prefix).into_owned(),
                (prefix, path) => format!("{}/{path}", quote::shown(prefix)),
            };
            let fault = format!("`{path}`: {}", warning.message);
            self.counted_twice |= !seen.insert(fault.clone());
            self.say(fault);
        }
        let unnamed = page.warnings_total.saturating_sub(page.warnings.len() as u64);
        let known = self.unnamed.entry(prefix.to_vec()).or_default();
        *known = unnamed.max(*known);
        if page.truncated_by == Some(TruncatedBy::Deadline) {
            self.late();
        }
    }

    /// The time was over before the end.
    pub(crate) fn late(&mut self) {
        self.late = true;
    }

    /// Reads a file of rules. One that is not there has none; one that is there and cannot be used
    /// is told by `name`, since what it hides is then listed.
    pub(crate) fn rules(&mut self, lister: &Lister, path: &[u8], name: &str) -> Option<Vec<u8>> {
        match lister.read(&PathArg::from(path.to_vec()), MOST_RULE_BYTES) {
            Ok(content) => Some(content),
            Err(ListError::NotFound { .. } | ListError::NotDirectory { .. }) => None,
            Err(error) => {
                self.unused(name, &why(&error));
                None
            }
        }
    }

    /// A file of rules is not in force. The engine may have said so of the same file.
    pub(crate) fn unused(&mut self, name: &str, why: &str) {
        let name = quote::shown(name.as_bytes());
        let starts = [format!("`{name}`: "), format!("`.`: {name}: ")];
        if !self.told.iter().any(|told| starts.iter().any(|start| told.starts_with(start))) {
            self.say(format!("`{name}`: {why}, so its rules are not in force"));
        }
    }

    /// Everything to say, of faults the first few and how many more there are.
    pub(crate) fn told(self) -> Vec<String> {
        let unnamed: u64 = self.unnamed.values().sum();
        let mut told = match (unnamed, self.counted_twice) {
            (0, _) => bounded(self.told),
            (unnamed, counted_twice) => {
                let named = self.told.len().min(MOST_NOTICES);
                let more = unnamed + (self.told.len() - named) as u64;
                let mut told = self.told;
                told.truncate(named);
                told.push(match counted_twice {
                    false => format!("and {more} more of the kind"),
                    true => "and more of the kind".to_owned(),
                });
                told
            }
        };
        if self.late {
            told.push("the listing was stopped after 10 seconds".to_owned());
        }
        told
    }
}

/// Lists say the same of a file that they do not use.
fn why(error: &ListError) -> String {
    match error {
        ListError::OutsideRoot { .. } => "it leads out of the workspace".to_owned(),
        ListError::PermissionDenied { .. } => "EACCES".to_owned(),
        ListError::Io { error, .. } => error.clone(),
        other => other.to_string(),
    }
}

/// A file of rules in a directory.
pub(crate) fn rule_file(dir: &str, name: &str) -> Vec<u8> {
    joined(dir.as_bytes(), name.as_bytes())
}

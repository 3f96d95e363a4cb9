//! From the ordered entries to the page.

use std::ops::ControlFlow;

use trilist::{Cancel, Kind, ListError, Lister, PathArg};

use super::order::{Next, Pending, Step};
use super::{Args, shown};
use crate::failure::rust_text;
use crate::read::{self, Detail, MOST_ENTRIES};
use crate::{Options, text};

/// A page as text.
pub(super) struct Page {
    pub(super) text: String,
    pub(super) notice: Vec<String>,
}

/// Why there is none.
pub(super) enum Failed {
    /// In the contract's words, whole.
    Contract(String),
    /// What the engine says of reading the directory.
    Engine(String),
}

impl From<ListError> for Failed {
    fn from(error: ListError) -> Failed {
        Failed::Engine(rust_text(&error))
    }
}

pub(super) fn page(
    args: &Args,
    options: Options,
    lister: &Lister,
    cancel: &Cancel,
) -> Result<Page, Failed> {
    let cancel = cancel.with_deadline(read::LONGEST);
    let base = lister.look(&PathArg::from(args.dir_path.as_str()))?.absolute();
    let skip = args.offset - 1;
    let limit = args.limit.min(MOST_ENTRIES);
    let wanted = skip.saturating_add(limit).saturating_add(1);
    let mut reader = Reader { options, lister, cancel, base, args, failures: Vec::new() };
    let mut pending = Pending::new(wanted);
    reader.read(&[], &mut pending)?;

    let mut lines = Vec::new();
    let mut seen = 0_usize;
    let mut cut = None;
    while lines.len() < limit {
        match pending.next() {
            None => break,
            Some(Next { path, step: Step::Contents, .. }) => match reader.read(&path, &mut pending)
            {
                Err(ListError::Timeout) => cut = Some(()),
                Err(error) => reader.failed(&path, error)?,
                Ok(()) => {}
            },
            Some(next) => {
                seen += 1;
                if seen > skip {
                    lines.push(next);
                }
            }
        }
        if cut.is_some() {
            break;
        }
    }
    if lines.is_empty() && seen > 0 {
        return Err(Failed::Contract("offset exceeds directory entry count".to_owned()));
    }
    let more = cut.is_some() || reader.has_more(&mut pending)?;
    Ok(reader.finish(lines, more, cut.is_some()))
}

struct Reader<'a> {
    options: Options,
    lister: &'a Lister,
    cancel: Cancel,
    /// The listed directory's canonical path.
    base: Vec<u8>,
    args: &'a Args,
    failures: Vec<String>,
}

impl Reader<'_> {
    /// Reads a directory, given relative to the listed one.
    fn read(&self, dir: &[u8], pending: &mut Pending) -> Result<(), ListError> {
        let depth = if dir.is_empty() { 1 } else { 2 + slashes(dir) };
        let request = read::children(&read::joined(&self.base, dir), Detail::Names);
        let page = read::each(self.lister, &request, &self.cancel, &mut |entry| {
            let enter = entry.kind == Kind::Dir && depth < self.args.depth;
            pending.add(dir, entry.path.as_bytes(), entry.kind, enter);
            ControlFlow::Continue(())
        })?;
        match page.truncated_by {
            Some(_) => Err(ListError::Timeout),
            None => Ok(()),
        }
    }

    /// A directory below the listed one that cannot be read.
    fn failed(&mut self, path: &[u8], error: ListError) -> Result<(), Failed> {
        if self.options.strict || error == ListError::Cancelled {
            return Err(error.into());
        }
        let path = trilist::quote::shown(path).into_owned();
        self.failures.push(format!("`{path}` could not be read: {}", rust_text(&error)));
        Ok(())
    }

    /// Whether an entry follows; directories are read until that is known.
    fn has_more(&mut self, pending: &mut Pending) -> Result<bool, Failed> {
        while let Some(Next { path, step, .. }) = pending.next() {
            if step == Step::Entry {
                return Ok(true);
            }
            match self.read(&path, pending) {
                Err(ListError::Timeout) => return Ok(true),
                Err(error) => self.failed(&path, error)?,
                Ok(()) => {}
            }
        }
        Ok(false)
    }

    fn finish(self, entries: Vec<Next>, more: bool, late: bool) -> Page {
        let mut out = format!("Absolute path: {}", self.args.dir_path);
        for entry in &entries {
            out.push('\n');
            self.push_line(entry, &mut out);
        }
        if more {
            out.push_str(&format!("\nMore than {} entries found", entries.len()));
        }
        let mut notice = text::bounded(self.failures);
        if late {
            notice.push("the listing was stopped after 10 seconds".to_owned());
        }
        if more {
            let next = self.args.offset.saturating_add(entries.len());
            notice.push(format!("the next page starts at offset {next}"));
        }
        if misplaced(&entries) {
            notice.push(
                "the order is that of whole paths: some entries stand below another directory than \
                 their own"
                    .to_owned(),
            );
        }
        Page { text: out, notice }
    }

    fn push_line(&self, entry: &Next, out: &mut String) {
        let name =
            &entry.path[entry.path.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1)..];
        let depth = slashes(&entry.path);
        out.extend(std::iter::repeat_n("  ", depth));
        if !self.options.strict && name.contains(&b'\n') {
            out.push_str(&shown(trilist::quote::shown(name).as_bytes()));
        } else {
            out.push_str(&shown(name));
        }
        out.push_str(match entry.kind {
            Kind::Dir => "/",
            Kind::Symlink => "@",
            Kind::Other => "?",
            Kind::File | Kind::Submodule => "",
        });
    }
}

fn slashes(path: &[u8]) -> usize {
    path.iter().filter(|byte| **byte == b'/').count()
}

/// Whether an indented entry follows one that is not in its parent directory, nor the parent.
fn misplaced(entries: &[Next]) -> bool {
    entries.windows(2).any(|pair| {
        let Some(at) = pair[1].path.iter().rposition(|byte| *byte == b'/') else { return false };
        let parent = &pair[1].path[..at];
        let rest = pair[0].path.strip_prefix(parent);
        !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
    })
}

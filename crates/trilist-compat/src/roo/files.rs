//! The files, as ripgrep names them with links followed.

use std::ops::ControlFlow;

use trilist::{Cancel, IgnorePolicy, Kind, ListError, ListRequest, Lister, Mode, PathArg};

use super::Args;
use super::names::{Exclusions, SKIPPED, lifts_ignores, seen_from};
use crate::faults::Faults;
use crate::read::{self, Detail, joined};
use crate::text;

/// Links that lead into one another.
const MOST_LINKS: usize = 5;
/// Links to directories that one listing follows.
const MOST_FOLLOWED: usize = 1_000;

/// At most `limit` files by their paths from the listed directory.
pub(super) fn files(
    args: &Args,
    lister: &Lister,
    cancel: &Cancel,
    limit: usize,
    faults: &mut Faults,
) -> Result<Vec<Vec<u8>>, ListError> {
    let dir = args.dir();
    let top = lister.look(&PathArg::from(dir.as_str()))?.absolute();
    let seen = seen_from(&args.cwd, &dir);
    let mut finder = Finder {
        lister,
        cancel,
        limit,
        recursive: args.recursive,
        ignoring: args.recursive && !lifts_ignores(&dir),
        exclusions: Exclusions::of(&dir),
        seen: seen.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect(),
        files: Vec::new(),
        followed: 0,
        faults,
    };
    match finder.list(&[], &top, &mut Vec::new()) {
        Err(ListError::Cancelled) => return Err(ListError::Cancelled),
        Err(ListError::Timeout) => finder.faults.late(),
        Err(error) => finder.faults.say(error.to_string()),
        Ok(()) => {}
    }
    Ok(finder.files)
}

/// The canonical directories on the way to a link: from a listing's top to the link's parent.
type Way = (Vec<u8>, Vec<u8>);

struct Finder<'a> {
    lister: &'a Lister,
    cancel: &'a Cancel,
    limit: usize,
    recursive: bool,
    /// Whether ignore files hold.
    ignoring: bool,
    exclusions: Exclusions,
    /// The listed directory as exclusions see it, in parts.
    seen: Vec<String>,
    files: Vec<Vec<u8>>,
    followed: usize,
    faults: &'a mut Faults,
}

impl Finder<'_> {
    /// Lists the canonical directory `dir`, whose entries go by `prefix`.
    fn list(&mut self, prefix: &[u8], dir: &[u8], ways: &mut Vec<Way>) -> Result<(), ListError> {
        let request = self.request(dir);
        let (lister, cancel) = (self.lister, self.cancel);
        let mut failed = None;
        let page = read::each(lister, &request, cancel, &mut |entry| {
            let path = joined(prefix, entry.path.as_bytes());
            let done = match entry.kind {
                Kind::Symlink => self.link(path, dir, entry.path.parent().as_bytes(), ways),
                _ => {
                    self.take(path);
                    Ok(())
                }
            };
            failed = done.err();
            if failed.is_some() || self.files.len() >= self.limit {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        self.faults.page_below(prefix, &page);
        failed.map_or(Ok(()), Err)
    }

    fn request(&self, dir: &[u8]) -> ListRequest {
        let tree = read::tree(dir, Detail::Names);
        let kinds = Some(vec![Kind::File, Kind::Symlink]);
        if !self.recursive {
            return ListRequest { kinds, depth: Some(1), ..tree };
        }
        let ignore = IgnorePolicy {
            git: Some(self.ignoring),
            dot_ignore: Some(self.ignoring),
            patterns: self.exclusions.globs(),
            ..IgnorePolicy::none()
        };
        ListRequest { mode: Mode::Files, kinds, ignore, ..tree }
    }

    fn take(&mut self, path: Vec<u8>) {
        if !self.is_left_out(&path) {
            self.files.push(path);
        }
    }

    fn is_left_out(&self, path: &[u8]) -> bool {
        let path = text::lossy(path);
        let mut parts: Vec<&str> = self.seen.iter().map(String::as_str).collect();
        if self.recursive {
            parts.extend(path.split('/'));
            return self.exclusions.hold(&parts);
        }
        // Names are left out at this level, and everything below a directory of that name in the
        // process's own.
        parts.push(&path);
        SKIPPED.iter().any(|skipped| {
            let skipped: Vec<&str> = skipped.split('/').collect();
            let is_name = skipped == [&*path];
            is_name || parts.starts_with(&skipped)
        })
    }

    /// A link: a file that it leads to is listed under its name, a directory's files as well.
    fn link(
        &mut self,
        path: Vec<u8>,
        dir: &[u8],
        parent: &[u8],
        ways: &mut Vec<Way>,
    ) -> Result<(), ListError> {
        let here = joined(dir, parent);
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(&path).to_vec();
        match self.lister.look(&PathArg::from(joined(&here, &name))) {
            Ok(found) if found.kind == Kind::File => self.take(path),
            Ok(found) if found.kind == Kind::Dir && self.recursive => {
                ways.push((dir.to_vec(), here));
                let target = found.absolute();
                let done = if self.may_enter(&target, ways) {
                    self.followed += 1;
                    self.list(&path, &target, ways)
                } else {
                    Ok(())
                };
                ways.pop();
                return done;
            }
            // What lies outside is not looked at, so that the link itself is the entry.
            Err(ListError::OutsideRoot { .. }) => self.take(path),
            _ => {}
        }
        Ok(())
    }

    fn may_enter(&self, target: &[u8], ways: &[Way]) -> bool {
        let is_loop = ways.iter().any(|(top, leaf)| is_between(top, target, leaf));
        !is_loop && ways.len() <= MOST_LINKS && self.followed < MOST_FOLLOWED
    }
}

/// Whether `dir` is on the way from `top` down to `leaf`, both included.
fn is_between(top: &[u8], dir: &[u8], leaf: &[u8]) -> bool {
    let holds = |above: &[u8], below: &[u8]| {
        let rest = below.strip_prefix(above);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/") || above == b"/")
    };
    holds(top, dir) && holds(dir, leaf)
}

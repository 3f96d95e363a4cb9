//! What may be seen: the workspace, and in the current release the guard over it.

use trilist::{Cancel, Kind, ListError, Lister, Mode, PathArg};

use super::{Args, Release, names};
use crate::failure::Errno;
use crate::node_path;
use crate::read::{self, Detail, joined};
use crate::text;

/// From how many bytes on a path is too long for the system.
pub(super) const LONGEST_PATH: usize = 4096;

/// The workspace's directories.
pub(super) struct Workspace<'a> {
    pub(super) lister: &'a Lister,
    args: &'a Args,
    /// Canonical, as far as they exist.
    dirs: Vec<String>,
}

/// Where a path leads.
enum Leads {
    /// To this canonical path, which need not exist.
    To(String),
    Outside,
    /// That cannot be told: a loop, a directory that may not be searched.
    Nowhere,
}

impl<'a> Workspace<'a> {
    pub(super) fn of(args: &'a Args, lister: &'a Lister) -> Self {
        let all = std::iter::once(&args.target_dir).chain(&args.extra_workspace_dirs);
        let dirs = all.map(|dir| match lister.look(&PathArg::from(dir.as_str())) {
            Ok(found) => text::lossy(&found.absolute()).into_owned(),
            Err(_) => dir.clone(),
        });
        Workspace { lister, args, dirs: dirs.collect() }
    }

    /// The directory that ignore files and relative paths count from.
    pub(super) fn target(&self) -> &str {
        &self.dirs[0]
    }

    /// Why a path may not be listed, if it may not.
    pub(super) fn refuses(&self, path: &str) -> Option<String> {
        match self.args.release {
            Release::Early => (!self.is_known(path)).then(|| self.refusal(path)),
            Release::Current => match names::malformed(path) {
                Some(why) => Some(format!("Invalid path: {why}")),
                None => self.guards(path).then(|| self.refusal(path)),
            },
        }
    }

    /// Whether the guard of the current release hides an entry's path.
    pub(super) fn hides(&self, path: &str) -> bool {
        names::malformed(path).is_some() || self.guards(path)
    }

    pub(super) fn holds(&self, real: &str) -> bool {
        let spelled = std::iter::once(&self.args.target_dir).chain(&self.args.extra_workspace_dirs);
        self.dirs.iter().chain(spelled).any(|dir| node_path::is_within(dir, real))
    }

    /// The early release lets pass what it can follow to a place in the workspace.
    fn is_known(&self, path: &str) -> bool {
        matches!(self.leads(path), Leads::To(real) if self.holds(&real))
    }

    /// The current release judges where the path leads once its percent signs are decoded.
    fn guards(&self, path: &str) -> bool {
        let decoded = names::percent_decoded(path);
        let decoded = node_path::resolve("/", decoded.as_deref().unwrap_or(path));
        let real = match self.leads(&decoded) {
            Leads::To(real) => real,
            Leads::Outside => return true,
            // The listing tells what is wrong with it.
            Leads::Nowhere => decoded,
        };
        !self.holds(&real) || names::is_blocked(&self.within(&real))
    }

    /// A path from the workspace's directory that holds it.
    fn within(&self, real: &str) -> String {
        let dir = self.dirs.iter().find(|dir| node_path::is_within(dir, real));
        dir.map_or_else(|| real.to_owned(), |dir| node_path::relative(dir, real))
    }

    fn leads(&self, path: &str) -> Leads {
        match self.lister.look(&PathArg::from(path)) {
            Ok(found) => Leads::To(text::lossy(&found.absolute()).into_owned()),
            Err(ListError::OutsideRoot { .. }) => Leads::Outside,
            Err(error) if self.takes_for_missing(path, &error) => self.would_lead(path),
            Err(_) => Leads::Nowhere,
        }
    }

    /// Whether an error only says that a path is not there. The current release takes more for
    /// that than what does not exist; neither minds how long a path is whose start is missing.
    fn takes_for_missing(&self, path: &str, error: &ListError) -> bool {
        if path.len() >= LONGEST_PATH && matches!(error, ListError::InvalidArgument { .. }) {
            return !path.contains('\0');
        }
        let more = self.args.release == Release::Current;
        Errno::of(error).is_some_and(|errno| match errno.name {
            "ENOENT" => true,
            "ENOTDIR" | "ENAMETOOLONG" => more,
            _ => false,
        })
    }

    /// Where a path that is not there would be: below the last directory on the way that is.
    fn would_lead(&self, path: &str) -> Leads {
        let mut last = None;
        let ends = path.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0);
        for end in ends.chain([path.len()]) {
            match self.lister.look(&PathArg::from(&path[..end])) {
                Ok(found) => last = Some((found.absolute(), end)),
                // Still above the roots.
                Err(ListError::OutsideRoot { .. }) if last.is_none() => {}
                Err(error) if self.takes_for_missing(&path[..end], &error) => break,
                Err(_) => return Leads::Nowhere,
            }
        }
        let Some((real, end)) = last else { return Leads::To(path.to_owned()) };
        let rest = path[end..].trim_start_matches('/');
        let name = rest.split('/').next().unwrap_or(rest);
        let missing = joined(&path.as_bytes()[..end], name.as_bytes());
        if self.args.release == Release::Early && self.is_dead_link(missing) {
            return Leads::Nowhere;
        }
        Leads::To(text::lossy(&joined(&real, rest.as_bytes())).into_owned())
    }

    /// Whether what is not there is a link, which the early release cannot follow.
    fn is_dead_link(&self, path: Vec<u8>) -> bool {
        let request = read::children(self.target().as_bytes(), Detail::Names);
        let paths = [PathArg::from(path)];
        let explained = self.lister.explain(&request, &[Mode::Fs], &paths, &Cancel::new());
        let explained = explained.ok().and_then(|mut explained| explained.pop());
        explained.is_some_and(|explained| explained.on_disk == Some(Kind::Symlink))
    }

    /// What is said of a path that may not be listed.
    fn refusal(&self, path: &str) -> String {
        let dirs = self.dirs.join(", ");
        match self.args.release {
            Release::Early => {
                format!("Path must be within one of the workspace directories: {dirs}")
            }
            Release::Current => {
                let temp_dir = self.args.project_temp_dir.as_ref();
                let temp_dir = temp_dir.map(|dir| format!(" or the project temp directory: {dir}"));
                format!(
                    "Path not in workspace: Attempted path \"{path}\" resolves outside the allowed \
                     workspace directories: {dirs}{}",
                    temp_dir.unwrap_or_default()
                )
            }
        }
    }
}

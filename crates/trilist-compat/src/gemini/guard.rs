//! What may be seen: the workspace, and in the current release the guard over it.

use trilist::{ListError, Lister, PathArg};

use super::{Args, Release};
use crate::node_path;
use crate::text;

/// Names are judged by what they look like only in paths that are longer than this.
const SHORT_PATH: usize = 20;

/// The workspace's directories.
pub(super) struct Workspace<'a> {
    pub(super) lister: &'a Lister,
    args: &'a Args,
    /// Canonical, as far as they exist.
    dirs: Vec<String>,
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

    /// Whether a path may be listed.
    pub(super) fn allows(&self, path: &str) -> bool {
        let real = match self.lister.look(&PathArg::from(path)) {
            Ok(found) => text::lossy(&found.absolute()).into_owned(),
            Err(ListError::OutsideRoot { .. }) => return false,
            // What does not exist is told later; here it only matters where it would be.
            Err(_) => path.to_owned(),
        };
        self.holds(&real) && !self.guards(path) && !self.guards(&real)
    }

    pub(super) fn holds(&self, real: &str) -> bool {
        let spelled = std::iter::once(&self.args.target_dir).chain(&self.args.extra_workspace_dirs);
        self.dirs.iter().chain(spelled).any(|dir| node_path::is_within(dir, real))
    }

    /// Whether the guard hides a path.
    pub(super) fn guards(&self, path: &str) -> bool {
        if self.args.release == Release::Early {
            return false;
        }
        let way = self.dirs.iter().find(|dir| node_path::is_within(dir, path));
        let way = way.map_or_else(|| path.to_owned(), |dir| node_path::relative(dir, path));
        way.split('/').any(is_secret) || looks_invented(path)
    }

    /// What is said of a path that may not be listed.
    pub(super) fn refusal(&self, path: &str) -> String {
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

/// Names of secrets, and of directories that are too big to look into.
fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    let is_credentials = name.starts_with("gha-creds-") && name.ends_with(".json");
    matches!(name.as_str(), ".env" | ".git" | "node_modules") || is_credentials
}

/// Paths that look like a model's slip: text of a message in place of a path.
fn looks_invented(path: &str) -> bool {
    let said = ["AssertionError:", "FAIL "];
    let is_said = path.split('/').any(|name| said.iter().any(|said| name.starts_with(said)));
    let is_odd = path.contains(['\n', '\r', '\t', '"']) || path.contains("...");
    path.encode_utf16().count() > SHORT_PATH && (is_said || is_odd)
}

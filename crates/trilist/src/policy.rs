//! What a host allows.

use std::path::PathBuf;

use trilist_core::IgnorePolicy;

use crate::approval::Permission;

/// Bounds that hold for every request of a [`crate::Lister`].
///
/// ```
/// let mut policy = trilist::Policy::default();
/// policy.max_limit = 200;
/// ```
#[derive(Debug, Clone)]
pub struct Policy {
    /// Entries of a page when the request names none. Default: 100.
    pub default_limit: u32,
    /// The most entries of a page. Default: 1,000.
    pub max_limit: u32,
    /// Milliseconds of a call when the request names none. Default: 10,000.
    pub default_deadline_ms: u32,
    /// The most milliseconds of a call. Default: 60,000.
    pub max_deadline_ms: u32,
    /// Bytes of a reply when the request names none. Default: no bound.
    pub default_max_bytes: Option<u32>,
    /// Directory or index entries that one call reads. Default: 5,000,000.
    pub scan_cap: u64,
    /// The most pinned listings that are kept; at least 1. Default: 16.
    pub max_snapshots: u32,
    /// The most bytes that pinned listings take together: an entry takes about 32 and its path, in
    /// mode `vcs` 20 more, and with metadata some 130 more. It also bounds the changes that one
    /// comparison holds. Default: 128 MiB.
    pub max_snapshot_bytes: usize,
    /// The switches of requests that leave them open, and patterns, globs to keep and tool files
    /// that are added to theirs. Default: nothing.
    pub ignore: IgnorePolicy,
    /// The names in place of the builtin list. Default: the list that trilist comes with.
    pub builtin: Option<Vec<String>>,
    /// A file of git's global excludes, outside every root; in force where git's other files are.
    /// One that does not exist has no rules. Default: none, whatever git's configuration says.
    pub global_excludes: Option<PathBuf>,
    /// Whether a `.trilist.toml` at the top of a listed root is read, which can only narrow what
    /// is listed; see [`crate::Config`]. Default: false.
    pub tree_config: bool,
    /// Directories that are never listed, with everything below them, whatever a request says:
    /// where a walk meets one it is a single row, and asking for one is
    /// [`crate::ListError::DeniedByPolicy`]. Globs: without `/` they match the name of a directory
    /// at any depth below a root, with a `/` inside a path below a root, and with one at the start
    /// an absolute path. ASCII case does not count. At most 256. Default: none.
    pub deny: Vec<String>,
    /// If there are any, only these directories and those below them can be listed, and of them
    /// not those of `deny`. Globs as in `deny`, but case counts. Default: none, so all can.
    pub allow: Vec<String>,
    /// Names of version control's and of tools' own state: one row or one count where a walk meets
    /// them, entered only when a request names them. Default: `.git`.
    pub protected: Vec<String>,
    /// Absolute paths of directories that are too wide to be asked for, as the user's home is: a
    /// request for one is refused, unless it is itself a root. Default: `/`; the command line and
    /// its MCP server add the home.
    pub refused: Vec<PathBuf>,
    /// Whether directories may be listed: with [`Permission::Ask`] a call lists what the
    /// [`crate::Approver`] lets it, and without one nothing. Default: [`Permission::Allow`].
    pub list: Permission,
    /// Whether a request may leave the roots: with [`Permission::Ask`] for the directories that the
    /// [`crate::Approver`] lets it, each then a root of its own for the call, and without one for
    /// none. `deny` and `refused` come first; of `allow` only absolute paths count. Default:
    /// [`Permission::Deny`], which is [`crate::ListError::OutsideRoot`].
    pub external_directory: Permission,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            default_limit: 100,
            max_limit: 1_000,
            default_deadline_ms: 10_000,
            max_deadline_ms: 60_000,
            default_max_bytes: None,
            scan_cap: 5_000_000,
            max_snapshots: 16,
            max_snapshot_bytes: 128 << 20,
            ignore: IgnorePolicy::default(),
            builtin: None,
            global_excludes: None,
            tree_config: false,
            deny: Vec::new(),
            allow: Vec::new(),
            protected: vec![".git".to_owned()],
            refused: vec![PathBuf::from("/")],
            list: Permission::Allow,
            external_directory: Permission::Deny,
        }
    }
}

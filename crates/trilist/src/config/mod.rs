//! The configuration: what the user's file sets, and what the listed tree's file narrows.

mod error;
mod keys;
mod read;
mod report;
mod tree;
mod values;

use std::path::Path;

use trilist_core::Show;
use trilist_ignore::BuiltinNames;
use trilist_root::{ReadError, Root, errno_name, read_host_file};

use crate::Policy;
pub use error::ConfigError;
pub use report::{Item, Setting, SettingValue, Source};
use values::{Value, Values};

/// The name of the tree's own configuration, looked for at the top of the listed root.
pub(crate) const TREE_FILE: &str = ".trilist.toml";

/// The largest configuration file, in bytes.
const MAX_BYTES: u64 = 64 << 10;

/// What a policy becomes by the user's configuration file and by that of the listed tree.
///
/// The user's file may set every key. A tree is untrusted: its file can only narrow, that is
/// lower the limits that requests have by default, switch ignore layers on, and add patterns and
/// builtin names; what would widen the listing is left out with a notice, and so is what cannot
/// be read. Either gives defaults: what a request says itself comes first.
///
/// ```
/// use trilist::{Config, Policy};
///
/// let mut config = Config::new(Policy::default());
/// config.read_user("config.toml", b"[limits]\nlimit = 50\n\n[ignore]\npatterns = [\"*.bak\"]\n")?;
/// config.read_tree(b"[limits]\nlimit = 20\n\n[ignore]\nkeep = [\"*\"]\n");
/// assert_eq!(config.policy().default_limit, 20);
/// assert_eq!(config.notices().len(), 1);
///
/// let error = config.read_user("config.toml", b"[limits]\nlimits = 5\n").unwrap_err();
/// assert_eq!(error.to_string(), "config.toml, line 2: there is no key `limits.limits`");
/// assert_eq!(error.hint().as_deref(), Some("Did you mean `limits.limit`?"));
/// # Ok::<(), trilist::ConfigError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Config {
    base: Policy,
    user: Values,
    tree: Values,
    /// The line of each pattern of the tree, counted from 1.
    tree_pattern_lines: Vec<u32>,
    notices: Vec<String>,
}

/// A policy, and what only a tree's own configuration adds to it.
pub(crate) struct Terms {
    pub(crate) policy: Policy,
    pub(crate) tree_patterns: Vec<String>,
    /// The line of each, counted from 1.
    pub(crate) tree_pattern_lines: Vec<u32>,
    pub(crate) notices: Vec<String>,
}

impl From<Policy> for Terms {
    fn from(policy: Policy) -> Self {
        Terms {
            policy,
            tree_patterns: Vec::new(),
            tree_pattern_lines: Vec::new(),
            notices: Vec::new(),
        }
    }
}

/// A policy as the configuration of the tree below `root` narrows it.
pub(crate) fn narrowed(policy: Policy, root: &Root) -> Terms {
    let mut config = Config::new(policy);
    config.load_tree(root);
    if config.tree.is_empty() {
        return Terms { notices: config.notices, ..Terms::from(config.base) };
    }
    Terms {
        policy: config.policy(),
        tree_patterns: config.tree.list("ignore.patterns").to_vec(),
        tree_pattern_lines: config.tree_pattern_lines,
        notices: config.notices,
    }
}

impl Config {
    /// A host's policy, with nothing configured.
    pub fn new(base: Policy) -> Self {
        Config {
            base,
            user: Values::default(),
            tree: Values::default(),
            tree_pattern_lines: Vec::new(),
            notices: Vec::new(),
        }
    }

    /// Reads the user's file; says whether there is one. Links in its path are followed.
    ///
    /// # Errors
    ///
    /// When it is no regular file of at most 64 KiB, cannot be read, or as [`Config::read_user`].
    pub fn load_user(&mut self, path: &Path) -> Result<bool, ConfigError> {
        let file = path.display().to_string();
        match read_host_file(path, MAX_BYTES) {
            Ok(bytes) => self.read_user(&file, &bytes).map(|()| true),
            Err(ReadError::NotFound) => Ok(false),
            Err(error) => Err(ConfigError::of_file(&file, reason(error))),
        }
    }

    /// Takes the content of the user's file; `file` is its name in errors. What was read before
    /// is replaced.
    ///
    /// # Errors
    ///
    /// Names the first line that is no TOML, has an unknown key or a value that cannot be used;
    /// then nothing is changed.
    pub fn read_user(&mut self, file: &str, bytes: &[u8]) -> Result<(), ConfigError> {
        let mut values = Values::default();
        for setting in read::settings(bytes).map_err(|error| error.in_file(file))? {
            let value = setting.checked().map_err(|error| error.in_file(file))?;
            values.set(setting.key.name, value);
        }
        values.check_order(&self.base).map_err(|error| error.in_file(file))?;
        self.user = values;
        Ok(())
    }

    /// Reads the configuration of the tree below a root, as a listing does; says whether there is
    /// one.
    ///
    /// # Errors
    ///
    /// When the root cannot be opened.
    pub fn load_tree_of(&mut self, root: &Path) -> std::io::Result<bool> {
        Ok(self.load_tree(&Root::open(root)?))
    }

    fn load_tree(&mut self, root: &Root) -> bool {
        let read = root.dir().map_err(ReadError::Io);
        match read.and_then(|dir| dir.read_file(TREE_FILE.as_bytes(), MAX_BYTES)) {
            Ok(bytes) => self.read_tree(&bytes),
            Err(ReadError::NotFound) => return false,
            Err(error) => {
                let why = reason(error);
                self.notices.push(format!("`{TREE_FILE}` is not in force: {why}"));
            }
        }
        true
    }

    /// Takes the content of a tree's file: what narrows. What was read before is replaced; what
    /// cannot be used is a notice.
    pub fn read_tree(&mut self, bytes: &[u8]) {
        self.tree = Values::default();
        tree::read(self, bytes);
    }

    /// What there is to say about a tree's file.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Whether git's global excludes are wanted: the host knows their place, see
    /// [`Policy::global_excludes`].
    pub fn wants_global_excludes(&self) -> bool {
        self.flag("ignore.global_excludes").unwrap_or(false)
    }

    /// The policy that the user's configuration makes, and the tree's but for its patterns, which
    /// a [`crate::Lister`] reads itself.
    pub fn policy(&self) -> Policy {
        let mut policy = self.base.clone();
        let limit = |key, at: &mut u32| {
            if let Some(number) = self.number(key).and_then(|number| u32::try_from(number).ok()) {
                *at = number;
            }
        };
        limit("limits.max_limit", &mut policy.max_limit);
        limit("limits.max_deadline_ms", &mut policy.max_deadline_ms);
        limit("limits.limit", &mut policy.default_limit);
        limit("limits.deadline_ms", &mut policy.default_deadline_ms);
        policy.default_limit = policy.default_limit.min(policy.max_limit);
        policy.default_deadline_ms = policy.default_deadline_ms.min(policy.max_deadline_ms);
        if let Some(bytes) = self.number("limits.max_bytes") {
            policy.default_max_bytes = u32::try_from(bytes).ok();
        }
        policy.scan_cap = self.number("limits.scan_cap").unwrap_or(policy.scan_cap);
        let ignore = &mut policy.ignore;
        ignore.builtin = self.flag("ignore.builtin").or(ignore.builtin);
        ignore.git = self.flag("ignore.git").or(ignore.git);
        ignore.dot_ignore = self.flag("ignore.dot_ignore").or(ignore.dot_ignore);
        ignore.show = self.show().or(ignore.show);
        ignore.tool_files.extend_from_slice(self.user.list("ignore.tool_files"));
        ignore.patterns.extend_from_slice(self.user.list("ignore.patterns"));
        ignore.keep.extend_from_slice(self.user.list("ignore.keep"));
        policy.builtin = self.builtin();
        policy.deny.extend_from_slice(self.user.list("policy.deny"));
        policy.allow.extend_from_slice(self.user.list("policy.allow"));
        policy.protected.extend_from_slice(self.user.list("policy.protected"));
        policy
    }

    /// A tree's number is only kept when it is the lower one.
    fn number(&self, key: &str) -> Option<u64> {
        self.tree.number(key).or_else(|| self.user.number(key))
    }

    fn flag(&self, key: &str) -> Option<bool> {
        self.tree.flag(key).or_else(|| self.user.flag(key))
    }

    fn show(&self) -> Option<Show> {
        match self.user.get("ignore.show") {
            Some(Value::Show(show)) => Some(*show),
            _ => None,
        }
    }

    /// The names in place of the builtin list, if something changes it.
    fn builtin(&self) -> Option<Vec<String>> {
        let has = |key| self.user.get(key).is_some() || self.tree.get(key).is_some();
        if !(has("builtin.replace") || has("builtin.extend")) {
            return self.base.builtin.clone();
        }
        Some(self.builtin_names().into_iter().map(|(name, _)| name).collect())
    }

    /// The effective names and where each comes from.
    fn builtin_names(&self) -> Vec<(String, Source)> {
        let mut names = match (self.user.get("builtin.replace"), &self.base.builtin) {
            (Some(_), _) => of_source(self.user.list("builtin.replace"), Source::User),
            (None, Some(base)) => of_source(base, Source::Default),
            (None, None) => {
                let standard = BuiltinNames::standard().entries().into_iter();
                standard.map(|entry| (entry.name.to_owned(), Source::Default)).collect()
            }
        };
        names.extend(of_source(self.user.list("builtin.extend"), Source::User));
        names.extend(of_source(self.tree.list("builtin.extend"), Source::Tree));
        names
    }
}

fn of_source(names: &[String], source: Source) -> Vec<(String, Source)> {
    names.iter().map(|name| (name.clone(), source)).collect()
}

fn reason(error: ReadError) -> String {
    match error {
        ReadError::Io(error) => errno_name(&error),
        error => error.to_string(),
    }
}

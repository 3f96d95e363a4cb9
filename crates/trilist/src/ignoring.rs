//! The ignore layers of one listing: what its request says, then the configuration, then the
//! mode's defaults.

use std::path::Path;
use std::sync::Arc;

use trilist_core::{IgnorePolicy, IgnoreQuery, ListError, Mode, Origin, RelPath, Show, quote};
use trilist_ignore::Globs;
use trilist_root::{ReadError, errno_name, read_host_file};

use crate::config::{TREE_FILE, Terms};

/// The most patterns of each kind in a request, and the longest one in bytes.
const MAX_PATTERNS: usize = 256;
const MAX_PATTERN_BYTES: usize = 1024;
/// The most ignore files that a request names.
const MAX_IGNORE_FILES: usize = 16;
/// The largest file of global excludes, in bytes.
const MAX_EXCLUDES_BYTES: u64 = 1 << 20;

/// The switches that a listing has where its request leaves them open.
pub(crate) struct Switches {
    pub(crate) builtin: bool,
    pub(crate) git: bool,
    pub(crate) dot_ignore: bool,
    pub(crate) show: Show,
}

impl Switches {
    /// Those of a mode and a configuration, as far as the request lets it count.
    pub(crate) fn of(mode: Mode, asked: &IgnorePolicy, configured: &IgnorePolicy) -> Self {
        let on_disk = mode != Mode::Vcs;
        let configured = Some(configured).filter(|_| on_disk && counts(asked));
        let switch = |of: fn(&IgnorePolicy) -> Option<bool>, default: bool| {
            configured.and_then(of).unwrap_or(default)
        };
        Switches {
            builtin: switch(|ignore| ignore.builtin, on_disk),
            git: switch(|ignore| ignore.git, mode == Mode::Files),
            dot_ignore: switch(|ignore| ignore.dot_ignore, mode == Mode::Files),
            show: configured.and_then(|ignore| ignore.show).unwrap_or_default(),
        }
    }
}

/// Whether a request lets the configuration's layer count.
fn counts(asked: &IgnorePolicy) -> bool {
    asked.config != Some(false)
}

/// The layers as sources see them.
///
/// # Errors
///
/// When the request names what cannot be used.
pub(crate) fn query(
    asked: &IgnorePolicy,
    mode: Mode,
    terms: &Terms,
) -> Result<IgnoreQuery, ListError> {
    check(asked, mode)?;
    let configured = &terms.policy.ignore;
    let switches = Switches::of(mode, asked, configured);
    let mut query = IgnoreQuery {
        builtin: asked.builtin.unwrap_or(switches.builtin),
        builtin_names: terms.policy.builtin.as_deref().map(Arc::from),
        git: asked.git.unwrap_or(switches.git),
        global_excludes: None,
        dot_ignore: asked.dot_ignore.unwrap_or(switches.dot_ignore),
        tool_files: tool_files(asked, configured),
        patterns: asked.patterns.clone(),
        origins: Vec::new(),
        keep: asked.keep.clone(),
        mark: asked.show.unwrap_or(switches.show) == Show::Mark,
        aiderignore: asked.aiderignore.clone(),
    };
    if counts(asked) {
        add(&mut query, "config", &configured.patterns, &[]);
        add(&mut query, TREE_FILE, &terms.tree_patterns, &terms.tree_pattern_lines);
        query.keep.extend(configured.keep.iter().cloned());
    }
    Ok(query)
}

fn add(query: &mut IgnoreQuery, source: &str, patterns: &[String], lines: &[u32]) {
    if !patterns.is_empty() {
        let first = query.patterns.len();
        let (source, lines) = (source.to_owned(), lines.to_vec());
        query.origins.push(Origin { first, source, lines });
        query.patterns.extend_from_slice(patterns);
    }
}

/// The file named last decides first, so the request's come behind those of the configuration.
fn tool_files(asked: &IgnorePolicy, configured: &IgnorePolicy) -> Vec<String> {
    let configured = configured.tool_files.iter().filter(|_| counts(asked));
    let configured = configured.filter(|name| !asked.tool_files.contains(name));
    configured.chain(&asked.tool_files).cloned().collect()
}

fn check(asked: &IgnorePolicy, mode: Mode) -> Result<(), ListError> {
    let files = asked.aiderignore.len();
    if files > MAX_IGNORE_FILES {
        let expected = format!("at most {MAX_IGNORE_FILES} files can be given");
        return Err(ListError::invalid("ignore.aiderignore", format!("{files} files"), expected));
    }
    if files > 0 && mode != Mode::Vcs {
        let expected = format!("mode `{mode}` reads the files that `ignore.tool_files` names");
        return Err(ListError::invalid("ignore.aiderignore", "set", expected));
    }
    if asked.tool_files.len() > MAX_IGNORE_FILES {
        let given = format!("{} names", asked.tool_files.len());
        let expected = format!("at most {MAX_IGNORE_FILES} tool files can be named");
        return Err(ListError::invalid("ignore.tool_files", given, expected));
    }
    if let Some(name) = asked.tool_files.iter().find(|name| !is_tool_file(name)) {
        let given = quote::shown(name.as_bytes());
        return Err(ListError::invalid("ignore.tool_files", given, TOOL_FILE));
    }
    globs("ignore.patterns", &asked.patterns)?;
    globs("ignore.keep", &asked.keep)?;
    Ok(())
}

/// What a tool file is called by.
pub(crate) const TOOL_FILE: &str =
    "a tool file is a name such as `.rooignore`, or a path below the root without `..`";

pub(crate) fn is_tool_file(name: &str) -> bool {
    name.len() <= MAX_PATTERN_BYTES
        && RelPath::new(name.as_bytes()).is_ok_and(|path| !path.is_empty())
}

/// Compiles the globs of a request's field.
///
/// # Errors
///
/// When there are too many, or one is too long or no glob.
pub(crate) fn globs(field: &str, texts: &[String]) -> Result<Globs, ListError> {
    if texts.len() > MAX_PATTERNS {
        let expected = format!("at most {MAX_PATTERNS} globs can be given");
        return Err(ListError::invalid(field, format!("{} globs", texts.len()), expected));
    }
    if let Some(long) = texts.iter().find(|text| text.len() > MAX_PATTERN_BYTES) {
        let expected = format!("a glob has at most {MAX_PATTERN_BYTES} bytes");
        return Err(ListError::invalid(field, format!("a glob of {} bytes", long.len()), expected));
    }
    Globs::new(texts).map_err(|error| {
        let expected = "give a glob such as `*.rs` or `src/**`";
        ListError::invalid(field, format!("no valid glob ({error})"), expected)
    })
}

/// Reads the user's global excludes. What is wrong with the file is a notice: it is not part of
/// what is listed.
pub(crate) fn read_excludes(path: &Path, notices: &mut Vec<String>) -> Option<Arc<[u8]>> {
    let why = match read_host_file(path, MAX_EXCLUDES_BYTES) {
        Ok(bytes) => return Some(bytes.into()),
        Err(ReadError::NotFound) => return None,
        Err(ReadError::Io(error)) => errno_name(&error),
        Err(error) => error.to_string(),
    };
    notices.push(format!("the global excludes are not in force: {why}"));
    None
}

//! Where git keeps the user's global excludes.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use trilist_root::gitdir::GitConfig;
use trilist_root::read_host_file;

/// The largest of git's configuration files that is read, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The file that git reads as the user's global excludes: what `core.excludesFile` names in
/// `.gitconfig` of the home, else in `git/config` of the configuration directory, else
/// `git/ignore` there. None when it is set to nothing, or to a path that is neither absolute nor
/// in the home.
///
/// The system's configuration and included files are not read, and a repository's own
/// configuration never counts: it is untrusted. A file of git's that cannot be read counts as one
/// without the setting.
pub fn git_excludes_file(home: &Path, config_dir: &Path) -> Option<PathBuf> {
    let set = setting(&home.join(".gitconfig"));
    let set = set.or_else(|| setting(&config_dir.join("git/config")));
    let Some(value) = set else { return Some(config_dir.join("git/ignore")) };
    let path = Path::new(OsStr::from_bytes(&value));
    match path.strip_prefix("~") {
        Ok(below) => Some(home.join(below)),
        Err(_) => path.is_absolute().then(|| path.to_path_buf()),
    }
}

fn setting(file: &Path) -> Option<Vec<u8>> {
    let config = GitConfig::parse(&read_host_file(file, MAX_BYTES).ok()?).ok()?;
    config.value("core", None, "excludesfile").map(<[u8]>::to_vec)
}

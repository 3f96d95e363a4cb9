//! Going only on the way to one path.
//!
//! The directories on the way are not read, however many names they hold: the next name on the
//! way is looked up in each, and so are those that rules hang on.

use trilist_core::{ListError, RelPath};
use trilist_ignore::IgnoreStack;
use trilist_root::Dir;

use super::{Walk, found_in};
use crate::names::{Keep, Names, Role};

impl<'a> Walk<'a> {
    /// The name to look for in a directory, relative to the root, that is on the way to the
    /// probe. When links are followed the whole way there is walked: which directories were
    /// entered before decides which are entered now.
    pub(super) fn next_on_way(&self, dir: &[u8]) -> Option<&'a [u8]> {
        if self.query.follow_symlinks {
            return None;
        }
        let rest = self.below_here(dir)?;
        Some(&rest[..memchr::memchr(b'/', rest).unwrap_or(rest.len())])
    }

    /// Puts the rules in force that hold in a directory, relative to the listed one, and tells
    /// nobody what is wrong with them: the listing does. What cannot be opened has none.
    pub(crate) fn enter_on_the_way(&mut self, dir: RelPath<'_>) -> Result<(), ListError> {
        self.enter_parents()?;
        let mut path = self.query.base.clone();
        let names = std::iter::once(&b""[..]).chain(dir.components());
        for name in names {
            self.cancel.check()?;
            path.push(RelPath::assume(name));
            let Ok(dir) = self.root.open_dir(path.as_path()) else { break };
            let found = found_in(&dir);
            self.enter_rules(&dir, path.as_path(), found);
        }
        Ok(())
    }

    pub(crate) fn stack(&self) -> &IgnoreStack {
        &self.stack
    }

    /// What of the probe lies below a directory that is on the way to it.
    fn below_here(&self, dir: &[u8]) -> Option<&'a [u8]> {
        let probe = self.query.probe.as_ref()?;
        let dir = dir.get(self.base..).unwrap_or_default();
        probe.as_path().below(RelPath::assume(dir)).map(RelPath::as_bytes)
    }

    /// Whether the current event speaks of something that is neither on the way to the probe nor
    /// below it. Faults are told all the same.
    pub(super) fn is_beside_probe(&self) -> bool {
        let Some(probe) = &self.query.probe else { return false };
        if matches!(self.current, super::Current::Fault(_)) {
            return false;
        }
        let (probe, path) = (probe.as_path(), self.relative());
        path != probe && probe.below(path).is_none() && path.below(probe).is_none()
    }

    /// Whether everything below the probe lies before the key at `self.path`.
    pub(super) fn is_behind_probe(&self, role: Role) -> bool {
        let Some(probe) = &self.query.probe else { return false };
        let slash: &[u8] = if role == Role::Descend { b"/" } else { b"" };
        let (probe, key) = (probe.as_bytes(), [&self.path[self.base..], slash].concat());
        match key.strip_prefix(probe) {
            Some([]) => false,
            Some([first, ..]) => *first > b'/',
            None => key.as_slice() > probe,
        }
    }
}

/// The one name of `keep`, and the files of rules, if looking them up tells what reading the
/// directory would. `None` when only reading tells.
pub(super) fn look_up(dir: &Dir, name: &[u8], keep: &Keep<'_>) -> Option<Names> {
    let kind = dir.kind_of(name).ok()?;
    let mut names = Names::with(found_in(dir));
    if let Some(kind) = kind {
        if !is_spelled_so(dir, name) {
            return None;
        }
        names.add(name, kind, keep);
    }
    names.finish(keep);
    Some(names)
}

/// Whether the directory holds the name in this spelling. Where case does not count, another one
/// is found as well, and only reading the directory tells which one it holds.
fn is_spelled_so(dir: &Dir, name: &[u8]) -> bool {
    let Some(other) = in_other_case(name) else { return name.is_ascii() };
    match (dir.stamp(name), dir.stamp(&other)) {
        (Ok(Some(this)), Ok(Some(other))) => {
            (this.device, this.inode) != (other.device, other.inode)
        }
        (Ok(_), Ok(None)) => true,
        _ => false,
    }
}

/// The name with the case of its letters turned, if it has letters that have one.
fn in_other_case(name: &[u8]) -> Option<Vec<u8>> {
    if name.iter().any(u8::is_ascii_alphabetic) {
        let turned = |byte: &u8| match byte.is_ascii_lowercase() {
            true => byte.to_ascii_uppercase(),
            false => byte.to_ascii_lowercase(),
        };
        return Some(name.iter().map(turned).collect());
    }
    let text = std::str::from_utf8(name).ok()?;
    let turned = [text.to_uppercase(), text.to_lowercase()];
    turned.into_iter().find(|turned| turned != text).map(String::into_bytes)
}

#[cfg(test)]
mod tests {
    use super::in_other_case;

    #[test]
    fn letters_are_turned() {
        let turned = |name: &str| in_other_case(name.as_bytes()).map(String::from_utf8);
        assert_eq!(turned("Read-me.1"), Some(Ok("rEAD-ME.1".to_owned())));
        assert_eq!(turned("é"), Some(Ok("É".to_owned())));
        assert_eq!(turned("É"), Some(Ok("é".to_owned())));
        assert_eq!(turned("1-2"), None);
        assert_eq!(turned("한"), None);
        assert_eq!(in_other_case(b"\xff"), None);
    }
}

//! One directory's entries: filtered, looked at, sorted.

use std::ops::ControlFlow;

use trilist::{Cancel, Kind, ListError, Lister, Look, Metadata, PathArg, TruncatedBy, quote};

use super::guard::Workspace;
use super::rules::{Hidden, Rules};
use super::{Args, Release};
use crate::failure::Errno;
use crate::faults::Faults;
use crate::order::Locale;
use crate::read::{self, Detail, MOST_ENTRIES, joined};
use crate::{Options, node_path, text};

/// A row of the listing.
pub(super) struct Row {
    name: String,
    is_dir: bool,
    size_bytes: Option<u64>,
}

impl Row {
    pub(super) fn line(&self, with_size: bool) -> String {
        match (self.is_dir, self.size_bytes) {
            (true, _) => format!("[DIR] {}", self.name),
            (false, Some(bytes)) if with_size => format!("{} ({bytes} bytes)", self.name),
            (false, _) => self.name.clone(),
        }
    }
}

/// What the directory holds.
#[derive(Default)]
pub(super) struct Entries {
    pub(super) rows: Vec<Row>,
    /// Nothing was in the directory at all.
    pub(super) was_empty: bool,
    by_git: usize,
    by_own: usize,
    pub(super) notice: Vec<String>,
}

/// Why there are none.
pub(super) enum Failed {
    /// The directory cannot be read.
    Directory(ListError),
    /// One entry ended the call, in the words of the system call.
    Entry(String),
}

impl Entries {
    pub(super) fn read(
        args: &Args,
        options: Options,
        workspace: &Workspace<'_>,
        dir: &str,
        cancel: &Cancel,
    ) -> Result<Entries, Failed> {
        let mut faults = Faults::default();
        let children =
            children(workspace.lister, dir, cancel, &mut faults).map_err(Failed::Directory)?;
        let way = node_path::relative(&args.target_dir, dir);
        let reader = Reader {
            rules: Rules::read(args, workspace, way.as_bytes(), &mut faults),
            args,
            options,
            workspace,
            dir,
            way,
        };
        let mut entries = Entries { was_empty: children.is_empty(), ..Entries::default() };
        let mut left_out = Vec::new();
        for child in &children {
            match reader.entry(child)? {
                Seen::Row(row) => entries.rows.push(row),
                Seen::Hidden(Hidden::ByGit) => entries.by_git += 1,
                Seen::Hidden(Hidden::ByOwn) => entries.by_own += 1,
                Seen::LeftOut(why) => left_out.push(why),
                Seen::Asked => {}
            }
        }
        entries.notice = faults.told();
        entries.notice.extend(text::bounded(left_out));
        let locale = Locale::plain();
        entries
            .rows
            .sort_by(|a, b| b.is_dir.cmp(&a.is_dir).then_with(|| locale.compare(&a.name, &b.name)));
        Ok(entries)
    }

    /// How the release tells what ignore files hide; none if nothing.
    pub(super) fn left_out(&self, release: Release) -> Option<String> {
        match release {
            Release::Current => {
                let count = self.by_git + self.by_own;
                (count > 0).then(|| format!("{count} ignored"))
            }
            Release::Early => {
                let parts = [(self.by_git, "git-ignored"), (self.by_own, "gemini-ignored")];
                let parts = parts.iter().filter(|(count, _)| *count > 0);
                let parts: Vec<_> = parts.map(|(count, what)| format!("{count} {what}")).collect();
                (!parts.is_empty()).then(|| parts.join(", "))
            }
        }
    }
}

/// An entry as the directory holds it.
struct Child {
    name: Vec<u8>,
    kind: Kind,
    metadata: Option<Metadata>,
}

fn children(
    lister: &Lister,
    dir: &str,
    cancel: &Cancel,
    faults: &mut Faults,
) -> Result<Vec<Child>, ListError> {
    let mut children = Vec::new();
    let request = read::children(dir.as_bytes(), Detail::Metadata);
    let cancel = cancel.with_deadline(read::LONGEST);
    let page = read::each(lister, &request, &cancel, &mut |entry| {
        children.push(Child {
            name: entry.path.as_bytes().to_vec(),
            kind: entry.kind,
            metadata: entry.metadata.cloned(),
        });
        let full = children.len() >= MOST_ENTRIES;
        if full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    // What is wrong with single entries is told where they are looked at.
    if page.truncated_by == Some(TruncatedBy::Deadline) {
        faults.late();
    }
    Ok(children)
}

/// What became of an entry.
enum Seen {
    Row(Row),
    Hidden(Hidden),
    /// A pattern of the call hides it.
    Asked,
    /// The program says nothing of it; trilist says why.
    LeftOut(String),
}

struct Reader<'a> {
    args: &'a Args,
    options: Options,
    workspace: &'a Workspace<'a>,
    rules: Rules,
    dir: &'a str,
    /// The directory from the workspace.
    way: String,
}

impl Reader<'_> {
    fn entry(&self, child: &Child) -> Result<Seen, Failed> {
        let name = text::lossy(&child.name);
        let asked = self.args.ignore.iter().any(|glob| matches(glob, &name));
        if asked && self.args.release == Release::Early {
            return Ok(Seen::Asked);
        }
        // The program only knows the decoded name.
        let path = joined(self.way.as_bytes(), name.as_bytes());
        if let Some(hidden) = self.rules.hide(&path) {
            return Ok(Seen::Hidden(hidden));
        }
        if std::str::from_utf8(&child.name).is_err() {
            return Ok(self.left_out(child, "its name is not UTF-8"));
        }
        let looked = self.look(child);
        if self.args.release == Release::Current {
            if matches!(looked, Looked::Outside) {
                return Ok(Seen::Hidden(Hidden::ByOwn));
            }
            if asked {
                return Ok(Seen::Asked);
            }
            if self.workspace.hides(&format!("{}/{name}", self.dir)) {
                return Ok(self.left_out(child, "the guard hides it"));
            }
        }
        self.seen(child, looked)
    }

    fn seen(&self, child: &Child, looked: Looked) -> Result<Seen, Failed> {
        let name = text::lossy(&child.name);
        let shown = match self.options.strict {
            false if name.contains('\n') => quote::shown(&child.name).into_owned(),
            _ => name.into_owned(),
        };
        let row = |kind, size_bytes: Option<u64>| {
            Seen::Row(Row { name: shown.clone(), is_dir: kind == Kind::Dir, size_bytes })
        };
        Ok(match looked {
            Looked::There(kind, metadata) => row(kind, Some(metadata.size_bytes.unwrap_or(0))),
            Looked::Outside => row(Kind::Symlink, None),
            Looked::Fails(errno) if self.ends_the_call(errno) => {
                let call = if errno.name == "ELOOP" { "stat" } else { "lstat" };
                let path = format!("{}/{shown}", self.dir);
                return Err(Failed::Entry(errno.node_message(call, &path)));
            }
            Looked::Fails(_)
                if self.args.release == Release::Current && child.kind != Kind::Symlink =>
            {
                row(child.kind, None)
            }
            Looked::Fails(errno) => self.left_out(child, errno.node_text),
        })
    }

    /// What an entry is, links followed inside the roots.
    fn look(&self, child: &Child) -> Looked {
        if child.kind != Kind::Symlink {
            return match &child.metadata {
                Some(metadata) if metadata.permissions.is_some() => {
                    Looked::There(child.kind, metadata.clone())
                }
                _ => self.look_at(joined(self.dir.as_bytes(), &child.name)),
            };
        }
        let target = child.metadata.as_ref().and_then(|metadata| metadata.target.as_deref());
        match target {
            // The engine follows no absolute link; one that leads back in is a path like any other.
            Some(target) if target.starts_with(b"/") => self.look_at(target.to_vec()),
            _ => self.look_at(joined(self.dir.as_bytes(), &child.name)),
        }
    }

    fn look_at(&self, path: Vec<u8>) -> Looked {
        match self.workspace.lister.look(&PathArg::from(path)) {
            Ok(found) if self.is_outside(&found) => Looked::Outside,
            Ok(found) => Looked::There(found.kind, found.metadata),
            Err(ListError::OutsideRoot { .. }) => Looked::Outside,
            Err(error) => Looked::Fails(Errno::of(&error).unwrap_or(Errno::IO)),
        }
    }

    fn is_outside(&self, found: &Look) -> bool {
        !self.workspace.holds(&text::lossy(&found.absolute()))
    }

    /// Whether the program gives up because of one entry.
    fn ends_the_call(&self, errno: Errno) -> bool {
        let fatal = !matches!(errno.name, "ENOENT" | "ENOTDIR");
        self.options.strict && self.args.release == Release::Current && fatal
    }

    fn left_out(&self, child: &Child, why: &str) -> Seen {
        Seen::LeftOut(format!("`{}` is left out: {why}", quote::shown(&child.name)))
    }
}

/// What looking at an entry said.
enum Looked {
    There(Kind, Metadata),
    /// It leads out of the workspace, and was not looked at.
    Outside,
    Fails(Errno),
}

/// Whether a name matches a glob in which only `*` and `?` are special; `?` is one UTF-16 unit, and
/// neither matches a line break.
fn matches(glob: &str, name: &str) -> bool {
    let glob: Vec<u16> = glob.encode_utf16().collect();
    let name: Vec<u16> = name.encode_utf16().collect();
    let is_break = |unit: u16| matches!(unit, 0x0a | 0x0d | 0x2028 | 0x2029);
    let (mut at, mut from) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while from < name.len() {
        match glob.get(at).copied() {
            Some(0x2a) => {
                star = Some((at, from));
                at += 1;
                continue;
            }
            Some(0x3f) if !is_break(name[from]) => {}
            Some(unit) if unit != 0x3f && unit == name[from] => {}
            _ => match star {
                Some((star_at, star_from)) if !is_break(name[star_from]) => {
                    star = Some((star_at, star_from + 1));
                    (at, from) = (star_at + 1, star_from + 1);
                    continue;
                }
                _ => return false,
            },
        }
        (at, from) = (at + 1, from + 1);
    }
    glob[at..].iter().all(|unit| *unit == 0x2a)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn only_star_and_question_mark_are_special() {
        assert!(matches("*.txt", "a.txt") && matches("n?sted", "nested") && matches("*", ""));
        assert!(matches("a*b*c", "axxbyybc") && !matches("a*b*c", "axxbyyb"));
        assert!(matches("br[a]ck", "br[a]ck") && !matches("br[a]ck", "brack"));
        assert!(!matches("*", "new\nline") && !matches("?", "😀") && matches("??", "😀"));
    }
}

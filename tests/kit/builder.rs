//! Small trees written down where they are tested.

use crate::manifest::{Content, Entry, Kind, Manifest, Step};
use crate::tree::Tree;

/// Describes a tree step by step; [`build`](TreeBuilder::build) makes it.
///
/// Paths are relative to the root and may be any bytes; parents are made as needed. Steps are done
/// in the order in which they were named, so files and git commands may alternate.
#[derive(Clone, Debug)]
#[must_use = "nothing is made before `build`"]
pub struct TreeBuilder {
    manifest: Manifest,
}

impl Default for TreeBuilder {
    fn default() -> TreeBuilder {
        TreeBuilder::new()
    }
}

impl TreeBuilder {
    /// A tree without anything in it.
    pub fn new() -> TreeBuilder {
        let manifest = Manifest { format: 1, name: "ad hoc".into(), ..Manifest::default() };
        TreeBuilder { manifest }
    }

    /// A file with this content.
    pub fn file(self, path: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> TreeBuilder {
        let content = Content::Bytes(content.as_ref().to_vec());
        self.entry(Entry { content, ..Entry::new(Kind::File, path) })
    }

    /// Several files that hold one line each.
    pub fn files<P: AsRef<[u8]>>(self, paths: impl IntoIterator<Item = P>) -> TreeBuilder {
        paths.into_iter().fold(self, |builder, path| builder.file(path, "x\n"))
    }

    /// A directory.
    pub fn dir(self, path: impl AsRef<[u8]>) -> TreeBuilder {
        self.entry(Entry::new(Kind::Dir, path))
    }

    /// A symlink at `path` that holds `target`.
    pub fn symlink(self, path: impl AsRef<[u8]>, target: impl AsRef<[u8]>) -> TreeBuilder {
        let target = target.as_ref().to_vec();
        self.entry(Entry { target, ..Entry::new(Kind::Symlink, path) })
    }

    /// A named pipe.
    pub fn fifo(self, path: impl AsRef<[u8]>) -> TreeBuilder {
        self.entry(Entry::new(Kind::Fifo, path))
    }

    /// Any other entry.
    pub fn entry(self, entry: Entry) -> TreeBuilder {
        self.step(Step::Entries(vec![entry]))
    }

    /// Sets the permission bits of something made before.
    pub fn chmod(self, path: impl AsRef<[u8]>, mode: u32) -> TreeBuilder {
        self.step(Step::Chmod(path.as_ref().to_vec(), mode))
    }

    /// Removes something made before, and all below it.
    pub fn remove(self, path: impl AsRef<[u8]>) -> TreeBuilder {
        self.step(Step::Remove(path.as_ref().to_vec()))
    }

    /// Renames something made before.
    pub fn rename(self, old: impl AsRef<[u8]>, new: impl AsRef<[u8]>) -> TreeBuilder {
        self.step(Step::Rename(old.as_ref().to_vec(), new.as_ref().to_vec()))
    }

    /// Runs git in the root; it must succeed.
    pub fn git(self, args: &[&str]) -> TreeBuilder {
        self.git_in(".", args)
    }

    /// Runs git in a directory of the tree; it must succeed.
    pub fn git_in(self, dir: &str, args: &[&str]) -> TreeBuilder {
        let args = args.iter().map(|word| word.to_string()).collect();
        self.step(Step::Git { args, dir: dir.into(), status: 0 })
    }

    /// Makes the root a repository.
    pub fn repo(self) -> TreeBuilder {
        self.git(&["init", "-q"])
    }

    /// Stages everything in the root's repository and commits it.
    pub fn commit(self, message: &str) -> TreeBuilder {
        self.git(&["add", "-A"]).git(&["commit", "-q", "--allow-empty", "-m", message])
    }

    /// Hands the tree over to an ordinary user when it is made; see [`Tree::hand_over`].
    pub fn unprivileged(mut self) -> TreeBuilder {
        self.manifest.requires.push("unprivileged".into());
        self
    }

    /// Makes the tree.
    ///
    /// # Panics
    ///
    /// Panics when a step fails.
    pub fn build(&self) -> Tree {
        Tree::from_manifest(&self.manifest)
    }

    fn step(mut self, step: Step) -> TreeBuilder {
        self.manifest.steps.push(step);
        self
    }
}

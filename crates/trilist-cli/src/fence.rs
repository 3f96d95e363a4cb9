//! The kernel's fence: a second wall behind the confinement that `trilist-root` gives.
//!
//! Once it is closed, the kernel lets this thread, and those that it starts, read below the named
//! places and nowhere else; nothing can be written or executed, and no connection made. A fault in
//! trilist, or in what it is built of, then ends at the same wall. It cannot be opened again.
//!
//! Linux has it since 5.13 (Landlock). Where it is missing, or a container forbids it, listings are
//! the same without; `trilist doctor` says which it is.

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, RestrictionStatus, Ruleset, RulesetAttr as _,
    RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};

/// What is fenced in where the kernel knows it: 6 adds signals and abstract sockets to files and
/// TCP.
const KNOWN: ABI = ABI::V6;

/// How far the kernel went along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fence {
    /// All that was asked is enforced.
    Closed,
    /// An older kernel enforces a part.
    Partial,
    /// The kernel has no such fence, or may not be asked for it.
    Missing,
}

impl Fence {
    /// The name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Fence::Closed => "closed",
            Fence::Partial => "partial",
            Fence::Missing => "missing",
        }
    }

    /// In one clause, for people.
    pub(crate) fn says(self) -> &'static str {
        match self {
            Fence::Closed => {
                "closed: reading below the roots alone; no writing, running or connecting"
            }
            Fence::Partial => "partly closed: this kernel enforces only a part of it",
            Fence::Missing => "not available: this kernel has none, or forbids it",
        }
    }
}

/// Closes the fence around the places that may be read, with all that lies below them. A place
/// that does not exist is passed by.
pub(crate) fn close<P: AsRef<Path>>(readable: impl IntoIterator<Item = P>) -> Fence {
    match restrict(readable) {
        Ok(RestrictionStatus { ruleset: RulesetStatus::FullyEnforced, .. }) => Fence::Closed,
        Ok(RestrictionStatus { ruleset: RulesetStatus::PartiallyEnforced, .. }) => Fence::Partial,
        _ => Fence::Missing,
    }
}

fn restrict<P: AsRef<Path>>(
    readable: impl IntoIterator<Item = P>,
) -> Result<RestrictionStatus, RulesetError> {
    let reading: BitFlags<AccessFs> = AccessFs::ReadFile | AccessFs::ReadDir;
    Ruleset::default()
        .handle_access(AccessFs::from_all(KNOWN))?
        .handle_access(AccessNet::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?
        .create()?
        .add_rules(path_beneath_rules(readable, reading))?
        .restrict_self()
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "what must fail is tried")]
mod tests {
    use std::fs;
    use std::io::{self, ErrorKind};
    use std::net::{TcpListener, TcpStream};
    use std::process::Command;
    use std::thread;

    use trilist::{Cancel, ListRequest, Lister, Mode, Page, Policy};
    use trilist_tests::{Tree, TreeBuilder, skip};

    use super::*;

    fn tree() -> Tree {
        TreeBuilder::new().files(["a/b", "c", ".git/x"]).file(".gitignore", "c\n").build()
    }

    fn listings(tree: &Tree) -> Vec<Page> {
        let lister = Lister::open(&[tree.path()], Policy::default()).expect("it is there");
        let list = |mode| lister.list(&ListRequest::new(mode, "."), &Cancel::new());
        [Mode::Fs, Mode::Files].into_iter().map(|mode| list(mode).expect("it is read")).collect()
    }

    /// What a thread behind the fence gets; the test itself stays outside.
    fn behind<T: Send>(tree: &Tree, work: impl FnOnce(Fence) -> T + Send) -> T {
        thread::scope(|scope| {
            let fenced = scope.spawn(|| work(close([tree.path()])));
            fenced.join().expect("nothing panics behind the fence")
        })
    }

    fn denied<T>(result: io::Result<T>) -> bool {
        result.is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
    }

    #[test]
    fn t70_behind_the_fence_listings_are_the_same_and_nothing_else_can_be_done() {
        let tree = tree();
        let before = listings(&tree);
        let server = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = server.local_addr().expect("it is bound");
        let told = behind(&tree, |fence| {
            if fence != Fence::Closed {
                return None;
            }
            let inside = tree.path();
            assert!(denied(fs::read_dir("/etc")), "reading outside");
            assert!(denied(fs::read("/etc/passwd")), "reading a file outside");
            assert!(denied(fs::write(inside.join("new"), "")), "making a file inside");
            assert!(denied(fs::write(inside.join("c"), "")), "writing one inside");
            assert!(denied(fs::remove_file(inside.join("c"))), "removing one inside");
            assert!(denied(fs::create_dir(inside.join("d"))), "making a directory inside");
            assert!(denied(Command::new("/bin/true").status()), "running a program");
            assert!(denied(TcpStream::connect(address)), "connecting");
            Some(listings(&tree))
        });
        match told {
            Some(after) => assert_eq!(after, before),
            None => skip("this kernel does not close the fence"),
        }
    }

    #[test]
    fn a_place_that_is_not_there_is_passed_by() {
        let tree = tree();
        let gone = tree.path().join("gone");
        let works = thread::scope(|scope| {
            let fenced = scope.spawn(|| {
                close([gone.as_path(), tree.path()]);
                fs::read_dir(tree.path()).is_ok()
            });
            fenced.join().expect("nothing panics behind the fence")
        });
        assert!(works);
    }
}

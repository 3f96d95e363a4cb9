//! A file system in user space for tests, which answers as badly as it is told to.
//!
//! It speaks the kernel's protocol on `/dev/fuse` itself, so no library is needed: only what a
//! listing asks for is answered, everything else with `ENOSYS`.

mod wire;

use std::collections::BTreeMap;
use std::ffi::CString;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};

use wire::{Attributes, Request};

const ENOENT: i32 = 2;
const ENOSYS: i32 = 38;

/// How a directory answers when its names are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// At once.
    Promptly,
    /// Each time after so long.
    After(Duration),
    /// Never.
    Never,
    /// With this error number.
    Error(i32),
    /// At once, and there are always more names behind the last: the number of each, with `n`.
    Endlessly,
}

/// What the names of a directory are said to be, by each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// What they are.
    Kinds,
    /// Nothing: the kind has to be asked for.
    Nothing,
}

/// A directory directly below the mount: its files, and how it answers.
#[derive(Clone, Debug)]
pub struct FuseDir {
    /// Its name.
    pub name: String,
    /// The names that it gives, as often as they stand here. One that ends in `/` is an empty
    /// directory.
    pub names: Vec<String>,
    /// How it answers.
    pub answers: Answers,
    /// Whether kinds come with the names.
    pub told: Told,
}

impl FuseDir {
    /// A directory that tells everything promptly.
    pub fn new(name: &str, names: &[&str]) -> FuseDir {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        FuseDir { name: name.to_owned(), names, answers: Answers::Promptly, told: Told::Kinds }
    }

    /// The same, answering in this way.
    pub fn answers(self, answers: Answers) -> FuseDir {
        FuseDir { answers, ..self }
    }

    /// The same, telling no kinds.
    pub fn untyped(self) -> FuseDir {
        FuseDir { told: Told::Nothing, ..self }
    }
}

/// A mounted file system. Dropping it aborts the connection, so that whoever waits in it goes on,
/// and takes the mount away.
#[derive(Debug)]
pub struct Fuse {
    dir: PathBuf,
    asked: Arc<AtomicU32>,
    server: Option<thread::JoinHandle<()>>,
}

impl Fuse {
    /// Mounts these directories at `dir`, which is made. Nothing, with the reason, where this
    /// process may not mount.
    ///
    /// # Errors
    ///
    /// Why it cannot be mounted.
    ///
    /// # Panics
    ///
    /// Panics when `dir` cannot be made.
    pub fn mount(dir: &Path, dirs: Vec<FuseDir>) -> Result<Fuse, String> {
        fs::create_dir(dir).expect("the mount point is new");
        let device = File::options().read(true).write(true).open("/dev/fuse");
        let device = device.map_err(|error| format!("/dev/fuse: {error}"))?;
        let owner = rustix::process::geteuid().as_raw();
        let group = rustix::process::getegid().as_raw();
        let options = format!(
            "fd={},rootmode=40000,user_id={owner},group_id={group},allow_other",
            device.as_raw_fd()
        );
        let options = CString::new(options).expect("numbers hold no NUL");
        mount("trilist-test", dir, "fuse", MountFlags::empty(), options.as_c_str())
            .map_err(|error| format!("mount: {error}"))?;
        let asked = Arc::new(AtomicU32::new(0));
        let server = Server { device, nodes: nodes(dirs), asked: Arc::clone(&asked) };
        let server = thread::spawn(move || server.serve());
        Ok(Fuse { dir: dir.to_owned(), asked, server: Some(server) })
    }

    /// How often the names of a directory that never answers were asked for.
    pub fn unanswered(&self) -> u32 {
        self.asked.load(Ordering::SeqCst)
    }

    /// Lets everybody go who waits for an answer: each gets an error.
    pub fn abort(&self) {
        let Ok(found) = fs::metadata(&self.dir) else { return };
        let number = rustix::fs::minor(found.dev());
        let connections = Path::new("/sys/fs/fuse/connections");
        if fs::write(connections.join(format!("{number}/abort")), "1").is_err() {
            // Where the control files are not mounted, force does the same.
            let _ = unmount(&self.dir, UnmountFlags::FORCE);
        }
    }
}

impl Drop for Fuse {
    fn drop(&mut self) {
        // Force ends the connection even when the mount is in use and stays.
        let _ = unmount(&self.dir, UnmountFlags::FORCE);
        let _ = unmount(&self.dir, UnmountFlags::DETACH);
        if let Some(server) = self.server.take() {
            let _ = server.join();
        }
    }
}

/// One node: the root is 1.
#[derive(Clone, Debug)]
enum Node {
    File,
    Dir { names: Vec<(String, u64)>, answers: Answers, told: Told },
}

fn nodes(dirs: Vec<FuseDir>) -> BTreeMap<u64, Node> {
    let mut nodes = BTreeMap::new();
    let mut next = 2;
    let mut add = |node: Node, nodes: &mut BTreeMap<u64, Node>| {
        let number = next;
        next += 1;
        nodes.insert(number, node);
        number
    };
    let empty = || Node::Dir { names: vec![], answers: Answers::Promptly, told: Told::Kinds };
    let mut top = Vec::new();
    for dir in dirs {
        let mut names: Vec<(String, u64)> = Vec::new();
        for name in &dir.names {
            let bare = name.trim_end_matches('/').to_owned();
            let known = names.iter().find(|(other, _)| *other == bare).map(|(_, number)| *number);
            let node = if name.ends_with('/') { empty() } else { Node::File };
            let number = known.unwrap_or_else(|| add(node, &mut nodes));
            names.push((bare, number));
        }
        let node = Node::Dir { names, answers: dir.answers, told: dir.told };
        top.push((dir.name, add(node, &mut nodes)));
    }
    let root = Node::Dir { names: top, answers: Answers::Promptly, told: Told::Kinds };
    nodes.insert(1, root);
    nodes
}

struct Server {
    device: File,
    nodes: BTreeMap<u64, Node>,
    asked: Arc<AtomicU32>,
}

impl Server {
    /// Answers until the file system is unmounted or the connection aborted.
    fn serve(mut self) {
        let mut buffer = vec![0; 1 << 17];
        loop {
            let read = match self.device.read(&mut buffer) {
                Ok(read) => read,
                Err(error) if error.raw_os_error() == Some(ENOENT) => continue,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(_) => return,
            };
            let Some(request) = Request::read(&buffer[..read]) else { return };
            self.answer(&request);
        }
    }

    fn answer(&mut self, request: &Request<'_>) {
        let node = self.nodes.get(&request.node);
        let reply = match request.opcode {
            wire::FORGET | wire::BATCH_FORGET | wire::INTERRUPT => return,
            wire::INIT => Ok(wire::init()),
            wire::LOOKUP => self.lookup(node, request.name()),
            wire::GETATTR => node.map(|node| attributes(request.node, node).got()).ok_or(ENOENT),
            wire::OPENDIR | wire::OPEN => Ok(wire::opened()),
            wire::READDIR => return self.read_dir(node, request),
            wire::STATFS => Ok(wire::statfs()),
            wire::RELEASE | wire::RELEASEDIR | wire::DESTROY | wire::ACCESS => Ok(Vec::new()),
            _ => Err(ENOSYS),
        };
        send(&self.device, request.unique, reply);
    }

    fn lookup(&self, node: Option<&Node>, name: &str) -> Result<Vec<u8>, i32> {
        let Some(Node::Dir { names, .. }) = node else { return Err(ENOENT) };
        let found = names.iter().find(|(known, _)| known == name);
        let (_, number) = found.ok_or(ENOENT)?;
        let node = self.nodes.get(number).ok_or(ENOENT)?;
        Ok(attributes(*number, node).looked_up())
    }

    fn read_dir(&self, node: Option<&Node>, request: &Request<'_>) {
        let Some(Node::Dir { names, answers, told }) = node else {
            return send(&self.device, request.unique, Err(ENOENT));
        };
        let typed = |number: &u64| match (told, self.nodes.get(number)) {
            (Told::Nothing, _) => wire::TYPE_UNKNOWN,
            (Told::Kinds, Some(Node::Dir { .. })) => wire::TYPE_DIR,
            (Told::Kinds, _) => wire::TYPE_FILE,
        };
        let rows = names.iter().map(|(name, number)| (name.as_str(), *number, typed(number)));
        let reply = wire::names(rows, request.offset(), request.size());
        match answers {
            Answers::Endlessly => {
                let names = wire::endless(request.offset(), request.size());
                send(&self.device, request.unique, Ok(names));
            }
            Answers::Promptly => send(&self.device, request.unique, Ok(reply)),
            Answers::Error(number) => send(&self.device, request.unique, Err(*number)),
            Answers::Never => {
                self.asked.fetch_add(1, Ordering::SeqCst);
            }
            Answers::After(time) => {
                let (device, unique, time) = (self.device.try_clone(), request.unique, *time);
                thread::spawn(move || {
                    thread::sleep(time);
                    if let Ok(device) = device {
                        send(&device, unique, Ok(reply));
                    }
                });
            }
        }
    }
}

fn attributes(number: u64, node: &Node) -> Attributes {
    Attributes { number, is_dir: matches!(node, Node::Dir { .. }) }
}

fn send(mut device: &File, unique: u64, reply: Result<Vec<u8>, i32>) {
    // Who asked may have gone, or the connection been aborted: there is nobody to tell then.
    let _ = device.write(&wire::reply(unique, reply));
}

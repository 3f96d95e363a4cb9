//! Standard input for a server, which must not wait where others could be served.

use std::io::{self, IoSliceMut, IsTerminal as _, Read};
use std::os::fd::OwnedFd;

use rustix::event::PollFlags;
use rustix::io::{Errno, ReadWriteFlags};
use rustix::stdio::stdin;

use crate::output::stdout::wait_for;

/// Unbuffered standard input.
#[derive(Debug)]
pub(crate) struct Stdin {
    is_terminal: bool,
}

impl Stdin {
    pub(crate) fn new() -> Stdin {
        Stdin { is_terminal: stdin().is_terminal() }
    }

    /// What was read, where a client that has gone is the end: a socket tells so of one that has
    /// not read everything, and a terminal of one that was closed.
    fn ended(&self, read: Result<usize, Errno>) -> io::Result<usize> {
        match read {
            Err(Errno::CONNRESET) => Ok(0),
            Err(Errno::IO) if self.is_terminal => Ok(0),
            read => Ok(read?),
        }
    }
}

impl Read for Stdin {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match rustix::io::read(stdin(), &mut *bytes) {
                // Whoever shares it has told it not to wait.
                Err(Errno::AGAIN) => wait_for(stdin(), PollFlags::IN)?,
                read => return self.ended(read),
            }
        }
    }
}

impl trilist_mcp::Input for Stdin {
    fn watched(&self) -> Option<OwnedFd> {
        // Nobody may inherit it.
        rustix::io::fcntl_dupfd_cloexec(stdin(), 3).ok()
    }

    fn read_now(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        // At the offset that the file is at.
        let at = u64::MAX;
        let parts = &mut [IoSliceMut::new(bytes)];
        match rustix::io::preadv2(stdin(), parts, at, ReadWriteFlags::NOWAIT) {
            // The kernel cannot say for this kind of file whether it would wait: a pipe with a name,
            // a terminal, and before 6.4 every pipe.
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => Err(io::ErrorKind::Unsupported.into()),
            read => self.ended(read),
        }
    }
}

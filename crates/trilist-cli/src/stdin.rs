//! Standard input for a server, which must not wait where others could be served.

use std::io::{self, IoSliceMut, Read};
use std::os::fd::OwnedFd;

use rustix::io::{Errno, ReadWriteFlags};

/// Unbuffered standard input.
#[derive(Debug)]
pub(crate) struct Stdin;

impl Read for Stdin {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(rustix::stdio::stdin(), bytes)?)
    }
}

impl trilist_mcp::Input for Stdin {
    fn watched(&self) -> Option<OwnedFd> {
        // Nobody may inherit it.
        rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3).ok()
    }

    fn read_now(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        // At the offset that the file is at.
        let at = u64::MAX;
        let parts = &mut [IoSliceMut::new(bytes)];
        match rustix::io::preadv2(rustix::stdio::stdin(), parts, at, ReadWriteFlags::NOWAIT) {
            // The kernel cannot say for this kind of file whether it would wait (pipes: since 6.4).
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => Err(io::ErrorKind::Unsupported.into()),
            read => Ok(read?),
        }
    }
}

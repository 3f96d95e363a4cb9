//! Standard output without the standard library's line buffer, which would cut each block that is
//! written into two system calls.

use std::io::{self, IoSlice, Write};
use std::os::fd::BorrowedFd;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, ReadWriteFlags};
use rustix::stdio::stdout;

/// Unbuffered standard output.
#[derive(Debug)]
pub(crate) struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match rustix::io::write(stdout(), bytes) {
                // Whoever shares it has told it not to wait.
                Err(Errno::AGAIN) => wait_for(stdout(), PollFlags::OUT)?,
                written => return told(written),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl trilist_mcp::Output for Stdout {
    fn write_now(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // At the offset that the file is at.
        let at = u64::MAX;
        let parts = [IoSlice::new(bytes)];
        match rustix::io::pwritev2(stdout(), &parts, at, ReadWriteFlags::NOWAIT) {
            written @ (Ok(_) | Err(Errno::PIPE | Errno::CONNRESET)) => told(written),
            // It would wait, or the kernel cannot say so for this kind of file (pipes: since 6.4).
            Err(_) => Ok(0),
        }
    }
}

/// What was written, where a socket tells in its own way of a reader that has gone.
fn told(written: Result<usize, Errno>) -> io::Result<usize> {
    match written {
        Err(Errno::CONNRESET) => Err(Errno::PIPE.into()),
        written => Ok(written?),
    }
}

/// Waits until a descriptor can be read or written, or never again.
pub(crate) fn wait_for(descriptor: BorrowedFd<'_>, what: PollFlags) -> io::Result<()> {
    let mut one = [PollFd::from_borrowed_fd(descriptor, what)];
    match poll(&mut one, None) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Writes everything at once.
pub(crate) fn write_all(bytes: &[u8]) -> io::Result<()> {
    Stdout.write_all(bytes)
}

/// What a pipe is asked to hold; the most that the system gives to anybody.
const PIPE_BYTES: usize = 1 << 20;

/// Lets a pipe hold more, if standard output is one: each time that one of its ends waits for the
/// other costs as much as making hundreds of rows.
pub(crate) fn widen() {
    // Who has many pipes may be refused, and then it works as it is.
    let _ = rustix::pipe::fcntl_setpipe_size(stdout(), PIPE_BYTES);
}

/// Lets the reader of standard output see its end now. A thread that waits for a file system keeps
/// the process, and with it every open file, until the file system answers.
pub(crate) fn close() {
    // Anything that nobody else reads or writes.
    if let Ok((idle, _)) = rustix::pipe::pipe() {
        let _ = rustix::stdio::dup2_stdout(&idle);
        let _ = rustix::stdio::dup2_stderr(&idle);
    }
}

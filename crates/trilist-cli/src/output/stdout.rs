//! Standard output without the standard library's line buffer, which would cut each block that is
//! written into two system calls.

use std::io::{self, IoSlice, Write};

use rustix::io::{Errno, ReadWriteFlags};

/// Unbuffered standard output.
#[derive(Debug)]
pub(crate) struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(rustix::stdio::stdout(), bytes)?)
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
        match rustix::io::pwritev2(rustix::stdio::stdout(), &parts, at, ReadWriteFlags::NOWAIT) {
            Ok(written) => Ok(written),
            Err(Errno::PIPE) => Err(Errno::PIPE.into()),
            // It would wait, or the kernel cannot say so for this kind of file (pipes: since 6.4).
            Err(_) => Ok(0),
        }
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
    let _ = rustix::pipe::fcntl_setpipe_size(rustix::stdio::stdout(), PIPE_BYTES);
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

//! Standard output without the standard library's line buffer, which would cut each block that is
//! written into two system calls.

use std::io::{self, Write};

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

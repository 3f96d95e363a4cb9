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

//! What goes out: appended by whoever has something to say, and written at once as far as that
//! needs no waiting; the rest is written by a thread of its own, so that a reader who does not read
//! keeps nobody else waiting.

use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// Bytes that may wait to be written before no more requests are taken in.
const FULL_BYTES: usize = 4 << 20;
/// The most that is written at once, so that a slow reader is seen to read.
const CHUNK_BYTES: usize = 64 * 1024;
/// Room that is kept from one write to the next.
const KEPT_BYTES: usize = 256 * 1024;

/// Where a session's answers go.
pub trait Output: Write + Send + 'static {
    /// Writes what goes out without waiting for whoever reads, and says how many bytes that were: 0
    /// when none did, and by default, where that cannot be told. Answers need not be handed to
    /// another thread then, which takes longer than most of them take to make.
    ///
    /// # Errors
    ///
    /// As [`Write::write`]; that it would have to wait is none.
    fn write_now(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = bytes;
        Ok(0)
    }
}

/// Messages on their way out.
pub(crate) struct Outbox {
    waiting: Mutex<Waiting>,
    /// Held by the thread that writes while it does; taken after `waiting` by nobody who would wait
    /// for it.
    output: Mutex<Box<dyn Output>>,
    /// Told when there is something to write, and when it was written.
    changed: Condvar,
    /// Told when there is room again.
    drained: Notify,
    broken: CancellationToken,
}

#[derive(Default)]
struct Waiting {
    bytes: Vec<u8>,
    /// How many bytes of those being written are not yet out.
    under_way: usize,
    /// Why nothing can be written any more.
    error: Option<io::Error>,
}

impl Waiting {
    /// How many bytes are not yet out.
    fn left(&self) -> usize {
        self.bytes.len() + self.under_way
    }
}

impl Outbox {
    /// An outbox, and the thread that empties it.
    ///
    /// # Errors
    ///
    /// When there is no thread to be had.
    pub(crate) fn start(output: impl Output) -> io::Result<Arc<Outbox>> {
        let outbox = Arc::new(Outbox {
            waiting: Mutex::default(),
            output: Mutex::new(Box::new(output)),
            changed: Condvar::new(),
            drained: Notify::new(),
            broken: CancellationToken::new(),
        });
        let writer = Arc::clone(&outbox);
        let thread = std::thread::Builder::new().name("mcp-out".to_owned()).stack_size(128 * 1024);
        thread.spawn(move || writer.write_all())?;
        Ok(outbox)
    }

    /// Appends a message.
    ///
    /// # Errors
    ///
    /// When the output is gone.
    pub(crate) fn push(&self, message: &impl Serialize) -> io::Result<()> {
        let mut waiting = self.lock();
        if waiting.error.is_some() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let before = waiting.bytes.len();
        if let Err(error) = serde_json::to_writer(&mut waiting.bytes, message) {
            waiting.bytes.truncate(before);
            return Err(error.into());
        }
        waiting.bytes.push(b'\n');
        if before == 0 && waiting.under_way == 0 {
            self.write_now(&mut waiting);
        }
        if !waiting.bytes.is_empty() {
            self.changed.notify_all();
        }
        Ok(())
    }

    /// Writes what goes out without waiting, when nothing is before it.
    fn write_now(&self, waiting: &mut Waiting) {
        let Ok(mut output) = self.output.try_lock() else { return };
        let end = waiting.bytes.len().min(CHUNK_BYTES);
        match output.write_now(&waiting.bytes[..end]) {
            Ok(written) => {
                waiting.bytes.drain(..written);
                waiting.bytes.shrink_to(KEPT_BYTES);
            }
            Err(error) => {
                waiting.error = Some(error);
                self.broken.cancel();
            }
        }
    }

    /// Waits until the reader has taken enough.
    pub(crate) async fn room(&self) {
        loop {
            let drained = self.drained.notified();
            if self.lock().bytes.len() < FULL_BYTES {
                return;
            }
            drained.await;
        }
    }

    /// Waits until the output is gone.
    pub(crate) async fn broken(&self) {
        self.broken.cancelled().await;
    }

    /// Why nothing can be written any more, if that is so.
    pub(crate) fn error(&self) -> Option<io::Error> {
        self.lock().error.take()
    }

    /// Waits until everything is written, as long as the reader takes something at least this
    /// often.
    ///
    /// # Errors
    ///
    /// When the reader took nothing for so long: what is written ends in the midst of an answer.
    pub(crate) fn flush(&self, patience: Duration) -> io::Result<()> {
        let mut waiting = self.lock();
        let (mut left, mut end) = (waiting.left(), Instant::now() + patience);
        while waiting.error.is_none() && waiting.left() > 0 {
            if waiting.left() != left {
                (left, end) = (waiting.left(), Instant::now() + patience);
            }
            let time = end.saturating_duration_since(Instant::now());
            if time.is_zero() {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "nobody reads them"));
            }
            let woken = self.changed.wait_timeout(waiting, time);
            waiting = woken.unwrap_or_else(std::sync::PoisonError::into_inner).0;
        }
        Ok(())
    }

    fn write_all(&self) {
        let mut bytes = Vec::new();
        loop {
            self.next(&mut bytes);
            let written = self.write(&bytes);
            let mut waiting = self.lock();
            waiting.under_way = 0;
            let is_broken = written.is_err();
            waiting.error = written.err();
            drop(waiting);
            self.changed.notify_all();
            self.drained.notify_waiters();
            if is_broken {
                return self.broken.cancel();
            }
            bytes.clear();
            bytes.shrink_to(KEPT_BYTES);
        }
    }

    /// Writes everything, and counts what is out.
    fn write(&self, mut bytes: &[u8]) -> io::Result<()> {
        let mut output = self.output.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        while !bytes.is_empty() {
            match output.write(&bytes[..bytes.len().min(CHUNK_BYTES)]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => bytes = &bytes[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            self.lock().under_way = bytes.len().max(1);
            self.changed.notify_all();
        }
        output.flush()
    }

    /// Takes what waits, as soon as there is something.
    fn next(&self, bytes: &mut Vec<u8>) {
        let mut waiting = self.lock();
        while waiting.bytes.is_empty() {
            let woken = self.changed.wait(waiting);
            waiting = woken.unwrap_or_else(std::sync::PoisonError::into_inner);
        }
        mem::swap(&mut waiting.bytes, bytes);
        waiting.under_way = bytes.len();
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Whoever panicked left whole messages behind.
        self.waiting.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

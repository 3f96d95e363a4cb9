//! What comes in. Where the system tells that there is something to read, it is read by who is told;
//! else by a thread of its own, which takes another thread's waking for each message.

use std::io::{self, Read};
use std::ops::Range;
use std::os::fd::OwnedFd;

use rmcp::model::ClientJsonRpcMessage;
use tokio::net::unix::pipe::Receiver as Readiness;
use tokio::sync::mpsc;
use tokio::task::coop;

use super::frame::{Frame, Frames, MAX_LINE_BYTES};
use super::message::{self, Refusal};

/// Messages that the thread reads ahead.
const AHEAD: usize = 16;
/// The most that is read at once.
const CHUNK_BYTES: usize = 16 * 1024;

/// Where a session's requests come from.
pub trait Input: Read + Send + 'static {
    /// A descriptor of what is read, of its own, which tells when there is something. None, the
    /// default, where that cannot be told.
    fn watched(&self) -> Option<OwnedFd> {
        None
    }

    /// Reads what is there without waiting. Called only where it is watched.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::WouldBlock`] when nothing is there. [`io::ErrorKind::Unsupported`], the
    /// default, when that cannot be told: it is read with [`Read::read`] then, and may wait. Else as
    /// [`Read::read`].
    fn read_now(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let _ = buffer;
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// What was read.
pub(crate) enum Incoming {
    Message(Box<ClientJsonRpcMessage>),
    Refused(Refusal),
    /// The input cannot be read any more.
    Failed(io::Error),
}

/// Reads one message after another.
pub(crate) enum Reader {
    Here(Here),
    /// What a thread reads.
    Thread(mpsc::Receiver<Incoming>),
    Ended,
}

impl Reader {
    /// Starts reading. Called in the runtime.
    ///
    /// # Errors
    ///
    /// When there is no thread to be had.
    pub(crate) fn start(input: Box<dyn Input>) -> io::Result<Reader> {
        match input.watched().map(Readiness::from_owned_fd_unchecked) {
            Some(Ok(readiness)) => Ok(Reader::Here(Here::new(input, readiness))),
            // The system does not tell of a file.
            Some(Err(_)) | None => thread(input, Frames::default()).map(Reader::Thread),
        }
    }

    /// The next message; none at the end. May be dropped and called again.
    pub(crate) async fn next(&mut self) -> Option<Incoming> {
        // However much there is, others get their turn.
        coop::consume_budget().await;
        loop {
            match self {
                Reader::Here(here) => match here.next().await {
                    Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
                    Err(error) => return Some(Incoming::Failed(error)),
                    Ok(incoming) => return incoming,
                },
                Reader::Thread(incoming) => return incoming.recv().await,
                Reader::Ended => return None,
            }
            if let Err(error) = self.go_on_in_a_thread() {
                return Some(Incoming::Failed(error));
            }
        }
    }

    /// What is read here has to be waited for in another way after all.
    fn go_on_in_a_thread(&mut self) -> io::Result<()> {
        if let Reader::Here(here) = std::mem::replace(self, Reader::Ended) {
            *self = Reader::Thread(thread(here.input, here.frames)?);
        }
        Ok(())
    }
}

/// What is read in the runtime.
pub(crate) struct Here {
    input: Box<dyn Input>,
    readiness: Readiness,
    frames: Frames,
    buffer: Vec<u8>,
    /// What stands in the buffer and was not looked at yet.
    unread: Range<usize>,
    has_ended: bool,
}

impl Here {
    fn new(input: Box<dyn Input>, readiness: Readiness) -> Here {
        let (frames, buffer) = (Frames::default(), vec![0; CHUNK_BYTES]);
        Here { input, readiness, frames, buffer, unread: 0..0, has_ended: false }
    }

    /// The next message; none at the end.
    async fn next(&mut self) -> io::Result<Option<Incoming>> {
        loop {
            if let Some(incoming) = self.at_hand() {
                return Ok(Some(incoming));
            }
            if self.has_ended {
                return Ok(self.frames.end().and_then(incoming));
            }
            let read = self.read().await?;
            (self.unread, self.has_ended) = (0..read, read == 0);
        }
    }

    /// The next message in the buffer.
    fn at_hand(&mut self) -> Option<Incoming> {
        let mut rest = &self.buffer[self.unread.clone()];
        let mut found = None;
        while found.is_none() && !rest.is_empty() {
            found = self.frames.next(&mut rest).and_then(incoming);
        }
        self.unread.start = self.unread.end - rest.len();
        found
    }

    async fn read(&mut self) -> io::Result<usize> {
        loop {
            let Here { input, readiness, buffer, .. } = self;
            readiness.readable().await?;
            let read = readiness.try_io(|| input.read_now(buffer));
            // That was all there is. What comes from now on is told anew, so that it need not be
            // looked for.
            if matches!(read, Ok(read) if (1..buffer.len()).contains(&read)) {
                let _ = readiness.try_io(|| Err::<(), _>(io::ErrorKind::WouldBlock.into()));
            }
            match read {
                // There is nothing after all.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

/// Starts a thread that reads on.
fn thread(mut input: Box<dyn Input>, mut frames: Frames) -> io::Result<mpsc::Receiver<Incoming>> {
    let (sender, receiver) = mpsc::channel(AHEAD);
    let thread = std::thread::Builder::new().name("mcp-in".to_owned()).stack_size(512 * 1024);
    thread.spawn(move || read_all(&mut *input, &mut frames, &sender))?;
    Ok(receiver)
}

fn read_all(input: &mut dyn Input, frames: &mut Frames, sender: &mpsc::Sender<Incoming>) {
    let mut buffer = vec![0; CHUNK_BYTES];
    loop {
        let mut chunk = match input.read(&mut buffer) {
            Ok(read) => &buffer[..read],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                // Nobody listens any more, or is told.
                let _ = sender.blocking_send(Incoming::Failed(error));
                return;
            }
        };
        let is_end = chunk.is_empty();
        while let Some(frame) = frames.next(&mut chunk) {
            if let Some(incoming) = incoming(frame)
                && sender.blocking_send(incoming).is_err()
            {
                return;
            }
        }
        if is_end {
            let last = frames.end().and_then(incoming);
            let _ = last.map(|last| sender.blocking_send(last));
            return;
        }
    }
}

/// What a line says; none for an answer to a request.
fn incoming(frame: Frame<'_>) -> Option<Incoming> {
    match frame {
        Frame::TooLong => Some(Incoming::Refused(message::too_long(MAX_LINE_BYTES))),
        Frame::Line(line) => match message::read(line) {
            Ok(message) => message.map(|message| Incoming::Message(Box::new(message))),
            Err(refusal) => Some(Incoming::Refused(refusal)),
        },
    }
}

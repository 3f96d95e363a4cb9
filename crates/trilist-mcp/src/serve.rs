//! One session, from the first byte to the last.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use tokio::runtime::{Builder, Runtime};

use crate::awake::Awake;
use crate::handler::Handler;
use crate::protocol::ending::Ending;
use crate::protocol::input::Input;
use crate::protocol::outbox::{Outbox, Output};
use crate::protocol::transport::Lines;
use crate::server::Server;
use crate::turns::{self, STACK_BYTES};
use crate::workers::{WORKERS, Workers};

/// How long a reader of the last answers may take none of them before they are given up.
const LAST_WORDS: Duration = Duration::from_secs(10);
/// Threads that have nothing to do are given back after this time.
const IDLE: Duration = Duration::from_secs(10);

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The input has ended, and what was asked is answered.
    Input,
    /// The reader of the output has gone.
    ClosedPipe,
}

/// Why a session could not go on.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// There is no thread or event queue to be had.
    #[error("cannot start to serve")]
    Start(#[source] io::Error),
    /// The input cannot be read.
    #[error("cannot read the requests")]
    Input(#[source] io::Error),
    /// The output cannot be written.
    #[error("cannot write the answers")]
    Output(#[source] io::Error),
    /// The protocol's layer gave up.
    #[error("the session broke off: {0}")]
    Session(String),
}

/// Serves one client until the input ends or the output is gone. Blocks; the asynchronous runtime
/// is inside.
///
/// Calls that hang in the file system are left behind: whoever returns from `main` ends them.
///
/// # Errors
///
/// See [`ServeError`]. Nothing that a client sends is an error here.
pub fn serve(server: Server, input: impl Input, output: impl Output) -> Result<Ended, ServeError> {
    let runtime = runtime(input.watched().map(Awake::new)).map_err(ServeError::Start)?;
    let in_runtime = runtime.enter();
    let outbox = Outbox::start(output).map_err(ServeError::Start)?;
    let ending = Arc::new(Ending::default());
    let lines = Lines::start(input, Arc::clone(&outbox), Arc::clone(&ending));
    let lines = lines.map_err(ServeError::Start)?;
    let (workers, alone) = Workers::new();
    let handler = Handler::new(server, workers, Arc::clone(&ending));
    let session = tokio::spawn(until_broken(session(handler, lines), Arc::clone(&outbox)));
    drop(in_runtime);
    let (runtime, session) = turns::drive(runtime, session, alone).map_err(ServeError::Start)?;
    let session = session.unwrap_or_else(|error| Err(error.to_string()));
    runtime.shutdown_background();
    let read = outbox.flush(LAST_WORDS);
    match (outbox.error().or(read.err()), ending.error(), session) {
        (Some(error), ..) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Ended::ClosedPipe),
        (Some(error), ..) => Err(ServeError::Output(error)),
        (None, Some(error), _) => Err(ServeError::Input(error)),
        (None, None, Err(what)) => Err(ServeError::Session(what)),
        (None, None, Ok(())) => Ok(Ended::Input),
    }
}

/// The runtime, with threads for calls that are not made alone.
fn runtime(awake: Option<Awake>) -> io::Result<Runtime> {
    let mut runtime = Builder::new_current_thread();
    runtime
        .enable_io()
        .enable_time()
        .max_blocking_threads(WORKERS)
        .thread_keep_alive(IDLE)
        .thread_stack_size(STACK_BYTES)
        .thread_name("mcp-call");
    if let Some(before) = awake.map(Arc::new) {
        let after = Arc::clone(&before);
        runtime.on_thread_park(move || before.before_sleep());
        runtime.on_thread_unpark(move || after.after_sleep());
    }
    runtime.build()
}

/// A session, or its end when nobody takes answers any more.
async fn until_broken(
    session: impl Future<Output = Result<(), String>>,
    outbox: Arc<Outbox>,
) -> Result<(), String> {
    tokio::select! {
        session = session => session,
        () = outbox.broken() => Ok(()),
    }
}

async fn session(handler: Handler, lines: Lines) -> Result<(), String> {
    match handler.serve(lines).await {
        Ok(running) => running.waiting().await.map(drop).map_err(|error| error.to_string()),
        // The input ended before anything was asked.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

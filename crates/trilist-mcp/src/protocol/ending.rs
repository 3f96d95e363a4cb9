//! How a session ends.

use std::io;
use std::sync::Mutex;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

/// How long calls may go on after the input has ended.
const GRACE: Duration = Duration::from_millis(500);

/// Lets calls that still run when the input ends come to an end.
#[derive(Default)]
pub(crate) struct Ending {
    over: CancellationToken,
    error: Mutex<Option<io::Error>>,
}

impl Ending {
    /// The input has ended: whoever asked and then closed still gets the answers that come soon.
    pub(crate) fn ended(&self) {
        let over = self.over.clone();
        tokio::spawn(async move {
            tokio::time::sleep(GRACE).await;
            over.cancel();
        });
    }

    /// The input cannot be read any more.
    pub(crate) fn failed(&self, error: io::Error) {
        *self.error.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(error);
        self.over.cancel();
    }

    /// Why the input could not be read, if that is so.
    pub(crate) fn error(&self) -> Option<io::Error> {
        self.error.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take()
    }

    /// Waits until calls have to end.
    pub(crate) async fn over(&self) {
        self.over.cancelled().await;
    }
}

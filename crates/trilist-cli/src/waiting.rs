//! Work that ends with its time, whatever the file system does.

use std::time::Duration;

use trilist::{GRACE, ListError};

use crate::exit::Exit;
use crate::failure::{Channel, Failure};
use crate::output::stdout;
use crate::signals;

/// Does some work. When it still waits for the file system a moment after its time, the process ends
/// and says so; what has a part to show says something else, see [`signals::give_up_after`].
pub(crate) fn in_time<T>(time: Duration, channel: Channel, work: impl FnOnce() -> T) -> T {
    signals::give_up_after(time + GRACE, move || broken_off(channel));
    let done = work();
    signals::listing_ended();
    done
}

/// An object that was begun stays open, so that nobody takes it for whole.
fn broken_off(channel: Channel) -> Exit {
    let exit = Failure::from(ListError::Timeout).tell(channel);
    stdout::close();
    exit
}

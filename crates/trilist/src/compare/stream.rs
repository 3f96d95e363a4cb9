//! One mode's stream with one event of look-ahead.

use std::cmp::Ordering;

use trilist_core::tally::Tally;
use trilist_core::{Event, Events, FaultCode, ListError, Reason, Seen, Selected};

/// A listing under way, always one event ahead.
pub(super) struct Stream<'a> {
    events: Selected<'a, Box<dyn Events + Send + 'a>>,
    ahead: Ahead,
    tally: Tally,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ahead {
    /// An entry, or something left out.
    Path,
    /// A directory that could not be read, or not to its end.
    Gap,
    End,
}

/// Where a stream is: a path, or the place where a directory's contents would begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key<'a> {
    pub(super) path: &'a [u8],
    /// Whether the key is the path with `/` behind it.
    pub(super) is_gap: bool,
}

impl Key<'_> {
    #[inline]
    pub(super) fn order(&self, other: &Key<'_>) -> Ordering {
        if !self.is_gap && !other.is_gap {
            return self.path.cmp(other.path);
        }
        self.bytes().cmp(other.bytes())
    }

    fn bytes(&self) -> impl Iterator<Item = &u8> {
        self.path.iter().chain(self.is_gap.then_some(&b'/'))
    }
}

impl<'a> Stream<'a> {
    /// Goes to the first event.
    pub(super) fn start(
        events: Selected<'a, Box<dyn Events + Send + 'a>>,
    ) -> Result<Self, ListError> {
        let mut stream = Stream { events, ahead: Ahead::End, tally: Tally::default() };
        stream.advance()?;
        Ok(stream)
    }

    /// Goes to the next event that has a place in a comparison; the others are only counted.
    pub(super) fn advance(&mut self) -> Result<(), ListError> {
        // A stream that has stopped at a bound has no event.
        self.ahead = Ahead::End;
        while self.events.advance()? {
            match self.events.event() {
                Event::Entry(_) => self.ahead = Ahead::Path,
                Event::Omitted(omission) => {
                    self.tally.omit(&omission);
                    self.ahead = Ahead::Path;
                }
                Event::Fault(fault) => {
                    self.tally.fault(&fault);
                    if !(fault.gap && fault.code.hides_directory()) {
                        continue;
                    }
                    self.ahead = Ahead::Gap;
                }
            }
            return Ok(());
        }
        Ok(())
    }

    /// Where the stream is; nothing at its end.
    #[inline]
    pub(super) fn key(&self) -> Option<Key<'_>> {
        match self.ahead {
            Ahead::End => None,
            ahead => {
                let path = self.events.event().path().as_bytes();
                Some(Key { path, is_gap: ahead == Ahead::Gap })
            }
        }
    }

    /// The event that the stream is at, unless it is at a gap or its end.
    #[inline]
    pub(super) fn event(&self) -> Option<Event<'_>> {
        (self.ahead == Ahead::Path).then(|| self.events.event())
    }

    /// At a gap, the reason of what is missing there.
    pub(super) fn gap(&self) -> Option<Reason> {
        match self.events.event() {
            _ if self.ahead != Ahead::Gap => None,
            Event::Fault(fault) if fault.code == FaultCode::DepthCapped => Some(Reason::Depth),
            _ => Some(Reason::Unreadable),
        }
    }

    /// Whether the stream's next event lies below a directory.
    #[inline]
    pub(super) fn is_below(&self, dir: &[u8]) -> bool {
        self.key().is_some_and(|key| {
            let rest = key.path.strip_prefix(dir);
            rest.is_some_and(|rest| rest.first() == Some(&b'/'))
        })
    }

    /// What was left out and what went wrong, as far as the stream was read.
    pub(super) fn into_told(self) -> (Tally, Seen) {
        (self.tally, self.events.seen())
    }
}

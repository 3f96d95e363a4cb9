//! Lines of an ignore file that could not be used, told instead of lost.

/// The most bad lines that are told of one ignore file, and of one
/// [`IgnoreStack`](crate::IgnoreStack) between two calls that take them.
pub const MAX_BAD_LINES: usize = 100;

/// The most bytes of a bad line's text that are kept.
const MAX_TEXT_BYTES: usize = 200;

/// A line that is not, or not wholly, in force; the file's other lines hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// The ignore file's path relative to the opened root; empty when the file
    /// was parsed outside an [`IgnoreStack`](crate::IgnoreStack).
    pub source: Vec<u8>,
    /// The line's number, counted from 1.
    pub line: u32,
    /// The line as written, cut after 200 bytes.
    pub text: Vec<u8>,
    /// What is wrong, one lowercase clause.
    pub reason: String,
    /// How many further lines could not be used and are not told; 0 but for the last one told.
    pub more: u64,
}

/// Collects bad lines up to the cap, and counts those beyond.
#[derive(Debug, Default)]
pub(crate) struct BadLines {
    kept: Vec<BadLine>,
    dropped: u64,
}

impl BadLines {
    pub(crate) fn push(&mut self, line: u32, text: &[u8], reason: impl Into<String>) {
        let text = text[..text.len().min(MAX_TEXT_BYTES)].to_vec();
        self.push_line(BadLine { source: Vec::new(), line, text, reason: reason.into(), more: 0 });
    }

    pub(crate) fn push_line(&mut self, line: BadLine) {
        if self.kept.len() < MAX_BAD_LINES {
            self.kept.push(line);
        } else {
            self.dropped += 1;
        }
    }

    /// The kept ones, by line; the last one counts those beyond the cap.
    pub(crate) fn finish(mut self) -> Vec<BadLine> {
        self.kept.sort_by_key(|bad| bad.line);
        if let Some(last) = self.kept.last_mut() {
            last.more = self.dropped;
        }
        self.kept
    }
}

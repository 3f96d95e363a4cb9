//! One message a line, with a bound that holds before anything is parsed.

/// The most bytes of a line.
pub(crate) const MAX_LINE_BYTES: usize = 1 << 20;
/// Room that is kept from one line to the next.
const KEPT_BYTES: usize = 64 * 1024;

/// What the input gave.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame<'a> {
    /// A line, without its end.
    Line(&'a [u8]),
    /// A line that was too long. It is dropped as it comes in; told once, as soon as it is known.
    TooLong,
}

/// Makes lines of what was read.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    /// What there is of the next line, or the last one until more is read.
    line: Vec<u8>,
    /// Whether `line` was handed out.
    is_told: bool,
    /// Whether the rest of a line that was too long is still to be dropped.
    is_dropping: bool,
}

impl Frames {
    /// The next line that is not empty, taken from the front of what was read; none when that is
    /// used up.
    pub(crate) fn next(&mut self, read: &mut &[u8]) -> Option<Frame<'_>> {
        self.forget();
        while !read.is_empty() {
            let end = memchr::memchr(b'\n', read);
            let part = &read[..end.unwrap_or(read.len())];
            *read = &read[end.map_or(part.len(), |end| end + 1)..];
            let is_too_long = self.line.len() + part.len() > MAX_LINE_BYTES;
            if !self.is_dropping && !is_too_long {
                self.line.extend_from_slice(part);
            }
            let was_dropping = self.is_dropping;
            self.is_dropping = (was_dropping || is_too_long) && end.is_none();
            if is_too_long && !was_dropping {
                self.is_told = true;
                return Some(Frame::TooLong);
            }
            if end.is_some() && !was_dropping && !self.is_blank() {
                self.is_told = true;
                return Some(Frame::Line(&self.line));
            }
            if end.is_some() {
                self.line.clear();
            }
        }
        None
    }

    /// What stands behind the last line break: it counts as a line.
    pub(crate) fn end(&mut self) -> Option<Frame<'_>> {
        self.forget();
        self.is_told = true;
        if self.is_blank() { None } else { Some(Frame::Line(&self.line)) }
    }

    fn forget(&mut self) {
        if std::mem::take(&mut self.is_told) {
            self.line.clear();
            self.line.shrink_to(KEPT_BYTES);
        }
    }

    fn is_blank(&self) -> bool {
        self.line.trim_ascii().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{Frame, Frames, MAX_LINE_BYTES};

    /// The lines of an input that is read in parts, none for one that was too long.
    fn lines(input: &[u8], part_bytes: usize) -> Vec<Option<Vec<u8>>> {
        let mut frames = Frames::default();
        let mut all = Vec::new();
        let mut tell = |frame: Frame<'_>| {
            all.push(match frame {
                Frame::Line(line) => Some(line.to_vec()),
                Frame::TooLong => None,
            });
        };
        for mut part in input.chunks(part_bytes) {
            while let Some(frame) = frames.next(&mut part) {
                tell(frame);
            }
        }
        frames.end().into_iter().for_each(&mut tell);
        assert_eq!(frames.end(), None);
        all
    }

    #[test]
    fn blank_lines_are_nothing_and_the_last_needs_no_end() {
        for part in 1..16 {
            let read = lines(b"\n  \r\na\n\nb\r\nc", part);
            assert_eq!(read, [Some(b"a".to_vec()), Some(b"b\r".to_vec()), Some(b"c".to_vec())]);
        }
    }

    #[test]
    fn a_line_at_the_bound_passes_and_one_beyond_is_told_once() {
        let mut input = vec![b'x'; MAX_LINE_BYTES];
        input.extend_from_slice(b"\n");
        input.extend(vec![b'y'; 3 * MAX_LINE_BYTES]);
        input.extend_from_slice(b"\nnext\n");
        input.extend(vec![b'z'; MAX_LINE_BYTES + 1]);
        for part in [1000, 16 * 1024, MAX_LINE_BYTES + 1, 8 * MAX_LINE_BYTES] {
            let read = lines(&input, part);
            assert_eq!(read[0].as_ref().map(Vec::len), Some(MAX_LINE_BYTES));
            assert_eq!(read[1..], [None, Some(b"next".to_vec()), None]);
        }
    }
}

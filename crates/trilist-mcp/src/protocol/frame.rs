//! One message a line, with a bound that holds before anything is parsed.

use std::io::{self, BufRead as _, BufReader, Read};

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

/// Reads lines.
pub(crate) struct Frames<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// Whether the rest of a line that was too long is still to be dropped.
    is_dropping: bool,
}

impl<R: Read> Frames<R> {
    pub(crate) fn new(input: R) -> Self {
        let input = BufReader::with_capacity(16 * 1024, input);
        Frames { input, line: Vec::new(), is_dropping: false }
    }

    /// The next line that is not empty; none at the end. What stands behind the last line break
    /// counts as a line.
    pub(crate) fn next(&mut self) -> io::Result<Option<Frame<'_>>> {
        self.line.clear();
        self.line.shrink_to(KEPT_BYTES);
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                return Ok(if self.is_blank() { None } else { Some(Frame::Line(&self.line)) });
            }
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let used = end.map_or(part.len(), |end| end + 1);
            let is_too_long = self.line.len() + part.len() > MAX_LINE_BYTES;
            if !self.is_dropping && !is_too_long {
                self.line.extend_from_slice(part);
            }
            self.input.consume(used);
            let was_dropping = self.is_dropping;
            self.is_dropping = (was_dropping || is_too_long) && end.is_none();
            if is_too_long && !was_dropping {
                return Ok(Some(Frame::TooLong));
            }
            if end.is_some() && !was_dropping && !self.is_blank() {
                return Ok(Some(Frame::Line(&self.line)));
            }
            if end.is_some() {
                self.line.clear();
            }
        }
    }

    fn is_blank(&self) -> bool {
        self.line.trim_ascii().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{Frame, Frames, MAX_LINE_BYTES};

    /// The lines of an input, none for one that was too long.
    fn lines(input: &[u8]) -> Vec<Option<Vec<u8>>> {
        let mut frames = Frames::new(input);
        let mut all = Vec::new();
        while let Some(frame) = frames.next().expect("memory can be read") {
            all.push(match frame {
                Frame::Line(line) => Some(line.to_vec()),
                Frame::TooLong => None,
            });
        }
        all
    }

    #[test]
    fn blank_lines_are_nothing_and_the_last_needs_no_end() {
        let read = lines(b"\n  \r\na\n\nb\r\nc");
        assert_eq!(read, [Some(b"a".to_vec()), Some(b"b\r".to_vec()), Some(b"c".to_vec())]);
    }

    #[test]
    fn a_line_at_the_bound_passes_and_one_beyond_is_told_once() {
        let mut input = vec![b'x'; MAX_LINE_BYTES];
        input.extend_from_slice(b"\n");
        input.extend(vec![b'y'; 3 * MAX_LINE_BYTES]);
        input.extend_from_slice(b"\nnext\n");
        input.extend(vec![b'z'; MAX_LINE_BYTES + 1]);
        let read = lines(&input);
        assert_eq!(read[0].as_ref().map(Vec::len), Some(MAX_LINE_BYTES));
        assert_eq!(read[1..], [None, Some(b"next".to_vec()), None]);
    }
}

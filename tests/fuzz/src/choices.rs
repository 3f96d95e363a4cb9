//! Choices that are driven by a fuzzer's bytes.

use arbitrary::Unstructured;

/// A stream of bytes as a stream of choices. At its end every choice is the first one, so put what
/// ends a loop first.
pub(crate) struct Choices<'a>(Unstructured<'a>);

impl<'a> Choices<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Choices(Unstructured::new(data))
    }

    /// A number less than `most`, which is not 0.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0.int_in_range(0..=most - 1).unwrap_or(0)
    }

    /// True in one of so many cases; never at the end.
    pub(crate) fn one_in(&mut self, cases: usize) -> bool {
        self.below(cases) == cases - 1
    }

    pub(crate) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// Up to `most` bytes as they are.
    pub(crate) fn bytes(&mut self, most: usize) -> Vec<u8> {
        let len = self.below(most + 1).min(self.0.len());
        self.0.bytes(len).unwrap_or_default().to_vec()
    }

    pub(crate) fn rest(self) -> &'a [u8] {
        self.0.take_rest()
    }

    /// Up to `most` words, most of them from a list, some of any bytes.
    pub(crate) fn words(&mut self, known: &[&[u8]], most: usize) -> Vec<u8> {
        let mut text = Vec::new();
        for _ in 0..self.below(most + 1) {
            if self.one_in(16) {
                text.extend(self.bytes(8));
            } else {
                text.extend_from_slice(self.pick(known));
            }
        }
        text
    }

    /// Damages bytes in a few places, or not at all. Says whether.
    pub(crate) fn damage(&mut self, bytes: &mut Vec<u8>) -> bool {
        let before = bytes.clone();
        for _ in 0..self.below(4) {
            if bytes.is_empty() {
                break;
            }
            let at = self.below(bytes.len());
            match self.below(8) {
                0 => bytes[at] ^= 1 << self.below(8),
                1 => bytes[at] = self.pick(&[0, 1, 0x7f, 0x80, 0xff]),
                2 => bytes[at] = self.pick(b"/.\0Aaz\n\""),
                3 => bytes.insert(at, self.pick(&[0, b'a', b'/', 0xff])),
                4 => drop(bytes.remove(at)),
                5 => bytes.truncate(at),
                6 => {
                    let from = self.below(bytes.len());
                    let len = self.below(64).min(bytes.len() - from.max(at));
                    bytes.copy_within(from..from + len, at);
                }
                _ => {
                    let new = self.bytes(8);
                    let end = (at + new.len()).min(bytes.len());
                    bytes.splice(at..end, new);
                }
            }
        }
        *bytes != before
    }
}

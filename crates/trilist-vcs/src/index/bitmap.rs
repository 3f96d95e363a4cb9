//! Git's compressed bitmaps (EWAH): which entries of a shared index are meant.

use std::sync::Arc;

/// A set of numbers, as words that are literal or a run of equal ones.
#[derive(Debug, Clone)]
pub(crate) struct Bitmap {
    words: Arc<[u64]>,
    /// How many numbers are in the set.
    pub(crate) count: u64,
    /// The greatest of them.
    pub(crate) last: Option<u64>,
}

/// The numbers of a [`Bitmap`] in order.
#[derive(Debug)]
pub(crate) struct Bits {
    words: Arc<[u64]>,
    at: usize,
    /// Literal words that are still to come before the next marker.
    literals: u64,
    /// The ones that are still to come of a run: where it stands and where it ends.
    run: (u64, u64),
    /// What is left of the current literal word, and the number of its lowest bit.
    word: (u64, u64),
    /// The number behind everything that was taken up so far.
    behind: u64,
    next: Option<u64>,
}

/// The sizes in bits and words before the words, and the place of the last marker behind them.
const AROUND: usize = 12;

impl Bitmap {
    /// Parses the bitmap at the beginning of `bytes`, and says how many bytes it has. `None` if
    /// its words are not there, or do not add up.
    ///
    /// The size in bits that it claims is not looked at: git does not heed it either.
    pub(crate) fn parse(bytes: &[u8]) -> Option<(Bitmap, usize)> {
        let words = u32::from_be_bytes(*bytes.get(4..)?.first_chunk()?);
        let size = (words as usize).checked_mul(8)?.checked_add(AROUND)?;
        let (words, _) = bytes.get(8..size - 4)?.as_chunks::<8>();
        bytes.get(..size)?;
        let words: Arc<[u64]> = words.iter().map(|word| u64::from_be_bytes(*word)).collect();
        let mut bitmap = Bitmap { words, count: 0, last: None };
        bitmap.measure()?;
        Some((bitmap, size))
    }

    /// Counts without looking at the single numbers of a run, which may be very long.
    fn measure(&mut self) -> Option<()> {
        let (mut at, mut behind) = (0, 0_u64);
        while let Some(marker) = self.words.get(at) {
            let (is_ones, run, literals) = split_marker(*marker);
            if is_ones && run > 0 {
                self.count += run;
                self.last = Some(behind + run - 1);
            }
            behind += run;
            let end = at + 1 + usize::try_from(literals).ok()?;
            for word in self.words.get(at + 1..end)? {
                self.count += u64::from(word.count_ones());
                if *word != 0 {
                    self.last = Some(behind + 63 - u64::from(word.leading_zeros()));
                }
                behind += 64;
            }
            at = end;
        }
        Some(())
    }

    pub(crate) fn bits(&self) -> Bits {
        let words = Arc::clone(&self.words);
        let mut bits =
            Bits { words, at: 0, literals: 0, run: (0, 0), word: (0, 0), behind: 0, next: None };
        bits.next = bits.find();
        bits
    }
}

impl Bits {
    /// Whether `number` is in the set. It must not be less than one that was asked before.
    pub(crate) fn take(&mut self, number: u64) -> bool {
        let found = self.next == Some(number);
        if found {
            self.next = self.find();
        }
        found
    }

    fn find(&mut self) -> Option<u64> {
        loop {
            let (at, end) = self.run;
            if at < end {
                self.run.0 += 1;
                return Some(at);
            }
            let (word, low) = self.word;
            if word != 0 {
                self.word.0 &= word - 1;
                return Some(low + u64::from(word.trailing_zeros()));
            }
            let word = *self.words.get(self.at)?;
            self.at += 1;
            if self.literals > 0 {
                self.literals -= 1;
                self.word = (word, self.behind);
                self.behind += 64;
            } else {
                let (is_ones, run, literals) = split_marker(word);
                self.literals = literals;
                if is_ones {
                    self.run = (self.behind, self.behind + run);
                }
                self.behind += run;
            }
        }
    }
}

/// A marker's bit, how many numbers repeat it, and how many literal words follow. A run has
/// fewer than 2^38 numbers, and no extension has room for 2^25 words, so sums stay far below 2^64.
fn split_marker(word: u64) -> (bool, u64, u64) {
    (word & 1 == 1, ((word >> 1) & 0xffff_ffff) * 64, word >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(words: &[u64]) -> Vec<u8> {
        let mut bytes = 0_u32.to_be_bytes().to_vec();
        bytes.extend(u32::try_from(words.len()).expect("few").to_be_bytes());
        words.iter().for_each(|word| bytes.extend(word.to_be_bytes()));
        bytes.extend([0; 4]);
        bytes
    }

    fn marker(ones: bool, run: u64, literals: u64) -> u64 {
        u64::from(ones) | run << 1 | literals << 33
    }

    #[test]
    fn runs_and_literals_are_told_in_order() {
        let words =
            [marker(false, 1, 1), 0b101, marker(true, 1, 2), 1 << 63, 0, marker(false, 0, 0)];
        let encoded = bytes(&words);
        let (bitmap, size) = Bitmap::parse(&encoded).expect("well formed");
        assert_eq!(size, encoded.len());
        let right: Vec<u64> = [64, 66].into_iter().chain(128..192).chain([255]).collect();
        assert_eq!((bitmap.count, bitmap.last), (right.len() as u64, Some(255)));
        let mut bits = bitmap.bits();
        let found: Vec<u64> = (0..400).filter(|number| bits.take(*number)).collect();
        assert_eq!(found, right);
    }

    #[test]
    fn what_does_not_add_up_is_refused() {
        let whole = bytes(&[marker(false, 0, 1), 1]);
        for len in 0..whole.len() {
            assert!(Bitmap::parse(&whole[..len]).is_none(), "{len} bytes");
        }
        assert!(Bitmap::parse(&bytes(&[marker(false, 0, 2), 1])).is_none());
        // A run of 2^38 numbers is not walked through.
        let (bitmap, _) = Bitmap::parse(&bytes(&[marker(true, 0xffff_ffff, 0)])).expect("formed");
        assert_eq!(bitmap.count, 0xffff_ffff * 64);
    }
}

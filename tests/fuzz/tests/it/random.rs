//! Inputs that are the same in every run.

/// A small generator.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % most
    }

    /// Up to `most` bytes, in some inputs mostly small ones: these are other choices.
    pub(crate) fn bytes(&mut self, most: usize) -> Vec<u8> {
        let (len, top) = (self.below(most + 1), [256, 256, 32, 4][self.below(4)]);
        (0..len).map(|_| self.below(top) as u8).collect()
    }

    /// The input with some bytes changed, taken out or put in.
    pub(crate) fn changed(&mut self, input: &[u8]) -> Vec<u8> {
        let mut bytes = input.to_vec();
        for _ in 0..1 + self.below(4) {
            let at = self.below(bytes.len() + 1);
            match self.below(3) {
                0 => bytes.insert(at, self.below(256) as u8),
                1 if at < bytes.len() => drop(bytes.remove(at)),
                _ if at < bytes.len() => bytes[at] = self.below(256) as u8,
                _ => {}
            }
        }
        bytes
    }
}

//! Pseudorandom numbers that are the same in every run.

/// SplitMix64.
#[derive(Debug)]
pub(super) struct Numbers(u64);

impl Numbers {
    pub(super) fn new() -> Self {
        Self(20)
    }

    /// A number from 0 to below `end`.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (number ^ (number >> 31)) % end
    }
}

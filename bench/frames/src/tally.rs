//! What was found, in two numbers that do not depend on the order.

/// A count and a sum of scrambled ids. Two sets that agree in both are the same but for a chance of 2^-64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub count: u64,
    sum: u64,
}

impl Tally {
    #[inline(always)]
    fn add(&mut self, word: u64) {
        self.count += 1;
        // Odd multipliers and a shift in between: sums of such do not cancel out as sums of ids would.
        let mixed = (word ^ (word >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.sum = self.sum.wrapping_add(mixed ^ (mixed >> 32));
    }

    /// A pair, in either order.
    #[inline(always)]
    pub fn pair(&mut self, a: u32, b: u32) {
        self.add(u64::from(a.min(b)) << 32 | u64::from(a.max(b)));
    }

    #[inline(always)]
    pub fn one(&mut self, id: u32) {
        self.add(id.into());
    }
}

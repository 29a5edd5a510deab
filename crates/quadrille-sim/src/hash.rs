//! One number for a whole state.

/// FNV-1a, 64 bits (Fowler, Noll and Vo, 1991): simple enough to be repeated anywhere, in any language.
pub(crate) struct Fnv1a(u64);

impl Fnv1a {
    pub(crate) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds the four bytes of a float, lowest first.
    pub(crate) fn add(&mut self, value: f32) {
        for byte in value.to_bits().to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    pub(crate) fn finish(&self) -> u64 {
        self.0
    }
}

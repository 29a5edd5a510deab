//! A hash that is the same everywhere.

/// FNV-1a, 64 bits (Glenn Fowler, Landon Curt Noll and Phong Vo, 1991): turns many floats into one number, to compare
/// with other machines, builds and structures. Ten lines in any language; not for hash tables.
///
/// ```
/// use quadrille_scenes::Fnv1a;
///
/// let mut hash = Fnv1a::default();
/// hash.add(1.0);
/// assert_eq!(hash.finish(), 0x4b72_477f_9c5c_2f98);
/// ```
#[derive(Clone, Debug)]
pub struct Fnv1a(u64);

impl Default for Fnv1a {
    /// The hash of nothing: the published offset basis.
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv1a {
    /// Adds the four bytes of a float, lowest first.
    #[inline]
    pub fn add(&mut self, value: f32) {
        self.add_bits(value.to_bits());
    }

    /// Adds four bytes, lowest first.
    #[inline]
    pub fn add_bits(&mut self, bits: u32) {
        for byte in bits.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// The hash of everything added.
    pub fn finish(&self) -> u64 {
        self.0
    }
}

//! Morton codes (Z-order): two coordinates interleaved into one number, so that nearby cells get nearby numbers.
//!
//! ```text
//! x  = . . . . a b c d        spread: a gap before every bit
//! y  = . . . . e f g h
//! code = e a f b g c h d      y in the odd bits, x in the even ones
//! ```
//!
//! Sorting by code visits the cells of a quadtree child by child (0, 1, 2, 3), which is what bulk loading needs.
//! Source: G. M. Morton, *A computer oriented geodetic data base and a new technique in file sequencing*, IBM, 1966.
//! The bits are spread by shifts and masks, the well-known doubling scheme: gaps of 16, 8, 4, 2, then 1.

/// The Morton code of cell (`x`, `y`).
///
/// ```
/// use quadrille::morton;
///
/// assert_eq!(morton::encode(0b11, 0b01), 0b0111);
/// assert_eq!(morton::decode(0b0111), (0b11, 0b01));
/// ```
#[must_use]
#[inline]
pub const fn encode(x: u32, y: u32) -> u64 {
    spread(x) | (spread(y) << 1)
}

/// The cell with this code.
#[must_use]
#[inline]
pub const fn decode(code: u64) -> (u32, u32) {
    (gather(code), gather(code >> 1))
}

/// Puts a zero before every bit.
const fn spread(value: u32) -> u64 {
    let mut bits = value as u64;
    bits = (bits | (bits << 16)) & 0x0000_ffff_0000_ffff;
    bits = (bits | (bits << 8)) & 0x00ff_00ff_00ff_00ff;
    bits = (bits | (bits << 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    bits = (bits | (bits << 2)) & 0x3333_3333_3333_3333;
    (bits | (bits << 1)) & 0x5555_5555_5555_5555
}

/// Keeps the even bits and packs them: the inverse of [`spread`].
#[expect(clippy::cast_possible_truncation, reason = "the upper half is zero by then")]
const fn gather(code: u64) -> u32 {
    let mut bits = code & 0x5555_5555_5555_5555;
    bits = (bits | (bits >> 1)) & 0x3333_3333_3333_3333;
    bits = (bits | (bits >> 2)) & 0x0f0f_0f0f_0f0f_0f0f;
    bits = (bits | (bits >> 4)) & 0x00ff_00ff_00ff_00ff;
    bits = (bits | (bits >> 8)) & 0x0000_ffff_0000_ffff;
    (bits | (bits >> 16)) as u32
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn codes_go_there_and_back() {
        for (x, y) in [(0, 0), (1, 0), (0, 1), (u32::MAX, 0), (0, u32::MAX), (u32::MAX, u32::MAX), (0xdead, 0xbeef)] {
            assert_eq!(decode(encode(x, y)), (x, y));
        }
        assert_eq!(encode(u32::MAX, 0), 0x5555_5555_5555_5555);
    }

    #[test]
    fn code_order_is_the_order_of_quadtree_children() {
        let codes = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0)].map(|(x, y)| encode(x, y));
        assert_eq!(codes, [0, 1, 2, 3, 4]);
    }
}

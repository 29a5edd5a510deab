//! Colors that color-blind people can distinguish, and the limited set of them that a GIF can hold.
//!
//! The inks are of Masataka Okabe and Kei Ito, *Color Universal Design* (2008).

/// Red, green and blue, as in the file (sRGB).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Color(pub [u8; 3]);

impl Color {
    /// This color with `amount` of 255 parts of `other` mixed in.
    #[inline]
    pub const fn mix(self, other: Self, amount: u8) -> Self {
        let (Self(a), Self(b)) = (self, other);
        Self([mix(a[0], b[0], amount), mix(a[1], b[1], amount), mix(a[2], b[2], amount)])
    }

    /// How different two colors are: the squared distance, with green weighed most, as eyes do.
    fn difference(self, other: Self) -> u32 {
        let (Self(a), Self(b)) = (self, other);
        let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        3 * square(a[0], b[0]) + 4 * square(a[1], b[1]) + 2 * square(a[2], b[2])
    }
}

/// `a` where `amount` is 0, `b` where it is 255, rounded to nearest between.
#[inline]
const fn mix(a: u8, b: u8, amount: u8) -> u8 {
    let (a, b, amount) = (a as u32, b as u32, amount as u32);
    ((a * (255 - amount) + b * amount + 127) / 255) as u8
}

/// The background: warm paper.
pub const PAPER: Color = Color([0xFB, 0xF9, 0xF4]);
/// Okabe–Ito black, softened: text and strong lines.
pub const INK: Color = Color([0x2B, 0x2F, 0x36]);
/// Okabe–Ito orange.
pub const ORANGE: Color = Color([0xE6, 0x9F, 0x00]);
/// Okabe–Ito sky blue.
pub const SKY: Color = Color([0x56, 0xB4, 0xE9]);
/// Okabe–Ito bluish green.
pub const GREEN: Color = Color([0x00, 0x9E, 0x73]);
/// Okabe–Ito yellow.
pub const YELLOW: Color = Color([0xF0, 0xE4, 0x42]);
/// Okabe–Ito blue.
pub const BLUE: Color = Color([0x00, 0x72, 0xB2]);
/// Okabe–Ito vermilion.
pub const VERMILION: Color = Color([0xD5, 0x5E, 0x00]);
/// Okabe–Ito reddish purple.
pub const PURPLE: Color = Color([0xCC, 0x79, 0xA7]);

/// The most colors a GIF can hold beside transparency.
const MOST: usize = 255;

/// The number that stands for no color: what was there before stays.
pub(crate) const TRANSPARENT: u8 = 255;

/// Bits of each channel by which a color is looked up: 2^18 entries of two bytes. More would tell apart what no eye
/// does.
const LOOKUP_BITS: u32 = 6;

/// The colors of an animation: given inks and the blends of any two of them, which is all that smooth edges and
/// translucent lines can produce. Replaces a color quantizer.
#[derive(Clone, Debug)]
pub(crate) struct Palette {
    colors: Vec<Color>,
    /// The nearest color for each entry of the lookup cube, [`UNKNOWN`] until needed.
    nearest: Vec<u16>,
}

const UNKNOWN: u16 = u16::MAX;

impl Palette {
    /// The first 255 of `inks`, and evenly spaced mixtures of each two in what room is left.
    pub(crate) fn between(inks: &[Color]) -> Self {
        let inks = &inks[..inks.len().min(MOST)];
        let mut colors = inks.to_vec();
        let couples = inks.len() * inks.len().saturating_sub(1) / 2;
        let steps = (MOST - inks.len()).checked_div(couples).unwrap_or(0);
        for (position, &a) in inks.iter().enumerate() {
            for &b in &inks[position + 1..] {
                colors.extend((1..=steps).map(|step| a.mix(b, share(step, steps + 1))));
            }
        }
        Self { colors, nearest: vec![UNKNOWN; 1 << (3 * LOOKUP_BITS)] }
    }

    /// Red, green, blue of each color in turn.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.colors.iter().flat_map(|color| color.0).collect()
    }

    /// The number of the color nearest to `color`; the earlier one of equals, so that inks stay themselves.
    pub(crate) fn index(&mut self, color: Color) -> u8 {
        let index =
            color.0.iter().fold(0, |index, &channel| index << LOOKUP_BITS | usize::from(channel >> (8 - LOOKUP_BITS)));
        if self.nearest[index] == UNKNOWN {
            self.nearest[index] = self.find(color);
        }
        self.nearest[index].to_le_bytes()[0]
    }

    fn find(&self, color: Color) -> u16 {
        (0..).zip(&self.colors).min_by_key(|(_, known)| known.difference(color)).map_or(0, |(index, _)| index)
    }
}

/// `part` of `whole` on the scale to 255.
fn share(part: usize, whole: usize) -> u8 {
    u8::try_from(part * 255 / whole).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INKS: [Color; 4] = [PAPER, SKY, VERMILION, BLUE];

    #[test]
    fn mixtures_begin_and_end_at_their_parts() {
        assert_eq!(SKY.mix(VERMILION, 0), SKY);
        assert_eq!(SKY.mix(VERMILION, 255), VERMILION);
        assert_eq!(Color([0, 0, 0]).mix(Color([255, 100, 1]), 128), Color([128, 50, 1]));
    }

    #[test]
    fn inks_keep_their_exact_colour() {
        let mut palette = Palette::between(&INKS);
        for (index, ink) in (0..).zip(INKS) {
            assert_eq!(palette.index(ink), index);
            assert_eq!(palette.colors[usize::from(index)], ink);
        }
    }

    #[test]
    fn a_palette_holds_at_most_255_colours_and_fills_them_with_mixtures() {
        let palette = Palette::between(&INKS);
        assert_eq!(palette.bytes().len(), 3 * (4 + 6 * 41));
        assert_eq!(Palette::between(&[PAPER; 300]).bytes().len(), 3 * 255);
        assert_eq!(Palette::between(&[PAPER]).bytes(), PAPER.0);
    }

    #[test]
    fn what_smooth_edges_produce_is_near_a_colour_of_the_palette() {
        let mut palette = Palette::between(&INKS);
        for amount in 0..=255 {
            let edge = PAPER.mix(VERMILION, amount);
            let index = palette.index(edge);
            let shown = palette.colors[usize::from(index)];
            for channel in 0..3 {
                assert!(edge.0[channel].abs_diff(shown.0[channel]) <= 8, "{edge:?} is shown as {shown:?}");
            }
        }
    }
}

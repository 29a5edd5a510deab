//! The colors of an animation: a GIF has at most 256.
//!
//! Paul Heckbert, *Color Image Quantization for Frame Buffer Display*, 1982 (median cut): the pile of all colors is
//! cut in two at the median of its widest channel, and so on, always the pile that is spread the most; each becomes its
//! mean.

use quadrille_draw::Color;

/// The most colors: one less than 256, because one value means *as before*.
pub(super) const MAX_COLORS: usize = 255;

/// A color and how many pixels it has.
type Weighed = (Color, u64);

/// `first`, and as many colors as there is room for that stand for all of `colors`.
pub(super) fn of(colors: impl Iterator<Item = Weighed>, first: Color) -> Vec<Color> {
    let mut piles = vec![Pile::new(colors.collect())];
    while piles.len() < MAX_COLORS - 1 {
        let widest = piles.iter().enumerate().max_by_key(|(_, one)| one.spread).map(|(position, _)| position);
        let Some(position) = widest.filter(|position| piles[*position].spread > 0) else { break };
        let (low, high) = piles.swap_remove(position).cut();
        piles.extend([low, high]);
    }
    std::iter::once(first).chain(piles.iter().filter_map(Pile::mean)).collect()
}

/// Colors that are near each other.
#[derive(Clone, Debug)]
struct Pile {
    colors: Vec<Weighed>,
    /// The channel with the largest span.
    channel: usize,
    /// That span, times the pixels.
    spread: u64,
}

impl Pile {
    fn new(colors: Vec<Weighed>) -> Self {
        let span = |channel: usize| {
            let values = || colors.iter().map(|(Color(values), _)| values[channel]);
            u64::from(values().max().unwrap_or(0) - values().min().unwrap_or(0))
        };
        let channel = (0..3).max_by_key(|channel| span(*channel)).unwrap_or(0);
        let spread = span(channel) * colors.iter().map(|(_, pixels)| pixels).sum::<u64>();
        Self { channel, spread, colors }
    }

    /// Cuts a pile of non-zero span into two non-empty ones.
    fn cut(self) -> (Self, Self) {
        let Self { mut colors, channel, .. } = self;
        colors.sort_unstable_by_key(|(color, pixels)| (color.0[channel], color.0, *pixels));
        let half = colors.iter().map(|(_, pixels)| pixels).sum::<u64>() / 2;
        let sums = colors.iter().scan(0, |sum, (_, pixels)| {
            *sum += pixels;
            Some(*sum)
        });
        let median = sums.take_while(|sum| *sum <= half).count();
        let high = colors.split_off(median.clamp(1, colors.len() - 1));
        (Self::new(colors), Self::new(high))
    }

    fn mean(&self) -> Option<Color> {
        let pixels: u64 = self.colors.iter().map(|(_, pixels)| pixels).sum();
        let sum =
            |channel: usize| self.colors.iter().map(|(color, own)| u64::from(color.0[channel]) * own).sum::<u64>();
        let mean = |channel: usize| u8::try_from((sum(channel) + pixels / 2) / pixels).ok();
        (pixels > 0).then(|| Some(Color([mean(0)?, mean(1)?, mean(2)?])))?
    }
}

//! Numbers that look random, for examples that are the same every time.

/// A number between 0 and 1 for a thing and a purpose; those of neighbors are far apart (multiples of irrational numbers).
pub(crate) fn spread(number: u32, purpose: usize) -> f64 {
    const STEPS: [f64; 4] = [0.618_033_988, 0.754_877_666, 0.569_840_290, 0.819_172_513];
    (f64::from(number) * STEPS[purpose]).fract()
}

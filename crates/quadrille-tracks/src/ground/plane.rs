//! The plane: a position is its coordinates, a chord is a length.

use super::Ground;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plane;

impl Ground<2> for Plane {
    const PANES: &'static [[usize; 2]] = &[[0, 1]];

    fn position(x: f64, y: f64) -> [f64; 2] {
        [x, y]
    }

    fn coordinates(position: &[f64; 2]) -> [f64; 2] {
        *position
    }

    #[inline]
    fn up(_a: &[f64; 2], _b: &[f64; 2]) -> [f64; 2] {
        [0.0; 2]
    }

    #[inline]
    fn level(offset: &[f64; 2], _up: &[f64; 2]) -> [f64; 2] {
        *offset
    }

    fn chord(length: f64) -> f64 {
        length
    }

    fn length(chord: f64) -> f64 {
        chord
    }

    fn sag(_longest: f64) -> f64 {
        0.0
    }

    fn pieces(_a: &[f64; 2], _b: &[f64; 2]) -> f64 {
        1.0
    }

    fn between(a: &[f64; 2], b: &[f64; 2], share: f64) -> [f64; 2] {
        [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])]
    }

    fn panes(_min: &[f64; 2], _max: &[f64; 2]) -> u8 {
        1
    }
}

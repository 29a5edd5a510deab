//! Comparing with the vectors of WebAssembly. A program has them or has them not as a whole (`-C
//! target-feature=+simd128`), so nothing here is unsafe.

use core::arch::wasm32::{
    f32x4, f32x4_add, f32x4_ge, f32x4_le, f32x4_mul, f32x4_pmax, f32x4_splat, f32x4_sub, f64x2, f64x2_add,
    f64x2_extract_lane, f64x2_ge, f64x2_le, f64x2_mul, f64x2_pmax, f64x2_promote_low_f32x4, f64x2_splat, f64x2_sub,
    i32x4_bitmask, i32x4_shuffle, i64x2_bitmask, v128, v128_and,
};

use super::LANES;
use super::vector::{self, Vector};

pub(super) use super::Baseline as Best;
pub(super) use Four as Usual;
pub(super) use Four as Widest;
pub(super) use Two as UsualF64;
pub(super) use Two as WidestF64;

/// Four numbers in one register.
#[derive(Clone, Copy, Debug)]
pub struct Four(v128);

impl<K> Vector<K, f32> for Four {
    const WIDTH: usize = 4;

    #[inline(always)]
    fn splat(_: K, number: f32) -> Self {
        Self(f32x4_splat(number))
    }

    #[inline(always)]
    fn load(_: K, column: &[f32], at: usize) -> Self {
        let [a, b, c, d] = *vector::part(column, at);
        // Compiled to one instruction.
        Self(f32x4(a, b, c, d))
    }

    #[inline(always)]
    fn meet([min_x, min_y, max_x, max_y]: [Self; 4], [low_x, low_y, high_x, high_y]: [Self; 4]) -> u32 {
        let in_x = v128_and(f32x4_le(min_x.0, high_x.0), f32x4_ge(max_x.0, low_x.0));
        let in_y = v128_and(f32x4_le(min_y.0, high_y.0), f32x4_ge(max_y.0, low_y.0));
        i32x4_bitmask(v128_and(in_x, in_y)).into()
    }

    type Squares = Self;

    #[inline(always)]
    fn squares([min_x, min_y, max_x, max_y]: [Self; 4], [low_x, low_y, high_x, high_y]: [Self; 4]) -> Self {
        let x = f32x4_pmax(f32x4_sub(low_x.0, max_x.0), f32x4_sub(min_x.0, high_x.0));
        let y = f32x4_pmax(f32x4_sub(low_y.0, max_y.0), f32x4_sub(min_y.0, high_y.0));
        let (x, y) = (f32x4_pmax(f32x4_splat(0.0), x), f32x4_pmax(f32x4_splat(0.0), y));
        Self(f32x4_add(f32x4_mul(x, x), f32x4_mul(y, y)))
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the slack is wider")]
    fn up_to(squares: Self, limit: f64) -> u32 {
        i32x4_bitmask(f32x4_le(squares.0, f32x4_splat(limit as f32))).into()
    }

    #[inline(always)]
    fn store(Self(squares): Self, list: &mut [f64; LANES], at: usize) {
        for (half, at) in [(squares, at), (i32x4_shuffle::<2, 3, 2, 3>(squares, squares), at + 2)] {
            <Two as Vector<K, f64>>::store(Two(f64x2_promote_low_f32x4(half)), list, at);
        }
    }
}

/// Two numbers of twice the width in one register.
#[derive(Clone, Copy, Debug)]
pub struct Two(v128);

impl<K> Vector<K, f64> for Two {
    const WIDTH: usize = 2;

    #[inline(always)]
    fn splat(_: K, number: f64) -> Self {
        Self(f64x2_splat(number))
    }

    #[inline(always)]
    fn load(_: K, column: &[f64], at: usize) -> Self {
        let [a, b] = *vector::part(column, at);
        // Compiled to one instruction.
        Self(f64x2(a, b))
    }

    #[inline(always)]
    fn meet([min_x, min_y, max_x, max_y]: [Self; 4], [low_x, low_y, high_x, high_y]: [Self; 4]) -> u32 {
        let in_x = v128_and(f64x2_le(min_x.0, high_x.0), f64x2_ge(max_x.0, low_x.0));
        let in_y = v128_and(f64x2_le(min_y.0, high_y.0), f64x2_ge(max_y.0, low_y.0));
        i64x2_bitmask(v128_and(in_x, in_y)).into()
    }

    type Squares = Self;

    #[inline(always)]
    fn squares([min_x, min_y, max_x, max_y]: [Self; 4], [low_x, low_y, high_x, high_y]: [Self; 4]) -> Self {
        let x = f64x2_pmax(f64x2_sub(low_x.0, max_x.0), f64x2_sub(min_x.0, high_x.0));
        let y = f64x2_pmax(f64x2_sub(low_y.0, max_y.0), f64x2_sub(min_y.0, high_y.0));
        let (x, y) = (f64x2_pmax(f64x2_splat(0.0), x), f64x2_pmax(f64x2_splat(0.0), y));
        Self(f64x2_add(f64x2_mul(x, x), f64x2_mul(y, y)))
    }

    #[inline(always)]
    fn up_to(squares: Self, limit: f64) -> u32 {
        i64x2_bitmask(f64x2_le(squares.0, f64x2_splat(limit))).into()
    }

    #[inline(always)]
    fn store(Self(squares): Self, list: &mut [f64; LANES], at: usize) {
        (list[at], list[at + 1]) = (f64x2_extract_lane::<0>(squares), f64x2_extract_lane::<1>(squares));
    }
}

/// There is no better kernel to find.
#[inline(always)]
pub(super) fn best() -> Option<Best> {
    None
}

/// See [`super::prefetch`]: not available here.
#[inline(always)]
pub(super) fn prefetch<T>(_: *const T) {}

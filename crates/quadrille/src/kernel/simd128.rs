//! Comparing with the vectors of WebAssembly. A program has them or has them not as a whole (`-C
//! target-feature=+simd128`), so nothing here is unsafe.

use core::arch::wasm32::{
    f32x4, f32x4_add, f32x4_le, f32x4_mul, f32x4_pmax, f32x4_splat, f32x4_sub, f64x2, f64x2_add, f64x2_extract_lane,
    f64x2_le, f64x2_mul, f64x2_pmax, f64x2_promote_low_f32x4, f64x2_splat, f64x2_sub, i32x4_bitmask, i32x4_shuffle,
    i64x2_bitmask, v128, v128_and,
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

    computes! {
        f32, K,;
        f32x4_splat, f32x4_le, v128_and, i32x4_bitmask;
        f32x4_sub, f32x4_pmax, f32x4_add, f32x4_mul
    }

    #[inline(always)]
    fn load(_: K, column: &[f32], at: usize) -> Self {
        let [a, b, c, d] = *vector::part(column, at);
        // Compiled to one instruction.
        Self(f32x4(a, b, c, d))
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

    computes! {
        f64, K,;
        f64x2_splat, f64x2_le, v128_and, i64x2_bitmask;
        f64x2_sub, f64x2_pmax, f64x2_add, f64x2_mul
    }

    #[inline(always)]
    fn load(_: K, column: &[f64], at: usize) -> Self {
        let [a, b] = *vector::part(column, at);
        // Compiled to one instruction.
        Self(f64x2(a, b))
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

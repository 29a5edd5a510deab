//! Comparing with the vectors of WebAssembly. A program has them or has them not as a whole (`-C
//! target-feature=+simd128`), so nothing here is unsafe.

use core::arch::wasm32::{
    f32x4, f32x4_add, f32x4_ge, f32x4_le, f32x4_max, f32x4_mul, f32x4_splat, f32x4_sub, i32x4_bitmask, v128, v128_and,
};

use super::vector::{self, Limits, Vector};

pub(super) use super::Baseline as Best;
pub(super) use Four as Usual;
pub(super) use Four as Widest;
pub(super) type WidestF64 = f64;

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

    #[inline(always)]
    fn are_near(_: K, ones: [Self; 4], others: [Self; 4], limits: Limits) -> [u32; 2] {
        let [min_x, min_y, max_x, max_y] = ones;
        let [low_x, low_y, high_x, high_y] = others;
        let x = f32x4_max(f32x4_sub(low_x.0, max_x.0), f32x4_sub(min_x.0, high_x.0));
        let y = f32x4_max(f32x4_sub(low_y.0, max_y.0), f32x4_sub(min_y.0, high_y.0));
        let (x, y) = (f32x4_max(x, f32x4_splat(0.0)), f32x4_max(y, f32x4_splat(0.0)));
        let squares = f32x4_add(f32x4_mul(x, x), f32x4_mul(y, y));
        limits.narrow().map(|limit| i32x4_bitmask(f32x4_le(squares, f32x4_splat(limit))).into())
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

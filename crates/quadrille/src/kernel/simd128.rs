//! Comparing with the vectors of WebAssembly. A program has them or has them not as a whole (`-C
//! target-feature=+simd128`), so nothing here is unsafe.

use core::arch::wasm32::{f32x4, f32x4_ge, f32x4_le, f32x4_splat, i32x4_bitmask, v128, v128_and};

use super::vector::{self, Vector};

pub(super) use super::Baseline as Best;
pub(super) use Four as Usual;
pub(super) use Four as Widest;

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
}

/// There is nothing to be found.
#[inline(always)]
pub(super) fn best() -> Option<Best> {
    None
}

/// See [`super::prefetch`]: it cannot be asked for.
#[inline(always)]
pub(super) fn prefetch<T>(_: *const T) {}

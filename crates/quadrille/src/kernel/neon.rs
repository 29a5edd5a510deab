//! Comparing with NEON, on aarch64 targets that are compiled for it.
//!
//! Obligations of the unsafe code, and how they are met:
//!
//! - *Instructions must exist.* This file is compiled only if the whole program has them.
//! - *Reads and writes must stay within their arrays.* Four numbers are read through a reference to four, and written
//!   through one.

#![expect(
    unsafe_code,
    reason = "instructions of one machine; in the same few places as on x86-64, where the gain is measured"
)]

use core::arch::aarch64::{
    float32x4_t, vaddq_f32, vaddvq_u32, vandq_u32, vcgeq_f32, vcleq_f32, vdupq_n_f32, vld1q_f32, vld1q_u32, vmaxq_f32,
    vmulq_f32, vst1q_f32, vsubq_f32,
};

use super::LANES;
use super::vector::{self, Vector};

pub(super) use super::Baseline as Best;
pub(super) use Four as Usual;
pub(super) use Four as Widest;
pub(super) type UsualF64 = f64;
pub(super) type WidestF64 = f64;

/// Four numbers in one register.
#[derive(Clone, Copy, Debug)]
pub struct Four(float32x4_t);

impl<K> Vector<K, f32> for Four {
    const WIDTH: usize = 4;

    #[inline(always)]
    fn splat(_: K, number: f32) -> Self {
        // SAFETY: the program has NEON.
        Self(unsafe { vdupq_n_f32(number) })
    }

    #[inline(always)]
    fn load(_: K, column: &[f32], at: usize) -> Self {
        let four: &[f32; 4] = vector::part(column, at);
        // SAFETY: the program has NEON; these are four numbers.
        Self(unsafe { vld1q_f32(four.as_ptr()) })
    }

    #[inline(always)]
    fn meet([min_x, min_y, max_x, max_y]: [Self; 4], [low_x, low_y, high_x, high_y]: [Self; 4]) -> u32 {
        // SAFETY: the program has NEON; the bits are four numbers.
        unsafe {
            let in_x = vandq_u32(vcleq_f32(min_x.0, high_x.0), vcgeq_f32(max_x.0, low_x.0));
            let in_y = vandq_u32(vcleq_f32(min_y.0, high_y.0), vcgeq_f32(max_y.0, low_y.0));
            let bits = vld1q_u32([1, 2, 4, 8].as_ptr());
            vaddvq_u32(vandq_u32(vandq_u32(in_x, in_y), bits))
        }
    }

    type Squares = Self;

    #[inline(always)]
    fn squares([min_x, min_y, max_x, max_y]: [Self; 4], [low_x, low_y, high_x, high_y]: [Self; 4]) -> Self {
        // SAFETY: the program has NEON.
        unsafe {
            let x = vmaxq_f32(vsubq_f32(low_x.0, max_x.0), vsubq_f32(min_x.0, high_x.0));
            let y = vmaxq_f32(vsubq_f32(low_y.0, max_y.0), vsubq_f32(min_y.0, high_y.0));
            let (x, y) = (vmaxq_f32(x, vdupq_n_f32(0.0)), vmaxq_f32(y, vdupq_n_f32(0.0)));
            Self(vaddq_f32(vmulq_f32(x, x), vmulq_f32(y, y)))
        }
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the slack is wider")]
    fn up_to(squares: Self, limit: f64) -> u32 {
        // SAFETY: the program has NEON; the bits are four numbers.
        unsafe {
            let bits = vld1q_u32([1, 2, 4, 8].as_ptr());
            vaddvq_u32(vandq_u32(vcleq_f32(squares.0, vdupq_n_f32(limit as f32)), bits))
        }
    }

    #[inline(always)]
    fn store(squares: Self, list: &mut [f64; LANES], at: usize) {
        let mut four = [0.0_f32; 4];
        // SAFETY: the program has NEON; four numbers are written to four.
        unsafe { vst1q_f32(four.as_mut_ptr(), squares.0) };
        list[at..at + 4].copy_from_slice(&four.map(f64::from));
    }
}

/// There is no better kernel to find.
#[inline(always)]
pub(super) fn best() -> Option<Best> {
    None
}

/// See [`super::prefetch`]: stable Rust has no function for it.
#[inline(always)]
pub(super) fn prefetch<T>(_: *const T) {}

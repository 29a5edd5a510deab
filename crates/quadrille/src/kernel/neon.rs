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
    float32x4_t, uint32x4_t, vaddq_f32, vaddvq_u32, vandq_u32, vcleq_f32, vdupq_n_f32, vld1q_f32, vld1q_u32, vmaxq_f32,
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

    // SAFETY: the program has NEON.
    computes! {
        f32, K, unsafe;
        vdupq_n_f32, vcleq_f32, vandq_u32, mask;
        vsubq_f32, vmaxq_f32, vaddq_f32, vmulq_f32
    }

    #[inline(always)]
    fn load(_: K, column: &[f32], at: usize) -> Self {
        let four: &[f32; 4] = vector::part(column, at);
        // SAFETY: the program has NEON; these are four numbers.
        Self(unsafe { vld1q_f32(four.as_ptr()) })
    }

    #[inline(always)]
    fn store(squares: Self, list: &mut [f64; LANES], at: usize) {
        let mut four = [0.0_f32; 4];
        // SAFETY: the program has NEON; four numbers are written to four.
        unsafe { vst1q_f32(four.as_mut_ptr(), squares.0) };
        list[at..at + 4].copy_from_slice(&four.map(f64::from));
    }
}

/// The sign of each place, as bits.
///
/// # Safety
/// The program has NEON.
#[inline(always)]
unsafe fn mask(places: uint32x4_t) -> u32 {
    // SAFETY: the program has NEON; the bits are four numbers.
    unsafe { vaddvq_u32(vandq_u32(places, vld1q_u32([1, 2, 4, 8].as_ptr()))) }
}

/// There is no better kernel to find.
#[inline(always)]
pub(super) fn best() -> Option<Best> {
    None
}

/// See [`super::prefetch`]: stable Rust has no function for it.
#[inline(always)]
pub(super) fn prefetch<T>(_: *const T) {}

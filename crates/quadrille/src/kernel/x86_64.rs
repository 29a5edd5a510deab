//! Comparing with SSE2, which every x86-64 machine has; more if there is AVX2.
//!
//! Obligations of the unsafe code, and how they are met:
//!
//! - *Instructions must exist.* This file is compiled only if the whole program has SSE2.
//! - *Reads and writes must stay within their arrays.* Four numbers are read through a reference to four, and written
//!   to a slice of four. They need no alignment.

#![expect(
    unsafe_code,
    reason = "comparing four numbers at once takes 18.7 ns a box down to 10.8: see `bench/what-was-tried.md`"
)]

use core::arch::x86_64::{
    __m128, _MM_HINT_T0, _mm_add_ps, _mm_and_ps, _mm_cmple_ps, _mm_cvtps_pd, _mm_loadu_ps, _mm_max_ps, _mm_movehl_ps,
    _mm_movemask_ps, _mm_mul_ps, _mm_prefetch, _mm_set1_ps, _mm_storeu_pd, _mm_sub_ps,
};

use super::LANES;
use super::vector::{self, Vector};

mod avx2;

pub(super) use self::avx2::{Avx2 as Best, Eight as Widest, FourWide as WidestF64};
pub(super) type UsualF64 = f64;
pub(super) use Four as Usual;

/// Four numbers in one register.
#[derive(Clone, Copy, Debug)]
pub struct Four(__m128);

impl<K> Vector<K, f32> for Four {
    const WIDTH: usize = 4;

    // SAFETY: the program has SSE2.
    computes! {
        f32, K, unsafe;
        _mm_set1_ps, _mm_cmple_ps, _mm_and_ps, _mm_movemask_ps;
        _mm_sub_ps, _mm_max_ps, _mm_add_ps, _mm_mul_ps
    }

    #[inline(always)]
    fn load(_: K, column: &[f32], at: usize) -> Self {
        let four: &[f32; 4] = vector::part(column, at);
        // SAFETY: the program has SSE2; these are four numbers.
        Self(unsafe { _mm_loadu_ps(four.as_ptr()) })
    }

    #[inline(always)]
    fn store(Self(squares): Self, list: &mut [f64; LANES], at: usize) {
        let four = &mut list[at..at + 4];
        // SAFETY: the program has SSE2; two numbers are written at 0 and at 2 of four.
        unsafe {
            _mm_storeu_pd(four.as_mut_ptr(), _mm_cvtps_pd(squares));
            _mm_storeu_pd(four.as_mut_ptr().add(2), _mm_cvtps_pd(_mm_movehl_ps(squares, squares)));
        }
    }
}

/// AVX2, if the machine has it.
#[inline(always)]
pub(super) fn best() -> Option<Best> {
    Best::detect()
}

/// See [`super::prefetch`].
#[inline(always)]
pub(super) fn prefetch<T>(soon: *const T) {
    // SAFETY: SSE is part of x86-64, and a prefetch is a hint: it reads nothing and cannot fail, whatever the address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(soon.cast()) }
}

//! Comparing with SSE2, which every x86-64 machine has, and with AVX2 where there is that.
//!
//! The only unsafe code of the library. Its obligations, and how they are met:
//!
//! - *Instructions must exist.* Those of SSE2 do on every x86-64 machine. Those of AVX2 and its companions are used only by someone
//!   who holds an [`Avx2`], and [`Avx2::detect`] is the only place that makes one.
//! - *Reads must stay within their arrays.* Each column is a reference to sixteen numbers, of which four are read at 0, 4, 8 and 12,
//!   or eight at 0 and 8; or to eight numbers, which are read at 0 and 4, or all at once. Pairs are written to a place for eight of
//!   them. Neither reads nor writes need alignment.

#![expect(
    unsafe_code,
    reason = "comparing four or eight numbers at once takes 18.7 ns a box down to 10.8 or 8.7: see `kernel`"
)]

use core::arch::x86_64::{
    __m128, __m256, __m256i, _CMP_GE_OQ, _CMP_LE_OQ, _MM_HINT_T0, _mm_and_ps, _mm_cmpge_ps, _mm_cmple_ps,
    _mm_cvtsi64_si128, _mm_loadu_ps, _mm_movemask_ps, _mm_prefetch, _mm_set1_ps, _mm_shufflelo_epi16, _mm256_and_ps,
    _mm256_and_si256, _mm256_cmp_ps, _mm256_cvtepu8_epi32, _mm256_loadu_ps, _mm256_loadu_si256, _mm256_max_epu32,
    _mm256_min_epu32, _mm256_movemask_ps, _mm256_permutevar8x32_epi32, _mm256_set1_epi32, _mm256_set1_ps,
    _mm256_storeu_si256, _mm256_unpackhi_epi32, _mm256_unpacklo_epi32, _pdep_u64, _pext_u64,
};

use super::{Compare, HALF, Half, Kernel, LANES, Lanes, NUMBER, Task};
use crate::geometry::{Aabb, Scalar};

/// Proof that this machine has AVX2 and the bit instructions that came with it.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// Asks the machine; the answer is remembered by the standard library. Without that, only what the compiler was told counts.
    #[inline]
    pub(super) fn detect() -> Option<Self> {
        #[cfg(feature = "std")]
        let found = std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("lzcnt")
            && std::is_x86_feature_detected!("popcnt");
        #[cfg(not(feature = "std"))]
        let found = cfg!(all(
            target_feature = "avx2",
            target_feature = "bmi1",
            target_feature = "bmi2",
            target_feature = "lzcnt",
            target_feature = "popcnt"
        ));
        found.then_some(Self(()))
    }

    /// Runs a task compiled for AVX2.
    #[inline]
    pub(super) fn run<T: Task>(self, task: T) -> T::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn with_avx2<T: Task>(avx2: Avx2, task: T) -> T::Output {
            task.run(avx2)
        }
        // SAFETY: `self` proves that the machine has these instructions.
        unsafe { with_avx2(self, task) }
    }
}

/// See [`super::prefetch`].
#[inline(always)]
pub(super) fn prefetch<T>(soon: &T) {
    // SAFETY: SSE is part of x86-64, and a prefetch is a hint: it reads nothing and cannot fail, whatever the address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(soon).cast()) }
}

impl Kernel for Avx2 {
    #[inline(always)]
    fn touching<S: Scalar>(self, lanes: &Lanes<'_, S>, bounds: &Aabb<S>) -> u32 {
        S::touching_avx2(self, (*bounds).into(), lanes)
    }

    #[inline(always)]
    fn abreast<S: Scalar>(self, ones: &Half<'_, S>, others: &Half<'_, S>) -> u32 {
        S::abreast_avx2(self, ones, others)
    }

    /// The numbers of the bits that are set, one a byte, are drawn together by two bit instructions, and then say what to take from where.
    #[inline(always)]
    fn pair_up(self, ones: &[u32; HALF], others: &[u32; HALF], mask: u32, pairs: &mut [[u32; 2]; HALF]) {
        // SAFETY: `Avx2` proves that the machine has AVX2 and BMI2; eight numbers are read of eight, eight pairs written of eight.
        unsafe {
            let bytes = _pdep_u64(mask.into(), 0x0101_0101_0101_0101) * 0xFF;
            let set = _mm_cvtsi64_si128(_pext_u64(0x0706_0504_0302_0100, bytes) as i64);
            // In the order 0 1 4 5 2 3 6 7, which interleaving below turns into 0 to 7.
            let set = _mm256_cvtepu8_epi32(_mm_shufflelo_epi16::<0b11_01_10_00>(set));
            let number = _mm256_set1_epi32(NUMBER as i32);
            let ones = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(ones.as_ptr().cast()), set);
            let others = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(others.as_ptr().cast()), set);
            let (ones, others) = (_mm256_and_si256(ones, number), _mm256_and_si256(others, number));
            let (low, high) = (_mm256_min_epu32(ones, others), _mm256_max_epu32(ones, others));
            let pairs = pairs.as_mut_ptr().cast::<__m256i>();
            _mm256_storeu_si256(pairs, _mm256_unpacklo_epi32(low, high));
            _mm256_storeu_si256(pairs.add(1), _mm256_unpackhi_epi32(low, high));
        }
    }
}

impl Compare for f32 {
    #[inline(always)]
    fn touching(bounds: [Self; 4], lanes: &Lanes<'_, Self>) -> u32 {
        // SAFETY: SSE2 is part of x86-64; `at` is 0, 4, 8 or 12.
        unsafe {
            let [low_x, low_y, high_x, high_y] = bounds.map(|edge| _mm_set1_ps(edge));
            let mut mask = 0;
            for at in (0..LANES).step_by(4) {
                let [min_x, min_y, max_x, max_y]: [__m128; 4] = lanes.map(|lane| _mm_loadu_ps(lane.as_ptr().add(at)));
                let in_x = _mm_and_ps(_mm_cmple_ps(min_x, high_x), _mm_cmpge_ps(max_x, low_x));
                let in_y = _mm_and_ps(_mm_cmple_ps(min_y, high_y), _mm_cmpge_ps(max_y, low_y));
                mask |= (_mm_movemask_ps(_mm_and_ps(in_x, in_y)) as u32) << at;
            }
            mask
        }
    }

    #[inline(always)]
    fn abreast(ones: &Half<'_, Self>, others: &Half<'_, Self>) -> u32 {
        // SAFETY: SSE2 is part of x86-64; `at` is 0 or 4.
        unsafe {
            let mut mask = 0;
            for at in (0..HALF).step_by(4) {
                let [min_x, min_y, max_x, max_y]: [__m128; 4] = ones.map(|one| _mm_loadu_ps(one.as_ptr().add(at)));
                let [low_x, low_y, high_x, high_y] = others.map(|other| _mm_loadu_ps(other.as_ptr().add(at)));
                let in_x = _mm_and_ps(_mm_cmple_ps(min_x, high_x), _mm_cmpge_ps(max_x, low_x));
                let in_y = _mm_and_ps(_mm_cmple_ps(min_y, high_y), _mm_cmpge_ps(max_y, low_y));
                mask |= (_mm_movemask_ps(_mm_and_ps(in_x, in_y)) as u32) << at;
            }
            mask
        }
    }

    #[inline(always)]
    fn abreast_avx2(_: Avx2, ones: &Half<'_, Self>, others: &Half<'_, Self>) -> u32 {
        // SAFETY: `Avx2` proves that the machine has AVX2; eight numbers are read of eight.
        unsafe {
            let in_x = _mm256_and_ps(
                _mm256_cmp_ps::<_CMP_LE_OQ>(_mm256_loadu_ps(ones[0].as_ptr()), _mm256_loadu_ps(others[2].as_ptr())),
                _mm256_cmp_ps::<_CMP_GE_OQ>(_mm256_loadu_ps(ones[2].as_ptr()), _mm256_loadu_ps(others[0].as_ptr())),
            );
            let in_y = _mm256_and_ps(
                _mm256_cmp_ps::<_CMP_LE_OQ>(_mm256_loadu_ps(ones[1].as_ptr()), _mm256_loadu_ps(others[3].as_ptr())),
                _mm256_cmp_ps::<_CMP_GE_OQ>(_mm256_loadu_ps(ones[3].as_ptr()), _mm256_loadu_ps(others[1].as_ptr())),
            );
            _mm256_movemask_ps(_mm256_and_ps(in_x, in_y)) as u32
        }
    }

    #[inline(always)]
    fn touching_avx2(_: Avx2, [low_x, low_y, high_x, high_y]: [Self; 4], lanes: &Lanes<'_, Self>) -> u32 {
        // SAFETY: `Avx2` proves that the machine has AVX2; `at` is 0 or 8. No closures here: their bodies would not be compiled for AVX2.
        unsafe {
            let (low_x, low_y) = (_mm256_set1_ps(low_x), _mm256_set1_ps(low_y));
            let (high_x, high_y) = (_mm256_set1_ps(high_x), _mm256_set1_ps(high_y));
            let mut mask = 0;
            for at in [0, 8] {
                let min_x: __m256 = _mm256_loadu_ps(lanes[0].as_ptr().add(at));
                let min_y = _mm256_loadu_ps(lanes[1].as_ptr().add(at));
                let max_x = _mm256_loadu_ps(lanes[2].as_ptr().add(at));
                let max_y = _mm256_loadu_ps(lanes[3].as_ptr().add(at));
                let in_x = _mm256_and_ps(
                    _mm256_cmp_ps::<_CMP_LE_OQ>(min_x, high_x),
                    _mm256_cmp_ps::<_CMP_GE_OQ>(max_x, low_x),
                );
                let in_y = _mm256_and_ps(
                    _mm256_cmp_ps::<_CMP_LE_OQ>(min_y, high_y),
                    _mm256_cmp_ps::<_CMP_GE_OQ>(max_y, low_y),
                );
                mask |= _mm256_movemask_ps(_mm256_and_ps(in_x, in_y)) << at;
            }
            mask as u32
        }
    }
}

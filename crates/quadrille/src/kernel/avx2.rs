//! Comparing, extracting pairs and gathering with AVX2, detected at run time.
//!
//! Obligations of the unsafe code, and how they are met:
//!
//! - *Instructions must exist.* AVX2 and its companions are used only by code that holds an [`Avx2`], an [`Eight`] or a
//!   [`FourWide`]. Only such code makes the last two, and only [`Avx2::detect`] makes the first.
//! - *Reads must stay within their arrays.* Eight numbers are read through a reference to eight, or of sixteen at 0 and
//!   8; four through a reference to four. Pairs are written eight at a time, to memory for eight, or of sixteen at 0 and
//!   behind at most eight. Columns to be filled are references to sixteen values, of which eight are written at 0 and 8.
//!   Neither reads nor writes need alignment.
//! - *Boxes that are gathered must exist.* Their numbers are compared with how many there are before the first is read.
//!   A box is four contiguous numbers, because it is declared so (`repr(C)`).

#![expect(
    unsafe_code,
    reason = "comparing eight numbers at once takes 18.7 ns a box down to 8.7: see `bench/what-was-tried.md`"
)]

use core::arch::x86_64::{
    __m256, __m256d, __m256i, _CMP_LE_OQ, _CMP_LT_OQ, _mm_cvtsi64_si128, _mm_loadu_ps, _mm_max_ps, _mm_min_ps,
    _mm_storeu_ps, _mm256_add_epi32, _mm256_add_pd, _mm256_add_ps, _mm256_and_pd, _mm256_and_ps, _mm256_and_si256,
    _mm256_blendv_epi8, _mm256_blendv_ps, _mm256_castps_si256, _mm256_castps128_ps256, _mm256_castps256_ps128,
    _mm256_castsi256_ps, _mm256_cmp_pd, _mm256_cmp_ps, _mm256_cmpgt_epi32, _mm256_cvtepu8_epi32, _mm256_cvtps_pd,
    _mm256_extractf128_ps, _mm256_insertf128_ps, _mm256_loadu_pd, _mm256_loadu_ps, _mm256_loadu_si256,
    _mm256_max_epu32, _mm256_max_pd, _mm256_max_ps, _mm256_min_epu32, _mm256_min_ps, _mm256_movemask_epi8,
    _mm256_movemask_pd, _mm256_movemask_ps, _mm256_mul_pd, _mm256_mul_ps, _mm256_or_si256, _mm256_permute_ps,
    _mm256_permutevar8x32_epi32, _mm256_set1_epi32, _mm256_set1_pd, _mm256_set1_ps, _mm256_setr_epi32,
    _mm256_shuffle_ps, _mm256_slli_epi32, _mm256_storeu_pd, _mm256_storeu_ps, _mm256_storeu_si256, _mm256_sub_pd,
    _mm256_sub_ps, _mm256_unpackhi_epi32, _mm256_unpackhi_ps, _mm256_unpacklo_epi32, _mm256_unpacklo_ps,
};
#[cfg(feature = "std")]
use core::sync::atomic::{AtomicU8, Ordering};

use crate::geometry::{Aabb, Scalar};
use crate::kernel::vector::{self, Vector};
use crate::kernel::{HALF, Kernel, LANES, Sixteen, Task};

/// All bits but the sign.
const NUMBER: u32 = u32::MAX >> 1;

/// Proof that this machine has AVX2 and the bit instructions that came with it.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// Detects AVX2, once. Without the standard library, only the compiler's target features count.
    #[inline(always)]
    pub(super) fn detect() -> Option<Self> {
        #[cfg(feature = "std")]
        let found = match FOUND.load(Ordering::Relaxed) {
            UNKNOWN => ask(),
            found => found == YES,
        };
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
}

/// The machine's answer. The standard library caches it too, but for one instruction set at a time, which takes ten
/// times as long to look up: too long to do for each node of a tree.
#[cfg(feature = "std")]
static FOUND: AtomicU8 = AtomicU8::new(UNKNOWN);
#[cfg(feature = "std")]
const UNKNOWN: u8 = 0;
#[cfg(feature = "std")]
const NO: u8 = 1;
#[cfg(feature = "std")]
const YES: u8 = 2;

#[cfg(feature = "std")]
#[cold]
#[inline(never)]
fn ask() -> bool {
    let found = std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("lzcnt")
        && std::is_x86_feature_detected!("popcnt");
    FOUND.store(if found { YES } else { NO }, Ordering::Relaxed);
    found
}

/// For each byte, the numbers of its set bits, in the order 0 1 4 5 2 3 6 7, which interleaving turns into 0 to
/// 7. (`pdep` and `pext` would need no table, but take up to a hundred times as long on AMD's processors before Zen 3.)
static SET_BITS: [u64; 256] = {
    let (mut table, mut byte) = ([0; 256], 0);
    while byte < table.len() {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte] |= (bit as u64) << (8 * [0, 1, 4, 5, 2, 3, 6, 7][count]);
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The numbers of the bits that are set, to be interleaved.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn lanes_of(byte: u8) -> __m256i {
    // SAFETY: the machine has AVX2.
    unsafe { _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(SET_BITS[usize::from(byte)] as i64)) }
}

/// Interleaves eight ids with eight others, the lesser of two first.
///
/// # Safety
/// The machine has AVX2, and there is room for eight pairs.
#[inline(always)]
unsafe fn write_pairs(ones: __m256i, others: __m256i, pairs: *mut [u32; 2]) {
    // SAFETY: the machine has AVX2, and there is room.
    unsafe {
        let (low, high) = (_mm256_min_epu32(ones, others), _mm256_max_epu32(ones, others));
        _mm256_storeu_si256(pairs.cast(), _mm256_unpacklo_epi32(low, high));
        _mm256_storeu_si256(pairs.cast::<__m256i>().add(1), _mm256_unpackhi_epi32(low, high));
    }
}

impl Kernel for Avx2 {
    type Numbers<S: Scalar> = S::Widest;

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn with_avx2<T: Task>(avx2: Avx2, task: T) -> T::Output {
            task.run(avx2)
        }
        // SAFETY: `self` proves that the machine has these instructions.
        unsafe { with_avx2(self, task) }
    }

    #[inline(always)]
    fn pair_up(self, numbers: &[u32; LANES], hit: u32, pairs: &mut [[u32; 2]; HALF]) {
        // SAFETY: `Avx2` proves that the machine has AVX2; eight numbers are read at 0 and at 8 of sixteen, eight pairs
        // written of eight.
        unsafe {
            let ones = _mm256_or_si256(lanes_of(hit as u8), _mm256_set1_epi32((hit >> 13 & 8) as i32));
            let others = _mm256_add_epi32(ones, _mm256_set1_epi32((hit >> 8 & 0xFF) as i32));
            let lower = _mm256_loadu_si256(numbers.as_ptr().cast());
            let upper = _mm256_loadu_si256(numbers.as_ptr().add(8).cast());
            write_pairs(of_sixteen(lower, upper, ones), of_sixteen(lower, upper, others), pairs.as_mut_ptr());
        }
    }

    /// The pairs of the first eight bits, and of the others behind them.
    #[inline(always)]
    fn pair_with(self, one: u32, others: &[u32; LANES], mask: u32, pairs: &mut [[u32; 2]; LANES]) {
        // SAFETY: `Avx2` proves that the machine has AVX2; eight numbers are read at 0 and at 8 of sixteen, eight pairs
        // written at 0 and at up to 8 of sixteen.
        unsafe {
            let one = _mm256_set1_epi32(one as i32);
            let lower = _mm256_loadu_si256(others.as_ptr().cast());
            let upper = _mm256_loadu_si256(others.as_ptr().add(8).cast());
            let [first, last] = [mask as u8, (mask >> 8) as u8];
            write_pairs(one, _mm256_permutevar8x32_epi32(lower, lanes_of(first)), pairs.as_mut_ptr());
            let behind = pairs.as_mut_ptr().add(first.count_ones() as usize);
            write_pairs(one, _mm256_permutevar8x32_epi32(upper, lanes_of(last)), behind);
        }
    }

    #[inline(always)]
    fn marks(self, numbers: &[u32; LANES]) -> u32 {
        // SAFETY: `Avx2` proves that the machine has AVX2; eight numbers are read at 0 and at 8.
        unsafe {
            let low = _mm256_movemask_ps(_mm256_loadu_ps(numbers.as_ptr().cast()));
            let high = _mm256_movemask_ps(_mm256_loadu_ps(numbers.as_ptr().add(8).cast()));
            (low | high << 8) as u32
        }
    }
}

/// Eight numbers in one register.
#[derive(Clone, Copy, Debug)]
pub struct Eight(__m256);

impl Vector<Avx2, f32> for Eight {
    const WIDTH: usize = 8;

    // SAFETY: an `Avx2` or an `Eight` exists only where AVX2 does.
    computes! {
        f32, Avx2, unsafe;
        _mm256_set1_ps, _mm256_cmp_ps::<_CMP_LE_OQ>, _mm256_and_ps, _mm256_movemask_ps;
        _mm256_sub_ps, _mm256_max_ps, _mm256_add_ps, _mm256_mul_ps
    }

    #[inline(always)]
    fn load(_: Avx2, column: &[f32], at: usize) -> Self {
        let eight: &[f32; 8] = vector::part(column, at);
        // SAFETY: `Avx2` proves that the machine has AVX2; these are eight numbers.
        Self(unsafe { _mm256_loadu_ps(eight.as_ptr()) })
    }

    #[inline(always)]
    fn store(Self(squares): Self, list: &mut [f64; LANES], at: usize) {
        let eight = &mut list[at..at + 8];
        // SAFETY: an `Eight` exists only where AVX2 does; four numbers are written at 0 and at 4 of eight.
        unsafe {
            let (lower, upper) = (_mm256_castps256_ps128(squares), _mm256_extractf128_ps::<1>(squares));
            _mm256_storeu_pd(eight.as_mut_ptr(), _mm256_cvtps_pd(lower));
            _mm256_storeu_pd(eight.as_mut_ptr().add(4), _mm256_cvtps_pd(upper));
        }
    }

    /// Compares each edge with the upper one along its axis, and its absolute value with infinity: comparisons with NaN
    /// are false.
    #[inline(always)]
    fn are_valid(_: Avx2, boxes: &[Aabb]) -> bool {
        let pairs = boxes.chunks_exact(2);
        let rest = pairs.remainder().iter().all(Aabb::is_valid);
        // SAFETY: `Avx2` proves that the machine has AVX2; two boxes are eight contiguous numbers, by their layout.
        unsafe {
            let number = _mm256_castsi256_ps(_mm256_set1_epi32(NUMBER as i32));
            let infinity = _mm256_set1_ps(f32::INFINITY);
            let mut valid = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
            for pair in pairs {
                let edges = _mm256_loadu_ps(pair.as_ptr().cast());
                let upper = _mm256_permute_ps::<0b11_10_11_10>(edges);
                let is_finite = _mm256_cmp_ps::<_CMP_LT_OQ>(_mm256_and_ps(edges, number), infinity);
                valid = _mm256_and_ps(valid, _mm256_and_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(edges, upper), is_finite));
            }
            rest & (_mm256_movemask_ps(valid) == 0xFF)
        }
    }

    #[inline(always)]
    fn gather(_: Avx2, boxes: &[Aabb], ids: &[u32; LANES], count: usize, columns: Sixteen<'_, f32>) -> [[f32; 4]; 2] {
        // SAFETY: `Avx2` proves that the machine has AVX2, and all lanes are ids of boxes. Eight numbers are read and
        // written at 0 and at 8 of sixteen.
        unsafe {
            let lanes = existing(ids, count, boxes.len());
            let (mut least, mut greatest) = (_mm256_set1_ps(f32::INFINITY), _mm256_set1_ps(f32::NEG_INFINITY));
            for at in [0, 8] {
                // Volatile: otherwise the compiler unpacks the registers id by id, which costs more than going through
                // memory.
                let lane_id = |lane: usize| lanes.as_ptr().add(at + lane).read_volatile();
                let a = two(boxes, lane_id(0), lane_id(4));
                let b = two(boxes, lane_id(1), lane_id(5));
                let c = two(boxes, lane_id(2), lane_id(6));
                let d = two(boxes, lane_id(3), lane_id(7));
                for one in [a, b, c, d] {
                    least = _mm256_min_ps(one, least);
                    greatest = _mm256_max_ps(one, greatest);
                }
                let (min_ab, max_ab) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
                let (min_cd, max_cd) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
                _mm256_storeu_ps(columns[0].as_mut_ptr().add(at), _mm256_shuffle_ps::<0b01_00_01_00>(min_ab, min_cd));
                _mm256_storeu_ps(columns[1].as_mut_ptr().add(at), _mm256_shuffle_ps::<0b11_10_11_10>(min_ab, min_cd));
                _mm256_storeu_ps(columns[2].as_mut_ptr().add(at), _mm256_shuffle_ps::<0b01_00_01_00>(max_ab, max_cd));
                _mm256_storeu_ps(columns[3].as_mut_ptr().add(at), _mm256_shuffle_ps::<0b11_10_11_10>(max_ab, max_cd));
            }
            let (mut low, mut high) = ([0.0; 4], [0.0; 4]);
            let least = _mm_min_ps(_mm256_extractf128_ps::<1>(least), _mm256_castps256_ps128(least));
            let greatest = _mm_max_ps(_mm256_extractf128_ps::<1>(greatest), _mm256_castps256_ps128(greatest));
            _mm_storeu_ps(low.as_mut_ptr(), least);
            _mm_storeu_ps(high.as_mut_ptr(), greatest);
            [low, high]
        }
    }
}

/// Four numbers of twice the width in one register.
#[derive(Clone, Copy, Debug)]
pub struct FourWide(__m256d);

impl Vector<Avx2, f64> for FourWide {
    const WIDTH: usize = 4;

    // SAFETY: an `Avx2` or a `FourWide` exists only where AVX2 does.
    computes! {
        f64, Avx2, unsafe;
        _mm256_set1_pd, _mm256_cmp_pd::<_CMP_LE_OQ>, _mm256_and_pd, _mm256_movemask_pd;
        _mm256_sub_pd, _mm256_max_pd, _mm256_add_pd, _mm256_mul_pd
    }

    #[inline(always)]
    fn load(_: Avx2, column: &[f64], at: usize) -> Self {
        let four: &[f64; 4] = vector::part(column, at);
        // SAFETY: `Avx2` proves that the machine has AVX2; these are four numbers.
        Self(unsafe { _mm256_loadu_pd(four.as_ptr()) })
    }

    #[inline(always)]
    fn store(squares: Self, list: &mut [f64; LANES], at: usize) {
        let four = &mut list[at..at + 4];
        // SAFETY: a `FourWide` exists only where AVX2 does; four numbers are written.
        unsafe { _mm256_storeu_pd(four.as_mut_ptr(), squares.0) };
    }
}

/// The first `count` ids, and then the last of them repeated.
///
/// # Panics
/// Panics if an id has no box.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn existing(ids: &[u32; LANES], count: usize, boxes: usize) -> [u32; LANES] {
    let last = ids[count - 1];
    let end = i32::try_from(boxes).unwrap_or(i32::MAX);
    let mut lanes = [0_u32; LANES];
    // SAFETY: the machine has AVX2; eight numbers are read and written at 0 and at 8 of sixteen.
    unsafe {
        let mut exist = _mm256_set1_epi32(-1);
        for at in [0, 8] {
            let lane = _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(at as i32));
            let behind = _mm256_cmpgt_epi32(lane, _mm256_set1_epi32(count as i32 - 1));
            let id = _mm256_loadu_si256(ids.as_ptr().add(at).cast());
            let id = _mm256_blendv_epi8(id, _mm256_set1_epi32(last as i32), behind);
            // None is negative, and all are below `end`.
            let is_number = _mm256_cmpgt_epi32(id, _mm256_set1_epi32(-1));
            let is_below = _mm256_cmpgt_epi32(_mm256_set1_epi32(end), id);
            exist = _mm256_and_si256(exist, _mm256_and_si256(is_number, is_below));
            _mm256_storeu_si256(lanes.as_mut_ptr().add(at).cast(), id);
        }
        assert!(_mm256_movemask_epi8(exist) == -1, "no box {lanes:?}");
    }
    lanes
}

/// Picks from sixteen numbers by lane, modulo sixteen.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn of_sixteen(lower: __m256i, upper: __m256i, lanes: __m256i) -> __m256i {
    // SAFETY: the machine has AVX2.
    unsafe {
        let (lower, upper) = (_mm256_permutevar8x32_epi32(lower, lanes), _mm256_permutevar8x32_epi32(upper, lanes));
        // Bit 3 selects one of the two. Blending reads the sign.
        let is_upper = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(lanes));
        _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(lower), _mm256_castsi256_ps(upper), is_upper))
    }
}

/// Two boxes in one register.
///
/// # Safety
/// The machine has AVX, and there are boxes `a` and `b`.
#[inline(always)]
unsafe fn two(boxes: &[Aabb<f32>], a: u32, b: u32) -> __m256 {
    debug_assert!((a.max(b) as usize) < boxes.len(), "{a} or {b} of {}", boxes.len());
    let numbers = boxes.as_ptr();
    // SAFETY: a box is four contiguous numbers, by its layout.
    unsafe {
        let a = _mm_loadu_ps(numbers.add(a as usize).cast());
        let b = _mm_loadu_ps(numbers.add(b as usize).cast());
        _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(a), b)
    }
}

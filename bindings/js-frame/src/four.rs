//! Four numbers at once, where WebAssembly has no instruction of its own.

pub(crate) use core::arch::wasm32::v128 as Four;
use core::arch::wasm32::{f32x4, f32x4_extract_lane, f32x4_ge, f32x4_le, i32x4_bitmask, i32x4_shuffle, v128_and};

/// Compiled to one instruction.
#[inline(always)]
pub(crate) fn load(column: &[f32], at: usize) -> Four {
    let column = &column[at..at + 4];
    f32x4(column[0], column[1], column[2], column[3])
}

/// Compiled to one instruction.
#[inline(always)]
pub(crate) fn store(four: Four, column: &mut [f32], at: usize) {
    let numbers = [
        f32x4_extract_lane::<0>(four),
        f32x4_extract_lane::<1>(four),
        f32x4_extract_lane::<2>(four),
        f32x4_extract_lane::<3>(four),
    ];
    column[at..at + 4].copy_from_slice(&numbers);
}

/// Four of the eight numbers in both, from the first, second, … on.
#[inline(always)]
pub(crate) fn ahead(by: usize, one: Four, other: Four) -> Four {
    match by {
        1 => i32x4_shuffle::<1, 2, 3, 4>(one, other),
        2 => i32x4_shuffle::<2, 3, 4, 5>(one, other),
        3 => i32x4_shuffle::<3, 4, 5, 6>(one, other),
        _ => other,
    }
}

/// Rows become columns.
#[inline(always)]
pub(crate) fn transposed([a, b, c, d]: [Four; 4]) -> [Four; 4] {
    let [low, high] = [i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b)];
    let [others_low, others_high] = [i32x4_shuffle::<0, 4, 1, 5>(c, d), i32x4_shuffle::<2, 6, 3, 7>(c, d)];
    [
        i32x4_shuffle::<0, 1, 4, 5>(low, others_low),
        i32x4_shuffle::<2, 3, 6, 7>(low, others_low),
        i32x4_shuffle::<0, 1, 4, 5>(high, others_high),
        i32x4_shuffle::<2, 3, 6, 7>(high, others_high),
    ]
}

#[inline(always)]
pub(crate) fn meet([x0, y0, x1, y1]: [Four; 4], [low_x, low_y, high_x, high_y]: [Four; 4]) -> u32 {
    let in_x = v128_and(f32x4_le(x0, high_x), f32x4_ge(x1, low_x));
    let in_y = v128_and(f32x4_le(y0, high_y), f32x4_ge(y1, low_y));
    i32x4_bitmask(v128_and(in_x, in_y)).into()
}

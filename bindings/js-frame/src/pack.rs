//! Sixteen boxes by columns.

use quadrille::Aabb;

/// Boxes in a pack. A bit for each fits in the masks below, and four registers hold a column.
pub(crate) const LANES: usize = 16;

/// Sixteen boxes by columns: lower x, lower y, upper x, upper y. Where there is none, all four are NaN, which touches
/// nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pack([[f32; LANES]; 4]);

impl Pack {
    pub(crate) const EMPTY: Self = Self([[f32::NAN; LANES]; 4]);
    /// Where there is no box.
    pub(crate) const NOTHING: Aabb<f32> = Aabb { min: [f32::NAN; 2], max: [f32::NAN; 2] };

    /// Hulls of packs, sixteen of them at most.
    pub(crate) fn of_hulls(packs: &[Self]) -> Self {
        let mut hulls = Self::EMPTY;
        packs.iter().enumerate().for_each(|(lane, pack)| hulls.set(lane, pack.hull()));
        hulls
    }

    #[inline(always)]
    pub(crate) fn get(&self, lane: usize) -> Aabb<f32> {
        Aabb::from(self.0.map(|column| column[lane % LANES]))
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, bounds: Aabb<f32>) {
        for (column, number) in self.0.iter_mut().zip(<[f32; 4]>::from(bounds)) {
            column[lane % LANES] = number;
        }
    }

    /// The smallest box around all; [`Aabb::EMPTY`] if there are none.
    pub(crate) fn hull(&self) -> Aabb<f32> {
        // Comparisons with NaN are false.
        let least = |column: &[f32; LANES]| column.iter().fold(f32::INFINITY, |a, &b| if b < a { b } else { a });
        let most = |column: &[f32; LANES]| column.iter().fold(f32::NEG_INFINITY, |a, &b| if b > a { b } else { a });
        let [x0, y0, x1, y1] = &self.0;
        Aabb { min: [least(x0), least(y0)], max: [most(x1), most(y1)] }
    }

    /// A bit for each box that shares a point with `bounds`.
    #[inline(always)]
    pub(crate) fn touching(&self, bounds: &Aabb<f32>) -> u32 {
        (0..LANES / 4).fold(0, |mask, part| mask | self.four(4 * part, bounds) << (4 * part))
    }

    #[cfg(target_feature = "simd128")]
    #[inline(always)]
    fn four(&self, at: usize, bounds: &Aabb<f32>) -> u32 {
        use core::arch::wasm32::{f32x4, f32x4_ge, f32x4_le, f32x4_splat, i32x4_bitmask, v128_and};
        // Compiled to one instruction.
        let [x0, y0, x1, y1] = self.0.each_ref().map(|all| f32x4(all[at], all[at + 1], all[at + 2], all[at + 3]));
        let in_x = v128_and(f32x4_le(x0, f32x4_splat(bounds.max[0])), f32x4_ge(x1, f32x4_splat(bounds.min[0])));
        let in_y = v128_and(f32x4_le(y0, f32x4_splat(bounds.max[1])), f32x4_ge(y1, f32x4_splat(bounds.min[1])));
        i32x4_bitmask(v128_and(in_x, in_y)).into()
    }

    #[cfg(not(target_feature = "simd128"))]
    fn four(&self, at: usize, bounds: &Aabb<f32>) -> u32 {
        (0..4).fold(0, |mask, lane| mask | u32::from(self.get(at + lane).intersects(bounds)) << lane)
    }
}

/// The bits that are set, lowest first.
#[inline(always)]
pub(crate) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let bit = mask.trailing_zeros() as usize;
        let is_set = mask != 0;
        mask &= mask.wrapping_sub(1);
        is_set.then_some(bit)
    })
}

//! A grid of bits that tells, without a search, which boxes are certainly far from all of a few.
//!
//! If a few shapes stand far apart and there are very many others, most of the others are near none of the few. Each
//! cell of a coarse grid has a bit that says whether one of the few boxes, grown by the distance, touches it; so a
//! single bit tells that a point is near none. The rest is joined as usual.
//!
//! Turning a coordinate into a cell never reverses an order, however it is rounded. So boxes that overlap share a cell.

use quadrille::Aabb;

/// Cells of the grid per box of the few. More: finer, but slower to mark and look up.
const CELLS: f64 = 64.0;
/// Cells along a side, at most: half a megabyte of bits.
const MOST: f64 = 2048.0;
/// How many times as many boxes the larger set must have: otherwise the grid costs more than it saves.
const RATIO: usize = 8;
/// The most cells looked up per box along each axis.
const WIDEST: usize = 4;
/// How many of the many are tried, and the greatest share of them that may remain.
const TRIED: usize = 512;
const STAY: f64 = 0.5;

/// Cells that a few boxes touch.
#[derive(Debug)]
pub(crate) struct Sieve {
    hull: Aabb<f64>,
    side: usize,
    /// Cells per unit, along each axis.
    scale: [f64; 2],
    bits: Vec<u64>,
}

impl Sieve {
    /// The numbers of those of `many` that may be no farther than `margin` from one of `few`; `None` if finding out
    /// does not pay.
    pub(crate) fn sift(few: &[Aabb<f64>], margin: f64, many: &[Aabb<f64>]) -> Option<Vec<u32>> {
        if few.is_empty() || many.len() / RATIO < few.len() {
            return None;
        }
        let sieve = Self::over(few, margin)?;
        let step = (many.len() / TRIED).max(1);
        let tried = many.iter().step_by(step);
        let staying = tried.clone().filter(|bounds| sieve.may_be_near(bounds)).count();
        if staying as f64 > STAY * tried.count() as f64 {
            return None;
        }
        Some((0..).zip(many).filter(|(_, bounds)| sieve.may_be_near(bounds)).map(|(number, _)| number).collect())
    }

    /// Marks the cells; `None` if most would be marked.
    fn over(few: &[Aabb<f64>], margin: f64) -> Option<Self> {
        let hull = few.iter().fold(Aabb::EMPTY, |hull, one| hull.union(&one.grown(margin)));
        let side = (few.len() as f64 * CELLS).sqrt().clamp(1.0, MOST);
        let scale = [0, 1].map(|axis| side / (hull.max[axis] - hull.min[axis]));
        // All boxes on one line, or numbers too large or too small for this.
        if !scale.iter().all(|scale| scale.is_normal()) {
            return None;
        }
        let side = side as usize;
        let mut sieve = Self { hull, side, scale, bits: vec![0; (side * side).div_ceil(64)] };
        let mut left = side * side / 2;
        for one in few {
            let [columns, rows] = sieve.cells(&one.grown(margin));
            let count = (columns[1] - columns[0] + 1) * (rows[1] - rows[0] + 1);
            left = left.checked_sub(count)?;
            for row in rows[0]..=rows[1] {
                for cell in row * side + columns[0]..=row * side + columns[1] {
                    sieve.bits[cell / 64] |= 1 << (cell % 64);
                }
            }
        }
        Some(sieve)
    }

    /// The first cell and the last, along each axis.
    fn cells(&self, bounds: &Aabb<f64>) -> [[usize; 2]; 2] {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it saturates: what is outside is in the outermost cell"
        )]
        let cell = |axis: usize, at: f64| (((at - self.hull.min[axis]) * self.scale[axis]) as usize).min(self.side - 1);
        [0, 1].map(|axis| [cell(axis, bounds.min[axis]), cell(axis, bounds.max[axis])])
    }

    fn may_be_near(&self, bounds: &Aabb<f64>) -> bool {
        if !self.hull.intersects(bounds) {
            return false;
        }
        let [columns, rows] = self.cells(bounds);
        if columns[1] - columns[0] >= WIDEST || rows[1] - rows[0] >= WIDEST {
            return true;
        }
        let is_marked = |cell: usize| self.bits[cell / 64] >> (cell % 64) & 1 != 0;
        (rows[0]..=rows[1]).any(|row| (columns[0]..=columns[1]).any(|column| is_marked(row * self.side + column)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crowd(random: &mut fastrand::Rng, count: usize, wide: f64) -> Vec<Aabb<f64>> {
        let mut at = || [0, 1].map(|_| (random.f64() * 1000.0).round() / 10.0);
        let boxes: Vec<_> = (0..count).map(|_| (at(), at())).collect();
        boxes.iter().map(|(at, size)| Aabb::new(*at, [0, 1].map(|axis| at[axis] + size[axis] * wide / 100.0))).collect()
    }

    #[test]
    fn what_is_left_out_is_far_from_all() {
        let mut random = fastrand::Rng::with_seed(51);
        let (mut left_out, mut tried) = (0, 0);
        for round in 0..60 {
            let few = crowd(&mut random, 1 + round % 9, [0.0, 2.0][round % 2]);
            let many = crowd(&mut random, 300, [0.0, 30.0][round / 2 % 2]);
            let margin = [0.0, 0.1, 3.0][round % 3];
            let near = |one: &Aabb<f64>| few.iter().any(|other| one.distance(other) <= margin);
            tried += many.len();
            let Some(staying) = Sieve::sift(&few, margin, &many) else { continue };
            let staying_boxes: Vec<_> =
                (0..).zip(&many).filter(|(_, one)| near(one)).map(|(number, _)| number).collect();
            assert!(staying_boxes.iter().all(|number| staying.binary_search(number).is_ok()), "{few:?} {margin}");
            left_out += many.len() - staying.len();
        }
        assert!(left_out > tried / 4, "{left_out} of {tried}");
    }

    #[test]
    fn what_it_cannot_do_is_left_to_the_search() {
        let many = vec![Aabb::from_point([1.0, 1.0]); 100];
        for few in [
            vec![],
            vec![Aabb::from_point([5.0, 5.0]); 3],
            vec![Aabb::from_point([0.0, 0.0]), Aabb::from_point([1e308, 1e-320])],
            vec![Aabb::new([0.0, 0.0], [9.0, 9.0])],
            vec![Aabb::new([-1e308; 2], [1e308; 2])],
        ] {
            assert_eq!(Sieve::sift(&few, 0.0, &many), None, "{few:?}");
        }
        assert_eq!(
            Sieve::sift(&[Aabb::new([5.0; 2], [6.0; 2]), Aabb::new([50.0; 2], [60.0; 2])], 1.0, &many),
            Some(vec![])
        );
    }
}

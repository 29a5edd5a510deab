//! How many others each box overlaps, without finding pairs: a million equal boxes form half a trillion of them.
//!
//! A box does not overlap those that are entirely to the left, to the right, below or above. No box is both left and
//! right, or both below and above, so only the four corners are counted twice:
//!
//! ```text
//! others = all - left - right - below - above
//!        + left and below + left and above + right and below + right and above
//! ```
//!
//! A side is a search in a sorted list; a corner is the number of points to the lower left of a point, found for all
//! boxes in one walk from left to right over a Fenwick tree (Peter M. Fenwick, 1994). In all n log n, whatever overlaps.

use quadrille::Aabb;

/// How many other boxes each box overlaps; touching is overlapping.
pub(super) fn partners(boxes: &[Aabb<f64>]) -> Vec<u32> {
    // May be negative in between, while corners are counted twice.
    let mut counts = vec![boxes.len() as i64 - 1; boxes.len()];
    for axis in 0..2 {
        let mins = sorted(boxes.iter().map(|bounds| bounds.min[axis]));
        let maxs = sorted(boxes.iter().map(|bounds| bounds.max[axis]));
        for (count, bounds) in counts.iter_mut().zip(boxes) {
            let before = maxs.partition_point(|max| *max < bounds.min[axis]);
            let behind = mins.len() - mins.partition_point(|min| *min <= bounds.max[axis]);
            *count -= (before + behind) as i64;
        }
    }
    for [from_right, from_above] in [[false, false], [false, true], [true, false], [true, true]] {
        // Mirrored, greatest coordinates become least ones.
        let near =
            |bounds: &Aabb<f64>| [(from_right, 0), (from_above, 1)].map(|(flips, axis)| least(bounds, flips, axis));
        let far =
            |bounds: &Aabb<f64>| [(from_right, 0), (from_above, 1)].map(|(flips, axis)| -least(bounds, !flips, axis));
        let ends: Vec<_> = boxes.iter().map(far).collect();
        let starts: Vec<_> = boxes.iter().map(near).collect();
        for (count, corner) in counts.iter_mut().zip(lower_left(&ends, &starts)) {
            *count += i64::from(corner);
        }
    }
    counts.into_iter().map(|count| u32::try_from(count).unwrap_or(u32::MAX)).collect()
}

/// The least coordinate of a box, or of its mirror image.
fn least(bounds: &Aabb<f64>, flips: bool, axis: usize) -> f64 {
    if flips { -bounds.max[axis] } else { bounds.min[axis] }
}

fn sorted(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_unstable_by(f64::total_cmp);
    numbers
}

/// For each of `places`, how many `points` have both a lesser x and a lesser y.
fn lower_left(points: &[[f64; 2]], places: &[[f64; 2]]) -> Vec<u32> {
    let by_x = |all: &[[f64; 2]]| {
        let mut order: Vec<u32> = (0..).take(all.len()).collect();
        order.sort_unstable_by(|a, b| all[*a as usize][0].total_cmp(&all[*b as usize][0]));
        order
    };
    let ys = sorted(points.iter().map(|point| point[1]));
    let rank = |y: f64| ys.partition_point(|other| *other < y);
    let (mut tree, mut counts) = (Tree(vec![0; points.len() + 1]), vec![0; places.len()]);
    let mut waiting = by_x(points).into_iter().map(|number| points[number as usize]).peekable();
    for number in by_x(places) {
        let [x, y] = places[number as usize];
        while let Some(point) = waiting.next_if(|point| point[0] < x) {
            tree.add(rank(point[1]));
        }
        counts[number as usize] = tree.count_below(rank(y));
    }
    counts
}

/// Counts by rank, whose prefix sums take logarithmic time.
struct Tree(Vec<u32>);

impl Tree {
    fn add(&mut self, rank: usize) {
        let mut place = rank + 1;
        while let Some(count) = self.0.get_mut(place) {
            *count += 1;
            place += place & place.wrapping_neg();
        }
    }

    fn count_below(&self, rank: usize) -> u32 {
        let (mut place, mut sum) = (rank, 0);
        while place > 0 {
            sum += self.0[place];
            place &= place - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plainly(boxes: &[Aabb<f64>]) -> Vec<u32> {
        let others = |one: &Aabb<f64>| boxes.iter().filter(|other| other.intersects(one)).count() as u32 - 1;
        boxes.iter().map(others).collect()
    }

    #[test]
    fn partners_are_those_of_brute_force() {
        let mut numbers = quadrille_scenes::Random::new(7);
        let mut random = |below: u32| f64::from(numbers.below(below));
        for round in 0..60 {
            // Whole numbers, so that many boxes touch; of all sizes, including zero.
            let (room, size) = ([8, 40, 400][round % 3], [1, 4, 30][round / 3 % 3]);
            let boxes: Vec<_> = (0..round * 3)
                .map(|_| Aabb::from_size([random(room) - 20.0, random(room)], [random(size), random(size)]))
                .collect();
            assert_eq!(partners(&boxes), plainly(&boxes), "round {round}");
        }
    }

    #[test]
    fn equal_boxes_zeros_of_both_signs_and_the_ends_of_the_numbers() {
        let all = [
            Aabb::new([0.0; 2], [1.0; 2]),
            Aabb::new([-1.0; 2], [-0.0; 2]),
            Aabb::new([f64::MIN; 2], [f64::MAX; 2]),
            Aabb::from_point([1e-300; 2]),
            Aabb::from_point([5.0, f64::MAX]),
        ];
        assert_eq!(partners(&all), plainly(&all));
        assert_eq!(partners(&[all[0]; 1_000]), vec![999; 1_000]);
        assert_eq!(partners(&[]), [0_u32; 0]);
    }
}

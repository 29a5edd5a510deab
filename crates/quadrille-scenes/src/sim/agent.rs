//! A disc, and the collision of two.

use crate::{Body, advance, keep_within};
use quadrille::Aabb;

/// A moving disc. 20 bytes, kept together: a collision reads all of it, at a random place in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agent {
    /// Its center.
    pub position: [f32; 2],
    /// Its displacement per step.
    pub velocity: [f32; 2],
    /// Its radius.
    pub radius: f32,
}

impl From<&Body> for Agent {
    /// The disc whose bounding square is as large as the body's box. A square box *is* that square.
    fn from(body: &Body) -> Self {
        let radius = (body.half[0] * body.half[1]).sqrt();
        Self { position: body.center, velocity: body.velocity, radius }
    }
}

impl Agent {
    /// Its bounding square.
    #[inline]
    pub fn bounds(&self) -> Aabb {
        Aabb::from_center(self.position, [self.radius; 2])
    }

    /// Flies straight for one step; walls mirror.
    #[inline]
    pub fn advance(&mut self, world: &Aabb) {
        advance(&mut self.position, &mut self.velocity, [self.radius; 2], world);
    }
}

/// Lets two discs collide if they overlap: `true` if they do.
///
/// All discs have the same mass, and collisions are elastic: approaching discs exchange their velocities along the line
/// between their centers, so momentum and energy are conserved. Approaching or not, they are pushed apart along that
/// line until they touch: equal discs by half the overlap each, unequal ones in proportion to area, the smaller making
/// way for the larger. Pushing both by half would throw a huge disc about whenever it lies on small ones.
#[inline]
pub fn collide(a: &mut Agent, b: &mut Agent, ids: (u32, u32), world: &Aabb) -> bool {
    let reach = a.radius + b.radius;
    let apart = [b.position[0] - a.position[0], b.position[1] - a.position[1]];
    let distance_squared = dot(apart, apart);
    if distance_squared >= reach * reach {
        return false;
    }
    // Below this the square has lost digits, and so would the direction.
    let (normal, distance) = if distance_squared >= f32::MIN_POSITIVE {
        let distance = distance_squared.sqrt();
        (apart.map(|length| length / distance), distance)
    } else {
        (some_direction(ids), 0.0)
    };

    let (area_a, area_b) = (a.radius * a.radius, b.radius * b.radius);
    let overlap = reach - distance;
    let push_a = overlap * (area_b / (area_a + area_b));
    let push_b = overlap - push_a;
    let approach = dot(a.velocity, normal) - dot(b.velocity, normal);
    let exchanged = approach.max(0.0);
    a.position = keep_within(moved(a.position, normal, -push_a), [a.radius; 2], world);
    b.position = keep_within(moved(b.position, normal, push_b), [b.radius; 2], world);
    a.velocity = moved(a.velocity, normal, -exchanged);
    b.velocity = moved(b.velocity, normal, exchanged);
    true
}

/// `vector`, and `length` along the unit vector `direction`.
#[inline]
fn moved(vector: [f32; 2], direction: [f32; 2], length: f32) -> [f32; 2] {
    [vector[0] + length * direction[0], vector[1] + length * direction[1]]
}

#[inline]
fn dot(a: [f32; 2], b: [f32; 2]) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

/// A unit vector for two discs in the same place. Any would do for one pair, but a pile bursts in all directions only
/// if its pairs differ, and every run must choose the same: so it comes from the ids.
#[cold]
fn some_direction((a, b): (u32, u32)) -> [f32; 2] {
    let key = u64::from(a) << 32 | u64::from(b);
    // Two rounds of multiplying and folding, enough to part neighboring ids. 2^64 / golden ratio, as usual.
    let hash = [0; 2].iter().fold(key, |hash, _: &u8| {
        let product = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        product ^ product >> 32
    });
    // Sixteen bits an axis, and never zero.
    let [x, y] = [hash >> 16, hash].map(|bits| f32::from(bits as u16) - 32767.5);
    let length = (x * x + y * y).sqrt();
    [x / length, y / length]
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORLD: Aabb = Aabb { min: [-100.0; 2], max: [100.0; 2] };

    fn disc(position: [f32; 2], velocity: [f32; 2], radius: f32) -> Agent {
        Agent { position, velocity, radius }
    }

    fn distance(a: &Agent, b: &Agent) -> f32 {
        let apart = [b.position[0] - a.position[0], b.position[1] - a.position[1]];
        dot(apart, apart).sqrt()
    }

    #[test]
    fn a_square_box_becomes_its_disc_and_a_long_one_a_disc_of_its_area() {
        let body = |half| Body { center: [1.0, 2.0], half, velocity: [3.0, 4.0] };
        assert_eq!(Agent::from(&body([0.7, 0.7])), disc([1.0, 2.0], [3.0, 4.0], 0.7));
        assert_eq!(Agent::from(&body([0.5, 8.0])).radius, 2.0);
    }

    #[test]
    fn head_on_discs_exchange_their_velocities_and_share_the_overlap() {
        let (mut a, mut b) = (disc([0.0, 0.0], [1.0, 0.0], 1.0), disc([1.5, 0.0], [-3.0, 0.0], 1.0));
        assert!(collide(&mut a, &mut b, (0, 1), &WORLD));
        assert_eq!((a.velocity, b.velocity), ([-3.0, 0.0], [1.0, 0.0]));
        assert_eq!((a.position, b.position), ([-0.25, 0.0], [1.75, 0.0]));
    }

    #[test]
    fn only_the_part_along_the_line_of_centres_is_exchanged() {
        let (mut a, mut b) = (disc([0.0, 0.0], [1.0, 2.0], 1.0), disc([1.5, 0.0], [0.0, 5.0], 1.0));
        assert!(collide(&mut a, &mut b, (0, 1), &WORLD));
        assert_eq!((a.velocity, b.velocity), ([0.0, 2.0], [1.0, 5.0]));
    }

    #[test]
    fn discs_that_part_already_are_only_pushed() {
        let (mut a, mut b) = (disc([0.0, 0.0], [-1.0, 0.0], 1.0), disc([0.0, 1.0], [0.0, 1.0], 1.0));
        assert!(collide(&mut a, &mut b, (0, 1), &WORLD));
        assert_eq!((a.velocity, b.velocity), ([-1.0, 0.0], [0.0, 1.0]));
        assert_eq!((a.position, b.position), ([0.0, -0.5], [0.0, 1.5]));
    }

    #[test]
    fn touching_is_no_collision_and_neither_are_corners_of_squares() {
        for position in [[2.0, 0.0], [1.5, 1.5]] {
            let (mut a, mut b) = (disc([0.0, 0.0], [1.0, 0.0], 1.0), disc(position, [-1.0, 0.0], 1.0));
            let before = (a, b);
            assert!(!collide(&mut a, &mut b, (0, 1), &WORLD));
            assert_eq!((a, b), before);
        }
    }

    #[test]
    fn the_smaller_disc_makes_way() {
        let (mut small, mut giant) = (disc([0.0, 0.0], [0.0, 0.0], 1.0), disc([5.0, 0.0], [0.0, 0.0], 7.0));
        assert!(collide(&mut small, &mut giant, (0, 1), &WORLD));
        let (way, giants_way) = (-small.position[0], giant.position[0] - 5.0);
        assert!((way / giants_way - 49.0).abs() < 1e-3, "{way} and {giants_way}");
        assert!((distance(&small, &giant) - 8.0).abs() < 1e-5);
    }

    #[test]
    fn coincident_discs_part_the_same_way_each_time_and_every_pair_its_own_way() {
        let part = |ids| {
            let mut a = disc([3.0, 4.0], [1.0, 0.0], 1.0);
            let mut b = a;
            assert!(collide(&mut a, &mut b, ids, &WORLD));
            assert!((distance(&a, &b) - 2.0).abs() < 1e-6, "{a:?} {b:?}");
            assert_eq!((a.velocity, b.velocity), ([1.0, 0.0], [1.0, 0.0]), "they fly alike, so they do not approach");
            (a, b)
        };
        assert_eq!(part((0, 1)), part((0, 1)));
        // The sum of 64 different unit vectors is short; of 64 like ones it would be 64 long.
        let sum = (1..=64).map(|high| some_direction((0, high))).fold([0.0; 2], |sum, one| moved(sum, one, 1.0));
        assert!(dot(sum, sum).sqrt() < 24.0, "{sum:?}");
    }

    #[test]
    fn discs_too_near_for_a_direction_part_too() {
        let (mut a, mut b) = (disc([0.0; 2], [0.0; 2], 1.0), disc([1e-30, 0.0], [0.0; 2], 1.0));
        assert!(collide(&mut a, &mut b, (0, 1), &WORLD));
        assert!((distance(&a, &b) - 2.0).abs() < 1e-6, "{a:?} {b:?}");
    }

    #[test]
    fn nobody_is_pushed_through_a_wall() {
        let (mut a, mut b) = (disc([98.5, 0.0], [0.0; 2], 1.0), disc([99.0, 0.0], [0.0; 2], 1.0));
        assert!(collide(&mut a, &mut b, (0, 1), &WORLD));
        assert_eq!((a.position[0], b.position[0]), (97.75, 99.0));
    }
}

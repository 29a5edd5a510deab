//! Our own scenes. One unit of length is half the side of a `uniform` box.

use quadrille::Aabb;

use crate::body::Body;
use crate::random::Random;

/// Half the side of an equal box, in units.
const HALF: f32 = 1.0;

/// The most that a box of equal size moves in one step, in units: an eighth of its side. Games at 60 steps per second
/// move about that far. Faster boxes change their neighbors and cells more often, and above one side per step they
/// could pass through each other undetected.
const SPEED: f32 = 0.25;

/// Fraction of the world that boxes of equal size cover: crowded, but not yet jammed when they are discs. Gives 0.4
/// pairs per box.
const COVERED: f32 = 0.2;

/// The square in which `n` boxes of this mean area cover `covered` of the area. Never smaller than for four boxes, so
/// that the largest box of a scene fits in.
fn world(n: usize, mean_area: f32, covered: f32) -> Aabb {
    let side = (n.max(4) as f32 * mean_area / covered).sqrt();
    Aabb::new([0.0; 2], [side; 2])
}

fn equal_world(n: usize) -> Aabb {
    world(n, 4.0 * HALF * HALF, COVERED)
}

fn equal_box(side: f32, random: &mut Random) -> Body {
    Body { center: random.in_square(side, HALF), half: [HALF; 2], velocity: random.in_disc(SPEED) }
}

/// Equal boxes, all moving.
pub(crate) fn uniform(n: usize, random: &mut Random) -> (Aabb, Vec<Body>) {
    let world = equal_world(n);
    (world, (0..n).map(|_| equal_box(world.max[0], random)).collect())
}

/// As `uniform`; every twentieth box moves.
pub(crate) fn still(n: usize, random: &mut Random) -> (Aabb, Vec<Body>) {
    let (world, mut bodies) = uniform(n, random);
    for (_, body) in bodies.iter_mut().enumerate().filter(|(i, _)| i % 20 != 0) {
        body.velocity = [0.0; 2];
    }
    (world, bodies)
}

/// As `uniform`; each even place is taken by a copy of the first of its heap, velocity and all, so that heaps stay
/// heaps.
pub(crate) fn pile(n: usize, random: &mut Random) -> (Aabb, Vec<Body>) {
    /// Boxes in a heap, which make 64 · 63 / 2 = 2016 pairs.
    const HEAP: usize = 64;
    let (world, mut bodies) = uniform(n, random);
    for i in (0..n).step_by(2) {
        bodies[i] = bodies[i - i % (2 * HEAP)];
    }
    (world, bodies)
}

/// Half sides from 0.5 to 16, as many in each of the five octaves and evenly within it, and one giant in 64 boxes but
/// at most eight: each overlaps about one in 64 of all boxes, so pairs stay linear in `n`.
pub(crate) fn mixed(n: usize, random: &mut Random) -> (Aabb, Vec<Body>) {
    const OCTAVES: u8 = 5;
    const SMALLEST: f32 = 0.5;
    const MOST_GIANTS: usize = 8;
    /// Half side of a giant as a share of the world's side.
    const GIANT: f32 = 1.0 / 16.0;
    // Mean of (2 · half)² over the octaves, where half = 0.5 · 2^k · (1 + u) with u uniform: (4^5 - 1) / 3 / 5 · 7 / 3.
    const MEAN_AREA: f32 = 1023.0 / 3.0 / 5.0 * 7.0 / 3.0;

    let world = world(n, MEAN_AREA, COVERED);
    let side = world.max[0];
    let giants = (n / 64).min(MOST_GIANTS);
    let body = |i| {
        let octave = (random.unit() * f32::from(OCTAVES)) as u8;
        let some = SMALLEST * f32::from(1_u8 << octave) * (1.0 + random.unit());
        let half = if i < giants { side * GIANT } else { some };
        Body { center: random.in_square(side, half), half: [half; 2], velocity: random.in_disc(2.0 * SPEED) }
    };
    (world, (0..n).map(body).collect())
}

/// Box `i` belongs to cluster `i` mod 64. A cluster drifts as one; its boxes move slowly within it and hardly disperse.
pub(crate) fn clustered(n: usize, random: &mut Random) -> (Aabb, Vec<Body>) {
    const CLUSTERS: usize = 64;
    const EMPTIER: f32 = 25.0;
    /// Deviation of a cluster as a share of the world's side: boxes cover half the area at a cluster's middle.
    const DEVIATION: f32 = 1.0 / 160.0;
    /// The sum of twelve uniform numbers goes no farther.
    const REACH: f32 = 6.0;
    /// Most that a box moves within its cluster in one step, in deviations: after a thousand steps the cluster is as
    /// good as new.
    const OWN_SPEED: f32 = 1.0 / 1000.0;

    let world = world(n, 4.0 * HALF * HALF, COVERED / EMPTIER);
    let side = world.max[0];
    let deviation = side * DEVIATION;
    let own_speed = (deviation * OWN_SPEED).min(SPEED / 2.0);
    let margin = REACH * deviation + HALF;
    let clusters: Vec<_> =
        (0..CLUSTERS).map(|_| (random.in_square(side, margin), random.in_disc(SPEED - own_speed))).collect();
    let body = |i: usize| {
        let (middle, drift) = clusters[i % CLUSTERS];
        let own = random.in_disc(own_speed);
        Body {
            center: middle.map(|middle| middle + deviation * random.gaussian()),
            half: [HALF; 2],
            velocity: [drift[0] + own[0], drift[1] + own[1]],
        }
    };
    (world, (0..n).map(body).collect())
}

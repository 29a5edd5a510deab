//! The three scenes of the 0fps benchmark: Mikola Lysenko, *Collision detection (part 3): Benchmarks*, 2015
//! (<https://0fps.net/2015/01/23/collision-detection-part-3-benchmarks/>), with the generators of its repositories
//! `mikolalysenko/box-intersect` and `mikolalysenko/box-intersect-benchmark`.
//!
//! The generators are written for d dimensions, and the benchmark itself was published for d = 2 and d = 3; here d = 2.
//! With U uniform in [0, 1) and a fresh draw each time:
//!
//! | | place | size, d dimensions | size, d = 2 |
//! |---|---|---|---|
//! | uniform | lower corner in [0, 1)^d | U · n^(-1/d) on each axis | U / √n |
//! | sphere | center at ½ + ½p, p on the unit sphere | to each side U · n^¼ / (8 n) on each axis | 2 · U · n^(-¾) / 8 |
//! | skewed | lower corner in [0, 1)^d | ½ on the last axis, U · n / n^d on the others | U / n by ½ |
//!
//! The history of the repositories has several versions of each: some with a world of side n, one of sphere without the
//! 8. These are the ones for the unit square, and for sphere the one whose 8 the others share.
//!
//! The boxes of the benchmark do not move. Here they move, slowly for their size, and the walls are placed so that they
//! enclose every box as it was drawn.
//!
//! Half a million `skewed` boxes are 10^-6 wide on average, sixteen times the distance from one `f32` just below 1 to
//! the next. So their sizes come in coarse steps, which is unavoidable in 32 bits.

use quadrille::Aabb;

use crate::body::Body;
use crate::random::Random;

/// The most that a box moves in one step, in mean half sizes: see `own::SPEED`.
const SPEED: f32 = 0.25;

/// Equally likely everywhere, sides up to n^(-½). About half a pair per box.
pub(crate) fn uniform(n: usize, random: &mut Random) -> (Aabb, Vec<Body>) {
    let longest = 1.0 / root(n);
    let body = |_| {
        let corner = random.in_square(1.0, 0.0);
        let size = [random.unit() * longest, random.unit() * longest];
        from_corner(corner, size, random.in_disc(SPEED * longest / 4.0))
    };
    (Aabb::new([0.0; 2], [1.0 + longest; 2]), (0..n).map(body).collect())
}

/// Small boxes on a circle, running along it in either direction: any other motion would blur it within a few frames.
/// Pairs per box grow as n^¼, from 0.2 at n = 500 to 0.7 at 100,000.
pub(crate) fn sphere(n: usize, random: &mut Random) -> (Aabb, Vec<Body>) {
    // n^¼ / (8 n) by square roots alone, which are the same on every machine.
    let longest = 1.0 / (8.0 * root(n) * root(n).sqrt());
    let body = |_| {
        let [x, y] = random.on_circle();
        let half = [random.unit() * longest, random.unit() * longest];
        let speed = random.between(-1.0, 1.0) * SPEED * longest / 2.0;
        Body { center: [0.5 + 0.5 * x, 0.5 + 0.5 * y], half, velocity: [-y * speed, x * speed] }
    };
    (Aabb::new([-longest; 2], [1.0 + longest; 2]), (0..n).map(body).collect())
}

/// Half the world high and U / n wide. About 0.375 pairs per box. Vertically a box moves as in `uniform`, horizontally
/// by up to a mean half width: less would be lost in rounding.
pub(crate) fn skewed(n: usize, random: &mut Random) -> (Aabb, Vec<Body>) {
    const HEIGHT: f32 = 0.5;
    let widest = 1.0 / n.max(1) as f32;
    let rise = SPEED / 4.0 / root(n);
    let body = |_| {
        let corner = random.in_square(1.0, 0.0);
        let size = [random.unit() * widest, HEIGHT];
        let [x, y] = random.in_disc(1.0);
        from_corner(corner, size, [x * SPEED * widest, y * rise])
    };
    (Aabb::new([0.0; 2], [1.0 + widest, 1.0 + HEIGHT]), (0..n).map(body).collect())
}

fn root(n: usize) -> f32 {
    (n.max(1) as f32).sqrt()
}

fn from_corner(corner: [f32; 2], size: [f32; 2], velocity: [f32; 2]) -> Body {
    let half = size.map(|side| side / 2.0);
    Body { center: [corner[0] + half[0], corner[1] + half[1]], half, velocity }
}

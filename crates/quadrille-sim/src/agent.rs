//! A disc, and what two discs do to each other.

use quadrille::Aabb;
use quadrille_scenes::{Body, advance, keep_within};

/// A disc on its way. 20 bytes, kept together: a collision reads all of it, at a random place in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agent {
    /// Where its middle is.
    pub position: [f32; 2],
    /// How far it goes in one step.
    pub velocity: [f32; 2],
    /// How far it reaches.
    pub radius: f32,
}

impl From<&Body> for Agent {
    /// The disc whose bounding square is as large as the body's box; a square box *is* that square.
    fn from(body: &Body) -> Self {
        let radius = (body.half[0] * body.half[1]).sqrt();
        Self { position: body.center, velocity: body.velocity, radius }
    }
}

impl Agent {
    /// Its bounding square.
    #[must_use]
    #[inline]
    pub fn bounds(&self) -> Aabb {
        Aabb::from_center(self.position, [self.radius; 2])
    }

    /// Flies straight for one step; walls mirror.
    #[inline]
    pub(crate) fn advance(&mut self, world: &Aabb) {
        advance(&mut self.position, &mut self.velocity, [self.radius; 2], world);
    }
}

/// Lets two discs collide if they overlap: `true` if they do.
///
/// All discs have the same mass, and collisions are elastic: discs that approach exchange their velocities along the line
/// between their middles, so momentum and energy stay. Whether they approach or not, they are pushed apart along that line
/// until they touch: equal discs by half the overlap each. Unequal ones share it by area, the smaller making way for the larger;
/// with halves a giant would be thrown about by the dwarfs it lies on.
#[inline]
pub(crate) fn collide(a: &mut Agent, b: &mut Agent, ids: (u32, u32), world: &Aabb) -> bool {
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

/// A unit vector for two discs in the same place. Any would do for one pair, but a heap bursts on all sides only if its
/// pairs differ, and every run must choose the same: so it comes from the ids.
#[cold]
fn some_direction((a, b): (u32, u32)) -> [f32; 2] {
    let key = u64::from(a) << 32 | u64::from(b);
    // Two rounds of multiplying and folding, enough to part neighbouring ids. 2^64 / golden ratio, as usual.
    let hash = [0; 2].iter().fold(key, |hash, _: &u8| {
        let product = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        product ^ product >> 32
    });
    // Sixteen bits an axis, and never zero.
    let [x, y] = [hash >> 16, hash].map(|bits| f32::from(bits as u16) - 32767.5);
    let length = (x * x + y * y).sqrt();
    [x / length, y / length]
}

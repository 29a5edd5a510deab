//! A box that moves, and the walls.

use quadrille::Aabb;

/// A box on its way. 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Where its middle is.
    pub center: [f32; 2],
    /// How far it reaches from there, x and y: half its width and half its height.
    pub half: [f32; 2],
    /// How far it goes in one step; zero for what stands still.
    pub velocity: [f32; 2],
}

impl Body {
    /// Its box now.
    #[must_use]
    #[inline]
    pub fn bounds(&self) -> Aabb {
        Aabb::from_center(self.center, self.half)
    }
}

/// Moves a body that reaches `half` from its centre by one step within the walls of `world`. What would go through a wall is
/// mirrored at it, and its velocity turned inwards.
#[inline]
pub fn advance(center: &mut [f32; 2], velocity: &mut [f32; 2], half: [f32; 2], world: &Aabb) {
    for axis in 0..2 {
        let (lo, hi) = (world.min[axis] + half[axis], world.max[axis] - half[axis]);
        center[axis] += velocity[axis];
        if center[axis] < lo {
            center[axis] = lo + (lo - center[axis]);
            velocity[axis] = velocity[axis].abs();
        } else if center[axis] > hi {
            center[axis] = hi - (center[axis] - hi);
            velocity[axis] = -velocity[axis].abs();
        }
    }
    // The mirror image of what is faster than the world is wide lies beyond the other wall.
    *center = keep_within(*center, half, world);
}

/// The place nearest to `center` where a body that reaches `half` from its centre is within the walls of `world`. One that is
/// larger than the world has its upper edge at the wall.
#[must_use]
#[inline]
pub fn keep_within(center: [f32; 2], half: [f32; 2], world: &Aabb) -> [f32; 2] {
    let kept = |axis: usize| center[axis].max(world.min[axis] + half[axis]).min(world.max[axis] - half[axis]);
    [kept(0), kept(1)]
}

//! A moving box, and the walls.

use quadrille::Aabb;

/// A moving box. 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Its center.
    pub center: [f32; 2],
    /// Half its width and half its height.
    pub half: [f32; 2],
    /// Its displacement per step; zero for what stands still.
    pub velocity: [f32; 2],
}

impl Body {
    /// Its box now.
    #[inline]
    pub fn bounds(&self) -> Aabb {
        Aabb::from_center(self.center, self.half)
    }
}

/// Moves a body that extends `half` from its center by one step within the walls of `world`. It is reflected by walls:
/// position and velocity are mirrored.
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
    // If a step is longer than the world is wide, the mirror image lies beyond the other wall.
    *center = keep_within(*center, half, world);
}

/// The position nearest to `center` at which a body that reaches `half` from its center is within the walls of `world`.
/// A body larger than the world has its upper edge at the wall.
#[inline]
pub fn keep_within(center: [f32; 2], half: [f32; 2], world: &Aabb) -> [f32; 2] {
    let kept = |axis: usize| center[axis].max(world.min[axis] + half[axis]).min(world.max[axis] - half[axis]);
    [kept(0), kept(1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORLD: Aabb = Aabb { min: [0.0; 2], max: [10.0; 2] };

    fn advanced(mut center: [f32; 2], mut velocity: [f32; 2]) -> ([f32; 2], [f32; 2]) {
        advance(&mut center, &mut velocity, [1.0; 2], &WORLD);
        (center, velocity)
    }

    #[test]
    fn flies_straight_in_the_open() {
        assert_eq!(advanced([5.0, 5.0], [0.5, -0.25]), ([5.5, 4.75], [0.5, -0.25]));
    }

    #[test]
    fn walls_mirror_and_turn_the_velocity() {
        assert_eq!(advanced([1.5, 8.5], [-2.0, 2.0]), ([2.5, 7.5], [2.0, -2.0]));
    }

    #[test]
    fn standing_at_a_wall_is_allowed() {
        assert_eq!(advanced([1.0, 9.0], [0.0, 0.0]), ([1.0, 9.0], [0.0, 0.0]));
    }

    #[test]
    fn what_is_faster_than_the_world_is_wide_ends_at_a_wall() {
        assert_eq!(advanced([5.0, 5.0], [100.0, -100.0]), ([1.0, 9.0], [-100.0, 100.0]));
    }

    #[test]
    fn what_is_too_large_rests_with_its_upper_edge_at_the_wall() {
        assert_eq!(keep_within([3.0, 50.0], [20.0, 1.0], &WORLD), [-10.0, 9.0]);
    }
}

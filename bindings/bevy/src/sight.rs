//! Lines of sight, which boxes block.

use bevy_ecs::query::QueryFilter;
use bevy_math::Vec2;
use quadrille::{Aabb, ConvexPolygon, Overlaps, PolygonError, Sweep};

use crate::{Boxes, Marker};

/// How far beside a corner a ray passes it, in radians. At a distance of 100, that is a hundredth.
const BESIDE: f64 = 1e-4;

/// # Sight
impl<F: QueryFilter + 'static, M: Marker> Boxes<'_, '_, F, M> {
    /// The entities in a cone: from `eye` along `axis`, up to its length, and `spread` to each side, the tangent of
    /// half the viewing angle (1 is 45 degrees). [`is_clear`](Self::is_clear) of the walls says whether one of them is
    /// hidden.
    ///
    /// # Errors
    /// Returns an error if a number is not finite, or `spread` is negative.
    pub fn in_cone(
        &self,
        eye: Vec2,
        axis: Vec2,
        spread: f32,
    ) -> Result<impl Iterator<Item = bevy_ecs::entity::Entity>, PolygonError> {
        let cone = ConvexPolygon::wedge(eye.to_array(), axis.to_array(), f64::from(spread))?;
        Ok(self.query(cone))
    }

    /// Whether there is no box on the straight line between two points. With `Boxes<With<Wall>>`: whether they can see
    /// each other.
    pub fn is_clear(&self, from: Vec2, to: Vec2) -> bool {
        self.query(Sweep::segment(from.to_array(), to.to_array())).next().is_none()
    }

    /// The polygon that is visible, or lit, from a point among these boxes: its corners by increasing angle. It ends at
    /// boxes, and at the square that reaches `reach` to each side. Up to rounding, a point is inside if the way to it
    /// is clear. From within a box, nothing is visible.
    ///
    /// Casts three rays to each corner of a box within reach, and to each point where two boxes cross.
    pub fn visible(&self, eye: Vec2, reach: f32) -> Vec<Vec2> {
        let square = Aabb::from_center(eye.to_array(), [reach, reach]);
        if !square.is_valid() || self.at(eye).next().is_some() {
            return Vec::new();
        }
        let mut angles = self.corner_angles(eye, &square);
        angles.sort_by(f64::total_cmp);
        angles.into_iter().map(|angle| self.look(eye, f64::from(reach), angle)).collect()
    }

    /// The directions in which the outline of what is seen can have a corner.
    fn corner_angles(&self, eye: Vec2, square: &Aabb) -> Vec<f64> {
        let within =
            |area: &Aabb| self.query(Overlaps(*area)).filter_map(|entity| self.own(entity)).collect::<Vec<_>>();
        let mut parts = vec![*square];
        for wall in within(square) {
            // Also with itself, which adds its own corners.
            let crossings = within(&wall).into_iter().filter_map(|other| wall.intersection(&other));
            parts.extend(crossings.filter_map(|crossing| crossing.intersection(square)));
        }
        let corners = parts.iter().flat_map(Aabb::corners).map(|corner| (Vec2::from(corner) - eye).as_dvec2());
        let angles = corners.map(|toward| toward.y.atan2(toward.x));
        angles.flat_map(|angle| [angle - BESIDE, angle, angle + BESIDE]).collect()
    }

    /// The end of the view in a direction: the first box, or the square around.
    fn look(&self, eye: Vec2, reach: f64, angle: f64) -> Vec2 {
        let (y, x) = angle.sin_cos();
        let longest = x.abs().max(y.abs());
        let motion = Vec2::new((x / longest * reach) as f32, (y / longest * reach) as f32);
        let hit = self.first(Sweep::segment(eye.to_array(), (eye + motion).to_array()));
        eye + motion * hit.map_or(1.0, |(_, contact)| contact.time() as f32)
    }
}

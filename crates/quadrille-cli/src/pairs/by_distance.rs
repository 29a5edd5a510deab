//! The nearest boxes on the plane, by the distances that are written.

use quadrille::{Aabb, Layers, Near, Query, Ranked, forward};
use quadrille_shapes::reach_of_boxes;

/// The boxes near one. [`Near`] ranks them by the squares of their distances: those with different squares may be equally
/// far, and then come by row.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByDistance(pub(super) Near<f64>);

impl Query<f64> for ByDistance {
    forward!(Query<f64>, |query| query.0);
}

impl Ranked<f64> for ByDistance {
    type Rank = f64;

    fn rank(&self, bounds: &Aabb<f64>) -> Option<f64> {
        self.0.distance(bounds).map(|distance| distance.to_f64())
    }

    fn answer(&self, _id: u32, bounds: &Aabb<f64>, _layers: Layers) -> Option<f64> {
        self.rank(bounds)
    }

    fn origin(&self) -> Aabb<f64> {
        self.0.target()
    }

    fn bounds_up_to(&self, last: &f64) -> Aabb<f64> {
        let reach = Near::aabb(self.0.target()).within(reach_of_boxes(*last)).bounds();
        reach.intersection(&self.0.bounds()).unwrap_or(Aabb::EMPTY)
    }

    /// Not less than the square of any box that is as far away.
    fn square(&self, rank: &f64) -> Option<f64> {
        let reach = reach_of_boxes(*rank);
        // Beyond these, squares vanish or are infinite.
        let is_usual = (1e-140..1e150).contains(rank);
        if *rank == 0.0 { Some(0.0) } else { is_usual.then_some(reach * reach) }
    }

    fn is_by_distance(&self) -> bool {
        true
    }
}

//! What is hit first.

use quadrille::{Structure, Sweep};

use super::super::{Cast, Casts};
use super::Ours;

impl<I: Structure<Scalar = f32>> Casts for Ours<I> {
    fn first(&self, cast: &Cast) -> Option<f64> {
        let sweep = match *cast {
            Cast::Ray { origin, direction } => Sweep::ray(origin, direction),
            Cast::Segment { from, to } => Sweep::segment(from, to),
            Cast::Swept { start, motion } => Sweep::new(start, motion),
        };
        self.0.query_first(sweep).map(|hit| hit.rank.time())
    }
}

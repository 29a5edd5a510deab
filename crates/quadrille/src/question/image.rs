//! Questions in a world that wraps around: asked once for each image of the question.

use core::ops::RangeInclusive;

use super::{Filtered, Inside, Near, OnLayers, Overlaps, Question, Ranked};
use crate::geometry::{Aabb, ConvexPolygon, Scalar, Sweep};
use crate::question::At;
use crate::storage::Layers;

/// A question that can be asked somewhere else: what [`Periodic`](crate::Periodic) worlds need.
pub trait Movable<S: Scalar>: Question<S> {
    /// The same question, moved by `offset`.
    #[must_use]
    fn with_offset(&self, offset: [S; 2]) -> Self;

    /// Where the question is, as far as turning round the world is concerned: of things without limits, where they start.
    fn extent(&self) -> Aabb<S> {
        self.bounds()
    }

    /// A point of the extent, which images are counted from.
    fn anchor(&self) -> [S; 2] {
        self.extent().min
    }
}

impl<S: Scalar> Movable<S> for Overlaps<S> {
    fn with_offset(&self, offset: [S; 2]) -> Self {
        Self(self.0.with_offset(offset))
    }
}

impl<S: Scalar> Movable<S> for Inside<S> {
    fn with_offset(&self, offset: [S; 2]) -> Self {
        Self(self.0.with_offset(offset))
    }
}

impl<S: Scalar> Movable<S> for At<S> {
    fn with_offset(&self, [x, y]: [S; 2]) -> Self {
        Self([self.0[0].plus(x), self.0[1].plus(y)])
    }
}

impl<S: Scalar> Movable<S> for Near<S> {
    fn with_offset(&self, offset: [S; 2]) -> Self {
        self.with_offset(offset)
    }

    fn extent(&self) -> Aabb<S> {
        self.target()
    }
}

impl<S: Scalar> Movable<S> for Sweep<S> {
    fn with_offset(&self, offset: [S; 2]) -> Self {
        self.with_offset(offset)
    }

    fn anchor(&self) -> [S; 2] {
        self.start().min
    }
}

impl<S: Scalar> Movable<S> for ConvexPolygon<S> {
    fn with_offset(&self, offset: [S; 2]) -> Self {
        self.with_offset(offset)
    }
}

impl<S: Scalar, Q: Movable<S>, F: Fn(u32) -> bool + Clone> Movable<S> for Filtered<Q, F> {
    fn with_offset(&self, offset: [S; 2]) -> Self {
        Self(self.0.with_offset(offset), self.1.clone())
    }

    fn extent(&self) -> Aabb<S> {
        self.0.extent()
    }

    fn anchor(&self) -> [S; 2] {
        self.0.anchor()
    }
}

impl<S: Scalar, Q: Movable<S>> Movable<S> for OnLayers<Q> {
    fn with_offset(&self, offset: [S; 2]) -> Self {
        self.map(|question| question.with_offset(offset))
    }

    fn extent(&self) -> Aabb<S> {
        self.inner().extent()
    }

    fn anchor(&self) -> [S; 2] {
        self.inner().anchor()
    }
}

/// The images of a question that can find anything: the question moved by whole worlds.
#[derive(Clone, Debug)]
pub(crate) struct Images<S, Q> {
    question: Q,
    period: [S; 2],
    /// How many worlds to the east and to the north.
    turns: [RangeInclusive<i32>; 2],
    /// Where boxes are.
    populated: Aabb<S>,
}

impl<S: Scalar, Q: Movable<S>> Images<S, Q> {
    pub(crate) fn new(question: Q, period: [S; 2], turns: [RangeInclusive<i32>; 2], populated: Aabb<S>) -> Self {
        Self { question, period, turns, populated }
    }

    /// All images, row by row.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Q> {
        let [columns, rows] = self.turns.clone();
        let turns = rows.flat_map(move |row| columns.clone().map(move |column| [column, row]));
        let images = turns.map(|turns| {
            let way = |axis: usize| S::from_f64(f64::from(turns[axis]) * self.period[axis].to_f64());
            self.question.with_offset([way(0), way(1)])
        });
        images.filter(|image| image.bounds().intersects(&self.populated))
    }
}

/// One image; a box that an earlier image accepts is left to that one.
#[derive(Clone, Debug)]
pub(crate) struct Image<S, Q> {
    pub(crate) question: Q,
    pub(crate) number: usize,
    pub(crate) images: Images<S, Q>,
}

impl<S: Scalar, Q: Movable<S>> Question<S> for Image<S, Q> {
    fn bounds(&self) -> Aabb<S> {
        self.question.bounds()
    }

    fn reaches(&self, cell: &Aabb<S>) -> bool {
        self.question.reaches(cell)
    }

    fn wants(&self, layers: Layers) -> bool {
        self.question.wants(layers)
    }

    fn accepts(&self, id: u32, bounds: &Aabb<S>) -> bool {
        self.question.accepts(id, bounds)
            && !self.images.iter().take(self.number).any(|earlier| earlier.accepts(id, bounds))
    }
}

/// One image, asked in order: a box has the least rank that it has for any image, so that it is one and the same answer for all.
#[derive(Clone, Debug)]
pub(crate) struct RankedImage<'a, S, Q> {
    pub(crate) question: Q,
    pub(crate) images: &'a Images<S, Q>,
}

impl<S: Scalar, Q: Movable<S>> Question<S> for RankedImage<'_, S, Q> {
    fn bounds(&self) -> Aabb<S> {
        self.question.bounds()
    }

    fn reaches(&self, cell: &Aabb<S>) -> bool {
        self.question.reaches(cell)
    }

    fn wants(&self, layers: Layers) -> bool {
        self.question.wants(layers)
    }

    fn accepts(&self, id: u32, bounds: &Aabb<S>) -> bool {
        self.question.accepts(id, bounds)
    }
}

impl<S: Scalar, Q: Movable<S> + Ranked<S>> Ranked<S> for RankedImage<'_, S, Q> {
    type Rank = Q::Rank;

    fn rank(&self, bounds: &Aabb<S>) -> Option<Q::Rank> {
        let ranks = self.images.iter().filter_map(|image| image.rank(bounds));
        ranks.reduce(|least, rank| if rank < least { rank } else { least })
    }

    fn origin(&self) -> Aabb<S> {
        self.question.origin()
    }

    fn bounds_up_to(&self, last: &Q::Rank) -> Aabb<S> {
        self.question.bounds_up_to(last)
    }
}

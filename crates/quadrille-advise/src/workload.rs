//! The work for every structure: frames of boxes, and queries derived from them.

use quadrille::internals::Random;
use quadrille::{Aabb, Near, Overlaps, Scalar, Sweep};

use crate::Boxes;
use crate::error::Error;

/// Queries a frame.
const QUERIES: usize = 1_000;
const NEAREST: usize = 200;
const CASTS: usize = 200;

/// One frame: what has changed since the last one, and the queries.
#[derive(Debug)]
pub(crate) struct Frame<S: Scalar> {
    pub(crate) moved: Vec<(u32, Aabb<S>)>,
    pub(crate) queries: Vec<Overlaps<S>>,
    pub(crate) nearest: Vec<Near<S>>,
    pub(crate) casts: Vec<Sweep<S>>,
}

impl<S: Scalar> Frame<S> {
    /// The same boxes and number give the same queries. Without boxes, there are no queries.
    pub(crate) fn new(before: &[Aabb<S>], boxes: &[Aabb<S>], number: usize) -> Self {
        let moved = (0..).zip(before.iter().zip(boxes)).filter(|(_, (before, now))| before != now);
        let mut targets = Targets { boxes, random: Random::new(number as u64) };
        let times = |count: usize| 0..if boxes.is_empty() { 0 } else { count };
        Self {
            moved: moved.map(|(id, (_, &now))| (id, now)).collect(),
            queries: times(QUERIES).map(|_| Overlaps(targets.rectangle())).collect(),
            nearest: times(NEAREST).map(|_| Near::point(targets.between())).collect(),
            casts: times(CASTS).map(|_| targets.ray()).collect(),
        }
    }
}

/// Checks that the frames are valid: there is one, all have the same boxes, and each box can be stored.
pub(crate) fn check<S: Scalar>(frames: &[impl Boxes<S>]) -> Result<(), Error> {
    let no_frames = || Error("there are no frames; at least one is needed".into());
    let expected = frames.first().ok_or_else(no_frames)?.as_ref().len();
    for (number, frame) in frames.iter().enumerate() {
        let found = frame.as_ref().len();
        if found != expected {
            return Err(Error(format!(
                "frame {number} has {found} boxes and frame 0 has {expected}; all frames need the same boxes"
            )));
        }
        for (position, bounds) in frame.as_ref().iter().enumerate() {
            bounds.check().map_err(|error| Error(format!("frame {number}, box {position}: {error}")))?;
        }
    }
    Ok(())
}

/// Places and sizes as the boxes have them. There is at least one box.
struct Targets<'a, S> {
    boxes: &'a [Aabb<S>],
    random: Random,
}

impl<S: Scalar> Targets<'_, S> {
    fn one(&mut self) -> Aabb<S> {
        self.boxes[self.random.below(self.boxes.len())]
    }

    /// As large as one box, centered on another.
    fn rectangle(&mut self) -> Aabb<S> {
        let (shape, target) = (self.one(), self.one().center());
        shape.with_offset(difference(shape.center(), target))
    }

    /// Half-way between two boxes.
    fn between(&mut self) -> [S; 2] {
        Aabb::from_corners(self.one().center(), self.one().center()).center()
    }

    /// From between two boxes toward a third.
    fn ray(&mut self) -> Sweep<S> {
        let origin = self.between();
        Sweep::ray(origin, difference(origin, self.one().center()))
    }
}

fn difference<S: Scalar>(from: [S; 2], to: [S; 2]) -> [S; 2] {
    [to[0].minus(from[0]), to[1].minus(from[1])]
}

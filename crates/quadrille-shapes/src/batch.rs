//! Lists that grow while there is memory, and the answers of a batch, kept until they can be visited in order.

use std::ops::{ControlFlow, Range};

use quadrille::internals::is_free;
use quadrille::morton;

use crate::segment_intersection::Point;

/// Bytes left when a list has grown: comparing two geometries allocates, and without memory would end the process.
const SPARE: usize = 1 << 22;
/// About how many answers of a batch are kept: 64 MB. Fewer: points that follow each other along a curve are farther apart.
pub(crate) const MAX_KEPT: usize = 1 << 22;

/// Makes room for more, and returns whether there is memory for that and for the work on the next ones.
pub(crate) fn has_room<T>(all: &mut Vec<T>, more: usize) -> bool {
    all.capacity() - all.len() >= more || grow(all, more)
}

#[cold]
fn grow<T>(all: &mut Vec<T>, more: usize) -> bool {
    all.try_reserve(more).is_ok() && is_free(SPARE)
}

/// The nearest to some numbers of a batch, in one list. Those of the others are searched for when they are visited:
/// ties can be more than memory holds.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    answers: Vec<(u32, f64)>,
    ranges: Vec<Option<Range<usize>>>,
}

impl Kept {
    /// Searches for points, this many at a time, along a curve, each with the point after it, and visits what is found in
    /// the order of points.
    pub(crate) fn visit<B>(
        &mut self,
        mut points: impl Iterator<Item = Point>,
        at_once: usize,
        mut search: impl FnMut(u32, Point, Option<Point>) -> Vec<(u32, f64)>,
        mut visit: impl FnMut(u32, &[(u32, f64)]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut start = 0;
        loop {
            let batch: Vec<Point> = points.by_ref().take(at_once).collect();
            if batch.is_empty() {
                return ControlFlow::Continue(());
            }
            self.answers.clear();
            self.ranges.clear();
            self.ranges.resize(batch.len(), None);
            let order = morton::order(&batch);
            for (at, number) in order.iter().enumerate() {
                let next = order.get(at + 1).map(|next| batch[*next as usize]);
                if !self.keep(*number, &search(start + number, batch[*number as usize], next)) {
                    break;
                }
            }
            (start..).zip(&batch).zip(&self.ranges).try_for_each(|((number, point), range)| match range {
                Some(range) => visit(number, &self.answers[range.clone()]),
                None => visit(number, &search(number, *point, None)),
            })?;
            start += batch.len() as u32;
        }
    }

    /// Keeps the answers to a number of the batch; returns whether more should be kept.
    fn keep(&mut self, number: u32, found: &[(u32, f64)]) -> bool {
        let start = self.answers.len();
        if start >= MAX_KEPT || !has_room(&mut self.answers, found.len()) {
            return false;
        }
        self.answers.extend_from_slice(found);
        self.ranges[number as usize] = Some(start..self.answers.len());
        true
    }
}

//! Pairs of geometries: those of boxes that overlap, refined.

use std::ops::ControlFlow;

use quadrille_shapes::{Geometries, Predicate};

use super::Sets;
use super::question::Question;
use crate::failure::Failure;

/// The geometries, and what is to hold between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refined<'a> {
    predicate: Predicate,
    sets: Sets<'a>,
    first: &'a Geometries,
    second: &'a Geometries,
}

/// What is done with each pair.
type Visit<'a, B> = &'a mut dyn FnMut(u32, u32) -> ControlFlow<B>;

impl<'a> Refined<'a> {
    /// Of a question about geometries: refused if one cannot be asked.
    pub(super) fn of(question: Question, sets: Sets<'a>) -> Result<Option<Self>, Failure> {
        let Question::Shapes(predicate) = question else { return Ok(None) };
        for shapes in [sets.first, sets.other()] {
            let checked = shapes.geometries.as_ref().map_or(Ok(()), |all| predicate.check(all));
            checked.map_err(|fault| Failure::Bad(format!("{}: {fault}; --predicate is {predicate}", shapes.name)))?;
        }
        let geometries = sets.first.geometries.as_ref().zip(sets.other().geometries.as_ref());
        Ok(geometries.map(|(first, second)| Self { predicate, sets, first, second }))
    }

    /// Hands on the pairs for which the predicate holds. `boxes` visits those whose boxes overlap.
    pub(super) fn visit<B>(
        &self,
        boxes: impl FnOnce(Visit<'_, B>) -> ControlFlow<B>,
        visit: Visit<'_, B>,
    ) -> ControlFlow<B> {
        if self.predicate == Predicate::Disjoint {
            return self.visit_all(visit);
        }
        boxes(&mut |a, b| {
            if self.holds(a, b) {
                visit(a, b)?;
            }
            // Within one set, a pair comes once, and may be one in either order.
            if self.sets.second.is_none() && self.is_directed() && self.holds(b, a) {
                visit(b, a)?;
            }
            ControlFlow::Continue(())
        })
    }

    /// What is disjoint may be anywhere.
    fn visit_all<B>(&self, visit: Visit<'_, B>) -> ControlFlow<B> {
        let is_one_set = self.sets.second.is_none();
        (0..self.first.len() as u32).try_for_each(|a| {
            let others = if is_one_set { a + 1 } else { 0 }..self.second.len() as u32;
            others.filter(|b| self.holds(a, *b)).try_for_each(|b| visit(a, b))
        })
    }

    fn is_directed(&self) -> bool {
        self.predicate.is_directed()
    }

    fn holds(&self, a: u32, b: u32) -> bool {
        let [box_a, box_b] = [self.sets.first.boxes[a as usize], self.sets.other().boxes[b as usize]];
        // All have been checked.
        self.predicate.is_possible(&box_a, &box_b)
            && self.predicate.holds(self.first, a, self.second, b).unwrap_or(false)
    }
}

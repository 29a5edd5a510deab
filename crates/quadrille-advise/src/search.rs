//! The search for the best structure, step by step.

use std::borrow::Cow;

use quadrille::{Aabb, AnyOptions, Scalar};

use crate::Boxes;
use crate::advice::Advice;
use crate::candidates;
use crate::error::Error;
use crate::operation::Operation;
use crate::race::Race;
use crate::workload;

/// A structure that is this many times slower than the fastest with default options will not win by tuning. Higher:
/// more candidates, and slow ones. Lower: a possible winner might not be tuned; options rarely gain more than a factor
/// of 2.
const HOPELESS: f64 = 4.0;

/// Frames of the heat: the first, and one with updates.
const HEAT: usize = 2;

/// Does what [`advise`](crate::advise) does, in turns, for programs that do other things in between or show progress.
///
/// First come the heats, a short race of all structures with their defaults. Then these and variants of those that did
/// well race again.
#[derive(Debug)]
pub struct Search<'a, S: Scalar = f32, F: Boxes<S> = Vec<Aabb<S>>> {
    frames: Cow<'a, [F]>,
    operations: Cow<'a, [Operation]>,
    race: Race<S>,
    /// Turns of the heat, once it is over.
    heat: Option<usize>,
}

impl<'a, S: Scalar, F: Boxes<S>> Search<'a, S, F> {
    /// Checks the frames, and measures nothing yet.
    ///
    /// # Errors
    /// Those of [`advise`](crate::advise), except the last.
    pub fn new(frames: impl Into<Cow<'a, [F]>>, operations: impl Into<Cow<'a, [Operation]>>) -> Result<Self, Error> {
        let (frames, operations) = (frames.into(), operations.into());
        workload::check(&frames)?;
        if operations.is_empty() {
            return Err(Error::no_operations());
        }
        let race = Race::new(candidates::defaults(frames[0].as_ref().len()));
        Ok(Self { frames, operations, race, heat: None })
    }

    /// One turn: one frame with one candidate, about as long as it takes with that structure. Gives the advice after
    /// the last one, and again if it is called again.
    ///
    /// # Errors
    /// If two structures disagree, which is a bug of the library: names both. Drop the search then.
    pub fn turn(&mut self) -> Result<Option<Advice<S>>, Error> {
        let count = self.count();
        if !self.race.is_over(count) {
            self.race.turn(&self.frames[..count], &self.operations)?;
        }
        if !self.race.is_over(count) {
            return Ok(None);
        }
        let advice = Advice::new(self.race.rows(&self.operations));
        if self.heat.is_some() {
            return Ok(advice);
        }
        self.heat = Some(self.race.turns(count));
        let defaults = candidates::defaults(self.frames[0].as_ref().len());
        self.race = Race::new(with_variants(defaults, advice, self.frames[0].as_ref()));
        Ok(None)
    }

    /// Turns done, and the total. The total grows once, when the heat is over and it is clear how many candidates
    /// there are.
    #[must_use]
    pub fn turns(&self) -> (usize, usize) {
        let in_race = self.race.turns(self.frames.len());
        match self.heat {
            Some(heat) => (heat + self.race.done(), heat + in_race),
            None => (self.race.done(), self.race.turns(self.count()) + in_race),
        }
    }

    /// Frames of the current race.
    fn count(&self) -> usize {
        if self.heat.is_some() { self.frames.len() } else { self.frames.len().min(HEAT) }
    }
}

/// Adds variants of the structures that did well in the heat.
fn with_variants<S: Scalar>(
    mut candidates: Vec<AnyOptions<S>>,
    heat: Option<Advice<S>>,
    boxes: &[Aabb<S>],
) -> Vec<AnyOptions<S>> {
    let rows = heat.into_iter().flat_map(|advice| advice.rows);
    for row in rows.filter(|row| row.ratio <= HOPELESS) {
        candidates.extend(candidates::variants(row.options.kind(), boxes));
    }
    candidates
}

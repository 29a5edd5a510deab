//! The measurement of all structures, step by step.

use std::borrow::Cow;

use quadrille::structures::{AnyOptions, StructureKind};
use quadrille::{Aabb, Scalar};

use crate::Boxes;
use crate::advice::Advice;
use crate::error::Error;
use crate::operation::Operation;
use crate::race::{Racer, Round};
use crate::workload;

/// Brute force takes part up to this many boxes. More: it would take longer than all the others together, and lose.
const MOST_FOR_BRUTE_FORCE: usize = 2_000;

/// Every structure with its default options, which follow the data: options near them gain a seventh at most, and change no winner
/// (docs/choosing.md).
fn candidates<S>(boxes: usize) -> Vec<AnyOptions<S>> {
    let is_affordable = |kind: &StructureKind| *kind != StructureKind::BruteForce || boxes <= MOST_FOR_BRUTE_FORCE;
    StructureKind::ALL.iter().copied().filter(is_affordable).map(Into::into).collect()
}

/// Does what [`advise`](crate::advise) does, in turns, for programs that do other things in between or show progress.
///
/// All candidates do all operations, frame by frame. In each frame they take turns, so that a slow
/// moment of the machine falls on all of them, and each finds the caches cold, as after the rest of a program's frame.
/// The answers of each are compared with those of the first.
#[derive(Debug)]
pub struct Search<'a, S: Scalar = f32, F: Boxes<S> = Vec<Aabb<S>>> {
    frames: Cow<'a, [F]>,
    operations: Cow<'a, [Operation]>,
    candidates: Vec<AnyOptions<S>>,
    /// The candidates that have had a turn.
    racers: Vec<Racer<S>>,
    round: Option<Round<S>>,
    /// Turns done; a turn is one frame with one candidate.
    done: usize,
}

impl<'a, S: Scalar, F: Boxes<S>> Search<'a, S, F> {
    /// Checks the frames, and measures nothing yet.
    ///
    /// # Errors
    /// Returns the errors of [`advise`](crate::advise), except the last.
    pub fn new(frames: impl Into<Cow<'a, [F]>>, operations: impl Into<Cow<'a, [Operation]>>) -> Result<Self, Error> {
        let (frames, operations) = (frames.into(), operations.into());
        workload::check(&frames)?;
        if operations.is_empty() {
            return Err(Error("there are no operations to measure".into()));
        }
        if frames.len() == 1 && operations.iter().all(|operation| *operation == Operation::Update) {
            return Err(Error(
                "one frame has no updates to measure: two frames are needed, or another operation".into(),
            ));
        }
        let candidates = candidates(frames[0].as_ref().len());
        Ok(Self { frames, operations, candidates, racers: Vec::new(), round: None, done: 0 })
    }

    /// One turn: one frame with one candidate, about as long as it takes with that structure. Gives the advice after
    /// the last one, and again if it is called again.
    ///
    /// # Errors
    /// Returns an error if two structures disagree, which is a bug in the library; the message names both. Drop the search then.
    pub fn turn(&mut self) -> Result<Option<Advice<S>>, Error> {
        if !self.is_over() {
            self.next_turn()?;
        }
        let rows = || self.racers.iter().map(|racer| racer.row(&self.operations)).collect();
        Ok(self.is_over().then(|| Advice::new(rows())).flatten())
    }

    /// Turns done, and the total.
    #[must_use]
    pub fn turns(&self) -> (usize, usize) {
        (self.done, self.candidates.len() * self.frames.len())
    }

    fn is_over(&self) -> bool {
        let (done, all) = self.turns();
        done == all
    }

    fn next_turn(&mut self) -> Result<(), Error> {
        let (number, position) = (self.done / self.candidates.len(), self.done % self.candidates.len());
        let boxes = self.frames[number].as_ref();
        if number == 0 {
            self.racers.push(Racer::new(self.candidates[position], boxes)?);
        }
        if position == 0 {
            self.round = Some(Round::new(&self.frames, number));
        }
        let round = self.round.as_mut().expect("the first candidate's turn begins a round");
        round.turn(&mut self.racers[position], boxes, &self.operations)?;
        self.done += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brute_force_takes_part_only_where_it_is_affordable() {
        assert!(candidates::<f32>(2_000).contains(&AnyOptions::BruteForce));
        assert!(!candidates::<f32>(2_001).contains(&AnyOptions::BruteForce));
    }
}

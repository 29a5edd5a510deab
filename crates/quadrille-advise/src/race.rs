//! Every candidate does the same work, in turns.

use std::ops::ControlFlow;

use quadrille::{Aabb, AnyOptions, AnyStructure, Index, Scalar};

use crate::advice::{Row, Times};
use crate::answer::Answer;
use crate::clock::Clock;
use crate::error::Error;
use crate::operation::Operation;
use crate::settings;
use crate::workload::Frame;

/// Lets all candidates do all operations, frame by frame, and calls `turn` after each turn.
///
/// In each frame one after the other has its turn, so that a slow moment of the machine falls on all of them, and each finds the
/// caches cold, as after the rest of a program's frame. The answers of each are compared with those of the first.
pub(crate) fn race<S: Scalar>(
    candidates: &[AnyOptions<S>],
    frames: &[Vec<Aabb<S>>],
    operations: &[Operation],
    turn: &mut impl FnMut(),
) -> Result<Vec<Row<S>>, Error> {
    let mut before = frames.first().ok_or_else(Error::no_frames)?;
    let racers = candidates.iter().map(|&options| Racer::new(options, before));
    let mut racers = racers.collect::<Result<Vec<_>, _>>()?;
    for (number, boxes) in frames.iter().enumerate() {
        let frame = Frame::new(before, boxes, number);
        let mut expected = None;
        for racer in &mut racers {
            if number > 0 {
                racer.update(&frame)?;
            }
            let answers = operations.iter().map(|&operation| (operation, racer.ask(operation, &frame))).collect();
            let expected = expected.get_or_insert_with(|| (racer.options, Vec::clone(&answers)));
            agree(number, expected, &(racer.options, answers))?;
            turn();
        }
        before = boxes;
    }
    Ok(racers.into_iter().map(|racer| racer.finish(operations)).collect())
}

type Answers = Vec<(Operation, Answer)>;

/// Whether two candidates give the same answers.
fn agree<S: Scalar>(
    frame: usize,
    (expected_of, expected): &(AnyOptions<S>, Answers),
    (found_of, found): &(AnyOptions<S>, Answers),
) -> Result<(), Error> {
    match expected.iter().zip(found).find(|(expected, found)| expected != found) {
        Some(((operation, expected), (_, found))) => {
            let structures = [expected_of, found_of].map(settings::describe);
            Err(Error::disagreement(*operation, frame, structures, [expected, found].map(Answer::to_string)))
        }
        None => Ok(()),
    }
}

/// A candidate with the times it has taken.
struct Racer<S: Scalar> {
    options: AnyOptions<S>,
    index: Index<AnyStructure<S>>,
    /// Milliseconds of each operation, one for each frame.
    laps: [Vec<f64>; Operation::ALL.len()],
}

impl<S: Scalar> Racer<S> {
    fn new(options: AnyOptions<S>, boxes: &[Aabb<S>]) -> Result<Self, Error> {
        Ok(Self { options, index: Index::with_boxes(options, boxes)?, laps: Default::default() })
    }

    /// Goes on to the next frame.
    fn update(&mut self, frame: &Frame<S>) -> Result<(), Error> {
        let start = Clock::start();
        for &(id, bounds) in &frame.moved {
            self.index.update(id, bounds)?;
        }
        self.index.maintain();
        self.lap(Operation::Update, start);
        Ok(())
    }

    /// Asks everything of one kind.
    fn ask(&mut self, operation: Operation, frame: &Frame<S>) -> Answer {
        let start = Clock::start();
        let answer = match operation {
            Operation::Update => return Answer::default(),
            Operation::Pairs => pairs(&self.index),
            Operation::Query => query(&self.index, frame),
            Operation::Nearest => nearest(&self.index, frame),
            Operation::Cast => cast(&self.index, frame),
        };
        self.lap(operation, start);
        answer
    }

    fn lap(&mut self, operation: Operation, start: Clock) {
        self.laps[operation as usize].push(start.ms());
    }

    fn finish(mut self, operations: &[Operation]) -> Row<S> {
        let mut times = Times::default();
        for &operation in operations {
            times.set(operation, median(&mut self.laps[operation as usize]));
        }
        Row { options: self.options, ms: times, bytes: self.index.stats().bytes_reserved, ratio: 1.0 }
    }
}

fn pairs<S: Scalar>(index: &Index<AnyStructure<S>>) -> Answer {
    let mut answer = Answer::default();
    let _ = index.pairs_visit(|a, b| {
        answer.add(a, b);
        ControlFlow::<()>::Continue(())
    });
    answer
}

fn query<S: Scalar>(index: &Index<AnyStructure<S>>, frame: &Frame<S>) -> Answer {
    let mut answer = Answer::default();
    for (number, &question) in (0..).zip(&frame.queries) {
        let _ = index.query_visit(question, |id| {
            answer.add(number, id);
            ControlFlow::<()>::Continue(())
        });
    }
    answer
}

fn nearest<S: Scalar>(index: &Index<AnyStructure<S>>, frame: &Frame<S>) -> Answer {
    let mut answer = Answer::default();
    for (number, question) in (0..).zip(&frame.nearest) {
        index.query_first(question).into_iter().for_each(|hit| answer.add(number, hit.id));
    }
    answer
}

fn cast<S: Scalar>(index: &Index<AnyStructure<S>>, frame: &Frame<S>) -> Answer {
    let mut answer = Answer::default();
    for (number, question) in (0..).zip(&frame.casts) {
        index.query_first(question).into_iter().for_each(|hit| answer.add(number, hit.id));
    }
    answer
}

/// The least time that half of the times do not exceed; zero if there are none.
fn median(times: &mut [f64]) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times.get(times.len().div_ceil(2).saturating_sub(1)).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::StructureKind;

    #[test]
    fn a_disagreement_names_both_structures_and_what_each_found() {
        let [mut one, mut other] = [Answer::default(); 2];
        one.add(0, 1);
        let answers = |pairs: Answer| vec![(Operation::Update, Answer::default()), (Operation::Pairs, pairs)];
        let expected = (AnyOptions::<f32>::from(StructureKind::Quadtree), answers(one));
        assert_eq!(agree(7, &expected, &(StructureKind::Grid.into(), answers(one))), Ok(()));

        other.add(0, 2);
        let error = agree(7, &expected, &(StructureKind::Grid.into(), answers(other))).unwrap_err().to_string();
        for part in ["quadtree", "grid", "pairs", "frame 7", "1 answers", &one.to_string(), &other.to_string()] {
            assert!(error.contains(part), "{part:?} is not told in: {error}");
        }
    }

    #[test]
    fn the_median_is_one_of_the_times() {
        let times = [[].as_mut_slice(), &mut [3.0], &mut [2.0, 1.0], &mut [9.0, 1.0, 2.0], &mut [4.0, 3.0, 2.0, 1.0]];
        assert_eq!(times.map(median), [0.0, 3.0, 1.0, 2.0, 2.0]);
    }
}

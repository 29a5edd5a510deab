//! Every candidate does the same work, in turns.

use std::ops::ControlFlow;

use quadrille::structures::{AnyOptions, AnyStructure};
use quadrille::{Aabb, Index, Ranked, Scalar};

use crate::Boxes;
use crate::advice::{Row, Times};
use crate::answer::Answer;
use crate::clock::Clock;
use crate::error::Error;
use crate::operation::Operation;
use crate::workload::Frame;

/// What is the same for all in a frame.
#[derive(Debug)]
pub(crate) struct Round<S: Scalar> {
    frame: Frame<S>,
    /// The number of the frame.
    number: usize,
    /// Which candidate was first, and the answers.
    expected: Option<(AnyOptions<S>, Answers)>,
}

impl<S: Scalar> Round<S> {
    /// The round of a frame.
    pub(crate) fn new(frames: &[impl Boxes<S>], number: usize) -> Self {
        let before = frames[number.saturating_sub(1)].as_ref();
        Self { frame: Frame::new(before, frames[number].as_ref(), number), number, expected: None }
    }

    /// The turn of a candidate: what it answers must be what the first one has answered.
    pub(crate) fn turn(
        &mut self,
        racer: &mut Racer<S>,
        boxes: &[Aabb<S>],
        operations: &[Operation],
    ) -> Result<(), Error> {
        let Self { frame, number, expected } = self;
        if *number > 0 {
            racer.update(frame, boxes)?;
        }
        let ask = |&operation| Ok((operation, racer.ask(operation, frame, boxes)?));
        let answers = operations.iter().map(ask).collect::<Result<_, Error>>()?;
        let expected = expected.get_or_insert_with(|| (racer.options, Vec::clone(&answers)));
        agree(*number, expected, &(racer.options, answers))
    }
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
            let [a, b] = [expected_of, found_of].map(AnyOptions::kind);
            Err(Error(format!(
                "{a} and {b} disagree about {operation} in frame {frame} ({expected}, {found}), which is a bug of the library"
            )))
        }
        None => Ok(()),
    }
}

/// A candidate with the times it has taken.
#[derive(Debug)]
pub(crate) struct Racer<S: Scalar> {
    options: AnyOptions<S>,
    index: Index<AnyStructure<S>>,
    /// Milliseconds of each operation, one for each frame.
    laps: [Vec<f64>; Operation::ALL.len()],
}

impl<S: Scalar> Racer<S> {
    pub(crate) fn new(options: AnyOptions<S>, boxes: &[Aabb<S>]) -> Result<Self, Error> {
        Ok(Self { options, index: Index::with_boxes(options, boxes)?, laps: Default::default() })
    }

    /// Goes on to the next frame: as a whole if most boxes move, otherwise box by box.
    fn update(&mut self, frame: &Frame<S>, boxes: &[Aabb<S>]) -> Result<(), Error> {
        let start = Clock::start();
        if 2 * frame.moved.len() > boxes.len() {
            self.index.update_all(boxes)?;
        } else {
            for &(id, bounds) in &frame.moved {
                self.index.update(id, bounds)?;
            }
            self.index.maintain();
        }
        self.lap(Operation::Update, start);
        Ok(())
    }

    /// Runs all queries of one kind.
    fn ask(&mut self, operation: Operation, frame: &Frame<S>, boxes: &[Aabb<S>]) -> Result<Answer, Error> {
        let start = Clock::start();
        let answer = match operation {
            Operation::First => pairs(&Index::with_boxes(self.options, boxes)?),
            Operation::Update => return Ok(Answer::default()),
            Operation::Pairs => pairs(&self.index),
            Operation::Query => query(&self.index, frame),
            Operation::Nearest => first(&self.index, &frame.nearest),
            Operation::Cast => first(&self.index, &frame.casts),
        };
        self.lap(operation, start);
        Ok(answer)
    }

    fn lap(&mut self, operation: Operation, start: Clock) {
        self.laps[operation as usize].push(start.ms());
    }

    pub(crate) fn row(&self, operations: &[Operation]) -> Row<S> {
        let mut times = Times::default();
        for &operation in operations {
            times.set(operation, median(self.laps[operation as usize].clone()));
        }
        Row { options: self.options, ms: times, bytes: self.index.stats().bytes_reserved, ratio: 1.0 }
    }
}

fn pairs<S: Scalar>(index: &Index<AnyStructure<S>>) -> Answer {
    let mut answer = Answer::default();
    index.pairs().for_each(|(a, b)| answer.add(a, b));
    answer
}

fn query<S: Scalar>(index: &Index<AnyStructure<S>>, frame: &Frame<S>) -> Answer {
    let mut answer = Answer::default();
    for (number, &query) in (0..).zip(&frame.queries) {
        let _ = index.query_visit(query, |id| {
            answer.add(number, id);
            ControlFlow::<()>::Continue(())
        });
    }
    answer
}

/// The first answer to each query: the nearest box, or the first that a ray hits.
fn first<S: Scalar>(index: &Index<AnyStructure<S>>, queries: &[impl Ranked<S> + Copy]) -> Answer {
    let mut answer = Answer::default();
    for (number, &query) in (0..).zip(queries) {
        index.query_first(query).into_iter().for_each(|hit| answer.add(number, hit.id));
    }
    answer
}

/// The least time that half of the times do not exceed; zero if there are none.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times.get(times.len().div_ceil(2).saturating_sub(1)).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::structures::StructureKind;

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
            assert!(error.contains(part), "{part:?} is missing from: {error}");
        }
    }

    /// First one box of three moves, then all do; answers are compared with those of a new index.
    #[test]
    fn a_turn_asks_about_the_new_boxes_and_compares_the_answers() {
        let frame = |middles: [f32; 3]| middles.map(|x| Aabb::from_center([x, 0.0], [1.0, 1.0]));
        let frames = [[0.0, 9.0, 20.0], [0.0, 1.0, 20.0], [5.0, 30.0, 5.5]].map(frame);
        for &kind in StructureKind::ALL {
            let mut racer = Racer::new(kind.into(), &frames[0]).expect("valid boxes");
            for (number, boxes) in frames.iter().enumerate() {
                let (mut round, none) = (Round::new(&frames, number), Answer::default());
                let mut fresh = Racer::new(AnyOptions::BruteForce, boxes).expect("valid boxes");
                let mut ask = |&operation| (operation, fresh.ask(operation, &round.frame, boxes).expect("valid boxes"));
                let answers: Answers = Operation::ALL.iter().map(&mut ask).collect();
                let empty =
                    |(operation, answer): &(Operation, Answer)| (*operation == Operation::Update) == (*answer == none);
                assert!(number == 0 || answers.iter().all(empty), "{answers:?}");
                round.expected = Some((AnyOptions::BruteForce, answers));
                assert_eq!(round.turn(&mut racer, boxes, Operation::ALL), Ok(()), "{kind} {number}");
                round.expected = Some((AnyOptions::BruteForce, vec![(Operation::Query, none)]));
                assert!(round.turn(&mut racer, boxes, &[Operation::Query]).is_err(), "{kind} {number}");
            }
        }
    }

    #[test]
    fn the_median_is_one_of_the_times() {
        let times = [vec![], vec![3.0], vec![2.0, 1.0], vec![9.0, 1.0, 2.0], vec![4.0, 3.0, 2.0, 1.0]];
        assert_eq!(times.map(median), [0.0, 3.0, 1.0, 2.0, 2.0]);
    }
}

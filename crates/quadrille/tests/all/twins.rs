//! A structure and the oracle, given the same changes and the same queries.

use std::fmt::Debug;
use std::ops::ControlFlow::{self, Break, Continue};

use quadrille::structures::BruteForce;
use quadrille::{Aabb, At, Error, Index, Inside, Overlaps, Part, Query, Scalar, Stats};

use crate::any_index::{AnyIndex, Setup};

/// An index under test beside one of [`BruteForce`]; every call goes to both and must have the same outcome.
///
/// "Agree" means: equal sets of answers, each once, in every form of the query, and one order for all
/// forms.
#[derive(Clone, Debug)]
pub(crate) struct Twins<S: Scalar> {
    pub(crate) subject: AnyIndex<S>,
    pub(crate) oracle: Index<BruteForce<S>>,
}

impl<S: Scalar> Twins<S> {
    pub(crate) fn empty(options: &Setup<S>) -> Self {
        Self::holding(options, &[])
    }

    /// Twins built in bulk.
    pub(crate) fn holding(options: &Setup<S>, boxes: &[Aabb<S>]) -> Self {
        Self {
            subject: options.with_boxes(boxes).expect("valid options and boxes"),
            oracle: Index::from_boxes(boxes).expect("valid boxes"),
        }
    }

    /// Twins built one by one, without any maintenance.
    pub(crate) fn inserted(options: &Setup<S>, boxes: &[Aabb<S>]) -> Self {
        let mut twins = Self::empty(options);
        for &bounds in boxes {
            twins.insert(bounds).expect("valid boxes");
        }
        twins
    }

    pub(crate) fn insert(&mut self, bounds: Aabb<S>) -> Result<u32, Error> {
        same(self.subject.insert(bounds), self.oracle.insert(bounds), "insert")
    }

    pub(crate) fn remove(&mut self, id: u32) -> Option<Aabb<S>> {
        same(self.subject.remove(id), self.oracle.remove(id), "remove")
    }

    pub(crate) fn update(&mut self, id: u32, bounds: Aabb<S>) -> Result<Aabb<S>, Error> {
        same(self.subject.update(id, bounds), self.oracle.update(id, bounds), "update")
    }

    pub(crate) fn set_all(&mut self, boxes: &[Aabb<S>]) {
        same(self.subject.set_all(boxes), self.oracle.set_all(boxes), "set_all").expect("valid boxes");
    }

    pub(crate) fn clear(&mut self) {
        self.subject.clear();
        self.oracle.clear();
    }

    pub(crate) fn maintain(&mut self) {
        self.subject.maintain();
    }

    /// `validate` is content, and both hold the same boxes under the same ids.
    pub(crate) fn agree_on_contents(&self) -> Stats {
        let stats = self.subject.validate().expect("a sound structure");
        let boxes: Vec<_> = self.oracle.iter().collect();
        assert_eq!(self.subject.boxes(), boxes);
        assert_eq!((self.subject.len(), self.subject.is_empty()), (boxes.len(), boxes.is_empty()));
        assert_eq!(stats.boxes, boxes.len());
        assert!(stats.listed >= boxes.len(), "a box is listed nowhere: {stats:?}");
        assert!(stats.bytes_used <= stats.bytes_reserved, "{stats:?}");
        assert!(boxes.iter().all(|&(id, bounds)| self.subject.get(id) == Some(bounds)));
        stats
    }

    /// Every query about a rectangle and its corners.
    pub(crate) fn agree_about(&self, rect: Aabb<S>) {
        self.agree_on(Overlaps(rect));
        self.agree_on(Inside(rect));
        self.agree_on(At(rect.min));
        self.agree_on(At(rect.max));
    }

    /// One query in all its forms.
    pub(crate) fn agree_on<Q: Query<S> + Debug>(&self, query: Q) {
        let found = self.subject.query(query.clone());
        assert_eq!(sorted(found.clone()), self.oracle.query(query.clone()).collect::<Vec<_>>(), "{query:?}");
        assert_eq!(self.subject.query_count(query.clone()), found.len(), "{query:?} counted");
        assert_eq!(self.subject.query_work(query.clone()).found, found.len(), "{query:?} with its work counted");
        forms_agree(&found, |visit| self.subject.query_visit(query.clone(), visit));
    }

    /// All pairs in all their forms.
    pub(crate) fn agree_on_pairs(&self) {
        let found = self.subject.pairs();
        assert!(found.iter().all(|(a, b)| a < b), "a pair is not (lower id, higher id)");
        assert_eq!(sorted(found.clone()), self.oracle.pairs().collect::<Vec<_>>(), "pairs");
        assert_eq!(self.subject.pairs_count(), found.len(), "pairs counted");
        forms_agree(&found, |visit| self.subject.pairs_visit(visit));
        let parts = Part::all(1 + found.len() % 5);
        let parts = parts.flat_map(|part| {
            let mut pairs = Vec::new();
            let _ = self.subject.pairs_part_visit(part, &mut |pair| {
                pairs.push(pair);
                Continue(())
            });
            pairs
        });
        assert_eq!(parts.collect::<Vec<_>>(), found, "pairs in parts");
    }

    /// The neighbors of every box, and of none.
    pub(crate) fn agree_on_neighbors(&self) {
        let places = self.oracle.iter().map(|(id, _)| id + 2).max().unwrap_or(1);
        let mut expected = vec![Vec::new(); places as usize];
        for (a, b) in self.oracle.pairs() {
            expected[a as usize].push(b);
            expected[b as usize].push(a);
        }
        for (id, expected) in (0..).zip(expected) {
            let found = self.subject.neighbors(id);
            assert_eq!(sorted(found.clone()), sorted(expected), "neighbors of {id}");
            let around = self.subject.get(id).into_iter().flat_map(|own| self.subject.query(Overlaps(own)));
            assert_eq!(around.filter(|&other| other != id).collect::<Vec<_>>(), found, "in the order of answers");
        }
        assert!(self.subject.neighbors(u32::MAX).is_empty());
    }

    /// The other was given the same changes and answers in the same order.
    pub(crate) fn is_alike(&self, other: &Self, asked: Aabb<S>) {
        let (one, other) = (&self.subject, &other.subject);
        assert!(one.boxes() == other.boxes(), "other boxes");
        assert!(one.pairs() == other.pairs(), "other pairs, or in another order");
        for asked in [asked, Aabb::EVERYTHING] {
            assert!(one.query(Overlaps(asked)) == other.query(Overlaps(asked)), "other answers, or in another order");
        }
        // Memory to work with, such as the slots by id of a frame tree, is not written.
        let [one, other] = [one, other].map(|index| {
            let mut stats = index.validate().expect("a sound structure");
            (stats.bytes_used, stats.bytes_reserved) = (0, 0);
            stats
        });
        assert_eq!(one, other, "other figures");
    }

    /// All pairs between two sets in all their forms.
    pub(crate) fn agree_on_pairs_with(&self, other: &Self) {
        let found = self.subject.pairs_with(&other.subject);
        assert_eq!(
            sorted(found.clone()),
            self.oracle.pairs_with(&other.oracle).collect::<Vec<_>>(),
            "pairs between sets"
        );
        forms_agree(&found, |visit| self.subject.pairs_with_visit(&other.subject, visit));
    }

    /// Contents, pairs, and every query about everything, nothing, and each box that is held.
    pub(crate) fn agree(&self) -> Stats {
        self.agree_on_pairs();
        self.agree_on_neighbors();
        self.agree_on_pairs_with(self);
        self.agree_about(Aabb::EVERYTHING);
        self.agree_about(Aabb::EMPTY);
        self.oracle.iter().for_each(|(_, bounds)| self.agree_about(bounds));
        self.agree_on_contents()
    }
}

/// A visitor sees what the iterator gave, in that order, and one that stops halfway sees the first half.
fn forms_agree<T: Copy + PartialEq + Debug>(
    found: &[T],
    ask: impl Fn(&mut dyn FnMut(T) -> ControlFlow<T>) -> ControlFlow<T>,
) {
    let mut visited = Vec::with_capacity(found.len());
    let end = ask(&mut |answer| {
        visited.push(answer);
        Continue(())
    });
    assert_eq!((end, &visited[..]), (Continue(()), found), "the visitor and the iterator differ");
    let Some(&last) = found.get(found.len() / 2) else { return };
    visited.clear();
    let end = ask(&mut |answer| {
        visited.push(answer);
        if visited.len() > found.len() / 2 { Break(answer) } else { Continue(()) }
    });
    assert_eq!(
        (end, &visited[..]),
        (Break(last), &found[..=found.len() / 2]),
        "the visitor did not stop when asked to"
    );
}

fn sorted<T: Ord>(mut answers: Vec<T>) -> Vec<T> {
    answers.sort_unstable();
    answers
}

/// Outcomes are compared as text, for an error that holds NaN is not equal to itself.
fn same<T: Debug>(subject: T, oracle: T, call: &str) -> T {
    assert_eq!(format!("{subject:?}"), format!("{oracle:?}"), "{call} has another outcome than with brute force");
    subject
}

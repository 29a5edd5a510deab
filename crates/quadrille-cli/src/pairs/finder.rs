//! Finding the pairs of a query.

use std::ops::ControlFlow;

use serde::Serialize;

use super::Sets;
use super::ended::{Ended, Visit};
use super::geodesic::Globe;
use super::plane::Plane;
use super::query::{Asked, Metric, Query};
use crate::failure::Failure;
use crate::{memory, text};

/// Computes a figure of a pair, given by the numbers of its boxes.
pub(super) type Measure<'a> = Box<dyn Fn(u32, u32) -> f64 + 'a>;

/// What was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Compared {
    Boxes,
    Shapes,
}

/// Memory per box while an index is built, as measured with points and rounded up. It is checked beforehand, because a
/// failed allocation would end the program.
const PER_BOX: u64 = 96;

/// Memory for queries and answers while pairs are found, rounded up: a failed allocation there would end the program.
const SPARE: u64 = 16 << 20;

/// Fails if there is no memory left for queries and answers.
pub(super) fn require_spare() -> Result<(), Failure> {
    require(SPARE, "finding pairs needs")
}

fn require(bytes: u64, what: &str) -> Result<(), Failure> {
    memory::require(bytes, what).map_err(|error| Failure::Bad(format!("{error}; --memory uses the disk")))
}

/// Everything that is needed to answer: the indexes are built.
#[derive(Debug)]
pub(super) struct Finder<'a> {
    asked: Asked,
    ground: Ground<'a>,
}

#[derive(Debug)]
enum Ground<'a> {
    Plane(Box<Plane<'a>>),
    Globe(Box<Globe<'a>>),
}

impl<'a> Finder<'a> {
    pub(super) fn new(asked: Asked, sets: Sets<'a>) -> Result<Self, Failure> {
        let boxes = [Some(sets.first), sets.second].into_iter().flatten().map(|shapes| shapes.boxes.len() as u64).sum();
        require(boxes * PER_BOX, &format!("an index of {} needs", text::count(boxes, "box")))?;
        let ground = match asked.metric {
            Metric::Plane => Ground::Plane(Box::new(Plane::new(asked, sets)?)),
            Metric::Geodesic => Ground::Globe(Box::new(Globe::new(asked, sets)?)),
        };
        require_spare()?;
        Ok(Self { asked, ground })
    }

    /// Hands each pair to `visit`.
    pub(super) fn visit(&self, visit: Visit<'_>) -> Result<(), Ended> {
        let ended = match &self.ground {
            Ground::Plane(plane) => plane.visit(visit),
            Ground::Globe(globe) => globe.visit(self.asked.query, visit),
        };
        ended.break_value().map_or(Ok(()), Err)
    }

    pub(super) fn count(&self) -> Result<u64, Ended> {
        let mut count = 0;
        self.visit(&mut |_, _| {
            count += 1;
            ControlFlow::Continue(())
        })?;
        Ok(count)
    }

    /// Whether pairs come in the order in which they are to be written: the nearest are sorted by distance.
    pub(super) fn is_in_order(&self) -> bool {
        matches!(self.asked.query, Query::Nearest { .. })
    }

    /// Computes the distance of a pair; `None` if it is not reported.
    pub(super) fn distance(&self) -> Option<Measure<'_>> {
        self.asked.query.has_distance().then(|| -> Measure<'_> {
            match &self.ground {
                Ground::Plane(plane) => Box::new(|a, b| plane.distance_between(a, b)),
                Ground::Globe(globe) => Box::new(|a, b| globe.distance_between(a, b)),
            }
        })
    }

    /// Computes what the two of a pair have in common; `None` if it was not requested.
    pub(super) fn measure(&self) -> Option<Measure<'_>> {
        let Ground::Plane(plane) = &self.ground else { return None };
        let refined = plane.refined.as_ref().filter(|_| self.asked.is_measured)?;
        Some(Box::new(|a, b| refined.in_common(a, b)))
    }

    /// What is compared.
    pub(super) fn compared(&self) -> Compared {
        let is_refined = match &self.ground {
            Ground::Plane(plane) => plane.refined.is_some(),
            Ground::Globe(globe) => globe.is_refined(),
        };
        if is_refined { Compared::Shapes } else { Compared::Boxes }
    }

    /// What finds the pairs.
    pub(super) fn structure(&self) -> &'static str {
        match &self.ground {
            Ground::Globe(_) if self.is_in_order() => super::TREE_OF_DEGREES,
            _ => super::FRAME_TREE,
        }
    }
}

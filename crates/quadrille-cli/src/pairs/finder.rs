//! Finding the pairs that a query wants.

use std::ops::ControlFlow;

use quadrille::StructureKind;

use serde::Serialize;

use super::Sets;
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

/// Memory per box while a structure is built, as measured with points and rounded up. It is checked beforehand, because
/// a failed allocation would end the program.
fn bytes_per_box(structure: StructureKind) -> u64 {
    match structure {
        StructureKind::BruteForce | StructureKind::Grid | StructureKind::LooseGrid => 64,
        StructureKind::FrameTree | StructureKind::LooseQuadtree => 96,
        _ => 640,
    }
}

/// Memory for queries and answers while pairs are found, rounded up: a failed allocation there would end the program.
const SPARE: u64 = 16 << 20;

/// Fails if there is no memory left for queries and answers.
pub(super) fn require_spare() -> Result<(), Failure> {
    memory::require(SPARE, "finding pairs needs")
}

/// Everything that is needed to answer: the structures are built.
#[derive(Debug)]
pub(super) enum Finder<'a> {
    Plane(Box<Plane<'a>>),
    Globe(Box<Globe<'a>>),
}

impl<'a> Finder<'a> {
    pub(super) fn new(asked: Asked, sets: Sets<'a>, structure: StructureKind) -> Result<Self, Failure> {
        let boxes = [sets.first, sets.other()].map(|shapes| shapes.boxes.len() as u64);
        let boxes = if sets.second.is_none() { boxes[0] } else { boxes[0] + boxes[1] };
        memory::require(boxes * bytes_per_box(structure), &format!("an index of {} needs", text::count(boxes, "box")))?;
        let finder = match asked.metric {
            Metric::Plane => Self::Plane(Box::new(Plane::new(asked, sets, structure)?)),
            Metric::Geodesic => Self::Globe(Box::new(Globe::new(asked, sets, structure)?)),
        };
        require_spare()?;
        Ok(finder)
    }

    /// Hands each pair to `visit`, by the numbers of the boxes. Within one set, the first number is the lower one,
    /// where the query is the same for both.
    pub(super) fn visit<B>(&self, mut visit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        match self {
            Self::Plane(plane) => plane.visit(&mut visit),
            Self::Globe(globe) => globe.visit(&mut visit),
        }
    }

    pub(super) fn count(&self) -> u64 {
        let mut count = 0;
        let _ = self.visit(|_, _| {
            count += 1;
            ControlFlow::<()>::Continue(())
        });
        count
    }

    /// Whether pairs come in the order in which they are to be written: the nearest are sorted by distance.
    pub(super) fn is_in_order(&self) -> bool {
        matches!(self.query(), Query::Nearest { .. })
    }

    /// Computes the distance of a pair; `None` if it is not reported.
    pub(super) fn distance(&self) -> Option<Measure<'_>> {
        self.query().has_distance().then(|| -> Measure<'_> {
            match self {
                Self::Plane(plane) => Box::new(|a, b| plane.distance_between(a, b)),
                Self::Globe(globe) => Box::new(|a, b| globe.distance_between(a, b)),
            }
        })
    }

    /// Computes what the two of a pair have in common; `None` if it was not requested.
    pub(super) fn measure(&self) -> Option<Measure<'_>> {
        match self {
            Self::Plane(plane) => {
                plane.measured().map(|refined| -> Measure<'_> { Box::new(|a, b| refined.in_common(a, b)) })
            }
            Self::Globe(_) => None,
        }
    }

    /// What is compared.
    pub(super) fn compared(&self) -> Compared {
        match self {
            Self::Plane(plane) if plane.is_refined() => Compared::Shapes,
            Self::Globe(globe) if globe.is_refined() => Compared::Shapes,
            _ => Compared::Boxes,
        }
    }

    /// What found the pairs, given what was asked for.
    pub(super) fn structure(&self, asked: StructureKind) -> &'static str {
        match self {
            Self::Plane(plane) => plane.structure(asked).name(),
            Self::Globe(_) if self.is_in_order() => "tree of degrees",
            Self::Globe(_) => asked.name(),
        }
    }

    fn query(&self) -> Query {
        match self {
            Self::Plane(plane) => plane.query,
            Self::Globe(globe) => globe.query,
        }
    }
}

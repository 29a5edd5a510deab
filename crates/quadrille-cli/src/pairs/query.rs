//! The query.

use clap::ValueEnum;
use quadrille_shapes::globe::Edges;
use quadrille_shapes::{Predicate, Relation};

use super::Pairs;
use crate::failure::Failure;
use crate::quantity::Quantity;

/// How distances are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Metric {
    /// On a plane, in the units of the coordinates
    Plane,
    /// On the earth (WGS 84), in meters; coordinates are degrees of longitude and latitude
    Geodesic,
}

/// Which pairs to find. Distances are in the units of the coordinates, or in meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Query {
    Overlap,
    /// The first lies inside the second.
    Inside,
    /// The first contains the second.
    Contains,
    Within(f64),
    /// This holds between the geometries themselves.
    Shapes(Predicate),
    /// This many nearest neighbors of each, no farther away than `most`.
    Nearest {
        count: u32,
        most: f64,
    },
}

/// The query of two files.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) query: Query,
    /// Whether to measure what the two of a pair have in common.
    pub(super) is_measured: bool,
    pub(super) metric: Metric,
    pub(super) edges: Edges,
}

impl Query {
    pub(super) fn of(asked: &Pairs) -> Result<Self, Failure> {
        let read = |option, asked_for: &Quantity| distance(option, asked_for, asked.metric);
        Ok(match asked {
            Pairs { predicate: Some(predicate), .. } => Self::Shapes(*predicate),
            Pairs { within: Some(most), .. } => Self::Within(read("--within", most)?),
            Pairs { nearest: Some(count), max, .. } => {
                let most = max.as_ref().map_or(Ok(f64::INFINITY), |most| read("--max", most))?;
                Self::Nearest { count: *count, most }
            }
            Pairs { inside: true, .. } => Self::Inside,
            Pairs { contains: true, .. } => Self::Contains,
            _ => Self::Overlap,
        })
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Overlap => "overlap",
            Self::Inside => "inside",
            Self::Contains => "contains",
            Self::Within(_) => "within",
            Self::Shapes(predicate) => predicate.name(),
            Self::Nearest { .. } => "nearest",
        }
    }

    /// What holds between the geometries of a pair. They include their edges, as boxes do.
    pub(super) fn relation(&self) -> Relation {
        match self {
            Self::Overlap => Relation::Holds(Predicate::Intersects),
            Self::Inside => Relation::Holds(Predicate::CoveredBy),
            Self::Contains => Relation::Holds(Predicate::Covers),
            Self::Shapes(predicate) => Relation::Holds(*predicate),
            Self::Within(most) | Self::Nearest { most, .. } => Relation::Within(*most),
        }
    }

    /// The predicate between geometries, unless the query is about a distance.
    pub(super) fn predicate(&self) -> Option<Predicate> {
        match self.relation() {
            Relation::Holds(predicate) => Some(predicate),
            Relation::Within(_) => None,
        }
    }

    /// Whether the two of a pair have different roles, even within one set.
    pub(super) fn is_directed(&self) -> bool {
        matches!(self, Self::Inside | Self::Contains)
    }

    /// Whether distances are of interest.
    pub(super) fn has_distance(&self) -> bool {
        matches!(self, Self::Within(_) | Self::Nearest { .. })
    }

    /// By how much boxes must be grown on every side so that the boxes of a pair overlap; on the plane.
    pub(super) fn margin(&self) -> f64 {
        // Plus the smallest number, because half of it would be zero.
        match self {
            Self::Within(distance) if *distance > 0.0 => distance / 2.0 + f64::from_bits(1),
            _ => 0.0,
        }
    }
}

/// The distance in the unit of computation: meters on the globe, the units of the file on the plane.
fn distance(option: &str, asked: &Quantity, metric: Metric) -> Result<f64, Failure> {
    if metric == Metric::Plane && asked.has_unit() {
        let what = "on the plane, distances are in the units of the file: give a number alone, or --metric geodesic";
        return Err(Failure::Bad(format!("invalid value '{asked}' for '{option} <DISTANCE>': {what}")));
    }
    Ok(asked.value())
}

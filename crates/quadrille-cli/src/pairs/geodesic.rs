//! Pairs on the earth: coordinates are degrees of longitude and latitude, distances meters on the ellipsoid WGS 84.

use std::ops::ControlFlow;

use quadrille::{FrameTree, Index};
use quadrille_files::Shapes;
use quadrille_shapes::globe::{self, NearestOnGlobe, Set};
use quadrille_shapes::{Fault, Wanted};

use super::Sets;
use super::ended::{Ended, Visit};
use super::query::{Asked as AskedFor, Query};
use crate::failure::Failure;

/// One or two sets, ready for a query.
#[derive(Debug)]
pub(super) struct Globe<'a> {
    sets: globe::Globe<'a>,
    is_one_set: bool,
    asked: Asked,
}

/// What finds boxes.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is only one")]
enum Asked {
    /// What overlaps.
    Index(Index<FrameTree<f64>>),
    /// What is nearest.
    Nearest(NearestOnGlobe),
}

impl<'a> Globe<'a> {
    pub(super) fn new(asked: AskedFor, sets: Sets<'a>) -> Result<Self, Failure> {
        // Separately, so that errors name the file.
        [Some(sets.first), sets.second].into_iter().flatten().try_for_each(check)?;
        let globe = globe::Globe::new(set(sets.first), sets.second.map(set), asked.edges)
            .map_err(|fault| Failure::Bad(fault.to_string()))?;
        let asked = if let Query::Nearest { .. } = asked.query {
            let no_memory = |_| Failure::Bad("not enough memory for a tree of the boxes".into());
            Asked::Nearest(globe.nearest().map_err(no_memory)?)
        } else {
            Asked::Index(Index::from_boxes(&globe.boxes_to_ask())?)
        };
        Ok(Self { sets: globe, is_one_set: sets.second.is_none(), asked })
    }

    /// Meters between the two of a pair.
    pub(super) fn distance_between(&self, a: u32, b: u32) -> f64 {
        self.sets.distance(a, b)
    }

    /// Whether geometries themselves are compared.
    pub(super) fn is_refined(&self) -> bool {
        self.sets.compares_shapes()
    }

    pub(super) fn visit(&self, query: Query, visit: Visit<'_>) -> ControlFlow<Ended> {
        match (&self.asked, query) {
            (Asked::Nearest(nearest), Query::Nearest { count, most }) => {
                let wanted = Wanted { count: count as usize, most, has_ties: false, but_itself: self.is_one_set };
                self.sets.visit_nearest(nearest, wanted, |a, found| found.iter().try_for_each(|(b, _)| visit(a, *b)))
            }
            (Asked::Index(index), Query::Within(most)) => {
                self.sets.visit_within(index, most, |a, others| others.iter().try_for_each(|b| visit(a, *b)))
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

fn set(shapes: &Shapes) -> Set<'_> {
    match &shapes.geometries {
        Some(geometries) => Set::of(geometries, &shapes.boxes),
        None => Set::of_boxes(&shapes.boxes),
    }
}

/// Checks that all of a set is on the earth.
pub(super) fn check(shapes: &Shapes) -> Result<(), Failure> {
    set(shapes).check().map_err(|fault| refused(shapes, fault))
}

/// A refusal that names the file and the row.
fn refused(shapes: &Shapes, fault: Fault) -> Failure {
    let name = &shapes.name;
    Failure::Bad(match fault {
        Fault::OffEarth(number, what) => {
            format!("{name}: row {} (from 0): {what}; --metric geodesic needs degrees", shapes.row(number))
        }
        fault => format!("{name}: {fault}"),
    })
}

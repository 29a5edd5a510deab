//! Pairs on the earth: coordinates are degrees of longitude and latitude, distances meters on the ellipsoid WGS 84.

use std::ops::ControlFlow;

use quadrille::{FrameTree, Index};
use quadrille_files::Shapes;
use quadrille_shapes::Wanted;
use quadrille_shapes::globe::{self, NearestOnGlobe, Set};

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
        let globe = globe::Globe::new(set(sets.first), sets.second.map(set), asked.edges)
            .map_err(|fault| Failure::Bad(fault.to_string()))?;
        let asked = if let Query::Nearest { .. } = asked.query {
            let no_memory =
                |_| Failure::Bad("not enough memory for a tree of the boxes; --memory uses the disk".into());
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

//! Rings in any order, as in shapefiles: which of them are shells, and which are holes in which shell.
//!
//! *ESRI Shapefile Technical Description*, 1998: the inside is to the right of a ring's direction, so shells are
//! clockwise and holes counterclockwise. The file does not say which shell a hole is in.

use quadrille_shapes::{Geometries, Part, Predicate};

type Ring<'a> = &'a [[f64; 2]];

/// All rings, each shell before its holes. A hole belongs to the smallest shell that covers it, or that has at least its
/// area and its middle, since holes may stick out a little; one that is in no shell is a shell that goes the wrong way
/// around. Bad rings all count as shells; they are refused later.
pub(crate) fn in_polygons<'a>(rings: &[Ring<'a>]) -> Vec<(Part, Ring<'a>)> {
    let (shells, holes): (Vec<Ring<'a>>, Vec<Ring<'a>>) = rings.iter().partition(|ring| area(ring) <= 0.0);
    let mut polygons: Vec<Vec<(Part, Ring<'a>)>> = shells.iter().map(|shell| vec![(Part::Shell, *shell)]).collect();
    let [stored_shells, stored_holes] = [&shells, &holes].map(|rings| stored(Part::Shell, rings.iter().copied()));
    // Areas of shells are negative.
    let areas: Vec<f64> = shells.iter().map(|shell| area(shell)).collect();
    let middles: Vec<_> = holes.iter().map(|hole| [middle(hole)]).collect();
    let middles = stored(Part::Point, middles.iter().map(<[_; 1]>::as_slice));
    let boxes = stored_shells.as_ref().map(Geometries::boxes).unwrap_or_default();
    for (number, hole) in (0..).zip(holes) {
        let is_around = |shell: &usize| {
            let holds = |predicate: Predicate, what: &Option<Geometries>| {
                stored_shells.as_ref().zip(what.as_ref()).is_some_and(|(shells, what)| {
                    predicate.is_possible(&boxes[*shell], &what.bounds(number))
                        && predicate.holds(shells, *shell as u32, what, number).unwrap_or(false)
                })
            };
            holds(Predicate::Covers, &stored_holes)
                || holds(Predicate::Intersects, &middles) && -areas[*shell] >= area(hole)
        };
        let around = (0..shells.len()).filter(is_around);
        match around.max_by(|a, b| areas[*a].total_cmp(&areas[*b])) {
            Some(shell) => polygons[shell].push((Part::Hole, hole)),
            None => polygons.push(vec![(Part::Shell, hole)]),
        }
    }
    polygons.concat()
}

/// A point inside a ring, as far from its edges as the widest place at half its height.
fn middle(ring: Ring<'_>) -> [f64; 2] {
    let (low, high) =
        ring.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), [_, y]| (low.min(*y), high.max(*y)));
    let y = low + (high - low) / 2.0;
    let crossings = ring.windows(2).filter(|edge| (edge[0][1] > y) != (edge[1][1] > y));
    let mut crossings: Vec<f64> = crossings
        .map(|edge| edge[0][0] + (edge[1][0] - edge[0][0]) * ((y - edge[0][1]) / (edge[1][1] - edge[0][1])))
        .collect();
    crossings.sort_by(f64::total_cmp);
    let spans = crossings.chunks_exact(2);
    let widest = spans.max_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0])));
    widest.map_or(ring[0], |span| [span[0] + (span[1] - span[0]) / 2.0, y])
}

/// Positive if the ring goes counterclockwise.
fn area(ring: Ring<'_>) -> f64 {
    let Some([x0, y0]) = ring.first() else { return 0.0 };
    ring.windows(2).map(|edge| (edge[0][0] - x0) * (edge[1][1] - y0) - (edge[1][0] - x0) * (edge[0][1] - y0)).sum()
}

/// Each as a geometry; none if one is bad.
fn stored<'a>(part: Part, all: impl IntoIterator<Item = Ring<'a>>) -> Option<Geometries> {
    let mut stored = Geometries::new();
    let is_stored = |positions: Ring<'_>| {
        stored.part(part);
        positions.iter().for_each(|[x, y]| stored.vertex(*x, *y));
        stored.finish().unwrap_or(false)
    };
    all.into_iter().all(is_stored).then_some(stored)
}

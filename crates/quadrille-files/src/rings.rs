//! Rings in any order, as in shapefiles: which of them are shells, and which are holes in which shell.
//!
//! *ESRI Shapefile Technical Description*, 1998: the inside is to the right of a ring's direction, so shells are
//! clockwise and holes counterclockwise. The file does not say which shell a hole is in.

use quadrille_shapes::{Geometries, Part, Predicate};

type Ring<'a> = &'a [[f64; 2]];

/// All rings, each shell before its holes. A hole belongs to the smallest shell that covers it; one that is in no shell
/// is a shell that goes the wrong way around. Bad rings all count as shells; they are refused later.
pub(crate) fn in_polygons<'a>(rings: &[Ring<'a>]) -> Vec<(Part, Ring<'a>)> {
    let (shells, holes): (Vec<Ring<'a>>, Vec<Ring<'a>>) = rings.iter().partition(|ring| area(ring) <= 0.0);
    let mut polygons: Vec<Vec<(Part, Ring<'a>)>> = shells.iter().map(|shell| vec![(Part::Shell, *shell)]).collect();
    let shapes = stored(&shells).zip(stored(&holes));
    let boxes = shapes.as_ref().map(|(shells, _)| shells.boxes()).unwrap_or_default();
    for (number, hole) in (0..).zip(holes) {
        let covers = |shell: &usize| {
            shapes.as_ref().is_some_and(|(shells, holes)| {
                Predicate::Covers.is_possible(&boxes[*shell], &holes.bounds(number))
                    && Predicate::Covers.holds(shells, *shell as u32, holes, number).unwrap_or(false)
            })
        };
        let around = (0..shells.len()).filter(covers);
        // Areas of shells are negative.
        match around.max_by(|a, b| area(shells[*a]).total_cmp(&area(shells[*b]))) {
            Some(shell) => polygons[shell].push((Part::Hole, hole)),
            None => polygons.push(vec![(Part::Shell, hole)]),
        }
    }
    polygons.concat()
}

/// Positive if the ring goes counterclockwise.
fn area(ring: Ring<'_>) -> f64 {
    let Some([x0, y0]) = ring.first() else { return 0.0 };
    ring.windows(2).map(|edge| (edge[0][0] - x0) * (edge[1][1] - y0) - (edge[1][0] - x0) * (edge[0][1] - y0)).sum()
}

/// Each ring as a polygon; none if one is bad.
fn stored(rings: &[Ring<'_>]) -> Option<Geometries> {
    let mut all = Geometries::new();
    rings
        .iter()
        .all(|ring| {
            all.part(Part::Shell);
            ring.iter().for_each(|[x, y]| all.vertex(*x, *y));
            all.finish().unwrap_or(false)
        })
        .then_some(all)
}

//! Whether two geometries have a point in common: the first edge that meets another is enough.

use std::ops::ControlFlow;

use crate::edge_chain::Chain;
use crate::edge_intersections::visit_contacts;
use crate::geometries::{Geometries, Part};
use crate::point_location::Location;
use crate::rectangle_test;

/// Whether two geometries of any kind have a point in common.
pub(crate) fn do_intersect(a: &Geometries, i: u32, b: &Geometries, j: u32) -> bool {
    rectangle_test::do_meet(a, i, b, j).unwrap_or_else(|| {
        has_point_on(a, i, b, j)
            || has_point_on(b, j, a, i)
            || do_edges_meet(a, i, b, j)
            || is_part_in(a, i, b, j)
            || is_part_in(b, j, a, i)
    })
}

/// Whether a point of the first is anywhere in the second.
fn has_point_on(a: &Geometries, i: u32, b: &Geometries, j: u32) -> bool {
    a.kinds(i).points && a.points_in(i, b.bounds(j)).any(|point| b.locate(j, point) != Location::Exterior)
}

fn do_edges_meet(a: &Geometries, i: u32, b: &Geometries, j: u32) -> bool {
    let meets = |one: &Chain<'_>| {
        let mut near = b.chains_where(j, |other| other.intersects(one.bounds));
        near.any(|(other, _)| {
            visit_contacts((one, one.whole()), (&other, other.whole()), &mut |_, _, _| ControlFlow::Break(()))
                .is_break()
        })
    };
    a.kinds(i).has_edges() && b.kinds(j).has_edges() && near(a, i, b, j).any(|(one, _)| meets(&one))
}

/// Whether a line or ring of the first is in a polygon of the second, given that no edges meet: as a whole, then.
fn is_part_in(a: &Geometries, i: u32, b: &Geometries, j: u32) -> bool {
    b.kinds(j).areas
        && near(a, i, b, j).any(|(chain, part)| {
            // A hole lies within its shell.
            part != Part::Hole && b.locate_in_areas(j, chain.points[0]) != Location::Exterior
        })
}

/// The lines and rings of the first whose boxes reach into that of the second.
fn near<'a>(a: &'a Geometries, i: u32, b: &Geometries, j: u32) -> impl Iterator<Item = (Chain<'a>, Part)> {
    let bounds = b.bounds(j);
    a.chains_where(i, move |one| one.intersects(&bounds))
}

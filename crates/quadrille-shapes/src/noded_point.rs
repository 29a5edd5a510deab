//! A point where edges of two geometries meet, and the directions in which they leave it.
//!
//! Around such a point, polygons are sectors between edges. The sector of a direction follows from signs of
//! determinants of the given points, so it is exact. Between two such points, and points where two edges cross, an edge
//! does not change sides. So what the two geometries have in common is known once it is known at all such points.

use crate::intersection_matrix::Matrix;
use crate::point_location::Location::{self, Boundary, Exterior, Interior};
use crate::segment_intersection::{Point, side};

/// Where the inside of a polygon is, seen along a direction from the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Left,
    Right,
}

/// An edge, or a part of one, that leaves the point.
#[derive(Clone, Copy, Debug)]
struct Ray {
    to: Point,
    /// None of a line.
    inside: Option<Inside>,
}

/// What one geometry has at the point.
#[derive(Debug)]
pub(crate) struct Star {
    at: Point,
    rays: Vec<Ray>,
    is_area: bool,
    /// Ends of open lines.
    ends: usize,
}

/// Where a direction points.
enum Lead {
    Into(Location),
    /// Along an edge; of polygons, whether both have their insides on one side.
    Along(bool),
}

impl Star {
    pub(crate) fn new(is_area: bool) -> Self {
        Self { at: [0.0; 2], rays: Vec::new(), is_area, ends: 0 }
    }

    pub(crate) fn restart(&mut self, at: Point) {
        self.at = at;
        self.rays.clear();
        self.ends = 0;
    }

    /// Adds an edge on which the point lies, once, and whether the line begins or ends with it.
    pub(crate) fn add(&mut self, [from, to]: [Point; 2], is_first: bool, is_last: bool) {
        let inside = |side| self.is_area.then_some(side);
        if from == self.at {
            self.ends += usize::from(is_first);
        } else {
            self.rays.push(Ray { to: from, inside: inside(Inside::Right) });
        }
        if to == self.at {
            self.ends += usize::from(is_last);
        } else {
            self.rays.push(Ray { to, inside: inside(Inside::Left) });
        }
    }

    /// Where the point is in the geometry.
    fn location(&self) -> Location {
        if self.is_area || self.ends % 2 == 1 { Boundary } else { Interior }
    }

    /// Where a direction points in the geometry.
    fn lead(&self, ray: Ray) -> Lead {
        let same = self.rays.iter().find(|own| own.to == ray.to);
        if let Some(own) = same.or_else(|| self.rays.iter().find(|own| turn(self.at, ray.to, own.to) == Turn::None)) {
            return Lead::Along(own.inside == ray.inside);
        }
        if !self.is_area {
            return Lead::Into(Exterior);
        }
        // The first edge clockwise from the direction: is the inside on the side of the direction?
        let next =
            self.rays.iter().copied().reduce(|best, other| if self.is_before(ray, other, best) { other } else { best });
        let is_inside = next.is_some_and(|next| next.inside == Some(Inside::Left));
        Lead::Into(if is_inside { Interior } else { Exterior })
    }

    /// Whether, clockwise from a direction, one edge comes before another.
    fn is_before(&self, from: Ray, one: Ray, other: Ray) -> bool {
        let (first, second) = (turn(self.at, from.to, one.to), turn(self.at, from.to, other.to));
        if first != second {
            return first < second;
        }
        side(self.at, one.to, other.to) < 0.0
    }
}

/// The turn from one direction to another, in clockwise order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    None,
    Right,
    Back,
    Left,
}

fn turn(at: Point, from: Point, to: Point) -> Turn {
    match side(at, from, to) {
        right if right < 0.0 => Turn::Right,
        left if left > 0.0 => Turn::Left,
        _ if (0..2).all(|axis| from[axis].total_cmp(&at[axis]) == to[axis].total_cmp(&at[axis])) => Turn::None,
        _ => Turn::Back,
    }
}

/// Notes what two geometries have in common at a point and right around it.
pub(crate) fn note(a: &Star, b: &Star, matrix: &mut Matrix) {
    matrix.note(a.location(), b.location(), 0);
    for (number, [own, other]) in [[a, b], [b, a]].into_iter().enumerate() {
        for ray in &own.rays {
            note_lead(own.is_area, other.is_area, &other.lead(*ray), matrix.noting(number));
        }
    }
}

/// Notes what follows from where an edge leads, and what is to both sides of it.
fn note_lead(is_area: bool, is_other_area: bool, lead: &Lead, mut note: impl FnMut(Location, Location, i8)) {
    let own = if is_area { Boundary } else { Interior };
    match *lead {
        Lead::Into(other) => note_edge(is_area, other, note),
        Lead::Along(is_same_side) => {
            note(own, if is_other_area { Boundary } else { Interior }, 1);
            if is_area && is_other_area {
                if is_same_side {
                    note(Interior, Interior, 2);
                } else {
                    note(Interior, Exterior, 2);
                    note(Exterior, Interior, 2);
                }
            }
        }
    }
}

/// Notes what follows from an edge that lies in the interior or exterior of the other geometry: the two sides of a
/// polygon's edge do too.
pub(crate) fn note_edge(is_area: bool, other: Location, mut note: impl FnMut(Location, Location, i8)) {
    if is_area {
        note(Boundary, other, 1);
        note(Interior, other, 2);
        note(Exterior, other, 2);
    } else {
        note(Interior, other, 1);
    }
}

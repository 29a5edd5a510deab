//! The matrix of two geometries, from the points where their edges meet.

use std::ops::ControlFlow;

use quadrille::Aabb;

use crate::edge_chain::{Chain, boundary, hull, order};
use crate::edge_intersections::visit_contacts;
use crate::fault::Fault;
use crate::geometries::Geometries;
use crate::intersection_matrix::Matrix;
use crate::noded_point::{self, Star, note_edge};
use crate::parts::overlapping;
use crate::point_location::Location::{self, Boundary, Exterior, Interior};
use crate::segment_intersection::{Meeting, Point, is_on};

/// What the interiors, boundaries and exteriors of geometry `i` of `a` and geometry `j` of `b` have in common.
///
/// # Errors
/// Returns an error if one is a collection of several kinds of parts, or of several polygons.
///
/// # Panics
/// Panics if there is no such number.
pub fn relate(a: &Geometries, i: u32, b: &Geometries, j: u32) -> Result<Matrix, Fault> {
    let dimensions = [a.dimension(i)?, b.dimension(j)?];
    Ok(relate_until(a, i, b, j, dimensions, |_| false))
}

/// The matrix, or the part of it that was enough.
pub(crate) fn relate_until(
    a: &Geometries,
    i: u32,
    b: &Geometries,
    j: u32,
    dimensions: [u8; 2],
    is_enough: impl Fn(&Matrix) -> bool,
) -> Matrix {
    let mut matrix = Matrix::new();
    let bounds = [a.bounds(i), b.bounds(j)];
    let one = Side::new((a, i), dimensions[0], &bounds[1]);
    let other = Side::new((b, j), dimensions[1], &bounds[0]);
    let sides = [[&one, &other], [&other, &one]];
    for (number, [own, other]) in sides.into_iter().enumerate() {
        own.note_beyond(other, matrix.noting(number));
        own.note_points(other, matrix.noting(number));
    }
    if dimensions.contains(&0) || is_enough(&matrix) {
        return matrix;
    }
    let chains = [one.chains(), other.chains()];
    let contacts = Contacts::find(&chains, overlapping((a, &one.near), (b, j, &other.near)));
    contacts.note_crossings(dimensions, &mut matrix);
    if is_enough(&matrix) || contacts.note_nodes(&chains, dimensions, &mut matrix, &is_enough).is_break() {
        return matrix;
    }
    for (number, [own, other]) in sides.into_iter().enumerate() {
        own.note_untouched(other, &chains[number], &contacts.is_touched[number], matrix.noting(number));
    }
    matrix
}

/// One of the two. If it has many parts, those outside the box around the other are known to be outside the other.
#[derive(Debug)]
struct Side<'a> {
    all: &'a Geometries,
    number: u32,
    dimension: u8,
    /// Around the other.
    beside: Aabb<f64>,
    /// Lines and rings whose boxes reach into that box: all, unless there are many.
    near: Vec<usize>,
}

impl<'a> Side<'a> {
    fn new((all, number): (&'a Geometries, u32), dimension: u8, beside: &Aabb<f64>) -> Self {
        let are_many = all.kinds(number).are_many;
        let near = all.strands_where(number, |bounds| !are_many || bounds.intersects(beside)).collect();
        Self { all, number, dimension, beside: *beside, near }
    }

    fn are_many(&self) -> bool {
        self.all.kinds(self.number).are_many
    }

    fn chains(&self) -> Vec<Chain<'a>> {
        let end = self.all.end(self.number);
        self.near.iter().map(|strand| self.all.chain(*strand, end).0).collect()
    }

    /// Notes what must be outside the other because that has fewer dimensions.
    fn note_beyond(&self, other: &Self, mut note: impl FnMut(Location, Location, i8)) {
        if self.dimension > other.dimension {
            note(Interior, Exterior, self.dimension as i8);
        }
        if self.dimension == 2 && other.dimension == 0 {
            note(Boundary, Exterior, 1);
        }
    }

    /// Notes where single points are: points, and ends of lines.
    fn note_points(&self, other: &Self, mut note: impl FnMut(Location, Location, i8)) {
        let mut far = self.all.points(self.number).len();
        for point in self.all.points_in(self.number, self.beside) {
            // A line of no length may lie where another one ends.
            let own = if self.dimension == 1 { self.all.locate(self.number, point) } else { Interior };
            note(own, other.all.locate(other.number, point), 0);
            far -= 1;
        }
        if far > 0 {
            note(Interior, Exterior, 0);
        }
        if self.dimension == 1 {
            self.note_ends(other, note);
        }
    }

    /// Notes where the boundary of lines is.
    fn note_ends(&self, other: &Self, mut note: impl FnMut(Location, Location, i8)) {
        if self.are_many() && !self.beside.contains(self.all.trees().ends(self.number)) {
            note(Boundary, Exterior, 0);
        }
        // At a point in the box, only lines end that are near.
        let ends = boundary(self.chains().into_iter());
        let near = ends.iter().filter(|end| !self.are_many() || self.beside.contains_point(**end));
        near.for_each(|end| note(Boundary, other.all.locate(other.number, *end), 0));
    }

    /// Notes where lines and rings are that meet nothing: as a whole.
    fn note_untouched(
        &self,
        other: &Self,
        chains: &[Chain<'_>],
        is_touched: &[bool],
        mut note: impl FnMut(Location, Location, i8),
    ) {
        for (chain, _) in chains.iter().zip(is_touched).filter(|(_, is_touched)| !**is_touched) {
            let point = chain.points[0];
            let location = if other.dimension == 2 { other.all.locate_in_areas(other.number, point) } else { Exterior };
            note_edge(self.dimension == 2, location, &mut note);
        }
        if self.near.len() < self.all.strands_of(self.number).len() {
            note_edge(self.dimension == 2, Exterior, note);
        }
    }
}

/// The number of a chain and of its edge, of both.
type Edges = [(usize, usize); 2];

/// Where edges meet at an end of any edge. A point where one edge of a chain ends and the next begins stands for both:
/// the next is named.
#[derive(Debug)]
struct Contact {
    at: Point,
    edges: Edges,
}

/// Where and how the edges of two geometries meet.
#[derive(Debug)]
struct Contacts {
    /// Ordered by point: for each, all edges that it lies on, in any order and possibly repeated, except those that end
    /// where the next one begins.
    all: Vec<Contact>,
    /// Edges that cross where there is no end of any edge.
    crossings: Vec<Edges>,
    /// Edges that meet others on the same line.
    along: Vec<Edges>,
    /// Whether each chain meets anything.
    is_touched: [Vec<bool>; 2],
}

impl Contacts {
    fn find(chains: &[Vec<Chain<'_>>; 2], pairs: Vec<[usize; 2]>) -> Self {
        let is_touched = [vec![false; chains[0].len()], vec![false; chains[1].len()]];
        let mut contacts = Self { all: Vec::new(), crossings: Vec::new(), along: Vec::new(), is_touched };
        for [number_a, number_b] in pairs {
            let (a, b) = (&chains[0][number_a], &chains[1][number_b]);
            let _ = visit_contacts((a, a.whole()), (b, b.whole()), &mut |edge_a, edge_b, how| {
                (contacts.is_touched[0][number_a], contacts.is_touched[1][number_b]) = (true, true);
                let (edges, points) = ([(number_a, edge_a), (number_b, edge_b)], [a.edge(edge_a), b.edge(edge_b)]);
                match how {
                    Meeting::Apart => {}
                    Meeting::Crossing => contacts.crossings.push(edges),
                    Meeting::Touching(ends) => contacts.push([a, b], edges, points, ends),
                    Meeting::Along(ends) => {
                        contacts.along.push(edges);
                        contacts.push([a, b], edges, points, ends);
                    }
                }
                ControlFlow::<()>::Continue(())
            });
        }
        contacts.sort();
        contacts.complete(chains);
        contacts
    }

    fn push(&mut self, chains: [&Chain<'_>; 2], edges: Edges, points: [[Point; 2]; 2], is_met: [[bool; 2]; 2]) {
        for (side, end) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let at = points[side][end];
            // A shared end counts for both.
            let is_told = !is_met[side][end] || side == 1 && points[0].contains(&at);
            // The next edge has it too, and meets the other there.
            let is_next = |side: usize| points[side][1] == at && chains[side].goes_on_after(edges[side].1);
            if !is_told && !is_next(0) && !is_next(1) {
                self.all.push(Contact { at, edges });
            }
        }
    }

    fn sort(&mut self) {
        self.all.sort_unstable_by(|a, b| order(&a.at, &b.at));
    }

    /// Two edges may cross, or lie along each other, just where a third ends: a ring may touch another of its polygon,
    /// and a line may cross itself. Then they meet there.
    fn complete(&mut self, chains: &[Vec<Chain<'_>>; 2]) {
        // The third meets one of the two, of the other geometry, between its ends.
        let middles = [0, 1].map(|side| self.middles(side, &chains[side]));
        if middles.iter().all(Vec::is_empty) {
            return;
        }
        let mut more = Vec::new();
        let mut is_elsewhere = |edges: &Edges| {
            let [a, b] = [0, 1].map(|side| chains[side][edges[side].0].edge(edges[side].1));
            let Some(both) = hull(&a).intersection(&hull(&b)) else { return true };
            let before = more.len();
            for (middles, edge) in middles.iter().zip(edges) {
                // From corner to corner: along an upright edge, only heights differ.
                let start = middles.partition_point(|(other, at)| other.cmp(edge).then(order(at, &both.min)).is_lt());
                let near =
                    middles[start..].iter().take_while(|(other, at)| other == edge && order(at, &both.max).is_le());
                let near = near.map(|(_, at)| *at).filter(|at| !a.contains(at) && !b.contains(at));
                let points = near.filter(|at| is_on(*at, a) && is_on(*at, b));
                more.extend(points.map(|at| Contact { at, edges: *edges }));
            }
            before == more.len()
        };
        self.crossings.retain(&mut is_elsewhere);
        self.along.iter().for_each(|edges| {
            is_elsewhere(edges);
        });
        if !more.is_empty() {
            self.all.append(&mut more);
            self.sort();
        }
    }

    /// Points between the ends of edges of one side, each with its edge, in order.
    fn middles(&self, side: usize, chains: &[Chain<'_>]) -> Vec<((usize, usize), Point)> {
        let all = self.all.iter().map(|contact| (contact.edges[side], contact.at));
        let mut middles: Vec<_> = all.filter(|((chain, edge), at)| !chains[*chain].edge(*edge).contains(at)).collect();
        middles.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(order(&a.1, &b.1)));
        middles.dedup();
        middles
    }

    /// Notes what follows from edges that cross where there is nothing else.
    fn note_crossings(&self, dimensions: [u8; 2], matrix: &mut Matrix) {
        if self.crossings.is_empty() {
            return;
        }
        let along = [0, 1].map(|side| if dimensions[1 - side] == 2 { Vec::new() } else { self.along_on(side) });
        let is_along = |side: usize, edge| along[side].binary_search(&edge).is_ok();
        let own = dimensions.map(|dimension| if dimension == 2 { Boundary } else { Interior });
        for edges in &self.crossings {
            matrix.note(own[0], own[1], 0);
            // An edge passes from the inside of a polygon to the outside; a line's edge may be covered by another,
            // which its ends show.
            let others = |side: usize| match dimensions[1 - side] {
                2 => &[Interior, Exterior][..],
                _ if is_along(side, edges[side]) => &[],
                _ => &[Exterior],
            };
            for (number, dimension) in dimensions.into_iter().enumerate() {
                others(number).iter().for_each(|other| note_edge(dimension == 2, *other, matrix.noting(number)));
            }
            if dimensions == [2; 2] {
                break;
            }
        }
    }

    /// The edges of one side that lie along others, in order.
    fn along_on(&self, side: usize) -> Vec<(usize, usize)> {
        let mut edges: Vec<_> = self.along.iter().map(|edges| edges[side]).collect();
        edges.sort_unstable();
        edges
    }

    /// Notes what is around each point, until that is enough.
    fn note_nodes(
        &self,
        chains: &[Vec<Chain<'_>>; 2],
        dimensions: [u8; 2],
        matrix: &mut Matrix,
        is_enough: &impl Fn(&Matrix) -> bool,
    ) -> ControlFlow<()> {
        let mut stars = dimensions.map(|dimension| Star::new(dimension == 2));
        let mut edges = Vec::new();
        for node in self.all.chunk_by(|a, b| a.at == b.at) {
            for (side, star) in stars.iter_mut().enumerate() {
                star.restart(node[0].at);
                edges.clear();
                for contact in node {
                    let (number, edge) = contact.edges[side];
                    let chain = &chains[side][number];
                    let is_begun = chain.points[edge] == contact.at;
                    edges.extend(chain.before(edge).filter(|_| is_begun).map(|before| (number, before)));
                    edges.push((number, edge));
                }
                edges.sort_unstable();
                edges.dedup();
                for &(number, edge) in &edges {
                    let chain = &chains[side][number];
                    star.add(chain.edge(edge), edge == 0, edge + 2 == chain.points.len());
                }
            }
            let [a, b] = &stars;
            noded_point::note(a, b, matrix);
            if is_enough(matrix) {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

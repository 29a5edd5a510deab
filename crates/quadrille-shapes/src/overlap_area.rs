//! How much two geometries have in common: an area, or a length.
//!
//! **Areas**, after Wm. Randolph Franklin, *Calculating map overlay polygons' areas without explicitly calculating the
//! polygons* (1990): no point where edges cross, and no overlay, is needed. Above a point of the x-axis, a polygon is
//! what lies below its upper edges but not below its lower ones. So is what two have in common: it is the sum, over all
//! pairs of an edge of each, of the area below both, counted as positive if both are upper or both are lower edges,
//! else as negative. No case is decided by rounded numbers, so edges that touch or coincide cannot lead to a wrong one;
//! only the sum is rounded.
//!
//! Most pairs of edges are handled together. If one run of edges lies entirely above another, only the ends of the
//! upper run matter: what it covers back and forth cancels out. So runs are compared from whole chains down to sixteen
//! edges by sixteen, as in `edge_intersections.rs`.
//!
//! **Lengths**: of an edge of a line, the part that has an odd number of a polygon's edges above it is inside.

use std::cmp::Ordering::{Equal, Less};
use std::ops::ControlFlow;

use quadrille::Aabb;

use crate::edge_chain::{self, Chain};
use crate::edge_intersections::visit_contacts;
use crate::fault::Fault;
use crate::geometries::{Geometries, Part};
use crate::intersection_matrix::Matrix;
use crate::parts::overlapping;
use crate::point_location::Location::{Boundary, Interior};
use crate::relate::relate_until;
use crate::runs::Run;
use crate::segment_intersection::{Meeting, Point, side};

/// How much geometry `i` of `a` and geometry `j` of `b` have in common: the area of two polygons, else the length of
/// lines in a polygon or along lines; points have none.
///
/// It is zero exactly if two polygons have no area in common, or others no length. Otherwise it is rounded: the error
/// of an area is less than 1e-10 of the area in which their boxes overlap, that of a length less than 1e-10 of the
/// line. If a line runs over the same points twice, both times count.
///
/// # Errors
/// Returns an error if one is a collection of several kinds of parts, or of several polygons.
///
/// # Panics
/// Panics if there is no such number.
pub fn in_common(a: &Geometries, i: u32, b: &Geometries, j: u32) -> Result<f64, Fault> {
    let dimensions = [a.dimension(i)?, b.dimension(j)?];
    let bounds = [a.bounds(i), b.bounds(j)];
    if dimensions.contains(&0) || !bounds[0].intersects(&bounds[1]) {
        return Ok(0.0);
    }
    let scale = scale(&bounds, dimensions);
    if scale == [1.0; 2] {
        return Ok(of_tame((a, i), (b, j), dimensions));
    }
    let measure = of_tame((&a.scaled(i, scale)?, 0), (&b.scaled(j, scale)?, 0), dimensions);
    let back = if dimensions == [2; 2] { measure / scale[0] / scale[1] } else { measure / scale[0] };
    Ok(if measure > 0.0 { not_zero(back) } else { back })
}

/// However small, it is not rounded to zero.
fn not_zero(measure: f64) -> f64 {
    measure.max(f64::from_bits(1))
}

/// Powers of two to multiply coordinates by: products of very large or very small ones would overflow or vanish.
fn scale(bounds: &[Aabb<f64>; 2], dimensions: [u8; 2]) -> [f64; 2] {
    const TAME: i32 = 300;
    const MAX_POWER: i32 = 1000;
    let largest = [0, 1]
        .map(|axis| bounds.iter().map(|bounds| bounds.min[axis].abs().max(bounds.max[axis].abs())).fold(0.0, f64::max));
    // Areas may be scaled on each axis separately; lengths may not.
    let largest = if dimensions == [2; 2] { largest } else { [largest[0].max(largest[1]); 2] };
    largest.map(|largest| {
        let power = if largest > 0.0 { largest.log2() as i32 } else { 0 };
        if power.abs() < TAME { 1.0 } else { 2_f64.powi(-power.clamp(-MAX_POWER, MAX_POWER)) }
    })
}

/// The same for coordinates of ordinary size.
fn of_tame((a, i): (&Geometries, u32), (b, j): (&Geometries, u32), dimensions: [u8; 2]) -> f64 {
    let Some(common) = a.bounds(i).intersection(&b.bounds(j)) else { return 0.0 };
    let matrix = relate_until(a, i, b, j, dimensions, |matrix| has_measure(matrix, dimensions));
    match dimensions {
        _ if !has_measure(&matrix, dimensions) => 0.0,
        [1, 1] => not_zero(length_along(a, i, b, j)),
        [1, _] => not_zero(length_inside(a, i, b, j)),
        [_, 1] => not_zero(length_inside(b, j, a, i)),
        _ => not_zero(area((a, i), (b, j), &common)),
    }
}

/// Whether what two have in common has a length, or, of two polygons, an area.
fn has_measure(matrix: &Matrix, dimensions: [u8; 2]) -> bool {
    let is_line = |a, b| matrix.get(a, b) >= 1;
    match dimensions {
        [2, 2] => matrix.has(Interior, Interior),
        // Its edge counts.
        _ => is_line(Interior, Interior) || is_line(Interior, Boundary) || is_line(Boundary, Interior),
    }
}

fn area((a, i): (&Geometries, u32), (b, j): (&Geometries, u32), common: &Aabb<f64>) -> f64 {
    let near = |all: &Geometries, number| -> Vec<usize> {
        all.strands_where(number, |bounds| bounds.intersects(common)).collect()
    };
    let pressed = |all: &Geometries, number, near: &[usize]| -> Vec<Pressed> {
        let end = all.end(number);
        near.iter().map(|strand| Pressed::new(&all.chain(*strand, end).0, common)).collect()
    };
    let (near_a, near_b) = (near(a, i), near(b, j));
    let (of_a, of_b) = (pressed(a, i, &near_a), pressed(b, j, &near_b));
    // Closed rings apart have nothing in common.
    let pairs = overlapping((a, &near_a), (b, j, &near_b)).into_iter();
    let pairs = pairs.map(|[one, other]| (of_a[one].chain(), of_b[other].chain()));
    pairs.map(|(one, other)| below_both((&one, one.whole()), (&other, other.whole()))).sum()
}

/// A ring whose parts outside a box are moved to the box's edge, relative to the box's lower left corner. Inside the
/// box it encloses the same area.
struct Pressed {
    points: Vec<Point>,
    bounds: Aabb<f64>,
    hulls: Vec<Aabb<f64>>,
}

impl Pressed {
    fn new(ring: &Chain<'_>, common: &Aabb<f64>) -> Self {
        let mut points = vec![pressed(ring.points[0], common)];
        press(ring, ring.whole(), common, &mut points);
        let mut hulls = Vec::new();
        edge_chain::push_hulls(&points, &mut hulls);
        Self { bounds: edge_chain::hull(&points), points, hulls }
    }

    fn chain(&self) -> Chain<'_> {
        Chain::new(&self.points, &self.bounds, &self.hulls)
    }
}

fn pressed(point: Point, common: &Aabb<f64>) -> Point {
    [0, 1].map(|axis| point[axis].clamp(common.min[axis], common.max[axis]) - common.min[axis])
}

/// Adds the points of a run except the first. A run entirely on one side of the box goes straight to its end.
fn press(ring: &Chain<'_>, run: Run, common: &Aabb<f64>, points: &mut Vec<Point>) {
    let (hull, edges) = (ring.hull(run), ring.edges(run));
    if !hull.intersects(common) {
        points.push(pressed(ring.points[edges.end], common));
    } else if run.is_leaf() {
        edges.for_each(|edge| press_edge(ring.edge(edge), common, points));
    } else {
        ring.children(run).for_each(|child| press(ring, child, common, points));
    }
}

/// Adds the points where an edge enters or leaves the box's stripes, and its end.
fn press_edge([from, to]: [Point; 2], common: &Aabb<f64>, points: &mut Vec<Point>) {
    let mut cuts = [1.0; 4];
    let mut count = 0;
    for (axis, limit) in [(0, common.min[0]), (0, common.max[0]), (1, common.min[1]), (1, common.max[1])] {
        if (from[axis] < limit) != (to[axis] < limit) {
            cuts[count] = (limit - from[axis]) / (to[axis] - from[axis]);
            count += 1;
        }
    }
    cuts[..count].sort_unstable_by(f64::total_cmp);
    for cut in &cuts[..count] {
        let at = [0, 1].map(|axis| from[axis] + cut * (to[axis] - from[axis]));
        points.push(pressed(at, common));
    }
    points.push(pressed(to, common));
}

/// The area below both of two runs, signed by their directions.
fn below_both((a, run_a): (&Chain<'_>, Run), (b, run_b): (&Chain<'_>, Run)) -> f64 {
    let (hull_a, hull_b) = (a.hull(run_a), b.hull(run_b));
    if hull_a.max[0] <= hull_b.min[0] || hull_b.max[0] <= hull_a.min[0] {
        0.0
    } else if hull_a.max[1] <= hull_b.min[1] {
        below(a, run_a, ends(b, run_b))
    } else if hull_b.max[1] <= hull_a.min[1] {
        below(b, run_b, ends(a, run_a))
    } else if run_a.is_leaf() && run_b.is_leaf() {
        let pairs = a.edges(run_a).flat_map(|one| b.edges(run_b).map(move |other| (one, other)));
        pairs.map(|(one, other)| below_edges(a.edge(one), b.edge(other))).sum()
    } else if run_a.is_above(run_b) {
        a.children(run_a).map(|child| below_both((a, child), (b, run_b))).sum()
    } else {
        b.children(run_b).map(|child| below_both((a, run_a), (b, child))).sum()
    }
}

/// The x-coordinates at which a run begins and ends.
fn ends(chain: &Chain<'_>, run: Run) -> [f64; 2] {
    let edges = chain.edges(run);
    [chain.points[edges.start][0], chain.points[edges.end][0]]
}

/// The area below a run above a range of the x-axis, signed by the directions of both.
fn below(chain: &Chain<'_>, run: Run, range: [f64; 2]) -> f64 {
    let hull = chain.hull(run);
    if hull.max[1] <= 0.0 || hull.max[0] <= range[0].min(range[1]) || hull.min[0] >= range[0].max(range[1]) {
        0.0
    } else if run.is_leaf() {
        let high = f64::INFINITY;
        chain.edges(run).map(|edge| below_edges(chain.edge(edge), [[range[0], high], [range[1], high]])).sum()
    } else {
        chain.children(run).map(|child| below(chain, child, range)).sum()
    }
}

/// The area below both of two edges, signed by their directions. The second may be infinitely high.
fn below_edges(a: [Point; 2], b: [Point; 2]) -> f64 {
    let ([left_a, right_a], is_a_back) = to_the_right(a);
    let ([left_b, right_b], is_b_back) = to_the_right(b);
    let (left, right) = (left_a[0].max(left_b[0]), right_a[0].min(right_b[0]));
    if left >= right {
        return 0.0;
    }
    let of_a = [left, right].map(|x| height(left_a, right_a, x));
    let area = if left_b[1] == f64::INFINITY {
        (of_a[0] + of_a[1]) / 2.0
    } else {
        let of_b = [left, right].map(|x| height(left_b, right_b, x));
        let above = [of_a[0] - of_b[0], of_a[1] - of_b[1]];
        (of_a[0] + of_a[1]) / 2.0 - mean_above(above)
    };
    let area = area * (right - left);
    if is_a_back == is_b_back { area } else { -area }
}

/// The mean of the positive part of a number that changes linearly from one value to another.
fn mean_above([from, to]: [f64; 2]) -> f64 {
    match (from > 0.0, to > 0.0) {
        (true, true) => (from + to) / 2.0,
        (false, false) => 0.0,
        _ => from.max(to) * (from.max(to) / (from - to).abs()) / 2.0,
    }
}

fn to_the_right([from, to]: [Point; 2]) -> ([Point; 2], bool) {
    if from[0] <= to[0] { ([from, to], false) } else { ([to, from], true) }
}

fn height([x0, y0]: Point, [x1, y1]: Point, x: f64) -> f64 {
    // Measured from the nearer end, so that ends are exact.
    if x - x0 <= x1 - x { y0 + (x - x0) / (x1 - x0) * (y1 - y0) } else { y1 + (x - x1) / (x1 - x0) * (y1 - y0) }
}

/// The length of lines that is in a polygon, or on its edge.
fn length_inside(lines: &Geometries, i: u32, areas: &Geometries, j: u32) -> f64 {
    let bounds = areas.bounds(j);
    let mut length = 0.0;
    for (line, _) in lines.chains_where(i, |own| own.intersects(&bounds)) {
        visit_near(&line, line.whole(), &bounds, &mut |[from, to]| {
            let (x, y) = (to[0] - from[0], to[1] - from[1]);
            // Turned so that it is flat rather than steep.
            let turn = |[x, y]: Point| if is_steep([from, to]) { [y, -x] } else { [x, y] };
            let edge = [from, to].map(turn);
            let wide = (edge[1][0] - edge[0][0]).abs();
            // Closed rings that are above as a whole cover nothing.
            let around = edge_chain::hull(&[from, to]);
            let near = areas.chains_where(j, |ring| ring.intersects(&around));
            let inside: f64 = near.map(|(ring, _)| below_ring(edge, &ring, ring.whole(), &turn)).sum();
            length += x.hypot(y) * (inside / wide).clamp(0.0, 1.0);
        });
    }
    length
}

/// Visits the edges of a run that reach into a box.
fn visit_near(chain: &Chain<'_>, run: Run, bounds: &Aabb<f64>, visit: &mut impl FnMut([Point; 2])) {
    if !chain.hull(run).intersects(bounds) {
        return;
    }
    if run.is_leaf() {
        let edges = chain.edges(run).map(|edge| chain.edge(edge));
        edges.filter(|edge| edge[0] != edge[1] && edge_chain::hull(edge).intersects(bounds)).for_each(visit);
    } else {
        chain.children(run).for_each(|child| visit_near(chain, child, bounds, visit));
    }
}

fn is_steep([from, to]: [Point; 2]) -> bool {
    (to[0] - from[0]).abs() < (to[1] - from[1]).abs()
}

fn turned(bounds: &Aabb<f64>, turn: impl Fn(Point) -> Point) -> Aabb<f64> {
    Aabb::from_corners(turn(bounds.min), turn(bounds.max))
}

/// Whether anything above an edge, or level with it, may be in a box.
fn do_share(bounds: &Aabb<f64>, [from, to]: &[Point; 2]) -> bool {
    let (left, right) = (from[0].min(to[0]), from[0].max(to[0]));
    bounds.max[0] > left && bounds.min[0] < right && bounds.max[1] >= from[1].min(to[1])
}

/// How much of an edge is below the edges of a run, along the x-axis: upper edges add, lower edges subtract.
fn below_ring(edge: [Point; 2], ring: &Chain<'_>, run: Run, turn: &impl Fn(Point) -> Point) -> f64 {
    let hull = turned(ring.hull(run), turn);
    if !do_share(&hull, &edge) {
        0.0
    } else if hull.min[1] > edge[0][1].max(edge[1][1]) {
        let edges = ring.edges(run);
        // However often it goes back and forth.
        let [from, to] = [edges.start, edges.end].map(|end| turn(ring.points[end])[0]);
        let [left, right] = to_the_right(edge).0.map(|end| end[0]);
        from.clamp(left, right) - to.clamp(left, right)
    } else if run.is_leaf() {
        ring.edges(run).map(|other| below_edge(edge, ring.edge(other).map(turn))).sum()
    } else {
        ring.children(run).map(|child| below_ring(edge, ring, child, turn)).sum()
    }
}

/// How much of an edge is below an edge of a polygon, along the x-axis; what is on it is inside.
fn below_edge(edge: [Point; 2], other: [Point; 2]) -> f64 {
    let ([left, right], _) = to_the_right(edge);
    let ([left_other, right_other], is_upper) = to_the_right(other);
    let (from, to) = (left[0].max(left_other[0]), right[0].min(right_other[0]));
    if from >= to {
        return 0.0;
    }
    // How far above the other is at both ends, with exact signs: one of the two edges ends there.
    let above = |own: Point, foreign: Point, x: f64| {
        if own[0] == x {
            -side(left_other, right_other, own) / (right_other[0] - left_other[0])
        } else {
            side(left, right, foreign) / (right[0] - left[0])
        }
    };
    let above = [above(left, left_other, from), above(right, right_other, to)];
    let share = match above.map(|far| far.partial_cmp(&0.0)) {
        [Some(Equal), Some(Equal)] => f64::from(u8::from(is_upper)),
        [Some(Less | Equal), Some(Less | Equal)] => 0.0,
        [Some(Less), _] | [_, Some(Less)] => above[0].max(above[1]) / (above[0] - above[1]).abs(),
        _ => 1.0,
    };
    share * if is_upper { to - from } else { from - to }
}

/// The length of lines that lies along others.
fn length_along(a: &Geometries, i: u32, b: &Geometries, j: u32) -> f64 {
    let mut length = 0.0;
    let mut shared = Vec::new();
    for (line, _) in a.chains(i) {
        shared.clear();
        for (other, part) in b.chains_where(j, |other| other.intersects(line.bounds)) {
            debug_assert_eq!(part, Part::Line);
            let _ = visit_contacts((&line, line.whole()), (&other, other.whole()), &mut |edge, foreign, how| {
                if let Meeting::Along(_) = how {
                    shared.push((edge, common_range(line.edge(edge), other.edge(foreign))));
                }
                ControlFlow::<()>::Continue(())
            });
        }
        shared.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1[0].total_cmp(&b.1[0])));
        for of_edge in shared.chunk_by(|a, b| a.0 == b.0) {
            let [from, to] = line.edge(of_edge[0].0);
            let (x, y) = (to[0] - from[0], to[1] - from[1]);
            // Divided first: a product of two tiny numbers would vanish.
            length += x.hypot(y) / x.abs().max(y.abs()) * united(of_edge.iter().map(|(_, range)| *range));
        }
    }
    length
}

/// What two edges on one line have in common, along the axis on which the first is longer.
fn common_range(a: [Point; 2], b: [Point; 2]) -> [f64; 2] {
    let axis = usize::from(is_steep(a));
    let range = |[from, to]: [Point; 2]| [from[axis].min(to[axis]), from[axis].max(to[axis])];
    let (a, b) = (range(a), range(b));
    [a[0].max(b[0]), a[1].min(b[1])]
}

/// The total length of ranges sorted by their beginnings.
fn united(ranges: impl Iterator<Item = [f64; 2]>) -> f64 {
    let (mut sum, mut end) = (0.0, f64::NEG_INFINITY);
    for [from, to] in ranges {
        sum += (to - from.max(end)).max(0.0);
        end = end.max(to);
    }
    sum
}

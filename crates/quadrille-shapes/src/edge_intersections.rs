//! Which edges of two chains meet: the boxes of their runs are compared from the whole chains down to runs of sixteen
//! edges.

use std::ops::ControlFlow;

use quadrille::Aabb;

use crate::edge_chain::Chain;
use crate::runs::{FAN, Run};
use crate::segment_intersection::{Meeting, Point, meeting};

/// Calls `visit` with the numbers of any two edges of two runs that meet, and how, until it breaks.
pub(crate) fn visit_contacts<B>(
    (a, run_a): (&Chain<'_>, Run),
    (b, run_b): (&Chain<'_>, Run),
    visit: &mut impl FnMut(usize, usize, Meeting) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let Some(common) = a.hull(run_a).intersection(b.hull(run_b)) else { return ControlFlow::Continue(()) };
    if run_a.is_leaf() && run_b.is_leaf() {
        return compare(&Near::new(a, run_a, &common), &Near::new(b, run_b, &common), visit);
    }
    if run_a.is_above(run_b) {
        a.children(run_a).try_for_each(|child| visit_contacts((a, child), (b, run_b), visit))
    } else {
        b.children(run_b).try_for_each(|child| visit_contacts((a, run_a), (b, child), visit))
    }
}

/// The edges of a run that reach into a box.
struct Near {
    edges: [(usize, [Point; 2]); FAN],
    boxes: [Aabb<f64>; FAN],
    count: usize,
}

impl Near {
    fn new(chain: &Chain<'_>, run: Run, common: &Aabb<f64>) -> Self {
        let mut near = Self { edges: [(0, [[0.0; 2]; 2]); FAN], boxes: [Aabb::EMPTY; FAN], count: 0 };
        for number in chain.edges(run) {
            let edge = chain.edge(number);
            let bounds = Aabb::from_corners(edge[0], edge[1]);
            if bounds.intersects(common) {
                (near.edges[near.count], near.boxes[near.count]) = ((number, edge), bounds);
                near.count += 1;
            }
        }
        near
    }
}

fn compare<B>(a: &Near, b: &Near, visit: &mut impl FnMut(usize, usize, Meeting) -> ControlFlow<B>) -> ControlFlow<B> {
    for ((number_a, edge_a), box_a) in a.edges[..a.count].iter().zip(&a.boxes) {
        for ((number_b, edge_b), box_b) in b.edges[..b.count].iter().zip(&b.boxes) {
            if box_a.intersects(box_b) {
                match meeting(*edge_a, *edge_b) {
                    Meeting::Apart => {}
                    how => visit(*number_a, *number_b, how)?,
                }
            }
        }
    }
    ControlFlow::Continue(())
}

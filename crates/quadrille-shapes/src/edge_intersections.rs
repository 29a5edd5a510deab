//! Which edges of two chains meet: the boxes of their runs are compared from the whole chains down to runs of sixteen
//! edges.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
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
        let (mut near_a, mut near_b) = (Near::new(), Near::new());
        list(a, run_a, &common, &mut near_a);
        list(b, run_b, &common, &mut near_b);
        return compare(&near_a, &near_b, visit);
    }
    if run_a.is_above(run_b) {
        a.children(run_a).try_for_each(|child| visit_contacts((a, child), (b, run_b), visit))
    } else {
        b.children(run_b).try_for_each(|child| visit_contacts((a, run_a), (b, child), visit))
    }
}

/// The edges of a run that reach into a box, each with its number and its own box.
type Near = ArrayVec<(usize, [Point; 2], Aabb<f64>), FAN>;

/// Lists them in place: a list that is returned would be copied.
fn list(chain: &Chain<'_>, run: Run, common: &Aabb<f64>, near: &mut Near) {
    for number in chain.edges(run) {
        let edge = chain.edge(number);
        let bounds = Aabb::from_corners(edge[0], edge[1]);
        if bounds.intersects(common) {
            near.push((number, edge, bounds));
        }
    }
}

fn compare<B>(a: &Near, b: &Near, visit: &mut impl FnMut(usize, usize, Meeting) -> ControlFlow<B>) -> ControlFlow<B> {
    for (number_a, edge_a, box_a) in a {
        for (number_b, edge_b, box_b) in b {
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

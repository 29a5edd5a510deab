//! The nearest beyond memory: what finds them among those that have been read back.

use quadrille::{Aabb, Answers, FrameTree, Index, Near, Ranked};
use quadrille_scale::{Metric, Named, Searching, Take};
use quadrille_shapes::globe::{self, Edges, NearestOnGlobe, Set};
use quadrille_shapes::{Fault, Geometries, Nearest, Wanted, reach_of_boxes};

use super::aside::Aside;
use super::by_distance::ByDistance;
use super::ended::Ended;
use super::plane::AT_ONCE;
use crate::failure::Failure;

/// Boxes on the plane.
pub(super) struct Boxes {
    pub(super) most: f64,
}

/// Geometries on the plane.
pub(super) struct Shaped<'a> {
    pub(super) aside: &'a Aside,
    pub(super) most: f64,
}

/// Points and boxes on the earth.
pub(super) struct Earth {
    pub(super) most: f64,
}

impl Metric for Boxes {
    type Askers = Vec<Aabb<f64>>;
    type Group = Index<FrameTree<f64>>;
    type Error = Ended;

    fn askers(&self, boxes: &[Named]) -> Result<(usize, Self::Askers), Ended> {
        Ok((boxes.len(), unnamed(boxes)))
    }

    fn group(&self, boxes: &[Named]) -> Result<(usize, Self::Group), Ended> {
        let index = Index::from_boxes(&unnamed(boxes)).map_err(|error| Ended::Failed(error.into()))?;
        Ok((boxes.len(), index))
    }

    fn least(&self, from: &Aabb<f64>, hull: &Aabb<f64>) -> Option<f64> {
        ByDistance(Near::aabb(*from).within(self.most)).rank(hull)
    }

    fn nearest(
        &self,
        askers: &Self::Askers,
        searching: &[Searching],
        group: &Self::Group,
        count: usize,
        take: Take<'_>,
    ) -> Result<(), Ended> {
        let (mut answers, mut found) = (Answers::new(), Vec::new());
        let at_once = (AT_ONCE / count.min(group.len()).max(1)).max(1);
        for some in searching.chunks(at_once) {
            let near = |one: &Searching| {
                let reach = one.last.map_or(f64::INFINITY, reach_of_boxes);
                ByDistance(Near::aabb(askers[one.number as usize]).within(reach.min(self.most)))
            };
            group.query_first_many(&some.iter().map(near).collect::<Vec<_>>(), count, &mut answers);
            for (one, hits) in some.iter().zip(answers.iter()) {
                found.clear();
                found.extend(hits.iter().map(|hit| (hit.id, hit.rank)));
                take(one.number, &found);
            }
        }
        Ok(())
    }
}

impl Metric for Shaped<'_> {
    type Askers = Geometries;
    type Group = (Geometries, Index<FrameTree<f64>>);
    type Error = Ended;

    fn askers(&self, boxes: &[Named]) -> Result<(usize, Geometries), Ended> {
        self.aside.gather(false, boxes).map_err(Ended::Failed)
    }

    fn group(&self, boxes: &[Named]) -> Result<(usize, Self::Group), Ended> {
        let (count, all) = self.aside.gather(true, boxes).map_err(Ended::Failed)?;
        let index = Index::from_boxes(&all.boxes()).map_err(|error| Ended::Failed(error.into()))?;
        Ok((count, (all, index)))
    }

    fn least(&self, from: &Aabb<f64>, hull: &Aabb<f64>) -> Option<f64> {
        // The inverse of `reach_of_boxes`, and a little less.
        let least = (from.distance(hull) - 2.0 * f64::MIN_POSITIVE) * (1.0 - 16.0 * f64::EPSILON);
        Some(least.max(0.0)).filter(|least| *least <= self.most)
    }

    fn nearest(
        &self,
        askers: &Geometries,
        searching: &[Searching],
        (all, index): &Self::Group,
        count: usize,
        take: Take<'_>,
    ) -> Result<(), Ended> {
        let nearest = Nearest::new(all, index);
        for one in searching {
            take(one.number, &nearest.to(askers, one.number, wanted(count, one.last.unwrap_or(self.most))));
        }
        Ok(())
    }
}

impl Metric for Earth {
    type Askers = Vec<Aabb<f64>>;
    type Group = (Vec<Aabb<f64>>, NearestOnGlobe);
    type Error = Ended;

    fn askers(&self, boxes: &[Named]) -> Result<(usize, Self::Askers), Ended> {
        Ok((boxes.len(), unnamed(boxes)))
    }

    fn group(&self, boxes: &[Named]) -> Result<(usize, Self::Group), Ended> {
        let all = unnamed(boxes);
        let nearest = on_globe(&all, None).and_then(|globe| globe.nearest()).map_err(|fault| failed(&fault))?;
        Ok((boxes.len(), (all, nearest)))
    }

    fn least(&self, from: &Aabb<f64>, hull: &Aabb<f64>) -> Option<f64> {
        Some(globe::least_between(from, hull)).filter(|least| *least <= self.most)
    }

    fn nearest(
        &self,
        askers: &Self::Askers,
        searching: &[Searching],
        (all, nearest): &Self::Group,
        count: usize,
        take: Take<'_>,
    ) -> Result<(), Ended> {
        let globe = on_globe(askers, Some(all)).map_err(|fault| failed(&fault))?;
        for one in searching {
            let wanted = wanted(count, one.last.unwrap_or(self.most));
            take(one.number, &globe.nearest_to(nearest, one.number, wanted));
        }
        Ok(())
    }
}

fn unnamed(boxes: &[Named]) -> Vec<Aabb<f64>> {
    boxes.iter().map(|(_, bounds)| *bounds).collect()
}

fn wanted(count: usize, most: f64) -> Wanted {
    Wanted { count, most, has_ties: false, but_itself: false }
}

/// Boxes that have been checked when they were read.
fn on_globe<'a>(first: &'a [Aabb<f64>], second: Option<&'a [Aabb<f64>]>) -> Result<globe::Globe<'a>, Fault> {
    globe::Globe::new(Set::of_boxes(first), second.map(Set::of_boxes), Edges::Straight)
}

fn failed(fault: &Fault) -> Ended {
    Ended::Failed(Failure::Bad(fault.to_string()))
}

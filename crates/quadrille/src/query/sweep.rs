//! Boxes in the path of a ray, a segment or a moving box.

use super::{Query, Ranked};
use crate::geometry::{Aabb, Contact, Scalar, Sweep};
use crate::storage::Layers;

/// The boxes touched along the path; methods that return answers in order give them by first contact.
impl<S: Scalar> Query<S> for Sweep<S> {
    #[inline]
    fn bounds(&self) -> Aabb<S> {
        self.path()
    }

    fn extent(&self) -> Aabb<S> {
        self.path_for_ever()
    }

    #[inline]
    fn reaches(&self, cell: &Aabb<S>) -> bool {
        self.contact(cell).is_some()
    }

    #[inline]
    fn admits_all(&self) -> bool {
        true
    }

    #[inline]
    fn accepts(&self, _id: u32, bounds: &Aabb<S>, _layers: Layers) -> bool {
        self.contact(bounds).is_some()
    }
}

impl<S: Scalar> Ranked<S> for Sweep<S> {
    type Rank = Contact<S>;

    #[inline]
    fn rank(&self, bounds: &Aabb<S>) -> Option<Contact<S>> {
        self.contact(bounds)
    }

    #[inline]
    fn answer(&self, _id: u32, bounds: &Aabb<S>, _layers: Layers) -> Option<Contact<S>> {
        self.contact(bounds)
    }

    fn origin(&self) -> Aabb<S> {
        self.start()
    }

    fn bounds_up_to(&self, last: &Contact<S>) -> Aabb<S> {
        self.path_until(last.time()).intersection(&self.path()).unwrap_or(Aabb::EMPTY)
    }

    #[inline]
    fn sweep(&self) -> Option<Self> {
        Some(*self)
    }

    #[inline]
    fn time(&self, rank: &Contact<S>) -> Option<f64> {
        Some(rank.time())
    }
}

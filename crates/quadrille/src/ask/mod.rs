//! Floor 4: all query methods. Each is written once, over boxes, a structure and a *resolver*, which knows what answers
//! are called. An index and a space offer them under the same names.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | boxes, structure and resolver as one; queries, neighbors |
//! | `best.rs` | the first answer, and the first few |
//! | `first_many.rs` | the first few answers to many queries |
//! | `outward.rs` | all answers in order, lazily |
//! | `many.rs` | many queries at once |
//! | `pairs.rs` | pairs within a set and between two, impacts |
//! | `within.rs` | pairs within a distance |
//! | `faces.rs` | the public methods, for both containers |

mod best;
mod faces;
mod first_many;
mod many;
mod outward;
mod pairs;
mod within;

pub(crate) use faces::faces;
pub use many::Answers;
pub use pairs::Impact;

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::compiled::Compiler;
use crate::geometry::{Aabb, Scalar, both, sqrt_above};
use crate::query::{Counted, DynQuery, Filtered, Hit, Overlaps, Query, Ranked, Work};
use crate::storage::{Boxes, Handle};
use crate::structure::Structure;

/// Adds all that an iterator yields. `extend` would fetch them one by one, which takes up to twice as long if
/// an iterator is made of several: a fold runs through each of them.
#[inline]
pub(crate) fn push_all<T>(to: &mut Vec<T>, all: impl Iterator<Item = T>) {
    all.for_each(|one| to.push(one));
}

/// What an iterator yields, if there is one. `flatten` does the same in three times the code, because it is made for many
/// iterators from both ends; and this code is compiled for every query of every structure.
struct IfAny<T>(Option<T>);

impl<T: Iterator> Iterator for IfAny<T> {
    type Item = T::Item;

    #[inline]
    fn next(&mut self) -> Option<T::Item> {
        self.0.as_mut()?.next()
    }

    #[inline]
    fn fold<A, F: FnMut(A, T::Item) -> A>(self, first: A, add: F) -> A {
        match self.0 {
            Some(all) => all.fold(first, add),
            None => first,
        }
    }
}

/// How stored answers are identified. Names have the order of ids.
pub(crate) trait Name: Copy + Ord {
    fn id(self) -> u32;
}

impl Name for u32 {
    #[inline]
    fn id(self) -> u32 {
        self
    }
}

impl Name for Handle {
    #[inline]
    fn id(self) -> u32 {
        self.slot
    }
}

/// What a container above a structure knows about its ids.
///
/// Structures are searched without it, so that they are compiled once for all kinds of names and things.
pub(crate) trait Resolver: Copy {
    /// What answers are: ids, or handles with their payloads.
    type Item;
    /// How stored answers are identified: by ids or handles.
    type Name: Name;
    /// What comes with a name.
    type Thing;

    /// The answer for an id in use.
    fn item(self, id: u32) -> Self::Item;

    /// The name of an id in use.
    fn name(self, id: u32) -> Self::Name;

    /// The payload of an id in use.
    fn thing(self, id: u32) -> Self::Thing;
}

/// Answers are ids. A search that looks for ids uses it too, whatever the container calls them.
#[derive(Clone, Copy)]
pub(crate) struct Ids;

impl Resolver for Ids {
    type Item = u32;
    type Name = u32;
    type Thing = ();

    #[inline]
    fn item(self, id: u32) -> u32 {
        id
    }

    #[inline]
    fn name(self, id: u32) -> u32 {
        id
    }

    #[inline]
    fn thing(self, _id: u32) {}
}

/// Boxes as seen through a resolver.
pub(crate) struct View<'a, I: Structure, R> {
    pub(crate) boxes: &'a Boxes<I::Scalar>,
    pub(crate) structure: &'a I,
    pub(crate) resolver: R,
}

impl<I: Structure, R: Copy> Clone for View<'_, I, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Structure, R: Copy> Copy for View<'_, I, R> {}

impl<'a, I: Structure, R: Resolver> View<'a, I, R> {
    /// The ids of all boxes that a query accepts.
    #[inline]
    pub(crate) fn ids<Q: Query<I::Scalar>>(self, query: Q) -> impl Iterator<Item = u32> + use<'a, I, R, Q> {
        let Self { boxes, structure, .. } = self;
        let is_ordered = query.bounds().is_ordered();
        IfAny(is_ordered.then(|| structure.search(boxes, query)))
    }

    #[inline]
    pub(crate) fn query<Q: Query<I::Scalar>>(self, query: Q) -> impl Iterator<Item = R::Item> + use<'a, I, R, Q> {
        self.ids(query).map(items(self.resolver))
    }

    #[inline]
    pub(crate) fn query_visit<Q: Query<I::Scalar>, B>(
        self,
        query: Q,
        visit: impl FnMut(R::Item) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_ids(query, visiting(self.resolver, visit))
    }

    /// The same ids in the same order as [`ids`](Self::ids).
    #[inline]
    fn visit_ids<Q: Query<I::Scalar>, B>(self, query: Q, visit: impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        if !query.bounds().is_ordered() {
            return ControlFlow::Continue(());
        }
        self.structure.visit(self.boxes, query, visit)
    }

    /// The query is behind a pointer, so that structures are compiled once for counting: speed does not matter here.
    pub(crate) fn query_work(self, query: &dyn DynQuery<I::Scalar>) -> Work {
        let counted = Counted::new(query);
        let found = self.ids(&counted).count();
        Work { found, ..counted.work() }
    }

    /// The query, restricted to answers whose item passes a test.
    pub(crate) fn filtered<Q>(
        self,
        query: Q,
        test: impl Fn(R::Item) -> bool + Clone,
    ) -> Filtered<Q, impl Fn(u32) -> bool + Clone> {
        Filtered(query, move |id| test(self.resolver.item(id)))
    }

    /// What forms a pair with an id; empty if the id is not in use.
    #[inline]
    pub(crate) fn neighbors(self, id: Option<u32>) -> impl Iterator<Item = R::Item> + use<'a, I, R> {
        let bounds = id.and_then(|id| self.boxes.get(id)).unwrap_or(Aabb::EMPTY);
        self.query(Filtered(Overlaps(bounds), meets(self.boxes, id)))
    }

    /// The rank of a box that answers the query.
    fn rank<Q: Ranked<I::Scalar>>(self, query: &Q, id: u32) -> Option<Q::Rank> {
        let bounds = self.boxes.get(id)?;
        let ranks = self.structure.offsets(query).filter_map(|offset| query.rank(&bounds.with_offset(offset)));
        ranks.reduce(|least, rank| if rank < least { rank } else { least })
    }

    /// All answers with their ranks, in any order. They are to be sorted, so the query is behind a pointer, and this is
    /// compiled with the structure.
    fn visit_ranked<Q: Ranked<I::Scalar>>(self, query: &Q, mut visit: impl FnMut(u32, Q::Rank)) {
        if query.bounds().is_ordered() {
            I::Compiler::visit(self.structure, self.boxes, query, &mut |id| {
                self.rank(query, id).into_iter().for_each(|rank| visit(id, rank));
            });
        }
    }

    fn hit<K>(self, Hit { id, rank, .. }: Hit<K>) -> Hit<K, R::Name, R::Thing> {
        Hit { id: self.resolver.name(id), rank, thing: self.resolver.thing(id) }
    }

    /// A hull of a few boxes, and their typical spacing: for a query that starts where there is no cell.
    fn sample(self) -> (Aabb<I::Scalar>, f64) {
        const SAMPLE: usize = 16;
        let hull = Aabb::from_boxes(self.boxes.sample(SAMPLE, 0));
        let [width, height] = hull.size().map(Scalar::to_f64);
        let count = self.boxes.len() as f64;
        (hull, sqrt_above(hull.area() / count).max(width / count).max(height / count))
    }
}

/// Answers for ids. Outside of [`View`], as [`meets`] is: a closure is another one for each type around it, and so is
/// all that it is handed to, such as a walk of the same structure by its own name and within another one.
#[inline]
fn items<R: Resolver>(resolver: R) -> impl Fn(u32) -> R::Item + Copy {
    move |id| resolver.item(id)
}

/// Visits the answers for ids.
#[inline]
fn visiting<R: Resolver, B>(
    resolver: R,
    mut visit: impl FnMut(R::Item) -> ControlFlow<B>,
) -> impl FnMut(u32) -> ControlFlow<B> {
    move |id| visit(resolver.item(id))
}

/// What forms a pair with an id, if that is in use. Layers are checked last: checking a few answers costs less than
/// checking all boxes around.
#[inline]
fn meets<S: Scalar>(boxes: &Boxes<S>, id: Option<u32>) -> impl Fn(u32) -> bool + Copy + use<'_, S> {
    move |other| id.is_some_and(|id| other != id && boxes.meet(id, other))
}

/// How far a window around an origin must reach to come to most boxes, given the hull of a few: 0, unless the origin is
/// far outside of them.
fn gap_to<S: Scalar>(hull: &Aabb<S>, origin: &Aabb<S>) -> f64 {
    let size = hull.size().map(Scalar::to_f64);
    let gaps = both(|axis| {
        let before = hull.min[axis].to_f64() - origin.max[axis].to_f64();
        // There are more boxes beyond the hull of a few.
        before.max(origin.min[axis].to_f64() - hull.max[axis].to_f64()) - size[axis] / 8.0
    });
    gaps[0].max(gaps[1]).max(0.0)
}

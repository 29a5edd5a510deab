//! Boxes in any structure and container, behind one trait object: so that tests are compiled once per scalar.

use std::fmt::Debug;

use super::truth::is_told;
use quadrille::{
    Aabb, Answers, Contact, Distance, Handle, Index, Layers, Near, Query, Ranked, Scalar, Space, Structure, Sweep,
};

/// A query of any kind. Those without an order have no ranks.
pub(crate) trait Ask<S: Scalar> {
    fn bounds(&self) -> Aabb<S>;
    fn extent(&self) -> Aabb<S>;
    fn reaches(&self, cell: &Aabb<S>) -> bool;
    fn accepts(&self, id: u32, bounds: &Aabb<S>) -> bool;
    fn rank(&self, bounds: &Aabb<S>) -> Option<Rank<S>>;
    fn bounds_up_to(&self, last: &Rank<S>) -> Aabb<S>;
    fn origin(&self) -> Aabb<S>;
}

/// A rank of any kind.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) enum Rank<S: Scalar> {
    Distance(Distance<S>),
    Contact(Contact<S>),
}

/// A rank as numbers: a squared distance, or a time and a normal.
pub(crate) type Shown = [f64; 3];

impl<S: Scalar> Rank<S> {
    fn shown(&self) -> Shown {
        match self {
            Self::Distance(distance) => far(*distance),
            Self::Contact(contact) => shown(contact),
        }
    }
}

/// The square of a distance, or the distance itself if squares are not enough.
fn far<S: Scalar>(distance: Distance<S>) -> Shown {
    let square = distance.squared();
    [if is_told(square) { square } else { distance.to_f64() }, 0.0, 0.0]
}

fn shown<S: Scalar>(contact: &Contact<S>) -> Shown {
    let [x, y] = contact.normal().map(f64::from);
    // Zero has two signs.
    [contact.time() + 0.0, x, y]
}

macro_rules! ask {
    ($query:ident, $rank:ident) => {
        impl<S: Scalar> Ask<S> for $query<S> {
            fn bounds(&self) -> Aabb<S> {
                Query::bounds(self)
            }
            fn extent(&self) -> Aabb<S> {
                Query::extent(self)
            }
            fn reaches(&self, cell: &Aabb<S>) -> bool {
                Query::reaches(self, cell)
            }
            fn accepts(&self, id: u32, bounds: &Aabb<S>) -> bool {
                Query::accepts(self, id, bounds, Layers::ALL)
            }
            fn rank(&self, bounds: &Aabb<S>) -> Option<Rank<S>> {
                Ranked::rank(self, bounds).map(Rank::$rank)
            }
            fn bounds_up_to(&self, last: &Rank<S>) -> Aabb<S> {
                let Rank::$rank(last) = last else { panic!("{last:?} is a rank of another query") };
                Ranked::bounds_up_to(self, last)
            }
            fn origin(&self) -> Aabb<S> {
                Ranked::origin(self)
            }
        }
    };
}

ask!(Near, Distance);
ask!(Sweep, Contact);

/// Any query.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a, S>(pub(crate) &'a dyn Ask<S>);

impl<S: Scalar> Query<S> for Asked<'_, S> {
    fn bounds(&self) -> Aabb<S> {
        self.0.bounds()
    }
    fn extent(&self) -> Aabb<S> {
        self.0.extent()
    }
    fn reaches(&self, cell: &Aabb<S>) -> bool {
        self.0.reaches(cell)
    }
    fn accepts(&self, id: u32, bounds: &Aabb<S>, _layers: Layers) -> bool {
        self.0.accepts(id, bounds)
    }
}

impl<S: Scalar> Ranked<S> for Asked<'_, S> {
    type Rank = Rank<S>;
    fn rank(&self, bounds: &Aabb<S>) -> Option<Rank<S>> {
        self.0.rank(bounds)
    }
    fn origin(&self) -> Aabb<S> {
        self.0.origin()
    }
    fn bounds_up_to(&self, last: &Rank<S>) -> Aabb<S> {
        self.0.bounds_up_to(last)
    }
}

/// An answer: which box, and its rank.
pub(crate) type Answer = (u32, Shown);

/// Two boxes, and their distance or contact.
pub(crate) type Couple = (u32, u32, Shown);

/// Boxes under numbers.
pub(crate) trait Held<S: Scalar> {
    fn name(&self) -> String;
    /// `None` if the box is refused.
    fn insert(&mut self, bounds: Aabb<S>) -> Option<u32>;
    fn remove(&mut self, id: u32);
    /// `false` if the box is refused.
    fn update(&mut self, id: u32, bounds: Aabb<S>) -> bool;
    fn maintain(&mut self);
    /// The boxes as they are held, in the order in which equal ranks are answered.
    fn boxes(&self) -> Vec<(u32, Aabb<S>)>;
    fn query(&self, query: Asked<'_, S>) -> Vec<u32>;
    fn first(&self, query: Asked<'_, S>) -> Option<Answer>;
    fn first_into(&self, query: Asked<'_, S>, most: usize) -> Vec<Answer>;
    fn in_order(&self, query: Asked<'_, S>, most: usize) -> Vec<Answer>;
    fn many(&self, queries: &[Asked<'_, S>]) -> Vec<Vec<u32>>;
    fn pairs(&self) -> Vec<(u32, u32)>;
    /// `None` if the motions are refused.
    fn impacts(&self, motion: &dyn Fn(u32) -> [S; 2]) -> Option<Vec<Couple>>;
    fn validate(&self);
}

pub(crate) struct InIndex<I: Structure>(pub(crate) Index<I>);

impl<S: Scalar, I: Structure<Scalar = S>> Held<S> for InIndex<I>
where
    I::Options: Debug,
{
    fn name(&self) -> String {
        format!("index {:?}", self.0.options())
    }
    fn insert(&mut self, bounds: Aabb<S>) -> Option<u32> {
        self.0.insert(bounds).ok()
    }
    fn remove(&mut self, id: u32) {
        self.0.remove(id).expect("an id in use");
    }
    fn update(&mut self, id: u32, bounds: Aabb<S>) -> bool {
        self.0.update(id, bounds).is_ok()
    }
    fn maintain(&mut self) {
        self.0.maintain();
    }
    fn boxes(&self) -> Vec<(u32, Aabb<S>)> {
        self.0.iter().collect()
    }
    fn query(&self, query: Asked<'_, S>) -> Vec<u32> {
        self.0.query(query).collect()
    }
    fn first(&self, query: Asked<'_, S>) -> Option<Answer> {
        self.0.query_first(query).map(|hit| (hit.id, hit.rank.shown()))
    }
    fn first_into(&self, query: Asked<'_, S>, most: usize) -> Vec<Answer> {
        let mut hits = Vec::new();
        self.0.query_first_few(query, most, &mut hits);
        hits.iter().map(|hit| (hit.id, hit.rank.shown())).collect()
    }
    fn in_order(&self, query: Asked<'_, S>, most: usize) -> Vec<Answer> {
        self.0.query_in_order(query).take(most).map(|hit| (hit.id, hit.rank.shown())).collect()
    }
    fn many(&self, queries: &[Asked<'_, S>]) -> Vec<Vec<u32>> {
        let mut answers = Answers::new();
        self.0.query_many(queries, &mut answers);
        answers.iter().map(<[u32]>::to_vec).collect()
    }
    fn pairs(&self) -> Vec<(u32, u32)> {
        self.0.pairs().collect()
    }
    fn impacts(&self, motion: &dyn Fn(u32) -> [S; 2]) -> Option<Vec<Couple>> {
        let mut impacts = Vec::new();
        self.0.impacts(motion, &mut impacts).ok()?;
        Some(impacts.iter().map(|impact| (impact.a, impact.b, shown(&impact.contact))).collect())
    }
    fn validate(&self) {
        self.0.validate().expect("a sound index");
    }
}

/// A space.
pub(crate) struct InSpace<I: Structure> {
    space: Space<(), I>,
    handles: Vec<Option<Handle>>,
}

impl<I: Structure> InSpace<I> {
    pub(crate) fn new(space: Space<(), I>) -> Self {
        Self { space, handles: Vec::new() }
    }

    fn handle(&self, id: u32) -> Handle {
        self.handles[id as usize].expect("an id in use")
    }
}

impl<S: Scalar, I: Structure<Scalar = S>> Held<S> for InSpace<I>
where
    I::Options: Debug,
{
    fn name(&self) -> String {
        format!("space {:?}", self.space.index().options())
    }
    fn insert(&mut self, bounds: Aabb<S>) -> Option<u32> {
        let handle = self.space.insert(bounds, ()).ok()?;
        let id = handle.id();
        self.handles.resize(self.handles.len().max(id as usize + 1), None);
        self.handles[id as usize] = Some(handle);
        Some(id)
    }
    fn remove(&mut self, id: u32) {
        self.space.remove(self.handle(id)).expect("a handle in use");
        self.handles[id as usize] = None;
    }
    fn update(&mut self, id: u32, bounds: Aabb<S>) -> bool {
        self.space.update(self.handle(id), bounds).is_ok()
    }
    fn maintain(&mut self) {
        self.space.maintain();
    }
    fn boxes(&self) -> Vec<(u32, Aabb<S>)> {
        let handles = self.handles.iter().flatten();
        handles.map(|&handle| (handle.id(), self.space.bounds(handle).expect("a handle in use"))).collect()
    }
    fn query(&self, query: Asked<'_, S>) -> Vec<u32> {
        self.space.query(query).map(|(handle, _)| handle.id()).collect()
    }
    fn first(&self, query: Asked<'_, S>) -> Option<Answer> {
        self.space.query_first(query).map(|hit| (hit.id.id(), hit.rank.shown()))
    }
    fn first_into(&self, query: Asked<'_, S>, most: usize) -> Vec<Answer> {
        let mut hits = Vec::new();
        self.space.query_first_few(query, most, &mut hits);
        hits.iter().map(|hit| (hit.id.id(), hit.rank.shown())).collect()
    }
    fn in_order(&self, query: Asked<'_, S>, most: usize) -> Vec<Answer> {
        self.space.query_in_order(query).take(most).map(|hit| (hit.id.id(), hit.rank.shown())).collect()
    }
    fn many(&self, queries: &[Asked<'_, S>]) -> Vec<Vec<u32>> {
        let mut answers = Answers::new();
        self.space.query_many(queries, &mut answers);
        answers.iter().map(|found| found.iter().map(|handle| handle.id()).collect()).collect()
    }
    fn pairs(&self) -> Vec<(u32, u32)> {
        self.space.pairs().map(|((a, _), (b, _))| (a.id(), b.id())).collect()
    }
    fn impacts(&self, motion: &dyn Fn(u32) -> [S; 2]) -> Option<Vec<Couple>> {
        let mut impacts = Vec::new();
        self.space.impacts(|handle| motion(handle.id()), &mut impacts).ok()?;
        Some(impacts.iter().map(|impact| (impact.a.id(), impact.b.id(), shown(&impact.contact))).collect())
    }
    fn validate(&self) {
        self.space.validate().expect("a sound space");
    }
}

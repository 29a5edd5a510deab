//! An index whose structure is a value instead of a type, so that each sentence of the suite is compiled once a scalar
//! and not once per structure: a fifth of the time to build, and every call still ends in the structure's own code.

use std::any::Any;
use std::fmt::{self, Debug};
use std::ops::ControlFlow;
use std::sync::Arc;

use quadrille::structures::Node;
use quadrille::{Aabb, DynQuery, Error, Index, Part, Query, Scalar, Stats, Structure, Work};

use crate::erased::asked;

/// A query of any type.
type AnyQuery<'a, S> = &'a (dyn DynQuery<S> + 'a);
/// What is done with each answer of type `T`; it may stop, and say at which.
type Visit<'a, T> = &'a mut dyn FnMut(T) -> ControlFlow<T>;

/// What a structure must implement to be stored: nothing, without the feature.
#[cfg(not(feature = "snapshot"))]
pub(crate) trait Storable: Structure {}
#[cfg(not(feature = "snapshot"))]
impl<I: Structure> Storable for I {}

/// What a structure must implement to be stored.
#[cfg(feature = "snapshot")]
pub(crate) trait Storable: Structure + serde::Serialize + serde::de::DeserializeOwned {}
#[cfg(feature = "snapshot")]
impl<I: Structure + serde::Serialize + serde::de::DeserializeOwned> Storable for I {}

/// [`Index`] behind a pointer. Methods that do not depend on the structure are here once; those of queries take
/// [`AnyQuery`].
trait Hold<S: Scalar>: Debug + Send + Sync {
    fn copy(&self) -> Box<dyn Hold<S>>;
    fn as_any(&self) -> &dyn Any;
    fn insert(&mut self, bounds: Aabb<S>) -> Result<u32, Error>;
    fn remove(&mut self, id: u32) -> Option<Aabb<S>>;
    fn update(&mut self, id: u32, bounds: Aabb<S>) -> Result<Aabb<S>, Error>;
    fn set_all(&mut self, boxes: &[Aabb<S>]) -> Result<(), Error>;
    fn clear(&mut self);
    fn maintain(&mut self);
    fn reserve(&mut self, additional: usize);
    fn boxes(&self) -> Vec<(u32, Aabb<S>)>;
    fn get(&self, id: u32) -> Option<Aabb<S>>;
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool;
    fn stats(&self) -> Stats;
    fn validate(&self) -> Result<Stats, String>;
    fn may_pair(&self, a: u32, b: u32) -> bool;
    fn query(&self, query: AnyQuery<'_, S>) -> Vec<u32>;
    fn query_visit(&self, query: AnyQuery<'_, S>, visit: Visit<'_, u32>) -> ControlFlow<u32>;
    fn query_count(&self, query: AnyQuery<'_, S>) -> usize;
    fn query_work(&self, query: AnyQuery<'_, S>) -> Work;
    fn neighbors(&self, id: u32) -> Vec<u32>;
    fn pairs(&self) -> Vec<(u32, u32)>;
    fn pairs_visit(&self, visit: Visit<'_, (u32, u32)>) -> ControlFlow<(u32, u32)>;
    fn pairs_part_visit(&self, part: Part, visit: Visit<'_, (u32, u32)>) -> ControlFlow<(u32, u32)>;
    fn pairs_count(&self) -> usize;
    fn pairs_with(&self, other: &dyn Hold<S>) -> Vec<(u32, u32)>;
    fn pairs_with_visit(&self, other: &dyn Hold<S>, visit: Visit<'_, (u32, u32)>) -> ControlFlow<(u32, u32)>;
    fn visit_nodes(&self, visit: &mut dyn FnMut(Node<S>) -> ControlFlow<()>) -> ControlFlow<()>;
    #[cfg(feature = "snapshot")]
    fn to_bytes(&self) -> Vec<u8>;
    /// For the suite alone: fuzzing, which takes this file, knows no text.
    #[cfg(all(feature = "snapshot", test))]
    fn to_json(&self) -> String;
}

/// The other index, which must have the same structure.
fn same_structure<I: Structure + 'static, S: Scalar>(other: &dyn Hold<S>) -> &Index<I> {
    other.as_any().downcast_ref().expect("an index of the same structure")
}

impl<I: Storable + Send + 'static> Hold<I::Scalar> for Index<I> {
    fn copy(&self) -> Box<dyn Hold<I::Scalar>> {
        Box::new(self.clone())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn insert(&mut self, bounds: Aabb<I::Scalar>) -> Result<u32, Error> {
        self.insert(bounds)
    }
    fn remove(&mut self, id: u32) -> Option<Aabb<I::Scalar>> {
        self.remove(id)
    }
    fn update(&mut self, id: u32, bounds: Aabb<I::Scalar>) -> Result<Aabb<I::Scalar>, Error> {
        self.update(id, bounds)
    }
    fn set_all(&mut self, boxes: &[Aabb<I::Scalar>]) -> Result<(), Error> {
        self.set_all(boxes)
    }
    fn clear(&mut self) {
        self.clear();
    }
    fn maintain(&mut self) {
        self.maintain();
    }
    fn reserve(&mut self, additional: usize) {
        self.reserve(additional);
    }
    fn boxes(&self) -> Vec<(u32, Aabb<I::Scalar>)> {
        self.iter().collect()
    }
    fn get(&self, id: u32) -> Option<Aabb<I::Scalar>> {
        self.get(id)
    }
    fn len(&self) -> usize {
        self.len()
    }
    fn is_empty(&self) -> bool {
        self.is_empty()
    }
    fn stats(&self) -> Stats {
        self.stats()
    }
    fn validate(&self) -> Result<Stats, String> {
        self.validate().map_err(|corruption| corruption.to_string())
    }
    fn may_pair(&self, a: u32, b: u32) -> bool {
        let layers = |id| self.layers(id).expect("an id in use");
        layers(a).meets(layers(b), self.agreement())
    }
    fn query(&self, query: AnyQuery<'_, I::Scalar>) -> Vec<u32> {
        self.query(query).collect()
    }
    fn query_visit(&self, query: AnyQuery<'_, I::Scalar>, visit: Visit<'_, u32>) -> ControlFlow<u32> {
        self.query_visit(query, visit)
    }
    fn query_count(&self, query: AnyQuery<'_, I::Scalar>) -> usize {
        self.query_count(query)
    }
    fn query_work(&self, query: AnyQuery<'_, I::Scalar>) -> Work {
        self.query_work(query)
    }
    fn neighbors(&self, id: u32) -> Vec<u32> {
        self.neighbors(id).collect()
    }
    fn pairs(&self) -> Vec<(u32, u32)> {
        self.pairs().collect()
    }
    fn pairs_visit(&self, visit: Visit<'_, (u32, u32)>) -> ControlFlow<(u32, u32)> {
        self.pairs_visit(|a, b| visit((a, b)))
    }
    fn pairs_part_visit(&self, part: Part, visit: Visit<'_, (u32, u32)>) -> ControlFlow<(u32, u32)> {
        self.pairs_part_visit(part, |a, b| visit((a, b)))
    }
    fn pairs_count(&self) -> usize {
        self.pairs_count()
    }
    fn pairs_with(&self, other: &dyn Hold<I::Scalar>) -> Vec<(u32, u32)> {
        self.pairs_with(same_structure::<I, _>(other)).collect()
    }
    fn pairs_with_visit(&self, other: &dyn Hold<I::Scalar>, visit: Visit<'_, (u32, u32)>) -> ControlFlow<(u32, u32)> {
        self.pairs_with_visit(same_structure::<I, _>(other), |a, b| visit((a, b)))
    }
    fn visit_nodes(&self, visit: &mut dyn FnMut(Node<I::Scalar>) -> ControlFlow<()>) -> ControlFlow<()> {
        self.visit_nodes(visit)
    }
    #[cfg(feature = "snapshot")]
    fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes().expect("it can be written")
    }
    #[cfg(all(feature = "snapshot", test))]
    fn to_json(&self) -> String {
        serde_json::to_string(self).expect("it can be written")
    }
}

/// [`Index`] over any structure. Its methods are those of the index, but answers come as lists.
#[derive(Debug)]
pub(crate) struct AnyIndex<S: Scalar>(Box<dyn Hold<S>>);

impl<S: Scalar> Clone for AnyIndex<S> {
    fn clone(&self) -> Self {
        Self(self.0.copy())
    }
}

impl<I: Storable + Send + 'static> From<Index<I>> for AnyIndex<I::Scalar> {
    fn from(index: Index<I>) -> Self {
        Self(Box::new(index))
    }
}

/// `name(arguments) -> type;` for each method that is handed on as it is.
macro_rules! handed_on {
    ($($name:ident(&$($mut:ident)? $(, $argument:ident: $type:ty)*) $(-> $result:ty)?;)*) => {
        $(pub(crate) fn $name(self: &$($mut)? Self $(, $argument: $type)*) $(-> $result)? {
            self.0.$name($($argument),*)
        })*
    };
}

impl<S: Scalar> AnyIndex<S> {
    handed_on! {
        insert(&mut, bounds: Aabb<S>) -> Result<u32, Error>;
        remove(&mut, id: u32) -> Option<Aabb<S>>;
        update(&mut, id: u32, bounds: Aabb<S>) -> Result<Aabb<S>, Error>;
        set_all(&mut, boxes: &[Aabb<S>]) -> Result<(), Error>;
        clear(&mut);
        maintain(&mut);
        reserve(&mut, additional: usize);
        boxes(&) -> Vec<(u32, Aabb<S>)>;
        get(&, id: u32) -> Option<Aabb<S>>;
        len(&) -> usize;
        is_empty(&) -> bool;
        stats(&) -> Stats;
        validate(&) -> Result<Stats, String>;
        neighbors(&, id: u32) -> Vec<u32>;
        pairs(&) -> Vec<(u32, u32)>;
        pairs_visit(&, visit: Visit<'_, (u32, u32)>) -> ControlFlow<(u32, u32)>;
        pairs_part_visit(&, part: Part, visit: Visit<'_, (u32, u32)>) -> ControlFlow<(u32, u32)>;
        pairs_count(&) -> usize;
    }

    #[cfg(feature = "snapshot")]
    handed_on! {
        to_bytes(&) -> Vec<u8>;
        may_pair(&, a: u32, b: u32) -> bool;
    }

    #[cfg(all(feature = "snapshot", test))]
    handed_on! {
        to_json(&) -> String;
    }

    pub(crate) fn visit_nodes(&self, mut visit: impl FnMut(Node<S>) -> ControlFlow<()>) -> ControlFlow<()> {
        self.0.visit_nodes(&mut visit)
    }

    pub(crate) fn query<Q: Query<S>>(&self, query: Q) -> Vec<u32> {
        self.0.query(asked(&query))
    }

    pub(crate) fn query_visit<Q: Query<S>>(&self, query: Q, visit: Visit<'_, u32>) -> ControlFlow<u32> {
        self.0.query_visit(asked(&query), visit)
    }

    pub(crate) fn query_count<Q: Query<S>>(&self, query: Q) -> usize {
        self.0.query_count(asked(&query))
    }

    pub(crate) fn query_work<Q: Query<S>>(&self, query: Q) -> Work {
        self.0.query_work(asked(&query))
    }

    pub(crate) fn pairs_with(&self, other: &Self) -> Vec<(u32, u32)> {
        self.0.pairs_with(&*other.0)
    }

    pub(crate) fn pairs_with_visit(&self, other: &Self, visit: Visit<'_, (u32, u32)>) -> ControlFlow<(u32, u32)> {
        self.0.pairs_with_visit(&*other.0, visit)
    }
}

/// Makes indices with one choice of options.
trait Make<S: Scalar>: Debug + Send + Sync {
    fn with_boxes(&self, boxes: &[Aabb<S>]) -> Result<AnyIndex<S>, Error>;
    fn empty(&self) -> AnyIndex<S>;
    #[cfg(feature = "snapshot")]
    fn read_bytes(&self, bytes: &[u8]) -> Result<AnyIndex<S>, quadrille::snapshot::SnapshotError>;
    #[cfg(all(feature = "snapshot", test))]
    fn read_json(&self, text: &str) -> Result<AnyIndex<S>, serde_json::Error>;
}

/// The options of a structure, which say which structure it is.
struct Chosen<I: Structure>(I::Options);

impl<I: Structure> Debug for Chosen<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {:?}", I::NAME, self.0)
    }
}

impl<I: Storable<Options: Send + Sync> + Send + 'static> Make<I::Scalar> for Chosen<I> {
    fn with_boxes(&self, boxes: &[Aabb<I::Scalar>]) -> Result<AnyIndex<I::Scalar>, Error> {
        Index::<I>::with_boxes(self.0.clone(), boxes).map(AnyIndex::from)
    }
    fn empty(&self) -> AnyIndex<I::Scalar> {
        Index::<I>::new(self.0.clone()).expect("valid options").into()
    }
    #[cfg(feature = "snapshot")]
    fn read_bytes(&self, bytes: &[u8]) -> Result<AnyIndex<I::Scalar>, quadrille::snapshot::SnapshotError> {
        Index::<I>::from_bytes(bytes).map(AnyIndex::from)
    }
    #[cfg(all(feature = "snapshot", test))]
    fn read_json(&self, text: &str) -> Result<AnyIndex<I::Scalar>, serde_json::Error> {
        serde_json::from_str::<Index<I>>(text).map(AnyIndex::from)
    }
}

/// A structure with options, from which indices are made.
#[derive(Clone, Debug)]
pub(crate) struct Setup<S: Scalar>(Arc<dyn Make<S>>);

impl<S: Scalar> Setup<S> {
    pub(crate) fn new<I: Storable<Scalar = S, Options: Send + Sync> + Send + 'static>(options: I::Options) -> Self {
        Self(Arc::new(Chosen::<I>(options)))
    }

    /// An index without boxes. The options are valid.
    pub(crate) fn empty(&self) -> AnyIndex<S> {
        self.0.empty()
    }

    /// An index built in bulk.
    pub(crate) fn with_boxes(&self, boxes: &[Aabb<S>]) -> Result<AnyIndex<S>, Error> {
        self.0.with_boxes(boxes)
    }

    /// An index read from a snapshot; its own options go with it.
    #[cfg(feature = "snapshot")]
    pub(crate) fn read_bytes(&self, bytes: &[u8]) -> Result<AnyIndex<S>, quadrille::snapshot::SnapshotError> {
        self.0.read_bytes(bytes)
    }

    /// An index read from JSON; its own options go with it.
    #[cfg(all(feature = "snapshot", test))]
    pub(crate) fn read_json(&self, text: &str) -> Result<AnyIndex<S>, serde_json::Error> {
        self.0.read_json(text)
    }
}

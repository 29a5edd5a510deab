//! Boxes under ids over a scalar chosen at run time, and the answers kept for the caller.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use quadrille::structures::StructureKind;
use quadrille::{Aabb, Events, Scalar};
use quadrille_bindings::{self as core, Answers, AnyCollection, Call, Error, Nearest, Rows, Threads};

use crate::status::{Fault, Status};

/// A type of coordinates, by its number at the border.
pub(crate) trait Coordinate: Scalar {
    /// Its number.
    const NUMBER: u32;

    /// The boxes if they have such coordinates.
    fn of(any: &mut AnyBoxes) -> Option<&mut Boxes<Self>>;

    /// The boxes, with their type.
    fn any(boxes: Boxes<Self>) -> AnyBoxes;
}

macro_rules! coordinates {
    ($($variant:ident: $scalar:ty = $number:expr;)*) => {
        /// Boxes over one of the scalars.
        pub(crate) enum AnyBoxes {
            $($variant(Box<Boxes<$scalar>>),)*
        }

        $(impl Coordinate for $scalar {
            const NUMBER: u32 = $number;

            fn of(any: &mut AnyBoxes) -> Option<&mut Boxes<Self>> {
                if let AnyBoxes::$variant(boxes) = any { Some(boxes) } else { None }
            }

            fn any(boxes: Boxes<Self>) -> AnyBoxes {
                AnyBoxes::$variant(Box::new(boxes))
            }
        })*
    };
}

coordinates! {
    F32: f32 = 0;
    F64: f64 = 1;
    I32: i32 = 2;
}

/// Evaluates an expression, whatever the scalar.
macro_rules! each {
    ($any:expr, $boxes:ident => $result:expr) => {
        match $any {
            $crate::boxes::AnyBoxes::F32($boxes) => $result,
            $crate::boxes::AnyBoxes::F64($boxes) => $result,
            $crate::boxes::AnyBoxes::I32($boxes) => $result,
        }
    };
}
pub(crate) use each;

impl AnyBoxes {
    /// The boxes, which should have such coordinates.
    pub(crate) fn expect<S: Coordinate>(&mut self) -> Result<&mut Boxes<S>, Fault> {
        S::of(self).ok_or_else(|| Fault::new(Status::Scalar, "the coordinates are not of the type of these boxes"))
    }

    /// What the last calls found.
    pub(crate) fn found(&self) -> &Found {
        each!(self, boxes => &boxes.found)
    }
}

/// What the last calls found.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) answers: Answers,
    /// For casts, the sides that are hit.
    pub(crate) normals: Vec<[i8; 2]>,
    pub(crate) pairs: Vec<[u32; 2]>,
    pub(crate) began: Vec<[u32; 2]>,
    pub(crate) ended: Vec<[u32; 2]>,
    pub(crate) bytes: Vec<u8>,
}

/// Boxes under ids, and what was last found among them.
pub(crate) struct Boxes<S: Scalar> {
    pub(crate) all: AnyCollection<S>,
    pub(crate) found: Found,
    /// How many threads a divisible call uses.
    threads: Threads,
}

/// More threads are an error: a system that runs out of threads may end the process. It is more than the cores of any
/// machine that this runs on.
const MOST_THREADS: usize = 1024;

/// Called with each answer; returns whether to continue.
pub(crate) type Tell<'a> = &'a mut dyn FnMut(u32, u32) -> ControlFlow<()>;

impl<S: Scalar> Boxes<S> {
    pub(crate) fn new(structure: &str, rows: Rows<'_, S>) -> Result<Self, Fault> {
        let kind: StructureKind = structure.parse().map_err(|error| Fault::value(format!("{error}")))?;
        Ok(Self::of(AnyCollection::new(kind, rows, None)?))
    }

    fn of(all: AnyCollection<S>) -> Self {
        Self { all, found: Found::default(), threads: Threads::One }
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        Ok(Self::of(AnyCollection::from_bytes(bytes).map_err(Error::from)?))
    }

    /// Sets the number of threads; 0 for one per core.
    pub(crate) fn set_threads(&mut self, threads: usize) -> Result<(), Fault> {
        if threads > MOST_THREADS {
            return Err(Fault::value(format!("there can be {MOST_THREADS} threads, not {threads}")));
        }
        let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads = match NonZeroUsize::new(threads).unwrap_or_else(all) {
            NonZeroUsize::MIN => Threads::One,
            threads => Threads::Some(threads),
        };
        Ok(())
    }

    fn call(&self) -> Call<'static> {
        Call::on(self.threads)
    }

    pub(crate) fn snapshot(&mut self) -> Result<(), Fault> {
        self.found.bytes = self.all.to_bytes()?;
        Ok(())
    }

    pub(crate) fn insert(&mut self, rows: Rows<'_, S>) -> Result<(), Fault> {
        let ids = self.all.insert(rows, None)?;
        self.keep(Answers { ids, ..Answers::default() });
        Ok(())
    }

    pub(crate) fn ids(&mut self) {
        let ids = self.all.ids();
        self.keep(Answers { ids, ..Answers::default() });
    }

    pub(crate) fn pairs(&mut self) -> Result<(), Fault> {
        if self.threads == Threads::One {
            return Ok(core::pairs_into(self.all.index(), &mut self.found.pairs)?);
        }
        self.keep_pairs(core::pairs_in(self.all.index(), self.call())?)
    }

    pub(crate) fn pairs_with(&mut self, other: &Self) -> Result<(), Fault> {
        if self.threads == Threads::One {
            return Ok(core::pairs_with_into(self.all.index(), other.all.index(), &mut self.found.pairs)?);
        }
        self.keep_pairs(self.all.pairs_with(&other.all, self.call())?)
    }

    fn keep_pairs(&mut self, found: Vec<(u32, u32)>) -> Result<(), Fault> {
        let mut pairs = core::room(found.len())?;
        pairs.extend(found.into_iter().map(<[u32; 2]>::from));
        self.found.pairs = pairs;
        Ok(())
    }

    /// Pairs no farther apart than `distance`, of these, or with others if given.
    pub(crate) fn pairs_within(&mut self, other: Option<&Self>, distance: f64) -> Result<(), Fault> {
        let (pairs, distances) = match other {
            Some(other) => self.all.pairs_with_within(&other.all, distance)?,
            None => self.all.pairs_within(distance)?,
        };
        self.keep(Answers { distances, ..Answers::default() });
        self.found.pairs = pairs;
        Ok(())
    }

    pub(crate) fn visit_pairs(&self, visit: Tell<'_>) {
        let _ = self.all.index().pairs_visit(visit);
    }

    pub(crate) fn visit(&self, rows: Rows<'_, S>, layers: u32, visit: Tell<'_>) -> Result<(), Fault> {
        Ok(core::query_visit(self.all.index(), rows, seen(layers), visit)?)
    }

    pub(crate) fn nodes(&self) -> Result<Vec<Aabb<S>>, Fault> {
        Ok(core::nodes(self.all.index())?)
    }

    pub(crate) fn events(&mut self) -> Result<(), Fault> {
        self.all.check_room_for_events()?;
        let Events { begin, end } = self.all.events();
        let both = |(a, b)| [a, b];
        self.found.began.clear();
        self.found.began.extend(begin.into_iter().map(both));
        self.found.ended.clear();
        self.found.ended.extend(end.into_iter().map(both));
        Ok(())
    }

    /// Boxes on at least one of the layers that overlap each of the rows.
    pub(crate) fn query(&mut self, rows: Rows<'_, S>, layers: u32) -> Result<(), Fault> {
        if self.threads != Threads::One {
            let found = core::query(self.all.index(), rows, seen(layers), self.call())?;
            self.keep(found);
            return Ok(());
        }
        self.found.normals.clear();
        Ok(core::query_into(self.all.index(), rows, seen(layers), usize::MAX, &mut self.found.answers)?)
    }

    /// Boxes on at least one of the layers that are no farther than `distance` from each of the rows.
    pub(crate) fn within(&mut self, rows: Rows<'_, S>, distance: f64, layers: u32) -> Result<(), Fault> {
        let found = core::within_each(self.all.index(), rows, &[distance], seen(layers), self.call())?;
        self.keep(found);
        Ok(())
    }

    pub(crate) fn nearest(&mut self, rows: Rows<'_, S>, most: usize, distance: f64, layers: u32) -> Result<(), Fault> {
        if most == 0 {
            return Err(Fault::value("`most` is at least 1, not 0"));
        }
        let limit = (distance != f64::INFINITY).then_some(distance);
        let found = core::nearest(self.all.index(), rows, most, limit, seen(layers), self.call())?;
        self.keep_nearest(found);
        Ok(())
    }

    pub(crate) fn cast(&mut self, rows: Rows<'_, S>, directions: &[S], latest: f64, layers: u32) -> Result<(), Fault> {
        if rows.len() != directions.len() / 2 {
            let told = format!("there are {} origins and {} directions", rows.len(), directions.len() / 2);
            return Err(Fault::value(told));
        }
        let found = core::cast(self.all.index(), rows, directions, latest, seen(layers), self.call())?;
        self.keep_nearest(found);
        Ok(())
    }

    fn keep(&mut self, answers: Answers) {
        self.found.answers = answers;
        self.found.normals.clear();
    }

    fn keep_nearest(&mut self, Nearest { ids, ranks, normals }: Nearest) {
        self.found.answers = Answers { counts: Vec::new(), ids, distances: ranks };
        self.found.normals = normals;
    }
}

/// The layers that a query finds: all bits mean all boxes, whatever their layers.
fn seen(layers: u32) -> Option<u32> {
    (layers != u32::MAX).then_some(layers)
}

//! Boxes in one structure, with reusable memory for queries and answers.

use quadrille::{Aabb, Distance, Events, FrameTree, Hit, Layers};
use quadrille_bindings::{self as core, Answers, Collection, Error, Rows};

/// What coordinates are stored in. One a module: a second would nearly double what a page loads.
#[cfg(not(feature = "float32"))]
type Number = f64;
#[cfg(feature = "float32")]
type Number = f32;

/// A number of JavaScript as the nearest coordinate, as a typed array would round it.
fn rounded(number: f64) -> Number {
    number as Number
}

/// The only structure. Each further one would add a fifth to what a page loads; a quadtree was slower both for windows
/// and for single changes (November 2026).
type Tree = FrameTree<Number>;

/// The columns of answers, by number. JavaScript has the same list.
mod column {
    pub(super) const IDS: u32 = 0;
    pub(super) const STARTS: u32 = 1;
    pub(super) const RANKS: u32 = 2;
    pub(super) const PAIRS: u32 = 3;
    pub(super) const BEGAN: u32 = 4;
    pub(super) const ENDED: u32 = 5;
    pub(super) const BOXES: u32 = 6;
    pub(super) const LAYERS: u32 = 7;
}

#[derive(Debug, Default)]
pub(crate) struct Desk {
    all: Collection<Tree>,
    /// Four numbers per box, written by JavaScript.
    room: Vec<Number>,
    answers: Answers,
    /// What is nearest to a point.
    hits: Vec<Hit<Distance<Number>>>,
    /// Where the answers to each of many queries start, and where the last ones end.
    starts: Vec<u32>,
    pairs: Vec<[u32; 2]>,
    began: Vec<[u32; 2]>,
    ended: Vec<[u32; 2]>,
    boxes: Vec<Aabb<Number>>,
    layers: Vec<[u32; 2]>,
}

impl Desk {
    pub(crate) fn room_for(&mut self, boxes: usize) -> Result<*const u8, Error> {
        let full = || Error::value(format!("there is no memory for {boxes} boxes"));
        let numbers = boxes.checked_mul(4).ok_or_else(full)?;
        let more = numbers.saturating_sub(self.room.len());
        self.room.try_reserve(more).map_err(|_| full())?;
        self.room.resize(numbers, 0.0);
        Ok(self.room.as_ptr().cast())
    }

    /// Address and length, in numbers, of a column: the answers of the last call that fills it.
    pub(crate) fn column(&self, column: u32) -> (*const u8, usize) {
        fn of<T>(column: &[T], numbers: usize) -> (*const u8, usize) {
            (column.as_ptr().cast(), column.len() * numbers)
        }
        match column {
            column::IDS => of(&self.answers.ids, 1),
            column::STARTS => of(&self.starts, 1),
            column::RANKS => of(&self.answers.distances, 1),
            column::PAIRS => of(&self.pairs, 2),
            column::BEGAN => of(&self.began, 2),
            column::ENDED => of(&self.ended, 2),
            column::BOXES => of(&self.boxes, 4),
            column::LAYERS => of(&self.layers, 2),
            _ => (std::ptr::null(), 0),
        }
    }

    pub(crate) fn update(&mut self) -> Result<i32, Error> {
        self.all.update(Rows::Boxes(&self.room), None)?;
        Ok(self.len() as i32)
    }

    pub(crate) fn insert(&mut self) -> Result<i32, Error> {
        let ids = self.all.insert(Rows::Boxes(&self.room), None)?;
        Ok(fill(&mut self.answers.ids, ids))
    }

    pub(crate) fn insert_one(&mut self, row: [f64; 4]) -> Result<i32, Error> {
        let ids = self.all.insert(Rows::Boxes(&row.map(rounded)), None)?;
        Ok(ids[0] as i32)
    }

    pub(crate) fn set(&mut self, ids: &[f64]) -> Result<i32, Error> {
        self.all.set(&whole(ids), Rows::Boxes(&self.room))?;
        Ok(0)
    }

    pub(crate) fn set_one(&mut self, id: f64, row: [f64; 4]) -> Result<i32, Error> {
        self.all.set(&whole(&[id]), Rows::Boxes(&row.map(rounded)))?;
        Ok(0)
    }

    pub(crate) fn remove(&mut self, ids: &[f64]) -> Result<i32, Error> {
        self.all.remove(&whole(ids))?;
        Ok(0)
    }

    /// Sets the layers of the boxes with these ids, or of all boxes in the order of ids; boxes that already have them
    /// are not checked for events.
    pub(crate) fn set_layers(&mut self, ids: Option<&[f64]>, own: &[u32], mask: &[u32]) -> Result<i32, Error> {
        let ids = ids.map_or_else(|| self.all.ids().into_iter().map(i64::from).collect(), whole);
        let both = own.iter().cycle().zip(mask.iter().cycle()).take(ids.len());
        let layers = both.map(|(&own, &mask)| Layers::new(own, mask));
        self.all.set_layers(&ids, &layers.collect::<Vec<_>>())?;
        Ok(0)
    }

    pub(crate) fn layers(&mut self, id: f64) -> Result<i32, Error> {
        let layers = self.all.layers(&whole(&[id]))?;
        Ok(fill(&mut self.layers, layers.into_iter().map(|layers| [layers.own, layers.mask])))
    }

    pub(crate) fn maintain(&mut self) -> i32 {
        self.all.maintain();
        0
    }

    pub(crate) fn get(&mut self, id: f64) -> Result<i32, Error> {
        let boxes = self.all.boxes(&whole(&[id]))?;
        Ok(fill(&mut self.boxes, boxes))
    }

    pub(crate) fn len(&self) -> usize {
        self.all.index().len()
    }

    pub(crate) fn ids(&mut self) -> i32 {
        fill(&mut self.answers.ids, self.all.ids())
    }

    pub(crate) fn pairs(&mut self) -> Result<i32, Error> {
        core::pairs_into(self.all.index(), &mut self.pairs)?;
        Ok(self.pairs.len() as i32)
    }

    pub(crate) fn pairs_with(&mut self, others: &Self) -> Result<i32, Error> {
        core::pairs_with_into(self.all.index(), others.all.index(), &mut self.pairs)?;
        Ok(self.pairs.len() as i32)
    }

    pub(crate) fn events(&mut self) -> Result<i32, Error> {
        self.all.check_room_for_events()?;
        let Events { begin, end } = self.all.events();
        let both = |(a, b)| [a, b];
        fill(&mut self.ended, end.into_iter().map(both));
        Ok(fill(&mut self.began, begin.into_iter().map(both)))
    }

    pub(crate) fn search(&mut self, row: [f64; 4], most: u32, seen: Option<u32>) -> Result<i32, Error> {
        let row = row.map(rounded);
        core::query_into(self.all.index(), Rows::Boxes(&row), seen, most as usize, &mut self.answers)?;
        Ok(self.answers.ids.len() as i32)
    }

    pub(crate) fn search_many(&mut self, seen: Option<u32>) -> Result<i32, Error> {
        core::query_into(self.all.index(), Rows::Boxes(&self.room), seen, usize::MAX, &mut self.answers)?;
        let ends = self.answers.counts.iter().scan(0, |end, &count| {
            *end += count;
            Some(*end)
        });
        fill(&mut self.starts, std::iter::once(0).chain(ends));
        Ok(self.answers.ids.len() as i32)
    }

    pub(crate) fn within(&mut self, point: [f64; 2], distance: f64, seen: Option<u32>) -> Result<i32, Error> {
        let point = point.map(rounded);
        core::within_into(self.all.index(), Rows::Points(&point), distance, seen, &mut self.answers)?;
        Ok(self.answers.ids.len() as i32)
    }

    pub(crate) fn nearest(
        &mut self,
        point: [f64; 2],
        most: f64,
        distance: f64,
        seen: Option<u32>,
    ) -> Result<i32, Error> {
        if most.is_nan() || most < 1.0 {
            return Err(Error::value(format!("k is at least 1, not {most}")));
        }
        // `as` saturates.
        let most = (most as usize).min(self.len());
        let limit = (distance != f64::INFINITY).then_some(distance);
        let point = point.map(rounded);
        core::nearest_into(self.all.index(), Rows::Points(&point), most, limit, seen, &mut self.hits)?;
        fill(&mut self.answers.distances, self.hits.iter().map(|hit| hit.rank.to_f64()));
        Ok(fill(&mut self.answers.ids, self.hits.iter().map(|hit| hit.id)))
    }

    pub(crate) fn cast(
        &mut self,
        point: [f64; 2],
        direction: [f64; 2],
        latest: f64,
        seen: Option<u32>,
    ) -> Result<i32, Error> {
        let [point, direction] = [point, direction].map(|of| of.map(rounded));
        let hit = core::cast_one(self.all.index(), Rows::Points(&point), &direction, latest, seen)?;
        let ranks = hit.iter().flat_map(|&(_, time, [x, y])| [time, f64::from(x), f64::from(y)]);
        fill(&mut self.answers.distances, ranks);
        Ok(fill(&mut self.answers.ids, hit.iter().map(|&(id, ..)| id)))
    }

    pub(crate) fn nodes(&mut self) -> Result<i32, Error> {
        Ok(fill(&mut self.boxes, core::nodes(self.all.index())?))
    }
}

/// Puts answers into a column, and returns their number.
fn fill<T>(column: &mut Vec<T>, answers: impl IntoIterator<Item = T>) -> i32 {
    column.clear();
    column.extend(answers);
    column.len() as i32
}

/// Ids, which JavaScript has checked to be whole numbers.
fn whole(ids: &[f64]) -> Vec<i64> {
    ids.iter().map(|&id| id as i64).collect()
}

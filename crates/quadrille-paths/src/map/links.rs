//! Paths through links: teleports, ladders, ferries, jumps down a cliff.
//!
//! The search is lazy A* over the ends of links: the distance on the map between two ends is computed only when its
//! lower bound, the distance without walls, reaches the top of the queue. So most pairs of ends are never searched (A.
//! Cohen, M. Phillips and M. Likhachev, *Planning Single-arm Manipulations with N-Arm Robots*, 2015). The lower bounds
//! from each link to the goal are computed beforehand in the same way, without walls.

use core::cmp::Reverse;
use core::fmt;
use std::collections::BinaryHeap;

use crate::grid::{Cell, ConnectedGrid, Grid, GridError, Length};
use crate::map::PathMap;
use crate::path::{Path, Waypoints};
use crate::search::Scratch;

/// A one-way connection between two cells that are not neighbors. For both directions, use two links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Link {
    /// Where it is entered.
    pub from: Cell,
    /// Where it is left.
    pub to: Cell,
    /// What it costs, in straight steps.
    pub steps: u16,
}

/// Why a [`FlowField`](crate::FlowField) cannot be made with these links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// A link costs no step. A field stores lengths only, so each next cell must be nearer to the goal.
    Free {
        /// Its position in the list of links.
        link: usize,
    },
    /// The steps of all links and the number of cells together do not fit the 31 bits of a length.
    TooLong {
        /// The steps of all links.
        steps: u64,
        /// Number of cells.
        cells: u64,
    },
}

impl LinkError {
    /// Fails if there cannot be a field on a grid with such links.
    pub(crate) fn check(links: &[Link], grid: &Grid) -> Result<(), Self> {
        if let Some(link) = links.iter().position(|link| link.steps == 0) {
            return Err(Self::Free { link });
        }
        let steps = links.iter().map(|link| u64::from(link.steps)).sum();
        let cells = u64::from(grid.width()) * u64::from(grid.height());
        if steps + cells > GridError::MAX_COST { Err(Self::TooLong { steps, cells }) } else { Ok(()) }
    }
}

impl fmt::Display for LinkError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Free { link } => write!(out, "link {link} costs 0 steps, but links of a flow field cost 1 or more"),
            Self::TooLong { steps, cells } => {
                let most = GridError::MAX_COST;
                write!(out, "links of {steps} steps in all on a map of {cells} cells: together above {most}")
            }
        }
    }
}

impl core::error::Error for LinkError {}

/// A path with links: walks of steps, with a link between each and the next.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LinkedPath {
    legs: Vec<Path>,
    taken: Vec<usize>,
    length: Length,
}

impl LinkedPath {
    #[cfg(feature = "serde")]
    pub(crate) const fn new(legs: Vec<Path>, taken: Vec<usize>, length: Length) -> Self {
        Self { legs, taken, length }
    }

    /// The walks, one more than links were taken.
    #[must_use]
    pub fn legs(&self) -> &[Path] {
        &self.legs
    }

    /// The links taken, by their indices in the given list.
    #[must_use]
    pub fn taken(&self) -> &[usize] {
        &self.taken
    }

    /// The total length, with what links cost.
    #[must_use]
    pub const fn length(&self) -> Length {
        self.length
    }
}

/// A walk to a link, which is then taken, or to the goal. Ordered by the first field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Leg {
    /// A lower bound on the length of a path with it.
    total: Length,
    /// The length up to where it ends.
    length: Length,
    /// The link where it begins, and the one to which it leads. Index `links.len()` is the start; higher indices are
    /// goals.
    from: usize,
    to: usize,
    /// Whether `length` is exact, or a lower bound.
    is_known: bool,
}

impl PathMap {
    /// A shortest path that may take links; `None` if there is none, or an end is blocked or off the map.
    ///
    /// A link is ignored while one of its ends is blocked. Costs one search for each pair of links that could lie on a
    /// shortest path, and a few instructions for every pair: meant for some dozens of links.
    ///
    /// ```
    /// use quadrille_paths::{Cell, CellRect, CostRule, Grid, Link, PathMap, Scratch};
    ///
    /// let mut map = PathMap::new(Grid::open(30, 9)?, CostRule::Octile);
    /// map.fill(CellRect::new(15, 0, 1, 9), false);
    /// let (from, to) = (Cell::new(2, 4), Cell::new(20, 4));
    /// let ladder = Link { from: Cell::new(14, 4), to: Cell::new(16, 4), steps: 5 };
    /// let path = map.linked_path(from, to, &[ladder], &mut Scratch::new()).unwrap();
    /// assert_eq!((path.length().straight, path.taken()), (12 + 5 + 4, &[0][..]));
    /// assert_eq!(map.linked_path(to, from, &[ladder], &mut Scratch::new()), None, "one way");
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    #[must_use]
    pub fn linked_path(&self, from: Cell, to: Cell, links: &[Link], scratch: &mut Scratch) -> Option<LinkedPath> {
        self.nearest_linked(from, &[to], links, scratch).map(|(_, path)| path)
    }

    /// A shortest path that may take links to the nearest of several goals, and the index of that goal; `None` if none
    /// can be reached. If several are equally near, any of them.
    ///
    /// Works like [`linked_path`](Self::linked_path), with all goals in one search: meant for some dozens of links and goals.
    /// For more, or for many agents, make a [`FlowField::linked`](crate::FlowField::linked).
    #[must_use]
    pub fn nearest_linked(
        &self,
        from: Cell,
        goals: &[Cell],
        links: &[Link],
        scratch: &mut Scratch,
    ) -> Option<(usize, LinkedPath)> {
        let walk = &mut |from, to| self.waypoints(from, to, scratch).map(|walk| (walk.length(), walk));
        let found = LinkSearch { cells: &self.cells, lightest: 1, walk, links, from, goals }.path();
        found.map(|(goal, path, _)| (goal, path))
    }
}

/// A query. Most of the time goes into walks, so one search is compiled for all grounds.
pub(crate) struct LinkSearch<'a> {
    pub(crate) cells: &'a ConnectedGrid,
    /// No free cell weighs less.
    pub(crate) lightest: u32,
    /// A cheapest walk between two cells, and its cost.
    pub(crate) walk: &'a mut dyn FnMut(Cell, Cell) -> Option<(Length, Waypoints)>,
    pub(crate) links: &'a [Link],
    pub(crate) from: Cell,
    pub(crate) goals: &'a [Cell],
}

impl LinkSearch<'_> {
    /// The nearest goal, a cheapest path to it, and what that costs.
    pub(crate) fn path(mut self) -> Option<(usize, LinkedPath, Length)> {
        let start = self.links.len();
        let rest = self.least_rest();
        // By link: the leg by which a shortest path reached it.
        let mut reached: Vec<Option<Leg>> = vec![None; start];
        let mut open = BinaryHeap::new();
        self.open_legs((start, Length::ZERO), &rest, &mut open);
        loop {
            let Reverse(leg) = open.pop()?;
            let before = reached.get(leg.from).copied().flatten().map_or(Length::ZERO, |leg: Leg| leg.length);
            if reached.get(leg.to).is_some_and(Option::is_some) {
                continue;
            }
            let ends = (self.exit(leg.from), self.entry(leg.to));
            if leg.is_known {
                let Some(link) = reached.get_mut(leg.to) else {
                    return Some((leg.to - start, self.found(leg, &reached)?, leg.length));
                };
                *link = Some(leg);
                self.open_legs((leg.to, leg.length), &rest, &mut open);
            } else if let Some((cost, _)) = (self.walk)(ends.0, ends.1) {
                let length = before.saturating_add(cost).saturating_add(self.cost(leg.to));
                let total = length.saturating_add(rest[leg.to]?);
                open.push(Reverse(Leg { total, length, is_known: true, ..leg }));
            }
        }
    }

    /// Opens the legs that may follow a link reached at this length, or the start. A path may cost half of what can be
    /// counted; legs that lead away from the goal, more than that.
    fn open_legs(&self, (from, before): (usize, Length), rest: &[Option<Length>], open: &mut BinaryHeap<Reverse<Leg>>) {
        for (to, rest) in rest.iter().enumerate() {
            if let (Some(least), Some(rest)) = (self.least(from, to), *rest) {
                let length = before.saturating_add(least);
                open.push(Reverse(Leg { total: length.saturating_add(rest), length, from, to, is_known: false }));
            }
        }
    }

    /// A lower bound on the distance from the far end of each link to the nearest goal, and from each goal; `None` if
    /// none can be reached from there. E. Dijkstra's search backward, with distances without walls.
    fn least_rest(&self) -> Vec<Option<Length>> {
        let links = self.links.len();
        let goals = links..links + self.goals.len();
        let to_nearest = |link| goals.clone().filter_map(|goal| self.least(link, goal)).min();
        let mut rest: Vec<Option<Length>> = (0..links).map(to_nearest).collect();
        rest.resize(goals.end, Some(Length::ZERO));
        let mut open: Vec<usize> = (0..links).collect();
        while let Some(place) =
            (0..open.len()).filter(|place| rest[open[*place]].is_some()).min_by_key(|place| rest[open[*place]])
        {
            let nearest = open.swap_remove(place);
            for &link in &open {
                let by_way_of = self.least(link, nearest).zip(rest[nearest]);
                let by_way_of = by_way_of.map(|(least, rest)| least.saturating_add(rest));
                rest[link] = [rest[link], by_way_of].into_iter().flatten().min();
            }
        }
        rest
    }

    /// A lower bound on the length from a link's far end to that of another, or to the goal; `None` if there is no path
    /// to it.
    fn least(&self, from: usize, to: usize) -> Option<Length> {
        let (from, entry) = (self.exit(from), self.entry(to));
        // A link that ends in a wall cannot be taken.
        let is_open = self.links.get(to).is_none_or(|link| self.cells.grid().is_free(link.to));
        let is_walk = is_open && self.cells.is_reachable(from, entry);
        is_walk.then(|| self.cells.rule().distance(from, entry).times(self.lightest) + self.cost(to))
    }

    fn exit(&self, link: usize) -> Cell {
        self.links.get(link).map_or(self.from, |link| link.to)
    }

    fn entry(&self, link: usize) -> Cell {
        self.links.get(link).map_or_else(|| self.goals[link - self.links.len()], |link| link.from)
    }

    fn cost(&self, link: usize) -> Length {
        Length { straight: self.links.get(link).map_or(0, |link| link.steps.into()), diagonal: 0 }
    }

    /// The path that ends with a leg.
    fn found(&mut self, last: Leg, reached: &[Option<Leg>]) -> Option<LinkedPath> {
        let by_way_of = |leg: &Leg| reached.get(leg.from).copied().flatten();
        let mut legs: Vec<Leg> = core::iter::successors(Some(last), by_way_of).collect();
        legs.reverse();
        let taken: Vec<usize> = legs[..legs.len() - 1].iter().map(|leg| leg.to).collect();
        let ends: Vec<_> = legs.iter().map(|leg| (self.exit(leg.from), self.entry(leg.to))).collect();
        let walks = ends.into_iter().map(|(from, to)| Some((self.walk)(from, to)?.1.lay(self.cells.rule())));
        let walks: Vec<Path> = walks.collect::<Option<_>>()?;
        let lengths = walks.iter().map(Path::length).chain(taken.iter().map(|link| self.cost(*link)));
        let length = lengths.fold(Length::ZERO, |sum, part| sum + part);
        Some(LinkedPath { legs: walks, taken, length })
    }
}

//! A* from corner to corner.
//!
//! The start sees some corners, some corners see the goal, and in between stored links lead from corner to corner; see
//! [`corners`](crate::corners). Every link is as long as the distance without walls, so a corner needs no edge lengths, and
//! the path's cells are laid at the end: diagonal steps first, then straight ones.
//!
//! At a corner only those links are followed that make no detour with the way the search arrived. If two ways of the same
//! length lead to a corner, either will do: whatever is left out after the first is a detour, strictly, and so no shortest
//! path goes on like that after the second way either.

use crate::cell::Cell;
use crate::corners::{Corners, Link};
use crate::cost::{CostRule, Length};
use crate::grid::Grid;
use crate::heading::Heading;
use crate::open_list::OpenList;
use crate::path::Path;

/// The parent of corners that the start sees.
const START: u32 = u32::MAX;

/// What a search knows of a corner.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The search that reached it; what another one wrote is void.
    search: u32,
    /// The last search whose goal it sees.
    sees_goal: u32,
    parent: u32,
    length: Length,
    /// The heading from the parent.
    arrival: Heading,
    /// Whether its links have been followed with this length.
    is_closed: bool,
}

impl Node {
    const VOID: Self =
        Self { search: 0, sees_goal: 0, parent: START, length: Length::ZERO, arrival: 0, is_closed: true };
}

/// The working memory of searches, reused from one to the next and from map to map; one for each thread.
///
/// Once it has grown to a map, a search allocates nothing but the path it returns.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    nodes: Vec<Node>,
    open: OpenList,
    /// The number of the current search.
    search: u32,
    expanded: u64,
    /// What a corner with stale links sees.
    seen: Vec<Link>,
    /// The corners of the path found, last first.
    chain: Vec<u32>,
}

impl Scratch {
    /// Working memory for any map, still empty.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many corners the last search expanded.
    #[must_use]
    pub const fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.open.bytes()
            + self.seen.capacity() * size_of::<Link>()
            + self.chain.capacity() * size_of::<u32>()
    }

    fn begin(&mut self, corners: usize, base: Length) {
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.nodes.clear();
            self.search = 1;
        }
        if self.nodes.len() < corners {
            self.nodes.resize(corners, Node::VOID);
        }
        self.open.reset(base);
    }
}

/// One search: the map, the two ends, and what is known so far.
pub(crate) struct Search<'a> {
    grid: &'a Grid,
    corners: &'a Corners,
    rule: CostRule,
    goal: Cell,
    scratch: &'a mut Scratch,
    /// The shortest path to the goal so far and its last corner.
    best: Option<(Length, u32)>,
    /// The bucket after which nothing shorter can come.
    last_bucket: usize,
}

impl<'a> Search<'a> {
    /// A shortest path between two free cells.
    pub(crate) fn path(
        grid: &'a Grid,
        corners: &'a Corners,
        rule: CostRule,
        (start, goal): (Cell, Cell),
        scratch: &'a mut Scratch,
    ) -> Option<Path> {
        scratch.expanded = 0;
        if let Some(path) = straight_path(grid, rule, start, goal) {
            return Some(path);
        }
        scratch.begin(corners.bound(), rule.distance(start, goal));
        let mut search = Search { grid, corners, rule, goal, scratch, best: None, last_bucket: usize::MAX };
        search.connect(start);
        search.run();
        let (length, last) = search.best?;
        Some(search.trace(start, length, last))
    }

    /// Marks the corners that see the goal and opens those the start sees.
    fn connect(&mut self, start: Cell) {
        let (nodes, search) = (&mut self.scratch.nodes, self.scratch.search);
        self.corners.each_visible(self.grid, self.goal, |link| nodes[link.corner() as usize].sees_goal = search);
        if let Some(number) = self.corners.number(self.grid, self.goal) {
            nodes[number as usize].sees_goal = search;
        }
        let corners = self.corners;
        corners.each_visible(self.grid, start, |link| {
            if corners.leads_on(link) {
                self.reach(start, Length::ZERO, START, link);
            }
        });
    }

    /// Expands corners until nothing open can lead to a shorter path.
    fn run(&mut self) {
        while let Some(number) = self.scratch.open.pop(self.last_bucket) {
            let node = &mut self.scratch.nodes[number as usize];
            if core::mem::replace(&mut node.is_closed, true) {
                continue;
            }
            let node = *node;
            let cell = self.corners.cell(number);
            if self.is_hopeless(node.length + self.rule.distance(cell, self.goal)) {
                continue;
            }
            self.scratch.expanded += 1;
            if node.sees_goal == self.scratch.search {
                self.arrive(cell, node.length, number);
            }
            self.expand(cell, node, number);
        }
    }

    /// Whether a path of at least this length is no improvement.
    #[inline]
    fn is_hopeless(&self, total: Length) -> bool {
        self.best.is_some_and(|(best, _)| total >= best)
    }

    /// Notes a path to the goal by a corner that sees it.
    fn arrive(&mut self, cell: Cell, length: Length, number: u32) {
        let total = length + self.rule.distance(cell, self.goal);
        if !self.is_hopeless(total) {
            self.best = Some((total, number));
            // One bucket more than the goal's, lest rounding put something shorter behind it.
            self.last_bucket = self.scratch.open.bucket(total) + 1;
        }
    }

    /// Follows the links of a corner, but for detours.
    #[inline]
    fn expand(&mut self, cell: Cell, node: Node, number: u32) {
        let corner = self.corners.get(number);
        let mut departures = u32::from(self.corners.departures(corner, node.arrival));
        while departures != 0 {
            // The next run of neighbouring headings; most often there is but one.
            let first = departures.trailing_zeros();
            let end = first + (departures >> first).trailing_ones();
            departures = departures >> end << end;
            let Some(links) = self.corners.links(corner, first as usize..end as usize) else {
                return self.expand_stale(cell, node, number);
            };
            for link in links {
                self.reach(cell, node.length, number, *link);
            }
        }
    }

    /// Follows what there is to see from a corner whose links are not stored.
    #[cold]
    fn expand_stale(&mut self, cell: Cell, node: Node, number: u32) {
        let departures = self.corners.departures(self.corners.get(number), node.arrival);
        let mut seen = core::mem::take(&mut self.scratch.seen);
        seen.clear();
        self.corners.look(self.grid, number, &mut seen);
        seen.sort_unstable();
        for link in seen.iter().filter(|link| departures >> link.heading() & 1 == 1) {
            self.reach(cell, node.length, number, *link);
        }
        self.scratch.seen = seen;
    }

    /// Opens a corner, if this way to it is the shortest so far.
    #[inline]
    fn reach(&mut self, from: Cell, length: Length, parent: u32, link: Link) {
        let cell = self.corners.cell(link.corner());
        let length = length + self.rule.distance(from, cell);
        let node = &mut self.scratch.nodes[link.corner() as usize];
        let search = self.scratch.search;
        if node.search == search && node.length <= length {
            return;
        }
        let sees_goal = node.sees_goal;
        *node = Node { search, sees_goal, parent, length, arrival: link.heading(), is_closed: false };
        let total = length + self.rule.distance(cell, self.goal);
        self.scratch.open.push(total, link.corner());
    }

    /// The path by way of the corners found.
    fn trace(&mut self, start: Cell, length: Length, last: u32) -> Path {
        let Scratch { nodes, chain, .. } = &mut *self.scratch;
        chain.clear();
        chain.extend(core::iter::successors(Some(last), |number| {
            Some(nodes[*number as usize].parent).filter(|parent| *parent != START)
        }));
        let mut cells = Vec::with_capacity(length.steps() as usize + 1);
        cells.push(start);
        let mut from = start;
        for to in chain.iter().rev().map(|number| self.corners.cell(*number)).chain([self.goal]) {
            cells.extend(self.rule.steps(from, to).map(|(_, cell)| cell));
            from = to;
        }
        Path::new(cells, length)
    }
}

/// The path as long as the distance without walls that takes the diagonal steps first, if it is free.
fn straight_path(grid: &Grid, rule: CostRule, start: Cell, goal: Cell) -> Option<Path> {
    let mut here = start;
    let is_free =
        rule.steps(start, goal).all(|(way, cell)| grid.can_step(core::mem::replace(&mut here, cell), way, rule));
    let cells = || core::iter::once(start).chain(rule.steps(start, goal).map(|(_, cell)| cell)).collect();
    is_free.then(|| Path::new(cells(), rule.distance(start, goal)))
}

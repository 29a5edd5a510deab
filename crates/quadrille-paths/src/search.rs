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
use crate::heading::Headings;
use crate::open_list::OpenList;
use crate::path::Path;

/// The parent of corners that the start sees.
const START: u32 = Link::LAST_CORNER;

/// What a search knows of a corner: 16 bytes, four to a cache line.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The search that reached it, and what it has found out; what another one wrote is void.
    state: u32,
    /// The parent, and the heading from it.
    arrival: Link,
    length: Length,
}

/// In a node's state: its links have been followed with this length.
const IS_CLOSED: u32 = 1;
/// In a node's state: it sees the goal.
const SEES_GOAL: u32 = 2;
/// The rest of a state is the number of the search.
const ONE_SEARCH: u32 = 4;

impl Node {
    const VOID: Self = Self { state: 0, arrival: Link::new(START, 0), length: Length::MAX };

    /// Whether this search wrote it.
    const fn is_of(&self, search: u32) -> bool {
        self.state / ONE_SEARCH == search / ONE_SEARCH
    }
}

const _: () = assert!(size_of::<Node>() == 16);

/// The working memory of searches, reused from one to the next and from map to map; one for each thread.
///
/// Once it has grown to a map, a search allocates nothing but the path it returns.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    nodes: Vec<Node>,
    open: OpenList,
    /// The state that the current search gives to the nodes it reaches.
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
        self.search = self.search.wrapping_add(ONE_SEARCH);
        if self.search == 0 {
            self.nodes.clear();
            self.search = ONE_SEARCH;
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
        let mut mark = |number: u32| nodes[number as usize] = Node { state: search | SEES_GOAL, ..Node::VOID };
        self.corners.each_visible(self.grid, self.goal, |link| mark(link.corner()));
        if let Some(number) = self.corners.number(self.grid, self.goal) {
            mark(number);
        }
        let corners = self.corners;
        corners.each_visible(self.grid, start, |link| {
            if corners.leads_on(link) {
                self.open(start, Length::ZERO, START, link);
            }
        });
    }

    /// Expands corners until nothing open can lead to a shorter path.
    fn run(&mut self) {
        while let Some(number) = self.scratch.open.pop(self.last_bucket) {
            let mut next = Some(number);
            while let Some(number) = next {
                next = self.visit(number);
            }
        }
    }

    /// Expands a corner unless that is done or of no use. If but one link leads on, returns the corner it leads to, reached but not
    /// opened: a chain of corners without a fork is no choice, and is followed without a detour by way of the open list.
    #[inline]
    fn visit(&mut self, number: u32) -> Option<u32> {
        let node = &mut self.scratch.nodes[number as usize];
        if node.state & IS_CLOSED != 0 {
            return None;
        }
        node.state |= IS_CLOSED;
        let (node, cell) = (*node, self.corners.cell(number));
        if self.is_hopeless(|goal, rule| node.length + rule.distance(cell, goal)) {
            return None;
        }
        self.scratch.expanded += 1;
        if node.state & SEES_GOAL != 0 {
            self.arrive(cell, node.length, number);
        }
        self.expand(cell, node, number)
    }

    /// Whether a path of at least this length is no improvement.
    #[inline]
    fn is_hopeless(&self, total: impl FnOnce(Cell, CostRule) -> Length) -> bool {
        self.best.is_some_and(|(best, _)| total(self.goal, self.rule) >= best)
    }

    /// Notes a path to the goal by a corner that sees it.
    fn arrive(&mut self, cell: Cell, length: Length, number: u32) {
        let total = length + self.rule.distance(cell, self.goal);
        if !self.is_hopeless(|_, _| total) {
            self.best = Some((total, number));
            // One bucket more than the goal's, lest rounding put something shorter behind it.
            self.last_bucket = self.scratch.open.bucket(total) + 1;
        }
    }

    /// Follows the links of a corner, but for detours. If there is but one, returns the corner, if any, to open instead.
    #[inline]
    fn expand(&mut self, cell: Cell, node: Node, number: u32) -> Option<u32> {
        let corner = self.corners.get(number);
        let departures = self.corners.departures(corner, node.arrival.heading());
        let Some(links) = self.corners.links(corner, departures) else {
            return self.expand_stale(cell, node, number, departures);
        };
        self.follow(cell, node, number, links.iter().filter(|link| departures >> link.heading() & 1 == 1))
    }

    /// Follows what there is to see from a corner whose links are not stored.
    #[cold]
    fn expand_stale(&mut self, cell: Cell, node: Node, number: u32, departures: Headings) -> Option<u32> {
        let mut seen = core::mem::take(&mut self.scratch.seen);
        seen.clear();
        self.corners.look(self.grid, number, &mut seen);
        seen.sort_unstable();
        let next = self.follow(cell, node, number, seen.iter().filter(|link| departures >> link.heading() & 1 == 1));
        self.scratch.seen = seen;
        next
    }

    #[inline]
    fn follow<'l>(
        &mut self,
        cell: Cell,
        node: Node,
        number: u32,
        mut links: impl Iterator<Item = &'l Link>,
    ) -> Option<u32> {
        let first = *links.next()?;
        let Some(second) = links.next() else {
            return self.reach(cell, node.length, number, first).map(|_| first.corner());
        };
        self.open(cell, node.length, number, first);
        self.open(cell, node.length, number, *second);
        links.for_each(|link| self.open(cell, node.length, number, *link));
        None
    }

    /// Opens a corner, if this way to it is the shortest so far.
    #[inline]
    fn open(&mut self, from: Cell, length: Length, parent: u32, link: Link) {
        if let Some((cell, length)) = self.reach(from, length, parent, link) {
            let total = length + self.rule.distance(cell, self.goal);
            self.scratch.open.push(total, link.corner());
        }
    }

    /// Notes a way to a corner, if it is the shortest so far, and returns the corner's cell and the length.
    #[inline]
    fn reach(&mut self, from: Cell, length: Length, parent: u32, link: Link) -> Option<(Cell, Length)> {
        let cell = self.corners.cell(link.corner());
        let length = length + self.rule.distance(from, cell);
        let node = &mut self.scratch.nodes[link.corner() as usize];
        let mut state = self.scratch.search;
        if node.is_of(state) {
            if node.length <= length {
                return None;
            }
            state |= node.state & SEES_GOAL;
        }
        *node = Node { state, arrival: Link::new(parent, link.heading()), length };
        Some((cell, length))
    }

    /// The path by way of the corners found.
    fn trace(&mut self, start: Cell, length: Length, last: u32) -> Path {
        let Scratch { nodes, chain, .. } = &mut *self.scratch;
        chain.clear();
        chain.extend(core::iter::successors(Some(last), |number| {
            Some(nodes[*number as usize].arrival.corner()).filter(|parent| *parent != START)
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

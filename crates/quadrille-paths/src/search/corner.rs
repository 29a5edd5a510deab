//! A* from corner to corner.
//!
//! The search scans the map from the start; from there on, stored links lead from corner to corner, or scans where the
//! map stores none; see [`corners`](crate::corners). Every link is as long as the distance without walls, so no length
//! is stored. The cells of the path are filled in at the end: diagonal steps first, then straight ones.
//!
//! The goal is not a corner, and nothing is stored about it. But only one canonical path leads from a corner to the
//! goal: diagonally until the two share a row or column, then straight. The corner stores how far its diagonals are
//! free, and for the goal it is known how far it sees, so testing that path takes two comparisons.
//!
//! Two paths of the same length may reach a corner by different last steps. It is then expanded in all directions that
//! one of them allows.

mod fan;
mod goals;
mod resume;
mod start;

use self::goals::{Goal, Goals};
pub(crate) use self::resume::Footing;
use self::start::START_DIRECTIONS;

use crate::corners::{Corners, Exits, Link};
use crate::grid::{Cell, CostRule, Direction, Fixed, Grid, Length};
use crate::landmarks::{EASY, GoalRange};
use crate::open_list::{OpenList, bucket_to_goal};
use crate::path::Waypoints;
use crate::search::part::Part;
use crate::search::taut::TautMemory;
use crate::walks::Directions;

/// The parent of corners that the start leads to.
const START: u32 = Link::LAST_CORNER;

/// The cost of starting a search and writing out a path, in corners, apart from the scan of what the start sees: a
/// search that finds its goal immediately costs about as much as examining this many.
const BEGINNING: u64 = 16;

/// The state of a corner in a search: 16 bytes, four to a cache line.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// The search that reached it; what earlier ones wrote is stale.
    search: u16,
    /// The last steps of the shortest paths to it.
    arrivals: Directions,
    /// Those arrivals that have been expanded.
    done: Directions,
    parent: u32,
    length: Length,
}

const _: () = assert!(size_of::<Node>() == 16);

impl Node {
    /// Whether there are arrivals that have not been expanded.
    #[inline]
    const fn is_open(&self) -> bool {
        self.arrivals & !self.done != 0
    }
}

/// A corner that is expanded, or the start: its distance from the start, and the directions out of it.
#[derive(Clone, Copy)]
struct Expanded {
    cell: Cell,
    length: Length,
    number: u32,
    directions: Directions,
}

impl Expanded {
    /// The start, in one direction.
    const fn start(cell: Cell, direction: Direction) -> Self {
        Self { cell, length: Length::ZERO, number: START, directions: 1 << direction as u8 }
    }

    /// Whether a direction leads to a goal.
    #[inline(always)]
    fn leads_to(self, goal: &Goal, rule: CostRule, diagonal: impl Fn(Direction) -> u32) -> bool {
        let toward = self.directions & rule.directions_toward(self.cell, goal.cell);
        // If there are two, they begin with the same walk.
        toward != 0 && goal.is_ahead(rule, self.cell, || diagonal(Direction::ALL[toward.ilog2() as usize]))
    }
}

/// The working memory of searches, reused from one to the next and from map to map; one for each thread.
///
/// Once it has grown to the size of a map, a search seldom allocates anything but the path it returns.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    nodes: Vec<Node>,
    /// Corners to expand, by the least length of a path through them.
    open: OpenList,
    /// All corners that the search has reached.
    reached: Vec<u32>,
    /// The current search.
    search: u16,
    expanded: u64,
    /// How many links it has followed.
    followed: u64,
    /// The cost of the start, in corners that could have been expanded in that time.
    beginning: u64,
    start: Cell,
    /// For each direction out of the start, how many steps of its diagonal have been scanned.
    scanned: [u16; 8],
    goals: Goals,
    /// How far the goals are from landmarks, if the search has turned out not to be easy.
    range: GoalRange,
    has_asked: bool,
    /// The shortest path to a goal so far, its last corner, and the goal.
    best: Option<(Length, u32, Cell)>,
    /// The bucket that is being expanded.
    bucket: u64,
    /// The bucket after which nothing shorter can come.
    last_bucket: u64,
    /// Whether the map was scanned from corners for which nothing is stored: no edit can tell whether it changes what
    /// was found.
    has_scanned: bool,
    pub(crate) taut: TautMemory,
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

    /// How many links from corner to corner it followed.
    pub(crate) const fn followed(&self) -> u64 {
        self.followed
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.open.bytes()
            + self.reached.capacity() * size_of::<u32>()
            + self.goals.bytes()
            + self.taut.bytes()
    }

    fn begin(&mut self, corners: usize) {
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.nodes.clear();
            self.search = 1;
        }
        if self.nodes.len() < corners {
            self.nodes.resize(corners, Node::default());
        }
        self.open.clear();
        self.reached.clear();
    }
}

/// One search: the map, and its state in the scratch memory.
pub(crate) struct Search<'a> {
    grid: &'a Grid,
    corners: &'a Corners,
    rule: CostRule,
    /// A part of the map with known distances to the only goal.
    known: Option<&'a Part>,
    scratch: &'a mut Scratch,
}

impl<'a> Search<'a> {
    /// A new search from a free cell to the nearest of some goals in its component, ready to expand corners.
    pub(crate) fn begin(
        grid: &'a Grid,
        corners: &'a Corners,
        rule: CostRule,
        (start, goals): (Cell, &[Cell]),
        scratch: &'a mut Scratch,
    ) -> Self {
        corners.searches.note();
        let walks = corners.walks(grid);
        scratch.goals.set(&walks, goals);
        (scratch.start, scratch.best, scratch.last_bucket) = (start, None, u64::MAX);
        (scratch.bucket, scratch.expanded, scratch.followed, scratch.beginning) = (0, 0, 0, BEGINNING);
        (scratch.range, scratch.has_asked, scratch.has_scanned) = (GoalRange::default(), false, false);
        let mut search = Self { grid, corners, rule, known: None, scratch };
        search.scratch.begin(corners.count_numbers());
        search.leave(start);
        search
    }

    /// The same, with a part of the map that was searched from the goal, of which there is only one.
    pub(crate) fn with(self, known: Option<&'a Part>) -> Self {
        Self { known, ..self }
    }

    /// A shortest path.
    pub(crate) fn path(mut self) -> Option<Waypoints> {
        self.go_on(u64::MAX);
        self.found()
    }

    /// Ignores paths that are longer than this many steps, rounding aside.
    pub(crate) fn limit(&mut self, steps: u32) {
        let most = Fixed::of(Length { straight: steps, diagonal: 0 });
        self.scratch.last_bucket = self.scratch.last_bucket.min(bucket_to_goal(most) + 1);
    }

    /// Expands corners until nothing open can lead to a shorter path (returns true), or more than this many would have
    /// to be expanded.
    pub(crate) fn go_on(&mut self, budget: u64) -> bool {
        let (last, is_scanned) = (self.scratch.expanded.saturating_add(budget), self.corners.are_scanned());
        while let Some((bucket, number)) = self.scratch.open.pop() {
            if bucket > self.scratch.last_bucket {
                break;
            }
            self.scratch.bucket = bucket;
            if number >= START_DIRECTIONS {
                self.leave_by(Direction::ALL[(number - START_DIRECTIONS) as usize]);
            } else if self.is_of_use(number) {
                if self.scratch.has_asked && self.is_put_off(bucket, number) {
                    continue;
                }
                if self.scratch.expanded == last {
                    self.scratch.open.push_to(bucket, number);
                    return false;
                }
                if is_scanned {
                    self.visit_by_scan(number);
                } else {
                    self.visit(number);
                }
            }
        }
        if self.scratch.goals.only().is_some() && self.known.is_none() {
            self.corners.landmarks.note_search(self.scratch.expanded, self.scratch.has_asked);
        }
        true
    }

    /// Its cost so far, in corners: those that it has expanded, about one for each diagonal step scanned from the
    /// start, and some for the rest.
    pub(crate) const fn work(&self) -> u64 {
        self.scratch.beginning + self.scratch.expanded
    }

    /// How many corners it has expanded.
    pub(crate) const fn expanded(&self) -> u64 {
        self.scratch.expanded
    }

    /// A lower bound on the distance to the nearest goal.
    #[inline]
    fn estimate(&self, cell: Cell) -> Length {
        self.scratch.goals.estimate(self.rule, cell)
    }

    /// Whether a corner is open and may lie on a shorter path than the one found.
    #[inline]
    fn is_of_use(&self, number: u32) -> bool {
        let node = &self.scratch.nodes[number as usize];
        node.is_open() && !self.is_hopeless(node.length + self.estimate(self.corners.cell(number)))
    }

    /// Expands an open corner.
    #[inline]
    fn visit(&mut self, number: u32) {
        self.expand(number, |search, from, exits| search.arrive(from, |direction| exits.diagonal(direction)));
        self.note_visit();
    }

    /// The same by scanning the map, if nothing is stored.
    #[cold]
    fn visit_by_scan(&mut self, number: u32) {
        let (from, corners, grid) = (self.close(number), self.corners, self.grid);
        let walks = corners.walks(grid);
        self.scratch.has_scanned = true;
        if !self.arrive(from, |direction| walks.diagonal(from.cell, direction).into()) {
            for direction in Direction::of(from.directions) {
                walks.go(from.cell, direction, |cell, arrival| {
                    if let Some(number) = corners.number(grid, cell) {
                        self.scratch.followed += 1;
                        self.open(&from, Link::new(number, arrival));
                    }
                });
            }
        }
        self.note_visit();
    }

    /// Uses landmarks once it is clear that the search is not easy. That costs a scan around each goal, which easy
    /// searches never need.
    #[inline]
    fn note_visit(&mut self) {
        if self.scratch.expanded == EASY * self.scratch.goals.all().len() as u64 {
            self.ask_landmarks();
        }
    }

    /// Closes an open corner and, unless `arrive` says that this is useless, opens those that the directions out of it
    /// lead to.
    #[inline]
    fn expand(&mut self, number: u32, arrive: impl FnOnce(&mut Self, Expanded, &Exits<'_>) -> bool) {
        let from = self.close(number);
        let exits = self.corners.exits(self.grid, number, from.directions);
        if !arrive(self, from, &exits) {
            self.open_all(from, &exits);
        }
    }

    /// Closes an open corner.
    #[inline(always)]
    fn close(&mut self, number: u32) -> Expanded {
        let node = &mut self.scratch.nodes[number as usize];
        let arrivals = node.arrivals & !node.done;
        node.done = node.arrivals;
        let (length, cell) = (node.length, self.corners.cell(number));
        self.scratch.expanded += 1;
        Expanded { cell, length, number, directions: self.corners.directions_on(number, arrivals) }
    }

    /// Opens the corners to which some directions out of a corner lead.
    #[inline(always)]
    fn open_all(&mut self, from: Expanded, exits: &Exits<'_>) {
        for direction in Direction::of(from.directions) {
            let links = exits.links(direction);
            self.scratch.followed += links.len() as u64;
            for link in links {
                self.open(&from, *link);
            }
        }
    }

    /// Finds how far the goals are from landmarks, if there are any.
    #[cold]
    fn ask_landmarks(&mut self) {
        let goals = self.scratch.goals.all().iter().map(|goal| goal.cell);
        let Some(range) = self.corners.asked(self.grid, self.scratch.start, goals) else { return };
        (self.scratch.range, self.scratch.has_asked) = (range, true);
    }

    /// Whether landmarks move a corner of this bucket to a later one. They are evaluated for corners about to be
    /// expanded, not for all that are opened, which are several times as many.
    #[inline]
    fn is_put_off(&mut self, bucket: u64, number: u32) -> bool {
        let length = Fixed::of(self.scratch.nodes[number as usize].length);
        let later = bucket_to_goal(length + self.corners.landmarks.bound(number, &self.scratch.range));
        if later > bucket {
            self.scratch.open.push_to(later, number);
        }
        later > bucket
    }

    /// Whether a path of at least this length is no improvement.
    #[inline]
    fn is_hopeless(&self, total: Length) -> bool {
        self.scratch.best.is_some_and(|(best, ..)| total >= best)
    }

    /// Records paths to goals to which some directions out of a corner, or of the start, lead; true if no direction can
    /// lead to a shorter one.
    #[inline(always)]
    fn arrive(&mut self, from: Expanded, diagonal: impl Fn(Direction) -> u32) -> bool {
        if let Some(goal) = self.scratch.goals.only() {
            return self.arrive_at(goal, from, diagonal);
        }
        let steps = Direction::of(from.directions).map(&diagonal).max().unwrap_or(0);
        let mut is_done = false;
        // Paths to goals change nothing else in the scratch memory.
        let goals = core::mem::take(&mut self.scratch.goals);
        for goal in goals.ahead(self.rule, from.cell, steps) {
            if self.arrive_at(*goal, from, &diagonal) {
                is_done |= self.rule.distance(from.cell, goal.cell) == goals.estimate(self.rule, from.cell);
            }
        }
        self.scratch.goals = goals;
        is_done
    }

    /// The same for one goal; true if a direction leads there.
    #[inline(always)]
    fn arrive_at(&mut self, goal: Goal, from: Expanded, diagonal: impl Fn(Direction) -> u32) -> bool {
        if !from.leads_to(&goal, self.rule, diagonal) {
            return false;
        }
        let total = from.length + self.rule.distance(from.cell, goal.cell);
        if !self.is_hopeless(total) {
            self.scratch.best = Some((total, from.number, goal.cell));
            // One bucket past the goal's, in case rounding puts something shorter after it.
            self.scratch.last_bucket = bucket_to_goal(Fixed::of(total)) + 1;
        }
        true
    }

    /// Opens a corner, if this path to it is the shortest so far, or as short and arrives from another direction.
    #[inline]
    fn open(&mut self, from: &Expanded, link: Link) {
        let (cell, parent) = (self.corners.cell(link.corner()), from.number);
        let length = from.length + self.rule.distance(from.cell, cell);
        let node = &mut self.scratch.nodes[link.corner() as usize];
        let is_new = node.search != self.scratch.search;
        if is_new || length < node.length {
            *node = Node { search: self.scratch.search, arrivals: link.arrival(), done: 0, parent, length };
        } else if length == node.length && node.arrivals & link.arrival() == 0 {
            node.arrivals |= link.arrival();
        } else {
            return;
        }
        if is_new {
            self.scratch.reached.push(link.corner());
        }
        let total = length + self.estimate(cell);
        if !self.is_hopeless(total) {
            let bound = self.known.map_or(Fixed::ZERO, |part| Fixed::of(length) + part.bound(cell));
            let bucket = bucket_to_goal(Fixed::of(total).max(bound));
            // A path through the previous corner is no shorter than that corner's bucket says.
            self.scratch.open.push_to(bucket.max(self.scratch.bucket), link.corner());
        }
    }

    /// The path found, by way of corners.
    pub(crate) fn found(&self) -> Option<Waypoints> {
        let (length, last, goal) = self.scratch.best?;
        Some(self.trace(length, last, goal))
    }

    /// The path of the given length to a goal whose last corner is this one.
    fn trace(&self, length: Length, last: u32, goal: Cell) -> Waypoints {
        let nodes = &self.scratch.nodes;
        let not_start = |number: u32| Some(number).filter(|number| *number != START);
        let corners = core::iter::successors(not_start(last), |number| not_start(nodes[*number as usize].parent));
        let mut cells = Vec::with_capacity(16);
        cells.extend(corners.map(|number| self.corners.cell(number)));
        cells.push(self.scratch.start);
        cells.reverse();
        cells.extend(Some(goal).filter(|goal| *goal != self.scratch.start));
        Waypoints::new(cells, length)
    }
}

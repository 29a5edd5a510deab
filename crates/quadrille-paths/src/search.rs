//! A* from corner to corner.

use crate::cell::Cell;
use crate::corners::{Corners, Link};
use crate::cost::{CostRule, Length};
use crate::grid::Grid;
use crate::heading::{Heading, Turns, heading};
use crate::open_list::OpenList;
use crate::path::Path;

const START: u32 = u32::MAX - 1;
const GOAL: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    search: u32,
    sees_goal: u32,
    parent: u32,
    length: Length,
    arrival: Heading,
    closed: bool,
}

impl Node {
    const VOID: Self =
        Self { search: 0, sees_goal: 0, parent: START, length: Length::ZERO, arrival: 0, closed: false };
}

/// Working memory.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    nodes: Vec<Node>,
    open: OpenList,
    search: u32,
    pub expanded: u64,
    pub generated: u64,
}

pub(crate) struct Search<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) corners: &'a Corners,
    pub(crate) rule: CostRule,
}

impl Search<'_> {
    pub(crate) fn path(&self, from: Cell, to: Cell, s: &mut Scratch) -> Option<Path> {
        s.expanded = 0;
        s.generated = 0;
        let mut cells = vec![from];
        if self.walk(from, to, &mut cells) {
            return Some(Path::new(cells, self.rule.distance(from, to)));
        }
        s.search = s.search.wrapping_add(1);
        if s.search == 0 || s.nodes.len() < self.corners.capacity() {
            s.nodes.clear();
            s.nodes.resize(self.corners.capacity(), Node::VOID);
            s.search = 1;
        }
        s.open.clear();
        let search = s.search;
        self.corners.each_visible(self.grid, to, |link| s.nodes[link.corner() as usize].sees_goal = search);
        if let Some(n) = self.corners.number(self.grid, to) {
            s.nodes[n as usize].sees_goal = search;
        }
        let turns = Turns::of(self.rule);
        self.corners.each_visible(self.grid, from, |link| {
            let corner = self.corners.corner(link.corner());
            if turns.departures(corner.walls, link.heading()) == 0 { return }
            let cell = corner.cell;
            let length = self.rule.distance(from, cell);
            let node = &mut s.nodes[link.corner() as usize];
            *node = Node { search, parent: START, length, arrival: link.heading(), closed: false, ..*node };
            let to_go = self.rule.distance(cell, to);
            s.open.push(length + to_go, to_go, link.corner());
        });
        let mut goal: Option<(Length, u32)> = None;
        while let Some(item) = s.open.pop() {
            if item == GOAL {
                let (length, parent) = goal?;
                return Some(self.trace(from, to, parent, length, s));
            }
            let node = &mut s.nodes[item as usize];
            if core::mem::replace(&mut node.closed, true) {
                continue;
            }
            s.expanded += 1;
            let node = *node;
            let corner = self.corners.corner(item);
            if node.sees_goal == search {
                let length = node.length + self.rule.distance(corner.cell, to);
                if goal.is_none_or(|(best, _)| length < best) {
                    goal = Some((length, item));
                    s.open.push(length, Length::ZERO, GOAL);
                }
            }
            let departures = turns.departures(corner.walls, node.arrival);
            let links = self.corners.links(corner).unwrap_or(&[]);
            for link in links {
                if departures >> link.heading() & 1 == 0 {
                    continue;
                }
                s.generated += 1;
                let cell = self.corners.corner(link.corner()).cell;
                let length = node.length + self.rule.distance(corner.cell, cell);
                let next = &mut s.nodes[link.corner() as usize];
                if next.search != search || length < next.length {
                    *next = Node { search, parent: item, length, arrival: link.heading(), closed: false, ..*next };
                    let to_go = self.rule.distance(cell, to);
                    s.open.push(length + to_go, to_go, link.corner());
                }
            }
        }
        None
    }

    fn trace(&self, from: Cell, to: Cell, last: u32, length: Length, s: &Scratch) -> Path {
        let mut chain = vec![to];
        let mut at = last;
        while at != START {
            chain.push(self.corners.corner(at).cell);
            at = s.nodes[at as usize].parent;
        }
        let mut cells = Vec::with_capacity(length.steps() as usize + 1);
        cells.push(from);
        let mut here = from;
        for &next in chain.iter().rev() {
            self.lay(here, next, &mut cells);
            here = next;
        }
        Path::new(cells, length)
    }

    fn lay(&self, from: Cell, to: Cell, cells: &mut Vec<Cell>) {
        let (mut x, mut y) = (from.x, from.y);
        while x != to.x && y != to.y && self.rule != CostRule::Manhattan {
            x = if to.x > x { x + 1 } else { x - 1 };
            y = if to.y > y { y + 1 } else { y - 1 };
            cells.push(Cell::new(x, y));
        }
        while x != to.x {
            x = if to.x > x { x + 1 } else { x - 1 };
            cells.push(Cell::new(x, y));
        }
        while y != to.y {
            y = if to.y > y { y + 1 } else { y - 1 };
            cells.push(Cell::new(x, y));
        }
    }

    fn walk(&self, from: Cell, to: Cell, cells: &mut Vec<Cell>) -> bool {
        let mut here = from;
        while here != to {
            let h = heading(here, to);
            let dir = if self.rule == CostRule::Manhattan {
                if here.x != to.x { if to.x > here.x { 4 } else { 12 } } else { h }
            } else if here.x != to.x && here.y != to.y {
                h / 4 * 4 + 2
            } else {
                h
            };
            let way = crate::cell::Direction::ALL[usize::from(dir / 2)];
            if !self.grid.can_step(here, way, self.rule) {
                return false;
            }
            here = here.step(way).unwrap();
            cells.push(here);
        }
        true
    }
}

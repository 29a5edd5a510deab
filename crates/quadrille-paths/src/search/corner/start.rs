//! The start of a search: directions scanned from there, a few steps at a time.

use super::{Expanded, Goal, START, Search};
use crate::corners::Link;
use crate::grid::{Cell, CostRule, Direction, Fixed, Length};
use crate::open_list::bucket_to_goal;
use crate::walks::{Changed, Walks, ahead};

/// In the open list, the directions out of the start are numbered from here, above all corners.
pub(super) const START_DIRECTIONS: u32 = Link::LAST_CORNER + 1;

/// How many steps of a diagonal are scanned from the start at a time.
const STRIDE: u16 = 4;

impl Search<'_> {
    /// Opens the directions out of the start.
    pub(super) fn leave(&mut self, start: Cell) {
        self.scratch.scanned = [0; 8];
        if self.scratch.goals.all().iter().any(|goal| goal.cell == start) {
            self.scratch.best = Some((Length::ZERO, START, start));
            return;
        }
        let walks = self.corners.walks(self.grid);
        if self.scratch.goals.all().is_empty() || self.goes_straight(&walks, start) {
            return;
        }
        let bucket = bucket_to_goal(Fixed::of(self.estimate(start)));
        for direction in self.rule.first_directions() {
            self.scratch.open.push_to(bucket, START_DIRECTIONS + direction as u32);
        }
    }

    /// Scans the map from the start, some steps in one direction. The rest waits until paths through it could be the
    /// shortest, so a direction away from the goal is seldom scanned far.
    pub(super) fn leave_by(&mut self, direction: Direction) {
        let (corners, grid, start) = (self.corners, self.grid, self.scratch.start);
        let (from, first) = (Expanded::start(start, direction), self.scratch.scanned[direction as usize]);
        let last = first + STRIDE;
        let changed = Changed { first: first + 1, last, diagonal: u16::MAX };
        let (steps, is_rest_open) = corners.walks(grid).go_again(start, direction, changed, |cell, arrival| {
            if let Some(number) = corners.number(grid, cell) {
                self.open(&from, Link::new(number, arrival));
            }
        });
        let diagonal = if is_rest_open { last } else { steps };
        self.scratch.scanned[direction as usize] = diagonal;
        self.scratch.beginning += u64::from(diagonal - first);
        if !self.arrive(from, |_| diagonal.into()) && is_rest_open {
            let step =
                if self.rule == CostRule::Manhattan { Direction::toward(direction.delta().0, 0) } else { direction };
            let next = ahead(start, step, usize::from(diagonal) + 1);
            let total = self.rule.distance(start, next) + self.estimate(next);
            self.scratch.open.push_to(bucket_to_goal(Fixed::of(total)), START_DIRECTIONS + direction as u32);
        }
    }

    /// Scans in the direction of the goal that would be nearest without walls, and returns whether that leads there: on
    /// open ground nothing else needs to be scanned.
    fn goes_straight(&mut self, walks: &Walks<'_>, start: Cell) -> bool {
        let distance = |goal: &&Goal| self.rule.distance(start, goal.cell);
        let Some(goal) = self.scratch.goals.all().iter().min_by_key(distance).copied() else { return false };
        let sign = |from: u32, to: u32| i32::from(to > from) - i32::from(to < from);
        let (dx, dy) = (sign(start.x, goal.cell.x), sign(start.y, goal.cell.y));
        let (width, height) = (start.x.abs_diff(goal.cell.x), start.y.abs_diff(goal.cell.y));
        // Under the Manhattan rule, a path along the row first represents both quadrants beside the row.
        let is_manhattan = self.rule == CostRule::Manhattan;
        let (direction, most) = match (is_manhattan, dx) {
            (true, -1 | 1) => (Direction::toward(dx, if dy == 0 { 1 } else { dy }), width),
            _ => (Direction::toward(dx, dy), width.min(height)),
        };
        let step = if is_manhattan { Direction::toward(dx, 0) } else { direction };
        let is_legal = |steps: &u32| walks.can_step(ahead(start, step, *steps as usize), dx, dy);
        let diagonal = (0..most).take_while(is_legal).count() as u32;
        self.arrive_at(goal, Expanded::start(start, direction), |_| diagonal)
    }
}

//! The start of a search: directions scanned from there, a few steps at a time.

use super::{Expanded, Goal, START, Search};
use crate::corners::Link;
use crate::grid::{Cell, CostRule, Direction, Fixed, Length};
use crate::open_list::bucket_to_goal;
use crate::walks::{Changed, Directions, ahead};

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
        let distance = |goal: &&Goal| self.rule.distance(start, goal.cell);
        let Some(nearest) = self.scratch.goals.all().iter().min_by_key(distance).copied() else { return };
        let from = Expanded { cell: start, length: Length::ZERO, number: START, directions: Directions::MAX };
        if self.goes_straight(from, nearest) {
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

    /// Scans in the direction of a goal to which no other one is nearer, and returns whether that leads there: on open
    /// ground nothing else needs to be scanned.
    fn goes_straight(&mut self, from: Expanded, goal: Goal) -> bool {
        let toward = from.directions & self.rule.directions_toward(from.cell, goal.cell);
        if toward == 0 || !goal.is_ahead(self.rule, from.cell, || u32::MAX) {
            return false;
        }
        let (walks, direction) = (self.corners.walks(self.grid), Direction::ALL[toward.ilog2() as usize]);
        let (dx, dy) = direction.delta();
        let step = if self.rule == CostRule::Manhattan { Direction::toward(dx, 0) } else { direction };
        let is_legal = |steps: &u16| walks.can_step(ahead(from.cell, step, usize::from(*steps)), dx, dy);
        let most = Changed::steps(self.rule, from.cell, goal.cell);
        let diagonal = (0..most).take_while(is_legal).count() as u32;
        self.arrive_at(goal, from, |_| diagonal)
    }
}

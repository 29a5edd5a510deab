//! Paths from one cell to many: one search for all of them if each alone would search a large part of the map.

use super::{Expanded, Goal, START, Search};
use crate::corners::Link;
use crate::grid::{Cell, CostRule, Direction, Fixed, Length};
use crate::open_list::bucket_to_goal;
use crate::path::Waypoints;

/// A cell to which a path is requested, and the shortest so far with its last corner.
struct Target {
    place: usize,
    goal: Goal,
    best: Option<(Length, u32)>,
}

/// Those that a search has yet to reach.
struct Targets(Vec<Target>);

impl Search<'_> {
    /// Shortest paths from the start of a search without goals to cells in its component, in their order; `None` for those to which none has
    /// been found when this many corners have been expanded.
    pub(crate) fn fan(mut self, to: &[Cell], budget: u64) -> Vec<Option<Waypoints>> {
        let (walks, from) = (self.corners.walks(self.grid), self.scratch.start);
        let target = |(place, cell): (usize, &Cell)| {
            let best = (*cell == from).then_some((Length::ZERO, START));
            Target { place, goal: Goal::new(&walks, *cell), best }
        };
        let mut targets = Targets(to.iter().enumerate().map(target).collect());
        self.fan_out(&mut targets);
        let mut paths: Vec<_> = to.iter().map(|_| None).collect();
        while let Some((bucket, number)) = self.scratch.open.pop() {
            targets.take_found(&self, bucket, &mut paths);
            if targets.0.is_empty() || self.expanded() == budget {
                return paths;
            }
            if self.scratch.nodes[number as usize].is_open() {
                self.expand(number, |search, from, exits| {
                    targets.arrive(search.rule, from, |direction| exits.diagonal(direction));
                    false
                });
            }
        }
        targets.take_found(&self, u64::MAX, &mut paths);
        paths
    }

    /// Scans the map from the start.
    fn fan_out(&mut self, targets: &mut Targets) {
        let (corners, grid, start, rule) = (self.corners, self.grid, self.scratch.start, self.rule);
        for direction in rule.first_directions() {
            let from = Expanded::start(start, direction);
            let diagonal = corners.walks(grid).go(start, direction, |cell, arrival| {
                if let Some(number) = corners.number(grid, cell) {
                    self.open(&from, Link::new(number, arrival));
                }
            });
            targets.arrive(rule, from, |_| diagonal.into());
        }
    }
}

impl Targets {
    /// Records paths to which some directions out of a corner, or of the start, lead.
    fn arrive(&mut self, rule: CostRule, from: Expanded, diagonal: impl Fn(Direction) -> u32) {
        for target in &mut self.0 {
            let total = from.length + rule.distance(from.cell, target.goal.cell);
            let is_shorter = target.best.is_none_or(|(best, _)| total < best);
            if is_shorter && from.leads_to(&target.goal, rule, &diagonal) {
                target.best = Some((total, from.number));
            }
        }
    }

    /// Takes the paths that nothing in this bucket, or after it, can shorten.
    fn take_found(&mut self, search: &Search<'_>, bucket: u64, paths: &mut [Option<Waypoints>]) {
        // One more bucket, in case rounding puts something shorter after it.
        let is_final = |length: Length| bucket_to_goal(Fixed::of(length)) + 1 < bucket;
        self.0.retain(|target| {
            let Some((length, last)) = target.best.filter(|(length, _)| is_final(*length)) else { return true };
            paths[target.place] = Some(search.trace(length, last, target.goal.cell));
            false
        });
    }
}

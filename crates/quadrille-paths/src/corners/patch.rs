//! What one changed cell hides and uncovers, link by link.
//!
//! It can change only what it and its neighbours are: whether each is a *stop*, a wall or corner that ends sight, and where a
//! path may turn at it. Everything else follows from the parallelograms of [`sight`](crate::sight):
//!
//! - A new stop hides from each other what sees it on opposite sides. A corner that sees it drops those links whose
//!   parallelogram it lies in. Nobody else needs to look, for of several new stops in a parallelogram, each end sees one.
//! - A stop that is no more uncovers pairs of corners that see its cell from opposite sides. With coordinates along the walk and
//!   the look of a cone the parallelogram is an upright rectangle of four parts about the cell: two are clear because each
//!   corner is seen; the other two are what [`Aside`] measures.
//! - A corner that is new, or that may be turned at otherwise than before, is linked with all it sees.
//! - Under the octile rule a diagonal step is legal only if the cells beside it are free. A link along a diagonal that passes
//!   beside the changed cell comes and goes without any stop; all others that do have a corner beside such a step.

use core::ops::Range;

use super::{Corners, Link, index};
use crate::cell::Direction::{East, North, South, West};
use crate::cell::{Cell, CellRect};
use crate::cost::CostRule;
use crate::grid::Grid;
use crate::heading::{Headings, heading, headings_beyond, opposite};
use crate::sight::{ALL_QUADRANTS, Aside, Cone, opposite_cones};

/// What matters of a cell to those who see it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Look {
    is_stop: bool,
    /// The headings in which a path may leave it; none if it is no corner.
    exits: Headings,
}

impl Corners {
    /// Brings everything up to date after one cell has changed. Of the corners around it, none may be stale.
    pub(super) fn patch(&mut self, grid: &Grid, changed: Cell, around: CellRect) {
        let before: Vec<(Cell, Look)> = around.cells().map(|cell| (cell, self.look_of(grid, cell))).collect();
        for cell in around.cells() {
            if let Some(number) = self.number(grid, cell).filter(|_| !self.is_corner(grid, cell)) {
                self.unlink_ends(number);
            }
            self.place(grid, cell);
        }
        let after: Vec<Look> = around.cells().map(|cell| self.look_of(grid, cell)).collect();
        for ((cell, before), after) in before.iter().zip(&after) {
            if before != after && (after.exits != 0 || after.is_stop && !before.is_stop) {
                self.show(grid, *cell, !before.is_stop);
            }
        }
        let gone = before.iter().zip(&after).filter(|((_, before), after)| before.is_stop && !after.is_stop);
        let gone: Vec<Cell> = gone.map(|((cell, _), _)| *cell).collect();
        // One after the other, so that each pair is uncovered once.
        gone.iter().for_each(|cell| self.set_stop(*cell, true));
        for cell in gone {
            self.set_stop(cell, false);
            self.uncover(grid, cell);
        }
        if self.rule == CostRule::Octile {
            self.link_beside(grid, changed);
        }
    }

    fn look_of(&self, grid: &Grid, cell: Cell) -> Look {
        let exits = self.number(grid, cell).map_or(0, |number| self.turns.exits(self.get(number).walls));
        Look { is_stop: self.rows.get(cell.x as usize + 1, cell.y as usize + 1), exits }
    }

    /// Links a cell, if it is a corner, with all it sees. If it has become a stop, it hides them from each other.
    fn show(&mut self, grid: &Grid, cell: Cell, is_new_stop: bool) {
        let mut seen = Vec::with_capacity(64);
        self.each_visible(grid, cell, |link| seen.push(link));
        let number = self.number(grid, cell);
        for link in seen {
            if is_new_stop {
                self.hide_behind(cell, link);
            }
            if let Some(number) = number {
                self.set_link(number, link, true);
            }
        }
    }

    /// Drops the links of a corner, seen from a stop, that the stop lies between.
    fn hide_behind(&mut self, stop: Cell, seen: Link) {
        let (number, cell) = (seen.corner(), self.cell(seen.corner()));
        if self.get(number).stale != 0 {
            return self.expire(number, ALL_QUADRANTS);
        }
        let beyond = headings_beyond(opposite(seen.heading()), self.rule);
        let [near, aside] = self.rule.extent(cell, stop);
        let places = self.get(number).places();
        let links = &mut self.links[places.clone()];
        let first = links.partition_point(|link| u32::from(link.heading()) < beyond.trailing_zeros());
        let last = links.partition_point(|link| u32::from(link.heading()) < 16 - beyond.leading_zeros());
        let mut end = first;
        for index in first..last {
            let link = links[index];
            let [x, y] = self.cells[link.corner() as usize];
            let other = Cell::new(u32::from(x), u32::from(y));
            let extent = self.rule.extent(cell, other);
            let is_hidden =
                beyond >> link.heading() & 1 == 1 && extent[0] >= near && extent[1] >= aside && other != stop;
            links[end] = link;
            end += usize::from(!is_hidden);
        }
        if end < last {
            links.copy_within(last.., end);
            self.corners[number as usize].note_links(&links[..places.len() - (last - end)]);
        }
    }

    /// Links the corners that see each other past a cell that is no stop any more.
    fn uncover(&mut self, grid: &Grid, cell: Cell) {
        let (mut ahead, mut behind) = (Vec::new(), Vec::new());
        for [cone, opposite_cone] in opposite_cones(self.rule) {
            self.find_asides(grid, cell, *cone, &mut ahead);
            if ahead.is_empty() {
                continue;
            }
            self.find_asides(grid, cell, *opposite_cone, &mut behind);
            for (number, from) in &behind {
                // In the order of the walk they are ever less far from it, with less to see behind: who sees `from` stand in a row.
                let start = ahead.partition_point(|(_, to)| to.far > from.behind);
                for (end, to) in ahead[start..].iter().take_while(|(_, to)| to.behind >= from.far) {
                    self.set_link(*number, Link::new(*end, heading(from.cell, to.cell)), true);
                }
            }
        }
    }

    fn find_asides(&self, grid: &Grid, cell: Cell, cone: Cone, asides: &mut Vec<(u32, Aside)>) {
        asides.clear();
        self.sight(grid).in_cone(cell, cone, |aside| {
            asides.extend(self.number(grid, aside.cell).map(|number| (number, aside)));
        });
    }

    /// Links or unlinks the corners along the four diagonals that pass beside a cell.
    fn link_beside(&mut self, grid: &Grid, cell: Cell) {
        for first in [North, East, South, West] {
            let (Some(from), Some(to)) = (cell.step(first), cell.step(first.turned(2))) else { continue };
            if !grid.is_free(from) || !grid.is_free(to) {
                continue;
            }
            let way = first.turned(3);
            let sight = self.sight(grid);
            if let (Some(a), Some(b)) = (sight.first_along(from, way.turned(4)), sight.first_along(to, way)) {
                self.set_link_between(grid, (a, b), grid.can_step(from, way, self.rule));
            }
        }
    }

    /// Links two corners that see each other and unlinks two that do not.
    fn set_link_between(&mut self, grid: &Grid, (a, b): (Cell, Cell), is_visible: bool) {
        let [a_number, b_number] = [a, b].map(|cell| self.numbers[index(grid, cell)]);
        self.set_link(a_number, Link::new(b_number, heading(a, b)), is_visible);
    }

    /// Puts a link at both its ends if they see each other and a path may turn there, else drops it.
    fn set_link(&mut self, number: u32, link: Link, is_visible: bool) {
        let (end, back) = (link.corner(), Link::new(number, opposite(link.heading())));
        if is_visible && self.is_followed(number, link) {
            self.put_link(number, link);
            self.put_link(end, back);
        } else {
            self.drop_link(number, link);
            self.drop_link(end, back);
        }
    }

    /// Drops the links of a corner at their other ends.
    fn unlink_ends(&mut self, number: u32) {
        for index in self.get(number).places() {
            let link = self.links[index];
            self.drop_link(link.corner(), Link::new(number, opposite(link.heading())));
        }
    }

    /// Puts a link among those of a corner unless it is there. A stale corner becomes stale all around, and so does one with
    /// too many links to count.
    fn put_link(&mut self, number: u32, link: Link) {
        let Some(Err(at)) = self.find_link(number, link) else { return };
        let corner = &mut self.corners[number as usize];
        let Range { start: first, end } = corner.places();
        if corner.count() < usize::from(corner.room) {
            self.links.copy_within(first + at..end, first + at + 1);
            self.links[first + at] = link;
            corner.links_up_to[usize::from(link.heading() / 4)..].iter_mut().for_each(|count| *count += 1);
            return;
        }
        // Full: they move behind all others.
        let (moved, room) = (self.links.len(), corner.room);
        self.links.extend_from_within(first..first + at);
        self.links.push(link);
        self.links.extend_from_within(first + at..end);
        if corner.own_last(moved, &mut self.links) {
            self.live_links += usize::from(corner.room - room);
        } else {
            self.links.truncate(moved);
            self.expire(number, ALL_QUADRANTS);
        }
    }

    /// Takes a link out of those of a corner, if it is there.
    fn drop_link(&mut self, number: u32, link: Link) {
        let Some(Ok(at)) = self.find_link(number, link) else { return };
        let corner = &mut self.corners[number as usize];
        let (first, end) = (corner.first_link as usize, corner.places().end);
        self.links.copy_within(first + at + 1..end, first + at);
        corner.links_up_to[usize::from(link.heading() / 4)..].iter_mut().for_each(|count| *count -= 1);
    }

    /// Where a link is or belongs among those of a corner; nowhere if that is stale, and then stale all around.
    fn find_link(&mut self, number: u32, link: Link) -> Option<Result<usize, usize>> {
        if self.get(number).stale != 0 {
            self.expire(number, ALL_QUADRANTS);
            return None;
        }
        Some(self.links[self.get(number).places()].binary_search(&link))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_each_changed_cell_all_links_are_right_and_none_is_stale() {
        let random = |cell: Cell, seed: u32| {
            let mixed = (cell.x * 0x9e37 + cell.y * 0x85eb + seed * 0xc2b3).wrapping_mul(0x27d4_eb2f);
            (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 13
        };
        for (seed, rule) in (0..24)
            .flat_map(|seed| [CostRule::Octile, CostRule::OctileCutting, CostRule::Manhattan].map(|rule| (seed, rule)))
        {
            let mut grid = Grid::from_fn(23, 19, |cell| random(cell, seed) % 16 >= seed % 6).unwrap();
            let mut corners = Corners::new(&grid, rule);
            for step in 0..300 {
                let cell = Cell::new(random(Cell::new(step, 1), seed) % 23, random(Cell::new(step, 2), seed) % 19);
                grid.set(cell, !grid.is_free(cell));
                corners.update(&grid, CellRect::new(cell.x, cell.y, 1, 1));
                corners.validate(&grid).unwrap_or_else(|fault| panic!("{rule:?} {seed} {step} {cell}: {fault}"));
                assert!(corners.stale.is_empty(), "{rule:?} {seed} {step} {cell}");
            }
        }
    }
}

//! Headings, and which turns at a corner a shortest path may take.
//!
//! A straight-as-possible way between two cells uses one kind of step (due north, due north-east, ...) or two kinds that are
//! neighbours on the compass. That makes sixteen headings; even numbers are the eight directions, odd ones lie between.
//! Under the Manhattan rule the two kinds of step north and east make the heading north-east.

use core::fmt;
use std::sync::LazyLock;

use crate::cell::{Cell, Direction};
use crate::cost::{CostRule, Length};
use crate::grid::Grid;

/// One of the sixteen headings.
pub(crate) type Heading = u8;

/// For each ring of walls around a cell and each heading of arrival, the set of headings of departure.
pub(crate) struct Turns([[Headings; 16]; 256]);

/// A set of headings, one bit each.
pub(crate) type Headings = u16;

impl Turns {
    /// The table for a rule, computed at its first use.
    pub(crate) fn of(rule: CostRule) -> &'static Self {
        static TABLES: [LazyLock<Turns>; 3] = [
            LazyLock::new(|| Turns::compute(CostRule::Octile)),
            LazyLock::new(|| Turns::compute(CostRule::OctileCutting)),
            LazyLock::new(|| Turns::compute(CostRule::Manhattan)),
        ];
        &TABLES[rule as usize]
    }

    /// The headings in which a shortest path that came in on `arrival` may leave a cell among these walls.
    ///
    /// A way back is as long as the way there: if one may leave on `b` after `a`, then opposite to `a` after opposite to `b`.
    #[inline]
    pub(crate) fn departures(&self, walls: u8, arrival: Heading) -> Headings {
        self.0[usize::from(walls)][usize::from(arrival)]
    }

    /// The headings in which a shortest path may leave a cell among these walls after some turn.
    pub(crate) fn exits(&self, walls: u8) -> Headings {
        (0..16).filter(|way| self.departures(walls, opposite(*way)) != 0).fold(0, |set, way| set | 1 << way)
    }

    fn compute(rule: CostRule) -> Self {
        let mut table = [[0; 16]; 256];
        for (walls, row) in (0..=u8::MAX).zip(&mut table) {
            let shortcuts = Shortcuts::among(walls, rule);
            for (arrival, departures) in (0..).zip(row) {
                let is_taut = |departure: &Heading| {
                    let firsts = steps(*departure, rule);
                    steps(arrival, rule).iter().all(|last| firsts.iter().all(|first| !shortcuts.has(*last, *first)))
                };
                *departures = (0..16).filter(is_taut).fold(0, |set, departure| set | 1 << departure);
            }
        }
        Self(table)
    }
}

impl fmt::Debug for Turns {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Turns").finish_non_exhaustive()
    }
}

/// The heading back.
#[inline]
pub(crate) const fn opposite(heading: Heading) -> Heading {
    (heading + 8) % 16
}

/// The headings of what may lie behind a cell that lies in this one: of all ways there made of its kinds of step and perhaps
/// one more.
#[inline]
pub(crate) const fn headings_beyond(heading: Heading, rule: CostRule) -> Headings {
    let between = match rule {
        CostRule::Manhattan => 4,
        CostRule::Octile | CostRule::OctileCutting => 2,
    };
    let first = (heading + 15) / between * between + 1;
    let last = (heading / between + 1) * between + 15;
    let count = last - first + 1;
    (((1_u32 << count) - 1) as Headings).rotate_left(first as u32)
}

/// The two kinds of step a heading is made of, twice the same for a pure one.
fn steps(heading: Heading, rule: CostRule) -> [Direction; 2] {
    let [before, after] = match rule {
        CostRule::Manhattan => [heading / 4 * 4, heading.div_ceil(4) * 4],
        CostRule::Octile | CostRule::OctileCutting => [heading / 2 * 2, heading.div_ceil(2) * 2],
    };
    [before, after].map(|sixteenth| Direction::ALL[usize::from(sixteenth / 2 % 8)])
}

/// For each last step into a cell, the first steps out of it that make a detour: walls permitting, one or two other steps
/// among the cell and its neighbours lead from before the one to behind the other in less.
struct Shortcuts([u8; 8]);

impl Shortcuts {
    const CENTRE: Cell = Cell::new(1, 1);

    fn among(walls: u8, rule: CostRule) -> Self {
        let reach = Reach::new(walls, rule);
        Self(Direction::ALL.map(|last| {
            let start = Self::cell(last.turned(4));
            let best = reach.within_two_steps(start);
            let is_detour = |first: &Direction| {
                let end = Self::cell(*first);
                let length = rule.distance(start, Self::CENTRE) + rule.distance(Self::CENTRE, end);
                best[Reach::index(end)].is_some_and(|best| best < length)
            };
            Direction::ALL.into_iter().filter(is_detour).fold(0, |set, first| set | 1 << first as u8)
        }))
    }

    fn has(&self, last: Direction, first: Direction) -> bool {
        self.0[last as usize] >> first as u8 & 1 == 1
    }

    /// The neighbour of the centre in a direction.
    fn cell(way: Direction) -> Cell {
        let (dx, dy) = way.delta();
        Cell::new(Self::CENTRE.x.wrapping_add_signed(dx), Self::CENTRE.y.wrapping_add_signed(dy))
    }
}

/// The legal steps among the nine cells of a square.
struct Reach {
    rule: CostRule,
    /// By cell, its free neighbours within the square that one step leads to.
    next: [Vec<Cell>; 9],
}

impl Reach {
    #[expect(clippy::expect_used, reason = "three is a valid side")]
    fn new(walls: u8, rule: CostRule) -> Self {
        let is_free = |cell| Direction::between(Shortcuts::CENTRE, cell).is_none_or(|way| walls >> way as u8 & 1 == 0);
        let grid = Grid::from_fn(3, 3, is_free).expect("three is a valid side");
        let ways_out = |index: usize| {
            let cell = Cell::new(index as u32 % 3, index as u32 / 3);
            let ways = Direction::ALL.into_iter().filter(|way| is_free(cell) && grid.can_step(cell, *way, rule));
            ways.filter_map(|way| cell.step(way)).collect()
        };
        Self { rule, next: core::array::from_fn(ways_out) }
    }

    const fn index(cell: Cell) -> usize {
        (cell.y * 3 + cell.x) as usize
    }

    /// How far each cell is, if no more than two steps lead there.
    fn within_two_steps(&self, start: Cell) -> [Option<Length>; 9] {
        let mut best = [None; 9];
        let mut note = |cell, length| {
            let known = &mut best[Self::index(cell)];
            *known = Some(known.map_or(length, |known: Length| known.min(length)));
        };
        note(start, Length::ZERO);
        for &middle in &self.next[Self::index(start)] {
            let there = self.rule.distance(start, middle);
            note(middle, there);
            for &end in &self.next[Self::index(middle)] {
                note(end, there + self.rule.distance(middle, end));
            }
        }
        best
    }
}

/// The heading from one cell to another, different one.
#[inline]
pub(crate) fn heading(from: Cell, to: Cell) -> Heading {
    /// By bits: west rather than east, north rather than south; then by whether |dx| is smaller, equal or larger than |dy|.
    const BETWEEN: [[Heading; 3]; 4] = [[7, 6, 5], [9, 10, 11], [1, 2, 3], [15, 14, 13]];
    let (dx, dy) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    match (dx, dy) {
        (0, ..0) => 0,
        (0, _) => 8,
        (..0, 0) => 12,
        (_, 0) => 4,
        _ => {
            let quadrant = usize::from(dx < 0) | usize::from(dy < 0) << 1;
            BETWEEN[quadrant][(dx.abs().cmp(&dy.abs()) as i8 + 1) as usize]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_allowed_exactly_if_it_is_on_the_way_back() {
        for rule in [CostRule::Octile, CostRule::OctileCutting, CostRule::Manhattan] {
            let turns = Turns::of(rule);
            for (walls, arrival, departure) in
                (0..=u8::MAX).flat_map(|walls| (0..256).map(move |both| (walls, (both / 16) as u8, (both % 16) as u8)))
            {
                let there = turns.departures(walls, arrival) >> departure & 1;
                let back = turns.departures(walls, opposite(departure)) >> opposite(arrival) & 1;
                assert_eq!(there, back, "{rule:?}: {walls:b} {arrival} {departure}");
            }
        }
    }
}

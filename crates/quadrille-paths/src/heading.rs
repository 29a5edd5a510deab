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
pub(crate) struct Turns([[u16; 16]; 256]);

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
    #[inline]
    pub(crate) fn departures(&self, walls: u8, arrival: Heading) -> u16 {
        self.0[usize::from(walls)][usize::from(arrival)]
    }

    fn compute(rule: CostRule) -> Self {
        let mut table = [[0; 16]; 256];
        for (walls, row) in (0..=u8::MAX).zip(&mut table) {
            let detours = Detours::among(walls, rule);
            for (arrival, departures) in (0..).zip(row) {
                let is_taut = |departure: &Heading| {
                    let turns = steps(arrival, rule).into_iter().flat_map(|last| steps(*departure, rule).map(|first| (last, first)));
                    !turns.into_iter().any(|(last, first)| detours.shorten(last, first))
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

/// The two kinds of step a heading is made of, twice the same for a pure one.
fn steps(heading: Heading, rule: CostRule) -> [Direction; 2] {
    let [before, after] = match rule {
        CostRule::Manhattan => [heading / 4 * 4, heading.div_ceil(4) * 4],
        CostRule::Octile | CostRule::OctileCutting => [heading / 2 * 2, heading.div_ceil(2) * 2],
    };
    [before, after].map(|sixteenth| Direction::ALL[usize::from(sixteenth / 2 % 8)])
}

/// A cell, its eight neighbours and the legal steps among the nine.
struct Detours {
    grid: Grid,
    rule: CostRule,
}

impl Detours {
    const CENTRE: Cell = Cell::new(1, 1);

    #[expect(clippy::expect_used, reason = "three is a valid side")]
    fn among(walls: u8, rule: CostRule) -> Self {
        let is_free = |cell| Direction::between(Self::CENTRE, cell).is_none_or(|way| walls >> way as u8 & 1 == 0);
        Self { grid: Grid::from_fn(3, 3, is_free).expect("a small grid"), rule }
    }

    /// Whether one or two other steps lead from behind the centre to before it in less than `last` and `first` do.
    fn shorten(&self, last: Direction, first: Direction) -> bool {
        let (Some(start), Some(end)) = (Self::CENTRE.step(last.turned(4)), Self::CENTRE.step(first)) else { return false };
        let length = self.rule.distance(start, Self::CENTRE) + self.rule.distance(Self::CENTRE, end);
        let mut ways = Direction::ALL.into_iter().filter_map(|way| self.step(start, way));
        self.grid.is_free(start)
            && ways.any(|(middle, there)| {
                let mut rest = Direction::ALL.into_iter().filter_map(|way| self.step(middle, way));
                start == end || (middle == end && there < length) || rest.any(|(last, on)| last == end && there + on < length)
            })
    }

    fn step(&self, from: Cell, way: Direction) -> Option<(Cell, Length)> {
        let to = from.step(way).filter(|_| self.grid.can_step(from, way, self.rule))?;
        Some((to, self.rule.distance(from, to)))
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

//! Where each direction out of a cell leads: the corners at which a walk may have to turn.
//!
//! This is the *jump* of jump point search (see [`turns`](crate::walks::turns) for the source), with rows and columns
//! scanned 64 cells at a time, and without intermediate turning points: a direction leads only to corners, each by a
//! walk along a diagonal and then straight, on which a shortest path would not have to turn.

use crate::grid::{Bitmap, Cell, CostRule, Direction, WallEnd};

/// The bitmaps that walks need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walks<'a> {
    pub(crate) rule: CostRule,
    /// Walls by rows, and by columns.
    pub(crate) rows: &'a Bitmap,
    pub(crate) columns: &'a Bitmap,
}

/// What has changed of a diagonal walk since it was last scanned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Changed {
    /// Only walks straight ahead from these steps, the first to the last, may lead elsewhere now.
    pub(crate) first: u16,
    pub(crate) last: u16,
    /// How many steps were legal before.
    pub(crate) diagonal: u16,
}

impl Changed {
    /// Everything.
    pub(crate) const ALL: Self = Self { first: 0, last: u16::MAX, diagonal: 0 };

    /// The number of diagonal steps from one cell before a straight walk reaches another.
    #[inline]
    pub(crate) const fn steps(rule: CostRule, from: Cell, to: Cell) -> u16 {
        let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        match rule {
            CostRule::Octile | CostRule::OctileCutting | CostRule::OctileOneSide if dy < dx => dy as u16,
            _ => dx as u16,
        }
    }
}

impl Walks<'_> {
    /// Reports each corner to which a direction out of a free cell leads, with the direction of the last step; returns
    /// how many steps along the diagonal are legal, 0 for a straight direction.
    #[inline]
    pub(crate) fn go(&self, from: Cell, direction: Direction, found: impl FnMut(Cell, Direction)) -> u16 {
        self.go_again(from, direction, Changed::ALL, found).0
    }

    /// Like [`go`](Self::go), from the first changed step on; true if the steps after the last changed one are
    /// unchanged and were skipped.
    #[inline]
    pub(crate) fn go_again(
        &self,
        from: Cell,
        direction: Direction,
        changed: Changed,
        mut found: impl FnMut(Cell, Direction),
    ) -> (u16, bool) {
        if direction.is_diagonal() {
            return self.go_diagonally(from, direction, changed, found);
        }
        let (steps, is_corner) = self.walk(from, direction);
        if is_corner {
            found(ahead(from, direction, steps), direction);
        }
        (0, false)
    }

    /// What [`go`](Self::go) returns, without looking for corners.
    pub(crate) fn diagonal(&self, from: Cell, direction: Direction) -> u16 {
        let (dx, dy) = direction.delta();
        let step = if self.rule == CostRule::Manhattan { Direction::toward(dx, 0) } else { direction };
        let is_legal = |steps: &u16| {
            let here = ahead(from, step, usize::from(*steps));
            self.can_step(here, dx, dy) && (*steps == 0 || !self.stops_at(here, direction))
        };
        if direction.is_diagonal() { (0..u16::MAX).take_while(is_legal).count() as u16 } else { 0 }
    }

    /// The number of free cells in a direction, the first excluded.
    pub(crate) fn free_steps(&self, from: Cell, direction: Direction) -> u32 {
        steps_to_set(self.rows, self.columns, from, direction) - 1
    }

    fn go_diagonally(
        &self,
        from: Cell,
        direction: Direction,
        changed: Changed,
        mut found: impl FnMut(Cell, Direction),
    ) -> (u16, bool) {
        let (dx, dy) = direction.delta();
        let (horizontal, vertical) = (Direction::toward(dx, 0), Direction::toward(0, dy));
        let step = if self.rule == CostRule::Manhattan { horizontal } else { direction };
        let mut steps = changed.first.saturating_sub(1).min(changed.diagonal);
        let (mut here, mut is_known) = (ahead(from, step, steps.into()), false);
        let mut is_stopped = steps > 0 && self.stops_at(here, direction);
        while !is_stopped && self.can_step(here, dx, dy) {
            if steps >= changed.last && steps < changed.diagonal {
                (steps, is_known) = (changed.diagonal, true);
                break;
            }
            here = ahead(here, step, 1);
            steps += 1;
            if self.stops_at(here, direction) {
                found(here, direction);
                is_stopped = true;
                continue;
            }
            if self.rule != CostRule::Manhattan {
                let (along, is_corner) = self.walk(here, horizontal);
                if is_corner {
                    found(ahead(here, horizontal, along), horizontal);
                }
            }
            let (along, is_corner) = self.walk(here, vertical);
            if is_corner {
                found(ahead(here, vertical, along), vertical);
            }
        }
        (steps, is_known)
    }

    /// From how many cells in this direction an unobstructed walk reaches `cell`, which is not counted: back to a wall,
    /// or to a cell at which the walk may have to turn, which is counted.
    pub(crate) fn unstopped(&self, cell: Cell, direction: Direction) -> u32 {
        let (steps, is_stop) = self.walk_to(cell, direction, self.wall_end().reversed());
        steps as u32 - u32::from(!is_stop)
    }

    /// Whether the step along a diagonal is legal (Manhattan: its part along the row).
    #[inline(always)]
    pub(crate) fn can_step(&self, from: Cell, dx: i32, dy: i32) -> bool {
        let (x, y) = (from.x as usize + 1, from.y as usize + 1);
        let (next_x, next_y) = (x.wrapping_add_signed(dx as isize), y.wrapping_add_signed(dy as isize));
        match self.rule {
            CostRule::Octile => !(self.rows.get(next_x, y) | self.rows.get(x, next_y) | self.rows.get(next_x, next_y)),
            CostRule::OctileCutting => !self.rows.get(next_x, next_y),
            CostRule::OctileOneSide => {
                !(self.rows.get(next_x, next_y) || self.rows.get(next_x, y) && self.rows.get(x, next_y))
            }
            CostRule::Manhattan => !self.rows.get(next_x, y),
        }
    }

    /// Whether a diagonal walk that may cut corners has reached the end of a wall beside it.
    #[inline]
    pub(crate) fn stops_at(&self, cell: Cell, direction: Direction) -> bool {
        matches!(self.rule, CostRule::OctileCutting | CostRule::OctileOneSide) && self.is_beside_end(cell, direction)
    }

    fn is_beside_end(&self, cell: Cell, direction: Direction) -> bool {
        let is_wall = |direction: Direction| {
            let (dx, dy) = direction.delta();
            self.rows.get(
                (cell.x as usize + 1).wrapping_add_signed(dx as isize),
                (cell.y as usize + 1).wrapping_add_signed(dy as isize),
            )
        };
        [1, 7].into_iter().any(|side| is_wall(direction.turned(3 * side)) && !is_wall(direction.turned(2 * side)))
    }

    /// The number of steps in a direction to a wall, or (true) to a corner at which a walk may have to turn.
    #[inline]
    pub(crate) fn walk(&self, from: Cell, direction: Direction) -> (usize, bool) {
        self.walk_to(from, direction, self.wall_end())
    }

    #[inline]
    const fn wall_end(&self) -> WallEnd {
        match self.rule {
            CostRule::OctileCutting | CostRule::OctileOneSide => WallEnd::Beside,
            CostRule::Octile | CostRule::Manhattan => WallEnd::Behind,
        }
    }

    #[inline]
    fn walk_to(&self, from: Cell, direction: Direction, end: WallEnd) -> (usize, bool) {
        let (x, y) = (from.x as usize + 1, from.y as usize + 1);
        match direction {
            Direction::East => self.rows.walk_ahead(x, y, end),
            Direction::West => self.rows.walk_behind(x, y, end),
            Direction::South => self.columns.walk_ahead(y, x, end),
            _ => self.columns.walk_behind(y, x, end),
        }
    }
}

/// The cell this many steps ahead, which must be on the map.
#[inline]
pub(crate) fn ahead(from: Cell, direction: Direction, steps: usize) -> Cell {
    let (dx, dy) = direction.delta();
    Cell::new(from.x.wrapping_add_signed(dx * steps as i32), from.y.wrapping_add_signed(dy * steps as i32))
}

/// The number of steps straight ahead from a cell to the next set bit; the same bits by rows and by columns.
pub(crate) fn steps_to_set(rows: &Bitmap, columns: &Bitmap, from: Cell, direction: Direction) -> u32 {
    let (x, y) = (from.x as usize + 1, from.y as usize + 1);
    let steps = match direction {
        Direction::East => rows.ahead(x, y),
        Direction::West => rows.behind(x, y),
        Direction::South => columns.ahead(y, x),
        _ => columns.behind(y, x),
    };
    steps as u32
}

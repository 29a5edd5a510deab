//! Any-angle smoothing: the turns of a path, without those that a straight line makes unnecessary.

use crate::grid::{Cell, CostRule, Grid};
use crate::path::Path;

/// The path as straight lines of any direction: the cells to walk to, from its first to its last.
///
/// This is string pulling: each cell kept is followed by the last turn that a free straight line reaches. Never longer than the
/// path, but usually not the shortest any-angle path, because it turns only where the path does.
#[must_use]
pub fn smooth(path: &Path, grid: &Grid, rule: CostRule) -> Vec<Cell> {
    let mut kept: Vec<Cell> = Vec::new();
    let mut last = None;
    for turn in path.turns() {
        if let (Some(anchor), Some(before)) = (kept.last(), last) {
            if !is_line_free(grid, rule, *anchor, turn) {
                kept.push(before);
            }
        } else {
            kept.push(turn);
        }
        last = Some(turn);
    }
    kept.extend(last.filter(|last| kept.last() != Some(last)));
    kept
}

/// Whether an agent can walk in a straight line from the center of one free cell to that of another.
///
/// All cells whose interior the line crosses must be free. If it passes exactly through a point between four cells,
/// that is a diagonal step, and the rule for those decides whether both cells beside it must be free (Manhattan: both),
/// one, or none.
#[must_use]
pub fn is_line_free(grid: &Grid, rule: CostRule, from: Cell, to: Cell) -> bool {
    first_wall(grid, rule, from, to).is_none()
}

/// The first blocked cell on the straight line from the center of one cell to that of another: what a shot hits, or what
/// hides one cell from the other. `None` if the line is free, as [`is_line_free`] defines it.
///
/// If the line passes through a point between four cells and the rule forbids that step, it is a blocked one of the two
/// cells beside the step. A blocked start is returned itself, and a cell off the map counts as blocked.
///
/// ```
/// use quadrille_paths::{Cell, CostRule, Grid, first_wall};
///
/// let mut grid = Grid::open(20, 9)?;
/// grid.set(Cell::new(8, 4), false);
/// let (tower, rule) = (Cell::new(2, 4), CostRule::Octile);
/// assert_eq!(first_wall(&grid, rule, tower, Cell::new(15, 4)), Some(Cell::new(8, 4)));
/// assert_eq!(first_wall(&grid, rule, tower, Cell::new(15, 0)), None);
/// # Ok::<(), quadrille_paths::GridError>(())
/// ```
#[must_use]
pub fn first_wall(grid: &Grid, rule: CostRule, from: Cell, to: Cell) -> Option<Cell> {
    let (dx, dy) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    let (width, height) = (dx.abs(), dy.abs());
    let (mut x, mut y) = (0, 0);
    let cell = |x: i64, y: i64| {
        let (x, y) = (i64::from(from.x) + x * dx.signum(), i64::from(from.y) + y * dy.signum());
        Cell::new(u32::try_from(x).unwrap_or(u32::MAX), u32::try_from(y).unwrap_or(u32::MAX))
    };
    let wall = |x, y| Some(cell(x, y)).filter(|cell| !grid.is_free(*cell));
    let mut first = wall(0, 0);
    while first.is_none() && (x, y) != (width, height) {
        // Where does the line leave this cell? Compare the crossings with the next column and with the next row.
        match ((2 * x + 1) * height).cmp(&((2 * y + 1) * width)) {
            core::cmp::Ordering::Less => x += 1,
            core::cmp::Ordering::Greater => y += 1,
            core::cmp::Ordering::Equal => {
                let beside = (wall(x + 1, y), wall(x, y + 1));
                first = match rule {
                    CostRule::OctileCutting => None,
                    CostRule::OctileOneSide => beside.0.and(beside.1),
                    CostRule::Octile | CostRule::Manhattan => beside.0.or(beside.1),
                };
                (x, y) = (x + 1, y + 1);
            }
        }
        first = first.or_else(|| wall(x, y));
    }
    first
}

//! Shared by several tests: random maps, and the data folder.
#![allow(clippy::unwrap_used, reason = "a test may")]
#![allow(dead_code, reason = "each test uses its own part")]

use std::collections::VecDeque;
use std::io::Write;
use std::path::PathBuf;

use quadrille_paths::{Cell, CostRule, Direction, Grid, Length};

pub(crate) const RULES: [CostRule; 4] =
    [CostRule::Octile, CostRule::OctileCutting, CostRule::Manhattan, CostRule::OctileOneSide];

/// A pseudo-random number for a cell and a seed.
pub(crate) fn noise(cell: Cell, seed: u64) -> u64 {
    let mixed = (u64::from(cell.x) << 32 | u64::from(cell.y)).wrapping_add(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ mixed >> 32) >> 8
}

/// Whether a cell is free on a random map with `eighths` of eight cells blocked.
pub(crate) fn is_free(cell: Cell, seed: u64, eighths: u64) -> bool {
    noise(cell, seed) % 8 >= eighths
}

/// A random map.
pub(crate) fn random_grid(width: u32, height: u32, seed: u64, eighths: u64) -> Grid {
    Grid::from_fn(width, height, |cell| is_free(cell, seed, eighths)).unwrap()
}

/// A cell of a map, the `index`th of a random row.
pub(crate) fn random_cell(grid: &Grid, seed: u64, index: u32) -> Cell {
    let number = noise(Cell::new(index, 7), seed);
    Cell::new((number % u64::from(grid.width())) as u32, (number / 65_536 % u64::from(grid.height())) as u32)
}

/// The length of straight lines from the center of each cell to that of the next.
pub(crate) fn straight_length(cells: &[Cell]) -> f64 {
    let line = |pair: &[Cell]| f64::from(pair[0].x.abs_diff(pair[1].x)).hypot(f64::from(pair[0].y.abs_diff(pair[1].y)));
    cells.windows(2).map(line).sum()
}

/// The folder of benchmark files; `None`, with a message, where it is absent.
pub(crate) fn data() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/paths");
    if !folder.is_dir() {
        // Not through libtest, which hides what passing tests print.
        let _ = writeln!(std::io::stderr(), "skipped: no benchmark files in {}", folder.display());
        return None;
    }
    Some(folder)
}

/// A hash of words, the same everywhere (FNV-1a).
pub(crate) fn hash(words: impl IntoIterator<Item = u32>) -> u64 {
    let bytes = words.into_iter().flat_map(u32::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The least cost of every cell, row by row, from one, by relaxing steps from whatever cell has become cheaper until none
/// has (E. F. Moore, 1959). `step`: the cost of the step from a cell in a direction; `None` if it is illegal.
pub(crate) fn relaxed(
    grid: &Grid,
    from: Cell,
    step: impl Fn(Cell, Direction, Cell) -> Option<Length>,
) -> Vec<Option<Length>> {
    let index = |cell: Cell| (cell.y * grid.width() + cell.x) as usize;
    let mut costs = vec![None; (grid.width() * grid.height()) as usize];
    costs[index(from)] = grid.is_free(from).then_some(Length::ZERO);
    let mut cheaper = VecDeque::from([from]);
    while let Some(cell) = cheaper.pop_front() {
        let Some(cost) = costs[index(cell)] else { continue };
        for way in Direction::ALL {
            let Some(next) = cell.step(way) else { continue };
            let Some(step) = step(cell, way, next) else { continue };
            if costs[index(next)].is_none_or(|known| cost + step < known) {
                costs[index(next)] = Some(cost + step);
                cheaper.push_back(next);
            }
        }
    }
    costs
}

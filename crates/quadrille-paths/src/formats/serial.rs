//! serde: what a saved game needs. Maps are written as cells only, and rebuilt when they are read.
//!
//! What is read is checked: a path steps from neighbor to neighbor, lies where a map could be and is as long as it
//! says; rows are as wide as the map. The cost of links is unknown here, so only its bounds are checked.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::grid::{Cell, CellRect, CostRule, Grid, Length};
use crate::map::{AgentClass, LinkedPath, PathMap, TerrainMap, TerrainSet};
use crate::path::{Path, Waypoints};
use crate::search::TautPath;

/// A type as data of another type: how it is written, and how it is read or why it is refused.
macro_rules! serial {
    ($type:ty, $data:ty, $write:expr, $read:expr) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let write: fn(&Self) -> $data = $write;
                write(self).serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let read: fn($data) -> Result<Self, String> = $read;
                read(<$data>::deserialize(deserializer)?).map_err(D::Error::custom)
            }
        }
    };
}

serial!(Cell, [u32; 2], |cell| [cell.x, cell.y], |[x, y]| Ok(Self::new(x, y)));

serial!(CellRect, [u32; 4], |rect| [rect.x, rect.y, rect.width, rect.height], |[x, y, width, height]| Ok(Self::new(
    x, y, width, height
)));

serial!(Length, [u32; 2], |length| [length.straight, length.diagonal], |[straight, diagonal]| {
    Ok(Self { straight, diagonal })
});

/// Fails unless there are cells, and all could lie on one map.
fn check_cells(cells: &[Cell]) -> Result<(), String> {
    let most = Grid::MAX_SIDE;
    match cells.iter().find(|cell| cell.x.max(cell.y) >= most) {
        Some(cell) => Err(format!("the cell {cell} is on no map: sides go to {most}")),
        None if cells.is_empty() => Err("a path without a cell".into()),
        None => Ok(()),
    }
}

/// The length of the shortest path by way of some cells under a rule, without walls; `None` if it has more steps than a
/// map has cells.
fn length_by(cells: &[Cell], rule: CostRule) -> Option<Length> {
    cells.windows(2).try_fold(Length::ZERO, |sum, pair| {
        Some(sum + rule.distance(pair[0], pair[1])).filter(|sum| sum.steps() < Grid::MAX_CELLS)
    })
}

serial!(CostRule, String, |rule| rule.name().into(), |name| {
    let rule = CostRule::ALL.into_iter().find(|rule| rule.name() == name);
    rule.ok_or_else(|| format!("no rule is named {name:?}"))
});

serial!(TerrainSet, Vec<u8>, |set| (0..Self::KINDS).filter(|kind| set.contains(*kind)).collect(), |kinds| {
    match kinds.iter().find(|kind| **kind >= Self::KINDS) {
        Some(kind) => Err(format!("terrain {kind} in a set, but kinds go up to {}", Self::KINDS - 1)),
        None => Ok(Self::of(&kinds)),
    }
});

#[derive(Serialize, Deserialize)]
#[serde(rename = "Path")]
struct PathData {
    cells: Vec<Cell>,
    length: Length,
}

serial!(
    Path,
    PathData,
    |path| PathData { cells: path.cells().to_vec(), length: path.length() },
    |PathData { cells, length }| {
        check_cells(&cells)?;
        let path = Self::of_cells(cells).map_err(|(from, to)| format!("{from} and {to} are not neighbors"))?;
        let walked = path.length();
        let told = || format!("a path is stated to be {length} long and is {walked}");
        if walked == length { Ok(path) } else { Err(told()) }
    }
);

serial!(
    Waypoints,
    PathData,
    |path| PathData { cells: path.cells().to_vec(), length: path.length() },
    |PathData { cells, length }| {
        check_cells(&cells)?;
        let by_rule = [CostRule::Octile, CostRule::Manhattan].map(|rule| length_by(&cells, rule));
        let told = || {
            format!(
                "waypoints are stated to be {length} long and are {}",
                by_rule[0].map_or(f64::INFINITY, Length::as_f64)
            )
        };
        if by_rule.contains(&Some(length)) { Ok(Self::new(cells, length)) } else { Err(told()) }
    }
);

#[derive(Serialize, Deserialize)]
#[serde(rename = "LinkedPath")]
struct LinkedData {
    legs: Vec<Path>,
    taken: Vec<usize>,
    length: Length,
}

serial!(
    LinkedPath,
    LinkedData,
    |path| LinkedData { legs: path.legs().to_vec(), taken: path.taken().to_vec(), length: path.length() },
    |LinkedData { legs, taken, length }| {
        if legs.len() != taken.len() + 1 {
            return Err(format!("{} legs with {} links between them", legs.len(), taken.len()));
        }
        let mut sorted = taken.clone();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("link {} is taken twice", pair[0]));
        }
        // What the links cost is known only to the caller; each fits 16 bits.
        let sum = |count: fn(Length) -> u32| legs.iter().map(|leg| u64::from(count(leg.length()))).sum::<u64>();
        let (straight, diagonal) = (sum(|length| length.straight), sum(|length| length.diagonal));
        let links = taken.len() as u64 * u64::from(u16::MAX);
        let is_right = u64::from(length.diagonal) == diagonal
            && (straight..=straight + links).contains(&u64::from(length.straight));
        let told = || {
            let (count, walked) = (taken.len(), straight as f64 + diagonal as f64 * core::f64::consts::SQRT_2);
            format!("a path is stated to be {length} long and is {walked} without its {count} links")
        };
        if is_right { Ok(Self::new(legs, taken, length)) } else { Err(told()) }
    }
);

#[derive(Serialize, Deserialize)]
#[serde(rename = "TautPath")]
struct TautData {
    points: Vec<[f64; 2]>,
    length: f64,
}

serial!(
    TautPath,
    TautData,
    |path| TautData { points: path.points().to_vec(), length: path.length() },
    |TautData { points, length }| {
        let on_map = 0.0..=f64::from(Grid::MAX_SIDE);
        if let Some([x, y]) = points.iter().find(|point| !point.iter().all(|at| on_map.contains(at))) {
            return Err(format!("the point ({x}, {y}) is on no map: sides go to {}", Grid::MAX_SIDE));
        }
        if points.is_empty() {
            return Err("a path without a point".into());
        }
        let line = |pair: &[[f64; 2]]| (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]);
        let walked: f64 = points.windows(2).map(line).sum();
        // Sums in a different order differ in their last digits.
        let is_right = (walked - length).abs() <= 1e-9 * walked.max(1.0);
        let told = || format!("a path is stated to be {length} long and is {walked}");
        if is_right { Ok(Self::new(points, length)) } else { Err(told()) }
    }
);

/// Rows of `.` for free cells and `#` for blocked ones.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Grid")]
struct GridData {
    width: u32,
    rows: Vec<String>,
}

serial!(
    Grid,
    GridData,
    |grid| {
        let row = |y| (0..grid.width()).map(|x| if grid.is_free(Cell::new(x, y)) { '.' } else { '#' }).collect();
        GridData { width: grid.width(), rows: (0..grid.height()).map(row).collect() }
    },
    |GridData { width, rows }| {
        let height = u32::try_from(rows.len()).map_err(|_| format!("{} rows", rows.len()))?;
        for (y, row) in rows.iter().enumerate() {
            if row.len() != width as usize {
                return Err(format!("row {y} has {} cells, not {width}", row.len()));
            }
            if let Some(other) = row.chars().find(|cell| !matches!(cell, '.' | '#')) {
                return Err(format!("row {y}: {other:?} is neither '.' nor '#'"));
            }
        }
        let is_free = |cell: Cell| rows[cell.y as usize].as_bytes()[cell.x as usize] == b'.';
        Self::from_fn(width, height, is_free).map_err(|error| error.to_string())
    }
);

#[derive(Serialize, Deserialize)]
#[serde(rename = "PathMap")]
struct MapData {
    rule: CostRule,
    grid: Grid,
}

serial!(PathMap, MapData, |map| MapData { rule: map.rule(), grid: map.grid().clone() }, |MapData { rule, grid }| Ok(
    Self::new(grid, rule)
));

#[derive(Serialize, Deserialize)]
#[serde(rename = "TerrainMap")]
struct TerrainData {
    width: u32,
    height: u32,
    rule: CostRule,
    classes: Vec<AgentClass>,
    /// By cell, row by row.
    terrain: Vec<u8>,
}

serial!(
    TerrainMap,
    TerrainData,
    |map| {
        let bounds = map.bounds();
        let terrain = bounds.cells().filter_map(|cell| map.terrain(cell)).collect();
        let (width, height, classes) = (bounds.width, bounds.height, map.classes().collect());
        TerrainData { width, height, rule: map.rule(), classes, terrain }
    },
    |TerrainData { width, height, rule, classes, terrain }| {
        if u64::from(width) * u64::from(height) != terrain.len() as u64 {
            return Err(format!("{} cells of terrain on a map of {width} x {height}", terrain.len()));
        }
        let bounds = CellRect::new(0, 0, width, height);
        let kind = |cell: Cell| terrain[bounds.index(cell)];
        Self::new((width, height), kind, rule, &classes).map_err(|error| error.to_string())
    }
);

//! Cells of maps: two numbers each, checked against the map's size.

use quadrille::internals::is_free;
use std::fmt;

use quadrille_paths::{Cell, CellRect, CostRule, Grid, LinkedPath, Path, PathFault, PathMap, Scratch};

use crate::error::Error;

/// A number from another language.
pub trait Number: Copy + fmt::Display {
    /// The number as a column or row; `None` if no map can have it.
    fn to_u32(self) -> Option<u32>;
}

impl Number for i64 {
    fn to_u32(self) -> Option<u32> {
        u32::try_from(self).ok()
    }
}

impl Number for u32 {
    fn to_u32(self) -> Option<u32> {
        Some(self)
    }
}

impl Number for f64 {
    fn to_u32(self) -> Option<u32> {
        let is_place = self.fract() == 0.0 && (0.0..=Self::from(u32::MAX)).contains(&self);
        is_place.then_some(self as u32)
    }
}

/// The sides of a map, in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapSize {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl MapSize {
    /// For cells of an unknown map.
    pub const ANY: Self = Self { width: u32::MAX, height: u32::MAX };

    /// The sides of a map of this many cells, row by row.
    ///
    /// # Errors
    /// Returns an error if cells do not make up whole rows, or are more than a map can have.
    pub fn of_rows(cells: usize, width: impl Number) -> Result<Self, Error> {
        let columns = width.to_u32().unwrap_or(0) as usize;
        if columns == 0 || cells % columns != 0 || columns > Grid::MAX_SIDE as usize {
            let most = Grid::MAX_SIDE;
            let told = format!("{cells} cells do not make up rows of {width}; a row has 1 to {most} cells");
            return Err(Error::value(told));
        }
        Ok(Self { width: columns as u32, height: (cells / columns).try_into().unwrap_or(u32::MAX) })
    }

    /// The whole map.
    pub const fn bounds(self) -> CellRect {
        CellRect::new(0, 0, self.width, self.height)
    }

    /// How many cells the map has.
    pub const fn count(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// One cell.
    ///
    /// # Errors
    /// Returns an error if it is not on the map; `name` is what the caller calls it.
    pub fn cell<N: Number>(self, [x, y]: [N; 2], name: &str) -> Result<Cell, Error> {
        self.find([x, y]).ok_or_else(|| self.off_map([x, y], &format!("`{name}`")))
    }

    /// Cells, two numbers each.
    ///
    /// # Errors
    /// Returns an error that names the first that is not on the map, or a number too many; `name` is what the caller
    /// calls them.
    pub fn cells<N: Number>(self, numbers: &[N], name: &str) -> Result<Vec<Cell>, Error> {
        if numbers.len() % 2 != 0 {
            return Err(Error::value(format!("`{name}` has {} numbers; a cell is x, y", numbers.len())));
        }
        let cell = |(row, xy): (usize, &[N])| {
            let xy = [xy[0], xy[1]];
            self.find(xy).ok_or_else(|| self.off_map(xy, &format!("`{name}`, row {row}")))
        };
        numbers.chunks_exact(2).enumerate().map(cell).collect()
    }

    /// One cell, given as a list of one.
    ///
    /// # Errors
    /// Returns an error as [`cells`](Self::cells) does, and if there is not exactly one.
    pub fn only<N: Number>(self, numbers: &[N], name: &str) -> Result<Cell, Error> {
        match self.cells(numbers, name)?[..] {
            [cell] => Ok(cell),
            _ => Err(Error::value(format!("`{name}` is one cell: x, y"))),
        }
    }

    /// The rectangle of `width` x `height` cells from a cell on.
    ///
    /// # Errors
    /// Returns an error if a part of it is not on the map.
    pub fn rect<N: Number>(self, [x, y]: [N; 2], [width, height]: [u32; 2]) -> Result<CellRect, Error> {
        let fits =
            |first: N, count: u32, side: u32| first.to_u32().filter(|first| side.checked_sub(count) >= Some(*first));
        match (fits(x, width, self.width), fits(y, height, self.height)) {
            (Some(x), Some(y)) => Ok(CellRect::new(x, y, width, height)),
            _ => Err(Error::unknown(format!("{width} x {height} cells from ({x}, {y}) on are not all on {self}"))),
        }
    }

    fn find<N: Number>(self, [x, y]: [N; 2]) -> Option<Cell> {
        let cell = Cell::new(x.to_u32()?, y.to_u32()?);
        self.bounds().contains(cell).then_some(cell)
    }

    #[cold]
    fn off_map<N: Number>(self, [x, y]: [N; 2], what: &str) -> Error {
        Error::unknown(format!("{what}: cell ({x}, {y}) is not on {self}"))
    }
}

impl fmt::Display for MapSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the map of {} x {} cells", self.width, self.height)
    }
}

/// The rule with a name.
///
/// # Errors
/// Returns an error if there is no rule of this name.
pub(crate) fn rule_named(name: &str) -> Result<CostRule, Error> {
    CostRule::ALL.into_iter().find(|rule| rule.name() == name).ok_or_else(|| {
        let names = CostRule::ALL.map(CostRule::name).join(" ");
        Error::value(format!("no rule is named {name}; there are: {names}"))
    })
}

/// A number of steps: the cost of a link, or what a goal begins with.
///
/// # Errors
/// Returns an error if the value is not a whole number, or is too large.
pub(crate) fn steps(number: impl Number) -> Result<u16, Error> {
    let told = || Error::value(format!("steps are a whole number from 0 to {}, not {number}", u16::MAX));
    number.to_u32().and_then(|steps| u16::try_from(steps).ok()).ok_or_else(told)
}

/// Goals, each with the steps with which it begins.
///
/// # Errors
/// Returns an error if the count differs from that of the goals, or names the first value that is not a number of
/// steps.
pub fn goals_begun<N: Number>(goals: &[Cell], starts: &[N]) -> Result<Vec<(Cell, u16)>, Error> {
    if goals.len() != starts.len() {
        return Err(Error::value(format!("there are {} goals and {} starts", goals.len(), starts.len())));
    }
    let begun = goals.iter().zip(starts).enumerate().map(|(row, (goal, start))| {
        let start = steps(*start).map_err(|error| Error::value(format!("start {row}: {error}")))?;
        Ok((*goal, start))
    });
    begun.collect()
}

/// The path along cells that another language stored. The map's queries check whether they are on it.
///
/// # Errors
/// Returns an error if cells are not neighbors, or [`MapSize::cells`] rejects them.
pub fn path_along<N: Number>(numbers: &[N]) -> Result<Path, Error> {
    let cells = MapSize::ANY.cells(numbers, "path")?;
    let told = |(from, to)| Error::value(format!("`path`: the cells {from} and {to} are not neighbors"));
    Path::of_cells(cells).map_err(told)
}

/// The same, if it is a path on a map.
///
/// # Errors
/// As [`path_along`], and if a cell is blocked or off the map, or a step illegal.
pub fn path_on<N: Number>(map: &PathMap, numbers: &[N]) -> Result<Path, Error> {
    let path = path_along(numbers)?;
    // Not the fault's own text: it has lengths, and to format those takes several kilobytes.
    let wrong = match path.validate(map.grid(), map.rule()) {
        Ok(()) => return Ok(path),
        Err(PathFault::Blocked(cell) | PathFault::IllegalStep { to: cell, .. }) => Some(cell),
        Err(_) => None,
    };
    Err(Error::value(format!("the path is invalid on the map, at {}", wrong.unwrap_or_default())))
}

/// The cells of many paths, one path after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellPaths {
    /// Where each path starts among the cells, and where the last one ends. A missing path has no cells.
    pub starts: Vec<usize>,
    /// The cells.
    pub cells: Vec<Cell>,
    /// What each path costs; infinite if it is missing.
    pub lengths: Vec<f64>,
}

impl CellPaths {
    /// No paths yet.
    pub fn new() -> Self {
        Self { starts: vec![0], ..Self::default() }
    }

    /// The legs of a path that may take links.
    ///
    /// # Errors
    /// Returns an error if there is no memory for them.
    pub fn legs(path: &LinkedPath) -> Result<Self, Error> {
        let mut legs = Self::new();
        path.legs().iter().try_for_each(|leg| legs.push(Some((leg, leg.length().as_f64()))))?;
        Ok(legs)
    }

    /// Adds a path with its cost, or a missing one.
    ///
    /// # Errors
    /// Returns an error if there is no memory for it.
    pub fn push(&mut self, path: Option<(&Path, f64)>) -> Result<(), Error> {
        let (cells, length) = path.map_or((&[][..], f64::INFINITY), |(path, length)| (path.cells(), length));
        self.cells.try_reserve(cells.len()).map_err(|_| no_room_for_paths(self.starts.len()))?;
        self.cells.extend_from_slice(cells);
        self.starts.push(self.cells.len());
        self.lengths.push(length);
        Ok(())
    }
}

/// How far paths lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reaching {
    /// To the goal.
    Goal,
    /// As near to the goal as possible.
    AsNear,
    /// To the goal, unless they are longer than this.
    Within(f64),
}

/// Each start with the goal in the same row.
///
/// # Errors
/// Returns an error if there are not as many goals as starts.
pub(crate) fn ends_of((starts, goals): (&[Cell], &[Cell])) -> Result<Vec<(Cell, Cell)>, Error> {
    if starts.len() != goals.len() {
        return Err(Error::value(format!("there are {} starts and {} goals", starts.len(), goals.len())));
    }
    Ok(starts.iter().copied().zip(goals.iter().copied()).collect())
}

/// How many paths are found at a time, before memory is requested again. With more, more of it must be free at once;
/// with fewer, fewer paths share a search.
const PART: usize = 256;

/// A shortest path from each start to the goal in the same row.
///
/// # Errors
/// Returns an error if there are not as many goals as starts, or no memory.
pub fn paths_between(
    map: &PathMap,
    ends: (&[Cell], &[Cell]),
    reaching: Reaching,
    scratch: &mut Scratch,
) -> Result<CellPaths, Error> {
    let ends = ends_of(ends)?;
    let mut paths = CellPaths::new();
    for part in ends.chunks(PART) {
        check_room_for_paths(map, part.len())?;
        let found = match reaching {
            Reaching::Goal => map.paths(part, scratch),
            Reaching::AsNear => map.partial_paths(part, scratch),
            Reaching::Within(most) => {
                part.iter().map(|(start, goal)| map.path_within(*start, *goal, most, scratch)).collect()
            }
        };
        found.iter().try_for_each(|path| paths.push(path.as_ref().map(|path| (path, path.length().as_f64()))))?;
    }
    Ok(paths)
}

/// Bytes of a cell while a path is searched for or a map is changed, with room to spare.
const BYTES_OF_A_CELL: usize = 64;

/// Checks that there is memory for work on all cells of a map: without it, that work would end the process.
///
/// # Errors
/// Returns an error if there is not.
pub fn check_room_for_cells(size: MapSize) -> Result<(), Error> {
    let cells = u64::from(size.width) * u64::from(size.height);
    if cells > Grid::MAX_CELLS {
        // Too many for any map: this is an error, and requests no memory.
        Grid::blocked(size.width, size.height)?;
    }
    let bytes = usize::try_from(cells).unwrap_or(usize::MAX).saturating_mul(BYTES_OF_A_CELL);
    let told =
        || Error::no_memory(format!("there is no memory for work on a map of {} x {} cells", size.width, size.height));
    if is_free(bytes) { Ok(()) } else { Err(told()) }
}

/// Checks that there is memory for many paths, each as long as its map is wide and high.
fn check_room_for_paths(map: &PathMap, paths: usize) -> Result<(), Error> {
    let (width, height) = (map.grid().width() as usize, map.grid().height() as usize);
    let bytes = (width + height + 8).saturating_mul(4 * size_of::<Cell>()).saturating_mul(paths);
    if is_free(bytes) { Ok(()) } else { Err(no_room_for_paths(paths)) }
}

fn no_room_for_paths(paths: usize) -> Error {
    Error::no_memory(format!("there is no memory for {paths} paths"))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) const SIZE: MapSize = MapSize { width: 9, height: 5 };

    pub(crate) fn told<T>(result: Result<T, Error>) -> String {
        result.err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn cells_are_on_the_map() {
        assert_eq!(SIZE.cells(&[0.0, 0.0, 8.0, 4.0], "goals"), Ok(vec![Cell::new(0, 0), Cell::new(8, 4)]));
        for [x, y] in [[9.0, 0.0], [0.0, 5.0], [-1.0, 0.0], [1.5, 0.0], [f64::NAN, 0.0], [1e300, 0.0]] {
            let off = format!("cell ({x}, {y}) is not on the map of 9 x 5 cells");
            assert_eq!(told(SIZE.cell([x, y], "start")), format!("`start`: {off}"));
            assert_eq!(told(SIZE.cells(&[0.0, 0.0, x, y], "goals")), format!("`goals`, row 1: {off}"));
        }
        assert!(told(SIZE.cell([i64::MIN, 0], "start")).contains("cell (-9223372036854775808, 0) is not on"));
        assert_eq!(told(SIZE.cells(&[1_i64, 2, 3], "goals")), "`goals` has 3 numbers; a cell is x, y");
    }

    #[test]
    fn rectangles_are_all_on_the_map() {
        assert_eq!(SIZE.rect([7_i64, 3], [2, 2]), Ok(CellRect::new(7, 3, 2, 2)));
        for ([x, y], size) in [([8_i64, 3], [2, 2]), ([7, 4], [2, 2]), ([0, 0], [10, 1]), ([-1, 0], [1, 1])] {
            assert!(told(SIZE.rect([x, y], size)).contains("are not all on the map of 9 x 5 cells"));
        }
    }

    #[test]
    fn rows_are_whole() {
        assert_eq!(MapSize::of_rows(45, 9.0), Ok(SIZE));
        assert_eq!(MapSize::of_rows(0, 9.0), Ok(MapSize { width: 9, height: 0 }));
        for width in [0.0, 2.0, 4.5, -9.0, f64::NAN, 1e9] {
            assert!(told(MapSize::of_rows(45, width)).contains(&format!("rows of {width};")));
        }
    }

    #[test]
    fn goals_begin_with_whole_numbers_of_steps() {
        let goals = [Cell::new(3, 1), Cell::new(4, 4)];
        assert_eq!(goals_begun(&goals, &[0.0, 65_535.0]), Ok(vec![(goals[0], 0), (goals[1], 65_535)]));
        assert_eq!(told(goals_begun(&goals, &[1_i64])), "there are 2 goals and 1 starts");
        for start in [-1.0, 0.5, 65_536.0, f64::NAN] {
            let told = told(goals_begun(&goals, &[0.0, start]));
            assert_eq!(told, format!("start 1: steps are a whole number from 0 to 65535, not {start}"));
        }
    }

    #[test]
    fn paths_are_along_neighbors() {
        assert_eq!(path_along(&[0_i64, 0, 1, 1, 2, 1]).map(|path| path.cells().len()), Ok(3));
        assert_eq!(told(path_along(&[0_i64, 0, 2, 1])), "`path`: the cells (0, 0) and (2, 1) are not neighbors");
        assert_eq!(told(path_along(&[0_i64, 0, 2])), "`path` has 3 numbers; a cell is x, y");
        assert_eq!(path_along::<i64>(&[]).map(|path| path.cells().len()), Ok(0));
    }

    #[test]
    fn rules_have_names() {
        assert!(CostRule::ALL.into_iter().all(|rule| rule_named(rule.name()) == Ok(rule)));
        assert!(told(rule_named("king")).starts_with("no rule is named king; there are: octile "));
    }
}

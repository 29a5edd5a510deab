//! Paths within limits of length and of work.

use core::fmt;

use crate::grid::Cell;
use crate::map::PathMap;
use crate::path::Path;
use crate::search::Scratch;

/// How far the search for one path may go; unlimited by default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathLimits {
    /// The greatest length of the path; NaN or a negative number counts as 0.
    pub length: f64,
    /// How many corners the search may examine, besides those seen from its start: about ten thousand per millisecond.
    pub corners: u64,
}

impl Default for PathLimits {
    fn default() -> Self {
        Self { length: f64::INFINITY, corners: u64::MAX }
    }
}

/// A search has examined as many corners as allowed. Whether there is a path within the length limit is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfWork {
    /// How many corners it has examined.
    pub corners: u64,
}

impl fmt::Display for OutOfWork {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the search has looked at {} corners, its limit", self.corners)
    }
}

impl core::error::Error for OutOfWork {}

impl PathMap {
    /// A shortest path if it is no longer than `most`; `None` if it is longer, or for the reasons of [`path`](Self::path).
    /// The search stops there: for a unit that would rather stay than make a long detour. NaN or a negative
    /// number counts as 0.
    ///
    /// ```
    /// use quadrille_paths::{Cell, CellRect, CostRule, Grid, PathMap, Scratch};
    ///
    /// let mut map = PathMap::new(Grid::open(40, 30)?, CostRule::Octile);
    /// map.fill(CellRect::new(20, 0, 1, 29), false);
    /// let (from, to, mut scratch) = (Cell::new(19, 2), Cell::new(21, 2), Scratch::new());
    /// assert!(map.path(from, to, &mut scratch).is_some());
    /// assert_eq!(map.path_within(from, to, 20.0, &mut scratch), None);
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    #[must_use]
    pub fn path_within(&self, from: Cell, to: Cell, most: f64, scratch: &mut Scratch) -> Option<Path> {
        let limits = PathLimits { length: most, ..PathLimits::default() };
        self.limited_path(from, to, limits, scratch).ok().flatten()
    }

    /// A shortest path if it is within the limits; no path as for [`path_within`](Self::path_within).
    ///
    /// For units that do something else if a path is not found soon. A limit of work, unlike one of time, gives the same
    /// result on every machine. To continue later instead, see [`PathQueue`](crate::PathQueue).
    ///
    /// ```
    /// use quadrille_paths::{Cell, CostRule, Grid, PathLimits, PathMap, Scratch};
    ///
    /// let grid = Grid::from_fn(90, 90, |cell| cell.x % 7 != 0 || cell.y % 5 != 0)?;
    /// let map = PathMap::new(grid, CostRule::Octile);
    /// let (from, to, mut scratch) = (Cell::new(1, 1), Cell::new(88, 71), Scratch::new());
    /// let little = PathLimits { corners: 2, ..PathLimits::default() };
    /// assert_eq!(map.limited_path(from, to, little, &mut scratch).unwrap_err().corners, 2);
    /// assert!(map.limited_path(from, to, PathLimits::default(), &mut scratch)?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the search would have to examine more corners.
    pub fn limited_path(
        &self,
        from: Cell,
        to: Cell,
        limits: PathLimits,
        scratch: &mut Scratch,
    ) -> Result<Option<Path>, OutOfWork> {
        let Some(mut search) = self.search(from, to, scratch) else { return Ok(None) };
        // NaN becomes 0 as well.
        let most = limits.length.max(0.0);
        search.limit(most.ceil() as u32);
        if !search.go_on(limits.corners) {
            return Err(OutOfWork { corners: search.expanded() });
        }
        let found = search.found().filter(|found| found.length().as_f64() <= most);
        Ok(found.map(|found| found.lay(self.rule())))
    }
}

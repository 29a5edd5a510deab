//! Flow fields that are made in slices.

use super::{FlowField, at_zero};
use crate::grid::{Bitmap, Cell, CellRect, GridError};
use crate::map::{AgentClass, Link, LinkError, PathMap, TerrainMap, Weights};

/// A [`FlowField`] that is made in slices: for a budget per frame.
///
/// [`go_on`](Self::go_on) returns it when it is done, exact for the map as it is then: it is made for the map as it was
/// when it began, and [repaired](FlowField::repair) at the end. If that takes too long for a call, it begins again, with
/// twice its share each time.
///
/// ```
/// use quadrille_paths::{Cell, CostRule, FlowField, Grid, PathMap};
///
/// let mut map = PathMap::new(Grid::open(300, 200)?, CostRule::Octile);
/// let goal = Cell::new(290, 100);
/// let mut growing = FlowField::begin(&map, &[(goal, 0)], map.grid().bounds());
/// assert!(growing.go_on(&map, 5_000).is_none());
/// map.set(Cell::new(280, 100), false);
/// let field = loop {
///     if let Some(field) = growing.go_on(&map, 5_000) {
///         break field; // after several frames
///     }
/// };
/// assert_eq!(field.version(), map.version());
/// assert!(field.iter().eq(FlowField::new(&map, goal, map.grid().bounds()).iter()));
/// # Ok::<(), quadrille_paths::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GrowingField {
    /// None once it is done.
    field: Option<FlowField>,
    /// The columns of the map as it was, if there is one.
    columns: Option<Bitmap>,
    /// How often edits have made it begin again.
    restarts: u32,
}

impl FlowField {
    /// [`with_starts`](Self::with_starts), made in slices.
    #[must_use]
    pub fn begin(map: &PathMap, starts: &[(Cell, u16)], asked: CellRect) -> GrowingField {
        let field = Self::blank_of(map, starts.iter().copied(), asked, &[]);
        GrowingField::new(field, Some(map))
    }

    /// [`linked`](Self::linked), made in slices.
    ///
    /// # Errors
    /// Returns the same errors as [`linked`](Self::linked).
    pub fn begin_linked(
        map: &PathMap,
        goals: &[Cell],
        asked: CellRect,
        links: &[Link],
    ) -> Result<GrowingField, LinkError> {
        LinkError::check(links, map.grid())?;
        Ok(GrowingField::new(Self::blank_of(map, at_zero(goals), asked, links), Some(map)))
    }

    /// [`weighted_with_starts`](Self::weighted_with_starts), made in slices. Beginning looks up the weight of each cell.
    ///
    /// # Errors
    /// Returns the same errors as [`weighted_with_starts`](Self::weighted_with_starts).
    pub fn begin_weighted(
        map: &TerrainMap,
        agent: AgentClass,
        weights: &Weights,
        starts: &[(Cell, u16)],
        asked: CellRect,
    ) -> Result<GrowingField, GridError> {
        let field = Self::blank_weighted(map, (agent, weights), starts, asked)?;
        Ok(GrowingField::new(field, map.paths(agent)))
    }
}

impl GrowingField {
    fn new(mut field: FlowField, map: Option<&PathMap>) -> Self {
        field.begin_anew(map);
        let columns = map.map(|map| map.walks().columns.clone());
        Self { field: Some(field), columns, restarts: 0 }
    }

    /// Visits about `cells` more cells, and returns the field once it is done; later calls return `None`. With 0 it makes
    /// no progress.
    ///
    /// A field without weights for much of the map is filled a run at a time, some hundred thousand cells in a
    /// millisecond, and a call may exceed `cells` by some runs; others visit cell by cell, some ten thousand in a
    /// millisecond. For a weighted field use [`go_on_weighted`](Self::go_on_weighted).
    pub fn go_on(&mut self, map: &PathMap, cells: usize) -> Option<FlowField> {
        let (share, mut field) = self.take(cells)?;
        field.repair_within(map, share);
        self.done(field, Some(map))
    }

    /// The same for a weighted field.
    pub fn go_on_weighted(&mut self, map: &TerrainMap, cells: usize) -> Option<FlowField> {
        let (share, mut field) = self.take(cells)?;
        field.repair_weighted_within(map, share);
        let paths = field.weighting.as_ref().and_then(|weighting| map.paths(weighting.agent));
        self.done(field, paths)
    }

    /// The field, once it is done for the map as it was, and how many cells a call may visit.
    fn take(&mut self, cells: usize) -> Option<(usize, FlowField)> {
        let share = cells.saturating_mul(1 << self.restarts.min(31));
        let is_done = self.field.as_mut()?.go_on(self.columns.as_ref(), share);
        Some((share, self.field.take_if(|_| is_done)?))
    }

    /// The repaired field, unless it has been begun anew on this map.
    fn done(&mut self, field: FlowField, map: Option<&PathMap>) -> Option<FlowField> {
        if field.is_made() {
            return Some(field);
        }
        self.restarts += 1;
        (self.field, self.columns) = (Some(field), map.map(|map| map.walks().columns.clone()));
        None
    }
}

//! Calls for paths from everywhere to goals, and for flows and reaches that are computed in slices.

use quadrille_bindings::{Flow, MapSize, check_amount};
use quadrille_paths::FlowField;

use super::super::memory::{Column, column, list, numbers, out, wanted};
use super::super::types::{Agents, Cell, Cells, Growing, Map};
use super::super::{call, free, keep, with};
use super::{ask, write_reach};
use crate::growing::Growing as GrowingOf;
use crate::status::{Fault, Status};

/// The paths to the nearest of some goals from everywhere: for each cell of the map, row by row, the length, infinite
/// where there is no path, and the next step in x and y, zeros at goals and where there is no path. `cells` is the
/// number of cells for which the caller has memory, which must be that of the map. `lengths` and `steps` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_flow(
    map: Map,
    agents: *const Agents,
    goals: *const Cell,
    count: usize,
    cells: usize,
    lengths: *mut f64,
    steps: *mut i8,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        unsafe { flow(map, agents, goals, None, count, cells, lengths, steps) }
    })
}

/// The same toward goals of unequal worth: a path to a goal counts as that many steps over ground of weight 1 longer. The
/// worse a goal, the larger its number in `starts`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_flow_with_starts(
    map: Map,
    agents: *const Agents,
    goals: *const Cell,
    starts: *const u16,
    count: usize,
    cells: usize,
    lengths: *mut f64,
    steps: *mut i8,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        unsafe { flow(map, agents, goals, Some(list(starts, count, "starts")?), count, cells, lengths, steps) }
    })
}

/// Begins the same flow, or that toward goals without starts if `starts` is null. `quadrille_growing_flow` goes on with
/// it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_begin_flow(
    map: Map,
    agents: *const Agents,
    goals: *const Cell,
    starts: *const u16,
    count: usize,
    growing: *mut Growing,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (goals, growing) = (numbers(goals, count, "goals")?, out(growing, "growing")?);
        let starts = if starts.is_null() { None } else { Some(list(starts, count, "starts")?) };
        ask(map, agents, |map, agent| {
            let (goals, all) = (map.goals(goals, starts)?, map.ground.size().bounds());
            keep(GrowingOf::Field(map.ground.begin_field(agent, &goals, all)?, agent.is_some()), growing)
        })
    })
}

/// Begins to find what `quadrille_map_reach` finds. `quadrille_growing_reach` goes on with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_begin_reach(
    map: Map,
    agents: *const Agents,
    from: Cell,
    budget: f64,
    growing: *mut Growing,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let growing = out(growing, "growing")?;
        ask(map, agents, |map, agent| {
            check_amount("budget", budget, budget)?;
            let (from, all) = (map.cell(from.xy(), "from")?, map.ground.size().bounds());
            keep(GrowingOf::Reach(map.ground.begin_reach(agent, from, budget, all)?, agent.is_some()), growing)
        })
    })
}

/// Frees a flow or a reach that is computed in slices, done or not.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_growing_free(growing: Growing) -> Status {
    free(growing)
}

/// Visits about `budget` more cells, some ten thousand per millisecond with weights, and a hundred thousand without. Once
/// the flow is done, `is_done` receives 1, and the memory what `quadrille_map_flow` would write for the map as it is
/// then; before and after, `is_done` receives 0. Edits meanwhile are repaired at the end, or it begins again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_growing_flow(
    growing: Growing,
    map: Map,
    budget: usize,
    cells: usize,
    lengths: *mut f64,
    steps: *mut i8,
    is_done: *mut u8,
) -> Status {
    // SAFETY: as many as the map has cells; passed on.
    call(|| unsafe {
        let (lengths, steps) = (column(lengths, "lengths")?, column::<[i8; 2]>(steps.cast(), "steps")?);
        let is_done = out(is_done, "is_done")?;
        with(map, |map| {
            check_cells(cells, map.ground.size())?;
            let field = with(growing, |growing| growing.field(&map.ground, budget))?;
            *is_done = u8::from(field.is_some());
            field.map_or(Ok(()), |field| write_flow(&field, map.ground.size(), lengths, steps))
        })
    })
}

/// Visits about `budget` more cells. Once all is found, `is_done` receives 1, and `cells` and `costs` what
/// `quadrille_map_reach` would write for the map as it is then; before and after, `is_done` receives 0. If an edit
/// meanwhile has changed a cell that may be within the budget, it begins again, with twice its share.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_growing_reach(
    growing: Growing,
    map: Map,
    budget: usize,
    cells: *mut Cells,
    costs: *mut f64,
    is_done: *mut u8,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (cells, is_done) = (wanted(cells, "cells")?, out(is_done, "is_done")?);
        let costs = cells.beside("cells", costs, "costs")?;
        with(map, |map| {
            let reach = with(growing, |growing| growing.reach(&map.ground, budget))?;
            *is_done = u8::from(reach.is_some());
            let Some(reach) = reach else { return Ok(()) };
            map.found = (&reach).into();
            write_reach(&map.found, cells, costs)
        })
    })
}

/// What both calls do.
///
/// # Safety
/// As that of the calls.
#[expect(clippy::too_many_arguments, reason = "those of the calls")]
unsafe fn flow(
    map: Map,
    agents: *const Agents,
    goals: *const Cell,
    starts: Option<&[u16]>,
    count: usize,
    cells: usize,
    lengths: *mut f64,
    steps: *mut i8,
) -> Result<(), Fault> {
    // SAFETY: as many as the map has cells; passed on.
    unsafe {
        let goals = numbers(goals, count, "goals")?;
        let (lengths, steps) = (column(lengths, "lengths")?, column::<[i8; 2]>(steps.cast(), "steps")?);
        ask(map, agents, |map, agent| {
            let size = map.ground.size();
            check_cells(cells, size)?;
            let field = map.ground.field(agent, &map.goals(goals, starts)?, size.bounds())?;
            write_flow(&field, size, lengths, steps)
        })
    }
}

fn write_flow(field: &FlowField, size: MapSize, lengths: Column<f64>, steps: Column<[i8; 2]>) -> Result<(), Fault> {
    let flow = Flow::of(field, size)?;
    lengths.write(&flow.lengths);
    steps.write(&flow.steps);
    Ok(())
}

/// The caller has memory for as many cells as the map has.
fn check_cells(cells: usize, size: MapSize) -> Result<(), Fault> {
    if cells != size.count() {
        return Err(Fault::value(format!("there is memory for {cells} cells, but {size} has {}", size.count())));
    }
    Ok(())
}

//! Calls for maps of cells or of terrain: how they are made, changed and read, and the paths on them.
//!
//! | file | what it is for |
//! |---|---|
//! | this one | maps, paths, and what is around a cell |
//! | `flows.rs` | paths from everywhere, and what is computed in slices |
//! | `watches.rs` | paths that edits may break |

mod flows;
mod watches;

pub use self::flows::*;
pub use self::watches::*;

use std::ffi::c_char;

use quadrille_bindings::{self as core, Agent, CellPaths, Ground, MapSize};
use quadrille_paths::{AgentClass, LinkedPath, TautPath};

use super::memory::{Column, Target, Wanted, column, full_column, list, numbers, out, text, wanted};
use super::types::{Agents, Cell, Cells, KeptPaths, Link, Map};
use super::{answer, call, free, keep, with};
use crate::maps::{Found, Map as MapOf};
use crate::status::{Fault, Status};

/// Rows of bytes, one for each cell.
///
/// # Safety
/// As [`list`].
unsafe fn read_values<'a>(values: *const u8, width: u32, height: u32, name: &str) -> Result<&'a [u8], Fault> {
    let cells = u64::from(width) * u64::from(height);
    let cells = usize::try_from(cells).map_err(|_| Fault::value(format!("{cells} cells are too many")))?;
    // SAFETY: passed on.
    unsafe { list(values, cells, name) }
}

/// Agents, unless none are named.
///
/// # Safety
/// Unless null, `agents` points to one, whose weights are 64 numbers or null.
unsafe fn read_agents(agents: *const Agents) -> Result<Option<Agent>, Fault> {
    if agents.is_null() {
        return Ok(None);
    }
    // SAFETY: passed on.
    let agents = &unsafe { list(agents, 1, "agents") }?[0];
    let mut weights = [1; 64];
    if !agents.weights.is_null() {
        // SAFETY: passed on.
        weights.copy_from_slice(unsafe { list(agents.weights, 64, "weights") }?);
    }
    Ok(Some(Agent { class: class_of(agents), weights }))
}

fn class_of(agents: &Agents) -> AgentClass {
    core::class_of(agents.size, agents.walkable)
}

/// The class of agents that a call is about, on terrain.
fn class(agent: Option<&Agent>) -> Option<AgentClass> {
    agent.map(|agent| agent.class)
}

/// Works with a map, for agents if some are named.
///
/// # Safety
/// As [`read_agents`].
unsafe fn ask(
    map: Map,
    agents: *const Agents,
    work: impl FnOnce(&mut MapOf, Option<&Agent>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    // SAFETY: passed on.
    let agent = unsafe { read_agents(agents) }?;
    with(map, |map| work(map, agent.as_ref()))
}

/// Writes whether there is a cell, and which.
fn write_cell(found: Option<quadrille_paths::Cell>, (is_found, cell): (&mut u8, &mut Cell)) -> Result<(), Fault> {
    *is_found = u8::from(found.is_some());
    if let Some(quadrille_paths::Cell { x, y }) = found {
        *cell = Cell { x, y };
    }
    Ok(())
}

fn write_reach(found: &Found, cells: Wanted<quadrille_paths::Cell>, costs: Column<f64>) -> Result<(), Fault> {
    cells.write(&found.paths.cells)?;
    costs.write(&found.costs);
    Ok(())
}

/// Makes a map of `width` times `height` cells, which are in `free` row by row: all but 0 are free. The rule says which
/// steps are legal and what they cost: "octile", unless you have a reason for another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_new(
    free: *const u8,
    width: u32,
    height: u32,
    rule: *const c_char,
    map: *mut Map,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (rule, map) = (text(rule, "rule")?, out(map, "map")?);
        let free = read_values(free, width, height, "free")?;
        keep(Ground::new(free, MapSize { width, height }, rule, None)?.into(), map)
    })
}

/// Makes a map of terrain, with paths for each of these classes of agents, whose weights do not matter here; `kinds`
/// are the kinds of terrain, row by row. All other calls about the map take `agents`, which are null for a map of free
/// and blocked cells. They may be of any class if the call counts costs, otherwise of one of these. Entering a cell
/// costs the step times the weight of the heaviest terrain then under the agent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_new_terrain(
    kinds: *const u8,
    width: u32,
    height: u32,
    rule: *const c_char,
    classes: *const Agents,
    count: usize,
    map: *mut Map,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (rule, map) = (text(rule, "rule")?, out(map, "map")?);
        let classes: Vec<AgentClass> = list(classes, count, "classes")?.iter().map(class_of).collect();
        let kinds = read_values(kinds, width, height, "kinds")?;
        keep(Ground::new(kinds, MapSize { width, height }, rule, Some(&classes))?.into(), map)
    })
}

/// Frees a map and the answers that it keeps.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_map_free(map: Map) -> Status {
    free(map)
}

/// Frees cells, or blocks them if `value` is 0; on terrain, sets their kind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_set(map: Map, cells: *const Cell, count: usize, value: u8) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let cells = numbers(cells, count, "cells")?;
        with(map, |map| {
            map.ground.set(&map.cells_of(cells, "cells")?, value);
            map.ground.maintain();
            Ok(())
        })
    })
}

/// Replaces the rectangle of `width` times `height` cells whose first cell is `from`; they are in `values` row by row:
/// all but 0 are free, or kinds of terrain.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_edit(
    map: Map,
    from: Cell,
    width: u32,
    height: u32,
    values: *const u8,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let values = read_values(values, width, height, "values")?;
        with(map, |map| {
            let rect = map.ground.size().rect(from.xy(), [width, height])?;
            map.ground.edit(rect, values);
            map.ground.maintain();
            Ok(())
        })
    })
}

/// A number that changes with every edit that changes a cell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_version(map: Map, version: *mut u64) -> Status {
    // SAFETY: passed on.
    unsafe { answer(map, version, "version", |map| Ok(map.ground.version())) }
}

/// `answer` receives 1 if there is a path, otherwise 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_is_reachable(
    map: Map,
    agents: *const Agents,
    start: Cell,
    goal: Cell,
    answer: *mut u8,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let answer = out(answer, "answer")?;
        ask(map, agents, |map, agent| {
            let (start, goal) = map.ends([start, goal].map(Cell::xy))?;
            *answer = map.ground.map(class(agent))?.is_reachable(start, goal).into();
            Ok(())
        })
    })
}

/// A shortest path from each of `count` starts to the goal at the same position, or a cheapest one of agents: all of
/// its cells, start and goal included. If there is none, or only one longer than `most`, which may be infinite, it has
/// no cells and an infinite length; or, unless `partial` is 0, it leads as near to the goal as possible. Paths of
/// agents are neither limited nor partial. `counts` and `lengths` receive one value for each path; they and `cells` may
/// be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_paths(
    map: Map,
    agents: *const Agents,
    starts: *const Cell,
    goals: *const Cell,
    count: usize,
    partial: u8,
    most: f64,
    counts: *mut u32,
    lengths: *mut f64,
    cells: *mut Cells,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let ends = [numbers(starts, count, "starts")?, numbers(goals, count, "goals")?];
        let (counts, lengths) = (column(counts, "counts")?, column(lengths, "lengths")?);
        let cells = wanted(cells, "cells")?;
        ask(map, agents, |map, agent| {
            map.paths(agent, ends, partial != 0, most)?;
            cells.write(&map.found.paths.cells)?;
            counts.write(&map.found.counts);
            lengths.write(&map.found.paths.lengths);
            Ok(())
        })
    })
}

fn kept_paths(found: &Found) -> KeptPaths {
    KeptPaths {
        cells: found.paths.cells.as_ptr().cast(),
        cell_count: found.paths.cells.len(),
        counts: found.counts.as_ptr(),
        lengths: found.paths.lengths.as_ptr(),
        path_count: found.counts.len(),
        costs: found.costs.as_ptr(),
        points: found.points.as_ptr().cast(),
        point_count: found.points.len(),
        links: found.links.as_ptr(),
        link_count: found.links.len(),
    }
}

/// The paths that the map keeps until the next call with it other than this one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_kept(map: Map, kept: *mut KeptPaths) -> Status {
    // SAFETY: passed on.
    unsafe { answer(map, kept, "kept", |map| Ok(kept_paths(&map.found))) }
}

/// A cheapest path that may take links, whose steps cost as much as on terrain of weight 1. `length` receives its
/// length, infinite if there is none. `kept` receives its legs, which the map keeps as paths until the next call with
/// it; its `links` are the positions of the links that lead from one leg to the next.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_linked_path(
    map: Map,
    agents: *const Agents,
    start: Cell,
    goal: Cell,
    links: *const Link,
    count: usize,
    length: *mut f64,
    kept: *mut KeptPaths,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (links, length) = (numbers(links, count, "links")?, out(length, "length")?);
        let kept = out(kept, "kept")?;
        ask(map, agents, |map, agent| {
            let ends = map.ends([start, goal].map(Cell::xy))?;
            let links = core::links_on(map.ground.size(), links)?;
            let found = map.ground.linked_path(agent, ends, &links, &mut map.working)?;
            map.found = Found::legs(found.as_ref().map(|(path, _)| path))?;
            *length = found.map_or(f64::INFINITY, |(_, length)| length);
            *kept = kept_paths(&map.found);
            Ok(())
        })
    })
}

/// A shortest path that may take links to the nearest of some goals, on the map of a class of agents if some are named:
/// `nearest` receives the position of that goal, or `goal_count` if none can be reached, `length` and `kept` what they
/// receive for `quadrille_map_linked_path`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_nearest_linked(
    map: Map,
    agents: *const Agents,
    start: Cell,
    goals: *const Cell,
    goal_count: usize,
    links: *const Link,
    link_count: usize,
    nearest: *mut usize,
    length: *mut f64,
    kept: *mut KeptPaths,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (goals, links) = (numbers(goals, goal_count, "goals")?, numbers(links, link_count, "links")?);
        let (nearest, length, kept) = (out(nearest, "nearest")?, out(length, "length")?, out(kept, "kept")?);
        ask(map, agents, |map, agent| {
            let (start, goals) = (map.cell(start.xy(), "start")?, map.cells_of(goals, "goals")?);
            let links = core::links_on(map.ground.size(), links)?;
            let found = map.ground.map(class(agent))?;
            let found = found.nearest_linked(start, &goals, &links, &mut map.working.scratch);
            map.found = Found::legs(found.as_ref().map(|(_, path)| path))?;
            let of = |(nearest, path): (usize, LinkedPath)| (nearest, path.length().as_f64());
            (*nearest, *length) = found.map_or((goal_count, f64::INFINITY), of);
            *kept = kept_paths(&map.found);
            Ok(())
        })
    })
}

/// How many columns and rows the map has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_size(map: Map, width: *mut u32, height: *mut u32) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (width, height) = (out(width, "width")?, out(height, "height")?);
        let size = with(map, |map| Ok(map.ground.size()))?;
        (*width, *height) = (size.width, size.height);
        Ok(())
    })
}

/// Reads the rectangle of `width` times `height` cells whose first cell is `from` into memory for as many bytes, row by
/// row: 1 if free, else 0; on terrain, the kind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_get(map: Map, from: Cell, width: u32, height: u32, values: *mut u8) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let values = full_column(values, width > 0 && height > 0, "values")?;
        with(map, |map| {
            values.write(&map.ground.values(map.ground.size().rect(from.xy(), [width, height])?)?);
            Ok(())
        })
    })
}

/// The shortest path at any angle from the center of one cell to that of another, around corners of walls: `points`
/// receives the points where it begins, turns and ends, as rows of x and y; cell (x, y) is the unit square whose least
/// corner is (x, y). `room` is how many points fit, `count` receives how many there are. If there is no path, there are
/// none, and `length` is infinite. `points` may be null if `room` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_taut_path(
    map: Map,
    agents: *const Agents,
    start: Cell,
    goal: Cell,
    points: *mut f64,
    room: usize,
    count: *mut usize,
    length: *mut f64,
) -> Status {
    // SAFETY: passed on; a point is two contiguous numbers.
    call(|| unsafe {
        let points = Target::<[f64; 2]>::new(points.cast(), room, count, "points")?;
        let length = out(length, "length")?;
        ask(map, agents, |map, agent| {
            let (start, goal) = map.ends([start, goal].map(Cell::xy))?;
            let path = map.ground.map(class(agent))?.taut_path(start, goal, &mut map.working.scratch);
            *length = path.as_ref().map_or(f64::INFINITY, TautPath::length);
            map.found = Found { points: path.map_or(Vec::new(), |path| path.points().to_vec()), ..Found::default() };
            points.write(&map.found.points)
        })
    })
}

/// All cells that can be reached from one at a cost of at most `budget`, row by row, and the cost of each. `costs` is
/// as long as `cells`; each may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_reach(
    map: Map,
    agents: *const Agents,
    from: Cell,
    budget: f64,
    cells: *mut Cells,
    costs: *mut f64,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let cells = wanted(cells, "cells")?;
        let costs = cells.beside("cells", costs, "costs")?;
        ask(map, agents, |map, agent| {
            core::check_amount("budget", budget, budget)?;
            let (from, all) = (map.cell(from.xy(), "from")?, map.ground.size().bounds());
            map.found = (&map.ground.reach(agent, from, budget, all)?).into();
            write_reach(&map.found, cells, costs)
        })
    })
}

/// Finds out whether setting a rectangle to a value, 0 to block it or a kind of terrain, would cut off one of `count`
/// starts from a goal. `first` receives the position of the first start that can reach it now and no longer could, or
/// `count` if there is none. The map does not change.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_would_close(
    map: Map,
    agents: *const Agents,
    from: Cell,
    width: u32,
    height: u32,
    value: u8,
    starts: *const Cell,
    count: usize,
    goal: Cell,
    first: *mut usize,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (starts, first) = (numbers(starts, count, "starts")?, out(first, "first")?);
        ask(map, agents, |map, agent| {
            let change = (map.ground.size().rect(from.xy(), [width, height])?, value);
            let (starts, goal) = (map.cells_of(starts, "starts")?, map.cell(goal.xy(), "goal")?);
            *first = map.ground.would_close(class(agent), change, &starts, goal)?.unwrap_or(count);
            Ok(())
        })
    })
}

/// The first blocked cell on the straight line between the centers of two cells: what a shot hits. `found` receives 1, or
/// 0 if there is a line of sight. Between two cells that touch at a corner only, the line is free if a diagonal step would
/// be legal there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_first_wall(
    map: Map,
    agents: *const Agents,
    start: Cell,
    goal: Cell,
    found: *mut u8,
    wall: *mut Cell,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let place = (out(found, "found")?, out(wall, "wall")?);
        ask(map, agents, |map, agent| {
            let ends = map.ends([start, goal].map(Cell::xy))?;
            write_cell(map.ground.first_wall(class(agent), ends)?, place)
        })
    })
}

/// Up to `most` places for a group around a cell: the first is that of `quadrille_map_nearest_free`, and the others can be
/// reached from there, nearest first by path. No two are less than `apart` columns and rows apart: such as the size of the
/// units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_free_places(
    map: Map,
    agents: *const Agents,
    cell: Cell,
    most: usize,
    apart: u32,
    connected_to: *const Cell,
    places: *mut Cells,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (to, places) = (read_other(connected_to)?, wanted(places, "places")?);
        ask(map, agents, |map, agent| {
            let (around, to) = (map.cell(cell.xy(), "cell")?, map.other(to)?);
            map.found = map.ground.map(class(agent))?.free_places(around, most, apart, to).into();
            places.write(&map.found.paths.cells)
        })
    })
}

/// The rest of a path, from the cell of a unit on, led around cells that are blocked for this query only: where other
/// units are. Only obstacles at most `radius` columns and rows from the unit count, and only there does the path change:
/// it is the shortest one in that square to the last free cell of `path` in it, and then goes on as before. If the goal is
/// taken, it ends at the last free cell before. If there is no such path, there are no cells, and `length` is infinite:
/// wait, or look farther.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_detour(
    map: Map,
    agents: *const Agents,
    path: *const Cell,
    path_count: usize,
    obstacles: *const Cell,
    obstacle_count: usize,
    radius: u32,
    cells: *mut Cells,
    length: *mut f64,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (path, obstacles) = (numbers(path, path_count, "path")?, numbers(obstacles, obstacle_count, "obstacles")?);
        let (cells, length) = (wanted(cells, "cells")?, out(length, "length")?);
        ask(map, agents, |map, agent| {
            core::path_along(path)?;
            let (path, obstacles) = (map.cells_of(path, "path")?, map.cells_of(obstacles, "obstacles")?);
            let found = map.ground.detour(class(agent), (&path, &obstacles), radius, &mut map.working)?;
            let mut paths = CellPaths::new();
            paths.push(found.as_ref().map(|path| (path, path.length().as_f64())))?;
            *length = paths.lengths[0];
            map.found = paths.into();
            cells.write(&map.found.paths.cells)
        })
    })
}

/// A cell, unless none is given.
///
/// # Safety
/// Unless null, `connected_to` points to one.
unsafe fn read_other(connected_to: *const Cell) -> Result<Option<[u32; 2]>, Fault> {
    if connected_to.is_null() {
        return Ok(None);
    }
    // SAFETY: passed on.
    Ok(unsafe { list(connected_to, 1, "connected_to") }?.first().copied().map(Cell::xy))
}

/// The free cell nearest to a cell, measured without walls; unless `connected_to` is null, only cells from which that can be
/// reached count. `found` receives 1, or 0 if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_nearest_free(
    map: Map,
    agents: *const Agents,
    cell: Cell,
    connected_to: *const Cell,
    found: *mut u8,
    free: *mut Cell,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (to, place) = (read_other(connected_to)?, (out(found, "found")?, out(free, "free")?));
        ask(map, agents, |map, agent| {
            let (cell, to) = (map.cell(cell.xy(), "cell")?, map.other(to)?);
            write_cell(map.ground.map(class(agent))?.nearest_free(cell, to), place)
        })
    })
}

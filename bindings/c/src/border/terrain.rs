//! Calls for terrain.

use std::ffi::c_char;

use quadrille_bindings as core;
use quadrille_paths::AgentClass;

use super::maps::{FlowTo, PathsTo, check_cells, kept_paths, link_numbers, read_cells, read_free};
use super::memory::{list, out, text};
use super::types::{Agents, Cell, Cells, KeptPaths, Link, Terrain};
use super::{answer, call, free, keep, with};
use crate::status::{Fault, Status};
use crate::terrain::Terrain as TerrainOf;

/// Makes terrain of `width` times `height` cells, whose kinds are in `kinds` row by row, with a map for each of these
/// classes of agents. Rules are those of `quadrille_map_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_terrain_new(
    kinds: *const u8,
    width: u32,
    height: u32,
    rule: *const c_char,
    classes: *const Agents,
    count: usize,
    terrain: *mut Terrain,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (rule, terrain) = (text(rule, "rule")?, out(terrain, "terrain")?);
        let classes: Vec<AgentClass> = list(classes, count, "classes")?.iter().map(class_of).collect();
        let made = TerrainOf::new(read_free(kinds, width, height, "kinds")?, [width, height], rule, &classes)?;
        keep(made, terrain)
    })
}

fn class_of(agents: &Agents) -> AgentClass {
    core::class_of(agents.size, agents.walkable)
}

/// Frees terrain, and what it keeps.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_terrain_free(terrain: Terrain) -> Status {
    free(terrain)
}

/// Sets the kind of terrain of cells.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_terrain_set(terrain: Terrain, cells: *const Cell, count: usize, kind: u8) -> Status {
    call(|| {
        // SAFETY: passed on.
        let cells = unsafe { read_cells(cells, count, "cells") }?;
        with(terrain, |terrain| terrain.set(&cells, kind))
    })
}

/// Replaces the rectangle of `width` times `height` cells whose first cell is `from`; their kinds are in `kinds` row by
/// row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_terrain_edit(
    terrain: Terrain,
    from: Cell,
    width: u32,
    height: u32,
    kinds: *const u8,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let kinds = unsafe { read_free(kinds, width, height, "kinds") }?;
        let from = from.xy();
        with(terrain, |terrain| terrain.edit(from, [width, height], kinds))
    })
}

/// A number that changes with every edit that changes a cell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_terrain_version(terrain: Terrain, version: *mut u64) -> Status {
    // SAFETY: passed on.
    unsafe { answer(terrain, version, "version", |terrain| Ok(terrain.version())) }
}

/// A cheapest path from each of `count` starts to the goal at the same position, for agents of a class: entering a cell
/// costs what the step costs times the weight of the heaviest terrain then under the agent. `weights` are 64 numbers,
/// by kind; null if all are 1. Agents need not be of a class that has a map. `counts` and `costs` receive one value for
/// each path; they and `cells` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_terrain_paths(
    terrain: Terrain,
    agents: Agents,
    weights: *const u32,
    starts: *const Cell,
    goals: *const Cell,
    count: usize,
    counts: *mut u32,
    costs: *mut f64,
    cells: *mut Cells,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (starts, goals) = unsafe { (read_cells(starts, count, "starts")?, read_cells(goals, count, "goals")?) };
        // SAFETY: passed on.
        let (by_kind, to) = unsafe { (read_weights(weights)?, PathsTo::new(cells, (costs, "costs"), counts)?) };
        with(terrain, |terrain| {
            terrain.paths(class_of(&agents), &by_kind, [&starts, &goals])?;
            to.write(&terrain.found)
        })
    })
}

/// Weights by kind; null if all are 1.
///
/// # Safety
/// `weights` points to 64 numbers, or is null.
unsafe fn read_weights(weights: *const u32) -> Result<core::Weights, Fault> {
    let mut by_kind = [1; 64];
    if !weights.is_null() {
        // SAFETY: passed on.
        by_kind.copy_from_slice(unsafe { list(weights, 64, "weights") }?);
    }
    Ok(by_kind)
}

/// A cheapest path that may take links, for agents of any class. The steps of a link cost as much as on ground of weight
/// 1. `weights` are as for `quadrille_terrain_paths`, the rest as for `quadrille_map_linked_path`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_terrain_linked_path(
    terrain: Terrain,
    agents: Agents,
    weights: *const u32,
    start: Cell,
    goal: Cell,
    links: *const Link,
    count: usize,
    cost: *mut f64,
    kept: *mut KeptPaths,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (links, cost, kept) = unsafe { (list(links, count, "links")?, out(cost, "cost")?, out(kept, "kept")?) };
        // SAFETY: passed on.
        let (by_kind, numbers) = (unsafe { read_weights(weights) }?, link_numbers(links)?);
        let ends = [start, goal].map(Cell::xy);
        with(terrain, |terrain| {
            *cost = terrain.linked_path(class_of(&agents), &by_kind, ends, &numbers)?;
            *kept = kept_paths(&terrain.found);
            Ok(())
        })
    })
}

/// As `quadrille_map_flow`, for agents of any class: the cost from everywhere to the cheapest of some goals, and the
/// next step. `weights` are as for `quadrille_terrain_paths`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_terrain_flow(
    terrain: Terrain,
    agents: Agents,
    weights: *const u32,
    goals: *const Cell,
    count: usize,
    cells: usize,
    costs: *mut f64,
    steps: *mut i8,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (by_kind, goals) = unsafe { (read_weights(weights)?, read_cells(goals, count, "goals")?) };
        // SAFETY: as many as the map has cells; passed on.
        let to = unsafe { FlowTo::new((costs, "costs"), steps) }?;
        with(terrain, |terrain| {
            check_cells(cells, terrain.size())?;
            to.write(&terrain.flow(class_of(&agents), &by_kind, &goals)?);
            Ok(())
        })
    })
}

/// As `quadrille_map_would_close`, for a class of agents that has a map, if a rectangle became terrain of some kind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_terrain_would_close(
    terrain: Terrain,
    agents: Agents,
    from: Cell,
    width: u32,
    height: u32,
    kind: u8,
    starts: *const Cell,
    count: usize,
    goal: Cell,
    first: *mut usize,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (starts, first) = unsafe { (read_cells(starts, count, "starts")?, out(first, "first")?) };
        let change = (from.xy(), [width, height], kind);
        let goal = goal.xy();
        let closed = with(terrain, |terrain| terrain.would_close(class_of(&agents), change, &starts, goal))?;
        *first = closed.unwrap_or(count);
        Ok(())
    })
}

/// The paths that the terrain keeps until the next call with it other than this one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_terrain_kept(terrain: Terrain, kept: *mut KeptPaths) -> Status {
    // SAFETY: passed on.
    unsafe { answer(terrain, kept, "kept", |terrain| Ok(kept_paths(&terrain.found))) }
}

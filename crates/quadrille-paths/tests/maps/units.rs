//! What units run into: walls on a line, edits of lists of cells, places for groups, other units in the way. Each
//! against its definition.

use crate::common::{RULES, is_free, noise, random_cell, random_grid};
use quadrille_paths::{
    AStar, AgentClass, Cell, CellRect, CostRule, FlowField, Grid, Path, PathMap, Scratch, TerrainMap, TerrainSet,
    first_wall, is_line_free,
};

/// The first blocked cell whose interior a line crosses, by the part of the line in each cell of the grid.
fn crossed_wall(grid: &Grid, from: Cell, to: Cell) -> Option<Cell> {
    let [[x0, y0], [x1, y1]] = [from, to].map(|cell| [f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5]);
    // The parts of the line between these columns and rows, as shares of the line.
    let part = |start: f64, end: f64, low: u32| match end - start {
        0.0 => {
            if (f64::from(low)..f64::from(low) + 1.0).contains(&start) {
                (0.0, 1.0)
            } else {
                (1.0, 0.0)
            }
        }
        change => {
            let [one, other] = [f64::from(low), f64::from(low) + 1.0].map(|at| (at - start) / change);
            (one.min(other).max(0.0), one.max(other).min(1.0))
        }
    };
    let crossed = grid.bounds().cells().filter(|cell| !grid.is_free(*cell)).filter_map(|cell| {
        let (columns, rows) = (part(x0, x1, cell.x), part(y0, y1, cell.y));
        let (enters, leaves) = (columns.0.max(rows.0), columns.1.min(rows.1));
        (leaves > enters + 1e-9 || from == to && cell == from).then_some((enters, cell))
    });
    crossed.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, cell)| cell)
}

#[test]
fn the_first_wall_is_the_first_blocked_cell_that_a_line_crosses() {
    for seed in 0..300 {
        let grid = random_grid(13, 9, seed, seed % 4);
        let (from, to) = (random_cell(&grid, seed, 0), random_cell(&grid, seed, 1));
        // Where nothing is forbidden beside diagonal steps, only cells count that the line crosses.
        let rule = CostRule::OctileCutting;
        assert_eq!(first_wall(&grid, rule, from, to), crossed_wall(&grid, from, to), "{seed} {from} {to}");
        for rule in RULES {
            let wall = first_wall(&grid, rule, from, to);
            assert_eq!(wall.is_none(), is_line_free(&grid, rule, from, to), "{seed} {rule:?}");
            let Some(wall) = wall else { continue };
            assert!(!grid.is_free(wall));
            let mut open = grid.clone();
            open.set(wall, true);
            let next = first_wall(&open, rule, from, to);
            let far = |cell: Cell| from.x.abs_diff(cell.x) + from.y.abs_diff(cell.y);
            assert!(next.is_none_or(|next| next != wall && far(next) + 1 >= far(wall)), "{seed} {rule:?} {wall}");
        }
    }
}

#[test]
fn walls_beside_a_diagonal_step_count_as_the_rule_says() {
    let mut grid = Grid::open(4, 4).unwrap();
    let (beside, other, to) = (Cell::new(2, 1), Cell::new(1, 2), Cell::new(3, 3));
    let walls = |grid: &Grid| RULES.map(|rule| first_wall(grid, rule, Cell::new(0, 0), to));
    assert_eq!(walls(&grid), [None; 4]);
    grid.set(beside, false);
    assert_eq!(walls(&grid), [Some(beside), None, Some(beside), None], "{RULES:?}");
    grid.set(other, false);
    assert!(walls(&grid)[1].is_none() && [beside, other].contains(&walls(&grid)[3].unwrap()));
    assert_eq!(first_wall(&grid, CostRule::Octile, to, Cell::new(9, 3)), Some(Cell::new(4, 3)), "off the map");
    assert_eq!(first_wall(&grid, CostRule::Octile, beside, to), Some(beside), "the start");
}

#[test]
fn an_edit_of_a_list_is_an_edit_of_each_cell() {
    let (mut scratch, mut astar) = (Scratch::new(), AStar::new());
    for (rule, seed) in RULES.into_iter().flat_map(|rule| (0..7).map(move |seed| (rule, seed))) {
        let (width, height) = if seed % 3 == 0 { (190, 120) } else { (40, 30) };
        let mut grid = random_grid(width, height, seed, seed % 3);
        let mut map = PathMap::new(grid.clone(), rule);
        let mut field = FlowField::new(&map, random_cell(&grid, seed, 99), grid.bounds());
        for round in 0..8 {
            let number = [1, 3, 40, 400][round as usize % 4];
            // Some in a heap, some anywhere, some twice, some off the map.
            let heap = random_cell(&grid, seed, round);
            let cells: Vec<Cell> = (0..number)
                .map(|index| {
                    let any = random_cell(&grid, seed + 1_000 * u64::from(round), index);
                    if index % 2 == 0 { any } else { Cell::new(heap.x + any.x % 9, heap.y + any.y % 9) }
                })
                .collect();
            let will_be_free = |cell: Cell| is_free(cell, seed + u64::from(round), 3);
            let changing = |cell: &Cell| grid.contains(*cell) && grid.is_free(*cell) != will_be_free(*cell);
            let mut changed: Vec<Cell> = cells.iter().copied().filter(changing).collect();
            changed.sort_unstable();
            changed.dedup();
            for cell in &cells {
                grid.set(*cell, will_be_free(*cell));
            }
            let version = map.version();
            assert_eq!(map.edit_cells(&cells, will_be_free), changed.len());
            assert_eq!(map.version() > version, !changed.is_empty());
            map.validate().unwrap();
            assert!(grid.bounds().cells().all(|cell| grid.is_free(cell) == map.grid().is_free(cell)));
            field.repair(&map);
            for index in 0..6 {
                let (from, to) = (random_cell(&grid, seed, 200 + index), random_cell(&grid, seed, 300 + index));
                let expected = astar.path(&grid, rule, from, to).map(|path| path.length());
                assert_eq!(map.path(from, to, &mut scratch).map(|path| path.length()), expected, "{rule:?} {seed}");
                let led = field.goals().first().and_then(|goal| astar.path(&grid, rule, from, *goal));
                assert_eq!(field.length(from), led.map(|path| path.length()));
            }
        }
    }
}

#[test]
fn an_edit_of_a_list_of_terrain_is_an_edit_of_each_cell() {
    let classes = [1, 2].map(|size| AgentClass { size, walkable: TerrainSet::of(&[0, 1]) });
    for seed in 0..10 {
        let kind = |cell: Cell, seed| (noise(cell, seed) % 3) as u8;
        let [mut one, mut other] =
            [(); 2].map(|()| TerrainMap::new((40, 30), |cell| kind(cell, seed), CostRule::Octile, &classes).unwrap());
        let grid = Grid::open(40, 30).unwrap();
        let cells: Vec<Cell> = (0..60).map(|index| random_cell(&grid, seed, index)).chain([Cell::new(99, 0)]).collect();
        let version = one.version();
        let changed = cells.iter().filter(|cell| other.set(**cell, kind(**cell, seed + 1))).count();
        assert_eq!(one.edit_cells(&cells, |cell| kind(cell, seed + 1)), changed);
        assert!(one.version() > version);
        assert_eq!(one.edit_cells(&cells, |cell| kind(cell, seed + 1)), 0);
        for cell in grid.bounds().cells() {
            assert_eq!(one.terrain(cell), other.terrain(cell));
            for class in classes {
                let [one, other] = [&one, &other].map(|map| map.paths(class).unwrap());
                assert_eq!(one.grid().is_free(cell), other.grid().is_free(cell));
                one.validate().unwrap();
            }
        }
    }
}

/// Places by the definition: all cells by the length of a path from the first, those that are far enough apart.
fn places(map: &PathMap, first: Cell, count: usize, apart: u32) -> Vec<Cell> {
    let field = FlowField::new(map, first, map.grid().bounds());
    let mut cells: Vec<_> = map.grid().bounds().cells().filter_map(|cell| Some((field.length(cell)?, cell))).collect();
    cells.sort_by_key(|(length, cell)| (*length, cell.y, cell.x));
    let mut places: Vec<Cell> = Vec::new();
    for (_, cell) in cells {
        if places.len() < count
            && places.iter().all(|place| place.x.abs_diff(cell.x).max(place.y.abs_diff(cell.y)) >= apart)
        {
            places.push(cell);
        }
    }
    places
}

#[test]
fn free_places_are_the_nearest_that_are_far_enough_apart() {
    for (rule, seed) in RULES.into_iter().flat_map(|rule| (0..20).map(move |seed| (rule, seed))) {
        let map = PathMap::new(random_grid(37, 26, seed, seed % 5), rule);
        let (around, home) = (random_cell(map.grid(), seed, 0), random_cell(map.grid(), seed, 1));
        for (count, apart) in [(0, 1), (1, 5), (30, 0), (30, 2), (7, 6), (2_000, 3), (usize::MAX, 1)] {
            for connected_to in [None, Some(home)] {
                let first = map.nearest_free(around, connected_to);
                let expected = first.map_or_else(Vec::new, |first| places(&map, first, count, apart));
                assert_eq!(
                    map.free_places(around, count, apart, connected_to),
                    expected,
                    "{rule:?} {seed} {count} {apart}"
                );
            }
        }
    }
    let map = PathMap::new(Grid::blocked(9, 9).unwrap(), CostRule::Octile);
    assert!(map.free_places(Cell::new(3, 3), 5, 1, None).is_empty());
}

/// The grid of a rectangle of the map, blocked outside, with obstacles.
fn crowded(grid: &Grid, within: CellRect, obstacles: &[Cell], from: Cell) -> Grid {
    let is_open = |cell: Cell| within.contains(cell) && grid.is_free(cell);
    let is_clear = |cell: Cell| cell == from || !obstacles.contains(&cell);
    Grid::from_fn(grid.width(), grid.height(), |cell| is_open(cell) && is_clear(cell)).unwrap()
}

#[test]
fn detours_are_shortest_in_their_rectangle_and_end_as_the_path_does() {
    let (mut scratch, mut astar, mut oracle) = (Scratch::new(), AStar::new(), AStar::new());
    let (mut led, mut stuck) = (0, 0);
    for (rule, seed) in RULES.into_iter().flat_map(|rule| (0..200).map(move |seed| (rule, seed))) {
        let grid = random_grid(60, 40, seed, seed % 3);
        let map = PathMap::new(grid.clone(), rule);
        let (from, to) = (random_cell(&grid, seed, 0), random_cell(&grid, seed, 1));
        let Some(path) = map.path(from, to, &mut scratch) else { continue };
        let cells = path.cells();
        // Most of the obstacles on the path.
        let obstacle = |index: u32| {
            let number = noise(Cell::new(index, 9), seed) as usize;
            if index % 3 == 0 { random_cell(&grid, seed, 50 + index) } else { cells[number % cells.len()] }
        };
        let obstacles: Vec<Cell> = (0..(seed % 30) as u32).map(obstacle).collect();
        let far = [3, 8, 20, 99][seed as usize % 4];
        let within = CellRect::new(from.x.saturating_sub(far), from.y.saturating_sub(far), 2 * far + 1, 2 * far + 1);
        let open = crowded(&grid, within, &obstacles, from);
        let inside = cells.iter().take_while(|cell| within.contains(**cell)).count();
        let found = map.detour(cells, &obstacles, within, &mut astar);
        let is_walked = Path::of_cells(cells[..inside].to_vec()).unwrap().validate(&open, rule).is_ok();
        if is_walked {
            assert_eq!(found.as_ref(), Some(&path), "{rule:?} {seed}");
            continue;
        }
        let join = (1..inside).rev().find(|at| open.is_free(cells[*at]));
        let expected = join.and_then(|join| Some((join, oracle.path(&open, rule, from, cells[join])?)));
        let Some((join, expected)) = expected else {
            assert_eq!(found, None, "{rule:?} {seed}");
            stuck += 1;
            continue;
        };
        led += 1;
        let found = found.unwrap();
        let rest = if inside < cells.len() { &cells[join..] } else { &cells[join..=join] };
        let steps = found.cells().len() - (rest.len() - 1);
        assert_eq!(found.cells()[steps - 1..], *rest, "{rule:?} {seed}");
        let around = Path::of_cells(found.cells()[..steps].to_vec()).unwrap();
        assert_eq!(around.length(), expected.length(), "{rule:?} {seed}");
        around.validate(&open, rule).unwrap();
        found.validate(&grid, rule).unwrap();
    }
    assert!(led > 100 && stuck > 20, "{led} {stuck}");
}

#[test]
fn detours_over_a_whole_map_are_shortest_paths_of_the_map_with_obstacles() {
    let (mut scratch, mut astar) = (Scratch::new(), AStar::new());
    for (rule, seed) in RULES.into_iter().flat_map(|rule| (0..60).map(move |seed| (rule, seed))) {
        let mut map = PathMap::new(random_grid(50, 30, seed, seed % 3), rule);
        let (from, to) = (random_cell(map.grid(), seed, 0), random_cell(map.grid(), seed, 1));
        let Some(path) = map.path(from, to, &mut scratch) else { continue };
        let obstacles: Vec<Cell> = (2..200).map(|index| random_cell(map.grid(), seed, index)).collect();
        let obstacles: Vec<Cell> = obstacles.into_iter().filter(|cell| *cell != from && *cell != to).collect();
        let found = map.detour(path.cells(), &obstacles, map.grid().bounds(), &mut astar);
        map.edit_cells(&obstacles, |_| false);
        let expected = map.path(from, to, &mut scratch);
        assert_eq!(found.map(|path| path.length()), expected.map(|path| path.length()), "{rule:?} {seed}");
    }
}

#[test]
fn there_is_no_detour_for_nobody_or_from_a_wall_or_outside() {
    let mut map = PathMap::new(Grid::open(9, 9).unwrap(), CostRule::Octile);
    let (path, all) = ([Cell::new(1, 1), Cell::new(2, 1), Cell::new(3, 1)], map.grid().bounds());
    let mut astar = AStar::new();
    assert_eq!(map.detour(&[], &[], all, &mut astar), None);
    assert_eq!(map.detour(&path, &[], CellRect::new(2, 0, 5, 5), &mut astar), None);
    assert_eq!(map.detour(&path, &path[..1], all, &mut astar).unwrap().cells(), path, "the unit itself");
    assert_eq!(map.detour(&path, &path[2..], all, &mut astar).unwrap().cells(), &path[..2], "the goal is taken");
    assert_eq!(map.detour(&path, &path[1..], all, &mut astar), None, "nothing ahead is free");
    map.set(path[0], false);
    assert_eq!(map.detour(&path, &[], all, &mut astar), None);
}

#[test]
fn weighted_fields_with_starts_are_the_least_of_fields_to_each_goal() {
    let agents = [1, 2].map(|size| AgentClass { size, walkable: TerrainSet::of(&[0, 1, 2]) });
    let mut weights = [1; TerrainSet::KINDS as usize];
    (weights[1], weights[2]) = (3, 8);
    for (rule, seed) in RULES.into_iter().flat_map(|rule| (0..12).map(move |seed| (rule, seed))) {
        let kind = |cell: Cell| (noise(Cell::new(cell.x / 3, cell.y / 2), seed) % 4) as u8;
        let mut map = TerrainMap::new((31, 19), kind, rule, &agents[..1]).unwrap();
        let grid = Grid::open(31, 19).unwrap();
        let starts: Vec<(Cell, u16)> =
            (0..5).map(|at| (random_cell(&grid, seed, at), (noise(Cell::new(at, 3), seed) % 40) as u16)).collect();
        for agent in agents {
            let make = |map: &TerrainMap, starts: &[(Cell, u16)]| {
                FlowField::weighted_with_starts(map, agent, &weights, starts, grid.bounds()).unwrap()
            };
            let mut field = make(&map, &starts);
            for round in 0..3 {
                map.edit_cells(&[random_cell(&grid, seed, 50 + round)], |_| (round % 4) as u8);
                field.repair_weighted(&map);
                let each: Vec<FlowField> = starts.iter().map(|(goal, _)| make(&map, &[(*goal, 0)])).collect();
                for cell in grid.bounds().cells() {
                    let lengths = each.iter().zip(&starts).filter_map(|(field, (_, start))| {
                        let mut length = field.length(cell)?;
                        length.straight += u32::from(*start);
                        Some(length)
                    });
                    assert_eq!(field.length(cell), lengths.min(), "{rule:?} {seed} {cell}");
                }
            }
        }
    }
}

#[test]
fn starts_of_weighted_fields_have_to_fit_with_the_costs() {
    let agent = AgentClass { size: 1, walkable: TerrainSet::of(&[0]) };
    let map = TerrainMap::new((2, 1), |_| 0, CostRule::Octile, &[agent]).unwrap();
    let mut weights = [1; TerrainSet::KINDS as usize];
    weights[9] = (1 << 30) - 1; // times 2 cells: one below the limit
    let goal = Cell::new(0, 0);
    let field = |start| FlowField::weighted_with_starts(&map, agent, &weights, &[(goal, start)], map.bounds());
    assert_eq!(field(1).unwrap().length(Cell::new(1, 0)).map(|length| length.straight), Some(2));
    assert!(field(2).is_err());
}

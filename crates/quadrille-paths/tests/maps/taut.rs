//! Taut paths against a visibility graph of wall corners, in which every pair is tested.

use crate::common::{RULES, random_cell, random_grid, straight_length};
use quadrille_paths::{AStar, Cell, CostRule, Grid, PathMap, Scratch, smooth};

/// A position in half cells.
type Point = [i32; 2];

/// Whether the cell at a place with odd coordinates is blocked.
fn is_wall(grid: &Grid, [x, y]: Point) -> bool {
    x < 0 || y < 0 || !grid.is_free(Cell::new((x / 2) as u32, (y / 2) as u32))
}

/// The cells around a corner of cells: whether they are blocked, row by row.
fn around(grid: &Grid, [x, y]: Point) -> [bool; 4] {
    [[-1, -1], [1, -1], [-1, 1], [1, 1]].map(|[dx, dy]| is_wall(grid, [x + dx, y + dy]))
}

/// Whether two walls touch at their corners here and the gap between them is closed.
fn is_pinch(grid: &Grid, at: Point, rule: CostRule) -> bool {
    rule != CostRule::OctileCutting
        && matches!(around(grid, at), [true, false, false, true] | [false, true, true, false])
}

/// Whether a straight line crosses the inside of no wall, runs between no two, and slips through no point where two
/// touch.
fn is_free(grid: &Grid, rule: CostRule, from: Point, to: Point) -> bool {
    let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    // The part of the line, from 0 to 1, that lies strictly between two positions on an axis.
    let part = |start: i32, delta: i32, low: i32| {
        if delta == 0 {
            return if (low + 1..low + 2).contains(&start) { (0.0, 1.0) } else { (1.0, 0.0) };
        }
        let [a, b] = [low, low + 2].map(|side| f64::from(side - start) / f64::from(delta));
        (a.min(b).max(0.0), a.max(b).min(1.0))
    };
    for cell in grid.bounds().cells().filter(|cell| !grid.is_free(*cell)) {
        let (x, y) = (2 * cell.x as i32, 2 * cell.y as i32);
        let (by_x, by_y) = (part(from[0], dx, x), part(from[1], dy, y));
        if by_x.1.min(by_y.1) - by_x.0.max(by_y.0) > 1e-9 {
            return false;
        }
    }
    let steps = dx.abs().max(dy.abs());
    // Along sides of cells: one of the two cells beside each must be free.
    for step in (0..steps).filter(|_| (dx == 0 && from[0] % 2 == 0) || (dy == 0 && from[1] % 2 == 0)) {
        let at = [from[0] + dx.signum() * step, from[1] + dy.signum() * step];
        let [a, b] = if dx == 0 {
            [[at[0] - 1, at[1].min(at[1] + dy.signum()) | 1], [at[0] + 1, at[1].min(at[1] + dy.signum()) | 1]]
        } else {
            [[at[0].min(at[0] + dx.signum()) | 1, at[1] - 1], [at[0].min(at[0] + dx.signum()) | 1, at[1] + 1]]
        };
        if is_wall(grid, a) && is_wall(grid, b) {
            return false;
        }
    }
    // Corners of cells strictly inside the line.
    (1..steps).all(|step| {
        let (x, y) = (dx * step, dy * step);
        let at = [from[0] + x / steps, from[1] + y / steps];
        let is_corner = x % steps == 0 && y % steps == 0 && at[0] % 2 == 0 && at[1] % 2 == 0;
        !(is_corner && is_pinch(grid, at, rule))
    })
}

/// The length of the shortest path by E. Dijkstra's search over all corners of walls and both ends, in cell sides.
fn shortest(grid: &Grid, rule: CostRule, corners: &[Point], from: Point, to: Point) -> Option<f64> {
    let mut points: Vec<(f64, Point, bool)> = corners.iter().map(|corner| (f64::INFINITY, *corner, false)).collect();
    points.extend([(0.0, from, false), (f64::INFINITY, to, false)]);
    loop {
        let nearest = (0..points.len()).filter(|at| !points[*at].2);
        let nearest = nearest.min_by(|a, b| points[*a].0.total_cmp(&points[*b].0))?;
        let (length, here, _) = points[nearest];
        if !length.is_finite() {
            return None;
        }
        if here == to {
            return Some(length / 2.0);
        }
        points[nearest].2 = true;
        for (other, there, is_done) in &mut points {
            let step = f64::from(here[0] - there[0]).hypot(f64::from(here[1] - there[1]));
            if !*is_done && length + step < *other && is_free(grid, rule, here, *there) {
                *other = length + step;
            }
        }
    }
}

#[test]
fn taut_paths_are_as_short_as_over_a_visibility_graph_after_edits_too() {
    let (mut scratch, mut bends, mut shorter) = (Scratch::new(), 0, 0);
    for (seed, rule) in (0..60).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        let (width, height) = (3 + seed as u32 % 12, 2 + seed as u32 / 5);
        let mut map = PathMap::new(random_grid(width, height, seed, 1 + seed % 4), rule);
        for round in 0..3 {
            map.set(random_cell(map.grid(), seed, round), round == 1);
            let grid = map.grid().clone();
            let places = (0..=height as i32).flat_map(|y| (0..=width as i32).map(move |x| [2 * x, 2 * y]));
            let is_corner = |at: &Point| {
                let walls = around(&grid, *at);
                walls.iter().filter(|wall| **wall).count() == 1
                    || rule == CostRule::OctileCutting
                        && walls[0] == walls[3]
                        && walls[1] == walls[2]
                        && walls[0] != walls[1]
            };
            let corners: Vec<Point> = places.filter(is_corner).collect();
            for pair in 0..4 {
                let ends = [0, 1].map(|end| random_cell(&grid, seed, 10 * round + 2 * pair + end + 5));
                let [from, to] = ends.map(|cell| [cell.x, cell.y].map(|place| 2 * place as i32 + 1));
                let taut = map.taut_path(ends[0], ends[1], &mut scratch);
                let path = map.path(ends[0], ends[1], &mut scratch);
                assert_eq!(taut.is_some(), path.is_some());
                let (Some(taut), Some(path)) = (taut, path) else { continue };
                let expected = shortest(&grid, rule, &corners, from, to).unwrap();
                assert!((taut.length() - expected).abs() < 1e-9, "{rule:?} {seed} {ends:?} {taut:?} {expected}");
                let points: Vec<Point> = taut.points().iter().map(|at| at.map(|place| (2.0 * place) as i32)).collect();
                assert_eq!((points.first(), points.last()), (Some(&from), Some(&to)));
                assert!(
                    points.windows(2).all(|line| is_free(&grid, rule, line[0], line[1])),
                    "{rule:?} {seed} {taut:?}"
                );
                let smoothed = straight_length(&smooth(&path, &grid, rule));
                assert!(taut.length() <= smoothed + 1e-9);
                bends += points.len() - 2.min(points.len());
                shorter += u32::from(taut.length() < smoothed - 1e-9);
            }
        }
    }
    assert!(bends > 500 && shorter > 200, "{bends} {shorter}");
}

#[test]
fn taut_paths_through_large_rooms_are_as_short_after_edits_too() {
    let (mut scratch, mut bends) = (Scratch::new(), 0);
    for (seed, rule) in (0..3).flat_map(|seed| [CostRule::Octile, CostRule::OctileCutting].map(|rule| (seed, rule))) {
        let (width, height, door) = (150 + 20 * seed as u32, 60, 3 + 7 * seed as u32);
        let is_free = |cell: Cell| {
            (cell.x % 50 != 40 || (cell.y + cell.x) % 30 == door % 30)
                && (cell.y % 40 != 30 || cell.x % 50 / 2 == door % 20)
        };
        let mut map = PathMap::new(Grid::from_fn(width, height, is_free).unwrap(), rule);
        for round in 0..3 {
            map.set(random_cell(map.grid(), seed, round), round % 2 == 1);
            let grid = map.grid().clone();
            let places = (0..=height as i32).flat_map(|y| (0..=width as i32).map(move |x| [2 * x, 2 * y]));
            let is_corner = |at: &Point| {
                let walls = around(&grid, *at);
                walls.into_iter().filter(|wall| *wall).count() == 1 || is_pinch(&grid, *at, CostRule::Octile)
            };
            let corners: Vec<Point> = places.filter(is_corner).collect();
            // The same ends after each edit, so that stored views are used.
            for pair in 0..2 {
                let ends = [0, 1].map(|end| random_cell(&grid, seed, 2 * pair + end + 5));
                let [from, to] = ends.map(|cell| [cell.x, cell.y].map(|place| 2 * place as i32 + 1));
                let Some(taut) = map.taut_path(ends[0], ends[1], &mut scratch) else { continue };
                let expected = shortest(&grid, rule, &corners, from, to).unwrap();
                assert!((taut.length() - expected).abs() < 1e-9, "{rule:?} {seed} {ends:?} {taut:?} {expected}");
                bends += taut.points().len() - 2.min(taut.points().len());
            }
        }
    }
    assert!(bends > 20, "{bends}");
}

#[test]
fn a_taut_path_on_open_ground_is_straight_and_goes_around_a_wall_by_its_corners() {
    let mut map = PathMap::new(Grid::open(9, 5).unwrap(), CostRule::Octile);
    let (mut scratch, from, to) = (Scratch::new(), Cell::new(0, 2), Cell::new(8, 2));
    let points = |map: &PathMap, scratch: &mut Scratch| map.taut_path(from, to, scratch).unwrap().points().to_vec();
    assert_eq!(points(&map, &mut scratch), [[0.5, 2.5], [8.5, 2.5]]);
    map.fill(quadrille_paths::CellRect::new(4, 2, 1, 3), false);
    assert_eq!(points(&map, &mut scratch), [[0.5, 2.5], [4.0, 2.0], [5.0, 2.0], [8.5, 2.5]]);
    let still = map.taut_path(from, from, &mut scratch).unwrap();
    assert_eq!(still.points(), [[0.5, 2.5]]);
    assert_eq!(still.length().to_bits(), 0, "zero, not minus zero");
    assert_eq!(map.taut_path(from, Cell::new(4, 3), &mut scratch), None);
}

#[test]
fn a_gap_that_was_a_dead_end_is_passed_to_what_is_seen_around_either_of_its_walls() {
    // Cutting corners, the room in the south-west can be entered only between two walls that touch.
    let rows = [
        "..........................", "............#.............", "##########................",
        "..........###############.", "..........#...............", "..........#...............",
    ];
    let is_free = |cell: Cell| rows[cell.y as usize].as_bytes()[cell.x as usize] == b'.';
    let map = PathMap::new(Grid::from_fn(26, 6, is_free).unwrap(), CostRule::OctileCutting);
    let (from, mut scratch) = (Cell::new(13, 0), Scratch::new());
    // A search for a goal that lies beyond the room finds nothing there.
    assert!(map.taut_path(from, Cell::new(11, 5), &mut scratch).is_some());
    for goal in map.grid().bounds().cells() {
        let found = map.taut_path(from, goal, &mut scratch);
        assert_eq!(found, map.taut_path(from, goal, &mut Scratch::new()), "{goal}");
        assert_eq!(found.is_some(), map.is_reachable(from, goal), "{goal}");
    }
}

#[test]
fn paths_of_steps_are_right_after_edits_with_only_taut_paths_between_them() {
    let (mut scratch, mut found) = (Scratch::new(), 0);
    for (seed, rule) in (0..6).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        let mut map = PathMap::new(random_grid(150, 120, seed, 1 + seed % 3), rule);
        for step in 0..240 {
            // Some rounds have more edits than are remembered one by one.
            let is_taut_only = step % 60 < [50, 12, 3][step as usize / 60 % 3];
            let cell = random_cell(map.grid(), seed, step);
            map.set(cell, !map.grid().is_free(cell));
            let ends = [5, 6].map(|end| random_cell(map.grid(), seed, 1_000 + 10 * step + end));
            assert_eq!(map.taut_path(ends[0], ends[1], &mut scratch).is_some(), map.is_reachable(ends[0], ends[1]));
            if step % 20 == 9 {
                map.validate().unwrap();
            }
            if is_taut_only {
                continue;
            }
            if step % 7 == 0 {
                map.maintain();
            }
            let path = map.path(ends[0], ends[1], &mut scratch).map(|path| path.length());
            let expected = AStar::new().path(map.grid(), rule, ends[0], ends[1]).map(|path| path.length());
            assert_eq!(path, expected, "{rule:?} {seed} {step} {ends:?}");
            found += u32::from(path.is_some());
        }
    }
    assert!(found > 500, "{found}");
}

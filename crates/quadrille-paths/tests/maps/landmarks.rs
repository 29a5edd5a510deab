//! Landmarks shorten searches and never change an answer, whatever is edited after they were made.

use crate::common::{RULES, noise, random_cell, random_grid};
use quadrille_paths::{AStar, Cell, CellRect, CostRule, Grid, PathMap, PathQueue, Scratch};

/// All landmarks that a map may have.
const ALL: usize = 32;

/// Compares paths between random cells, and to the nearest of three, with plain A*.
fn check(map: &PathMap, seed: u64, scratch: &mut Scratch) {
    let (grid, rule, mut astar) = (map.grid(), map.rule(), AStar::new());
    let cell = |index: u32| random_cell(grid, seed, index);
    let mut length = |from, to| astar.path(grid, rule, from, to).map(|path| path.length());
    for index in 0..4 {
        let (from, to) = (cell(2 * index), cell(2 * index + 1));
        assert_eq!(
            map.path(from, to, scratch).map(|path| path.length()),
            length(from, to),
            "{rule:?} {seed}: {from} {to}"
        );
        let goals = [cell(20 + index), cell(30 + index), to];
        let nearest = goals.iter().filter_map(|goal| length(from, *goal)).min();
        assert_eq!(
            map.nearest(from, &goals, scratch).map(|(_, path)| path.length()),
            nearest,
            "{rule:?} {seed}: {from} {goals:?}"
        );
    }
}

#[test]
fn paths_stay_exact_while_walls_are_built_and_doors_open_and_close() {
    let (mut voided, mut kept) = (0, 0);
    for (rule, seed) in RULES.into_iter().flat_map(|rule| (0..12).map(move |seed| (rule, seed))) {
        let mut map = PathMap::new(random_grid(41, 33, seed, seed % 4), rule);
        let mut scratch = Scratch::new();
        // Free in all maps with landmarks.
        let mut free = map.grid().clone();
        for step in 0..40 {
            if step % 8 == 0 {
                let had = map.landmark_count();
                map.add_landmarks(had + 11);
                free = map.grid().clone();
                assert_eq!(map.landmark_count(), (had + 11).min(ALL));
            }
            check(&map, seed * 64 + step, &mut scratch);
            let door = random_cell(&free, seed, 100 + step as u32);
            let may_open = step % 8 > 5 || free.is_free(door);
            let had = map.landmark_count();
            map.set(door, may_open && !map.grid().is_free(door));
            let is_void = map.grid().is_free(door) && !free.is_free(door);
            assert_eq!(map.landmark_count(), if is_void { 0 } else { had }, "{rule:?} {seed} {step} {door}");
            *(if is_void { &mut voided } else { &mut kept }) += 1;
            check(&map, seed * 64 + step, &mut scratch);
        }
        map.validate().unwrap();
    }
    assert!(voided > 50 && kept > 500, "{voided} {kept}");
}

#[test]
fn searches_among_rooms_expand_fewer_corners() {
    let is_free = |cell: Cell| {
        let is_wall = cell.x % 16 == 0 || cell.y % 16 == 0;
        noise(cell, 5) % 16 != 0 && (!is_wall || noise(cell, 3) % 5 == 0)
    };
    let plain = PathMap::new(Grid::from_fn(300, 200, is_free).unwrap(), CostRule::Octile);
    let mut map = plain.clone();
    map.add_landmarks(ALL);
    let mut scratch = Scratch::new();
    let mut expanded = |map: &PathMap| -> u64 {
        let ends = |index| (random_cell(map.grid(), 1, index), random_cell(map.grid(), 2, index));
        let mut ask = |(from, to)| map.path(from, to, &mut scratch).map_or(0, |_| scratch.expanded());
        (0..60).map(|index| ask(ends(index))).sum()
    };
    let (with, without) = (expanded(&map), expanded(&plain));
    assert!(with * 3 < without, "{with} {without}");
}

#[test]
fn a_map_without_free_cells_has_no_landmarks() {
    for grid in [Grid::blocked(5, 4), Grid::blocked(0, 0)] {
        let mut map = PathMap::new(grid.unwrap(), CostRule::Octile);
        map.add_landmarks(ALL);
        assert_eq!(map.landmark_count(), 0);
        map.set(Cell::new(2, 2), true);
        map.add_landmarks(usize::MAX);
        assert_eq!(map.landmark_count(), if map.grid().width() == 0 { 0 } else { ALL });
        assert_eq!(map.path(Cell::new(2, 2), Cell::new(2, 2), &mut Scratch::new()).is_some(), map.grid().width() > 0);
    }
}

/// A maze: walls between cells of every second row and column, some of them open.
fn maze(width: u32, height: u32) -> Grid {
    let is_free =
        |cell: Cell| (cell.x % 2 == 0 || cell.y % 2 == 0) && (cell.x % 2 == cell.y % 2 || noise(cell, 11) % 16 < 11);
    Grid::from_fn(width, height, is_free).unwrap()
}

/// Pairs of random cells of a map.
fn ends(map: &PathMap, count: u32) -> Vec<(Cell, Cell)> {
    let pair = |index| (random_cell(map.grid(), 1, index), random_cell(map.grid(), 2, index));
    (0..).map(pair).filter(|(from, to)| map.is_reachable(*from, *to)).take(count as usize).collect()
}

#[test]
fn a_map_that_is_maintained_makes_landmarks_where_searches_are_hard_and_nowhere_else() {
    let mut scratch = Scratch::new();
    let (mut map, mut astar) = (PathMap::new(maze(201, 151), CostRule::Octile), AStar::new());
    let (plain, pairs) = (map.clone(), ends(&map, 6_000));
    let mut expanded = [0; 4];
    for (index, (from, to)) in pairs.iter().enumerate() {
        let length = map.path(*from, *to, &mut scratch).map(|path| path.length());
        let part = 4 * index / pairs.len();
        expanded[part] += scratch.expanded();
        map.maintain();
        if index % 100 == 0 {
            assert_eq!(length, astar.path(map.grid(), CostRule::Octile, *from, *to).map(|path| path.length()));
        }
    }
    assert!(map.landmark_count() >= 4, "{}", map.landmark_count());
    assert!(expanded[3] < expanded[0] * 3 / 4, "{expanded:?}");
    map.validate().unwrap();
    // Without calls of `maintain`, nothing is made.
    pairs.iter().for_each(|(from, to)| assert!(plain.path(*from, *to, &mut scratch).is_some()));
    assert_eq!(plain.landmark_count(), 0);
    // Nor where searches are easy.
    let mut map = PathMap::new(Grid::from_fn(300, 200, |cell| noise(cell, 5) % 400 != 0).unwrap(), CostRule::Octile);
    for (from, to) in ends(&map, 3_000) {
        assert!(map.path(from, to, &mut scratch).is_some());
        map.maintain();
    }
    assert_eq!(map.landmark_count(), 0);
}

#[test]
fn what_landmarks_are_made_depends_on_calls_alone_not_on_threads() {
    let map = PathMap::new(maze(161, 121), CostRule::Octile);
    let ends = ends(&map, 4_000);
    let run = |threads: usize| {
        let (mut map, mut answers) = (map.clone(), Vec::new());
        for chunk in ends.chunks(40) {
            let ask = |ends: &[(Cell, Cell)]| {
                let mut scratch = Scratch::new();
                ends.iter().map(|(from, to)| map.path(*from, *to, &mut scratch)).collect::<Vec<_>>()
            };
            let found = std::thread::scope(|scope| {
                let parts = chunk.chunks(chunk.len().div_ceil(threads));
                let parts: Vec<_> = parts.map(|ends| scope.spawn(|| ask(ends))).collect();
                parts.into_iter().flat_map(|part| part.join().unwrap()).collect::<Vec<_>>()
            });
            answers.push((found, map.landmark_count()));
            map.maintain();
        }
        answers
    };
    let alone = run(1);
    assert!(alone.iter().any(|(_, landmarks)| *landmarks >= 4));
    assert_eq!(alone, run(4));
}

#[test]
fn landmarks_that_edits_void_are_made_again_and_answers_stay_exact() {
    let (mut map, mut scratch, mut astar) =
        (PathMap::new(maze(161, 121), CostRule::Octile), Scratch::new(), AStar::new());
    let (walls, ends) = (map.grid().clone(), ends(&map, 12_000));
    let (mut made, mut had) = (0, 0);
    for (index, (from, to)) in ends.into_iter().enumerate() {
        let length = map.path(from, to, &mut scratch).map(|path| path.length());
        if index % 40 == 0 {
            assert_eq!(length, astar.path(map.grid(), CostRule::Octile, from, to).map(|path| path.length()), "{index}");
        }
        map.maintain();
        made += map.landmark_count().saturating_sub(had);
        if index % 3_000 == 2_999 {
            // A wall goes that has always been there.
            let wall = walls.bounds().cells().find(|cell| !map.grid().is_free(*cell) && cell.x > 9 && cell.y > 9);
            assert!(map.set(wall.unwrap(), true));
            assert_eq!(map.landmark_count(), 0);
        }
        had = map.landmark_count();
    }
    assert!(made >= 8, "{made}");
    map.validate().unwrap();
}

#[test]
fn a_search_put_down_ends_well_though_its_landmarks_do_not_pay_and_are_forgotten() {
    // All landmarks lie outside a box with one door, so all of them give the same bounds inside it.
    let (side, rim, door) = (260, 16, Cell::new(16, 120));
    let is_rim = |at: u32| at == rim || at == side - 1 - rim;
    let is_inside = |at: u32| (rim..side - rim).contains(&at);
    let is_free = |cell: Cell| match [cell.x, cell.y] {
        [x, y] if !is_inside(x) || !is_inside(y) => true,
        [x, y] if is_rim(x) || is_rim(y) => cell == door,
        _ => noise(cell, 9) % 5 != 0,
    };
    let mut map = PathMap::new(Grid::from_fn(side, side, is_free).unwrap(), CostRule::Octile);
    let inside = CellRect::new(rim + 1, rim + 1, side - 2 * rim - 2, side - 2 * rim - 2);
    let pairs = ends(&map, 30_000).into_iter().filter(|(from, to)| inside.contains(*from) && inside.contains(*to));
    let (mut queue, mut scratch, mut had) = (PathQueue::new(), Scratch::new(), 0);
    let mut asked = Vec::new();
    for (from, to) in pairs {
        assert!(map.path(from, to, &mut scratch).is_some());
        map.maintain();
        if had > map.landmark_count() {
            break;
        }
        had = map.landmark_count();
        if had >= 4 && asked.len() < 4 && scratch.expanded() > 200 {
            asked.push((queue.push(from, to), from, to));
            queue.run(&map, 100, |_, _| panic!("it is not done"));
        }
    }
    assert_eq!((had, map.landmark_count(), queue.len()), (4, 0, 4), "{} asked", asked.len());
    let mut astar = AStar::new();
    while !queue.is_empty() {
        queue.run(&map, 60, |ticket, path| {
            let (_, from, to) = asked.iter().find(|(asked, ..)| *asked == ticket).unwrap();
            let shortest = astar.path(map.grid(), CostRule::Octile, *from, *to);
            assert_eq!(path.map(|path| path.length()), shortest.map(|path| path.length()), "{from} {to}");
        });
    }
}

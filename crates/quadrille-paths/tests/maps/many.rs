//! Many paths from one call are as long as those found one by one, whichever method finds them.

use crate::common::{RULES, hash, noise, random_cell, random_grid};
use quadrille_paths::{AStar, Cell, CellRect, CostRule, Grid, Path, PathMap, Scratch};

/// Compares each path with plain A*, and its steps with the rule.
fn check(map: &PathMap, ends: &[(Cell, Cell)], scratch: &mut Scratch, what: &str) {
    let (paths, mut astar) = (map.paths(ends, scratch), AStar::new());
    assert_eq!(paths.len(), ends.len());
    for ((from, to), path) in ends.iter().zip(paths) {
        let expected = astar.path(map.grid(), map.rule(), *from, *to).map(|path| path.length());
        assert_eq!(path.as_ref().map(Path::length), expected, "{what}: {from} {to}");
        let Some(path) = path else { continue };
        assert_eq!((path.cells()[0], path.cells().last()), (*from, Some(to)), "{what}");
        path.validate(map.grid(), map.rule()).unwrap_or_else(|fault| panic!("{what}: {fault}"));
    }
}

/// Maps that exercise all methods: noise, mazes of rooms, long detours, open ground.
fn maps() -> Vec<(&'static str, Grid)> {
    let comb = |cell: Cell| cell.x % 6 != 3 || cell.y == if cell.x % 12 == 3 { 0 } else { 79 };
    // Few corners, and long detours.
    let rooms = |cell: Cell| {
        let (room, is_wall) = (Cell::new(cell.x / 20, cell.y / 18), cell.x % 20 == 0 || cell.y % 18 == 0);
        !is_wall || noise(room, 4) % 2 == 0 && (cell.x % 20 == 9 || cell.y % 18 == 5)
    };
    vec![
        ("light noise", Grid::from_fn(150, 120, |cell| noise(cell, 3) % 20 > 0).unwrap()),
        ("noise", random_grid(130, 140, 5, 2)),
        ("dense noise", random_grid(110, 90, 7, 3)),
        ("rooms", Grid::from_fn(180, 150, rooms).unwrap()),
        ("comb", Grid::from_fn(90, 80, comb).unwrap()),
        ("open", Grid::open(120, 90).unwrap()),
        ("narrow", random_grid(400, 7, 2, 1)),
    ]
}

/// Pairs of cells in a rectangle, blocked ones and ones off the map among them; `places` different goals, if not 0.
fn pairs(grid: &Grid, within: CellRect, seed: u64, count: u32, places: u32) -> Vec<(Cell, Cell)> {
    let inside = |seed: u64, index: u32| {
        let cell = random_cell(grid, seed, index);
        let place = |at: u32, first: u32, length: u32| first + at % length;
        Cell::new(place(cell.x, within.x, within.width), place(cell.y, within.y, within.height))
    };
    let goal = |index: u32| if places == 0 { index } else { index % places };
    (0..count).map(|index| (inside(seed, index), inside(seed + 100, goal(index)))).collect()
}

#[test]
fn they_are_shortest_paths_on_all_maps_before_and_after_edits() {
    for (name, grid) in maps() {
        for rule in RULES {
            let (mut map, mut scratch) = (PathMap::new(grid.clone(), rule), Scratch::new());
            for round in 0..4_u32 {
                let all = grid.bounds();
                // All of the map, and a part that paths may leave.
                let half = CellRect::new(all.width / 4, all.height / 3, all.width / 3 + 1, all.height / 3 + 1);
                for (within, places) in [(all, 0), (all, 3), (half, 0), (half, 2)] {
                    let ends = pairs(&grid, within, u64::from(round) + 1, 70, places);
                    check(&map, &ends, &mut scratch, &format!("{name} {rule:?} {round} {within:?} {places}"));
                }
                let center = random_cell(&grid, 77, round);
                let rubble = CellRect::new(center.x, center.y, 30, 20);
                map.edit(rubble, |cell| round % 2 == 0 && noise(cell, u64::from(round)) % 3 > 0);
            }
        }
    }
}

#[test]
fn partial_paths_end_where_those_one_by_one_do() {
    for rule in RULES {
        let (map, mut scratch) = (PathMap::new(random_grid(120, 100, 4, 3), rule), Scratch::new());
        for places in [0, 2] {
            let ends = pairs(map.grid(), CellRect::new(0, 0, 130, 110), 9, 120, places);
            for ((from, to), path) in ends.iter().zip(map.partial_paths(&ends, &mut Scratch::new())) {
                let alone = map.partial_path(*from, *to, &mut scratch);
                let told = |path: &Path| (path.length(), path.cells().last().copied());
                assert_eq!(path.as_ref().map(told), alone.as_ref().map(told), "{rule:?} {from} {to}");
            }
        }
    }
}

#[test]
fn they_are_the_same_everywhere_and_none_are_none() {
    let map = PathMap::new(random_grid(150, 150, 11, 2), CostRule::Octile);
    assert!(map.paths(&[], &mut Scratch::new()).is_empty());
    let blocked = map.grid().bounds().cells().find(|cell| !map.grid().is_free(*cell)).unwrap();
    assert_eq!(map.paths(&[(blocked, blocked); 40], &mut Scratch::new()), vec![None; 40]);
    let golden = |places| {
        let paths = map.paths(&pairs(map.grid(), map.grid().bounds(), 3, 200, places), &mut Scratch::new());
        hash(paths.iter().flatten().flat_map(Path::cells).flat_map(|cell| [cell.x, cell.y]))
    };
    let hashes = [0, 4].map(golden);
    assert_eq!(hashes, [0x4386_e6a2_82bd_0afb, 0x0e59_0490_d098_efed], "{hashes:#x?}");
}

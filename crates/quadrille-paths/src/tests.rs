//! No call costs much more for a little more, or for less: counted work over the number of goals, the size of a
//! rectangle, the number of edits, with answers beside E. Dijkstra's search.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::open_list::work;
use crate::{
    AStar, AgentClass, Cell, CellRect, CostRule, Direction, FlowField, Grid, Length, Link, Path, PathMap, PathWatch,
    Reach, Scratch, TerrainMap, TerrainSet, WeightedPaths,
};

const WIDTH: u32 = 210;
const HEIGHT: u32 = 150;

/// Pseudo-random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as u32 % end
    }

    fn cell(&mut self, grid: &Grid) -> Cell {
        Cell::new(self.below(grid.width()), self.below(grid.height()))
    }

    /// A free cell that can be reached from another.
    fn reachable(&mut self, map: &PathMap, from: Cell) -> Cell {
        core::iter::repeat_with(|| self.cell(map.grid())).find(|cell| map.is_reachable(from, *cell)).unwrap()
    }
}

/// Open ground, a city of blocks, rooms with doors, noise.
fn maps() -> Vec<(&'static str, Grid)> {
    let mut random = Random(3);
    let mut noise = Vec::new();
    noise.resize_with((WIDTH * HEIGHT) as usize, || random.below(100));
    let at = |cell: Cell| noise[(cell.y * WIDTH + cell.x) as usize];
    let block = |cell: Cell| noise[(cell.y / 15 * 31 + cell.x / 19) as usize];
    let is_street = |cell: Cell| cell.x % 19 < 4 || cell.y % 15 < 4 || block(cell) < 30;
    let is_door = |cell: Cell| cell.x % 30 == 11 || cell.y % 25 == 7;
    let is_room = |cell: Cell| cell.x % 30 != 29 && cell.y % 25 != 24 || is_door(cell);
    vec![
        ("open", Grid::open(WIDTH, HEIGHT).unwrap()),
        ("city", Grid::from_fn(WIDTH, HEIGHT, is_street).unwrap()),
        ("rooms", Grid::from_fn(WIDTH, HEIGHT, is_room).unwrap()),
        ("noise", Grid::from_fn(WIDTH, HEIGHT, |cell| at(cell) >= 20).unwrap()),
    ]
}

fn near(from: Cell, to: Cell) -> u32 {
    from.x.abs_diff(to.x).max(from.y.abs_diff(to.y))
}

/// The least lengths from all cells of a rectangle to the nearest of some, without leaving it: a search with a heap, and
/// nothing else of this crate but the steps.
fn dijkstra(grid: &Grid, rule: CostRule, goals: &[Cell], within: CellRect, links: &[Link]) -> Vec<Option<Length>> {
    let mut lengths = vec![None; grid.count()];
    let mut open: BinaryHeap<_> = goals.iter().map(|goal| Reverse((Length::ZERO, *goal))).collect();
    while let Some(Reverse((length, cell))) = open.pop() {
        let known = &mut lengths[grid.index(cell)];
        if known.is_some() || !grid.is_free(cell) || !within.contains(cell) {
            continue;
        }
        *known = Some(length);
        let legal = Direction::ALL.into_iter().filter(|way| grid.can_step(cell, *way, rule));
        let steps = legal.filter_map(|way| Some((Length::of_step(way), cell.step(way)?)));
        let by_link = links.iter().filter(|link| link.to == cell);
        let by_link = by_link.map(|link| (Length { straight: link.steps.into(), diagonal: 0 }, link.from));
        open.extend(steps.chain(by_link).map(|(step, next)| Reverse((length + step, next))));
    }
    lengths
}

#[test]
fn one_more_goal_is_never_much_more_work() {
    for ((name, grid), rule) in maps().into_iter().zip(CostRule::ALL.into_iter().cycle()) {
        let mut map = PathMap::new(grid, rule);
        for landmarks in [0, 5] {
            map.add_landmarks(landmarks);
            let (mut random, mut scratch) = (Random(9), Scratch::new());
            let from = map.grid().bounds().cells().find(|cell| map.grid().is_free(*cell)).unwrap();
            let to = random.reachable(&map, from);
            let mut all: Vec<Cell> = map.grid().bounds().cells().filter(|cell| map.is_reachable(from, *cell)).collect();
            let lengths = dijkstra(map.grid(), rule, &[from], map.grid().bounds(), &[]);
            let mut lists = vec![("equal", vec![to; 4096])];
            all.sort_by_key(|cell| near(*cell, from));
            lists.push(("near", all[100..4196].to_vec()));
            lists.push(("far", all.iter().rev().take(4096).copied().collect()));
            lists.push(("anywhere", (0..4096).map(|_| random.cell(map.grid())).collect()));
            for (what, goals) in lists {
                let mut before = None;
                for count in [1, 2, 4, 8, 16, 32, 63, 64, 65, 128, 255, 256, 257, 512, 1024, 2048, 4096] {
                    let told = format!("{name} {rule:?} {landmarks} {what} {count}");
                    let mut found = None;
                    let work = work::of(|| found = map.nearest(from, &goals[..count], &mut scratch));
                    let expected = goals[..count].iter().filter_map(|goal| lengths[map.grid().index(*goal)]).min();
                    assert_eq!(found.as_ref().map(|(_, path)| path.length()), expected, "{told}");
                    if let Some((place, path)) = found {
                        path.validate(map.grid(), rule).unwrap();
                        assert_eq!((path.cells()[0], path.cells().last()), (from, Some(&goals[place])), "{told}");
                    }
                    // In noise, one more goal may be hard to reach and look nearest.
                    let most = if name == "noise" { 8 } else { 4 };
                    assert!(before.is_none_or(|before| work <= most * before + 60), "{told}: {work} after {before:?}");
                    before = Some(work);
                }
            }
        }
    }
}

/// Rectangles of these hundredths of a map, around a cell and far away from it.
fn rectangles(from: Cell) -> impl Iterator<Item = CellRect> {
    [100, 99, 75, 50, 25, 13, 12, 10, 5, 1].into_iter().flat_map(move |share: u32| {
        let side = |length: u32| (f64::from(length) * (f64::from(share) / 100.0).sqrt()) as u32;
        let (width, height) = (side(WIDTH), side(HEIGHT));
        let far = |at: u32, length: u32, side: u32| if at < length / 2 { length - side } else { 0 };
        let around = |at: u32, length: u32, side: u32| at.saturating_sub(side / 2).min(length - side);
        let places = [far, around].map(|at| Cell::new(at(from.x, WIDTH, width), at(from.y, HEIGHT, height)));
        places.map(|at| CellRect::new(at.x, at.y, width, height))
    })
}

#[test]
fn a_field_of_less_or_with_links_is_never_much_more_work() {
    for ((name, grid), rule) in maps().into_iter().zip(CostRule::ALL.into_iter().cycle()) {
        let (map, mut random) = (PathMap::new(grid, rule), Random(5));
        let all = map.grid().bounds();
        let goals = [random.cell(map.grid()), random.cell(map.grid())];
        let whole = work::of(|| drop(FlowField::to_nearest(&map, &goals, all)));
        // A search may visit a sixteenth of the cells, and open some of them twice.
        let most = whole + map.grid().count() as u64 / 8;
        let lengths = dijkstra(map.grid(), rule, &goals, all, &[]);
        for asked in rectangles(goals[0]) {
            let mut field = None;
            let work = work::of(|| field = Some(FlowField::to_nearest(&map, &goals, asked)));
            let field = field.unwrap();
            assert!(work <= most, "{name} {rule:?} {asked:?}: {work}, and {whole} for all");
            for cell in all.cells() {
                let expected = lengths[map.grid().index(cell)].filter(|_| asked.contains(cell));
                assert_eq!(field.length(cell), expected, "{name} {rule:?} {asked:?} {cell}");
            }
        }
        for count in [1, 2, 300] {
            let mut link = || Link { from: random.cell(map.grid()), to: random.cell(map.grid()), steps: 7 };
            let mut links: Vec<Link> = (0..count).map(|_| link()).collect();
            // One leads to a goal, one to where another begins, one off the map.
            links.push(Link { from: links[0].to, to: goals[1], steps: 1 });
            links.push(Link { from: random.cell(map.grid()), to: links[0].from, steps: 3 });
            links.push(Link { from: Cell::new(WIDTH, 3), ..links[0] });
            let mut field = None;
            let work = work::of(|| field = FlowField::linked(&map, &goals, all, &links).ok());
            assert!(
                work <= 3 * whole + 60 * count + 1_000,
                "{name} {rule:?} {count} links: {work}, and {whole} without"
            );
            let lengths = dijkstra(map.grid(), rule, &goals, all, &links);
            for cell in all.cells() {
                let length = field.as_ref().unwrap().length(cell);
                assert_eq!(length, lengths[map.grid().index(cell)], "{name} {rule:?} {count} links {cell}");
            }
        }
    }
}

#[test]
fn what_can_be_reached_is_found_by_a_sweep_where_it_is_much() {
    for ((name, grid), rule) in maps().into_iter().zip(CostRule::ALL.into_iter().cycle()) {
        let (map, mut random) = (PathMap::new(grid, rule), Random(8));
        let all = map.grid().bounds();
        let from = map.components().nearest(map.components().largest(), random.cell(map.grid()), rule).unwrap();
        let sweep = work::of(|| drop(FlowField::new(&map, from, all)));
        for within in rectangles(from).filter(|within| within.contains(from)) {
            let lengths = dijkstra(map.grid(), rule, &[from], within, &[]);
            for budget in [0.0, 3.0, 20.5, 77.7, 150.0, 1e9] {
                let mut reach = None;
                let work = work::of(|| reach = Some(map.reach(from, budget, within)));
                let reach: Reach = reach.unwrap();
                let most = sweep + within.count() as u64 / 8 + 200;
                assert!(work <= most, "{name} {rule:?} {within:?} {budget}: {work}, a sweep {sweep}");
                let is_within = |length: &Length| length.as_f64() <= budget;
                for cell in all.cells() {
                    let expected = lengths[map.grid().index(cell)].filter(is_within);
                    assert_eq!(reach.cost(cell), expected, "{name} {rule:?} {within:?} {budget} {cell}");
                    let path = Some(cell).filter(|cell| near(*cell, from) % 9 == 4).and_then(|cell| reach.path(cell));
                    assert!(path.is_none_or(|path| Some(path.length()) == expected
                        && path.cells().iter().all(|cell| within.contains(*cell))
                        && path.validate(map.grid(), rule).is_ok()));
                }
                let expected = lengths.iter().flatten().filter(|length| is_within(length)).count();
                assert_eq!(reach.iter().count(), expected, "{name} {rule:?} {within:?} {budget}");
            }
        }
    }
}

#[test]
fn far_edits_cost_a_watch_no_search_however_many_they_are() {
    let rule = CostRule::Octile;
    for count in [1, 200, 255, 256, 257, 300, 1_000] {
        let (mut map, mut random) = (PathMap::new(Grid::open(400, 200).unwrap(), rule), Random(count));
        map.fill(CellRect::new(40, 3, 1, 50), false);
        let (mut scratch, from, to) = (Scratch::new(), Cell::new(20, 30), Cell::new(60, 30));
        let path = map.path(from, to, &mut scratch).unwrap();
        let (mut watch, mut fresh) = (PathWatch::new(&map, &path), Scratch::new());
        let work = work::of(|| (0..999).for_each(|_| assert_eq!(watch.shorter(&map, from, &mut fresh), None)));
        assert_eq!(work, 0, "nothing was edited");
        for _ in 0..count {
            let cell = Cell::new(250 + random.below(140), random.below(200));
            map.set(cell, !map.grid().is_free(cell));
        }
        for (step, here) in path.cells().iter().enumerate() {
            let work = work::of(|| assert_eq!(watch.shorter(&map, *here, &mut fresh), None, "{count} {step}"));
            assert!(work <= 3 && fresh.bytes() == 0, "{count} {step}: {work}");
        }
        // Now as many where they matter.
        for edit in 0..count {
            map.set(Cell::new(40, 50 - edit as u32 % 40), edit % 80 >= 40 || edit % 3 > 0);
            let expected = (edit + 1 == count).then(|| dijkstra(map.grid(), rule, &[to], map.grid().bounds(), &[]));
            let Some(lengths) = expected else { continue };
            let shortest = lengths[map.grid().index(from)].filter(|length| *length < path.length());
            let found = watch.clone().shorter(&map, from, &mut fresh).map(|path| path.length());
            assert_eq!(found, shortest, "{count}");
        }
    }
}

#[test]
fn ground_is_read_twice_however_large_an_agent_is() {
    // For where it can stand, and for weights.
    const MOST: u64 = 2 * 90 * 70;
    let (kind, all) = (|cell: Cell| (cell.x * 7 + cell.y * cell.x * 3) as u8 % 61, CellRect::new(0, 0, 90, 70));
    let weights = core::array::from_fn(|kind| kind as u32 * 37 % 61);
    for size in [0, 1, 2, 3, 4, 7, 8, 31, 70, 200] {
        let agent = AgentClass { size, walkable: TerrainSet::of(&core::array::from_fn::<_, 61, _>(|kind| kind as u8)) };
        let mut map = TerrainMap::new((90, 70), kind, CostRule::Octile, &[]).unwrap();
        let mut paths = None;
        let work = work::of(|| paths = WeightedPaths::new(&map, agent, &weights).ok());
        assert!(work <= MOST, "{size}: {work}");
        let of_one = |map: &TerrainMap, cell| weights[usize::from(map.kind(cell))].max(1);
        let heaviest = |map: &TerrainMap, cell| {
            agent.under(cell).clamped(90, 70).cells().map(|cell| of_one(map, cell)).max().unwrap()
        };
        let by_cell = map.weights(agent, &weights).unwrap();
        assert!(all.cells().all(|cell| by_cell[all.index(cell)] == heaviest(&map, cell)), "{size}");
        map.fill(CellRect::new(20, 5, 9, 40), 3);
        let work = work::of(|| assert!(paths.unwrap().repair(&map)));
        assert!(work <= MOST, "{size}: {work} after an edit");
    }
}

#[test]
fn a_search_reads_the_ground_a_few_times_however_large_an_agent_is() {
    let (kind, all) = (|cell: Cell| (cell.x * 7 + cell.y * cell.x * 3) as u8 % 61, CellRect::new(0, 0, 190, 170));
    let weights = core::array::from_fn(|kind| kind as u32 * 37 % 61);
    for size in [0, 1, 2, 3, 7, 31, 32, 33, 70, 171] {
        let agent = AgentClass { size, walkable: TerrainSet::of(&core::array::from_fn::<_, 61, _>(|kind| kind as u8)) };
        for classes in [&[][..], &[agent]] {
            let map = TerrainMap::new((190, 170), kind, CostRule::Octile, classes).unwrap();
            let (mut found, to) = (None, Cell::new(190 - size.clamp(1, 170), 170 - size.clamp(1, 170)));
            let ask = || found = map.cheapest_path(agent, &weights, (Cell::new(0, 0), to), &mut AStar::new()).unwrap();
            let work = work::of(ask);
            assert!(work <= 25 * all.count() as u64, "{size}: {work}");
            let expected = WeightedPaths::new(&map, agent, &weights).unwrap().path(&map, Cell::new(0, 0), to);
            assert_eq!(found.map(|(_, cost)| cost), expected.map(|(_, cost)| cost), "{size}");
        }
    }
}

#[test]
fn no_edit_is_one_too_many() {
    let (side, class) = (200, |size| AgentClass { size, walkable: TerrainSet::of(&[0, 1]) });
    for size in [1, 2, 9, 60] {
        let mut map = TerrainMap::new((side, side), |_| 0, CostRule::Octile, &[]).unwrap();
        let (weights, mut random) = (core::array::from_fn(|kind| 1 + kind as u32), Random(size.into()));
        let mut paths = WeightedPaths::new(&map, class(size), &weights).unwrap();
        let whole = work::of(|| drop(WeightedPaths::new(&map, class(size), &weights)));
        for count in [1, 16, 255, 256, 257, 512, 1_000, 1_250, 1_251, 3_000] {
            for _ in 0..count {
                let cell = Cell::new(random.below(side), random.below(side));
                map.set(cell, 1 - map.terrain(cell).unwrap());
            }
            let work = work::of(|| assert!(paths.repair(&map)));
            let most = whole.min(count * 2 * u64::from(2 * size - 1).pow(2));
            assert!(work <= most || count > 1_250 && work <= whole, "{size} {count}: {work}, {most}, {whole}");
            let mut expected = WeightedPaths::new(&map, class(size), &weights).unwrap();
            let cost = |paths: &mut WeightedPaths| paths.path(&map, Cell::new(3, 9), Cell::new(130, 99)).unwrap().1;
            assert_eq!(cost(&mut paths), cost(&mut expected), "{size} {count}");
        }
    }
}

#[test]
fn fields_follow_any_number_of_edits_near_and_far() {
    for (rule, count) in CostRule::ALL.into_iter().zip([255, 256, 257, 1_000]) {
        for (name, grid) in maps() {
            let (mut map, mut random) = (PathMap::new(grid, rule), Random(count));
            let goal = map.components().nearest(map.components().largest(), Cell::new(20, 20), rule).unwrap();
            let mut field = FlowField::new(&map, goal, map.grid().bounds());
            for place in [Cell::new(10, 10), Cell::new(170, 110)] {
                for _ in 0..count {
                    let cell = Cell::new(place.x + random.below(30), place.y + random.below(30));
                    map.set(cell, cell == goal || random.below(4) > 0);
                }
                field.repair(&map);
                let lengths = dijkstra(map.grid(), rule, &[goal], map.grid().bounds(), &[]);
                for cell in map.grid().bounds().cells() {
                    assert_eq!(field.length(cell), lengths[map.grid().index(cell)], "{name} {rule:?} {count} {cell}");
                }
            }
        }
    }
}

#[test]
fn many_paths_are_hardly_more_work_than_a_loop() {
    for (name, grid) in maps().into_iter().filter(|(name, _)| *name != "noise") {
        let (map, mut random, mut scratch) = (PathMap::new(grid, CostRule::Octile), Random(7), Scratch::new());
        let first = map.components().nearest(map.components().largest(), Cell::new(9, 9), map.rule()).unwrap();
        for (count, goals) in
            [2, 9, 20, 100, 500].into_iter().flat_map(|count| [1, 5, count].map(|goals| (count, goals)))
        {
            let goals: Vec<Cell> = (0..goals).map(|_| random.reachable(&map, first)).collect();
            let ends: Vec<_> =
                (0..count).map(|unit| (random.reachable(&map, first), goals[unit % goals.len()])).collect();
            let (mut one_by_one, mut at_once) = (Vec::new(), Vec::new());
            let mut ask = |scratch: &mut Scratch| {
                work::of(|| one_by_one = ends.iter().map(|(from, to)| map.path(*from, *to, scratch)).collect())
            };
            ask(&mut scratch);
            let alone = ask(&mut scratch);
            let work = work::of(|| at_once = map.paths(&ends, &mut scratch));
            let lengths = |paths: &[Option<Path>]| -> Vec<_> {
                paths.iter().map(|path| path.as_ref().map(Path::length)).collect()
            };
            assert_eq!(lengths(&at_once), lengths(&one_by_one), "{name} {count} {}", goals.len());
            assert!(10 * work <= 11 * alone + 100, "{name} {count} {}: {work}, one by one {alone}", goals.len());
        }
    }
}

#[test]
fn searches_after_edits_with_taut_paths_only_scan_each_corner_once() {
    for (count, rule) in [20, 100, 300].into_iter().zip(CostRule::ALL) {
        for (name, grid) in maps() {
            let (mut map, mut random, mut scratch) = (PathMap::new(grid, rule), Random(count), Scratch::new());
            let first = map.components().nearest(map.components().largest(), Cell::new(9, 9), rule).unwrap();
            for _ in 0..count {
                let _ = map.taut_path(first, random.reachable(&map, first), &mut scratch);
                let cell = random.cell(map.grid());
                map.set(cell, cell == first || !map.grid().is_free(cell));
            }
            let _ = map.taut_path(first, first, &mut scratch);
            let ends: Vec<_> = (0..60).map(|_| (random.reachable(&map, first), first)).collect();
            let lengths = dijkstra(map.grid(), rule, &[first], map.grid().bounds(), &[]);
            let ask = |map: &PathMap, scratch: &mut Scratch| {
                let paths = map.paths(&ends, scratch);
                for ((from, _), path) in ends.iter().zip(paths) {
                    let length = path.map(|path| path.length());
                    assert_eq!(length, lengths[map.grid().index(*from)], "{name} {rule:?} {count} {from}");
                }
                work::of(|| {
                    for (from, to) in &ends {
                        let length = map.path(*from, *to, scratch).map(|path| path.length());
                        assert_eq!(length, lengths[map.grid().index(*from)], "{name} {rule:?} {count} {from}");
                    }
                })
            };
            ask(&map, &mut scratch);
            let later = ask(&map, &mut scratch);
            map.validate().unwrap();
            map.maintain();
            map.validate().unwrap();
            let tidied = ask(&map, &mut scratch);
            assert!(later <= tidied + tidied / 4 + 60, "{name} {rule:?} {count}: {later}, tidied {tidied}");
            map.set(random.cell(map.grid()), false);
            map.validate().unwrap();
        }
    }
}

#[test]
fn no_slice_of_a_field_takes_long_whatever_has_been_edited_meanwhile() {
    let agent = AgentClass { size: 1, walkable: TerrainSet::of(&[0]) };
    let mut map = TerrainMap::new((200, 150), |_| 0, CostRule::Octile, &[agent]).unwrap();
    let begin = |map: &TerrainMap| {
        FlowField::begin_weighted(map, agent, &[1; 64], &[(Cell::new(9, 9), 0)], map.bounds()).unwrap()
    };
    let mut growing = begin(&map);
    map.fill(CellRect::new(20, 0, 1, 149), 1);
    let (mut most, mut field) = (0, None);
    while field.is_none() {
        most = most.max(work::of(|| field = growing.go_on_weighted(&map, 300)));
    }
    assert!(most < 3_000, "{most}");
    assert!(field.unwrap().iter().eq(begin(&map).go_on_weighted(&map, usize::MAX).unwrap().iter()));
}

#[test]
fn a_landmark_is_made_in_slices_and_bounds_stay_right_while_walls_come_and_go() {
    for (name, grid) in maps() {
        let (mut map, mut random, mut scratch) = (PathMap::new(grid, CostRule::Octile), Random(4), Scratch::new());
        let first = map.components().nearest(map.components().largest(), Cell::new(9, 9), map.rule()).unwrap();
        map.begin_landmark(0);
        let mut calls = 0;
        let mut is_begun = true;
        while is_begun {
            let work = work::of(|| is_begun = map.maintain_for(20));
            assert!(work <= 20 * 16 + 1, "{name}: {work}");
            calls += 1;
            // A wall, and later a door where it was.
            let cell = random.cell(map.grid());
            if calls % 5 == 0 && map.grid().is_free(cell) && cell != first {
                map.set(cell, false);
                map.set(cell, calls % 10 == 0);
            }
        }
        assert!(calls > 20 && map.landmark_count() == 1, "{name}: {calls}");
        map.add_landmarks(1);
        let lengths = dijkstra(map.grid(), map.rule(), &[first], map.grid().bounds(), &[]);
        for _ in 0..100 {
            let from = random.reachable(&map, first);
            let length = map.path(from, first, &mut scratch).map(|path| path.length());
            assert_eq!(length, lengths[map.grid().index(from)], "{name} {from}");
        }
        map.begin_landmark(1);
        let wall = map.grid().bounds().cells().find(|cell| !map.grid().is_free(*cell)).unwrap();
        map.set(wall, true);
        assert!(!map.maintain_for(1), "{name}");
    }
}

#[test]
fn an_edit_looks_at_each_cell_under_large_agents_once() {
    let class = |size| AgentClass { size, walkable: TerrainSet::of(&[0]) };
    let whole = CellRect::new(50, 50, 1, 1);
    for size in [1, 2, 10, 40] {
        let mut map = TerrainMap::new((100, 100), |_| 0, CostRule::Octile, &[class(size)]).unwrap();
        let around = u64::from(2 * size - 1).pow(2);
        let work = work::of(|| assert!(map.fill(whole, 1)));
        assert!(work <= around + 2, "{size}: {work}");
        let work = work::of(|| assert_eq!(map.would_close(class(size), (whole, 0), &[], Cell::new(0, 0)), None));
        assert!(work <= around + 2, "{size}: {work}");
        assert!(map.fill(whole, 0) && map.paths(class(size)).is_some_and(|map| map.grid().count_free() > 0));
    }
}

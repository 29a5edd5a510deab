//! Fields and reaches that are computed in slices: they are those computed in one go, for the map as it is at the end.

use crate::common::{RULES, noise, random_cell, random_grid};
use quadrille_paths::{AgentClass, Cell, CellRect, CostRule, FlowField, Grid, Link, PathMap, TerrainMap, TerrainSet};

/// Calls `slice` with budgets until it answers, and `edit` between the calls.
fn sliced<M, T>(
    map: &mut M,
    seed: u64,
    mut slice: impl FnMut(&M, usize) -> Option<T>,
    edit: impl Fn(&mut M, u32),
) -> T {
    let budget = |call: u32| match seed % 4 {
        0 => 1,
        1 => (noise(Cell::new(call, 1), seed) % 3) as usize,
        2 => (noise(Cell::new(call, 1), seed) % 90) as usize,
        _ => usize::MAX,
    };
    assert!(slice(map, 0).is_none(), "nothing for nothing");
    for call in 0.. {
        if let Some(done) = slice(map, budget(call)) {
            assert!(slice(map, usize::MAX).is_none(), "once only");
            return done;
        }
        // Sometimes none, sometimes rarely, sometimes after each slice.
        if seed % 5 > 0 && noise(Cell::new(call, 2), seed) % (1 + seed % 5 * 9) == 0 {
            edit(map, call);
        }
        assert!(call < 100_000, "it does not end: {seed}");
    }
    unreachable!("calls are counted until it ends")
}

/// Flips a cell or, seldom, fills a part.
fn flip(map: &mut PathMap, seed: u64, call: u32) {
    let (cell, side) = (random_cell(map.grid(), seed, call), if call % 9 == 0 { 7 } else { 1 });
    let is_free = map.grid().is_free(cell);
    map.fill(CellRect::new(cell.x, cell.y, side, side), !is_free);
}

/// Maps of odd shapes, some empty, with cells of each.
fn maps() -> impl Iterator<Item = (PathMap, u64, [Cell; 3])> {
    let shapes = [(0, 3), (1, 1), (1, 90), (65, 4), (29, 21), (70, 40)];
    let all = RULES.into_iter().flat_map(move |rule| shapes.into_iter().map(move |shape| (rule, shape)));
    all.flat_map(|(rule, (width, height))| {
        (0..20).map(move |seed| {
            let grid = random_grid(width, height, seed, seed % 4);
            let cell = |index| if width == 0 { Cell::default() } else { random_cell(&grid, seed, index) };
            let cells = [cell(1), cell(2), cell(3)];
            (PathMap::new(grid, rule), seed, cells)
        })
    })
}

/// All of a map, or a part of it.
fn part(map: &PathMap, seed: u64) -> CellRect {
    if seed % 3 == 0 { CellRect::new(1, 2, 9, 4) } else { map.grid().bounds() }
}

#[test]
fn a_field_made_in_slices_is_the_field_of_the_map_as_it_is() {
    for (mut map, seed, [one, other, third]) in maps() {
        let (asked, starts) = (part(&map, seed), [(one, 3), (other, 0), (Cell::new(900, 0), 0)]);
        let links = [Link { from: third, to: one, steps: 2 }, Link { from: one, to: other, steps: 9 }];
        let links = if seed % 7 == 3 { &links[..] } else { &[] };
        let goals = [one, other];
        let mut growing = if links.is_empty() {
            FlowField::begin(&map, &starts, asked)
        } else {
            FlowField::begin_linked(&map, &goals, asked, links).unwrap()
        };
        let field = sliced(&mut map, seed, |map, cells| growing.go_on(map, cells), |map, call| flip(map, seed, call));
        let whole = if links.is_empty() {
            FlowField::with_starts(&map, &starts, asked)
        } else {
            FlowField::linked(&map, &goals, asked, links).unwrap()
        };
        assert!(field.iter().eq(whole.iter()), "{seed}");
        for cell in asked.clamped(map.grid().width(), map.grid().height()).cells() {
            assert!(field.path(cell).eq(whole.path(cell)), "{seed}: from {cell}");
        }
    }
}

#[test]
fn what_is_reached_in_slices_is_what_is_reached_at_once() {
    for (mut map, seed, [from, ..]) in maps() {
        let (within, budget) = (part(&map, seed), [2.0, 9.5, 40.0, 1e9, f64::NAN, -1.0][seed as usize % 6]);
        let mut growing = map.begin_reach(from, budget, within);
        let reach = sliced(&mut map, seed, |map, cells| growing.go_on(map, cells), |map, call| flip(map, seed, call));
        let whole = map.reach(from, budget, within);
        assert!(reach.iter().eq(whole.iter()), "{seed} {budget}");
        for (cell, cost) in whole.iter() {
            let path = reach.path(cell).unwrap();
            path.validate(map.grid(), map.rule()).unwrap();
            assert_eq!((path.cells().first(), path.length()), (Some(&from), cost));
        }
    }
}

#[test]
fn on_terrain_both_follow_what_changes_meanwhile() {
    let agent = |size| AgentClass { size, walkable: TerrainSet::of(&[0, 1, 2]) };
    let mut weights = [1; TerrainSet::KINDS as usize];
    weights[1..3].copy_from_slice(&[3, 70]);
    for (rule, seed) in RULES.into_iter().flat_map(|rule| (0..30).map(move |seed| (rule, seed))) {
        let (agent, kind) = (agent(1 + seed as u32 % 2), |cell| (noise(cell, seed) % 4) as u8);
        let classes = if seed % 4 < 2 { &[agent][..] } else { &[] };
        let mut map = TerrainMap::new((33, 17), kind, rule, classes).unwrap();
        let goals = [(Cell::new(4, 4), 2), (Cell::new(30, 9), 0)];
        let asked = if seed % 3 == 0 { CellRect::new(0, 3, 20, 9) } else { map.bounds() };
        let edit = |map: &mut TerrainMap, call: u32| {
            let cell = Cell::new(call * 7 % 33, call * 5 % 17);
            map.fill(CellRect::new(cell.x, cell.y, 2, 1), (call % 4) as u8);
        };
        let mut growing = FlowField::begin_weighted(&map, agent, &weights, &goals, asked).unwrap();
        let field = sliced(&mut map, seed, |map, cells| growing.go_on_weighted(map, cells), edit);
        let whole = FlowField::weighted_with_starts(&map, agent, &weights, &goals, asked).unwrap();
        assert!(field.iter().eq(whole.iter()), "{rule:?} {seed}");
        let budget = (Cell::new(9, 9), [5.0, 80.0, 1e6][seed as usize % 3], asked);
        let mut growing = map.begin_reach(agent, &weights, budget).unwrap();
        let reach = sliced(&mut map, seed, |map, cells| growing.go_on_weighted(map, cells), edit);
        assert!(reach.iter().eq(map.reach(agent, &weights, budget).unwrap().iter()), "{rule:?} {seed}");
    }
}

#[test]
fn edits_far_away_void_nothing_and_others_cannot_starve_it() {
    let mut map = PathMap::new(Grid::open(300, 60).unwrap(), CostRule::Octile);
    let (from, all) = (Cell::new(20, 30), map.grid().bounds());
    let calls = |map: &mut PathMap, edited: u32| {
        let mut growing = map.begin_reach(from, 15.0, all);
        (1..).find(|call| {
            map.set(Cell::new(edited, 30), call % 2 == 0);
            growing.go_on(map, 20).is_some()
        })
    };
    let (far, near) = (calls(&mut map, 280).unwrap(), calls(&mut map, 25).unwrap());
    assert!(far > 10 && near < 10, "{far} {near}");
    // A field that takes long to mend begins again, with twice its share.
    let calls = |map: &mut PathMap, edited: Option<u32>| {
        let mut growing = FlowField::begin(map, &[(from, 0)], all);
        (1..).find(|call| {
            edited.map(|x| map.set(Cell::new(x, 30), call % 2 == 0));
            growing.go_on(map, 200).is_some_and(|field| field.version() == map.version())
        })
    };
    let [far, near, none] = [Some(299), Some(25), None].map(|edited| calls(&mut map, edited).unwrap());
    assert!(far.max(near) < 3 * none, "{far} {near} {none}");
}

#[test]
fn on_another_map_they_are_that_map_s() {
    let weights = [2; TerrainSet::KINDS as usize];
    let agent = AgentClass { size: 1, walkable: TerrainSet::of(&[0]) };
    let terrain = |width| TerrainMap::new((width, 20), |_| 0, CostRule::Octile, &[agent]).unwrap();
    let (small, large, from) = (terrain(20), terrain(40), Cell::new(3, 3));
    let [one, other] = [&small, &large].map(|map| map.paths(agent).unwrap());
    let mut reach = one.begin_reach(from, 30.0, other.grid().bounds());
    let mut field = FlowField::begin(one, &[(from, 0)], other.grid().bounds());
    assert!(reach.go_on(one, 50).is_none() && field.go_on(one, 50).is_none());
    let whole = other.reach(from, 30.0, other.grid().bounds());
    assert!(reach.go_on(other, usize::MAX).unwrap().iter().eq(whole.iter()));
    assert_eq!(field.go_on(other, usize::MAX).unwrap().iter().count(), 800);
    let goals = [(from, 0)];
    let mut field = FlowField::begin_weighted(&small, agent, &weights, &goals, large.bounds()).unwrap();
    let mut reach = small.begin_reach(agent, &weights, (from, 9.0, large.bounds())).unwrap();
    assert!(reach.go_on(one, 9).is_none(), "terrain is needed");
    assert_eq!(field.go_on_weighted(&large, usize::MAX).unwrap().length(Cell::new(39, 3)).unwrap().straight, 72);
    assert!(reach.go_on_weighted(&large, usize::MAX).unwrap().cost(Cell::new(7, 3)).is_some());
    let heavy = [9_000_000; TerrainSet::KINDS as usize];
    let mut reach = terrain(2).begin_reach(agent, &heavy, (Cell::new(1, 1), 9e9, large.bounds())).unwrap();
    assert_eq!(reach.go_on_weighted(&large, usize::MAX).unwrap().iter().count(), 0, "too heavy there");
    assert!(one.begin_reach(from, 9.0, small.bounds()).go_on_weighted(&small, usize::MAX).is_none());
}

//! What units query before they act: limits of work, what a wall would cut off, where to step out of one, shorter
//! paths, maps of their own.

use std::collections::{HashMap, VecDeque};

use quadrille_paths::{
    AStar, AgentClass, Cell, CellRect, CostRule, Direction, FlowField, Grid, GridError, Length, Link, OutOfWork, Path,
    PathLimits, PathMap, PathWatch, Scratch, TerrainMap, TerrainSet, WeightedPaths,
};

use super::{GROUND, WALL, WATER, classes, kind, random_links, weights};
use crate::common::{RULES, noise, random_cell, random_grid};

#[test]
fn a_path_within_limits_of_work_is_the_shortest_or_not_known() {
    let (mut scratch, mut out_of_work, mut found) = (Scratch::new(), 0, 0);
    for (seed, rule) in (0..60).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        let map = PathMap::new(random_grid(53, 41, seed, 1 + seed % 3), rule);
        let (from, to) = (random_cell(map.grid(), seed, 0), random_cell(map.grid(), seed, 1));
        let path = map.path(from, to, &mut scratch);
        let expanded = scratch.expanded();
        // Exactly as many as needed are enough.
        for (part, corners) in [(1.0, expanded), (f64::INFINITY, expanded), (2.0, u64::MAX), (0.7, u64::MAX)] {
            let length = part * path.as_ref().map_or(9.0, |path| path.length().as_f64());
            let within = map.path_within(from, to, length, &mut scratch);
            let limited = map.limited_path(from, to, PathLimits { length, corners }, &mut scratch);
            assert_eq!(limited, Ok(within), "{rule:?} {seed} {part}");
            found += usize::from(limited.unwrap().is_some());
        }
        for corners in (0..expanded).step_by(7) {
            let limits = PathLimits { corners, ..PathLimits::default() };
            let limited = map.limited_path(from, to, limits, &mut scratch);
            let expected = if path.is_some() { Err(OutOfWork { corners }) } else { Ok(None) };
            assert_eq!(limited, expected, "{rule:?} {seed} {corners}");
            out_of_work += usize::from(limited.is_err());
        }
    }
    assert!(found > 200 && out_of_work > 500, "{found} {out_of_work}");
}

#[test]
fn what_a_wall_would_close_is_known_and_nothing_is_built() {
    let (mut astar, mut scratch, mut closed, mut open) = (AStar::new(), Scratch::new(), [0; 4], 0);
    for (seed, rule) in (0..40).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        let mut map = PathMap::new(random_grid(31, 22, seed, 1 + seed % 4), rule);
        for round in 0..12 {
            let from: Vec<Cell> = (0..4).map(|index| random_cell(map.grid(), seed, 40 * round + index)).collect();
            let to = random_cell(map.grid(), seed, 40 * round + 9);
            let at = random_cell(map.grid(), seed, 40 * round + 10);
            let (width, height) = [(1, 1), (3, 3), (60, 1), (1, 30)][round as usize % 4];
            let rect = CellRect::new(at.x, at.y, width, height);
            let mut walled = map.grid().clone();
            walled.fill(rect, false);
            let mut reaches = |grid: &Grid, cell: Cell| astar.path(grid, rule, cell, to).is_some();
            let expected =
                (0..from.len()).find(|place| reaches(map.grid(), from[*place]) && !reaches(&walled, from[*place]));
            let version = map.version();
            assert_eq!(map.would_close(rect, &from, to), expected, "{rule:?} {seed} {round}");
            assert_eq!(map.version(), version);
            map.validate().unwrap();
            let length = |path: Option<quadrille_paths::Path>| path.map(|path| path.length());
            let path = length(map.path(from[0], to, &mut scratch));
            assert_eq!(path, length(astar.path(map.grid(), rule, from[0], to)), "{rule:?} {seed} {round}");
            match expected {
                Some(place) => closed[place] += 1,
                None => open += 1,
            }
            map.fill(CellRect::new(at.x, at.y, 1, 2), round % 3 == 0);
        }
    }
    assert!(
        closed.iter().all(|count| *count > 4) && closed.iter().sum::<u32>() > 80 && open > 300,
        "{closed:?} {open}"
    );
}

#[test]
fn the_nearest_free_cell_is_the_one_of_all_that_is_nearest() {
    let (mut itself, mut other, mut none) = (0, 0, 0);
    for (seed, rule) in (0..60).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        let (width, height) = [(29, 21), (70, 3), (2, 60), (1, 1)][seed as usize / 2 % 4];
        let map = PathMap::new(random_grid(width, height, seed, 2 + seed % 6), rule);
        for round in 0..8 {
            let cell = random_cell(map.grid(), seed, round);
            let cell = if round == 7 { Cell::new(cell.x + width, cell.y) } else { cell };
            let on_map = Cell::new(cell.x.min(width - 1), cell.y);
            let wanted = Some(random_cell(map.grid(), seed, 50 + round)).filter(|_| round % 2 == 0);
            let will_do =
                |free: &Cell| map.grid().is_free(*free) && wanted.is_none_or(|wanted| map.is_reachable(*free, wanted));
            let nearest = map.grid().bounds().cells().filter(will_do);
            let nearest = nearest.min_by_key(|free| (rule.distance(*free, on_map), free.y, free.x));
            assert_eq!(map.nearest_free(cell, wanted), nearest, "{rule:?} {seed} {cell} {wanted:?}");
            match nearest {
                Some(nearest) if nearest == on_map => itself += 1,
                Some(_) => other += 1,
                None => none += 1,
            }
        }
    }
    assert!(itself > 200 && other > 400 && none > 100, "{itself} {other} {none}");
    let nowhere = PathMap::new(Grid::blocked(0, 4).unwrap(), CostRule::Octile);
    assert_eq!(nowhere.nearest_free(Cell::new(3, 3), None), None);
}

#[test]
fn a_watched_path_with_links_breaks_exactly_when_a_step_or_an_end_of_a_link_is_blocked() {
    let (mut scratch, mut broken, mut at_link) = (Scratch::new(), 0, 0);
    for (seed, rule) in (0..150).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        let (width, height) = if seed % 3 == 0 { (110, 70) } else { (31, 31) };
        let mut map = PathMap::new(random_grid(width, height, seed, 2), rule);
        let links = random_links(&map, seed, 0);
        let (from, to) = (random_cell(map.grid(), seed, 0), random_cell(map.grid(), seed, 1));
        let Some(path) = map.linked_path(from, to, &links, &mut scratch) else { continue };
        if path.taken().is_empty() {
            continue;
        }
        let taken: Vec<Link> = path.taken().iter().map(|link| links[*link]).collect();
        let mut watch = PathWatch::linked(&map, path.legs(), &taken);
        for edit in 0..300 {
            // Sometimes the end of a link, otherwise any cell.
            let link = links[edit as usize % links.len()];
            let cell = match edit % 40 {
                17 => link.from,
                31 => link.to,
                _ => random_cell(map.grid(), seed, edit + 2),
            };
            map.set(cell, edit % 2 == 0);
            if noise(Cell::new(edit, 0), seed) % 4 != 0 {
                continue;
            }
            let grid = map.grid();
            let is_legal = |pair: &[Cell]| {
                Direction::between(pair[0], pair[1]).is_some_and(|way| grid.can_step(pair[0], way, rule))
            };
            let mut expected = (!grid.is_free(from)).then_some((from, false));
            for (number, leg) in path.legs().iter().enumerate() {
                let step = leg.cells().windows(2).find(|pair| !is_legal(pair)).map(|pair| (pair[0], false));
                let next = path.legs().get(number + 1).and_then(|leg| leg.cells().first());
                let jump = next.filter(|next| !grid.is_free(**next)).and(leg.cells().last());
                expected = expected.or(step).or(jump.map(|cell| (*cell, true)));
            }
            assert_eq!(watch.check(&map), expected.map(|(cell, _)| cell), "{rule:?} {seed} {edit}");
            if let Some((_, is_at_link)) = expected {
                (broken, at_link) = (broken + 1, at_link + usize::from(is_at_link));
                break;
            }
        }
    }
    assert!(broken > 50 && at_link > 10, "{broken} {at_link}");
}

#[test]
fn plain_a_star_expands_no_cell_where_start_and_goal_are_the_same() {
    let (grid, here, mut astar) = (Grid::open(40, 30).unwrap(), Cell::new(20, 9), AStar::new());
    let path = astar.path(&grid, CostRule::Octile, here, here).unwrap();
    assert_eq!((path.cells(), path.length(), astar.expanded()), (&[here][..], Length::ZERO, 0));
}

#[test]
fn a_watched_path_may_begin_with_a_leg_without_cells() {
    let mut map = PathMap::new(Grid::open(6, 5).unwrap(), CostRule::Octile);
    let leg = Path::of_cells((1..4).map(|x| Cell::new(x, 1)).collect()).unwrap();
    let link = Link { from: Cell::new(0, 4), to: leg.cells()[0], steps: 1 };
    let mut watch = PathWatch::linked(&map, &[Path::of_cells(Vec::new()).unwrap(), leg], &[link]);
    assert_eq!(watch.check(&map), None);
    map.set(Cell::new(3, 1), false);
    assert_eq!(watch.check(&map), Some(Cell::new(2, 1)));
}

#[test]
fn what_is_left_of_a_watched_path_counts_its_links() {
    let mut map = PathMap::new(Grid::open(40, 12).unwrap(), CostRule::Octile);
    map.fill(CellRect::new(20, 0, 1, 12), false);
    let (from, to, mut scratch) = (Cell::new(2, 4), Cell::new(30, 4), Scratch::new());
    let ferry = Link { from: Cell::new(19, 4), to: Cell::new(21, 4), steps: 7 };
    let path = map.linked_path(from, to, &[ferry], &mut scratch).unwrap();
    let mut watch = PathWatch::linked(&map, path.legs(), &[ferry]);
    assert_eq!(watch.shorter(&map, from, &mut scratch), None);
    // Around by row 11 is 14 steps and 14 diagonals, 33.8: longer than the 33 with the ferry.
    map.set(Cell::new(20, 11), true);
    assert_eq!(watch.shorter(&map, from, &mut scratch), None);
    map.set(Cell::new(20, 5), true);
    let shorter = watch.shorter(&map, from, &mut scratch).unwrap();
    assert_eq!(Some(shorter), map.path(from, to, &mut scratch));
    // Behind the ferry nothing is shorter.
    assert_eq!(watch.shorter(&map, ferry.to, &mut scratch), None);
    assert!(watch.shorter(&map, ferry.from, &mut scratch).is_some());
}

#[test]
fn a_watch_knows_of_each_shorter_path() {
    let (mut astar, mut scratch, mut shorter, mut same, mut searched) = (AStar::new(), Scratch::new(), 0, 0, 0);
    for (seed, rule) in (0..120).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        let mut map = PathMap::new(random_grid(70, 41, seed, 2 + seed % 2), rule);
        map.fill(CellRect::new(35, 0, 2, 40), false);
        let (from, to) = (random_cell(map.grid(), seed, 0), random_cell(map.grid(), seed, 1));
        let Some(path) = map.path(from, to, &mut scratch) else { continue };
        let mut watch = PathWatch::new(&map, &path);
        for round in 0..30_u32 {
            let at = random_cell(map.grid(), seed, 10 + round);
            // Most walls are removed; none is built on the path.
            let wall = |cell: Cell| round % 5 == 0 && !path.cells().contains(&cell);
            map.edit(CellRect::new(at.x, at.y, 2, 1), |cell| !wall(cell));
            // The agent walks on, and once goes back.
            let step = if round == 20 { 0 } else { round as usize * path.cells().len() / 40 };
            let here = path.cells()[step];
            let left: Vec<Cell> = path.cells()[step..].to_vec();
            let left = quadrille_paths::Path::of_cells(left).unwrap().length();
            let is_whole = path.validate(map.grid(), rule).is_ok();
            let length = astar.path(map.grid(), rule, here, to).map(|path| path.length());
            let expected = length.filter(|length| is_whole && *length < left);
            let _ = map.path(Cell::new(0, 0), Cell::new(0, 0), &mut scratch);
            let found = watch.shorter(&map, here, &mut scratch);
            searched += usize::from(scratch.expanded() > 0);
            assert_eq!(found.as_ref().map(quadrille_paths::Path::length), expected, "{rule:?} {seed} {round}");
            if let Some(found) = found {
                found.validate(map.grid(), rule).unwrap();
                assert_eq!((found.cells().first(), found.cells().last()), (Some(&here), Some(&to)));
                shorter += 1;
            } else {
                same += usize::from(is_whole);
            }
        }
        assert_eq!(watch.shorter(&map, Cell::new(99, 0), &mut scratch), None, "not on the path");
        let mut other = map.clone();
        other.fill(map.grid().bounds(), true);
        let left = rule.distance(from, to);
        let open = watch.shorter(&other, from, &mut scratch).map(|path| path.length());
        assert_eq!(open, (watch.check(&other).is_none() && left < path.length()).then_some(left), "another map");
    }
    assert!(shorter > 100 && same > 2_000 && searched < 5_000, "{shorter} {same} {searched}");
}

#[test]
fn agents_without_a_map_of_their_own_have_the_paths_of_one() {
    let (mut astar, mut found, mut none) = (AStar::new(), 0, 0);
    let agents = [(1, &[GROUND][..]), (1, &[GROUND, WATER]), (2, &[GROUND, WATER]), (2, &[GROUND, WATER, WALL, 70])];
    let agents = agents.map(|(size, kinds)| AgentClass { size, walkable: TerrainSet::of(kinds) });
    for (seed, rule) in (0..30).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        let patch = |cell: Cell| kind(Cell::new(cell.x / 4, cell.y / 4), seed);
        // A class that all can follow, so that its map shows which ends have no path between them; and none.
        let wide = AgentClass { size: 1, walkable: TerrainSet::of(&[GROUND, WATER, WALL]) };
        let few = [vec![wide], vec![]];
        let mut map = TerrainMap::new((24, 19), patch, rule, &few[seed as usize % 2]).unwrap();
        map.fill(CellRect::new(11, 0, 1, 19), [63, WATER, GROUND, GROUND][seed as usize / 2 % 4]);
        for (agent, round) in agents.into_iter().zip(0..) {
            let mut with = TerrainMap::new((24, 19), |cell| map.terrain(cell).unwrap(), rule, &[agent]).unwrap();
            with.fill(CellRect::new(3, 3, 2, 2), GROUND);
            map.fill(CellRect::new(3, 3, 2, 2), GROUND);
            let grid = with.paths(agent).unwrap().grid().clone();
            let (from, to) = (random_cell(&grid, seed, round), random_cell(&grid, seed, 9 + round));
            let expected = with.cheapest_path(agent, &weights(), (from, to), &mut astar).unwrap();
            let path = map.cheapest_path(agent, &weights(), (from, to), &mut astar).unwrap();
            assert_eq!(path, expected, "{rule:?} {seed} {agent:?}");
            match path {
                Some(_) => found += 1,
                None => none += 1,
            }
            let reach = |map: &TerrainMap| {
                map.reach(agent, &weights(), (from, 17.0, map.bounds())).unwrap().iter().collect::<Vec<_>>()
            };
            assert_eq!(reach(&map), reach(&with), "{rule:?} {seed} {agent:?}");
            map.add_class(agent).unwrap();
            map.add_class(agent).unwrap();
            assert_eq!(map.classes().filter(|class| *class == agent).count(), 1);
            let mine = map.paths(agent).unwrap();
            mine.validate().unwrap();
            assert!(grid.bounds().cells().all(|cell| grid.is_free(cell) == mine.grid().is_free(cell)));
        }
    }
    assert!(found > 60 && none > 60, "{found} {none}");
}

#[test]
fn no_more_classes_are_added_than_there_may_be() {
    let class = |bits: usize| {
        let kinds: Vec<u8> = (0..9).filter(|kind| bits >> kind & 1 == 1).collect();
        AgentClass { size: 1, walkable: TerrainSet::of(&kinds) }
    };
    let all: Vec<AgentClass> = (0..TerrainMap::MAX_CLASSES).map(class).collect();
    let mut map = TerrainMap::new((2, 2), |_| 0, CostRule::Octile, &all).unwrap();
    let one_more = map.add_class(class(TerrainMap::MAX_CLASSES));
    assert_eq!(one_more, Err(GridError::TooManyClasses { count: TerrainMap::MAX_CLASSES + 1 }));
    assert_eq!(map.add_class(class(3)), Ok(()));
}

#[test]
fn what_new_terrain_would_close_for_a_class_is_known_and_nothing_changes() {
    let (mut closed, mut open) = (0, 0);
    for seed in 0..40 {
        let mut map = TerrainMap::new((24, 19), |cell| kind(cell, seed), CostRule::Octile, &classes()).unwrap();
        for (round, agent) in (0..12).zip(classes().into_iter().cycle()) {
            let all = Grid::open(24, 19).unwrap();
            let from: Vec<Cell> = (0..3).map(|index| random_cell(&all, seed, 40 * round + index)).collect();
            let (to, at) = (random_cell(&all, seed, 40 * round + 7), random_cell(&all, seed, 40 * round + 8));
            let (rect, new) = (CellRect::new(at.x, 0, 2, 40), [WATER, 63, GROUND][round as usize % 3]);
            let mut after = map.clone();
            after.fill(rect, new);
            let reaches = |map: &TerrainMap, cell| map.paths(agent).unwrap().is_reachable(cell, to);
            let expected = (0..3).find(|place| reaches(&map, from[*place]) && !reaches(&after, from[*place]));
            let before: Vec<_> = map.bounds().cells().map(|cell| map.terrain(cell)).collect();
            assert_eq!(map.would_close(agent, (rect, new), &from, to), expected, "{seed} {round}");
            assert!(map.bounds().cells().map(|cell| map.terrain(cell)).eq(before));
            map.paths(agent).unwrap().validate().unwrap();
            match expected {
                Some(_) => closed += 1,
                None => open += 1,
            }
        }
        let nobody = AgentClass { size: 9, walkable: TerrainSet::of(&[GROUND]) };
        assert_eq!(map.would_close(nobody, (map.bounds(), 63), &[Cell::default()], Cell::default()), None);
    }
    assert!(closed > 40 && open > 200, "{closed} {open}");
}

/// The least cost with links from one cell to another, by relaxing steps and links until nothing changes.
fn cheapest_with_links(
    grid: &Grid,
    weight: impl Fn(Cell) -> u32,
    links: &[Link],
    from: Cell,
    to: Cell,
) -> Option<Length> {
    let mut costs = HashMap::from([(from, Length::ZERO)]);
    let mut open = VecDeque::from([from]);
    while let Some(cell) = open.pop_front() {
        let steps = Direction::ALL.into_iter().filter(|way| grid.can_step(cell, *way, CostRule::Octile));
        let steps = steps.filter_map(|way| cell.step(way)).map(|next| {
            let Length { straight, diagonal } = CostRule::Octile.distance(cell, next);
            (next, Length { straight: straight * weight(next), diagonal: diagonal * weight(next) })
        });
        let links = links.iter().filter(|link| link.from == cell && grid.is_free(link.to));
        let links = links.map(|link| (link.to, Length { straight: link.steps.into(), diagonal: 0 }));
        for (next, step) in steps.chain(links) {
            let cost = costs[&cell] + step;
            if costs.get(&next).is_none_or(|known| cost < *known) {
                costs.insert(next, cost);
                open.push_back(next);
            }
        }
    }
    costs.get(&to).copied().filter(|_| grid.is_free(from))
}

#[test]
fn paths_by_way_of_links_are_cheapest_on_weighted_ground() {
    let (mut taken, mut none) = (0, 0);
    for seed in 0..40 {
        let patch = |cell: Cell| kind(Cell::new(cell.x / 3, cell.y / 3), seed);
        let mut map = TerrainMap::new((17, 13), patch, CostRule::Octile, &classes()).unwrap();
        for agent in &classes()[1..3] {
            let mut paths = WeightedPaths::new(&map, *agent, &weights()).unwrap();
            let links = random_links(map.paths(*agent).unwrap(), seed, 0);
            for round in 0..4 {
                let at = random_cell(map.paths(*agent).unwrap().grid(), seed, round);
                map.fill(CellRect::new(at.x, at.y, 3, 2), noise(at, seed) as u8 % 3);
                let grid = map.paths(*agent).unwrap().grid();
                let weight = |cell: Cell| {
                    let under = CellRect::new(cell.x, cell.y, agent.size, agent.size).cells();
                    under.map(|cell| weights()[usize::from(map.terrain(cell).unwrap())]).max().unwrap()
                };
                let (from, to) = (random_cell(grid, seed, 10 + round), random_cell(grid, seed, 20 + round));
                let found = paths.linked_path(&map, from, to, &links);
                let expected = cheapest_with_links(grid, weight, &links, from, to);
                assert_eq!(found.as_ref().map(|(_, cost)| *cost), expected, "{seed} {round}");
                let Some((path, cost)) = found else {
                    none += 1;
                    continue;
                };
                let (mut here, mut walked, mut length) = (from, Length::ZERO, Length::ZERO);
                for (number, leg) in path.legs().iter().enumerate() {
                    leg.validate(grid, CostRule::Octile).unwrap();
                    assert_eq!(leg.cells().first(), Some(&here));
                    for pair in leg.cells().windows(2) {
                        let Length { straight, diagonal } = CostRule::Octile.distance(pair[0], pair[1]);
                        let times = weight(pair[1]);
                        walked = walked + Length { straight: straight * times, diagonal: diagonal * times };
                    }
                    (here, length) = (*leg.cells().last().unwrap(), length + leg.length());
                    if let Some(link) = path.taken().get(number).map(|link| links[*link]) {
                        assert_eq!(here, link.from);
                        let steps = Length { straight: link.steps.into(), diagonal: 0 };
                        (here, walked, length) = (link.to, walked + steps, length + steps);
                        taken += 1;
                    }
                }
                assert_eq!((here, walked, length), (to, cost, path.length()));
            }
        }
    }
    assert!(taken > 40 && none > 20, "{taken} {none}");
}

#[test]
fn links_on_the_heaviest_ground_are_weighed_without_overflow() {
    // What is considered, to a link back to the start, may cost three times as much as any path.
    let walker = AgentClass { size: 1, walkable: TerrainSet::of(&[GROUND]) };
    let map = TerrainMap::new((1_000, 1), |_| GROUND, CostRule::Octile, &[walker]).unwrap();
    let heaviest = (u32::MAX >> 1) / 1_000;
    let mut paths = WeightedPaths::new(&map, walker, &[heaviest; TerrainSet::KINDS as usize]).unwrap();
    let links = [(900, 901), (1, 0)];
    let links = links.map(|(from, to)| Link { from: Cell::new(from, 0), to: Cell::new(to, 0), steps: 1 });
    let (path, cost) = paths.linked_path(&map, Cell::new(0, 0), Cell::new(999, 0), &links).unwrap();
    assert_eq!((path.taken(), cost.straight), (&[0][..], 998 * heaviest + 1));
}

#[test]
fn terrain_without_cells_has_weights_and_fields_without_any() {
    for sides in [(0, 0), (0, 5), (5, 0)] {
        let walker = AgentClass { size: 2, walkable: TerrainSet::of(&[GROUND]) };
        let map = TerrainMap::new(sides, |_| GROUND, CostRule::Octile, &[walker]).unwrap();
        let weights = [2; TerrainSet::KINDS as usize];
        let field = FlowField::weighted_with_starts(&map, walker, &weights, &[], map.bounds()).unwrap();
        assert_eq!(field.iter().count(), 0);
        assert!(WeightedPaths::new(&map, walker, &weights).is_ok());
    }
}

//! Partial paths, flow fields, watched paths, smoothing, big agents and terrain, each against its definition.

mod units;

use core::time::Duration;

use crate::common::{RULES, is_free, noise, random_cell, random_grid, relaxed, straight_length};
use quadrille_paths::{
    AStar, AgentClass, Cell, CellRect, CostRule, Direction, FlowField, Grid, Length, Link, Path, PathMap, PathQueue,
    PathWatch, Scratch, TerrainMap, TerrainSet, Ticket, WeightedPaths, is_line_free, smooth,
};

#[test]
fn partial_paths_end_at_the_nearest_reachable_cell() {
    let (mut scratch, mut astar) = (Scratch::new(), AStar::new());
    for seed in 0..60 {
        let grid = random_grid(23, 17, seed, 4);
        for rule in RULES {
            let map = PathMap::new(grid.clone(), rule);
            let (from, to) = (random_cell(&grid, seed, 0), random_cell(&grid, seed, 1));
            let reachable = grid.bounds().cells().filter(|cell| astar.path(&grid, rule, from, *cell).is_some());
            let nearest = reachable.min_by_key(|cell| (rule.distance(*cell, to), cell.y, cell.x));
            let path = map.partial_path(from, to, &mut scratch);
            assert_eq!(path.as_ref().and_then(|path| path.cells().last().copied()), nearest, "{rule:?} {seed}");
            if let (Some(path), Some(nearest)) = (path, nearest) {
                assert_eq!(Some(path.length()), astar.path(&grid, rule, from, nearest).map(|path| path.length()));
                path.validate(&grid, rule).unwrap();
            }
        }
    }
}

#[test]
fn partial_paths_to_goals_off_the_map_end_at_its_edge() {
    let map = PathMap::new(Grid::open(5, 4).unwrap(), CostRule::Octile);
    let path = map.partial_path(Cell::new(0, 0), Cell::new(90, 2), &mut Scratch::new()).unwrap();
    assert_eq!(path.cells().last(), Some(&Cell::new(4, 2)));
    assert_eq!(map.path(Cell::new(0, 0), Cell::new(90, 2), &mut Scratch::new()), None);
}

#[test]
fn fields_of_whole_maps_of_odd_shapes_are_exact() {
    for (width, height) in [(0, 3), (1, 1), (1, 90), (90, 1), (65, 4), (127, 3), (29, 21)] {
        for (rule, seed) in RULES.into_iter().flat_map(|rule| (0..6).map(move |seed| (rule, seed))) {
            let grid = random_grid(width, height, seed, seed % 4);
            let cell = |index| if width == 0 { Cell::default() } else { random_cell(&grid, seed, index) };
            // One of them twice, and one off the map.
            let goals = [cell(1), cell(1), Cell::new(width + 3, 1), cell(2)];
            let field = FlowField::to_nearest(&PathMap::new(grid.clone(), rule), &goals, grid.bounds());
            let step = |cell: Cell, way: Direction, _: Cell| {
                let length = rule.distance(cell, cell.step(way)?);
                grid.can_step(cell, way, rule).then_some(length)
            };
            let on_map = goals.iter().filter(|goal| grid.contains(**goal));
            let by_goal: Vec<_> = on_map.map(|goal| relaxed(&grid, *goal, step)).collect();
            for (index, cell) in grid.bounds().cells().enumerate() {
                let nearest = by_goal.iter().filter_map(|lengths| lengths[index]).min();
                assert_eq!(field.length(cell), nearest, "{width} x {height}, {rule:?} {seed}: {cell}");
            }
        }
    }
}

#[test]
fn flow_fields_are_exact_for_every_asked_cell() {
    let mut astar = AStar::new();
    for seed in 0..40 {
        let grid = random_grid(29, 21, seed, 3);
        for rule in RULES {
            let map = PathMap::new(grid.clone(), rule);
            let goal = random_cell(&grid, seed, 0);
            let asked = CellRect::new(seed as u32 % 20, seed as u32 % 13, 12, 30);
            let field = FlowField::new(&map, goal, asked);
            for cell in grid.bounds().cells() {
                let expected = astar.path(&grid, rule, cell, goal).map(|path| path.length());
                assert_eq!(field.length(cell), expected.filter(|_| asked.contains(cell)), "{rule:?} {seed} {cell}");
                if let Some(length) = field.length(cell).filter(|_| cell != goal) {
                    // By definition, from the lengths that plain A* finds: the first clockwise from north that is
                    // nearer by its step.
                    let leads_on = |next: &Cell| {
                        let rest = astar.path(&grid, rule, *next, goal).map(|path| path.length());
                        rest.is_some_and(|rest| rest + rule.distance(cell, *next) == length)
                    };
                    let steps = Direction::ALL.into_iter().filter(|way| grid.can_step(cell, *way, rule));
                    assert_eq!(
                        field.next(cell),
                        steps.filter_map(|way| cell.step(way)).find(leads_on),
                        "{rule:?} {cell}"
                    );
                }
                let path: Vec<Cell> = field.path(cell).collect();
                assert_eq!(path.is_empty(), field.length(cell).is_none());
                if let Some(length) = field.length(cell) {
                    assert_eq!((path.first(), path.last()), (Some(&cell), Some(&goal)));
                    assert_eq!(field.next(cell), Some(*path.get(1).unwrap_or(&goal)));
                    let steps = path.windows(2).map(|pair| {
                        assert!(
                            quadrille_paths::Direction::between(pair[0], pair[1])
                                .is_some_and(|way| grid.can_step(pair[0], way, rule))
                        );
                        rule.distance(pair[0], pair[1])
                    });
                    assert_eq!(steps.fold(Length::ZERO, |sum, step| sum + step), length);
                }
            }
        }
    }
}

#[test]
fn fields_repaired_after_edits_are_those_made_from_scratch() {
    let (mut changed, mut blocked_goals) = (0, 0);
    for seed in 0..30 {
        for rule in RULES {
            let mut map = PathMap::new(random_grid(37, 26, seed, 1 + seed % 3), rule);
            let goals: Vec<Cell> = (0..1 + seed as u32 % 3).map(|index| random_cell(map.grid(), seed, index)).collect();
            let mut field = FlowField::to_nearest(&map, &goals, map.grid().bounds());
            let mut part = FlowField::to_nearest(&map, &goals, CellRect::new(3, 4, 9, 8));
            for edit in 0..40 {
                for more in 0..1 + edit % 3 {
                    let at = random_cell(map.grid(), seed, 10 * edit + more + 7);
                    let size = [1, 1, 1, 5][edit as usize % 4];
                    map.fill(CellRect::new(at.x, at.y, size, size), noise(at, u64::from(edit)) % 2 == 0);
                }
                if edit % 10 == 3 {
                    map.set(goals[0], edit % 20 == 3);
                }
                field.repair(&map);
                part.repair(&map);
                assert_eq!(field.version(), map.version());
                let fresh = FlowField::to_nearest(&map, &goals, map.grid().bounds());
                for cell in map.grid().bounds().cells() {
                    assert_eq!(field.length(cell), fresh.length(cell), "{rule:?} {seed} {edit} {cell}");
                    assert_eq!(field.next(cell), fresh.next(cell), "{rule:?} {seed} {edit} {cell}");
                    let is_asked = CellRect::new(3, 4, 9, 8).contains(cell);
                    assert_eq!(part.length(cell), fresh.length(cell).filter(|_| is_asked));
                }
                changed += u32::from(fresh.length(Cell::new(20, 13)).is_some());
                blocked_goals += u32::from(!map.grid().is_free(goals[0]));
            }
        }
    }
    assert!(changed > 500 && blocked_goals > 50, "{changed} {blocked_goals}");
}

#[test]
fn a_field_whose_map_has_forgotten_edits_is_made_from_scratch() {
    let mut map = PathMap::new(Grid::open(30, 20).unwrap(), CostRule::Octile);
    let goal = Cell::new(0, 0);
    let mut field = FlowField::new(&map, goal, map.grid().bounds());
    assert!(!field.repair(&map), "nothing to do");
    for edit in 0..700 {
        map.set(random_cell(map.grid(), 5, edit), edit % 2 == 0);
    }
    assert!(field.repair(&map));
    let fresh = FlowField::new(&map, goal, map.grid().bounds());
    assert!(map.grid().bounds().cells().all(|cell| field.length(cell) == fresh.length(cell)));
}

#[test]
fn the_nearest_of_several_goals_is_found() {
    let (mut scratch, mut astar, mut found) = (Scratch::new(), AStar::new(), 0);
    for seed in 0..120 {
        for rule in RULES {
            let grid = random_grid(41, 27, seed, 1 + seed % 4);
            let map = PathMap::new(grid.clone(), rule);
            let from = random_cell(&grid, seed, 0);
            let goals: Vec<Cell> = (1..2 + seed as u32 % 7).map(|index| random_cell(&grid, seed, index)).collect();
            let lengths =
                goals.iter().filter_map(|goal| astar.path(&grid, rule, from, *goal)).map(|path| path.length());
            let nearest = map.nearest(from, &goals, &mut scratch);
            assert_eq!(nearest.as_ref().map(|(_, path)| path.length()), lengths.min(), "{rule:?} {seed}");
            if let Some((place, path)) = nearest {
                path.validate(&grid, rule).unwrap();
                assert_eq!((path.cells().first(), path.cells().last()), (Some(&from), Some(&goals[place])));
                found += 1;
            }
        }
    }
    assert!(found > 100, "{found}");
    let map = PathMap::new(Grid::open(5, 5).unwrap(), CostRule::Octile);
    assert_eq!(map.nearest(Cell::new(0, 0), &[], &mut scratch), None);
    assert_eq!(map.nearest(Cell::new(0, 0), &[Cell::new(9, 9)], &mut scratch), None);
}

#[test]
fn waypoints_are_the_path_without_its_cells_and_two_way_paths_have_the_same_cells() {
    let (mut scratch, mut corners) = (Scratch::new(), 0);
    for seed in 0..120 {
        for rule in RULES {
            let map = PathMap::new(random_grid(47, 31, seed, 1 + seed % 3), rule);
            let (from, to) = (random_cell(map.grid(), seed, 0), random_cell(map.grid(), seed, 1));
            let (path, waypoints) = (map.path(from, to, &mut scratch), map.waypoints(from, to, &mut scratch));
            assert_eq!(waypoints.as_ref().map(|waypoints| waypoints.lay(rule)), path);
            if let Some(waypoints) = waypoints {
                let steps = waypoints.cells().windows(2).map(|pair| rule.distance(pair[0], pair[1]));
                assert_eq!(steps.fold(Length::ZERO, |sum, step| sum + step), waypoints.length());
                corners += waypoints.cells().len();
            }
        }
    }
    assert!(corners > 1000, "{corners}");
}

/// The least length from every cell, row by row, to one of the goals, with links, by relaxing steps and links until
/// nothing changes.
fn lengths_with_links(map: &PathMap, links: &[Link], goals: &[Cell]) -> Vec<Option<Length>> {
    let grid = map.grid();
    let index = |cell: Cell| (cell.y * grid.width() + cell.x) as usize;
    let mut lengths = vec![None; (grid.width() * grid.height()) as usize];
    goals.iter().filter(|goal| grid.is_free(**goal)).for_each(|goal| lengths[index(*goal)] = Some(Length::ZERO));
    let mut is_changing = true;
    while is_changing {
        is_changing = false;
        for cell in grid.bounds().cells().filter(|cell| grid.is_free(*cell)) {
            let steps = Direction::ALL.into_iter().filter(|way| grid.can_step(cell, *way, map.rule()));
            let steps = steps.filter_map(|way| cell.step(way)).map(|next| (next, map.rule().distance(cell, next)));
            let links = links.iter().filter(|link| link.from == cell && grid.is_free(link.to));
            let links = links.map(|link| (link.to, Length { straight: link.steps.into(), diagonal: 0 }));
            let rest = steps.chain(links).filter_map(|(next, step)| Some(lengths[index(next)]? + step)).min();
            if rest.is_some_and(|rest| lengths[index(cell)].is_none_or(|known| rest < known)) {
                lengths[index(cell)] = rest;
                is_changing = true;
            }
        }
    }
    lengths
}

/// The shortest length with links.
fn shortest_with_links(map: &PathMap, links: &[Link], from: Cell, to: Cell) -> Option<Length> {
    lengths_with_links(map, links, &[to])[(from.y * map.grid().width() + from.x) as usize]
}

#[test]
fn paths_by_way_of_links_are_shortest_after_edits_too() {
    let (mut scratch, mut taken) = (Scratch::new(), [0; 4]);
    for (seed, rule) in (0..40).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        let mut map = PathMap::new(random_grid(23, 17, seed, 1 + seed % 4), rule);
        let links = random_links(&map, seed, 0);
        for round in 0..4 {
            map.set(random_cell(map.grid(), seed, round), round % 2 == 0);
            let (from, to) = (random_cell(map.grid(), seed, 10 + round), random_cell(map.grid(), seed, 20 + round));
            let path = map.linked_path(from, to, &links, &mut scratch);
            let expected = shortest_with_links(&map, &links, from, to);
            assert_eq!(path.as_ref().map(quadrille_paths::LinkedPath::length), expected, "{rule:?} {seed} {round}");
            let Some(path) = path else { continue };
            let (mut here, mut walked) = (from, Length::ZERO);
            for (leg, place) in path.legs().iter().enumerate() {
                place.validate(map.grid(), rule).unwrap();
                assert_eq!(place.cells().first(), Some(&here));
                here = *place.cells().last().unwrap();
                walked = walked + place.length();
                if let Some(link) = path.taken().get(leg).map(|link| links[*link]) {
                    assert_eq!(here, link.from);
                    (here, walked) = (link.to, walked + Length { straight: link.steps.into(), diagonal: 0 });
                }
            }
            assert_eq!((here, walked, path.legs().len()), (to, path.length(), path.taken().len() + 1));
            taken[path.taken().len().min(3)] += 1;
        }
    }
    assert!(taken[1] > 20 && taken[2] + taken[3] > 3, "{taken:?}");
}

/// Some links at random; the least that one costs is given.
fn random_links(map: &PathMap, seed: u64, least: u16) -> Vec<Link> {
    let link = |index| Link {
        from: random_cell(map.grid(), seed, 50 + index),
        to: random_cell(map.grid(), seed, 90 + index),
        steps: least + noise(Cell::new(index, 3), seed) as u16 % 5,
    };
    (0..3 + seed as u32 % 9).map(link).collect()
}

#[test]
fn the_nearest_of_several_goals_is_found_by_way_of_links_too() {
    let (mut scratch, mut taken, mut none) = (Scratch::new(), 0, 0);
    for (seed, rule) in (0..40).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        let mut map = PathMap::new(random_grid(23, 17, seed, 1 + seed % 4), rule);
        let links = random_links(&map, seed, 0);
        for round in 0..4 {
            map.set(random_cell(map.grid(), seed, round), round % 2 == 0);
            let from = random_cell(map.grid(), seed, 10 + round);
            let goals: Vec<Cell> =
                (0..round + seed as u32 % 3).map(|goal| random_cell(map.grid(), seed, 20 + goal)).collect();
            let lengths = goals.iter().filter_map(|goal| shortest_with_links(&map, &links, from, *goal));
            let nearest = map.nearest_linked(from, &goals, &links, &mut scratch);
            assert_eq!(nearest.as_ref().map(|(_, path)| path.length()), lengths.min(), "{rule:?} {seed} {round}");
            let Some((place, path)) = nearest else {
                none += 1;
                continue;
            };
            assert_eq!(path.legs().last().and_then(|leg| leg.cells().last()), Some(&goals[place]));
            assert_eq!(
                map.linked_path(from, goals[place], &links, &mut scratch).map(|path| path.length()),
                Some(path.length())
            );
            taken += path.taken().len();
        }
    }
    assert!(taken > 30 && none > 30, "{taken} {none}");
}

#[test]
fn linked_fields_are_exact_and_repaired_ones_are_those_made_from_scratch() {
    let (mut by_link, mut settled) = (0, 0);
    for (seed, rule) in (0..16).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        let mut map = PathMap::new(random_grid(19, 14, seed, 1 + seed % 4), rule);
        let links = random_links(&map, seed, 1);
        let goals: Vec<Cell> = (0..1 + seed as u32 % 3).map(|index| random_cell(map.grid(), seed, index)).collect();
        let part = CellRect::new(3, 4, 9, 8);
        let made = |map: &PathMap, asked| FlowField::linked(map, &goals, asked, &links).unwrap();
        let mut repaired = made(&map, map.grid().bounds());
        for edit in 0..24 {
            // Walls appear and disappear at the ends of links as well.
            let end = links[edit as usize % links.len()];
            let at = [end.from, end.to, random_cell(map.grid(), seed, 10 * edit + 7)][edit as usize % 3];
            let size = [1, 1, 3][edit as usize % 3];
            map.fill(CellRect::new(at.x, at.y, size, size), noise(at, u64::from(edit)) % 2 == 0);
            repaired.repair(&map);
            let (fresh, part_of) = (made(&map, map.grid().bounds()), made(&map, part));
            for cell in map.grid().bounds().cells() {
                assert_eq!(repaired.length(cell), fresh.length(cell), "{rule:?} {seed} {edit} {cell}");
                assert_eq!((repaired.next(cell), repaired.link(cell)), (fresh.next(cell), fresh.link(cell)));
                assert_eq!(part_of.length(cell), fresh.length(cell).filter(|_| part.contains(cell)));
            }
            if edit % 8 == 5 {
                let expected = lengths_with_links(&map, &links, &goals);
                for (cell, expected) in map.grid().bounds().cells().zip(expected) {
                    assert_eq!(repaired.length(cell), expected, "{rule:?} {seed} {edit} {cell}");
                    let mut walked = Length::ZERO;
                    for pair in repaired.path(cell).collect::<Vec<_>>().windows(2) {
                        let link = repaired.link(pair[0]).map(|link| links[link]);
                        assert!(link.is_none_or(|link| (link.from, link.to) == (pair[0], pair[1])));
                        let step = || rule.distance(pair[0], pair[1]);
                        walked =
                            walked + link.map_or_else(step, |link| Length { straight: link.steps.into(), diagonal: 0 });
                        by_link += u32::from(link.is_some());
                    }
                    assert_eq!(walked, expected.unwrap_or(Length::ZERO));
                    settled += u32::from(expected.is_some());
                }
            }
        }
    }
    assert!(by_link > 1000 && settled > 5000, "{by_link} {settled}");
}

#[test]
fn links_that_cost_nothing_or_lead_off_the_map_are_refused_or_left_out() {
    let map = PathMap::new(Grid::open(9, 5).unwrap(), CostRule::Octile);
    let (near, far, off) = (Cell::new(0, 0), Cell::new(8, 4), Cell::new(9, 0));
    let made = |links: &[Link]| FlowField::linked(&map, &[far], map.grid().bounds(), links);
    let free = [Link { from: near, to: far, steps: 1 }, Link { from: near, to: far, steps: 0 }];
    let error = made(&free).unwrap_err().to_string();
    assert_eq!(error, "link 1 costs 0 steps, but links of a flow field cost 1 or more");
    let long = vec![Link { from: near, to: far, steps: u16::MAX }; 32_769];
    let error = made(&long).unwrap_err().to_string();
    assert_eq!(error, "links of 2147516415 steps in all on a map of 45 cells: together above 2147483647");
    let strays = [Link { from: near, to: off, steps: 1 }, Link { from: off, to: far, steps: 1 }];
    assert_eq!(made(&strays).unwrap().length(near), map.path(near, far, &mut Scratch::new()).map(|path| path.length()));
}

#[test]
fn a_queue_answers_everything_within_its_budget_on_the_map_as_it_is() {
    let (mut scratch, mut put_down) = (Scratch::new(), 0);
    for (seed, budget) in (0..12).flat_map(|seed| [1, 7, 40, 1000].map(|budget| (seed, budget))) {
        let mut map = PathMap::new(random_grid(61, 44, seed, 2), CostRule::Octile);
        let mut queue = PathQueue::new();
        let ends: Vec<_> = (0..25)
            .map(|index| (random_cell(map.grid(), seed, 2 * index), random_cell(map.grid(), seed, 2 * index + 1)))
            .collect();
        let tickets: Vec<_> = ends.iter().map(|(from, to)| queue.push(*from, *to)).collect();
        assert!(queue.cancel(tickets[20]) && !queue.cancel(tickets[20]));
        let (mut answered, mut frames) = (0, 0);
        while !queue.is_empty() {
            let before = queue.len();
            queue.run(&map, budget, |ticket, path| {
                let place = tickets.iter().position(|other| *other == ticket).unwrap();
                let expected = map.path(ends[place].0, ends[place].1, &mut scratch).map(|path| path.length());
                assert_eq!(path.as_ref().map(Path::length), expected);
                assert!(path.is_none_or(|path| path.validate(map.grid(), map.rule()).is_ok()));
                answered += 1;
            });
            put_down += u32::from(queue.len() == before);
            frames += 1;
            if frames % 5 == 0 && frames < 50 {
                map.set(random_cell(map.grid(), seed, frames), frames % 2 == 0);
            }
        }
        assert_eq!(answered, 24);
    }
    assert!(put_down > 100, "{put_down}");
    assert_eq!(PathQueue::new().run(&PathMap::new(Grid::open(3, 3).unwrap(), CostRule::Octile), 5, |_, _| {}), 5);
}

#[test]
fn a_watched_path_breaks_exactly_when_it_becomes_illegal() {
    let mut scratch = Scratch::new();
    let mut broken = [0; 2];
    for (seed, rule) in (0..150).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        // Within one of the tiles that the map remembers edits by, or across several.
        let is_wide = seed % 3 == 0;
        let (width, height) = if is_wide { (110, 70) } else { (31, 31) };
        let mut map = PathMap::new(random_grid(width, height, seed, 1), rule);
        let (from, to) = (random_cell(map.grid(), seed, 0), random_cell(map.grid(), seed, 1));
        let Some(path) = map.path(from, to, &mut scratch) else { continue };
        let mut watch = PathWatch::new(&map, &path);
        for edit in 0..100 {
            map.set(random_cell(map.grid(), seed, edit + 2), edit % 2 == 0);
            // Check only sometimes, so that several edits, or more than are remembered, lie in between.
            if noise(Cell::new(edit, 0), seed) % 8 != 0 {
                continue;
            }
            let can_start = map.grid().is_free(from);
            let is_illegal = |pair: &&[Cell]| {
                !Direction::between(pair[0], pair[1]).is_some_and(|way| map.grid().can_step(pair[0], way, rule))
            };
            let first = path.cells().windows(2).find(is_illegal).map(|pair| pair[0]);
            let expected = if can_start { first } else { Some(from) };
            assert_eq!(watch.check(&map), expected, "{rule:?} {seed} {edit}");
            if expected.is_some() {
                broken[usize::from(is_wide)] += 1;
                break;
            }
        }
    }
    assert!(broken[0] > 100 && broken[1] > 50, "{broken:?}");
}

#[test]
fn smoothed_paths_are_free_and_never_longer() {
    let mut scratch = Scratch::new();
    let mut shortened = 0;
    for seed in 0..200 {
        for rule in RULES {
            let map = PathMap::new(random_grid(37, 29, seed, 1 + seed % 3), rule);
            let (from, to) = (random_cell(map.grid(), seed, 0), random_cell(map.grid(), seed, 1));
            let Some(path) = map.path(from, to, &mut scratch) else { continue };
            let smoothed = smooth(&path, map.grid(), rule);
            assert_eq!((smoothed.first(), smoothed.last()), (Some(&from), Some(&to)));
            assert!(
                smoothed.windows(2).all(|line| is_line_free(map.grid(), rule, line[0], line[1])),
                "{rule:?} {seed}"
            );
            let (before, after) = (path.length().as_f64(), straight_length(&smoothed));
            assert!(after <= before + 1e-9, "{before} {after}");
            shortened += u32::from(after < before - 1e-9);
        }
    }
    assert!(shortened > 50, "{shortened}");
}

#[test]
fn a_line_crosses_corners_as_the_rule_says() {
    let grid = |rows: [&str; 3]| {
        Grid::from_fn(4, 3, |cell| rows[cell.y as usize].as_bytes()[cell.x as usize] == b'.').unwrap()
    };
    let line = |grid: &Grid, rule, from: (u32, u32), to: (u32, u32)| {
        is_line_free(grid, rule, Cell::new(from.0, from.1), Cell::new(to.0, to.1))
    };
    let pillar = grid(["....", ".@..", "...."]);
    assert!(!line(&pillar, CostRule::Octile, (0, 0), (2, 2)));
    assert!(!line(&pillar, CostRule::Octile, (0, 1), (1, 2)) && line(&pillar, CostRule::OctileCutting, (0, 1), (1, 2)));
    assert!(line(&pillar, CostRule::Octile, (0, 0), (3, 0)) && line(&pillar, CostRule::Manhattan, (3, 0), (2, 2)));
    assert!(!line(&pillar, CostRule::Octile, (0, 0), (3, 1)) && !line(&pillar, CostRule::Octile, (3, 1), (0, 0)));
    assert!(!line(&pillar, CostRule::Octile, (0, 0), (9, 0)) && !line(&pillar, CostRule::Octile, (1, 1), (1, 1)));
}

/// Where an agent of this size can stand, by definition.
fn can_stand(grid: &Grid, cell: Cell, size: u32) -> bool {
    CellRect::new(cell.x, cell.y, size, size).cells().all(|cell| grid.is_free(cell))
}

#[test]
fn clearance_is_room_for_the_whole_agent() {
    for (seed, size) in (0..40).flat_map(|seed| (1..6).map(move |size| (seed, size))) {
        let grid = random_grid(21, 14, seed, 1);
        let cleared = grid.with_clearance(size);
        assert!(
            grid.bounds().cells().all(|cell| cleared.is_free(cell) == can_stand(&grid, cell, size)),
            "{seed} {size}"
        );
    }
}

const GROUND: u8 = 0;
const WATER: u8 = 1;
const WALL: u8 = 200;

fn kind(cell: Cell, seed: u64) -> u8 {
    [GROUND, GROUND, GROUND, GROUND, GROUND, WATER, WATER, WALL][noise(cell, seed) as usize % 8]
}

/// Ground costs two steps, water five, everything else one.
fn weights() -> [u32; TerrainSet::KINDS as usize] {
    let mut weights = [1; TerrainSet::KINDS as usize];
    (weights[usize::from(GROUND)], weights[usize::from(WATER)]) = (2, 5);
    weights
}

fn classes() -> Vec<AgentClass> {
    let (ground, both) = (TerrainSet::of(&[GROUND]), TerrainSet::of(&[GROUND, WATER, WALL]));
    let class = |size, walkable| AgentClass { size, walkable };
    vec![class(1, ground), class(1, both), class(2, both), class(3, both)]
}

#[test]
fn every_class_of_agents_finds_its_own_shortest_paths_after_edits() {
    let (mut scratch, mut astar) = (Scratch::new(), AStar::new());
    let mut found = 0;
    for seed in 0..40 {
        let mut map = TerrainMap::new((24, 19), |cell| kind(cell, seed), CostRule::Octile, &classes()).unwrap();
        for edit in 0..12 {
            let corner = random_cell(&Grid::open(24, 19).unwrap(), seed, edit);
            let new_kind = [GROUND, WATER, WALL][edit as usize % 3];
            map.fill(CellRect::new(corner.x, corner.y, 1 + edit % 4, 1 + edit % 3), new_kind);
            for class in classes() {
                let walkable = |cell| map.terrain(cell).is_some_and(|kind| class.walkable.contains(kind));
                let base = Grid::from_fn(24, 19, walkable).unwrap();
                let grid = Grid::from_fn(24, 19, |cell| can_stand(&base, cell, class.size)).unwrap();
                let (from, to) = (random_cell(&grid, seed, edit + 50), random_cell(&grid, seed, edit + 99));
                let expected = astar.path(&grid, CostRule::Octile, from, to).map(|path| path.length());
                let path = map.paths(class).unwrap().path(from, to, &mut scratch);
                assert_eq!(path.as_ref().map(Path::length), expected, "{seed} {edit} {class:?}");
                found += u32::from(path.is_some_and(|path| path.validate(&grid, CostRule::Octile).is_ok()));
            }
        }
    }
    assert!(found > 300, "{found}");
}

#[test]
fn an_agent_without_a_class_is_told_which_one_fits_best() {
    let map =
        TerrainMap::new((4, 1), |cell| [GROUND, WATER, GROUND, WALL][cell.x as usize], CostRule::Octile, &classes())
            .unwrap();
    let count = |size, kinds: &[u8]| {
        let agent = AgentClass { size, walkable: TerrainSet::of(kinds) };
        assert_eq!(map.paths(agent).is_some(), classes().contains(&agent), "no other class in its place");
        map.class_for(agent).and_then(|class| map.paths(class)).map(|paths| paths.grid().count_free())
    };
    assert_eq!(count(1, &[GROUND, WATER]), Some(3));
    assert_eq!(count(1, &[GROUND, WATER, 5]), Some(3));
    assert_eq!(count(1, &[GROUND, 5]), Some(2));
    assert_eq!((count(1, &[WATER]), count(4, &[GROUND])), (None, None));
}

/// The least cost of every cell from one.
fn least_costs(grid: &Grid, from: Cell, weight: impl Fn(Cell) -> u32) -> Vec<Option<Length>> {
    relaxed(grid, from, |cell, way, next| {
        let step = CostRule::Octile.distance(cell, next);
        let cost = || (0..weight(next)).fold(Length::ZERO, |sum, _| sum + step);
        grid.can_step(cell, way, CostRule::Octile).then(cost)
    })
}

/// The weight of the heaviest terrain under an agent.
fn weight_under(map: &TerrainMap, agent: AgentClass) -> impl Fn(Cell) -> u32 + Copy {
    move |cell| {
        let under = CellRect::new(cell.x, cell.y, agent.size, agent.size).cells();
        under.map(|cell| if map.terrain(cell) == Some(WATER) { 5 } else { 2 }).max().unwrap()
    }
}

#[test]
fn cheapest_paths_weigh_the_heaviest_terrain_under_the_agent() {
    let mut weights = weights();
    let mut astar = AStar::new();
    for seed in 0..40 {
        let map = TerrainMap::new((17, 13), |cell| kind(cell, seed), CostRule::Octile, &classes()).unwrap();
        for agent in &classes()[1..3] {
            let grid = map.paths(*agent).unwrap().grid();
            let weight = weight_under(&map, *agent);
            let (from, to) = (random_cell(grid, seed, 0), random_cell(grid, seed, 1));
            let expected = least_costs(grid, from, weight)[(to.y * 17 + to.x) as usize].filter(|_| grid.is_free(to));
            let found = map.cheapest_path(*agent, &weights, (from, to), &mut astar).unwrap();
            assert_eq!(found.as_ref().map(|(_, cost)| *cost), expected, "{seed}");
            if let Some((path, cost)) = found {
                path.validate(grid, CostRule::Octile).unwrap();
                let steps = path
                    .cells()
                    .windows(2)
                    .flat_map(|pair| (0..weight(pair[1])).map(move |_| CostRule::Octile.distance(pair[0], pair[1])));
                assert_eq!(steps.fold(Length::ZERO, |sum, step| sum + step), cost);
            }
        }
    }
    weights[9] = u32::MAX;
    let map = TerrainMap::new((2, 1), |_| GROUND, CostRule::Octile, &classes()).unwrap();
    let ends = (Cell::new(0, 0), Cell::new(1, 0));
    let error = map.cheapest_path(classes()[0], &weights, ends, &mut astar).unwrap_err();
    assert_eq!(error.to_string(), "a weight of 4294967295 on a map of 2 cells: their product is above 2147483647");
}

#[test]
fn weighted_fields_have_the_least_costs_after_edits_too() {
    let mut weights = weights();
    let mut reached = 0;
    for seed in 0..24 {
        let map = TerrainMap::new((17, 13), |cell| kind(cell, seed), CostRule::Octile, &classes()).unwrap();
        for agent in &classes()[1..3] {
            let paths = map.paths(*agent).unwrap();
            let weight = weight_under(&map, *agent);
            let goal = random_cell(paths.grid(), seed, 1);
            let bounds = paths.grid().bounds();
            let field = FlowField::weighted(&map, *agent, &weights, &[goal], bounds).unwrap();
            for from in bounds.cells().step_by(5) {
                let costs = least_costs(paths.grid(), from, weight);
                let expected = costs[(goal.y * 17 + goal.x) as usize];
                assert_eq!(field.length(from), expected, "{seed} {from}");
                reached += u32::from(expected.is_some());
            }
        }
    }
    assert!(reached > 300, "{reached}");
    let map = TerrainMap::new((2, 1), |_| GROUND, CostRule::Octile, &classes()).unwrap();
    let nobody = AgentClass { size: 9, walkable: TerrainSet::of(&[GROUND]) };
    let field = FlowField::weighted(&map, nobody, &weights, &[Cell::new(0, 0)], map.bounds()).unwrap();
    assert_eq!(field.iter().count(), 0, "it fits nowhere");
    weights[9] = u32::MAX;
    assert!(FlowField::weighted(&map, classes()[0], &weights, &[], CellRect::default()).is_err());
}

#[test]
fn weighted_paths_and_fields_follow_the_terrain() {
    let weights = weights();
    let (mut astar, mut found, mut asked) = (AStar::new(), 0, 0);
    for (seed, rule) in (0..7).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        // Noise, or patches with some walls in between.
        let patch = |cell: Cell| kind(Cell::new(cell.x / 9, cell.y / 9), seed).min(WATER);
        let is_wall = |cell: Cell| noise(cell, seed) % 40 == 0;
        let terrain = |cell| match seed % 3 {
            0 => kind(cell, seed),
            _ if is_wall(cell) => WALL,
            _ => patch(cell),
        };
        let mut map = TerrainMap::new((41, 29), terrain, rule, &classes()).unwrap();
        for agent in &classes()[1..3] {
            let bounds = map.bounds();
            let goals = [random_cell(&Grid::open(41, 29).unwrap(), seed, 3)];
            let mut field = FlowField::weighted(&map, *agent, &weights, &goals, bounds).unwrap();
            let mut paths = WeightedPaths::new(&map, *agent, &weights).unwrap();
            let mut known = map.version();
            for edit in 0..12 {
                // More edits than are remembered, once.
                for more in 0..if edit == 7 { 300 } else { 1 + edit % 3 } {
                    let at = random_cell(map.paths(*agent).unwrap().grid(), seed, 20 * edit + more);
                    let size = 1 + (edit + more) % 4;
                    map.fill(CellRect::new(at.x, at.y, size, size), [GROUND, WATER, WALL][(edit + more) as usize % 3]);
                }
                let is_changed = map.version() > known;
                known = map.version();
                assert_eq!((field.repair_weighted(&map), field.repair_weighted(&map)), (is_changed, false));
                let fresh = FlowField::weighted(&map, *agent, &weights, &goals, bounds).unwrap();
                for cell in bounds.cells() {
                    assert_eq!(field.length(cell), fresh.length(cell), "{rule:?} {seed} {edit} {cell}");
                }
                for query in 0..6 {
                    let ends = [0, 1].map(|end| {
                        random_cell(map.paths(*agent).unwrap().grid(), seed, 40 * edit + 2 * query + end + 300)
                    });
                    let expected = map.cheapest_path(*agent, &weights, (ends[0], ends[1]), &mut astar).unwrap();
                    let path = paths.path(&map, ends[0], ends[1]);
                    let cost = |path: &Option<(Path, Length)>| path.as_ref().map(|(_, cost)| *cost);
                    assert_eq!(cost(&path), cost(&expected), "{rule:?} {seed} {edit} {ends:?}");
                    if let Some((path, _)) = path {
                        path.validate(map.paths(*agent).unwrap().grid(), rule).unwrap();
                        assert_eq!((path.cells()[0], path.cells()[path.cells().len() - 1]), (ends[0], ends[1]));
                        found += 1;
                    }
                    asked += 1;
                }
            }
        }
    }
    assert!(found > 500 && found < asked, "{found} of {asked}");
}

#[test]
fn weighted_paths_stay_exact_with_landmarks_while_doors_open_and_ground_changes() {
    let weights = weights();
    let (mut astar, mut with_landmarks) = (AStar::new(), [0; 2]);
    for (seed, rule) in (0..6).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        // Rooms with doors, on ground in patches.
        let is_wall = |cell: Cell| (cell.x % 12 == 5 || cell.y % 10 == 4) && noise(cell, seed) % 6 > 0;
        let ground = |cell: Cell| kind(Cell::new(cell.x / 7, cell.y / 7), seed).min(WATER);
        let terrain = |cell| if is_wall(cell) { WALL } else { ground(cell) };
        let mut map = TerrainMap::new((61, 43), terrain, rule, &classes()).unwrap();
        let agent = classes()[1];
        let mut paths = WeightedPaths::new(&map, agent, &weights).unwrap();
        let without = paths.bytes();
        for edit in 0..40 {
            // Most edits close a door or open it again, which leaves landmarks as they are; some make the ground
            // lighter, or break a wall.
            let door = random_cell(map.paths(agent).unwrap().grid(), seed, edit / 2);
            let is_open = map.terrain(door) != Some(WALL);
            match edit % 8 {
                6 => map.set(door, GROUND),
                7 => map.set(random_cell(map.paths(agent).unwrap().grid(), seed, edit + 90), GROUND),
                _ if !is_wall(door) => map.set(door, if is_open { WALL } else { ground(door) }),
                _ => false,
            };
            for query in 0..10 {
                let number = 40 * edit + 2 * query + 200;
                let grid = map.paths(agent).unwrap().grid();
                let (from, to) = (random_cell(grid, seed, number), random_cell(grid, seed, number + 1));
                let expected = map.cheapest_path(agent, &weights, (from, to), &mut astar).unwrap();
                let path = paths.path(&map, from, to);
                let cost = |path: &Option<(Path, Length)>| path.as_ref().map(|(_, cost)| *cost);
                assert_eq!(cost(&path), cost(&expected), "{rule:?} {seed} {edit} {from} {to}");
                with_landmarks[usize::from(paths.bytes() > without + 61 * 43 * 40)] += 1;
            }
        }
    }
    assert!(with_landmarks[0] > 100 && with_landmarks[1] > 5000, "{with_landmarks:?}");
}

#[test]
fn equal_edits_change_nothing() {
    let mut map = PathMap::new(random_grid(9, 9, 1, 3), CostRule::Octile);
    assert!(!map.edit(CellRect::new(0, 0, 20, 20), |cell| is_free(cell, 1, 3)));
    assert!(!map.set(Cell::new(99, 0), true) && !map.fill(CellRect::new(3, 3, 0, 4), false));
    assert_eq!(map.version(), 0);
}

/// Levels of one game: maps that have seen no edit yet, so that versions are equal.
fn levels(rule: CostRule) -> Vec<PathMap> {
    let sizes = [(24, 24), (24, 24), (9, 40), (61, 3), (24, 24)];
    (0..).zip(sizes).map(|(seed, (width, height))| PathMap::new(random_grid(width, height, seed, 2), rule)).collect()
}

#[test]
fn a_search_put_down_on_one_map_starts_over_on_another() {
    let (mut scratch, mut put_down) = (Scratch::new(), 0);
    for rule in RULES {
        let levels = levels(rule);
        let clone_of_first = {
            let mut map = levels[0].clone();
            map.set(Cell::new(3, 3), !map.grid().is_free(Cell::new(3, 3)));
            map
        };
        let mut first = levels[0].clone();
        first.set(Cell::new(20, 20), !first.grid().is_free(Cell::new(20, 20)));
        assert_eq!(first.version(), clone_of_first.version());
        let pairs = levels.iter().map(|level| (&levels[0], level)).chain([(&first, &clone_of_first)]);
        for ((one, other), query) in pairs.flat_map(|pair| (0..40).map(move |query| (pair, query))) {
            let (from, to) = (random_cell(one.grid(), 5, 2 * query), random_cell(one.grid(), 5, 2 * query + 1));
            let mut queue = PathQueue::new();
            queue.push(from, to);
            queue.run(one, 18, |_, _| {});
            put_down += queue.len();
            queue.run(other, u64::MAX, |_, path| {
                assert_eq!(path, other.path(from, to, &mut scratch), "{rule:?} {from} {to}");
            });
        }
    }
    assert!(put_down > 300, "{put_down}");
}

#[test]
fn fields_on_another_map_are_made_again() {
    for rule in RULES {
        let levels = levels(rule);
        let goals = [Cell::new(2, 1), Cell::new(7, 30)];
        let links = [Link { from: Cell::new(1, 1), to: Cell::new(8, 2), steps: 2 }];
        for asked in [CellRect::new(0, 0, 99, 99), CellRect::new(3, 1, 12, 12)] {
            let mut plain = FlowField::to_nearest(&levels[0], &goals, asked);
            let mut linked = FlowField::linked(&levels[0], &goals, asked, &links).unwrap();
            for level in levels.iter().chain([&levels[0].clone()]) {
                let is_other = !core::ptr::eq(level, &levels[0]);
                assert_eq!((plain.repair(level), linked.repair(level)), (is_other, is_other));
                let fresh = FlowField::to_nearest(level, &goals, asked);
                let fresh_linked = FlowField::linked(level, &goals, asked, &links).unwrap();
                for cell in CellRect::new(0, 0, 70, 45).cells() {
                    assert_eq!((plain.length(cell), plain.next(cell)), (fresh.length(cell), fresh.next(cell)));
                    assert_eq!(
                        (linked.length(cell), linked.link(cell)),
                        (fresh_linked.length(cell), fresh_linked.link(cell))
                    );
                }
            }
        }
    }
}

#[test]
fn a_watch_on_another_map_walks_all_of_its_path() {
    let (mut scratch, mut broken) = (Scratch::new(), 0);
    let levels: Vec<PathMap> = RULES.into_iter().flat_map(levels).collect();
    for (one, other) in levels.iter().flat_map(|one| levels.iter().map(move |other| (one, other))) {
        for query in 0..6 {
            let (from, to) = (random_cell(one.grid(), 5, 2 * query), random_cell(one.grid(), 5, 2 * query + 1));
            let Some(path) = one.path(from, to, &mut scratch) else { continue };
            let mut watch = PathWatch::new(one, &path);
            let is_legal = |pair: &[Cell]| {
                let way = Direction::between(pair[0], pair[1]).unwrap();
                other.grid().can_step(pair[0], way, other.rule())
            };
            let first = path.cells().windows(2).find(|pair| !is_legal(pair)).map(|pair| pair[0]);
            let expected = if other.grid().is_free(from) { first } else { Some(from) };
            assert_eq!(watch.check(other), expected, "{from} {to}");
            broken += u32::from(expected.is_some());
        }
    }
    assert!(broken > 300, "{broken}");
}

#[test]
fn weighted_paths_and_fields_start_over_on_another_map() {
    let mut weights = [1; TerrainSet::KINDS as usize];
    weights[usize::from(WATER)] = 5;
    let agent = classes()[1];
    let level = |seed: u64, (width, height): (u32, u32)| {
        TerrainMap::new((width, height), |cell| kind(cell, seed), CostRule::Octile, &classes()).unwrap()
    };
    let mut levels = vec![level(1, (19, 14)), level(2, (19, 14)), level(3, (40, 9)), level(4, (5, 5))];
    levels.push(levels[0].clone());
    let mut paths = WeightedPaths::new(&levels[0], agent, &weights).unwrap();
    let asked = CellRect::new(0, 0, 99, 99);
    let goals = [Cell::new(3, 2)];
    let mut field = FlowField::weighted(&levels[0], agent, &weights, &goals, asked).unwrap();
    let starts = [(goals[0], 9), (Cell::new(4, 4), 2), (Cell::new(12, 6), 0)];
    let unequal = |level| FlowField::weighted_with_starts(level, agent, &weights, &starts, asked).unwrap();
    let mut started = unequal(&levels[0]);
    let mut astar = AStar::new();
    for level in &levels {
        field.repair_weighted(level);
        started.repair_weighted(level);
        let fresh = FlowField::weighted(level, agent, &weights, &goals, asked).unwrap();
        assert!(started.iter().eq(unequal(level).iter()));
        for cell in CellRect::new(0, 0, 40, 14).cells() {
            assert_eq!((field.length(cell), field.next(cell)), (fresh.length(cell), fresh.next(cell)));
            let expected = level.cheapest_path(agent, &weights, (cell, goals[0]), &mut astar).unwrap();
            assert_eq!(paths.path(level, cell, goals[0]).map(|found| found.1), expected.map(|found| found.1));
        }
    }
    // Too many cells for a weight: no path until it is back on a map that fits.
    let mut heavy = weights;
    heavy[9] = 1 << 22;
    let mut heavy_paths = WeightedPaths::new(&levels[0], agent, &heavy).unwrap();
    let mut heavy_field = FlowField::weighted(&levels[0], agent, &heavy, &goals, asked).unwrap();
    let vast = TerrainMap::new((40, 40), |_| GROUND, CostRule::Octile, &[]).unwrap();
    assert!(heavy_field.repair_weighted(&vast) && heavy_field.length(goals[0]).is_none());
    assert!(heavy_paths.path(&vast, goals[0], goals[0]).is_none());
    assert!(heavy_field.repair_weighted(&levels[0]));
    assert!(asked.cells().all(|cell| heavy_field.length(cell) == field.length(cell)));
    let mut plain = PathMap::new(Grid::open(30, 30).unwrap(), CostRule::Octile);
    for edit in 0..3 {
        assert!(field.repair(&plain) && field.iter().count() == 0, "{edit}: it has the weights of its terrain");
        plain.set(Cell::new(20, edit), false);
    }
    assert!(field.repair_weighted(&levels[0]));
    let fresh = FlowField::weighted(&levels[0], agent, &weights, &goals, asked).unwrap();
    assert!(asked.cells().all(|cell| field.length(cell) == fresh.length(cell)));
    assert!(
        paths.path(&levels[0], goals[0], goals[0]).is_some()
            == levels[0].paths(agent).unwrap().grid().is_free(goals[0])
    );
}

/// The least cost from every cell to a goal, where entering a cell costs its weight.
fn costs_to(grid: &Grid, rule: CostRule, goal: Cell, weight: impl Fn(Cell) -> u32) -> Vec<Option<Length>> {
    // Backward: what a step costs depends on where it ends.
    relaxed(grid, goal, |cell, way, next| {
        let Length { straight, diagonal } = rule.distance(cell, next);
        let cost = Length { straight: straight * weight(cell), diagonal: diagonal * weight(cell) };
        grid.can_step(cell, way, rule).then_some(cost)
    })
}

#[test]
fn heavy_weights_are_exact_and_take_no_more_memory() {
    let agent = classes()[1];
    let mut reached = 0;
    for (seed, rule) in (0..3).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        for ((width, height), heaviest) in [((4, 4), 134_000_000), ((30, 21), 3_400_000), ((50, 33), 1_300)] {
            let mut weights = [1; TerrainSet::KINDS as usize];
            weights[usize::from(WATER)] = heaviest;
            let map = TerrainMap::new((width, height), |cell| kind(cell, seed), rule, &classes()).unwrap();
            let grid = map.paths(agent).unwrap().grid();
            let weight = |cell: Cell| if map.terrain(cell) == Some(WATER) { heaviest } else { 1 };
            let goal = random_cell(grid, seed, 1);
            let costs = costs_to(grid, rule, goal, weight);
            let field = FlowField::weighted(&map, agent, &weights, &[goal], map.bounds()).unwrap();
            let mut paths = WeightedPaths::new(&map, agent, &weights).unwrap();
            let mut astar = AStar::new();
            for (cell, expected) in map.bounds().cells().zip(costs).step_by(5) {
                assert_eq!(field.length(cell), expected, "{rule:?} {seed} {heaviest} {cell}");
                let found = map.cheapest_path(agent, &weights, (cell, goal), &mut astar).unwrap();
                assert_eq!(found.map(|found| found.1), expected, "plain A*: {rule:?} {seed} {heaviest} {cell}");
                let found = paths.path(&map, cell, goal);
                assert_eq!(found.map(|found| found.1), expected, "{rule:?} {seed} {heaviest} {cell}");
                reached += u32::from(expected.is_some());
            }
            assert!(paths.bytes() < 1 << 19, "{} bytes", paths.bytes());
        }
    }
    assert!(reached > 500, "{reached}");
}

/// A path back and forth between walls with a gap at one end, row after row.
fn serpentine(side: u32) -> Grid {
    Grid::from_fn(side, side, |cell| cell.y % 2 == 0 || cell.x == if cell.y % 4 == 1 { side - 1 } else { 0 }).unwrap()
}

/// Runs a queue with edits before each frame until it is empty. Answers are checked against plain A* on the map as it
/// is; returns the tickets in the order of their answers, and the number of frames.
fn run_under_edits(
    (map, queue): (&mut PathMap, &mut PathQueue),
    budget: u64,
    asked: &[(Ticket, Cell, Cell)],
    mut edit: impl FnMut(&mut PathMap, u32),
) -> (Vec<Ticket>, u32) {
    let (mut astar, mut answered, mut frames) = (AStar::new(), Vec::new(), 0);
    while !queue.is_empty() {
        edit(map, frames);
        queue.run(map, budget, |ticket, path| {
            let (_, from, to) = asked.iter().find(|asked| asked.0 == ticket).unwrap();
            let expected = astar.path(map.grid(), map.rule(), *from, *to).map(|path| path.length());
            assert_eq!(path.as_ref().map(Path::length), expected, "{from} {to} in frame {frames}");
            assert!(path.is_none_or(|path| path.validate(map.grid(), map.rule()).is_ok()));
            answered.push(ticket);
        });
        frames += 1;
        assert!(frames < 3_000, "{} requests are never answered", queue.len());
    }
    assert_eq!(answered.len(), asked.len());
    (answered, frames)
}

#[test]
fn a_queue_answers_everything_though_a_cell_is_flipped_in_each_frame() {
    // Far from all searches, in the middle of them, and where the long one ends.
    for (flipped, most) in [(Cell::new(61, 78), 40), (Cell::new(40, 20), 40), (Cell::new(3, 60), 40)] {
        let mut map = PathMap::new(serpentine(81), CostRule::Octile);
        let mut queue = PathQueue::new();
        let ends = (0..11).map(|index| match index {
            0 => (Cell::new(0, 0), Cell::new(0, 60)),
            _ => (Cell::new(40, 2 * index), Cell::new(50, 2 * index)),
        });
        let asked: Vec<_> = ends.map(|(from, to)| (queue.push(from, to), from, to)).collect();
        let edit = |map: &mut PathMap, _: u32| {
            map.set(flipped, !map.grid().is_free(flipped));
        };
        let (answered, frames) = run_under_edits((&mut map, &mut queue), 8, &asked, edit);
        assert!(frames < most, "{flipped}: {frames} frames");
        let is_whole = flipped.y > 70;
        assert!(!is_whole || answered.last() == Some(&asked[0].0), "the long search does not block the others");
    }
}

#[test]
fn a_queue_under_edits_is_exact_to_the_end() {
    let mut frames = 0;
    for (seed, rule) in (0..15).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        // Noise, or single walls far apart, where the start sees far and few corners are opened.
        let sparse = Grid::from_fn(93, 71, |cell| noise(cell, seed) % 90 > 0).unwrap();
        let grid = if seed % 3 == 2 { sparse } else { random_grid(93, 71, seed, 1 + seed % 3) };
        let mut map = PathMap::new(grid, rule);
        let mut queue = PathQueue::new();
        let ends = (0..15)
            .map(|index| (random_cell(map.grid(), seed, 2 * index), random_cell(map.grid(), seed, 2 * index + 1)));
        let asked: Vec<_> = ends
            .enumerate()
            .map(|(index, (from, to))| (queue.push_urgent(from, to, (index % 4 / 3) as i32), from, to))
            .collect();
        if seed % 2 == 0 {
            map.add_landmarks(4);
        }
        let edit = |map: &mut PathMap, frame: u32| {
            for more in 0..1 + frame % 3 {
                // Ends of paths as well.
                let (_, from, to) = asked[(frame as usize + 5) % asked.len()];
                let at = [random_cell(map.grid(), seed, frame + 100 * more), from, to]
                    [frame as usize % 9 / 7 + more as usize / 2];
                map.set(at, noise(at, u64::from(frame)) % 3 > 0);
            }
            match frame % 5 {
                1 => map.maintain(),
                3 if seed % 4 == 0 => map.add_landmarks(4),
                _ => {}
            }
        };
        frames += run_under_edits((&mut map, &mut queue), [5, 30, 1][seed as usize % 3], &asked, edit).1;
    }
    assert!(frames > 500, "{frames}");
}

#[test]
fn a_search_put_down_sees_each_wall_that_is_its_concern() {
    let (mut astar, mut put_down) = (AStar::new(), 0);
    for (seed, rule) in (0..12).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        let sparse = Grid::from_fn(24, 19, |cell| noise(cell, seed) % [12, 30, 5][seed as usize % 3] > 0).unwrap();
        let mut map = PathMap::new(sparse.clone(), rule);
        let (from, to) = (random_cell(map.grid(), seed, 0), random_cell(map.grid(), seed, 1));
        for cell in map.grid().bounds().cells() {
            let mut queue = PathQueue::new();
            queue.push(from, to);
            queue.run(&map, 1, |_, _| {});
            put_down += queue.len();
            let (width, height) = [(1, 7), (7, 1), (1, 1)][(cell.x + cell.y) as usize % 3];
            let rect = CellRect::new(cell.x, cell.y, width, height);
            map.fill(rect, cell.x % 4 == 0);
            let expected = astar.path(map.grid(), rule, from, to).map(|path| path.length());
            queue.run(&map, u64::MAX, |_, path| {
                assert_eq!(path.map(|path| path.length()), expected, "{rule:?} {seed} {from} {to} {cell}");
            });
            map.edit(rect, |cell| sparse.is_free(cell));
        }
    }
    assert!(put_down > 3_000, "{put_down}");
}

#[test]
fn a_search_put_down_that_has_stored_no_scans_sees_each_door_that_is_its_concern() {
    let (mut astar, mut scratch, mut put_down) = (AStar::new(), Scratch::new(), 0);
    for (seed, pair, rule) in (8..11).flat_map(|seed| (0..4).flat_map(move |pair| RULES.map(|rule| (seed, pair, rule))))
    {
        let blocked = |cell: Cell| if cell.x % 7 == 3 || cell.y % 6 == 4 { 7 } else { 40 };
        let rooms = Grid::from_fn(24, 19, |cell| noise(cell, seed) % blocked(cell) > 5).unwrap();
        let (from, to) = (random_cell(&rooms, seed, 2 * pair), random_cell(&rooms, seed, 2 * pair + 1));
        for door in rooms.bounds().cells().filter(|cell| !rooms.is_free(*cell)) {
            // One edit makes all walls, so nothing is stored about their corners.
            let mut map = PathMap::new(Grid::open(24, 19).unwrap(), rule);
            map.edit(rooms.bounds(), |cell| rooms.is_free(cell));
            let mut queue = PathQueue::new();
            queue.push(from, to);
            queue.run(&map, 1, |_, _| {});
            put_down += queue.len();
            // So many searches that the next edit looks for the stored scans that saw it.
            (0..3).for_each(|_| drop(map.path(from, from, &mut scratch)));
            map.set(door, true);
            let expected = astar.path(map.grid(), rule, from, to).map(|path| path.length());
            queue.run(&map, u64::MAX, |_, path| {
                assert_eq!(path.map(|path| path.length()), expected, "{rule:?} {seed} {from} {to} {door}");
            });
        }
    }
    assert!(put_down > 500, "{put_down}");
}

#[test]
fn a_ticket_is_of_one_queue() {
    let (mut one, mut other) = (PathQueue::new(), PathQueue::new());
    let ends = (Cell::new(0, 0), Cell::new(3, 3));
    let (mine, foreign) = (one.push(ends.0, ends.1), other.push(ends.0, ends.1));
    assert!(mine.number() == foreign.number() && mine != foreign);
    assert!(!one.cancel(foreign) && one.len() == 1);
    let mut copy = one.clone();
    let (later, of_copy) = (one.push(ends.0, ends.1), copy.push(ends.0, ends.1));
    assert!(!one.cancel(of_copy) && !copy.cancel(later) && one.len() == 2);
    assert!(copy.cancel(mine) && one.cancel(mine) && !one.cancel(mine));
}

#[test]
fn urgent_requests_come_first_and_take_the_turns_of_others() {
    let map = PathMap::new(serpentine(41), CostRule::Octile);
    let mut queue = PathQueue::new();
    let (from, near, far) = (Cell::new(0, 0), Cell::new(9, 0), Cell::new(0, 40));
    let slow: Vec<Ticket> = (0..5).map(|_| queue.push(from, far)).collect();
    let mut answered = Vec::new();
    queue.run(&map, 20, |ticket, _| answered.push(ticket));
    let (late, last) = (queue.push_urgent(from, near, -1), queue.push(from, near));
    let urgent: Vec<Ticket> = (0..5).map(|index| queue.push_urgent(from, [near, far][index % 2], 7)).collect();
    assert!(queue.cancel(urgent[4]) && queue.cancel(slow[4]) && !queue.cancel(slow[4]));
    assert_eq!(queue.len(), 10);
    while !queue.is_empty() {
        queue.run(&map, 15, |ticket, path| {
            assert!(path.is_some());
            answered.push(ticket);
        });
    }
    assert!(answered[..4].iter().all(|ticket| urgent.contains(ticket)), "{answered:?}");
    assert!(answered[4..9].iter().all(|ticket| slow.contains(ticket) || *ticket == last), "{answered:?}");
    assert_eq!((answered.len(), answered[9]), (10, late));
}

#[test]
fn a_queue_runs_for_a_time_or_as_long_as_it_may() {
    let map = PathMap::new(serpentine(41), CostRule::Octile);
    let mut queue = PathQueue::new();
    let asked: Vec<Ticket> = (0..6).map(|row| queue.push(Cell::new(0, 0), Cell::new(0, 2 * row))).collect();
    let mut answered = Vec::new();
    queue.run_for(&map, Duration::ZERO, |ticket, _| answered.push(ticket));
    queue.run_while(&map, || false, |ticket, _| answered.push(ticket));
    assert!(answered.is_empty());
    let mut calls = 0;
    let twice = || {
        calls += 1;
        calls < 3
    };
    queue.run_while(&map, twice, |ticket, _| answered.push(ticket));
    assert_eq!((&answered[..], calls), (&asked[..2], 3));
    queue.run_for(&map, Duration::from_secs(600), |ticket, _| answered.push(ticket));
    assert_eq!(answered, asked);
}

#[test]
fn what_a_start_sees_counts_unless_the_way_is_open() {
    let mut map = PathMap::new(Grid::open(500, 500).unwrap(), CostRule::Octile);
    let (mut queue, from, to) = (PathQueue::new(), Cell::new(250, 250), Cell::new(0, 3));
    queue.push(from, to);
    let left = queue.run(&map, 10_000, |_, path| assert!(path.is_some()));
    assert!((9_980..10_000).contains(&left), "nothing but the way to the goal is looked at: {left}");
    map.fill(CellRect::new(90, 90, 20, 20), false);
    queue.push(from, to);
    let left = queue.run(&map, 10_000, |_, path| assert!(path.is_some()));
    // 16 for the start, the 140 steps of the diagonal to the wall, 4 or 8 of each other diagonal, and the corner at the
    // wall's end.
    assert!((9_810..9_840).contains(&left), "{left}");
}

#[test]
fn what_can_be_reached_within_a_budget_is_all_that_can_and_no_more() {
    let (mut reached, mut cut) = (0, 0);
    for (seed, rule) in (0..25).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        let map = PathMap::new(random_grid(31, 22, seed, 1 + seed % 3), rule);
        let from = random_cell(map.grid(), seed, 0);
        let budget =
            [0.0, 1.0, 3.5, 8.0, 9.0 * 2.0_f64.sqrt(), 25.0, 1e9, -1.0, f64::NAN, f64::INFINITY][seed as usize % 10];
        let within = [map.grid().bounds(), CellRect::new(4, 3, 20, 90)][seed as usize / 2 % 2];
        let reach = map.reach(from, budget, within);
        let costs = relaxed(map.grid(), from, |cell, way, next| {
            let is_inside = within.contains(cell) && within.contains(next);
            (is_inside && map.grid().can_step(cell, way, rule)).then(|| rule.distance(cell, next))
        });
        let is_within = |cost: &Length| cost.as_f64() <= budget;
        let expected: Vec<(Cell, Length)> = map
            .grid()
            .bounds()
            .cells()
            .zip(costs)
            .filter_map(|(cell, cost)| Some((cell, cost.filter(is_within).filter(|_| within.contains(cell))?)))
            .collect();
        assert_eq!(reach.iter().collect::<Vec<_>>(), expected, "{rule:?} {seed} {budget}");
        for (cell, cost) in reach.iter() {
            let path = reach.path(cell).unwrap();
            path.validate(map.grid(), rule).unwrap();
            assert_eq!((path.cells().first(), path.cells().last(), path.length()), (Some(&from), Some(&cell), cost));
            reached += 1;
        }
        assert_eq!((reach.from(), reach.cost(Cell::new(99, 1))), (from, None));
        cut += usize::from(expected.len() < map.grid().count_free() as usize);
    }
    assert!(reached > 5_000 && cut > 50, "{reached} {cut}");
}

#[test]
fn agents_reach_what_their_points_pay_for() {
    let mut weights = weights();
    let mut reached = 0;
    for seed in 0..20 {
        let map = TerrainMap::new((17, 13), |cell| kind(cell, seed), CostRule::Octile, &classes()).unwrap();
        for agent in &classes()[1..3] {
            let grid = map.paths(*agent).unwrap().grid();
            let weight = weight_under(&map, *agent);
            let (from, budget) = (random_cell(grid, seed, 0), 12.0 + seed as f64);
            let reach = map.reach(*agent, &weights, (from, budget, map.bounds())).unwrap();
            for (cell, cost) in map.bounds().cells().zip(least_costs(grid, from, weight)) {
                assert_eq!(reach.cost(cell), cost.filter(|cost| cost.as_f64() <= budget), "{seed} {cell}");
                if let Some(path) = reach.path(cell) {
                    path.validate(grid, CostRule::Octile).unwrap();
                    let steps = path.cells().windows(2).map(|pair| {
                        let Length { straight, diagonal } = CostRule::Octile.distance(pair[0], pair[1]);
                        Length { straight: straight * weight(pair[1]), diagonal: diagonal * weight(pair[1]) }
                    });
                    assert_eq!(Some(steps.fold(Length::ZERO, |sum, step| sum + step)), reach.cost(cell));
                    reached += 1;
                }
            }
        }
    }
    assert!(reached > 300, "{reached}");
    let map = TerrainMap::new((2, 1), |_| GROUND, CostRule::Octile, &classes()).unwrap();
    let nobody = AgentClass { size: 9, walkable: TerrainSet::of(&[GROUND]) };
    assert_eq!(map.reach(nobody, &weights, (Cell::new(0, 0), 3.0, map.bounds())).unwrap().iter().count(), 0);
    weights[9] = u32::MAX;
    assert!(map.reach(classes()[0], &weights, (Cell::new(0, 0), 3.0, map.bounds())).is_err());
}

#[test]
fn the_nearest_of_very_many_goals_is_found_without_a_look_at_each_from_every_corner() {
    let (mut scratch, mut found) = (Scratch::new(), 0);
    for (seed, rule) in (0..12).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        let map = PathMap::new(random_grid(90, 70, seed, 1 + seed % 3), rule);
        let from = random_cell(map.grid(), seed, 0);
        // Many, most of them in one half.
        let goals: Vec<Cell> =
            (1..900).map(|index| random_cell(map.grid(), seed, index)).filter(|goal| goal.x > 40).collect();
        let field = FlowField::to_nearest(&map, &goals, map.grid().bounds());
        let nearest = map.nearest(from, &goals, &mut scratch);
        assert_eq!(nearest.as_ref().map(|(_, path)| path.length()), field.length(from), "{rule:?} {seed}");
        if let Some((place, path)) = nearest {
            path.validate(map.grid(), rule).unwrap();
            assert_eq!(path.cells().last(), Some(&goals[place]));
            found += 1;
        }
    }
    assert!(found > 10, "{found}");
}

#[test]
fn fields_with_starts_are_exact_and_repaired_ones_are_those_made_from_scratch() {
    let (mut reached, mut passed) = (0, 0);
    for (seed, rule) in (0..10).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        let mut map = PathMap::new(random_grid(29, 21, seed, 1 + seed % 3), rule);
        // Some twice, some off the map, some so close to better ones that they do not matter.
        let start = |index| {
            (
                random_cell(&Grid::open(32, 21).unwrap(), seed, index / 2 * 2),
                noise(Cell::new(index, 1), seed) as u16 % 30,
            )
        };
        let starts: Vec<(Cell, u16)> = (0..4 + 30 * (seed as u32 % 2)).map(start).collect();
        let whole = map.grid().bounds();
        let part = CellRect::new(3, 4, 9, 8);
        let mut field = FlowField::with_starts(&map, &starts, whole);
        for edit in 0..15 {
            let at = random_cell(map.grid(), seed, 10 * edit + 7);
            let at = if edit % 4 == 1 { starts[0].0 } else { at };
            map.fill(CellRect::new(at.x, at.y, 1 + edit % 3, 1), noise(at, u64::from(edit)) % 2 == 0);
            field.repair(&map);
            let fresh = FlowField::with_starts(&map, &starts, whole);
            assert!(field.iter().eq(fresh.iter()), "{rule:?} {seed} {edit}");
            let of_part = FlowField::with_starts(&map, &starts, part);
            assert!(of_part.iter().eq(fresh.iter().filter(|(cell, _)| part.contains(*cell))));
            if edit % 5 > 0 {
                continue;
            }
            let step = |cell: Cell, way: Direction, next: Cell| {
                map.grid().can_step(cell, way, rule).then(|| rule.distance(cell, next))
            };
            let on_map = starts.iter().filter(|(goal, _)| map.grid().contains(*goal));
            let by_goal: Vec<_> = on_map
                .map(|(goal, steps)| {
                    (Length { straight: (*steps).into(), diagonal: 0 }, relaxed(map.grid(), *goal, step))
                })
                .collect();
            for (index, cell) in whole.cells().enumerate() {
                let least = by_goal.iter().filter_map(|(start, lengths)| Some(*start + lengths[index]?)).min();
                assert_eq!(field.length(cell), least, "{rule:?} {seed} {edit} {cell}");
                let path: Vec<Cell> = field.path(cell).collect();
                let Some(last) = path.last() else { continue };
                let walked = path
                    .windows(2)
                    .map(|pair| rule.distance(pair[0], pair[1]))
                    .fold(Length::ZERO, |sum, step| sum + step);
                let rest = starts.iter().filter(|start| start.0 == *last).map(|start| start.1).min().unwrap();
                assert_eq!(Some(walked + Length { straight: rest.into(), diagonal: 0 }), least);
                reached += 1;
                passed +=
                    usize::from(path.iter().any(|cell| cell != last && starts.iter().any(|start| start.0 == *cell)));
            }
        }
    }
    assert!(reached > 5_000 && passed > 100, "{reached} {passed}");
}

#[test]
fn a_path_within_a_length_is_the_shortest_or_none() {
    let (mut scratch, mut counts) = (Scratch::new(), [0; 3]);
    for (seed, rule) in (0..100).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        let map = PathMap::new(random_grid(53, 41, seed, 1 + seed % 3), rule);
        let (from, to) = (random_cell(map.grid(), seed, 0), random_cell(map.grid(), seed, 1));
        let path = map.path(from, to, &mut scratch);
        let expanded = scratch.expanded();
        let length = path.as_ref().map_or(9.0, |path| path.length().as_f64());
        for most in [length, length * 1.5, f64::INFINITY] {
            assert_eq!(map.path_within(from, to, most, &mut scratch), path, "{rule:?} {seed} {most}");
        }
        for most in [length - 1e-9, length / 2.0, 0.0, -1.0, f64::NAN] {
            let is_zero = length == 0.0 && most == 0.0;
            let found = map.path_within(from, to, most, &mut scratch);
            assert_eq!(found, path.clone().filter(|_| is_zero), "{rule:?} {seed} {most}");
            counts[0] += usize::from(path.is_some());
        }
        for most in [0.0, -0.0, -1.0, f64::NEG_INFINITY, f64::NAN] {
            let found = map.path_within(from, from, most, &mut scratch);
            assert_eq!(found, map.path(from, from, &mut scratch), "{rule:?} {seed} {most}");
        }
        let _ = map.path_within(from, to, length / 2.0, &mut scratch);
        counts[1] += usize::from(scratch.expanded() < expanded);
        counts[2] += usize::from(scratch.expanded() > expanded);
    }
    assert!(counts[0] > 500 && counts[1] > 60 && counts[2] == 0, "{counts:?}");
}

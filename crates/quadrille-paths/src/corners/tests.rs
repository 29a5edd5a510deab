use super::stale::Stale;
use super::*;
use crate::grid::Lengths;
use crate::walks::Swept;

/// What large maps need happens on small ones too, and nothing is forgotten.
const SMALL: Tuning = Tuning { steps_per_cell: 1, max_links: 24, many_links: 256, max_moved: 8, max_small: 0 };

/// A pseudo-random bit for a cell and a seed.
fn is_free(cell: Cell, seed: u32, eighths: u32) -> bool {
    let mixed = (cell.x * 0x9e37 + cell.y * 0x85eb + seed * 0xc2b3).wrapping_mul(0x27d4_eb2f);
    (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 13 & 7 >= eighths
}

#[test]
fn after_each_edit_what_is_not_stale_is_right_and_so_is_what_is_found_again() {
    let (mut most_stale, mut too_many) = (0, 0);
    for (seed, rule) in (0..9).flat_map(|seed| {
        [CostRule::Octile, CostRule::OctileCutting, CostRule::OctileOneSide, CostRule::Manhattan]
            .map(|rule| (seed, rule))
    }) {
        let random = |step: u32, what: u32, below: u32| {
            let mixed = (step * 0x9e37 + what * 0x85eb + seed * 0xc2b3).wrapping_mul(0x27d4_eb2f);
            ((mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 13) % below
        };
        let is_free = |cell| is_free(cell, seed, 1) || seed % 3 > 0 && is_free(cell, 9, 1);
        let mut grid = Grid::from_fn(83, 49, is_free).unwrap();
        let mut corners = Corners::tuned(&grid, rule, SMALL);
        for step in 0..100 {
            let is_single = random(step, 5, 4) > 0;
            let [width, height] = if is_single { [1, 1] } else { [random(step, 3, 6) + 1, random(step, 4, 5) + 1] };
            let rect = CellRect::new(random(step, 1, 83), random(step, 2, 49), width, height).clamped(83, 49);
            rect.cells().for_each(|cell| grid.set(cell, !grid.is_free(cell)));
            corners.update(&grid, &[rect]);
            most_stale = most_stale.max(corners.stale.list.len());
            for number in 0..corners.count_numbers() as u32 {
                // Stale corners are rescanned lazily: some by the next search, some later, some never.
                for visit in 0..random(step, number, 3) {
                    let directions =
                        if seed % 2 == 0 { Directions::MAX } else { random(step + visit, number, 256) as Directions };
                    let exits = corners.exits(&grid, number, directions);
                    let fresh = corners.scan_all(&grid, number);
                    for direction in Direction::of(directions) {
                        assert_eq!(
                            exits.links(direction),
                            fresh.exits().links(direction),
                            "{rule:?} {seed} {step} {number}"
                        );
                        assert_eq!(exits.diagonal(direction), fresh.exits().diagonal(direction));
                    }
                    too_many += usize::from(
                        fresh.links.len() > SMALL.max_links && corners.cells.corners[number as usize].stale != 0,
                    );
                }
            }
            corners.validate(&grid).unwrap_or_else(|fault| panic!("{rule:?} {seed} {step} {rect:?}: {fault}"));
            if random(step, 6, 8) == 0 {
                corners.settle();
                corners.validate(&grid).unwrap_or_else(|fault| panic!("{rule:?} {seed} {step} settled: {fault}"));
            }
        }
    }
    assert!(most_stale > 50 && too_many > 30, "{most_stale} {too_many}");
}

#[test]
fn a_large_map_with_few_walls_leaves_scans_to_searches() {
    for rule in [CostRule::Octile, CostRule::Manhattan] {
        let grid = Grid::from_fn(600, 500, |cell| cell.x % 40 != 7 || cell.y % 30 != 5).unwrap();
        let mut corners = Corners::tuned(&grid, rule, SMALL);
        // One that has been scanned is stored, or has too many links for that.
        let is_new = |corners: &Corners, stale: &Stale| !corners.stale.has_changed(stale.number);
        let left = |corners: &Corners| corners.stale.list.iter().filter(|stale| is_new(corners, stale)).count();
        let at_first = left(&corners);
        assert!(at_first > 0 && at_first < corners.count(), "{rule:?}: {at_first} of {}", corners.count());
        for number in 0..corners.count_numbers() as u32 {
            corners.exits(&grid, number, Directions::MAX);
        }
        corners.settle();
        assert_eq!(left(&corners), 0, "{rule:?}");
        corners.validate(&grid).unwrap();
    }
}

#[test]
fn no_edit_scans_for_corners_and_numbers_are_used_again() {
    for rule in [CostRule::Octile, CostRule::OctileCutting] {
        let (width, height) = (120, 90);
        let mut grid = Grid::open(width, height).unwrap();
        let mut corners = Corners::tuned(&grid, rule, SMALL);
        let mut most = 0;
        for step in 0..3 * width * height {
            // Each cell, in an order without one, is blocked, freed, and blocked.
            let number = step * 7_919 % (width * height);
            let cell = Cell::new(number % width, number / width);
            grid.set(cell, step / (width * height) == 1);
            let before = corners.stale.list.len();
            corners.update(&grid, &[CellRect::new(cell.x, cell.y, 1, 1)]);
            assert!(before <= corners.stale.list.len() + 9, "{rule:?} {step}: {before}, {}", corners.stale.list.len());
            most = most.max(corners.count());
            if step % 2_003 == 0 {
                corners.validate(&grid).unwrap_or_else(|fault| panic!("{rule:?} {step}: {fault}"));
            }
        }
        let numbers = corners.count_numbers();
        assert!(numbers < 2 * most + 2_000, "{rule:?}: {numbers} numbers for {most} corners");
    }
}

#[test]
fn landmarks_bound_every_path_from_below_while_walls_come_and_go() {
    let mut tight = 0;
    for (seed, rule) in (0..4).flat_map(|seed| [CostRule::Octile, CostRule::OctileCutting].map(|rule| (seed, rule))) {
        let (width, height) = (113, 71);
        let grid = Grid::from_fn(width, height, |cell| is_free(cell, seed, 1)).unwrap();
        let (mut now, mut corners) = (grid.clone(), Corners::tuned(&grid, rule, SMALL));
        let random = |step: u32, what: u32, below: u32| {
            let mixed = (step * 0x9e37 + what * 0x85eb + seed * 0xc2b3).wrapping_mul(0x27d4_eb2f);
            ((mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 13) % below
        };
        let cells = (0..100).map(|index| Cell::new(random(index, 8, width), random(index, 9, height)));
        for cell in cells.filter(|cell| grid.is_free(*cell)).take(6) {
            corners.begin_landmark(&grid, cell);
            while corners.landmarks.is_begun() {
                corners.go_on_with_landmark(&grid, 1 + seed as usize);
            }
        }
        for step in 0..150 {
            let rect = CellRect::new(random(step, 1, width), random(step, 2, height), 12, 9).clamped(width, height);
            // Walls, and then what was free before.
            rect.cells().for_each(|cell| now.set(cell, step % 3 == 0 && grid.is_free(cell)));
            corners.update(&now, &[rect]);
            if step % 15 < 13 {
                continue;
            }
            let goal = Cell::new(random(step, 3, width), random(step, 4, height));
            let mut swept = Swept::new(Lengths::none((width * height) as usize));
            if now.is_free(goal) {
                swept.begin(now.index(goal), Fixed::ZERO);
            }
            swept.go_on(&now, corners.walks(&now), &(), usize::MAX);
            let lengths = swept.lengths;
            let range = corners.range(&now, goal);
            for cell in now.bounds().cells() {
                let Some(number) = corners.number(&now, cell) else { continue };
                let (bound, length) = (corners.landmarks.bound(number, &range), lengths.get(now.index(cell)));
                assert!(
                    !now.is_free(goal) || bound <= length,
                    "{rule:?} {seed} {step}: {cell} {goal} {bound:?} {length:?}"
                );
                tight += usize::from(bound.above(Fixed::of(rule.distance(cell, goal)), 0) > 0);
            }
        }
        assert_eq!(corners.landmarks.count(), 6);
    }
    assert!(tight > 5_000, "{tight}");
}

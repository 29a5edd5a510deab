//! Lengths are ordered exactly, and paths are the same on every machine and any number of threads.

use crate::common::{RULES, hash, noise, random_cell, random_grid};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use quadrille_paths::{Cell, CostRule, Grid, Length, PathMap, Scratch};

/// Whether `a + b√2 < c + d√2`, in wide integers: compare squares on the side of each sign.
fn is_less(a: Length, b: Length) -> bool {
    let straight = i128::from(a.straight) - i128::from(b.straight);
    let diagonal = i128::from(b.diagonal) - i128::from(a.diagonal);
    // straight < diagonal√2
    match (straight >= 0, diagonal >= 0) {
        (false, true) => true,
        (true, false) => false,
        (true, true) => straight * straight < 2 * diagonal * diagonal,
        (false, false) => straight * straight > 2 * diagonal * diagonal,
    }
}

fn length() -> impl Strategy<Value = Length> {
    let convergents =
        prop_oneof![Just((7, 5)), Just((99, 70)), Just((275_807, 195_025)), Just((54_608_393, 38_613_965))];
    let near = (convergents, any::<bool>(), 0..3_u32).prop_map(|((straight, diagonal), swap, more)| {
        if swap { Length { straight, diagonal: more } } else { Length { straight: more, diagonal } }
    });
    prop_oneof![near, (any::<u32>(), any::<u32>()).prop_map(|(straight, diagonal)| Length { straight, diagonal })]
}

proptest! {
    // The same cases in every run.
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(5), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lengths_are_ordered_exactly(a in length(), b in length()) {
        prop_assert_eq!(a < b, is_less(a, b));
        prop_assert_eq!(b < a, is_less(b, a));
        prop_assert_eq!(a == b, a <= b && b <= a);
    }

    #[test]
    fn rounded_lengths_keep_the_order_up_to_sixteen_million_steps(a in 0..1_u32 << 23, b in 0..1_u32 << 23, c in 0..1_u32 << 23, d in 0..1_u32 << 23) {
        let (a, b) = (Length { straight: a, diagonal: b }, Length { straight: c, diagonal: d });
        prop_assert_eq!(a.cmp(&b), a.as_f64().total_cmp(&b.as_f64()));
    }
}

/// A map of rooms: walls every 24 cells with a few doors, and some rubble.
fn rooms() -> Grid {
    Grid::from_fn(200, 150, |cell| {
        let is_wall = cell.x % 24 == 0 || cell.y % 24 == 0;
        noise(cell, 5) % 16 != 0 && (!is_wall || noise(cell, 3) % 6 == 0)
    })
    .unwrap()
}

/// The paths of many queries, edits in between, as one number.
fn golden(mut map: PathMap, is_maintained: bool) -> u64 {
    let mut scratch = Scratch::new();
    let mut words = Vec::new();
    for index in 0..300 {
        let (from, to) = (random_cell(map.grid(), 1, index), random_cell(map.grid(), 2, index));
        match map.path(from, to, &mut scratch) {
            Some(path) => words.extend(path.cells().iter().flat_map(|cell| [cell.x, cell.y])),
            None => words.push(u32::MAX),
        }
        map.set(random_cell(map.grid(), 3, index), index % 3 == 0);
        if is_maintained && index % 10 == 0 {
            map.maintain();
        }
    }
    hash(words)
}

#[test]
fn paths_are_the_same_everywhere() {
    let hashes = |is_maintained| RULES.map(|rule| golden(PathMap::new(rooms(), rule), is_maintained));
    assert_eq!(
        hashes(true),
        [0xd32c_4245_5afc_c79d, 0x8f2c_ca54_c719_6e61, 0xf196_929d_cddf_a8df, 0x2455_9fdd_f8e7_1bb2],
        "{:#x?}",
        hashes(true)
    );
    assert_eq!(hashes(false), hashes(true), "whether links are stored or looked for makes no difference");
}

#[test]
fn paths_are_the_same_on_any_number_of_threads() {
    for rule in RULES {
        let mut map = PathMap::new(random_grid(150, 150, 11, 2), rule);
        map.set(Cell::new(70, 70), false);
        let answer = |thread: u32, threads: u32| {
            let mut scratch = Scratch::new();
            let mine = (thread..200).step_by(threads as usize);
            let ends = |index| (random_cell(map.grid(), 1, index), random_cell(map.grid(), 2, index));
            mine.map(|index| (index, map.path(ends(index).0, ends(index).1, &mut scratch))).collect::<Vec<_>>()
        };
        let alone = answer(0, 1);
        for threads in [2, 5] {
            let mut together: Vec<_> = std::thread::scope(|scope| {
                let answer = &answer;
                let handles: Vec<_> = (0..threads).map(|thread| scope.spawn(move || answer(thread, threads))).collect();
                handles.into_iter().flat_map(|handle| handle.join().unwrap()).collect()
            });
            together.sort_by_key(|(index, _)| *index);
            assert_eq!(together, alone);
        }
    }
}

#[test]
fn maps_of_rubble_and_noise_keep_few_bytes_a_cell() {
    let bytes_a_cell = |grid: Grid| {
        let cells = grid.width() * grid.height();
        PathMap::new(grid, CostRule::Octile).bytes() as f64 / f64::from(cells)
    };
    let (rooms, noise) = (bytes_a_cell(rooms()), bytes_a_cell(random_grid(256, 256, 11, 2)));
    assert!(rooms < 34.0 && noise < 50.0, "{rooms} {noise}");
}

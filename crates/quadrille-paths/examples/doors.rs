//! Doors that open and close ahead of a guard on its round: it walks on until the door ahead is shut, then looks for
//! another path.
//!
//! ```text
//! cargo run -p quadrille-paths --example doors
//! ```

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use quadrille_paths::{Cell, CostRule, Grid, Path, PathMap, PathWatch, Scratch};

/// Two rooms with a corridor between them; `+` is a door.
const ROOMS: [&str; 9] = [
    "#################", "#.......#.......#", "#.......+.......#", "#.......#.......#", "#.......#.......#",
    "#.......#.......#", "#.......+.......#", "#.......#.......#", "#################",
];
/// Which door is opened or shut, and in which step.
const CHANGES: [(u32, Cell, bool); 4] =
    [(3, Cell::new(8, 2), false), (6, Cell::new(8, 6), false), (9, Cell::new(8, 2), true), (14, Cell::new(8, 6), true)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tile = |cell: Cell| ROOMS[cell.y as usize].as_bytes()[cell.x as usize];
    let mut map = PathMap::new(Grid::from_fn(17, 9, |cell| tile(cell) != b'#')?, CostRule::Octile);
    let mut scratch = Scratch::new();
    let (mut guard, goal) = (Cell::new(2, 2), Cell::new(14, 2));
    // The path, the watch on it, and how far the guard has come.
    let mut walk: Option<(Path, PathWatch, usize)> = None;
    for step in 1.. {
        for (_, door, open) in CHANGES.iter().filter(|change| change.0 == step) {
            map.set(*door, *open);
            println!("step {step}: the door at {door} is {}", if *open { "opened" } else { "shut" });
        }
        // A path that an edit has broken is dropped immediately, wherever the break is.
        if walk.as_mut().is_some_and(|(_, watch, _)| watch.check(&map).is_some()) {
            walk = None;
            println!("step {step}: the guard at {guard} stops");
        }
        if walk.is_none() {
            walk = map.path(guard, goal, &mut scratch).map(|path| (path.clone(), PathWatch::new(&map, &path), 0));
            match &walk {
                Some((path, ..)) => println!("step {step}: from {guard} it is {} to the goal", path.length()),
                // Known immediately, without a search.
                None => println!("step {step}: the guard at {guard} waits for a door"),
            }
        }
        if let Some((path, _, at)) = &mut walk {
            *at += 1;
            guard = path.cells()[*at];
        }
        if guard == goal {
            println!("step {step}: there");
            break;
        }
    }
    Ok(())
}

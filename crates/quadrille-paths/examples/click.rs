//! Click to move: wherever the player clicks, the hero goes as near as possible, in straight lines.
//!
//! ```text
//! cargo run -p quadrille-paths --example click [X Y]
//! ```

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use quadrille_paths::{Cell, CostRule, Grid, PathMap, Scratch};

const MAP: [&str; 9] = [
    "........................", "..####..........#####...", "..####....##....#...#...", "..####....##....#...#...",
    "..........##....#...#...", "....####..##....#####...", "....####................", "....####....#######.....",
    "........................",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<u32> = std::env::args().skip(1).map(|number| number.parse()).collect::<Result<_, _>>()?;
    // By default into the house without a door.
    let clicked = if let [x, y] = numbers[..] { Cell::new(x, y) } else { Cell::new(18, 3) };
    let is_free = |cell: Cell| MAP[cell.y as usize].as_bytes()[cell.x as usize] == b'.';
    let map = PathMap::new(Grid::from_fn(24, 9, is_free)?, CostRule::Octile);
    let (mut scratch, hero) = (Scratch::new(), Cell::new(0, 4));

    // To the click itself, or to the cell nearest to it that can be reached.
    let path = map.partial_path(hero, clicked, &mut scratch).ok_or("the hero stands in a wall")?;
    let goal = path.cells()[path.cells().len() - 1];
    let taut = map.taut_path(hero, goal, &mut scratch).ok_or("there was a path just now")?;

    println!("clicked {clicked}, going to {goal}: {} in steps, {:.3} in straight lines", path.length(), taut.length());
    for [x, y] in taut.points() {
        println!("  by ({x}, {y})");
    }
    for (y, row) in (0..).zip(MAP) {
        let mark = |(x, tile)| match Cell::new(x, y) {
            cell if cell == hero => '@',
            cell if cell == goal => 'X',
            cell if path.cells().contains(&cell) => '*',
            _ => tile,
        };
        println!("{}", (0..).zip(row.chars()).map(mark).collect::<String>());
    }
    Ok(())
}

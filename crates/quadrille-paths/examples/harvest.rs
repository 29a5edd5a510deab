//! Workers who carry wood home: each goes to the nearest tree, cuts it, which frees its cell, and follows the
//! field that leads everyone home. Trees are both goals and walls, so a worker goes to a cell beside one.
//!
//! ```text
//! cargo run -p quadrille-paths --example harvest
//! ```

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use quadrille_paths::{Cell, CostRule, Direction, FlowField, Grid, PathMap, Scratch};

const SIDE: u32 = 60;
const HOME: Cell = Cell::new(30, 30);

/// What a worker does.
enum Task {
    Fetch { tree: Cell, way: std::vec::IntoIter<Cell> },
    Return,
}

/// A wood with a clearing in the middle.
fn is_tree(cell: Cell) -> bool {
    let away = cell.x.abs_diff(HOME.x).max(cell.y.abs_diff(HOME.y));
    away > 8 && (cell.x * 7 + cell.y * 13 + cell.x * cell.y) % 5 < 2
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut map = PathMap::new(Grid::from_fn(SIDE, SIDE, |cell| !is_tree(cell))?, CostRule::Octile);
    let mut trees: Vec<Cell> = map.grid().bounds().cells().filter(|cell| is_tree(*cell)).collect();
    let mut scratch = Scratch::new();
    let mut home = FlowField::new(&map, HOME, map.grid().bounds());
    let mut workers: Vec<(Cell, Task)> = (0..12).map(|_| (HOME, Task::Return)).collect();
    let mut wood = 0;
    for _ in 0..600 {
        for (cell, task) in &mut workers {
            match task {
                Task::Return if *cell == HOME => {
                    // The places from which a tree can be felled, nearest trees first; a few dozen goals are one
                    // search.
                    trees.sort_by_key(|tree| map.rule().distance(HOME, *tree));
                    let beside = |tree: &Cell| Direction::ALL.map(|way| tree.step(way).map(|place| (place, *tree)));
                    let places: Vec<(Cell, Cell)> = trees.iter().take(8).flat_map(beside).flatten().collect();
                    let goals: Vec<Cell> = places.iter().map(|(place, _)| *place).collect();
                    let Some((which, path)) = map.nearest(*cell, &goals, &mut scratch) else { continue };
                    let tree = places[which].1;
                    trees.retain(|other| *other != tree);
                    let mut way = path.cells().to_vec().into_iter();
                    way.next();
                    *task = Task::Fetch { tree, way };
                }
                // Repaired after each felled tree: visits the cells whose path home has become shorter.
                Task::Return => *cell = home.next(*cell).unwrap_or(*cell),
                Task::Fetch { tree, way } => match way.next() {
                    Some(next) => *cell = next,
                    None => {
                        map.set(*tree, true);
                        home.repair(&map);
                        wood += 1;
                        *task = Task::Return;
                    }
                },
            }
        }
    }
    println!("{wood} trees felled, {} left, {} cells are free", trees.len(), map.grid().count_free());
    Ok(())
}

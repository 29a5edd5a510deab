//! Runs one of the examples: `cargo run --release -- flock`.

use bevy_quadrille_examples::{bullet_storm, city, flock, picking, tower_defence};

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    match name.as_str() {
        "flock" => println!("{}", flock::report(200)),
        "tower-defence" => println!("{}", tower_defence::report(600)),
        "picking" => println!("{}", picking::report(100)),
        "bullet-storm" => println!("{}", bullet_storm::report(100)),
        "city" => println!("{}", city::report(400)),
        _ => println!("which one? flock, tower-defence, picking, bullet-storm, city"),
    }
}

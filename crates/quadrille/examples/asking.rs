//! What is under the mouse, what is nearest, and what a shot hits.
//!
//! `cargo run -p quadrille --example asking`

#![expect(clippy::print_stdout, reason = "shows what happens")]

use quadrille::{Aabb, At, Near, Space, Sweep};

fn main() -> Result<(), quadrille::Error> {
    let mut space = Space::<&str>::default();
    space.insert(Aabb::new([0.0, 0.0], [4.0, 3.0]), "house")?;
    space.insert(Aabb::new([6.0, 0.0], [7.0, 5.0]), "tree")?;
    space.insert(Aabb::new([12.0, 0.0], [14.0, 2.0]), "car")?;

    let under: Vec<&str> = space.query(At([1.0, 1.0])).map(|(_, thing)| *thing).collect();
    println!("under the mouse: {under:?}");
    for hit in space.query_in_order(Near::point([10.0, 1.0])) {
        println!("{} is {:.1} away", hit.thing, hit.rank.to_f64());
    }
    let shot = Sweep::segment([-5.0, 1.0], [20.0, 1.0]);
    if let Some(hit) = space.query_first(shot) {
        println!("the shot hits the {} at {:?}", hit.thing, shot.point_at(hit.rank.time()));
    }
    Ok(())
}

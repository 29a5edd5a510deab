//! A walker and three doors: what begins and ends to overlap, by your own keys.
//!
//! `cargo run -p quadrille --example triggers`

#![expect(clippy::print_stdout, reason = "shows what happens")]

use quadrille::{Aabb, Events, Keyed};

fn main() -> Result<(), quadrille::Error> {
    let mut near = Keyed::<&str>::default();
    for (name, x) in [("cellar", 3.0), ("kitchen", 8.0), ("garden", 13.0)] {
        near.set(name, Aabb::from_center([x, 0.0], [1.0, 1.0]))?;
    }
    let mut events = Events::default();
    for step in 0..16_u8 {
        near.set("walker", Aabb::from_center([f32::from(step), 0.0], [0.3, 0.3]))?;
        near.step_events(&mut events);
        for (a, b) in &events.begin {
            println!("step {step}: {a} and {b} meet");
        }
        for (a, b) in &events.end {
            println!("step {step}: {a} and {b} part");
        }
    }
    Ok(())
}

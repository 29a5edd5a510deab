//! A walker and three doors: what begins and ends to overlap.
//!
//! `cargo run -p quadrille --example triggers`

#![expect(clippy::print_stdout, reason = "shows what happens")]

use quadrille::{Aabb, Events, Space};

fn main() -> Result<(), quadrille::Error> {
    let mut near = Space::<&str>::default();
    for (name, x) in [("cellar", 3.0), ("kitchen", 8.0), ("garden", 13.0)] {
        near.insert(Aabb::from_center([x, 0.0], [1.0, 1.0]), name)?;
    }
    let walker = near.insert(Aabb::from_center([0.0, 0.0], [0.3, 0.3]), "walker")?;
    let mut events = Events::default();
    for step in 0..16_u8 {
        near.update(walker, Aabb::from_center([f32::from(step), 0.0], [0.3, 0.3]))?;
        near.step_events(&mut events);
        for &(a, b) in &events.begin {
            println!("step {step}: {} and {} meet", near[a], near[b]);
        }
        for &(a, b) in &events.end {
            println!("step {step}: {} and {} part", near[a], near[b]);
        }
    }
    Ok(())
}

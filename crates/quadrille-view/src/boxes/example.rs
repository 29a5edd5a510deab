//! Built-in boxes: a made-up town, in the form of a file.

use std::fmt::Write;

use crate::spread::spread;

/// The name used instead of a file's.
pub const EXAMPLE: &str = "town (example)";

/// Blocks along each side of the town, and meters from one to the next.
const BLOCKS: u32 = 24;
const PITCH: f64 = 90.0;
/// Meters between two parts of the stream that floods the town.
const REACH: f64 = 60.0;

/// A table of boxes: houses along streets, fewer outside, and flood areas along a stream, which overlap some of them.
pub fn example() -> String {
    let mut table = String::from("id,xmin,ymin,xmax,ymax\n");
    let mut add = |name: std::fmt::Arguments<'_>, [x, y]: [f64; 2], [width, height]: [f64; 2]| {
        let _ = writeln!(table, "{name},{x:.1},{y:.1},{:.1},{:.1}", x + width, y + height);
    };
    let side = f64::from(BLOCKS) * PITCH;
    let mut houses = 0;
    for block in 0..BLOCKS * BLOCKS {
        let corner = [block % BLOCKS, block / BLOCKS].map(|number| f64::from(number) * PITCH);
        let off = corner.map(|at| (at + PITCH / 2.0) / side * 2.0 - 1.0);
        // The center is fully built up, the outskirts hardly.
        let lots = (9.0 * (1.2 - off[0].hypot(off[1]))).clamp(0.0, 8.0) as u32;
        for lot in 0..lots {
            houses += 1;
            let size = [9.0 + 9.0 * spread(houses, 0), 9.0 + 9.0 * spread(houses, 1)];
            let lot = [lot % 4, lot / 4].map(f64::from);
            let at = [corner[0] + 6.0 + 20.0 * lot[0], corner[1] + 8.0 + 40.0 * lot[1] + 8.0 * spread(houses, 2)];
            add(format_args!("house {houses}"), at, size);
        }
    }
    for number in 1..=(side / REACH) as u32 {
        let along = f64::from(number) * REACH;
        let half = [70.0 + 40.0 * spread(number, 0), 50.0 + 40.0 * spread(number, 1)];
        let middle = [along - REACH / 2.0, side / 2.0 + 330.0 * (along / 420.0).sin()];
        let size = half.map(|half| 2.0 * half);
        add(format_args!("flood {number}"), [middle[0] - half[0], middle[1] - half[1]], size);
    }
    table
}

//! What frame.c does, in Rust: its least and middle microseconds, and the sum of pairs, which is the same.
#![expect(clippy::print_stdout, reason = "that is what it is for")]

use std::ops::ControlFlow::Continue;
use std::time::Instant;

use quadrille::{Aabb, Index};

const BOXES: usize = 10_000;
const FRAMES: usize = 1000;

fn main() {
    let mut state = 2_463_534_242_u32;
    let mut below = |end: f32| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        end * (state >> 8) as f32 / 16_777_216.0
    };
    let (mut boxes, mut ways) = (Vec::new(), Vec::new());
    for _ in 0..BOXES {
        let (x, y) = (below(1000.0), below(1000.0));
        boxes.push(Aabb::new([x, y], [x + 5.0, y + 5.0]));
        ways.push([below(2.0) - 1.0, below(2.0) - 1.0]);
    }
    let mut all: Index = Index::from_boxes(&boxes).expect("boxes");
    let (mut pairs, mut times, mut sum) = (Vec::new(), Vec::new(), 0);
    for _ in 0..FRAMES {
        for (bounds, way) in boxes.iter_mut().zip(&ways) {
            for (axis, step) in way.iter().enumerate() {
                bounds.min[axis] += step;
                bounds.max[axis] += step;
            }
        }
        let start = Instant::now();
        all.set_all(&boxes).expect("boxes");
        pairs.clear();
        let _: std::ops::ControlFlow<()> = all.pairs_visit(|a, b| {
            pairs.push([a, b]);
            Continue(())
        });
        times.push(start.elapsed().as_secs_f64() * 1e6);
        sum += pairs.len();
    }
    times.sort_by(f64::total_cmp);
    println!("{:.1} {:.1} {sum}", times[0], times[FRAMES / 2]);
}

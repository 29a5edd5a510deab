//! Whole frames by `FrameTree`, for any machine that Rust compiles for: one line of nanoseconds per box and frame.
//! `bench/kernels/wasm` runs it with and without the vectors of WebAssembly.

use std::env::args;
use std::hint::black_box;
use std::ops::ControlFlow::{self, Continue};
use std::time::Instant;

use quadrille::{Aabb, FrameTree, Index};
use quadrille_scenes::{Scene, SceneKind};

/// Frames that are timed. The clock is the wall's, so the median counts.
const FRAMES: usize = 41;

fn main() {
    let mut args = args().skip(1);
    let kind: SceneKind = args.next().expect("a scene").parse().expect("the name of a scene");
    let boxes: usize = args.next().expect("how many boxes").parse().expect("a number of boxes");
    let mut scene = Scene::new(kind, boxes, 1);
    let all: Vec<Aabb> = scene.boxes().collect();
    let mut index = Index::<FrameTree>::from_boxes(&all).expect("boxes of scenes are valid");
    let mut times = [const { Vec::new() }; 2];
    let mut sum = 0_u64;
    for _ in 0..FRAMES {
        scene.step();
        let all: Vec<Aabb> = scene.boxes().collect();
        let start = Instant::now();
        index.update_all(black_box(&all)).expect("boxes of scenes are valid");
        let updated = Instant::now();
        let _: ControlFlow<()> = index.pairs_visit(|a, b| {
            sum = sum.wrapping_add(u64::from(a) * u64::from(b));
            Continue(())
        });
        times[0].push((updated - start).as_nanos());
        times[1].push(updated.elapsed().as_nanos());
    }
    let [update, pairs] = times.map(|mut times| {
        times.sort_unstable();
        times[FRAMES / 2] as f64 / boxes as f64
    });
    println!("{update:.1} {pairs:.1} {sum:x}");
}

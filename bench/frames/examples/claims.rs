//! Three claims of the original authors that nobody has tested in public, each as a ratio measured in one run:
//!
//! `cargo run --release -p frames --example claims`
//!
//! Computed or stored rectangles; integers or floats; 500,000 agents in a loose grid or 100,000 in a quadtree.

use std::hint::black_box;

use cpu_time::ThreadTime;
use quadrille::structures::{LooseGrid, Quadtree, QuadtreeOptions, Subdivision};
use quadrille::{Aabb, FrameTree, Index, Overlaps, Scalar, Structure};
use quadrille_scenes::{Scene, SceneKind};

const ROUNDS: usize = 15;

fn main() -> Result<(), quadrille::Error> {
    println!("claim,contender,cpu_ms,ratio");
    rectangles();
    numbers()?;
    agents()
}

/// The median.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Lines of results: how long each took, and how many times as long as the first.
fn print<const N: usize>(claim: &str, contenders: [&str; N], times: [Vec<f64>; N]) {
    let times = times.map(median);
    for (contender, took) in contenders.iter().zip(times) {
        println!("{claim},\"{contender}\",{took:.2},{:.2}", took / times[0]);
    }
}

/// Milliseconds of processor time.
fn time(work: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    work();
    start.elapsed().as_secs_f64() * 1e3
}

/// Descents through a full quadtree of ten levels, 1.4 million nodes side by side in fours: one reads a rectangle in
/// each node, the other halves the one it came with. Both read the link in the node and end in the same leaf.
fn rectangles() {
    const LEVELS: u32 = 10;
    #[derive(Clone, Copy)]
    struct Stored {
        first_child: u32,
        middle: [f32; 2],
        half: [f32; 2],
    }
    let mut stored = vec![Stored { first_child: 1, middle: [0.5; 2], half: [0.5; 2] }];
    for level in 0..LEVELS {
        let count = 4_usize.pow(level);
        for node in stored.len() - count..stored.len() {
            stored[node].first_child = stored.len() as u32;
            let Stored { middle, half, .. } = stored[node];
            for quadrant in 0..4 {
                let half = half.map(|half| half / 2.0);
                let middle = [middle[0] + sign(quadrant & 1) * half[0], middle[1] + sign(quadrant >> 1) * half[1]];
                stored.push(Stored { first_child: 0, middle, half });
            }
        }
    }
    let links: Vec<[u32; 2]> = stored.iter().map(|node| [node.first_child, 0]).collect();
    let scene = Scene::new(SceneKind::Uniform, 100_000, 1);
    let world = Aabb::from_boxes(&scene.boxes().collect::<Vec<_>>());
    let unit = |bounds: Aabb| [0, 1].map(|axis| (bounds.center()[axis] - world.min[axis]) / world.size()[axis]);
    let points: Vec<[f32; 2]> = scene.boxes().map(unit).collect();

    let read = |point: &[f32; 2]| {
        let mut node = 0;
        while stored[node].first_child != 0 {
            let Stored { first_child, middle, .. } = stored[node];
            node = first_child as usize + quadrant(point, &middle);
        }
        node
    };
    let compute = |point: &[f32; 2]| {
        let (mut node, mut middle, mut half) = (0, [0.5; 2], 0.25);
        while links[node][0] != 0 {
            let quadrant = quadrant(point, &middle);
            node = links[node][0] as usize + quadrant;
            middle = [middle[0] + sign(quadrant & 1) * half, middle[1] + sign(quadrant >> 1) * half];
            half /= 2.0;
        }
        node
    };
    assert!(points.iter().all(|point| read(point) == compute(point)), "the same leaves");
    let run =
        |descend: &dyn Fn(&[f32; 2]) -> usize| time(|| points.iter().for_each(|point| _ = black_box(descend(point))));
    let (mut by_reading, mut by_computing) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        by_reading.push(run(&read));
        by_computing.push(run(&compute));
    }
    print("descents", ["stored", "computed"], [by_reading, by_computing]);
}

fn quadrant(point: &[f32; 2], middle: &[f32; 2]) -> usize {
    usize::from(point[0] >= middle[0]) + 2 * usize::from(point[1] >= middle[1])
}

fn sign(bit: usize) -> f32 {
    if bit == 0 { -1.0 } else { 1.0 }
}

/// The boxes of three frames, in numbers of type `S`, a thousand to the unit.
fn frames<S: Scalar>(count: usize) -> Vec<Vec<Aabb<S>>> {
    let mut scene = Scene::new(SceneKind::Uniform, count, 1);
    let scaled = |corner: [f32; 2]| corner.map(|side| S::from_f64((f64::from(side) * 1000.0).round()));
    let mut frame = || {
        scene.step();
        scene.boxes().map(|bounds: Aabb| Aabb::new(scaled(bounds.min), scaled(bounds.max))).collect()
    };
    (0..3).map(|_| frame()).collect()
}

/// A frame: all boxes updated one by one, `maintain`, then something is counted. Returns that, too.
fn frame<I: Structure>(index: &mut Index<I>, boxes: &[Aabb<I::Scalar>], count: Count<I>) -> (f64, usize) {
    let mut found = 0;
    let took = time(|| {
        for (id, bounds) in (0..).zip(boxes) {
            index.update(id, *bounds).expect("a valid box");
        }
        index.maintain();
        found = count(index, boxes);
    });
    (took, found)
}

type Count<I> = fn(&Index<I>, &[Aabb<<I as Structure>::Scalar>]) -> usize;

/// All pairs.
fn pairs<I: Structure>(index: &Index<I>, _: &[Aabb<I::Scalar>]) -> usize {
    index.pairs_count()
}

/// What each box overlaps, as the original asked.
fn queries<I: Structure>(index: &Index<I>, boxes: &[Aabb<I::Scalar>]) -> usize {
    boxes.iter().map(|bounds| index.query_count(Overlaps(*bounds))).sum()
}

fn small<S: Scalar>() -> QuadtreeOptions<S> {
    QuadtreeOptions::default().with_subdivision(Subdivision::Adaptive { capacity: 8, max_depth: 8 })
}

/// The same quadtree over three kinds of numbers.
fn numbers() -> Result<(), quadrille::Error> {
    const COUNT: usize = 100_000;
    let (singles, integers, doubles) = (frames::<f32>(COUNT), frames::<i32>(COUNT), frames::<f64>(COUNT));
    let mut of_singles = Index::<Quadtree<f32>>::with_boxes(small(), &singles[0])?;
    let mut of_integers = Index::<Quadtree<i32>>::with_boxes(small(), &integers[0])?;
    let mut of_doubles = Index::<Quadtree<f64>>::with_boxes(small(), &doubles[0])?;
    let mut times = [const { Vec::new() }; 3];
    for round in 0..ROUNDS {
        let k = round % 3;
        let frames = [
            frame(&mut of_singles, &singles[k], pairs),
            frame(&mut of_integers, &integers[k], pairs),
            frame(&mut of_doubles, &doubles[k], pairs),
        ];
        assert!(frames.iter().all(|(_, found)| *found == frames[0].1), "all find the same: {frames:?}");
        times.iter_mut().zip(frames).for_each(|(times, (took, _))| times.push(took));
    }
    print("numbers", ["f32", "i32", "f64"], times);
    Ok(())
}

/// Half a million agents in one structure beside a fifth of them in another: moves and a query each, and all pairs.
fn agents() -> Result<(), quadrille::Error> {
    let (few, many) = (frames::<f32>(100_000), frames::<f32>(500_000));
    let mut quadtree = Index::<Quadtree>::from_boxes(&few[0])?;
    let mut loose_grid = Index::<LooseGrid>::from_boxes(&many[0])?;
    let mut frame_tree = Index::<FrameTree>::from_boxes(&many[0])?;
    let mut times = [const { [const { Vec::new() }; 3] }; 2];
    for round in 0..ROUNDS {
        for (task, times) in times.iter_mut().enumerate() {
            let k = (round + task) % 3;
            let (of_quadtree, of_loose_grid, of_frame_tree): (Count<_>, Count<_>, Count<FrameTree>) =
                if task == 0 { (queries, queries, queries) } else { (pairs, pairs, pairs) };
            times[0].push(frame(&mut quadtree, &few[k], of_quadtree).0);
            let (took, expected) = frame(&mut loose_grid, &many[k], of_loose_grid);
            times[1].push(took);
            let mut found = 0;
            times[2].push(time(|| {
                frame_tree.update_all(&many[k]).expect("valid boxes");
                found = of_frame_tree(&frame_tree, &many[k]);
            }));
            assert_eq!(found, expected, "both find the same");
        }
    }
    let contenders = ["100,000 in `Quadtree`", "500,000 in `LooseGrid`", "500,000 in `FrameTree`"];
    for (claim, times) in ["queries", "pairs"].into_iter().zip(times) {
        print(claim, contenders, times);
    }
    Ok(())
}

//! Whole frames at once: `update_all` does what updating one by one does, in every structure, frame after frame.

#![cfg_attr(quadrille_other_scalar, allow(unused_imports, reason = "a sweep has the frames of its scalar alone"))]

use std::ops::ControlFlow::Continue;

use quadrille::structures::{AnyStructure, BruteForce, LooseGrid, StructureKind};
use quadrille::{Aabb, FrameTree, Index, Overlaps, Scalar};

/// Whole numbers from 0 to `below - 1`.
struct Numbers(fastrand::Rng);

impl Numbers {
    fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    fn below(&mut self, below: u32) -> f64 {
        f64::from(self.0.u32(..below))
    }
}

/// A box on its way. Positions are whole numbers, so that all scalars hold them.
struct Body {
    at: [f64; 2],
    size: [f64; 2],
    speed: [f64; 2],
}

impl Body {
    fn bounds<S: Scalar>(&self) -> Aabb<S> {
        let [x, y] = self.at;
        [x, y, x + self.size[0], y + self.size[1]].map(S::from_f64).into()
    }
}

/// Small boxes, some long and thin, some that lie on each other, and two giants.
fn bodies(count: usize, next: &mut Numbers) -> Vec<Body> {
    let mut bodies: Vec<Body> = (0..count)
        .map(|k| {
            let size = match k % 10 {
                0 => [next.below(200), next.below(3)],
                1 => [next.below(3), next.below(200)],
                _ => [next.below(20), next.below(20)],
            };
            let speed = [next.below(7) - 3.0, next.below(7) - 3.0];
            Body { at: [next.below(1000), next.below(1000)], size, speed }
        })
        .collect();
    for k in (3..count).step_by(7) {
        (bodies[k].at, bodies[k].speed) = (bodies[3].at, bodies[3].speed);
    }
    bodies[0].size = [1000.0; 2];
    bodies[count / 2].size = [700.0; 2];
    bodies
}

/// Everything moves a little; in some frames one in ten goes somewhere else, and in a few all do.
fn step(bodies: &mut [Body], frame: usize, next: &mut Numbers) {
    for (k, body) in bodies.iter_mut().enumerate() {
        if frame % 5 == 0 && k % 10 == frame / 5 % 10 || frame % 17 == 16 {
            body.at = [next.below(1000), next.below(1000)];
        }
        body.at = [0, 1].map(|axis| body.at[axis] + body.speed[axis]);
    }
}

fn sorted<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    all.sort_unstable();
    all
}

/// All structures at once, for the oracle is the slowest of them.
fn frames_match_brute_force<S: Scalar>() {
    const COUNT: usize = 700;
    let mut next = Numbers::new(1);
    let mut bodies = bodies(COUNT, &mut next);
    let boxes = |bodies: &[Body]| bodies.iter().map(Body::bounds::<S>).collect::<Vec<_>>();
    let mut oracle = Index::<BruteForce<S>>::from_boxes(&boxes(&bodies)).expect("valid boxes");
    let indexed = |&kind: &StructureKind| {
        Index::<AnyStructure<S>>::with_boxes(kind.into(), &boxes(&bodies)).expect("valid boxes")
    };
    let mut indices: Vec<_> = StructureKind::ALL.iter().map(indexed).collect();
    for frame in 0..60 {
        step(&mut bodies, frame, &mut next);
        let now = boxes(&bodies);
        oracle.update_all(&now).expect("valid boxes");
        let expected: Vec<_> = oracle.pairs().collect();
        for index in &mut indices {
            index.update_all(&now).expect("valid boxes");
            agrees(index, &oracle, &expected, &bodies);
        }
        // A few single changes between the frames: right at once, and not in the way of the next frame.
        for id in (frame as u32 % 13..COUNT as u32).step_by(50) {
            let bounds = bodies[(id as usize + 31) % COUNT].bounds();
            let (moved, removed) = (oracle.update(id, bounds), oracle.remove(id + 1));
            for index in &mut indices {
                assert_eq!((index.update(id, bounds), index.remove(id + 1)), (moved.clone(), removed));
            }
        }
        let expected: Vec<_> = oracle.pairs().collect();
        indices.iter().for_each(|index| {
            assert_eq!(sorted(index.pairs()), expected, "{} after frame {frame}", index.options().kind());
        });
        while oracle.len() < COUNT {
            let bounds = bodies[oracle.len()].bounds();
            let id = oracle.insert(bounds);
            indices.iter_mut().for_each(|index| assert_eq!(index.insert(bounds), id));
        }
        let expected: Vec<_> = oracle.pairs().collect();
        indices.iter().for_each(|index| agrees(index, &oracle, &expected, &bodies));
    }
}

/// The index is sound, and has the oracle's pairs and answers.
fn agrees<S: Scalar>(
    index: &Index<AnyStructure<S>>,
    oracle: &Index<BruteForce<S>>,
    pairs: &[(u32, u32)],
    bodies: &[Body],
) {
    index.validate().expect("a sound structure");
    let kind = index.options().kind();
    assert_eq!(sorted(index.pairs()), pairs, "{kind}");
    let mut visited = Vec::new();
    let _ = index.pairs_visit(|a, b| {
        visited.push((a, b));
        Continue::<()>(())
    });
    assert!(index.pairs().eq(visited), "{kind}: iterator and visitor have the same order");
    for asked in bodies.iter().step_by(97) {
        let asked = Overlaps(asked.bounds());
        assert!(oracle.query(asked).eq(sorted(index.query(asked))), "{kind}: {asked:?}");
    }
}

#[cfg(not(quadrille_other_scalar))]
#[test]
fn frames_of_f32_match_brute_force() {
    frames_match_brute_force::<f32>();
}

#[cfg(quadrille_other_scalar = "f64")]
#[test]
fn frames_of_f64_match_brute_force() {
    frames_match_brute_force::<f64>();
}

#[cfg(quadrille_other_scalar = "i32")]
#[test]
fn frames_of_i32_match_brute_force() {
    frames_match_brute_force::<i32>();
}

/// Enough that a frame tree refits them in parts, with crowds among them.
#[cfg(not(quadrille_other_scalar))]
#[test]
fn large_frames_of_a_frame_tree_match_those_of_a_grid() {
    let mut next = Numbers::new(2);
    let mut bodies = bodies(6000, &mut next);
    let boxes = |bodies: &[Body]| bodies.iter().map(Body::bounds).collect::<Vec<Aabb>>();
    let mut tree = Index::<FrameTree>::from_boxes(&boxes(&bodies)).expect("valid boxes");
    let mut grid = Index::<LooseGrid>::from_boxes(&boxes(&bodies)).expect("valid boxes");
    for frame in 0..25 {
        step(&mut bodies, frame, &mut next);
        if frame % 9 == 8 {
            // All but the giants of one quarter leave it.
            bodies.iter_mut().filter(|body| body.at.iter().all(|at| *at < 500.0)).for_each(|body| body.at[0] += 500.0);
        }
        tree.update_all(&boxes(&bodies)).expect("valid boxes");
        grid.update_all(&boxes(&bodies)).expect("valid boxes");
        tree.validate().expect("a sound structure");
        assert_eq!(sorted(tree.pairs()), sorted(grid.pairs()), "in frame {frame}");
    }
}

/// How everything moves for some frames.
fn motion(bodies: &mut [Body], kind: u32, next: &mut Numbers) {
    let origin = [next.below(1000), next.below(1000)];
    for (k, body) in bodies.iter_mut().enumerate() {
        match kind {
            // A drift, a rest, a flight, jumps, a collapse into one spot, an explosion out of it, one in ten replaced,
            // and a shift of the whole world.
            0 => body.at = [0, 1].map(|axis| body.at[axis] + body.speed[axis]),
            2 => body.at = [0, 1].map(|axis| (body.at[axis] + 60.0 * body.speed[axis]).rem_euclid(1000.0)),
            3 => body.at = [next.below(1000), next.below(1000)],
            4 => body.at = origin,
            5 => body.at = [0, 1].map(|axis| origin[axis] + 10.0 * body.speed[axis] * (k % 30) as f64),
            6 if k % 10 == 0 => body.at = [next.below(1000), next.below(1000)],
            1 | 6 => {}
            _ => body.at = [body.at[0] + 100_000.0, body.at[1]],
        }
    }
}

/// Motion changes without notice, from one kind to any other, and boxes come and go: a frame tree sorts, or does not,
/// and answers are the same.
#[cfg(not(quadrille_other_scalar))]
#[test]
fn a_frame_tree_follows_whatever_boxes_do() {
    const COUNT: usize = 800;
    for seed in 3..7 {
        let mut next = Numbers::new(seed);
        let mut bodies = bodies(COUNT, &mut next);
        let boxes = |bodies: &[Body]| bodies.iter().map(Body::bounds).collect::<Vec<Aabb>>();
        let mut tree = Index::<FrameTree>::from_boxes(&boxes(&bodies)).expect("valid boxes");
        let mut oracle = Index::<BruteForce>::from_boxes(&boxes(&bodies)).expect("valid boxes");
        for frame in 0..60 {
            if frame % 6 == 0 || next.below(3) == 0.0 {
                let kind = next.below(8) as u32;
                motion(&mut bodies, kind, &mut next);
            } else {
                motion(&mut bodies, u32::from(frame % 5 == 0), &mut next);
            }
            tree.update_all(&boxes(&bodies)).expect("valid boxes");
            oracle.update_all(&boxes(&bodies)).expect("valid boxes");
            tree.validate().expect("a sound structure");
            assert_eq!(sorted(tree.pairs()), oracle.pairs().collect::<Vec<_>>(), "seed {seed}, frame {frame}");
            if frame % 4 == 1 {
                for id in (frame..COUNT as u32).step_by(90) {
                    assert_eq!(tree.remove(id), oracle.remove(id));
                }
                assert_eq!(sorted(tree.pairs()), oracle.pairs().collect::<Vec<_>>(), "seed {seed}, frame {frame}");
                if frame % 8 == 1 {
                    tree.maintain();
                    tree.validate().expect("a sound structure");
                    assert_eq!(sorted(tree.pairs()), oracle.pairs().collect::<Vec<_>>(), "seed {seed}, frame {frame}");
                }
                while tree.len() < COUNT {
                    let bounds = bodies[next.below(COUNT as u32) as usize].bounds();
                    assert_eq!(tree.insert(bounds), oracle.insert(bounds));
                }
            }
            let asked = Overlaps(bodies[frame as usize * 13].bounds());
            assert!(oracle.query(asked).eq(sorted(tree.query(asked))), "seed {seed}, frame {frame}: {asked:?}");
        }
    }
}

/// Boxes come and go by whole frames of any length, and in between one by one, so that ids below and beyond the length
/// of a frame are free: no structure loses a box or lists one twice.
fn frames_of_any_length_match_brute_force<S: Scalar>() {
    const MOST: u32 = 1200;
    let mut next = Numbers::new(9);
    let mut bodies = bodies(MOST as usize, &mut next);
    let mut oracle = Index::<BruteForce<S>>::default();
    let empty = |&kind: &StructureKind| Index::<AnyStructure<S>>::new(kind.into()).expect("valid options");
    let mut indices: Vec<_> = StructureKind::ALL.iter().map(empty).collect();
    for frame in 0..24 {
        step(&mut bodies, frame, &mut next);
        let kept = 1 + frame % 5;
        for id in (0..oracle.len() as u32).filter(|id| id % 7 > kept as u32) {
            let removed = oracle.remove(id);
            indices.iter_mut().for_each(|index| assert_eq!(index.remove(id), removed));
        }
        for _ in 0..next.below(3) as u32 * 20 {
            let bounds = bodies[next.below(MOST) as usize].bounds();
            let id = oracle.insert(bounds);
            indices.iter_mut().for_each(|index| assert_eq!(index.insert(bounds), id));
        }
        if frame % 3 == 0 {
            indices.iter_mut().for_each(Index::maintain);
        }
        let len = [next.below(MOST), f64::from(MOST), oracle.len() as f64 * 1.5][frame % 3] as usize;
        let now: Vec<_> = bodies.iter().take(len).map(Body::bounds).collect();
        oracle.set_all(&now).expect("valid boxes");
        assert!(oracle.iter().eq((0..).zip(now.iter().copied())), "frame {frame}");
        let expected: Vec<_> = oracle.pairs().collect();
        for index in &mut indices {
            index.set_all(&now).expect("valid boxes");
            assert!(index.iter().eq(oracle.iter()), "frame {frame}");
            assert_eq!(index.query_count(Overlaps(Aabb::EVERYTHING)), now.len(), "frame {frame}");
            agrees(index, &oracle, &expected, &bodies);
        }
    }
}

#[cfg(not(quadrille_other_scalar))]
#[test]
fn frames_of_any_length_of_f32_match_brute_force() {
    frames_of_any_length_match_brute_force::<f32>();
}

#[cfg(quadrille_other_scalar = "f64")]
#[test]
fn frames_of_any_length_of_f64_match_brute_force() {
    frames_of_any_length_match_brute_force::<f64>();
}

#[cfg(quadrille_other_scalar = "i32")]
#[test]
fn frames_of_any_length_of_i32_match_brute_force() {
    frames_of_any_length_match_brute_force::<i32>();
}

#[cfg(not(quadrille_other_scalar))]
#[test]
fn a_frame_that_cannot_be_taken_changes_nothing() {
    for &kind in StructureKind::ALL {
        let boxes = [[0.0, 0.0, 1.0, 1.0], [2.0, 2.0, 3.0, 3.0], [4.0, 4.0, 5.0, 5.0]].map(Aabb::from);
        let mut index = Index::<AnyStructure>::with_boxes(kind.into(), &boxes).expect("valid boxes");
        let bad = [boxes[2], boxes[1], [0.0, f32::NAN, 1.0, 1.0].into()];
        let error = index.update_all(&bad).expect_err("NaN");
        assert_eq!((error.position(), error.to_string()), (Some(2), "box 2: min y of the box is NaN".into()));
        assert!(index.update_all(&[boxes[0]; 4]).is_err(), "there is no box 3");
        index.remove(1);
        assert!(index.update_all(&[boxes[0]; 2]).is_err(), "there is no box 1 any more");
        assert!(index.iter().eq([(0, boxes[0]), (2, boxes[2])]), "{kind}");
        let error = index.update_all(&[boxes[1]]).expect_err("fewer than all");
        assert!(error.to_string().contains("id 2"), "{error}");
        assert!(index.iter().eq([(0, boxes[0]), (2, boxes[2])]), "{kind}");
    }
}

/// A small frame after a large one costs what it holds: the ids that were once in use are forgotten.
#[cfg(not(quadrille_other_scalar))]
#[test]
fn a_small_frame_after_a_large_one_keeps_no_places() {
    let boxes: Vec<Aabb> =
        (0..10_000_u16).map(|k| Aabb::from_point([f32::from(k % 100), f32::from(k / 100)])).collect();
    for &kind in StructureKind::ALL {
        let mut index = Index::<AnyStructure>::with_boxes(kind.into(), &boxes).expect("valid boxes");
        index.set_all(&boxes[..100]).expect("valid boxes");
        let mut small = Index::<AnyStructure>::with_boxes(kind.into(), &boxes[..100]).expect("valid boxes");
        assert_eq!(index.insert(boxes[7]), small.insert(boxes[7]), "{kind}: the next id");
        assert!(index.set_all(&boxes[..3]).is_ok() && index.set_all(&boxes[..200]).is_ok());
        index.validate().unwrap_or_else(|fault| panic!("{kind}: {fault}"));
        assert!(index.iter().map(|(_, bounds)| bounds).eq(boxes[..200].iter().copied()), "{kind}");
    }
}

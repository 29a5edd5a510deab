//! Two sets: all pairs of one from each, and pairs within a distance.

use quadrille::{Aabb, FrameTree, Index};
use quadrille_scenes::Scene;

use crate::conditions::{Conditions, SEED, boxes_of};
use crate::contenders::{APART, Apart, SETS, SETS_IN_FRAMES};
use crate::outcome::{Outcome, agree, cross};
use crate::race::{Runner, WARM_UP, runners};
use crate::tally::Tally;

/// Of the smaller set, one box for this many of the larger one,
const FEW: usize = 100;

/// this many times as wide and high.
const WIDER: f32 = 10.0;

/// Two scenes, from two seeds.
fn scenes(on: &Conditions) -> [Scene; 2] {
    [SEED, SEED + 1].map(|seed| Scene::new(on.scene, on.n, seed))
}

/// As many boxes in one as in the other.
fn equal(scenes: &[Scene; 2]) -> [Vec<Aabb>; 2] {
    scenes.each_ref().map(boxes_of)
}

/// Many boxes, and few large ones.
fn many_few(scenes: &[Scene; 2]) -> [Vec<Aabb>; 2] {
    let [many, others] = equal(scenes);
    let wider = |aabb: &Aabb| Aabb::from_center(aabb.center(), aabb.size().map(|side| side / 2.0 * WIDER));
    [many, others.iter().step_by(FEW).map(wider).collect()]
}

/// Many points, and few large boxes.
fn points_few(scenes: &[Scene; 2]) -> [Vec<Aabb>; 2] {
    let [many, few] = many_few(scenes);
    [many.iter().map(|aabb| Aabb::from_point(aabb.center())).collect(), few]
}

fn few_many(scenes: &[Scene; 2]) -> [Vec<Aabb>; 2] {
    reversed(many_few(scenes))
}

fn few_points(scenes: &[Scene; 2]) -> [Vec<Aabb>; 2] {
    reversed(points_few(scenes))
}

fn reversed([one, other]: [Vec<Aabb>; 2]) -> [Vec<Aabb>; 2] {
    [other, one]
}

/// Building both and joining; as many in one as in the other.
pub fn sets(on: &Conditions) -> Outcome {
    both("sets", on, equal, true)
}

/// Building both and joining; a hundred times as many in the first.
pub fn sets_many_few(on: &Conditions) -> Outcome {
    both("sets-many-few", on, many_few, true)
}

/// Building both and joining; a hundred times as many in the second.
pub fn sets_few_many(on: &Conditions) -> Outcome {
    both("sets-few-many", on, few_many, true)
}

/// Building both and joining; points, and a hundredth as many boxes.
pub fn sets_points_few(on: &Conditions) -> Outcome {
    both("sets-points-few", on, points_few, true)
}

/// Building both and joining; boxes, and a hundred times as many points.
pub fn sets_few_points(on: &Conditions) -> Outcome {
    both("sets-few-points", on, few_points, true)
}

/// Joining alone; as many in one as in the other.
pub fn join(on: &Conditions) -> Outcome {
    both("join", on, equal, false)
}

/// Joining alone; a hundred times as many in the first.
pub fn join_many_few(on: &Conditions) -> Outcome {
    both("join-many-few", on, many_few, false)
}

/// Joining alone; a hundred times as many in the second.
pub fn join_few_many(on: &Conditions) -> Outcome {
    both("join-few-many", on, few_many, false)
}

/// Joining alone; points, and a hundredth as many boxes.
pub fn join_points_few(on: &Conditions) -> Outcome {
    both("join-points-few", on, points_few, false)
}

/// Joining alone; boxes, and a hundred times as many points.
pub fn join_few_points(on: &Conditions) -> Outcome {
    both("join-few-points", on, few_points, false)
}

/// Joins two sets, and before that brings what is kept up to date with their next frame, or else leaves them in place.
fn both(
    task: &'static str,
    on: &Conditions,
    sets_of: fn(&[Scene; 2]) -> [Vec<Aabb>; 2],
    with_building: bool,
) -> Outcome {
    let mut scenes = scenes(on);
    let mut sets = sets_of(&scenes);
    let mut runners = runners(SETS, on, &[]);
    // One who takes touching for nothing has no pairs of points that others would agree with.
    let has_points = sets.iter().any(|boxes| boxes.iter().all(|aabb| aabb.min == aabb.max));
    runners.retain(|runner| runner.touching || !has_points);
    runners.retain(|runner| with_building || !SETS_IN_FRAMES.contains(&runner.name));
    // One who builds while joining has the time for both.
    if !with_building {
        runners.iter_mut().for_each(|runner| runner.beside_the_clock(|contender| contender.build(both_of(&sets))));
    }
    let (mut expected, mut answers) = (all_pairs(&sets), 0);
    for _ in 0..WARM_UP + on.frames {
        if with_building {
            scenes.iter_mut().for_each(Scene::step);
            sets = sets_of(&scenes);
            expected = all_pairs(&sets);
        }
        round(&mut runners, &mut Some(expected), |runner, pairs| {
            let lap = runner.lap(on.clock, on.budget, |contender| {
                if with_building {
                    contender.build(both_of(&sets));
                }
                contender.join(pairs);
            });
            answers = if lap.is_some() { pairs.count } else { answers };
            lap.is_some()
        });
    }
    outcome(task, &runners, sets.iter().map(Vec::len).sum(), answers)
}

fn both_of([one, other]: &[Vec<Aabb>; 2]) -> [&[Aabb]; 2] {
    [one, other]
}

/// The distance within which a middle point has eight others on average.
fn distance(on: &Conditions) -> f32 {
    let [width, height] = Scene::new(on.scene, on.n, SEED).world().size();
    (8.0 * width * height / (std::f32::consts::PI * on.n as f32)).sqrt()
}

/// Pairs of boxes within a distance, from nothing but boxes.
pub fn apart(on: &Conditions) -> Outcome {
    let [boxes, _] = equal(&scenes(on));
    within("apart", on, &boxes, |contender, boxes, distance, pairs| contender.within(boxes, distance, pairs))
}

/// Pairs of points within a distance, from nothing but points.
pub fn apart_points(on: &Conditions) -> Outcome {
    let points: Vec<Aabb> = equal(&scenes(on))[0].iter().map(|aabb| Aabb::from_point(aabb.center())).collect();
    within("apart-points", on, &points, |contender, points, distance, pairs| contender.within(points, distance, pairs))
}

/// Pairs of boxes of two sets within a distance, from nothing but boxes.
pub fn apart_sets(on: &Conditions) -> Outcome {
    let [one, other] = equal(&scenes(on));
    within("apart-sets", on, &one, |contender, one, distance, pairs| contender.across([one, &other], distance, pairs))
}

fn within(
    task: &'static str,
    on: &Conditions,
    boxes: &[Aabb],
    work: impl Fn(&mut dyn Apart, &[Aabb], f32, &mut Tally),
) -> Outcome {
    let (mut runners, distance, mut answers) = (runners(APART, on, &[]), distance(on), 0);
    let mut expected = None;
    for _ in 0..WARM_UP + on.frames {
        round(&mut runners, &mut expected, |runner, pairs| {
            let lap = runner.lap(on.clock, on.budget, |contender| work(contender, boxes, distance, pairs));
            answers = if lap.is_some() { pairs.count } else { answers };
            lap.is_some()
        });
    }
    outcome(task, &runners, boxes.len(), answers)
}

/// All pairs twice: those that touch or overlap, and those that do more than touch.
fn all_pairs(sets @ [one, other]: &[Vec<Aabb>; 2]) -> [Tally; 2] {
    let [first, second] = sets.each_ref().map(|boxes| Index::<FrameTree>::from_boxes(boxes).expect("scenes are valid"));
    let mut tallies = [Tally::default(); 2];
    for (a, b) in first.pairs_with(&second) {
        tallies[0].across(a, b);
        if cross(&one[a as usize], &other[b as usize]) {
            tallies[1].across(a, b);
        }
    }
    tallies
}

/// Has every contender do its lap, and checks that all find what is expected, or what the first of them finds.
fn round<T: ?Sized>(
    runners: &mut [Runner<T>],
    expected: &mut Option<[Tally; 2]>,
    mut lap: impl FnMut(&mut Runner<T>, &mut Tally) -> bool,
) {
    let next = usize::from(runners.len() > 1);
    runners.rotate_left(next);
    for runner in runners {
        let mut pairs = Tally::default();
        if lap(runner, &mut pairs) {
            agree(runner.name, runner.touching, pairs, *expected.get_or_insert([pairs; 2]));
        }
    }
}

fn outcome<T: ?Sized>(task: &'static str, runners: &[Runner<T>], boxes: usize, answers: u64) -> Outcome {
    let figures = runners.iter().map(|runner| runner.figures(boxes)).collect();
    Outcome { task, unit: "box", answers: answers as f64 / boxes as f64, figures }
}

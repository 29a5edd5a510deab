//! Two sets: all pairs of one from each, and pairs within a distance.

use quadrille::{Aabb, FrameTree, Index};
use quadrille_scenes::Scene;

use crate::conditions::{Conditions, SEED, boxes_of};
use crate::contenders::{APART, Apart, SETS, SETS_IN_FRAMES, Sets};
use crate::outcome::{Outcome, agree, cross};
use crate::race::{Runner, WARM_UP, round, round_alike, runners};
use crate::tally::Tally;

/// Of the smaller set, one box for this many of the larger one,
const FEW: usize = 100;

/// this many times as wide and high.
const WIDER: f32 = 10.0;

/// Two scenes, from two seeds.
fn scenes(on: &Conditions) -> [Scene; 2] {
    [SEED, SEED + 1].map(|seed| Scene::new(on.scene, on.n, seed))
}

/// Two sets made of two scenes.
type SetsOf = fn(&[Scene; 2]) -> [Vec<Aabb>; 2];

/// As many boxes in one as in the other.
pub fn equal(scenes: &[Scene; 2]) -> [Vec<Aabb>; 2] {
    scenes.each_ref().map(boxes_of)
}

/// Many boxes, and few large ones.
pub fn many_few(scenes: &[Scene; 2]) -> [Vec<Aabb>; 2] {
    let [many, others] = equal(scenes);
    let wider = |aabb: &Aabb| Aabb::from_center(aabb.center(), aabb.size().map(|side| side / 2.0 * WIDER));
    [many, others.iter().step_by(FEW).map(wider).collect()]
}

/// The same the other way around.
pub fn few_many(scenes: &[Scene; 2]) -> [Vec<Aabb>; 2] {
    let [many, few] = many_few(scenes);
    [few, many]
}

/// Joins two sets, and before that brings what is kept up to date with their next frame, or else leaves them in place.
pub fn both(on: &Conditions, sets_of: SetsOf, with_building: bool) -> Outcome {
    let mut scenes = scenes(on);
    let mut sets = sets_of(&scenes);
    let mut runners = runners(SETS, on, &[]);
    runners.retain(|runner| with_building || !SETS_IN_FRAMES.contains(&runner.name));
    // A contender that builds while joining is timed for both.
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
        let lap = |runner: &mut Runner<dyn Sets>, pairs: &mut Tally| {
            runner.lap(on.clock, on.budget, |contender| {
                if with_building {
                    contender.build(both_of(&sets));
                }
                contender.join(pairs);
            })
        };
        round(&mut runners, lap, |runner, pairs| {
            agree(runner, pairs, expected);
            answers = pairs.count;
        });
    }
    Outcome::of("box", &runners, sets.iter().map(Vec::len).sum(), answers as f64)
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
    within(on, &boxes, |contender, boxes, distance, pairs| contender.within(boxes, distance, pairs))
}

/// Pairs of points within a distance, from nothing but points.
pub fn apart_points(on: &Conditions) -> Outcome {
    let points: Vec<Aabb> = equal(&scenes(on))[0].iter().map(|aabb| Aabb::from_point(aabb.center())).collect();
    within(on, &points, |contender, points, distance, pairs| contender.within(points, distance, pairs))
}

/// Pairs of boxes of two sets within a distance, from nothing but boxes.
pub fn apart_sets(on: &Conditions) -> Outcome {
    let [one, other] = equal(&scenes(on));
    within(on, &one, |contender, one, distance, pairs| contender.across([one, &other], distance, pairs))
}

fn within(on: &Conditions, boxes: &[Aabb], work: impl Fn(&mut dyn Apart, &[Aabb], f32, &mut Tally)) -> Outcome {
    let (mut runners, distance) = (runners(APART, on, &[]), distance(on));
    let mut expected = None;
    for _ in 0..WARM_UP + on.frames {
        expected = round_alike(&mut runners, expected, |runner, pairs: &mut Tally| {
            runner.lap(on.clock, on.budget, |contender| work(contender, boxes, distance, pairs))
        });
    }
    Outcome::of("box", &runners, boxes.len(), expected.map_or(0, |pairs| pairs.count) as f64)
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

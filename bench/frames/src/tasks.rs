//! The tasks, and the check that all contenders have done them.

use quadrille::{Aabb, FrameTree, Index};
use quadrille_scenes::{Random, Scene};

use crate::bullets::bullets;
use crate::casts;
use crate::clock::Clock;
use crate::conditions::{Conditions, SEED, boxes_of};
use crate::contenders::{
    AGENTS, Agents, Entrant, Entry, FRAMES, Frames, IN_ORDER, Library, NEIGHBORS, Neighbors, QUERIES, Queries,
};
use crate::events::events;
use crate::first;
use crate::layers;
use crate::outcome::{Outcome, agree, expected, swept};
use crate::race::{Runner, WARM_UP, round, round_alike, runners, with_entrants};
use crate::sets;
use crate::singles;
use crate::steps;
use crate::tally::Tally;

/// A task by name.
pub type Task = fn(&Conditions) -> Outcome;

pub const TASKS: &[(&str, Task)] = &[
    ("first", first::first),
    ("build", first::build),
    ("frames", frames),
    ("moves", moves),
    ("agents", agents),
    ("queries", large_queries),
    ("small-queries", small_queries),
    ("surroundings", surroundings),
    ("nearest", nearest),
    ("nearest-wanted", nearest_wanted),
    ("within", within),
    ("rays", casts::rays),
    ("segments", casts::segments),
    ("swept", casts::swept),
    ("events", events),
    ("bullets", bullets),
    // Building both and joining,
    ("sets", |on| sets::both(on, sets::equal, true)),
    ("sets-many-few", |on| sets::both(on, sets::many_few, true)),
    ("sets-few-many", |on| sets::both(on, sets::few_many, true)),
    // or joining alone.
    ("join", |on| sets::both(on, sets::equal, false)),
    ("join-many-few", |on| sets::both(on, sets::many_few, false)),
    ("join-few-many", |on| sets::both(on, sets::few_many, false)),
    ("apart", sets::apart),
    ("apart-points", sets::apart_points),
    ("apart-sets", sets::apart_sets),
    ("layers-kinds", layers::kinds),
    ("layers-bullets", layers::bullets),
    ("layers-stay", layers::stay),
    ("layers-pairs", layers::pairs),
    ("singles-little", singles::little),
    ("singles-far", singles::far),
    ("singles-renewed", singles::renewed),
    ("steps", steps::as_they_come),
    ("steps-in-order", steps::in_order),
];

/// Everything moves; all pairs.
fn frames(on: &Conditions) -> Outcome {
    let scaled = |aabb: Aabb| Aabb::from_center(aabb.center(), aabb.size().map(|side| side / 2.0 * on.variation.size));
    let boxes_of = |scene: &Scene| scene.boxes().map(scaled).collect();
    let take_part = |boxes: &[Aabb]| {
        with_entrants(FRAMES, on, boxes, |_| true, |one| Box::new(Entrant::new(one, boxes)) as Box<dyn Frames>)
    };
    let lap = |runner: &mut Runner<dyn Frames>, boxes: &[Aabb], pairs: &mut Tally| {
        runner.beside_the_clock(|contender| contender.get_ready());
        runner.lap(on.clock, on.budget, |contender| contender.frame(boxes, pairs))
    };
    frame_by_frame("box", on, take_part, boxes_of, lap, |contender, boxes| contender.explain(boxes))
}

/// Each agent moves in a call of its own. A check afterward shows whether they have moved.
fn moves(on: &Conditions) -> Outcome {
    agent_by_agent(on, |runner, boxes, pairs| {
        runner.lap(on.clock, on.budget, |contender| contender.moves(boxes))?;
        runner.beside_the_clock(|contender| contender.asks(boxes, pairs));
        Some(())
    })
}

/// Each agent moves, and looks for its neighbors, in a call of its own.
fn agents(on: &Conditions) -> Outcome {
    agent_by_agent(on, |runner, boxes, pairs| {
        runner.lap(on.clock, on.budget, |contender| {
            contender.moves(boxes);
            contender.asks(boxes, pairs);
        })
    })
}

/// A task of agents, frame by frame.
fn agent_by_agent(
    on: &Conditions,
    lap: impl Fn(&mut Runner<dyn Agents>, &[Aabb], &mut Tally) -> Option<()>,
) -> Outcome {
    frame_by_frame("agent", on, |boxes| runners(AGENTS, on, boxes), boxes_of, lap, |_, _| None)
}

/// Steps the scene, and has each contender do a `lap`, which gives it the boxes and a tally for the pairs it finds and
/// returns `None` if it did not take part. Checks the pairs.
fn frame_by_frame<T: ?Sized>(
    unit: &'static str,
    on: &Conditions,
    take_part: impl FnOnce(&[Aabb]) -> Vec<Runner<T>>,
    boxes_of: impl Fn(&Scene) -> Vec<Aabb>,
    lap: impl Fn(&mut Runner<T>, &[Aabb], &mut Tally) -> Option<()>,
    explain: impl Fn(&mut T, &[Aabb]) -> Option<String>,
) -> Outcome {
    let mut scene = on.scene();
    let first = boxes_of(&scene);
    let mut runners = take_part(&first);
    // The processor's clock sees one thread alone.
    runners.retain(|runner| on.clock == Clock::Wall || !runner.name.contains("threads"));
    let mut reference = Index::<FrameTree>::from_boxes(&first).expect("scenes are valid");
    if !on.entrants.is_empty() {
        assert_eq!(expected(&reference, &first)[0], swept(&first), "the reference is wrong");
    }
    let mut answers = 0;
    for _ in 0..WARM_UP + on.frames {
        scene.step();
        let boxes = boxes_of(&scene);
        reference.update_all(&boxes).expect("scenes are valid");
        let expected = expected(&reference, &boxes);
        answers = expected[0].count;
        round(
            &mut runners,
            |runner, pairs| lap(runner, &boxes, pairs),
            |runner, pairs| {
                agree(runner, pairs, expected);
                runner.explain(|contender| explain(contender, &boxes));
            },
        );
    }
    Outcome::of(unit, &runners, on.n, answers as f64)
}

/// Queries in a lap.
const ASKED: usize = 1000;

/// Rectangles of a hundredth of the world's area, strewn over it.
fn large_queries(on: &Conditions) -> Outcome {
    strewn(on, |world, _| world.size().map(|side| side / 10.0))
}

/// Rectangles of the size of a box, strewn over the world.
fn small_queries(on: &Conditions) -> Outcome {
    strewn(on, |_, boxes| boxes[boxes.len() / 2].size())
}

fn strewn(on: &Conditions, side: fn(&Aabb, &[Aabb]) -> [f32; 2]) -> Outcome {
    let mut random = Random::new(SEED);
    queries(on, |world, boxes| {
        let side = side(world, boxes);
        let mut corner = |axis: usize| world.min[axis] + random.unit() * (world.size()[axis] - side[axis]).max(0.0);
        (0..ASKED)
            .map(|_| {
                let min = [corner(0), corner(1)];
                Aabb::new(min, [min[0] + side[0], min[1] + side[1]])
            })
            .collect()
    })
}

/// What is near each box: twice as wide and high, all in one lap, in the order of boxes.
fn surroundings(on: &Conditions) -> Outcome {
    queries(on, |_, boxes| boxes.iter().map(|aabb| Aabb::from_center(aabb.center(), aabb.size())).collect())
}

fn queries(on: &Conditions, mut ask: impl FnMut(&Aabb, &[Aabb]) -> Vec<Aabb>) -> Outcome {
    let scene = Scene::new(on.scene, on.n, SEED);
    let boxes = boxes_of(&scene);
    let enter = |one| Box::new(Entrant::new(one, &boxes)) as Box<dyn Queries>;
    let mut runners = with_entrants(QUERIES, on, &boxes, Library::has_queries, enter);
    let mut reference = (QUERIES[0].make)(&boxes);
    let (mut answers, mut number) = (0, 0);
    for _ in 0..WARM_UP + on.frames {
        let asked = ask(&scene.world(), &boxes);
        number = asked.len();
        let mut expected = Tally::default();
        reference.all_overlapping(&asked, &mut expected);
        answers = expected.count;
        round_alike(&mut runners, Some(expected), |runner, found: &mut Tally| {
            runner.lap(on.clock, on.budget, |contender| contender.all_overlapping(&asked, found))
        });
    }
    Outcome::of("query", &runners, number, answers as f64)
}

/// How many of the nearest are looked for.
const NEAREST: usize = 8;

/// The eight nearest middle points of every box, itself included, all in one lap, in the order of boxes.
fn nearest(on: &Conditions) -> Outcome {
    of_each(on, NEIGHBORS, |contender, points| contender.all_nearest(points, NEAREST))
}

/// The same, if only one box in ten counts: neighbors are found in order until enough of them do.
fn nearest_wanted(on: &Conditions) -> Outcome {
    of_each(on, IN_ORDER, |contender, points| {
        points.iter().map(|&point| contender.nearest_wanted(point, NEAREST)).sum()
    })
}

/// Something that is near each middle point; distances are added up.
fn of_each<T: ?Sized>(on: &Conditions, entries: &[Entry<T>], find: impl Fn(&mut T, &[[f32; 2]]) -> f64) -> Outcome {
    let boxes = boxes_of(&Scene::new(on.scene, on.n, SEED));
    let points: Vec<[f32; 2]> = boxes.iter().map(Aabb::center).collect();
    let mut runners = runners(entries, on, &boxes);
    let expected = find(&mut (entries[0].make)(&boxes), &points);
    for _ in 0..WARM_UP + on.frames {
        let lap = |runner: &mut Runner<T>, sum: &mut f64| {
            runner.lap(on.clock, on.budget, |contender| *sum = find(contender, &points))
        };
        round(&mut runners, lap, |runner, sum| {
            // Some add up squares of 24 bits: sums differ by less than one neighbor of a million.
            let is_alike = (sum - expected).abs() <= 1e-7 * expected;
            if !is_alike {
                runner.disqualify(format!("finds other neighbors: {sum} away in all, not {expected}"));
            }
        });
    }
    Outcome::of("query", &runners, on.n, (NEAREST * on.n) as f64)
}

/// The middle points within a radius that holds eight on average.
fn within(on: &Conditions) -> Outcome {
    let scene = Scene::new(on.scene, on.n, SEED);
    let boxes = boxes_of(&scene);
    let [width, height] = scene.world().size();
    let radius = (8.0 * width * height / (std::f32::consts::PI * on.n as f32)).sqrt();
    let mut runners = runners(NEIGHBORS, on, &boxes);
    let (reference, mut answers) = ((NEIGHBORS[0].make)(&boxes), 0);
    // Each lap has as many.
    let units = ASKED.min(on.n);
    for asked in boxes.chunks_exact(units).take(WARM_UP + on.frames) {
        let find = |contender: &dyn Neighbors, found: &mut Tally| {
            asked.iter().for_each(|aabb| contender.within(aabb.center(), radius, found));
        };
        let mut expected = Tally::default();
        find(&*reference, &mut expected);
        answers = expected.count;
        let lap = |runner: &mut Runner<dyn Neighbors>, found: &mut Tally| {
            runner.lap(on.clock, on.budget, |contender| find(contender, found))
        };
        round(&mut runners, lap, |runner, found| {
            // Distances are rounded differently: a point exactly on the circle may be in or out.
            if found.count.abs_diff(answers) > 2 {
                runner.disqualify(format!("finds {}, not {answers}", found.count));
            }
        });
    }
    Outcome::of("query", &runners, units, answers as f64)
}

//! Bullets and enemies: everything moves, bullets come and go, and events tell which bullet has hit which enemy.

use quadrille::Aabb;
use quadrille_scenes::Scene;

use crate::conditions::{Conditions, SEED, boxes_of};
use crate::contenders::{BULLETS, enemies};
use crate::outcome::Outcome;
use crate::race::{WARM_UP, round_alike, runners};
use crate::tally::Tally;

/// A bullet flies for this many frames, and then another one is fired.
const LIFE: usize = 50;

/// All boxes move; events.
pub fn bullets(on: &Conditions) -> Outcome {
    let mut scene = Scene::new(on.scene, on.n, SEED);
    let mut runners = runners(BULLETS, on, &boxes_of(&scene));
    // Which box of the scene each one is.
    let mut bodies: Vec<usize> = (0..on.n).collect();
    let mut answers = 0;
    for frame in 0..WARM_UP + on.frames {
        scene.step();
        let fired: Vec<usize> = (frame % LIFE..on.n).step_by(LIFE).filter(|&place| place >= enemies(on.n)).collect();
        // Each new bullet flies where another one has been.
        fired.windows(2).for_each(|places| bodies.swap(places[0], places[1]));
        let all = boxes_of(&scene);
        let boxes: Vec<Aabb> = bodies.iter().map(|&body| all[body]).collect();
        let found = round_alike(&mut runners, None, |runner, events: &mut [Tally; 2]| {
            runner.lap(on.clock, on.budget, |contender| {
                fired.iter().for_each(|&place| contender.renew(place as u32, &boxes[place]));
                contender.frame(&boxes, events);
            })
        });
        answers = found.map_or(answers, |[began, ended]| began.count + ended.count);
    }
    Outcome::of("box", &runners, on.n, answers as f64)
}

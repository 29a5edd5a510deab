//! How the boxes of a scene move.

use quadrille::Aabb;

use crate::body::{Body, advance, keep_within};
use crate::random::Random;

/// How the boxes of a scene move, by name. All except `drift` work against structures that rely on the last frame: the
/// farther boxes move per frame, the less the last frame says about this one.
///
/// ```
/// use quadrille_scenes::{Motion, Scene, SceneKind};
///
/// let mut scene = Scene::new(SceneKind::Clustered, 1000, 1).with_motion("turning".parse::<Motion>()?);
/// let before = scene.bodies()[0].center;
/// scene.step();
/// assert_ne!(scene.bodies()[0].center, before);
/// # Ok::<(), quadrille_scenes::UnknownMotion>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Motion {
    /// As the scene defines: slowly, less than the size of a box per frame. Games and simulations, most of the time.
    #[default]
    Drift,
    /// Straight on by ten mean widths per frame, mirrored at the walls. Fast games, coarse time steps.
    Flight,
    /// Every box jumps to a random place in every frame, drawn as the scene draws places. Nothing from the last frame
    /// helps: the lower bound.
    Jumps,
    /// The world rotates about its center by 0.3 degrees per frame: neighbors stay neighbors, and all of them move. A
    /// rotating camera.
    Turning,
    /// The world and all sizes shrink to half within 60 frames and grow back: a zooming camera. Against cells that are
    /// fitted only once.
    Breathing,
    /// One box in ten is replaced by one elsewhere, the others drift: things that spawn and despawn.
    Replacement,
    /// All boxes rush outward from the center of the world, where they are 64 times as dense, and back, 16 frames each
    /// way.
    Explosion,
    /// Boxes drive in lanes, every second lane in the opposite direction, at half to one and a half mean widths per
    /// frame. Boxes that leave at one end enter at the other. Overtaking traffic: neighbors change all the time, cells
    /// hardly ever.
    Lanes,
}

quadrille::names!(Motion, UnknownMotion, "motion":
    Drift "drift", Flight "flight", Jumps "jumps", Turning "turning", Breathing "breathing",
    Replacement "replacement", Explosion "explosion", Lanes "lanes");

/// Mean widths that a box in `Flight` moves in a frame.
const FLIGHT: f32 = 10.0;

/// Frames in which a world that breathes shrinks to [`BREATH`], and as many in which it grows back.
const BREATH_FRAMES: u32 = 60;
const BREATH: f32 = 0.5;

/// Frames of an explosion, and as many back. It begins with the boxes within this share of their distance from the
/// middle: denser by its inverse square. A smaller share makes more pairs than there are frames to find them in.
const EXPLOSION_FRAMES: u32 = 16;
const SPOT: f32 = 0.125;

/// Cosine and sine of 0.3 degrees.
const TURN: [f64; 2] = [0.999_986_292_247_427_2, 0.005_235_963_831_419_58];

/// `Replacement` replaces one box in this many in a frame.
const REPLACED: usize = 10;

/// Height of a lane in mean heights of a box.
const LANE: f32 = 1.25;

/// Draws the boxes of a scene.
pub(crate) type Draw = fn(usize, &mut Random) -> (Aabb, Vec<Body>);

/// What moving boxes requires besides their present positions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mover {
    /// Straight on, mirrored at the walls.
    Straight,
    Jumps(Random),
    /// The boxes at first, and cosine and sine of the angle so far.
    Turning(Vec<Body>, [f64; 2]),
    /// The boxes at first, and frames so far.
    Swelling {
        first: Vec<Body>,
        frame: u32,
        period: u32,
        least: f32,
        with_sizes: bool,
    },
    /// The boxes that come next, which move like those that are there, and frames so far.
    Replacement {
        random: Random,
        next: Vec<Body>,
        frame: usize,
    },
    /// Straight on, and from one end to the other.
    Lanes,
}

impl Mover {
    /// Prepares the boxes for a motion; returns what moves them, and the walls that will hold them.
    pub(crate) fn new(motion: Motion, world: Aabb, bodies: &mut [Body], random: &Random) -> (Self, Aabb) {
        let mover = match motion {
            Motion::Drift => Self::Straight,
            Motion::Flight => {
                set_speed(bodies, FLIGHT * mean_size(bodies)[0]);
                Self::Straight
            }
            Motion::Jumps => Self::Jumps(random.clone()),
            Motion::Turning => return (Self::Turning(bodies.to_vec(), [1.0, 0.0]), turned_world(&world, bodies)),
            Motion::Breathing => Self::swelling(bodies, &world, [BREATH_FRAMES, BREATH_FRAMES], BREATH, true),
            Motion::Explosion => Self::swelling(bodies, &world, [0, EXPLOSION_FRAMES], SPOT, false),
            Motion::Replacement => Self::Replacement { random: random.clone(), next: Vec::new(), frame: 0 },
            Motion::Lanes => {
                put_in_lanes(bodies, &world);
                Self::Lanes
            }
        };
        (mover, world)
    }

    fn swelling(bodies: &mut [Body], world: &Aabb, [frame, period]: [u32; 2], least: f32, with_sizes: bool) -> Self {
        let first = bodies.to_vec();
        swell(bodies, &first, world.center(), swell_at(frame, period, least), with_sizes);
        Self::Swelling { first, frame, period, least, with_sizes }
    }

    /// Goes on to the next frame. `draw` draws boxes as the scene does.
    pub(crate) fn step(&mut self, bodies: &mut [Body], world: &Aabb, draw: Draw) {
        let straight = |body: &mut Body| advance(&mut body.center, &mut body.velocity, body.half, world);
        match self {
            Self::Straight => bodies.iter_mut().for_each(straight),
            Self::Jumps(random) => {
                let drawn = draw(bodies.len(), random).1;
                for (body, drawn) in bodies.iter_mut().zip(drawn) {
                    body.center = keep_within(drawn.center, body.half, world);
                }
            }
            Self::Turning(first, [cos, sin]) => {
                [*cos, *sin] = [*cos * TURN[0] - *sin * TURN[1], *sin * TURN[0] + *cos * TURN[1]];
                turn(bodies, first, world.center(), [*cos, *sin]);
            }
            Self::Swelling { first, frame, period, least, with_sizes } => {
                *frame = (*frame + 1) % (2 * *period);
                swell(bodies, first, world.center(), swell_at(*frame, *period, *least), *with_sizes);
            }
            Self::Replacement { random, next, frame } => {
                if *frame % REPLACED == 0 {
                    *next = draw(bodies.len(), random).1;
                }
                bodies.iter_mut().chain(next.iter_mut()).for_each(straight);
                for at in (*frame % REPLACED..bodies.len()).step_by(REPLACED) {
                    bodies[at] = next[at];
                }
                *frame += 1;
            }
            Self::Lanes => bodies.iter_mut().for_each(|body| drive(body, world)),
        }
    }
}

/// Mean width and mean height; 1 if there are no boxes.
fn mean_size(bodies: &[Body]) -> [f32; 2] {
    let mean = |axis: usize| {
        let sum: f64 = bodies.iter().map(|body| 2.0 * f64::from(body.half[axis])).sum();
        if bodies.is_empty() { 1.0 } else { (sum / bodies.len() as f64) as f32 }
    };
    [mean(0), mean(1)]
}

/// What moves keeps its direction and moves by `distance` a frame.
pub(crate) fn set_speed(bodies: &mut [Body], distance: f32) {
    for body in bodies {
        let [x, y] = body.velocity;
        let speed = (x * x + y * y).sqrt();
        if speed > 0.0 {
            body.velocity = [x / speed * distance, y / speed * distance];
        }
    }
}

/// The walls of a world that turns about its middle hold every box at any angle.
fn turned_world(world: &Aabb, bodies: &[Body]) -> Aabb {
    let [x, y] = world.center();
    let reach = bodies.iter().map(|body| {
        let [dx, dy] = [body.center[0] - x, body.center[1] - y];
        // Rounding of the turn, of the middle and of the edges: far below a thousandth.
        (dx * dx + dy * dy).sqrt() * 1.001 + body.half[0].max(body.half[1])
    });
    let reach = reach.fold(world.size().into_iter().fold(0.0, f32::max) / 2.0, f32::max);
    Aabb::from_center([x, y], [reach; 2])
}

fn turn(bodies: &mut [Body], first: &[Body], middle: [f32; 2], [cos, sin]: [f64; 2]) {
    for (body, first) in bodies.iter_mut().zip(first) {
        let [x, y] = [0, 1].map(|axis| f64::from(first.center[axis]) - f64::from(middle[axis]));
        let turned = [x * cos - y * sin, x * sin + y * cos];
        body.center = [0, 1].map(|axis| (f64::from(middle[axis]) + turned[axis]) as f32);
    }
}

/// How large a world is that grows from `least` to 1 within `period` frames, and back.
fn swell_at(frame: u32, period: u32, least: f32) -> f32 {
    let part = frame.abs_diff(period) as f32 / period as f32;
    1.0 - part * (1.0 - least)
}

/// Boxes are at `times` their first distance from the middle, and as large.
fn swell(bodies: &mut [Body], first: &[Body], middle: [f32; 2], times: f32, with_sizes: bool) {
    for (body, first) in bodies.iter_mut().zip(first) {
        body.center = [0, 1].map(|axis| middle[axis] + (first.center[axis] - middle[axis]) * times);
        if with_sizes {
            body.half = first.half.map(|half| half * times);
        }
    }
}

/// Every box goes to the middle of the lane it is in, and gets a speed along it.
fn put_in_lanes(bodies: &mut [Body], world: &Aabb) {
    let [width, height] = mean_size(bodies);
    let extent = world.max[1] - world.min[1];
    let lanes = (extent / (LANE * height)).floor().max(1.0);
    for (at, body) in bodies.iter_mut().enumerate() {
        let lane = ((body.center[1] - world.min[1]) / extent * lanes).floor().clamp(0.0, lanes - 1.0);
        body.center[1] = world.min[1] + (lane + 0.5) * (extent / lanes);
        body.center = keep_within(body.center, body.half, world);
        // A third of the boxes at each of three speeds, whatever the scene's velocities are.
        let speed = width * (0.5 + 0.5 * (at % 3) as f32);
        body.velocity = [if lane % 2.0 == 0.0 { speed } else { -speed }, 0.0];
    }
}

fn drive(body: &mut Body, world: &Aabb) {
    let (lo, hi) = (world.min[0] + body.half[0], world.max[0] - body.half[0]);
    body.center[0] += body.velocity[0];
    if body.center[0] > hi {
        body.center[0] = lo;
    } else if body.center[0] < lo {
        body.center[0] = hi;
    }
}

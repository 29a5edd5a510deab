//! Units move, meet and part; a mouse points at them: events, pairs and five kinds of query of a `Space`.

use quadrille::{Aabb, At, Events, Inside, Near, Overlaps, Space, Sweep};

const SIDE: f32 = 1000.0;

struct Unit {
    at: [f32; 2],
    step: [f32; 2],
    half: f32,
}

impl Unit {
    fn moved(&mut self) -> Aabb {
        for axis in 0..2 {
            self.at[axis] += self.step[axis];
            if self.at[axis] < 0.0 || self.at[axis] > SIDE {
                self.step[axis] = -self.step[axis];
            }
        }
        Aabb::from_center(self.at, [self.half; 2])
    }
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }
}

fn main() -> Result<(), quadrille::Error> {
    let (mut dice, mut space) = (Dice(7), Space::<Unit>::default());
    let mut handles = Vec::new();
    for _ in 0..20_000 {
        let at = [dice.roll() * SIDE, dice.roll() * SIDE];
        let mut unit = Unit { at, step: [dice.roll() - 0.5, dice.roll() - 0.5], half: 1.0 + dice.roll() };
        handles.push(space.insert(unit.moved(), unit)?);
    }
    let (mut began, mut ended, mut seen) = (0, 0, 0);
    let (mut events, mut nearest) = (Events::default(), Vec::new());
    for frame in 0..100 {
        space.update_each(|_, unit| unit.moved())?;
        space.step_events(&mut events);
        began += events.begin.len();
        ended += events.end.len();
        let mouse = [dice.roll() * SIDE, dice.roll() * SIDE];
        let view = Aabb::from_center(mouse, [50.0, 31.0]);
        seen += space.query(At(mouse)).count() + space.query(Overlaps(view)).count();
        seen += space.query(Inside(view)).count();
        space.query_first_few(Near::point(mouse), 8, &mut nearest);
        seen += nearest.len();
        seen += usize::from(space.query_first(Sweep::segment(mouse, [SIDE / 2.0; 2])).is_some());
        if frame % 10 == 0 {
            space.remove(handles.swap_remove(frame * 7 % handles.len()));
        }
        seen += space.pairs().filter(|((_, one), (_, other))| one.half <= other.half).count();
    }
    println!("{began} began, {ended} ended, {} touch, {seen} seen", space.pairs_count());
    Ok(())
}

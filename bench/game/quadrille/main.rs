//! Units move, meet and part; a mouse points at them: events, pairs and five kinds of query of a `Space`.

#[path = "../units.rs"]
mod units;

use quadrille::{Aabb, At, Events, Inside, Near, Overlaps, Space, Sweep};
use units::{Dice, SIDE, Unit};

fn moved(unit: &mut Unit) -> Aabb {
    unit.go();
    Aabb::from_center(unit.at, [unit.half; 2])
}

fn main() -> Result<(), quadrille::Error> {
    let (mut dice, mut space) = (Dice(7), Space::<Unit>::default());
    let mut handles = Vec::new();
    for _ in 0..20_000 {
        let mut unit = Unit::drawn(&mut dice);
        handles.push(space.insert(moved(&mut unit), unit)?);
    }
    let (mut began, mut ended, mut seen) = (0, 0, 0);
    let (mut events, mut nearest) = (Events::default(), Vec::new());
    for frame in 0..100 {
        space.update_each(|_, unit| moved(unit))?;
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

//! Bullets and enemies, with events.

use quadrille::{Aabb, BoxOptions, Events, Handle, Keyed, Layers, Space};

use super::super::{Bullets, enemies};
use crate::tally::Tally;

/// Bullets meet enemies, and enemies bullets; neither meets its own kind.
const BULLET: Layers = Layers { own: 1, mask: 2 };
const ENEMY: Layers = Layers { own: 2, mask: 1 };

fn layers(place: usize, boxes: usize) -> Layers {
    if place < enemies(boxes) { ENEMY } else { BULLET }
}

/// A space, its handles by place, and how all boxes are changed.
struct OurSpace {
    space: Space<()>,
    handles: Vec<Handle>,
    update: fn(&mut Self, &[Aabb]),
    events: Events,
}

/// All boxes at once.
pub fn at_once(boxes: &[Aabb]) -> Box<dyn Bullets> {
    new(boxes, |this, boxes| {
        this.space.update_each(|handle, ()| boxes[handle.id() as usize]).expect("scenes are valid");
    })
}

/// Box after box.
pub fn one_by_one(boxes: &[Aabb]) -> Box<dyn Bullets> {
    new(boxes, |this, boxes| {
        for (&handle, &bounds) in this.handles.iter().zip(boxes) {
            this.space.update(handle, bounds).expect("scenes are valid");
        }
        this.space.maintain();
    })
}

fn new(boxes: &[Aabb], update: fn(&mut OurSpace, &[Aabb])) -> Box<dyn Bullets> {
    let mut space = Space::<()>::default();
    let insert = |(place, &bounds)| {
        let options = BoxOptions::new().with_layers(layers(place, boxes.len()));
        space.insert_with(bounds, (), options).expect("scenes are valid")
    };
    let handles = boxes.iter().enumerate().map(insert).collect();
    let mut events = Events::default();
    space.step_events(&mut events);
    Box::new(OurSpace { space, handles, update, events })
}

impl Bullets for OurSpace {
    fn renew(&mut self, place: u32, bounds: &Aabb) {
        let handle = &mut self.handles[place as usize];
        self.space.remove(*handle);
        let options = BoxOptions::new().with_layers(BULLET);
        *handle = self.space.insert_with(*bounds, (), options).expect("scenes are valid");
        // The last id that was freed is given out first.
        assert_eq!(handle.id(), place);
    }

    fn frame(&mut self, boxes: &[Aabb], [begin, end]: &mut [Tally; 2]) {
        (self.update)(self, boxes);
        self.space.step_events(&mut self.events);
        self.events.begin.iter().for_each(|(a, b)| begin.pair(a.id(), b.id()));
        self.events.end.iter().for_each(|(a, b)| end.pair(a.id(), b.id()));
    }
}

/// Places as keys, box after box.
struct ByKey {
    all: Keyed<u32>,
    events: Events<u32>,
}

pub fn keyed(boxes: &[Aabb]) -> Box<dyn Bullets> {
    let (mut all, mut events) = (Keyed::default(), Events::default());
    for (place, &bounds) in (0..).zip(boxes) {
        all.set(place, bounds).expect("scenes are valid");
    }
    let of: Vec<(u32, Layers)> = (0..).zip((0..boxes.len()).map(|place| layers(place, boxes.len()))).collect();
    all.set_layers_batch(&of).expect("all have been set");
    all.step_events(&mut events);
    Box::new(ByKey { all, events })
}

impl Bullets for ByKey {
    fn renew(&mut self, place: u32, bounds: &Aabb) {
        self.all.remove(place);
        self.all.set(place, *bounds).expect("scenes are valid");
        self.all.set_layers(place, BULLET).expect("it has been set");
    }

    fn frame(&mut self, boxes: &[Aabb], [begin, end]: &mut [Tally; 2]) {
        for (place, &bounds) in (0..).zip(boxes) {
            self.all.set(place, bounds).expect("scenes are valid");
        }
        self.all.maintain();
        self.all.step_events(&mut self.events);
        self.events.begin.iter().for_each(|&(a, b)| begin.pair(a, b));
        self.events.end.iter().for_each(|&(a, b)| end.pair(a, b));
    }
}

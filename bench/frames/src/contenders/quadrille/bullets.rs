//! Bullets and enemies, with events.

use quadrille::{Aabb, BoxOptions, Events, Handle, Layers, Space};

use super::super::{Bullets, enemies};
use crate::tally::Tally;

/// Bullets meet enemies, and enemies bullets; neither meets its own kind.
const BULLET: Layers = Layers { own: 1, mask: 2 };
const ENEMY: Layers = Layers { own: 2, mask: 1 };

fn layers(place: usize, boxes: usize) -> Layers {
    if place < enemies(boxes) { ENEMY } else { BULLET }
}

/// A space, its handles by place, and how all boxes are changed.
pub struct OurSpace {
    space: Space<()>,
    handles: Vec<Handle>,
    update: fn(&mut Self, &[Aabb]),
    events: Events,
}

/// All boxes at once.
pub fn at_once(boxes: &[Aabb]) -> OurSpace {
    new(boxes, |this, boxes| {
        this.space.update_each(|handle, ()| boxes[handle.id() as usize]).expect("scenes are valid");
    })
}

/// Box after box.
pub fn one_by_one(boxes: &[Aabb]) -> OurSpace {
    new(boxes, |this, boxes| {
        for (&handle, &bounds) in this.handles.iter().zip(boxes) {
            this.space.update(handle, bounds).expect("scenes are valid");
        }
        this.space.maintain();
    })
}

fn new(boxes: &[Aabb], update: fn(&mut OurSpace, &[Aabb])) -> OurSpace {
    let mut space = Space::<()>::default();
    let insert = |(place, &bounds)| {
        let options = BoxOptions::new().with_layers(layers(place, boxes.len()));
        space.insert_with(bounds, (), options).expect("scenes are valid")
    };
    let handles = boxes.iter().enumerate().map(insert).collect();
    let mut events = Events::default();
    space.step_events(&mut events);
    OurSpace { space, handles, update, events }
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

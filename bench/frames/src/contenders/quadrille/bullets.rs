//! Bullets and enemies, with events.

use std::collections::HashMap;

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

/// Places as keys, box after box: a space whose things are keys, and the handle of each key.
#[derive(Default)]
pub struct ByKey {
    space: Space<u32>,
    handles: HashMap<u32, Handle>,
    events: Events,
}

impl ByKey {
    fn insert(&mut self, key: u32, bounds: Aabb, layers: Layers) {
        let options = BoxOptions::new().with_layers(layers);
        self.handles.insert(key, self.space.insert_with(bounds, key, options).expect("scenes are valid"));
    }

    /// The key of something that is there, or whose last events have just been reported.
    fn key(&self, handle: Handle) -> u32 {
        *self.space.get(handle).or_else(|| self.space.retired(handle)).expect("what has gone was retired")
    }
}

pub fn by_key(boxes: &[Aabb]) -> ByKey {
    let mut all = ByKey::default();
    for (place, &bounds) in boxes.iter().enumerate() {
        all.insert(place as u32, bounds, layers(place, boxes.len()));
    }
    all.space.step_events(&mut all.events);
    all
}

impl Bullets for ByKey {
    fn renew(&mut self, place: u32, bounds: &Aabb) {
        self.space.retire(self.handles[&place]);
        self.insert(place, *bounds, BULLET);
    }

    fn frame(&mut self, boxes: &[Aabb], [begin, end]: &mut [Tally; 2]) {
        for (place, &bounds) in (0..).zip(boxes) {
            self.space.update(self.handles[&place], bounds).expect("scenes are valid");
        }
        self.space.maintain();
        self.space.step_events(&mut self.events);
        self.events.begin.iter().for_each(|&(a, b)| begin.pair(self.key(a), self.key(b)));
        self.events.end.iter().for_each(|&(a, b)| end.pair(self.key(a), self.key(b)));
    }
}

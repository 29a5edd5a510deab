//! What programs do to many boxes at once, without a call for the whole frame.

use quadrille::structures::AnyStructure;
use quadrille::{Aabb, Agreement, Index, Layers};
use quadrille_scenes::Random;

/// An index and the boxes with which it was built.
pub struct Case {
    pub index: Index<AnyStructure>,
    pub boxes: Vec<Aabb>,
}

type Mutation = fn(&mut Case);

/// Mutations by name.
pub const MUTATIONS: [(&str, Mutation); 41] = [
    ("build", |_| ()),
    ("insert", |case| {
        case.emptied();
        case.insert_all();
    }),
    ("reserve+insert", |case| {
        case.emptied();
        case.index.reserve(case.boxes.len());
        case.insert_all();
    }),
    ("extend", |case| {
        case.emptied();
        case.index.extend(case.boxes.iter().copied());
    }),
    ("clear+insert", |case| {
        case.index.clear();
        case.insert_all();
    }),
    ("clear+extend", |case| {
        let boxes: Vec<Aabb> = case.index.iter().map(|(_, bounds)| bounds).collect();
        case.index.clear();
        case.index.extend(boxes);
    }),
    ("all a little", |case| case.update(1, |one, _| one.with_offset([0.2, -0.2]))),
    ("a tenth a little", |case| case.update(10, |one, _| one.with_offset([0.2, -0.2]))),
    ("all a little, ten times", |case| (0..10).for_each(|_| case.update(1, |one, _| one.with_offset([0.2, -0.2])))),
    ("all anywhere", |case| case.update(1, Case::swapped)),
    ("a tenth anywhere", |case| case.update(10, Case::swapped)),
    ("a hundredth anywhere", |case| case.update(100, Case::swapped)),
    ("a tenth anywhere, twenty times", |case| (0..20).for_each(|_| case.update(10, Case::swapped))),
    ("all far off", |case| case.shift(1)),
    ("a tenth far off", |case| case.shift(10)),
    ("far off and back", |case| {
        case.shift(1);
        case.back();
    }),
    ("grow and back", |case| {
        case.update(1, |one, _| one.with_margin(100.0));
        case.back();
    }),
    ("shrink and back", |case| {
        case.update(1, |one, _| Aabb::from_point(one.center()));
        case.back();
    }),
    ("one giant after the other", |case| {
        let world = Aabb::from_boxes(&case.boxes);
        for id in case.ids(50) {
            case.index.update(id, world).expect("a box");
            case.index.update(id, case.boxes[id as usize]).expect("a box");
        }
    }),
    ("onto a spot and back", |case| {
        case.update(1, Case::at_spot);
        case.back();
    }),
    ("from a spot", |case| {
        let heap = vec![case.at_spot_box(); case.boxes.len()];
        case.index = Index::with_boxes(case.index.options(), &heap).expect("boxes");
        case.back();
    }),
    ("from a spot, frame by frame", |case| {
        let heap = vec![case.at_spot_box(); case.boxes.len()];
        case.index = Index::with_boxes(case.index.options(), &heap).expect("boxes");
        case.frame(|one, _| one);
    }),
    ("a frame a little", |case| case.frame(|one, _| one.with_offset([0.2, -0.2]))),
    ("a frame anywhere", |case| case.frame(Case::swapped)),
    ("a frame far off", |case| case.frame(|one, case| one.with_offset(case.far()))),
    ("a frame on a spot and back", |case| {
        case.frame(Case::at_spot);
        case.frame(|one, _| one);
    }),
    ("set half, set all", |case| {
        let half = case.boxes.len() / 2;
        case.index.set_all(&case.boxes[..half]).expect("boxes");
        case.index.set_all(&case.boxes).expect("boxes");
    }),
    ("remove every other", |case| case.index.retain(|id, _| id % 2 == 0)),
    ("remove the first half", |case| {
        let half = case.boxes.len() as u32 / 2;
        case.index.retain(|id, _| id >= half);
    }),
    ("remove half of the world", |case| {
        let mut half = Aabb::from_boxes(&case.boxes);
        half.max[0] = half.center()[0];
        case.index.retain(|_, bounds| !bounds.intersects(&half));
    }),
    ("remove half, insert again", |case| {
        case.index.retain(|id, _| id % 2 == 0);
        case.insert_missing();
    }),
    ("remove and insert each", |case| {
        for id in case.ids(1) {
            case.index.remove(id);
            case.index.insert(case.boxes[id as usize]).expect("a box");
        }
    }),
    ("remove and insert a tenth elsewhere", |case| {
        for id in case.ids(10) {
            case.index.remove(id);
            case.index.insert(Case::swapped(case.boxes[id as usize], case)).expect("a box");
        }
    }),
    ("shrink and grow", |case| {
        case.index.retain(|id, _| id < 32);
        case.insert_missing();
    }),
    ("shrink, maintain, grow", |case| {
        case.index.retain(|id, _| id < 32);
        case.index.maintain();
        case.insert_missing();
    }),
    ("layers, one by one", |case| {
        for id in case.ids(1) {
            case.index.set_layers(id, Layers::new(1 << (id % 4), !0)).expect("a box");
        }
    }),
    ("layers, all at once", |case| {
        let changes: Vec<_> = case.ids(1).map(|id| (id, Layers::new(1 << (id % 4), !0))).collect();
        case.index.set_layers_batch(&changes).expect("boxes");
    }),
    ("layers on which nobody meets", |case| {
        for id in case.ids(1) {
            case.index.set_layers(id, Layers::new(1 << (id % 16), 1 << (16 + id % 16))).expect("a box");
        }
    }),
    ("either agrees", |case| {
        case.index.set_agreement(Agreement::Either);
        for id in case.ids(3) {
            case.index.set_layers(id, Layers::new(1, 2)).expect("a box");
        }
    }),
    ("maintain between halves", |case| {
        case.update(2, Case::swapped);
        case.index.maintain();
        case.update(3, Case::swapped);
    }),
    ("of everything some", |case| {
        for id in case.ids(1) {
            let (one, other) = (case.boxes[id as usize], Case::swapped(case.boxes[id as usize], case));
            match id % 4 {
                0 => drop(case.index.update(id, other).expect("a box")),
                1 => drop(case.index.set_layers(id, Layers::new(1 << (id % 8), !0)).expect("a box")),
                2 => {
                    case.index.remove(id);
                    case.index.insert(one).expect("a box");
                }
                _ => drop(case.index.update(id, one.with_offset([0.2, 0.2])).expect("a box")),
            }
        }
    }),
];

impl Case {
    fn emptied(&mut self) {
        self.index = Index::new(self.index.options()).expect("valid options");
    }

    fn insert_all(&mut self) {
        for &bounds in &self.boxes {
            self.index.insert(bounds).expect("a box");
        }
    }

    fn insert_missing(&mut self) {
        for id in self.ids(1) {
            if self.index.get(id).is_none() {
                self.index.insert(self.boxes[id as usize]).expect("a box");
            }
        }
    }

    /// One in this many ids, in an order that has nothing to do with where boxes are.
    fn ids(&self, one_in: u32) -> impl Iterator<Item = u32> + use<> {
        let n = self.boxes.len() as u32;
        (0..n / one_in).map(move |k| (u64::from(k) * 7919 % u64::from(n)) as u32)
    }

    fn update(&mut self, one_in: u32, to: impl Fn(Aabb, &Self) -> Aabb) {
        for id in self.ids(one_in) {
            if let Some(now) = self.index.get(id) {
                self.index.update(id, to(now, self)).expect("a box");
            }
        }
    }

    fn frame(&mut self, to: impl Fn(Aabb, &Self) -> Aabb) {
        let now: Vec<Aabb> = self.boxes.iter().map(|&one| to(one, self)).collect();
        self.index.update_all(&now).expect("boxes");
    }

    fn back(&mut self) {
        for id in self.ids(1) {
            self.index.update(id, self.boxes[id as usize]).expect("a box");
        }
    }

    fn shift(&mut self, one_in: u32) {
        self.update(one_in, |one, case| one.with_offset(case.far()));
    }

    /// Three worlds away.
    fn far(&self) -> [f32; 2] {
        let world = Aabb::from_boxes(&self.boxes).size();
        [3.0 * world[0].max(world[1]); 2]
    }

    /// Where another box was in the beginning.
    fn swapped(one: Aabb, case: &Self) -> Aabb {
        let mut random = Random::new(u64::from(one.min[0].to_bits()) << 32 | u64::from(one.min[1].to_bits()));
        case.boxes[random.below(case.boxes.len() as u32) as usize]
    }

    fn at_spot_box(&self) -> Aabb {
        self.boxes[0]
    }

    fn at_spot(_: Aabb, case: &Self) -> Aabb {
        case.at_spot_box()
    }
}

//! Sets with layers that grow and shrink, in one call and one by one, to nothing and back: sound after each call, and
//! what is saved can be loaded.

use quadrille::structures::{AnyStructure, StructureKind};
use quadrille::{Aabb, Index, Layers};

/// What the boxes of a set are: all bullets, bullets and enemies, or of more kinds than a structure tells apart.
const KINDS: [fn(usize) -> Layers; 3] = [
    |_| Layers { own: 1, mask: 2 },
    |k| if k % 3 == 0 { Layers { own: 2, mask: 1 } } else { Layers { own: 1, mask: 2 } },
    |k| Layers { own: 1 << (k % 9), mask: !(1 << (k % 9)) },
];

/// All ways to let everything go. Single calls are each followed by a look.
const EMPTIED: [fn(&mut Life); 5] = [
    |life| life.set_all(0),
    |life| (0..life.layers.len()).for_each(|id| life.remove(id)),
    |life| (0..life.layers.len()).rev().for_each(|id| life.remove(id)),
    |life| {
        life.index.retain(|_, _| false);
        life.empty();
    },
    |life| {
        life.index.clear();
        life.empty();
    },
];

/// A set and the layers that its boxes should have, by id.
struct Life {
    index: Index<AnyStructure>,
    layers: Vec<Option<Layers>>,
}

impl Life {
    fn new(kind: StructureKind, count: usize, layers: fn(usize) -> Layers) -> Self {
        let layers: Vec<Layers> = (0..count).map(layers).collect();
        let mut index = Index::with_boxes(kind.into(), &boxes(count)).expect("points");
        index.set_layers_batch(&(0..).zip(layers.iter().copied()).collect::<Vec<_>>()).expect("ids in use");
        let life = Self { index, layers: layers.into_iter().map(Some).collect() };
        life.look();
        life
    }

    /// Boxes that stay keep their layers.
    fn set_all(&mut self, count: usize) {
        self.index.set_all(&boxes(count)).expect("points");
        self.layers.resize(count, None);
        self.layers.iter_mut().filter(|layers| layers.is_none()).for_each(|layers| *layers = Some(Layers::ALL));
        self.look();
    }

    fn remove(&mut self, id: usize) {
        assert!(self.index.remove(id as u32).is_some());
        self.layers[id] = None;
        self.look();
    }

    fn empty(&mut self) {
        self.layers.clear();
        self.look();
    }

    fn look(&self) {
        self.index.validate().expect("a sound set");
        let layers = (0..self.layers.len()).map(|id| self.index.layers(id as u32));
        assert!(layers.eq(self.layers.iter().copied()), "{} boxes", self.layers.len());
        #[cfg(feature = "snapshot")]
        {
            let bytes = self.index.to_bytes().expect("a sound set");
            let loaded = Index::<AnyStructure>::from_bytes(&bytes).expect("what has just been saved");
            assert!(loaded.pairs().eq(self.index.pairs()));
        }
    }
}

fn boxes(count: usize) -> Vec<Aabb> {
    (0..count).map(|k| Aabb::from_point([(k % 7) as f32, 1.0])).collect()
}

#[test]
fn sets_with_layers_are_sound_at_every_length() {
    for &kind in StructureKind::ALL {
        let some = [0, 1, 2, 16, 17, 64, 65, 66, 67, 130];
        // A frame tree closes its holes when there are a few more of them than boxes.
        let all = kind == StructureKind::FrameTree;
        let counts: Vec<usize> = if all { (0..=70).chain(127..=131).collect() } else { some.into() };
        for (count, layers) in counts.into_iter().flat_map(|count| KINDS.map(|layers| (count, layers))) {
            for emptied in EMPTIED {
                let mut life = Life::new(kind, count, layers);
                emptied(&mut life);
                life.set_all(count / 2);
                life.set_all(0);
            }
            let mut life = Life::new(kind, count, layers);
            for length in [count.saturating_sub(1), count, count + 1, 0, count + 1, count, count.saturating_sub(1)] {
                life.set_all(length);
            }
        }
    }
}

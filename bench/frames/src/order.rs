//! The order of the boxes in the first frame.

use quadrille::Aabb;
use quadrille_scenes::Random;

/// How the boxes are handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    AsDrawn,
    /// By their lower x.
    Sorted,
    /// By their lower x, the largest first.
    Reversed,
    Shuffled,
    /// All on the first one. Every two are a pair: a hundredth of the boxes.
    Equal,
    /// The first one is as large as a hundred worlds, a thousand worlds away.
    Giant,
    /// All on one horizontal line, made so much smaller that pairs stay as many.
    Line,
}

quadrille::names!(Order, UnknownOrder, "order":
    AsDrawn "as-drawn",
    Sorted "sorted",
    Reversed "reversed",
    Shuffled "shuffled",
    Equal "equal",
    Giant "giant",
    Line "line",
);

impl Order {
    pub fn apply(self, boxes: &mut Vec<Aabb>, world: &Aabb) {
        let x = |aabb: &Aabb| aabb.min[0];
        match self {
            Self::AsDrawn => {}
            Self::Sorted => boxes.sort_by(|a, b| x(a).total_cmp(&x(b))),
            Self::Reversed => boxes.sort_by(|a, b| x(b).total_cmp(&x(a))),
            Self::Shuffled => shuffle(boxes),
            Self::Equal => {
                boxes.truncate(boxes.len().div_ceil(100));
                let first = boxes[0];
                boxes.fill(first);
            }
            Self::Giant => {
                let ([x, y], [width, height]) = (world.center(), world.size());
                boxes[0] = Aabb::from_center([x + 1000.0 * width, y], [50.0 * width, 50.0 * height]);
            }
            Self::Line => {
                let (y, times) = (world.center()[1], (boxes.len() as f32).sqrt());
                for aabb in boxes {
                    let [width, height] = aabb.size().map(|side| side / times);
                    *aabb = Aabb::from_center([aabb.center()[0], y], [width, height]);
                }
            }
        }
    }
}

/// R. Durstenfeld's shuffle.
fn shuffle(boxes: &mut [Aabb]) {
    let mut random = Random::new(1);
    for at in (1..boxes.len()).rev() {
        boxes.swap(at, random.below(at as u32 + 1) as usize);
    }
}

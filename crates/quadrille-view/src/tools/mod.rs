//! Queries by mouse: the query of a drag from one point of the world to another, and what it visited.

mod light;
mod witness;

use quadrille::structures::AnyStructure;
use quadrille::{Aabb, At, ConvexPolygon, Distance, Hit, Index, Near, Overlaps, Query, Ranked, Sweep};

use light::lit;
use witness::Witness;

/// What the mouse does in the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Moves the picture.
    #[default]
    Pan,
    /// Grabs an agent and throws it.
    Grab,
    /// Which boxes overlap this rectangle?
    Rectangle,
    /// Which boxes contain this point?
    Point,
    /// Which boxes touch this circle?
    Circle,
    /// Which boxes are nearest?
    Nearest,
    /// Which boxes does a ray hit, in order?
    Ray,
    /// Which boxes does a moving box hit, in order?
    Sweep,
    /// Which boxes are in sight?
    Cone,
    /// What does a lamp light if boxes cast shadows?
    Light,
    /// Adds a disc.
    Add,
    /// Removes an agent.
    Remove,
}

impl Tool {
    /// How to use it, in a line.
    pub const fn help(self) -> &'static str {
        match self {
            Self::Pan => "Drag the picture. With any tool: right button pans, wheel zooms.",
            Self::Grab => "Grab an agent, move it about, let go while moving: it flies.",
            Self::Rectangle => "Drag a rectangle: which boxes overlap it?",
            Self::Point => "Click or drag: which boxes contain this point?",
            Self::Circle => "Drag from the center to the rim: which boxes touch the circle?",
            Self::Nearest => "Click or drag: which boxes are nearest?",
            Self::Ray => "Drag: which boxes does the ray hit, in order?",
            Self::Sweep => "Drag: which boxes does a moving box hit, in order?",
            Self::Cone => "Drag from the eye: which boxes are in the cone of sight?",
            Self::Light => "Drag from a lamp to its reach: what does it light if boxes cast shadows?",
            Self::Add => "Click to add a disc, or drag from its center to its rim.",
            Self::Remove => {
                "Click an agent to remove it. The structure cleans up in the next step (key .), or at once (key U)."
            }
        }
    }

    /// Does it query the index?
    pub const fn asks(self) -> bool {
        !matches!(self, Self::Pan | Self::Grab | Self::Add | Self::Remove)
    }
}

quadrille::names!(Tool, UnknownTool, "tool":
    Pan "pan", Grab "grab", Rectangle "rectangle", Point "point", Circle "circle", Nearest "nearest", Ray "ray", Sweep "sweep", Cone "cone", Light "light", Add "add", Remove "remove",
);

/// A query as it was drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ask {
    /// What kind of query; one that [asks](Tool::asks).
    pub tool: Tool,
    /// Where the mouse went down.
    pub from: [f32; 2],
    /// Where it is now, or was let go.
    pub to: [f32; 2],
    /// How many of the nearest to find.
    pub most: usize,
}

/// What an index answered, and what it visited.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The boxes: nearest first, first hit first, those in the light by id, otherwise in the structure's own order.
    pub found: Vec<u32>,
    /// When each was hit, as a share of the way; empty where nothing moves.
    pub times: Vec<f64>,
    /// The corners of the lit area; empty except for a light.
    pub lit: Vec<[f32; 2]>,
    /// Nodes and cells whose rectangle was compared with the query, in order; of a light, with its circle alone.
    pub cells: Vec<Aabb>,
    /// How often a box was compared with the query.
    pub boxes: usize,
    /// How often a node or cell was.
    pub nodes: usize,
}

/// Tangent of half the angle of a cone of sight: 53 degrees in all.
const SPREAD: f64 = 0.5;

/// Half the side of a swept box, as a share of its path: always visible, and never fills the picture.
const SWEPT: f32 = 0.08;

impl Ask {
    /// From the middle to the rim.
    pub fn reach(&self) -> f32 {
        let [x, y] = self.motion();
        x.hypot(y)
    }

    /// The vector of the drag.
    pub fn motion(&self) -> [f32; 2] {
        [self.to[0] - self.from[0], self.to[1] - self.from[1]]
    }

    /// The box that a sweep moves.
    pub fn swept(&self) -> Aabb {
        Aabb::from_center(self.from, [self.reach() * SWEPT; 2])
    }

    /// What a cone sees; `None` if a number is not finite.
    pub fn cone(&self) -> Option<ConvexPolygon> {
        ConvexPolygon::wedge(self.from, self.motion(), SPREAD).ok()
    }

    /// Runs the query.
    pub fn answer(&self, index: &Index<AnyStructure>) -> Answer {
        match self.tool {
            Tool::Pan | Tool::Grab | Tool::Add | Tool::Remove => Answer::default(),
            Tool::Rectangle => all(index, Overlaps(Aabb::from_corners(self.from, self.to))),
            Tool::Point => all(index, At(self.to)),
            Tool::Circle => all(index, Near::point(self.from).within(self.reach())),
            Tool::Cone => self.cone().map_or_else(Answer::default, |cone| all(index, &cone)),
            Tool::Nearest => first(index, Near::point(self.to), self.most, |_: &Distance| None),
            Tool::Ray => first(index, Sweep::segment(self.from, self.to), usize::MAX, |touch| Some(touch.time())),
            Tool::Sweep => {
                first(index, Sweep::new(self.swept(), self.motion()), usize::MAX, |touch| Some(touch.time()))
            }
            Tool::Light => lit(index, self.from, self.reach()),
        }
    }
}

/// All answers in the structure's own order.
fn all<Q: Query<f32>>(index: &Index<AnyStructure>, query: Q) -> Answer {
    let witness = Witness::new(query);
    let found = index.query(&witness).collect();
    witness.into_answer(found)
}

/// The first `most` answers in order.
fn first<Q: Ranked<f32>>(
    index: &Index<AnyStructure>,
    query: Q,
    most: usize,
    time: impl Fn(&Q::Rank) -> Option<f64>,
) -> Answer {
    let witness = Witness::new(query);
    let mut hits: Vec<Hit<Q::Rank>> = Vec::new();
    index.query_first_few(&witness, most, &mut hits);
    let times = hits.iter().filter_map(|hit| time(&hit.rank)).collect();
    Answer { times, ..witness.into_answer(hits.iter().map(|hit| hit.id).collect()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::structures::StructureKind;
    use quadrille_scenes::{Scene, SceneKind};

    fn index(kind: StructureKind) -> Index<AnyStructure> {
        let boxes: Vec<Aabb> = Scene::new(SceneKind::Uniform, 2_000, 7).boxes().collect();
        Index::with_boxes(kind.into(), &boxes).expect("default options are valid")
    }

    fn ask(tool: Tool) -> Ask {
        Ask { tool, from: [80.0, 90.0], to: [120.0, 105.0], most: 12 }
    }

    #[test]
    fn every_structure_gives_the_answer_of_brute_force() {
        let oracle = index(StructureKind::BruteForce);
        for tool in Tool::ALL.iter().copied().filter(|tool| tool.asks()) {
            let mut expected = ask(tool).answer(&oracle);
            assert!(tool == Tool::Point || !expected.found.is_empty(), "{tool} finds something");
            let is_ordered = matches!(tool, Tool::Nearest | Tool::Ray | Tool::Sweep);
            for &kind in StructureKind::ALL {
                let mut answer = ask(tool).answer(&index(kind));
                if !is_ordered {
                    answer.found.sort_unstable();
                    expected.found.sort_unstable();
                }
                assert_eq!(answer.found, expected.found, "{tool} {kind}");
                assert_eq!(answer.times, expected.times, "{tool} {kind}");
                assert_eq!(answer.lit, expected.lit, "{tool} {kind}");
            }
        }
    }

    #[test]
    fn work_is_that_of_the_library_and_cells_are_those_compared() {
        let index = index(StructureKind::Quadtree);
        let ask = ask(Tool::Circle);
        let answer = ask.answer(&index);
        let work = index.query_work(Near::point(ask.from).within(ask.reach()));
        assert_eq!((answer.nodes, answer.boxes, answer.found.len()), (work.nodes, work.boxes, work.found));
        assert_eq!(answer.cells.len(), answer.nodes);
        assert!(answer.boxes < index.len() / 2, "{} looked at", answer.boxes);
    }

    #[test]
    fn hits_come_in_order_of_time() {
        let answer = ask(Tool::Ray).answer(&index(StructureKind::LooseGrid));
        assert!(answer.times.len() > 3 && answer.times.is_sorted(), "{:?}", answer.times);
        assert_eq!(answer.times.len(), answer.found.len());
    }

    #[test]
    fn as_many_of_the_nearest_as_wanted() {
        let answer = ask(Tool::Nearest).answer(&index(StructureKind::LooseQuadtree));
        assert_eq!(answer.found.len(), 12);
    }

    #[test]
    fn numbers_that_are_not_finite_find_nothing() {
        let index = index(StructureKind::Grid);
        for &tool in Tool::ALL {
            let answer = Ask { from: [f32::NAN; 2], to: [f32::NAN; 2], ..ask(tool) }.answer(&index);
            assert!(answer.found.is_empty(), "{tool}");
        }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for &tool in Tool::ALL {
            assert_eq!(tool.name().parse(), Ok(tool));
        }
    }
}

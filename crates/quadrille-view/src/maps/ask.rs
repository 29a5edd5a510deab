//! Queries of a map's region tree by mouse: a range, the covering node, neighbors in eight directions.

use quadrille::Aabb;
use quadrille::region::{Direction, Leaf};
use quadrille::structures::Node;
use quadrille_paths::Cell;

use super::land::{Land, from_cell};
use crate::labels::{grouped, plural};

/// What the left button does on a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapTool {
    /// Paints, and moves A and B.
    #[default]
    Paint,
    /// Which leaves share a cell with a rectangle?
    Range,
    /// Which is the smallest node that contains a rectangle?
    Covering,
    /// Which leaves touch a leaf, in which direction?
    Neighbors,
}

impl MapTool {
    /// How to use it, in a line.
    pub const fn help(self) -> &'static str {
        match self {
            Self::Paint => "Drag to paint, with Shift the opposite. Drag A and B to move them.",
            Self::Range => "Drag a rectangle: which leaves share a cell with it?",
            Self::Covering => "Drag a rectangle: which is the smallest node that holds all of it?",
            Self::Neighbors => "Click a leaf: which leaves touch it in each of eight directions?",
        }
    }

    /// Queries the tree with the rectangle between two cells, or the leaf of the second one. `None` if this tool is no
    /// query.
    pub fn answer(self, land: &Land, ends: [Cell; 2]) -> Option<MapAnswer> {
        let tree = &land.tree;
        let last = [tree.width() - 1, tree.height() - 1];
        let [a, b] = ends.map(|cell| from_cell(Cell::new(cell.x.min(last[0]), cell.y.min(last[1]))));
        let cells = Aabb::from_corners(a, b);
        match self {
            Self::Paint => None,
            Self::Range => Some(MapAnswer::Range {
                cells,
                leaves: tree.leaves_in(cells).collect(),
                walls: tree.objects_in(cells).count(),
            }),
            Self::Covering => tree.covering(a, b).map(|node| MapAnswer::Covering {
                cells,
                node,
                leaves: tree.leaves_in(node.bounds).count(),
            }),
            Self::Neighbors => tree.leaf_at(b).map(|leaf| MapAnswer::Neighbors {
                leaf,
                around: Direction::ALL.map(|direction| tree.neighbors(leaf.rect, direction).collect()),
            }),
        }
    }
}

quadrille::names!(MapTool, UnknownMapTool, "tool":
    Paint "paint", Range "range", Covering "covering", Neighbors "neighbors",
);

/// The answer of the tree.
#[derive(Clone, Debug, PartialEq)]
pub enum MapAnswer {
    /// Answers to a range query.
    Range {
        /// The rectangle.
        cells: Aabb<i32>,
        /// The leaves that share a cell with it.
        leaves: Vec<Leaf>,
        /// Walls within it.
        walls: usize,
    },
    /// Answers to a query for the covering node.
    Covering {
        /// The rectangle.
        cells: Aabb<i32>,
        /// The smallest node that holds it.
        node: Node<i32>,
        /// Leaves of that node.
        leaves: usize,
    },
    /// Answers to a query for neighbors.
    Neighbors {
        /// The leaf.
        leaf: Leaf,
        /// Its neighbors, in the order of [`Direction::ALL`].
        around: [Vec<Leaf>; 8],
    },
}

impl MapAnswer {
    /// The answer in a line.
    pub fn summary(&self) -> String {
        match self {
            Self::Range { cells, leaves, walls } => {
                format!(
                    "{}: {}, {}",
                    sides(*cells),
                    counted(leaves.len(), [" touches it", " touch it"]),
                    plural(*walls, "wall cell")
                )
            }
            Self::Covering { cells, node, leaves } => {
                let (inner, outer) = (sides(*cells), sides(node.bounds));
                format!("{inner} in a node of {outer} at depth {}, {}", node.depth, counted(*leaves, [""; 2]))
            }
            Self::Neighbors { leaf, around } => {
                let counts = Direction::ALL
                    .iter()
                    .zip(around)
                    .map(|(direction, leaves)| format!("{} {}", letters(*direction), grouped(leaves.len())));
                let counts: Vec<String> = counts.collect();
                format!("leaf of {} at depth {}, neighbors: {}", sides(leaf.rect), leaf.depth, counts.join(", "))
            }
        }
    }
}

/// The label of a direction on a map.
pub const fn letters(direction: Direction) -> &'static str {
    ["N", "E", "S", "W", "NW", "NE", "SE", "SW"][direction as usize]
}

fn sides(cells: Aabb<i32>) -> String {
    let [width, height] = [0, 1].map(|axis| cells.max[axis] - cells.min[axis] + 1);
    format!("{width} × {height} cells")
}

/// *1 leaf*, *2,000 leaves*, and what one or all of them do.
fn counted(count: usize, [one, all]: [&str; 2]) -> String {
    if count == 1 { format!("1 leaf{one}") } else { format!("{} leaves{all}", grouped(count)) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use quadrille::region::LeafId;
    use quadrille_paths::Grid;
    use quadrille_scenes::Random;

    use super::*;
    use crate::maps::{MapKind, MapRule};

    /// Caves of no power of two, under each rule.
    fn lands() -> impl Iterator<Item = (MapRule, Land)> {
        MapRule::ALL.into_iter().map(|rule| {
            let caves = MapKind::Caves.grid(3).expect("a legal side");
            let grid = Grid::from_fn(101, 67, |cell| caves.is_free(cell)).expect("legal sides");
            let mut land = Land::new(grid).expect("it has cells");
            land.set_rule(rule);
            (rule, land)
        })
    }

    fn cells(rect: Aabb<i32>) -> impl Iterator<Item = [i32; 2]> {
        (rect.min[1]..=rect.max[1]).flat_map(move |y| (rect.min[0]..=rect.max[0]).map(move |x| [x, y]))
    }

    fn ids<'a>(leaves: impl IntoIterator<Item = &'a Leaf>) -> BTreeSet<LeafId> {
        leaves.into_iter().map(|leaf| leaf.id).collect()
    }

    /// The leaves of cells, one look-up per cell; cells off the map have none.
    fn leaves_of(land: &Land, cells: impl Iterator<Item = [i32; 2]>) -> BTreeSet<LeafId> {
        cells.filter_map(|cell| land.tree.leaf_at(cell)).map(|leaf| leaf.id).collect()
    }

    fn any_ends(random: &mut Random) -> [Cell; 2] {
        [0; 2].map(|_: u8| Cell::new(random.below(101), random.below(67)))
    }

    #[test]
    fn a_range_lights_the_leaves_of_its_cells_and_counts_their_walls() {
        let mut random = Random::new(1);
        for (rule, land) in lands() {
            for _ in 0..50 {
                let ends = any_ends(&mut random);
                let Some(MapAnswer::Range { cells: rect, leaves, walls }) = MapTool::Range.answer(&land, ends) else {
                    panic!("a range has an answer")
                };
                assert_eq!(ids(&leaves), leaves_of(&land, cells(rect)), "{rule} {ends:?}");
                assert_eq!(leaves.len(), ids(&leaves).len(), "each once");
                let is_wall =
                    |&[x, y]: &[i32; 2]| !land.paths.grid().is_free(Cell::new(x.unsigned_abs(), y.unsigned_abs()));
                assert_eq!(walls, cells(rect).filter(is_wall).count(), "{rule} {ends:?}");
                let [a, b] = ends.map(from_cell);
                assert!(rect.contains_point(a) && rect.contains_point(b), "{rect:?} from {ends:?}");
            }
        }
    }

    #[test]
    fn the_covering_node_is_the_smallest_of_all_nodes_that_hold_the_rectangle() {
        let mut random = Random::new(2);
        for (rule, land) in lands() {
            for _ in 0..50 {
                let ends = any_ends(&mut random);
                let Some(MapAnswer::Covering { cells: rect, node, leaves }) = MapTool::Covering.answer(&land, ends)
                else {
                    panic!("a rectangle on the map is covered")
                };
                let deepest = land.tree.nodes().filter(|one| one.bounds.contains(&rect)).max_by_key(|one| one.depth);
                assert_eq!(deepest.map(|one| one.bounds), Some(node.bounds), "{rule} {ends:?}");
                assert_eq!(leaves, leaves_of(&land, cells(node.bounds)).len(), "{rule} {ends:?}");
            }
        }
    }

    #[test]
    fn neighbors_are_the_leaves_of_the_cells_next_to_a_leaf_in_each_direction() {
        let mut random = Random::new(3);
        for (rule, land) in lands() {
            for _ in 0..50 {
                let ends = any_ends(&mut random);
                let Some(MapAnswer::Neighbors { leaf, around }) = MapTool::Neighbors.answer(&land, ends) else {
                    panic!("every cell has a leaf")
                };
                assert!(leaf.rect.contains_point(from_cell(ends[1])));
                for (direction, leaves) in Direction::ALL.into_iter().zip(&around) {
                    // A cell lies in the direction if the leaf is left by one step from it, opposite to the direction.
                    let [dx, dy] = direction.step();
                    let beyond = cells(leaf.rect).map(|[x, y]| [x + dx, y + dy]).filter(|&[x, y]| {
                        let is_out = [x, y]
                            .into_iter()
                            .enumerate()
                            .map(|(axis, at)| at < leaf.rect.min[axis] || at > leaf.rect.max[axis]);
                        is_out.zip([dx, dy]).all(|(is_out, step)| is_out == (step != 0))
                    });
                    let expected = leaves_of(&land, beyond);
                    assert_eq!(ids(leaves), expected, "{rule} {direction:?} of {:?}", leaf.rect);
                }
            }
        }
    }

    #[test]
    fn answers_are_summed_up_in_a_line_and_painting_asks_nothing() {
        let mut land = Land::new(Grid::open(8, 8).expect("a legal side")).expect("it has cells");
        land.paint([[0.5; 2]; 2], 0.75, crate::maps::Paint::Wall);
        let summary = |tool: MapTool, ends| tool.answer(&land, ends).map(|answer| answer.summary());
        let ends = [Cell::new(0, 0), Cell::new(1, 0)];
        assert_eq!(summary(MapTool::Range, ends).as_deref(), Some("2 × 1 cells: 2 leaves touch it, 1 wall cell"));
        assert_eq!(
            summary(MapTool::Covering, ends).as_deref(),
            Some("2 × 1 cells in a node of 2 × 2 cells at depth 2, 4 leaves")
        );
        let corner = [Cell::new(900, 0), Cell::new(900, 900)];
        assert_eq!(
            summary(MapTool::Neighbors, corner).as_deref(),
            Some("leaf of 4 × 4 cells at depth 1, neighbors: N 1, E 0, S 0, W 1, NW 1, NE 0, SE 0, SW 0")
        );
        assert_eq!(summary(MapTool::Paint, ends), None);
    }
}

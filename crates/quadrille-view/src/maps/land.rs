//! The map under the brush: the cells, the paths on them, and the region tree that splits and merges.

use std::collections::BTreeSet;

use quadrille::Aabb;
use quadrille::region::{Leaf, LeafChange, RegionQuadtree};
use quadrille_paths::{Cell, CellRect, CostRule, Grid, PathMap};

use super::rule::MapRule;

/// What the brush leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Blocked cells.
    Wall,
    /// Free cells.
    Floor,
}

/// A map that is painted on, held three ways that always agree: free cells (with their paths), and walls as the marks
/// of a region tree, whose leaves are all wall or all floor unless another rule is set.
#[derive(Clone, Debug)]
pub struct Land {
    /// The cells, and paths on them.
    pub paths: PathMap,
    /// The region tree: a mark in every wall.
    pub tree: RegionQuadtree<(), MapRule>,
    /// The rule of the tree.
    pub rule: MapRule,
    /// Leaves created and removed.
    pub churn: Churn,
}

/// How many leaves were created and removed since the tree was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Churn {
    /// Leaves created by a split or a merge.
    pub created: usize,
    /// Leaves removed by one.
    pub removed: usize,
}

/// What a stroke did.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// The cells that may have changed; no others have.
    pub touched: CellRect,
    /// The leaves that it created and that still exist.
    pub fresh: Vec<Leaf>,
}

impl Land {
    /// The land of a map.
    ///
    /// # Errors
    /// Returns an error if a side is 0: a region tree has at least one cell.
    pub fn new(grid: Grid) -> Result<Self, quadrille::Error> {
        let rule = MapRule::default();
        let tree = tree_of(&grid, rule)?;
        Ok(Self { paths: PathMap::new(grid, CostRule::Octile), tree, rule, churn: Churn::default() })
    }

    /// Builds the tree again under another rule.
    pub fn set_rule(&mut self, rule: MapRule) {
        let tree = tree_of(self.paths.grid(), rule).expect("the map has had a tree before");
        (self.tree, self.rule, self.churn) = (tree, rule, Churn::default());
    }

    /// Paints all cells whose middles are within `radius` (in cells) of the straight line between two points of the
    /// map; cells off the map are left out. `None` if nothing changed. A radius of 0.75 or more paints at least the
    /// cell under a point.
    ///
    /// Costs in proportion to the bounding box of the stroke, which is short: one for each movement of the mouse.
    pub fn paint(&mut self, line: [[f32; 2]; 2], radius: f32, paint: Paint) -> Option<Stroke> {
        let grid = self.paths.grid();
        let touched = around(line, radius)?.clamped(grid.width(), grid.height());
        let free = paint == Paint::Floor;
        let strokes =
            |cell: &Cell| grid.is_free(*cell) != free && distance_squared(line, middle(*cell)) <= radius * radius;
        let changed: BTreeSet<Cell> = touched.cells().filter(strokes).collect();
        if changed.is_empty() {
            return None;
        }
        let floor: BTreeSet<Cell> =
            touched.cells().filter(|cell| grid.is_free(*cell) != changed.contains(cell)).collect();
        self.paths.edit(touched, |cell| floor.contains(&cell));
        self.paths.maintain();
        self.mark(&changed, paint);
        Some(Stroke { touched, fresh: self.drain() })
    }

    /// Frees a cell if it is blocked, and blocks it if it is free.
    pub fn toggle(&mut self, cell: Cell) {
        let paint = if self.paths.grid().is_free(cell) { Paint::Wall } else { Paint::Floor };
        self.paths.set(cell, paint == Paint::Floor);
        self.mark(&BTreeSet::from([cell]), paint);
        self.drain();
    }

    fn mark(&mut self, cells: &BTreeSet<Cell>, paint: Paint) {
        let places = cells.iter().map(|cell| from_cell(*cell));
        match paint {
            Paint::Wall => {
                let marks = places.map(|place| (place, ()));
                self.tree.insert_all(marks).expect("the cells are on the map, and have at most one mark each");
            }
            Paint::Floor => {
                for place in places {
                    self.tree.remove(place, ());
                }
            }
        }
    }

    /// Counts changes of leaves, and returns new ones that still exist.
    fn drain(&mut self) -> Vec<Leaf> {
        let mut fresh = Vec::new();
        for change in self.tree.drain_changes() {
            match change {
                LeafChange::Created(leaf) => fresh.push(leaf.id),
                LeafChange::Removed(_) => self.churn.removed += 1,
            }
        }
        self.churn.created += fresh.len();
        fresh.into_iter().filter_map(|id| self.tree.leaf(id)).collect()
    }
}

/// A mark in every wall, with the changes to leaves watched from here on.
fn tree_of(grid: &Grid, rule: MapRule) -> Result<RegionQuadtree<(), MapRule>, quadrille::Error> {
    let wall = |cell| (!grid.is_free(to_cell(cell))).then_some(());
    let mut tree = RegionQuadtree::from_fn(grid.width(), grid.height(), rule, wall)?;
    tree.watch();
    tree.drain_changes().for_each(drop);
    Ok(tree)
}

/// The cells that a stroke may touch; `None` for one that is nowhere (NaN).
// Casts: a cast from float stops at both ends of u32.
fn around([a, b]: [[f32; 2]; 2], radius: f32) -> Option<CellRect> {
    let is_somewhere = [a, b].as_flattened().iter().all(|at| at.is_finite()) && radius.is_finite();
    let [x, y] = [0, 1].map(|axis| {
        let (first, last) = ((a[axis].min(b[axis]) - radius) as u32, (a[axis].max(b[axis]) + radius) as u32);
        (first, (last - first).saturating_add(1))
    });
    is_somewhere.then(|| CellRect::new(x.0, y.0, x.1, y.1))
}

/// From a point to the nearest one of a straight line between two others, squared.
fn distance_squared([a, b]: [[f32; 2]; 2], point: [f32; 2]) -> f32 {
    let [along, to] = [b, point].map(|end| [end[0] - a[0], end[1] - a[1]]);
    let dot = |u: [f32; 2], v: [f32; 2]| u[0] * v[0] + u[1] * v[1];
    let length_squared = dot(along, along);
    let part = if length_squared > 0.0 { (dot(along, to) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    let apart = [to[0] - part * along[0], to[1] - part * along[1]];
    dot(apart, apart)
}

/// The box of the cells of a rectangle, in the plane of the map: cell (x, y) is the unit square that begins at (x, y).
// Casts: the sides of a map fit 24 bits.
pub fn square(cells: Aabb<i32>) -> Aabb {
    Aabb::new(cells.min.map(|at| at as f32), cells.max.map(|at| at as f32 + 1.0))
}

/// The middle of a cell.
pub fn middle(cell: Cell) -> [f32; 2] {
    [cell.x as f32 + 0.5, cell.y as f32 + 0.5]
}

/// The cell of a map in which a point lies; `None` off the map, and for NaN.
// Casts: what is negative or too large is off the map.
pub fn cell_at(grid: &Grid, [x, y]: [f32; 2]) -> Option<Cell> {
    let is_inside = x >= 0.0 && y >= 0.0 && x < grid.width() as f32 && y < grid.height() as f32;
    is_inside.then(|| Cell::new(x as u32, y as u32))
}

/// And back.
pub(super) const fn to_cell([x, y]: [i32; 2]) -> Cell {
    Cell::new(x.unsigned_abs(), y.unsigned_abs())
}

/// A cell as the region tree names it.
pub(super) const fn from_cell(cell: Cell) -> [i32; 2] {
    [cell.x.cast_signed(), cell.y.cast_signed()]
}

#[cfg(test)]
mod tests {
    use quadrille_scenes::Random;

    use super::*;
    use crate::maps::MapKind;

    fn land(kind: MapKind) -> Land {
        Land::new(kind.grid(1).expect("a legal side")).expect("it has cells")
    }

    /// The tree equals a tree built from the cells, and the paths are sound.
    fn assert_agrees(land: &Land) {
        land.paths.validate().expect("the paths are sound");
        land.tree.validate().expect("the tree is sound");
        let mut fresh = Land::new(land.paths.grid().clone()).expect("it has cells");
        fresh.set_rule(land.rule);
        let shape =
            |land: &Land| land.tree.leaves().map(|leaf| (leaf.rect.min, leaf.depth, leaf.occupied)).collect::<Vec<_>>();
        assert_eq!(shape(land), shape(&fresh));
    }

    #[test]
    fn cells_and_tree_agree_after_every_stroke() {
        let mut random = Random::new(5);
        let rules = MapRule::ALL.into_iter().cycle();
        let kinds = [MapKind::Rooms, MapKind::Maze, MapKind::Caves, MapKind::Field];
        for (kind, rule) in kinds.into_iter().flat_map(|kind| [kind; 2]).zip(rules) {
            let mut land = land(kind);
            land.set_rule(rule);
            let before = land.tree.leaf_count();
            for _ in 0..40 {
                let mut point = || [random.between(-9.0, 137.0), random.between(-9.0, 137.0)];
                let line = [point(), point()];
                let paint = if random.below(2) == 0 { Paint::Wall } else { Paint::Floor };
                land.paint(line, random.between(0.75, 6.0), paint);
                assert_agrees(&land);
            }
            let Churn { created, removed } = land.churn;
            assert_eq!(before + created - removed, land.tree.leaf_count(), "{kind}");
        }
    }

    #[test]
    fn cells_and_tree_agree_after_doors_have_changed() {
        let mut land = land(MapKind::City);
        let doors = MapKind::City.doors();
        doors[..100].iter().for_each(|door| land.toggle(*door));
        doors[50..].iter().for_each(|door| land.toggle(*door));
        for (number, door) in doors.iter().enumerate() {
            assert_eq!(land.paths.grid().is_free(*door), (50..100).contains(&number), "{door}");
        }
        assert_agrees(&land);
    }

    #[test]
    fn a_dot_on_an_open_field_splits_it_and_wiping_it_off_merges_it_again() {
        let mut land = land(MapKind::Field);
        assert_eq!(land.tree.leaf_count(), 1);
        let dot = [[37.5, 80.5]; 2];
        let stroke = land.paint(dot, 0.75, Paint::Wall).expect("a wall begins");
        // Seven levels from 128 cells to one, each with three leaves beside the way, and four at the end.
        assert_eq!((land.tree.leaf_count(), stroke.fresh.len()), (22, 22));
        assert!(!land.paths.grid().is_free(Cell::new(37, 80)));
        assert_eq!(land.paint(dot, 0.75, Paint::Wall), None, "it is there already");
        assert_eq!(land.paint(dot, 0.75, Paint::Floor).expect("the wall ends").fresh.len(), 1);
        assert_eq!(land.tree.leaf_count(), 1);
    }

    #[test]
    fn the_smallest_brush_paints_the_cell_under_it_and_no_brush_paints_off_the_map() {
        let mut random = Random::new(6);
        for _ in 0..200 {
            let mut land = land(MapKind::Field);
            let point = [random.between(0.0, 127.9), random.between(0.0, 127.9)];
            land.paint([point; 2], 0.75, Paint::Wall).expect("a wall begins");
            let cell = cell_at(land.paths.grid(), point).expect("on the map");
            assert!(!land.paths.grid().is_free(cell), "{point:?}");
        }
        let mut land = land(MapKind::Field);
        for line in [[[-50.0; 2], [-9.0; 2]], [[f32::NAN; 2]; 2], [[f32::INFINITY, 0.0], [0.0; 2]], [[1e30; 2]; 2]] {
            assert_eq!(land.paint(line, 3.0, Paint::Wall), None, "{line:?}");
        }
    }

    #[test]
    fn points_off_the_map_are_in_no_cell() {
        let grid = Grid::open(4, 3).expect("a legal side");
        assert_eq!(cell_at(&grid, [3.99, 2.99]), Some(Cell::new(3, 2)));
        for point in [[4.0, 0.0], [0.0, 3.0], [-0.1, 0.0], [f32::NAN, 0.0], [f32::INFINITY, 0.0]] {
            assert_eq!(cell_at(&grid, point), None, "{point:?}");
        }
    }
}

//! Which corners can be seen from a cell.
//!
//! A corner is *visible* from a cell if every shortest way between the two, were there no walls, is free of walls and of
//! other corners. Those ways fill a parallelogram (under the Manhattan rule a rectangle): under the octile rules, `i`
//! diagonal and `j` straight steps in any order. A shortest path between any two cells is a chain of corners each visible from
//! the one before: T. Uras, S. Koenig and C. Hernández, *Subgoal Graphs for Optimal Pathfinding in Eight-Neighbor Grids*,
//! ICAPS 2013, who show it for paths that cut no corners; the argument holds for the other rules with their own corners.
//!
//! To find them, walk along a diagonal and look along row and column at every step. What a look hits, wall or corner, lies in
//! every parallelogram that reaches as far from a later step; so looks never grow longer, and most walks are soon over.

use crate::bitmap::Bitmap;
use crate::cell::{Cell, Direction};
use crate::cost::CostRule;
use crate::heading::Heading;

/// North, east, south, west.
type Straight = usize;

/// Change of column and row, as `wrapping_add` wants it.
type Walk = (usize, usize);

/// The change of each straight direction.
const DELTAS: [Walk; 4] = [(0, usize::MAX), (1, 0), (0, 1), (usize::MAX, 0)];

/// The bitmaps a look needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight<'a> {
    pub(crate) rule: CostRule,
    /// Set where blocked, by rows.
    pub(crate) walls: &'a Bitmap,
    /// Set where blocked or a corner, by rows.
    pub(crate) rows: &'a Bitmap,
    /// The same by columns.
    pub(crate) columns: &'a Bitmap,
}

/// The quadrants north-east, south-east, south-west and north-west, as bits in this order. Each contains its two axes.
pub(crate) type Quadrants = u8;

/// All four.
pub(crate) const ALL_QUADRANTS: Quadrants = 0b1111;

/// What a walk and looks from its steps sweep over; it contains its two axes.
pub(crate) type Cone = (Walk, Straight);

/// Every second cone clockwise and the one opposite to it, under the octile rules.
const OCTILE_CONES: [[Cone; 2]; 4] = [
    [((1, usize::MAX), 0), ((usize::MAX, 1), 2)],
    [((1, usize::MAX), 1), ((usize::MAX, 1), 3)],
    [((1, 1), 1), ((usize::MAX, usize::MAX), 3)],
    [((1, 1), 2), ((usize::MAX, usize::MAX), 0)],
];

/// Under the Manhattan rule there are but four.
const MANHATTAN_CONES: [[Cone; 2]; 2] = [[(DELTAS[1], 0), (DELTAS[3], 2)], [(DELTAS[1], 2), (DELTAS[3], 0)]];

/// Half of the cones, each with the one opposite to it.
pub(crate) const fn opposite_cones(rule: CostRule) -> &'static [[Cone; 2]] {
    match rule {
        CostRule::Octile | CostRule::OctileCutting => &OCTILE_CONES,
        CostRule::Manhattan => &MANHATTAN_CONES,
    }
}

/// A corner visible in a cone, and how far one can see past the cell from where it is seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aside {
    pub(crate) cell: Cell,
    /// How many steps it is away from the walk, by the look.
    pub(crate) far: usize,
    /// How many steps the other way are clear beside every step of the walk up to the corner's.
    pub(crate) behind: usize,
}

/// The axes of each quadrant.
const AXES: [(Straight, Straight); 4] = [(0, 1), (2, 1), (2, 3), (0, 3)];

/// The quadrants in which a heading lies: two for those along an axis.
pub(crate) const fn quadrants(heading: Heading) -> Quadrants {
    let (quadrant, before) = (heading / 4, (heading / 4 + 3) % 4);
    if heading % 4 == 0 { 1 << quadrant | 1 << before } else { 1 << quadrant }
}

impl Sight<'_> {
    /// Reports each corner visible from a free cell in some quadrants, once.
    #[inline]
    pub(crate) fn each_visible(&self, from: Cell, quadrants: Quadrants, mut found: impl FnMut(Cell)) {
        let (x, y) = (from.x as usize + 1, from.y as usize + 1);
        let mut limits = [0; 4];
        for (way, limit) in limits.iter_mut().enumerate() {
            if (0..4)
                .any(|quadrant| quadrants >> quadrant & 1 == 1 && (AXES[quadrant].0 == way || AXES[quadrant].1 == way))
            {
                *limit = self.look(x, y, way, usize::MAX, &mut found);
            }
        }
        for (_, axes) in AXES.into_iter().enumerate().filter(|(quadrant, _)| quadrants >> quadrant & 1 == 1) {
            match self.rule {
                CostRule::Octile | CostRule::OctileCutting => self.walk_diagonal(x, y, axes, limits, &mut found),
                CostRule::Manhattan => self.walk_row(x, y, axes, limits, &mut found),
            }
        }
    }

    /// The corners visible from a free cell that is no corner by a walk and a look, in the order of the walk.
    pub(crate) fn in_cone(&self, from: Cell, (walk, look): Cone, mut found: impl FnMut(Aside)) {
        let (mut x, mut y) = (from.x as usize + 1, from.y as usize + 1);
        let back = (look + 2) % 4;
        let (mut far, mut behind) = (self.steps_to_stop(x, y, look), self.steps_to_stop(x, y, back));
        self.report(x, y, (look, far), |cell| found(Aside { cell, far, behind }));
        far -= 1;
        while self.can_walk(x, y, walk) {
            (x, y) = (x.wrapping_add(walk.0), y.wrapping_add(walk.1));
            if behind > 0 {
                behind = behind.min(self.steps_to_stop(x, y, back) - 1);
            }
            if self.rows.get(x, y) {
                return self.report(x, y, (look, 0), |cell| found(Aside { cell, far: 0, behind }));
            }
            let steps = if far > 0 { self.steps_to_stop(x, y, look) } else { usize::MAX };
            if steps <= far {
                self.report(x, y, (look, steps), |cell| found(Aside { cell, far: steps, behind }));
                far = steps - 1;
            }
        }
    }

    /// The first corner from a cell on, itself included, on a diagonal or in a row.
    pub(crate) fn first_along(&self, from: Cell, way: Direction) -> Option<Cell> {
        let (dx, dy) = way.delta();
        let walk = (dx as usize, dy as usize);
        let (mut x, mut y) = (from.x as usize + 1, from.y as usize + 1);
        while !self.rows.get(x, y) && self.can_walk(x, y, walk) {
            (x, y) = (x.wrapping_add(walk.0), y.wrapping_add(walk.1));
        }
        let mut first = None;
        if self.rows.get(x, y) {
            self.report(x, y, (0, 0), |cell| first = Some(cell));
        }
        first
    }

    /// Whether the step of a walk is legal.
    #[inline]
    fn can_walk(&self, x: usize, y: usize, (dx, dy): Walk) -> bool {
        let (next_x, next_y) = (x.wrapping_add(dx), y.wrapping_add(dy));
        !self.walls.get(next_x, next_y)
            && (self.rule != CostRule::Octile || !self.walls.get(next_x, y) && !self.walls.get(x, next_y))
    }

    /// Looks one way, at most `limit` cells far; returns how many cells there are before what stops the look.
    #[inline]
    fn look(&self, x: usize, y: usize, way: Straight, limit: usize, found: &mut impl FnMut(Cell)) -> usize {
        let steps = self.steps_to_stop(x, y, way);
        if steps > limit {
            return limit;
        }
        self.report(x, y, (way, steps), found);
        steps - 1
    }

    /// How many steps one way to the first wall or corner; at least 1.
    #[inline]
    fn steps_to_stop(&self, x: usize, y: usize, way: Straight) -> usize {
        match way {
            0 => self.columns.behind(y, x),
            1 => self.rows.ahead(x, y),
            2 => self.columns.ahead(y, x),
            _ => self.rows.behind(x, y),
        }
    }

    /// Reports a stop so many steps one way unless it is a wall.
    #[inline]
    fn report(&self, x: usize, y: usize, (way, steps): (Straight, usize), mut found: impl FnMut(Cell)) {
        let (dx, dy) = DELTAS[way];
        let (x, y) = (x.wrapping_add(dx.wrapping_mul(steps)), y.wrapping_add(dy.wrapping_mul(steps)));
        if !self.walls.get(x, y) {
            #[expect(clippy::cast_possible_truncation, reason = "a map's side fits 16 bits")]
            found(Cell::new((x - 1) as u32, (y - 1) as u32));
        }
    }

    /// Walks along the diagonal of a quadrant and looks along both axes at every step.
    #[inline]
    fn walk_diagonal(
        &self,
        mut x: usize,
        mut y: usize,
        (vertical, horizontal): (Straight, Straight),
        limits: [usize; 4],
        found: &mut impl FnMut(Cell),
    ) {
        let delta = (DELTAS[horizontal].0, DELTAS[vertical].1);
        let (mut far_vertical, mut far_horizontal) = (limits[vertical], limits[horizontal]);
        while self.can_walk(x, y, delta) {
            (x, y) = (x.wrapping_add(delta.0), y.wrapping_add(delta.1));
            if self.rows.get(x, y) {
                self.report(x, y, (0, 0), found);
                break;
            }
            if far_vertical > 0 {
                far_vertical = self.look(x, y, vertical, far_vertical, found);
            }
            if far_horizontal > 0 {
                far_horizontal = self.look(x, y, horizontal, far_horizontal, found);
            }
        }
    }

    /// Walks along the row and looks along the column at every step: the Manhattan rule's parallelogram is a rectangle.
    fn walk_row(
        &self,
        mut x: usize,
        y: usize,
        (vertical, horizontal): (Straight, Straight),
        limits: [usize; 4],
        found: &mut impl FnMut(Cell),
    ) {
        let mut far = limits[vertical];
        for _ in 0..limits[horizontal] {
            if far == 0 {
                return;
            }
            x = x.wrapping_add(DELTAS[horizontal].0);
            far = self.look(x, y, vertical, far, found);
        }
    }
}

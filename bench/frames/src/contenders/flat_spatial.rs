//! `flat_spatial::AABBGrid` with cells of twice the mean size, which it advises. Its final test compares rounded sums,
//! so that boxes which only just touch may be missed or added; here the exact test follows the broad query instead.

use flat_spatial::aabbgrid::AABBGridHandle;
use flat_spatial::{AABB, AABBGrid, Vec2};
use quadrille::Aabb;

use super::{Agents, Search};
use crate::tally::Tally;

#[derive(Clone, Copy)]
struct Point([f32; 2]);

#[derive(Clone, Copy)]
struct Bounds(Aabb);

impl From<[f32; 2]> for Point {
    fn from(point: [f32; 2]) -> Self {
        Self(point)
    }
}

impl Vec2 for Point {
    fn x(&self) -> f32 {
        self.0[0]
    }

    fn y(&self) -> f32 {
        self.0[1]
    }
}

impl AABB for Bounds {
    type V2 = Point;

    fn ll(&self) -> Point {
        Point(self.0.min)
    }

    fn ur(&self) -> Point {
        Point(self.0.max)
    }
}

pub struct Grid {
    grid: AABBGrid<u32, Bounds>,
    handles: Vec<AABBGridHandle>,
    /// Cells have a whole number for their side; small scenes are enlarged until that fits.
    scale: f32,
}

impl Grid {
    pub fn new(boxes: &[Aabb]) -> Self {
        /// Side of a cell after scaling.
        const CELL: i32 = 16;
        let size: f32 = boxes.iter().map(|aabb| aabb.size()[0].max(aabb.size()[1])).sum();
        let scale = CELL as f32 / (2.0 * size / boxes.len().max(1) as f32);
        let mut grid = AABBGrid::new(CELL);
        let handles = (0..).zip(boxes).map(|(id, aabb)| grid.insert(scaled(aabb, scale), id)).collect();
        Self { grid, handles, scale }
    }

    fn visit(&self, asked: &Aabb, boxes: impl Fn(u32) -> Aabb, mut found: impl FnMut(u32)) {
        self.grid.query_broad(scaled(asked, self.scale)).for_each(|handle| {
            let id = self.grid.get(handle).expect("nothing is removed").obj;
            if asked.intersects(&boxes(id)) {
                found(id);
            }
        });
    }
}

fn scaled(aabb: &Aabb, scale: f32) -> Bounds {
    Bounds(Aabb::new(aabb.min.map(|x| x * scale), aabb.max.map(|x| x * scale)))
}

impl Agents for Grid {
    fn moves(&mut self, boxes: &[Aabb]) {
        for (&handle, aabb) in self.handles.iter().zip(boxes) {
            self.grid.set_aabb(handle, scaled(aabb, self.scale));
        }
    }

    fn asks(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        for (a, bounds) in (0..).zip(boxes) {
            self.visit(bounds, |id| boxes[id as usize], |b| pairs.once(a, b));
        }
    }
}

impl Search for Grid {
    fn search(&self, asked: &Aabb, found: impl FnMut(u32)) {
        let unscaled = |id: u32| {
            let Bounds(aabb) = self.grid.get(self.handles[id as usize]).expect("nothing is removed").aabb;
            scaled(&aabb, 1.0 / self.scale).0
        };
        self.visit(asked, unscaled, found);
    }
}

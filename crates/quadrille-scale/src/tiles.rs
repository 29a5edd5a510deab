//! The plane divided into tiles with about as many boxes each.
//!
//! A binary tree: each line runs through the median of the sampled boxes on its side, along the axis on which it cuts
//! fewer of them. So long thin boxes are cut lengthwise or not at all. What cannot be divided, such as boxes in one
//! place, stays one tile.
//!
//! A box belongs to every tile that it touches, by the rule of all trees here: left of a line if it starts before the
//! line, right if it reaches the line. So the whole plane is divided, and the lower corner of what two boxes have in
//! common is in exactly one tile.

use quadrille::Aabb;

/// A box that touches more tiles than this is wide: it is copied nowhere.
pub(crate) const MAX_COPIES: usize = 16;

/// Where boxes go.
#[derive(Debug)]
pub(crate) struct Tiles {
    nodes: Vec<Node>,
    cells: Vec<Aabb<f64>>,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    Tile(usize),
    /// Children: `low` starts before the line, `low + 1` is behind it.
    Line {
        axis: usize,
        at: f64,
        low: usize,
    },
}

/// A box of the sample and how many boxes it stands for.
pub(crate) type Weighed = (Aabb<f64>, f64);

impl Tiles {
    /// Divides the plane into at most `most` tiles of about `target` boxes.
    pub(crate) fn new(sample: Vec<Weighed>, target: f64, most: usize) -> Self {
        let everywhere = Aabb { min: [f64::NEG_INFINITY; 2], max: [f64::INFINITY; 2] };
        let all = weight(&sample);
        // Boxes are copied to several tiles, and tiles vary.
        let target = target.max(2.0 * all / most as f64);
        let mut tiles = Self { nodes: vec![Node::Tile(0)], cells: Vec::new() };
        tiles.divide(0, sample, everywhere, target, most);
        tiles
    }

    /// Divides a cell into at most `most` tiles. Either side of a line may have half of them, however many boxes lie
    /// across lines and are counted on both sides: so there are no more lines above a tile than `most` has bits.
    fn divide(&mut self, node: usize, sample: Vec<Weighed>, cell: Aabb<f64>, target: f64, most: usize) {
        let line = if weight(&sample) > target && most > 1 { best_line(&sample) } else { None };
        let Some((axis, at)) = line else {
            self.nodes[node] = Node::Tile(self.cells.len());
            self.cells.push(cell);
            return;
        };
        let low = self.nodes.len();
        self.nodes[node] = Node::Line { axis, at, low };
        self.nodes.extend([Node::Tile(0); 2]);
        let (mut before, mut behind) = (cell, cell);
        before.max[axis] = at;
        behind.min[axis] = at;
        let left = sample.iter().filter(|(bounds, _)| bounds.min[axis] < at).copied().collect();
        let right = sample.iter().filter(|(bounds, _)| bounds.max[axis] >= at).copied().collect();
        drop(sample);
        self.divide(low, left, before, target, most / 2);
        self.divide(low + 1, right, behind, target, most - most / 2);
    }

    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Lists the tiles that a box touches. `false` if it is wide; the list is then incomplete.
    pub(crate) fn touched(&self, bounds: &Aabb<f64>, tiles: &mut Vec<usize>) -> bool {
        tiles.clear();
        self.walk(0, bounds, tiles)
    }

    fn walk(&self, mut node: usize, bounds: &Aabb<f64>, tiles: &mut Vec<usize>) -> bool {
        loop {
            match self.nodes[node] {
                Node::Tile(tile) => {
                    tiles.push(tile);
                    return tiles.len() <= MAX_COPIES;
                }
                Node::Line { axis, at, low } => {
                    let (before, behind) = (bounds.min[axis] < at, bounds.max[axis] >= at);
                    if before && behind && !self.walk(low, bounds, tiles) {
                        return false;
                    }
                    node = low + usize::from(behind);
                }
            }
        }
    }

    /// Whether a pair is reported in a tile: the tile that holds the lower corner of the intersection of the two boxes.
    pub(crate) fn reports(&self, tile: usize, a: &Aabb<f64>, b: &Aabb<f64>) -> bool {
        let cell = &self.cells[tile];
        [0, 1].into_iter().all(|axis| {
            let corner = a.min[axis].max(b.min[axis]);
            cell.min[axis] <= corner && corner < cell.max[axis]
        })
    }
}

fn weight(sample: &[Weighed]) -> f64 {
    sample.iter().map(|(_, weight)| weight).sum()
}

/// The one of the two lines through a median that cuts fewer boxes. `None` if neither divides them well.
fn best_line(sample: &[Weighed]) -> Option<(usize, f64)> {
    /// The largest share of the boxes that one side may hold.
    const MAX_LEFT: f64 = 0.9;
    let all = weight(sample);
    let lines = [0, 1].map(|axis| {
        let mut middles: Vec<(f64, f64)> =
            sample.iter().map(|(bounds, weight)| (bounds.min[axis].midpoint(bounds.max[axis]), *weight)).collect();
        middles.sort_unstable_by(|(a, _), (b, _)| a.total_cmp(b));
        let mut passed = 0.0;
        let median = middles.iter().find(|(_, weight)| {
            passed += weight;
            2.0 * passed >= all
        });
        let at = median.map_or(0.0, |(middle, _)| *middle);
        let sum = |is_in: &dyn Fn(&Aabb<f64>) -> bool| {
            sample.iter().filter(|(bounds, _)| is_in(bounds)).map(|(_, weight)| weight).sum::<f64>()
        };
        let (before, behind) = (sum(&|bounds| bounds.min[axis] < at), sum(&|bounds| bounds.max[axis] >= at));
        let is_good = before.max(behind) <= MAX_LEFT * all;
        (if is_good { before + behind } else { f64::INFINITY }, axis, at)
    });
    let (copies, axis, at) = if lines[1].0 < lines[0].0 { lines[1] } else { lines[0] };
    copies.is_finite().then_some((axis, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiles(boxes: impl IntoIterator<Item = Aabb<f64>>, target: f64) -> (Tiles, Vec<Weighed>) {
        let sample: Vec<_> = boxes.into_iter().map(|bounds| (bounds, 1.0)).collect();
        (Tiles::new(sample.clone(), target, 1000), sample)
    }

    #[test]
    fn every_corner_is_in_exactly_one_tile() {
        let scattered = |k: u32| f64::from(k.wrapping_mul(2_654_435_761) >> 20);
        let (tiles, sample) =
            tiles((0..2000).map(|k| Aabb::from_size([scattered(k), scattered(k + 7)], [40.0, 9.0])), 50.0);
        assert!((40..=200).contains(&tiles.len()), "{}", tiles.len());
        let mut touched = Vec::new();
        for (a, _) in &sample {
            assert!(tiles.touched(a, &mut touched));
            let reporting: Vec<_> = (0..tiles.len()).filter(|&tile| tiles.reports(tile, a, a)).collect();
            assert_eq!(reporting.len(), 1);
            assert!(touched.contains(&reporting[0]));
        }
    }

    #[test]
    fn long_boxes_are_divided_along_and_heaps_not_at_all() {
        let (rows, sample) = tiles((0..1000).map(|y| Aabb::new([0.0, f64::from(y)], [1000.0, f64::from(y)])), 100.0);
        let mut touched = Vec::new();
        assert!(
            rows.len() > 8 && sample.iter().all(|(bounds, _)| rows.touched(bounds, &mut touched) && touched.len() == 1)
        );
        let (heap, _) = tiles((0..1000).map(|_| Aabb::from_point([1.0, 1.0])), 100.0);
        assert_eq!(heap.len(), 1);
    }

    #[test]
    fn boxes_across_many_lines_make_no_more_tiles_than_there_may_be() {
        let scattered = |k: u32| f64::from(k.wrapping_mul(2_654_435_761) >> 20);
        let boxes = (0..2000).map(|k| (Aabb::from_size([scattered(k), scattered(k + 7)], [200.0; 2]), 1.0));
        for most in [1, 2, 3, 100] {
            let tiles = Tiles::new(boxes.clone().collect(), 1.0, most);
            assert!((most.div_ceil(2)..=most).contains(&tiles.len()), "{} of {most}", tiles.len());
        }
    }
}

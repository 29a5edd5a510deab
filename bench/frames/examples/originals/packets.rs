//! A grid of agents of one size, sorted by cell. Each agent is compared with those of its cell and the eight around it,
//! one by one or in packets of eight.

use std::hint::black_box;

use quadrille_scenes::Random;

use super::{report, time};

const FRAMES: usize = 50;
const PACKET: usize = 8;

/// Agents in cells of one unit, row by row; no agent is in a cell of the border.
struct Grid {
    columns: usize,
    starts: Vec<usize>,
    /// After the last agent come as many as fill a packet, far away.
    at: [Vec<f32>; 2],
}

pub fn measure() {
    for agents in [100_000_usize, 500_000] {
        for per_cell in [1_usize, 4, 16] {
            let grid = Grid::new(agents, per_cell);
            // An agent overlaps two others, so that with more in a cell they are smaller.
            let reach = (2.0 / (4.0 * per_cell as f32)).sqrt();
            assert_eq!(grid.one_by_one(reach), grid.in_packets(reach), "both find the same");
            let (mut ones, mut packets) = (Vec::new(), Vec::new());
            for _ in 0..FRAMES {
                ones.push(time(|| _ = black_box(grid.one_by_one(reach))));
                packets.push(time(|| _ = black_box(grid.in_packets(reach))));
            }
            let claim = format!("packets of {agents} with {per_cell} per cell");
            report(&claim, "one by one", ones);
            report(&claim, "packets of eight", packets);
        }
    }
}

impl Grid {
    fn new(agents: usize, per_cell: usize) -> Self {
        let side = ((agents / per_cell) as f32).sqrt().ceil();
        let columns = side as usize + 2;
        let mut random = Random::new(1);
        let mut draw = || [random.between(1.0, side + 0.999), random.between(1.0, side + 0.999)];
        let mut points: Vec<[f32; 2]> = (0..agents).map(|_| draw()).collect();
        let cell = |[x, y]: &[f32; 2]| *y as usize * columns + *x as usize;
        points.sort_by_key(cell);
        let mut starts = vec![0; columns * columns + 1];
        points.iter().for_each(|point| starts[cell(point) + 1] += 1);
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        points.extend([[f32::MAX; 2]; PACKET]);
        Self { columns, starts, at: [0, 1].map(|axis| points.iter().map(|point| point[axis]).collect()) }
    }

    /// Calls a function for each agent, with its place and the places of those in three cells of a row.
    fn each_row(&self, mut visit: impl FnMut([f32; 2], std::ops::Range<usize>)) {
        let [xs, ys] = &self.at;
        for (&x, &y) in xs.iter().zip(ys).take(xs.len() - PACKET) {
            for row in y as usize - 1..=y as usize + 1 {
                let first = row * self.columns + x as usize - 1;
                visit([x, y], self.starts[first]..self.starts[first + 3]);
            }
        }
    }

    /// How many agents the agents have within reach, and the sum of their places.
    fn one_by_one(&self, reach: f32) -> [usize; 2] {
        let ([xs, ys], mut found) = (&self.at, [0; 2]);
        self.each_row(|[x, y], places| {
            for place in places {
                if (xs[place] - x).abs() <= reach && (ys[place] - y).abs() <= reach {
                    found = [found[0] + 1, found[1] + place];
                }
            }
        });
        found
    }

    /// The same.
    fn in_packets(&self, reach: f32) -> [usize; 2] {
        let ([xs, ys], mut found) = (&self.at, [0; 2]);
        self.each_row(|[x, y], places| {
            for first in places.clone().step_by(PACKET) {
                let packet = |at: &[f32]| <[f32; PACKET]>::try_from(&at[first..first + PACKET]).expect("eight");
                let (x_packet, y_packet) = (packet(xs), packet(ys));
                let mut hits = 0_u32;
                for k in 0..PACKET {
                    let is_near = ((x_packet[k] - x).abs() <= reach) & ((y_packet[k] - y).abs() <= reach);
                    hits |= u32::from(is_near) << k;
                }
                // The last packet of a row goes beyond it.
                hits &= (1 << (places.end - first).min(PACKET)) - 1;
                while hits != 0 {
                    found = [found[0] + 1, found[1] + first + hits.trailing_zeros() as usize];
                    hits &= hits - 1;
                }
            }
        });
        found
    }
}

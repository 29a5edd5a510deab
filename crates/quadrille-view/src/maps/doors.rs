//! Doors that open and close by themselves, at a given number per second.

use quadrille_paths::Cell;
use quadrille_scenes::Random;

/// Steps that count as a second.
pub const SECOND: u64 = 60;

/// The doors of a map, and which is next.
#[derive(Clone, Debug)]
pub struct Doors {
    /// Where they are.
    pub cells: Vec<Cell>,
    random: Random,
}

impl Doors {
    /// Doors in these cells.
    pub fn new(seed: u64, cells: Vec<Cell>) -> Self {
        Self { cells, random: Random::new(seed) }
    }

    /// The doors that change in a step, of this many per second, spread evenly over its steps. One may come twice.
    pub fn due(&mut self, step: u64, a_second: u64) -> Vec<Cell> {
        let by = |step: u64| step * a_second / SECOND;
        let count = if self.cells.is_empty() { 0 } else { by(step % SECOND + 1) - by(step % SECOND) };
        (0..count).map(|_| self.cells[self.random.below(self.cells.len() as u32) as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_has_its_doors_evenly_spread() {
        for a_second in [0, 1, 59, 60, 64, 1_000] {
            let mut doors = Doors::new(1, vec![Cell::new(3, 4), Cell::new(5, 6)]);
            let counts: Vec<u64> = (120..180).map(|step| doors.due(step, a_second).len() as u64).collect();
            assert_eq!(counts.iter().sum::<u64>(), a_second);
            assert!(counts.iter().all(|count| count.abs_diff(a_second / SECOND) <= 1), "{counts:?}");
        }
        assert_eq!(Doors::new(1, Vec::new()).due(0, 1_000), []);
    }
}

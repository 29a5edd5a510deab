//! Boxes and their rows, as values and as bytes.
//!
//! ```text
//! box 0: xmin ymin xmax ymax │ box 1 │ … │ row 0 │ row 1 │ …        little-endian; f32 if all of the block fit, else f64; u32
//! ```

use quadrille::{Aabb, Scalar};

/// How coordinates are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Width {
    /// As `f32`: exactly the same numbers.
    Single,
    /// As `f64`.
    Double,
}

impl Width {
    /// The smallest width that holds a box exactly.
    pub(crate) fn of(bounds: &Aabb<f64>) -> Self {
        let [a, b] = bounds.min;
        let [c, d] = bounds.max;
        // Zeros of either sign are equal, and mean the same place.
        let is_exact = [a, b, c, d].into_iter().all(|number| f64::from(f32::from_f64(number)) == number);
        if is_exact { Self::Single } else { Self::Double }
    }

    /// Bytes of a box and its row.
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Self::Single => 4 * 4 + 4,
            Self::Double => 4 * 8 + 4,
        }
    }
}

/// What coordinates are in memory.
pub(crate) trait Held: Scalar {
    /// The number that was written. Distances of the nearest may be infinite.
    fn read(number: f64) -> Self;
}

impl Held for f32 {
    fn read(number: f64) -> Self {
        number as Self
    }
}

impl Held for f64 {
    fn read(number: f64) -> Self {
        number
    }
}

/// Boxes and their rows.
#[derive(Clone, Debug)]
pub(crate) struct Block<S = f64> {
    pub(crate) boxes: Vec<Aabb<S>>,
    pub(crate) rows: Vec<u32>,
}

impl<S: Held> Block<S> {
    pub(crate) const fn new() -> Self {
        Self { boxes: Vec::new(), rows: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.boxes.len()
    }

    pub(crate) fn clear(&mut self) {
        self.boxes.clear();
        self.rows.clear();
    }

    pub(crate) fn reserve(&mut self, additional: usize) {
        self.boxes.reserve_exact(additional);
        self.rows.reserve_exact(additional);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &Aabb<S>)> {
        self.rows.iter().copied().zip(&self.boxes)
    }

    /// Adds what `bytes` hold.
    pub(crate) fn extend(&mut self, bytes: &[u8], width: Width) {
        let count = bytes.len() / width.bytes();
        let (boxes, rows) = bytes.split_at(count * (width.bytes() - 4));
        match width {
            Width::Single => self.boxes.extend(boxes.chunks_exact(16).map(|bytes| {
                let [a, b, c, d] = numbers(bytes).map(|bytes| S::read(f64::from(f32::from_le_bytes(bytes))));
                Aabb { min: [a, b], max: [c, d] }
            })),
            Width::Double => self.boxes.extend(boxes.chunks_exact(32).map(|bytes| {
                let [a, b, c, d] = numbers(bytes).map(|bytes| S::read(f64::from_le_bytes(bytes)));
                Aabb { min: [a, b], max: [c, d] }
            })),
        }
        self.rows.extend(rows.chunks_exact(4).map(|bytes| u32::from_le_bytes(part(bytes, 0))));
    }
}

impl Block {
    pub(crate) fn push(&mut self, row: u32, bounds: Aabb<f64>) {
        self.boxes.push(bounds);
        self.rows.push(row);
    }

    /// Writes all as bytes, which are cleared first.
    pub(crate) fn encode(&self, bytes: &mut Vec<u8>) -> Width {
        let width = self.boxes.iter().map(Width::of).max().unwrap_or(Width::Single);
        bytes.clear();
        bytes.reserve_exact(self.len() * width.bytes());
        for Aabb { min: [a, b], max: [c, d] } in &self.boxes {
            match width {
                Width::Single => {
                    bytes.extend([a, b, c, d].map(|number| f32::from_f64(*number).to_le_bytes()).as_flattened());
                }
                Width::Double => bytes.extend([a, b, c, d].map(|number| number.to_le_bytes()).as_flattened()),
            }
        }
        self.rows.iter().for_each(|row| bytes.extend(row.to_le_bytes()));
        width
    }
}

/// Four numbers of this many bytes each.
fn numbers<const N: usize>(bytes: &[u8]) -> [[u8; N]; 4] {
    [0, 1, 2, 3].map(|at| part(bytes, at))
}

fn part<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut part = [0; N];
    part.copy_from_slice(&bytes[at * N..(at + 1) * N]);
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back_as_they_were() {
        let single = Aabb::new([-1.5, 0.0], [2.25, f64::from(f32::MAX)]);
        let double = Aabb::new([0.1, -1e300], [0.2, 1e300]);
        let far = Aabb { min: [3.0, f64::INFINITY], max: [0.0, 0.0] };
        for (boxes, width) in [
            (vec![single; 3], Width::Single),
            (vec![single, double], Width::Double),
            (vec![far], Width::Double),
            (vec![], Width::Single),
        ] {
            let mut block = Block::new();
            (7..).zip(boxes).for_each(|(row, bounds)| block.push(row, bounds));
            let mut bytes = Vec::new();
            assert_eq!(block.encode(&mut bytes), width);
            assert_eq!(bytes.len(), block.len() * width.bytes());
            let mut back = Block::<f64>::new();
            back.extend(&bytes, width);
            assert_eq!((back.boxes, back.rows), (block.boxes, block.rows));
        }
    }
}

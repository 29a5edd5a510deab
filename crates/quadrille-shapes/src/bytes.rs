//! A geometry as bytes, to be stored and restored unchanged: nothing is checked, reversed or dropped again.
//!
//! ```text
//! kinds │ number of points │ points │ part, number of vertices, vertices │ …        u8, u32 and f64, little-endian
//! ```

use crate::fault::Fault;
use crate::geometries::{Geometries, Kinds, Part};
use crate::segment_intersection::Point;

impl Geometries {
    /// Appends a geometry to `bytes`, for [`push_bytes`](Self::push_bytes).
    ///
    /// # Panics
    /// Panics if there is no such number.
    pub fn write_bytes(&self, number: u32, bytes: &mut Vec<u8>) {
        bytes.push(self.kinds(number).to_bits());
        write_points(self.points(number), bytes);
        for (chain, part) in self.chains(number) {
            bytes.push(part as u8);
            write_points(chain.points, bytes);
        }
    }

    /// Adds a geometry that [`write_bytes`](Self::write_bytes) wrote.
    ///
    /// # Errors
    /// Returns an error if memory runs out, or if the bytes were not written by it.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.reserve(bytes.len() / 16)?;
        self.whole(|all| all.take_bytes(bytes)).map(drop)
    }

    fn take_bytes(&mut self, bytes: &[u8]) -> Result<Kinds, Fault> {
        let mut points = Vec::new();
        let (kinds, mut rest) = bytes.split_first().ok_or(Fault::Bytes)?;
        read_points(&mut rest, &mut points)?;
        self.push_points(&points);
        while let Some((part, others)) = rest.split_first() {
            rest = others;
            let part = [Part::Point, Part::Line, Part::Shell, Part::Hole][usize::from(part & 3)];
            read_points(&mut rest, &mut points)?;
            if points.len() < 2 {
                return Err(Fault::Bytes);
            }
            self.push_chain(part, &points)?;
        }
        Ok(Kinds::from_bits(*kinds))
    }
}

fn write_points(points: &[Point], bytes: &mut Vec<u8>) {
    bytes.extend((points.len() as u32).to_le_bytes());
    bytes.extend(points.iter().flatten().flat_map(|number| number.to_le_bytes()));
}

fn read_points(rest: &mut &[u8], points: &mut Vec<Point>) -> Result<(), Fault> {
    let (count, others) = rest.split_first_chunk().ok_or(Fault::Bytes)?;
    let length = (u32::from_le_bytes(*count) as usize).checked_mul(16).ok_or(Fault::Bytes)?;
    let (own, others) = others.split_at_checked(length).ok_or(Fault::Bytes)?;
    *rest = others;
    points.clear();
    points.try_reserve(own.len() / 16).map_err(|_| Fault::Memory)?;
    let number = |bytes: &[u8]| bytes.first_chunk().map_or(0.0, |bytes| f64::from_le_bytes(*bytes));
    points.extend(own.chunks_exact(16).map(|point| [number(point), number(&point[8..])]));
    Ok(())
}

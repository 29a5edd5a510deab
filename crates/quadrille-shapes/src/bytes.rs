//! A geometry as bytes, to be stored and restored unchanged: nothing is checked, reversed or dropped a second time.
//!
//! ```text
//! kinds │ number of points │ points │ part, number of places, places │ …        u8, u32 and f64, little-endian
//! ```

use crate::fault::Fault;
use crate::geometries::{Geometries, Kinds, Part};
use crate::segment::Place;

impl Geometries {
    /// Appends a geometry to `bytes`, for [`push_bytes`](Self::push_bytes).
    ///
    /// # Panics
    /// If there is no such number.
    pub fn write_bytes(&self, number: u32, bytes: &mut Vec<u8>) {
        bytes.push(self.kinds(number).to_bits());
        write_places(self.points(number), bytes);
        for (chain, part) in self.chains(number) {
            bytes.push(part as u8);
            write_places(chain.places, bytes);
        }
    }

    /// Adds a geometry that [`write_bytes`](Self::write_bytes) wrote.
    ///
    /// # Errors
    /// If memory runs out, or if the bytes were not written by it.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.reserve(bytes.len() / 16)?;
        self.whole(|all| all.take_bytes(bytes)).map(drop)
    }

    fn take_bytes(&mut self, bytes: &[u8]) -> Result<Kinds, Fault> {
        let mut places = Vec::new();
        let (kinds, mut rest) = bytes.split_first().ok_or(Fault::Bytes)?;
        read_places(&mut rest, &mut places)?;
        self.push_points(&places);
        while let Some((part, others)) = rest.split_first() {
            rest = others;
            let part = [Part::Point, Part::Line, Part::Shell, Part::Hole][usize::from(part & 3)];
            read_places(&mut rest, &mut places)?;
            if places.len() < 2 {
                return Err(Fault::Bytes);
            }
            self.push_chain(part, &places)?;
        }
        Ok(Kinds::from_bits(*kinds))
    }
}

fn write_places(places: &[Place], bytes: &mut Vec<u8>) {
    bytes.extend((places.len() as u32).to_le_bytes());
    bytes.extend(places.iter().flatten().flat_map(|number| number.to_le_bytes()));
}

fn read_places(rest: &mut &[u8], places: &mut Vec<Place>) -> Result<(), Fault> {
    let (count, others) = rest.split_first_chunk().ok_or(Fault::Bytes)?;
    let length = (u32::from_le_bytes(*count) as usize).checked_mul(16).ok_or(Fault::Bytes)?;
    let (own, others) = others.split_at_checked(length).ok_or(Fault::Bytes)?;
    *rest = others;
    places.clear();
    places.try_reserve(own.len() / 16).map_err(|_| Fault::Memory)?;
    let number = |bytes: &[u8]| bytes.first_chunk().map_or(0.0, |bytes| f64::from_le_bytes(*bytes));
    places.extend(own.chunks_exact(16).map(|place| [number(place), number(&place[8..])]));
    Ok(())
}

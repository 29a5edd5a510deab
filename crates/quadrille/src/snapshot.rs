//! Snapshots: an [`Index`], a [`Space`], a [`Keyed`] or a [`RegionQuadtree`] as bytes, to be kept in a file or sent
//! away, and back.
//!
//! What comes back answers every question as the original did, in the same order, gives out the same ids and handles,
//! and goes on to behave in the same way. Bytes that are no snapshot, of another version, of another type, cut short or
//! changed on the way are refused with an error that says which; so is a forged snapshot and that
//! contradicts itself. Nothing panics, and no more memory is taken than the bytes account for.
//!
//! # Layout
//!
//! Numbers are little-endian.
//!
//! | offset | bytes | what |
//! |-------:|------:|------|
//! | 0      | 8     | `89 51 44 52 4C 0D 0A 1A`: "QDRL" among bytes that a transfer as text would change |
//! | 8      | 4     | version of the format, now 1 |
//! | 12     | 4     | CRC-32 (the one of zip and PNG) of all bytes from 16 on |
//! | 16     | 8     | n, the length of the type |
//! | 24     | 8     | m, the length of the content |
//! | 32     | n     | the type: what, structure and scalar, such as `Index quadtree f32` or `Space periodic grid f64` |
//! | 32 + n | m     | the content: the fields in order, in the wire format of postcard 1 |
//!
//! The content holds the structure as it is, link by link. Whatever changes the fields of a structure makes a new
//! version. The type does not tell what the things in a space are: that is for the caller to know.
//!
//! ```
//! use quadrille::{Aabb, Index, Overlaps, Quadtree};
//!
//! let index = Index::<Quadtree>::from_boxes(&[Aabb::new([0.0, 0.0], [2.0, 2.0])])?;
//! let bytes = index.to_bytes()?;
//! let restored = Index::<Quadtree>::from_bytes(&bytes)?;
//! assert_eq!(restored.query_count(Overlaps(Aabb::EVERYTHING)), 1);
//!
//! let error = Index::<Quadtree<f64>>::from_bytes(&bytes).unwrap_err();
//! assert_eq!(error.to_string(), "the snapshot is of `Index quadtree f32`, not of `Index quadtree f64`");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Corruption;
use crate::geometry::Scalar;
use crate::index::{self, Index};
use crate::region::{self, RegionQuadtree, Rule};
use crate::space::{self, Keyed, Space};
use crate::structure::Structure;

const MAGIC: [u8; 8] = *b"\x89QDRL\r\n\x1a";
const VERSION: u32 = 1;
/// Bytes before the type.
const HEADER: usize = 32;

/// # Snapshots
///
/// With the feature `snapshot`; see [`snapshot`](crate::snapshot) for what is promised.
impl<I: Structure + Serialize + DeserializeOwned> Index<I> {
    /// The index as bytes.
    ///
    /// # Errors
    /// If the structure is not one of this crate and does not let itself be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SnapshotError> {
        write(&kind_of::<I>("Index"), self)
    }

    /// The index that these bytes are a snapshot of.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
        read::<index::Unvalidated<I>, _>(&kind_of::<I>("Index"), bytes)
    }
}

/// # Snapshots
///
/// With the feature `snapshot`; see [`snapshot`](crate::snapshot) for what is promised.
impl<T: Serialize + DeserializeOwned, I: Structure + Serialize + DeserializeOwned> Space<T, I> {
    /// The space as bytes, contacts and all: the next step gives the same events in both.
    ///
    /// # Errors
    /// If a thing does not let itself be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SnapshotError> {
        write(&kind_of::<I>("Space"), self)
    }

    /// The space that these bytes are a snapshot of.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
        read::<space::Unvalidated<T, I>, _>(&kind_of::<I>("Space"), bytes)
    }
}

/// # Snapshots
///
/// With the feature `snapshot`; see [`snapshot`](crate::snapshot) for what is promised.
impl<K: Ord + Copy + Serialize + DeserializeOwned, I: Structure + Serialize + DeserializeOwned> Keyed<K, I> {
    /// The keys and their boxes as bytes.
    ///
    /// # Errors
    /// If a key does not let itself be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SnapshotError> {
        write(&kind_of::<I>("Keyed"), self)
    }

    /// The set that these bytes are a snapshot of.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
        read::<space::UnvalidatedKeyed<K, I>, _>(&kind_of::<I>("Keyed"), bytes)
    }
}

/// # Snapshots
///
/// With the feature `snapshot`; see [`snapshot`](crate::snapshot) for what is promised.
impl<T: Copy + Ord + Serialize + DeserializeOwned, R: Rule + Clone + Serialize + DeserializeOwned>
    RegionQuadtree<T, R>
{
    /// The map as bytes, with its leaves under their ids and the changes not drained yet.
    ///
    /// # Errors
    /// If an object or the rule does not let itself be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SnapshotError> {
        write("RegionQuadtree", self)
    }

    /// The map that these bytes are a snapshot of.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
        read::<region::Unvalidated<T, R>, _>("RegionQuadtree", bytes)
    }
}

/// The type as the header has it.
fn kind_of<I: Structure>(what: &str) -> String {
    let around = I::AROUND.map(|structure| alloc::format!(" {structure}")).unwrap_or_default();
    alloc::format!("{what} {}{around} {}", I::NAME, I::Scalar::NAME)
}

fn write(kind: &str, content: &impl Serialize) -> Result<Vec<u8>, SnapshotError> {
    let content = postcard::to_allocvec(content).map_err(Kind::Unwritable)?;
    let [n, m] = [kind.len() as u64, content.len() as u64].map(u64::to_le_bytes);
    let checked = [&n, &m, kind.as_bytes(), &content].concat();
    Ok([&MAGIC[..], &VERSION.to_le_bytes(), &crc32(&checked).to_le_bytes(), &checked].concat())
}

fn read<U: DeserializeOwned, T: TryFrom<U, Error = Corruption>>(kind: &str, bytes: &[u8]) -> Result<T, SnapshotError> {
    let content = open(kind, bytes)?;
    let (unvalidated, rest): (U, &[u8]) = postcard::take_from_bytes(content).map_err(Kind::Unreadable)?;
    if !rest.is_empty() {
        return Err(Kind::Unreadable(postcard::Error::DeserializeBadEncoding).into());
    }
    Ok(T::try_from(unvalidated).map_err(Kind::Unsound)?)
}

/// The content of a snapshot, if it is whole and of this kind.
fn open<'a>(kind: &str, bytes: &'a [u8]) -> Result<&'a [u8], Kind> {
    let common = bytes.len().min(MAGIC.len());
    if bytes[..common] != MAGIC[..common] {
        return Err(Kind::Foreign);
    }
    let given = bytes.len() as u64;
    let Some(header) = bytes.first_chunk::<HEADER>() else {
        return Err(Kind::Length { given, needed: HEADER as u64 });
    };
    let number = |at: usize, length: usize| {
        header[at..at + length].iter().rfold(0, |number: u64, &byte| number << 8 | u64::from(byte))
    };
    let (version, check, n, m) = (number(8, 4), number(12, 4), number(16, 8), number(24, 8));
    if version != u64::from(VERSION) {
        return Err(Kind::Version(version));
    }
    let needed = n.saturating_add(m).saturating_add(HEADER as u64);
    if given != needed {
        return Err(Kind::Length { given, needed });
    }
    let sum = u64::from(crc32(&bytes[16..]));
    if sum != check {
        return Err(Kind::Checksum { sum, check });
    }
    let (found, content) = bytes[HEADER..].split_at(n as usize);
    if found != kind.as_bytes() {
        return Err(Kind::Type { found: String::from_utf8_lossy(found).into(), asked: kind.into() });
    }
    Ok(content)
}

/// The cyclic redundancy check of zip and PNG: what remains of the bytes, as a polynomial over two elements, after
/// division by one of degree 32, a byte at a time. Source: W. W. Peterson, D. T. Brown, *Cyclic codes for error
/// detection*, 1961; D. V. Sarwate, *Computation of cyclic redundancy checks via table look-up*, 1988.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |rest, &byte| (rest >> 8) ^ REMAINDERS[usize::from(rest as u8 ^ byte)])
}

/// Remainders of the bytes themselves, bits in reverse.
const REMAINDERS: [u32; 256] = {
    let (mut table, mut byte) = ([0; 256], 0);
    while byte < 256 {
        let (mut rest, mut bit) = (byte as u32, 0);
        while bit < 8 {
            rest = (rest >> 1) ^ ((rest & 1) * 0xedb8_8320);
            bit += 1;
        }
        table[byte] = rest;
        byte += 1;
    }
    table
};

/// Why bytes could not be taken for a snapshot. [`Display`](fmt::Display) says what was wrong, with the values.
#[derive(Clone, PartialEq)]
pub struct SnapshotError(Kind);

#[derive(Clone, PartialEq)]
enum Kind {
    Foreign,
    Version(u64),
    Length { given: u64, needed: u64 },
    Checksum { sum: u64, check: u64 },
    Type { found: String, asked: String },
    Unreadable(postcard::Error),
    Unsound(Corruption),
    Unwritable(postcard::Error),
}

impl From<Kind> for SnapshotError {
    #[cold]
    fn from(kind: Kind) -> Self {
        Self(kind)
    }
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Foreign => write!(f, "the bytes are no snapshot"),
            Kind::Version(version) => {
                write!(f, "the snapshot is of version {version}, and what can be read is version {VERSION}")
            }
            Kind::Length { given, needed } if given < needed => {
                write!(f, "the snapshot is cut short: {given} bytes of {needed}")
            }
            Kind::Length { given, needed } => write!(f, "the snapshot ends after {needed} bytes of {given}"),
            Kind::Checksum { sum, check } => {
                write!(f, "the snapshot has changed: its checksum is {sum:08x} and should be {check:08x}")
            }
            Kind::Type { found, asked } => write!(f, "the snapshot is of `{found}`, not of `{asked}`"),
            Kind::Unreadable(error) => write!(f, "the content of the snapshot cannot be read: {error}"),
            Kind::Unsound(corruption) => write!(f, "the content of the snapshot contradicts itself: {corruption}"),
            Kind::Unwritable(error) => write!(f, "what should go into the snapshot cannot be written: {error}"),
        }
    }
}

impl fmt::Debug for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SnapshotError({self})")
    }
}

impl core::error::Error for SnapshotError {}

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn the_checksum_is_the_well_known_one() {
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926, "the check value of every catalogue");
    }
}

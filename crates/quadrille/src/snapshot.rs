//! Snapshots turn an [`Index`], a [`Space`] or a [`RegionQuadtree`] into bytes to store or send, and back.
//!
//! A restored value answers every query as the original did, in the same order. It gives out the same ids and
//! handles, and keeps behaving in the same way. Bytes that are not a snapshot, have another version or type, or were
//! cut short or changed on the way are rejected with an error that says which. So is a forged snapshot that contradicts
//! itself. Nothing panics, and memory use stays in proportion to the bytes given.
//!
//! # Layout
//!
//! Numbers are little-endian.
//!
//! | offset | bytes | what |
//! |-------:|------:|------|
//! | 0      | 8     | `89 51 44 52 4C 0D 0A 1A`: "QDRL" among bytes that a transfer as text would change |
//! | 8      | 4     | version of the format, now 8 |
//! | 12     | 4     | CRC-32 (the one of zip and PNG) of all bytes from 16 on |
//! | 16     | 8     | n, the length of the type |
//! | 24     | 8     | m, the length of the content |
//! | 32     | n     | the type: what, structure and scalar, such as `Index quadtree f32` or `Space periodic grid f64` |
//! | 32 + n | m     | the content: the fields in order, in the wire format of postcard 1 |
//!
//! The content is the structure itself, link by link. Any change to the fields of a structure makes a new version. The
//! type does not name the payload type of a space: the caller must know it.
//!
//! ```
//! use quadrille::structures::Quadtree;
//! use quadrille::snapshot::SnapshotErrorKind;
//! use quadrille::{Aabb, Index, Overlaps};
//!
//! let index = Index::<Quadtree>::from_boxes(&[Aabb::new([0.0, 0.0], [2.0, 2.0])])?;
//! let bytes = index.to_bytes()?;
//! let restored = Index::<Quadtree>::from_bytes(&bytes)?;
//! assert_eq!(restored.query_count(Overlaps(Aabb::EVERYTHING)), 1);
//!
//! let error = Index::<Quadtree<f64>>::from_bytes(&bytes).unwrap_err();
//! assert_eq!(error.kind(), SnapshotErrorKind::OtherType);
//! assert_eq!(error.to_string(), "the snapshot is of `Index quadtree f32`, not of `Index quadtree f64`");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crc32fast::hash as crc32;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Corruption;
use crate::geometry::Scalar;
use crate::index::{self, Index};
use crate::region::{self, RegionQuadtree, Rule};
use crate::space::{self, Space};
use crate::structure::Structure;

const MAGIC: [u8; 8] = *b"\x89QDRL\r\n\x1a";
const VERSION: u32 = 8;
/// Bytes before the type.
const HEADER: usize = 32;

/// The methods of each container: what [`write`] gives, the form in which it is read, and the type in the header.
macro_rules! snapshots {
    ($([$($generics:tt)*] $Container:ty: $what:literal, $Unvalidated:ty, $kind:expr;)*) => {$(
        /// # Snapshots
        ///
        /// Needs the `snapshot` feature. See [`snapshot`](crate::snapshot) for what is guaranteed.
        impl<$($generics)*> $Container {
            #[doc = $what]
            ///
            /// # Errors
            /// Returns an error if something in it that is not of this crate (a payload, an object, a rule) cannot be
            /// serialized.
            pub fn to_bytes(&self) -> Result<Vec<u8>, SnapshotError> {
                write(&$kind, self)
            }

            /// Restores what these bytes are a snapshot of.
            ///
            /// # Errors
            /// Returns an error that says what is wrong with the bytes.
            pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
                read::<$Unvalidated, _>(&$kind, bytes)
            }
        }
    )*};
}

snapshots! {
    [I: Structure + Serialize + DeserializeOwned] Index<I>:
        "The index as bytes, contacts included: the next step reports the same events in both.", index::Unvalidated<I>, kind_of::<I>("Index");
    [T: Serialize + DeserializeOwned, I: Structure + Serialize + DeserializeOwned] Space<T, I>:
        "The space as bytes, contacts included: the next step reports the same events in both.",
        space::Unvalidated<T, I>, kind_of::<I>("Space");
    [T: Copy + Ord + Serialize + DeserializeOwned, R: Rule + Clone + Serialize + DeserializeOwned] RegionQuadtree<T, R>:
        "The map as bytes, with its leaves under their ids and the changes that have not been drained.",
        region::Unvalidated<T, R>, "RegionQuadtree";
}

/// The type as written in the header.
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

/// The content of a snapshot, if it is complete and of this kind.
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

/// Why bytes were rejected as a snapshot. [`kind`](Self::kind) is for programs; [`Display`](fmt::Display) says what was
/// wrong, with the values.
#[derive(Clone, PartialEq)]
pub struct SnapshotError(Kind);

/// What was wrong with a snapshot: see [`SnapshotError::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SnapshotErrorKind {
    /// The bytes are not a snapshot.
    NoSnapshot,
    /// The format has another version.
    OtherVersion,
    /// A snapshot of another container, structure or scalar.
    OtherType,
    /// Bytes are missing, too many, or changed, or they contradict each other.
    Damaged,
    /// A payload, a key or a rule cannot be serialized.
    Unwritable,
}

impl SnapshotError {
    /// What was wrong, for programs.
    #[must_use]
    pub fn kind(&self) -> SnapshotErrorKind {
        match self.0 {
            Kind::Foreign => SnapshotErrorKind::NoSnapshot,
            Kind::Version(_) => SnapshotErrorKind::OtherVersion,
            Kind::Type { .. } => SnapshotErrorKind::OtherType,
            Kind::Length { .. } | Kind::Checksum { .. } | Kind::Unreadable(_) | Kind::Unsound(_) => {
                SnapshotErrorKind::Damaged
            }
            Kind::Unwritable(_) => SnapshotErrorKind::Unwritable,
        }
    }
}

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
            Kind::Foreign => write!(f, "the bytes are not a snapshot"),
            Kind::Version(version) => {
                write!(f, "the snapshot has version {version}, but only version {VERSION} can be read")
            }
            Kind::Length { given, needed } if given < needed => {
                write!(f, "the snapshot is cut short: it has {given} of {needed} bytes")
            }
            Kind::Length { given, needed } => write!(f, "the snapshot ends after {needed} of {given} bytes"),
            Kind::Checksum { sum, check } => {
                write!(f, "the snapshot is corrupt: its checksum is {sum:08x} and should be {check:08x}")
            }
            Kind::Type { found, asked } => write!(f, "the snapshot is of `{found}`, not of `{asked}`"),
            Kind::Unreadable(error) => write!(f, "the snapshot cannot be read (is it of other things?): {error}"),
            Kind::Unsound(corruption) => write!(f, "the content of the snapshot contradicts itself: {corruption}"),
            Kind::Unwritable(error) => write!(f, "the snapshot cannot be written: {error}"),
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
    use super::*;
    use crate::geometry::Aabb;
    use crate::storage::Layers;
    use crate::structure::{Grid, Quadtree};

    /// Counts that are forged as high as numbers go do not overflow later.
    #[test]
    fn the_highest_counts_do_not_overflow() {
        let index = <Index>::from_boxes(&[[0.0; 4]; 30].map(Aabb::from)).unwrap();
        let mut text = serde_json::to_value(&index).unwrap();
        let all = &mut text["all"];
        all["boxes"]["layers_version"] = u64::MAX.into();
        all["structure"]["sweep"]["waiting"] = u64::MAX.into();
        let mut index: Index = serde_json::from_value(text).unwrap();
        index.maintain();
        index.set_layers(0, Layers::NONE).unwrap();
        index.validate().unwrap();
    }

    #[test]
    fn programs_can_tell_rejections_apart() {
        let good = Index::<Quadtree>::default().to_bytes().unwrap();
        let kind = |bytes: &[u8]| Index::<Quadtree>::from_bytes(bytes).unwrap_err().kind();
        let [mut newer, mut changed] = [good.clone(), good.clone()];
        newer[8] += 1;
        *changed.last_mut().unwrap() ^= 1;
        assert_eq!(kind(b"PK"), SnapshotErrorKind::NoSnapshot);
        assert_eq!(kind(&newer), SnapshotErrorKind::OtherVersion);
        assert_eq!(kind(&Index::<Grid>::default().to_bytes().unwrap()), SnapshotErrorKind::OtherType);
        assert_eq!(kind(&Space::<(), Quadtree>::default().to_bytes().unwrap()), SnapshotErrorKind::OtherType);
        let contradiction = write("Index quadtree f32", &0_u8).unwrap();
        for damaged in [&good[..good.len() - 1], &[&good[..], &[0]].concat(), &changed, &contradiction] {
            assert_eq!(kind(damaged), SnapshotErrorKind::Damaged);
        }
    }
}

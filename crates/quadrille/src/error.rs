//! What can go wrong, in words.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::geometry::BoundsError;

/// Why a structure rejected a call. When a call returns an error, nothing has changed.
///
/// [`kind`](Self::kind) is for programs; [`Display`](fmt::Display) says what was wrong, with the values.
#[derive(Clone, PartialEq)]
pub struct Error(Cause);

/// What was wrong with a call: see [`Error::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A box is NaN, infinite or inverted, or a motion leads beyond the range of numbers.
    InvalidBounds,
    /// No box has the id.
    UnknownId,
    /// The handle's thing has been removed.
    StaleHandle,
    /// A whole frame has no box for an id in use.
    MissingBox,
    /// A cell is not on the map.
    OffMap,
    /// No more boxes fit.
    Full,
    /// An option, the length of a list or the size of a box breaks a rule.
    BrokenRule,
}

/// The same with the values, which becomes the error.
#[derive(Clone, PartialEq)]
pub(crate) enum Cause {
    Bounds { position: Option<usize>, error: BoundsError },
    UnknownId { id: u32, slots: usize },
    TooFew { given: usize, id: u32 },
    TooMany { given: usize, slots: usize },
    StaleHandle { slot: u32, given: u32, current: u32 },
    OffMap { cell: [i32; 2], size: [u32; 2] },
    Full { most: usize },
    Option { position: Option<usize>, name: &'static str, value: String, rule: &'static str },
}

impl Error {
    /// A bad option: its name, its value, and the rule it breaks.
    #[cold]
    pub(crate) fn option(name: &'static str, value: impl fmt::Display, rule: &'static str) -> Self {
        Self(Cause::Option { position: None, name, value: alloc::format!("{value}"), rule })
    }

    /// The same error, about the box at `position` of a list.
    #[cold]
    pub(crate) fn at(error: impl Into<Self>, position: usize) -> Self {
        let mut error = error.into();
        if let Cause::Bounds { position: at, .. } | Cause::Option { position: at, .. } = &mut error.0 {
            *at = Some(position);
        }
        error
    }

    /// The same error, about a list that comes behind this many others.
    #[cold]
    pub(crate) fn behind(self, others: usize) -> Self {
        match self.position() {
            Some(position) => Self::at(self, others + position),
            None => self,
        }
    }

    /// The position of the bad entry in the list, if the error is about one entry of a list.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        match self.0 {
            Cause::Bounds { position, .. } | Cause::Option { position, .. } => position,
            _ => None,
        }
    }

    /// What was wrong, for programs.
    ///
    /// ```
    /// use quadrille::{Aabb, ErrorKind, Space};
    ///
    /// let mut space = Space::<()>::default();
    /// let gone = space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]), ())?;
    /// space.remove(gone);
    /// let error = space.update(gone, Aabb::new([2.0, 0.0], [3.0, 1.0])).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::StaleHandle);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self.0 {
            Cause::Bounds { .. } => ErrorKind::InvalidBounds,
            Cause::UnknownId { .. } | Cause::TooMany { .. } => ErrorKind::UnknownId,
            Cause::TooFew { .. } => ErrorKind::MissingBox,
            Cause::StaleHandle { .. } => ErrorKind::StaleHandle,
            Cause::OffMap { .. } => ErrorKind::OffMap,
            Cause::Full { .. } => ErrorKind::Full,
            Cause::Option { .. } => ErrorKind::BrokenRule,
        }
    }
}

impl From<Cause> for Error {
    #[cold]
    fn from(cause: Cause) -> Self {
        Self(cause)
    }
}

impl From<BoundsError> for Error {
    #[cold]
    fn from(error: BoundsError) -> Self {
        Self(Cause::Bounds { position: None, error })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(at) = self.position() {
            write!(f, "box {at}: ")?;
        }
        match &self.0 {
            Cause::Bounds { error, .. } => write!(f, "{error}"),
            Cause::UnknownId { id, slots } => write!(f, "no box has the id {id} (ids in use are below {slots})"),
            Cause::TooFew { given, id } => write!(f, "{given} boxes were given, but none for id {id}, which is in use"),
            Cause::TooMany { given, slots } => {
                write!(f, "{given} boxes were given, but no box has the id {slots}, and an update adds none")
            }
            Cause::StaleHandle { slot, given, current } => {
                write!(
                    f,
                    "the handle is stale: slot {slot} is at generation {current}, the handle is from generation {given}"
                )
            }
            Cause::OffMap { cell: [x, y], size: [width, height] } => {
                write!(f, "cell ({x}, {y}) is not on the map of {width} x {height} cells")
            }
            Cause::Full { most } => write!(f, "no room: there are already {most}, the maximum"),
            Cause::Option { name, value, rule, .. } => write!(f, "`{name}` is {value}: {rule}"),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

impl core::error::Error for Error {}

/// What `validate` found: a structure that contradicts itself. This is a bug in this library, unless the structure came
/// from someone else's snapshot.
#[derive(Clone, PartialEq)]
pub struct Corruption(String);

impl Corruption {
    #[cold]
    pub(crate) fn new(message: String) -> Self {
        Self(message)
    }

    /// Both lists hold the same, in any order.
    pub(crate) fn unless_same<T: Ord + fmt::Debug>(what: &str, mut is: Vec<T>, mut should: Vec<T>) -> Result<(), Self> {
        is.sort_unstable();
        should.sort_unstable();
        Self::unless(is == should, || {
            let at = is.iter().zip(&should).take_while(|(one, other)| one == other).count();
            alloc::format!("{what} is {:?} where {:?} should be", is.get(at), should.get(at))
        })
    }

    pub(crate) fn unless(sound: bool, message: impl FnOnce() -> String) -> Result<(), Self> {
        if sound { Ok(()) } else { Err(Self::new(message())) }
    }
}

impl From<Error> for Corruption {
    #[cold]
    fn from(error: Error) -> Self {
        Self::new(alloc::format!("{error}"))
    }
}

impl fmt::Display for Corruption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Corruption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Corruption({self})")
    }
}

impl core::error::Error for Corruption {}

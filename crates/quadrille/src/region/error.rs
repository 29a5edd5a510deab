//! What can be wrong with a map.

use core::fmt;

/// Why a map could not be made or changed, or what [`validate`](super::RegionQuadtree::validate) found.
#[derive(Clone, PartialEq, Eq)]
pub struct RegionError(pub(super) Fault);

#[derive(Clone, PartialEq, Eq)]
pub(super) enum Fault {
    Size { size: [u32; 2], max: u32 },
    Outside { cell: [i32; 2], size: [u32; 2] },
    Full { objects: usize, more: usize },
    Bitmap { words: usize, size: [u32; 2] },
    Corrupt { what: &'static str, right: u64, found: u64 },
}

impl fmt::Display for RegionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Fault::Size { size: [width, height], max } => {
                write!(f, "a map of {width} x {height} cells: each side must have 1 to {max}")
            }
            Fault::Outside { cell: [x, y], size: [width, height] } => {
                write!(f, "cell ({x}, {y}) is not on the map of {width} x {height} cells")
            }
            Fault::Full { objects, more } => {
                write!(f, "{objects} objects and {more} more: a map holds at most {}", u32::MAX)
            }
            Fault::Bitmap { words, size: [width, height] } => {
                write!(f, "a bitmap of {words} words does not fit a map of {width} x {height} cells, 64 a word")
            }
            Fault::Corrupt { what, right, found } => write!(f, "{what}: should be {right}, is {found}"),
        }
    }
}

impl fmt::Debug for RegionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RegionError({self})")
    }
}

impl core::error::Error for RegionError {}

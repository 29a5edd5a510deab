//! Entrants: libraries in shared objects, as `bench/entrants/entrant.h` describes them.
//!
//! What every `unsafe` here relies on is what a library promises by implementing that header:
//!
//! - its functions have the types that the header gives them; the version is compared before any other is called,
//! - `entrant_begin` returns null, or what the others may be called with until `entrant_end`, which is called once,
//! - it reads boxes while the call runs for which they were passed, and no later,
//! - it calls the function that it is given while that call runs, in the same thread, with the pointer passed along
//!   with it, and with as many pairs or boxes as it says,
//! - the name is a string with a zero at its end, which stays,
//! - it does not throw.

use std::error::Error;
use std::ffi::{CStr, c_char, c_void};
use std::path::Path;

use quadrille::{Aabb, FrameTree, Index};

use super::{Frames, Queries};
use crate::memory;
use crate::tally::Tally;

/// That of the header.
const VERSION: u32 = 1;

type Found<T> = unsafe extern "C" fn(*mut c_void, *const T, usize);

/// A library's functions. It is never unloaded.
pub struct Library {
    pub name: &'static str,
    pub touching: bool,
    begin: unsafe extern "C" fn(*const Aabb, u32) -> *mut c_void,
    update: unsafe extern "C" fn(*mut c_void, *const Aabb, u32),
    pairs: unsafe extern "C" fn(*mut c_void, Found<[u32; 2]>, *mut c_void),
    bytes: unsafe extern "C" fn(*const c_void) -> usize,
    end: unsafe extern "C" fn(*mut c_void),
    query: Option<unsafe extern "C" fn(*const c_void, *const Aabb, Found<u32>, *mut c_void)>,
}

impl Library {
    /// Or why it is refused.
    pub fn load(path: &Path) -> Result<&'static Self, String> {
        Self::of(path).map_err(|why| format!("{} is refused: {why}", path.display()))
    }

    fn of(path: &Path) -> Result<&'static Self, String> {
        let path = path.canonicalize().map_err(|error| error.to_string())?;
        // SAFETY: the caller of this program chose to run what the library does when it is loaded.
        let library = unsafe { libloading::Library::new(path) }.map_err(cause)?;
        let library: &'static libloading::Library = Box::leak(Box::new(library));
        let version: unsafe extern "C" fn() -> u32 = symbol(library, "entrant_version")?;
        // SAFETY: see above.
        let version = unsafe { version() };
        if version != VERSION {
            return Err(format!("it has version {version} of entrant.h; this program has {VERSION}"));
        }
        let name: unsafe extern "C" fn() -> *const c_char = symbol(library, "entrant_name")?;
        let touching: unsafe extern "C" fn() -> bool = symbol(library, "entrant_counts_touching")?;
        Ok(Box::leak(Box::new(Self {
            // SAFETY: see above.
            name: valid_name(unsafe { name() })?,
            touching: unsafe { touching() },
            begin: symbol(library, "entrant_begin")?,
            update: symbol(library, "entrant_update")?,
            pairs: symbol(library, "entrant_pairs")?,
            bytes: symbol(library, "entrant_bytes")?,
            end: symbol(library, "entrant_end")?,
            query: symbol(library, "entrant_query").ok(),
        })))
    }

    pub fn has_queries(&self) -> bool {
        self.touching && self.query.is_some()
    }
}

/// What the loader says.
fn cause(error: libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

fn symbol<T: Copy>(library: &'static libloading::Library, name: &str) -> Result<T, String> {
    // SAFETY: see above; each caller names the type that the header gives to the function.
    let symbol = unsafe { library.get::<T>(name) };
    symbol.map(|symbol| *symbol).map_err(|_| format!("it lacks {name}"))
}

fn valid_name(name: *const c_char) -> Result<&'static str, String> {
    // SAFETY: see above.
    let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }).and_then(|name| name.to_str().ok());
    let is_valid = |name: &&str| !name.is_empty() && !name.contains([',', '\n']);
    name.filter(is_valid).ok_or_else(|| "its name is empty, has a comma or a line break, or is not UTF-8".to_owned())
}

/// An index of a library.
pub struct Entrant {
    library: &'static Library,
    index: *mut c_void,
    /// What it reported last.
    bytes: usize,
}

impl Entrant {
    pub fn new(library: &'static Library, boxes: &[Aabb]) -> Self {
        // SAFETY: see above. An `Aabb` is the four numbers of an `entrant_box`.
        let index = unsafe { (library.begin)(boxes.as_ptr(), boxes.len() as u32) };
        if index.is_null() {
            eprintln!("error: {} cannot begin with {} boxes", library.name, boxes.len());
            std::process::exit(2);
        }
        let mut entrant = Self { library, index, bytes: 0 };
        entrant.weigh();
        entrant
    }

    /// Memory of the library's own allocator counts too.
    fn weigh(&mut self) {
        // SAFETY: see above.
        let bytes = unsafe { (self.library.bytes)(self.index) };
        memory::tell(self.bytes, bytes);
        self.bytes = bytes;
    }

    fn report(&mut self, pairs: &mut Tally) {
        // SAFETY: see above; `count` takes such a pointer.
        unsafe { (self.library.pairs)(self.index, count, (&raw mut *pairs).cast()) };
        self.weigh();
    }
}

impl Drop for Entrant {
    fn drop(&mut self) {
        memory::tell(self.bytes, 0);
        // SAFETY: see above.
        unsafe { (self.library.end)(self.index) };
    }
}

impl Frames for Entrant {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        // SAFETY: see above.
        unsafe { (self.library.update)(self.index, boxes.as_ptr(), boxes.len() as u32) };
        self.report(pairs);
    }

    fn explain(&mut self, boxes: &[Aabb]) -> Option<String> {
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        // SAFETY: see above; `collect` takes such a pointer.
        unsafe { (self.library.pairs)(self.index, collect, (&raw mut pairs).cast()) };
        self.library.touching.then(|| fault(pairs, boxes))?
    }
}

/// The first pair that is wrong, twice or missing.
fn fault(mut pairs: Vec<[u32; 2]>, boxes: &[Aabb]) -> Option<String> {
    pairs.iter_mut().for_each(|pair| pair.sort_unstable());
    pairs.sort_unstable();
    let is_pair = |&[a, b]: &[u32; 2]| {
        let (one, other) = (boxes.get(a as usize), boxes.get(b as usize));
        a != b && one.zip(other).is_some_and(|(one, other)| one.intersects(other))
    };
    if let Some([a, b]) = pairs.iter().find(|pair| !is_pair(pair)) {
        return Some(format!("{a} and {b} are no pair"));
    }
    if let Some([[a, b], _]) = pairs.array_windows().find(|[one, next]| one == next) {
        return Some(format!("{a} and {b} are a pair twice"));
    }
    let index = Index::<FrameTree>::from_boxes(boxes).ok()?;
    let missing = index.pairs().map(|(a, b)| [a.min(b), a.max(b)]).find(|pair| pairs.binary_search(pair).is_err());
    missing.map(|[a, b]| format!("{a} and {b} are a pair too"))
}

/// Keeps nothing from lap to lap.
pub struct Anew(pub &'static Library);

impl Frames for Anew {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        Entrant::new(self.0, boxes).report(pairs);
    }
}

impl Queries for Entrant {
    fn overlapping(&self, asked: &Aabb, found: &mut Tally) {
        let query = self.library.query.expect("the task is for those that have it");
        // SAFETY: see above; `count_boxes` takes such a pointer.
        unsafe { query(self.index, asked, count_boxes, (&raw mut *found).cast()) };
    }
}

/// Called with some of the pairs, and with the tally.
unsafe extern "C" fn count(referee: *mut c_void, pairs: *const [u32; 2], number: usize) {
    // SAFETY: see above.
    unsafe { each(referee, pairs, number, |tally: &mut Tally, &[a, b]| tally.pair(a, b)) };
}

/// The same with a list.
unsafe extern "C" fn collect(referee: *mut c_void, pairs: *const [u32; 2], number: usize) {
    // SAFETY: see above.
    unsafe { each(referee, pairs, number, |list: &mut Vec<[u32; 2]>, &pair| list.push(pair)) };
}

/// The same with boxes.
unsafe extern "C" fn count_boxes(referee: *mut c_void, boxes: *const u32, number: usize) {
    // SAFETY: see above.
    unsafe { each(referee, boxes, number, |tally: &mut Tally, &id| tally.one(id)) };
}

#[inline(always)]
unsafe fn each<R, T>(referee: *mut c_void, found: *const T, number: usize, count: impl Fn(&mut R, &T)) {
    if number > 0 {
        // SAFETY: see above.
        let (referee, found) = unsafe { (&mut *referee.cast::<R>(), std::slice::from_raw_parts(found, number)) };
        found.iter().for_each(|one| count(referee, one));
    }
}

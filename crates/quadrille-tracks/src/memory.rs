//! Memory reserved before it is used, so that running out is an error instead of an abort.

use crate::error::Error;

/// An empty vector with a reserved capacity.
pub(crate) fn with_room<T>(count: usize, what: &'static str) -> Result<Vec<T>, Error> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| Error::no_memory(what, count))?;
    Ok(list)
}

/// Adds to a list, if there is room.
pub(crate) fn push<T>(list: &mut Vec<T>, next: T, what: &'static str) -> Result<(), Error> {
    if list.len() == list.capacity() {
        list.try_reserve(1).map_err(|_| Error::no_memory(what, list.len() + 1))?;
    }
    list.push(next);
    Ok(())
}

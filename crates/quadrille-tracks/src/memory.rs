//! Memory that is asked for before it is used, so that its lack is an error and no abort.

use crate::error::Error;

/// A vector with room for so many numbers.
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

//! Handles: which are in use, and that only one thread at a time uses each.
//!
//! A handle is a slot in a table and the number of times that this slot has been given out. It is looked up in every
//! call, so that a handle that was made up, freed or damaged is an error. The table is locked only for the lookup.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use crate::status::{Fault, Status};

/// The table of all things of one kind. Its number distinguishes its handles from those of other tables.
pub(crate) struct Table<T> {
    kind: u32,
    slots: Mutex<Slots<T>>,
}

struct Slots<T> {
    all: Vec<Slot<T>>,
    free: Vec<u32>,
}

struct Slot<T> {
    /// How often the slot has been used.
    generation: u32,
    held: Option<Arc<Mutex<T>>>,
}

/// In the number of a slot, the bits from this one up are the kind of thing.
const KIND: u32 = 28;

impl<T> Table<T> {
    pub(crate) const fn new(kind: u32) -> Self {
        Self { kind, slots: Mutex::new(Slots { all: Vec::new(), free: Vec::new() }) }
    }

    /// Stores a thing and returns its handle.
    pub(crate) fn add(&self, thing: T) -> Result<u64, Fault> {
        let held = Some(Arc::new(Mutex::new(thing)));
        let mut slots = self.lock();
        let number = if let Some(number) = slots.free.pop() {
            let slot = &mut slots.all[number as usize];
            *slot = Slot { generation: slot.generation + 1, held };
            number
        } else {
            let number = slots.all.len() as u32;
            if number >> KIND != 0 {
                return Err(Fault::new(Status::Memory, "there are no more handles"));
            }
            slots.all.push(Slot { generation: 1, held });
            number
        };
        Ok(u64::from(slots.all[number as usize].generation) << 32 | u64::from(self.kind << KIND | number))
    }

    /// Works with a thing while nobody else does.
    pub(crate) fn with<R>(&self, handle: u64, work: impl FnOnce(&mut T) -> Result<R, Fault>) -> Result<R, Fault> {
        let slots = self.lock();
        let held = slots.find(self.kind, handle)?.held.clone().ok_or_else(stale)?;
        // Locked before the table is unlocked: what is freed is not in use.
        let guard = held.try_lock();
        drop(slots);
        work(&mut *guard.map_err(refused)?)
    }

    /// Frees a thing, unless a call is working with it.
    pub(crate) fn free(&self, handle: u64) -> Result<(), Fault> {
        let mut slots = self.lock();
        let slot = slots.find(self.kind, handle)?;
        let held = slot.held.as_ref().ok_or_else(stale)?;
        if let Err(TryLockError::WouldBlock) = held.try_lock() {
            return Err(busy());
        }
        let number = slot_of(handle);
        let slot = &mut slots.all[number as usize];
        let (held, is_worn) = (slot.held.take(), slot.generation == u32::MAX);
        if !is_worn {
            slots.free.push(number);
        }
        drop(slots);
        // May take long, so it comes after the table is unlocked.
        drop(held);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Slots<T>> {
        // Nothing that may panic runs while it is held.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Slots<T> {
    fn find(&self, kind: u32, handle: u64) -> Result<&Slot<T>, Fault> {
        let (generation, number) = ((handle >> 32) as u32, handle as u32);
        let slot = (number >> KIND == kind).then(|| self.all.get(slot_of(handle) as usize)).flatten();
        slot.filter(|slot| slot.generation == generation).ok_or_else(stale)
    }
}

fn slot_of(handle: u64) -> u32 {
    handle as u32 & ((1 << KIND) - 1)
}

#[cold]
fn stale() -> Fault {
    Fault::new(Status::Handle, "the handle is invalid: it was never issued, has been freed, or is of another kind")
}

#[cold]
fn busy() -> Fault {
    Fault::new(Status::Busy, "another call with the same handle has not returned yet")
}

#[cold]
fn refused<G>(error: TryLockError<G>) -> Fault {
    match error {
        TryLockError::WouldBlock => busy(),
        TryLockError::Poisoned(_) => {
            Fault::new(Status::Broken, "an earlier call failed in the middle of a change: free this and make a new one")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    fn status<R>(done: Result<R, Fault>) -> Status {
        done.err().map_or(Status::Ok, |fault| fault.status)
    }

    #[test]
    fn handles_that_are_none_are_told_apart() {
        let table = Table::new(1);
        let first = table.add("first").expect("room");
        let second = table.add("second").expect("room");
        assert_eq!(table.with(second, |thing| Ok(*thing)).ok(), Some("second"));
        for forged in [0, 1, u64::MAX, first ^ 1 << 40, first + 2, first ^ 1 << 28] {
            assert_eq!(status(table.with(forged, |_| Ok(()))), Status::Handle, "{forged:x}");
        }
        let other = Table::new(2);
        other.add("other").expect("room");
        assert_eq!(status(other.with(first, |_| Ok(()))), Status::Handle, "of another kind");
        assert_eq!(status(table.free(first)), Status::Ok);
        assert_eq!(status(table.free(first)), Status::Handle);
        let third = table.add("third").expect("room");
        assert_ne!(third, first, "the slot is reused, the handle is not");
        assert_eq!(status(table.with(first, |_| Ok(()))), Status::Handle);
    }

    #[test]
    fn one_at_a_time() {
        let table = Table::new(1);
        let one = table.add(()).expect("room");
        let inner = |_: &mut ()| {
            assert_eq!(status(table.with(one, |_| Ok(()))), Status::Busy);
            assert_eq!(status(table.free(one)), Status::Busy);
            Ok(())
        };
        assert_eq!(status(table.with(one, inner)), Status::Ok);
        assert_eq!(status(table.with(one, |_| Ok(()))), Status::Ok);
    }

    #[test]
    fn what_failed_inside_is_broken() {
        let table = Table::new(1);
        let one = table.add(()).expect("room");
        let failed = catch_unwind(AssertUnwindSafe(|| table.with::<()>(one, |_| panic!("a mistake"))));
        assert!(failed.is_err());
        assert_eq!(status(table.with(one, |_| Ok(()))), Status::Broken);
        assert_eq!(status(table.free(one)), Status::Ok);
    }
}

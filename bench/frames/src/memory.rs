//! An allocator that counts.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

static HELD: AtomicUsize = AtomicUsize::new(0);

pub struct Counting;

// SAFETY: all that is done beside counting is done by the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        HELD.fetch_add(size, Relaxed);
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Counts what is allocated elsewhere: it was so much, and is so much now.
pub fn tell(before: usize, now: usize) {
    HELD.fetch_add(now.wrapping_sub(before), Relaxed);
}

/// Bytes held now, those of Box2D's own allocator included.
pub fn held() -> usize {
    // SAFETY: it only reads a counter.
    let foreign = unsafe { boxdd_sys::ffi::b2GetByteCount() };
    HELD.load(Relaxed) + usize::try_from(foreign).unwrap_or(0)
}

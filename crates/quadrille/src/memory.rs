//! Memory that is reserved before it is needed.

use alloc::vec::Vec;
use core::hint::black_box;

/// Whether this many bytes could be allocated now: a failed allocation would end the program. A system that promises more
/// memory than it has is believed.
#[must_use]
pub fn is_free(bytes: usize) -> bool {
    let mut all = Vec::<u8>::new();
    let is_free = all.try_reserve_exact(bytes).is_ok();
    // Otherwise a compiler may remove the unused allocation and report success.
    black_box(all.as_ptr());
    is_free
}

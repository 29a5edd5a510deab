//! Memory that is reserved before it is needed, or used again.

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

/// `Clone`, field by field, with a `clone_from` that uses the memory of what it overwrites again; a derived one drops it.
macro_rules! clone_by_field {
    ([$($generics:tt)*] $type:ty { $($field:ident),+ $(,)? }) => {
        impl<$($generics)*> Clone for $type {
            // Inlined, like the other one, so that only programs that clone compile it.
            #[inline]
            fn clone(&self) -> Self {
                Self { $($field: self.$field.clone()),+ }
            }

            #[inline]
            fn clone_from(&mut self, source: &Self) {
                let Self { $($field),+ } = self;
                $($field.clone_from(&source.$field);)+
            }
        }
    };
}

/// `Clone` for memory that is only kept to be used again: a clone makes its own, and `clone_from` keeps it.
macro_rules! clone_nothing {
    ([$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> Clone for $type {
            fn clone(&self) -> Self {
                Self::default()
            }

            fn clone_from(&mut self, _: &Self) {}
        }
    };
}

pub(crate) use {clone_by_field, clone_nothing};

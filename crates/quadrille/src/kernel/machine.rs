//! A machine for which nothing is written: numbers are compared one by one, unless the compiler sees better.

pub(super) use super::Baseline as Best;
pub(super) type Usual = f32;
pub(super) type Widest = f32;
pub(super) type UsualF64 = f64;
pub(super) type WidestF64 = f64;

/// There is no better kernel to find.
#[inline(always)]
pub(super) fn best() -> Option<Best> {
    None
}

/// See [`super::prefetch`]: not available here.
#[inline(always)]
pub(super) fn prefetch<T>(_: *const T) {}

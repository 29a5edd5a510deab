//! What a query around another one passes on.

/// Writes, in an `impl` of [`Query`](crate::Query) or [`Ranked`](crate::Ranked) for a wrapper, all methods that
/// only call the query inside; `except` names those that the wrapper writes itself or leaves at their defaults. Without
/// `covers` there is no `circle` either, unless the wrapper writes it; without `wants` or `admits` there is no `admits_all`.
/// A method that is added to a trait is added here, so that no wrapper loses it.
///
/// ```
/// use quadrille::{Aabb, Layers, Query, Scalar, forward};
///
/// /// Every other box.
/// #[derive(Clone)]
/// struct Even<Q>(Q);
///
/// impl<S: Scalar, Q: Query<S>> Query<S> for Even<Q> {
///     forward!(Query<S>, |even| even.0, except admits, accepts);
///
///     fn admits(&self, id: u32, layers: Layers) -> bool {
///         id % 2 == 0 && self.0.admits(id, layers)
///     }
///
///     fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool {
///         id % 2 == 0 && self.0.accepts(id, bounds, layers)
///     }
/// }
/// ```
#[macro_export]
macro_rules! forward {
    (Query<$S:ty>, |$this:ident| $inner:expr $(, except $($own:ident),+)?) => {
        $crate::forward!(@ bounds $S, $this, $inner, $($($own)+)?);
        $crate::forward!(@ extent $S, $this, $inner, $($($own)+)?);
        $crate::forward!(@ reaches $S, $this, $inner, $($($own)+)?);
        $crate::forward!(@ wants $S, $this, $inner, $($($own)+)?);
        $crate::forward!(@ covers $S, $this, $inner, $($($own)+)?);
        $crate::forward!(@ circle $S, $this, $inner, $($($own)+)?);
        $crate::forward!(@ admits $S, $this, $inner, $($($own)+)?);
        $crate::forward!(@ admits_all $S, $this, $inner, $($($own)+)?);
        $crate::forward!(@ accepts $S, $this, $inner, $($($own)+)?);
    };
    (Ranked<$S:ty>, |$this:ident| $inner:expr) => {
        #[inline]
        fn rank(&self, bounds: &$crate::Aabb<$S>) -> Option<Self::Rank> {
            let $this = self;
            $inner.rank(bounds)
        }

        fn origin(&self) -> $crate::Aabb<$S> {
            let $this = self;
            $inner.origin()
        }

        fn bounds_up_to(&self, last: &Self::Rank) -> $crate::Aabb<$S> {
            let $this = self;
            $inner.bounds_up_to(last)
        }

        #[inline]
        fn square(&self, rank: &Self::Rank) -> Option<f64> {
            let $this = self;
            $inner.square(rank)
        }

        #[inline]
        fn is_by_distance(&self) -> bool {
            let $this = self;
            $inner.is_by_distance()
        }

        #[inline]
        fn sweep(&self) -> Option<$crate::Sweep<$S>> {
            let $this = self;
            $inner.sweep()
        }

        #[inline]
        fn time(&self, rank: &Self::Rank) -> Option<f64> {
            let $this = self;
            $inner.time(rank)
        }
    };

    // Methods that the wrapper has of its own are left out.
    (@ bounds $S:ty, $this:ident, $inner:expr, bounds $($own:ident)*) => {};
    (@ extent $S:ty, $this:ident, $inner:expr, extent $($own:ident)*) => {};
    (@ reaches $S:ty, $this:ident, $inner:expr, reaches $($own:ident)*) => {};
    (@ wants $S:ty, $this:ident, $inner:expr, wants $($own:ident)*) => {};
    (@ covers $S:ty, $this:ident, $inner:expr, covers $($own:ident)*) => {};
    (@ circle $S:ty, $this:ident, $inner:expr, circle $($own:ident)*) => {};
    (@ circle $S:ty, $this:ident, $inner:expr, covers $($own:ident)*) => {};
    (@ admits $S:ty, $this:ident, $inner:expr, admits $($own:ident)*) => {};
    (@ admits_all $S:ty, $this:ident, $inner:expr, wants $($own:ident)*) => {};
    (@ admits_all $S:ty, $this:ident, $inner:expr, admits $($own:ident)*) => {};
    (@ accepts $S:ty, $this:ident, $inner:expr, accepts $($own:ident)*) => {};
    (@ $method:ident $S:ty, $this:ident, $inner:expr, $other:ident $($own:ident)*) => {
        $crate::forward!(@ $method $S, $this, $inner, $($own)*);
    };

    (@ bounds $S:ty, $this:ident, $inner:expr,) => {
        #[inline]
        fn bounds(&self) -> $crate::Aabb<$S> {
            let $this = self;
            $inner.bounds()
        }
    };
    (@ extent $S:ty, $this:ident, $inner:expr,) => {
        fn extent(&self) -> $crate::Aabb<$S> {
            let $this = self;
            $inner.extent()
        }
    };
    (@ reaches $S:ty, $this:ident, $inner:expr,) => {
        #[inline]
        fn reaches(&self, cell: &$crate::Aabb<$S>) -> bool {
            let $this = self;
            $inner.reaches(cell)
        }
    };
    (@ wants $S:ty, $this:ident, $inner:expr,) => {
        #[inline]
        fn wants(&self, layers: $crate::Layers) -> bool {
            let $this = self;
            $inner.wants(layers)
        }
    };
    (@ covers $S:ty, $this:ident, $inner:expr,) => {
        #[inline]
        fn covers(&self, hull: &$crate::Aabb<$S>) -> bool {
            let $this = self;
            $inner.covers(hull)
        }
    };
    (@ circle $S:ty, $this:ident, $inner:expr,) => {
        #[inline]
        fn circle(&self) -> Option<$crate::Near<$S>> {
            let $this = self;
            $inner.circle()
        }
    };
    (@ admits $S:ty, $this:ident, $inner:expr,) => {
        #[inline]
        fn admits(&self, id: u32, layers: $crate::Layers) -> bool {
            let $this = self;
            $inner.admits(id, layers)
        }
    };
    (@ admits_all $S:ty, $this:ident, $inner:expr,) => {
        #[inline]
        fn admits_all(&self) -> bool {
            let $this = self;
            $inner.admits_all()
        }
    };
    (@ accepts $S:ty, $this:ident, $inner:expr,) => {
        #[inline]
        fn accepts(&self, id: u32, bounds: &$crate::Aabb<$S>, layers: $crate::Layers) -> bool {
            let $this = self;
            $inner.accepts(id, bounds, layers)
        }
    };
}

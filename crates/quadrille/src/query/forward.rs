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
        $crate::forward!(@ bounds [$($($own)+)?] () -> $crate::Aabb<$S>, |$this| $inner);
        $crate::forward!(@ extent [$($($own)+)?] () -> $crate::Aabb<$S>, |$this| $inner);
        $crate::forward!(@ reaches [$($($own)+)?] (cell: &$crate::Aabb<$S>) -> bool, |$this| $inner);
        $crate::forward!(@ wants [$($($own)+)?] (layers: $crate::Layers) -> bool, |$this| $inner);
        $crate::forward!(@ covers [$($($own)+)?] (hull: &$crate::Aabb<$S>) -> bool, |$this| $inner);
        $crate::forward!(@ circle [$($($own)+)?] () -> Option<$crate::Near<$S>>, |$this| $inner);
        $crate::forward!(@ admits [$($($own)+)?] (id: u32, layers: $crate::Layers) -> bool, |$this| $inner);
        $crate::forward!(@ admits_all [$($($own)+)?] () -> bool, |$this| $inner);
        $crate::forward!(
            @ accepts [$($($own)+)?] (id: u32, bounds: &$crate::Aabb<$S>, layers: $crate::Layers) -> bool, |$this| $inner
        );
    };
    (Ranked<$S:ty>, |$this:ident| $inner:expr) => {
        $crate::forward!(@ rank [] (bounds: &$crate::Aabb<$S>) -> Option<Self::Rank>, |$this| $inner);
        $crate::forward!(@ origin [] () -> $crate::Aabb<$S>, |$this| $inner);
        $crate::forward!(@ bounds_up_to [] (last: &Self::Rank) -> $crate::Aabb<$S>, |$this| $inner);
        $crate::forward!(@ square [] (rank: &Self::Rank) -> Option<f64>, |$this| $inner);
        $crate::forward!(@ is_by_distance [] () -> bool, |$this| $inner);
        $crate::forward!(@ sweep [] () -> Option<$crate::Sweep<$S>>, |$this| $inner);
        $crate::forward!(@ time [] (rank: &Self::Rank) -> Option<f64>, |$this| $inner);
    };

    // `@ method [own] (arguments) -> answer`: a method that is among the wrapper's own is left out.
    (@ bounds [bounds $($own:ident)*] $($rest:tt)*) => {};
    (@ extent [extent $($own:ident)*] $($rest:tt)*) => {};
    (@ reaches [reaches $($own:ident)*] $($rest:tt)*) => {};
    (@ wants [wants $($own:ident)*] $($rest:tt)*) => {};
    (@ covers [covers $($own:ident)*] $($rest:tt)*) => {};
    (@ circle [circle $($own:ident)*] $($rest:tt)*) => {};
    (@ circle [covers $($own:ident)*] $($rest:tt)*) => {};
    (@ admits [admits $($own:ident)*] $($rest:tt)*) => {};
    (@ admits_all [wants $($own:ident)*] $($rest:tt)*) => {};
    (@ admits_all [admits $($own:ident)*] $($rest:tt)*) => {};
    (@ accepts [accepts $($own:ident)*] $($rest:tt)*) => {};
    (@ $method:ident [$other:ident $($own:ident)*] $($rest:tt)*) => {
        $crate::forward!(@ $method [$($own)*] $($rest)*);
    };

    (@ $method:ident [] ($($name:ident: $type:ty),*) -> $answer:ty, |$this:ident| $inner:expr) => {
        #[inline]
        fn $method(&self, $($name: $type),*) -> $answer {
            let $this = self;
            $inner.$method($($name),*)
        }
    };
}

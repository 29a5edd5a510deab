//! Setters of options, so that a release can add an option.

/// For each field of the options, a method that sets it: `with_capacity(8)` beside `capacity`. An optional field takes the
/// value, or `None` for what fits the data.
macro_rules! setters {
    ($options:ident<S> { $($with:ident => $field:ident: $type:ty,)* }) => {
        impl<S> $options<S> {
            $(
                #[doc = concat!("These options with this [`", stringify!($field), "`](Self::", stringify!($field), ").")]
                #[must_use]
                pub fn $with(self, $field: $type) -> Self {
                    Self { $field: $field.into(), ..self }
                }
            )*
        }
    };
}

pub(super) use setters;

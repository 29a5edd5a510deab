//! Setters of options, so that a release can add an option.

/// For each of the fields that are named, a method that sets it: `with_capacity(8)` beside `capacity`. An optional
/// field takes the value, or `None` for the default. If all fields have defaults, so have the options.
macro_rules! setters {
    ($options:ident $(<$($generic:ident),+>)? { $($with:ident => $field:ident: $type:ty = $default:expr,)* }) => {
        impl $(<$($generic),+>)? Default for $options $(<$($generic),+>)? {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        setters!($options $(<$($generic),+>)? { $($with => $field: $type,)* });
    };
    ($options:ident $(<$($generic:ident),+>)? { $($with:ident => $field:ident: $type:ty,)* }) => {
        impl $(<$($generic),+>)? $options $(<$($generic),+>)? {
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

pub(crate) use setters;

//! Names of the variants of an enum.

/// `names!(Kind, UnknownKind, "thing": First "first", …)`: `ALL`, `name`, `Display` and `FromStr` of the enum, and the
/// error of a name that no thing has. Case, dashes and underscores do not matter: `FrameTree` and `frame_tree` are
/// `frame-tree`. For this project's crates: any release may change it.
#[doc(hidden)]
#[macro_export]
macro_rules! names {
    ($kind:ident, $unknown:ident, $thing:literal: $($variant:ident $name:expr),* $(,)?) => {
        impl $kind {
            /// All of them, in the order in which they are listed.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name used by the command.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }

        impl ::core::fmt::Display for $kind {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::core::str::FromStr for $kind {
            type Err = $unknown;

            fn from_str(name: &str) -> Result<Self, $unknown> {
                let known = Self::ALL.iter().copied().find(|kind| $crate::internals::are_same(kind.name(), name));
                known.ok_or_else(|| $unknown(name.into()))
            }
        }

        #[doc = concat!("A name that no ", $thing, " has.")]
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $unknown($crate::internals::String);

        impl ::core::fmt::Display for $unknown {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                write!(f, concat!("no ", $thing, " is named `{}`; there are:"), self.0)?;
                $kind::ALL.iter().try_for_each(|kind| write!(f, " {kind}"))
            }
        }

        impl ::core::error::Error for $unknown {}
    };
}

/// Are two names the same but for case, dashes and underscores?
pub fn are_same(one: &str, other: &str) -> bool {
    letters(one).eq(letters(other))
}

fn letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|letter| !matches!(letter, '-' | '_')).map(|letter| letter.to_ascii_lowercase())
}

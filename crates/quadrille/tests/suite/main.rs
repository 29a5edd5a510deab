//! One suite for all structures, over all scalars: what holds for brute force holds for each of them.
//!
//! Each test is a generic function, named as the sentence it proves; `suite!` makes of it one test a structure and scalar. A
//! structure that is new needs a line in `suite!` and one in `subjects.rs`.

mod landscape;
mod program;
mod random;
mod subjects;
mod twins;

use quadrille::{AnyStructure, BruteForce, Quadtree};

/// The sentences, proved for one structure over one scalar.
macro_rules! sentences {
    ($structure:ty: $($module:ident::{$($sentence:ident),* $(,)?})*) => {
        $($(
            #[test]
            fn $sentence() {
                crate::$module::$sentence::<$structure>();
            }
        )*)*
    };
}

/// A module a structure, in it a module a scalar, in it a test a sentence.
macro_rules! suite {
    ($($name:ident: $structure:ident,)*) => {
        $(mod $name {
            suite!(@scalars $structure: f32 f64 i32);
        })*
    };
    (@scalars $structure:ident: $($scalar:ident)*) => {
        $(mod $scalar {
            use crate::$structure;

            sentences! { $structure<$scalar>:
                random::{
                    every_question_matches_brute_force_after_every_step,
                    bulk_building_and_inserting_one_by_one_give_the_same_answers,
                }
            }
        })*
    };
}

suite! {
    brute_force: BruteForce,
    quadtree: Quadtree,
    any_structure: AnyStructure,
}

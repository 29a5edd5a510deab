//! Random programs, in every landscape, with every choice of options.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use quadrille::{Aabb, Scalar};

use crate::any_index::Setup;
use crate::landscape::Landscape;
use crate::oracle::config;
use crate::program::{Program, STEP_BYTES};
use crate::subjects::Subject;
use crate::twins::Twins;

/// Steps of the longest program. Long enough for a few splits and merges on every level, short enough to read after
/// shrinking.
const MOST_STEPS: usize = 120;

/// `each` cases in each landscape with each choice of options. `PROPTEST_CASES=16384` runs 64 times as many.
fn runner(each: u32) -> TestRunner {
    let config = config();
    TestRunner::new(Config { cases: (each * config.cases).div_ceil(256), ..config })
}

pub(crate) fn programs<S: Scalar>(landscape: Landscape) -> impl Strategy<Value = Program<S>> {
    vec(any::<[u8; STEP_BYTES]>(), 1..MOST_STEPS).prop_map(move |steps| Program::decode(landscape, &steps))
}

fn boxes<S: Scalar>(landscape: Landscape) -> impl Strategy<Value = Vec<Aabb<S>>> {
    vec(any::<[u8; 4]>(), 0..60)
        .prop_map(move |places| places.into_iter().map(|bytes| landscape.place(bytes)).collect())
}

/// Runs `check` on `each` cases of every landscape with every choice of options.
pub(crate) fn for_all<S: Scalar, V: std::fmt::Debug>(
    subject: &Subject<S>,
    each: u32,
    cases: impl Fn(Landscape) -> BoxedStrategy<V>,
    check: impl Fn(&Setup<S>, V),
) {
    for landscape in Landscape::ALL {
        for options in subject.all_options() {
            let outcome = runner(each).run(&cases(landscape), |case| {
                check(options, case);
                Ok(())
            });
            outcome.unwrap_or_else(|error| panic!("{landscape:?} with {options:?}: {error}"));
        }
    }
}

pub(crate) fn every_query_matches_brute_force_after_every_step<S: Scalar>(subject: &Subject<S>) {
    for_all::<S, Program<S>>(
        subject,
        4,
        |landscape| programs(landscape).boxed(),
        |options, program| program.run(options),
    );
}

pub(crate) fn a_clone_lives_on_as_the_original<S: Scalar>(subject: &Subject<S>) {
    for_all::<S, Program<S>>(
        subject,
        1,
        |landscape| programs(landscape).boxed(),
        |options, program| program.run_interrupted(options, Clone::clone),
    );
}

pub(crate) fn bulk_building_and_inserting_one_by_one_give_the_same_answers<S: Scalar>(subject: &Subject<S>) {
    for_all::<S, Vec<Aabb<S>>>(
        subject,
        4,
        |landscape| boxes(landscape).boxed(),
        |options, boxes| {
            Twins::holding(options, &boxes).agree();
            Twins::inserted(options, &boxes).agree();
        },
    );
}

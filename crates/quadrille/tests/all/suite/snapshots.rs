//! What is restored lives on as the original; what was tampered with is refused, or at least sound.

use proptest::collection::vec;
use proptest::prelude::*;
use quadrille::{Aabb, Scalar};

use super::random::{for_all, programs};
use crate::any_index::{AnyIndex, Setup};
use crate::forge;
use crate::forgeries::forgeries;
use crate::program::Program;
use crate::sound::assert_sound;
use crate::subjects::Subject;

pub(crate) fn a_restored_index_lives_on_as_the_original<S: Scalar>(subject: &Subject<S>) {
    for_all::<S, Program<S>>(
        subject,
        1,
        |landscape| programs(landscape).boxed(),
        |options, program| {
            program.run_interrupted(options, |index| {
                let bytes = index.to_bytes();
                let restored = options.read_bytes(&bytes).expect("what was written can be read");
                assert_eq!(restored.to_bytes(), bytes, "nothing is lost");
                restored
            });
        },
    );
}

pub(crate) fn a_text_format_restores_what_a_binary_one_does<S: Scalar>(subject: &Subject<S>) {
    for_all::<S, Program<S>>(
        subject,
        1,
        |landscape| programs(landscape).boxed(),
        |options, program| {
            let index = program.result(options);
            let text = index.to_json();
            // Only the extremes of `f64` make a fit of infinite size, which JSON cannot say.
            match options.read_json(&text) {
                Ok(restored) => assert_eq!(restored.to_bytes(), index.to_bytes()),
                Err(error) => assert!(error.to_string().contains("null"), "{error}"),
            }
        },
    );
}

pub(crate) fn tampered_content_is_refused_or_sound<S: Scalar>(subject: &Subject<S>) {
    for_all::<S, (Program<S>, Vec<(u16, u8)>)>(
        subject,
        1,
        |landscape| (programs(landscape), vec(any::<(u16, u8)>(), 1..4)).boxed(),
        |options, (program, changes)| {
            let index = program.result(options);
            let bytes = index.to_bytes();
            for k in 0..changes.len() {
                if let Ok(index) = options.read_bytes(&forge::changed(&bytes, &changes[k..])) {
                    assert_sound(index);
                }
            }
        },
    );
}

/// A few boxes on and beside the middle lines of a tree, some of them gone.
fn small<S: Scalar>(options: &Setup<S>) -> AnyIndex<S> {
    let at = |[x, y, w, h]: [f64; 4]| Aabb::from([x, y, x + w, y + h].map(S::from_f64));
    let boxes: Vec<_> = (0..8).map(|k| at([8.0, k.into(), f64::from(k % 3) / 2.0, f64::from(k % 4)])).collect();
    let mut index = options.with_boxes(&boxes).expect("valid boxes");
    assert!(index.remove(3).is_some());
    index
}

/// Wherever a float is, there is NaN; ids and lengths become the greatest.
pub(crate) fn numbers_that_are_none_are_refused_or_sound<S: Scalar>(subject: &Subject<S>) {
    for options in subject.all_options() {
        let bytes = small(options).to_bytes();
        for at in 0..bytes.len() as u16 {
            if let Ok(index) = options.read_bytes(&forge::changed(&bytes, &[(at, 0)])) {
                assert_sound(index);
            }
        }
    }
}

pub(crate) fn forged_links_and_lengths_are_refused_or_sound<S: Scalar>(subject: &Subject<S>) {
    for options in subject.all_options() {
        let text = serde_json::from_str(&small(options).to_json()).expect("it was written");
        for forged in forgeries(&text) {
            if let Ok(index) = options.read_json(&forged.to_string()) {
                assert_sound(index);
            }
        }
    }
}

pub(crate) fn bytes_cut_short_or_changed_are_refused_by_name<S: Scalar>(subject: &Subject<S>) {
    let boxes: Vec<_> = (0..40).map(|k| Aabb::from_point([f64::from(k % 7), f64::from(k)].map(S::from_f64))).collect();
    for options in subject.all_options() {
        let bytes = options.with_boxes(&boxes).expect("valid").to_bytes();
        let refuse = |bytes: &[u8], words: &str| {
            let error = options.read_bytes(bytes).expect_err("it is not what it was").to_string();
            assert!(error.contains(words), "{error}, but not {words}");
        };
        for length in 0..bytes.len() {
            refuse(&bytes[..length], "cut short");
        }
        refuse(&[&bytes[..], b"."].concat(), "ends after");
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            let words = match at {
                0..8 => "not a snapshot",
                8..12 => "version",
                16..32 => " bytes",
                _ => "checksum",
            };
            refuse(&changed, words);
        }
        let mut newer = bytes.clone();
        newer[8] = 9;
        refuse(&newer, "the snapshot has version 9, but only version 8 can be read");
        refuse(b"", "cut short");
        refuse(b"PK\x03\x04", "not a snapshot");
        let own = format!("Index {} {}", subject.name, S::NAME);
        for other in ["Index r-tree f32", "Index quadtree f16", "Space quadtree f32", "", "\u{fffd}"] {
            refuse(&forge::snapshot(other, &[0; 9]), &format!("of `{other}`, not of `{own}`"));
        }
        refuse(&forge::snapshot(&own, &[0xff; 20]), "cannot be read");
        let content = &bytes[forge::HEADER + own.len()..];
        assert_eq!(forge::snapshot(&own, content), bytes, "the layout is the one in the table");
        refuse(&forge::snapshot(&own, &[content, &[0]].concat()), "cannot be read");
    }
}

/// A length of 2^63 in the content is no reason to reserve memory for it.
pub(crate) fn boasting_lengths_are_refused<S: Scalar>(subject: &Subject<S>) {
    let own = format!("Index {} {}", subject.name, S::NAME);
    let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    for before in 0..6 {
        let content = [&[0; 6][..before], &huge, &[1; 64]].concat();
        let forged = forge::snapshot(&own, &content);
        assert!(subject.all_options().iter().all(|options| options.read_bytes(&forged).is_err()));
    }
}

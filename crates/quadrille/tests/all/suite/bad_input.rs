//! What is refused, in which words, and that nothing has changed afterward.

use quadrille::structures::{
    EnclosingQuadtree, Grid, GridOptions, LooseGrid, LooseGridOptions, LooseQuadtree, Quadtree, QuadtreeOptions,
    Subdivision, TreeOptions,
};
use quadrille::{Aabb, At, Error, Index, Inside, Overlaps, Scalar, Structure};

use super::hostile::{rect, scattered};
use crate::subjects::Subject;
use crate::twins::Twins;

/// Boxes that cannot be stored, each with what the error must say. Integers have only the inverted ones.
fn bad_boxes<S: Scalar>() -> Vec<(Aabb<S>, Vec<&'static str>)> {
    let mut bad = vec![
        (rect([3.0, 1.0, 2.0, 4.0]), vec!["inverted", "min x", "max x", "3", "2"]),
        (rect([1.0, 9.0, 2.0, 4.0]), vec!["inverted", "min y", "max y", "9", "4"]),
    ];
    if !S::HIGHEST.is_finite() {
        let corners = ["min x", "min y", "max x", "max y"];
        for (k, name) in corners.into_iter().enumerate() {
            for (value, word) in [(S::from_f64(f64::NAN), "NaN"), (S::HIGHEST, "inf"), (S::LOWEST, "-inf")] {
                let mut edges = [1.0, 2.0, 3.0, 4.0].map(S::from_f64);
                edges[k] = value;
                bad.push((edges.into(), vec![name, word]));
            }
        }
    }
    bad
}

fn says(error: &Error, words: &[&str]) {
    let text = error.to_string();
    assert!(words.iter().all(|word| text.contains(word)), "`{text}` does not say {words:?}");
}

pub(crate) fn boxes_that_cannot_be_stored_are_refused_by_name_and_change_nothing<S: Scalar>(subject: &Subject<S>) {
    for options in subject.all_options() {
        let mut twins = Twins::holding(options, &scattered(30, [64.0, 64.0], 5.0));
        assert!(twins.remove(4).is_some(), "there is a free place that a refused box could take");
        for (bounds, words) in bad_boxes() {
            let answers: Vec<_> = twins.subject.pairs();
            says(&twins.insert(bounds).expect_err("a bad box"), &words);
            says(&twins.update(9, bounds).expect_err("a bad box"), &words);
            says(&twins.update(4, bounds).expect_err("a bad box, and an unknown id"), &[]);
            assert_eq!(twins.subject.pairs(), answers, "and in the same order");
            twins.agree_on_contents();
        }
        twins.agree();
        assert_eq!(twins.insert(rect([1.0; 4])), Ok(4));
    }
}

pub(crate) fn a_bad_box_in_a_list_is_named_by_its_position<S: Scalar>(subject: &Subject<S>) {
    for options in subject.all_options() {
        for (bounds, words) in bad_boxes() {
            for position in [0, 13, 29] {
                let mut boxes = scattered(30, [64.0, 64.0], 5.0);
                boxes[position] = bounds;
                let error = options.with_boxes(&boxes).expect_err("a bad box");
                assert_eq!(error.position(), Some(position));
                says(&error, &words);
                says(&error, &[&format!("box {position}:")]);
            }
        }
    }
}

pub(crate) fn queries_that_are_inside_out_or_nan_find_nothing<S: Scalar>(subject: &Subject<S>) {
    for options in subject.all_options() {
        let twins = Twins::holding(options, &scattered(60, [64.0, 64.0], 9.0));
        for rect in [rect([40.0, 0.0, 20.0, 64.0]), rect([0.0, 40.0, 64.0, 20.0]), Aabb::EMPTY] {
            assert_eq!(twins.subject.query_count(Overlaps(rect)) + twins.subject.query_count(Inside(rect)), 0);
            twins.agree_about(rect);
        }
        if !S::HIGHEST.is_finite() {
            let nan = S::from_f64(f64::NAN);
            for k in 0..4 {
                let mut edges: [S; 4] = Aabb::EVERYTHING.into();
                edges[k] = nan;
                assert_eq!(twins.subject.query_count(Overlaps(edges.into())), 0);
                assert_eq!(twins.subject.query_count(Inside(edges.into())), 0);
                twins.agree_about(edges.into());
            }
            assert_eq!(twins.subject.query_count(At([nan, S::ZERO])), 0);
            assert_eq!(twins.subject.query_count(At([S::HIGHEST, S::ZERO])), 0);
        }
    }
}

/// The words of the error that these options meet.
fn refused<I: Structure>(options: I::Options) -> String {
    Index::<I>::new(options).expect_err("bad options").to_string()
}

#[test]
fn options_out_of_range_are_refused_by_name_and_value() {
    let adaptive = |capacity, max_depth| Subdivision::Adaptive { capacity, max_depth };
    let tight = |subdivision| refused::<Quadtree>(QuadtreeOptions::default().with_subdivision(subdivision));
    let enclosing = |capacity, max_depth| {
        refused::<EnclosingQuadtree>(TreeOptions::default().with_capacity(capacity).with_max_depth(max_depth))
    };
    let loose = |capacity, max_depth| {
        refused::<LooseQuadtree>(TreeOptions::default().with_capacity(capacity).with_max_depth(max_depth))
    };
    let grid = |cell| refused::<Grid>(GridOptions::default().with_cell(cell));
    let loose_cell = |cell| refused::<LooseGrid>(LooseGridOptions::default().with_loose_cell(cell));
    let tight_cell = |cell| refused::<LooseGrid>(LooseGridOptions::default().with_tight_cell(cell));
    for (text, name, value) in [
        (tight(adaptive(0, 8)), "capacity", "0"),
        (tight(adaptive(4097, 8)), "capacity", "4097"),
        (tight(adaptive(8, 25)), "max_depth", "25"),
        (tight(Subdivision::Fixed(11)), "subdivision", "11"),
        (enclosing(0, 8), "capacity", "0"),
        (enclosing(u32::MAX, 8), "capacity", "4294967295"),
        (enclosing(8, 255), "max_depth", "255"),
        (loose(0, 8), "capacity", "0"),
        (loose(4097, 8), "capacity", "4097"),
        (loose(8, 25), "max_depth", "25"),
        (grid([0.0, 1.0]), "cell", "0"),
        (grid([1.0, -2.5]), "cell", "-2.5"),
        (grid([f32::INFINITY, 1.0]), "cell", "inf"),
        (loose_cell([1.0, f32::NAN]), "loose_cell", "NaN"),
        (tight_cell([-1.0, 1.0]), "tight_cell", "-1"),
    ] {
        assert!(text.starts_with(&format!("`{name}` is {value}:")), "{text}");
    }
}

#[test]
fn worlds_that_are_no_boxes_are_refused_by_value() {
    let worlds = [rect([0.0, 0.0, f64::NAN, 1.0]), rect([5.0, 0.0, 4.0, 1.0]), Aabb::EVERYTHING];
    for (world, words) in worlds.into_iter().zip([["max x", "NaN"], ["5", "4"], ["min x", "-inf"]]) {
        let world: Option<Aabb> = Some(world);
        for text in [
            refused::<Quadtree>(QuadtreeOptions::default().with_world(world)),
            refused::<EnclosingQuadtree>(TreeOptions::default().with_world(world)),
            refused::<LooseQuadtree>(TreeOptions::default().with_world(world)),
            refused::<Grid>(GridOptions::default().with_world(world)),
            refused::<LooseGrid>(LooseGridOptions::default().with_world(world)),
        ] {
            assert!(text.contains("`world`") && words.iter().all(|word| text.contains(word)), "{text}");
        }
    }
}

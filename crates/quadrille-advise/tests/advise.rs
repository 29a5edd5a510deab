//! Advice on scenes and on bad input. Which structure wins is a matter of time, and not tested.

use quadrille::structures::{AnyStructure, StructureKind};
use quadrille::{Aabb, Index, Scalar};
use quadrille_advise::{Advice, Operation, Search, advise};
use quadrille_scenes::{Scene, SceneKind};

fn frames(kind: SceneKind, n: usize, count: usize) -> Vec<Vec<Aabb>> {
    let mut scene = Scene::new(kind, n, 1);
    let mut next = || {
        let boxes = scene.boxes().collect();
        scene.step();
        boxes
    };
    (0..count).map(|_| next()).collect()
}

fn is_sound<S: Scalar>(advice: &Advice<S>, operations: &[Operation]) {
    assert_eq!(advice.best, advice.rows[0]);
    assert_eq!(advice.best.ratio, 1.0);
    assert!(advice.rows.is_sorted_by(|a, b| a.ms.total() <= b.ms.total() && a.ratio <= b.ratio));
    let least = advice.best.ms.total();
    for row in &advice.rows {
        assert!(least == 0.0 || row.ratio == row.ms.total() / least, "{row:?}");
        for &operation in Operation::ALL {
            assert_eq!(row.ms.of(operation).is_some(), operations.contains(&operation), "{operation}");
        }
        assert!(row.code().starts_with("Index::<") && row.code().ends_with(">::default()"), "{}", row.code());
        assert!(Index::<AnyStructure<S>>::new(row.options).is_ok(), "{:?}", row.options);
    }
}

#[test]
fn every_structure_takes_part_in_every_scene_and_all_agree() {
    for &scene in SceneKind::ALL {
        let advice = advise(&frames(scene, 400, 3), Operation::ALL).unwrap();
        is_sound(&advice, Operation::ALL);
        for &kind in StructureKind::ALL {
            let usual = advice.rows.iter().filter(|row| row.options == kind.into()).count();
            assert_eq!(usual, 1, "{kind} in {scene}");
        }
        for (at, row) in advice.rows.iter().enumerate() {
            assert!(row.bytes >= 400 * 16 && row.ratio >= 1.0 && row.ms.total() > 0.0, "{row:?}");
            assert!(advice.rows[..at].iter().all(|other| other.options != row.options), "{row:?} twice");
        }
    }
}

#[test]
fn the_other_scalars_are_served_too() {
    let wide = |bounds: &Aabb| Aabb::new(bounds.min.map(f64::from), bounds.max.map(f64::from));
    let whole = |bounds: &Aabb| Aabb::new(bounds.min.map(|at| at as i32), bounds.max.map(|at| at as i32));
    let frames = frames(SceneKind::Mixed, 200, 2);
    let of_f64: Vec<Vec<_>> = frames.iter().map(|frame| frame.iter().map(wide).collect()).collect();
    let of_i32: Vec<Vec<_>> = frames.iter().map(|frame| frame.iter().map(whole).collect()).collect();
    is_sound(&advise(&of_f64, Operation::ALL).unwrap(), Operation::ALL);
    is_sound(&advise(&of_i32, Operation::ALL).unwrap(), Operation::ALL);
}

#[test]
fn only_what_is_asked_for_is_measured() {
    for operations in [&[Operation::Update][..], &[Operation::Cast, Operation::Pairs], &[Operation::Query; 3]] {
        is_sound(&advise(&frames(SceneKind::Uniform, 50, 3), operations).unwrap(), operations);
    }
}

#[test]
fn one_frame_few_boxes_and_none_are_enough() {
    for (boxes, count) in [(0, 1), (0, 3), (1, 1), (1, 3), (2, 2), (300, 1)] {
        let advice = advise(&frames(SceneKind::Uniform, boxes, count), Operation::ALL).unwrap();
        is_sound(&advice, Operation::ALL);
        if count == 1 {
            assert_eq!(advice.best.ms.of(Operation::Update), Some(0.0));
        }
    }
}

#[test]
fn boxes_at_the_ends_of_the_numbers_are_measured() {
    let ends = |least: f32, most: f32| {
        [[least, least, least, least], [most, most, most, most], [least, least, most, most], [0.0; 4]].map(Aabb::from)
    };
    let far = vec![ends(f32::MIN, f32::MAX).to_vec(), ends(-1.0, 1.0).to_vec()];
    is_sound(&advise(&far, Operation::ALL).unwrap(), Operation::ALL);
    let whole = [[i32::MIN; 4], [i32::MAX; 4], [i32::MIN, i32::MIN, i32::MAX, i32::MAX]].map(Aabb::from);
    is_sound(&advise(&[whole.to_vec(), whole.to_vec()], Operation::ALL).unwrap(), Operation::ALL);
}

#[test]
fn bad_input_is_told_with_the_frame() {
    let told = |frames: &[Vec<Aabb>], operations: &[Operation], parts: &[&str]| {
        let error = advise(frames, operations).unwrap_err().to_string();
        parts.iter().for_each(|part| assert!(error.contains(part), "{part:?} is missing from: {error}"));
    };
    let good = frames(SceneKind::Uniform, 5, 3);
    told(&[], Operation::ALL, &["no frames"]);
    told(&good, &[], &["no operations"]);
    told(&good[..1], &[Operation::Update], &["one frame has no updates"]);
    told(&[good[0].clone(), good[1][..4].to_vec()], Operation::ALL, &["frame 1", "4", "5"]);
    told(&[Vec::new(), good[0].clone()], Operation::ALL, &["frame 1", "5", "0"]);
    for (bad, word) in [([0.0, f32::NAN, 1.0, 1.0], "NaN"), ([2.0, 0.0, 1.0, 1.0], "inverted")] {
        let mut frames = good.clone();
        frames[2][3] = bad.into();
        told(&frames, Operation::ALL, &["frame 2", "box 3", word]);
    }
}

#[test]
fn progress_is_told_to_its_end() {
    let (mut turns, mut advice) = (Vec::new(), None);
    let mut search = Search::new(frames(SceneKind::Uniform, 60, 3), Operation::ALL).unwrap();
    assert_eq!(search.turns(), (0, StructureKind::ALL.len() * 3));
    while advice.is_none() {
        advice = search.turn().unwrap();
        turns.push(search.turns());
    }
    let advice = advice.unwrap();
    assert_eq!(search.turn(), Ok(Some(advice.clone())), "it does not change any more");
    assert!((1..).zip(&turns).all(|(number, &(done, all))| done == number && all == turns.len()));
}

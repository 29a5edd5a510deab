//! A snapshot that is accepted answers as brute force over the boxes that it holds, wherever its bytes came from, and
//! lives on.

use std::fmt::Debug;

use quadrille::structures::{
    AnyOptions, AnyStructure, Periodic, PeriodicOptions, Quadtree, QuadtreeOptions, StructureKind, Subdivision,
};
use quadrille::{Aabb, FrameTree, Index, Structure};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::draw::{Draw, instances};
use super::held::{Held, InIndex};
use super::orders::{Scene, asking, check_pairs, check_queries, motions, torus_asking};
use super::truth::{Torus, Truth};

/// Changes a number, a list or a name somewhere in a text.
fn tamper(text: &mut Value, draw: &mut Draw) {
    match text {
        Value::Object(fields) if !fields.is_empty() => {
            let chosen = draw.below(fields.len());
            tamper(fields.values_mut().nth(chosen).expect("there are more"), draw);
        }
        Value::Array(list) if !list.is_empty() && !draw.once_in(6) => {
            let chosen = draw.below(list.len());
            tamper(&mut list[chosen], draw);
        }
        Value::Array(list) => match (draw.below(4), list.len()) {
            (_, 0) => list.push(json!(0)),
            (0, _) => drop(list.pop()),
            (1, count) => list.push(list[draw.below(count)].clone()),
            (2, count) => list.swap(0, draw.below(count)),
            _ => list.clear(),
        },
        Value::Number(number) => {
            let (value, whole) = (number.as_f64().unwrap_or(0.0), number.as_i64());
            *text = match (draw.below(6), whole) {
                (0, Some(whole)) => json!(whole.wrapping_add(1)),
                (1, Some(whole)) => json!(whole.wrapping_sub(1)),
                (2, Some(_)) => json!(draw.of(&[0_u32, 1, 2, 4, 5, 6, 8, 16, 255, u32::MAX - 1, u32::MAX])),
                (3, _) => json!(-value),
                (4, _) => json!(value * draw.of(&[0.5, 2.0, 1.0 + f64::EPSILON, 100.0, 1e30])),
                _ => json!(value + draw.of(&[-100.0, -1.0, 0.25, 1.0, 7.0])),
            };
        }
        Value::Bool(flag) => *flag = !*flag,
        Value::Null => *text = json!({ "min": [0.0, 0.0], "max": [9.0, 3.0] }),
        _ => {}
    }
}

/// Looks at an index from all sides, lets it live on, and looks again.
fn assert_exact<I: Structure<Options: Debug>>(
    index: Index<I>,
    torus: impl Fn(&I::Options) -> Option<Torus<I::Scalar>>,
    draw: &mut Draw,
) where
    I::Scalar: Truth,
{
    let torus = torus(&index.options());
    let mut held: Box<dyn Held<I::Scalar> + '_> = Box::new(InIndex(index));
    for life in 0..3 {
        held.validate();
        let boxes: Vec<_> = held.boxes().into_iter().map(|(_, bounds)| bounds).collect();
        if boxes.is_empty() {
            return;
        }
        let scene = Scene::new(boxes, 2.0);
        let mut ask = || match torus {
            Some(torus) => torus_asking(torus, &scene, draw),
            None => asking(&scene, draw),
        };
        let askings = [ask(), ask(), ask(), ask()];
        check_queries(&*held, torus, &askings, draw);
        check_pairs(&*held, torus, &motions(&scene, 1.0, draw));
        for (k, (id, _)) in held.boxes().into_iter().enumerate() {
            match (k + life) % 5 {
                0 => held.remove(id),
                1 => assert!(held.update(id, scene.boxes[k / 2])),
                2 => assert!(held.insert(scene.boxes[k]).is_some()),
                _ => {}
            }
        }
        if life == 1 {
            held.maintain();
        }
    }
}

/// Some changes to the text and to the bytes of an index; how many were accepted.
fn check<I: Structure<Options: Debug> + Serialize + DeserializeOwned>(
    index: &Index<I>,
    torus: impl Fn(&I::Options) -> Option<Torus<I::Scalar>>,
    draw: &mut Draw,
) -> usize
where
    I::Scalar: Truth,
{
    let text = serde_json::to_value(index).expect("it can be written");
    let bytes = index.to_bytes().expect("it can be written");
    let mut accepted = 0;
    for number in 0..24 {
        let restored = if number % 2 == 0 {
            let mut text = text.clone();
            (0..1 + draw.below(2)).for_each(|_| tamper(&mut text, draw));
            serde_json::from_value(text).ok()
        } else {
            let changes: Vec<_> = (0..1 + draw.below(2)).map(|_| (draw.bits() as u16, draw.bits() as u8)).collect();
            Index::<I>::from_bytes(&crate::forge::changed(&bytes, &changes)).ok()
        };
        if let Some(restored) = restored {
            accepted += 1;
            assert_exact(restored, &torus, draw);
        }
    }
    accepted
}

/// A few boxes, so that a change hits what matters.
fn boxes<S: Truth>(draw: &mut Draw) -> Vec<Aabb<S>> {
    let number = |steps: i64| S::from_f64(steps as f64);
    let count = draw.of(&[3, 20, 60]);
    let mut boxes = Vec::new();
    for k in 0..count {
        let [x, y] = [draw.integer(-9, 60), draw.integer(-9, if k % 2 == 0 { -8 } else { 30 })];
        boxes
            .push(Aabb::new([x, y].map(number), [number(x + draw.integer(0, 4)), number(y + draw.integer(0, 30) / 9)]));
    }
    boxes
}

#[test]
fn whatever_is_accepted_answers_as_its_boxes_do() {
    for &kind in StructureKind::ALL {
        let (mut accepted, mut draw) = (0, Draw::new(kind as u64));
        for _ in 0..instances(6) {
            let boxes = boxes::<f32>(&mut draw);
            let fine = QuadtreeOptions::default().with_subdivision(Subdivision::Adaptive { capacity: 2, max_depth: 9 });
            let options = if kind == StructureKind::Quadtree { AnyOptions::Quadtree(fine) } else { kind.into() };
            let mut index = Index::<AnyStructure>::with_boxes(options, &boxes).expect("boxes");
            for id in (0..boxes.len() as u32).step_by(4) {
                index.remove(id).expect("it is there");
            }
            accepted += check(&index, |_| None, &mut draw);
        }
        assert!(accepted > 0, "no change to {kind} was accepted, so nothing has been looked at");
    }
}

#[test]
fn whatever_is_accepted_on_a_torus_answers_as_its_boxes_do() {
    fn torus<I>(seed: u64) -> usize
    where
        I: Structure<Scalar = f32, Options: Debug> + Serialize + DeserializeOwned,
    {
        let mut draw = Draw::new(seed);
        let mut accepted = 0;
        for _ in 0..instances(6) {
            let wraps = draw.of(&[[true, true], [true, false], [false, true]]);
            let world = Aabb::new([0.0, -8.0], [32.0, 24.0]);
            let options = PeriodicOptions::new(world).with_wraps(wraps);
            let index = Index::<Periodic<I>>::with_boxes(options, &boxes(&mut draw)).expect("boxes");
            accepted += check(&index, |options| Some(Torus { world: options.world, wraps: options.wraps }), &mut draw);
        }
        accepted
    }
    let accepted = [torus::<Quadtree>(1), torus::<FrameTree>(2)];
    assert!(accepted.iter().all(|&count| count > 0), "{accepted:?} changes were accepted: nothing has been looked at");
}

//! Fewer than there are answers, exactly as many, and more: every count around the constants of the code, beside sorting
//! all, where few boxes pass or nearly all, and where many are equally near.

use core::fmt::Debug;

use quadrille::structures::{AnyStructure, StructureKind};
use quadrille::{Aabb, Answers, Filtered, FrameTree, Hit, Index, Layers, Near, OnLayers, Ranked, Space, Sweep};

/// Boxes, by their number.
fn scenes() -> Vec<(&'static str, Vec<Aabb>)> {
    let mut random = fastrand::Rng::with_seed(11);
    let mut number = |most: u32| random.u32(0..most) as f32;
    let point = |x: f32, y: f32| Aabb::from_point([x, y]);
    vec![
        ("one", vec![point(3.0, 3.0)]),
        ("seventeen in a row", (0..17).map(|k| point(k as f32, 0.0)).collect()),
        ("all on one spot", vec![point(3.0, 3.0); 300]),
        ("nearly all on one spot", (0..300).map(|k| point(if k % 97 == 5 { number(9) } else { 3.0 }, 3.0)).collect()),
        ("on three spots", (0..400).map(|_| point(number(3), 0.0)).collect()),
        ("around everything", (0..300).map(|_| [-number(90) - 99.0, -99.0, 99.0, number(90) + 99.0].into()).collect()),
        ("spread", (0..300).map(|_| [number(40), number(40)]).map(|[x, y]| Aabb::new([x, y], [x + 1.0, y])).collect()),
    ]
}

/// Which boxes pass, by their number among so many: none, one, a few, as many as a constant of the code says and one more
/// or less, nearly all, all.
fn sieves() -> Vec<fn(u32, u32) -> bool> {
    vec![
        |_, _| false,
        |number, _| number == 11,
        |number, _| number < 3,
        |number, count| number + 15 >= count,
        |number, count| number + 16 >= count,
        |number, count| number + 17 >= count,
        |number, _| number % 97 != 5,
        |_, _| true,
    ]
}

/// Boxes of every third number are on these layers.
const THIRD: Layers = Layers { own: 2, mask: !0 };

/// All up to a few packs of sixteen, and around sixteen packs; by day, only those around whole packs for structures that
/// have none.
fn counts(kind: StructureKind) -> impl Iterator<Item = usize> {
    let all = kind == StructureKind::FrameTree || crate::oracle::is_thorough();
    (0..=70).filter(move |most| all || (most + 1) % 16 < 3).chain(255..=257)
}

/// Checks the counts of all queries in a container, given its structure, its boxes, what each is called, and the number of
/// the one with an id.
macro_rules! check {
    ($kind:expr, $name:expr, $container:expr, $boxes:expr, $name_of:expr, $number_of:expr) => {{
        let (container, boxes, number_of) = (&$container, $boxes, $number_of);
        let count = boxes.len() as u32;
        let nears = [Near::point([3.0, 3.0]), Near::aabb([-51.0, 1.0, -50.0, 7.0].into())];
        let sweeps = [Sweep::ray([-9.0, 3.0], [1.0, 0.0]), Sweep::ray([3.0, 3.0], [1.0, 2.0])];
        for (at, sieve) in sieves().into_iter().enumerate() {
            for layers in [!0, 2] {
                let passes = |id: u32| sieve(number_of(id), count);
                let said = format!("{}, sieve {at}, layers {layers:x}", $name);
                let ask = |near: Near| OnLayers::new(Filtered(near, passes), layers);
                check!(@ $kind, said, container, boxes, $name_of, nears.map(ask), sieve, layers);
                let within = nears.map(|near| ask(near.within(53.0)));
                check!(@ $kind, said, container, boxes, $name_of, within, sieve, layers);
                let sweeps = sweeps.map(|sweep| OnLayers::new(Filtered(sweep, passes), layers));
                check!(@ $kind, said, container, boxes, $name_of, sweeps, sieve, layers);
            }
        }
    }};
    (@ $kind:expr, $said:expr, $container:expr, $boxes:expr, $name_of:expr, $queries:expr, $sieve:expr, $layers:expr) => {{
        let queries = $queries;
        let expected: Vec<_> =
            queries.iter().map(|query| sorted(query, $boxes, $name_of, $sieve, $layers)).collect();
        let (mut few, mut many) = (Vec::new(), Answers::new());
        for most in counts($kind) {
            $container.query_first_many(&queries, most, &mut many);
            for (k, (query, expected)) in queries.iter().zip(&expected).enumerate() {
                let expected = &expected[..most.min(expected.len())];
                $container.query_first_few(query.clone(), most, &mut few);
                assert_eq!(told(&few), expected, "{most} of query {k}, {}", $said);
                assert_eq!(told(many.of(k)), expected, "{most} of query {k} of many, {}", $said);
            }
        }
        for (k, (query, expected)) in queries.iter().zip(&expected).enumerate() {
            let in_order = $container.query_in_order(query.clone()).map(|hit| (hit.rank, hit.id));
            assert_eq!(in_order.collect::<Vec<_>>(), *expected, "query {k} in order, {}", $said);
            let first = $container.query_first(query.clone()).map(|hit| (hit.rank, hit.id));
            assert_eq!(first, expected.first().copied(), "the first of query {k}, {}", $said);
            assert_eq!($container.query_count(query.clone()), expected.len(), "query {k}, {}", $said);
        }
    }};
}

fn told<R: Copy, N: Copy>(hits: &[Hit<R, N>]) -> Vec<(R, N)> {
    hits.iter().map(|hit| (hit.rank, hit.id)).collect()
}

/// All answers, by arithmetic alone.
fn sorted<Q: Ranked<f32>, N: Ord + Copy + Debug>(
    query: &Q,
    boxes: &[Aabb],
    name_of: impl Fn(u32) -> N,
    sieve: fn(u32, u32) -> bool,
    layers: u32,
) -> Vec<(Q::Rank, N)> {
    let on = |number: u32| if number % 3 == 0 { THIRD.own } else { Layers::ALL.own };
    let passing = (0..).zip(boxes).filter(|&(number, _)| sieve(number, boxes.len() as u32) && on(number) & layers != 0);
    // The query inside has a rank for what it touches only.
    let mut all: Vec<(Q::Rank, N)> =
        passing.filter_map(|(number, bounds)| Some((query.rank(bounds)?, name_of(number)))).collect();
    all.sort_by(|one, other| one.0.partial_cmp(&other.0).expect("ranks").then(one.1.cmp(&other.1)));
    all
}

/// The numbers of boxes in an order of their own, so that no structure meets low ones first.
fn mixed(count: usize) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..count as u32).collect();
    fastrand::Rng::with_seed(5).shuffle(&mut numbers);
    numbers
}

#[test]
fn every_count_gives_as_many_answers_as_there_are() {
    for (scene, boxes) in scenes() {
        for kind in StructureKind::ALL {
            let mut index = Index::<AnyStructure>::with_boxes((*kind).into(), &boxes).expect("points");
            (0..boxes.len() as u32).step_by(3).for_each(|id| assert!(index.set_layers(id, THIRD).is_ok()));
            check!(*kind, format!("{kind:?}, {scene}"), index, &boxes, |number| number, |id| id);
        }
    }
}

/// The order of ids is that in which boxes came, and has nothing to do with where they are or what they are called.
#[test]
fn every_count_of_names_gives_as_many_answers_as_there_are() {
    for (scene, boxes) in scenes() {
        let mixed = mixed(boxes.len());
        let mut space = Space::<u32, FrameTree>::default();
        let mut handles = vec![None; boxes.len()];
        for &number in &mixed {
            let (bounds, layers) = (boxes[number as usize], if number % 3 == 0 { THIRD } else { Layers::ALL });
            let handle = space.insert(bounds, number).expect("a point");
            space.set_layers(handle, layers).expect("a known handle");
            handles[number as usize] = Some(handle);
        }
        let number_of = |id: u32| mixed[id as usize];
        let handle_of = |number: u32| handles[number as usize].expect("all were inserted");
        check!(StructureKind::FrameTree, format!("a space, {scene}"), space, &boxes, handle_of, number_of);
    }
}

//! Every ordered query, on every structure and container, from anywhere: out of the midst of the boxes and from
//! a million worlds away, about heaps of equal boxes and about numbers at the ends of their range, in the plane and on
//! tori.

use std::fmt::Debug;

use quadrille::FrameTree;
use quadrille::structures::{
    AnyOptions, AnyStructure, GridOptions, LooseGridOptions, Periodic, PeriodicOptions, QuadtreeOptions, StructureKind,
    Subdivision, TreeOptions,
};
#[allow(unused_imports, reason = "which are put on a torus is chosen when this is compiled")]
use quadrille::structures::{BruteForce, EnclosingQuadtree, Grid, LooseGrid, LooseQuadtree, Quadtree};
use quadrille::{Aabb, Index, Near, Space, Structure, Sweep};

use super::draw::{Draw, Kind, instances};
use super::held::{Answer, Ask, Asked, Couple, Held, InIndex, InSpace};
use super::truth::{Asking, Torus, Truth, Verdict, contact, ends, images};

/// A way to hold boxes, to be filled.
pub(crate) type Container<S> = Box<dyn Held<S>>;

/// Boxes, and what is typical of them.
pub(crate) struct Scene<S> {
    pub(crate) boxes: Vec<Aabb<S>>,
    /// Where they are, and how large one is.
    world: Aabb<S>,
    box_size: f64,
}

impl<S: Truth> Scene<S> {
    pub(crate) fn new(boxes: Vec<Aabb<S>>, box_size: f64) -> Self {
        let edges = |axis: usize| {
            let edges = boxes.iter().flat_map(|bounds| [bounds.min[axis], bounds.max[axis]]);
            edges.fold([S::HIGHEST, S::LOWEST], |[low, high], at| {
                [if at < low { at } else { low }, if at > high { at } else { high }]
            })
        };
        let (x, y) = (edges(0), edges(1));
        Self { boxes, world: Aabb::new([x[0], y[0]], [x[1], y[1]]), box_size }
    }
}

/// A scene of one of several shapes, whatever the query.
fn scene<S: Truth>(draw: &mut Draw) -> Scene<S> {
    let count = draw.of(&[1, 2, 5, 17, 40, 100, 300]);
    // Integers have no parts; sizes are whole numbers then.
    let is_float = S::from_f64(0.5).to_f64() == 0.5;
    let unit = if is_float { draw.of(&[1e-6, 0.1, 1.0, 1e4]) } else { draw.of(&[1.0, 10.0, 1e4]) };
    let at = |x: f64, y: f64, w: f64, h: f64| {
        let number = |value: f64| S::from_f64(if is_float { value } else { value.round() });
        Aabb::new([number(x), number(y)], [number(x + w), number(y + h)])
    };
    let boxes: Vec<Aabb<S>> = match draw.below(7) {
        // Rows and columns, with ties from every origin.
        0 => (0..count)
            .map(|k| at((k % 10) as f64 * 10.0 * unit, (k / 10) as f64 * 10.0 * unit, 2.0 * unit, 2.0 * unit))
            .collect(),
        // A heap, and a few far away.
        1 => (0..count)
            .map(|k| {
                let far = if k % 9 == 8 { 1e3 * unit } else { 0.0 };
                at(far * draw.between(-1.0, 1.0), far * draw.between(-1.0, 1.0), unit, unit)
            })
            .collect(),
        // Islands far apart.
        2 => {
            let islands: Vec<[f64; 2]> = (0..3).map(|_| [(); 2].map(|()| draw.between(-1e4, 1e4) * unit)).collect();
            (0..count)
                .map(|k| {
                    let [x, y] = islands[k % 3];
                    at(
                        x + draw.between(0.0, 30.0) * unit,
                        y + draw.between(0.0, 30.0) * unit,
                        unit,
                        draw.between(0.0, 3.0) * unit,
                    )
                })
                .collect()
        }
        // All sizes.
        3 => (0..count)
            .map(|_| {
                let size = unit * 10.0_f64.powf(draw.between(-3.0, 3.0));
                at(
                    draw.between(-100.0, 100.0) * unit,
                    draw.between(-100.0, 100.0) * unit,
                    size,
                    size * draw.between(0.0, 1.0),
                )
            })
            .collect(),
        // A few thousand at a few distances.
        4 => (0..count * 10).map(|k| at([-5.0, 5.0][k % 2] * unit, [-3.0, 3.0][k / 2 % 2] * unit, 0.0, 0.0)).collect(),
        // Any numbers, and the ends of them.
        shape => {
            let kind = if shape == 5 { draw.of(&[Kind::Wide, Kind::Extreme]) } else { draw.of(&Kind::ALL) };
            let pool = draw.numbers::<S, 12>(kind);
            (0..count).map(|_| draw.aabb(&pool)).collect()
        }
    };
    Scene::new(boxes, 2.0 * unit)
}

/// Structures as they are by default, and with options that suit no data.
fn all_options<S: Truth>(scene: &Scene<S>, draw: &mut Draw) -> Vec<AnyOptions<S>> {
    let [low, high] = [0, 1].map(|axis| (scene.world.min[axis].to_f64(), scene.world.max[axis].to_f64()));
    let part = |(low, high): (f64, f64), at: f64| S::from_f64(low + (high - low) * at);
    let corner = |x: f64, y: f64| [part(low, x), part(high, y)];
    let world = draw.of(&[
        None,
        Some(Aabb::new(corner(0.2, 0.4), corner(0.5, 0.43))),
        Some(Aabb::new(corner(-1.0, 0.0), corner(1.5, 0.5))),
    ]);
    let world = world.filter(Aabb::is_valid);
    let mut side = || Some(S::from_f64((scene.box_size * draw.of(&[0.7, 1.0, 5.0, 333.0, 1e5])).max(1.0)));
    let mut cell = || Some([side()?, side()?]);
    let capacity = 3;
    vec![
        StructureKind::BruteForce.into(),
        StructureKind::Quadtree.into(),
        AnyOptions::Quadtree(
            QuadtreeOptions::default()
                .with_world(world)
                .with_subdivision(Subdivision::Adaptive { capacity, max_depth: 24 }),
        ),
        AnyOptions::Quadtree(QuadtreeOptions::default().with_world(world).with_subdivision(Subdivision::Fixed(4))),
        StructureKind::EnclosingQuadtree.into(),
        AnyOptions::EnclosingQuadtree(
            TreeOptions::default().with_world(world).with_capacity(capacity).with_max_depth(9),
        ),
        StructureKind::LooseQuadtree.into(),
        AnyOptions::LooseQuadtree(TreeOptions::default().with_world(world).with_capacity(capacity).with_max_depth(24)),
        StructureKind::Grid.into(),
        AnyOptions::Grid(GridOptions::default().with_world(world).with_cell(cell())),
        StructureKind::LooseGrid.into(),
        AnyOptions::LooseGrid(
            LooseGridOptions::default().with_world(world).with_loose_cell(cell()).with_tight_cell(cell()),
        ),
        StructureKind::FrameTree.into(),
    ]
}

/// Makes a container for a structure with these options, if it knows that structure.
type InThePlane<S> = fn(AnyOptions<S>) -> Option<Container<S>>;

/// The containers of boxes in the plane that are tried. To compile each structure in each of them for every scalar
/// takes minutes; that is for `--cfg quadrille_every_container`, for the scalars and containers that it names.
trait Planes: Truth {
    const PLANES: &[InThePlane<Self>];
}

#[cfg(quadrille_every_container)]
impl<S: Truth> Planes for S {
    const PLANES: &[InThePlane<S>] = &[
        #[cfg(quadrille_every_container = "index")]
        |options| Some(index::<AnyStructure<S>>(options)),
        #[cfg(quadrille_every_container = "space")]
        |options| Some(space::<AnyStructure<S>>(options)),
    ];
}

#[cfg(not(quadrille_every_container))]
impl Planes for f32 {
    const PLANES: &[InThePlane<Self>] = &[
        |options| Some(index::<AnyStructure<Self>>(options)),
        |options| match options {
            AnyOptions::FrameTree => Some(space::<FrameTree<Self>>(())),
            others => Some(index::<AnyStructure<Self>>(others)),
        },
    ];
}

#[cfg(not(quadrille_every_container))]
impl Planes for f64 {
    const PLANES: &[InThePlane<Self>] = &[
        |options| Some(index::<AnyStructure<Self>>(options)),
        |options| match options {
            AnyOptions::Quadtree(options) => Some(space::<Quadtree<Self>>(options)),
            others => Some(index::<AnyStructure<Self>>(others)),
        },
    ];
}

#[cfg(not(quadrille_every_container))]
impl Planes for i32 {
    const PLANES: &[InThePlane<Self>] = &[|options| match options {
        AnyOptions::LooseGrid(options) => Some(space::<LooseGrid<Self>>(options)),
        AnyOptions::EnclosingQuadtree(options) => Some(space::<EnclosingQuadtree<Self>>(options)),
        _ => None,
    }];
}

fn index<I: Structure<Options: Debug> + 'static>(options: I::Options) -> Container<I::Scalar> {
    Box::new(InIndex(Index::<I>::new(options).expect("valid options")))
}

fn space<I: Structure<Options: Debug> + 'static>(options: I::Options) -> Container<I::Scalar> {
    Box::new(InSpace::new(Space::<(), I>::new(options).expect("valid options")))
}

/// Puts the boxes in, moves some, takes some out, so that ids have holes.
fn fill<S: Truth>(held: &mut Container<S>, boxes: &[Aabb<S>], draw: &mut Draw) {
    let ids: Vec<Option<u32>> = boxes.iter().map(|&bounds| held.insert(bounds)).collect();
    for (k, &id) in ids.iter().enumerate() {
        let Some(id) = id else { continue };
        match (k + boxes.len()) % 7 {
            1 => held.remove(id),
            3 => drop(held.update(id, boxes[k / 2])),
            _ => {}
        }
    }
    if draw.once_in(2) {
        held.maintain();
    }
    for bounds in &boxes[..boxes.len() / 20] {
        held.insert(*bounds);
    }
    held.validate();
}

/// An origin of a query: from within a box to a million worlds away.
fn asker<S: Truth>(scene: &Scene<S>, draw: &mut Draw) -> [S; 2] {
    let chosen = draw.below(scene.boxes.len());
    let near = scene.boxes[chosen];
    let extent = (0..2).map(|axis| scene.world.max[axis].to_f64() - scene.world.min[axis].to_f64()).fold(0.0, f64::max);
    let scale = match draw.below(4) {
        0 => 0.0,
        1 => scene.box_size * 10.0_f64.powf(draw.between(-3.0, 1.0)),
        2 => extent.min(1e300) * draw.between(0.0, 9.0),
        _ => extent.min(1e300) * 10.0_f64.powf(draw.between(0.0, 6.0)),
    };
    let way = draw.of(&[[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.7, -0.7], [-0.6, -0.8], [1.0, 1.0]]);
    [0, 1].map(|axis| S::from_f64(near.min[axis].to_f64() + scale * way[axis]))
}

/// A query from such a place; often cut off exactly where a box begins, or aimed at one.
pub(crate) fn asking<S: Truth>(scene: &Scene<S>, draw: &mut Draw) -> Asking<S> {
    let (here, chosen) = (asker(scene, draw), draw.below(scene.boxes.len()));
    let (target, there) = (scene.boxes[chosen], asker(scene, draw));
    let here_box = Aabb::new(here, [0, 1].map(|axis| here[axis].sum(S::from_f64(scene.box_size * [1.0, 3.0][axis]))));
    let mover = if draw.once_in(2) && here_box.is_valid() { here_box } else { Aabb::from_point(here) };
    // Beyond the target, at it, or short of it.
    let share = draw.of(&[0.5, 1.0, 1.0, 1.0, 2.0, 1e3]);
    let way = [0, 1].map(|axis| S::from_f64((target.max[axis].to_f64() - here[axis].to_f64()) * share));
    let zero = S::from_f64(0.0);
    match draw.below(6) {
        0 => Asking::Near(mover, None),
        1 => {
            let within = mover.distance(&target);
            Asking::Near(mover, Some(S::from_f64(within)).filter(|within| within.is_finite()))
        }
        2 => Asking::Near(mover, Some(S::from_f64(scene.box_size * 10.0_f64.powf(draw.between(-2.0, 7.0))))),
        3 => Asking::Sweep {
            start: Aabb::from_point(here),
            from: here,
            to: if draw.once_in(3) { there } else { target.min },
            is_endless: false,
        },
        4 => Asking::Sweep { start: mover, from: [zero; 2], to: way, is_endless: false },
        _ => Asking::Sweep { start: mover, from: [zero; 2], to: way, is_endless: true },
    }
}

impl<S: Truth> Asking<S> {
    fn query(&self) -> Box<dyn Ask<S>> {
        match *self {
            Self::Near(target, None) => Box::new(Near::aabb(target)),
            Self::Near(target, Some(within)) => Box::new(Near::aabb(target).within(within)),
            Self::Sweep { start, from, to, is_endless: false } if start.min == from && start.max == from => {
                Box::new(Sweep::segment(from, to))
            }
            Self::Sweep { start, to, is_endless: false, .. } => Box::new(Sweep::new(start, to)),
            Self::Sweep { start, to, is_endless: true, .. } => Box::new(Sweep::endless(start, to)),
        }
    }
}

fn sorted(mut ids: Vec<u32>) -> Vec<u32> {
    ids.sort_unstable();
    ids
}

/// All forms of some queries to one container.
pub(crate) fn check_queries<S: Truth>(
    held: &dyn Held<S>,
    torus: Option<Torus<S>>,
    askings: &[Asking<S>],
    draw: &mut Draw,
) {
    let boxes = held.boxes();
    let (mut queries, mut all) = (Vec::new(), Vec::new());
    for asking in askings {
        let Some(answers) = asking.answers(torus, &boxes) else { continue };
        queries.push(asking.query());
        all.push((asking, answers));
    }
    let asked: Vec<Asked<'_, S>> = queries.iter().map(|query| Asked(&**query)).collect();
    for (&query, (asking, expected)) in asked.iter().zip(&all) {
        let name = || format!("{asking:?} to {torus:?} {}: {boxes:?}", held.name());
        let ids = |answers: &[Answer]| sorted(answers.iter().map(|&(id, _)| id).collect());
        assert_eq!(sorted(held.query(query)), ids(expected), "all answers: {}", name());
        assert_eq!(held.first(query), expected.first().copied(), "the first: {}", name());
        for most in [1, 2, 1 + draw.below(20), expected.len(), usize::MAX] {
            let few = &expected[..most.min(expected.len())];
            assert_eq!(held.first_into(query, most), few, "the first {most}: {}", name());
            if draw.once_in(2) {
                assert_eq!(held.in_order(query, most), few, "{most} in order: {}", name());
            }
        }
    }
    let together = held.many(&asked);
    assert_eq!(together.len(), all.len());
    for (found, (asking, expected)) in together.into_iter().zip(&all) {
        let expected = sorted(expected.iter().map(|&(id, _)| id).collect());
        assert_eq!(sorted(found), expected, "at once: {asking:?} to {}", held.name());
    }
}

/// Pairs and impacts of one container.
pub(crate) fn check_pairs<S: Truth>(held: &dyn Held<S>, torus: Option<Torus<S>>, motion: &dyn Fn(u32) -> [S; 2]) {
    let boxes = held.boxes();
    let (mut pairs, mut impacts) = (Vec::new(), Some(Vec::new()));
    for (k, &(a, first)) in boxes.iter().enumerate() {
        for &(b, second) in &boxes[k + 1..] {
            let seen = images(torus, &second, ends(&first));
            if seen.iter().any(|image| super::truth::touch(&first, image)) {
                pairs.push((a.min(b), a.max(b)));
            }
            let (ours, theirs) = (motion(a), motion(b));
            let mut best = None;
            for image in &seen {
                match contact(&first, theirs, ours, false, image) {
                    Verdict::Yes(time, normal) if best.is_none_or(|(best, _)| S::order(time, best).is_lt()) => {
                        best = Some((time, normal));
                    }
                    Verdict::Unclear => impacts = None,
                    _ => {}
                }
            }
            if let (Some(impacts), Some((time, normal))) = (&mut impacts, best) {
                impacts.push((a, b, time, normal));
            }
        }
    }
    pairs.sort_unstable();
    let mut found = held.pairs();
    found.sort_unstable();
    assert_eq!(found, pairs, "pairs in {}", held.name());
    if let (Some(mut impacts), Some(found)) = (impacts, held.impacts(motion)) {
        // Stable: those at the same time stay in the order of the boxes.
        impacts.sort_by(|x, y| S::order(x.2, y.2));
        let impacts = impacts.into_iter().map(|(a, b, time, [x, y])| (a, b, [S::number(time), x.into(), y.into()]));
        assert_eq!(found, impacts.collect::<Vec<Couple>>(), "impacts in {torus:?} {}", held.name());
    }
}

/// Motions of all lengths, among them none.
pub(crate) fn motions<S: Truth>(scene: &Scene<S>, most: f64, draw: &mut Draw) -> impl Fn(u32) -> [S; 2] + use<S> {
    let ways: Vec<[S; 2]> = (0..7)
        .map(|_| {
            let length = (scene.box_size * 10.0_f64.powf(draw.between(-1.0, 3.0))).min(most);
            [(); 2].map(|()| S::from_f64(length * draw.of(&[-1.0, 0.0, 0.5, 1.0])))
        })
        .collect();
    move |id| ways[id as usize % ways.len()]
}

fn the_plane_is_answered_from_everywhere<S: Planes>() {
    for seed in 0..instances(30) {
        let draw = &mut Draw::new(seed);
        let scene = scene::<S>(draw);
        let askings: Vec<_> = (0..12).map(|_| asking(&scene, draw)).collect();
        let motions = motions(&scene, f64::INFINITY, draw);
        for (k, options) in all_options(&scene, draw).into_iter().enumerate() {
            let Some(mut held) = S::PLANES[(k + seed as usize) % S::PLANES.len()](options) else { continue };
            fill(&mut held, &scene.boxes, draw);
            check_queries(&*held, None, &askings, draw);
            if scene.boxes.len() <= 300 {
                check_pairs(&*held, None, &motions);
            }
        }
    }
}

/// Makes a container on a torus.
type OnTheTorus<S> = fn(Torus<S>) -> Container<S>;

/// One of the two on a torus.
macro_rules! on_a_torus {
    ($container:ident::<$structure:ident>) => {
        |torus| $container::<Periodic<$structure<Self>>>(options::<$structure<Self>>(torus))
    };
}

/// A container of boxes on a torus: one or two a scalar here as well.
trait OnATorus: Truth {
    const CONTAINERS: &[OnTheTorus<Self>];
}

#[cfg(quadrille_every_container)]
impl<S: Truth> OnATorus for S {
    const CONTAINERS: &[OnTheTorus<S>] = &[
        #[cfg(quadrille_every_container = "index")]
        on_a_torus!(index::<BruteForce>),
        #[cfg(quadrille_every_container = "index")]
        on_a_torus!(index::<Quadtree>),
        #[cfg(quadrille_every_container = "index")]
        on_a_torus!(index::<EnclosingQuadtree>),
        #[cfg(quadrille_every_container = "index")]
        on_a_torus!(index::<LooseQuadtree>),
        #[cfg(quadrille_every_container = "index")]
        on_a_torus!(index::<Grid>),
        #[cfg(quadrille_every_container = "index")]
        on_a_torus!(index::<LooseGrid>),
        #[cfg(quadrille_every_container = "index")]
        on_a_torus!(index::<FrameTree>),
        #[cfg(quadrille_every_container = "space")]
        on_a_torus!(space::<Quadtree>),
        #[cfg(quadrille_every_container = "space")]
        on_a_torus!(space::<FrameTree>),
    ];
}

#[cfg(not(quadrille_every_container))]
impl OnATorus for f32 {
    const CONTAINERS: &[OnTheTorus<Self>] = &[on_a_torus!(index::<FrameTree>), on_a_torus!(index::<Quadtree>)];
}

#[cfg(not(quadrille_every_container))]
impl OnATorus for f64 {
    const CONTAINERS: &[OnTheTorus<Self>] = &[on_a_torus!(space::<LooseGrid>)];
}

#[cfg(not(quadrille_every_container))]
impl OnATorus for i32 {
    const CONTAINERS: &[OnTheTorus<Self>] = &[on_a_torus!(space::<EnclosingQuadtree>)];
}

fn options<I: Structure>(Torus { world, wraps }: Torus<I::Scalar>) -> PeriodicOptions<I::Options, I::Scalar> {
    PeriodicOptions::new(world).with_wraps(wraps)
}

/// A torus, 128 by 96 steps wide, and boxes all around it.
fn torus_scene<S: Truth>(draw: &mut Draw) -> (Torus<S>, Scene<S>) {
    let unit = if S::from_f64(0.5).to_f64() == 0.5 { draw.of(&[0.25, 1.0, 64.0]) } else { draw.of(&[1.0, 1000.0]) };
    let whole = |steps: i64| S::from_f64(steps as f64 * unit);
    let torus = Torus {
        world: Aabb::new([-40, 7].map(whole), [88, 103].map(whole)),
        wraps: draw.of(&[[true, true], [true, false], [false, true]]),
    };
    let mut place = || {
        let (size, at) = (draw.of(&[0, 1, 4, 40, 96]), [(); 2].map(|()| draw.integer(-200, 300)));
        let other = draw.integer(0, size);
        Aabb::new(at.map(whole), [whole(at[0] + size), whole(at[1] + other)])
    };
    let boxes: Vec<_> = (0..[1, 3, 20, 60][place().min[0].to_f64().abs() as usize % 4]).map(|_| place()).collect();
    (torus, Scene { boxes, world: torus.world, box_size: 4.0 * unit })
}

/// A query from within two worlds, or of a limited reach from as far as whole numbers go.
pub(crate) fn torus_asking<S: Truth>(torus: Torus<S>, scene: &Scene<S>, draw: &mut Draw) -> Asking<S> {
    let (turns, reach) = if draw.once_in(2) { (2, 1.0) } else { (draw.of(&[9, 500, 65_000]), 0.0) };
    let at = [0, 1].map(|axis| {
        let turns = if torus.wraps[axis] { draw.integer(-turns, turns - 1) } else { 0 };
        let steps = draw.integer(0, 127) as f64 / 128.0;
        S::from_f64(torus.world.min[axis].to_f64() + (turns as f64 + steps) * torus.period(axis))
    });
    let other = [0, 1].map(|axis| at[axis].sum(S::from_f64(scene.box_size * draw.of(&[0.0, 0.25, 3.0]))));
    let start = if other[0] >= at[0] && other[1] >= at[1] { Aabb::new(at, other) } else { Aabb::from_point(at) };
    let steps = |length: f64| S::from_f64(scene.box_size / 4.0 * length);
    let way = [(); 2].map(|()| steps(draw.of(&[-300.0, -7.0, -1.0, 0.0, 0.0, 1.0, 16.0, 200.0])));
    let zero = steps(0.0);
    match draw.below(5) {
        0 if reach > 0.0 => Asking::Near(start, None),
        1 if reach > 0.0 => Asking::Sweep { start, from: [zero; 2], to: way, is_endless: true },
        2 if reach > 0.0 => Asking::Sweep { start, from: [zero; 2], to: way, is_endless: false },
        3 => Asking::Near(start, Some(zero)),
        _ => Asking::Near(start, Some(steps(draw.of(&[1.0, 5.0, 40.0, 500.0])))),
    }
}

fn tori_are_answered_from_everywhere<S: OnATorus>() {
    for seed in 0..instances(60) {
        let draw = &mut Draw::new(seed);
        let (torus, scene) = torus_scene::<S>(draw);
        let askings: Vec<_> = (0..12).map(|_| torus_asking(torus, &scene, draw)).collect();
        let motions = motions(&scene, scene.box_size, draw);
        for container in S::CONTAINERS {
            let mut held = container(torus);
            fill(&mut held, &scene.boxes, draw);
            check_queries(&*held, Some(torus), &askings, draw);
            check_pairs(&*held, Some(torus), &motions);
        }
    }
}

for_a_scalar! {
    the_plane_is_answered_from_everywhere,
    tori_are_answered_from_everywhere,
}

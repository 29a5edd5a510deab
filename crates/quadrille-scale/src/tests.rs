//! The pairs found with the disk are those of brute force, for all kinds of boxes.

use proptest::prelude::*;
use quadrille::Aabb;

use crate::found::{Named, Pair};
use crate::{Error, Join, Metric, Nearest, Searching, Settings, Spool, Take};

type Boxes = Vec<Aabb<f64>>;

/// Settings for so little memory that a few hundred boxes are far too many.
fn tiny(fits: usize) -> Settings {
    Settings {
        folder: std::env::temp_dir(),
        threads: 2,
        sample: 300,
        tile: 20,
        single: fits,
        double: fits,
        wide: fits,
        blocks: 1 << 13,
    }
}

fn spool(settings: &Settings, boxes: &Boxes) -> Result<Spool, Error> {
    let mut spool = Spool::new(settings)?;
    (0..).zip(boxes).try_for_each(|(row, bounds)| spool.push(row, *bounds))?;
    Ok(spool)
}

fn gap(a: &Aabb<f64>, b: &Aabb<f64>) -> f64 {
    let [x, y] = [0, 1].map(|axis| (a.min[axis] - b.max[axis]).max(b.min[axis] - a.max[axis]).max(0.0));
    x.hypot(y)
}

/// The query: which boxes form a pair, and in which order.
#[derive(Clone, Copy, Debug)]
enum Query {
    Within(f64),
    Inside,
}

impl Query {
    fn judge(self, a: &Aabb<f64>, b: &Aabb<f64>) -> Option<f64> {
        match self {
            Self::Within(most) => Some(gap(a, b)).filter(|gap| *gap <= most),
            Self::Inside => b.contains(a).then_some(0.0),
        }
    }

    fn margin(self) -> f64 {
        match self {
            Self::Within(most) => most / 2.0,
            Self::Inside => 0.0,
        }
    }
}

fn joined(settings: &Settings, a: &Boxes, b: Option<&Boxes>, query: Query) -> Result<Vec<(u32, u32)>, Error> {
    let second = b.map(|b| spool(settings, b)).transpose()?;
    let join = Join::new(settings, spool(settings, a)?, second, query.margin())?;
    let is_directed = matches!(query, Query::Inside);
    let mut all = Vec::new();
    let judge = |a: &Aabb<f64>, b: &Aabb<f64>| query.judge(a, b);
    join.run(is_directed, judge, <[crate::found::Pair<f64>]>::to_vec, |pairs| {
        all.extend(pairs.iter().map(|pair| (pair.a, pair.b)));
        Ok::<_, Error>(())
    })?;
    all.sort_unstable();
    Ok(all)
}

fn brute_force(a: &Boxes, b: Option<&Boxes>, query: Query) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for (i, one) in (0..).zip(a) {
        for (j, other) in (0..).zip(b.unwrap_or(a)) {
            let is_same = b.is_none() && if matches!(query, Query::Inside) { i == j } else { j <= i };
            if !is_same && query.judge(one, other).is_some() {
                pairs.push((i, j));
            }
        }
    }
    pairs
}

/// Boxes of a city, crossed by streets, under a cloud, with a heap in one place; some beyond `f32`.
fn boxes() -> impl Strategy<Value = Boxes> {
    let at = || 0..1000_i32;
    let one = prop_oneof![
        8 => (at(), at(), 0..60, 0..60).prop_map(|(x, y, w, h)| [x, y, w, h]),
        2 => (at(), 0..3).prop_map(|(y, h)| [0, y, 1000, h]),
        1 => (at(), 0..3).prop_map(|(x, w)| [x, 0, w, 1000]),
        1 => Just([-5, -5, 2000, 2000]),
        2 => Just([500, 500, 1, 1]),
    ];
    let scale = prop_oneof![Just(1.0), Just(0.1)];
    (proptest::collection::vec(one, 0..400), scale).prop_map(|(boxes, scale)| {
        let box_of = |[x, y, w, h]: [i32; 4]| Aabb::new([x, y].map(f64::from), [x + w, y + h].map(f64::from));
        boxes.into_iter().map(box_of).map(|b| Aabb::new(b.min.map(|x| x * scale), b.max.map(|x| x * scale))).collect()
    })
}

fn query() -> impl Strategy<Value = Query> {
    prop_oneof![Just(Query::Within(0.0)), Just(Query::Inside), (0..50).prop_map(|d| Query::Within(f64::from(d)))]
}

/// Distances, up to this one, of all with all; fails if it is negative.
struct Plain(f64);

impl Metric for Plain {
    type Askers = Boxes;
    type Group = Boxes;
    type Error = Error;

    fn askers(&self, boxes: &[Named]) -> Result<(usize, Boxes), Error> {
        // Memory does not hold more than twenty.
        let some: Vec<_> = boxes.iter().take(20).map(|(_, bounds)| *bounds).collect();
        Ok((some.len(), some))
    }

    fn group(&self, boxes: &[Named]) -> Result<(usize, Boxes), Error> {
        let some: Vec<_> = boxes.iter().take(30).map(|(_, bounds)| *bounds).collect();
        Ok((some.len(), some))
    }

    fn least(&self, from: &Aabb<f64>, hull: &Aabb<f64>) -> Option<f64> {
        Some(gap(from, hull)).filter(|least| *least <= self.0.abs())
    }

    fn nearest(
        &self,
        askers: &Boxes,
        searching: &[Searching],
        group: &Boxes,
        count: usize,
        take: Take<'_>,
    ) -> Result<(), Error> {
        if self.0 < 0.0 {
            return Err(Error::new("no memory"));
        }
        for Searching { number, last } in searching {
            let far = group.iter().map(|other| gap(&askers[*number as usize], other));
            let mut all: Vec<_> = (0..).zip(far).filter(|(_, far)| *far <= last.unwrap_or(self.0)).collect();
            all.sort_by(|a, b| a.1.total_cmp(&b.1));
            take(*number, &all[..count.min(all.len())]);
        }
        Ok(())
    }
}

fn nearest(fits: usize, a: &Boxes, b: Option<&Boxes>, count: usize, most: f64) -> Result<Vec<(u32, u32, f64)>, Error> {
    let settings = tiny(fits);
    let second = b.map(|b| spool(&settings, b)).transpose()?;
    let nearest = Nearest::new(&settings, spool(&settings, a)?, second, count, most < f64::INFINITY)?;
    let mut all = Vec::new();
    nearest.run(&Plain(most), |pairs: &[Pair<f64>]| {
        all.extend(pairs.iter().map(|pair| (pair.a, pair.b, pair.value)));
        Ok(())
    })?;
    Ok(all)
}

fn nearest_by_brute_force(a: &Boxes, b: Option<&Boxes>, count: usize, most: f64) -> Vec<(u32, u32, f64)> {
    let mut nearest = Vec::new();
    for (i, one) in (0..).zip(a) {
        let others = (0..).zip(b.unwrap_or(a)).filter(|(j, _)| b.is_some() || i != *j);
        let mut all: Vec<_> = others.map(|(j, other)| (i, j, gap(one, other))).filter(|all| all.2 <= most).collect();
        all.sort_by(|a, b| a.2.total_cmp(&b.2).then(a.1.cmp(&b.1)));
        nearest.extend(&all[..count.min(all.len())]);
    }
    nearest
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn pairs_of_one_set_are_those_of_brute_force(a in boxes(), query in query(), fits in 1..100_usize) {
        prop_assert_eq!(joined(&tiny(fits), &a, None, query).expect("there is room"), brute_force(&a, None, query));
    }

    #[test]
    fn pairs_of_two_sets_are_those_of_brute_force(
        a in boxes(),
        b in boxes(),
        query in query(),
        fits in 1..100_usize,
    ) {
        let found = joined(&tiny(fits), &a, Some(&b), query).expect("there is room");
        prop_assert_eq!(found, brute_force(&a, Some(&b), query));
    }

    #[test]
    fn grown_boxes_of_what_is_within_overlap(x in -1e9..1e9, gap in 0.0..1e9, most in 0.0..1e9) {
        let (a, b) = (Aabb::from_point([x, 0.0]), Aabb::from_point([x + gap, 0.0]));
        if b.min[0] - a.min[0] <= most {
            prop_assert!(a.grown(most / 2.0).intersects(&b.grown(most / 2.0)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, ..ProptestConfig::default() })]

    #[test]
    fn the_nearest_are_those_of_brute_force(
        a in boxes(),
        b in proptest::option::of(boxes()),
        far in prop_oneof![Just(0.0), Just(1e7)],
        count in prop_oneof![0..4_usize, Just(1000)],
        most in prop_oneof![Just(f64::INFINITY), Just(0.0), 0.0..100.0],
        fits in 400..1000_usize,
    ) {
        let b = b.map(|b| b.iter().map(|bounds| bounds.with_offset([far, 0.0])).collect());
        let found = nearest(fits, &a, b.as_ref(), count, most).expect("there is room");
        prop_assert_eq!(found, nearest_by_brute_force(&a, b.as_ref(), count, most));
    }

    #[test]
    fn few_of_the_nearest_take_little_memory(a in boxes(), b in boxes(), fits in 10..100_usize) {
        let found = nearest(fits, &a, Some(&b), 2, f64::INFINITY).expect("there is room");
        prop_assert_eq!(found, nearest_by_brute_force(&a, Some(&b), 2, f64::INFINITY));
    }
}

#[test]
fn a_full_disk_and_a_bad_box_are_errors() {
    let settings = tiny(10);
    let nowhere = Settings { folder: "/no/such/folder".into(), ..settings.clone() };
    assert!(Spool::new(&nowhere).expect_err("there is no folder").to_string().starts_with("/no/such/folder: "));
    let bad = Spool::new(&settings).and_then(|mut spool| spool.push(7, Aabb::new([0.0, 3.0], [1.0, 2.0])));
    assert!(bad.expect_err("it is inverted").to_string().starts_with("row 7: "));
    assert!(Settings::new(1 << 20, ".").expect_err("it is too little").to_string().contains("1048576"));
}

#[test]
fn whoever_takes_no_more_ends_the_search() {
    let settings = tiny(100);
    let heap = vec![Aabb::from_point([1.0, 1.0]); 3_000];
    let join = Join::new(&settings, spool(&settings, &heap).expect("there is room"), None, 0.0).expect("there is room");
    let refused = join.run(false, |_, _| Some(0.0), <[crate::found::Pair<f64>]>::len, |_| Err(Error::new("enough")));
    assert_eq!(refused, Err(Error::new("enough")));
}

#[test]
fn what_memory_does_not_hold_of_a_single_box_is_refused() {
    let heap = vec![Aabb::from_point([1.0, 1.0]); 3_000];
    let told = nearest(100, &heap, None, 5_000, f64::INFINITY).expect_err("they do not fit").to_string();
    assert!(told.starts_with("3000 nearest of one box"), "{told}");
    let few = nearest(100, &heap, None, 1, f64::INFINITY).expect("there is room");
    assert_eq!((few.len(), few[0], few[1], few[2_999]), (3_000, (0, 1, 0.0), (1, 0, 0.0), (2_999, 0, 0.0)));
}

#[test]
fn a_search_that_fails_is_an_error_and_not_without_answers() {
    let heap = vec![Aabb::from_point([1.0, 1.0]); 300];
    assert_eq!(nearest(100, &heap, None, 2, -1.0), Err(Error::new("no memory")));
}

#[test]
fn rows_far_apart_are_sorted_in_little_memory() {
    // If each of all rows had three, they would be in a hundred million ranges. A few ranges have blocks in memory.
    let settings = Settings { blocks: 1, ..tiny(100) };
    let row = |number: u32| u32::MAX - 7_000_000 * (599 - number);
    let mut boxes = Spool::new(&settings).expect("there is room");
    let places = (0..600).rev().map(|number| (row(number), Aabb::from_point([f64::from(number * number), 0.0])));
    places.for_each(|(row, bounds)| boxes.push(row, bounds).expect("there is room"));
    let nearest = Nearest::new(&settings, boxes, None, 3, true).expect("there is room");
    let mut found = Vec::new();
    let taken = nearest.run(&Plain(f64::INFINITY), |pairs: &[Pair<f64>]| {
        found.extend(pairs.iter().map(|pair| (pair.a, pair.b)));
        Ok(())
    });
    taken.expect("there is room");
    assert_eq!(found.len(), 1_800);
    assert!(found.chunks(3).zip(0..).all(|(three, number)| three.iter().all(|pair| pair.0 == row(number))));
    assert_eq!(found[..3], [(row(0), row(1)), (row(0), row(2)), (row(0), row(3))]);
}

//! Faults that were found once, each with the numbers that showed it.

use quadrille::structures::{LooseGrid, Periodic, PeriodicOptions, Quadtree, QuadtreeOptions, Subdivision};
use quadrille::{
    Aabb, Answers, ConvexPolygon, FrameTree, Index, Layers, Near, PolygonError, Query, Ranked, Space, Sweep,
};

/// Distances of integers reach twice as far as the integers themselves.
#[test]
fn what_is_farther_than_the_greatest_integer_is_found_in_order() {
    let far = Aabb::<i32>::from_point([500_000_000, -2_000_000_000]);
    let farther = Aabb::from_point([100_000_000, 100_000_000]);
    let near = Near::point([-2_000_000_000; 2]);
    let rank = near.distance(&far).expect("everything is near");
    assert!(near.bounds_up_to(&rank).contains(&far));
    assert_eq!(
        Index::<FrameTree<i32>>::from_boxes(&[farther, far]).expect("boxes").query_first(near).map(|hit| hit.id),
        Some(1)
    );

    let crowd = (0..30).map(|k| Aabb::from_point([1_500_000_000 + k, 1_500_000_000]));
    let boxes: Vec<_> = [farther, far].into_iter().chain(crowd).collect();
    assert_eq!(
        Index::<LooseGrid<i32>>::from_boxes(&boxes).expect("boxes").query_first(near).map(|hit| hit.id),
        Some(1)
    );

    let ray = Sweep::ray([-2_000_000_000, 0], [1, 0]);
    let [floor, post] = [[1_500_000_000, -5, 2_000_000_000, 5], [1_250_000_000, -1, 1_250_000_000, 1]].map(Aabb::from);
    let contact = ray.contact(&post).expect("it is on the way");
    assert!(ray.bounds_up_to(&contact).contains(&post) || ray.bounds_up_to(&contact).intersects(&post));
    assert_eq!(
        Index::<FrameTree<i32>>::from_boxes(&[floor, post]).expect("boxes").query_first(ray).map(|hit| hit.id),
        Some(1)
    );
}

/// A time is rounded, and so is the motion until then.
#[test]
fn what_a_ray_touches_lies_on_its_way_until_then() {
    let ray = Sweep::ray([0.0, 152.908_950_428_739_2], [17.234_847_923_964, -310.177_963_037_416_9]);
    let wall = Aabb::new([-1e4, -5.897_797_798_455_642], [1e4, -4.897_797_798_455_642]);
    let contact = ray.contact(&wall).expect("it is on the way");
    assert!(ray.bounds_up_to(&contact).intersects(&wall));

    // A way that the time rounds to nothing.
    let ray = Sweep::ray([0.0, 0.0], [1.58e308, -2.2e-308]);
    let dot = Aabb::new([1e-300, -1.0], [1e-300, 1.0]);
    let contact = ray.contact(&dot).expect("it is on the way");
    assert!(ray.bounds_up_to(&contact).intersects(&dot));
}

/// A mover that leaves a line by less than its numbers can say is beside it all the same: cells that end there are on
/// its way.
#[test]
fn a_slow_drift_off_a_dividing_line_leads_into_the_cells_beyond() {
    let options =
        QuadtreeOptions::default().with_world(Aabb::new([0.0; 2], [128.0; 2])).with_subdivision(Subdivision::Fixed(1));
    let boxes = [[5.0, 60.0, 6.0, 64.0], [90.0, 64.0, 91.0, 65.0]].map(Aabb::from);
    let index = Index::<Quadtree>::with_boxes(options, &boxes).expect("boxes");
    let (drift, ray) =
        (Sweep::new(Aabb::from_point([0.0, 64.0]), [10.0, -1e-6]), Sweep::ray([0.0, 64.0], [10.0, -1e-6]));
    assert_eq!(index.query(drift).chain(index.query(ray)).collect::<Vec<_>>(), [0, 0]);
    assert_eq!(Sweep::new(boxes[0], [3.0, -2.0]).path(), Aabb::from([5.0, 58.0, 9.0, 64.0]), "no larger than needed");
}

/// What is moved out of the numbers, or where they are too sparse for its shape, finds nothing instead of anything.
#[test]
fn shapes_that_leave_the_numbers_find_nothing() {
    let everything = Aabb::new([i32::MIN; 2], [i32::MAX; 2]);
    let roof = ConvexPolygon::new(&[[0, 0], [10, -10], [10, 5]]).expect("a polygon").with_offset([i32::MAX - 4, 0]);
    assert!(!roof.bounds().is_ordered() && !roof.intersects(&everything));
    assert!(!Near::point([1e308, 0.0]).with_offset([1e308, 0.0]).accepts(
        0,
        &Aabb::from([0.0, 0.0, f64::MAX, 1.0]),
        Layers::ALL
    ));
    assert_eq!(Sweep::ray([1e308, 0.0], [-1.0, 0.0]).with_offset([1e308, 0.0]).contact(&Aabb::from([0.0; 4])), None);
    let flag = ConvexPolygon::new(&[[0.0, 0.0], [1.0, 0.4], [2.0, 0.0], [1.0, 3.0_f32]].map(|[x, y]| [x, -y]));
    assert_eq!(flag, Err(PolygonError::NotConvex));
    let kite = ConvexPolygon::new(&[[0.0, 0.0], [1.0, -0.4], [2.0, 0.0], [1.0, 3.0_f32]]).expect("a polygon");
    let far = kite.with_offset([3e7, 3e7]);
    assert!(!far.bounds().is_ordered() || ConvexPolygon::new(far.corners()).is_ok());
    let huge = ConvexPolygon::new(&[[-1e200, 0.0], [1e200, 0.0], [0.0, 1e200]]);
    assert_eq!(huge, Err(PolygonError::TooLarge));
}

/// A box whose corner is no number is no box, whichever of the two it is, and whatever numbers it is cast to.
#[test]
fn no_number_is_lost_between_corners() {
    for bad in [[f32::NAN, 0.0], [0.0, f32::NAN]] {
        for (one, other) in [(bad, [1.0, 1.0]), ([1.0, 1.0], bad), (bad, [-1.0, -1.0]), ([-1.0, -1.0], bad)] {
            let bounds = Aabb::from_corners(one, other);
            assert!(!bounds.is_valid() && !bounds.cast::<f64>().is_valid(), "{bounds:?}");
            assert_eq!(bounds.cast::<i32>(), Aabb::EMPTY);
        }
    }
}

#[test]
fn nothing_is_within_a_negative_distance() {
    for near in
        [Near::point([1, 1]).within(-1), Near::aabb(Aabb::new([1, 1], [0, 0])), Near::point([0, 0]).within(i32::MIN)]
    {
        assert_eq!(near.distance(&Aabb::EVERYTHING), None);
        assert!(!near.accepts(0, &Aabb::EVERYTHING, quadrille::Layers::ALL) && !near.reaches(&Aabb::EVERYTHING));
        assert_eq!(near.with_offset([1, 1]).distance(&Aabb::EVERYTHING), None);
    }
    let inverted = Near::aabb(Aabb::new([1.0, 1.0], [0.0, 0.0]));
    assert_eq!(inverted.within(3.0).distance(&Aabb::EVERYTHING), None);
    assert!(Near::point([1, 1]).within(-1).within(1).distance(&Aabb::EVERYTHING).is_some(), "the last distance counts");
    for sweep in [Sweep::new(Aabb::new([1, 1], [0, 0]), [1, 1]), Sweep::endless(Aabb::new([1, 1], [0, 0]), [0, 0])] {
        assert_eq!(sweep.contact(&Aabb::EVERYTHING), None);
    }
    assert_eq!(Sweep::ray([f64::NAN, 0.0], [1.0, 1.0]).contact(&Aabb::EVERYTHING), None);
}

/// The way between two numbers may be longer than the numbers reach.
#[test]
fn segments_from_end_to_end_of_the_numbers_find_what_they_touch() {
    let big = f64::from_bits(2046 << 52);
    let boxes = [[-0.875, -1.0, -0.75, 1.0], [0.5, -1.0, 0.75, 1.0]]
        .map(|[west, south, east, north]| Aabb::new([west * big, south], [east * big, north]));
    let index = Index::<Quadtree<f64>>::from_boxes(&boxes).expect("boxes");
    let hits = index.query_in_order(Sweep::segment([big, 0.0], [-big, 0.0]));
    let hits: Vec<_> = hits.map(|hit| (hit.id, hit.rank.time(), hit.rank.normal())).collect();
    assert_eq!(hits, [(1, 0.125, [1, 0]), (0, 0.875, [1, 0])]);
    let diagonal = Sweep::segment([f64::MIN, f64::MIN], [f64::MAX, f64::MAX]);
    assert_eq!(diagonal.contact(&Aabb::from_point([0.0, 0.0])).map(|contact| contact.time()), Some(0.5));
    assert_eq!(diagonal.contact(&Aabb::from_point([f64::MAX, f64::MAX])).map(|contact| contact.time()), Some(1.0));
    assert_eq!(diagonal.contact(&Aabb::from_point([f64::MAX, 0.0])), None);

    let ray = Sweep::ray([-1.7e308, 0.0], [1e300, 0.0]);
    let times = [1e308, 1.5e308].map(|x| ray.contact(&Aabb::from_point([x, 0.0])).map(|contact| contact.time()));
    assert!(times[0] < times[1] && times[0] > Some(2.69e8) && times[1] < Some(3.21e8), "{times:?}");
    let slow = Sweep::ray([1e300, 0.0], [0.0, f64::from_bits(1)]);
    assert!(slow.contact(&Aabb::from_point([1e300, 1e-310])).is_some(), "half of this direction would be none");

    let (mut impacts, toward) = (Vec::new(), [[1.7e308, 0.0], [-1.7e308, 0.0]]);
    let pair = [[-1.7e308, 0.0], [1.7e308, 0.0]].map(Aabb::from_point);
    Index::<Quadtree<f64>>::from_boxes(&pair)
        .expect("boxes")
        .impacts(|id| toward[id as usize], &mut impacts)
        .expect("finite");
    assert_eq!(impacts.iter().map(|impact| impact.contact.time()).collect::<Vec<_>>(), [1.0]);
}

#[test]
fn a_world_without_size_is_told_from_one_that_is_too_large() {
    let refuse = |world| {
        let options = PeriodicOptions::new(world).with_wraps([true, false]);
        Index::<Periodic<Quadtree>>::new(options).expect_err("a bad world").to_string()
    };
    let flat = refuse(Aabb::new([5.0, 0.0], [5.0, 9.0]));
    assert!(flat.contains("world") && flat.contains("size") && !flat.contains("18"), "{flat}");
    let huge = refuse(Aabb::new([0.0, 0.0], [f32::MAX, 1.0]));
    assert!(huge.contains("18 worlds"), "{huge}");
}

/// Queries that share a descent are followed round the world from all of their places.
#[test]
fn queries_asked_at_once_wrap_as_they_do_alone() {
    let options = PeriodicOptions::new(Aabb::from([0.0, 0.0, 100.0, 100.0])).with_wraps([true, false]);
    let torus =
        Index::<Periodic<Quadtree>>::with_boxes(options, &[Aabb::from([15.0, 65.0, 16.0, 66.0])]).expect("a box");
    let queries =
        [[0.0, 0.0, 60.0, 60.0], [60.0, 0.0, 120.0, 70.0]].map(|place| Near::aabb(Aabb::from(place)).within(0.0));
    let mut answers = Answers::new();
    torus.query_many(&queries, &mut answers);
    assert_eq!(answers.iter().collect::<Vec<_>>(), [&[][..], &[0]]);
}

#[cfg(feature = "snapshot")]
mod forged {
    use super::*;
    use quadrille::structures::{EnclosingQuadtree, TreeOptions};
    use quadrille::{At, Structure};
    use serde_json::{Value, json};

    /// What becomes of an index whose text has been changed.
    fn read<I: Structure + serde::Serialize + serde::de::DeserializeOwned>(
        index: &Index<I>,
        forge: impl FnOnce(&mut Value),
    ) -> Result<Index<I>, String> {
        let mut text = serde_json::to_value(index).expect("it can be written");
        forge(&mut text);
        serde_json::from_value(text).map_err(|error| error.to_string())
    }

    fn torus() -> Index<Periodic<Quadtree>> {
        let options = PeriodicOptions::new(Aabb::new([0.0, 0.0], [10.0, 10.0]));
        let boxes = [[1.0, 4.0, 2.0, 5.0], [3.0, 3.0, 4.0, 4.0], [9.5, 4.0, 11.5, 5.0]].map(Aabb::from);
        Index::with_boxes(options, &boxes).expect("boxes")
    }

    #[test]
    fn a_hull_that_no_boxes_need_is_refused() {
        assert_eq!(torus().query(At([1.2, 4.2])).count(), 2);
        for (corner, axis, value) in [("max", 0, 200.0), ("min", 1, -10.5), ("max", 1, 20.5)] {
            let error = read(&torus(), |text| text["all"]["structure"]["torus"]["hull"][corner][axis] = json!(value));
            let error = error.expect_err("too large a hull");
            assert!(error.contains("hull"), "{error}");
        }
        let wide = read(&torus(), |text| text["all"]["structure"]["torus"]["hull"]["max"] = json!([20.0, 20.0]))
            .expect("a hull");
        assert_eq!(wide.query(At([1.2, 4.2])).count(), 2, "a hull may be larger than needed");
        let mut empty = torus();
        assert_eq!((0..3).filter_map(|id| empty.remove(id)).count(), 3);
        assert!(
            read(&empty, |text| text["all"]["structure"]["torus"]["hull"]["min"][0] = json!(12.0)).is_err(),
            "inverted"
        );
    }

    /// Cells of no width, as a world of few integers has them, hold no box, and must say so.
    #[test]
    fn counts_of_nodes_that_no_query_touches_are_checked() {
        let (world, max_depth) = (Some(Aabb::new([8, 0], [8, 3])), 3);
        let boxes: Vec<_> = (0..6).map(|k| Aabb::from_point([8, k])).collect();
        let options = TreeOptions::default().with_world(world).with_capacity(2).with_max_depth(max_depth);
        let index = Index::<EnclosingQuadtree<i32>>::with_boxes(options, &boxes).expect("boxes");
        let error = read(&index, |text| text["all"]["structure"]["nodes"]["nodes"][1]["count"] = json!(u32::MAX));
        assert!(error.expect_err("no box is there").contains("counts"));

        let options = QuadtreeOptions::default()
            .with_world(world)
            .with_subdivision(Subdivision::Adaptive { capacity: 2, max_depth });
        let index = Index::<Quadtree<i32>>::with_boxes(options, &boxes).expect("boxes");
        let error = read(&index, |text| text["all"]["structure"]["nodes"]["nodes"][1]["count"] = json!(7));
        assert!(error.expect_err("no box is there").contains("counts"));
    }

    #[test]
    fn lists_that_would_run_out_are_refused() {
        let boxes: Vec<Aabb> = (0..40).map(|k| Aabb::from_point([k as f32, k as f32])).collect();
        let space = Space::<(), Quadtree>::with_items(Default::default(), boxes.iter().map(|&bounds| (bounds, ())));
        let mut text = serde_json::to_value(space.expect("boxes")).expect("it can be written");
        let slots = text["slots"].as_array_mut().expect("a list of slots");
        assert_eq!(slots.len(), 40);
        slots.truncate(13);
        assert!(serde_json::from_value::<Space<(), Quadtree>>(text).is_err(), "fewer slots than ids");
    }
}

//! What the features for other crates promise, each under its feature.

/// Corners and points of another crate, there and back: the same sentences for each point type.
macro_rules! points_are_corners_and_queries {
    ($($name:ident, $feature:literal: $($point:ty => $scalar:ty),*;)*) => {
        $(#[cfg(feature = $feature)]
        #[test]
        fn $name() {
            use quadrille::{Aabb, At, Near, Query, Sweep};

            $({
                let [low, high] = [[1 as $scalar, 2 as $scalar], [3 as $scalar, 4 as $scalar]];
                let [from, to]: [$point; 2] = [low.into(), high.into()];
                assert_eq!(Aabb::from((from, to)), Aabb::new(low, high));
                assert_eq!(<($point, $point)>::from(Aabb::new(low, high)), (from, to));
                assert_eq!(Aabb::from(from), Aabb::from_point(low));
                assert_eq!(Aabb::new(from, to), Aabb::new(low, high));
                assert_eq!(Aabb::<$scalar>::from_center(to, from), Aabb::from_center(high, low));
                assert_eq!(Near::<$scalar>::point(from), Near::point(low));
                assert_eq!(Sweep::<$scalar>::segment(from, to), Sweep::segment(low, high));
                assert_eq!(Query::<$scalar>::bounds(&At(to)), Aabb::from_point(high));
            })*
        })*
    };
}

points_are_corners_and_queries! {
    mint, "mint": mint::Point2<f32> => f32, mint::Point2<f64> => f64, mint::Point2<i32> => i32,
        mint::Vector2<f32> => f32, mint::Vector2<f64> => f64, mint::Vector2<i32> => i32;
    glam_0_32, "glam-0_32": glam_0_32::Vec2 => f32, glam_0_32::DVec2 => f64, glam_0_32::IVec2 => i32;
    glam_0_33, "glam-0_33": glam_0_33::Vec2 => f32, glam_0_33::DVec2 => f64, glam_0_33::IVec2 => i32;
    glam_0_34, "glam-0_34": glam_0_34::Vec2 => f32, glam_0_34::DVec2 => f64, glam_0_34::IVec2 => i32;
}

#[cfg(feature = "rayon")]
mod parallel {
    use quadrille::{Aabb, Answers, FrameTree, Index, Overlaps, Space};

    use crate::tested::{KINDS, Tested, options};

    /// Crowded in one corner, with a giant in a hundred.
    fn boxes() -> Vec<Aabb> {
        let mut state = 1_u32;
        let mut random = |below: f32| {
            state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            (state >> 8) as f32 / 16_777_216.0 * below
        };
        let mut place = |k: usize| {
            let spread = if k % 3 == 0 { 30.0 } else { 300.0 };
            let half = if k % 100 == 0 { 40.0 } else { 1.0 };
            Aabb::from_center([random(spread), random(spread)], [random(half), random(half)])
        };
        (0..3000).map(&mut place).collect()
    }

    #[test]
    fn all_cores_give_the_answers_of_one_in_the_same_order() {
        let boxes = boxes();
        for &kind in KINDS {
            let index = Index::<Tested>::with_boxes(options(kind), &boxes).unwrap();
            let items = boxes.iter().map(|&bounds| (bounds, 0));
            let space = Space::<u32, Tested>::with_items(options(kind), items).unwrap();
            let queries: Vec<_> = boxes.iter().map(|bounds| Overlaps(bounds.with_margin(2.0))).collect();
            for threads in [1, 2, 7] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| {
                    assert!(index.par_pairs().into_iter().eq(index.pairs()), "{kind} with {threads} threads");
                    let mut answers = Answers::new();
                    index.par_query(&queries[..3], &mut answers);
                    index.par_query(&queries, &mut answers);
                    assert_eq!(answers.len(), queries.len());
                    for (query, answer) in queries.iter().zip(answers.iter()) {
                        assert!(answer.iter().copied().eq(index.query(*query)), "{kind} with {threads} threads");
                    }
                    assert!(space.par_pairs().into_iter().eq(space.pairs().map(|((a, _), (b, _))| (a, b))));
                    let mut handles = Answers::new();
                    space.par_query(&queries, &mut handles);
                    let ids = handles.iter().flatten().map(|handle| handle.id());
                    assert!(ids.eq(answers.iter().flatten().copied()));
                });
            }
        }
    }

    /// Box `k` in frame `t`: all drift, and one in fifty is somewhere else in every frame.
    fn drifted(boxes: &[Aabb], t: u16) -> Vec<Aabb> {
        let place = |(k, bounds): (usize, &Aabb)| {
            let far = if (k + usize::from(t)) % 50 == 0 { 200.0 } else { 0.0 };
            let way = f32::from(t) * if k % 2 == 0 { 0.7 } else { -0.4 };
            Aabb::new(
                [bounds.min[0] + way, bounds.min[1] + far - way],
                [bounds.max[0] + way, bounds.max[1] + far - way],
            )
        };
        boxes.iter().enumerate().map(place).collect()
    }

    /// Several chunks of ids, which are put into several squares.
    #[test]
    fn what_threads_build_is_what_one_builds() {
        let boxes: Vec<Aabb> = (0..15).flat_map(|t| drifted(&boxes(), t)).collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let alone = Index::<FrameTree>::from_boxes(&boxes).unwrap();
        let shared = pool.install(|| Index::<FrameTree>::par_from_boxes(&boxes)).unwrap();
        shared.validate().unwrap();
        assert!(alone.pairs().eq(shared.pairs()));
        let bad = [boxes[0], [0.0, f32::NAN, 1.0, 1.0].into()];
        let [alone, shared] =
            [Index::<FrameTree>::from_boxes(&bad), Index::par_from_boxes(&bad)].map(Result::unwrap_err);
        assert_eq!(shared.to_string(), alone.to_string());
    }

    #[test]
    fn a_frame_that_threads_share_is_the_frame_of_one() {
        // Enough for several plots of a frame tree.
        let boxes = [boxes(), drifted(&boxes(), 9), drifted(&boxes(), 25)].concat();
        for &kind in KINDS {
            let mut alone = Index::<Tested>::with_boxes(options(kind), &boxes).unwrap();
            let mut shared = alone.clone();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
            for t in 0..3 {
                let boxes = drifted(&boxes, t);
                alone.update_all(&boxes).unwrap();
                pool.install(|| shared.par_update_all(&boxes)).unwrap();
                assert!(alone.pairs().eq(shared.pairs()), "{kind} in frame {t}");
                alone.update(7, boxes[t as usize]).unwrap();
                shared.update(7, boxes[t as usize]).unwrap();
                alone.maintain();
                shared.maintain();
                assert!(alone.pairs().eq(pool.install(|| shared.par_pairs())), "{kind} after frame {t}");
                assert_eq!(alone.stats().nodes, shared.validate().unwrap().nodes, "{kind} after frame {t}");
            }
            let bad = [boxes[0], [0.0, f32::NAN, 1.0, 1.0].into()];
            let [shared, alone] = [shared.par_update_all(&bad), alone.update_all(&bad)].map(Result::unwrap_err);
            assert_eq!(shared.to_string(), alone.to_string(), "{kind}");
        }
    }
}

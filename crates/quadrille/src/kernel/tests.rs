//! All kernels do the same: the one over single numbers, the one that every machine of this kind has, and the best that
//! this machine has.

use alloc::vec::Vec;

use super::*;

/// The portable code, whatever the machine.
#[derive(Clone, Copy)]
struct Twin;

impl Kernel for Twin {
    type Numbers<S: Scalar> = S;
}

/// The result of each kernel.
fn all<T: Task + Clone>(task: T) -> [T::Output; 3] {
    [Twin.run(task.clone()), Baseline.run(task.clone()), dispatch(task)]
}

/// Bit `k` is set if that is `true` of `k`.
fn bits(count: usize, is_set: impl Fn(usize) -> bool) -> u32 {
    (0..count).map(|k| u32::from(is_set(k)) << k).sum()
}

/// Box `k` of those in columns.
fn nth<S: Scalar, const N: usize>(columns: &[&[S; N]; 4], k: usize) -> Aabb<S> {
    columns.map(|column| column[k]).into()
}

/// Compares a box with sixteen.
#[derive(Clone)]
struct Touching<'a, S>([S; 4], Lanes<'a, S>);

impl<S: Scalar> Task for Touching<'_, S> {
    type Output = u32;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> u32 {
        kernel.touching(&self.1, &self.0.into())
    }
}

/// Finds which of sixteen boxes are near.
#[derive(Clone)]
struct Near<'a, S>(Lanes<'a, S>, Aabb<S>, f64);

impl<S: Scalar> Task for Near<'_, S> {
    type Output = (u32, Vec<f64>);

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> (u32, Vec<f64>) {
        let mut squares = [f64::NAN; LANES];
        let mask = kernel.near(&self.0, &self.1, self.2, &mut squares);
        (mask, squares.to_vec())
    }
}

/// A box within the distance is near, one clearly farther away is not: from the least numbers to the greatest, where
/// squares underflow and where they are infinite.
fn check_near<S: Scalar>(scale: f64, greatest: f64) {
    let mut random = fastrand::Rng::with_seed(5);
    let mut place = || scale * (random.f64() - 0.5);
    for _ in 0..200 {
        let mut columns = [[S::ZERO; LANES]; 4];
        for lane in 0..LANES {
            let [x, y] = [place(), place()];
            let (min, max) = ([x, y], [x + place().abs() / 8.0, y + place().abs() / 8.0]);
            let bounds = Aabb::new(min.map(S::from_f64), max.map(S::from_f64));
            let bounds = if lane == 11 { Aabb::EMPTY } else { bounds };
            columns.iter_mut().zip(<[S; 4]>::from(bounds)).for_each(|(column, number)| column[lane] = number);
        }
        let lanes = [&columns[0], &columns[1], &columns[2], &columns[3]];
        let origin = Aabb::from_point([place(), place()].map(S::from_f64));
        let squares: Vec<f64> = (0..LANES).map(|lane| origin.distance_squared(&nth(&lanes, lane))).collect();
        for &square in squares.iter().filter(|square| square.is_finite()) {
            let near = bits(LANES, |lane| squares[lane] <= square);
            let most = square * 1.00001 + 2.0 * f64::from(f32::MIN_POSITIVE);
            let about = bits(LANES, |lane| most > greatest || squares[lane] <= most);
            for (mask, rough) in all(Near(lanes, origin, square)) {
                assert_eq!([mask & near, mask & !about], [near, 0], "up to {square:e} of {squares:?}");
                for lane in (0..LANES).filter(|lane| near >> lane & 1 == 1) {
                    assert!(rough[lane] <= reach::<S>(square), "{} up to {square:e}", rough[lane]);
                }
            }
        }
        let everything = all(Near(lanes, origin, f64::INFINITY));
        assert!(everything.iter().all(|(mask, _)| mask | 1 << 11 == u32::from(u16::MAX)));
    }
}

#[test]
fn what_is_as_near_is_near() {
    for exponent in (-45..=38).step_by(3) {
        check_near::<f32>(10_f64.powi(exponent), f64::from(f32::MAX));
        check_near::<f64>(10_f64.powi(4 * exponent), f64::MAX);
    }
    for scale in [1.0, 10.0, 1e5, 4e9] {
        check_near::<i32>(scale, f64::MAX);
    }
}

/// Finds which of sixteen boxes are surely within a distance of another, and which perhaps.
#[derive(Clone)]
struct Passing<'a, S: Scalar>(Apart<S>, Lanes<'a, S>, Aabb<S>);

impl<S: Scalar> Task for Passing<'_, S> {
    type Output = [u32; 3];

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> [u32; 3] {
        let [sure, possible] = kernel.compare(&self.0, &self.1, &self.2);
        [sure, kernel.passing(&self.0, &self.1, &self.2), possible]
    }
}

/// Sixteen boxes at once give what each gives by itself, against another box and against each other, at distances that
/// some of them have exactly: a rounded square cannot tell those from slightly smaller or larger ones.
fn check_apart<S: Scalar>(scale: f64) {
    let mut random = fastrand::Rng::with_seed(7);
    let (mut judged, mut sure) = (0, 0);
    for round in 0..60 {
        // Whole numbers, many at the same distance; and arbitrary ones.
        let mut place = || {
            let place = 24.0 * (random.f64() - 0.5);
            scale * if round % 2 == 0 { place.round() } else { place }
        };
        let mut columns = [[S::ZERO; LANES]; 4];
        for lane in 0..LANES {
            let [x, y, width, height] = [place(), place(), place().abs() / 8.0, place().abs() / 8.0];
            let bounds = Aabb::new([x, y].map(S::from_f64), [x + width, y + height].map(S::from_f64));
            columns.iter_mut().zip(<[S; 4]>::from(bounds)).for_each(|(column, number)| column[lane] = number);
        }
        let lanes = [&columns[0], &columns[1], &columns[2], &columns[3]];
        let origin = Aabb::from_point([place(), place()].map(S::from_f64));
        let exact = (0..LANES).map(|lane| origin.distance(&nth(&lanes, lane)));
        for distance in exact.flat_map(|distance| [distance.next_down().max(0.0), distance, distance.next_up()]) {
            let near = Apart::up_to(distance);
            let expected = bits(LANES, |lane| near.passes(&nth(&lanes, lane), &origin));
            for [surely, passing, possibly] in all(Passing(near, lanes, origin)) {
                assert_eq!(passing, expected, "up to {distance:e} from {origin:?} of {columns:?}");
                assert_eq!([surely & !passing, passing & !possibly], [0; 2], "{distance:e}");
                judged += (possibly & !surely).count_ones();
                sure += surely.count_ones();
            }
            let expected: Vec<u64> = hits_within()
                .map(|(first, distance)| {
                    let one = |lane: usize| nth(&lanes, (first + lane) % LANES);
                    (first, distance, bits(HALF, |lane| near.passes(&one(lane), &one(lane + distance))))
                })
                .filter(|&(_, _, mask)| mask != 0)
                .map(|(first, distance, mask)| BASE | hit(first, distance, mask))
                .collect();
            assert_eq!(all(Within(near, lanes)), [(); 3].map(|()| expected.clone()), "up to {distance:e}");
        }
    }
    assert!(judged > 0, "some are too near to the limit to tell");
    assert!(sure > 0 || !(1e-10..1e10).contains(&scale), "others are not");
}

#[test]
fn sixteen_are_as_near_as_each_by_itself() {
    for exponent in [-45, -30, -22, -19, -16, -3, 0, 4, 16, 18, 19, 36] {
        check_apart::<f32>(10_f64.powi(exponent));
        check_apart::<f64>(10_f64.powi(8 * exponent));
    }
    for scale in [1.0, 10.0, 1e5, 1.7e8] {
        check_apart::<i32>(scale);
    }
}

/// Compares sixteen boxes with each other.
#[derive(Clone)]
struct Within<'a, S, T>(T, Lanes<'a, S>);

impl<S: Scalar, T: Test<S>> Task for Within<'_, S, T> {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Vec<u64> {
        let mut hits = [0; LANES];
        let found = kernel.within(&self.0, &self.1, BASE, &mut hits);
        hits[..found].to_vec()
    }
}

/// What hits are added to.
const BASE: u64 = 0xABCD << 32;

/// Checks whether boxes can be stored: from the first one on, and from the second, because they are checked in pairs.
#[derive(Clone)]
struct Valid<'a, S>(&'a [Aabb<S>]);

impl<S: Scalar> Task for Valid<'_, S> {
    type Output = [bool; 2];

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> [bool; 2] {
        [kernel.are_valid(self.0), kernel.are_valid(&self.0[1..])]
    }
}

/// Extracts pairs with one number from a mask.
#[derive(Clone)]
struct Draw<'a>(u32, &'a [u32; LANES], u32);

impl Task for Draw<'_> {
    type Output = Vec<[u32; 2]>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Self::Output {
        let mut pairs = [[0; 2]; LANES];
        kernel.pair_with(self.0, self.1, self.2, &mut pairs);
        pairs[..self.2.count_ones() as usize].to_vec()
    }
}

/// Extracts pairs from a hit.
#[derive(Clone)]
struct PairUp<'a>(&'a [u32; LANES], u32);

impl Task for PairUp<'_> {
    type Output = [[u32; 2]; HALF];

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> [[u32; 2]; HALF] {
        let mut pairs = [[0; 2]; HALF];
        kernel.pair_up(self.0, self.1, &mut pairs);
        pairs
    }
}

/// Copies boxes into columns; also returns the minima and maxima of the copies.
#[derive(Clone)]
struct Gather<'a, S>(&'a [Aabb<S>], &'a [u32; LANES], usize);

impl<S: Scalar> Task for Gather<'_, S> {
    type Output = ([[S; LANES]; 4], [[S; 4]; 2]);

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Self::Output {
        let mut columns = [[S::ZERO; LANES]; 4];
        let spread = kernel.gather(self.0, self.1, self.2, columns.each_mut());
        (columns, spread)
    }
}

/// Finds the marked numbers.
#[derive(Clone)]
struct Marks<'a>(&'a [u32; LANES]);

impl Task for Marks<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> u32 {
        kernel.marks(self.0)
    }
}

fn all_kernels_gather_the_same<S: Scalar>() {
    let number = |seed: usize| S::from_f64(((seed * 7919) % 1009) as f64 - 500.0);
    let boxes: Vec<Aabb<S>> = (0..40)
        .map(|at| Aabb::new([number(4 * at), number(4 * at + 1)], [number(4 * at + 2), number(4 * at + 3)]))
        .collect();
    for step in 1..40_u32 {
        let ids: [u32; LANES] = core::array::from_fn(|lane| lane as u32 * step % 40);
        let marks = ids.map(|id| id | ((id & step & 1) << 31));
        let marked = bits(LANES, |lane| marks[lane] >> 31 != 0);
        assert_eq!(all(Marks(&marks)), [marked; 3], "{marks:?}");
        for count in 1..=LANES {
            // Nothing is read through ids behind the last one.
            let known = |lane: usize| if lane < count { ids[lane] } else { u32::MAX };
            let known: [u32; LANES] = core::array::from_fn(known);
            let copied = |lane: usize| boxes[ids[lane.min(count - 1)] as usize];
            let numbers: [[S; 4]; LANES] = core::array::from_fn(|lane| copied(lane).into());
            let columns = [0, 1, 2, 3].map(|number| numbers.map(|numbers| numbers[number]));
            let least = columns.map(|column| column.into_iter().reduce(S::lesser).expect("sixteen"));
            let greatest = columns.map(|column| column.into_iter().reduce(S::greater).expect("sixteen"));
            assert_eq!(all(Gather(&boxes, &known, count)), [(columns, [least, greatest]); 3], "{step} {count}");
        }
    }
}

#[test]
fn all_kernels_gather_the_same_boxes() {
    all_kernels_gather_the_same::<f32>();
    all_kernels_gather_the_same::<f64>();
    all_kernels_gather_the_same::<i32>();
}

/// Asks for the third of two boxes.
const ONE_TOO_MANY: Gather<'static, f32> =
    Gather(&[Aabb::EMPTY; 2], &[1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 2, 1, 0, 1, 0], LANES);

#[test]
#[should_panic]
fn the_twin_gathers_no_box_that_does_not_exist() {
    Twin.run(ONE_TOO_MANY);
}

#[test]
#[should_panic]
fn the_usual_kernel_gathers_no_box_that_does_not_exist() {
    Baseline.run(ONE_TOO_MANY);
}

#[test]
#[should_panic]
fn the_best_kernel_gathers_no_box_that_does_not_exist() {
    dispatch(ONE_TOO_MANY);
}

fn all_kernels_agree<S: Scalar>(values: &[S]) {
    let mut random = fastrand::Rng::with_seed(1);
    let mut next = || values[random.usize(..values.len())];
    let (mut seen, mut seen_within, mut several_valid) = (0, [0; LANES], false);
    for round in 0..20_000 {
        let columns: [[S; LANES]; 4] = core::array::from_fn(|_| core::array::from_fn(|_| next()));
        let bounds = [(); 4].map(|()| next());
        let lanes = columns.each_ref();
        let expected = bits(LANES, |k| nth(&lanes, k).intersects(&bounds.into()));
        assert_eq!(all(Touching(bounds, lanes)), [expected; 3], "{bounds:?} {columns:?}");
        seen |= expected;
        let mut expected = Vec::new();
        for ((first, distance), seen) in hits_within().zip(&mut seen_within) {
            let mask = bits(HALF, |k| nth(&lanes, first + k).intersects(&nth(&lanes, (first + k + distance) % LANES)));
            *seen |= mask;
            expected.extend((mask != 0).then_some(BASE | hit(first, distance, mask)));
        }
        for hits in all(Within(Overlap, lanes)) {
            assert_eq!(hits, expected, "{columns:?}");
        }
        let boxes: Vec<Aabb<S>> = (0..round % 5 + 1).map(|k| nth(&lanes, k)).collect();
        let expected = [0, 1].map(|first| boxes[first..].iter().all(Aabb::is_valid));
        assert_eq!(all(Valid(&boxes)), [expected; 3], "{boxes:?}");
        several_valid |= boxes.len() > 2 && expected == [true; 2];
    }
    assert_eq!(seen, lowest(LANES), "every lane was touched at least once");
    assert!(several_valid, "three boxes were valid at least once");
    assert_eq!(seen_within[..LANES - 1], [lowest(HALF); LANES - 1], "every pair touched at least once");
}

/// The hits that there may be within sixteen: from the first or the last eight on, at which distance.
fn hits_within() -> impl Iterator<Item = (usize, usize)> {
    (1..=HALF).map(|distance| (0, distance)).chain((1..HALF).map(|distance| (HALF, distance)))
}

fn hit(first: usize, distance: usize, mask: u32) -> u64 {
    ((first / HALF) << 16 | distance << 8) as u64 | u64::from(mask)
}

#[test]
fn hits_within_sixteen_are_all_pairs() {
    let pairs = hits_within().flat_map(|(first, distance)| {
        (first..first + HALF).map(move |one| [one.min((one + distance) % LANES), one.max((one + distance) % LANES)])
    });
    let mut pairs: Vec<[usize; 2]> = pairs.collect();
    pairs.sort_unstable();
    let expected = (0..LANES).flat_map(|one| (one + 1..LANES).map(move |other| [one, other]));
    assert!(pairs.into_iter().eq(expected), "each pair once");
}

/// Every mask.
#[test]
fn all_kernels_draw_the_same() {
    let numbers: [u32; LANES] = core::array::from_fn(|lane| (lane as u32).wrapping_mul(0x9234_5678));
    for mask in 0..1 << LANES {
        let set = (0..LANES).filter(|lane| mask >> lane & 1 != 0);
        let one = 0x4000_0000;
        let expected: Vec<[u32; 2]> = set.map(|lane| [one.min(numbers[lane]), one.max(numbers[lane])]).collect();
        assert_eq!(all(Draw(one, &numbers, mask)), [(); 3].map(|()| expected.clone()), "{mask:b}");
    }
}

/// Every mask at every distance.
#[test]
fn all_kernels_draw_the_same_pairs() {
    let numbers: [u32; LANES] = core::array::from_fn(|lane| (lane as u32).wrapping_mul(0x9234_5678));
    for ((first, distance), mask) in hits_within().flat_map(|hit| (0..1 << HALF).map(move |mask| (hit, mask))) {
        let set = (0..HALF).filter(|lane| mask >> lane & 1 != 0);
        let expected: Vec<[u32; 2]> = set
            .map(|lane| [numbers[first + lane], numbers[(first + lane + distance) % LANES]])
            .map(|[one, other]| [one.min(other), one.max(other)])
            .collect();
        for pairs in all(PairUp(&numbers, hit(first, distance, mask) as u32)) {
            assert_eq!(pairs[..expected.len()], expected, "{mask:b}");
        }
    }
}

#[test]
fn all_kernels_agree_on_floats() {
    all_kernels_agree(&[
        0.0_f32,
        -0.0,
        1.0,
        1.0_f32.next_up(),
        -1.0,
        1e-45,
        f32::MAX,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ]);
    all_kernels_agree(&[
        0.0_f64,
        -0.0,
        1.0,
        1.0_f64.next_up(),
        -1.0,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ]);
}

#[test]
fn all_kernels_agree_on_integers() {
    all_kernels_agree(&[0, 1, -1, 2, i32::MAX, i32::MAX - 1, i32::MIN, i32::MIN + 1]);
}

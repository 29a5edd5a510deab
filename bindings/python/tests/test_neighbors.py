"""Lists of neighbors equal brute force in numpy: in the open, in boxes that wrap, and while points move."""

from typing import Any

import hypothesis.extra.numpy as arrays
import numpy as np
import pyquadrille as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import DTYPES, Array, as_boxes, distances, random_boxes, some_boxes

over_types = pytest.mark.parametrize("dtype", DTYPES)
over_floats = pytest.mark.parametrize("dtype", [np.float32, np.float64])
BOXES: list[tuple[float, float, float, float]] = [
    (0, 0, 10, 10),
    (-3, 2, 7, 5.5),
    (0, -np.inf, 10, np.inf),
    (-np.inf, -2, np.inf, 8),
    (-np.inf, -np.inf, np.inf, np.inf),
]


def corners(box: Any, beyond: float) -> tuple[Array, Array]:
    """Those of a box, as far away as this on an axis that does not wrap."""
    return np.where(np.isfinite(box[:2]), box[:2], -beyond), np.where(np.isfinite(box[2:]), box[2:], beyond)


def around(a: Array, b: Array, box: Any) -> Array:
    """How far each of the points of a is from each of b in a box that wraps."""
    gaps = np.abs(a[:, None, :].astype(np.float64) - b[None, :, :].astype(np.float64))
    gaps = np.minimum(gaps, np.subtract(box[2:], box[:2]) - gaps)
    return np.asarray(np.hypot(gaps[..., 0], gaps[..., 1]))


def lists(near: Array) -> tuple[list[int], list[int]]:
    """The rows of a matrix as lists."""
    return [0, *np.cumsum(near.sum(axis=1)).tolist()], np.nonzero(near)[1].tolist()


def check(points: Array, other: Array | None, r: float, between: Array, box: Any = None) -> None:
    """All forms, beside a matrix of distances, none of which is within a rounding of `r` unless it is exact."""
    near = between <= r
    if other is None:
        np.fill_diagonal(near, False)
    starts, ids, far = pq.neighbors(points, r, other, box=box, return_distance=True)
    assert (starts.tolist(), ids.tolist()) == lists(near)
    np.testing.assert_allclose(far, between[near], rtol=1e-14)
    once = np.triu(near) if other is None else near
    pairs, apart = pq.neighbors(points, r, other, box=box, pairs=True, return_distance=True)
    np.testing.assert_array_equal(pairs, np.nonzero(once))
    np.testing.assert_allclose(apart, between[once], rtol=1e-14)
    for same in (pq.neighbors(points, r, other, box=box), pq.neighbors(points, r, other, box=box, threads=2)):
        assert (same[0].tolist(), same[1].tolist()) == (starts.tolist(), ids.tolist())
    np.testing.assert_array_equal(pq.neighbors(points, r, other, box=box, pairs=True), pairs)


def between_distances(between: Array, data: Any) -> float:
    """A distance that is none of those in a matrix, nor nearly."""
    found = np.unique(between)
    found = found[np.concatenate([[True], np.diff(found) > 1e-9 * found[1:]])]
    place = data.draw(st.integers(0, len(found)))
    return 0.0 if place == 0 else float(np.mean(found[place - 1 : place + 1])) if place < len(found) else 2 * float(found[-1]) + 1


@over_types
@given(data=st.data())
def test_boxes_in_the_open(dtype: Any, data: Any) -> None:
    boxes, other = data.draw(some_boxes(dtype)), data.draw(some_boxes(dtype))
    within, between = distances(boxes, boxes), distances(boxes, other)
    if len(boxes) and len(other):
        r = between_distances(np.concatenate([within.ravel(), between.ravel()]), data)
        check(boxes, None, r, within)
        check(boxes, other, r, between)


@st.composite
def points_in(draw: Any, box: Any, dtype: Any) -> Array:
    """Points on edges and corners of a box, near them, in the middle, on one spot, and beyond on an axis that does not wrap."""
    low, high = corners(box, 50)
    parts = st.one_of(st.sampled_from([0.0, 1.0, 0.5, 1e-9, 1 - 1e-9, 0.25, 0.75]), st.floats(0, 1))
    points = draw(arrays.arrays(np.float64, (draw(st.integers(0, 16)), 2), elements=parts))
    return np.asarray(np.clip(low + points * (high - low), low, high).astype(dtype))


@over_floats
@pytest.mark.parametrize("box", BOXES)
@given(data=st.data())
def test_boxes_that_wrap(dtype: Any, box: Any, data: Any) -> None:
    points, other = data.draw(points_in(box, dtype)), data.draw(points_in(box, dtype))
    within, between = around(points, points, box), around(points, other, box)
    if len(points) and len(other):
        r = between_distances(np.concatenate([within.ravel(), between.ravel()]), data)
        check(points, None, r, within, box)
        check(points, other, r, between, box)


@over_types
@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("r", [0, 1, 2, 5, 6, 7.5, 100])
def test_every_distance_on_a_lattice_counts_exactly(dtype: Any, box: Any, r: float) -> None:
    """Whole numbers, whose distances are exactly `r` again and again; half of the box and more, too."""
    axes = [np.arange(start, end + 0.25) for start, end in zip(*corners(box, 10))]
    points = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2).astype(dtype)
    check(points, None, r, around(points, points, box), box)
    check(points[::3], points[1::2], r, around(points[::3], points[1::2], box), box)


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("r", [0.05, 0.7, 3.3, 30.0])
def test_many_points_and_clusters(box: Any, r: float) -> None:
    rng = np.random.default_rng(4)
    low, high = corners(box, 9)
    points = low + rng.random((500, 2)) * (high - low)
    crowd = np.clip(points[rng.integers(0, 9, 500)] + rng.normal(0, 0.02, (500, 2)), low, high)
    check(points, None, r, around(points, points, box), box)
    check(points, crowd, r, around(points, crowd, box), box)
    check(crowd, None, r, around(crowd, crowd, box), box)


def test_all_equal() -> None:
    points = np.full((40, 2), 3.0)
    starts, ids = pq.neighbors(points, 0, box=3)
    assert np.diff(starts).tolist() == [39] * 40 and ids[:3].tolist() == [1, 2, 3]
    assert pq.neighbors(points, 0, points)[1].size == 1600
    assert pq.neighbors(points[:0], 1, box=3)[0].tolist() == [0]
    assert pq.neighbors(points, 1, points[:0], box=3)[0].tolist() == [0] * 41
    assert pq.neighbors(points[0], 1)[0].tolist() == [0, 0]


def test_inside_a_box_that_wraps_answers_are_those_in_the_open() -> None:
    """To the last bit, for what is near no edge."""
    points = 40 + 20 * np.random.default_rng(2).random((3000, 2))
    for dtype in (np.float32, np.float64):
        rows: Array = points.astype(dtype)
        for box in (100, (100, np.inf)):
            for one, other in zip(pq.neighbors(rows, 0.7, return_distance=True), pq.neighbors(rows, 0.7, box=box, return_distance=True)):
                np.testing.assert_array_equal(one, other)


def test_forms_of_a_box() -> None:
    points = np.array([[0.1, 0.1], [9.9, 0.1], [0.1, 4.9]])
    for box, expected in (
        (10, [[0], [1]]),
        ((10, 5), [[0, 0, 1], [1, 2, 2]]),
        ([np.inf, 5], [[0], [2]]),
        (np.array([0, 0, 10, np.inf]), [[0], [1]]),
        (None, [[], []]),
    ):
        assert pq.neighbors(points, 0.3, box=box, pairs=True).tolist() == expected
    wrong: Any
    for wrong in (0, -1, np.nan, (1, 0), (5, 5, 1, 9), (np.nan, 1)):
        with pytest.raises(ValueError, match="its size is more than zero, and infinite on an axis that does not wrap, not"):
            pq.neighbors(points, 1, box=wrong)
    with pytest.raises(ValueError, match="one size, two, or xmin, ymin, xmax, ymax, not 3 numbers"):
        pq.neighbors(points, 1, box=(1, 2, 3))


def test_whole_numbers_in_a_box_of_another_size() -> None:
    points = np.array([[1, 1], [11, 1], [6, 1]], dtype=np.int32)
    box = (0.98, 0.98, 11.48, 11.48)
    assert pq.neighbors(points, 0.51, box=box, pairs=True).tolist() == [[0], [1]]
    assert pq.neighbors(points, 0.49, box=box, pairs=True).size == 0
    assert pq.neighbors(points[:1], 0.51, points[1:], box=box)[1].tolist() == [0]


def test_mistakes() -> None:
    points = np.array([[1.0, 1], [2, 5]])
    with pytest.raises(ValueError, match=r"row 1: the point \(2, 5\) is outside of the box, which goes from 0 to 4 on y"):
        pq.neighbors(points, 1, box=4)
    with pytest.raises(ValueError, match=r"other: row 0: the point \(-1, 1\) is outside of the box, which goes from 0 to 9 on x"):
        pq.neighbors(points, 1, [[-1.0, 1]], box=9)
    with pytest.raises(ValueError, match=r"points: row 1: the point \(NaN, 1\) is not finite"):
        pq.neighbors([[0, 0], [np.nan, 1]], 1, points)
    for box in ("10", ["10", "10"], True, 1j):
        with pytest.raises(TypeError, match="`box` is .*one number per row is needed"):
            pq.neighbors(np.zeros((2, 2)), 1.0, box=box)
    with pytest.raises(ValueError, match="a distance is zero or more, not -1"):
        pq.neighbors(points, -1)
    with pytest.raises(ValueError, match="a distance is zero or more, not NaN"):
        pq.neighbors(points, np.nan)
    with pytest.raises(ValueError, match="`points` has boxes; two columns are needed here"):
        pq.neighbors(as_boxes(points), 1, box=9)
    with pytest.raises(ValueError, match="`other` has the shape"):
        pq.neighbors(points, 1, np.zeros((3, 3)))
    with pytest.raises(ValueError, match="box: f32 cannot go beyond"):
        pq.neighbors(points.astype(np.float32), 1, box=1e38)
    with pytest.raises(ValueError, match="a skin is zero or more, and finite, not inf"):
        pq.NeighborList(1, np.inf)
    with pytest.raises(ValueError, match="a distance is zero or more, not NaN"):
        pq.NeighborList(np.nan, 0)


@pytest.mark.parametrize("box", [None, *BOXES])
@pytest.mark.parametrize("skin", [0.0, 0.3, 2.0])
def test_a_list_with_a_skin_is_exact_while_it_is_kept(box: Any, skin: float) -> None:
    rng = np.random.default_rng(8)
    wide = box or BOXES[-1]
    low, high = corners(wide, 9)
    points = low + rng.random((400, 2)) * (high - low)
    found, made = pq.NeighborList(0.8, skin, box=box), 0
    assert found.neighbors()[0].tolist() == [0]
    for frame in range(30):
        made += (is_new := found.update(points, threads=frame % 2 + 1))
        assert is_new or frame > 0
        options: Any
        for options in ({}, {"pairs": True}, {"return_distance": True}):
            expected = pq.neighbors(points, 0.8, box=box, **options)
            for one, other in zip(found.neighbors(**options), expected):
                np.testing.assert_array_equal(one, other)
        assert not found.update(points), "nothing has moved"
        points = points + rng.normal(0, 0.03, points.shape)
        points = np.clip(np.where(np.isfinite(wide[2:]), low + (points - low) % (high - low), points), low, high)
    assert made == 30 if skin == 0 else 1 <= made < 30
    assert (made == 1) == (skin == 2.0)


def test_a_list_is_made_anew_when_something_has_moved_too_far() -> None:
    points = np.array([[1.0, 1], [2, 1], [9.5, 1]])
    found = pq.NeighborList(1, 1, box=(10, np.inf))
    assert found.update(points) and found.neighbors(pairs=True).tolist() == [[0], [1]]
    for x, is_new in ((9.999, False), (0.0, False), (0.0625, True), (9.5625, False), (9.5, True)):
        points[2, 0] = x
        rows: Array = points.astype(np.float32 if x == 0.0 else np.float64)
        assert found.update(rows) == is_new, x
    assert found.update(points[:2]) and found.neighbors()[0].tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match=r"row 0: the point \(11, 1\) is outside of the box"):
        found.update([[11.0, 1]])
    with pytest.raises(ValueError, match="has boxes"):
        found.update(random_boxes(3))
    assert found.neighbors()[0].tolist() == [0, 1, 2], "a mistake changes nothing"


@over_floats
def test_threads_give_the_same(dtype: Any) -> None:
    points = (np.random.default_rng(0).random((30_000, 2)) * 100).astype(dtype)
    options: Any
    for options in ({}, {"box": 100}, {"other": points[::7]}, {"other": points[::7], "box": 100}):
        one, two = (pq.neighbors(points, 0.9, **options, return_distance=True, threads=threads) for threads in (1, -1))
        for ours, theirs in zip(one, two):
            np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("size", [7.0, 100.0])
def test_scipy_finds_the_same(size: float) -> None:
    spatial: Any = pytest.importorskip("scipy.spatial", reason="scipy is not installed")
    points = np.random.default_rng(6).random((4000, 2)) * size
    for r in (0.01, 0.3, 1.1):
        theirs = spatial.cKDTree(points, boxsize=size).query_pairs(r, output_type="ndarray")
        np.testing.assert_array_equal(pq.neighbors(points, r, box=size, pairs=True).T, theirs[np.lexsort(theirs.T[::-1])])

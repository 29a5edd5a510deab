"""Every answer equals brute force in numpy: every scalar, every structure, one thread and several."""

from typing import Any

import numpy as np
import pyquadrille as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import DTYPES, STRUCTURES, as_boxes, as_set, distances, overlap, pairs_of, random_boxes, some_boxes

over_types = pytest.mark.parametrize("dtype", DTYPES)
over_structures = pytest.mark.parametrize("structure", STRUCTURES)


@over_types
@given(data=st.data())
def test_pairs(dtype: Any, data: Any) -> None:
    a, b = data.draw(some_boxes(dtype)), data.draw(some_boxes(dtype))
    assert as_set(pq.pairs(a)) == pairs_of(overlap(a, a))
    found = pq.pairs(a, b)
    assert as_set(found) == {(int(i), int(j)) for i, j in zip(*np.nonzero(overlap(a, b)))}
    assert (np.diff(found[0]) >= 0).all(), "in order of the first"


@over_types
@over_structures
@given(data=st.data())
def test_index(dtype: Any, structure: str, data: Any) -> None:
    boxes, asked = data.draw(some_boxes(dtype)), data.draw(some_boxes(dtype, most=6))
    index = pq.Index(boxes, structure)
    assert (len(index), index.structure, index.dtype) == (len(boxes), structure, dtype)
    assert as_set(index.pairs()) == pairs_of(overlap(boxes, boxes))
    hit = overlap(asked, boxes)
    found = index.query(asked)
    assert as_set(found) == {(int(i), int(j)) for i, j in zip(*np.nonzero(hit))}
    starts, ids = index.query_csr(asked)
    assert starts.tolist() == [0, *np.cumsum(hit.sum(axis=1))] and ids.tolist() == found[1].tolist()
    for row, box in enumerate(asked):
        assert index.query(box).tolist() == ids[starts[row] : starts[row + 1]].tolist()


@over_types
@over_structures
@given(data=st.data(), k=st.integers(1, 30))
def test_nearest(dtype: Any, structure: str, data: Any, k: int) -> None:
    boxes, asked = data.draw(some_boxes(dtype)), data.draw(some_boxes(dtype, most=6))
    index, n = pq.Index(boxes, structure), len(boxes)
    expected = distances(asked, boxes)
    order = np.argsort(expected, axis=1, kind="stable")[:, :k]
    found, ids = index.nearest(asked, k)
    found, ids = found.reshape(len(asked), k), ids.reshape(len(asked), k)
    np.testing.assert_array_equal(found[:, :n], np.take_along_axis(expected, order, axis=1))
    np.testing.assert_array_equal(np.take_along_axis(expected, ids[:, :n], axis=1), found[:, :n])
    assert (ids[:, n:] == n).all() and np.isinf(found[:, n:]).all()
    if n and len(asked):
        limit = float(expected.flat[data.draw(st.integers(0, expected.size - 1))])
        found, ids = index.nearest(asked, max(k, 2), max_distance=limit)
        assert (np.isfinite(found).sum(axis=1) <= (expected <= limit).sum(axis=1)).all()
        assert ((ids < n) == (found <= limit)).all()


@over_types
@given(data=st.data(), scale=st.floats(0.0, 3.0))
def test_within(dtype: Any, data: Any, scale: float) -> None:
    boxes, asked = data.draw(some_boxes(dtype)), data.draw(some_boxes(dtype, most=6))
    between = distances(boxes, boxes)
    r = scale * (float(np.median(between)) if between.size else 1.0)
    # Squares are compared, so that a distance within a rounding of r may count or not.
    surely, perhaps = between <= r * (1 - 1e-12), between <= r * (1 + 1e-12)
    found, far = pq.within(boxes, r, return_distance=True)
    assert pairs_of(surely) <= as_set(found) <= pairs_of(perhaps)
    np.testing.assert_allclose(far, between[found[0], found[1]], rtol=1e-15)
    index, between = pq.Index(boxes), distances(asked, boxes)
    near, far = index.within(asked, r, return_distance=True)
    named = set(zip(*(part.tolist() for part in np.nonzero(between <= r * (1 - 1e-12)))))
    assert named <= as_set(near) <= set(zip(*(part.tolist() for part in np.nonzero(between <= r * (1 + 1e-12)))))
    np.testing.assert_allclose(far, between[near[0], near[1]], rtol=1e-15)


@over_types
@given(data=st.data(), scale=st.floats(0.0, 2.0))
def test_within_of_two_sets(dtype: Any, data: Any, scale: float) -> None:
    a, b = data.draw(some_boxes(dtype)), data.draw(some_boxes(dtype))
    between = distances(a, b)
    r = scale * (float(np.median(between)) if between.size else 1.0)
    found, far = pq.within(a, b, r, return_distance=True)
    surely, perhaps = (
        set(zip(*(part.tolist() for part in np.nonzero(between <= r * (1 + slack))))) for slack in (-1e-12, 1e-12)
    )
    assert surely <= as_set(found) <= perhaps and (np.diff(found[0]) >= 0).all()
    np.testing.assert_allclose(far, between[found[0], found[1]], rtol=1e-15)
    for same in (pq.within(a, b, r), pq.within(a, b, r=r), pq.within(a, b, r, threads=2)):
        np.testing.assert_array_equal(same, found)
    np.testing.assert_array_equal(pq.within(a, r=r), pq.within(a, r))


EXACT = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float16, np.float32, np.float64]


@pytest.mark.parametrize("dtype", EXACT)
@pytest.mark.parametrize("other", EXACT)
def test_numbers_of_every_type_are_compared_exactly(dtype: Any, other: Any) -> None:
    """Small whole numbers, which all types hold, and the largest of each."""
    boxes = np.arange(40).reshape(10, 4).astype(dtype)
    boxes[:, 2:] += boxes.dtype.type(3)
    asked = boxes.astype(other)
    if np.dtype(dtype).kind != "f" and np.dtype(dtype).itemsize < 8:
        boxes[0, 2:] = np.iinfo(dtype).max
    np.testing.assert_array_equal(pq.pairs(boxes), pq.pairs(boxes.astype(np.float64)))
    np.testing.assert_array_equal(pq.pairs(boxes, asked), pq.pairs(boxes.astype(float), asked.astype(float)))
    np.testing.assert_array_equal(pq.within(boxes, asked, 2.5), pq.within(boxes.astype(float), asked.astype(float), 2.5))
    index = pq.Index(boxes)
    kept = {"i1": "i4", "i2": "i4", "u1": "i4", "u2": "i4", "i8": "f8", "u4": "f8", "u8": "f8", "f2": "f4"}
    assert index.dtype == kept.get(np.dtype(dtype).str[1:], dtype)
    assert np.array_equal(index.boxes(), boxes)
    if np.can_cast(np.dtype(other), index.dtype) or np.dtype(other).kind != "f":
        np.testing.assert_array_equal(index.query(asked), pq.Index(boxes.astype(float)).query(asked.astype(float)))
        index.update(asked)
        assert np.array_equal(index.boxes(), asked)


@given(data=st.data(), scale=st.floats(0.0, 2.0))
def test_rows_that_are_nan_are_left_out_if_asked(data: Any, scale: float) -> None:
    a, b = data.draw(some_boxes(np.float64)), data.draw(some_boxes(np.float64))
    gone = [data.draw(st.sets(st.integers(0, max(0, len(boxes) - 1)), max_size=len(boxes))) for boxes in (a, b)]
    left = [np.array(sorted(set(range(len(boxes))) - one), dtype=int) for boxes, one in zip((a, b), gone)]
    full = a.copy(), b.copy()
    for boxes, one in zip((a, b), gone):
        boxes[sorted(one)] = np.nan
    i, j = pq.pairs(full[0][left[0]])
    np.testing.assert_array_equal(pq.pairs(a, skip_nan=True), [left[0][i], left[0][j]])
    i, j = pq.pairs(full[0][left[0]], full[1][left[1]])
    np.testing.assert_array_equal(pq.pairs(a, b, skip_nan=True), [left[0][i], left[1][j]])
    (i, j), far = pq.within(full[0][left[0]], full[1][left[1]], scale, return_distance=True)
    found = pq.within(a, b, scale, skip_nan=True, return_distance=True)
    np.testing.assert_array_equal(found[0], [left[0][i], left[1][j]])
    np.testing.assert_array_equal(found[1], far)
    index = pq.Index(a, skip_nan=True)
    assert index.ids.tolist() == left[0].tolist()
    np.testing.assert_array_equal(index.boxes(), a[left[0]])
    assert np.isnan(a).sum() == 4 * len(gone[0]), "nothing was written to"


def test_bounds_of_geometries_of_which_some_are_empty() -> None:
    shapely = pytest.importorskip("shapely", reason="shapely is not installed")
    shapes = shapely.from_wkt(["POINT (1 1)", "POINT EMPTY", "LINESTRING (0 0, 2 2)", None])
    bounds = shapely.bounds(shapes)
    with pytest.raises(ValueError, match="row 1: the box is NaN throughout.*; skip_nan=True leaves such rows out"):
        pq.pairs(bounds)
    assert pq.pairs(bounds, skip_nan=True).tolist() == [[0], [2]]
    assert pq.within(bounds, 5, skip_nan=True).tolist() == [[0], [2]]
    index = pq.Index(bounds, skip_nan=True)
    assert index.ids.tolist() == [0, 2] and sorted(index.query([0, 0, 3, 3])) == [0, 2]
    with pytest.raises(ValueError, match="row 1: min x of the box is NaN|row 1: max x of the box is NaN"):
        pq.pairs(np.array([[0, 0, 1, 1], [0, 0, np.nan, 1]]), skip_nan=True)


def test_tables() -> None:
    boxes = random_boxes(50)
    for module in ("pandas", "polars"):
        library: Any = pytest.importorskip(module, reason=f"{module} is not installed")
        table = library.DataFrame(boxes, **({"schema": ["xmin", "ymin", "xmax", "ymax"]} if module == "polars" else {}))
        np.testing.assert_array_equal(pq.pairs(table), pq.pairs(boxes))
        np.testing.assert_array_equal(pq.pairs(table, skip_nan=True), pq.pairs(boxes))


def test_a_distance_is_not_rounded_to_the_type_of_the_boxes() -> None:
    points = np.array([[0, 0], [0.1, 0]], dtype=np.float32)
    exact = float(points[1, 0])
    assert pq.within(points, 0.1).shape[1] == 0, "0.1 in float32 is more than 0.1"
    assert pq.within(points, exact).shape[1] == 1 and pq.Index(points).within([0, 0], exact).tolist() == [0, 1]
    cells = np.array([[0, 0], [1, 1], [2, 0]], dtype=np.int32)
    assert as_set(pq.within(cells, 1.5)) == {(0, 1), (1, 2)}
    assert as_set(pq.within(cells, 1.4)) == set()
    assert pq.Index(cells).within([0, 0], 1.5).tolist() == [0, 1]


# The cases of the same name in the command's tests.
@pytest.mark.parametrize(
    ("points", "too_little", "enough"),
    [
        ([[0, 0], [9e-171, 9e-171]], 1e-170, 1.3e-170),
        ([[0, 0], [1e200, 1e200]], 1e200, 1.42e200),
        ([[0, 0], [3e200, 4e200]], 4.9e200, 5e200),
        ([[0, 0], [3e-200, 4e-200]], 4.9e-200, 5e-200),
        ([[-1.7e308, 0], [0, 0]], 1.6e308, 1.7e308),
    ],
)
def test_distances_at_the_ends_of_the_range_are_compared_exactly(points: Any, too_little: float, enough: float) -> None:
    for r, pairs in ((too_little, 0), (enough, 1)):
        assert pq.within(points, r).shape[1] == pairs
        assert pq.within(points, points, r).shape[1] == 2 + 2 * pairs


@pytest.mark.parametrize("unit", [1e-200, 1e-160, 1.0, 1e160, 1e300])
def test_the_nearest_at_the_ends_of_the_range(unit: float) -> None:
    points = np.array([[0, 0], [2, 0], [1, 0]]) * unit
    assert pq.Index(points).nearest(points, 2)[1].tolist() == [[0, 2], [1, 2], [2, 0]]


@over_structures
@pytest.mark.parametrize("unit", [2.0**-1070, 2.0**-1000, 2.0**-600, 2.0**-482, 1.0, 2.0**512, 2.0**1000])
def test_distances_whose_squares_are_nothing_or_endless(structure: str, unit: float) -> None:
    points = np.array([[0, 0], [3, 4], [0, 3], [-6, 0]]) * unit
    index, far = pq.Index(points, structure), 5 * unit
    for r, expected in ((far, {(0, 1), (0, 2), (1, 2)}), (np.nextafter(far, 0), {(0, 2), (1, 2)}), (0.0, set())):
        assert as_set(pq.within(points, r)) == expected
        assert set(index.within(points[0], r).tolist()) == {0} | {j for i, j in expected if i == 0}
    distances, ids = index.nearest(points[0], 4)
    assert ids.tolist() == [0, 2, 1, 3]
    np.testing.assert_allclose(distances, np.array([0, 3, 5, 6]) * unit, rtol=1e-15)
    assert index.nearest([-unit, 0.0], 4, max_distance=far)[1].tolist() == [0, 2, 3, 4]


@over_types
@over_structures
@given(data=st.data())
def test_whole_lives(dtype: Any, structure: str, data: Any) -> None:
    """Insertions, moves, removals and whole frames; ids, pairs and events are those of a dictionary."""
    boxes = data.draw(some_boxes(dtype, most=8))
    index, known = pq.Index(boxes, structure), dict(enumerate(boxes.tolist()))
    before: set[tuple[int, int]] = set()
    for _ in range(data.draw(st.integers(1, 6))):
        step = data.draw(st.sampled_from(["insert", "move", "remove", "update", "maintain"]))
        more, fresh = data.draw(some_boxes(dtype, most=8)), set()
        if step == "insert":
            ids = index.insert(more).tolist()
            assert not set(ids) & set(known), "ids in use are not given out"
            fresh = set(ids)
            known.update(zip(ids, more.tolist()))
        elif step == "move" and known:
            more = more[: len(known)]
            ids = data.draw(st.lists(st.sampled_from(sorted(known)), min_size=len(more), max_size=len(more), unique=True))
            index.move(ids, more)
            known.update(zip(ids, more.tolist()))
        elif step == "remove" and known:
            ids = data.draw(st.lists(st.sampled_from(sorted(known)), unique=True))
            index.remove(ids)
            known = {id: box for id, box in known.items() if id not in ids}
        elif step == "update":
            index.update(more)
            known = dict(enumerate(more.tolist()))
        else:
            index.maintain()
        ids = sorted(known)
        assert index.ids.tolist() == ids and len(index) == len(ids)
        now = np.array([known[id] for id in ids], dtype=dtype).reshape(-1, 4)
        np.testing.assert_array_equal(index.boxes(), now)
        np.testing.assert_array_equal(index.boxes(ids), now)
        expected = {(ids[i], ids[j]) for i, j in pairs_of(overlap(now, now))}
        assert as_set(index.pairs()) == expected
        began, ended = index.events()
        assert as_set(began) - before == expected - before and as_set(ended) - expected == before - expected
        assert all(pair in before or pair in expected for pair in as_set(began) | as_set(ended))
        before = expected


def test_a_removed_box_ends_its_pairs_even_if_its_id_is_taken_again() -> None:
    index = pq.Index(np.array([[0, 0, 1, 1], [0, 0, 1, 1]], dtype=np.int32))
    index.events()
    index.remove([1])
    assert index.insert([0, 0, 1, 1]) == 1
    began, ended = index.events()
    assert (as_set(began), as_set(ended)) == ({(0, 1)}, {(0, 1)})


@over_types
@over_structures
def test_threads_give_the_same_in_the_same_order(dtype: Any, structure: str) -> None:
    if structure == "brute-force":
        pytest.skip("takes the square of the time")
    boxes, asked = random_boxes(20_000, dtype), random_boxes(5_000, dtype, seed=1)
    index = pq.Index(boxes, structure)
    for ask in (
        lambda threads: index.pairs(threads=threads),
        lambda threads: index.query(asked, threads=threads),
        lambda threads: np.vstack(index.within(asked, 1.0, return_distance=True, threads=threads)),
        lambda threads: np.hstack(index.nearest(asked, 3, threads=threads)),
        lambda threads: np.vstack(index.cast(asked, np.ones((len(asked), 2), dtype), threads=threads)),
    ):
        np.testing.assert_array_equal(ask(1), ask(-1))
    np.testing.assert_array_equal(pq.pairs(boxes), pq.pairs(boxes, threads=2))
    np.testing.assert_array_equal(np.concatenate(list(index.iter_pairs(997)), axis=1), index.pairs())


def test_rays_find_the_first_box() -> None:
    boxes = np.array([[4, 0, 5, 10], [8, 0, 9, 10], [0, 20, 1, 21]], dtype=np.float64)
    index = pq.Index(boxes)
    ids, times, normals = index.cast([[0, 5], [0, 5], [20, 5]], [[8, 0], [0, 1], [-1, 0]], return_normal=True)
    assert ids.tolist() == [0, 2, 1] and times.tolist() == [0.5, 15.0, 11.0]
    assert normals.tolist() == [[-1, 0], [0, -1], [1, 0]]
    ids, times = index.cast([0, 5], [3, 0], max_time=1)
    assert ids == 3 and times == np.inf, "nothing within one step of 3"
    assert index.cast([0, 4, 1, 6], [1, 0])[1] == 3.0, "a box hits with its edge"


@given(data=st.data())
def test_rays_equal_the_slab_method(data: Any) -> None:
    boxes = data.draw(some_boxes(np.int32)) // 2**20
    origins, ways = data.draw(some_boxes(np.int32, most=5))[:, :2] // 2**20, data.draw(some_boxes(np.int32, most=5))
    n = min(len(origins), len(ways))
    origins, ways = np.ascontiguousarray(origins[:n]), np.ascontiguousarray(ways[:n, :2] // 2**24)
    ids, times = pq.Index(boxes).cast(origins, ways)
    for row in range(n):
        best, o, d = np.inf, origins[row].astype(float), ways[row].astype(float)
        for box in boxes.astype(float):
            enter, leave = 0.0, np.inf
            for axis in range(2):
                if d[axis] == 0:
                    if not box[axis] <= o[axis] <= box[axis + 2]:
                        enter = np.inf
                    continue
                edges = sorted([(box[axis] - o[axis]) / d[axis], (box[axis + 2] - o[axis]) / d[axis]])
                enter, leave = max(enter, edges[0]), min(leave, edges[1])
            if enter <= leave and enter < np.inf:
                best = min(best, enter)
        np.testing.assert_allclose(times[row], best, rtol=1e-12)


@over_types
@given(data=st.data())
def test_suppression_and_decluttering(dtype: Any, data: Any) -> None:
    boxes = data.draw(some_boxes(dtype))
    worth = np.array(data.draw(st.lists(st.integers(0, 5), min_size=len(boxes), max_size=len(boxes))), dtype=float)
    iou = data.draw(st.sampled_from([0.0, 0.3, 0.5, 1.0]))
    wide = boxes.astype(np.float64)
    area = np.prod(wide[:, 2:] - wide[:, :2], axis=1)
    order = sorted(range(len(boxes)), key=lambda row: (-worth[row], row))
    kept: list[int] = []
    clear: list[int] = []
    for row in order:
        low, high = np.maximum(wide[row, :2], wide[kept, :2]), np.minimum(wide[row, 2:], wide[kept, 2:])
        common = np.prod(np.maximum(high - low, 0.0), axis=1)
        union = area[row] + area[kept] - common
        if not (common[common > 0] / union[common > 0] > iou).any():
            kept.append(row)
        if not overlap(boxes[[row]], boxes[clear]).any():
            clear.append(row)
    assert pq.nms(boxes, worth, iou).tolist() == kept
    assert pq.declutter(boxes, worth).tolist() == clear


@over_structures
def test_points_are_boxes_without_size(structure: str) -> None:
    points = np.random.default_rng(0).random((500, 2))
    index, boxes = pq.Index(points, structure), as_boxes(points)
    np.testing.assert_array_equal(index.boxes(), boxes)
    np.testing.assert_array_equal(index.query(points[:50]), pq.Index(boxes, structure).query(boxes[:50]))


def test_nodes_hold_all_boxes() -> None:
    boxes = random_boxes(1000)
    nodes = pq.Index(boxes).nodes()
    assert nodes.dtype == boxes.dtype and nodes.shape[1] == 4
    inside = (nodes[None, :, :2] <= boxes[:, None, :2]) & (boxes[:, None, 2:] <= nodes[None, :, 2:])
    assert np.any(np.all(inside, axis=2), axis=1).all()


def test_advice_names_all_structures_and_the_fastest_first() -> None:
    boxes = random_boxes(300, np.float32)
    times = pq.advise(boxes)
    assert set(times) == set(STRUCTURES) and list(times.values()) == sorted(times.values())
    assert set(pq.advise(boxes, boxes + 1, operations=["update", "cast"])) == set(STRUCTURES)


@over_types
@over_structures
@given(data=st.data(), seen=st.integers(0, 7))
def test_layers(dtype: Any, structure: str, data: Any, seen: int) -> None:
    """Pairs of boxes whose layers meet, queries on some layers, however the layers were given."""
    boxes, asked = data.draw(some_boxes(dtype)), data.draw(some_boxes(dtype, most=4))
    n, bits = len(boxes), st.integers(0, 7)
    own, mask = (np.array(data.draw(st.lists(bits, min_size=n, max_size=n)), dtype=np.uint32) for _ in range(2))
    meet = ((own[:, None] & mask[None, :]) != 0) & ((own[None, :] & mask[:, None]) != 0)
    made = pq.Index(boxes, structure, layers=own, mask=mask)
    updated = pq.Index(boxes[: n // 2], structure, layers=1)
    updated.update(boxes, layers=own, mask=mask)
    inserted = pq.Index(boxes[:0], structure)
    inserted.insert(boxes, layers=own, mask=mask)
    given = pq.Index(boxes, structure)
    given.events()
    given.set_layers(given.ids, own, mask)
    together = pairs_of(overlap(boxes, boxes))
    apart = {(i, j) for i, j in together if not meet[i, j]}
    assert [as_set(pairs) for pairs in given.events()] == [set(), apart]
    is_seen = (own & seen) != 0
    hit, far = overlap(asked, boxes) & is_seen, np.where(is_seen, distances(asked, boxes), np.inf)
    for index in (made, updated, inserted, given):
        assert np.array_equal(index.layers(), np.stack([own, mask], axis=1).reshape(n, 2))
        assert as_set(index.pairs()) == together - apart
        assert as_set(index.query(asked, layers=seen)) == {(int(i), int(j)) for i, j in zip(*np.nonzero(hit))}
        assert index.query_csr(asked, layers=seen)[1].size == hit.sum()
        near, ids = index.nearest(asked, 30, layers=seen)
        np.testing.assert_array_equal(near[:, :n], np.sort(far, axis=1))
        assert is_seen[ids[ids < n]].all()
        assert set(index.within(asked, float("inf"), layers=seen)[1].tolist()) <= set(np.flatnonzero(is_seen).tolist())
        ids, _ = index.cast(asked[:, :2], np.ones((len(asked), 2), dtype), layers=seen)
        assert is_seen[ids[ids < n]].all()
        assert (ids[(overlap(as_boxes(asked[:, :2]), boxes) & is_seen).any(axis=1)] < n).all(), "where a ray starts"
    assert as_set(made.query(asked)) == {(int(i), int(j)) for i, j in zip(*np.nonzero(overlap(asked, boxes)))}

"""Bad input: an error that names the row and the value, nothing changed, and never a crash."""

import copy
import pickle
import re
import warnings
from typing import Any

import numpy as np
import pyquadrille as pq
import pytest
from oracle import DTYPES, random_boxes

GOOD = np.array([[0, 0, 2, 2], [1, 1, 3, 3], [9, 9, 9, 9]], dtype=np.float64)


def changed(at: tuple[int, Any], value: float) -> Any:
    boxes = GOOD.copy()
    boxes[at] = value
    return boxes


BAD = [
    (changed((1, 2), np.nan), ValueError, "row 1: max x of the box is NaN"),
    (changed((2, 1), np.inf), ValueError, "row 2: the box is inverted: min y = inf is greater than max y = 9"),
    (changed((2, 3), np.inf), ValueError, "row 2: max y of the box is not finite: inf"),
    (changed((0, 0), 5), ValueError, "row 0: the box is inverted: min x = 5 is greater than max x = 2"),
    (changed((1, slice(None)), np.nan), ValueError, "row 1: the box is NaN throughout, as the bounds of an empty geometry are"),
    (np.array([[0, 0, 1, 1], [0, 0, 1, 2**53 + 1]]), ValueError, "row 1: float64 cannot hold 9007199254740993$"),
    (np.array([[0, 0, 1, 2**64 - 1]], dtype=np.uint64), ValueError, "row 0: float64 cannot hold 18446744073709551615$"),
    (GOOD.astype(complex), TypeError, "is complex128"),
    (GOOD.astype(object), TypeError, "is object"),
    (GOOD.astype(str), TypeError, "is <U"),
    (GOOD > 0, TypeError, "is bool"),
    (np.zeros((3, 3)), ValueError, r"shape \(3, 3\); boxes have \(n, 4\)"),
    (np.zeros((2, 2, 4)), ValueError, r"shape \(2, 2, 4\)"),
    (np.float64(3), ValueError, r"shape \(\)"),
    ([[0, 0, 1]], ValueError, r"shape \(1, 3\)"),
    ([[0, 0, 1, 1], [0, 0, 1, 2**60 + 1]], ValueError, "row 1: float64 cannot hold 1152921504606846977"),
    (["a", "b"], TypeError, "is <U1"),
    ("boxes", TypeError, "is <U5"),
    (None, TypeError, "is object"),
    ({}, TypeError, "is object"),
]


@pytest.mark.parametrize(("bad", "error", "message"), BAD)
def test_bad_boxes(bad: Any, error: type[Exception], message: str) -> None:
    for call in (
        lambda: pq.pairs(bad),
        lambda: pq.within(bad, 1.0),
        lambda: pq.Index(bad),
        lambda: pq.pairs(bad, GOOD),
        lambda: pq.nms(bad, [1.0, 2.0, 3.0]),
        lambda: pq.advise(bad),
    ):
        with pytest.raises(error, match=message):
            call()
    index = pq.Index(GOOD)
    if not isinstance(bad, np.ndarray) or bad.dtype == np.float64:
        for change in (index.update, index.insert, lambda boxes: index.move([0, 1, 2], boxes)):
            with pytest.raises(error):
                change(bad)
    np.testing.assert_array_equal(index.boxes(), GOOD)
    assert index.ids.tolist() == [0, 1, 2]


@pytest.mark.parametrize("rows", [2, 3, 4])
def test_the_row_is_named_by_every_change(rows: int) -> None:
    bad = np.resize(GOOD, (rows, 4))
    bad[1, 2] = np.nan
    index = pq.Index(GOOD)
    for change in (index.update, index.insert, lambda boxes: index.move([0, 1, 2, 0][:rows], boxes)):
        with pytest.raises(ValueError, match="^row 1: max x of the box is NaN"):
            change(bad)
    np.testing.assert_array_equal(index.boxes(), GOOD)


def test_the_second_set_is_named() -> None:
    with pytest.raises(ValueError, match="b, row 1: max x of the box is NaN"):
        pq.pairs(GOOD, changed((1, 2), np.nan))
    with pytest.raises(TypeError, match="`b` is object"):
        pq.pairs(GOOD, GOOD.astype(object))


def test_queries_of_another_type_are_refused_and_lists_are_converted() -> None:
    index = pq.Index(GOOD.astype(np.float32))
    with pytest.raises(TypeError, match="`boxes` is float64, and this keeps float32"):
        index.query(GOOD)
    with pytest.raises(TypeError, match="keeps float32"):
        index.update(GOOD)
    assert index.query([0, 0, 1, 1]).tolist() == [0, 1]
    assert pq.Index(GOOD.astype(np.int32)).query([0, 0, 1, 1]).tolist() == [0, 1]
    whole = pq.Index(GOOD.astype(np.int32))
    with pytest.raises(ValueError, match="row 0: int32 cannot hold 1.5"):
        whole.query([0, 0, 1.5, 1])
    with pytest.raises(ValueError, match="`boxes`, row 1: int32 cannot hold 2.5"):
        whole.query([[0, 0, 1, 1], [0, 0, 2.5, 3]])
    with pytest.raises(ValueError, match="`boxes`, row 2: int32 cannot hold 4294967296"):
        whole.query(GOOD.astype(np.int64) + np.array([[0], [0], [2**32 - 9]]))
    with pytest.raises(TypeError, match="`boxes` is float64, and this keeps int32"):
        whole.query(GOOD)
    with pytest.raises(ValueError, match="float32 cannot hold 16777217"):
        index.query(np.array([0, 0, 1, 2**24 + 1]))


def test_queries_may_be_endless_but_not_inverted() -> None:
    index = pq.Index(GOOD)
    assert index.query([-np.inf, -np.inf, np.inf, np.inf]).tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="row 0: the box is inverted"):
        index.query([1.0, 0.0, 0.0, 1.0])
    with pytest.raises(ValueError, match="row 0: the box is inverted: min y = 1 is greater than max y = 0"):
        index.query([0.0, 1.0, np.inf, 0.0])
    with pytest.raises(ValueError, match="row 0: the box is inverted: min y = inf is greater than max y = 0"):
        index.query([-np.inf, np.inf, np.inf, 0.0])
    with pytest.raises(ValueError, match="row 0: max y of the box is NaN"):
        index.query([-np.inf, 0.0, np.inf, np.nan])
    with pytest.raises(ValueError, match="row 1: .*NaN"):
        index.query(changed((1, 1), np.nan))
    with pytest.raises(ValueError, match=r"row 0: the point \(NaN, 0\) is not finite"):
        index.nearest([np.nan, 0.0])


@pytest.mark.parametrize(
    ("ids", "error", "message"),
    [
        ([3], IndexError, "row 0: no box has the id 3"),
        ([0, -1], IndexError, "row 1: no box has the id -1"),
        ([2**63], IndexError, "is not an id"),
        ([-(2**63)], IndexError, "no box has the id"),
        ([0.0], TypeError, "`ids` is float64; whole numbers are needed"),
        ([True, False, True], TypeError, "is a mask: .*flatnonzero"),
        ([[0, 1]], ValueError, "2 dimensions"),
        (["a"], TypeError, "whole numbers"),
        (None, TypeError, "whole numbers"),
    ],
)
def test_bad_ids(ids: Any, error: type[Exception], message: str) -> None:
    index = pq.Index(GOOD)
    for call in (index.remove, index.boxes, lambda ids: index.move(ids, GOOD[: np.size(ids)])):
        if ids is None and call == index.boxes:
            continue
        with pytest.raises(error, match=message):
            call(ids)
    np.testing.assert_array_equal(index.boxes(), GOOD)


def test_stale_and_repeated_ids() -> None:
    index = pq.Index(GOOD)
    for ids in ([1, 1], [1, 0, 1], [0, 1, 1]):
        calls: tuple[Any, ...] = (index.remove, lambda ids: index.move(ids, GOOD[[0] * len(ids)]), lambda ids: index.set_layers(ids, 2))
        for call in calls:
            with pytest.raises(ValueError, match="the id 1 is given twice"):
                call(ids)
    np.testing.assert_array_equal(index.boxes(), GOOD)
    index.remove(np.array([1], dtype=np.uint8))
    for call in (lambda: index.remove([1]), lambda: index.move([0, 1], GOOD[:2]), lambda: index.boxes([1])):
        with pytest.raises(IndexError, match=r"no box has the id 1 \(ids in use are below 3\)"):
            call()
    assert index.ids.tolist() == [0, 2] and index.places == 3
    with pytest.raises(ValueError, match="there are 1 ids and 3 boxes"):
        index.move([0], GOOD)


def test_absurd_numbers() -> None:
    index = pq.Index(GOOD)
    for k in (0, -1):
        with pytest.raises(ValueError, match=f"^k is at least 1, not {k}$"):
            index.nearest([0.0, 0.0], k)
    for k in (2**40, 2**62):
        with pytest.raises(ValueError, match=f"^k = {k} is far more than there are boxes, 3$"):
            index.nearest([0.0, 0.0], k)
    with pytest.raises(OverflowError):
        index.nearest([0.0, 0.0], 2**70)
    with pytest.raises(MemoryError, match="k = 60000 answers to each of 2000000 rows"):
        index.nearest(np.zeros((2_000_000, 2)), 60_000)
    assert index.nearest([0.0, 0.0], 50_000)[1][-1] == 3
    for r in (-1.0, np.nan):
        with pytest.raises(ValueError, match="a distance is zero or more"):
            pq.within(GOOD, r)
        with pytest.raises(ValueError, match="a distance is zero or more"):
            index.within(GOOD, r)
        with pytest.raises(ValueError, match="a distance is zero or more"):
            index.nearest(GOOD, max_distance=r)
        with pytest.raises(ValueError, match="a time is zero or more"):
            index.cast([0.0, 0.0], [1.0, 0.0], max_time=r)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert index.within(GOOD[:1], np.array([1.0])).shape == (2, 2)
        with pytest.raises(TypeError, match=r"`r` is <U1 of shape \(\); one number per row is needed"):
            index.within(GOOD, "1")
    assert told == [], "a list of one distance is not converted to a number by numpy"
    assert pq.within(GOOD, np.inf).shape[1] == 3 and pq.within(GOOD.astype(np.int32), 1e300).shape[1] == 3
    for threads in (0, -2):
        with pytest.raises(ValueError, match="threads is at least 1"):
            pq.pairs(GOOD, threads=threads)
    assert pq.pairs(GOOD, threads=10**9).shape == (2, 1)
    with pytest.raises(ValueError, match="a chunk has at least one pair"):
        index.iter_pairs(0)
    with pytest.raises(OverflowError):
        index.iter_pairs(-1)
    assert len(list(index.iter_pairs(2**62))) == 1
    with pytest.raises(ValueError, match="there are 3 origins and 2 directions"):
        index.cast(GOOD[:, :2].copy(), np.zeros((2, 2)))
    for origins, directions, shapes in (([[0, 0]], [1, 0], r"\(1, 2\), but `directions` \(2,\)"), ([0, 0], [[1, 0]], r"\(2,\), but `directions` \(1, 2\)")):
        with pytest.raises(ValueError, match="`origins` has the shape " + shapes):
            index.cast(origins, directions)
    with pytest.raises(ValueError, match="row 1: the direction"):
        index.cast([[0.0, 0.0]] * 2, [[0.0, 0.0], [np.nan, 0.0]])
    with pytest.raises(ValueError, match="no structure is named `tree`; there are: brute-force quadtree"):
        pq.Index(GOOD, "tree")
    with pytest.raises(ValueError, match="row 1: the score is NaN"):
        pq.nms(GOOD, [0.0, np.nan, 1.0])
    with pytest.raises(ValueError, match="there are 3 boxes, but 2"):
        pq.declutter(GOOD, [0.0, 1.0])
    with pytest.raises(ValueError, match="iou is from 0 to 1, not 7"):
        pq.nms(GOOD, [0.0, 1.0, 2.0], 7)
    with pytest.raises(ValueError, match="`boxes` has points"):
        pq.nms(GOOD[:, :2].copy(), [0.0, 1.0, 2.0])
    with pytest.raises(TypeError, match="at least one frame"):
        pq.advise()
    with pytest.raises(ValueError, match="operations"):
        pq.advise(GOOD, operations=["guess"])


@pytest.mark.parametrize("dtype", DTYPES)
def test_extremes(dtype: Any) -> None:
    info: Any = np.iinfo(dtype) if dtype == np.int32 else np.finfo(dtype)
    low, high = dtype(info.min), dtype(info.max)
    boxes = np.array([[low, low, high, high], [low, low, low, low], [high, high, high, high]], dtype=dtype)
    for structure in pq.STRUCTURES:
        index = pq.Index(boxes, structure)
        assert sorted(index.pairs().T.tolist()) == [[0, 1], [0, 2]]
        assert index.nearest(boxes[1:, :2].copy(), 3)[1][:, 0].tolist() == [0, 0]
        index.cast(boxes[1:, :2].copy(), np.array([[1, 1], [-1, 0]], dtype=dtype))
    assert pq.within(boxes, float(high)).shape[0] == 2


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("structure", pq.STRUCTURES)
def test_nothing_at_all(dtype: Any, structure: str) -> None:
    for empty in (np.empty((0, 4), dtype), np.empty((0, 2), dtype)):
        index = pq.Index(empty, structure)
        assert (len(index), index.pairs().shape, index.query(empty).shape) == (0, (2, 0), (2, 0))
        assert index.nearest(np.zeros((2, 2), dtype), 3)[1].tolist() == [[0] * 3] * 2
        assert index.nearest(empty, 3)[0].shape == (0, 3) and index.nearest(empty)[0].shape == (0,)
        assert list(index.iter_pairs()) == [] and index.nodes().shape[1] == 4
        assert index.insert(empty).tolist() == []
        index.remove([])
        assert [pairs.shape for pairs in index.events()] == [(2, 0)] * 2
        assert pq.pairs(empty).shape == pq.within(empty, 1.0).shape == (2, 0)
    assert pq.pairs([]).shape == (2, 0) and pq.nms([], []).size == pq.declutter([], []).size == 0


@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_however_they_lie_in_memory(dtype: Any) -> None:
    boxes = random_boxes(200, dtype)
    expected = pq.pairs(boxes)
    frozen = boxes.copy()
    frozen.flags.writeable = False
    wide = np.zeros((400, 8), dtype)
    wide[::2, ::2] = boxes
    unaligned = np.frombuffer(b"x" + boxes.tobytes(), dtype=dtype, offset=1).reshape(-1, 4)
    assert not unaligned.flags.aligned
    backwards = np.ascontiguousarray(boxes[::-1])[::-1]
    for same in (
        frozen,
        np.asfortranarray(boxes),
        wide[::2, ::2],
        unaligned,
        backwards,
        boxes.astype(boxes.dtype.newbyteorder()),
        boxes.view(np.ma.MaskedArray),
        np.lib.stride_tricks.as_strided(boxes, boxes.shape, boxes.strides),
    ):
        np.testing.assert_array_equal(pq.pairs(same), expected)
        index = pq.Index(same)
        index.update(same)
        np.testing.assert_array_equal(index.boxes(), boxes)
        np.testing.assert_array_equal(index.pairs(), expected)
    np.testing.assert_array_equal(boxes, random_boxes(200, dtype), "nothing was written to")
    single = np.broadcast_to(boxes[0], (5, 4))
    assert pq.pairs(single).shape[1] == 10


def test_bytes() -> None:
    for dtype in DTYPES:
        for structure in pq.STRUCTURES:
            index = pq.Index(random_boxes(300, dtype), structure)
            index.remove([7, 8])
            index.events()
            index.move([3], index.boxes([4]))
            for twin in (pq.Index.from_bytes(index.to_bytes()), pickle.loads(pickle.dumps(index)), copy.deepcopy(index)):
                assert repr(twin) == repr(index)
                np.testing.assert_array_equal(twin.pairs(), index.pairs())
                np.testing.assert_array_equal(twin.ids, index.ids)
                assert twin.insert([0, 0, 1, 1]) == 8
            first, second = index.events(), pq.Index.from_bytes(index.to_bytes()).events()
            assert first[0].shape[1] > 0 and second[0].shape[1] == 0, "what was looked at is remembered"


def test_bad_bytes() -> None:
    data = pq.Index(random_boxes(50)).to_bytes()
    step = max(1, len(data) // 300)
    for end in range(0, len(data), step):
        with pytest.raises(ValueError, match="snapshot"):
            pq.Index.from_bytes(data[:end])
        bent = bytearray(data)
        bent[end] ^= 0x55
        with pytest.raises(ValueError, match="snapshot"):
            pq.Index.from_bytes(bent)
    for bad in ("text", None, 3, [1, 2]):
        with pytest.raises(TypeError):
            pq.Index.from_bytes(bad)  # type: ignore[arg-type]


def test_what_a_mask_hides_is_refused() -> None:
    boxes = np.ma.array(GOOD, mask=GOOD == 9)
    with pytest.raises(ValueError, match="`boxes` has masked values"):
        pq.Index(boxes)
    with pytest.raises(ValueError, match="`x` has masked values"):
        pq.encounters([1, 2], [0.0, 0.0], np.ma.array([1.0, 2.0], mask=[True, False]), [0.0, 0.0], within=1)
    hidden = np.ma.array(np.ones((2, 2)), mask=np.eye(2, dtype=bool))
    with pytest.raises(ValueError, match="`free` has masked values"):
        pq.PathMap(hidden.astype(bool))
    with pytest.raises(ValueError, match="`kinds` has masked values"):
        pq.TerrainMap(hidden.astype(np.uint8))
    with pytest.raises(ValueError, match="`free` has masked values"):
        pq.PathMap(np.ones((2, 2), bool)).edit(0, 0, hidden.astype(bool))
    with pytest.raises(ValueError, match="`box` has masked values"):
        pq.neighbors(GOOD[:, :2].copy(), 1.0, box=hidden[0])
    with pytest.raises(ValueError, match="`a` has masked values"):
        pq.to_arrow({"a": hidden[0]})


def test_chunks_notice_a_change() -> None:
    index = pq.Index(random_boxes(5000))
    chunks = index.iter_pairs(10)
    assert next(chunks).shape == (2, 10)
    index.move([0], [0, 0, 1, 1])
    with pytest.raises(RuntimeError, match="the index changed"):
        list(chunks)
    assert all(chunk.shape[1] <= 10 for chunk in index.iter_pairs(10))
    chunks = index.iter_pairs(10)
    next(chunks)
    index.events()
    with pytest.raises(RuntimeError, match="the index changed"):
        list(chunks)


def test_names_of_structures_are_said_in_the_error() -> None:
    with pytest.raises(ValueError) as error:
        pq.Index(GOOD, "")
    assert all(re.search(name, str(error.value)) for name in pq.STRUCTURES)


@pytest.mark.parametrize(
    ("layers", "error", "message"),
    [
        (-1, ValueError, "`layers`, row 0: layers are 32 bits, 0 to 4294967295, not -1"),
        ([1, 2**32], ValueError, "`layers`, row 1: layers are 32 bits, 0 to 4294967295, not 4294967296"),
        ([1], ValueError, "`layers` has 1 entries for 2 boxes"),
        (1.5, TypeError, "`layers` is float64; whole numbers are needed"),
    ],
)
def test_bad_layers(layers: Any, error: type[Exception], message: str) -> None:
    boxes = np.array([[0.0, 0, 1, 1], [0, 0, 2, 2]])
    index = pq.Index(boxes)
    for call in (
        lambda: pq.Index(boxes, layers=layers),
        lambda: index.update(boxes[::-1], layers=layers),
        lambda: index.insert(boxes, layers=layers),
        lambda: index.set_layers([0, 1], layers),
    ):
        with pytest.raises(error, match=re.escape(message)):
            call()
    assert len(index) == 2 and np.array_equal(index.boxes(), boxes), "nothing has changed"
    assert index.layers().tolist() == [[2**32 - 1] * 2] * 2
    with pytest.raises(IndexError, match="row 1: no box has the id 7"):
        index.set_layers([0, 7], 1)
    assert index.layers(0).tolist() == [2**32 - 1] * 2

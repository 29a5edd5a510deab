"""What the type stubs accept and what they reject: mypy reads this file in strict mode, in which a needless `ignore` is a mistake."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyquadrille as pq
import pytest


class Table:
    """What is used of a DataFrame."""

    columns = ("xmin", "ymin", "xmax", "ymax")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[np.float64]:
        return np.array([[0, 0, 2, 2], [1, 1, 3, 3]], dtype=np.float64)


def test_rows_of_every_kind_pass() -> None:
    boxes = np.array([[0, 0, 2, 2], [1, 1, 3, 3]])
    half: npt.NDArray[np.float16] = boxes.astype(np.float16)
    for found in (
        pq.pairs(boxes),
        pq.pairs(half),
        pq.pairs(boxes.astype(np.float32), boxes),
        pq.pairs(Table()),
        pq.pairs([[0, 0, 2, 2], [1.0, 1, 3, 3]]),
        pq.pairs([boxes[0], boxes[1]]),
        pq.pairs(((0, 0, 2, 2), (1, 1, 3, 3))),
        pq.within(Table(), 1.0),
        pq.within(boxes, [0, 0, 1, 1], 1),
        pq.within(boxes, r=1),
        pq.Index(Table()).pairs(),
    ):
        assert found.shape[0] == 2


def test_pairs_are_two_rows_of_whole_numbers() -> None:
    boxes = np.array([[0, 0, 2, 2], [1, 1, 3, 3]])
    i, j = pq.pairs(boxes)
    rows: npt.NDArray[np.int64] = i
    text: str = j  # type: ignore[assignment]
    assert (rows.tolist(), len(text)) == ([0], 1)
    (i, j), far = pq.within(boxes, 1, return_distance=True)
    wrong: str = far  # type: ignore[assignment]
    assert len(i) == len(j) == len(wrong)


def test_neighbors_are_lists_or_pairs() -> None:
    points = np.array([[0.0, 0], [1, 0]])
    starts, ids = pq.neighbors(points, 1)
    rows: npt.NDArray[np.int64] = starts
    text: str = ids  # type: ignore[assignment]
    _, _, far = pq.neighbors(points, 1, points, box=(4, 4), return_distance=True)
    kept = pq.NeighborList(1, 0.5, box=4)
    is_new: bool = kept.update(points)
    (i, j), apart = kept.neighbors(pairs=True, return_distance=True)
    assert (rows.tolist(), len(text), len(far), is_new, len(i), len(j), len(apart)) == ([0, 1, 2], 2, 4, True, 1, 1, 1)
    i, j = pq.neighbors(points, 1, pairs=True)
    assert (i.tolist(), j.tolist()) == ([0], [1])


def test_what_is_no_rows_is_refused() -> None:
    mask: npt.NDArray[np.bool_] = np.array([[True] * 4])
    texts: list[list[str]] = [["0", "0", "1", "1"]]
    with pytest.raises(TypeError):
        pq.pairs("abc")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        pq.pairs(mask)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        pq.pairs(texts)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"needs a distance: within\(items, r\) or within\(a, b, r\)"):
        pq.within([[0, 0, 1, 1]])  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="a distance is a number, not list"):
        pq.within([[0, 0, 1, 1]], [[0, 0, 1, 1]])  # type: ignore[call-overload]

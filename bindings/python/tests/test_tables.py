"""Tables: columns count by their names, and numbers of every kind are read as such."""

from typing import Any

import numpy as np
import pyquadrille as pq
import pytest

pandas: Any = pytest.importorskip("pandas", reason="pandas is not installed")

BOXES = np.array([[0.0, 0, 2, 2], [1, 1, 3, 3], [5, 5, 6, 6]])
NAMES = ["xmin", "ymin", "xmax", "ymax"]


def frame(names: list[Any], kind: str = "float64", rows: Any = BOXES) -> Any:
    return pandas.DataFrame(rows, columns=names).astype(kind)


def test_columns_count_by_their_names_in_any_order() -> None:
    for names in (NAMES, ["minx", "miny", "maxx", "maxy"], ["x0", "y0", "x1", "y1"], ["X1", "Y1", "X2", "Y2"], ["west", "south", "east", "north"]):
        table = frame(names)
        for order in ([0, 1, 2, 3], [1, 0, 3, 2], [3, 1, 0, 2]):
            np.testing.assert_array_equal(pq.Index(table[[names[at] for at in order]]).boxes(), BOXES)
    for names in (["x", "y"], ["lon", "lat"], ["longitude", "latitude"], ["easting", "northing"]):
        table = frame(names, rows=BOXES[:, :2])
        for columns in (names, names[::-1]):
            np.testing.assert_array_equal(pq.Index(table[columns]).boxes()[:, :2], BOXES[:, :2])
    # One row of a table is a box, too.
    assert pq.Index(BOXES).query(frame(NAMES)[NAMES[::-1]].iloc[2]).tolist() == [2]


def test_cells_count_by_their_names() -> None:
    ground = pq.PathMap(np.ones((5, 9), bool))
    ends = pandas.DataFrame({"y": [0, 4], "x": [0, 8]})
    _, cells = ground.paths(ends[:1], ends[1:])
    assert cells[-1].tolist() == [8, 4]


def test_names_that_can_be_read_in_two_ways_are_refused() -> None:
    index = pq.Index(BOXES)
    for names in (["a", "b", "c", "d"], ["left", "top", "right", "bottom"], ["xmin", "ymin", "xmax", "xmax"], ["x", "y", "width", "height"]):
        calls: tuple[Any, ...] = (pq.Index, pq.pairs, index.query, index.update, lambda table: pq.pairs(table, skip_nan=True))
        for call in calls:
            with pytest.raises(ValueError, match="which is which"):
                call(frame(names))
    with pytest.raises(ValueError, match="`a` has the columns name, lon, lat: select the two of points, or the four of boxes"):
        pq.pairs(pandas.DataFrame({"name": ["A"], "lon": [1.0], "lat": [2.0]}))
    with pytest.raises(ValueError, match="`items` has the columns lat, x"):
        index.nearest(frame(["lat", "x"], rows=BOXES[:, :2]))


def test_columns_without_names_are_in_order() -> None:
    np.testing.assert_array_equal(pq.Index(pandas.DataFrame(BOXES)).boxes(), BOXES)
    np.testing.assert_array_equal(pq.Index(frame([7, 8, 9, 10])).boxes(), BOXES)


@pytest.mark.parametrize("kind", ["Float64", "Int64", "Float32", "UInt8", "double[pyarrow]", "int64[pyarrow]", "int32[pyarrow]"])
def test_nullable_and_arrow_columns_are_numbers(kind: str) -> None:
    if "pyarrow" in kind:
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = frame(NAMES, kind)
    np.testing.assert_array_equal(pq.Index(table).boxes(), BOXES)
    assert pq.nms(table, table["xmin"], 0.0).tolist() == [2, 1]
    index = pq.Index(BOXES)
    index.remove(pandas.Series([1, 2], dtype=kind) if "nt" in kind else [1, 2])
    assert len(index) == 1
    table.iloc[1, 2] = None
    with pytest.raises(ValueError, match="row 1: "):
        pq.Index(table)


def test_kinds_of_columns_are_joined_exactly() -> None:
    mixed = frame(NAMES, "Int64").astype({"xmax": "float64", "ymax": "double[pyarrow]"})
    np.testing.assert_array_equal(pq.Index(mixed).boxes(), BOXES)
    for kind in ("int64", "Int64"):
        large = pandas.DataFrame({"x": pandas.Series([1, 2**53 + 1], dtype=kind), "y": [0.5, 0.5]})
        with pytest.raises(ValueError, match="`boxes`, row 1: float64 cannot hold 9007199254740993"):
            pq.Index(large)


def test_tables_of_arrow() -> None:
    arrow: Any = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = arrow.table({"lat": [1.0, 2.0], "lon": [3.0, 4.0]})
    assert pq.Index(table).boxes()[:, :2].tolist() == [[3, 1], [4, 2]]
    with pytest.raises(ValueError, match="which is which"):
        pq.Index(table.rename_columns(["a", "b"]))

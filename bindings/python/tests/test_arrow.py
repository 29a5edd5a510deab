"""Tables of Arrow from any library are read by their columns, in place, and answers are lent as such tables."""

from datetime import datetime
from typing import Any

import numpy as np
import pyquadrille as pq
import pytest
from pyquadrille._tables import column_of

BOXES = np.array([[0.0, 0, 2, 2], [1, 1, 3, 3], [5, 5, 6, 6]])
NAMES = ["ymin", "xmin", "xmax", "ymax"]
ORDER = [1, 0, 2, 3]


class Stream:
    """What another library may be: Arrow's interface and nothing else."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


def _tables(columns: dict[str, Any]) -> list[Any]:
    arrow: Any = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = arrow.table(columns)
    some = max(1, len(table) // 2)
    chunks = arrow.concat_tables([table[:some], table[:0], table[some:]])
    return [table, chunks, Stream(table), Stream(chunks), Stream(table[:]), arrow.concat_tables([table, table])[len(table) :]]


@pytest.mark.parametrize("kind", ["float32", "float64", "int32", "int64", "uint8", "float16"])
def test_columns_of_tables_count_by_their_names(kind: str) -> None:
    columns = {name: BOXES[:, at].astype(kind) for name, at in zip(NAMES, ORDER)}
    for table in _tables(columns):
        assert pq.pairs(table).tolist() == pq.pairs(BOXES.astype(kind)).tolist() == [[0], [1]]
        assert pq.pairs(table, BOXES[:1].astype(kind)).tolist() == [[0, 1], [0, 0]]
        assert pq.Index(table).boxes().dtype == pq.Index(BOXES.astype(kind)).boxes().dtype
    empty = _tables({name: column[:0] for name, column in columns.items()})
    assert all(pq.pairs(table).shape == (2, 0) for table in empty)


def test_a_column_of_one_chunk_is_not_copied() -> None:
    arrow: Any = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    numbers = np.arange(9.0)
    column = column_of(arrow.array(numbers)[2:], "x")
    assert column.tolist() == numbers[2:].tolist() and np.shares_memory(column, numbers) and not column.flags.writeable


def test_missing_values_and_wrong_types_name_the_column() -> None:
    missing = {"x": [0.0, 1, None, 3], "y": np.arange(4)}
    for table in _tables(missing):
        with pytest.raises(ValueError, match=r"`items`, column x, row 2: the value is missing \(null\)"):
            pq.within(table, 1.5)
    boxes: dict[str, Any] = {name: [*BOXES[:, at], None] for name, at in zip(NAMES, ORDER)}
    for table in _tables(boxes):
        assert pq.pairs(table, skip_nan=True).tolist() == [[0], [1]]
    for values, told in ((["a", "b"], "text"), ([True, False], "bool"), ([[1], [2]], "list"), ([datetime(2026, 1, 1)] * 2, "time")):
        for table in _tables({"x": [1.0, 2.0], "y": values}):
            with pytest.raises(TypeError, match=f"`a`, column y is Arrow of type {told}; real numbers are needed"):
                pq.pairs(table)
    for table in _tables({"a": [1.0], "b": [1.0]}):
        with pytest.raises(ValueError, match="`a` has the columns a, b: which is which"):
            pq.pairs(table)
    for table in _tables({"x": [0.5, 0.5], "y": [1, 2**53 + 1]}):
        with pytest.raises(ValueError, match="`a`, row 1: float64 cannot hold 9007199254740993"):
            pq.pairs(table)


def _tracks() -> dict[str, Any]:
    times = [datetime(2026, 5, 1, 12), datetime(2026, 5, 1, 12, 10)] * 2
    names = ["one", "one", "a name of more than twelve bytes", "a name of more than twelve bytes"]
    return {"id": names, "t": times, "x": [0.0, 600, 600, 0], "y": [0, 0, 1, 1]}


def test_encounters_of_columns_of_arrow_come_back_as_a_table() -> None:
    arrow: Any = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    tracks = _tracks()
    expected = pq.encounters(**tracks, within=100)
    assert expected["a"].tolist() == ["a name of more than twelve bytes"] and expected["b"].tolist() == ["one"]
    for names in (arrow.array(tracks["id"]), arrow.array(tracks["id"]).dictionary_encode(), arrow.array(tracks["id"], "string_view")):
        table = arrow.table(tracks | {"id": names})
        columns = {name: Stream(table[name]) for name in tracks}
        met = pq.encounters(columns["id"], columns["t"], columns["x"], columns["y"], within=100)
        assert {name: column.tolist() for name, column in met.items()} == {name: column.tolist() for name, column in expected.items()}
        given = arrow.record_batch(pq.to_arrow(met)).to_pydict()
        assert given == {name: column.tolist() for name, column in expected.items()}
    for name, message in (("id", "`id`, row 1: None is not an id"), ("x", "`x`, row 1: the value is"), ("t", "`t`, row 1: the value is")):
        values = tracks[name][:1] + [None] + tracks[name][2:]
        with pytest.raises(ValueError, match=message):
            pq.encounters(**(tracks | {name: arrow.array(values)}), within=100)


def test_a_table_outlives_the_arrays_and_is_lent_again_and_again() -> None:
    arrow: Any = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    i, j = pq.pairs(np.random.default_rng(1).random((500, 2)).repeat(2, 1)[:, [0, 2, 1, 3]] * 9 + [0, 0, 1, 1])
    expected = {"i": i.tolist(), "j": j.tolist(), "far": (i / 2).tolist()}
    table = pq.to_arrow({"i": i, "j": j, "far": i / 2})
    # Released before anybody has read it.
    del i, j
    table.__arrow_c_array__()
    lent = [arrow.record_batch(table), arrow.record_batch(table)]
    del table
    assert [each.to_pydict() for each in lent] == [expected] * 2
    assert len(pq.to_arrow({})) == 0
    names = ["a", "a name of more than twelve bytes"]
    for kind in ("U", "O", *("T" for _ in (1,) if hasattr(np.dtypes, "StringDType"))):
        assert arrow.record_batch(pq.to_arrow({"name": np.array(names, kind)})).to_pydict() == {"name": names}
    for kind in ("M8[10s]", "M8[7ms]", "M8[D]"):
        dates = np.array(["1970-01-08"]).astype(kind)
        (told,) = arrow.record_batch(pq.to_arrow({"t": dates})).to_pydict()["t"]
        assert np.datetime64(told) == dates[0]
    wrong: Any = [({"a": [1], "b": [1, 2]}, "different lengths"), ({"a": [[1]]}, "`a` has the shape"), ({"a": [1j]}, "`a` is complex128")]
    fine = np.array([1], "M8[ps]")
    for columns, told in [*wrong, ({"a": [None]}, "`a` is object"), ({"a": fine}, "finer than nanoseconds")]:
        with pytest.raises((ValueError, TypeError), match=told):
            pq.to_arrow(columns)


def test_frames_of_polars() -> None:
    polars: Any = pytest.importorskip("polars", reason="polars is not installed")
    frame = polars.DataFrame({name: BOXES[:, at] for name, at in zip(NAMES, ORDER)})
    for table in (frame, polars.concat([frame[:2], frame[2:]], rechunk=False)):
        i, j = pq.pairs(table)
        assert polars.DataFrame(pq.to_arrow({"i": i, "j": j})).to_dict(as_series=False) == {"i": [0], "j": [1]}
    tracks = polars.DataFrame(_tracks())
    met = polars.DataFrame(pq.to_arrow(pq.encounters(*tracks, within=100)))
    assert met.schema["start"] == polars.Datetime("us") and met["b"].to_list() == ["one"]
    with pytest.raises(ValueError, match="`a`, column xmin, row 1: the value is missing"):
        pq.pairs(frame.with_columns(xmin=polars.Series([1.0, None, 2.0])))
    wkb = polars.DataFrame({"name": ["a", "b"], "geometry": [bytes(21), None]}).with_columns(
        geometry=polars.lit(b"\x01\x01\x00\x00\x00" + np.array([1.0, 2.0]).tobytes())
    )
    assert pq.join(wkb, wkb["geometry"])[0].tolist() == [0, 0, 1, 1]
    assert pq.join_nearest(wkb, wkb, count=1)[2].tolist() == [0.0, 0.0]
    with pytest.raises(ValueError, match="a is a table without a column of GeoArrow, or one of bytes"):
        pq.join(frame, wkb)

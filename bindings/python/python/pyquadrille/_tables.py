"""Tables of other packages as arrays: columns in the order of their names, and numbers of any kind as numpy's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core

# The formats of texts in Arrow's interface.
_TEXTS = ("u", "U", "vu")
# Names of columns that can be read in one way, in the order of an array's columns.
_ORDERS = (
    ("xmin", "ymin", "xmax", "ymax"),
    ("x_min", "y_min", "x_max", "y_max"),
    ("minx", "miny", "maxx", "maxy"),
    ("min_x", "min_y", "max_x", "max_y"),
    ("x0", "y0", "x1", "y1"),
    ("x1", "y1", "x2", "y2"),
    ("west", "south", "east", "north"),
    ("x", "y"),
    ("dx", "dy"),
    ("vx", "vy"),
    ("lon", "lat"),
    ("lng", "lat"),
    ("long", "lat"),
    ("longitude", "latitude"),
    ("easting", "northing"),
    ("column", "row"),
    ("col", "row"),
)


def array_of(rows: Any, name: str, has_nan: bool = False) -> npt.NDArray[Any]:
    """An array of rows, or of one; the columns of a table by their names. Missing values of Arrow are errors, or NaN."""
    _refuse_masked(rows, f"`{name}`")
    is_table, chunks = _arrow(rows)
    if is_table:
        return _of_chunks(chunks, name, has_nan)
    names = getattr(rows, "columns", None)
    if names is not None:
        return _of_columns(rows, list(names), name)
    array = np.asarray(rows)
    if array.shape in ((2,), (4,)) and hasattr(rows, "index") and hasattr(rows, "to_numpy"):
        places = _places(list(rows.index), name)
        return array if places is None else array[places]
    return array


def _of_chunks(chunks: list[list[_core.ArrowColumn]], name: str, has_nan: bool) -> npt.NDArray[Any]:
    names = [part.name for part in chunks[0]]
    return _stacked(names, lambda place: _joined([parts[place] for parts in chunks], f"`{name}`, column {names[place]}", has_nan), name)


def _of_columns(table: Any, names: list[Any], name: str) -> npt.NDArray[Any]:
    if not hasattr(table, "__getitem__"):
        return np.asarray(table)[:, _places(names, name) or range(len(names))]
    return _stacked(names, lambda place: column_of(table[names[place]], f"`{name}`, column {names[place]}"), name)


def _stacked(names: list[Any], column_at: Callable[[int], npt.NDArray[Any]], name: str) -> npt.NDArray[Any]:
    """The columns side by side, in the order of their names."""
    places = _places(names, name)
    columns = [column_at(place) for place in places or range(len(names))]
    kind = np.result_type(*columns)
    for column in columns:
        # Whole numbers beside fractions become float64, which does not hold all of them.
        if kind.kind == "f" and column.dtype.kind in "iu" and (differs := column.astype(kind).astype(column.dtype) != column).any():
            row = int(differs.argmax())
            raise ValueError(f"`{name}`, row {row}: {kind} cannot hold {column[row]}")
    return np.column_stack(columns)


def _places(names: list[Any], name: str) -> list[int] | None:
    """The positions of the columns that make a box or a point; None if they have numbers for names, and so are in order."""
    if names and not any(isinstance(each, str) for each in names):
        return None
    lower = [str(each).lower() for each in names]
    for order in _ORDERS:
        if sorted(order) == sorted(lower):
            return [lower.index(each) for each in order]
    told = ", ".join(map(str, names))
    if len(names) not in (2, 4):
        raise ValueError(f"`{name}` has the columns {told}: select the two of points, or the four of boxes")
    wanted = "xmin, ymin, xmax, ymax" if len(names) == 4 else "x, y or lon, lat"
    raise ValueError(f"`{name}` has the columns {told}: which is which? Name them {wanted}, or give an array, .to_numpy()")


def column_of(column: Any, name: str) -> npt.NDArray[Any]:
    """A column as numpy's numbers. Missing ones are NaN, of Arrow errors; older versions of pandas have objects for such numbers."""
    _refuse_masked(column, f"`{name}`")
    is_table, chunks = _arrow(column)
    if chunks and not is_table and (_is_read(chunks[0][0]) or not hasattr(column, "__array__")):
        return _joined([part for (part,) in chunks], f"`{name}`", False, are_numbers=False)
    array = np.asarray(column)
    kind = getattr(getattr(column, "dtype", None), "numpy_dtype", None)
    if array.dtype.kind != "O" or kind is None or kind.kind not in "iuf":
        return array
    return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan) if column.isna().any() else column.to_numpy(dtype=kind))


def _refuse_masked(values: Any, name: str) -> None:
    if np.ma.is_masked(values):
        raise ValueError(f"{name} has masked values: fill them, or leave such rows out")


def _arrow(values: Any) -> tuple[bool, list[list[_core.ArrowColumn]]]:
    """Whether an object with Arrow's interface is a table, and the columns of its chunks; none of what numpy reads, such as pandas' frames."""
    if hasattr(values, "iloc") or not (hasattr(values, "__arrow_c_array__") or hasattr(values, "__arrow_c_stream__")):
        return False, []
    is_table, chunks = _core.arrow_columns(values)
    if not chunks[0]:
        return False, []
    return is_table, [parts for parts in chunks if len(parts[0])] or chunks[:1]


def _is_read(part: _core.ArrowColumn) -> bool:
    return part.format in _TEXTS or part.dictionary is not None or hasattr(part, "__array_interface__")


def _joined(parts: list[_core.ArrowColumn], told: str, has_nan: bool, are_numbers: bool = True) -> npt.NDArray[Any]:
    """A column of one chunk or several; that of one is read where it is."""
    if not _is_read(parts[0]) or (are_numbers and (parts[0].format in _TEXTS or parts[0].format.startswith("t"))):
        raise TypeError(f"{told} is Arrow of type {_type_of(parts[0])}; real numbers are needed: cast it to float64")
    arrays, row = [], 0
    for part in parts:
        arrays.append(_values(part, told, row, has_nan))
        row += len(part)
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def _values(part: _core.ArrowColumn, told: str, row: int, has_nan: bool) -> npt.NDArray[Any]:
    missing = part.missing()
    if part.format in _TEXTS:
        return np.array(part.texts(), dtype=object)
    array: npt.NDArray[Any] = np.asarray(part)
    if part.dictionary is not None:
        names = _values(part.dictionary, told, 0, False)
        values = np.full(len(array), None)
        there = np.delete(np.arange(len(array)), missing)
        values[there] = names[array[there]]
        return values
    if part.format == "tdD":
        array = array.astype("datetime64[D]")
    if missing.size == 0:
        return array
    if not has_nan or array.dtype.kind == "M":
        raise ValueError(f"{told}, row {row + missing[0]}: the value is missing (null): leave such rows out")
    array = array.astype(np.result_type(array, np.float32))
    array[missing] = np.nan
    return array


def _type_of(part: _core.ArrowColumn) -> str:
    """The name of a type, as far as it has a short one."""
    kinds = dict(n="null", b="bool", d="decimal", u="text", U="text", v="text", t="time", z="bytes", Z="bytes") | {"+": "list"}
    return "bytes" if part.format == "vz" else kinds.get(part.format[:1], part.format)


def unit_of(times: npt.NDArray[Any]) -> str | None:
    """Arrow's unit for numpy's times, whose own may be a multiple, such as ten seconds; None if that is finer than nanoseconds."""
    unit = np.datetime_data(times.dtype)[0]
    return None if unit in ("ps", "fs", "as") else unit if unit in ("s", "ms", "us", "ns") else "s"


def to_arrow(columns: Mapping[str, npt.ArrayLike]) -> _core.ArrowTable:
    """A table of columns for every library that reads Arrow: `polars.DataFrame(to_arrow({"a": i, "b": j}))`, or `pyarrow.record_batch`.

    Columns are arrays of numbers, of times (datetime64, without NaT) or of texts, such as `encounters` returns; numbers are not copied, so
    leave them unchanged while the table is used. It needs no other package.

        >>> import pyquadrille as pq
        >>> i, j = pq.pairs([[0, 0, 2, 2], [1, 1, 3, 3]])
        >>> len(pq.to_arrow({"a": i, "b": j}))
        1
    """
    arrays = {name: column_of(values, name) for name, values in columns.items()}
    lent = [(name, *_buffers(values, name)) for name, values in arrays.items()]
    counts = {len(values) for values in arrays.values()}
    if len(counts) > 1:
        raise ValueError(f"the columns have different lengths: {', '.join(map(str, sorted(counts)))}")
    return _core.ArrowTable(lent, counts.pop() if counts else 0)


def _buffers(column: npt.NDArray[Any], name: str) -> tuple[str, list[npt.NDArray[Any]]]:
    """The format of a column, and what Arrow calls its buffers."""
    if column.ndim != 1:
        raise ValueError(f"`{name}` has the shape {column.shape}; columns have one dimension")
    if column.dtype.kind in "OUT" and all(isinstance(value, str) for value in column.tolist()):
        texts = [value.encode() for value in column.tolist()]
        ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        return "U", [ends, np.frombuffer(b"".join(texts) or b"\0", dtype=np.uint8)]
    if column.dtype.kind == "M" and not np.isnat(column).any():
        unit = unit_of(column)
        if unit is None:
            raise TypeError(f"`{name}` is {column.dtype}; Arrow has no times finer than nanoseconds")
        return f"ts{unit[0]}:", [np.ascontiguousarray(column.astype(f"datetime64[{unit}]")).view(np.int64)]
    formats = dict(zip(("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"), "cCsSiIlLfg"))
    if column.dtype.str[1:] not in formats or not column.dtype.isnative:
        raise TypeError(f"`{name}` is {column.dtype}; columns for Arrow are numbers, times without NaT, or texts")
    return formats[column.dtype.str[1:]], [np.ascontiguousarray(column)]

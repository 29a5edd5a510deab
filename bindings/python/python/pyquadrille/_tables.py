"""Tables of other packages as arrays: columns in the order of their names, and numbers of any kind as numpy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

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


def array_of(rows: Any, name: str) -> npt.NDArray[Any]:
    """An array of rows, or of one; the columns of a table by their names."""
    # pyarrow's columns are lists of arrays, and its names are elsewhere.
    names = getattr(rows, "column_names", getattr(rows, "columns", None))
    if names is not None:
        return _of_columns(rows, list(names), name)
    array = np.asarray(rows)
    if array.shape in ((2,), (4,)) and hasattr(rows, "index") and hasattr(rows, "to_numpy"):
        places = _places(list(rows.index), name)
        return array if places is None else array[places]
    return array


def _of_columns(table: Any, names: list[Any], name: str) -> npt.NDArray[Any]:
    if len(names) not in (2, 4):
        # Its shape is rejected, whatever it is.
        return np.asarray(table)
    places = _places(names, name) or range(len(names))
    if not hasattr(table, "__getitem__"):
        return np.asarray(table)[:, places]
    columns = [column_of(table[names[place]]) for place in places]
    kind = np.result_type(*columns)
    for column in columns:
        # Whole numbers beside fractions become float64, which does not hold all of them.
        if kind.kind == "f" and column.dtype.kind in "iu" and (differs := column.astype(kind).astype(column.dtype) != column).any():
            row = int(differs.argmax())
            raise ValueError(f"`{name}`, row {row}: {kind} cannot hold {column[row]}")
    return np.column_stack(columns)


def _places(names: list[Any], name: str) -> list[int] | None:
    """The positions of the columns that make a box or a point; None if they have numbers for names, and so are in order."""
    if not any(isinstance(each, str) for each in names):
        return None
    lower = [str(each).lower() for each in names]
    for order in _ORDERS:
        if sorted(order) == sorted(lower):
            return [lower.index(each) for each in order]
    told = ", ".join(map(str, names))
    wanted = "xmin, ymin, xmax, ymax" if len(names) == 4 else "x, y or lon, lat"
    raise ValueError(f"`{name}` has the columns {told}: which is which? Name them {wanted}, or give an array, .to_numpy()")


def column_of(column: Any) -> npt.NDArray[Any]:
    """A column as numpy's numbers; missing ones are NaN. Older versions of pandas have objects for numbers that may be missing."""
    array = np.asarray(column)
    kind = getattr(getattr(column, "dtype", None), "numpy_dtype", None)
    if array.dtype.kind != "O" or kind is None or kind.kind not in "iuf":
        return array
    return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan) if column.isna().any() else column.to_numpy(dtype=kind))

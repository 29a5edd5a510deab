"""Columns of fixes as `encounters` takes them: ids, times and numbers of every kind as arrays, or an error that names the row."""

from __future__ import annotations

from datetime import date, datetime, timezone
from typing import Any

import numpy as np
import numpy.typing as npt

from ._tables import column_of, unit_of


def numbered(ids: Any) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint32]]:
    """The different ids, ascending, and for each row which it is."""
    column = _one_dimension(ids, "id")
    if column.dtype.kind == "f" and isinstance(ids, (list, tuple)) and (np.abs(column) >= 2**53).any():
        # numpy makes floats of whole numbers if only some need 64 bits; they do not hold all of them.
        column = np.array(ids, dtype=object)
    missing = _missing(column)
    if missing is not None:
        raise ValueError(f"`id`, row {missing}: {column[missing]!r} is not an id: leave such rows out")
    try:
        names, which = np.unique(column, return_inverse=True)
    except TypeError:
        kinds = sorted({type(value).__name__ for value in column.tolist()})
        raise TypeError(f"`id` has values that cannot be compared with each other: {' and '.join(kinds)}") from None
    return names, which.astype(np.uint32)


def numbers(values: Any, name: str) -> npt.NDArray[np.float64]:
    """A column as float64, if it is made of real numbers."""
    column = _one_dimension(values, name)
    if not np.can_cast(column.dtype, np.float64):
        raise TypeError(f"`{name}` is {column.dtype}; real numbers are needed: convert it with .astype(np.float64)")
    return np.ascontiguousarray(column, dtype=np.float64)


def times(values: Any) -> tuple[npt.NDArray[np.float64], bool]:
    """Times in seconds, and whether they came as dates: datetime64, datetimes or texts, in UTC if they have a time zone."""
    if getattr(getattr(values, "dtype", None), "tz", None) is not None:
        # Times of pandas with a zone; as numpy's they are in UTC.
        values = np.asarray(values, dtype=f"datetime64[{values.dtype.unit}]")
    column = _one_dimension(values, "t")
    if column.dtype.kind in "OUT" and column.size > 0:
        missing = _missing(column)
        if missing is not None:
            raise ValueError(f"`t`, row {missing}: {column[missing]!r} is not a time: leave such rows out")
        column = _dates(column)
    if column.dtype.kind != "M":
        return numbers(column, "t"), False
    missing = _missing(column)
    if missing is not None:
        raise ValueError(f"`t`, row {missing}: the time is missing (NaT): leave such rows out")
    # Nanoseconds reach from 1677 to 2262 only.
    unit, second = ("ns", 1e9) if unit_of(column) in ("ns", None) else ("us", 1e6)
    return column.astype(f"datetime64[{unit}]").astype(np.int64) / second, True


def _dates(column: npt.NDArray[Any]) -> npt.NDArray[np.datetime64]:
    """Datetimes or texts as numpy's dates."""
    dates = np.empty(column.size, dtype="datetime64[us]")
    zones = set()
    for row, value in enumerate(column.tolist()):
        time = _time(value)
        if time is None:
            raise ValueError(f"`t`, row {row}: {value!r} is not a time: give numbers, datetimes or ISO 8601")
        zones.add(time.tzinfo is not None)
        if len(zones) == 2:
            raise ValueError(f"`t`, row {row}: {value!r} has {'a' if time.tzinfo else 'no'} time zone, unlike the rows before it")
        dates[row] = time.astimezone(timezone.utc).replace(tzinfo=None) if time.tzinfo else time
    return dates


def _time(value: Any) -> datetime | None:
    """A time, or a text in the form of ISO 8601."""
    if isinstance(value, str):
        text = value.strip()
        for zone in (" UTC", "Z", "z"):
            text = text.removesuffix(zone) + "+00:00" if text.endswith(zone) else text
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            return None
    # pandas' value for a missing time is a datetime, too: one that does not equal itself.
    if isinstance(value, datetime):
        return value if value == value else None
    return datetime(value.year, value.month, value.day) if isinstance(value, date) else None


def _one_dimension(values: Any, name: str) -> npt.NDArray[Any]:
    column = column_of(values, name)
    if column.ndim != 1:
        raise ValueError(f"`{name}` must have one dimension: a value for each fix")
    return column


def _missing(column: npt.NDArray[Any]) -> int | None:
    """The first row without a value."""
    if column.dtype.kind == "O":
        return next((row for row, value in enumerate(column.tolist()) if _is_missing(value)), None)
    if column.dtype.kind not in "fM":
        return None
    missing = column != column
    return int(missing.argmax()) if missing.any() else None


def _is_missing(value: Any) -> bool:
    """None, NaN, and pandas' NA, which is neither equal to itself nor not."""
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True

"""shapely's `STRtree` over boxes."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from .._core import Index
from ._kdtree import sorted_in_rows

# Does the predicate of that name hold for boxes a (of the query) and b (in the tree)? Boxes include their edges; a box without area has no
# inside, so shapely's rules for polygons apply here to boxes with area, points and segments alike.
_PREDICATES = ("intersects", "contains", "covers", "within", "covered_by", "contains_properly", "dwithin")


class STRtree:
    """A tree of boxes, an array (n, 4), or of geometries of shapely, by their bounds.

    Answers are indices. For boxes, everything is exact. For geometries, shapely itself decides predicates and distances, of those whose
    bounds come into question. None and empty geometries are in no answer, but count in the indices.
    """

    def __init__(self, geometries: Any, node_capacity: int = 10) -> None:
        boxes, shapes = _read(geometries)
        if boxes.ndim != 2:
            raise TypeError("Array should be one dimensional")
        self._shapes = shapes
        self._boxes = boxes
        self._rows = np.flatnonzero(~np.isnan(boxes).any(axis=1))
        self._index = Index(np.ascontiguousarray(boxes[self._rows]), "frame-tree")

    def __len__(self) -> int:
        return len(self._rows)

    def __reduce__(self) -> tuple[Any, ...]:
        return STRtree, (self.geometries,)

    @property
    def geometries(self) -> npt.NDArray[Any]:
        """What the tree was made of."""
        return self._boxes if self._shapes is None else self._shapes

    def query(self, geometry: Any, predicate: str | None = None, distance: Any = None) -> npt.NDArray[np.int64]:
        """The indices of what overlaps one box, (k,); of an array, which of it and which of the tree, (2, n)."""
        boxes, shapes = _read(geometry)
        is_one, boxes = boxes.ndim == 1, np.atleast_2d(boxes)
        shapes = None if shapes is None else np.atleast_1d(shapes)
        asked = np.flatnonzero(~np.isnan(boxes).any(axis=1))
        if predicate == "dwithin":
            if distance is None:
                raise ValueError("distance parameter must be provided when predicate='dwithin'")
            far = _distances_asked(distance, len(boxes))
            asked = asked[far[asked] >= 0]
            pairs = self._index.within(boxes[asked], far[asked])
        else:
            far = np.zeros(len(boxes))
            pairs = self._index.query(boxes[asked])
        pairs[0], pairs[1] = asked[pairs[0]], self._rows[pairs[1]]
        if predicate is not None:
            pairs = pairs[:, self._holds(predicate, boxes, shapes, pairs, far)]
        pairs[1] = sorted_in_rows(pairs[0], pairs[1], len(self._boxes))
        return pairs[1] if is_one else pairs

    def nearest(self, geometry: Any) -> Any:
        """The index of the nearest; for an array, that of the nearest of each."""
        boxes, _ = _read(geometry)
        if len(self) == 0:
            return None
        if np.isnan(boxes).any():
            raise ValueError("Cannot determine nearest geometry for empty geometry or missing value (None).")
        pairs = np.atleast_2d(self.query_nearest(geometry, all_matches=False))
        return int(pairs[0, 0]) if boxes.ndim == 1 else pairs[1]

    def query_nearest(
        self,
        geometry: Any,
        max_distance: float | None = None,
        return_distance: bool = False,
        exclusive: bool = False,
        all_matches: bool = True,
    ) -> Any:
        """The nearest of each, all that are equally near unless `all_matches` is false, in the shape of `query`."""
        if max_distance is not None:
            if np.ndim(max_distance) != 0:
                raise ValueError("max_distance parameter only accepts scalar values")
            if not max_distance > 0:
                raise ValueError("max_distance must be greater than 0")
        for name, value in (("exclusive", exclusive), ("all_matches", all_matches)):
            if np.ndim(value) != 0:
                raise ValueError(f"{name} parameter only accepts scalar values")
            if not isinstance(value, (bool, np.bool_)):
                raise ValueError(f"{name} parameter must be boolean")
        boxes, shapes = _read(geometry)
        is_one, boxes = boxes.ndim == 1, np.atleast_2d(boxes)
        shapes = None if shapes is None else np.atleast_1d(shapes)
        pairs, far = self._nearest_of_each(boxes, shapes, np.inf if max_distance is None else float(max_distance), exclusive)
        if not all_matches:
            # Of equally near ones, takes the first: rows ascend, and indices within a row.
            is_first = np.diff(pairs[0], prepend=-1) > 0
            pairs, far = pairs[:, is_first], far[is_first]
        found = pairs[1] if is_one else pairs
        return (found, far) if return_distance else found

    def _nearest_of_each(self, boxes: Any, shapes: Any, most: float, exclusive: bool) -> tuple[Any, Any]:
        """All of the tree at the least distance. The bounds of geometries are no farther than the geometries, so what is as near as any
        one of them is among the boxes that are as near as that.
        """
        asked = np.flatnonzero(~np.isnan(boxes).any(axis=1)) if len(self) > 0 else np.empty(0, np.int64)
        reach, k, rest = np.full(len(boxes), np.inf), 1, asked
        while len(rest) > 0:
            first = self._rows[self._index.nearest(boxes[rest], k, return_distance=False).reshape(len(rest), k)]
            rows, ids = np.repeat(rest, k), first.ravel()
            if exclusive:
                rows, ids = rows[differs := ~self._equals(boxes, shapes, rows, ids)], ids[differs]
            np.minimum.at(reach, rows, self._distances(boxes, shapes, rows, ids))
            rest = rest[np.isinf(reach[rest])] if k < len(self) else rest[:0]
            k = min(2 * k, len(self))
        asked = asked[np.isfinite(reach[asked])]
        rows, ids = self._index.within(boxes[asked], np.nextafter(np.minimum(reach[asked], most), np.inf))
        rows = asked[rows]
        ids = sorted_in_rows(rows, self._rows[ids], len(self._boxes))
        if exclusive:
            rows, ids = rows[differs := ~self._equals(boxes, shapes, rows, ids)], ids[differs]
        far = self._distances(boxes, shapes, rows, ids)
        np.minimum.at(reach, rows, far)
        is_least = (far == reach[rows]) & (far <= most)
        return np.vstack([rows[is_least], ids[is_least]]), far[is_least]

    def _distances(self, boxes: Any, shapes: Any, rows: Any, ids: Any) -> Any:
        if shapes is not None and self._shapes is not None:
            return sys.modules["shapely"].distance(shapes[rows], self._shapes[ids])
        a, b = boxes[rows], self._boxes[ids]
        gap = np.maximum(0.0, np.maximum(a[:, :2] - b[:, 2:], b[:, :2] - a[:, 2:]))
        return np.sqrt((gap**2).sum(axis=1))

    def _equals(self, boxes: Any, shapes: Any, rows: Any, ids: Any) -> Any:
        if shapes is not None and self._shapes is not None:
            return sys.modules["shapely"].equals(shapes[rows], self._shapes[ids])
        return (self._boxes[ids] == boxes[rows]).all(axis=1)

    def _holds(self, predicate: str, boxes: Any, shapes: Any, pairs: Any, far: Any) -> Any:
        if shapes is not None and self._shapes is not None:
            return _holds_of_shapes(predicate, shapes[pairs[0]], self._shapes[pairs[1]], far[pairs[0]])
        a, b = boxes[pairs[0]], self._boxes[pairs[1]]
        if predicate in ("intersects", "dwithin"):
            return np.ones(pairs.shape[1], dtype=bool)
        if predicate in ("contains", "covers"):
            return ((a[:, :2] <= b[:, :2]) & (b[:, 2:] <= a[:, 2:])).all(axis=1)
        if predicate in ("within", "covered_by"):
            return ((b[:, :2] <= a[:, :2]) & (a[:, 2:] <= b[:, 2:])).all(axis=1)
        if predicate == "contains_properly":
            return ((a[:, :2] < b[:, :2]) & (b[:, 2:] < a[:, 2:])).all(axis=1)
        raise ValueError(f"predicate={predicate!r} is not a valid option for boxes; there are: {', '.join(_PREDICATES)}")


def _read(geometry: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[Any] | None]:
    """Bounds, and the geometries if there are any. Bounds of missing ones are NaN."""
    array = np.asarray(geometry)
    if array.dtype.kind in "fiu" and array.ndim and array.shape[-1] == 4:
        return array.astype(np.float64), None
    shapely = sys.modules.get("shapely")
    if array.size == 0 and array.ndim == 1:
        return np.empty((0, 4)), array.astype(object)
    if shapely is None or array.dtype.kind != "O":
        raise TypeError("boxes of shape (n, 4) are needed, or geometries of shapely")
    if array.ndim > 1:
        raise TypeError("Array should be one dimensional")
    if not np.all(shapely.is_geometry(array) | (array == None)):  # noqa: E711
        raise TypeError("Array should be of object dtype and hold geometries of shapely only")
    return shapely.bounds(array), array.copy()


def _distances_asked(distance: Any, rows: int) -> Any:
    far = np.asarray(distance, dtype=np.float64)
    if far.ndim > 1:
        raise ValueError("Geometry and distance inputs should be one dimensional")
    if far.ndim == 1 and len(far) not in (1, rows):
        raise ValueError("Could not broadcast distance to match geometry")
    return np.where(np.isnan(far), -1.0, far) * np.ones(rows)


def _holds_of_shapes(predicate: str, a: Any, b: Any, far: Any) -> Any:
    shapely = sys.modules["shapely"]
    known = (*_PREDICATES, "touches", "overlaps", "crosses")
    if predicate not in known:
        raise ValueError(f"predicate={predicate!r} is not a valid option; there are: {', '.join(known)}")
    if len(a) == 0:
        return np.empty(0, dtype=bool)
    if predicate == "dwithin":
        return shapely.dwithin(a, b, far)
    prepared = getattr(shapely, predicate)
    return prepared(a, b)

"""Joins by true shapes: arrays of WKB, of shapely geometries or of GeoArrow, and GeoDataFrames."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from . import _core

if TYPE_CHECKING:
    import geopandas  # type: ignore[import-untyped, import-not-found, unused-ignore]

_Ids: TypeAlias = npt.NDArray[np.int64]
_Distances: TypeAlias = npt.NDArray[np.float64]
_Metric: TypeAlias = Literal["plane", "geodesic"]
_Edges: TypeAlias = Literal["straight", "geodesic"]
# GeoArrow's names for edges that are shortest ways, on a sphere or by some author's formula on the ellipsoid.
_CURVES = ("spherical", "vincenty", "thomas", "andoyer", "karney")


@overload
def join(
    a: Any,
    b: Any,
    predicate: str = ...,
    *,
    how: Literal["inner", "left", "right"] = ...,
    distance: float | None = ...,
    measure: Literal[False] = ...,
    metric: _Metric = ...,
    edges: _Edges | None = ...,
) -> tuple[_Ids, _Ids]: ...
@overload
def join(
    a: Any, b: Any, predicate: str = ..., *, how: Literal["inner"] = ..., distance: float | None = ..., measure: Literal[True]
) -> tuple[_Ids, _Ids, _Distances]: ...
def join(
    a: Any,
    b: Any,
    predicate: str = "intersects",
    *,
    how: Literal["inner", "left", "right"] = "inner",
    distance: float | None = None,
    measure: bool = False,
    metric: _Metric = "plane",
    edges: _Edges | None = None,
) -> tuple[_Ids, _Ids] | tuple[_Ids, _Ids, _Distances]:
    """The rows of `a` and of `b` that form a pair: those for which the predicate holds, as GEOS and PostGIS define it.

    `a` and `b` are lists or arrays of WKB (bytes) or shapely geometries, a GeoSeries, or anything with GeoArrow's interface; `None` and
    empty geometries are in no pair. Predicates: intersects, disjoint, contains, within, covers, covered_by, touches, crosses, overlaps,
    equals, and dwithin, which needs `distance`. Pairs are in the order of `a`, then of `b`. `how="left"` adds the rows of `a` that are in
    no pair, with -1 for `b`; `how="right"` adds those of `b`, and is in the order of `b`. `measure=True` (of `how="inner"`) also returns
    the area that two polygons of each pair have in common, or the length that lines have in common with others or with polygons; 0 for
    points.

    `metric="geodesic"` (of `dwithin`): coordinates are degrees of longitude and latitude, and `distance` is in meters on the ellipsoid
    WGS 84. Edges of lines and polygons are straight in degrees, as GeoJSON has them, or with `edges="geodesic"` the shortest ways. If
    `edges` is not given, they are geodesic if GeoArrow's metadata of `a` or `b` names other edges than planar ones, otherwise straight.

        >>> import pyquadrille as pq, shapely
        >>> zones = [shapely.box(0, 0, 4, 4), shapely.Point(9, 9).buffer(1)]
        >>> shops = shapely.points([[1, 1], [4, 2], [8.2, 8.2]])
        >>> i, j = pq.join(zones, shops)
        >>> i.tolist(), j.tolist()
        ([0, 0], [0, 1])
    """
    check_join(predicate, distance, how, metric)
    a, b = _shapes(a, "a"), _shapes(b, "b")
    if measure and metric != "plane":
        raise ValueError('measure is for the plane; metric="geodesic" measures distances only')
    if measure and how != "inner":
        raise ValueError(f'measure is for how="inner", not "{how}": what is in no pair has nothing in common')
    (i, j), measures = _core.join_shapes(a, b, predicate, distance, measure, (metric, _edges(a, b, metric, edges)))
    if measure:
        return i, j, measures
    if how == "inner":
        return i, j
    if how == "left":
        return _with_all(i, j, len(a))
    order = np.lexsort((i, j))
    j, i = _with_all(j[order], i[order], len(b))
    return i, j


def check_join(predicate: str, distance: float | None, how: str, metric: str) -> None:
    """Raises if these do not fit together. The join itself rejects unknown predicates and metrics."""
    if metric == "geodesic" and predicate != "dwithin":
        raise ValueError(f'metric="geodesic" is for predicate "dwithin" and for the nearest, not for "{predicate}"')
    if (predicate == "dwithin") != (distance is not None):
        raise ValueError('predicate "dwithin" needs a distance, and no other takes one')
    if how not in ("inner", "left", "right"):
        raise ValueError(f'how: "{how}" is neither "inner", "left" nor "right"')


def join_nearest(
    a: Any,
    b: Any,
    *,
    count: int | None = None,
    max_distance: float | None = None,
    exclusive: bool = False,
    metric: _Metric = "plane",
    edges: _Edges | None = None,
) -> tuple[_Ids, _Ids, _Distances]:
    """For each row of `a`, the nearest rows of `b` by true distance, and how far away.

    Finds the `count` nearest, or with `None` the nearest and all that are exactly as near, none farther away than `max_distance`.
    `exclusive` leaves out geometries that equal the one in `a`. Answers are in the order of `a`, then of the distance, then of `b`. `a`,
    `b`, `metric` and `edges` are those of `join`. On the earth, distances are never too long, and too short by a millimeter at most, or by
    ten centimeters about 10,000 km away.

        >>> import pyquadrille as pq, shapely
        >>> i, j, meters = pq.join_nearest(shapely.points([[179.99, 0]]), shapely.points([[170, 0], [-179.99, 0]]), metric="geodesic")
        >>> j.tolist(), meters.round().tolist()
        ([1], [2226.0])
    """
    most = math.inf if max_distance is None else max_distance
    if count is not None and count < 1:
        raise ValueError(f"count is at least 1, not {count}")
    a, b = _shapes(a, "a"), _shapes(b, "b")
    (i, j), distances = _core.nearest_shapes(a, b, count, most, exclusive, (metric, _edges(a, b, metric, edges)))
    return i, j, distances


def sjoin(
    left_df: geopandas.GeoDataFrame,
    right_df: geopandas.GeoDataFrame,
    how: Literal["inner", "left", "right"] = "inner",
    predicate: str = "intersects",
    lsuffix: str = "left",
    rsuffix: str = "right",
    distance: npt.ArrayLike | None = None,
    on_attribute: str | tuple[str, ...] | list[str] | None = None,
    *,
    metric: _Metric = "plane",
    edges: _Edges = "straight",
) -> geopandas.GeoDataFrame:
    """`geopandas.sjoin` with the pairs that quadrille finds: the same parameters and the same frame.

    `distance` is one for all rows, or one for each row of the left frame. Rows that belong to one row of the left frame are in the
    order of the right frame; geopandas does not define their order. `metric` and `edges` are those of `join`.
    """
    _check_degrees(metric, left_df, right_df)
    tools = _tools()
    names = [on_attribute] if isinstance(on_attribute, str) else list(on_attribute or ())
    tools._basic_checks(left_df, right_df, how, lsuffix, rsuffix, names)
    find: Any = join if distance is None or np.ndim(distance) == 0 else _join_each
    found = find(left_df.geometry, right_df.geometry, predicate, distance=distance, metric=metric, edges=edges)
    for name in names:
        found, _ = tools._filter_shared_attribute(left_df, right_df, *found, name)
    joined, _ = tools._frame_join(left_df, right_df, found, None, how, lsuffix, rsuffix, predicate, names)
    return joined


def _join_each(a: Any, b: Any, predicate: str, distance: Any, metric: _Metric, edges: _Edges) -> tuple[_Ids, _Ids]:
    """`join` with a distance for each row of `a`."""
    check_join(predicate, distance, "inner", metric)
    most = np.asarray(distance, np.float64)
    if most.shape != (len(a),):
        raise ValueError(f"distance is one number, or one for each of the {len(a)} rows on the left, not of shape {most.shape}")
    i, j, far = join_nearest(a, b, count=max(len(b), 1), max_distance=most.max(initial=0), metric=metric, edges=edges)
    i, j = i[far <= most[i]], j[far <= most[i]]
    order = np.lexsort((j, i))
    return i[order], j[order]


def sjoin_nearest(
    left_df: geopandas.GeoDataFrame,
    right_df: geopandas.GeoDataFrame,
    how: Literal["inner", "left", "right"] = "inner",
    max_distance: float | None = None,
    lsuffix: str = "left",
    rsuffix: str = "right",
    distance_col: str | None = None,
    exclusive: bool = False,
    *,
    metric: _Metric = "plane",
    edges: _Edges = "straight",
) -> geopandas.GeoDataFrame:
    """`geopandas.sjoin_nearest` with the pairs that quadrille finds: the same parameters and the same frame.

    `metric` and `edges` are those of `join`; with `metric="geodesic"`, `max_distance` and the distances are in meters.
    """
    _check_degrees(metric, left_df, right_df)
    tools = _tools()
    tools._basic_checks(left_df, right_df, how, lsuffix, rsuffix)
    if max_distance is not None and not max_distance > 0:
        raise ValueError("max_distance must be greater than 0")
    asking, asked = (right_df, left_df) if how == "right" else (left_df, right_df)
    i, j, distances = join_nearest(
        asking.geometry, asked.geometry, max_distance=max_distance, exclusive=exclusive, metric=metric, edges=edges
    )
    if how == "right":
        order = np.argsort(j, kind="stable")
        i, j, distances = j[order], i[order], distances[order]
    wanted = distances if distance_col is not None else None
    joined, wanted = tools._frame_join(left_df, right_df, (i, j), wanted, how, lsuffix, rsuffix, None)
    if distance_col is not None:
        joined[distance_col] = wanted
    return joined


def _check_degrees(metric: str, *frames: geopandas.GeoDataFrame) -> None:
    """Raises if degrees are needed, and a frame's coordinates are not degrees."""
    if metric == "geodesic":
        for frame in frames:
            if frame.crs is not None and not frame.crs.is_geographic:
                raise ValueError(f'metric="geodesic" needs degrees of longitude and latitude: call to_crs("EPSG:4326") of what is in {frame.crs.name}')


def _tools() -> Any:
    """How geopandas puts the rows of two frames together; it has no public name."""
    import importlib

    tools = importlib.import_module("geopandas.tools.sjoin")
    if not all(hasattr(tools, name) for name in ("_basic_checks", "_frame_join", "_filter_shared_attribute")):
        raise ImportError("sjoin needs geopandas 1.0 or newer, as far as 1.2 is known; join gives the pairs of rows without it")
    return tools


def _with_all(own: _Ids, other: _Ids, count: int) -> tuple[_Ids, _Ids]:
    """The same pairs, and those that are in none, in order."""
    missing = np.setdiff1d(np.arange(count), own)
    places = np.searchsorted(own, missing)
    return np.insert(own, places, missing), np.insert(other, places, -1)


def _edges(a: _core.Shapes, b: _core.Shapes, metric: str, edges: str | None) -> str:
    """The kind of edges: the caller's, or else that of GeoArrow's metadata."""
    if edges is not None:
        return edges
    if metric == "plane":
        return "straight"
    return "geodesic" if any(_has_curves(shapes, name) for shapes, name in ((a, "a"), (b, "b"))) else "straight"


def _has_curves(shapes: _core.Shapes, name: str) -> bool:
    """Whether GeoArrow's metadata names edges that are shortest ways."""
    if not shapes.metadata:
        return False
    try:
        said = json.loads(shapes.metadata)
    except ValueError as error:
        raise ValueError(f"{name} has Arrow metadata that is not JSON: {error}") from error
    edges = said.get("edges") if isinstance(said, dict) else None
    if edges not in (None, "planar", *_CURVES):
        raise ValueError(f"{name} has edges of an unknown kind in its Arrow metadata: {edges!r}; choose edges=")
    return edges in _CURVES


def _shapes(shapes: Any, name: str) -> _core.Shapes:
    """The geometries, read."""
    # geopandas makes its Arrow from the same well-known binary.
    if not hasattr(shapes, "to_wkb") and (hasattr(shapes, "__arrow_c_array__") or hasattr(shapes, "__arrow_c_stream__")):
        return _core.Shapes(shapes, name)
    return _core.Shapes(_wkb(shapes, name), name)


def _wkb(shapes: Any, name: str) -> list[bytes | None]:
    """Well-known binary of each; `None` for what is missing."""
    if hasattr(shapes, "to_wkb"):
        return _listed(shapes.to_wkb())
    if isinstance(shapes, (str, bytes)) or not isinstance(shapes, Iterable):
        raise TypeError(f"{name} is not a list of geometries: {shapes!r}"[:200])
    rows = list(shapes)
    if all(row is None or isinstance(row, bytes) for row in rows):
        return rows
    import shapely  # type: ignore[import-untyped, import-not-found, unused-ignore]

    if not any(isinstance(row, bytes) for row in rows) and all(shapely.is_geometry(rows) | shapely.is_missing(rows)):
        return _listed(shapely.to_wkb(rows))
    return [row if row is None or isinstance(row, bytes) else _one_wkb(shapely, row, number, name) for number, row in enumerate(rows)]


def _listed(wkb: Any) -> list[bytes | None]:
    rows: list[bytes | None] = np.asarray(wkb, dtype=object).tolist()
    return rows


def _one_wkb(shapely: Any, row: Any, number: int, name: str) -> bytes:
    if not isinstance(row, shapely.Geometry):
        raise TypeError(f"{name}: row {number} is not a geometry: {row!r}"[:200])
    wkb: bytes = shapely.to_wkb(row)
    return wkb

"""Joins by true shapes beside shapely and geopandas."""

import importlib
from typing import Any

import numpy as np
import pytest

import pyquadrille as pq

shapely = pytest.importorskip("shapely")

PREDICATES = ["intersects", "contains", "within", "covers", "covered_by", "touches", "crosses", "overlaps"]


def shapes(seed: int, count: int) -> Any:
    """Points, lines and valid polygons on a grid so small that many share corners and edges; some are empty or None."""
    random = np.random.default_rng(seed)
    corners = random.integers(0, 5, (count, 4, 2)) + random.integers(0, 12, (count, 1, 2))
    made = [
        shapely.Point(places[0]) if kind == 0 else shapely.LineString(places[:2]) if kind == 1 else shapely.Polygon(places)
        for kind, places in zip(random.integers(0, 4, count), corners, strict=True)
    ]
    made = [one if one.is_valid else shapely.Point(places[0]) for one, places in zip(made, corners, strict=True)]
    made[3:5] = [None, shapely.from_wkt("POLYGON EMPTY")]
    return np.array(made, dtype=object)


def expected(a: Any, b: Any, predicate: str, distance: float | None = None) -> list[tuple[int, int]]:
    i, j = shapely.STRtree(b).query(a, predicate, distance)
    return sorted(zip(i.tolist(), j.tolist(), strict=True))


def pairs(found: Any) -> list[tuple[int, int]]:
    return list(zip(found[0].tolist(), found[1].tolist(), strict=True))


@pytest.mark.parametrize("predicate", PREDICATES)
def test_pairs_are_those_of_shapely(predicate: str) -> None:
    a, b = shapes(1, 300), shapes(2, 300)
    found = pairs(pq.join(a, b, predicate))
    assert found == expected(a, b, predicate)
    assert found == pairs(pq.join(shapely.to_wkb(a), list(b), predicate))


def test_pairs_within_a_distance() -> None:
    a, b = shapes(3, 200), shapes(4, 200)
    assert pairs(pq.join(a, b, "dwithin", distance=1.5)) == expected(a, b, "dwithin", 1.5)


def test_what_pairs_have_in_common_is_that_of_shapely() -> None:
    a, b = shapes(13, 200), shapes(14, 200)
    i, j, common = pq.join(a, b, measure=True)
    assert pairs((i, j)) == pairs(pq.join(a, b))
    both = shapely.intersection(a[i], b[j])
    is_area = (shapely.get_dimensions(a[i]) == 2) & (shapely.get_dimensions(b[j]) == 2)
    assert np.allclose(common, np.where(is_area, shapely.area(both), shapely.length(both)), atol=1e-12)
    assert (common > 0).sum() > 50
    with pytest.raises(ValueError, match='measure is for how="inner", not "left"'):
        pq.join(a, b, how="left", measure=True)  # type: ignore[call-overload]


def test_rows_in_no_pair_are_kept_if_asked_for() -> None:
    a, b = shapely.points([[0, 0], [5, 5], [1, 1]]), shapely.box([1, 0, 7], [1, 0, 7], [2, 1, 8], [2, 1, 8])
    assert pairs(pq.join(a, b, how="left")) == [(0, 1), (1, -1), (2, 0), (2, 1)]
    assert pairs(pq.join(a, b, how="right")) == [(2, 0), (0, 1), (2, 1), (-1, 2)]


@pytest.mark.parametrize("exclusive", [False, True])
def test_nearest_are_those_of_shapely(exclusive: bool) -> None:
    a, b = shapes(5, 200), shapes(6, 200)
    (i, j), distances = shapely.STRtree(b).query_nearest(a, return_distance=True, exclusive=exclusive)
    found = pq.join_nearest(a, b, exclusive=exclusive)
    assert pairs(found) == sorted(zip(i.tolist(), j.tolist(), strict=True))
    assert np.allclose(found[2], distances, rtol=1e-12)


@pytest.mark.parametrize(("encoding", "is_interleaved"), [("WKB", True), ("geoarrow", True), ("geoarrow", False)])
def test_arrow_is_read_as_it_is(encoding: Any, is_interleaved: bool) -> None:
    geopandas, arrow = pytest.importorskip("geopandas"), pytest.importorskip("pyarrow")
    kinds = ["Point", "LineString", "Polygon"]
    every, b = shapes(9, 400), shapes(10, 200)
    sets = [np.array([one if one is None or one.geom_type == kind else None for one in every], dtype=object) for kind in kinds]
    # Of points, lines and polygons, two in one where they do not overlap.
    for several, kind in zip([shapely.MultiPoint, shapely.MultiLineString, shapely.MultiPolygon], kinds, strict=True):
        parts = [one for one in every if one is not None and one.geom_type == kind and not one.is_empty]
        sets.append(np.array([None if one.touches(other) else several([one]) for one, other in zip(parts[1:], parts, strict=False)], dtype=object))
    hole = shapely.box(0, 0, 16, 16).difference(shapely.box(2, 2, 9, 9))
    for a in [*sets, np.array([hole, None, shapely.Polygon()], dtype=object)]:
        frame = geopandas.GeoDataFrame({"n": range(len(a))}, geometry=a.tolist(), crs=4326)
        table = arrow.table(frame.to_arrow(geometry_encoding=encoding, interleaved=is_interleaved))
        found = pairs(pq.join(a, b))
        assert len(found) > 3
        assert found == pairs(pq.join(table, b))
        # In chunks, cut, and as a column by itself.
        assert found == pairs(pq.join(arrow.concat_tables([table.slice(0, 2), table.slice(2)]), b))
        assert pairs(pq.join(a[1:], b)) == pairs(pq.join(table.slice(1).combine_chunks().to_batches()[0], b))
        assert found == pairs(pq.join(frame.geometry.to_arrow(geometry_encoding=encoding, interleaved=is_interleaved), b))
        assert pairs(pq.join(a, b, how="left")) == pairs(pq.join(table, b, how="left"))


def test_arrow_of_bytes_needs_no_name() -> None:
    arrow = pytest.importorskip("pyarrow")
    a, b = shapes(11, 100), shapes(12, 100)
    rows, found = shapely.to_wkb(a).tolist(), pairs(pq.join(a, b))
    # One of nine bytes stands in the view itself.
    assert min(len(row) for row in rows if row is not None) == 9
    for kind in [arrow.binary(), arrow.large_binary(), arrow.binary_view()]:
        assert found == pairs(pq.join(arrow.array(rows, kind), b)), kind
        assert found == pairs(pq.join(arrow.chunked_array([rows[:7], rows[7:]], kind), b)), kind


def test_arrow_that_holds_no_geometry_is_refused() -> None:
    arrow = pytest.importorskip("pyarrow")
    good = shapely.points([[0, 0]])
    field = arrow.field("g", arrow.list_(arrow.float64()), metadata={"ARROW:extension:name": "geoarrow.linestring"})
    strange = arrow.table([arrow.array([[1.0]])], schema=arrow.schema([field]))
    cases: list[tuple[Any, str]] = [
        (arrow.array([1, 2]), "a is Arrow of format l, type none"),
        (arrow.table({"n": [1]}), "a is a table without a column of GeoArrow"),
        (arrow.array([None, b"x"]), "a: row 1 is no good WKB: it ends too soon"),
        (strange, "a has an Arrow array of format g, which is no place"),
    ]
    for a, message in cases:
        with pytest.raises((ValueError, TypeError), match=message):
            pq.join(a, good)


def test_as_many_nearest_as_are_wanted() -> None:
    a, b = shapely.points([[0, 0]]), shapely.points([[3, 0], [1, 0], [2, 0], [1, 0]])
    i, j, distances = pq.join_nearest(a, b, count=3, max_distance=2)
    assert (i.tolist(), j.tolist(), distances.tolist()) == ([0, 0, 0], [1, 3, 2], [1, 1, 2])
    assert pq.join_nearest(a, b, count=0)[0].tolist() == []


def test_mistakes_name_the_row_and_the_value() -> None:
    good = shapely.points([[0, 0]])
    spike = b"\x01\x02\x00\x00\x00\x01\x00\x00\x00" + bytes(16)
    for a, message in [([None, b"\x01"], "a: row 1 .*ends too soon"), ([None, 5], "a: row 1 is no geometry: 5"), ([spike], "a: row 0 has a line")]:
        with pytest.raises((ValueError, TypeError), match=message):
            pq.join(a, good)
    mistakes: list[tuple[Any, str]] = [
        ({"predicate": "near"}, "no predicate is named `near`"),
        ({"predicate": "dwithin"}, "distance"),
        ({"distance": 1.0}, "distance"),
        ({"predicate": "dwithin", "distance": float("nan")}, "nan is no distance"),
        ({"how": "outer"}, "outer"),
    ]
    for arguments, message in mistakes:
        with pytest.raises(ValueError, match=message):
            pq.join(good, good, **arguments)
    with pytest.raises(TypeError, match="a is no list"):
        pq.join("POINT (1 1)", good)


def frames() -> Any:
    geopandas = pytest.importorskip("geopandas")
    importlib.import_module("geopandas.testing")
    a = geopandas.GeoDataFrame({"name": np.arange(60) % 7, "a": range(60)}, geometry=shapes(7, 60)[5:].tolist() + [None] * 5, index=np.arange(100, 160))
    b = geopandas.GeoDataFrame({"name": np.arange(50) % 7, "b": range(50)}, geometry=shapes(8, 50).tolist())
    return geopandas, a, b


def ordered(frame: Any) -> Any:
    return frame.reset_index().sort_values(["a", "b"], ignore_index=True)


@pytest.mark.parametrize("how", ["inner", "left", "right"])
def test_frames_are_those_of_geopandas(how: Any) -> None:
    geopandas, a, b = frames()
    keys = ["a", "b"]
    for predicate, names in [("intersects", None), ("within", None), ("touches", "name"), ("overlaps", ["name"])]:
        theirs = geopandas.sjoin(a, b, how=how, predicate=predicate, on_attribute=names)
        ours = pq.sjoin(a, b, how=how, predicate=predicate, on_attribute=names)
        assert len(theirs) > (0 if names is None else -1)
        # geopandas has the others of one row in any order.
        first, second = keys if how != "right" else keys[::-1]
        assert ours[first].tolist() == theirs[first].tolist(), predicate
        geopandas.testing.assert_geodataframe_equal(ordered(ours), ordered(theirs))


@pytest.mark.parametrize("how", ["inner", "left", "right"])
def test_nearest_frames_are_those_of_geopandas(how: Any) -> None:
    geopandas, a, b = frames()
    choices: list[dict[str, Any]] = [{}, {"max_distance": 1.0}, {"exclusive": True}, {"lsuffix": "l", "rsuffix": "r"}]
    for options in choices:
        theirs = geopandas.sjoin_nearest(a, b, how=how, distance_col="far", **options)
        ours = pq.sjoin_nearest(a, b, how=how, distance_col="far", **options)
        geopandas.testing.assert_geodataframe_equal(ordered(ours), ordered(theirs))

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
    # Points, lines and polygons, two in one if they do not overlap.
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
    # One of nine bytes is stored in the view itself.
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
        (arrow.array([1, 2]), "a is Arrow of format l, type none, which is not supported"),
        (arrow.array(["POINT (1 2)"]), "a is Arrow of format u, type none, which is not supported: give WKB or"),
        (arrow.table({"n": [1]}), "a is a table without a column of GeoArrow"),
        (arrow.array([None, b"x"]), "a: row 1 is not valid WKB: 120 where the order of bytes is expected, 0 or 1"),
        (arrow.array([None, b"\x01"]), "a: row 1 is not valid WKB: it ends too soon"),
        (strange, "a has an Arrow array of format g, which is not coordinates"),
    ]
    for a, message in cases:
        with pytest.raises((ValueError, TypeError), match=message):
            pq.join(a, good)


def test_as_many_nearest_as_are_wanted() -> None:
    a, b = shapely.points([[0, 0]]), shapely.points([[3, 0], [1, 0], [2, 0], [1, 0]])
    i, j, distances = pq.join_nearest(a, b, count=3, max_distance=2)
    assert (i.tolist(), j.tolist(), distances.tolist()) == ([0, 0, 0], [1, 3, 2], [1, 1, 2])
    for count in (0, -1):
        with pytest.raises(ValueError, match=f"count is at least 1, not {count}"):
            pq.join_nearest(a, b, count=count)
    for far in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="a distance is zero or more, not (-1|NaN)"):
            pq.join_nearest(a, b, max_distance=far)


def test_mistakes_name_the_row_and_the_value() -> None:
    good = shapely.points([[0, 0]])
    spike = b"\x01\x02\x00\x00\x00\x01\x00\x00\x00" + bytes(16)
    for a, message in [([None, b"\x01"], "a: row 1 .*ends too soon"), ([None, 5], "a: row 1 is not a geometry: 5"), ([spike], "a: row 0 has a line")]:
        with pytest.raises((ValueError, TypeError), match=message):
            pq.join(a, good)
    mistakes: list[tuple[Any, str]] = [
        ({"predicate": "near"}, "no predicate is named `near`"),
        ({"predicate": "dwithin"}, "distance"),
        ({"distance": 1.0}, "distance"),
        ({"predicate": "dwithin", "distance": float("nan")}, "a distance is zero or more, not NaN"),
        ({"how": "outer"}, "outer"),
    ]
    for arguments, message in mistakes:
        with pytest.raises(ValueError, match=message):
            pq.join(good, good, **arguments)
    with pytest.raises(TypeError, match="a is not a list"):
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
    choices: list[tuple[str, Any, Any]] = [("intersects", None, None), ("within", None, None), ("touches", "name", None), ("overlaps", ["name"], None)]
    for predicate, names, distance in [*choices, ("dwithin", None, 1.5), ("dwithin", None, np.arange(60) / 30)]:
        theirs = geopandas.sjoin(a, b, how=how, predicate=predicate, on_attribute=names, distance=distance)
        ours = pq.sjoin(a, b, how=how, predicate=predicate, on_attribute=names, distance=distance)
        assert len(theirs) > (0 if names is None else -1)
        # geopandas has the others of one row in any order.
        first, second = keys if how != "right" else keys[::-1]
        assert ours[first].tolist() == theirs[first].tolist(), predicate
        geopandas.testing.assert_geodataframe_equal(ordered(ours), ordered(theirs))


def test_distances_by_row_are_one_for_each() -> None:
    _, a, b = frames()
    with pytest.raises(ValueError, match=r"one for each of the 60 rows on the left, not of shape \(59,\)"):
        pq.sjoin(a, b, predicate="dwithin", distance=np.zeros(59))
    with pytest.raises(ValueError, match="a distance is zero or more, not NaN"):
        pq.sjoin(a, b, predicate="dwithin", distance=np.full(60, np.nan))
    assert pq.sjoin(a[:0], b, predicate="dwithin", distance=[]).empty
    assert pq.sjoin(a, b[:0], predicate="dwithin", distance=np.ones(60)).empty


@pytest.mark.parametrize("how", ["inner", "left", "right"])
def test_nearest_frames_are_those_of_geopandas(how: Any) -> None:
    geopandas, a, b = frames()
    choices: list[dict[str, Any]] = [{}, {"max_distance": 1.0}, {"exclusive": True}, {"lsuffix": "l", "rsuffix": "r"}]
    for options in choices:
        theirs = geopandas.sjoin_nearest(a, b, how=how, distance_col="far", **options)
        ours = pq.sjoin_nearest(a, b, how=how, distance_col="far", **options)
        geopandas.testing.assert_geodataframe_equal(ordered(ours), ordered(theirs))


def on_ellipsoid(degrees: Any) -> Any:
    """Places in space, in meters from the middle of the earth."""
    longitude, latitude = np.radians(degrees[..., 0]), np.radians(degrees[..., 1])
    squeeze = (1 - 1 / 298.257223563) ** 2
    across = 6378137 / np.sqrt(np.cos(latitude) ** 2 + squeeze * np.sin(latitude) ** 2)
    flat = across * np.cos(latitude)
    return np.stack([flat * np.cos(longitude), flat * np.sin(longitude), across * squeeze * np.sin(latitude)], axis=-1)


def sampled(corners: Any, edges: str, count: int = 4000) -> Any:
    """Places in space along a line: straight in degrees, or on the plane through the middle of the earth, which short geodesics are on."""
    share = np.linspace(0, 1, count)[:, None]
    if edges == "straight":
        return np.concatenate([on_ellipsoid(a + share * (b - a)) for a, b in zip(corners[:-1], corners[1:], strict=True)])
    places = []
    for a, b in zip(corners[:-1], corners[1:], strict=True):
        line = on_ellipsoid(a) + share * (on_ellipsoid(b) - on_ellipsoid(a))
        lifted = line / np.array([1, 1, 1 - 1 / 298.257223563])
        places.append(line * 6378137 / np.linalg.norm(lifted, axis=1, keepdims=True))
    return np.concatenate(places)


def meters(a: Any, b: Any) -> float:
    """The least distance between places in space, up to a hundred kilometers: a chord, and what the arc above it is longer by."""
    chord = float(np.linalg.norm(a[:, None] - b[None], axis=-1).min())
    return chord + chord**3 / (24 * 6367400**2)


def on_globe(corners: Any) -> Any:
    """Longitudes from -180 to 180."""
    return np.stack([(corners[..., 0] + 180) % 360 - 180, corners[..., 1]], axis=-1)


@pytest.mark.parametrize("edges", ["straight", "geodesic"])
@pytest.mark.parametrize("middle", [(179.9, 10.0), (-180.0, -65.0), (7.0, 50.0)])
def test_pairs_on_the_globe_are_those_of_many_samples(edges: Any, middle: tuple[float, float]) -> None:
    random = np.random.default_rng(21)
    spots = middle + random.uniform(-1, 1, (14, 2))
    lines = middle + random.uniform(-1, 1, (9, 1, 2)) + random.uniform(-0.3, 0.3, (9, 2, 2))
    a, b = shapely.points(on_globe(spots)), shapely.linestrings(on_globe(lines))
    far = np.array([[meters(on_ellipsoid(spot)[None], sampled(line, edges)) for line in lines] for spot in spots])
    i, j, distances = pq.join_nearest(a, b, count=3, metric="geodesic", edges=edges)
    assert i.tolist() == np.repeat(np.arange(len(a)), 3).tolist()
    # Between two samples, the line is nearer by a quarter of a meter at most.
    assert (np.abs(distances - far[i, j]) < 0.3).all()
    assert (np.abs(distances.reshape(-1, 3) - np.sort(far, axis=1)[:, :3]) < 0.3).all()
    most = 40_000.0
    assert not (np.abs(far - most) < 1).any()
    i, j = pq.join(a, b, "dwithin", distance=most, metric="geodesic", edges=edges)
    assert 10 < len(i) < far.size - 10
    assert pairs((i, j)) == list(zip(*(rows.tolist() for rows in np.nonzero(far <= most)), strict=True))
    assert set(pairs((i, j))) == {(row, other) for other, row in pairs(pq.join(b, a, "dwithin", distance=most, metric="geodesic", edges=edges))}


def test_edges_are_what_geoarrow_says() -> None:
    arrow = pytest.importorskip("pyarrow")
    spot, line = shapely.points([[20, 61]]), shapely.from_wkt(["LINESTRING (0 60, 40 60)"])
    bare = pq.join_nearest(spot, line, metric="geodesic")[2]
    straight, curved = (pq.join_nearest(spot, line, metric="geodesic", edges=edges)[2] for edges in ("straight", "geodesic"))
    assert bare == straight and abs(straight[0] - curved[0]) > 10_000

    def column(metadata: str) -> Any:
        about = {"ARROW:extension:name": "geoarrow.wkb", "ARROW:extension:metadata": metadata}
        values = arrow.array(shapely.to_wkb(line).tolist())
        return arrow.table([values], schema=arrow.schema([arrow.field("g", values.type, metadata=about)]))

    for metadata, expected in [("", straight), ("{}", straight), ('{"edges": "planar"}', straight), ('{"edges": "spherical"}', curved),
                               ('{"crs": null, "edges": "karney"}', curved)]:
        said = column(metadata)
        assert pq.join_nearest(spot, said, metric="geodesic")[2] == expected, metadata
        assert pq.join_nearest(said, spot, metric="geodesic")[2] == expected, metadata
        for distance in (straight[0] - 1, curved[0] - 1):
            assert len(pq.join(spot, said, "dwithin", distance=distance, metric="geodesic")[0]) == int(expected[0] <= distance)
        # What the caller says goes first; the plane has straight edges only.
        assert pq.join_nearest(spot, said, metric="geodesic", edges="straight")[2] == straight
        assert pq.join_nearest(spot, said)[2] == [1]
    for metadata, message in [('{"edges": "loxodromic"}', "b has edges of an unknown kind.*'loxodromic'"), ("{", "b has Arrow metadata that is not JSON")]:
        with pytest.raises(ValueError, match=message):
            pq.join_nearest(spot, column(metadata), metric="geodesic")


def test_polygons_on_the_globe_are_compared_as_such() -> None:
    squares = shapely.from_wkt(["POLYGON ((179 -1, -179 -1, -179 1, 179 1, 179 -1))", "POLYGON ((0 -1, 1 -1, 1 1, 0 1, 0 -1))"])
    spots = shapely.points([[180, 0], [-178.5, 0], [0.5, 0.5]])
    assert pairs(pq.join(spots, squares, "dwithin", distance=0, metric="geodesic")) == [(0, 0), (2, 1)]
    i, j, distances = pq.join_nearest(spots, squares, metric="geodesic")
    assert (i.tolist(), j.tolist()) == ([0, 1, 2], [0, 0, 1])
    # Half a degree of the equator.
    assert np.allclose(distances, [0, 6378137 * np.radians(0.5), 0], atol=2e-3)
    assert pairs(pq.join_nearest(squares, squares, metric="geodesic", exclusive=True)) == [(0, 1), (1, 0)]


def test_equal_distances_on_the_globe_are_all_told() -> None:
    spots = shapely.points([[10, 0], [9, 1], [11, 1], [9, -1], [50, 0]])
    found = pq.join_nearest(spots[:1], spots[1:], metric="geodesic")
    assert pairs(found) == [(0, 0), (0, 1), (0, 2)]
    assert pairs(pq.join_nearest(spots[:1], spots[1:], count=1, metric="geodesic")) == [(0, 0)]
    assert pairs(pq.join_nearest(spots, spots, metric="geodesic", max_distance=200_000, exclusive=True)) == [
        (0, 1), (0, 2), (0, 3), (1, 0), (2, 0), (3, 0)
    ]


def test_what_the_globe_does_not_have_is_told() -> None:
    spot: Any = shapely.points([[8, 47]])
    refused: list[tuple[dict[str, Any], str]] = [
        ({"predicate": "intersects"}, 'metric="geodesic" is for predicate "dwithin"'),
        ({"predicate": "dwithin", "distance": 1, "measure": True}, "measure is for the plane"),
        ({"predicate": "dwithin", "distance": 1, "edges": "bent"}, "edges: .*bent"),
        ({"predicate": "dwithin", "distance": 1, "metric": "sphere"}, 'metric: "sphere" is neither'),
        ({"predicate": "dwithin", "distance": 1, "metric": "plane", "edges": "geodesic"}, "on the plane, edges are straight"),
    ]
    for arguments, message in refused:
        with pytest.raises(ValueError, match=message):
            pq.join(spot, spot, **({"metric": "geodesic"} | arguments))
    with pytest.raises(ValueError, match="b: row 1: latitude 120 is beyond a pole"):
        pq.join_nearest(spot, shapely.points([[0, 0], [8, 120]]), metric="geodesic")


def test_frames_are_joined_on_the_globe() -> None:
    geopandas = pytest.importorskip("geopandas")
    left = geopandas.GeoDataFrame({"name": ["a", "b"]}, geometry=shapely.points([[179.99, 0], [20, 0]]), crs="EPSG:4326")
    right = geopandas.GeoDataFrame({"port": ["x", "y"]}, geometry=shapely.points([[-179.99, 0], [21, 0]]), crs="EPSG:4326")
    near = pq.sjoin_nearest(left, right, max_distance=150_000, distance_col="meters", metric="geodesic")
    assert near["port"].tolist() == ["x", "y"]
    assert near["meters"].round().tolist() == [2226, 111319]
    assert pq.sjoin(left, right, predicate="dwithin", distance=3000, metric="geodesic")["port"].tolist() == ["x"]
    with pytest.raises(ValueError, match='needs degrees of longitude and latitude: call to_crs'):
        pq.sjoin_nearest(left.to_crs("EPSG:3857"), right.to_crs("EPSG:3857"), metric="geodesic")

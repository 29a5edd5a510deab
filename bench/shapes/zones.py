"""Zones for spatialbench.py where those of Overture Maps cannot be had: as many as there are at scale 1, a few trips in each.

    pip install numpy polars scipy shapely
    python bench/shapes/zones.py FOLDER

Reads FOLDER/trip.parquet and writes FOLDER/zone.parquet. Zones are the Voronoi cells of trips at random. Each side has 17 corners: it is a
random walk toward one of the two trips, in the triangle of the side and that trip, so zones that meet share it, and none overlap.
"""

import sys

import numpy
import polars
import shapely
from scipy.spatial import Voronoi

ZONES = 156_095
PARTS = 16
SEDONA = -111.7610, 34.8697


def sides(random, cells):
    """The corners of each side, in its direction; the triangles of sides are disjoint, and a walk in one does not meet itself."""
    ends = cells.vertices[cells.ridge_vertices]
    steps = random.normal(size=(len(ends), PARTS))
    walk = numpy.abs(numpy.cumsum(steps - steps.mean(axis=1, keepdims=True), axis=1))
    depth = numpy.hstack([numpy.zeros((len(ends), 1)), numpy.minimum(0.1 * walk[:, :-1], 0.8), numpy.zeros((len(ends), 1))])[..., None]
    toward = cells.points[cells.ridge_points[numpy.arange(len(ends)), random.integers(0, 2, len(ends))]][:, None]
    along = numpy.linspace(0, 1, PARTS + 1)[None, :, None]
    return (1 - depth) * ((1 - along) * ends[:, :1] + along * ends[:, 1:]) + depth * toward


def rings(random, cells):
    """Each site and its ring, counterclockwise; without sites that have none."""
    corners = sides(random, cells)
    sites = cells.ridge_points.T.ravel()
    both = numpy.vstack([corners, corners])
    start, end = both[:, 0] - cells.points[sites], both[:, -1] - cells.points[sites]
    is_clockwise = start[:, 0] * end[:, 1] < start[:, 1] * end[:, 0]
    both[is_clockwise] = both[is_clockwise, ::-1]
    middle = (start + end) / 2
    order = numpy.lexsort([numpy.arctan2(middle[:, 1], middle[:, 0]), sites])
    named, owners = numpy.unique(sites[order], return_inverse=True)
    return named, shapely.linearrings(both[order, :-1].reshape(-1, 2), indices=numpy.repeat(owners, PARTS))


def main(folder):
    random = numpy.random.default_rng(3)
    trips = polars.read_parquet(f"{folder}/trip.parquet", columns=["t_pickuploc"])["t_pickuploc"].sample(ZONES * 11 // 10, seed=3)
    places = numpy.unique(shapely.get_coordinates(shapely.from_wkb(trips.to_list())), axis=0)
    cells = Voronoi(numpy.vstack([places, [[-1e4, -1e4], [1e4, -1e4], [1e4, 1e4], [-1e4, 1e4]]]))
    is_finite = (numpy.asarray(cells.ridge_vertices) >= 0).all(axis=1)
    cells.ridge_vertices = numpy.asarray(cells.ridge_vertices)[is_finite]
    cells.ridge_points = cells.ridge_points[is_finite]
    named, zones = rings(random, cells)
    zones = shapely.polygons(zones)[named < len(places)]
    zones = zones[shapely.within(zones, shapely.box(-180, -90, 180, 90)) & shapely.is_valid(zones)]
    zones = random.permutation(zones)[:ZONES]
    names = numpy.array([f"zone {number}" for number in range(len(zones))], dtype=object)
    names[shapely.contains(zones, shapely.Point(SEDONA))] = "Coconino County"
    columns = {"z_zonekey": numpy.arange(1, len(zones) + 1), "z_name": names.tolist(), "z_boundary": shapely.to_wkb(zones).tolist()}
    polars.DataFrame(columns).write_parquet(f"{folder}/zone.parquet")
    print(f"{len(zones)} zones, {shapely.get_num_coordinates(zones).sum()} corners")


main(*sys.argv[1:])

"""Query 12 of Apache SpatialBench on the globe: the five buildings nearest to trips, in meters, beside many samples along edges of all.

    pip install polars shapely pyproj
    PYTHONPATH=... python bench/shapes/globe.py FOLDER [TRIPS] [CHECKED]

FOLDER has the tables that spatialbench.py names. A row of CSV: the processor time of the join alone, and the greatest difference of a distance,
in millimeters, for trips at random. Distances must never be too long.
"""

import sys
import time

import numpy
import polars
import pyproj
import pyquadrille as pq
import shapely

NEAREST = 5
EARTH = pyproj.Geod(ellps="WGS84")
# Along an edge: buildings are a kilometer wide at most, so that two samples are three meters apart.
SAMPLES = numpy.linspace(0, 1, 400)[:, None]


def meters(place, places):
    return EARTH.inv(numpy.full(len(places), place[0]), numpy.full(len(places), place[1]), places[:, 0], places[:, 1])[2]


def to_building(place, building):
    if shapely.contains(building, shapely.Point(place)):
        return 0.0
    corners = shapely.get_coordinates(building)
    edges = zip(corners[:-1], corners[1:], strict=True)
    return meters(place, numpy.concatenate([one + SAMPLES * (other - one) for one, other in edges])).min()


def main(folder, count=20_000, checked=40):
    buildings = polars.read_parquet(f"{folder}/building.parquet", columns=["b_boundary"])["b_boundary"]
    trips = polars.read_parquet(f"{folder}/trip.parquet", columns=["t_pickuploc"])["t_pickuploc"]
    trips = trips.gather_every(len(trips) // int(count))[: int(count)]
    start = time.process_time()
    i, j, far = pq.join_nearest(trips, buildings, count=NEAREST, metric="geodesic")
    spent = time.process_time() - start

    shapes, places = shapely.from_wkb(buildings.to_list()), shapely.get_coordinates(shapely.from_wkb(trips.to_list()))
    corners, owners = shapely.get_coordinates(shapes, return_index=True)
    first = numpy.searchsorted(owners, numpy.arange(len(shapes)))
    west, south, east, north = shapely.bounds(shapes).T
    # No point of a building is farther from its corners than the building is wide: a degree has less than 112 km.
    width = numpy.hypot(east - west, north - south) * 112_000
    worst = 0.0
    for trip in numpy.random.default_rng(0).choice(len(places), int(checked), replace=False):
        near = numpy.minimum.reduceat(meters(places[trip], corners), first)
        near = numpy.flatnonzero(near - width <= numpy.partition(near, NEAREST - 1)[NEAREST - 1])
        all_far = numpy.sort([to_building(places[trip], shapes[building]) for building in near])[:NEAREST]
        own = slice(NEAREST * trip, NEAREST * (trip + 1))
        assert (i[own] == trip).all() and set(j[own]) <= set(near)
        assert (far[own] <= all_far + 1e-6).all(), (trip, far[own], all_far)
        worst = max(worst, (all_far - far[own]).max())
    print("query,trips,pairs,cpu_s,us_a_trip,checked,worst_mm")
    print(f"12 on the globe,{len(trips)},{len(i)},{spent:.1f},{spent / len(trips) * 1e6:.0f},{checked},{worst * 1e3:.3f}")


main(*sys.argv[1:])

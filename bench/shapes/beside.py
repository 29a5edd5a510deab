"""Joins by true shapes beside shapely (GEOS): equal pairs for every predicate, what pairs have in common, and how long each takes.

    pip install shapely bokeh_sampledata
    cargo build --release -p quadrille-shapes --example beside
    python bench/shapes/beside.py target/release/examples/beside

Counties, states and cities are those of bokeh_sampledata, which names its sources (counties: U.S. Census Bureau, TIGER/Line). The join alone is timed: on both
sides, the shapes are in memory and no index is built yet. Processor
time, the mean of a fifth of a second.
"""

import csv
import gzip
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

import bokeh_sampledata
import numpy
import shapely

PREDICATES = ["intersects", "contains", "within", "covers", "covered_by", "touches", "crosses", "overlaps"]


def data():
    folder = pathlib.Path(bokeh_sampledata.__file__).parent / "_data"
    base = sqlite3.connect(folder / "geographic_boundaries.db")
    read = lambda table: shapely.from_wkb([row[0] for row in base.execute(f"select geometry from {table} order by ordinal")])
    rows = csv.DictReader(gzip.open(folder / "world_cities.csv.gz", "rt"))
    cities = shapely.points([(float(row["lng"]), float(row["lat"])) for row in rows])
    counties = read("us_counties")
    random = numpy.random.default_rng(1)
    west, south, east, north = -125, 24, -66, 50
    points = shapely.points(random.uniform((west, south), (east, north), (120_000, 2)))
    # Random stars, snapped so that they share corners and edges; invalid ones are left out.
    angles = numpy.sort(random.uniform(0, 2 * numpy.pi, (6_000, 9)))
    middles = random.uniform(0, 300, (6_000, 1, 2))
    corners = numpy.round(middles + random.uniform(1, 9, (6_000, 9, 1)) * numpy.stack([numpy.cos(angles), numpy.sin(angles)], 2))
    stars = shapely.polygons(corners)
    stars = stars[shapely.is_valid(stars)]
    # A grid of squares that touch at edges and corners, and lines along its edges.
    squares = shapely.box(*numpy.mgrid[0:60, 0:60].reshape(2, -1), *(numpy.mgrid[0:60, 0:60].reshape(2, -1) + 1))
    starts = random.integers(0, 60, (3_000, 2))
    lines = shapely.linestrings(numpy.stack([starts, starts + random.integers(1, 5, (3_000, 2))], 1))
    return {
        "counties": counties, "outlines of counties": shapely.boundary(counties), "states": read("us_states"), "cities": cities,
        "points": points, "stars": stars, "squares": squares, "lines": lines,
    }


def text(shape):
    place = lambda one: " ".join(f"{x!r} {y!r}" for x, y in shapely.get_coordinates(one).tolist())
    parts = []
    for one in shapely.get_parts(shape):
        if one.geom_type == "Polygon":
            parts += ["S " + place(one.exterior)] + ["H " + place(hole) for hole in one.interiors]
        else:
            parts.append({"Point": "P ", "LineString": "L ", "LinearRing": "L "}[one.geom_type] + place(one))
    return ";".join(parts)


def mean(work):
    """The mean of a fifth of a second at least."""
    start, count = time.process_time(), 0
    while time.process_time() - start < 0.2:
        answer = work()
        count += 1
    return (time.process_time() - start) / count * 1e3, answer


def theirs(a, b, asked):
    """The pairs of shapely. The shapes of `a` are prepared, as geopandas does, which its time includes."""
    if isinstance(asked, float):
        return mean(lambda: shapely.STRtree(b).query(a, "dwithin", asked))
    def work():
        shapely.destroy_prepared(a)
        return shapely.STRtree(b).query(a, asked)
    return mean(work)


def measure(program, files, sets):
    """How much pairs that intersect have in common: the greatest difference, as a part of the box (or the line) that they share."""
    worst = 0
    for a, b in [("counties", "counties"), ("stars", "stars"), ("states", "counties"), ("outlines of counties", "counties"), ("lines", "stars")]:
        run = subprocess.run([program, files[a], files[b], "measure"], capture_output=True, text=True, check=True)
        head, *lines = run.stdout.splitlines()
        i, j, ours = numpy.array([line.split() for line in lines], float).T
        one, other = sets[a][i.astype(int)], sets[b][j.astype(int)]
        start = time.process_time()
        common = shapely.intersection(one, other)
        is_area = (shapely.get_dimensions(one) == 2) & (shapely.get_dimensions(other) == 2)
        theirs = numpy.where(is_area, shapely.area(common), shapely.length(common))
        ms = (time.process_time() - start) * 1e3
        box = shapely.intersection(shapely.envelope(one), shapely.envelope(other))
        scale = numpy.where(is_area, shapely.area(box), shapely.length(one))
        far = numpy.abs(ours - theirs)
        part = numpy.where(far == 0, 0, far / numpy.where(scale > 0, scale, 1)).max()
        large = theirs > scale * 1e-3
        relative = (far[large] / theirs[large]).max(initial=0)
        own = float(head.split()[0])
        print(f"{a},{b},measure,{len(ours)},{part:.1e} of box or line; {relative:.1e} of what is not small,{ms:.1f},{own:.1f},{ms / own:.1f}", flush=True)
        # GEOS snaps lines to edges that they miss only in the last digits; quadrille does not.
        worst = max(worst, part if is_area.all() else 0)
    return worst


def main(program):
    sets = data()
    asked = [(a, b, predicate) for a, b in [
        ("lines", "stars"), ("stars", "stars"), ("squares", "lines"), ("lines", "squares"), ("lines", "lines"), ("squares", "squares"),
        ("states", "cities"),
    ] for predicate in PREDICATES]
    asked += [("counties", "points", "contains"), ("counties", "points", "intersects"), ("counties", "counties", "intersects")]
    asked += [("lines", "stars", 2.5), ("counties", "points", 0.25)]
    asked += [("counties", "counties", predicate) for predicate in ["touches", "overlaps", "covers"]]
    asked += [("outlines of counties", "counties", predicate) for predicate in ["covered_by", "touches", "crosses"]]
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for name, shapes in sets.items():
            files[name] = pathlib.Path(folder) / name
            files[name].write_text("\n".join(map(text, shapes)) + "\n")
            print(f"{name}: {len(shapes):,} shapes, {shapely.get_num_coordinates(shapes).sum():,} coordinates", flush=True)
        print("first,second,query,pairs,differences,shapely_ms,quadrille_ms,times_as_fast")
        different = 0
        for a, b, query in asked:
            run = subprocess.run([program, files[a], files[b], str(query)], capture_output=True, text=True, check=True)
            head, *lines = run.stdout.splitlines()
            ours = {tuple(map(int, line.split())) for line in lines}
            ms, (i, j) = theirs(sets[a], sets[b], query)
            differences = ours ^ set(zip(i.tolist(), j.tolist()))
            different += len(differences)
            own = float(head.split()[0])
            print(f"{a},{b},{query},{len(ours)},{len(differences)},{ms:.1f},{own:.1f},{ms / own:.1f}", flush=True)
            for pair in sorted(differences)[:3]:
                print("  ", pair, pair in ours, sets[a][pair[0]].wkt[:200], sets[b][pair[1]].wkt[:200])
        worst = measure(program, files, sets)
    # As an exit code, numpy's `True` would be a failure.
    return int(different > 0 or worst > 1e-10)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

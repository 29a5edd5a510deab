"""Queries 8, 9 and 12 of Apache SpatialBench beside SedonaDB and PyCanopy: trips near buildings, buildings that overlap, the five nearest.

    pip install spatialbench-cli sedonadb pycanopy polars pyarrow
    spatialbench-cli -s 1 -T trip,building -f parquet -o FOLDER
    PYTHONPATH=... python bench/shapes/spatialbench.py FOLDER [8 9 12] [quadrille sedonadb pycanopy]

Each tool answers in a process of its own, and what is timed is the processor time of the whole process, of all its threads: start, reading the
two Parquet files, the join, and the numbers that the answers are compared by. Distances are in degrees, as in the benchmark.
"""

import os
import resource
import subprocess
import sys
import time

TOOLS = ["quadrille", "sedonadb", "pycanopy"]
NEAR = 0.0045
NEAREST = 5


def quadrille(folder, query):
    import numpy
    import polars
    import pyquadrille as pq

    buildings = polars.read_parquet(f"{folder}/building.parquet", columns=["b_boundary"])["b_boundary"]
    if query == 9:
        i, j, common = pq.join(buildings, buildings, measure=True)
        areas = common[i == j]
        is_pair = i < j
        i, j, common = i[is_pair], j[is_pair], common[is_pair]
        union = areas[i] + areas[j] - common
        return len(i), float((common / union)[union > 0].sum())
    trips = polars.read_parquet(f"{folder}/trip.parquet", columns=["t_pickuploc"])["t_pickuploc"]
    if query == 8:
        _, j = pq.join(trips, buildings, "dwithin", distance=NEAR)
        counts = numpy.bincount(j)
        return int((counts > 0).sum()), float(counts.sum())
    i, _, far = pq.join_nearest(trips, buildings, count=NEAREST)
    return len(i), float(far.sum())


def sedonadb(folder, query):
    import sedonadb

    session = sedonadb.connect()
    for table in ["building"] if query == 9 else ["building", "trip"]:
        session.read_parquet(f"{folder}/{table}.parquet").to_view(table)
    session.sql("SELECT b_buildingkey AS k, ST_GeomFromWKB(b_boundary) AS g FROM building").to_view("b")
    if query != 9:
        session.sql("SELECT t_tripkey AS k, ST_GeomFromWKB(t_pickuploc) AS g FROM trip").to_view("t")
    asked = {
        8: f"""SELECT COUNT(*), SUM(n) FROM
               (SELECT b.k, COUNT(*) AS n FROM t JOIN b ON ST_DWithin(t.g, b.g, {NEAR}) GROUP BY b.k)""",
        9: """SELECT COUNT(*), SUM(CASE WHEN u > 0 THEN c / u ELSE 0 END) FROM
              (SELECT c, p + q - c AS u FROM
              (SELECT ST_Area(a.g) AS p, ST_Area(b.g) AS q, ST_Area(ST_Intersection(a.g, b.g)) AS c
               FROM b AS a JOIN b ON ST_Intersects(a.g, b.g) WHERE a.k < b.k))""",
        12: f"""SELECT COUNT(*), SUM(d) FROM
                (SELECT ST_Distance(t.g, b.g) AS d FROM t JOIN b ON ST_KNN(t.g, b.g, {NEAREST}, FALSE))""",
    }
    [row] = session.sql(asked[query]).to_pandas().itertuples(index=False)
    return int(row[0]), float(row[1])


def pycanopy(folder, query):
    import polars
    from pycanopy import SpatialFrame, wkb_points_to_xy

    buildings = SpatialFrame.from_wkb_polygons(polars.read_parquet(f"{folder}/building.parquet"), "b_boundary")
    if query == 9:
        pairs = buildings.intersects_pairs("b_buildingkey")
        return len(pairs), float(pairs["iou"].sum())
    trips = polars.read_parquet(f"{folder}/trip.parquet", columns=["t_tripkey", "t_pickuploc"])
    x, y = wkb_points_to_xy(trips["t_pickuploc"])
    trips = trips.select("t_tripkey").with_columns(polars.Series("x", x), polars.Series("y", y))
    if query == 8:
        import pycanopy

        near = buildings.lazy().polygon_within_distance_join(trips, "x", "y", NEAR)
        counts = near.group_by(["b_buildingkey"]).agg(n=pycanopy.agg.count())
        return len(counts), float(counts["n"].sum())
    nearest = buildings.lazy().polygon_knn_join(trips, "x", "y", NEAREST).collect()
    return len(nearest), float(nearest["distance_to_polygon"].sum())


def main(folder, *wanted):
    queries = [int(word) for word in wanted if word.isdigit()] or [8, 9, 12]
    tools = [word for word in wanted if word in TOOLS] or TOOLS
    print("query,tool,rows,sum,processor s,wall s,peak MiB")
    for query in queries:
        for tool in tools:
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
            run = subprocess.run([sys.executable, __file__, "--one", tool, folder, str(query)], capture_output=True, text=True)
            wall, after = time.time() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
            spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            answer = run.stdout.strip() or run.stderr.strip().splitlines()[-1:]
            print(f"{query},{tool},{answer},{spent:.2f},{wall:.2f}", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        rows, total = globals()[sys.argv[2]](sys.argv[3], int(sys.argv[4]))
        print(f"{rows},{total:.9g},{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10}")
        sys.stdout.flush()
        os._exit(0)
    main(*sys.argv[1:])

"""The queries of Apache SpatialBench that compare places, beside SedonaDB and PyCanopy: all but 5 (hulls) and 7 (lengths).

    pip install spatialbench-cli sedonadb geoarrow-pyarrow pandas pycanopy polars pyarrow
    spatialbench-cli -s 1 -T trip,building,zone -f parquet -o FOLDER         # or zones by zones.py
    PYTHONPATH=... python bench/shapes/spatialbench.py FOLDER [8 9 12] [quadrille sedonadb pycanopy]

Each tool answers in a process of its own, and what is timed is the processor time of the whole process, of all its threads: start, reading the
Parquet files, the join, and the numbers that the answers are compared by. Distances are in degrees, as in the benchmark. Query 6 takes the zones
that intersect its box.
"""

import math
import os
import resource
import struct
import subprocess
import sys
import time

TOOLS = ["quadrille", "sedonadb", "pycanopy"]
QUERIES = [1, 2, 3, 4, 6, 8, 9, 10, 11, 12]
NEAR = 0.0045
NEAREST = 5
CENTER = -111.7610, 34.8697
CENTER_NEAR = 0.45
TOWN = -111.9060, 34.7347, -111.6160, 35.0047
TOWN_NEAR = 0.045
AROUND = -112.2110, 34.4197, -111.3110, 35.3197
COUNTY = "Coconino County"
TIPS = 1000


def corners(box):
    west, south, east, north = box
    return [(west, south), (east, south), (east, north), (west, north), (west, south)]


def read(folder, table, *columns):
    import polars

    return polars.read_parquet(f"{folder}/{table}.parquet", columns=list(columns))


def of_trips(folder):
    """What zones' statistics are of: pickups, how long each trip takes in the unit of the file, and how far it goes."""
    import polars

    trips = read(folder, "trip", "t_pickuploc", "t_pickuptime", "t_dropofftime", "t_distance")
    lasts = polars.col("t_dropofftime").to_physical() - polars.col("t_pickuptime").to_physical()
    return trips.select("t_pickuploc", lasts=lasts.cast(polars.Float64), far=polars.col("t_distance").cast(polars.Float64))


def highest_tips(folder):
    trips = read(folder, "trip", "t_tripkey", "t_tip", "t_pickuploc")
    return trips.lazy().sort(["t_tip", "t_tripkey"], descending=[True, False]).head(TIPS).select("t_pickuploc").collect()


def quadrille(folder, query):
    import numpy
    import polars
    import pyquadrille as pq

    def box(sides):
        return struct.pack("<BIII10d", 1, 3, 1, 5, *(number for corner in corners(sides) for number in corner))

    def zones():
        return read(folder, "zone", "z_zonekey", "z_name", "z_boundary")["z_boundary"]

    def pickups():
        return read(folder, "trip", "t_pickuploc")["t_pickuploc"]

    def means_by_zone(zones):
        trips = of_trips(folder)
        i, j = pq.join(trips["t_pickuploc"], zones, "within")
        counts = numpy.bincount(j, minlength=len(zones))
        sums = [numpy.bincount(j, trips[column].to_numpy()[i], minlength=len(zones)) for column in ("lasts", "far")]
        return counts, sum(float((total[counts > 0] / counts[counts > 0]).sum()) for total in sums)

    if query == 1:
        starts = pickups()
        i, _ = pq.join(starts, [struct.pack("<BI2d", 1, 1, *CENTER)], "dwithin", distance=CENTER_NEAR)
        places = numpy.array([struct.unpack("<5x2d", point) for point in starts[i]])
        return len(i), float(numpy.hypot(*(places - CENTER).T).sum())
    if query == 2:
        zone = read(folder, "zone", "z_name", "z_boundary").filter(polars.col("z_name") == COUNTY)["z_boundary"].head(1)
        i, _ = pq.join(pickups(), zone)
        return len(i), 0
    if query == 3:
        trips = read(folder, "trip", "t_pickuploc", "t_pickuptime", "t_distance", "t_fare")
        i, _ = pq.join(trips["t_pickuploc"], [box(TOWN)], "dwithin", distance=TOWN_NEAR)
        return by_month(trips[i])
    if query == 4:
        _, j = pq.join(highest_tips(folder)["t_pickuploc"], zones(), "within")
        counts = numpy.bincount(j)
        return int((counts > 0).sum()), float((counts**2).sum())
    if query == 6:
        all_zones = zones()
        _, near = pq.join([box(AROUND)], all_zones)
        counts, total = means_by_zone(all_zones[near])
        return int((counts > 0).sum()), total
    if query == 9:
        buildings = read(folder, "building", "b_boundary")["b_boundary"]
        i, j, common = pq.join(buildings, buildings, measure=True)
        areas = common[i == j]
        is_pair = i < j
        i, j, common = i[is_pair], j[is_pair], common[is_pair]
        union = areas[i] + areas[j] - common
        return len(i), float((common / union)[union > 0].sum())
    if query == 10:
        counts, total = means_by_zone(zones())
        return len(counts), total
    if query == 11:
        trips = read(folder, "trip", "t_pickuploc", "t_dropoffloc")
        i, j = pq.join(polars.concat([trips["t_pickuploc"], trips["t_dropoffloc"]]), zones(), "within")
        is_start = i < len(trips)
        starts, ends = (polars.DataFrame({"trip": i[own] % len(trips), "zone": j[own]}) for own in (is_start, ~is_start))
        return starts.join(ends, on="trip").filter(polars.col("zone") != polars.col("zone_right")).height, 0
    buildings = read(folder, "building", "b_boundary")["b_boundary"]
    if query == 8:
        _, j = pq.join(pickups(), buildings, "dwithin", distance=NEAR)
        counts = numpy.bincount(j)
        return int((counts > 0).sum()), float(counts.sum())
    i, _, far = pq.join_nearest(pickups(), buildings, count=NEAREST)
    return len(i), float(far.sum())


def by_month(trips):
    """How many months, and the sum of each month's means."""
    import polars

    month = polars.col("t_pickuptime").dt.truncate("1mo").alias("month")
    means = trips.group_by(month).agg(polars.col("t_distance", "t_fare").cast(polars.Float64).mean())
    return len(means), float(means["t_distance"].sum() + means["t_fare"].sum())


def sedonadb(folder, query):
    import sedonadb

    session = sedonadb.connect()
    needed = {1: ["trip"], 3: ["trip"], 8: ["trip", "building"], 9: ["building"], 12: ["trip", "building"]}
    for table in needed.get(query, ["trip", "zone"]):
        session.read_parquet(f"{folder}/{table}.parquet").to_view(table)

    def polygon(box):
        return f"ST_GeomFromText('POLYGON(({', '.join(f'{x} {y}' for x, y in corners(box))}))')"

    center = f"ST_GeomFromText('POINT({CENTER[0]} {CENTER[1]})')"
    start, end = "ST_GeomFromWKB(t.t_pickuploc)", "ST_GeomFromWKB(t.t_dropoffloc)"
    zone, building = "ST_GeomFromWKB(z.z_boundary)", "ST_GeomFromWKB(b.b_boundary)"
    means = """AVG(CAST(CAST(t.t_dropofftime AS BIGINT) - CAST(t.t_pickuptime AS BIGINT) AS DOUBLE)) AS lasts,
               AVG(CAST(t.t_distance AS DOUBLE)) AS far"""
    asked = {
        1: f"""SELECT COUNT(*), SUM(ST_Distance({start}, {center})) FROM trip t WHERE ST_DWithin({start}, {center}, {CENTER_NEAR})""",
        2: f"""SELECT COUNT(*), 0 FROM trip t WHERE ST_Intersects({start},
               (SELECT {zone} FROM zone z WHERE z.z_name = '{COUNTY}' LIMIT 1))""",
        3: f"""SELECT COUNT(*), SUM(far + fare) FROM
               (SELECT AVG(CAST(t.t_distance AS DOUBLE)) AS far, AVG(CAST(t.t_fare AS DOUBLE)) AS fare FROM trip t
               WHERE ST_DWithin({start}, {polygon(TOWN)}, {TOWN_NEAR}) GROUP BY DATE_TRUNC('month', t.t_pickuptime))""",
        4: f"""SELECT COUNT(*), SUM(n * n) FROM
               (SELECT z.z_zonekey, COUNT(*) AS n FROM zone z JOIN
               (SELECT t_pickuploc FROM trip ORDER BY t_tip DESC, t_tripkey ASC LIMIT {TIPS}) t
               ON ST_Within({start}, {zone}) GROUP BY z.z_zonekey, z.z_name)""",
        6: f"""SELECT COUNT(*), SUM(lasts + far) FROM
               (SELECT z.z_zonekey, COUNT(*) AS n, {means} FROM trip t, zone z
               WHERE ST_Intersects({polygon(AROUND)}, {zone}) AND ST_Within({start}, {zone}) GROUP BY z.z_zonekey, z.z_name)""",
        8: f"""SELECT COUNT(*), SUM(n) FROM
               (SELECT b.b_buildingkey, COUNT(*) AS n FROM trip t JOIN building b ON ST_DWithin({start}, {building}, {NEAR})
               GROUP BY b.b_buildingkey)""",
        9: f"""WITH g AS (SELECT b_buildingkey AS k, {building} AS g FROM building b)
               SELECT COUNT(*), SUM(CASE WHEN u > 0 THEN c / u ELSE 0 END) FROM
               (SELECT c, p + q - c AS u FROM
               (SELECT ST_Area(a.g) AS p, ST_Area(b.g) AS q, ST_Area(ST_Intersection(a.g, b.g)) AS c
               FROM g AS a JOIN g AS b ON ST_Intersects(a.g, b.g) WHERE a.k < b.k))""",
        10: f"""SELECT COUNT(*), SUM(lasts) + SUM(far) FROM
                (SELECT z.z_zonekey, COUNT(t.t_tripkey) AS n, {means}
                FROM zone z LEFT JOIN trip t ON ST_Within({start}, {zone}) GROUP BY z.z_zonekey, z.z_name)""",
        11: f"""SELECT COUNT(*), 0 FROM trip t JOIN zone z ON ST_Within({start}, {zone})
                JOIN zone y ON ST_Within({end}, ST_GeomFromWKB(y.z_boundary)) WHERE z.z_zonekey != y.z_zonekey""",
        12: f"""WITH t AS (SELECT t_tripkey AS k, {start} AS g FROM trip t), b AS (SELECT {building} AS g FROM building b)
                SELECT COUNT(*), SUM(d) FROM
                (SELECT ST_Distance(t.g, b.g) AS d FROM t JOIN b ON ST_KNN(t.g, b.g, {NEAREST}, FALSE))""",
    }
    [row] = session.sql(asked[query]).to_pandas().itertuples(index=False)
    return int(row[0]), float(row[1])


def pycanopy(folder, query):
    import polars
    import pycanopy as pc

    def located(frame, column="t_pickuploc"):
        x, y = pc.wkb_points_to_xy(frame[column])
        return frame.drop(column).with_columns(polars.Series("x", x), polars.Series("y", y))

    def points(*columns):
        return pc.SpatialFrame(located(read(folder, "trip", "t_pickuploc", *columns)), x_col="x", y_col="y")

    def zones():
        return pc.SpatialFrame.from_wkb_polygons(read(folder, "zone", "z_zonekey", "z_name", "z_boundary"), "z_boundary")

    def means_by_zone(zones):
        inside = zones.lazy().within_join(located(of_trips(folder)), "x", "y").group_by(["z_zonekey", "z_name"])
        means = inside.agg(n=pc.agg.count(), lasts=pc.agg.mean("lasts"), far=pc.agg.mean("far"))
        return means, float(means["lasts"].sum() + means["far"].sum())

    if query == 1:
        x, y = CENTER
        near = points().radius_query(x, y, CENTER_NEAR)
        return len(near), float(near.select(((polars.col("x") - x) ** 2 + (polars.col("y") - y) ** 2).sqrt().sum()).item())
    if query == 2:
        import shapely

        [zone] = read(folder, "zone", "z_name", "z_boundary").filter(polars.col("z_name") == COUNTY)["z_boundary"].head(1)
        return len(points().engine.points_within_distance_of_polygon(shapely.from_wkb(zone), 0.0)), 0
    if query == 3:
        import shapely

        trips = points("t_pickuptime", "t_distance", "t_fare")
        return by_month(trips.points_within_distance_of_polygon(shapely.Polygon(corners(TOWN)), TOWN_NEAR))
    if query == 4:
        inside = zones().lazy().within_join(located(highest_tips(folder)), "x", "y")
        counts = inside.group_by(["z_zonekey", "z_name"]).agg(n=pc.agg.count())["n"].cast(polars.Float64)
        return len(counts), float((counts**2).sum())
    if query == 6:
        means, total = means_by_zone(zones().range_filter(*AROUND))
        return len(means), total
    if query == 10:
        all_zones = zones()
        means, total = means_by_zone(all_zones)
        names = read(folder, "zone", "z_zonekey", "z_name")
        return len(names.join(means, on=["z_zonekey", "z_name"], how="left")), total
    if query == 11:
        all_zones, trips = zones(), read(folder, "trip", "t_tripkey", "t_pickuploc", "t_dropoffloc")
        ends = (located(trips.select("t_tripkey", column), column) for column in ("t_pickuploc", "t_dropoffloc"))
        inside = (all_zones.lazy().within_join(end, "x", "y").select(["t_tripkey", "z_zonekey"]).collect_batched() for end in ends)
        both = (one.join(other, on="t_tripkey") for one, other in zip(*inside, strict=True))
        return sum(part.filter(polars.col("z_zonekey") != polars.col("z_zonekey_right")).height for part in both), 0
    buildings = pc.SpatialFrame.from_wkb_polygons(read(folder, "building", "b_buildingkey", "b_boundary"), "b_boundary")
    if query == 9:
        pairs = buildings.intersects_pairs("b_buildingkey")
        return len(pairs), float(pairs["iou"].sum())
    trips = located(read(folder, "trip", "t_tripkey", "t_pickuploc"))
    if query == 8:
        near = buildings.lazy().polygon_within_distance_join(trips, "x", "y", NEAR)
        counts = near.group_by(["b_buildingkey"]).agg(n=pc.agg.count())
        return len(counts), float(counts["n"].sum())
    nearest = buildings.lazy().polygon_knn_join(trips, "x", "y", NEAREST).collect()
    return len(nearest), float(nearest["distance_to_polygon"].sum())


def main(folder, *wanted):
    queries = [int(word) for word in wanted if word.isdigit()] or QUERIES
    tools = [word for word in wanted if word in TOOLS] or TOOLS
    print("query,tool,rows,sum,peak MiB,processor s,wall s")
    different = []
    for query in queries:
        found = []
        for tool in tools:
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
            run = subprocess.run([sys.executable, __file__, "--one", tool, folder, str(query)], capture_output=True, text=True)
            wall, after = time.time() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
            spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            answer = run.stdout.strip() or run.stderr.strip().splitlines()[-1:]
            print(f"{query},{tool},{answer},{spent:.2f},{wall:.2f}", flush=True)
            if run.returncode == 0:
                found.append([float(number) for number in answer.split(",")[:2]])
        if any(not math.isclose(one, own, rel_tol=1e-6) for other in found for one, own in zip(found[0], other)):
            different.append(query)
    sys.exit(f"tools do not agree about queries {different}" if different else 0)


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        rows, total = globals()[sys.argv[2]](sys.argv[3], int(sys.argv[4]))
        print(f"{rows},{total:.9g},{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10}")
        sys.stdout.flush()
        os._exit(0)
    main(*sys.argv[1:])

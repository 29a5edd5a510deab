"""Joins of files of boxes and points by quadrille, geopandas, DuckDB and SedonaDB: processor time of whole processes, from their start to
the written result, the least of two runs.

    python beside.py QUADRILLE FOLDER > ../results/DATE-joins.csv

QUADRILLE is the command, FOLDER has tiger_zcta510_boxes.csv and tiger_primaryroads_boxes.csv (corners, no header), us_airports.csv
(latitude, longitude) and usgs_earthquakes_week.geojson. Needs geopandas, duckdb, sedonadb, numpy, pandas.
All must find the same number of pairs; the written files are counted.
"""

import os
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

AREAS, ROADS, AIRPORTS, QUAKES = (
    "tiger_zcta510_boxes.csv",
    "tiger_primaryroads_boxes.csv",
    "us_airports.csv",
    "usgs_earthquakes_week.geojson",
)
MILLION = "million.csv"
QUERIES = {
    "overlaps of 33,155 ZIP code areas": ("self", AREAS, None),
    "13,361 roads with 33,155 areas": ("two", ROADS, AREAS),
    "3,376 airports in 33,155 areas": ("points", AIRPORTS, AREAS),
    "1,707 earthquakes (GeoJSON), the nearest airport": ("nearest", QUAKES, AIRPORTS),
    "3,376 airports within 0.1 degrees of each other": ("within", AIRPORTS, None),
    "overlaps of 1,000,000 uniform boxes (a file of 55 MB)": ("self", MILLION, None),
}
# Which library takes part in what, so that it takes a reasonable time: four inequalities take DuckDB too long for a million boxes.
LACKS = {
    "DuckDB": {("nearest", QUAKES), ("self", MILLION)},
    "SedonaDB": {("nearest", QUAKES), ("within", AIRPORTS), ("points", AIRPORTS)},
}
CORNERS = ["xmin", "ymin", "xmax", "ymax"]
OVERLAP = "a.xmin <= b.xmax and b.xmin <= a.xmax and a.ymin <= b.ymax and b.ymin <= a.ymax"


def arguments(kind, first, second, out):
    """Those of the command."""
    files = [first] if second is None else [first, second]
    options = {"nearest": ["--nearest", "1"], "within": ["--within", "0.1"]}.get(kind, [])
    return ["pairs", *files, *options, "--out", out]


def table(path):
    """A frame; files without a header are corners of boxes."""
    import pandas

    with open(path) as lines:
        has_header = lines.readline()[:1].isalpha()
    return pandas.read_csv(path) if has_header else pandas.read_csv(path, names=CORNERS)


def by_geopandas(kind, first, second, out):
    import geopandas
    import pandas
    import shapely

    def shapes(path):
        if path.endswith(".geojson"):
            return geopandas.read_file(path).set_crs(None, allow_override=True)
        frame = table(path)
        if "longitude" in frame:
            return geopandas.GeoDataFrame(geometry=geopandas.points_from_xy(frame.longitude, frame.latitude))
        return geopandas.GeoDataFrame(geometry=shapely.box(frame.xmin, frame.ymin, frame.xmax, frame.ymax))

    a = shapes(first)
    b = shapes(second) if second else a
    if kind == "nearest":
        found = a.sjoin_nearest(b)
        # Of equal distances, one.
        found = found[~found.index.duplicated()]
    elif kind == "within":
        found = a.sjoin(b, predicate="dwithin", distance=0.1)
    else:
        found = a.sjoin(b)
    pairs = pandas.DataFrame({"a": found.index, "b": found.index_right})
    (pairs if second else pairs[pairs.a < pairs.b]).to_csv(out, index=False)


def by_duckdb(kind, first, second, out):
    import duckdb

    duckdb.sql("set threads = 1")
    for name, path in [("a", first), ("b", second or first)]:
        is_points = path.endswith(AIRPORTS)
        columns = "longitude xmin, latitude ymin, longitude xmax, latitude ymax" if is_points else "*"
        header = "" if is_points or path.endswith(MILLION) else f", header = false, names = {CORNERS}"
        duckdb.sql(f"create table {name} as select row_number() over () - 1 id, {columns} from read_csv('{path}'{header})")
    condition = OVERLAP
    if kind == "within":
        condition = "(a.xmin - b.xmin) ** 2 + (a.ymin - b.ymin) ** 2 <= 0.01 and abs(a.xmin - b.xmin) <= 0.1"
    # Written as a difference, so that it is not used as a join condition: those of the boxes leave fewer candidates.
    once = "" if second else " and a.id - b.id < 0"
    duckdb.sql(f"copy (select a.id a, b.id b from a join b on {condition}{once}) to '{out}' (header)")


def by_sedonadb(kind, first, second, out):
    import sedonadb

    session = sedonadb.connect()
    for name, path in [("a", first), ("b", second or first)]:
        session.create_data_frame(table(path).rename_axis("id").reset_index()).to_view(name)
    boxes = "select id, ST_Envelope(ST_MakeLine(ST_Point(xmin, ymin), ST_Point(xmax, ymax))) g from"
    once = "" if second else " where a.id < b.id"
    found = session.sql(f"select a.id a, b.id b from ({boxes} a) a join ({boxes} b) b on ST_Intersects(a.g, b.g){once}")
    found.to_pandas().to_csv(out, index=False)


TOOLS = {"geopandas": by_geopandas, "DuckDB": by_duckdb, "SedonaDB": by_sedonadb}


def run(command):
    """Seconds of the processor that a process takes."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, "OMP_NUM_THREADS": "1"})
    text = child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    if status:
        raise RuntimeError(f"{command}: {text.decode()[-2000:]}")
    return used.ru_utime + used.ru_stime


def write_million(path):
    import numpy

    random = numpy.random.default_rng(1)
    low = random.uniform(0, numpy.sqrt(5e6), (1_000_000, 2))
    numpy.savetxt(path, numpy.hstack([low, low + random.uniform(0.5, 1.5, (1_000_000, 2))]), "%.8f", ",", header="xmin,ymin,xmax,ymax", comments="")


def main():
    if sys.argv[1] == "--one":
        _, _, tool, kind, first, second, out = sys.argv
        return TOOLS[tool](kind, first, second or None, out)
    import duckdb
    import geopandas
    import sedonadb

    quadrille, folder = sys.argv[1], Path(sys.argv[2])
    load = os.getloadavg()[0]
    print(f"# date {date.today()}, CPU time, {os.environ.get('MACHINE', 'the machine was not named')}, load {load:.0f}")
    print(f"# versions: geopandas {geopandas.__version__} DuckDB {duckdb.__version__} SedonaDB {sedonadb.__version__}")
    print("# bench/joins/beside.py: whole processes, from their start to the written result; the least of two runs")
    print("query,contender,pairs,cpu_ms")
    with tempfile.TemporaryDirectory() as room:
        write_million(Path(room, MILLION))
        for name, (kind, *files) in QUERIES.items():
            first, second = (path and str(Path(room if path == MILLION else folder, path)) for path in files)
            counts = {}
            for tool in ["quadrille", *TOOLS]:
                if (kind, files[0]) in LACKS.get(tool, ()):
                    continue
                out = str(Path(room, "out.csv"))
                one = [sys.executable, __file__, "--one", tool, kind, first, second or "", out]
                command = [quadrille, *arguments(kind, first, second, out)] if tool == "quadrille" else one
                # One that writes nothing is not counted by what another has written.
                Path(out).unlink(missing_ok=True)
                seconds = min(run(command) for _ in range(2))
                with open(out) as lines:
                    counts[tool] = sum(1 for _ in lines) - 1
                print(f'"{name}",{tool},{counts[tool]},{seconds * 1000:.0f}', flush=True)
            assert len(set(counts.values())) == 1, counts


if __name__ == "__main__":
    main()

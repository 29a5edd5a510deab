"""Joins by true shapes from files to files by quadrille, geopandas and, if it is there, spatialjoin (Bast, Brosi, Kalmbach: *Efficient Spatial
Joins for All of OpenStreetMap*): processor time of whole processes, from their start to the written result, the least of five runs.

    pip install geopandas bokeh_sampledata
    cargo build --release -p quadrille-cli
    python bench/shapes/files.py target/release/quadrille [SPATIALJOIN] > bench/results/DATE-shapes-files.csv

The counties are those of bokeh_sampledata, written as GeoJSON by geopandas. geopandas reads the file once, also where quadrille is given it
twice. With one file, quadrille writes each pair once; with two, and by geopandas, both orders and each county with itself are there.
spatialjoin reads well-known text and writes all relations of both orders; it rounds coordinates to integers of 32 bits, tenths of a meter of Web
Mercator, and so finds other pairs: its row is not compared with the others.
"""

import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
from datetime import date

RUNS = 5


def write_counties(path, text):
    import bokeh_sampledata
    import geopandas
    import pandas
    import shapely

    folder = pathlib.Path(bokeh_sampledata.__file__).parent / "_data"
    counties = pandas.read_sql("select * from us_counties order by ordinal", sqlite3.connect(folder / "geographic_boundaries.db"))
    shapes = shapely.from_wkb(counties.pop("geometry").to_list())
    geopandas.GeoDataFrame(counties, geometry=shapes, crs="EPSG:4326").to_file(path, driver="GeoJSON")
    pathlib.Path(text).write_text("".join(f"{shape}\n" for shape in shapely.to_wkt(shapes, rounding_precision=-1)))
    return len(shapes)


def by_geopandas(path, out):
    import geopandas

    counties = geopandas.read_file(path)
    pairs = counties[["geometry"]].sjoin(counties[["geometry"]])
    pairs["index_right"].to_csv(out, index_label="a", header=["b"])


def pairs_in(path):
    """Each line is a pair, but for spatialjoin's, which name a relation and come in both orders, and a header."""
    with open(path) as lines:
        first, *rest = lines
    if " " in first:
        return sum(" intersects " in line for line in [first, *rest]) // 2
    return len(rest)


def spent(command):
    """Seconds of the processor that a process takes."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1"})
    _, status, used = os.wait4(child.pid, 0)
    assert status == 0, command
    return used.ru_utime + used.ru_stime


def main(quadrille, spatialjoin=None):
    import geopandas

    with tempfile.TemporaryDirectory() as room:
        path, text, out = f"{room}/counties.geojson", f"{room}/counties.wkt", f"{room}/out.csv"
        count = write_counties(path, text)
        load = os.getloadavg()[0]
        print(f"# date {date.today()}, CPU time, {os.environ.get('MACHINE', 'the machine was not named')}, load {load:.0f}")
        built = f"; spatialjoin {os.environ.get('SPATIALJOIN_VERSION', 'was not named')}" if spatialjoin else ""
        print(f"# versions: geopandas {geopandas.__version__}{built}")
        print(f"# bench/shapes/files.py: {os.path.getsize(path) / 1e6:.1f} MB of GeoJSON to CSV, whole processes; the least of {RUNS} runs")
        print("query,contender,pairs,cpu_ms")
        options = ["--predicate", "intersects", "--out", out]
        asked = {
            ("one file", "quadrille"): [quadrille, "pairs", path, *options],
            ("the file twice", "quadrille"): [quadrille, "pairs", path, path, *options],
            ("one file", "geopandas"): [sys.executable, __file__, "--one", path, out],
            ("text", "quadrille"): [quadrille, "pairs", text, *options],
        }
        if spatialjoin:
            asked["text", "spatialjoin"] = [spatialjoin, "--num-threads", "1", "-c", room, "-o", out, text]
        found = {}
        for (query, contender), command in asked.items():
            # One that writes nothing is not counted by what another has written.
            pathlib.Path(out).unlink(missing_ok=True)
            seconds = min(spent(command) for _ in range(RUNS))
            found[query, contender] = pairs_in(out)
            print(f'"{query}",{contender},{found[query, contender]},{seconds * 1000:.0f}', flush=True)
        once, *both, in_text = list(found.values())[:4]
        # Both orders of each pair, and each county with itself.
        assert both == [2 * once + count] * 2 and in_text == once, found


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        by_geopandas(*sys.argv[2:])
    else:
        main(*sys.argv[1:])

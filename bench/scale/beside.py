"""Pairs of overlapping boxes in one set, as others count them, with processor time and peak memory of the whole process.

    python beside.py HOW COUNT     HOW: duckdb (four inequalities), duckdb-cells (joined on cells of a grid), sedonadb

The boxes are uniform and cover a fifth of a square, as those of quadrille-scale's example `growth`. Making them is not part of the time.
Needs duckdb, or sedonadb and geoarrow-pyarrow; and numpy, pyarrow, pandas.
"""

import resource
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

OVERLAP = "a.id < b.id and a.xmin <= b.xmax and b.xmin <= a.xmax and a.ymin <= b.ymax and b.ymin <= a.ymax"


def write(path, count):
    random = np.random.default_rng(1)
    low = random.uniform(0, np.sqrt(5 * count), (count, 2)).astype(np.float32)
    high = (low + random.uniform(0.5, 1.5, (count, 2))).astype(np.float32)
    columns = {"xmin": low[:, 0], "ymin": low[:, 1], "xmax": high[:, 0], "ymax": high[:, 1]}
    pq.write_table(pa.table({"id": np.arange(count), **columns}), path)


def by_duckdb(path, memory="2GB"):
    import duckdb

    duckdb.sql(f"set memory_limit = '{memory}'; set threads = 2")
    return duckdb.sql(f"select count(*) from '{path}' a join '{path}' b on {OVERLAP}").fetchall()[0][0]


def by_duckdb_cells(path, memory="2GB"):
    """A box is no wider than 1.5, so in cells of 4 it touches four at most; a pair counts in the cell of its lower corner."""
    import duckdb

    duckdb.sql(f"set memory_limit = '{memory}'; set threads = 2")
    duckdb.sql(f"""create view copies as select *, unnest(range(floor(xmin / 4)::bigint, floor(xmax / 4)::bigint + 1)) cx, cy
        from (select *, unnest(range(floor(ymin / 4)::bigint, floor(ymax / 4)::bigint + 1)) cy from '{path}')""")
    return duckdb.sql(f"""select count(*) from copies a join copies b on a.cx = b.cx and a.cy = b.cy and {OVERLAP}
        where floor(greatest(a.xmin, b.xmin) / 4) = a.cx and floor(greatest(a.ymin, b.ymin) / 4) = a.cy""").fetchall()[0][0]


def by_sedonadb(path):
    import sedonadb

    session = sedonadb.connect()
    session.read_parquet(str(path)).to_view("t")
    boxes = "select id, ST_Envelope(ST_MakeLine(ST_Point(xmin, ymin), ST_Point(xmax, ymax))) g from t"
    found = session.sql(f"select count(*) n from ({boxes}) a join ({boxes}) b on ST_Intersects(a.g, b.g) where a.id < b.id")
    return int(found.to_pandas().n[0])


def main():
    how, count = sys.argv[1], int(float(sys.argv[2]))
    with tempfile.TemporaryDirectory() as room:
        path = Path(room, "boxes.parquet")
        write(path, count)
        before = resource.getrusage(resource.RUSAGE_SELF)
        found = {"duckdb": by_duckdb, "duckdb-cells": by_duckdb_cells, "sedonadb": by_sedonadb}[how](path)
        after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{how}: {count:,} boxes, {found:,} pairs, {seconds:.2f} s of processor time, peak {after.ru_maxrss >> 10} MiB")


main()

"""The nearest by true shapes: `sjoin_nearest` of pyquadrille beside geopandas', and `join_nearest` beside shapely's `STRtree.query_nearest`.

    pip install geopandas bokeh_sampledata pyquadrille
    python bench/shapes/nearest.py > bench/results/DATE-shapes-nearest.csv

The shapes are those of beside.py. Processor time, the least of three runs; the index is built within it. All pairs of the one are compared
with those of the other, and the number of pairs that only one has is counted.
"""

import os
import time
import warnings
from datetime import date

import geopandas
import pyquadrille as pq
import shapely
from beside import data

ASKED = [
    ("cities", "counties"),
    ("points", "counties"),
    ("points", "cities"),
    ("counties", "cities"),
    ("stars", "squares"),
    ("cities", "states"),
]


def least(work):
    times = []
    for _ in range(3):
        start = time.process_time()
        found = work()
        times.append(time.process_time() - start)
    return min(times) * 1e3, found


def main():
    # That degrees are no meters is known.
    warnings.simplefilter("ignore")
    sets = data()
    load = os.getloadavg()[0]
    print(f"# date {date.today()}, CPU time, {os.environ.get('MACHINE', 'the machine was not named')}, load {load:.0f}")
    print(f"# versions: geopandas {geopandas.__version__} shapely {shapely.__version__} GEOS {shapely.geos_version_string}")
    print("# bench/shapes/nearest.py: the least of three runs; ms of processor time")
    print("first,second,pairs,differences,geopandas_ms,sjoin_nearest_ms,strtree_ms,join_nearest_ms")
    for a, b in ASKED:
        frames = [geopandas.GeoDataFrame(geometry=sets[name]) for name in (a, b)]
        theirs, found = least(lambda: geopandas.sjoin_nearest(*frames))
        ours, own = least(lambda: pq.sjoin_nearest(*frames))
        pairs = [set(zip(rows.index.tolist(), rows["index_right"].tolist())) for rows in (found, own)]
        tree, _ = least(lambda: shapely.STRtree(sets[b]).query_nearest(sets[a]))
        arrays, _ = least(lambda: pq.join_nearest(sets[a], sets[b]))
        print(f"{a},{b},{len(own)},{len(pairs[0] ^ pairs[1])},{theirs:.0f},{ours:.0f},{tree:.0f},{arrays:.0f}", flush=True)


if __name__ == "__main__":
    main()

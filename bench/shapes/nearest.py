"""The nearest by true distance beside shapely (STRtree) and geopandas: the same distances, and the least time of three.

    pip install geopandas bokeh_sampledata
    PYTHONPATH=... python bench/shapes/nearest.py

Processor time, in milliseconds, of shapes in memory; the data are those of beside.py. Rows of CSV.
"""

import time

import beside
import geopandas
import numpy
import pyquadrille as pq
import shapely

JOINS = [("cities", "counties"), ("points", "cities"), ("counties", "cities"), ("stars", "squares"), ("cities", "states")]


def least(work):
    times = []
    for _ in range(3):
        start = time.process_time()
        answer = work()
        times.append((time.process_time() - start) * 1e3)
    return round(min(times)), answer


def main():
    sets = beside.data()
    print("each,nearest,count,pairs,more_pairs,geopandas_ms,sjoin_nearest_ms,strtree_ms,join_nearest_ms")
    for each, nearest in JOINS:
        a, b = sets[each], sets[nearest]
        frames = [geopandas.GeoDataFrame(geometry=one) for one in (a, b)]
        theirs, frame = least(lambda: geopandas.sjoin_nearest(*frames))
        ours, own_frame = least(lambda: pq.sjoin_nearest(*frames))
        tree, (pairs, far) = least(lambda: shapely.STRtree(b).query_nearest(a, return_distance=True))
        joined, (i, j, own_far) = least(lambda: pq.join_nearest(a, b))
        # The nearest of each must be equally far; if several are, both should report all.
        order = numpy.unique(pairs[0], return_index=True)[1]
        assert numpy.allclose(far[order], own_far[numpy.unique(i, return_index=True)[1]], rtol=1e-12, atol=1e-12)
        assert len(own_frame) == len(i) and len(frame) == len(far)
        print(f"{each},{nearest},{len(a)},{len(i)},{len(i) - len(far)},{theirs},{ours},{tree},{joined}", flush=True)


main()

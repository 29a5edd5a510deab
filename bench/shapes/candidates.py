"""How many pairs of boxes have to be decided by geometry, and what that costs: the join of shapes beside the join of their boxes.

    pip install shapely bokeh_sampledata
    PYTHONPATH=... python bench/shapes/candidates.py

Processor time, the mean of a fifth of a second; the data are those of beside.py. Shapes are read before. Rows of CSV.
"""

import beside
import numpy
import pyquadrille as pq
import shapely
from pyquadrille import _core


def main():
    sets = beside.data()
    print("first,second,corners,candidates,pairs,boxes_ms,shapes_ms,ns_a_candidate")
    for first, second in [("counties", "points"), ("states", "cities"), ("counties", "counties"), ("stars", "stars")]:
        a, b = (_core.Shapes(shapely.to_wkb(sets[name]).tolist(), name) for name in (first, second))
        boxes = [numpy.ascontiguousarray(shapes.bounds()) for shapes in (a, b)]
        boxes_ms, candidates = beside.mean(lambda: pq.pairs(*boxes))
        shapes_ms, ((i, _), _) = beside.mean(lambda: _core.join_shapes(a, b, "intersects"))
        count = len(candidates[0])
        each = (shapes_ms - boxes_ms) * 1e6 / count
        corners = shapely.get_num_coordinates(sets[first]).sum()
        print(f"{first},{second},{corners},{count},{len(i)},{boxes_ms:.1f},{shapes_ms:.1f},{each:.0f}", flush=True)


main()

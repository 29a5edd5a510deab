"""Spatial joins, overlapping pairs, nearest neighbors and contact events in 2D, in numpy and geopandas.

Boxes are arrays of shape (n, 4), xmin, ymin, xmax, ymax; points are (n, 2), x, y. float32, float64 and int32 are kept as they are. Boxes
include their edges, so touching is overlapping.

    >>> import numpy as np, pyquadrille as pq
    >>> boxes = np.array([[0, 0, 2, 2], [1, 1, 3, 3], [5, 5, 6, 6]], dtype=np.float32)
    >>> i, j = pq.pairs(boxes)
    >>> i.tolist(), j.tolist()
    ([0], [1])
"""

from ._core import (
    STRUCTURES,
    GrowingFlow,
    GrowingReach,
    Index,
    NeighborList,
    PairChunks,
    PathMap,
    PathQueue,
    PathWatch,
    TerrainMap,
    __version__,
    advise,
    declutter,
    encounters,
    neighbors,
    nms,
    pairs,
    within,
)
from ._shapes import join, join_nearest, sjoin, sjoin_nearest
from ._tables import to_arrow

__all__ = [
    "STRUCTURES",
    "GrowingFlow",
    "GrowingReach",
    "Index",
    "NeighborList",
    "PairChunks",
    "PathMap",
    "PathQueue",
    "PathWatch",
    "TerrainMap",
    "__version__",
    "advise",
    "declutter",
    "encounters",
    "join",
    "join_nearest",
    "neighbors",
    "nms",
    "pairs",
    "sjoin",
    "sjoin_nearest",
    "to_arrow",
    "within",
]

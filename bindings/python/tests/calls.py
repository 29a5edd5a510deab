"""Every call of the package, in small and with more answers than memory holds. The list of names is read from the package itself."""

import numpy as np
import pyquadrille as pq


def every_call() -> set[str]:
    """The names of all functions, classes, methods and properties."""
    names = set()
    for name in pq.__all__:
        thing = getattr(pq, name)
        if isinstance(thing, type):
            names |= {f"{name}.{member}" for member in vars(thing) if not member.startswith("_") or member in ("__next__", "__len__")}
        if callable(thing):
            names.add(name)
    # Only other calls return these.
    return names - {"PairChunks", "GrowingFlow", "GrowingReach"}


def of_name(label: str) -> str:
    """The name of the call that a case is about: `Index.query, on two threads` is `Index.query`."""
    return label.split(",")[0]


SMALL_SETUP = """
import numpy as np
import pyquadrille as pq

box, point, step, one, ids = np.array([[0.0, 0, 1, 1]]), np.array([[0.0, 0]]), np.array([[1.0, 0]]), np.array([1.0]), np.array([0])
column, row, index = np.array([0.0, 1]), np.zeros(2), pq.Index(box)
neighborhood = pq.NeighborList(1.0, 1.0)
data, shapes = index.to_bytes(), [b"\\x01\\x01\\0\\0\\0" + bytes(16)]
free, kinds, walker = np.ones((3, 3), bool), np.ones((3, 3), np.uint8), (1, [1])
start, goal, starts, goals, path = np.array([0, 0]), np.array([2, 2]), np.array([[0, 0]]), np.array([[2, 2]]), np.array([[0, 0], [1, 1], [2, 2]])
links, weights, tile, kind = np.array([[0, 0, 2, 2, 1]]), np.array([1, 1]), np.ones((1, 1), bool), np.ones((1, 1), np.uint8)
ground, terrain, queue = pq.PathMap(free), pq.TerrainMap(kinds, [walker]), pq.PathQueue()
watch, tickets = pq.PathWatch(ground, path), []
"""

# Each takes a microsecond or some; what is made once, or draws a picture, is not a matter of microseconds.
SMALL = {
    "pairs": "pq.pairs(box)",
    "pairs, of two sets": "pq.pairs(box, box)",
    "within": "pq.within(box, 1.0)",
    "within, of two sets": "pq.within(box, box, 1.0)",
    "within, on the earth": "pq.within(point, 1.0, metric='geodesic')",
    "neighbors": "pq.neighbors(point, 1.0)",
    "neighbors, of two sets": "pq.neighbors(point, 1.0, point)",
    "neighbors, in a box": "pq.neighbors(point, 1.0, box=4, pairs=True, return_distance=True)",
    "NeighborList": "pq.NeighborList(1.0, 1.0)",
    "NeighborList.update": "neighborhood.update(point)",
    "NeighborList.neighbors": "neighborhood.neighbors()",
    "nms": "pq.nms(box, one)",
    "declutter": "pq.declutter(box, one)",
    "join": "pq.join(shapes, shapes)",
    "join_nearest": "pq.join_nearest(shapes, shapes)",
    "encounters": "pq.encounters(row, column, row, row, within=1.0)",
    "to_arrow": "pq.to_arrow({'a': ids})",
    "Index": "pq.Index(box)",
    "Index.update": "index.update(box)",
    "Index.move": "index.move(ids, box)",
    "Index.insert": "index.remove(index.insert(box))",
    "Index.remove": "index.remove(index.insert(box))",
    "Index.set_layers": "index.set_layers(ids, 1)",
    "Index.layers": "index.layers()",
    "Index.maintain": "index.maintain()",
    "Index.pairs": "index.pairs()",
    "Index.iter_pairs": "index.iter_pairs()",
    "PairChunks.__next__": "list(index.iter_pairs())",
    "Index.events": "index.events()",
    "Index.query": "index.query(box)",
    "Index.query, on two threads": "index.query(box, threads=2)",
    "Index.query_csr": "index.query_csr(box)",
    "Index.within": "index.within(box, 1.0)",
    "Index.within, a distance each": "index.within(box, one)",
    "Index.nearest": "index.nearest(point)",
    "Index.cast": "index.cast(point, step)",
    "Index.boxes": "index.boxes()",
    "Index.nodes": "index.nodes()",
    "Index.ids": "index.ids",
    "Index.places": "index.places",
    "Index.structure": "index.structure",
    "Index.dtype": "index.dtype",
    "Index.__len__": "len(index)",
    "Index.to_bytes": "index.to_bytes()",
    "Index.from_bytes": "pq.Index.from_bytes(data)",
    "PathMap": "pq.PathMap(free)",
    "PathMap.path": "ground.path(start, goal)",
    "PathMap.paths": "ground.paths(starts, goals)",
    "PathMap.linked_path": "ground.linked_path(start, goal, links)",
    "PathMap.distance": "ground.distance(start, goal)",
    "PathMap.is_reachable": "ground.is_reachable(start, goal)",
    "PathMap.would_close": "ground.would_close(start, (1, 1), starts, goal)",
    "PathMap.nearest_free": "ground.nearest_free(start)",
    "PathMap.nearest": "ground.nearest(start, goals)",
    "PathMap.nearest_linked": "ground.nearest_linked(start, goals, links)",
    "PathMap.first_wall": "ground.first_wall(start, goal)",
    "PathMap.free_places": "ground.free_places(start, 3)",
    "PathMap.detour": "ground.detour(path, starts)",
    "PathMap.reach": "ground.reach(start, 1.0)",
    "PathMap.taut_path": "ground.taut_path(start, goal)",
    "PathMap.set": "ground.set(starts, True)",
    "PathMap.edit": "ground.edit(0, 0, tile)",
    "PathMap.flow": "ground.flow(goals)",
    "PathMap.begin_flow": "ground.begin_flow(goals)",
    "PathMap.begin_reach": "ground.begin_reach(start, 1.0)",
    "GrowingFlow.go_on": "ground.begin_flow(goals).go_on(ground, 99)",
    "GrowingReach.go_on": "ground.begin_reach(start, 1.0).go_on(ground, 99)",
    "PathMap.free": "ground.free",
    "PathMap.shape": "ground.shape",
    "PathMap.rule": "ground.rule",
    "TerrainMap": "pq.TerrainMap(kinds)",
    "TerrainMap.path": "terrain.path(start, goal, agent=walker)",
    "TerrainMap.paths": "terrain.paths(starts, goals, agent=walker)",
    "TerrainMap.linked_path": "terrain.linked_path(start, goal, links, agent=walker)",
    "TerrainMap.reach": "terrain.reach(start, 1.0, agent=walker, weights=weights)",
    "TerrainMap.flow": "terrain.flow(goals, agent=walker)",
    "TerrainMap.begin_flow": "terrain.begin_flow(goals, agent=walker)",
    "TerrainMap.begin_reach": "terrain.begin_reach(start, 1.0, agent=walker)",
    "TerrainMap.set": "terrain.set(starts, 1)",
    "TerrainMap.edit": "terrain.edit(0, 0, kind)",
    "TerrainMap.add_class": "terrain.add_class(walker)",
    "TerrainMap.kinds": "terrain.kinds",
    "TerrainMap.classes": "terrain.classes",
    "TerrainMap.shape": "terrain.shape",
    "TerrainMap.rule": "terrain.rule",
    "PathQueue": "pq.PathQueue()",
    "PathQueue.push": "queue.cancel(queue.push(start, goal))",
    "PathQueue.cancel": "queue.cancel(0)",
    "PathQueue.run": "queue.run(ground, 9)",
    "PathQueue.run_for": "queue.run_for(ground, 0.0)",
    "PathQueue.__len__": "len(queue)",
    "PathWatch": "pq.PathWatch(ground, path)",
    "PathWatch.check": "watch.check(ground)",
    "PathWatch.shorter": "watch.shorter(ground, start)",
}

NOT_SMALL = {"advise", "sjoin", "sjoin_nearest", "Index.plot"}

LARGE_SETUP = """
import numpy as np
import pyquadrille as pq

rng = np.random.default_rng(5)
crowd = np.tile(np.float32([0, 0, 1, 1]), (20_000, 1))
many = np.hstack([corner := rng.random((1_000_000, 2)), corner])
index, scores, spot = pq.Index(crowd), np.zeros(len(crowd)), np.zeros((20_000, 2))
# Boxes of all sizes on one spot, none of which suppresses another.
nested = np.hstack([np.zeros((20_000, 2)), 1 + rng.random((20_000, 2))])
fixes = dict(id=np.arange(6000) // 2, t=np.arange(6000) % 2, x=np.zeros(6000), y=np.zeros(6000))
# Tracks that never meet, and take long.
place = np.repeat(rng.random((3000, 2)), 2, axis=0)
apart = {**fixes, "x": place[:, 0], "y": place[:, 1]}
point = b"\\x01\\x01\\0\\0\\0" + bytes(16)
ring = b"".join(np.float64([x, y]).tobytes() for x, y in [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)])
square = b"\\x01\\x03\\0\\0\\0\\x01\\0\\0\\0\\x05\\0\\0\\0" + ring
points, squares = [point] * 30_000, [square] * 30_000
"""

# What takes a moment to make, for the calls that are about it.
FULL_SETUP = """
full = pq.Index(many)
data, rows = full.to_bytes(), np.arange(len(many))
"""

# Points that have neighbors, and many.
NEIGHBORS_SETUP = """
neighborhood = pq.NeighborList(1.0, 1.0)
neighborhood.update(spot[:6000])
"""

MAPS_SETUP = """
free, kinds, walker = np.ones((1000, 1000), bool), np.ones((1000, 1000), np.uint8), (1, [1])
first, last, tile, kind = np.array([0, 0]), np.array([999, 999]), np.zeros((900, 900), bool), np.zeros((900, 900), np.uint8)
links = np.array([[0, 0, 9, 9, 1]])
ground, terrain, queue = pq.PathMap(free), pq.TerrainMap(kinds, [walker]), pq.PathQueue()
queue.push(first, last)
watch = pq.PathWatch(ground, np.array([[0, 0], [1, 1]]))
"""

# Each has more answers than memory holds, or needs more for its work.
LARGE = {
    "pairs": "pq.pairs(crowd)",
    "pairs, on two threads": "pq.pairs(crowd, threads=2)",
    "pairs, of two sets": "pq.pairs(crowd, crowd)",
    "pairs, of many": "pq.pairs(many)",
    "within": "pq.within(crowd, 1.0, return_distance=True)",
    "within, of two sets": "pq.within(crowd, crowd, 1.0)",
    "within, on the earth": "pq.within(crowd, 1.0, metric='geodesic', return_distance=True)",
    "within, of two sets on the earth": "pq.within(crowd, crowd, 1.0, metric='geodesic')",
    "within, of points on the earth": "pq.within(spot, 1.0, metric='geodesic')",
    "within, of many points on the earth": "pq.within(corner * 80, 1.0, metric='geodesic', threads=2)",
    "neighbors": "pq.neighbors(crowd, 1.0, return_distance=True)",
    "neighbors, on two threads": "pq.neighbors(crowd, 1.0, threads=2)",
    "neighbors, of two sets": "pq.neighbors(crowd, 1.0, crowd)",
    "neighbors, in a box": "pq.neighbors(spot, 1.0, box=9)",
    "neighbors, with images": "pq.neighbors(corner, 1e-9, corner, box=1)",
    "NeighborList": "pq.NeighborList(1.0, 1.0)",
    "NeighborList.update": "pq.NeighborList(1.0, 1.0).update(spot)",
    "NeighborList.neighbors": "neighborhood.neighbors(return_distance=True)",
    "nms": "pq.nms(nested, scores, 1.0)",
    "declutter": "pq.declutter(crowd, scores)",
    "advise": "pq.advise(many)",
    "encounters": "pq.encounters(**fixes, within=2.0)",
    "to_arrow": "pq.to_arrow({'a': np.broadcast_to(0.0, 10**12)})",
    "join": "pq.join(points, points)",
    "join, disjoint": "pq.join(points, points, 'disjoint')",
    "join, points in polygons": "pq.join(squares, points, 'contains')",
    "join, polygons": "pq.join(squares[:3000], squares, 'equals')",
    "join, measured": "pq.join(squares[:3000], squares, measure=True)",
    "join, left": "pq.join(points, points, how='left')",
    "join, near": "pq.join(points, squares, 'dwithin', distance=1.0)",
    "join, near on the earth": "pq.join(points, points, 'dwithin', distance=1.0, metric='geodesic')",
    "join, polygons on the earth": "pq.join(squares, points, 'dwithin', distance=1.0, metric='geodesic')",
    "join_nearest": "pq.join_nearest(points[:9000], points)",
    "join_nearest, to a few": "pq.join_nearest(points, points[:2000])",
    "join_nearest, many": "pq.join_nearest(points[:9000], points, count=30_000)",
    "join_nearest, of polygons": "pq.join_nearest(points[:900], squares)",
    "join_nearest, exclusive": "pq.join_nearest(points[:900], squares, exclusive=True)",
    "join_nearest, on the earth": "pq.join_nearest(points[:9000], points, count=30_000, metric='geodesic')",
    "join_nearest, ties on the earth": "pq.join_nearest(points[:9000], points, metric='geodesic')",
    "sjoin": "pq.sjoin(frame, frame)",
    "sjoin_nearest": "pq.sjoin_nearest(frame[:9000], frame)",
    "Index": "pq.Index(many)",
    "Index, of whole numbers": "pq.Index(np.zeros((4_000_000, 4), dtype=np.int64))",
    "Index.update": "pq.Index(many[:9]).update(many)",
    "Index.move": "full.move(rows, many)",
    "Index.insert": "pq.Index(many[:9]).insert(many)",
    "Index.remove": "full.remove(rows[::2])",
    "Index.set_layers": "full.set_layers(rows, 1)",
    "Index.layers": "full.layers()",
    "Index.maintain": "full.maintain()",
    "Index.pairs": "index.pairs()",
    "Index.iter_pairs": "index.iter_pairs(1 << 30)",
    "PairChunks.__next__": "list(index.iter_pairs(1 << 30))",
    "Index.events": "index.events()",
    "Index.query": "index.query(crowd)",
    "Index.query, on two threads": "index.query(crowd, threads=2)",
    "Index.query_csr": "index.query_csr(crowd)",
    "Index.within": "index.within(crowd, 1.0)",
    "Index.within, a distance each": "index.within(crowd, np.ones(20_000))",
    "Index.nearest": "index.nearest(crowd, 10_000)",
    "Index.cast": "full.cast(corner, corner)",
    "Index.boxes": "full.boxes()",
    "Index.nodes": "full.nodes()",
    "Index.plot": "full.plot()",
    "Index.ids": "full.ids",
    "Index.places": "full.places",
    "Index.structure": "full.structure",
    "Index.dtype": "full.dtype",
    "Index.__len__": "len(full)",
    "Index.to_bytes": "full.to_bytes()",
    "Index.from_bytes": "pq.Index.from_bytes(data)",
    "PathMap": "pq.PathMap(free)",
    "PathMap.path": "ground.path(first, last)",
    "PathMap.paths": "ground.paths([first] * 3000, [last] * 3000)",
    "PathMap.linked_path": "ground.linked_path(first, last, links)",
    "PathMap.distance": "ground.distance(first, last)",
    "PathMap.is_reachable": "ground.is_reachable(first, last)",
    "PathMap.would_close": "ground.would_close(first, (2, 2), [last], last)",
    "PathMap.nearest_free": "ground.nearest_free(first)",
    "PathMap.nearest": "ground.nearest(first, [last])",
    "PathMap.nearest_linked": "ground.nearest_linked(first, [last], links)",
    "PathMap.first_wall": "ground.first_wall(first, last)",
    "PathMap.free_places": "ground.free_places(first, 10**9)",
    "PathMap.detour": "ground.detour([[0, 0], [1, 1]], [last], radius=999)",
    "PathMap.reach": "ground.reach(first, 1e9)",
    "PathMap.taut_path": "ground.taut_path(first, last)",
    "PathMap.set": "ground.set([last], True)",
    "PathMap.edit": "ground.edit(9, 9, tile)",
    "PathMap.flow": "ground.flow([last])",
    "PathMap.begin_flow": "ground.begin_flow([last])",
    "PathMap.begin_reach": "ground.begin_reach(first, 1e9)",
    "GrowingFlow.go_on": "ground.begin_flow([last]).go_on(ground, 10**9)",
    "GrowingReach.go_on": "ground.begin_reach(first, 1e9).go_on(ground, 10**9)",
    "PathMap.free": "ground.free",
    "PathMap.shape": "ground.shape",
    "PathMap.rule": "ground.rule",
    "TerrainMap": "pq.TerrainMap(kinds, [walker])",
    "TerrainMap.path": "terrain.path(first, last, agent=walker)",
    "TerrainMap.paths": "terrain.paths([first], [last], agent=walker)",
    "TerrainMap.linked_path": "terrain.linked_path(first, last, links, agent=walker)",
    "TerrainMap.reach": "terrain.reach(first, 1e9, agent=walker)",
    "TerrainMap.flow": "terrain.flow([last], agent=walker)",
    "TerrainMap.begin_flow": "terrain.begin_flow([last], agent=walker)",
    "TerrainMap.begin_reach": "terrain.begin_reach(first, 1e9, agent=walker)",
    "TerrainMap.set": "terrain.set([last], 1)",
    "TerrainMap.edit": "terrain.edit(9, 9, kind)",
    "TerrainMap.add_class": "terrain.add_class((2, [1]))",
    "TerrainMap.kinds": "terrain.kinds",
    "TerrainMap.classes": "terrain.classes",
    "TerrainMap.shape": "terrain.shape",
    "TerrainMap.rule": "terrain.rule",
    "PathQueue": "pq.PathQueue()",
    "PathQueue.push": "queue.push(first, last)",
    "PathQueue.cancel": "queue.cancel(0)",
    "PathQueue.run": "queue.run(ground, 10**9)",
    "PathQueue.run_for": "queue.run_for(ground, 1.0)",
    "PathQueue.__len__": "len(queue)",
    "PathWatch": "pq.PathWatch(ground, np.array([[0, 0], [1, 1]]))",
    "PathWatch.check": "watch.check(ground)",
    "PathWatch.shorter": "watch.shorter(ground, first)",
}


def large_setup(label: str) -> str:
    """What a case of `LARGE` is about, made before."""
    of_map = of_name(label).split(".")[0] in ("PathMap", "TerrainMap", "PathQueue", "PathWatch", "GrowingFlow", "GrowingReach")
    is_full = "full" in LARGE[label] or "data" in LARGE[label]
    kept = NEIGHBORS_SETUP if "neighborhood" in LARGE[label] else ""
    return LARGE_SETUP + (FULL_SETUP if is_full else "") + kept + (MAPS_SETUP if of_map else "")


# Calls that need little memory, whatever they find: a node is one of many boxes.
FRUGAL = {
    "nms",
    "declutter",
    "Index.iter_pairs",
    "Index.nodes",
    "Index.places",
    "Index.structure",
    "Index.dtype",
    "Index.__len__",
    "NeighborList",
    "PathMap.shape",
    "TerrainMap.shape",
    "PathQueue",
    "PathQueue.push",
    "PathQueue.cancel",
    "PathQueue.__len__",
}

NEEDS = {"sjoin": "geopandas", "sjoin_nearest": "geopandas", "Index.plot": "matplotlib"}

"""What pairs, neighbors and queries cost, beside other packages: `python bench/compare.py [SIZE ...]`.

Processor time in milliseconds, the least of three runs, all threads counted; one thread is used by everybody. The last column but one says
how many times as long the best of the others takes. Answers are compared by their number.
"""

from __future__ import annotations

import importlib
import itertools
import platform
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyquadrille as pq

RUNS = 3
QUERIES = 20_000


def scene(n: int) -> Any:
    """Boxes spread evenly over a square, which cover a fifth of it; float32."""
    rng = np.random.default_rng(1)
    middle, size = rng.random((n, 2)) * np.sqrt(n), rng.random((n, 2)) * np.sqrt(0.8)
    return np.hstack([middle - size / 2, middle + size / 2]).astype(np.float32)


def timed(work: Callable[[], Any]) -> tuple[float, int]:
    """The least processor time, and how many answers there were."""
    best, answers = np.inf, 0
    for _ in range(RUNS):
        start = time.process_time()
        answers = work()
        best = min(best, time.process_time() - start)
    return best * 1000, answers


def table(title: str, works: dict[str, Callable[[], Any]]) -> None:
    """Prints the times of works that should find equally much; the first is ours."""
    measured = {name: timed(work) for name, work in works.items()}
    (ours, (own, answers)), *others = measured.items()
    print(f"\n{title}: {answers} answers")
    for name, (ms, count) in measured.items():
        note = "" if count == answers else f"   DIFFERS: {count} answers"
        print(f"  {name:34} {ms:10.2f} ms {ms / own:8.2f}{note}")


def on_sphere(degrees: Any) -> Any:
    """Points in space, one unit from the middle of the earth."""
    (x, y), (wide, high) = np.cos(np.radians(degrees.T)), np.sin(np.radians(degrees.T))
    return np.column_stack([x * y, wide * y, high])


def module(name: str) -> Any:
    """A rival, or None with a message."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"SKIPPED: {name} is not installed")
        return None


def main(sizes: list[int]) -> None:
    """All tables for all sizes."""
    print(f"Python {platform.python_version()}, numpy {np.__version__}, {platform.processor() or platform.machine()}")
    shapely, rtree, spatial = module("shapely"), module("rtree.index"), module("scipy.spatial")
    geoindex, fastquadtree, ipctk = module("geoindex_rs.rtree"), module("fastquadtree"), module("ipctk")
    for n in sizes:
        boxes = scene(n)
        wide = boxes.astype(np.float64)
        columns = [np.ascontiguousarray(wide[:, column]) for column in range(4)]
        points = np.ascontiguousarray(wide[:, :2])
        asked = wide[np.random.default_rng(2).integers(0, n, QUERIES)]

        works: dict[str, Callable[[], Any]] = {"pyquadrille.pairs": lambda: pq.pairs(boxes).shape[1]}
        works["pyquadrille.pairs, float64"] = lambda: pq.pairs(wide).shape[1]
        if geoindex:
            def join() -> int:
                builder = geoindex.RTreeBuilder(n)
                builder.add(*columns)
                tree = builder.finish()
                return (geoindex.tree_join(tree, tree).num_rows - n) // 2

            works["geoindex-rs: build, tree_join"] = join
        if shapely:
            def strtree() -> int:
                made = shapely.box(*columns)
                found = shapely.STRtree(made).query(made)
                return int((found[0] < found[1]).sum())

            ready = shapely.box(*columns)

            def strtree_of() -> int:
                found = shapely.STRtree(ready).query(ready)
                return int((found[0] < found[1]).sum())

            works["shapely: boxes, build, query"] = strtree
            works["shapely: build, query"] = strtree_of
        if ipctk:
            ipctk.set_num_threads(1)
            corners = np.asfortranarray(wide.reshape(-1, 2))
            diagonals = np.asfortranarray(np.arange(2 * n, dtype=np.int32).reshape(n, 2))

            def lbvh() -> int:
                tree = ipctk.LBVH()
                tree.build(corners, diagonals, np.empty((0, 3), dtype=np.int32, order="F"))
                return len(tree.detect_edge_edge_candidates())

            works["ipctk: LBVH of diagonals"] = lbvh
        table(f"all pairs of {n} boxes, from nothing", works)

        index = pq.Index(boxes)

        def frame() -> int:
            index.update(boxes)
            return int(index.pairs().shape[1])

        table(f"all pairs of {n} boxes, index kept (update, pairs); the others start from nothing", {"Index": frame, **works})

        r = 0.5
        works = {"pyquadrille.within": lambda: pq.within(points, r).shape[1]}
        if spatial:
            for balanced in (True, False):
                name = f"scipy: cKDTree({'balanced' if balanced else 'unbalanced'}), query_pairs"
                works[name] = lambda balanced=balanced: len(  # type: ignore[misc]
                    spatial.cKDTree(points, balanced_tree=balanced).query_pairs(r, output_type="ndarray")
                )
        table(f"all pairs of {n} points within {r}, from nothing", works)

        # About a point for each 100 m x 100 m.
        degrees = np.array([8.0, 47.0]) + points * [0.00132, 0.0009]
        works = {"pyquadrille.within": lambda: pq.within(degrees, 50.0, metric="geodesic").shape[1]}
        if spatial:
            for balanced in (True, False):
                name = f"scipy: cKDTree({'balanced' if balanced else 'unbalanced'}), sphere"
                works[name] = lambda balanced=balanced: len(  # type: ignore[misc]
                    spatial.cKDTree(on_sphere(degrees), balanced_tree=balanced).query_pairs(50.0 / 6_371_008.8, output_type="ndarray")
                )
        table(f"all pairs of {n} points within 50 m on the earth (scipy: on a sphere, so not quite the same), from nothing", works)

        others = np.ascontiguousarray(wide[:, 2:])
        works = {"pyquadrille.within": lambda: pq.within(points, others, r).shape[1]}
        if spatial:
            def ball_tree() -> int:
                found = spatial.cKDTree(points).query_ball_tree(spatial.cKDTree(others), r)
                left = np.repeat(np.arange(n), [len(row) for row in found])
                right = np.fromiter(itertools.chain.from_iterable(found), dtype=np.intp, count=len(left))
                return np.vstack([left, right]).shape[1]

            works["scipy: query_ball_tree, as arrays"] = ball_tree
        table(f"all pairs of {n} and {n} points within {r}, from nothing", works)

        trees = {name: pq.Index(wide, name) for name in ("frame-tree", "quadtree")}
        works = {f"Index.query ({name})": lambda tree=tree: tree.query(asked).shape[1] for name, tree in trees.items()}
        if shapely:
            tree, shapes = shapely.STRtree(shapely.box(*columns)), shapely.box(*asked.T)
            works["shapely: query"] = lambda: tree.query(shapes).shape[1]
        if rtree:
            stream = ((row, tuple(box), None) for row, box in enumerate(wide.tolist()))
            made = rtree.Index(stream)
            mins, maxs = np.ascontiguousarray(asked[:, :2]), np.ascontiguousarray(asked[:, 2:])
            works["rtree: intersection_v"] = lambda: int(made.intersection_v(mins, maxs)[1].sum())
        if fastquadtree:
            quad = fastquadtree.RectQuadTree((-10.0, -10.0, *(wide.max(axis=0)[2:] + 10.0).tolist()), capacity=16, dtype="f64")
            quad.insert_many_np(wide)
            rects = [tuple(box) for box in asked.tolist()]
            works["fastquadtree: query_np, one by one"] = lambda: sum(len(quad.query_np(rect)[0]) for rect in rects)
        table(f"{QUERIES} rectangles asked of {n} boxes that stand still", works)

        trees = {name: pq.Index(points, name) for name in ("frame-tree", "quadtree", "grid")}
        anywhere = np.ascontiguousarray(asked[:, 2:])
        cells = np.floor(anywhere / 4).astype(np.int64)
        for order, where in {"in any order": anywhere, "along rows of cells": anywhere[np.lexsort((cells[:, 0], cells[:, 1]))]}.items():
            works = {
                f"Index.nearest ({name})": lambda tree=tree, where=where: tree.nearest(where, 8)[1].size for name, tree in trees.items()
            }
            if spatial:
                kd = spatial.cKDTree(points)
                works["scipy: cKDTree.query"] = lambda kd=kd, where=where: kd.query(where, 8)[1].size
            table(f"the 8 nearest of {n} points, {QUERIES} times, {order}", works)


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [10_000, 100_000, 1_000_000])

"""What pairs, neighbors and queries cost, beside other packages: `python bench/compare.py [SIZE ...]`.

A table as CSV: processor time in milliseconds, the least of three rounds or more, all threads counted (everybody uses one), and how many times
as long as ours. Answers are compared by their number; if they differ, a message says so, and the exit code is 1.
"""

from __future__ import annotations

import importlib.util
import itertools
import platform
import sys
import time
from collections.abc import Callable
from importlib import metadata
from typing import Any

import numpy as np
import pyquadrille as pq

# Rounds at least and at most, and seconds after which there are no more.
RUNS, MOST, LONG = 3, 40, 2.0
QUERIES = 20_000


def scene(n: int) -> Any:
    """Boxes spread evenly over a square, which cover a fifth of it; float32."""
    rng = np.random.default_rng(1)
    middle, size = rng.random((n, 2)) * np.sqrt(n), rng.random((n, 2)) * np.sqrt(0.8)
    return np.hstack([middle - size / 2, middle + size / 2]).astype(np.float32)


def measured(works: dict[str, Callable[[], int]]) -> tuple[dict[str, float], dict[str, int]]:
    """The least processor seconds of works that take turns, and their answers."""
    best, counts = dict.fromkeys(works, np.inf), dict.fromkeys(works, 0)
    begun = time.process_time()
    for run in range(MOST):
        if run >= RUNS and time.process_time() - begun > LONG:
            break
        for name, work in works.items():
            start = time.process_time()
            counts[name] = work()
            best[name] = min(best[name], time.process_time() - start)
    return best, counts


def table(task: str, n: int, works: dict[str, Callable[[], Any]]) -> bool:
    """Prints the times of works that should find equally much; the first is ours. Returns whether they did."""
    best, counts = measured(works)
    (own, answers), *_ = zip(best.values(), counts.values())
    for name, seconds in best.items():
        numbers = (float(f"{number:.3g}") for number in (1000 * seconds, seconds / own))
        print(task, name, n, *(f"{number:g}" for number in numbers), sep=",", flush=True)
        if counts[name] != answers:
            print(f"{task}, {n}: {name} has {counts[name]} answers, not {answers}", file=sys.stderr)
    return set(counts.values()) == {answers}


def on_sphere(degrees: Any) -> Any:
    """Points in space, one unit from the middle of the earth."""
    (x, y), (wide, high) = np.cos(np.radians(degrees.T)), np.sin(np.radians(degrees.T))
    return np.column_stack([x * y, wide * y, high])


def module(name: str) -> Any:
    """A rival, or None with a message."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"SKIPPED: {name} is not installed", file=sys.stderr)
        return None


def versions() -> str:
    """Of the packages that are compared."""
    names = ("numpy", "shapely", "rtree", "scipy", "geoindex-rs", "fastquadtree")
    found = [f"{name} {metadata.version(name)}" for name in names if importlib.util.find_spec(name.replace("-", "_"))]
    return ", ".join([f"Python {platform.python_version()}", *found])


def main(sizes: list[int]) -> bool:
    """All tasks for all sizes. Returns whether everybody found the same."""
    print(f"# {versions()}\ntask,contender,boxes,cpu_ms,times")
    agree = []
    shapely, rtree, spatial = module("shapely"), module("rtree.index"), module("scipy.spatial")
    geoindex, fastquadtree = module("geoindex_rs.rtree"), module("fastquadtree")
    for n in sizes:
        boxes = scene(n)
        wide = boxes.astype(np.float64)
        columns = [np.ascontiguousarray(wide[:, column]) for column in range(4)]
        points = np.ascontiguousarray(wide[:, :2])
        asked = wide[np.random.default_rng(2).integers(0, n, QUERIES)]

        works: dict[str, Callable[[], Any]] = {"pyquadrille": lambda: pq.pairs(boxes).shape[1]}
        works["pyquadrille float64"] = lambda: pq.pairs(wide).shape[1]
        if geoindex:
            def join() -> int:
                builder = geoindex.RTreeBuilder(n)
                builder.add(*columns)
                tree = builder.finish()
                return (geoindex.tree_join(tree, tree).num_rows - n) // 2

            works["geoindex-rs build and tree_join"] = join
        if shapely:
            def strtree() -> int:
                made = shapely.box(*columns)
                found = shapely.STRtree(made).query(made)
                return int((found[0] < found[1]).sum())

            ready = shapely.box(*columns)

            def strtree_of() -> int:
                found = shapely.STRtree(ready).query(ready)
                return int((found[0] < found[1]).sum())

            works["shapely boxes and STRtree"] = strtree
            works["shapely STRtree"] = strtree_of
        agree.append(table("pairs", n, works))

        index = pq.Index(boxes)

        def frame() -> int:
            index.update(boxes)
            return int(index.pairs().shape[1])

        agree.append(table("kept index, no box moves", n, {"Index.update and pairs": frame, "pairs": works["pyquadrille"]}))

        r = 0.5
        works = {"pyquadrille": lambda: pq.within(points, r).shape[1]}
        if spatial:
            for balanced in (True, False):
                name = f"cKDTree {'balanced' if balanced else 'unbalanced'}"
                works[name] = lambda balanced=balanced: len(  # type: ignore[misc]
                    spatial.cKDTree(points, balanced_tree=balanced).query_pairs(r, output_type="ndarray")
                )
        agree.append(table("within", n, works))

        # About a point for each 100 m x 100 m.
        degrees = np.array([8.0, 47.0]) + points * [0.00132, 0.0009]
        works = {"pyquadrille": lambda: pq.within(degrees, 50.0, metric="geodesic").shape[1]}
        if spatial:
            for balanced in (True, False):
                name = f"cKDTree {'balanced' if balanced else 'unbalanced'} on a sphere"
                works[name] = lambda balanced=balanced: len(  # type: ignore[misc]
                    spatial.cKDTree(on_sphere(degrees), balanced_tree=balanced).query_pairs(50.0 / 6_371_008.8, output_type="ndarray")
                )
        # A sphere is not quite the earth: the numbers of pairs differ.
        table("within 50 m on the globe", n, works)

        others = np.ascontiguousarray(wide[:, 2:])
        works = {"pyquadrille": lambda: pq.within(points, others, r).shape[1]}
        if spatial:
            def ball_tree() -> int:
                found = spatial.cKDTree(points).query_ball_tree(spatial.cKDTree(others), r)
                left = np.repeat(np.arange(n), [len(row) for row in found])
                right = np.fromiter(itertools.chain.from_iterable(found), dtype=np.intp, count=len(left))
                return np.vstack([left, right]).shape[1]

            works["query_ball_tree as arrays"] = ball_tree
        agree.append(table("two sets", n, works))

        index = pq.Index(wide)
        works = {"pyquadrille": lambda: index.query(asked).shape[1]}
        if shapely:
            tree, shapes = shapely.STRtree(shapely.box(*columns)), shapely.box(*asked.T)
            works["shapely STRtree.query"] = lambda: tree.query(shapes).shape[1]
        if rtree:
            stream = ((row, tuple(box), None) for row, box in enumerate(wide.tolist()))
            made = rtree.Index(stream)
            mins, maxs = np.ascontiguousarray(asked[:, :2]), np.ascontiguousarray(asked[:, 2:])
            works["rtree intersection_v"] = lambda: int(made.intersection_v(mins, maxs)[1].sum())
        if fastquadtree:
            quad = fastquadtree.RectQuadTree((-10.0, -10.0, *(wide.max(axis=0)[2:] + 10.0).tolist()), capacity=16, dtype="f64")
            quad.insert_many_np(wide)
            rects = [tuple(box) for box in asked.tolist()]
            works["fastquadtree query_np"] = lambda: sum(len(quad.query_np(rect)[0]) for rect in rects)
        agree.append(table("Index.query", n, works))

        index = pq.Index(points)
        anywhere = np.ascontiguousarray(asked[:, 2:])
        cells = np.floor(anywhere / 4).astype(np.int64)
        kd = spatial.cKDTree(points) if spatial else None
        for task, where in {"Index.nearest": anywhere, "nearest in order": anywhere[np.lexsort((cells[:, 0], cells[:, 1]))]}.items():
            works = {"pyquadrille": lambda where=where: index.nearest(where, 8)[1].size}  # type: ignore[misc]
            if kd:
                works["cKDTree.query"] = lambda where=where: kd.query(where, 8)[1].size  # type: ignore[misc]
            agree.append(table(task, n, works))
    return all(agree)


if __name__ == "__main__":
    sys.exit(not main([int(size) for size in sys.argv[1:]] or [10_000, 100_000, 1_000_000]))

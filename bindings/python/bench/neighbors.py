"""What lists of neighbors cost, beside scipy, freud, matscipy and vesin: `python bench/neighbors.py [SIZE ...]`.

Points are spread evenly over a square, one for each unit of area. Everybody returns arrays, sorted by the first point of a pair unless it is
said: `pairs` each pair once, `lists` twice. Milliseconds of processor time, all threads counted, the least of some rounds, in which contenders
take turns on one thread. Answers are compared by their number; freud keeps points as float32.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pyquadrille as pq
from compare import measured, module

# With a hundred thousand points in such a box, vesin 0.6.2 ends the process by a floating point exception.
VESIN = 10_000


def table(title: str, works: dict[str, Callable[[], int]]) -> None:
    """Prints the times of works that should find equally much, by turns; the first is ours."""
    best, counts = measured(works)
    (own, answers), *_ = zip(best.values(), counts.values())
    print(f"\n{title}: {answers} answers")
    for name, seconds in best.items():
        note = "" if counts[name] == answers else f"   DIFFERS: {counts[name]} answers"
        print(f"  {name:40} {1000 * seconds:10.2f} ms {seconds / own:8.2f}{note}")


def main(sizes: list[int]) -> None:
    """All tables for all sizes."""
    print(f"Python {platform.python_version()}, numpy {np.__version__}, {platform.processor() or platform.machine()}")
    spatial, freud, matscipy, vesin = (module(name) for name in ("scipy.spatial", "freud", "matscipy.neighbours", "vesin"))
    if freud:
        freud.parallel.set_num_threads(1)
    for n in sizes:
        size = float(np.sqrt(n))
        points = np.random.default_rng(1).random((n, 2)) * size
        narrow = np.minimum(points.astype(np.float32), np.nextafter(np.float32(size), np.float32(0)))
        flat = np.hstack([points, np.zeros((n, 1))])
        middle = flat - [size / 2, size / 2, 0]
        for r in (0.5, 1.0, 1.5):
            cell = np.diag([size, size, 4 * r])

            def rival(half: bool, what: str, wraps: bool, r: float = r, flat: Any = flat, cell: Any = cell) -> Callable[[], int]:
                made = vesin.NeighborList(cutoff=r, full_list=not half, sorted=True, n_threads=1)
                return lambda: len(made.compute(flat, cell, [wraps, wraps, False], what)[0])

            def tree(balanced: bool, wraps: bool, r: float = r, points: Any = points, size: float = size) -> Any:
                made = spatial.cKDTree(points, balanced_tree=balanced, compact_nodes=balanced, boxsize=size if wraps else None)
                return made.query_pairs(r, output_type="ndarray")

            def ordered(found: Any) -> int:
                return len(found[np.lexsort((found[:, 1], found[:, 0]))])

            def csr(found: Any, n: int = n) -> int:
                both = np.concatenate([found, found[:, ::-1]])
                both = both[np.lexsort((both[:, 1], both[:, 0]))]
                return len(np.concatenate([[0], np.cumsum(np.bincount(both[:, 0], minlength=n))])) and len(both)

            def freud_lists(query: Any, r: float = r) -> int:
                return len(query.query(middle, {"r_max": r, "exclude_ii": True}).toNeighborList())

            for where, box in (("in the open", None), ("in a box that wraps", size)):
                wraps = box is not None
                works: dict[str, Callable[[], int]] = {
                    "pyquadrille.neighbors(pairs=True)": lambda: pq.neighbors(points, r, box=box, pairs=True).shape[1],
                    "the same, float32": lambda: pq.neighbors(narrow, r, box=box, pairs=True).shape[1],
                }
                if spatial:
                    for balanced in (True, False):
                        name = f"cKDTree({'balanced' if balanced else 'unbalanced'}).query_pairs"
                        works[f"{name}, any order"] = lambda balanced=balanced: len(tree(balanced, wraps))  # type: ignore[misc]
                        works[name] = lambda balanced=balanced: ordered(tree(balanced, wraps))  # type: ignore[misc]
                if vesin and n <= VESIN:
                    works["vesin"] = rival(True, "ij", wraps)
                table(f"{n} points within {r}, {where}, pairs", works)

                works = {
                    "pyquadrille.neighbors": lambda: len(pq.neighbors(points, r, box=box)[1]),
                    "the same, float32": lambda: len(pq.neighbors(narrow, r, box=box)[1]),
                    "the same, with distances": lambda: len(pq.neighbors(points, r, box=box, return_distance=True)[1]),
                }
                if spatial:
                    works["cKDTree(balanced).query_pairs"] = lambda: csr(tree(True, wraps))
                    works["cKDTree(unbalanced).query_pairs"] = lambda: csr(tree(False, wraps))
                if vesin and n <= VESIN:
                    works["vesin"] = rival(False, "ij", wraps)
                    works["vesin, with distances"] = rival(False, "ijd", wraps)
                if matscipy:
                    options = {"cutoff": r, "positions": flat, "cell": cell, "pbc": [wraps, wraps, False]}
                    works["matscipy"] = lambda options=options: len(matscipy.neighbour_list("ij", **options)[0])  # type: ignore[misc]
                if freud and wraps:
                    square = freud.box.Box.square(size)
                    works["freud.AABBQuery, with distances"] = lambda: freud_lists(freud.locality.AABBQuery(square, middle))
                table(f"{n} points within {r}, {where}, lists", works)

        kept = pq.NeighborList(1.0, 0.5, box=size)
        kept.update(points)
        # Each point moves to and fro, by 0.24 at most.
        steps = np.random.default_rng(2).random((n, 2)) * 0.34 - 0.17
        frames = [points, np.clip(points + steps, 0, size)]
        for pairs in (False, True):

            def scratch(pairs: bool = pairs, frames: Any = frames) -> int:
                return pq.neighbors(frames[0], 1.0, box=size, pairs=pairs)[1].size

            def after_a_move(scratch: Any = scratch, frames: Any = frames) -> int:
                frames.reverse()
                return scratch()

            def of_list(pairs: bool = pairs, frames: Any = frames, kept: Any = kept) -> int:
                kept.update(frames[0])
                return kept.neighbors(pairs=pairs)[1].size

            what = f"{n} points within 1, in a box that wraps, {'pairs' if pairs else 'lists'}"
            table(f"{what}, nothing has moved", {"neighbors": scratch, "NeighborList (skin 0.5)": of_list})
            table(f"{what}, all have moved", {"neighbors": after_a_move, "NeighborList (skin 0.5)": of_list})


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [10_000, 100_000, 1_000_000])

"""scipy's `KDTree` in two dimensions."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import numpy.typing as npt

from .._core import Index, within


class KDTree:
    """Points of the plane, float64. `eps` is ignored unless a method says otherwise: exact answers are within every eps.

    What differs: two dimensions only; worlds do not wrap (`boxsize`); `query` by the usual distance only (by others than `p=2`, scipy is
    faster); no access to nodes. Of points at equal distances, the lower index comes first. `query` includes points at exactly
    `distance_upper_bound`.
    """

    def __init__(
        self,
        data: npt.ArrayLike,
        leafsize: int = 10,
        compact_nodes: bool = True,
        copy_data: bool = False,
        balanced_tree: bool = True,
        boxsize: npt.ArrayLike | None = None,
    ) -> None:
        if np.iscomplexobj(data):
            raise TypeError("KDTree does not work with complex data")
        points = np.array(data, dtype=np.float64) if copy_data else np.asarray(data, dtype=np.float64)
        if not np.isfinite(points).all():
            raise ValueError("data must be finite, check for nan or inf values")
        if points.ndim != 2 or points.shape[1] != 2:
            raise ValueError(f"data must be 2 dimensions, of two columns: x, y; not {points.shape}")
        if boxsize is not None and np.any(np.asarray(boxsize) != 0):
            raise NotImplementedError("a world that wraps (boxsize) is not supported: take scipy.spatial.KDTree for that")
        if leafsize < 1:
            raise ValueError("leafsize must be at least 1")
        self.data = points
        self.n, self.m = points.shape
        self.maxes, self.mins = points.max(axis=0, initial=-np.inf), points.min(axis=0, initial=np.inf)
        self.leafsize = leafsize
        self.boxsize = None if boxsize is None else np.broadcast_to(boxsize, 2)
        self._index = Index(points, "quadtree")

    def query(
        self,
        x: npt.ArrayLike,
        k: Any = 1,
        eps: float = 0.0,
        p: float = 2.0,
        distance_upper_bound: float = np.inf,
        workers: int = 1,
    ) -> tuple[Any, Any]:
        """The k nearest points of each, as (distances, indices); infinite and `n` if there are fewer."""
        if k is None:
            raise ValueError("k must be an integer or a sequence of integers")
        points, shape = self._points(x)
        ranks = np.atleast_1d(np.asarray(k))
        if ranks.dtype.kind not in "iu" or (ranks < 1).any():
            raise ValueError("k must be an integer or a sequence of integers, from 1 on")
        most = int(ranks.max()) if ranks.size else 1
        if p != 2:
            raise NotImplementedError(f"query has only p=2, the usual distance, not p={p}: take scipy.spatial.KDTree for that")
        bound = None if np.isinf(distance_upper_bound) else distance_upper_bound
        found = self._index.nearest(points, most, max_distance=bound, threads=_threads(workers))
        far, ids = (part.reshape(len(points), most) for part in found)
        if np.ndim(k) == 0:
            size: tuple[int, ...] = (most,) if most > 1 else ()
            far, ids = far.reshape(shape + size), ids.reshape(shape + size)
        else:
            far, ids = (part[:, ranks - 1].reshape(*shape, len(ranks)) for part in (far, ids))
        return (far, ids) if far.ndim else (float(far), int(ids))

    def query_ball_point(
        self,
        x: npt.ArrayLike,
        r: npt.ArrayLike,
        p: float = 2.0,
        eps: float = 0.0,
        workers: int = 1,
        return_sorted: bool | None = None,
        return_length: bool = False,
    ) -> Any:
        """The indices of all points within r of each: lists, in an array of the shape of x without its last axis."""
        points, shape = self._points(x)
        shape = np.broadcast_shapes(shape, np.shape(r))
        points = np.broadcast_to(points.reshape(*np.shape(x)[:-1], 2), (*shape, 2)).reshape(-1, 2)
        radii = np.broadcast_to(r, shape).ravel()
        rows, ids = self._balls(points, radii, p, _threads(workers))
        lengths = np.bincount(rows, minlength=len(points))
        if return_length:
            return lengths.reshape(shape) if shape else int(lengths[0])
        is_sorted = np.ndim(x) > 1 if return_sorted is None else return_sorted
        flat, ends = (sorted_in_rows(rows, ids, self.n) if is_sorted else ids).tolist(), np.cumsum(lengths).tolist()
        lists = (flat[start:end] for start, end in zip([0, *ends], ends))
        answers = np.fromiter(lists, dtype=object, count=len(points))
        return answers.reshape(shape) if shape else answers[0]

    def query_ball_tree(self, other: KDTree, r: float, p: float = 2.0, eps: float = 0.0) -> list[list[int]]:
        """For each point here, the indices of all points of the other tree within r."""
        return list(other.query_ball_point(self.data, r, p)) if self.n else []

    def query_pairs(self, r: float, p: float = 2.0, eps: float = 0.0, output_type: str = "set") -> Any:
        """All pairs i < j within r, with eps within r (1 + eps): a set of tuples, or with "ndarray" an array (n, 2)."""
        r = r * (1.0 + eps)
        pairs: npt.NDArray[np.int64] = within(self.data, _reach(r, p))
        if p != 2:
            pairs = pairs[:, _norm(self.data[pairs[0]] - self.data[pairs[1]], p) <= r]
        if output_type == "ndarray":
            return np.ascontiguousarray(pairs.T, dtype=np.intp)
        if output_type != "set":
            raise ValueError("Invalid output type")
        return set(zip(*pairs.tolist()))

    def count_neighbors(self, other: KDTree, r: npt.ArrayLike, p: float = 2.0, cumulative: bool = True) -> Any:
        """How many pairs of a point here and one of the other tree are within r, or within each of several."""
        radii = np.asarray(r, dtype=np.float64)
        order, step = np.argsort(radii, axis=None), max(64, (1 << 22) // max(1, other.n))
        counts = np.zeros(radii.size + 1, np.int64)
        # Of some rows at a time: all pairs of large trees do not fit in memory.
        for first in range(0, self.n, step):
            _, _, far = self._far(other, float(radii.max(initial=0.0)), p, slice(first, first + step))
            counts += np.bincount(np.searchsorted(radii.ravel()[order], far), minlength=len(counts))
        counts[order] = counts[:-1].cumsum()
        counts = counts[:-1]
        if radii.ndim == 0:
            return int(counts[0])
        if not cumulative:
            counts = np.diff(counts, prepend=0)
        return counts.reshape(radii.shape)

    def sparse_distance_matrix(
        self, other: KDTree, max_distance: float, p: float = 2.0, output_type: str = "dok_matrix"
    ) -> Any:
        """The distances up to the greatest, as a matrix of scipy.sparse, a "dict", or an "ndarray" of records i, j, v."""
        i, j, far = self._far(other, max_distance, p)
        if output_type == "dict":
            return dict(zip(zip(i.tolist(), j.tolist()), far.tolist()))
        if output_type == "ndarray":
            records = np.empty(len(far), dtype=[("i", np.intp), ("j", np.intp), ("v", np.float64)])
            records["i"], records["j"], records["v"] = i, j, far
            return records
        kinds = ("dok_matrix", "coo_matrix", "dok_array", "coo_array")
        if output_type not in kinds:
            raise ValueError("Invalid output type")
        # By name, so that types can be checked with scipy and without it.
        sparse = importlib.import_module("scipy.sparse")
        made = sparse.coo_array((far, (i, j)), shape=(self.n, other.n))
        return getattr(sparse, output_type)(made)

    def _points(self, x: npt.ArrayLike) -> tuple[Any, tuple[int, ...]]:
        if np.iscomplexobj(x):
            raise TypeError("KDTree does not work with complex data")
        points = np.asarray(x, dtype=np.float64)
        if points.shape[-1:] != (2,):
            raise ValueError(f"x must consist of vectors of length 2 but has shape {points.shape}")
        if not np.isfinite(points).all():
            raise ValueError("x must be finite, check for nan or inf values")
        return np.ascontiguousarray(points.reshape(-1, 2)), points.shape[:-1]

    def _balls(self, points: Any, radii: Any, p: float, threads: int) -> tuple[Any, Any]:
        """All points within r of each, as rows, ascending, and indices."""
        asked = np.flatnonzero(radii >= 0)
        if len(asked) < len(radii):
            points, radii = points[asked], radii[asked]
        rows, ids = self._index.within(np.ascontiguousarray(points), _reach(radii, p), threads=threads)
        if p != 2:
            is_near = _norm(points[rows] - self.data[ids], p) <= radii[rows]
            rows, ids = rows[is_near], ids[is_near]
        return asked[rows], ids

    def _far(self, other: KDTree, r: float, p: float, rows: slice = slice(None)) -> tuple[Any, Any, Any]:
        """All points of another tree within r of each of these rows, and their distances."""
        points = self.data[rows]
        if p == 2 and r >= 0:
            (i, j), far = other._index.within(points, r, return_distance=True)
            return i, j, far
        i, j = other._balls(points, np.full(len(points), r), p, 1)
        return i, j, _norm(points[i] - other.data[j], p)


def sorted_in_rows(rows: Any, ids: Any, n: int) -> Any:
    """Ids below n, ascending within each row; the rows ascend."""
    keys = rows * n + ids
    keys.sort()
    keys -= rows * n
    return keys


def _norm(vectors: Any, p: float) -> Any:
    """Lengths by the p-norm."""
    if p == 2:
        return np.sqrt((vectors**2).sum(axis=-1))
    if np.isinf(p):
        return np.abs(vectors).max(axis=-1)
    return (np.abs(vectors) ** p).sum(axis=-1) ** (1.0 / p)


def _reach(r: Any, p: float) -> Any:
    """A usual distance that is at least as far as r by the p-norm, in two dimensions."""
    return r if p == 2 else r * ((1.0 if p < 2 else np.sqrt(2.0)) * (1.0 + 1e-12))


def _threads(workers: int) -> int:
    return -1 if workers is None or workers < 0 else max(1, int(workers))

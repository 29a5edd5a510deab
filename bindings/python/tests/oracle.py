"""Brute force in numpy, and arrays that make trouble, for all tests."""

from __future__ import annotations

from typing import Any

import hypothesis.extra.numpy as arrays
import numpy as np
import numpy.typing as npt
import pyquadrille as pq
from hypothesis import strategies as st

Array = npt.NDArray[Any]

DTYPES = [np.float32, np.float64, np.int32]
STRUCTURES = pq.STRUCTURES


def overlap(a: Array, b: Array) -> Any:
    """Which row of a overlaps which row of b."""
    a, b = a[:, None, :], b[None, :, :]
    return ((a[..., :2] <= b[..., 2:]) & (b[..., :2] <= a[..., 2:])).all(axis=-1)


def distances(a: Array, b: Array) -> Array:
    """How far each row of a is from each row of b."""
    # Python's own integers have no end.
    wide = object if a.dtype == np.int32 else np.float64
    a, b = a[:, None, :].astype(wide), b[None, :, :].astype(wide)
    gap = np.maximum(0, np.maximum(a[..., :2] - b[..., 2:], b[..., :2] - a[..., 2:]))
    if wide is object:
        return np.asarray(np.sqrt((gap**2).sum(axis=-1).astype(np.float64)))
    # Squares of what is less than 1e-145 fade into zero: those are looked at through a glass.
    glass = np.where((gap**2).sum(axis=-1) < 1e-290, 2.0**600, 1.0)
    return np.asarray(np.sqrt(((gap * glass[..., None]) ** 2).sum(axis=-1)) / glass)


def pairs_of(matrix: Array) -> set[tuple[int, int]]:
    """The pairs i < j that a symmetric matrix names."""
    return {(int(i), int(j)) for i, j in zip(*np.nonzero(np.triu(matrix, 1)))}


def as_set(pairs: Array) -> set[tuple[int, int]]:
    """Pairs of an array of two rows; fails if one comes twice."""
    found = {(int(i), int(j)) for i, j in pairs.T}
    assert len(found) == pairs.shape[1], "a pair comes twice"
    return found


def as_boxes(points: Array) -> Array:
    """Points as boxes without size."""
    return np.hstack([points, points])


def random_boxes(n: int, dtype: Any = np.float64, seed: int = 0, size: float = 0.8) -> Array:
    """Boxes whose middles are spread evenly, on average a few neighbors each."""
    rng = np.random.default_rng(seed)
    side = max(1.0, np.sqrt(n))
    scale = 1000.0 if dtype == np.int32 else 1.0
    middle, half = rng.random((n, 2)) * side, rng.random((n, 2)) * size
    return (np.hstack([middle - half, middle + half]) * scale).astype(dtype)


def numbers(dtype: Any) -> st.SearchStrategy[Any]:
    """Coordinates: small ones that coincide, and ones of every size."""
    few = st.integers(-6, 6)
    if dtype == np.int32:
        return st.one_of(few, st.integers(-(2**31), 2**31 - 1))
    bound = 1e18 if dtype == np.float64 else 1e9
    width = 64 if dtype == np.float64 else 32
    return st.one_of(few.map(float), st.floats(-float(np.float32(bound)), float(np.float32(bound)), width=width))  # type: ignore[arg-type]


@st.composite
def some_boxes(draw: Any, dtype: Any, most: int = 24) -> Array:
    """A few boxes, many of which touch, coincide or have no size."""
    rows = draw(st.integers(0, most))
    raw = draw(arrays.arrays(dtype, (rows, 2, 2), elements=numbers(dtype)))
    return np.ascontiguousarray(np.sort(raw, axis=1).reshape(rows, 4))

"""Pictures of an index. matplotlib is imported on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._core import Index


def plot(index: Index, ax: Any = None, *, nodes: bool = True, pairs: bool = False) -> Any:
    """Draws the boxes, over the nodes of the structure, and marks those that overlap others. Boxes smaller than a pixel are dots."""
    try:
        from matplotlib import pyplot
        from matplotlib.collections import LineCollection
    except ImportError as error:
        raise ImportError("Index.plot draws with matplotlib: pip install matplotlib") from error
    ax = pyplot.gca() if ax is None else ax
    boxes = index.boxes().astype(np.float64)
    if nodes:
        ax.add_collection(LineCollection(_outlines(index.nodes()), colors="0.8", linewidths=0.5, label="nodes"))
    ax.add_collection(LineCollection(_outlines(boxes), colors="C0", linewidths=1.0, label="boxes"))
    if pairs:
        place_of = np.empty(index.places, dtype=np.int64)
        place_of[index.ids] = np.arange(len(index))
        middles = (boxes[:, :2] + boxes[:, 2:]) / 2
        lines: Any = middles[place_of[index.pairs()]].swapaxes(0, 1)
        ax.add_collection(LineCollection(lines, colors="C3", label="pairs"))
    ax.set_aspect("equal")
    ax.autoscale_view()
    dots = boxes[(boxes[:, 2:] - boxes[:, :2] < _pixel(ax)).all(axis=1)]
    if len(dots) > 0:
        ax.scatter(*(dots[:, :2] + dots[:, 2:]).T / 2, s=4, color="C0", linewidths=0, label="dots")
    return ax


def _pixel(ax: Any) -> float:
    """The width of a pixel in data units, if both axes have the same scale."""
    (left, right), (low, high), place = ax.get_xlim(), ax.get_ylim(), ax.get_window_extent()
    return float(max((right - left) / place.width, (high - low) / place.height))


def _outlines(boxes: Any) -> Any:
    """Closed lines around boxes. Cells at the border of a structure, which have no end, are left out."""
    boxes = boxes[np.isfinite(boxes).all(axis=1)]
    return boxes[:, [0, 1, 2, 1, 2, 3, 0, 3, 0, 1]].reshape(-1, 5, 2)

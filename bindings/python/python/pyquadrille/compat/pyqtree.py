"""pyqtree's `Index`: Python objects in boxes.

What differs: the plane has no end, so `bbox` (or x, y, width and height) is only checked for its form; `max_items` and `max_depth` have no
effect, and there are no `children` and `nodes`. Boxes are closed, as pyqtree's are: touching is overlapping.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from .._core import Index as _Boxes


class Index:
    """Objects in boxes (xmin, ymin, xmax, ymax), float64."""

    def __init__(
        self,
        bbox: Iterable[float] | None = None,
        x: float | None = None,
        y: float | None = None,
        width: float | None = None,
        height: float | None = None,
        max_items: int = 10,
        max_depth: int = 20,
    ) -> None:
        if bbox is None and None in (x, y, width, height):
            raise ValueError("Either the bbox argument must be set, or the x, y, width, and height arguments must be set")
        if bbox is not None:
            _box(bbox)
        self._boxes = _Boxes(np.empty((0, 4)), "quadtree")
        # By id, the object and when it came: answers are in the order of insertion, as pyqtree's are.
        self._items: dict[int, tuple[int, Any]] = {}
        self._inserted = 0
        self._ids: dict[tuple[int, tuple[float, ...]], list[int]] = {}

    def insert(self, item: Any, bbox: Iterable[float]) -> None:
        """Adds an object with its box."""
        box = _box(bbox)
        id = self._boxes.insert(box)
        self._items[id] = (self._inserted, item)
        self._inserted += 1
        self._ids.setdefault(_key(item, box), []).append(id)

    def remove(self, item: Any, bbox: Iterable[float]) -> None:
        """Removes an object that was inserted with exactly this box; nothing if there is none."""
        key = _key(item, _box(bbox))
        ids = self._ids.get(key)
        if not ids:
            return
        id = ids.pop()
        if not ids:
            del self._ids[key]
        del self._items[id]
        self._boxes.remove(id)

    def intersect(self, bbox: Iterable[float]) -> list[Any]:
        """All objects whose boxes overlap this one."""
        found = [self._items[id] for id in self._boxes.query(_box(bbox)).tolist()]
        return [item for _, item in sorted(found, key=lambda one: one[0])]

    def __iter__(self) -> Iterator[Any]:
        return iter([item for _, item in self._items.values()])

    def __len__(self) -> int:
        return len(self._items)

    def __bool__(self) -> bool:
        return True


def _box(bbox: Iterable[float]) -> Any:
    """Four numbers; integers of Python are taken for floats."""
    box = np.array(tuple(bbox), dtype=np.float64)
    if box.shape != (4,):
        raise ValueError(f"a bbox is xmin, ymin, xmax, ymax, not {box.size} numbers")
    return box


def _key(item: Any, box: Any) -> tuple[int, tuple[float, ...]]:
    """Objects are distinguished by identity, since not all can be hashed."""
    return id(item), tuple(box.tolist())

"""Joins of boxes and of true shapes on Apache Spark: DataFrames in, a DataFrame out, of as many rows as the cluster holds.

    >>> from pyquadrille import spark
    >>> found = spark.pairs(buildings, parcels, ids=("building", "parcel"))  # doctest: +SKIP

Needs PySpark 4 and pyarrow on the driver, and pyquadrille and pyarrow wherever Python workers run. Only Spark runs in the cluster.

A sample determines how the plane is divided into tiles; each box is copied to the tiles that it touches, and Spark brings those of a tile
together. A task pairs one tile in the memory of a Python worker. A pair is reported in the one tile that holds the lower corner of what
its boxes have in common, so there are no duplicates to remove. Tiles that no line can divide, because too much is in one place, are joined
part against part.

A DataFrame is read three times or more, to count, to sample and to join: `cache` it if reading is expensive. It must be the same each time.
Rows without any coordinate are left out. Ids must be unique.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from math import ceil
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ._core import Index, Shapes, join_shapes
from ._core import pairs as _pairs
from ._core import within as _within
from ._shapes import check_join

__all__ = ["join", "nearest", "pairs", "within"]

_Array = npt.NDArray[Any]
# Makes batches with boxes from batches of ids and geometries.
_Boxed = Callable[[Iterator[Any]], Iterator[Any]]

_BOXES = ("xmin", "ymin", "xmax", "ymax")
# The columns of boxes on their way: the task, the part of a tile that is joined in parts, the id, and the box.
_TASK, _PART, _ID = "task", "part", "id"
# ... and, if shapes are joined, the geometry in well-known binary.
_GEOMETRY = "geometry"


def pairs(
    df_a: Any,
    df_b: Any = None,
    boxes: tuple[str, str, str, str] = _BOXES,
    ids: str | tuple[str, str] = "id",
    *,
    boxes_b: tuple[str, str, str, str] | None = None,
    boxes_per_task: int = 250_000,
) -> Any:
    """All pairs of overlapping boxes of one DataFrame or of two, as a DataFrame of ids `a` and `b`. Touching is overlapping.

    `boxes` names the columns of the corners, `boxes_b` those of `df_b` if they differ; `ids` names the column of ids, or one for
    each. Within one DataFrame, each pair comes once, the lesser id first. The order of rows is Spark's. Columns are of type float, double,
    int, smallint or tinyint; cast others, such as bigint, which a double may not hold exactly.
    """
    join = _Join.of(df_a, df_b, boxes, boxes_b, ids, 0.0, boxes_per_task)
    return join.apply(_Pairs(join.tiles, 0.0, None), [])


def within(
    df_a: Any,
    df_b: Any = None,
    distance: float = 0.0,
    boxes: tuple[str, str, str, str] = _BOXES,
    ids: str | tuple[str, str] = "id",
    *,
    boxes_b: tuple[str, str, str, str] | None = None,
    boxes_per_task: int = 250_000,
) -> Any:
    """All pairs of boxes no farther apart than `distance`, as a DataFrame of ids `a` and `b` and their `distance`.

    Everything else is as in `pairs`. Distances are in the unit of the coordinates, between the nearest points of two boxes.
    """
    if not 0.0 <= distance < np.inf:
        raise ValueError(f"the distance is {distance}; it must be finite and not negative")
    join = _Join.of(df_a, df_b, boxes, boxes_b, ids, distance / 2, boxes_per_task)
    return join.apply(_Pairs(join.tiles, distance / 2, distance), [("distance", "double")])


def nearest(
    df_a: Any,
    df_b: Any,
    k: int = 1,
    boxes: tuple[str, str, str, str] = _BOXES,
    ids: str | tuple[str, str] = "id",
    *,
    boxes_b: tuple[str, str, str, str] | None = None,
    boxes_per_task: int = 250_000,
) -> Any:
    """The `k` nearest boxes of `df_b` of each box of `df_a`, as a DataFrame of ids `a` and `b` and their `distance`.

    At equal distances, the lower id comes first. Everything else is as in `within`. Each box is first compared with the tile of its lower
    corner, which limits how far away the answers can be, and then with all tiles within that distance. So boxes of `df_a` far from all of
    `df_b` cost the most.
    """
    if k < 1:
        raise ValueError(f"k is {k}; it must be at least 1")
    functions, window = import_module("pyspark.sql.functions"), import_module("pyspark.sql.window").Window
    # The tiles are those of the queried boxes; whole tiles, because the nearest may be in any part.
    join = _Join.of(df_a, df_b, boxes, boxes_b, ids, 0.0, boxes_per_task).by_second()
    reach = join.apply_to(_Reach(k), join.home(), [("reach", "double"), *join.corners()], only_a=True)
    found = join.apply_to(_Nearest(join.tiles, k), join.reaching(reach), [("distance", "double")])
    order = window.partitionBy("a").orderBy("distance", "b")
    rank = functions.row_number().over(order)
    return found.withColumn("rank", rank).where(functions.col("rank") <= k).drop("rank")


def join(
    df_a: Any,
    df_b: Any,
    predicate: str = "intersects",
    *,
    how: Literal["inner", "left", "right"] = "inner",
    distance: float | None = None,
    geometry: str | tuple[str, str] = "geometry",
    ids: str | tuple[str, str] = "id",
    shapes_per_task: int = 100_000,
    metric: Literal["plane", "geodesic"] = "plane",
    edges: Literal["straight", "geodesic"] = "straight",
) -> Any:
    """All pairs of a geometry of `df_a` and one of `df_b` for which a predicate holds, as a DataFrame of ids `a` and `b`.

    Predicates, `distance`, `how`, `metric` and `edges` are those of `pyquadrille.join`, except `disjoint`, which is rejected because almost
    all pairs are disjoint. `geometry` names the column of well-known binary, `ids` that of ids, or one for each. Rows without a geometry
    are in no pair; if `how` keeps them, the other id is null. The order of rows is Spark's.
    """
    check_join(predicate, distance, how, metric)
    if distance == np.inf:
        raise ValueError(f"the distance is {distance}; it must be finite")
    if predicate == "disjoint":
        raise ValueError("predicate: almost all pairs are disjoint; join by intersects, and take the others")
    _check_per_task("shapes_per_task", shapes_per_task)
    # An unknown predicate or metric is rejected here, not in a task.
    asked = (predicate, distance, False, (metric, edges))
    join_shapes(Shapes([], "a"), Shapes([], "b"), *asked)
    columns = (geometry, geometry) if isinstance(geometry, str) else geometry
    names = (ids, ids) if isinstance(ids, str) else ids
    frames = list(zip((df_a, df_b), columns, names, strict=True))
    is_on_globe = metric == "geodesic"
    # On the globe, the boxes of one side are grown in degrees, by more where meridians are close to each other.
    margin = 0.0 if is_on_globe else (distance or 0.0) / 2 * (1 + 1e-12)
    boxed: list[_Boxed] = [_OnGlobe(distance or 0.0, edges), _OnGlobe(0.0, edges)] if is_on_globe else [_boxed, _boxed]
    sets = [_with_boxes(*frame, boxes) for frame, boxes in zip(frames, boxed, strict=True)]
    joined = _Join.of_sets(sets, margin, shapes_per_task)
    found = joined.apply(_Joined(joined.tiles, margin, asked), [])
    if is_on_globe:
        # Pairs cut at the antimeridian may be found in two tiles.
        found = found.distinct()
    if how == "inner":
        return found
    side, (df, _, name) = ("a", frames[0]) if how == "left" else ("b", frames[1])
    every = df.select(import_module("pyspark.sql.functions").col(f"`{name}`").alias(side))
    return every.join(found, side, "left").select("a", "b")


def _check_per_task(name: str, count: int) -> None:
    if count < 1:
        raise ValueError(f"{name} is {count}; it must be at least 1")


# The plane, divided -------------------------------------------------------------------------------------------------------------------


@dataclass
class _Tiles:
    """A binary tree of lines, and for each tile the number of parts that each side is divided into."""

    axis: list[int]
    at: list[float]
    # The child before the line; the one behind it follows. For a leaf, the tile and no line.
    child: list[int]
    cells: _Array
    parts: _Array  # (tiles, 2)
    first_task: _Array

    @staticmethod
    def of(samples: list[tuple[_Array, float]], target: int) -> _Tiles:
        """`samples` are boxes of each side and how many boxes each stands for."""
        boxes = np.concatenate([boxes for boxes, _ in samples])
        side = np.concatenate([np.full(len(boxes), number) for number, (boxes, _) in enumerate(samples)])
        weights = np.concatenate([np.full(len(boxes), weight) for boxes, weight in samples])
        tiles = _Tiles([-1], [0.0], [0], np.empty((0, 4)), np.empty((0, 2)), np.empty(0))
        cells: list[list[float]] = []
        parts: list[list[int]] = []
        todo = [(0, np.arange(len(boxes)), [-np.inf, -np.inf, np.inf, np.inf], 48)]
        while todo:
            node, rows, cell, depth = todo.pop()
            line = None
            if depth > 0 and weights[rows].sum() > target:
                line = _best_line(boxes[rows], weights[rows])
            if line is None:
                held = [weights[rows][side[rows] == number].sum() for number in range(len(samples))]
                # Within one set, a part is joined with itself and every other; with two, half of a task is from each.
                most = target if len(samples) == 1 else target / 2
                if sum(held) <= 2 * target:
                    held = [0.0] * len(held)
                tiles.child[node] = len(cells)
                cells.append(cell)
                parts.append([max(1, ceil(weight / most)) for weight in (held * 2)[:2]])
                continue
            axis, at = line
            low = len(tiles.axis)
            tiles.axis[node], tiles.at[node], tiles.child[node] = axis, at, low
            tiles.axis += [-1, -1]
            tiles.at += [0.0, 0.0]
            tiles.child += [0, 0]
            before, behind = list(cell), list(cell)
            before[axis + 2] = behind[axis] = at
            todo.append((low, rows[boxes[rows, axis] < at], before, depth - 1))
            todo.append((low + 1, rows[boxes[rows, axis + 2] >= at], behind, depth - 1))
        tiles.cells = np.array(cells)
        tiles.parts = np.array(parts, dtype=np.int64)
        tiles.first_task = np.concatenate([[0], np.cumsum(tiles.parts.prod(axis=1))])
        return tiles

    def touched(self, boxes: _Array) -> tuple[_Array, _Array]:
        """Which row touches which tile: left of a line if it starts before the line, right if it reaches the line."""
        rows_of, tiles_of = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
        todo = [(0, np.arange(len(boxes)))]
        while todo:
            node, rows = todo.pop()
            if len(rows) == 0:
                continue
            if self.axis[node] < 0:
                rows_of.append(rows)
                tiles_of.append(np.full(len(rows), self.child[node]))
                continue
            axis, at, low = self.axis[node], self.at[node], self.child[node]
            todo.append((low, rows[boxes[rows, axis] < at]))
            todo.append((low + 1, rows[boxes[rows, axis + 2] >= at]))
        return np.concatenate(rows_of), np.concatenate(tiles_of)

    def tasks(self, rows: _Array, tiles: _Array, scattered: _Array, side: int | None) -> tuple[_Array, _Array, _Array]:
        """The tasks that copies in tiles belong to: rows, tasks, and which part of its tile the copy is in.

        `side` is None for the only set. Task i * n + j of a tile joins part i of m with part j of n.
        """
        own = self.parts[tiles, side or 0]
        part = scattered[rows] % own
        others = self.parts[tiles, 1 - (side or 0)]
        copies = np.repeat(np.arange(len(rows)), others)
        ends = np.cumsum(others)
        other = np.arange(len(copies)) - np.repeat(ends - others, others)
        rows, tiles, part = rows[copies], tiles[copies], part[copies]
        i, j = (part, other) if side == 0 else (other, part)
        if side is None:
            i, j = np.minimum(part, other), np.maximum(part, other)
        return rows, self.first_task[tiles] + i * self.parts[tiles, 1] + j, part

    def task(self, task: int) -> tuple[int, int, int]:
        """The tile of a task and the two parts that it joins."""
        tile = int(np.searchsorted(self.first_task, task, side="right")) - 1
        i, j = divmod(task - int(self.first_task[tile]), int(self.parts[tile, 1]))
        return tile, i, j

    def reports(self, tile: int, a: _Array, b: _Array) -> _Array:
        """Whether the lower corner of what two boxes have in common is in a tile."""
        corner = np.maximum(a[:, :2], b[:, :2])
        cell = self.cells[tile]
        return np.asarray(((cell[:2] <= corner) & (corner < cell[2:])).all(axis=1))


def _best_line(boxes: _Array, weights: _Array) -> tuple[int, float] | None:
    """The line through a median that cuts fewer boxes; None if neither axis has one that leaves a tenth on both sides."""
    best = None
    total = weights.sum()
    for axis in (0, 1):
        middles = boxes[:, axis] / 2 + boxes[:, axis + 2] / 2
        order = np.argsort(middles)
        at = float(middles[order[np.searchsorted(np.cumsum(weights[order]), total / 2)]])
        before = weights[boxes[:, axis] < at].sum()
        behind = weights[boxes[:, axis + 2] >= at].sum()
        if max(before, behind) <= 0.9 * total and (best is None or before + behind < best[0]):
            best = (before + behind, axis, at)
    return None if best is None else best[1:]


def _grown(boxes: _Array, margin: float | _Array) -> _Array:
    """Boxes grown to every side by at least `margin`, however that is rounded."""
    margin = np.asarray(margin, dtype=np.float64).reshape(-1, 1)
    outward = np.where(margin > 0, (np.abs(boxes) + margin) * (4 * np.finfo(np.float64).eps) + margin, 0.0)
    most = np.finfo(np.float64).max
    return np.asarray(np.clip(boxes + outward * np.array([-1.0, -1.0, 1.0, 1.0]), -most, most))


# Boxes on their way -------------------------------------------------------------------------------------------------------------------


@dataclass
class _Join:
    """One or two DataFrames with columns id, x0, y0, x1, y1, and the tiles for them."""

    sets: list[Any]
    samples: list[tuple[_Array, float]]
    tiles: _Tiles
    margin: float
    target: int

    @staticmethod
    def of(
        df_a: Any,
        df_b: Any,
        boxes: tuple[str, str, str, str],
        boxes_b: tuple[str, str, str, str] | None,
        ids: str | tuple[str, str],
        margin: float,
        target: int,
    ) -> _Join:
        _check_per_task("boxes_per_task", target)
        id_a, id_b = (ids, ids) if isinstance(ids, str) else ids
        wanted = [(df_a, boxes, id_a)] + ([] if df_b is None else [(df_b, boxes_b or boxes, id_b)])
        # If there are margins or another type, all are double.
        is_single = margin == 0.0 and all([_is_single(df, columns) for df, columns, _ in wanted])
        sets = [_plain(df, columns, column, "float" if is_single else "double") for df, columns, column in wanted]
        return _Join.of_sets(sets, margin, target)

    @staticmethod
    def of_sets(sets: list[Any], margin: float, target: int) -> _Join:
        """From DataFrames that have these columns, and perhaps others."""
        counts = [df.count() for df in sets]
        most = max(10_000, min(200_000, 64 * sum(counts) // target))
        samples = [_sample(df, count, most) for df, count in zip(sets, counts, strict=True)]
        samples = [(_grown(boxes, margin), weight) for boxes, weight in samples]
        return _Join(sets, samples, _Tiles.of(samples, target), margin, target)

    def by_second(self) -> _Join:
        """The same with tiles that suit the second set, and none divided into parts."""
        tiles = _Tiles.of(self.samples[1:], self.target)
        tiles.parts[:] = 1
        tiles.first_task = np.arange(len(tiles.cells) + 1)
        return _Join(self.sets, self.samples, tiles, self.margin, self.target)

    def corners(self) -> list[tuple[str, str]]:
        return [(name, self.sets[0].schema[name].dataType.simpleString()) for name in _BOXES]

    def apply(self, work: Any, more: list[tuple[str, str]]) -> Any:
        """A DataFrame of ids a and b, and more, of what `work` makes of each task."""
        sides: list[int | None] = [None] if len(self.sets) == 1 else [0, 1]
        dealt = [self.deal(df, _Deal(self.tiles, self.margin, side)) for df, side in zip(self.sets, sides, strict=True)]
        if len(dealt) == 2:
            return self.apply_to(work, dealt[0], more, dealt[1])
        # Spark counts the parameters of a function, and would count `self`.
        return dealt[0].groupBy(_TASK).applyInArrow(lambda key, table: work.alone(key, table), self.schema(more))

    def apply_to(
        self, work: Any, dealt: Any, more: list[tuple[str, str]], second: Any = None, only_a: bool = False
    ) -> Any:
        """The same for boxes of the first set that have tasks already."""
        if second is None:
            second = self.deal(self.sets[1], _Deal(self.tiles, self.margin, 1))
        cogroup = dealt.groupBy(_TASK).cogroup(second.groupBy(_TASK))
        return cogroup.applyInArrow(lambda key, a, b: work.both(key, a, b), self.schema(more, only_a))

    def schema(self, more: list[tuple[str, str]], only_a: bool = False) -> Any:
        types = import_module("pyspark.sql.types")
        schema = types.StructType().add("a", self.sets[0].schema[_ID].dataType)
        if not only_a:
            schema = schema.add("b", self.sets[-1].schema[_ID].dataType)
        for name, kind in more:
            schema = schema.add(name, kind)
        return schema

    def deal(self, df: Any, deal: Callable[[Iterator[Any]], Iterator[Any]]) -> Any:
        """The copies of boxes with their tasks and parts."""
        functions, types = import_module("pyspark.sql.functions"), import_module("pyspark.sql.types")
        schema = types.StructType().add(_TASK, "integer").add(_PART, "integer").add(_ID, df.schema[_ID].dataType)
        for name in [column for column in df.columns if column != _ID]:
            schema = schema.add(name, df.schema[name].dataType)
        # A tile is divided into parts by this number, which is the same whenever a task is run again.
        scattered = functions.pmod(functions.xxhash64(_ID, *_BOXES), functions.lit(1 << 30)).cast("int")
        return df.withColumn("scattered", scattered).mapInArrow(lambda batches: deal(batches), schema)

    def home(self) -> Any:
        """Boxes of the first set, each in the tile of its lower corner."""
        return self.deal(self.sets[0], _Home(self.tiles))

    def reaching(self, reach: Any) -> Any:
        """Boxes with their reach, in all tiles that they can find answers in."""
        return self.deal(reach.withColumnRenamed("a", _ID), _Deal(self.tiles, None, 0))


def _is_single(df: Any, boxes: tuple[str, str, str, str]) -> bool:
    """Whether corners are of type float. Raises TypeError if they are not numbers that a double holds."""
    if len(boxes) != 4:
        raise ValueError(f"boxes names {len(boxes)} columns; xmin, ymin, xmax and ymax are expected")
    kinds = []
    for name in boxes:
        if name not in df.columns:
            raise ValueError(f"no column {name!r} among {', '.join(df.columns)}")
        kinds.append(df.schema[name].dataType.simpleString())
        if kinds[-1] not in ("float", "double", "int", "smallint", "tinyint"):
            raise TypeError(f"column {name!r} is of type {kinds[-1]}; cast it to double or float")
    return kinds == ["float"] * 4


def _plain(df: Any, boxes: tuple[str, str, str, str], column: str, kind: str) -> Any:
    """The id and the corners, under our names; without rows that have no box."""
    functions = import_module("pyspark.sql.functions")
    if column not in df.columns:
        raise ValueError(f"no column {column!r} of ids among {', '.join(df.columns)}")
    corners = [functions.col(f"`{name}`").cast(kind).alias(own) for name, own in zip(boxes, _BOXES, strict=True)]
    plain = df.select(functions.col(f"`{column}`").alias(_ID), *corners)
    return plain.where(functions.coalesce(*_BOXES).isNotNull())


def _with_boxes(df: Any, geometry: str, column: str, boxed: _Boxed) -> Any:
    """The id, the box and the geometry, under our names; without rows that have none."""
    functions, types = import_module("pyspark.sql.functions"), import_module("pyspark.sql.types")
    for name in (column, geometry):
        if name not in df.columns:
            raise ValueError(f"no column {name!r} among {', '.join(df.columns)}")
    if df.schema[geometry].dataType.simpleString() != "binary":
        raise TypeError(f"column {geometry!r} is of type {df.schema[geometry].dataType.simpleString()}; it must be well-known binary")
    schema = types.StructType().add(_ID, df.schema[column].dataType)
    for name in _BOXES:
        schema = schema.add(name, "double")
    plain = df.select(functions.col(f"`{column}`").alias(_ID), functions.col(f"`{geometry}`").alias(_GEOMETRY))
    return plain.mapInArrow(lambda batches: boxed(batches), schema.add(_GEOMETRY, "binary"))


def _boxed(batches: Iterator[Any]) -> Iterator[Any]:
    """Batches of ids and geometries with the boxes of these."""
    for batch in batches:
        bounds = Shapes(batch.column(1), _GEOMETRY).bounds()
        rows = np.flatnonzero(~np.isnan(bounds[:, 0]))
        yield _with_corners(batch, rows, bounds[rows])


@dataclass
class _OnGlobe:
    """The same with boxes of degrees that hold everything within a distance in meters; those across the antimeridian are cut, and come
    twice.
    """

    distance: float
    edges: str

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            reaches = Shapes(batch.column(1), _GEOMETRY).reaches(self.distance, self.edges)
            rows = np.flatnonzero(~np.isnan(reaches[:, 0]))
            boxes = reaches[rows]
            boxes[boxes[:, 2] - boxes[:, 0] >= 360, ::2] = [-180.0, 180.0]
            is_cut = boxes[:, 2] > 180
            rest = boxes[is_cut]
            rest[:, 0], rest[:, 2] = -180.0, rest[:, 2] - 360.0
            boxes[is_cut, 2] = 180.0
            yield _with_corners(batch, np.concatenate([rows, rows[is_cut]]), np.concatenate([boxes, rest]))


def _with_corners(batch: Any, rows: _Array, boxes: _Array) -> Any:
    """Some rows of ids and geometries, with a box each."""
    arrow = import_module("pyarrow")
    ids, shapes = batch.take(arrow.array(rows)).columns
    columns = [ids, *(arrow.array(corner) for corner in boxes.T), shapes]
    return arrow.RecordBatch.from_arrays(columns, names=[_ID, *_BOXES, _GEOMETRY])


def _sample(df: Any, count: int, most: int) -> tuple[_Array, float]:
    """Some boxes, and how many each stands for."""
    sampled = df if count <= most else df.sample(most / count, seed=1)
    boxes = _boxes(sampled.select(*_BOXES).toArrow()).astype(np.float64)
    boxes = boxes[np.isfinite(boxes).all(axis=1)]
    return boxes, count / max(1, len(boxes))


def _boxes(table: Any) -> _Array:
    """The boxes of a table or batch, as an array (n, 4). A missing corner is NaN, which is rejected in the task."""
    columns = [table.column(name).to_numpy(zero_copy_only=False) for name in _BOXES]
    return np.ascontiguousarray(np.column_stack(columns))


def _checked(batch: Any) -> _Array:
    """The boxes of a batch as float64. Raises ValueError with the id and the value of an invalid one."""
    boxes = _boxes(batch).astype(np.float64)
    bad = ~(np.isfinite(boxes).all(axis=1) & (boxes[:, :2] <= boxes[:, 2:]).all(axis=1))
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        what = "inverted" if np.isfinite(boxes[row]).all() else "missing, NaN or infinite"
        raise ValueError(f"the box of id {batch.column(_ID)[row].as_py()!r} is {what}: {boxes[row].tolist()}")
    return boxes


@dataclass
class _Deal:
    """Copies boxes to the tasks of all tiles that they touch when grown: by a margin, or each by its reach."""

    tiles: _Tiles
    margin: float | None
    side: int | None

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            margin = batch.column("reach").to_numpy(zero_copy_only=False) if self.margin is None else self.margin
            rows, tiles = self.tiles.touched(_grown(_checked(batch), margin))
            scattered = batch.column("scattered").to_numpy(zero_copy_only=False)
            yield _copies(batch, *self.tiles.tasks(rows, tiles, scattered, self.side))


@dataclass
class _Home:
    """Sends boxes to the tile of their lower corner."""

    tiles: _Tiles

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            boxes = _checked(batch)
            boxes[:, 2:] = boxes[:, :2]
            rows, tiles = self.tiles.touched(boxes)
            yield _copies(batch, rows, tiles, np.zeros(len(rows), dtype=np.int64))


def _copies(batch: Any, rows: _Array, tasks: _Array, parts: _Array) -> Any:
    arrow = import_module("pyarrow")
    taken = batch.select([name for name in batch.schema.names if name != "scattered"]).take(arrow.array(rows))
    numbers = [arrow.array(column.astype(np.int32)) for column in (tasks, parts)]
    return arrow.RecordBatch.from_arrays([*numbers, *taken.columns], names=[_TASK, _PART, *taken.schema.names])


# What a task does ---------------------------------------------------------------------------------------------------------------------


@dataclass
class _Pairs:
    """Pairs the boxes of a task that overlap or, if `most` is given, are no farther apart than that. Boxes are grown by a margin."""

    tiles: _Tiles
    margin: float
    most: float | None

    def alone(self, key: tuple[Any, ...], table: Any) -> Any:
        arrow = import_module("pyarrow")
        tile, i, j = self.tiles.task(key[0].as_py())
        if i == j:
            return self.answer(tile, table, None, True)
        part = table.column(_PART).to_numpy()
        first, second = [table.filter(arrow.array(part == number)) for number in (i, j)]
        return self.answer(tile, first, second, True)

    def both(self, key: tuple[Any, ...], first: Any, second: Any) -> Any:
        tile, _, _ = self.tiles.task(key[0].as_py())
        return self.answer(tile, first, second, False)

    def answer(self, tile: int, first: Any, second: Any | None, is_one_set: bool) -> Any:
        """`second` is None for the pairs within `first`."""
        arrow, compute = import_module("pyarrow"), import_module("pyarrow.compute")
        a, b = _boxes(first), None if second is None else _boxes(second)
        distances = None
        if self.most is None:
            rows, others = _pairs(a, b)
        else:
            (rows, others), distances = _within(a, b, r=self.most, return_distance=True)
        if second is None or b is None:
            second, b = first, a
        is_wanted = self.tiles.reports(tile, _grown(a[rows], self.margin), _grown(b[others], self.margin))
        columns = {} if distances is None else {"distance": arrow.array(distances[is_wanted])}
        ids = [first.column(_ID).take(arrow.array(rows[is_wanted])), second.column(_ID).take(arrow.array(others[is_wanted]))]
        if is_one_set:
            is_swapped = compute.greater(*ids)
            ids = [compute.if_else(is_swapped, ids[1], ids[0]), compute.if_else(is_swapped, ids[0], ids[1])]
        return arrow.table({"a": ids[0], "b": ids[1], **columns})


@dataclass
class _Joined:
    """The pairs of shapes of a task for which a predicate holds."""

    tiles: _Tiles
    margin: float
    # The arguments for the join of a task.
    asked: tuple[str, float | None, bool, tuple[str, str]]

    def both(self, key: tuple[Any, ...], first: Any, second: Any) -> Any:
        arrow = import_module("pyarrow")
        tile, _, _ = self.tiles.task(key[0].as_py())
        ours, theirs = (Shapes(table.column(_GEOMETRY), _GEOMETRY) for table in (first, second))
        (rows, others), _ = join_shapes(ours, theirs, *self.asked)
        boxes = [_grown(_boxes(table)[of], self.margin) for table, of in ((first, rows), (second, others))]
        wanted = self.tiles.reports(tile, *boxes)
        ids = [table.column(_ID).take(arrow.array(of[wanted])) for table, of in ((first, rows), (second, others))]
        return arrow.table({"a": ids[0], "b": ids[1]})


@dataclass
class _Reach:
    """The greatest distance that the `k` nearest can have: that of those in the tile; infinite if there are fewer."""

    k: int

    def both(self, _key: tuple[Any, ...], first: Any, second: Any) -> Any:
        arrow = import_module("pyarrow")
        reach = np.full(first.num_rows, np.inf)
        if second.num_rows >= self.k and first.num_rows > 0:
            boxes = _boxes(first).astype(np.float64)
            others = _boxes(second).astype(np.float64)
            distances, _ = Index(others).nearest(boxes, self.k)
            # After a few roundings, it may be too far, but not too near.
            reach = distances.reshape(len(boxes), self.k)[:, -1] * (1 + 1e-12)
        corners = {name: first.column(name) for name in _BOXES}
        return arrow.table({"a": first.column(_ID), "reach": arrow.array(reach), **corners})


@dataclass
class _Nearest:
    """The `k` nearest of a tile; of equal distances, those with the lowest ids."""

    tiles: _Tiles
    k: int

    def both(self, key: tuple[Any, ...], first: Any, second: Any) -> Any:
        arrow = import_module("pyarrow")
        # Of equal distances, an index returns the lower row.
        second = second.sort_by(_ID)
        tile, _, _ = self.tiles.task(key[0].as_py())
        boxes, others = [_boxes(table).astype(np.float64) for table in (first, second)]
        count = min(self.k, len(others))
        rows = np.repeat(np.arange(len(boxes)), count)
        distances, ids = np.empty(0), np.empty(0, dtype=np.int64)
        if len(rows) > 0:
            distances, ids = [found.reshape(-1) for found in Index(others).nearest(boxes, count)]
        reach = first.column("reach").to_numpy()[rows]
        near = self.tiles.reports(tile, _grown(boxes[rows], reach), others[ids]) & (distances <= reach)
        names = [first.column(_ID).take(arrow.array(rows[near])), second.column(_ID).take(arrow.array(ids[near]))]
        return arrow.table({"a": names[0], "b": names[1], "distance": arrow.array(distances[near])})

"""Boxes, points and cells in numpy arrays.

Wherever boxes are taken, an array of shape (n, 4), xmin, ymin, xmax, ymax, or a table of four columns is meant; points, of shape (n, 2), are
boxes without size. float32, float64 and int32 are kept as they are, and contiguous arrays of them are read without a copy: do not write to
one while a call in another thread reads it. Other types are converted where that is exact: small whole numbers to int32, float16 to
float32, int64 and the rest to float64, or to the type of the index that is asked. A number that does not fit raises ValueError.

Edges belong to boxes: touching is overlapping. Mistakes in values raise ValueError, in types TypeError, in ids IndexError, and the
message names the row and the value; nothing has changed then. Where memory ends, a call raises MemoryError and changes nothing.

`skip_nan` leaves out rows that are NaN throughout, as the bounds of empty geometries are; otherwise they are mistakes.

Long calls look for signals about twenty times a second: Ctrl-C ends them. A signal handler that runs meanwhile cannot use the index that
is asked.

Layers are 32 bits, from 0 to 4294967295: a number for all boxes, or one each. A box is on its `layers`, and its `mask` says which it wants to
meet: two boxes form a pair if each is on a layer of the other's mask. Boxes without are on all and meet all. Queries see all boxes, or, by
`layers`, those on at least one of some, whatever these want to meet.

`threads` is how many threads a call may use: 1, or more, or -1 for all cores. The answers are the same, in the same order.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, Protocol, TypeAlias, final, overload, type_check_only

import numpy as np
import numpy.typing as npt

_Ids: TypeAlias = npt.NDArray[np.int64]
_Distances: TypeAlias = npt.NDArray[np.float64]

@type_check_only
class _Table(Protocol):
    """A DataFrame, of pandas or of others."""

    @property
    def columns(self) -> Any: ...
    def __array__(self, *args: Any, **kwargs: Any) -> Any: ...

@type_check_only
class _Pairs(np.ndarray[tuple[int, int], np.dtype[np.int64]]):
    """Two rows, which `i, j = ...` takes apart."""

    def __iter__(self) -> Iterator[_Ids]: ...

_Number: TypeAlias = float | np.floating[Any] | np.integer[Any]
_Rows: TypeAlias = (
    npt.NDArray[np.floating[Any]]
    | npt.NDArray[np.integer[Any]]
    | Sequence[_Number | Sequence[_Number] | npt.NDArray[np.floating[Any]] | npt.NDArray[np.integer[Any]]]
    | _Table
)
_IdsLike: TypeAlias = npt.ArrayLike

__all__ = [
    "STRUCTURES",
    "Index",
    "PairChunks",
    "PathMap",
    "__version__",
    "advise",
    "declutter",
    "encounters",
    "join_wkb",
    "nearest_wkb",
    "nms",
    "pairs",
    "within",
]

__version__: str

STRUCTURES: tuple[str, ...]
"""The names that `Index` takes as `structure`."""

def pairs(a: _Rows, b: _Rows | None = None, *, skip_nan: bool = False, threads: int = 1) -> _Pairs:
    """All pairs of overlapping boxes, as an array of two rows: `i, j = pairs(boxes)`.

    Of one set: each pair once, i < j, in an order that is the same for the same boxes. Of two sets: i counts in `a`, ascending, j in `b`.
    """

@overload
def within(
    items: _Rows, r: float, /, *, return_distance: Literal[False] = False, skip_nan: bool = False, threads: int = 1
) -> _Pairs: ...
@overload
def within(
    items: _Rows, r: float, /, *, return_distance: Literal[True], skip_nan: bool = False, threads: int = 1
) -> tuple[_Pairs, _Distances]: ...
@overload
def within(
    items: _Rows,
    b: _Rows | None = None,
    *,
    r: float,
    return_distance: Literal[False] = False,
    skip_nan: bool = False,
    threads: int = 1,
) -> _Pairs: ...
@overload
def within(
    items: _Rows,
    b: _Rows | None = None,
    *,
    r: float,
    return_distance: Literal[True],
    skip_nan: bool = False,
    threads: int = 1,
) -> tuple[_Pairs, _Distances]: ...
@overload
def within(
    items: _Rows,
    b: _Rows,
    r: float,
    *,
    return_distance: Literal[False] = False,
    skip_nan: bool = False,
    threads: int = 1,
) -> _Pairs: ...
@overload
def within(
    items: _Rows, b: _Rows, r: float, *, return_distance: Literal[True], skip_nan: bool = False, threads: int = 1
) -> tuple[_Pairs, _Distances]:
    """All pairs of points or boxes no farther apart than `r`, and how far, if asked: `within(items, r)` of one set, each pair once, i < j;
    `within(a, b, r)` of two sets, where i counts in `a`, ascending, j in `b`.

    The distance is that between the nearest points of two boxes, zero if they overlap. It is computed in float64, for int32 exactly.
    """

def nms(boxes: _Rows, scores: npt.ArrayLike, iou: float = 0.5, *, threads: int = 1) -> _Ids:
    """Non-maximum suppression: the rows that remain if, from the highest score down, each box takes away all whose intersection over
    union with it is more than `iou`. The best first; of equal scores the lower row.
    """

def declutter(boxes: _Rows, priority: npt.ArrayLike, *, threads: int = 1) -> _Ids:
    """The rows that remain if, from the highest priority down, each box takes away all that touch it: labels that do not cover each
    other. The most important first; of equal priorities the lower row.
    """

def encounters(
    id: npt.ArrayLike,
    t: npt.ArrayLike,
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    z: npt.ArrayLike | None = None,
    *,
    within: float,
    vertical: float | None = None,
    lasting: float = 0.0,
    gap: float = 0.0,
    max_gap: float | None = None,
    max_speed: float | None = None,
    units: str = "plane",
) -> dict[str, npt.NDArray[Any]]:
    """Encounters of tracks: which came close, when and how close. Fixes come in any order, one per row.

    `id` says whose fix it is (numbers or texts), `t` when (numbers; or datetime64, datetimes or texts as of ISO 8601, which come back as
    datetime64, in UTC if they had a time zone), `x` and `y` where. Between two fixes a track moves
    straight and at constant speed. An encounter of two tracks is a longest time over which they are `within` that distance and, with
    `vertical`, their heights `z` within that at the same time; touching counts. It must last `lasting`; encounters of the same two with
    no more than `gap` between them are one. Where two fixes of a track are farther apart in time than `max_gap` it is nowhere
    between them, and fixes that could only be reached faster than `max_speed` take no part.

    With `units` "plane" everything is in the units of the columns; with "degrees", x is longitude, y latitude, distances are meters on
    the WGS 84 ellipsoid, and times seconds. Durations are seconds where `t` has dates.

    The columns of a table by name, sorted by start: `a`, `b`, `start`, `end`, `closest_time`, `closest_distance` and, with
    `vertical`, `closest_vertical`. `pandas.DataFrame` takes them as they are.
    """

def advise(*frames: _Rows, operations: Sequence[str] | None = None) -> dict[str, float]:
    """Measures which structure is the fastest on these boxes: milliseconds per frame by name, the fastest first.

    Give one frame for boxes that stand still, or several, in which the same boxes move. `operations` are some of "update", "pairs",
    "query", "nearest" and "cast"; by default update and pairs for several frames, pairs, query and nearest for one. Measured in float64,
    with several settings a structure; takes about thirty times as long as the work itself.
    """

@final
class Index:
    """Boxes under ids, which move, come and go, and all queries about them.

    The ids of the boxes that an index is made of are their rows. Threads may share an index: queries run side by side, a change waits
    for them and they for it.
    """

    def __new__(
        cls,
        boxes: _Rows,
        structure: str = "frame-tree",
        *,
        skip_nan: bool = False,
        layers: _IdsLike | None = None,
        mask: _IdsLike | None = None,
    ) -> Index:
        """`structure` is one of `STRUCTURES`: "frame-tree" is the fastest where everything moves and for all pairs; `advise` measures.
        Ids of rows that `skip_nan` leaves out are free.
        """

    def update(self, boxes: _Rows, *, layers: _IdsLike | None = None, mask: _IdsLike | None = None) -> None:
        """A whole frame: from now on there are exactly these boxes, whose ids are their rows. If no layers are given, boxes that stay keep
        theirs.
        """

    def move(self, ids: _IdsLike, boxes: _Rows) -> None:
        """Gives some boxes new places and sizes, one row each."""

    def insert(self, boxes: _Rows, *, layers: _IdsLike | None = None, mask: _IdsLike | None = None) -> Any:
        """Adds boxes and returns their ids; one box, of shape (4,), one id. Freed ids are given out again, the last freed first."""

    def remove(self, ids: _IdsLike) -> None:
        """Removes boxes. Their ids may be given out again."""

    def set_layers(self, ids: _IdsLike, layers: _IdsLike | None = None, mask: _IdsLike | None = None) -> None:
        """Gives some boxes other layers: those that they are on, and those that they want to meet; all if none are given."""

    @overload
    def layers(self, ids: None = None) -> npt.NDArray[np.uint32]: ...
    @overload
    def layers(self, ids: _IdsLike) -> npt.NDArray[np.uint32]:
        """The layers of the boxes with these ids, or of all in order of `ids`: rows of those they are on and those they want to meet."""

    def maintain(self) -> None:
        """Does work that many single moves put off. Answers are right without it; `update` ends with it, and many moves bring it about."""

    def pairs(self, *, threads: int = 1) -> _Pairs:
        """All pairs of overlapping boxes whose layers meet, each once, as an array of two rows, i < j."""

    def iter_pairs(self, chunk: int = 1_000_000) -> PairChunks:
        """The same pairs in the same order, in arrays of `chunk` columns: for more pairs than fit in memory.

        Keeps a 64th of all pairs in memory at most, if that is more than a chunk. RuntimeError if the index changes meanwhile.
        """

    def events(self) -> tuple[_Pairs, _Pairs]:
        """The pairs that began and those that ended to overlap since the last call, as arrays of two rows, sorted; at the first call all
        there are have begun. Costs more the more boxes have moved. A box that was removed ends its pairs, even if its id is in use again.
        """

    def query(self, boxes: _Rows, *, layers: int | None = None, threads: int = 1) -> _Ids:
        """The boxes that overlap each row: which row, which box, as an array of two rows. For one box, of shape (4,), the ids alone."""

    def query_csr(self, boxes: _Rows, *, layers: int | None = None, threads: int = 1) -> tuple[_Ids, _Ids]:
        """The same as (starts, ids): those of row r are `ids[starts[r]:starts[r + 1]]`."""

    @overload
    def within(
        self,
        items: _Rows,
        r: float,
        *,
        layers: int | None = None,
        return_distance: Literal[False] = False,
        threads: int = 1,
    ) -> _Ids: ...
    @overload
    def within(
        self, items: _Rows, r: float, *, layers: int | None = None, return_distance: Literal[True], threads: int = 1
    ) -> tuple[_Ids, _Distances]:
        """The boxes no farther than `r` from each point or box, in the shape of `query`; and how far they are, if asked."""

    @overload
    def nearest(
        self,
        items: _Rows,
        k: int = 1,
        *,
        max_distance: float | None = None,
        layers: int | None = None,
        return_distance: Literal[True] = True,
        threads: int = 1,
    ) -> tuple[Any, Any]: ...
    @overload
    def nearest(
        self,
        items: _Rows,
        k: int = 1,
        *,
        max_distance: float | None = None,
        layers: int | None = None,
        return_distance: Literal[False],
        threads: int = 1,
    ) -> Any:
        """The `k` nearest boxes of each point or box as (distances, ids), the nearest first, of equal ones the lower id.

        Shapes are those of scipy's `KDTree.query`: (n, k), for k = 1 (n,); for a single point (k,), or numbers. Where there are fewer than
        k, or none within `max_distance`, the distance is infinite and the id is `places`, `len(index)` where nothing was removed.
        """

    @overload
    def cast(
        self,
        origins: _Rows,
        directions: _Rows,
        *,
        max_time: float = ...,
        layers: int | None = None,
        return_normal: Literal[False] = False,
        threads: int = 1,
    ) -> tuple[Any, Any]: ...
    @overload
    def cast(
        self,
        origins: _Rows,
        directions: _Rows,
        *,
        max_time: float = ...,
        layers: int | None = None,
        return_normal: Literal[True],
        threads: int = 1,
    ) -> tuple[Any, Any, Any]:
        """The first box that each ray hits, as (ids, times): rays start at points, moving boxes at boxes.

        Time 1 is one `direction` away; `max_time=1` makes segments of rays. Without a hit the id is `places` and the time infinite.
        Normals point outwards from the side that is hit: (-1, 0) is that of xmin.
        """

    @overload
    def boxes(self, ids: None = None) -> npt.NDArray[Any]: ...
    @overload
    def boxes(self, ids: _IdsLike) -> npt.NDArray[Any]:
        """The boxes with these ids, or all in order of `ids`."""

    def nodes(self) -> npt.NDArray[Any]:
        """The bounds of all nodes or cells of the structure, for drawing."""

    def plot(self, ax: Any = None, *, nodes: bool = True, pairs: bool = False) -> Any:
        """Draws boxes, and nodes or pairs if asked, with matplotlib; returns the axes."""

    def to_bytes(self) -> bytes:
        """All of the index, with what it remembers for `events`; pickle uses this."""

    @classmethod
    def from_bytes(cls, data: bytes | bytearray) -> Index:
        """An index that `to_bytes` has written. ValueError if the bytes are cut short, changed or of another version."""

    @property
    def ids(self) -> _Ids:
        """All ids in use, ascending."""

    @property
    def places(self) -> int:
        """All ids are below this, ever."""

    @property
    def structure(self) -> str:
        """The name of the structure."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the boxes."""

    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[bytes]]: ...

@final
class PairChunks:
    """All pairs of an index, a chunk at a time."""

    def __iter__(self) -> Iterator[_Pairs]: ...
    def __next__(self) -> _Pairs: ...

@final
class PathMap:
    """A map of free and blocked cells that finds shortest paths, exactly, while it is edited.

    It is made of an array of bool, `free[y, x]`. Cells are given and returned as x, y.
    """

    def __new__(cls, free: npt.NDArray[np.bool_], rule: str = "octile") -> PathMap:
        """`rule`: "octile", eight neighbors, diagonal steps cost the root of two and cut no corners; "octile-one-side", they may if one of
        the cells beside them is free; "octile-cutting", they may; "manhattan", four neighbors.
        """

    def path(
        self, start: npt.ArrayLike, goal: npt.ArrayLike, *, partial: bool = False, within: float = ...
    ) -> _Ids | None:
        """The cells of a shortest path, one per row, both ends included; None if there is none. With `partial`, one to the cell nearest to
        the goal that can be reached. With `within`, None if it is longer than that; what lies farther is not searched.
        """

    def paths(self, starts: npt.ArrayLike, goals: npt.ArrayLike, *, partial: bool = False) -> tuple[_Ids, _Ids]:
        """Many paths as (starts, cells): those of path p are `cells[starts[p]:starts[p + 1]]`, none if there is no path."""

    def distance(self, start: npt.ArrayLike, goal: npt.ArrayLike) -> float:
        """The length of a shortest path; infinite if there is none."""

    def is_reachable(self, start: npt.ArrayLike, goal: npt.ArrayLike) -> bool:
        """Is there a path? Known without a search."""

    def would_close(
        self, corner: npt.ArrayLike, size: tuple[int, int], starts: npt.ArrayLike, goal: npt.ArrayLike
    ) -> int | None:
        """Would blocking the rectangle of `size`, width and height, from the cell `corner` on close the way from one of some cells to a
        goal? The row of the first that can reach it and could no longer; None if there is none. Nothing is built.
        """

    def nearest_free(
        self, cell: npt.ArrayLike, *, connected_to: npt.ArrayLike | None = None
    ) -> tuple[int, int] | None:
        """The free cell nearest to one, measured without walls; of those from which another can be reached, if one is given."""

    def set(self, cells: npt.ArrayLike, free: bool) -> bool:
        """Frees or blocks cells. Did that change anything?"""

    def edit(self, x: int, y: int, free: npt.NDArray[np.bool_]) -> bool:
        """Lays an array of bool on the map, its first cell on (x, y). Did that change anything?"""

    def flow(self, goal: npt.ArrayLike) -> tuple[_Distances, npt.NDArray[np.int8]]:
        """The way to one goal from every cell, for many agents: (lengths, steps).

        `lengths[y, x]` is that of a shortest path, infinite if there is none; `steps[y, x]` is dx, dy to the next cell on it.
        """

    @property
    def free(self) -> npt.NDArray[np.bool_]:
        """The cells, `free[y, x]`."""

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""

    @property
    def rule(self) -> str:
        """Which steps are legal."""

    def __reduce__(self) -> tuple[Any, tuple[npt.NDArray[np.bool_], str]]: ...

# What `join` and `join_nearest` are made of: lists of well-known binary, or None.
def join_wkb(a: list[bytes | None], b: list[bytes | None], predicate: str, distance: float | None = None) -> _Pairs: ...
def nearest_wkb(
    a: list[bytes | None], b: list[bytes | None], count: int | None, most: float, exclusive: bool
) -> tuple[_Pairs, _Distances]: ...

"""Boxes, points and cells in numpy arrays.

Boxes are arrays of shape (n, 4), xmin, ymin, xmax, ymax, or tables of four columns; points, of shape (n, 2), are boxes without size.
Columns of a table are recognized by name, in any order: xmin, ymin, xmax, ymax (or minx, ..., x0, y0, x1, y1, west, south, east, north); x,
y (or lon, lat). Other names are rejected; `.to_numpy()` is read from left to right. float32, float64 and int32 are kept as they are, and
contiguous arrays of them are read without a copy: do not write to one while a call in another thread reads it. Other types are converted if
that is exact: small whole numbers to int32, float16 to float32, int64 and the rest to float64, or to the type of the index that is queried.
A number that does not fit raises ValueError.

Boxes include their edges, so touching is overlapping. Mistakes in values raise ValueError, in types TypeError, in ids IndexError, and the
message names the row and the value; nothing has changed then. If memory runs out, a call raises MemoryError and has changed nothing.
(`paths` in mazes may still end the process, if they are many times as long as the map is wide and high.)

`skip_nan` leaves out rows that are NaN throughout, as the bounds of empty geometries are; otherwise they are mistakes.

Long calls, except `events`, `update`, `to_bytes` and those of maps, check for signals about twenty times a second: Ctrl-C ends them. A
signal handler that runs meanwhile cannot use the index of the call.

Layers are 32 bits, from 0 to 4294967295: a number for all boxes, or one each. A box is on its `layers`, and its `mask` says which it
collides with: two boxes form a pair if each is on a layer of the other's mask. Boxes without layers are on all and collide with all.
Queries find all boxes, or, with `layers`, those on at least one of these layers, whatever their masks.

`threads` is how many threads a call may use: 1 or more, or -1 for all cores. The answers are the same, in the same order.
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
class _ArrowStream(Protocol):
    """A table or column of Polars, pyarrow or any other library with Arrow's C interface."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

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
    | _ArrowStream
)
_Column: TypeAlias = npt.ArrayLike | _ArrowStream
_IdsLike: TypeAlias = npt.ArrayLike
_Cell: TypeAlias = npt.ArrayLike
_Cells: TypeAlias = npt.ArrayLike
_Links: TypeAlias = npt.ArrayLike
_Steps: TypeAlias = npt.ArrayLike
_Weights: TypeAlias = npt.ArrayLike
# The size of agents, and the kinds of terrain on which they walk.
_Agent: TypeAlias = tuple[int, Sequence[int]]
_Rect: TypeAlias = tuple[int, int, int, int]
_Linked: TypeAlias = tuple[list[_Ids], _Ids]
_Reached: TypeAlias = tuple[_Ids, _Distances]
_Flow: TypeAlias = tuple[_Distances, npt.NDArray[np.int8]]

__version__: str

STRUCTURES: tuple[str, ...]
"""The names that `Index` takes as `structure`."""

def pairs(a: _Rows, b: _Rows | None = None, *, skip_nan: bool = False, threads: int = 1) -> _Pairs:
    """All pairs of overlapping boxes, as an array of two rows: `i, j = pairs(boxes)`.

    Within one set, each pair comes once, with i < j, in an order that is the same for the same boxes. Between two sets, i is a row of `a`,
    ascending, and j a row of `b`.
    """

@overload
def within(
    items: _Rows,
    r: float,
    *,
    metric: Literal["plane", "geodesic"] = "plane",
    return_distance: Literal[False] = False,
    skip_nan: bool = False,
    threads: int = 1,
) -> _Pairs: ...
@overload
def within(
    items: _Rows,
    r: float,
    *,
    metric: Literal["plane", "geodesic"] = "plane",
    return_distance: Literal[True],
    skip_nan: bool = False,
    threads: int = 1,
) -> tuple[_Pairs, _Distances]: ...
@overload
def within(
    items: _Rows,
    b: _Rows | None,
    r: float,
    *,
    metric: Literal["plane", "geodesic"] = "plane",
    return_distance: Literal[False] = False,
    skip_nan: bool = False,
    threads: int = 1,
) -> _Pairs: ...
@overload
def within(
    items: _Rows,
    b: _Rows | None,
    r: float,
    *,
    metric: Literal["plane", "geodesic"] = "plane",
    return_distance: Literal[True],
    skip_nan: bool = False,
    threads: int = 1,
) -> tuple[_Pairs, _Distances]:
    """All pairs of points or boxes no farther apart than `r`, and how far apart, if requested: `within(items, r)` within one set, each pair
    once, with i < j; `within(a, b, r)` between two sets, with i a row of `a`, ascending, and j a row of `b`.

    The distance is that between the nearest points of two boxes, zero if they overlap. It is computed in float64, for int32 exactly.
    With `metric="geodesic"`, coordinates are degrees of longitude and latitude, and distances meters on the ellipsoid WGS 84; sides of
    boxes are parallels and meridians. Such calls for boxes work on one thread.
    """

@overload
def neighbors(
    points: _Rows,
    r: float,
    other: _Rows | None = None,
    *,
    box: npt.ArrayLike | None = None,
    pairs: Literal[False] = False,
    return_distance: Literal[False] = False,
    threads: int = 1,
) -> tuple[_Ids, _Ids]: ...
@overload
def neighbors(
    points: _Rows,
    r: float,
    other: _Rows | None = None,
    *,
    box: npt.ArrayLike | None = None,
    pairs: Literal[False] = False,
    return_distance: Literal[True],
    threads: int = 1,
) -> tuple[_Ids, _Ids, _Distances]: ...
@overload
def neighbors(
    points: _Rows,
    r: float,
    other: _Rows | None = None,
    *,
    box: npt.ArrayLike | None = None,
    pairs: Literal[True],
    return_distance: Literal[False] = False,
    threads: int = 1,
) -> _Pairs: ...
@overload
def neighbors(
    points: _Rows,
    r: float,
    other: _Rows | None = None,
    *,
    box: npt.ArrayLike | None = None,
    pairs: Literal[True],
    return_distance: Literal[True],
    threads: int = 1,
) -> tuple[_Pairs, _Distances]:
    """Lists of neighbors: all points or boxes no farther than `r` from each, as (starts, ids): those of row i are
    `ids[starts[i]:starts[i + 1]]`, ascending. Distances, if asked, are in the order of `ids`.

    Of one set, neighbors are other rows, so each pair is in two lists; with `other`, they are rows of that. With `pairs`, an array of two
    rows instead, sorted; of one set each pair once, i < j.

    In a `box`, points near one edge are near those at the opposite one, and a distance on an axis is the shorter way around: `d` or
    `size - d`. So two points are neighbors once, however large `r` is. `box` is a size, or one for x and one for y, from 0 on, or xmin,
    ymin, xmax, ymax; an axis of infinite size does not wrap. Points outside are refused; those on its edges are not.

    Distances are computed in float64, for int32 without a box exactly; their squares are compared, and `r` itself counts.
    """

def nms(boxes: _Rows, scores: npt.ArrayLike, iou: float = 0.5, *, threads: int = 1) -> _Ids:
    """Non-maximum suppression: the rows that remain if, from the highest score down, each box removes all whose intersection over union
    with it is more than `iou`. The best comes first; of equal scores, the lower row.
    """

def declutter(boxes: _Rows, priority: npt.ArrayLike, *, threads: int = 1) -> _Ids:
    """The rows that remain if, from the highest priority down, each box removes all that touch it: labels that do not cover each other. The
    most important comes first; of equal priorities, the lower row.
    """

def encounters(
    id: _Column,
    t: _Column,
    x: _Column,
    y: _Column,
    z: _Column | None = None,
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

    `id` is the track of a fix (numbers or texts), `t` its time (numbers; or datetime64, datetimes or texts in ISO 8601, which come back as
    datetime64, in UTC if they had a time zone), `x` and `y` its position. Between two fixes a track moves straight and at constant speed. An
    encounter of two tracks is a maximal time interval in which they are no farther apart than `within` and, with `vertical`, their heights
    `z` differ by no more than that at the same time. Encounters of the same two with no more than `gap` between them are one; those shorter
    than `lasting` are dropped. A track does not exist between two fixes that are farther apart in time than `max_gap`. Fixes that could
    only be reached faster than `max_speed` are ignored.

    With `units` "plane" everything is in the units of the columns; with "degrees", x is longitude, y latitude, distances are meters on the
    WGS 84 ellipsoid, and times seconds, below 1e11: milliseconds since 1970 are an error. Durations are seconds if `t` has dates.

    Returns the columns of a table by name, sorted by start: `a`, `b`, `start`, `end`, `closest_time`, `closest_distance` and, with
    `vertical`, `closest_vertical`. `pandas.DataFrame` takes them as they are.
    """

def advise(*frames: _Rows, operations: Sequence[str] | None = None) -> dict[str, float]:
    """Measures which structure is the fastest on these boxes: milliseconds per frame by name, the fastest first.

    Give one frame for boxes that do not move, or several, in which the same boxes move. `operations` are some of "update", "pairs",
    "query", "nearest" and "cast"; by default update and pairs for several frames, pairs, query and nearest for one. Measured in float64,
    with several settings a structure; takes about thirty times as long as the work itself.
    """

@final
class Index:
    """Boxes under ids, which move, come and go, and all queries about them.

    The initial boxes have their rows as ids. Threads may share an index: queries run side by side, and a change waits for them as they wait
    for a change.
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
        """`structure` is one of `STRUCTURES`: "frame-tree" is the fastest if everything moves and for all pairs; `advise` measures. Ids of
        rows that `skip_nan` leaves out are free.
        """

    def update(self, boxes: _Rows, *, layers: _IdsLike | None = None, mask: _IdsLike | None = None) -> None:
        """A whole frame: from now on there are exactly these boxes, whose ids are their rows. If no layers are given, boxes that stay keep
        theirs.
        """

    def move(self, ids: _IdsLike, boxes: _Rows) -> None:
        """Gives some boxes, all different, new places and sizes, one row each."""

    def insert(self, boxes: _Rows, *, layers: _IdsLike | None = None, mask: _IdsLike | None = None) -> Any:
        """Adds boxes and returns their ids, or one id for one box of shape (4,). Freed ids are reused, the last freed first."""

    def remove(self, ids: _IdsLike) -> None:
        """Removes boxes, all different. Their ids may be reused."""

    def set_layers(self, ids: _IdsLike, layers: _IdsLike | None = None, mask: _IdsLike | None = None) -> None:
        """Sets the layers of some boxes, all different: those that they are on, and those that they collide with; all if none are given."""

    def layers(self, ids: _IdsLike | None = None) -> npt.NDArray[np.uint32]:
        """The layers of the boxes with these ids, or of all in order of `ids`, one row each: the layers, then the mask."""

    def maintain(self) -> None:
        """Does work that single moves postpone. Answers are right without it; `update` ends with it, and so do many moves."""

    def pairs(self, *, threads: int = 1) -> _Pairs:
        """All pairs of overlapping boxes whose layers meet, each once, as an array of two rows, i < j."""

    def iter_pairs(self, chunk: int = 1_000_000) -> PairChunks:
        """The same pairs in the same order, in arrays of `chunk` columns: for more pairs than fit in memory.

        At most a 64th of all pairs are in memory at once, or a chunk if that is more. Raises RuntimeError if the index changes meanwhile.
        """

    def events(self) -> tuple[_Pairs, _Pairs]:
        """The contacts that have begun and those that have ended since the last call, as arrays of two rows, sorted; at the first call, all
        current contacts begin. The more boxes have moved, the longer it takes. Removing a box ends its contacts, even if its id is in use
        again.
        """

    def query(self, boxes: _Rows, *, layers: int | None = None, threads: int = 1) -> _Ids:
        """The boxes that overlap each row: which row, which box, as an array of two rows. For one box, of shape (4,), only the ids."""

    def query_csr(self, boxes: _Rows, *, layers: int | None = None, threads: int = 1) -> tuple[_Ids, _Ids]:
        """The same as (starts, ids): those of row r are `ids[starts[r]:starts[r + 1]]`."""

    @overload
    def within(
        self,
        items: _Rows,
        r: npt.ArrayLike,
        *,
        layers: int | None = None,
        return_distance: Literal[False] = False,
        threads: int = 1,
    ) -> _Ids: ...
    @overload
    def within(
        self,
        items: _Rows,
        r: npt.ArrayLike,
        *,
        layers: int | None = None,
        return_distance: Literal[True],
        threads: int = 1,
    ) -> tuple[_Ids, _Distances]:
        """The boxes no farther than `r` (one number, or one for each row) from each point or box, in the shape of `query`; and how far they
        are, if requested.
        """

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
        """The `k` nearest boxes of each point or box as (distances, ids), the nearest first; of equal distances, the lower id.

        Shapes are those of scipy's `KDTree.query`: (n, k), for k = 1 (n,); for a single point (k,), or numbers. If there are fewer than k,
        or none within `max_distance`, the distance is infinite and the id is `places`, which is `len(index)` if nothing was removed.
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

        Time 1 is one `direction` away; `max_time=1` makes segments of rays. Without a hit the id is `places` and the time infinite. Normals
        point outward from the side that is hit: (-1, 0) is that of xmin.
        """

    def boxes(self, ids: _IdsLike | None = None) -> npt.NDArray[Any]:
        """The boxes with these ids, or all in order of `ids`."""

    def nodes(self) -> npt.NDArray[Any]:
        """The bounds of all nodes or cells of the structure, for drawing."""

    def plot(self, ax: Any = None, *, nodes: bool = True, pairs: bool = False) -> Any:
        """Draws boxes, those smaller than a pixel as dots, and nodes or pairs if requested, with matplotlib; returns the axes."""

    def to_bytes(self) -> bytes:
        """The whole index as bytes, with its state for `events`; pickle uses this."""

    @classmethod
    def from_bytes(cls, data: bytes | bytearray) -> Index:
        """An index that `to_bytes` has written. Raises ValueError if the bytes are cut short, changed or of another version."""

    @property
    def ids(self) -> _Ids:
        """All ids in use, ascending."""

    @property
    def places(self) -> int:
        """All ids ever in use are below this."""

    @property
    def structure(self) -> str:
        """The name of the structure."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the boxes."""

    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[bytes]]: ...

@final
class NeighborList:
    """Neighbors of points that move, of which most move little: looked for among those within `r + skin`, which are kept until a point has
    moved farther than half of `skin`.

    The answers are those of `neighbors`, float64, wherever points are; `update` finds them. Threads may share a list.
    """

    def __new__(cls, r: float, skin: float, *, box: npt.ArrayLike | None = None) -> NeighborList:
        """A larger `skin` is made anew less often, and looks at more each time."""

    def update(self, points: _Rows, *, threads: int = 1) -> bool:
        """From now on there are exactly these points. True if all neighbors were searched anew: at first, with more points or fewer, or if
        one has moved too far.
        """

    @overload
    def neighbors(
        self, *, pairs: Literal[False] = False, return_distance: Literal[False] = False
    ) -> tuple[_Ids, _Ids]: ...
    @overload
    def neighbors(
        self, *, pairs: Literal[False] = False, return_distance: Literal[True]
    ) -> tuple[_Ids, _Ids, _Distances]: ...
    @overload
    def neighbors(self, *, pairs: Literal[True], return_distance: Literal[False] = False) -> _Pairs: ...
    @overload
    def neighbors(self, *, pairs: Literal[True], return_distance: Literal[True]) -> tuple[_Pairs, _Distances]:
        """The neighbors of each point where it is now, in the shapes of the function `neighbors`."""

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
        self, start: _Cell, goal: _Cell, *, partial: bool = False, within: float = ..., corners: int | None = None
    ) -> _Ids | None:
        """The cells of a shortest path, one per row, both ends included; None if there is none. With `partial`, one to the cell nearest to
        the goal that can be reached. With `within`, None if it is longer than that; nothing farther away is searched. With `corners`, the
        search may look at this many corners of walls, some ten thousand per millisecond; if it needs more, it raises RuntimeError.
        """

    def paths(self, starts: _Cells, goals: _Cells, *, partial: bool = False) -> tuple[_Ids, _Ids]:
        """Many paths as (starts, cells): those of path p are `cells[starts[p]:starts[p + 1]]`, none if there is no path.

        Each is as long as that of `path`, but may be another of equal length: if that is less work, one search finds all paths to a shared
        goal, or searches go from cell to cell.
        """

    def linked_path(self, start: _Cell, goal: _Cell, links: _Links) -> _Linked | None:
        """A shortest path that may take links, such as teleports, ladders and one-way doors: the cells of its legs, and the rows of the
        links taken between them; None if there is none.

        `links` has rows of x, y, x, y, steps: from one cell to another, and the cost. A link leads one way.
        """

    def distance(self, start: _Cell, goal: _Cell) -> float:
        """The length of a shortest path; infinite if there is none."""

    def is_reachable(self, start: _Cell, goal: _Cell) -> bool:
        """Whether there is a path. Needs no search."""

    def would_close(self, corner: _Cell, size: tuple[int, int], starts: _Cells, goal: _Cell) -> int | None:
        """Would a wall cut off one of the `starts` from the goal? `corner` is the first cell of the wall's rectangle, `size` its width and
        height. Returns the row of the first start that can reach the goal now and could no longer, or None. The map does not change.
        """

    def nearest_free(self, cell: _Cell, *, connected_to: _Cell | None = None) -> tuple[int, int] | None:
        """The free cell nearest to `cell`, measured without walls. With `connected_to`, only cells from which that can be reached count."""

    def nearest(self, start: _Cell, goals: _Cells) -> tuple[int, _Ids] | None:
        """The row of the nearest of some goals, and the cells of a shortest path to it; None if none can be reached."""

    def nearest_linked(self, start: _Cell, goals: _Cells, links: _Links) -> tuple[int, _Linked] | None:
        """The row of the nearest of some goals, and a path to it as that of `linked_path`; None if none can be reached."""

    def first_wall(self, start: _Cell, goal: _Cell) -> tuple[int, int] | None:
        """The first blocked cell on the straight line between the middles of two cells: what a shot hits; None if there is a line of sight.

        Where the line passes between two cells that touch at a corner only, it is free if a diagonal step would be legal there.
        """

    def free_places(self, cell: _Cell, count: int, *, apart: int = 1, connected_to: _Cell | None = None) -> _Ids:
        """Up to `count` places for a group, one per row: the first is the cell of `nearest_free`, and the others can be reached from there,
        nearest first by path. No two are less than `apart` columns and rows apart, such as the size of the units.
        """

    def detour(self, path: _Cells, obstacles: _Cells, *, radius: int = 16) -> _Ids | None:
        """The rest of a path, from the cell of a unit on, led around cells that are blocked for this query only: where other units are.

        Only obstacles at most `radius` columns and rows from the unit count, and only there does the path change: it is the shortest one in
        that square to the last free cell of `path` in it, and then goes on as before. None if there is no such path: wait, or look farther.
        If the goal is taken, it ends at the last free cell before.
        """

    def reach(self, start: _Cell, budget: float, *, within: _Rect | None = None) -> _Reached:
        """All cells that can be reached at a cost of at most `budget`, row by row, and what each costs.

        `within`: x, y, width and height of a rectangle that must not be left. No cells if the start is blocked or lies outside.
        """

    def taut_path(self, start: _Cell, goal: _Cell) -> tuple[_Distances, float] | None:
        """The shortest way in any direction: the points where it turns around corners of walls, with its ends, and its length.

        It leads from the center of one cell to that of another; cell (x, y) is the square from (x, y) to (x + 1, y + 1).
        """

    def set(self, cells: _Cells, free: bool) -> bool:
        """Frees or blocks cells. Returns whether that changed anything."""

    def edit(self, x: int, y: int, free: npt.NDArray[np.bool_]) -> bool:
        """Replaces the cells of a rectangle by an array of bool, from (x, y) on. Returns whether that changed anything."""

    def flow(self, goals: _Cells, *, starts: _Steps | None = None) -> _Flow:
        """The way to the nearest of some goals, or to one, from every cell, for many agents: (lengths, steps).

        `lengths[y, x]` is that of a shortest path, infinite if there is none; `steps[y, x]` is dx, dy to the next cell on it.
        With `starts`, whole numbers from 0 to 65535, a path to a goal counts as that many steps longer: the worse a goal, the larger its
        number. Blocked goals do not count.
        """

    def begin_flow(self, goals: _Cells, *, starts: _Steps | None = None) -> GrowingFlow:
        """`flow`, made in slices: for a budget per frame."""

    def begin_reach(self, start: _Cell, budget: float, *, within: _Rect | None = None) -> GrowingReach:
        """`reach`, computed in slices: for a budget per frame."""

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

@final
class TerrainMap:
    """A map of kinds of terrain with weights, for agents of several sizes that walk on different kinds.

    It is made of an array of uint8, `kinds[y, x]`. An agent is (size, kinds): its width and height in cells, of which the upper left one is
    its position, and the kinds on which it walks, from 0 to 63; other kinds are walls for all. Agents of `classes` have a map of their own;
    if there is no path for them, that takes no search. Consecutive paths of one agent with the same weights are found several times as fast
    as others.
    """

    def __new__(cls, kinds: npt.NDArray[np.uint8], classes: Sequence[_Agent] = ..., rule: str = "octile") -> TerrainMap:
        """`rule`: as that of a `PathMap`."""

    def path(
        self, start: _Cell, goal: _Cell, *, agent: _Agent, weights: _Weights | None = None
    ) -> tuple[_Ids, float] | None:
        """The cells of a cheapest path, and what it costs; None if there is none.

        A step costs its length times the weight of the heaviest kind that the agent then covers. `weights[kind]` is a whole number, 1 or
        more; kinds without one weigh 1.
        """

    def linked_path(
        self, start: _Cell, goal: _Cell, links: _Links, *, agent: _Agent, weights: _Weights | None = None
    ) -> tuple[_Linked, float] | None:
        """A cheapest path that may take links, as that of a `PathMap`, and what it costs; None if there is none.

        The steps of a link cost as much as on ground of weight 1.
        """

    def paths(
        self, starts: _Cells, goals: _Cells, *, agent: _Agent, weights: _Weights | None = None
    ) -> tuple[_Ids, _Ids, _Distances]:
        """Many paths as (starts, cells, costs): those of path p are `cells[starts[p]:starts[p + 1]]`; none, at infinite cost, if there is no
        path.
        """

    def reach(
        self,
        start: _Cell,
        budget: float,
        *,
        agent: _Agent,
        weights: _Weights | None = None,
        within: _Rect | None = None,
    ) -> _Reached:
        """All cells that can be reached at a cost of at most `budget`, row by row, and what each costs. `within`: as for a `PathMap`."""

    def flow(
        self, goals: _Cells, *, agent: _Agent, weights: _Weights | None = None, starts: _Steps | None = None
    ) -> _Flow:
        """The way to the cheapest of some goals, or to one, from every cell, as that of a `PathMap`: (costs, steps)."""

    def begin_flow(
        self, goals: _Cells, *, agent: _Agent, weights: _Weights | None = None, starts: _Steps | None = None
    ) -> GrowingFlow:
        """`flow`, made in slices."""

    def begin_reach(
        self,
        start: _Cell,
        budget: float,
        *,
        agent: _Agent,
        weights: _Weights | None = None,
        within: _Rect | None = None,
    ) -> GrowingReach:
        """`reach`, computed in slices."""

    def set(self, cells: _Cells, kind: int) -> bool:
        """Changes the kind of cells. Returns whether that changed anything."""

    def edit(self, x: int, y: int, kinds: npt.NDArray[np.uint8]) -> bool:
        """Replaces the kinds of a rectangle by an array of uint8, from (x, y) on. Returns whether that changed anything."""

    def add_class(self, agent: _Agent) -> None:
        """Gives a class of agents a map of its own."""

    @property
    def kinds(self) -> npt.NDArray[np.uint8]:
        """The cells, `kinds[y, x]`."""

    @property
    def classes(self) -> list[tuple[int, list[int]]]:
        """The classes of agents that have a map."""

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""

    @property
    def rule(self) -> str:
        """Which steps are legal."""

    def __reduce__(self) -> tuple[Any, tuple[npt.NDArray[np.uint8], list[tuple[int, list[int]]], str]]: ...

@final
class GrowingFlow:
    """A flow that is made in slices. Edits meanwhile are repaired at the end, or it begins again."""

    def go_on(self, map: PathMap | TerrainMap, cells: int) -> _Flow | None:
        """Visits about this many more cells, some ten thousand per millisecond with weights, and a hundred thousand without.

        Returns what `flow` returns once it is done, exact for the map as it is then; None before and after.
        """

@final
class GrowingReach:
    """What can be reached, computed in slices. If an edit meanwhile changes a cell that may be within the budget, it begins again, with
    twice its share.
    """

    def go_on(self, map: PathMap | TerrainMap, cells: int) -> _Reached | None:
        """Visits about this many more cells. Returns what `reach` returns once it is done, exact for the map as it is then; None before and
        after.
        """

@final
class PathQueue:
    """Requests for paths, answered within a budget per frame. A long search continues in the next frame, and blocks no others.

    `len(queue)` is how many requests are waiting. Every request is answered in the end, on the map as it is then.
    """

    def __new__(cls) -> PathQueue: ...
    def push(self, start: _Cell, goal: _Cell, *, priority: int = 0) -> int:
        """Requests a shortest path, and returns the ticket of the request. Requests of a higher priority come first."""

    def cancel(self, ticket: int) -> bool:
        """Cancels a request. Returns whether it was still waiting."""

    def run(self, map: PathMap, budget: int) -> list[tuple[int, _Ids | None]]:
        """Answers requests until none is left or the budget is spent: their tickets, with the cells of a shortest path or None.

        The budget is a number of corners that searches look at, about ten thousand per millisecond. The same calls give the same answers.
        """

    def run_for(self, map: PathMap, seconds: float) -> list[tuple[int, _Ids | None]]:
        """The same, until this many seconds have passed."""

    def __len__(self) -> int: ...

@final
class PathWatch:
    """Watches a path that an agent walks while its map changes, and reports when an edit has broken it."""

    def __new__(cls, map: PathMap, path: _Cells) -> PathWatch:
        """Starts watching a shortest path that was found on the current map. Raises ValueError if it is none there."""

    def check(self, map: PathMap) -> tuple[int, int] | None:
        """The last cell that can be reached if edits have broken the path, or the first if that is blocked; None while it is whole. A
        broken path stays broken.
        """

    def shorter(self, map: PathMap, cell: _Cell) -> _Ids | None:
        """The cells of a path from `cell`, on the path, to its end that is shorter than what is left of it; None if there is none."""

# What `join` and `join_nearest` call.
@final
class Shapes:
    """Geometries, read from a list of well-known binary and None, or from an object with Arrow's interface."""

    def __new__(cls, source: Any, name: str) -> Shapes: ...
    @property
    def metadata(self) -> str | None: ...
    def __len__(self) -> int: ...
    def bounds(self) -> npt.NDArray[np.float64]: ...
    def reaches(self, most: float, edges: str) -> npt.NDArray[np.float64]: ...

# What reads tables of Arrow.
@final
class ArrowColumn:
    @property
    def name(self) -> str: ...
    @property
    def format(self) -> str: ...
    @property
    def dictionary(self) -> ArrowColumn | None: ...
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    def __len__(self) -> int: ...
    def missing(self) -> _Ids: ...
    def texts(self) -> list[str | None]: ...

def arrow_columns(object: Any) -> tuple[bool, list[list[ArrowColumn]]]: ...
@final
class ArrowTable:
    """Columns for other libraries, which read them in place: see `to_arrow`."""

    def __new__(cls, columns: Sequence[tuple[str, str, Sequence[npt.NDArray[Any]]]], rows: int) -> ArrowTable: ...
    def __len__(self) -> int: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[Any, Any]: ...

def join_shapes(
    a: Shapes,
    b: Shapes,
    predicate: str,
    distance: float | None = None,
    is_measured: bool = False,
    metric: tuple[str, str] = ...,
) -> tuple[_Pairs, _Distances]: ...
def nearest_shapes(
    a: Shapes, b: Shapes, count: int | None, most: float, exclusive: bool, metric: tuple[str, str] = ...
) -> tuple[_Pairs, _Distances]: ...

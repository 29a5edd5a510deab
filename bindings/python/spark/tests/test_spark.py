"""Joins on Spark are those of the command, on a cluster of two processes, also if one is killed in the middle.

`QUADRILLE` names the command, `QUADRILLE_BOXES` how many boxes the larger test has, `QUADRILLE_DATA` a folder of boxes of the real world.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pyspark.errors import PythonException
from pyspark.sql import DataFrame, SparkSession

from pyquadrille import spark

COMMAND = os.environ.get("QUADRILLE", "quadrille")
COUNT = int(os.environ.get("QUADRILLE_BOXES", "20000"))
DATA = Path(os.environ.get("QUADRILLE_DATA", "/nowhere"))
CORNERS = ["xmin", "ymin", "xmax", "ymax"]


@pytest.fixture(scope="module")
def session() -> Iterator[SparkSession]:
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("quadrille")
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.executor.memory": "1g",
        "spark.log.level": "ERROR",
        "spark.task.maxFailures": "4",
    }.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


def town(count: int, seed: int) -> np.ndarray:
    """Boxes of a town: half of them in its middle, some roads across it, and one around everything."""
    random = np.random.default_rng(seed)
    side = np.sqrt(count) * 10
    low = random.uniform(0, side, (count, 2))
    low[::2] = side / 2 + (low[::2] - side / 2) / 8
    size = random.uniform(0, 6, (count, 2))
    size[::500, 0] = side
    size[1::500, 1] = side
    low[7], size[7] = 0, side
    return np.column_stack([low, low + size]).astype(np.float32)


def frame(session: SparkSession, boxes: np.ndarray, first: int = 0) -> DataFrame:
    import pyarrow as pa

    columns = {name: boxes[:, column] for column, name in enumerate(CORNERS)}
    return session.createDataFrame(pa.table({"id": np.arange(first, first + len(boxes)), **columns})).repartition(4)


def found(df: DataFrame) -> list[tuple[int, int]]:
    table = df.select("a", "b").toArrow()
    return sorted(zip(table.column("a").to_pylist(), table.column("b").to_pylist(), strict=True))


def asked(tmp_path: Path, *arguments: object) -> list[tuple[int, int]]:
    """What the command answers."""
    out = tmp_path / "pairs.csv"
    subprocess.run([COMMAND, "pairs", *map(str, arguments), "--out", out], check=True, capture_output=True)
    rows = np.loadtxt(out, delimiter=",", skiprows=1, ndmin=2)[:, :2].astype(int)
    return sorted(map(tuple, rows.tolist()))


def written(tmp_path: Path, name: str, boxes: np.ndarray) -> Path:
    np.savetxt(tmp_path / name, boxes, delimiter=",", fmt="%.9g")
    return tmp_path / name


@pytest.mark.parametrize("boxes_per_task", [500, 1_000_000])
def test_answers_are_those_of_the_command(session: SparkSession, tmp_path: Path, boxes_per_task: int) -> None:
    a, b = town(6_000, 1), town(3_000, 2)
    files = [written(tmp_path, "a.csv", a), written(tmp_path, "b.csv", b)]
    df_a, df_b = frame(session, a), frame(session, b)
    few = {"boxes_per_task": boxes_per_task}
    one = found(spark.pairs(df_a, **few))
    assert len(one) > 6_000 and one == asked(tmp_path, files[0])
    assert found(spark.pairs(df_a, df_b, **few)) == asked(tmp_path, *files)
    assert found(spark.within(df_a, distance=3.5, **few)) == asked(tmp_path, files[0], "--within", 3.5)
    assert found(spark.within(df_a, df_b, 1.0, **few)) == asked(tmp_path, *files, "--within", 1)
    assert found(spark.nearest(df_a, df_b, 3, **few)) == asked(tmp_path, *files, "--nearest", 3)


def test_what_no_line_divides_is_joined_by_parts(session: SparkSession, tmp_path: Path) -> None:
    heap = np.full((1_000, 4), 5.0)
    heap[:20] = town(20, 3)
    from pyquadrille.spark import _Join

    df = frame(session, heap)
    assert _Join.of(df, None, tuple(CORNERS), None, "id", 0.0, 100).tiles.parts.max() == 10
    assert spark.pairs(df, boxes_per_task=100).count() == len(asked(tmp_path, written(tmp_path, "heap.csv", heap)))
    few = frame(session, heap[15:30])
    assert spark.pairs(df, few, boxes_per_task=100).count() == spark.pairs(df, few).count()


def test_an_executor_killed_in_the_middle_changes_nothing(session: SparkSession, tmp_path: Path) -> None:
    boxes = town(COUNT, 4)
    expected = asked(tmp_path, written(tmp_path, "a.csv", boxes))
    df = spark.pairs(frame(session, boxes), boxes_per_task=max(100, COUNT // 40))
    killed: list[int] = []
    is_over = threading.Event()

    def kill() -> None:
        tracker = session.sparkContext.statusTracker()
        while not killed and not is_over.wait(0.05):
            running = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            if any(stage is not None and stage.numActiveTasks > 0 for stage in running):
                executors = subprocess.run(["pgrep", "-f", "[C]oarseGrainedExecutorBackend"], capture_output=True, text=True)
                own = [int(pid) for pid in executors.stdout.split() if is_ours(int(pid))]
                os.kill(own[0], signal.SIGKILL)
                killed.append(own[0])

    thread = threading.Thread(target=kill)
    thread.start()
    answer = found(df)
    is_over.set()
    thread.join()
    assert killed and answer == expected


def is_ours(pid: int) -> bool:
    """Whether a process descends from this one."""
    while pid > 1:
        if pid == os.getpid():
            return True
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            return False
    return False


def test_mistakes_name_the_column_and_the_value(session: SparkSession) -> None:
    df = frame(session, town(100, 5))
    with pytest.raises(ValueError, match="no column 'west' among id, xmin"):
        spark.pairs(df, boxes=("west", "south", "east", "north"))
    with pytest.raises(ValueError, match="no column 'name' of ids"):
        spark.pairs(df, ids="name")
    with pytest.raises(TypeError, match="column 'id' is of type bigint"):
        spark.pairs(df, boxes=("id", "ymin", "xmax", "ymax"))
    with pytest.raises(ValueError, match="the distance is -1"):
        spark.within(df, distance=-1)
    with pytest.raises(ValueError, match="k is 0"):
        spark.nearest(df, df, 0)
    inverted = frame(session, np.array([[0, 0, 1, 1], [5, 0, 2, 1]]))
    inverted = inverted.selectExpr("id", *[f"cast({name} as double) {name}" for name in CORNERS])
    with pytest.raises(PythonException, match="the box of id 1 is inverted"):
        spark.pairs(inverted).count()
    nothing = frame(session, town(10, 6)).where("id < 0")
    assert spark.pairs(nothing).count() == 0 and spark.pairs(df, nothing).count() == 0


REAL = [
    ("tiger_zcta510_boxes.csv", None),
    ("tiger_primaryroads_boxes.csv", "tiger_zcta510_boxes.csv"),
    ("boulder_buildings_bbox.csv", None),
]


@pytest.mark.parametrize(("name", "other"), REAL)
def test_real_files_have_as_many_pairs(session: SparkSession, name: str, other: str | None) -> None:
    if not DATA.is_dir():
        pytest.skip("QUADRILLE_DATA names no folder of boxes")
    files = [DATA / file for file in (name, other) if file]
    frames = [read(session, file) for file in files]
    counted = subprocess.run([COMMAND, "pairs", *files, "--count"], check=True, capture_output=True, text=True)
    assert spark.pairs(*frames, boxes_per_task=5_000).count() == int(counted.stdout) > 0


def read(session: SparkSession, file: Path) -> DataFrame:
    """The corners in a file of text, under our names."""
    from pyspark.sql import functions

    with file.open() as lines:
        has_header = any(character.isalpha() for character in lines.readline())
    df = session.read.csv(str(file), header=has_header, inferSchema=True)
    names = dict(zip(df.columns[-4:], CORNERS, strict=True))
    return df.withColumnsRenamed(names).withColumn("id", functions.monotonically_increasing_id())


def triangles(count: int, seed: int) -> list[bytes | None]:
    """Points and triangles in well-known binary on a coarse grid; some rows have nothing, and one triangle is huge."""
    random = np.random.default_rng(seed)
    rows: list[bytes | None] = []
    for number in range(count):
        x, y = random.integers(0, 200, 2).astype(float)
        size = 150.0 if number == 7 else float(random.integers(1, 9))
        if number % 3 == 0:
            rows.append(b"\x01" + np.uint32(1).tobytes() + np.array([x, y]).tobytes())
        elif number % 17 == 1:
            rows.append(None)
        else:
            ring = np.array([x, y, x + size, y, x, y + size, x, y])
            rows.append(b"\x01" + np.array([3, 1, 4], dtype=np.uint32).tobytes() + ring.tobytes())
    return rows


def test_shapes_are_joined_as_in_one_process(session: SparkSession) -> None:
    import pyarrow as pa
    import pyquadrille as pq

    a, b = triangles(900, 1), triangles(700, 2)
    # Ids that are no row numbers.
    frames = [session.createDataFrame(pa.table({"key": np.arange(len(rows)) + 5, "shape": pa.array(rows, pa.binary())})).repartition(3) for rows in (a, b)]
    for predicate, distance in [("intersects", None), ("contains", None), ("touches", None), ("dwithin", 1.5)]:
        expected = pq.join(a, b, predicate, distance=distance)
        joined = spark.join(*frames, predicate, distance=distance, geometry="shape", ids="key", shapes_per_task=60)
        assert found(joined) == sorted(zip((expected[0] + 5).tolist(), (expected[1] + 5).tolist(), strict=True)), predicate
    for how in ("left", "right"):
        i, j = pq.join(a, b, "contains", how=how)  # type: ignore[call-overload]
        joined = spark.join(*frames, "contains", how=how, geometry="shape", ids="key", shapes_per_task=60)
        key = lambda pair: tuple(-1 if one is None else one for one in pair)
        table = joined.toArrow()
        ours = sorted(zip(table.column("a").to_pylist(), table.column("b").to_pylist(), strict=True), key=key)
        assert ours == sorted([(x + 5 if x >= 0 else None, y + 5 if y >= 0 else None) for x, y in zip(i.tolist(), j.tolist(), strict=True)], key=key)
    for arguments, message in [
        ({"metric": "geodesic"}, 'is for predicate "dwithin"'),
        ({"predicate": "near"}, "no predicate is named `near`"),
        ({"predicate": "disjoint"}, "disjoint"),
        ({"distance": 1.0}, "distance"),
        ({"geometry": "form"}, "no column 'form'"),
        ({"geometry": "key"}, "must be well-known binary"),
    ]:
        with pytest.raises((ValueError, TypeError), match=message):
            spark.join(*frames, **{"geometry": "shape", "ids": "key", **arguments})


def test_shapes_on_the_globe_are_joined_as_in_one_process(session: SparkSession) -> None:
    import pyarrow as pa
    import pyquadrille as pq

    for seed, west, south, edges in [(0, 170.0, -10.0, "straight"), (1, -190.0, 70.0, "geodesic")]:
        # Triangles of a degree or so; longitudes go on at -180.
        rows = []
        for number, count in enumerate((500, 400)):
            random = np.random.default_rng(10 * seed + number)
            corners = random.uniform([west, south], [west + 20, south + 19], (count, 1, 2)) + random.uniform(-0.5, 0.5, (count, 3, 2))
            corners[..., 0] = (corners[..., 0] + 180) % 360 - 180
            rings = np.concatenate([corners, corners[:, :1]], axis=1)
            rows.append([b"\x01" + np.array([3, 1, 4], dtype="<u4").tobytes() + ring.astype("<f8").tobytes() for ring in rings])
        frames = [session.createDataFrame(pa.table({"id": np.arange(len(one)), "geometry": pa.array(one, pa.binary())})).repartition(3) for one in rows]
        arguments = {"distance": 20_000.0, "metric": "geodesic", "edges": edges}
        expected = pq.join(*rows, "dwithin", **arguments)
        assert len(expected[0]) > 100
        joined = spark.join(*frames, "dwithin", shapes_per_task=150, **arguments)
        assert found(joined) == sorted(zip(*(ids.tolist() for ids in expected), strict=True)), edges

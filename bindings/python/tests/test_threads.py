"""Threads that share an index wait for each other, and end. On a free-threaded interpreter they run at the same time."""

import multiprocessing
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pyquadrille as pq
import pytest
from oracle import as_set, random_boxes

SECONDS = 2.0


def run(*works: Any) -> None:
    """Runs works over and over for a while, each in a thread of its own; fails if one fails or does not end."""
    end = time.monotonic() + SECONDS
    errors: list[BaseException] = []

    def loop(work: Any) -> None:
        try:
            while time.monotonic() < end and not errors:
                work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=loop, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS + 60)
    assert not any(thread.is_alive() for thread in threads), "a thread waits for ever"
    if errors:
        raise errors[0]


def test_the_interpreter_is_said_aloud() -> None:
    enabled = getattr(sys, "_is_gil_enabled", lambda: True)()
    print(f"Python {sys.version.split()[0]}, {'with' if enabled else 'without'} the lock of the interpreter")
    if "free-threading" in sys.version:
        assert not enabled, "importing the package must not bring the lock back"


@pytest.mark.parametrize("structure", ["frame-tree", "quadtree", "loose-grid"])
def test_queries_and_changes_at_once(structure: str) -> None:
    a, b = random_boxes(3000, seed=1), random_boxes(3000, seed=2)
    index = pq.Index(a, structure)
    expected = [as_set(pq.pairs(boxes)) for boxes in (a, b)]
    seen = set()

    def ask() -> None:
        found = as_set(index.pairs(threads=2))
        assert found in expected, "half of a change was seen"
        seen.add(expected.index(found))

    def look() -> None:
        assert index.nearest(a[:200], 3, threads=2)[0].shape == (200, 3)
        assert index.query(b[:200]).shape[0] == 2
        pickled = pq.Index.from_bytes(index.to_bytes())
        assert len(pickled) == 3000

    run(ask, ask, look, lambda: index.update(a), lambda: index.update(b), index.events, index.maintain)
    assert seen, "nothing was asked"


def test_insertions_and_removals_at_once() -> None:
    index = pq.Index(random_boxes(500))
    some = random_boxes(50, seed=3)

    def come_and_go() -> None:
        ids = index.insert(some)
        assert len(set(ids.tolist())) == 50
        index.move(ids, some + 1)
        index.remove(ids)

    def walk() -> None:
        try:
            for chunk in index.iter_pairs(7):
                assert chunk.shape[0] == 2
        except RuntimeError as error:
            assert "the index changed" in str(error)

    run(come_and_go, come_and_go, come_and_go, walk, index.events)
    assert index.ids.tolist() == list(range(500))


def test_one_walk_shared() -> None:
    index = pq.Index(random_boxes(20_000))
    whole, chunks, lock, got = index.pairs(), index.iter_pairs(101), threading.Lock(), []

    def take() -> None:
        for chunk in chunks:
            with lock:
                got.append(chunk)

    run(take, take, take)
    assert as_set(np.concatenate(got, axis=1)) == as_set(whole)


def test_maps_at_once() -> None:
    world = pq.PathMap(np.ones((60, 60), dtype=bool))
    row = np.zeros((59, 1), dtype=bool)

    def ask() -> None:
        path = world.path((0, 30), (59, 30))
        # Straight, or down and up again around the end of the wall.
        assert path is not None and (len(path), int(path[:, 1].max())) in ((60, 30), (61, 59)), "half of an edit was seen"

    run(ask, ask, lambda: world.edit(30, 0, row), lambda: world.edit(30, 0, ~row), lambda: world.flow((5, 5)))


def work_in_a_child(queue: Any) -> None:
    queue.put(pq.pairs(random_boxes(5000), threads=2).shape[1])


@pytest.mark.skipif(not hasattr(multiprocessing, "get_context") or sys.platform != "linux", reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_has_threads_of_its_own() -> None:
    expected = pq.pairs(random_boxes(5000), threads=2).shape[1]
    fork: Any = multiprocessing.get_context("fork")
    queue = fork.Queue()
    child = fork.Process(target=work_in_a_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == expected
    child.join(60)
    assert child.exitcode == 0


def test_work_leaves_the_interpreter_to_others() -> None:
    """While one thread works, another counts."""
    boxes, counted, is_done = random_boxes(400_000), 0, threading.Event()

    def work() -> None:
        for _ in range(3):
            pq.pairs(boxes)
        is_done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not is_done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 5, "the other thread stood still"


FORKED = """
import os, signal, threading, time
import numpy as np
import pyquadrille as pq

rng = np.random.default_rng(3)
boxes = np.hstack([corner := rng.random((40_000, 2)), corner])
index, ground = pq.Index(boxes, "brute-force"), pq.PathMap(np.ones((1000, 1000), bool))

def in_a_child(call):
    # What the call raises in a child; a child that waits for ever is ended by the alarm.
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            call()
            told = "worked"
        except RuntimeError as error:
            told = str(error)
        assert pq.Index(boxes[:9]).pairs().shape[0] == 2, "a new one works"
        os.write(writing, told.encode())
        os._exit(0)
    os.close(writing)
    told = os.read(reading, 1000).decode()
    status = os.waitpid(child, 0)[1]
    assert status == 0, f"status {status}: {signal.SIGALRM.value} is that of a child that waited for ever"
    return told

def until_told(call, busy):
    # What numpy imports at the first use is there before: a child waits for ever for an import that a thread was in.
    call(), busy()

    # The other thread may not be in its call yet.
    def forever():
        while True:
            busy()

    threading.Thread(target=forever, daemon=True).start()
    for _ in range(600):
        if "was forked" in in_a_child(call):
            return
        time.sleep(0.02)
    raise AssertionError("no child was told")

until_told(BUSY)
os._exit(0)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="there is no fork")
@pytest.mark.parametrize(
    "busy",
    [
        "lambda: index.update(boxes), index.pairs",
        "lambda: index.query(boxes[:9]), lambda: index.update(boxes)",
        "lambda: ground.set([[0, 0]], False), lambda: ground.flow([[0, 0]])",
    ],
)
def test_a_child_is_told_what_threads_of_its_parent_held(busy: str) -> None:
    program = FORKED.replace("BUSY", busy)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="there is no fork")
def test_a_child_reads_what_threads_of_its_parent_read() -> None:
    program = FORKED.split("until_told(BUSY)")[0] + """
threading.Thread(target=index.pairs, daemon=True).start()
time.sleep(0.5)
assert in_a_child(lambda: index.query(boxes[:9])) == "worked"
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr

"""Long calls: where memory ends there is a MemoryError and all goes on; Ctrl-C ends a call. Each in a process of its own."""

import signal
import subprocess
import sys
import time

import numpy as np
import pyquadrille as pq
import pytest

PREPARED = """
import os, resource, signal, sys, time
import numpy as np
import pyquadrille as pq

rng = np.random.default_rng(5)
crowd = np.tile(np.float32([0, 0, 1, 1]), (20_000, 1))
many = np.hstack([corner := rng.random((1_000_000, 2)), corner])
index, scores = pq.Index(crowd), np.zeros(len(crowd))
# Boxes of all sizes on one spot, of which none takes away another.
nested = np.hstack([np.zeros((20_000, 2)), 1 + rng.random((20_000, 2))])
place = np.repeat(rng.random((3000, 2)), 2, axis=0)
fixes = dict(id=np.arange(6000) // 2, t=np.arange(6000) % 2, x=place[:, 0], y=place[:, 1])
"""

# A call of each kind that has very many answers.
CALLS = {
    "pairs": "pq.pairs(crowd)",
    "pairs on two threads": "pq.pairs(crowd, threads=2)",
    "pairs of two sets": "pq.pairs(crowd, crowd)",
    "within": "pq.within(crowd, 1.0, return_distance=True)",
    "within of two sets": "pq.within(crowd, crowd, 1.0)",
    "nms": "pq.nms(nested, scores, 1.0)",
    "declutter": "pq.declutter(crowd, scores)",
    "Index.pairs": "index.pairs()",
    "Index.query": "index.query(crowd)",
    "Index.query on two threads": "index.query(crowd, threads=2)",
    "Index.query_csr": "index.query_csr(crowd)",
    "Index.within": "index.within(crowd, 1.0)",
    "Index.nearest": "index.nearest(crowd, 10_000)",
    "pairs of many": "pq.pairs(many)",
    "Index": "pq.Index(many)",
    "Index.update": "pq.Index(many[:9]).update(many)",
    "whole numbers": "pq.Index(np.zeros((4_000_000, 4), dtype=np.int64))",
}

# Calls that need little memory, whatever they find.
FRUGAL = {"nms", "declutter"}


def run(program: str, timeout: float = 300) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([sys.executable, "-c", PREPARED + program], capture_output=True, text=True, timeout=timeout)
    assert done.returncode == 0, f"{done.returncode}: {done.stderr}"
    return done


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits memory so")
@pytest.mark.parametrize("name", CALLS)
def test_what_no_memory_holds_is_an_error(name: str) -> None:
    """With ever more memory: an error, or an answer, and never the end of the process."""
    call = CALLS[name]
    program = f"""
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
pq.pairs(crowd[:600], threads=2)
failed = 0
for more in (20, 80, 200):
    resource.setrlimit(resource.RLIMIT_AS, (used + (more << 20), resource.RLIM_INFINITY))
    try:
        {call}
    except MemoryError as error:
        failed += 1
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert pq.pairs(crowd[:3]).shape == (2, 3) and index.query(crowd[:2]).shape == (2, 40_000), "all goes on"
print(failed)
"""
    failed = int(run(program).stdout)
    assert failed > 0 or name in FRUGAL


# A call of each kind that takes many seconds.
SLOW = {
    "pairs": "pq.pairs(np.repeat(crowd, 6, axis=0))",
    "pairs on two threads": "pq.pairs(np.repeat(crowd, 6, axis=0), threads=2)",
    "pairs that are none": "pq.Index(many[:200_000], 'brute-force').pairs()",
    "within": "pq.within(np.repeat(crowd, 6, axis=0), 1.0)",
    "within of two sets": "pq.within(np.repeat(crowd, 6, axis=0), crowd, 1.0)",
    "nms": "pq.nms(np.repeat(nested, 10, axis=0), np.zeros(200_000), 1.0)",
    "Index.query": "index.query(np.repeat(crowd, 6, axis=0))",
    "Index.query on two threads": "index.query(np.repeat(crowd, 6, axis=0), threads=2)",
    "Index.within": "index.within(np.repeat(crowd, 6, axis=0), 1.0)",
    "Index.nearest": "pq.Index(many, 'brute-force').nearest(crowd[:, :2].astype(float), 3)",
    "Index.cast": "pq.Index(many, 'brute-force').cast(many[:, :2].copy(), many[:, :2].copy())",
    "advise": "pq.advise(many[:100_000])",
    "encounters": "pq.encounters(**fixes, within=2.0)",
}


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize("name", SLOW)
def test_an_interrupt_ends_a_call(name: str) -> None:
    """A timer interrupts the call; how long that took is compared with what the machine takes for a like amount of work."""
    program = f"""
def interrupt(*_):
    global at
    at = time.perf_counter()
    raise KeyboardInterrupt

signal.signal(signal.SIGALRM, interrupt)
signal.setitimer(signal.ITIMER_REAL, 0.3)
try:
    {SLOW[name]}
except KeyboardInterrupt:
    print("interrupted")
else:
    print("ended by itself")
assert pq.pairs(crowd[:3]).shape == (2, 3) and index.query(crowd[:2]).shape == (2, 40_000), "all goes on"
"""
    assert run(program).stdout == "interrupted\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_reaches_a_call_and_ends_it_before_its_time() -> None:
    program = "print('begun', flush=True)\nindex = pq.Index(many[:200_000], 'brute-force')\nprint('asked', flush=True)\nindex.pairs()"
    child = subprocess.Popen([sys.executable, "-c", PREPARED + program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert [child.stdout.readline() for _ in range(2)] == ["begun\n", "asked\n"]
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    # All pairs by brute force would take minutes.
    _, error = child.communicate(timeout=120)
    assert error.rstrip().endswith("KeyboardInterrupt") and child.returncode != 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_a_handler_that_returns_lets_the_call_go_on_and_cannot_use_the_index() -> None:
    program = """
told = []

def handler(*_):
    try:
        index.move([0], crowd[:1])
    except RuntimeError as error:
        told.append(str(error))
    assert pq.Index(crowd[:3]).pairs().shape == (2, 3), "another index may be used"

signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
while not told:
    found = index.query(crowd[:600])
signal.setitimer(signal.ITIMER_REAL, 0)
assert found.shape == (2, 600 * 20_000)
index.move([0], crowd[:1])
print(told[0])
"""
    assert "a signal handler cannot use an index" in run(program).stdout


def test_other_threads_go_on_and_are_not_interrupted() -> None:
    """Handlers run on the main thread; a call on another is looked at all the same."""
    import threading

    found: list[int] = []
    crowd = np.zeros((12_000, 4), dtype=np.float32)
    threads = [threading.Thread(target=lambda: found.append(pq.pairs(crowd).shape[1])) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [12_000 * 11_999 // 2] * 3

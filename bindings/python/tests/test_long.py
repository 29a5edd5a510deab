"""Long calls: if memory runs out, there is a MemoryError and everything continues; Ctrl-C ends a call. Each runs in its own process."""

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import numpy as np
import pyquadrille as pq
import pytest
from calls import FRUGAL, LARGE, LARGE_SETUP, NEEDS, NOT_SMALL, SMALL, SMALL_SETUP, every_call, large_setup, of_name

IMPORTS = "import os, resource, signal, sys, time\n"


@pytest.mark.parametrize("cases", [{*SMALL, *NOT_SMALL}, LARGE], ids=["small", "large"])
def test_every_call_of_the_package_has_a_case(cases: set[str]) -> None:
    assert {of_name(label) for label in cases} == every_call()


def run(program: str, timeout: float = 300, setup: str = LARGE_SETUP) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([sys.executable, "-c", IMPORTS + setup + program], capture_output=True, text=True, timeout=timeout)
    assert done.returncode == 0, f"{done.returncode}: {done.stderr}"
    return done


# Runs the programs that it is given, each in a process of its own, which is forked from this one.
FORKS = """
import traceback

for line in sys.stdin:
    child = os.fork()
    if child == 0:
        signal.alarm(300)
        exit_code = 1
        try:
            exec(eval(line), globals())
            exit_code = 0
        except BaseException:
            traceback.print_exc(file=sys.stdout)
        finally:
            sys.stdout.flush()
            os._exit(exit_code)
    print("ended:", os.waitpid(child, 0)[1], flush=True)
"""


@pytest.fixture(scope="module")
def forks() -> Iterator[Callable[[str, str], str]]:
    """Runs a program after a setup, and returns what it prints. Most of the time goes to the setup, which is done once for all."""
    with ExitStack() as ends:

        @cache
        def parent(setup: str) -> subprocess.Popen[str]:
            pipe = subprocess.PIPE
            return ends.enter_context(subprocess.Popen([sys.executable, "-c", IMPORTS + setup + FORKS], stdin=pipe, stdout=pipe, text=True))

        def run_forked(program: str, setup: str) -> str:
            process = parent(setup)
            assert process.stdin and process.stdout
            print(repr(program), file=process.stdin, flush=True)
            printed = ""
            for line in process.stdout:
                if line.startswith("ended: "):
                    assert line == "ended: 0\n", f"{line}{printed}"
                    return printed
                printed += line
            raise AssertionError(f"the parent ended: {printed}")

        yield run_forked


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits memory so")
@pytest.mark.parametrize("label", LARGE)
def test_what_no_memory_holds_is_an_error(label: str, forks: Callable[[str, str], str]) -> None:
    """With ever more memory: an error, or an answer, and never the end of the process."""
    name = of_name(label)
    needed = NEEDS.get(name)
    if needed:
        pytest.importorskip(needed, reason=f"{needed} is not installed")
    program = f"""
{"import geopandas, shapely; frame = geopandas.GeoDataFrame(geometry=shapely.points(np.zeros((30_000, 2))))" if needed == "geopandas" else ""}
{"import matplotlib; matplotlib.use('Agg'); pq.Index(crowd[:3]).plot()" if needed == "matplotlib" else ""}
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
pq.pairs(crowd[:600], threads=2)
failed = 0
for more in (8, 20, 45, 80, 130, 200):
    resource.setrlimit(resource.RLIMIT_AS, (used + (more << 20), resource.RLIM_INFINITY))
    try:
        {LARGE[label]}
    except MemoryError as error:
        failed += 1
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert pq.pairs(crowd[:3]).shape == (2, 3) and index.query(crowd[:2]).shape == (2, 40_000), "all goes on"
print(failed)
"""
    failed = int(forks(program, large_setup(label)))
    assert failed > 0 or name in FRUGAL


# Calls of the system in this many calls of ours: none, but memory may be given back now and then.
CALLS, MAX = 100, 10


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="calls of the system are counted on Linux")
def test_a_small_call_makes_no_calls_of_the_system(tmp_path: Path) -> None:
    """To open a file costs as much as hundreds of small answers. Counted by strace; without it, only what is read."""
    program = f"""{SMALL_SETUP}
import os

def reads():
    return int(open("/proc/self/io").read().split("syscr: ")[1].split()[0])

for number, code in enumerate({list(SMALL.values())!r}):
    call = eval("lambda: " + code)
    [call() for _ in range(3)]
    before = reads()
    between = reads() - before
    before = reads()
    os.access(f"/begin/{{number}}/", 0)
    for _ in range({CALLS}):
        call()
    os.access(f"/end/{{number}}/", 0)
    print(reads() - before - between)
"""
    python, log = [sys.executable, "-c", program], tmp_path / "log"
    counted = ["strace", "-f", "-o", str(log)]
    if shutil.which("strace") and subprocess.run([*counted, "true"]).returncode == 0:
        subprocess.run([*counted, *python], check=True, capture_output=True)
        lines = log.read_text().splitlines()
        ends = [[row for row, line in enumerate(lines) if f'"/{end}/' in line] for end in ("begin", "end")]
        found = [end - begin - 1 for begin, end in zip(*ends, strict=True)]
    else:
        found = [int(count) for count in subprocess.run(python, check=True, capture_output=True, text=True).stdout.split()]
    assert len(found) == len(SMALL)
    assert {label: count for label, count in zip(SMALL, found) if count > MAX} == {}


# A call of each kind that takes many seconds.
SLOW = {
    "pairs": "pq.pairs(np.repeat(crowd, 6, axis=0))",
    "pairs on two threads": "pq.pairs(np.repeat(crowd, 6, axis=0), threads=2)",
    "pairs that are none": "pq.Index(many[:200_000], 'brute-force').pairs()",
    "within": "pq.within(np.repeat(crowd, 6, axis=0), 1.0)",
    "within of two sets": "pq.within(np.repeat(crowd, 6, axis=0), crowd, 1.0)",
    "within on the earth": "pq.within(np.repeat(spot, 6, axis=0), 1.0, metric='geodesic')",
    "neighbors": "pq.neighbors(np.repeat(crowd, 6, axis=0), 1.0)",
    "neighbors in a box": "pq.neighbors(np.repeat(spot, 6, axis=0), 1.0, box=9)",
    "NeighborList.update": "pq.NeighborList(1.0, 1.0).update(np.repeat(spot, 6, axis=0))",
    "nms": "pq.nms(np.repeat(nested, 10, axis=0), np.zeros(200_000), 1.0)",
    "Index.query": "index.query(np.repeat(crowd, 6, axis=0))",
    "Index.query on two threads": "index.query(np.repeat(crowd, 6, axis=0), threads=2)",
    "Index.within": "index.within(np.repeat(crowd, 6, axis=0), 1.0)",
    "Index.nearest": "pq.Index(many, 'brute-force').nearest(crowd[:, :2].astype(float), 3)",
    "Index.cast": "pq.Index(many, 'brute-force').cast(many[:, :2].copy(), many[:, :2].copy())",
    "advise": "pq.advise(many)",
    "encounters": "pq.encounters(**apart, within=2.0)",
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
    child = subprocess.Popen([sys.executable, "-c", IMPORTS + LARGE_SETUP + program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
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

"""Other packages' own tests, run through `pyquadrille.compat`.

The tests are those of the packages that are installed; nothing of them is kept here. What does not
apply is listed with the reason. A listed test that passes is a failure: the list is no longer true.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass
class Suite:
    """A file of tests, how it is made to use this package, and what does not apply."""

    package: str
    path: tuple[str, ...]
    changes: list[tuple[str, str]]
    # Names of tests by regular expression, and why they do not apply.
    exceptions: list[tuple[str, str]]
    # At least this many pass.
    passing: int


def installed(suite: Suite) -> Path | None:
    """The file of the installed package, if it is installed with its tests."""
    spec = importlib.util.find_spec(suite.package)
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).parent.joinpath(*suite.path)
    return file if file.exists() else None


SUITES = {
    "shapely": Suite(
        package="shapely",
        path=("tests", "test_strtree.py"),
        changes=[
            (r"from shapely import (.*)STRtree, ", r"from pyquadrille.compat import STRtree\nfrom shapely import \1"),
        ],
        exceptions=[
            (r"test_query_predicate_errors\[intersects-", "a line through NaN: GEOS answers otherwise when it has prepared it"),
        ],
        passing=700,
    ),
    "scipy": Suite(
        package="scipy",
        path=("spatial", "tests", "test_kdtree.py"),
        changes=[
            (r"from scipy.spatial import KDTree, ", "from pyquadrille.compat import KDTree\nfrom scipy.spatial import "),
            (r"for tree in \(KDTree, cKDTree\)", "for tree in (KDTree,)"),
            (r"\[KDTree, cKDTree\]", "[KDTree]"),
            # Our plane has two dimensions.
            (r"\b([mk]) = [345]\b", r"\1 = 2"),
            (r"size=\(100, 3\)", "size=(100, 2)"),
            (r"shape=\(([012]), 3\)", r"shape=(\1, 2)"),
            (r"np.nan for _ in range\(3\)", "np.nan for _ in range(2)"),
            (r"np.random.rand\(100, 4\)", "np.random.rand(100, 2)"),
            (r"np.random.randn\(100, 1\)", "np.random.randn(100, 2)"),
            (r"np.random.rand\(10, 2\).view", "np.random.rand(10, 4).view"),
        ],
        exceptions=[
            (r"^Test_random_KDTree::test_points_near$", "compares a distance with a square: holds in four dimensions, where nothing is near"),
            (r"Test_small_(nonleaf_)?KDTree|Test_vectorization_KDTree", "written out points of three dimensions"),
            (r"test_(short_knn|multithreaded_tree_access)\b", "points of three or four dimensions"),
            (r"test_kdtree_(weights|duplicated_inputs|noncumulative_nondecreasing)\b", "points of one dimension"),
            (r"test_kdtree_count_neighbors_weighted", "weights, and three dimensions"),
            (r"Test_random_ball_(far_)?periodic|Test_two_random_trees_(far_|linf_)?periodic", "worlds that wrap"),
            (r"test_kdtree_box\[|test_kdtree_(box_upper_bounds|pickle_boxsize)|test_immutable", "worlds that wrap"),
            (r"test_kdtree_(comparisons|tree_access)", "nodes of a k-d tree, of which there are none here"),
            (r"test_points_near_(l1|linf)\b|test_kdtree_box_0boxsize", "the nearest by other norms than the usual one, which are refused"),
            (r"test_ckdtree_parallel", "an error that scipy raises where Python cannot count the cores"),
        ],
        passing=80,
    ),
}

PLUGIN = """
import re
import pytest

EXCEPTIONS = {exceptions!r}


def pytest_collection_modifyitems(items):
    for item in items:
        for pattern, reason in EXCEPTIONS:
            if re.search(pattern, item.nodeid.split("::", 1)[1]):
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


def pytest_configure(config):
    for mark in ("fail_slow(seconds)", "thread_unsafe(reason)", "parallel_threads(n)"):
        config.addinivalue_line("markers", mark)
"""


@pytest.mark.parametrize("name", SUITES)
def test_suite(name: str, tmp_path: Path) -> None:
    suite = SUITES[name]
    file = installed(suite)
    if file is None:
        pytest.skip(f"the tests of {name} are not to be had: the package is not installed, or without them")
    text = file.read_text()
    for pattern, replacement in suite.changes:
        text, count = re.subn(pattern, replacement, text)
        assert count > 0, f"the tests of {name} are no longer as expected: {pattern}"
    (tmp_path / f"test_of_{name}.py").write_text(text)
    (tmp_path / "conftest.py").write_text(PLUGIN.format(exceptions=suite.exceptions))
    run = [sys.executable, "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "--tb=short"]
    ran = subprocess.run([*run, f"test_of_{name}.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    print(ran.stdout[-4000:])
    passed = re.search(r"(\d+) passed", ran.stdout)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]
    assert passed and int(passed[1]) >= suite.passing, "fewer tests than there were"
    print(f"{name}: {passed[1]} tests passed through the shim")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits memory so")
def test_pairs_are_counted_without_memory_for_all_of_them() -> None:
    program = """
import resource, numpy as np
from pyquadrille.compat import KDTree
tree = KDTree(np.random.default_rng(2).random((6000, 2)))
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (500 << 20), resource.RLIM_INFINITY))
assert tree.count_neighbors(tree, 2.0) == 6000**2 and tree.count_neighbors(tree, -1.0) == 0
assert tree.count_neighbors(tree, [2.0, 0.0]).tolist() == [6000**2, 6000]
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

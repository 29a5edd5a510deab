"""The README's examples, the notebook and the picture do what they say."""

import ast
import doctest
import importlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyquadrille as pq
import pytest
from oracle import random_boxes

HERE = Path(__file__).parent.parent


def test_the_docstring() -> None:
    assert doctest.testmod(pq).failed == 0


def examples() -> list[str]:
    """The README's blocks of Python."""
    return re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)


@pytest.mark.parametrize("number", range(len(examples())))
def test_an_example_of_the_readme(number: int) -> None:
    """It runs, and what comments behind statements say, `name = value; ...`, is so."""
    names: dict[str, Any] = {}
    checked, source = 0, examples()[number]
    for statement in ast.parse(source).body:
        exec(compile(ast.Module([statement], []), "README.md", "exec"), names)
        comment = source.splitlines()[(statement.end_lineno or 0) - 1].partition("#")[2]
        for name, value in re.findall(r"(\w+) = ([^;]+)", comment):
            assert np.asarray(names[name]).tolist() == ast.literal_eval(value), comment
            checked += 1
    assert checked > 0, "nothing to check"


def test_the_notebook(tmp_path: Path) -> None:
    """In a kernel of its own, as Jupyter runs it."""
    for package in ("nbclient", "ipykernel", "matplotlib", "geopandas"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    nbclient, nbformat = (importlib.import_module(name) for name in ("nbclient", "nbformat"))
    notebook = nbformat.read(HERE / "examples" / "tour.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert sum("image/png" in output.get("data", {}) for output in outputs) == 2
    printed = "".join(output.get("text", "") for output in outputs)
    for section in ("order", "pairs met", "of a building and a parcel", "with one cell blocked"):
        assert section in printed


def test_a_picture_in_one_line() -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    for structure in pq.STRUCTURES:
        index = pq.Index(random_boxes(200), structure)
        index.remove([3])
        axes = index.plot(pairs=True)
        by_label = {collection.get_label(): collection for collection in axes.collections}
        assert len(by_label["boxes"].get_segments()) == 199
        assert len(by_label["pairs"].get_segments()) == index.pairs().shape[1]
        low, high = axes.get_xlim()
        assert low <= index.boxes()[:, 0].min() and index.boxes()[:, 2].max() <= high
        pyplot.close("all")


def test_points_and_tiny_boxes_are_drawn_as_dots() -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    points, large = np.random.default_rng(3).random((300, 2)) * 100, [[20, 20, 60, 60], [10, 50, 90, 50]]
    boxes = np.vstack([np.hstack([points, points + 0.001]), large])
    for index, dots in ((pq.Index(points), 300), (pq.Index(boxes), 300), (pq.Index(boxes[300:]), 0)):
        axes = index.plot(nodes=False)
        by_label = {collection.get_label(): collection for collection in axes.collections}
        found = by_label["dots"].get_offsets() if dots else np.empty((0, 2))
        assert len(found) == dots
        np.testing.assert_allclose(found, points[: len(found)], atol=0.001)
        pyplot.close("all")

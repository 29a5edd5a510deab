"""The README's example, the notebook and the picture do what they say."""

import doctest
import json
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


def test_the_example_of_the_readme() -> None:
    readme = HERE / "README.md"
    if not readme.exists():
        pytest.skip("the README is not beside the tests")
    example = re.search(r"```python\n(.*?)```", readme.read_text(), re.DOTALL)
    assert example is not None
    names: dict[str, Any] = {}
    exec(example[1], names)
    assert sorted(zip(names["i"].tolist(), names["j"].tolist())) == [(0, 1), (1, 2)]
    assert (names["began"].T.tolist(), names["ended"].size) == ([[0, 1], [0, 2], [1, 2]], 0)
    assert np.vstack([names["rows"], names["ids"]]).shape[0] in (1, 2)


def test_the_notebook(tmp_path: Path, monkeypatch: Any) -> None:
    """Its cells one after the other, as a kernel would; without one, so that nothing needs a port."""
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    pytest.importorskip("geopandas", reason="geopandas is not installed")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((HERE / "examples" / "tour.ipynb").read_text())
    names: dict[str, Any] = {}
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 5
    for cell in cells:
        exec(cell, names)
    from matplotlib import pyplot

    assert len(pyplot.get_fignums()) == 2
    pyplot.close("all")


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

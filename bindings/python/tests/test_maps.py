"""Paths are of the least length there is, on maps that change."""

import pickle
from typing import Any

import hypothesis.extra.numpy as arrays
import numpy as np
import pyquadrille as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

DIAGONAL = np.sqrt(2.0)
maps = arrays.arrays(np.bool_, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=st.booleans())


def steps(free: Any, rule: str, x: int, y: int) -> Any:
    """The legal steps from a cell, with what they cost."""

    def is_free(x: int, y: int) -> bool:
        return 0 <= y < free.shape[0] and 0 <= x < free.shape[1] and bool(free[y, x])

    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            if (dx, dy) == (0, 0) or not is_free(x + dx, y + dy):
                continue
            if dx and dy:
                beside = is_free(x + dx, y) + is_free(x, y + dy)
                needed = {"octile": 2, "octile-one-side": 1, "octile-cutting": 0, "manhattan": 3}
                if beside < needed[rule]:
                    continue
            yield x + dx, y + dy, DIAGONAL if dx and dy else 1.0


def lengths_to(free: Any, rule: str, goal: tuple[int, int]) -> Any:
    """Bellman and Ford: from every cell, by relaxing until nothing changes."""
    lengths = np.full(free.shape, np.inf)
    if free[goal[1], goal[0]]:
        lengths[goal[1], goal[0]] = 0.0
    for _ in range(free.size):
        before = lengths.copy()
        for y, x in np.argwhere(free):
            for next_x, next_y, cost in steps(free, rule, x, y):
                lengths[y, x] = min(lengths[y, x], lengths[next_y, next_x] + cost)
        if (before == lengths).all():
            break
    return lengths


@pytest.mark.parametrize("rule", ["octile", "octile-cutting", "octile-one-side", "manhattan"])
@given(free=maps, data=st.data())
def test_paths_and_flow(rule: str, free: Any, data: Any) -> None:
    world = pq.PathMap(free, rule)
    assert world.shape == free.shape and world.rule == rule
    if data.draw(st.booleans()):
        patch = data.draw(arrays.arrays(np.bool_, free.shape, elements=st.booleans()))
        assert world.edit(0, 0, patch) == bool((patch != free).any())
        free = patch
    np.testing.assert_array_equal(world.free, free)
    cell = st.tuples(st.integers(0, free.shape[1] - 1), st.integers(0, free.shape[0] - 1))
    goal, starts = data.draw(cell), data.draw(st.lists(cell, min_size=1, max_size=4))
    expected = lengths_to(free, rule, goal)
    lengths, ways = world.flow(goal)
    np.testing.assert_allclose(lengths, expected, rtol=1e-12)
    ends, cells = world.paths(starts, [goal] * len(starts))
    for number, (x, y) in enumerate(starts):
        path, least = world.path((x, y), goal), expected[y, x]
        np.testing.assert_allclose(world.distance((x, y), goal), least, rtol=1e-12)
        assert world.is_reachable((x, y), goal) == np.isfinite(least)
        part = cells[ends[number] : ends[number + 1]]
        if path is None:
            assert least == np.inf and len(part) == 0
            continue
        np.testing.assert_array_equal(path, part)
        assert (path[0].tolist(), path[-1].tolist()) == ([x, y], list(goal))
        walked = 0.0
        for (x, y), to in zip(path, path[1:]):
            walked += next(cost for *cell, cost in steps(free, rule, x, y) if cell == to.tolist())
        np.testing.assert_allclose(walked, least, rtol=1e-12)
        x, y = path[0]
        for _ in range(len(path) - 1):
            x, y = np.array([x, y]) + ways[y, x]
        assert [x, y] == list(goal), "the field leads there in as many steps"


@pytest.mark.parametrize("rule", ["octile", "octile-cutting", "octile-one-side", "manhattan"])
@given(free=maps, data=st.data())
def test_walls_before_they_are_built(rule: str, free: Any, data: Any) -> None:
    world = pq.PathMap(free, rule)
    cell = st.tuples(st.integers(0, free.shape[1] - 1), st.integers(0, free.shape[0] - 1))
    (x, y), goal, starts = data.draw(cell), data.draw(cell), data.draw(st.lists(cell, max_size=4))
    width, height = data.draw(st.integers(1, free.shape[1] - x)), data.draw(st.integers(1, free.shape[0] - y))
    walled = free.copy()
    walled[y : y + height, x : x + width] = False
    now, then = lengths_to(free, rule, goal), lengths_to(walled, rule, goal)
    closed = [row for row, (x, y) in enumerate(starts) if np.isfinite(now[y, x]) and not np.isfinite(then[y, x])]
    assert world.would_close((x, y), (width, height), np.reshape(starts, (-1, 2)).astype(int), goal) == next(iter(closed), None)
    np.testing.assert_array_equal(world.free, free)

    apart = lengths_to(np.ones_like(free), rule, (x, y))
    for other, fits in ((None, free), (goal, np.isfinite(now))):
        found = world.nearest_free((x, y), connected_to=other)
        assert (found is None) == (not fits.any())
        if found is not None:
            assert fits[found[1], found[0]]
            np.testing.assert_allclose(apart[found[1], found[0]], apart[fits].min(), rtol=1e-12)

    least = now[y, x]
    for within in (least - 1e-6, least + 1e-6, least + 1):
        path = world.path((x, y), goal, within=within)
        assert (path is not None) == bool(np.isfinite(least) and least <= within)
        if path is not None:
            np.testing.assert_array_equal(path, world.path((x, y), goal))


def test_partial_paths_and_single_cells() -> None:
    free = np.ones((5, 9), dtype=bool)
    world = pq.PathMap(free)
    assert world.set([(4, y) for y in range(5)], False) and not world.set((4, 0), False)
    assert world.path((0, 2), (8, 2)) is None and world.distance((0, 2), (8, 2)) == np.inf
    path = world.path((0, 2), (8, 2), partial=True)
    assert path is not None and path[-1].tolist() == [3, 2]
    world.set((4, 2), True)
    assert world.distance((0, 2), (8, 2)) == 8.0


def test_a_pickled_map() -> None:
    free = np.random.default_rng(1).random((7, 5)) > 0.3
    for rule in ("octile", "manhattan"):
        twin = pickle.loads(pickle.dumps(pq.PathMap(free, rule)))
        assert twin.rule == rule
        np.testing.assert_array_equal(twin.free, free)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda m: m.path((0, 0), (9, 0)), IndexError, r"`goal`, row 0: cell \(9, 0\) is not on the map of 9 x 5 cells"),
        (lambda m: m.path((-1, 0), (0, 0)), IndexError, r"cell \(-1, 0\) is not on the map"),
        (lambda m: m.path((0.5, 0), (0, 0)), TypeError, "whole numbers"),
        (lambda m: m.path((0, 0, 0, 0), (0, 0)), ValueError, "one cell"),
        (lambda m: m.paths([(0, 0)], [(0, 0)] * 2), ValueError, "there are 1 starts and 2 goals"),
        (lambda m: m.set(np.zeros((2, 3), int), True), ValueError, r"shape \(2, 3\)"),
        (lambda m: m.edit(8, 0, np.ones((1, 2), bool)), IndexError, r"2 x 1 cells from \(8, 0\) on are not all on the map"),
        (lambda m: m.edit(-1, 0, np.ones((1, 2), bool)), IndexError, "not all on the map"),
        (lambda m: m.edit(2**62, 2**62, np.ones((1, 2), bool)), IndexError, "not all on the map"),
        (lambda m: m.edit(2**63 - 1, 0, np.ones((1, 2), bool)), IndexError, "not all on the map"),
        (lambda m: m.edit(0, 0, np.ones((6, 1), bool)), IndexError, "not all on the map"),
        (lambda m: m.edit(0, 0, np.ones((1, 2))), TypeError, "`free` is float64"),
        (lambda m: m.path((0, 0), (1, 0), partial=True, within=3), ValueError, "partial or within 3, but not both"),
        (lambda m: m.would_close((8, 0), (2, 1), [(0, 0)], (1, 0)), IndexError, r"2 x 1 cells from \(8, 0\) on are not all"),
        (lambda m: m.would_close((0, 0), (1, 1), [(0, 9)], (1, 0)), IndexError, "`starts`, row 0"),
        (lambda m: m.would_close((0, 0), (-1, 1), [(0, 0)], (1, 0)), OverflowError, "out of range"),
        (lambda m: m.nearest_free((9, 0)), IndexError, "`cell`, row 0"),
        (lambda m: m.nearest_free((0, 0), connected_to=(9, 0)), IndexError, "`connected_to`, row 0"),
        (lambda m: m.flow((2**40, 0)), IndexError, "is not on the map"),
        (lambda _: pq.PathMap(np.ones(5, bool)), TypeError, r"bool of shape \(5,\)"),
        (lambda _: pq.PathMap(np.ones((5, 9), bool), "king"), ValueError, "no rule is named king"),
        (lambda _: pq.PathMap(np.lib.stride_tricks.as_strided(np.ones(1, bool), (2**20, 2**20), (0, 0))), ValueError, "cells"),
    ],
)
def test_bad_maps(call: Any, error: type[Exception], message: str) -> None:
    world = pq.PathMap(np.ones((5, 9), dtype=bool))
    with pytest.raises(error, match=message):
        call(world)
    assert world.free.all()

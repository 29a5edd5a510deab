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
    for within in (max(least - 1e-6, 0), least + 1e-6, least + 1):
        path = world.path((x, y), goal, within=within)
        assert (path is not None) == bool(np.isfinite(least) and least <= within)
        if path is not None:
            np.testing.assert_array_equal(path, world.path((x, y), goal))


@pytest.mark.parametrize("rule", ["octile", "octile-cutting", "octile-one-side", "manhattan"])
@given(free=maps, data=st.data())
def test_what_units_run_into(rule: str, free: Any, data: Any) -> None:
    world = pq.PathMap(free, rule)
    cell = st.tuples(st.integers(0, free.shape[1] - 1), st.integers(0, free.shape[0] - 1))
    start, goal, others = data.draw(cell), data.draw(cell), data.draw(st.lists(cell, max_size=9))

    wall = world.first_wall(start, goal)
    if wall is not None:
        assert not free[wall[1], wall[0]]
    elif start != goal:
        # An agent of no width walks straight ahead.
        assert world.is_reachable(start, goal)
        taut = world.taut_path(start, goal)
        assert taut is not None and taut[1] == pytest.approx(np.hypot(goal[0] - start[0], goal[1] - start[1]))

    count, apart = data.draw(st.integers(0, 20)), data.draw(st.integers(0, 4))
    places = world.free_places(start, count, apart=apart, connected_to=goal)
    first = world.nearest_free(start, connected_to=goal)
    expected: list[tuple[int, int]] = []
    if first is not None:
        lengths = lengths_to(free, rule, first)
        for y, x in sorted(np.argwhere(np.isfinite(lengths)).tolist(), key=lambda yx: (round(lengths[tuple(yx)], 6), *yx)):
            if len(expected) < count and all(max(abs(x - a), abs(y - b)) >= apart for a, b in expected):
                expected.append((x, y))
    assert [tuple(place) for place in places.tolist()] == expected

    path = world.path(start, goal)
    if path is not None:
        crowded = free.copy()
        for x, y in others:
            crowded[y, x] = crowded[y, x] and (x, y) == start
        around, shortest = world.detour(path, np.reshape(others, (-1, 2)).astype(int), radius=9), lengths_to(crowded, rule, goal)
        if crowded[goal[1], goal[0]]:
            assert (around is None) == np.isinf(shortest[start[1], start[0]])
        if around is not None:
            assert tuple(around[0]) == start and crowded[around[:, 1], around[:, 0]].all()
            pq.PathWatch(pq.PathMap(crowded, rule), around)
            if crowded[goal[1], goal[0]]:
                length = np.hypot(*np.diff(around, axis=0).T).sum()
                np.testing.assert_allclose(length, shortest[start[1], start[0]], rtol=1e-12)

    links = [(*start, *other, 1) for other in others if other != start]
    goals = [goal, *others]
    found = world.nearest_linked(start, goals, np.reshape(links, (-1, 5)).astype(int))
    least = min((path[0] for path in each_linked(world, start, goals, links)), default=None)
    assert (found is None) == (least is None)
    if found is not None and least is not None:
        row, (legs, taken) = found
        assert tuple(legs[0][0]) == start and tuple(legs[-1][-1]) == goals[row]
        assert sum(np.hypot(*np.diff(leg, axis=0).T).sum() for leg in legs) + len(taken) == pytest.approx(least)


def each_linked(world: pq.PathMap, start: tuple[int, int], goals: Any, links: Any) -> Any:
    """The lengths of the paths to all goals that can be reached, one by one."""
    for goal in goals:
        found = world.linked_path(start, goal, np.reshape(links, (-1, 5)).astype(int))
        if found is not None:
            legs, taken = found
            yield sum(np.hypot(*np.diff(leg, axis=0).T).sum() for leg in legs) + len(taken), goal


@pytest.mark.parametrize("rule", ["octile", "octile-cutting", "octile-one-side", "manhattan"])
@given(free=maps, data=st.data())
def test_fields_whose_goals_begin_behind_their_cells(rule: str, free: Any, data: Any) -> None:
    world = pq.PathMap(free, rule)
    cell = st.tuples(st.integers(0, free.shape[1] - 1), st.integers(0, free.shape[0] - 1))
    goals = data.draw(st.lists(st.tuples(cell, st.integers(0, 12)), min_size=1, max_size=4))
    cells, starts = [goal for goal, _ in goals], [start for _, start in goals]
    each = np.array([lengths_to(free, rule, goal) for goal in cells])
    lengths, ways = world.flow(cells, starts=starts)
    np.testing.assert_allclose(lengths, (each + np.reshape(starts, (-1, 1, 1))).min(axis=0), rtol=1e-12)
    np.testing.assert_allclose(world.flow(cells)[0], each.min(axis=0), rtol=1e-12)
    for y, x in np.argwhere(np.isfinite(lengths)):
        next_x, next_y = np.array([x, y]) + ways[y, x]
        cost = {(to_x, to_y): cost for to_x, to_y, cost in steps(free, rule, x, y)}.get((next_x, next_y), 0.0)
        np.testing.assert_allclose(lengths[next_y, next_x] + cost, lengths[y, x], rtol=1e-12)
        assert cost > 0 or (x, y) in cells
    assert np.isinf(world.flow([])[0]).all(), "no goals, no paths"


@pytest.mark.parametrize("rule", ["octile", "octile-cutting", "octile-one-side", "manhattan"])
@given(free=maps, data=st.data())
def test_how_far_and_to_which_goal(rule: str, free: Any, data: Any) -> None:
    world = pq.PathMap(free, rule)
    cell = st.tuples(st.integers(0, free.shape[1] - 1), st.integers(0, free.shape[0] - 1))
    start, (x, y), budget = data.draw(cell), data.draw(cell), data.draw(st.floats(0, 12))
    width, height = data.draw(st.integers(1, free.shape[1] - x)), data.draw(st.integers(1, free.shape[0] - y))
    inside = np.zeros_like(free)
    inside[y : y + height, x : x + width] = True
    for within, part in (None, free), ((x, y, width, height), free & inside):
        costs = lengths_to(part, rule, start)
        if np.abs(costs - budget).min() < 1e-9:
            return  # Sums in another order may be on the other side.
        cells, found = world.reach(start, budget, within=within)
        rows, columns = np.nonzero(costs <= budget)
        np.testing.assert_array_equal(cells, np.column_stack([columns, rows]))
        np.testing.assert_allclose(found, costs[rows, columns], rtol=1e-12)

    goals, lengths = data.draw(st.lists(cell, max_size=4)), lengths_to(free, rule, start)
    nearest, least = world.nearest(start, np.reshape(goals, (-1, 2)).astype(int)), min((lengths[y, x] for x, y in goals), default=np.inf)
    assert (nearest is None) == np.isinf(least)
    if nearest is not None:
        place, path = nearest
        assert path[-1].tolist() == [*goals[place]]
        np.testing.assert_allclose(lengths[path[-1][1], path[-1][0]], least, rtol=1e-12)
        np.testing.assert_array_equal(path, world.path(start, goals[place]))


@pytest.mark.parametrize("rule", ["octile", "manhattan"])
@given(free=maps, cells=st.sampled_from([1, 5, 40, 10**6]), seed=st.integers(0, 99))
def test_what_is_made_in_slices_is_what_is_made_at_once(rule: str, free: Any, cells: int, seed: int) -> None:
    world, random = pq.PathMap(free, rule), np.random.default_rng(seed)
    goal, other = random.integers(free.shape[::-1], size=(2, 2))
    field, reach = world.begin_flow([goal], starts=[2]), world.begin_reach(goal, 7.5)
    for growing, whole in (field, lambda: world.flow([goal], starts=[2])), (reach, lambda: world.reach(goal, 7.5)):
        assert growing.go_on(world, 0) is None
        while (made := growing.go_on(world, cells)) is None:
            if random.random() < 0.3:
                world.set(other, bool(random.random() < 0.5))
        for one, expected in zip(made, whole(), strict=True):
            np.testing.assert_array_equal(one, expected)
        assert growing.go_on(world, cells) is None, "once only"


def test_taut_paths_turn_around_corners() -> None:
    free = np.ones((5, 9), dtype=bool)
    free[0:4, 4] = False
    taut = pq.PathMap(free).taut_path((1, 1), (7, 1))
    assert taut is not None
    points, length = taut
    np.testing.assert_array_equal(points, [[1.5, 1.5], [4, 4], [5, 4], [7.5, 1.5]])
    np.testing.assert_allclose(length, 2 * np.hypot(2.5, 2.5) + 1, rtol=1e-12)
    free[4, 4] = False
    assert pq.PathMap(free).taut_path((1, 1), (7, 1)) is None


@pytest.mark.parametrize("rule", ["octile", "octile-cutting", "octile-one-side", "manhattan"])
@given(free=maps, data=st.data())
def test_a_queue_answers_every_request_on_the_map_as_it_is(rule: str, free: Any, data: Any) -> None:
    world, queue = pq.PathMap(free, rule), pq.PathQueue()
    cell = st.tuples(st.integers(0, free.shape[1] - 1), st.integers(0, free.shape[0] - 1))
    asked: dict[int, tuple[tuple[int, int], tuple[int, int]]] = {}
    for _ in range(data.draw(st.integers(1, 9))):
        for start, goal, priority in data.draw(st.lists(st.tuples(cell, cell, st.integers(-1, 1)), max_size=4)):
            asked[queue.push(start, goal, priority=priority)] = (start, goal)
        if asked and data.draw(st.booleans()):
            gone = data.draw(st.sampled_from(sorted(asked)))
            assert queue.cancel(gone) and not queue.cancel(gone)
            del asked[gone]
        world.set(data.draw(cell), data.draw(st.booleans()))
        budget = data.draw(st.sampled_from([0, 1, 7, 10_000]))
        replies = queue.run(world, budget) if data.draw(st.booleans()) else queue.run_for(world, 0.0)
        for ticket, path in replies:
            np.testing.assert_array_equal(path, world.path(*asked.pop(ticket)))
        assert len(queue) == len(asked)
    for ticket, path in queue.run_for(world, np.inf):
        np.testing.assert_array_equal(path, world.path(*asked.pop(ticket)))
    assert not asked and len(queue) == 0


def test_urgent_requests_come_first() -> None:
    world, queue = pq.PathMap(np.ones((5, 9), dtype=bool)), pq.PathQueue()
    tickets = [queue.push((0, 0), (8, 4), priority=priority) for priority in (0, 5, -3, 5)]
    replies = queue.run(world, 1000)
    assert [ticket for ticket, _ in replies] == [tickets[place] for place in (1, 3, 0, 2)]
    assert all(path is not None and len(path) == 9 for _, path in replies)
    beyond = queue.push((0, 0), (900, 0))
    assert queue.run(world, 1000) == [(beyond, None)], "a cell off the map cannot be reached"


def test_only_paths_on_the_map_are_watched() -> None:
    world = pq.PathMap(np.array([[True, False, True], [True, True, True]]))
    for path in ([[2, 1], [3, 1]], [[7, 7]], [[1, 0]], [[0, 0], [1, 0]], [[0, 0], [1, 1]]):
        with pytest.raises(ValueError, match="the path is invalid on the map, at "):
            pq.PathWatch(world, path)


def test_fields_of_terrain_without_cells_have_none() -> None:
    terrain = pq.TerrainMap(np.zeros((0, 0), np.uint8))
    assert [part.shape for part in terrain.flow([], agent=(2, [0]))] == [(0, 0), (0, 0, 2)]


@pytest.mark.parametrize("rule", ["octile", "octile-cutting", "octile-one-side", "manhattan"])
@given(free=maps, data=st.data())
def test_a_watch_tells_where_a_path_is_broken(rule: str, free: Any, data: Any) -> None:
    world = pq.PathMap(free, rule)
    cell = st.tuples(st.integers(0, free.shape[1] - 1), st.integers(0, free.shape[0] - 1))
    start, goal = data.draw(cell), data.draw(cell)
    path = world.path(start, goal)
    if path is None:
        return
    watch, twin = pq.PathWatch(world, path), pq.PathWatch(world, path)
    assert watch.check(world) is None and watch.shorter(world, start) is None
    before = world.distance(start, goal)
    for place, is_free in data.draw(st.lists(st.tuples(cell, st.booleans()), max_size=6)):
        world.set(place, is_free)
    # The last cell to which all cells and steps before are still legal.
    free = world.free
    legal = [free[y, x] and [*to] in [[*near] for *near, _ in steps(free, rule, x, y)] for (x, y), to in zip(path, path[1:])]
    last = next((at for at, is_legal in enumerate(legal) if not is_legal), None if free[path[-1][1], path[-1][0]] else 0)
    assert watch.check(world) == (None if last is None else tuple(path[last]))
    if last is None:
        shorter, now = twin.shorter(world, start), world.distance(start, goal)
        assert (shorter is not None) == (now < before - 1e-9)
        if shorter is not None:
            np.testing.assert_array_equal(shorter, world.path(start, goal))


def test_partial_paths_and_single_cells() -> None:
    free = np.ones((5, 9), dtype=bool)
    world = pq.PathMap(free)
    assert world.set([(4, y) for y in range(5)], False) and not world.set((4, 0), False)
    assert world.path((0, 2), (8, 2)) is None and world.distance((0, 2), (8, 2)) == np.inf
    path = world.path((0, 2), (8, 2), partial=True)
    assert path is not None and path[-1].tolist() == [3, 2]
    world.set((4, 2), True)
    assert world.distance((0, 2), (8, 2)) == 8.0
    # Bools of numpy may be any bytes, of any stride.
    assert pq.PathMap(np.array([[0, 255], [2, 1]], np.uint8).view(bool).T).free.tolist() == [[False, True], [True, True]]


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
        (lambda m: m.first_wall((0, 0), (9, 0)), IndexError, "`goal`, row 0"),
        (lambda m: m.nearest_linked((0, 0), [(0, 5)], []), IndexError, "`goals`, row 0"),
        (lambda m: m.nearest_linked((0, 0), [(0, 4)], [(0, 0, 1, 1)]), ValueError, "links have"),
        (lambda m: m.free_places((9, 0), 3), IndexError, "`cell`, row 0"),
        (lambda m: m.free_places((0, 0), -1), OverflowError, "negative"),
        (lambda m: m.free_places((0, 0), 3, connected_to=(9, 0)), IndexError, "`connected_to`, row 0"),
        (lambda m: m.detour([(0, 0), (2, 0)], []), ValueError, r"cells \(0, 0\) and \(2, 0\) are not neighbors"),
        (lambda m: m.detour([(8, 0), (9, 0)], []), IndexError, "`path`, row 1"),
        (lambda m: m.detour([(0, 0)], [(9, 0)]), IndexError, "`obstacles`, row 0"),
        (lambda m: m.detour([(0, 0)], [], radius=-1), OverflowError, "radius|out of range|negative"),
        (lambda m: m.flow((2**40, 0)), IndexError, "is not on the map"),
        (lambda m: m.reach((9, 0), 3), IndexError, "`start`, row 0"),
        (lambda m: m.reach((0, 0), 3, within=(1, 0, 9, 1)), IndexError, r"9 x 1 cells from \(1, 0\) on are not all on the map"),
        (lambda m: m.reach((0, 0), 3, within=(0, 0, 1)), ValueError, "length 4"),
        (lambda m: m.reach((0, 0), float("nan")), ValueError, "a budget is zero or more, not NaN"),
        (lambda m: m.begin_reach((0, 0), -1), ValueError, "a budget is zero or more, not -1"),
        (lambda m: m.path((0, 0), (0, 0), within=-1), ValueError, "a length is zero or more, not -1"),
        (lambda m: m.nearest((0, 0), [(0, 5)]), IndexError, "`goals`, row 0"),
        (lambda m: m.taut_path((0, 0), (0, 5)), IndexError, "`goal`, row 0"),
        (lambda m: m.flow([(0, 0), (1, 0)], starts=[1]), ValueError, "there are 2 goals and 1 starts"),
        (lambda m: m.flow([(0, 0)], starts=[70000]), ValueError, "start 0: steps are a whole number from 0 to 65535, not 70000"),
        (lambda m: m.flow([(0, 0)], starts=[-1]), ValueError, "not -1"),
        (lambda m: m.flow([(0, 0)], starts=[0.5]), TypeError, "whole numbers"),
        (lambda m: m.begin_flow([(0, 0)], starts=[-1]), ValueError, "not -1"),
        (lambda m: m.begin_reach((9, 0), 3), IndexError, "`start`, row 0"),
        (lambda m: m.begin_reach((0, 0), 3).go_on(m, -1), OverflowError, "negative"),
        (lambda m: m.begin_reach((0, 0), 3).go_on(pq.TerrainMap(np.ones((1, 1), np.uint8)), 1), ValueError, "name the agents"),
        (lambda m: pq.PathWatch(m, [(0, 0), (2, 0)]), ValueError, r"`path`: the cells \(0, 0\) and \(2, 0\) are not neighbors"),
        (lambda m: pq.PathWatch(m, (0, -1)), IndexError, r"cell \(0, -1\) is not on"),
        (lambda m: pq.PathWatch(m, [(0, 0)]).shorter(m, (9, 0)), IndexError, "`cell`, row 0"),
        (lambda _: pq.PathQueue().push((0, 0), (-1, 0)), IndexError, "`goal`"),
        (lambda _: pq.PathQueue().push((0, 0, 1), (1, 0)), ValueError, "shape"),
        (lambda _: pq.PathQueue().push([(0, 0), (1, 1)], (1, 0)), ValueError, "`start` is one cell"),
        (lambda _: pq.PathQueue().push((0, 0), (1, 0), priority=2**31), OverflowError, "priority|out of range|convert"),
        (lambda m: pq.PathQueue().run(m, -1), OverflowError, "negative"),
        (lambda m: pq.PathQueue().run_for(m, float("nan")), ValueError, "`seconds` is zero or more, not NaN"),
        (lambda m: pq.PathQueue().run_for(m, -1), ValueError, "not -1"),
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


def cost_to(kinds: Any, agent: tuple[int, list[int]], weights: list[int], start: tuple[int, int]) -> Any:
    """Bellman and Ford: what it costs an agent of one size or more from one cell to every other."""
    size, walkable = agent
    height, width = kinds.shape
    free = np.zeros(kinds.shape, dtype=bool)
    weigh = np.ones(kinds.shape)
    for y in range(height - size + 1):
        for x in range(width - size + 1):
            under = kinds[y : y + size, x : x + size].ravel()
            free[y, x] = all(kind in walkable for kind in under)
            weigh[y, x] = max(weights[kind] if kind < len(weights) else 1 for kind in under)
    costs = np.full(kinds.shape, np.inf)
    if free[start[1], start[0]]:
        costs[start[1], start[0]] = 0.0
    for _ in range(free.size):
        before = costs.copy()
        for y, x in np.argwhere(free):
            for next_x, next_y, cost in steps(free, "octile", x, y):
                costs[next_y, next_x] = min(costs[next_y, next_x], costs[y, x] + cost * weigh[next_y, next_x])
        if (before == costs).all():
            break
    return costs


ground = arrays.arrays(np.uint8, st.tuples(st.integers(1, 8), st.integers(1, 8)), elements=st.integers(0, 3))


@given(kinds=ground, data=st.data())
def test_paths_on_terrain_are_cheapest(kinds: Any, data: Any) -> None:
    agents = [(1, [0, 1, 2]), (2, [0, 1, 3]), (1, [0, 3])]
    weights = data.draw(st.lists(st.integers(1, 5), max_size=4))
    world = pq.TerrainMap(kinds, agents[: data.draw(st.integers(0, 2))])
    if data.draw(st.booleans()):
        kinds = data.draw(arrays.arrays(np.uint8, kinds.shape, elements=st.integers(0, 3)))
        world.edit(0, 0, kinds)
    cell = st.tuples(st.integers(0, kinds.shape[1] - 1), st.integers(0, kinds.shape[0] - 1))
    if data.draw(st.booleans()):
        x, y = data.draw(cell)
        kinds = kinds.copy()
        assert world.set((x, y), 3) == bool(kinds[y, x] != 3)
        kinds[y, x] = 3
    if data.draw(st.booleans()):
        world.add_class(agents[2])
    np.testing.assert_array_equal(world.kinds, kinds)
    start, goals, budget = data.draw(cell), data.draw(st.lists(cell, min_size=1, max_size=3)), data.draw(st.floats(0, 20))
    for agent in agents:
        expected = cost_to(kinds, agent, weights, start)
        ends, cells, costs = world.paths([start] * len(goals), goals, agent=agent, weights=weights)
        least, ways = world.flow(goals, agent=agent, weights=weights)
        np.testing.assert_allclose(least[start[1], start[0]], np.min(costs), rtol=1e-12)
        growing = world.begin_flow(goals, agent=agent, weights=weights)
        while (made := growing.go_on(world, 9)) is None:
            pass
        np.testing.assert_array_equal(made[0], least)
        late = world.flow(goals, agent=agent, weights=weights, starts=range(len(goals)))[0]
        np.testing.assert_allclose(late[start[1], start[0]], np.min(costs + np.arange(len(goals))), rtol=1e-12)
        x, y = start
        for _ in range(kinds.size):
            x, y = x + int(ways[y, x, 0]), y + int(ways[y, x, 1])
        assert np.isinf(np.min(costs)) or (x, y) in goals
        for row, goal in enumerate(goals):
            cost = expected[goal[1], goal[0]]
            np.testing.assert_allclose(costs[row], cost, rtol=1e-12)
            found = world.path(start, goal, agent=agent, weights=weights)
            assert (found is not None) == np.isfinite(cost)
            if found is not None:
                np.testing.assert_allclose(found[1], cost, rtol=1e-12)
                assert tuple(found[0][0]) == start and tuple(found[0][-1]) == goal
            assert (ends[row + 1] > ends[row]) == np.isfinite(cost)
        assert len(cells) == ends[-1]
        reached, costs = world.reach(start, budget, agent=agent, weights=weights)
        nearby = world.begin_reach(start, budget, agent=agent, weights=weights)
        while (found_slowly := nearby.go_on(world, 9)) is None:
            pass
        np.testing.assert_array_equal(found_slowly[0], reached)
        far = {(int(x), int(y)): cost for (x, y), cost in zip(reached, costs, strict=True)}
        near = {(int(x), int(y)) for y, x in np.argwhere(expected < budget - 1e-9)}
        assert near <= far.keys() and all(expected[y, x] <= budget + 1e-9 for x, y in far)
        assert all(abs(expected[y, x] - cost) < 1e-9 for (x, y), cost in far.items())


@given(free=maps, data=st.data())
def test_paths_take_links(free: Any, data: Any) -> None:
    world = pq.PathMap(free)
    cell = st.tuples(st.integers(0, free.shape[1] - 1), st.integers(0, free.shape[0] - 1))
    link = st.tuples(cell, cell, st.integers(0, 9)).map(lambda link: (*link[0], *link[1], link[2]))
    links = data.draw(st.lists(link, max_size=4))
    start, goal = data.draw(cell), data.draw(cell)
    costs = np.full(free.shape, np.inf)
    costs[start[1], start[0]] = 0.0 if free[start[1], start[0]] else np.inf
    for _ in range(2 * free.size):
        before = costs.copy()
        for y, x in np.argwhere(free):
            for next_x, next_y, cost in steps(free, "octile", x, y):
                costs[next_y, next_x] = min(costs[next_y, next_x], costs[y, x] + cost)
        for x0, y0, x1, y1, cost in links:
            if free[y0, x0] and free[y1, x1]:
                costs[y1, x1] = min(costs[y1, x1], costs[y0, x0] + cost)
        if (before == costs).all():
            break
    found = world.linked_path(start, goal, np.array(links, dtype=np.int64).reshape(-1, 5))
    assert (found is not None) == np.isfinite(costs[goal[1], goal[0]])
    if found is not None:
        legs, taken = found
        assert len(legs) == len(taken) + 1
        walked = sum(np.hypot(*np.diff(leg, axis=0).T).sum() for leg in legs)
        crossed = sum(links[row][4] for row in taken)
        np.testing.assert_allclose(walked + crossed, costs[goal[1], goal[0]], rtol=1e-12)


@given(kinds=ground, data=st.data())
def test_cheapest_paths_take_links(kinds: Any, data: Any) -> None:
    agent = data.draw(st.sampled_from([(1, [0, 1, 2]), (2, [0, 1, 3])]))
    weights = data.draw(st.lists(st.integers(1, 5), max_size=4))
    # With a map of their own or without.
    world = pq.TerrainMap(kinds, data.draw(st.sampled_from([[], [agent]])))
    cell = st.tuples(st.integers(0, kinds.shape[1] - 1), st.integers(0, kinds.shape[0] - 1))
    link = st.tuples(cell, cell, st.integers(0, 9)).map(lambda link: (*link[0], *link[1], link[2]))
    links = data.draw(st.lists(link, max_size=3))
    start, goal = data.draw(cell), data.draw(cell)
    # From each far end of a link without others, as often as there are links.
    walks = {end: cost_to(kinds, agent, weights, end) for end in [start, *(to[2:4] for to in links)]}
    best = {start: 0.0}
    for _ in links:
        for x0, y0, x1, y1, cost in links:
            if np.isfinite(walks[x1, y1][y1, x1]):
                reached = min(far + walks[end][y0, x0] for end, far in best.items()) + cost
                best[x1, y1] = min(best.get((x1, y1), np.inf), reached)
    expected = min(far + walks[end][goal[1], goal[0]] for end, far in best.items())
    found = world.linked_path(start, goal, np.array(links).reshape(-1, 5), agent=agent, weights=weights)
    assert (found is not None) == np.isfinite(expected)
    if found is not None:
        (legs, taken), cost = found
        np.testing.assert_allclose(cost, expected, rtol=1e-12)
        assert len(legs) == len(taken) + 1
        assert tuple(legs[0][0]) == start and tuple(legs[-1][-1]) == goal
        for row, (leg, then) in enumerate(zip(legs, legs[1:], strict=False)):
            assert (*leg[-1], *then[0]) == links[taken[row]][:4]


def test_what_terrain_and_limits_refuse() -> None:
    kinds = np.zeros((5, 7), dtype=np.uint8)
    world = pq.TerrainMap(kinds, [(1, [0]), (2, [0, 1])])
    again = pickle.loads(pickle.dumps(world))
    assert again.classes == [(1, [0]), (2, [0, 1])] and again.shape == (5, 7) and again.rule == "octile"
    assert repr(world) == "<pyquadrille.TerrainMap of 7 x 5 cells>"
    calls: list[tuple[Any, str]] = [
        (lambda: pq.TerrainMap(kinds.astype(np.int64)), "`kinds` is int64"),
        (lambda: pq.TerrainMap(kinds, [(1, [64])]), "kinds from 0 to 63, not 64"),
        (lambda: world.path((0, 0), (7, 0), agent=(1, [0])), "is not on the map of 7 x 5 cells"),
        (lambda: world.path((0, 0), (6, 0), agent=(1, [0]), weights=[0]), "kind 0: a weight"),
        (lambda: world.paths([(0, 0)], [], agent=(1, [0])), "1 starts and 0 goals"),
        (lambda: world.linked_path((0, 0), (6, 0), [0, 0, 9, 0, 1], agent=(1, [0])), "link 0: `to`"),
        (lambda: world.edit(3, 3, kinds), "are not all on the map"),
    ]
    for wrong, told in calls:
        with pytest.raises((ValueError, TypeError, IndexError), match=told):
            wrong()
    comb = np.ones((40, 40), dtype=bool)
    comb[::2, 1:] = False
    comb[::4, 0], comb[::4, 39] = False, True
    free = pq.PathMap(comb)
    assert free.path((5, 1), (5, 37), corners=10_000) is not None
    with pytest.raises(RuntimeError, match="looked at 2 corners"):
        free.path((5, 1), (5, 37), corners=2)
    with pytest.raises(ValueError, match="partial or takes 2 corners, but not both"):
        free.path((5, 1), (5, 37), partial=True, corners=2)
    bad: list[Any] = [[1, 2, 3], [[0, 1, 40, 1, 2]], [[0, 1, 3, 1, -2]]]
    for links in bad:
        with pytest.raises((ValueError, IndexError), match="link"):
            free.linked_path((5, 1), (5, 37), links)

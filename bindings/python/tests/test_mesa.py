"""A client: mesa's Boid Flockers, whose space compares all boids with all others, over an index, to the last bit the same."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pyquadrille as pq
import pytest

pytest.importorskip("networkx", reason="mesa needs networkx")
mesa_spaces: Any = pytest.importorskip("mesa.experimental.continuous_space", reason="mesa is not installed")
boids: Any = pytest.importorskip("mesa.examples.basic.boid_flockers.model", reason="mesa has no Boid Flockers here")
BOIDS, STEPS = 300, 4


class IndexedSpace(mesa_spaces.ContinuousSpace):  # type: ignore[misc]
    """Finds neighbors in an index of the positions, which a boid updates when it moves."""

    index: pq.Index | None = None

    def get_agents_in_radius(self, point: Any, radius: float = 1) -> tuple[list[Any], Any]:
        """What the original finds, in its order. The world wraps: boids are looked for around nine images of the point."""
        if self.index is None or len(self.index) != len(self.agent_positions):
            self.index = pq.Index(np.array(self.agent_positions), "loose-grid")
        steps = np.array([[x, y] for x in (-1, 0, 1) for y in (-1, 0, 1)]) * self.size
        # A little more: the original decides.
        near = np.unique(self.index.within(np.asarray(point) + steps, radius * (1 + 1e-9))[1])
        distances, agents = self.calculate_distances(point, [self.active_agents[id] for id in near])
        is_near = distances <= radius
        return [agent for agent, near in zip(agents, is_near) if near], distances[is_near]

    def note(self, agent: Any) -> None:
        """A boid has moved."""
        if self.index is not None:
            self.index.move([self._agent_to_index[agent]], agent.position)


def run(monkeypatch: Any, space: Any) -> tuple[Any, float]:
    """Positions after some steps, and the processor time of them."""
    monkeypatch.setattr(boids, "ContinuousSpace", space)
    scenario = getattr(boids, "BoidsScenario", None)
    # Before mesa 3.5 there are no scenarios.
    model = boids.BoidFlockers(scenario(population_size=BOIDS, rng=7)) if scenario else boids.BoidFlockers(BOIDS, seed=7)
    step = boids.Boid.step

    def step_and_tell(boid: Any) -> None:
        step(boid)
        if isinstance(boid.space, IndexedSpace):
            boid.space.note(boid)

    monkeypatch.setattr(boids.Boid, "step", step_and_tell)
    start = time.process_time()
    for _ in range(STEPS):
        model.step()
    monkeypatch.undo()
    return np.array(model.space.agent_positions), time.process_time() - start


def test_boids_fly_the_same_way(monkeypatch: Any) -> None:
    expected, slow = run(monkeypatch, mesa_spaces.ContinuousSpace)
    found, fast = run(monkeypatch, IndexedSpace)
    np.testing.assert_array_equal(found, expected)
    print(f"{BOIDS} boids: {slow:.2f} s of processor time in mesa's space, {fast:.2f} s over an index")

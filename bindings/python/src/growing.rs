//! The classes `GrowingFlow` and `GrowingReach`: fields and reaches that are computed in slices.

use pyo3::prelude::*;
use quadrille_bindings::{Agent, Flow};
use quadrille_paths::{GrowingField, GrowingReach as Reaching};

use crate::arrays::{Arg, exception};
use crate::ground::{Flowing, Ground, Reached, reach_arrays};
use crate::maps::{PathMap, TerrainMap};
use crate::work::Lock;

/// A map of either kind.
#[derive(FromPyObject)]
enum AnyMap<'py> {
    Cells(Bound<'py, PathMap>),
    Terrain(Bound<'py, TerrainMap>),
}

impl AnyMap<'_> {
    fn ground(&self) -> &Ground {
        match self {
            Self::Cells(map) => map.get().ground(),
            Self::Terrain(map) => map.get().ground(),
        }
    }
}

/// A flow that is made in slices.
#[pyclass(frozen, module = "pyquadrille._core")]
pub(crate) struct GrowingFlow {
    field: Lock<GrowingField>,
    is_of_agents: bool,
}

impl GrowingFlow {
    pub(crate) fn begin(
        ground: &Ground,
        agent: Option<Agent>,
        goals: Arg<'_, '_>,
        starts: Option<Arg<'_, '_>>,
    ) -> PyResult<Self> {
        let (py, goals) = (goals.py(), ground.goals(goals, starts)?);
        let field = ground.read(py, |map| map.begin_field(agent.as_ref(), &goals, ground.size.bounds()))?;
        Ok(Self { field: field.into(), is_of_agents: agent.is_some() })
    }
}

#[pymethods]
impl GrowingFlow {
    fn go_on<'py>(&self, py: Python<'py>, map: AnyMap<'py>, cells: usize) -> PyResult<Option<Flowing<'py>>> {
        let ground = map.ground();
        let made = py.detach(|| {
            ground.look(|map| {
                let field =
                    self.field.write(|field| map.go_on_field(self.is_of_agents, field, cells).map_err(exception));
                field?.map(|field| Flow::of(&field, ground.size).map_err(exception)).transpose()
            })
        })?;
        made.map(|flow| ground.flow(py, flow)).transpose()
    }
}

/// What can be reached, found in slices.
#[pyclass(frozen, module = "pyquadrille._core")]
pub(crate) struct GrowingReach {
    reach: Lock<Reaching>,
    is_of_agents: bool,
}

impl GrowingReach {
    pub(crate) fn begin(
        ground: &Ground,
        agent: Option<Agent>,
        start: Arg<'_, '_>,
        budget: f64,
        within: Option<(i64, i64, u32, u32)>,
    ) -> PyResult<Self> {
        let (py, start, within) = (start.py(), ground.cell(start, "start")?, ground.within(within)?);
        let reach = ground.read(py, |map| map.begin_reach(agent.as_ref(), start, budget, within))?;
        Ok(Self { reach: reach.into(), is_of_agents: agent.is_some() })
    }
}

#[pymethods]
impl GrowingReach {
    fn go_on<'py>(&self, py: Python<'py>, map: AnyMap<'py>, cells: usize) -> PyResult<Option<Reached<'py>>> {
        let ground = map.ground();
        let go_on = |map: &quadrille_bindings::Ground| {
            self.reach.write(|reach| map.go_on_reach(self.is_of_agents, reach, cells).map_err(exception))
        };
        let found = py.detach(|| ground.look(go_on))?;
        found.map(|reach| reach_arrays(py, &reach)).transpose()
    }
}

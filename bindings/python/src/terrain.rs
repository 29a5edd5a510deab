//! The class `TerrainMap`.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use quadrille_bindings::{CellPaths, Error, Ground, MapSize, Weights, check_room_for_cells, class_of, weights_by_kind};
use quadrille_paths::{AgentClass, Cell, TerrainSet};

use crate::arrays::{exception, read_ids};
use crate::maps::{
    Flowing, Linked, Reached, cell_on, cells_array, cells_on, flow_arrays, legs_of, part_of, reach_arrays, read_links,
    read_map,
};
use crate::work::Lock;

/// A map of kinds of terrain, on which agents differ in size and in where they walk, and kinds in weight.
#[pyclass(frozen, module = "pyquadrille._core")]
pub(crate) struct TerrainMap {
    ground: Lock<Ground>,
    size: MapSize,
}

/// A size, and the kinds of terrain on which agents walk.
type Agent = (u32, Vec<i64>);

/// What a pickled map is restored from.
type Remade<'py> = (Bound<'py, PyArray2<u8>>, Vec<Agent>, &'static str);

#[pymethods]
impl TerrainMap {
    #[new]
    #[pyo3(signature = (kinds, classes=Vec::new(), rule="octile"))]
    fn new(py: Python<'_>, kinds: &Bound<'_, PyAny>, classes: Vec<Agent>, rule: &str) -> PyResult<Self> {
        let classes = classes.iter().map(class).collect::<PyResult<Vec<_>>>()?;
        let (kinds, [height, width]) = read_map(kinds, "kinds", "uint8")?;
        let size = MapSize { width, height };
        check_room_for_cells(size).map_err(exception)?;
        let kinds = rows_of(&kinds);
        let ground = py.detach(|| Ground::new(&kinds, size, rule, &classes)).map_err(exception)?;
        Ok(Self { ground: ground.into(), size })
    }

    #[pyo3(signature = (start, goal, *, agent, weights=None))]
    fn path<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        goal: &Bound<'py, PyAny>,
        agent: Agent,
        weights: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<(Bound<'py, PyArray2<i64>>, f64)>> {
        let ends = self.ends(start, goal)?;
        let (agent, weights) = (class(&agent)?, read_weights(weights)?);
        let found = self.change(py, |ground| ground.path(agent, &weights, ends))?;
        found.map(|(path, cost)| Ok((cells_array(py, path.cells().iter().copied())?, cost.as_f64()))).transpose()
    }

    #[pyo3(signature = (start, goal, links, *, agent, weights=None))]
    fn linked_path<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        goal: &Bound<'py, PyAny>,
        links: &Bound<'py, PyAny>,
        agent: Agent,
        weights: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<(Linked<'py>, f64)>> {
        let (ends, links) = (self.ends(start, goal)?, read_links(self.size, links)?);
        let (agent, weights) = (class(&agent)?, read_weights(weights)?);
        let found = self.change(py, |ground| ground.linked_path(agent, &weights, ends, &links))?;
        found.map(|(path, cost)| Ok((legs_of(py, &path)?, cost.as_f64()))).transpose()
    }

    #[expect(clippy::type_complexity, reason = "three arrays")]
    #[pyo3(signature = (starts, goals, *, agent, weights=None))]
    fn paths<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
        agent: Agent,
        weights: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<i64>>, Bound<'py, PyArray1<f64>>)> {
        let (starts, goals) = (self.cells(starts, "starts")?, self.cells(goals, "goals")?);
        if starts.len() != goals.len() {
            let message = format!("there are {} starts and {} goals", starts.len(), goals.len());
            return Err(PyValueError::new_err(message));
        }
        let (agent, weights) = (class(&agent)?, read_weights(weights)?);
        let (paths, costs) = self.change(py, |ground| {
            let (mut paths, mut costs) = (CellPaths::new(), Vec::new());
            for (start, goal) in starts.into_iter().zip(goals) {
                let found = ground.path(agent, &weights, (start, goal))?;
                paths.push(found.as_ref().map(|(path, _)| path.cells()));
                costs.push(found.map_or(f64::INFINITY, |(_, cost)| cost.as_f64()));
            }
            Ok((paths, costs))
        })?;
        let ends: Vec<i64> = paths.starts.into_iter().map(|start| start as i64).collect();
        Ok((ends.into_pyarray(py), cells_array(py, paths.cells.into_iter())?, costs.into_pyarray(py)))
    }

    #[pyo3(signature = (start, budget, *, agent, weights=None, within=None))]
    fn reach<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        budget: f64,
        agent: Agent,
        weights: Option<&Bound<'py, PyAny>>,
        within: Option<(i64, i64, u32, u32)>,
    ) -> PyResult<Reached<'py>> {
        let (start, within) = (cell_on(self.size, start, "start")?, part_of(self.size, within)?);
        let (agent, weights) = (class(&agent)?, read_weights(weights)?);
        let reach = self.look(py, |ground| {
            let reach = ground.map().reach(agent, &weights, (start, budget, within));
            reach.map_err(|error| Error::value(error.to_string()))
        })?;
        reach_arrays(py, &reach)
    }

    #[pyo3(signature = (goals, *, agent, weights=None))]
    fn flow<'py>(
        &self,
        py: Python<'py>,
        goals: &Bound<'py, PyAny>,
        agent: Agent,
        weights: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Flowing<'py>> {
        let goals = self.cells(goals, "goals")?;
        let (agent, weights) = (class(&agent)?, read_weights(weights)?);
        flow_arrays(py, self.look(py, |ground| ground.flow(agent, &weights, &goals))?, self.size)
    }

    fn set(&self, py: Python<'_>, cells: &Bound<'_, PyAny>, kind: u8) -> PyResult<bool> {
        let cells = self.cells(cells, "cells")?;
        self.change(py, |ground| {
            let changed = cells.iter().filter(|&&cell| ground.map_mut().set(cell, kind)).count();
            ground.map_mut().maintain();
            Ok(changed > 0)
        })
    }

    fn edit(&self, py: Python<'_>, x: i64, y: i64, kinds: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (kinds, [height, width]) = read_map(kinds, "kinds", "uint8")?;
        let rect = self.size.rect([x, y], [width, height]).map_err(exception)?;
        let kinds = rows_of(&kinds);
        self.change(py, |ground| {
            let is_changed = ground.map_mut().edit(rect, |cell| kinds[rect.index(cell)]);
            ground.map_mut().maintain();
            Ok(is_changed)
        })
    }

    fn add_class(&self, py: Python<'_>, agent: Agent) -> PyResult<()> {
        let agent = class(&agent)?;
        self.change(py, |ground| ground.map_mut().add_class(agent).map_err(|error| Error::value(error.to_string())))
    }

    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let all = self.size.bounds();
        let kinds =
            self.look(py, |ground| Ok(all.cells().filter_map(|cell| ground.map().terrain(cell)).collect::<Vec<_>>()))?;
        kinds.into_pyarray(py).reshape([self.size.height as usize, self.size.width as usize])
    }

    #[getter]
    fn classes(&self, py: Python<'_>) -> PyResult<Vec<Agent>> {
        let kinds = |class: AgentClass| (0..TerrainSet::KINDS).filter(move |kind| class.walkable.contains(*kind));
        self.look(py, |ground| {
            Ok(ground.map().classes().map(|class| (class.size, kinds(class).map(i64::from).collect())).collect())
        })
    }

    #[getter]
    fn shape(&self) -> (u32, u32) {
        (self.size.height, self.size.width)
    }

    #[getter]
    fn rule(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.look(py, |ground| Ok(ground.map().rule().name()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, Remade<'py>)> {
        let (py, map) = (slf.py(), slf.get());
        Ok((slf.get_type(), (map.kinds(py)?, map.classes(py)?, map.rule(py)?)))
    }

    fn __repr__(&self) -> String {
        format!("<pyquadrille.TerrainMap of {} x {} cells>", self.size.width, self.size.height)
    }
}

impl TerrainMap {
    fn look<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&Ground) -> Result<R, Error> + Send) -> PyResult<R> {
        py.detach(|| {
            check_room_for_cells(self.size).map_err(exception)?;
            self.ground.read(|ground| work(ground).map_err(exception))
        })
    }

    /// Locked for changes of the map, and for preparing paths.
    fn change<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Ground) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        py.detach(|| {
            check_room_for_cells(self.size).map_err(exception)?;
            self.ground.write(|ground| work(ground).map_err(exception))
        })
    }

    fn ends(&self, start: &Bound<'_, PyAny>, goal: &Bound<'_, PyAny>) -> PyResult<(Cell, Cell)> {
        Ok((cell_on(self.size, start, "start")?, cell_on(self.size, goal, "goal")?))
    }

    fn cells(&self, object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Cell>> {
        cells_on(self.size, object, name)
    }
}

fn class((size, walkable): &Agent) -> PyResult<AgentClass> {
    let bits = walkable.iter().try_fold(0, |bits, kind| {
        let fits = u8::try_from(*kind).ok().filter(|kind| *kind < TerrainSet::KINDS);
        let told = || PyValueError::new_err(format!("agents walk on kinds from 0 to 63, not {kind}"));
        Ok::<u64, PyErr>(bits | 1 << fits.ok_or_else(told)?)
    });
    Ok(class_of(*size, bits?))
}

fn read_weights(weights: Option<&Bound<'_, PyAny>>) -> PyResult<Weights> {
    let numbers = weights.map_or(Ok(Vec::new()), |weights| Ok::<_, PyErr>(read_ids(weights, "weights")?.0))?;
    weights_by_kind(&numbers).map_err(exception)
}

/// The kinds of a rectangle, row by row.
fn rows_of(kinds: &PyReadonlyArray2<'_, u8>) -> Vec<u8> {
    kinds.as_array().iter().copied().collect()
}

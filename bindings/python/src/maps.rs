//! The classes `PathMap` and `TerrainMap`, and what is made on them in slices.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use quadrille_bindings::{Agent, CellPaths, Error, Flow, check_amount, class_of, weights_by_kind};
use quadrille_paths::{AgentClass, GrowingField, GrowingReach as Reaching, PathLimits, Scratch, TerrainSet};

use crate::arrays::{Arg, exception, read_ids};
use crate::ground::{
    Cells, Flowing, Ground, Linked, Reached, Rect, cells_array, linked_arrays, reach_arrays, read_values,
};
use crate::work::Lock;

/// A map of free and blocked cells that finds shortest paths while it is edited. Cells are (x, y): column, row.
#[pyclass(frozen, module = "pyquadrille._core")]
pub(crate) struct PathMap(pub(crate) Ground);

/// The pickled form of a map.
type Remade<'py> = (Bound<'py, PyArray2<bool>>, &'static str);

/// Where the cells of each of many paths end, and the cells.
type Paths<'py> = (Bound<'py, PyArray1<i64>>, Cells<'py>);

#[pymethods]
impl PathMap {
    #[new]
    #[pyo3(signature = (free, rule="octile"))]
    fn new(free: Arg<'_, '_>, rule: &str) -> PyResult<Self> {
        Ground::new(free.py(), read_values::<bool>(free, "free", "bool")?, rule, None).map(Self)
    }

    #[pyo3(signature = (start, goal, *, partial=false, within=f64::INFINITY, corners=None))]
    fn path<'py>(
        &self,
        start: Arg<'_, 'py>,
        goal: Arg<'_, 'py>,
        partial: bool,
        within: f64,
        corners: Option<u64>,
    ) -> PyResult<Option<Cells<'py>>> {
        let (py, (start, goal)) = (start.py(), self.0.ends(start, goal)?);
        if within != f64::INFINITY || corners.is_some() {
            if partial {
                let limit = match corners {
                    Some(corners) if within == f64::INFINITY => format!("takes {corners} corners"),
                    _ => format!("within {within}"),
                };
                return Err(PyValueError::new_err(format!("a path is partial or {limit}, but not both")));
            }
            check_amount("length", within, within).map_err(exception)?;
            let limits = PathLimits { length: within, corners: corners.unwrap_or(u64::MAX) };
            let path = self.ask(py, |map, scratch| map.limited_path(start, goal, limits, scratch))?;
            let path = path.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            return path.map(|path| cells_array(py, path.cells().iter().copied())).transpose();
        }
        let cells = self.0.paths(py, None, (&[start], &[goal]), partial)?.cells;
        (!cells.is_empty()).then(|| cells_array(py, cells.into_iter())).transpose()
    }

    #[pyo3(signature = (starts, goals, *, partial=false))]
    fn paths<'py>(&self, starts: Arg<'_, 'py>, goals: Arg<'_, 'py>, partial: bool) -> PyResult<Paths<'py>> {
        let (py, starts, goals) = (starts.py(), self.0.cells(starts, "starts")?, self.0.cells(goals, "goals")?);
        Ok(paths_arrays(py, self.0.paths(py, None, (&starts, &goals), partial)?)?.0)
    }

    fn distance(&self, start: Arg<'_, '_>, goal: Arg<'_, '_>) -> PyResult<f64> {
        let (py, (start, goal)) = (start.py(), self.0.ends(start, goal)?);
        self.ask(py, |map, scratch| map.path(start, goal, scratch).map_or(f64::INFINITY, |path| path.length().as_f64()))
    }

    fn is_reachable(&self, start: Arg<'_, '_>, goal: Arg<'_, '_>) -> PyResult<bool> {
        let (py, (start, goal)) = (start.py(), self.0.ends(start, goal)?);
        self.ask(py, |map, _| map.is_reachable(start, goal))
    }

    fn would_close(
        &self,
        corner: Arg<'_, '_>,
        size: (u32, u32),
        starts: Arg<'_, '_>,
        goal: Arg<'_, '_>,
    ) -> PyResult<Option<usize>> {
        let (py, corner, starts) = (corner.py(), self.0.cell(corner, "corner")?, self.0.cells(starts, "starts")?);
        let (goal, at) = (self.0.cell(goal, "goal")?, [i64::from(corner.x), i64::from(corner.y)]);
        let rect = self.0.size.rect(at, size.into()).map_err(exception)?;
        self.0.change(py, |map| map.would_close(None, (rect, 0), &starts, goal))
    }

    #[pyo3(signature = (cell, *, connected_to=None))]
    fn nearest_free(&self, cell: Arg<'_, '_>, connected_to: Option<Arg<'_, '_>>) -> PyResult<Option<(u32, u32)>> {
        let (py, cell) = (cell.py(), self.0.cell(cell, "cell")?);
        let other = connected_to.map(|other| self.0.cell(other, "connected_to")).transpose()?;
        Ok(self.ask(py, |map, _| map.nearest_free(cell, other))?.map(|free| (free.x, free.y)))
    }

    fn nearest<'py>(&self, start: Arg<'_, 'py>, goals: Arg<'_, 'py>) -> PyResult<Option<(usize, Cells<'py>)>> {
        let (py, start, goals) = (start.py(), self.0.cell(start, "start")?, self.0.cells(goals, "goals")?);
        let found = self.ask(py, |map, scratch| map.nearest(start, &goals, scratch))?;
        found.map(|(goal, path)| Ok((goal, cells_array(py, path.cells().iter().copied())?))).transpose()
    }

    fn linked_path<'py>(
        &self,
        start: Arg<'_, 'py>,
        goal: Arg<'_, 'py>,
        links: Arg<'_, 'py>,
    ) -> PyResult<Option<Linked<'py>>> {
        Ok(self.0.linked_path(None, start, goal, links)?.map(|(path, _)| path))
    }

    fn nearest_linked<'py>(
        &self,
        start: Arg<'_, 'py>,
        goals: Arg<'_, 'py>,
        links: Arg<'_, 'py>,
    ) -> PyResult<Option<(usize, Linked<'py>)>> {
        let (py, start, goals) = (links.py(), self.0.cell(start, "start")?, self.0.cells(goals, "goals")?);
        let links = self.0.links(links)?;
        let found = self.ask(py, |map, scratch| map.nearest_linked(start, &goals, &links, scratch))?;
        found.map(|(goal, path)| Ok((goal, linked_arrays(py, &path)?))).transpose()
    }

    fn first_wall(&self, start: Arg<'_, '_>, goal: Arg<'_, '_>) -> PyResult<Option<(u32, u32)>> {
        let (py, ends) = (start.py(), self.0.ends(start, goal)?);
        Ok(self.0.read(py, |map| map.first_wall(None, ends))?.map(|wall| (wall.x, wall.y)))
    }

    #[pyo3(signature = (cell, count, *, apart=1, connected_to=None))]
    fn free_places<'py>(
        &self,
        cell: Arg<'_, 'py>,
        count: usize,
        apart: u32,
        connected_to: Option<Arg<'_, 'py>>,
    ) -> PyResult<Cells<'py>> {
        let (py, cell) = (cell.py(), self.0.cell(cell, "cell")?);
        let other = connected_to.map(|other| self.0.cell(other, "connected_to")).transpose()?;
        cells_array(py, self.ask(py, |map, _| map.free_places(cell, count, apart, other))?.into_iter())
    }

    #[pyo3(signature = (path, obstacles, *, radius=16))]
    fn detour<'py>(&self, path: Arg<'_, 'py>, obstacles: Arg<'_, 'py>, radius: u32) -> PyResult<Option<Cells<'py>>> {
        let (py, path, obstacles) = (path.py(), self.0.path(path)?, self.0.cells(obstacles, "obstacles")?);
        let around =
            self.0.search(py, None, |map, _, working| map.detour(None, (&path, &obstacles), radius, working))?;
        around.map(|path| cells_array(py, path.cells().iter().copied())).transpose()
    }

    #[pyo3(signature = (start, budget, *, within=None))]
    fn reach<'py>(&self, start: Arg<'_, 'py>, budget: f64, within: Option<Rect>) -> PyResult<Reached<'py>> {
        self.0.reach(None, start, budget, within)
    }

    fn taut_path<'py>(
        &self,
        start: Arg<'_, 'py>,
        goal: Arg<'_, 'py>,
    ) -> PyResult<Option<(Bound<'py, PyArray2<f64>>, f64)>> {
        let (py, (start, goal)) = (start.py(), self.0.ends(start, goal)?);
        let Some(path) = self.ask(py, |map, scratch| map.taut_path(start, goal, scratch))? else { return Ok(None) };
        let points: Vec<f64> = path.points().iter().flatten().copied().collect();
        Ok(Some((points.into_pyarray(py).reshape([path.points().len(), 2])?, path.length())))
    }

    fn set(&self, cells: Arg<'_, '_>, free: bool) -> PyResult<bool> {
        self.0.set(cells, free.into())
    }

    fn edit(&self, x: i64, y: i64, free: Arg<'_, '_>) -> PyResult<bool> {
        self.0.edit(free.py(), [x, y], read_values::<bool>(free, "free", "bool")?)
    }

    #[pyo3(signature = (goals, *, starts=None))]
    fn flow<'py>(&self, goals: Arg<'_, 'py>, starts: Option<Arg<'_, 'py>>) -> PyResult<Flowing<'py>> {
        self.0.field(None, goals, starts)
    }

    #[pyo3(signature = (goals, *, starts=None))]
    fn begin_flow(&self, goals: Arg<'_, '_>, starts: Option<Arg<'_, '_>>) -> PyResult<GrowingFlow> {
        GrowingFlow::begin(&self.0, None, goals, starts)
    }

    #[pyo3(signature = (start, budget, *, within=None))]
    fn begin_reach(&self, start: Arg<'_, '_>, budget: f64, within: Option<Rect>) -> PyResult<GrowingReach> {
        GrowingReach::begin(&self.0, None, start, budget, within)
    }

    #[getter]
    fn free<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let free: Vec<bool> = self.0.values(py)?.into_iter().map(|free| free != 0).collect();
        free.into_pyarray(py).reshape(self.0.shape())
    }

    #[getter]
    fn shape(&self) -> (u32, u32) {
        (self.0.size.height, self.0.size.width)
    }

    #[getter]
    fn rule(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.0.rule(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, Remade<'py>)> {
        let (py, map) = (slf.py(), slf.get());
        Ok((slf.get_type(), (map.free(py)?, map.rule(py)?)))
    }

    fn __repr__(&self) -> String {
        format!("<pyquadrille.PathMap of {} x {} cells>", self.0.size.width, self.0.size.height)
    }
}

impl PathMap {
    /// Reads the map. Called detached.
    pub(crate) fn look<R>(&self, work: impl FnOnce(&quadrille_paths::PathMap) -> PyResult<R>) -> PyResult<R> {
        self.0.look(|map| work(map.map(None).map_err(exception)?))
    }

    fn ask<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&quadrille_paths::PathMap, &mut Scratch) -> R + Send,
    ) -> PyResult<R> {
        self.0.search(py, None, |map, _, working| Ok(work(map.map(None)?, &mut working.scratch)))
    }
}

/// A map of kinds of terrain with weights, for agents of several sizes that walk on different kinds.
#[pyclass(frozen, module = "pyquadrille._core")]
pub(crate) struct TerrainMap(Ground);

/// A size, and the kinds of terrain on which agents walk.
type Class = (u32, Vec<i64>);

/// The pickled form of a map.
type RemadeTerrain<'py> = (Bound<'py, PyArray2<u8>>, Vec<Class>, &'static str);

#[pymethods]
impl TerrainMap {
    #[new]
    #[pyo3(signature = (kinds, classes=Vec::new(), rule="octile"))]
    fn new(kinds: Arg<'_, '_>, classes: Vec<Class>, rule: &str) -> PyResult<Self> {
        let classes = classes.iter().map(class).collect::<PyResult<Vec<_>>>()?;
        Ground::new(kinds.py(), read_values::<u8>(kinds, "kinds", "uint8")?, rule, Some(&classes)).map(Self)
    }

    #[pyo3(signature = (start, goal, *, agent, weights=None))]
    fn path<'py>(
        &self,
        start: Arg<'_, 'py>,
        goal: Arg<'_, 'py>,
        agent: Class,
        weights: Option<Arg<'_, 'py>>,
    ) -> PyResult<Option<(Cells<'py>, f64)>> {
        let (py, (start, goal), agent) = (start.py(), self.0.ends(start, goal)?, named(&agent, weights)?);
        let found = self.0.paths(py, agent, (&[start], &[goal]), false)?;
        let cells = found.cells.into_iter();
        (cells.len() > 0).then(|| Ok((cells_array(py, cells)?, found.lengths[0]))).transpose()
    }

    #[pyo3(signature = (start, goal, links, *, agent, weights=None))]
    fn linked_path<'py>(
        &self,
        start: Arg<'_, 'py>,
        goal: Arg<'_, 'py>,
        links: Arg<'_, 'py>,
        agent: Class,
        weights: Option<Arg<'_, 'py>>,
    ) -> PyResult<Option<(Linked<'py>, f64)>> {
        self.0.linked_path(named(&agent, weights)?, start, goal, links)
    }

    #[expect(clippy::type_complexity, reason = "three arrays")]
    #[pyo3(signature = (starts, goals, *, agent, weights=None))]
    fn paths<'py>(
        &self,
        starts: Arg<'_, 'py>,
        goals: Arg<'_, 'py>,
        agent: Class,
        weights: Option<Arg<'_, 'py>>,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Cells<'py>, Bound<'py, PyArray1<f64>>)> {
        let (py, starts, goals) = (starts.py(), self.0.cells(starts, "starts")?, self.0.cells(goals, "goals")?);
        let found = self.0.paths(py, named(&agent, weights)?, (&starts, &goals), false)?;
        let ((ends, cells), costs) = paths_arrays(py, found)?;
        Ok((ends, cells, costs))
    }

    #[pyo3(signature = (start, budget, *, agent, weights=None, within=None))]
    fn reach<'py>(
        &self,
        start: Arg<'_, 'py>,
        budget: f64,
        agent: Class,
        weights: Option<Arg<'_, 'py>>,
        within: Option<Rect>,
    ) -> PyResult<Reached<'py>> {
        self.0.reach(named(&agent, weights)?, start, budget, within)
    }

    #[pyo3(signature = (goals, *, agent, weights=None, starts=None))]
    fn flow<'py>(
        &self,
        goals: Arg<'_, 'py>,
        agent: Class,
        weights: Option<Arg<'_, 'py>>,
        starts: Option<Arg<'_, 'py>>,
    ) -> PyResult<Flowing<'py>> {
        self.0.field(named(&agent, weights)?, goals, starts)
    }

    #[pyo3(signature = (goals, *, agent, weights=None, starts=None))]
    fn begin_flow(
        &self,
        goals: Arg<'_, '_>,
        agent: Class,
        weights: Option<Arg<'_, '_>>,
        starts: Option<Arg<'_, '_>>,
    ) -> PyResult<GrowingFlow> {
        GrowingFlow::begin(&self.0, named(&agent, weights)?, goals, starts)
    }

    #[pyo3(signature = (start, budget, *, agent, weights=None, within=None))]
    fn begin_reach(
        &self,
        start: Arg<'_, '_>,
        budget: f64,
        agent: Class,
        weights: Option<Arg<'_, '_>>,
        within: Option<Rect>,
    ) -> PyResult<GrowingReach> {
        GrowingReach::begin(&self.0, named(&agent, weights)?, start, budget, within)
    }

    fn set(&self, cells: Arg<'_, '_>, kind: u8) -> PyResult<bool> {
        self.0.set(cells, kind)
    }

    fn edit(&self, x: i64, y: i64, kinds: Arg<'_, '_>) -> PyResult<bool> {
        self.0.edit(kinds.py(), [x, y], read_values::<u8>(kinds, "kinds", "uint8")?)
    }

    fn add_class(&self, py: Python<'_>, agent: Class) -> PyResult<()> {
        let agent = class(&agent)?;
        self.0.change(py, |map| map.add_class(agent))
    }

    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        self.0.values(py)?.into_pyarray(py).reshape(self.0.shape())
    }

    #[getter]
    fn classes(&self, py: Python<'_>) -> PyResult<Vec<Class>> {
        let kinds = |class: AgentClass| (0..TerrainSet::KINDS).filter(move |kind| class.walkable.contains(*kind));
        let named = |class: AgentClass| (class.size, kinds(class).map(i64::from).collect());
        self.0.read(py, |map| Ok::<_, Error>(map.terrain()?.classes().map(named).collect()))
    }

    #[getter]
    fn shape(&self) -> (u32, u32) {
        (self.0.size.height, self.0.size.width)
    }

    #[getter]
    fn rule(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.0.rule(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, RemadeTerrain<'py>)> {
        let (py, map) = (slf.py(), slf.get());
        Ok((slf.get_type(), (map.kinds(py)?, map.classes(py)?, map.rule(py)?)))
    }

    fn __repr__(&self) -> String {
        format!("<pyquadrille.TerrainMap of {} x {} cells>", self.0.size.width, self.0.size.height)
    }
}

/// The agents of a query.
fn named(class_named: &Class, weights: Option<Arg<'_, '_>>) -> PyResult<Option<Agent>> {
    let class = class(class_named)?;
    let numbers = weights.map_or(Ok(Vec::new()), |weights| Ok::<_, PyErr>(read_ids(weights, "weights")?.0))?;
    Ok(Some(Agent { class, weights: weights_by_kind(&numbers).map_err(exception)? }))
}

fn class((size, walkable): &Class) -> PyResult<AgentClass> {
    let bits = walkable.iter().try_fold(0, |bits, kind| {
        let fits = u8::try_from(*kind).ok().filter(|kind| *kind < TerrainSet::KINDS);
        let told = || PyValueError::new_err(format!("agents walk on kinds from 0 to 63, not {kind}"));
        Ok::<u64, PyErr>(bits | 1 << fits.ok_or_else(told)?)
    });
    Ok(class_of(*size, bits?))
}

/// The arrays of many paths, and their costs.
fn paths_arrays(py: Python<'_>, paths: CellPaths) -> PyResult<(Paths<'_>, Bound<'_, PyArray1<f64>>)> {
    let CellPaths { starts, cells, lengths } = paths;
    let ends: Vec<i64> = starts.into_iter().map(|start| start as i64).collect();
    Ok(((ends.into_pyarray(py), cells_array(py, cells.into_iter())?), lengths.into_pyarray(py)))
}

/// A map of either kind.
#[derive(FromPyObject)]
enum AnyMap<'py> {
    Cells(Bound<'py, PathMap>),
    Terrain(Bound<'py, TerrainMap>),
}

impl AnyMap<'_> {
    fn ground(&self) -> &Ground {
        match self {
            Self::Cells(map) => &map.get().0,
            Self::Terrain(map) => &map.get().0,
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
        within: Option<Rect>,
    ) -> PyResult<Self> {
        let (py, start, within) = (start.py(), ground.cell(start, "start")?, ground.within(within)?);
        check_amount("budget", budget, budget).map_err(exception)?;
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

//! The class `Index`.

use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyType};
use quadrille::snapshot::{SnapshotError, SnapshotErrorKind};
use quadrille::structures::StructureKind;
use quadrille::{Aabb, Layers, Scalar};
use quadrille_bindings::{self as core, Answers, AnyCollection as Collection, Call, Error, Nearest, Threads};

use crate::arrays::{
    Arg, Coordinate, Ids, Input, Returned, answers_array, boxes_array, collected, each, exception, ids_array, nan_rows,
    numpy, pairs_array, read, read_as, read_distances, read_ids, read_layers, read_seen, read_threads, starts_array,
    table,
};
use crate::chunks::PairChunks;
use crate::functions::advised;
use crate::work::{Lock, watched};

/// Boxes under ids, which can be added, moved and removed.
#[pyclass(frozen, module = "pyquadrille._core")]
pub(crate) struct Index {
    any: Any,
}

enum Any {
    F32(Lock<Collection<f32>>),
    F64(Lock<Collection<f64>>),
    I32(Lock<Collection<i32>>),
}

impl From<Collection<f32>> for Any {
    fn from(collection: Collection<f32>) -> Self {
        Self::F32(collection.into())
    }
}

impl From<Collection<f64>> for Any {
    fn from(collection: Collection<f64>) -> Self {
        Self::F64(collection.into())
    }
}

impl From<Collection<i32>> for Any {
    fn from(collection: Collection<i32>) -> Self {
        Self::I32(collection.into())
    }
}

/// Bytes that an index takes while it is restored, for each byte that it was written in, with room to spare.
const BYTES_PER_BYTE: usize = 16;

#[pymethods]
impl Index {
    #[new]
    #[pyo3(signature = (boxes, structure="frame-tree", *, skip_nan=false, layers=None, mask=None))]
    fn new(
        boxes: Arg<'_, '_>,
        structure: &str,
        skip_nan: bool,
        layers: Option<Arg<'_, '_>>,
        mask: Option<Arg<'_, '_>>,
    ) -> PyResult<Self> {
        let py = boxes.py();
        let kind: StructureKind = structure.parse().map_err(|error| PyValueError::new_err(format!("{error}")))?;
        if !skip_nan {
            return Self::of_all(boxes, kind, layers, mask);
        }
        let boxes = table(boxes, "boxes", true)?;
        let Some(is_nan) = nan_rows(&boxes)? else { return Self::of_all(&boxes, kind, layers, mask) };
        // Ids are rows: all are given out, and those of rows that are NaN are freed.
        let filled = boxes.call_method0("copy")?;
        filled.set_item(&is_nan, 0)?;
        let index = Self::of_all(&filled, kind, layers, mask)?;
        index.remove(&numpy(py)?.call_method1("flatnonzero", (is_nan,))?)?;
        Ok(index)
    }

    #[pyo3(signature = (boxes, *, layers=None, mask=None))]
    fn update(&self, boxes: Arg<'_, '_>, layers: Option<Arg<'_, '_>>, mask: Option<Arg<'_, '_>>) -> PyResult<()> {
        let py = boxes.py();
        each!(Any, &self.any, lock => {
            let boxes = read_like(lock, boxes, "boxes")?;
            let rows = boxes.rows()?;
            let layers = read_layers(layers, mask, rows.len())?;
            change(py, lock, |all| all.update(rows, layers.as_deref()))
        })
    }

    #[pyo3(name = "move")]
    fn set(&self, ids: Arg<'_, '_>, boxes: Arg<'_, '_>) -> PyResult<()> {
        let (py, (ids, _)) = (ids.py(), read_ids(ids, "ids")?);
        each!(Any, &self.any, lock => {
            let boxes = read_like(lock, boxes, "boxes")?;
            let rows = boxes.rows()?;
            change(py, lock, |all| all.set(&ids, rows))
        })
    }

    #[pyo3(signature = (boxes, *, layers=None, mask=None))]
    fn insert<'py>(
        &self,
        boxes: Arg<'_, 'py>,
        layers: Option<Arg<'_, 'py>>,
        mask: Option<Arg<'_, 'py>>,
    ) -> Returned<'py> {
        let py = boxes.py();
        each!(Any, &self.any, lock => {
            let boxes = read_like(lock, boxes, "boxes")?;
            let rows = boxes.rows()?;
            let layers = read_layers(layers, mask, rows.len())?;
            let ids = change(py, lock, |all| all.insert(rows, layers.as_deref()))?;
            Ok(if boxes.is_one() { ids[0].into_pyobject(py)?.into_any() } else { ids_array(py, &ids)?.into_any() })
        })
    }

    fn remove(&self, ids: Arg<'_, '_>) -> PyResult<()> {
        let (py, (ids, _)) = (ids.py(), read_ids(ids, "ids")?);
        each!(Any, &self.any, lock => change(py, lock, |all| all.remove(&ids)))
    }

    #[pyo3(signature = (ids, layers=None, mask=None))]
    fn set_layers(&self, ids: Arg<'_, '_>, layers: Option<Arg<'_, '_>>, mask: Option<Arg<'_, '_>>) -> PyResult<()> {
        let (py, (ids, _)) = (ids.py(), read_ids(ids, "ids")?);
        let layers = read_layers(layers, mask, ids.len())?.unwrap_or_else(|| vec![Layers::ALL; ids.len()]);
        each!(Any, &self.any, lock => change(py, lock, |all| all.set_layers(&ids, &layers)))
    }

    #[pyo3(signature = (ids=None))]
    fn layers<'py>(&self, py: Python<'py>, ids: Option<Arg<'_, 'py>>) -> Returned<'py> {
        let ids = ids.map(|ids| read_ids(ids, "ids")).transpose()?;
        let found = each!(Any, &self.any, lock => ask(py, lock, |all| match &ids {
            Some((ids, _)) => all.layers(ids),
            None => all.layers(&listed(all, |(id, _)| i64::from(id))?),
        }))?;
        let numbers = collected(2 * found.len(), found.iter().flat_map(|layers| [layers.own, layers.mask]))?;
        let array = numbers.into_pyarray(py).reshape([found.len(), 2])?;
        if ids.is_some_and(|(_, is_one)| is_one) { array.as_any().get_item(0) } else { Ok(array.into_any()) }
    }

    fn maintain(&self, py: Python<'_>) -> PyResult<()> {
        each!(Any, &self.any, lock => change(py, lock, |all| {
            all.check_room_to_maintain()?;
            all.maintain();
            Ok(())
        }))
    }

    #[pyo3(signature = (*, threads=1))]
    fn pairs<'py>(&self, py: Python<'py>, threads: i64) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let threads = read_threads(threads)?;
        let found =
            each!(Any, &self.any, lock => ask_long(py, lock, threads, |all, call| core::pairs_in(all.index(), call)))?;
        pairs_array(py, &found)
    }

    #[pyo3(signature = (chunk=1_000_000))]
    fn iter_pairs(slf: &Bound<'_, Self>, chunk: usize) -> PyResult<PairChunks> {
        if chunk == 0 {
            return Err(PyValueError::new_err("a chunk has at least one pair, not 0"));
        }
        let any = &slf.get().any;
        let (version, parts) = each!(Any, any, lock => ask(slf.py(), lock, |all| Ok((all.version(), all.parts()))))?;
        let index = slf.clone().unbind();
        let find = move |part, pairs: &mut Vec<_>| index.get().pairs_of_part(version, part, parts, pairs);
        Ok(PairChunks::new(chunk, parts, Box::new(find)))
    }

    #[expect(clippy::type_complexity, reason = "two arrays")]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyArray2<i64>>, Bound<'py, PyArray2<i64>>)> {
        let changes = each!(Any, &self.any, lock => change(py, lock, |all| {
            all.check_room_for_events()?;
            Ok(all.events())
        }))?;
        Ok((pairs_array(py, &changes.begin)?, pairs_array(py, &changes.end)?))
    }

    #[pyo3(signature = (boxes, *, layers=None, threads=1))]
    fn query<'py>(&self, boxes: Arg<'_, 'py>, layers: Option<Arg<'_, 'py>>, threads: i64) -> Returned<'py> {
        let (found, is_one) = self.overlapping(boxes, layers, threads)?;
        answers(boxes.py(), &found, is_one)
    }

    #[pyo3(signature = (boxes, *, layers=None, threads=1))]
    fn query_csr<'py>(
        &self,
        boxes: Arg<'_, 'py>,
        layers: Option<Arg<'_, 'py>>,
        threads: i64,
    ) -> PyResult<(Ids<'py>, Ids<'py>)> {
        let (py, (found, _)) = (boxes.py(), self.overlapping(boxes, layers, threads)?);
        Ok((starts_array(py, &found)?, ids_array(py, &found.ids)?))
    }

    #[pyo3(signature = (items, r, *, layers=None, return_distance=false, threads=1))]
    fn within<'py>(
        &self,
        py: Python<'py>,
        items: &Bound<'py, PyAny>,
        r: &Bound<'py, PyAny>,
        layers: Option<&Bound<'py, PyAny>>,
        return_distance: bool,
        threads: i64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (threads, seen, far) = (read_threads(threads)?, read_seen(layers)?, read_distances(r)?);
        each!(Any, &self.any, lock => {
            let items = read_like(lock, items, "items")?;
            let rows = items.rows()?;
            let found = ask_long(py, lock, threads, |all, call| {
                core::within_each(all.index(), rows, &far, seen, call)
            })?;
            let ids = answers(py, &found, items.is_one())?;
            if return_distance {
                Ok((ids, found.distances.into_pyarray(py)).into_pyobject(py)?.into_any())
            } else {
                Ok(ids)
            }
        })
    }

    #[pyo3(signature = (items, k=1, *, max_distance=None, layers=None, return_distance=true, threads=1))]
    fn nearest<'py>(
        &self,
        items: Arg<'_, 'py>,
        k: i64,
        max_distance: Option<f64>,
        layers: Option<Arg<'_, 'py>>,
        return_distance: bool,
        threads: i64,
    ) -> Returned<'py> {
        let (py, threads, seen) = (items.py(), read_threads(threads)?, read_seen(layers)?);
        let told = || PyValueError::new_err(format!("k is at least 1, not {k}"));
        let k = usize::try_from(k).ok().filter(|&k| k > 0).ok_or_else(told)?;
        // In scipy, infinity means that there is no limit.
        let limit = max_distance.filter(|&limit| limit != f64::INFINITY);
        each!(Any, &self.any, lock => {
            let items = read_like(lock, items, "items")?;
            let rows = items.rows()?;
            ask(py, lock, |all| check_k(k, all.slots()))?;
            check_memory(rows.len(), k)?;
            let (found, places) = ask_long(py, lock, threads, |all, call| {
                Ok((core::nearest(all.index(), rows, k, limit, seen, call)?, all.slots()))
            })?;
            let shape = [(!items.is_one()).then_some(rows.len()), (k > 1).then_some(k)];
            let shape: Vec<usize> = shape.into_iter().flatten().collect();
            let ids = shaped(places_array(py, &found, places)?.into_any(), &shape)?;
            if return_distance {
                let distances = shaped(found.ranks.into_pyarray(py).into_any(), &shape)?;
                Ok((distances, ids).into_pyobject(py)?.into_any())
            } else {
                Ok(ids)
            }
        })
    }

    #[pyo3(signature = (origins, directions, *, max_time=f64::INFINITY, layers=None, return_normal=false, threads=1))]
    fn cast<'py>(
        &self,
        origins: Arg<'_, 'py>,
        directions: Arg<'_, 'py>,
        max_time: f64,
        layers: Option<Arg<'_, 'py>>,
        return_normal: bool,
        threads: i64,
    ) -> Returned<'py> {
        let (py, threads, seen) = (origins.py(), read_threads(threads)?, read_seen(layers)?);
        each!(Any, &self.any, lock => {
            let (origins, directions) =
                (read_like(lock, origins, "origins")?, read_like(lock, directions, "directions")?);
            let (rows, vectors) = (origins.rows()?, directions.points("directions")?);
            if origins.is_one() != directions.is_one() {
                let (origins, directions) = (origins.dimensions()?, directions.dimensions()?);
                let told = format!("`origins` has the shape {origins}, but `directions` {directions}");
                return Err(PyValueError::new_err(told));
            }
            if rows.len() != vectors.len() / 2 {
                let (n, m) = (rows.len(), vectors.len() / 2);
                return Err(PyValueError::new_err(format!("there are {n} origins and {m} directions")));
            }
            let (found, places) = ask_long(py, lock, threads, |all, call| {
                Ok((core::cast(all.index(), rows, vectors, max_time, seen, call)?, all.slots()))
            })?;
            let rows_alone = [rows.len()];
            let shape: &[usize] = if origins.is_one() { &[] } else { &rows_alone };
            let ids = shaped(places_array(py, &found, places)?.into_any(), shape)?;
            let times = shaped(found.ranks.into_pyarray(py).into_any(), shape)?;
            if !return_normal {
                return Ok((ids, times).into_pyobject(py)?.into_any());
            }
            let normals: Vec<i8> = collected(2 * found.normals.len(), found.normals.into_iter().flatten())?;
            let normals = shaped(normals.into_pyarray(py).into_any(), &[shape, &[2]].concat())?;
            Ok((ids, times, normals).into_pyobject(py)?.into_any())
        })
    }

    #[pyo3(signature = (ids=None))]
    fn boxes<'py>(&self, py: Python<'py>, ids: Option<Arg<'_, 'py>>) -> Returned<'py> {
        let ids = ids.map(|ids| read_ids(ids, "ids")).transpose()?;
        each!(Any, &self.any, lock => {
            let found = ask(py, lock, |all| match &ids {
                Some((ids, _)) => all.boxes(ids),
                None => listed(all, |(_, bounds)| bounds),
            })?;
            let array = boxes_array(py, &found)?;
            let is_one = ids.is_some_and(|(_, is_one)| is_one);
            if is_one { array.as_any().get_item(0) } else { Ok(array.into_any()) }
        })
    }

    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Ids<'py>> {
        let ids = each!(Any, &self.any, lock => ask(py, lock, |all| listed(all, |(id, _)| id)))?;
        ids_array(py, &ids)
    }

    #[getter]
    fn places(&self, py: Python<'_>) -> PyResult<usize> {
        each!(Any, &self.any, lock => ask(py, lock, |all| Ok(all.slots())))
    }

    #[getter]
    fn structure(&self, py: Python<'_>) -> PyResult<&'static str> {
        each!(Any, &self.any, lock => ask(py, lock, |all| Ok(all.kind().name())))
    }

    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> Returned<'py> {
        numpy(py)?.call_method1("dtype", (self.dtype_name(),))
    }

    fn nodes<'py>(&self, py: Python<'py>) -> Returned<'py> {
        each!(Any, &self.any, lock => {
            let nodes = ask(py, lock, |all| core::nodes(all.index()))?;
            Ok(boxes_array(py, &nodes)?.into_any())
        })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = each!(Any, &self.any, lock => ask(py, lock, Collection::to_bytes))?;
        PyBytes::new_with(py, bytes.len(), |room| {
            room.copy_from_slice(&bytes);
            Ok(())
        })
    }

    #[classmethod]
    fn from_bytes(_: &Bound<'_, PyType>, py: Python<'_>, data: PyBackedBytes) -> PyResult<Self> {
        if !core::is_free(data.len().saturating_mul(BYTES_PER_BYTE)) {
            return Err(PyMemoryError::new_err(format!("there is no memory for an index of {} bytes", data.len())));
        }
        Ok(Self { any: py.detach(|| restored(&data)).map_err(|error| exception(error.into()))? })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let from_bytes = slf.py().get_type::<Self>().getattr("from_bytes")?;
        Ok((from_bytes, (slf.get().to_bytes(slf.py())?,)))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        each!(Any, &self.any, lock => ask(py, lock, |all| Ok(all.index().len())))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (len, structure, dtype) = (self.__len__(py)?, self.structure(py)?, self.dtype_name());
        Ok(format!("<pyquadrille.Index of {len} boxes, {dtype}, {structure}>"))
    }

    #[pyo3(signature = (ax=None, **style))]
    fn plot<'py>(
        slf: &Bound<'py, Self>,
        ax: Option<Arg<'_, 'py>>,
        style: Option<&Bound<'py, PyDict>>,
    ) -> Returned<'py> {
        slf.py().import("pyquadrille._plot")?.getattr("plot")?.call((slf, ax), style)
    }
}

impl Index {
    fn of_all(
        boxes: Arg<'_, '_>,
        kind: StructureKind,
        layers: Option<Arg<'_, '_>>,
        mask: Option<Arg<'_, '_>>,
    ) -> PyResult<Self> {
        let py = boxes.py();
        each!(Input, &read(boxes, "boxes")?, boxes => {
            let rows = boxes.rows()?;
            let layers = read_layers(layers, mask, rows.len())?;
            let any = py.detach(|| Collection::new(kind, rows, layers.as_deref()).map(Any::from));
            Ok(Self { any: any.map_err(|error| advised(py, exception(error)))? })
        })
    }

    /// For the iterator over chunks; called detached. Without a part, only the version is checked.
    fn pairs_of_part(&self, version: u64, part: Option<usize>, of: usize, pairs: &mut Vec<(u32, u32)>) -> PyResult<()> {
        each!(Any, &self.any, lock => lock.read(|all| {
            if all.version() != version {
                return Err(PyRuntimeError::new_err("the index changed during iter_pairs: call it again"));
            }
            part.map_or(Ok(()), |part| all.pairs_of_part(part, of, pairs)).map_err(exception)
        }))
    }

    fn overlapping(&self, boxes: Arg<'_, '_>, layers: Option<Arg<'_, '_>>, threads: i64) -> PyResult<(Answers, bool)> {
        let (py, threads, seen) = (boxes.py(), read_threads(threads)?, read_seen(layers)?);
        each!(Any, &self.any, lock => {
            let boxes = read_like(lock, boxes, "boxes")?;
            let rows = boxes.rows()?;
            Ok((ask_long(py, lock, threads, |all, call| core::query(all.index(), rows, seen, call))?, boxes.is_one()))
        })
    }

    fn dtype_name(&self) -> &'static str {
        match self.any {
            Any::F32(_) => f32::DTYPE,
            Any::F64(_) => f64::DTYPE,
            Any::I32(_) => i32::DTYPE,
        }
    }
}

/// An array of the type that an index keeps.
fn read_like<'py, S: Coordinate>(
    _: &Lock<Collection<S>>,
    object: Arg<'_, 'py>,
    name: &str,
) -> PyResult<crate::arrays::Array<'py, S>> {
    read_as(object, name)
}

/// Something of all boxes, in order of their ids.
fn listed<S: Scalar, T>(all: &Collection<S>, of: impl Fn((u32, Aabb<S>)) -> T) -> Result<Vec<T>, Error> {
    let mut list = core::room(all.index().len())?;
    list.extend(all.index().iter().map(of));
    Ok(list)
}

/// Queries while others may query too.
fn ask<S: Scalar, R: Send>(
    py: Python<'_>,
    lock: &Lock<Collection<S>>,
    work: impl FnOnce(&Collection<S>) -> Result<R, Error> + Send,
) -> PyResult<R> {
    py.detach(|| lock.read(|all| work(all).map_err(exception)))
}

/// Runs a query that may take long: signals are checked meanwhile.
fn ask_long<S: Scalar, R: Send>(
    py: Python<'_>,
    lock: &Lock<Collection<S>>,
    threads: Threads,
    work: impl FnOnce(&Collection<S>, Call<'_>) -> Result<R, Error> + Send,
) -> PyResult<R> {
    py.detach(|| lock.read(|all| watched(threads, |call| work(all, call).map_err(exception))))
}

/// Changes while no other thread reads or changes.
fn change<S: Scalar, R: Send>(
    py: Python<'_>,
    lock: &Lock<Collection<S>>,
    work: impl FnOnce(&mut Collection<S>) -> Result<R, Error> + Send,
) -> PyResult<R> {
    py.detach(|| lock.write(|all| work(all).map_err(exception)))
}

/// An index from bytes, whatever its type.
fn restored(bytes: &[u8]) -> Result<Any, SnapshotError> {
    // The header has the type: the right one is the one that is not rejected.
    let first = match Collection::<f32>::from_bytes(bytes) {
        Ok(all) => return Ok(all.into()),
        Err(error) => error,
    };
    if let Ok(all) = Collection::<f64>::from_bytes(bytes) {
        return Ok(all.into());
    }
    let is_other = first.kind() == SnapshotErrorKind::OtherType;
    Collection::<i32>::from_bytes(bytes).map(Any::from).map_err(|last| if is_other { last } else { first })
}

/// Only ids for one query, and (which query, which id) for several.
fn answers<'py>(py: Python<'py>, found: &Answers, is_one: bool) -> Returned<'py> {
    if is_one { Ok(ids_array(py, &found.ids)?.into_any()) } else { Ok(answers_array(py, found)?.into_any()) }
}

/// Ids; if there is no answer, the number of places, which is no box's id.
fn places_array<'py>(py: Python<'py>, found: &Nearest, places: usize) -> PyResult<Ids<'py>> {
    let id = |&id: &u32| if id == Nearest::NONE { places as i64 } else { i64::from(id) };
    Ok(collected(found.ids.len(), found.ids.iter().map(id))?.into_pyarray(py))
}

/// The same numbers in another shape; a plain number if there is no dimension.
fn shaped<'py>(array: Bound<'py, PyAny>, shape: &[usize]) -> Returned<'py> {
    if shape.is_empty() {
        return array.get_item(0);
    }
    array.call_method1("reshape", (pyo3::types::PyTuple::new(array.py(), shape)?,))
}

/// Checks that there is memory for `k` answers to each of `rows` queries, even if there are fewer boxes: distances, ids,
/// and the ids again in their final form. All of it is requested at once and returned, because running out of memory
/// midway would end the process.
fn check_memory(rows: usize, k: usize) -> PyResult<()> {
    const BYTES: usize = 8 + 4 + 8;
    let bytes = rows.checked_mul(k).and_then(|answers| answers.checked_mul(BYTES));
    let is_there = bytes.is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok());
    let message = || format!("k = {k} answers to each of {rows} rows do not fit in memory");
    if is_there { Ok(()) } else { Err(PyMemoryError::new_err(message())) }
}

fn check_k(k: usize, places: usize) -> Result<(), Error> {
    const MORE: usize = 1 << 16;
    if k > places + MORE {
        return Err(Error::value(format!("k = {k} is far more than there are boxes, {places}")));
    }
    Ok(())
}

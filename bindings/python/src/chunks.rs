//! All pairs of an index, a chunk at a time.

use std::sync::{Mutex, PoisonError};

use numpy::PyArray2;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::arrays::pairs_array;
use crate::index::Index;

/// What `Index.iter_pairs` gives.
#[pyclass(frozen, module = "pyquadrille._core")]
pub(crate) struct PairChunks {
    index: Py<Index>,
    chunk: usize,
    /// Of the index when the walk began.
    version: u64,
    parts: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    next_part: usize,
    /// Found and not yet given out, from `given` on.
    pairs: Vec<(u32, u32)>,
    given: usize,
}

impl PairChunks {
    pub(crate) fn new(index: Py<Index>, chunk: usize, version: u64, parts: usize) -> Self {
        Self { index, chunk, version, parts, state: Mutex::default() }
    }
}

#[pymethods]
impl PairChunks {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<i64>>>> {
        let index = self.index.get();
        // Both locks are taken detached, this one first; nobody takes them in the other order.
        let chunk = py.detach(|| {
            index.check_version(self.version)?;
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let State { next_part, pairs, given } = &mut *state;
            while pairs.len() - *given < self.chunk && *next_part < self.parts {
                pairs.drain(..core::mem::take(given));
                index.pairs_of_part(self.version, *next_part, self.parts, pairs)?;
                *next_part += 1;
            }
            let end = pairs.len().min(given.saturating_add(self.chunk));
            let chunk = pairs[*given..end].to_vec();
            *given = end;
            Ok::<_, PyErr>(chunk)
        })?;
        if chunk.is_empty() { Ok(None) } else { pairs_array(py, &chunk).map(Some) }
    }
}

/// The error for an index that changes between two chunks.
#[cold]
pub(crate) fn changed() -> PyErr {
    PyRuntimeError::new_err("the index changed while its pairs were walked through")
}

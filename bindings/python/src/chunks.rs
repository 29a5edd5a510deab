//! All pairs of an index, a chunk at a time.

use std::sync::{Mutex, PoisonError};

use numpy::PyArray2;
use pyo3::prelude::*;
use quadrille_bindings::room;

use crate::arrays::{exception, pairs_array};

/// Appends the pairs of a part, if one is named; an error if the index has changed since the walk began. Called
/// detached.
type Find = Box<dyn Fn(Option<usize>, &mut Vec<(u32, u32)>) -> PyResult<()> + Send + Sync>;

/// The result of `Index.iter_pairs`.
#[pyclass(frozen, module = "pyquadrille._core")]
pub(crate) struct PairChunks {
    find: Find,
    chunk: usize,
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
    pub(crate) fn new(chunk: usize, parts: usize, find: Find) -> Self {
        Self { find, chunk, parts, state: Mutex::default() }
    }
}

#[pymethods]
impl PairChunks {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<i64>>>> {
        // Both locks are taken detached, this one first; no code takes them in the other order.
        let chunk = py.detach(|| {
            (self.find)(None, &mut Vec::new())?;
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let State { next_part, pairs, given } = &mut *state;
            while pairs.len() - *given < self.chunk && *next_part < self.parts {
                pairs.drain(..core::mem::take(given));
                let had = pairs.len();
                // After an error, the next call finds this part again.
                (self.find)(Some(*next_part), pairs).inspect_err(|_| pairs.truncate(had))?;
                *next_part += 1;
            }
            let end = pairs.len().min(given.saturating_add(self.chunk));
            let mut chunk = room(end - *given).map_err(exception)?;
            chunk.extend_from_slice(&pairs[*given..end]);
            *given = end;
            Ok::<_, PyErr>(chunk)
        })?;
        if chunk.is_empty() { Ok(None) } else { pairs_array(py, &chunk).map(Some) }
    }
}

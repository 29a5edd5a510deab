//! quadrille for Python. The public interface is documented in `python/pyquadrille/_core.pyi`.
//!
//! | file | what it is for |
//! |---|---|
//! | `arrays` | numpy arrays in: type, shape and order checked; arrays out |
//! | `arrow` | arrays of other libraries, and for them, in place; all `unsafe` |
//! | `columns` | columns of Arrow tables for numpy, and tables of numpy's arrays |
//! | `geoarrow` | geometries in such arrays |
//! | `index` | the class `Index` |
//! | `chunks` | all pairs of an index, a chunk at a time |
//! | `functions` | pairs and more of arrays in one call |
//! | `neighbors` | lists of neighbors, and the class `NeighborList` |
//! | `ground` | what maps of cells and of terrain share |
//! | `maps` | the classes `PathMap`, `TerrainMap`, `GrowingFlow` and `GrowingReach` |
//! | `agents` | the classes `PathQueue` and `PathWatch` |
//! | `shapes` | joins of geometries |
//! | `tracks` | encounters of tracks |
//! | `work` | long calls: detached, stopped by signals; locks |
//!
//! **Threads.** Work is done detached from the interpreter. Locks are taken and released only while detached, and work
//! under a lock takes no other, so a thread that waits for a lock never keeps another from releasing it. Under a lock,
//! a thread attaches only to let signal handlers run; a handler that needs the same lock gets an exception (`work`).

mod agents;
mod arrays;
mod arrow;
mod chunks;
mod columns;
mod functions;
mod geoarrow;
mod ground;
mod index;
mod maps;
mod neighbors;
mod shapes;
mod tracks;
mod work;

/// The module, under the names that Python has for its parts.
#[pyo3::pymodule(gil_used = false)]
mod _core {
    use pyo3::prelude::*;
    use pyo3::types::IntoPyDict;

    #[pymodule_export]
    use crate::{
        agents::{PathQueue, PathWatch},
        chunks::PairChunks,
        columns::{ArrowColumn, ArrowTable, arrow_columns},
        functions::{advise, declutter, nms, pairs, within},
        index::Index,
        maps::{GrowingFlow, GrowingReach, PathMap, TerrainMap},
        neighbors::{NeighborList, neighbors},
        shapes::{Shapes, join_shapes, nearest_shapes},
        tracks::encounters,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        let forked = wrap_pyfunction!(crate::work::forked, module)?;
        // Without this function, nothing forks.
        if let Ok(register) = module.py().import("os")?.getattr("register_at_fork") {
            register.call((), Some(&[("after_in_child", forked)].into_py_dict(module.py())?))?;
        }
        module.add("STRUCTURES", crate::functions::structures(module.py())?)
    }
}

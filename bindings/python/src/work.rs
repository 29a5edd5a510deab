//! Long calls: detached from the interpreter, stopped by signals, and with locks that no signal handler waits for.

use std::cell::RefCell;
use std::sync::RwLock;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use quadrille_bindings::{Call, Error, Threads};

use crate::arrays::exception;

/// Does `work` detached, and now and then lets the handlers of signals run: if one raises, as that of Ctrl-C does, the
/// work ends and that is the exception.
///
/// Python runs handlers only on its main thread; elsewhere checking does nothing.
pub(crate) fn detached<R: Send>(
    py: Python<'_>,
    threads: Threads,
    work: impl FnOnce(Call<'_>) -> Result<R, Error> + Send,
) -> PyResult<R> {
    py.detach(|| watched(threads, |call| work(call).map_err(exception)))
}

/// The same for work that is detached already.
pub(crate) fn watched<R>(threads: Threads, work: impl FnOnce(Call<'_>) -> PyResult<R>) -> PyResult<R> {
    let raised = RefCell::new(None);
    let may_go_on = || {
        // Without an interpreter, while it ends for instance, no one waits for answers any more.
        let looked = Python::try_attach(|py: Python<'_>| py.check_signals());
        let goes_on = matches!(looked, Some(Ok(())));
        if let Some(Err(error)) = looked {
            raised.replace(Some(error));
        }
        goes_on
    };
    let found = work(Call::new(threads, &may_go_on));
    raised.into_inner().map_or(found, Err)
}

/// A lock that is only ever taken and given back by a detached thread.
///
/// While it is held, handlers of signals may run on the thread that holds it. One that needs the same lock would wait
/// for itself: it gets an exception.
pub(crate) struct Lock<T>(RwLock<T>);

thread_local! {
    /// The locks that this thread holds, by address.
    static HELD: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

impl<T> From<T> for Lock<T> {
    fn from(inner: T) -> Self {
        Self(RwLock::new(inner))
    }
}

impl<T> Lock<T> {
    /// Reads while others may read too. Called detached.
    pub(crate) fn read<R>(&self, work: impl FnOnce(&T) -> PyResult<R>) -> PyResult<R> {
        let _held = self.hold()?;
        work(&*self.0.read().map_err(|_| broken())?)
    }

    /// Changes while no other thread reads or changes. Called detached.
    pub(crate) fn write<R>(&self, work: impl FnOnce(&mut T) -> PyResult<R>) -> PyResult<R> {
        let _held = self.hold()?;
        work(&mut *self.0.write().map_err(|_| broken())?)
    }

    fn hold(&self) -> PyResult<Held> {
        let address = std::ptr::from_ref(self).addr();
        HELD.with_borrow_mut(|held| {
            if held.contains(&address) {
                let message = "a signal handler cannot use an index that its own thread is in the middle of a call of";
                return Err(PyRuntimeError::new_err(message));
            }
            held.push(address);
            Ok(Held)
        })
    }
}

/// A lock is held, the last of this thread.
struct Held;

impl Drop for Held {
    fn drop(&mut self) {
        HELD.with_borrow_mut(Vec::pop);
    }
}

/// A call panicked while it changed what is behind the lock: a mistake of this package.
#[cold]
fn broken() -> PyErr {
    PyRuntimeError::new_err("an earlier call failed in the middle of a change: make a new one")
}

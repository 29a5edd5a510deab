//! Long calls: detached from the interpreter, stopped by signals, and with locks that no signal handler waits for.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{PoisonError, RwLock, TryLockError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use quadrille_bindings::{Call, Error, Threads};

use crate::arrays::exception;

/// Does `work` detached, and lets signal handlers run now and then: if one raises, as that of Ctrl-C does, the work
/// ends with its exception.
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
        // Without an interpreter, for example while it ends, nobody waits for answers any more.
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

/// A lock that only detached threads take and release.
///
/// While it is held, signal handlers may run on the thread that holds it. A handler that needs the same lock would wait
/// for itself, so it gets an exception. So does a thread that would wait for one that a fork has left behind.
pub(crate) struct Lock<T> {
    inner: RwLock<T>,
    users: Users,
}

thread_local! {
    /// The locks that this thread holds, by address.
    static HELD: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

impl<T> From<T> for Lock<T> {
    fn from(inner: T) -> Self {
        Self { inner: inner.into(), users: Users::default() }
    }
}

impl<T> Lock<T> {
    /// Reads while others may read too. Called detached.
    pub(crate) fn read<R>(&self, work: impl FnOnce(&T) -> PyResult<R>) -> PyResult<R> {
        let _held = self.hold()?;
        work(&*self.enter(RwLock::try_read, RwLock::read)?)
    }

    /// Changes while no other thread reads or changes. Called detached.
    pub(crate) fn write<R>(&self, work: impl FnOnce(&mut T) -> PyResult<R>) -> PyResult<R> {
        let _held = self.hold()?;
        work(&mut *self.enter(RwLock::try_write, RwLock::write)?)
    }

    /// Changes if no other thread reads or changes now. Called detached.
    pub(crate) fn write_if_free(&self, work: impl FnOnce(&mut T)) {
        let Ok(_held) = self.hold() else { return };
        if let Ok(mut inner) = self.inner.try_write() {
            work(&mut inner);
        }
    }

    /// Takes the lock, at once or when other threads release it.
    fn enter<'a, G>(
        &'a self,
        at_once: impl FnOnce(&'a RwLock<T>) -> Result<G, TryLockError<G>>,
        wait: impl FnOnce(&'a RwLock<T>) -> Result<G, PoisonError<G>>,
    ) -> PyResult<G> {
        match at_once(&self.inner) {
            Ok(guard) => Ok(guard),
            Err(TryLockError::WouldBlock) if self.users.are_left_behind() => Err(left_behind()),
            Err(TryLockError::WouldBlock) => wait(&self.inner).map_err(|_| broken()),
            Err(TryLockError::Poisoned(_)) => Err(broken()),
        }
    }

    fn hold(&self) -> PyResult<Held<'_>> {
        let address = std::ptr::from_ref(self).addr();
        HELD.with_borrow_mut(|held| {
            if held.contains(&address) {
                let message = "a signal handler cannot use an index or a map during a call of it on the same thread";
                return Err(PyRuntimeError::new_err(message));
            }
            held.push(address);
            Ok(Held(self.users.enter()))
        })
    }
}

/// A held lock, the last of this thread.
struct Held<'a>(#[expect(dead_code, reason = "for its end")] User<'a>);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        HELD.with_borrow_mut(Vec::pop);
    }
}

/// How many forks lie between this process and the first: see [`forked`].
static FORKS: AtomicU32 = AtomicU32::new(0);

/// Called in the child of a fork: threads that were in the middle of calls do not exist in it.
#[pyfunction]
pub(crate) fn forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// Which threads hold a lock or wait for it.
#[derive(Default)]
struct Users {
    count: AtomicU32,
    /// When they were last counted from zero.
    forks: AtomicU32,
    /// Some of them were threads of a parent, and stay counted in the lock forever.
    are_left: AtomicBool,
}

/// Counts itself among the users until its end.
struct User<'a>(&'a Users);

impl Users {
    fn enter(&self) -> User<'_> {
        let forks = FORKS.load(Ordering::Relaxed);
        if self.forks.swap(forks, Ordering::Relaxed) != forks && self.count.swap(0, Ordering::Relaxed) > 0 {
            self.are_left.store(true, Ordering::Relaxed);
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        User(self)
    }

    fn are_left_behind(&self) -> bool {
        self.are_left.load(Ordering::Relaxed)
    }
}

impl Drop for User<'_> {
    fn drop(&mut self) {
        // A process that a signal handler has forked in the middle of a call no longer counts.
        let _ = self.0.count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| count.checked_sub(1));
    }
}

#[cold]
fn left_behind() -> PyErr {
    let message = "another thread was in the middle of a call when this process was forked: make a new index or map here, or fork \
                   before there are threads";
    PyRuntimeError::new_err(message)
}

/// A call panicked while it changed what is behind the lock: a mistake of this package.
#[cold]
fn broken() -> PyErr {
    PyRuntimeError::new_err("an earlier call failed in the middle of a change: make a new object")
}

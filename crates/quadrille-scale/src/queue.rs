//! Work that threads take from each other.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Numbers from 0, each of which one thread takes.
#[derive(Debug)]
pub(crate) struct Queue {
    next: AtomicUsize,
    end: usize,
}

impl Queue {
    pub(crate) const fn new(end: usize) -> Self {
        Self { next: AtomicUsize::new(0), end }
    }

    /// Does the work of all numbers that no other thread takes. After a failure, none are left for any thread.
    pub(crate) fn each<E>(&self, mut work: impl FnMut(usize) -> Result<(), E>) -> Result<(), E> {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.end {
                return Ok(());
            }
            work(number).inspect_err(|_| self.next.store(self.end, Ordering::Relaxed))?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_taken_once_and_none_after_a_failure() {
        let (queue, mut taken) = (Queue::new(5), Vec::new());
        let failed = queue.each(|number| {
            taken.push(number);
            if number == 2 { Err("two") } else { Ok(()) }
        });
        assert_eq!(failed, Err("two"));
        assert_eq!(queue.each(Err), Ok(()));
        assert_eq!(taken, [0, 1, 2]);
    }
}

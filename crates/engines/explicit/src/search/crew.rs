//! Work done side by side.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks what only one thread at a time asks for.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does the same work on so many threads, of which this is one; each is told its number.
pub(crate) fn together(threads: usize, work: impl Fn(usize) + Sync) {
    if threads <= 1 {
        return work(0);
    }
    std::thread::scope(|scope| {
        for number in 1..threads {
            let work = &work;
            scope.spawn(move || work(number));
        }
        work(0);
    });
}

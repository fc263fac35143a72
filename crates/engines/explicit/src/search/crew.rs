//! Work done side by side.

use std::sync::{Mutex, MutexGuard, PoisonError};

use model::Budget;

use crate::{Options, Technique};

/// Locks what only one thread at a time asks for.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What has so large a share of the memory that may be used is gone before anything else begins.
const SHARE: u64 = 16;

/// Gives so many bytes back, on a thread of its own if several may be used: for what a search has
/// filled, the system takes about a hundredth of the time of the search, and nobody has to wait
/// for that.
pub(crate) fn give_back<T: Send + 'static>(
    memory: T,
    bytes: u64,
    (options, budget): (&Options, &Budget),
) {
    let is_little = budget.memory.is_none_or(|limit| bytes <= limit / SHARE);
    let is_used = options.tuning.has(Technique::BackgroundFree);
    if options.jobs > 1 && is_little && is_used {
        // Where there is no thread to be had, it is given back here.
        let _ = std::thread::Builder::new().spawn(move || drop(memory));
    }
}

/// Does the same on so many threads, of which this is one; each is told its number.
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

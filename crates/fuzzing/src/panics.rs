//! Panics in any thread, as a finding that can be told from others: by the place that panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

/// Where something panicked, and what it said.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Panicked {
    /// File and line.
    pub place: String,
    /// The message.
    pub message: String,
}

static FIRST: Mutex<Option<Panicked>> = Mutex::new(None);
static HOOK: Once = Once::new();
/// Whether something is being watched; panics at other times are told as they always are.
static WATCHING: AtomicBool = AtomicBool::new(false);
/// One at a time: a panic of a thread that was started belongs to who is being watched.
static WATCHED: Mutex<()> = Mutex::new(());

/// Does something; gives the first panic in it, in whatever thread, although it was caught.
///
/// # Errors
/// The panic.
pub fn watch<T>(act: impl FnOnce() -> T) -> Result<T, Panicked> {
    HOOK.call_once(|| {
        let otherwise = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !WATCHING.load(Ordering::SeqCst) {
                otherwise(panic);
                return;
            }
            let place = panic
                .location()
                .map_or(String::new(), |at| format!("{}:{}", at.file(), at.line()));
            let message = panic.payload_as_str().unwrap_or_default().to_owned();
            let mut first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(Panicked { place, message });
        }));
    });
    let _alone = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    let take = || FIRST.lock().unwrap_or_else(PoisonError::into_inner).take();
    take();
    WATCHING.store(true, Ordering::SeqCst);
    let done = catch_unwind(AssertUnwindSafe(act));
    WATCHING.store(false, Ordering::SeqCst);
    match (done, take()) {
        (Ok(done), None) => Ok(done),
        (_, Some(panicked)) => Err(panicked),
        (Err(_), None) => Err(Panicked {
            place: "unknown".into(),
            message: String::new(),
        }),
    }
}

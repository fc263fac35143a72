//! When a failure that was found early does not wait any longer for the rest of its search
//! ([`Options::apart`](crate::Options::apart)).

/// What was found at so many states or fewer
const EARLY: u64 = 100_000;

/// does not wait for the rest when there are twice as many states, and at least so many.
const SOON: u64 = 10_000;

/// Whether what is found waits for the rest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Apart {
    /// It does.
    Never,
    /// Nothing is found yet.
    Nothing,
    /// It waits until there are so many states.
    At(u64),
    /// It does not wait any longer.
    Now,
}

impl Apart {
    /// The same when there are so many states.
    pub(super) fn at(self, states: u64, is_found: bool) -> Apart {
        match self {
            Apart::Nothing if is_found => match states {
                0..=EARLY => Apart::At(states.saturating_mul(2).max(SOON)),
                _ => Apart::Never,
            },
            Apart::At(most) if states >= most => Apart::Now,
            other => other,
        }
    }
}

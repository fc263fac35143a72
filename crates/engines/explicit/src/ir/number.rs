//! Numbers of things as values of the machine.

/// A number of things; there are never as many as 64 bits can count.
pub(crate) fn as_i64(n: usize) -> i64 {
    i64::try_from(n).expect("a length fits")
}

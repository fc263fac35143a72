//! What the tests of passes share: random programs, and slow verdicts straight from the
//! interpreter.

pub(crate) mod random;
pub(crate) mod show;
pub(crate) mod verdicts;

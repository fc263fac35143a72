//! Searches that are stopped and gone on with.

pub(crate) mod file;
pub(crate) mod resume;

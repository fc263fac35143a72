//! What a search has found: runs recovered from stored states, and what is left of it.

pub(crate) mod failure_classes;
pub(crate) mod parent_bits;
pub(crate) mod result;
pub(crate) mod trace;

//! From a state to its successors.

pub(crate) mod cache_cursor;
pub(crate) mod expander;
pub(crate) mod guard_tests;
pub(crate) mod local_expansion;
pub(crate) mod predicate_cache;
pub(crate) mod read_write_sets;
pub(crate) mod transition_cache;

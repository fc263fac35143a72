//! The machine that runs instructions: it makes macro steps, with all ways in which they can go on.

pub(crate) mod backtracking;
pub(crate) mod channel;
pub(crate) mod choice_log;
pub(crate) mod dependencies;
pub(crate) mod enabled;
pub(crate) mod event_lists;
pub(crate) mod inner_states;
pub(crate) mod long_branches;
pub(crate) mod machine;
pub(crate) mod pure_functions;
pub(crate) mod spawn;

//! The program as the engine sees it: where everything of a state lies, and the instructions that
//! read and write it.

pub(crate) mod capacity;
pub(crate) mod compile;
pub(crate) mod instruction;
pub(crate) mod layout;
pub(crate) mod number;
pub(crate) mod operands;
pub(crate) mod state_width;
pub(crate) mod stored_predicates;
pub(crate) mod write_set;

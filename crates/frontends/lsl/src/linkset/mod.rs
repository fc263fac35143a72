//! Objects of several scripts: what the scripts of a linkset have to know of each other, the file
//! that says which there are, and the program that they make together.
//!
//! Each script is a process of the one program, with a queue of its own for the messages that the
//! others send it; what the world does to a script it does as if that were alone. Where a handler
//! makes a call that another script can see, it is cut: there the others may act. `docs/lsl-linksets.md`
//! says what is followed and what is not.

mod claims;
pub(crate) mod file;
pub(crate) mod load;
pub(crate) mod loads;
pub(crate) mod member;
pub(crate) mod orders;
mod unasked;

pub(crate) use load::{Files, load};

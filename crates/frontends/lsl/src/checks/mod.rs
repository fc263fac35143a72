//! Checks that nobody has to write: what goes wrong with money in scripts as people write them.
//!
//! They are properties, written as their user could have written them. The engines answer them for
//! three scripts: a localized one with finitely many states, where what holds is proved, a finer one,
//! where a run is looked for that shows a failure, and the script itself, for what is open then.
//! `docs/lsl-checks.md` lists them.

mod counts;
mod draws;
mod insert;
mod levels;
mod mark;
mod money;
mod names;
mod part;
mod payer;
mod propose;
mod receipts;
mod share;
mod wraps;

pub use levels::annotated;
pub(crate) use levels::{
    Unasked, beside, hide_marks, localized, put_in_words, say_of_all, unasked, undecided,
};
pub(crate) use money::{Company, Sums, can_be_added, handles, pays};
pub(crate) use propose::propose;

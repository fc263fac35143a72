//! Localization: a script in which only what is easy to follow is followed.
//!
//! Scripts as people write them keep most of what they know in lists, texts and floats. A check
//! that nobody asked for has to answer soon, whatever the script is. So the script is replaced by
//! one that does all that it does, and perhaps more (Kurshan's localization, *Computer-Aided
//! Verification of Coordinating Processes*, 1994): integers, keys and texts that are copied are
//! kept, and of lists how long they are; what is in lists, floats, vectors and rotations are not, and
//! what is computed from them is [undecided](crate::ast::ExprKind::Undecided) at each reading. What
//! *holds* for it holds for the script. A failure that rests on an undecided value is a possible one.
//!
//! Effects stay, in their order: calls, changes of state, everything that may raise an error. A
//! loop whose end is not known goes round any number of times, and what it counts is not followed.

mod effects;
mod exact;
mod kept;
mod messages;
mod regions;
mod relevant;
mod rewrite;

pub(crate) use kept::{Variable, units, variable};
pub(crate) use messages::follow_messages;
pub(crate) use relevant::Seen;
pub(crate) use rewrite::localize;

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
//! How much is followed is a matter of [`Detail`]. The more is, the more can be proved, and the more states
//! there are.
//!
//! Effects stay, in their order: calls, changes of state, everything that may raise an error. A
//! loop whose end is not known goes round any number of times, and what it counts is not followed.

mod divisors;
mod effects;
mod exact;
mod kept;
mod messages;
mod regions;
mod relevant;
mod rewrite;

/// How closely the script is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detail {
    /// Integers as far as representatives stand for all; of what a global variable depends on, only what
    /// is copied to it.
    Coarse,
    /// Also the conditions under which integers are assigned to that are followed, and that local
    /// variables keep what is computed, whatever it is.
    Dependent,
    /// Integers as they are, and how long lists are.
    Fine,
}

impl Detail {
    /// Whether there are finitely many states.
    pub(crate) fn is_finite(self) -> bool {
        self != Detail::Fine
    }
}

pub(crate) use messages::follow_messages;
pub(crate) use relevant::Seen;
pub(crate) use rewrite::localize;

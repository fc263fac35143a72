//! What the world decides, and what is cut of it.
//!
//! A text that somebody says, a key, an answer, a clock: a *value from outside* has an origin (the
//! fact), a lifetime (what may change it) and a range (what it may be). It equals itself while
//! nothing may have changed it, and may equal anything of its range. Front ends choose it by a
//! [`Choice`](crate::Choice) that refers to an entry here, so that a verdict can name the value on
//! which it rests. `docs/world.md` argues why that loses nothing.
//!
//! Whatever of a range is left out goes through [`Program::cut`], which records who left it out.

use source::Span;

use crate::ids::{AssumptionId, OutsideId, PropertyId};
use crate::program::Program;
use crate::property::{Assumption, Origin};

/// A value that the world decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outside {
    /// The fact, for people: `the description of this object`.
    pub fact: String,
    /// Where the script asks for it.
    pub span: Span,
    /// How long it stays what it is.
    pub lifetime: Lifetime,
    /// Whether each value that is offered for it may really be, whatever was chosen before. If not
    /// (what an operation makes of a text that is not known to the letter), a run that depends on
    /// it may not exist, and is no counterexample; a *holds* covers all of them.
    pub exact: bool,
}

/// How long a value from outside stays what it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    /// It is new at each reading.
    Reading,
    /// Others may change it between macro steps, and while the script sleeps; within a step it stays
    /// what it was when it was first read or what the script has made it.
    Step,
    /// It stays until an event or a call of the script changes it.
    Event,
    /// It stays for ever.
    Run,
}

/// A restriction of what the world may do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    /// A sentence that completes "assuming that".
    pub text: String,
    /// Who made it.
    pub by: CutBy,
    /// Where it is written, or what it restricts.
    pub span: Span,
    /// The properties that it touches; `None`: all.
    pub properties: Option<Vec<PropertyId>>,
}

/// Who cuts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CutBy {
    /// The file or the command line: within it a *holds* is
    /// [`Strength::Exhausted`](crate::Strength::Exhausted).
    Stated,
    /// Probity itself: a property that it touches never *holds*.
    Default,
}

impl Program {
    /// Records a cut. A cut that is in use never ends as
    /// [`Strength::Proved`](crate::Strength::Proved).
    pub fn cut(&mut self, cut: Cut) -> AssumptionId {
        self.add_assumption(Assumption {
            text: cut.text,
            origin: match cut.by {
                CutBy::Stated => Origin::Bound,
                CutBy::Default => Origin::Narrowed,
            },
            properties: cut.properties,
            span: cut.span,
        })
    }

    /// Whether a choice may offer values that cannot occur.
    #[must_use]
    pub fn is_undecided(&self, outside: Option<OutsideId>) -> bool {
        outside.is_some_and(|id| !self.outside[id.index()].exact)
    }
}

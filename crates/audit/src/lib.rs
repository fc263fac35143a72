//! Checks inductive invariants, on the program as it was before any pass, with an encoder and a
//! solver of its own.
//!
//! Whoever says that nothing bad can be reached gives an [`Invariant`]: a formula that holds in
//! the initial states, that every move keeps, and that rules out what is bad (Floyd 1967). Those
//! three are checked here, move by move, by symbolic execution into clauses (King 1976). Nothing
//! is shared with the engine that found the invariant but the solver, and that is not trusted:
//! whatever it says cannot be satisfied, it proves line by line, and each line is checked
//! ([`Recheck`]).
//!
//! ```
//! use audit::{Atom, Invariant, Variable, audit};
//! use model::*;
//!
//! // A byte that counts in twos is never odd.
//! let byte = Type::Int { bits: 8, signed: false };
//! let mut program = Program::new("twos", "none");
//! let n = program.add_global(model::Variable::new("n", byte.clone()));
//! let load = program.exprs.load(Place::global(n), byte.clone());
//! let two = program.exprs.int(2, byte.clone());
//! let more = program.exprs.binary(Binary::Add, load, two);
//! let mut process = Process::new("count");
//! let at = process.add_location("loop", Mode::Open, source::Span::NONE);
//! let mut step = Step::new(at, at, source::Span::NONE);
//! step.body.push(Stmt::Assign(Place::global(n), more));
//! process.add_step(step);
//! let process = program.add_process(process);
//! program.start.push(Start { process, args: vec![] });
//! let one = program.exprs.int(1, byte);
//! let bad = program.exprs.binary(Binary::Eq, load, one);
//!
//! let lowest = Atom::Bit { variable: Variable::Global(n), path: vec![], bit: 0 };
//! let even = Invariant::of_clauses([vec![(lowest.clone(), false)]]);
//! let bad = Bad::State(bad);
//! assert!(audit(&program, &bad, &even, &Budget::default()).is_ok());
//! let odd = Invariant::of_clauses([vec![(lowest, true)]]);
//! assert!(audit(&program, &bad, &odd, &Budget::default()).is_err());
//! ```

mod all_runs;
mod conclusions;
mod conditions;
mod crowd;
mod definitions;
mod differences;
mod expression;
mod gates;
mod individuals;
mod interleaving;
mod invariant;
mod liveness;
mod lrat;
mod mathematical_integers;
mod monitors;
mod number;
mod planes;
mod rechecked;
mod rules;
mod runs_of_structures;
mod sharpening;
mod sources;
mod state;
mod structures;
mod symbol;
mod symbolic_execution;
mod synchronous;
mod terms;
mod unwritten;
mod ways_after;

use std::collections::BTreeSet;
use std::sync::Arc;

use model::{Bad, Budget, Composition, ExprId, GlobalId, Program};
use thiserror::Error;

pub use all_runs::audit_all_runs;
pub use invariant::{Atom, Fact, Invariant, Variable};
pub use liveness::{Monitor, Often, Reduction, RunAtom, RunInvariant, audit_runs};
pub use rechecked::{Recheck, Rechecked};
pub use structures::{Closed, check_structures};
pub use symbol::MATHINT as MATHINT_BITS;

use interleaving::{Asked, Obligations};

/// Why an invariant is not believed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Rejected {
    /// It speaks of something that the program does not have.
    #[error("the invariant does not fit the program")]
    Malformed,
    /// It does not hold initially, or something that satisfies it leads to what does not.
    #[error("the invariant does not last: {0}")]
    NotInductive(String),
    /// It does not rule out what is bad.
    #[error("the invariant does not rule out a failure")]
    Violated,
    /// A mathematical integer may become wider than is looked at.
    #[error("a mathematical integer may leave {} bits", symbol::MATHINT)]
    Wide,
    /// The program has something that is not spoken of here.
    #[error("{0} cannot be checked")]
    Unsupported(String),
    /// The solver's proof of an answer has a line that does not follow: a fault of the solver's.
    #[error("the solver's proof does not hold: {0}")]
    Flawed(String),
    /// Time or memory.
    #[error("a limit was reached")]
    Limit,
}

impl Rejected {
    fn unsupported(what: impl Into<String>) -> Self {
        Rejected::Unsupported(what.into())
    }
}

/// Checks that an invariant shows that nothing bad can be reached.
///
/// # Errors
/// Why it is not believed.
pub fn audit(
    program: &Program,
    bad: &Bad,
    invariant: &Invariant,
    budget: &Budget,
) -> Result<(), Rejected> {
    limited(budget, |budget| {
        if let Composition::Synchronous(assigns) = &program.composition {
            let Bad::State(bad) = *bad else {
                return Err(Rejected::unsupported("anything but states"));
            };
            let watching = synchronous::States(bad);
            synchronous::initially(program, &watching, invariant, budget)?;
            return synchronous::steps(program, assigns, &watching, invariant, budget);
        }
        let asked = match bad {
            Bad::State(bad) => vec![*bad],
            _ => Vec::new(),
        };
        let observed = observed_by(program, asked, invariant);
        let asked = Asked::Never(bad);
        let mut obligations = Obligations::new(program, asked, invariant, budget, &observed)?;
        obligations.initially()?;
        obligations.moves()
    })
}

/// Does what an audit does within limits of its own: a budget of which nobody else is told when the
/// clauses take more memory than it allows.
fn limited(
    budget: &Budget,
    audit: impl FnOnce(&Budget) -> Result<(), Rejected>,
) -> Result<(), Rejected> {
    let own = Budget {
        over: Arc::default(),
        used: Arc::default(),
        ..budget.clone()
    };
    own.within(|| audit(&own)).unwrap_or(Err(Rejected::Limit))
}

/// The mathematical integers on which expressions or an invariant depend.
fn observed_by(
    program: &Program,
    mut asked: Vec<ExprId>,
    invariant: &Invariant,
) -> BTreeSet<GlobalId> {
    asked.extend(invariant.atoms.iter().filter_map(|atom| match atom {
        Atom::Holds(expr) => Some(*expr),
        _ => None,
    }));
    let named = invariant.atoms.iter().filter_map(|atom| match atom {
        Atom::Bit {
            variable: Variable::Global(id),
            ..
        } => Some(*id),
        _ => None,
    });
    mathematical_integers::observed(program, &asked, named.collect())
}

//! Decision diagrams: sets of states instead of states.
//!
//! [`check`] answers [queries](Query) to a [circuit](circuit::Circuit): invariants, deadlock,
//! branching time under fairness, linear time, and how many states can be reached. It keeps what
//! it computes, so a counterexample is read off and costs next to nothing. A limit that is met
//! makes an answer *unknown*, whatever was being done.
//!
//! Questions about the same part of the circuit share what is computed: ask them together. Formulas
//! of linear time are best asked as [`Query::Linear`]: those that say the same as one of branching
//! time need no automaton then, and those that have more atoms or ways through them than an automaton has
//! room for are answered without one, too. Weak where the order in which things happen is left open and many
//! things wait for each other (asynchronous cells, one large disjunction of steps): the relation is
//! a conjunction of clusters only.
//!
//! ```
//! use circuit::{Circuit, Reset};
//! use model::{Budget, Silent};
//! use symbolic::{Options, Query, Verdict, check};
//!
//! // A light that is switched by an input.
//! let mut circuit = Circuit::default();
//! let switch = circuit.input("switch");
//! let light = circuit.latch("light", Reset::Zero);
//! let next = circuit.aig.xor(light, switch);
//! circuit.set_next(light, next);
//!
//! let queries = [Query::Never(light), Query::NoDeadlock];
//! let answers = check(&circuit, &queries, Options::default(), &Budget::default(), &Silent);
//! let Verdict::Fails(run) = &answers[0].verdict else { panic!() };
//! assert_eq!(run.steps, [[true]]);
//! assert_eq!(answers[1].verdict, Verdict::Holds);
//! ```

mod branching;
mod diagram;
mod fixpoint;
mod linear;
mod order;
mod path;
mod relation;
mod run;
mod session;
mod space;
mod system;
mod tableau;
mod tuning;
mod witness;

pub use diagram::Count;
pub use session::{Answer, Options, Query, Verdict, check};
pub use tuning::{Technique, Tuning};

//! Passes: programs made smaller without changing what is asked of them.
//!
//! They are the cheapest speed there is, and they serve every language. Each pass is a function
//! from a [`Program`](model::Program) and what is [`Observed`] of it to a program, stands in a
//! file of its own that says which queries it preserves, and is measured on its own:
//! [`pipeline`] runs a [`Selection`] and reports sizes before and after each.
//!
//! Passes never renumber: a variable that is removed is one that nothing writes any more, a step
//! that is removed has the guard `false`. So a trace of the reduced program speaks of the
//! original's steps, and [`Reduced::lift`] can turn it back.
//!
//! ```
//! use model::{Binary, Claim, Mode, Place, Process, Program, Property, Start, Step, Stmt, Type};
//! use passes::{Selection, pipeline};
//! use source::Span;
//!
//! // Counts rounds, which nobody asks about, and toggles a light.
//! let mut program = Program::new("light", "by hand");
//! let on = program.add_global(model::Variable::new("on", Type::Bool));
//! let rounds = program.add_global(model::Variable::new("rounds", Type::INT32));
//! let is_on = program.exprs.load(Place::global(on), Type::Bool);
//! let toggled = program.exprs.not(is_on);
//! let count = program.exprs.load(Place::global(rounds), Type::INT32);
//! let one = program.exprs.int(1, Type::INT32);
//! let more = program.exprs.binary(Binary::Add, count, one);
//! let mut process = Process::new("switch");
//! let at = process.add_location("at rest", Mode::Open, Span::NONE);
//! process.add_step(Step {
//!     body: vec![
//!         Stmt::Assign(Place::global(on), toggled),
//!         Stmt::Assign(Place::global(rounds), more),
//!     ],
//!     ..Step::new(at, at, Span::NONE)
//! });
//! let process = program.add_process(process);
//! program.start.push(Start { process, args: vec![] });
//! let dark = program.add_property(Property {
//!     name: "dark".into(),
//!     text: "never on".into(),
//!     span: Span::NONE,
//!     claim: Claim::Always(toggled),
//!     trigger: None,
//!     observers: vec![],
//!     assumptions: vec![],
//! });
//!
//! let reduced = pipeline(&program, &[dark], &Selection::all());
//! // Two states instead of 2^32.
//! assert_eq!(passes::sizes(&reduced.original).bits, 33);
//! assert_eq!(passes::sizes(&reduced.program).bits, 1);
//! ```

mod access;
mod bounds;
mod collapse;
mod cone;
mod constants;
mod dead;
mod faults;
mod focus;
mod fold;
mod guide;
mod inline;
mod lift;
mod liveness;
mod merge;
mod observed;
mod pipeline;
mod rest;
mod rewrite;
mod selective;
mod sequential;
mod slice;
mod strip;
mod symmetry;
mod value_flow;
mod views;
pub use bounds::bounds;
pub use dead::dead;
pub use faults::may_fault;
pub use focus::focus;
pub use fold::fold;
pub use inline::inline;
pub use merge::merge;
pub use observed::{Observed, QueryKind};
pub use pipeline::{Pass, PassReport, Reduced, Selection, Sizes, UnknownPass, pipeline, sizes};
pub use selective::{Selective, selective};
pub use sequential::sequential;
pub use slice::{slice, write_only};
pub use symmetry::{Interchangeable, interchangeable};

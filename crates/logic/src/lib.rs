//! Linear temporal logic, and the automata that recognise what a formula says; formulas of
//! computation tree logic, and of the [modal mu-calculus](mu).
//!
//! A front end [reads](parse()) a formula whose [atoms](Ltl::Atom) are in its own language, or builds
//! one from [constructors](Ltl::leads_to). An engine looks for a run of the system that a
//! [Büchi automaton](Buchi) of the *negated* formula [accepts](translate); if the automaton is
//! [terminal](BuchiKind::Terminal), reaching a state decides. Evidence is checked by
//! [evaluating](lasso::holds_on_lasso) the formula on the word of a run, without automata.
//!
//! ```
//! use logic::{Ltl, lasso::holds_on_lasso, parse, translate};
//!
//! let property = parse("[] (bid -> <> (sold || refunded))", |atom, _offset| {
//!     match atom {
//!         "bid" | "sold" | "refunded" => Ok(atom.to_owned()),
//!         _ => Err(format!("there is no event `{atom}`")),
//!     }
//! })
//! .expect("it is a formula over the three events");
//!
//! let violations = translate(&Ltl::not(property.clone())).expect("it is small");
//! assert_eq!(violations.state_count(), 2);
//!
//! // A run: a bid is made and sold, another is made, and then nothing happens for ever.
//! let run = ["bid", "sold", "bid", ""];
//! let happens = |position: usize, event: &String| run[position] == event;
//! assert!(violations.accepts_lasso(3, 4, happens));
//! assert!(!holds_on_lasso(&property, 3, 4, happens));
//! ```
//!
//! Nothing here knows programs, and nothing recurs deeper than [`MAX_DEPTH`] allows.

mod alternating;
mod blind;
pub mod buchi;
pub mod ctl;
mod ctl_fold;
mod degeneralise;
mod dot;
mod fragment;
mod hoa;
mod kind;
pub mod lasso;
pub mod ltl;
pub mod mu;
pub mod parse;
mod pattern;
mod pool;
mod reduce;
mod rewrite;
pub mod scc;
pub mod smv;
mod smv_text;
mod stutter;
mod text;
mod translate;
mod universal;

pub use buchi::{Buchi, BuchiState, Cube, Edge};
pub use ctl::{Ctl, Quantifier};
pub use kind::BuchiKind;
pub use ltl::{Ltl, MAX_DEPTH};
pub use parse::{ParseError, SyntaxError, parse};
pub use translate::{TranslateError, translate};

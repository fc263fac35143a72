//! Programs for other tools: Promela models, SMV models, circuits, control-flow and state graphs.
//!
//! [`promela`] writes a model that SPIN accepts and that has the same verdict for each property.
//! [`smv`] writes a model that NuSMV reads, and [`aiger`] a circuit with what must not be reached.
//! [`control_flow`] draws the processes for Graphviz; [`StateGraph`] explores a program on the
//! reference interpreter and writes what it finds for Graphviz or in the Aldebaran format; [`mcrl2()`]
//! writes it as a process with data.

mod aiger;
mod codes;
mod flow;
mod gates;
mod mcrl2;
mod promela;
mod smv;
mod states;

pub use aiger::aiger;
pub use codes::CODES;
pub use flow::control_flow;
pub use gates::GateModel;
pub use mcrl2::mcrl2;
pub use promela::{Model, Options, promela};
pub use smv::smv;
pub use states::{ExploreError, StateGraph};

/// Why a property is left out that has an [alternative](model::Program::alternatives).
const TWO_CLAIMS: &str = "it is two claims, of which one has to hold";

//! Programs for other tools: Promela models, control-flow graphs, state graphs.
//!
//! [`promela`] writes a model that SPIN accepts and that has the same verdict for each property.
//! [`control_flow`] draws the processes for Graphviz; [`StateGraph`] explores a program on the
//! reference interpreter and writes what it finds for Graphviz or in the Aldebaran format.

mod codes;
mod flow;
mod promela;
mod states;

pub use codes::CODES;
pub use flow::control_flow;
pub use promela::{Model, Options, promela};
pub use states::{ExploreError, StateGraph};

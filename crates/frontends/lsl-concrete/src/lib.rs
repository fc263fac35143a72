//! A concrete world for LSL scripts: the slow and obvious twin of the environment that the front end
//! builds.
//!
//! The front end lowers a script into a program together with all that the world may do, and
//! engines look at every run of it. Here the syntax tree is run as it stands, on concrete values, in a
//! world that is drawn at random: an inventory, avatars with names and money, notecards with lines,
//! time that passes, an owner who grants or refuses, other scripts that send anything. Nothing of the
//! lowering or its environment is shared, so a run that breaks a property which verification calls
//! *holds* shows that the two disagree about the world, and that one of them is wrong.
//!
//! [`Script::read`] reads a script, [`run`] makes a run and judges its properties on it.

mod acts;
mod answers;
mod claims;
mod door;
mod evaluate;
mod execute;
mod halt;
mod library;
mod literals;
mod look;
mod machine;
mod operators;
mod random;
mod run;
mod script;
mod unasked;
mod value;
mod world;

pub use claims::Standing;
pub use door::LslWorld;
pub use library::not_run;
pub use run::{Plan, Shown, run};
pub use script::Script;
pub use value::{Fault, Value};
pub use world::Habits;

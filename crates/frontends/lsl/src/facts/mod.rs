//! What Second Life offers a script: library functions, events and constants.

mod library;
mod roles;

pub use library::{
    Constant, Event, Function, Parameter, Value, constant, constants, event, events, function,
    functions,
};
pub use roles::{Class, Effect, Role, role, roles};

//! From a checked script and its environment to a program.
//!
//! The script becomes a process whose stable locations are "in state S, waiting for an event";
//! a handler, with the functions it calls and the state change it asks for, is one macro step.
//! The world is another process (see `environment`); an event is a
//! rendezvous between the two. What the design fixes about payments that wait in the queue is
//! argued in `docs/lazy-payments.md`.

pub(crate) mod assemble;
mod build;
mod call;
mod chat;
mod clock;
mod code;
mod companions;
mod company;
pub(crate) mod effects;
mod expression;
pub(crate) mod flow;
pub(crate) mod handles;
mod hazards;
mod inventory;
mod inventory_call;
mod lengths;
mod linkset;
mod loads;
mod locals;
mod marks;
mod meeting;
pub(crate) mod notecard;
mod orders;
pub(crate) mod outside;
mod parts;
mod pure;
mod random;
pub(crate) mod readings;
mod script;
mod start;
mod statement;
mod survey;
mod undecided;
mod variables;
mod world_call;

#[cfg(test)]
mod lazy_tests;
#[cfg(test)]
mod tests;

use model::{ExprId, Program};
use source::Diagnostic;

pub(crate) use build::{Build, model_type};
pub(crate) use clock::EARLIEST;
pub(crate) use code::{Coder, Unit};
pub(crate) use hazards::{Hazards, divides};
pub(crate) use inventory::InventoryUse;
pub(crate) use parts::{all_within, any_part, for_each_operand, for_each_part, parts_of};
pub use pure::{Extras, Pure};
pub(crate) use survey::Survey;
pub(crate) use variables::{Variable, units, variable};

use crate::ast::StateId;
use crate::check::Checked;
use crate::linkset::member::Member;
use crate::watch::{Bounds, Layout, Watch};

/// More open calls of user functions than this are a Stack-Heap Collision.
pub(crate) const MOST_CALLS: u32 = 200;

/// How events reach the script.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Delivery {
    /// Each event arrives just before it is handled, or just before it is discarded.
    #[default]
    Lazy,
    /// Events wait in a queue of this capacity, at least 1. Slower, and shows the same between
    /// events: kept for the test of that claim.
    Eager {
        /// How many events may wait.
        capacity: u32,
    },
}

/// What lowering is given.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) checked: &'a Checked,
    pub(crate) watch: &'a Watch,
    pub(crate) bounds: &'a Bounds,
    pub(crate) survey: &'a Survey,
    pub(crate) delivery: Delivery,
    /// Which of several scripts it is, if there are several.
    pub(crate) member: Option<Member<'a>>,
}

/// Where a handler goes instead of to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// To another state.
    State(StateId),
    /// To the start: `llResetScript`.
    Reset,
    /// Nowhere: `llDie`.
    Die,
}

/// A lowered script.
#[derive(Debug)]
pub struct Lowered {
    /// The program: two processes, the world and the script, without any property yet.
    pub program: Program,
    /// Where things are in it.
    pub layout: Layout,
    /// What could not be lowered, and bounds that name nothing.
    pub diagnostics: Vec<Diagnostic>,
    /// What lowering remembers; its program stands above.
    build: Build,
}

/// Lowers a script that checking found free of errors.
///
/// `name` is the program's name, for people. Watch what the properties need; state bounds from
/// the file and the command line.
#[must_use]
pub fn lower(
    name: &str,
    checked: &Checked,
    watch: &Watch,
    bounds: &Bounds,
    delivery: Delivery,
) -> Lowered {
    let survey = Survey::of(checked);
    let input = Input {
        checked,
        watch,
        bounds,
        survey: &survey,
        delivery,
        member: None,
    };
    let flow = std::sync::Arc::new(flow::Flow::of(input));
    let mut build = crate::environment::declare(name, input, flow);
    build.has_representatives = survey.has_representatives;
    script::lower_script(input, &mut build);
    let layout = crate::environment::close(input, &mut build);
    build.store_lengths();
    let program = std::mem::replace(&mut build.program, Program::new(name, "LSL"));
    Lowered {
        program,
        layout,
        diagnostics: std::mem::take(&mut build.diagnostics),
        build,
    }
}

/// The key of the micro event of a variable's changes in [`Build::events`].
pub(crate) fn change_key(global: crate::ast::GlobalId) -> String {
    format!("change {}", global.index())
}

/// The key of the micro event of a function's calls in [`Build::events`].
pub(crate) fn call_key(function: &str) -> String {
    format!("call {function}")
}

/// The key of the micro event of an LSL event being handled in [`Build::events`].
pub(crate) fn handled_key(event: &str) -> String {
    format!("handled {event}")
}

impl Build {
    /// The value of `state` for an LSL state.
    pub(crate) fn state_value(&mut self, state: StateId) -> ExprId {
        let ty = model::Type::Enum(self.world.states);
        self.program.exprs.int(state.index() as i128, ty)
    }

    /// What the handler at hand goes to instead of its end.
    pub(crate) fn next(&mut self) -> ExprId {
        let next = self.world.next;
        self.read(next)
    }

    pub(crate) fn next_value(&mut self, checked: &Checked, next: Next) -> ExprId {
        let states = checked.ast.states.len();
        let value = match next {
            Next::State(state) => state.index() + 1,
            Next::Reset => states + 1,
            Next::Die => states + 2,
        };
        let ty = self.program.globals[self.world.next.index()].ty.clone();
        self.program.exprs.int(value as i128, ty)
    }

    pub(crate) fn set_next(&mut self, value: ExprId) -> model::Stmt {
        let next = self.world.next;
        self.set(next, value)
    }
}

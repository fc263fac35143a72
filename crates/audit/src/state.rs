//! States that are not known: where each instance stands may be known, what variables hold is
//! symbolic.

use model::{LocId, Place, Process, ProcessId, Program};
use solver::Literal;

use crate::Rejected;
use crate::gates::Gates;
use crate::symbol::Symbol;

/// A state of a program whose instances all run from the start.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) globals: Vec<Symbol>,
    pub(crate) instances: Vec<Instance>,
}

/// An instance.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) process: ProcessId,
    pub(crate) control: Control,
    pub(crate) locals: Vec<Symbol>,
    /// Open calls of procedures, the innermost last.
    pub(crate) calls: Vec<Call>,
}

/// Where an instance stands.
#[derive(Clone, Debug)]
pub(crate) enum Control {
    /// Here.
    At(LocId),
    /// Nowhere: it has ended, or stopped at a fault.
    Ended,
    /// A literal for each location of the process, exactly one of them or none true.
    Open(Vec<Literal>),
}

/// An open call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) locals: Vec<Symbol>,
    pub(crate) procedure: model::ProcedureId,
    pub(crate) then: LocId,
    pub(crate) result: Option<Place>,
}

/// Where an expression is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) state: &'a State,
    pub(crate) me: Option<usize>,
    /// The arguments of the observed event.
    pub(crate) arguments: &'a [Symbol],
    /// The next state's globals, in relations.
    pub(crate) next: Option<&'a [Symbol]>,
}

impl<'a> Scope<'a> {
    pub(crate) fn of(state: &'a State, me: usize) -> Self {
        Scope {
            me: Some(me),
            ..Scope::outside(state)
        }
    }

    pub(crate) fn outside(state: &'a State) -> Self {
        Scope {
            state,
            me: None,
            arguments: &[],
            next: None,
        }
    }
}

impl Instance {
    /// Whether it stands at a location.
    pub(crate) fn is_at(&self, gates: &Gates, location: LocId) -> Literal {
        match &self.control {
            Control::At(here) => gates.constant(*here == location),
            Control::Ended => gates.constant(false),
            Control::Open(literals) => literals[location.index()],
        }
    }
}

impl State {
    /// Any state in which the instances stand anywhere, and no call is open.
    pub(crate) fn any(gates: &mut Gates, program: &Program) -> Result<State, Rejected> {
        let globals = program
            .globals
            .iter()
            .map(|variable| gates.any_of(program, &variable.ty))
            .collect::<Result<_, _>>()?;
        let instances = program
            .start
            .iter()
            .map(|start| {
                let process = &program.processes[start.process.index()];
                let locals = process
                    .locals
                    .iter()
                    .map(|variable| gates.any_of(program, &variable.ty))
                    .collect::<Result<_, _>>()?;
                Ok(Instance {
                    process: start.process,
                    control: Control::Open(somewhere(gates, process)),
                    locals,
                    calls: Vec::new(),
                })
            })
            .collect::<Result<_, Rejected>>()?;
        Ok(State { globals, instances })
    }

    /// The instance at a location that is not known: `cond` says for each that it is the one.
    pub(crate) fn choice_of_instance(
        &self,
        gates: &mut Gates,
        number: &Symbol,
        process: ProcessId,
    ) -> Vec<(usize, Literal)> {
        let number = gates.as_number(number);
        let mut found = Vec::new();
        for (index, instance) in self.instances.iter().enumerate() {
            if instance.process == process {
                let this = gates.number(index as i128);
                found.push((index, gates.equal(&number, &this)));
            }
        }
        found
    }
}

/// At most one location of the process.
fn somewhere(gates: &mut Gates, process: &Process) -> Vec<Literal> {
    let literals: Vec<Literal> = process.locations.iter().map(|_| gates.fresh()).collect();
    // Each says that none before it holds, in one chain.
    let mut before = gates.constant(false);
    for &literal in &literals {
        gates.clause(&[!before, !literal]);
        before = gates.or(before, literal);
    }
    literals
}

/// Why an expression has a fault, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faulty {
    pub(crate) when: Literal,
    /// `None`: a mathematical integer leaves what is looked at.
    pub(crate) fault: Option<model::FaultId>,
}

/// An assignment target's way down: for each part whether it is the one.
pub(crate) type Positions = Vec<Literal>;

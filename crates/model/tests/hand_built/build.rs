//! Building programs in few words, and walking them.

use std::collections::BTreeSet;

use model::interp::{Interp, State};
use model::{
    Binary, ExprId, GlobalId, LocId, Mode, Place, Process, ProcessId, Program, Start, Step, StepId,
    Stmt, Target, Type, Value, Variable,
};
use source::Span;

/// A program being built.
pub(crate) struct Build {
    pub(crate) program: Program,
}

impl Build {
    pub(crate) fn new() -> Self {
        Build {
            program: Program::new("hand-built", "model"),
        }
    }

    pub(crate) fn int(&mut self, value: i128) -> ExprId {
        self.program.exprs.int(value, Type::INT32)
    }

    pub(crate) fn global(&mut self, name: &str, ty: Type) -> GlobalId {
        self.program.add_global(Variable::new(name, ty))
    }

    pub(crate) fn read(&mut self, global: GlobalId) -> ExprId {
        let ty = self.program.globals[global.index()].ty.clone();
        self.program.exprs.load(Place::global(global), ty)
    }

    pub(crate) fn compare(&mut self, op: Binary, global: GlobalId, value: i128) -> ExprId {
        let left = self.read(global);
        let right = self.int(value);
        self.program.exprs.binary(op, left, right)
    }

    pub(crate) fn is(&mut self, global: GlobalId, value: i128) -> ExprId {
        self.compare(Binary::Eq, global, value)
    }

    pub(crate) fn set(&mut self, global: GlobalId, value: i128) -> Stmt {
        let value = self.int(value);
        Stmt::Assign(Place::global(global), value)
    }

    pub(crate) fn add(&mut self, global: GlobalId, value: i128) -> Stmt {
        let left = self.read(global);
        let right = self.int(value);
        let sum = self.program.exprs.binary(Binary::Add, left, right);
        Stmt::Assign(Place::global(global), sum)
    }

    /// Adds a process and starts one instance without arguments.
    pub(crate) fn run(&mut self, process: Process) -> ProcessId {
        let process = self.program.add_process(process);
        self.program.start.push(Start {
            process,
            args: Vec::new(),
        });
        process
    }

    /// The stored values of some globals in every reachable stable state.
    pub(crate) fn reachable(&self, globals: &[GlobalId]) -> BTreeSet<Vec<i128>> {
        let interp = Interp::new(&self.program);
        explore(&interp)
            .iter()
            .map(|state| numbers(state, globals))
            .collect()
    }
}

/// The numbers that some globals hold.
pub(crate) fn numbers(state: &State, globals: &[GlobalId]) -> Vec<i128> {
    globals
        .iter()
        .map(|global| match &state.globals[global.index()] {
            Value::Bool(b) => i128::from(*b),
            other => other.number(),
        })
        .collect()
}

/// Every reachable stable state.
pub(crate) fn explore(interp: &Interp<'_>) -> Vec<State> {
    let mut states: Vec<State> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for (_, state) in interp.initial().expect("small numbers") {
        if known.insert(interp.stored(&state)) {
            states.push(interp.stored(&state));
        }
    }
    let mut next = 0;
    while next < states.len() {
        for successor in interp.expand(&states[next]).expect("small").successors {
            let stored = interp.stored(&successor.state);
            if known.insert(stored.clone()) {
                states.push(stored);
            }
        }
        next += 1;
        assert!(states.len() < 100_000, "the hand-built programs are small");
    }
    states
}

/// Shorthands on a process.
pub(crate) trait Control {
    fn open(&mut self, name: &str) -> LocId;
    fn at(&mut self, name: &str, mode: Mode) -> LocId;
    fn edge(&mut self, from: LocId, to: LocId, body: Vec<Stmt>) -> StepId;
    fn guarded(&mut self, from: LocId, to: LocId, guard: ExprId, body: Vec<Stmt>) -> StepId;
    fn end(&mut self, from: LocId, body: Vec<Stmt>) -> StepId;
    fn with(&mut self, step: StepId, change: impl FnOnce(&mut Step)) -> StepId;
}

impl Control for Process {
    fn open(&mut self, name: &str) -> LocId {
        self.add_location(name, Mode::Open, Span::NONE)
    }

    fn at(&mut self, name: &str, mode: Mode) -> LocId {
        self.add_location(name, mode, Span::NONE)
    }

    fn edge(&mut self, from: LocId, to: LocId, body: Vec<Stmt>) -> StepId {
        let mut step = Step::new(from, to, Span::NONE);
        step.body = body;
        self.add_step(step)
    }

    fn guarded(&mut self, from: LocId, to: LocId, guard: ExprId, body: Vec<Stmt>) -> StepId {
        let step = self.edge(from, to, body);
        self.with(step, |step| step.guard = Some(guard))
    }

    fn end(&mut self, from: LocId, body: Vec<Stmt>) -> StepId {
        let step = self.edge(from, from, body);
        self.with(step, |step| step.target = Target::End)
    }

    fn with(&mut self, step: StepId, change: impl FnOnce(&mut Step)) -> StepId {
        change(&mut self.steps[step.index()]);
        step
    }
}

/// A set of rows, for comparison.
pub(crate) fn rows<const N: usize>(rows: &[[i128; N]]) -> BTreeSet<Vec<i128>> {
    rows.iter().map(|row| row.to_vec()).collect()
}

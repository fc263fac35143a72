//! The cone: everything that what is left of a program still reads.

use std::collections::HashSet;

use model::{
    Callee, Choice, Comm, Composition, ExprId, LocId, Pattern, Place, ProcessId, Program, Stmt,
    Target, Variable,
};

use crate::access::{Access, Accesses, Frames, Scope, Var, callees, known_channel, resolve};
use crate::observed::Observed;
use crate::rewrite::is_disabled;

/// What is read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Cone {
    /// These variables.
    pub(crate) vars: HashSet<Var>,
    /// Whether instances are at these locations.
    pub(crate) at: HashSet<(ProcessId, LocId)>,
    /// Whether steps are enabled.
    pub(crate) enabledness: bool,
    /// How many instances there are.
    pub(crate) count: bool,
    /// Those of the variables that are read through remote references.
    pub(crate) remote: HashSet<Var>,
}

impl Cone {
    /// Whether `other` reads nothing more.
    pub(crate) fn covers(&self, other: &Cone) -> bool {
        other.vars.is_subset(&self.vars)
            && other.at.is_subset(&self.at)
            && (self.enabledness || !other.enabledness)
            && (self.count || !other.count)
    }

    /// Adds what `other` reads.
    pub(crate) fn join(&mut self, other: Cone) {
        self.vars.extend(other.vars);
        self.at.extend(other.at);
        self.enabledness |= other.enabledness;
        self.count |= other.count;
        self.remote.extend(other.remote);
    }
}

/// Collects what a program reads.
pub(crate) struct Collector<'a> {
    program: &'a Program,
    accesses: &'a mut Accesses,
    cone: Cone,
}

/// What the observed expressions read.
pub(crate) fn of_observed(program: &Program, accesses: &mut Accesses, observed: &Observed) -> Cone {
    let mut collector = Collector {
        program,
        accesses,
        cone: Cone::default(),
    };
    collector.exprs(Scope::Outside, &observed.exprs);
    collector.cone
}

/// What first values are computed from: those of globals and locals, and the first arguments.
pub(crate) fn of_first_values(program: &Program, accesses: &mut Accesses) -> Cone {
    let mut collector = Collector {
        program,
        accesses,
        cone: Cone::default(),
    };
    collector.variables(Scope::Outside, &program.globals);
    for (index, process) in program.processes.iter().enumerate() {
        collector.variables(Scope::Process(ProcessId::new(index), None), &process.locals);
    }
    for start in &program.start {
        collector.exprs(Scope::Outside, &start.args);
    }
    collector.cone
}

/// What the program reads, whatever is observed.
pub(crate) fn of_program(program: &Program, accesses: &mut Accesses, frames: &Frames) -> Cone {
    let mut collector = Collector {
        program,
        accesses,
        cone: Cone::default(),
    };
    collector.program(frames);
    collector.cone
}

/// The variables of instances that the program reads through remote references.
pub(crate) fn remote_reads(
    program: &Program,
    accesses: &mut Accesses,
    frames: &Frames,
) -> HashSet<Var> {
    let mut collector = Collector {
        program,
        accesses,
        cone: Cone::default(),
    };
    collector.program(frames);
    collector.cone.remote
}

impl Collector<'_> {
    fn program(&mut self, frames: &Frames) {
        let program = self.program;
        self.variables(Scope::Outside, &program.globals);
        for (index, process) in program.processes.iter().enumerate() {
            let id = ProcessId::new(index);
            let scope = Scope::Process(id, None);
            self.variables(scope, &process.locals);
            for (procedure, declaration) in process.procedures.iter().enumerate() {
                let procedure = model::ProcedureId::new(procedure);
                self.variables(Scope::Process(id, Some(procedure)), &declaration.locals);
            }
            for step in 0..process.steps.len() {
                self.step(id, step, frames.step(program, id, step));
            }
            let live = process.steps.iter().any(|s| !is_disabled(program, s));
            for &expr in process.provided.iter().chain(&process.priority) {
                if live {
                    self.expr(scope, expr);
                }
            }
        }
        for observer in &program.observers {
            self.body(Scope::Observer(observer.event), &observer.body);
        }
        for start in &program.start {
            self.exprs(Scope::Outside, &start.args);
        }
        if let Composition::Synchronous(assigns) = &program.composition {
            for assign in assigns {
                assign
                    .next
                    .operands(&mut |id| self.expr(Scope::Outside, id));
            }
        }
    }

    fn step(&mut self, process: ProcessId, index: usize, scope: Scope) {
        let program = self.program;
        let template = &program.processes[process.index()];
        let step = &template.steps[index];
        if is_disabled(program, step) {
            return;
        }
        for choice in &step.binds {
            self.choice(scope, choice);
        }
        self.exprs(scope, step.guard.as_slice());
        match &step.comm {
            Some(Comm::Send {
                channel,
                message,
                sorted,
                ..
            }) => {
                self.expr(scope, *channel);
                self.exprs(scope, message);
                if *sorted {
                    // The order of the messages depends on all of their fields.
                    for field in 0..message.len() {
                        self.field(*channel, field);
                    }
                }
            }
            Some(Comm::Receive {
                channel, patterns, ..
            }) => {
                self.expr(scope, *channel);
                for (field, pattern) in patterns.iter().enumerate() {
                    match pattern {
                        Pattern::Bind(place) => {
                            self.indices(scope, place);
                            self.field(*channel, field);
                        }
                        Pattern::Match(value) => {
                            self.expr(scope, *value);
                            self.field(*channel, field);
                        }
                        Pattern::Any => {}
                    }
                }
            }
            Some(Comm::Barrier(_)) | None => {}
        }
        self.body(scope, &step.body);
        match &step.target {
            Target::Call {
                callee,
                args,
                result,
                ..
            } => {
                if let Callee::Value(value) = callee {
                    self.expr(scope, *value);
                }
                self.exprs(scope, args);
                if let Some(place) = result {
                    self.indices(scope, place);
                    for procedure in callees(template, callee) {
                        self.cone.vars.insert(Var::Result(process, procedure));
                    }
                }
            }
            Target::Return(value) => self.exprs(scope, value.as_slice()),
            Target::Goto(_) | Target::End => {}
        }
    }

    fn field(&mut self, channel: ExprId, field: usize) {
        let access = Access::Field(
            known_channel(self.program, channel),
            u32::try_from(field).expect("messages have few fields"),
        );
        let vars = &mut self.cone.vars;
        resolve(self.program, Scope::Outside, access, |var| {
            vars.insert(var);
        });
    }

    fn variables(&mut self, scope: Scope, variables: &[Variable]) {
        for set in variables.iter().filter_map(|v| v.init.as_ref()) {
            set.operands(&mut |id| self.expr(scope, id));
        }
    }

    fn choice(&mut self, scope: Scope, choice: &Choice) {
        self.indices(scope, &choice.place);
        choice.set.operands(&mut |id| self.expr(scope, id));
        self.exprs(scope, choice.sample.as_deref().unwrap_or_default());
    }

    fn body(&mut self, scope: Scope, body: &[Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Assign(place, value) => {
                    self.indices(scope, place);
                    self.expr(scope, *value);
                }
                Stmt::Choose(choice) => self.choice(scope, choice),
                Stmt::If(cond, then, otherwise) => {
                    self.expr(scope, *cond);
                    self.body(scope, then);
                    self.body(scope, otherwise);
                }
                Stmt::Assert { cond, .. } | Stmt::Assume(cond) | Stmt::Free(cond) => {
                    self.expr(scope, *cond);
                }
                Stmt::Emit { args, .. } => self.exprs(scope, args),
                Stmt::Spawn { args, result, .. } => {
                    self.exprs(scope, args);
                    if let Some(place) = result {
                        self.indices(scope, place);
                    }
                }
                Stmt::NewChannel { result, .. } | Stmt::New { result, .. } => {
                    self.indices(scope, result);
                }
                Stmt::Raise(_) => {}
            }
        }
    }

    fn indices(&mut self, scope: Scope, place: &Place) {
        place.operands(|id| self.expr(scope, id));
    }

    fn exprs(&mut self, scope: Scope, ids: &[ExprId]) {
        for &id in ids {
            self.expr(scope, id);
        }
    }

    fn expr(&mut self, scope: Scope, id: ExprId) {
        for &access in self.accesses.of(self.program, id).iter() {
            match access {
                Access::At(process, location) => {
                    self.cone.at.insert((process, location));
                }
                Access::Enabledness => self.cone.enabledness = true,
                Access::Count => self.cone.count = true,
                Access::Remote(process, local) => {
                    self.cone.remote.insert(Var::Own(process, local));
                }
                _ => {}
            }
            let vars = &mut self.cone.vars;
            resolve(self.program, scope, access, |var| {
                vars.insert(var);
            });
        }
    }
}

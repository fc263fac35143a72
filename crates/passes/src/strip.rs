//! Takes away what writes variables that nobody reads.
//!
//! Given the variables to keep, every other variable loses its assignments, choices and first
//! values. What such a statement did besides storing stays: an evaluation that can fault leaves
//! its residue, a choice whose set may be empty stays as it is. Positions in tables, and of
//! arguments and message fields, stay too: where a value no longer matters, a zero stands.

use std::collections::HashSet;

use model::{
    ChannelId, Choice, Comm, ExprId, Pattern, Place, ProcessId, Program, Root, Stmt, Target, Type,
    Variable,
};

use crate::access::{Frames, Scope, Var, callees, known_channel, written};
use crate::cone::Cone;
use crate::faults::{Faults, in_range, place_type, value_fits};
use crate::rewrite::is_disabled;

/// Strips one program again and again, each time from its original form.
pub(crate) struct Stripper<'a> {
    original: &'a Program,
    frames: &'a Frames,
    pub(crate) faults: Faults,
    /// The stripped program; its pool only grows.
    pub(crate) program: Program,
}

impl<'a> Stripper<'a> {
    pub(crate) fn new(original: &'a Program, frames: &'a Frames) -> Self {
        Stripper {
            original,
            frames,
            faults: Faults::default(),
            program: original.clone(),
        }
    }

    /// Strips everything but `cone`.
    pub(crate) fn strip(&mut self, cone: &Cone) {
        let keep = &cone.vars;
        self.program.observers.clone_from(&self.original.observers);
        self.program.processes.clone_from(&self.original.processes);
        self.program.globals.clone_from(&self.original.globals);
        self.program.start.clone_from(&self.original.start);
        let leaver = self.original.leaver;
        self.program.leaver = leaver.filter(|&leaver| keep.contains(&Var::Global(leaver)));
        self.program
            .per_instance
            .clone_from(&self.original.per_instance);
        let per_instance = &mut self.program.per_instance;
        per_instance.retain(|&array| keep.contains(&Var::Global(array)));
        for index in 0..self.program.observers.len() {
            let observer = &mut self.program.observers[index];
            let scope = Scope::Observer(observer.event);
            let body = std::mem::take(&mut observer.body);
            self.program.observers[index].body = self.body(keep, scope, body);
        }
        // Places in the first values are typed through the program, which so keeps its tables.
        let mut globals = self.program.globals.clone();
        let kept = |index| keep.contains(&Var::Global(model::GlobalId::new(index)));
        self.first_values(&mut globals, kept);
        self.program.globals = globals;
        for index in 0..self.program.processes.len() {
            let id = ProcessId::new(index);
            let mut process = self.program.processes[index].clone();
            let own = |local| keep.contains(&Var::Own(id, local as u32));
            self.first_values(&mut process.locals, own);
            for (procedure, declaration) in process.procedures.iter_mut().enumerate() {
                let procedure = model::ProcedureId::new(procedure);
                let frame = |local| keep.contains(&Var::Frame(id, procedure, local as u32));
                self.first_values(&mut declaration.locals, frame);
            }
            // Places of the process are typed through the program's table.
            self.program.processes[index] = process;
            for step in 0..self.program.processes[index].steps.len() {
                self.step(keep, id, step);
            }
        }
        for index in 0..self.program.start.len() {
            let process = self.program.start[index].process;
            let mut args = std::mem::take(&mut self.program.start[index].args);
            self.arguments(&mut args, |arg| {
                keep.contains(&Var::Own(process, arg as u32))
            });
            self.program.start[index].args = args;
        }
    }

    /// Drops the first values of variables that are not kept.
    fn first_values(&mut self, variables: &mut [Variable], kept: impl Fn(usize) -> bool) {
        for (index, variable) in variables.iter_mut().enumerate() {
            if let Some(set) = &variable.init
                && !kept(index)
                && self.faults.sure_set(&self.program, set, &variable.ty)
            {
                variable.init = None;
            }
        }
    }

    /// Puts zeros for arguments that nobody reads.
    fn arguments(&mut self, args: &mut [ExprId], kept: impl Fn(usize) -> bool) {
        for (index, arg) in args.iter_mut().enumerate() {
            if !kept(index) && !self.faults.expr(&self.program, *arg) {
                *arg = self.zero(*arg);
            }
        }
    }

    fn zero(&mut self, like: ExprId) -> ExprId {
        let ty = self.program.exprs.ty(like).clone();
        let zero = self.program.zero(&ty);
        self.program.exprs.value(zero, ty)
    }

    fn step(&mut self, keep: &HashSet<Var>, process: ProcessId, index: usize) {
        let template = &mut self.program.processes[process.index()];
        let mut step = template.steps[index].clone();
        if is_disabled(&self.program, &step) {
            return;
        }
        let scope = self.frames.step(&self.program, process, index);
        step.binds
            .retain(|choice| !self.is_idle_choice(keep, scope, choice));
        match &mut step.comm {
            Some(Comm::Send {
                channel, message, ..
            }) => {
                // A field of a range type may refuse the value: then all stay.
                let known = known_channel(&self.program, *channel);
                let channels: Vec<ChannelId> = (0..self.program.channels.len())
                    .map(ChannelId::new)
                    .filter(|&id| known.is_none_or(|known| known == id))
                    .collect();
                let plain = channels.iter().all(|id| {
                    let fields = &self.program.channels[id.index()].fields;
                    fields.iter().all(|ty| !matches!(ty, Type::Range { .. }))
                });
                self.arguments(message, |field| {
                    let read = |&id: &ChannelId| keep.contains(&Var::Field(id, field as u32));
                    !plain || channels.iter().any(read)
                });
            }
            Some(Comm::Receive { patterns, .. }) => {
                for pattern in patterns {
                    if let Pattern::Bind(place) = pattern
                        && !self.is_kept(keep, scope, place)
                        && !self.faults.place(&self.program, place)
                        && !matches!(place_type(&self.program, scope, place), Type::Range { .. })
                    {
                        *pattern = Pattern::Any;
                    }
                }
            }
            Some(Comm::Barrier(_)) | None => {}
        }
        step.body = self.body(keep, scope, step.body);
        match &mut step.target {
            Target::Call {
                callee,
                args,
                result,
                ..
            } => {
                let template = &self.program.processes[process.index()];
                let entered = callees(template, callee);
                // A parameter of a range type may refuse the value: then all stay.
                let plain = entered.iter().all(|procedure| {
                    template.procedures[procedure.index()]
                        .locals
                        .iter()
                        .all(|local| !matches!(local.ty, Type::Range { .. }))
                });
                if let Some(place) = result
                    && !self.is_kept(keep, scope, place)
                    && !self.faults.place(&self.program, place)
                    && !matches!(place_type(&self.program, scope, place), Type::Range { .. })
                {
                    *result = None;
                }
                self.arguments(args, |arg| {
                    !plain
                        || entered
                            .iter()
                            .any(|&p| keep.contains(&Var::Frame(process, p, arg as u32)))
                });
            }
            Target::Return(Some(value)) => {
                let read = match scope {
                    Scope::Process(_, Some(procedure)) => {
                        keep.contains(&Var::Result(process, procedure))
                    }
                    _ => true,
                };
                if !read && !self.faults.expr(&self.program, *value) {
                    *value = self.zero(*value);
                }
            }
            Target::Goto(_) | Target::Return(None) | Target::End => {}
        }
        self.program.processes[process.index()].steps[index] = step;
    }

    fn is_kept(&self, keep: &HashSet<Var>, scope: Scope, place: &Place) -> bool {
        matches!(place.root, Root::Cell(_))
            || written(scope, place).is_none_or(|var| keep.contains(&var))
    }

    /// Whether leaving the choice out loses nothing that is kept.
    fn is_idle_choice(&mut self, keep: &HashSet<Var>, scope: Scope, choice: &Choice) -> bool {
        !self.is_kept(keep, scope, &choice.place)
            && self.faults.sure_choice(&self.program, scope, choice)
    }

    fn body(&mut self, keep: &HashSet<Var>, scope: Scope, body: Vec<Stmt>) -> Vec<Stmt> {
        let mut kept = Vec::with_capacity(body.len());
        for stmt in body {
            match stmt {
                Stmt::Assign(place, value) => {
                    if self.is_kept(keep, scope, &place)
                        || !self.evaluation(scope, &place, value, &mut kept)
                    {
                        kept.push(Stmt::Assign(place, value));
                    }
                }
                Stmt::Choose(choice) => {
                    if !self.is_idle_choice(keep, scope, &choice) {
                        kept.push(Stmt::Choose(choice));
                    }
                }
                Stmt::If(cond, then, otherwise) => {
                    let then = self.body(keep, scope, then);
                    let otherwise = self.body(keep, scope, otherwise);
                    if then.is_empty() && otherwise.is_empty() {
                        self.faults.residue(&mut self.program, cond, &mut kept);
                    } else {
                        kept.push(Stmt::If(cond, then, otherwise));
                    }
                }
                Stmt::Emit {
                    event,
                    mut args,
                    span,
                } => {
                    // Observers have been stripped before the processes.
                    let watched = self
                        .program
                        .observers
                        .iter()
                        .any(|o| o.event == event && !o.body.is_empty());
                    if watched {
                        self.arguments(&mut args, |arg| {
                            keep.contains(&Var::Argument(event, arg as u32))
                        });
                        kept.push(Stmt::Emit { event, args, span });
                    } else {
                        for arg in args {
                            self.faults.residue(&mut self.program, arg, &mut kept);
                        }
                    }
                }
                Stmt::Spawn {
                    process,
                    mut args,
                    result,
                    share_frame,
                } => {
                    let plain = self.program.processes[process.index()]
                        .locals
                        .iter()
                        .all(|local| !matches!(local.ty, Type::Range { .. }));
                    self.arguments(&mut args, |arg| {
                        !plain || keep.contains(&Var::Own(process, arg as u32))
                    });
                    let result = result.filter(|place| {
                        self.is_kept(keep, scope, place)
                            || self.faults.place(&self.program, place)
                            || matches!(place_type(&self.program, scope, place), Type::Range { .. })
                    });
                    kept.push(Stmt::Spawn {
                        process,
                        args,
                        result,
                        share_frame,
                    });
                }
                Stmt::Assert { .. }
                | Stmt::Assume(_)
                | Stmt::Raise(_)
                | Stmt::NewChannel { .. }
                | Stmt::New { .. }
                | Stmt::Free(_) => kept.push(stmt),
            }
        }
        kept
    }

    /// What stays of an assignment to a place that is not kept; nothing, and it says so, if that
    /// is the assignment itself.
    fn evaluation(
        &mut self,
        scope: Scope,
        place: &Place,
        value: ExprId,
        kept: &mut Vec<Stmt>,
    ) -> bool {
        // The value is evaluated before the place is looked for.
        let mut missing = Vec::new();
        if !self
            .faults
            .place_residue(&mut self.program, place, &mut missing)
        {
            return false;
        }
        self.faults.residue(&mut self.program, value, kept);
        let ty = place_type(&self.program, scope, place);
        if let (Type::Range { lo, hi }, Some(fault)) = (&ty, self.program.range_fault)
            && !value_fits(&self.program, value, &ty)
        {
            let bounds = self.program.exprs.ty(value).clone();
            let inside = in_range(&mut self.program.exprs, value, bounds, *lo, *hi);
            kept.push(Stmt::If(inside, Vec::new(), vec![Stmt::Raise(fault)]));
        }
        kept.append(&mut missing);
        true
    }
}

//! What expressions read.
//!
//! An expression names what it reads relative to where it is evaluated: `Own(2)` is a variable of
//! whoever evaluates. [`Accesses`] collects these names once for each expression; a [`Scope`]
//! turns them into variables of the program, [`Var`], the currency of all dependence analyses.
//! Arrays and records count as one variable. Objects made at run time are not told apart from
//! each other at all: the analyses keep everything that writes them.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use model::{
    Callee, ChannelId, EventId, Expr, ExprId, ExprPool, GlobalId, LocId, Place, ProcedureId,
    ProcessId, Program, Root, Stmt, Target, Value,
};

/// A variable, or something that carries data as one does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Var {
    /// A global variable.
    Global(GlobalId),
    /// A parameter or local of a process template, all instances together.
    Own(ProcessId, u32),
    /// A parameter or local of a procedure.
    Frame(ProcessId, ProcedureId, u32),
    /// What a procedure returns.
    Result(ProcessId, ProcedureId),
    /// A field of the messages of a channel.
    Field(ChannelId, u32),
    /// An argument of a kind of event, as observers see it.
    Argument(EventId, u32),
}

/// What an expression reads, relative to who evaluates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Access {
    /// A global variable.
    Global(GlobalId),
    /// A variable of the evaluating instance.
    Own(u32),
    /// A variable of the current procedure call.
    Frame(u32),
    /// A variable of another instance of this template.
    Remote(ProcessId, u32),
    /// An argument of the observed event.
    Argument(u32),
    /// A field of the messages in a channel; `None`: of any channel.
    Field(Option<ChannelId>, u32),
    /// How many messages a channel holds.
    Length,
    /// Whether an instance is at a location.
    At(ProcessId, LocId),
    /// Whether steps are enabled.
    Enabledness,
    /// How many instances there are.
    Count,
}

/// The accesses of expressions, each computed once.
#[derive(Default)]
pub(crate) struct Accesses {
    cache: HashMap<ExprId, Rc<[Access]>>,
}

impl Accesses {
    /// What the expression reads. Iterates, so that deep expressions are no danger to the stack.
    pub(crate) fn of(&mut self, program: &Program, id: ExprId) -> Rc<[Access]> {
        if let Some(known) = self.cache.get(&id) {
            return Rc::clone(known);
        }
        let mut seen = HashSet::from([id]);
        let mut found = HashSet::new();
        let mut list = Vec::new();
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            source::limits::check();
            each_direct(program, id, |access| {
                if found.insert(access) {
                    list.push(access);
                }
            });
            program.exprs.operands(id, |operand| {
                if seen.insert(operand) {
                    waiting.push(operand);
                }
            });
        }
        let list: Rc<[Access]> = list.into();
        self.cache.insert(id, Rc::clone(&list));
        list
    }
}

/// What the node itself reads, its operands left aside.
fn each_direct(program: &Program, id: ExprId, mut each: impl FnMut(Access)) {
    match program.exprs.get(id) {
        Expr::Load(place) => match place.root {
            Root::Global(global) => each(Access::Global(global)),
            Root::Own(local) => each(Access::Own(local)),
            Root::Frame(local) => each(Access::Frame(local)),
            Root::Remote { process, local, .. } => each(Access::Remote(process, local)),
            Root::Argument(argument) => each(Access::Argument(argument)),
            Root::Cell(_) => {}
        },
        Expr::Next(global) => each(Access::Global(*global)),
        Expr::At {
            process, location, ..
        } => each(Access::At(*process, *location)),
        Expr::AnyAt(places) => places.iter().for_each(|&(p, at)| each(Access::At(p, at))),
        Expr::First(_) => each(Access::Count),
        Expr::Enabled(_) | Expr::NothingEnabled => each(Access::Enabledness),
        Expr::InstanceCount => each(Access::Count),
        Expr::ChannelLen(_) => each(Access::Length),
        Expr::Poll {
            channel, patterns, ..
        } => {
            let channel = known_channel(program, *channel);
            each(Access::Length);
            for (field, pattern) in (0u32..).zip(patterns) {
                if pattern.is_some() {
                    each(Access::Field(channel, field));
                }
            }
        }
        _ => {}
    }
}

/// The channel that a constant reference names, if no other can have the same reference.
pub(crate) fn known_channel(program: &Program, reference: ExprId) -> Option<ChannelId> {
    let Some(Value::Int(number)) = program.exprs.constant(reference) else {
        return None;
    };
    let place = usize::try_from(number - 1).ok()?;
    (0..program.channels.len())
        .map(ChannelId::new)
        .filter(|id| program.channels[id.index()].from_start)
        .nth(place)
        // A reference may be used again only by a channel that is made at run time.
        .filter(|id| {
            program.channels[id.index()].owner.is_none()
                || program.channels.iter().all(|channel| channel.from_start)
        })
}

/// Where an expression is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    /// By an instance of a template, perhaps in one of its procedures.
    Process(ProcessId, Option<ProcedureId>),
    /// By an observer of an event, on behalf of any instance.
    Observer(EventId),
    /// From outside: properties, constraints.
    Outside,
}

/// Which procedure each location of each process belongs to.
pub(crate) struct Frames {
    of_location: Vec<Vec<Option<ProcedureId>>>,
}

impl Frames {
    /// `None` if two procedures share a location: then frames cannot be told apart, and passes
    /// that need to leave the program as it is.
    pub(crate) fn of(program: &Program) -> Option<Self> {
        let mut of_location = Vec::new();
        for process in &program.processes {
            let mut owner: Vec<Option<ProcedureId>> = vec![None; process.locations.len()];
            let outgoing = outgoing(process);
            for (index, procedure) in process.procedures.iter().enumerate() {
                let id = ProcedureId::new(index);
                let mut seen = vec![false; process.locations.len()];
                let mut waiting = vec![procedure.entry];
                while let Some(at) = waiting.pop() {
                    source::limits::check();
                    if std::mem::replace(&mut seen[at.index()], true) {
                        continue;
                    }
                    if owner[at.index()].replace(id).is_some() {
                        return None;
                    }
                    for &step in &outgoing[at.index()] {
                        match &process.steps[step].target {
                            Target::Goto(to) | Target::Call { then: to, .. } => waiting.push(*to),
                            Target::Return(_) | Target::End => {}
                        }
                    }
                }
            }
            of_location.push(owner);
        }
        Some(Frames { of_location })
    }

    /// The scope of a step.
    pub(crate) fn step(&self, program: &Program, process: ProcessId, step: usize) -> Scope {
        let template = &program.processes[process.index()];
        let id = model::StepId::new(step);
        // An escape runs where it covers.
        let at = template
            .escapes
            .iter()
            .find(|escape| escape.steps.contains(&id))
            .and_then(|escape| escape.covers.first().copied())
            .unwrap_or(template.steps[step].from);
        let procedure = self.of_location[process.index()][at.index()];
        Scope::Process(process, procedure)
    }
}

/// The procedures that a call may enter.
pub(crate) fn callees(process: &model::Process, callee: &Callee) -> Vec<ProcedureId> {
    match callee {
        Callee::Known(procedure) => vec![*procedure],
        Callee::Value(_) => (0..process.procedures.len())
            .map(ProcedureId::new)
            .collect(),
    }
}

/// For each process whether there is exactly one instance of it, from the start.
pub(crate) fn singles(program: &Program) -> Vec<bool> {
    let mut instances = vec![0usize; program.processes.len()];
    for start in &program.start {
        instances[start.process.index()] += 1;
    }
    // Whoever is started later may be so any number of times.
    for process in &program.processes {
        for step in &process.steps {
            spawned(&step.body, &mut |id| instances[id.index()] = 2);
        }
    }
    instances.into_iter().map(|count| count == 1).collect()
}

fn spawned(body: &[Stmt], each: &mut impl FnMut(ProcessId)) {
    for stmt in body {
        match stmt {
            Stmt::Spawn { process, .. } => each(*process),
            Stmt::If(_, then, otherwise) => {
                spawned(then, each);
                spawned(otherwise, each);
            }
            _ => {}
        }
    }
}

/// For each step whether it belongs to an escape: then its own `from` means nothing.
pub(crate) fn escape_steps(process: &model::Process) -> Vec<bool> {
    let mut is_escape = vec![false; process.steps.len()];
    for step in process.escapes.iter().flat_map(|escape| &escape.steps) {
        is_escape[step.index()] = true;
    }
    is_escape
}

/// For each location the steps that may be taken there, by position: its own and those of the
/// escapes that cover it.
pub(crate) fn outgoing(process: &model::Process) -> Vec<Vec<usize>> {
    let is_escape = escape_steps(process);
    let mut outgoing = vec![Vec::new(); process.locations.len()];
    for (index, step) in process.steps.iter().enumerate() {
        if !is_escape[index] {
            outgoing[step.from.index()].push(index);
        }
    }
    for escape in &process.escapes {
        for at in &escape.covers {
            outgoing[at.index()].extend(escape.steps.iter().map(|step| step.index()));
        }
    }
    outgoing
}

/// The variables that an access may mean in a scope.
pub(crate) fn resolve(program: &Program, scope: Scope, access: Access, mut each: impl FnMut(Var)) {
    match (access, scope) {
        (Access::Global(global), _) => each(Var::Global(global)),
        (Access::Own(local), Scope::Process(process, _)) => each(Var::Own(process, local)),
        (Access::Frame(local), Scope::Process(process, Some(procedure))) => {
            each(Var::Frame(process, procedure, local));
        }
        (Access::Remote(process, local), _) => each(Var::Own(process, local)),
        (Access::Argument(argument), Scope::Observer(event)) => {
            each(Var::Argument(event, argument));
        }
        (Access::Field(channel, field), _) => match channel {
            Some(channel) => each(Var::Field(channel, field)),
            None => {
                for index in 0..program.channels.len() {
                    each(Var::Field(ChannelId::new(index), field));
                }
            }
        },
        // Read by whoever emits: any process, any procedure.
        (Access::Own(local), _) => {
            for index in 0..program.processes.len() {
                each(Var::Own(ProcessId::new(index), local));
            }
        }
        (Access::Frame(local), _) => {
            for (index, process) in program.processes.iter().enumerate() {
                for procedure in 0..process.procedures.len() {
                    let procedure = ProcedureId::new(procedure);
                    each(Var::Frame(ProcessId::new(index), procedure, local));
                }
            }
        }
        (
            Access::Argument(_)
            | Access::Length
            | Access::At(..)
            | Access::Enabledness
            | Access::Count,
            _,
        ) => {}
    }
}

/// The variable that an assignment to a place writes; `None` for a cell of an object.
pub(crate) fn written(scope: Scope, place: &Place) -> Option<Var> {
    match (place.root, scope) {
        (Root::Global(global), _) => Some(Var::Global(global)),
        (Root::Own(local), Scope::Process(process, _)) => Some(Var::Own(process, local)),
        (Root::Frame(local), Scope::Process(process, Some(procedure))) => {
            Some(Var::Frame(process, procedure, local))
        }
        _ => None,
    }
}

/// Whether two ways of writing a truth are each other's negation, seen from their form alone.
pub(crate) fn are_opposite(pool: &ExprPool, a: ExprId, b: ExprId) -> bool {
    use model::{Binary, Unary};
    let negates = |a: ExprId, b: ExprId| match (pool.get(a), pool.get(b)) {
        (Expr::Unary(Unary::Not, inner), _) => *inner == b,
        (Expr::Binary(Binary::Lt, x, y), Expr::Binary(Binary::Le, v, w)) => x == w && y == v,
        (Expr::Binary(Binary::Eq, x, y), Expr::Binary(Binary::Ne, v, w)) => x == v && y == w,
        _ => false,
    };
    negates(a, b) || negates(b, a)
}

//! What each step does to what instances share.
//!
//! The analysis goes through the program's text on behalf of one instance, whose number and
//! constant parameters it knows: so it tells the channels of equal processes apart, and the
//! elements of an array that each has for itself. What it cannot tell counts as an access to
//! [everything](SharedObject::Everything).

use std::collections::{HashMap, HashSet};

use model::{
    BarrierId, Binary, Callee, ChannelOwner, Choice, Comm, Composition, EventId, Expr, ExprId,
    GlobalId, IdPolicy, LocId, Mode, Pattern, Place, ProcessId, Program, Projection, Root, StepId,
    Stmt, Target, Type, Value, ValueSet, VariableKind,
};

use super::actors::{Actor, Channels};
use super::constants::frozen;
use super::dependence::{AccessKind, AccessSet, AccessTable, SharedObject};
use crate::ir::write_set::Written;

/// Longer arrays count as one variable.
const ELEMENTS: u32 = 64;
/// How deep an expression may be to be looked at as a constant.
const DEPTH: u32 = 12;

/// The communication of a step.
#[derive(Clone, Debug)]
pub(super) struct Communication {
    /// The channels that it may be about.
    pub(super) places: Vec<u32>,
    pub(super) access: AccessKind,
    /// Whether it could fail for other reasons than that the channel is empty or full, which
    /// others' sends may mend.
    pub(super) picky: bool,
}

/// A step where it is offered.
#[derive(Clone, Debug)]
pub(super) struct OfferedStep {
    pub(super) step: StepId,
    /// What it does, its communication left aside.
    pub(super) accesses: AccessSet,
    pub(super) talk: Option<Communication>,
    /// The barrier that it passes.
    pub(super) barrier: Option<BarrierId>,
    /// Enabled only where nothing else is.
    pub(super) waits: bool,
    /// Enabled according to whether anything else is, in some other way.
    pub(super) asks: bool,
    /// Another instance may begin the move that it is part of.
    pub(super) joins: bool,
    /// Where control may be afterwards, at first.
    pub(super) targets: Vec<LocId>,
    /// Whether the instance may end.
    pub(super) ends: bool,
    pub(super) spawns: Vec<ProcessId>,
    /// Its precedence and rank.
    pub(super) urgency: (u16, u16),
}

/// The analysis.
pub(super) struct AccessSets<'p> {
    program: &'p Program,
    channels: &'p Channels,
    pub(super) accesses: AccessTable,
    written: Written,
    /// Locals that others look at.
    looked_at: HashSet<(ProcessId, u32)>,
    /// Locations that others look at.
    watched: HashSet<(ProcessId, LocId)>,
    /// What the query reads.
    pub(super) observed: AccessSet,
    /// The values of globals that never change, flat.
    frozen: HashMap<GlobalId, Vec<i64>>,
    /// The highest priority class that there are moves of.
    class: u8,
    stack: bool,
}

/// On whose behalf text is gone through.
#[derive(Clone, Copy)]
struct Scope<'a> {
    actor: Option<&'a Actor>,
    /// Whether `NothingEnabled` has been dealt with.
    waits: bool,
}

impl<'p> AccessSets<'p> {
    /// The access sets of a program; nothing if what the query looks at cannot be told.
    pub(super) fn new(
        program: &'p Program,
        channels: &'p Channels,
        observed: &[ExprId],
        class: u8,
    ) -> Option<AccessSets<'p>> {
        if program.leaver.is_some() {
            // Every move says who made it: no two can be exchanged.
            return None;
        }
        let written = Written::of(program);
        let mut access_sets = AccessSets {
            program,
            channels,
            accesses: AccessTable::new(channels.places.iter().map(|c| c.rendezvous).collect()),
            frozen: frozen(program, &written),
            written,
            looked_at: HashSet::new(),
            watched: HashSet::new(),
            observed: AccessSet::default(),
            class,
            stack: program.composition
                == Composition::Interleaving {
                    ids: IdPolicy::Stack,
                },
        };
        // Any expression may be one that some step evaluates.
        for index in 0..program.exprs.len() {
            match program.exprs.get(ExprId::new(index)) {
                Expr::Load(Place {
                    root: Root::Remote { process, local, .. },
                    ..
                }) => {
                    access_sets.looked_at.insert((*process, *local));
                }
                Expr::At {
                    process, location, ..
                } => {
                    access_sets.watched.insert((*process, *location));
                }
                Expr::AnyAt(places) => access_sets.watched.extend(places),
                _ => {}
            }
        }
        let mut reads = AccessSet::default();
        let nobody = Scope {
            actor: None,
            waits: false,
        };
        for &id in observed {
            access_sets.expr(nobody, id, &mut reads);
        }
        let everything = access_sets
            .accesses
            .id(SharedObject::Everything, AccessKind::Write);
        if reads.iter().any(|id| id == everything) || access_sets.reads_step_variables(observed) {
            return None;
        }
        access_sets.observed = reads;
        Some(access_sets)
    }

    fn reads_step_variables(&self, observed: &[ExprId]) -> bool {
        let mut seen = HashSet::new();
        let mut waiting = observed.to_vec();
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let Expr::Load(place) = self.program.exprs.get(id)
                && let Root::Global(global) = place.root
                && self.program.globals[global.index()].kind == VariableKind::Step
            {
                return true;
            }
            self.program.exprs.operands(id, |each| waiting.push(each));
        }
        false
    }

    /// The steps offered at each location of an actor.
    pub(super) fn offers(&mut self, actor: &Actor) -> Vec<Vec<OfferedStep>> {
        let process = &self.program.processes[actor.process.index()];
        let mut offered: Vec<Vec<(StepId, u16)>> = vec![Vec::new(); process.locations.len()];
        let escaping: HashSet<StepId> = process
            .escapes
            .iter()
            .flat_map(|escape| escape.steps.iter().copied())
            .collect();
        for (index, step) in process.steps.iter().enumerate() {
            if !escaping.contains(&StepId::new(index)) {
                offered[step.from.index()].push((StepId::new(index), 0));
            }
        }
        for escape in &process.escapes {
            for covered in &escape.covers {
                let steps = escape.steps.iter().map(|&step| (step, escape.precedence));
                offered[covered.index()].extend(steps);
            }
        }
        offered
            .into_iter()
            .enumerate()
            .map(|(at, steps)| {
                steps
                    .into_iter()
                    .map(|(step, precedence)| self.offer(actor, LocId::new(at), step, precedence))
                    .collect()
            })
            .collect()
    }

    fn offer(&mut self, actor: &Actor, at: LocId, id: StepId, precedence: u16) -> OfferedStep {
        let program = self.program;
        let process = &program.processes[actor.process.index()];
        let step = &process.steps[id.index()];
        let open = process.locations[at.index()].mode == Mode::Open;
        let mut accesses = AccessSet::default();
        let mut scope = Scope {
            actor: Some(actor),
            waits: false,
        };
        accesses.insert(self.accesses.id(SharedObject::Everything, AccessKind::Read));
        let talk = step
            .comm
            .as_ref()
            .and_then(|comm| self.communication(scope, comm, &mut accesses));
        let alone = !matches!(step.comm, Some(Comm::Barrier(_)))
            && talk.as_ref().is_none_or(|talk| {
                let mut places = talk.places.iter();
                places.all(|&place| !self.accesses.rendezvous[place as usize])
            });
        // Within a macro step, others' moves do not keep it from being asked.
        let waits = open && alone && step.guard.is_some_and(|guard| self.waits(guard));
        scope.waits = waits;
        let mut guards = step
            .guard
            .iter()
            .filter(|_| !waits)
            .chain(&process.provided);
        let asks = guards.any(|&guard| self.asks(guard));
        for guard in step.guard.iter().chain(&process.provided) {
            self.expr(scope, *guard, &mut accesses);
        }
        scope.waits = false;
        for bind in &step.binds {
            self.choice(scope, bind, &mut accesses);
        }
        let mut spawns = Vec::new();
        self.body(
            scope,
            &step.body,
            &mut accesses,
            &mut spawns,
            &mut Vec::new(),
        );
        let mut targets = Vec::new();
        let mut ends = false;
        match &step.target {
            Target::Goto(to) => targets.push(*to),
            Target::Call {
                callee,
                args,
                result,
                then,
            } => {
                for arg in args {
                    self.expr(scope, *arg, &mut accesses);
                }
                if let Some(place) = result {
                    self.write(scope, place, &mut accesses);
                }
                match callee {
                    Callee::Known(procedure) => {
                        targets.push(process.procedures[procedure.index()].entry);
                    }
                    Callee::Value(value) => {
                        self.expr(scope, *value, &mut accesses);
                        targets.extend(process.procedures.iter().map(|p| p.entry));
                    }
                }
                targets.push(*then);
            }
            Target::Return(value) => {
                if let Some(value) = value {
                    self.expr(scope, *value, &mut accesses);
                }
                targets.extend(process.steps.iter().filter_map(|step| match step.target {
                    Target::Call { then, .. } => Some(then),
                    _ => None,
                }));
            }
            Target::End => {
                ends = true;
                if !self.stack {
                    self.go(actor, &mut accesses);
                }
            }
        }
        targets.extend(process.on_fault);
        for location in targets.iter().chain([&at]) {
            self.moves(actor.process, *location, &mut accesses);
        }
        OfferedStep {
            step: id,
            accesses,
            // What is less urgent than what others can do at any time waits as well.
            waits: waits || open && alone && step.class < self.class,
            asks,
            joins: !alone && !matches!(step.comm, Some(Comm::Send { .. })),
            talk,
            barrier: match step.comm {
                Some(Comm::Barrier(barrier)) => Some(barrier),
                _ => None,
            },
            targets,
            ends,
            spawns,
            urgency: (precedence, step.rank),
        }
    }

    /// Whether instances go away in a step of their own.
    pub(super) fn is_stack(&self) -> bool {
        self.stack
    }

    /// What an ended instance does when it goes away.
    pub(super) fn departure(&mut self, actor: &Actor) -> AccessSet {
        let mut accesses = AccessSet::default();
        accesses.insert(self.accesses.id(SharedObject::Everything, AccessKind::Read));
        self.go(actor, &mut accesses);
        let scope = Scope {
            actor: Some(actor),
            waits: false,
        };
        if let Some(provided) = self.program.processes[actor.process.index()].provided {
            self.expr(scope, provided, &mut accesses);
        }
        for &global in self.program.leaver.iter().chain(&self.program.per_instance) {
            self.write(scope, &Place::global(global), &mut accesses);
        }
        accesses
    }

    fn go(&mut self, actor: &Actor, into: &mut AccessSet) {
        into.insert(self.accesses.id(SharedObject::Roster, AccessKind::Go));
        // Its locals are zero for those who look at them.
        let locals = self.program.processes[actor.process.index()].locals.len();
        for local in (0..).take(locals) {
            if self.looked_at.contains(&(actor.process, local)) {
                into.insert(
                    self.accesses
                        .id(SharedObject::Local(actor.process, local), AccessKind::Write),
                );
            }
        }
        for (place, channel) in (0..).zip(&self.channels.places) {
            if channel.owners.contains(&actor.number) {
                into.insert(self.accesses.id(SharedObject::References, AccessKind::Go));
                into.insert(
                    self.accesses
                        .id(SharedObject::Channel(place), AccessKind::Write),
                );
            }
        }
    }

    /// Control comes to a location, or leaves it.
    fn moves(&mut self, process: ProcessId, location: LocId, into: &mut AccessSet) {
        if self.watched.contains(&(process, location)) {
            into.insert(self.accesses.id(
                SharedObject::Whereabouts(process, location),
                AccessKind::Write,
            ));
        }
    }

    /// The accesses of a communication; a `test` also depends on whether it is possible.
    pub(super) fn talk(&mut self, talk: &Communication, test: bool, into: &mut AccessSet) {
        for &place in &talk.places {
            into.insert(self.accesses.id(SharedObject::Channel(place), talk.access));
            if test {
                into.insert(
                    self.accesses
                        .id(SharedObject::Channel(place), AccessKind::Test),
                );
            }
        }
    }

    fn communication(
        &mut self,
        scope: Scope<'_>,
        comm: &Comm,
        into: &mut AccessSet,
    ) -> Option<Communication> {
        match comm {
            Comm::Send {
                channel,
                message,
                sorted,
                lossy,
            } => {
                self.expr(scope, *channel, into);
                for field in message {
                    self.expr(scope, *field, into);
                }
                Some(Communication {
                    places: self.channel(scope, *channel),
                    access: if *sorted || *lossy {
                        AccessKind::Write
                    } else {
                        AccessKind::Send
                    },
                    picky: false,
                })
            }
            Comm::Receive {
                channel,
                patterns,
                anywhere,
                ..
            } => {
                self.expr(scope, *channel, into);
                for pattern in patterns {
                    match pattern {
                        Pattern::Bind(place) => self.write(scope, place, into),
                        Pattern::Match(value) => self.expr(scope, *value, into),
                        Pattern::Any => {}
                    }
                }
                Some(Communication {
                    places: self.channel(scope, *channel),
                    access: AccessKind::Receive,
                    picky: *anywhere,
                })
            }
            Comm::Barrier(barrier) => {
                into.insert(
                    self.accesses
                        .id(SharedObject::Barrier(*barrier), AccessKind::Write),
                );
                None
            }
        }
    }

    fn body(
        &mut self,
        scope: Scope<'_>,
        body: &[Stmt],
        into: &mut AccessSet,
        spawns: &mut Vec<ProcessId>,
        emitting: &mut Vec<EventId>,
    ) {
        for stmt in body {
            match stmt {
                Stmt::Assign(place, value) => {
                    self.expr(scope, *value, into);
                    self.write(scope, place, into);
                }
                Stmt::Choose(choice) => self.choice(scope, choice, into),
                Stmt::If(condition, then, otherwise) => {
                    self.expr(scope, *condition, into);
                    self.body(scope, then, into, spawns, emitting);
                    self.body(scope, otherwise, into, spawns, emitting);
                }
                Stmt::Assert { cond, .. } | Stmt::Assume(cond) => self.expr(scope, *cond, into),
                Stmt::Raise(_) => {}
                Stmt::Emit { event, args, .. } => {
                    for arg in args {
                        self.expr(scope, *arg, into);
                    }
                    if emitting.contains(event) {
                        continue;
                    }
                    emitting.push(*event);
                    let program = self.program;
                    for observer in program.observers.iter().filter(|o| o.event == *event) {
                        self.body(scope, &observer.body, into, spawns, emitting);
                    }
                    emitting.pop();
                }
                Stmt::Spawn {
                    process,
                    args,
                    result,
                    share_frame,
                } => {
                    for arg in args {
                        self.expr(scope, *arg, into);
                    }
                    if let Some(place) = result {
                        self.write(scope, place, into);
                    }
                    spawns.push(*process);
                    into.insert(self.accesses.id(SharedObject::Roster, AccessKind::Come));
                    let template = &self.program.processes[process.index()];
                    self.moves(*process, template.entry, into);
                    for local in (0..).take(template.locals.len()) {
                        if self.looked_at.contains(&(*process, local)) {
                            into.insert(
                                self.accesses
                                    .id(SharedObject::Local(*process, local), AccessKind::Write),
                            );
                        }
                    }
                    if *share_frame {
                        self.anything(into);
                    }
                }
                Stmt::NewChannel { owner, result, .. } => {
                    self.write(scope, result, into);
                    into.insert(
                        self.accesses
                            .id(SharedObject::References, AccessKind::Write),
                    );
                    for (place, channel) in (0..).zip(&self.channels.places) {
                        if !channel.always {
                            into.insert(
                                self.accesses
                                    .id(SharedObject::Channel(place), AccessKind::Write),
                            );
                        }
                    }
                    if !matches!(owner, ChannelOwner::Nobody) {
                        into.insert(self.accesses.id(SharedObject::Roster, AccessKind::Read));
                    }
                }
                Stmt::New { result, .. } => {
                    self.write(scope, result, into);
                    into.insert(self.accesses.id(SharedObject::Heap, AccessKind::Write));
                }
                Stmt::Free(pointer) => {
                    self.expr(scope, *pointer, into);
                    into.insert(self.accesses.id(SharedObject::Heap, AccessKind::Write));
                }
            }
        }
    }

    fn choice(&mut self, scope: Scope<'_>, choice: &Choice, into: &mut AccessSet) {
        self.value_set(scope, &choice.set, into);
        for value in choice.sample.iter().flatten() {
            self.expr(scope, *value, into);
        }
        self.write(scope, &choice.place, into);
    }

    fn value_set(&mut self, scope: Scope<'_>, set: &ValueSet, into: &mut AccessSet) {
        let mut operands = Vec::new();
        set.operands(&mut |id| operands.push(id));
        for id in operands {
            self.expr(scope, id, into);
        }
    }

    fn write(&mut self, scope: Scope<'_>, place: &Place, into: &mut AccessSet) {
        self.place(scope, place, AccessKind::Write, into);
        let mut operands = Vec::new();
        place.operands(|id| operands.push(id));
        for id in operands {
            self.expr(scope, id, into);
        }
    }

    /// What is done to a place; what stands inside it is left aside.
    fn place(&mut self, scope: Scope<'_>, place: &Place, access: AccessKind, into: &mut AccessSet) {
        match place.root {
            Root::Global(global) => {
                let variable = &self.program.globals[global.index()];
                if variable.kind == VariableKind::Step || !self.written.globals[global.index()] {
                    return;
                }
                let (count, chosen) = match (&variable.ty, place.path.first()) {
                    (Type::Array(_, length), Some(Projection::Index(index)))
                        if *length <= ELEMENTS =>
                    {
                        (*length, self.number(scope, *index, DEPTH))
                    }
                    (Type::Array(_, length), _) if *length <= ELEMENTS => (*length, None),
                    _ => (1, None),
                };
                let chosen = chosen.and_then(|n| u32::try_from(n).ok());
                for piece in 0..count {
                    if chosen.is_none_or(|chosen| chosen == piece) {
                        into.insert(
                            self.accesses
                                .id(SharedObject::Global(global, piece), access),
                        );
                    }
                }
            }
            Root::Own(local) => match scope.actor {
                Some(actor) => {
                    if self.looked_at.contains(&(actor.process, local)) {
                        into.insert(
                            self.accesses
                                .id(SharedObject::Local(actor.process, local), access),
                        );
                    }
                }
                None => self.anything(into),
            },
            Root::Frame(_) | Root::Argument(_) => {
                if scope.actor.is_none() {
                    self.anything(into);
                }
            }
            Root::Remote { process, local, .. } => {
                into.insert(self.accesses.id(SharedObject::Roster, AccessKind::Read));
                into.insert(
                    self.accesses
                        .id(SharedObject::Local(process, local), access),
                );
                if access != AccessKind::Read {
                    self.anything(into);
                }
            }
            Root::Cell(_) => {
                into.insert(self.accesses.id(SharedObject::Heap, access));
            }
        }
    }

    fn anything(&mut self, into: &mut AccessSet) {
        into.insert(
            self.accesses
                .id(SharedObject::Everything, AccessKind::Write),
        );
    }

    /// What evaluating an expression reads.
    fn expr(&mut self, scope: Scope<'_>, id: ExprId, into: &mut AccessSet) {
        let mut seen = HashSet::new();
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            let program = self.program;
            match program.exprs.get(id) {
                Expr::Load(place) => self.place(scope, place, AccessKind::Read, into),
                Expr::At {
                    process, location, ..
                } => {
                    let thing = SharedObject::Whereabouts(*process, *location);
                    into.insert(self.accesses.id(thing, AccessKind::Read));
                    into.insert(self.accesses.id(SharedObject::Roster, AccessKind::Read));
                }
                Expr::NothingEnabled if scope.waits => {}
                Expr::Enabled(_) | Expr::NothingEnabled | Expr::Next(_) => self.anything(into),
                Expr::AnyAt(places) => {
                    for (process, location) in places {
                        let thing = SharedObject::Whereabouts(*process, *location);
                        into.insert(self.accesses.id(thing, AccessKind::Read));
                    }
                    into.insert(self.accesses.id(SharedObject::Roster, AccessKind::Read));
                }
                Expr::InstanceCount | Expr::First(_) => {
                    into.insert(self.accesses.id(SharedObject::Roster, AccessKind::Read));
                }
                Expr::ChannelLen(channel)
                | Expr::ChannelCapacity(channel)
                | Expr::Poll { channel, .. } => {
                    for place in self.channel(scope, *channel) {
                        into.insert(
                            self.accesses
                                .id(SharedObject::Channel(place), AccessKind::Test),
                        );
                    }
                }
                Expr::Me if scope.actor.is_none() => self.anything(into),
                Expr::Const(_)
                | Expr::Unary(..)
                | Expr::Binary(..)
                | Expr::Ite(..)
                | Expr::Convert(_)
                | Expr::Tuple(_)
                | Expr::Apply(..)
                | Expr::Me => {}
            }
            program.exprs.operands(id, |operand| waiting.push(operand));
        }
    }

    /// Whether an expression is about whether anything is enabled.
    fn asks(&self, id: ExprId) -> bool {
        let pool = &self.program.exprs;
        let mut seen = HashSet::new();
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            if matches!(pool.get(id), Expr::NothingEnabled) {
                return true;
            }
            if seen.insert(id) {
                pool.operands(id, |operand| waiting.push(operand));
            }
        }
        false
    }

    /// Whether a guard can hold only where nothing else is enabled, and asks that nowhere else.
    fn waits(&self, guard: ExprId) -> bool {
        let pool = &self.program.exprs;
        let mut waits = false;
        let mut conjuncts = vec![guard];
        while let Some(id) = conjuncts.pop() {
            match pool.get(id) {
                Expr::Binary(Binary::And, a, b) => conjuncts.extend([*a, *b]),
                Expr::NothingEnabled => waits = true,
                _ if self.asks(id) => return false,
                _ => {}
            }
        }
        waits
    }

    /// The channels that a reference may name, each by its reference less one.
    fn channel(&self, scope: Scope<'_>, reference: ExprId) -> Vec<u32> {
        let count = self.channels.places.len();
        let place = |n: i128| u32::try_from(n - 1).ok().filter(|&n| (n as usize) < count);
        if let Some(number) = self.number(scope, reference, DEPTH) {
            return place(number).into_iter().collect();
        }
        if let Expr::Load(loaded) = self.program.exprs.get(reference)
            && let Root::Global(global) = loaded.root
            && let Some(values) = self.frozen.get(&global)
            && matches!(&self.program.globals[global.index()].ty, Type::Array(item, _) if **item == Type::Channel)
        {
            let mut all: Vec<u32> = values.iter().filter_map(|&n| place(n.into())).collect();
            all.sort_unstable();
            all.dedup();
            return all;
        }
        (0..).take(count).collect()
    }

    /// The number that an expression always is.
    fn number(&self, scope: Scope<'_>, id: ExprId, depth: u32) -> Option<i128> {
        let depth = depth.checked_sub(1)?;
        let pool = &self.program.exprs;
        match pool.get(id) {
            Expr::Const(Value::Int(n)) => Some(*n),
            Expr::Me => i128::try_from(scope.actor?.number).ok(),
            Expr::Load(place) => {
                let (values, ty) = match place.root {
                    Root::Own(local) => {
                        let actor = scope.actor?;
                        let process = &self.program.processes[actor.process.index()];
                        let variable = process.locals.get(local as usize)?;
                        (actor.known.get(local as usize)?.as_ref()?, &variable.ty)
                    }
                    Root::Global(global) => (
                        self.frozen.get(&global)?,
                        &self.program.globals[global.index()].ty,
                    ),
                    _ => return None,
                };
                match (place.path.as_slice(), ty) {
                    ([], _) if values.len() == 1 => Some(values[0].into()),
                    ([Projection::Index(index)], Type::Array(_, length))
                        if values.len() == *length as usize =>
                    {
                        let index = self.number(scope, *index, depth)?;
                        values.get(usize::try_from(index).ok()?).map(|&n| n.into())
                    }
                    _ => None,
                }
            }
            Expr::Convert(inner) => {
                let n = self.number(scope, *inner, depth)?;
                let ty = pool.ty(id);
                matches!(
                    ty,
                    Type::Int { .. } | Type::Channel | Type::Instance | Type::Mathint
                )
                .then(|| ty.wrap(n))
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (
                    self.number(scope, *a, depth)?,
                    self.number(scope, *b, depth)?,
                );
                let ty = pool.ty(id);
                let exact = match op {
                    Binary::Add => a.checked_add(b)?,
                    Binary::Sub => a.checked_sub(b)?,
                    Binary::Mul => a.checked_mul(b)?,
                    Binary::Div => a.checked_div(b)?,
                    Binary::Rem => a.checked_rem(b)?,
                    _ => return None,
                };
                matches!(ty, Type::Int { .. } | Type::Mathint).then(|| ty.wrap(exact))
            }
            _ => None,
        }
    }
}

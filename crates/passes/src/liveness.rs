//! Which variables may still be read.
//!
//! The classical backward analysis (Aho, Lam, Sethi and Ullman 2006, section 9.2.5), in its strong
//! form where no other process reads the variable that is written: then a right side counts as
//! read only if its variable is live or its evaluation can fault. One process at a time, over its locations; calls enter the procedures they may enter, and
//! returns lead to whatever called them, paths that no run takes included. Observers run where
//! their events are emitted. A fault may end a step at any point, so what is live where it leads
//! is live before every step that can fault.

use std::collections::HashMap;

use model::{
    Callee, Choice, Comm, ExprId, LocId, Pattern, Place, Process, ProcessId, Program, Root, Stmt,
    Target,
};

use crate::access::{Accesses, Frames, Scope, Var, callees, outgoing, resolve, singles, written};
use crate::faults::Faults;
use crate::rewrite::is_disabled;

/// A set of variables, by their positions in a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub(crate) fn new(count: usize) -> Self {
        Bits(vec![0; count.div_ceil(64)])
    }

    pub(crate) fn contains(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 != 0
    }

    pub(crate) fn insert(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    pub(crate) fn remove(&mut self, bit: usize) {
        self.0[bit / 64] &= !(1 << (bit % 64));
    }

    /// Adds all of `other`; says whether that changed anything.
    pub(crate) fn join(&mut self, other: &Bits) -> bool {
        let mut changed = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            changed |= more & !*word != 0;
            *word |= more;
        }
        changed
    }

    pub(crate) fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|&bit| self.contains(bit))
    }
}

/// What is live in one process.
pub(crate) struct Live {
    /// At each location.
    pub(crate) at: Vec<Bits>,
    /// What the process reads at all.
    pub(crate) reads: Bits,
}

/// The analysis of one program.
pub(crate) struct Liveness<'p> {
    pub(crate) program: &'p Program,
    frames: &'p Frames,
    accesses: Accesses,
    faults: Faults,
    /// The positions of the variables that are of interest.
    positions: HashMap<Var, usize>,
    reads: Bits,
    /// What other processes read than the one that is looked at; nothing is known yet at first.
    shared: Option<Bits>,
    /// For each process what is observed of its instances, location by location.
    observed: Vec<ObservedAt>,
}

/// What is observed of the instances of a process.
#[derive(Clone, Debug, Default)]
pub(crate) struct ObservedAt {
    /// At each location where a run may be seen to be.
    pub(crate) at: Vec<Bits>,
    /// When it has ended.
    pub(crate) ended: Bits,
    /// When a fault has stopped it, for each location where that was.
    pub(crate) halted: Vec<Bits>,
}

impl<'p> Liveness<'p> {
    pub(crate) fn new(program: &'p Program, frames: &'p Frames, vars: &[Var]) -> Self {
        Liveness {
            program,
            frames,
            accesses: Accesses::default(),
            faults: Faults::default(),
            positions: vars.iter().enumerate().map(|(i, &v)| (v, i)).collect(),
            reads: Bits::new(vars.len()),
            shared: None,
            observed: Vec::new(),
        }
    }

    /// The same with what is observed, for each process.
    pub(crate) fn with_observed(mut self, observed: Vec<ObservedAt>) -> Self {
        self.observed = observed;
        self
    }

    /// The position of a variable that is of interest.
    pub(crate) fn position(&self, var: Var) -> Option<usize> {
        self.positions.get(&var).copied()
    }

    /// What is live in each process.
    pub(crate) fn of_all(&mut self) -> Vec<Live> {
        let ids = || (0..self.program.processes.len()).map(ProcessId::new);
        self.shared = None;
        let first: Vec<Live> = ids().map(|id| self.of(id)).collect();
        // How many processes read each variable.
        let mut readers = vec![0usize; self.positions.len()];
        for live in &first {
            live.reads
                .ones()
                .for_each(|position| readers[position] += 1);
        }
        let mut globals = Bits::new(self.positions.len());
        for (&var, &position) in &self.positions {
            if matches!(var, Var::Global(_)) {
                globals.insert(position);
            }
        }
        let singles = singles(self.program);
        ids()
            .map(|id| {
                // One instance may read what another writes.
                let mut shared = match singles[id.index()] {
                    true => Bits::new(self.positions.len()),
                    false => globals.clone(),
                };
                let own = &first[id.index()].reads;
                for (position, &count) in readers.iter().enumerate() {
                    if count > usize::from(own.contains(position)) {
                        shared.insert(position);
                    }
                }
                self.shared = Some(shared);
                self.of(id)
            })
            .collect()
    }

    /// The locations where a step may lead, the aftermath of faults left aside.
    pub(crate) fn leads_to(&self, id: ProcessId, step: usize) -> Vec<LocId> {
        let process = &self.program.processes[id.index()];
        match &process.steps[step].target {
            Target::Goto(to) => vec![*to],
            Target::Call { callee, .. } => callees(process, callee)
                .into_iter()
                .map(|procedure| process.procedures[procedure.index()].entry)
                .collect(),
            Target::Return(_) => {
                let Scope::Process(_, Some(from)) = self.frames.step(self.program, id, step) else {
                    return Vec::new();
                };
                returns_to(process, from).map(|(then, _)| then).collect()
            }
            Target::End => Vec::new(),
        }
    }

    /// What is live at each location of a process.
    fn of(&mut self, id: ProcessId) -> Live {
        let count = self.positions.len();
        let process = &self.program.processes[id.index()];
        let outgoing = outgoing(process);
        self.reads = Bits::new(count);
        let observed = self.observed.get(id.index()).cloned();
        let mut at = vec![Bits::new(count); process.locations.len()];
        if let Some(observed) = &observed {
            at.clone_from(&observed.at);
        }
        // Who is asked again when something becomes live at a location.
        let mut comes_from: Vec<Vec<LocId>> = vec![Vec::new(); process.locations.len()];
        for (location, steps) in outgoing.iter().enumerate() {
            for &step in steps {
                for to in self.leads_to(id, step).into_iter().chain(process.on_fault) {
                    comes_from[to.index()].push(LocId::new(location));
                }
            }
        }
        let mut waiting: Vec<LocId> = (0..process.locations.len()).map(LocId::new).collect();
        let mut is_waiting = vec![true; process.locations.len()];
        while let Some(location) = waiting.pop() {
            source::limits::check();
            let location = location.index();
            is_waiting[location] = false;
            let mut changed = false;
            for &step in &outgoing[location] {
                if is_disabled(self.program, &process.steps[step]) {
                    continue;
                }
                let mut after = Bits::new(count);
                for to in self.leads_to(id, step) {
                    after.join(&at[to.index()]);
                }
                if let (Target::End, Some(observed)) = (&process.steps[step].target, &observed) {
                    after.join(&observed.ended);
                }
                let aftermath = match process.on_fault {
                    Some(at_fault) => Some(at[at_fault.index()].clone()),
                    None => observed
                        .as_ref()
                        .map(|observed| observed.halted[location].clone()),
                };
                let before = self.before(id, step, after, aftermath.as_ref());
                changed |= at[location].join(&before);
            }
            if changed {
                for &from in &comes_from[location] {
                    if !std::mem::replace(&mut is_waiting[from.index()], true) {
                        waiting.push(from);
                    }
                }
            }
        }
        let reads = std::mem::take(&mut self.reads);
        Live { at, reads }
    }

    /// What is live before a step, given what is after it and after a fault in it.
    fn before(
        &mut self,
        id: ProcessId,
        index: usize,
        after: Bits,
        aftermath: Option<&Bits>,
    ) -> Bits {
        let program = self.program;
        let process = &program.processes[id.index()];
        let step = &process.steps[index];
        let scope = self.frames.step(program, id, index);
        let mut live = after;
        let mut faults = self.faults.block(program, scope, &step.body);
        match &step.target {
            Target::Call { callee, args, .. } => {
                for procedure in callees(process, callee) {
                    let inner = Scope::Process(id, Some(procedure));
                    for local in &process.procedures[procedure.index()].locals {
                        if let Some(set) = &local.init {
                            set.operands(&mut |e| self.read(&mut live, inner, e));
                        }
                    }
                }
                if let Callee::Value(value) = callee {
                    self.read(&mut live, scope, *value);
                }
                self.read_all(&mut live, scope, args);
                faults = true;
            }
            Target::Return(value) => {
                if let Scope::Process(_, Some(from)) = scope {
                    for (_, result) in returns_to(process, from) {
                        if let Some(place) = result {
                            self.read_indices(&mut live, scope, place);
                        }
                    }
                }
                self.read_all(&mut live, scope, value.as_slice());
                faults = true;
            }
            Target::Goto(_) | Target::End => {}
        }
        self.body(&mut live, scope, &step.body);
        match &step.comm {
            Some(Comm::Send {
                channel, message, ..
            }) => {
                self.read(&mut live, scope, *channel);
                self.read_all(&mut live, scope, message);
                faults = true;
            }
            Some(Comm::Receive {
                channel, patterns, ..
            }) => {
                for pattern in patterns.iter().rev() {
                    match pattern {
                        Pattern::Bind(place) => {
                            self.write(&mut live, scope, place);
                            self.read_indices(&mut live, scope, place);
                        }
                        Pattern::Match(value) => self.read(&mut live, scope, *value),
                        Pattern::Any => {}
                    }
                }
                // Matches are compared before anything is stored.
                for pattern in patterns {
                    if let Pattern::Match(value) = pattern {
                        self.read(&mut live, scope, *value);
                    }
                }
                self.read(&mut live, scope, *channel);
                faults = true;
            }
            Some(Comm::Barrier(_)) | None => {}
        }
        if let Some(guard) = step.guard {
            self.read(&mut live, scope, guard);
            faults |= self.faults.expr(program, guard);
        }
        for choice in step.binds.iter().rev() {
            self.choose(&mut live, scope, choice);
            faults |= !self.faults.sure_choice(program, scope, choice);
        }
        for &expr in process.provided.iter().chain(&process.priority) {
            self.read(&mut live, scope, expr);
            faults |= self.faults.expr(program, expr);
        }
        if let Some(aftermath) = aftermath.filter(|_| faults) {
            live.join(aftermath);
        }
        live
    }

    fn body(&mut self, live: &mut Bits, scope: Scope, body: &[Stmt]) {
        for stmt in body.iter().rev() {
            self.stmt(live, scope, stmt);
        }
    }

    fn stmt(&mut self, live: &mut Bits, scope: Scope, stmt: &Stmt) {
        let program = self.program;
        match stmt {
            Stmt::Assign(place, value) => {
                let is_live = self.is_live(live, scope, place);
                self.write(live, scope, place);
                if is_live || self.faults.assign(program, scope, place, *value) {
                    self.read_indices(live, scope, place);
                    self.read(live, scope, *value);
                } else {
                    // Not live, but read all the same: others must not touch it.
                    let mut aside = live.clone();
                    self.read(&mut aside, scope, *value);
                }
            }
            Stmt::Choose(choice) => self.choose(live, scope, choice),
            Stmt::If(cond, then, otherwise) => {
                let mut other = live.clone();
                self.body(live, scope, then);
                self.body(&mut other, scope, otherwise);
                live.join(&other);
                self.read(live, scope, *cond);
            }
            Stmt::Assert { cond, .. } | Stmt::Assume(cond) | Stmt::Free(cond) => {
                self.read(live, scope, *cond);
            }
            Stmt::Emit { event, args, .. } => {
                for observer in program.observers.iter().rev() {
                    if observer.event == *event {
                        self.body(live, Scope::Observer(*event), &observer.body);
                    }
                }
                self.read_all(live, scope, args);
            }
            Stmt::Spawn { args, result, .. } => {
                if let Some(place) = result {
                    self.write(live, scope, place);
                    self.read_indices(live, scope, place);
                }
                self.read_all(live, scope, args);
            }
            Stmt::NewChannel { result, .. } | Stmt::New { result, .. } => {
                self.write(live, scope, result);
                self.read_indices(live, scope, result);
            }
            Stmt::Raise(_) => {}
        }
    }

    fn choose(&mut self, live: &mut Bits, scope: Scope, choice: &Choice) {
        self.write(live, scope, &choice.place);
        self.read_indices(live, scope, &choice.place);
        choice.set.operands(&mut |id| self.read(live, scope, id));
        self.read_all(live, scope, choice.sample.as_deref().unwrap_or_default());
    }

    fn is_live(&self, live: &Bits, scope: Scope, place: &Place) -> bool {
        match written(scope, place) {
            Some(var) => self.positions.get(&var).is_none_or(|&position| {
                live.contains(position)
                    || self
                        .shared
                        .as_ref()
                        .is_none_or(|shared| shared.contains(position))
            }),
            None => true,
        }
    }

    /// A store to a whole variable ends the life of its value before; to a part, it does not.
    fn write(&mut self, live: &mut Bits, scope: Scope, place: &Place) {
        if place.path.is_empty()
            && let Some(var) = written(scope, place)
            && let Some(&position) = self.positions.get(&var)
        {
            live.remove(position);
        }
    }

    fn read_indices(&mut self, live: &mut Bits, scope: Scope, place: &Place) {
        place.operands(|id| self.read(live, scope, id));
    }

    fn read_all(&mut self, live: &mut Bits, scope: Scope, ids: &[ExprId]) {
        for &id in ids {
            self.read(live, scope, id);
        }
    }

    fn read(&mut self, live: &mut Bits, scope: Scope, id: ExprId) {
        for &access in self.accesses.of(self.program, id).iter() {
            resolve(self.program, scope, access, |var| {
                if let Some(&position) = self.positions.get(&var) {
                    live.insert(position);
                    self.reads.insert(position);
                }
            });
        }
    }
}

/// Where a procedure returns to, and where its result goes there.
fn returns_to(
    process: &Process,
    from: model::ProcedureId,
) -> impl Iterator<Item = (LocId, Option<&Place>)> {
    process
        .steps
        .iter()
        .filter_map(move |step| match &step.target {
            Target::Call {
                callee,
                result,
                then,
                ..
            } if callees(process, callee).contains(&from) => Some((*then, result.as_ref())),
            _ => None,
        })
}

/// The variables that a step may write, observers of what it emits included.
pub(crate) fn writes_of_step(
    program: &Program,
    scope: Scope,
    step: &model::Step,
    mut each: impl FnMut(Var),
) {
    let mut note = |scope: Scope, place: &Place| {
        if !matches!(place.root, Root::Cell(_)) {
            written(scope, place).into_iter().for_each(&mut each);
        }
    };
    crate::rewrite::places_of_step(step, &mut |place| note(scope, place));
    let mut events = Vec::new();
    emitted(&step.body, &mut events);
    for observer in &program.observers {
        if events.contains(&observer.event) {
            let scope = Scope::Observer(observer.event);
            crate::rewrite::stored_places(&observer.body, &mut |place| note(scope, place));
        }
    }
    // Observers may emit as well; none of ours do, but nothing forbids it.
    if program
        .observers
        .iter()
        .any(|o| events.contains(&o.event) && emits(&o.body))
    {
        for observer in &program.observers {
            let scope = Scope::Observer(observer.event);
            crate::rewrite::stored_places(&observer.body, &mut |place| note(scope, place));
        }
    }
}

/// The events that statements emit, also within branches.
pub(crate) fn emitted(body: &[Stmt], events: &mut Vec<model::EventId>) {
    for stmt in body {
        match stmt {
            Stmt::Emit { event, .. } => events.push(*event),
            Stmt::If(_, then, otherwise) => {
                emitted(then, events);
                emitted(otherwise, events);
            }
            _ => {}
        }
    }
}

fn emits(body: &[Stmt]) -> bool {
    let mut events = Vec::new();
    emitted(body, &mut events);
    !events.is_empty()
}

//! Runs of processes, told apart by the steps that they take.
//!
//! Each step first moves a ghost on: to the next position if it is what the known run does there, by the same
//! instance and with the same values, else to a value that is never left. A step that is the only one inside
//! of a macro step decides nothing, and is not counted; nor is one that changes nothing.

use std::collections::HashMap;

use model::interp::{Interp, Replay};
use model::{
    Action, Binary, Choice, Claim, Expr, ExprId, GlobalId, LocId, Mode, Place, ProcedureId,
    ProcessId, Program, PropertyId, Step, StepId, Stmt, Target, Trace, Type, Value, ValueSet,
    Variable, VariableKind,
};
use source::Span;

use super::{Apart, MOST, Same, of_others};

/// What a known run does, as far as something else could have been done.
#[derive(Clone, PartialEq, Debug)]
enum Event {
    /// An instance takes a step, with these values chosen before its guard.
    Step { instance: u32, binds: Vec<Value> },
    /// A value is chosen in its body.
    Chosen(Value),
}

/// An event, and in which step of which process it is.
type Placed = (Event, ProcessId, StepId);

/// The program in which a known run does not violate the property.
pub(super) fn without(
    program: Program,
    base: &Program,
    property: PropertyId,
    trace: &Trace,
    degree: Apart,
) -> Option<Program> {
    let interp = Interp::new(base);
    let replay = interp.replay(trace).ok()?;
    let mut by_step = Vec::new();
    for at in 0..trace.steps.len() {
        by_step.push(events(base, trace, &replay, at)?);
    }
    if by_step.iter().map(Vec::len).sum::<usize>() > MOST {
        return None;
    }
    let claim = program.properties[property.index()].claim.clone();
    let is_run = matches!(claim, Claim::Ltl(_) | Claim::Ctl(_) | Claim::Never(_));
    let stuck = is_stuck(&interp, &replay, trace);
    match degree {
        Apart::Ending if is_run => {
            let start = trace.loop_start?;
            let again = by_step[start..].concat();
            repeating_others(program, property, &again)
        }
        Apart::Ending if matches!(claim, Claim::NoDeadlock) => {
            let mut program = program;
            let mut all = program.exprs.bool(true);
            for &(instance, process, location) in &stuck {
                let instance = program.exprs.int(instance.into(), Type::Instance);
                let at = Expr::At {
                    instance,
                    process,
                    location,
                };
                let at = program.exprs.add(at, Type::Bool);
                all = program.exprs.and(all, at);
            }
            let (_, process, location) = *stuck.first()?;
            goes_on(&mut program, process, location, all);
            Some(program)
        }
        Apart::Ending => {
            let mut last = by_step.pop()?;
            last.retain(|(event, ..)| matches!(event, Event::Step { .. }));
            last.iter_mut().for_each(|(event, ..)| {
                if let Event::Step { binds, .. } = event {
                    binds.clear();
                }
            });
            let along = Along::new(program, VariableKind::Step, &last, Then::Stays, false);
            along.weakened(property, &claim, None)
        }
        Apart::Way => {
            let is_chosen = |variable: &Variable| {
                let set = variable.init.as_ref();
                set.is_some_and(|set| !matches!(set, ValueSet::One(_)))
            };
            let mut locals = base.processes.iter().flat_map(|process| &process.locals);
            if locals.any(is_chosen) {
                return None;
            }
            let then = match trace.loop_start {
                None => Then::Stays,
                Some(start) if start == by_step.len() => Then::Leaves,
                Some(start) => Then::Repeats(by_step[..start].iter().map(Vec::len).sum()),
            };
            let all = by_step.concat();
            let mut along = Along::new(program, VariableKind::Ghost, &all, then, true);
            let first = along.starts_alike(base, &replay, &is_chosen);
            if matches!(claim, Claim::NoDeadlock) {
                let ended = along.is_at(along.events);
                let ended = along.program.exprs.and(ended, first);
                let (_, process, location) = *stuck.first()?;
                goes_on(&mut along.program, process, location, ended);
                return Some(along.program);
            }
            along.weakened(property, &claim, Some(first))
        }
    }
}

/// A run without what was added to the program.
pub(super) fn of_base(base: &Program, trace: &Trace) -> Trace {
    let interp = Interp::new(base);
    let mut trace = trace.clone();
    if trace.loop_start.is_none() {
        // What was added goes round where nothing else can happen, and changes nothing.
        let most = base.processes.iter().map(|process| process.steps.len());
        let most = most.max().unwrap_or(0);
        let is_own = |step: &model::MacroStep| {
            let mut parts = step.moves.iter().flat_map(|made| &made.parts);
            parts.all(|part| match part.action {
                Action::Step(step) => step.index() < most,
                Action::Leave => true,
            })
        };
        if interp.replay(&trace).is_err() {
            trace.steps.retain(is_own);
        }
    }
    trace
}

/// The instances that may not end where they are, in the last state of a run.
fn is_stuck(interp: &Interp<'_>, replay: &Replay, trace: &Trace) -> Vec<(u32, ProcessId, LocId)> {
    let last = replay.state(trace.steps.len());
    let living = last.living();
    let at = living.filter_map(|(number, one)| Some((number, one.process, one.location?)));
    at.filter(|(_, process, location)| {
        let process = &interp.program().processes[process.index()];
        !process.locations[location.index()].end
    })
    .collect()
}

/// Adds a step that goes round at a location while this holds, and nothing else is possible there.
fn goes_on(program: &mut Program, process: ProcessId, location: LocId, holds: ExprId) {
    let process = &mut program.processes[process.index()];
    let ranks = process.steps.iter().map(|step| step.rank);
    let rank = ranks.max().unwrap_or(0).saturating_add(1);
    process.add_step(Step {
        guard: Some(holds),
        rank,
        class: 0,
        ..Step::new(location, location, Span::NONE)
    });
}

/// The events of a macro step; nothing if it cannot be told whose they are.
fn events(base: &Program, trace: &Trace, replay: &Replay, at: usize) -> Option<Vec<Placed>> {
    let mut all = Vec::new();
    for made in &trace.steps[at].moves {
        let mut choices = made.choices.iter();
        let mut parts = Vec::new();
        for part in &made.parts {
            let Action::Step(step) = part.action else {
                continue;
            };
            let instance = |at: usize| replay.state(at).instance(part.instance);
            let process = instance(at).or_else(|| instance(at + 1))?.process;
            let template = &base.processes[process.index()];
            let taken = template.steps.get(step.index())?;
            let binds: Vec<Value> = choices.by_ref().take(taken.binds.len()).cloned().collect();
            parts.push((part.instance, process, step, binds));
        }
        let last = parts.len().saturating_sub(1);
        for (number, (instance, process, step, binds)) in parts.into_iter().enumerate() {
            let template = &base.processes[process.index()];
            let taken = &template.steps[step.index()];
            if decides(template, step) {
                let event = Event::Step { instance, binds };
                all.push((event, process, step));
            }
            // Of several who move at once, the one whose body chooses is known only if there is one.
            if number == last || taken.body.iter().any(chooses) {
                let chosen = choices.by_ref().cloned().map(Event::Chosen);
                all.extend(chosen.map(|event| (event, process, step)));
            }
        }
    }
    Some(all)
}

/// Whether a statement may choose a value.
fn chooses(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Choose(_) => true,
        Stmt::If(_, then, otherwise) => then.iter().chain(otherwise).any(chooses),
        _ => false,
    }
}

/// Whether a step changes something, and something else could happen in place of it.
fn decides(process: &model::Process, step: StepId) -> bool {
    let taken = &process.steps[step.index()];
    let is_idle = taken.target == Target::Goto(taken.from)
        && taken.body.is_empty()
        && taken.binds.is_empty()
        && taken.comm.is_none();
    if is_idle {
        return false;
    }
    let from = |other: &&Step| other.from == taken.from;
    process.locations[taken.from.index()].mode != Mode::Region
        || process.steps.iter().filter(from).count() > 1
        || !taken.binds.is_empty()
        || taken.comm.is_some()
        || !process.escapes.is_empty()
}

/// What becomes of a run that has gone along a known one to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    /// It is that one, whatever it does further.
    Stays,
    /// It goes on with the event of this number, or is another one.
    Repeats(usize),
    /// It is another one if it takes one more step.
    Leaves,
}

/// The program with a ghost that says how far a run has gone along a known one.
struct Along {
    program: Program,
    place: Place,
    ty: Type,
    /// How many events the known run has.
    events: usize,
    /// The step in which its last event is.
    last: Option<(ProcessId, StepId)>,
    then: Then,
}

impl Along {
    /// `values`: whether what is chosen in bodies counts.
    fn new(
        program: Program,
        kind: VariableKind,
        events: &[Placed],
        then: Then,
        values: bool,
    ) -> Along {
        let bits = usize::BITS - (events.len() + 1).leading_zeros();
        let ty = Type::Int {
            bits: u8::try_from(bits).expect("there are not so many events"),
            signed: false,
        };
        let mut along = Along {
            program,
            place: Place::global(GlobalId::new(0)),
            ty,
            events: events.len(),
            last: events.last().map(|(_, process, step)| (*process, *step)),
            then,
        };
        let ghost = Variable {
            kind,
            ..Variable::new("along a known run", along.ty.clone())
        };
        along.place = Place::global(along.program.add_global(ghost));
        let mut steps: HashMap<(ProcessId, StepId), Vec<(usize, &Event)>> = HashMap::new();
        for (number, (event, process, step)) in events.iter().enumerate() {
            let here = steps.entry((*process, *step)).or_default();
            here.push((number, event));
        }
        for process in (0..along.program.processes.len()).map(ProcessId::new) {
            let procedures = procedures(&along.program.processes[process.index()]);
            for step in 0..along.program.processes[process.index()].steps.len() {
                let step = StepId::new(step);
                let here = steps.get(&(process, step)).map_or(&[][..], Vec::as_slice);
                along.step((process, step), here, values, &procedures);
            }
        }
        along
    }

    /// Counts the events of a step.
    fn step(
        &mut self,
        (process, step): (ProcessId, StepId),
        here: &[(usize, &Event)],
        values: bool,
        procedures: &[Option<ProcedureId>],
    ) {
        let template = &mut self.program.processes[process.index()];
        let counts = decides(template, step);
        let taken = &mut template.steps[step.index()];
        let binds = taken.binds.clone();
        let procedure = procedures[taken.from.index()];
        let mut body = std::mem::take(&mut taken.body);
        if values {
            let chosen: Vec<(usize, &Value)> = here
                .iter()
                .filter_map(|(number, event)| match event {
                    Event::Chosen(value) => Some((*number, value)),
                    Event::Step { .. } => None,
                })
                .collect();
            self.choices(&mut body, (process, procedure), &chosen);
        }
        if counts {
            let mut known = Vec::new();
            for (number, event) in here {
                if let Event::Step {
                    instance,
                    binds: values,
                } = event
                {
                    let instance = self.program.exprs.int((*instance).into(), Type::Instance);
                    let me = self.program.exprs.add(Expr::Me, Type::Instance);
                    let mut same = self.program.exprs.binary(Binary::Eq, me, instance);
                    for (choice, value) in binds.iter().zip(values) {
                        let equal = self.has(&choice.place, (process, procedure), value);
                        same = self.program.exprs.and(same, equal);
                    }
                    known.push((*number, same));
                }
            }
            let moved = self.moved(&known);
            body.splice(0..0, moved);
        }
        self.program.processes[process.index()].steps[step.index()].body = body;
    }

    /// Counts what is chosen in a body.
    fn choices(
        &mut self,
        body: &mut Vec<Stmt>,
        scope: (ProcessId, Option<ProcedureId>),
        chosen: &[(usize, &Value)],
    ) {
        let mut at = 0;
        while at < body.len() {
            match &mut body[at] {
                Stmt::Choose(Choice { place, .. }) => {
                    let place = place.clone();
                    let known: Vec<_> = chosen
                        .iter()
                        .map(|(number, value)| (*number, self.has(&place, scope, value)))
                        .collect();
                    let moved = self.moved(&known);
                    let count = moved.len();
                    body.splice(at + 1..at + 1, moved);
                    at += count;
                }
                Stmt::If(_, then, otherwise) => {
                    self.choices(then, scope, chosen);
                    self.choices(otherwise, scope, chosen);
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// That a place holds a value.
    fn has(
        &mut self,
        place: &Place,
        (process, procedure): (ProcessId, Option<ProcedureId>),
        value: &Value,
    ) -> ExprId {
        let ty = self.program.place_type(Some(process), procedure, place);
        let value = match value {
            Value::Int(number) => Value::Int(ty.wrap(*number)),
            other => other.clone(),
        };
        let value = self.program.exprs.value(value, ty.clone());
        let held = self.program.exprs.load(place.clone(), ty);
        self.program.exprs.binary(Binary::Eq, held, value)
    }

    /// Moves the ghost on from one of some events, if what belongs to it holds; else off the known run.
    fn moved(&mut self, known: &[(usize, ExprId)]) -> Vec<Stmt> {
        let off = self.number(self.events + 1);
        let mut leave = Stmt::Assign(self.place.clone(), off);
        if self.then == Then::Stays {
            let ended = self.is_at(self.events);
            leave = Stmt::If(ended, Vec::new(), vec![leave]);
        }
        if known.is_empty() {
            return vec![leave];
        }
        let mut any = Vec::new();
        for (number, same) in known {
            let here = self.is_at(*number);
            any.push(self.program.exprs.and(here, *same));
        }
        let any = self.program.exprs.any(&any);
        let (now, one) = (self.now(), self.number(1));
        let mut next = self.program.exprs.binary(Binary::Add, now, one);
        if let Then::Repeats(again) = self.then
            && known.iter().any(|(number, _)| number + 1 == self.events)
        {
            let (is_last, again) = (self.is_at(self.events - 1), self.number(again));
            let ty = self.ty.clone();
            next = self.program.exprs.add(Expr::Ite(is_last, again, next), ty);
        }
        let go_on = Stmt::Assign(self.place.clone(), next);
        let is_on = self.program.exprs.binary(Binary::Ne, now, off);
        let either = Stmt::If(any, vec![go_on], vec![leave]);
        vec![Stmt::If(is_on, vec![either], Vec::new())]
    }

    fn now(&mut self) -> ExprId {
        let place = self.place.clone();
        self.program.exprs.load(place, self.ty.clone())
    }

    fn number(&mut self, number: usize) -> ExprId {
        let number = i128::try_from(number).expect("there are not so many events");
        self.program.exprs.int(number, self.ty.clone())
    }

    /// That so many events of the known run have happened, and nothing else.
    fn is_at(&mut self, number: usize) -> ExprId {
        let (now, number) = (self.now(), self.number(number));
        self.program.exprs.binary(Binary::Eq, now, number)
    }

    /// That the first values which can be chosen are those of the known run.
    fn starts_alike(
        &mut self,
        base: &Program,
        replay: &Replay,
        is_chosen: &dyn Fn(&Variable) -> bool,
    ) -> ExprId {
        let mut all = self.program.exprs.bool(true);
        let globals = base.globals.iter().enumerate();
        for (at, variable) in globals.filter(|(_, variable)| is_chosen(variable)) {
            let exprs = &mut self.program.exprs;
            let held = exprs.load(Place::global(GlobalId::new(at)), variable.ty.clone());
            let value = exprs.value(replay.initial.globals[at].clone(), variable.ty.clone());
            let equal = exprs.binary(Binary::Eq, held, value);
            all = exprs.and(all, equal);
        }
        all
    }

    /// The program in which the property claims nothing of the known run. `first`: the ghost follows the
    /// whole run, and this holds where it begins.
    fn weakened(
        mut self,
        property: PropertyId,
        claim: &Claim,
        first: Option<ExprId>,
    ) -> Option<Program> {
        let off = self.number(self.events + 1);
        let now = self.now();
        let is_on = self.program.exprs.binary(Binary::Ne, now, off);
        let is_first = self.is_at(0);
        let has_begun = self.program.exprs.not(is_first);
        let has_begun = match first {
            Some(first) => self.program.exprs.or(has_begun, first),
            None => has_begun,
        };
        let same = self.program.exprs.and(is_on, has_begun);
        match claim {
            Claim::Always(invariant) => {
                let same = match first {
                    Some(_) => same,
                    None => self.is_at(self.events),
                };
                let weaker = self.program.exprs.or(*invariant, same);
                self.program.properties[property.index()].claim = Claim::Always(weaker);
            }
            Claim::Check(check) => {
                let program = &mut self.program;
                let mut excuse = |body: &mut Vec<Stmt>| {
                    excused(body, &mut |cond, of| match of == *check {
                        true => program.exprs.or(cond, same),
                        false => cond,
                    });
                };
                for process in &mut program.processes {
                    for step in &mut process.steps {
                        excuse(&mut step.body);
                    }
                }
                for observer in &mut program.observers {
                    excuse(&mut observer.body);
                }
            }
            Claim::NoFault(_) | Claim::Returns => {
                let (process, step) = self.last?;
                let ended = self.is_at(self.events);
                let goes_elsewhere = Stmt::Assume(self.program.exprs.not(ended));
                let place = self.place.clone();
                let step = &mut self.program.processes[process.index()].steps[step.index()];
                behind(&mut step.body, &place, &goes_elsewhere);
            }
            Claim::Ltl(_) | Claim::Ctl(_) | Claim::Never(_) => {
                let same = match self.then {
                    Then::Stays => {
                        let ended = self.is_at(self.events);
                        Same::ToTheEnd(self.program.exprs.and(ended, same))
                    }
                    Then::Repeats(_) | Then::Leaves => Same::ForEver(same),
                };
                of_others(&mut self.program, property, same)?;
            }
            _ => return None,
        }
        Some(self.program)
    }
}

/// Changes the conditions of assertions.
fn excused(body: &mut Vec<Stmt>, change: &mut dyn FnMut(ExprId, model::CheckId) -> ExprId) {
    for stmt in body {
        match stmt {
            Stmt::Assert { cond, check, .. } => *cond = change(*cond, *check),
            Stmt::If(_, then, otherwise) => {
                excused(then, change);
                excused(otherwise, change);
            }
            _ => {}
        }
    }
}

/// Puts a statement behind all that may assign a place.
fn behind(body: &mut Vec<Stmt>, place: &Place, then: &Stmt) {
    fn assigns(stmt: &Stmt, place: &Place) -> bool {
        match stmt {
            Stmt::Assign(to, _) => to == place,
            Stmt::If(_, then, otherwise) => then
                .iter()
                .chain(otherwise)
                .any(|stmt| assigns(stmt, place)),
            _ => false,
        }
    }
    let mut at = 0;
    while at < body.len() {
        if assigns(&body[at], place) {
            body.insert(at + 1, then.clone());
            at += 1;
        }
        at += 1;
    }
}

/// The program in which a run violates the property only if again and again something else is done than
/// in some events.
fn repeating_others(
    mut program: Program,
    property: PropertyId,
    again: &[Placed],
) -> Option<Program> {
    let ghost = Variable {
        kind: VariableKind::Step,
        ..Variable::new("beside a known loop", Type::Bool)
    };
    let place = Place::global(program.add_global(ghost));
    let yes = program.exprs.bool(true);
    for process in 0..program.processes.len() {
        for step in 0..program.processes[process].steps.len() {
            let id = StepId::new(step);
            if !decides(&program.processes[process], id) {
                continue;
            }
            let mut same = Vec::new();
            for (event, of, taken) in again {
                if let Event::Step { instance, .. } = event
                    && of.index() == process
                    && *taken == id
                {
                    let instance = program.exprs.int((*instance).into(), Type::Instance);
                    let me = program.exprs.add(Expr::Me, Type::Instance);
                    same.push(program.exprs.binary(Binary::Eq, me, instance));
                }
            }
            same.sort_unstable();
            same.dedup();
            let same = program.exprs.any(&same);
            let beside = Stmt::Assign(place.clone(), yes);
            let body = &mut program.processes[process].steps[step].body;
            body.insert(0, Stmt::If(same, Vec::new(), vec![beside]));
        }
    }
    let beside = program.exprs.load(place, Type::Bool);
    let same = program.exprs.not(beside);
    of_others(&mut program, property, Same::InTheEnd(same))?;
    Some(program)
}

/// For each location of a process, the procedure that it is in.
fn procedures(process: &model::Process) -> Vec<Option<ProcedureId>> {
    let mut found = vec![None; process.locations.len()];
    for (number, procedure) in process.procedures.iter().enumerate() {
        let mut waiting = vec![procedure.entry];
        while let Some(location) = waiting.pop() {
            if found[location.index()].is_some() {
                continue;
            }
            found[location.index()] = Some(ProcedureId::new(number));
            let leaving = process.steps.iter().filter(|step| step.from == location);
            waiting.extend(leaving.filter_map(|step| match &step.target {
                Target::Goto(next) | Target::Call { then: next, .. } => Some(*next),
                Target::Return(_) | Target::End => None,
            }));
        }
    }
    found
}

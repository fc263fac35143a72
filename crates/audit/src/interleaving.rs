//! The obligations of programs whose instances move one at a time.
//!
//! From any state that satisfies the invariant, each move of each instance leads to states that
//! satisfy it, and nothing bad happens on the way. Moves are over-approximated where the program
//! restricts them by what others could do: that can only make a right invariant be rejected.

use std::collections::BTreeSet;

use model::{
    Bad, Budget, Comm, FiniteRuns, GlobalId, LocId, Mode, Pattern, Program, Step, ValueSet,
    VariableKind,
};
use solver::Literal;

use crate::Rejected;
use crate::gates::Gates;
use crate::invariant::Invariant;
use crate::liveness::Watching;
use crate::state::{Control, Instance, Scope, State};
use crate::symbol::Symbol;
use crate::symbolic_execution::{Path, Runner};
use crate::unwritten::{keep_first_values, unwritten};

/// Micro steps within calls of procedures before a path is given up.
const LONGEST: usize = 2_000;

/// What is to be shown.
#[derive(Clone, Copy)]
pub(crate) enum Asked<'p> {
    /// This does not happen.
    Never(&'p Bad),
    /// What watches the program does not see enough of it.
    Runs(&'p Watching<'p>),
}

pub(crate) struct Obligations<'p> {
    program: &'p Program,
    asked: Asked<'p>,
    invariant: &'p Invariant,
    budget: &'p Budget,
    /// For each process the locations inside of procedures.
    inside: Vec<BTreeSet<LocId>>,
    observed: &'p BTreeSet<GlobalId>,
    /// Variables that nothing writes, with their first values.
    kept: Vec<(GlobalId, Option<model::ExprId>)>,
}

impl<'p> Obligations<'p> {
    pub(crate) fn new(
        program: &'p Program,
        asked: Asked<'p>,
        invariant: &'p Invariant,
        budget: &'p Budget,
        observed: &'p BTreeSet<GlobalId>,
    ) -> Result<Self, Rejected> {
        if let Some(what) = beyond(program, asked) {
            return Err(Rejected::unsupported(what));
        }
        Ok(Obligations {
            program,
            asked,
            invariant,
            budget,
            inside: program.processes.iter().map(inside_procedures).collect(),
            observed,
            kept: match asked {
                Asked::Never(_) => unwritten(program),
                // What watches has variables of its own.
                Asked::Runs(_) => Vec::new(),
            },
        })
    }

    pub(crate) fn runner(&self) -> Runner<'p> {
        Runner {
            program: self.program,
            gates: Gates::new(self.budget),
            budget: self.budget,
            observed: self.observed,
            asserted: match self.asked {
                Asked::Never(Bad::Check(check)) => vec![*check],
                _ => Vec::new(),
            },
        }
    }

    /// Every initial state satisfies the invariant and is not bad.
    pub(crate) fn initially(&mut self) -> Result<(), Rejected> {
        let mut run = self.runner();
        let path = self.first(&mut run)?;
        self.stable(&mut run, path, &|| "the initial state".to_owned())
    }

    /// Any initial state.
    pub(crate) fn first(&self, run: &mut Runner<'p>) -> Result<Path, Rejected> {
        let program = self.program;
        let mut state = State {
            globals: program
                .globals
                .iter()
                .map(|variable| run.gates.zero(program, &variable.ty))
                .collect::<Result<_, _>>()?,
            instances: Vec::new(),
        };
        let mut conditions = Vec::new();
        for (index, variable) in program.globals.iter().enumerate() {
            let set = match (&variable.init, variable.kind) {
                (Some(set), _) => set.clone(),
                (None, VariableKind::Input) => ValueSet::All(variable.ty.clone()),
                (None, _) => continue,
            };
            let value = first(run, &mut conditions, Scope::outside(&state), &set)?;
            state.globals[index] = match value {
                Symbol::Number(number) => Symbol::Number(run.gates.wrap(&number, &variable.ty)),
                other => other,
            };
        }
        for start in &program.start {
            let process = &program.processes[start.process.index()];
            let mut locals = Vec::new();
            for &arg in &start.args {
                let set = ValueSet::One(arg);
                let value = first(run, &mut conditions, Scope::outside(&state), &set)?;
                let ty = &process.locals[locals.len()].ty;
                locals.push(match value {
                    Symbol::Number(number) => Symbol::Number(run.gates.wrap(&number, ty)),
                    other => other,
                });
            }
            for variable in &process.locals[locals.len()..] {
                locals.push(run.gates.zero(program, &variable.ty)?);
            }
            let me = state.instances.len();
            state.instances.push(Instance {
                process: start.process,
                control: if process.starts_ended {
                    Control::Ended
                } else {
                    Control::At(process.entry)
                },
                locals,
                calls: Vec::new(),
            });
            for (index, variable) in process.locals.iter().enumerate() {
                if let Some(set) = variable
                    .init
                    .as_ref()
                    .filter(|_| index >= process.parameters)
                {
                    let value = first(run, &mut conditions, Scope::of(&state, me), set)?;
                    state.instances[me].locals[index] = value;
                }
            }
        }
        for &condition in program.initial.iter().chain(&program.state_constraint) {
            conditions.push(
                run.gates
                    .holds(program, Scope::outside(&state), condition)?,
            );
        }
        if let Asked::Runs(watching) = self.asked {
            watching.begin(&run.gates, &mut state);
        }
        Ok(Path {
            conditions,
            ..Path::at(state)
        })
    }

    /// Every move from a state that satisfies the invariant.
    pub(crate) fn moves(&mut self) -> Result<(), Rejected> {
        if let Asked::Runs(watching) = self.asked {
            self.nothing_to_see(watching)?;
            self.stay(watching)?;
        }
        for me in 0..self.program.start.len() {
            let process = self.program.start[me].process;
            for location in 0..self.program.processes[process.index()].locations.len() {
                let location = LocId::new(location);
                let passed = self.invariant.through.contains(&(me, location));
                if !passed && !self.inside[process.index()].contains(&location) {
                    self.moves_from(me, location)?;
                }
            }
        }
        Ok(())
    }

    /// The moves of an instance from a location.
    fn moves_from(&mut self, me: usize, location: LocId) -> Result<(), Rejected> {
        let program = self.program;
        let process = &program.processes[program.start[me].process.index()];
        let mut run = self.runner();
        let opens = process.locations[location.index()].mode != Mode::Region;
        let mut state = self.between_moves(&mut run, opens.then_some(me))?;
        state.instances[me].control = Control::At(location);
        let runs = match self.asked {
            Asked::Runs(watching) => Some(watching),
            Asked::Never(_) => None,
        };
        if opens && runs.is_none() {
            reset(&mut run, &mut state)?;
        }
        self.assume(&mut run, &state, opens)?;
        let reading = match runs {
            None => None,
            Some(watching) => {
                // Letters have what the last macro step did in them.
                let read = watching.read_letter(&mut run, &state, opens)?;
                if opens {
                    reset(&mut run, &mut state)?;
                }
                let reading = watching.look_around(&mut run, &state, read)?;
                Some((watching, reading))
            }
        };
        let origin = Path::at(state);
        if !run.possible(&[])? {
            return Ok(());
        }
        let steps = offered(process, location);
        for step in steps {
            let what = || {
                format!(
                    "{} at `{}`",
                    process.name,
                    process.locations[location.index()].name
                )
            };
            let mut done = Vec::new();
            let paths = self.attempt(&mut run, &origin, me, location, step, &mut done)?;
            let mut ends = Vec::new();
            let mut waiting = paths;
            loop {
                self.run_out(&mut run, waiting, &mut done, &mut ends)?;
                if done.is_empty() {
                    break;
                }
                waiting = self.after_faults(&run, &mut done)?;
            }
            for mut path in ends {
                if let Some((watching, reading)) = &reading {
                    watching.watch(&mut run.gates, reading, &mut path)?;
                }
                self.ended(&mut run, &path, &what)?;
            }
        }
        Ok(())
    }

    /// The moves on from a path at a location, each up to where it ends.
    pub(crate) fn moves_on(
        &self,
        run: &mut Runner<'p>,
        path: &Path,
        location: LocId,
    ) -> Result<Vec<Path>, Rejected> {
        let mut origin = path.clone();
        origin.taken.clear();
        reset(run, &mut origin.state)?;
        let process = run.process(&origin.state, 0);
        let steps: Vec<&Step> = offered(process, location).collect();
        let mut ends = Vec::new();
        for (at, &step) in steps.iter().enumerate() {
            // One of several steps is chosen.
            let chosen = match at + 1 < steps.len() {
                true => run.gates.fresh(),
                false => run.gates.constant(true),
            };
            let mut mine = origin.clone();
            mine.conditions.push(chosen);
            origin.conditions.push(!chosen);
            let mut done = Vec::new();
            let mut waiting = self.attempt(run, &mine, 0, location, step, &mut done)?;
            loop {
                self.run_out(run, waiting, &mut done, &mut ends)?;
                if done.is_empty() {
                    break;
                }
                waiting = self.after_faults(run, &mut done)?;
            }
        }
        Ok(ends)
    }

    /// Whether a state is bad in which no move has begun.
    pub(crate) fn is_bad(&self, run: &mut Runner<'p>, path: &Path) -> Result<bool, Rejected> {
        let Asked::Never(Bad::State(bad)) = self.asked else {
            return Ok(false);
        };
        let scope = Scope::outside(&path.state);
        let bad = run.gates.holds(self.program, scope, *bad)?;
        Ok(run.under(path, bad)?.is_some())
    }

    /// The paths that a fault has ended, where they go on.
    fn after_faults(&self, run: &Runner<'p>, done: &mut Vec<Path>) -> Result<Vec<Path>, Rejected> {
        let mut waiting = std::mem::take(done);
        for path in &mut waiting {
            if let (Some((_, fault)), Asked::Never(Bad::Fault(faults))) = (path.fault, self.asked)
                && faults.contains(&fault)
            {
                return Err(Rejected::Violated);
            }
            run.aftermath(path);
        }
        Ok(waiting)
    }

    /// A state between two moves. If it is stable, nobody is inside of a macro step; `but` may
    /// stand anywhere.
    fn between_moves(
        &self,
        run: &mut Runner<'p>,
        stable_but: Option<usize>,
    ) -> Result<State, Rejected> {
        let program = self.program;
        let mut state = State::any(&mut run.gates, program)?;
        keep_first_values(&run.gates, program, &self.kept, &mut state)?;
        for (instance, number) in state.instances.iter().zip(0..) {
            for &location in &self.inside[instance.process.index()] {
                let at = instance.is_at(&run.gates, location);
                run.gates.clause(&[!at]);
            }
            for &(of, location) in &self.invariant.through {
                if of == number {
                    let at = instance.is_at(&run.gates, location);
                    run.gates.clause(&[!at]);
                }
            }
            if stable_but.is_some_and(|me| me != number) {
                let region = in_region(program, &mut run.gates, instance);
                run.gates.clause(&[!region]);
            }
        }
        Ok(state)
    }

    /// What is known of a state between two moves.
    fn assume(&self, run: &mut Runner<'p>, state: &State, stable: bool) -> Result<(), Rejected> {
        let program = self.program;
        if stable {
            for &constraint in &program.state_constraint {
                let scope = Scope::outside(state);
                let holds = run.gates.holds(program, scope, constraint)?;
                run.gates.clause(&[holds]);
            }
        }
        let holds = run.gates.invariant(program, state, self.invariant)?;
        run.gates.clause(&[holds]);
        Ok(())
    }

    /// In no state that satisfies the invariant enough has been seen.
    fn nothing_to_see(&self, watching: &Watching<'p>) -> Result<(), Rejected> {
        let mut run = self.runner();
        let state = self.between_moves(&mut run, None)?;
        self.assume(&mut run, &state, false)?;
        let enough = watching.enough(&mut run.gates, &state);
        if run.possible(&[enough])? {
            return Err(Rejected::Violated);
        }
        Ok(())
    }

    /// Where nobody can move, a run may stay for ever.
    fn stay(&mut self, watching: &Watching<'p>) -> Result<(), Rejected> {
        match self.program.finite_runs {
            FiniteRuns::Stutter => {}
            FiniteRuns::InfiniteOnly => return Ok(()),
            FiniteRuns::Maximal => return Err(Rejected::unsupported("runs that end")),
        }
        let mut run = self.runner();
        let nobody = usize::MAX;
        let state = self.between_moves(&mut run, Some(nobody))?;
        self.assume(&mut run, &state, true)?;
        let read = watching.read_letter(&mut run, &state, true)?;
        let mut begun = state.clone();
        reset(&mut run, &mut begun)?;
        let moves = watching.certainly_moves(&mut run, &begun)?;
        run.gates.clause(&[!moves]);
        if !run.possible(&[])? {
            return Ok(());
        }
        let reading = watching.look_around(&mut run, &begun, read)?;
        let mut path = Path::at(state);
        watching.watch(&mut run.gates, &reading, &mut path)?;
        self.satisfies(&mut run, &path, &|| "a state without moves".to_owned())
    }

    /// Takes a step: alone, or with each partner at a rendezvous.
    fn attempt(
        &self,
        run: &mut Runner<'p>,
        origin: &Path,
        me: usize,
        location: LocId,
        step: &'p Step,
        done: &mut Vec<Path>,
    ) -> Result<Vec<Path>, Rejected> {
        let mut path = origin.clone();
        path.taken.extend(self.name_of(&path.state, me, step));
        self.siblings(run, &mut path, me, location, step)?;
        match &step.comm {
            None => {
                if !self.prepare(run, &mut path, me, step, done)? {
                    return Ok(Vec::new());
                }
                run.body(path, me, step, done)
            }
            // The receiver's part stands with the sender's.
            Some(Comm::Receive { .. }) => Ok(Vec::new()),
            Some(Comm::Barrier(_)) => Err(Rejected::unsupported("barriers")),
            Some(Comm::Send {
                channel, message, ..
            }) => {
                let mut after = Vec::new();
                for other in 0..self.program.start.len() {
                    if other == me {
                        continue;
                    }
                    let process =
                        &self.program.processes[self.program.start[other].process.index()];
                    for receive in &process.steps {
                        let Some(Comm::Receive {
                            channel: from,
                            patterns,
                            ..
                        }) = &receive.comm
                        else {
                            continue;
                        };
                        let here = path.state.instances[other].is_at(&run.gates, receive.from);
                        let Some(mut path) = run.under(&path, here)? else {
                            continue;
                        };
                        path.taken.extend(self.name_of(&path.state, other, receive));
                        path.state.instances[other].control = Control::At(receive.from);
                        if !self.prepare(run, &mut path, me, step, done)?
                            || !self.prepare(run, &mut path, other, receive, done)?
                        {
                            continue;
                        }
                        let to = run.evaluate(&mut path, me, &[], done, |evaluator, scope| {
                            evaluator.eval(scope, *channel)
                        })?;
                        let from =
                            run.evaluate(&mut path, other, &[], done, |evaluator, scope| {
                                evaluator.eval(scope, *from)
                            })?;
                        let meet = run.gates.same(&to, &from);
                        let Some(path) = run.under(&path, meet)? else {
                            continue;
                        };
                        let parts = [(me, step), (other, receive)];
                        after.extend(self.meet(run, path, parts, message, patterns, done)?);
                    }
                }
                Ok(after)
            }
        }
    }

    /// A step by its number.
    fn name_of(
        &self,
        state: &State,
        me: usize,
        step: &Step,
    ) -> Option<(model::ProcessId, model::StepId)> {
        let process = state.instances[me].process;
        let mut steps = self.program.processes[process.index()].steps.iter();
        let at = steps.position(|own| std::ptr::eq(own, step))?;
        Some((process, model::StepId::new(at)))
    }

    /// A rendezvous: the message goes over, then first the sender's body, then the receiver's.
    fn meet(
        &self,
        run: &mut Runner<'p>,
        mut path: Path,
        [(sender, send), (receiver, receive)]: [(usize, &'p Step); 2],
        message: &[model::ExprId],
        patterns: &[Pattern],
        done: &mut Vec<Path>,
    ) -> Result<Vec<Path>, Rejected> {
        let message = run.evaluate(&mut path, sender, &[], done, |evaluator, scope| {
            evaluator.eval_all(scope, message)
        })?;
        for (pattern, field) in patterns.iter().zip(&message) {
            if let Pattern::Match(wanted) = pattern {
                let wanted = run.evaluate(&mut path, receiver, &[], done, |evaluator, scope| {
                    evaluator.eval(scope, *wanted)
                })?;
                let same = run.gates.same(&wanted, field);
                path.conditions.push(same);
            }
        }
        for (pattern, field) in patterns.iter().zip(message) {
            if let Pattern::Bind(place) = pattern {
                run.store(&mut path, receiver, place, field, &[], done)?;
            }
        }
        let mut after = Vec::new();
        for path in run.body(path, sender, send, done)? {
            after.extend(run.body(path, receiver, receive, done)?);
        }
        Ok(after)
    }

    /// Choices and guards; whether they can be met.
    fn prepare(
        &self,
        run: &mut Runner<'p>,
        path: &mut Path,
        me: usize,
        step: &'p Step,
        done: &mut Vec<Path>,
    ) -> Result<bool, Rejected> {
        for choice in &step.binds {
            run.choose(path, me, choice, &[], done)?;
        }
        let process = run.process(&path.state, me);
        let conditions = [process.provided_for(step), step.guard];
        for condition in conditions.into_iter().flatten() {
            let holds = run.evaluate(path, me, &[], done, |evaluator, scope| {
                evaluator.truth(scope, condition)
            })?;
            path.conditions.push(holds);
        }
        run.possible(&path.conditions)
    }

    /// Nothing that takes precedence is enabled, as far as that is plain to see.
    fn siblings(
        &self,
        run: &mut Runner<'p>,
        path: &mut Path,
        me: usize,
        location: LocId,
        step: &'p Step,
    ) -> Result<(), Rejected> {
        let program = self.program;
        let process = run.process(&path.state, me);
        for sibling in offered(process, location) {
            if sibling.rank < step.rank && is_plain(sibling) && process.provided.is_none() {
                let enabled = enabled(run, &path.state, me, sibling)?;
                path.conditions.push(!enabled);
            }
        }
        for other in 0..program.start.len() {
            let process = &program.processes[program.start[other].process.index()];
            if process.provided.is_some() || !process.escapes.is_empty() {
                continue;
            }
            for urgent in &process.steps {
                let first = process
                    .steps
                    .iter()
                    .all(|s| s.from != urgent.from || s.rank >= urgent.rank);
                if urgent.class > step.class && first && is_plain(urgent) {
                    let here = path.state.instances[other].is_at(&run.gates, urgent.from);
                    if run.gates.known(here) == Some(false) {
                        continue;
                    }
                    let enabled = enabled(run, &path.state, other, urgent)?;
                    let both = run.gates.and(here, enabled);
                    path.conditions.push(!both);
                }
            }
        }
        Ok(())
    }

    /// Goes on while a call of a procedure is open, or an instance stands where nothing is said.
    fn run_out(
        &self,
        run: &mut Runner<'p>,
        paths: Vec<Path>,
        done: &mut Vec<Path>,
        ends: &mut Vec<Path>,
    ) -> Result<(), Rejected> {
        let mut waiting: Vec<(Path, usize)> = paths.into_iter().map(|path| (path, 0)).collect();
        while let Some((path, length)) = waiting.pop() {
            let instances = path.state.instances.iter().enumerate();
            let caller = instances
                .filter(|(number, instance)| {
                    let passes = match instance.control {
                        Control::At(location) => {
                            self.invariant.through.contains(&(*number, location))
                        }
                        _ => false,
                    };
                    passes || !instance.calls.is_empty()
                })
                .map(|(number, _)| number)
                .next();
            let Some(caller) = caller else {
                ends.push(path);
                continue;
            };
            if length > LONGEST {
                return Err(Rejected::unsupported("a loop of which nothing is said"));
            }
            let Control::At(location) = path.state.instances[caller].control else {
                continue;
            };
            let process = run.process(&path.state, caller);
            for step in offered(process, location) {
                let after = self.attempt(run, &path, caller, location, step, done)?;
                waiting.extend(after.into_iter().map(|path| (path, length + 1)));
            }
        }
        Ok(())
    }

    /// What must hold where a move has ended.
    fn ended(
        &mut self,
        run: &mut Runner<'p>,
        path: &Path,
        what: &dyn Fn() -> String,
    ) -> Result<(), Rejected> {
        let mut inner = run.gates.constant(false);
        for instance in &path.state.instances {
            let region = in_region(self.program, &mut run.gates, instance);
            inner = run.gates.or(inner, region);
        }
        if let Some(path) = run.under(path, inner)? {
            self.satisfies(run, &path, what)?;
        }
        if let Some(path) = run.under(path, !inner)? {
            self.stable(run, path, what)?;
        }
        Ok(())
    }

    /// What must hold at a stable state.
    fn stable(
        &mut self,
        run: &mut Runner<'p>,
        mut path: Path,
        what: &dyn Fn() -> String,
    ) -> Result<(), Rejected> {
        let program = self.program;
        for &constraint in &program.state_constraint {
            let scope = Scope::outside(&path.state);
            let holds = run.gates.holds(program, scope, constraint)?;
            path.conditions.push(holds);
        }
        if let Asked::Never(Bad::State(bad)) = self.asked {
            let scope = Scope::outside(&path.state);
            let bad = run.gates.holds(program, scope, *bad)?;
            if run.under(&path, bad)?.is_some() {
                return Err(Rejected::Violated);
            }
        }
        if let Asked::Never(_) = self.asked {
            reset(run, &mut path.state)?;
        }
        self.satisfies(run, &path, what)
    }

    fn satisfies(
        &mut self,
        run: &mut Runner<'p>,
        path: &Path,
        what: &dyn Fn() -> String,
    ) -> Result<(), Rejected> {
        let holds = run
            .gates
            .invariant(self.program, &path.state, self.invariant)?;
        if run.under(path, !holds)?.is_some() {
            return Err(Rejected::NotInductive(what()));
        }
        Ok(())
    }
}

/// What the checker does not speak of.
fn beyond(program: &Program, asked: Asked<'_>) -> Option<&'static str> {
    let mut locations = program.processes.iter().flat_map(|p| &p.locations);
    if let Asked::Never(Bad::Deadlock | Bad::Divergence) = asked {
        Some("deadlocks and macro steps without end")
    } else if locations.any(|location| location.mode == Mode::Atomic) {
        Some("atomic sequences")
    } else if program.channels.iter().any(|c| c.capacity != Some(0)) {
        Some("channels that keep messages")
    } else if program.leaver.is_some() || !program.per_instance.is_empty() {
        Some("instances that go away")
    } else {
        None
    }
}

/// The steps that may be taken from a location.
fn offered(process: &model::Process, location: LocId) -> impl Iterator<Item = &Step> {
    process
        .steps
        .iter()
        .enumerate()
        .filter_map(move |(at, step)| {
            let id = model::StepId::new(at);
            let mut escapes = process.escapes.iter().filter(|e| e.steps.contains(&id));
            let mut is_escape = false;
            let covered = escapes.any(|escape| {
                is_escape = true;
                escape.covers.contains(&location)
            });
            (covered || (!is_escape && step.from == location)).then_some(step)
        })
}

/// The locations that are reached only while a call is open.
fn inside_procedures(process: &model::Process) -> BTreeSet<LocId> {
    let mut inside: BTreeSet<LocId> = BTreeSet::new();
    let mut waiting: Vec<LocId> = process.procedures.iter().map(|p| p.entry).collect();
    while let Some(location) = waiting.pop() {
        if inside.insert(location) {
            for step in offered(process, location) {
                match step.target {
                    model::Target::Goto(to) | model::Target::Call { then: to, .. } => {
                        waiting.push(to);
                    }
                    model::Target::Return(_) | model::Target::End => {}
                }
            }
        }
    }
    inside
}

/// Whether it is enabled is a matter of its guard.
fn is_plain(step: &Step) -> bool {
    step.comm.is_none() && step.binds.is_empty()
}

pub(crate) fn enabled(
    run: &mut Runner<'_>,
    state: &State,
    me: usize,
    step: &Step,
) -> Result<Literal, Rejected> {
    match step.guard {
        None => Ok(run.gates.constant(true)),
        // One that faults is enabled too; that it then counts as disabled lets more happen.
        Some(guard) => run.gates.holds(run.program, Scope::of(state, me), guard),
    }
}

fn in_region(program: &Program, gates: &mut Gates, instance: &Instance) -> Literal {
    let process = &program.processes[instance.process.index()];
    let regions: Vec<Literal> = process
        .locations
        .iter()
        .enumerate()
        .filter(|(_, location)| location.mode == Mode::Region)
        .map(|(at, _)| instance.is_at(gates, LocId::new(at)))
        .collect();
    gates.any(regions)
}

/// Sets step variables back.
fn reset(run: &mut Runner<'_>, state: &mut State) -> Result<(), Rejected> {
    let program = run.program;
    for (index, variable) in program.globals.iter().enumerate() {
        if variable.kind != VariableKind::Step {
            continue;
        }
        state.globals[index] = match &variable.init {
            None => run.gates.zero(program, &variable.ty)?,
            Some(ValueSet::One(one)) if program.exprs.constant(*one).is_some() => {
                let value = program.exprs.constant(*one).expect("looked at");
                run.gates.value(value)?
            }
            Some(_) => run.gates.any_of(program, &variable.ty)?,
        };
    }
    Ok(())
}

/// A first value.
fn first(
    run: &mut Runner<'_>,
    conditions: &mut Vec<Literal>,
    scope: Scope<'_>,
    set: &ValueSet,
) -> Result<Symbol, Rejected> {
    let mut evaluator = crate::expression::Evaluator::new(&mut run.gates, run.program);
    let (value, exists) = evaluator.pick(scope, set)?;
    conditions.push(exists);
    conditions.extend(evaluator.faults.iter().map(|faulty| !faulty.when));
    Ok(value)
}

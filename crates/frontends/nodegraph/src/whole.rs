//! A run of the whole script for a run of a slice of it.
//!
//! Verdicts are found on what matters to a property. A run of that is told, and replayed, on the
//! whole: what the slice does is done, and everything else moves with it as it must. Signals that leave
//! the slice are followed until they rest; where the rest of the script chooses, it takes one way after
//! the other, so that a loop ends if it can; what waits outside waits on. Scripts begin first of all,
//! those outside of the slice too.
//!
//! A loop of the slice is gone round until the whole has come back to a state as well.

use std::collections::HashMap;
use std::rc::Rc;

use language::NoWhole;
use model::interp::{Interp, Pages, State};
use model::{
    Action, Composition, LocId, MacroStep, Move, Part, Program, SyncAssign, Trace, Type, Value,
    ValueSet,
};
use source::Diagnostics;

use crate::load::{Lowered, Options, Read, Script, load_script, lower};
use crate::lower::completion::in_reading_order;
use crate::lower::{Cause, Site};
use crate::net::{Effect, MachineId, Moment, Net, Rule, Test, Update, VarId};

/// The most signals that are followed in one wave.
const MOST_SIGNALS: usize = 100_000;
/// The most times that a loop of the slice is gone round.
const MOST_ROUNDS: usize = 1_000;

/// A script as a whole, beside the slice of it that is checked.
pub struct Whole {
    net: Net,
    whole: Lowered,
    part: Lowered,
}

impl Script {
    /// The whole of the script.
    ///
    /// # Errors
    /// If there is none beside what is checked, says why.
    pub fn whole(self) -> Result<Whole, NoWhole> {
        if self.part.cut.is_none() {
            return Err(NoWhole::Same);
        }
        let Read {
            net,
            claims,
            picture,
        } = self.read;
        let all = Options {
            whole: true,
            ..self.options
        };
        // What there was to be said has been said of the part.
        let mut diagnostics = Diagnostics::new();
        let whole = lower(&self.title, &net, claims, &all, &mut diagnostics);
        let mut whole = whole.ok_or(NoWhole::Entangled)?;
        whole.program.display.picture = Some(picture);
        Ok(Whole {
            net,
            whole,
            part: self.part,
        })
    }
}

impl Whole {
    /// Reads a script.
    ///
    /// # Errors
    /// If there is no whole beside what is checked, says why.
    pub fn read(name: &str, text: &str, options: &Options) -> Result<Whole, NoWhole> {
        let (_, script) = load_script(name, text, options);
        script.ok_or(NoWhole::Entangled)?.whole()
    }

    /// The whole script as a program; it has the properties of the slice, in the same order.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.whole.program
    }

    /// The same, to [assume](Program::assume_weak_fairness) of it what was assumed of the part.
    pub fn program_mut(&mut self) -> &mut Program {
        &mut self.whole.program
    }

    /// A run of the whole that does what a run of the slice does, if one is found. It has to be
    /// replayed.
    #[must_use]
    pub fn run(&self, trace: &Trace) -> Option<Trace> {
        match &self.whole.program.composition {
            Composition::Synchronous(assigns) => self.at_once(trace, assigns),
            _ => Waves::new(self)?.run(trace),
        }
    }

    /// One step an edge: the variables of the slice get the values that they have there, the others
    /// the first one possible.
    fn at_once(&self, trace: &Trace, assigns: &[SyncAssign]) -> Option<Trace> {
        let part = &self.part.program;
        let slow = Interp::new(part);
        let replay = slow.replay(trace).ok()?;
        let names: HashMap<&str, usize> = part
            .globals
            .iter()
            .enumerate()
            .map(|(at, global)| (global.name.as_str(), at))
            .collect();
        let inside: Vec<Option<usize>> = self
            .whole
            .program
            .globals
            .iter()
            .map(|global| names.get(global.name.as_str()).copied())
            .collect();
        let given = |state: &State, global: usize| {
            let at = inside[global]?;
            let value = &state.globals[at];
            renamed(
                part,
                &part.globals[at].ty,
                &self.whole.program,
                &self.whole.program.globals[global].ty,
                value,
            )
        };
        let interp = Interp::new(&self.whole.program);
        let mut initial = Vec::new();
        for (index, global) in self.whole.program.globals.iter().enumerate() {
            match &global.init {
                Some(ValueSet::One(_)) | None => {}
                Some(set) => initial.push(match given(&replay.initial, index) {
                    Some(value) => value,
                    None => first_of(set, &self.whole.program, &|expr| {
                        self.whole.program.exprs.constant(expr).cloned()
                    })?,
                }),
            }
        }
        let mut run = Trace {
            initial,
            steps: Vec::new(),
            loop_start: None,
        };
        let mut state = interp.replay(&run).ok()?.initial;
        let part_of = |position: usize, state: &mut State, run: &mut Trace| -> Option<()> {
            let next = replay.state(position + 1);
            let mut choices = Vec::new();
            for assign in assigns {
                let value = match given(next, assign.global.index()) {
                    Some(value) => value,
                    None => first_of(&assign.next, &self.whole.program, &|expr| {
                        interp.value(state, expr)
                    })?,
                };
                choices.push(value);
            }
            let step = MacroStep {
                moves: vec![Move {
                    parts: trace.steps[position].moves.first()?.parts.clone(),
                    choices,
                }],
            };
            let (made, _) = interp.replay_step(run.steps.len(), state, &step).ok()?;
            *state = made.state;
            run.steps.push(step);
            Some(())
        };
        let Some(start) = trace.loop_start else {
            for position in 0..trace.steps.len() {
                part_of(position, &mut state, &mut run)?;
            }
            return Some(run);
        };
        for position in 0..start {
            part_of(position, &mut state, &mut run)?;
        }
        let mut seen: HashMap<Pages<Value>, usize> = HashMap::new();
        for _ in 0..MOST_ROUNDS {
            if let Some(&before) = seen.get(&state.globals) {
                run.loop_start = Some(before);
                return Some(run);
            }
            seen.insert(state.globals.clone(), run.steps.len());
            for position in start..trace.steps.len() {
                part_of(position, &mut state, &mut run)?;
            }
        }
        None
    }
}

/// A value by its name: types of the two programs may have other members.
fn renamed(from: &Program, a: &Type, to: &Program, b: &Type, value: &Value) -> Option<Value> {
    match (a, b) {
        (Type::Enum(a), Type::Enum(b)) => {
            let name = from.enums[a.index()]
                .members
                .get(usize::try_from(value.number()).ok()?)?;
            let members = &to.enums[b.index()].members;
            let at = members.iter().position(|member| member == name)?;
            Some(Value::Int(at as i128))
        }
        _ => (a == b).then(|| value.clone()),
    }
}

/// A member of a set.
fn first_of(
    set: &ValueSet,
    program: &Program,
    value: &dyn Fn(model::ExprId) -> Option<Value>,
) -> Option<Value> {
    match set {
        ValueSet::One(expr) => value(*expr),
        ValueSet::Union(sets) => sets.iter().find_map(|set| first_of(set, program, value)),
        ValueSet::Ite(test, then, otherwise) => {
            let taken = if value(*test)?.truth() {
                then
            } else {
                otherwise
            };
            first_of(taken, program, value)
        }
        ValueSet::All(ty) => Some(program.zero(ty)),
        _ => None,
    }
}

/// The steps of a process.
#[derive(Default)]
struct StepsOf {
    /// Those that leave a location,
    leaving: HashMap<LocId, Vec<usize>>,
    /// and the first one of each cause.
    caused: HashMap<Cause, usize>,
}

/// Run to completion: waves of the slice, and where they go in the whole.
struct Waves<'w> {
    whole: &'w Whole,
    /// Machines and variables of the slice in the whole, and the other way round.
    machine: Vec<MachineId>,
    var_in_part: &'w [Option<VarId>],
    /// The process of each machine of the whole that has one.
    process: HashMap<MachineId, usize>,
    /// The steps of processes that have moved, as they are looked for.
    steps_of: HashMap<usize, Rc<StepsOf>>,
    values: Vec<u16>,
    steps: Vec<MacroStep>,
}

impl<'w> Waves<'w> {
    fn new(whole: &'w Whole) -> Option<Waves<'w>> {
        let cut = whole.part.cut.as_ref()?;
        let mut machine = vec![MachineId::new(0); cut.net.machines.len()];
        for (at, new) in cut.machines.iter().enumerate() {
            if let Some(new) = new {
                machine[new.index()] = MachineId::new(at);
            }
        }
        let movers = whole.whole.movers.iter().enumerate();
        Some(Waves {
            whole,
            machine,
            var_in_part: &cut.vars,
            process: movers
                .filter_map(|(at, mover)| Some(((*mover)?, at)))
                .collect(),
            steps_of: HashMap::new(),
            values: whole.net.vars.iter().map(|var| var.first[0]).collect(),
            steps: Vec::new(),
        })
    }

    fn run(mut self, trace: &Trace) -> Option<Trace> {
        let initial = self.initial(trace)?;
        let inside: Vec<MachineId> = self
            .whole
            .part
            .movers
            .iter()
            .flatten()
            .map(|id| self.machine[id.index()])
            .collect();
        for (id, machine) in self.whole.net.ids() {
            let starts = |(moment, _): &(Moment, Rule)| *moment == Moment::Start;
            if machine.own.iter().any(starts) && !inside.contains(&id) {
                self.begin(id)?;
            }
        }
        let start = trace.loop_start.unwrap_or(trace.steps.len());
        for step in &trace.steps[..start] {
            self.follow(step)?;
        }
        let mut loop_start = None;
        if trace.loop_start.is_some() {
            let mut seen: HashMap<(Vec<u16>, Vec<Value>), usize> = HashMap::new();
            for round in 0.. {
                // What passed in the last step may be part of the state.
                let last = self.steps.last().map(said).unwrap_or_default();
                let here = (self.values.clone(), last);
                if let Some(&before) = seen.get(&here) {
                    loop_start = Some(before);
                    break;
                }
                if round == MOST_ROUNDS {
                    return None;
                }
                seen.insert(here, self.steps.len());
                for step in &trace.steps[start..] {
                    self.follow(step)?;
                }
            }
        }
        Some(Trace {
            initial,
            steps: self.steps,
            loop_start,
        })
    }

    /// The first values that are chosen.
    fn initial(&mut self, trace: &Trace) -> Option<Vec<Value>> {
        let mut given = trace.initial.iter();
        let mut chosen: HashMap<VarId, &Value> = HashMap::new();
        let cut = self.whole.part.cut.as_ref()?;
        for (id, var) in cut.net.var_ids() {
            if var.first.len() > 1 {
                chosen.insert(id, given.next()?);
            }
        }
        let mut initial = Vec::new();
        for (id, var) in self.whole.net.var_ids() {
            if var.first.len() == 1 {
                continue;
            }
            let inside = self.var_in_part[id.index()].and_then(|id| chosen.get(&id));
            if let Some(&value) = inside {
                self.values[id.index()] = self.position(id, value)?;
            }
            initial.push(self.value(id));
        }
        Some(initial)
    }

    /// A variable's value, as programs say it.
    fn value(&self, id: VarId) -> Value {
        self.value_at(id, self.values[id.index()])
    }

    fn value_at(&self, id: VarId, at: u16) -> Value {
        let var = self.whole.net.var(id);
        match &var.values[usize::from(at)] {
            crate::net::Value::Bool(value) if var.is_bool() => Value::Bool(*value),
            crate::net::Value::Int(number) if var.bounds().is_some() => {
                Value::Int((*number).into())
            }
            _ => Value::Int(at.into()),
        }
    }

    /// The position of a value among those of a variable.
    fn position(&self, id: VarId, value: &Value) -> Option<u16> {
        let var = self.whole.net.var(id);
        let at = var
            .values
            .iter()
            .enumerate()
            .position(|(at, own)| match (own, value) {
                (crate::net::Value::Bool(own), Value::Bool(value)) => own == value,
                (crate::net::Value::Int(own), Value::Int(value)) if var.bounds().is_some() => {
                    i128::from(*own) == *value
                }
                (_, Value::Int(value)) => at as i128 == *value,
                _ => false,
            })?;
        u16::try_from(at).ok()
    }

    fn holds(&self, test: &Test) -> bool {
        match test {
            Test::Always => true,
            Test::Never => false,
            Test::Is(var, at) => self.values[var.index()] == *at,
            Test::Not(inner) => !self.holds(inner),
            Test::All(tests) => tests.iter().all(|test| self.holds(test)),
            Test::Any(tests) => tests.iter().any(|test| self.holds(test)),
        }
    }

    /// A script outside of the slice begins, if it can.
    fn begin(&mut self, id: MachineId) -> Option<()> {
        let own = self.whole.net.machine(id).own.iter().enumerate();
        let mut able = own.filter(|(_, (moment, rule))| {
            *moment == Moment::Start && self.holds(&rule.guard) && !rule.effects.is_empty()
        });
        let Some((number, _)) = able.next() else {
            return Some(());
        };
        let origin = Cause {
            machine: id,
            site: Site::Own(number),
            way: Some(0),
        };
        self.wave(id, origin, &[], true)
    }

    /// A macro step of the slice.
    fn follow(&mut self, step: &MacroStep) -> Option<()> {
        let mut moves: Vec<(Cause, &[Value])> = Vec::new();
        let mut rests = true;
        let mut who = None;
        for made in &step.moves {
            let [Part { instance, action }] = made.parts[..] else {
                return None;
            };
            let Action::Step(id) = action else {
                return None;
            };
            let at = instance as usize;
            let Some(mover) = self.whole.part.movers.get(at).copied()? else {
                // Nothing happens.
                let time = u32::try_from(self.whole.whole.movers.len() - 1).ok()?;
                let mut step = step.clone();
                step.moves[0].parts[0].instance = time;
                self.steps.push(step);
                return Some(());
            };
            who = Some(self.machine[mover.index()]);
            let origin = self.whole.part.origins[at][id.index()]?;
            moves.push((
                Cause {
                    machine: self.machine[origin.machine.index()],
                    ..origin
                },
                &made.choices,
            ));
            let process = &self.whole.part.program.processes[at];
            rests = match process.steps[id.index()].target {
                model::Target::Goto(to) => {
                    process.locations[to.index()].mode != model::Mode::Region
                }
                _ => true,
            };
        }
        let (first, _) = *moves.first()?;
        self.wave(who?, first, &moves, rests)
    }

    /// A wave: it begins as said, comes by the moves of the slice, and, if it `rests`, goes on
    /// until it has come to rest everywhere.
    fn wave(
        &mut self,
        who: MachineId,
        first: Cause,
        moves: &[(Cause, &[Value])],
        rests: bool,
    ) -> Option<()> {
        let whole = self.whole;
        let number = *self.process.get(&who)?;
        let process = &whole.whole.program.processes[number];
        let origins = &whole.whole.origins[number];
        let steps_of = self.steps_of.entry(number).or_insert_with(|| {
            let mut steps_of = StepsOf::default();
            for (at, step) in process.steps.iter().enumerate() {
                steps_of.leaving.entry(step.from).or_default().push(at);
                if let Some(cause) = origins[at] {
                    steps_of.caused.entry(cause).or_insert(at);
                }
            }
            Rc::new(steps_of)
        });
        let steps_of = Rc::clone(steps_of);
        let cut = whole.part.cut.as_ref()?;
        let mut visits: HashMap<(MachineId, Site), usize> = HashMap::new();
        let mut left = moves.iter();
        let mut made = Vec::new();
        let mut at = *steps_of.caused.get(&first)?;
        if !moves.is_empty() {
            left.next();
        }
        let mut chosen: &[Value] = moves.first().map_or(&[], |(_, chosen)| chosen);
        let mut inside = !moves.is_empty();
        for _ in 0..MOST_SIGNALS {
            let origin = origins[at]?;
            let choices = self.perform(origin, inside.then_some(chosen))?;
            made.push(Move {
                parts: vec![Part {
                    instance: u32::try_from(number).ok()?,
                    action: Action::Step(model::StepId::new(at)),
                }],
                choices,
            });
            if left.len() == 0 && !rests {
                break;
            }
            let model::Target::Goto(to) = process.steps[at].target else {
                return None;
            };
            if process.locations[to.index()].mode != model::Mode::Region {
                break;
            }
            let next = steps_of.leaving.get(&to)?;
            let here = origins[*next.first()?]?;
            let Site::Input(input, _) = here.site else {
                return None;
            };
            inside = cut.has_input(here.machine, input);
            at = if inside {
                let (wanted, given) = left.next()?;
                chosen = given;
                *next.iter().find(|at| origins[**at] == Some(*wanted))?
            } else {
                self.some(next, origins, &mut visits)?
            };
        }
        if left.len() > 0 || made.len() >= MOST_SIGNALS {
            return None;
        }
        self.steps.push(MacroStep { moves: made });
        Some(())
    }

    /// A step that can be taken outside of the slice, another one at each visit.
    fn some(
        &self,
        steps: &[usize],
        origins: &[Option<Cause>],
        visits: &mut HashMap<(MachineId, Site), usize>,
    ) -> Option<usize> {
        let able = |at: &&usize| {
            let Some(origin) = origins[**at] else {
                return false;
            };
            let machine = self.whole.net.machine(origin.machine);
            match origin.site {
                Site::Own(number) => self.holds(&machine.own[number].1.guard),
                Site::Input(input, number) => {
                    let rules = &machine.inputs[usize::from(input)].rules;
                    match rules.get(number) {
                        Some(rule) => self.holds(&rule.guard),
                        None => !rules.iter().any(|rule| self.holds(&rule.guard)),
                    }
                }
            }
        };
        let able: Vec<usize> = steps.iter().filter(able).copied().collect();
        let first = origins[*able.first()?]?;
        let visits = visits.entry((first.machine, first.site)).or_default();
        *visits += 1;
        Some(able[(*visits - 1) % able.len()])
    }

    /// Changes the variables as a step does; gives the values that it chooses.
    fn perform(&mut self, origin: Cause, given: Option<&[Value]>) -> Option<Vec<Value>> {
        let Some(way) = origin.way else {
            return Some(Vec::new());
        };
        let whole = self.whole;
        let effect = effect_of(&whole.net, origin, way)?;
        // The slice chooses for its variables, in its own order.
        let mut chosen: HashMap<VarId, &Value> = HashMap::new();
        if let Some(given) = given {
            let cut = whole.part.cut.as_ref()?;
            let machine = cut.machines[origin.machine.index()]?;
            let cause = Cause { machine, ..origin };
            let own = effect_of(&cut.net, cause, way)?;
            let mut given = given.iter();
            if whole.part.guesses.is_way(cause) {
                given.next()?;
            }
            for (var, _) in in_reading_order(&own.sets) {
                let same = |(id, _): &&(VarId, Update)| self.var_in_part[id.index()] == Some(*var);
                let (id, update) = effect.sets.iter().find(same)?;
                if self.is_chosen(*id, update)? {
                    chosen.insert(*var, given.next()?);
                }
            }
        }
        let mut choices = Vec::new();
        if whole.whole.guesses.is_way(origin) {
            choices.push(Value::Bool(false));
        }
        // All new values are in terms of the old ones.
        let mut new = Vec::new();
        for (var, update) in in_reading_order(&effect.sets) {
            if self.is_chosen(*var, update)? {
                let inside = self.var_in_part[var.index()].and_then(|var| chosen.get(&var));
                let at = match inside {
                    Some(&value) => self.position(*var, value)?,
                    None => self.taken(update).unwrap_or(0),
                };
                new.push((*var, at));
                choices.push(self.value_at(*var, at));
                continue;
            }
            new.push((*var, self.taken(update)?));
        }
        for (var, at) in new {
            self.values[var.index()] = at;
        }
        Some(choices)
    }

    /// The position of the value that is assigned; none if any may be.
    fn taken(&self, update: &Update) -> Option<u16> {
        let (last, others) = update.as_deref()?.split_last()?;
        let taken = others.iter().find(|(test, _)| self.holds(test));
        Some(taken.unwrap_or(last).1)
    }

    /// Whether what is assigned is chosen: any value, or the one that stands for all that are not
    /// followed.
    fn is_chosen(&self, var: VarId, update: &Update) -> Option<bool> {
        if is_free(update) {
            return Some(true);
        }
        let anything = self.whole.whole.guesses.is_value(&self.whole.net, var);
        Some(Some(self.taken(update)?) == anything)
    }
}

/// Whether any value may be assigned.
fn is_free(update: &Update) -> bool {
    update.as_ref().is_none_or(Vec::is_empty)
}

fn effect_of(net: &Net, origin: Cause, way: usize) -> Option<&Effect> {
    let machine = net.machine(origin.machine);
    let rule = match origin.site {
        Site::Own(number) => &machine.own.get(number)?.1,
        Site::Input(input, number) => machine.inputs[usize::from(input)].rules.get(number)?,
    };
    rule.effects.get(way)
}

/// What is done in a macro step, as values that can be compared.
fn said(step: &MacroStep) -> Vec<Value> {
    let mut said = Vec::new();
    for made in &step.moves {
        for part in &made.parts {
            said.push(Value::Int(part.instance.into()));
            if let Action::Step(id) = part.action {
                said.push(Value::Int(id.index() as i128));
            }
        }
        said.extend(made.choices.iter().cloned());
    }
    said
}

//! Run to completion: each node that moves by itself is a process, and each wave of signals that
//! it sends is a macro step.
//!
//! Where a signal is, is a location of that process: the input that it enters, and what is still
//! to be done afterwards, because a fork sends its signals one after the other, each as far as it
//! goes. A location that is entered again in the same wave is a loop that takes no time; it never
//! returns, and that is a finding.
//!
//! The script begins before anything else (a higher class of steps). Whether time passes at all is
//! left open: one process may always do nothing. So what is outside of a slice, and may go on for
//! ever, needs no stutter of its own; fairness says that what waits comes to its end.

use std::collections::{BTreeSet, HashMap};

use model::{
    CheckId, Composition, EnumDecl, Event, EventId, ExprId, Fairness, FairnessKind, FiniteRuns,
    GlobalId, IdPolicy, LocId, Mode, Place, Process, ProcessId, Program, Start, Step, Stmt, Type,
    ValueSet, Variable, VariableKind, Visibility,
};
use source::{Diagnostic, Diagnostics, Span};

use super::declare::{Declared, joined};
use super::known::Known;
use super::unfollowed::{Guesses, assign, is_open};
use super::wave::{Entry, NOTHING, Pending, Pile, Wave};
use super::{Atom, Cause, Causes, Hook, Site};
use crate::codes::meaning as codes;
use crate::net::{Effect, MachineId, Moment, Net, Owner, Rule, Test, VarId};

/// Locations for each pin before the order of signals is called too entangled.
const MOST_LOCATIONS: usize = 64;

/// What is to be seen of a net besides its variables.
#[derive(Clone, Default, Debug)]
pub(crate) struct Watched {
    /// Atoms about signals.
    pub(crate) atoms: Vec<Atom>,
    /// Checks with what they are about.
    pub(crate) hooks: Vec<(Hook, CheckId, Option<VarId>)>,
    /// Signals are spoken of in branching time, which is about states: what has passed in a step
    /// is part of the state that it leads to.
    pub(crate) stored: bool,
    /// Variables of whose values claims speak.
    pub(crate) spoken_of: BTreeSet<VarId>,
}

/// A net as processes.
pub(crate) struct Completion<'a> {
    net: &'a Net,
    pub(crate) program: Program,
    pub(crate) declared: Declared,
    watched: &'a Watched,
    events: [EventId; 3],
    pins: Type,
    /// The first of each machine's pins among the names of pins: inputs, then outputs.
    first_pin: Vec<usize>,
    /// Variables that say that a signal has passed.
    passed: HashMap<Atom, GlobalId>,
    /// Variables that say that a group of waits has moved.
    moved: Vec<GlobalId>,
    group_of: HashMap<MachineId, usize>,
    /// For each flag with two setters to be seen: what it was set to.
    set_to: HashMap<VarId, GlobalId>,
    pile: Pile,
    room: usize,
    /// Where each step of each process comes from.
    pub(crate) origins: Causes,
    /// Whose process each process is.
    pub(crate) movers: Vec<Option<MachineId>>,
    /// What nobody can reach any more when a machine moves: its variables, as they were at first.
    gone: HashMap<MachineId, Vec<VarId>>,
    /// Inputs, by machine, whose order is too entangled.
    entangled: Option<MachineId>,
    /// Where old values of variables are kept while several change at once.
    old: HashMap<VarId, GlobalId>,
    /// What steps choose in the place of values that are not followed.
    pub(crate) guesses: Guesses,
}

const FIRES: usize = 0;
const LEADS_NOWHERE: usize = 1;
const ENTERS: usize = 2;

impl<'a> Completion<'a> {
    /// Declares what a program of this timing needs; `groups` are sets of machines of which one
    /// waits at a time.
    pub(crate) fn new(
        name: &str,
        net: &'a Net,
        watched: &'a Watched,
        groups: &[Vec<MachineId>],
    ) -> Completion<'a> {
        let mut program = Program::new(name, "node graph");
        program.composition = Composition::Interleaving {
            ids: IdPolicy::Fresh,
        };
        program.finite_runs = FiniteRuns::Stutter;
        let declared = Declared::of(net, &mut program);
        let mut first_pin = Vec::with_capacity(net.machines.len());
        let mut names = Vec::new();
        for machine in &net.machines {
            first_pin.push(names.len());
            let inputs = machine.inputs.iter().map(|input| &input.name);
            let outputs = machine.outputs.iter().map(|output| &output.name);
            names.extend(
                inputs
                    .chain(outputs)
                    .map(|pin| format!("{}.{pin}", machine.name)),
            );
        }
        let pins = Type::Enum(program.add_enum(EnumDecl {
            name: "pin".to_owned(),
            members: names,
        }));
        let stories = [
            ("fires", "{0} fires"),
            ("leads nowhere", "{0} fires, and no line leads on"),
            ("enters", "a signal enters {0}"),
        ];
        let events = stories.map(|(name, story)| {
            program.add_event(Event {
                name: name.to_owned(),
                parameters: vec![("pin".to_owned(), pins.clone())],
                story: Some(story.to_owned()),
                visibility: Visibility::Told,
            })
        });
        let mut completion = Completion {
            net,
            program,
            declared,
            watched,
            events,
            pins,
            first_pin,
            passed: HashMap::new(),
            moved: Vec::new(),
            group_of: HashMap::new(),
            set_to: HashMap::new(),
            pile: Pile::new(net),
            room: 0,
            origins: Vec::new(),
            movers: Vec::new(),
            gone: HashMap::new(),
            entangled: None,
            old: HashMap::new(),
            guesses: Guesses::new(&watched.spoken_of),
        };
        for atom in &watched.atoms {
            let what = match atom {
                Atom::Test(_) => continue,
                Atom::Fired(machine, pin) => ("fired", machine, pin),
                Atom::Entered(machine, pin) => ("entered", machine, pin),
            };
            let name = format!("({} {} {:?})", what.0, net.machine(*what.1).name, what.2);
            let global = completion.step_variable(name, Type::Bool);
            completion.passed.insert(atom.clone(), global);
        }
        for (number, group) in groups.iter().enumerate() {
            let global = completion.step_variable(format!("(moved {number})"), Type::Bool);
            completion.moved.push(global);
            for &machine in group {
                completion.group_of.insert(machine, number);
            }
        }
        for (hook, _, var) in &watched.hooks {
            if let (Hook::TwoSetters, Some(var)) = (hook, var) {
                let name = format!("(set {})", net.var(*var).name);
                let most = net.var(*var).values.len() as i64;
                let ty = Type::Range { lo: 0, hi: most };
                let global = completion.step_variable(name, ty);
                completion.set_to.insert(*var, global);
            }
        }
        completion
    }

    /// Lets machines begin anew when no signal can reach them any more, unless they are spoken of:
    /// what is remembered in vain would tell states apart. Such variables are not told in stories.
    pub(crate) fn forget_what_is_gone(
        &mut self,
        forgotten: &HashMap<MachineId, Vec<MachineId>>,
        seen: &[VarId],
    ) {
        let net = self.net;
        let mut told = std::collections::HashSet::new();
        for (&id, machines) in forgotten {
            let mut vars = Vec::new();
            for &latch in machines {
                let machine = net.machine(latch);
                let own = machine.state.iter().chain(&machine.memory).copied();
                vars.extend(
                    own.filter(|var| !seen.contains(var) && net.var(*var).first.len() == 1),
                );
            }
            told.extend(vars.iter().copied());
            self.gone.insert(id, vars);
        }
        for var in told {
            let global = self.declared.global(var);
            let name = &mut self.program.globals[global.index()].name;
            *name = format!("({name})");
        }
    }

    fn step_variable(&mut self, name: String, ty: Type) -> GlobalId {
        let zero = match ty {
            Type::Bool => self.program.exprs.bool(false),
            _ => self.program.exprs.int(0, ty.clone()),
        };
        self.program.add_global(Variable {
            name,
            ty,
            init: Some(ValueSet::One(zero)),
            kind: if self.watched.stored {
                VariableKind::State
            } else {
                VariableKind::Step
            },
            span: Span::NONE,
        })
    }

    /// Forgets, at the beginning of a macro step, what passed in the one before, where that is
    /// part of the state.
    fn forget(&mut self, body: &mut Vec<Stmt>) {
        if !self.watched.stored {
            return;
        }
        let no = self.program.exprs.bool(false);
        let mut globals: Vec<GlobalId> = self.passed.values().copied().collect();
        globals.extend(&self.moved);
        globals.sort_unstable();
        for global in globals {
            body.push(Stmt::Assign(Place::global(global), no));
        }
        let mut set_to: Vec<(VarId, GlobalId)> =
            self.set_to.iter().map(|(v, g)| (*v, *g)).collect();
        set_to.sort_unstable();
        for (var, global) in set_to {
            let most = self.net.var(var).values.len() as i64;
            let zero = self.program.exprs.int(0, Type::Range { lo: 0, hi: most });
            body.push(Stmt::Assign(Place::global(global), zero));
        }
    }

    /// An atom as an expression.
    pub(crate) fn atom(&mut self, atom: &Atom) -> ExprId {
        match atom {
            Atom::Test(test) => self.declared.test(self.net, &mut self.program, test),
            _ => match self.passed.get(atom) {
                Some(&global) => self.program.exprs.load(Place::global(global), Type::Bool),
                None => self.program.exprs.bool(false),
            },
        }
    }

    /// That the scripts begin, where something else may come before.
    pub(crate) fn begins(&mut self, assumption: model::AssumptionId) -> Vec<Fairness> {
        let begun = self.net.begun.iter();
        let mut fairness = Vec::new();
        for (var, count) in begun {
            let test = Test::Is(*var, *count);
            let begun = self.declared.test(self.net, &mut self.program, &test);
            fairness.push(Fairness {
                name: "the script begins".to_owned(),
                kind: FairnessKind::Justice(begun),
                assumption: Some(assumption),
            });
        }
        fairness
    }

    /// That of these machines, which are of one group, each comes to the end of its waiting.
    pub(crate) fn fairness(
        &mut self,
        group: usize,
        machines: &[MachineId],
        assumption: model::AssumptionId,
    ) -> Fairness {
        let waiting = machines.iter().map(|&id| self.net.waiting(id)).collect();
        let waiting = Test::not(Test::any(waiting));
        let idle = self.declared.test(self.net, &mut self.program, &waiting);
        let moved = Place::global(self.moved[group]);
        let moved = self.program.exprs.load(moved, Type::Bool);
        let names: Vec<&str> = machines
            .iter()
            .take(3)
            .map(|&id| self.net.machine(id).name.as_str())
            .collect();
        Fairness {
            name: format!("{} end", names.join(", ")),
            kind: FairnessKind::Justice(self.program.exprs.or(idle, moved)),
            assumption: Some(assumption),
        }
    }

    /// Inputs to which fewer signals are sent than there may be.
    pub(crate) fn left_out(&self) -> &BTreeSet<(MachineId, u16)> {
        &self.pile.left_out
    }

    /// Makes the processes.
    pub(crate) fn processes(&mut self, diagnostics: &mut Diagnostics) {
        let net = self.net;
        let pins: usize = net.machines.iter().map(|m| m.inputs.len() + 1).sum();
        self.room = pins * MOST_LOCATIONS + 10_000;
        for (id, machine) in net.ids() {
            if !machine.own.is_empty() {
                self.process(id);
            }
        }
        if let Some(id) = self.entangled {
            let machine = net.machine(id);
            let message = format!(
                "the orders in which signals may come to `{}` and others are too many",
                machine.name
            );
            let error = Diagnostic::error(codes::ENTANGLED, message);
            diagnostics.push(error.at(machine.span).help("check it with --timing edges"));
        }
        let mut world = Process::new("time");
        world.environment = true;
        let rest = world.add_location("rest", Mode::Open, Span::NONE);
        world.locations[rest.index()].end = true;
        let mut nothing = Step::new(rest, rest, Span::NONE);
        nothing.label = Some("nothing happens".to_owned());
        self.forget(&mut nothing.body);
        world.add_step(nothing);
        self.start(world);
        self.movers.push(None);
        self.origins.push(vec![None]);
    }

    fn start(&mut self, process: Process) -> ProcessId {
        let process = self.program.add_process(process);
        self.program.start.push(Start {
            process,
            args: Vec::new(),
        });
        process
    }

    fn process(&mut self, id: MachineId) {
        let machine = self.net.machine(id);
        let mut wave = Wave::new(machine.name.clone());
        let begins = machine
            .own
            .iter()
            .any(|(moment, _)| *moment == Moment::Start);
        let start = begins.then(|| wave.stable("not begun", machine.span));
        wave.rest = wave.stable("at rest", machine.span);
        for (number, (moment, rule)) in machine.own.iter().enumerate() {
            let from = match (moment, start) {
                (Moment::Start, Some(start)) => start,
                _ => wave.rest,
            };
            for (way, effect) in rule.effects.iter().enumerate() {
                let guard = (rule.guard != Test::Always).then_some(&rule.guard);
                let known = Known::default();
                let place = (from, NOTHING);
                let step = self.step(&mut wave, place, id, guard, effect, known);
                let Some(mut step) = step else { continue };
                let cause = Cause {
                    machine: id,
                    site: Site::Own(number),
                    way: Some(way),
                };
                let mut body = Vec::new();
                self.forget(&mut body);
                body.extend(self.guess(rule, cause));
                for &var in self.gone.get(&id).into_iter().flatten() {
                    let first = Some(vec![(Test::Always, self.net.var(var).first[0])]);
                    let set = self
                        .declared
                        .update(self.net, &mut self.program, var, &first);
                    if let ValueSet::One(value) = set {
                        let place = Place::global(self.declared.global(var));
                        body.push(Stmt::Assign(place, value));
                    }
                }
                body.append(&mut step.body);
                step.body = body;
                step.class = match moment {
                    Moment::Start | Moment::Early => 3,
                    Moment::Soon => 2,
                    Moment::Event | Moment::Later => 1,
                };
                step.label = Some(label(machine, effect));
                if matches!(moment, Moment::Later | Moment::Soon)
                    && !machine.waits_on(rule, effect)
                    && let Some(&group) = self.group_of.get(&id)
                {
                    let moved = Place::global(self.moved[group]);
                    let yes = self.program.exprs.bool(true);
                    step.body.push(Stmt::Assign(moved, yes));
                }
                wave.add(step, cause);
            }
        }
        while let Some((pending, known)) = wave.open.pop() {
            source::limits::check();
            self.enter(&mut wave, pending, &known);
        }
        self.start(wave.process);
        self.movers.push(Some(id));
        self.origins.push(wave.origins);
    }

    /// The steps of a location: a signal enters an input.
    fn enter(&mut self, wave: &mut Wave, pending: Pending, known: &Known) {
        let from = wave.location(pending);
        let Entry {
            machine: id,
            input,
            rest,
        } = self.pile.entry(pending);
        let machine = self.net.machine(id);
        let declared = &machine.inputs[usize::from(input)];
        let hidden = declared.name.starts_with('#');
        let mut arrival = Vec::new();
        if !hidden {
            arrival.push(self.event(ENTERS, id, usize::from(input), machine.span));
        }
        for asked in [Some(input), None] {
            self.pass(&Atom::Entered(id, asked), &mut arrival);
        }
        let waiting = self.net.waiting(id);
        for (number, rule) in declared.rules.iter().enumerate() {
            let guard = &rule.guard;
            for (way, effect) in rule.effects.iter().enumerate() {
                let (place, known) = ((from, rest), known.clone());
                let step = self.step(wave, place, id, Some(guard), effect, known);
                let Some(mut step) = step else { continue };
                if !wave.is_new(pending, number, way) {
                    continue;
                }
                let cause = Cause {
                    machine: id,
                    site: Site::Input(input, number),
                    way: Some(way),
                };
                let mut body = arrival.clone();
                body.extend(self.guess(rule, cause));
                // A node that is started anew while it waits waits from then on.
                let restarts = machine.state.is_some_and(|state| {
                    effect.sets.iter().any(|(var, update)| {
                        let to = |at: &u16| machine.ending.contains(at);
                        *var == state
                            && update
                                .as_ref()
                                .is_some_and(|c| c.iter().any(|(_, at)| to(at)))
                    })
                });
                if restarts && !machine.hidden {
                    self.check(Hook::Retrigger, &waiting, &mut body, machine.span);
                    if let Some(&group) = self.group_of.get(&id) {
                        let moved = Place::global(self.moved[group]);
                        let yes = self.program.exprs.bool(true);
                        body.push(Stmt::Assign(moved, yes));
                    }
                }
                body.append(&mut step.body);
                step.body = body;
                step.guard = step.guard.filter(|_| *guard != Test::Always);
                wave.add(step, cause);
            }
        }
        // Nothing applies: the signal is lost.
        let none = declared
            .rules
            .iter()
            .map(|rule| Test::not(rule.guard.clone()));
        let none = Test::all(none.collect());
        if known.holds(&none, &self.pile.possible) != Some(false) {
            let mut known = known.clone();
            known.assume(&none, &|var| self.pile.turns.is_decisive(var));
            let target = self.location(wave, rest, known);
            if !wave.is_new(pending, declared.rules.len(), 0) {
                return;
            }
            let mut step = Step::new(from, target, machine.span);
            step.guard = (none != Test::Always)
                .then(|| self.declared.test(self.net, &mut self.program, &none));
            step.body = arrival;
            self.check(Hook::Dropped, &waiting, &mut step.body, machine.span);
            let site = Site::Input(input, declared.rules.len());
            wave.add(
                step,
                Cause {
                    machine: id,
                    site,
                    way: None,
                },
            );
        }
    }

    /// The step in which an effect comes about, if it can.
    fn step(
        &mut self,
        wave: &mut Wave,
        (from, rest): (LocId, Pending),
        id: MachineId,
        guard: Option<&Test>,
        effect: &Effect,
        mut known: Known,
    ) -> Option<Step> {
        if let Some(guard) = guard {
            if known.holds(guard, &self.pile.possible) == Some(false) {
                return None;
            }
            known.assume(guard, &|var| self.pile.turns.is_decisive(var));
        }
        known.change(effect, &self.pile.possible, &|var| {
            self.pile.turns.is_decisive(var)
        });
        let machine = self.net.machine(id);
        let mut body = Vec::new();
        let order = in_reading_order(&effect.sets);
        self.save_old(&order, &mut body);
        for (var, update) in order {
            self.look_at_flag(*var, update, &mut body, machine.span);
            let set = self
                .declared
                .update(self.net, &mut self.program, *var, update);
            let place = Place::global(self.declared.global(*var));
            let anything = self.anything(*var);
            let what = &self.net.var(*var).name;
            let open = anything.is_some() || is_open(&set);
            let value = || self.guesses.value(self.net, &mut self.program, *var);
            let outside = open.then(value);
            assign(place, &set, (what, anything, outside), &mut body);
        }
        self.declared.read_instead(HashMap::new());
        // The last output's signals are pushed first, so that the first one's travel first.
        let mut pending = rest;
        for &out in effect.outs.iter().rev() {
            let output = &machine.outputs[usize::from(out)];
            for &(target, input) in output.targets.iter().rev() {
                pending = self.pile.push(target, input, pending);
            }
        }
        for &out in &effect.outs {
            let output = &machine.outputs[usize::from(out)];
            if !output.hidden {
                let kind = if output.targets.is_empty() {
                    LEADS_NOWHERE
                } else {
                    FIRES
                };
                let pin = machine.inputs.len() + usize::from(out);
                body.push(self.event(kind, id, pin, machine.span));
            }
            for asked in [Some(out), None] {
                self.pass(&Atom::Fired(id, asked), &mut body);
            }
        }
        let target = self.location(wave, pending, known);
        let mut step = Step::new(from, target, machine.span);
        step.guard = guard.map(|guard| self.declared.test(self.net, &mut self.program, guard));
        step.body = body;
        Some(step)
    }

    /// The choice that says that a step is taken for a value that is not followed, if it is.
    fn guess(&mut self, rule: &Rule, cause: Cause) -> Option<Stmt> {
        let by = rule.rests_on?;
        Some(self.guesses.way(self.net, &mut self.program, by, cause))
    }

    /// The value that stands for all that are not followed, of a variable that is spoken of.
    fn anything(&mut self, var: VarId) -> Option<ExprId> {
        let at = self.guesses.is_value(self.net, var)?;
        let any = Some(vec![(Test::Always, at)]);
        match self.declared.update(self.net, &mut self.program, var, &any) {
            ValueSet::One(value) => Some(value),
            _ => None,
        }
    }

    /// Keeps the old values of variables that are read after they have been written: where several change
    /// at once, and read each other.
    fn save_old(&mut self, order: &[&(VarId, crate::net::Update)], body: &mut Vec<Stmt>) {
        let mut old = HashMap::new();
        for (at, (var, _)) in order.iter().enumerate() {
            if !order[at + 1..].iter().any(|later| reads(later, *var)) {
                continue;
            }
            let ty = self.declared.type_of(*var).clone();
            let kept = match self.old.get(var) {
                Some(&kept) => kept,
                None => {
                    let name = format!("(old {})", self.net.var(*var).name);
                    let zero = self.program.zero(&ty);
                    let zero = self.program.exprs.value(zero, ty.clone());
                    let kept = self.program.add_global(Variable {
                        name,
                        ty: ty.clone(),
                        init: Some(ValueSet::One(zero)),
                        kind: VariableKind::Step,
                        span: Span::NONE,
                    });
                    self.old.insert(*var, kept);
                    kept
                }
            };
            let now = Place::global(self.declared.global(*var));
            let now = self.program.exprs.load(now, ty);
            body.push(Stmt::Assign(Place::global(kept), now));
            old.insert(*var, kept);
        }
        self.declared.read_instead(old);
    }

    /// The location at which this is pending; what may happen there is to be found out, if more
    /// may be there than was known before.
    fn location(&mut self, wave: &mut Wave, pending: Pending, known: Known) -> LocId {
        if pending == NOTHING {
            return wave.rest;
        }
        if let Some(location) = wave.again(pending, &known) {
            return location;
        }
        let entry = self.pile.entry(pending);
        if self.room == 0 {
            self.entangled.get_or_insert(entry.machine);
            return wave.rest;
        }
        self.room -= 1;
        let machine = self.net.machine(entry.machine);
        let name = format!(
            "{}.{}",
            machine.name,
            machine.inputs[usize::from(entry.input)].name
        );
        let location = wave.process.add_location(name, Mode::Region, machine.span);
        wave.pause(pending, location, known);
        location
    }

    fn event(&mut self, kind: usize, id: MachineId, pin: usize, span: Span) -> Stmt {
        let at = self.first_pin[id.index()] + pin;
        let pin = self.program.exprs.int(at as i128, self.pins.clone());
        Stmt::Emit {
            event: self.events[kind],
            args: vec![pin],
            span,
        }
    }

    fn pass(&mut self, atom: &Atom, body: &mut Vec<Stmt>) {
        if let Some(&global) = self.passed.get(atom) {
            let yes = self.program.exprs.bool(true);
            body.push(Stmt::Assign(Place::global(global), yes));
        }
    }

    /// A check fails here if the test holds.
    fn check(&mut self, wanted: Hook, test: &Test, body: &mut Vec<Stmt>, span: Span) {
        if *test == Test::Never {
            return;
        }
        for &(hook, check, _) in &self.watched.hooks {
            if hook == wanted {
                let not = Test::not(test.clone());
                let cond = self.declared.test(self.net, &mut self.program, &not);
                body.push(Stmt::Assert { cond, check, span });
            }
        }
    }

    /// What checks have to say where a flag is set.
    fn look_at_flag(
        &mut self,
        var: VarId,
        update: &crate::net::Update,
        body: &mut Vec<Stmt>,
        span: Span,
    ) {
        if self.net.var(var).owner != Owner::Flag {
            return;
        }
        let Some([(Test::Always, to)]) = update.as_deref() else {
            return;
        };
        for &(hook, check, about) in &self.watched.hooks {
            if about != Some(var) {
                continue;
            }
            match hook {
                Hook::Unbalanced => {
                    let same = Test::not(Test::Is(var, *to));
                    let cond = self.declared.test(self.net, &mut self.program, &same);
                    body.push(Stmt::Assert { cond, check, span });
                }
                Hook::TwoSetters => {
                    let global = self.set_to[&var];
                    let most = self.net.var(var).values.len() as i64;
                    let ty = Type::Range { lo: 0, hi: most };
                    let before = self.program.exprs.load(Place::global(global), ty.clone());
                    let none = self.program.exprs.int(0, ty.clone());
                    let this = self.program.exprs.int(i128::from(*to) + 1, ty);
                    let pool = &mut self.program.exprs;
                    let none = pool.binary(model::Binary::Eq, before, none);
                    let same = pool.binary(model::Binary::Eq, before, this);
                    let cond = joined(&mut self.program, vec![none, same], false);
                    body.push(Stmt::Assert { cond, check, span });
                    body.push(Stmt::Assign(Place::global(global), this));
                }
                Hook::Retrigger | Hook::Dropped => {}
            }
        }
    }
}

/// What a machine does by itself, for people.
fn label(machine: &crate::net::Machine, effect: &Effect) -> String {
    let outs: Vec<&str> = effect
        .outs
        .iter()
        .map(|&out| machine.outputs[usize::from(out)].name.as_str())
        .collect();
    match outs.is_empty() {
        true => machine.name.clone(),
        false => format!("{}.{}", machine.name, outs.join(", ")),
    }
}

/// Whether an assignment reads another variable.
fn reads((var, update): &(VarId, crate::net::Update), other: VarId) -> bool {
    let mut found = false;
    for (test, _) in update.iter().flatten() {
        test.vars(&mut |v| found |= v == other && other != *var);
    }
    found
}

/// All new values are in terms of the old ones: what is read is written last. Where two variables
/// read each other, they stay in their order.
pub(crate) fn in_reading_order(
    sets: &[(VarId, crate::net::Update)],
) -> Vec<&(VarId, crate::net::Update)> {
    let mut left: Vec<_> = sets.iter().collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        source::limits::check();
        let next = left
            .iter()
            .position(|set| {
                left.iter()
                    .all(|other| !reads(other, set.0) || other.0 == set.0)
            })
            .unwrap_or(0);
        order.push(left.remove(next));
    }
    order
}

//! The template of a process: a location for each state of its automaton, steps for its moves.
//!
//! Actions without a choice that nobody else can notice or prevent are done together with the action
//! before them; where a test decides which of them comes, its step goes before everything else. Nobody
//! can tell either.

mod ways;

use std::ops::Range;

use model::{
    Choice, Comm, ExprId, LocId, Mode, Origin, Pattern as FieldPattern, Place, Process, ProcessId,
    Step, Stmt, Target, Type, ValueSet,
};
use source::Span;

use super::Lowering;
use super::messages::Taken;
use super::nothing::Resuming;
use crate::ast::Word;
use crate::automaton::{Condition, Move};
use crate::behaviour::Atom;
use crate::library::Inner;
use crate::load::{Dialect, Schedule};
use crate::term::{Pattern, VarId};

/// Local actions that are done together at most.
const LONGEST: usize = 50;

/// One way in which a move can happen.
pub(super) struct Way {
    pub(super) binds: Vec<Choice>,
    pub(super) guards: Vec<ExprId>,
    comm: Option<Comm>,
    body: Vec<Stmt>,
    /// Variables that the other side hands back.
    back: Vec<(VarId, model::GlobalId)>,
}

impl Way {
    pub(super) fn doing(body: Vec<Stmt>) -> Way {
        Way {
            binds: Vec::new(),
            guards: Vec::new(),
            comm: None,
            body,
            back: Vec::new(),
        }
    }
}

impl Lowering<'_> {
    /// Makes the template of a unit.
    pub(super) fn process(&mut self, unit: usize) -> Process {
        let name = self.units[unit].inlined.name.clone();
        let mut process = Process::new(name);
        let undefined = self.undefined();
        let inlined = &self.units[unit].inlined;
        for (index, variable) in inlined.variables.iter().enumerate() {
            let mut local = model::Variable::new(variable.name.as_str(), Type::Rich);
            local.span = variable.span;
            if index >= inlined.parameters {
                local.init = Some(ValueSet::One(undefined));
            }
            process.locals.push(local);
        }
        process.parameters = inlined.parameters;
        let states = self.units[unit].automaton.states.len();
        for state in 0..states {
            let span = self.span_of_state(unit, state);
            process.add_location(format!("{state}"), Mode::Open, span);
        }
        let mut resuming = self.resuming(unit, &mut process);
        if self.units[unit].automaton.is_end(0) {
            process.starts_ended = true;
        }
        if let Some(down) = self.down {
            let down = self.program.exprs.load(Place::global(down), Type::Bool);
            process.provided = Some(self.program.exprs.not(down));
        }
        // A state that only follows what has been done together is never stored.
        let mut reached = vec![false; states];
        let mut waiting = vec![0];
        reached[0] = true;
        while let Some(state) = waiting.pop() {
            source::limits::check();
            let mut made = Vec::new();
            for next in self.units[unit].automaton.states[state].clone() {
                let (chain, to) = self.chain(unit, &next);
                let before = process.steps.len();
                let ends = (state, to);
                self.steps(unit, &mut process, ends, &next, &chain, resuming.as_mut());
                made.push(before..process.steps.len());
                if !std::mem::replace(&mut reached[to], true) {
                    waiting.push(to);
                }
            }
            self.rank(unit, state, &mut process.steps, &made);
            self.hold_back(unit, state);
        }
        if let Some(resuming) = resuming {
            self.resume(unit, &mut process, &resuming);
        }
        process
    }

    /// Says which of a state's actions are taken only if others cannot be: by guards where that can be told
    /// from the present state, else by ranks. `made` has the steps of each.
    fn rank(&mut self, unit: usize, state: usize, steps: &mut [Step], made: &[Range<usize>]) {
        let this = &self.units[unit];
        if !this.is_plainly_ranked(state) {
            let Some(ranks) = this.ranks(state) else {
                self.assume(
                    "where a choice by `+>` stands beside others, and depends on what others offer, what is \
                     not preferred is taken as well",
                    Origin::Semantics,
                );
                return;
            };
            for (made, rank) in made.iter().zip(ranks) {
                for step in &mut steps[made.clone()] {
                    step.rank = rank;
                }
            }
            return;
        }
        let moves = this.automaton.states[state].clone();
        let always = self.program.exprs.bool(true);
        let guards: Vec<ExprId> = steps
            .iter()
            .map(|step| step.guard.unwrap_or(always))
            .collect();
        for (next, own) in moves.iter().zip(made) {
            let better = moves.iter().zip(made).filter(|(b, _)| next.yields_to(b));
            let better: Vec<ExprId> = better
                .flat_map(|(_, made)| guards[made.clone()].iter().copied())
                .collect();
            if better.is_empty() {
                continue;
            }
            let any = self.any_of(better);
            let none = self.program.exprs.not(any);
            for step in &mut steps[own.clone()] {
                step.guard = Some(match step.guard {
                    Some(guard) => self.program.exprs.and(guard, none),
                    None => none,
                });
            }
        }
    }

    fn span_of_state(&self, unit: usize, state: usize) -> Span {
        let unit = &self.units[unit];
        let first = unit.automaton.states[state].first();
        first.map_or(unit.inlined.span, |next| unit.inlined.atoms[next.atom].span)
    }

    /// The local actions without a choice that follow a move, and where they lead. One whose expression may
    /// have no value is none of them: what has been done before it would be undone.
    fn chain(&self, unit: usize, next: &Move) -> (Vec<usize>, usize) {
        let unit = &self.units[unit];
        let mut chain = Vec::new();
        let mut at = next.to;
        while chain.len() < LONGEST && unit.silent[at] {
            match unit.automaton.states[at].as_slice() {
                [only]
                    if only.conditions.is_empty()
                        && !only.begins
                        && !self.may_have_no_value(&unit.inlined.atoms[only.atom]) =>
                {
                    chain.push(only.atom);
                    at = only.to;
                }
                _ => break,
            }
        }
        (chain, at)
    }

    /// Adds the steps of a move.
    fn steps(
        &mut self,
        unit: usize,
        process: &mut Process,
        (from, to): (usize, usize),
        next: &Move,
        chain: &[usize],
        mut resuming: Option<&mut Resuming>,
    ) {
        let atom = self.units[unit].inlined.atoms[next.atom].clone();
        let silent = self.units[unit].silent[from];
        let mut ways = self.ways_from_outside(unit, next, &atom);
        if ways.is_empty() {
            ways.extend(self.only_asks(&atom, next));
        }
        for mut way in ways {
            let mut class = self.class(&atom, silent);
            let mut step = Step::new(LocId::new(from), LocId::new(to), atom.span);
            step.binds = way.binds;
            let mut guards = Vec::new();
            for condition in &next.conditions {
                match condition {
                    Condition::Holds(test) => guards.push(self.answered(test)),
                    Condition::Set(var, value) => {
                        let value = self.value(value);
                        step.binds.insert(
                            0,
                            Choice {
                                place: Place::own(var.index()),
                                set: ValueSet::One(value),
                                sample: None,
                                what: self.units[unit].inlined.variables[var.index()].name.clone(),
                                outside: None,
                            },
                        );
                    }
                    Condition::Vanishes(var) => {
                        let (connected, vanishing) = self.vanishes(*var);
                        guards.push(connected);
                        way.body.splice(0..0, vanishing);
                    }
                    Condition::Vanished(var) => {
                        guards.push(self.has_vanished(*var));
                        class = 2;
                    }
                }
            }
            guards.extend(way.guards);
            guards.extend(self.in_time(&atom));
            let guard = self.all_of(guards);
            match self.program.exprs.constant(guard) {
                Some(model::Value::Bool(true)) => {}
                Some(model::Value::Bool(false)) => continue,
                _ => step.guard = Some(guard),
            }
            step.class = class;
            step.comm = way.comm;
            step.body = way.body;
            if next.begins {
                let round = self.new_round(unit, atom.span);
                step.body.splice(0..0, round);
            }
            let mut tail: Vec<Stmt> = Vec::new();
            for &(var, through) in &way.back {
                let value = self.program.exprs.load(Place::global(through), Type::Rich);
                tail.push(Stmt::Assign(Place::own(var.index()), value));
            }
            for &local in chain {
                let local = self.units[unit].inlined.atoms[local].clone();
                tail.extend(self.quiet(unit, &local));
            }
            self.forget(unit, (from, to), next, chain, &mut tail);
            tail.extend(self.start_clock(unit));
            let ends = self.units[unit].automaton.is_end(to);
            if ends {
                tail.extend(self.end(unit, atom.span));
            } else {
                tail.extend(self.takes_leave(unit, (from, to), next, chain));
            }
            let done: Vec<Atom> = std::iter::once(&next.atom)
                .chain(chain)
                .map(|&atom| self.units[unit].inlined.atoms[atom].clone())
                .collect();
            let done: Vec<&Atom> = done.iter().collect();
            tail.extend(self.fails_for_nothing(resuming.as_deref_mut(), &done, to));
            let target = if ends {
                Target::End
            } else {
                Target::Goto(LocId::new(to))
            };
            if way.back.is_empty() {
                step.body.append(&mut tail);
                step.target = target;
            } else {
                // What is handed back is there when the other side has made its step.
                let here = process.add_location("handed back", Mode::Region, atom.span);
                step.target = Target::Goto(here);
                let mut last = Step::new(here, here, atom.span);
                last.class = step.class;
                last.body = tail;
                last.target = target;
                process.add_step(last);
            }
            process.add_step(step);
        }
    }

    /// What happens to the queue where a move leads to a state in which the process reads no more notes,
    /// and who is told that nobody will ask how old its notes are.
    fn takes_leave(
        &mut self,
        unit: usize,
        (from, to): (usize, usize),
        next: &Move,
        chain: &[usize],
    ) -> Vec<Stmt> {
        let this = &self.units[unit];
        let mut atoms = std::iter::once(&next.atom).chain(chain);
        let subscribes = atoms.any(|&atom| this.inlined.atoms[atom].word == Word::Subscribe);
        let mut all = this.inlined.atoms.iter();
        if !all.any(|atom| atom.word == Word::Subscribe) {
            return Vec::new();
        }
        let comes_to_be = |states: &[bool]| states[to] && (!states[from] || subscribes);
        let (leaves, deaf) = (comes_to_be(&this.leaving), comes_to_be(&this.deaf));
        let (leaving, mute) = (this.leaving[to], this.leaving[to] || this.mute[to]);
        let falls_silent = leaves || comes_to_be(&this.mute);
        let mut body = Vec::new();
        if leaves || deaf {
            body.extend(self.stop_listening(leaving));
        }
        if falls_silent || deaf {
            body.extend(self.reads_no_more(mute));
        }
        body
    }

    fn class(&self, atom: &Atom, silent: bool) -> u8 {
        let listens = matches!(
            atom.word,
            Word::RecConnect | Word::RecDisconnect | Word::RecEvent | Word::RecValue | Word::Read
        );
        let counted = self.counts_time() && atom.delay.is_some();
        if silent {
            2
        } else if self.schedule == Schedule::Prompt && (listens || atom.delayed && !counted) {
            0
        } else {
            1
        }
    }

    /// Variables that nobody will read are undefined.
    fn forget(
        &mut self,
        unit: usize,
        (from, to): (usize, usize),
        next: &Move,
        chain: &[usize],
        out: &mut Vec<Stmt>,
    ) {
        let inlined = &self.units[unit].inlined;
        let live = &self.units[unit].live;
        let mut touched: Vec<VarId> = Vec::new();
        for &atom in std::iter::once(&next.atom).chain(chain) {
            for arg in &inlined.atoms[atom].args {
                arg.variables(&mut |var, _| touched.push(var));
            }
        }
        for condition in &next.conditions {
            match condition {
                Condition::Holds(test) => test.test.variables(&mut |var, _| touched.push(var)),
                Condition::Set(var, value) => {
                    touched.push(*var);
                    value.variables(&mut |var, _| touched.push(var));
                }
                Condition::Vanishes(var) | Condition::Vanished(var) => touched.push(*var),
            }
        }
        // What was alive in some alternative that is not taken.
        for (index, &alive) in live[from].iter().enumerate() {
            if alive {
                touched.push(VarId(u32::try_from(index).expect("few variables")));
            }
        }
        touched.sort();
        touched.dedup();
        let inlined = &self.units[unit].inlined;
        let written: Vec<bool> = (0..inlined.variables.len())
            .map(|var| var >= inlined.parameters || self.is_assigned(unit, var))
            .collect();
        let live = self.units[unit].live[to].clone();
        let undefined = self.undefined();
        for var in touched {
            if written[var.index()] && !live[var.index()] {
                out.push(Stmt::Assign(Place::own(var.index()), undefined));
            }
        }
    }

    fn is_assigned(&self, unit: usize, var: usize) -> bool {
        let mut assigned = false;
        for atom in &self.units[unit].inlined.atoms {
            for arg in &atom.args {
                arg.variables(&mut |other, written| assigned |= written && other.index() == var);
            }
        }
        assigned
    }

    /// What a local action does.
    fn local(&mut self, atom: &Atom) -> Vec<Stmt> {
        match (atom.word, atom.args.as_slice()) {
            (Word::Assign, [Pattern::Result(var), value]) => {
                let value = self.evaluated(value);
                let assign = Stmt::Assign(Place::own(var.index()), value);
                let nothing = self.notes_nothing(atom);
                std::iter::once(assign).chain(nothing).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What an action does that is done together with the one before it.
    fn quiet(&mut self, unit: usize, atom: &Atom) -> Vec<Stmt> {
        if super::live::is_local(atom.word) {
            return self.local(atom);
        }
        let name = self.units[unit].inlined.name.clone();
        let mut body = vec![self.told(&name, atom)];
        if atom.word == Word::Unsubscribe {
            body.extend(self.unsubscribe(unit, &atom.args[0]));
        }
        body
    }

    /// The ways in which an action can happen.
    fn ways(&mut self, unit: usize, number: usize, atom: &Atom) -> Vec<Way> {
        let name = self.units[unit].inlined.name.clone();
        let lead = name.as_str();
        match atom.word {
            Word::Assign
            | Word::Tau
            | Word::Attach
            | Word::Detach
            | Word::PerfStats
            | Word::ClearStats => vec![Way::doing(self.local(atom))],
            Word::Delta => Vec::new(),
            Word::Printf => {
                let mut values = Vec::new();
                for arg in &atom.args[1..] {
                    values.push(self.value_of_unit(arg, unit));
                }
                let format = self.value(&atom.args[0]);
                let values = self.list_of(values);
                let printed = self.apply(Inner::Printed, &[format, values]);
                let told = self.tell("printf", &[lead], vec![printed], atom.span);
                vec![Way::doing(vec![told])]
            }
            Word::Shutdown => {
                let told = self.told(lead, atom);
                let mut body = vec![told];
                if let Some(down) = self.down {
                    let yes = self.program.exprs.bool(true);
                    body.push(Stmt::Assign(Place::global(down), yes));
                }
                body.extend(self.everything_ends());
                vec![Way::doing(body)]
            }
            Word::SndMsg | Word::RecMsg => self.meetings(unit, number, atom),
            Word::Outside => vec![self.done_outside(unit, atom)],
            Word::Meet => self.meets_itself(unit, atom).into_iter().collect(),
            Word::Subscribe | Word::Unsubscribe => {
                let mut body = vec![self.told(lead, atom)];
                body.extend(if atom.word == Word::Subscribe {
                    self.subscribe(unit, &atom.args[0])
                } else {
                    self.unsubscribe(unit, &atom.args[0])
                });
                vec![Way::doing(body)]
            }
            Word::SndNote => {
                let note = self.value_of_unit(&atom.args[0], unit);
                let (guard, mut body) = self.send_note(note);
                let early = self.not_too_early(unit, &atom.args[0], note, atom.span);
                body.splice(0..0, early);
                body.insert(0, self.told(lead, atom));
                let mut way = Way::doing(body);
                way.guards.extend(guard);
                vec![way]
            }
            Word::RecNote => {
                let Some((guard, mut body)) = self.read_note(unit, &atom.args[0]) else {
                    return Vec::new();
                };
                // The note as it is, not as it was asked for.
                let note = self
                    .program
                    .exprs
                    .load(Place::global(self.picked), Type::Rich);
                body.push(self.tell(atom.word.text(), &[lead], vec![note], atom.span));
                let mut way = Way::doing(body);
                way.guards.push(guard);
                vec![way]
            }
            Word::NoNote => {
                let guard = self.no_note(unit, &atom.args[0]);
                let mut way = Way::doing(vec![self.told(lead, atom)]);
                way.guards.extend(guard);
                vec![way]
            }
            Word::Create => self.creation(lead, atom),
            Word::Read => {
                let told = self.told(lead, atom);
                let mut way = Way::doing(vec![told]);
                way.binds = self.choices(unit, Word::Read, &atom.args);
                vec![way]
            }
            _ => {
                let told = self.told(lead, atom);
                let deeds = self.tool_deeds(unit, atom);
                deeds
                    .into_iter()
                    .map(|deed| {
                        let mut body = deed.body;
                        body.push(told.clone());
                        Way {
                            binds: deed.binds,
                            guards: deed.guards,
                            comm: None,
                            body,
                            back: Vec::new(),
                        }
                    })
                    .collect()
            }
        }
    }

    /// The event that an action is, told when it has been done.
    fn told(&mut self, lead: &str, atom: &Atom) -> Stmt {
        let args: Vec<Pattern> = atom.args.iter().map(|arg| self.filled(arg)).collect();
        let values = args.iter().map(|arg| self.value(arg)).collect();
        self.tell(atom.word.text(), &[lead], values, atom.span)
    }

    /// The messages that an action may be part of.
    fn meetings(&mut self, unit: usize, number: usize, atom: &Atom) -> Vec<Way> {
        let name = self.units[unit].inlined.name.clone();
        let mut ways = Vec::new();
        for at in 0..self.pairs.len() {
            let pair = &self.pairs[at];
            let sends = pair.sender == (unit, number) && atom.word == Word::SndMsg;
            let receives = pair.receiver == (unit, number) && atom.word == Word::RecMsg;
            let channel = pair.channel;
            if sends {
                let message: Vec<ExprId> = pair.plan.fields.iter().map(|(sent, _)| *sent).collect();
                let guards = pair.plan.sender_guards.clone();
                let back = pair
                    .plan
                    .back
                    .iter()
                    .map(|&(var, through, _)| (var, through))
                    .collect();
                let message = if message.is_empty() {
                    vec![self.empty()]
                } else {
                    message
                };
                let channel = self.channel(channel);
                ways.push(Way {
                    binds: Vec::new(),
                    guards,
                    comm: Some(Comm::Send {
                        channel,
                        message,
                        sorted: false,
                        lossy: false,
                    }),
                    body: self.signs_message().into_iter().collect(),
                    back,
                });
            } else if receives {
                let mut patterns: Vec<FieldPattern> = pair
                    .plan
                    .fields
                    .iter()
                    .map(|(_, taken)| match taken {
                        Taken::Stored(var) => FieldPattern::Bind(Place::own(var.index())),
                        Taken::Compared(with) => FieldPattern::Match(*with),
                    })
                    .collect();
                if patterns.is_empty() {
                    patterns.push(FieldPattern::Any);
                }
                let guards = pair.plan.receiver_guards.clone();
                let handed: Vec<(model::GlobalId, ExprId)> = pair
                    .plan
                    .back
                    .iter()
                    .map(|&(_, through, value)| (through, value))
                    .collect();
                let told = pair.told.clone();
                let sender = self.units[pair.sender.0].inlined.name.clone();
                let mut body = vec![self.tell("msg", &[&sender, &name], told, atom.span)];
                for (through, value) in handed {
                    body.push(Stmt::Assign(Place::global(through), value));
                }
                let channel = self.channel(channel);
                ways.push(Way {
                    binds: Vec::new(),
                    guards,
                    comm: Some(Comm::Receive {
                        channel,
                        patterns,
                        anywhere: false,
                        keep: false,
                    }),
                    body,
                    back: Vec::new(),
                });
            }
        }
        ways
    }

    fn creation(&mut self, lead: &str, atom: &Atom) -> Vec<Way> {
        let Some(unit) = atom
            .creates
            .and_then(|index| self.units.iter().position(|u| u.inlined.index == index))
        else {
            return Vec::new();
        };
        let parameters = self.units[unit].inlined.parameters;
        let (args, pid) = atom.args.split_at(parameters.min(atom.args.len()));
        let created = self.units[unit].inlined.name.clone();
        let created = Pattern::Apply(created.as_str().into(), args.to_vec());
        let created = self.value(&created);
        let mut body = vec![self.tell("create", &[lead], vec![created], atom.span)];
        let mut given = Vec::new();
        for arg in args {
            given.push(self.value(arg));
        }
        let process = ProcessId::new(unit);
        match pid {
            // Numbers of processes are of no use but to be compared.
            [Pattern::Result(var)] if self.is_read(*var, atom) => {
                let number = self.number_of_new();
                body.push(Stmt::Spawn {
                    process,
                    args: given,
                    result: Some(Place::global(number)),
                    share_frame: false,
                });
                let number = self
                    .program
                    .exprs
                    .load(Place::global(number), Type::Instance);
                let number = self
                    .program
                    .exprs
                    .add(model::Expr::Convert(number), crate::library::BYTE);
                let number = self.apply(Inner::FromNumber, &[number]);
                body.push(Stmt::Assign(Place::own(var.index()), number));
            }
            _ => body.push(Stmt::Spawn {
                process,
                args: given,
                result: None,
                share_frame: false,
            }),
        }
        let mut way = Way::doing(body);
        way.guards.push(self.room_for_one_more());
        vec![way]
    }

    /// Whether a variable is read anywhere in the process of an action.
    pub(super) fn is_read(&self, var: VarId, atom: &Atom) -> bool {
        let unit = self.units.iter().find(|unit| {
            unit.inlined
                .atoms
                .iter()
                .any(|other| other.span == atom.span)
        });
        let Some(unit) = unit else { return true };
        let tests = unit.automaton.states.iter().flatten();
        let mut read = false;
        for atom in &unit.inlined.atoms {
            for arg in &atom.args {
                arg.variables(&mut |other, written| read |= other == var && !written);
            }
        }
        for next in tests {
            for condition in &next.conditions {
                let term = match condition {
                    Condition::Holds(test) => &test.test,
                    Condition::Set(_, value) => value,
                    Condition::Vanishes(tool) | Condition::Vanished(tool) => {
                        read |= *tool == var;
                        continue;
                    }
                };
                term.variables(&mut |other, _| read |= other == var);
            }
        }
        read
    }

    /// Where the number of a new instance is put for a moment.
    fn number_of_new(&mut self) -> model::GlobalId {
        let known = self
            .program
            .globals
            .iter()
            .position(|global| global.name == "(new)");
        if let Some(known) = known {
            return model::GlobalId::new(known);
        }
        let mut variable = model::Variable::new("(new)", Type::Instance);
        variable.kind = model::VariableKind::Step;
        self.program.add_global(variable)
    }

    /// What happens when a process has come to its end.
    fn end(&mut self, unit: usize, span: Span) -> Vec<Stmt> {
        let mut body = Vec::new();
        let subscribes = self.units[unit]
            .inlined
            .atoms
            .iter()
            .any(|atom| atom.word == Word::Subscribe);
        if subscribes
            && self.dialect == Dialect::Ng
            && let Some(cond) = self.is_unsubscribed()
        {
            let check = self.unsubscribed_check();
            body.push(Stmt::Assert { cond, check, span });
        }
        let name = self.units[unit].inlined.name.clone();
        body.push(self.tell("ends", &[&name], Vec::new(), span));
        if subscribes {
            body.extend(self.forget_notes());
        }
        body
    }

    /// Notes where a process waits for what a bound keeps away.
    fn hold_back(&mut self, unit: usize, state: usize) {
        let mut conditions = Vec::new();
        for next in self.units[unit].automaton.states[state].clone() {
            let atom = self.units[unit].inlined.atoms[next.atom].clone();
            conditions.extend(self.held_back_by(unit, &atom));
        }
        let place = (ProcessId::new(unit), LocId::new(state));
        for condition in conditions {
            match self
                .held_back
                .iter_mut()
                .find(|(known, _)| *known == condition)
            {
                Some((_, places)) if places.contains(&place) => {}
                Some((_, places)) => places.push(place),
                None => self.held_back.push((condition, vec![place])),
            }
        }
    }
}

//! Who can let go of a tool.
//!
//! Whoever hears of a tool's end, or ends it, makes it unreachable for all. If a process got a tool
//! by `rec-connect` or `execute`, or as the argument with which it was created by one that had it so,
//! and nobody ends tools of this kind that he does not have so, nobody else can end it: it is
//! *held*. Then what only needs the tool to be there can always be done.
//!
//! For each state of each automaton the variables are found that hold a tool whatever has happened
//! (a forward analysis in which only what is certain counts); what is handed on to a new process, the
//! old one no longer holds.

use std::collections::BTreeSet;

use super::Unit;
use crate::ast::Word;
use crate::automaton::{Condition, Move};
use crate::behaviour::Inlined;
use crate::term::{Pattern, VarId};
use crate::types::Type;

/// Which tools are held.
#[derive(Debug)]
pub(super) struct Held {
    /// For each unit, state and variable, whether the variable surely holds a tool.
    holds: Vec<Vec<Vec<bool>>>,
    /// Kinds of tools that are ended by processes that may not hold them.
    loose: BTreeSet<String>,
    /// The same, of a kind that is not known.
    all_loose: bool,
    /// Kinds of tools of which not every one is held, at all times, by one variable of one process.
    stray: BTreeSet<String>,
    /// The same, of a kind that is not known.
    all_stray: bool,
}

/// The kind of tools of a variable.
fn kind(process: &Inlined, var: VarId) -> Option<&str> {
    match &process.variables[var.index()].ty {
        Type::Apply(name, _) => Some(name),
        _ => None,
    }
}

impl Held {
    /// What units hold; `started` are those that run from the start.
    pub(super) fn of(units: &[Unit], started: &[usize]) -> Held {
        let mut held = Held {
            holds: Vec::new(),
            loose: BTreeSet::new(),
            all_loose: false,
            stray: BTreeSet::new(),
            all_stray: false,
        };
        // The parameters that hold tools, until somebody gives one that does not.
        let mut given: Vec<Vec<bool>> = units
            .iter()
            .enumerate()
            .map(|(unit, this)| vec![!started.contains(&unit); this.inlined.parameters])
            .collect();
        loop {
            source::limits::check();
            let before = given.clone();
            held.holds = units
                .iter()
                .zip(&before)
                .map(|(unit, given)| reached(unit, given))
                .collect();
            for (unit, this) in units.iter().enumerate() {
                for (state, moves) in this.automaton.states.iter().enumerate() {
                    for next in moves {
                        let now = before_action(&held.holds[unit][state], next);
                        held.look(units, this, next, &now, &mut given);
                    }
                }
            }
            if given == before {
                held.find_stray(units, &given);
                return held;
            }
        }
    }

    /// Whether a variable of a unit holds a tool in a state, and nobody else can end it.
    pub(super) fn is_held(
        &self,
        units: &[Unit],
        (unit, state): (usize, usize),
        var: VarId,
    ) -> bool {
        let kind = kind(&units[unit].inlined, var);
        self.holds[unit][state][var.index()]
            && !self.all_loose
            && kind.is_some_and(|kind| !self.loose.contains(kind))
    }

    /// Whether each tool of a kind that is there is held by one variable of one process.
    pub(super) fn is_owned(&self, kind: &str) -> bool {
        !self.all_loose
            && !self.all_stray
            && !self.loose.contains(kind)
            && !self.stray.contains(kind)
    }

    fn strays(&mut self, kind: Option<&str>) {
        match kind {
            Some(kind) => {
                self.stray.insert(kind.to_owned());
            }
            None => self.all_stray = true,
        }
    }

    /// Finds the kinds of which a tool may be held by nobody, or by two.
    fn find_stray(&mut self, units: &[Unit], given: &[Vec<bool>]) {
        // What may be held: where a tool is given in one way and another thing in another, it is
        // not known who holds what.
        let mut perhaps: Vec<Vec<bool>> = units
            .iter()
            .map(|unit| vec![false; unit.inlined.parameters])
            .collect();
        for (unit, this) in units.iter().enumerate() {
            for (state, moves) in this.automaton.states.iter().enumerate() {
                if this.is_oddly_ranked(state) {
                    // Nothing can stand beside such actions.
                    let here = self.holds[unit][state].clone();
                    for (index, _) in here.iter().enumerate().filter(|(_, holds)| **holds) {
                        let var = VarId(u32::try_from(index).expect("few variables"));
                        self.strays(kind(&this.inlined, var));
                    }
                }
                for next in moves {
                    let now = before_action(&self.holds[unit][state], next);
                    self.look_for_stray(
                        units,
                        this,
                        next,
                        (&self.holds[unit][state].clone(), &now),
                        &mut perhaps,
                    );
                    let mut after = now;
                    act(this, next, &mut after);
                    // Paths that meet must agree, and nothing is held at the end.
                    let ends = this.automaton.is_end(next.to);
                    let there = self.holds[unit][next.to].clone();
                    for (index, (after, there)) in after.iter().zip(&there).enumerate() {
                        if after != there || ends && *after {
                            let var = VarId(u32::try_from(index).expect("few variables"));
                            self.strays(kind(&this.inlined, var));
                        }
                    }
                }
            }
        }
        for (unit, this) in units.iter().enumerate() {
            for (index, _) in perhaps[unit]
                .iter()
                .enumerate()
                .filter(|(index, perhaps)| **perhaps != given[unit][*index])
            {
                let var = VarId(u32::try_from(index).expect("few variables"));
                self.strays(kind(&this.inlined, var));
            }
        }
    }

    /// Whether an action loses or doubles what is held: `now` says what is when its conditions have
    /// been dealt with, `here` what was before.
    fn look_for_stray(
        &mut self,
        units: &[Unit],
        this: &Unit,
        next: &Move,
        (here, now): (&[bool], &[bool]),
        perhaps: &mut [Vec<bool>],
    ) {
        let process = &this.inlined;
        let atom = &process.atoms[next.atom];
        let kind = |var: VarId| kind(process, var);
        for condition in &next.conditions {
            if let Condition::Set(var, value) = condition {
                let copied = matches!(value, Pattern::Var(other) if here[other.index()]);
                if here[var.index()] || copied {
                    self.strays(kind(*var));
                }
            }
        }
        let mut read: Vec<VarId> = Vec::new();
        let mut written: Vec<VarId> = Vec::new();
        for arg in &atom.args {
            arg.variables(&mut |var, writes| {
                if writes { &mut written } else { &mut read }.push(var);
            });
        }
        for var in written {
            if now[var.index()] {
                self.strays(kind(var));
            }
        }
        let held: Vec<VarId> = read
            .iter()
            .copied()
            .filter(|var| now[var.index()])
            .collect();
        match atom.word {
            Word::Assign => held.iter().for_each(|var| self.strays(kind(*var))),
            Word::Create => {
                let created = units
                    .iter()
                    .position(|unit| Some(unit.inlined.index) == atom.creates);
                for &var in &held {
                    let places: Vec<usize> = (0..atom.args.len())
                        .filter(|&place| atom.args[place] == Pattern::Var(var))
                        .collect();
                    let times = read.iter().filter(|other| **other == var).count();
                    match (created, places.as_slice()) {
                        (Some(created), [place])
                            if times == 1 && *place < perhaps[created].len() =>
                        {
                            perhaps[created][*place] = true;
                        }
                        _ => self.strays(kind(var)),
                    }
                }
            }
            _ => {}
        }
        // What else might be the same tool is no longer held by what is given away or ended.
        if matches!(
            atom.word,
            Word::Create | Word::RecDisconnect | Word::SndTerminate | Word::SndKill
        ) {
            for (index, _) in now.iter().enumerate().filter(|(_, holds)| **holds) {
                let other = VarId(u32::try_from(index).expect("few variables"));
                if !held.contains(&other) && read.iter().any(|var| may_be_one(process, *var, other))
                {
                    self.strays(kind(other));
                }
            }
        }
    }

    /// Notes what an action gives away, and which tool it ends.
    fn look(
        &mut self,
        units: &[Unit],
        this: &Unit,
        next: &Move,
        now: &[bool],
        given: &mut [Vec<bool>],
    ) {
        let atom = &this.inlined.atoms[next.atom];
        match atom.word {
            Word::Create => {
                let Some(created) = units
                    .iter()
                    .position(|unit| Some(unit.inlined.index) == atom.creates)
                else {
                    return;
                };
                for (place, holds) in given[created].iter_mut().enumerate() {
                    let arg = atom.args.get(place);
                    *holds &= matches!(arg, Some(Pattern::Var(var)) if now[var.index()]);
                }
            }
            Word::RecDisconnect | Word::SndTerminate | Word::SndKill => {
                let var = match atom.args.first() {
                    Some(Pattern::Var(var)) if now[var.index()] => return,
                    Some(Pattern::Var(var) | Pattern::Result(var)) => Some(*var),
                    _ => None,
                };
                match var.and_then(|var| kind(&this.inlined, var)) {
                    Some(kind) => {
                        self.loose.insert(kind.to_owned());
                    }
                    None => self.all_loose = true,
                }
            }
            _ => {}
        }
    }
}

/// What surely holds in each state of a unit.
fn reached(unit: &Unit, given: &[bool]) -> Vec<Vec<bool>> {
    let count = unit.inlined.variables.len();
    let mut first = vec![false; count];
    first[..given.len()].copy_from_slice(given);
    let mut states: Vec<Option<Vec<bool>>> = vec![None; unit.automaton.states.len()];
    states[0] = Some(first);
    let mut waiting = vec![0];
    while let Some(state) = waiting.pop() {
        source::limits::check();
        let Some(here) = states[state].clone() else {
            continue;
        };
        for next in &unit.automaton.states[state] {
            let mut after = before_action(&here, next);
            act(unit, next, &mut after);
            let known = &mut states[next.to];
            let met = match known {
                None => after,
                Some(known) => known.iter().zip(&after).map(|(a, b)| *a && *b).collect(),
            };
            if known.as_ref() != Some(&met) {
                *known = Some(met);
                waiting.push(next.to);
            }
        }
    }
    let nothing = || vec![false; count];
    states
        .into_iter()
        .map(|state| state.unwrap_or_else(nothing))
        .collect()
}

/// What holds when the conditions of a move have been dealt with.
fn before_action(here: &[bool], next: &Move) -> Vec<bool> {
    let mut now = here.to_vec();
    for condition in &next.conditions {
        if let Condition::Set(var, value) = condition {
            now[var.index()] = matches!(value, Pattern::Var(other) if now[other.index()]);
        }
    }
    now
}

/// Whether two variables may stand for one tool.
fn may_be_one(process: &Inlined, a: VarId, b: VarId) -> bool {
    let ty = |var: VarId| &process.variables[var.index()].ty;
    match (ty(a), ty(b)) {
        (Type::Apply(a, _), Type::Apply(b, _)) => a == b,
        (a, b) => [a, b]
            .iter()
            .all(|ty| matches!(ty, Type::Term | Type::Apply(..))),
    }
}

/// What an action does to what is held.
fn act(unit: &Unit, next: &Move, now: &mut [bool]) {
    let process = &unit.inlined;
    let atom = &process.atoms[next.atom];
    let copied = match (atom.word, atom.args.as_slice()) {
        (Word::Assign, [Pattern::Result(_), Pattern::Var(from)]) => now[from.index()],
        _ => false,
    };
    // What is given away or ended, and whatever else may be the same tool.
    if matches!(
        atom.word,
        Word::Create | Word::RecDisconnect | Word::SndTerminate | Word::SndKill
    ) {
        let mut gone: Vec<VarId> = Vec::new();
        let mut any = false;
        for arg in &atom.args {
            arg.variables(&mut |var, written| {
                any |= written && atom.word != Word::Create;
                gone.extend((!written).then_some(var));
            });
            any |= atom.word != Word::Create && !matches!(arg, Pattern::Var(_));
        }
        for (index, holds) in now.iter_mut().enumerate() {
            let own = VarId(u32::try_from(index).expect("few variables"));
            if any || gone.iter().any(|other| may_be_one(process, own, *other)) {
                *holds = false;
            }
        }
    }
    for arg in &atom.args {
        arg.variables(&mut |var, written| {
            if written {
                now[var.index()] = copied;
            }
        });
    }
    let connected = match atom.word {
        Word::RecConnect => atom.args.first(),
        Word::Execute => atom.args.get(1),
        _ => None,
    };
    if let Some(Pattern::Result(var)) = connected {
        now[var.index()] = true;
    }
}

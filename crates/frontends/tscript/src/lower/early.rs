//! `early-notes`: no note is sent to a process that is on its way to subscribe to it.
//!
//! A note reaches those who have subscribed, and nobody else: one that is sent between the start of a
//! process and its `subscribe` is lost to it. A process is on its way as long as it has done, since its
//! start, only what waits for nobody; one that first waits for a message has been told when to come.

use model::{Check, CheckId, Claim, ExprId, LocId, ProcessId, Stmt};
use source::Span;

use super::Lowering;
use crate::ast::Word;
use crate::automaton::Move;
use crate::library::Inner;
use crate::term::{Pattern, may_match};

/// The name of the check.
const EARLY: &str = "early-notes";

/// Where processes are that will subscribe to something.
#[derive(Debug)]
pub(super) struct OnTheWay {
    unit: usize,
    pattern: Pattern,
    states: Vec<usize>,
}

impl Lowering<'_> {
    /// Finds the processes that subscribe before they wait for anybody.
    pub(super) fn declare_early(&mut self) {
        let mut found: Vec<OnTheWay> = Vec::new();
        for unit in 0..self.units.len() {
            let atoms = self.units[unit].inlined.atoms.iter();
            let patterns: Vec<Pattern> = atoms
                .filter(|atom| atom.word == Word::Subscribe)
                .map(|atom| atom.args[0].clone())
                .collect();
            for pattern in patterns {
                let has_variables = {
                    let mut any = false;
                    pattern.variables(&mut |_, _| any = true);
                    any
                };
                let known = found
                    .iter()
                    .any(|known| known.unit == unit && known.pattern == pattern);
                if has_variables || known {
                    continue;
                }
                let states = self.units[unit].on_the_way_to(&pattern);
                found.push(OnTheWay {
                    unit,
                    pattern,
                    states,
                });
            }
        }
        self.on_the_way = found;
    }

    /// That nobody is on the way to subscribe to a note that is being sent.
    pub(super) fn not_too_early(
        &mut self,
        unit: usize,
        sent: &Pattern,
        note: ExprId,
        span: Span,
    ) -> Vec<Stmt> {
        let mut body = Vec::new();
        for at in 0..self.on_the_way.len() {
            let OnTheWay {
                unit: reader,
                pattern,
                states,
            } = &self.on_the_way[at];
            let (own, other) = (&self.units[unit].inlined, &self.units[*reader].inlined);
            let may_meet = may_match(
                sent,
                &|var| own.variables[var.index()].ty.clone(),
                pattern,
                &|var| other.variables[var.index()].ty.clone(),
            );
            if !may_meet || states.is_empty() {
                continue;
            }
            let process = ProcessId::new(*reader);
            let places = states.iter().map(|&state| (process, LocId::new(state)));
            let places = places.collect();
            let subscription = Pattern::List(vec![pattern.clone()]);
            let subscription = self.value(&subscription);
            let lets_in = self.apply(Inner::LetsIn, &[subscription, note]);
            let on_the_way = self.any_at(places);
            let early = self.program.exprs.and(on_the_way, lets_in);
            let cond = self.program.exprs.not(early);
            let check = self.early_check();
            body.push(Stmt::Assert { cond, check, span });
        }
        body
    }

    fn early_check(&mut self) -> CheckId {
        let known = self.program.checks.iter().position(|c| c.name == EARLY);
        match known {
            Some(known) => CheckId::new(known),
            None => self.program.add_check(Check {
                name: EARLY.to_owned(),
                failure:
                    "the note is sent before a process that is on its way has subscribed to it"
                        .to_owned(),
                span: Span::NONE,
            }),
        }
    }

    /// The property, if any note may come too early.
    pub(super) fn early_notes(&mut self) {
        let known = self.program.checks.iter().position(|c| c.name == EARLY);
        if let Some(check) = known {
            let text = "no note is sent to a process that is about to subscribe to it";
            let claim = Claim::Check(CheckId::new(check));
            self.property(EARLY.to_owned(), text, Span::NONE, claim);
        }
    }
}

impl super::Unit {
    /// The states from which a process that has just been started subscribes to something without
    /// waiting for anybody.
    fn on_the_way_to(&self, pattern: &Pattern) -> Vec<usize> {
        let does = |next: &Move| {
            let atom = &self.inlined.atoms[next.atom];
            atom.word == Word::Subscribe && atom.args[0] == *pattern
        };
        let waits = |next: &Move| {
            let atom = &self.inlined.atoms[next.atom];
            atom.delayed || waits_for_others(atom.word)
        };
        // What has been done by then waits for nobody, and it has not been subscribed to.
        let mut reached = vec![0];
        let mut seen = vec![false; self.automaton.states.len()];
        seen[0] = true;
        let mut at = 0;
        while let Some(&state) = reached.get(at) {
            source::limits::check();
            at += 1;
            for next in &self.automaton.states[state] {
                if !waits(next) && !does(next) && !std::mem::replace(&mut seen[next.to], true) {
                    reached.push(next.to);
                }
            }
        }
        let mut leads = vec![false; self.automaton.states.len()];
        let mut changed = true;
        while changed {
            source::limits::check();
            changed = false;
            for &state in &reached {
                let mut moves = self.automaton.states[state].iter();
                if !leads[state] && moves.any(|next| does(next) || !waits(next) && leads[next.to]) {
                    leads[state] = true;
                    changed = true;
                }
            }
        }
        reached.retain(|&state| leads[state]);
        reached
    }
}

/// Whether an action may have to wait for another process or for a tool.
fn waits_for_others(word: Word) -> bool {
    matches!(
        word,
        Word::SndMsg
            | Word::RecMsg
            | Word::RecNote
            | Word::NoNote
            | Word::RecConnect
            | Word::RecDisconnect
            | Word::RecValue
            | Word::RecEvent
            | Word::SndEval
            | Word::SndAckEvent
            | Word::Read
            | Word::Outside
            | Word::Shutdown
    )
}

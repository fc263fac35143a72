//! What tools may expect, as long as they stay: that their events are handled, that events are
//! acknowledged, and that somebody takes the value of what they have been asked.
//!
//! - *handled-E*: while a tool that sends event `E` is connected, a process can come to listen for it
//!   (`AG (connected -> EF listening)`);
//! - *acknowledged-E*: an event that the script acknowledges somewhere can be acknowledged
//!   (`AG (open -> E[connected U acknowledged])`);
//! - *answered-T*: when tool `T` has been asked something, its answer can be taken.
//!
//! What a tool does of its own accord is no way out: it may always vanish.

use std::collections::BTreeMap;
use std::sync::Arc;

use logic::{Ctl, Quantifier};
use model::{Claim, ExprId, LocId, ProcessId};
use source::Span;

use super::Lowering;
use crate::ast::Word;
use crate::library::Inner;
use crate::term::Pattern;

/// Who sends an event and who listens for it.
#[derive(Default)]
struct Heard {
    kinds: Vec<usize>,
    places: Vec<(ProcessId, LocId)>,
    span: Option<Span>,
}

impl Lowering<'_> {
    /// Adds the properties; `excused` says where nothing can be expected.
    pub(super) fn answers(&mut self, excused: ExprId) {
        let mut events: BTreeMap<String, Heard> = BTreeMap::new();
        let mut acknowledged: BTreeMap<String, Span> = BTreeMap::new();
        let mut asked: BTreeMap<usize, Span> = BTreeMap::new();
        for unit in 0..self.units.len() {
            for state in 0..self.units[unit].automaton.states.len() {
                for next in self.units[unit].automaton.states[state].clone() {
                    let atom = self.units[unit].inlined.atoms[next.atom].clone();
                    let kind = atom.args.first().and_then(|tool| self.kind_of(unit, tool));
                    let word = atom.args.iter().skip(1).find_map(Pattern::word);
                    match (atom.word, kind, word) {
                        (Word::RecEvent, Some(kind), Some(word)) => {
                            let heard = events.entry(word.to_owned()).or_default();
                            if !heard.kinds.contains(&kind) {
                                heard.kinds.push(kind);
                            }
                            heard.span.get_or_insert(atom.span);
                            heard.places.push((ProcessId::new(unit), LocId::new(state)));
                        }
                        (Word::SndAckEvent, _, Some(word)) => {
                            acknowledged.entry(word.to_owned()).or_insert(atom.span);
                        }
                        (Word::SndEval, Some(kind), _) => {
                            asked.entry(kind).or_insert(atom.span);
                        }
                        _ => {}
                    }
                }
            }
        }
        for (word, heard) in &events {
            let listens = self.any_at(heard.places.clone());
            let good = Ctl::Or([Ctl::Atom(listens), Ctl::Atom(excused)].into());
            let some_time = Ctl::Eventually(Quantifier::Some, Arc::new(good));
            let connected: Vec<ExprId> = self
                .tools_of(&heard.kinds)
                .into_iter()
                .map(|tool| self.is_connected(tool))
                .collect();
            let connected = self.any_of(connected);
            let formula = Ctl::Implies(Arc::new(Ctl::Atom(connected)), Arc::new(some_time));
            let formula = Ctl::Always(Quantifier::All, Arc::new(formula));
            let text = format!("a process can always come to listen for the event `{word}`");
            let span = heard.span.unwrap_or(Span::NONE);
            self.property(format!("handled-{word}"), &text, span, Claim::Ctl(formula));
        }
        for (word, span) in acknowledged {
            let Some(heard) = events.get(&word) else {
                continue;
            };
            let name = self.text(&word);
            let mut all = Vec::new();
            for tool in self.tools_of(&heard.kinds) {
                let open = self.open_events(tool);
                let waits = self.apply(Inner::HasWord, &[open, name]);
                all.push(self.is_relieved(tool, waits, excused));
            }
            let formula = Ctl::Always(Quantifier::All, Arc::new(Ctl::And(all.into())));
            let text = format!("as long as the tool stays, its `{word}` can be acknowledged");
            let claim = Claim::Ctl(formula);
            self.property(format!("acknowledged-{word}"), &text, span, claim);
        }
        for (kind, span) in asked {
            let mut all = Vec::new();
            for tool in self.tools_of(&[kind]) {
                let waits = self.is_asked(tool);
                all.push(self.is_relieved(tool, waits, excused));
            }
            let formula = Ctl::Always(Quantifier::All, Arc::new(Ctl::And(all.into())));
            let name = format!("answered-{}", self.kind_named(kind));
            let text = "as long as the tool stays, the value that it was asked for can be taken";
            self.property(name, text, span, Claim::Ctl(formula));
        }
    }

    /// `waits -> E[connected U connected and not waits, or excused]`.
    fn is_relieved(&mut self, tool: usize, waits: ExprId, excused: ExprId) -> Ctl<ExprId> {
        let connected = self.is_connected(tool);
        let not_any_more = self.program.exprs.not(waits);
        let good = self.program.exprs.and(connected, not_any_more);
        let good = Ctl::Or([Ctl::Atom(good), Ctl::Atom(excused)].into());
        let until = Ctl::Until(
            Quantifier::Some,
            Arc::new(Ctl::Atom(connected)),
            Arc::new(good),
        );
        let begins = self.program.exprs.and(connected, waits);
        Ctl::Implies(Arc::new(Ctl::Atom(begins)), Arc::new(until))
    }
}

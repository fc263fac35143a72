//! What tools may expect, as long as they stay: that their events are handled, that events are
//! acknowledged, and that somebody takes the value of what they have been asked.
//!
//! - *handled-E*: while a tool that sends event `E` is connected, a process can come to listen to it
//!   for the event (`AG (connected -> EF listening)`, of each tool);
//! - *acknowledged-E*: an event that the script acknowledges somewhere can be acknowledged
//!   (`AG (open -> E[connected U acknowledged])`);
//! - *answered-T*: when tool `T` has been asked something, its answer can be taken.
//!
//! What a tool does of its own accord is no way out: it may always vanish.

use std::collections::BTreeMap;
use std::sync::Arc;

use logic::{Ctl, Quantifier};
use model::{Binary, Claim, Expr, ExprId, LocId, Place, ProcessId, Root, Type};
use source::Span;

use super::Lowering;
use crate::ast::Word;
use crate::library::Inner;
use crate::term::{Pattern, VarId};

/// So many instances are told apart by the tool that they listen to.
const MOST_LISTENERS: usize = 32;

/// Who sends an event and who listens for it.
#[derive(Default)]
struct Heard {
    kinds: Vec<usize>,
    places: Vec<Listening>,
    span: Option<Span>,
}

/// Where a process listens, and the variable that holds the tool that it listens to; none, to any.
struct Listening {
    unit: usize,
    state: usize,
    to: Option<VarId>,
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
                            let to = match atom.args.first() {
                                Some(Pattern::Var(var)) => Some(*var),
                                _ => None,
                            };
                            heard.places.push(Listening { unit, state, to });
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
            let mut all = Vec::new();
            for &kind in &heard.kinds {
                for (number, tool) in self.tools_of(&[kind]).into_iter().enumerate() {
                    let connected = self.stays(tool);
                    let listens = self.listens(&heard.places, kind, number);
                    let good = Ctl::Or([Ctl::Atom(listens), Ctl::Atom(excused)].into());
                    let some_time = Ctl::Eventually(Quantifier::Some, Arc::new(good));
                    let connected = Arc::new(Ctl::Atom(connected));
                    all.push(Ctl::Implies(connected, Arc::new(some_time)));
                }
            }
            let formula = Ctl::Always(Quantifier::All, Arc::new(Ctl::And(all.into())));
            let text = format!("of each tool a process can always come to hear its event `{word}`");
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

    /// Whether some process is in one of some places and listens to a tool there. Where there may be very
    /// many of them, it is enough that one listens at all.
    fn listens(&mut self, places: &[Listening], kind: usize, number: usize) -> ExprId {
        let tool = self.tool_value(kind, number);
        let mut any = Vec::new();
        for &Listening { unit, state, to } in places {
            let (process, location) = (ProcessId::new(unit), LocId::new(state));
            let numbers = self.numbers_of(unit);
            let (Some(var), true) = (to, numbers.len() <= MOST_LISTENERS) else {
                any.push(self.any_at(vec![(process, location)]));
                continue;
            };
            for instance in numbers {
                let number = i128::try_from(instance).expect("few instances");
                let instance = self.program.exprs.int(number, Type::Instance);
                let at = Expr::At {
                    instance,
                    process,
                    location,
                };
                let at = self.program.exprs.add(at, Type::Bool);
                let held = Place::from(Root::Remote {
                    instance,
                    process,
                    local: u32::try_from(var.index()).expect("few variables"),
                });
                let held = self.program.exprs.load(held, Type::Rich);
                let same = self.program.exprs.binary(Binary::Eq, held, tool);
                any.push(self.program.exprs.and(at, same));
            }
        }
        self.any_of(any)
    }

    /// `waits -> E[connected U connected and not waits, or excused]`.
    fn is_relieved(&mut self, tool: usize, waits: ExprId, excused: ExprId) -> Ctl<ExprId> {
        let connected = self.stays(tool);
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

//! A script as a model of mCRL2, process by process: the translation of Fokkink, Klint, Lisser and
//! Usenko (*Automated translation and analysis of a ToolBus script for auctions*, FSEN 2009).
//!
//! Each state of a process is a process of mCRL2 whose parameters are its variables. Who sends a message
//! and who receives it meet in an action (`comm`); so do a process and the queue of its notes, or a tool,
//! each of which is a process beside it. A note is an action in which all queues take part. Processes
//! that are created wake one that idles, as many as there may be. A process that shuts everything down
//! does so in an action with all others, who do nothing more.
//!
//! What has no counterpart is refused: time, priorities, values beyond terms of words, texts and whole
//! numbers, and functions on texts. Where an expression has no value, its process halts (`no_value`), as it
//! does on the buses; but a message for which it would be asked is not taken.

mod actions;
mod functions;
mod processes;
mod terms;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use source::{Diagnostic, Diagnostics, Span};

use self::actions::Actions;
use self::terms::{Scope, Terms};
use self::world::ToolAction;
use super::{Lowering, live};
use crate::ast::Word;
use crate::codes::suspicious as code;
use crate::load::{Schedule, Time};
use crate::term::{Pattern, VarId};

/// A model being written.
struct Writer<'w, 'l> {
    lowering: &'w mut Lowering<'l>,
    terms: Terms,
    actions: Actions,
    /// The definitions of processes.
    definitions: String,
    /// What runs side by side.
    parallel: Vec<String>,
    /// For each slot of processes, the units that may run there.
    slots: Vec<Vec<usize>>,
    /// The slots, from 1 on, that have a queue of notes.
    listeners: Vec<usize>,
    /// Whether a process may shut everything down.
    closes: bool,
    /// Whether a process may halt where an expression has no value.
    halts: bool,
    tool_actions: BTreeSet<ToolAction>,
    refused: Vec<(Span, String)>,
    /// A message whose test may have no value, which is not asked.
    unasked: Option<Span>,
    fresh: usize,
}

/// Writes a script; what it refuses is said.
pub(super) fn write(
    lowering: &mut Lowering<'_>,
    started: &[(usize, Vec<Pattern>, Span)],
    title: &str,
    diagnostics: &mut Diagnostics,
) -> Option<String> {
    for unit in &mut lowering.units {
        unit.live = live::live(&unit.inlined, &unit.automaton);
    }
    let mut writer = Writer::new(lowering);
    if writer.lowering.schedule == Schedule::Prompt || writer.lowering.time != Time::Untimed {
        writer.refuse(Span::NONE, "time, and priorities that change with it");
    }
    let text = writer.text(started, title);
    for (span, what) in &writer.refused {
        let again = diagnostics
            .iter()
            .any(|d| d.span == *span && d.code == code::NO_COUNTERPART);
        if !again {
            diagnostics.push(
                Diagnostic::error(
                    code::NO_COUNTERPART,
                    format!("mCRL2 has no counterpart here to {what}"),
                )
                .at(*span)
                .help("`--to mcrl2-states` writes the graph of all states instead"),
            );
        }
    }
    if let Some(span) = writer.unasked {
        let what = "the model has only a part of what can happen: where the test before a `rec-msg` has no \
                    value, the message is not taken";
        diagnostics.push(Diagnostic::warning("EXP0004", what).at(span));
    }
    writer.refused.is_empty().then_some(text)
}

impl<'w, 'l> Writer<'w, 'l> {
    fn new(lowering: &'w mut Lowering<'l>) -> Self {
        let created: Vec<usize> = (0..lowering.units.len())
            .filter(|&unit| lowering.is_created(unit))
            .collect();
        let most = usize::from(lowering.most_instances).max(lowering.started.len());
        let ends = |unit: usize| lowering.units[unit].automaton.ends();
        let slots: Vec<Vec<usize>> = (0..most)
            .map(|slot| match lowering.started.get(slot) {
                Some(&unit) if ends(unit) => {
                    let mut all = created.clone();
                    all.push(unit);
                    all.sort_unstable();
                    all.dedup();
                    all
                }
                Some(&unit) => vec![unit],
                None => created.clone(),
            })
            .collect();
        let does = |units: &[usize], words: &[Word]| {
            units.iter().any(|&unit| {
                let mut atoms = lowering.units[unit].inlined.atoms.iter();
                atoms.any(|atom| words.contains(&atom.word))
            })
        };
        let numbered = |words: &[Word]| -> Vec<usize> {
            let all = (1..).zip(&slots).filter(|(_, units)| does(units, words));
            all.map(|(slot, _)| slot).collect()
        };
        let notes = [
            Word::Subscribe,
            Word::RecNote,
            Word::NoNote,
            Word::Unsubscribe,
        ];
        let listeners = match lowering.notes() {
            Some(_) => numbered(&notes),
            None => Vec::new(),
        };
        let closes = !numbered(&[Word::Shutdown]).is_empty();
        Writer {
            terms: Terms::new(lowering.dialect),
            actions: Actions::default(),
            definitions: String::new(),
            parallel: Vec::new(),
            slots,
            listeners,
            closes,
            halts: false,
            tool_actions: BTreeSet::new(),
            refused: Vec::new(),
            unasked: None,
            fresh: 0,
            lowering,
        }
    }

    fn refuse(&mut self, span: Span, what: impl Into<String>) {
        self.refused.push((span, what.into()));
    }

    /// A process with these summands.
    fn process(&mut self, name: &str, parameters: &str, summands: &[String]) {
        let parameters = match parameters {
            "" => String::new(),
            some => format!("({some})"),
        };
        let all: Vec<String> = summands.iter().map(|one| format!("({one})")).collect();
        let all = if all.is_empty() {
            "delta".into()
        } else {
            all.join("\n  + ")
        };
        let _ = writeln!(self.definitions, "    {name}{parameters} =\n    {all};");
    }

    fn text(&mut self, started: &[(usize, Vec<Pattern>, Span)], title: &str) -> String {
        self.messages_with_gaps();
        self.components(started);
        self.queues();
        if let Err(what) = self.tools() {
            self.refuse(Span::NONE, what);
        }
        self.counters();
        self.shutdown();
        let title = title.replace(['\n', '\r'], " ");
        let definitions = match self.definitions.as_str() {
            "" => String::new(),
            some => format!("proc\n{some}"),
        };
        format!(
            "% {title}, process by process. Who does something with notes stands first in the action.\n\
             {}{}{definitions}{}",
            self.terms.declarations(),
            self.actions.declarations(),
            self.actions.closed(&self.parallel),
        )
    }

    /// All processes of the script, and those that idle.
    fn components(&mut self, started: &[(usize, Vec<Pattern>, Span)]) {
        for unit in 0..self.lowering.units.len() {
            self.unit(unit);
        }
        if self.idles() {
            self.idle();
        }
        if self.halts {
            let mut summands = Vec::new();
            self.goes_down(&mut summands);
            self.process("Halted", "me: Nat", &summands);
        }
        let mut components = Vec::new();
        for slot in 1..=self.slots.len() {
            let Some((unit, args, span)) = started.get(slot - 1) else {
                components.push(format!("Idle({slot})"));
                continue;
            };
            let nothing = BTreeMap::new();
            let scope = Scope {
                values: &nothing,
                types: &|_| crate::types::Type::Term,
            };
            let args: Result<Vec<String>, _> = args
                .iter()
                .map(|arg| self.terms.closed(arg, &scope))
                .collect();
            match args {
                Ok(args) => {
                    let first = self.begins(*unit, &slot.to_string(), &args);
                    components.push(first);
                }
                Err(what) => self.refuse(*span, what),
            }
        }
        self.parallel.extend(components);
    }

    /// Where an instance of a unit begins.
    fn begins(&self, unit: usize, me: &str, args: &[String]) -> String {
        let unit_of = &self.lowering.units[unit];
        if unit_of.automaton.is_end(0) {
            return self.rests(me);
        }
        let mut values = vec![me.to_owned()];
        values.extend_from_slice(args);
        let all = unit_of.inlined.variables.len() + 1;
        values.resize(all, terms::UNDEFINED.to_owned());
        format!("{}({})", self.state(unit, 0), values.join(", "))
    }

    /// Where a process is when it has ended.
    fn rests(&self, me: &str) -> String {
        if self.idles() {
            format!("Idle({me})")
        } else {
            "delta".into()
        }
    }

    /// Whether something may still happen where a process has ended.
    fn idles(&self) -> bool {
        let mut units = 0..self.lowering.units.len();
        self.closes || units.any(|unit| self.lowering.is_created(unit))
    }

    /// The name of a state of a unit.
    fn state(&self, unit: usize, state: usize) -> String {
        let name = terms::identifier(&self.lowering.units[unit].inlined.name);
        format!("P{unit}_{name}_{state}")
    }

    /// The parameter that a variable is.
    fn parameter(&self, unit: usize, var: usize) -> String {
        let name = &self.lowering.units[unit].inlined.variables[var].name;
        format!("v{var}_{}", terms::identifier(name))
    }

    /// Messages between two ends that both wait for the same value to be filled in would have any.
    fn messages_with_gaps(&mut self) {
        let mut all: Vec<(Word, Vec<Pattern>, Span)> = Vec::new();
        for unit in &self.lowering.units {
            for atom in &unit.inlined.atoms {
                if matches!(atom.word, Word::SndMsg | Word::RecMsg) {
                    all.push((atom.word, atom.args.clone(), atom.span));
                }
            }
        }
        for (_, sent, span) in all.iter().filter(|(word, ..)| *word == Word::SndMsg) {
            for (_, wanted, _) in all.iter().filter(|(word, ..)| *word == Word::RecMsg) {
                if sent.len() == wanted.len() && sent.iter().zip(wanted).any(|(a, b)| gaps(a, b)) {
                    let what = "a message between two who both want the same value filled in";
                    self.refuse(*span, what);
                }
            }
        }
    }
}

/// Whether two terms that may match have something to be filled in at the same place.
fn gaps(a: &Pattern, b: &Pattern) -> bool {
    match (a, b) {
        (
            Pattern::Result(_) | Pattern::Placeholder(_),
            Pattern::Result(_) | Pattern::Placeholder(_),
        ) => true,
        (Pattern::Apply(f, a), Pattern::Apply(g, b)) => {
            f == g && a.len() == b.len() && a.iter().zip(b).any(|(a, b)| gaps(a, b))
        }
        (Pattern::List(a), Pattern::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).any(|(a, b)| gaps(a, b))
        }
        // A value that is taken apart on one side only.
        (Pattern::Apply(_, parts) | Pattern::List(parts), Pattern::Result(_))
        | (Pattern::Result(_), Pattern::Apply(_, parts) | Pattern::List(parts)) => {
            !parts.iter().all(Pattern::is_closed)
        }
        _ => false,
    }
}

/// What variables stand for.
type Values = BTreeMap<VarId, String>;

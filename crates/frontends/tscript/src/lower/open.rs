//! Scripts that are parts of a system.
//!
//! The rest of the system is not known: it may take every message that is sent, send every message and
//! every note that a process waits for, with any values that fit, and it does what the script calls and does
//! not define. A message from outside is taken in the step in which it is sent, as all are; a note, too:
//! it came before those that wait. What the rest of the system never does cannot be told, so what is found
//! is possible if that does what it may do.

use std::collections::BTreeSet;

use model::Origin;

use super::Lowering;
use super::process::Way;
use crate::ast::Word;
use crate::behaviour::Atom;
use crate::term::{Pattern, may_match};

/// The most messages and notes that are listed.
const MOST_LISTED: usize = 12;

/// Who takes part in a message that is not from the script.
const OTHERS: &str = "others";

impl Lowering<'_> {
    /// A message or a note in which a process of another script takes part.
    pub(super) fn with_others(&mut self, unit: usize, atom: &Atom) -> Option<Way> {
        let is_let_in = atom.word != Word::RecNote || self.lets_in(unit, &atom.args[0]);
        if !is_let_in {
            return None;
        }
        let name = self.units[unit].inlined.name.clone();
        let args: Vec<Pattern> = atom.args.iter().map(|arg| self.filled(arg)).collect();
        let values = args.iter().map(|arg| self.value(arg)).collect();
        let told = match atom.word {
            Word::SndMsg => self.tell("msg", &[&name, OTHERS], values, atom.span),
            Word::RecMsg => self.tell("msg", &[OTHERS, &name], values, atom.span),
            word => self.tell(word.text(), &[&name], values, atom.span),
        };
        let mut way = Way::doing(vec![told]);
        way.binds = self.choices(unit, atom.word, &atom.args);
        Some(way)
    }

    /// What a process does that another script defines.
    pub(super) fn done_outside(&mut self, unit: usize, atom: &Atom) -> Way {
        let name = self.units[unit].inlined.name.clone();
        let args: Vec<Pattern> = atom.args.iter().map(|arg| self.filled(arg)).collect();
        let values = args.iter().map(|arg| self.value(arg)).collect();
        let mut way = Way::doing(vec![self.tell("calls", &[&name], values, atom.span)]);
        way.binds = self.choices(unit, atom.word, &atom.args);
        way
    }

    /// Whether a process subscribes to notes that look like a pattern.
    fn lets_in(&self, unit: usize, pattern: &Pattern) -> bool {
        let inlined = &self.units[unit].inlined;
        let ty = |var: crate::term::VarId| inlined.variables[var.index()].ty.clone();
        let mut atoms = inlined.atoms.iter();
        atoms
            .any(|atom| atom.word == Word::Subscribe && may_match(pattern, &ty, &atom.args[0], &ty))
    }

    /// Whether a process may be sent a note by others.
    fn hears_others(&self, unit: usize) -> bool {
        let mut atoms = self.units[unit].inlined.atoms.iter();
        atoms.any(|atom| {
            matches!(atom.word, Word::RecNote | Word::NoNote) && self.lets_in(unit, &atom.args[0])
        })
    }

    /// Says what is left to the rest of the system.
    pub(super) fn say_open(&mut self) {
        if !self.open {
            return;
        }
        let mut said = BTreeSet::new();
        let mut called = BTreeSet::new();
        for atom in self.units.iter().flat_map(|unit| &unit.inlined.atoms) {
            match (atom.word, atom.args.first()) {
                (Word::SndMsg | Word::RecMsg | Word::RecNote, Some(term)) => {
                    said.extend(term.word().map(|word| format!("`{word}`")));
                }
                (Word::Outside, Some(Pattern::Str(name))) => {
                    called.insert(format!("`{name}`"));
                }
                _ => {}
            }
        }
        let text = format!(
            "the rest of the system may take part in all messages, and send notes that are subscribed to: {}",
            listed(&said)
        );
        self.assume(text, Origin::Stated);
        let alone = "other scripts use no tools of this one, and start none of its processes";
        self.assume(alone, Origin::Stated);
        if (0..self.units.len()).any(|unit| self.hears_others(unit)) {
            let text =
                "notes of other scripts are read as soon as they are sent: none waits in a queue";
            self.sample(text.to_owned());
        }
        if !called.is_empty() {
            let text = format!(
                "what other scripts define ends at some time: {}",
                listed(&called)
            );
            self.assume(text, Origin::Stated);
        }
    }
}

/// Names with commas between them; of many, some.
fn listed(names: &BTreeSet<String>) -> String {
    let first: Vec<&str> = names.iter().map(String::as_str).take(MOST_LISTED).collect();
    match names.len().checked_sub(MOST_LISTED) {
        None | Some(0) => first.join(", "),
        Some(more) => format!("{}, and {more} more", first.join(", ")),
    }
}

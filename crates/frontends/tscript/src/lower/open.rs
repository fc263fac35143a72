//! Scripts that are parts of a system.
//!
//! The rest of the system is not known: it may take every message that is sent, send every message and
//! every note that a process waits for, with any values that fit, and it does what the script calls and does
//! not define. A message from outside is taken in the step in which it is sent, as all are; a note, too:
//! it came before those that wait. What the rest of the system never does cannot be told, so what is found
//! is possible if that does what it may do.

use std::collections::BTreeSet;

use model::{Claim, Lifetime, Origin, Outside, OutsideId, PropertyId};
use source::Span;

use super::Lowering;
use super::process::Way;
use crate::ast::Word;
use crate::behaviour::Atom;
use crate::constants::Constant;
use crate::term::{Pattern, may_match};
use crate::types::Type;

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

    /// What others send may have a form that they keep to and the script does not say: a value of a type that
    /// leaves its parts open need not be able to occur. Its value, for what is filled in with it.
    pub(super) fn outside_of(&mut self, word: Word, name: &str, ty: &Type) -> Option<OutsideId> {
        let sent = matches!(
            word,
            Word::SndMsg | Word::RecMsg | Word::RecNote | Word::Outside
        );
        if !self.open || !sent || matches!(ty, Type::Bool | Type::Int | Type::Real | Type::Str) {
            return None;
        }
        let fact = format!("what other scripts send for `{name}`");
        let all = &mut self.program.outside;
        let known = all.iter().position(|outside| outside.fact == fact);
        let known = known.unwrap_or_else(|| {
            all.push(Outside {
                fact,
                span: Span::NONE,
                lifetime: Lifetime::Reading,
                exact: false,
            });
            all.len() - 1
        });
        Some(OutsideId::new(known))
    }

    /// Only claims that expressions have values depend on such a form. A process that waits also waits for what
    /// other scripts send, whatever its form.
    pub(super) fn rest_on_others(&mut self) {
        let properties = self.program.properties.iter().enumerate();
        let others =
            properties.filter(|(_, property)| !matches!(property.claim, Claim::NoFault(_)));
        let others = others.map(|(at, _)| (PropertyId::new(at), BTreeSet::new()));
        self.program.may_rest_on.extend(others);
    }

    /// What a process does that another script defines; or that it is called itself.
    pub(super) fn done_outside(&mut self, unit: usize, atom: &Atom) -> Way {
        let name = self.units[unit].inlined.name.clone();
        let args: Vec<Pattern> = atom.args.iter().map(|arg| self.filled(arg)).collect();
        let values = args.iter().map(|arg| self.value(arg)).collect();
        let word = match self.units[unit].inlined.is_own_call(atom) {
            true => "called",
            false => "calls",
        };
        let mut way = Way::doing(vec![self.tell(word, &[&name], values, atom.span)]);
        way.binds = self.choices(unit, atom.word, &atom.args);
        way
    }

    /// Whether a process subscribes to notes that look like a pattern. A call stands for the text of what is
    /// called: what another script defines may subscribe to anything.
    fn lets_in(&self, unit: usize, pattern: &Pattern) -> bool {
        let inlined = &self.units[unit].inlined;
        let ty = |var: crate::term::VarId| inlined.variables[var.index()].ty.clone();
        inlined.atoms.iter().any(|atom| match atom.word {
            Word::Subscribe => may_match(pattern, &ty, &atom.args[0], &ty),
            Word::Outside => !inlined.is_own_call(atom),
            _ => false,
        })
    }

    /// Whether a process may be sent a note by others.
    fn hears_others(&self, unit: usize) -> bool {
        let mut atoms = self.units[unit].inlined.atoms.iter();
        atoms.any(|atom| {
            matches!(atom.word, Word::RecNote | Word::NoNote) && self.lets_in(unit, &atom.args[0])
        })
    }

    /// Says what is left to the rest of the system.
    pub(super) fn say_open(&mut self, constants: &[(String, Constant)]) {
        if !self.open {
            return;
        }
        let mut said = BTreeSet::new();
        let mut called = BTreeSet::new();
        let mut by_others = BTreeSet::new();
        let units = self.units.iter().map(|unit| &unit.inlined);
        for (unit, atom) in units.flat_map(|unit| unit.atoms.iter().map(move |atom| (unit, atom))) {
            match (atom.word, atom.args.first()) {
                (Word::SndMsg | Word::RecMsg | Word::RecNote, Some(term)) => {
                    said.extend(term.word().map(|word| format!("`{word}`")));
                }
                (Word::Outside, Some(Pattern::Str(name))) if unit.is_own_call(atom) => {
                    by_others.insert(format!("`{name}`"));
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
        if by_others.is_empty() {
            let alone = "other scripts use no tools of this one, and start none of its processes";
            self.assume(alone, Origin::Stated);
        } else {
            let text = format!(
                "other scripts use no tools of this one, and start none of its processes but these, each of them \
                 once, with any arguments: {}",
                listed(&by_others)
            );
            self.assume(text, Origin::Stated);
        }
        self.say_constants(constants);
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

    /// Says what constants are taken for that other scripts define.
    fn say_constants(&mut self, constants: &[(String, Constant)]) {
        let names = |undefined: bool| -> BTreeSet<String> {
            let all = constants.iter();
            all.filter(|(_, constant)| (*constant == Constant::Undefined) == undefined)
                .map(|(name, _)| format!("`{name}`"))
                .collect()
        };
        let (values, undefined) = (names(false), names(true));
        if !values.is_empty() {
            let text = format!(
                "constants of other scripts are different from each other and from all that stands here \
                 (-D NAME=VALUE defines one): {}",
                listed(&values)
            );
            self.assume(text, Origin::Stated);
        }
        if !undefined.is_empty() {
            let text = format!(
                "constants of other scripts that stand for values of several types are `undefined`: {}",
                listed(&undefined)
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

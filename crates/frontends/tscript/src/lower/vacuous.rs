//! Formulas that hold because what they speak of never happens.
//!
//! An action that no action of the script looks like never happens. If a formula is true once all such
//! actions are put down as impossible, it says nothing of the script: it is *vacuous* (Beer, Ben-David,
//! Eisner and Rodeh, *Efficient detection of vacuity in ACTL formulas*, CAV 1997), and a warning says
//! which action that is.

use logic::Ltl;
use logic::mu::{Pattern, all_hold, one_holds};
use model::{EventId, MuFormula, RichTable, Value};

use super::Lowering;
use crate::ast::Word;
use crate::behaviour::Atom;
use crate::term::{self, View, view};
use crate::types::{Fit, Type};

/// An action that a formula names.
type Named<'f> = (&'f EventId, &'f [Pattern<Value>]);

/// Whether a formula of linear time, whose atoms are actions, holds or not if some actions never happen;
/// nothing if that depends on more.
pub(super) fn linear_truth(
    formula: &Ltl<MuFormula>,
    never: &dyn Fn(Named<'_>) -> bool,
) -> Option<bool> {
    let of = |part: &Ltl<MuFormula>| linear_truth(part, never);
    match formula {
        Ltl::True => Some(true),
        Ltl::False => Some(false),
        Ltl::Atom(action) => action.truth_if_never(never),
        Ltl::Not(part) => of(part).map(|truth| !truth),
        Ltl::And(parts) => all_hold(&parts.iter().map(of).collect::<Vec<_>>()),
        Ltl::Or(parts) => one_holds(&parts.iter().map(of).collect::<Vec<_>>()),
        Ltl::Implies(a, b) => one_holds(&[of(a).map(|truth| !truth), of(b)]),
        Ltl::Iff(a, b) => of(a).zip(of(b)).map(|(a, b)| a == b),
        Ltl::Next(part) | Ltl::Eventually(part) | Ltl::Always(part) => of(part),
        // The second has to come in the one, to stay in the other.
        Ltl::Until(_, b) | Ltl::Release(_, b) => of(b),
        Ltl::WeakUntil(a, b) => one_holds(&[of(a), of(b)]).filter(|truth| *truth),
    }
}

impl Lowering<'_> {
    /// Whether an action may look like what a formula names.
    pub(super) fn is_said(&self, name: &str, patterns: &[Pattern<Value>]) -> bool {
        if name == "msg" {
            let args = |(unit, atom): (usize, usize)| {
                (unit, self.units[unit].inlined.atoms[atom].args.as_slice())
            };
            let meets = |side: (usize, usize)| {
                let (unit, args) = args(side);
                self.all_may(unit, args, patterns)
            };
            let inside = self.units.iter().enumerate().any(|(unit, this)| {
                this.inlined.atoms.iter().any(|atom| {
                    let (sent, wanted) = atom.args.split_at(atom.args.len() / 2);
                    atom.word == Word::Meet
                        && self.all_may(unit, sent, patterns)
                        && self.all_may(unit, wanted, patterns)
                })
            });
            let says = |(unit, this): (usize, &super::Unit)| {
                let mut atoms = this.inlined.atoms.iter();
                atoms.any(|atom| {
                    matches!(atom.word, Word::SndMsg | Word::RecMsg)
                        && self.all_may(unit, &atom.args, patterns)
                })
            };
            if self.open && self.units.iter().enumerate().any(says) {
                return true;
            }
            let mut pairs = self.pairs.iter();
            return inside || pairs.any(|pair| meets(pair.sender) && meets(pair.receiver));
        }
        let Some(word) = Word::ALL.iter().find(|word| word.text() == name) else {
            return true;
        };
        self.units.iter().enumerate().any(|(unit, this)| {
            let mut atoms = this.inlined.atoms.iter();
            atoms.any(|atom| atom.word == *word && self.may_say(unit, atom, patterns))
        })
    }

    fn may_say(&self, unit: usize, atom: &Atom, patterns: &[Pattern<Value>]) -> bool {
        match (atom.word, atom.creates) {
            // What it prints is put together.
            (Word::Printf, _) => true,
            (Word::Create, Some(index)) => {
                let created = self.units.iter().find(|unit| unit.inlined.index == index);
                let Some(created) = created else { return true };
                match patterns.first() {
                    Some(Pattern::Term(name, parts)) => {
                        **name == *created.inlined.name
                            && parts.len() == created.inlined.parameters
                            && self.all_may(unit, &atom.args[..parts.len()], parts)
                    }
                    _ => true,
                }
            }
            _ => self.all_may(unit, &atom.args, patterns),
        }
    }

    fn all_may(&self, unit: usize, terms: &[term::Pattern], patterns: &[Pattern<Value>]) -> bool {
        patterns
            .iter()
            .zip(terms)
            .all(|(pattern, term)| self.may_be(unit, term, pattern))
    }

    /// Whether a term of a process may look like a formula's pattern.
    fn may_be(&self, unit: usize, term: &term::Pattern, pattern: &Pattern<Value>) -> bool {
        let rich = &self.program.rich;
        match (pattern, term) {
            (Pattern::Any | Pattern::Variable(_) | Pattern::Computed(_), _) => true,
            (Pattern::Term(name, parts), term::Pattern::Apply(functor, args)) => {
                **name == **functor && parts.len() == args.len() && self.all_may(unit, args, parts)
            }
            (Pattern::Value(value), term) if term.is_constant() => is_constant(rich, value, term),
            (_, term) => {
                let variables = &self.units[unit].inlined.variables;
                let own = term.ty(&|var| variables[var.index()].ty.clone());
                let wanted = match pattern {
                    Pattern::Term(name, parts) => {
                        Type::Apply(name.to_string(), Some(vec![Type::Term; parts.len()]))
                    }
                    Pattern::Value(value) => kind(rich, value),
                    Pattern::Any | Pattern::Variable(_) | Pattern::Computed(_) => Type::Term,
                };
                own.fits(&wanted) != Fit::Never || wanted.fits(&own) != Fit::Never
            }
        }
    }
}

/// The type of a formula's literal.
fn kind(table: &RichTable, value: &Value) -> Type {
    match view(table, value) {
        View::Int(_) => Type::Int,
        View::Bool(_) => Type::Bool,
        View::Real(_) => Type::Real,
        View::Str(_) => Type::Str,
        View::List(_) => Type::List(None),
        // A number of arguments is not checked: of a term with this word there may be more.
        View::Apply(name, _) => Type::Apply(name.to_string(), None),
        View::Placeholder(_) => Type::Term,
    }
}

fn is_constant(table: &RichTable, value: &Value, term: &term::Pattern) -> bool {
    match (view(table, value), term) {
        (View::Int(a), term::Pattern::Int(b)) => a == *b,
        (View::Bool(a), term::Pattern::Bool(b)) => a == *b,
        (View::Real(a), term::Pattern::Real(b)) => a.to_bits() == *b,
        (View::Str(a), term::Pattern::Str(b)) => *a == **b,
        (View::Apply(a, args), term::Pattern::Apply(b, terms)) => {
            *a == **b
                && args.len() == terms.len()
                && args
                    .iter()
                    .zip(terms)
                    .all(|(a, b)| is_constant(table, a, b))
        }
        (View::List(items), term::Pattern::List(terms)) => {
            items.len() == terms.len()
                && items
                    .iter()
                    .zip(terms)
                    .all(|(a, b)| is_constant(table, a, b))
        }
        _ => false,
    }
}

/// An action as a formula has it.
pub(super) fn written(table: &RichTable, name: &str, patterns: &[Pattern<Value>]) -> String {
    fn one(table: &RichTable, pattern: &Pattern<Value>) -> String {
        match pattern {
            Pattern::Any | Pattern::Variable(_) | Pattern::Computed(_) => "_".to_owned(),
            Pattern::Value(value) => term::text(table, value),
            Pattern::Term(word, parts) => {
                let parts: Vec<String> = parts.iter().map(|part| one(table, part)).collect();
                format!("{word}({})", parts.join(", "))
            }
        }
    }
    let all: Vec<String> = patterns.iter().map(|pattern| one(table, pattern)).collect();
    format!("{name}({})", all.join(", "))
}

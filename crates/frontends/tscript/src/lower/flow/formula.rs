//! What formulas ask of the values in actions.

use logic::mu;

use super::super::facts::Kinds;
use super::{Flow, Owner};
use crate::ast::Word;
use crate::behaviour::Atom;
use crate::term::Pattern;

impl Flow {
    /// Every question may be asked of what stands in a term.
    pub(super) fn anything_is_asked(&mut self, owner: Owner, term: &Pattern) {
        term.variables(&mut |var, _| {
            let kinds = Kinds::of(self.ty(owner, var));
            let cell = self.cell(owner, var);
            self.ask(cell, kinds, |asked| {
                asked.compared = true;
                asked.computed = true;
                asked.joined = true;
                asked.taken_apart = true;
            });
        });
    }

    /// A formula speaks of an action.
    pub(super) fn formula(
        &mut self,
        word: &str,
        patterns: &[mu::Pattern<String>],
        owner: Owner,
        atom: &Atom,
        orders: bool,
    ) {
        let is_message = matches!(atom.word, Word::SndMsg | Word::RecMsg)
            && matches!(word, "msg" | "snd-msg" | "rec-msg");
        if !is_message && atom.word.text() != word {
            return;
        }
        if atom.word == Word::Printf {
            // What it says is made of all of them.
            let asks = patterns.iter().any(|pattern| *pattern != mu::Pattern::Any);
            for term in atom.args.iter().filter(|_| asks) {
                self.anything_is_asked(owner, term);
            }
            return;
        }
        if atom.word == Word::Create {
            // Of whom it is created, what it is given.
            if let Some(mu::Pattern::Term(_, parts)) = patterns.first() {
                for (pattern, term) in parts.iter().zip(&atom.args) {
                    self.asks(pattern, owner, term, orders);
                }
            }
            if let Some(mu::Pattern::Variable(_)) = patterns.first() {
                for term in &atom.args {
                    self.asks(&patterns[0], owner, term, orders);
                }
            }
            return;
        }
        for (pattern, term) in patterns.iter().zip(&atom.args) {
            self.asks(pattern, owner, term, orders);
        }
    }

    fn asks(&mut self, pattern: &mu::Pattern<String>, owner: Owner, term: &Pattern, orders: bool) {
        match (pattern, term) {
            (mu::Pattern::Any, _) => {}
            (mu::Pattern::Variable(_) | mu::Pattern::Computed(_), _) => {
                term.variables(&mut |var, _| {
                    let kinds = Kinds::of(self.ty(owner, var));
                    let cell = self.cell(owner, var);
                    self.ask(cell, kinds, |asked| {
                        asked.compared = true;
                        asked.computed |= orders;
                        asked.formula_variables += 1;
                    });
                });
            }
            (mu::Pattern::Term(word, parts), Pattern::Apply(functor, args))
                if **word == **functor && parts.len() == args.len() =>
            {
                for (part, arg) in parts.iter().zip(args) {
                    self.asks(part, owner, arg, orders);
                }
            }
            (_, Pattern::Var(var) | Pattern::Result(var)) => {
                let cell = self.cell(owner, *var);
                let literal = constant(pattern);
                if let Some(literal) = &literal {
                    self.literal(literal, cell);
                }
                let kinds = asked_by(pattern).and(Kinds::of(self.ty(owner, *var)));
                let open = literal.is_none();
                self.ask(cell, kinds, |asked| {
                    asked.taken_apart |= open;
                    asked.compared |= open;
                });
            }
            _ => {}
        }
    }
}

/// A formula's pattern as a term, if nothing in it is open.
fn constant(pattern: &mu::Pattern<String>) -> Option<Pattern> {
    match pattern {
        mu::Pattern::Value(text) => Some(word(text)),
        mu::Pattern::Term(functor, parts) => {
            let parts: Option<Vec<Pattern>> = parts.iter().map(constant).collect();
            Some(Pattern::Apply((&**functor).into(), parts?))
        }
        mu::Pattern::Any | mu::Pattern::Variable(_) | mu::Pattern::Computed(_) => None,
    }
}

/// Which parts of a term a formula's pattern asks for.
fn asked_by(pattern: &mu::Pattern<String>) -> Kinds {
    match pattern {
        mu::Pattern::Any => Kinds::NONE,
        mu::Pattern::Variable(_) | mu::Pattern::Computed(_) => Kinds::ALL,
        mu::Pattern::Value(text) => match word(text) {
            Pattern::Int(_) => Kinds::INT,
            Pattern::Str(_) => Kinds::TEXT,
            Pattern::Bool(_) => Kinds::NONE,
            _ => Kinds::OTHER,
        },
        mu::Pattern::Term(_, parts) => parts.iter().map(asked_by).fold(Kinds::OTHER, Kinds::or),
    }
}

/// A word of a formula as a term.
fn word(text: &str) -> Pattern {
    let quoted = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    match (quoted, text.parse()) {
        (Some(inside), _) => Pattern::Str(inside.into()),
        (None, Ok(number)) => Pattern::Int(number),
        (None, Err(_)) => match text {
            "true" => Pattern::Bool(true),
            "false" => Pattern::Bool(false),
            _ => Pattern::Apply(text.into(), Vec::new()),
        },
    }
}

//! Which actions stated properties can see.
//!
//! An action that no formula names can be done together with the one before it if nobody else
//! notices; but only if no formula counts steps.

use logic::mu::{Mu, Pattern, Vocabulary, parse};

use super::linear;
use crate::annotations::Annotations;
use crate::behaviour::Atom;
use crate::term;

/// A formula with names as they are written.
type Outline = Mu<String, String, String>;

/// What formulas see.
#[derive(Debug)]
pub(super) struct Seen {
    /// Those of branching time, and the actions of those of linear time.
    formulas: Vec<Outline>,
    /// Whether they see every step there is.
    everything: bool,
    /// Whether they compare values.
    orders: bool,
}

/// Takes every name for what it is.
struct Names;

impl Vocabulary for Names {
    type Atom = String;
    type Event = String;
    type Value = String;
    type Error = String;

    fn proposition(&mut self, text: &str, _: usize) -> Result<String, String> {
        Ok(text.to_owned())
    }

    fn event(&mut self, name: &str, _: usize, _: usize) -> Result<String, String> {
        Ok(name.to_owned())
    }

    fn constant(
        &mut self,
        text: &str,
        _: Option<(&String, usize)>,
        _: usize,
    ) -> Result<String, String> {
        Ok(text.to_owned())
    }
}

impl Seen {
    /// What the stated properties see; everything if processes `look_on`.
    pub(super) fn by(annotations: &Annotations, look_on: bool) -> Seen {
        let mut seen = Seen {
            formulas: Vec::new(),
            everything: look_on,
            orders: false,
        };
        for stated in &annotations.properties {
            let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
            let mut words = stated.text.split(|c| !is_name(c));
            seen.orders |= words.any(|word| word == "val");
            match parse(&stated.text, &mut Names) {
                Ok(formula) => {
                    seen.everything |= !formula.is_blind_to_silent_steps();
                    seen.orders |= formula.computes();
                    seen.formulas.push(formula);
                }
                Err(_) => match linear::read(&stated.text, &mut Names) {
                    Some(Ok(formula)) => {
                        seen.everything |= !formula.is_blind_to_empty_letters();
                        seen.formulas.extend(formula.atoms().into_iter().cloned());
                    }
                    // What is wrong with it is said elsewhere.
                    _ => seen.everything = true,
                },
            }
        }
        seen
    }

    /// All actions that formulas name, with what their arguments look like.
    pub(super) fn actions(&self) -> impl Iterator<Item = (&str, &[Pattern<String>])> {
        let all = self.formulas.iter().flat_map(|formula| formula.actions());
        all.map(|(word, patterns)| (word.as_str(), patterns))
    }

    /// Whether some formula compares values by their order, or counts with them.
    pub(super) fn orders(&self) -> bool {
        self.orders
    }

    /// Whether some formula can tell that a process ends.
    pub(super) fn sees_ends(&self) -> bool {
        let mut words = self.formulas.iter().flat_map(|formula| formula.events());
        self.everything || words.any(|word| word == "ends")
    }

    /// Whether some formula can tell that an action happens.
    pub(super) fn sees(&self, atom: &Atom) -> bool {
        self.everything
            || self.formulas.iter().any(|formula| {
                formula.actions().into_iter().any(|(word, patterns)| {
                    word == atom.word.text()
                        && patterns.iter().zip(&atom.args).all(|(p, t)| may_be(p, t))
                })
            })
    }
}

/// Whether a term may look like a formula's pattern.
fn may_be(pattern: &Pattern<String>, term: &term::Pattern) -> bool {
    match (pattern, term) {
        (Pattern::Value(word), term::Pattern::Apply(functor, args)) => {
            args.is_empty() && **word == **functor
        }
        (Pattern::Term(wanted, patterns), term::Pattern::Apply(functor, args)) => {
            **wanted == **functor
                && patterns.len() == args.len()
                && patterns.iter().zip(args).all(|(p, t)| may_be(p, t))
        }
        _ => true,
    }
}

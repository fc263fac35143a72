//! Properties of runs that never end, as automata that accept what must not be.

use logic::Buchi;
use model::predicates::Formula;
use model::{Assumption, Claim, Origin, Property};
use source::{Diagnostic, Span};

use super::formula::Scope;
use super::{Lowering, Names};
use crate::codes;
use crate::stated::refutation;
use crate::tree::{self, File, Linear, Stated};

impl Lowering<'_> {
    /// Makes a property of each that is stated.
    pub(super) fn linear(&mut self, file: &File) {
        for stated in &file.stated {
            let automaton = match &stated.linear {
                Linear::Formula(formula) => {
                    let formula = formula.map(|atom| self.atom(atom));
                    match refutation(&formula) {
                        Ok(automaton) => automaton,
                        Err(error) => {
                            let message = format!("failed to make an automaton: {error}");
                            self.error(codes::PROPERTY, stated.span, message);
                            continue;
                        }
                    }
                }
                Linear::Automaton(automaton) => automaton.clone().map(|atom| self.atom(&atom)),
            };
            self.avoids(stated, automaton);
        }
    }

    /// Says that nothing is chosen by formulas of what is written, if they are formulas.
    pub(super) fn output(&mut self, file: &File) {
        for (formula, span) in &file.output {
            self.atom(formula);
            let message = "all configurations are verified, and none is written into a file; this \
                           choice has no effect";
            self.diagnostics
                .push(Diagnostic::warning(codes::OUTPUT, message).at(*span));
        }
    }

    fn avoids(&mut self, stated: &Stated, automaton: Buchi<Formula>) {
        if self.properties.iter().any(|one| one.name == stated.name) {
            let message = format!("there are two properties `{}`", stated.name);
            let error = Diagnostic::error(codes::TWICE, message).at(stated.span);
            self.diagnostics.push(error);
            return;
        }
        self.properties.push(Property {
            name: stated.name.clone(),
            text: stated.text.clone(),
            span: stated.span,
            claim: Claim::Configurations(automaton),
            trigger: None,
            observers: Vec::new(),
            assumptions: Vec::new(),
        });
    }

    /// A formula without free variables.
    fn atom(&mut self, atom: &tree::Formula) -> Formula {
        self.formula(atom, &mut Scope::default(), &Names::new())
    }
}

/// What weak fairness assumes.
pub(super) fn fairness() -> Assumption {
    Assumption {
        text: "no thread that can always go on is passed over for ever (weak fairness)".to_owned(),
        origin: Origin::Stated,
        properties: None,
        span: Span::NONE,
    }
}

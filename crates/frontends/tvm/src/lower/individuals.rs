//! Individuals that come and go, and threads that become ready and stop.

use model::predicates::{Creation, Formula, Kleene, Update, Var};
use source::Span;

use super::formula::{Scope, free};
use super::{Lowering, Names};
use crate::codes;
use crate::tree::{self, Action, New};

impl Lowering<'_> {
    /// The individuals that an action makes.
    pub(super) fn creates(
        &mut self,
        action: &Action,
        scope: &mut Scope,
        names: &Names,
    ) -> Vec<Creation> {
        let mut all = Vec::new();
        for new in &action.creates {
            let mut creation = Creation::default();
            match new {
                New::One => {}
                New::Each(formula, span) => {
                    creation.each = self.chosen(("%new", formula, *span), scope, names);
                }
                New::Clone(formula, span) => {
                    creation.each = self.chosen(("%clone", formula, *span), scope, names);
                    creation.copies = true;
                }
                New::Thread(kind, span) => match self.entries.get(kind) {
                    Some(label) => creation.holds = vec![self.known.isthread, self.at(label)],
                    None => {
                        let known: Vec<String> = self.entries.keys().cloned().collect();
                        let known = known.iter().map(String::as_str);
                        self.unknown("type of threads", kind, *span, known);
                    }
                },
            }
            all.push(creation);
        }
        all
    }

    /// What the individuals have to satisfy that stay.
    pub(super) fn retains(
        &mut self,
        action: &Action,
        scope: &mut Scope,
        names: &Names,
    ) -> Option<(Var, Formula)> {
        let (formula, span) = action.retains.as_ref()?;
        self.chosen(("%retain", formula, *span), scope, names)
    }

    /// A formula that says which individuals are meant, without a choice.
    fn chosen(
        &mut self,
        (keyword, formula, span): (&str, &tree::Formula, Span),
        scope: &mut Scope,
        names: &Names,
    ) -> Option<(Var, Formula)> {
        let (variable, formula) = self.of_one((keyword, formula, span), scope, names)?;
        if is_choice(&formula) {
            let message = format!("`1/2` in the formula of `{keyword}` cannot be verified yet");
            self.error(codes::UNSUPPORTED, span, message);
        }
        Some((variable, formula))
    }

    /// A formula with one variable that the action does not have otherwise.
    fn of_one(
        &mut self,
        (keyword, formula, span): (&str, &tree::Formula, Span),
        scope: &mut Scope,
        names: &Names,
    ) -> Option<(Var, Formula)> {
        let mut all = Vec::new();
        free(formula, &mut Vec::new(), &mut all);
        all.retain(|name| scope.visible.iter().all(|(known, _)| known != name));
        let [own] = all.as_slice() else {
            let message = format!(
                "the formula of `{keyword}` needs one variable that the precondition does not have"
            );
            self.error(codes::VARIABLE, span, message);
            return None;
        };
        let before = scope.visible.len();
        let variable = scope.add(own);
        let formula = self.formula(formula, scope, names);
        scope.visible.truncate(before);
        Some((variable, formula))
    }

    /// Threads that are ready from now on, or are not any more.
    pub(super) fn schedules(
        &mut self,
        action: &Action,
        scope: &mut Scope,
        names: &Names,
        updates: &mut Vec<Update>,
    ) {
        // Who is both started and stopped is stopped.
        for starts in [true, false] {
            for (keyword, formula, span) in &action.schedules {
                if starts != (keyword == "%start") {
                    continue;
                }
                let meant = (keyword.as_str(), formula, *span);
                let Some((variable, meant)) = self.of_one(meant, scope, names) else {
                    continue;
                };
                let before = scope.visible.len();
                let who = scope.add("");
                scope.visible.truncate(before);
                let was = self.next(self.known.ready, who, updates);
                let meant = meant.renamed(variable, who);
                let value = match starts {
                    true => {
                        let thread = self.next(self.known.isthread, who, updates);
                        Formula::Or(vec![was, Formula::And(vec![meant, thread])])
                    }
                    false => Formula::And(vec![was, Formula::not(meant)]),
                };
                updates.retain(|update| update.predicate != self.known.ready);
                self.update(self.known.ready, vec![who], value, *span, updates);
            }
        }
    }

    /// The next value of a predicate of one.
    fn next(&self, predicate: model::PredicateId, who: Var, updates: &[Update]) -> Formula {
        let next = updates.iter().find(|update| update.predicate == predicate);
        match next {
            Some(update) => update.value.renamed(update.parameters[0], who),
            None => Formula::Holds(predicate, vec![who]),
        }
    }

    /// Any thread may go on that can be scheduled then; if individuals vanish, only if the one whose
    /// turn it is does.
    pub(super) fn reschedules(
        &mut self,
        retains: Option<&(Var, Formula)>,
        scope: &mut Scope,
        updates: &mut Vec<Update>,
    ) {
        let before = scope.visible.len();
        let who = scope.add("");
        let mut value = Formula::And(vec![
            self.next(self.known.isthread, who, updates),
            self.next(self.known.ready, who, updates),
            Formula::Value(Kleene::Unknown),
        ]);
        if let Some((variable, stays)) = retains {
            let mover = scope.add("");
            let moves = Formula::Holds(self.known.runnable, vec![mover]);
            let stays = stays.renamed(*variable, mover);
            let goes_on = Formula::Exists(mover, Box::new(Formula::And(vec![moves, stays])));
            let was = Formula::Holds(self.known.runnable, vec![who]);
            value = Formula::If(Box::new([goes_on, was, value]));
        }
        scope.visible.truncate(before);
        self.update(self.known.runnable, vec![who], value, Span::NONE, updates);
    }
}

/// Whether a formula has a value that is chosen.
fn is_choice(formula: &Formula) -> bool {
    match formula {
        Formula::Value(value) => *value == Kleene::Unknown,
        Formula::Holds(..) | Formula::Equal(..) => false,
        Formula::Not(inner)
        | Formula::Exists(_, inner)
        | Formula::Forall(_, inner)
        | Formula::Closure { edge: inner, .. } => is_choice(inner),
        Formula::And(all) | Formula::Or(all) => all.iter().any(is_choice),
        Formula::If(all) => all.iter().any(is_choice),
    }
}

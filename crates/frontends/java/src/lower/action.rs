//! One action, while it is being made.

use model::predicates::{Creation, Focus, Formula, Kleene, PredicateAction, Update, Var};
use model::{MessageId, PredicateId};
use source::Span;

use super::vocabulary::Vocabulary;

/// The thread that moves.
pub(super) const MOVER: Var = 0;

/// An action. Updates of one predicate are put together: a later one reads what an earlier one makes.
#[derive(Clone)]
pub(super) struct Draft {
    variables: Vec<String>,
    free: usize,
    pub(super) focus: Vec<Focus>,
    conditions: Vec<Formula>,
    pub(super) reports: Vec<(MessageId, Formula)>,
    creates: Vec<Creation>,
    updates: Vec<(PredicateId, Formula)>,
    pub(super) approximate: bool,
}

/// The variables that stand for the arguments of predicates in updates, and bound ones. All come after
/// the free ones, of which there are four at most.
pub(super) const FIRST: Var = 4;
pub(super) const SECOND: Var = 5;
pub(super) const BOUND: Var = 6;
pub(super) const OTHER: Var = 7;

impl Draft {
    pub(super) fn new(vocabulary: &Vocabulary) -> Draft {
        Draft {
            variables: vec!["thread".to_owned()],
            free: 1,
            focus: vec![vocabulary.turn.into()],
            conditions: vec![Formula::Holds(vocabulary.turn, vec![MOVER])],
            reports: Vec::new(),
            creates: Vec::new(),
            updates: Vec::new(),
            approximate: false,
        }
    }

    /// One more free variable.
    pub(super) fn free(&mut self, name: &str) -> Var {
        debug_assert!(self.free < FIRST, "an action has few free variables");
        self.variables.push(name.to_owned());
        self.free += 1;
        self.free - 1
    }

    pub(super) fn require(&mut self, condition: Formula) {
        self.conditions.push(condition);
    }

    pub(super) fn look(&mut self, focus: Option<Focus>) {
        if let Some(focus) = focus
            && !self.focus.contains(&focus)
        {
            self.focus.push(focus);
        }
    }

    pub(super) fn create(&mut self, holds: Vec<PredicateId>) {
        self.creates.push(Creation {
            holds,
            ..Creation::default()
        });
    }

    /// The value that a predicate has so far after the action, of its arguments.
    pub(super) fn after(&self, predicate: PredicateId, arity: usize) -> Formula {
        let known = self.updates.iter().find(|(own, _)| *own == predicate);
        match known {
            Some((_, value)) => value.clone(),
            None => Formula::Holds(predicate, [FIRST, SECOND][..arity].to_vec()),
        }
    }

    /// Gives a predicate a value, of its arguments.
    pub(super) fn set(&mut self, predicate: PredicateId, value: Formula) {
        match self.updates.iter_mut().find(|(own, _)| *own == predicate) {
            Some((_, known)) => *known = value,
            None => self.updates.push((predicate, value)),
        }
    }

    /// A predicate of one holds of somebody, or does not any more.
    pub(super) fn mark(&mut self, predicate: PredicateId, who: Formula, holds: bool) {
        let before = self.after(predicate, 1);
        self.set(
            predicate,
            match holds {
                true => Formula::Or(vec![before, who]),
                false => Formula::And(vec![before, Formula::not(who)]),
            },
        );
    }

    /// The action; afterwards any thread may go on, or only the one that moved.
    pub(super) fn finish(
        mut self,
        vocabulary: &Vocabulary,
        arity: impl Fn(PredicateId) -> usize,
        pauses: bool,
        (name, span): (String, Span),
    ) -> PredicateAction {
        if pauses {
            let alive = self.after(vocabulary.alive, 1);
            let any = Formula::And(vec![alive, Formula::Value(Kleene::Unknown)]);
            self.set(vocabulary.turn, any);
        }
        let free = self.free;
        let mut variables = self.variables;
        for number in free..=OTHER {
            variables.push(format!("v{number}"));
        }
        let updates = self.updates.into_iter().map(|(predicate, value)| Update {
            predicate,
            parameters: [FIRST, SECOND][..arity(predicate)].to_vec(),
            value,
        });
        PredicateAction {
            name,
            span,
            variables,
            free,
            scheduled: Some(MOVER),
            focus: self.focus,
            precondition: Formula::And(self.conditions),
            opens_turn: pauses,
            reports: self.reports,
            creates: self.creates,
            updates: updates.collect(),
            retains: None,
            reports_after: Vec::new(),
        }
    }
}

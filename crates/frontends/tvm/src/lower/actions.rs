//! Edges of threads, and claims, as actions.

use std::collections::HashMap;

use model::predicates::{Formula, Kleene, PredicateAction, Update};
use model::{MessageId, PredicateId};
use source::{Diagnostic, Span};

use super::formula::{Scope, free};
use super::{Lowering, Names};
use crate::codes;
use crate::tree::{self, Action, Edge, Effect, File};

/// The messages of actions by the action's name and their position.
pub(super) type Messages = HashMap<(String, usize), MessageId>;

/// Where an action happens.
#[derive(Clone, Copy)]
enum At<'e> {
    /// Where a thread goes along an edge; and whether it goes on inside of an atomic block.
    Thread(&'e Edge, bool),
    /// Where a sequential program does.
    Location(&'e Edge),
    /// Anywhere: it is a claim.
    Anywhere,
}

impl<'e> At<'e> {
    fn edge(self) -> Option<&'e Edge> {
        match self {
            At::Thread(edge, _) | At::Location(edge) => Some(edge),
            At::Anywhere => None,
        }
    }
}

impl Action {
    /// What an assertion does at an edge.
    fn asserts(formula: &tree::Formula, edge: &Edge) -> Action {
        Action {
            name: format!("assert_{}", edge.from),
            messages: vec![(
                tree::Formula::Not(Box::new(formula.clone())),
                format!("the assertion at {} fails", edge.from),
                edge.span,
            )],
            span: edge.span,
            ..Action::default()
        }
    }
}

impl Lowering<'_> {
    /// Makes an action of each edge and each claim.
    pub(super) fn act(&mut self, file: &File) {
        let mut actions: HashMap<&str, &Action> = HashMap::new();
        for action in &file.actions {
            if actions.insert(&action.name, action).is_some() {
                let message = format!("the action `{}` is declared twice", action.name);
                self.error(codes::TWICE, action.span, message);
            }
        }
        let mut messages = Messages::new();
        for thread in &file.threads {
            for edge in &thread.edges {
                let inside = edge.block.is_some()
                    && thread
                        .edges
                        .iter()
                        .any(|next| next.from == edge.to && next.block == edge.block);
                match &edge.effect {
                    Effect::Call(call) => {
                        let known = self.called(&actions, call);
                        if let Some((action, names)) = known {
                            let at = At::Thread(edge, inside);
                            self.instances(action, 0, &names, at, &mut messages);
                        }
                    }
                    Effect::Assert(formula) => {
                        let asserted = Action::asserts(formula, edge);
                        // Each assertion is a property of its own.
                        let mut own = Messages::new();
                        let at = At::Thread(edge, inside);
                        self.action(&asserted, &Names::new(), at, &mut own);
                    }
                }
            }
        }
        for edge in file.flow.iter().flatten() {
            match &edge.effect {
                Effect::Call(call) => {
                    if let Some((action, names)) = self.called(&actions, call) {
                        self.instances(action, 0, &names, At::Location(edge), &mut messages);
                    }
                }
                Effect::Assert(formula) => {
                    let asserted = Action::asserts(formula, edge);
                    let mut own = Messages::new();
                    self.action(&asserted, &Names::new(), At::Location(edge), &mut own);
                }
            }
        }
        for claim in &file.claims {
            if let Some((action, names)) = self.called(&actions, claim) {
                self.instances(action, 0, &names, At::Anywhere, &mut messages);
            }
        }
    }

    /// An action and what its parameters stand for.
    fn called<'a>(
        &mut self,
        actions: &HashMap<&str, &'a Action>,
        call: &tree::Call,
    ) -> Option<(&'a Action, Names)> {
        let Some(&action) = actions.get(call.name.as_str()) else {
            self.unknown("action", &call.name, call.span, actions.keys().copied());
            return None;
        };
        let (count, given) = (action.parameters.len(), call.arguments.len());
        if count != given {
            let message = format!("`{}` has {count} arguments, and not {given}", call.name);
            self.error(codes::ARITY, call.span, message);
            return None;
        }
        let names = action
            .parameters
            .iter()
            .cloned()
            .zip(call.arguments.iter().cloned());
        Some((action, names.collect()))
    }

    /// An action for each choice of what its names stand for, from this one on, that may be any of a set.
    fn instances(
        &mut self,
        action: &Action,
        next: usize,
        names: &Names,
        at: At<'_>,
        messages: &mut Messages,
    ) {
        let Some((name, set)) = action.chosen.get(next) else {
            return self.action(action, names, at, messages);
        };
        for member in self.members(set, names) {
            let mut names = names.clone();
            names.insert(name.clone(), member);
            self.instances(action, next + 1, &names, at, messages);
        }
    }

    fn action(&mut self, action: &Action, names: &Names, at: At<'_>, messages: &mut Messages) {
        let mut scope = Scope::default();
        let mut guards = Vec::new();
        let mut scheduled = None;
        match at {
            At::Thread(edge, _) => {
                let thread = scope.add("tr");
                scheduled = Some(thread);
                let at = self.at(&edge.from);
                guards.push(Formula::Holds(self.known.runnable, vec![thread]));
                guards.push(Formula::Holds(at, vec![thread]));
            }
            At::Location(edge) => guards.push(Formula::Holds(self.at(&edge.from), Vec::new())),
            At::Anywhere => {}
        }
        let mut bound = Vec::new();
        if let Some(precondition) = &action.precondition {
            free(precondition, &mut Vec::new(), &mut bound);
        }
        for name in &bound {
            if name != "tr" || scheduled.is_none() {
                scope.add(name);
            }
        }
        let free = scope.variables.len();
        if let Some(precondition) = &action.precondition {
            guards.push(self.formula(precondition, &mut scope, names));
        }
        let reports = self.reports(action, &mut scope, names, messages);
        let creates = self.creates(action, &mut scope, names);
        let retains = self.retains(action, &mut scope, names);
        let mut updates = Vec::new();
        self.updates(&action.updates, &mut scope, names, &mut updates);
        self.schedules(action, &mut scope, names, &mut updates);
        let scheduling = [self.known.isthread, self.known.ready];
        match at {
            At::Thread(edge, inside) => {
                if !action.explicit_at && edge.from != edge.to {
                    self.moves(edge, &mut scope, &mut updates);
                }
                if !inside {
                    self.reschedules(None, &mut scope, &mut updates);
                } else if retains.is_some() {
                    self.reschedules(retains.as_ref(), &mut scope, &mut updates);
                }
            }
            At::Location(edge) => self.goes_to(edge, &mut updates),
            At::Anywhere
                if updates
                    .iter()
                    .any(|one| scheduling.contains(&one.predicate)) =>
            {
                self.reschedules(None, &mut scope, &mut updates);
            }
            At::Anywhere if retains.is_some() => {
                self.reschedules(retains.as_ref(), &mut scope, &mut updates);
            }
            At::Anywhere => {}
        }
        let opens_turn = match at {
            At::Thread(_, inside) => !inside,
            At::Location(_) => false,
            At::Anywhere => updates
                .iter()
                .any(|one| scheduling.contains(&one.predicate)),
        };
        let moves = matches!(at, At::Thread(..));
        let mut focus = self.focus(action, moves, names);
        if moves {
            focus.push(self.known.runnable.into());
        }
        let reports_after = self.reports_after(action, &mut scope, names, messages);
        self.program.actions.push(PredicateAction {
            name: match at.edge() {
                Some(edge) => format!("{} ({} to {})", action.name, edge.from, edge.to),
                None => action.name.clone(),
            },
            span: at.edge().map_or(action.span, |edge| edge.span),
            variables: scope.variables,
            free,
            scheduled,
            focus,
            precondition: Formula::all(guards),
            opens_turn,
            reports,
            creates,
            updates,
            retains,
            reports_after,
        });
    }

    pub(super) fn at(&self, label: &str) -> PredicateId {
        self.predicates[&format!("at[{label}]")]
    }

    fn updates(
        &mut self,
        all: &[tree::Update],
        scope: &mut Scope,
        names: &Names,
        found: &mut Vec<Update>,
    ) {
        for update in all {
            match update {
                tree::Update::Each(variable, set, inner) => {
                    for member in self.members(set, names) {
                        let mut names = names.clone();
                        names.insert(variable.clone(), member);
                        self.updates(inner, scope, &names, found);
                    }
                }
                tree::Update::Set(name, parameters, value) => {
                    let Some(predicate) = self.predicate(name, names) else {
                        continue;
                    };
                    if !self.fits(predicate, parameters.len(), name.span) {
                        continue;
                    }
                    let before = scope.visible.len();
                    let variables = parameters.iter().map(|one| scope.add(one)).collect();
                    let value = self.formula(value, scope, names);
                    scope.visible.truncate(before);
                    self.update(predicate, variables, value, name.span, found);
                }
            }
        }
    }

    pub(super) fn update(
        &mut self,
        predicate: PredicateId,
        parameters: Vec<usize>,
        value: Formula,
        span: Span,
        found: &mut Vec<Update>,
    ) {
        let known = self.program.predicate(predicate);
        let name = known.name.clone();
        if known.definition.is_some() {
            let message = format!("`{name}` is what its definition says; this update is not used");
            self.diagnostics
                .push(Diagnostic::warning(codes::DERIVED, message).at(span));
            return;
        }
        if [self.program.is_new, self.program.instance].contains(&Some(predicate)) {
            let message = format!("updates of `{name}` cannot be verified yet");
            self.error(codes::UNSUPPORTED, span, message);
            return;
        }
        if found.iter().any(|update| update.predicate == predicate) {
            let message = format!("`{name}` is updated twice by one action");
            self.error(codes::TWICE, span, message);
            return;
        }
        found.push(Update {
            predicate,
            parameters,
            value,
        });
    }

    /// A sequential program comes to the next location.
    fn goes_to(&mut self, edge: &Edge, updates: &mut Vec<Update>) {
        for (label, here) in [(&edge.from, Kleene::False), (&edge.to, Kleene::True)] {
            if edge.from != edge.to {
                let value = Formula::Value(here);
                self.update(self.at(label), Vec::new(), value, edge.span, updates);
            }
        }
    }

    /// The thread comes to the next label.
    fn moves(&mut self, edge: &Edge, scope: &mut Scope, updates: &mut Vec<Update>) {
        for (label, arrives) in [(&edge.from, false), (&edge.to, true)] {
            let at = self.at(label);
            let who = scope.add("");
            let was = Formula::Holds(at, vec![who]);
            let mover = Formula::Equal(who, 0);
            let value = match arrives {
                true => Formula::Or(vec![was, mover]),
                false => Formula::And(vec![was, Formula::not(mover)]),
            };
            self.update(at, vec![who], value, edge.span, updates);
        }
    }
}

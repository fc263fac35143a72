//! Edges of threads, and claims, as actions.

use std::collections::HashMap;

use model::predicates::{Formula, Kleene, Message, PredicateAction, Update};
use model::{Claim, MessageId, PredicateId, Property};
use source::{Diagnostic, Span};

use super::formula::{Scope, free, renamed};
use super::{Lowering, Names};
use crate::codes;
use crate::tree::{self, Action, Edge, Effect, File};

/// The messages of actions by the action's name and their position.
type Messages = HashMap<(String, usize), MessageId>;

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
                            self.action(action, &names, Some((edge, inside)), &mut messages);
                        }
                    }
                    Effect::Assert(formula) => {
                        let asserted = Action {
                            name: format!("assert_{}", edge.from),
                            messages: vec![(
                                tree::Formula::Not(Box::new(formula.clone())),
                                format!("the assertion at {} fails", edge.from),
                                edge.span,
                            )],
                            span: edge.span,
                            ..Action::default()
                        };
                        // Each assertion is a property of its own.
                        let mut own = Messages::new();
                        self.action(&asserted, &Names::new(), Some((edge, inside)), &mut own);
                    }
                }
            }
        }
        for claim in &file.claims {
            if let Some((action, names)) = self.called(&actions, claim) {
                self.action(action, &names, None, &mut messages);
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

    fn action(
        &mut self,
        action: &Action,
        names: &Names,
        edge: Option<(&Edge, bool)>,
        messages: &mut Messages,
    ) {
        let mut scope = Scope::default();
        let mut guards = Vec::new();
        let mut scheduled = None;
        if let Some((edge, _)) = edge {
            let thread = scope.add("tr");
            scheduled = Some(thread);
            let at = self.at(&edge.from);
            guards.push(Formula::Holds(self.known.runnable, vec![thread]));
            guards.push(Formula::Holds(at, vec![thread]));
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
        let mut reports = Vec::new();
        for (position, (condition, text, span)) in action.messages.iter().enumerate() {
            let condition = self.formula(condition, &mut scope, names);
            let key = (action.name.clone(), position);
            let message = match messages.get(&key) {
                Some(&message) => message,
                None => self.message(&action.name, text, *span),
            };
            messages.insert(key, message);
            reports.push((message, condition));
        }
        let mut updates = Vec::new();
        self.updates(&action.updates, &mut scope, names, &mut updates);
        let scheduling = [self.known.isthread, self.known.ready];
        match edge {
            Some((edge, inside)) => {
                self.moves(edge, inside, action.explicit_at, &mut scope, &mut updates);
            }
            None if updates
                .iter()
                .any(|one| scheduling.contains(&one.predicate)) =>
            {
                self.reschedules(&mut scope, &mut updates);
            }
            None => {}
        }
        let mut focus = self.focus(action, names);
        if edge.is_some() {
            focus.push(self.known.runnable);
        }
        self.program.actions.push(PredicateAction {
            name: match edge {
                Some((edge, _)) => format!("{} ({} to {})", action.name, edge.from, edge.to),
                None => action.name.clone(),
            },
            span: edge.map_or(action.span, |(edge, _)| edge.span),
            variables: scope.variables,
            free,
            scheduled,
            focus,
            precondition: Formula::all(guards),
            reports,
            creates: action.creates.then_some(self.known.is_new),
            updates,
        });
    }

    fn at(&self, label: &str) -> PredicateId {
        self.predicates[&format!("at[{label}]")]
    }

    fn message(&mut self, name: &str, text: &str, span: Span) -> MessageId {
        let id = MessageId::new(self.program.messages.len());
        self.program.messages.push(Message {
            text: text.to_owned(),
            span,
        });
        let taken = |name: &str, all: &[Property]| all.iter().any(|one| one.name == name);
        let mut own = name.to_owned();
        let mut number = 2;
        while taken(&own, &self.properties) {
            own = format!("{name}_{number}");
            number += 1;
        }
        self.properties.push(Property {
            name: own,
            text: format!("never \"{text}\""),
            span,
            claim: Claim::Silent(id),
            trigger: None,
            observers: Vec::new(),
            assumptions: Vec::new(),
        });
        id
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

    fn update(
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
        if predicate == self.known.is_new {
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

    /// The thread comes to the next label, and anybody may go on.
    fn moves(
        &mut self,
        edge: &Edge,
        inside: bool,
        explicit: bool,
        scope: &mut Scope,
        updates: &mut Vec<Update>,
    ) {
        if !explicit && edge.from != edge.to {
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
        if !inside {
            self.reschedules(scope, updates);
        }
    }

    /// Any thread may go on that can be scheduled then.
    fn reschedules(&mut self, scope: &mut Scope, updates: &mut Vec<Update>) {
        let who = scope.add("");
        let mut parts: Vec<Formula> = Vec::new();
        for predicate in [self.known.isthread, self.known.ready] {
            let next = updates.iter().find(|update| update.predicate == predicate);
            parts.push(match next {
                Some(update) => renamed(&update.value, update.parameters[0], who),
                None => Formula::Holds(predicate, vec![who]),
            });
        }
        parts.push(Formula::Value(Kleene::Unknown));
        let value = Formula::And(parts);
        self.update(self.known.runnable, vec![who], value, Span::NONE, updates);
    }

    /// The predicates of one individual or none that the formulas of a focus read.
    fn focus(&mut self, action: &Action, names: &Names) -> Vec<PredicateId> {
        let mut all: Vec<PredicateId> = Vec::new();
        for formula in &action.focus {
            let mut scope = Scope {
                open: true,
                ..Scope::default()
            };
            let mut reads = Vec::new();
            self.formula(formula, &mut scope, names).reads(&mut reads);
            let order = |id: &PredicateId| {
                let predicate = self.program.predicate(*id);
                (predicate.arity, !predicate.unique)
            };
            reads.retain(|id| order(id).0 < 2);
            reads.sort_by_key(order);
            for id in reads {
                if !all.contains(&id) {
                    all.push(id);
                }
            }
        }
        all
    }
}

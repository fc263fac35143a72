//! Messages of actions as properties.

use model::predicates::{Formula, Message};
use model::{Claim, MessageId, Property};
use source::Span;

use super::actions::Messages;
use super::formula::Scope;
use super::{Lowering, Names};
use crate::tree::Action;

impl Lowering<'_> {
    /// What an action reports where it happens. That it halts the analysis is a message, too.
    pub(super) fn reports(
        &mut self,
        action: &Action,
        scope: &mut Scope,
        names: &Names,
        messages: &mut Messages,
    ) -> Vec<(MessageId, Formula)> {
        let mut reports = Vec::new();
        for (position, (condition, text, span)) in action.messages.iter().enumerate() {
            let condition = self.formula(condition, scope, names);
            let message = self.known_message(&action.name, position, (text, *span), messages);
            reports.push((message, condition));
        }
        for (condition, names, message) in self.messages.clone() {
            let condition = self.formula(&condition, scope, &names);
            reports.push((message, condition));
        }
        if let Some((condition, span)) = &action.halts {
            let condition = self.formula(condition, scope, names);
            let position = action.messages.len() + action.messages_after.len();
            let text = format!("{} halts", action.name);
            let message = self.known_message(&action.name, position, (&text, *span), messages);
            reports.push((message, condition));
        }
        reports
    }

    /// What an action reports where it leads. These formulas have no free variables.
    pub(super) fn reports_after(
        &mut self,
        action: &Action,
        scope: &mut Scope,
        names: &Names,
        messages: &mut Messages,
    ) -> Vec<(MessageId, Formula)> {
        let visible = std::mem::take(&mut scope.visible);
        let mut reports = Vec::new();
        for (number, (condition, text, span)) in action.messages_after.iter().enumerate() {
            let condition = self.formula(condition, scope, names);
            let position = action.messages.len() + number;
            let message = self.known_message(&action.name, position, (text, *span), messages);
            reports.push((message, condition));
        }
        scope.visible = visible;
        reports
    }

    /// The message at a position of an action, which may be used several times.
    fn known_message(
        &mut self,
        action: &str,
        position: usize,
        (text, span): (&str, Span),
        messages: &mut Messages,
    ) -> MessageId {
        let key = (action.to_owned(), position);
        if let Some(&known) = messages.get(&key) {
            return known;
        }
        let message = self.message(action, text, span);
        messages.insert(key, message);
        message
    }

    pub(super) fn message(&mut self, name: &str, text: &str, span: Span) -> MessageId {
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
}

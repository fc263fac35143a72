//! Reading actions.

use model::predicates::Kleene;
use source::{Span, Token, TokenKind};

use crate::parse::{Parser, Result};
use crate::tree::{Action, Formula, New};

impl Parser {
    pub(crate) fn action(&mut self) -> Result<Action> {
        self.keyword("%action")?;
        let span = self.tokens.peek(0).span;
        let mut action = Action {
            name: self.word()?,
            span,
            ..Action::default()
        };
        action.parameters = self.words_in_parentheses()?;
        self.expect("{")?;
        // Whether what changes has been read.
        let mut changed = false;
        while !self.tokens.accept("}") {
            let token = self.tokens.peek(0).clone();
            if self.tokens.accept("{") {
                action.updates.extend(self.updates()?);
                changed = true;
            } else if token.text.starts_with('%') && token.kind == TokenKind::Name {
                changed |= &*token.text == "%retain";
                self.part(&mut action, &token, changed)?;
            } else {
                self.error("a part of an action is expected here");
                return Err(());
            }
        }
        Ok(action)
    }

    /// A part of an action that a keyword begins.
    fn part(&mut self, action: &mut Action, token: &Token, changed: bool) -> Result<()> {
        let span = token.span;
        let word = &*token.text;
        if !KEYWORDS.contains(&word) {
            return self.unsupported(&format!("`{word}` here"));
        }
        self.tokens.next();
        match word {
            "%t" => drop(self.texts()?),
            "%param" => action.chosen.push(self.member()?),
            "%f" => {
                let more = self.focused()?;
                action.focus.extend(more);
            }
            "%p" => action.precondition = Some(self.formula()?),
            "%message" => {
                let message = self.message(span)?;
                match changed {
                    false => action.messages.push(message),
                    true => action.messages_after.push(message),
                }
            }
            "%new" => action.creates.push(match self.formula_follows() {
                true => New::Each(self.formula()?, span),
                false => New::One,
            }),
            "%clone" => action.creates.push(New::Clone(self.formula()?, span)),
            "%newthread" => {
                let kind = self.word()?;
                let span = self.tokens.since(span);
                action.creates.push(New::Thread(kind, span));
            }
            "%start" | "%stop" | "%wait" => {
                let formula = self.formula()?;
                action.schedules.push((word.to_owned(), formula, span));
            }
            "%halt" => {
                let formula = match self.formula_follows() {
                    true => self.formula()?,
                    false => Formula::Value(Kleene::True),
                };
                action.halts = Some((formula, span));
            }
            "%retain" => action.retains = Some((self.formula()?, span)),
            _ => action.explicit_at = true,
        }
        Ok(())
    }

    /// `f -> "text"`.
    pub(crate) fn message(&mut self, start: Span) -> Result<(Formula, String, Span)> {
        let formula = self.formula()?;
        self.expect("->")?;
        Ok((formula, self.texts()?, self.tokens.since(start)))
    }

    /// `{ f, g }`.
    pub(crate) fn focused(&mut self) -> Result<Vec<Formula>> {
        self.expect("{")?;
        let mut focus = Vec::new();
        while !self.tokens.accept("}") {
            if !focus.is_empty() {
                self.expect(",")?;
            }
            focus.push(self.formula()?);
        }
        Ok(focus)
    }

    /// Whether a formula comes, and no other part of an action.
    fn formula_follows(&self) -> bool {
        let next = self.tokens.peek(0);
        let part = next.kind == TokenKind::Name && next.text.starts_with('%');
        !part && !self.tokens.at("{") && !self.tokens.at("}")
    }
}

const KEYWORDS: &[&str] = &[
    "%param",
    "%t",
    "%f",
    "%p",
    "%message",
    "%new",
    "%clone",
    "%newthread",
    "%start",
    "%stop",
    "%wait",
    "%halt",
    "%retain",
    "%explicitat",
];

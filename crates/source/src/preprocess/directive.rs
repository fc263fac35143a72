//! Directives: lines that begin with `#`.

use std::rc::Rc;

use crate::span::Span;

use super::{MAX_INCLUDES, Macro, Preprocessor};
use crate::diagnostic::Diagnostic;
use crate::token::{Token, TokenKind};

/// Of longer ways from file to file only the ends are told.
const LINKS: usize = 6;

/// An open `#if`.
pub(super) struct Conditional {
    /// Where it begins.
    pub(super) span: Span,
    /// Whether the text of the present branch counts (in itself).
    pub(super) active: bool,
    /// Whether a branch has been taken.
    taken: bool,
    /// Whether `#else` has been met.
    last: bool,
}

impl Preprocessor<'_, '_> {
    pub(super) fn directive(&mut self, line: &[Token], conditionals: &mut Vec<Conditional>) {
        let whole = line[0].span.to(line[line.len() - 1].span);
        let Some(name) = line.get(1) else {
            return;
        };
        let rest = &line[2..];
        let live = conditionals.iter().all(|c| c.active);
        match &*name.text {
            "if" | "ifdef" | "ifndef" => {
                let holds = live && self.condition(&name.text, rest, whole);
                conditionals.push(Conditional {
                    span: whole,
                    active: holds,
                    taken: holds,
                    last: false,
                });
            }
            "elif" | "else" => {
                let Some(mut open) = conditionals.pop() else {
                    self.error(self.dialect.directive, whole, "`#else` without `#if`");
                    return;
                };
                if open.last {
                    self.error(self.dialect.directive, whole, "`#else` after `#else`");
                }
                let live = conditionals.iter().all(|c| c.active);
                let is_else = &*name.text == "else";
                open.active = live && !open.taken && (is_else || self.condition("if", rest, whole));
                open.taken |= open.active;
                open.last = is_else;
                conditionals.push(open);
            }
            "endif" => {
                if conditionals.pop().is_none() {
                    self.error(self.dialect.directive, whole, "`#endif` without `#if`");
                }
            }
            _ if !live => {}
            "define" => self.define(rest, whole),
            "undef" => {
                self.flush();
                match rest.first() {
                    Some(name) if name.kind == TokenKind::Name => {
                        self.macros.remove(&name.text);
                    }
                    _ => self.error(self.dialect.directive, whole, "`#undef` needs a name"),
                }
            }
            "include" => self.include(rest, whole),
            "error" => {
                let text = self.sources.snippet(whole).to_owned();
                self.error(self.dialect.directive, whole, text);
            }
            "pragma" | "line" | "warning" | "ident" => {}
            _ if name.kind == TokenKind::Number => {}
            other => {
                let message = format!("unknown directive `#{other}`");
                self.error(self.dialect.directive, whole, message);
            }
        }
    }

    fn condition(&mut self, name: &str, rest: &[Token], whole: Span) -> bool {
        if name == "if" {
            return self.holds(rest, whole);
        }
        match rest.first() {
            Some(token) if token.kind == TokenKind::Name => {
                self.macros.contains_key(&token.text) == (name == "ifdef")
            }
            _ => {
                let message = format!("`#{name}` needs a name");
                self.error(self.dialect.directive, whole, message);
                false
            }
        }
    }

    fn define(&mut self, rest: &[Token], whole: Span) {
        self.flush();
        let Some((name, mut body)) = rest.split_first() else {
            self.error(self.dialect.directive, whole, "`#define` needs a name");
            return;
        };
        if name.kind != TokenKind::Name {
            self.error(self.dialect.directive, name.span, "a macro needs a name");
            return;
        }
        let mut parameters = None;
        if body.first().is_some_and(|t| t.is("(") && !t.spaced) {
            let Some(close) = body.iter().position(|t| t.is(")")) else {
                self.error(
                    self.dialect.directive,
                    whole,
                    "the macro's parameters have no `)`",
                );
                return;
            };
            let names: Vec<Rc<str>> = body[1..close]
                .iter()
                .filter(|t| t.kind == TokenKind::Name)
                .map(|t| Rc::clone(&t.text))
                .collect();
            parameters = Some(names);
            body = &body[close + 1..];
        }
        let body = body.to_vec();
        self.macros
            .insert(Rc::clone(&name.text), Macro { parameters, body });
    }

    fn include(&mut self, rest: &[Token], whole: Span) {
        let name = match rest {
            [name] if name.kind == TokenKind::Text => name.text.trim_matches('"').to_owned(),
            [open, .., close] if open.is("<") && close.is(">") => {
                rest[1..rest.len() - 1].iter().map(|t| &*t.text).collect()
            }
            _ => {
                self.error(
                    self.dialect.directive,
                    whole,
                    "`#include` needs a file name in quotes",
                );
                return;
            }
        };
        if self.room.is_none() {
            return;
        }
        if self.chain.len() > MAX_INCLUDES {
            let message = format!("files include each other without end: `{name}`");
            self.cannot_include(whole, message);
            self.room = None;
            return;
        }
        match (self.include)(&name) {
            Some(text) if text.len() < crate::map::SourceMap::MAX_LEN => {
                let room = self.room.and_then(|(files, bytes)| {
                    Some((files.checked_sub(1)?, bytes.checked_sub(text.len())?))
                });
                self.room = room;
                if room.is_none() {
                    self.cannot_include(whole, "files include each other too often");
                    return;
                }
                let file = self.sources.add(name, text);
                self.file(file);
            }
            _ => {
                let message = format!("file `{name}` cannot be read as a text");
                self.cannot_include(whole, message);
            }
        }
    }

    /// Reports an `#include`, and by what way it was come to.
    fn cannot_include(&mut self, whole: Span, message: impl Into<String>) {
        let mut diagnostic = Diagnostic::error(self.dialect.include, message).at(whole);
        if self.chain.len() > 1 {
            let mut way: Vec<&str> = self
                .chain
                .iter()
                .map(|&f| self.sources.file(f).name())
                .collect();
            if way.len() > LINKS {
                way.splice(LINKS - 1..way.len() - 1, ["..."]);
            }
            diagnostic = diagnostic.help(format!("come to by way of {}", way.join(" > ")));
        }
        self.diagnostics.push(diagnostic);
    }
}

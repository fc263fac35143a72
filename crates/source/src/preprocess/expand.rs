//! Macro expansion after Dave Prosser's algorithm (the one that the C standard's wording was made
//! from): every token carries the set of macros that it may not expand any more.

use std::rc::Rc;

use crate::diagnostic::Diagnostics;
use crate::map::SourceMap;
use crate::span::Span;

use super::Preprocessor;
use crate::token::{Token, TokenKind};

/// The macros that a token may not expand any more.
type Hidden = Rc<Vec<Rc<str>>>;

impl Preprocessor<'_, '_> {
    /// Expands all macros in `tokens`.
    pub(super) fn expand(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        let none: Hidden = Rc::default();
        self.expand_hidden(
            tokens.into_iter().map(|t| (t, Rc::clone(&none))).collect(),
            0,
        )
        .into_iter()
        .map(|(token, _)| token)
        .collect()
    }

    fn expand_hidden(
        &mut self,
        mut input: Vec<(Token, Hidden)>,
        depth: usize,
    ) -> Vec<(Token, Hidden)> {
        input.reverse();
        let mut output = Vec::new();
        while let Some((token, hidden)) = input.pop() {
            crate::limits::check();
            if token.kind != TokenKind::Name || hidden.contains(&token.text) {
                output.push((token, hidden));
                continue;
            }
            let Some(found) = self.macros.get(&token.text).cloned() else {
                output.push((self.where_it_is(token), hidden));
                continue;
            };
            let body = match &found.parameters {
                None => {
                    let hidden = with(&hidden, &token.text);
                    self.substitute(&found.body, &[], &[], &hidden, token.span, depth)
                }
                Some(parameters) => {
                    if !input.last().is_some_and(|(next, _)| next.is("(")) {
                        output.push((token, hidden));
                        continue;
                    }
                    input.pop();
                    let Some((mut arguments, close)) = arguments(&mut input) else {
                        let message = format!("`{}(` is not closed", token.text);
                        self.error(self.dialect.macros, token.span, message);
                        return output;
                    };
                    if parameters.is_empty() && arguments.len() == 1 && arguments[0].is_empty() {
                        arguments.clear();
                    }
                    if parameters.len() != arguments.len() {
                        let message = format!(
                            "macro `{}` takes {} arguments, not {}",
                            token.text,
                            parameters.len(),
                            arguments.len()
                        );
                        self.error(self.dialect.macros, token.span, message);
                        continue;
                    }
                    let both: Vec<Rc<str>> = hidden
                        .iter()
                        .filter(|name| close.contains(name))
                        .cloned()
                        .collect();
                    let hidden = with(&Rc::new(both), &token.text);
                    self.substitute(
                        &found.body,
                        parameters,
                        &arguments,
                        &hidden,
                        token.span,
                        depth,
                    )
                }
            };
            if !self.burn(body.len(), token.span) {
                return output;
            }
            let some = !body.is_empty();
            input.extend(body.into_iter().rev());
            if let Some((next, _)) = input.last_mut() {
                next.spaced |= token.spaced;
                next.first_on_line |= some && token.first_on_line;
            }
        }
        output
    }

    /// What stands for the name of a file or for the number of a line: `__FILE__` and `__LINE__`, and the
    /// name of the file without its folder, as viewers of Second Life have it.
    fn where_it_is(&self, mut token: Token) -> Token {
        let file = self.sources.file(token.span.file);
        let short = || file.name().rsplit(['/', '\\']).next().unwrap_or_default();
        let (kind, text) = match &*token.text {
            "__LINE__" => (TokenKind::Number, file.line(token.span.start).to_string()),
            "__FILE__" => (TokenKind::Text, format!("{:?}", file.name())),
            "__SHORTFILE__" => (TokenKind::Text, format!("{:?}", short())),
            _ => return token,
        };
        (token.kind, token.text) = (kind, text.into());
        token
    }

    /// Whether so many more tokens may be produced; that they may not is reported once.
    fn burn(&mut self, tokens: usize, span: Span) -> bool {
        let Some(fuel) = self.fuel else {
            return false;
        };
        self.fuel = fuel.checked_sub(tokens);
        if self.fuel.is_none() {
            self.error(self.dialect.macros, span, "macros expand to too much text");
        }
        self.fuel.is_some()
    }

    /// A macro's body with its arguments in place, all of it at `span`.
    fn substitute(
        &mut self,
        body: &[Token],
        parameters: &[Rc<str>],
        arguments: &[Vec<(Token, Hidden)>],
        hidden: &Hidden,
        span: Span,
        depth: usize,
    ) -> Vec<(Token, Hidden)> {
        let argument = |token: &Token| {
            let at = parameters.iter().position(|p| *p == token.text)?;
            (token.kind == TokenKind::Name).then(|| &arguments[at])
        };
        let mut result: Vec<(Token, Hidden)> = Vec::new();
        let mut at = 0;
        while at < body.len() {
            let token = &body[at];
            let next = body.get(at + 1);
            if token.is("#")
                && let Some(given) = next.and_then(argument)
            {
                let mut quoted = token.clone();
                quoted.kind = TokenKind::Text;
                quoted.text = quote(given).into();
                quoted.span = span;
                result.push((quoted, Rc::clone(hidden)));
                at += 2;
                continue;
            }
            if token.is("##")
                && let Some(next) = next
            {
                let right = match argument(next) {
                    Some(given) => given.clone(),
                    None => vec![(at_span(next, span), Rc::clone(hidden))],
                };
                self.paste(&mut result, right, span);
                at += 2;
                continue;
            }
            match argument(token) {
                // Operands of `##` are not expanded by themselves.
                Some(given) if next.is_some_and(|t| t.is("##")) => {
                    result.extend(given.iter().cloned());
                }
                Some(given) if depth < 200 => {
                    let given = self.expand_hidden(given.clone(), depth + 1);
                    if self.burn(given.len(), span) {
                        result.extend(given);
                    }
                }
                Some(_) => {
                    self.error(
                        self.dialect.macros,
                        span,
                        "macro arguments are nested too deeply",
                    );
                }
                None => result.push((at_span(token, span), Rc::clone(hidden))),
            }
            at += 1;
        }
        for (token, old) in &mut result {
            token.first_on_line = false;
            if !hidden.iter().all(|name| old.contains(name)) {
                let mut all = (**old).clone();
                for name in hidden.iter() {
                    if !all.contains(name) {
                        all.push(Rc::clone(name));
                    }
                }
                *old = Rc::new(all);
            }
        }
        result
    }

    /// Glues the first token of `right` to the last of `left`: `a ## b`.
    fn paste(&self, left: &mut Vec<(Token, Hidden)>, right: Vec<(Token, Hidden)>, span: Span) {
        let mut right = right.into_iter();
        let (Some((last, hidden)), Some((first, _))) = (left.pop(), right.next()) else {
            left.extend(right);
            return;
        };
        let text = format!("{}{}", last.text, first.text);
        for token in self.relex(&text, span) {
            left.push((token, Rc::clone(&hidden)));
        }
        left.extend(right);
    }

    /// The tokens of a few characters that were glued together, all at `span`.
    fn relex(&self, text: &str, span: Span) -> Vec<Token> {
        let mut sources = SourceMap::new();
        let file = sources.add("pasted", text);
        let mut tokens = (self.dialect.lex)(sources.file(file), &mut Diagnostics::new());
        tokens.pop();
        for token in &mut tokens {
            token.span = span;
            token.first_on_line = false;
        }
        tokens
    }
}

fn with(hidden: &Hidden, name: &Rc<str>) -> Hidden {
    let mut all = (**hidden).clone();
    all.push(Rc::clone(name));
    Rc::new(all)
}

fn at_span(token: &Token, span: Span) -> Token {
    Token {
        span,
        ..token.clone()
    }
}

/// Arguments and what stands hidden at their `)`.
type Arguments = (Vec<Vec<(Token, Hidden)>>, Hidden);

/// Takes arguments up to the `)` from the end of the reversed input.
fn arguments(input: &mut Vec<(Token, Hidden)>) -> Option<Arguments> {
    let mut arguments = vec![Vec::new()];
    let mut depth = 0usize;
    while let Some((token, hidden)) = input.pop() {
        if token.is(")") && depth == 0 {
            return Some((arguments, hidden));
        }
        if token.is(",") && depth == 0 {
            arguments.push(Vec::new());
            continue;
        }
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            depth -= 1;
        }
        arguments
            .last_mut()
            .expect("there is always a last argument")
            .push((token, hidden));
    }
    None
}

/// The argument as text: `#x`.
fn quote(argument: &[(Token, Hidden)]) -> String {
    let mut text = String::from("\"");
    for (index, (token, _)) in argument.iter().enumerate() {
        if index > 0 && token.spaced {
            text.push(' ');
        }
        for c in token.text.chars() {
            if token.kind == TokenKind::Text && (c == '"' || c == '\\') {
                text.push('\\');
            }
            text.push(c);
        }
    }
    text.push('"');
    text
}

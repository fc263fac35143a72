//! `switch`, which viewers rewrite into conditions and jumps.
//!
//! `switch (e) { case a: ... break; default: ... }` becomes
//! `{ if ((e) == (a)) jump first; jump other; @first; ... jump end; @other; ... @end; }`.
//! As with the viewer, the expression is evaluated for each case, until one is equal.

use std::collections::HashSet;
use std::rc::Rc;

use source::{Token, TokenKind};

use super::put;

/// Whether a `switch` begins somewhere. A function of that name may do so only where `case` follows.
pub(super) fn is_there(tokens: &[Token]) -> bool {
    (0..tokens.len()).any(|at| parts(tokens, at).is_some())
}

/// The tokens with conditions and jumps in place of each `switch`.
pub(super) fn rewritten(tokens: Vec<Token>) -> Vec<Token> {
    if !is_there(&tokens) {
        return tokens;
    }
    let names = tokens.iter().filter(|token| token.kind == TokenKind::Name);
    let mut writer = Writer {
        taken: names.map(|token| Rc::clone(&token.text)).collect(),
        count: 0,
    };
    writer.rewritten(&tokens)
}

/// The expression and the body of a `switch` at a place, and the place behind it.
fn parts(tokens: &[Token], at: usize) -> Option<(&[Token], &[Token], usize)> {
    if !tokens[at].is_word("switch") || !tokens.get(at + 1)?.is("(") {
        return None;
    }
    let close = closing(tokens, at + 1)?;
    // Some write a colon there.
    let open = close + 1 + usize::from(tokens.get(close + 1)?.is(":"));
    if !tokens.get(open)?.is("{") {
        return None;
    }
    let first = tokens.get(open + 1)?;
    let is_default = first.is_word("default") && tokens.get(open + 2)?.is(":");
    if !first.is_word("case") && !is_default {
        return None;
    }
    let end = closing(tokens, open)?;
    Some((&tokens[at + 2..close], &tokens[open + 1..end], end + 1))
}

/// The index of the token that closes the bracket at index `at`.
pub(super) fn closing(tokens: &[Token], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (place, token) in tokens.iter().enumerate().skip(at) {
        if token.is("(") || token.is("{") || token.is("[") {
            depth += 1;
        } else if token.is(")") || token.is("}") || token.is("]") {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(place);
            }
        }
    }
    None
}

struct Writer {
    /// Names that the script uses.
    taken: HashSet<Rc<str>>,
    /// How many labels have been made.
    count: usize,
}

impl Writer {
    fn rewritten(&mut self, tokens: &[Token]) -> Vec<Token> {
        let mut written = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while at < tokens.len() {
            match parts(tokens, at) {
                Some((value, body, behind)) => {
                    self.switch(&tokens[at], value, body, &mut written);
                    at = behind;
                }
                None => {
                    written.push(tokens[at].clone());
                    at += 1;
                }
            }
        }
        written
    }

    fn switch(&mut self, word: &Token, value: &[Token], body: &[Token], written: &mut Vec<Token>) {
        let end = self.label("end");
        let mut other = Rc::clone(&end);
        // An inner `switch` has its own `break`s.
        let body = self.rewritten(body);
        let (mut tests, mut rest) = (Vec::new(), Vec::new());
        let (mut depth, mut at) = (0i64, 0);
        while at < body.len() {
            let token = &body[at];
            depth += i64::from(token.is("{")) - i64::from(token.is("}"));
            let colon = case(&body, at).filter(|_| depth == 0);
            if let Some(colon) = colon {
                let label = self.label("case");
                put(&mut rest, token.span, &["@", &label, ";"]);
                if token.is_word("default") {
                    other = label;
                } else {
                    put(&mut tests, token.span, &["if", "(", "("]);
                    tests.extend_from_slice(value);
                    put(&mut tests, token.span, &[")", "==", "("]);
                    tests.extend_from_slice(&body[at + 1..colon]);
                    put(&mut tests, token.span, &[")", ")", "jump", &label, ";"]);
                }
                at = colon + 1;
                continue;
            }
            if token.is_word("break") && body.get(at + 1).is_some_and(|next| next.is(";")) {
                put(&mut rest, token.span, &["jump", &end]);
            } else {
                rest.push(token.clone());
            }
            at += 1;
        }
        put(written, word.span, &["{"]);
        written.extend(tests);
        put(written, word.span, &["jump", &other, ";"]);
        written.extend(rest);
        put(written, word.span, &["@", &end, ";", "}"]);
    }

    /// A name for a label that the script does not use.
    fn label(&mut self, what: &str) -> Rc<str> {
        loop {
            self.count += 1;
            let name: Rc<str> = format!("switch_{what}_{}", self.count).into();
            if self.taken.insert(Rc::clone(&name)) {
                return name;
            }
        }
    }
}

/// The index of the colon that ends the label of the case at index `at`.
fn case(body: &[Token], at: usize) -> Option<usize> {
    if body[at].is_word("default") {
        return body.get(at + 1)?.is(":").then_some(at + 1);
    }
    if !body[at].is_word("case") {
        return None;
    }
    let mut depth = 0i64;
    for (place, token) in body.iter().enumerate().skip(at + 1) {
        if token.is("(") || token.is("[") {
            depth += 1;
        } else if token.is(")") || token.is("]") {
            depth -= 1;
        } else if token.is(":") && depth == 0 {
            return Some(place);
        } else if token.is(";") || token.is("{") || token.is("}") {
            return None;
        }
    }
    None
}

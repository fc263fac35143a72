//! Embedded C: `c_code`, `c_expr`, `c_decl`, `c_state`, `c_track`.
//!
//! C code can change the state in ways that nothing here knows, so it is refused. On request
//! (`--ignore-c`), code that cannot change anything is passed over: calls that only print, code of
//! process types that are never started, and the declarations that go with them.

use source::{Diagnostic, Span};

use super::stream::Parser;
use crate::codes::{lints, rules};
use crate::token::{Token, TokenKind};

/// Functions of C that only print.
const PRINTING: &[&str] = &[
    "printf", "Printf", "fprintf", "puts", "putchar", "fputs", "fflush", "perror",
];
/// Signs that change something.
const CHANGING: &[&str] = &["=", "++", "--"];

impl Parser<'_> {
    /// Reads a piece of embedded C, and reports it.
    pub(super) fn embedded_c(&mut self) {
        let word = self.next();
        while self.peek(0).kind == TokenKind::Text {
            self.next();
        }
        if self.accept("[") {
            while !self.at_end() && !self.accept("]") {
                self.next();
            }
        }
        let mut code = Vec::new();
        if self.at("{") {
            let mut depth = 0usize;
            while !self.at_end() {
                let token = self.next();
                depth += usize::from(token.is("{"));
                depth -= usize::from(token.is("}"));
                code.push(token);
                if depth == 0 {
                    break;
                }
            }
        }
        let harmless = match &*word.text {
            // A condition decides what happens, whatever it does.
            "c_expr" => self.in_dead_process,
            "c_code" => self.in_dead_process || only_prints(&code),
            _ => true,
        };
        self.judge(&word.text, word.span, harmless);
    }

    fn judge(&mut self, word: &str, span: Span, harmless: bool) {
        let diagnostic = if !self.ignore_c {
            let message = format!("`{word}` embeds C code, which is not supported");
            let diagnostic = Diagnostic::error(rules::EMBEDDED_C, message);
            if harmless {
                diagnostic.help("it seems to have no effect here: --ignore-c passes it over")
            } else {
                diagnostic
            }
        } else if harmless {
            let message = format!("`{word}` is passed over, as asked for");
            Diagnostic::warning(lints::IGNORED_C, message)
        } else {
            let message = format!("`{word}` has an effect, so that it cannot be passed over");
            Diagnostic::error(rules::EMBEDDED_C, message)
                .help("--ignore-c is for code that only prints, or never runs")
        };
        self.diagnostics.push(diagnostic.at(span));
    }
}

/// Whether C code does nothing but call functions that print, on arguments without effect.
fn only_prints(code: &[Token]) -> bool {
    let mut previous: Option<&Token> = None;
    for (at, token) in code.iter().enumerate() {
        let called = code.get(at + 1).is_some_and(|next| next.is("("));
        let prints = PRINTING.iter().any(|name| token.is_word(name));
        if token.kind == TokenKind::Name && called && !prints {
            return false;
        }
        if CHANGING.iter().any(|sign| token.is(sign)) {
            // `==` and the like are tokens of their own; `+=` is two.
            return false;
        }
        let begins = previous.is_none_or(|p| p.is("{") || p.is("}") || p.is(";"));
        let allowed = token.is("{") || token.is("}") || token.is(";");
        if begins && !(allowed || prints && called) {
            return false;
        }
        previous = Some(token);
    }
    true
}

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

#[cfg(test)]
mod tests {
    use crate::{Options, load};

    fn found(text: &str, ignore_c: bool) -> (Vec<&'static str>, bool) {
        let options = Options {
            ignore_c,
            ..Options::default()
        };
        let loaded = load("t.pml", text, &options);
        let codes = loaded.diagnostics.iter().map(|d| d.code).collect();
        (codes, loaded.program.is_some())
    }

    #[test]
    fn c_is_refused_by_its_name() {
        for (word, text) in [
            ("c_code", "init { c_code { now.x = 1; } }"),
            ("c_expr", "init { c_expr { now.x == '}' } }"),
            ("c_decl", "c_decl { #include <x.h> } init { skip }"),
            (
                "c_state",
                "c_state \"int x\" \"Global\" \"0\" init { skip }",
            ),
            ("c_track", "c_track \"&x\" \"sizeof(int)\" init { skip }"),
            ("c_code", "c_code [x > 0] { y } init { skip }"),
        ] {
            let loaded = load("t.pml", text, &Options::default());
            let first = &loaded.diagnostics[0];
            assert_eq!(first.code, "PML0301", "{text}: {:?}", loaded.diagnostics);
            assert!(first.message.contains(&format!("`{word}`")), "{text}");
            assert!(loaded.program.is_none());
        }
    }

    #[test]
    fn c_without_effect_is_passed_over_on_request() {
        for text in [
            "init { c_code { printf(\"%d = x\\n\", now.x); fflush(stdout); } }",
            "c_decl { int x; } init { c_code { } }",
            "proctype Never() { c_code { now.x++; } } init { skip }",
        ] {
            assert_eq!(
                found(text, false),
                (vec!["PML0301"; found(text, false).0.len()], false)
            );
            let (codes, read) = found(text, true);
            assert!(read, "{text}: {codes:?}");
            assert!(codes.contains(&"PML0407"), "{text}");
        }
        for text in [
            "init { c_code { now.x = 1; } }",
            "init { c_code { printf(\"%d\", now.x++); } }",
            "init { c_code { printf(\"%d\", bump()); } }",
            "init { c_code { x; printf(\"\"); } }",
            "init { c_expr { 1 } }",
            "proctype Used() { c_code { now.x++; } } init { run Used() }",
        ] {
            assert_eq!(found(text, true), (vec!["PML0301"], false), "{text}");
        }
    }
}

//! The preprocessor: C's, as far as models use it.
//!
//! Directives are taken in order; the text between two definitions is expanded with the macros
//! known there (Prosser's algorithm, in `expand`). Every token keeps a span into the user's file:
//! its own, or that of the macro's name where the macro is used.

mod condition;
mod directive;
mod expand;

use std::collections::HashMap;
use std::rc::Rc;

use source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

use crate::codes::syntax as code;
use crate::lexer;
use crate::token::{Token, TokenKind};

/// Gives the text of a file that is included by this name.
pub type Include<'a> = &'a dyn Fn(&str) -> Option<String>;

/// How deep files may include each other.
const MAX_INCLUDES: usize = 40;

/// A macro.
#[derive(Clone, PartialEq, Debug)]
struct Macro {
    /// Parameters, where it takes arguments.
    parameters: Option<Vec<Rc<str>>>,
    /// What it stands for.
    body: Vec<Token>,
}

struct Preprocessor<'a, 'd> {
    sources: &'d mut SourceMap,
    diagnostics: &'d mut Diagnostics,
    include: Include<'a>,
    macros: HashMap<Rc<str>, Macro>,
    /// Read, but not yet expanded.
    pending: Vec<Token>,
    done: Vec<Token>,
    /// Tokens that expansion may still produce; `None` once there were too many.
    fuel: Option<usize>,
}

/// Reads a file and all that it includes; the last token is [`TokenKind::End`].
///
/// Each of `formulas` becomes an `ltl` block behind it, in which the file's macros are known.
pub fn preprocess(
    file: FileId,
    formulas: &[FileId],
    defines: &[(String, String)],
    include: Include<'_>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    let mut preprocessor = Preprocessor {
        sources,
        diagnostics,
        include,
        macros: HashMap::new(),
        pending: Vec::new(),
        done: Vec::new(),
        fuel: Some(1_000_000),
    };
    for (name, value) in defines {
        let text = preprocessor
            .sources
            .add(format!("-D{name}"), value.as_str());
        let mut body = preprocessor.lex(text);
        body.pop();
        let parameters = None;
        preprocessor
            .macros
            .insert(name.as_str().into(), Macro { parameters, body });
    }
    preprocessor.file(file, 0);
    preprocessor.flush();
    for &formula in formulas {
        preprocessor.formula(formula);
    }
    let end = preprocessor.sources.file(file).span().end_point();
    let mut tokens = preprocessor.done;
    tokens.push(Token {
        kind: TokenKind::End,
        text: "".into(),
        span: end,
        spaced: true,
        first_on_line: true,
        expansion: None,
    });
    tokens
}

impl Preprocessor<'_, '_> {
    fn lex(&mut self, file: FileId) -> Vec<Token> {
        lexer::lex(self.sources.file(file), self.diagnostics)
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error(code, message).at(span));
    }

    fn formula(&mut self, file: FileId) {
        let whole = self.sources.file(file).span();
        let word = |kind, text: &str, span: Span| Token {
            kind,
            text: text.into(),
            span,
            spaced: true,
            first_on_line: kind == TokenKind::Name,
            expansion: None,
        };
        let mut tokens = self.lex(file);
        tokens.pop();
        if let Some(brace) = tokens.iter().find(|t| t.is("{") || t.is("}")) {
            let span = brace.span;
            self.error(code::UNEXPECTED, span, "a formula has no braces");
            return;
        }
        self.done
            .push(word(TokenKind::Name, "ltl", whole.start_point()));
        self.done
            .push(word(TokenKind::Punct, "{", whole.start_point()));
        self.pending = tokens;
        self.flush();
        self.done
            .push(word(TokenKind::Punct, "}", whole.end_point()));
    }

    /// Expands what has been read so far with the macros of this moment.
    fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let expanded = self.expand(pending);
        self.done.extend(expanded);
    }

    fn file(&mut self, file: FileId, depth: usize) {
        let mut tokens = self.lex(file);
        tokens.pop();
        let mut conditionals: Vec<directive::Conditional> = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let length = tokens[at + 1..]
                .iter()
                .position(|token| token.first_on_line)
                .map_or(tokens.len() - at, |length| length + 1);
            let line = &tokens[at..at + length];
            at += length;
            if line[0].is("#") {
                self.directive(line, &mut conditionals, depth);
            } else if conditionals.iter().all(|c| c.active) {
                self.pending.extend_from_slice(line);
            }
        }
        if let Some(open) = conditionals.last() {
            let span = open.span;
            self.error(code::DIRECTIVE, span, "`#if` without `#endif`");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, defines: &[(&str, &str)]) -> (String, Vec<String>) {
        let mut sources = SourceMap::new();
        let file = sources.add("t.pml", text);
        let mut diagnostics = Diagnostics::new();
        let defines: Vec<(String, String)> = defines
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect();
        let include = |name: &str| match name {
            "one.h" => Some("#define ONE 1\nbyte one;\n".to_owned()),
            "self.h" => Some("#include \"self.h\"\n".to_owned()),
            _ => None,
        };
        let tokens = preprocess(
            file,
            &[],
            &defines,
            &include,
            &mut sources,
            &mut diagnostics,
        );
        let words: Vec<&str> = tokens.iter().map(|t| &*t.text).collect();
        (
            words.join(" ").trim_end().to_owned(),
            diagnostics.iter().map(|d| d.message.clone()).collect(),
        )
    }

    #[test]
    fn macros_expand_with_arguments_and_not_within_themselves() {
        let text = "#define max(a, b) ((a) > (b) -> a : b)\n#define N 3\nx = max(N, f(y, z));\n\
                    #define f f + g\nf; max\n#define e()\ne() #define";
        let (words, errors) = run(text, &[]);
        assert_eq!(
            words,
            "x = ( ( 3 ) > ( f ( y , z ) ) -> 3 : f ( y , z ) ) ; f + g ; max # define"
        );
        assert_eq!(errors, Vec::<String>::new());
    }

    #[test]
    fn pasting_and_quoting() {
        let text = "#define both(a, b) a ## b\n#define show(a) printf(#a)\nboth(x, 1) both(<, <) show(x > \"y\")";
        let (words, _) = run(text, &[]);
        assert_eq!(words, "x1 << printf ( \"x > \\\"y\\\"\" )");
    }

    #[test]
    fn conditions_choose_text() {
        let text = "#ifndef N\n#define N 2\n#endif\n#if N > 1 && defined(N) && !defined M\na\n\
                    #elif 1\nb\n#else\nc\n#endif\n#if 0\n#if 1\nd\n#endif\n#else\ne\n#endif";
        assert_eq!(run(text, &[]), ("a e".to_owned(), vec![]));
        assert_eq!(run(text, &[("N", "0")]), ("b e".to_owned(), vec![]));
        assert_eq!(run(text, &[("M", "")]), ("b e".to_owned(), vec![]));
    }

    #[test]
    fn files_are_included_but_not_for_ever() {
        let (words, errors) = run("#include \"one.h\"\nx = ONE\n#include \"self.h\"\n", &[]);
        assert_eq!(words, "byte one ; x = 1");
        assert_eq!(errors.len(), 1);
        assert_eq!(run("#include \"none.h\"", &[]).1.len(), 1);
    }

    #[test]
    fn bad_directives_are_reported() {
        for text in [
            "#if\n#endif",
            "#if 1 +\n#endif",
            "#if 1 / 0\n#endif",
            "#endif",
            "#else",
            "#if 1",
            "#define",
            "#define f(a",
            "#bogus",
            "#error no",
            "#define f(a) a\nf(1, 2)",
            "#define f(a) a\nf(1",
        ] {
            assert_eq!(run(text, &[]).1.len(), 1, "{text}");
        }
    }

    #[test]
    fn explosive_macros_are_stopped() {
        let mut text = String::from("#define a0 x x x x x x x x x x\n");
        for n in 1..12 {
            let before = format!("a{} ", n - 1);
            text += &format!("#define a{n} {}\n", before.repeat(10));
        }
        text += "a11";
        let (_, errors) = run(&text, &[]);
        assert_eq!(errors.len(), 1, "{errors:?}");
    }

    #[test]
    fn expanded_tokens_are_where_the_macro_is_used() {
        let mut sources = SourceMap::new();
        let file = sources.add("t.pml", "#define N 3\nx = N;");
        let tokens = preprocess(
            file,
            &[],
            &[],
            &|_| None,
            &mut sources,
            &mut Diagnostics::new(),
        );
        let three = tokens.iter().find(|t| &*t.text == "3").unwrap();
        assert_eq!(sources.location(three.span).unwrap(), "t.pml:2:5");
    }
}

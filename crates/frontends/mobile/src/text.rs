//! From files to a syntax tree: the house's preprocessor, then the parser of `lang-c`.
//!
//! The parser reads one text without directives. It is made of the preprocessor's tokens, and what
//! the parser finds at a place in it is told at the token that stands there. The headers of the
//! library are the project's own (`include/`), so that nothing depends on what is installed.

use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use source::{
    Diagnostic, Diagnostics, Dialect, FileId, Include, Preprocessor, SourceMap, Span, Token,
    TokenKind,
};

use crate::codes::syntax as code;
use crate::lexer;

const C: Dialect = Dialect {
    lex: lexer::lex,
    directive: code::DIRECTIVE,
    include: code::INCLUDE,
    macros: code::MACRO,
};

/// How deep brackets may nest: the parser and the lowering call themselves for each level.
const MAX_NESTING: usize = 60;
/// How many operators may follow each other without anything between.
const MAX_OPERATORS: usize = 60;
/// How many statements may be inside of each other without braces.
const MAX_STATEMENTS: usize = 400;
/// What statements, and expressions without brackets, begin with that hold others.
const NESTING: &[&str] = &[
    "if", "else", "for", "while", "do", "switch", "case", "default", "sizeof",
];

/// Stands for the condition itself between `?` and `:`.
pub(crate) const SAME: &str = "__probity_same";

/// Where the text of the parser comes from.
pub(crate) struct Origins {
    /// For each token its place in the parser's text and in the user's.
    tokens: Vec<(usize, Span)>,
}

impl Origins {
    /// The place of a part of the parser's text.
    pub(crate) fn span(&self, part: lang_c::span::Span) -> Span {
        let first = self.at(part.start);
        let last = self.at(part.end.saturating_sub(1).max(part.start));
        match first.file == last.file && first.start <= last.end {
            true => first.to(last),
            false => first,
        }
    }

    fn at(&self, offset: usize) -> Span {
        let behind = self.tokens.partition_point(|(start, _)| *start <= offset);
        self.tokens
            .get(behind.saturating_sub(1))
            .map_or(Span::NONE, |(_, span)| *span)
    }
}

/// Reads a file and all that it includes.
pub(crate) fn parse(
    file: FileId,
    defines: &[(String, String)],
    include: Include<'_>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<(TranslationUnit, Origins)> {
    let known = |name: &str| {
        let header = crate::headers::HEADERS
            .iter()
            .find(|(header, _)| *header == name);
        match header {
            Some((_, text)) => Some((*text).to_owned()),
            None => include(name),
        }
    };
    let mut preprocessor = Preprocessor::new(C, &known, sources, diagnostics);
    preprocessor.define_macro("__PROBITY__", "1");
    for (name, value) in defines {
        preprocessor.define_macro(name, value);
    }
    preprocessor.read(file);
    let tokens = preprocessor.finish(file);
    if diagnostics.has_errors() || !is_shallow(&tokens, diagnostics) {
        return None;
    }
    let (text, origins) = flat(&tokens);
    let config = Config {
        cpp_command: String::new(),
        cpp_options: Vec::new(),
        flavor: Flavor::GnuC11,
    };
    match parse_preprocessed(&config, text) {
        Ok(parsed) => Some((parsed.unit, origins)),
        Err(error) => {
            let span = origins.at(error.offset);
            let what = sources.snippet(span).to_owned();
            let message = match what.is_empty() {
                true => "the text ends too early".to_owned(),
                false => format!("`{what}` cannot stand here"),
            };
            let help = "the text is read as C11 with the common extensions of GNU C";
            diagnostics.push(
                Diagnostic::error(code::UNEXPECTED, message)
                    .at(span)
                    .help(help),
            );
            None
        }
    }
}

/// Whether nothing nests deeper than is followed.
fn is_shallow(tokens: &[Token], diagnostics: &mut Diagnostics) -> bool {
    let (mut depth, mut operators, mut statements) = (0usize, 0, 0);
    for (at, token) in tokens.iter().enumerate() {
        source::limits::check();
        let is_one_of = |all: &[&str]| all.iter().any(|text| token.is(text));
        let ends = is_one_of(&[")", "]", "}"]);
        operators = match token.kind == TokenKind::Punct && !ends && !is_one_of(&[";", "{", ","]) {
            true => operators + 1,
            false => 0,
        };
        // Statements nest without brackets: `if (a) while (b) ...`, `else if`.
        let goes_on = tokens.get(at + 1).is_some_and(|next| next.is_word("else"));
        if NESTING.iter().any(|word| token.is_word(word)) {
            statements += 1;
        } else if is_one_of(&[";", "}"]) && !goes_on {
            statements = 0;
        }
        if is_one_of(&["(", "[", "{"]) {
            depth += 1;
        } else if ends {
            depth = depth.saturating_sub(1);
        }
        if depth > MAX_NESTING || operators > MAX_OPERATORS || statements > MAX_STATEMENTS {
            let message = "the text nests deeper than is followed";
            diagnostics.push(Diagnostic::error(code::NESTING, message).at(token.span));
            return false;
        }
    }
    true
}

/// The tokens as one text, and where each of them comes from.
fn flat(tokens: &[Token]) -> (String, Origins) {
    let mut text = String::new();
    let mut origins = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        origins.push((text.len(), token.span));
        text.push_str(&token.text);
        // The parser takes the brackets of attributes in pairs.
        let next = tokens.get(at + 1);
        let doubled = ["(", ")"]
            .iter()
            .any(|bracket| token.is(bracket) && next.is_some_and(|next| next.is(bracket)));
        if !doubled {
            text.push(' ');
        }
        // `a ?: b`: the parser knows conditions with both branches only.
        if token.is("?") && tokens.get(at + 1).is_some_and(|next| next.is(":")) {
            text.push_str(SAME);
            text.push(' ');
        }
    }
    (text, Origins { tokens: origins })
}

//! Text that looks like a directive and is none: `// @property`, `/*@ property ... */`, a directive
//! in a comment, in a string, or behind another one's comment.
//!
//! Such text is ignored, and with it what somebody believes to be verified. A directive is
//! recognised by its first words, so that prose about a property is left in peace.

use std::ops::Range;

use source::{Diagnostic, Diagnostics, SourceFile, Span};

use super::directives::DIRECTIVES;
use crate::check::suggest as closest;
use crate::codes::property as code;
use crate::lexer::{self, Lexed};
use crate::token::TokenKind;

/// The first words of assumptions.
const ASSUMED: [&str; 8] = [
    "owner",
    "timer",
    "queue",
    "no",
    "inventory",
    "payments",
    "always",
    "when",
];

/// Warns of every text in a script that looks like a directive and is not read as one.
pub(crate) fn look(source: &SourceFile) -> Diagnostics {
    let lexed = lexer::lex(source);
    let mut diagnostics = Diagnostics::new();
    for comment in &lexed.comments {
        let text = &source.text()[comment.range()];
        match text.strip_prefix("/*") {
            None => in_line_comment(*comment, text, &mut diagnostics),
            Some(_) => in_block_comment(*comment, text, &mut diagnostics),
        }
    }
    elsewhere(source, &lexed, &mut diagnostics);
    diagnostics
}

/// A directive that is not read: where its text begins, and where its word does.
struct Miss {
    begin: usize,
    word: Range<usize>,
    directive: &'static str,
}

impl Miss {
    fn warning(&self, whole: Span, place: &str) -> Diagnostic {
        let directive = self.directive;
        Diagnostic::warning(
            code::NEAR_MISS,
            format!("this `{directive}` is not read: it stands in {place}"),
        )
        .at(part(whole, self.begin..self.word.end))
        .help("a directive stands behind `//@`: `//@ property NAME: CLAIM;`")
    }
}

fn part(whole: Span, range: Range<usize>) -> Span {
    let offset = |at: usize| whole.start + u32::try_from(at).unwrap_or(0);
    Span::new(whole.file, offset(range.start), offset(range.end))
}

fn in_line_comment(comment: Span, text: &str, diagnostics: &mut Diagnostics) {
    let Some(miss) = find(text) else { return };
    let prefix = part(comment, miss.begin..miss.word.end);
    let mended = format!("//@ {}", miss.directive);
    let warning = miss.warning(comment, "an ordinary comment").fix_it(
        prefix,
        mended.clone(),
        format!("write `{mended}`"),
    );
    diagnostics.push(warning);
}

fn in_block_comment(comment: Span, text: &str, diagnostics: &mut Diagnostics) {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(miss) = find(line) {
            let found = Miss {
                begin: at + miss.begin,
                word: at + miss.word.start..at + miss.word.end,
                ..miss
            };
            let mut warning = found.warning(comment, "a comment between `/*` and `*/`");
            if line == text {
                let rest = text[miss.word.end..].trim_end_matches("*/").trim_end();
                let mended = format!("//@ {}{rest}", miss.directive);
                let whole = part(comment, 0..text.len());
                warning = warning.fix_it(whole, mended.clone(), format!("write `{mended}`"));
            }
            diagnostics.push(warning);
        }
        at += line.len();
    }
}

/// In strings, and behind another directive on its line.
fn elsewhere(source: &SourceFile, lexed: &Lexed, diagnostics: &mut Diagnostics) {
    let strings = lexed.tokens.iter().filter_map(|token| {
        let span = Span::new(source.id(), token.start, token.end);
        (token.kind == TokenKind::String).then_some((span, "a string"))
    });
    let lines = lexed
        .annotations
        .iter()
        .map(|line| (line.text, "the comment of the directive before it"));
    for (span, place) in strings.chain(lines) {
        let text = &source.text()[span.range()];
        let mut from = 0;
        while let Some(found) = text[from..].find("//@") {
            let begin = from + found;
            if let Some(miss) = marked(text, begin, begin + 3) {
                diagnostics.push(
                    miss.warning(span, place)
                        .help("put it on a line of its own"),
                );
            }
            from = begin + 3;
        }
    }
}

/// A directive in one line of a comment.
fn find(line: &str) -> Option<Miss> {
    let decoration = |c: char| c.is_whitespace() || "/*!-#".contains(c);
    let begin = line.len() - line.trim_start().len();
    let content = line.len() - line.trim_start_matches(decoration).len();
    if let Some(rest) = line[content..].strip_prefix('@') {
        return marked(line, begin, line.len() - rest.len());
    }
    if let Some(inner) = line.find("//@") {
        return marked(line, inner, inner + 3);
    }
    // Without any mark it has to be a whole directive, to the letter.
    let miss = marked(line, begin, content)?;
    let exact = line[miss.word.clone()] == *miss.directive;
    let ends = line.trim_end().trim_end_matches("*/").trim_end();
    (exact && miss.directive == "property" && ends.ends_with(';')).then_some(miss)
}

/// What stands at `from`, behind a mark that begins at `begin`, if it looks like a directive.
fn marked(text: &str, begin: usize, from: usize) -> Option<Miss> {
    let behind = &text[from..];
    let start = from + behind.len() - behind.trim_start().len();
    let word = &text[start..];
    let length = word
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(word.len());
    let (word, rest) = word.split_at(length);
    let known = DIRECTIVES.into_iter().find(|known| *known == word);
    let directive = known.or_else(|| closest(word, DIRECTIVES))?;
    goes_on_like(directive, rest).then_some(Miss {
        begin,
        word: start..start + length,
        directive,
    })
}

/// Whether the words behind a directive's first are such as can stand there.
fn goes_on_like(directive: &str, rest: &str) -> bool {
    if !rest.starts_with(char::is_whitespace) {
        return false;
    }
    let rest = rest.trim_start();
    let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.' || c == '-';
    let length = rest.find(|c: char| !in_name(c)).unwrap_or(rest.len());
    let (name, behind) = rest.split_at(length);
    let behind = behind.trim_start();
    match directive {
        "property" => !name.is_empty() && behind.starts_with(':'),
        "ghost" => matches!(name, "integer" | "key" | "string"),
        "assume" => ASSUMED.contains(&name),
        "bound" => !name.is_empty() && behind.starts_with('='),
        _ => {
            matches!(name, "call" | "owner" | "during")
                || (!name.is_empty() && (behind.starts_with('(') || behind.starts_with("changes")))
        }
    }
}

#[cfg(test)]
mod tests {
    use source::SourceMap;

    use super::*;

    fn found(text: &str) -> Vec<(String, Option<String>)> {
        let mut sources = SourceMap::new();
        let file = sources.add("t.lsl", text);
        look(sources.file(file))
            .into_iter()
            .map(|d| {
                let mended = d.fix_its.first().map(|fix| {
                    let mut text = text.to_owned();
                    text.replace_range(fix.span.range(), &fix.replacement);
                    text
                });
                (d.message, mended)
            })
            .collect()
    }

    #[test]
    fn what_looks_like_a_directive_is_said_and_mended() {
        for near in [
            "// @property p: always x > 0;",
            "// @ property p: always x > 0;",
            "/// @property p: always x > 0;",
            "// property p: always x > 0;",
            "//! @propery p: always x > 0;",
            "// //@ property p: always x > 0;",
            "/*@ property p: always x > 0; */",
            "/* @Property p: always x > 0;*/",
            "/** property p: always x > 0; */",
        ] {
            let found = found(near);
            assert_eq!(found.len(), 1, "{near}");
            let mended = found[0].1.as_deref();
            let expected = "//@ property p: always x > 0;";
            assert!(
                mended.is_some_and(|text| text.ends_with(expected)),
                "{near}: {mended:?}"
            );
        }
        for (near, times) in [
            ("// @bound amount = 0..3;", 1),
            ("// @ghost integer held;", 1),
            ("// @on paid(id, n) { held += n; }", 1),
            ("// @assume timer keeps firing;", 1),
            (
                "/*\n * @property p: always x;\n * @bound amount = 3;\n */",
                2,
            ),
            ("string s = \"\n//@ property p: always x;\n\";", 1),
            ("//@ property p: always x; //@ property q: always y;", 1),
        ] {
            assert_eq!(found(near).len(), times, "{near}");
        }
    }

    #[test]
    fn prose_and_directives_are_left_in_peace() {
        for text in [
            "//@ property p: always x > 0;   // it is",
            "// the property p: always x > 0",
            "// property of the owner: see below",
            "// @param n: the amount",
            "// @author on the bound = of reason",
            "/* @return integer: what is owed; */",
            "// one @property p: is not like the other",
            "string s = \"property p: always;\";",
            "llSay(0, \"http://@property\");",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }
}

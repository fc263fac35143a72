//! From `//@` comments to directives.
//!
//! The comments' tokens are cut into directives first: at `;`, at the `}` that closes an `on`
//! block, and before a directive's word at the beginning of a `//@` line, so that one mistake
//! does not swallow its neighbours. Each directive is then read from a list of its own.

use source::{Diagnostic, Diagnostics, SourceFile, Span};

use super::bounds;
use super::formula::Reader;
use super::syntax::{
    Annotations, Assumption, AssumptionKind, Claim, Ghost, GhostType, Property, Update,
};
use crate::ast::Ast;
use crate::check::suggest as closest;
use crate::codes::property as code;
use crate::lexer;
use crate::parser::parse_statements;
use crate::token::{Token, TokenKind};
use crate::types::Type;

/// The words that begin a directive.
pub(crate) const DIRECTIVES: [&str; 5] = ["property", "ghost", "on", "assume", "bound"];

/// Reads the annotations of a script. Expressions are added to its tree.
pub fn parse(source: &SourceFile, ast: &mut Ast) -> (Annotations, Diagnostics) {
    let mut annotations = Annotations::default();
    let mut diagnostics = Diagnostics::new();
    let mut tokens = Vec::new();
    let mut line_starts = Vec::new();
    for line in ast.annotations.clone() {
        let lexed = lexer::lex_range(source, line.text.start..line.text.end);
        diagnostics.append(lexed.diagnostics);
        line_starts.push(tokens.len());
        tokens.extend(
            lexed
                .tokens
                .into_iter()
                .filter(|t| t.kind != TokenKind::End),
        );
    }
    for directive in split(source, &tokens, &line_starts) {
        read(source, ast, &directive, &mut annotations, &mut diagnostics);
    }
    (annotations, diagnostics)
}

/// Reads one property of the command line: `NAME: formula`, `property NAME: formula;`, or a
/// formula alone, which is then called `name`.
pub fn parse_property(
    source: &SourceFile,
    ast: &mut Ast,
    name: &str,
) -> (Option<Property>, Diagnostics) {
    let lexed = lexer::lex(source);
    let mut diagnostics = lexed.diagnostics;
    let mut tokens = lexed.tokens;
    let word = |index: usize| text(source, tokens.get(index).copied());
    let named = usize::from(word(0) == "property");
    let has_name = tokens
        .get(named + 1)
        .is_some_and(|t| t.kind == TokenKind::Colon);
    tokens.retain(|token| token.kind != TokenKind::End);
    if tokens
        .last()
        .is_some_and(|t| t.kind == TokenKind::Semicolon)
    {
        tokens.pop();
    }
    let directive = Directive::new(source, tokens, true);
    let mut reader = Reader::new(source, ast, &directive.tokens, directive.span);
    let property = if has_name {
        if named == 1 {
            reader.bump();
        }
        read_property(&mut reader)
    } else {
        read_claim(&mut reader).map(|(claim, text)| Property {
            name: name.to_owned(),
            name_span: directive.span,
            claim,
            text,
            span: directive.span,
        })
    };
    diagnostics.append(reader.diagnostics);
    (property, diagnostics)
}

/// The tokens of one directive.
struct Directive {
    /// They end with `End`.
    tokens: Vec<Token>,
    span: Span,
    /// Whether it was closed by `;` or `}`.
    closed: bool,
}

impl Directive {
    fn new(source: &SourceFile, mut tokens: Vec<Token>, closed: bool) -> Directive {
        let start = tokens.first().map_or(0, |token| token.start);
        let end = tokens.last().map_or(start, |token| token.end);
        tokens.push(Token {
            kind: TokenKind::End,
            start: end,
            end,
        });
        Directive {
            tokens,
            span: Span::new(source.id(), start, end),
            closed,
        }
    }
}

fn text(source: &SourceFile, token: Option<Token>) -> &str {
    token.map_or("", |token| {
        &source.text()[token.start as usize..token.end as usize]
    })
}

fn split(source: &SourceFile, tokens: &[Token], line_starts: &[usize]) -> Vec<Directive> {
    let mut directives = Vec::new();
    let mut start = 0;
    while start < tokens.len() {
        let block = text(source, Some(tokens[start])) == "on";
        let mut depth = 0_u32;
        let mut end = start;
        let mut closed = false;
        while end < tokens.len() {
            let token = tokens[end];
            if end > start
                && line_starts.binary_search(&end).is_ok()
                && DIRECTIVES.contains(&text(source, Some(token)))
                && directive_follows(source, tokens, end)
            {
                break;
            }
            end += 1;
            match token.kind {
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace => {
                    depth = depth.saturating_sub(1);
                    if block && depth == 0 {
                        closed = true;
                        break;
                    }
                }
                TokenKind::Semicolon if depth == 0 => {
                    closed = true;
                    break;
                }
                _ => {}
            }
        }
        let mut own = tokens[start..end].to_vec();
        if own.last().is_some_and(|t| t.kind == TokenKind::Semicolon) && closed {
            own.pop();
        }
        if !own.is_empty() {
            directives.push(Directive::new(source, own, closed));
        }
        start = end;
    }
    directives
}

/// Whether the directive word at `at` is one: `on` and `bound` may also be names in an
/// expression that goes on over several lines.
fn directive_follows(source: &SourceFile, tokens: &[Token], at: usize) -> bool {
    let Some(next) = tokens.get(at + 1) else {
        return false;
    };
    match text(source, Some(tokens[at])) {
        "property" => {
            next.kind == TokenKind::Name
                && tokens
                    .get(at + 2)
                    .is_some_and(|t| t.kind == TokenKind::Colon)
        }
        "ghost" => matches!(next.kind, TokenKind::Type(_) | TokenKind::Name),
        _ => next.kind == TokenKind::Name || next.kind.is_keyword(),
    }
}

fn read(
    source: &SourceFile,
    ast: &mut Ast,
    directive: &Directive,
    annotations: &mut Annotations,
    diagnostics: &mut Diagnostics,
) {
    let span = directive.span;
    let before = diagnostics.errors();
    let word = text(source, directive.tokens.first().copied()).to_owned();
    let mut reader = Reader::new(source, ast, &directive.tokens, span);
    let word_span = reader.span();
    reader.bump();
    match word.as_str() {
        "property" => {
            let name = reader.text(reader.span()).to_owned();
            match read_property(&mut reader) {
                Some(property) => annotations.properties.push(property),
                None => annotations.unread.push(name),
            }
        }
        "ghost" => {
            if let Some(ghost) = read_ghost(&mut reader, span) {
                annotations.ghosts.push(ghost);
            }
        }
        "on" => {
            if let Some(update) = read_update(&mut reader, span) {
                annotations.updates.push(update);
            }
        }
        "assume" => {
            if let Some(assumption) = read_assumption(&mut reader, span) {
                annotations.assumptions.push(assumption);
            }
        }
        "bound" => {
            let rest = Span::new(source.id(), reader.span().start, span.end);
            match bounds::parse(&source.text()[rest.range()]) {
                Ok(bound) => annotations
                    .bounds
                    .push(super::syntax::Bound { span, ..bound }),
                Err(why) => reader.report(
                    Diagnostic::error(code::BOUND, why)
                        .at(rest)
                        .help("write `bound NAME = V;` or `bound NAME = LEAST..GREATEST;`"),
                ),
            }
        }
        _ => {
            let mut diagnostic =
                Diagnostic::error(code::DIRECTIVE, format!("`{word}` is no directive"))
                    .at(word_span)
                    .help("directives are `property`, `ghost`, `on`, `assume` and `bound`");
            if let Some(similar) = closest(&word, DIRECTIVES) {
                diagnostic = diagnostic.fix_it(word_span, similar, format!("write `{similar}`"));
            }
            reader.report(diagnostic);
        }
    }
    diagnostics.append(reader.diagnostics);
    if !directive.closed && diagnostics.errors() == before {
        let missing = if word == "on" { "}" } else { ";" };
        diagnostics.push(
            Diagnostic::error(
                code::UNFINISHED,
                format!("this `{word}` ends without `{missing}`"),
            )
            .at(span.end_point())
            .saying(format!("expected `{missing}`"))
            .fix_it(span.end_point(), missing, format!("add the `{missing}`")),
        );
    }
}

fn read_property(reader: &mut Reader<'_>) -> Option<Property> {
    let name = reader.expect_name("the property's name")?;
    reader.expect(TokenKind::Colon, "`:`")?;
    let (claim, text) = read_claim(reader)?;
    Some(Property {
        name: reader.ast.name_text(name).to_owned(),
        name_span: name.span,
        claim,
        text,
        span: reader.whole,
    })
}

fn read_claim(reader: &mut Reader<'_>) -> Option<(Claim, String)> {
    let start = reader.span();
    let claim = if reader.eat_word("when") {
        let (pattern, expr) = read_when(reader)?;
        Claim::When(pattern, expr)
    } else {
        Claim::Formula(reader.formula()?)
    };
    reader.expect_end()?;
    let text = reader.one_line(start.to(reader.whole.end_point()));
    Some((claim, text))
}

/// `EVENT [if (c)] require E`, behind `when`.
fn read_when(reader: &mut Reader<'_>) -> Option<(super::syntax::Pattern, crate::ast::ExprId)> {
    let pattern = reader.pattern_required()?;
    if !reader.eat_word("require") {
        return reader.expected("`require`, `during` or `if`");
    }
    let expr = reader.whole_expression()?;
    Some((pattern, expr))
}

fn read_ghost(reader: &mut Reader<'_>, span: Span) -> Option<Ghost> {
    let at = reader.span();
    let ty = match reader.kind() {
        TokenKind::Type(Type::Integer) => GhostType::Integer,
        TokenKind::Type(Type::Key) => GhostType::Key,
        TokenKind::Type(Type::String) => GhostType::String,
        _ => {
            return reader.fail(
                Diagnostic::error(
                    code::GHOST_TYPE,
                    format!("a ghost cannot be of type `{}`", reader.text(at)),
                )
                .at(at)
                .help("ghosts are `integer` (without overflow), `key` or `string`"),
            );
        }
    };
    reader.bump();
    let name = reader.expect_name("the ghost's name")?;
    let value = if reader.eat(TokenKind::Assign) {
        Some(reader.whole_expression()?)
    } else {
        None
    };
    reader.expect_end()?;
    Some(Ghost {
        ty,
        name,
        value,
        span,
    })
}

fn read_update(reader: &mut Reader<'_>, span: Span) -> Option<Update> {
    let mut pattern = reader.pattern_required()?;
    if reader.eat_word("when") {
        let condition = reader.whole_expression()?;
        pattern.conditions.push(condition);
    }
    if reader.kind() != TokenKind::LeftBrace {
        return reader.expected("`{`, `during`, `if` or `when`");
    }
    reader.bump();
    let (body, next, diagnostics) =
        parse_statements(reader.source, reader.ast, reader.tokens, reader.at);
    let failed = diagnostics.has_errors();
    reader.diagnostics.append(diagnostics);
    reader.at = next;
    if failed {
        return None;
    }
    if reader.kind() == TokenKind::End {
        // The missing brace is reported by the caller.
        return None;
    }
    reader.expect(TokenKind::RightBrace, "`}`")?;
    reader.expect_end()?;
    Some(Update {
        pattern,
        body,
        span,
    })
}

fn read_assumption(reader: &mut Reader<'_>, span: Span) -> Option<Assumption> {
    let start = reader.span();
    let (end, properties) = read_for(reader)?;
    let kind = read_assumed(reader, end)?;
    if reader.span().start < end {
        return reader.expected("`for` or the end of the assumption");
    }
    Some(Assumption {
        kind,
        text: reader.one_line(Span::new(start.file, start.start, end)),
        properties,
        span,
    })
}

/// The names behind a `for` at the end, which is cut off; the offset where what is assumed ends.
#[expect(
    clippy::type_complexity,
    reason = "an offset and an optional list, used once"
)]
fn read_for(reader: &mut Reader<'_>) -> Option<(u32, Option<Vec<(String, Span)>>)> {
    let Some(at) = reader.tokens.iter().position(|t| t.kind == TokenKind::For) else {
        return Some((reader.whole.end, None));
    };
    let begin = reader.at;
    let end = reader.tokens[at.saturating_sub(1)].end;
    reader.at = at + 1;
    let mut names = Vec::new();
    loop {
        let name = reader.expect_name("the name of a property")?;
        names.push((reader.ast.name_text(name).to_owned(), name.span));
        if !reader.eat(TokenKind::Comma) {
            break;
        }
    }
    reader.expect_end()?;
    reader.at = begin;
    reader.limit = at;
    Some((end, Some(names)))
}

/// The assumptions in fixed words.
const PHRASES: [(&str, AssumptionKind); 8] = [
    ("owner answers", AssumptionKind::OwnerAnswers),
    ("timer keeps firing", AssumptionKind::TimerKeepsFiring),
    ("queue never overflows", AssumptionKind::QueueNeverOverflows),
    ("no payment is lost", AssumptionKind::NoPaymentLost),
    ("owner stays", AssumptionKind::OwnerStays),
    ("inventory stays", AssumptionKind::InventoryStays),
    ("prize stays in the box", AssumptionKind::InventoryStays),
    ("payments are positive", AssumptionKind::PaymentsPositive),
];

fn read_assumed(reader: &mut Reader<'_>, end: u32) -> Option<AssumptionKind> {
    let start = reader.span();
    if reader.at_words(&["owner", "grants"]) {
        reader.bump();
        reader.bump();
        return Some(AssumptionKind::OwnerGrants(
            reader.expect_name("a permission, such as `PERMISSION_DEBIT`,")?,
        ));
    }
    if reader.at_word("always") {
        reader.bump();
        return Some(AssumptionKind::Always(reader.formula()?));
    }
    if reader.eat_word("when") {
        let (pattern, expr) = read_when(reader)?;
        return Some(AssumptionKind::When(pattern, expr));
    }
    let mut words = Vec::new();
    while reader.kind() != TokenKind::End && reader.span().start < end {
        words.push(reader.text(reader.span()).to_owned());
        reader.bump();
    }
    let phrase = words.join(" ");
    if let Some((_, kind)) = PHRASES.iter().find(|(known, _)| *known == phrase) {
        return Some(kind.clone());
    }
    let span = Span::new(start.file, start.start, end.max(start.start));
    let mut diagnostic = Diagnostic::error(
        code::ASSUMPTION,
        if phrase.is_empty() {
            "nothing is assumed".to_owned()
        } else {
            format!("`{phrase}` is no assumption that is known")
        },
    )
    .at(span)
    .help(format!(
        "known are: `owner grants PERMISSION_...`, {}, `always EXPRESSION`, `when EVENT require EXPRESSION`",
        PHRASES.map(|(known, _)| format!("`{known}`")).join(", ")
    ));
    if let Some(similar) = closest(&phrase, PHRASES.iter().map(|(known, _)| *known)) {
        diagnostic = diagnostic.fix_it(span, similar, format!("write `{similar}`"));
    }
    reader.fail(diagnostic)
}

#[cfg(test)]
mod tests {
    use super::super::syntax::{EventKind, Formula};
    use super::*;
    use crate::parser;
    use source::SourceMap;

    fn read_script(annotations: &str) -> (Annotations, Vec<Diagnostic>, String) {
        let mut sources = SourceMap::new();
        let text = format!("{annotations}\ndefault {{ state_entry() {{ }} }}");
        let file = sources.add("t.lsl", text);
        let (mut ast, found) = parser::parse(sources.file(file));
        assert!(found.is_empty(), "annotations are comments to the script");
        let (read, found) = parse(sources.file(file), &mut ast);
        let shapes: Vec<String> = read
            .properties
            .iter()
            .map(|property| match &property.claim {
                Claim::Formula(formula) => shape(formula),
                Claim::When(pattern, _) => format!("when {}", event(pattern)),
            })
            .collect();
        (read, found.into_iter().collect(), shapes.join("; "))
    }

    /// A formula with full parentheses, every expression an `e`.
    fn shape(formula: &Formula) -> String {
        let operands: Vec<String> = formula.operands().into_iter().map(shape).collect();
        let name = match formula {
            Formula::State(_) => return "e".to_owned(),
            Formula::Event(pattern) => return event(pattern),
            Formula::Not(_) => "!",
            Formula::And(..) => "&&",
            Formula::Or(..) => "||",
            Formula::Implies(..) => "->",
            Formula::Iff(..) => "<->",
            Formula::Next(_) => "X",
            Formula::Always(_) => "[]",
            Formula::Never(_) => "never",
            Formula::Eventually(_) => "<>",
            Formula::Until(..) => "U",
            Formula::Release(..) => "R",
            Formula::WeakUntil(..) => "W",
            Formula::LeadsTo(..) => "~>",
        };
        match operands.as_slice() {
            [one] => format!("{name}({one})"),
            [left, right] => format!("({left} {name} {right})"),
            _ => unreachable!("operators have one or two operands"),
        }
    }

    fn event(pattern: &super::super::syntax::Pattern) -> String {
        let kind = match pattern.kind {
            EventKind::Call(_) => "call",
            EventKind::Changes(_) => "changes",
            EventKind::Paid(_) => "paid",
            EventKind::Discarded(_) => "discarded",
            EventKind::OwnerChanges(_) => "owner",
            EventKind::Handled(_) => "handled",
        };
        let during = if pattern.during.is_some() {
            "+during"
        } else {
            ""
        };
        let conditions = "+if".repeat(pattern.conditions.len());
        let arguments = pattern.arguments.len();
        format!("{kind}{arguments}{during}{conditions}")
    }

    #[track_caller]
    fn reads_as(formula: &str, expected: &str) {
        let (_, found, shapes) = read_script(&format!("//@ property p: {formula};"));
        assert_eq!(
            found.iter().map(|d| &d.message).collect::<Vec<_>>(),
            Vec::<&String>::new()
        );
        assert_eq!(shapes, expected, "{formula}");
    }

    #[test]
    fn words_reach_far_and_symbols_do_not() {
        reads_as("always a && b", "[]((e && e))");
        reads_as("[] a && b", "([](e) && e)");
        reads_as("always a -> eventually b", "[]((e -> <>(e)))");
        reads_as("[] (a -> <> b)", "[]((e -> <>(e)))");
        reads_as("[] <> a -> <> [] b", "([](<>(e)) -> <>([](e)))");
        reads_as("never a || b", "never((e || e))");
        reads_as("a -> b -> c", "(e -> (e -> e))");
        reads_as("a <-> b -> c", "(e <-> (e -> e))");
        reads_as("a leads to b || c", "(e ~> (e || e))");
        reads_as("a U b U c", "(e U (e U e))");
        reads_as("a until b && c releases d", "((e U e) && (e R e))");
        reads_as("a W b", "(e W e)");
        reads_as("a V b", "(e R e)");
        reads_as("X X a", "X(X(e))");
        reads_as("next a", "X(e)");
        reads_as("!<> a", "!(<>(e))");
    }

    #[test]
    fn expressions_stay_whole() {
        reads_as("always (a + b) * 2 == c", "[](e)");
        reads_as("always !(a == b)", "[](e)");
        reads_as("always !a", "[](e)");
        reads_as("(a == 1) U (b == 2)", "(e U e)");
        reads_as("((a == 1) U (b == 2))", "(e U e)");
        reads_as("!(a U b)", "!((e U e))");
        reads_as("always [] == l", "[](e)");
        reads_as("[] [] == l", "[](e)");
        reads_as("[] l == []", "[](e)");
        reads_as("always v != <1, 2, 3>", "[](e)");
        reads_as("always in open", "[](e)");
        reads_as("in open leads to (in closed && a)", "(e ~> e)");
        reads_as("always next > 0", "[](e)");
        reads_as("X > 0 U U", "(e U e)");
    }

    #[test]
    fn events_are_told_from_calls() {
        reads_as("eventually call llDie()", "<>(call0)");
        reads_as("timer() leads to a changes", "(handled0 ~> changes0)");
        reads_as(
            "paid(id, n) if (n > 5) leads to call llGiveMoney(id, _)",
            "(paid2+if ~> call2)",
        );
        reads_as(
            "when call f(a, _) during money(id, n) if (a) require b",
            "when call2+during+if",
        );
        reads_as(
            "when during money(id, n) call f(a) require b",
            "when call1+during",
        );
        reads_as(
            "[] (owner changes -> <> in default)",
            "[]((owner0 -> <>(e)))",
        );
        reads_as("never discarded(_, _)", "never(discarded2)");
        reads_as("always llAbs(a) > 0", "[](e)");
        reads_as("!timer() U touch_start(n)", "(!(handled0) U handled1)");
    }

    #[test]
    fn a_directive_may_run_over_lines_and_have_comments() {
        let (read, found, shapes) = read_script(
            "//@ property one:   // the first\n//@   always a\n//@     && b; // done\n\
             //@ ghost integer g = -1;\n//@ on paid(id, n)\n//@ {\n//@   g += n;\n//@ }\n\
             //@ assume timer keeps firing\n//@   for one;\n//@ bound amount = 0..10;",
        );
        assert_eq!(found, Vec::new());
        assert_eq!(shapes, "[]((e && e))");
        assert_eq!(read.properties[0].text, "always a && b");
        assert_eq!(read.updates[0].body.len(), 1);
        let assumption = &read.assumptions[0];
        assert_eq!(assumption.text, "timer keeps firing");
        assert_eq!(assumption.properties.as_ref().unwrap()[0].0, "one");
        assert_eq!((read.bounds[0].lo, read.bounds[0].hi), (0, 10));
    }

    #[test]
    fn one_mistake_does_not_swallow_its_neighbours() {
        let (read, found, shapes) = read_script(
            "//@ property a: always x >;\n//@ property b: always x\n//@ property c: always x;\n\
             //@ assume always x;",
        );
        let codes: Vec<_> = found.iter().map(|d| d.code).collect();
        assert_eq!(codes.len(), 2, "{codes:?}");
        assert_eq!(codes[1], code::UNFINISHED);
        assert_eq!(shapes, "[](e); [](e)");
        assert_eq!(read.assumptions.len(), 1);
    }

    #[test]
    fn deep_nesting_is_reported() {
        for (open, close) in [
            ("(", ")"),
            ("!", ""),
            ("[] ", ""),
            ("X ", ""),
            ("a -> (", ")"),
        ] {
            let formula = format!(
                "//@ property p: {}<> a{};",
                open.repeat(100_000),
                close.repeat(100_000)
            );
            let (_, found, _) = read_script(&formula);
            assert!(!found.is_empty(), "{open}");
        }
        let chain = format!("//@ property p: <> a{};", " -> a".repeat(100_000));
        let (_, found, _) = read_script(&chain);
        assert!(!found.is_empty());
    }
}

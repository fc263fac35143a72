//! LSL expressions within other text: parsed up to where they end, checked
//! with names of their own. This is how property text uses the front end.

use lsl::ast::{ExprKind, Symbol};
use lsl::check::{Callable, Environment, ExprType, Parameters, Resolution, Variable};
use lsl::parser::{ExpressionOptions, parse_expression, parse_expression_at, parse_statements};
use lsl::{Checked, Type};
use source::{Diagnostics, SourceMap};

const SCRIPT: &str = "integer high_bid;\nkey high_bidder;\nfloat rate() { return 1.5; }\n\
default { state_entry() { } }\nstate closed { state_entry() { } }\n";

/// Event parameters, a ghost, `old` and `in`.
struct Property<'a> {
    script: &'a Checked,
}

const AMOUNT: u32 = 1;
const HELD: u32 = 2;
const OLD: u32 = 3;

impl Environment for Property<'_> {
    fn variable(&self, _: Symbol, text: &str) -> Option<Variable> {
        let (number, writable) = match text {
            "amount" => (AMOUNT, false),
            "held" => (HELD, true),
            _ => return None,
        };
        Some(Variable {
            ty: Type::Integer,
            resolution: Resolution::Extra(number),
            writable,
        })
    }

    fn callable(&self, _: Symbol, text: &str) -> Option<Callable> {
        (text == "old").then_some(Callable {
            parameters: Parameters::Same,
            result: None,
            resolution: Resolution::Extra(OLD),
        })
    }

    fn word(&self, word: &str, name: &str) -> Option<(ExprType, Option<Resolution>)> {
        if word != "in" {
            return None;
        }
        Some(match self.script.state_named(name) {
            Some(state) => (
                ExprType::Value(Type::Integer),
                Some(Resolution::State(state)),
            ),
            None => (ExprType::Error, None),
        })
    }

    fn effects(&self) -> bool {
        false
    }
}

/// Reads the longest expression of `text` and checks it: the text it covers,
/// its type, and the codes found.
fn read(text: &str, options: ExpressionOptions<'_>) -> (String, ExprType, Vec<&'static str>) {
    let mut map = SourceMap::new();
    let base = map.add("base.lsl", SCRIPT);
    let (mut script, found) = lsl::analyze(map.file(base));
    assert!(found.is_empty());
    let names = script.clone();
    let environment = Property { script: &names };
    let id = map.add("property.lsl", text);
    let file = map.file(id);
    let (expr, end, mut diagnostics) =
        parse_expression_at(file, &mut script.ast, 0..file.len(), options);
    let ty = script.check_expression(expr, &environment, &mut diagnostics);
    let codes = diagnostics.iter().map(|d| d.code).collect();
    (text[..end as usize].to_owned(), ty, codes)
}

const INTEGER: ExprType = ExprType::Value(Type::Integer);
const PLAIN: ExpressionOptions<'_> = ExpressionOptions {
    words: &["in"],
    stop_at_logical: false,
};
const ATOM: ExpressionOptions<'_> = ExpressionOptions {
    words: &["in"],
    stop_at_logical: true,
};

#[test]
fn an_expression_ends_before_what_cannot_continue_it() {
    for (text, prefix) in [
        ("high_bid changes during money", "high_bid"),
        ("high_bid > 3 -> amount == 1", "high_bid > 3"),
        ("high_bid > 3 <-> amount == 1", "high_bid > 3"),
        ("high_bid > 3 U amount", "high_bid > 3"),
        (
            "(high_bid + 1) * 2 > 3 leads to x",
            "(high_bid + 1) * 2 > 3",
        ),
        ("high_bid; x", "high_bid"),
        ("high_bid && amount require", "high_bid && amount"),
    ] {
        assert_eq!(
            read(text, PLAIN),
            (prefix.to_owned(), INTEGER, vec![]),
            "{text}"
        );
    }
}

#[test]
fn an_atom_ends_before_logical_operators_outside_of_parentheses() {
    for (text, prefix) in [
        ("high_bid > 3 && amount", "high_bid > 3"),
        ("high_bid | 1 || amount", "high_bid | 1"),
        (
            "(high_bid && amount) == 1 || amount",
            "(high_bid && amount) == 1",
        ),
        ("in closed && amount", "in closed"),
    ] {
        assert_eq!(
            read(text, ATOM),
            (prefix.to_owned(), INTEGER, vec![]),
            "{text}"
        );
    }
}

#[test]
fn names_of_the_property_lie_over_those_of_the_script() {
    let (_, ty, codes) = read("high_bid > old(high_bid) && high_bid == amount", PLAIN);
    assert_eq!((ty, codes), (INTEGER, vec![]));
    assert_eq!(
        read("old(high_bidder)", PLAIN).1,
        ExprType::Value(Type::Key)
    );
    assert_eq!(read("old(rate())", PLAIN).1, ExprType::Value(Type::Float));
    assert_eq!(read("in closed || in default", PLAIN).1, INTEGER);
    assert_eq!(
        read("llGetInventoryType(\"x\") != INVENTORY_NONE", PLAIN).1,
        INTEGER
    );
}

#[test]
fn wrong_names_and_types_are_found() {
    assert_eq!(read("amuont > 1", PLAIN).2, ["LSL0201"]);
    assert_eq!(read("in opened", PLAIN).2, ["LSL0201"]);
    assert_eq!(read("old(high_bid, 1)", PLAIN).2, ["LSL0303"]);
    assert_eq!(read("high_bidder > 1", PLAIN).2, ["LSL0302"]);
    assert_eq!(read("string(high_bidder) == \"\"", PLAIN).2, ["LSL0114"]);
    assert_eq!(read("", PLAIN).2, ["LSL0110"]);
    // `in` is a word here only because the options say so.
    assert_eq!(
        read("in closed", ExpressionOptions::default()).2,
        ["LSL0201"]
    );
}

#[test]
fn a_property_changes_nothing() {
    assert_eq!(read("(held = 1) == 1", PLAIN).2, ["LSL0313"]);
    assert_eq!(read("high_bid++ == 1", PLAIN).2, ["LSL0313"]);
}

#[test]
fn tokens_of_several_lines_make_one_expression() {
    let mut map = SourceMap::new();
    let text = "//@ always high_bid\n//@   > 3;\ninteger high_bid;\ndefault { state_entry() { } }";
    let id = map.add("lines.lsl", text);
    let file = map.file(id);
    let (mut script, _) = lsl::analyze(file);
    let mut tokens = Vec::new();
    for annotation in script.ast.annotations.clone() {
        tokens.pop();
        let range = annotation.text.start..annotation.text.end;
        tokens.extend(lsl::lexer::lex_range(file, range).tokens);
    }
    let prefix = parse_expression(file, &mut script.ast, &tokens, 1, PLAIN);
    assert!(prefix.diagnostics.is_empty());
    assert_eq!(prefix.next, 4, "the `;`");
    let expr = script.ast.expr(prefix.expr);
    assert!(matches!(expr.kind, ExprKind::Binary { .. }));
    assert_eq!(&text[expr.span.range()], "high_bid\n//@   > 3");
}

#[test]
fn statements_of_a_property_have_their_own_variables() {
    struct Ghost;
    impl Environment for Ghost {
        fn variable(&self, _: Symbol, text: &str) -> Option<Variable> {
            (text == "held").then_some(Variable {
                ty: Type::Integer,
                resolution: Resolution::Extra(HELD),
                writable: true,
            })
        }
    }
    let mut map = SourceMap::new();
    let base = map.add("base.lsl", SCRIPT);
    let (mut script, _) = lsl::analyze(map.file(base));
    let id = map.add(
        "ghost.lsl",
        "integer n = high_bid; held += n; if (n) held = 0; }",
    );
    let file = map.file(id);
    let tokens = lsl::lexer::lex(file).tokens;
    let (statements, next, mut diagnostics) = parse_statements(file, &mut script.ast, &tokens, 0);
    assert_eq!((statements.len(), next), (3, tokens.len() - 2));
    let body = script.check_statements(&statements, &Ghost, &mut diagnostics);
    assert!(diagnostics.is_empty());
    assert_eq!(body.locals.len(), 1);
    assert_eq!(
        script.declared(statements[0]).map(|local| local.index()),
        Some(0)
    );
}

#[test]
fn values_for_a_type_are_converted() {
    let mut map = SourceMap::new();
    let base = map.add("base.lsl", SCRIPT);
    let (mut script, _) = lsl::analyze(map.file(base));
    let id = map.add("value.lsl", "1");
    let file = map.file(id);
    let (expr, _, mut found) =
        parse_expression_at(file, &mut script.ast, 0..1, ExpressionOptions::default());
    let nothing = lsl::check::Nothing;
    script.check_value(expr, Type::Float, &nothing, &mut found);
    assert_eq!(script.exprs.used_as(expr), Type::Float);
    script.check_value(expr, Type::List, &nothing, &mut found);
    let codes: Vec<&str> = found.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["LSL0301"]);
    let mut none = Diagnostics::new();
    script.check_condition(expr, &nothing, &mut none);
    assert!(none.is_empty());
}

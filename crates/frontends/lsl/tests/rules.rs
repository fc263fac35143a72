//! Runs the literate rule tests in `tests/rules/*.md`.
//!
//! Prose says the rule, fenced blocks show it:
//!
//! - `lsl` is a script; without a `default` state it is the inside of a
//!   handler (`lsl global`: what stands before the states). Each line ends in
//!   `//~` with the codes expected there, no others, each optionally followed by
//!   the exact text of its place in backquotes. Where a comment cannot stand,
//!   `lsl expect=CODE@LINE,...` says the same.
//! - `fixed` is the previous script with every first fix-it applied.
//! - `expr` has lines `expression => shape : type` or `expression => CODE ...`:
//!   the shape has parentheses around every operator and `:type` behind every
//!   operand that is converted. Variables: `i j` integer, `f g` float, `s t`
//!   string, `k` key, `v w` vector, `r q` rotation, `l m` list.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write as _;
use std::path::Path;

use lsl::ast::{Ast, ExprId, ExprKind, Name, Symbol};
use lsl::check::{Callable, Environment, ExprType, Resolution, Variable};
use lsl::{Checked, Type};
use source::{Diagnostic, Diagnostics, SourceMap};

#[test]
fn lexical_rules() {
    run("lexical.md");
}

#[test]
fn expression_rules() {
    run("expressions.md");
}

#[test]
fn statement_rules() {
    run("statements.md");
}

#[test]
fn script_rules() {
    run("scripts.md");
}

#[test]
fn name_rules() {
    run("names.md");
}

#[test]
fn type_rules() {
    run("types.md");
}

/// Every code occurs in some rule test, except those that need a whole file of
/// their own or an environment.
#[test]
fn every_code_has_a_rule_test() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules");
    let mut all = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        all.push_str(&std::fs::read_to_string(entry.unwrap().path()).unwrap());
    }
    for doc in lsl::CODES.iter().flat_map(|table| table.iter()) {
        // LSL0113 is in `bad_input.rs`, LSL0313 in `embedding.rs`, files and macros are in
        // `preprocessed.rs`; codes from LSL05 on are not about the script itself.
        let files = ["LSL0107", "LSL0108", "LSL0113", "LSL0313"];
        let elsewhere = files.contains(&doc.code) || doc.code > "LSL05";
        assert!(elsewhere || all.contains(doc.code), "{}: no test", doc.code);
    }
}

fn run(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/rules")
        .join(name);
    let text = std::fs::read_to_string(path).unwrap();
    let mut failures = String::new();
    let mut previous: Option<String> = None;
    let mut blocks = 0;
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let body: Vec<&str> = lines
            .by_ref()
            .map(|(_, line)| line)
            .take_while(|line| !line.starts_with("```"))
            .collect();
        let at = format!("{name}:{}", number + 1);
        blocks += 1;
        let outcome = match info.split(' ').next().unwrap_or("") {
            "lsl" => {
                let (outcome, fixed) = script(info, &body);
                previous = Some(fixed);
                outcome
            }
            "fixed" => fixed(previous.as_deref().expect("a script stands before"), &body),
            "expr" => expressions(&body),
            other => panic!("{at}: unknown block `{other}`"),
        };
        if let Err(message) = outcome {
            writeln!(failures, "{at}: {message}").unwrap();
        }
    }
    assert!(blocks > 0, "{name} has tests");
    assert!(failures.is_empty(), "\n{failures}");
}

/// A diagnostic expected at a line, with the text of its place if given.
type Expected = (usize, String, Option<String>);

fn expectations(info: &str, body: &[&str]) -> Vec<Expected> {
    let mut expected = Vec::new();
    if let Some((_, list)) = info.split_once("expect=") {
        for item in list.split(',') {
            let (code, line) = item.split_once('@').unwrap();
            expected.push((line.parse().unwrap(), code.to_owned(), None));
        }
    }
    for (index, line) in body.iter().enumerate() {
        let Some((_, comment)) = line.split_once("//~") else {
            continue;
        };
        let mut rest = comment.trim();
        while !rest.is_empty() {
            let (code, tail) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
            rest = tail.trim_start();
            let mut place = None;
            if let Some(inner) = rest.strip_prefix('`') {
                let (text, tail) = inner.split_once('`').unwrap();
                place = Some(text.to_owned());
                rest = tail.trim_start();
            }
            expected.push((index + 1, code.to_owned(), place));
        }
    }
    expected.sort();
    expected
}

fn script(info: &str, body: &[&str]) -> (Result<(), String>, String) {
    let snippet = body.join("\n");
    let (before, after) = if info.contains("global") {
        ("", "\ndefault { state_entry() { } }")
    } else if snippet.contains("default") || info.contains("whole") {
        ("", "")
    } else {
        ("default { state_entry() { ", "\n} }")
    };
    let text = format!("{before}{snippet}{after}");
    let mut map = SourceMap::new();
    let id = map.add("rule.lsl", text.as_str());
    let file = map.file(id);
    let (_, diagnostics) = lsl::analyze(file);
    let mut found: Vec<Expected> = diagnostics
        .iter()
        .map(|d| {
            let place = map.snippet(d.span).to_owned();
            (
                file.line(d.span.start) as usize,
                d.code.to_owned(),
                Some(place),
            )
        })
        .collect();
    found.sort();
    let expected = expectations(info, body);
    let fits = found.len() == expected.len()
        && found.iter().zip(&expected).all(|(found, wanted)| {
            found.0 == wanted.0
                && found.1 == wanted.1
                && (wanted.2.is_none() || found.2 == wanted.2)
        });
    let fixed = apply(&text, diagnostics.iter());
    let end = fixed.len() - after.len();
    let fixed = fixed[before.len()..end].to_owned();
    if fits {
        return (Ok(()), fixed);
    }
    let shown: Vec<String> = diagnostics
        .iter()
        .map(|d| source::render(d, &map, false))
        .collect();
    let message = format!(
        "expected {expected:?}\n  found {found:?}\n{}",
        shown.join("\n")
    );
    (Err(message), fixed)
}

/// The text with the first fix-it of every diagnostic applied.
fn apply<'a>(text: &str, diagnostics: impl Iterator<Item = &'a Diagnostic>) -> String {
    let mut fixes: Vec<_> = diagnostics.filter_map(|d| d.fix_its.first()).collect();
    fixes.sort_by_key(|fix| fix.span);
    let mut text = text.to_owned();
    for fix in fixes.into_iter().rev() {
        text.replace_range(fix.span.range(), &fix.replacement);
    }
    text
}

fn fixed(previous: &str, body: &[&str]) -> Result<(), String> {
    let plain = |line: &str| {
        let code = line.split_once("//~").map_or(line, |(code, _)| code);
        code.trim_end().to_owned()
    };
    let found: Vec<String> = previous.lines().map(plain).collect();
    if found == body {
        return Ok(());
    }
    Err(format!("fixed to\n{}", found.join("\n")))
}

fn expressions(body: &[&str]) -> Result<(), String> {
    let mut failures = String::new();
    for line in body {
        let (text, expected) = line.split_once("=>").expect("a line is `text => result`");
        let found = expression(text.trim_end());
        if found != expected.trim() {
            writeln!(
                failures,
                "\n  {text}\n    expected {}\n    found    {found}",
                expected.trim()
            )
            .unwrap();
        }
    }
    if failures.is_empty() {
        Ok(())
    } else {
        Err(failures)
    }
}

/// The variables of `expr` blocks.
struct Variables;

const VARIABLES: [(&str, Type); 13] = [
    ("i", Type::Integer),
    ("j", Type::Integer),
    ("f", Type::Float),
    ("g", Type::Float),
    ("s", Type::String),
    ("t", Type::String),
    ("k", Type::Key),
    ("v", Type::Vector),
    ("w", Type::Vector),
    ("r", Type::Rotation),
    ("q", Type::Rotation),
    ("l", Type::List),
    ("m", Type::List),
];

impl Environment for Variables {
    fn variable(&self, _: Symbol, text: &str) -> Option<Variable> {
        let index = VARIABLES.iter().position(|(name, _)| *name == text)?;
        Some(Variable {
            ty: VARIABLES[index].1,
            resolution: Resolution::Extra(u32::try_from(index).unwrap()),
            writable: true,
        })
    }

    fn callable(&self, _: Symbol, _: &str) -> Option<Callable> {
        None
    }
}

fn expression(text: &str) -> String {
    let mut map = SourceMap::new();
    let script = map.add("base.lsl", "default { state_entry() { } }");
    let (mut checked, base) = lsl::analyze(map.file(script));
    assert!(base.is_empty());
    let id = map.add("expr.lsl", text);
    let file = map.file(id);
    let (expr, end, mut diagnostics) = lsl::parser::parse_expression_at(
        file,
        &mut checked.ast,
        0..file.len(),
        lsl::parser::ExpressionOptions::default(),
    );
    let rest = text[end as usize..].trim();
    if diagnostics.is_empty() && !rest.is_empty() {
        return format!("stops before `{rest}`");
    }
    let ty = checked.check_expression(expr, &Variables, &mut diagnostics);
    if !diagnostics.is_empty() {
        return codes(&diagnostics);
    }
    let ty = match ty {
        ExprType::Value(ty) => ty.to_string(),
        ExprType::Void => "nothing".to_owned(),
        ExprType::Error => "error".to_owned(),
    };
    format!("{} : {ty}", shape(&checked, expr))
}

fn codes(diagnostics: &Diagnostics) -> String {
    let codes: Vec<&str> = diagnostics.iter().map(|d| d.code).collect();
    codes.join(" ")
}

fn shape(checked: &Checked, id: ExprId) -> String {
    let ast: &Ast = &checked.ast;
    let name = |name: Name| ast.name_text(name).to_owned();
    let of = |id: ExprId| shape(checked, id);
    let all = |ids: &[ExprId]| ids.iter().map(|&id| of(id)).collect::<Vec<_>>().join(", ");
    let text = match &ast.expr(id).kind {
        ExprKind::Error | ExprKind::Undecided { .. } => "?".to_owned(),
        ExprKind::Integer(value) => value.to_string(),
        ExprKind::Float(value) => format!("{value:?}"),
        ExprKind::String(symbol) => format!("{:?}", ast.text(*symbol)),
        ExprKind::Vector(parts) => format!("<{}>", all(parts)),
        ExprKind::Rotation(parts) => format!("<{}>", all(parts)),
        ExprKind::List(parts) => format!("[{}]", all(parts)),
        ExprKind::Name(n) => name(*n),
        ExprKind::Member { base, field } => format!("{}.{}", name(*base), name(*field)),
        ExprKind::Call {
            function,
            arguments,
        } => format!("{}({})", name(*function), all(arguments)),
        ExprKind::Print(operand) => format!("print({})", of(*operand)),
        ExprKind::Unary { op, operand } => format!("({}{})", op.symbol(), of(*operand)),
        ExprKind::Step { place, by, postfix } => {
            let op = if *by > 0 { "++" } else { "--" };
            if *postfix {
                format!("({}{op})", of(*place))
            } else {
                format!("({op}{})", of(*place))
            }
        }
        ExprKind::Binary {
            op, left, right, ..
        } => format!("({} {} {})", of(*left), op.symbol(), of(*right)),
        ExprKind::Assign { op, place, value } => {
            let op = op.map_or("", |op| op.symbol());
            format!("({} {op}= {})", of(*place), of(*value))
        }
        ExprKind::Cast { to, operand } => format!("({to})({})", of(*operand)),
        ExprKind::Parenthesized(inner) => of(*inner),
        ExprKind::Word { word, name: n } => format!("{} {}", name(*word), name(*n)),
    };
    match checked.exprs.get(id).converted {
        Some(ty) => format!("{text}:{ty}"),
        None => text,
    }
}

//! From tokens to a tree.
//!
//! Recursive descent with a limit on depth; the grammar is that of SPIN 6.5. Inline definitions
//! are replaced by their text on the way, as the language has it. The parser returns a tree
//! whatever it meets, and reports what it cannot read.

mod declaration;
mod embedded;
mod expression;
mod inline;
mod statement;
mod stream;
mod unit;

use std::collections::HashSet;
use std::rc::Rc;

use source::Diagnostics;

use crate::ast::Model;
use crate::token::{Token, TokenKind};

/// Reads a preprocessed model. With `ignore_c`, embedded C code that has no effect on the model is
/// passed over with a warning.
pub fn parse(tokens: Vec<Token>, ignore_c: bool, diagnostics: &mut Diagnostics) -> Model {
    let mut parser = stream::Parser::new(tokens, ignore_c, diagnostics);
    parser.model()
}

/// The names that stand behind some of these words, anywhere.
fn names_behind(tokens: &[Token], words: &[&str]) -> HashSet<Rc<str>> {
    tokens
        .windows(2)
        .filter(|pair| words.iter().any(|word| pair[0].is_word(word)))
        .filter(|pair| pair[1].kind == TokenKind::Name)
        .map(|pair| Rc::clone(&pair[1].text))
        .collect()
}

#[cfg(test)]
mod tests {
    use source::{Diagnostics, SourceMap};

    use crate::ast::{ExprKind, Item, Model, StatementKind, Unit};

    fn parse(text: &str) -> (Model, Vec<String>) {
        let mut sources = SourceMap::new();
        let file = sources.add("t.pml", text);
        let mut diagnostics = Diagnostics::new();
        let tokens = crate::preprocess::preprocess(
            &[file],
            &[],
            &[],
            &|_| None,
            &mut sources,
            &mut diagnostics,
        );
        let model = super::parse(tokens, false, &mut diagnostics);
        let found = diagnostics
            .iter()
            .map(|d| format!("{} {}", d.code, d.message))
            .collect();
        (model, found)
    }

    fn statements(body: &str) -> Vec<StatementKind> {
        let (model, errors) = parse(&format!("proctype Q() {{ skip }} init {{ {body} }}"));
        assert_eq!(errors, Vec::<String>::new(), "{body}");
        let Some(Unit::Process(process)) = model.units.last() else {
            panic!("no init");
        };
        process
            .body
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Statement(statement) => Some(statement.kind.clone()),
                Item::Declaration(_) => None,
            })
            .collect()
    }

    #[test]
    fn statements_are_told_apart() {
        use StatementKind as S;
        assert!(matches!(
            statements(
                "byte x; x = 1; x++; x--; L: x == 1 -> skip; goto L; q!1; q!!m(1); q?x; \
                        q??<eval(x), _>; q?[1]; assert(x); printf(\"%d\", x); run Q(); Q:x == 1; \
                        atomic { skip } d_step { skip; } { skip } unless { x } ; end: "
            )
            .as_slice(),
            [
                S::Assign(..),
                S::Increment(_),
                S::Decrement(_),
                S::Labelled(..),
                S::Condition(_),
                S::Goto(_),
                S::Send { sorted: false, .. },
                S::Send { sorted: true, .. },
                S::Receive { keep: false, .. },
                S::Receive {
                    keep: true,
                    anywhere: true,
                    ..
                },
                S::Condition(_),
                S::Assert(_),
                S::Print(..),
                S::Condition(_),
                S::Condition(_),
                S::Atomic(_),
                S::DStep(_),
                S::Unless(..),
                S::Labelled(_, None),
            ]
        ));
    }

    #[test]
    fn operators_bind_as_in_c() {
        let shape = |text: &str| match &statements(text)[0] {
            StatementKind::Condition(e) => format!("{:?}", strip(e)),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            shape("a + b * c == d && e || f"),
            "Or(And(Equal(Add(a Multiply(b c)) d) e) f)"
        );
        assert_eq!(shape("!a == -1"), "Equal(Not(a) -1)");
        assert_eq!(
            shape("(a -> b : c) - 1 - 2"),
            "Subtract(Subtract(?(a b c) 1) 2)"
        );
        assert_eq!(
            shape("a | b ^ c & d << 1 < 2"),
            "BitOr(a BitXor(b BitAnd(c Less(ShiftLeft(d 1) 2))))"
        );
    }

    struct Shape(String);
    impl std::fmt::Debug for Shape {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(&self.0)
        }
    }

    fn strip(e: &crate::ast::Expr) -> Shape {
        Shape(match &e.kind {
            ExprKind::Number(n) => n.to_string(),
            ExprKind::Reference(r) => r.parts[0].0.name.to_string(),
            ExprKind::Unary(op, a) => format!("{op:?}({})", strip(a).0),
            ExprKind::Binary(op, a, b) => format!("{op:?}({} {})", strip(a).0, strip(b).0),
            ExprKind::Conditional(a, b, c) => {
                format!("?({} {} {})", strip(a).0, strip(b).0, strip(c).0)
            }
            other => format!("{other:?}"),
        })
    }

    #[test]
    fn inline_definitions_are_replaced_by_their_text() {
        let (model, errors) = parse(
            "inline add(a, b) { a = a + b; inc(a) } inline inc(z) { z++ }
             inline twice(n) { return n * 2 }
             init { byte x; add(x, (1, 2)); x = twice(3) }",
        );
        assert_eq!(errors.len(), 1, "{errors:?}: (1, 2) is no expression");
        assert_eq!(model.units.len(), 1);
    }

    #[test]
    fn an_argument_that_begins_a_line_of_a_definition_begins_a_statement() {
        let text = "byte w[2]; inline put(self, to) {\nw[0] = 1\nself = 2\nto++ } \
                    init { byte x; put(w[1], x) }";
        assert_eq!(parse(text).1, Vec::<String>::new());
        // Where the lines of a call end means nothing.
        let text = "inline put(a) { a } byte x; init { put(x\n= 1) }";
        assert_eq!(parse(text).1, Vec::<String>::new());
    }

    #[test]
    fn what_has_arguments_in_it_stands_in_the_definition() {
        let text = "byte n; inline wait(a, b) { a > 0; 0 < b; n = b; } init { wait(n, n) }";
        let (model, errors) = parse(text);
        assert_eq!(errors, Vec::<String>::new());
        let Some(Unit::Process(process)) = model.units.last() else {
            panic!("no init");
        };
        let Item::Statement(call) = &process.body.items[0] else {
            panic!("no statement");
        };
        let StatementKind::Call(body) = &call.kind else {
            panic!("no call");
        };
        let shown: Vec<&str> = (body.items.iter())
            .filter_map(|item| match item {
                Item::Statement(one) => Some(&text[one.span.start as usize..one.span.end as usize]),
                Item::Declaration(_) => None,
            })
            .collect();
        assert_eq!(shown, ["a > 0", "0 < b", "n = b"]);
    }

    #[test]
    fn formulas_have_their_own_operators() {
        let (model, errors) = parse(
            "byte p; ltl one { [] (p -> <> p) && (p U p) } ltl { always p implies X p <-> p V p }",
        );
        assert_eq!(errors, Vec::<String>::new());
        assert_eq!(model.units.len(), 3);
        let Unit::Ltl { formula, .. } = &model.units[1] else {
            panic!();
        };
        assert_eq!(
            strip(formula).0,
            "And(Always(Implies(p Eventually(p))) Until(p p))"
        );
    }

    #[test]
    fn nothing_makes_the_parser_panic() {
        let whole = "mtype = {a, b}; typedef T { byte x[2]; chan c }; chan q = [2] of {byte, T};
            inline f(x) { x = 1 } ltl p { [] (q?[1] -> <> (P[0]@end)) }
            active [2] proctype P(byte x; int y) provided (x > 1) priority 3 {
              byte i; for (i : 1 .. 3) { skip } end: do :: q?x,_ -> atomic { f(x) } :: else -> break od;
              { select (i : 1 .. 2) } unless { timeout } ; if :: q!!a(1) fi; T t; t.x[1]++
            } never { do :: !enabled(1) :: np_ od } trace { do :: q?1,_ od }";
        assert_eq!(parse(whole).1, Vec::<String>::new());
        for cut in 0..whole.len() {
            parse(&whole[..cut]);
            parse(&whole[cut..]);
        }
        for (open, close) in [
            ("(", ")"),
            ("{", "}"),
            ("!", ""),
            ("do :: ", ""),
            ("a: ", ""),
        ] {
            let deep = format!("init {{ {} x {} }}", open.repeat(5000), close.repeat(5000));
            assert!(!parse(&deep).1.is_empty(), "{open}");
        }
        let long = format!("init {{ x == {}0 }}", "1 + ".repeat(5000));
        assert!(parse(&long).1[0].starts_with("PML0107"));
    }
}

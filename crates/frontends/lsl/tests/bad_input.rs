//! Whatever a file holds, the answer is a diagnostic: no panic, no overflow of
//! the stack, and no more than linear work.

use lsl::Checked;
use lsl::ast::StmtKind;
use source::{Diagnostics, SourceMap, render};

fn analyze(text: impl Into<String>) -> (Checked, Diagnostics) {
    let mut map = SourceMap::new();
    let id = map.add("bad.lsl", text);
    let (checked, diagnostics) = lsl::analyze(map.file(id));
    for diagnostic in &diagnostics {
        assert!(!diagnostic.span.is_none(), "{}", diagnostic.message);
        assert!(render(diagnostic, &map, false).contains("bad.lsl:"));
    }
    (checked, diagnostics)
}

fn codes(text: impl Into<String>) -> Vec<&'static str> {
    analyze(text).1.iter().map(|d| d.code).collect()
}

fn in_handler(statements: &str) -> String {
    format!("default {{ state_entry() {{\n{statements}\n}} }}")
}

#[test]
fn empty_file() {
    assert_eq!(codes(""), ["LSL0130"]);
    assert_eq!(codes(" \n\t"), ["LSL0130"]);
}

#[test]
fn binary_file() {
    let mut map = SourceMap::new();
    let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    let diagnostic = map.add_bytes("picture.lsl", picture).unwrap_err();
    assert_eq!(diagnostic.code, "SRC0001");
    // Bytes that are text all the same.
    let noise: String = (1..=0x2FFF_u32).filter_map(char::from_u32).collect();
    assert!(analyze(noise).1.has_errors());
}

#[test]
fn unknown_function_and_missing_default() {
    assert_eq!(codes(in_handler("llSya(0, \"\");")), ["LSL0202"]);
    assert_eq!(codes("integer a;"), ["LSL0131"]);
}

#[test]
fn a_hundred_thousand_nested_brackets() {
    const N: usize = 100_000;
    for (open, middle, close) in [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("< ", "1", ",1,1>"),
        ("llAbs(", "1", ")"),
        ("(integer)(", "1", ")"),
        ("integer(", "1", ")"),
        ("print(", "1", ")"),
    ] {
        let text = format!("{}{middle}{}", open.repeat(N), close.repeat(N));
        let found = codes(in_handler(&format!("integer a = {text};")));
        assert_eq!(found, ["LSL0113"], "{open}");
        // Without the closing half.
        let found = codes(in_handler(&format!("integer a = {};", open.repeat(N))));
        assert_eq!(found[0], "LSL0113", "{open}");
    }
}

#[test]
fn a_hundred_thousand_prefix_operators() {
    for op in ["- ", "!", "~", "! - ~"] {
        let found = codes(in_handler(&format!("integer a = {}1;", op.repeat(100_000))));
        assert_eq!(found, ["LSL0113"], "{op}");
    }
    let found = codes(in_handler(&format!(
        "integer a; {}1;",
        "a = ".repeat(100_000)
    )));
    assert_eq!(found, ["LSL0113"]);
}

#[test]
fn a_hundred_thousand_nested_statements() {
    const N: usize = 100_000;
    for (open, close) in [
        ("{", "}"),
        ("if (1) ", ""),
        ("if (1) {", "}"),
        ("if (1) ; else {", "}"),
        ("while (1) ", ""),
        ("for (;1;) {", "}"),
        ("do {", "} while (1);"),
    ] {
        let text = format!("{};{}", open.repeat(N), close.repeat(N));
        let found = codes(in_handler(&text));
        assert_eq!(found.first(), Some(&"LSL0113"), "{open}");
        assert!(found.len() <= 201, "{open}: {}", found.len());
        assert!(!codes(in_handler(&open.repeat(N))).is_empty(), "{open}");
    }
}

#[test]
fn depths_that_people_write_are_fine() {
    let parens = format!("integer a = {}1{};", "(".repeat(150), ")".repeat(150));
    assert_eq!(codes(in_handler(&parens)), [""; 0]);
    let blocks = format!("{}{}", "if (1) {".repeat(150), "}".repeat(150));
    assert_eq!(codes(in_handler(&blocks)), [""; 0]);
}

#[test]
fn long_chains_need_no_stack() {
    const N: usize = 100_000;
    for op in ["+", "-", "*", "&", "|", "&&", "==", "<", "<<"] {
        let chain = format!("integer a = 1{};", format!(" {op} 1").repeat(N));
        assert_eq!(codes(in_handler(&chain)), [""; 0], "{op}");
    }
    let mixed = format!("integer a = 1{};", " + 2 * 3 - 4 / 5".repeat(N / 4));
    assert_eq!(codes(in_handler(&mixed)), [""; 0]);
    let idle = format!("integer a = 1; a{};", " + a".repeat(N));
    assert_eq!(codes(in_handler(&idle)), ["LSL0404"]);
    let list = format!("list a = [1{}];", ", 1".repeat(N));
    assert_eq!(codes(in_handler(&list)), [""; 0]);
    let strings = format!("string s = \"\"{};", " + (string)llGetPos()".repeat(N));
    assert_eq!(codes(in_handler(&strings)), [""; 0]);
}

#[test]
fn long_else_if_chains_need_no_stack() {
    let chain = format!(
        "integer a; if (a == 0) a = 1;{} else a = 2;",
        " else if (a == 7) { a = 3; }".repeat(10_000)
    );
    let (checked, diagnostics) = analyze(in_handler(&chain));
    assert!(diagnostics.is_empty());
    let handler = checked.ast.handler_ids().next().unwrap();
    let StmtKind::Block(statements) = &checked.ast.stmt(checked.ast.handler(handler).body).kind
    else {
        panic!("a body is a block");
    };
    let arms = statements
        .iter()
        .find_map(|&id| match &checked.ast.stmt(id).kind {
            StmtKind::If { arms, .. } => Some(arms.len()),
            _ => None,
        });
    assert_eq!(arms, Some(10_001));
}

#[test]
fn a_ten_megabyte_script() {
    let function = |n: usize| {
        format!(
            "integer f{n}(integer a, string s)\n{{\n    integer i;\n    for (i = 0; i < a; ++i) {{\n        \
             if (llStringLength(s) > i && i != 3) a += i * 2; else s = s + (string)a;\n    }}\n    \
             vector v = <a, i, 1.5> * 2;\n    return (integer)v.x + f0(a - 1, s);\n}}\n"
        )
    };
    let mut text = String::new();
    let mut count = 0;
    while text.len() < 10_000_000 {
        text.push_str(&function(count));
        count += 1;
    }
    text.push_str("default { state_entry() { f0(1, \"\"); } }\n");
    let (checked, diagnostics) = analyze(text);
    assert_eq!(
        diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(),
        [""; 0]
    );
    assert_eq!(checked.ast.functions.len(), count);
}

#[test]
fn ten_megabytes_of_noise() {
    for piece in [
        "a ", "}", ") ", "x = ;\n", "\"", "\\\"\n", "#a\n", "1$", "if (", "state ", "? ",
    ] {
        let text = piece.repeat(2_000_000 / piece.len());
        let (_, diagnostics) = analyze(text.as_str());
        assert!(diagnostics.has_errors(), "{piece:?}");
        let (_, diagnostics) = analyze(in_handler(&text));
        assert!(
            diagnostics.has_errors() || diagnostics.warnings() > 0,
            "{piece:?}"
        );
        assert!(diagnostics.len() <= 2 * Diagnostics::LIMIT);
    }
    // Each error would like to propose a name.
    let strangers: String = (0..100_000)
        .map(|n| format!("stranger_{n}({n} + odd_{n});\n"))
        .collect();
    assert_eq!(analyze(in_handler(&strangers)).1.errors(), 200_000);
}

/// A small generator of pseudo-random numbers (Marsaglia's xorshift).
struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }
}

const GOOD: &str = r#"
integer total = -1; list names = [1, "a", <1, 2, 3>];
//@ property p: always total >= -1;
integer add(integer a, key id) { if (a > 3 || id != "") return a + total; else return -a * 2; }
default {
    state_entry() { llListen(0, "", NULL_KEY, ""); @top; if (add(1, "") == 3) jump top; }
    money(key id, integer amount) {
        vector v = <1, 2, amount> * ZERO_ROTATION;
        for (total = 0; total < amount; ++total) { v.x += (float)((string)v); }
        do total--; while (total && !amount);
        if (total) state open; else if (names == []) llSay(0, (string)v + llKey2Name(id));
    }
}
state open { touch_start(integer n) { names += llDetectedKey(0); state default; } }
"#;

#[test]
fn the_good_script_is_good() {
    assert_eq!(codes(GOOD), [""; 0]);
}

/// Scripts with words left out, doubled, swapped or replaced never break the
/// front end, and their places never leave the text.
#[test]
fn mutilated_scripts() {
    let mut map = SourceMap::new();
    let id = map.add("good.lsl", GOOD);
    let words: Vec<&str> = lsl::lexer::lex(map.file(id))
        .tokens
        .iter()
        .map(|token| &GOOD[token.start as usize..token.end as usize])
        .collect();
    let mut random = Random(fastrand::Rng::with_seed(0x2545_F491_4F6C_DD1D));
    let mut wrong = 0;
    for _ in 0..3000 {
        let mut script = words.clone();
        for _ in 0..=random.below(4) {
            let (at, other) = (random.below(script.len()), random.below(script.len()));
            match random.below(4) {
                0 => {
                    script.remove(at);
                }
                1 => script.insert(at, words[random.below(words.len())]),
                2 => script.swap(at, other),
                _ => script[at] = words[random.below(words.len())],
            }
        }
        let text = script.join(" ");
        let (_, diagnostics) = analyze(text.as_str());
        wrong += usize::from(diagnostics.has_errors());
        for diagnostic in &diagnostics {
            assert!(diagnostic.span.end as usize <= text.len());
        }
    }
    assert!(
        (2000..3000).contains(&wrong),
        "{wrong} of 3000 scripts are wrong"
    );
}

/// Every prefix of a script is answered, too.
#[test]
fn cut_scripts() {
    for end in 1..GOOD.len() {
        if GOOD.is_char_boundary(end) && !GOOD[end..].trim().is_empty() {
            assert!(analyze(&GOOD[..end]).1.has_errors(), "cut at {end}");
        }
    }
}

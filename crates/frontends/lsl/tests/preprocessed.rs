//! Scripts that a viewer's preprocessor expands: what they mean, and where what is found is said to be.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use lsl::{Options, load_with};
use model::interp::Interp;
use model::{Program, Value};
use source::Diagnostics;

fn read(text: &str, defines: &[(&str, &str)]) -> source::Loaded<Program> {
    let options = Options {
        defines: defines
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        ..Options::default()
    };
    load_with("shop.lsl", text, &options, &|name| match name {
        "prices.lsl" => Some("#define PRICE 10\ninteger sold = PRICE;\n".to_owned()),
        "wrong.lsl" => Some("integer wrong = \"text\";\n".to_owned()),
        _ => None,
    })
}

/// The value of `n` when `state_entry` is over.
fn result(text: &str, defines: &[(&str, &str)]) -> Option<i128> {
    let loaded = read(text, defines);
    let program = loaded.program?;
    let place = program
        .globals
        .iter()
        .position(|global| global.name == "n")?;
    let interp = Interp::new(&program);
    let (_, state) = interp.initial().unwrap().swap_remove(0);
    let states = interp.expand(&state).unwrap().successors;
    let values: Vec<&Value> = states.iter().map(|one| &one.state.globals[place]).collect();
    match values[..] {
        [Value::Int(first), ref rest @ ..]
            if rest.iter().all(|one| **one == Value::Int(*first)) =>
        {
            Some(*first)
        }
        _ => None,
    }
}

fn in_entry(body: &str) -> String {
    format!("integer n; default {{ state_entry() {{ {body} }} }}")
}

#[test]
fn macros_and_conditions_are_those_of_c() {
    let text = "#include \"prices.lsl\"\n#define TWICE(x) ((x) + (x))\n\
                #ifdef FAST\n#define SAY(x)\n#else\n#define SAY(x) llSay(0, x); n += 100\n#endif\n\
                integer n; default { state_entry() { n = TWICE(sold) + __LINE__; SAY(\"a\"); } }";
    assert_eq!(result(text, &[]), Some(128));
    assert_eq!(result(text, &[("FAST", "1")]), Some(28));
}

#[test]
fn a_switch_goes_on_at_the_case_that_is_equal() {
    let switch = |value: &str| {
        in_entry(&format!(
            "integer i = 3; string s = \"two\";
             switch ({value}) {{
                 case \"one\": n += 1;
                 case \"two\": {{ n += 20; break; }}
                 default: n += 300;
                 case \"four\":
                     switch (i) {{ case 3: n += 4000; break; case 4: n += 1; }}
             }}"
        ))
    };
    assert_eq!(result(&switch("\"one\""), &[]), Some(21));
    assert_eq!(result(&switch("s"), &[]), Some(20));
    assert_eq!(result(&switch("\"three\""), &[]), Some(4300));
    assert_eq!(result(&switch("\"four\""), &[]), Some(4000));
    let without = in_entry("n = 5; switch (n): { case 1: n = 7; }");
    assert_eq!(
        result(&without, &[]),
        Some(5),
        "nothing is equal, and there is no default"
    );
    let alone = "integer switch(integer a) { return a + 1; }
                 integer n; default { state_entry() { n = switch(4); } }";
    assert_eq!(result(alone, &[]), Some(5), "it is no reserved word");
}

#[test]
fn subscripts_read_and_set_elements() {
    let body = "list l = [1, \"b\"]; l[3] = (integer)l[0] + 40; n = (integer)l[3] + llGetListLength(l) * 100;
                l[0] = (string)l[1] + \"c\"; if ((string)l[0] != \"bc\") n = 0;
                if (llGetListLength((list)l[1, 2]) == 2 && llList2Integer((list)l[3], 0) == 41) n += 1000;";
    assert_eq!(result(&in_entry(body), &[]), Some(1441));
}

/// Code, file and line of each finding.
fn places(diagnostics: &Diagnostics, sources: &source::SourceMap) -> Vec<(&'static str, String)> {
    let place =
        |one: &source::Diagnostic| (one.code, sources.location(one.span).unwrap_or_default());
    diagnostics.iter().map(place).collect()
}

#[test]
fn what_is_found_is_where_it_is_written() {
    for (text, expected) in [
        (
            "#define TWICE(x) ((x) + (x))\ndefault { state_entry() {\n  integer a = TWICE(\"x\");\n} }",
            vec![("LSL0301", "shop.lsl:3:15")],
        ),
        (
            "#include \"wrong.lsl\"\ndefault { state_entry() { } }",
            vec![("LSL0301", "wrong.lsl:1:17")],
        ),
        (
            "#include \"none.lsl\"\ndefault { state_entry() { } }",
            vec![("LSL0107", "shop.lsl:1:1")],
        ),
        (
            "#if 1\ndefault { state_entry() { } }",
            vec![("LSL0106", "shop.lsl:1:1")],
        ),
        (
            "#define F(a) a\ndefault { state_entry() { F(1, 2); } }",
            vec![("LSL0108", "shop.lsl:2:27")],
        ),
        (
            "#define N 3\n//@ property p: always m < N;\ndefault { state_entry() { } }",
            vec![("LSL0201", "shop.lsl:2:24")],
        ),
    ] {
        let loaded = read(text, &[]);
        let mut errors = Diagnostics::new();
        loaded
            .diagnostics
            .iter()
            .filter(|one| one.is_error())
            .for_each(|one| errors.push(one.clone()));
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(code, at)| (code, at.to_owned()))
            .collect();
        assert_eq!(places(&errors, &loaded.sources), expected, "{text}");
    }
}

#[test]
fn edits_are_offered_only_for_what_is_written() {
    for (text, edits) in [
        ("#define A 1\ndefault { state_entry() { string(A); } }", 0),
        (
            "#define A 1\ninteger b; default { state_entry() { llOwnerSay(string(b)); } }",
            1,
        ),
    ] {
        let loaded = read(text, &[]);
        let mut found = loaded
            .diagnostics
            .iter()
            .filter(|one| one.code == "LSL0114");
        let one = found.next().unwrap();
        let inside = one
            .fix_its
            .iter()
            .all(|edit| loaded.sources.snippet(edit.span).len() < 12);
        assert!(
            inside && one.fix_its.len() >= edits,
            "{text}: {:?}",
            one.fix_its
        );
    }
}

#[test]
fn line_markers_say_where_findings_are() {
    let text = "#line 5 \"door.lsl\"\ninteger open = \"no\";\n# 9\ninteger shut = \"no\";\n\
                default { state_entry() {} }";
    let loaded = read(text, &[]);
    let places: Vec<_> = loaded
        .diagnostics
        .iter()
        .filter_map(|found| loaded.sources.location(found.span))
        .collect();
    assert_eq!(places, ["door.lsl:5:16", "door.lsl:9:16"]);
    let shown = source::render(loaded.diagnostics.first().unwrap(), &loaded.sources, false);
    assert!(shown.contains("--> door.lsl:5:16"), "{shown}");
    assert!(shown.contains("5 | integer open"), "{shown}");
}

//! What the lowering makes of programs: which properties they have. What is wrong with a program, or
//! not followed in it, is in `rules`.

use std::collections::BTreeSet;

use mobile::{Options, load};

/// The properties of a program, and the notes on what is not followed.
fn properties(text: &str, policy: &str) -> (BTreeSet<String>, Vec<String>) {
    let options = Options {
        policies: vec![("p.policy".to_owned(), policy.to_owned())],
        ..Options::default()
    };
    let loaded = load("t.c", text, &options);
    let notes = loaded.diagnostics.iter().map(|d| d.message.clone());
    let notes: Vec<String> = notes.collect();
    let program = loaded.program.unwrap_or_else(|| panic!("{notes:?}"));
    program
        .validate()
        .expect("the front end keeps its promises");
    let names = program.properties.iter().map(|p| p.name.clone());
    (names.collect(), notes)
}

#[test]
fn each_kind_of_undefined_behaviour_is_a_property_of_its_own() {
    for (text, name) in [
        (
            "int f(void); int main(void) { return 1 / f(); }",
            "division",
        ),
        (
            "int f(void); int main(void) { return f() + 1; }",
            "overflow",
        ),
        ("int f(void); int main(void) { return 1 << f(); }", "shift"),
        (
            "int f(void); int a[3]; int main(void) { return a[f()]; }",
            "index",
        ),
        (
            "int f(void); int main(void) { int x, *p = f() ? &x : 0; return *p; }",
            "null",
        ),
        (
            "#include <assert.h>\nint f(void); int main(void) { assert(f()); return 0; }",
            "assert",
        ),
        (
            "#include <stdlib.h>\nint main(void) { char *p = malloc(1); free(p); free(p); return 0; }",
            "free",
        ),
    ] {
        let (names, notes) = properties(text, "");
        assert!(names.contains(name), "{text}: {names:?} {notes:?}");
        assert!(names.contains("policy"), "an empty policy is a property");
    }
}

#[test]
fn constants_need_no_check() {
    let text = "int a[3]; int main(void) { a[2] = 6 / 2 + (1 << 4); return a[2]; }";
    let (names, notes) = properties(text, "");
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["policy"]);
    assert_eq!(notes, Vec::<String>::new());
}

#[test]
fn each_rule_is_a_property() {
    let policy = "deny to public { permission function f }\n\
                  deny to public { permission function g \"a\" }";
    let text = "int g(const char *); int main(void) { return g(\"a\"); }";
    let (names, _) = properties(text, policy);
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["rule-1", "rule-2"]);
}

/// How many assertions a program has that ranges of variables do not decide.
fn open_assertions(text: &str) -> usize {
    fn count(body: &[model::Stmt]) -> usize {
        let of = |stmt: &model::Stmt| match stmt {
            model::Stmt::Assert { .. } => 1,
            model::Stmt::If(_, then, otherwise) => count(then) + count(otherwise),
            _ => 0,
        };
        body.iter().map(of).sum()
    }
    let loaded = load("t.c", text, &Options::default());
    let program = loaded.program.expect("it has no errors");
    let steps = program.processes.iter().flat_map(|process| &process.steps);
    steps.map(|step| count(&step.body)).sum()
}

#[test]
fn ranges_decide_what_counters_can_be() {
    for (body, open) in [
        ("int n = f(); for (int i = 0; i < n; i++) f();", 0),
        ("int n = f(); if (n < 10) n++;", 0),
        ("int n = f(); n++;", 1),
        ("int n = 0; for (;;) { n++; f(); }", 1),
        ("unsigned n = 0; for (;;) { n++; f(); }", 0),
        ("int a[4]; for (int i = 0; i < 4; i++) a[i] = i;", 0),
        ("int a[4]; unsigned i = f(); a[i % 4] = 1;", 0),
        ("int x, *p; p = &x; *p = 1;", 0),
        ("int d = f(); if (d > 0) f2(7 / d);", 0),
        (
            "unsigned a = 0, b = 0; while (f()) { a++; f(); b++; } f2(7 / (a == b));",
            0,
        ),
        (
            "unsigned a = 0, b = 0; while (f()) { a++; f(); b += 2; } f2(7 / (a == b));",
            1,
        ),
    ] {
        let text = format!("int f(void); int f2(int); int main(void) {{ {body} return 0; }}");
        let found = open_assertions(&text);
        assert_eq!(found > 0, open > 0, "{body}: {found}");
    }
}

#[test]
fn the_name_that_was_meant_is_suggested() {
    for (text, meant) in [
        ("int main(void) { int total = 1; return toatl; }", "total"),
        (
            "struct point { int height; }; int main(void) { struct point p = { 1 }; return p.heigth; }",
            "height",
        ),
    ] {
        let loaded = load("t.c", text, &Options::default());
        let help = loaded.diagnostics.iter().flat_map(|one| one.help.clone());
        let help: Vec<String> = help.collect();
        assert_eq!(help, [format!("did you mean `{meant}`?")], "{text}");
    }
}

//! Labelled graphs with formulas of the mu-calculus, through the command line.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

use probity::{InMemory, run};

/// Runs a command on some files.
fn probity(files: &[(&str, &str)], words: &str) -> (u8, String, String) {
    let mut system = InMemory::default();
    for (name, text) in files {
        system = system.with_file(name, *text);
    }
    let words: Vec<&str> = std::iter::once("probity").chain(words.split(' ')).collect();
    let status = run(&words, &system);
    (status, system.out(), system.err())
}

/// For each formula, the first letter of its verdict: holds, fails, not known.
fn verdicts(graph: &str, formulas: &[&str]) -> String {
    let names: Vec<String> = (0..formulas.len())
        .map(|n| format!("f{n:02}.mcf"))
        .collect();
    let mut files = vec![("g.aut", graph)];
    files.extend(
        names
            .iter()
            .map(String::as_str)
            .zip(formulas.iter().copied()),
    );
    let options: Vec<String> = names
        .iter()
        .map(|name| format!("--formulas {name}"))
        .collect();
    let (_, out, err) = probity(&files, &format!("check g.aut {}", options.join(" ")));
    let verdict = |name: &String| {
        let name = name.trim_end_matches(".mcf");
        let row = |line: &&str| line.split_whitespace().any(|word| word == name);
        let row = out.lines().skip(1).find(row);
        let row = row.unwrap_or_else(|| panic!("{name}: {out}{err}"));
        row.trim_start().chars().next().unwrap()
    };
    names.iter().map(verdict).collect()
}

/// A buffer of two places: `in(1)` or `in(2)`, then out in the same order; the last step of each round
/// also logs.
const BUFFER: &str = "des (0, 8, 7)
(0, \"in(1)\", 1)
(0, \"in(2)\", 2)
(1, \"in(1)\", 3)
(1, \"out(1)|log\", 0)
(2, \"in(1)\", 4)
(2, \"out(2)|log\", 0)
(3, \"out(1)\", 1)
(4, \"out(2)\", 1)
";

#[test]
fn formulas_mean_what_they_mean_in_mcrl2() {
    let formulas = [
        // An action stands for steps in which it happens alone.
        ("<in(1)>true", 'h'),
        ("[true*.out(1)]false", 'f'),
        ("[in(1).out(1)]false", 'h'),
        ("<in(1).out(1)|log>true", 'h'),
        ("<in(1).log|out(1)>true", 'h'),
        ("[in(1).(out(1) || log)]false", 'h'),
        ("[in(2) => in(1)]<in(2)>true", 'f'),
        ("[in(1) => in(2)]<in(1)>true", 'h'),
        ("<in(2) => false>[true]<log>true => false", 'h'),
        // A star behind actions that are joined belongs to all of them.
        ("[in(1) || out(1)*.out(1)|log]<in(1)>true", 'h'),
        ("<in(1) || out(1)*.in(2)>true", 'h'),
        ("<in(2) || in(1)*.out(2)|log>true", 'h'),
        // Numbers are more than those that occur.
        ("forall n: Nat. [in(n)]<true>true", 'h'),
        ("forall n: Nat. <in(n)>true", 'f'),
        ("forall n: Pos. val(n < 3) => <in(n)>true", 'h'),
        ("forall n: Nat. val(n < 3) => <in(n)>true", 'f'),
        ("exists n: Nat. [true*.in(n)]false", 'h'),
        (
            "exists n: Nat. val(n < 2) && val(n > 0) && [true*.in(n)]false",
            'f',
        ),
        ("forall b: Bool. val(b) || val(!b)", 'h'),
        // Only numbers are ordered: how other values are depends on their sorts.
        ("exists n: Nat. <in(n)>val(n <= 2)", 'h'),
        ("val([1] < [2])", 'n'),
        // A modality closes before an arrow.
        ("[in(1)]false => <in(2)>true", 'h'),
        ("[in(2)](false => false)", 'h'),
        // Fixpoints with parameters.
        (
            "nu X(n: Nat = 0). val(n <= 2) && [exists m: Nat. in(m)]X(n + 1) \
             && [exists m: Nat. out(m) || out(m)|log]X(max(n - 1, 0))",
            'h',
        ),
        (
            "nu X(n: Nat = 0). val(n <= 1) && [exists m: Nat. in(m)]X(n + 1) \
             && [exists m: Nat. out(m) || out(m)|log]X(max(n - 1, 0))",
            'f',
        ),
        // A value that is passed on: what comes out was the last to come in, or not.
        (
            "nu X(l: Nat = 0). (forall m: Nat. [in(m)]X(m)) \
             && (forall m: Nat. [out(m)](val(m == l) && X(l)))",
            'f',
        ),
        // A parameter goes on as far as the graph does.
        ("nu X(n: Nat = 0). [in(1)]X(n + 1)", 'h'),
        ("nu X(n: Nat = 0). [true]X(n + 1)", 'n'),
    ];
    let texts: Vec<&str> = formulas.iter().map(|(text, _)| *text).collect();
    let expected: String = formulas.iter().map(|(_, verdict)| verdict).collect();
    assert_eq!(verdicts(BUFFER, &texts), expected);
}

#[test]
fn sorts_are_read_and_other_declarations_refused() {
    let graph = "des (0, 2, 2)\n(0, \"serve(tea)\", 1)\n(1, \"i\", 0)\n";
    let declared = "sort Drink = struct tea | coffee;\nform forall d: Drink. <serve(d)>true;";
    let open = "forall d: Drink. <serve(d)>true";
    assert_eq!(
        verdicts(graph, &[declared, open, "<serve(tea).tau>true"]),
        "fhh"
    );
    let files = [("g.aut", graph), ("f.mcf", open)];
    let (status, out, _) = probity(&files, "check g.aut --formulas f.mcf");
    assert_eq!(status, 0);
    assert!(
        out.contains("the values of `Drink` are those that stand in labels"),
        "{out}"
    );
    for (formula, code) in [
        ("map f: Nat; form <serve(tea)>true;", "AUT0202"),
        ("<serve(coffee)>true", "AUT0201"),
        ("[serve(warm(tea))]false", "AUT0201"),
        ("<serve(tea>true", "AUT0201"),
    ] {
        let files = [("g.aut", graph), ("f.mcf", formula)];
        let (status, out, err) = probity(&files, "check g.aut --formulas f.mcf");
        assert_eq!(status, 2, "{out}{err}");
        assert!(err.contains(code), "{err}");
    }
    let files = [("g.aut", graph), ("f.mcf", "[sreve(tea)]false")];
    let (_, _, err) = probity(&files, "check g.aut --formulas f.mcf");
    assert!(err.contains("`serve` was probably meant"), "{err}");
}

#[test]
fn labels_without_events_are_silent_if_they_are_named() {
    let graph = "des (0, 1, 2)\n(0, \"step\", 1)\n";
    let files = [("g.aut", graph), ("f.mcf", "<tau>true")];
    let check =
        |options: &str| probity(&files, &format!("check g.aut --formulas f.mcf{options}")).0;
    assert_eq!((check(""), check(" --tau step")), (1, 0));
    assert_eq!(probity(&files, "check g.aut").0, 1, "a run ends");
}

/// In mCRL2 `i` is an action like others, and CADP's silent step: a formula that names it must not be
/// answered as if no label had it.
#[test]
fn a_formula_does_not_name_what_is_silent() {
    let graph = "des (0, 2, 1)\n(0, \"i\", 0)\n(0, \"a\", 0)\n";
    let files = [("g.aut", graph), ("f.mcf", "[i]false")];
    let check = |options: &str| probity(&files, &format!("check g.aut --formulas f.mcf{options}"));
    let (status, _, err) = check("");
    assert_eq!(status, 2);
    assert!(
        err.contains("AUT0201") && err.contains("`--tau tau`"),
        "{err}"
    );
    assert_eq!((check(" --tau tau").0, check(" --tau a,i").0), (1, 2));
    // Where no label has it, it never happens.
    let files = [
        ("g.aut", "des (0, 1, 1)\n(0, \"a\", 0)\n"),
        ("f.mcf", "<i>true"),
    ];
    let (status, _, err) = probity(&files, "check g.aut --formulas f.mcf");
    assert_eq!(status, 1);
    assert!(err.contains("AUT0203"), "{err}");
}

/// The command that checks one formula.
fn words<'w>(file: &'w str, formula: &'w str) -> [&'w str; 5] {
    ["probity", "check", file, "--property", formula]
}

/// Formulas say the same of a script and of its graph.
#[test]
fn graphs_of_scripts_are_read_back() {
    let mut compared = String::new();
    for script in [
        "request/request.tb",
        "pipeline/compiler.tb",
        "notes/race.tb",
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tscript");
        let text = std::fs::read_to_string(path.join(script)).unwrap();
        let own = [
            "[true*]<true>true",
            "<true*.rec-connect(_)>true",
            "[true*.snd-eval(_, _)]false",
        ];
        let (status, graph, err) = probity(&[("s.tb", &text)], "translate s.tb --to aut");
        assert_eq!(status, 0, "{err}");
        for formula in own {
            let system = InMemory::default().with_file("s.tb", text.as_str());
            let of_script = run(&words("s.tb", formula), &system);
            let of_script_text = system.out();
            let line = |out: &str| {
                let row = |line: &&str| line.split_whitespace().nth(1) == Some("property");
                out.lines()
                    .find(row)
                    .map(|line| line.trim_start()[..5].to_owned())
            };
            let system = InMemory::default().with_file("g.aut", graph.as_str());
            let of_graph = run(&words("g.aut", formula), &system);
            let (script_line, graph_line) = (line(&of_script_text), line(&system.out()));
            assert!(
                graph_line.is_some(),
                "{of_graph} {}{}",
                system.out(),
                system.err()
            );
            assert_eq!(script_line, graph_line, "{script} {formula} {of_script}");
            compared.push(graph_line.unwrap().chars().next().unwrap());
        }
    }
    assert!(
        compared.contains('h') && compared.contains('f'),
        "{compared}"
    );
}

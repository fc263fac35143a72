//! Scripts as processes of mCRL2: the models are read and explored by a small reader of its own, and by
//! mCRL2's own tools where `PROBITY_MCRL2` names their folder; their graphs are those of the scripts, up to
//! branching bisimilarity.

#![expect(
    clippy::print_stdout,
    reason = "what was compared is for people to read"
)]

mod explore;
mod formulas;
mod read;
mod scripts;
mod tools;
mod values;

use std::collections::{BTreeSet, HashMap};

use explore::{Explorer, Value};
use model::{Budget, Equivalence, Graph, Label, Program, Silent, StateSpace, Type, Vertex};
use read::Model;
use tools::Tools;
use tscript::{Dialect, Options};

/// What happens in a step, in words; nothing of what only one of the two tells.
type Words = Vec<String>;

/// Actions whose arguments are told in different ways.
const BARE: [&str; 3] = ["subscribe", "unsubscribe", "no_note"];
const UNTOLD: [&str; 5] = ["ends", "stops", "round", "printf", "no_value"];

fn plain(text: &str) -> String {
    text.replace('-', "_").replace(' ', "")
}

/// A step of the script.
fn of_script(program: &Program, label: &Label) -> Words {
    let mut words: Vec<String> = label
        .iter()
        .filter_map(|happening| {
            let event = &program.events[happening.event.index()];
            if UNTOLD.contains(&event.name.as_str()) || event.is_inner() {
                return None;
            }
            let name = plain(&event.name);
            if BARE.contains(&name.as_str()) {
                return Some(name);
            }
            let terms = event
                .parameters
                .iter()
                .filter(|(name, _)| name != "who")
                .count();
            let args = happening.args[..terms].iter();
            let args: Vec<String> = args
                .map(|value| plain(&report::value_text(program, &Type::Rich, value)))
                .collect();
            Some(format!("{name}({})", args.join(",")))
        })
        .collect();
    words.sort();
    words
}

fn term(model: &Model, value: &Value) -> String {
    match value {
        Value::Term(name, args) => match (name.as_str(), args.as_slice()) {
            ("number", [Value::Number(number)]) => plain(&number.to_string()),
            ("truth", [Value::Bool(truth)]) => truth.to_string(),
            ("text", [Value::Number(number)]) => format!("\"{}\"", plain(&model.texts[number])),
            ("undefined", []) => "undefined".to_owned(),
            ("list", [Value::List(items)]) => {
                let items: Vec<String> = items.iter().map(|item| term(model, item)).collect();
                format!("[{}]", items.join(","))
            }
            (name, args) => {
                let word = name.strip_prefix("c_").expect("a constructor");
                let word = word.trim_end_matches('\'');
                if args.is_empty() {
                    return word.to_owned();
                }
                let word = word
                    .strip_suffix(&format!("_{}", args.len()))
                    .expect("so many arguments");
                let args: Vec<String> = args.iter().map(|arg| term(model, arg)).collect();
                format!("{word}({})", args.join(","))
            }
        },
        other => panic!("{other:?}"),
    }
}

/// A step of the model.
fn of_model(model: &Model, label: &[(String, Vec<Value>)]) -> Words {
    let mut words: Vec<String> = label
        .iter()
        .filter_map(|(name, args)| {
            let digit = name.find(|c: char| c.is_ascii_digit());
            let name = digit.map_or(name.as_str(), |at| name[..at].trim_end_matches('_'));
            if UNTOLD.contains(&name) {
                return None;
            }
            if BARE.contains(&name) {
                return Some(name.to_owned());
            }
            let told = match name {
                "rec_note" => &args[2..],
                _ => args,
            };
            let terms = told.iter().filter(|arg| matches!(arg, Value::Term(..)));
            let args: Vec<String> = terms.map(|arg| term(model, arg)).collect();
            Some(format!("{name}({})", args.join(",")))
        })
        .collect();
    words.sort();
    words
}

/// A script for mCRL2.
fn written(text: &str, options: &Options<'_>) -> String {
    let written = tscript::to_mcrl2("script.tb", text, options);
    let messages: Vec<&String> = written.diagnostics.iter().map(|d| &d.message).collect();
    written.program.unwrap_or_else(|| panic!("{messages:?}"))
}

fn options<'o>(bounds: &[(&str, &str)], dialect: Dialect) -> Options<'o> {
    Options {
        bounds: bounds
            .iter()
            .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
            .collect(),
        dialect,
        plain: true,
        few_processes: true,
        ..Options::default()
    }
}

/// Compares the graph of a script and that of its model, as the reader here finds it and as mCRL2's
/// tools do; says how many states they have.
fn compare(name: &str, text: &str, bounds: &[(&str, &str)], dialect: Dialect) -> (usize, usize) {
    let options = options(bounds, dialect);
    let written = written(text, &options);
    let model = Model::read(&written);
    let theirs = Explorer::new(&model).graph(60_000);
    let ours = compare_graphs(text, &options, &model, &theirs);
    compare_with_tools(&format!("{name}-{dialect:?}"), text, &options);
    (ours, theirs.len())
}

/// Compares the graph of a script with that which mCRL2's tools make of its model; says how many
/// states they have, where the tools are there.
fn compare_with_tools(name: &str, text: &str, options: &Options<'_>) -> Option<(usize, usize)> {
    let tools = Tools::found()?;
    let written = written(text, options);
    let theirs = tools.read(name, &written).graph();
    let model = Model::read(&written);
    let ours = compare_graphs(text, options, &model, &theirs);
    println!("{name}: {ours} states, {} in mCRL2", theirs.len());
    tools.compare(name, &side_by_side(text, options, &model, &theirs));
    Some((ours, theirs.len()))
}

/// Compares the graph of a script with another of its model; says how many states it has.
fn compare_graphs(
    text: &str,
    options: &Options<'_>,
    model: &Model,
    theirs: &explore::Graph,
) -> usize {
    let (both, ours) = side_by_side(text, options, model, theirs);
    let said = |of: std::ops::Range<usize>| -> BTreeSet<&Words> {
        let edges = both
            .all_edges()
            .filter(|(from, ..)| of.contains(&(*from as usize)));
        edges
            .map(|(_, label, _)| &both.table()[label as usize])
            .collect()
    };
    let (here, there) = (said(0..ours), said(ours..both.len()));
    // A silent step is one that only the other may leave out.
    let told = |words: &BTreeSet<&Words>| -> BTreeSet<Words> {
        let told = words.iter().filter(|words| !words.is_empty());
        told.map(|words| (*words).clone()).collect()
    };
    assert_eq!(told(&here), told(&there), "they say the same words: {text}");
    assert!(are_alike(&both), "{text}");
    ours
}

/// Whether the two initial states of a graph are branching bisimilar.
fn are_alike(both: &Graph<Words>) -> bool {
    let reduced = both
        .reduced(Equivalence::Branching, Vec::is_empty, usize::MAX)
        .expect("there is room");
    let mut members = reduced.members.iter();
    members.any(|members| both.initial().iter().all(|state| members.contains(state)))
}

/// The graph of a script and another of its model, in one graph with both initial states; how many of
/// its states are the script's, which come first.
fn side_by_side(
    text: &str,
    options: &Options<'_>,
    model: &Model,
    theirs: &explore::Graph,
) -> (Graph<Words>, usize) {
    let program = tscript::load("script.tb", text, options)
        .program
        .expect("it is accepted");
    let program = passes::focus(&program, &[]);
    let space = explicit::Space::explore(
        &program,
        &[],
        true,
        &explicit::Options::with_jobs(1),
        &Budget::default(),
        &Silent,
    );
    let space = space.expect("it is explored");
    let ours = space.graph();
    // Both side by side in one graph.
    let mut numbers: HashMap<Words, u32> = HashMap::new();
    let mut edges: Vec<(Vertex, u32, Vertex)> = Vec::new();
    let mut number = |words: Words| {
        let fresh = u32::try_from(numbers.len()).expect("few labels");
        *numbers.entry(words).or_insert(fresh)
    };
    let labels: Vec<u32> = ours
        .table()
        .iter()
        .map(|label| number(of_script(&program, label)))
        .collect();
    for (from, label, to) in ours.all_edges() {
        edges.push((from, labels[label as usize], to));
    }
    for (from, row) in theirs.iter().enumerate() {
        for (label, to) in row {
            let place = |state: usize| Vertex::try_from(ours.len() + state).expect("few states");
            edges.push((place(from), number(of_model(model, label)), place(*to)));
        }
    }
    let mut table: Vec<Words> = vec![Words::new(); numbers.len()];
    for (words, number) in numbers {
        table[number as usize] = words;
    }
    let second = Vertex::try_from(ours.len()).expect("few states");
    let initial = vec![ours.initial()[0], second];
    let both = Graph::new(ours.len() + theirs.len(), initial, table, &edges);
    (both, ours.len())
}

macro_rules! example {
    ($name:literal) => {
        include_str!(concat!("../../../../examples/tscript/", $name))
    };
}

const ORIGINAL: &str = example!("auction/original.tb");
const REPAIRED: &str = example!("auction/repaired.tb");

#[test]
fn the_auction_is_the_same_in_both() {
    let bounds = [
        ("new-item", "1"),
        ("bid", "2..2"),
        ("queue", "4"),
        ("processes", "2"),
    ];
    for (name, text) in [("original", ORIGINAL), ("repaired", REPAIRED)] {
        for dialect in [Dialect::Ng, Dialect::C] {
            // The preferred end of a sale is written for the dialect in which it binds more.
            if text == REPAIRED && dialect == Dialect::C {
                continue;
            }
            let (ours, theirs) = compare(name, text, &bounds, dialect);
            assert!(ours > 300 && theirs > 300, "{ours} {theirs}");
        }
    }
}

#[test]
fn each_action_is_the_same_in_both() {
    let tool = "tool t is { command = \"t\" }\n";
    let scripts = [
        // Messages both ways, types, values taken apart.
        (
            "process A is let X : int, Y : term in snd-msg(f(1), X?) . snd-msg(X) . rec-msg(Y?) endlet\n\
             process B is let X : int, N : int in rec-msg(f(X?), 7) . rec-msg(N?) . snd-msg(g(X, [a])) endlet\n\
             toolbus(A, B)",
            vec![],
        ),
        // Notes: patterns, the first that matches, none.
        (
            "process A is subscribe(n(<int>)) . subscribe(m) . let X : int in\n\
               ( rec-note(n(X?)) . snd-msg(X) + rec-note(m) . snd-msg(m) + no-note(m) . snd-msg(none) ) *\n\
               unsubscribe(m) . rec-note(m) endlet\n\
             process B is snd-note(n(1)) . snd-note(m) . snd-note(n(2)) . snd-note(x)\n\
             process C is let T : term in rec-msg(T?) * delta endlet\n\
             toolbus(A, B, C)",
            vec![("queue", "2")],
        ),
        // Processes that are created, and end; what is computed and tested; a preferred way.
        (
            "process P(N : int) is if less(N, 2) then snd-msg(small(N)) else snd-msg(large(N)) fi\n\
             process A is let I : int, T : term in I := 1 .\n\
               ( if less-equal(I, 3) then create(P(I), T?) . I := add(I, 1) fi\n\
               + rec-msg(T?) ) * if equal(I, 4) then tau fi endlet\n\
             toolbus(A)",
            vec![("processes", "3")],
        ),
        (
            "process A is subscribe(stop) . ( snd-msg(go) +> rec-note(stop) . snd-msg(over) ) * delta\n\
             process B is ( rec-msg(go) + rec-msg(over) ) * delta\n\
             process S is rec-msg(never) + snd-note(stop)\n\
             toolbus(A, B, S)",
            vec![("queue", "2")],
        ),
        // Parts side by side, and everything shut down.
        (
            "process A is ( snd-msg(a) . snd-msg(b) ) || rec-msg(c)\n\
             process B is rec-msg(a) . snd-msg(c) . rec-msg(b) + rec-msg(a) . shutdown(\"enough\")\n\
             process C is snd-msg(a) * delta\n\
             toolbus(A, B, C)",
            vec![],
        ),
        // Tools: they come, are asked, tell, vanish.
        (
            "process A is let T : t, N : int, S : str in rec-connect(T?) .\n\
               ( snd-eval(T, q) . rec-value(T, v(N?)) . snd-do(T, d(N))\n\
               + rec-event(T, e(N?)) . snd-ack-event(T, e(N))\n\
               + rec-event(T, w(S?)) . snd-ack-event(T, w(S)) ) * rec-disconnect(T) endlet\n",
            vec![
                ("t", "2"),
                ("w", "2"),
                ("connections", "1"),
                ("answers", "any"),
            ],
        ),
        (
            "process A is let T : t, U : u in execute(t, T?) . snd-do(T, x) . rec-connect(U?) .\n\
               snd-terminate(T, bye) . rec-disconnect(U) endlet\ntool u is { command = \"u\" }\n",
            vec![("connections", "2")],
        ),
    ];
    for (number, (text, bounds)) in scripts.into_iter().enumerate() {
        let text = match text.contains("toolbus") {
            true => text.to_owned(),
            false => format!("{tool}{text}toolbus(A, A)"),
        };
        for dialect in [Dialect::Ng, Dialect::C] {
            compare(&format!("actions-{number}"), &text, &bounds, dialect);
        }
    }
}

/// Bounds under which mCRL2's tools look at an auction for seconds, not for minutes.
const FEW: [(&str, &str); 3] = [("new-item", "1"), ("processes", "2"), ("queue", "5")];

/// Every script that comes with the program, by mCRL2's own tools; of the auctions one item.
#[test]
fn examples_are_the_same_by_the_tools() {
    const EXAMPLES: [(&str, &str); 9] = [
        ("auction-original", ORIGINAL),
        ("auction-repaired", REPAIRED),
        ("auction-steps", example!("auction/steps.tb")),
        ("dining", example!("dining/dining.tb")),
        ("dining-repaired", example!("dining/dining-repaired.tb")),
        ("race", example!("notes/race.tb")),
        ("no-race", example!("notes/no-race.tb")),
        ("compiler", example!("pipeline/compiler.tb")),
        ("request", example!("request/request.tb")),
    ];
    for (name, text) in EXAMPLES {
        for dialect in [Dialect::Ng, Dialect::C] {
            if name == "auction-repaired" && dialect == Dialect::C {
                continue;
            }
            let bounds = if name.starts_with("auction") {
                &FEW[..]
            } else {
                &[]
            };
            let file = format!("{name}-{dialect:?}-example");
            if compare_with_tools(&file, text, &options(bounds, dialect)).is_none() {
                return;
            }
        }
    }
}

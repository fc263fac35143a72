//! What scripts do: each snippet of `semantics/*.md` is run on the reference interpreter, and the
//! values of its variables at the end are compared with those below it.
//!
//! A `lsl` block is a script. The `expect` block behind it lists values: `name = value` for a
//! global variable (alternatives of a choice separated by ` | `), `state = name`, `fault = name`.
//! A first line `after e1, e2` sends events, each followed by whatever `state_entry` it leads to;
//! `e:k=v` picks the event's variable by name. Without it, only `state_entry` runs.

use std::collections::BTreeSet;
use std::fmt::Write;

use lsl::lower::{Delivery, Lowered, lower};
use lsl::watch::{Bounds, Watch};
use model::interp::{Interp, State, Violation};
use model::{Action, Program, Value};
use source::SourceMap;

/// A snippet and what is expected of it.
struct Case {
    line: usize,
    script: String,
    expect: Vec<String>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut script = None;
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else {
            continue;
        };
        let body: Vec<&str> = lines
            .by_ref()
            .map(|(_, line)| line)
            .take_while(|line| *line != "```")
            .collect();
        match kind {
            "lsl" => script = Some((number + 1, body.join("\n"))),
            "expect" => {
                let (line, script) = script.take().expect("an expectation follows a script");
                cases.push(Case {
                    line,
                    script,
                    expect: body.iter().map(|&line| line.to_owned()).collect(),
                });
            }
            other => panic!("unknown block {other:?}"),
        }
    }
    cases
}

struct Runner<'p> {
    program: &'p Program,
    interp: Interp<'p>,
    faults: BTreeSet<String>,
}

impl Runner<'_> {
    /// The states behind each of these, by macro steps whose first move is the script's
    /// (`event` is `None`) or is the world's step of this name.
    fn follow(&mut self, states: &[State], event: Option<&str>) -> Vec<State> {
        let mut found = Vec::new();
        for state in states {
            let expansion = self.interp.expand(state).expect("no overflow");
            assert!(expansion.diverges.is_none(), "a handler never returns");
            for (violation, _) in &expansion.violations {
                let Violation::Fault(fault) = violation else {
                    continue;
                };
                if event.is_none() || expansion.violations.len() == 1 {
                    self.faults
                        .insert(self.program.faults[fault.index()].name.clone());
                }
            }
            for successor in expansion.successors {
                let first = successor.step.moves[0].parts[0];
                let Action::Step(step) = first.action else {
                    continue;
                };
                let label = self.program.processes[first.instance as usize].steps[step.index()]
                    .label
                    .as_deref();
                let wanted = match event {
                    None => first.instance == 1,
                    Some(name) => first.instance == 0 && label == Some(name),
                };
                let state = self.interp.stored(&successor.state);
                if wanted && !found.contains(&state) {
                    found.push(state);
                }
            }
        }
        found
    }

    /// Runs `state_entry` wherever one is due.
    fn settle(&mut self, mut states: Vec<State>) -> Vec<State> {
        let mut settled: Vec<State> = Vec::new();
        for _ in 0..100 {
            let mut next = Vec::new();
            for state in states {
                let followed = self.follow(std::slice::from_ref(&state), None);
                if followed.is_empty() {
                    if !settled.contains(&state) {
                        settled.push(state);
                    }
                } else {
                    next.extend(followed);
                }
            }
            if next.is_empty() {
                return settled;
            }
            states = next;
        }
        panic!("state_entry goes on for ever");
    }
}

fn shown(program: &Program, value: &Value) -> String {
    match value {
        Value::Int(n) => n.to_string(),
        Value::Bool(b) => b.to_string(),
        other => lsl::library::display(&program.rich, other),
    }
}

/// What differs from the expectation.
fn run(case: &Case) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("snippet.lsl", case.script.as_str());
    let (checked, diagnostics) = lsl::analyze(sources.file(file));
    let mut problems = String::new();
    for diagnostic in diagnostics.iter().filter(|d| d.is_error()) {
        let _ = writeln!(problems, "{}", diagnostic.message);
    }
    if !problems.is_empty() {
        return problems;
    }
    let Lowered {
        program,
        layout,
        diagnostics,
        ..
    } = lower(
        "snippet",
        &checked,
        &Watch::default(),
        &Bounds::default(),
        Delivery::Lazy,
    );
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let mut runner = Runner {
        program: &program,
        interp: Interp::new(&program),
        faults: BTreeSet::new(),
    };
    let initial: Vec<State> = runner
        .interp
        .initial()
        .expect("no overflow")
        .into_iter()
        .map(|(_, state)| runner.interp.stored(&state))
        .collect();
    let mut states = runner.settle(initial);
    let mut expect = case.expect.as_slice();
    if let Some(events) = expect.first().and_then(|line| line.strip_prefix("after ")) {
        expect = &expect[1..];
        for event in events.split(", ") {
            states = runner.follow(&states, Some(event));
            states = runner.settle(states);
            if states.is_empty() {
                let _ = writeln!(problems, "{event} cannot happen");
                return problems;
            }
        }
    }
    for line in expect.iter().filter(|line| !line.is_empty()) {
        let (name, wanted) = line.split_once(" = ").expect("`name = value`");
        let found: BTreeSet<String> = match name {
            "fault" => runner.faults.clone(),
            "state" => states
                .iter()
                .map(|state| {
                    let at = state.globals[layout.state.index()].number();
                    let at = usize::try_from(at).expect("a position");
                    program.enums[layout.states.index()].members[at].clone()
                })
                .collect(),
            _ => match checked.global_named(name) {
                Some(id) => states
                    .iter()
                    .map(|state| {
                        let global = layout.globals[id.index()];
                        shown(&program, &state.globals[global.index()])
                    })
                    .collect(),
                None => {
                    let _ = writeln!(problems, "there is no variable {name}");
                    continue;
                }
            },
        };
        let wanted: BTreeSet<String> = wanted.split(" | ").map(str::to_owned).collect();
        if wanted != found {
            let _ = writeln!(problems, "{name} is {found:?}, expected {wanted:?}");
        }
    }
    problems
}

fn check(name: &str, text: &str, least: usize) {
    let cases = cases(text);
    assert!(cases.len() >= least, "{name} has {} cases", cases.len());
    let mut report = String::new();
    for case in &cases {
        let problems = run(case);
        if !problems.is_empty() {
            let _ = writeln!(report, "{name}:{}\n{problems}", case.line);
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn evaluation() {
    check("evaluation.md", include_str!("semantics/evaluation.md"), 8);
}

#[test]
fn values() {
    check("values.md", include_str!("semantics/values.md"), 8);
}

#[test]
fn control_flow() {
    check(
        "control_flow.md",
        include_str!("semantics/control_flow.md"),
        8,
    );
}

#[test]
fn states() {
    check("states.md", include_str!("semantics/states.md"), 8);
}

#[test]
fn world() {
    check("world.md", include_str!("semantics/world.md"), 8);
}

#[test]
fn a_wrong_expectation_is_noticed() {
    let text = "```lsl\ninteger n = 1;\ndefault { state_entry() { n /= 0; } }\n```\n\
                ```expect\nn = 2\nfault = stack-heap-collision\nm = 1\n```\n";
    let cases = cases(text);
    let problems = run(&cases[0]);
    assert_eq!(problems.lines().count(), 3, "{problems}");
}

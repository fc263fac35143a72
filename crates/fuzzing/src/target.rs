//! The readers of what comes from outside, each with all that follows it.

use std::hash::{Hash, Hasher};

use model::{Claim, Program};
use probity::InMemory;
use rapidhash::quality::RapidHasher;
use source::Loaded;

/// How far an input is followed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Depth {
    /// It is read, and lowered if it is a program.
    Read,
    /// Passes, engines, translation, simulation and the report follow.
    Whole,
}

/// What reading an input showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Whether it was accepted.
    pub accepted: bool,
    /// What tells it from other inputs: diagnostics, and the shape of the program.
    pub features: Vec<u64>,
}

/// A reader.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Whether its inputs are texts.
    pub is_text: bool,
    /// Makes examples that cannot be kept in files: those that hold what only this build knows.
    pub made: fn() -> Vec<Vec<u8>>,
    /// Reads an input.
    pub read: fn(&[u8]) -> Seen,
    /// Follows an accepted input to the end, by one of the ways there are.
    pub whole: fn(&[u8]),
}

impl Target {
    /// All readers.
    pub const ALL: &'static [Target] = &[
        Target {
            name: "lsl",
            is_text: true,
            made: Vec::new,
            read: |input| {
                of_text(input, |text| {
                    loaded(&lsl::load("f.lsl", text, &lsl::Options::default()))
                })
            },
            whole: |input| whole("f.lsl", input, &[]),
        },
        Target {
            name: "promela",
            is_text: true,
            made: Vec::new,
            read: |input| of_text(input, |text| promela(text, Vec::new())),
            whole: |input| whole("f.pml", input, &[]),
        },
        Target {
            name: "smv",
            is_text: true,
            made: Vec::new,
            read: |input| of_text(input, |text| smv(text, Vec::new())),
            whole: |input| whole("f.smv", input, &[]),
        },
        Target {
            name: "tscript",
            is_text: true,
            made: Vec::new,
            read: |input| of_text(input, |text| tscript(text, Vec::new())),
            whole: |input| whole("f.tb", input, &[]),
        },
        Target {
            name: "nodegraph",
            is_text: true,
            made: Vec::new,
            read: |input| of_text(input, |text| nodes(text, Vec::new(), Vec::new())),
            whole: |input| whole("f.json", input, &[]),
        },
        Target {
            name: "blueprint",
            is_text: true,
            made: Vec::new,
            read: |input| of_text(input, |text| graph("f.t3d", text)),
            whole: |input| whole("f.t3d", input, &[]),
        },
        Target {
            name: "gltf",
            is_text: true,
            made: Vec::new,
            read: |input| of_text(input, |text| graph("f.gltf", text)),
            whole: |input| whole("f.gltf", input, &[]),
        },
        Target {
            name: "script-canvas",
            is_text: true,
            made: Vec::new,
            read: |input| of_text(input, |text| graph("f.scriptcanvas", text)),
            whole: |input| whole("f.scriptcanvas", input, &[]),
        },
        Target {
            name: "unity",
            is_text: true,
            made: Vec::new,
            read: |input| of_text(input, |text| graph("f.asset", text)),
            whole: |input| whole("f.asset", input, &[]),
        },
        Target {
            name: "orchestrator",
            is_text: true,
            made: Vec::new,
            read: |input| of_text(input, |text| graph("f.torch", text)),
            whole: |input| whole("f.torch", input, &[]),
        },
        Target {
            name: "node-table",
            is_text: true,
            made: Vec::new,
            read: |input| {
                of_text(input, |text| {
                    nodes(TABLED, vec![("t.nodes".into(), text.into())], Vec::new())
                })
            },
            whole: |input| {
                whole(
                    "g.json",
                    TABLED.as_bytes(),
                    &[("t.nodes", input, "--nodes")],
                );
            },
        },
        Target {
            name: "tvm",
            is_text: true,
            made: Vec::new,
            read: |input| {
                of_text(input, |text| {
                    loaded(&tvm::load("f.tvm", text, &[], &|_| None))
                })
            },
            whole: |input| whole("f.tvm", input, &[]),
        },
        Target {
            name: "java",
            is_text: true,
            made: Vec::new,
            read: |input| of_text(input, |text| loaded(&java::load("f.java", text))),
            whole: |input| whole("f.java", input, &[]),
        },
        Target {
            name: "aiger",
            is_text: true,
            made: Vec::new,
            read: circuit,
            whole: |input| whole("f.aag", input, &[]),
        },
        Target {
            name: "aiger-binary",
            is_text: false,
            made: Vec::new,
            read: circuit,
            whole: |input| whole("f.aig", input, &[]),
        },
        Target {
            name: "aut",
            is_text: true,
            made: Vec::new,
            read: |input| of_text(input, labelled_graph),
            whole: |input| whole("f.aut", input, &[]),
        },
        Target {
            name: "wasm",
            is_text: false,
            made: Vec::new,
            read: |input| {
                let policy = "deny to public { permission function connect except \"good\"* }";
                let options = wasm::Options {
                    policies: vec![("f.policy".to_owned(), policy.to_owned())],
                    ..wasm::Options::default()
                };
                loaded(&wasm::load("f.wasm", input, &options))
            },
            whole: |input| whole("f.wasm", input, &[]),
        },
        Target {
            name: "property-lsl",
            is_text: true,
            made: Vec::new,
            read: |input| {
                of_text(input, |text| {
                    let options = lsl::Options {
                        extra_properties: vec![text.into()],
                        ..lsl::Options::default()
                    };
                    loaded(&lsl::load("f.lsl", SCRIPT, &options))
                })
            },
            whole: |input| asked("f.lsl", SCRIPT, input),
        },
        Target {
            name: "property-promela",
            is_text: true,
            made: Vec::new,
            read: |input| of_text(input, |text| promela(MODEL, vec![text.into()])),
            whole: |input| asked("f.pml", MODEL, input),
        },
        Target {
            name: "property-smv",
            is_text: true,
            made: Vec::new,
            read: |input| of_text(input, |text| smv(MODULE, vec![text.into()])),
            whole: |input| asked("f.smv", MODULE, input),
        },
        Target {
            name: "property-tscript",
            is_text: true,
            made: Vec::new,
            read: |input| of_text(input, |text| tscript(BUS, vec![text.into()])),
            whole: |input| asked("f.tb", BUS, input),
        },
        Target {
            name: "property-nodegraph",
            is_text: true,
            made: Vec::new,
            read: |input| of_text(input, |text| nodes(GRAPH, Vec::new(), vec![text.into()])),
            whole: |input| asked("f.json", GRAPH, input),
        },
        Target {
            name: "trace",
            is_text: true,
            made: Vec::new,
            read: |input| {
                let system = InMemory::default()
                    .with_file("f.pml", MODEL)
                    .with_file("run.json", input);
                let words = ["probity", "simulate", "f.pml", "--replay", "run.json"];
                let status = probity::run(&words, &system);
                Seen {
                    accepted: status < 2,
                    features: vec![feature(&(
                        status,
                        system.err().len(),
                        system.out().len() / 16,
                    ))],
                }
            },
            whole: |_| {},
        },
        Target {
            name: "checkpoint",
            is_text: false,
            made: checkpoints,
            read: |input| {
                let system = InMemory::default()
                    .with_file("f.pml", SEARCHED)
                    .with_file("saved", input);
                let words = ["probity", "check", "f.pml", "--resume", "saved"];
                let status = probity::run(&[&words, SEARCH, &["20ms"]].concat(), &system);
                Seen {
                    accepted: status != 2,
                    features: vec![feature(&(status, system.err().len()))],
                }
            },
            whole: |_| {},
        },
    ];

    /// The reader of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Target> {
        Target::ALL.iter().find(|target| target.name == name)
    }
}

/// A script for properties to speak of.
const SCRIPT: &str = "\
integer open; integer paid;
//@ bound amount = 0..3;
//@ property shut: always open == 0;
default {
    touch_start(integer n) { open = 1 - open; llSay(0, \"now\"); }
    money(key who, integer amount) { paid += amount; }
}
";
/// The same in Promela.
const MODEL: &str = "\
byte x; bool b; mtype = { red, green }; mtype light = red; chan q = [1] of { byte };
active proctype p() { do :: x < 3 -> x++; q ! x :: q ? x -> b = !b :: light = green od }
ltl stays { [] (x < 3) }
";
/// The same in SMV.
const MODULE: &str = "\
MODULE main
VAR x : 0..3; b : boolean; m : {red, green};
ASSIGN init(x) := 0; next(x) := case x < 3 : x + 1; TRUE : 0; esac;
";
/// The same for the ToolBus.
const BUS: &str = "\
process A is let N : int in (snd-msg(m(1)) . rec-msg(n(N?))) * delta endlet
process B is let N : int in (rec-msg(m(N?)) . snd-msg(n(N))) * delta endlet
toolbus(A, B)
";
/// The same as nodes.
const GRAPH: &str = r#"{
  "nodegraph": 1,
  "name": "g",
  "flags": {"EventMode": false},
  "nodes": [
    {"name": "Start", "kind": "ScriptStart"},
    {"name": "On", "kind": "SetEventMode"},
    {"name": "Clip", "kind": "MovieClip"},
    {"name": "Off", "kind": "SetEventMode"}
  ],
  "links": ["Start.Out -> On.Enable", "On.Out -> Clip.Start", "Clip.Finished -> Off.Disable"]
}"#;
/// A graph of kinds that a table describes.
const TABLED: &str = r#"{
  "nodegraph": 1,
  "name": "g",
  "nodes": [
    {"name": "Start", "kind": "ScriptStart"},
    {"name": "A", "kind": "One"},
    {"name": "B", "kind": "Two"}
  ],
  "links": ["Start.Out -> A.In", "A.Out -> B.In"]
}"#;

/// A model that is not searched in no time.
const SEARCHED: &str = "\
int a, b; byte c; chan q = [2] of { byte };
active [2] proctype p() { do :: a++ :: b = b + 3 :: q ! c :: q ? c od }
active proctype r() { assert(a < 1000000) }
";
/// How it is searched.
const SEARCH: &[&str] = &["--engine", "explicit", "--jobs", "1", "--timeout"];

/// Checkpoints of a search that was stopped: as early as there is something to save.
fn checkpoints() -> Vec<Vec<u8>> {
    for time in ["50ms", "100ms", "200ms", "400ms", "800ms", "3s"] {
        let system = InMemory::default().with_file("f.pml", SEARCHED);
        let words = ["probity", "check", "f.pml", "--checkpoint", "saved"];
        probity::run(&[&words, SEARCH, &[time]].concat(), &system);
        if let Some(saved) = system.contents("saved") {
            return vec![saved];
        }
    }
    Vec::new()
}

fn of_text(input: &[u8], read: impl FnOnce(&str) -> Seen) -> Seen {
    match source::decode(input.to_vec()) {
        Ok(text) => read(&text),
        Err(_) => Seen {
            accepted: false,
            features: Vec::new(),
        },
    }
}

fn promela(text: &str, extra_properties: Vec<String>) -> Seen {
    let options = promela::Options {
        extra_properties,
        ..promela::Options::default()
    };
    loaded(&promela::load("f.pml", text, &options))
}

fn smv(text: &str, extra_properties: Vec<String>) -> Seen {
    let options = smv::Options {
        extra_properties,
        ..smv::Options::default()
    };
    loaded(&smv::load("f.smv", text, &options))
}

fn tscript(text: &str, extra_properties: Vec<String>) -> Seen {
    let options = tscript::Options {
        extra_properties,
        extent: tscript::Extent::Guessed,
        ..tscript::Options::default()
    };
    loaded(&tscript::load("f.tb", text, &options))
}

fn nodes(text: &str, tables: Vec<(String, String)>, extra_properties: Vec<String>) -> Seen {
    let options = nodegraph::Options {
        tables,
        extra_properties,
        ..nodegraph::Options::default()
    };
    loaded(&nodegraph::load("f.json", text, &options))
}

fn graph(name: &str, text: &str) -> Seen {
    loaded(&nodegraph::load(name, text, &nodegraph::Options::default()))
}

/// A graph and, behind an empty line, a formula.
fn labelled_graph(text: &str) -> Seen {
    let (graph, formula) = text.split_once("\n\n").unwrap_or((text, ""));
    let formula = Some(formula).filter(|formula| !formula.is_empty());
    let options = aut::Options {
        extra_properties: formula.map(str::to_owned).into_iter().collect(),
        ..aut::Options::default()
    };
    loaded(&aut::load("f.aut", graph, &options))
}

fn circuit(input: &[u8]) -> Seen {
    loaded(&aiger::load("f.aig", input, &aiger::Options::default()))
}

/// What a front end made of an input.
fn loaded(loaded: &Loaded<Program>) -> Seen {
    let mut features: Vec<u64> = loaded
        .diagnostics
        .iter()
        .map(|d| feature(&d.code))
        .collect();
    if let Some(program) = &loaded.program {
        let rough = |count: usize| count.checked_ilog2();
        for property in &program.properties {
            let claim = std::mem::discriminant::<Claim>(&property.claim);
            features.push(feature(&("claim", claim)));
        }
        let steps = || program.processes.iter().flat_map(|process| &process.steps);
        for step in steps() {
            features.push(feature(&(
                "step",
                step.body.len().min(6),
                step.binds.len().min(3),
            )));
            if let Some(comm) = &step.comm {
                features.push(feature(&("comm", std::mem::discriminant(comm))));
            }
            features.push(feature(&("target", std::mem::discriminant(&step.target))));
        }
        features.push(feature(&(
            "sizes",
            rough(program.processes.len()),
            rough(steps().count()),
            rough(program.globals.len()),
        )));
        features.push(feature(&("assumptions", program.assumptions.len().min(20))));
        features.push(feature(&("functions", program.functions.len())));
        if let Some(predicates) = &program.predicates {
            features.push(feature(&(
                "predicates",
                rough(predicates.predicates.len()),
                rough(predicates.constraints.len()),
                predicates.initial.len().min(3),
            )));
            for action in &predicates.actions {
                features.push(feature(&(
                    "action",
                    action.free,
                    action.updates.len().min(6),
                    (action.creates.len().min(2), action.retains.is_some()),
                    (
                        action.reports.len().min(2),
                        action.reports_after.len().min(2),
                    ),
                )));
            }
        }
    }
    Seen {
        accepted: loaded.program.is_some(),
        features,
    }
}

fn feature(what: &impl Hash) -> u64 {
    let mut hasher = RapidHasher::default();
    what.hash(&mut hasher);
    hasher.finish()
}

/// The ways on from a script.
const WAYS: &[&[&str]] = &[
    &["check"],
    &["check", "--engine", "explicit"],
    &["check", "--engine", "symbolic"],
    &["check", "--engine", "sat"],
    &["check", "--passes", "none", "--verbose"],
    &["check", "--format", "json", "--unreached", "--all-errors"],
    &[
        "check",
        "--storage",
        "compressed",
        "--reduce",
        "none",
        "--html",
        "page.html",
    ],
    &["simulate", "--steps", "30", "--verbose"],
    &["translate", "--to", "promela"],
    &["translate", "--to", "smv"],
    &["translate", "--to", "aiger"],
    &["translate", "--to", "mcrl2", "--states", "200"],
    &["translate", "--to", "dot"],
    &[
        "translate",
        "--to",
        "aut",
        "--states",
        "200",
        "--reduce",
        "branching",
    ],
];

/// Follows a script, by a way that depends on its text.
fn whole(name: &str, input: &[u8], others: &[(&str, &[u8], &str)]) {
    let way = usize::try_from(feature(&input) % WAYS.len() as u64).unwrap_or_default();
    let mut system = InMemory::default().with_file(name, input);
    let mut words = vec!["probity"];
    words.extend(WAYS[way]);
    words.push(name);
    for (other, text, option) in others {
        system = system.with_file(*other, *text);
        words.extend([*option, *other]);
    }
    // Whatever the engines and the simulator could still find out is not what is looked for.
    words.extend(["--timeout", "200ms", "--memory", "1G"]);
    if words[1] == "check" {
        words.extend(["--jobs", "1"]);
    }
    probity::run(&words, &system);
    let err = system.err();
    assert!(
        !err.contains("Usage: "),
        "the fuzzer's own command line is wrong: {err}"
    );
}

/// Checks a property of a script.
fn asked(name: &str, script: &str, property: &[u8]) {
    let system = InMemory::default().with_file(name, script);
    let property = String::from_utf8_lossy(property);
    let words = [
        "probity",
        "check",
        name,
        "--property",
        &property,
        "--timeout",
        "100ms",
        "--jobs",
        "1",
    ];
    probity::run(&words, &system);
}

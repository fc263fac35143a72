//! What can be seen before a fault stays seen, and a fault is reported though nobody reads its
//! value: every engine, with passes and without, against the reference interpreter on random programs.
//!
//! `PROBITY_RANDOM_PROGRAMS` sets how many, `PROBITY_RANDOM_SEED` the first.

#![expect(clippy::print_stdout, reason = "the spread is for people")]

#[path = "faults/generate.rs"]
mod generate;
#[path = "../../passes/tests/passes/verdicts.rs"]
#[expect(dead_code, reason = "the tests of the passes need more of it")]
mod verdicts;

use std::collections::{BTreeMap, HashSet};

use generate::{FAULTS, Generated, MU, generate};
use model::interp::{Interp, Occurrence, Violation};
use model::{Claim, Program, Property, Silent, Verdict};
use passes::{Pass, Selection};
use verdicts::{Graph, verdict};
use verify::{Engine, Reduce, Tuning};

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

/// Of how many verdicts how many are which.
#[derive(Clone, Copy, Default, Debug)]
struct Count {
    holds: usize,
    fails: usize,
    unknown: usize,
}

#[derive(Default)]
struct Spread {
    programs: usize,
    states: Vec<usize>,
    /// In how many programs a fault of each kind can be reached.
    faults: BTreeMap<&'static str, usize>,
    /// In how many programs something is seen in a macro step that faults, before it does.
    seen_before: usize,
    constructs: BTreeMap<&'static str, usize>,
    claims: BTreeMap<String, Count>,
    engines: BTreeMap<String, Count>,
}

/// What the interpreter says of a property.
fn expected(graph: &Graph<'_>, labelled: &Labelled, property: &Property, at: usize) -> bool {
    match property.claim {
        Claim::Mu(_) if property.name == MU[0].0 => !labelled.ends.is_empty(),
        Claim::Mu(_) => labelled.stops_behind,
        _ => verdict(graph, model::PropertyId::new(at)).is_some(),
    }
}

/// What formulas over the event depend on.
struct Labelled {
    /// The states to which steps lead in which the event happens.
    ends: HashSet<model::interp::State>,
    /// Whether nothing follows one of them.
    stops_behind: bool,
}

fn labelled(generated: &Generated, graph: &Graph<'_>) -> Labelled {
    let interp = Interp::new(&generated.program).with_labels();
    let mut ends = HashSet::new();
    for node in &graph.nodes {
        let expansion = interp.expand(&interp.stored(node)).expect("it is small");
        for successor in expansion.successors {
            let mut happenings = successor.label.iter();
            if happenings.any(|happening| happening.event == generated.event) {
                ends.insert(interp.stored(&successor.state));
            }
        }
    }
    let stops = |end: &model::interp::State| {
        let expansion = interp.expand(end).expect("it is small");
        expansion.successors.is_empty()
    };
    let stops_behind = ends.iter().any(stops);
    Labelled { ends, stops_behind }
}

/// How properties are checked, by name: without passes and with some.
fn ways(seed: u64) -> Vec<(String, verify::Options)> {
    let single = Pass::ALL[(seed / 3 % 7) as usize];
    let others: Vec<Pass> = Pass::ALL.into_iter().filter(|&p| p != single).collect();
    let (some, selection) = match seed % 3 {
        0 => ("one pass", Selection::of(&[single])),
        1 => ("all passes but one", Selection::of(&others)),
        _ => ("all passes", Selection::all()),
    };
    let with = |engine: Engine, passes: &Selection| verify::Options {
        jobs: 1,
        engine: Some(engine),
        passes: passes.clone(),
        reduce: match seed % 2 {
            0 => Reduce::None,
            _ => Reduce::Por,
        },
        tuning: Tuning::drawn(seed),
        ..verify::Options::default()
    };
    let mut ways = Vec::new();
    for engine in [Engine::Explicit, Engine::Sat] {
        ways.push((format!("{engine}, {some}"), with(engine, &selection)));
        ways.push((
            format!("{engine}, no pass"),
            with(engine, &Selection::none()),
        ));
    }
    ways.push((format!("dfs, {some}"), with(Engine::Dfs, &selection)));
    // These do without passes.
    for engine in [Engine::Symbolic, Engine::Games] {
        ways.push((engine.to_string(), with(engine, &Selection::none())));
    }
    ways
}

fn compare(seed: u64, spread: &mut Spread) {
    let generated = generate(seed);
    let program = &generated.program;
    program
        .validate()
        .unwrap_or_else(|error| panic!("seed {seed}: {error:?}"));
    let Some(graph) = Graph::of(program, 600) else {
        panic!("seed {seed}: too many states");
    };
    let labelled = labelled(&generated, &graph);
    let fails: Vec<bool> = program
        .properties
        .iter()
        .enumerate()
        .map(|(at, property)| expected(&graph, &labelled, property, at))
        .collect();
    spread.programs += 1;
    spread.states.push(graph.nodes.len());
    for construct in &generated.constructs {
        *spread.constructs.entry(construct).or_default() += 1;
    }
    for (kind, name) in FAULTS.into_iter().enumerate() {
        let fault = Violation::Fault(model::FaultId::new(kind));
        if graph.violations.iter().any(|(found, ..)| *found == fault) {
            *spread.faults.entry(name).or_default() += 1;
        }
    }
    spread.seen_before += usize::from(is_seen_before(&generated, &graph));
    for (property, &fails) in program.properties.iter().zip(&fails) {
        let count = spread.claims.entry(sort(program, property)).or_default();
        count.fails += usize::from(fails);
        count.holds += usize::from(!fails);
    }
    for (name, options) in ways(seed) {
        let outcomes = verify::check(program, &options, &Silent);
        assert_eq!(outcomes.len(), fails.len(), "seed {seed}, {name}");
        let count = spread.engines.entry(name.clone()).or_default();
        for outcome in outcomes {
            let at = outcome.property.index();
            let property = &program.properties[at];
            let told = match &outcome.verdict {
                Verdict::Fails { .. } => {
                    count.fails += 1;
                    true
                }
                Verdict::Holds { .. } => {
                    count.holds += 1;
                    false
                }
                Verdict::Unknown { .. } => {
                    count.unknown += 1;
                    assert!(
                        !must_know(options.engine, &property.claim),
                        "seed {seed}, {name}, {:?}: {:?}",
                        property.claim,
                        outcome.verdict
                    );
                    continue;
                }
                other => panic!("seed {seed}, {name}, {:?}: {other:?}", property.claim),
            };
            assert_eq!(
                told, fails[at],
                "seed {seed}, {name}: {:?} fails\n{program:#?}",
                property.claim
            );
        }
    }
}

/// Whether an engine has to have an answer.
fn must_know(engine: Option<Engine>, claim: &Claim) -> bool {
    match engine {
        Some(Engine::Explicit) => !matches!(claim, Claim::Mu(_)),
        Some(Engine::Dfs) => !matches!(claim, Claim::Mu(_) | Claim::Ltl(_)),
        Some(Engine::Games) => matches!(claim, Claim::Mu(_)),
        _ => false,
    }
}

/// Whether in a macro step an event is seen or an assertion fails, and then something faults.
fn is_seen_before(generated: &Generated, graph: &Graph<'_>) -> bool {
    let faults = graph.violations.iter();
    let mut faults = faults.filter(|(violation, ..)| matches!(violation, Violation::Fault(_)));
    faults.any(|(_, node, step)| {
        let trace = graph.trace_to(*node, Some(step));
        let interp = Interp::new(&generated.program);
        let replay = interp.replay(&trace).expect("it is a run");
        let last = replay.steps.last().expect("it has a last step");
        last.occurrences.iter().any(|occurrence| {
            matches!(
                occurrence,
                Occurrence::Event { .. } | Occurrence::Failed { .. }
            )
        })
    })
}

/// The sort of a claim.
fn sort(program: &Program, property: &Property) -> String {
    match &property.claim {
        Claim::NoFault(faults) => {
            let fault = &program.faults[faults[0].index()];
            format!("no fault: {}", fault.name)
        }
        _ => property.name.clone(),
    }
}

#[test]
fn what_happens_before_a_fault_is_seen() {
    let first = from_environment("PROBITY_RANDOM_SEED", 1);
    let count = from_environment("PROBITY_RANDOM_PROGRAMS", 45);
    let mut spread = Spread::default();
    for seed in first..first + count {
        compare(seed, &mut spread);
    }
    spread.states.sort_unstable();
    let median = spread.states[spread.states.len() / 2];
    println!(
        "{} programs, states: median {median}, most {:?}; seen before a fault in {}",
        spread.programs,
        spread.states.last(),
        spread.seen_before
    );
    println!("faults: {:?}", spread.faults);
    println!("constructs: {:?}", spread.constructs);
    println!("claims: {:?}", spread.claims);
    println!("engines: {:?}", spread.engines);
    if spread.programs < 30 {
        return;
    }
    let part = |count: usize, percent: usize| count * 100 >= spread.programs * percent;
    assert!(part(spread.seen_before, 20), "little is seen before faults");
    for name in FAULTS {
        let count = spread.faults.get(name).copied().unwrap_or(0);
        assert!(part(count, 5), "{name} is rare");
    }
    for (construct, &count) in &spread.constructs {
        assert!(part(count, 5), "{construct} is rare");
    }
    let all = spread.claims.values().copied();
    let (holds, fails) = all.fold((0, 0), |(h, f), c| (h + c.holds, f + c.fails));
    assert!(fails * 10 >= (holds + fails) * 3, "too few fail");
    assert!(fails * 10 <= (holds + fails) * 7, "too few hold");
    for (name, count) in spread.claims.iter().chain(&spread.engines) {
        assert!(count.holds > 0 && count.fails > 0, "{name}: {count:?}");
    }
}

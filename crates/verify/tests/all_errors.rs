//! All failing places of a property, against plain exploration with the interpreter: with all
//! passes and with none, by one thread and by two.

#![expect(
    clippy::unwrap_used,
    reason = "a test may stop at what it does not expect"
)]

use std::collections::{BTreeSet, HashSet};

use model::interp::{Interp, Occurrence, ReplayedStep, State};
use model::{Claim, Program, Silent, Verdict};
use source::SourceMap;
use verify::{Options, Outcome, check};

fn load(text: &str) -> (Program, SourceMap) {
    let loaded = promela::load("m.pml", text, &promela::Options::default());
    let diagnostics = loaded.diagnostics;
    let program = loaded.program;
    (
        program.unwrap_or_else(|| panic!("{diagnostics:?}")),
        loaded.sources,
    )
}

/// What fails at the end of a run, in words: assertions and statements with faults by their texts,
/// deadlocks by who is stuck where.
#[derive(Default, PartialEq, Eq, Debug)]
struct Places {
    checks: BTreeSet<String>,
    faults: BTreeSet<String>,
    stuck: BTreeSet<Vec<(u32, u32)>>,
}

impl Places {
    fn step(&mut self, program: &Program, sources: &SourceMap, step: &ReplayedStep) {
        for occurrence in &step.occurrences {
            match occurrence {
                Occurrence::Failed { span, .. } => {
                    self.checks.insert(sources.snippet(*span).to_owned());
                }
                Occurrence::Fault { fault, span, .. } => {
                    let message = &program.faults[fault.index()].message;
                    let text = format!("{message}: {}", sources.snippet(*span));
                    self.faults.insert(text);
                }
                _ => {}
            }
        }
    }

    fn state(&mut self, program: &Program, interp: &Interp<'_>, state: &State) {
        let stored = interp.stored(state);
        if interp.moves(&stored).is_empty() && !interp.is_valid_end(&stored) {
            let mut stuck = Vec::new();
            for (_, instance) in stored.living() {
                let process = &program.processes[instance.process.index()];
                if let Some(at) = instance.location
                    && !process.locations[at.index()].end
                {
                    stuck.push((instance.process.0, at.0));
                }
            }
            stuck.sort_unstable();
            self.stuck.insert(stuck);
        }
    }
}

/// Every place, by going through all states.
fn every_place(program: &Program, sources: &SourceMap) -> Places {
    let interp = Interp::new(program);
    let mut known = HashSet::new();
    let mut places = Places::default();
    let mut waiting: Vec<_> = interp.initial().unwrap().into_iter().map(|i| i.1).collect();
    while let Some(state) = waiting.pop() {
        let stored = interp.stored(&state);
        if !known.insert(stored.clone()) {
            continue;
        }
        assert!(known.len() < 20_000, "a small model");
        places.state(program, &interp, &state);
        for successor in interp.expand(&stored).unwrap().successors {
            let (step, _) = interp.replay_step(0, &stored, &successor.step).unwrap();
            places.step(program, sources, &step);
            waiting.push(successor.state);
        }
    }
    places
}

/// The places that the outcomes name; each run has to bring one that no shorter one has.
fn places_of(program: &Program, sources: &SourceMap, outcomes: &[Outcome]) -> Places {
    let interp = Interp::new(program);
    let mut places = Places::default();
    for outcome in outcomes {
        let replays = outcome.replay.iter();
        let others = outcome.others.iter().map(|failure| &failure.replay);
        for replay in replays.chain(others) {
            let last = replay.steps.len();
            match program.properties[outcome.property.index()].claim {
                Claim::NoDeadlock => places.state(program, &interp, replay.state(last)),
                _ => places.step(program, sources, replay.steps.last().unwrap()),
            }
        }
        assert!(!outcome.others_cut);
    }
    places
}

const MODELS: &[&str] = &[
    // The same text twice is two assertions; one never fails.
    "byte n; active [2] proctype P() { do :: n < 3 -> n++ :: n == 2 -> assert(n == 1) :: n == 3 -> assert(n == 1); break :: assert(n < 9) :: n == 3 -> assert(n + n < 6) od }",
    // Faults of one kind in several lines, and of several kinds in one place of control.
    "byte a[2], n, i; active proctype P() { i = 5; if :: n = 1 / n :: n = 2 / n :: a[i] = 1 :: n = 1; a[i - n] = 2 :: n = 3 % n fi; n = 7 / n }",
    // Ways of being stuck: before a channel, in the middle, with others gone.
    "chan q = [0] of { bit }; chan r = [1] of { bit }; active proctype S() { bit b; do :: q!0 :: r!1 :: r?b; q?b :: break od; end: q?b }
     active [2] proctype R() { if :: q?_ :: r?_ ; r?_ :: true fi }",
    // Failures inside of indivisible sequences and at run-time started instances.
    "byte n; proctype C(byte k) { atomic { n = n + k; assert(n < 3); n = n / (k - 1) } }
     init { run C(1); run C(2); run C(3); n == 6; assert(false) }",
];

#[test]
fn every_failing_place_is_found_once() {
    let mut several = Places::default();
    for text in MODELS {
        let (program, sources) = load(text);
        let expected = every_place(&program, &sources);
        for passes in [passes::Selection::all(), passes::Selection::none()] {
            for jobs in [1, 2] {
                let options = Options {
                    all_errors: true,
                    passes: passes.clone(),
                    jobs,
                    ..Options::default()
                };
                let outcomes = check(&program, &options, &Silent);
                let found = places_of(&program, &sources, &outcomes);
                assert_eq!(found, expected, "{text}");
                for outcome in &outcomes {
                    let places = outcome.others.len() + usize::from(outcome.replay.is_some());
                    assert_eq!(places > 0, matches!(outcome.verdict, Verdict::Fails { .. }));
                }
                // The first failures are those of an ordinary search.
                let ordinary = Options {
                    all_errors: false,
                    ..options
                };
                for (one, all) in check(&program, &ordinary, &Silent).iter().zip(&outcomes) {
                    assert!(one.others.is_empty());
                    let steps = |outcome: &Outcome| outcome.replay.as_ref().map(|r| r.steps.len());
                    assert_eq!(steps(one), steps(all), "{text}");
                }
            }
        }
        several.checks.extend(expected.checks);
        several.faults.extend(expected.faults);
        several.stuck.extend(expected.stuck);
    }
    assert!(several.checks.len() >= 3, "{several:?}");
    assert!(several.faults.len() >= 5, "{several:?}");
    assert!(several.stuck.len() >= 5, "{several:?}");
}

#[test]
fn equal_assertions_in_two_lines_are_two_places() {
    let (program, _) = load(MODELS[0]);
    let options = Options {
        all_errors: true,
        ..Options::default()
    };
    let outcomes = check(&program, &options, &Silent);
    let assertions = outcomes
        .iter()
        .find(|outcome| {
            matches!(
                program.properties[outcome.property.index()].claim,
                Claim::Check(_)
            )
        })
        .unwrap();
    assert_eq!(assertions.others.len(), 2);
}

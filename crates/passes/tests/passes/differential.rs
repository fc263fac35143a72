//! Every pass against its absence, on random programs: the verdicts, straight from the reference
//! interpreter, have to agree, and failures have to lift. With `SEED=n` or
//! `SEED=n..m` in the environment, other programs are looked at.

use std::collections::BTreeMap;

use crate::random::generate;
use crate::verdicts::{Failure, Graph, LIMIT, verdict};
use model::interp::Interp;
use model::{Claim, Program};
use passes::{Pass, Reduced, Selection, pipeline};

/// Features that the random programs show.
const FEATURES: usize = 30;

/// Programs that once showed a defect of a pass; the last is one with steps to merge.
const KEPT: [u64; 6] = [81, 83, 157, 1244, 1392, 166];

#[derive(Default, Debug)]
struct Spread {
    programs: usize,
    too_large: usize,
    verdicts: usize,
    fails: usize,
    states: Vec<usize>,
    features: BTreeMap<&'static str, usize>,
    lifted: usize,
    not_lifted: usize,
    spurious: usize,
    /// For each selection: states with and without it, where it changed anything.
    effect: BTreeMap<String, (usize, usize, usize)>,
}

fn selections() -> Vec<Selection> {
    let mut all: Vec<Selection> = Pass::ALL
        .into_iter()
        .map(|pass| Selection::of(&[pass]))
        .collect();
    all.push(Selection::all());
    all
}

fn check_program(seed: u64, spread: &mut Spread) {
    let (program, properties, features) = generate(seed);
    let mut counted = false;
    for &property in &properties {
        let plain = pipeline(&program, &[property], &Selection::none());
        let Some(original) = Graph::of(&plain.original, LIMIT) else {
            spread.too_large += 1;
            return;
        };
        if !std::mem::replace(&mut counted, true) {
            spread.programs += 1;
            spread.states.push(original.stored);
            for feature in &features {
                *spread.features.entry(feature).or_default() += 1;
            }
        }
        let expected = verdict(&original, property);
        spread.verdicts += 1;
        spread.fails += usize::from(expected.is_some());
        let claim = &program.properties[property.index()].claim;
        for selection in selections() {
            let reduced = pipeline(&program, &[property], &selection);
            let context = || format!("seed {seed}, {claim:?}, {selection:?}");
            assert_eq!(reduced.program.validate(), Ok(()), "{}", context());
            // A value that is reset may once have had another: a few states more.
            let Some(graph) = Graph::of(&reduced.program, 2 * LIMIT) else {
                panic!("{}: many more states than without", context());
            };
            let found = verdict(&graph, property);
            let effect = spread.effect.entry(format!("{selection:?}")).or_default();
            if graph.stored != original.stored {
                effect.0 += 1;
            }
            effect.1 += original.stored;
            effect.2 += graph.stored;
            compare(&reduced, &expected, found, claim, &context, spread);
        }
    }
}

fn compare(
    reduced: &Reduced,
    expected: &Option<Failure>,
    found: Option<Failure>,
    claim: &Claim,
    context: &dyn Fn() -> String,
    spread: &mut Spread,
) {
    let is_linear = matches!(claim, Claim::Ltl(_));
    match (expected, found) {
        (None, None) => {}
        (Some(_), None) => {
            panic!(
                "{}: fails, but holds after the passes\n{}\n{}",
                context(),
                describe(&reduced.original),
                describe(&reduced.program)
            )
        }
        (None, Some(failure)) => {
            // A process that is cut away may stutter longer than it could run: then the failure
            // must not lift.
            assert!(
                is_linear && may_stutter(reduced),
                "{}: holds, but fails after the passes\n{}\n{}",
                context(),
                describe(&reduced.original),
                describe(&reduced.program)
            );
            assert!(
                reduced.lift(&failure.trace, failure.bad.as_ref()).is_none(),
                "{}: a spurious failure lifts",
                context()
            );
            spread.spurious += 1;
        }
        (Some(_), Some(failure)) => match reduced.lift(&failure.trace, failure.bad.as_ref()) {
            Some(_) => spread.lifted += 1,
            None => {
                let replay = Interp::new(&reduced.program).replay(&failure.trace);
                if replay.is_err() {
                    // A choice whose set faults is not logged, but replay asks for it.
                    return;
                }
                spread.not_lifted += 1;
            }
        },
    }
}

/// Whether a process has been cut away, and a stutter step stands for it.
fn may_stutter(reduced: &Reduced) -> bool {
    let idle = |program: &Program, process: usize| {
        program.processes[process]
            .steps
            .iter()
            .all(|step| step.body.is_empty())
    };
    (0..reduced.program.processes.len()).any(|process| {
        idle(&reduced.program, process)
            && reduced.program.processes[process] != reduced.original.processes[process]
    })
}

fn describe(program: &Program) -> String {
    crate::show::program(program)
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "the spread is part of the test's answer"
)]
fn passes_change_no_verdict() {
    let mut spread = Spread::default();
    let (from, to) = match std::env::var("SEED") {
        Ok(seeds) => match seeds.split_once("..") {
            Some((from, to)) => (from.parse().unwrap(), to.parse().unwrap()),
            None => {
                let seed: u64 = seeds.parse().unwrap();
                (seed, seed + 1)
            }
        },
        Err(_) => (1, 61),
    };
    for seed in (from..to).chain(KEPT.into_iter().filter(|_| to - from > 1)) {
        check_program(seed, &mut spread);
    }
    spread.states.sort_unstable();
    let median = spread.states.get(spread.states.len() / 2).copied();
    println!("{spread:?}\nmedian states: {median:?}");
    if to - from > 1 {
        let percent = |part: usize, whole: usize| part * 100 / whole;
        assert!(percent(spread.fails, spread.verdicts) >= 30, "too few fail");
        assert!(percent(spread.fails, spread.verdicts) <= 70, "too few hold");
        for (feature, &count) in &spread.features {
            assert!(
                percent(count, spread.programs) >= 5,
                "{feature} is too rare"
            );
        }
        assert_eq!(spread.features.len(), FEATURES, "a feature is missing");
        let all = spread.lifted + spread.not_lifted;
        assert!(percent(spread.not_lifted, all) < 2, "too many do not lift");
        for pass in [Pass::Slice, Pass::WriteOnly, Pass::Dead, Pass::Merge] {
            let (changed, _, _) = spread.effect[&format!("{:?}", Selection::of(&[pass]))];
            assert!(changed > 0, "{pass:?} never made a difference");
        }
    }
}

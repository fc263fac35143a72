//! Random LSL scripts: the whole corridor, with passes and without, agrees with the reference
//! interpreter on every verdict, and the explicit engine reaches the same stable states.
//!
//! A fixed slice of seeds runs here;
//! `PROBITY_RANDOM_FROM` and `PROBITY_RANDOM_COUNT` choose others, as many as one likes.

#![expect(clippy::print_stdout, reason = "a run says what it covered")]

mod generate;
mod oracle;

use std::collections::{BTreeMap, HashSet};

use model::{Budget, Program, PropertyId, Silent, UnknownReason, Verdict};
use passes::Selection;

/// Scripts with more stable states than this are left out: the interpreter is slow.
const MOST_STATES: usize = 2_500;

/// Scripts with fewer stable states than this are left out: little can go wrong in them.
const FEWEST_STATES: usize = 120;

/// What the scripts of a run covered.
#[derive(Default)]
struct Spread {
    scripts: usize,
    too_large: usize,
    too_small: usize,
    states: Vec<usize>,
    verdicts: usize,
    fails: usize,
    vacuous: usize,
    features: BTreeMap<&'static str, usize>,
}

impl Spread {
    fn median_states(&self) -> usize {
        let mut states = self.states.clone();
        states.sort_unstable();
        states.get(states.len() / 2).copied().unwrap_or(0)
    }
}

fn load(seed: u64, script: &generate::Script) -> Program {
    let loaded = lsl::load("random.lsl", &script.text, &lsl::Options::default());
    let errors: Vec<_> = loaded
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == source::Severity::Error)
        .map(|diagnostic| diagnostic.message.clone())
        .collect();
    loaded
        .program
        .unwrap_or_else(|| panic!("seed {seed} is refused: {errors:?}\n{}", script.text))
}

/// Compares one script, unless it is too large or too small.
fn compare(seed: u64, spread: &mut Spread) {
    let script = generate::script(seed);
    let program = load(seed, &script);
    let whole = passes::pipeline(&program, &[], &Selection::none()).original;
    let Some(graph) = oracle::Graph::explore(&whole, MOST_STATES) else {
        spread.too_large += 1;
        return;
    };
    if graph.states.len() < FEWEST_STATES {
        spread.too_small += 1;
        return;
    }
    let ours = explicit::stable_states(&whole, &Budget::default())
        .unwrap_or_else(|why| panic!("seed {seed}: {why:?}\n{}", script.text));
    let ours: HashSet<_> = ours.into_iter().collect();
    let theirs: HashSet<_> = graph.states.iter().cloned().collect();
    assert!(
        ours == theirs,
        "seed {seed}: the engine reaches {} stable states, the interpreter {}\n{}",
        ours.len(),
        theirs.len(),
        script.text
    );
    spread.scripts += 1;
    spread.states.push(theirs.len());
    for feature in &script.features {
        *spread.features.entry(feature).or_default() += 1;
    }
    for selection in [Selection::all(), Selection::none()] {
        let with_passes = selection == Selection::all();
        let options = verify::Options {
            jobs: 1,
            passes: selection,
            tuning: verify::Tuning::drawn(seed),
            ..verify::Options::default()
        };
        for outcome in verify::check(&program, &options, &Silent) {
            let expected = expected(&program, outcome.property);
            let name = &program.properties[outcome.property.index()].name;
            let fails = match &outcome.verdict {
                Verdict::Fails { .. } => true,
                Verdict::Holds { .. }
                | Verdict::Vacuous { .. }
                | Verdict::Unknown {
                    reason: UnknownReason::Sampled,
                    ..
                } => false,
                Verdict::Measured { .. } => panic!("{name} asks for no number"),
                Verdict::Unknown { reason, .. } => panic!(
                    "seed {seed}: {name} is not known: {reason:?} (passes: {with_passes})\n{}",
                    script.text
                ),
            };
            assert_eq!(
                fails, expected,
                "seed {seed}: {name} (passes: {with_passes}; left: fails by the engine, right: by \
                 the interpreter)\n{}",
                script.text
            );
            if with_passes {
                spread.verdicts += 1;
                spread.fails += usize::from(fails);
                spread.vacuous += usize::from(matches!(outcome.verdict, Verdict::Vacuous { .. }));
            }
        }
    }
}

/// Whether the property fails, by the interpreter alone.
fn expected(program: &Program, property: PropertyId) -> bool {
    let focused = passes::focus(program, &[property]);
    let graph = oracle::Graph::explore(&focused, 4 * MOST_STATES)
        .expect("no larger than with all observers, by much");
    graph.fails(&focused, property)
}

/// How many scripts to compare, and from which seed on.
fn range() -> (u64, usize) {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    (
        number("PROBITY_RANDOM_FROM").unwrap_or(500),
        number("PROBITY_RANDOM_COUNT").map_or(30, |count: u64| count as usize),
    )
}

#[test]
fn engine_passes_and_interpreter_agree_on_random_scripts() {
    let (first, count) = range();
    let mut spread = Spread::default();
    let mut seed = first;
    while spread.scripts < count {
        compare(seed, &mut spread);
        seed += 1;
    }
    println!(
        "{} scripts ({} too large, {} too small), {} verdicts, {} fail, {} vacuous, states: median {}",
        spread.scripts,
        spread.too_large,
        spread.too_small,
        spread.verdicts,
        spread.fails,
        spread.vacuous,
        spread.median_states()
    );
    for feature in generate::FEATURES {
        let used = spread.features.get(feature).copied().unwrap_or(0);
        println!("  {feature}: {} %", 100 * used / spread.scripts);
        assert!(
            100 * used >= 5 * spread.scripts,
            "{feature} is in fewer than 5 % of the scripts"
        );
    }
    assert!(
        100 * spread.fails >= 30 * spread.verdicts,
        "too few verdicts fail"
    );
    assert!(spread.median_states() >= 200, "the scripts are too small");
}

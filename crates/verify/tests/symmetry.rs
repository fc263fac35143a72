//! Models of equal processes: states that differ only in which of them is where are one, and no
//! verdict turns. Who forgets a condition says that what fails holds.

use model::{Program, Silent, UnknownReason, Verdict};
use passes::Selection;
use verify::{Outcome, Reduce};

fn program(text: &str) -> Program {
    let loaded = promela::load("t.pml", text, &promela::Options::default());
    loaded
        .program
        .unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics))
}

fn outcomes(program: &Program, passes: &Selection, reduce: Reduce, symmetry: bool) -> Vec<Outcome> {
    let options = verify::Options {
        jobs: 1,
        memory: Some(4 << 20),
        passes: passes.clone(),
        reduce,
        symmetry,
        ..verify::Options::default()
    };
    verify::check(program, &options, &Silent)
}

/// Whether each property fails, and whether some states stood for others; nothing if there are too
/// many states.
fn verdicts(
    program: &Program,
    passes: &Selection,
    reduce: Reduce,
    symmetry: bool,
) -> Option<(Vec<(String, bool)>, bool)> {
    let outcomes = outcomes(program, passes, reduce, symmetry);
    let mut verdicts = Vec::new();
    let mut exchanged = false;
    for outcome in &outcomes {
        exchanged |= outcome.statistics.reduction.contains("symmetry");
        let name = program.properties[outcome.property.index()].name.clone();
        match &outcome.verdict {
            Verdict::Fails { .. } => verdicts.push((name, true)),
            Verdict::Holds { .. } => verdicts.push((name, false)),
            Verdict::Unknown {
                reason: UnknownReason::Memory,
                ..
            } => return None,
            other => panic!("{name}: {other:?}"),
        }
    }
    Some((verdicts, exchanged))
}

/// What is forgotten, a model, and one of its properties, which fails.
const CASES: &[(&str, &str, &str)] = &[
    (
        "a process may know its number",
        "bool taken;
         active [2] proctype P() {
           atomic { !taken -> taken = true }; (_pid == 0) -> assert(false)
         }",
        "assertions",
    ),
    (
        "others may ask where a process is",
        "bool taken;
         active [2] proctype P() { atomic { !taken -> taken = true }; there: (false) }
         active proctype M() { (P[0]@there) -> assert(false) }",
        "assertions",
    ),
    (
        "others may look at its variables",
        "bool taken;
         active [2] proctype P() { byte n; atomic { !taken -> taken = true }; n = 1; (false) }
         active proctype M() { (P[0]:n == 1) -> assert(false) }",
        "assertions",
    ),
    (
        "who starts a process may keep its number",
        "bool taken;
         proctype P() { atomic { !taken -> taken = true }; (taken); taken = true; (false) }
         init { pid p; atomic { p = run P(); run P() };
                taken && !enabled(p) -> assert(false) }",
        "assertions",
    ),
    (
        "instances may be counted while an ended one waits for a younger one",
        "bool taken, done;
         active proctype M() { done; timeout -> assert(_nr_pr != 3) }
         active [2] proctype P() { atomic { !taken -> taken = true }; done = true }",
        "assertions",
    ),
    (
        "what an ended process leaves may be seen until it is gone",
        "byte done;
         active proctype M() { done == 1; timeout -> assert(Q[1]:n != 1) }
         active proctype Q() { byte n; n = 1; done = 1 }
         active [2] proctype P() { do :: done == 9 -> break od }",
        "assertions",
    ),
    (
        "processes may differ in what they were given",
        "bool taken;
         proctype P(byte n) { atomic { !taken -> taken = true }; (n == 1) -> assert(false) }
         init { atomic { run P(1); run P(2) } }",
        "assertions",
    ),
    (
        "who moved last may be asked",
        "byte n;
         active [2] proctype P() { byte m; atomic { n < 1 -> n++ }; m = 1; (_last == 0) -> assert(false) }",
        "assertions",
    ),
];

#[test]
fn nothing_that_fails_is_exchanged_away() {
    for (forgotten, text, property) in CASES {
        let program = program(text);
        for passes in [Selection::none(), Selection::all()] {
            for reduce in [Reduce::None, Reduce::Por] {
                for symmetry in [false, true] {
                    let (verdicts, _) =
                        verdicts(&program, &passes, reduce, symmetry).expect("few states");
                    let fails = verdicts
                        .iter()
                        .any(|(name, fails)| name == property && *fails);
                    assert!(fails, "{symmetry}, forgotten: {forgotten}");
                }
            }
        }
    }
}

/// Six counters modulo four: 4 ^ 6 states, or as many as there are ways to put six things into four
/// boxes.
#[test]
fn of_equal_counters_it_matters_only_how_many_stand_where() {
    let text = "byte all;
        active [6] proctype P() { byte n;
          do :: atomic { n = (n + 1) % 4; all++; all = 0 } od }";
    let program = program(text);
    let states = |symmetry| {
        let outcomes = outcomes(&program, &Selection::none(), Reduce::None, symmetry);
        let outcome = &outcomes[0];
        assert!(matches!(outcome.verdict, Verdict::Holds { .. }));
        (outcome.statistics.states, outcome.statistics.reduction)
    };
    assert_eq!(states(false), (4096, ""));
    assert_eq!(states(true), (84, "symmetry"));
}

#[test]
fn runs_are_told_of_the_processes_as_they_are() {
    // The state that is stored has the one that moves next somewhere else in each step.
    let text = "byte n;
        active [3] proctype P() {
          byte m; do :: n < 9 -> atomic { m++; n++; assert(m < 4 || n < 8) } od }";
    let program = program(text);
    let find = |symmetry| {
        let mut outcomes = outcomes(&program, &Selection::none(), Reduce::None, symmetry);
        let outcome = outcomes.remove(0);
        let Verdict::Fails { trace } = outcome.verdict else {
            panic!("{:?}", outcome.verdict);
        };
        (
            trace.steps.len(),
            outcome.may_be_shorter,
            outcome.statistics.states,
        )
    };
    let (whole, exchanged) = (find(false), find(true));
    assert_eq!((whole.0, whole.1), (exchanged.0, exchanged.1));
    assert!(exchanged.2 < whole.2);
}

#[test]
fn a_deadlock_is_one_where_those_who_have_ended_have_gone() {
    let text = "byte n; bool stuck;
        active [3] proctype P() { byte m; atomic { n < 2 -> n++; m = n }; m = 0; n = n }";
    let program = program(text);
    for reduce in [Reduce::None, Reduce::Por] {
        let (verdicts, exchanged) =
            verdicts(&program, &Selection::none(), reduce, true).expect("few states");
        assert!(exchanged);
        assert!(
            verdicts
                .iter()
                .any(|(name, fails)| name == "deadlock" && *fails)
        );
    }
}

/// Random numbers (Knuth's MMIX).
struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0.u64(..n)
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// A statement of a process that does not know its number.
fn statement(random: &mut Random, depth: u32) -> String {
    let plain = [
        "x = (x + 1) % 3",
        "y = m",
        "m = x",
        "m = (m + 1) % 3",
        "x != 1",
        "y == m -> m = 0",
        "c!m",
        "c?m",
        "c?eval(m)",
        "d!m",
        "d?m",
        "assert(x != 2 || m != 1)",
        "assert(y < 2 || x == 0)",
        "nfull(c) -> c!1",
        "timeout -> x = 0",
        "goto away",
        "z[m] = x",
        "x = z[y]",
    ];
    match random.below(if depth == 0 { 6 } else { 10 }) {
        0..=5 => random.pick(&plain).to_owned(),
        6 => format!(
            "if :: x == 0 -> {} :: m != 1 -> {} :: else fi",
            body(random, depth - 1, 2),
            body(random, depth - 1, 2)
        ),
        7 => format!(
            "do :: y != 2 -> {} :: x > 0 -> {} :: break od",
            body(random, depth - 1, 2),
            body(random, depth - 1, 2)
        ),
        8 => format!("atomic {{ {} }}", body(random, depth - 1, 3)),
        _ => format!(
            "d_step {{ x = y; {} }}",
            random.pick(&["m = 2", "y = (y + x) % 3"])
        ),
    }
}

fn body(random: &mut Random, depth: u32, most: u64) -> String {
    let count = 1 + random.below(most);
    let each: Vec<String> = (0..count).map(|_| statement(random, depth)).collect();
    each.join("; ")
}

/// A model of some equal processes, and others.
fn model(random: &mut Random) -> String {
    let (copies, others) = (2 + random.below(2), 1 + random.below(2));
    let ends = random.below(2) == 0;
    let last = if ends {
        "skip"
    } else {
        "do :: m = (m + 1) % 2 :: x == 2 -> x = 0 od"
    };
    let started = random.below(3) == 0;
    let (how, init) = if started {
        let runs = "run P(); ".repeat(copies as usize);
        (
            String::new(),
            format!("init {{ byte m; atomic {{ {runs} }}; x = 1 }}"),
        )
    } else {
        (format!("active [{copies}] "), String::new())
    };
    format!(
        "byte x, y, z[3]; chan c = [1] of {{ byte }}; chan d = [0] of {{ byte }};
         {how}proctype P() {{ byte m; {}; away: {last} }}
         active [{others}] proctype Q() {{ byte m; {}; away: skip }}
         {init}
         ltl p {{ [] (x != 2 || y != 1) }}",
        body(random, 2, 4),
        body(random, 1, 3),
    )
}

#[test]
fn random_models_have_the_same_verdicts() {
    let from_environment = |name: &str, otherwise| {
        let text = std::env::var(name).ok();
        text.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let first: u64 = from_environment("PROBITY_RANDOM_SEED", 1);
    let count: u64 = from_environment("PROBITY_RANDOM_PROGRAMS", 100);
    let (mut models, mut fail, mut all, mut exchanged) = (0, 0, 0, 0);
    for seed in first..first + count {
        let text = model(&mut Random(fastrand::Rng::with_seed(
            seed.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        )));
        let program = program(&text);
        let passes = if seed % 3 == 0 {
            Selection::all()
        } else {
            Selection::none()
        };
        let Some((whole, _)) = verdicts(&program, &passes, Reduce::None, false) else {
            continue;
        };
        for reduce in [Reduce::None, Reduce::Por] {
            let found = verdicts(&program, &passes, reduce, true);
            let (found, any) = found.expect("no more states than without");
            assert_eq!(found, whole, "seed {seed}, {reduce:?}:\n{text}");
            exchanged += u64::from(any);
        }
        models += 1;
        all += whole.len();
        fail += whole.iter().filter(|(_, fails)| *fails).count();
    }
    if count >= 100 {
        assert!(
            fail * 7 >= all && fail * 5 <= all * 4,
            "{fail} of {all} fail"
        );
        assert!(
            exchanged >= count,
            "{exchanged} of {} are exchanged",
            2 * models
        );
    }
}

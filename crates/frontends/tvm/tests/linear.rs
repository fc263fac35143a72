//! Properties of runs that never end, on the looping mutex of the manual, with and without fairness.
//! What holds is audited. What may not hold is argued where it stands.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::PathBuf;

use audit::check_structures;
use logic::Buchi;
use model::predicates::{EndlessRun, Formula, PredicateProgram, RunError};
use model::{Budget, Claim, Silent, Trace};

/// The example with a way back to the beginning.
fn looping() -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../../../examples/tvm/mutex/mutex.tvm");
    let text = std::fs::read_to_string(path).unwrap();
    text.replace("(aLock) gl_4", "(aLock) gl_4\n gl_4 skip() gl_1")
}

/// One thread in place of any number.
fn alone() -> String {
    looping().replace("sm = { threads: 1/2 }", "")
}

struct Answers {
    program: PredicateProgram,
    claims: Vec<(String, Buchi<Formula>)>,
}

fn load(model: &str, properties: &[&str], fair: bool, buc: Option<&str>) -> Answers {
    let properties: Vec<String> = properties.iter().map(|&text| text.to_owned()).collect();
    let options = tvm::Options {
        properties: &properties,
        fair,
    };
    let read = |name: &str| buc.filter(|_| name == "model.buc").map(str::to_owned);
    let loaded = tvm::load_with("model.tvm", model, &options, &read);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let program = loaded.program.unwrap();
    let claims = program.properties.iter().filter_map(|property| {
        let Claim::Configurations(automaton) = &property.claim else {
            return None;
        };
        Some((property.name.clone(), automaton.clone()))
    });
    Answers {
        claims: claims.collect(),
        program: (**program.predicates.as_ref().unwrap()).clone(),
    }
}

/// Whether each property holds; the engine and the audit must agree.
fn answers(model: &str, properties: &[&str], fair: bool, buc: Option<&str>) -> Vec<bool> {
    let Answers { program, claims } = load(model, properties, fair, buc);
    let budget = Budget::default();
    let explored = shape::explore(&program, &budget, &Silent).unwrap();
    assert_eq!(explored.stopped, None);
    let closed = check_structures(&program, &explored.structures, &[], &budget).unwrap();
    let all = claims.iter().map(|(name, automaton)| {
        let way = shape::accepted(&program, &explored, automaton, &budget).unwrap();
        let audited = closed.check_runs(automaton, &budget);
        assert_eq!(way.is_none(), audited.is_ok(), "{name}: {audited:?}");
        if let Some(way) = &way {
            assert_eq!(way.structures.len(), way.actions.len() + 1, "{name}");
            assert!(way.repeats_from.unwrap() < way.structures.len(), "{name}");
        }
        way.is_none()
    });
    all.collect()
}

fn holds(model: &str, property: &str, fair: bool) -> bool {
    let all = answers(model, &[property], fair, None);
    assert_eq!(all.len(), 1);
    all[0]
}

const TWO_INSIDE: &str = "{E(a, b) a != b & at[gl_2](a) & at[gl_2](b)}";

#[test]
fn what_never_is_holds_for_any_number_of_threads() {
    for fair in [false, true] {
        // Mutual exclusion, as a property of runs.
        assert!(holds(&looping(), &format!("always !{TWO_INSIDE}"), fair));
        // Nobody is ever inside without the lock.
        let unlocked = "{E(t) at[gl_2](t) & !(E(l) held_by(l, t))}";
        assert!(holds(&looping(), &format!("always !{unlocked}"), fair));
    }
}

#[test]
fn who_is_inside_lets_no_other_in_before_leaving() {
    // Once somebody is inside, two are not inside until nobody is.
    let somebody = "{E(t) at[gl_2](t)}";
    let text = format!("always ({somebody} -> (!{TWO_INSIDE} weakuntil !{somebody}))");
    assert!(holds(&looping(), &text, false));
}

#[test]
fn that_somebody_enters_at_last_needs_fairness() {
    let enters = "eventually {E(t) at[gl_2](t)}";
    // With several threads: the lock is free, and any thread that goes on takes it. Nothing else can
    // happen at first: to wait for the lock takes that somebody has it.
    assert!(holds(&looping(), enters, false));
    // Again and again: without fairness, a thread may wait for the lock for ever, by looking again
    // and again, while the one that has it never goes on.
    let again = "always eventually {E(t) at[gl_4](t)}";
    assert!(!holds(&looping(), again, false));
    // With fairness it goes on, since whoever is inside can always go on.
    assert!(holds(&looping(), again, true));
}

#[test]
fn that_each_one_enters_is_not_known() {
    // Other threads may enter again and again. Weak fairness does not help: the lock is not always
    // free. A structure that stands for many does not say that it is the same thread that waits.
    let all = "always ({E(t) at[gl_1](t)} -> eventually !{E(t) at[gl_1](t)})";
    for fair in [false, true] {
        assert!(!holds(&looping(), all, fair));
    }
}

#[test]
fn one_thread_alone_goes_round_for_ever() {
    // Nobody else can be in its way: it comes to each place again and again, and no run ends.
    for label in ["gl_1", "gl_2", "gl_3", "gl_4"] {
        let text = format!("always eventually {{E(t) at[{label}](t)}}");
        assert!(holds(&alone(), &text, false), "{label}");
    }
    // It is never inside for ever.
    let stays = "eventually always {E(t) at[gl_2](t)}";
    assert!(!holds(&alone(), stays, false));
}

#[test]
fn a_run_ends_where_nobody_can_go_on() {
    // Without the way back the thread stops behind the lock, and stays there.
    let once = alone().replace("gl_4 skip() gl_1", "");
    assert!(holds(&once, "eventually always {E(t) at[gl_4](t)}", false));
    assert!(!holds(&once, "always eventually {E(t) at[gl_1](t)}", false));
    // `next` is a step; at the end nothing changes.
    assert!(holds(&once, "next {E(t) at[gl_2](t)}", false));
}

#[test]
fn the_automaton_of_the_manual() {
    // Fig. 7: it accepts runs in which a thread is blocked at the second moment, at the fourth, and so
    // on with a period of five. At the second moment nobody is: at first the lock is free, nobody can
    // wait for it, and the first step takes it. So it accepts no run.
    let buc = "
        %i i_1() = E(v) isthread(v)
        %i i_2() = E(v) E(l) isthread(v) & blocked(v, l)
        %%
        %buchi example {
            ->(b1)
            (b1) i_1 b2
            b2 i_2 b3
            b3 i_1 b4
            b4 i_2 b5
            b5 i_1 (b1)
        }";
    for model in [looping(), alone()] {
        for fair in [false, true] {
            assert_eq!(answers(&model, &[], fair, Some(buc)), [true]);
        }
    }
    // One that begins at any moment accepts runs of several threads, since somebody may be blocked
    // for ever while others go round, which is fair. Who is alone is never blocked.
    let any = buc.replace("->(b1)", "->w w i_1 w w i_1 b1");
    for fair in [false, true] {
        assert_eq!(answers(&looping(), &[], fair, Some(&any)), [false]);
        assert_eq!(answers(&alone(), &[], fair, Some(&any)), [true]);
    }
}

/// The run of a few threads that does not satisfy a property, replayed: how many individuals it has, how
/// many steps, and from where on it repeats.
fn endless(model: &str, property: &str, fair: bool) -> Option<(usize, usize, usize)> {
    let Answers { program, claims } = load(model, &[property], fair, None);
    let budget = Budget::default();
    let trace = shape::concretise_endless(&program, &claims[0].1, &budget)?;
    let run = EndlessRun::replay(&program, &trace, &claims[0].1).unwrap();
    Some((run.initial.size(), run.steps.len(), run.repeats_from))
}

#[test]
fn what_goes_on_for_ever_is_a_run() {
    // One thread waits for the lock for ever that another one has: two of them, and the lock.
    let again = "always eventually {E(t) at[gl_4](t)}";
    let (size, steps, from) = endless(&looping(), again, false).unwrap();
    assert_eq!(size, 3);
    assert!(from < steps);
    assert_eq!(endless(&looping(), again, true), None);
    // Somebody is always where threads begin, and each of them moves on at times, or cannot.
    let all = "always ({E(t) at[gl_1](t)} -> eventually !{E(t) at[gl_1](t)})";
    let (size, steps, from) = endless(&looping(), all, true).unwrap();
    assert!(size >= 3 && from < steps, "{size} {steps} {from}");
    // One thread goes round, or stops where the model has no way back.
    let stays = "eventually always {E(t) at[gl_2](t)}";
    let (size, steps, from) = endless(&alone(), stays, false).unwrap();
    assert_eq!((size, steps - from), (2, 4));
    let once = alone().replace("gl_4 skip() gl_1", "");
    let (_, steps, from) = endless(&once, "always eventually {E(t) at[gl_1](t)}", false).unwrap();
    assert_eq!((steps, from), (3, 3), "nothing changes any more");
}

#[test]
fn a_run_that_is_no_counterexample_is_rejected() {
    let again = "always eventually {E(t) at[gl_4](t)}";
    let Answers { program, claims } = load(&looping(), &[again], false, None);
    let automaton = &claims[0].1;
    let found = shape::concretise_endless(&program, automaton, &Budget::default()).unwrap();
    let replayed = |trace: &Trace, program: &PredicateProgram| {
        EndlessRun::replay(program, trace, automaton).map(drop)
    };
    assert_eq!(replayed(&found, &program), Ok(()));
    // It does not come back to the beginning, nor does it end.
    let mut other = found.clone();
    other.loop_start = Some(0);
    assert_eq!(replayed(&other, &program), Err(RunError::Open));
    other.loop_start = Some(other.steps.len());
    assert_eq!(replayed(&other, &program), Err(RunError::Open));
    other.loop_start = Some(other.steps.len() + 1);
    assert_eq!(replayed(&other, &program), Err(RunError::Open));
    // It passes over the thread that has the lock.
    let fair = PredicateProgram {
        fair: true,
        ..program.clone()
    };
    assert_eq!(replayed(&found, &fair), Err(RunError::Unfair));
    // Of it another property holds.
    let never = format!("always !{TWO_INSIDE}");
    let apart = load(&looping(), &[&never], false, None);
    let run = EndlessRun::replay(&program, &found, &apart.claims[0].1);
    assert_eq!(run.map(drop), Err(RunError::Silent));
}

#[test]
fn properties_stand_in_comments() {
    let text = format!("//@ property apart: always !{TWO_INSIDE};\n{}", looping());
    let Answers { claims, .. } = load(
        &text,
        &["named: always !{E(t) !isthread(t) & ready(t)}"],
        false,
        None,
    );
    let names: Vec<&str> = claims.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["apart", "named"]);
    assert_eq!(answers(&text, &[], false, None), [true]);
}

//! Models in which one condition of partial-order reduction decides: who forgets it says that
//! what fails holds.

use model::{Program, Silent, Verdict};
use passes::Selection;
use verify::Reduce;

/// What is forgotten, a model, one of its properties, and whether that fails.
const CASES: &[(&str, &str, &str, bool)] = &[
    (
        "somebody who goes round for ever does not keep others from moving",
        "active proctype A() { byte n; do :: n = 1 - n od }
         active proctype B() { byte m; m = 1; assert(false) }",
        "assertions",
        true,
    ),
    (
        "somebody who goes round by receiving from another who does",
        "chan c = [0] of { byte }; chan d = [0] of { byte };
         active proctype A() { do :: c?_; d!1 od }
         active proctype B() { do :: d?_; c!1 od }
         active proctype S() { c!1 }
         active proctype C() { byte m; m = 1; assert(false) }",
        "assertions",
        true,
    ),
    (
        "the order in which what is observed changes",
        "byte x, y; active proctype A() { x = 1 } active proctype B() { y = 1 }
         ltl p { [] !(x == 0 && y == 1) }",
        "p",
        true,
    ),
    (
        "a run in which what is observed never changes",
        "byte x; active proctype A() { byte n; do :: n = 1 - n od }
         active proctype B() { byte m; m = 1; x = 1 }
         ltl p { <> (x == 1) }",
        "p",
        true,
    ),
    (
        "a run in which what is observed changes after going round for a while",
        "byte x; active proctype A() { byte n; do :: n = 1 - n od }
         active proctype B() { byte m; m = 1; x = 1; x = 0 }
         ltl p { [] (x == 0) || <> [] (x == 1) }",
        "p",
        true,
    ),
    (
        "others who could meet the same partner",
        "chan c = [0] of { byte };
         active proctype A() { c!1 }
         active proctype B() { byte m; m = 1; c!2 }
         active proctype C() { byte x; c?x; assert(x == 1) }",
        "assertions",
        true,
    ),
    (
        "a partner who comes while somebody could also do something else",
        "chan c = [0] of { byte };
         active proctype A() { byte n; if :: c?n -> assert(false) :: n = 1 fi }
         active proctype B() { c!1 }
         active proctype C() { byte k; k = 1 }",
        "assertions",
        true,
    ),
    (
        "a message that comes while somebody could also do something else",
        "chan c = [1] of { byte };
         active proctype A() { byte n; if :: c?n -> assert(false) :: n = 1 fi }
         active proctype B() { byte m; m = 1; c!1 }
         active proctype C() { byte k; k = 1 }",
        "assertions",
        true,
    ),
    (
        // SPIN's issue 78 is of this kind: `./pan` without -DNOREDUCE finds no error.
        "who is started first gets the lower number",
        "proctype C() { skip }
         proctype D() { assert(_pid == 3) }
         active proctype A() { run C() }
         active proctype B() { run D() }",
        "assertions",
        true,
    ),
    (
        "what somebody may do who is not there yet",
        "byte x;
         proctype C() { x = 1 }
         active proctype A() { byte n; n = 1; run C() }
         active proctype B() { if :: x == 1 -> assert(false) :: x == 0 -> skip fi }",
        "assertions",
        true,
    ),
    (
        "how many there are",
        "active proctype A() { byte n; n = 1 }
         active proctype B() { assert(_nr_pr == 2) }
         active proctype C() { byte n; n = 1 }",
        "assertions",
        true,
    ),
    (
        "what of several time-outs happens",
        "byte x;
         active proctype A() { byte n; if :: n == 1 -> skip :: timeout -> assert(x == 0) fi }
         active proctype B() { timeout -> x = 1 }",
        "assertions",
        true,
    ),
    (
        "what of several time-outs behind conditions happens",
        "byte x;
         active proctype A() {
             byte n;
             if :: n == 1 -> skip :: (n == 0 && timeout) -> assert(x == 0) fi
         }
         active proctype B() { byte n; (n == 0 && timeout) -> x = 1 }",
        "assertions",
        true,
    ),
    (
        "where somebody else is",
        "active proctype A() { byte n; n = 1; there: n = 2; n = 3 }
         active proctype B() { if :: A@there -> assert(false) :: else fi }",
        "assertions",
        true,
    ),
    (
        "an atomic block that is broken off where a channel is empty",
        "chan c = [1] of { byte }; byte x;
         active proctype A() { atomic { x = 1; c?_; x = 0 } }
         active proctype B() { byte m; m = 1; c!1 }
         active proctype C() { assert(x == 0) }",
        "assertions",
        true,
    ),
    (
        "a partner who comes while an atomic block is under way",
        "chan c = [0] of { byte }; byte x;
         active proctype A() { atomic { x = 1; c!1 } }
         active proctype B() { byte m; m = 1; atomic { c?m; x = 0 } }
         active proctype C() { assert(x == 0) }",
        "assertions",
        true,
    ),
    (
        "a partner who is started while an atomic block is under way",
        "chan c = [0] of { byte }; byte x;
         proctype D() { byte m; atomic { c?m; x = 0 } }
         active proctype A() { atomic { x = 1; c!1 }; do :: x == 9 -> skip od }
         active proctype B() { byte m; m = 1; run D() }
         active proctype C() { do :: assert(x == 0) od }",
        "assertions",
        true,
    ),
    (
        "a partner who comes when somebody has gone another way",
        "chan c = [0] of { byte };
         active proctype A() { if :: c!1 :: else -> assert(false) fi }
         active proctype B() { byte m; m = 1; c?m }",
        "assertions",
        true,
    ),
    (
        "a message that is seen only by looking at how many there are",
        "chan c = [1] of { byte }; byte n;
         active proctype A() { byte k; k = 1; c!1 }
         active proctype B() { do :: n = 1 - n od }
         ltl p { <> (len(c) == 1) }",
        "p",
        true,
    ),
    (
        "a time-out inside an atomic block beside another's",
        "byte x;
         active proctype A() { byte n; atomic { n = 1; timeout }; x = 1; x == 9 }
         active proctype B() { byte n; n = 1; timeout; assert(x == 1) }
         active proctype C() { byte m; m = 1 }",
        "assertions",
        true,
    ),
    (
        "somebody to be started whose deeds decide whether another goes round for ever",
        "byte x;
         proctype C() { x = 1 }
         active proctype A() { do :: x == 0 -> skip :: x == 1 -> break od; false }
         active proctype B() { run C() }",
        "deadlock",
        true,
    ),
    (
        // The shape of Siegel, What's wrong with on-the-fly partial order reduction (CAV 2019):
        // what may be left out of a state must not depend on the automaton's state beside it, or
        // on which of several ways led there.
        "that a run is accepted only if moves put off in one state of the automaton come in another",
        "byte p, q;
         active proctype A() { byte n; do :: n = 1 - n :: n == 1 -> p = 1 - p od }
         active proctype B() { byte m; do :: m = 1 - m :: m == 1 -> q = 1 - q od }
         ltl p { !([] <> (p == 1) && [] <> (p == 0) && [] <> (q == 1 && p == 0)) }",
        "p",
        true,
    ),
    (
        "acceptance that needs moves put off around a cycle of the product",
        "byte x; active proctype A() { byte n; do :: n = 1 - n od }
         active proctype B() { do :: x = 1 - x od }
         ltl p { !([] <> (x == 1) && [] <> (x == 0)) }",
        "p",
        true,
    ),
    (
        "nothing: two who have nothing to do with each other",
        "byte x, y; active proctype A() { x = 1; x = 2; assert(x == 2) }
         active proctype B() { y = 1; y = 2; assert(y == 2) }",
        "assertions",
        false,
    ),
];

fn program(text: &str) -> Program {
    let loaded = promela::load("t.pml", text, &promela::Options::default());
    loaded
        .program
        .unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics))
}

/// Whether a property fails, and how many states that took.
fn fails(program: &Program, property: &str, reduce: Reduce) -> (bool, u64) {
    let options = verify::Options {
        only: Some(vec![property.to_owned()]),
        jobs: 1,
        passes: Selection::none(),
        reduce,
        symmetry: false,
        ..verify::Options::default()
    };
    let outcomes = verify::check(program, &options, &Silent);
    let [outcome] = outcomes.as_slice() else {
        panic!("one property is called {property}");
    };
    match &outcome.verdict {
        Verdict::Fails { .. } => (true, outcome.statistics.states),
        Verdict::Holds { .. } => (false, outcome.statistics.states),
        other => panic!("{property}: {other:?}"),
    }
}

/// The same by a depth-first search; nothing if it does not answer such a property.
fn fails_in_depth(program: &Program, property: &str, reduce: Reduce) -> Option<bool> {
    let options = verify::Options {
        only: Some(vec![property.to_owned()]),
        engine: Some(verify::Engine::Dfs),
        passes: Selection::none(),
        reduce,
        symmetry: false,
        ..verify::Options::default()
    };
    let outcome = verify::check(program, &options, &Silent).remove(0);
    match outcome.verdict {
        Verdict::Fails { .. } => Some(true),
        Verdict::Holds { .. } => Some(false),
        _ => None,
    }
}

#[test]
fn nothing_that_fails_is_reduced_away() {
    for (forgotten, text, property, expected) in CASES {
        let program = program(text);
        for reduce in [Reduce::None, Reduce::Por] {
            let (found, _) = fails(&program, property, reduce);
            assert_eq!(found, *expected, "{reduce:?}, forgotten: {forgotten}");
            let found = fails_in_depth(&program, property, reduce);
            assert!(
                found.is_none_or(|found| found == *expected),
                "{reduce:?}, depth-first, forgotten: {forgotten}"
            );
        }
    }
}

#[test]
fn processes_on_their_own_are_taken_one_after_the_other() {
    let text = "active [4] proctype A() { byte n; n = 1; n = 2; n = 3; assert(n == 3) }";
    let program = program(text);
    let (_, whole) = fails(&program, "assertions", Reduce::None);
    let (_, reduced) = fails(&program, "assertions", Reduce::Por);
    // 5 values of each; ended ones go away one after the other.
    assert!(whole > 600 && reduced < 40, "{whole}, {reduced}");
}

/// Runs are looked for without a reduction that leaves nothing out, from the beginning.
#[test]
fn a_reduction_of_no_use_is_given_up() {
    let text = "short x; active proctype A() { do :: x < 20000 -> x++ od }
                active proctype B() { x == 20000 -> x = 20001 }
                ltl small { [] (x < 15000) }
                ltl stops { <> [] (x == 20001) }";
    let program = program(text);
    for reduce in [Reduce::None, Reduce::Por] {
        assert!(fails(&program, "small", reduce).0, "{reduce:?}");
        assert!(!fails(&program, "stops", reduce).0, "{reduce:?}");
    }
}

/// The states are those of the text's levels, whoever works on them.
#[test]
fn a_reduced_search_is_the_same_for_any_number_of_threads() {
    let text = "byte s;
        active [6] proctype A() { byte n; do :: atomic { s = (s + n) % 7; n = (n + 1) % 4 } od }
        active [2] proctype B() { byte m; do :: m = (m + 1) % 3 od }";
    let program = program(text);
    let states = |reduce, jobs| {
        let options = verify::Options {
            only: Some(vec!["deadlock".to_owned(), "assertions".to_owned()]),
            jobs,
            passes: Selection::none(),
            reduce,
            symmetry: false,
            ..verify::Options::default()
        };
        let outcomes = verify::check(&program, &options, &Silent);
        outcomes[0].statistics.states
    };
    let (whole, one) = (states(Reduce::None, 1), states(Reduce::Por, 1));
    assert!(one < whole, "{one}, {whole}");
    assert_eq!(one, states(Reduce::Por, 3));
}

#[test]
fn the_shortest_run_is_told_if_it_can_be_had() {
    let text = "byte x; active proctype A() { byte n; n = 1; n = 2; x = 1; n = 3; x = 2 }
                active proctype B() { assert(x != 2) } active proctype C() { x = 2 }";
    let program = program(text);
    for reduce in [Reduce::None, Reduce::Por] {
        let options = verify::Options {
            only: Some(vec!["assertions".to_owned()]),
            passes: Selection::none(),
            reduce,
            symmetry: false,
            ..verify::Options::default()
        };
        let outcome = verify::check(&program, &options, &Silent).remove(0);
        let Verdict::Fails { trace } = outcome.verdict else {
            panic!("{:?}", outcome.verdict);
        };
        assert_eq!(
            (trace.steps.len(), outcome.may_be_shorter),
            (2, false),
            "{reduce:?}"
        );
    }
}

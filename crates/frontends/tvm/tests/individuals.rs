//! Individuals that come and go: each keyword against configurations counted by hand, and against the
//! audit. A model fails if the claim at its end may be broken, and then a run of it is replayed.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use audit::check_structures;
use model::predicates::{PredicateProgram, PredicateRun};
use model::{Budget, MessageId, Silent};

/// The actions that follow are of a thread that goes from `a` on; `claim` is claimed.
fn model(predicates: &str, actions: &str, threads: &str, initial: &str) -> String {
    format!("{predicates}\n%%\n{actions}\n%%\n{threads}\n%%\nclaim()\n%initial {{ {initial} }}")
}

fn program(text: &str) -> PredicateProgram {
    let loaded = tvm::load("model.tvm", text, &[], &|_| None);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    (*loaded.program.unwrap().predicates.unwrap()).clone()
}

/// Of each message, whether a run gives it; then, and only then, some structure may. What no
/// structure gives is audited.
fn failures(text: &str) -> Vec<bool> {
    let (runs, possible) = messages(text);
    assert_eq!(runs, possible);
    runs
}

/// Of each message, whether a run gives it. A structure may give it where no run does.
fn runs(text: &str) -> Vec<bool> {
    messages(text).0
}

/// Of each message, whether a run gives it, and whether a structure may.
fn messages(text: &str) -> (Vec<bool>, Vec<bool>) {
    let program = program(text);
    let explored = shape::explore(&program, &Budget::default(), &Silent).unwrap();
    assert_eq!(explored.stopped, None);
    let all = (0..program.messages.len()).map(MessageId::new);
    let silent: Vec<MessageId> = all
        .clone()
        .filter(|message| explored.messages[message.index()].at.is_none())
        .collect();
    let budget = Budget::default();
    check_structures(&program, &explored.structures, &silent, &budget).unwrap();
    let found = all.clone().map(|message| {
        let run = shape::concretise(&program, message, &budget);
        if let Some(trace) = &run {
            PredicateRun::replay(&program, trace, message).unwrap();
        }
        assert!(run.is_none() || !silent.contains(&message), "{message:?}");
        run.is_some()
    });
    let runs = found.collect();
    (
        runs,
        all.map(|message| !silent.contains(&message)).collect(),
    )
}

const ONE_THREAD: &str = "%t = { m(main) } %n = {} %p = { ready = { m } }";

/// A thread that makes a worker, which marks what is done when it runs.
fn worker(makes: &str) -> String {
    let actions = format!(
        "%action make() {{ {makes} }}
         %action work() {{ {{ done() = 1 }} }}
         %action claim() {{ %message done() -> \"the work is done\" }}"
    );
    let threads = "%thread main { m_1 make() m_2 } %thread worker { w_1 work() w_2 }";
    model("%p done()", &actions, threads, ONE_THREAD)
}

#[test]
fn a_new_thread_is_not_ready() {
    assert_eq!(failures(&worker("%newthread worker")), [false]);
}

#[test]
fn a_new_thread_that_is_started_runs() {
    let started = worker("%newthread worker %start isNew(v)");
    assert_eq!(failures(&started), [true]);
}

#[test]
fn who_is_no_thread_cannot_be_started() {
    assert_eq!(failures(&worker("%new %start isNew(v)")), [false]);
}

#[test]
fn who_is_started_and_stopped_is_stopped() {
    for stops in ["%stop", "%wait"] {
        let makes = format!("%newthread worker %start isNew(v) {stops} isNew(w)");
        assert_eq!(failures(&worker(&makes)), [false], "{stops}");
    }
}

#[test]
fn a_thread_that_stops_itself_does_not_go_on() {
    let stopping = |stops: &str| {
        let actions = format!(
            "%action first() {{ {stops} }}
             %action second() {{ {{ done() = 1 }} }}
             %action claim() {{ %message done() -> \"it went on\" }}"
        );
        let threads = "%thread main { m_1 first() m_2 m_2 second() m_3 }";
        // There may be many; the others still are at their beginning.
        let initial = "%t = { m(main) } %n = {} %p = { sm = { m: 1/2 } ready = { m } }";
        model("%p done()", &actions, threads, initial)
    };
    assert_eq!(failures(&stopping("%stop v == tr")), [false]);
    assert_eq!(failures(&stopping("%stop v != tr")), [true]);
    assert_eq!(failures(&stopping("")), [true]);
}

/// What one step does with the individuals of which `a` holds, and what is claimed of the result.
fn things(action: &str, claim: &str, several: bool) -> String {
    let actions = format!(
        "%action act() {{ {action} }}
         %action claim() {{ %p done() %message ({claim}) -> \"so it is\" }}"
    );
    let sm = if several { "sm = { x: 1/2 }" } else { "" };
    let initial = format!("%n = {{ x, y }} %p = {{ {sm} a = {{ x }} b = {{ x->y }} }}");
    let text = model(
        "%p done() %p a(v) %p b(v, w) %p c(v)",
        &actions,
        "",
        &initial,
    );
    text.replace("claim()\n%initial", "claim() act()\n%initial")
}

#[test]
fn one_is_made_for_each() {
    for several in [false, true] {
        let told = if several { runs } else { failures };
        let make =
            "%p !done() %new a(v) { c(v) = isNew(v) & E(w) instance(v, w) & a(w) done() = 1 }";
        // There is a new one; and not without an old one; `y` has none.
        assert_eq!(told(&things(make, "E(v) c(v)", several)), [true]);
        assert_eq!(told(&things(make, "!(E(v) c(v))", several)), [false]);
        assert_eq!(told(&things(make, "E(v) c(v) & a(v)", several)), [false]);
        let two = "E(v, w) v != w & c(v) & c(w)";
        assert_eq!(told(&things(make, two, several)), [several]);
    }
}

#[test]
fn a_copy_has_the_same_values() {
    for several in [false, true] {
        let copy = "%p !done() %clone a(v) | E(w) b(w, v) { c(v) = isNew(v) done() = 1 }";
        assert_eq!(failures(&things(copy, "E(v) c(v) & a(v)", several)), [true]);
        // What leads from a copy leads to a copy.
        let mixed = "E(v, w) b(v, w) & !(c(v) <-> c(w))";
        assert_eq!(failures(&things(copy, mixed, several)), [false]);
        let all = "!(E(v, w) b(v, w) & c(v) & c(w) & a(v))";
        assert_eq!(failures(&things(copy, all, several)), [false]);
    }
}

#[test]
fn who_does_not_stay_is_gone() {
    for several in [false, true] {
        let told = if several { runs } else { failures };
        let leave = "%p !done() { done() = 1 } %retain a(v)";
        assert_eq!(told(&things(leave, "E(v) !a(v)", several)), [false]);
        assert_eq!(told(&things(leave, "!(E(v) a(v))", several)), [false]);
        // One of several may stay, and what is new does.
        let one = "%p !done() & a(x) %new { done() = 1 c(v) = isNew(v) } %retain v == x";
        let two = "E(v, w) v != w & a(v) & a(w)";
        assert_eq!(told(&things(one, two, several)), [false]);
        assert_eq!(told(&things(one, "!(E(v) c(v))", several)), [false]);
        // All but one may.
        let others = "%p !done() & a(x) { done() = 1 } %retain v != x";
        assert_eq!(told(&things(others, "E(v) a(v)", several)), [several]);
        assert_eq!(told(&things(others, "!(E(v) a(v))", several)), [true]);
    }
}

#[test]
fn a_thread_that_vanishes_in_a_block_gives_its_turn_to_others() {
    let actions = "%action vanish() { %retain v != tr }
        %action work() { { done() = 1 } }
        %action claim() { %message done() -> \"the other one works\" }";
    let threads = "%thread main { atomic { m_1 vanish() m_2 m_2 vanish() m_3 } }
        %thread worker { w_1 work() w_2 }";
    let initial = "%t = { m(main), w(worker) } %n = {} %p = { ready = { m, w } runnable = { m } }";
    assert_eq!(
        failures(&model("%p done()", actions, threads, initial)),
        [true]
    );
}

#[test]
fn messages_behind_updates_are_of_the_configuration_after_them() {
    let actions = |place: &str, value: &str| {
        let message = "%message (E(t) done(t)) -> \"done\"";
        let (before, after) = match place {
            "before" => (message, ""),
            _ => ("", message),
        };
        format!(
            "%action work() {{ {before} {{ done(t) = {value} }} {after} }}
             %action claim() {{ }}"
        )
    };
    let threads = "%thread main { m_1 work() m_2 }";
    let failing = |place: &str, value: &str| {
        let text = model("%p done(t)", &actions(place, value), threads, ONE_THREAD);
        failures(&text)
    };
    assert_eq!(failing("before", "t == tr"), [false]);
    assert_eq!(failing("after", "t == tr"), [true]);
    assert_eq!(failing("after", "done(t)"), [false]);
}

#[test]
fn halting_is_a_message_and_hides_nothing() {
    let actions = "%action stop() { %p done() %halt }
        %action work() { { done() = 1 } }
        %action claim() { %message (E(t) at[m_3](t)) -> \"it went on\" }";
    let threads = "%thread main { m_1 work() m_2 m_2 stop() m_3 }";
    let text = model("%p done()", actions, threads, ONE_THREAD);
    // That it halts, and what comes behind it.
    assert_eq!(failures(&text), [true, true]);
    let never = text.replace("{ done() = 1 }", "");
    assert_eq!(failures(&never), [false, false]);
}

//! `%assert` and `%hardassert`: what is asserted where a thread gets, and the runs that get there when it
//! does not hold, by the actions that they take.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use audit::check_structures;
use model::predicates::{PredicateProgram, PredicateRun};
use model::{Budget, MessageId, Silent};

/// Threads that go through a door, any number of them, `first` of them before they assert that it is open.
fn door(asserts: &str, first: &str, initial: &str) -> PredicateProgram {
    let text = format!(
        "%p open()
         %p through(t)
         %%
         %action open() {{ {{ open() = 1 }} }}
         %action close() {{ {{ open() = 0 }} }}
         %action go() {{ {{ through(t) = through(t) | t == tr }} }}
         %%
         %thread guest {{ {first} a_2 go() a_3 a_3 {asserts} a_4 a_4 close() a_5 }}
         %%
         %initial {{ {initial} }}"
    );
    let loaded = tvm::load("door.tvm", &text, &[], &|_| None);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    (*loaded.program.unwrap().predicates.unwrap()).clone()
}

const ONE: &str = "%t = { t(guest) } %n = {} %p = { ready = { t } }";
const MANY: &str = "%t = { t(guest) } %n = {} %p = { sm = { t:1/2 } ready = { t } }";
const MAYBE: &str = "%t = { t(guest) } %n = {} %p = { open = 1/2 ready = { t } }";

/// Of each assertion, the actions of a shortest run to where it does not hold, the one that asserts last;
/// `None`: it holds, and that is audited. A run along the way through structures is as short.
fn broken(program: &PredicateProgram) -> Vec<Option<Vec<String>>> {
    let budget = Budget::default();
    let explored = shape::explore(program, &budget, &Silent).unwrap();
    let all = (0..program.messages.len()).map(MessageId::new);
    let broken = all.map(|message| {
        let Some(way) = explored.way(program, message) else {
            check_structures(program, &explored.structures, &[message], &budget).unwrap();
            assert_eq!(shape::concretise(program, message, &budget), None);
            return None;
        };
        let trace = shape::concretise(program, message, &budget).unwrap();
        let along = shape::concretise_along(program, message, &way.actions, &budget).unwrap();
        let told = [trace, along].map(|trace| {
            let run = PredicateRun::replay(program, &trace, message).unwrap();
            let steps = run.steps.iter().map(|taken| taken.action);
            let actions = steps.chain([run.ends.0]);
            let names = actions.map(|action| program.actions[action].name.clone());
            names.collect::<Vec<_>>()
        });
        let [shortest, along] = told;
        assert_eq!(shortest.len(), along.len());
        assert_eq!(along.len(), way.actions.len());
        Some(shortest)
    });
    broken.collect()
}

#[test]
fn one_thread_asserts_what_it_has_made_so() {
    for word in ["%assert", "%hardassert"] {
        let asserts = format!("{word}(open())");
        assert_eq!(broken(&door(&asserts, "a_1 open() a_2", ONE)), [None]);
        let through = format!("{word}(through(tr))");
        assert_eq!(broken(&door(&through, "a_1 open() a_2", MANY)), [None]);
    }
}

#[test]
fn another_thread_breaks_what_is_asserted() {
    for word in ["%assert", "%hardassert"] {
        let program = door(&format!("{word}(open())"), "a_1 open() a_2", MANY);
        let found = broken(&program);
        let run = found[0].as_ref().unwrap();
        // One goes all the way and closes the door behind another one that has gone through.
        let closes = run.iter().filter(|name| name.starts_with("close")).count();
        let opens = run.iter().filter(|name| name.starts_with("open")).count();
        assert_eq!((opens, closes, run.len()), (2, 1, 7), "{run:?}");
    }
}

#[test]
fn what_is_not_known_is_asserted_by_neither() {
    for word in ["%assert", "%hardassert"] {
        let program = door(&format!("{word}(open())"), "", MAYBE);
        let go = "go (a_2 to a_3)";
        let found = broken(&program);
        assert_eq!(found[0].as_ref().unwrap()[0], go);
        assert_eq!(found[0].as_ref().unwrap().len(), 2);
    }
    assert_eq!(broken(&door("%assert(open() | !open())", "", ONE)), [None]);
}

//! Focus along inverse functions.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use model::{Budget, MessageId, Silent};

/// Somebody walks along a chain, and back wherever somebody comes before.
const WALK: &str = "
    %p first(v) unique
    %p here(v) unique
    %p next(v, w) function ATTRIBUTE
    %i later(v) = E(u) next(u, v)
    %%
    %action on() {
        %f { here(v) & next(v, w) }
        %p E(v, w) here(v) & next(v, w)
        { here(w) = E(v) here(v) & next(v, w) }
    }
    %action back() {
        %f { here(v), later(v), here(v) & next(u, v) }
        %p E(v) here(v) & later(v)
        { here(u) = E(v) here(v) & next(u, v) }
    }
    %action look() { %message (!(E(v) here(v))) -> \"nobody is anywhere\" }
    %%
    %thread main { begin on() begin  begin back() begin }
    %%
    look()
    %initial {
        %t = { t(main) } %n = { a, more }
        %p = {
            sm = { more: 1/2 } ready = { t } first = { a } here = { a }
            next = { a->more: 1/2, more->more: 1/2 } later = { more }
        }
    }
";

/// Whether the message may be given, and is shown never to be if it may not.
fn may_be_lost(attribute: &str) -> bool {
    let text = WALK.replace("ATTRIBUTE", attribute);
    let loaded = tvm::load("walk.tvm", &text, &[], &|_| None);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let program = loaded.program.unwrap().predicates.unwrap();
    let explored = shape::explore(&program, &Budget::default(), &Silent).unwrap();
    assert_eq!(explored.stopped, None);
    let given = explored.messages[0].at.is_some();
    if !given {
        let silent = [MessageId::new(0)];
        let budget = Budget::default();
        let audited = audit::check_structures(&program, &explored.structures, &silent, &budget);
        assert_eq!(audited.map(drop), Ok(()));
    }
    given
}

#[test]
fn inverse_functions_are_followed_back() {
    assert!(!may_be_lost("invfunction"));
    // Several may lead to one: then it is not one that is come to.
    assert!(may_be_lost(""));
}

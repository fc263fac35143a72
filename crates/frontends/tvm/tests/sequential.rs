//! Sequential programs (TVP files): where they begin, what their declarations say of all actions, and
//! what sets and choices stand for.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::PathBuf;
use std::sync::Arc;

use model::predicates::PredicateProgram;
use model::{Budget, MessageId, Silent};
use shape::{Exploration, Join};

fn read(text: &str, initial: &str) -> Arc<PredicateProgram> {
    let beside = |name: &str| (name == "model.tvs").then(|| initial.to_owned());
    let loaded = tvm::load("model.tvp", text, &[], &beside);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    loaded.program.unwrap().predicates.unwrap()
}

fn example(name: &str) -> Arc<PredicateProgram> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../examples/tvm/last");
    let file = |suffix| std::fs::read_to_string(root.join(format!("{name}.{suffix}"))).unwrap();
    read(&file("tvp"), &file("tvs"))
}

/// The messages that runs give; no others may be given, by structures kept one by one or joined, and the
/// audit agrees.
fn given(program: &PredicateProgram) -> Vec<String> {
    let mut all = Vec::new();
    for join in [Join::Relational, Join::Partial] {
        let how = Exploration {
            join,
            ..Exploration::default()
        };
        let budget = Budget::default();
        let explored = shape::explore_with(program, how, &budget, &Silent).unwrap();
        assert!(explored.complete);
        let (given, silent): (Vec<MessageId>, Vec<MessageId>) = (0..program.messages.len())
            .map(MessageId::new)
            .partition(|message| explored.messages[message.index()].at.is_some());
        let audited = audit::check_structures(program, &explored.structures, &silent, &budget);
        assert_eq!(audited.map(drop), Ok(()));
        for &message in &given {
            let run = shape::concretise(program, message, &budget);
            assert!(run.is_some(), "no run gives {message:?}");
        }
        all.push(given);
    }
    assert_eq!(all[0], all[1]);
    let text = |message: &MessageId| program.messages[message.index()].text.clone();
    all[0].iter().map(text).collect()
}

#[test]
fn the_last_cell_of_a_list() {
    assert_eq!(given(&example("last")), Vec::<String>::new());
    assert_eq!(given(&example("broken")), ["null is dereferenced"]);
}

/// A program that goes from `one` to `two` to `three`.
const FLOW: &str = "
    %s Flags { red, green }
    foreach (f in Flags) { %p f() }
    %message (red() & green()) -> \"both\"
    %%
    %action set(f) { { f() = 1 } }
    %action any() {
        %param f in Flags
        { f() = 1 }
    }
    %action say() { %message (red()) -> \"red\" }
    %%
    one   set(red) two
    two   any() three
    three say() three
";

#[test]
fn runs_begin_at_the_first_location() {
    let program = read(FLOW, "%n = {}");
    assert_eq!(given(&program), ["both", "red"]);
    // Two is reached with red only, three with red, or red and green.
    let explored = shape::explore(&program, &Budget::default(), &Silent).unwrap();
    assert_eq!(explored.structures.len(), 4);
}

#[test]
fn or_where_the_file_of_structures_says() {
    let program = read(FLOW, "%location three = { %n = {} %p = { green } }");
    assert_eq!(given(&program), Vec::<String>::new());
    let program = read(FLOW, "%location two = { %n = {} %p = { green } }");
    assert_eq!(given(&program), ["both", "red"]);
}

#[test]
fn a_name_with_a_set_stands_for_any_of_it() {
    let program = read(FLOW, "%location two = { %n = {} }");
    let any = program
        .actions
        .iter()
        .filter(|one| one.name.starts_with("any"));
    assert_eq!(any.count(), 2);
}

#[test]
fn sets_are_made_of_others() {
    let text = "
        %s Vars { x, y, z }
        foreach (v in Vars - { z }) { %p at[v]() }
        %s Places { at[v] : v in Vars - { z } }
        %%
        %action all() { %message (&/{ p() : p in Places }) -> \"all\" }
        %%
        here all() here
    ";
    assert_eq!(given(&read(text, "%n = {} %p = { at[x] at[y] }")), ["all"]);
    assert_eq!(
        given(&read(text, "%n = {} %p = { at[x] }")),
        Vec::<String>::new()
    );
}

#[test]
fn what_a_file_of_structures_leaves_out_is_false() {
    // Whether somebody leads to `tail` is not known, and would be unknown by its definition.
    let text = "
        %p n(v, w)
        %i led(w) = E(v) n(v, w)
        %%
        %action say() { %message (E(w) led(w)) -> \"led\" }
        %%
        here say() here
    ";
    let initial = "%n = { a, b } %p = { n = { a -> b: 1/2 } }";
    assert_eq!(given(&read(text, initial)), Vec::<String>::new());
    let initial = "%n = { a, b } %p = { n = { a -> b: 1/2 } led = { b: 1/2 } }";
    assert_eq!(given(&read(text, initial)), ["led"]);
}

#[test]
fn a_sequential_program_has_no_threads() {
    let beside = |name: &str| (name == "model.tvs").then(|| "%t = { t(main) } %n = {}".to_owned());
    let loaded = tvm::load("model.tvp", FLOW, &[], &beside);
    let codes: Vec<&str> = loaded.diagnostics.iter().map(|one| one.code).collect();
    assert!(codes.contains(&"TVM0101"), "{codes:?}");
}

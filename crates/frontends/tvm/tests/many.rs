//! Structures of many individuals: more than the bits of a word, of which none stands for several. What is
//! found of them is audited, and what has no room is said to be so.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use model::predicates::{Kleene, Predicate, PredicateProgram, Structure};
use model::{Budget, MessageId, PredicateId, Silent, UnknownReason};
use shape::{Exploration, Explored, Join, Unsupported};
use source::Span;

fn read(text: &str, initial: &str) -> Arc<PredicateProgram> {
    let beside = |name: &str| (name == "model.tvs").then(|| initial.to_owned());
    let loaded = tvm::load("model.tvp", text, &[], &beside);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    loaded.program.unwrap().predicates.unwrap()
}

fn explored(program: &PredicateProgram, join: Join, jobs: usize) -> Explored {
    let how = Exploration {
        join,
        jobs,
        ..Exploration::default()
    };
    shape::explore_with(program, how, &Budget::default(), &Silent).unwrap()
}

/// The messages that are given, which a run shows if it is a short one; the audit agrees that no others are.
fn given(program: &PredicateProgram, explored: &Explored) -> Vec<String> {
    assert!(explored.complete);
    let (given, silent): (Vec<MessageId>, Vec<MessageId>) = (0..program.messages.len())
        .map(MessageId::new)
        .partition(|message| explored.messages[message.index()].at.is_some());
    let budget = Budget::default();
    let audited = audit::check_structures(program, &explored.structures, &silent, &budget);
    assert_eq!(audited.map(drop), Ok(()));
    let all = given.into_iter().map(|message| {
        let way = explored.way(program, message).unwrap();
        if way.actions.len() < 10 {
            let run = shape::concretise_along(program, message, &way.actions, &budget);
            assert!(run.is_some(), "no run gives {message:?}");
        }
        program.messages[message.index()].text.clone()
    });
    all.collect()
}

/// A name for each of so many cells.
fn named(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|cell| format!("c{cell}")).collect();
    names.join(", ")
}

/// `x` goes along a list of so many cells, each of which has a name of its own.
fn walk(count: usize) -> Arc<PredicateProgram> {
    let text = format!(
        "
        %s Cells {{ {} }}
        foreach (c in Cells) {{ %p is[c](v) unique }}
        %p x(v) unique
        %p n(v, w) function acyclic
        %i ways(v, w) = n*(v, w)
        %i from(v) = E(u) x(u) & ways(u, v)
        %%
        %action ends() {{
            %p !(E(v) x(v))
            %message (E(v) from(v)) -> \"something is reached from nowhere\"
        }}
        %action next() {{
            %p E(v) x(v)
            %message (E(v) x(v) & is[c1](v)) -> \"the second cell is reached\"
            %message (E(v) x(v) & is[c{last}](v)) -> \"the last cell is reached\"
            %message (E(v) !from(v) & is[c{last}](v)) -> \"the last cell is lost\"
            {{ x(w) = E(v) x(v) & n(v, w) }}
        }}
        %%
        begin next() begin
        begin ends() end
        ",
        named(count),
        last = count - 1,
    );
    let each = |of: &dyn Fn(usize) -> String| -> String { (0..count).map(of).collect() };
    let names = each(&|cell| format!("is[c{cell}] = {{ c{cell} }} "));
    let steps = each(&|cell| match cell {
        0 => String::new(),
        cell => format!("c{} -> c{cell}, ", cell - 1),
    });
    let mut ways = String::new();
    for from in 0..count {
        for to in from..count {
            write!(ways, "c{from} -> c{to}, ").unwrap();
        }
    }
    let (steps, ways) = (steps.trim_end_matches(", "), ways.trim_end_matches(", "));
    let all = named(count);
    let initial = format!(
        "%n = {{ {all} }} %p = {{ {names} x = {{ c0 }} from = {{ {all} }} n = {{ {steps} }} ways = {{ {ways} }} }}"
    );
    read(&text, &initial)
}

#[test]
fn a_long_list_is_walked_along() {
    for count in [65, 80] {
        let program = walk(count);
        for (join, jobs) in [(Join::Relational, 1), (Join::Partial, 2)] {
            let explored = explored(&program, join, jobs);
            let reached = ["the second cell is reached", "the last cell is reached"];
            assert_eq!(given(&program, &explored), reached);
            // `x` is at each of them, or at none.
            assert_eq!(explored.structures.len(), count + 2);
            assert!(explored.structures.iter().all(|one| one.size() == count));
        }
    }
}

/// Cells come into being behind so many that are there, each with a name of its own.
fn made(count: usize, more: usize) -> Arc<PredicateProgram> {
    let mut text = format!(
        "
        %s Cells {{ {} }}
        foreach (c in Cells) {{ %p is[c](v) unique }}
        %%
        %action make(c) {{
            %new
            {{ is[c](v) = isNew(v) }}
        }}
        %action all() {{
            %message (E(v) is[c{last}](v)) -> \"all are there\"
            %message !(E(v) is[c0](v) & !is[c{last}](v)) -> \"the first one is gone\"
        }}
        %%
        ",
        named(count + more),
        last = count + more - 1,
    );
    for one in 0..more {
        writeln!(text, "l{one} make(c{}) l{}", count + one, one + 1).unwrap();
    }
    writeln!(text, "l{more} all() end").unwrap();
    let names: String = (0..count)
        .map(|cell| format!("is[c{cell}] = {{ c{cell} }} "))
        .collect();
    read(
        &text,
        &format!("%n = {{ {} }} %p = {{ {names} }}", named(count)),
    )
}

#[test]
fn structures_outgrow_a_word() {
    for join in [Join::Relational, Join::Partial] {
        for narrow in [64, 0] {
            let program = made(61, 6);
            let how = Exploration {
                join,
                narrow,
                ..Exploration::default()
            };
            let explored = shape::explore_with(&program, how, &Budget::default(), &Silent).unwrap();
            assert_eq!(given(&program, &explored), ["all are there"]);
            let sizes = explored.structures.iter().map(|one| one.size());
            assert_eq!(sizes.max(), Some(67));
        }
    }
}

#[test]
fn what_has_no_room_is_said_to_be_so() {
    let explored = explored(&made(254, 4), Join::Relational, 1);
    let Some(UnknownReason::Unsupported(what)) = explored.stopped else {
        panic!("{:?}", explored.stopped);
    };
    assert!(what.contains("256"), "{what}");
    assert!(!explored.complete);
    let all = made(257, 0);
    let refused = shape::explore(&all, &Budget::default(), &Silent);
    assert!(matches!(refused, Err(Unsupported::Individuals)));
}

/// The same program with so many individuals more that play no part. Each has a predicate of its own.
fn crowded(program: &PredicateProgram, more: usize) -> PredicateProgram {
    let mut crowded = program.clone();
    let first = program.predicates.len();
    for one in 0..more {
        crowded.predicates.push(Predicate {
            name: format!("bystander{one}"),
            arity: 1,
            abstraction: true,
            unique: false,
            injective: false,
            definition: None,
            span: Span::NONE,
        });
    }
    for initial in &mut crowded.initial {
        let size = initial.size();
        let summary = [&initial.summary[..], &vec![false; more]].concat();
        let mut larger = Structure::new(&crowded.predicates, summary);
        for (number, predicate) in program.predicates.iter().enumerate() {
            for place in 0..size.pow(u32::try_from(predicate.arity).unwrap()) {
                let arguments = initial.arguments(place, predicate.arity);
                let id = PredicateId::new(number);
                larger.set(id, &arguments, initial.get(id, &arguments));
            }
        }
        for one in 0..more {
            let own = PredicateId::new(first + one);
            larger.set(own, &[size + one], Kleene::True);
        }
        // What definitions say of the others.
        for (id, arity, definition) in program.defined() {
            for place in 0..(size + more).pow(u32::try_from(arity).unwrap()) {
                let mut assignment = larger.arguments(place, arity);
                if assignment.iter().any(|&one| one >= size) {
                    let arguments = assignment.clone();
                    assignment.resize(definition.slots().max(arity), 0);
                    let value = larger.value(definition, &mut assignment);
                    larger.set(id, &arguments, value);
                }
            }
        }
        *initial = larger;
    }
    crowded
}

#[test]
fn bystanders_change_nothing() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../examples/tvm");
    let mut smaller = 0;
    for name in [
        "mutex/mutex.tvm",
        "mutex/broken.tvm",
        "pool/pool.tvm",
        "pool/broken.tvm",
        "readers_writers/broken.tvm",
        "two_locks/two_locks.tvm",
        "reversal/reversal.tvm",
    ] {
        let text = std::fs::read_to_string(root.join(name)).unwrap();
        let program = tvm::load(name, &text, &[], &|_| None).program.unwrap();
        let program = program.predicates.unwrap();
        let crowded = crowded(&program, 65);
        for join in [Join::Relational, Join::Partial] {
            let [few, many] = [&*program, &crowded].map(|one| explored(one, join, 1));
            assert_eq!(few.structures.len(), many.structures.len(), "{name}");
            assert_eq!(few.messages, many.messages, "{name}");
            assert!(many.structures.iter().all(|one| one.size() >= 65), "{name}");
            // The audit accepts all of them, and misses one that no other stands for.
            let all = (0..crowded.messages.len()).map(MessageId::new);
            let silent = all.filter(|message| many.messages[message.index()].at.is_none());
            let silent: Vec<MessageId> = silent.collect();
            let audited = |structures: &[Structure]| {
                audit::check_structures(&crowded, structures, &silent, &Budget::default()).is_ok()
            };
            assert!(audited(&many.structures), "{name}");
            let mut others = many.structures.clone();
            let last = others.pop().unwrap();
            let mut standing = others.iter();
            let spare = standing.any(|one| one.stands_for(&last, &crowded.predicates));
            assert_eq!(audited(&others), spare, "{name}");
            smaller += usize::from(!spare);
        }
    }
    assert!(smaller > 4, "{smaller}");
}

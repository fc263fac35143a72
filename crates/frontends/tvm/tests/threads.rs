//! Which threads can go on: a thread made by the last step of another one does, and an atomic block
//! is not interrupted.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use model::{Budget, MessageId, Silent};

/// Whether the first message of a model may be given, and is by a run.
fn fails(text: &str) -> bool {
    let loaded = tvm::load("model.tvm", text, &[], &|_| None);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let program = loaded.program.unwrap().predicates.unwrap();
    let explored = shape::explore(&program, &Budget::default(), &Silent).unwrap();
    let run = shape::concretise(&program, MessageId::new(0), &Budget::default());
    assert_eq!(explored.messages[0].at.is_some(), run.is_some());
    run.is_some()
}

#[test]
fn a_thread_that_is_made_last_goes_on() {
    assert!(fails(
        "
        %p done()
        %%
        %action make() {
            %new
            {
                isthread(t) = isthread(t) | isNew(t)
                ready(t) = ready(t) | isNew(t)
                at[w_1](t) = at[w_1](t) | isNew(t)
            }
        }
        %action work() { { done() = 1 } }
        %action look() { %message done() -> \"the work is done\" }
        %%
        %thread maker { m_1 make() m_2 }
        %thread worker { w_1 work() w_2 }
        %%
        look()
        %initial { %t = { m(maker) } %n = {} %p = { ready = { m } } }
        "
    ));
}

#[test]
fn a_claim_may_make_a_thread_ready() {
    assert!(fails(
        "
        %p done()
        %%
        %action work() { { done() = 1 } }
        %action look() { %message done() -> \"the work is done\" }
        %action wake() { { ready(t) = isthread(t) } }
        %%
        %thread worker { w_1 work() w_2 }
        %%
        look()
        wake()
        %initial { %t = { w(worker) } %n = {} %p = { } }
        "
    ));
}

#[test]
fn an_atomic_block_is_not_interrupted() {
    let model = |open: &str, close: &str| {
        format!(
            "
            %p inside(t)
            %%
            %action enter() {{ {{ inside(t) = inside(t) | t == tr }} }}
            %action leave() {{ {{ inside(t) = inside(t) & t != tr }} }}
            %action look() {{
                %message (E(a, b) a != b & inside(a) & inside(b)) -> \"two are inside\"
            }}
            %%
            %thread main {{ {open} a_1 enter() a_2 a_2 leave() a_3 {close} }}
            %%
            look()
            %initial {{ %t = {{ t(main) }} %n = {{}} %p = {{ sm = {{ t:1/2 }} ready = {{ t }} }} }}
            "
        )
    };
    assert!(fails(&model("", "")));
    assert!(!fails(&model("atomic {", "}")));
}

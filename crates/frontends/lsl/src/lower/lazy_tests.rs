//! The claim of `docs/lazy-payments.md`, tested: with events that wait in a queue, a script
//! between events, its queue empty, has the same variables and ledgers as with events that arrive
//! just before they are handled or lost.

use std::collections::BTreeSet;

use model::{
    Binary, EventId, Observer, Place, Program, Root, Stmt, Type as ModelType, Variable,
    VariableKind,
};

use super::tests::{explore, lowered};
use super::{Delivery, Lowered, call_key};

/// What a script's variables and the ledger look like while it waits for an event.
type Picture = BTreeSet<(i128, Vec<String>)>;

/// Adds a ledger: payments in, payments out, modulo a power of two.
fn add_ledger(lowered: &mut Lowered, mask: i128) {
    let program = &mut lowered.program;
    let ledger = program.add_global(Variable {
        kind: VariableKind::Ghost,
        ..Variable::new("ledger", ModelType::INT32)
    });
    let book = |program: &mut Program, event: EventId, op: Binary| {
        let so_far = program.exprs.load(Place::global(ledger), ModelType::INT32);
        let amount = program
            .exprs
            .load(Place::from(Root::Argument(1)), ModelType::INT32);
        let sum = program.exprs.binary(op, so_far, amount);
        let mask = program.exprs.int(mask, ModelType::INT32);
        let sum = program.exprs.binary(Binary::BitAnd, sum, mask);
        program.add_observer(Observer {
            name: "ledger".to_owned(),
            event,
            body: vec![Stmt::Assign(Place::global(ledger), sum)],
        });
    };
    let paid = lowered.layout.world.paid;
    book(program, paid, Binary::Add);
    if let Some(&given) = lowered.layout.calls.get("llGiveMoney") {
        book(program, given, Binary::Sub);
    }
    assert_eq!(call_key("x"), "call x");
}

fn picture(text: &str, delivery: Delivery, lost: i64, mask: i128) -> Picture {
    let bounds = [
        ("amount", 0, 1),
        ("bidders", 1, 1),
        ("lost-payments", 0, lost),
    ];
    let (_, mut lowered) = lowered(text, &bounds, delivery);
    add_ledger(&mut lowered, mask);
    let program = &lowered.program;
    let script = &program.processes[1];
    let watched: Vec<usize> = (0..program.globals.len())
        .filter(|&index| {
            let variable = &program.globals[index];
            matches!(variable.kind, VariableKind::State | VariableKind::Ghost)
                || variable.name == "script stopped"
        })
        .collect();
    explore(program)
        .states
        .iter()
        .filter(|state| {
            state
                .channels
                .iter()
                .flatten()
                .all(|q| q.messages.is_empty())
        })
        .filter_map(|state| {
            let at = state.instances[1].as_ref()?.location?;
            let name = &script.locations[at.index()].name;
            let waits = !name.starts_with("enter");
            let values = watched
                .iter()
                .map(|&index| super::tests::shown(program, &state.globals[index]))
                .collect();
            waits.then_some((i128::from(at.0), values))
        })
        .collect()
}

/// Scripts that change state, reset, stop and die with payments under way.
const SCRIPTS: [(&str, &str); 6] = [
    (
        "a box that closes",
        "integer total;
         default
         {
             money(key id, integer amount) { total = (total + amount) & 3; }
             touch_start(integer n) { state closed; }
         }
         state closed { touch_start(integer n) { state default; } }",
    ),
    (
        "an auction",
        "integer high;
         default { state_entry() { llSetTimerEvent(10); state open; } }
         state open
         {
             state_entry() { high = 0; }
             money(key id, integer amount)
             {
                 if (amount > high) high = amount;
                 else llGiveMoney(id, amount);
             }
             timer() { state closed; }
         }
         state closed { state_entry() { if (high > 0) high = -high; } }",
    ),
    (
        "a state left at once",
        "integer entered;
         default
         {
             state_entry() { if (!entered) { entered = 1; state shop; } }
             money(key id, integer amount) { entered = 2 + amount; }
         }
         state shop
         {
             state_entry() { if (entered == 1) state default; }
             money(key id, integer amount) { state default; }
         }",
    ),
    (
        "a reset",
        "integer n;
         default
         {
             money(key id, integer amount) { n = n * 2 + amount; if (n > 3) llResetScript(); }
         }",
    ),
    (
        "a run-time error",
        "integer n;
         default
         {
             money(key id, integer amount) { n = 1; n = 6 / amount; }
             touch_start(integer d) { n = 5; }
         }",
    ),
    (
        "an object that dies",
        "integer n;
         default
         {
             money(key id, integer amount) { n = amount; }
             touch_start(integer d) { if (n) llDie(); }
         }",
    ),
];

#[test]
fn a_queue_shows_nothing_else_between_events() {
    let mut sizes = Vec::new();
    for (name, text) in SCRIPTS {
        // A ledger modulo 2 does not tell how many payments are lost, only that some are.
        let lazy = picture(text, Delivery::Lazy, 3, 1);
        for capacity in [2, 3] {
            let eager = picture(text, Delivery::Eager { capacity }, 3, 1);
            assert_eq!(lazy, eager, "{name}, a queue of {capacity}");
        }
        sizes.push(lazy.len());
    }
    assert!(sizes.iter().all(|&size| size > 3), "{sizes:?}");
}

#[test]
fn as_many_payments_are_lost_as_the_queue_holds() {
    let mut grew = 0;
    for (name, text) in SCRIPTS {
        for capacity in [2, 3] {
            // One place of the queue was the event's that is being handled.
            let fewest = picture(text, Delivery::Lazy, i64::from(capacity) - 1, 15);
            let eager = picture(text, Delivery::Eager { capacity }, 0, 15);
            let most = picture(text, Delivery::Lazy, i64::from(capacity), 15);
            assert!(fewest.is_subset(&eager), "{name}, a queue of {capacity}");
            assert!(eager.is_subset(&most), "{name}, a queue of {capacity}");
            grew += usize::from(fewest.len() < most.len());
        }
    }
    assert!(grew > 0, "some script shows how many payments are lost");
}

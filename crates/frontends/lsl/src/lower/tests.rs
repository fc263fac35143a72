//! Small scripts, explored by the reference interpreter.

use std::collections::HashSet;

use model::interp::{Interp, State, Violation};
use model::{GlobalId, Program, Value, VariableKind};
use source::SourceMap;

use super::{Delivery, Lowered, lower};
use crate::check::Checked;
use crate::watch::{Bounds, Watch};

/// Reads, checks and lowers a script.
pub(super) fn lowered(text: &str, bounds: &[(&str, i64, i64)], delivery: Delivery) -> (Checked, Lowered) {
    let mut sources = SourceMap::new();
    let file = sources.add("test.lsl", text);
    let (checked, diagnostics) = crate::analyze(sources.file(file));
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let mut stated = Bounds::default();
    for &(name, lo, hi) in bounds {
        stated.state(name, lo, hi, source::Span::NONE);
    }
    let lowered = lower("test", &checked, &Watch::default(), &stated, delivery);
    assert!(lowered.diagnostics.is_empty(), "{:?}", lowered.diagnostics);
    (checked, lowered)
}

/// What exploring gives.
pub(super) struct Explored {
    pub(super) states: Vec<State>,
    violations: Vec<Violation>,
    macro_steps: usize,
}

pub(super) fn explore(program: &Program) -> Explored {
    let interp = Interp::new(program);
    let mut found = Explored {
        states: Vec::new(),
        violations: Vec::new(),
        macro_steps: 0,
    };
    let mut seen: HashSet<State> = HashSet::new();
    for (_, state) in interp.initial().unwrap() {
        let state = interp.stored(&state);
        if seen.insert(state.clone()) {
            found.states.push(state);
        }
    }
    let mut next = 0;
    while next < found.states.len() {
        let state = found.states[next].clone();
        next += 1;
        assert!(next < 20_000, "too many states for a test");
        let expansion = interp.expand(&state).unwrap();
        assert!(expansion.diverges.is_none(), "a handler never returns");
        found.macro_steps += expansion.successors.len();
        found
            .violations
            .extend(expansion.violations.iter().map(|(violation, _)| *violation));
        for successor in expansion.successors {
            let state = interp.stored(&successor.state);
            if seen.insert(state.clone()) {
                found.states.push(state);
            }
        }
    }
    found
}

pub(super) fn shown(program: &Program, value: &Value) -> String {
    match value {
        Value::Int(n) => n.to_string(),
        Value::Bool(b) => b.to_string(),
        other => crate::library::display(&program.rich, other),
    }
}

fn value_of(state: &State, global: GlobalId) -> &Value {
    &state.globals[global.index()]
}

/// The paper's auction, its casts written as LSL has them.
const AUCTION: &str = r#"
string prize;
string high_bidder_name;
key high_bidder;
integer high_bid;

default
{
  state_entry()
  {
    llSetText("Initializing", <1,1,1>, 1.0);
    prize=llGetInventoryName(INVENTORY_OBJECT, 0);
    llSetText(prize, <1,1,1>, 1.0);
    llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
  }

  run_time_permissions(integer perm)
  {
    state auction;
  }
}

state auction
{
  state_entry()
  {
    high_bidder=NULL_KEY;
    high_bid=0;
    llSetText(prize+" \n Bidding Open! \n 0", <1,1,1>, 1.0);
    llSetTimerEvent(300);
  }

  money(key id, integer amount)
  {
    if(amount > high_bid)
    {
      if(high_bidder != NULL_KEY)
      {
        llOwnerSay("Refund:"+(string)high_bidder+" "+(string)high_bid);
        llGiveMoney(high_bidder, high_bid);
      }
      high_bidder=id;
      high_bidder_name=llKey2Name(high_bidder);
      high_bid=amount;
      llSetText(prize+" \n "+high_bidder_name+" \n "+(string)high_bid,
        <1,1,1>, 1.0);
    }
    else
    {
      llOwnerSay("Refund:"+(string)id+" "+(string)amount);
      llGiveMoney(id, amount);
      llInstantMessage(id, "You did not offer enough to outbid the highest bidder");
    }
  }

  timer()
  {
    state closed;
  }
}

state closed
{
  state_entry()
  {
    if(high_bidder != NULL_KEY)
    {
      llSetText(prize+" \n Bidding Closed! \n "+high_bidder_name+" wins! \n "+(string)high_bid, <1,1,1>, 1.0);
      llOwnerSay("Award:"+(string)high_bidder+" "+prize);
      llGiveInventory(high_bidder, prize);
    }
    else
    {
      llSetText(prize+" \n Bidding Closed.", <1,1,1>, 1.0);
    }
  }
}
"#;

#[test]
fn the_auction_runs_its_course() {
    let bounds = [("amount", 0, 2), ("bidders", 2, 2), ("lost-payments", 0, 1)];
    let (checked, lowered) = lowered(AUCTION, &bounds, Delivery::Lazy);
    let program = &lowered.program;
    let found = explore(program);
    assert!(found.violations.is_empty(), "{:?}", found.violations);
    let global = |name: &str| lowered.layout.globals[checked.global_named(name).unwrap().index()];
    let mut seen = HashSet::new();
    for state in &found.states {
        let at = value_of(state, lowered.layout.state).number();
        let bid = value_of(state, global("high_bid")).number();
        let bidder = shown(program, value_of(state, global("high_bidder")));
        let name = shown(program, value_of(state, global("high_bidder_name")));
        if bid > 0 {
            assert_eq!(
                name,
                format!("name of {bidder}"),
                "read when the bid was taken"
            );
        }
        seen.insert((at, bid, bidder));
    }
    // default; the auction with no bid or bids of 1 and 2 by either avatar; the same closed.
    assert!(seen.contains(&(0, 0, "\"\"".to_owned())), "{seen:?}");
    for at in [1, 2] {
        for bid in [1, 2] {
            for who in ["Alice", "Bob"] {
                assert!(
                    seen.contains(&(at, bid, who.to_owned())),
                    "{at} {bid} {who}: {seen:?}"
                );
            }
        }
    }
    assert!(found.states.len() < 400, "{} states", found.states.len());
    assert!(found.macro_steps > found.states.len());
    let stable: usize = program
        .globals
        .iter()
        .filter(|v| v.kind != VariableKind::Step)
        .count();
    assert!(stable < 20, "{stable} stored variables");
}

//! Small scripts, explored by the reference interpreter.

use std::collections::HashSet;

use model::interp::{Interp, State, Violation};
use model::{GlobalId, Program, Value, VariableKind};
use source::SourceMap;

use super::{Delivery, Lowered, lower};
use crate::check::Checked;
use crate::watch::{Bounds, Watch};

/// Reads, checks and lowers a script.
pub(super) fn lowered(
    text: &str,
    bounds: &[(&str, i64, i64)],
    delivery: Delivery,
) -> (Checked, Lowered) {
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

/// A value of a type, as text.
fn literal(ty: crate::Type) -> &'static str {
    match ty {
        crate::Type::Integer => "1",
        crate::Type::Float => "1.5",
        crate::Type::String | crate::Type::Key => "\"x\"",
        crate::Type::Vector => "<1.0, 2.0, 3.0>",
        crate::Type::Rotation => "ZERO_ROTATION",
        crate::Type::List => "[1, \"x\"]",
    }
}

#[test]
fn every_library_function_and_every_event_is_lowered() {
    use crate::facts;
    use std::fmt::Write;

    // Called one state at a time, so that each script stays small.
    let functions: Vec<&facts::Function> = facts::functions().iter().collect();
    let mut steps = 0;
    for chunk in functions.chunks(8) {
        let mut text = String::new();
        let mut body = String::new();
        for function in chunk {
            let args: Vec<&str> = function.parameters.iter().map(|p| literal(p.ty)).collect();
            let call = format!("{}({})", function.name, args.join(", "));
            match function.result {
                Some(ty) => {
                    let _ = writeln!(text, "{ty} v_{};", function.name);
                    let _ = writeln!(body, "if (n == 1) v_{} = {call};", function.name);
                    let _ = writeln!(body, "if (n == 2) {call};");
                }
                None => {
                    let _ = writeln!(body, "if (n == 1) {call};");
                }
            }
        }
        let _ = write!(
            text,
            "integer n = 1; default {{ state_entry() {{ {body} }} link_message(integer s, integer num, string m, key k) {{ n = num & 3; }} }}"
        );
        let mut sources = SourceMap::new();
        let file = sources.add("all.lsl", text.as_str());
        let (checked, diagnostics) = crate::analyze(sources.file(file));
        // Some functions are for Linden Lab's staff only.
        let errors: Vec<_> = diagnostics.iter().filter(|d| d.is_error()).collect();
        assert!(errors.is_empty(), "{text}\n{errors:?}");
        let lowered = lower(
            "all",
            &checked,
            &Watch::default(),
            &Bounds::default(),
            Delivery::Lazy,
        );
        assert!(lowered.diagnostics.is_empty(), "{:?}", lowered.diagnostics);
        let interp = Interp::new(&lowered.program);
        for (_, state) in interp.initial().unwrap().into_iter().take(1) {
            let expansion = interp.expand(&state).unwrap();
            steps += expansion.successors.len();
            assert!(!expansion.successors.is_empty(), "{text}");
        }
    }
    assert!(steps > functions.len() / 8, "{steps}");

    for event in facts::events() {
        let parameters: Vec<String> = event
            .parameters
            .iter()
            .map(|p| format!("{} p_{}", p.ty, p.name))
            .collect();
        let uses: String = event
            .parameters
            .iter()
            .map(|p| format!("s = (string)p_{};", p.name))
            .collect();
        let asks = "llSensorRepeat(\"\", \"\", 1, 1.0, 1.0, 1.0); llListen(1, \"\", \"\", \"\"); \
                    llRezObject(\"x\", <0,0,0>, <0,0,0>, ZERO_ROTATION, 1); llRequestURL(); \
                    llGetNotecardLine(\"x\", 0); llHTTPRequest(\"x\", [], \"\"); llSetTimerEvent(1); \
                    llTransferLindenDollars(\"x\", 1); llRequestPermissions(llGetOwner(), 2); \
                    llTarget(<0,0,0>, 1.0); llRotTarget(ZERO_ROTATION, 1.0); \
                    llTakeControls(1, 1, 1); llRequestExperiencePermissions(\"x\", \"\"); \
                    llCreateCharacter([]);";
        let text = match event.name {
            "state_entry" => {
                format!("integer n; string s; default {{ state_entry() {{ n = 1; {asks} }} }}")
            }
            name => format!(
                "integer n; string s; default {{ {name}({}) {{ n = 1; {uses} \
                 if (n == CHANGED_LINK) n = 2; {} }} touch_start(integer d) {{ {asks} {} }} }} \
                 state other {{ touch_start(integer d) {{ }} }}",
                parameters.join(", "),
                if name == "state_exit" {
                    ""
                } else {
                    "state other;"
                },
                if name == "state_exit" {
                    "state other;"
                } else {
                    ""
                },
            )
            .replace(
                if name == "touch_start" {
                    "touch_start(integer d) { llS"
                } else {
                    "\0"
                },
                "touch_end(integer d) { llS",
            ),
        };
        let mut sources = SourceMap::new();
        let file = sources.add("event.lsl", text.as_str());
        let (checked, diagnostics) = crate::analyze(sources.file(file));
        let errors: Vec<_> = diagnostics.iter().filter(|d| d.is_error()).collect();
        assert!(errors.is_empty(), "{text}\n{errors:?}");
        let lowered = lower(
            "event",
            &checked,
            &Watch::default(),
            &Bounds::default(),
            Delivery::Lazy,
        );
        assert!(lowered.diagnostics.is_empty(), "{:?}", lowered.diagnostics);
        // The XML-RPC service is gone: its event never comes.
        let happens = event.name != "remote_data";
        let n = lowered.layout.globals[checked.global_named("n").unwrap().index()];
        let program = &lowered.program;
        let interp = Interp::new(program);
        let mut states: Vec<State> = Vec::new();
        for (_, state) in interp.initial().unwrap() {
            states.push(interp.stored(&state));
        }
        for _ in 0..2 {
            for state in states.clone() {
                for successor in interp.expand(&state).unwrap().successors {
                    let next = interp.stored(&successor.state);
                    if !states.contains(&next) && states.len() < 300 {
                        states.push(next);
                    }
                }
            }
        }
        let handled = states.iter().any(|state| value_of(state, n).number() != 0);
        assert_eq!(handled, happens, "{text}");
    }
}

#[test]
fn an_effect_has_no_place_in_a_property() {
    use crate::ast::ExprKind;

    let (mut checked, mut lowered) = lowered(
        "integer total; default { state_entry() { } }",
        &[],
        Delivery::Lazy,
    );
    let global = checked.global_named("total").unwrap();
    let name = checked.ast.global(global).name;
    let place = checked.ast.add_expr(ExprKind::Name(name), name.span);
    let value = checked.ast.add_expr(ExprKind::Integer(1), name.span);
    let assign = ExprKind::Assign {
        op: None,
        place,
        value,
    };
    let assign = checked.ast.add_expr(assign, name.span);
    let mut found = source::Diagnostics::new();
    checked.check_expression(assign, &crate::check::Nothing, &mut found);
    lowered.pure(&checked, place, &NoExtras);
    assert!(lowered.diagnostics.is_empty());
    lowered.pure(&checked, assign, &NoExtras);
    let codes: Vec<&str> = lowered.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, [crate::codes::lowering::NO_VALUE]);
}

/// A property without names of its own.
struct NoExtras;

impl super::Extras for NoExtras {
    fn variable(&self, _: &mut Program, _: u32) -> Option<model::ExprId> {
        None
    }

    fn call(
        &self,
        _: &mut super::Pure<'_, '_>,
        _: u32,
        _: &[crate::ast::ExprId],
    ) -> Option<model::ExprId> {
        None
    }
}

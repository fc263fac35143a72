//! Scripts with properties, each explored on the reference interpreter: what observers,
//! assumptions and expressions of properties mean, one small script for each point.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{HashSet, VecDeque};
use std::path::Path;

use lsl::{Options, load};
use model::interp::{Interp, State, Violation};
use model::{Claim, Program, PropertyId};

fn program(name: &str, text: &str, bounds: &[(&str, &str)]) -> Program {
    let options = Options {
        bounds: bounds
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        ..Options::default()
    };
    let loaded = load(name, text, &options);
    let errors: Vec<String> = loaded
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .map(|d| source::render(d, &loaded.sources, false))
        .collect();
    assert!(errors.is_empty(), "{name}: {}", errors.join("\n"));
    loaded.program.unwrap()
}

/// Whether a safety property holds, and whether what it is about ever happens.
fn explore(program: &Program, id: PropertyId) -> (bool, bool) {
    let program = passes::focus(program, &[id]);
    let property = &program.properties[id.index()];
    let interp = Interp::new(&program);
    let mut holds = true;
    let mut triggered = property.trigger.is_none();
    let mut seen: HashSet<State> = HashSet::new();
    let mut waiting = VecDeque::new();
    let mut arrive = |state: State, holds: &mut bool, waiting: &mut VecDeque<State>| {
        if let Claim::Always(invariant) = property.claim {
            *holds &= interp.holds(&state, invariant).unwrap();
        }
        if let Some(trigger) = property.trigger {
            triggered |= interp.holds(&state, trigger).unwrap();
        }
        if seen.insert(interp.stored(&state)) {
            waiting.push_back(state);
        }
        assert!(seen.len() < 20_000, "too many states for a test");
    };
    for (_, state) in interp.initial().unwrap() {
        arrive(state, &mut holds, &mut waiting);
    }
    while let Some(state) = waiting.pop_front() {
        let expansion = interp.expand(&state).unwrap();
        for (violation, _) in &expansion.violations {
            if let (Claim::Check(check), Violation::Check(failed)) = (&property.claim, violation) {
                holds &= check != failed;
            }
        }
        for successor in expansion.successors {
            arrive(successor.state, &mut holds, &mut waiting);
        }
    }
    (holds, triggered)
}

/// Checks a script whose properties are named for what should become of them: `holds_...`,
/// `fails_...`, `vacuous_...`.
#[track_caller]
fn check(text: &str) {
    let program = program("t.lsl", text, &[]);
    assert!(!program.properties.is_empty());
    for (index, property) in program.properties.iter().enumerate() {
        let found = match explore(&program, PropertyId::new(index)) {
            (false, _) => "fails",
            (true, true) => "holds",
            (true, false) => "vacuous",
        };
        let (expected, _) = property.name.split_once('_').unwrap();
        assert_eq!(found, expected, "{}: {}", property.name, property.text);
    }
}

#[test]
fn the_papers_script_keeps_its_safety_properties() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/lsl");
    let text = std::fs::read_to_string(folder.join("auction/paper.lsl")).unwrap();
    let tiny = [
        ("amount", "0..2"),
        ("bidders", "2"),
        ("events-per-timer", "2"),
        ("lost-payments", "1"),
    ];
    let program = program("paper.lsl", &text, &tiny);
    let mut safety = 0;
    for (index, property) in program.properties.iter().enumerate() {
        if matches!(property.claim, Claim::Check(_) | Claim::Always(_)) {
            safety += 1;
            let found = explore(&program, PropertyId::new(index));
            assert_eq!(found, (true, true), "{}", property.name);
        }
    }
    assert_eq!(safety, 5);
}

#[test]
fn moments_within_a_handler_are_seen_where_they_are() {
    check(
        r#"
//@ property holds_between: always x == 0;
//@ property holds_first: when call llSay(_, t) if (t == "a") require x == 1;
//@ property fails_second: when call llSay(_, t) if (t == "b") require x == 1;
//@ property holds_old: when x changes require old(x) != x;
//@ property holds_old_value: when x changes if (x == 2) require old(x) == 1 && old(y) == y;
//@ property fails_never: never x changes;
//@ property holds_same: never y changes;
//@ property holds_equal: when call llSay(0, "a") require x == 1;
//@ property vacuous_other: when call llSay(1, _) require FALSE;
//@ property vacuous_uncalled: when call llDie() require FALSE;
//@ property fails_entry: when state_entry() require FALSE;
//@ property holds_during: when x changes during touch_start(_) require TRUE;
//@ property vacuous_during: when x changes during state_entry() require FALSE;
//@ property holds_implied: always touch_start(_) -> x == 0;
integer x;
integer y;
default
{
    state_entry() { llOwnerSay("ready"); }
    touch_start(integer n)
    {
        x = 1;
        llSay(0, "a");
        x = 2;
        llSay(0, "b");
        y = 0;
        x = 0;
    }
}
"#,
    );
}

#[test]
fn updates_run_before_claims_and_old_is_before_both() {
    check(
        r"
//@ ghost integer g;
//@ ghost integer touches = 2147483647;
//@ on touch_start(n) { g = (g + n) % 3; }
//@ on touch_start(n) when n == 1 { g = g * 2 % 5; if (touches - 2147483647 < 3) ++touches; else touches -= 1; }
//@ bound touch_start.num_detected = 1..1;
//@ property holds_order: when touch_start(n) require g == (old(g) + n) % 3 * 2 % 5;
//@ property fails_order: when touch_start(n) require g == old(g) * 2 % 5;
//@ property holds_no_wrap: always touches >= 2147483647;
//@ property fails_reach: always touches - 2147483647 < 3;
//@ property holds_sum: always touches + 1 > touches;
default
{
    touch_start(integer n) { llOwnerSay((string)n); }
}
",
    );
}

#[test]
fn an_assumption_touches_only_the_properties_it_names() {
    check(
        r"
//@ bound touch_start.num_detected = 1..2;
//@ assume when touch_start(n) require n == 1 for holds_assumed;
//@ property holds_assumed: always last <= 1;
//@ property fails_unassumed: always last <= 1;
integer last;
default
{
    touch_start(integer n) { last = n; }
}
",
    );
    check(
        r"
//@ bound touch_start.num_detected = 1..2;
//@ assume always last <= 1;
//@ property holds_all: always last <= 1;
//@ property holds_reach: when touch_start(n) require n <= 2;
integer last;
default
{
    touch_start(integer n) { last = n; }
}
",
    );
}

#[test]
fn arguments_bind_or_compare() {
    check(
        r"
//@ bound amount = 1..3;
//@ bound avatars = 1;
//@ ghost key payer;
//@ on paid(id, _) { payer = id; }
//@ property holds_back: when call llGiveMoney(id, n) during money(id, amount)
//@     if (amount > 1) require n == amount - 1;
//@ property fails_back: when call llGiveMoney(who, n) during money(_, n) require TRUE == FALSE;
//@ property vacuous_back: when call llGiveMoney(who, n) during money(_, n) if (n > 1) require FALSE;
//@ property holds_constant: when call llGiveMoney(payer, 2) require old(payer) == payer;
//@ property vacuous_null: when call llGiveMoney(NULL_KEY, _) require FALSE;
//@ property holds_global: when call llGiveMoney(_, last + 0) require last > 0;
//@ property holds_truth: always payer || last == 0;
integer last;
default
{
    money(key id, integer amount)
    {
        last = amount - 1;
        if (last == 0) { last = 1; llGiveMoney(id, 1); last = 0; }
        else llGiveMoney(id, last);
    }
}
",
    );
}

#[test]
fn every_type_can_be_looked_at() {
    check(
        r#"
//@ property holds_length: always llGetListLength(names) <= 2;
//@ property fails_length: always llGetListLength(names) <= 1;
//@ property holds_grown: when names changes if (names != []) require llGetListLength(names) == llGetListLength(old(names)) + 1;
//@ property holds_float: always speed < 2.5 && speed >= 0;
//@ property fails_float: always speed < 2;
//@ property holds_vector: always place == <speed, 0, 0>;
//@ property holds_text: when call llSay(0, text) require text == "now " + (string)llGetListLength(names);
//@ property holds_cast: always (integer)speed * 2 <= 4;
//@ property holds_by_zero: always 1 / (integer)speed <= 1;
//@ property holds_abs: always llAbs(-1) == 1;
//@ property holds_difference: always (names != []) == llGetListLength(names);
list names;
float speed;
vector place;
default
{
    touch_start(integer n)
    {
        if (names == ["a", "b"]) names = [];
        else if (names == [1]) names += "b";
        else names = ["a"];
        llSay(0, "now " + (string)llGetListLength(names));
        speed += 0.5;
        if (speed > 2) speed = 0;
        place = <speed, 0, 0>;
    }
}
"#,
    );
}

#[test]
fn the_world_can_be_looked_at() {
    check(
        r#"
//@ bound avatars = 1;
//@ bound amount = 1..1;
//@ property fails_granted: when call llSay(0, "asked") require granted(PERMISSION_DEBIT);
//@ property holds_granted: when call llSay(0, "yes") require granted(PERMISSION_DEBIT);
//@ property fails_item: when call llGiveInventory(_, item) require llGetInventoryType(item) != INVENTORY_NONE;
//@ property fails_owner: never owner changes;
//@ property holds_in: when call llSay(0, "yes") require in default && !in done;
//@ property holds_done: always in done -> !(in default);
//@ property fails_lost: never discarded(_, _);
key first;
default
{
    state_entry()
    {
        first = llGetOwner();
        llRequestPermissions(first, PERMISSION_DEBIT);
        llSay(0, "asked");
    }
    run_time_permissions(integer perm)
    {
        if (perm & PERMISSION_DEBIT) llSay(0, "yes");
    }
    money(key id, integer amount)
    {
        llGiveInventory(id, "Hat");
        state done;
    }
}
state done
{
    state_entry() { llSay(0, "done"); }
}
"#,
    );
}

#[test]
fn permissions_are_followed_before_the_script_hears_of_them_only_where_that_matters() {
    let follows = |require: &str| {
        let text = format!(
            "//@ property p: when call llGiveMoney(who, n) require {require};\n\
             default {{ state_entry() {{ llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }}\n\
             money(key who, integer n) {{ llGiveMoney(who, n); }} }}\n"
        );
        let globals = program("p.lsl", &text, &[("amount", "0..3")]).globals;
        globals.iter().any(|one| one.name == "permissions answered")
    };
    for required in [
        "granted(PERMISSION_DEBIT)",
        "n > 0 && granted(PERMISSION_DEBIT)",
        "n == 0 || (granted(PERMISSION_DEBIT) && n < 3) || n < 0",
    ] {
        assert!(!follows(required), "{required}");
    }
    for looked_at in [
        "!granted(PERMISSION_DEBIT)",
        "n > 0 && granted(PERMISSION_DEBIT) == TRUE",
        "n == 0 || n > granted(PERMISSION_DEBIT)",
    ] {
        assert!(follows(looked_at), "{looked_at}");
    }
}

#[test]
fn every_text_that_is_compared_is_offered() {
    let listen = "state_entry() { llListen(1, \"\", NULL_KEY, \"\"); }
                  listen(integer c, string name, key id, string said) {";
    let touch = "touch_start(integer d) { key id = llDetectedKey(0);";
    for most in [45, 250] {
        for (handler, is_number) in [
            (listen, "said == \"t#\""),
            (touch, "id == \"00000000-0000-0000-0000-#\""),
        ] {
            let mut script =
                format!("integer n;\n//@ property p: always n < 2;\ndefault {{ {handler}\n");
            for number in 1..=most {
                let is_it = is_number.replace('#', &format!("{number:012}"));
                let last = 1 + i32::from(number == most);
                script += &format!("if ({is_it}) n = {last};\n");
            }
            script += "}}";
            let program = program("many.lsl", &script, &[]);
            assert!(
                !explore(&program, PropertyId::new(0)).0,
                "{most}: {is_number}"
            );
        }
    }
}

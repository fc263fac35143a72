//! What models mean, on the reference interpreter: the states that can be reached, and what
//! properties say of the only run of a model that has one.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeSet, HashMap};

use logic::lasso::holds_on_lasso;
use model::interp::{Interp, State};
use model::{Claim, Program, Type, Value, VariableKind};
use smv::{Options, load};

fn program(text: &str) -> Program {
    let loaded = load("t.smv", text, &Options::default());
    let messages: Vec<&String> = loaded.diagnostics.iter().map(|d| &d.message).collect();
    loaded
        .program
        .unwrap_or_else(|| panic!("{messages:?}\n{text}"))
}

/// The codes of what is wrong with a model.
fn codes(text: &str) -> Vec<&'static str> {
    let loaded = load("t.smv", text, &Options::default());
    assert!(loaded.program.is_none(), "{text}");
    loaded.diagnostics.iter().map(|d| d.code).collect()
}

#[test]
fn a_name_like_the_one_that_is_missing_is_suggested() {
    let text = "MODULE main\nVAR level : 0..3;\nINVARSPEC levle < 3";
    let loaded = load("t.smv", text, &Options::default());
    assert_eq!(loaded.diagnostics[0].fix_its[0].replacement, "level");
}

/// The model's variables in a state, but not those that remember or choose.
fn show(program: &Program, state: &State) -> String {
    let mut parts = Vec::new();
    for (variable, value) in program.globals.iter().zip(state.globals.iter()) {
        if variable.kind == VariableKind::Ghost || variable.name.starts_with('_') {
            continue;
        }
        let text = match (&variable.ty, value) {
            (Type::Enum(id), Value::Int(n)) => {
                program.enums[id.index()].members[usize::try_from(*n).unwrap()].clone()
            }
            (Type::Bool, value) => value.truth().to_string(),
            (_, value) => value.number().to_string(),
        };
        parts.push(format!("{}={text}", variable.name));
    }
    parts.join(" ")
}

fn reachable(text: &str) -> Vec<String> {
    let program = program(text);
    let interp = Interp::new(&program);
    let mut waiting: Vec<State> = interp
        .initial()
        .unwrap()
        .into_iter()
        .map(|(_, state)| state)
        .collect();
    let mut seen: Vec<State> = Vec::new();
    let mut shown = BTreeSet::new();
    while let Some(state) = waiting.pop() {
        if seen.contains(&state) {
            continue;
        }
        shown.insert(show(&program, &state));
        let expansion = interp.expand(&state).unwrap();
        seen.push(state);
        waiting.extend(expansion.successors.into_iter().map(|s| s.state));
    }
    shown.into_iter().collect()
}

/// What the properties of a model say of its only run.
fn on_the_run(text: &str) -> Vec<bool> {
    let program = program(text);
    let interp = Interp::new(&program);
    let mut initial = interp.initial().unwrap();
    assert_eq!(initial.len(), 1, "{text}");
    let mut run = vec![initial.remove(0).1];
    let mut places: HashMap<State, usize> = HashMap::from([(run[0].clone(), 0)]);
    let back = loop {
        let mut next = interp.expand(&run[run.len() - 1]).unwrap().successors;
        assert_eq!(next.len(), 1, "{text}");
        let next = next.remove(0).state;
        if let Some(&back) = places.get(&next) {
            break back;
        }
        places.insert(next.clone(), run.len());
        run.push(next);
    };
    let properties = program.properties.iter();
    properties
        .map(|property| match &property.claim {
            Claim::Always(condition) => run
                .iter()
                .all(|state| interp.holds(state, *condition).unwrap()),
            Claim::Ltl(formula) => holds_on_lasso(formula, back, run.len(), |at, atom| {
                interp.holds(&run[at], *atom).unwrap()
            }),
            other => panic!("{other:?} is about many runs"),
        })
        .collect()
}

/// Expects each property of a model with one run to hold or not, as its name says.
fn as_named(text: &str) {
    let names: Vec<String> = program(text)
        .properties
        .iter()
        .map(|p| p.name.clone())
        .collect();
    for (name, holds) in names.iter().zip(on_the_run(text)) {
        assert_eq!(name.starts_with("yes"), holds, "{name}:\n{text}");
    }
}

const COUNTER: &str = "MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := (n + 1) mod 4;\n";

#[test]
fn the_past_is_remembered() {
    as_named(&format!(
        "{COUNTER}
        LTLSPEC NAME no_1 := Y TRUE
        LTLSPEC NAME yes_1 := Z FALSE
        LTLSPEC NAME yes_2 := X Y n = 0
        LTLSPEC NAME no_2 := X Z n = 1
        LTLSPEC NAME yes_3 := G (n = 3 -> O n = 1)
        LTLSPEC NAME no_3 := X X O n = 3
        LTLSPEC NAME yes_4 := X X H n < 3
        LTLSPEC NAME no_4 := F H n = 1
        LTLSPEC NAME yes_5 := X X (n > 0 S n = 0)
        LTLSPEC NAME no_5 := X X (n > 1 S n = 0)
        LTLSPEC NAME yes_6 := G (n = 3 -> (FALSE T n < 4))
        LTLSPEC NAME no_6 := X (n = 3 T n = 1)
        LTLSPEC NAME yes_11 := X (n = 1 T n = 1)
        LTLSPEC NAME yes_7 := X X X (n = 1 T n < 4)
        LTLSPEC NAME yes_8 := X X (O [2, 2] n = 0)
        LTLSPEC NAME no_8 := X X (O [0, 1] n = 0)
        LTLSPEC NAME no_9 := H [1, 1] TRUE
        INVARSPEC NAME yes_10 := next(n) = (n + 1) mod 4
        INVARSPEC NAME no_10 := next(n) > n"
    ));
}

#[test]
fn linear_time_is_as_usual() {
    as_named(&format!(
        "{COUNTER}
        LTLSPEC NAME yes_1 := n < 3 U n = 3
        LTLSPEC NAME no_1 := n < 2 U n = 3
        LTLSPEC NAME yes_2 := n = 3 V n < 4
        LTLSPEC NAME no_2 := n = 3 V n < 3
        LTLSPEC NAME yes_3 := F [2, 3] n = 3
        LTLSPEC NAME no_3 := F [1, 2] n = 3
        LTLSPEC NAME yes_4 := G [1, 3] n > 0
        LTLSPEC NAME no_4 := G [1, 4] n > 0
        LTLSPEC NAME yes_5 := n < 3 -> X (n = 1 -> X n = 2)
        LTLSPEC NAME yes_6 := G (next(n) = 0 -> n = 3)
        LTLSPEC NAME no_6 := G (next(n) = 0 -> n = 2)
        LTLSPEC NAME yes_7 := n > 0 ? FALSE : X n = 1"
    ));
}

#[test]
fn words_are_cut_to_their_width_and_keep_their_signs() {
    as_named(
        "MODULE main VAR u : unsigned word[4]; s : signed word[4];
        ASSIGN u := 0ud4_13; s := -0sd4_3;
        INVARSPEC NAME yes_1 := u + 0ud4_5 = 0ud4_2
        INVARSPEC NAME yes_2 := s - 0sd4_6 = 0sd4_7
        INVARSPEC NAME yes_3 := s >> 1 = -0sd4_2
        INVARSPEC NAME yes_4 := s >> 4 = -0sd4_1
        INVARSPEC NAME yes_5 := u >> 4 = 0ud4_0
        INVARSPEC NAME yes_6 := u << 4 = 0ud4_0 & u << 1 = 0ud4_10
        INVARSPEC NAME yes_7 := unsigned(s) = u & signed(u) = s
        INVARSPEC NAME yes_8 := extend(s, 2) = -0sd6_3 & extend(u, 2) = 0ud6_13
        INVARSPEC NAME yes_9 := resize(s, 2) = -0sd2_1 & resize(u, 2) = 0ud2_1
        INVARSPEC NAME yes_10 := resize(0sd4_5, 3) = 0sd3_1 & resize(-0sd4_5, 3) = -0sd3_1
        INVARSPEC NAME yes_11 := u[3:2] :: u[0:0] = 0ub3_111
        INVARSPEC NAME yes_12 := s / 0sd4_2 = -0sd4_1 & s mod 0sd4_2 = -0sd4_1
        INVARSPEC NAME yes_13 := u > 0ud4_12 & s < 0sd4_0
        INVARSPEC NAME yes_14 := toint(s) = -3 & toint(u) = 13
        INVARSPEC NAME yes_15 := !u = 0ud4_2 & -u = 0ud4_3
        INVARSPEC NAME yes_16 := (u xor 0ud4_6) = 0ud4_11 & (u -> 0ud4_1) = 0ud4_3
        INVARSPEC NAME no_1 := bool(u[1:1])",
    );
}

#[test]
fn symbols_and_numbers_may_be_members_of_one_type() {
    as_named(
        "MODULE main VAR x : {idle, 1, 3}; y : {3, busy};
        ASSIGN init(x) := idle; next(x) := case x = idle : 1; x = 1 : 3; TRUE : idle; esac;
        y := 3;
        INVARSPEC NAME yes_1 := x = idle | x in {1, 3}
        LTLSPEC NAME yes_2 := X X (x = y & x = 3)
        INVARSPEC NAME no_1 := x != y
        LTLSPEC NAME yes_3 := X x in 0..2",
    );
}

#[test]
fn parameters_are_looked_up_where_they_are_given() {
    let text = "MODULE main VAR n : 0..1; a : cell(n); b : cell(a.n);
        ASSIGN init(n) := 1; next(n) := n; init(a.n) := 0; init(b.n) := 1;
        MODULE cell(x) VAR n : 0..1; ASSIGN next(n) := x;";
    assert_eq!(
        reachable(text),
        ["n=1 a.n=0 b.n=1", "n=1 a.n=1 b.n=0", "n=1 a.n=1 b.n=1"]
    );
}

#[test]
fn only_the_running_process_moves_what_it_assigns() {
    let text = "MODULE main VAR a : process flip; b : process flip; c : 0..1;
        ASSIGN init(c) := 0;
        MODULE flip VAR s : boolean; ASSIGN init(s) := FALSE; next(s) := !s;";
    // Nobody assigns `c`, which is free then, as in a model without processes.
    assert_eq!(reachable(text).len(), 8);
    let program = program(text);
    let interp = Interp::new(&program);
    let index = |name: &str| program.globals.iter().position(|g| g.name == name).unwrap();
    let (a, b) = (index("a.s"), index("b.s"));
    for (_, state) in interp.initial().unwrap() {
        for next in interp.expand(&state).unwrap().successors {
            let moved = |at: usize| state.globals[at] != next.state.globals[at];
            assert!(!(moved(a) && moved(b)));
        }
    }
}

#[test]
fn assignments_at_all_times_hold_of_next_values_too() {
    as_named(
        "MODULE main VAR n : 0..3; d : 0..6;
        ASSIGN init(n) := 0; next(n) := (n + 1) mod 4; d := n * 2;
        INVARSPEC NAME yes_1 := d = n + n
        INVARSPEC NAME yes_2 := next(d) = next(n) * 2
        INVARSPEC NAME no_1 := d < 6",
    );
}

#[test]
fn frozen_variables_keep_their_values_and_inputs_do_not() {
    let text = "MODULE main FROZENVAR f : boolean; IVAR i : boolean; VAR s : boolean;
        ASSIGN init(f) := TRUE; init(s) := FALSE; next(s) := i;";
    assert_eq!(
        reachable(text),
        [
            "f=true i=false s=false",
            "f=true i=false s=true",
            "f=true i=true s=false",
            "f=true i=true s=true"
        ]
    );
}

#[test]
fn constraints_leave_out_states_and_steps() {
    let text = "MODULE main VAR n : 0..5; m : 0..5;
        INIT n = 2 INIT m < 2 & m > 0
        INVAR n + m < 6
        TRANS next(n) = n | next(n) = n + 1
        TRANS next(m) = m";
    assert_eq!(reachable(text), ["n=2 m=1", "n=3 m=1", "n=4 m=1"]);
}

#[test]
fn sets_are_chosen_from() {
    let text = "MODULE main VAR n : 0..9;
        DEFINE low := 1..2;
        ASSIGN init(n) := {0, 5}; next(n) := case n = 0 : low union 7; n = 5 : {5}; TRUE : n; esac;";
    assert_eq!(reachable(text), ["n=0", "n=1", "n=2", "n=5", "n=7"]);
}

/// What has no value does not count where the other side decides: the whole means what that says.
#[test]
fn what_has_no_value_does_not_count_where_the_other_side_decides() {
    as_named(
        "MODULE main VAR j : 0..3; b : boolean;
        ASSIGN init(j) := 0; next(j) := j; init(b) := TRUE; next(b) := b & !(3 / j = 1 & j > 0);
        INVARSPEC NAME yes_1 := b
        INVARSPEC NAME yes_2 := !(3 / j = 1 & j > 0)
        INVARSPEC NAME yes_3 := j = 0 | 3 mod j = 7
        INVARSPEC NAME no_1 := 3 / j = 1 & j > 0",
    );
}

/// One definition for each gate, as circuits are written: names of names and operators.
#[test]
fn definitions_stand_on_each_other_thousands_high() {
    let mut text = "MODULE main VAR b : boolean; ASSIGN init(b) := TRUE; next(b) := !b;
        INVARSPEC NAME yes_1 := named_9000
        INVARSPEC NAME yes_2 := made_9000 = b
        DEFINE named_0 := TRUE; made_0 := b;"
        .to_owned();
    for level in 1..=9000 {
        let below = level - 1;
        text.push_str(&format!(
            "named_{level} := named_{below}; made_{level} := !(made_{below} xor b) = b;\n"
        ));
    }
    program(&text);
}

#[test]
fn a_conjunction_may_have_parentheses_around_all_that_is_left_of_it() {
    let parts = 120;
    let conjunction = "(( x ) & ".repeat(parts) + "y" + &")".repeat(parts);
    let text = format!(
        "MODULE main VAR x : boolean; y : boolean; INIT {conjunction} ASSIGN next(x) := x; next(y) := y;"
    );
    assert_eq!(reachable(&text), ["x=true y=true"]);
}

#[test]
fn names_may_have_several_parts() {
    as_named(
        "MODULE main VAR part : inner; a.b : boolean; a.c[3].d : 0..3; x[1] : boolean; part.y : boolean;
        ASSIGN init(a.b) := TRUE; next(a.b) := a.b; init(a.c[3].d) := 1; next(a.c[3].d) := x[1] ? 1 : 2;
        INIT x[1] & !part.y TRANS next(x[1]) = x[1] & next(part.y) = part.y
        DEFINE part.z := part.x = 0; other.z := a.b;
        INVARSPEC NAME yes_1 := a.b & other.z
        INVARSPEC NAME yes_2 := a . c [3] . d = 1
        INVARSPEC NAME yes_3 := part.z & !part.y
        INVARSPEC NAME no_1 := a.c[3].d = 2
        MODULE inner VAR x : 0..1; ASSIGN init(x) := 0; next(x) := x;",
    );
}

#[test]
fn what_parts_say_is_told_apart() {
    let program = program(
        "MODULE main VAR a : inner; b : inner; LTLSPEC F x IN b DEFINE x := TRUE;
        MODULE inner VAR x : boolean; FAIRNESS x COMPASSION (x, !x) LTLSPEC G F x",
    );
    let assumptions: Vec<&str> = program
        .assumptions
        .iter()
        .map(|a| a.text.as_str())
        .collect();
    assert_eq!(
        assumptions,
        [
            "`x` of `a` holds again and again",
            "if `x` of `a` holds again and again, so does `!x`",
            "`x` of `b` holds again and again",
            "if `x` of `b` holds again and again, so does `!x`",
        ]
    );
    let properties: Vec<&str> = program.properties.iter().map(|p| p.text.as_str()).collect();
    assert_eq!(properties, ["F x IN b", "G F x IN a", "G F x IN b"]);
}

#[test]
fn sets_are_parts_of_sets() {
    as_named(
        "MODULE main VAR n : 0..3; ASSIGN init(n) := 1; next(n) := n;
        INVARSPEC NAME yes_1 := {1, 2} in {1, 2, 3}
        INVARSPEC NAME yes_2 := {n, 2} in 1..2
        INVARSPEC NAME yes_3 := 1..2 in {n, 2, n + 2}
        INVARSPEC NAME no_1 := {1, 2, 4} in {1, 2, 3}
        INVARSPEC NAME no_2 := n union 3 in 1..2
        INVARSPEC NAME no_3 := {4, 1} in {1, 2, 3}",
    );
}

/// A part of a model is no value; the symbol that has its name is.
#[test]
fn a_symbol_may_have_the_name_of_a_part() {
    as_named(
        "MODULE main VAR go : inner;
        INVARSPEC NAME yes_1 := go.x = go
        INVARSPEC NAME no_1 := go.x = stay
        MODULE inner VAR x : {go, stay}; ASSIGN init(x) := go; next(x) := x;",
    );
}

/// More values than can be tried, but one part of a condition decides.
#[test]
fn a_part_of_a_condition_may_decide() {
    let wide: String = (0..9).map(|n| format!("a{n} : 0..99; ")).collect();
    let sums = "a0 + a1 + a2 + a3 < a4 * a5 - a6 * a7 * a8";
    let model = |bound: &str| {
        format!(
            "MODULE main VAR {wide} i : 0..3; j : 0..3; ASSIGN init(i) := 0;
            next(i) := case {sums} & (j = 2 & i < {bound}) : i + 1; TRUE : 0; esac;"
        )
    };
    program(&model("3"));
    assert_eq!(codes(&model("4")), ["SMV0303"]);
}

#[test]
fn psl_becomes_linear_time() {
    as_named(&format!(
        "{COUNTER}
        PSLSPEC NAME yes_1 := n = 2 before_ n = 2;
        PSLSPEC NAME no_1 := n = 2 before n = 2;
        PSLSPEC NAME yes_2 := {{n = 0; n < 3[*]; n = 3}} |=> {{n = 0}}!;
        PSLSPEC NAME no_2 := {{n = 0; n < 3[*]; n = 3}} |-> {{n = 0}}!;
        PSLSPEC NAME no_3 := {{{{n = 7}} | {{n = 0; n = 1}}}} |=> {{n = 3}};
        PSLSPEC NAME yes_4 := never {{n = 1; n = 3}};
        PSLSPEC NAME no_4 := never {{n = 1; n = 2}};
        PSLSPEC NAME yes_5 := next_event!(n > 1)[2](n = 3);
        PSLSPEC NAME no_5 := next_event!(n > 7)(TRUE);
        PSLSPEC NAME yes_6 := always n = 1 -> next n = 2;"
    ));
}

#[test]
fn a_condition_and_its_negation_are_one_atom() {
    let program = program(
        "MODULE main VAR a : boolean; n : 0..3; LTLSPEC G (!a -> F a) & F (n != 1 & X n = 1)",
    );
    let Claim::Ltl(formula) = &program.properties[0].claim else {
        panic!("this is linear time");
    };
    let atoms: BTreeSet<_> = formula.atoms().into_iter().collect();
    assert_eq!(atoms.len(), 2, "{formula:?}");
}

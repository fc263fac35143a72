//! Small random models of each language. About half of their properties fail.

use std::fmt::Write as _;

use crate::random::Random;

/// Writes models.
type Generate = fn(&mut Random) -> Vec<String>;

/// The languages: the name of a file, and who writes it.
pub(crate) const SOURCES: [(&str, Generate); 6] = [
    ("script.lsl", lsl),
    ("model.pml", promela),
    ("model.smv", smv),
    ("graph.json", nodegraph),
    ("script.tb", tscript),
    ("circuit.aag", aiger),
];

/// Two states, two numbers of few values, touches and payments.
fn lsl(random: &mut Random) -> Vec<String> {
    let k = 2 + random.below(3);
    let least = random.below(4);
    let mut text = String::from("integer x;\ninteger y;\n");
    let statement = |random: &mut Random| -> String {
        let [target, other] = *random.pick(&[&["x", "y"], &["y", "x"]]);
        match random.below(6) {
            0..=2 => format!("{target} = ({target} + 1) % {k};"),
            3 => format!("{target} = {other};"),
            4 => format!("if ({other} > {}) {target} = 0;", random.below(k)),
            _ => format!(
                "if ({other} == {}) {target} = {};",
                random.below(k),
                random.below(k)
            ),
        }
    };
    for (state, other) in [("default", "state b"), ("state b", "default")] {
        let target = other.trim_start_matches("state ");
        let (a, b) = (statement(random), statement(random));
        let leaves = match random.chance(60) {
            true => format!("if (x > {}) state {target};", random.below(k)),
            false => String::new(),
        };
        let _ = write!(
            text,
            "{state}\n{{\n    touch_start(integer n) {{ {a} {leaves} }}\n    \
             money(key id, integer amount) {{ {b} if (amount > {least}) y = amount; }}\n}}\n"
        );
    }
    let (a, b, c) = (random.below(2), random.below(k), random.below(2));
    let _ = write!(
        text,
        "//@ bound amount = 0..3;\n//@ bound avatars = 1;\n//@ bound lost-payments = 1;\n\
         //@ property low: always x <= {a};\n\
         //@ property apart: never x == {b} && y == {c};\n\
         //@ property comes: x == {a} leads to y == {b};\n\
         //@ property when_paid: when y changes during money(id, amount) require y > {c};\n\
         //@ property stays: [] (in b -> X (x <= {b}));\n"
    );
    vec![text]
}

/// Two processes, a channel, an assertion, formulas.
fn promela(random: &mut Random) -> Vec<String> {
    let k = 2 + random.below(3);
    let (a, b, c) = (random.below(2), random.below(2), random.below(2));
    let capacity = random.below(2);
    let step = random.pick(&["x++", "x++", "x = y + 1", "y = x + 1"]);
    let other = random.pick(&["y++", "y = x", "x = x + y"]);
    vec![format!(
        "byte x, y;\nchan c = [{capacity}] of {{ byte }};\n\
         active proctype p() {{\n  byte i;\n  do\n  :: i < {k} -> c!i; {step}; i++\n  \
         :: x > {a} -> assert(y <= {b}); break\n  :: i == {k} -> break\n  od\n}}\n\
         active proctype q() {{\n  byte m;\n  do\n  :: c?m -> {other}; y = y % {k}; assert(m < {b} + 1)\n  \
         :: timeout -> break\n  od\n}}\n\
         ltl low {{ [] (x <= {c}) }}\n\
         ltl apart {{ [] !(x == 1 && y >= {b}) }}\n\
         ltl comes {{ <> (y == {b}) }}\n\
         ltl answer {{ [] (x == {a} -> <> (y == {c})) }}\n\
         ltl next {{ X (x <= {a}) U (y == {b}) }}\n"
    )]
}

/// Three variables that move at once.
fn smv(random: &mut Random) -> Vec<String> {
    let k = 2 + random.below(3);
    let mut text =
        format!("MODULE main\nVAR\n  a : boolean;\n  b : boolean;\n  n : 0..{k};\nASSIGN\n");
    let truth = |random: &mut Random| -> String {
        let number = random.below(k);
        match random.below(6) {
            0 => "!a".to_owned(),
            1 => "a & b".to_owned(),
            2 => "a xor b".to_owned(),
            3 => format!("n = {number}"),
            4 => format!("b | n > {number}"),
            _ => "{TRUE, FALSE}".to_owned(),
        }
    };
    let _ = write!(
        text,
        "  init(a) := FALSE;\n  init(n) := 0;\n  next(a) := {};\n  next(b) := {};\n  \
         next(n) := case a : (n + 1) mod {}; b : {{0, n}}; TRUE : n; esac;\n",
        truth(random),
        truth(random),
        k + 1
    );
    let (i, j) = (random.below(k + 1), random.below(k + 1));
    if random.chance(50) {
        text.push_str("FAIRNESS b\n");
    }
    let _ = write!(
        text,
        "INVARSPEC NAME low := n <= {i};\nINVARSPEC NAME apart := !(a & n = {j});\n\
         INVARSPEC NAME whole := n <= {k} & (n < {k} | a | n > {j});\n\
         LTLSPEC NAME comes := F (n = {i});\nLTLSPEC NAME answer := G (a -> F b);\n\
         LTLSPEC NAME until := !(n = {j}) U a;\n"
    );
    vec![text]
}

/// A few nodes with delays and conditions.
fn nodegraph(random: &mut Random) -> Vec<String> {
    let first = random.pick(&["Wait.Start", "If.In", "Set.In"]);
    let second = random.pick(&["A.In", "Set.In", "If.In"]);
    let third = random.pick(&["A.In", "B.In", "Clear.In"]);
    let fourth = random.pick(&["B.In", "A.In"]);
    let properties = [
        ("never_a", "AG !entered(A)"),
        ("b_comes", "AF entered(B)"),
        ("rests", "AG (busy(Wait) -> AF !busy(Wait))"),
        ("low", "AG !Lit"),
    ];
    // In its own structure a graph takes all of its formulas along, without their names.
    let graph = |(name, formula): (&str, &str)| {
        format!(
            "{{\"nodegraph\": 1, \"name\": \"random\", \"flags\": {{\"Lit\": false}},\n\
         \"nodes\": [{{\"name\": \"S\", \"kind\": \"ScriptStart\"}},\n\
         {{\"name\": \"Wait\", \"kind\": \"Delay\"}},\n\
         {{\"name\": \"If\", \"kind\": \"If\", \"with\": {{\"Condition\": \"Lit\"}}}},\n\
         {{\"name\": \"Set\", \"kind\": \"Set\", \"with\": {{\"flag\": \"Lit\", \"to\": true}}}},\n\
         {{\"name\": \"Clear\", \"kind\": \"Set\", \"with\": {{\"flag\": \"Lit\", \"to\": false}}}},\n\
         {{\"name\": \"A\", \"kind\": \"Action\"}}, {{\"name\": \"B\", \"kind\": \"Action\"}}],\n\
         \"links\": [\"S.Out -> {first}\", \"S.Out -> Wait.Start\", \"Wait.Finished -> {second}\",\n\
         \"If.True -> {third}\", \"If.False -> {fourth}\", \"Set.Out -> If.In\"],\n\
         \"properties\": {{\"{name}\": \"{formula}\"}}}}\n"
        )
    };
    properties.into_iter().map(graph).collect()
}

/// Two processes that pass messages.
fn tscript(random: &mut Random) -> Vec<String> {
    let sent = random.pick(&["go", "stop"]);
    let taken = random.pick(&["go", "stop"]);
    let again = random.pick(&["delta", "snd-msg(go)"]);
    let k = random.below(3);
    let told = random.pick(&["go", "stop"]);
    vec![format!(
        "%%@ property never: [] !msg({told})\n\
         %%@ property comes: <> msg({told})\n\
         %%@ property answer: [] (msg(go) -> <> msg(stop))\n\
         process A is\n  let N : int in\n  N := {k} . snd-msg({sent}) .\n  \
         if greater(N, 1) then snd-msg(stop) fi . {again}\n  endlet\n\
         process B is\n  ( rec-msg({taken}) + rec-msg(go) ) * delta\n\
         toolbus(A, B)\n"
    )]
}

/// A few latches and gates.
fn aiger(random: &mut Random) -> Vec<String> {
    let (inputs, latches, gates) = (1, 4, 8);
    let literal = |random: &mut Random, below: usize| {
        let variable = 1 + random.below(below);
        2 * variable + random.below(2)
    };
    let most = inputs + latches + gates;
    let mut text = format!("aag {most} {inputs} {latches} 0 {gates} 2\n");
    for input in 1..=inputs {
        let _ = writeln!(text, "{}", 2 * input);
    }
    for latch in 1..=latches {
        let _ = writeln!(text, "{} {}", 2 * (inputs + latch), literal(random, most));
    }
    // The last gates are true seldom.
    for bad in 0..2 {
        let _ = writeln!(text, "{}", 2 * (most - bad));
    }
    for gate in 1..=gates {
        let own = inputs + latches + gate;
        let (left, right) = (literal(random, own - 1), literal(random, own - 1));
        let _ = writeln!(text, "{} {left} {right}", 2 * own);
    }
    text.push_str("b0 first\nb1 second\n");
    vec![text]
}

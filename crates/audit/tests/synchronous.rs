//! Models whose variables all move at once, few enough states to look at all of them: an
//! invariant is believed if, and only if, it is one.

use std::fmt::Write as _;

use audit::{Atom, Fact, Invariant, Rejected, Variable, audit};
use model::interp::{Interp, State};
use model::{Bad, Budget, Claim, ExprId, GlobalId, Program, Value};

/// A small generator of random numbers (splitmix64).
struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    fn condition(&mut self) -> &'static str {
        self.of(&[
            "b",
            "f",
            "n = 2",
            "n > 1",
            "w = 0ud2_3",
            "n = toint(w)",
            "b & n < 2",
            "b | w < 0ud2_2",
            "f xor b",
        ])
    }

    fn value(&mut self, variable: &str) -> String {
        let values: &[&'static str] = match variable {
            "b" => &["b", "!b", "b & f", "{TRUE, FALSE}", "n = 1", "f"],
            "n" => &["n", "(n + 1) mod 4", "{0, 2}", "3 - n", "1..2", "toint(w)"],
            _ => &["w", "w + 0ud2_1", "w * w", "w << 1", "-w", "{0ud2_0, w}"],
        };
        let (yes, no) = (self.of(values), self.of(values));
        match self.below(3) {
            0 => yes.to_owned(),
            _ => format!("{} ? {yes} : {no}", self.condition()),
        }
    }

    fn model(&mut self) -> String {
        let mut text = "MODULE main\nFROZENVAR f : boolean;\n\
                        VAR b : boolean; n : 0..3; w : unsigned word[2];\n"
            .to_owned();
        for (variable, first) in [("b", "FALSE"), ("n", "{0, 1}"), ("w", "0ud2_2")] {
            if self.below(5) > 0 {
                writeln!(text, "ASSIGN init({variable}) := {first};").expect("text");
            }
            if self.below(6) > 0 {
                let value = self.value(variable);
                writeln!(text, "ASSIGN next({variable}) := {value};").expect("text");
            }
        }
        for section in ["INIT", "INVAR"] {
            if self.below(3) == 0 {
                let (p, q) = (self.condition(), self.condition());
                writeln!(text, "{section} {p} | {q};").expect("text");
            }
        }
        if self.below(3) == 0 {
            let (p, q) = (self.condition(), self.condition());
            writeln!(text, "TRANS {p} | next({q});").expect("text");
        }
        let (p, q) = (self.condition(), self.condition());
        writeln!(text, "INVARSPEC !({p}) | {q};").expect("text");
        text
    }

    /// Facts: clauses of one or two bits, one of them over an And of two.
    fn invariant(&mut self, program: &Program) -> Invariant {
        let mut invariant = Invariant::default();
        let mut bits = Vec::new();
        for (name, width) in [("f", 1), ("b", 1), ("n", 2), ("w", 2)] {
            for bit in 0..width {
                bits.push(invariant.atom(Atom::Bit {
                    variable: Variable::Global(global(program, name)),
                    path: Vec::new(),
                    bit,
                }));
            }
        }
        let fact = |this: &mut Random| Fact {
            of: bits[this.below(bits.len())],
            holds: this.below(2) == 0,
        };
        let gate = [fact(self), fact(self)];
        invariant.gates.push(gate);
        for clause in 0..1 + self.below(2) {
            let mut facts: Vec<Fact> = (0..1 + self.below(2)).map(|_| fact(self)).collect();
            if clause == 1 {
                facts.push(Fact {
                    of: bits.len(),
                    holds: self.below(2) == 0,
                });
            }
            invariant.clauses.push(facts);
        }
        invariant
    }
}

fn global(program: &Program, name: &str) -> GlobalId {
    let found = program.globals.iter().position(|v| v.name == name);
    GlobalId::new(found.expect("a variable of the model"))
}

fn program(text: &str) -> Option<Program> {
    smv::load("m.smv", text, &smv::Options::default()).program
}

/// The negation of the model's only property.
fn bad(program: &mut Program) -> ExprId {
    let Claim::Always(property) = program.properties[0].claim else {
        panic!("an invariant is asked");
    };
    program.exprs.not(property)
}

/// All states of the types' values, whether they can be reached or not.
fn all_states(program: &Program) -> Vec<State> {
    let interp = Interp::new(program);
    let (_, some) = interp.initial().expect("no overflow").remove(0);
    let mut states = vec![some];
    for (index, variable) in program.globals.iter().enumerate() {
        let values: Vec<Value> = match variable.ty {
            model::Type::Bool => [false, true].map(Value::Bool).to_vec(),
            _ => (0..4).map(Value::Int).collect(),
        };
        states = states
            .iter()
            .flat_map(|state| {
                values.iter().map(|value| {
                    let mut state = state.clone();
                    state.globals[index] = value.clone();
                    state
                })
            })
            .collect();
    }
    let is_state = |state: &State| {
        let mut constraints = program.state_constraint.iter();
        constraints.all(|&c| interp.holds(state, c).expect("no overflow"))
    };
    states.retain(is_state);
    states
}

fn holds(invariant: &Invariant, state: &State) -> bool {
    let atom = |atom: &Atom| {
        let Atom::Bit {
            variable: Variable::Global(id),
            bit,
            ..
        } = atom
        else {
            panic!("only bits are spoken of");
        };
        match &state.globals[id.index()] {
            Value::Bool(value) => *value,
            Value::Int(value) => value >> bit & 1 == 1,
            other => panic!("{other:?} has no bits"),
        }
    };
    let mut facts: Vec<bool> = invariant.atoms.iter().map(atom).collect();
    for gate in &invariant.gates {
        let both = gate.iter().all(|fact| facts[fact.of] == fact.holds);
        facts.push(both);
    }
    let clause = |clause: &Vec<Fact>| clause.iter().any(|fact| facts[fact.of] == fact.holds);
    invariant.clauses.iter().all(clause)
}

/// What is to be said of an invariant, by looking at everything.
fn looked_at(program: &Program, bad: ExprId, invariant: &Invariant) -> &'static str {
    let interp = Interp::new(program);
    let initial = interp.initial().expect("no overflow");
    if !initial.iter().all(|(_, state)| holds(invariant, state)) {
        return "not initially";
    }
    let inside: Vec<State> = all_states(program)
        .into_iter()
        .filter(|state| holds(invariant, state))
        .collect();
    let is_bad = |state: &State| interp.holds(state, bad).expect("no overflow");
    if inside.iter().any(is_bad) {
        return "bad";
    }
    let leaves = |state: &State| {
        let found = interp.expand(state).expect("no overflow").successors;
        found.iter().any(|next| !holds(invariant, &next.state))
    };
    if inside.iter().any(leaves) {
        return "not kept";
    }
    "right"
}

#[test]
fn an_invariant_is_believed_if_it_is_one() {
    let mut random = Random(fastrand::Rng::with_seed(5));
    let mut seen = std::collections::BTreeMap::<_, u32>::new();
    let mut models = 0;
    while models < 120 {
        let text = random.model();
        let Some(mut program) = program(&text) else {
            continue;
        };
        if Interp::new(&program).initial().expect("small").is_empty() {
            continue;
        }
        models += 1;
        let bad = bad(&mut program);
        for _ in 0..25 {
            let invariant = random.invariant(&program);
            let expected = looked_at(&program, bad, &invariant);
            let said = audit(&program, &Bad::State(bad), &invariant, &Budget::default());
            let agrees = match (expected, &said) {
                ("right", Ok(())) | ("bad", Err(Rejected::Violated)) => true,
                ("not initially", Err(Rejected::NotInductive(what))) => what.contains("initial"),
                ("not kept", Err(Rejected::NotInductive(what))) => what.contains("step"),
                _ => false,
            };
            assert!(agrees, "{expected}, but {said:?}\n{invariant:?}\n{text}");
            *seen.entry(expected).or_default() += 1;
        }
    }
    // Each answer is to be given often.
    for answer in ["right", "bad", "not initially", "not kept"] {
        assert!(seen.get(answer).is_some_and(|&n| n >= 40), "{seen:?}");
    }
}

#[test]
fn a_relation_between_states_may_keep_an_invariant() {
    let text = "MODULE main VAR b : boolean; c : boolean; INIT b | c;\
                TRANS (b | c) -> (next(b) | next(c)); INVARSPEC b | c;";
    let mut program = program(text).expect("a model");
    assert_eq!(program.relation.len(), 1, "it defines no variable");
    let bad = Bad::State(bad(&mut program));
    let one = |name| {
        let variable = Variable::Global(global(&program, name));
        let (path, bit) = (Vec::new(), 0);
        (
            Atom::Bit {
                variable,
                path,
                bit,
            },
            true,
        )
    };
    let invariant = Invariant::of_clauses([vec![one("b"), one("c")]]);
    let said = audit(&program, &bad, &invariant, &Budget::default());
    assert_eq!(said, Ok(()));
    program.relation.clear();
    let said = audit(&program, &bad, &invariant, &Budget::default());
    assert!(matches!(said, Err(Rejected::NotInductive(_))), "{said:?}");
}

#[test]
fn what_the_program_does_not_have_is_malformed() {
    let text = "MODULE main VAR b : boolean; INVARSPEC b | !b;";
    let mut program = program(text).expect("a model");
    let bad = Bad::State(bad(&mut program));
    let clause = |of| {
        let mut invariant = Invariant::default();
        invariant.clauses.push(vec![Fact { of, holds: true }]);
        invariant
    };
    let beyond = Invariant::of_clauses([vec![(
        Atom::Bit {
            variable: Variable::Global(GlobalId::new(0)),
            path: Vec::new(),
            bit: 1,
        },
        true,
    )]]);
    for invariant in [clause(0), beyond] {
        let said = audit(&program, &bad, &invariant, &Budget::default());
        assert_eq!(said, Err(Rejected::Malformed));
    }
}

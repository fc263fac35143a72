//! What engines prove of runs for ever passes the audit, and nothing else does.

use audit::Rejected;
use model::{Budget, Program, PropertyId, Query, Silent};

use super::*;
use crate::proof::reading_where;
use crate::question::query;

const REDUCTIONS: [Reduction; 5] = [
    Reduction::Counting(0),
    Reduction::Counting(1),
    Reduction::Counting(4),
    Reduction::Counting(16),
    Reduction::Loops,
];

/// Models; each has one formula that holds and then one that fails.
const MODELS: [&str; 5] = [
    "VAR n : 0..3; go : boolean;
     ASSIGN init(n) := 0; next(n) := go ? (n + 1) mod 4 : n;
     FAIRNESS go;
     LTLSPEC G F n = 2; LTLSPEC F G n = 2;",
    "VAR p : boolean; q : boolean; n : 0..2;
     ASSIGN next(n) := q ? (n + 1) mod 3 : n;
     COMPASSION (p, q); JUSTICE p;
     LTLSPEC G F n = 1; LTLSPEC G F (n = 1 & !p);",
    "IVAR i : boolean; VAR b : boolean; w : unsigned word[3];
     ASSIGN init(b) := FALSE; next(b) := i; next(w) := b ? w + 0ud3_1 : w;
     LTLSPEC G F i -> G F b; LTLSPEC G F b -> G F w = 0ud3_0 & !b;",
    "FROZENVAR f : boolean; VAR a : array 0..1 of boolean; c : {red, green};
     ASSIGN init(c) := red; next(c) := f ? green : c; next(a[0]) := a[1]; next(a[1]) := !a[0];
     FAIRNESS a[0] | c = green; FAIRNESS a[1];
     LTLSPEC f -> F G c = green; LTLSPEC F c = green;",
    "VAR n : 0..5; ASSIGN init(n) := 5; next(n) := n > 0 ? n - 1 : 0;
     LTLSPEC F n = 0; LTLSPEC F G n = 1;",
];

/// What of a program of processes is fair.
#[derive(Clone, Copy)]
enum Fair {
    Nothing,
    /// The steps of the process with this number.
    Weakly(usize),
    Strongly(usize),
}

/// Processes; each has one formula that holds and then one that fails.
const TURNS: [(&str, Fair); 7] = [
    (
        "byte x; active proctype P() { do :: x = (x + 1) % 3 od }
         ltl a { []<> (x == 1) } ltl b { <>[] (x == 1) }",
        Fair::Nothing,
    ),
    (
        "byte x; active proctype P() { do :: x = (x + 1) % 3 od }
         active proctype Q() { do :: skip od }
         ltl a { []<> (x == 1) } ltl b { <>[] (x == 1) }",
        Fair::Weakly(0),
    ),
    (
        "bit t; bit x; active proctype P() { do :: t == 1 -> x = 1 - x od }
         active proctype Q() { do :: t = 1 - t od }
         ltl a { []<> (x == 1) } ltl b { <>[] (x == 1) }",
        Fair::Strongly(0),
    ),
    // Runs that end.
    (
        "byte x; active proctype P() { x = 1; x = 2 }
         ltl a { <>[] (x == 2) } ltl b { []<> (x == 1) }",
        Fair::Nothing,
    ),
    (
        "byte x; active proctype P() { do :: x < 2 -> x = x + 1 :: else -> break od }
         active proctype Q() { x == 1; x == 7; x = 0 }
         ltl a { <>[] (x == 2) } ltl b { <> (x == 3) }",
        Fair::Nothing,
    ),
    // A rendezvous.
    (
        "chan c = [0] of { byte }; byte x;
         active proctype S() { do :: c!1 :: c!2 od } active proctype R() { do :: c?x od }
         ltl a { <>[] (x > 0) } ltl b { []<> (x == 1) }",
        Fair::Nothing,
    ),
    (
        "chan c = [0] of { byte }; byte x;
         active proctype S() { do :: c!1; c!2 od } active proctype R() { do :: c?x od }
         active proctype Q() { do :: skip od }
         ltl a { []<> (x == 1) } ltl b { <>[] (x == 1) }",
        Fair::Weakly(0),
    ),
];

fn of_turns((text, fair): (&str, Fair)) -> Program {
    let loaded = promela::load("t.pml", text, &promela::Options::default());
    let mut program = loaded.program.expect("a model");
    let steps = |program: &Program, process: usize| {
        let steps = 0..program.processes[process].steps.len();
        let id = model::ProcessId::new(process);
        steps.map(|at| (id, model::StepId::new(at))).collect()
    };
    let kind = match fair {
        Fair::Nothing => return program,
        Fair::Weakly(process) => FairnessKind::Weak(steps(&program, process)),
        Fair::Strongly(process) => FairnessKind::Strong(steps(&program, process)),
    };
    program.fairness.push(model::Fairness {
        name: "some go on".to_owned(),
        kind,
        assumption: None,
    });
    program
}

/// The formulas of a program, by position.
fn formula(program: &Program, number: usize) -> usize {
    let formulas = program.properties.iter().enumerate();
    let mut formulas = formulas.filter(|(_, p)| matches!(p.claim, model::Claim::Ltl(_)));
    formulas.nth(number).expect("it has two").0
}

/// A question about runs for ever, and a proof of it with each reduction that has one.
fn proofs(program: &Program) -> Vec<RunEvidence> {
    let mut asked = program.clone();
    let Ok(Query::NoAcceptedRun(automaton)) =
        query(&mut asked, PropertyId::new(formula(program, 0)))
    else {
        panic!("a formula about runs");
    };
    let mut encoding = circuit::encode(&asked).expect("in bits");
    let automaton = automaton.map(|atom| encoding.atom(atom).expect("in bits"));
    let automaton = reading_where(automaton, encoding.stable).expect("few atoms");
    let mut proofs = Vec::new();
    for reduction in REDUCTIONS {
        let reduced = sat::reduced_runs(&encoding.circuit, Some(&automaton), reduction);
        let options = sat::Options {
            induction_depth: 0,
            ..sat::Options::default()
        };
        let (budget, bad) = (Budget::default(), reduced.bad);
        let answer = sat::check(&reduced.circuit, bad, &options, &budget, &Silent);
        if let sat::Answer::Proved { invariant, .. } = answer {
            let said = runs_in_program(&encoding, program, &automaton, reduction, &invariant);
            proofs.push(said.expect("it is said of the program"));
        }
    }
    proofs
}

fn audit(program: &Program, property: usize, said: &RunEvidence) -> Result<(), Rejected> {
    let mut program = program.clone();
    let Ok(Query::NoAcceptedRun(automaton)) = query(&mut program, PropertyId::new(property)) else {
        panic!("a formula about runs");
    };
    let monitor = said.monitor(&automaton);
    audit::audit_runs(&program, &monitor, &said.invariant, &Budget::default())
}

fn programs() -> impl Iterator<Item = Program> {
    MODELS.iter().map(|text| {
        let text = format!("MODULE main\n{text}");
        let loaded = smv::load("m.smv", &text, &smv::Options::default());
        loaded.program.expect("a model")
    })
}

#[test]
fn what_engines_prove_of_runs_passes_the_audit() {
    let (mut looped, mut counted) = (0, 0);
    for program in programs() {
        let proofs = proofs(&program);
        for said in &proofs {
            assert_eq!(audit(&program, 0, said), Ok(()), "{:?}", said.reduction);
            match said.reduction {
                audit::Reduction::Loops => looped += 1,
                audit::Reduction::Counting(_) => counted += 1,
            }
        }
    }
    assert_eq!(looped, MODELS.len());
    assert!(counted >= MODELS.len(), "{counted}");
}

#[test]
fn what_is_no_proof_about_runs_is_rejected() {
    let mut random = 1u64;
    let mut below = |limit: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(random >> 33).expect("31 bits") % limit
    };
    for program in programs() {
        for mut said in proofs(&program) {
            // Not of what fails, whatever the clauses are.
            assert!(audit(&program, 1, &said).is_err());
            let whole = said.invariant.clone();
            said.invariant.clauses.clear();
            assert_eq!(audit(&program, 0, &said), Err(Rejected::Violated));
            let facts = whole.atoms.len() + whole.gates.len();
            for _ in 0..20 {
                said.invariant.clauses = whole.clauses.clone();
                for _ in 0..1 + below(3) {
                    let clauses = &mut said.invariant.clauses;
                    if clauses.len() > 1 && below(2) == 0 {
                        clauses.remove(below(clauses.len()));
                    }
                    let clause = below(clauses.len());
                    clauses[clause].push(Fact {
                        of: below(facts),
                        holds: below(2) == 0,
                    });
                }
                assert!(audit(&program, 1, &said).is_err());
            }
            said.invariant = whole;
            said.invariant.clauses[0] = vec![Fact {
                of: facts,
                holds: true,
            }];
            assert_eq!(audit(&program, 0, &said), Err(Rejected::Malformed));
        }
    }
}

/// What is proved of processes; loops are not audited.
fn counted(program: &Program) -> Vec<RunEvidence> {
    let mut proofs = proofs(program);
    proofs.retain(|said| said.reduction != audit::Reduction::Loops);
    proofs
}

#[test]
fn what_engines_prove_of_turns_passes_the_audit() {
    for model in TURNS {
        let program = of_turns(model);
        let proofs = counted(&program);
        assert!(!proofs.is_empty(), "{}", model.0);
        for said in &proofs {
            let holds = audit(&program, formula(&program, 0), said);
            assert_eq!(holds, Ok(()), "{}: {:?}", model.0, said.reduction);
        }
    }
}

#[test]
fn what_is_no_proof_about_turns_is_rejected() {
    let mut random = 7u64;
    let mut below = |limit: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(random >> 33).expect("31 bits") % limit
    };
    for model in TURNS {
        let program = of_turns(model);
        let (holds, fails) = (formula(&program, 0), formula(&program, 1));
        for mut said in counted(&program) {
            assert!(audit(&program, fails, &said).is_err());
            let whole = said.invariant.clone();
            said.invariant.clauses.clear();
            assert_eq!(audit(&program, holds, &said), Err(Rejected::Violated));
            let facts = whole.atoms.len() + whole.gates.len();
            for _ in 0..5 {
                said.invariant.clauses = whole.clauses.clone();
                let clauses = &mut said.invariant.clauses;
                let clause = below(clauses.len());
                clauses[clause].push(Fact {
                    of: below(facts),
                    holds: below(2) == 0,
                });
                assert!(audit(&program, fails, &said).is_err());
            }
        }
    }
}

#[test]
fn it_matters_whose_steps_are_fair() {
    for (number, other) in [(1, Fair::Weakly(1)), (6, Fair::Weakly(2))] {
        let (text, fair) = TURNS[number];
        let (right, wrong) = (of_turns((text, fair)), of_turns((text, other)));
        let property = formula(&right, 0);
        for said in counted(&right) {
            assert_eq!(audit(&right, property, &said), Ok(()));
            assert!(audit(&wrong, property, &said).is_err());
        }
    }
}

#[test]
fn a_run_that_ends_goes_on() {
    let text = "byte x; active proctype P() { x = 1 } ltl a { []<> (x == 0) } ltl b { false }";
    let ends = of_turns((text, Fair::Nothing));
    let mut never_ends = ends.clone();
    never_ends.finite_runs = model::FiniteRuns::InfiniteOnly;
    let property = formula(&ends, 0);
    let proofs = counted(&never_ends);
    assert!(!proofs.is_empty());
    for said in proofs {
        // The same circuit but for what does nothing.
        assert_eq!(audit(&never_ends, property, &said), Ok(()));
        assert!(audit(&ends, property, &said).is_err());
    }
}

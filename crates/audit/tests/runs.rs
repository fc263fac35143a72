//! Invariants that are said to show that there is no fair run for ever, of a model that has one:
//! each must be rejected, and most would not be if a step of what watches were left out.

use audit::{
    Atom, Fact, Monitor, Often, Reduction, Rejected, RunAtom, RunInvariant, Variable, audit_runs,
};
use logic::Buchi;
use model::{Budget, GlobalId, Program};

/// A number that goes round 0, 1, 2, and has to be each of them infinitely often.
fn round() -> Program {
    let text = "MODULE main VAR n : 0..2;
        ASSIGN init(n) := 0; next(n) := (n + 1) mod 3;
        FAIRNESS n = 0 FAIRNESS n = 1 FAIRNESS n = 2
        LTLSPEC FALSE";
    let loaded = smv::load("round.smv", text, &smv::Options::default());
    loaded.program.expect("a model")
}

/// What the audit says of clauses over atoms, each with whether it holds.
fn said_of(
    often: &[Often],
    reduction: Reduction,
    clauses: &[Vec<(RunAtom, bool)>],
) -> Result<(), Rejected> {
    let automaton = Buchi::universal();
    let monitor = Monitor {
        automaton: &automaton,
        often,
        reduction,
    };
    let mut said = RunInvariant::default();
    for clause in clauses {
        let clause = clause.iter().map(|(atom, holds)| {
            said.atoms.push(atom.clone());
            Fact {
                of: said.atoms.len() - 1,
                holds: *holds,
            }
        });
        let clause = clause.collect();
        said.clauses.push(clause);
    }
    audit_runs(&round(), &monitor, &said, &Budget::default())
}

const ALL: [Often; 3] = [Often::Fair(0), Often::Fair(1), Often::Fair(2)];

/// The lower bit of the number.
fn odd() -> RunAtom {
    RunAtom::Now(Atom::Bit {
        variable: Variable::Global(GlobalId::new(0)),
        path: Vec::new(),
        bit: 0,
    })
}

/// That no two of the three hold.
fn at_most_one(atom: fn(usize) -> RunAtom) -> Vec<Vec<(RunAtom, bool)>> {
    let pairs = [(0, 1), (0, 2), (1, 2)];
    let clause = |(a, b)| vec![(atom(a), false), (atom(b), false)];
    pairs.map(clause).into()
}

fn is_rejected(said: &Result<(), Rejected>) -> bool {
    matches!(said, Err(Rejected::NotInductive(_) | Rejected::Violated))
}

#[test]
fn what_held_in_different_steps_of_a_loop_counts_together() {
    use RunAtom::{Before, Saved, Since};
    for clauses in [
        vec![],
        at_most_one(Since),
        vec![vec![(Since(0), false)]],
        vec![vec![(Since(2), false)]],
        vec![vec![(Saved, false)]],
        vec![vec![(odd(), false), (Before(Box::new(odd())), false)]],
    ] {
        let said = said_of(&ALL, Reduction::Loops, &clauses);
        assert!(is_rejected(&said), "{clauses:?}: {said:?}");
    }
}

#[test]
fn what_held_in_different_steps_of_a_round_counts_together() {
    use RunAtom::{Count, Seen};
    let never = |count| vec![(Count(count), false)];
    let mut no_round = at_most_one(Seen);
    no_round.extend([never(0), never(1)]);
    for clauses in [
        vec![],
        no_round,
        vec![vec![(Seen(1), false)]],
        vec![never(0)],
        vec![never(1)],
    ] {
        let said = said_of(&ALL, Reduction::Counting(1), &clauses);
        assert!(is_rejected(&said), "{clauses:?}: {said:?}");
    }
}

//! Solvers against all assignments, and against themselves.

use super::*;
use fastrand::Rng;

fn any_literal(random: &mut Rng, vars: u32) -> Literal {
    Literal(random.u32(..2 * vars))
}

fn satisfied(clause: &[Literal], assignment: u32) -> bool {
    clause
        .iter()
        .any(|l| (assignment >> l.var().0 & 1 == 1) == l.is_positive())
}

/// Whether some assignment of few variables makes all clauses true.
fn obvious(vars: u32, clauses: &[Vec<Literal>]) -> bool {
    (0..1u32 << vars).any(|assignment| clauses.iter().all(|c| satisfied(c, assignment)))
}

fn agrees_with_the_obvious<S: Solver>(make: impl Fn() -> S, rounds: u64) {
    let budget = Budget::default();
    let limits = Limits::new(&budget);
    let mut random = Rng::with_seed(1);
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..rounds {
        let vars = random.u32(4..12);
        let mut solver = make();
        for _ in 0..vars {
            solver.new_var();
        }
        let mut clauses: Vec<Vec<Literal>> = Vec::new();
        for _ in 0..12 {
            for _ in 0..random.u32(..=vars) {
                let length = 1 + random.usize(..4) + usize::from(random.usize(..5) > 0);
                let clause: Vec<_> = (0..length)
                    .map(|_| any_literal(&mut random, vars))
                    .collect();
                solver.add_clause(&clause);
                clauses.push(clause);
            }
            let mut assumptions: Vec<Literal> = Vec::new();
            for _ in 0..random.usize(..4) {
                let literal = any_literal(&mut random, vars);
                if !assumptions.iter().any(|a| a.var() == literal.var()) {
                    assumptions.push(literal);
                }
            }
            let extra: Option<Vec<Literal>> = (random.usize(..2) == 0).then(|| {
                let length = 1 + random.usize(..4);
                (0..length)
                    .map(|_| any_literal(&mut random, vars))
                    .collect()
            });
            let mut all = clauses.clone();
            all.extend(extra.clone());
            let mut with = all.clone();
            with.extend(assumptions.iter().map(|&a| vec![a]));
            match solver.solve(&assumptions, extra.as_deref(), &limits) {
                Outcome::Satisfiable => {
                    sat += 1;
                    let assignment = (0..vars)
                        .filter(|&v| solver.value(Var(v).literal(true)) == Some(true))
                        .fold(0u32, |a, v| a | 1 << v);
                    assert!(with.iter().all(|c| satisfied(c, assignment)));
                }
                Outcome::Unsatisfiable => {
                    unsat += 1;
                    let core = assumptions.iter().filter(|&&a| solver.in_core(a));
                    all.extend(core.map(|&a| vec![a]));
                    assert!(!obvious(vars, &all), "the core suffices");
                }
                Outcome::Unknown => panic!("there was no limit"),
            }
        }
    }
    assert!(sat > rounds && unsat > rounds, "{sat} {unsat}");
}

#[test]
fn own_solver_agrees_with_the_obvious() {
    agrees_with_the_obvious(Cdcl::new, 3000);
}

#[cfg(feature = "batsat")]
#[test]
fn batsat_agrees_with_the_obvious() {
    agrees_with_the_obvious(Bat::new, 500);
}

#[cfg(feature = "cadical")]
#[test]
fn cadical_agrees_with_the_obvious() {
    agrees_with_the_obvious(Cadi::new, 200);
}

/// One pigeon more than holes.
fn pigeons(solver: &mut impl Solver, holes: u32) {
    let var = |pigeon: u32, hole: u32| Var(pigeon * holes + hole);
    for _ in 0..(holes + 1) * holes {
        solver.new_var();
    }
    for pigeon in 0..=holes {
        let clause: Vec<_> = (0..holes).map(|h| var(pigeon, h).literal(true)).collect();
        solver.add_clause(&clause);
        for other in 0..pigeon {
            for hole in 0..holes {
                solver.add_clause(&[
                    var(pigeon, hole).literal(false),
                    var(other, hole).literal(false),
                ]);
            }
        }
    }
}

#[test]
fn pigeons_do_not_fit() {
    let budget = Budget::default();
    let mut solver = Cdcl::new();
    pigeons(&mut solver, 7);
    let limits = Limits::new(&budget);
    assert_eq!(
        solver.solve(&[], None, &limits.conflicts(10)),
        Outcome::Unknown
    );
    assert_eq!(solver.solve(&[], None, &limits), Outcome::Unsatisfiable);
    assert!(solver.conflicts() > 1000, "learning was needed");
}

/// Random clauses of three literals at the threshold, large enough for restarts and thinning:
/// answers are checked by assignments, and by a second order of the same clauses.
#[test]
fn hard_random_clauses() {
    let budget = Budget::default();
    let limits = Limits::new(&budget);
    let mut random = Rng::with_seed(7);
    let mut answers = [0, 0];
    for _ in 0..12 {
        let vars = 150;
        let clauses: Vec<Vec<Literal>> = (0..vars * 426 / 100)
            .map(|_| (0..3).map(|_| any_literal(&mut random, vars)).collect())
            .collect();
        let mut outcomes = Vec::new();
        for turn in [false, true] {
            let mut solver = Cdcl::new();
            for _ in 0..vars {
                solver.new_var();
            }
            let mut clauses = clauses.clone();
            if turn {
                clauses.reverse();
            }
            for clause in &clauses {
                solver.add_clause(clause);
            }
            let outcome = solver.solve(&[], None, &limits);
            if outcome == Outcome::Satisfiable {
                let holds = |l: &Literal| solver.value(*l) == Some(true);
                assert!(clauses.iter().all(|c| c.iter().any(holds)));
            }
            outcomes.push(outcome);
        }
        assert_eq!(outcomes[0], outcomes[1]);
        answers[usize::from(outcomes[0] == Outcome::Satisfiable)] += 1;
    }
    assert!(answers[0] > 0 && answers[1] > 0, "{answers:?}");
}

//! From a property to a query.

use logic::{Buchi, Ltl};
use model::{Bad, Claim, ExprId, Program, PropertyId, Query, UnknownReason};

/// The query that answers a property. May add expressions to the program's pool.
///
/// # Errors
/// If a formula is beyond what the translation to automata can do.
pub(crate) fn query(program: &mut Program, property: PropertyId) -> Result<Query, UnknownReason> {
    Ok(match program.properties[property.index()].claim.clone() {
        Claim::Check(check) => Query::Unreachable(Bad::Check(check)),
        Claim::Always(invariant) => Query::Unreachable(Bad::State(program.exprs.not(invariant))),
        Claim::NoDeadlock => Query::Unreachable(Bad::Deadlock),
        Claim::NoFault(faults) => Query::Unreachable(Bad::Fault(faults)),
        Claim::Returns => Query::Unreachable(Bad::Divergence),
        Claim::Never(automaton) => Query::NoAcceptedRun(automaton),
        Claim::Ltl(formula) => Query::NoAcceptedRun(automaton(&Ltl::not(formula))?),
        Claim::Ctl(_) | Claim::Mu(_) => {
            let what = "branching time in a search along runs";
            return Err(UnknownReason::Unsupported(what.to_owned()));
        }
        Claim::Distance { .. } => {
            let what = "the length of paths in a search along runs";
            return Err(UnknownReason::Unsupported(what.to_owned()));
        }
        Claim::Bounded(_) => {
            let what = "growth in a search along runs";
            return Err(UnknownReason::Unsupported(what.to_owned()));
        }
        Claim::Silent(_) | Claim::Configurations(_) => {
            let what = "logical structures in a search along runs";
            return Err(UnknownReason::Unsupported(what.to_owned()));
        }
        Claim::Open(what) => return Err(UnknownReason::Unsupported(what)),
    })
}

/// What holds in some state that can be reached if and only if an automaton accepts a run, if that
/// is what the automaton says. May add expressions to the program's pool.
pub(crate) fn awaited(program: &mut Program, automaton: &Buchi<ExprId>) -> Option<ExprId> {
    if !program.prefixes_decide() {
        return None;
    }
    let cubes = automaton.awaited()?;
    let is_negated = |number: usize| cubes.iter().any(|cube| cube.neg >> number & 1 != 0);
    for (number, &atom) in automaton.atoms.iter().enumerate() {
        // An atom that faults does not hold, but its negation faults as well.
        if is_negated(number) && passes::may_fault(program, atom) {
            return None;
        }
    }
    let exprs = &mut program.exprs;
    let mut any = exprs.bool(false);
    for cube in cubes {
        let mut all = exprs.bool(true);
        for (number, &atom) in automaton.atoms.iter().enumerate() {
            if cube.pos >> number & 1 != 0 {
                all = exprs.and(all, atom);
            }
            if cube.neg >> number & 1 != 0 {
                let not = exprs.not(atom);
                all = exprs.and(all, not);
            }
        }
        any = exprs.or(any, all);
    }
    Some(any)
}

/// The automaton of the runs that satisfy a formula.
fn automaton(formula: &Ltl<ExprId>) -> Result<Buchi<ExprId>, UnknownReason> {
    logic::translate(formula)
        .map_err(|error| UnknownReason::Unsupported(format!("the formula: {error}")))
}

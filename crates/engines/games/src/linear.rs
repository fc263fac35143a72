//! Linear time on one explored graph: whether some fair run is accepted by an automaton.
//!
//! The product of the graph and the automaton is made, and its strongly connected components are
//! looked at (Vardi and Wolper 1986; Lichtenstein and Pnueli 1985): a component that can be reached
//! has a fair run that is accepted if it has an accepting edge and meets all that has to hold
//! infinitely often.

use std::collections::HashMap;

use logic::Buchi;
use logic::scc::each_component;
use model::{ExprId, StateSet, UnknownReason, Vertex};

use crate::check::{Checker, not_asked};

/// States of the product, at most.
const MOST: usize = 1 << 24;

impl Checker<'_> {
    /// Whether the automaton accepts a run that is in each set of `justice` infinitely often. A letter
    /// is what holds in a state; the first is the initial state.
    ///
    /// # Errors
    /// If an expression was not asked for when the graph was made, if runs that end are no infinite
    /// runs, or if the product is too large.
    pub fn accepts_some_run(
        &self,
        automaton: &Buchi<ExprId>,
        justice: &[StateSet],
    ) -> Result<bool, UnknownReason> {
        let of = |id: &ExprId| self.space.holding(*id).ok_or_else(not_asked);
        let atoms: Vec<&StateSet> = automaton.atoms.iter().map(of).collect::<Result<_, _>>()?;
        if self.space.open().is_some() || self.graph.may_end() && !self.graph.repeats() {
            let what = "runs that end in a search for accepted ones".to_owned();
            return Err(UnknownReason::Unsupported(what));
        }
        let letter = |vertex: Vertex| {
            let held = atoms.iter().enumerate();
            held.fold(0, |letter, (at, set)| {
                letter | u64::from(set.has(vertex)) << at
            })
        };
        // A state of the product: the state whose letter is read next, and where the automaton is.
        let mut numbers: HashMap<(Vertex, u32), u32> = HashMap::new();
        let mut states: Vec<(Vertex, u32)> = Vec::new();
        let mut edges: Vec<Vec<(u32, bool)>> = Vec::new();
        let mut number = |state: (Vertex, u32), states: &mut Vec<(Vertex, u32)>| {
            *numbers.entry(state).or_insert_with(|| {
                states.push(state);
                u32::try_from(states.len() - 1).expect("the product is kept small")
            })
        };
        for &vertex in self.space.graph().initial() {
            number((vertex, automaton.initial.0), &mut states);
        }
        while edges.len() < states.len() {
            if states.len() > MOST {
                return Err(UnknownReason::Memory);
            }
            let (vertex, at) = states[edges.len()];
            let letter = letter(vertex);
            let mut successors = self.graph.successors(vertex).to_vec();
            if self.graph.is_end(vertex) {
                successors.push(vertex);
            }
            let mut out = Vec::new();
            for edge in &automaton.edges[at as usize] {
                if !edge.label.matches(letter) {
                    continue;
                }
                for &to in &successors {
                    let to = number((to, edge.target.0), &mut states);
                    out.push((to, edge.accepting));
                }
            }
            out.sort_unstable();
            out.dedup();
            edges.push(out);
        }
        let mut found = false;
        let all = 0..u32::try_from(states.len()).expect("the product is kept small");
        let successor = |from: u32, at: usize| Some(edges[from as usize].get(at)?.0);
        let mut within = StateSet::none(states.len());
        each_component(states.len(), all, successor, |component| {
            component.iter().for_each(|&state| {
                within.add(state);
            });
            let accepting = component.iter().any(|&state| {
                let mut out = edges[state as usize].iter();
                out.any(|&(to, accepting)| accepting && within.has(to))
            });
            let meets = |set: &StateSet| {
                let mut members = component.iter();
                members.any(|&state| set.has(states[state as usize].0))
            };
            found |= accepting && justice.iter().all(meets);
            component.iter().for_each(|&state| within.remove(state));
        });
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use logic::Ltl;
    use model::{
        Binary, Budget, Composition, FiniteRuns, GlobalId, Place, Program, Silent, StateSpace as _,
        SyncAssign, Type, ValueSet, Variable,
    };

    use super::*;
    use crate::Walked;

    /// A light that goes on some time, or never, and then stays on; whether it is on.
    fn light(finite_runs: FiniteRuns) -> (Program, ExprId) {
        let mut program = Program::new("light", "by hand");
        let on: GlobalId = program.add_global(Variable::new("on", Type::Bool));
        let is_on = program.exprs.load(Place::global(on), Type::Bool);
        let yes = program.exprs.bool(true);
        program.composition = Composition::Synchronous(vec![SyncAssign {
            global: on,
            next: ValueSet::Union(vec![ValueSet::One(is_on), ValueSet::One(yes)]),
        }]);
        program.finite_runs = finite_runs;
        (program, is_on)
    }

    fn fails(formula: Ltl<ExprId>, justice: &[ExprId], program: &Program, asked: ExprId) -> bool {
        let walked = Walked::explore(program, &[asked], &Budget::default(), &Silent).unwrap();
        let negation = logic::translate(&Ltl::not(formula)).unwrap();
        let checker = Checker::new(program, &walked);
        let of = |id: &ExprId| walked.holding(*id).unwrap().clone();
        let justice: Vec<StateSet> = justice.iter().map(of).collect();
        checker.accepts_some_run(&negation, &justice).unwrap()
    }

    #[test]
    fn formulas_are_decided_with_fairness_and_without() {
        let (program, on) = light(FiniteRuns::InfiniteOnly);
        let lit = || Ltl::Atom(on);
        let comes_on = Ltl::eventually(lit());
        assert!(fails(comes_on.clone(), &[], &program, on));
        assert!(!fails(comes_on, &[on], &program, on));
        let stays_on = Ltl::always(Ltl::implies(lit(), Ltl::always(lit())));
        assert!(!fails(stays_on, &[], &program, on));
        // The first letter is the initial state.
        assert!(!fails(Ltl::not(lit()), &[], &program, on));
        assert!(fails(lit(), &[], &program, on));
    }

    #[test]
    fn a_last_state_repeats_for_ever() {
        let (mut program, on) = light(FiniteRuns::Stutter);
        let off = program.exprs.not(on);
        // There is no state but the first, and nothing leads on from it.
        program.state_constraint.push(off);
        let never = program.exprs.binary(Binary::And, on, off);
        let next = ValueSet::One(program.exprs.bool(true));
        program.composition = Composition::Synchronous(vec![SyncAssign {
            global: GlobalId::new(0),
            next,
        }]);
        assert!(fails(Ltl::eventually(Ltl::Atom(on)), &[], &program, on));
        assert!(!fails(
            Ltl::always(Ltl::not(Ltl::Atom(on))),
            &[],
            &program,
            on
        ));
        let walked = Walked::explore(&program, &[on], &Budget::default(), &Silent).unwrap();
        let checker = Checker::new(&program, &walked);
        let not_asked = logic::translate(&Ltl::Atom(never)).unwrap();
        assert!(checker.accepts_some_run(&not_asked, &[]).is_err());
    }
}

//! Tests: forged evidence is not believed, and a run takes only steps that the formula speaks of.

use std::cmp::Ordering;
use std::sync::Arc;

use logic::mu::{
    Action, Happening, LabelSet, Mu, Node, NodeId, Regular, StateSetId, System, Values,
};
use model::{Budget, FiniteRuns, StateSet, Vertex};

use crate::audit::audit;
use crate::graph::Graph;
use crate::solve::{Reason, solve};
use crate::witness;

type Formula = Mu<usize, u8, u8>;

struct Nothing;

impl Values for Nothing {
    type Value = u8;

    fn compare(&self, _: &u8, _: &u8) -> Option<Ordering> {
        None
    }

    fn term(&self, _: &u8) -> Option<(String, Vec<u8>)> {
        None
    }
}

const X: StateSetId = StateSetId(0);
const Y: StateSetId = StateSetId(1);

fn may(action: Action<u8, u8>, p: Formula) -> Formula {
    Mu::Diamond(Regular::Action(action), Arc::new(p))
}

fn a() -> Action<u8, u8> {
    Action::Happens(0, [].into())
}

/// Two labels: nothing, and the action `a`.
fn system(formula: &Formula) -> System<usize> {
    let happening = Happening {
        event: 0,
        args: Box::default(),
    };
    let labels = [Box::default(), [happening].into()];
    System::of(formula, &labels, &Nothing).expect("it is small")
}

fn with_graph<T>(
    edges: &[(Vertex, u32, Vertex)],
    states: usize,
    use_it: impl FnOnce(&Graph<'_>) -> T,
) -> T {
    let table = vec![model::Label::default(); 2];
    let plain = model::Graph::new(states, vec![0], table, edges);
    use_it(&Graph::new(&plain, FiniteRuns::Maximal, None))
}

#[test]
fn what_follows_only_from_itself_is_not_derived() {
    let system = system(&Mu::least(X, Arc::new(may(Action::Any, Mu::set(X)))));
    with_graph(&[(0, 0, 0)], 1, |graph| {
        let atom = |_: &usize| StateSet::none(1);
        let mut solution = solve(&system, graph, &atom, &Budget::default()).expect("it is small");
        assert_eq!(audit(&system, graph, &atom, &solution), Ok(()));
        assert!(!solution.holds(system.root, 0), "nothing begins it");
        let mut nodes = Vec::new();
        for reason in &mut solution.reasons {
            if let Reason::Derived { block, order, .. } = reason {
                *order = (0..).zip(&*block).map(|(number, _)| (number, 0)).collect();
                nodes.extend_from_slice(block);
            }
        }
        assert_eq!(nodes.len(), 2);
        nodes.iter().for_each(|node| solution.corrupt(*node, 0));
        assert!(audit(&system, graph, &atom, &solution).is_err());
    });
}

#[test]
fn what_follows_is_not_left_out() {
    let either = Mu::Or([Mu::Atom(0), may(Action::Any, Mu::set(X))].into());
    let system = system(&Mu::least(X, Arc::new(either)));
    with_graph(&[(0, 0, 0)], 1, |graph| {
        let atom = |_: &usize| StateSet::all(1);
        let mut solution = solve(&system, graph, &atom, &Budget::default()).expect("it is small");
        assert!(solution.holds(system.root, 0));
        let mut nodes = Vec::new();
        for reason in &mut solution.reasons {
            if let Reason::Derived { block, order, .. } = reason {
                order.clear();
                nodes.extend_from_slice(block);
            }
        }
        nodes.iter().for_each(|node| solution.corrupt(*node, 0));
        assert!(audit(&system, graph, &atom, &solution).is_err());
    });
}

#[test]
fn going_round_is_won_by_whom_the_fixpoint_says() {
    // Again and again `a`, of which there is none.
    let either = Mu::Or([may(a(), Mu::set(X)), may(Action::Any, Mu::set(Y))].into());
    let inner = Mu::least(Y, Arc::new(either));
    let system = system(&Mu::greatest(X, Arc::new(inner)));
    with_graph(&[(0, 0, 0)], 1, |graph| {
        let atom = |_: &usize| StateSet::none(1);
        let mut solution = solve(&system, graph, &atom, &Budget::default()).expect("it is small");
        assert_eq!(audit(&system, graph, &atom, &solution), Ok(()));
        assert!(!solution.holds(system.root, 0));
        let is_a = |node: &NodeId| match system.node(*node) {
            Node::Diamond(set, _) => matches!(system.label_set(*set), LabelSet::These(_)),
            _ => false,
        };
        let mut nodes = Vec::new();
        for reason in &mut solution.reasons {
            if let Reason::Won(won) = reason {
                for (number, node) in won.block.iter().enumerate() {
                    let next = system.needs(*node).iter().find(|part| !is_a(part));
                    let place = won.block.iter().position(|other| Some(other) == next);
                    won.moves[number] =
                        u32::try_from(place.expect("it is in the block")).expect("it is small");
                }
                nodes.extend(won.block.iter().filter(|node| !is_a(node)));
            }
        }
        assert_eq!(nodes.len(), 4, "two fixpoints, a choice, a step");
        nodes.iter().for_each(|node| solution.corrupt(*node, 0));
        let verdict = audit(&system, graph, &atom, &solution);
        assert_eq!(
            verdict,
            Err("a play that is won goes round in the other's favour".to_owned())
        );
    });
}

#[test]
fn a_run_takes_steps_that_the_formula_speaks_of() {
    let formula = Mu::Box(Regular::Action(a()), Arc::new(Mu::Atom(0)));
    let system = system(&formula);
    with_graph(&[(0, 0, 1), (0, 1, 2)], 3, |graph| {
        let atom = |_: &usize| StateSet::none(3);
        let solution = solve(&system, graph, &atom, &Budget::default()).expect("it is small");
        let walk = witness::refute(&system, graph, &solution, 0);
        assert_eq!((walk.steps, walk.suffices), (vec![(1, 2)], true));
    });
}

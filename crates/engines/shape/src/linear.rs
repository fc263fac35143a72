//! Properties of runs that never end: the product of the structures with an automaton.
//!
//! The automaton accepts what must not be. Where a formula is not known in a structure, both values
//! are followed; where it is not sure that something can happen, a run may end, and then nothing
//! changes for ever. If no cycle that can be reached is accepted, no run is. A cycle of structures
//! need not be a run: a structure stands for many configurations, and what it summarises may come to
//! an end. (E. Yahav, T. Reps, M. Sagiv, *LTL Model Checking for Systems with Unbounded Number of
//! Dynamically Created Threads and Objects*, 2001, has the product with an automaton.)
//!
//! With weak fairness a cycle counts only if it does so for all places of threads: at some point not
//! all that are there surely can go on, or one of them moves, or they may be gone.

use logic::Buchi;
use logic::scc::each_component;
use model::predicates::{Formula, Kleene, PredicateProgram, Structure, Way};
use model::{Budget, UnknownReason};

use crate::explore::Explored;

/// A node of the product, numbered; a step in it.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The action; `None`: the run has ended.
    action: Option<usize>,
    to: usize,
    accepting: bool,
}

struct Product {
    /// The structure of each node.
    structures: Vec<usize>,
    steps: Vec<Vec<Step>>,
    /// How each was reached first.
    parents: Vec<Option<(usize, Option<usize>)>>,
}

/// A way that the automaton may accept, if there is one.
///
/// # Errors
/// If a limit is reached.
pub fn accepted(
    program: &PredicateProgram,
    explored: &Explored,
    automaton: &Buchi<Formula>,
    budget: &Budget,
) -> Result<Option<Way>, UnknownReason> {
    let product = Product::new(program, explored, automaton, budget)?;
    let fair = match program.fair {
        true => fair_marks(program, explored),
        false => Vec::new(),
    };
    for component in components(&product.steps) {
        if let Some(reason) = budget.exhausted(0) {
            return Err(reason);
        }
        if let Some(first) = product.accepting(program, &component, &fair) {
            return Ok(Some(product.way(program, explored, &component, first)));
        }
    }
    Ok(None)
}

/// Values of a formula without free variables.
fn value(structure: &Structure, formula: &Formula) -> Kleene {
    structure.value(formula, &mut vec![0; formula.slots()])
}

/// Where it is open whose turn it is: where all ways to a structure leave it open.
fn open_turns(program: &PredicateProgram, explored: &Explored) -> Vec<bool> {
    let mut initial = program.initial.iter();
    let at_first = initial.all(|structure| has_open_turn(program, structure));
    let mut open: Vec<bool> = explored
        .parents
        .iter()
        .map(|parent| parent.is_some() || at_first)
        .collect();
    for (action, to) in explored.steps.iter().flatten() {
        open[*to] &= program.actions[*action].opens_turn;
    }
    open
}

/// Whether anybody who can have the turn may have it.
fn has_open_turn(program: &PredicateProgram, structure: &Structure) -> bool {
    let (Some(turn), Some(schedulable)) = (program.turn, &program.schedulable) else {
        return false;
    };
    let slots = schedulable.slots().max(1);
    (0..structure.size()).all(|one| {
        let mut assignment = vec![0; slots];
        assignment[0] = one;
        let can = structure.value(schedulable, &mut assignment);
        structure.get(turn, &[one]) == can.min(Kleene::Unknown)
    })
}

/// Of each structure, for which places all threads there surely can go on.
fn fair_marks(program: &PredicateProgram, explored: &Explored) -> Vec<Vec<bool>> {
    let open = open_turns(program, explored);
    let waiting = program.waiting();
    let marks = explored
        .structures
        .iter()
        .zip(open)
        .map(|(structure, open)| {
            waiting
                .iter()
                .map(|place| open && value(structure, &place.all_can) == Kleene::True)
                .collect()
        });
    marks.collect()
}

impl Product {
    fn new(
        program: &PredicateProgram,
        explored: &Explored,
        automaton: &Buchi<Formula>,
        budget: &Budget,
    ) -> Result<Product, UnknownReason> {
        let open = open_turns(program, explored);
        let progress = program.progress();
        let states = automaton.state_count();
        let mut numbers = vec![usize::MAX; explored.structures.len() * states];
        let mut product = Product {
            structures: Vec::new(),
            steps: Vec::new(),
            parents: Vec::new(),
        };
        let mut nodes: Vec<(usize, logic::BuchiState)> = Vec::new();
        let mut node =
            |product: &mut Product, nodes: &mut Vec<_>, at, state: logic::BuchiState, by| {
                let number: &mut usize = &mut numbers[at * states + state.index()];
                if *number == usize::MAX {
                    *number = nodes.len();
                    nodes.push((at, state));
                    product.structures.push(at);
                    product.parents.push(by);
                }
                *number
            };
        for (at, parent) in explored.parents.iter().enumerate() {
            if parent.is_none() {
                node(&mut product, &mut nodes, at, automaton.initial, None);
            }
        }
        let mut next = 0;
        while next < nodes.len() {
            if let Some(reason) = budget.exhausted(0) {
                return Err(reason);
            }
            let (at, state) = nodes[next];
            let structure = &explored.structures[at];
            let atoms = automaton.atoms.iter();
            let letter: Vec<Kleene> = atoms.map(|atom| value(structure, atom)).collect();
            let goes_on = progress.iter().any(|one| {
                (open[at] || !one.by_turn) && value(structure, &one.condition) == Kleene::True
            });
            let steps = explored.steps[at].iter();
            let mut leads: Vec<(Option<usize>, usize)> =
                steps.map(|&(action, to)| (Some(action), to)).collect();
            if !goes_on {
                leads.push((None, at));
            }
            let mut all = Vec::new();
            for edge in automaton.edges_from(state) {
                let contradicts = letter.iter().enumerate().any(|(index, value)| {
                    edge.label.pos >> index & 1 != 0 && *value == Kleene::False
                        || edge.label.neg >> index & 1 != 0 && *value == Kleene::True
                });
                if contradicts {
                    continue;
                }
                for &(action, to) in &leads {
                    let by = Some((next, action));
                    let to = node(&mut product, &mut nodes, to, edge.target, by);
                    all.push(Step {
                        action,
                        to,
                        accepting: edge.accepting,
                    });
                }
            }
            product.steps.push(all);
            next += 1;
        }
        Ok(product)
    }

    /// A node of a component that has an accepting step inside, and is fair to all places.
    fn accepting(
        &self,
        program: &PredicateProgram,
        component: &[usize],
        fair: &[Vec<bool>],
    ) -> Option<usize> {
        let inside = |to: usize| component.binary_search(&to).is_ok();
        let first = component.iter().copied().find(|&node| {
            let mut steps = self.steps[node].iter();
            steps.any(|step| step.accepting && inside(step.to))
        })?;
        let waiting = if fair.is_empty() {
            Vec::new()
        } else {
            program.waiting()
        };
        let is_fair = waiting.iter().enumerate().all(|(number, place)| {
            component.iter().any(|&node| {
                let mut steps = self.steps[node].iter().filter(|step| inside(step.to));
                !fair[self.structures[node]][number]
                    || steps.any(|step| match step.action {
                        Some(action) => program.disturbs(&program.actions[action], place.at),
                        None => false,
                    })
            })
        });
        is_fair.then_some(first)
    }

    /// A way to a node and around a cycle of its component.
    fn way(
        &self,
        program: &PredicateProgram,
        explored: &Explored,
        component: &[usize],
        first: usize,
    ) -> Way {
        let mut nodes = vec![first];
        let mut actions = Vec::new();
        let mut at = first;
        while let Some((from, action)) = self.parents[at] {
            nodes.push(from);
            actions.push(action);
            at = from;
        }
        nodes.reverse();
        actions.reverse();
        let begins = nodes.len() - 1;
        // The shortest way back, breadth first, by an accepting step.
        let inside = |to: usize| component.binary_search(&to).is_ok();
        let accepting = self.steps[first]
            .iter()
            .find(|step| step.accepting && inside(step.to));
        if let Some(step) = accepting {
            let mut before: Vec<Option<(usize, Option<usize>)>> = vec![None; self.steps.len()];
            let mut queue = std::collections::VecDeque::from([step.to]);
            while let Some(node) = queue.pop_front() {
                if node == first {
                    break;
                }
                for onward in self.steps[node].iter().filter(|one| inside(one.to)) {
                    if before[onward.to].is_none() && onward.to != step.to {
                        before[onward.to] = Some((node, onward.action));
                        queue.push_back(onward.to);
                    }
                }
            }
            let mut back = Vec::new();
            let mut node = first;
            while node != step.to {
                let Some((from, action)) = before[node] else {
                    break;
                };
                back.push((node, action));
                node = from;
            }
            nodes.push(step.to);
            actions.push(step.action);
            for (node, action) in back.into_iter().rev() {
                nodes.push(node);
                actions.push(action);
            }
        }
        self.told(program, explored, (&nodes, &actions), begins)
    }

    /// The structures of a way; that a run has ended is no step.
    fn told(
        &self,
        program: &PredicateProgram,
        explored: &Explored,
        (nodes, actions): (&[usize], &[Option<usize>]),
        begins: usize,
    ) -> Way {
        let mut way = Way {
            initial: (program.initial.len() == 1).then_some(0),
            structures: Vec::new(),
            actions: Vec::new(),
            repeats_from: None,
        };
        for (number, &node) in nodes.iter().enumerate() {
            if number == begins {
                way.repeats_from = Some(way.structures.len());
            }
            let action = number.checked_sub(1).map(|before| actions[before]);
            match action {
                Some(None) => continue,
                Some(Some(action)) => way.actions.push(action),
                None => {}
            }
            let structure = &explored.structures[self.structures[node]];
            way.structures.push(structure.clone());
        }
        way.repeats_from = way
            .repeats_from
            .map(|from| from.min(way.structures.len() - 1));
        way
    }
}

/// The strongly connected components with a step inside, each in order.
fn components(steps: &[Vec<Step>]) -> Vec<Vec<usize>> {
    let step = |node: u32, at: usize| {
        let step = steps[node as usize].get(at)?;
        Some(u32::try_from(step.to).expect("nodes are numbered in 32 bits"))
    };
    let mut found = Vec::new();
    each_component(steps.len(), (0..).take(steps.len()), step, |component| {
        let mut component: Vec<usize> = component.iter().map(|&node| node as usize).collect();
        component.sort_unstable();
        let inside = |step: &Step| component.binary_search(&step.to).is_ok();
        if component.iter().any(|&one| steps[one].iter().any(inside)) {
            found.push(component);
        }
    });
    found
}

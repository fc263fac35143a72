//! Looks for a run of few individuals that never ends and that an automaton accepts: what an analysis of
//! structures says may go on for ever, does so then.
//!
//! The product of configurations with the automaton is searched for a strongly connected component with
//! an accepting step. With weak fairness, the run goes round in it by where each thread moves, or cannot.

use std::collections::{HashMap, VecDeque};

use logic::Buchi;
use logic::scc::each_component;
use model::predicates::{
    Concrete, Formula, Kleene, PredicateProgram, PredicateRun, Structure, Taken,
};
use model::{Budget, Trace};

use crate::concretise::{MOST_MORE, distributed};

/// So many configurations are looked at for each number of individuals.
const MOST_CONFIGURATIONS: usize = 3_000;
/// So many individuals may come into being.
const MOST_NEW: usize = 3;

/// A run that never ends and that an automaton accepts, with few individuals, if one is found. No step of
/// it is one that the program may never take ([`PredicateProgram::approximate`]).
#[must_use]
pub fn concretise_endless(
    program: &PredicateProgram,
    automaton: &Buchi<Formula>,
    budget: &Budget,
) -> Option<Trace> {
    for more in 0..=MOST_MORE {
        for (number, initial) in program.initial.iter().enumerate() {
            for counts in distributed(&initial.summary, more) {
                let graph = Graph::new(program, (number, &counts), budget)?;
                let product = Product::new(&graph, automaton);
                if let Some(trace) = product.lasso(budget) {
                    return Some(trace);
                }
            }
        }
    }
    None
}

/// Configurations, and where their steps lead. Some steps may be missing.
struct Graph<'p> {
    program: &'p PredicateProgram,
    number: usize,
    counts: Vec<usize>,
    states: Vec<Structure>,
    /// The choices of those in which runs begin.
    first: Vec<Vec<bool>>,
    /// The steps from each, and to which; none for that nothing changes any more.
    steps: Vec<Vec<(Option<Taken>, usize)>>,
}

impl<'p> Graph<'p> {
    /// `None`: the budget is exhausted.
    fn new(
        program: &'p PredicateProgram,
        (number, counts): (usize, &[usize]),
        budget: &Budget,
    ) -> Option<Graph<'p>> {
        let concrete = Concrete::new(program);
        let mut graph = Graph {
            program,
            number,
            counts: counts.to_vec(),
            states: Vec::new(),
            first: Vec::new(),
            steps: Vec::new(),
        };
        let room = counts.iter().sum::<usize>() + MOST_NEW;
        let mut known: HashMap<Structure, usize> = HashMap::new();
        let all = concrete.concretisations(&program.initial[number], counts);
        for (choices, state) in all.unwrap_or_default() {
            if !known.contains_key(&state) {
                known.insert(state.clone(), graph.states.len());
                graph.states.push(state);
                graph.first.push(choices);
            }
        }
        let mut next = 0;
        while next < graph.states.len() {
            if budget.exhausted(0).is_some() {
                return None;
            }
            let mut own = Vec::new();
            for taken in concrete.successors(&graph.states[next]).unwrap_or_default() {
                let action = &program.actions[taken.action];
                let surely = !program.approximate.contains(&taken.action);
                if program.is_observer(action) || !surely || taken.state.size() > room {
                    continue;
                }
                let to = match known.get(&taken.state) {
                    Some(&to) => to,
                    None if graph.states.len() == MOST_CONFIGURATIONS => continue,
                    None => {
                        graph.states.push(taken.state.clone());
                        known.insert(taken.state.clone(), graph.states.len() - 1);
                        graph.states.len() - 1
                    }
                };
                own.push((Some(taken), to));
            }
            if own.is_empty() && concrete.has_ended(&graph.states[next]) {
                own.push((None, next));
            }
            graph.steps.push(own);
            next += 1;
        }
        Some(graph)
    }
}

/// A step of the product: of which configuration's steps it is one, and where it leads.
#[derive(Clone, Copy)]
struct Edge {
    step: usize,
    to: usize,
    accepting: bool,
}

/// The product of configurations with an automaton.
struct Product<'g, 'p> {
    graph: &'g Graph<'p>,
    /// The configuration of each node.
    states: Vec<usize>,
    edges: Vec<Vec<Edge>>,
    /// How each was reached first: from which, by which of its edges.
    parents: Vec<Option<(usize, usize)>>,
}

impl<'g, 'p> Product<'g, 'p> {
    fn new(graph: &'g Graph<'p>, automaton: &Buchi<Formula>) -> Product<'g, 'p> {
        let mut product = Product {
            graph,
            states: Vec::new(),
            edges: Vec::new(),
            parents: Vec::new(),
        };
        let mut known: HashMap<(usize, usize), usize> = HashMap::new();
        let mut nodes = Vec::new();
        for at in 0..graph.first.len() {
            known.insert((at, automaton.initial.index()), nodes.len());
            nodes.push((at, automaton.initial));
            product.states.push(at);
            product.parents.push(None);
        }
        let mut next = 0;
        while next < nodes.len() {
            let (at, state) = nodes[next];
            let letter = letter(automaton, &graph.states[at]);
            let edges = automaton.edges_from(state).iter();
            let mut own = Vec::new();
            for edge in edges.filter(|edge| edge.label.matches(letter)) {
                for (step, (_, to)) in graph.steps[at].iter().enumerate() {
                    let number = *known.entry((*to, edge.target.index())).or_insert_with(|| {
                        nodes.push((*to, edge.target));
                        product.states.push(*to);
                        product.parents.push(Some((next, own.len())));
                        nodes.len() - 1
                    });
                    own.push(Edge {
                        step,
                        to: number,
                        accepting: edge.accepting,
                    });
                }
            }
            product.edges.push(own);
            next += 1;
        }
        product
    }

    /// A run that the automaton accepts, as a trace.
    fn lasso(&self, budget: &Budget) -> Option<Trace> {
        let count = self.edges.len();
        let successor = |node: u32, at: usize| {
            let edge = self.edges[node as usize].get(at)?;
            Some(u32::try_from(edge.to).expect("nodes are numbered in 32 bits"))
        };
        let mut components: Vec<Vec<usize>> = Vec::new();
        each_component(count, (0..).take(count), successor, |component| {
            let mut component: Vec<usize> = component.iter().map(|&one| one as usize).collect();
            component.sort_unstable();
            components.push(component);
        });
        components.iter().find_map(|component| {
            if budget.exhausted(0).is_some() {
                return None;
            }
            self.around(component)
        })
    }

    /// A run into a component and round in it, if the automaton accepts one and it is fair.
    fn around(&self, component: &[usize]) -> Option<Trace> {
        let inside = |edge: &Edge| component.binary_search(&edge.to).is_ok();
        let all = component.iter().flat_map(|&node| {
            let own = self.edges[node].iter().enumerate();
            own.filter(move |(_, edge)| inside(edge))
                .map(move |(place, _)| (node, place))
        });
        let all: Vec<(usize, usize)> = all.collect();
        let accepting = |&&(node, place): &&(usize, usize)| self.edges[node][place].accepting;
        let first = *all.iter().find(accepting)?;
        let mut by = vec![first];
        if self.graph.program.fair {
            by.extend(self.fair(&all)?);
        }
        let mut round = Vec::new();
        let mut at = first.0;
        for (node, place) in by {
            round.extend(self.path(component, at, node)?);
            round.push((node, place));
            at = self.edges[node][place].to;
        }
        round.extend(self.path(component, at, first.0)?);
        Some(self.trace(first.0, &round))
    }

    /// For each thread, an edge of these by which it moves, or from where it cannot. `None`: there is a
    /// thread without one, or others come and go.
    fn fair(&self, all: &[(usize, usize)]) -> Option<Vec<(usize, usize)>> {
        let (program, states) = (self.graph.program, &self.graph.states);
        let concrete = Concrete::new(program);
        let size = states[self.states[all.first()?.0]].size();
        let taken = |&(node, place): &(usize, usize)| {
            let step = self.edges[node][place].step;
            self.graph.steps[self.states[node]][step].0.as_ref()
        };
        let same = |edge: &(usize, usize)| {
            taken(edge).is_none_or(|taken| taken.origins.iter().copied().eq(0..size))
        };
        if !all.iter().all(same) {
            return None;
        }
        let witness = |one: usize| {
            let mut edges = all.iter();
            edges.find(|edge| {
                taken(edge).is_some_and(|taken| taken.mover(program) == Some(one))
                    || !concrete.can_go_on(&states[self.states[edge.0]], one)
            })
        };
        (0..size).map(|one| witness(one).copied()).collect()
    }

    /// The shortest path inside a component.
    fn path(&self, component: &[usize], from: usize, to: usize) -> Option<Vec<(usize, usize)>> {
        let mut by: HashMap<usize, (usize, usize)> = HashMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            if node == to {
                let mut path = Vec::new();
                let mut at = to;
                while at != from {
                    let edge = *by.get(&at)?;
                    path.push(edge);
                    at = edge.0;
                }
                path.reverse();
                return Some(path);
            }
            for (place, edge) in self.edges[node].iter().enumerate() {
                let known = edge.to == from || by.contains_key(&edge.to);
                if !known && component.binary_search(&edge.to).is_ok() {
                    by.insert(edge.to, (node, place));
                    queue.push_back(edge.to);
                }
            }
        }
        None
    }

    /// A run to a node, and then round for ever. That nothing changes any more is no step.
    fn trace(&self, first: usize, round: &[(usize, usize)]) -> Trace {
        let mut way = Vec::new();
        let mut at = first;
        while let Some(edge) = self.parents[at] {
            way.push(edge);
            at = edge.0;
        }
        way.reverse();
        let taken = |edges: &[(usize, usize)]| -> Vec<Taken> {
            let steps = edges.iter().map(|&(node, place)| {
                let step = self.edges[node][place].step;
                self.graph.steps[self.states[node]][step].0.clone()
            });
            steps.flatten().collect()
        };
        let mut steps = taken(&way);
        let begins = steps.len();
        steps.extend(taken(round));
        let beginning = (
            self.graph.number,
            self.graph.counts.as_slice(),
            self.graph.first[self.states[at]].as_slice(),
        );
        let mut trace = PredicateRun::trace(self.graph.program, beginning, &steps);
        trace.loop_start = Some(begins);
        trace
    }
}

/// Which atoms hold in a configuration.
fn letter(automaton: &Buchi<Formula>, state: &Structure) -> u64 {
    let atoms = automaton.atoms.iter().enumerate();
    let holds =
        atoms.filter(|(_, atom)| state.value(atom, &mut vec![0; atom.slots()]) == Kleene::True);
    holds.fold(0, |letter, (index, _)| letter | 1 << index)
}

//! The slow way to verdicts: every state by the interpreter, claims on the product as a whole.

use std::collections::HashMap;

use logic::{Buchi, BuchiState};
use model::ExprId;
use model::interp::{Interp, State, Violation};

/// The explored graph of a program.
pub(crate) struct Graph<'p> {
    interp: Interp<'p>,
    states: Vec<State>,
    /// For each state, what follows; the last state of a run is followed by itself.
    edges: Vec<Vec<(State, usize)>>,
    initial: State,
    pub(crate) violations: Vec<Violation>,
    pub(crate) invalid_end: bool,
    /// Whether a run can end, as it may or not.
    pub(crate) ends: bool,
}

impl<'p> Graph<'p> {
    /// Explores, unless there are more than `limit` states.
    pub(crate) fn explore(program: &'p model::Program, limit: usize) -> Option<Self> {
        let interp = Interp::new(program);
        let (_, initial) = interp.initial().ok()?.into_iter().next()?;
        let mut graph = Graph {
            states: vec![interp.stored(&initial)],
            edges: Vec::new(),
            initial,
            violations: Vec::new(),
            invalid_end: false,
            ends: false,
            interp,
        };
        let mut places = HashMap::from([(graph.states[0].clone(), 0)]);
        while graph.edges.len() < graph.states.len() {
            let at = graph.edges.len();
            let expansion = graph.interp.expand(&graph.states[at]).ok()?;
            let violations = expansion.violations.iter();
            graph
                .violations
                .extend(violations.map(|(violation, _)| *violation));
            let mut edges = Vec::new();
            for successor in expansion.successors {
                let stored = graph.interp.stored(&successor.state);
                let to = *places.entry(stored).or_insert_with_key(|stored| {
                    graph.states.push(stored.clone());
                    graph.states.len() - 1
                });
                edges.push((successor.state, to));
            }
            if edges.is_empty() {
                graph.ends = true;
                graph.invalid_end |= !graph.interp.is_valid_end(&graph.states[at]);
                edges.push((graph.states[at].clone(), at));
            }
            graph.edges.push(edges);
            if graph.states.len() > limit {
                return None;
            }
        }
        Some(graph)
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether the automaton accepts a run.
    pub(crate) fn accepts(&self, automaton: &Buchi<ExprId>) -> bool {
        let letter = |state: &State| -> u64 {
            let atoms = automaton.atoms.iter().enumerate();
            atoms
                .filter(|(_, atom)| self.interp.holds(state, **atom) == Ok(true))
                .fold(0, |letter, (index, _)| letter | 1 << index)
        };
        let width = automaton.state_count();
        let mut product: HashMap<usize, Vec<(usize, bool)>> = HashMap::new();
        let mut waiting = Vec::new();
        let first = letter(&self.initial);
        for edge in automaton.edges_from(automaton.initial) {
            if edge.label.matches(first) {
                waiting.push(edge.target.index());
            }
        }
        while let Some(at) = waiting.pop() {
            if product.contains_key(&at) {
                continue;
            }
            let (state, q) = (at / width, at % width);
            let q = BuchiState(u32::try_from(q).expect("automata are small"));
            let mut next = Vec::new();
            for (after, to) in &self.edges[state] {
                let letter = letter(after);
                for edge in automaton.edges_from(q) {
                    if edge.label.matches(letter) {
                        next.push((to * width + edge.target.index(), edge.accepting));
                    }
                }
            }
            waiting.extend(next.iter().map(|&(to, _)| to));
            product.insert(at, next);
        }
        has_accepting_cycle(&product)
    }
}

/// Whether an accepting edge lies on a cycle: components by two searches (Kosaraju).
fn has_accepting_cycle(edges: &HashMap<usize, Vec<(usize, bool)>>) -> bool {
    let mut order = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for &root in edges.keys() {
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.pop() {
            if next == 0 && !seen.insert(node) {
                continue;
            }
            match edges[&node].get(next) {
                Some(&(to, _)) => {
                    stack.push((node, next + 1));
                    if !seen.contains(&to) {
                        stack.push((to, 0));
                    }
                }
                None => order.push(node),
            }
        }
    }
    let mut back: HashMap<usize, Vec<usize>> = HashMap::new();
    for (&from, targets) in edges {
        for &(to, _) in targets {
            back.entry(to).or_default().push(from);
        }
    }
    let mut component: HashMap<usize, usize> = HashMap::new();
    for &root in order.iter().rev() {
        if component.contains_key(&root) {
            continue;
        }
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            if component.contains_key(&node) {
                continue;
            }
            component.insert(node, root);
            let before = back.get(&node).into_iter().flatten();
            stack.extend(before.filter(|n| !component.contains_key(n)));
        }
    }
    edges.iter().any(|(from, targets)| {
        let accepts =
            |&(to, accepting): &(usize, bool)| accepting && component[from] == component[&to];
        targets.iter().any(accepts)
    })
}

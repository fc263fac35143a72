//! The slow way to a verdict: every stable state by the interpreter, every property on the graph.

use std::collections::HashMap;

use logic::{Buchi, Ltl};
use model::interp::{Interp, State, Violation};
use model::{Action, Claim, ExprId, FairnessKind, Program, PropertyId};

/// The explored graph of a program.
pub(crate) struct Graph<'p> {
    interp: Interp<'p>,
    /// Stored stable states, in order of discovery.
    pub(crate) states: Vec<State>,
    /// For each, what follows: the letter's state, and the stored state.
    edges: Vec<Vec<Edge>>,
    initial: Vec<(State, usize)>,
    violations: Vec<Violation>,
    diverges: bool,
}

struct Edge {
    /// The state at the end of the macro step, step variables as they are there.
    letter: State,
    to: usize,
    /// Which fairness constraints' steps are taken.
    taken: Vec<bool>,
}

impl<'p> Graph<'p> {
    /// Explores, unless there are more than `limit` states.
    pub(crate) fn explore(program: &'p Program, limit: usize) -> Option<Self> {
        let interp = Interp::new(program);
        let mut graph = Graph {
            states: Vec::new(),
            edges: Vec::new(),
            initial: Vec::new(),
            violations: Vec::new(),
            diverges: false,
            interp,
        };
        let mut places = HashMap::new();
        for (_, state) in graph.interp.initial().ok()? {
            let place = graph.place(&mut places, &state);
            graph.initial.push((state, place));
        }
        let mut next = 0;
        while next < graph.states.len() {
            let expansion = graph.interp.expand(&graph.states[next]).ok()?;
            graph
                .violations
                .extend(expansion.violations.iter().map(|(violation, _)| *violation));
            graph.diverges |= expansion.diverges.is_some();
            let mut edges = Vec::new();
            // Successors that differ only in who moved are one edge each: fairness asks who.
            for successor in expansion.successors {
                let taken = graph.taken(program, next, &successor.step);
                let to = graph.place(&mut places, &successor.state);
                edges.push(Edge {
                    letter: successor.state,
                    to,
                    taken,
                });
            }
            if edges.is_empty() {
                edges.push(Edge {
                    letter: graph.states[next].clone(),
                    to: next,
                    taken: vec![false; program.fairness.len()],
                });
            }
            graph.edges.push(edges);
            next += 1;
            if graph.states.len() > limit {
                return None;
            }
        }
        Some(graph)
    }

    fn place(&mut self, places: &mut HashMap<State, usize>, state: &State) -> usize {
        let stored = self.interp.stored(state);
        if let Some(&place) = places.get(&stored) {
            return place;
        }
        places.insert(stored.clone(), self.states.len());
        self.states.push(stored);
        self.states.len() - 1
    }

    fn taken(&self, program: &Program, from: usize, step: &model::MacroStep) -> Vec<bool> {
        program
            .fairness
            .iter()
            .map(|fairness| match &fairness.kind {
                FairnessKind::Weak(steps) | FairnessKind::Strong(steps) => {
                    step.moves.iter().flat_map(|made| &made.parts).any(|part| {
                        let process = self.states[from]
                            .instance(part.instance)
                            .map(|instance| instance.process);
                        matches!((process, part.action), (Some(process), Action::Step(step))
                            if steps.contains(&(process, step)))
                    })
                }
                _ => false,
            })
            .collect()
    }

    /// Whether the property fails.
    pub(crate) fn fails(&self, program: &Program, property: PropertyId) -> bool {
        match &program.properties[property.index()].claim {
            Claim::Check(check) => self.violations.contains(&Violation::Check(*check)),
            Claim::NoFault(faults) => self
                .violations
                .iter()
                .any(|v| matches!(v, Violation::Fault(fault) if faults.contains(fault))),
            Claim::Always(expr) => {
                let initial = self.initial.iter().map(|(state, _)| state);
                let letters = self.edges.iter().flatten().map(|edge| &edge.letter);
                initial
                    .chain(letters)
                    .any(|state| self.interp.holds(state, *expr) == Ok(false))
            }
            Claim::Returns => self.diverges,
            Claim::NoDeadlock => panic!("scripts do not deadlock"),
            Claim::Ctl(_)
            | Claim::Mu(_)
            | Claim::Distance { .. }
            | Claim::Bounded(_)
            | Claim::Open(_)
            | Claim::Silent(_)
            | Claim::Configurations(_) => {
                panic!("scripts do not say this")
            }
            Claim::Never(automaton) => self.has_fair_run(program, automaton),
            Claim::Ltl(formula) => {
                let automaton = logic::translate(&Ltl::not(formula.clone())).expect("small");
                self.has_fair_run(program, &automaton)
            }
        }
    }

    /// Whether the automaton accepts the word of a fair run: the product is built as a whole, and
    /// a strongly connected component must hold an accepting edge and satisfy every constraint.
    fn has_fair_run(&self, program: &Program, automaton: &Buchi<ExprId>) -> bool {
        let letter = |state: &State| -> u64 {
            automaton
                .atoms
                .iter()
                .enumerate()
                .filter(|(_, atom)| self.interp.holds(state, **atom) == Ok(true))
                .fold(0, |letter, (index, _)| letter | 1 << index)
        };
        let width = automaton.state_count();
        let node = |state: usize, q: usize| state * width + q;
        let mut reached = vec![false; self.states.len() * width];
        let mut waiting = Vec::new();
        for (state, place) in &self.initial {
            for edge in automaton.edges_from(automaton.initial) {
                if edge.label.matches(letter(state)) {
                    waiting.push(node(*place, edge.target.index()));
                }
            }
        }
        // (target, accepting, taken)
        let mut product: Vec<Vec<(usize, bool, &[bool])>> = vec![Vec::new(); reached.len()];
        while let Some(at) = waiting.pop() {
            if std::mem::replace(&mut reached[at], true) {
                continue;
            }
            let (state, q) = (at / width, logic::BuchiState((at % width) as u32));
            for edge in &self.edges[state] {
                let letter = letter(&edge.letter);
                for accepted in automaton.edges_from(q) {
                    if accepted.label.matches(letter) {
                        let to = node(edge.to, accepted.target.index());
                        product[at].push((to, accepted.accepting, &edge.taken));
                        waiting.push(to);
                    }
                }
            }
        }
        let component = components(&product, &reached);
        let count = component.iter().flatten().max().map_or(0, |max| max + 1);
        let mut accepting = vec![false; count];
        let constraints = program.fairness.len();
        let mut satisfied = vec![vec![false; constraints]; count];
        for at in 0..product.len() {
            let Some(mine) = component[at] else {
                continue;
            };
            for (to, accepts, taken) in &product[at] {
                if component[*to] == Some(mine) {
                    accepting[mine] |= accepts;
                    for (index, taken) in taken.iter().enumerate() {
                        satisfied[mine][index] |= taken;
                    }
                }
            }
            for (index, fairness) in program.fairness.iter().enumerate() {
                let FairnessKind::Weak(steps) = &fairness.kind else {
                    panic!("scripts have weak fairness only");
                };
                if !satisfied[mine][index] {
                    satisfied[mine][index] =
                        !self.interp.any_enabled(&self.states[at / width], steps);
                }
            }
        }
        (0..count).any(|c| accepting[c] && satisfied[c].iter().all(|&s| s))
    }
}

/// Strongly connected components with at least one edge inside, by two searches (Kosaraju).
fn components(edges: &[Vec<(usize, bool, &[bool])>], reached: &[bool]) -> Vec<Option<usize>> {
    let mut order = Vec::new();
    let mut seen = vec![false; edges.len()];
    for root in (0..edges.len()).filter(|&n| reached[n]) {
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.pop() {
            if next == 0 && std::mem::replace(&mut seen[node], true) {
                continue;
            }
            match edges[node].get(next) {
                Some(&(to, ..)) => {
                    stack.push((node, next + 1));
                    if !seen[to] {
                        stack.push((to, 0));
                    }
                }
                None => order.push(node),
            }
        }
    }
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); edges.len()];
    for (from, targets) in edges.iter().enumerate() {
        for &(to, ..) in targets {
            back[to].push(from);
        }
    }
    let mut component = vec![None; edges.len()];
    let mut count = 0;
    for &root in order.iter().rev() {
        if component[root].is_some() {
            continue;
        }
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            if component[node].is_some() {
                continue;
            }
            component[node] = Some(count);
            stack.extend(back[node].iter().filter(|&&n| component[n].is_none()));
        }
        count += 1;
    }
    let cyclic: std::collections::HashSet<usize> = edges
        .iter()
        .enumerate()
        .flat_map(|(from, targets)| targets.iter().map(move |&(to, ..)| (from, to)))
        .filter(|&(from, to)| component[from].is_some() && component[from] == component[to])
        .filter_map(|(from, _)| component[from])
        .collect();
    component
        .into_iter()
        .map(|c| c.filter(|c| cyclic.contains(c)))
        .collect()
}

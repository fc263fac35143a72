//! Verdicts by exploring everything with the reference interpreter: the slow, obvious twin.

use std::collections::{HashMap, HashSet};

use logic::{Buchi, Ltl, translate};
use model::interp::{Interp, State, Violation};
use model::{
    Action, Bad, Claim, ExprId, FairnessKind, FiniteRuns, MacroStep, Program, PropertyId, StepId,
    Trace, Value,
};

/// More states than this are too many for a test.
pub(crate) const LIMIT: usize = 400;

/// An explored program: states at the ends of macro steps, step variables as they are there.
pub(crate) struct Graph<'p> {
    pub(crate) interp: Interp<'p>,
    pub(crate) program: &'p Program,
    pub(crate) nodes: Vec<State>,
    pub(crate) edges: Vec<Vec<(MacroStep, usize)>>,
    pub(crate) parents: Vec<Option<(usize, MacroStep)>>,
    pub(crate) initial: Vec<(Vec<Value>, usize)>,
    /// Violations, with the node from which they are reached.
    pub(crate) violations: Vec<(Violation, usize, MacroStep)>,
    pub(crate) diverges: Option<(usize, MacroStep)>,
    pub(crate) stored: usize,
}

impl<'p> Graph<'p> {
    /// `None` if there are too many states.
    pub(crate) fn of(program: &'p Program, limit: usize) -> Option<Graph<'p>> {
        let interp = Interp::new(program).with_micro_steps(3_000);
        let mut graph = Graph {
            program,
            nodes: Vec::new(),
            edges: Vec::new(),
            parents: Vec::new(),
            initial: Vec::new(),
            violations: Vec::new(),
            diverges: None,
            stored: 0,
            interp,
        };
        let mut known: HashMap<State, usize> = HashMap::new();
        let mut expansions = HashMap::new();
        for (choices, state) in graph.interp.initial().ok()? {
            let next = known.len();
            let at = *known.entry(state.clone()).or_insert(next);
            if at == next {
                graph.nodes.push(state);
                graph.parents.push(None);
            }
            graph.initial.push((choices, at));
        }
        let mut at = 0;
        while at < graph.nodes.len() {
            if graph.nodes.len() > limit {
                return None;
            }
            let stored = graph.interp.stored(&graph.nodes[at]);
            let expansion = match expansions.entry(stored) {
                std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::hash_map::Entry::Vacant(entry) => {
                    let expansion = graph.interp.expand(entry.key()).ok()?;
                    for (violation, step) in &expansion.violations {
                        graph.violations.push((*violation, at, step.clone()));
                    }
                    if let (None, Some(step)) = (&graph.diverges, &expansion.diverges) {
                        graph.diverges = Some((at, step.clone()));
                    }
                    entry.insert(expansion)
                }
            };
            let mut edges = Vec::new();
            for successor in &expansion.successors {
                let next = known.len();
                let to = *known.entry(successor.state.clone()).or_insert(next);
                if to == next {
                    graph.nodes.push(successor.state.clone());
                    graph.parents.push(Some((at, successor.step.clone())));
                }
                edges.push((successor.step.clone(), to));
            }
            graph.edges.push(edges);
            at += 1;
        }
        graph.stored = expansions.len();
        Some(graph)
    }

    /// A shortest run to a node, and perhaps one more macro step.
    pub(crate) fn trace_to(&self, mut node: usize, last: Option<&MacroStep>) -> Trace {
        let mut steps: Vec<MacroStep> = last.cloned().into_iter().collect();
        while let Some((before, step)) = &self.parents[node] {
            steps.push(step.clone());
            node = *before;
        }
        steps.reverse();
        let (choices, _) = self
            .initial
            .iter()
            .find(|(_, at)| *at == node)
            .expect("runs begin initially");
        Trace {
            initial: choices.clone(),
            steps,
            loop_start: None,
        }
    }
}

/// How a property fails: what is bad, and a run that shows it.
pub(crate) struct Failure {
    pub(crate) bad: Option<Bad>,
    pub(crate) trace: Trace,
}

/// `None` if the property holds.
pub(crate) fn verdict(graph: &Graph<'_>, property: PropertyId) -> Option<Failure> {
    let claim = &graph.program.properties[property.index()].claim;
    match claim {
        Claim::Check(check) => violated(graph, Bad::Check(*check), |violation| {
            *violation == Violation::Check(*check)
        }),
        Claim::NoFault(faults) => violated(
            graph,
            Bad::Fault(faults.clone()),
            |violation| matches!(violation, Violation::Fault(fault) if faults.contains(fault)),
        ),
        Claim::Always(cond) => {
            let negated = |node: &State| graph.interp.holds(node, *cond) != Ok(true);
            let node = graph.nodes.iter().position(negated)?;
            Some(Failure {
                bad: None,
                trace: graph.trace_to(node, None),
            })
        }
        Claim::NoDeadlock => {
            let node = (0..graph.nodes.len()).find(|&node| {
                let stored = graph.interp.stored(&graph.nodes[node]);
                graph.interp.moves(&stored).is_empty() && !graph.interp.is_valid_end(&stored)
            })?;
            Some(Failure {
                bad: Some(Bad::Deadlock),
                trace: graph.trace_to(node, None),
            })
        }
        Claim::Returns => {
            let (node, step) = graph.diverges.as_ref()?;
            Some(Failure {
                bad: Some(Bad::Divergence),
                trace: graph.trace_to(*node, Some(step)),
            })
        }
        Claim::Ctl(_)
        | Claim::Mu(_)
        | Claim::Distance { .. }
        | Claim::Bounded(_)
        | Claim::Silent(_)
        | Claim::Configurations(_)
        | Claim::Open(_) => {
            panic!("passes do not see these")
        }
        Claim::Never(automaton) => {
            accepted_lasso(graph, automaton).map(|trace| Failure { bad: None, trace })
        }
        Claim::Ltl(formula) => {
            let negation = translate(&Ltl::not(formula.clone())).expect("small formulas");
            accepted_lasso(graph, &negation).map(|trace| Failure { bad: None, trace })
        }
    }
}

fn violated(graph: &Graph<'_>, bad: Bad, matches: impl Fn(&Violation) -> bool) -> Option<Failure> {
    let (_, node, step) = graph.violations.iter().find(|(v, _, _)| matches(v))?;
    Some(Failure {
        bad: Some(bad),
        trace: graph.trace_to(*node, Some(step)),
    })
}

/// A node of the product: a node of the graph (its stutter copy, if the run has stopped) and a
/// state of the automaton before it reads the node's letter.
type Product = (usize, bool, usize);

struct Arc {
    to: Product,
    step: Option<MacroStep>,
    accepting: bool,
    /// Which fairness sets are served.
    fair: u64,
}

/// A fair run that the automaton accepts.
fn accepted_lasso(graph: &Graph<'_>, automaton: &Buchi<ExprId>) -> Option<Trace> {
    let sets: Vec<HashSet<(usize, StepId)>> = graph
        .program
        .fairness
        .iter()
        .map(|fairness| match &fairness.kind {
            FairnessKind::Weak(steps) => steps.iter().map(|&(p, s)| (p.index(), s)).collect(),
            other => panic!("the test makes no {other:?}"),
        })
        .collect();
    let mut product: HashMap<Product, Vec<Arc>> = HashMap::new();
    let mut waiting: Vec<Product> = graph
        .initial
        .iter()
        .map(|(_, node)| (*node, false, automaton.initial.index()))
        .collect();
    while let Some(from) = waiting.pop() {
        if product.contains_key(&from) {
            continue;
        }
        let (node, stopped, state) = from;
        // A run that has stopped repeats its last state with step variables reset.
        let mut seen = graph.nodes[node].clone();
        if stopped {
            seen = graph.interp.stored(&seen);
        }
        let letter = automaton
            .atoms
            .iter()
            .enumerate()
            .filter(|(_, atom)| graph.interp.holds(&seen, **atom) == Ok(true))
            .fold(0u64, |letter, (index, _)| letter | 1 << index);
        let stored = graph.interp.stored(&graph.nodes[node]);
        let moves = graph.interp.moves(&stored);
        let enabled = steps_of(&stored, moves.iter().flatten());
        let mut follow: Vec<(usize, bool, Option<&MacroStep>, u64)> = Vec::new();
        let idle = (0..sets.len())
            .filter(|&set| sets[set].is_disjoint(&enabled))
            .fold(0u64, |fair, set| fair | 1 << set);
        for (step, to) in &graph.edges[node] {
            if stopped {
                break;
            }
            let first = steps_of(&stored, step.moves[0].parts.iter());
            let taken = (0..sets.len())
                .filter(|&set| !sets[set].is_disjoint(&first))
                .fold(0u64, |fair, set| fair | 1 << set);
            follow.push((*to, false, Some(step), idle | taken));
        }
        if moves.is_empty() && graph.program.finite_runs == FiniteRuns::Stutter {
            follow.push((node, true, None, u64::MAX));
        }
        let mut arcs = Vec::new();
        for edge in &automaton.edges[state] {
            if !edge.label.matches(letter) {
                continue;
            }
            for (to, stopped, step, fair) in &follow {
                let to = (*to, *stopped, edge.target.index());
                arcs.push(Arc {
                    to,
                    step: step.cloned(),
                    accepting: edge.accepting,
                    fair: *fair,
                });
                waiting.push(to);
            }
        }
        product.insert(from, arcs);
    }
    lasso_in(graph, &product, automaton.initial.index(), sets.len())
}

fn steps_of<'m>(
    stored: &State,
    parts: impl Iterator<Item = &'m model::Part>,
) -> HashSet<(usize, StepId)> {
    parts
        .filter_map(|part| match part.action {
            Action::Step(step) => Some((stored.instance(part.instance)?.process.index(), step)),
            Action::Leave => None,
        })
        .collect()
}

/// A lasso through a strongly connected component that serves everything.
fn lasso_in(
    graph: &Graph<'_>,
    product: &HashMap<Product, Vec<Arc>>,
    automaton_initial: usize,
    sets: usize,
) -> Option<Trace> {
    let all = if sets == 0 { 0 } else { (1u64 << sets) - 1 };
    let starts: Vec<Product> = graph
        .initial
        .iter()
        .map(|(_, node)| (*node, false, automaton_initial))
        .collect();
    for component in components(product, &starts) {
        let inside: HashSet<Product> = component.iter().copied().collect();
        let arcs = || {
            component
                .iter()
                .flat_map(|node| product[node].iter().map(move |arc| (*node, arc)))
                .filter(|(_, arc)| inside.contains(&arc.to))
        };
        let fair = arcs().fold(0, |fair, (_, arc)| fair | arc.fair);
        if !arcs().any(|(_, arc)| arc.accepting) || fair & all != all {
            continue;
        }
        // A walk through one accepting arc and one arc for each set, back to where it began.
        let head = component[0];
        let stem = path(product, &starts, |node, _| node == head, None).expect("reachable");
        let mut walk: Vec<Option<MacroStep>> = Vec::new();
        let mut at = head;
        for wanted in 0..=sets {
            let wants = |arc: &Arc| match wanted.checked_sub(1) {
                None => arc.accepting,
                Some(set) => arc.fair >> set & 1 != 0,
            };
            let (steps, end) = path_arcs(product, at, &inside, wants).expect("in the component");
            walk.extend(steps);
            at = end;
        }
        if at != head {
            let (steps, _) =
                path_arcs(product, at, &inside, |arc| arc.to == head).expect("strongly connected");
            walk.extend(steps);
        }
        let stutters = walk.iter().any(Option::is_none);
        let (first, stem) = stem;
        let steps: Vec<MacroStep> = stem.into_iter().flatten().collect();
        let start = steps.len();
        let (choices, _) = graph
            .initial
            .iter()
            .find(|(_, node)| *node == first.0)
            .expect("begins initially");
        let mut all_steps = steps;
        if !stutters {
            all_steps.extend(walk.into_iter().flatten());
        }
        return Some(Trace {
            initial: choices.clone(),
            steps: all_steps,
            loop_start: Some(start),
        });
    }
    None
}

/// A shortest path from one of the starts to a node.
fn path(
    product: &HashMap<Product, Vec<Arc>>,
    starts: &[Product],
    is_goal: impl Fn(Product, usize) -> bool,
    _: Option<()>,
) -> Option<(Product, Vec<Option<MacroStep>>)> {
    let mut from: HashMap<Product, Option<(Product, Option<MacroStep>)>> = HashMap::new();
    let mut waiting = std::collections::VecDeque::new();
    for &start in starts {
        from.entry(start).or_insert(None);
        waiting.push_back(start);
    }
    while let Some(node) = waiting.pop_front() {
        if is_goal(node, 0) {
            let mut steps = Vec::new();
            let mut at = node;
            while let Some((before, step)) = &from[&at] {
                steps.push(step.clone());
                at = *before;
            }
            steps.reverse();
            return Some((at, steps));
        }
        for arc in &product[&node] {
            from.entry(arc.to).or_insert_with(|| {
                waiting.push_back(arc.to);
                Some((node, arc.step.clone()))
            });
        }
    }
    None
}

/// A shortest path within a component that ends with an arc that is wanted.
fn path_arcs(
    product: &HashMap<Product, Vec<Arc>>,
    start: Product,
    inside: &HashSet<Product>,
    wants: impl Fn(&Arc) -> bool,
) -> Option<(Vec<Option<MacroStep>>, Product)> {
    let mut from: HashMap<Product, Option<(Product, Option<MacroStep>)>> =
        HashMap::from([(start, None)]);
    let mut waiting = std::collections::VecDeque::from([start]);
    while let Some(node) = waiting.pop_front() {
        for arc in product[&node].iter().filter(|arc| inside.contains(&arc.to)) {
            if wants(arc) {
                let mut steps = vec![arc.step.clone()];
                let mut at = node;
                while let Some((before, step)) = &from[&at] {
                    steps.push(step.clone());
                    at = *before;
                }
                steps.reverse();
                return Some((steps, arc.to));
            }
            from.entry(arc.to).or_insert_with(|| {
                waiting.push_back(arc.to);
                Some((node, arc.step.clone()))
            });
        }
    }
    None
}

/// The strongly connected components, by Tarjan's algorithm without recursion.
fn components(product: &HashMap<Product, Vec<Arc>>, starts: &[Product]) -> Vec<Vec<Product>> {
    let mut number: HashMap<Product, usize> = HashMap::new();
    let mut low: HashMap<Product, usize> = HashMap::new();
    let mut on_stack: HashSet<Product> = HashSet::new();
    let mut stack = Vec::new();
    let mut found = Vec::new();
    for &start in starts {
        if number.contains_key(&start) {
            continue;
        }
        let mut calls = vec![(start, 0)];
        while let Some((node, next)) = calls.pop() {
            if next == 0 {
                let count = number.len();
                number.insert(node, count);
                low.insert(node, count);
                stack.push(node);
                on_stack.insert(node);
            }
            if let Some(arc) = product[&node].get(next) {
                calls.push((node, next + 1));
                if !number.contains_key(&arc.to) {
                    calls.push((arc.to, 0));
                } else if on_stack.contains(&arc.to) {
                    let least = low[&node].min(number[&arc.to]);
                    low.insert(node, least);
                }
                continue;
            }
            if let Some((parent, _)) = calls.last() {
                let least = low[parent].min(low[&node]);
                low.insert(*parent, least);
            }
            if low[&node] == number[&node] {
                let mut component = Vec::new();
                loop {
                    let member = stack.pop().expect("the root is on the stack");
                    on_stack.remove(&member);
                    component.push(member);
                    if member == node {
                        break;
                    }
                }
                found.push(component);
            }
        }
    }
    found
}

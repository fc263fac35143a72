//! The slow obvious twin: everything found out by trying, with the reference interpreter.

use std::collections::{BTreeSet, HashMap, HashSet};

use logic::Buchi;
use model::interp::{Interp, State, Violation};
use model::*;

/// The whole graph of a small program.
pub(crate) struct Whole {
    /// Stable states as stored, in breadth-first order, with their distance.
    pub(crate) states: Vec<(State, usize)>,
    /// For each state, its macro steps: the number of the state that follows, and the state at
    /// the end as it is there.
    pub(crate) edges: Vec<Vec<(usize, State)>>,
    /// The initial states as they are.
    pub(crate) initial: Vec<(usize, State)>,
    /// For each kind of violation, how many macro steps it takes.
    pub(crate) checks: HashMap<CheckId, usize>,
    pub(crate) faults: HashMap<FaultId, usize>,
    pub(crate) divergence: Option<usize>,
    pub(crate) deadlock: Option<usize>,
    /// Whether no move is enabled.
    pub(crate) stuck: Vec<bool>,
}

/// Explores a program; nothing if it is too large or the interpreter gives up.
pub(crate) fn explore(interp: &Interp<'_>, most: usize) -> Option<Whole> {
    let mut whole = Whole {
        states: Vec::new(),
        edges: Vec::new(),
        initial: Vec::new(),
        checks: HashMap::new(),
        faults: HashMap::new(),
        divergence: None,
        deadlock: None,
        stuck: Vec::new(),
    };
    let mut numbers: HashMap<State, usize> = HashMap::new();
    for (_, state) in interp.initial().ok()? {
        let stored = interp.stored(&state);
        let next = numbers.len();
        let number = *numbers.entry(stored.clone()).or_insert(next);
        if number == whole.states.len() {
            whole.states.push((stored, 0));
        }
        whole.initial.push((number, state));
    }
    let mut at = 0;
    while at < whole.states.len() {
        let (state, depth) = whole.states[at].clone();
        let expansion = interp.expand(&state).ok()?;
        for (violation, _) in &expansion.violations {
            let shortest = match violation {
                Violation::Check(check) => whole.checks.entry(*check).or_insert(depth + 1),
                Violation::Fault(fault) => whole.faults.entry(*fault).or_insert(depth + 1),
            };
            *shortest = (*shortest).min(depth + 1);
        }
        if expansion.diverges.is_some() {
            whole.divergence.get_or_insert(depth + 1);
        }
        let stuck = interp.moves(&state).is_empty();
        if stuck && !interp.is_valid_end(&state) {
            whole.deadlock.get_or_insert(depth);
        }
        whole.stuck.push(stuck);
        let mut edges = Vec::new();
        for successor in expansion.successors {
            let stored = interp.stored(&successor.state);
            let next = numbers.len();
            let number = *numbers.entry(stored.clone()).or_insert(next);
            if number == whole.states.len() {
                if whole.states.len() >= most {
                    return None;
                }
                whole.states.push((stored, depth + 1));
            }
            edges.push((number, successor.state));
        }
        whole.edges.push(edges);
        at += 1;
    }
    Some(whole)
}

impl Whole {
    /// The distance of the nearest macro step that ends where an expression holds.
    pub(crate) fn nearest(&self, interp: &Interp<'_>, expr: ExprId) -> Option<usize> {
        let holds = |state: &State| interp.holds(state, expr) == Ok(true);
        if self.initial.iter().any(|(_, state)| holds(state)) {
            return Some(0);
        }
        self.edges
            .iter()
            .zip(&self.states)
            .filter(|(edges, _)| edges.iter().any(|(_, state)| holds(state)))
            .map(|(_, (_, depth))| depth + 1)
            .min()
    }
}

/// Fairness as the twin understands it.
pub(crate) struct Fair {
    pub(crate) kind: FairnessKind,
    /// For sets of steps: says at the end of a macro step whether one was taken.
    pub(crate) taken: ExprId,
}

/// A product edge: source, target, and the constraints' facts.
struct Edge {
    from: usize,
    to: usize,
    accepting: bool,
    /// For each fairness constraint: its premise is seen, its demand is seen.
    facts: Vec<(bool, bool)>,
}

/// Whether there is a fair run that the automaton accepts.
pub(crate) fn accepts(
    interp: &Interp<'_>,
    whole: &Whole,
    automaton: &Buchi<ExprId>,
    fair: &[Fair],
) -> bool {
    let holds = |state: &State, expr: ExprId| interp.holds(state, expr) == Ok(true);
    let letter = |state: &State| {
        automaton
            .atoms
            .iter()
            .enumerate()
            .fold(0u64, |bits, (index, &atom)| {
                bits | u64::from(holds(state, atom)) << index
            })
    };
    let enabled: Vec<Vec<bool>> = whole
        .states
        .iter()
        .map(|(state, _)| {
            let moves = interp.moves(state);
            fair.iter()
                .map(|f| match &f.kind {
                    FairnessKind::Weak(steps) | FairnessKind::Strong(steps) => {
                        moves.iter().flatten().any(|part| {
                            let process = state.instance(part.instance).expect("it moves").process;
                            matches!(part.action, Action::Step(step)
                                if steps.contains(&(process, step)))
                        })
                    }
                    _ => false,
                })
                .collect()
        })
        .collect();
    let places = automaton.state_count();
    let node = |state: usize, place: usize| state * places + place;
    let mut edges = Vec::new();
    for (from, list) in whole.edges.iter().enumerate() {
        let mut list: Vec<(usize, &State, bool)> =
            list.iter().map(|(to, state)| (*to, state, false)).collect();
        if whole.stuck[from] {
            list.push((from, &whole.states[from].0, true));
        }
        for (to, end, stutter) in list {
            let letter = letter(end);
            let facts: Vec<(bool, bool)> = fair
                .iter()
                .zip(&enabled[from])
                .map(|(f, &enabled)| {
                    let taken = !stutter && holds(end, f.taken);
                    match &f.kind {
                        FairnessKind::Justice(expr) => (true, holds(end, *expr)),
                        FairnessKind::Compassion(a, b) => (holds(end, *a), holds(end, *b)),
                        FairnessKind::Weak(_) => (true, taken || !enabled),
                        FairnessKind::Strong(_) => (enabled, taken),
                        FairnessKind::WeakInstances => unreachable!("not generated"),
                    }
                })
                .collect();
            for place in automaton.states() {
                for edge in automaton.edges_from(place) {
                    if edge.label.matches(letter) {
                        edges.push(Edge {
                            from: node(from, place.index()),
                            to: node(to, edge.target.index()),
                            accepting: edge.accepting,
                            facts: facts.clone(),
                        });
                    }
                }
            }
        }
    }
    let mut starts = BTreeSet::new();
    for (number, state) in &whole.initial {
        for edge in automaton.edges_from(automaton.initial) {
            if edge.label.matches(letter(state)) {
                starts.insert(node(*number, edge.target.index()));
            }
        }
    }
    let all: Vec<usize> = (0..edges.len()).collect();
    let reachable = reach(&edges, &all, &starts.into_iter().collect::<Vec<_>>());
    let kept: Vec<usize> = all
        .into_iter()
        .filter(|&e| reachable.contains(&edges[e].from))
        .collect();
    fair_cycle(&edges, kept, fair)
}

fn reach(edges: &[Edge], kept: &[usize], from: &[usize]) -> HashSet<usize> {
    let mut out: HashMap<usize, Vec<usize>> = HashMap::new();
    for &e in kept {
        out.entry(edges[e].from).or_default().push(edges[e].to);
    }
    let mut seen: HashSet<usize> = from.iter().copied().collect();
    let mut waiting = from.to_vec();
    while let Some(at) = waiting.pop() {
        for &to in out.get(&at).into_iter().flatten() {
            if seen.insert(to) {
                waiting.push(to);
            }
        }
    }
    seen
}

/// Whether some cycle over these edges is accepting and fair.
fn fair_cycle(edges: &[Edge], kept: Vec<usize>, fair: &[Fair]) -> bool {
    let mut waiting = vec![kept];
    while let Some(kept) = waiting.pop() {
        for part in split(edges, &kept) {
            let accepting = part.iter().any(|&e| edges[e].accepting);
            let seen = |which: usize, premise: bool| {
                part.iter().any(|&e| {
                    let (if_, then) = edges[e].facts[which];
                    if premise { if_ } else { then }
                })
            };
            let broken: Vec<usize> = (0..fair.len())
                .filter(|&f| seen(f, true) && !seen(f, false))
                .collect();
            if !accepting {
                continue;
            }
            if broken.is_empty() {
                return true;
            }
            let smaller: Vec<usize> = part
                .iter()
                .copied()
                .filter(|&e| broken.iter().all(|&f| !edges[e].facts[f].0))
                .collect();
            if !smaller.is_empty() {
                waiting.push(smaller);
            }
        }
    }
    false
}

/// The edges inside each strongly connected part (Kosaraju's way).
fn split(edges: &[Edge], kept: &[usize]) -> Vec<Vec<usize>> {
    let mut out: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut back: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut nodes = BTreeSet::new();
    for &e in kept {
        out.entry(edges[e].from).or_default().push(edges[e].to);
        back.entry(edges[e].to).or_default().push(edges[e].from);
        nodes.extend([edges[e].from, edges[e].to]);
    }
    let mut seen = HashSet::new();
    let mut order = Vec::new();
    for &start in &nodes {
        if !seen.insert(start) {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some((at, next)) = path.last_mut() {
            let to = out.get(at).and_then(|list| list.get(*next)).copied();
            *next += 1;
            match to {
                Some(to) => {
                    if seen.insert(to) {
                        path.push((to, 0));
                    }
                }
                None => {
                    order.push(*at);
                    path.pop();
                }
            }
        }
    }
    let mut part: HashMap<usize, usize> = HashMap::new();
    for &start in order.iter().rev() {
        if part.contains_key(&start) {
            continue;
        }
        let mut waiting = vec![start];
        part.insert(start, start);
        while let Some(at) = waiting.pop() {
            for &to in back.get(&at).into_iter().flatten() {
                if let std::collections::hash_map::Entry::Vacant(entry) = part.entry(to) {
                    entry.insert(start);
                    waiting.push(to);
                }
            }
        }
    }
    let mut parts: HashMap<usize, Vec<usize>> = HashMap::new();
    for &e in kept {
        if part[&edges[e].from] == part[&edges[e].to] {
            parts.entry(part[&edges[e].from]).or_default().push(e);
        }
    }
    parts.into_values().collect()
}

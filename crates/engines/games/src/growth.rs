//! Growth without bound, looked for on the graph of all states.
//!
//! Where no list is ever as long as it may be, none grows without bound. Otherwise the shortest runs to
//! states with a full list are looked through for a state that [covers](model::Growth) an earlier one:
//! a list that can grow for ever does so on some such run, but perhaps not on a shortest one.

use std::collections::{HashMap, VecDeque};

use model::interp::State;
use model::{Budget, Growth, Trace, UnknownReason, Vertex};

use crate::Answer;
use crate::check::Checker;

/// So many runs to full lists are looked through.
const MOST_RUNS: usize = 64;
/// So many pairs of states are replayed.
const MOST_PAIRS: usize = 32;

impl Checker<'_> {
    /// Whether lists grow without bound.
    pub(crate) fn grows(&self, growth: &Growth, budget: &Budget) -> Answer {
        let Some(full) = self.space.holding(growth.full) else {
            return Answer::Unknown(crate::check::not_asked());
        };
        if full.is_empty() {
            return Answer::Clear;
        }
        let mut possible: Option<Trace> = None;
        let mut replayed = 0;
        let full = |vertex: Vertex| full.has(vertex);
        for path in self.shortest_paths(&full) {
            if let Some(reason) = budget.exhausted(0) {
                return Answer::Unknown(reason);
            }
            let states: Vec<State> = path.iter().map(|v| self.space.state(*v)).collect();
            for (from, to) in self.covering(growth, &states, possible.is_none()) {
                if replayed >= MOST_PAIRS {
                    break;
                }
                replayed += 1;
                let steps: Vec<_> = path[1..=to].iter().map(|v| (None, *v)).collect();
                let Some(trace) = self.trace(path[0], &steps, None) else {
                    continue;
                };
                let Ok(replay) = self.interp.replay(&trace) else {
                    continue;
                };
                let found = growth.of_run(&self.interp, &self.program.rich, &replay);
                match found {
                    Some(grown) if grown.repeats => return Answer::Violated(trace),
                    Some(grown) if grown.from >= from => {
                        possible.get_or_insert(trace);
                    }
                    _ => {}
                }
            }
        }
        match possible {
            Some(trace) => Answer::Possible(trace),
            None => Answer::Unknown(UnknownReason::Unrepeatable),
        }
    }

    /// Pairs of positions where the second state covers the first; those that are certain to repeat
    /// first, and one of the others if it is wanted.
    fn covering(&self, growth: &Growth, states: &[State], any: bool) -> Vec<(usize, usize)> {
        let mut alike: HashMap<State, Vec<usize>> = HashMap::new();
        let (mut certain, mut others) = (Vec::new(), Vec::new());
        for (to, state) in states.iter().enumerate() {
            let before = alike.entry(growth.rest(state)).or_default();
            for &from in before.iter() {
                match growth.between(&self.program.rich, &states[from..=to]) {
                    Some(grown) if grown.repeats => certain.push((from, to)),
                    Some(_) => others.push((from, to)),
                    None => {}
                }
            }
            before.push(to);
        }
        certain.extend(others.first().filter(|_| any));
        certain
    }

    /// Shortest paths to states, to the nearest ones.
    fn shortest_paths(&self, wanted: &dyn Fn(Vertex) -> bool) -> Vec<Vec<Vertex>> {
        let graph = self.space.graph();
        let mut came: Vec<Option<Vertex>> = vec![None; graph.len()];
        let mut seen = vec![false; graph.len()];
        let mut waiting: VecDeque<Vertex> = graph.initial().iter().copied().collect();
        for &vertex in &waiting {
            seen[vertex as usize] = true;
        }
        let mut paths = Vec::new();
        while let Some(vertex) = waiting.pop_front() {
            if wanted(vertex) {
                let mut path = vec![vertex];
                let mut at = vertex;
                while let Some(before) = came[at as usize] {
                    path.push(before);
                    at = before;
                }
                path.reverse();
                paths.push(path);
                if paths.len() == MOST_RUNS {
                    break;
                }
            }
            for &next in graph.successors(vertex) {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    came[next as usize] = Some(vertex);
                    waiting.push_back(next);
                }
            }
        }
        paths
    }
}

//! Growth without bound, looked for on the graph of all states.
//!
//! Where no list is ever as long as it may be, none grows without bound. Otherwise the shortest runs to
//! states with a full list are looked through for a state that [covers](model::Growth) an earlier one:
//! a list that can grow for ever does so on some such run, but perhaps not on a shortest one.
//!
//! Lists that nobody will read are not kept. One of them grows without bound if something comes to it on
//! a cycle.

use std::collections::{HashMap, VecDeque};

use model::interp::State;
use model::{Budget, Growth, LabelId, StateSet, Trace, UnknownReason, Vertex};

use crate::Answer;
use crate::check::Checker;
use crate::components::components;

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
        if let Some(round) = self.piles_up(growth) {
            return round;
        }
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

    /// A run that comes to a cycle on which something comes to a list that nobody will read.
    fn piles_up(&self, growth: &Growth) -> Option<Answer> {
        let unread = growth.unread?;
        let graph = self.space.graph();
        let says_so: Vec<bool> = (graph.table().iter())
            .map(|label| label.iter().any(|happening| happening.event == unread))
            .collect();
        if !says_so.contains(&true) {
            return None;
        }
        let everywhere = StateSet::all(graph.len());
        let mut inside = StateSet::none(graph.len());
        let mut found: Option<(Vertex, LabelId, Vertex)> = None;
        components(&self.graph, &everywhere, &mut |component| {
            if found.is_some() {
                return;
            }
            for &vertex in component {
                inside.add(vertex);
            }
            found = component.iter().find_map(|&from| {
                let mut edges = graph.edges(from);
                let edge = edges.find(|&(label, to)| says_so[label as usize] && inside.has(to))?;
                Some((from, edge.0, edge.1))
            });
            if found.is_none() {
                for &vertex in component {
                    inside.remove(vertex);
                }
            }
        });
        let (from, label, to) = found?;
        let there = self.nearest(&|vertex| vertex == from)?;
        let back = self
            .graph
            .path(&[to], &inside, &|vertex| vertex == from, 0)?;
        let mut steps: Vec<(Option<LabelId>, Vertex)> =
            there[1..].iter().map(|vertex| (None, *vertex)).collect();
        let start = steps.len();
        steps.push((Some(label), to));
        steps.extend(back[1..].iter().map(|vertex| (None, *vertex)));
        Some(self.violated(there[0], &steps, Some(start)))
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

//! The state graph of a small program, explored on the reference interpreter: exact, in a fixed
//! order, and slow.
//!
//! Two ways to write it down: for Graphviz, and in the Aldebaran format of CADP, mCRL2 and
//! others, where a transition is `(from, "label", to)`.

use std::collections::HashMap;
use std::fmt::Write as _;

use model::interp::{Interp, ReplayedStep, State, Stop};
use model::{Equivalence, Graph, Program, ReduceError, Vertex};

/// Why there is no graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExploreError {
    /// There are more states than the limit.
    TooMany(usize),
    /// A mathematical integer left 128 bits, or a macro step did not end within its budget.
    Stopped(String),
    /// The program has no first state.
    Empty,
}

impl std::fmt::Display for ExploreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ExploreError::TooMany(limit) => write!(f, "there are more than {limit} states"),
            ExploreError::Stopped(why) => f.write_str(why),
            ExploreError::Empty => f.write_str("the program has no first state"),
        }
    }
}

impl std::error::Error for ExploreError {}

/// An explored graph.
#[derive(Clone, Debug)]
pub struct StateGraph {
    /// What is said of each state.
    pub states: Vec<String>,
    /// Initial states.
    pub initial: Vec<usize>,
    /// From, label, to; in order of discovery.
    pub edges: Vec<(usize, String, usize)>,
}

impl StateGraph {
    /// Explores breadth-first. `label` tells a macro step that leads on from a state; an empty
    /// label is silent. `show` tells a state.
    ///
    /// # Errors
    /// If there are more than `limit` states, or the interpreter gives up.
    pub fn explore(
        program: &Program,
        limit: usize,
        label: &dyn Fn(&State, &ReplayedStep) -> String,
        show: &dyn Fn(&State) -> String,
    ) -> Result<StateGraph, ExploreError> {
        let interp = Interp::new(program).with_labels();
        let stop = |stop| {
            ExploreError::Stopped(match stop {
                Stop::TooWide => "a choice is among more values than can be listed".into(),
                _ => "a number or a step of the script has no end".into(),
            })
        };
        let mut search = Search::default();
        let mut graph = StateGraph {
            states: Vec::new(),
            initial: Vec::new(),
            edges: Vec::new(),
        };
        for (_, state) in interp.initial().map_err(stop)? {
            let place = search.place(interp.stored(&state));
            if !graph.initial.contains(&place) {
                graph.initial.push(place);
            }
        }
        if search.found.is_empty() {
            return Err(ExploreError::Empty);
        }
        let mut next = 0;
        while next < search.found.len() {
            let from = search.found[next].clone();
            let first_edge = graph.edges.len();
            for successor in interp.expand(&from).map_err(stop)?.successors {
                let (step, _) = interp
                    .replay_step(0, &from, &successor.step)
                    .map_err(|error| {
                        ExploreError::Stopped(format!("an internal error: failed to {error}"))
                    })?;
                let text = label(&from, &step);
                let place = search.place(interp.stored(&successor.state));
                let edge = (next, text, place);
                if !graph.edges[first_edge..].contains(&edge) {
                    graph.edges.push(edge);
                }
            }
            if search.found.len() > limit {
                return Err(ExploreError::TooMany(limit));
            }
            next += 1;
        }
        graph.states = search.found.iter().map(show).collect();
        Ok(graph)
    }

    /// The graph with states put together that are equivalent; an empty label is silent. Of a state
    /// that stands for several, only what they have in common is said.
    ///
    /// # Errors
    /// If it has more than `limit` states although this one has fewer.
    pub fn reduced(
        &self,
        equivalence: Equivalence,
        limit: usize,
    ) -> Result<StateGraph, ReduceError> {
        let vertex = |place: usize| Vertex::try_from(place).expect("there are few");
        let mut table: Vec<&str> = Vec::new();
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let mut transitions = Vec::new();
        for (from, label, to) in &self.edges {
            let number = *numbers.entry(label).or_insert_with(|| {
                table.push(label);
                vertex(table.len() - 1)
            });
            transitions.push((vertex(*from), number, vertex(*to)));
        }
        let initial = self.initial.iter().map(|place| vertex(*place)).collect();
        let graph = Graph::new(self.states.len(), initial, table, &transitions);
        let reduced = graph.reduced(equivalence, |label| label.is_empty(), limit)?;
        let place = |vertex: Vertex| vertex as usize;
        Ok(StateGraph {
            states: reduced
                .members
                .iter()
                .map(|members| {
                    self.in_common(&members.iter().map(|v| place(*v)).collect::<Vec<_>>())
                })
                .collect(),
            initial: reduced.graph.initial().iter().map(|v| place(*v)).collect(),
            edges: reduced
                .graph
                .all_edges()
                .map(|(from, label, to)| {
                    let label = reduced.graph.table()[label as usize].to_owned();
                    (place(from), label, place(to))
                })
                .collect(),
        })
    }

    /// The lines that all of some states have.
    fn in_common(&self, members: &[usize]) -> String {
        let [first, others @ ..] = members else {
            return String::new();
        };
        if others.is_empty() {
            return self.states[*first].clone();
        }
        let has = |state: usize, line: &str| self.states[state].lines().any(|other| other == line);
        let mut text = format!("{} states\n", members.len());
        for line in self.states[*first].lines() {
            if others.iter().all(|other| has(*other, line)) {
                text.push_str(line);
                text.push('\n');
            }
        }
        text
    }

    /// In the Aldebaran format. Several initial states come after a silent step from a state of
    /// their own, which the format needs.
    #[must_use]
    pub fn to_aut(&self) -> String {
        let several = self.initial.len() > 1;
        let shift = usize::from(several);
        let first = if several { 0 } else { self.initial[0] };
        let extra = if several { self.initial.len() } else { 0 };
        let mut text = format!(
            "des ({first}, {}, {})\n",
            self.edges.len() + extra,
            self.states.len() + shift
        );
        if several {
            for place in &self.initial {
                let _ = writeln!(text, "(0, \"i\", {})", place + 1);
            }
        }
        for (from, label, to) in &self.edges {
            let label = if label.is_empty() { "i" } else { label };
            let label = label.replace('\\', "\\\\").replace('"', "'");
            let _ = writeln!(text, "({}, \"{label}\", {})", from + shift, to + shift);
        }
        text
    }

    /// For Graphviz.
    #[must_use]
    pub fn to_dot(&self, name: &str) -> String {
        let mut text = format!("digraph \"{}\" {{\n  node [shape=box];\n", quoted(name));
        for (index, state) in self.states.iter().enumerate() {
            let bold = if self.initial.contains(&index) {
                ", style=bold"
            } else {
                ""
            };
            let _ = writeln!(text, "  s{index} [label=\"{}\"{bold}];", quoted(state));
        }
        for (from, label, to) in &self.edges {
            let _ = writeln!(text, "  s{from} -> s{to} [label=\"{}\"];", quoted(label));
        }
        text.push_str("}\n");
        text
    }
}

/// The states found so far, in order of discovery.
#[derive(Default)]
struct Search {
    places: HashMap<State, usize>,
    found: Vec<State>,
}

impl Search {
    fn place(&mut self, state: State) -> usize {
        if let Some(&place) = self.places.get(&state) {
            return place;
        }
        self.places.insert(state.clone(), self.found.len());
        self.found.push(state);
        self.found.len() - 1
    }
}

/// A text for a Graphviz string; lines are set left.
pub(crate) fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\l")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_that_are_put_together_say_what_they_share() {
        let graph = StateGraph {
            states: ["x = 0\ny = 1\n", "x = 1\ny = 1\n", "x = 2\ny = 1\n"]
                .map(str::to_owned)
                .into(),
            initial: vec![0],
            edges: vec![
                (0, "go".to_owned(), 1),
                (1, String::new(), 2),
                (2, "stop".to_owned(), 0),
            ],
        };
        let strong = graph
            .reduced(Equivalence::Strong, 10)
            .map(|g| g.states.len());
        assert_eq!(strong, Ok(3));
        let branching = graph
            .reduced(Equivalence::Branching, 10)
            .expect("it is small");
        assert_eq!(branching.states, ["x = 0\ny = 1\n", "2 states\ny = 1\n"]);
        assert_eq!(
            branching.to_aut(),
            "des (0, 2, 2)\n(0, \"go\", 1)\n(1, \"stop\", 0)\n"
        );
    }
}

//! The graph of a program's reachable states.

use std::collections::HashMap;
use std::time::Instant;

use logic::Ctl;
use model::interp::{Interp, State, Stop};
use model::{
    Budget, ExprId, FiniteRuns, Program, Progress, Statistics, Trace, UnknownReason, Value,
    VariableKind,
};

use crate::Answer;
use crate::evidence::refute;
use crate::graph::{Graph, Set, Vertex};
use crate::satisfy::Fair;

/// All states of a program that can be reached.
pub struct Explored<'p> {
    interp: Interp<'p>,
    states: Vec<State>,
    /// The initial states, and the choices that make them.
    initial: Vec<(Vertex, Vec<Value>)>,
    graph: Graph,
    /// Whether steps have been added where nothing can happen any more.
    stutters: bool,
    statistics: Statistics,
}

/// What came of a check.
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// Whether any fair run begins in an initial state. If not, the answer says nothing.
    pub some_fair_run: bool,
    /// What was done.
    pub statistics: Statistics,
}

impl<'p> Explored<'p> {
    /// Explores a program.
    ///
    /// # Errors
    /// If it cannot be explored to its end, or has runs that end and are to be judged.
    pub fn explore(
        program: &'p Program,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Self, UnknownReason> {
        let begin = Instant::now();
        if program.finite_runs == FiniteRuns::Maximal {
            let what = "branching time where runs end";
            return Err(UnknownReason::Unsupported(what.to_owned()));
        }
        let stutters = program.finite_runs == FiniteRuns::Stutter;
        let interp = Interp::new(program).with_budget(budget);
        let mut statistics = Statistics {
            storage: "plain",
            ..Statistics::default()
        };
        // A state twice over: in the list and in the table, some forty bytes for each variable.
        let bytes = 200 + 80 * program.globals.len() as u64;
        let mut numbers: HashMap<State, Vertex> = HashMap::new();
        let mut states: Vec<State> = Vec::new();
        let mut number = |state: State, states: &mut Vec<State>| -> Vertex {
            let fresh = Vertex::try_from(states.len()).expect("memory holds fewer states");
            *numbers.entry(state).or_insert_with_key(|state| {
                states.push(state.clone());
                fresh
            })
        };
        let mut initial: Vec<(Vertex, Vec<Value>)> = Vec::new();
        for (choices, state) in interp.initial().map_err(stopped)? {
            let state = interp.stored(&state);
            initial.push((number(state, &mut states), choices));
        }
        let mut edges: Vec<(Vertex, Vertex)> = Vec::new();
        let mut at = 0;
        while at < states.len() {
            if at.is_multiple_of(64) {
                statistics.states = states.len() as u64;
                statistics.transitions = edges.len() as u64;
                statistics.memory = statistics.states * bytes + 24 * statistics.transitions;
                statistics.time = begin.elapsed();
                progress.report(&statistics, (states.len() - at) as u64);
                if let Some(reason) = budget.exhausted(statistics.memory) {
                    return Err(reason);
                }
            }
            let from = Vertex::try_from(at).expect("memory holds fewer states");
            let expansion = interp.expand(&states[at].clone()).map_err(stopped)?;
            let before = edges.len();
            for successor in expansion.successors {
                let state = interp.stored(&successor.state);
                edges.push((from, number(state, &mut states)));
            }
            if stutters && edges.len() == before {
                edges.push((from, from));
            }
            at += 1;
        }
        edges.sort_unstable();
        edges.dedup();
        statistics.states = states.len() as u64;
        statistics.transitions = edges.len() as u64;
        statistics.state_bytes = bytes;
        statistics.memory = statistics.states * bytes + 24 * statistics.transitions;
        statistics.time = begin.elapsed();
        let graph = Graph::new(&edges, classes(program, &states));
        Ok(Explored {
            interp,
            states,
            initial,
            graph,
            stutters,
            statistics,
        })
    }

    /// Whether each initial state from which there is a fair run satisfies a formula. A run is
    /// fair if it is infinite and each of `justice` holds infinitely often.
    #[must_use]
    pub fn check(&self, formula: &Ctl<ExprId>, justice: &[ExprId]) -> Outcome {
        let begin = Instant::now();
        let mut atoms: HashMap<ExprId, Set> = HashMap::new();
        for &atom in formula.atoms().into_iter().chain(justice) {
            if atoms.contains_key(&atom) {
                continue;
            }
            match self.holding(atom) {
                Ok(set) => {
                    atoms.insert(atom, set);
                }
                Err(stop) => {
                    return Outcome {
                        answer: Answer::Unknown(stopped(stop)),
                        some_fair_run: true,
                        statistics: self.statistics.clone(),
                    };
                }
            }
        }
        let atom = |id: &ExprId| atoms[id].clone();
        let justice: Vec<Set> = justice.iter().map(atom).collect();
        let fair = Fair::new(&self.graph, &justice);
        let satisfying = fair.satisfying(formula, &atom);
        let mut beginnings = self.initial.iter().map(|(vertex, _)| *vertex);
        let some_fair_run = beginnings.clone().any(|v| fair.fair.has(v));
        let bad = beginnings.find(|v| fair.fair.has(*v) && !satisfying.has(*v));
        let answer = match bad {
            None => Answer::Clear,
            Some(vertex) => {
                let run = refute(&fair, &atom, formula, vertex);
                match self.trace(&run.vertices, run.loop_start) {
                    Some(trace) => Answer::Violated(trace),
                    None => Answer::Unknown(UnknownReason::NotReplayed(
                        "the run that was found is none".to_owned(),
                    )),
                }
            }
        };
        let mut statistics = self.statistics.clone();
        statistics.time += begin.elapsed();
        Outcome {
            answer,
            some_fair_run,
            statistics,
        }
    }

    fn holding(&self, atom: ExprId) -> Result<Set, Stop> {
        let mut set = Set::none(self.states.len());
        for (vertex, state) in (0..).zip(&self.states) {
            if self.interp.holds(state, atom)? {
                set.add(vertex);
            }
        }
        Ok(set)
    }

    /// The choices that make a path.
    fn trace(&self, path: &[Vertex], loop_start: Option<usize>) -> Option<Trace> {
        let first = path.first()?;
        let (_, initial) = self.initial.iter().find(|(v, _)| v == first)?;
        let mut trace = Trace {
            initial: initial.clone(),
            steps: Vec::new(),
            loop_start,
        };
        for (at, pair) in path.windows(2).enumerate() {
            let wanted = &self.states[pair[1] as usize];
            let expansion = self.interp.expand(&self.states[pair[0] as usize]).ok()?;
            let found = expansion
                .successors
                .into_iter()
                .find(|s| self.interp.stored(&s.state) == *wanted);
            match found {
                Some(successor) => trace.steps.push(successor.step),
                // The last state repeats.
                None if self.stutters && pair[0] == pair[1] => {
                    trace.loop_start = Some(at);
                    return Some(trace);
                }
                None => return None,
            }
        }
        Some(trace)
    }
}

/// For each state which others differ from it in inputs only.
fn classes(program: &Program, states: &[State]) -> Vec<u32> {
    let inputs: Vec<usize> = (0..program.globals.len())
        .filter(|index| program.globals[*index].kind == VariableKind::Input)
        .collect();
    if inputs.is_empty() {
        return (0..).zip(states).map(|(number, _)| number).collect();
    }
    let mut known: HashMap<State, u32> = HashMap::new();
    let mut classes = Vec::new();
    for state in states {
        let mut state = state.clone();
        for &input in &inputs {
            state.globals[input] = program.zero(&program.globals[input].ty);
        }
        let fresh = u32::try_from(known.len()).expect("memory holds fewer states");
        classes.push(*known.entry(state).or_insert(fresh));
    }
    classes
}

fn stopped(stop: Stop) -> UnknownReason {
    match stop {
        Stop::Overflow => UnknownReason::Overflow,
        Stop::StepBudget => UnknownReason::StepBudget,
        Stop::Time => UnknownReason::Time,
    }
}

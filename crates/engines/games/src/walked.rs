//! The graph of a program's reachable states, made with the reference interpreter: slowly, and right
//! where that is. What makes it faster is compared with this.

use std::collections::HashMap;
use std::time::Instant;

use model::interp::{Interp, State, Stop, Violation};
use model::{
    Budget, ExprId, Graph, Label, LabelId, Program, Progress, Rows, StateSet, StateSpace,
    Statistics, UnknownReason, Vertex,
};

/// All states of a program that can be reached.
pub struct Walked {
    graph: Graph,
    states: Vec<State>,
    conditions: Vec<ExprId>,
    holding: Vec<StateSet>,
    violations: Vec<(Violation, Vertex)>,
    statistics: Statistics,
    sampled: bool,
}

/// The states found so far. A state is told from others by what is stored of it and by what is
/// asked for: step variables may have had their say in that.
struct Found {
    numbers: HashMap<(State, Box<[bool]>), Vertex>,
    states: Vec<State>,
    truths: Vec<Box<[bool]>>,
}

impl Found {
    fn number(
        &mut self,
        interp: &Interp<'_>,
        state: &State,
        conditions: &[ExprId],
    ) -> Result<Vertex, Stop> {
        let truths: Result<Box<[bool]>, Stop> = conditions
            .iter()
            .map(|condition| interp.holds(state, *condition))
            .collect();
        let key = (interp.stored(state), truths?);
        if let Some(&known) = self.numbers.get(&key) {
            return Ok(known);
        }
        let fresh = Vertex::try_from(self.states.len()).expect("memory holds fewer states");
        self.states.push(key.0.clone());
        self.truths.push(key.1.clone());
        self.numbers.insert(key, fresh);
        Ok(fresh)
    }
}

impl Walked {
    /// Explores a program; `conditions` are what will be asked of its states.
    ///
    /// # Errors
    /// If it cannot be explored to its end.
    pub fn explore(
        program: &Program,
        conditions: &[ExprId],
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Self, UnknownReason> {
        let begin = Instant::now();
        let interp = Interp::new(program).with_budget(budget).with_labels();
        let mut statistics = Statistics {
            storage: "plain",
            ..Statistics::default()
        };
        // A state twice over: in the list and in the table, some forty bytes for each variable.
        let bytes = 200 + 80 * program.globals.len() as u64;
        let mut found = Found {
            numbers: HashMap::new(),
            states: Vec::new(),
            truths: Vec::new(),
        };
        let mut initial: Vec<Vertex> = Vec::new();
        for (_, state) in interp.initial().map_err(stopped)? {
            let vertex = found.number(&interp, &state, conditions).map_err(stopped)?;
            if !initial.contains(&vertex) {
                initial.push(vertex);
            }
        }
        let mut labels: HashMap<Label, LabelId> = HashMap::new();
        let mut table: Vec<Label> = Vec::new();
        let mut rows = Rows::default();
        let mut sampled = false;
        let mut violations: Vec<(Violation, Vertex)> = Vec::new();
        while rows.len() < found.states.len() {
            let at = rows.len();
            if at.is_multiple_of(64) {
                statistics.states = found.states.len() as u64;
                statistics.transitions = rows.transitions() as u64;
                statistics.memory = statistics.states * bytes + 16 * statistics.transitions;
                statistics.time = begin.elapsed();
                progress.report(&statistics, (found.states.len() - at) as u64);
                if let Some(reason) = budget.exhausted(statistics.memory) {
                    return Err(reason);
                }
            }
            let expansion = interp.expand(&found.states[at].clone()).map_err(stopped)?;
            sampled |= expansion.sampled;
            for (violation, _) in expansion.violations {
                if violations.iter().all(|(known, _)| *known != violation) {
                    let at = Vertex::try_from(at).expect("memory holds fewer states");
                    violations.push((violation, at));
                }
            }
            for successor in expansion.successors {
                let to = found
                    .number(&interp, &successor.state, conditions)
                    .map_err(stopped)?;
                let label = *labels.entry(successor.label).or_insert_with_key(|label| {
                    table.push(label.clone());
                    LabelId::try_from(table.len() - 1).expect("fewer labels than transitions")
                });
                rows.add(label, to);
            }
            rows.end_row();
        }
        let count = found.states.len();
        let mut holding = vec![StateSet::none(count); conditions.len()];
        for (vertex, truths) in (0..).zip(&found.truths) {
            for (set, _) in holding.iter_mut().zip(truths).filter(|(_, holds)| **holds) {
                set.add(vertex);
            }
        }
        statistics.states = count as u64;
        statistics.transitions = rows.transitions() as u64;
        statistics.state_bytes = bytes;
        statistics.memory = statistics.states * bytes + 16 * statistics.transitions;
        statistics.time = begin.elapsed();
        Ok(Walked {
            graph: rows.graph(initial, table),
            states: found.states,
            conditions: conditions.to_vec(),
            holding,
            violations,
            statistics,
            sampled,
        })
    }
}

impl StateSpace for Walked {
    fn graph(&self) -> &Graph {
        &self.graph
    }

    fn state(&self, vertex: Vertex) -> State {
        self.states[vertex as usize].clone()
    }

    fn conditions(&self) -> &[ExprId] {
        &self.conditions
    }

    fn holding(&self, condition: ExprId) -> Option<&StateSet> {
        let place = self.conditions.iter().position(|c| *c == condition)?;
        Some(&self.holding[place])
    }

    fn violations(&self) -> &[(Violation, Vertex)] {
        &self.violations
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn is_sampled(&self) -> bool {
        self.sampled
    }
}

pub(crate) fn stopped(stop: Stop) -> UnknownReason {
    match stop {
        Stop::Overflow => UnknownReason::Overflow,
        Stop::StepBudget => UnknownReason::StepBudget,
        Stop::Time => UnknownReason::Time,
        Stop::TooWide => UnknownReason::Unsupported("a choice among so many values".into()),
    }
}

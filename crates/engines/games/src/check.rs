//! Formulas of branching time on one explored graph.

use std::collections::HashMap;
use std::time::Instant;

use logic::Ctl;
use logic::mu::{Explored, InstantiateError, System};
use model::interp::{Interp, State, Violation};
use model::{
    Budget, EventId, ExprId, FiniteRuns, Growth, Label, LabelId, MuFormula, Program, StateSet,
    StateSpace, Trace, UnknownReason, VariableKind, Vertex,
};

use crate::audit::audit;
use crate::evidence;
use crate::graph::Graph;
use crate::near;
use crate::satisfy::Fair;
use crate::solve::solve;
use crate::witness;
use crate::{Answer, Outcome};

/// Decides formulas on a graph.
pub struct Checker<'a> {
    pub(crate) program: &'a Program,
    pub(crate) interp: Interp<'a>,
    pub(crate) space: &'a (dyn StateSpace + Sync),
    pub(crate) graph: Graph<'a>,
}

impl<'a> Checker<'a> {
    /// A checker of formulas on the graph of a program.
    #[must_use]
    pub fn new(program: &'a Program, space: &'a (dyn StateSpace + Sync)) -> Self {
        Checker {
            program,
            interp: Interp::new(program),
            space,
            graph: Graph::new(space.graph(), program.finite_runs, classes(program, space)),
        }
    }

    /// Whether each initial state from which there is a fair run satisfies a formula. A run is
    /// fair if each of `justice` holds infinitely often in it, or if it ends where runs may end.
    #[must_use]
    pub fn ctl(&self, formula: &Ctl<ExprId>, justice: &[ExprId]) -> Outcome {
        let begin = Instant::now();
        if self.space.open().is_some() {
            let may_end = self.program.finite_runs == FiniteRuns::Maximal;
            let simple = justice.is_empty() && may_end && !self.has_inputs();
            return match near::fixpoints(formula).filter(|_| simple) {
                Some(fixpoints) => self.mu(&fixpoints, &Budget::default()),
                None => self.unknown(UnknownReason::Interrupted),
            };
        }
        let missing = |id: &&ExprId| self.space.holding(**id).is_none();
        if formula
            .atoms()
            .into_iter()
            .chain(justice)
            .any(|id| missing(&id))
        {
            return self.unknown(not_asked());
        }
        let atom = |id: &ExprId| self.holding(*id);
        let justice: Vec<StateSet> = justice.iter().map(atom).collect();
        let fair = Fair::new(&self.graph, &justice);
        let satisfying = fair.satisfying(formula, &atom);
        let initial = || self.space.graph().initial().iter().copied();
        let some_fair_run = initial().any(|v| fair.fair.has(v));
        let bad = initial().find(|v| fair.fair.has(*v) && !satisfying.has(*v));
        let answer = match bad {
            None => Answer::Clear,
            Some(vertex) => {
                let run = evidence::refute(&fair, &atom, formula, vertex);
                let steps: Vec<_> = run.vertices[1..].iter().map(|v| (None, *v)).collect();
                self.violated(run.vertices[0], &steps, run.loop_start)
            }
        };
        let mut statistics = self.space.statistics().clone();
        statistics.time += begin.elapsed();
        Outcome {
            answer,
            some_fair_run,
            sampled: self.space.is_sampled(),
            refuted_by_run: formula.linear().is_some(),
            statistics,
        }
    }

    /// Whether each initial state satisfies a formula of the mu-calculus. Where exploration has ended
    /// early, it is answered if what has been explored decides it; else the answer is *interrupted*.
    #[must_use]
    pub fn mu(&self, formula: &MuFormula, budget: &Budget) -> Outcome {
        let begin = Instant::now();
        let (answer, refuted_by_run) = match self.solved(formula, budget) {
            Ok(answer) => answer,
            Err(reason) => (Answer::Unknown(reason), false),
        };
        let mut statistics = self.space.statistics().clone();
        statistics.time += begin.elapsed();
        Outcome {
            answer,
            some_fair_run: true,
            sampled: self.space.is_sampled(),
            refuted_by_run,
            statistics,
        }
    }

    /// Whether something holds in every state.
    #[must_use]
    pub fn always(&self, invariant: ExprId) -> Outcome {
        let begin = Instant::now();
        let Some(good) = self.space.holding(invariant) else {
            return self.unknown(not_asked());
        };
        let answer = match self.nearest(&|vertex| !good.has(vertex)) {
            None => Answer::Clear,
            Some(path) => {
                let steps: Vec<_> = path[1..].iter().map(|v| (None, *v)).collect();
                self.violated(path[0], &steps, None)
            }
        };
        self.of_runs(answer, begin)
    }

    /// Whether nothing of a kind goes wrong within a macro step.
    #[must_use]
    pub fn never(&self, is_bad: &dyn Fn(Violation) -> bool) -> Outcome {
        let begin = Instant::now();
        let bad = self.space.violations().iter();
        let first = bad
            .filter(|(violation, _)| is_bad(*violation))
            .min_by_key(|(_, at)| *at);
        let answer = match first {
            None => Answer::Clear,
            Some(&(_, at)) => match self.run_into(at, is_bad) {
                Some(trace) => Answer::Violated(trace),
                None => {
                    let what = "the run that was found is none".to_owned();
                    Answer::Unknown(UnknownReason::NotReplayed(what))
                }
            },
        };
        self.of_runs(answer, begin)
    }

    /// A run to a state and into a macro step in which something goes wrong.
    fn run_into(&self, at: Vertex, is_bad: &dyn Fn(Violation) -> bool) -> Option<Trace> {
        let path = self.nearest(&|vertex| vertex == at)?;
        let steps: Vec<_> = path[1..].iter().map(|v| (None, *v)).collect();
        let mut trace = self.trace(path[0], &steps, None)?;
        let expansion = self.interp.expand(&self.space.state(at)).ok()?;
        let mut wrong = expansion.violations.into_iter();
        let (_, step) = wrong.find(|(violation, _)| is_bad(*violation))?;
        trace.steps.push(step);
        Some(trace)
    }

    /// A shortest path from an initial state.
    pub(crate) fn nearest(&self, there: &dyn Fn(Vertex) -> bool) -> Option<Vec<Vertex>> {
        let everywhere = StateSet::all(self.graph.len());
        let initial = self.space.graph().initial();
        self.graph.path(initial, &everywhere, there, 0)
    }

    /// What came of looking for a run.
    fn of_runs(&self, answer: Answer, begin: Instant) -> Outcome {
        let mut statistics = self.space.statistics().clone();
        statistics.time += begin.elapsed();
        Outcome {
            answer,
            some_fair_run: !self.space.graph().is_empty(),
            sampled: self.space.is_sampled(),
            refuted_by_run: true,
            statistics,
        }
    }

    /// Whether no list grows without bound.
    #[must_use]
    pub fn bounded(&self, growth: &Growth, budget: &Budget) -> Outcome {
        let begin = Instant::now();
        let answer = self.grows(growth, budget);
        self.of_runs(answer, begin)
    }

    /// The answer, and whether a run that it comes with refutes the formula on its own.
    fn solved(
        &self,
        formula: &MuFormula,
        budget: &Budget,
    ) -> Result<(Answer, bool), UnknownReason> {
        if formula
            .atoms()
            .into_iter()
            .any(|id| self.space.holding(*id).is_none())
        {
            return Err(not_asked());
        }
        let table: Vec<Label> = (self.space.graph().table().iter())
            .map(|label| {
                let events = &self.program.events;
                let inner = |event: EventId| events[event.index()].is_inner();
                let seen = label.iter().filter(|happening| !inner(happening.event));
                seen.cloned().collect()
            })
            .collect();
        let explored = Explored {
            initial: self.space.graph().initial(),
            steps: &|vertex, each| {
                let edges = self.graph.forward().edges(vertex);
                edges.for_each(|(label, to)| each(label, to));
            },
            is_whole: self.space.open().is_none(),
            gives_up: &|bytes| budget.exhausted(self.graph.bytes() + bytes).is_some(),
        };
        let system = System::of_graph(formula, &table, &*self.program.rich, &explored);
        let system = system.map_err(|error| match (error, budget.exhausted(0)) {
            (InstantiateError::GivenUp, Some(reason)) => reason,
            (InstantiateError::GivenUp, None) => UnknownReason::Memory,
            (error, _) => UnknownReason::Unsupported(error.to_string()),
        })?;
        let Some(open) = self.space.open() else {
            return self.decided(&system, &|id: &ExprId| self.holding(*id), budget);
        };
        let atom = |id: &Option<ExprId>| match id {
            Some(id) => self.holding(*id),
            None => open.clone(),
        };
        let values = formula.quantifies_over_what_occurs();
        if !values.universally {
            let sure = system.clone().with_open_states(false);
            let (answer, alone) = self.decided(&sure, &atom, budget)?;
            if answer == Answer::Clear {
                return Ok((answer, alone));
            }
        }
        if !values.existentially {
            let hopeful = system.with_open_states(true);
            let (answer, alone) = self.decided(&hopeful, &atom, budget)?;
            if matches!(answer, Answer::Violated(_)) {
                return Ok((answer, alone));
            }
        }
        Err(UnknownReason::Interrupted)
    }

    /// Solves a system, and has that audited.
    fn decided<A>(
        &self,
        system: &System<A>,
        atom: &dyn Fn(&A) -> StateSet,
        budget: &Budget,
    ) -> Result<(Answer, bool), UnknownReason> {
        let solution = solve(system, &self.graph, atom, budget)?;
        audit(system, &self.graph, atom, &solution).map_err(UnknownReason::NotAudited)?;
        let mut initial = self.space.graph().initial().iter();
        Ok(match initial.find(|v| !solution.holds(system.root, **v)) {
            None => (Answer::Clear, false),
            Some(&vertex) => {
                let walk = witness::refute(system, &self.graph, &solution, vertex);
                let steps: Vec<_> = walk
                    .steps
                    .iter()
                    .map(|(label, to)| (Some(*label), *to))
                    .collect();
                let answer = self.violated(walk.from, &steps, walk.loop_start);
                (answer, walk.suffices)
            }
        })
    }

    fn has_inputs(&self) -> bool {
        let mut globals = self.program.globals.iter();
        globals.any(|global| global.kind == VariableKind::Input)
    }

    fn holding(&self, condition: ExprId) -> StateSet {
        let set = self.space.holding(condition);
        set.expect("it has been looked at whether it is there")
            .clone()
    }

    fn unknown(&self, reason: UnknownReason) -> Outcome {
        Outcome {
            answer: Answer::Unknown(reason),
            some_fair_run: true,
            sampled: self.space.is_sampled(),
            refuted_by_run: false,
            statistics: self.space.statistics().clone(),
        }
    }

    pub(crate) fn violated(
        &self,
        from: Vertex,
        steps: &[(Option<LabelId>, Vertex)],
        loop_start: Option<usize>,
    ) -> Answer {
        match self.trace(from, steps, loop_start) {
            Some(trace) => Answer::Violated(trace),
            None => {
                let what = "the run that was found is none".to_owned();
                Answer::Unknown(UnknownReason::NotReplayed(what))
            }
        }
    }

    /// The choices that make a path; of labels only where they matter.
    pub(crate) fn trace(
        &self,
        from: Vertex,
        steps: &[(Option<LabelId>, Vertex)],
        loop_start: Option<usize>,
    ) -> Option<Trace> {
        let first = self.space.state(from);
        let initial = self.interp.initial().ok()?.into_iter();
        let (choices, _) = initial
            .into_iter()
            .find(|(_, state)| self.is(state, from, &first))?;
        let mut trace = Trace {
            initial: choices,
            steps: Vec::new(),
            loop_start,
        };
        // A macro step that never ends has ever longer labels, so they are told where they matter.
        let labelled = steps.iter().any(|(label, _)| label.is_some());
        let with_labels = labelled.then(|| Interp::new(self.program).with_labels());
        let interp = with_labels.as_ref().unwrap_or(&self.interp);
        let (mut at, mut state) = (from, first);
        for (number, &(label, next)) in steps.iter().enumerate() {
            let wanted = self.space.state(next);
            let expansion = interp.expand(&state).ok()?;
            let found = expansion.successors.into_iter().find(|successor| {
                let table = self.space.graph().table();
                label.is_none_or(|label| table[label as usize] == successor.label)
                    && self.is(&successor.state, next, &wanted)
            });
            match found {
                Some(successor) => trace.steps.push(successor.step),
                // The last state repeats.
                None if self.graph.repeats() && at == next => {
                    trace.loop_start = Some(number);
                    return Some(trace);
                }
                None => return None,
            }
            (at, state) = (next, wanted);
        }
        Some(trace)
    }

    /// Whether a state is that of a vertex.
    fn is(&self, state: &State, vertex: Vertex, wanted: &State) -> bool {
        // Of states that have not been expanded it is not known what holds there.
        let is_open = self.space.open().is_some_and(|open| open.has(vertex));
        self.interp.stored(state) == *wanted
            && (is_open
                || self.space.conditions().iter().all(|condition| {
                    let set = self.space.holding(*condition);
                    set.is_none_or(|set| {
                        self.interp.holds(state, *condition) == Ok(set.has(vertex))
                    })
                }))
    }
}

pub(crate) fn not_asked() -> UnknownReason {
    let what = "a formula about what was not asked for when states were explored";
    UnknownReason::Unsupported(what.to_owned())
}

/// For each state which others differ from it in inputs only; nothing if there are no inputs.
fn classes(program: &Program, space: &dyn StateSpace) -> Option<Vec<u32>> {
    let inputs: Vec<usize> = (0..program.globals.len())
        .filter(|index| program.globals[*index].kind == VariableKind::Input)
        .collect();
    if inputs.is_empty() {
        return None;
    }
    let mut known: HashMap<State, u32> = HashMap::new();
    let mut classes = Vec::new();
    for vertex in 0..Vertex::try_from(space.graph().len()).ok()? {
        let mut state = space.state(vertex);
        for &input in &inputs {
            state.globals[input] = program.zero(&program.globals[input].ty);
        }
        let fresh = u32::try_from(known.len()).ok()?;
        classes.push(*known.entry(state).or_insert(fresh));
    }
    Some(classes)
}

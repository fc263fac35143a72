//! What an exploration leaves behind, and the runs that can be told from it.

use std::cell::OnceCell;
use std::ops::ControlFlow;

use model::{Bad, Trace, UnknownReason};

use crate::Answer;
use crate::engine::Engine;
use crate::evidence::parent_bits::ParentBits;
use crate::evidence::trace::{Goal, Recovery};
use crate::search::bfs::{SafetyOutcome, Search};
use crate::search::depth_probe::DeepFailure;
use crate::search::targets::Found;
use crate::store::repacking::Repacking;
use crate::store::{StateId, Store};
use crate::successors::expander::{End, Halt, Sink};
use crate::vm::machine::Violation;

/// Runs that are tried before a run is given up of whose states too little is known.
const TRIES: u32 = 1000;

/// What an exploration leaves behind.
pub(crate) struct ExplorationResult<'a> {
    pub(crate) engine: Engine<'a>,
    /// How stored states are to be packed anew if they are not packed by types.
    pub(crate) fitted: Option<Repacking>,
    pub(crate) search: Search,
}

impl ExplorationResult<'_> {
    /// What is to be told.
    pub(crate) fn outcome(&self, bads: &[Bad]) -> SafetyOutcome {
        let recovery = OnceCell::new();
        let parent_bits = ParentBits::new(self.search.parent_bits.iter().collect());
        let recovery = || {
            let recovery = recovery.get_or_init(|| Recovery::new(&self.engine));
            recovery.as_ref().map_err(UnknownReason::clone)
        };
        let trace = |found: Found| self.trace(recovery()?, &parent_bits, found);
        let trace_deep =
            |deep: &DeepFailure| along(recovery()?, deep.states.iter().cloned(), deep.last.clone());
        let told = |run: Result<Trace, UnknownReason>| match run {
            Ok(trace) => Answer::Violated(trace),
            Err(reason) => Answer::Unknown(reason),
        };
        let answer = |(found, deep): (&Option<Found>, &Option<DeepFailure>)| match (found, deep) {
            (Some(found), _) => told(trace(*found)),
            (None, Some(deep)) => told(trace_deep(deep)),
            (None, None) => match &self.search.stop {
                None if self.search.is_done() => Answer::Unknown(UnknownReason::AnotherFailed),
                None => Answer::Clear,
                Some(reason) => Answer::Unknown(reason.clone()),
            },
        };
        let both = || self.search.found.iter().zip(&self.search.deep);
        let distinct = self.search.distinct.as_ref();
        let places = distinct.map_or(Vec::new(), |distinct| distinct.failures(bads));
        SafetyOutcome {
            answers: both().map(answer).collect(),
            deep: both()
                .map(|(found, deep)| found.is_none() && deep.is_some())
                .collect(),
            watched: self.search.watched.clone(),
            failures: places
                .into_iter()
                .filter_map(|(bad, found)| Some((bad, trace(found).ok()?)))
                .collect(),
            cut: distinct.is_some_and(|distinct| distinct.cut || self.search.stop.is_some()),
            sampled: self.search.sampled,
            statistics: self.search.statistics.clone(),
        }
    }

    /// The shortest run to something bad.
    fn trace(
        &self,
        recovery: &Recovery<'_, '_>,
        parent_bits: &ParentBits<'_>,
        found: Found,
    ) -> Result<Trace, UnknownReason> {
        let (at, last) = match found {
            Found::At(state) => (state, None),
            Found::Outcome(state, outcome) => (state, Some(Goal::Outcome(outcome))),
            Found::Violation(state, violation) => (state, Some(Goal::Violation(violation))),
        };
        let path = parent_bits.path(at);
        if !self.search.store.is_exact() {
            return self.guess(recovery, &path, last.as_ref());
        }
        along(recovery, path.into_iter().map(|id| self.state(id)), last)
    }

    /// A stored state, packed by types.
    pub(crate) fn state(&self, id: StateId) -> Vec<u64> {
        let mut stored = vec![0; self.search.store.words()];
        self.search.store.read(id, &mut stored);
        match &self.fitted {
            Some(fitted) => fitted.turned(&stored),
            None => stored,
        }
    }

    /// The run along states of which the store knows only something: tries all runs whose states
    /// may be the ones.
    fn guess(
        &self,
        recovery: &Recovery<'_, '_>,
        path: &[StateId],
        last: Option<&Goal>,
    ) -> Result<Trace, UnknownReason> {
        let store = &self.search.store;
        let mut driver = self.engine.driver().without_reduction();
        let mut collect = Collect {
            store,
            wanted: path[0],
            found: Vec::new(),
        };
        for stored in &self.engine.initial {
            collect.consider(stored);
        }
        // For each place on the path, what may be there and has not been tried.
        let mut open = vec![collect.found];
        let mut chosen: Vec<Vec<u64>> = Vec::new();
        let mut tries = 0;
        while let Some(candidates) = open.last_mut() {
            let Some(stored) = candidates.pop() else {
                open.pop();
                chosen.pop();
                continue;
            };
            chosen.truncate(open.len() - 1);
            chosen.push(stored);
            if let Some(&wanted) = path.get(chosen.len()) {
                let mut collect = Collect {
                    store,
                    wanted,
                    found: Vec::new(),
                };
                let from = chosen.last().expect("just pushed").clone();
                if let Err(Halt::Stop(reason)) = driver.expand(&from, &mut collect) {
                    return Err(reason);
                }
                open.push(collect.found);
                continue;
            }
            match along(recovery, chosen.iter().cloned(), last.cloned()) {
                Err(UnknownReason::NotReplayed(_)) if tries < TRIES => tries += 1,
                other => return other,
            }
        }
        Err(UnknownReason::NotReplayed(
            "the engine did not find its own run again".to_owned(),
        ))
    }
}

/// Collects the successors that may be a state.
struct Collect<'s> {
    store: &'s Store,
    wanted: StateId,
    found: Vec<Vec<u64>>,
}

impl Collect<'_> {
    fn consider(&mut self, stored: &[u64]) {
        if self.store.may_be(self.wanted, stored) && !self.found.iter().any(|it| it == stored) {
            self.found.push(stored.to_vec());
        }
    }
}

impl Sink for Collect<'_> {
    fn successor(&mut self, end: &End<'_>) -> ControlFlow<()> {
        self.consider(end.stored);
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: Violation, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The run along these states to something bad.
pub(crate) fn along(
    recovery: &Recovery<'_, '_>,
    mut states: impl Iterator<Item = Vec<u64>>,
    last: Option<Goal>,
) -> Result<Trace, UnknownReason> {
    let first = states.next().expect("a path begins somewhere");
    recovery.run(&first, states.map(Goal::State).chain(last))
}

//! Programs over logical structures: any number of threads and objects.
//!
//! The engine of three-valued structures finds all that can be reached. A message that none of them
//! gives is given by no configuration, once the set of structures is audited. Of one that some
//! structure may give, a run is looked for that does, with few individuals.

use std::sync::Arc;
use std::time::Instant;

use audit::{Closed, Rejected, check_structures};
use logic::Buchi;
use model::predicates::{EndlessRun, Formula, PredicateProgram, PredicateRun, Way};
use model::{
    Budget, Claim, Exploration as Search, MessageId, Program, Progress, PropertyId, UnknownReason,
    VacuousReason, Verdict,
};
use shape::{
    Exploration, Explored, Join, accepted, concretise, concretise_along, concretise_endless,
    explore, explore_with,
};

use crate::engine::Engine;
use crate::outcome::{Audited, Outcome};
use crate::portfolio::Board;
use crate::strength::{Seen, without_violation};

/// What is asked of a program over structures.
#[derive(Clone, Copy)]
enum Asked<'a> {
    /// That no configuration gives a message.
    Silent(MessageId),
    /// That no run is accepted.
    Runs(&'a Buchi<Formula>),
}

/// What an exploration says of a property, before it is audited.
enum Found {
    /// It may be violated: the action that may do so, where it is one.
    Possible(Option<usize>),
    Holds,
    /// A limit was reached.
    Stopped(UnknownReason),
}

/// Answers properties of configurations and of runs through them.
///
/// If only messages are asked for, structures are joined first: then there are fewer of them, which may
/// say as much. What they leave open is asked of structures that are kept one by one.
pub(crate) fn check_predicates(
    program: &Program,
    predicates: &PredicateProgram,
    asked: &[PropertyId],
    (budget, progress, jobs): (&Budget, &dyn Progress, usize),
    board: &Board<'_>,
) {
    let began = Instant::now();
    let open: Vec<(PropertyId, Asked<'_>)> = asked
        .iter()
        .filter_map(|&id| match &program.properties[id.index()].claim {
            Claim::Silent(message) => Some((id, Asked::Silent(*message))),
            Claim::Configurations(automaton) => Some((id, Asked::Runs(automaton))),
            _ => None,
        })
        .collect();
    let mut check = Check {
        program,
        predicates,
        budget,
        progress,
        board,
        jobs,
        began,
        explorations: Vec::new(),
        open,
        not_found: Vec::new(),
    };
    let runs = |(_, what): &(PropertyId, Asked<'_>)| matches!(what, Asked::Runs(_));
    if !check.open.iter().any(runs) {
        check.explore(Join::Partial);
    }
    if !check.open.is_empty() {
        check.explore(Join::Relational);
    }
}

/// Properties that are not answered yet.
struct Check<'a> {
    program: &'a Program,
    predicates: &'a PredicateProgram,
    budget: &'a Budget,
    progress: &'a dyn Progress,
    board: &'a Board<'a>,
    /// Threads of the engine.
    jobs: usize,
    began: Instant,
    /// How structures were looked for.
    explorations: Vec<Search>,
    open: Vec<(PropertyId, Asked<'a>)>,
    /// The messages for which a run was looked for, and none was found.
    not_found: Vec<MessageId>,
}

impl Check<'_> {
    /// Finds structures and answers what they answer; those that are kept one by one answer all.
    fn explore(&mut self, join: Join) {
        let messages = self.open.iter().filter_map(|(_, what)| match what {
            Asked::Silent(message) => Some(*message),
            Asked::Runs(_) => None,
        });
        let messages: Vec<MessageId> = messages.collect();
        let how = Exploration {
            join,
            wanted: (messages.len() == self.open.len()).then_some(&messages),
            jobs: self.jobs,
            ..Exploration::default()
        };
        let explored = match explore_with(self.predicates, how, self.budget, self.progress) {
            Ok(explored) => explored,
            Err(unsupported) => {
                for (property, _) in self.open.drain(..) {
                    let reason = UnknownReason::Unsupported(unsupported.to_string());
                    self.board
                        .put(Outcome::unknown(property, Engine::Shape, reason));
                }
                return;
            }
        };
        self.explorations.push(Search {
            how: match join {
                Join::Partial => "joined",
                Join::Relational => "apart",
            },
            states: explored.statistics.states,
            time: explored.statistics.time,
        });
        self.conclude(&explored, join);
    }

    fn conclude(&mut self, explored: &Explored, join: Join) {
        let (predicates, budget) = (self.predicates, self.budget);
        let asked = std::mem::take(&mut self.open);
        let shared_by = asked.len();
        let mut all = Vec::new();
        for (property, what) in asked {
            let mut outcome = Outcome::unknown(property, Engine::Shape, UnknownReason::Interrupted);
            let found = found(predicates, explored, what, budget, &mut outcome);
            all.push((outcome, what, found));
        }
        let holding = all
            .iter()
            .filter(|(_, _, found)| matches!(found, Found::Holds));
        let silent: Vec<MessageId> = holding
            .clone()
            .filter_map(|(_, what, _)| match what {
                Asked::Silent(message) => Some(*message),
                Asked::Runs(_) => None,
            })
            .collect();
        let closed = match (&explored.stopped, holding.count()) {
            (Some(reason), _) => Err(reason.clone()),
            (None, 0) => Err(UnknownReason::Interrupted),
            (None, _) => check_structures(predicates, &explored.structures, &silent, budget)
                .map_err(|rejected| not_audited(&rejected, budget)),
        };
        for (mut outcome, what, found) in all {
            let property = outcome.property;
            self.answer((what, found), explored, &closed, &mut outcome);
            let unknown = matches!(outcome.verdict, Verdict::Unknown { .. });
            if unknown && join == Join::Partial && budget.exhausted(0).is_none() {
                self.open.push((property, what));
                continue;
            }
            outcome.statistics = explored.statistics.clone();
            outcome.statistics.time = self.began.elapsed();
            outcome.statistics.explorations = self.explorations.clone();
            outcome.shared_by = shared_by;
            self.board.put(outcome);
        }
    }
}

/// Whether a property may be violated by what was explored, and the way that may do so.
fn found(
    predicates: &PredicateProgram,
    explored: &Explored,
    what: Asked<'_>,
    budget: &Budget,
    outcome: &mut Outcome,
) -> Found {
    match (what, &explored.stopped) {
        (Asked::Silent(message), stopped) => {
            match (explored.messages[message.index()].at, stopped) {
                (Some((_, action, _)), _) => {
                    outcome.way = explored.way(predicates, message);
                    Found::Possible(Some(action))
                }
                (None, Some(reason)) => Found::Stopped(reason.clone()),
                (None, None) if explored.complete => Found::Holds,
                (None, None) => Found::Stopped(UnknownReason::Interrupted),
            }
        }
        (Asked::Runs(_), Some(reason)) => Found::Stopped(reason.clone()),
        (Asked::Runs(automaton), None) => match accepted(predicates, explored, automaton, budget) {
            Ok(Some(way)) => {
                outcome.way = Some(way);
                Found::Possible(None)
            }
            Ok(None) => Found::Holds,
            Err(reason) => Found::Stopped(reason),
        },
    }
}

fn not_audited(rejected: &Rejected, budget: &Budget) -> UnknownReason {
    match budget.exhausted(0) {
        Some(reason) => reason,
        None => UnknownReason::NotAudited(rejected.to_string()),
    }
}

/// Ways through structures to where messages may be given, by the names of these properties; where
/// none may, the structures in which runs begin.
///
/// # Errors
/// Why the structures are not known.
pub fn ways(
    program: &Program,
    asked: &[PropertyId],
    budget: &Budget,
) -> Result<Vec<(String, Way)>, UnknownReason> {
    let Some(predicates) = &program.predicates else {
        return Ok(Vec::new());
    };
    let unsupported = |error: shape::Unsupported| UnknownReason::Unsupported(error.to_string());
    let explored = explore(predicates, budget, &model::Silent).map_err(unsupported)?;
    let found = asked.iter().filter_map(|id| {
        let property = &program.properties[id.index()];
        let Claim::Silent(message) = property.claim else {
            return None;
        };
        Some((property.name.clone(), explored.way(predicates, message)?))
    });
    let found: Vec<(String, Way)> = found.collect();
    if !found.is_empty() {
        return Ok(found);
    }
    if let Some(reason) = explored.stopped {
        return Err(reason);
    }
    let initial = predicates.initial.iter().enumerate();
    let initial = initial.map(|(number, structure)| {
        let way = Way {
            initial: Some(number),
            structures: vec![structure.clone()],
            actions: Vec::new(),
            repeats_from: None,
        };
        (format!("configuration {}", number + 1), way)
    });
    Ok(initial.collect())
}

fn unknown(reason: UnknownReason) -> Verdict {
    Verdict::Unknown {
        reason,
        possible: None,
    }
}

impl Check<'_> {
    fn answer(
        &mut self,
        (what, found): (Asked<'_>, Found),
        explored: &Explored,
        closed: &Result<Closed<'_>, UnknownReason>,
        outcome: &mut Outcome,
    ) {
        outcome.verdict = match (what, found) {
            (_, Found::Stopped(reason)) => unknown(reason),
            (Asked::Silent(message), Found::Possible(action)) => {
                self.searched((message, action), explored, outcome)
            }
            (Asked::Runs(automaton), Found::Possible(_)) => self.endless(automaton, outcome),
            (what, Found::Holds) => {
                holds(self.program, what, explored, closed, self.budget, outcome)
            }
        };
    }

    /// Looks for a run that never ends and is as it must not be.
    fn endless(&self, automaton: &Buchi<Formula>, outcome: &mut Outcome) -> Verdict {
        let predicates = self.predicates;
        let Some(trace) = concretise_endless(predicates, automaton, self.budget) else {
            if let Some(reason) = self.budget.exhausted(0) {
                return unknown(reason);
            }
            let what = "some runs through structures never satisfy it, but a structure stands for many \
                        configurations, and what may go on for ever in structures may come to an end in \
                        configurations; no run of few individuals was found that does not satisfy it";
            return unknown(UnknownReason::Abstraction(what.to_owned()));
        };
        match EndlessRun::replay(predicates, &trace, automaton) {
            Ok(_) => {
                outcome.way = None;
                Verdict::Fails {
                    trace: Arc::new(trace),
                }
            }
            Err(error) => unknown(UnknownReason::NotReplayed(error.to_string())),
        }
    }

    /// Looks for a run that gives a message, unless that has been done.
    fn searched(
        &mut self,
        (message, action): (MessageId, Option<usize>),
        explored: &Explored,
        outcome: &mut Outcome,
    ) -> Verdict {
        let predicates = self.predicates;
        let run = match self.not_found.contains(&message) {
            true => None,
            false => {
                // The way through structures may be one of configurations, too.
                let actions = outcome.way.as_ref().map(|way| way.actions.as_slice());
                let along = actions.and_then(|actions| {
                    concretise_along(predicates, message, actions, self.budget)
                });
                along.or_else(|| concretise(predicates, message, self.budget))
            }
        };
        let replayed = run.map(|trace| {
            let replayed = PredicateRun::replay(predicates, &trace, message);
            replayed.map(|_| trace)
        });
        match replayed {
            Some(Ok(trace)) => {
                outcome.way = None;
                Verdict::Fails {
                    trace: Arc::new(trace),
                }
            }
            Some(Err(error)) => unknown(UnknownReason::NotReplayed(error.to_string())),
            None => {
                let stopped = explored.stopped.clone();
                match stopped.or_else(|| self.budget.exhausted(0)) {
                    Some(reason) => unknown(reason),
                    None => {
                        self.not_found.push(message);
                        unknown(UnknownReason::Abstraction(no_run(predicates, action)))
                    }
                }
            }
        }
    }
}

/// That a message may be given, and no run was found that gives it.
fn no_run(predicates: &PredicateProgram, action: Option<usize>) -> String {
    let name = action.map_or("an action", |action| {
        predicates.actions[action].name.as_str()
    });
    let mut what = format!(
        "`{name}` may give the message in a structure that stands for many configurations, \
         but no run of few individuals was found that does"
    );
    if !predicates.approximate.is_empty() {
        what.push_str(" whatever the analysis does not follow");
    }
    what
}

/// What no structure violates, if the audit agrees.
fn holds(
    program: &Program,
    what: Asked<'_>,
    explored: &Explored,
    closed: &Result<Closed<'_>, UnknownReason>,
    budget: &Budget,
    outcome: &mut Outcome,
) -> Verdict {
    let closed = match closed {
        Ok(closed) => closed,
        Err(reason) => return unknown(reason.clone()),
    };
    let count = explored.structures.len();
    let all = "structures, from which no action leads to what none of them stands for";
    let mut facts = vec![format!("{count} {all}")];
    match what {
        // The engine and the audit each find that no action that gives it ever happens. Of structures that are
        // joined or blurred both may find that one does though none does: then it just holds.
        Asked::Silent(message)
            if !explored.messages[message.index()].possible && !closed.may_give(message) =>
        {
            return Verdict::Vacuous {
                reason: VacuousReason::NeverTriggered,
            };
        }
        Asked::Silent(_) => {}
        Asked::Runs(automaton) => {
            if let Err(rejected) = closed.check_runs(automaton, budget) {
                return unknown(not_audited(&rejected, budget));
            }
            facts.push("no cycle of them is what the property forbids for ever".to_owned());
        }
    }
    outcome.audited = Audited::Yes;
    outcome.facts = facts;
    without_violation(program, outcome.property, Seen::EVERYTHING)
}

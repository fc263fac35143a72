//! Programs over logical structures: any number of threads and objects.
//!
//! The engine of three-valued structures finds all that can be reached. A message that none of them
//! gives is given by no configuration, once the set of structures is audited. Of one that some
//! structure may give, a run is looked for that does, with few individuals.

use std::time::Instant;

use audit::check_structures;
use model::predicates::{PredicateProgram, PredicateRun, Way};
use model::{
    Budget, Claim, MessageId, Program, Progress, PropertyId, UnknownReason, VacuousReason, Verdict,
};
use shape::{Explored, concretise, explore};

use crate::engine::Engine;
use crate::outcome::{Audited, Outcome};
use crate::portfolio::Board;
use crate::strength::{Seen, without_violation};

/// Answers which messages no configuration gives.
pub(crate) fn check_predicates(
    program: &Program,
    predicates: &PredicateProgram,
    asked: &[PropertyId],
    (budget, progress): (&Budget, &dyn Progress),
    board: &Board<'_>,
) {
    let began = Instant::now();
    let asked: Vec<(PropertyId, MessageId)> = asked
        .iter()
        .filter_map(|&id| match program.properties[id.index()].claim {
            Claim::Silent(message) => Some((id, message)),
            _ => None,
        })
        .collect();
    let explored = match explore(predicates, budget, progress) {
        Ok(explored) => explored,
        Err(unsupported) => {
            for (property, _) in asked {
                let reason = UnknownReason::Unsupported(unsupported.to_string());
                board.put(Outcome::unknown(property, Engine::Shape, reason));
            }
            return;
        }
    };
    let audited = audited(predicates, &explored, &asked, budget);
    for &(property, message) in &asked {
        let mut outcome = Outcome::unknown(property, Engine::Shape, UnknownReason::Interrupted);
        answer(
            program,
            predicates,
            (property, message),
            &explored,
            &audited,
            budget,
            &mut outcome,
        );
        outcome.statistics = explored.statistics.clone();
        outcome.statistics.time = began.elapsed();
        outcome.shared_by = asked.len();
        board.put(outcome);
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

/// Whether the structures found are all, and silent where that is said.
fn audited(
    predicates: &PredicateProgram,
    explored: &Explored,
    asked: &[(PropertyId, MessageId)],
    budget: &Budget,
) -> Result<(), UnknownReason> {
    if let Some(reason) = &explored.stopped {
        return Err(reason.clone());
    }
    let silent = |message: &MessageId| explored.messages[message.index()].at.is_none();
    let silent: Vec<MessageId> = asked
        .iter()
        .map(|(_, message)| *message)
        .filter(silent)
        .collect();
    if silent.is_empty() {
        return Ok(());
    }
    let checked = check_structures(predicates, &explored.structures, &silent, budget);
    checked.map_err(|rejected| match budget.exhausted(0) {
        Some(reason) => reason,
        None => UnknownReason::NotAudited(rejected.to_string()),
    })
}

fn answer(
    program: &Program,
    predicates: &PredicateProgram,
    (property, message): (PropertyId, MessageId),
    explored: &Explored,
    audited: &Result<(), UnknownReason>,
    budget: &Budget,
    outcome: &mut Outcome,
) {
    let found = &explored.messages[message.index()];
    outcome.verdict = match (&found.at, audited) {
        (Some((_, action, _)), _) => {
            let run = concretise(predicates, message, budget);
            let replayed = run.map(|trace| {
                let replayed = PredicateRun::replay(predicates, &trace, message);
                replayed.map(|_| trace)
            });
            match replayed {
                Some(Ok(trace)) => Verdict::Fails {
                    trace: Box::new(trace),
                },
                Some(Err(error)) => unknown(UnknownReason::NotReplayed(error.to_string())),
                None if explored.stopped.is_some() => {
                    unknown(explored.stopped.clone().unwrap_or(UnknownReason::Time))
                }
                None => {
                    let name = &predicates.actions[*action].name;
                    let what = format!(
                        "`{name}` may give the message in a structure that stands for many \
                         configurations, but no run of few individuals was found that does"
                    );
                    outcome.way = explored.way(predicates, message);
                    unknown(UnknownReason::Abstraction(what))
                }
            }
        }
        (None, Err(reason)) => unknown(reason.clone()),
        (None, Ok(())) if !found.possible => Verdict::Vacuous {
            reason: VacuousReason::NeverTriggered,
        },
        (None, Ok(())) => {
            outcome.audited = Audited::Yes;
            let count = explored.structures.len();
            let what = "structures, from which no action leads to what none of them stands for";
            outcome.facts = vec![format!("{count} {what}")];
            without_violation(program, property, Seen::EVERYTHING)
        }
    };
}

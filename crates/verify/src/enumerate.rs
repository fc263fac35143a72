//! Answers by looking at states one by one: along runs, and on the graph of all of them. What shares
//! a search is one piece of work; each piece has its turn.

use std::sync::Arc;
use std::time::{Duration, Instant};

use explicit::CheckpointFile;
use model::{Budget, Composition, Program, Progress, PropertyId, UnknownReason, Verdict};
use passes::{Reduced, Selection, Selective, pipeline, sizes};

use crate::branching::{check_near, check_trees};
use crate::check::verify_group;
use crate::checkpoint_sections::Sections;
use crate::confirm::confirm;
use crate::engine::Engine;
use crate::group::{Group, are_many, group, group_unseen};
use crate::options::{Options, Storage};
use crate::outcome::{Outcome, PassSizes};
use crate::portfolio::Board;
use crate::proof::is_shortage;
use crate::shared_graph::joined;
use crate::stack::Stack;
use crate::time_slices::{Left, TimeSlice, in_time_slices};

/// Something that is worked on in one go.
enum Piece {
    Search(Search),
    /// Properties that are looked at on the graph of all states, and the time that earlier turns
    /// took.
    Graph(Vec<PropertyId>, Duration),
}

/// Properties that share a search.
struct Search {
    properties: Vec<PropertyId>,
    /// The program reduced for them, if that has been done: it is as large as the program is.
    reduced: Option<Box<Reduced>>,
    /// The time that earlier turns took.
    spent: Duration,
}

impl Search {
    fn new((properties, reduced): Group) -> Self {
        Search {
            properties,
            reduced: Some(Box::new(reduced)),
            spent: Duration::ZERO,
        }
    }

    /// One for which the program is reduced when its turn has come.
    fn unseen(properties: Vec<PropertyId>) -> Self {
        Search {
            properties,
            reduced: None,
            spent: Duration::ZERO,
        }
    }

    /// Whether its properties have not had searches of their own: for one alone much more may be
    /// left out (of a search for deadlocks, almost everything).
    fn has_parts(&self) -> bool {
        self.properties.len() > 1 && self.spent == Duration::ZERO
    }
}

/// Answers properties along runs and on the graph.
pub(crate) fn enumerate(
    program: &Program,
    (paths, trees): (&[PropertyId], &[PropertyId]),
    options: &Options,
    (budget, progress, file): (&Budget, &dyn Progress, Option<&Sections<'_>>),
    board: &Board<'_>,
) {
    let is_synchronous = matches!(program.composition, Composition::Synchronous(_));
    // An explicit engine for processes: a program whose variables all move at once is made one.
    let selective = selective(program, paths, options, budget);
    // What passes over what is at rest does so for properties of runs: formulas of branching time may speak of more.
    let one_process = match selective {
        Some(_) if trees.is_empty() => None,
        _ => passes::sequential(program),
    };
    let branching = one_process.as_ref().unwrap_or(program);
    let explained = selective.as_ref().map(|selective| {
        let (before, after) = (sizes(program), sizes(&selective.program));
        PassSizes::new("selective", before, after)
    });
    let put = |mut outcome: Outcome| {
        if !outcome.passes.is_empty() {
            outcome.passes.splice(0..0, explained.clone());
        }
        if is_synchronous && matches!(outcome.verdict, Verdict::Fails { .. }) {
            told(program, selective.as_ref(), &mut outcome, budget);
        }
        board.put(outcome);
    };
    let explored = selective.as_ref().map(|selective| &selective.program);
    let explored = explored.unwrap_or(branching);
    let special = file.is_some() || options.all_errors || options.storage != Storage::Auto;
    let near = options.on_the_fly && !is_synchronous;
    let left = match near {
        true => {
            let put = |outcome| board.put(outcome);
            check_near(
                program,
                branching,
                trees,
                &options.explicit(),
                (budget, progress),
                &put,
            )
        }
        false => trees.to_vec(),
    };
    let trees = left.as_slice();
    let on_the_graph = if is_synchronous || special || near {
        Vec::new()
    } else {
        joined(program, paths, trees, &options.passes)
    };
    let others = paths.iter().filter(|id| !on_the_graph.contains(id));
    let others: Vec<PropertyId> = others.copied().collect();
    let grouped = |properties: &[PropertyId]| -> Vec<Search> {
        // A search that is gone on with is read even if there is no time for more of it.
        let unlimited = Budget::default();
        let patience = if file.is_some() { &unlimited } else { budget };
        let (groups, left) = group(explored, properties, &options.passes, patience);
        for (property, reason) in left {
            put(Outcome::unknown(property, options.enumerating(), reason));
        }
        groups.into_iter().map(Search::new).collect()
    };
    let searches: Vec<Search> = match file.is_none() && are_many(explored, &others) {
        true => {
            let groups = group_unseen(explored, &others).into_iter();
            groups.map(Search::unseen).collect()
        }
        false => grouped(&others),
    };
    let mut pieces: Vec<Piece> = searches.into_iter().map(Piece::Search).collect();
    if !trees.is_empty() {
        let all = trees.iter().chain(&on_the_graph).copied().collect();
        pieces.push(Piece::Graph(all, Duration::ZERO));
    }
    let threads = if file.is_some() { 1 } else { options.jobs };
    let threads = threads.min(pieces.len()).max(1);
    let shared = Budget {
        // Pieces that are worked on side by side share the memory.
        memory: budget.memory.map(|bytes| bytes / threads as u64),
        ..budget.clone()
    };
    let step = |piece: Piece, turn: &TimeSlice<'_>| -> Left<Piece> {
        let began = Instant::now();
        match piece {
            Piece::Search(search) => {
                let has_parts = file.is_none() && search.has_parts();
                let Search {
                    mut properties,
                    reduced,
                    spent,
                } = search;
                let section = file.map(|file| {
                    let section = file.for_properties(explored, &properties);
                    match budget.exhausted(0) {
                        // It says how far it had come, and gets no further.
                        Some(_) => section.only_read(),
                        None => section,
                    }
                });
                if file.is_none() {
                    properties.retain(|&property| !board.is_settled(property));
                }
                if properties.is_empty() {
                    return Left::nothing();
                }
                let mine = board.budget_for(&properties, turn.budget);
                let search = || {
                    let file = section
                        .as_ref()
                        .map(|section| section as &dyn CheckpointFile);
                    let means = (&mine, progress, file);
                    let reduced = match &reduced {
                        Some(reduced) => (**reduced).clone(),
                        None => pipeline(explored, &properties, &options.passes),
                    };
                    verify_group(explored, &properties, reduced, options, means)
                };
                let outcomes = match file {
                    Some(_) => Ok(search()),
                    None => mine.within(search),
                };
                let is_cut = match &outcomes {
                    Ok(outcomes) => outcomes.iter().any(is_short),
                    Err(_) => true,
                };
                let (outcomes, apart) = parted(outcomes, options.first_failure);
                let open = put_all(
                    &properties,
                    options.enumerating(),
                    outcomes,
                    (turn, spent),
                    &put,
                );
                let spent = spent + began.elapsed();
                if let Some(section) = section.as_ref().filter(|_| !is_cut) {
                    section.finish();
                }
                if !apart.is_empty() {
                    // What was found is told; a search for the others begins anew.
                    let searches = grouped(&apart).into_iter();
                    return Left::again(searches.map(Piece::Search).collect());
                }
                if open.is_empty() {
                    return Left::nothing();
                }
                let parts = open.iter().filter(|_| has_parts);
                let parts = parts.map(|&property| Search::unseen(vec![property]));
                let parts = parts.map(Piece::Search).collect();
                // What is saved is about all of them.
                let properties = if file.is_some() { properties } else { open };
                let again = vec![Piece::Search(Search {
                    properties,
                    reduced,
                    spent,
                })];
                Left { parts, again }
            }
            Piece::Graph(mut properties, spent) => {
                properties.retain(|&property| !board.is_settled(property));
                if properties.is_empty() {
                    return Left::nothing();
                }
                let mut mine = board.budget_for(&properties, turn.budget);
                if let Some(deadline) = mine.deadline.filter(|_| !on_the_graph.is_empty()) {
                    // A search on its own may get further: some time is left for it.
                    let left = deadline.saturating_duration_since(Instant::now());
                    mine.deadline = Some(deadline - left / 4);
                }
                let outcomes = mine.within(|| {
                    let means = (&mine, progress);
                    check_trees(
                        program,
                        branching,
                        &properties,
                        &options.explicit(),
                        means,
                        &|found| {
                            if !matches!(found.verdict, Verdict::Unknown { .. }) {
                                board.put(found.clone());
                            }
                        },
                    )
                });
                let (own, joined): (Vec<_>, Vec<_>) = match outcomes {
                    Ok(outcomes) => outcomes
                        .into_iter()
                        .partition(|found| !on_the_graph.contains(&found.property)),
                    Err(reason) => properties
                        .iter()
                        .map(|&id| Outcome::unknown(id, Engine::Games, reason.clone()))
                        .partition(|found| !on_the_graph.contains(&found.property)),
                };
                let of = |outcomes: &[Outcome]| -> Vec<PropertyId> {
                    outcomes.iter().map(|outcome| outcome.property).collect()
                };
                let open = put_all(
                    &of(&own),
                    Engine::Games,
                    Ok(own),
                    (turn, spent),
                    &|outcome| {
                        board.put(outcome);
                    },
                );
                let spent = spent + began.elapsed();
                // What would do as well in a search of its own is not asked on the graph again.
                let mut alone = Vec::new();
                for outcome in joined {
                    let unfinished = match &outcome.verdict {
                        Verdict::Unknown { reason, .. } => !matches!(
                            reason,
                            UnknownReason::Sampled
                                | UnknownReason::LeftOut(_)
                                | UnknownReason::Interrupted
                        ),
                        _ => false,
                    };
                    if unfinished {
                        alone.push(outcome.property);
                    } else {
                        board.put(outcome);
                    }
                }
                alone.sort_unstable();
                let searches = grouped(&alone).into_iter();
                let mut again: Vec<Piece> = searches.map(Piece::Search).collect();
                if !open.is_empty() {
                    again.push(Piece::Graph(open, spent));
                }
                Left::again(again)
            }
        }
    };
    let limits = (threads, &shared, Stack::of(program));
    let has_parts = |piece: &Piece| match piece {
        Piece::Search(search) => file.is_none() && search.has_parts(),
        Piece::Graph(..) => false,
    };
    in_time_slices(pieces, limits, &has_parts, &step);
}

/// A program whose variables all move at once, as one that passes over those that rest, if that pays and there is
/// time to find them.
fn selective(
    program: &Program,
    properties: &[PropertyId],
    options: &Options,
    budget: &Budget,
) -> Option<Selective> {
    let technique = explicit::Technique::SelectiveTrace;
    let least = options.tuning.explicit.number(technique);
    if least == 0 || options.all_errors || options.passes == Selection::none() {
        return None;
    }
    let least = usize::try_from(least).ok()?;
    let made = budget.within(|| passes::selective(program, properties, least));
    made.ok().flatten()
}

/// Tells a run of one process as one of the program whose variables all move at once, and confirms it there.
fn told(program: &Program, selective: Option<&Selective>, outcome: &mut Outcome, budget: &Budget) {
    let telling = budget.within(|| {
        let mut outcome = outcome.clone();
        if let Some(selective) = selective {
            of_all_that_moves(selective, program, &mut outcome);
        }
        again_on(program, &mut outcome);
        outcome
    });
    match telling {
        Ok(told) => *outcome = told,
        Err(reason) => {
            outcome.replay = None;
            outcome.verdict = Verdict::Unknown {
                reason,
                possible: None,
            };
        }
    }
}

/// Tells a run of the program that passes over what rests as one of all that moves.
fn of_all_that_moves(selective: &Selective, program: &Program, outcome: &mut Outcome) {
    let Verdict::Fails { trace } = &outcome.verdict else {
        return;
    };
    outcome.replay = None;
    outcome.verdict = match selective.run_of(program, trace) {
        Some(trace) => Verdict::Fails {
            trace: Arc::new(trace),
        },
        None => Verdict::Unknown {
            reason: UnknownReason::NotReplayed("the run has no like where all moves".to_owned()),
            possible: None,
        },
    };
}

/// The outcomes of a search, and those of its properties that it left since another one failed, and it was not to
/// wait for them.
fn parted(
    outcomes: Result<Vec<Outcome>, UnknownReason>,
    first_failure: bool,
) -> (Result<Vec<Outcome>, UnknownReason>, Vec<PropertyId>) {
    let Some(mut all) = outcomes.as_ref().ok().cloned().filter(|_| !first_failure) else {
        return (outcomes, Vec::new());
    };
    let mut left = Vec::new();
    for outcome in &mut all {
        if let Verdict::Unknown { reason, .. } = &mut outcome.verdict
            && *reason == UnknownReason::AnotherFailed
        {
            // That is what there is to say if there is no time for another search.
            *reason = UnknownReason::Time;
            left.push(outcome.property);
        }
    }
    (Ok(all), left)
}

/// Puts down what was found out; the properties for which the turn was too short.
fn put_all(
    properties: &[PropertyId],
    engine: Engine,
    outcomes: Result<Vec<Outcome>, UnknownReason>,
    (turn, spent): (&TimeSlice<'_>, Duration),
    put: &dyn Fn(Outcome),
) -> Vec<PropertyId> {
    let outcomes = outcomes.unwrap_or_else(|reason| {
        let unknown = |&property| Outcome::unknown(property, engine, reason.clone());
        properties.iter().map(unknown).collect()
    });
    let mut open = Vec::new();
    for mut outcome in outcomes {
        outcome.statistics.time += spent;
        let is_cut_short = matches!(
            outcome.verdict,
            Verdict::Unknown {
                reason: UnknownReason::Time,
                ..
            }
        );
        if is_cut_short && !turn.is_last {
            open.push(outcome.property);
        }
        put(outcome);
    }
    open
}

/// Whether more time or memory might give an answer.
fn is_short(outcome: &Outcome) -> bool {
    match &outcome.verdict {
        Verdict::Unknown { reason, .. } => is_shortage(reason),
        _ => false,
    }
}

/// Confirms a counterexample on the program that was asked about.
pub(crate) fn again_on(program: &Program, outcome: &mut Outcome) {
    let Verdict::Fails { trace } = &outcome.verdict else {
        return;
    };
    let focused = passes::focus(program, &[outcome.property]);
    match confirm(&focused, outcome.property, trace) {
        Ok(replay) => outcome.replay = Some(replay),
        Err(error) => {
            outcome.verdict = Verdict::Unknown {
                reason: UnknownReason::NotReplayed(error.to_string()),
                possible: None,
            };
            outcome.replay = None;
        }
    }
}

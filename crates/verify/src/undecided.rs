//! Failures that depend on values which may not be able to occur.
//!
//! The result of an operation on a text that is not known exactly may be anything
//! ([`Outside::exact`](model::Outside::exact) is false). A *holds* covers every result. A run that
//! goes on, or fails, only for some of these values may not exist, so it is not a counterexample.
//! There may be another that does so for all. It is searched for in the program without the runs
//! that depend on such a value ([`definite`](crate::definite)), or that choose one where that is
//! not followed: that program has fewer runs, and its failures are failures of the whole.
//!
//! So it is for what is said of all runs. A formula of branching time that also says what some runs do
//! fails for runs that are missing, and may fail in the program that has fewer of them only: it is not asked
//! again there. Nor does one run always show all that its failure rests on.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use logic::{Ctl, Quantifier};
use model::interp::{Occurrence, Replay};
use model::{
    Choice, Claim, OutsideId, Program, Progress, PropertyId, Stmt, UnknownReason, ValueSet, Verdict,
};

use crate::confirm::confirm;
use crate::definite::definite_runs;
use crate::options::Options;
use crate::outcome::Outcome;

/// Asks again for the properties whose failure rests on undecided values, with `check`; those for
/// which no other failure is found are *not known*.
pub(crate) fn settle(
    program: &Program,
    options: &Options,
    began: Instant,
    outcomes: &mut [Outcome],
    check: &dyn Fn(&Program, &Options, &dyn Progress) -> Vec<Outcome>,
    progress: &dyn Progress,
) {
    let mut open: Vec<(usize, BTreeSet<OutsideId>)> = Vec::new();
    for (at, outcome) in outcomes.iter().enumerate() {
        if matches!(outcome.verdict, Verdict::Fails { .. })
            && let Some(replay) = &outcome.replay
        {
            let rests_on = undecided(program, outcome.property, replay);
            if !rests_on.is_empty() && !is_definite(program, outcome) {
                open.push((at, rests_on));
            }
        }
    }
    if open.is_empty() {
        return;
    }
    // A program without the runs that choose values on which a property does not rest has too few runs for it.
    let definite = definite_runs(program, true);
    let mut groups: BTreeMap<BTreeSet<OutsideId>, Vec<(usize, BTreeSet<OutsideId>)>> =
        BTreeMap::new();
    for (at, rests_on) in open {
        let values = match definite {
            Some(_) => BTreeSet::new(),
            None => may_rest_on(program, outcomes[at].property),
        };
        groups.entry(values).or_default().push((at, rests_on));
    }
    for (values, open) in groups {
        let asked = open
            .iter()
            .map(|(at, _)| &program.properties[outcomes[*at].property.index()]);
        let asked = asked.filter(|property| match &property.claim {
            Claim::Ctl(formula) => !formula.says_of(Quantifier::Some),
            _ => true,
        });
        let names: Vec<String> = asked.map(|property| property.name.clone()).collect();
        let none = names.is_empty();
        let again = Options {
            only: Some(names),
            timeout: options
                .timeout
                .map(|timeout| timeout.saturating_sub(began.elapsed())),
            ..options.clone()
        };
        let found = match &definite {
            _ if none => Vec::new(),
            Some(definite) => check(definite, &again, progress),
            None => check(&decided_runs(program, &values), &again, progress),
        };
        for (at, rests_on) in open {
            let outcome = &mut outcomes[at];
            let other = found
                .iter()
                .find(|other| other.property == outcome.property);
            if let Some(other) = other
                && let Verdict::Fails { trace } = &other.verdict
                && let Ok(replay) = confirm(program, outcome.property, trace)
            {
                *outcome = Outcome {
                    replay: Some(replay),
                    ..other.clone()
                };
                continue;
            }
            leave_open(outcome, rests_on);
        }
    }
}

/// What is known while a failure is not settled that rests on undecided values; nothing if none do.
pub(crate) fn unsettled(program: &Program, outcome: &Outcome) -> Option<Outcome> {
    if !matches!(outcome.verdict, Verdict::Fails { .. }) {
        return None;
    }
    let rests_on = undecided(program, outcome.property, outcome.replay.as_ref()?);
    if rests_on.is_empty() || is_definite(program, outcome) {
        return None;
    }
    let mut outcome = outcome.clone();
    leave_open(&mut outcome, rests_on);
    Some(outcome)
}

/// Makes a failure a possible one.
fn leave_open(outcome: &mut Outcome, rests_on: BTreeSet<OutsideId>) {
    let verdict = std::mem::replace(
        &mut outcome.verdict,
        Verdict::Unknown {
            reason: UnknownReason::Undecided(rests_on.into_iter().collect()),
            possible: None,
        },
    );
    if let (Verdict::Fails { trace }, Verdict::Unknown { possible, .. }) =
        (verdict, &mut outcome.verdict)
    {
        *possible = Some(trace);
    }
}

/// Whether the run of a failure is one whatever the undecided values on its way are.
fn is_definite(program: &Program, outcome: &Outcome) -> bool {
    match (&outcome.verdict, definite_runs(program, false)) {
        (Verdict::Fails { trace }, Some(definite)) => {
            confirm(&definite, outcome.property, trace).is_ok()
        }
        _ => false,
    }
}

/// The undecided values that a failure rests on: those that its run chooses. Where the run does not show
/// all of it, and chooses none, any of them.
fn undecided(program: &Program, property: PropertyId, replay: &Replay) -> BTreeSet<OutsideId> {
    let all = may_rest_on(program, property);
    let chosen = chosen(replay).filter(|value| all.contains(value));
    let chosen: BTreeSet<OutsideId> = chosen.collect();
    if !chosen.is_empty() || shows_all(&program.properties[property.index()].claim) {
        return chosen;
    }
    all
}

/// The undecided values that can make a difference to whether a property holds.
fn may_rest_on(program: &Program, property: PropertyId) -> BTreeSet<OutsideId> {
    let known = program.may_rest_on.get(&property);
    let all = (0..program.outside.len()).map(OutsideId::new);
    all.filter(|id| program.is_undecided(Some(*id)))
        .filter(|id| known.is_none_or(|known| known.contains(id)))
        .collect()
}

/// Whether one run shows all that a failure rests on, but for what no run does: that no run of the program does
/// it covers undecided values.
fn shows_all(claim: &Claim) -> bool {
    match claim {
        Claim::Ctl(Ctl::Always(Quantifier::All, formula)) if !formula.says_of(Quantifier::All) => {
            true
        }
        Claim::Ctl(formula) => formula.linear().is_some(),
        _ => true,
    }
}

/// The values from outside that a run chooses.
fn chosen(replay: &Replay) -> impl Iterator<Item = OutsideId> {
    let occurrences = replay.steps.iter().flat_map(|step| &step.occurrences);
    occurrences.filter_map(|occurrence| match occurrence {
        Occurrence::Chosen { outside, .. } => Some(*outside),
        _ => None,
    })
}

/// The program without the runs that choose one of these values. Steps and choices keep their
/// numbers, so its runs are runs of the whole.
fn decided_runs(program: &Program, values: &BTreeSet<OutsideId>) -> Program {
    let mut decided = program.clone();
    let never = decided.exprs.bool(false);
    let is_undecided = |choice: &Choice| choice.outside.is_some_and(|id| values.contains(&id));
    for process in &mut decided.processes {
        for step in &mut process.steps {
            if step.binds.iter().any(is_undecided) {
                step.guard = Some(never);
            }
            cut(&mut step.body, never, &is_undecided);
        }
    }
    for observer in &mut decided.observers {
        cut(&mut observer.body, never, &is_undecided);
    }
    decided
}

/// Puts an assumption that never holds behind each undecided choice.
fn cut(body: &mut Vec<Stmt>, never: model::ExprId, is_undecided: &dyn Fn(&Choice) -> bool) {
    let mut at = 0;
    while at < body.len() {
        match &mut body[at] {
            Stmt::Choose(choice) if is_undecided(choice) => {
                // One value is enough where none will do.
                if let Some(first) = choice.sample.as_ref().and_then(|sample| sample.first()) {
                    choice.set = ValueSet::One(*first);
                    choice.sample = None;
                }
                body.insert(at + 1, Stmt::Assume(never));
                at += 1;
            }
            Stmt::If(_, then, otherwise) => {
                cut(then, never, is_undecided);
                cut(otherwise, never, is_undecided);
            }
            _ => {}
        }
        at += 1;
    }
}

//! Verification with a cluster: every process does the same, and searches for states together with the
//! others ([`explicit::explore_together`]).
//!
//! All have to ask for the same searches in the same order, so what is done next must not depend on who is
//! faster: properties are looked at one after the other by the explicit engine alone, nothing has a turn
//! of its own, and time is looked at only within searches, where all stop together. What cannot be searched so
//! is refused.

use std::time::Instant;

use model::{Budget, Claim, Program, Progress, PropertyId, UnknownReason};

use crate::alternatives::with_alternatives;
use crate::check::{selected, verify_group, with_room};
use crate::engine::Engine;
use crate::enumerate::again_on;
use crate::group::group;
use crate::options::Options;
use crate::outcome::Outcome;
use crate::portfolio::Told;
use crate::undecided;

/// Verifies the properties that the options select, together with the other processes of
/// [their cluster](Options::cluster), which all do the same. What has been found out is told when all of it is
/// known.
#[must_use]
pub fn check_together(
    program: &Program,
    options: &Options,
    progress: &dyn Progress,
    told: &(dyn Fn(&Outcome) + Sync),
) -> Vec<Outcome> {
    let verify = |program: &Program, options: &Options, told: Told<'_>| {
        decided(program, options, progress, told)
    };
    with_room(program, || {
        with_alternatives(program, options, told, (&verify, &verify))
    })
}

/// The same, with failures that rest on undecided values looked at again.
fn decided(
    program: &Program,
    options: &Options,
    progress: &dyn Progress,
    told: Told<'_>,
) -> Vec<Outcome> {
    let began = Instant::now();
    let options = Options {
        engine: Some(Engine::Explicit),
        ..options.clone()
    };
    let mut outcomes = all(program, &options, progress);
    let again = |program: &Program, options: &Options, progress: &dyn Progress| {
        all(program, options, progress)
    };
    undecided::settle(program, &options, began, &mut outcomes, &again, progress);
    outcomes.iter().for_each(told);
    outcomes
}

fn all(program: &Program, options: &Options, progress: &dyn Progress) -> Vec<Outcome> {
    let budget = Budget {
        deadline: options.timeout.map(|timeout| Instant::now() + timeout),
        memory: options.memory,
        stop: options.stop.clone(),
        ..Budget::default()
    };
    let mut outcomes = Vec::new();
    let mut asked = Vec::new();
    for property in selected(program, options) {
        match refused(program, property) {
            Some(what) => {
                let reason = UnknownReason::Option(what.to_owned());
                outcomes.push(Outcome::unknown(property, Engine::Explicit, reason));
            }
            None => asked.push(property),
        }
    }
    let one_process = passes::sequential(program);
    let explored = one_process.as_ref().unwrap_or(program);
    let unlimited = Budget::default();
    let (groups, left) = group(explored, &asked, &options.passes, &unlimited);
    for (property, reason) in left {
        outcomes.push(Outcome::unknown(property, Engine::Explicit, reason));
    }
    for (properties, reduced) in groups {
        let means = (&budget, progress, None);
        for mut outcome in verify_group(explored, &properties, reduced, options, means) {
            if one_process.is_some() {
                again_on(program, &mut outcome);
            }
            outcomes.push(outcome);
        }
    }
    outcomes.sort_by_key(|outcome| outcome.property);
    outcomes
}

/// Why a property is not for a cluster, if it is not.
fn refused(program: &Program, property: PropertyId) -> Option<&'static str> {
    if program.predicates.is_some() {
        return Some(
            "structures that stand for many configurations are not searched by a cluster (`--cluster`)",
        );
    }
    match program.properties[property.index()].claim {
        Claim::Check(_)
        | Claim::NoFault(_)
        | Claim::Always(_)
        | Claim::NoDeadlock
        | Claim::Returns
        | Claim::Ltl(_)
        | Claim::Never(_) => None,
        Claim::Ctl(_)
        | Claim::Mu(_)
        | Claim::Distance { .. }
        | Claim::Bounded(_)
        | Claim::Silent(_)
        | Claim::Configurations(_)
        | Claim::Open(_) => Some(
            "a cluster searches for states and runs, not for trees, distances or growth (`--cluster`)",
        ),
    }
}

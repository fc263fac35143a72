//! How far a *holds* reaches, from what was assumed and what was looked at.

use model::{
    AssumptionId, Origin, Program, PropertyId, Strength, UnknownReason, VacuousReason, Verdict,
};

/// What a complete exploration without a violation saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Seen {
    /// Whether representatives stood for wide choices.
    pub(crate) sampled: bool,
    /// Whether what the property is about ever happened.
    pub(crate) triggered: bool,
    /// Whether some run is fair.
    pub(crate) some_fair_run: bool,
}

impl Seen {
    /// Nothing that would weaken a *holds*.
    pub(crate) const EVERYTHING: Seen = Seen {
        sampled: false,
        triggered: true,
        some_fair_run: true,
    };
}

/// The assumptions that touch a property.
pub(crate) fn assumptions(program: &Program, property: PropertyId) -> Vec<AssumptionId> {
    (0..program.assumptions.len())
        .map(AssumptionId::new)
        .filter(|id| {
            let assumption = &program.assumptions[id.index()];
            let listed = match &assumption.properties {
                None => true,
                Some(properties) => properties.contains(&property),
            };
            listed
                || program.properties[property.index()]
                    .assumptions
                    .contains(id)
        })
        .collect()
}

/// The verdict where nothing bad was found anywhere.
pub(crate) fn without_violation(program: &Program, property: PropertyId, seen: Seen) -> Verdict {
    let assumptions = assumptions(program, property);
    let made_by = |origin| {
        assumptions
            .iter()
            .any(|id| program.assumptions[id.index()].origin == origin)
    };
    if !seen.triggered {
        Verdict::Vacuous {
            reason: VacuousReason::NeverTriggered,
        }
    } else if !seen.some_fair_run {
        Verdict::Vacuous {
            reason: VacuousReason::NoFairRun,
        }
    } else if seen.sampled || made_by(Origin::Narrowed) {
        Verdict::Unknown {
            reason: UnknownReason::Sampled,
            possible: None,
        }
    } else {
        let strength = if made_by(Origin::Bound) {
            Strength::Exhausted
        } else {
            Strength::Proved
        };
        Verdict::Holds {
            strength,
            // No sample stood for anything that the property depends on.
            assumptions: assumptions
                .into_iter()
                .filter(|id| program.assumptions[id.index()].origin != Origin::Sample)
                .collect(),
        }
    }
}

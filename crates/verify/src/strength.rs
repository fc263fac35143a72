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

/// Those assumptions that say what the program leaves out of what may be.
pub(crate) fn left_out(program: &Program, assumptions: &[AssumptionId]) -> Vec<AssumptionId> {
    let is_left_out =
        |id: &&AssumptionId| program.assumptions[id.index()].origin == Origin::Narrowed;
    assumptions.iter().filter(is_left_out).copied().collect()
}

/// The verdict where nothing bad was found anywhere.
pub(crate) fn without_violation(program: &Program, property: PropertyId, seen: Seen) -> Verdict {
    let assumptions = assumptions(program, property);
    let made_by = |origin| {
        assumptions
            .iter()
            .any(|id| program.assumptions[id.index()].origin == origin)
    };
    let unknown = |reason| Verdict::Unknown {
        reason,
        possible: None,
    };
    // What never happens in a part may happen in the rest.
    if seen.sampled {
        unknown(UnknownReason::Sampled)
    } else if made_by(Origin::Narrowed) {
        unknown(UnknownReason::LeftOut(left_out(program, &assumptions)))
    } else if !seen.triggered {
        Verdict::Vacuous {
            reason: VacuousReason::NeverTriggered,
        }
    } else if !seen.some_fair_run {
        Verdict::Vacuous {
            reason: VacuousReason::NoFairRun,
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

#[cfg(test)]
mod tests {
    use model::{Claim, Cut, CutBy, Property};
    use source::Span;

    use super::*;

    /// A property that is about something, with a cut beside it or without.
    fn asked(cut: bool) -> Program {
        let mut program = Program::new("t", "t");
        let claim = Claim::Always(program.exprs.bool(true));
        program.add_property(Property {
            name: "p".to_owned(),
            text: "p".to_owned(),
            span: Span::NONE,
            claim,
            trigger: None,
            observers: Vec::new(),
            assumptions: Vec::new(),
        });
        if cut {
            program.cut(Cut {
                text: "something is left out".to_owned(),
                by: CutBy::Default,
                span: Span::NONE,
                properties: None,
            });
        }
        program
    }

    #[test]
    fn what_did_not_happen_in_a_part_is_not_said_never_to_happen() {
        let word = |cut, sampled| {
            let seen = Seen {
                sampled,
                triggered: false,
                some_fair_run: true,
            };
            without_violation(&asked(cut), PropertyId::new(0), seen)
        };
        assert!(matches!(word(false, false), Verdict::Vacuous { .. }));
        assert!(matches!(word(true, false), Verdict::Unknown { .. }));
        assert!(matches!(word(false, true), Verdict::Unknown { .. }));
    }
}

//! Programs as circuits on their way into a file: which properties can go together, and what has
//! no gates.

use std::collections::BTreeSet;

use circuit::{Encoding, encode};
use model::{AssumptionId, Claim, Program, PropertyId};
use passes::Selection;
use source::Diagnostic;

use crate::codes;

/// A model made of gates.
#[derive(Clone, Debug)]
pub struct GateModel {
    /// Its text.
    pub text: String,
    /// The properties that it states, and their names there.
    pub claims: Vec<(PropertyId, String)>,
    /// The properties that it does not state, and why.
    pub left_out: Vec<(PropertyId, String)>,
}

/// A program reduced for the properties that can share a circuit.
pub(crate) struct Shared {
    pub(crate) program: Program,
    pub(crate) together: Vec<PropertyId>,
    pub(crate) left_out: Vec<(PropertyId, String)>,
}

/// The properties that assume the same as the first one. Fairness changes nothing of what is seen
/// in finite runs, so only those about infinite ones must agree on it.
pub(crate) fn share(program: &Program, properties: &[PropertyId], passes: &Selection) -> Shared {
    let of_fairness = |assumption: &AssumptionId| {
        let mut fairness = program.fairness.iter();
        fairness.any(|fairness| fairness.assumption == Some(*assumption))
    };
    let assumed = |id: &PropertyId, fair: bool| {
        let assumptions = program.properties[id.index()].assumptions.iter().copied();
        let some = assumptions.filter(|assumption| of_fairness(assumption) == fair);
        some.collect::<BTreeSet<AssumptionId>>()
    };
    let is_infinite = |id: &PropertyId| {
        let claim = &program.properties[id.index()].claim;
        matches!(claim, Claim::Ltl(_) | Claim::Ctl(_) | Claim::Never(_))
    };
    let restrictions = properties.first().map(|id| assumed(id, false));
    let same = |id: &PropertyId| Some(assumed(id, false)) == restrictions;
    let infinite = properties.iter().find(|id| is_infinite(id) && same(id));
    let fairness = infinite.map(|id| assumed(id, true));
    let (together, others): (Vec<PropertyId>, Vec<PropertyId>) = properties
        .iter()
        .partition(|id| same(id) && (!is_infinite(id) || Some(assumed(id, true)) == fairness));
    let why = "it makes other assumptions than the first property: translate it alone";
    Shared {
        program: passes::pipeline(program, &together, passes).program,
        together,
        left_out: others.into_iter().map(|id| (id, why.to_owned())).collect(),
    }
}

/// The circuit of a program, exact.
pub(crate) fn exact(program: &Program) -> Result<Encoding<'_>, Vec<Diagnostic>> {
    let refuse = |code, what: &str, span| {
        Err(vec![
            Diagnostic::error(code, format!("cannot be said in gates: {what}")).at(span),
        ])
    };
    match encode(program) {
        Err(unsupported) => refuse(codes::CONSTRUCT, &unsupported.what, unsupported.span),
        Ok(encoding) => match encoding.approximated.first() {
            Some(function) => {
                let what = format!("what the function `{function}` gives");
                refuse(codes::CONSTRUCT, &what, source::Span::NONE)
            }
            None => Ok(encoding),
        },
    }
}

/// Why a claim is in no file of gates, if it is not even tried.
pub(crate) fn foreign(claim: &Claim) -> Option<&'static str> {
    match claim {
        Claim::Returns => Some("that every macro step returns is no invariant of a circuit"),
        Claim::Never(_) => Some("it is an automaton"),
        Claim::Mu(_) | Claim::Bounded(_) => Some("it is about the graph of states"),
        Claim::Silent(_) | Claim::Configurations(_) => Some("it is about logical structures"),
        Claim::Open(_) => Some("nobody can answer it yet"),
        Claim::Distance { .. } => Some("it asks for a number"),
        _ => None,
    }
}

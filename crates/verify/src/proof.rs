//! Questions to the SAT engine: from a property to a circuit, and back to a verdict.
//!
//! The passes that run before are those that only take away: what is left has its names and its
//! values, so that an invariant of the smaller program is one of the whole. It is audited there,
//! on the program before any pass, and a run is replayed there.

use audit::{Atom, Variable};
use circuit::{Bits, Encoding, Lit, Node, encode};
use model::{
    Budget, Claim, Composition, Program, Progress, PropertyId, Query, Statistics, UnknownReason,
    Verdict,
};
use passes::{Pass, Reduced, Selection, pipeline};

use crate::check::lifted_and_confirmed;
use crate::engine::Engine;
use crate::outcome::{Audited, Outcome};
use crate::question::query;
use crate::strength::{Seen, without_violation};

/// What the SAT engine says of a property.
pub(crate) fn prove(
    program: &Program,
    property: PropertyId,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let began = std::time::Instant::now();
    let synchronous = matches!(program.composition, Composition::Synchronous(_));
    let selection = if synchronous {
        // The circuit's own cone of influence is what matters there.
        Selection::none()
    } else {
        Selection::of(&[Pass::Inline, Pass::Fold, Pass::Slice, Pass::WriteOnly])
    };
    let mut reduced = pipeline(program, &[property], &selection);
    let mut outcome = Outcome::unknown(property, Engine::Sat, UnknownReason::Interrupted);
    match answer(
        program,
        &mut reduced,
        property,
        budget,
        progress,
        &mut outcome,
    ) {
        Ok(verdict) => outcome.verdict = verdict,
        Err(reason) => {
            outcome.verdict = Verdict::Unknown {
                reason,
                possible: None,
            };
        }
    }
    outcome.statistics.time = began.elapsed();
    outcome
}

fn answer(
    program: &Program,
    reduced: &mut Reduced,
    property: PropertyId,
    budget: &Budget,
    progress: &dyn Progress,
    outcome: &mut Outcome,
) -> Result<Verdict, UnknownReason> {
    let mut small = reduced.program.clone();
    let bad = match query(&mut small, property)? {
        Query::Unreachable(bad) => bad,
        Query::NoAcceptedRun(_) | Query::Explore => {
            return Err(UnknownReason::Unsupported("runs for ever".to_owned()));
        }
    };
    let encoding = encode(&small).map_err(|e| UnknownReason::Unsupported(e.to_string()))?;
    let position = encoding.bads.iter().position(|&id| id == property);
    let Some(position) = position else {
        let what = "what is asked, in bits".to_owned();
        return Err(UnknownReason::Unsupported(what));
    };
    let lit = encoding.circuit.bads[position].lit;
    let options = sat::Options::default();
    outcome.statistics = Statistics {
        state_bytes: (encoding.circuit.latches.len() as u64).div_ceil(8),
        ..Statistics::default()
    };
    match sat::check(&encoding.circuit, lit, &options, budget, progress) {
        sat::Answer::Unknown { reason, reached } => {
            outcome.statistics.depth = reached as u64;
            Err(reason)
        }
        sat::Answer::Refuted { trace, .. } => {
            outcome.statistics.depth = trace.inputs.len().saturating_sub(1) as u64;
            let trace = encoding.trace(&run_of(&trace));
            let lift = !matches!(program.composition, Composition::Synchronous(_));
            let (trace, replay) = lifted_and_confirmed(reduced, property, Some(&bad), trace, lift)
                .map_err(UnknownReason::NotReplayed)?;
            outcome.replay = Some(replay);
            Ok(Verdict::Fails {
                trace: Box::new(trace),
            })
        }
        sat::Answer::Proved { invariant, .. } => {
            let invariant = if invariant.depth == 0 {
                in_program(&encoding, &invariant)
            } else {
                None
            };
            outcome.audited = match invariant {
                Some(invariant) => audited(reduced, property, &invariant, budget),
                None => Audited::Not("it is not said in the program's own terms".to_owned()),
            };
            Ok(without_violation(program, property, Seen::EVERYTHING))
        }
    }
}

/// Audits an invariant on the program before passes.
fn audited(
    reduced: &Reduced,
    property: PropertyId,
    invariant: &audit::Invariant,
    budget: &Budget,
) -> Audited {
    let mut original = reduced.original.clone();
    let bad = match query(&mut original, property) {
        Ok(Query::Unreachable(bad)) => bad,
        _ => return Audited::Not("it is about runs".to_owned()),
    };
    match audit::audit(&original, &bad, invariant, budget) {
        Ok(()) => Audited::Yes,
        Err(rejected) => Audited::Not(rejected.to_string()),
    }
}

/// A run of the circuit, as the encoder reads it.
fn run_of(trace: &sat::Trace) -> circuit::Run {
    let mut steps = trace.inputs.clone();
    let last = match trace.back_to {
        None => steps.pop().unwrap_or_default(),
        Some(_) => Vec::new(),
    };
    circuit::Run {
        initial: trace.initial.clone(),
        steps,
        last,
        loop_start: trace.back_to,
    }
}

/// An invariant of the circuit in the terms of the program, if all that it speaks of has one.
fn in_program(encoding: &Encoding<'_>, invariant: &sat::Invariant) -> Option<audit::Invariant> {
    if invariant.graph.is_some() {
        return None;
    }
    let clauses = invariant
        .clauses
        .iter()
        .map(|clause| {
            clause
                .iter()
                .map(|&lit| Some((atom(encoding, lit)?, !lit.is_inverted())))
                .collect::<Option<Vec<_>>>()
        })
        .collect::<Option<Vec<_>>>()?;
    Some(audit::Invariant { clauses })
}

/// What a latch stands for.
fn atom(encoding: &Encoding<'_>, lit: Lit) -> Option<Atom> {
    let latch = match encoding.circuit.aig.node(lit.node()) {
        Node::Latch(_) => lit.node().lit(),
        _ => return None,
    };
    encoding.slots.iter().enumerate().find_map(|(slot, found)| {
        let mut path = Vec::new();
        let bit = bit_of(&found.bits, latch, &mut path)?;
        (slot < encoding.program().globals.len()).then(|| Atom::Bit {
            variable: Variable::Global(model::GlobalId::new(slot)),
            path,
            bit,
        })
    })
}

/// Where a literal stands in a value.
fn bit_of(bits: &Bits, wanted: Lit, path: &mut Vec<u32>) -> Option<u32> {
    match bits {
        Bits::Bool(lit) => (*lit == wanted).then_some(0),
        Bits::Word(word) => word
            .bits()
            .iter()
            .position(|&lit| lit == wanted)
            .and_then(|bit| u32::try_from(bit).ok()),
        Bits::Rich(_) => None,
        Bits::Tuple(items) => items.iter().zip(0..).find_map(|(item, at)| {
            path.push(at);
            let found = bit_of(item, wanted, path);
            if found.is_none() {
                path.pop();
            }
            found
        }),
    }
}

/// Whether the engine may be asked about a claim.
pub(crate) fn is_asked(claim: &Claim) -> bool {
    matches!(
        claim,
        Claim::Check(_) | Claim::Always(_) | Claim::NoFault(_) | Claim::NoDeadlock
    )
}

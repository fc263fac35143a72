//! Questions to the SAT engine: from a property to a circuit, and back to a verdict.
//!
//! Only those passes run before that change nothing in the states there are: the engine takes the
//! cone of influence of bits, which is finer than one of variables. So an invariant of the smaller
//! program is one of the whole, where it is audited, on the program before any pass; and a run
//! that is found is replayed there.

use std::collections::{BTreeSet, HashMap};

use audit::{Atom, Fact, Rejected, Variable};
use circuit::{Aig, Bits, Encoding, Lit, Meaning, Node, NodeId, Owner, Run, encode_whole_steps};
use logic::{Buchi, Cube, Edge, Ltl};
use model::interp::Replay;
use model::{
    Budget, Claim, Composition, ExprId, FiniteRuns, GlobalId, Program, Progress, PropertyId, Query,
    Statistics, Trace, Type, UnknownReason, Value, Verdict,
};
use passes::{Pass, Reduced, Selection, pipeline};
use sat::words::Predicate;

use crate::check::lifted_and_confirmed;
use crate::confirm::confirm;
use crate::engine::Engine;
use crate::outcome::{Audited, Outcome};
use crate::predicates::{predicates, wide_variables};
use crate::question::query;
use crate::strength::{Seen, without_violation};

/// Steps of interleaved processes from which on a circuit, which tries them all at once, is more
/// work than the states are.
const LARGEST: usize = 4000;

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
        Selection::none()
    } else {
        Selection::of(&[Pass::Inline, Pass::Fold, Pass::WriteOnly])
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
    let asked = query(&mut small, property)?;
    if matches!(small.composition, Composition::Interleaving { .. }) {
        let steps: usize = small.processes.iter().map(|p| p.steps.len()).sum();
        if steps > LARGEST {
            let reason = format!("circuits of more than {LARGEST} steps");
            return Err(UnknownReason::Unsupported(reason));
        }
    }
    let mut encoding = encode_whole_steps(&small).map_err(|e| unsupported(&e))?;
    outcome.statistics = Statistics {
        state_bytes: (encoding.circuit.latches.len() as u64).div_ceil(8),
        ..Statistics::default()
    };
    let means = (budget, progress);
    // Then whether there is a fair run is all there is to know.
    let claims_nothing = small.properties[property.index()].claim == Claim::Ltl(Ltl::True);
    let wide = wide_variables(program, property);
    let words = predicates(&mut encoding, &wide);
    let (answer, bad) = match asked {
        Query::Unreachable(bad) => {
            let found = never(&mut encoding, &words, property, means)?;
            (found, Some(bad))
        }
        Query::NoAcceptedRun(automaton) => (no_run(&mut encoding, automaton, means)?, None),
        Query::Explore => unreachable!("no property asks only for counts"),
    };
    match answer {
        Found::Nothing { reason, reached } => {
            outcome.statistics.depth = reached as u64;
            Err(reason)
        }
        Found::Run(run) => {
            outcome.statistics.depth = run.steps.len() as u64;
            let trace = encoding.trace(&run);
            let lift = !matches!(program.composition, Composition::Synchronous(_));
            let (trace, replay) =
                match lifted_and_confirmed(reduced, property, bad.as_ref(), trace, lift) {
                    Ok(confirmed) => confirmed,
                    Err(why) if lift => on_the_whole(&reduced.original, property, &run, means)
                        .ok_or(UnknownReason::NotReplayed(why))?,
                    Err(why) => return Err(UnknownReason::NotReplayed(why)),
                };
            outcome.replay = Some(replay);
            Ok(Verdict::Fails {
                trace: Box::new(trace),
            })
        }
        Found::Proof(invariant) => {
            if let Some(invariant) = &invariant {
                outcome.facts = facts(&encoding, &words.0, invariant);
            }
            outcome.audited = match (&bad, invariant) {
                (Some(_), Some(invariant)) => match in_program(&encoding, &invariant) {
                    Some(invariant) => audited(reduced, property, &invariant, budget)?,
                    None => Audited::Not("it is not said in the program's own terms".to_owned()),
                },
                (Some(_), None) => Audited::Not("it was proved by induction over steps".to_owned()),
                (None, _) => Audited::Not("it is about runs for ever".to_owned()),
            };
            let seen = Seen {
                sampled: false,
                triggered: is_triggered(&mut encoding, property, means),
                some_fair_run: match bad {
                    Some(_) => has_initial_state(&encoding, means),
                    None if claims_nothing => some_fair_run(&mut encoding, means)?,
                    // For all that is known.
                    None => some_fair_run(&mut encoding, means).unwrap_or(true),
                },
            };
            Ok(without_violation(program, property, seen))
        }
    }
}

/// A run of the program before passes that violates the property, where one of the smaller
/// program was found: its choices may be wider than a search for a like run tries.
fn on_the_whole(
    original: &Program,
    property: PropertyId,
    run: &Run,
    (budget, progress): Means<'_>,
) -> Option<(Trace, Replay)> {
    let mut whole = original.clone();
    let asked = query(&mut whole, property).ok()?;
    let mut encoding = encode_whole_steps(&whole).ok()?;
    let found = match asked {
        Query::Unreachable(_) => {
            let position = encoding.bads.iter().position(|&id| id == property)?;
            let options = sat::Options {
                // Calls of procedures take steps of their own here.
                first_depth: 3 * run.steps.len() + 20,
                induction_depth: 0,
                ic3: false,
                ..sat::Options::default()
            };
            let lit = encoding.circuit.bads[position].lit;
            match sat::check(&encoding.circuit, lit, &options, budget, progress) {
                sat::Answer::Refuted { run, .. } => run,
                _ => return None,
            }
        }
        Query::NoAcceptedRun(automaton) => {
            match no_run(&mut encoding, automaton, (budget, progress)).ok()? {
                Found::Run(run) => run,
                _ => return None,
            }
        }
        Query::Explore => return None,
    };
    let trace = encoding.trace(&found);
    let replay = confirm(original, property, &trace).ok()?;
    Some((trace, replay))
}

/// What the engine found.
enum Found {
    Run(Run),
    /// With the invariant over latches, if that is all there is to it.
    Proof(Option<sat::Invariant>),
    Nothing {
        reason: UnknownReason,
        reached: usize,
    },
}

/// Limits, and who is told how far it is.
type Means<'a> = (&'a Budget, &'a dyn Progress);

fn unsupported(error: &circuit::Unsupported) -> UnknownReason {
    UnknownReason::Unsupported(error.to_string())
}

/// Whether what is bad for the property can be reached.
fn never(
    encoding: &mut Encoding<'_>,
    (words, data): &(Vec<Predicate>, Vec<Lit>),
    property: PropertyId,
    (budget, progress): Means<'_>,
) -> Result<Found, UnknownReason> {
    let position = encoding.bads.iter().position(|&id| id == property);
    let Some(position) = position else {
        let what = "what is asked, in bits".to_owned();
        return Err(UnknownReason::Unsupported(what));
    };
    let bad = encoding.circuit.bads[position].lit;
    let asked = encoding.circuit.bad_or_limit(position);
    let options = sat::Options {
        predicates: words.iter().map(|word| word.lit).collect(),
        data: data.clone(),
        // What is proved by induction over several steps has no invariant to be audited.
        induction_depth: 0,
        ..sat::Options::default()
    };
    let answer = sat::check(&encoding.circuit, asked, &options, budget, progress);
    Ok(match answer {
        sat::Answer::Unknown { reason, reached } => Found::Nothing { reason, reached },
        sat::Answer::Refuted { run, .. } if !sat::reaches(&encoding.circuit, &run, bad) => {
            Found::Nothing {
                reason: UnknownReason::Overflow,
                reached: run.steps.len(),
            }
        }
        sat::Answer::Refuted { run, .. } => Found::Run(run),
        sat::Answer::Proved { invariant, .. } => {
            Found::Proof((invariant.depth == 0).then_some(invariant))
        }
    })
}

/// Whether a fair run is accepted.
fn no_run(
    encoding: &mut Encoding<'_>,
    automaton: Buchi<ExprId>,
    (budget, progress): Means<'_>,
) -> Result<Found, UnknownReason> {
    if runs_may_be_missing(encoding) {
        let what = "runs that end, in bits".to_owned();
        return Err(UnknownReason::Unsupported(what));
    }
    if automaton.edges.iter().all(Vec::is_empty) {
        // It accepts nothing: what it is the negation of is true.
        return Ok(Found::Proof(None));
    }
    let mut error = None;
    let automaton = automaton.map(|atom| {
        encoding.atom(atom).unwrap_or_else(|e| {
            error = Some(e);
            Lit::FALSE
        })
    });
    if let Some(error) = error {
        return Err(unsupported(&error));
    }
    let automaton = reading_where(automaton, encoding.stable)?;
    let answer = sat::check_fair(&encoding.circuit, Some(&automaton), budget, progress);
    Ok(match answer {
        sat::FairAnswer::None { .. } if !within_limits(encoding, (budget, progress)) => {
            Found::Nothing {
                reason: UnknownReason::Overflow,
                reached: 0,
            }
        }
        sat::FairAnswer::None { .. } => Found::Proof(None),
        sat::FairAnswer::Run { run, .. } => Found::Run(at_a_stable_state(encoding, run)),
        sat::FairAnswer::Unknown { reason, reached } => Found::Nothing { reason, reached },
    })
}

/// Whether the program has runs that end and count, and the circuit leaves them out.
pub(crate) fn runs_may_be_missing(encoding: &Encoding<'_>) -> bool {
    let program = encoding.program();
    !matches!(program.composition, Composition::Synchronous(_))
        && program.finite_runs != FiniteRuns::InfiniteOnly
        && encoding.deadlock.is_none()
}

/// The automaton that reads a letter only where a literal holds.
pub(crate) fn reading_where(
    mut automaton: Buchi<Lit>,
    stable: Lit,
) -> Result<Buchi<Lit>, UnknownReason> {
    if stable == Lit::TRUE {
        return Ok(automaton);
    }
    let atom = automaton.atoms.len();
    if atom == Cube::MAX_ATOMS {
        let what = "formulas with so many atoms".to_owned();
        return Err(UnknownReason::Unsupported(what));
    }
    automaton.atoms.push(stable);
    for state in automaton.states() {
        let edges = &mut automaton.edges[state.index()];
        for edge in edges.iter_mut() {
            edge.label = edge.label.and(Cube::literal(atom, true));
        }
        edges.push(Edge {
            label: Cube::literal(atom, false),
            target: state,
            accepting: false,
        });
    }
    Ok(automaton)
}

/// The same run with a loop that begins where a macro step ends.
fn at_a_stable_state(encoding: &Encoding<'_>, mut run: Run) -> Run {
    let Some(start) = run.loop_start else {
        return run;
    };
    let Ok(states) = encoding.circuit.states(&run) else {
        return run;
    };
    let stable = |at: &usize| {
        let values = encoding.circuit.evaluate(&states[*at], &run.steps[*at]);
        values.holds(encoding.stable)
    };
    if let Some(at) = (start..run.steps.len()).find(stable) {
        // What comes before it in the loop is done once more, at the end.
        let again: Vec<_> = run.steps[start..at].to_vec();
        run.steps.extend(again);
        run.loop_start = Some(at);
    }
    run
}

/// Whether the circuit is proved to be large enough to follow the program for ever.
fn within_limits(encoding: &mut Encoding<'_>, (budget, progress): Means<'_>) -> bool {
    let limits = encoding.circuit.limits.clone();
    if limits.is_empty() {
        return true;
    }
    let beyond = encoding.circuit.aig.any(&limits);
    let options = sat::Options::default();
    let answer = sat::check(&encoding.circuit, beyond, &options, budget, progress);
    matches!(answer, sat::Answer::Proved { .. })
}

/// Whether what the property is about can happen, for all that is known.
fn is_triggered(
    encoding: &mut Encoding<'_>,
    property: PropertyId,
    (budget, progress): Means<'_>,
) -> bool {
    let Some(trigger) = encoding.program().properties[property.index()].trigger else {
        return true;
    };
    let Ok(lit) = encoding.atom(trigger) else {
        return true;
    };
    let lit = encoding.circuit.aig.and(lit, encoding.stable);
    let limits = encoding.circuit.limits.clone();
    let beyond = encoding.circuit.aig.any(&limits);
    let lit = encoding.circuit.aig.or(lit, beyond);
    let options = sat::Options::default();
    let answer = sat::check(&encoding.circuit, lit, &options, budget, progress);
    !matches!(answer, sat::Answer::Proved { .. })
}

/// Whether there is an initial state, for all that is known.
fn has_initial_state(encoding: &Encoding<'_>, (budget, progress): Means<'_>) -> bool {
    let circuit = &encoding.circuit;
    if circuit.initial.is_empty() && circuit.state_constraints.is_empty() {
        return true;
    }
    let options = sat::Options::default();
    let answer = sat::check(circuit, Lit::TRUE, &options, budget, progress);
    !matches!(answer, sat::Answer::Proved { .. })
}

/// Whether some run is fair. Where the circuit may be too small to follow the program, a run that it
/// does not have proves nothing.
fn some_fair_run(encoding: &mut Encoding<'_>, means: Means<'_>) -> Result<bool, UnknownReason> {
    let circuit = &encoding.circuit;
    let restricts = [
        &circuit.step_constraints,
        &circuit.state_constraints,
        &circuit.justice,
    ];
    if restricts.iter().all(|some| some.is_empty()) && circuit.compassion.is_empty() {
        // Every state has a successor.
        return Ok(has_initial_state(encoding, means));
    }
    match sat::check_fair(circuit, None, means.0, means.1) {
        sat::FairAnswer::None { .. } if within_limits(encoding, means) => Ok(false),
        sat::FairAnswer::None { .. } => Err(UnknownReason::Overflow),
        sat::FairAnswer::Run { .. } => Ok(true),
        sat::FairAnswer::Unknown { reason, .. } => Err(reason),
    }
}

/// Audits an invariant on the program before passes. Some programs cannot be audited; one that
/// is and fails proves nothing.
fn audited(
    reduced: &Reduced,
    property: PropertyId,
    invariant: &audit::Invariant,
    budget: &Budget,
) -> Result<Audited, UnknownReason> {
    let mut original = reduced.original.clone();
    let Ok(Query::Unreachable(bad)) = query(&mut original, property) else {
        return Ok(Audited::Not("it is about runs".to_owned()));
    };
    match audit::audit(&original, &bad, invariant, budget) {
        Ok(()) => Ok(Audited::Yes),
        Err(rejected @ (Rejected::Unsupported(_) | Rejected::Wide | Rejected::Limit)) => {
            Ok(Audited::Not(rejected.to_string()))
        }
        Err(rejected @ (Rejected::Malformed | Rejected::NotInductive(_) | Rejected::Violated)) => {
            Err(UnknownReason::NotAudited(rejected.to_string()))
        }
    }
}

/// The clauses of an invariant that speak of numbers, for people.
fn facts(encoding: &Encoding<'_>, words: &[Predicate], invariant: &sat::Invariant) -> Vec<String> {
    let told = sat::words::tell(&encoding.circuit, invariant, words);
    let mut facts: Vec<String> = told.lines().map(str::to_owned).collect();
    facts.sort_by_key(String::len);
    facts.truncate(12);
    facts
}

/// An invariant of the circuit in the terms of the program, if all that it speaks of has one.
fn in_program(encoding: &Encoding<'_>, invariant: &sat::Invariant) -> Option<audit::Invariant> {
    let circuit = &encoding.circuit;
    let aig = invariant.graph.as_ref().unwrap_or(&circuit.aig);
    let roots: Vec<Lit> = invariant.clauses.iter().flatten().copied().collect();
    let nodes = cone(aig, &roots);
    let meanings = encoding.meanings();
    let mut said = audit::Invariant::default();
    let mut facts: HashMap<NodeId, Fact> = HashMap::new();
    for &node in &nodes {
        let (atom, holds) = match aig.node(node) {
            Node::False => (Atom::True, false),
            Node::Latch(latch) => atom(meanings.get(&latch)?),
            Node::Input(_) => return None,
            Node::And(..) => continue,
        };
        let of = said.atom(atom);
        facts.insert(node, Fact { of, holds });
    }
    let read = |facts: &HashMap<NodeId, Fact>, lit: Lit| {
        let fact = facts.get(&lit.node()).copied()?;
        Some(Fact {
            holds: fact.holds != lit.is_inverted(),
            ..fact
        })
    };
    for &node in &nodes {
        if let Node::And(a, b) = aig.node(node) {
            let gate = [read(&facts, a)?, read(&facts, b)?];
            let of = said.atoms.len() + said.gates.len();
            said.gates.push(gate);
            facts.insert(node, Fact { of, holds: true });
        }
    }
    for clause in &invariant.clauses {
        let clause = clause.iter().map(|&lit| read(&facts, lit));
        said.clauses.push(clause.collect::<Option<_>>()?);
    }
    Some(somewhere(encoding, said))
}

/// The same with a clause for each instance that says where it can be at all.
fn somewhere(encoding: &Encoding<'_>, invariant: audit::Invariant) -> audit::Invariant {
    let mut said = audit::Invariant::default();
    let mut clauses = Vec::new();
    for instance in 0..encoding.program().start.len() {
        let passed = encoding.run_through_locations(instance).iter();
        said.through
            .extend(passed.map(|&location| (instance, location)));
        let atom = Atom::Among {
            instance: u32::try_from(instance).expect("few instances"),
            locations: encoding.locations(instance).to_vec(),
            ended: true,
        };
        let of = said.atom(atom);
        clauses.push(vec![Fact { of, holds: true }]);
    }
    let before = said.atoms.len();
    let moved = |fact: Fact| Fact {
        of: fact.of + before,
        ..fact
    };
    said.atoms.extend(invariant.atoms);
    said.gates = invariant.gates.iter().map(|gate| gate.map(moved)).collect();
    let others = invariant.clauses.into_iter();
    clauses.extend(others.map(|clause| clause.into_iter().map(moved).collect()));
    said.clauses = clauses;
    narrow(encoding, &mut said);
    said
}

/// The circuit keeps so many bits of a mathematical integer, and it is proved with the rest that
/// there are no more: the bits beyond are like the sign.
fn narrow(encoding: &Encoding<'_>, invariant: &mut audit::Invariant) {
    let program = encoding.program();
    let named: BTreeSet<GlobalId> = invariant
        .atoms
        .iter()
        .filter_map(|atom| match atom {
            Atom::Bit {
                variable: Variable::Global(id),
                ..
            } if program.globals[id.index()].ty == Type::Mathint => Some(*id),
            _ => None,
        })
        .collect();
    let mut signs = Vec::new();
    for id in named {
        let Bits::Word(word) = &encoding.slots[id.index()].bits else {
            continue;
        };
        let bit = |bit: usize| Atom::Bit {
            variable: Variable::Global(id),
            path: Vec::new(),
            bit: u32::try_from(bit).expect("numbers are not that wide"),
        };
        let highest = word.width().saturating_sub(1);
        for beyond in highest + 1..audit::MATHINT_BITS {
            signs.push(vec![(bit(highest), false), (bit(beyond), true)]);
            signs.push(vec![(bit(highest), true), (bit(beyond), false)]);
        }
    }
    invariant.add_clauses(signs);
}

/// The nodes that literals depend on, each after its operands.
fn cone(aig: &Aig, roots: &[Lit]) -> Vec<NodeId> {
    let mut wanted: BTreeSet<usize> = roots.iter().map(|lit| lit.node().index()).collect();
    let mut nodes = Vec::new();
    // Operands come before what is made of them.
    while let Some(index) = wanted.pop_last() {
        let node = NodeId(u32::try_from(index).expect("nodes are numbered in 32 bits"));
        if let Node::And(a, b) = aig.node(node) {
            wanted.extend([a.node().index(), b.node().index()]);
        }
        nodes.push(node);
    }
    nodes.reverse();
    nodes
}

/// What a latch says of the program's state, and which value of it says that.
fn atom(meaning: &Meaning) -> (Atom, bool) {
    let variable = |owner: &Owner| match *owner {
        Owner::Global(id) => Variable::Global(id),
        Owner::Local { instance, local } => Variable::Local { instance, local },
    };
    match meaning {
        Meaning::Bit { owner, path, bit } => {
            let atom = Atom::Bit {
                variable: variable(owner),
                path: path.clone(),
                bit: *bit,
            };
            (atom, true)
        }
        Meaning::Rich {
            owner,
            path,
            values,
        } => {
            let atom = Atom::OneOf {
                variable: variable(owner),
                path: path.clone(),
                values: values.iter().map(|&id| Value::Rich(id)).collect(),
            };
            (atom, true)
        }
        Meaning::Location {
            instance,
            locations,
            ended,
        } => {
            let atom = Atom::Among {
                instance: *instance,
                locations: locations.clone(),
                ended: *ended,
            };
            (atom, true)
        }
        Meaning::Closed(value) => (Atom::True, *value),
    }
}

/// Whether the engine may be asked about a claim.
pub(crate) fn is_asked(claim: &Claim) -> bool {
    matches!(
        claim,
        Claim::Check(_)
            | Claim::Always(_)
            | Claim::NoFault(_)
            | Claim::NoDeadlock
            | Claim::Ltl(_)
            | Claim::Never(_)
    )
}

#[cfg(test)]
mod tests {
    use model::{Binary, Place, Program, Property, SyncAssign, ValueSet, Variable as Declared};

    use super::*;

    /// A number that goes round 0, 2, 4, 6, and never is 5.
    fn evens() -> Program {
        let ty = Type::Int {
            bits: 3,
            signed: false,
        };
        let mut program = Program::new("evens", "none");
        let n = program.add_global(Declared::new("n", ty.clone()));
        let now = program.exprs.load(Place::global(n), ty.clone());
        let two = program.exprs.int(2, ty.clone());
        let next = program.exprs.binary(Binary::Add, now, two);
        program.composition = Composition::Synchronous(vec![SyncAssign {
            global: n,
            next: ValueSet::One(next),
        }]);
        program.finite_runs = FiniteRuns::InfiniteOnly;
        let five = program.exprs.int(5, ty);
        let never = program.exprs.binary(Binary::Ne, now, five);
        program.add_property(Property {
            name: "never_five".to_owned(),
            text: "n != 5".to_owned(),
            span: source::Span::NONE,
            claim: Claim::Always(never),
            trigger: None,
            observers: Vec::new(),
            assumptions: Vec::new(),
        });
        program
    }

    fn said_of(clause: Vec<(Atom, bool)>) -> Result<Audited, UnknownReason> {
        let program = evens();
        let property = PropertyId::new(0);
        let reduced = pipeline(&program, &[property], &Selection::none());
        let invariant = audit::Invariant::of_clauses([clause]);
        audited(&reduced, property, &invariant, &Budget::default())
    }

    fn bit(bit: u32) -> Atom {
        Atom::Bit {
            variable: Variable::Global(GlobalId::new(0)),
            path: Vec::new(),
            bit,
        }
    }

    #[test]
    fn what_the_audit_rejects_proves_nothing() {
        assert!(matches!(said_of(vec![(bit(0), false)]), Ok(Audited::Yes)));
        let wrong = [
            // Not kept, not enough, not so at first.
            vec![(bit(1), false)],
            vec![(bit(0), false), (bit(0), true)],
            vec![(bit(0), true)],
        ];
        for clause in wrong {
            let said = said_of(clause.clone());
            assert!(
                matches!(said, Err(UnknownReason::NotAudited(_))),
                "{clause:?}: {said:?}"
            );
        }
        let nowhere = Atom::Bit {
            variable: Variable::Global(GlobalId::new(7)),
            path: Vec::new(),
            bit: 0,
        };
        let said = said_of(vec![(nowhere, true)]);
        assert!(
            matches!(said, Err(UnknownReason::NotAudited(_))),
            "{said:?}"
        );
    }
}

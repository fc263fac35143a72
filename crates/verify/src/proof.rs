//! Questions to the SAT engine: from a property to a circuit, and back to a verdict.
//!
//! Only those passes run before that change nothing in the states there are: the engine takes the
//! cone of influence of bits, which is finer than one of variables. So an invariant of the smaller
//! program is one of the whole, where it is audited, on the program before any pass; and a run
//! that is found is replayed there.

use std::sync::Arc;
use std::time::Instant;

use audit::Recheck;
use circuit::{Encoding, Lit, Run, encode_whole_steps};
use logic::{Buchi, Cube, Edge, Ltl};
use model::interp::Replay;
use model::{
    Budget, Claim, Composition, ExprId, FiniteRuns, Program, Progress, PropertyId, Query,
    Statistics, Trace, UnknownReason, Verdict,
};
use passes::{Pass, Reduced, Selection, pipeline};
use sat::predicates::Predicate;

use crate::audits::{Audits, audited, audited_all_runs, audited_runs, weakened};
use crate::check::lifted_and_confirmed;
use crate::confirm::confirm;
use crate::engine::Engine;
use crate::evidence::Evidence;
use crate::outcome::{Audited, Outcome};
use crate::predicates::{Wide, wide_numbers, wide_variables};
use crate::question::query;
use crate::strength::{Seen, without_violation};
use crate::terms::{in_program, runs_in_program};

/// Steps of interleaved processes from which on a circuit, which tries them all at once, is more
/// work than the states are.
const LARGEST: usize = 4000;

/// What the SAT engine says of a property.
pub(crate) fn prove(program: &Program, property: PropertyId, means: Means<'_>) -> Outcome {
    prove_with(&Audits::new(), program, property, means)
}

/// The same; what these audits reject is not believed.
fn prove_with(
    audits: &Audits<'_>,
    program: &Program,
    property: PropertyId,
    means: Means<'_>,
) -> Outcome {
    let began = Instant::now();
    let synchronous = matches!(program.composition, Composition::Synchronous(_));
    let selection = if synchronous {
        Selection::none()
    } else {
        Selection::of(&[Pass::Inline, Pass::Fold, Pass::WriteOnly])
    };
    let mut reduced = pipeline(program, &[property], &selection);
    let mut outcome = Outcome::unknown(property, Engine::Sat, UnknownReason::Interrupted);
    let audits = Audits { began, ..*audits };
    match answer(
        &audits,
        program,
        &mut reduced,
        property,
        means,
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
    audits: &Audits<'_>,
    program: &Program,
    reduced: &mut Reduced,
    property: PropertyId,
    means: Means<'_>,
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
    let stopped = |error| means.0.exhausted(0).unwrap_or_else(|| unsupported(&error));
    let mut encoding = encode_whole_steps(&small, means.0).map_err(stopped)?;
    outcome.statistics = Statistics {
        state_bytes: (encoding.circuit.latches.len() as u64).div_ceil(8),
        ..Statistics::default()
    };
    let budget = means.0;
    // Then whether there is a fair run is all there is to know.
    let claims_nothing = small.properties[property.index()].claim == Claim::Ltl(Ltl::True);
    let wide = wide_variables(program, property);
    let mut words = wide_numbers(&mut encoding, &wide);
    let (answer, bad) = match asked {
        Query::Unreachable(bad) => {
            let found = never(&mut encoding, &mut words, property, means)?;
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
        Found::Run(run, may_be_shorter) => {
            outcome.statistics.depth = run.steps.len() as u64;
            outcome.may_be_shorter = may_be_shorter;
            let trace = encoding.trace(&run);
            let lift = !matches!(program.composition, Composition::Synchronous(_));
            let (trace, replay) =
                match lifted_and_confirmed(reduced, property, bad.as_ref(), trace, lift) {
                    Ok(confirmed) => confirmed,
                    Err(why) if lift => on_the_whole(&reduced.original, property, &run, means)
                        .ok_or_else(|| not_a_run(&encoding.approximated, why))?,
                    Err(why) => return Err(not_a_run(&encoding.approximated, why)),
                };
            outcome.replay = Some(replay);
            Ok(Verdict::Fails {
                trace: Arc::new(trace),
            })
        }
        Found::Proof(proof) => {
            let seen = Seen {
                sampled: false,
                triggered: is_triggered(&mut encoding, property, means)?,
                some_fair_run: match bad {
                    Some(_) => has_initial_state(&encoding, means)?,
                    None if claims_nothing => some_fair_run(&mut encoding, means)?,
                    None => match some_fair_run(&mut encoding, means) {
                        // Given more time, it might turn out that there is none.
                        Err(reason) if is_shortage(&reason) => return Err(reason),
                        // For all that can be known.
                        found => found.unwrap_or(true),
                    },
                },
            };
            let invariant = match &proof {
                Proof::States(invariant, _) => Some(invariant),
                _ => None,
            };
            if let Some(invariant) = &invariant {
                outcome.facts = facts(&encoding, &words.predicates, invariant);
            }
            // An audit knows no more of such operations, and of those that may fault less.
            let mut functions = reduced.original.functions.iter();
            let unfollowed = !encoding.approximated.is_empty() || functions.any(|f| f.can_fault);
            let rejected = |reason| match reason {
                UnknownReason::NotAudited(_) if unfollowed => UnknownReason::Unsupported(
                    "a check of its proof, which rests on operations on texts, lists or floats"
                        .to_owned(),
                ),
                reason => reason,
            };
            let foreign = || Audited::Not("it is not said in the program's own terms".to_owned());
            outcome.audited = match &proof {
                Proof::States(invariant, never) => {
                    let audit = match in_program(&encoding, &reduced.original, invariant) {
                        Some(invariant) => {
                            let audit = audited(audits, reduced, property, &invariant, budget);
                            let audit = audit.map_err(rejected)?;
                            outcome.evidence = Some(Evidence::States(invariant));
                            audit
                        }
                        None => foreign(),
                    };
                    if matches!(audit, Audited::Not(_)) {
                        checked_in_bits(&encoding, *never, invariant, budget)?;
                    }
                    audit
                }
                Proof::Induction => {
                    Audited::Not("it was proved by induction over steps".to_owned())
                }
                Proof::AllRuns(longest) => {
                    outcome.statistics.depth = *longest as u64;
                    let audit = audited_all_runs(audits, reduced, property, budget);
                    outcome.evidence = Some(Evidence::AllRuns);
                    audit.map_err(rejected)?
                }
                Proof::Runs(automaton, reduction, invariant) => {
                    match runs_in_program(
                        &encoding,
                        &reduced.original,
                        automaton,
                        *reduction,
                        invariant,
                    ) {
                        Some(said) => {
                            let audit = audited_runs(audits, reduced, property, &said, budget);
                            let audit = audit.map_err(rejected)?;
                            outcome.evidence = Some(Evidence::Runs(said));
                            audit
                        }
                        None => foreign(),
                    }
                }
                Proof::NoRun => Audited::Nothing,
            };
            let verdict = without_violation(program, property, seen);
            Ok(weakened(verdict, &outcome.audited))
        }
    }
}

/// Why a run of the circuit is none of the program: operations that the circuit does not follow may
/// have given anything in it. If there are none, it is a defect of ours.
pub(crate) fn not_a_run(approximated: &[String], why: String) -> UnknownReason {
    if approximated.is_empty() {
        return UnknownReason::NotReplayed(why);
    }
    let mut names: Vec<String> = approximated
        .iter()
        .map(|name| format!("`{name}`"))
        .collect();
    names.sort_unstable();
    names.truncate(MOST_NAMES);
    UnknownReason::Unsupported(format!("what {} gives, in bits", names.join(", ")))
}

/// At most so many operations are named.
const MOST_NAMES: usize = 5;

/// Checks an invariant that no audit has looked at, with a proof of each of the solver's answers.
fn checked_in_bits(
    encoding: &Encoding<'_>,
    never: Lit,
    invariant: &sat::Invariant,
    budget: &Budget,
) -> Result<(), UnknownReason> {
    let checked = sat::check_invariant(&encoding.circuit, never, invariant, &Recheck, budget);
    checked.map_err(|rejection| match rejection {
        sat::Rejection::Limit => budget.exhausted(0).unwrap_or(UnknownReason::Time),
        rejection => {
            UnknownReason::NotReplayed(format!("the invariant was rejected ({rejection:?})"))
        }
    })
}

/// A run of the program before passes that violates the property, where one of the smaller
/// program was found: its choices may be wider than a search for a like run tries.
fn on_the_whole(
    original: &Program,
    property: PropertyId,
    run: &Run,
    (budget, progress, tuning): Means<'_>,
) -> Option<(Trace, Replay)> {
    let mut whole = original.clone();
    let asked = query(&mut whole, property).ok()?;
    let mut encoding = encode_whole_steps(&whole, budget).ok()?;
    let found = match asked {
        Query::Unreachable(_) => {
            let position = encoding.bads.iter().position(|&id| id == property)?;
            let options = sat::Options {
                // Calls of procedures take steps of their own here.
                first_depth: 3 * run.steps.len() + 20,
                induction_depth: 0,
                ic3: false,
                tuning,
                ..sat::Options::default()
            };
            let lit = encoding.circuit.bads[position].lit;
            match sat::check(&encoding.circuit, lit, &options, budget, progress) {
                sat::Answer::Refuted { run, .. } => run,
                _ => return None,
            }
        }
        Query::NoAcceptedRun(automaton) => {
            match no_run(&mut encoding, automaton, (budget, progress, tuning)).ok()? {
                Found::Run(run, _) => run,
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
    /// A run, and whether there may be a shorter one.
    Run(Run, bool),
    Proof(Proof),
    Nothing {
        reason: UnknownReason,
        reached: usize,
    },
}

/// Why there is no run of the kind that is asked about.
enum Proof {
    /// An invariant over latches, that keeps this from being reached. It is to be audited.
    States(sat::Invariant, Lit),
    /// By induction over several steps.
    Induction,
    /// All runs have been laid out; the longest has so many steps.
    AllRuns(usize),
    /// An invariant of a reduction, for runs for ever that this automaton accepts.
    Runs(Buchi<Lit>, sat::Reduction, sat::Invariant),
    /// The automaton accepts nothing.
    NoRun,
}

/// Limits, who is told how far it is, and what to do without.
pub(crate) type Means<'a> = (&'a Budget, &'a dyn Progress, sat::Tuning);

fn unsupported(error: &circuit::Unsupported) -> UnknownReason {
    UnknownReason::Unsupported(error.to_string())
}

/// Whether what is bad for the property can be reached.
fn never(
    encoding: &mut Encoding<'_>,
    words: &mut Wide,
    property: PropertyId,
    (budget, progress, tuning): Means<'_>,
) -> Result<Found, UnknownReason> {
    let position = encoding.bads.iter().position(|&id| id == property);
    let Some(position) = position else {
        let what = "what is asked, in bits".to_owned();
        return Err(UnknownReason::Unsupported(what));
    };
    let bad = encoding.circuit.bads[position].lit;
    let asked = encoding.circuit.bad_or_limit(position);
    let options = sat::Options {
        predicates: words.predicates.iter().map(|word| word.lit).collect(),
        data: words.data.clone(),
        numbers: words.numbers.clone(),
        control: (encoding.control()).map(|(at, moves)| sat::Control { at, moves }),
        // What is proved by induction over several steps has no invariant to be audited.
        induction_depth: 0,
        audited_later: true,
        tuning,
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
        sat::Answer::Refuted { run, by } => Found::Run(run, by == "unwinding"),
        sat::Answer::Proved {
            invariant, mined, ..
        } if invariant.depth == 0 => {
            words.predicates.extend(mined);
            Found::Proof(Proof::States(invariant, asked))
        }
        sat::Answer::Proved { .. } => Found::Proof(Proof::Induction),
        sat::Answer::AllRuns { longest, .. } => Found::Proof(Proof::AllRuns(longest)),
    })
}

/// Whether a fair run is accepted.
fn no_run(
    encoding: &mut Encoding<'_>,
    automaton: Buchi<ExprId>,
    (budget, progress, tuning): Means<'_>,
) -> Result<Found, UnknownReason> {
    if runs_may_be_missing(encoding) {
        let what = "runs that end, in bits".to_owned();
        return Err(UnknownReason::Unsupported(what));
    }
    if automaton.edges.iter().all(Vec::is_empty) {
        // It accepts nothing: what it is the negation of is true.
        return Ok(Found::Proof(Proof::NoRun));
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
        sat::FairAnswer::None { .. } if !within_limits(encoding, (budget, progress, tuning)) => {
            Found::Nothing {
                reason: UnknownReason::Overflow,
                reached: 0,
            }
        }
        sat::FairAnswer::None {
            invariant,
            reduction,
        } => Found::Proof(Proof::Runs(automaton, reduction, invariant)),
        sat::FairAnswer::Run { run, .. } => Found::Run(at_a_stable_state(encoding, run), false),
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
fn within_limits(encoding: &mut Encoding<'_>, (budget, progress, tuning): Means<'_>) -> bool {
    let limits = encoding.circuit.limits.clone();
    if limits.is_empty() {
        return true;
    }
    let beyond = encoding.circuit.aig.any(&limits);
    let options = sat::Options {
        tuning,
        ..sat::Options::default()
    };
    let answer = sat::check(&encoding.circuit, beyond, &options, budget, progress);
    matches!(
        answer,
        sat::Answer::Proved { .. } | sat::Answer::AllRuns { .. }
    )
}

/// Whether what the property is about can happen, for all that can be known.
fn is_triggered(
    encoding: &mut Encoding<'_>,
    property: PropertyId,
    means: Means<'_>,
) -> Result<bool, UnknownReason> {
    let Some(trigger) = encoding.program().properties[property.index()].trigger else {
        return Ok(true);
    };
    let Ok(lit) = encoding.atom(trigger) else {
        return Ok(true);
    };
    let lit = encoding.circuit.aig.and(lit, encoding.stable);
    let limits = encoding.circuit.limits.clone();
    let beyond = encoding.circuit.aig.any(&limits);
    let lit = encoding.circuit.aig.or(lit, beyond);
    can_be(encoding, lit, means)
}

/// Whether there is an initial state, for all that can be known.
fn has_initial_state(encoding: &Encoding<'_>, means: Means<'_>) -> Result<bool, UnknownReason> {
    let circuit = &encoding.circuit;
    if circuit.initial.is_empty() && circuit.state_constraints.is_empty() {
        return Ok(true);
    }
    can_be(encoding, Lit::TRUE, means)
}

/// Whether it is not known that something never holds. Where there was no time to find out, nobody
/// knows: with more time the answer might be another one.
fn can_be(
    encoding: &Encoding<'_>,
    lit: Lit,
    (budget, progress, tuning): Means<'_>,
) -> Result<bool, UnknownReason> {
    let options = sat::Options {
        tuning,
        ..sat::Options::default()
    };
    match sat::check(&encoding.circuit, lit, &options, budget, progress) {
        sat::Answer::Proved { .. } | sat::Answer::AllRuns { .. } => Ok(false),
        sat::Answer::Unknown { reason, .. } if is_shortage(&reason) => Err(reason),
        _ => Ok(true),
    }
}

/// Whether more time or memory might give an answer.
pub(crate) fn is_shortage(reason: &UnknownReason) -> bool {
    matches!(
        reason,
        UnknownReason::Time | UnknownReason::Memory | UnknownReason::Interrupted
    )
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
        return has_initial_state(encoding, means);
    }
    match sat::check_fair(circuit, None, means.0, means.1) {
        sat::FairAnswer::None { .. } if within_limits(encoding, means) => Ok(false),
        sat::FairAnswer::None { .. } => Err(UnknownReason::Overflow),
        sat::FairAnswer::Run { .. } => Ok(true),
        sat::FairAnswer::Unknown { reason, .. } => Err(reason),
    }
}

/// The clauses of an invariant that speak of numbers, for people.
fn facts(encoding: &Encoding<'_>, words: &[Predicate], invariant: &sat::Invariant) -> Vec<String> {
    let told = sat::predicates::tell(&encoding.circuit, invariant, words);
    let mut facts: Vec<String> = told.lines().map(str::to_owned).collect();
    facts.sort_by_key(String::len);
    facts.truncate(12);
    facts
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
    use std::time::Duration;

    use audit::{Atom, Rejected, Variable};
    use model::{
        Binary, GlobalId, Place, Program, Property, Strength, SyncAssign, Type, ValueSet,
        Variable as Declared,
    };

    use super::*;
    use crate::audits::DEARER;

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
        let six = program.exprs.int(6, ty.clone());
        let six = program.exprs.binary(Binary::Eq, now, six);
        let five = program.exprs.int(5, ty);
        let never = program.exprs.binary(Binary::Ne, now, five);
        let often = Ltl::always(Ltl::eventually(Ltl::Atom(six)));
        for (name, claim) in [
            ("never_five", Claim::Always(never)),
            ("often_six", Claim::Ltl(often)),
        ] {
            program.add_property(Property {
                name: name.to_owned(),
                text: name.to_owned(),
                span: source::Span::NONE,
                claim,
                trigger: None,
                observers: Vec::new(),
                assumptions: Vec::new(),
            });
        }
        program
    }

    /// What is said of a property in the end.
    fn said_of(property: usize, audits: &Audits<'_>) -> Outcome {
        let (budget, property) = (Budget::default(), PropertyId::new(property));
        prove_with(
            audits,
            &evens(),
            property,
            (&budget, &model::Silent, sat::Tuning::usual()),
        )
    }

    fn is_refused(outcome: &Outcome) -> bool {
        matches!(
            outcome.verdict,
            Verdict::Unknown {
                reason: UnknownReason::NotAudited(_),
                ..
            }
        )
    }

    fn bit(variable: usize, bit: u32) -> Atom {
        Atom::Bit {
            variable: Variable::Global(GlobalId::new(variable)),
            path: Vec::new(),
            bit,
        }
    }

    #[test]
    fn a_fact_that_nobody_names_is_found_audited_and_told() {
        let text = "MODULE main
            IVAR step : unsigned word[32];
            VAR x : unsigned word[32]; y : unsigned word[32];
            ASSIGN init(x) := 0ud32_1000; init(y) := 0ud32_993;
              next(x) := x + step; next(y) := y + step;
            INVARSPEC x = 0ud32_0 -> y > 0ud32_100;";
        let loaded = smv::load("m.smv", text, &smv::Options::default());
        let program = loaded.program.expect("a model");
        let (budget, property) = (Budget::default(), PropertyId::new(0));
        let outcome = prove(
            &program,
            property,
            (&budget, &model::Silent, sat::Tuning::usual()),
        );
        assert!(matches!(outcome.verdict, Verdict::Holds { .. }));
        assert!(matches!(outcome.audited, Audited::Yes));
        assert_eq!(outcome.facts, ["x == y + 7"]);
    }

    #[test]
    fn what_the_audits_accept_is_proved() {
        for property in 0..2 {
            let outcome = said_of(property, &Audits::new());
            assert!(matches!(outcome.verdict, Verdict::Holds { .. }));
            assert!(
                matches!(outcome.audited, Audited::Yes),
                "{:?}",
                outcome.audited
            );
        }
    }

    #[test]
    fn a_forged_invariant_proves_nothing() {
        let forgeries = [
            // Not kept, not enough, not so at first, about what is not there.
            vec![(bit(0, 1), false)],
            vec![(bit(0, 0), false), (bit(0, 0), true)],
            vec![(bit(0, 0), true)],
            vec![(bit(7, 0), true)],
        ];
        for forgery in forgeries {
            let forged = audit::Invariant::of_clauses([forgery.clone()]);
            let audits = Audits {
                states: &|program, bad, _, budget| audit::audit(program, bad, &forged, budget),
                ..Audits::new()
            };
            assert!(is_refused(&said_of(0, &audits)), "{forgery:?}");
        }
        let right = audit::Invariant::of_clauses([vec![(bit(0, 0), false)]]);
        let audits = Audits {
            states: &|program, bad, _, budget| audit::audit(program, bad, &right, budget),
            ..Audits::new()
        };
        assert!(!is_refused(&said_of(0, &audits)));
    }

    #[test]
    fn a_forged_invariant_of_runs_proves_nothing() {
        let forge: [&dyn Fn(&mut audit::RunInvariant); 2] =
            [&|said| said.clauses.clear(), &|said| {
                said.clauses = vec![Vec::new()];
            }];
        for forge in forge {
            let audits = Audits {
                runs: &|program, monitor, said, budget| {
                    let mut said = said.clone();
                    forge(&mut said);
                    audit::audit_runs(program, monitor, &said, budget)
                },
                ..Audits::new()
            };
            assert!(is_refused(&said_of(1, &audits)));
        }
    }

    #[test]
    fn an_audit_that_takes_more_than_the_proof_says_less() {
        let slow = Audits {
            states: &|_, _, _, budget| {
                while budget.exhausted(0).is_none() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(Rejected::Limit)
            },
            ..Audits::new()
        };
        let outcome = said_of(0, &slow);
        assert!(matches!(
            outcome.verdict,
            Verdict::Holds {
                strength: Strength::Unchecked,
                ..
            }
        ));
        assert_eq!(outcome.audited, Audited::Not(DEARER.to_owned()));
    }
}

//! Questions to decision diagrams: formulas of branching and linear time and invariants, all
//! those that share assumptions in one go.

use std::collections::HashMap;
use std::sync::Arc;

use circuit::{Encoding, Lit, encode};
use model::{
    Budget, Claim, Composition, ExprId, Program, Progress, PropertyId, Query, UnknownReason,
    VacuousReason, Verdict,
};

use crate::confirm::confirm;
use crate::engine::Engine;
use crate::outcome::Outcome;
use crate::portfolio::Board;
use crate::proof::{not_a_run, reading_where, runs_may_be_missing};
use crate::question::query;
use crate::stack::Stack;
use crate::strength::{Seen, without_violation};
use crate::time_slices::{Left, TimeSlice, in_time_slices};

/// Properties that are asked about in one go.
struct Group {
    properties: Vec<PropertyId>,
    /// Whether its properties have not been asked about each for itself: there may be far fewer
    /// variables that one of them depends on.
    has_parts: bool,
}

/// Answers properties with decision diagrams; those that share assumptions in one go, each group in
/// its turn.
pub(crate) fn check_sets(
    program: &Program,
    properties: &[PropertyId],
    options: symbolic::Options,
    (budget, progress): (&Budget, &dyn Progress),
    board: &Board<'_>,
) {
    let step = |mut group: Group, turn: &TimeSlice<'_>| {
        group
            .properties
            .retain(|&property| !board.is_settled(property));
        if group.properties.is_empty() {
            return Left::nothing();
        }
        let properties = &group.properties;
        let budget = board.budget_for(properties, turn.budget);
        let asked = budget.within(|| {
            let mut focused = passes::focus(program, properties);
            ask(
                program,
                &mut focused,
                properties,
                (&budget, progress, options),
                board,
            )
        });
        let short = match asked {
            Ok(Ok(short)) => short,
            Ok(Err(reason)) | Err(reason) => {
                for &property in properties {
                    board.put(Outcome::unknown(property, Engine::Symbolic, reason.clone()));
                }
                match reason {
                    UnknownReason::Time => group.properties,
                    _ => Vec::new(),
                }
            }
        };
        if short.is_empty() || turn.is_last {
            return Left::nothing();
        }
        let asked_anew = |properties| Group {
            properties,
            has_parts: false,
        };
        let parts = short.iter().filter(|_| group.has_parts);
        Left {
            parts: parts.map(|&property| asked_anew(vec![property])).collect(),
            again: vec![asked_anew(short)],
        }
    };
    let groups = by_assumptions(program, properties).into_iter();
    let groups = groups.map(|properties| Group {
        has_parts: properties.len() > 1,
        properties,
    });
    let limits = (1, budget, Stack::of(program));
    in_time_slices(groups.collect(), limits, &|group| group.has_parts, &step);
}

/// Properties that are judged under the same assumptions stand together.
fn by_assumptions(program: &Program, properties: &[PropertyId]) -> Vec<Vec<PropertyId>> {
    let mut groups: Vec<Vec<PropertyId>> = Vec::new();
    let of = |id: PropertyId| &program.properties[id.index()].assumptions;
    for &property in properties {
        match groups.iter_mut().find(|group| of(group[0]) == of(property)) {
            Some(group) => group.push(property),
            None => groups.push(vec![property]),
        }
    }
    groups
}

/// Asks about properties; those for which there was not time enough are given back.
fn ask(
    program: &Program,
    focused: &mut Program,
    properties: &[PropertyId],
    (budget, progress, options): (&Budget, &dyn Progress, symbolic::Options),
    board: &Board<'_>,
) -> Result<Vec<PropertyId>, UnknownReason> {
    let unsupported = |e: circuit::Unsupported| UnknownReason::Unsupported(e.to_string());
    // Negations and the like are made before the expressions are encoded.
    let queries: Vec<_> = properties
        .iter()
        .map(
            |&property| match focused.properties[property.index()].claim {
                Claim::Ctl(_) | Claim::Distance { .. } => Ok(None),
                Claim::Mu(_) => Err(cannot("the mu-calculus")),
                Claim::Bounded(_) => Err(cannot("growth")),
                _ => query(focused, property).map(Some),
            },
        )
        .collect();
    let mut encoding = encode(focused).map_err(unsupported)?;
    let bads: HashMap<PropertyId, Lit> = {
        let lits = encoding.circuit.bads.iter().map(|bad| bad.lit);
        encoding.bads.iter().copied().zip(lits).collect()
    };
    let mut asked = Vec::new();
    let mut formulas = Vec::new();
    for (&property, made) in properties.iter().zip(queries) {
        let formula = match made {
            // The formula itself is asked about; that it has no automaton may not matter.
            Err(why) if is_linear(encoding.program(), property) => {
                as_sets(&mut encoding, &bads, property, None).map_err(|_| why)
            }
            made => made.and_then(|made| as_sets(&mut encoding, &bads, property, made)),
        };
        match formula {
            Ok(formula) => {
                asked.push(property);
                formulas.push(formula);
            }
            Err(reason) => board.put(Outcome::unknown(property, Engine::Symbolic, reason)),
        }
    }
    if !encoding.unfair.is_empty() {
        let what = format!("fairness: {}", encoding.unfair.join(", "));
        return Err(UnknownReason::Unsupported(what));
    }
    // Whether what they are about ever happens.
    let triggers: Vec<Option<usize>> = asked
        .iter()
        .map(|&property| {
            let trigger = encoding.program().properties[property.index()].trigger?;
            let lit = encoding.atom(trigger).ok()?;
            let lit = encoding.circuit.aig.and(lit, encoding.stable);
            formulas.push(symbolic::Query::Never(lit));
            Some(formulas.len() - 1)
        })
        .collect();
    let answers = symbolic::check(&encoding.circuit, &formulas, options, budget, progress);
    let mut short = Vec::new();
    let never = |at: usize| answers.get(at).map(|answer| &answer.verdict);
    for ((&property, answer), trigger) in asked.iter().zip(&answers).zip(triggers) {
        let mut outcome = Outcome::unknown(property, Engine::Symbolic, UnknownReason::Interrupted);
        outcome.statistics = answer.statistics.clone();
        outcome.shared_by = asked.len();
        let triggered = match trigger.and_then(never) {
            Some(symbolic::Verdict::Holds | symbolic::Verdict::Vacuous) => Ok(false),
            Some(symbolic::Verdict::Unknown(reason)) => Err(reason.clone()),
            _ => Ok(true),
        };
        outcome.verdict = match &answer.verdict {
            symbolic::Verdict::Holds | symbolic::Verdict::Vacuous => match triggered {
                Ok(triggered) => {
                    let seen = Seen {
                        triggered,
                        some_fair_run: answer.verdict != symbolic::Verdict::Vacuous,
                        ..Seen::EVERYTHING
                    };
                    without_violation(program, property, seen)
                }
                Err(reason) => unknown(reason),
            },
            symbolic::Verdict::Undefined => Verdict::Vacuous {
                reason: VacuousReason::NeverTriggered,
            },
            symbolic::Verdict::Distance(distance) => Verdict::Measured {
                distance: *distance,
            },
            symbolic::Verdict::Unknown(reason) => unknown(reason.clone()),
            symbolic::Verdict::Counted(_) => unknown(UnknownReason::Unsupported(
                "an answer to another question".to_owned(),
            )),
            symbolic::Verdict::Fails(run) => {
                let trace = encoding.trace(run);
                match confirm(encoding.program(), property, &trace) {
                    Ok(replay) => {
                        outcome.replay = Some(replay);
                        Verdict::Fails {
                            trace: Arc::new(trace),
                        }
                    }
                    Err(error) => unknown(not_a_run(&encoding.approximated, error.to_string())),
                }
            }
        };
        if let Verdict::Unknown {
            reason: UnknownReason::Time,
            ..
        } = outcome.verdict
        {
            short.push(property);
        }
        board.put(outcome);
    }
    Ok(short)
}

fn unknown(reason: UnknownReason) -> Verdict {
    Verdict::Unknown {
        reason,
        possible: None,
    }
}

/// A property as a question about sets of states; `bads` is what must not be, in bits.
fn as_sets(
    encoding: &mut Encoding<'_>,
    bads: &HashMap<PropertyId, Lit>,
    property: PropertyId,
    query: Option<Query>,
) -> Result<symbolic::Query, UnknownReason> {
    let program = encoding.program();
    let missing = runs_may_be_missing(encoding);
    let everywhere = encoding.stable == Lit::TRUE;
    if !encoding.circuit.limits.is_empty() {
        return Err(cannot("numbers without bounds"));
    }
    match (&program.properties[property.index()].claim, query) {
        (Claim::Ctl(formula), _) if everywhere && !missing => {
            let mut atoms = Atoms::of(encoding);
            let formula = formula.map(&mut |atom: &ExprId| atoms.read(*atom));
            atoms.done(symbolic::Query::Branching(formula))
        }
        (Claim::Ctl(_), _) => Err(cannot("branching time over macro steps")),
        (Claim::Distance { longest, from, to }, _) if everywhere && !missing => {
            let mut atoms = Atoms::of(encoding);
            let from = from.map(&mut |atom: &ExprId| atoms.read(*atom));
            let to = to.map(&mut |atom: &ExprId| atoms.read(*atom));
            atoms.done(symbolic::Query::Distance {
                longest: *longest,
                from,
                to,
            })
        }
        (Claim::Distance { .. }, _) => Err(cannot("the length of paths of macro steps")),
        (Claim::Ltl(formula), _) if everywhere && !missing => {
            let mut atoms = Atoms::of(encoding);
            let formula = formula.map(|atom: &ExprId| atoms.read(*atom));
            atoms.done(symbolic::Query::Linear(formula))
        }
        (_, Some(Query::NoAcceptedRun(automaton))) => {
            if missing {
                return Err(cannot("runs that end"));
            }
            let mut atoms = Atoms::of(encoding);
            let automaton = automaton.map(|atom| atoms.read(atom));
            let automaton = reading_where(automaton, atoms.encoding.stable)?;
            atoms.done(symbolic::Query::NoRun(automaton))
        }
        // Where processes take turns, the circuit goes on where they cannot: whoever rests repeats its
        // state, and deadlocks are among what must not be.
        (_, Some(Query::Unreachable(model::Bad::Deadlock)))
            if matches!(program.composition, Composition::Synchronous(_)) =>
        {
            Ok(symbolic::Query::NoDeadlock)
        }
        (_, Some(Query::Unreachable(_))) => {
            let lit = bads.get(&property);
            let lit = lit.ok_or_else(|| cannot("what is asked, in bits"))?;
            Ok(symbolic::Query::Never(*lit))
        }
        (_, None | Some(Query::Explore)) => Err(cannot("what is asked")),
    }
}

fn is_linear(program: &Program, property: PropertyId) -> bool {
    matches!(program.properties[property.index()].claim, Claim::Ltl(_))
}

fn cannot(what: &str) -> UnknownReason {
    UnknownReason::Unsupported(what.to_owned())
}

/// The atoms of a formula as literals.
struct Atoms<'e, 'p> {
    encoding: &'e mut Encoding<'p>,
    error: Option<circuit::Unsupported>,
}

impl<'e, 'p> Atoms<'e, 'p> {
    fn of(encoding: &'e mut Encoding<'p>) -> Self {
        Atoms {
            encoding,
            error: None,
        }
    }

    fn read(&mut self, atom: ExprId) -> Lit {
        self.encoding.atom(atom).unwrap_or_else(|error| {
            self.error = Some(error);
            Lit::FALSE
        })
    }

    fn done<T>(self, made: T) -> Result<T, UnknownReason> {
        match self.error {
            None => Ok(made),
            Some(error) => Err(UnknownReason::Unsupported(error.to_string())),
        }
    }
}

//! Checks again that a property holds, without the search that found it out.
//!
//! Three ways, from the one that trusts least to the one that trusts most: an invariant is
//! [audited](recheck_proof) on the program before passes; all states are [gone through](interpreted)
//! on the reference interpreter, after passes; or the engine for explicit states [goes through
//! them](explored_again) once more.

use games::{Answer, Checker, Walked};
use logic::{Buchi, Cube};
use model::interp::{Interp, Violation};
use model::{
    Budget, Claim, ExprId, FairnessKind, Place, Program, PropertyId, Query, Silent, StateSet,
    StateSpace as _, Stmt, Strength, Type, Variable, VariableKind, Verdict,
};
use passes::{Pass, Selection, focus, pipeline};

use crate::check::{check, with_room};
use crate::engine::Engine;
use crate::evidence::Evidence;
use crate::options::Options;
use crate::outcome::Outcome;
use crate::question::query;
use crate::strength::{Seen, without_violation};

/// A property that was found to hold once more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rechecked {
    /// How far.
    pub strength: Strength,
    /// The assumptions under which it does, as texts.
    pub assumptions: Vec<String>,
    /// How many states were gone through; none if there is an invariant.
    pub states: u64,
}

/// Checks what proves a property: that an invariant is one, and that it rules out what violates the
/// property. Whether what the property is about happens at all is not looked at.
///
/// # Errors
/// Why it is not believed, in words that complete "it is refused: ".
pub fn recheck_proof(
    program: &Program,
    property: PropertyId,
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Rechecked, String> {
    with_room(program, || audited(program, property, evidence, budget))?;
    worth(program, property, Seen::EVERYTHING, 0)
}

/// Whether an audit believes what proves a property.
fn audited(
    program: &Program,
    property: PropertyId,
    evidence: &Evidence,
    budget: &Budget,
) -> Result<(), String> {
    let mut original = focus(program, &[property]);
    let asked = query(&mut original, property);
    let audit = match (evidence, asked) {
        (Evidence::States(invariant), Ok(Query::Unreachable(bad))) => {
            audit::audit(&original, &bad, invariant, budget)
        }
        (Evidence::AllRuns, Ok(Query::Unreachable(bad))) => {
            audit::audit_all_runs(&original, &bad, budget)
        }
        (Evidence::Runs(said), Ok(Query::NoAcceptedRun(automaton))) => audit::audit_runs(
            &original,
            &said.monitor(&automaton),
            &said.invariant,
            budget,
        ),
        _ => return Err("what is kept is no proof of a property of this kind".to_owned()),
    };
    audit.map_err(|rejected| rejected.to_string())
}

/// Goes through all states on the reference interpreter, which has no code in common with the engines,
/// after the passes that make a program smaller.
///
/// # Errors
/// Why that does not show the property, in words that complete "it is refused: ".
pub fn interpreted(
    program: &Program,
    property: PropertyId,
    budget: &Budget,
) -> Result<Rechecked, String> {
    with_room(program, || walked(program, property, budget))
}

/// The same, where there is room.
fn walked(program: &Program, property: PropertyId, budget: &Budget) -> Result<Rechecked, String> {
    let mut marked = focus(program, &[property]);
    let flags = flags(&mut marked);
    let mut passes = Selection::all();
    let claim = &marked.properties[property.index()].claim;
    if matches!(claim, Claim::Ltl(_) | Claim::Never(_)) {
        let Ok(Query::NoAcceptedRun(mut automaton)) = query(&mut marked, property) else {
            return Err(OTHER_KIND.to_owned());
        };
        // Passes see what the automaton reads.
        automaton.atoms.extend(&flags);
        if automaton.atoms.len() > Cube::MAX_ATOMS {
            return Err(OTHER_KIND.to_owned());
        }
        if !flags.is_empty() {
            // Each step by itself, so that it is seen which are taken.
            passes = Selection::of(&UNMERGED);
        }
        marked.properties[property.index()].claim = Claim::Never(automaton);
    }
    let small = pipeline(&marked, &[property], &passes).program;
    let claim = small.properties[property.index()].claim.clone();
    let automaton = match &claim {
        Claim::Never(automaton) => Some(automaton),
        _ => None,
    };
    let trigger = small.properties[property.index()].trigger;
    let mut conditions: Vec<ExprId> = trigger.into_iter().collect();
    if automaton.is_some() {
        conditions.extend(
            small
                .fairness
                .iter()
                .filter_map(|fairness| match fairness.kind {
                    FairnessKind::Justice(condition) => Some(condition),
                    _ => None,
                }),
        );
    }
    conditions.extend(automaton.iter().flat_map(|automaton| &automaton.atoms));
    if let Claim::Always(holds) = &claim {
        conditions.push(*holds);
    }
    conditions.sort_unstable();
    conditions.dedup();
    let walked = Walked::explore(&small, &conditions, budget, &Silent)
        .map_err(|_| "the states could not be gone through to their end".to_owned())?;
    let checker = Checker::new(&small, &walked);
    let (holds, some_fair_run) = match (&claim, automaton) {
        (_, Some(automaton)) => {
            // Passes may have written them otherwise.
            let flags = &automaton.atoms[automaton.atoms.len() - flags.len()..];
            let justice = justice(&small, &walked, flags)?;
            let accepts = |automaton: &Buchi<ExprId>| {
                let accepts = checker.accepts_some_run(automaton, &justice);
                accepts.map_err(|_| OTHER_KIND.to_owned())
            };
            (!accepts(automaton)?, accepts(&Buchi::universal())?)
        }
        (Claim::Always(holds), _) => (checker.always(*holds).answer == Answer::Clear, true),
        (Claim::Check(check), _) => {
            let never = checker.never(&|bad| bad == Violation::Check(*check));
            (never.answer == Answer::Clear, true)
        }
        (Claim::NoFault(faults), _) => {
            let is_one = |bad| matches!(bad, Violation::Fault(fault) if faults.contains(&fault));
            (checker.never(&is_one).answer == Answer::Clear, true)
        }
        _ => return Err(OTHER_KIND.to_owned()),
    };
    if !holds {
        return Err("the property does not hold".to_owned());
    }
    let states = walked.statistics().states;
    let triggered = trigger.is_none_or(|trigger| {
        let happens = walked.holding(trigger);
        happens.is_some_and(|happens| !happens.is_empty())
    });
    let seen = Seen {
        sampled: walked.is_sampled(),
        triggered,
        some_fair_run: some_fair_run && states > 0,
    };
    worth(program, property, seen, states)
}

const OTHER_KIND: &str = "a property of this kind cannot be checked state by state";

/// The passes that leave each step by itself.
const UNMERGED: [Pass; 6] = [
    Pass::Inline,
    Pass::Fold,
    Pass::Slice,
    Pass::WriteOnly,
    Pass::Dead,
    Pass::Bounds,
];

/// Adds a variable for each constraint of weak fairness, which says at the end of a macro step whether
/// one of its steps has been taken in it.
fn flags(program: &mut Program) -> Vec<ExprId> {
    let mut flags = Vec::new();
    for fairness in program.fairness.clone() {
        let FairnessKind::Weak(steps) = fairness.kind else {
            continue;
        };
        let taken = program.add_global(Variable {
            kind: VariableKind::Step,
            ..Variable::new("taken", Type::Bool)
        });
        let yes = program.exprs.bool(true);
        for (process, step) in steps {
            let step = &mut program.processes[process.index()].steps[step.index()];
            step.body.insert(0, Stmt::Assign(Place::global(taken), yes));
        }
        flags.push(program.exprs.load(Place::global(taken), Type::Bool));
    }
    flags
}

/// For each fairness constraint the states that a fair run is in infinitely often. Weak fairness: one
/// of the steps has just been taken, or none of them is possible.
fn justice(program: &Program, walked: &Walked, flags: &[ExprId]) -> Result<Vec<StateSet>, String> {
    let interp = Interp::new(program);
    let mut flags = flags.iter();
    let states = u32::try_from(walked.graph().len()).expect("states are numbered in 32 bits");
    let mut all = Vec::new();
    for fairness in &program.fairness {
        let holding = |condition: ExprId| {
            let set = walked.holding(condition).cloned();
            set.ok_or_else(|| OTHER_KIND.to_owned())
        };
        all.push(match &fairness.kind {
            FairnessKind::Justice(condition) => holding(*condition)?,
            FairnessKind::Weak(steps) => {
                let mut often = holding(*flags.next().ok_or(OTHER_KIND)?)?;
                for vertex in 0..states {
                    if !interp.any_enabled(&walked.state(vertex), steps) {
                        often.add(vertex);
                    }
                }
                often
            }
            _ => return Err("fairness of this kind cannot be checked state by state".to_owned()),
        });
    }
    Ok(all)
}

/// What it is worth that nothing violates a property.
fn worth(
    program: &Program,
    property: PropertyId,
    seen: Seen,
    states: u64,
) -> Result<Rechecked, String> {
    held(program, &without_violation(program, property, seen), states)
}

/// What a verdict says, if it is that a property holds.
fn held(program: &Program, verdict: &Verdict, states: u64) -> Result<Rechecked, String> {
    match verdict {
        Verdict::Holds {
            strength: strength @ (Strength::Proved | Strength::Exhausted),
            assumptions,
        } => Ok(Rechecked {
            strength: *strength,
            assumptions: assumptions
                .iter()
                .map(|id| program.assumptions[id.index()].text.clone())
                .collect(),
            states,
        }),
        Verdict::Vacuous { .. } => Err("the property says nothing: it is vacuous".to_owned()),
        Verdict::Fails { .. } => Err("the property does not hold".to_owned()),
        _ => Err("whether the property holds is not known".to_owned()),
    }
}

/// Has an engine go through all states again, for all these properties together; for each, in their
/// order, what came of it. The engine that proves is not asked: it would search.
#[must_use]
pub fn explored_again(
    program: &Program,
    properties: &[(PropertyId, Engine)],
    budget: &Budget,
) -> Vec<Result<Rechecked, String>> {
    let mut found: Vec<Outcome> = Vec::new();
    for engine in Engine::ALL {
        let mine = properties.iter().filter(|(_, by)| *by == engine);
        let names: Vec<String> = mine
            .map(|(id, _)| program.properties[id.index()].name.clone())
            .collect();
        if engine == Engine::Sat || names.is_empty() {
            continue;
        }
        let options = Options {
            only: Some(names),
            timeout: budget
                .deadline
                .map(|until| until.saturating_duration_since(std::time::Instant::now())),
            memory: budget.memory,
            stop: budget.stop.clone(),
            engine: Some(engine),
            ..Options::default()
        };
        found.extend(check(program, &options, &Silent));
    }
    let of = |&(property, _): &(PropertyId, Engine)| {
        let outcome = found.iter().find(|outcome| outcome.property == property);
        let outcome = outcome.ok_or("an engine that searches is no check of a search")?;
        held(program, &outcome.verdict, outcome.statistics.states)
    };
    properties.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found by going through states on the interpreter, for each property of a model.
    fn of(program: &Program) -> Vec<Result<Rechecked, String>> {
        let all = (0..program.properties.len()).map(PropertyId::new);
        all.map(|property| interpreted(program, property, &Budget::default()))
            .collect()
    }

    #[test]
    fn the_interpreter_says_what_the_engines_say() {
        let models = [
            "VAR n : 0..3; go : boolean;
             ASSIGN init(n) := 0; next(n) := go ? (n + 1) mod 4 : n;
             FAIRNESS go;
             LTLSPEC G F n = 2; LTLSPEC F G n = 2; INVARSPEC n <= 3; INVARSPEC n < 3;",
            "VAR n : 0..3; go : boolean;
             ASSIGN init(n) := 0; next(n) := go ? (n + 1) mod 4 : n;
             LTLSPEC G F n = 2; LTLSPEC n = 0; LTLSPEC n = 1; LTLSPEC X n < 2;
             LTLSPEC G (n = 1 -> X (n = 1 | n = 2));",
            "VAR a : boolean; ASSIGN next(a) := !a; FAIRNESS FALSE; LTLSPEC G F a;",
        ];
        let mut decided = 0;
        for model in models {
            let text = format!("MODULE main {model}");
            let loaded = smv::load("m.smv", &text, &smv::Options::default());
            let program = loaded.program.expect("a model");
            let outcomes = check(&program, &Options::default(), &Silent);
            for (outcome, again) in outcomes.iter().zip(of(&program)) {
                let holds = matches!(outcome.verdict, Verdict::Holds { .. });
                let name = &program.properties[outcome.property.index()].text;
                assert_eq!(again.is_ok(), holds, "{name} of {model}: {again:?}");
                decided += 1;
            }
        }
        assert_eq!(decided, 10);
    }

    #[test]
    fn an_assertion_is_looked_at_on_every_way() {
        for (most, holds) in [(5, true), (4, false)] {
            let text = format!(
                "byte n; active proctype p() {{ do :: n < 5 -> n++ :: break od; assert(n <= {most}) }}"
            );
            let loaded = promela::load("m.pml", &text, &promela::Options::default());
            let program = loaded.program.expect("a model");
            let mut names = program.properties.iter();
            let place = names.position(|property| property.name == "assertions");
            let found = of(&program).swap_remove(place.expect("it is asked"));
            assert_eq!(found.is_ok(), holds, "{found:?}");
        }
    }

    #[test]
    fn an_engine_that_searches_is_not_asked() {
        let text = "MODULE main VAR a : boolean; INVARSPEC a | !a;";
        let loaded = smv::load("m.smv", text, &smv::Options::default());
        let program = loaded.program.expect("a model");
        let budget = Budget::default();
        let by = |engine| {
            let asked = [(PropertyId::new(0), engine)];
            explored_again(&program, &asked, &budget).swap_remove(0)
        };
        assert!(by(Engine::Explicit).is_ok());
        assert!(by(Engine::Sat).is_err());
    }
}

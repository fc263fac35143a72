//! What follows from definitions, as rules.
//!
//! Where it is known whether a predicate holds, its definition says something of what it reads: if
//! nobody is pointed to twice, a second pointer to somebody does not exist. Each clause of a definition
//! is such a rule for each of its literals (*closure* of the rules, Sagiv, Reps and Wilhelm 2002,
//! section 6.4). Of transitive closure, that it is transitive, and more where steps are a function's.

use model::PredicateId;
use model::predicates::{Formula, Head, PredicateProgram, Var};

/// A rule: how many variables are free, when it applies, and what it says.
pub(crate) type Consequence = (usize, Formula, Head);

/// A formula, or its negation if that is false.
type Literal = (Formula, bool);

/// A predicate that is the closure of another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) predicate: PredicateId,
    pub(crate) step: PredicateId,
    /// Whether it holds for each individual and itself.
    pub(crate) reflexive: bool,
}

/// The predicates that are closures of others.
pub(crate) fn ways(program: &PredicateProgram) -> Vec<Way> {
    let ways = program.defined().filter_map(|(predicate, arity, formula)| {
        let (step, reflexive) = match formula {
            Formula::Or(parts) => match parts.as_slice() {
                [Formula::Equal(0, 1) | Formula::Equal(1, 0), way]
                | [way, Formula::Equal(0, 1) | Formula::Equal(1, 0)] => (step_of(way)?, true),
                _ => return None,
            },
            way => (step_of(way)?, false),
        };
        (arity == 2).then_some(Way {
            predicate,
            step,
            reflexive,
        })
    });
    ways.collect()
}

/// The predicate of which a formula of the variables 0 and 1 is the closure.
fn step_of(formula: &Formula) -> Option<PredicateId> {
    match formula {
        Formula::Closure {
            ends: [0, 1],
            step,
            edge,
        } => match &**edge {
            Formula::Holds(predicate, arguments) if arguments[..] == step[..] => Some(*predicate),
            _ => None,
        },
        _ => None,
    }
}

/// All that follows.
pub(crate) fn consequences(program: &PredicateProgram) -> Vec<Consequence> {
    let mut found = Vec::new();
    for (predicate, arity, definition) in program.defined() {
        for positive in [true, false] {
            let own = Formula::Holds(predicate, (0..arity).collect());
            let mut all = Vec::new();
            clauses(definition, positive, &[], &mut all);
            for (pulled, clause) in all {
                let guard = signed(own.clone(), positive);
                rules(arity, &guard, &pulled, &clause, &mut found);
            }
        }
    }
    for way in ways(program) {
        along(way, program.predicate(way.step).unique, &mut found);
    }
    found
}

/// The clauses of a formula, or of its negation, each with the variables that stand for all.
fn clauses(
    formula: &Formula,
    positive: bool,
    pulled: &[Var],
    found: &mut Vec<(Vec<Var>, Vec<Literal>)>,
) {
    match (formula, positive) {
        (Formula::Not(inner), _) => clauses(inner, !positive, pulled, found),
        (Formula::And(parts), true) | (Formula::Or(parts), false) => {
            parts
                .iter()
                .for_each(|part| clauses(part, positive, pulled, found));
        }
        (Formula::Forall(variable, inner), true) | (Formula::Exists(variable, inner), false)
            if !pulled.contains(variable) =>
        {
            clauses(inner, positive, &[pulled, &[*variable]].concat(), found);
        }
        _ => {
            let (mut pulled, mut clause) = (pulled.to_vec(), Vec::new());
            literals(formula, positive, &mut pulled, &mut clause);
            found.push((pulled, clause));
        }
    }
}

fn literals(formula: &Formula, positive: bool, pulled: &mut Vec<Var>, found: &mut Vec<Literal>) {
    match (formula, positive) {
        (Formula::Not(inner), _) => literals(inner, !positive, pulled, found),
        (Formula::Or(parts), true) | (Formula::And(parts), false) => {
            parts
                .iter()
                .for_each(|part| literals(part, positive, pulled, found));
        }
        (Formula::Forall(variable, inner), true) | (Formula::Exists(variable, inner), false)
            if !pulled.contains(variable) =>
        {
            pulled.push(*variable);
            literals(inner, positive, pulled, found);
        }
        _ => found.push((formula.clone(), positive)),
    }
}

/// The rule for each literal of a clause: it holds if no other one does.
fn rules(
    arity: usize,
    guard: &Formula,
    pulled: &[Var],
    clause: &[Literal],
    found: &mut Vec<Consequence>,
) {
    // What stands for all must not be bound again: the rule would be about others.
    if clause.iter().any(|(literal, _)| binds(literal, pulled)) {
        return;
    }
    // Free variables come first.
    let free = arity + pulled.len();
    let name = |variable: Var| match pulled.iter().position(|&one| one == variable) {
        Some(place) => arity + place,
        None if variable < arity => variable,
        None => free + variable,
    };
    for (place, (literal, positive)) in clause.iter().enumerate() {
        let head = match literal.mapped(&name) {
            Formula::Holds(predicate, arguments) => Head::Literal(predicate, arguments, *positive),
            Formula::Equal(a, b) if a != b => Head::Equal(a, b, *positive),
            _ => continue,
        };
        let others = clause
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != place);
        let others = others.map(|(_, (other, positive))| signed(other.mapped(&name), !positive));
        let body = std::iter::once(guard.clone()).chain(others).collect();
        found.push((free, Formula::all(body), head));
    }
}

/// Whether a formula binds one of these variables.
fn binds(formula: &Formula, variables: &[Var]) -> bool {
    match formula {
        Formula::Value(_) | Formula::Holds(..) | Formula::Equal(..) => false,
        Formula::Not(inner) => binds(inner, variables),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|one| binds(one, variables)),
        Formula::If(parts) => parts.iter().any(|one| binds(one, variables)),
        Formula::Exists(bound, inner) | Formula::Forall(bound, inner) => {
            variables.contains(bound) || binds(inner, variables)
        }
        Formula::Closure { step, edge, .. } => {
            step.iter().any(|one| variables.contains(one)) || binds(edge, variables)
        }
    }
}

fn signed(formula: Formula, positive: bool) -> Formula {
    if positive {
        formula
    } else {
        Formula::not(formula)
    }
}

/// What is true of ways.
fn along(way: Way, function: bool, found: &mut Vec<Consequence>) {
    let reaches = |a, b| Formula::Holds(way.predicate, vec![a, b]);
    let step = |a, b| Formula::Holds(way.step, vec![a, b]);
    let not = Formula::not;
    let head = |a, b, positive| Head::Literal(way.predicate, vec![a, b], positive);
    let no_step = |a, b| Head::Literal(way.step, vec![a, b], false);
    let mut rule = |free, body: Vec<Formula>, head| found.push((free, Formula::all(body), head));
    rule(2, vec![not(reaches(0, 1))], no_step(0, 1));
    rule(3, vec![reaches(0, 1), reaches(1, 2)], head(0, 2, true));
    rule(
        3,
        vec![reaches(0, 1), not(reaches(0, 2))],
        head(1, 2, false),
    );
    rule(
        3,
        vec![reaches(1, 2), not(reaches(0, 2))],
        head(0, 1, false),
    );
    if way.reflexive {
        rule(1, Vec::new(), head(0, 0, true));
    }
    if !function {
        return;
    }
    // Of two that one reaches, one reaches the other.
    let two = vec![reaches(0, 1), reaches(0, 2), not(reaches(1, 2))];
    let apart = |a, b| not(Formula::Equal(a, b));
    let more = match way.reflexive {
        true => Vec::new(),
        false => vec![apart(1, 2)],
    };
    rule(3, [two, more].concat(), head(2, 1, true));
    // Who goes on to somebody goes by the only step.
    let further = match way.reflexive {
        true => apart(0, 2),
        false => apart(1, 2),
    };
    let (long, first, rest) = (reaches(0, 2), step(0, 1), reaches(1, 2));
    rule(
        3,
        vec![further.clone(), long.clone(), first.clone()],
        head(1, 2, true),
    );
    rule(
        3,
        vec![further.clone(), first, not(rest.clone())],
        head(0, 2, false),
    );
    rule(3, vec![further, long, not(rest)], no_step(0, 1));
}

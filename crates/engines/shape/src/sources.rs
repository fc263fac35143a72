//! What follows for predicates that say what is reached from a source.
//!
//! `r(v)` may be defined as: from the individual that `x` names, steps of `next` lead to `v`. Of two such
//! predicates, where one's source is the other's, or one step behind it, they hold for the same
//! individuals; and what is reached goes on with each step. Their definitions say so, too, but only by the ways between
//! individuals, of which less is known (compare A. Loginov, T. Reps, M. Sagiv, *Abstraction Refinement via
//! Inductive Learning*, 2005, where such facts are kept by predicates of two).

use model::PredicateId;
use model::predicates::{Formula, Head, PredicateProgram, Var};

use crate::consequences::Consequence;

/// A predicate that holds for what is reached from a source, which is its last argument.
struct Reached {
    predicate: PredicateId,
    /// The predicate that names the source; of two it does so for the first argument. It names one at
    /// most.
    source: PredicateId,
    /// Whether there is a first argument.
    of: bool,
    /// What else has to hold of the first argument, the variable 0.
    guard: Vec<Formula>,
    /// Whether the source itself is reached.
    itself: bool,
    /// The predicates of steps: each way has steps of one.
    steps: Vec<PredicateId>,
}

/// What follows.
pub(crate) fn consequences(program: &PredicateProgram) -> Vec<Consequence> {
    let all: Vec<Reached> = program
        .defined()
        .filter_map(|(predicate, arity, definition)| {
            Reached::new(program, (predicate, arity), definition)
        })
        .collect();
    // Steps that few have in common say little of the others.
    let having = |step: &PredicateId| all.iter().filter(|one| one.steps.contains(step)).count();
    let most = all.iter().flat_map(|one| &one.steps).map(having).max();
    let common = |step: &&PredicateId| Some(having(step)) == most;
    let mut found = Vec::new();
    for (number, one) in all.iter().enumerate() {
        let steps = one.steps.iter().filter(common);
        steps.for_each(|&step| one.goes_on(step, &mut found));
        for (_, other) in all.iter().enumerate().filter(|(place, _)| *place != number) {
            one.at_same_source(other, &mut found);
            for &step in one
                .steps
                .iter()
                .filter(common)
                .filter(|step| other.steps.contains(step))
            {
                one.at_next_source(other, step, program.predicate(step).unique, &mut found);
            }
        }
    }
    found
}

impl Reached {
    fn new(
        program: &PredicateProgram,
        (predicate, arity): (PredicateId, usize),
        definition: &Formula,
    ) -> Option<Reached> {
        let of = match arity {
            1 => false,
            2 => true,
            _ => return None,
        };
        let target = arity - 1;
        let mut parts = match definition {
            Formula::And(parts) => parts.clone(),
            other => vec![other.clone()],
        };
        let place = parts
            .iter()
            .position(|part| matches!(part, Formula::Exists(..)))?;
        let Formula::Exists(bound, inner) = parts.remove(place) else {
            return None;
        };
        let simple =
            |part: &Formula| matches!(part, Formula::Holds(_, all) if of && all[..] == [0]);
        if !parts.iter().all(simple) {
            return None;
        }
        let Formula::And(inner) = *inner else {
            return None;
        };
        let [Formula::Holds(source, arguments), way] = inner.as_slice() else {
            return None;
        };
        let named = if of { vec![0, bound] } else { vec![bound] };
        if !program.predicate(*source).unique || *arguments != named {
            return None;
        }
        let mut reached = Reached {
            predicate,
            source: *source,
            of,
            guard: parts,
            itself: false,
            steps: Vec::new(),
        };
        (reached.reads(way, [bound, target]) && !reached.steps.is_empty()).then_some(reached)
    }

    /// Reads a disjunction of ways; says whether it is one.
    fn reads(&mut self, way: &Formula, [from, to]: [Var; 2]) -> bool {
        match way {
            Formula::Or(parts) => parts.iter().all(|part| self.reads(part, [from, to])),
            Formula::Equal(a, b) if [*a, *b] == [from, to] || [*b, *a] == [from, to] => {
                self.itself = true;
                true
            }
            Formula::Closure { ends, step, edge } if *ends == [from, to] => match &**edge {
                Formula::Holds(one, arguments) if arguments[..] == step[..] => {
                    self.steps.push(*one);
                    true
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Who is reached from the source of the variable `of`.
    fn reaches(&self, of: Var, target: Var) -> Formula {
        Formula::Holds(self.predicate, self.arguments(of, target))
    }

    fn arguments(&self, of: Var, last: Var) -> Vec<Var> {
        if self.of { vec![of, last] } else { vec![last] }
    }

    /// That an individual is the source, and what has to hold beside.
    fn begins(&self, of: Var, source: Var) -> Vec<Formula> {
        let named = Formula::Holds(self.source, self.arguments(of, source));
        let guard = self.guard.iter().map(|part| part.renamed(0, of));
        std::iter::once(named).chain(guard).collect()
    }

    /// That ways from the source have steps of these only.
    fn only(&self, source: Var, steps: &[PredicateId]) -> Vec<Formula> {
        let others = self.steps.iter().filter(|step| !steps.contains(step));
        let none = others.map(|&step| {
            let onward = Formula::Holds(step, vec![source, ANY]);
            Formula::not(Formula::Exists(ANY, Box::new(onward)))
        });
        none.collect()
    }

    /// Whoever is reached, so is who comes next.
    fn goes_on(&self, step: PredicateId, found: &mut Vec<Consequence>) {
        let [of, source, before, target] = [0, 1, 2, 3];
        let mut given = self.begins(of, source);
        given.extend(self.only(source, &[step]));
        given.push(self.reaches(of, before));
        given.push(Formula::Holds(step, vec![before, target]));
        imply(&given, &self.reaches(of, target), found);
    }

    /// What one reaches, the other does from the same source.
    fn at_same_source(&self, other: &Reached, found: &mut Vec<Consequence>) {
        let [of, source, of_other, target] = [0, 1, 2, 3];
        if self.itself && !other.itself {
            return;
        }
        let mut given = self.begins(of, source);
        given.extend(other.begins(of_other, source));
        given.extend(self.only(source, &other.steps));
        given.push(self.reaches(of, target));
        imply(&given, &other.reaches(of_other, target), found);
    }

    /// What one reaches beyond its source, the other does from a step behind it.
    fn at_next_source(
        &self,
        other: &Reached,
        step: PredicateId,
        function: bool,
        found: &mut Vec<Consequence>,
    ) {
        let [of, source, next, of_other, target] = [0, 1, 2, 3, 4];
        let mut given = self.begins(of, source);
        given.push(Formula::Holds(step, vec![source, next]));
        given.extend(other.begins(of_other, next));
        let (own, others) = (self.reaches(of, target), other.reaches(of_other, target));
        let mut back = [&given[..], &other.only(next, &[step])].concat();
        back.push(others.clone());
        imply(&back, &own, found);
        if function && other.itself {
            given.extend(self.only(source, &[step]));
            given.push(own);
            if self.itself {
                given.push(Formula::not(Formula::Equal(target, source)));
            }
            imply(&given, &others, found);
        }
    }
}

/// A bound variable.
const ANY: Var = 9;

/// The rule that something follows if all of these hold. Its variables are numbered anew, without gaps.
fn imply(given: &[Formula], then: &Formula, found: &mut Vec<Consequence>) {
    let mut used = [false; ANY];
    for formula in given.iter().chain([then]) {
        for (variable, used) in used.iter_mut().enumerate() {
            *used |= formula.renamed(variable, Var::MAX) != *formula;
        }
    }
    let before = |variable: Var| used[..variable].iter().filter(|used| **used).count();
    if let Formula::Holds(predicate, arguments) = then.mapped(&before) {
        let body = given.iter().map(|part| part.mapped(&before)).collect();
        let head = Head::Literal(predicate, arguments, true);
        found.push((before(ANY), Formula::all(body), head));
    }
}

#[cfg(test)]
mod tests {
    use model::predicates::{Kleene, Predicate, Structure};
    use source::Span;

    use super::*;

    fn id(number: usize) -> PredicateId {
        PredicateId::new(number)
    }

    fn predicate(arity: usize, unique: bool, definition: Option<Formula>) -> Predicate {
        Predicate {
            name: String::new(),
            arity,
            abstraction: false,
            unique,
            injective: false,
            definition,
            span: Span::NONE,
        }
    }

    /// What is reached from a source by steps of some predicates.
    fn reached(source: usize, of: bool, itself: bool, steps: &[usize]) -> Predicate {
        let (target, from) = (usize::from(of), 2);
        let mut ways: Vec<Formula> = Vec::new();
        for &step in steps {
            if itself {
                ways.push(Formula::Equal(from, target));
            }
            ways.push(Formula::Closure {
                ends: [from, target],
                step: [3, 4],
                edge: Box::new(Formula::Holds(id(step), vec![3, 4])),
            });
        }
        let named = if of { vec![0, from] } else { vec![from] };
        let inner = Formula::And(vec![Formula::Holds(id(source), named), Formula::Or(ways)]);
        let some = Formula::Exists(from, Box::new(inner));
        let definition = match of {
            true => Formula::And(vec![Formula::Holds(id(6), vec![0]), some]),
            false => some,
        };
        predicate(1 + target, false, Some(definition))
    }

    /// Two sources of none, two of one, a function, a relation, a guard, and what is reached.
    fn program() -> PredicateProgram {
        let mut predicates = vec![
            predicate(1, true, None),
            predicate(1, true, None),
            predicate(2, true, None),
            predicate(2, true, None),
            predicate(2, true, None),
            predicate(2, false, None),
            predicate(1, false, None),
        ];
        for (source, of) in [(0, false), (1, false), (2, true), (3, true)] {
            for itself in [false, true] {
                for steps in [&[4][..], &[5], &[4, 5]] {
                    predicates.push(reached(source, of, itself, steps));
                }
            }
        }
        PredicateProgram {
            predicates,
            ..PredicateProgram::default()
        }
    }

    #[test]
    fn what_follows_is_so() {
        let program = program();
        let rules = consequences(&program);
        let (mut seed, mut applied) = (1_u64, vec![0_u64; rules.len()]);
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from(seed >> 33).unwrap_or_default() % below
        };
        for _ in 0..200 {
            let size = 1 + random(4);
            let mut state = Structure::new(&program.predicates, vec![false; size]);
            for source in [0, 1] {
                if random(5) > 0 {
                    state.set(id(source), &[random(size)], Kleene::True);
                }
            }
            for function in [2, 3, 4] {
                for one in 0..size {
                    if random(4) > 0 {
                        state.set(id(function), &[one, random(size)], Kleene::True);
                    }
                }
            }
            for one in 0..size {
                state.set(id(6), &[one], Kleene::of(random(4) > 0));
                if random(3) == 0 {
                    state.set(id(5), &[one, random(size)], Kleene::True);
                }
            }
            state.define(&program);
            for (number, (free, body, head)) in rules.iter().enumerate() {
                let all = size.pow(u32::try_from(*free).expect("a rule has few variables"));
                for tuple in 0..all {
                    let mut assignment = state.arguments(tuple, *free);
                    assignment.resize(free + 1, 0);
                    if state.value(body, &mut assignment) == Kleene::True {
                        applied[number] += 1;
                        let said = state.value(&head.formula(), &mut assignment);
                        assert_eq!(said, Kleene::True, "{body:?} ==> {head:?}");
                    }
                }
            }
        }
        assert!(rules.len() > 200, "{}", rules.len());
        let never = applied.iter().filter(|times| **times == 0).count();
        assert!(never * 10 < rules.len(), "{never} of {}", rules.len());
    }
}

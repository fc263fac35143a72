//! What follows for predicates that say what is reached from a source, for the audit of sets of structures.
//!
//! Such a predicate holds for `v` if there is a way from the only individual that its source names, in steps
//! of one predicate, to `v`. Two of them agree on individuals where one begins at the source of the other, or
//! one step behind it.

use model::PredicateId;
use model::predicates::{Formula, Head, PredicateProgram, Var};

use crate::rules::Rule;

/// A predicate of what is reached.
struct Reach<'p> {
    predicate: PredicateId,
    source: PredicateId,
    /// How many arguments the predicate has, and its source: the last ones are the individuals that are
    /// reached, and where ways begin.
    arity: usize,
    /// What its only other argument has to be.
    guards: Vec<PredicateId>,
    /// Whether where ways begin is reached.
    reflexive: bool,
    steps: Vec<PredicateId>,
    program: &'p PredicateProgram,
}

/// The individual that a bound variable stands for.
const SOME: Var = 8;

/// The rules for all pairs of such predicates.
pub(crate) fn rules(program: &PredicateProgram) -> Vec<Rule> {
    let all: Vec<Reach<'_>> = program
        .defined()
        .filter_map(|(predicate, arity, definition)| reach(program, predicate, arity, definition))
        .collect();
    let frequency = |step: PredicateId| all.iter().filter(|one| one.steps.contains(&step)).count();
    let steps = all.iter().flat_map(|one| one.steps.iter().copied());
    let most = steps.map(frequency).max();
    let mut rules = Vec::new();
    for (place, one) in all.iter().enumerate() {
        let mut steps = one.steps.clone();
        steps.retain(|&step| Some(frequency(step)) == most);
        for &step in &steps {
            // `x`, the beginning, somebody who is reached, and who comes next.
            let [x, begin, at, next] = [0, 1, 2, 3];
            let mut body = one.begins(x, begin);
            body.extend(one.goes_only(begin, &[step]));
            body.push(one.reached(x, at));
            body.push(Formula::Holds(step, vec![at, next]));
            rules.push(rule(&body, &one.reached(x, next)));
        }
        for (other_place, other) in all.iter().enumerate() {
            if place != other_place {
                one.same_source(other, &mut rules);
                for &step in steps.iter().filter(|step| other.steps.contains(step)) {
                    one.a_step_before(other, step, &mut rules);
                }
            }
        }
    }
    rules
}

fn reach<'p>(
    program: &'p PredicateProgram,
    predicate: PredicateId,
    arity: usize,
    definition: &Formula,
) -> Option<Reach<'p>> {
    let parts = match definition {
        Formula::And(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    let mut guards = Vec::new();
    let mut some = None;
    for part in parts {
        match part {
            Formula::Exists(bound, inner) if some.is_none() => some = Some((*bound, &**inner)),
            Formula::Holds(guard, of) if arity == 2 && of[..] == [0] => guards.push(*guard),
            _ => return None,
        }
    }
    let (begin, inner) = some?;
    let Formula::And(inner) = inner else {
        return None;
    };
    let [Formula::Holds(source, of), ways] = inner.as_slice() else {
        return None;
    };
    let named = match (arity, of.as_slice()) {
        (1, &[one]) => one == begin,
        (2, &[of, one]) => of == 0 && one == begin,
        _ => false,
    };
    let mut found = Reach {
        predicate,
        source: *source,
        arity,
        guards,
        reflexive: false,
        steps: Vec::new(),
        program,
    };
    let only = program.predicate(*source).unique;
    let fits = named && only && found.read(ways, begin, arity - 1) && !found.steps.is_empty();
    fits.then_some(found)
}

impl Reach<'_> {
    /// Reads that there is a way; says whether it is that and nothing else.
    fn read(&mut self, ways: &Formula, begin: Var, end: Var) -> bool {
        match ways {
            Formula::Or(all) => all.iter().all(|one| self.read(one, begin, end)),
            Formula::Equal(a, b) if (*a, *b) == (begin, end) || (*b, *a) == (begin, end) => {
                self.reflexive = true;
                true
            }
            Formula::Closure { ends, step, edge } if *ends == [begin, end] => match &**edge {
                Formula::Holds(one, arguments) if arguments[..] == step[..] => {
                    self.steps.push(*one);
                    true
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn atom(&self, predicate: PredicateId, x: Var, last: Var) -> Formula {
        let both = [x, last];
        Formula::Holds(predicate, both[2 - self.arity..].to_vec())
    }

    fn reached(&self, x: Var, end: Var) -> Formula {
        self.atom(self.predicate, x, end)
    }

    /// Ways begin at an individual.
    fn begins(&self, x: Var, begin: Var) -> Vec<Formula> {
        let guards = self.guards.iter().map(|&one| Formula::Holds(one, vec![x]));
        guards.chain([self.atom(self.source, x, begin)]).collect()
    }

    /// A way from an individual has no steps but these.
    fn goes_only(&self, begin: Var, steps: &[PredicateId]) -> Vec<Formula> {
        let mut others = self.steps.clone();
        others.retain(|one| !steps.contains(one));
        let none = others.into_iter().map(|step| {
            let somewhere = Formula::Holds(step, vec![begin, SOME]);
            Formula::not(Formula::Exists(SOME, Box::new(somewhere)))
        });
        none.collect()
    }

    /// Another one that begins where this one does reaches what this one reaches.
    fn same_source(&self, other: &Reach<'_>, rules: &mut Vec<Rule>) {
        let [x, y, begin, end] = [0, 1, 2, 3];
        if other.reflexive || !self.reflexive {
            let mut body = [self.begins(x, begin), other.begins(y, begin)].concat();
            body.extend(self.goes_only(begin, &other.steps));
            body.push(self.reached(x, end));
            rules.push(rule(&body, &other.reached(y, end)));
        }
    }

    /// Another one begins where a step leads from where this one begins.
    fn a_step_before(&self, other: &Reach<'_>, step: PredicateId, rules: &mut Vec<Rule>) {
        let [x, y, begin, next, end] = [0, 1, 2, 3, 4];
        let mut both = [self.begins(x, begin), other.begins(y, next)].concat();
        both.push(Formula::Holds(step, vec![begin, next]));
        let (own, others) = (self.reached(x, end), other.reached(y, end));
        let mut body = [both.clone(), other.goes_only(next, &[step])].concat();
        body.push(others.clone());
        rules.push(rule(&body, &own));
        // The way goes on by the only step that there is.
        if self.program.predicate(step).unique && other.reflexive {
            let mut body = [both, self.goes_only(begin, &[step])].concat();
            body.push(own);
            if self.reflexive {
                body.push(Formula::not(Formula::Equal(begin, end)));
            }
            rules.push(rule(&body, &others));
        }
    }
}

/// A rule, in which free variables are numbered without gaps.
fn rule(body: &[Formula], then: &Formula) -> Rule {
    let reads = |one: Var| {
        let mut all = body.iter().chain([then]);
        all.any(|formula| formula.renamed(one, Var::MAX) != *formula)
    };
    let used: Vec<Var> = (0..SOME).filter(|&one| reads(one)).collect();
    let place = |one: Var| used.iter().position(|&other| other == one);
    let name = |one: Var| place(one).unwrap_or(used.len());
    let body: Vec<Formula> = body.iter().map(|part| part.mapped(&name)).collect();
    let head = match then.mapped(&name) {
        Formula::Holds(predicate, variables) => Head::Literal(predicate, variables, true),
        _ => Head::Equal(0, 0, true),
    };
    Rule::new(used.len(), &body, head)
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
        let rules: Vec<(usize, Formula, Head)> = rules(&program)
            .into_iter()
            .map(|rule| (rule.free, Formula::And(rule.body), rule.head))
            .collect();
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

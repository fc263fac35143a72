//! What definitions say, as rules, for the audit of sets of structures.
//!
//! A predicate has the value of its definition. Where it is known, the definition is taken apart: of a
//! conjunction that does not hold, the only part of which that is not known does not, and so on. Of ways,
//! that they are transitive, and more where steps are those of a function.

use model::PredicateId;
use model::predicates::{Formula, Head, PredicateProgram, Var};

use crate::rules::Rule;
use crate::ways_after::closure;

/// The rules of all definitions.
pub(crate) fn rules(program: &PredicateProgram) -> Vec<Rule> {
    let mut rules = Vec::new();
    for (predicate, arity, definition) in program.defined() {
        let own = Formula::Holds(predicate, (0..arity).collect());
        for value in [true, false] {
            let head = Head::Literal(predicate, (0..arity).collect(), value);
            rules.push(Rule::new(arity, &[said(definition, value)], head));
            let mut taken = Taken {
                arity,
                all: Vec::new(),
                given: vec![said(&own, value)],
                rules: &mut rules,
            };
            taken.apart(definition, value);
        }
        if let Some((step, reflexive)) = closure(definition, arity) {
            let function = program.predicate(step).unique;
            ways(predicate, step, (reflexive, function), &mut rules);
        }
    }
    rules
}

/// That a formula has this value.
fn said(formula: &Formula, value: bool) -> Formula {
    match value {
        true => formula.clone(),
        false => Formula::not(formula.clone()),
    }
}

/// A definition that is taken apart.
struct Taken<'r> {
    arity: usize,
    /// Bound variables of which what is left says the same of all individuals.
    all: Vec<Var>,
    /// What is known.
    given: Vec<Formula>,
    rules: &'r mut Vec<Rule>,
}

impl Taken<'_> {
    /// The rules for what a formula reads, if it has this value.
    fn apart(&mut self, formula: &Formula, value: bool) {
        match formula {
            Formula::Holds(predicate, variables) => {
                self.rule(Head::Literal(*predicate, variables.clone(), value));
            }
            Formula::Equal(a, b) if a != b => self.rule(Head::Equal(*a, *b, value)),
            Formula::Not(inner) => self.apart(inner, !value),
            Formula::And(parts) | Formula::Or(parts) => {
                let all = matches!(formula, Formula::And(_)) == value;
                for (place, part) in parts.iter().enumerate() {
                    let known = self.given.len();
                    if !all {
                        // It is so if no other part is.
                        let others = parts.iter().enumerate();
                        let others = others.filter(|(other, _)| *other != place);
                        self.given
                            .extend(others.map(|(_, other)| said(other, !value)));
                    }
                    self.apart(part, value);
                    self.given.truncate(known);
                }
            }
            Formula::Exists(bound, inner) | Formula::Forall(bound, inner) => {
                let all = matches!(formula, Formula::Forall(..)) == value;
                if all && !self.all.contains(bound) {
                    self.all.push(*bound);
                    self.apart(inner, value);
                    self.all.pop();
                }
            }
            Formula::Value(_) | Formula::Equal(..) | Formula::If(_) | Formula::Closure { .. } => {}
        }
    }

    /// A rule, in which the variables that stand for all come first.
    fn rule(&mut self, head: Head) {
        let free = self.arity + self.all.len();
        let name = |variable: Var| match self.all.iter().position(|&one| one == variable) {
            Some(place) => self.arity + place,
            None if variable < self.arity => variable,
            None => free + variable,
        };
        let head = match head {
            Head::Literal(predicate, variables, value) => {
                let variables = variables.iter().map(|&one| name(one)).collect();
                Head::Literal(predicate, variables, value)
            }
            Head::Equal(a, b, value) => Head::Equal(name(a), name(b), value),
            Head::Never => Head::Never,
        };
        let body: Vec<Formula> = self.given.iter().map(|one| one.mapped(&name)).collect();
        self.rules.push(Rule::new(free, &body, head));
    }
}

/// What is so of ways: `a`, `b` and `c` are the variables 0, 1 and 2.
fn ways(
    way: PredicateId,
    step: PredicateId,
    (reflexive, function): (bool, bool),
    rules: &mut Vec<Rule>,
) {
    let [a, b, c] = [0, 1, 2];
    let leads = |x, y, holds| said(&Formula::Holds(way, vec![x, y]), holds);
    let steps = |x, y| Formula::Holds(step, vec![x, y]);
    let other = |x, y| Formula::not(Formula::Equal(x, y));
    let mut say = |free, body: &[Formula], predicate, x, y, holds| {
        let head = Head::Literal(predicate, vec![x, y], holds);
        rules.push(Rule::new(free, body, head));
    };
    if reflexive {
        say(1, &[], way, a, a, true);
    }
    say(2, &[leads(a, b, false)], step, a, b, false);
    let (first, then, whole) = (leads(a, b, true), leads(b, c, true), leads(a, c, false));
    say(3, &[first.clone(), then.clone()], way, a, c, true);
    say(3, &[whole.clone(), first.clone()], way, b, c, false);
    say(3, &[whole, then], way, a, b, false);
    if !function {
        return;
    }
    let (whole, rest) = (leads(a, c, true), leads(b, c, false));
    // Of two that one leads to, one leads to the other.
    let mut two = vec![first, whole.clone(), rest.clone()];
    if !reflexive {
        two.push(other(b, c));
    }
    say(3, &two, way, c, b, true);
    // From `a` to `c` it is further than one step that is to be passed over.
    let further = if reflexive { other(a, c) } else { other(b, c) };
    say(
        3,
        &[further.clone(), whole.clone(), steps(a, b)],
        way,
        b,
        c,
        true,
    );
    say(
        3,
        &[further.clone(), rest.clone(), steps(a, b)],
        way,
        a,
        c,
        false,
    );
    say(3, &[further, rest, whole], step, a, b, false);
}

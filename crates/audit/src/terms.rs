//! Formulas as the audit of sets of structures evaluates them: for all individuals that one variable may
//! stand for at once. What a formula says is that of the plain definition, word by word.

use model::predicates::{Formula, Kleene, Var};

use crate::crowd::{Crowd, Those};
use crate::planes::{Line, Place, Places, Planes};

/// A formula.
pub(crate) enum Term {
    Constant(Kleene),
    Holds(Place, [Var; 2]),
    Same(Var, Var),
    Not(Box<Term>),
    All(Vec<Term>),
    Any(Vec<Term>),
    If(Box<[Term; 3]>),
    Some(Box<Bound>),
    Each(Box<Bound>),
    Way(Box<Way>),
}

/// A variable and what is said of it.
pub(crate) struct Bound {
    pub(crate) variable: Var,
    pub(crate) inner: Term,
    /// The predicates that it reads, by their numbers.
    pub(crate) reads: Vec<usize>,
}

/// That steps lead from one to another.
pub(crate) struct Way {
    pub(crate) ends: [Var; 2],
    pub(crate) step: [Var; 2],
    pub(crate) edge: Term,
    /// The predicate that steps are of, by its number, if they are those of one.
    pub(crate) of: Option<usize>,
    /// The predicates that it reads, by their numbers.
    pub(crate) reads: Vec<usize>,
}

impl Term {
    pub(crate) fn new(formula: &Formula, places: &Places) -> Term {
        let one = |formula: &Formula| Term::new(formula, places);
        let all = |all: &[Formula]| all.iter().map(one).collect();
        let reads = || {
            let mut reads = Vec::new();
            formula.reads(&mut reads);
            let mut reads: Vec<usize> = reads.iter().map(|one| one.index()).collect();
            reads.sort_unstable();
            reads.dedup();
            reads
        };
        let bound = |variable: Var, inner: &Formula| {
            Box::new(Bound {
                variable,
                inner: one(inner),
                reads: reads(),
            })
        };
        match formula {
            Formula::Value(value) => Term::Constant(*value),
            Formula::Holds(predicate, variables) => {
                let variable = |number: usize| variables.get(number).copied().unwrap_or(0);
                Term::Holds(places.of(*predicate), [variable(0), variable(1)])
            }
            Formula::Equal(a, b) if a == b => Term::Constant(Kleene::True),
            Formula::Equal(a, b) => Term::Same(*a, *b),
            Formula::Not(inner) => Term::Not(Box::new(one(inner))),
            Formula::And(parts) => Term::All(all(parts)),
            Formula::Or(parts) => Term::Any(all(parts)),
            Formula::If(parts) => {
                let [test, then, otherwise] = &**parts;
                Term::If(Box::new([one(test), one(then), one(otherwise)]))
            }
            Formula::Exists(variable, inner) => Term::Some(bound(*variable, inner)),
            Formula::Forall(variable, inner) => Term::Each(bound(*variable, inner)),
            Formula::Closure { ends, step, edge } => Term::Way(Box::new(Way {
                ends: *ends,
                step: *step,
                edge: one(edge),
                of: match &**edge {
                    Formula::Holds(of, variables) if variables[..] == step[..] => Some(of.index()),
                    _ => None,
                },
                reads: reads(),
            })),
        }
    }

    /// Whether it looks at individuals beside those of its free variables.
    pub(crate) fn is_quantified(&self) -> bool {
        match self {
            Term::Constant(_) | Term::Holds(..) | Term::Same(..) => false,
            Term::Not(inner) => inner.is_quantified(),
            Term::All(parts) | Term::Any(parts) => parts.iter().any(Term::is_quantified),
            Term::If(parts) => parts.iter().any(Term::is_quantified),
            Term::Some(_) | Term::Each(_) | Term::Way(_) => true,
        }
    }
}

impl<C: Crowd> Planes<C> {
    /// The value of a formula where variables stand for individuals.
    pub(crate) fn value(&self, term: &Term, of: &mut [usize]) -> Kleene {
        self.line(term, None, of).at(0)
    }

    /// The values of a formula for all that a variable may stand for; without a variable, its value is the
    /// first bit.
    pub(crate) fn line(&self, term: &Term, over: Option<Var>, of: &mut [usize]) -> Line<C> {
        let all = match over {
            Some(_) => self.everybody(),
            None => C::one(0),
        };
        match term {
            Term::Constant(value) => Line::filled(*value, all),
            Term::Holds(place, variables) => self.atom(*place, *variables, over, of),
            Term::Same(a, b) => {
                let (one, other) = match over {
                    Some(over) if over == *a => (of[*b], None),
                    Some(over) if over == *b => (of[*a], None),
                    _ => (of[*a], Some(of[*b])),
                };
                let several = self.several.has(one);
                let same = if several {
                    Kleene::Unknown
                } else {
                    Kleene::True
                };
                match other {
                    Some(other) if other == one => Line::filled(same, all),
                    Some(_) => Line::filled(Kleene::False, all),
                    None => {
                        let mut line = Line::filled(Kleene::False, all);
                        line.put(one, same);
                        line
                    }
                }
            }
            Term::Not(inner) => self.line(inner, over, of).not(),
            Term::All(parts) => {
                let mut line = Line::filled(Kleene::True, all);
                for part in parts {
                    line = line.and(self.line(part, over, of));
                    if line.yes.is_nobody() {
                        break;
                    }
                }
                line
            }
            Term::Any(parts) => {
                let mut line = Line::filled(Kleene::False, all);
                for part in parts {
                    line = line.or(self.line(part, over, of));
                    if line.no.is_nobody() {
                        break;
                    }
                }
                line
            }
            Term::If(parts) => {
                let [test, then, otherwise] = &**parts;
                let test = self.line(test, over, of);
                let then = self.line(then, over, of);
                let otherwise = self.line(otherwise, over, of);
                Line {
                    yes: test.yes & then.yes | test.no & otherwise.yes,
                    no: test.yes & then.no | test.no & otherwise.no,
                }
            }
            Term::Some(bound) => self.some(bound, true, over, of),
            Term::Each(bound) => self.some(bound, false, over, of).not(),
            Term::Way(way) => self.way(way, over, of),
        }
    }

    fn atom(&self, place: Place, [a, b]: [Var; 2], over: Option<Var>, of: &[usize]) -> Line<C> {
        let Some(variable) = over else {
            let value = match place {
                Place::Fact(line) => self.few(line).at(0),
                Place::One(line) => self.few(line).at(of[a]),
                Place::Two(_) => self.of(place, of[a]).at(of[b]),
            };
            return Line::filled(value, C::one(0));
        };
        let everybody = self.everybody();
        match place {
            Place::Fact(line) => Line::filled(self.few(line).at(0), everybody),
            Place::One(line) if a == variable => self.few(line),
            Place::One(line) => Line::filled(self.few(line).at(of[a]), everybody),
            Place::Two(number) => match (a == variable, b == variable) {
                (false, false) => Line::filled(self.of(place, of[a]).at(of[b]), everybody),
                (false, true) => self.of(place, of[a]),
                (true, false) => self.column(number, of[b]),
                (true, true) => {
                    let mut line = Line::default();
                    for one in 0..self.size {
                        line.put(one, self.of(place, one).at(one));
                    }
                    line
                }
            },
        }
    }

    /// Whether a formula is `wanted` of some individual.
    fn some(&self, bound: &Bound, wanted: bool, over: Option<Var>, of: &mut [usize]) -> Line<C> {
        let variable = bound.variable;
        let meant = |line: Line<C>| if wanted { line } else { line.not() };
        let kept = of[variable];
        let line = match over {
            // Outside, the variable is another one.
            Some(over) if over != variable => {
                let mut line = Line::filled(Kleene::False, self.everybody());
                for one in 0..self.size {
                    of[variable] = one;
                    line = line.or(meant(self.line(&bound.inner, Some(over), of)));
                    if line.no.is_nobody() {
                        break;
                    }
                }
                line
            }
            _ => {
                let line = meant(self.line(&bound.inner, Some(variable), of));
                let value = match (line.yes.is_nobody(), line.sure().is_nobody()) {
                    (true, _) => Kleene::False,
                    (_, true) => Kleene::Unknown,
                    _ => Kleene::True,
                };
                Line::filled(value, over.map_or(C::one(0), |_| self.everybody()))
            }
        };
        of[variable] = kept;
        line
    }

    fn way(&self, way: &Way, over: Option<Var>, of: &mut [usize]) -> Line<C> {
        let [from, to] = way.ends;
        match over {
            None => {
                let value = self.ways(way, of[from], of).at(of[to]);
                Line::filled(value, C::one(0))
            }
            Some(over) if over == to && over != from && way.of.is_some() => {
                self.ways(way, of[from], of)
            }
            Some(over) => {
                let kept = of[over];
                let mut line = Line::default();
                for one in 0..self.size {
                    of[over] = one;
                    line.put(one, self.ways(way, of[from], of).at(of[to]));
                }
                of[over] = kept;
                line
            }
        }
    }

    /// Where ways lead from an individual: those of steps that may be there, and those of sure ones.
    fn ways(&self, way: &Way, from: usize, of: &mut [usize]) -> Line<C> {
        let [first, second] = way.step;
        let kept = [of[first], of[second]];
        let mut step = |one: usize| {
            of[first] = one;
            self.line(&way.edge, Some(second), of)
        };
        let begin = step(from);
        let (mut may, mut sure) = (begin.yes, begin.sure());
        let (mut seen, mut surely_seen) = (C::default(), C::default());
        while let Some(one) = Those(may & !seen).next() {
            seen |= C::one(one);
            may |= step(one).yes;
        }
        while let Some(one) = Those(sure & !surely_seen).next() {
            surely_seen |= C::one(one);
            sure |= step(one).sure();
        }
        [of[first], of[second]] = kept;
        Line {
            yes: may,
            no: self.everybody() & !sure,
        }
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use model::PredicateId;
    use model::predicates::{Predicate, Structure};
    use source::Span;

    use super::*;
    use crate::crowd::Many;

    fn predicates() -> Vec<Predicate> {
        let predicate = |arity| Predicate {
            name: String::new(),
            arity,
            abstraction: false,
            unique: false,
            injective: false,
            definition: None,
            span: Span::NONE,
        };
        [2, 1, 0, 1, 2].map(predicate).into()
    }

    fn kleene(random: &mut Rng) -> Kleene {
        [Kleene::False, Kleene::Unknown, Kleene::True][random.usize(..3)]
    }

    /// A formula over the variables 0 to 3, any of which may be bound anywhere.
    fn formula(random: &mut Rng, depth: usize) -> Formula {
        let mut variable = || random.usize(..4);
        let variables = [variable(), variable(), variable(), variable()];
        let [a, b, c, d] = variables;
        if depth == 0 {
            let number = random.usize(..7);
            return match number {
                0 | 4 => Formula::Holds(PredicateId::new(number), vec![a, b]),
                1 | 3 => Formula::Holds(PredicateId::new(number), vec![a]),
                2 => Formula::Holds(PredicateId::new(number), Vec::new()),
                5 => Formula::Value(kleene(random)),
                _ => Formula::Equal(a, b),
            };
        }
        let kind = random.usize(..7);
        let mut inner = || {
            let depth = random.usize(..depth);
            formula(random, depth)
        };
        match kind {
            0 => Formula::Not(Box::new(inner())),
            1 => Formula::And(vec![inner(), inner(), inner()]),
            2 => Formula::Or(vec![inner(), inner(), inner()]),
            3 => Formula::If(Box::new([inner(), inner(), inner()])),
            4 => Formula::Exists(a, Box::new(inner())),
            5 => Formula::Forall(a, Box::new(inner())),
            _ => Formula::Closure {
                ends: [a, b],
                step: [c, if c == d { (c + 1) % 4 } else { d }],
                edge: Box::new(inner()),
            },
        }
    }

    #[test]
    fn formulas_have_the_values_of_the_plain_definition() {
        let predicates = predicates();
        let places = Places::new(&predicates).unwrap();
        let (mut unknown, mut all) = (0, 0);
        for seed in 0..4_000 {
            let mut random = Rng::with_seed(seed);
            let summary = (0..random.usize(..4)).map(|_| random.bool()).collect();
            let mut structure = Structure::new(&predicates, summary);
            for values in structure.values.iter_mut() {
                values
                    .iter_mut()
                    .for_each(|value| *value = kleene(&mut random));
            }
            let planes = Planes::<u64>::read(&structure, &places).unwrap();
            assert_eq!(planes.written(&places, &predicates), structure);
            let many = Planes::<Many>::read(&structure, &places).unwrap();
            let formula = formula(&mut random, 4);
            let term = Term::new(&formula, &places);
            let size = structure.size();
            for tuple in 0..size.pow(4) {
                let mut of = structure.arguments(tuple, 4);
                let expected = structure.value(&formula, &mut of.clone());
                unknown += usize::from(expected == Kleene::Unknown);
                all += 1;
                let told = (seed, &formula, &structure, &of.clone());
                assert_eq!(many.value(&term, &mut of), expected, "{told:?}");
                assert_eq!(planes.value(&term, &mut of), expected, "{told:?}");
                for variable in 0..4 {
                    let line = many.line(&term, Some(variable), &mut of.clone());
                    assert_eq!(line.at(of[variable]), expected, "{variable}: {told:?}");
                    let line = planes.line(&term, Some(variable), &mut of.clone());
                    assert_eq!(line.at(of[variable]), expected, "{variable}: {told:?}");
                    assert_eq!(line.yes | line.no, planes.everybody(), "{told:?}");
                }
            }
        }
        assert!(
            unknown * 5 > all && unknown * 5 < all * 4,
            "{unknown} of {all}"
        );
    }
}

//! Rules, and where to look at them again when values change, for the audit of sets of structures.
//!
//! A rule says something new only where a value that it reads has changed. Each place in a rule that reads
//! a predicate is kept with the variables there: a change gives them their individuals, and the rule is
//! looked at for all individuals that the other variables may stand for (semi-naive evaluation, Bancilhon,
//! *Naive evaluation of recursively defined relations*, 1986). Nothing is shared with the engine.

use model::PredicateId;
use model::predicates::{Formula, Head, Kleene, PredicateProgram, Var};

use crate::crowd::{Crowd, Those};
use crate::planes::{Line, Place, Places, Planes};
use crate::terms::Term;
use crate::{definitions, sources};

/// A variable, in a form of which there are many.
pub(crate) type Short = u32;

/// A rule has so many variables at most.
pub(crate) const MOST_VARIABLES: usize = 64;

/// A body has so many parts; what goes beyond is one part.
const MOST_PARTS: usize = 64;

/// A rule for all individuals that the first `free` variables may stand for.
pub(crate) struct Rule {
    pub(crate) free: usize,
    pub(crate) slots: usize,
    /// It applies where all of these hold.
    pub(crate) body: Vec<Formula>,
    pub(crate) head: Head,
    /// The free variables of each part of the body, a bit each, and those of the head.
    variables: (Vec<u64>, u64),
}

/// A rule as it is looked at.
pub(crate) struct Asked {
    pub(crate) slots: usize,
    pub(crate) body: Vec<Term>,
    pub(crate) head: Said,
    /// The head as a formula.
    pub(crate) said: Term,
}

/// What a rule says.
#[derive(Clone, Copy)]
pub(crate) enum Said {
    Never,
    Value(PredicateId, Place, [Var; 2], bool),
    Same([Var; 2], bool),
}

/// A way to go through the individuals that the variables of a rule may stand for.
pub(crate) struct Reading {
    pub(crate) rule: usize,
    /// The variables that a change gives individuals, by the arguments of what changes.
    pub(crate) given: [Option<Short>; 2],
    /// The values of what changes for which the rule may have something to say.
    pub(crate) values: Wanted,
    /// What is known before any other variable has an individual, and then for each of them.
    pub(crate) stages: Vec<Stage>,
}

/// Of so many individuals what is quantified is looked at one by one.
const FEW: usize = 2;

/// What to look at when a variable has an individual.
#[derive(Default)]
pub(crate) struct Stage {
    variable: Option<Short>,
    /// Parts of the body, a bit each.
    parts: u64,
    /// Whether it is known now what the head speaks of.
    pub(crate) head: bool,
}

impl Stage {
    /// Whom of those that are `left` its variable may stand for so that the parts of a body that are known
    /// now are as `wanted`; the first bit if it has none.
    pub(crate) fn choices<C: Crowd>(
        &self,
        structure: &Planes<C>,
        body: &[Term],
        (mut left, wanted): (C, impl Fn(Line<C>) -> C),
        of: &mut [usize],
    ) -> C {
        for term in Those(self.parts).map(|part| &body[part]) {
            match self.variable() {
                // One after the other, where that is quicker.
                Some(variable) if left.number() <= FEW && term.is_quantified() => {
                    for one in Those(left) {
                        of[variable] = one;
                        if wanted(structure.line(term, None, of)).is_nobody() {
                            left &= !C::one(one);
                        }
                    }
                }
                variable => left &= wanted(structure.line(term, variable, of)),
            }
            if left.is_nobody() {
                break;
            }
        }
        left
    }

    pub(crate) fn variable(&self) -> Option<Var> {
        self.variable.map(|one| one as usize)
    }

    /// Whom its variable may stand for.
    pub(crate) fn all<C: Crowd>(&self, structure: &Planes<C>) -> C {
        self.variable.map_or(C::one(0), |_| structure.everybody())
    }

    /// Lets its variable stand for an individual.
    pub(crate) fn choose(&self, individual: usize, assignment: &mut [usize]) {
        if let Some(variable) = self.variable() {
            assignment[variable] = individual;
        }
    }
}

/// All rules, with where they read what.
pub(crate) struct Rules {
    pub(crate) rules: Vec<Asked>,
    /// Where the values of each predicate are.
    pub(crate) places: Vec<Place>,
    /// By predicates.
    pub(crate) readers: Vec<Vec<Reading>>,
    /// Where it matters whether two individuals are the same.
    pub(crate) identity: Vec<Reading>,
    /// Each rule for all individuals.
    pub(crate) whole: Vec<Reading>,
    /// Each rule for each of its variables that may stand for a new individual.
    pub(crate) fresh: Vec<Reading>,
    /// The rules that speak of all individuals.
    pub(crate) quantified: Vec<usize>,
}

/// What is read: a predicate, or whether two are the same; of which variables; and the values for which
/// something follows.
type Read = (Option<PredicateId>, Vec<Var>, Wanted);

/// Some values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Wanted {
    yes: bool,
    no: bool,
    unknown: bool,
}

impl Wanted {
    const ALL: Wanted = Wanted {
        yes: true,
        no: true,
        unknown: true,
    };

    /// This value, known.
    fn known(value: bool) -> Wanted {
        Wanted {
            yes: value,
            no: !value,
            unknown: false,
        }
    }

    /// All but this value, known.
    fn other_than(value: bool) -> Wanted {
        Wanted {
            yes: !value,
            no: value,
            unknown: true,
        }
    }

    fn or(self, other: Wanted) -> Wanted {
        Wanted {
            yes: self.yes || other.yes,
            no: self.no || other.no,
            unknown: self.unknown || other.unknown,
        }
    }

    pub(crate) fn has(self, value: Kleene) -> bool {
        match value {
            Kleene::True => self.yes,
            Kleene::False => self.no,
            Kleene::Unknown => self.unknown,
        }
    }
}

impl Rules {
    pub(crate) fn new(program: &PredicateProgram, places: &Places) -> Rules {
        let stated = program.constraints.iter();
        let stated = stated.map(|rule| {
            Rule::new(
                rule.free,
                std::slice::from_ref(&rule.body),
                rule.head.clone(),
            )
        });
        let all: Vec<Rule> = stated
            .chain(definitions::rules(program))
            .chain(sources::rules(program))
            .collect();
        let mut rules = Rules {
            rules: Vec::new(),
            places: places.all().collect(),
            readers: program.predicates.iter().map(|_| Vec::new()).collect(),
            identity: Vec::new(),
            whole: Vec::new(),
            fresh: Vec::new(),
            quantified: Vec::new(),
        };
        for (number, rule) in all.iter().enumerate() {
            for (predicate, variables, values) in rule.reads() {
                let reading = Reading {
                    values,
                    ..rule.reading(number, &variables)
                };
                match predicate {
                    Some(predicate) => rules.readers[predicate.index()].push(reading),
                    None => rules.identity.push(reading),
                }
            }
            rules.whole.push(rule.reading(number, &[]));
            let fresh = (0..rule.free).map(|variable| rule.reading(number, &[variable]));
            rules.fresh.extend(fresh);
            if rule.body.iter().any(Formula::is_quantified) {
                rules.quantified.push(number);
            }
        }
        rules.rules = all.iter().map(|rule| rule.asked(places)).collect();
        rules
    }
}

impl Rule {
    pub(crate) fn new(free: usize, body: &[Formula], head: Head) -> Rule {
        let slots = body.iter().map(Formula::slots).max().unwrap_or(0);
        let mut rule = Rule {
            free,
            slots: slots.max(head.formula().slots()).max(free),
            body: Vec::new(),
            variables: (Vec::new(), variables(&head.formula(), free)),
            head,
        };
        body.iter().for_each(|part| cut(part, &mut rule.body));
        // What is quick to look at comes first.
        rule.body.sort_by_key(Formula::is_quantified);
        if rule.body.len() > MOST_PARTS {
            let rest = rule.body.split_off(MOST_PARTS - 1);
            rule.body.push(Formula::And(rest));
        }
        let all = rule.body.iter().map(|part| variables(part, free));
        rule.variables.0 = all.collect();
        rule
    }

    /// The rule as it is looked at.
    pub(crate) fn asked(&self, places: &Places) -> Asked {
        let term = |formula: &Formula| Term::new(formula, places);
        Asked {
            slots: self.slots,
            body: self.body.iter().map(term).collect(),
            head: match &self.head {
                Head::Never => Said::Never,
                Head::Literal(predicate, variables, value) => {
                    let variable = |number: usize| variables.get(number).copied().unwrap_or(0);
                    let both = [variable(0), variable(1)];
                    Said::Value(*predicate, places.of(*predicate), both, *value)
                }
                Head::Equal(a, b, same) => Said::Same([*a, *b], *same),
            },
            said: term(&self.head.formula()),
        }
    }

    /// All that it reads.
    fn reads(&self) -> Vec<Read> {
        let mut found = Vec::new();
        match &self.head {
            Head::Never => {}
            Head::Literal(predicate, variables, value) => {
                let values = Wanted::other_than(*value);
                found.push((Some(*predicate), variables.clone(), values));
                // What is said of one and itself is heard when it is one alone.
                if let [a, b] = variables[..]
                    && a == b
                {
                    found.push((None, vec![a, b], Wanted::ALL));
                }
            }
            Head::Equal(a, b, _) => found.push((None, vec![*a, *b], Wanted::ALL)),
        }
        for part in &self.body {
            let (atom, value) = match part {
                Formula::Not(inner) => (&**inner, false),
                other => (other, true),
            };
            match atom {
                Formula::Holds(predicate, variables) => {
                    let values = Wanted::known(value);
                    found.push((Some(*predicate), variables.clone(), values));
                }
                _ => read(part, &mut found),
            }
        }
        found.sort_unstable();
        // What is read in several places is wanted for what any of them wants.
        found.dedup_by(|next, kept| {
            let same = next.0 == kept.0 && next.1 == kept.1;
            if same {
                kept.2 = kept.2.or(next.2);
            }
            same
        });
        found
    }

    /// The way through individuals where these variables have theirs.
    pub(crate) fn reading(&self, rule: usize, variables: &[Var]) -> Reading {
        let given = [0, 1].map(|place| {
            let variable = variables.get(place).copied();
            variable.filter(|one| *one < self.free)
        });
        let mut left: u64 = (0..self.free).fold(0, |all, one| all | 1 << one);
        for one in given.into_iter().flatten() {
            left &= !(1 << one);
        }
        let mut parts: Vec<usize> = (0..self.body.len()).collect();
        let mut head = false;
        let mut stages = Vec::new();
        let others = (0..self.free).filter(|one| !variables.contains(one));
        let (of_parts, of_head) = &self.variables;
        for variable in std::iter::once(None).chain(others.map(Some)) {
            if let Some(variable) = variable {
                left &= !(1 << variable);
            }
            let mut stage = Stage {
                variable: variable.map(short),
                ..Stage::default()
            };
            parts.retain(|&part| {
                let known = of_parts[part] & left == 0;
                stage.parts |= u64::from(known) << part;
                !known
            });
            if !head && of_head & left == 0 {
                (head, stage.head) = (true, true);
            }
            stages.push(stage);
        }
        stages.shrink_to_fit();
        Reading {
            rule,
            given: given.map(|variable| variable.map(short)),
            values: Wanted::ALL,
            stages,
        }
    }
}

fn short(variable: Var) -> Short {
    Short::try_from(variable).unwrap_or(Short::MAX)
}

/// Those of the first `free` variables that a formula reads, a bit each.
fn variables(formula: &Formula, free: usize) -> u64 {
    let reads = |&one: &Var| formula.renamed(one, Var::MAX) != *formula;
    (0..free)
        .filter(reads)
        .fold(0, |all, variable| all | 1 << variable)
}

/// Where a formula reads a predicate, or whether two are the same.
fn read(formula: &Formula, found: &mut Vec<Read>) {
    match formula {
        Formula::Value(_) => {}
        Formula::Equal(a, b) => found.push((None, vec![*a, *b], Wanted::ALL)),
        Formula::Holds(predicate, variables) => {
            found.push((Some(*predicate), variables.clone(), Wanted::ALL));
        }
        Formula::Not(inner)
        | Formula::Exists(_, inner)
        | Formula::Forall(_, inner)
        | Formula::Closure { edge: inner, .. } => read(inner, found),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|one| read(one, found)),
        Formula::If(parts) => parts.iter().for_each(|one| read(one, found)),
    }
}

fn cut(formula: &Formula, parts: &mut Vec<Formula>) {
    match formula {
        Formula::And(all) => all.iter().for_each(|one| cut(one, parts)),
        other => parts.push(other.clone()),
    }
}

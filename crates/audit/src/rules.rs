//! Rules, and where to look at them again when values change, for the audit of sets of structures.
//!
//! A rule says something new only where a value that it reads has changed. Each place in a rule that reads
//! a predicate is kept with the variables there: a change gives them their individuals, and the rule is
//! looked at for all individuals that the other variables may stand for (semi-naive evaluation, Bancilhon,
//! *Naive evaluation of recursively defined relations*, 1986). Nothing is shared with the engine.

use model::PredicateId;
use model::predicates::{Formula, Head, PredicateProgram, Structure, Var};

use crate::{definitions, sources};

/// A rule for all individuals that the first `free` variables may stand for.
pub(crate) struct Rule {
    pub(crate) free: usize,
    pub(crate) slots: usize,
    /// It applies where all of these hold.
    pub(crate) body: Vec<Formula>,
    pub(crate) head: Head,
}

/// A way to go through the individuals that the variables of a rule may stand for.
pub(crate) struct Reading {
    pub(crate) rule: usize,
    /// The variables that a change gives individuals, by the arguments of what changes.
    pub(crate) given: Vec<Option<Var>>,
    /// What is known before any other variable has an individual, and then for each of them.
    pub(crate) stages: Vec<Stage>,
}

/// What to look at when a variable has an individual.
#[derive(Default)]
pub(crate) struct Stage {
    variable: Option<Var>,
    /// Parts of the body.
    pub(crate) parts: Vec<usize>,
    /// Whether it is known now what the head speaks of.
    pub(crate) head: bool,
}

impl Stage {
    /// How many individuals its variable may stand for; 1 if it has none.
    pub(crate) fn choices(&self, structure: &Structure) -> usize {
        self.variable.map_or(1, |_| structure.size())
    }

    /// Lets its variable stand for an individual.
    pub(crate) fn choose(&self, individual: usize, assignment: &mut [usize]) {
        if let Some(variable) = self.variable {
            assignment[variable] = individual;
        }
    }
}

/// All rules, with where they read what.
pub(crate) struct Rules {
    pub(crate) rules: Vec<Rule>,
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

/// What is read: a predicate, or whether two are the same; and of which variables.
type Read = (Option<PredicateId>, Vec<Var>);

impl Rules {
    pub(crate) fn new(program: &PredicateProgram) -> Rules {
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
            readers: program.predicates.iter().map(|_| Vec::new()).collect(),
            identity: Vec::new(),
            whole: Vec::new(),
            fresh: Vec::new(),
            quantified: Vec::new(),
        };
        for (number, rule) in all.iter().enumerate() {
            for (predicate, variables) in rule.reads() {
                let reading = rule.reading(number, &variables);
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
        rules.rules = all;
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
            head,
        };
        body.iter().for_each(|part| cut(part, &mut rule.body));
        // What is quick to look at comes first.
        rule.body.sort_by_key(Formula::is_quantified);
        rule
    }

    /// All that it reads.
    fn reads(&self) -> Vec<Read> {
        let mut found = Vec::new();
        match &self.head {
            Head::Never => {}
            Head::Literal(predicate, variables, _) => {
                found.push((Some(*predicate), variables.clone()));
                // What is said of one and itself is heard when it is one alone.
                if let [a, b] = variables[..]
                    && a == b
                {
                    found.push((None, vec![a, b]));
                }
            }
            Head::Equal(a, b, _) => found.push((None, vec![*a, *b])),
        }
        self.body.iter().for_each(|part| read(part, &mut found));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The way through individuals where these variables have theirs.
    pub(crate) fn reading(&self, rule: usize, variables: &[Var]) -> Reading {
        let given = variables
            .iter()
            .map(|&one| (one < self.free).then_some(one));
        let given: Vec<Option<Var>> = given.collect();
        let mut known: Vec<Var> = given.iter().flatten().copied().collect();
        let mut parts: Vec<usize> = (0..self.body.len()).collect();
        let mut head = false;
        let mut stages = Vec::new();
        let others = (0..self.free).filter(|one| !variables.contains(one));
        for variable in std::iter::once(None).chain(others.map(Some)) {
            known.extend(variable);
            let mut stage = Stage {
                variable,
                ..Stage::default()
            };
            let is_known = |part: &usize| self.is_known(&self.body[*part], &known);
            (stage.parts, parts) = parts.into_iter().partition(is_known);
            if !head && self.is_known(&self.head.formula(), &known) {
                (head, stage.head) = (true, true);
            }
            stages.push(stage);
        }
        Reading {
            rule,
            given,
            stages,
        }
    }

    /// Whether a formula reads none of the free variables but these.
    fn is_known(&self, formula: &Formula, known: &[Var]) -> bool {
        let mut others = (0..self.free).filter(|one| !known.contains(one));
        others.all(|one| formula.renamed(one, Var::MAX) == *formula)
    }
}

/// Where a formula reads a predicate, or whether two are the same.
fn read(formula: &Formula, found: &mut Vec<Read>) {
    match formula {
        Formula::Value(_) => {}
        Formula::Equal(a, b) => found.push((None, vec![*a, *b])),
        Formula::Holds(predicate, variables) => found.push((Some(*predicate), variables.clone())),
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

//! What definitions say after an action, for the audit of sets of structures.
//!
//! For each formula and each assignment: which pairs of a value before the action and a value after it
//! are possible. What reads nothing that changes keeps its value, even where it is not known. Each pair is
//! looked at by itself; nothing is shared with the engine.

use std::cell::RefCell;
use std::collections::HashMap;

use model::PredicateId;
use model::predicates::{Formula, Kleene, PredicateAction, PredicateProgram, Structure, Var};

use crate::conclusions::tuples;
use crate::individuals::Part;
use crate::ways_after::Ways;

/// Which values before and after are possible together, by the one before and the one after.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pairs(u8);

/// All pairs of values.
const ALL: [(bool, bool); 4] = [(false, false), (false, true), (true, false), (true, true)];

/// What becomes of two sets of pairs, if some pair of one is met by one of the other.
const EITHER: [[Pairs; 16]; 16] = {
    let mut table = [[Pairs(0); 16]; 16];
    let mut number = 0;
    while number < 16 * 16 * 4 * 4 {
        let (a, b) = (number % 16, number / 16 % 16);
        let (one, other) = (number / 256 % 4, number / 1024);
        if a >> one & 1 != 0 && b >> other & 1 != 0 {
            // The bits of a pair's number are its values.
            table[a][b].0 |= 1 << (one | other);
        }
        number += 1;
    }
    table
};

fn number((was, is): (bool, bool)) -> usize {
    usize::from(was) << 1 | usize::from(is)
}

impl Pairs {
    /// Those of all pairs for which something holds.
    pub(crate) fn those(holds: impl Fn((bool, bool)) -> bool) -> Pairs {
        ALL.into_iter().filter(|&pair| holds(pair)).collect()
    }

    fn unchanged(value: Kleene) -> Pairs {
        let of = |truth| Pairs(1 << number((truth, truth)));
        match value {
            Kleene::False => of(false),
            Kleene::Unknown => Pairs(of(false).0 | of(true).0),
            Kleene::True => of(true),
        }
    }

    pub(crate) fn has(self, pair: (bool, bool)) -> bool {
        self.0 >> number(pair) & 1 != 0
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = (bool, bool)> {
        ALL.into_iter().filter(move |&pair| self.has(pair))
    }

    /// What becomes of each pair.
    pub(crate) fn map(self, of: impl Fn((bool, bool)) -> (bool, bool)) -> Pairs {
        self.iter().map(of).collect()
    }

    fn not(self) -> Pairs {
        // The number of the opposite pair is what is left to the last one.
        Pairs(self.0.reverse_bits() >> 4)
    }

    /// Whether one or the other holds.
    fn or(self, other: Pairs) -> Pairs {
        EITHER[usize::from(self.0)][usize::from(other.0)]
    }

    /// The value after; `None`: there is no pair.
    fn after(self) -> Option<Kleene> {
        let mut all = self.iter().map(|(_, is)| Kleene::of(is));
        let first = all.next()?;
        Some(all.fold(first, Kleene::join))
    }
}

impl FromIterator<(bool, bool)> for Pairs {
    fn from_iter<T: IntoIterator<Item = (bool, bool)>>(all: T) -> Pairs {
        Pairs(all.into_iter().fold(0, |all, pair| all | 1 << number(pair)))
    }
}

/// An action under an assignment, from a structure in which its new individuals are.
pub(crate) struct Differences<'a> {
    pub(crate) program: &'a PredicateProgram,
    pub(crate) before: &'a Structure,
    /// Whether each individual is there before the action, and after it.
    pub(crate) there: Vec<(bool, bool)>,
    /// For each predicate that changes and its arguments, as they are numbered in structures.
    changed: Vec<Option<Vec<Pairs>>>,
    /// Whether all individuals stay, and none is new.
    lasting: bool,
    /// The ways of steps that are those of a predicate.
    ways: RefCell<HashMap<PredicateId, Vec<Vec<Pairs>>>>,
}

impl<'a> Differences<'a> {
    /// What an action does to predicates without definitions.
    pub(crate) fn new(
        program: &'a PredicateProgram,
        part: &'a Part,
        action: &PredicateAction,
    ) -> Differences<'a> {
        let before = &part.before;
        let there = (0..before.size()).map(|one| (one < part.old, part.staying.contains(&one)));
        let mut changed: Vec<Option<Vec<Pairs>>> = vec![None; program.predicates.len()];
        for mark in [program.is_new, program.instance].into_iter().flatten() {
            let never = Pairs::unchanged(Kleene::False);
            changed[mark.index()] = Some(vec![never; before.values[mark.index()].len()]);
        }
        for update in &action.updates {
            let variables = &update.parameters;
            let next =
                [false, true].map(|value| update.value.given(update.predicate, variables, value));
            let all = (0..before.values[update.predicate.index()].len()).map(|place| {
                let mut assignment = part.assignment.clone();
                assignment.resize(action.variables.len(), 0);
                let individuals = before.arguments(place, variables.len());
                for (&variable, &one) in variables.iter().zip(&individuals) {
                    assignment[variable] = one;
                }
                let known = before.get(update.predicate, &individuals);
                let next = [0, 1].map(|was| before.value(&next[was], &mut assignment));
                Pairs::those(|(was, is)| {
                    let after = next[usize::from(was)];
                    known.covers(Kleene::of(was)) && after.covers(Kleene::of(is))
                })
            });
            changed[update.predicate.index()] = Some(all.collect());
        }
        let there: Vec<(bool, bool)> = there.collect();
        Differences {
            program,
            before,
            lasting: there.iter().all(|one| *one == (true, true)),
            there,
            changed,
            ways: RefCell::default(),
        }
    }

    /// The values of a predicate after the action by its definition; `None`: there is no such
    /// configuration.
    pub(crate) fn define(
        &mut self,
        predicate: PredicateId,
        definition: &Formula,
        arity: usize,
    ) -> Option<Vec<Kleene>> {
        let mut all = Vec::new();
        let mut after = Vec::new();
        for individuals in tuples(self.before.size(), arity) {
            let mut assignment = individuals.clone();
            assignment.resize(definition.slots().max(arity), 0);
            let pairs = self.pairs(definition, &mut assignment);
            let stored = self.before.get(predicate, &individuals);
            let news = individuals.iter().any(|&one| !self.there[one].0);
            let pairs = Pairs::those(|(was, is)| match news {
                // Of new individuals it had no value.
                true => pairs.has((false, is)) || pairs.has((true, is)),
                false => pairs.has((was, is)) && stored.covers(Kleene::of(was)),
            });
            after.push(pairs.after()?);
            all.push(pairs);
        }
        self.changed[predicate.index()] = Some(all);
        Some(after)
    }

    /// Whether a formula has the value that it had: then that is so even where it is not known.
    fn lasts(&self, formula: &Formula) -> bool {
        let mut reads = Vec::new();
        formula.reads(&mut reads);
        self.lasting && reads.iter().all(|one| self.changed[one.index()].is_none())
    }

    fn pairs(&self, formula: &Formula, assignment: &mut Vec<usize>) -> Pairs {
        match formula {
            Formula::Exists(..) | Formula::Forall(..) | Formula::Closure { .. }
                if self.lasts(formula) =>
            {
                Pairs::unchanged(self.before.value(formula, assignment))
            }
            Formula::Value(Kleene::Unknown) => Pairs::those(|_| true),
            Formula::Value(_) | Formula::Equal(..) => {
                Pairs::unchanged(self.before.value(formula, assignment))
            }
            Formula::Holds(predicate, variables) => {
                let size = self.before.size();
                let individuals = variables.iter().map(|&v| assignment[v]);
                let place = individuals.fold(0, |place, one| place * size + one);
                match &self.changed[predicate.index()] {
                    Some(pairs) => pairs[place],
                    None => Pairs::unchanged(self.before.values[predicate.index()][place]),
                }
            }
            Formula::Not(inner) => self.pairs(inner, assignment).not(),
            Formula::And(parts) => self.either(parts, false, assignment).not(),
            Formula::Or(parts) => self.either(parts, true, assignment),
            Formula::If(parts) => {
                let [test, then, otherwise] =
                    [0, 1, 2].map(|part| self.pairs(&parts[part], assignment));
                let mut all = Vec::new();
                for test in test.iter() {
                    for a in then.iter() {
                        for b in otherwise.iter() {
                            let was = if test.0 { a.0 } else { b.0 };
                            all.push((was, if test.1 { a.1 } else { b.1 }));
                        }
                    }
                }
                all.into_iter().collect()
            }
            Formula::Exists(bound, inner) => self.some(*bound, inner, true, assignment),
            Formula::Forall(bound, inner) => self.some(*bound, inner, false, assignment).not(),
            Formula::Closure { ends, step, edge } => {
                let [from, to] = ends.map(|end| assignment[end]);
                self.way((from, to), *step, edge, assignment)
            }
        }
    }

    /// Whether some part is as `wanted`. What comes after one that is so before and after is not looked at.
    fn either(&self, parts: &[Formula], wanted: bool, assignment: &mut Vec<usize>) -> Pairs {
        let mut all = Pairs::unchanged(Kleene::False);
        for part in parts {
            let pairs = self.pairs(part, assignment);
            all = all.or(if wanted { pairs } else { pairs.not() });
            if all == Pairs::unchanged(Kleene::True) {
                break;
            }
        }
        all
    }

    /// Whether some individual that is there makes a formula `wanted`.
    fn some(
        &self,
        bound: Var,
        inner: &Formula,
        wanted: bool,
        assignment: &mut Vec<usize>,
    ) -> Pairs {
        let kept = assignment[bound];
        let mut all = Pairs::unchanged(Kleene::False);
        for one in 0..self.before.size() {
            assignment[bound] = one;
            let pairs = self.pairs(inner, assignment);
            let pairs = if wanted { pairs } else { pairs.not() };
            let there = self.there[one];
            let pairs = pairs.map(|(was, is)| (was && there.0, is && there.1));
            all = all.or(pairs);
            if self.before.summary[one] {
                // Another one of those that it stands for may have another pair.
                all = Pairs(all.0 | all.or(pairs).0);
            }
            if all == Pairs::unchanged(Kleene::True) {
                break;
            }
        }
        assignment[bound] = kept;
        all
    }

    /// Whether there is a way.
    fn way(
        &self,
        (from, to): (usize, usize),
        step: [Var; 2],
        edge: &Formula,
        assignment: &mut Vec<usize>,
    ) -> Pairs {
        let of = match edge {
            Formula::Holds(predicate, variables) if variables[..] == step[..] => Some(*predicate),
            _ => None,
        };
        let Some(predicate) = of else {
            let steps = self.steps(step, edge, assignment);
            return Ways::new(self, &steps, None).pairs()[from][to];
        };
        if let Some(known) = self.ways.borrow().get(&predicate) {
            return known[from][to];
        }
        let steps = self.steps(step, edge, assignment);
        let ways = Ways::new(self, &steps, of).pairs();
        let pairs = ways[from][to];
        self.ways.borrow_mut().insert(predicate, ways);
        pairs
    }

    /// Whether each individual leads to each in one step.
    fn steps(
        &self,
        step: [Var; 2],
        edge: &Formula,
        assignment: &mut Vec<usize>,
    ) -> Vec<Vec<Pairs>> {
        let size = self.before.size();
        let kept = step.map(|variable| assignment[variable]);
        let mut steps = vec![Vec::new(); size];
        for (first, row) in steps.iter_mut().enumerate() {
            for second in 0..size {
                (assignment[step[0]], assignment[step[1]]) = (first, second);
                let (a, b) = (self.there[first], self.there[second]);
                let pairs = self.pairs(edge, assignment);
                row.push(pairs.map(|(was, is)| (was && a.0 && b.0, is && a.1 && b.1)));
            }
        }
        (assignment[step[0]], assignment[step[1]]) = (kept[0], kept[1]);
        steps
    }
}

//! What becomes of ways, for the audit of sets of structures: which are surely there after an action, and
//! which may be, by the steps that it takes away and makes.

use model::PredicateId;
use model::predicates::{Formula, Kleene};

use crate::differences::{Differences, Pairs};

/// A relation of individuals.
type Relation = Vec<Vec<bool>>;

/// The ways of steps before an action.
pub(crate) struct Ways<'s> {
    steps: &'s [Vec<Pairs>],
    may: Relation,
    must: Relation,
    /// Whether there is one step from each individual at most.
    function: bool,
}

/// More and more steps, until no way is new.
fn transitive(mut relation: Relation) -> Relation {
    loop {
        let before = relation.clone();
        for a in 0..before.len() {
            for b in 0..before.len() {
                relation[a][b] |= (0..before.len()).any(|one| before[a][one] && before[one][b]);
            }
        }
        if relation == before {
            return relation;
        }
    }
}

/// The relation of the individuals for which something holds.
fn relation(size: usize, holds: &dyn Fn(usize, usize) -> bool) -> Relation {
    let row = |a| (0..size).map(|b| holds(a, b)).collect();
    (0..size).map(row).collect()
}

/// Whether an individual is another one or leads to it.
fn onwards(relation: &Relation, from: usize, to: usize) -> bool {
    from == to || relation[from][to]
}

impl<'s> Ways<'s> {
    /// The ways of these steps, which are those of a predicate or of no one.
    pub(crate) fn new(
        all: &Differences<'_>,
        steps: &'s [Vec<Pairs>],
        of: Option<PredicateId>,
    ) -> Ways<'s> {
        let size = steps.len();
        let may = |a: usize, b: usize| steps[a][b].iter().any(|pair| pair.0);
        let must = |a: usize, b: usize| steps[a][b].iter().all(|pair| pair.0);
        let mut ways = Ways {
            steps,
            may: transitive(relation(size, &may)),
            must: transitive(relation(size, &must)),
            function: of.is_some_and(|one| all.program.predicate(one).unique),
        };
        // A predicate that is kept of the ways says more than the steps do.
        for (predicate, arity, definition) in all.program.defined() {
            match closure(definition, arity) {
                Some((step, reflexive)) if Some(step) == of => {
                    ways.known(all, predicate, reflexive);
                }
                _ => {}
            }
        }
        ways
    }

    fn known(&mut self, all: &Differences<'_>, predicate: PredicateId, reflexive: bool) {
        for a in 0..self.steps.len() {
            for b in 0..self.steps.len() {
                if a == b && reflexive || !all.there[a].0 || !all.there[b].0 {
                    continue;
                }
                let said = all.before.get(predicate, &[a, b]);
                self.may[a][b] &= said != Kleene::False;
                self.must[a][b] |= said == Kleene::True;
            }
        }
    }

    /// Whether a way before the action surely needs a step that is not there after it.
    fn is_cut(&self, from: usize, to: usize) -> bool {
        let stuck = |one: usize| !self.steps[one].iter().any(|step| step.has((true, true)));
        let between = |at: usize| at != to && self.must[from][at] && !self.may[to][at] && stuck(at);
        stuck(from) || self.function && (0..self.steps.len()).any(between)
    }

    /// Whether each individual leads to each, before and after.
    pub(crate) fn pairs(&self) -> Vec<Vec<Pairs>> {
        let size = self.steps.len();
        let lasting = relation(size, &|a, b| self.may[a][b] && !self.is_cut(a, b));
        let losable = self.through((true, false), &self.may);
        let gainable = transitive(self.through((false, true), &lasting));
        let is = |a: usize, b: usize| self.steps[a][b].iter().any(|one| one.1);
        let may = transitive(relation(size, &is));
        let surely_is = |a: usize, b: usize| self.steps[a][b].iter().all(|one| one.1);
        let must = transitive(relation(size, &surely_is));
        let surely = transitive(relation(size, &|a, b| {
            must[a][b] || self.must[a][b] && !losable[a][b]
        }));
        let pairs = |a: usize, b: usize| {
            let surely = surely[a][b];
            let may = surely || may[a][b] && (lasting[a][b] || gainable[a][b]);
            let (was_may, was_must) = (self.may[a][b], self.must[a][b]);
            Pairs::those(|pair| match pair {
                (false, false) => !was_must && !surely,
                (false, true) => !was_must && gainable[a][b] && may,
                (true, false) => was_may && losable[a][b] && !surely,
                (true, true) => was_may && may,
            })
        };
        let row = |a| (0..size).map(|b| pairs(a, b)).collect();
        (0..size).map(row).collect()
    }

    /// The ways that may go through a step of which a value may change like this, along others.
    fn through(&self, change: (bool, bool), along: &Relation) -> Relation {
        let size = self.steps.len();
        let all = (0..size).flat_map(|x| (0..size).map(move |y| (x, y)));
        let changed: Vec<(usize, usize)> =
            all.filter(|&(x, y)| self.steps[x][y].has(change)).collect();
        relation(size, &|a, b| {
            let mut changed = changed.iter();
            changed.any(|&(x, y)| onwards(along, a, x) && onwards(along, y, b))
        })
    }
}

/// The predicate of which a definition is the closure, and whether it holds for each and itself.
pub(crate) fn closure(definition: &Formula, arity: usize) -> Option<(PredicateId, bool)> {
    let mut way = definition;
    let mut reflexive = false;
    if let Formula::Or(parts) = definition {
        let [one, other] = parts.as_slice() else {
            return None;
        };
        let same = |part: &Formula| matches!(part, Formula::Equal(0, 1) | Formula::Equal(1, 0));
        way = match (same(one), same(other)) {
            (true, _) => other,
            (_, true) => one,
            _ => return None,
        };
        reflexive = true;
    }
    match way {
        Formula::Closure {
            ends: [0, 1],
            step,
            edge,
        } if arity == 2 => match &**edge {
            Formula::Holds(one, arguments) if arguments[..] == step[..] => Some((*one, reflexive)),
            _ => None,
        },
        _ => None,
    }
}

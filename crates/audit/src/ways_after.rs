//! What becomes of ways, for the audit of sets of structures: which are surely there after an action, and
//! which may be, by the steps that it takes away and makes.

use model::PredicateId;
use model::predicates::Formula;

use crate::crowd::{Crowd, Those};
use crate::differences::{Differences, Pairs};
use crate::planes::Line;

/// A relation: to whom each individual is related.
type Relation<C> = Vec<C>;

/// The ways of steps before an action.
pub(crate) struct Ways<'s, C> {
    steps: &'s [Pairs<C>],
    everybody: C,
    may: Relation<C>,
    must: Relation<C>,
    /// Whether there is one step from each individual at most.
    function: bool,
}

/// More and more steps, until no way is new.
fn transitive<C: Crowd>(mut relation: Relation<C>) -> Relation<C> {
    loop {
        let mut grown = false;
        for one in 0..relation.len() {
            let further = Those(relation[one]);
            let further = further.fold(C::default(), |all, next| all | relation[next]);
            grown |= !(further & !relation[one]).is_nobody();
            relation[one] |= further;
        }
        if !grown {
            return relation;
        }
    }
}

/// Those that an individual is or leads to.
fn onwards<C: Crowd>(relation: &Relation<C>, from: usize) -> C {
    relation[from] | C::one(from)
}

impl<'s, C: Crowd> Ways<'s, C> {
    /// The ways of these steps, which are those of a predicate or of no one.
    pub(crate) fn new(
        all: &Differences<'_, C>,
        steps: &'s [Pairs<C>],
        of: Option<PredicateId>,
    ) -> Ways<'s, C> {
        let before = |line: fn(Line<C>) -> C| {
            let steps = steps.iter().map(|pairs| line(pairs.before()));
            transitive(steps.collect())
        };
        let mut ways = Ways {
            steps,
            everybody: all.before.everybody(),
            may: before(|line| line.yes),
            must: before(Line::sure),
            function: of.is_some_and(|one| all.program.predicate(one).unique),
        };
        // A predicate that is kept of the ways says more than the steps do.
        for defined in all.defined {
            match defined.ways {
                Some((step, reflexive)) if Some(step) == of => {
                    for one in Those(all.was) {
                        let itself = C::one(one).when(reflexive);
                        let about = all.was & !itself;
                        let said = all.before.of(defined.place, one);
                        ways.may[one] &= said.yes | !about;
                        ways.must[one] |= said.sure() & about;
                    }
                }
                _ => {}
            }
        }
        ways
    }

    /// Those to whom a way before the action surely needs a step that is not there after it.
    fn cut(&self, from: usize) -> C {
        let stuck = |one: &usize| self.steps[*one].0[3].is_nobody();
        if stuck(&from) {
            return self.everybody;
        }
        if !self.function {
            return C::default();
        }
        // What lies behind an individual that no step leaves is not reached through it.
        let between = Those(self.must[from]).filter(stuck);
        between.fold(C::default(), |all, at| {
            let before = (0..self.may.len()).filter(|&to| self.may[to].has(at));
            all | self.everybody & !before.fold(C::one(at), |those, to| those | C::one(to))
        })
    }

    /// To whom each individual leads, before and after.
    pub(crate) fn pairs(&self) -> Vec<Pairs<C>> {
        let all = 0..self.steps.len();
        let lasting: Relation<C> = all
            .clone()
            .map(|one| self.may[one] & !self.cut(one))
            .collect();
        let losable = self.through(2, &self.may);
        let gainable = transitive(self.through(1, &lasting));
        let after = |line: fn(Line<C>) -> C| self.steps.iter().map(move |one| line(one.after()));
        let may = transitive(after(|line| line.yes).collect());
        let must = transitive(after(Line::sure).collect());
        let surely = all.clone();
        let surely = surely.map(|one| must[one] | self.must[one] & !losable[one]);
        let surely = transitive(surely.collect());
        let pairs = all.map(|one| {
            let (was, must) = (self.may[one], self.must[one]);
            let surely = surely[one];
            let is = surely | may[one] & (lasting[one] | gainable[one]);
            Pairs([
                self.everybody & !must & !surely,
                gainable[one] & !must & is,
                was & losable[one] & !surely,
                was & is,
            ])
        });
        pairs.collect()
    }

    /// The ways that may go through a step of which a value may change like this, along others.
    fn through(&self, change: usize, along: &Relation<C>) -> Relation<C> {
        let behind = self.steps.iter().map(|step| {
            Those(step.0[change]).fold(C::default(), |all, second| all | onwards(along, second))
        });
        let behind: Relation<C> = behind.collect();
        let through = (0..self.steps.len()).map(|from| {
            Those(onwards(along, from)).fold(C::default(), |all, first| all | behind[first])
        });
        through.collect()
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

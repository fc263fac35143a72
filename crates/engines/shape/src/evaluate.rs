//! Formulas on structures, a row at a time: the values for all individuals that one variable may
//! stand for are computed by a few operations on words.

use model::predicates::{Kleene, Var};

use crate::compile::{Closure, Code, Conclusion, Condition, Rule};
use crate::matrix::{Row, Shape};
use crate::reachability::closed;
use crate::set::Set;

/// So many variables stand on the stack.
const FEW: usize = 24;

/// Of so many individuals a formula is evaluated one by one.
const FEW_LEFT: usize = 2;

impl<S: Set> Shape<S> {
    /// The value of a formula under an assignment.
    pub(crate) fn value(&self, code: &Code, assignment: &mut [usize]) -> Kleene {
        // No formula has so many variables that this one is among them.
        self.row(code, Var::MAX, assignment).get(0)
    }

    /// The values of a formula for each individual that `variable` may stand for. For a variable that
    /// it does not have, all are the same, and there is one even where there are no individuals.
    pub(crate) fn row(&self, code: &Code, variable: Var, assignment: &mut [usize]) -> Row<S> {
        let everybody = match variable {
            Var::MAX => S::only(0),
            _ => self.individuals(),
        };
        let all = |value: Kleene| Row::all(value, everybody);
        match code {
            Code::Value(value) => all(*value),
            Code::None(place) => all(self.none[*place].get(0)),
            Code::One(place, a) if *a == variable => self.one[*place],
            Code::One(place, a) => all(self.one[*place].get(assignment[*a])),
            Code::Two(place, a, b) => match (*a == variable, *b == variable) {
                (false, true) => self.pair(*place, assignment[*a]),
                (false, false) => all(self.pair(*place, assignment[*a]).get(assignment[*b])),
                (first, both) => {
                    debug_assert!(first, "the other cases come before");
                    let mut row = Row::default();
                    for individual in 0..self.size {
                        let second = if both { individual } else { assignment[*b] };
                        row.set(individual, self.pair(*place, individual).get(second));
                    }
                    row
                }
            },
            Code::Equal(a, b) if a == b => all(Kleene::True),
            Code::Equal(a, b) => {
                let other = match (*a == variable, *b == variable) {
                    (true, _) => assignment[*b],
                    (_, true) => assignment[*a],
                    _ => {
                        let (one, other) = (assignment[*a], assignment[*b]);
                        let several = self.summary.has(one);
                        return all(match (one == other, several) {
                            (false, _) => Kleene::False,
                            (true, true) => Kleene::Unknown,
                            (true, false) => Kleene::True,
                        });
                    }
                };
                let bit = S::only(other);
                Row {
                    may: bit,
                    must: bit & !self.summary,
                }
            }
            Code::Not(inner) => self.row(inner, variable, assignment).not(everybody),
            Code::And(parts) => {
                let mut row = all(Kleene::True);
                for part in parts {
                    row = row.and(self.row(part, variable, assignment));
                    if row.may.is_empty() {
                        break;
                    }
                }
                row
            }
            Code::Or(parts) => {
                let mut row = all(Kleene::False);
                for part in parts {
                    row = row.or(self.row(part, variable, assignment));
                    if row.must == everybody {
                        break;
                    }
                }
                row
            }
            Code::If(parts) => {
                let [test, then, otherwise] =
                    [0, 1, 2].map(|part| self.row(&parts[part], variable, assignment));
                Row {
                    may: test.may & then.may | everybody & !test.must & otherwise.may,
                    must: test.must & then.must
                        | !test.may & otherwise.must
                        | then.must & otherwise.must,
                }
            }
            // Inside, the variable stands for others.
            Code::Exists(bound, _) | Code::Forall(bound, _) if *bound == variable => {
                all(self.value(code, assignment))
            }
            Code::Exists(bound, inner) if variable == Var::MAX => {
                let row = self.row(inner, *bound, assignment);
                all(match (row.may.is_empty(), row.must.is_empty()) {
                    (true, _) => Kleene::False,
                    (_, true) => Kleene::Unknown,
                    _ => Kleene::True,
                })
            }
            Code::Forall(bound, inner) if variable == Var::MAX => {
                let row = self.row(inner, *bound, assignment);
                let individuals = self.individuals();
                all(match (row.may == individuals, row.must == individuals) {
                    (false, _) => Kleene::False,
                    (_, false) => Kleene::Unknown,
                    _ => Kleene::True,
                })
            }
            Code::Exists(bound, inner) => {
                let mut row = all(Kleene::False);
                let before = assignment[*bound];
                for individual in 0..self.size {
                    assignment[*bound] = individual;
                    row = row.or(self.row(inner, variable, assignment));
                    if row.must == everybody {
                        break;
                    }
                }
                assignment[*bound] = before;
                row
            }
            Code::Forall(bound, inner) => {
                let mut row = all(Kleene::True);
                let before = assignment[*bound];
                for individual in 0..self.size {
                    assignment[*bound] = individual;
                    row = row.and(self.row(inner, variable, assignment));
                    if row.may.is_empty() {
                        break;
                    }
                }
                assignment[*bound] = before;
                row
            }
            Code::Closure(way) if way.is_row(variable) => {
                self.ways_from(way, assignment[way.ends[0]], assignment)
            }
            Code::Closure(way) => {
                self.quantified(variable, everybody, assignment, &mut |assignment| {
                    let (from, to) = (assignment[way.ends[0]], assignment[way.ends[1]]);
                    self.ways_from(way, from, assignment).get(to)
                })
            }
        }
    }

    /// Where ways of one step or more lead from an individual.
    fn ways_from(&self, way: &Closure, from: usize, assignment: &mut [usize]) -> Row<S> {
        let Some(place) = way.place() else {
            return self.closure(way, assignment)[from];
        };
        let mut row = self.pair(place, from);
        let mut open = row.may;
        while let Some(at) = open.take_lowest() {
            let next = self.pair(place, at).may;
            open |= next & !row.may;
            row.may |= next;
        }
        let mut open = row.must;
        while let Some(at) = open.take_lowest() {
            let next = self.pair(place, at).must;
            open |= next & !row.must;
            row.must |= next;
        }
        row
    }

    /// The same for what has to be looked at for one individual at a time.
    fn quantified(
        &self,
        variable: Var,
        everybody: S,
        assignment: &mut [usize],
        value: &mut dyn FnMut(&mut [usize]) -> Kleene,
    ) -> Row<S> {
        if variable == Var::MAX {
            return Row::all(value(assignment), everybody);
        }
        let before = assignment[variable];
        let mut row = Row::default();
        for individual in 0..self.size {
            assignment[variable] = individual;
            row.set(individual, value(assignment));
        }
        assignment[variable] = before;
        row
    }

    /// The ways from each individual, of one step or more.
    fn closure(&self, way: &Closure, assignment: &mut [usize]) -> Vec<Row<S>> {
        let first = way.step[0];
        let before = assignment[first];
        let mut ways = vec![Row::default(); self.size];
        for (from, row) in ways.iter_mut().enumerate() {
            assignment[first] = from;
            *row = self.row(&way.edge, way.step[1], assignment);
        }
        assignment[first] = before;
        closed(&mut ways);
        ways
    }

    /// Goes through the assignments under which a conjunction may hold, until `found` says that it is
    /// enough.
    pub(crate) fn each(&self, condition: &Condition, found: &mut dyn FnMut(&mut [usize]) -> bool) {
        self.each_of(condition, None, found);
    }

    /// Goes through the assignments under which the body of a rule surely holds and its head does not,
    /// until `found` says that it is enough.
    pub(crate) fn each_open(&self, rule: &Rule, found: &mut dyn FnMut(&mut [usize]) -> bool) {
        let holds = match rule.head {
            Conclusion::None(place, positive) => self.none[place].get(0) == Kleene::of(positive),
            _ => false,
        };
        if !holds {
            self.each_of(&rule.body, Some(rule.head), found);
        }
    }

    fn each_of(
        &self,
        condition: &Condition,
        head: Option<Conclusion>,
        found: &mut dyn FnMut(&mut [usize]) -> bool,
    ) {
        let mut few = [0; FEW];
        let mut many = Vec::new();
        let assignment: &mut [usize] = match few.get_mut(..condition.slots) {
            Some(few) => few,
            None => {
                many.resize(condition.slots, 0);
                &mut many
            }
        };
        let holds = condition.parts[0].iter().all(|part| {
            let value = self.value(part, assignment);
            value == Kleene::True || head.is_none() && value == Kleene::Unknown
        });
        if holds {
            self.rest(condition, head, 0, assignment, found);
        }
    }

    /// The individuals for which the head of a rule is not known to hold, where those for the
    /// variables before `variable` are assigned.
    fn open(&self, head: Conclusion, variable: Var, assignment: &[usize]) -> S {
        let not_yet = |row: Row<S>, positive: bool| match positive {
            true => !row.must,
            false => row.may,
        };
        match head {
            Conclusion::One(place, a, positive) if a == variable => {
                not_yet(self.one[place], positive)
            }
            Conclusion::Two(place, [a, b], positive) if b == variable && a < b => {
                not_yet(self.pair(place, assignment[a]), positive)
            }
            Conclusion::Equal([a, b], false) if a.max(b) == variable && a != b => {
                S::only(assignment[a.min(b)])
            }
            _ => !S::default(),
        }
    }

    fn rest(
        &self,
        condition: &Condition,
        head: Option<Conclusion>,
        next: Var,
        assignment: &mut [usize],
        found: &mut dyn FnMut(&mut [usize]) -> bool,
    ) -> bool {
        if next + 1 == condition.parts.len() {
            return found(assignment);
        }
        let mut left = self.individuals();
        if let Some(head) = head {
            left &= self.open(head, next, assignment);
        }
        for part in &condition.parts[next + 1] {
            if left.is_empty() {
                return false;
            }
            if left.count() <= FEW_LEFT && !part.is_atom() {
                for individual in left.members() {
                    assignment[next] = individual;
                    let value = self.value(part, assignment);
                    if value == Kleene::False || head.is_some() && value == Kleene::Unknown {
                        left &= !S::only(individual);
                    }
                }
                continue;
            }
            let row = self.row(part, next, assignment);
            left &= if head.is_some() { row.must } else { row.may };
        }
        for individual in left.members() {
            assignment[next] = individual;
            if self.rest(condition, head, next + 1, assignment, found) {
                return true;
            }
        }
        false
    }
}

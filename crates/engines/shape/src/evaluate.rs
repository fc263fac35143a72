//! Formulas on structures, a row at a time: the values for all individuals that one variable may
//! stand for are computed by a few operations on words.

use model::predicates::{Kleene, Var};

use crate::compile::{Closure, Code, Condition};
use crate::matrix::{MOST, Row, Shape, members};
use crate::reachability::closed;

/// So many variables stand on the stack.
const FEW: usize = 24;

impl Shape {
    /// The value of a formula under an assignment.
    pub(crate) fn value(&self, code: &Code, assignment: &mut [usize]) -> Kleene {
        // No formula has so many variables that this one is among them.
        self.row(code, Var::MAX, assignment).get(0)
    }

    /// The values of a formula for each individual that `variable` may stand for. For a variable that
    /// it does not have, all are the same, and there is one even where there are no individuals.
    pub(crate) fn row(&self, code: &Code, variable: Var, assignment: &mut [usize]) -> Row {
        let everybody = match variable {
            Var::MAX => 1,
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
                        let several = self.summary >> one & 1 != 0;
                        return all(match (one == other, several) {
                            (false, _) => Kleene::False,
                            (true, true) => Kleene::Unknown,
                            (true, false) => Kleene::True,
                        });
                    }
                };
                let bit = 1 << other;
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
                    if row.may == 0 {
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
            Code::Exists(bound, inner) => {
                self.quantified(variable, everybody, assignment, &mut |assignment| {
                    let row = self.row(inner, *bound, assignment);
                    match (row.may, row.must) {
                        (0, _) => Kleene::False,
                        (_, 0) => Kleene::Unknown,
                        _ => Kleene::True,
                    }
                })
            }
            Code::Forall(bound, inner) => {
                let individuals = self.individuals();
                self.quantified(variable, everybody, assignment, &mut |assignment| {
                    let row = self.row(inner, *bound, assignment);
                    match (row.may == individuals, row.must == individuals) {
                        (false, _) => Kleene::False,
                        (_, false) => Kleene::Unknown,
                        _ => Kleene::True,
                    }
                })
            }
            Code::Closure(way) if way.is_row(variable) => {
                self.closure(way, assignment)[assignment[way.ends[0]]]
            }
            Code::Closure(way) => {
                self.quantified(variable, everybody, assignment, &mut |assignment| {
                    let (from, to) = (assignment[way.ends[0]], assignment[way.ends[1]]);
                    self.closure(way, assignment)[from].get(to)
                })
            }
        }
    }

    /// The same for what has to be looked at for one individual at a time.
    fn quantified(
        &self,
        variable: Var,
        everybody: u64,
        assignment: &mut [usize],
        value: &mut dyn FnMut(&mut [usize]) -> Kleene,
    ) -> Row {
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
    fn closure(&self, way: &Closure, assignment: &mut [usize]) -> [Row; MOST] {
        let first = way.step[0];
        let before = assignment[first];
        let mut ways = [Row::default(); MOST];
        for (from, row) in ways[..self.size].iter_mut().enumerate() {
            assignment[first] = from;
            *row = self.row(&way.edge, way.step[1], assignment);
        }
        assignment[first] = before;
        closed(&mut ways[..self.size]);
        ways
    }

    /// Goes through the assignments under which a conjunction may hold, or, `surely`, must; until
    /// `found` says that it is enough.
    pub(crate) fn each(
        &self,
        condition: &Condition,
        surely: bool,
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
            value == Kleene::True || !surely && value == Kleene::Unknown
        });
        if holds {
            self.rest(condition, surely, 0, assignment, found);
        }
    }

    fn rest(
        &self,
        condition: &Condition,
        surely: bool,
        next: Var,
        assignment: &mut [usize],
        found: &mut dyn FnMut(&mut [usize]) -> bool,
    ) -> bool {
        if next + 1 == condition.parts.len() {
            return found(assignment);
        }
        let mut row = Row::all(Kleene::True, self.individuals());
        for part in &condition.parts[next + 1] {
            row = row.and(self.row(part, next, assignment));
        }
        for individual in members(if surely { row.must } else { row.may }) {
            assignment[next] = individual;
            if self.rest(condition, surely, next + 1, assignment, found) {
                return true;
            }
        }
        false
    }
}

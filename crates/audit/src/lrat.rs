//! Checks the lines by which a solver says that it got to an answer.
//!
//! A clause follows from others by *reverse unit propagation* (Goldberg, Novikov: *Verification of
//! proofs of unsatisfiability for CNF formulas*, 2003): if all its literals are denied, some clause
//! becomes false by following clauses that have one literal left. A line says which those are, so
//! that nothing is searched (LRAT; Cruz-Filipe et al., *Efficient certified RAT verification*,
//! 2017). Nothing is shared with the solver but how literals are numbered.

use std::ops::Range;

use solver::Literal;
use solver::proof::{Line, Number};
use thiserror::Error;

/// Why a line is not believed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(crate) enum Flaw {
    /// Two clauses of one number.
    #[error("line {0}: the number is taken")]
    Taken(Number),
    /// A hint names a clause that is not there.
    #[error("line {0}: there is no clause {1}")]
    Missing(Number, Number),
    /// A hint names a clause of which more than one literal is left.
    #[error("line {0}: clause {1} is not unit")]
    NotUnit(Number, Number),
    /// The hints come to an end, and nothing is false.
    #[error("line {0}: the clause does not follow")]
    Open(Number),
    /// Nothing excludes the assumptions.
    #[error("nothing excludes the assumptions")]
    NoAnswer,
}

/// Where a clause's literals stand.
type Stretch = Range<usize>;

/// The clauses that are known to hold.
#[derive(Clone, Default, Debug)]
pub(crate) struct Checker {
    /// By number; none if it was deleted, or if the number was not used.
    clauses: Vec<Option<Stretch>>,
    /// The literals of the clauses, in the order in which they came.
    literals: Vec<Literal>,
    /// Literals of clauses that were deleted.
    deleted: usize,
    /// Per literal: the round in which it was last taken to be true.
    taken: Vec<u64>,
    round: u64,
    /// Nothing satisfies the clauses.
    contradiction: bool,
    /// The clause that was derived last.
    last: Vec<Literal>,
}

impl Checker {
    /// A clause that is given, not derived.
    ///
    /// # Errors
    /// If there is one of that number.
    pub(crate) fn given(&mut self, number: Number, clause: &[Literal]) -> Result<(), Flaw> {
        self.contradiction |= clause.is_empty();
        self.store(number, clause)
    }

    /// Follows a line.
    ///
    /// # Errors
    /// Why it is not believed.
    pub(crate) fn follow(&mut self, line: &Line) -> Result<(), Flaw> {
        match line {
            Line::Derive {
                number,
                clause,
                hints,
            } => {
                self.follows(*number, clause, hints)?;
                self.contradiction |= clause.is_empty();
                self.last.clone_from(clause);
                self.store(*number, clause)
            }
            Line::Delete(number) => {
                let stored = self.clauses.get_mut(*number as usize);
                let clause = stored.and_then(Option::take);
                let clause = clause.ok_or(Flaw::Missing(*number, *number))?;
                self.deleted += clause.len();
                // The second keeps the walk over all numbers in proportion.
                if self.deleted > (self.literals.len() / 2).max(self.clauses.len()) {
                    self.compact();
                }
                Ok(())
            }
        }
    }

    /// Whether the last line, or a contradiction, shows that not all assumptions can hold.
    ///
    /// # Errors
    /// If it does not.
    pub(crate) fn excludes(&self, assumptions: &[Literal]) -> Result<(), Flaw> {
        let denied = |literal: &Literal| assumptions.contains(&!*literal);
        let by_last = !self.last.is_empty() && self.last.iter().all(denied);
        match self.contradiction || by_last {
            true => Ok(()),
            false => Err(Flaw::NoAnswer),
        }
    }

    /// Bytes in use, roughly.
    pub(crate) fn memory(&self) -> u64 {
        let clauses = self.clauses.capacity() * size_of::<Option<Stretch>>();
        let literals = self.literals.capacity() * size_of::<Literal>();
        (clauses + literals + self.taken.capacity() * size_of::<u64>()) as u64
    }

    fn store(&mut self, number: Number, clause: &[Literal]) -> Result<(), Flaw> {
        let at = number as usize;
        if at >= self.clauses.len() {
            self.clauses.resize(at + 1, None);
        }
        if self.clauses[at].is_some() {
            return Err(Flaw::Taken(number));
        }
        let from = self.literals.len();
        self.literals.extend_from_slice(clause);
        self.clauses[at] = Some(from..self.literals.len());
        let most = clause.iter().map(|literal| literal.index() | 1).max();
        if let Some(most) = most.filter(|most| *most >= self.taken.len()) {
            self.taken.resize(most + 1, 0);
        }
        Ok(())
    }

    /// Moves the clauses that are left together.
    fn compact(&mut self) {
        let before = std::mem::take(&mut self.literals);
        self.literals.reserve(before.len() - self.deleted);
        self.deleted = 0;
        for clause in self.clauses.iter_mut().flatten() {
            let from = self.literals.len();
            self.literals.extend_from_slice(&before[clause.clone()]);
            *clause = from..self.literals.len();
        }
    }

    /// Whether a clause follows by its hints.
    fn follows(
        &mut self,
        number: Number,
        clause: &[Literal],
        hints: &[Number],
    ) -> Result<(), Flaw> {
        self.round += 1;
        for &literal in clause {
            if self.is_taken(literal) {
                // It says that something holds or does not.
                return Ok(());
            }
            self.take(!literal);
        }
        for &hint in hints {
            let known = self.clauses.get(hint as usize);
            let known = known.and_then(Option::as_ref);
            let known = known.ok_or(Flaw::Missing(number, hint))?.clone();
            let mut left = self.literals[known]
                .iter()
                .filter(|literal| !self.is_taken(!**literal));
            let Some(&literal) = left.next() else {
                return Ok(());
            };
            if left.any(|other| *other != literal) {
                return Err(Flaw::NotUnit(number, hint));
            }
            self.take(literal);
        }
        Err(Flaw::Open(number))
    }

    fn is_taken(&self, literal: Literal) -> bool {
        self.taken.get(literal.index()) == Some(&self.round)
    }

    fn take(&mut self, literal: Literal) {
        if literal.index() >= self.taken.len() {
            self.taken.resize((literal.index() | 1) + 1, 0);
        }
        self.taken[literal.index()] = self.round;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use model::Budget;
    use solver::proof::Lines;
    use solver::{Cdcl, Clauses, Limits, Outcome, Solver, Var};

    use super::*;

    type Given = Vec<(Number, Vec<Literal>)>;

    /// Random clauses that contradict each other, and the proof of it.
    fn contradiction(random: &mut fastrand::Rng) -> (Given, Lines) {
        let budget = Budget::default();
        loop {
            let vars = 12;
            let mut solver = Cdcl::<Lines>::default();
            for _ in 0..vars {
                solver.new_var();
            }
            let mut given = Given::new();
            for _ in 0..6 * vars {
                let clause: Vec<_> = (0..3).map(|_| Literal(random.u32(..2 * vars))).collect();
                given.push((solver.next_number(), clause.clone()));
                solver.add_clause(&clause);
            }
            if solver.solve(&[], None, &Limits::new(&budget)) == Outcome::Unsatisfiable {
                return (given, solver.take_proof());
            }
        }
    }

    fn check(given: &Given, lines: &Lines) -> Result<(), Flaw> {
        let mut checker = Checker::default();
        for (number, clause) in given {
            checker.given(*number, clause)?;
        }
        for line in lines {
            checker.follow(line)?;
        }
        checker.excludes(&[])
    }

    /// The lines that lead to the empty clause.
    fn needed(lines: &Lines) -> Lines {
        let mut wanted = BTreeSet::new();
        let mut kept = Lines::new();
        for line in lines.iter().rev() {
            if let Line::Derive {
                number,
                clause,
                hints,
            } = line
                && (clause.is_empty() || wanted.contains(number))
            {
                wanted.extend(hints.iter().copied());
                kept.push(line.clone());
            }
        }
        kept.reverse();
        kept
    }

    /// The lines with one of them changed.
    fn with(
        lines: &Lines,
        at: usize,
        change: impl FnOnce(&mut Vec<Literal>, &mut Vec<Number>),
    ) -> Lines {
        let mut lines = lines.clone();
        let Line::Derive { clause, hints, .. } = &mut lines[at] else {
            unreachable!("nothing is deleted");
        };
        change(clause, hints);
        lines
    }

    #[test]
    fn a_proof_with_a_line_removed_or_changed_is_rejected() {
        let mut random = fastrand::Rng::with_seed(1);
        let (mut removed, mut stronger) = (0, 0);
        for _ in 0..40 {
            let (given, lines) = contradiction(&mut random);
            assert_eq!(check(&given, &lines), Ok(()), "the solver's own proof");
            let lines = needed(&lines);
            assert_eq!(check(&given, &lines), Ok(()), "what is needed of it");
            for at in 0..lines.len() {
                let mut less = lines.clone();
                less.remove(at);
                assert!(check(&given, &less).is_err(), "without line {at}");
                removed += 1;
                let less = with(&lines, at, |_, hints| hints.truncate(hints.len() - 1));
                assert!(check(&given, &less).is_err(), "a hint less in {at}");
                let wrong = with(&lines, at, |_, hints| hints[0] = Number::MAX);
                assert!(check(&given, &wrong).is_err(), "a hint to nothing in {at}");
                if matches!(&lines[at], Line::Derive { clause, .. } if !clause.is_empty()) {
                    let more = with(&lines, at, |clause, _| clause.truncate(clause.len() - 1));
                    assert!(check(&given, &more).is_err(), "a literal less in {at}");
                    stronger += 1;
                }
            }
        }
        assert!(removed > 200 && stronger > 100, "{removed} {stronger}");
    }

    #[test]
    fn an_answer_is_about_its_assumptions() {
        let budget = Budget::default();
        let mut solver = Cdcl::<Lines>::default();
        let [a, b, c] = [(); 3].map(|()| solver.new_var().literal(true));
        let mut checker = Checker::default();
        for clause in [[!a, b], [!b, c]] {
            assert_eq!(checker.given(solver.next_number(), &clause), Ok(()));
            solver.add_clause(&clause);
        }
        let outcome = solver.solve(&[a, !c], None, &Limits::new(&budget));
        assert_eq!(outcome, Outcome::Unsatisfiable);
        for line in solver.take_proof() {
            assert_eq!(checker.follow(&line), Ok(()), "{line}");
        }
        assert_eq!(checker.excludes(&[a, !c]), Ok(()));
        assert_eq!(checker.excludes(&[!c, a, b]), Ok(()), "more than it takes");
        assert_eq!(checker.excludes(&[a]), Err(Flaw::NoAnswer));
        assert_eq!(checker.excludes(&[!a, !c]), Err(Flaw::NoAnswer));
        assert_eq!(checker.excludes(&[]), Err(Flaw::NoAnswer));
    }

    #[test]
    fn numbers_are_not_given_twice() {
        let [a, b] = [0, 1].map(|var| Var(var).literal(true));
        let mut checker = Checker::default();
        assert_eq!(checker.given(1, &[a]), Ok(()));
        assert_eq!(checker.given(1, &[b]), Err(Flaw::Taken(1)));
        assert_eq!(checker.follow(&Line::Delete(1)), Ok(()));
        assert_eq!(checker.follow(&Line::Delete(1)), Err(Flaw::Missing(1, 1)));
    }
}

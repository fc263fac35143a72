//! Gates as clauses, in the plainest way: each gate is a new variable with its truth table
//! (Tseitin 1968). Nothing is shared and nothing is simplified but constants, so that there is
//! little here that could be wrong.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use model::Budget;
use solver::{Clauses, Limits, Literal, Outcome, Solver};

use crate::Rejected;
use crate::rechecked::Rechecked;

/// Clauses that define gates, in a solver.
pub(crate) struct Gates {
    pub(crate) solver: Rechecked,
    truth: Literal,
    /// Bytes that the clauses may take; what is set when they take more.
    room: (u64, Arc<AtomicBool>),
    made: u32,
}

/// Gates that are made between two looks at the memory.
const EVERY: u32 = 1 << 12;

impl Gates {
    /// Gates in an empty solver, as long as there is memory for them.
    pub(crate) fn new(budget: &Budget) -> Self {
        let mut solver = Rechecked::default();
        let truth = solver.new_var().literal(true);
        solver.add_clause(&[truth]);
        let most = budget.memory.unwrap_or(u64::MAX);
        Gates {
            solver,
            truth,
            room: (most, Arc::clone(&budget.over)),
            made: 0,
        }
    }

    /// Whether conditions can hold together.
    ///
    /// # Errors
    /// At a limit, or if the solver cannot prove that they cannot.
    pub(crate) fn possible(
        &mut self,
        conditions: &[Literal],
        budget: &Budget,
    ) -> Result<bool, Rejected> {
        match self.solver.solve(conditions, None, &Limits::new(budget)) {
            Outcome::Satisfiable => Ok(true),
            Outcome::Unsatisfiable => Ok(false),
            Outcome::Unknown => Err(match self.solver.flaw() {
                Some(flaw) => Rejected::Flawed(flaw),
                None => Rejected::Limit,
            }),
        }
    }

    pub(crate) fn constant(&self, value: bool) -> Literal {
        if value { self.truth } else { !self.truth }
    }

    /// The value of a literal that is a constant.
    pub(crate) fn known(&self, literal: Literal) -> Option<bool> {
        match literal {
            _ if literal == self.truth => Some(true),
            _ if literal == !self.truth => Some(false),
            _ => None,
        }
    }

    pub(crate) fn fresh(&mut self) -> Literal {
        self.made = self.made.wrapping_add(1);
        if self.made.is_multiple_of(EVERY) && self.solver.memory() > self.room.0 {
            self.room.1.store(true, Ordering::Relaxed);
        }
        source::limits::check();
        self.solver.new_var().literal(true)
    }

    pub(crate) fn clause(&mut self, literals: &[Literal]) {
        self.solver.add_clause(literals);
    }

    pub(crate) fn and(&mut self, a: Literal, b: Literal) -> Literal {
        match (self.known(a), self.known(b)) {
            (Some(false), _) | (_, Some(false)) => return self.constant(false),
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            _ => {}
        }
        let gate = self.fresh();
        self.clause(&[!gate, a]);
        self.clause(&[!gate, b]);
        self.clause(&[gate, !a, !b]);
        gate
    }

    pub(crate) fn or(&mut self, a: Literal, b: Literal) -> Literal {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        match (self.known(a), self.known(b)) {
            (Some(value), _) => return b.negated_if(value),
            (_, Some(value)) => return a.negated_if(value),
            _ => {}
        }
        let gate = self.fresh();
        self.clause(&[!gate, a, b]);
        self.clause(&[!gate, !a, !b]);
        self.clause(&[gate, !a, b]);
        self.clause(&[gate, a, !b]);
        gate
    }

    pub(crate) fn iff(&mut self, a: Literal, b: Literal) -> Literal {
        !self.xor(a, b)
    }

    /// `then` if the condition holds, else `otherwise`.
    pub(crate) fn ite(&mut self, cond: Literal, then: Literal, otherwise: Literal) -> Literal {
        match self.known(cond) {
            Some(true) => then,
            Some(false) => otherwise,
            None if then == otherwise => then,
            None => {
                let yes = self.and(cond, then);
                let no = self.and(!cond, otherwise);
                self.or(yes, no)
            }
        }
    }

    pub(crate) fn any(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        let mut none = self.constant(true);
        for literal in literals {
            none = self.and(none, !literal);
        }
        !none
    }
}

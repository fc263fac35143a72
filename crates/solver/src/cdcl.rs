//! Our own solver: conflict-driven clause learning for many small questions.
//!
//! The frame is MiniSat's (Eén, Sörensson: *An Extensible SAT-solver*, 2003): two watched literals
//! with blockers, first unique implication point, recursive minimisation, phase saving; restarts and
//! the clauses to keep are chosen by the number of decision levels in a clause (Audemard, Simon:
//! *Predicting learnt clauses quality*, 2009). What IC3 needs beside that:
//!
//! - A clause *for one question* (Bradley's "not the cube itself"). It is guarded by an assumption;
//!   whatever is learnt from it mentions the guard, so both go when the question is answered, and
//!   one guard serves for ever.
//! - Decisions on a *domain* only: the cone of what is asked. Gates outside of it follow from
//!   their inputs, and need no value (Su, Yang, Ci: *The rIC3 hardware model checker*, 2025).
//! - The assignment stays where it is until the next question; nothing is copied out.

mod analysis;
mod clauses;
mod explanation;

use crate::order::Order;
use crate::proof::{Number, Proof};
use crate::{Clauses, Limits, Literal, Outcome, Solver, Var};

/// Which clause: where it begins in the arena.
type Clause = u32;

const NONE: Clause = u32::MAX;
/// In a watch: the clause has two literals, the other one is the blocker.
const BINARY: u32 = 1 << 31;

const FALSE: u8 = 0;
const TRUE: u8 = 1;
const UNSET: u8 = 2;

const LEARNT: u32 = 1;
const DELETED: u32 = 2;
/// Learnt, and to be dropped with the question's own clause.
const PASSING: u32 = 4;
const FLAGS: u32 = 3;

/// Learnt clauses of at most this many decision levels are kept for ever.
const GLUE: u32 = 2;

#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: u32,
    blocker: Literal,
}

/// A solver that learns from conflicts, and writes down how if somebody wants to know.
#[derive(Clone, Debug)]
pub struct Cdcl<P = ()> {
    /// Clauses: header, then literals; the first two are watched.
    arena: Vec<u32>,
    /// Words of the arena that belong to deleted clauses.
    wasted: usize,
    learnts: Vec<Clause>,
    /// Per literal: the clauses to look at when it becomes false.
    watches: Vec<Vec<Watch>>,
    /// Per literal.
    values: Vec<u8>,
    /// Per variable: at which level it was assigned, and by which clause.
    level: Vec<u32>,
    reason: Vec<Clause>,
    phase: Vec<bool>,
    trail: Vec<Literal>,
    /// Where each decision level begins on the trail.
    limits: Vec<usize>,
    head: usize,
    order: Order,
    /// The variables to decide on; all if none.
    domain: Option<Vec<Var>>,
    /// Per variable: the number of the domain it was last put into.
    domain_mark: Vec<u32>,
    domain_number: u32,
    domain_stale: bool,
    /// The clauses contradict each other.
    broken: bool,
    guard: Option<Var>,
    passing: Vec<Clause>,
    /// Per literal: whether the last answer took it.
    in_core: Vec<bool>,
    core: Vec<Literal>,
    seen: Vec<bool>,
    touched: Vec<Var>,
    stack: Vec<Literal>,
    /// Per level, for counting them in a clause.
    level_mark: Vec<u64>,
    level_round: u64,
    conflicts: u64,
    propagations: u64,
    /// When learnt clauses are next thinned out.
    next_thinning: u64,
    thinnings: u64,
    /// How long the fixed part of the trail was when clauses were last simplified, and when.
    simplified: usize,
    simplified_at: u64,
    quality_now: f64,
    quality_long: f64,
    /// The lines of the proof; what follows is only kept if they are wanted.
    pub(crate) proof: P,
    /// The number that a clause got last.
    number: Number,
    /// Per variable: the clause that fixes it for ever, and its place on the trail.
    fixed_by: Vec<Number>,
    place: Vec<u32>,
    hints: Vec<Number>,
}

impl<P: Proof> Default for Cdcl<P> {
    /// A solver without variables.
    fn default() -> Self {
        Cdcl {
            arena: Vec::new(),
            wasted: 0,
            learnts: Vec::new(),
            watches: Vec::new(),
            values: Vec::new(),
            level: Vec::new(),
            reason: Vec::new(),
            phase: Vec::new(),
            trail: Vec::new(),
            limits: Vec::new(),
            head: 0,
            order: Order::new(),
            domain: None,
            domain_mark: Vec::new(),
            domain_number: 0,
            domain_stale: true,
            broken: false,
            guard: None,
            passing: Vec::new(),
            in_core: Vec::new(),
            core: Vec::new(),
            seen: Vec::new(),
            touched: Vec::new(),
            stack: Vec::new(),
            level_mark: vec![0],
            level_round: 0,
            conflicts: 0,
            propagations: 0,
            next_thinning: 4000,
            thinnings: 0,
            simplified: 0,
            simplified_at: 0,
            quality_now: 0.0,
            quality_long: 0.0,
            proof: P::default(),
            number: 0,
            fixed_by: Vec::new(),
            place: Vec::new(),
            hints: Vec::new(),
        }
    }
}

impl Cdcl {
    /// A solver without variables, which writes no proof.
    #[must_use]
    pub fn new() -> Self {
        Cdcl::default()
    }
}

impl<P: Proof> Cdcl<P> {
    /// Words before the literals of a clause: length and flags, its quality, and its number if
    /// there is a proof.
    const HEADER: usize = 2 + P::WANTED as usize;

    fn var_count(&self) -> usize {
        self.level.len()
    }

    fn assign(&mut self, literal: Literal, reason: Clause) {
        debug_assert_eq!(self.values[literal.index()], UNSET);
        self.values[literal.index()] = TRUE;
        self.values[(!literal).index()] = FALSE;
        let var = literal.var().index();
        self.level[var] = self.limits.len() as u32;
        self.reason[var] = reason;
        if P::WANTED {
            self.place[var] = self.trail.len() as u32;
            if self.limits.is_empty() && reason != NONE {
                self.fix(literal, reason);
            }
        }
        self.trail.push(literal);
    }

    fn backtrack(&mut self, level: usize) {
        if self.limits.len() <= level {
            return;
        }
        let keep = self.limits[level];
        for at in (keep..self.trail.len()).rev() {
            let literal = self.trail[at];
            self.values[literal.index()] = UNSET;
            self.values[(!literal).index()] = UNSET;
            let var = literal.var();
            self.phase[var.index()] = literal.is_positive();
            if self.decides_on(var) {
                self.order.insert(var);
            }
        }
        self.trail.truncate(keep);
        self.limits.truncate(level);
        self.head = keep;
    }

    fn decides_on(&self, var: Var) -> bool {
        self.domain.is_none() || self.domain_mark[var.index()] == self.domain_number
    }

    /// Follows what is assigned; the clause that became false, if one did.
    fn propagate(&mut self) -> Option<Clause> {
        while self.head < self.trail.len() {
            let gone = !self.trail[self.head];
            self.head += 1;
            self.propagations += 1;
            let mut watches = std::mem::take(&mut self.watches[gone.index()]);
            let mut conflict = None;
            let (mut read, mut write) = (0, 0);
            'watches: while read < watches.len() {
                let watch = watches[read];
                read += 1;
                let value = self.values[watch.blocker.index()];
                if value == TRUE {
                    watches[write] = watch;
                    write += 1;
                    continue;
                }
                if watch.clause & BINARY != 0 {
                    watches[write] = watch;
                    write += 1;
                    let clause = watch.clause & !BINARY;
                    if value == FALSE {
                        conflict = Some(clause);
                        break;
                    }
                    self.assign(watch.blocker, clause);
                    continue;
                }
                let clause = watch.clause;
                let at = clause as usize;
                let header = self.arena[at];
                if header & DELETED != 0 {
                    continue;
                }
                let size = (header >> FLAGS) as usize;
                let literals = &mut self.arena[at + Self::HEADER..at + Self::HEADER + size];
                if literals[0] == gone.0 {
                    literals.swap(0, 1);
                }
                let first = Literal(literals[0]);
                let moved = Watch {
                    clause,
                    blocker: first,
                };
                if self.values[first.index()] == TRUE {
                    watches[write] = moved;
                    write += 1;
                    continue;
                }
                for next in 2..size {
                    let literal = Literal(literals[next]);
                    if self.values[literal.index()] != FALSE {
                        literals[1] = literal.0;
                        literals[next] = gone.0;
                        self.watches[literal.index()].push(moved);
                        continue 'watches;
                    }
                }
                watches[write] = moved;
                write += 1;
                if self.values[first.index()] == FALSE {
                    conflict = Some(clause);
                    break;
                }
                self.assign(first, clause);
            }
            if write < read {
                watches.copy_within(read.., write);
                watches.truncate(write + watches.len() - read);
            }
            self.watches[gone.index()] = watches;
            if conflict.is_some() {
                self.head = self.trail.len();
                return conflict;
            }
        }
        None
    }

    /// Whether a literal of the clause is the guard.
    fn is_passing(&self, clause: &[Literal]) -> bool {
        let Some(guard) = self.guard else {
            return false;
        };
        clause.iter().any(|literal| literal.var() == guard)
    }

    /// Learns a clause, which has this number in the proof.
    fn learn(&mut self, learnt: &[Literal], number: Number) {
        if learnt.len() == 1 {
            self.assign(learnt[0], NONE);
            self.fixed(learnt[0], number);
            return;
        }
        let quality = self.quality(learnt);
        let rate = f64::from(quality);
        if self.quality_long == 0.0 {
            self.quality_now = rate;
            self.quality_long = rate;
        }
        self.quality_now += (rate - self.quality_now) / 32.0;
        self.quality_long += (rate - self.quality_long) / 4096.0;
        let passing = self.is_passing(learnt);
        let flags = LEARNT | if passing { PASSING } else { 0 };
        let clause = self.allocate(learnt, flags, quality, number);
        if passing {
            self.passing.push(clause);
        } else {
            self.learnts.push(clause);
        }
        self.assign(learnt[0], clause);
    }

    /// Searches; the assumptions come first among the decisions.
    fn search(&mut self, assumptions: &[Literal], limits: &Limits<'_>) -> Outcome {
        let first_conflict = self.conflicts;
        let mut since_restart = 0u64;
        let mut learnt = Vec::new();
        let mut watchdog = self.propagations + 1_000_000;
        loop {
            if let Some(conflict) = self.propagate() {
                self.conflicts += 1;
                since_restart += 1;
                if self.limits.is_empty() {
                    self.refute(conflict);
                    return Outcome::Unsatisfiable;
                }
                let back = self.analyse(conflict, &mut learnt);
                let number = self.derive(&learnt);
                self.backtrack(back);
                self.learn(&learnt, number);
                self.order.decay();
                if self.conflicts.is_multiple_of(512) && limits.exhausted(self.memory()).is_some()
                    || self.conflicts - first_conflict >= limits.conflicts
                {
                    return Outcome::Unknown;
                }
                continue;
            }
            if self.propagations >= watchdog {
                watchdog = self.propagations + 1_000_000;
                if limits.exhausted(self.memory()).is_some() {
                    return Outcome::Unknown;
                }
            }
            if self.conflicts >= self.next_thinning {
                self.backtrack(0);
                self.thin_out();
                continue;
            }
            if since_restart > 50 && self.quality_now > 1.2 * self.quality_long {
                since_restart = 0;
                self.quality_now = self.quality_long;
                self.backtrack(assumptions.len());
                continue;
            }
            let level = self.limits.len();
            let decision = if level < assumptions.len() {
                let assumption = assumptions[level];
                match self.values[assumption.index()] {
                    TRUE => {
                        self.limits.push(self.trail.len());
                        continue;
                    }
                    FALSE => {
                        self.blame(assumption);
                        return Outcome::Unsatisfiable;
                    }
                    _ => assumption,
                }
            } else {
                loop {
                    let Some(var) = self.order.pop() else {
                        return Outcome::Satisfiable;
                    };
                    // After the domain has changed, others may still come by.
                    if self.values[var.literal(true).index()] == UNSET && self.decides_on(var) {
                        break var.literal(self.phase[var.index()]);
                    }
                }
            };
            self.limits.push(self.trail.len());
            self.assign(decision, NONE);
        }
    }
}

impl<P: Proof> Clauses for Cdcl<P> {
    fn new_var(&mut self) -> Var {
        let var = Var(self.var_count() as u32);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.values.extend([UNSET, UNSET]);
        self.in_core.extend([false, false]);
        self.level.push(0);
        self.reason.push(NONE);
        self.phase.push(false);
        self.seen.push(false);
        self.domain_mark.push(0);
        if P::WANTED {
            self.fixed_by.push(0);
            self.place.push(0);
        }
        self.order.add_var();
        self.order.insert(var);
        var
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.backtrack(0);
        self.number += 1;
        let given = self.number;
        if self.broken {
            return;
        }
        let mut clause = clause.to_vec();
        clause.sort_unstable();
        clause.dedup();
        let tautology = clause.windows(2).any(|pair| pair[0] == !pair[1]);
        if tautology || clause.iter().any(|l| self.values[l.index()] == TRUE) {
            self.proof.delete(given);
            return;
        }
        let number = self.without_false(&mut clause, given);
        match *clause {
            [] => self.broken = true,
            [unit] => {
                self.assign(unit, NONE);
                self.fixed(unit, number);
                if let Some(conflict) = self.propagate() {
                    self.refute(conflict);
                }
            }
            _ => {
                self.allocate(&clause, 0, 0, number);
            }
        }
    }
}

impl<P: Proof> Solver for Cdcl<P> {
    fn solve(
        &mut self,
        assumptions: &[Literal],
        extra: Option<&[Literal]>,
        limits: &Limits<'_>,
    ) -> Outcome {
        self.backtrack(0);
        for literal in self.core.drain(..) {
            self.in_core[literal.index()] = false;
        }
        if self.broken {
            return Outcome::Unsatisfiable;
        }
        if self.trail.len() > self.simplified
            && self.propagations > self.simplified_at + 8 * self.arena.len() as u64
        {
            self.simplify();
        } else if self.wasted > self.arena.len() / 4 + 10_000 {
            self.collect();
        }
        if self.domain_stale {
            self.domain_stale = false;
            // Emptied by answers; whoever is assigned is skipped when its turn comes.
            match &self.domain {
                Some(domain) => self.order.refill(domain.iter().copied()),
                None => self.order.refill((0..self.level.len() as u32).map(Var)),
            }
        }
        let mut given = Vec::with_capacity(assumptions.len() + 1);
        let mut own = None;
        if let Some(extra) = extra {
            assert!(!P::WANTED, "a clause for one question has no number");
            debug_assert!(!extra.is_empty());
            let guard = match self.guard {
                Some(guard) if self.values[guard.literal(true).index()] == UNSET => guard,
                // What was learnt fixed the old one for ever.
                _ => {
                    let guard = self.new_var();
                    self.guard = Some(guard);
                    guard
                }
            };
            let guard = guard.literal(true);
            let mut clause = Vec::with_capacity(extra.len() + 1);
            let mut holds = false;
            for &literal in extra {
                match self.values[literal.index()] {
                    TRUE => holds = true,
                    FALSE => {}
                    _ => clause.push(literal),
                }
            }
            clause.sort_unstable();
            clause.dedup();
            holds |= clause.windows(2).any(|pair| pair[0] == !pair[1]);
            if !holds {
                if clause.is_empty() {
                    return Outcome::Unsatisfiable;
                }
                clause.push(!guard);
                own = Some(self.allocate(&clause, PASSING, 0, 0));
                given.push(guard);
            }
        }
        given.extend_from_slice(assumptions);
        if let Some(own) = own {
            self.passing.push(own);
        }
        let outcome = self.search(&given, limits);
        if outcome != Outcome::Satisfiable {
            self.backtrack(0);
        }
        // The assignment stays, but nothing that passes is used after it: going back only
        // unassigns.
        let mut passing = std::mem::take(&mut self.passing);
        for clause in passing.drain(..) {
            self.delete(clause);
        }
        self.passing = passing;
        outcome
    }

    fn value(&self, literal: Literal) -> Option<bool> {
        match self.values[literal.index()] {
            UNSET => None,
            value => Some(value == TRUE),
        }
    }

    fn in_core(&self, assumption: Literal) -> bool {
        self.in_core[assumption.index()]
    }

    fn restrict(&mut self, domain: Option<&[Var]>) {
        self.domain_number += 1;
        self.domain_stale = true;
        self.domain = domain.map(|domain| {
            for var in domain {
                self.domain_mark[var.index()] = self.domain_number;
            }
            domain.to_vec()
        });
    }

    fn memory(&self) -> u64 {
        let clauses = self.arena.capacity() * 4 + self.arena.len() * 4;
        (clauses + self.var_count() * 140 + self.proof.memory()) as u64
    }

    fn conflicts(&self) -> u64 {
        self.conflicts
    }
}

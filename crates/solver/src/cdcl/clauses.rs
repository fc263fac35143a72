//! The clauses: one behind the other in an arena, watched by two literals each, and thinned out.

use super::{BINARY, Cdcl, Clause, DELETED, FLAGS, GLUE, NONE, PASSING, TRUE, Watch};
use crate::Literal;
use crate::proof::{Number, Proof};

impl<P: Proof> Cdcl<P> {
    #[inline]
    pub(super) fn size(&self, clause: Clause) -> usize {
        (self.arena[clause as usize] >> FLAGS) as usize
    }

    #[inline]
    pub(super) fn literal(&self, clause: Clause, at: usize) -> Literal {
        Literal(self.arena[clause as usize + Self::HEADER + at])
    }

    /// Its number in the proof; 0 if nobody wants one.
    #[inline]
    pub(super) fn number(&self, clause: Clause) -> Number {
        match P::WANTED {
            true => self.arena[clause as usize + 2],
            false => 0,
        }
    }

    pub(super) fn allocate(
        &mut self,
        literals: &[Literal],
        flags: u32,
        quality: u32,
        number: Number,
    ) -> Clause {
        let clause = self.arena.len() as u32;
        assert!(clause < BINARY, "a solver's clauses take less than 8 GB");
        self.arena.push((literals.len() as u32) << FLAGS | flags);
        self.arena.push(quality);
        if P::WANTED {
            self.arena.push(number);
        }
        self.arena.extend(literals.iter().map(|literal| literal.0));
        // A passing clause has to be looked at before it is used: it may be gone.
        let tag = if literals.len() == 2 && flags & PASSING == 0 {
            BINARY
        } else {
            0
        };
        for (own, other) in [(literals[0], literals[1]), (literals[1], literals[0])] {
            self.watches[own.index()].push(Watch {
                clause: clause | tag,
                blocker: other,
            });
        }
        clause
    }

    pub(super) fn delete(&mut self, clause: Clause) {
        if self.arena[clause as usize] & DELETED == 0 {
            self.wasted += self.size(clause) + Self::HEADER;
            self.arena[clause as usize] |= DELETED;
            self.proof.delete(self.number(clause));
        }
    }

    /// Drops the worse half of what was learnt; only at level 0.
    pub(super) fn thin_out(&mut self) {
        self.thinnings += 1;
        self.next_thinning = self.conflicts + 2000 + 300 * self.thinnings;
        let mut candidates = Vec::new();
        let learnts = std::mem::take(&mut self.learnts);
        for clause in learnts {
            let quality = self.arena[clause as usize + 1];
            if self.arena[clause as usize] & DELETED != 0 {
                continue;
            }
            let used = quality >> 31 != 0;
            let quality = quality & !(1 << 31);
            self.arena[clause as usize + 1] = quality;
            if quality <= GLUE || used || self.size(clause) == 2 {
                self.learnts.push(clause);
            } else {
                candidates.push((quality, self.size(clause), clause));
            }
        }
        candidates.sort_unstable();
        let keep = candidates.len() / 2;
        for (position, (_, _, clause)) in candidates.into_iter().enumerate() {
            if position < keep {
                self.learnts.push(clause);
            } else {
                self.delete(clause);
            }
        }
        self.collect();
    }

    /// Drops clauses that are true for ever; only at level 0.
    pub(super) fn simplify(&mut self) {
        self.simplified = self.trail.len();
        self.simplified_at = self.propagations;
        let mut at = 0;
        while at < self.arena.len() {
            let size = self.size(at as Clause);
            let satisfied = (0..size)
                .any(|position| self.values[self.literal(at as Clause, position).index()] == TRUE);
            if satisfied {
                self.delete(at as Clause);
            }
            at += Self::HEADER + size;
        }
        self.collect();
    }

    /// Moves the clauses together; only at level 0, where no clause is needed as a reason.
    pub(super) fn collect(&mut self) {
        debug_assert!(self.limits.is_empty());
        for literal in &self.trail {
            self.reason[literal.var().index()] = NONE;
        }
        let mut moved = Vec::with_capacity(self.arena.len() - self.wasted);
        let mut at = 0;
        while at < self.arena.len() {
            let words = Self::HEADER + self.size(at as Clause);
            if self.arena[at] & DELETED == 0 {
                let new = moved.len() as u32;
                moved.extend_from_slice(&self.arena[at..at + words]);
                // The old place remembers the new one.
                self.arena[at + 1] = new;
            }
            at += words;
        }
        let arena = &self.arena;
        let gone = |clause: Clause| arena[clause as usize] & DELETED != 0;
        for watches in &mut self.watches {
            watches.retain_mut(|watch| {
                let clause = watch.clause & !BINARY;
                if gone(clause) {
                    return false;
                }
                watch.clause = arena[clause as usize + 1] | watch.clause & BINARY;
                true
            });
        }
        for list in [&mut self.learnts, &mut self.passing] {
            list.retain_mut(|clause| {
                if gone(*clause) {
                    return false;
                }
                *clause = arena[*clause as usize + 1];
                true
            });
        }
        self.arena = moved;
        self.wasted = 0;
    }
}

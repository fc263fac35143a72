//! What a conflict teaches: the clause learnt, and the assumptions to blame.

use super::{Cdcl, Clause, LEARNT, NONE};
use crate::Literal;
use crate::proof::Proof;

impl<P: Proof> Cdcl<P> {
    /// The clause learnt from a conflict, its asserting literal first, and the level to go back
    /// to.
    pub(super) fn analyse(&mut self, conflict: Clause, learnt: &mut Vec<Literal>) -> usize {
        learnt.clear();
        learnt.push(Literal(0));
        let here = self.limits.len() as u32;
        let mut open = 0usize;
        let mut at = self.trail.len();
        let mut clause = conflict;
        let mut implied: Option<Literal> = None;
        loop {
            if self.arena[clause as usize] & LEARNT != 0 {
                // Useful: it survives the next thinning (by the bit above the quality).
                self.arena[clause as usize + 1] |= 1 << 31;
            }
            for position in 0..self.size(clause) {
                let literal = self.literal(clause, position);
                if Some(literal) == implied {
                    continue;
                }
                let var = literal.var();
                if self.seen[var.index()] || self.level[var.index()] == 0 {
                    continue;
                }
                self.seen[var.index()] = true;
                self.touched.push(var);
                self.order.bump(var);
                if self.level[var.index()] >= here {
                    open += 1;
                } else {
                    learnt.push(literal);
                }
            }
            let literal = loop {
                at -= 1;
                if self.seen[self.trail[at].var().index()] {
                    break self.trail[at];
                }
            };
            open -= 1;
            if open == 0 {
                learnt[0] = !literal;
                break;
            }
            implied = Some(literal);
            clause = self.reason[literal.var().index()];
        }
        // A literal that the others imply adds nothing.
        let mut levels = 0u32;
        for literal in &learnt[1..] {
            levels |= 1 << (self.level[literal.var().index()] & 31);
        }
        let mut kept = 1;
        for position in 1..learnt.len() {
            let literal = learnt[position];
            if self.reason[literal.var().index()] == NONE || !self.redundant(literal, levels) {
                learnt[kept] = literal;
                kept += 1;
            }
        }
        learnt.truncate(kept);
        if P::WANTED {
            self.explain_learnt(learnt, conflict);
        }
        for var in self.touched.drain(..) {
            self.seen[var.index()] = false;
        }
        let mut back = 0;
        for position in 1..learnt.len() {
            let level = self.level[learnt[position].var().index()] as usize;
            if level > back {
                back = level;
                learnt.swap(1, position);
            }
        }
        back
    }

    /// Whether the literals marked as seen imply this one's negation through reasons alone.
    fn redundant(&mut self, literal: Literal, levels: u32) -> bool {
        self.stack.clear();
        self.stack.push(literal);
        let marked = self.touched.len();
        while let Some(literal) = self.stack.pop() {
            let clause = self.reason[literal.var().index()];
            for position in 0..self.size(clause) {
                let other = self.literal(clause, position);
                let var = other.var();
                let level = self.level[var.index()];
                if var == literal.var() || self.seen[var.index()] || level == 0 {
                    continue;
                }
                if self.reason[var.index()] == NONE || levels & 1 << (level & 31) == 0 {
                    for var in self.touched.drain(marked..) {
                        self.seen[var.index()] = false;
                    }
                    return false;
                }
                self.seen[var.index()] = true;
                self.touched.push(var);
                self.stack.push(other);
            }
        }
        true
    }

    /// How many decision levels a clause spans.
    pub(super) fn quality(&mut self, clause: &[Literal]) -> u32 {
        self.level_round += 1;
        let mut count = 0;
        for literal in clause {
            let level = self.level[literal.var().index()] as usize;
            if level >= self.level_mark.len() {
                self.level_mark.resize(level + 1, 0);
            }
            if self.level_mark[level] != self.level_round {
                self.level_mark[level] = self.level_round;
                count += 1;
            }
        }
        count
    }

    /// Which assumptions make `failed` false, itself included.
    pub(super) fn blame(&mut self, failed: Literal) {
        self.add_to_core(failed);
        let mut reasons = Vec::new();
        if self.level[failed.var().index()] > 0 {
            self.seen[failed.var().index()] = true;
            let first = self.limits.first().copied().unwrap_or(self.trail.len());
            for at in (first..self.trail.len()).rev() {
                let literal = self.trail[at];
                let var = literal.var();
                if !self.seen[var.index()] {
                    continue;
                }
                self.seen[var.index()] = false;
                let clause = self.reason[var.index()];
                if clause == NONE {
                    self.add_to_core(literal);
                    continue;
                }
                if P::WANTED {
                    reasons.push(clause);
                }
                for position in 0..self.size(clause) {
                    let other = self.literal(clause, position).var();
                    if other != var && self.level[other.index()] > 0 {
                        self.seen[other.index()] = true;
                    }
                }
            }
        }
        if P::WANTED {
            reasons.reverse();
            self.explain_core(failed, &reasons);
        }
    }

    fn add_to_core(&mut self, literal: Literal) {
        if !self.in_core[literal.index()] {
            self.in_core[literal.index()] = true;
            self.core.push(literal);
        }
    }
}

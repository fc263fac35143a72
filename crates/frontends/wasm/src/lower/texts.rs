//! What an argument that is an address points to, compared with a text.

use model::{Binary, ExprId, Stmt, Type, ValueSet};

use super::Lowering;
use super::arithmetic::{I64, address, number, two};

/// Whether a comparison holds, and whether that is not known.
#[derive(Clone, Copy)]
struct Answer {
    holds: ExprId,
    open: ExprId,
}

/// How a text is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Given {
    /// By an address and a length.
    Counted(ExprId),
    /// By the address of a text that ends with zero.
    Terminated,
    /// In one of the two ways.
    Either(ExprId),
}

impl Lowering<'_> {
    /// Whether what an address in a memory points to is a text, or begins with it.
    pub(super) fn is_text(
        &mut self,
        memory: usize,
        at: ExprId,
        given: Given,
        text: &[u8],
        prefix: bool,
    ) -> ExprId {
        let at = address(self.pool(), at);
        let answer = match given {
            Given::Counted(length) => self.counted(memory, at, length, text, prefix),
            Given::Terminated => self.found(memory, at, text, !prefix),
            Given::Either(length) => {
                let one = self.counted(memory, at, length, text, prefix);
                let other = self.found(memory, at, text, !prefix);
                self.both_ways(one, other)
            }
        };
        self.settled(answer)
    }

    /// The truth value of an answer, which may be either where it is open.
    fn settled(&mut self, answer: Answer) -> ExprId {
        if self.is_false(answer.open) {
            return answer.holds;
        }
        let fact = "which text an argument is";
        let place = self.variable(fact, Type::Bool);
        let any = self.choice(place.clone(), ValueSet::All(Type::Bool), fact, false);
        let known = Stmt::Assign(place.clone(), answer.holds);
        self.emit(Stmt::If(answer.open, vec![any], vec![known]));
        self.pool().load(place, Type::Bool)
    }

    /// Where it makes a difference how a text is given, nothing is known.
    fn both_ways(&mut self, one: Answer, other: Answer) -> Answer {
        let pool = self.pool();
        let differ = two(pool, Binary::Ne, one.holds, other.holds);
        let open = pool.or(one.open, other.open);
        Answer {
            holds: one.holds,
            open: pool.or(open, differ),
        }
    }

    fn counted(
        &mut self,
        memory: usize,
        at: ExprId,
        length: ExprId,
        text: &[u8],
        prefix: bool,
    ) -> Answer {
        let bytes = self.found(memory, at, text, false);
        let length = address(self.pool(), length);
        let own = self.pool().int(text.len() as i128, I64);
        let long = match prefix {
            true => two(self.pool(), Binary::Le, own, length),
            false => two(self.pool(), Binary::Eq, own, length),
        };
        let pool = self.pool();
        let holds = pool.and(long, bytes.holds);
        let open = pool.and(long, bytes.open);
        // A constant on the right decides, too.
        let never = pool.bool(false);
        let is = |pool: &model::ExprPool, id| number(pool, id) == Some(0);
        Answer {
            holds: if is(pool, bytes.holds) { never } else { holds },
            open: if is(pool, bytes.open) { never } else { open },
        }
    }

    /// Whether a text is at an address, with a zero behind it if it is terminated.
    fn found(&mut self, memory: usize, at: ExprId, text: &[u8], terminated: bool) -> Answer {
        if text.is_empty() && !terminated {
            let pool = self.pool();
            return Answer {
                holds: pool.bool(true),
                open: pool.bool(false),
            };
        }
        let image = &self.memories[memory].image;
        let places = image.places(text, terminated);
        let bounds: Vec<(u64, u64)> = image
            .zones
            .iter()
            .map(|zone| (zone.start, zone.end() - 1))
            .collect();
        let mut holds = self.pool().bool(false);
        let mut open = self.pool().bool(false);
        let mut inside = self.pool().bool(false);
        for found in places {
            let dirty = self.memories[memory].dirty[found.zone].clone();
            let here = self.within(at, &[bounds[found.zone]]);
            if self.is_false(here) {
                continue;
            }
            let equal = self.within(at, &found.equal);
            let maybe = self.within(at, &found.open);
            let pool = self.pool();
            let dirty = pool.load(dirty, Type::Bool);
            let written = pool.and(here, dirty);
            let clean = pool.not(dirty);
            let known = and(pool, clean, equal);
            holds = pool.or(holds, known);
            open = pool.or(open, written);
            open = or(pool, open, maybe);
            inside = pool.or(inside, here);
        }
        let pool = self.pool();
        let outside = pool.not(inside);
        Answer {
            holds,
            open: or(pool, open, outside),
        }
    }

    /// Whether an address is in one of these ranges, their ends included.
    fn within(&mut self, at: ExprId, ranges: &[(u64, u64)]) -> ExprId {
        let mut any = self.pool().bool(false);
        for &(first, last) in ranges {
            let first_id = self.pool().int(i128::from(first), I64);
            let here = if first == last {
                two(self.pool(), Binary::Eq, at, first_id)
            } else {
                let last = self.pool().int(i128::from(last), I64);
                let above = two(self.pool(), Binary::Le, first_id, at);
                let below = two(self.pool(), Binary::Le, at, last);
                and(self.pool(), above, below)
            };
            any = or(self.pool(), any, here);
        }
        any
    }

    /// The text that a constant address points to at first, for people.
    pub(super) fn shown_text(&self, at: ExprId) -> String {
        let Some(at) = number(&self.program.exprs, at).and_then(|at| u64::try_from(at).ok()) else {
            return String::new();
        };
        let mut images = self.memories.iter().map(|memory| &memory.image);
        let text = images.find_map(|image| image.shown(at));
        text.map_or_else(String::new, |text| format!(" \"{text}\""))
    }
}

/// Logical and, with constants on either side at once: nothing that is compared here faults.
fn and(pool: &mut model::ExprPool, left: ExprId, right: ExprId) -> ExprId {
    match number(pool, right) {
        Some(0) => right,
        _ => pool.and(left, right),
    }
}

/// Logical or, in the same way.
fn or(pool: &mut model::ExprPool, left: ExprId, right: ExprId) -> ExprId {
    match number(pool, right) {
        Some(1) => right,
        _ => pool.or(left, right),
    }
}

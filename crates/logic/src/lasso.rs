//! Formulas and automata on ultimately periodic words.
//!
//! A *lasso* is a finite word whose last letters repeat for ever: of its `total_len` letters, those
//! at positions `prefix_len..total_len` are the loop. On such a word each subformula has one truth
//! value per position, and the temporal operators are fixpoints over the finitely many positions
//! (Markey and Schnoebelen, *Model checking a path*, CONCUR 2003): going backwards, two sweeps over
//! the loop reach them. None of this uses the translation into automata, so it checks both the
//! counterexamples that engines report and the translation itself.

use crate::buchi::Buchi;
use crate::ltl::Ltl;
use crate::scc::components;

/// Whether `formula` holds on the lasso; `atom(position, a)` tells whether atom `a` holds at
/// `position < total_len`.
///
/// # Panics
/// If the loop is empty, that is, unless `prefix_len < total_len`.
///
/// ```
/// use logic::{Ltl, lasso::holds_on_lasso};
///
/// // a, then b for ever
/// let word = ["a", "b"];
/// let reads = |position: usize, atom: &&str| word[position] == *atom;
/// let settles = Ltl::eventually(Ltl::always(Ltl::atom("b")));
/// assert!(holds_on_lasso(&settles, 1, 2, reads));
/// // a b a b a b ...
/// assert!(!holds_on_lasso(&settles, 0, 2, reads));
/// ```
pub fn holds_on_lasso<A>(
    formula: &Ltl<A>,
    prefix_len: usize,
    total_len: usize,
    mut atom: impl FnMut(usize, &A) -> bool,
) -> bool {
    assert!(prefix_len < total_len, "the loop of a lasso is not empty");
    let lasso = Lasso {
        prefix_len,
        total_len,
    };
    lasso.truth(formula, &mut atom)[0]
}

impl<A> Buchi<A> {
    /// Whether the automaton accepts the lasso; `atom(position, a)` tells whether atom `a` holds
    /// at `position < total_len`.
    ///
    /// # Panics
    /// If the loop is empty, that is, unless `prefix_len < total_len`.
    pub fn accepts_lasso(
        &self,
        prefix_len: usize,
        total_len: usize,
        mut atom: impl FnMut(usize, &A) -> bool,
    ) -> bool {
        assert!(prefix_len < total_len, "the loop of a lasso is not empty");
        let lasso = Lasso {
            prefix_len,
            total_len,
        };
        let letters: Vec<u64> = (0..total_len)
            .map(|position| {
                let bits = self.atoms.iter().enumerate();
                bits.fold(0, |letter, (i, a)| {
                    letter | (u64::from(atom(position, a)) << i)
                })
            })
            .collect();
        // The product has a vertex for each state at each position; all are built, since words
        // are short, but only those that a run reaches count.
        let vertex = |state: usize, position: usize| (state * total_len + position) as u32;
        let mut successors = vec![Vec::new(); self.state_count() * total_len];
        let mut accepting = Vec::new();
        let first = vertex(self.initial.index(), 0);
        let mut reached = vec![false; successors.len()];
        reached[first as usize] = true;
        let mut open = vec![(self.initial, 0)];
        while let Some((state, position)) = open.pop() {
            let from = vertex(state.index(), position);
            for edge in self.edges_from(state) {
                if !edge.label.matches(letters[position]) {
                    continue;
                }
                let next = lasso.after(position);
                let to = vertex(edge.target.index(), next);
                successors[from as usize].push(to);
                if edge.accepting {
                    accepting.push((from, to));
                }
                if !std::mem::replace(&mut reached[to as usize], true) {
                    open.push((edge.target, next));
                }
            }
        }
        let component = components(&successors);
        accepting
            .into_iter()
            .any(|(from, to)| component.of[from as usize] == component.of[to as usize])
    }
}

struct Lasso {
    prefix_len: usize,
    total_len: usize,
}

impl Lasso {
    fn after(&self, position: usize) -> usize {
        if position + 1 < self.total_len {
            position + 1
        } else {
            self.prefix_len
        }
    }

    /// The truth value of the formula at each position.
    fn truth<A>(&self, formula: &Ltl<A>, atom: &mut impl FnMut(usize, &A) -> bool) -> Vec<bool> {
        match formula {
            Ltl::True => vec![true; self.total_len],
            Ltl::False => vec![false; self.total_len],
            Ltl::Atom(a) => (0..self.total_len).map(|i| atom(i, a)).collect(),
            Ltl::Not(p) => self.truth(p, atom).into_iter().map(|p| !p).collect(),
            Ltl::And(ps) => ps.iter().fold(vec![true; self.total_len], |all, p| {
                zip(&all, &self.truth(p, atom), |a, b| a && b)
            }),
            Ltl::Or(ps) => ps.iter().fold(vec![false; self.total_len], |any, p| {
                zip(&any, &self.truth(p, atom), |a, b| a || b)
            }),
            Ltl::Implies(p, q) => zip(&self.truth(p, atom), &self.truth(q, atom), |p, q| !p || q),
            Ltl::Iff(p, q) => zip(&self.truth(p, atom), &self.truth(q, atom), |p, q| p == q),
            Ltl::Next(p) => {
                let p = self.truth(p, atom);
                (0..self.total_len).map(|i| p[self.after(i)]).collect()
            }
            Ltl::Eventually(p) => {
                let p = self.truth(p, atom);
                self.fixpoint(false, |i, later| p[i] || later)
            }
            Ltl::Always(p) => {
                let p = self.truth(p, atom);
                self.fixpoint(true, |i, later| p[i] && later)
            }
            Ltl::Until(p, q) => {
                let (p, q) = (self.truth(p, atom), self.truth(q, atom));
                self.fixpoint(false, |i, later| q[i] || (p[i] && later))
            }
            Ltl::WeakUntil(p, q) => {
                let (p, q) = (self.truth(p, atom), self.truth(q, atom));
                self.fixpoint(true, |i, later| q[i] || (p[i] && later))
            }
            Ltl::Release(p, q) => {
                let (p, q) = (self.truth(p, atom), self.truth(q, atom));
                self.fixpoint(true, |i, later| q[i] && (p[i] || later))
            }
        }
    }

    /// The least (`start` false) or greatest (`start` true) solution of
    /// `x[i] = step(i, x[after i])`, for a monotone `step`.
    fn fixpoint(&self, start: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut x = vec![start; self.total_len];
        // The first sweep finds the right value of the loop's first position, unless it depends on
        // itself, and then `start` is right; the second carries that value once around the loop.
        for i in (self.prefix_len..self.total_len).rev() {
            x[i] = step(i, x[self.after(i)]);
        }
        for i in (0..self.total_len).rev() {
            x[i] = step(i, x[self.after(i)]);
        }
        x
    }
}

fn zip(p: &[bool], q: &[bool], combine: impl Fn(bool, bool) -> bool) -> Vec<bool> {
    p.iter().zip(q).map(|(&p, &q)| combine(p, q)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buchi::{BuchiState, Cube, Edge};

    fn on(formula: &Ltl<char>, prefix: &str, cycle: &str) -> bool {
        let word: Vec<char> = prefix.chars().chain(cycle.chars()).collect();
        holds_on_lasso(formula, prefix.len(), word.len(), |i, a| word[i] == *a)
    }

    #[test]
    fn operators_on_small_words() {
        let a = || Ltl::atom('a');
        let b = || Ltl::atom('b');
        assert!(on(&Ltl::until(a(), b()), "aaa", "b"));
        assert!(!on(&Ltl::until(a(), b()), "aac", "b"));
        assert!(!on(&Ltl::until(a(), b()), "", "a"));
        assert!(on(&Ltl::weak_until(a(), b()), "", "a"));
        assert!(on(&Ltl::release(b(), a()), "", "a"));
        assert!(!on(&Ltl::release(b(), a()), "aa", "b"));
        assert!(on(&Ltl::next(b()), "", "ab"));
        assert!(on(&Ltl::next(Ltl::next(a())), "", "ab"));
        assert!(on(&Ltl::always(Ltl::eventually(b())), "cc", "acb"));
        assert!(!on(&Ltl::always(Ltl::eventually(b())), "bbb", "a"));
        assert!(on(&Ltl::iff(a(), Ltl::not(b())), "a", "b"));
        assert!(on(&Ltl::implies(b(), Ltl::False), "a", "b"));
    }

    #[test]
    fn until_around_the_end_of_the_loop() {
        // Position 2 needs the q of position 1, one turn later.
        let p_until_q = Ltl::until(Ltl::atom('p'), Ltl::atom('q'));
        assert!(on(&Ltl::next(Ltl::next(p_until_q.clone())), "", "pqp"));
        assert!(on(&Ltl::always(p_until_q), "", "pqp"));
    }

    #[test]
    fn an_automaton_with_a_reachable_rejecting_loop() {
        // <> [] a, guessed on leaving state 0
        let edge = |label, target, accepting| Edge {
            label,
            target: BuchiState(target),
            accepting,
        };
        let automaton = Buchi {
            atoms: vec!['a'],
            initial: BuchiState(0),
            edges: vec![
                vec![
                    edge(Cube::TRUE, 0, false),
                    edge(Cube::literal(0, true), 1, false),
                ],
                vec![edge(Cube::literal(0, true), 1, true)],
            ],
        };
        let accepts = |prefix_len, word: &str| {
            let word: Vec<char> = word.chars().collect();
            automaton.accepts_lasso(prefix_len, word.len(), |i, a| word[i] == *a)
        };
        assert!(accepts(2, "bba"));
        assert!(!accepts(0, "bba"));
        assert!(!accepts(1, "ab"));
        assert!(accepts(0, "a"));
    }
}

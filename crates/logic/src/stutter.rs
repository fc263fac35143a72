//! Whether an automaton can count repetitions of a letter.
//!
//! A language is *stutter invariant* if repeating letters, or leaving repetitions out, changes
//! nothing about which words are in it: then steps that change no atom need not be kept apart.
//! Deciding it takes a complement (Peled, Wilke and Wolper, *An algorithmic approach for checking
//! closure properties of ω-regular languages*, CONCUR 1996); what is asked here is a condition on
//! edges that suffices, holds of the usual hand-written claims, and costs little:
//!
//! - what one edge reads, two edges in a row read twice, passing acceptance if the one does;
//! - what two edges in a row read twice, one edge reads, passing acceptance if either does.
//!
//! Acceptance counts only where a run can come back: between states of one component. Blocks of
//! equal letters are then stretched and shrunk one by one, each run keeping its
//! acceptance; a block that never ends stays as it is.

use crate::buchi::{Buchi, BuchiState, Cube};
use crate::scc::components;

/// How many cubes are looked at before the answer is a cautious no.
const EFFORT: usize = 100_000;

impl<A> Buchi<A> {
    /// Whether its language is seen to be closed under stuttering; `false` is no proof of the
    /// contrary.
    pub fn is_stutter_invariant(&self) -> bool {
        let mut effort = EFFORT;
        let successors: Vec<Vec<u32>> = self
            .edges
            .iter()
            .map(|edges| edges.iter().map(|edge| edge.target.0).collect())
            .collect();
        let component = components(&successors).of;
        let comes_back =
            |from: BuchiState, to: BuchiState| component[from.index()] == component[to.index()];
        self.states().all(|from| {
            let edges = self.edges_from(from);
            let stretched = edges.iter().all(|edge| {
                let counts = edge.accepting && comes_back(from, edge.target);
                let twice = self.pairs(from, edge.label, edge.target, counts);
                covered(edge.label, &twice, &mut effort)
            });
            stretched
                && edges.iter().all(|first| {
                    self.edges_from(first.target).iter().all(|second| {
                        let both = first.label.and(second.label);
                        let accepting = (first.accepting || second.accepting)
                            && comes_back(from, second.target);
                        let once: Vec<Cube> = edges
                            .iter()
                            .filter(|e| e.target == second.target && (e.accepting || !accepting))
                            .map(|e| e.label)
                            .collect();
                        both.is_false() || covered(both, &once, &mut effort)
                    })
                })
        })
    }

    /// The letters of `label` that two edges in a row read twice on the way to `to`.
    fn pairs(&self, from: BuchiState, label: Cube, to: BuchiState, accepting: bool) -> Vec<Cube> {
        let mut found = Vec::new();
        for first in self.edges_from(from) {
            let part = first.label.and(label);
            if part.is_false() {
                continue;
            }
            for second in self.edges_from(first.target) {
                let both = part.and(second.label);
                let passes = first.accepting || second.accepting || !accepting;
                if second.target == to && passes && !both.is_false() {
                    found.push(both);
                }
            }
        }
        found
    }
}

/// Whether each letter of `cube` is in one of the others, by case distinction.
pub(crate) fn covered(cube: Cube, others: &[Cube], effort: &mut usize) -> bool {
    let meeting: Vec<Cube> = others
        .iter()
        .copied()
        .filter(|other| !cube.and(*other).is_false())
        .collect();
    if meeting.iter().any(|&other| cube.implies(other)) {
        return true;
    }
    let Some(left) = effort.checked_sub(meeting.len().max(1)) else {
        return false;
    };
    *effort = left;
    // An atom that some cube asks for and this one leaves open.
    let open = meeting.iter().find_map(|other| {
        let asked = (other.pos | other.neg) & !(cube.pos | cube.neg);
        (asked != 0).then(|| asked.trailing_zeros() as usize)
    });
    open.is_some_and(|atom| {
        [true, false]
            .into_iter()
            .all(|value| covered(cube.and(Cube::literal(atom, value)), &meeting, effort))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buchi::Edge;
    use crate::{Ltl, translate};

    fn automaton(edges: &[&[(Cube, u32, bool)]]) -> Buchi<char> {
        Buchi {
            atoms: vec!['a', 'b'],
            initial: BuchiState(0),
            edges: edges
                .iter()
                .map(|state| {
                    state
                        .iter()
                        .map(|&(label, target, accepting)| Edge {
                            label,
                            target: BuchiState(target),
                            accepting,
                        })
                        .collect()
                })
                .collect(),
        }
    }

    const A: Cube = Cube { pos: 1, neg: 0 };
    const NOT_A: Cube = Cube { pos: 0, neg: 1 };
    const B: Cube = Cube { pos: 2, neg: 0 };

    #[test]
    fn claims_that_wait_are_invariant() {
        // Some time a, then anything; some time a, then never b again.
        let reach: &[(Cube, u32, bool)] = &[(Cube::TRUE, 0, false), (A, 1, false)];
        assert!(automaton(&[reach, &[(Cube::TRUE, 1, true)]]).is_stutter_invariant());
        let not_b = Cube { pos: 0, neg: 2 };
        assert!(
            automaton(&[
                &[(Cube::TRUE, 0, false), (A.and(not_b), 1, true)],
                &[(not_b, 1, true)],
            ])
            .is_stutter_invariant()
        );
        // By cases: a or not a.
        assert!(
            automaton(&[
                &[(A, 0, false), (NOT_A, 0, false), (B, 1, false)],
                &[(Cube::TRUE, 1, true)]
            ])
            .is_stutter_invariant()
        );
    }

    #[test]
    fn claims_that_count_are_not() {
        // a in the second position: stretching changes it.
        assert!(
            !automaton(&[
                &[(Cube::TRUE, 1, false)],
                &[(A, 2, false)],
                &[(Cube::TRUE, 2, true)],
            ])
            .is_stutter_invariant()
        );
        // Twice a: shrinking does.
        assert!(
            !automaton(&[
                &[(Cube::TRUE, 0, false), (A, 1, false)],
                &[(A, 2, false)],
                &[(Cube::TRUE, 2, true)],
            ])
            .is_stutter_invariant()
        );
        // Acceptance only on the first of two.
        assert!(!automaton(&[&[(A, 1, true)], &[(A, 0, false)]]).is_stutter_invariant());
    }

    /// Whatever is found invariant does not tell short words from their stretched forms.
    #[test]
    fn no_word_tells_an_invariant_automaton_from_its_stretched_form() {
        let (a, b) = (|| Ltl::atom('a'), || Ltl::atom('b'));
        let formulas = [
            Ltl::until(a(), b()),
            Ltl::always(Ltl::eventually(a())),
            Ltl::next(a()),
            Ltl::eventually(Ltl::always(a())),
            Ltl::always(Ltl::implies(a(), Ltl::eventually(b()))),
            Ltl::eventually(Ltl::all([a(), Ltl::next(Ltl::not(a()))])),
        ];
        let mut invariant = 0;
        for formula in formulas {
            let automaton = translate(&formula).expect("it is small");
            if !automaton.is_stutter_invariant() {
                continue;
            }
            invariant += 1;
            for word in 0..256usize {
                let letter = |at: usize| (word >> (2 * at)) & 3;
                let reads = |letter: usize, atom: char| letter >> usize::from(atom == 'b') & 1 == 1;
                let plain = automaton.accepts_lasso(2, 4, |at, &c| reads(letter(at), c));
                let stretched = automaton.accepts_lasso(4, 8, |at, &c| reads(letter(at / 2), c));
                assert_eq!(plain, stretched, "{formula:?} {word:#x}");
            }
        }
        assert!(invariant >= 2, "{invariant}");
    }
}

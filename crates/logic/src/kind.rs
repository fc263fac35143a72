//! How hard it is to search for an accepted run.
//!
//! Bloem, Ravi and Somenzi, *Efficient decision procedures for model checking of linear time logic
//! properties* (CAV 1999): in a *terminal* automaton a run is accepting as soon as it reaches a
//! state that accepts whatever follows, so that reachability decides; in a *weak* one any cycle
//! inside a component that accepts will do, so that the marks need not be looked at on the way.

use crate::buchi::{Buchi, BuchiState, Cube, Edge};
use crate::scc::components;

/// What accepting runs of a [`Buchi`] automaton look like; the first that applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuchiKind {
    /// There are none.
    Empty,
    /// They are those that reach this state, whose accepting loop reads every letter.
    Terminal(BuchiState),
    /// On each cycle, all edges are accepting or none is.
    Weak,
    /// Anything else.
    General,
}

impl<A> Buchi<A> {
    /// What accepting runs look like.
    ///
    /// [`translate`](crate::translate) of a formula whose negation
    /// [is safety](crate::Ltl::is_safety) never gives `Weak` or `General`.
    pub fn kind(&self) -> BuchiKind {
        let targets = |s: BuchiState| self.edges_from(s).iter().map(|e| e.target.0).collect();
        let successors: Vec<Vec<u32>> = self.states().map(targets).collect();
        let component = components(&successors);
        let mut reached = vec![false; self.state_count()];
        let mut open = vec![self.initial];
        reached[self.initial.index()] = true;
        // For each component, whether an accepting and whether a rejecting edge lies inside.
        let mut accepts = vec![false; component.count];
        let mut rejects = vec![false; component.count];
        let mut sinks = Vec::new();
        let mut other_acceptance = false;
        while let Some(state) = open.pop() {
            let own = component.of[state.index()];
            for edge in self.edges_from(state) {
                if !std::mem::replace(&mut reached[edge.target.index()], true) {
                    open.push(edge.target);
                }
                if component.of[edge.target.index()] != own {
                    continue;
                }
                if !edge.accepting {
                    rejects[own as usize] = true;
                    continue;
                }
                accepts[own as usize] = true;
                if edge.target == state && edge.label == Cube::TRUE {
                    sinks.push(state);
                } else {
                    other_acceptance = true;
                }
            }
        }
        sinks.dedup();
        match sinks.as_slice() {
            [] if !other_acceptance => BuchiKind::Empty,
            [sink] if !other_acceptance => BuchiKind::Terminal(*sink),
            _ if accepts.iter().zip(rejects).all(|(a, r)| !(*a && r)) => BuchiKind::Weak,
            _ => BuchiKind::General,
        }
    }

    /// The state that a run must reach, and need only reach, to be accepting, if there is one.
    ///
    /// For the automaton of a negated safety formula, a word reaches it by a bad prefix: then
    /// plain reachability decides the property. Mind that the search must still know that each
    /// finite run it sees has an infinite continuation.
    pub fn terminal_state(&self) -> Option<BuchiState> {
        match self.kind() {
            BuchiKind::Terminal(state) => Some(state),
            _ => None,
        }
    }

    /// The letters for which an automaton waits that accepts a word if and only if one of them
    /// occurs in it; nothing if it does not say so by waiting in one state.
    pub fn awaited(&self) -> Option<Vec<Cube>> {
        let goal = self.terminal_state()?;
        let edges = self.edges_from(self.initial);
        let is_known = |edge: &Edge| edge.target == self.initial || edge.target == goal;
        if goal == self.initial || !edges.iter().all(is_known) {
            return None;
        }
        let labels: Vec<Cube> = edges.iter().map(|edge| edge.label).collect();
        let awaited = edges.iter().filter(|edge| edge.target == goal);
        cover(&labels, Cube::TRUE).then(|| awaited.map(|edge| edge.label).collect())
    }
}

/// Whether each letter of a cube is one of others.
fn cover(others: &[Cube], cube: Cube) -> bool {
    if others.iter().any(|&other| cube.implies(other)) {
        return true;
    }
    let mut possible = others.iter().map(|&other| cube.and(other));
    let Some(other) = possible.find(|other| !other.is_false()) else {
        return false;
    };
    // It says more than the cube does.
    let more = (other.pos | other.neg) & !(cube.pos | cube.neg);
    let atom = more.trailing_zeros() as usize;
    [false, true]
        .into_iter()
        .all(|value| cover(others, cube.and(Cube::literal(atom, value))))
}

#[cfg(test)]
mod tests {
    use crate::{Buchi, BuchiKind, BuchiState, parse, translate};

    fn kind(text: &str) -> BuchiKind {
        let formula = parse(text, |atom, _| Ok::<_, ()>(atom.to_owned()));
        let formula = formula.expect("it is a formula");
        translate(&formula).expect("it is small").kind()
    }

    #[test]
    fn kinds_of_formulas() {
        assert_eq!(kind("false"), BuchiKind::Empty);
        assert_eq!(kind("<> a && [] !a"), BuchiKind::Empty);
        assert_eq!(kind("true"), BuchiKind::Terminal(BuchiState(0)));
        assert_eq!(kind("<> a"), BuchiKind::Terminal(BuchiState(1)));
        assert!(matches!(
            kind("![] (a -> X (b W c))"),
            BuchiKind::Terminal(_)
        ));
        assert!(matches!(
            kind("(a U b) U (c && X (b U !a))"),
            BuchiKind::Terminal(_)
        ));
        assert_eq!(kind("[] a"), BuchiKind::Weak);
        assert_eq!(kind("<> [] a"), BuchiKind::Weak);
        assert_eq!(kind("a W b"), BuchiKind::Weak);
        assert_eq!(kind("[] <> a"), BuchiKind::General);
    }

    #[test]
    fn what_is_waited_for() {
        let awaited = |text: &str| {
            let formula = parse(text, |atom, _| Ok::<_, ()>(atom.to_owned())).expect("a formula");
            let automaton = translate(&formula).expect("it is small");
            let letters = automaton.awaited()?;
            // Which sets of a and b are among them.
            let bit = |name: &str| automaton.atoms.iter().position(|atom| atom == name);
            let letter = |set: u64| {
                ["a", "b"]
                    .iter()
                    .enumerate()
                    .fold(0, |letter, (number, name)| {
                        letter | bit(name).map_or(0, |bit| (set >> number & 1) << bit)
                    })
            };
            let is_one = |set: &u64| letters.iter().any(|cube| cube.matches(letter(*set)));
            Some((0..4).filter(is_one).collect::<Vec<u64>>())
        };
        assert_eq!(awaited("<> a"), Some(vec![1, 3]));
        assert_eq!(awaited("![] !(a && b)"), Some(vec![3]));
        assert_eq!(awaited("![] (a <-> b)"), Some(vec![1, 2]));
        for more in [
            "<> (a && X b)",
            "a U b",
            "[] <> a",
            "<> [] a",
            "a",
            "true",
            "false",
        ] {
            assert_eq!(awaited(more), None, "{more}");
        }
    }

    #[test]
    fn kinds_of_the_simplest() {
        assert_eq!(Buchi::<()>::empty().kind(), BuchiKind::Empty);
        assert_eq!(
            Buchi::<()>::universal().terminal_state(),
            Some(BuchiState(0))
        );
    }
}

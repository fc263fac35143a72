//! Which states satisfy a formula, over fair paths.
//!
//! As in Clarke, Emerson and Sistla (1986): from the inside out, one set for each subformula.
//! Existential operators are computed, universal ones are their duals. A path is fair if it is
//! infinite and meets each of some sets infinitely often, or ends where runs may end.

use logic::{Ctl, Quantifier};
use model::{StateSet, Vertex};

use crate::components::components;
use crate::graph::Graph;

/// A graph with the sets that a fair path meets infinitely often.
pub(crate) struct Fair<'g> {
    pub(crate) graph: &'g Graph<'g>,
    pub(crate) justice: &'g [StateSet],
    /// Those from which a fair path begins.
    pub(crate) fair: StateSet,
}

impl<'g> Fair<'g> {
    pub(crate) fn new(graph: &'g Graph<'g>, justice: &'g [StateSet]) -> Fair<'g> {
        let mut result = Fair {
            graph,
            justice,
            fair: StateSet::none(graph.len()),
        };
        // Where a run may end, any can be gone on with, for ever or to its end.
        result.fair = if justice.is_empty() && graph.may_end() {
            StateSet::all(graph.len())
        } else {
            result.for_ever(&StateSet::all(graph.len()))
        };
        result
    }

    /// Members of components inside `within` in which a fair path can stay.
    pub(crate) fn recurrent(&self, within: &StateSet) -> StateSet {
        let mut found = StateSet::none(self.graph.len());
        components(self.graph, within, &mut |component: &[Vertex]| {
            let meets = |set: &StateSet| component.iter().any(|vertex| set.has(*vertex));
            if self.justice.iter().all(meets) {
                for vertex in component {
                    found.add(*vertex);
                }
            }
        });
        // A path that ends is fair; one whose last state repeats is if that state is.
        let mut ends = self.graph.ends().and(within);
        if self.graph.repeats() {
            ends = self.justice.iter().fold(ends, StateSet::and);
        }
        found.or(&ends)
    }

    /// Those from which a fair path stays inside `within`.
    pub(crate) fn for_ever(&self, within: &StateSet) -> StateSet {
        let recurrent = self.recurrent(within);
        let reaching = self.graph.reaching(within, &recurrent);
        self.graph.close(reaching)
    }

    /// Those with a step into a set that can be gone on with fairly.
    pub(crate) fn next(&self, set: &StateSet) -> StateSet {
        let target = set.clone().and(&self.fair);
        self.graph.close(self.graph.before(&target))
    }

    /// Those with a fair path through `through` to `to`.
    pub(crate) fn until(&self, through: &StateSet, to: &StateSet) -> StateSet {
        let target = to.clone().and(&self.fair);
        self.graph.close(self.graph.reaching(through, &target))
    }

    /// Those that satisfy a formula. `atom` gives those where an atom holds.
    pub(crate) fn satisfying<A>(
        &self,
        formula: &Ctl<A>,
        atom: &dyn Fn(&A) -> StateSet,
    ) -> StateSet {
        let count = self.graph.len();
        let of = |formula: &Ctl<A>| self.satisfying(formula, atom);
        match formula {
            Ctl::True => StateSet::all(count),
            Ctl::False => StateSet::none(count),
            Ctl::Atom(a) => atom(a),
            Ctl::Not(p) => of(p).not(),
            Ctl::And(ps) => ps
                .iter()
                .fold(StateSet::all(count), |set, p| set.and(&of(p))),
            Ctl::Or(ps) => ps
                .iter()
                .fold(StateSet::none(count), |set, p| set.or(&of(p))),
            Ctl::Implies(p, q) => of(p).not().or(&of(q)),
            Ctl::Iff(p, q) => {
                let (p, q) = (of(p), of(q));
                let both = p.clone().and(&q);
                both.or(&p.not().and(&q.not()))
            }
            Ctl::Next(Quantifier::Some, p) => self.next(&of(p)),
            Ctl::Next(Quantifier::All, p) => self.next(&of(p).not()).not(),
            Ctl::Eventually(Quantifier::Some, p) => self.until(&StateSet::all(count), &of(p)),
            Ctl::Eventually(Quantifier::All, p) => self.for_ever(&of(p).not()).not(),
            Ctl::Always(Quantifier::Some, p) => self.for_ever(&of(p)),
            Ctl::Always(Quantifier::All, p) => {
                self.until(&StateSet::all(count), &of(p).not()).not()
            }
            Ctl::Until(Quantifier::Some, p, q) => self.until(&of(p), &of(q)),
            Ctl::Until(Quantifier::All, p, q) => {
                let not_q = of(q).not();
                let neither = of(p).not().and(&not_q);
                let fails = self.until(&not_q, &neither);
                fails.or(&self.for_ever(&not_q)).not()
            }
            Ctl::Within(over, lo, hi, p, q) => {
                let (p, q) = (of(p), of(q));
                let step = |set: &StateSet| match over {
                    Quantifier::Some => self.next(set),
                    Quantifier::All => self.next(&set.clone().not()).not(),
                };
                let end = match over {
                    Quantifier::Some => q.and(&self.fair),
                    Quantifier::All => q.or(&self.fair.clone().not()),
                };
                let mut set = end.clone();
                for _ in *lo..*hi {
                    let more = step(&set).and(&p).or(&end);
                    if more == set {
                        break;
                    }
                    set = more;
                }
                for _ in 0..*lo {
                    let before = step(&set).and(&p);
                    if before == set {
                        break;
                    }
                    set = before;
                }
                set
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use model::FiniteRuns;

    use super::*;

    /// A small generator of random numbers (xorshift).
    struct Random(fastrand::Rng);

    impl Random {
        fn below(&mut self, limit: u32) -> u32 {
            self.0.u32(..limit)
        }

        fn formula(&mut self, depth: u32) -> Ctl<usize> {
            if depth == 0 {
                return Ctl::Atom(self.below(2) as usize);
            }
            let over = if self.below(2) == 0 {
                Quantifier::All
            } else {
                Quantifier::Some
            };
            let p = Arc::new(self.formula(depth - 1));
            let q = Arc::new(self.formula(depth - 1));
            match self.below(9) {
                0 => Ctl::Not(p),
                1 => Ctl::And(Arc::new([(*p).clone(), (*q).clone()])),
                2 => Ctl::Implies(p, q),
                3 => Ctl::Iff(p, q),
                4 => Ctl::Next(over, p),
                5 => Ctl::Eventually(over, p),
                6 => Ctl::Always(over, p),
                7 => Ctl::Until(over, p, q),
                _ => Ctl::Within(over, self.below(3), 2 + self.below(3), p, q),
            }
        }
    }

    /// The same by fixpoints alone (Emerson and Lei 1986), without components.
    struct Slow<'g> {
        graph: &'g Graph<'g>,
        justice: &'g [StateSet],
    }

    impl Slow<'_> {
        fn before(&self, set: &StateSet) -> StateSet {
            let mut found = StateSet::none(self.graph.len());
            for vertex in 0..u32::try_from(self.graph.len()).unwrap() {
                let nexts = self.graph.successors(vertex);
                let repeats = nexts.is_empty() && self.graph.repeats() && set.has(vertex);
                if repeats || nexts.iter().any(|v| set.has(*v)) {
                    found.add(vertex);
                }
            }
            found
        }

        fn through(&self, p: &StateSet, q: &StateSet) -> StateSet {
            let mut set = q.clone();
            loop {
                let more = self.before(&set).and(p).or(&set);
                if more == set {
                    return set;
                }
                set = more;
            }
        }

        fn for_ever(&self, p: &StateSet) -> StateSet {
            let mut set = p.clone();
            loop {
                // Where runs end, an end is as good as going on fairly.
                let ends = if self.graph.repeats() {
                    StateSet::none(self.graph.len())
                } else {
                    self.graph.ends()
                };
                let mut less = self.before(&set).or(&ends).and(&set);
                for justice in self.justice {
                    let met = set.clone().and(justice).or(&ends.clone().and(&set));
                    less = less.and(&self.before(&self.through(p, &met)).or(&ends));
                }
                if less == set {
                    return set;
                }
                set = less;
            }
        }

        fn some(&self, path: &Ctl<usize>, atoms: &[StateSet]) -> StateSet {
            let all = StateSet::all(self.graph.len());
            let fair = self.for_ever(&all);
            let of = |p: &Ctl<usize>| self.of(p, atoms);
            match path {
                Ctl::Next(_, p) => self.before(&of(p).and(&fair)),
                Ctl::Eventually(_, p) => self.through(&all, &of(p).and(&fair)),
                Ctl::Always(_, p) => self.for_ever(&of(p)),
                Ctl::Until(_, p, q) => self.through(&of(p), &of(q).and(&fair)),
                Ctl::Within(_, lo, hi, p, q) => {
                    // By the number of steps, one set for each.
                    let (p, mut at) = (of(p), of(q).and(&fair));
                    let mut found = StateSet::none(self.graph.len());
                    for steps in 0..=*hi {
                        if steps >= *lo {
                            found = found.or(&at);
                        }
                        at = self.before(&at).and(&p);
                    }
                    found
                }
                _ => unreachable!("it is about paths"),
            }
        }

        fn of(&self, formula: &Ctl<usize>, atoms: &[StateSet]) -> StateSet {
            let count = self.graph.len();
            let of = |p: &Ctl<usize>| self.of(p, atoms);
            match formula {
                Ctl::True => StateSet::all(count),
                Ctl::False => StateSet::none(count),
                Ctl::Atom(a) => atoms[*a].clone(),
                Ctl::Not(p) => of(p).not(),
                Ctl::And(ps) => ps
                    .iter()
                    .fold(StateSet::all(count), |set, p| set.and(&of(p))),
                Ctl::Or(ps) => ps
                    .iter()
                    .fold(StateSet::none(count), |set, p| set.or(&of(p))),
                Ctl::Implies(p, q) => of(p).not().or(&of(q)),
                Ctl::Iff(p, q) => {
                    let (p, q) = (of(p), of(q));
                    let both = p.clone().and(&q);
                    both.or(&p.or(&q).not())
                }
                Ctl::Next(Quantifier::All, p) => {
                    let other = Ctl::Next(Quantifier::Some, Arc::new(Ctl::Not(p.clone())));
                    self.some(&other, atoms).not()
                }
                Ctl::Eventually(Quantifier::All, p) => self.for_ever(&of(p).not()).not(),
                Ctl::Always(Quantifier::All, p) => {
                    let other = Ctl::Eventually(Quantifier::Some, Arc::new(Ctl::Not(p.clone())));
                    self.some(&other, atoms).not()
                }
                Ctl::Until(Quantifier::All, p, q) => {
                    let not_q = of(q).not();
                    let fair = self.for_ever(&StateSet::all(count));
                    let neither = of(p).not().and(&not_q).and(&fair);
                    let broken = self.through(&not_q, &neither);
                    broken.or(&self.for_ever(&not_q)).not()
                }
                Ctl::Within(Quantifier::All, lo, hi, p, q) => {
                    // Unfolded, one step at a time.
                    let next = if *hi == 0 {
                        return of(q).or(&self.for_ever(&StateSet::all(count)).not());
                    } else {
                        let left = Ctl::Within(
                            Quantifier::All,
                            lo.saturating_sub(1),
                            hi - 1,
                            p.clone(),
                            q.clone(),
                        );
                        let broken = self.of(&left, atoms).not();
                        let fair = self.for_ever(&StateSet::all(count));
                        self.before(&broken.and(&fair)).not()
                    };
                    let going = next.and(&of(p));
                    let unfair = self.for_ever(&StateSet::all(count)).not();
                    match lo {
                        0 => going.or(&of(q)).or(&unfair),
                        _ => going,
                    }
                }
                existential => self.some(existential, atoms),
            }
        }
    }

    #[test]
    fn sets_are_those_of_nested_fixpoints() {
        let mut random = Random(fastrand::Rng::with_seed(0x1234_5678_9abc_def1));
        let (mut some, mut none) = (0, 0);
        for _ in 0..1500 {
            let count = 2 + random.below(6);
            let edges: Vec<(Vertex, Vertex)> = (0..count + random.below(2 * count))
                .map(|_| (random.below(count), random.below(count)))
                .collect();
            let rules = [
                FiniteRuns::InfiniteOnly,
                FiniteRuns::Stutter,
                FiniteRuns::Maximal,
            ];
            let rule = rules[random.below(3) as usize];
            let labelled: Vec<_> = edges.iter().map(|(from, to)| (*from, 0, *to)).collect();
            let table = vec![model::Label::default()];
            let plain = model::Graph::new(count as usize, vec![0], table, &labelled);
            let graph = Graph::new(&plain, rule, None);
            let mut set = || {
                let mut set = StateSet::none(count as usize);
                for vertex in 0..count {
                    if random.below(2) == 0 {
                        set.add(vertex);
                    }
                }
                set
            };
            let atoms = [set(), set()];
            let justice = [set(), set()];
            let justice = &justice[..random.below(3) as usize];
            let formula = random.formula(3);
            let found = Fair::new(&graph, justice)
                .satisfying(&formula, &|atom: &usize| atoms[*atom].clone());
            let slow = Slow {
                graph: &graph,
                justice,
            };
            let fair = slow.for_ever(&StateSet::all(count as usize));
            // Of states without a fair path nothing is asked.
            let expected = slow.of(&formula, &atoms).and(&fair);
            let found = found.and(&fair);
            assert_eq!(
                found, expected,
                "{formula:?} {edges:?} {atoms:?} {justice:?}"
            );
            some += usize::from(found.iter().next().is_some());
            none += usize::from(found != fair);
        }
        assert!(some > 300 && none > 300, "{some} {none}");
    }
}

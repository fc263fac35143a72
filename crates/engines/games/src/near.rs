//! Answers from a part of the graph.
//!
//! Where exploration has ended early, nothing is known of what begins in the states that are [open](
//! model::StateSpace::open). A formula holds for certain if it holds with all modalities taken for
//! false there, and fails for certain if it fails with all of them taken for true (Bruns and Godefroid,
//! *Model checking partial state spaces with 3-valued temporal logics*, CAV 1999). Solver, audit and
//! evidence are those of whole graphs: the two readings are formulas of their own.
//!
//! CTL becomes fixpoints first, where runs may end and no fairness is asked for.

use std::sync::Arc;

use logic::mu::{Action, Mu, Regular, StateSetId};
use logic::{Ctl, Quantifier};

/// A formula of CTL as one of the mu-calculus, over paths that end in states without transitions;
/// none if it counts steps.
pub(crate) fn fixpoints<A: Clone, E, V>(formula: &Ctl<A>) -> Option<Mu<A, E, V>> {
    Fixpoints { next: 0 }.of(formula)
}

struct Fixpoints {
    next: u32,
}

fn some<A, E, V>(p: Mu<A, E, V>) -> Mu<A, E, V> {
    Mu::Diamond(Regular::Action(Action::Any), Arc::new(p))
}

fn all<A, E, V>(p: Mu<A, E, V>) -> Mu<A, E, V> {
    Mu::Box(Regular::Action(Action::Any), Arc::new(p))
}

fn and<A, E, V>(p: Mu<A, E, V>, q: Mu<A, E, V>) -> Mu<A, E, V> {
    Mu::And([p, q].into())
}

fn or<A, E, V>(p: Mu<A, E, V>, q: Mu<A, E, V>) -> Mu<A, E, V> {
    Mu::Or([p, q].into())
}

/// Behind every transition, of which there are some.
fn goes_on_to<A: Clone, E, V>(p: Mu<A, E, V>) -> Mu<A, E, V> {
    and(some(Mu::True), all(p))
}

impl Fixpoints {
    fn of<A: Clone, E, V>(&mut self, formula: &Ctl<A>) -> Option<Mu<A, E, V>> {
        use Quantifier::{All, Some as One};
        Some(match formula {
            Ctl::True => Mu::True,
            Ctl::False => Mu::False,
            Ctl::Atom(atom) => Mu::Atom(atom.clone()),
            Ctl::Not(p) => Mu::Not(Arc::new(self.of(p)?)),
            Ctl::And(ps) => Mu::And(self.each(ps)?),
            Ctl::Or(ps) => Mu::Or(self.each(ps)?),
            Ctl::Implies(p, q) => Mu::Implies(Arc::new(self.of(p)?), Arc::new(self.of(q)?)),
            Ctl::Iff(p, q) => {
                let (p, q) = (Arc::new(self.of(p)?), Arc::new(self.of(q)?));
                and(Mu::Implies(p.clone(), q.clone()), Mu::Implies(q, p))
            }
            Ctl::Next(One, p) => some(self.of(p)?),
            Ctl::Next(All, p) => all(self.of(p)?),
            Ctl::Eventually(One, p) => {
                let p = self.of(p)?;
                self.least(|x| or(p, some(x)))
            }
            Ctl::Eventually(All, p) => {
                let p = self.of(p)?;
                self.least(|x| or(p, goes_on_to(x)))
            }
            Ctl::Always(One, p) => {
                let p = self.of(p)?;
                self.greatest(|x| and(p, or(some(x), all(Mu::False))))
            }
            Ctl::Always(All, p) => {
                let p = self.of(p)?;
                self.greatest(|x| and(p, all(x)))
            }
            Ctl::Until(One, p, q) => {
                let (p, q) = (self.of(p)?, self.of(q)?);
                self.least(|x| or(q, and(p, some(x))))
            }
            Ctl::Until(All, p, q) => {
                let (p, q) = (self.of(p)?, self.of(q)?);
                self.least(|x| or(q, and(p, goes_on_to(x))))
            }
            Ctl::Within(..) => return None,
        })
    }

    fn each<A: Clone, E, V>(&mut self, formulas: &[Ctl<A>]) -> Option<Arc<[Mu<A, E, V>]>> {
        formulas.iter().map(|formula| self.of(formula)).collect()
    }

    fn variable(&mut self) -> StateSetId {
        self.next += 1;
        StateSetId(self.next)
    }

    fn least<A, E, V>(&mut self, body: impl FnOnce(Mu<A, E, V>) -> Mu<A, E, V>) -> Mu<A, E, V> {
        let x = self.variable();
        Mu::least(x, Arc::new(body(Mu::set(x))))
    }

    fn greatest<A, E, V>(&mut self, body: impl FnOnce(Mu<A, E, V>) -> Mu<A, E, V>) -> Mu<A, E, V> {
        let x = self.variable();
        Mu::greatest(x, Arc::new(body(Mu::set(x))))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use logic::mu::{Explored, System};
    use logic::{Ctl, Quantifier};
    use model::{Budget, FiniteRuns, StateSet, Vertex};

    use crate::graph::Graph;
    use crate::oracle::{Formula, Maker, Numbers, Random};
    use crate::satisfy::Fair;
    use crate::solve::solve;

    fn ctl(random: &mut Random, depth: usize) -> Ctl<usize> {
        if depth == 0 {
            return Ctl::Atom(random.below(2));
        }
        let over = match random.below(2) {
            0 => Quantifier::All,
            _ => Quantifier::Some,
        };
        let mut part = || Arc::new(ctl(random, depth - 1));
        let (p, q) = (part(), part());
        match random.below(8) {
            0 => Ctl::Not(p),
            1 => Ctl::Iff(p, q),
            2 => Ctl::Implies(p, q),
            3 => Ctl::Next(over, p),
            4 => Ctl::Eventually(over, p),
            5 => Ctl::Always(over, p),
            _ => Ctl::Until(over, p, q),
        }
    }

    /// Formulas of CTL hold where their fixpoints do.
    #[test]
    fn fixpoints_say_the_same() {
        let mut random = Random(fastrand::Rng::with_seed(0x0bad_5eed_1234_5679));
        let (mut some, mut none) = (0, 0);
        for round in 0..2_000 {
            let count = 2 + random.below(6);
            let edges: Vec<(Vertex, u32, Vertex)> = (0..random.below(2 * count))
                .map(|_| {
                    (
                        random.below(count) as Vertex,
                        0,
                        random.below(count) as Vertex,
                    )
                })
                .collect();
            let graph = model::Graph::new(count, vec![0], vec![model::Label::default()], &edges);
            let graph = Graph::new(&graph, FiniteRuns::Maximal, None);
            let mut set = || {
                let mut set = StateSet::none(count);
                for vertex in 0..count {
                    if random.below(2) == 0 {
                        set.add(vertex as Vertex);
                    }
                }
                set
            };
            let atoms = [set(), set()];
            let formula = ctl(&mut random, 3);
            let atom = |atom: &usize| atoms[*atom].clone();
            let expected = Fair::new(&graph, &[]).satisfying(&formula, &atom);
            let fixpoints: Formula = super::fixpoints(&formula).unwrap();
            let system = System::of(&fixpoints, &[[].into()], &Numbers).unwrap();
            let solution = solve(&system, &graph, &atom, &Budget::default()).unwrap();
            let found = solution.column(system.root);
            assert_eq!(*found, expected, "{round}: {formula:?} {edges:?}");
            some += usize::from(!expected.is_empty());
            none += usize::from(expected != StateSet::all(count));
        }
        assert!(some > 500 && none > 500, "{some} {none}");
    }

    /// What is certain on a part is so on the whole graph.
    #[test]
    fn what_a_part_decides_is_so_on_the_whole() {
        let mut random = Random(fastrand::Rng::with_seed(0x51d3_77aa_9e01_4c2b));
        let (mut sure, mut refuted, mut left, mut unfollowed) = (0, 0, 0, 0);
        for round in 0..10_000 {
            let count = 3 + random.below(6);
            let labels = random.labels();
            let mut edge = || {
                let label = random.below(labels.len()) as u32;
                (
                    random.below(count) as Vertex,
                    label,
                    random.below(count) as Vertex,
                )
            };
            let edges: Vec<(Vertex, u32, Vertex)> = (0..3 * count).map(|_| edge()).collect();
            let expanded = 1 + random.below(count - 1);
            let holding: Vec<Vertex> = (0..count)
                .filter(|_| random.below(2) == 0)
                .map(|v| v as Vertex)
                .collect();
            let mut maker = Maker::new(&mut random);
            let formula = maker.formula(4);
            let no_labels = vec![model::Label::default(); labels.len()];
            let of = |edges: &[_]| model::Graph::new(count, vec![0], no_labels.clone(), edges);
            let whole = of(&edges);
            // Of labels, too, only those are known that have been met.
            let mut met: Vec<u32> = Vec::new();
            let mut known = Vec::new();
            for &(from, label, to) in &edges {
                if (from as usize) < expanded {
                    let place = met.iter().position(|other| *other == label);
                    let place = place.unwrap_or_else(|| {
                        met.push(label);
                        met.len() - 1
                    });
                    known.push((from, place as u32, to));
                }
            }
            let met: Vec<_> = met
                .iter()
                .map(|label| labels[*label as usize].clone())
                .collect();
            let part = of(&known);
            let mut set = StateSet::none(count);
            holding.iter().for_each(|v| {
                set.add(*v);
            });
            let mut open = StateSet::none(count);
            (expanded..count).for_each(|v| {
                open.add(v as Vertex);
            });
            let explored = Explored {
                initial: &[0],
                steps: &|from, each| {
                    let steps = known.iter().filter(|(other, ..)| *other == from);
                    steps.for_each(|(_, label, to)| each(*label, *to));
                },
                is_whole: false,
                gives_up: &|_| false,
            };
            let systems = (
                System::of(&formula, &labels, &Numbers),
                System::of_graph(&formula, &met, &Numbers, &explored),
            );
            let (Ok(system), Ok(of_part)) = systems else {
                unfollowed += 1;
                continue;
            };
            let budget = Budget::default();
            let truth = {
                let graph = Graph::new(&whole, FiniteRuns::Maximal, None);
                let solution = solve(&system, &graph, &|_| set.clone(), &budget).unwrap();
                solution.holds(system.root, 0)
            };
            let graph = Graph::new(&part, FiniteRuns::Maximal, None);
            // What holds in open states is not looked at.
            let lie = set.clone().and(&open.clone().not());
            let atom = |atom: &Option<usize>| match atom {
                Some(_) => lie.clone(),
                None => open.clone(),
            };
            let of = |hopeful: bool| {
                let system = of_part.clone().with_open_states(hopeful);
                let solution = solve(&system, &graph, &atom, &budget).unwrap();
                crate::audit::audit(&system, &graph, &atom, &solution).unwrap();
                solution.holds(system.root, 0)
            };
            let values = formula.quantifies_over_what_occurs();
            let (is_sure, hopeful) = (of(false), of(true));
            match (
                is_sure && !values.universally,
                hopeful || values.existentially,
            ) {
                (true, hopeful) => {
                    assert!(truth && hopeful, "{round}: {formula:?}");
                    sure += 1;
                }
                (false, false) => {
                    assert!(!truth, "{round}: {formula:?}");
                    refuted += 1;
                }
                (false, true) => left += 1,
            }
        }
        assert!(
            sure > 1_000 && refuted > 1_000 && left > 1_000 && unfollowed < 1_000,
            "{sure} {refuted} {left} {unfollowed}"
        );
    }
}

//! Which states satisfy a formula, over fair paths.
//!
//! As in Clarke, Emerson and Sistla (1986): from the inside out, one set for each subformula.
//! Existential operators are computed, universal ones are their duals. A path is fair if it is
//! infinite and meets each of some sets infinitely often.

use logic::{Ctl, Quantifier};

use crate::components::components;
use crate::graph::{Graph, Set, Vertex};

/// A graph with the sets that a fair path meets infinitely often.
pub(crate) struct Fair<'g> {
    pub(crate) graph: &'g Graph,
    pub(crate) justice: &'g [Set],
    /// Those from which a fair path begins.
    pub(crate) fair: Set,
}

impl<'g> Fair<'g> {
    pub(crate) fn new(graph: &'g Graph, justice: &'g [Set]) -> Fair<'g> {
        let mut result = Fair {
            graph,
            justice,
            fair: Set::none(graph.len()),
        };
        result.fair = result.for_ever(&Set::all(graph.len()));
        result
    }

    /// Members of components inside `within` in which a fair path can stay.
    pub(crate) fn recurrent(&self, within: &Set) -> Set {
        let mut found = Set::none(self.graph.len());
        components(self.graph, within, &mut |component: &[Vertex]| {
            let meets = |set: &Set| component.iter().any(|vertex| set.has(*vertex));
            if self.justice.iter().all(meets) {
                for vertex in component {
                    found.add(*vertex);
                }
            }
        });
        found
    }

    /// Those from which a fair path stays inside `within`.
    pub(crate) fn for_ever(&self, within: &Set) -> Set {
        let recurrent = self.recurrent(within);
        let reaching = self.graph.reaching(within, &recurrent);
        self.graph.close(reaching)
    }

    /// Those with a step into a set that can be gone on with fairly.
    pub(crate) fn next(&self, set: &Set) -> Set {
        let target = set.clone().and(&self.fair);
        self.graph.close(self.graph.before(&target))
    }

    /// Those with a fair path through `through` to `to`.
    pub(crate) fn until(&self, through: &Set, to: &Set) -> Set {
        let target = to.clone().and(&self.fair);
        self.graph.close(self.graph.reaching(through, &target))
    }

    /// Those that satisfy a formula. `atom` gives those where an atom holds.
    pub(crate) fn satisfying<A>(&self, formula: &Ctl<A>, atom: &dyn Fn(&A) -> Set) -> Set {
        let count = self.graph.len();
        let of = |formula: &Ctl<A>| self.satisfying(formula, atom);
        match formula {
            Ctl::True => Set::all(count),
            Ctl::False => Set::none(count),
            Ctl::Atom(a) => atom(a),
            Ctl::Not(p) => of(p).not(),
            Ctl::And(ps) => ps.iter().fold(Set::all(count), |set, p| set.and(&of(p))),
            Ctl::Or(ps) => ps.iter().fold(Set::none(count), |set, p| set.or(&of(p))),
            Ctl::Implies(p, q) => of(p).not().or(&of(q)),
            Ctl::Iff(p, q) => {
                let (p, q) = (of(p), of(q));
                let both = p.clone().and(&q);
                both.or(&p.not().and(&q.not()))
            }
            Ctl::Next(Quantifier::Some, p) => self.next(&of(p)),
            Ctl::Next(Quantifier::All, p) => self.next(&of(p).not()).not(),
            Ctl::Eventually(Quantifier::Some, p) => self.until(&Set::all(count), &of(p)),
            Ctl::Eventually(Quantifier::All, p) => self.for_ever(&of(p).not()).not(),
            Ctl::Always(Quantifier::Some, p) => self.for_ever(&of(p)),
            Ctl::Always(Quantifier::All, p) => self.until(&Set::all(count), &of(p).not()).not(),
            Ctl::Until(Quantifier::Some, p, q) => self.until(&of(p), &of(q)),
            Ctl::Until(Quantifier::All, p, q) => {
                let not_q = of(q).not();
                let neither = of(p).not().and(&not_q);
                let fails = self.until(&not_q, &neither);
                fails.or(&self.for_ever(&not_q)).not()
            }
            Ctl::Within(over, lo, hi, p, q) => {
                let (p, q) = (of(p), of(q));
                let step = |set: &Set| match over {
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

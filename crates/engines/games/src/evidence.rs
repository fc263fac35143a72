//! A run that shows why a state does not satisfy a formula, as far as one run can.
//!
//! What all paths must do is refuted by one that does not; what some path should do cannot be
//! refuted by any. Where a run ends in a state from which no more is to be shown, a fair path is
//! appended if not every path is one.

use logic::{Ctl, Quantifier};
use model::{StateSet, Vertex};

use crate::satisfy::Fair;

/// A run being built: vertices, and where it goes back to from its end.
pub(crate) struct Run {
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) loop_start: Option<usize>,
    /// Whether it ends in its last state, for good or by repeating that.
    pub(crate) ended: bool,
}

/// Shows that a state does not satisfy a formula.
pub(crate) fn refute<A>(
    fair: &Fair<'_>,
    atom: &dyn Fn(&A) -> StateSet,
    formula: &Ctl<A>,
    from: Vertex,
) -> Run {
    let mut witness = Witness {
        fair,
        atom,
        run: Run {
            vertices: vec![from],
            loop_start: None,
            ended: false,
        },
    };
    witness.show(formula, false);
    if !fair.fair.is_all() || !fair.justice.is_empty() {
        witness.go_on();
    }
    witness.run
}

struct Witness<'w, 'g, A> {
    fair: &'w Fair<'g>,
    atom: &'w dyn Fn(&A) -> StateSet,
    run: Run,
}

impl<A> Witness<'_, '_, A> {
    fn of(&self, formula: &Ctl<A>) -> StateSet {
        self.fair.satisfying(formula, self.atom)
    }

    fn last(&self) -> Vertex {
        *self.run.vertices.last().expect("a run has a first state")
    }

    /// Where the run may stand instead of its last state: which input comes is open.
    fn here(&self) -> Vec<Vertex> {
        self.fair.graph.alike(self.last())
    }

    /// Replaces the last state by a path that begins with one like it.
    fn follow(&mut self, path: Option<Vec<Vertex>>) -> bool {
        let Some(path) = path else {
            return false;
        };
        self.run.vertices.pop();
        self.run.vertices.extend(path);
        true
    }

    /// Goes on to show that the last state satisfies a formula, or that it does not.
    fn show(&mut self, formula: &Ctl<A>, holds: bool) {
        if self.run.loop_start.is_some() || self.run.ended || formula.is_local() {
            return;
        }
        match (formula, holds) {
            (Ctl::Not(p), _) => self.show(p, !holds),
            (Ctl::And(ps), false) | (Ctl::Or(ps), true) => {
                let mut decisive: Vec<&Ctl<A>> = ps
                    .iter()
                    .filter(|p| self.of(p).has(self.last()) == holds)
                    .collect();
                decisive.sort_by_key(|p| !p.is_local());
                if let Some(p) = decisive.first() {
                    self.show(p, holds);
                }
            }
            (Ctl::And(ps) | Ctl::Or(ps), _) => {
                if let Some(p) = ps.iter().find(|p| !p.is_local()) {
                    self.show(p, holds);
                }
            }
            (Ctl::Implies(p, q), false) => {
                if q.is_local() {
                    self.show(p, true);
                } else {
                    self.show(q, false);
                }
            }
            (Ctl::Implies(p, q), true) => {
                if self.of(q).has(self.last()) {
                    self.show(q, true);
                } else {
                    self.show(p, false);
                }
            }
            (Ctl::Next(Quantifier::All, p), false) => self.step(p, false),
            (Ctl::Next(Quantifier::Some, p), true) => self.step(p, true),
            (Ctl::Always(Quantifier::All, p), false) => {
                let everywhere = StateSet::all(self.fair.graph.len());
                self.reach(&everywhere, p, false);
            }
            (Ctl::Eventually(Quantifier::Some, p), true) => {
                let everywhere = StateSet::all(self.fair.graph.len());
                self.reach(&everywhere, p, true);
            }
            (Ctl::Until(Quantifier::Some, p, q), true) => {
                let through = self.of(p);
                self.reach(&through, q, true);
            }
            (Ctl::Eventually(Quantifier::All, p), false) => {
                let within = self.of(p).not();
                self.stay(&within);
            }
            (Ctl::Always(Quantifier::Some, p), true) => {
                let within = self.of(p);
                self.stay(&within);
            }
            (Ctl::Until(Quantifier::All, p, q), false) => {
                let not_q = self.of(q).not();
                let neither = self.of(p).not().and(&not_q).and(&self.fair.fair);
                let here = self.here();
                let graph = self.fair.graph;
                let path = graph.path(&here, &not_q, &|v| neither.has(v), 0);
                if !self.follow(path) {
                    self.stay(&not_q);
                }
            }
            // Nothing that one run could show.
            _ => {}
        }
    }

    fn step(&mut self, formula: &Ctl<A>, holds: bool) {
        let set = self.of(formula);
        let here = self.here();
        let everywhere = StateSet::all(self.fair.graph.len());
        let fair = &self.fair.fair;
        let path = self.fair.graph.path(
            &here,
            &everywhere,
            &|v| set.has(v) == holds && fair.has(v),
            1,
        );
        if self.follow(path) {
            self.show(formula, holds);
        }
    }

    fn reach(&mut self, through: &StateSet, formula: &Ctl<A>, holds: bool) {
        let set = self.of(formula);
        let here = self.here();
        let fair = &self.fair.fair;
        let path = self
            .fair
            .graph
            .path(&here, through, &|v| set.has(v) == holds && fair.has(v), 0);
        if self.follow(path) {
            self.show(formula, holds);
        }
    }

    /// Goes on fairly inside a set for ever.
    fn stay(&mut self, within: &StateSet) {
        let graph = self.fair.graph;
        let recurrent = self.fair.recurrent(within);
        let here = self.here();
        let path = graph.path(&here, within, &|v| recurrent.has(v), 0);
        if !self.follow(path) {
            return;
        }
        let start = self.run.vertices.len() - 1;
        let entry = self.last();
        if graph.is_end(entry) {
            self.run.ended = true;
            self.run.loop_start = graph.repeats().then_some(start);
            return;
        }
        let component = self.component_of(entry, &recurrent);
        for set in self.fair.justice {
            if self.run.vertices[start..].iter().any(|v| set.has(*v)) {
                continue;
            }
            let wanted = |v| set.has(v) && component.has(v);
            let path = graph.path(&[self.last()], &component, &wanted, 0);
            self.follow(path);
        }
        let path = graph.path(&[self.last()], &component, &|v| v == entry, 1);
        if self.follow(path) {
            self.run.loop_start = Some(start);
        }
    }

    /// The vertices that are reached from one, and from which it is reached, inside a set.
    fn component_of(&self, vertex: Vertex, within: &StateSet) -> StateSet {
        let graph = self.fair.graph;
        let mut one = StateSet::none(graph.len());
        one.add(vertex);
        let back = graph.reaching(within, &one);
        let mut forth = one;
        let mut waiting = vec![vertex];
        while let Some(at) = waiting.pop() {
            for &next in graph.successors(at) {
                if within.has(next) && forth.add(next) {
                    waiting.push(next);
                }
            }
        }
        back.and(&forth).and(within)
    }

    /// Appends a fair path.
    fn go_on(&mut self) {
        if self.run.loop_start.is_none() && !self.run.ended {
            let everywhere = StateSet::all(self.fair.graph.len());
            self.stay(&everywhere);
        }
    }
}

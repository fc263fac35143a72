//! A circuit as sets of states: what can be reached, kept as rings.
//!
//! Ring `k` holds the states whose shortest run from an initial state has `k` steps. The rings
//! stay, so that a run to a state is read off them and nothing is computed twice.

use std::time::{Duration, Instant};

use circuit::{Circuit, Lit};
use model::{Progress, Statistics};

use crate::diagram::{Bdd, Limits, Result};
use crate::order::Item;
use crate::relation::Relation;
use crate::space::Space;

/// A circuit's states and steps.
pub(crate) struct System<'c> {
    pub(crate) space: Space<'c>,
    pub(crate) relation: Relation,
    pub(crate) initial: Bdd,
    /// What must hold infinitely often, over current values and inputs.
    pub(crate) justice: Vec<Bdd>,
    pub(crate) compassion: Vec<(Bdd, Bdd)>,
    pub(crate) rings: Vec<Bdd>,
    pub(crate) reached: Bdd,
    /// Whether the rings are all there are.
    pub(crate) complete: bool,
    /// The states that are looked at when going back, closed under steps; all if none are named.
    care: Option<Bdd>,
    progress: &'c dyn Progress,
    told: Instant,
}

/// Counting states for those who watch is not for nothing.
const TELL_EVERY: Duration = Duration::from_millis(200);

impl<'c> System<'c> {
    pub(crate) fn new(
        circuit: &'c Circuit,
        limits: Limits,
        order: &[Item],
        asked: &[Lit],
        progress: &'c dyn Progress,
    ) -> Result<System<'c>> {
        let mut space = Space::new(circuit, limits, order, asked);
        let justice = space.functions(&circuit.justice)?;
        let mut compassion = Vec::new();
        for &(p, q) in &circuit.compassion {
            let pair = space.functions(&[p, q])?;
            compassion.push((pair[0].clone(), pair[1].clone()));
        }
        let second = compassion.iter().map(|(_, q)| q);
        let conditions: Vec<Bdd> = justice.iter().chain(second).cloned().collect();
        let relation = Relation::new(&mut space, &conditions)?;
        let initial = space.initial()?;
        let initial = space.m.and(&initial, &relation.states)?;
        Ok(System {
            rings: vec![initial.clone()],
            reached: initial.clone(),
            complete: initial.is_zero(),
            care: None,
            space,
            relation,
            initial,
            justice,
            compassion,
            progress,
            told: Instant::now(),
        })
    }

    /// One more ring, if there is one.
    pub(crate) fn advance(&mut self) -> Result<()> {
        if self.complete {
            return Ok(());
        }
        let last = self.rings[self.rings.len() - 1].clone();
        // Anything between the last ring and all that is reached has the same new successors.
        let before_last = self.space.m.without(&self.reached, &last)?;
        let mut from = last;
        if !before_last.is_zero() {
            let smaller = self.space.m.restrict(&from, &before_last.not())?;
            if self.space.m.size(&[&smaller]) < self.space.m.size(&[&from]) {
                from = smaller;
            }
        }
        let after = self.relation.after(&mut self.space, &from, None)?;
        let new = self.space.m.without(&after, &self.reached)?;
        if new.is_zero() {
            self.complete = true;
        } else {
            self.reached = self.space.m.or(&self.reached, &new)?;
            self.rings.push(new);
        }
        if self.told.elapsed() > TELL_EVERY {
            self.told = Instant::now();
            self.progress.report(&self.statistics(), 0);
        }
        Ok(())
    }

    /// All that can be reached.
    pub(crate) fn explore(&mut self) -> Result<()> {
        while !self.complete {
            self.advance()?;
        }
        Ok(())
    }

    /// The first ring that meets a set, searched for as far as needed.
    pub(crate) fn first_ring(&mut self, set: &Bdd) -> Result<Option<usize>> {
        let mut ring = 0;
        loop {
            while ring < self.rings.len() {
                let states = self.rings[ring].clone();
                if self.space.m.meet(&states, set)? {
                    return Ok(Some(ring));
                }
                ring += 1;
            }
            if self.complete {
                return Ok(None);
            }
            self.advance()?;
        }
    }

    /// States in which a literal holds for some values of the inputs.
    pub(crate) fn states_with(&mut self, lit: Lit) -> Result<Bdd> {
        let function = self.space.function(lit)?;
        let inputs = self.space.m.cube(self.space.inputs.clone())?;
        self.space.m.exists(&function, &inputs)
    }

    /// States with a step into a set, the step restricted; only those that are looked at.
    pub(crate) fn before(&mut self, set: &Bdd, taken: Option<&Bdd>) -> Result<Bdd> {
        let care = self.care.clone();
        let before = self
            .relation
            .before(&mut self.space, set, taken, care.as_ref())?;
        match care {
            Some(care) => self.space.m.and(&before, &care),
            None => Ok(before),
        }
    }

    /// From now on only states that can be reached are looked at: all of them are known.
    pub(crate) fn look_at_reached(&mut self) -> Result<()> {
        let reached = self.reached.clone();
        self.relation.simplify(&mut self.space, &reached)?;
        self.care = Some(reached);
        Ok(())
    }

    /// Whether a set is that of all states that are looked at.
    pub(crate) fn is_care(&self, set: &Bdd) -> bool {
        self.care.as_ref().unwrap_or(&self.relation.states) == set
    }

    /// States that have a step.
    pub(crate) fn going_on(&mut self) -> Result<Bdd> {
        let circuit = self.space.circuit;
        if circuit.step_constraints.is_empty() && circuit.state_constraints.is_empty() {
            return Ok(self.relation.states.clone());
        }
        let any = self.space.m.one();
        self.before(&any, None)
    }

    /// States after a step from a set, the step restricted.
    pub(crate) fn after(&mut self, set: &Bdd, taken: Option<&Bdd>) -> Result<Bdd> {
        self.relation.after(&mut self.space, set, taken)
    }

    /// What has been done.
    pub(crate) fn statistics(&self) -> Statistics {
        let states = self.space.m.count(&self.reached, self.space.current.len());
        Statistics {
            states: states.value() as u64,
            depth: self.rings.len() as u64 - 1,
            memory: self.space.m.memory(),
            storage: "decision diagrams",
            ..Statistics::default()
        }
    }
}

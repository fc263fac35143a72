//! Laying out all runs of a program, place by place: a proof where they all end, and a search for
//! bugs where they do not.
//!
//! Where it is known which latches say where control is, the circuit falls apart into small
//! circuits, one for each move from each place. Runs are laid out along these: at each place the
//! states of all runs that come there in the same round of its loops are one symbolic state, under the
//! condition that a run does come (E. Clarke, D. Kroening, F. Lerda: *A tool for checking ANSI-C
//! programs*, 2004). A loop is gone round before what follows it is looked at
//! ([`model::weak_order`]). A round that no run comes to is not laid out. If there is such a round
//! for every loop, all runs have been seen.
//!
//! Where a step changes nothing it is left out: whatever follows it follows without it.

mod places;
mod run;
mod specialise;

use std::collections::{BTreeMap, HashMap};

use audit::Recheck;
use circuit::{Circuit, Lit, Reset};
use model::{Budget, Rank, UnknownReason, next_in_order, weak_order};
use solver::{Clauses, Limits, Literal, MakeSolver, Outcome, Solver};

use crate::cnf::{Encoder, Polarity};
use crate::system::System;

use places::{Code, Places};
pub(crate) use specialise::Copier;

/// Which literals of a circuit say where control is, and which move is made.
#[derive(Clone, Debug, Default)]
pub struct Control {
    /// Latches.
    pub at: Vec<Lit>,
    /// Inputs.
    pub moves: Vec<Lit>,
}

/// More gates than this are not laid out.
const MOST_GATES: usize = 4_000_000;

/// What came of laying out runs.
pub(crate) enum Laid {
    /// Something bad is reached: the first state, and the inputs.
    Run {
        initial: Vec<bool>,
        inputs: Vec<Vec<bool>>,
    },
    /// All runs have been laid out, and nothing bad is among them.
    All,
    /// There is more.
    Open,
}

/// A symbolic state at a place that runs are to go on from.
struct Pending {
    place: Code,
    reach: Lit,
    state: Vec<Lit>,
    /// The moves that lead here: the visit, and the number of the way from there.
    from: Vec<(usize, usize)>,
}

/// A place that has been visited.
struct Visit {
    place: Code,
    /// By input of the system: its literal here.
    inputs: HashMap<usize, Lit>,
    /// Whether the moves are told apart by the inputs that say which move is made.
    selected: bool,
    /// By way: the visit that it leads to.
    ways: Vec<Option<usize>>,
    /// The length of the longest run that comes here.
    depth: usize,
    /// Where something is bad.
    bad: Lit,
}

/// Runs that are laid out as far as has been asked for.
pub(crate) struct Unwinding<'s, M: MakeSolver> {
    system: &'s System,
    places: Places,
    ranks: HashMap<Code, Rank>,
    graph: Circuit,
    copier: Copier,
    encoder: Encoder,
    solver: M::Solver,
    pending: BTreeMap<usize, Pending>,
    visits: Vec<Visit>,
    /// The first state, latch by latch.
    first: Vec<Lit>,
    /// What holds of it.
    initial: Vec<Lit>,
    /// Visits whose badness has not been looked at.
    unasked: Vec<usize>,
    /// Conditions of rounds that no run comes to.
    dropped: Vec<Lit>,
}

impl<'s, M: MakeSolver> Unwinding<'s, M> {
    /// None if control is not known well enough.
    pub(crate) fn new(
        system: &'s System,
        control: &Control,
        make: &M,
        budget: &Budget,
    ) -> Option<Self> {
        let places = Places::of(system, control, budget)?;
        let next = places.successors();
        let ranks = weak_order(places.entry, &next);
        let mut graph = Circuit::default();
        let latches = system.circuit.latches.iter();
        let first: Vec<Lit> = latches
            .map(|latch| match latch.reset {
                Reset::Zero => Lit::FALSE,
                Reset::One => Lit::TRUE,
                Reset::Free => graph.input(""),
            })
            .collect();
        let mut leaves = vec![None; system.circuit.aig.nodes().len()];
        for (latch, &lit) in system.circuit.latches.iter().zip(&first) {
            leaves[latch.lit.node().index()] = Some(lit);
        }
        // What the circuit says of its reachable states is not needed here.
        let initial = &system.circuit.initial;
        let map = graph.aig.copy(&system.circuit.aig, leaves, initial);
        let initial = map.row(initial);
        let entry = Pending {
            place: places.entry,
            reach: Lit::TRUE,
            state: first.clone(),
            from: Vec::new(),
        };
        let mut unwinding: Self = Unwinding {
            system,
            ranks,
            graph,
            copier: Copier::default(),
            encoder: Encoder::new(),
            solver: make.make(),
            pending: BTreeMap::new(),
            visits: Vec::new(),
            first,
            initial,
            unasked: Vec::new(),
            dropped: Vec::new(),
            places,
        };
        for lit in unwinding.initial.clone() {
            let literal = unwinding.asked(lit);
            unwinding.solver.add_clause(&[literal]);
        }
        let rank = unwinding.ranks[&entry.place].at;
        unwinding.pending.insert(rank, entry);
        Some(unwinding)
    }

    /// Lays out more, at most so many visits.
    ///
    /// # Errors
    /// If a limit was reached.
    pub(crate) fn go_on(
        &mut self,
        visits: usize,
        limits: &Limits<'_>,
    ) -> Result<Laid, UnknownReason> {
        for _ in 0..visits {
            if let Some(reason) = limits.exhausted(self.memory()) {
                return Err(reason);
            }
            let Some(rank) = next_in_order(&self.pending, |one| self.ranks[&one.place]) else {
                return self.conclude(limits);
            };
            if self.graph.aig.nodes().len() > MOST_GATES {
                return Err(UnknownReason::Bound(self.visits.len() as u32));
            }
            let is_again = self.ranks_head(rank);
            let Some(pending) = self.pending.remove(&rank) else {
                continue;
            };
            if is_again {
                if let Some(run) = self.ask(limits)? {
                    return Ok(run);
                }
                if pending.reach.as_constant().is_none() {
                    let literal = self.asked(pending.reach);
                    if self.solver.solve(&[literal], None, limits) == Outcome::Unsatisfiable {
                        self.solver.add_clause(&[!literal]);
                        self.dropped.push(pending.reach);
                        continue;
                    }
                }
            }
            self.visit(pending);
        }
        Ok(Laid::Open)
    }

    /// The length of the longest run that has been laid out.
    pub(crate) fn depth(&self) -> usize {
        let depths = self.visits.iter().map(|visit| visit.depth);
        depths.max().unwrap_or(0)
    }

    /// Bytes that all this takes, roughly.
    pub(crate) fn memory(&self) -> u64 {
        self.solver.memory() + self.graph.aig.nodes().len() as u64 * 60
    }

    fn ranks_head(&self, rank: usize) -> bool {
        let place = self.pending[&rank].place;
        self.ranks[&place].is_head
    }

    fn asked(&mut self, lit: Lit) -> Literal {
        let to = &mut self.solver;
        self.encoder
            .literal(&self.graph.aig, lit, Polarity::TRUE, to)
    }

    /// Lays out the moves from a place.
    fn visit(&mut self, pending: Pending) {
        let Pending {
            place,
            reach,
            state,
            from,
        } = pending;
        let number = self.visits.len();
        let before = from.iter().map(|&(visit, _)| self.visits[visit].depth + 1);
        let depth = before.max().unwrap_or(0);
        for (visit, way) in from {
            self.visits[visit].ways[way] = Some(number);
        }
        let here = &self.places.all[&place];
        let small = &self.places.small;
        self.copier.begin(&small.aig);
        for (&leaf, &lit) in self.places.latches.iter().zip(&state) {
            self.copier.set(leaf, lit);
        }
        let mut inputs = HashMap::new();
        let (copier, graph) = (&mut self.copier, &mut self.graph);
        let positions = &self.places.inputs;
        let mut copy = |lit: Lit, graph: &mut Circuit| {
            copier.copy((&small.aig, lit), graph, &mut |graph, leaf| {
                let lit = graph.input("");
                if let Some(&position) = positions.get(&leaf) {
                    inputs.insert(position, lit);
                }
                lit
            })
        };
        let bad = copy(here.bad, graph);
        let bad = graph.aig.and(reach, bad);
        let mut conditions = Vec::new();
        for way in &here.ways {
            let guard = copy(way.guard, graph);
            conditions.push(graph.aig.and(reach, guard));
        }
        let selected = !exclude_each_other(&here.ways, &conditions, graph);
        if selected {
            for (way, condition) in here.ways.iter().zip(&mut conditions) {
                for &(leaf, value) in &way.moves {
                    let lit = copy(leaf, graph).invert_if(!value);
                    *condition = graph.aig.and(*condition, lit);
                }
            }
        }
        let mut coming = Vec::new();
        for (at, (way, &condition)) in here.ways.iter().zip(&conditions).enumerate() {
            if condition == Lit::FALSE {
                continue;
            }
            let mut after = state.clone();
            for &(latch, value) in &way.changes {
                after[latch] = copy(value, graph);
            }
            coming.push((at, way.to, condition, after));
        }
        let ways = vec![None; here.ways.len()];
        if bad != Lit::FALSE {
            self.unasked.push(number);
        }
        self.visits.push(Visit {
            place,
            inputs,
            selected,
            ways,
            depth,
            bad,
        });
        for (way, to, condition, after) in coming {
            self.come(to, condition, after, (number, way));
        }
    }

    /// Runs come to a place.
    fn come(&mut self, place: Code, reach: Lit, state: Vec<Lit>, from: (usize, usize)) {
        let rank = self.ranks[&place].at;
        let Some(there) = self.pending.get_mut(&rank) else {
            let from = vec![from];
            self.pending.insert(
                rank,
                Pending {
                    place,
                    reach,
                    state,
                    from,
                },
            );
            return;
        };
        for (old, new) in there.state.iter_mut().zip(state) {
            if *old != new {
                *old = self.graph.aig.mux(reach, new, *old);
            }
        }
        there.reach = self.graph.aig.or(there.reach, reach);
        there.from.push(from);
    }

    /// Whether something bad is reached at the visits that have not been looked at.
    fn ask(&mut self, limits: &Limits<'_>) -> Result<Option<Laid>, UnknownReason> {
        if self.unasked.is_empty() {
            return Ok(None);
        }
        let bads: Vec<Lit> = self.unasked.iter().map(|&v| self.visits[v].bad).collect();
        let any = self.graph.aig.any(&bads);
        let literal = self.asked(any);
        match self.solver.solve(&[literal], None, limits) {
            Outcome::Satisfiable => self.run().map(Some).ok_or_else(|| {
                UnknownReason::NotReplayed("the run that was laid out is none".to_owned())
            }),
            Outcome::Unsatisfiable => {
                self.solver.add_clause(&[!literal]);
                self.unasked.clear();
                Ok(None)
            }
            Outcome::Unknown => Err(limits
                .exhausted(self.memory())
                .unwrap_or(UnknownReason::Bound(self.visits.len() as u32))),
        }
    }

    /// Nothing is left to be laid out: what is said now is proved by the solver, and checked.
    fn conclude(&mut self, limits: &Limits<'_>) -> Result<Laid, UnknownReason> {
        if let Some(run) = self.ask(limits)? {
            return Ok(run);
        }
        let mut never: Vec<Lit> = self.visits.iter().map(|visit| visit.bad).collect();
        never.extend(&self.dropped);
        let any = self.graph.aig.any(&never);
        let mut solver = Recheck.make();
        let mut encoder = Encoder::new();
        for lit in self.initial.iter().copied().chain([any]) {
            let literal = encoder.literal(&self.graph.aig, lit, Polarity::TRUE, &mut solver);
            solver.add_clause(&[literal]);
        }
        match solver.solve(&[], None, limits) {
            Outcome::Unsatisfiable => Ok(Laid::All),
            Outcome::Satisfiable => Err(UnknownReason::NotReplayed(
                "the solver contradicts itself on runs that were laid out".to_owned(),
            )),
            Outcome::Unknown => Err(match solver.flaw() {
                Some(flaw) => UnknownReason::NotReplayed(flaw),
                None => limits
                    .exhausted(self.memory())
                    .unwrap_or(UnknownReason::Bound(self.visits.len() as u32)),
            }),
        }
    }
}

/// Whether no two of the ways can be gone in one state, for all that can be seen at once.
fn exclude_each_other(ways: &[places::Way], conditions: &[Lit], graph: &mut Circuit) -> bool {
    for (at, &one) in conditions.iter().enumerate() {
        for (other, &two) in conditions.iter().enumerate().skip(at + 1) {
            let same_move = ways[at].moves == ways[other].moves;
            if !same_move && graph.aig.and(one, two) != Lit::FALSE {
                return false;
            }
        }
    }
    true
}

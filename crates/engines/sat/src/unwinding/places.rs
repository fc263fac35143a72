//! The circuit taken apart: for each place the moves from there, each a small circuit.

use std::collections::HashMap;

use circuit::{Circuit, Lit, Reset};
use model::Budget;

use crate::system::System;

use super::Control;
use super::specialise::Copier;

/// The bits of the latches that say where control is, as a number.
pub(super) type Code = u64;

/// More bits than this are not followed.
const MOST_BITS: usize = 24;
/// More inputs that say which move is made are not followed.
const MOST_MOVES: usize = 12;
/// Bits of the next place that a single move may leave open.
const MOST_OPEN: usize = 8;
/// More gates than this do not describe the moves.
const MOST_GATES: usize = 2_000_000;

/// A move to one place.
#[derive(Debug)]
pub(super) struct Way {
    /// What the inputs that choose the move are, as leaves of the small circuit.
    pub(super) moves: Vec<(Lit, bool)>,
    pub(super) to: Code,
    /// Where it is made.
    pub(super) guard: Lit,
    /// The latches that it changes.
    pub(super) changes: Vec<(usize, Lit)>,
}

/// What may happen at a place.
#[derive(Debug)]
pub(super) struct Place {
    /// Where it is bad.
    pub(super) bad: Lit,
    pub(super) ways: Vec<Way>,
}

/// All places that control may get to.
pub(super) struct Places {
    pub(super) entry: Code,
    pub(super) all: HashMap<Code, Place>,
    /// The gates of all moves. Its leaves are inputs.
    pub(super) small: Circuit,
    /// The leaf for each latch of the system.
    pub(super) latches: Vec<Lit>,
    /// Which input of the system a leaf is.
    pub(super) inputs: HashMap<Lit, usize>,
    /// The latches that say where control is, the lowest bit first.
    pub(super) at: Vec<usize>,
    /// The inputs that say which move is made.
    moves: Vec<usize>,
    move_leaves: Vec<Lit>,
}

impl Places {
    /// None if the circuit does not fall apart, or into too much.
    pub(super) fn of(system: &System, control: &Control, budget: &Budget) -> Option<Places> {
        let circuit = &system.circuit;
        if !circuit.state_constraints.is_empty() {
            return None;
        }
        let latches = &system.signals[..circuit.latches.len()];
        let at: Vec<usize> = (control.at.iter())
            .filter_map(|lit| latches.iter().position(|latch| latch.origin == *lit))
            .collect();
        let moves: Vec<usize> = (control.moves.iter())
            .filter_map(|lit| system.input_origins.iter().position(|own| own == lit))
            .collect();
        if at.is_empty() || at.len() > MOST_BITS || moves.len() > MOST_MOVES {
            return None;
        }
        let mut entry = 0;
        for (bit, &latch) in at.iter().enumerate() {
            entry |= match circuit.latches[latch].reset {
                Reset::Zero => 0,
                Reset::One => 1 << bit,
                Reset::Free => return None,
            };
        }
        let mut small = Circuit::default();
        let latches = circuit.latches.iter().map(|_| small.input("")).collect();
        let inputs: Vec<Lit> = circuit.inputs.iter().map(|_| small.input("")).collect();
        let mut places = Places {
            move_leaves: moves.iter().map(|&input| inputs[input]).collect(),
            entry,
            all: HashMap::new(),
            latches,
            inputs: inputs.into_iter().zip(0..).collect(),
            small,
            at,
            moves,
        };
        places.find(system, budget).then_some(places)
    }

    /// The places that each leads to.
    pub(super) fn successors(&self) -> HashMap<Code, Vec<Code>> {
        let all = self.all.iter();
        all.map(|(&place, here)| (place, here.ways.iter().map(|way| way.to).collect()))
            .collect()
    }

    fn find(&mut self, system: &System, budget: &Budget) -> bool {
        let circuit = &system.circuit;
        let at = self.at.iter().map(|&latch| circuit.latches[latch].lit);
        let moves = self.moves.iter().map(|&input| circuit.inputs[input].lit);
        let mut by_place = Copier::new(&circuit.aig, &at.clone().collect::<Vec<_>>());
        let mut by_move = Copier::new(&circuit.aig, &at.chain(moves).collect::<Vec<_>>());
        let mut trial = Copier::default();
        let mut open = vec![self.entry];
        while let Some(code) = open.pop() {
            if self.all.contains_key(&code) {
                continue;
            }
            let gates = self.small.aig.nodes().len();
            if gates > MOST_GATES || budget.exhausted(gates as u64 * 60).is_some() {
                return false;
            }
            let Some(place) = self.place(system, code, (&mut by_place, &mut by_move, &mut trial))
            else {
                return false;
            };
            open.extend(place.ways.iter().map(|way| way.to));
            self.all.insert(code, place);
        }
        true
    }

    /// What may happen at a place.
    fn place(
        &mut self,
        system: &System,
        code: Code,
        (by_place, by_move, trial): (&mut Copier, &mut Copier, &mut Copier),
    ) -> Option<Place> {
        self.begin(system, code, None, by_place);
        let bad = self.all_of(system, &system.bad, by_place);
        let guard = self.all_of(system, &system.step, by_place);
        let mut ways = Vec::new();
        for number in self.possible_moves(guard, trial) {
            self.begin(system, code, Some(number), by_move);
            let guard = self.all_of(system, &system.step, by_move);
            if guard != Lit::FALSE {
                self.ways(system, (code, number, guard), by_move, &mut ways)?;
            }
        }
        Some(Place { bad, ways })
    }

    /// The moves that may be made where a guard holds, for all that can be seen at once: bit by bit.
    fn possible_moves(&self, guard: Lit, trial: &mut Copier) -> Vec<u64> {
        let mut found = Vec::new();
        let mut open = vec![(0, 0)];
        while let Some((bits, number)) = open.pop() {
            if !self.may_be(guard, (bits, number), trial) {
                continue;
            }
            if bits == self.moves.len() {
                found.push(number);
            } else {
                open.push((bits + 1, number | 1 << bits));
                open.push((bits + 1, number));
            }
        }
        found
    }

    /// Whether the step may be taken with a move of which some bits are known.
    fn may_be(&self, guard: Lit, (bits, number): (usize, u64), trial: &mut Copier) -> bool {
        let mut scratch = Circuit::default();
        trial.begin(&self.small.aig);
        for (leaf, value) in self.chosen(number).into_iter().take(bits) {
            trial.set(leaf, Lit::constant(value));
        }
        let small = &self.small.aig;
        let may = trial.copy((small, guard), &mut scratch, &mut |to, _| to.input(""));
        may != Lit::FALSE
    }

    /// The inputs that choose a move, as leaves of the small circuit.
    fn chosen(&self, number: u64) -> Vec<(Lit, bool)> {
        let leaves = self.move_leaves.iter().enumerate();
        leaves
            .map(|(bit, &leaf)| (leaf, number >> bit & 1 == 1))
            .collect()
    }

    fn begin(&self, system: &System, code: Code, number: Option<u64>, copier: &mut Copier) {
        let circuit = &system.circuit;
        copier.begin(&circuit.aig);
        for (latch, &leaf) in circuit.latches.iter().zip(&self.latches) {
            copier.set(latch.lit, leaf);
        }
        for (&leaf, &input) in &self.inputs {
            copier.set(circuit.inputs[input].lit, leaf);
        }
        for (bit, &latch) in self.at.iter().enumerate() {
            let value = Lit::constant(code >> bit & 1 == 1);
            copier.set(circuit.latches[latch].lit, value);
        }
        if let Some(number) = number {
            for (bit, &input) in self.moves.iter().enumerate() {
                let value = Lit::constant(number >> bit & 1 == 1);
                copier.set(circuit.inputs[input].lit, value);
            }
        }
    }

    fn copied(&mut self, system: &System, lit: Lit, copier: &mut Copier) -> Lit {
        let from = &system.circuit.aig;
        // All leaves have been set.
        copier.copy((from, lit), &mut self.small, &mut |to, _| to.input(""))
    }

    fn all_of(&mut self, system: &System, lits: &[Lit], copier: &mut Copier) -> Lit {
        let copies: Vec<Lit> = (lits.iter())
            .map(|&lit| self.copied(system, lit, copier))
            .collect();
        self.small.aig.all(&copies)
    }

    /// The ways of one move; none if it leaves too much open.
    fn ways(
        &mut self,
        system: &System,
        (code, number, guard): (Code, u64, Lit),
        copier: &mut Copier,
        ways: &mut Vec<Way>,
    ) -> Option<()> {
        let mut changes = Vec::new();
        for latch in 0..self.latches.len() {
            let next = system.circuit.latches[latch].next;
            let next = self.copied(system, next, copier);
            let is_known = self.at.contains(&latch);
            if !is_known && next != self.latches[latch] {
                changes.push((latch, next));
            }
        }
        let bits: Vec<Lit> = (self.at.clone().into_iter())
            .map(|latch| self.copied(system, system.circuit.latches[latch].next, copier))
            .collect();
        let open: Vec<usize> = (0..bits.len())
            .filter(|&bit| bits[bit].as_constant().is_none())
            .collect();
        if open.len() > MOST_OPEN {
            return None;
        }
        for choice in 0..1u64 << open.len() {
            let (mut to, mut guard) = (0, guard);
            for (bit, &lit) in bits.iter().enumerate() {
                let value = match open.iter().position(|&other| other == bit) {
                    Some(place) => {
                        let value = choice >> place & 1 == 1;
                        guard = self.small.aig.and(guard, lit.invert_if(!value));
                        value
                    }
                    None => lit == Lit::TRUE,
                };
                to |= Code::from(value) << bit;
            }
            let idle = to == code && changes.is_empty();
            if guard != Lit::FALSE && !idle {
                ways.push(Way {
                    moves: self.chosen(number),
                    to,
                    guard,
                    changes: changes.clone(),
                });
            }
        }
        Some(())
    }
}

//! From a [`Program`] to a [`Circuit`], and back from an assignment to states and runs.
//!
//! Each variable becomes latches, one a bit; each choice that a step leaves open becomes inputs.
//! Choices are made *functional* wherever that can be: an input says which member of a set is
//! taken, and every value of it means some member, so that few step constraints are needed. What
//! has no encoding is an [`Unsupported`] value.
//!
//! A run of the circuit is a run of the program: [`Encoding::trace`] gives its choices, to be
//! replayed on the reference interpreter.

mod bits;
mod choice;
mod evaluate;
mod interleaved;
mod layout;
mod meaning;
mod read;
mod synchronous;
#[cfg(test)]
mod tests;
mod trouble;
#[cfg(test)]
mod turns_tests;

use std::collections::HashMap;

use model::{
    Budget, ChannelId, Claim, Composition, ExprId, FairnessKind, FunctionId, Program, PropertyId,
    VariableKind,
};
use source::Span;
use thiserror::Error;

pub use bits::Bits;
pub use meaning::{Meaning, Owner};

use crate::aig::Lit;
use crate::circuit::{Bad, Circuit};
use choice::Row;
use evaluate::{Memo, Store};
use interleaved::Moves;
use interleaved::control::Control;

/// Something in a program that has no encoding into bits.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("encode {what} in bits")]
pub struct Unsupported {
    /// What it is, for people.
    pub what: String,
    /// Where, if that is known.
    pub span: Span,
}

impl Unsupported {
    fn new(what: impl Into<String>) -> Self {
        Unsupported {
            what: what.into(),
            span: Span::NONE,
        }
    }
}

/// A variable of the program, or another part of its state, in the circuit.
#[derive(Clone, Debug)]
pub struct Slot {
    /// For people.
    pub name: String,
    /// What it is for.
    pub kind: VariableKind,
    /// Its present value: over latches; over inputs where it is chosen anew at each step.
    pub bits: Bits,
}

/// A program as a circuit.
#[derive(Debug)]
pub struct Encoding<'p> {
    /// The circuit. [`Circuit::bads`] are the properties of [`Encoding::bads`], in that order.
    pub circuit: Circuit,
    /// The parts of the state, the program's global variables first, in their order.
    pub slots: Vec<Slot>,
    /// Which property each bad refutes.
    pub bads: Vec<PropertyId>,
    /// The fairness of the program that the circuit leaves out, for people: a fair run of the
    /// circuit may be none of the program.
    pub unfair: Vec<String>,
    /// Where a macro step ends: letters of formulas are read, and what is claimed of states is
    /// claimed, where this holds. True everywhere in programs whose variables move at once.
    pub stable: Lit,
    /// Where no step of a program whose processes take turns is possible; `None` if there is no
    /// gate for it, and then runs that end are not in the circuit. In programs whose variables
    /// move at once it is not asked.
    pub deadlock: Option<Lit>,
    /// Functions without an encoding, for people: their results may be anything here. What holds
    /// in the circuit holds in the program, but a run of the circuit may be none of the program.
    pub approximated: Vec<String>,
    program: &'p Program,
    /// When to give up.
    budget: Budget,
    /// The results of functions without an encoding.
    results: Vec<((FunctionId, Vec<Bits>), Bits)>,
    controls: Vec<Control>,
    references: Vec<ChannelId>,
    has_holder: bool,
    whole_steps: bool,
    /// The instance whose regions steps run through.
    runner: Option<usize>,
    row: Row,
    moves: Option<Moves>,
    rich: Vec<model::RichId>,
    /// The present state, over latches and inputs.
    now: Store,
    memo: Memo,
}

/// A program as a circuit, with the claims that something never happens as what is bad.
///
/// # Errors
/// If something in the program has no encoding.
pub fn encode(program: &Program) -> Result<Encoding<'_>, Unsupported> {
    encode_as(program, false, &Budget::default())
}

/// As [`encode`], but a step of the circuit goes on through the inner locations of a macro step as
/// far as it can: up to where the macro step ends, or may go round. There are fewer states and
/// fewer latches, and an invariant speaks of fewer states of the program. Traces and properties
/// are the same.
///
/// Many processes with many steps make a very large circuit: it is given up when the budget is
/// exhausted.
///
/// # Errors
/// As [`encode`]; also if the budget is exhausted.
pub fn encode_whole_steps<'p>(
    program: &'p Program,
    budget: &Budget,
) -> Result<Encoding<'p>, Unsupported> {
    encode_as(program, true, budget).or_else(|error| match budget.exhausted(0) {
        Some(_) => Err(error),
        None => encode_as(program, false, budget),
    })
}

fn encode_as<'p>(
    program: &'p Program,
    whole_steps: bool,
    budget: &Budget,
) -> Result<Encoding<'p>, Unsupported> {
    let mut encoding = Encoding {
        circuit: Circuit::default(),
        slots: Vec::new(),
        bads: Vec::new(),
        unfair: Vec::new(),
        stable: Lit::TRUE,
        deadlock: None,
        approximated: Vec::new(),
        program,
        budget: budget.clone(),
        results: Vec::new(),
        controls: Vec::new(),
        references: Vec::new(),
        has_holder: false,
        whole_steps,
        runner: None,
        row: Row::default(),
        moves: None,
        rich: Vec::new(),
        now: Store::default(),
        memo: Memo::default(),
    };
    match &program.composition {
        Composition::Synchronous(assigns) => encoding.synchronous(assigns)?,
        Composition::Interleaving { .. } => encoding.interleaved()?,
    }
    encoding.fairness()?;
    encoding.invariant_claims()?;
    Ok(encoding)
}

impl<'p> Encoding<'p> {
    /// The program.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// For a program of one process: the latches that say where it is, and the inputs that say
    /// which move is made.
    #[must_use]
    pub fn control(&self) -> Option<(Vec<Lit>, Vec<Lit>)> {
        let ([only], Some(moves)) = (self.now.instances.as_slice(), &self.moves) else {
            return None;
        };
        let mut at = only.location.bits().to_vec();
        for call in &only.calls {
            at.extend(call.site.bits());
        }
        at.retain(|lit| self.circuit.latch_of(*lit).is_some());
        let moves = moves.code.iter().copied();
        Some((
            at,
            moves.filter(|lit| lit.as_constant().is_none()).collect(),
        ))
    }

    /// Where a truth expression holds in the present state, as atoms of formulas are read: one
    /// that faults does not hold. May add gates to the circuit, but no latches, and inputs only for functions without an
    /// encoding.
    ///
    /// # Errors
    /// If something in the expression has no encoding.
    pub fn atom(&mut self, expr: ExprId) -> Result<Lit, Unsupported> {
        let now = std::mem::take(&mut self.now);
        let mut memo = std::mem::take(&mut self.memo);
        let held = self.holds(&now.scope(), &mut memo, expr);
        self.now = now;
        self.memo = memo;
        held
    }

    /// As [`Encoding::atom`], seen from an instance: where a truth expression of its process holds.
    ///
    /// # Errors
    /// If something in the expression has no encoding.
    pub fn condition(&mut self, instance: usize, expr: ExprId) -> Result<Lit, Unsupported> {
        let now = std::mem::take(&mut self.now);
        let scope = evaluate::Scope {
            me: Some(instance),
            ..now.scope()
        };
        let held = self.holds(&scope, &mut Memo::default(), expr);
        self.now = now;
        held
    }

    fn fairness(&mut self) -> Result<(), Unsupported> {
        for fairness in &self.program.fairness {
            match &fairness.kind {
                FairnessKind::Justice(expr) => {
                    let lit = self.atom(*expr)?;
                    let lit = self.circuit.aig.and(lit, self.stable);
                    self.circuit.justice.push(lit);
                }
                FairnessKind::Compassion(p, q) => {
                    let (p, q) = (self.atom(*p)?, self.atom(*q)?);
                    let aig = &mut self.circuit.aig;
                    let pair = (aig.and(p, self.stable), aig.and(q, self.stable));
                    self.circuit.compassion.push(pair);
                }
                _ if self.keeps_fairness(fairness) => {}
                _ => self.unfair.push(fairness.name.clone()),
            }
        }
        Ok(())
    }

    fn invariant_claims(&mut self) -> Result<(), Unsupported> {
        for (index, property) in self.program.properties.iter().enumerate() {
            if let Claim::Always(expr) = property.claim {
                let held = self.atom(expr)?;
                let lit = self.circuit.aig.and(self.stable, !held);
                self.circuit.bads.push(Bad {
                    name: property.name.clone(),
                    lit,
                });
                self.bads.push(PropertyId::new(index));
            }
        }
        Ok(())
    }

    /// The number of a rich value in the circuit.
    fn rich_code(&mut self, id: model::RichId) -> usize {
        let known = self.rich.iter().position(|&other| other == id);
        known.unwrap_or_else(|| {
            self.rich.push(id);
            self.rich.len() - 1
        })
    }
}

/// Slots by name, for those who look for one.
impl Encoding<'_> {
    /// The slot with this name.
    #[must_use]
    pub fn slot(&self, name: &str) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.name == name)
    }

    /// Which slot each latch belongs to.
    #[must_use]
    pub fn slot_of_latches(&self) -> HashMap<Lit, usize> {
        let mut slots = HashMap::new();
        for (index, slot) in self.slots.iter().enumerate() {
            slot.bits.each(&mut |lit| {
                if self.circuit.latch_of(lit).is_some() {
                    slots.insert(lit, index);
                }
            });
        }
        slots
    }
}

//! Programs whose processes take turns.
//!
//! A step of the circuit is one move: inputs say which move is taken and what it chooses, and a
//! step constraint demands that it is enabled. Each location is a value of the instance's program
//! counter, those inside of macro steps too; [`Encoding::stable`](super::Encoding::stable) says
//! where a macro step ends, and letters of formulas are read there. A run that ends goes on by
//! doing nothing, where the program says so.
//!
//! The exclusive holder is kept as the last move left it. Whether it goes on is seen in the state
//! itself, so two states of the circuit may stand for one of the program, with the same futures.

mod asks;
mod candidates;
pub(super) mod control;
mod enabled;
mod flow;
mod message;
mod perform;
mod trace;
mod whole_steps;

use std::collections::{BTreeMap, HashSet};

use model::{
    ChannelId, CheckId, Claim, Fairness, FairnessKind, FaultId, FiniteRuns, Mode, PropertyId,
    StepId, ValueSet, VariableKind,
};

use super::bits::Bits;
use super::evaluate::{CallBits, InstanceBits, Memo, QueueBits, Store};
use super::layout::is_cut;
use super::synchronous::zipped;
use super::{Encoding, Slot, Unsupported};
use crate::aig::Lit;
use crate::circuit::{Bad, Reset};
use crate::words::Word;
use asks::number;
use candidates::Candidate;
use control::Control;
use enabled::Enabled;
use flow::{Flow, Log};

/// What the circuit may do in a step: a move, and those that follow before anybody rests.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    /// Where it is what the inputs say, and exists.
    pub(crate) when: Lit,
    /// The moves in their order, those that belong together.
    pub(crate) made: Vec<Made>,
}

/// A move that is made within a step of the circuit.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) parts: Vec<Part>,
    /// Where it is made, whether or not what follows exists.
    pub(crate) when: Lit,
    /// Where something goes wrong in it.
    pub(crate) wrong: Lit,
    pub(crate) choices: Vec<(Lit, Bits)>,
}

/// A gate and its place in the table of gates that there are, about.
const BYTES_A_GATE: u64 = 32;

/// A part of a move that is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) instance: usize,
    /// The step; `None`: it goes away.
    pub(crate) step: Option<StepId>,
}

/// What a step of the circuit does.
#[derive(Clone, Debug)]
pub(crate) struct Moves {
    pub(crate) taken: Vec<Taken>,
    /// The inputs that say which move is made.
    pub(crate) code: Vec<Lit>,
}

impl Encoding<'_> {
    pub(super) fn interleaved(&mut self) -> Result<(), Unsupported> {
        let program = self.program;
        if !program.state_constraint.is_empty() || !program.relation.is_empty() {
            return Err(Unsupported::new("constraints on processes that take turns"));
        }
        self.row = Self::shared_row();
        for start in &program.start {
            let control = Control::new(program, start.process)?;
            self.controls.push(control);
        }
        self.references = (0..program.channels.len())
            .map(ChannelId::new)
            .filter(|id| program.channels[id.index()].from_start)
            .collect();
        self.has_holder = self.needs_holder();
        if self.whole_steps {
            self.plan_whole_steps();
        }
        self.lay_out()?;
        self.first_state()?;
        let candidates = self.candidates()?;
        self.steps(candidates)
    }

    fn needs_holder(&self) -> bool {
        let has = |control: &&Control, mode| {
            let process = &self.program.processes[control.process.index()];
            !control.codes_of(process, &[mode]).is_empty()
        };
        let atomic = self
            .controls
            .iter()
            .any(|control| has(&control, Mode::Atomic));
        let regions = self
            .controls
            .iter()
            .filter(|control| has(control, Mode::Region));
        atomic || regions.count() > 1
    }

    /// Latches for all parts of the state.
    fn lay_out(&mut self) -> Result<(), Unsupported> {
        let program = self.program;
        for variable in &program.globals {
            let located = |mut error: Unsupported| {
                error.span = variable.span;
                error
            };
            let bits = self
                .latches(&variable.name, &variable.ty)
                .map_err(located)?;
            self.now.globals.push(bits.clone());
            self.slots.push(Slot {
                name: variable.name.clone(),
                kind: variable.kind,
                bits,
            });
        }
        for index in 0..self.controls.len() {
            let control = self.controls[index].clone();
            let process = &program.processes[control.process.index()];
            let name = format!("{}({index})", process.name);
            let location = self.code(&format!("{name} at"), control.count);
            let mut frame = Vec::new();
            for variable in &process.locals {
                let name = format!("{name}.{}", variable.name);
                let bits = self.latches(&name, &variable.ty)?;
                self.slot_of(name, bits.clone());
                frame.push(bits);
            }
            let mut calls = Vec::new();
            for (procedure, sites) in process.procedures.iter().zip(&control.sites) {
                let name = format!("{name}.{}", procedure.name);
                let mut locals = Vec::new();
                for variable in &procedure.locals {
                    let name = format!("{name}.{}", variable.name);
                    let bits = match sites.is_empty() {
                        true => self.constant(&program.zero(&variable.ty))?,
                        false => self.latches(&name, &variable.ty)?,
                    };
                    self.slot_of(name, bits.clone());
                    locals.push(bits);
                }
                let site = self.code(&format!("{name} called by"), sites.len());
                calls.push(CallBits { site, locals });
            }
            self.now.instances.push(InstanceBits {
                location,
                frame,
                calls,
            });
        }
        for place in 0..self.references.len() {
            let channel = &program.channels[self.references[place].index()];
            let Some(capacity) = channel.capacity else {
                return Err(Unsupported::new(format!(
                    "the unbounded channel `{}`",
                    channel.name
                )));
            };
            if capacity > 256 {
                return Err(Unsupported::new(format!(
                    "the long channel `{}`",
                    channel.name
                )));
            }
            let length = self.code(&format!("{} length", channel.name), capacity as usize + 1);
            let mut messages = Vec::new();
            for at in 0..capacity {
                let mut fields = Vec::new();
                for (field, ty) in channel.fields.iter().enumerate() {
                    let name = format!("{}[{at}].{field}", channel.name);
                    let bits = self.latches(&name, ty)?;
                    self.slot_of(name, bits.clone());
                    fields.push(bits);
                }
                messages.push(fields);
            }
            self.now.channels.push(QueueBits { length, messages });
        }
        if self.has_holder {
            self.now.holder = self.code("exclusive holder", self.controls.len() + 1);
        }
        Ok(())
    }

    fn slot_of(&mut self, name: String, bits: Bits) {
        self.slots.push(Slot {
            name,
            kind: VariableKind::State,
            bits,
        });
    }

    /// Latches for a number below a count.
    fn code(&mut self, name: &str, count: usize) -> Word {
        let last = count.saturating_sub(1);
        let width = number(last).width();
        let bits = (0..width).map(|bit| self.circuit.latch(format!("{name}.{bit}"), Reset::Zero));
        let word = Word::new(bits.collect(), false);
        let valid = self.circuit.aig.le(&word, &number(last));
        if valid != Lit::TRUE {
            self.circuit.invariants.push(valid);
        }
        self.slot_of(name.to_owned(), Bits::Word(word.clone()));
        word
    }

    /// Resets and initial constraints.
    fn first_state(&mut self) -> Result<(), Unsupported> {
        let program = self.program;
        self.first_values(&HashSet::new())?;
        let whole = self.now.clone();
        // Instances as far as they have begun.
        let mut before = Store {
            globals: whole.globals.clone(),
            ..Store::default()
        };
        for (index, start) in program.start.iter().enumerate() {
            let process = &program.processes[start.process.index()];
            let own = whole.instances[index].clone();
            let control = self.controls[index].clone();
            let entry = match process.starts_ended {
                true => control.ended(),
                false => control.code(process.entry).unwrap_or(0),
            };
            self.reset_to(
                &Bits::Word(own.location.clone()),
                &Bits::Word(number(entry)),
            );
            let mut frame = Vec::new();
            for &arg in &start.args {
                let found = self.eval(&before.scope(), &mut Memo::default(), arg)?;
                frame.push(found.value);
            }
            for variable in &process.locals[frame.len()..] {
                frame.push(self.constant(&program.zero(&variable.ty))?);
            }
            let mut calls = Vec::new();
            for procedure in 0..process.procedures.len() {
                let closed = self.closed_call(index, procedure)?;
                for (own, zero) in own.calls[procedure].locals.iter().zip(&closed.locals) {
                    self.reset_to(own, zero);
                }
                calls.push(closed);
            }
            before.instances.push(InstanceBits {
                location: number(entry),
                frame,
                calls,
            });
            for (local, variable) in process.locals.iter().enumerate() {
                let set = variable
                    .init
                    .as_ref()
                    .filter(|_| local >= process.parameters);
                let zero = before.instances[index].frame[local].clone();
                self.first_value(&before, Some(index), variable, set, &own.frame[local], zero)?;
                before.instances[index].frame[local] = own.frame[local].clone();
            }
        }
        for queue in &whole.channels {
            for field in queue.messages.iter().flatten() {
                for lit in field.lits() {
                    self.reset_to(&Bits::Bool(lit), &Bits::Bool(Lit::FALSE));
                }
            }
        }
        let mut memo = Memo::default();
        for &condition in &program.initial {
            let held = self.holds(&whole.scope(), &mut memo, condition)?;
            if held != Lit::TRUE {
                self.circuit.initial.push(held);
            }
        }
        Ok(())
    }

    /// The state in which a move begins: step variables have their first values where a macro
    /// step begins.
    fn begun(&mut self, stable: Lit) -> Result<Store, Unsupported> {
        let program = self.program;
        let mut begun = self.now.clone();
        let mut first = Store::default();
        for variable in &program.globals {
            first
                .globals
                .push(self.constant(&program.zero(&variable.ty))?);
        }
        for (index, variable) in program.globals.iter().enumerate() {
            if let Some(ValueSet::One(expr)) = &variable.init {
                first.globals[index] = self
                    .eval(&first.scope(), &mut Memo::default(), *expr)?
                    .value;
            }
            if variable.kind != VariableKind::Step {
                continue;
            }
            let lits = first.globals[index].lits();
            if lits.iter().any(|lit| lit.as_constant().is_none()) {
                return Err(Unsupported::new(
                    "a step variable whose first value is open",
                ));
            }
            let old = &begun.globals[index];
            begun.globals[index] = self
                .circuit
                .aig
                .mux_value(stable, &first.globals[index], old);
        }
        Ok(begun)
    }

    /// Everything about steps.
    fn steps(&mut self, candidates: Vec<Candidate>) -> Result<(), Unsupported> {
        let program = self.program;
        let now = self.now.clone();
        // Where a macro step ends.
        let mut in_region = Vec::new();
        for instance in 0..self.controls.len() {
            let control = self.controls[instance].clone();
            let process = &program.processes[control.process.index()];
            let codes = control.codes_of(process, &[Mode::Region]);
            in_region.push(self.is_at_any(&now, instance, &codes));
        }
        let mut stable = !self.circuit.aig.any(&in_region);
        if self.has_holder {
            let answers = self.answers(&candidates, &now)?;
            let raw = self.enabled(&candidates, &now, &answers)?;
            let goes_on = raw.holder_goes_on.unwrap_or(Lit::FALSE);
            stable = self.circuit.aig.and(stable, !goes_on);
        }
        self.stable = stable;
        let begun = self.begun(stable)?;
        let answers = self.answers(&candidates, &begun)?;
        let enabled = self.enabled(&candidates, &begun, &answers)?;
        let all: Option<Vec<Lit>> = enabled.enabled.iter().copied().collect();
        let any = all.map(|all| self.circuit.aig.any(&all));
        self.deadlock = any.map(|any| self.circuit.aig.and(stable, !any));
        // The codes of moves; one more to do nothing.
        let stutters = program.finite_runs == FiniteRuns::Stutter
            && self.deadlock.is_some_and(|deadlock| deadlock != Lit::FALSE);
        let count = candidates.len() + usize::from(stutters);
        let width = number(count.saturating_sub(1)).width();
        let bits = (0..width).map(|bit| self.circuit.input(format!("move.{bit}")));
        let code = Word::new(bits.collect(), false);
        let mut next = now.clone();
        let mut taken = Vec::new();
        let mut failed: BTreeMap<CheckId, Vec<Lit>> = BTreeMap::new();
        let mut faults: BTreeMap<FaultId, Vec<Lit>> = BTreeMap::new();
        for (index, candidate) in candidates.into_iter().enumerate() {
            self.goes_on()?;
            let (mut flow, mut log) = (Flow::new(begun.clone()), Log::default());
            let message = self.prepare(&mut flow, &mut log, &candidate, answers.asked())?;
            let span = self.step_of(&candidate.parts[0]).map(|step| step.span);
            let mut made = Vec::new();
            self.carry_out(&mut flow, &mut log, &candidate, message)
                .and_then(|()| {
                    let parts = candidate.parts.iter().map(|part| Part {
                        instance: part.instance,
                        step: part.step,
                    });
                    made.push(Made {
                        parts: parts.collect(),
                        when: !log.pruned,
                        wrong: self.went_wrong(&log, (0, 0)),
                        choices: log.choices.clone(),
                    });
                    self.run_through(&mut flow, &mut log, &mut made)
                })
                .map_err(|mut error| {
                    error.span = span.unwrap_or(error.span);
                    error
                })?;
            self.settle(&mut flow, &candidate);
            let aig = &mut self.circuit.aig;
            let chosen = aig.eq(&code, &number(index));
            let begins = aig.all(&[chosen, candidate.at, enabled.free[index]]);
            let when = aig.and(begins, !log.pruned);
            for (check, lit) in log.failed {
                failed.entry(check).or_default().push(aig.and(begins, lit));
            }
            for (_, fault, lit) in log.faults {
                faults.entry(fault).or_default().push(aig.and(begins, lit));
            }
            for made in &mut made {
                made.when = aig.and(made.when, begins);
                made.wrong = aig.and(made.wrong, begins);
            }
            next = self.joined(chosen, &flow.store, &next);
            taken.push(Taken { when, made });
        }
        let aig = &mut self.circuit.aig;
        let mut stutter = Lit::FALSE;
        if let (true, Some(deadlock)) = (stutters, self.deadlock) {
            let chosen = aig.eq(&code, &number(taken.len()));
            stutter = aig.and(chosen, deadlock);
        }
        let mut possible: Vec<Lit> = taken.iter().map(|taken| taken.when).collect();
        possible.push(stutter);
        let step = aig.any(&possible);
        self.circuit.step_constraints.push(step);
        self.set_next_state(&now, &next, step, stutter);
        self.moves = Some(Moves {
            taken,
            code: code.bits().to_vec(),
        });
        self.claims(&failed, &faults);
        self.turns(&enabled)
    }

    /// Gives up when the budget is exhausted.
    pub(super) fn goes_on(&self) -> Result<(), Unsupported> {
        let gates = self.circuit.aig.gate_count() as u64;
        match self.budget.exhausted(gates * BYTES_A_GATE) {
            Some(_) => Err(Unsupported::new("so much, within the limits,")),
            None => Ok(()),
        }
    }

    /// Sets the holder after a move.
    fn settle(&mut self, flow: &mut Flow, candidate: &Candidate) {
        if !self.has_holder {
            return;
        }
        let mut holder = number(0);
        for instance in (0..self.controls.len()).rev() {
            let inside = self.is_inside(&flow.store, instance, &[Mode::Region]);
            holder = self
                .circuit
                .aig
                .mux_word(inside, &number(instance + 1), &holder);
        }
        if let Some(last) = candidate.parts.last() {
            let modes = [Mode::Atomic, Mode::Region];
            let inside = self.is_inside(&flow.store, last.instance, &modes);
            holder = self
                .circuit
                .aig
                .mux_word(inside, &number(last.instance + 1), &holder);
        }
        flow.store.holder = holder;
    }

    fn is_inside(&mut self, store: &Store, instance: usize, modes: &[Mode]) -> Lit {
        let control = self.controls[instance].clone();
        let process = &self.program.processes[control.process.index()];
        let codes = control.codes_of(process, modes);
        self.is_at_any(store, instance, &codes)
    }

    fn set_next_state(&mut self, now: &Store, next: &Store, step: Lit, stutter: Lit) {
        let program = self.program;
        let mut pairs: Vec<(Bits, Bits)> = Vec::new();
        let mut cut: Vec<(model::Type, Bits)> = Vec::new();
        let mut slot = |ty: Option<&model::Type>, own: &Bits, new: &Bits| {
            pairs.push((own.clone(), new.clone()));
            if let Some(ty) = ty.filter(|ty| is_cut(program, ty)) {
                cut.push((ty.clone(), new.clone()));
            }
        };
        let word = |word: &Word| Bits::Word(word.clone());
        for (index, variable) in program.globals.iter().enumerate() {
            slot(
                Some(&variable.ty),
                &now.globals[index],
                &next.globals[index],
            );
        }
        for (index, control) in self.controls.iter().enumerate() {
            let process = &program.processes[control.process.index()];
            let (own, new) = (&now.instances[index], &next.instances[index]);
            slot(None, &word(&own.location), &word(&new.location));
            for (local, variable) in process.locals.iter().enumerate() {
                slot(Some(&variable.ty), &own.frame[local], &new.frame[local]);
            }
            for (number, procedure) in process.procedures.iter().enumerate() {
                let (own, new) = (&own.calls[number], &new.calls[number]);
                slot(None, &word(&own.site), &word(&new.site));
                for (local, variable) in procedure.locals.iter().enumerate() {
                    slot(Some(&variable.ty), &own.locals[local], &new.locals[local]);
                }
            }
        }
        for (place, (own, new)) in now.channels.iter().zip(&next.channels).enumerate() {
            slot(None, &word(&own.length), &word(&new.length));
            let types = &program.channels[self.references[place].index()].fields;
            for (own, new) in own.messages.iter().zip(&new.messages) {
                for (field, ty) in types.iter().enumerate() {
                    slot(Some(ty), &own[field], &new[field]);
                }
            }
        }
        slot(None, &word(&now.holder), &word(&next.holder));
        for (own, new) in pairs {
            for (own, new) in zipped(&own, &new) {
                if self.circuit.latch_of(own).is_some() {
                    let next = self.circuit.aig.mux(stutter, own, new);
                    self.circuit.set_next(own, next);
                }
            }
        }
        for (ty, new) in cut {
            let valid = self.is_valid(&ty, &new);
            let limit = self.circuit.aig.all(&[step, !stutter, !valid]);
            if limit != Lit::FALSE {
                self.circuit.limits.push(limit);
            }
        }
    }

    /// What steps may do that they must not.
    fn claims(
        &mut self,
        failed: &BTreeMap<CheckId, Vec<Lit>>,
        faults: &BTreeMap<FaultId, Vec<Lit>>,
    ) {
        for (index, property) in self.program.properties.iter().enumerate() {
            let when = match &property.claim {
                Claim::Check(check) => failed.get(check).cloned().unwrap_or_default(),
                Claim::NoFault(kinds) => {
                    let found = kinds.iter().filter_map(|fault| faults.get(fault));
                    found.flatten().copied().collect()
                }
                Claim::NoDeadlock => match self.bad_end() {
                    Some(lit) => vec![lit],
                    None => continue,
                },
                _ => continue,
            };
            let lit = self.circuit.aig.any(&when);
            self.circuit.bads.push(Bad {
                name: property.name.clone(),
                lit,
            });
            self.bads.push(PropertyId::new(index));
        }
    }

    /// A state without moves that is no valid end.
    fn bad_end(&mut self) -> Option<Lit> {
        let deadlock = self.deadlock?;
        let mut open = Vec::new();
        for instance in 0..self.controls.len() {
            let control = self.controls[instance].clone();
            let process = &self.program.processes[control.process.index()];
            let codes: Vec<usize> = (0..control.locations.len())
                .filter(|&code| !process.locations[control.locations[code].index()].end)
                .collect();
            let now = self.now.clone();
            open.push(self.is_at_any(&now, instance, &codes));
        }
        let aig = &mut self.circuit.aig;
        let open = aig.any(&open);
        Some(aig.and(deadlock, open))
    }

    /// Fairness that speaks of steps.
    fn turns(&mut self, enabled: &Enabled) -> Result<(), Unsupported> {
        let program = self.program;
        // A run has infinitely many stable states.
        if self.stable != Lit::TRUE {
            self.circuit.justice.push(self.stable);
        }
        let Some(moves) = self.moves.clone() else {
            return Ok(());
        };
        let known: Option<Vec<Lit>> = enabled.enabled.iter().copied().collect();
        for fairness in &program.fairness {
            let Some(known) = &known else {
                continue;
            };
            match &fairness.kind {
                FairnessKind::Weak(steps) | FairnessKind::Strong(steps) => {
                    let its = |part: &Part| {
                        let process = self.controls[part.instance].process;
                        part.step
                            .is_some_and(|step| steps.contains(&(process, step)))
                    };
                    let (took, can) = took_and_can(&moves, known, &its);
                    let aig = &mut self.circuit.aig;
                    let took: Vec<Lit> = took.into_iter().map(|(a, b)| aig.and(a, b)).collect();
                    let (took, can) = (aig.any(&took), aig.any(&can));
                    let can = aig.and(can, self.stable);
                    if let FairnessKind::Strong(_) = fairness.kind {
                        self.circuit.compassion.push((can, took));
                    } else {
                        let cannot = aig.and(self.stable, !can);
                        let fair = aig.or(took, cannot);
                        self.circuit.justice.push(fair);
                    }
                }
                FairnessKind::WeakInstances => {
                    for instance in 0..self.controls.len() {
                        let its = |part: &Part| part.instance == instance;
                        let (took, can) = took_and_can(&moves, known, &its);
                        let aig = &mut self.circuit.aig;
                        let took: Vec<Lit> = took.into_iter().map(|(a, b)| aig.and(a, b)).collect();
                        let (took, can) = (aig.any(&took), aig.any(&can));
                        let cannot = aig.and(self.stable, !can);
                        let fair = aig.or(took, cannot);
                        self.circuit.justice.push(fair);
                    }
                }
                FairnessKind::Justice(_) | FairnessKind::Compassion(..) => {}
            }
        }
        Ok(())
    }

    /// Whether fairness of this kind is in the circuit.
    pub(super) fn keeps_fairness(&self, fairness: &Fairness) -> bool {
        match fairness.kind {
            FairnessKind::Justice(_) | FairnessKind::Compassion(..) => true,
            _ => self.deadlock.is_some(),
        }
    }
}

/// Where a step makes a move with one of these parts (the step's condition and the move's), and
/// where there is such a move to begin with.
fn took_and_can(
    moves: &Moves,
    known: &[Lit],
    its: &dyn Fn(&Part) -> bool,
) -> (Vec<(Lit, Lit)>, Vec<Lit>) {
    let (mut took, mut can) = (Vec::new(), Vec::new());
    for (taken, &enabled) in moves.taken.iter().zip(known) {
        for made in &taken.made {
            if made.parts.iter().any(its) {
                took.push((taken.when, made.when));
            }
        }
        let first = taken.made.first();
        if first.is_some_and(|made| made.parts.iter().any(its)) {
            can.push(enabled);
        }
    }
    (took, can)
}

//! Macro steps in one step: the inner locations of a region, by if-conversion.
//!
//! Inside of a region the instance goes on alone. Where the control flow from location to location
//! has no cycle, the moves can be made one after another in the same step of the circuit: each
//! inner location is visited once, behind all that lead there, and what is done there is done
//! where control has come there. At a location on a cycle the instance rests, and goes on in the
//! next step. A fault in what follows a fault would be a cycle, too; there the plan is given up.
//! What goes wrong in a move is told at its end: nothing that a later one does takes it back, and
//! what a move has done before it faults stays done.

use std::collections::HashSet;

use model::{Expr, LocId, Mode, Process, StepId, Target};

use super::super::evaluate::Asked;
use super::super::{Encoding, Unsupported};
use super::asks::number;
use super::candidates::{Candidate, CandidatePart};
use super::control::Control;
use super::flow::{Flow, Log};
use super::{Made, Part};
use crate::aig::Lit;
use crate::words::Word;

impl Encoding<'_> {
    /// Chooses the locations to run through, if it can be done at all.
    pub(super) fn plan_whole_steps(&mut self) {
        let program = self.program;
        let asks = (0..program.exprs.len()).map(model::ExprId::new).any(|id| {
            matches!(
                program.exprs.get(id),
                Expr::NothingEnabled | Expr::Enabled(_)
            )
        });
        if self.has_holder || asks {
            return;
        }
        for (index, control) in self.controls.iter_mut().enumerate() {
            let process = &program.processes[control.process.index()];
            let through = inner_locations(control, process);
            if !through.is_empty() {
                control.run_through(through);
                self.runner = Some(index);
            }
        }
    }

    /// Goes on through inner locations.
    pub(super) fn run_through(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        made: &mut Vec<Made>,
    ) -> Result<(), Unsupported> {
        let Some(me) = self.runner else {
            return Ok(());
        };
        let control = self.controls[me].clone();
        let process = &self.program.processes[control.process.index()];
        for &location in &control.through {
            let code = control.code(location).unwrap_or(0);
            let here = self
                .circuit
                .aig
                .eq(&flow.store.instances[me].location, &number(code));
            let arrived = self.circuit.aig.and(here, flow.live);
            if arrived == Lit::FALSE {
                continue;
            }
            let faults = log.faults.len();
            self.visit(flow, log, made, (me, location), arrived)?;
            // Control must not come back to where it has been.
            let again = process.on_fault.is_some_and(|to| {
                control.through.contains(&to) && follows_fault(&control, process, location, to)
            });
            if again
                && log.faults[faults..]
                    .iter()
                    .any(|(_, _, when)| *when != Lit::FALSE)
            {
                return Err(Unsupported::new("faults in what follows a fault"));
            }
        }
        Ok(())
    }

    fn visit(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        made: &mut Vec<Made>,
        (me, location): (usize, LocId),
        arrived: Lit,
    ) -> Result<(), Unsupported> {
        let control = self.controls[me].clone();
        let process = &self.program.processes[control.process.index()];
        let steps = steps_at(&control, process, location);
        let candidate = |step: StepId| Candidate {
            parts: vec![CandidatePart {
                instance: me,
                step: Some(step),
                precedence: 0,
                at: Lit::TRUE,
            }],
            class: 1,
            at: Lit::TRUE,
        };
        let mut inner = flow.clone();
        inner.path = self.circuit.aig.and(flow.path, arrived);
        inner.live = Lit::TRUE;
        // Which steps are enabled: a guard that faults counts as such.
        let mut enabled = Vec::new();
        for &step in &steps {
            let actor = self.actor(&candidate(step).parts[0]);
            enabled.push(match process.steps[step.index()].guard {
                Some(guard) => {
                    let (value, wrong) =
                        self.value_aside(&inner, actor, Asked::default(), guard)?;
                    let aig = &mut self.circuit.aig;
                    let held = value.truth(aig);
                    aig.or(held, wrong)
                }
                None => Lit::TRUE,
            });
        }
        let ranks: Vec<u16> = steps
            .iter()
            .map(|step| process.steps[step.index()].rank)
            .collect();
        let free: Vec<Lit> = (0..steps.len())
            .map(|index| {
                let earlier = (0..steps.len()).filter(|&other| ranks[other] < ranks[index]);
                let earlier: Vec<Lit> = earlier.map(|other| enabled[other]).collect();
                let aig = &mut self.circuit.aig;
                let preempted = aig.any(&earlier);
                aig.and(enabled[index], !preempted)
            })
            .collect();
        let chosen = self.one_of(&free, log);
        let any = self.circuit.aig.any(&chosen);
        self.prune(&mut inner, log, !any);
        let mut after = inner.clone();
        for (&step, &chosen) in steps.iter().zip(&chosen) {
            let mut branch = inner.clone();
            branch.path = self.circuit.aig.and(inner.path, chosen);
            let when = self.here(&branch);
            if when == Lit::FALSE {
                continue;
            }
            let candidate = candidate(step);
            let (choices, told) = (log.choices.len(), log.told);
            self.prepare(&mut branch, log, &candidate, Asked::default())?;
            self.carry_out(&mut branch, log, &candidate, None)?;
            let wrong = self.went_wrong(log, told);
            let exists = self.circuit.aig.and(when, branch.live);
            made.push(Made {
                parts: vec![Part {
                    instance: me,
                    step: Some(step),
                }],
                when: exists,
                wrong,
                choices: log.choices[choices..].to_vec(),
            });
            after.store = self.joined(chosen, &branch.store, &after.store);
            after.live = self.circuit.aig.mux(chosen, branch.live, after.live);
        }
        flow.store = self.joined(arrived, &after.store, &flow.store);
        flow.live = self.circuit.aig.mux(arrived, after.live, flow.live);
        Ok(())
    }

    /// One of several, where they hold: by inputs, unless at most one does.
    fn one_of(&mut self, free: &[Lit], log: &mut Log) -> Vec<Lit> {
        let mut apart = true;
        for (index, &a) in free.iter().enumerate() {
            for &b in &free[index + 1..] {
                apart &= self.circuit.aig.and(a, b) == Lit::FALSE;
            }
        }
        if apart {
            return free.to_vec();
        }
        let width = number(free.len() - 1).width();
        let mut row = std::mem::take(&mut self.row);
        let code = Word::new(self.row_bits(&mut row, log.used, width), false);
        self.row = row;
        log.used += width;
        let picks = free.iter().enumerate().map(|(index, &free)| {
            let aig = &mut self.circuit.aig;
            let picked = aig.eq(&code, &number(index));
            aig.and(picked, free)
        });
        picks.collect()
    }

    /// Where something went wrong since so much was told.
    pub(super) fn went_wrong(&mut self, log: &Log, told: (usize, usize)) -> Lit {
        let faults = log.faults[told.0..].iter().map(|(_, _, when)| *when);
        let failed = log.failed[told.1..].iter().map(|(_, when)| *when);
        let all: Vec<Lit> = faults.chain(failed).collect();
        self.circuit.aig.any(&all)
    }
}

fn steps_at(control: &Control, process: &Process, location: LocId) -> Vec<StepId> {
    let steps = control.steps.iter().copied();
    steps
        .filter(|step| process.steps[step.index()].from == location)
        .collect()
}

/// Inner locations without cycles among them, each behind those that lead there.
fn inner_locations(control: &Control, process: &Process) -> Vec<LocId> {
    if !process.escapes.is_empty() {
        return Vec::new();
    }
    let mut inner: Vec<LocId> = control.locations.clone();
    inner.retain(|location| {
        let steps = steps_at(control, process, *location);
        let plain = |step: &StepId| {
            let step = &process.steps[step.index()];
            step.comm.is_none() && step.binds.is_empty()
        };
        let classes: HashSet<u8> = steps
            .iter()
            .map(|step| process.steps[step.index()].class)
            .collect();
        process.locations[location.index()].mode == Mode::Region
            && *location != process.entry
            && steps.iter().all(plain)
            && classes.len() <= 1
    });
    loop {
        let cyclic = |location: &LocId| leads_to(control, process, &inner, *location, *location);
        let loops = |location: &LocId| following(control, process, *location).contains(location);
        let found = inner.iter().copied().find(&loops);
        let Some(rest) = found.or_else(|| inner.iter().copied().find(&cyclic)) else {
            break;
        };
        inner.retain(|location| *location != rest);
    }
    // Behind those that lead there.
    let mut order = Vec::new();
    while let Some(next) = inner.iter().position(|location| {
        let leads_here = |other: &LocId| following(control, process, *other).contains(location);
        !inner.iter().any(leads_here)
    }) {
        order.push(inner.remove(next));
    }
    order
}

/// Where control goes from a location, by a step or by a fault.
fn following(control: &Control, process: &Process, location: LocId) -> Vec<LocId> {
    let mut next = Vec::new();
    for step in steps_at(control, process, location) {
        match &process.steps[step.index()].target {
            Target::Goto(to) => next.push(*to),
            Target::Call { callee, .. } => {
                if let model::Callee::Known(callee) = callee {
                    next.push(process.procedures[callee.index()].entry);
                }
            }
            Target::Return(_) => {
                let Some(procedure) = control.procedure(location) else {
                    continue;
                };
                for site in &control.sites[procedure.index()] {
                    if let Target::Call { then, .. } = process.steps[site.index()].target {
                        next.push(then);
                    }
                }
            }
            Target::End => {}
        }
    }
    // What follows a fault is thought not to fault itself; where it does, that is noticed.
    if let Some(to) = process.on_fault
        && to != location
        && !follows_fault(control, process, location, to)
    {
        next.push(to);
    }
    next
}

fn follows_fault(control: &Control, process: &Process, location: LocId, fault: LocId) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![fault];
    while let Some(here) = open.pop() {
        if here == location {
            return true;
        }
        if seen.insert(here) && process.locations[here.index()].mode == Mode::Region {
            for step in steps_at(control, process, here) {
                if let Target::Goto(to) = process.steps[step.index()].target {
                    open.push(to);
                }
            }
        }
    }
    false
}

fn leads_to(control: &Control, process: &Process, inner: &[LocId], from: LocId, to: LocId) -> bool {
    let mut seen = HashSet::new();
    let mut open = following(control, process, from);
    while let Some(here) = open.pop() {
        if here == to {
            return true;
        }
        if inner.contains(&here) && seen.insert(here) {
            open.extend(following(control, process, here));
        }
    }
    false
}

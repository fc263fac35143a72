//! What runs within macro steps: instances that go on alone, fault handlers, shared bodies.
//!
//! At a location where the offered steps have neither choices nor partners, the code itself
//! decides which step is next, so that a whole event handler runs without a look at anything else.
//! Elsewhere it asks the driver.

use model::{Comm, LocId, Mode, StepId};

use super::communicate::Communication;
use super::moves::{At, BodyKey, Making};
use super::{Compiler, Label, Result};
use crate::ir::instruction::{Op, Slot};

impl Compiler<'_> {
    /// The code of an instance at a location inside a macro step.
    pub(super) fn entry(&mut self, instance: usize, location: LocId) -> Label {
        let key = (instance, location.index());
        if let Some(&label) = self.entries.get(&key) {
            return label;
        }
        let label = self.label();
        self.entries.insert(key, label);
        self.wanted_entries.push(key);
        label
    }

    /// Where faults of an instance go; in joint moves, with the last part of the move.
    pub(super) fn handler(&mut self, instance: usize, last: Option<usize>) -> Label {
        if let Some(&label) = self.handlers.get(&(instance, last)) {
            return label;
        }
        let label = self.label();
        self.handlers.insert((instance, last), label);
        self.wanted_handlers.push((instance, last));
        label
    }

    /// Goes on with the effect of a step; makes it right here if it is nowhere yet.
    pub(super) fn body(&mut self, key: BodyKey) -> Result<()> {
        if let Some(&(label, made)) = self.bodies.get(&key) {
            self.jump(label);
            if made {
                return Ok(());
            }
        } else {
            let label = self.label();
            self.bodies.insert(key, (label, false));
            self.jump(label);
        }
        self.body_code(key)
    }

    /// The effect of a step without communication.
    pub(super) fn body_code(&mut self, key: BodyKey) -> Result<()> {
        let (label, made) = self.bodies[&key];
        if made {
            return Ok(());
        }
        self.bodies.insert(key, (label, true));
        self.bind_falling(label);
        let (instance, step, procedure) = key;
        self.may_note = false;
        let process = self.layout.instances[instance].process;
        self.in_loop = self.analysis.processes[process.index()].step_loops[step.index()];
        let sets = self.fair(instance, step);
        self.taken(sets)?;
        let fault = self.handler(instance, None);
        let site = self.site_of(instance, step);
        let scope = Self::scope_of(instance, procedure, fault).at_site(site);
        let saved = self.next_temporary;
        self.block(scope, &self.template(instance).steps[step.index()].body)?;
        self.last_target(scope, step, false)?;
        self.next_temporary = saved;
        Ok(())
    }

    /// Binds a label; if the code before jumps just here, it falls through instead.
    fn bind_falling(&mut self, label: Label) {
        let here = self.here();
        let jumps = matches!(self.ops.last(), Some(Op::Jump { to }) if *to == label.0);
        if jumps && self.last_bound != Some(here) {
            self.ops.pop();
        }
        self.bind(label);
    }

    /// What follows a fault: it counts, frames are closed, and control goes to the aftermath.
    pub(super) fn handler_code(&mut self, instance: usize, last: Option<usize>) -> Result<()> {
        let label = self.handlers[&(instance, last)];
        self.bind_falling(label);
        self.emit(Op::Faulted);
        if self.layout.instances[instance].stack.is_some() {
            let stack = self.stack(instance)?;
            self.emit(Op::Unwind { stack });
        }
        let to = self.template(instance).on_fault;
        let a = match to {
            Some(to) => self.location_code(instance, to)?,
            None => self.halted(instance)?,
        };
        let d = self.location_slot(instance);
        self.emit(Op::Copy { d, a });
        self.emit(Op::Flush);
        match last {
            Some(last) if last != instance => {
                let instance = super::small(self.number(last), "instances")?;
                self.emit(Op::Settle { instance });
                Ok(())
            }
            _ => self.end(instance, to, last.is_some()),
        }
    }

    /// What follows a move of which the instance made the last part, and is now at `to`.
    pub(super) fn end(&mut self, instance: usize, to: Option<LocId>, joint: bool) -> Result<()> {
        let mode = to.map(|to| self.template(instance).locations[to.index()].mode);
        let many_inside = self.analysis.many_inside;
        match (to, mode) {
            (Some(to), Some(Mode::Region)) => {
                let label = self.entry(instance, to);
                self.jump(label);
            }
            (Some(to), Some(Mode::Atomic)) if !many_inside => {
                let label = self.entry(instance, to);
                self.jump(label);
            }
            _ if many_inside || joint && mode == Some(Mode::Atomic) => {
                let instance = super::small(self.number(instance), "instances")?;
                self.emit(Op::Settle { instance });
            }
            _ => self.emit(Op::Stable),
        }
        Ok(())
    }

    /// How a step communicates, if it needs nobody else: all channels it may mean keep messages.
    fn talks_alone(&self, instance: usize, step: &model::Step) -> Option<Communication> {
        let (talk, channel) = match &step.comm {
            None => return Some(Communication::Silent),
            Some(Comm::Send { channel, .. }) => (Communication::Put, *channel),
            Some(Comm::Receive { channel, .. }) => (Communication::Take, *channel),
            Some(Comm::Barrier(_)) => return None,
        };
        let channels = self.possible_channels(Some(instance), channel);
        let keeps = |&channel: &usize| self.layout.channels[channel].capacity > 0;
        channels.iter().all(keeps).then_some(talk)
    }

    /// The steps offered at a location, most urgent first, if it can be left to code: none of
    /// them chooses, and what communicates needs nobody else.
    fn alone(&self, instance: usize, location: LocId) -> Option<Vec<Vec<StepId>>> {
        let process = self.layout.instances[instance].process;
        let steps = &self.template(instance).steps;
        let offered = &self.analysis.processes[process.index()].offered[location.index()];
        for (step, _) in offered {
            let step = &steps[step.index()];
            if !step.binds.is_empty() || self.talks_alone(instance, step).is_none() {
                return None;
            }
        }
        let key = |&(step, precedence): &(StepId, u16)| {
            let step = &steps[step.index()];
            (precedence, u16::MAX - step.rank, step.class)
        };
        let mut sorted = offered.clone();
        sorted.sort_by_key(|offer| std::cmp::Reverse(key(offer)));
        Some(
            sorted
                .chunk_by(|a, b| key(a) == key(b))
                .map(|group| group.iter().map(|(step, _)| *step).collect())
                .collect(),
        )
    }

    pub(super) fn entry_code(&mut self, instance: usize, location: usize) -> Result<()> {
        let label = self.entries[&(instance, location)];
        self.bind_falling(label);
        let process = self.layout.instances[instance].process;
        let location = LocId::new(location);
        let mode = self.template(instance).locations[location.index()].mode;
        let groups = self.alone(instance, location);
        // Only the driver sees whether somebody of higher priority holds it up.
        let left_to_driver =
            mode == Mode::Atomic && (self.analysis.many_inside || !self.analysis.no_priorities);
        let Some(groups) = groups.filter(|_| !left_to_driver) else {
            let instance = super::small(self.number(instance), "instances")?;
            self.emit(if mode == Mode::Region {
                Op::Inner { instance }
            } else {
                Op::Settle { instance }
            });
            return Ok(());
        };
        if self.analysis.processes[process.index()].loop_head[location.index()] {
            self.emit(Op::LoopHead);
        }
        for group in groups {
            self.group(instance, location, &group)?;
        }
        self.emit(if mode == Mode::Region {
            Op::Blocked
        } else {
            Op::Stable
        });
        Ok(())
    }

    /// Goes on with the enabled step of a group; falls through if there is none.
    fn group(&mut self, instance: usize, location: LocId, group: &[StepId]) -> Result<()> {
        if let [step] = *group {
            return self.only(instance, location, step);
        }
        if let [first, second] = *group
            && self.exclude_each_other(instance, first, second)
        {
            self.only(instance, location, first)?;
            return self.only(instance, location, second);
        }
        let saved = self.next_temporary;
        let mut table: Vec<(Slot, u32)> = Vec::new();
        let mut alternatives = Vec::new();
        for &step in group {
            let d = self.temporary(1)?;
            let (yes, no) = (self.label(), self.label());
            let scope = Self::scope_of(instance, self.procedure_of(instance, location), yes);
            for condition in self.guards(instance, step) {
                self.branch(scope, condition, no, false)?;
            }
            self.unless_silent((instance, location, step), no, yes, |_, _, _, _, _| Ok(()))?;
            self.bind(yes);
            self.true_here_false_at(no, d)?;
            let go = self.label();
            table.push((d, go.0));
            alternatives.push((step, go));
        }
        self.next_temporary = saved;
        self.select.push(table);
        let table = super::small(self.select.len() - 1, "free choices")?;
        let next = self.label();
        let process = self.layout.instances[instance].process;
        let loops = group
            .iter()
            .any(|step| self.analysis.processes[process.index()].step_loops[step.index()]);
        self.emit(Op::Select { table, loops });
        self.jump(next);
        for (step, go) in alternatives {
            self.bind(go);
            self.log_move(instance, location, step);
            // A guard that faults counts as enabled; now the fault is raised.
            let fault = self.handler(instance, None);
            let procedure = self.procedure_of(instance, location);
            let site = self.site_of(instance, step);
            let scope = Self::scope_of(instance, procedure, fault).at_site(site);
            for condition in self.guards(instance, step) {
                if self.analysis.can_fault[condition.index()] {
                    let saved = self.next_temporary;
                    self.expr(scope, condition)?;
                    self.next_temporary = saved;
                }
            }
            if !self.unless_silent((instance, location, step), next, fault, Self::joint_body)? {
                self.body((instance, step, procedure))?;
            }
        }
        self.bind(next);
        Ok(())
    }

    /// Goes on with a step if it is enabled, else falls through.
    fn only(&mut self, instance: usize, location: LocId, step: StepId) -> Result<()> {
        let procedure = self.procedure_of(instance, location);
        let guards = self.guards(instance, step);
        let (next, faulty) = (self.label(), self.label());
        let site = self.site_of(instance, step);
        let scope = Self::scope_of(instance, procedure, faulty).at_site(site);
        for &condition in &guards {
            self.branch(scope, condition, next, false)?;
        }
        let key = (instance, location, step);
        let talks = self.unless_silent(key, next, faulty, |cx, making, talk, steps, message| {
            cx.log_move(instance, location, step);
            cx.joint_body(making, talk, steps, message)
        })?;
        if !talks {
            self.log_move(instance, location, step);
            self.body((instance, step, procedure))?;
        }
        if self.fault_targets.contains(&faulty) {
            self.bind(faulty);
            self.log_move(instance, location, step);
            let sets = self.fair(instance, step);
            self.taken(sets)?;
            let handler = self.handler(instance, None);
            self.jump(handler);
        }
        self.bind(next);
        Ok(())
    }

    /// For a step that communicates: goes to `no` if that is not possible, to `faulty` if it
    /// cannot be told, and makes what follows. Says whether it communicates.
    fn unless_silent(
        &mut self,
        (instance, location, step): (usize, LocId, StepId),
        no: Label,
        faulty: Label,
        then: impl FnOnce(&mut Self, &Making<'_>, Communication, &[&model::Step], Slot) -> Result<()>,
    ) -> Result<bool> {
        let steps = [&self.template(instance).steps[step.index()]];
        let talk = match self.talks_alone(instance, steps[0]) {
            None | Some(Communication::Silent) => return Ok(false),
            Some(talk) => talk,
        };
        let saved = (self.next_temporary, self.next_lasting);
        let parts = [At::new(instance, location, step)];
        let id = self.moves_by_step[&(instance, location.index(), step)];
        let mut making = Making::without_choices(&parts, id, no, faulty);
        let message = self.can_talk(&mut making, talk, &steps)?;
        then(self, &making, talk, &steps, message)?;
        (self.next_temporary, self.next_lasting) = saved;
        Ok(true)
    }

    fn guards(&self, instance: usize, step: StepId) -> Vec<model::ExprId> {
        let process = self.template(instance);
        let step = &process.steps[step.index()];
        process
            .provided_for(step)
            .into_iter()
            .chain(step.guard)
            .collect()
    }

    fn procedure_of(&self, instance: usize, location: LocId) -> Option<model::ProcedureId> {
        let process = self.layout.instances[instance].process;
        self.analysis.processes[process.index()].procedure[location.index()]
    }

    /// Whether two steps' guards are each other's negation.
    fn exclude_each_other(&self, instance: usize, first: StepId, second: StepId) -> bool {
        let process = self.template(instance);
        let negates = |a: model::ExprId, b: model::ExprId| {
            matches!(
                self.program.exprs.get(a),
                model::Expr::Unary(model::Unary::Not, inner) if *inner == b
            )
        };
        match (
            process.steps[first.index()].guard,
            process.steps[second.index()].guard,
        ) {
            (Some(a), Some(b)) => {
                process.provided.is_none()
                    && !self.analysis.can_fault[a.index()]
                    && (negates(a, b) || negates(b, a))
            }
            _ => false,
        }
    }

    fn log_move(&mut self, instance: usize, location: LocId, step: StepId) {
        if !self.demand.log {
            return;
        }
        let id = self.moves_by_step[&(instance, location.index(), step)];
        self.emit(Op::LogMove { id });
    }
}

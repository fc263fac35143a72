//! One move: choices, guards, communication, bodies, targets, and what follows a fault. The order
//! of things is the reference interpreter's.

use model::{Comm, ExprId, Pattern, Target, ValueSet};

use super::super::bits::Bits;
use super::super::evaluate::{Asked, CallBits, Memo, QueueBits};
use super::super::trouble::Trouble;
use super::super::{Encoding, Unsupported};
use super::asks::number;
use super::candidates::{Candidate, CandidatePart};
use super::control::leaves_at_end;
use super::flow::{Actor, Flow, Log};
use super::message::{Field, zeroed};
use crate::aig::Lit;

impl Encoding<'_> {
    pub(super) fn actor(&self, part: &CandidatePart) -> Actor {
        let control = &self.controls[part.instance];
        // An escape's step is taken wherever it covers: what it covers is in its procedure.
        let procedure = self.step_of(part).and_then(|step| {
            let process = &self.program.processes[control.process.index()];
            let covered = process
                .escapes
                .iter()
                .find(|escape| part.step.is_some_and(|step| escape.steps.contains(&step)))
                .and_then(|escape| escape.covers.first().copied());
            control.procedure(covered.unwrap_or(step.from))
        });
        Actor {
            me: part.instance,
            procedure,
        }
    }

    /// Choices, guards, and whether communication is possible; the message of a rendezvous.
    pub(super) fn prepare(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        candidate: &Candidate,
        asked: Asked<'_>,
    ) -> Result<Option<Vec<Field>>, Unsupported> {
        let parts = &candidate.parts;
        // Whether somebody meets somebody is seen before anything is chosen.
        self.meets(flow, log, parts, asked)?;
        for part in parts {
            let actor = self.actor(part);
            let binds = self.step_of(part).map(|step| &step.binds);
            for choice in binds.into_iter().flatten() {
                self.choose_in(flow, log, actor, &[], choice)?;
            }
        }
        let comms: Vec<(Actor, &Comm)> = parts
            .iter()
            .filter_map(|part| Some((self.actor(part), self.step_of(part)?.comm.as_ref()?)))
            .collect();
        if let [
            (sender, Comm::Send { channel, .. }),
            (receiver, Comm::Receive { channel: other, .. }),
        ] = comms[..]
        {
            let (a, no_a) = self.value_aside(flow, sender, asked, *channel)?;
            let (b, no_b) = self.value_aside(flow, receiver, asked, *other)?;
            let same = self.circuit.aig.eq_value(&a, &b);
            let meet = self.circuit.aig.all(&[same, !no_a, !no_b]);
            self.prune(flow, log, !meet);
        }
        for part in parts {
            let actor = self.actor(part);
            let process = &self.program.processes[self.controls[part.instance].process.index()];
            let (provided, guard) = match self.step_of(part) {
                Some(step) => (process.provided_for(step), step.guard),
                None => (process.provided, None),
            };
            for condition in [provided, guard].into_iter().flatten() {
                let held = self.value_in(flow, log, actor, &[], asked, condition)?;
                let held = held.truth(&mut self.circuit.aig);
                self.prune(flow, log, !held);
            }
        }
        match comms[..] {
            [
                (
                    sender,
                    Comm::Send {
                        channel, message, ..
                    },
                ),
                (receiver, Comm::Receive { patterns, .. }),
            ] => {
                let message = self.message(flow, log, sender, *channel, message)?;
                let wanted = self.wanted(flow, log, receiver, patterns)?;
                let mut agree = Vec::new();
                for (field, pattern) in message.iter().zip(&wanted) {
                    if let Some(pattern) = pattern {
                        let aig = &mut self.circuit.aig;
                        let same = aig.eq_value(&field.value, pattern);
                        agree.push(aig.or(same, !field.there));
                    }
                }
                let matches = self.circuit.aig.all(&agree);
                self.prune(flow, log, !matches);
                Ok(Some(message))
            }
            [(actor, Comm::Send { channel, lossy, .. })] => {
                let reference = self.value_in(flow, log, actor, &[], asked, *channel)?;
                let (cases, missing) = self.channel_cases(&flow.store, &reference.word())?;
                self.raise(flow, log, actor.me, &missing);
                for (place, meant) in cases {
                    let id = self.references[place];
                    let capacity = self.program.channels[id.index()].capacity;
                    if *lossy && capacity != Some(0) {
                        continue;
                    }
                    let full = self.is_full(&flow.store.channels[place]);
                    let blocked = self.circuit.aig.and(meant, full);
                    self.prune(flow, log, blocked);
                }
                Ok(None)
            }
            [
                (
                    actor,
                    Comm::Receive {
                        channel,
                        patterns,
                        anywhere,
                        ..
                    },
                ),
            ] => {
                let found = self.found(flow, log, actor, *channel, patterns, *anywhere)?;
                let any: Vec<Lit> = found.into_iter().flat_map(|(_, here)| here).collect();
                let any = self.circuit.aig.any(&any);
                self.prune(flow, log, !any);
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// A send and a receive together need a channel that keeps nothing; a receive alone needs one
    /// that keeps something.
    fn meets(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        parts: &[CandidatePart],
        asked: Asked<'_>,
    ) -> Result<(), Unsupported> {
        let Some(comm) = self.step_of(&parts[0]).and_then(|step| step.comm.as_ref()) else {
            return Ok(());
        };
        let (Comm::Send { channel, .. } | Comm::Receive { channel, .. }) = comm else {
            return Ok(());
        };
        if parts.len() == 1 && matches!(comm, Comm::Send { .. }) {
            return Ok(());
        }
        let actor = self.actor(&parts[0]);
        let (reference, trouble) = self.value_aside(flow, actor, asked, *channel)?;
        let (cases, _) = self.channel_cases(&flow.store, &reference.word())?;
        let keeps_nothing: Vec<Lit> = cases
            .into_iter()
            .filter(|(place, _)| {
                let id = self.references[*place];
                self.program.channels[id.index()].capacity == Some(0)
            })
            .map(|(_, meant)| meant)
            .collect();
        let aig = &mut self.circuit.aig;
        let any = aig.any(&keeps_nothing);
        let meets = aig.and(any, !trouble);
        let wrong = meets.invert_if(parts.len() == 2);
        self.prune(flow, log, wrong);
        Ok(())
    }

    pub(super) fn is_full(&mut self, queue: &QueueBits) -> Lit {
        self.circuit
            .aig
            .le(&number(queue.messages.len()), &queue.length)
    }

    /// For each channel that may be meant and each place of it, whether the message found is
    /// there.
    pub(super) fn found(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        actor: Actor,
        channel: ExprId,
        patterns: &[Pattern],
        anywhere: bool,
    ) -> Result<Vec<(usize, Vec<Lit>)>, Unsupported> {
        let asked = Asked::default();
        let reference = self.value_in(flow, log, actor, &[], asked, channel)?;
        let (cases, missing) = self.channel_cases(&flow.store, &reference.word())?;
        self.raise(flow, log, actor.me, &missing);
        let wanted = self.wanted(flow, log, actor, patterns)?;
        let mut found = Vec::new();
        for (place, meant) in cases {
            let queue = flow.store.channels[place].clone();
            let mut here = self.matching(&queue, &wanted, anywhere);
            for lit in &mut here {
                *lit = self.circuit.aig.and(*lit, meant);
            }
            found.push((place, here));
        }
        Ok(found)
    }

    fn wanted(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        actor: Actor,
        patterns: &[Pattern],
    ) -> Result<Vec<Option<Bits>>, Unsupported> {
        let mut wanted = Vec::new();
        for pattern in patterns {
            wanted.push(match pattern {
                Pattern::Match(value) => {
                    let asked = Asked::default();
                    Some(self.value_in(flow, log, actor, &[], asked, *value)?)
                }
                Pattern::Bind(_) | Pattern::Any => None,
            });
        }
        Ok(wanted)
    }

    /// Communication, bodies and targets of a move that has been prepared.
    pub(super) fn carry_out(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        candidate: &Candidate,
        rendezvous: Option<Vec<Field>>,
    ) -> Result<(), Unsupported> {
        if let [only] = &candidate.parts[..]
            && only.step.is_none()
        {
            return self.leave_last(flow, log, only.instance);
        }
        self.communicate(flow, log, candidate, rendezvous)?;
        for part in &candidate.parts {
            let actor = self.actor(part);
            let Some(step) = self.step_of(part) else {
                continue;
            };
            self.block(flow, log, actor, &[], &step.body)?;
            self.go(flow, log, actor, part, &step.target)?;
        }
        self.ended(flow, log)
    }

    /// The end of a move: what went wrong in it counts only if it exists, and what follows a fault
    /// follows.
    pub(super) fn ended(&mut self, flow: &mut Flow, log: &mut Log) -> Result<(), Unsupported> {
        let faults = log.faults.split_off(log.told.0);
        for (me, fault, when) in faults {
            let when = self.circuit.aig.and(when, !log.pruned);
            self.aftermath(flow, me, when)?;
            flow.live = self.circuit.aig.or(flow.live, when);
            log.faults.push((me, fault, when));
        }
        for (_, when) in &mut log.failed[log.told.1..] {
            *when = self.circuit.aig.and(*when, !log.pruned);
        }
        log.told = (log.faults.len(), log.failed.len());
        Ok(())
    }

    pub(super) fn go(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        actor: Actor,
        part: &CandidatePart,
        target: &Target,
    ) -> Result<(), Unsupported> {
        let asked = Asked::default();
        let control = self.controls[actor.me].clone();
        let process = &self.program.processes[control.process.index()];
        let code = |location| {
            control
                .code(location)
                .ok_or_else(|| Unsupported::new("a location that nothing leads to"))
        };
        match target {
            Target::Goto(location) => {
                let to = code(*location)?;
                self.set_location(flow, actor.me, to, flow.live);
            }
            Target::Call { callee, args, .. } => {
                let model::Callee::Known(procedure) = callee else {
                    return Err(Unsupported::new("calls of procedures that are values"));
                };
                let declared = &process.procedures[procedure.index()];
                let mut locals = Vec::new();
                for (&arg, parameter) in args.iter().zip(&declared.locals) {
                    let value = self.value_in(flow, log, actor, &[], asked, arg)?;
                    locals.push(self.fit(flow, log, actor.me, &parameter.ty, value)?);
                }
                for variable in &declared.locals[locals.len()..] {
                    locals.push(self.constant(&self.program.zero(&variable.ty))?);
                }
                let sites = &control.sites[procedure.index()];
                let site = sites.iter().position(|site| Some(*site) == part.step);
                let opened = CallBits {
                    site: number(site.unwrap_or(0)),
                    locals,
                };
                self.set_call(flow, actor.me, procedure.index(), &opened);
                let entry = code(declared.entry)?;
                self.set_location(flow, actor.me, entry, flow.live);
                let callee = Actor {
                    me: actor.me,
                    procedure: Some(*procedure),
                };
                for (index, variable) in declared.locals.iter().enumerate() {
                    let Some(set) = variable
                        .init
                        .as_ref()
                        .filter(|_| index >= declared.parameters)
                    else {
                        continue;
                    };
                    let place = model::Place::frame(index);
                    if let ValueSet::One(value) = set {
                        let value = self.value_in(flow, log, callee, &[], asked, *value)?;
                        self.store(flow, log, callee, &[], &place, value)?;
                    } else {
                        let choice = model::Choice {
                            place,
                            set: set.clone(),
                            sample: None,
                            what: variable.name.clone(),
                            outside: None,
                        };
                        self.choose_in(flow, log, callee, &[], &choice)?;
                    }
                }
            }
            Target::Return(value) => {
                let value = match value {
                    Some(value) => Some(self.value_in(flow, log, actor, &[], asked, *value)?),
                    None => None,
                };
                let Some(procedure) = actor.procedure else {
                    return Err(Unsupported::new("a return outside of a procedure"));
                };
                let sites = control.sites[procedure.index()].clone();
                let open = flow.store.instances[actor.me].calls[procedure.index()].clone();
                let closed = self.closed_call(actor.me, procedure.index())?;
                self.set_call(flow, actor.me, procedure.index(), &closed);
                let live = flow.live;
                for (index, site) in sites.iter().enumerate() {
                    let this = self.circuit.aig.eq(&open.site, &number(index));
                    let step = &process.steps[site.index()];
                    let Target::Call { then, result, .. } = &step.target else {
                        continue;
                    };
                    let to = code(*then)?;
                    let here = self.circuit.aig.and(live, this);
                    self.set_location(flow, actor.me, to, here);
                    if let (Some(place), Some(value)) = (result, &value) {
                        let caller = Actor {
                            me: actor.me,
                            procedure: control.procedure(step.from),
                        };
                        let mut branch = flow.clone();
                        branch.path = self.circuit.aig.and(flow.path, this);
                        self.store(&mut branch, log, caller, &[], place, value.clone())?;
                        flow.store = self.joined(this, &branch.store, &flow.store.clone());
                        flow.live = self.circuit.aig.mux(this, branch.live, flow.live);
                    }
                }
            }
            Target::End => {
                for procedure in 0..control.sites.len() {
                    let closed = self.closed_call(actor.me, procedure)?;
                    self.set_call(flow, actor.me, procedure, &closed);
                }
                if leaves_at_end(self.program) {
                    self.vanish(flow, actor.me)?;
                } else {
                    self.set_location(flow, actor.me, control.ended(), flow.live);
                }
            }
        }
        Ok(())
    }

    pub(super) fn set_location(&mut self, flow: &mut Flow, me: usize, code: usize, when: Lit) {
        let location = &mut flow.store.instances[me].location;
        *location = self.circuit.aig.mux_word(when, &number(code), location);
    }

    fn set_call(&mut self, flow: &mut Flow, me: usize, procedure: usize, call: &CallBits) {
        let live = flow.live;
        let aig = &mut self.circuit.aig;
        let old = &mut flow.store.instances[me].calls[procedure];
        old.site = aig.mux_word(live, &call.site, &old.site);
        for (old, new) in old.locals.iter_mut().zip(&call.locals) {
            *old = aig.mux_value(live, new, old);
        }
    }

    /// A call that is not open.
    pub(super) fn closed_call(
        &mut self,
        me: usize,
        procedure: usize,
    ) -> Result<CallBits, Unsupported> {
        let process = &self.program.processes[self.controls[me].process.index()];
        let mut locals = Vec::new();
        for variable in &process.procedures[procedure].locals {
            locals.push(self.constant(&self.program.zero(&variable.ty))?);
        }
        Ok(CallBits {
            site: number(0),
            locals,
        })
    }

    /// An instance and its channels are no more.
    fn vanish(&mut self, flow: &mut Flow, me: usize) -> Result<(), Unsupported> {
        let gone = self.controls[me].gone();
        self.set_location(flow, me, gone, flow.live);
        let process = &self.program.processes[self.controls[me].process.index()];
        for (index, variable) in process.locals.iter().enumerate() {
            let zero = self.constant(&self.program.zero(&variable.ty))?;
            let old = &mut flow.store.instances[me].frame[index];
            *old = self.circuit.aig.mux_value(flow.live, &zero, old);
        }
        for place in 0..self.references.len() {
            let channel = &self.program.channels[self.references[place].index()];
            if channel.owner.is_some_and(|owner| owner as usize == me) {
                let old = flow.store.channels[place].clone();
                let mut empty = old.clone();
                empty.length = number(0);
                for field in empty.messages.iter_mut().flatten() {
                    *field = zeroed(field);
                }
                flow.store.channels[place] = self.queue_if(flow.live, &empty, &old);
            }
        }
        Ok(())
    }

    /// The youngest instance, which has ended, goes away.
    fn leave_last(&mut self, flow: &mut Flow, log: &mut Log, me: usize) -> Result<(), Unsupported> {
        self.vanish(flow, me)?;
        let program = self.program;
        if let Some(leaver) = program.leaver {
            let ty = &program.globals[leaver.index()].ty;
            let value = self.fit(flow, log, me, ty, Bits::Word(number(me)))?;
            let old = &mut flow.store.globals[leaver.index()];
            *old = self.circuit.aig.mux_value(flow.live, &value, old);
        }
        for array in &program.per_instance {
            if let Bits::Tuple(items) = &mut flow.store.globals[array.index()]
                && let Some(item) = items.get_mut(me)
            {
                let zero = zeroed(item);
                *item = self.circuit.aig.mux_value(flow.live, &zero, item);
            }
        }
        self.ended(flow, log)
    }

    /// What follows a fault: all calls are closed, and control goes where the process says, or
    /// stops for good.
    fn aftermath(&mut self, flow: &mut Flow, me: usize, when: Lit) -> Result<(), Unsupported> {
        if when == Lit::FALSE {
            return Ok(());
        }
        let control = &self.controls[me];
        let process = &self.program.processes[control.process.index()];
        let to = match process.on_fault {
            Some(location) => control.code(location).unwrap_or(control.halted()),
            None => control.halted(),
        };
        let procedures = control.sites.len();
        self.set_location(flow, me, to, when);
        for procedure in 0..procedures {
            let closed = self.closed_call(me, procedure)?;
            let mut faulted = flow.clone();
            faulted.live = when;
            self.set_call(&mut faulted, me, procedure, &closed);
            flow.store = faulted.store;
        }
        Ok(())
    }

    /// Whether a fault-free evaluation of an expression by an instance gives a number, which else
    /// is 0: priorities.
    pub(super) fn number_of(
        &mut self,
        store: &super::super::evaluate::Store,
        me: usize,
        expr: ExprId,
    ) -> Result<crate::Word, Unsupported> {
        let scope = super::super::evaluate::Scope {
            me: Some(me),
            ..store.scope()
        };
        let found = self.eval(&scope, &mut Memo::default(), expr)?;
        let trouble: Trouble = found.trouble;
        let aig = &mut self.circuit.aig;
        let wrong = trouble.any(aig);
        Ok(aig.mux_word(wrong, &number(0), &found.value.word()))
    }
}

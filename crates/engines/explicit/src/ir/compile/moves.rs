//! Moves: code that enumerates the ways to make each, followed by what it does.
//!
//! An enumeration is a nest of loops over the choices that a guard may look at. Each part of the
//! guard is tested in the outermost loop where all that it reads is known, which is what makes
//! large products of small choices cheap. At the innermost place it *yields*: what stands behind
//! is the move itself, and when the driver is done with that, the enumeration resumes. The driver
//! puts the state back in between, so resuming stores the outer choices again.

use model::{Action, Choice, Comm, ExprId, LocId, Part, ProcedureId, Root, StepId, Type};

use super::communicate::Communication;
use super::{Compiler, Label, Result, Scope};
use crate::ir::compile::FairSet;
use crate::ir::instruction::{MoveInfo, Op, TAKEN};
use crate::ir::layout::{ENDED, flatten, unsupported};

/// A step's effect, made by one instance alone.
pub(super) type BodyKey = (usize, StepId, Option<ProcedureId>);

/// Joint moves of one program.
const MOST_MOVES: usize = 200_000;

/// A part of a move: an instance at a location takes a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct At {
    /// By its instance slot.
    pub(super) instance: usize,
    location: LocId,
    pub(super) step: StepId,
    precedence: u16,
}

impl At {
    pub(super) fn new(instance: usize, location: LocId, step: StepId) -> At {
        At {
            instance,
            location,
            step,
            precedence: 0,
        }
    }
}

/// A move while its code is made.
pub(super) struct Making<'a> {
    pub(super) parts: &'a [At],
    /// The choices, each with its part, its list, and where its loop goes on.
    pub(super) binds: Vec<(usize, &'a Choice, u8, Label)>,
    /// Where faults go, by how many choices have been made and whose fault it is.
    exits: Vec<(usize, usize, Label)>,
    pub(super) done: Label,
    pub(super) id: u32,
}

impl<'a> Making<'a> {
    /// A move of one part, which goes on at `done` if it is not possible and at `faulty` after a
    /// fault.
    pub(super) fn without_choices(parts: &'a [At], id: u32, done: Label, faulty: Label) -> Self {
        Making {
            parts,
            binds: Vec::new(),
            exits: vec![(0, 0, faulty)],
            done,
            id,
        }
    }
}

impl<'p> Compiler<'p> {
    /// Code for all moves; says for each instance slot and location which moves begin there.
    pub(super) fn all_moves(&mut self) -> Result<Vec<Vec<Vec<u32>>>> {
        self.find_receivers();
        let mut at = Vec::new();
        for instance_slot in 0..self.layout.instances.len() {
            let count = self.template(instance_slot).locations.len();
            let mut here: Vec<Vec<u32>> = Vec::new();
            for location in 0..count {
                let from = self.moves.len();
                for part in self.offers(instance_slot, LocId::new(location)) {
                    self.moves_of(part)?;
                }
                here.push(self.ids_from(from)?);
            }
            debug_assert_eq!(ENDED, 0, "ended instances come right behind the locations");
            let from = self.moves.len();
            self.leave_move(instance_slot)?;
            here.push(self.ids_from(from)?);
            at.push(here);
        }
        // What runs within macro steps on its own, whoever gets there.
        for instance_slot in 0..self.layout.instances.len() {
            for location in 0..self.template(instance_slot).locations.len() {
                if self.template(instance_slot).locations[location].mode != model::Mode::Open {
                    self.entry(instance_slot, LocId::new(location));
                }
            }
        }
        Ok(at)
    }

    /// For each channel that keeps nothing, who may receive from it.
    fn find_receivers(&mut self) {
        let mut receivers = vec![Vec::new(); self.layout.channels.len()];
        for instance_slot in 0..self.layout.instances.len() {
            for offer in self.all_offers(instance_slot) {
                let Some(Comm::Receive { channel, .. }) = &self.step(offer).comm else {
                    continue;
                };
                for number in self.possible_channels(Some(instance_slot), *channel) {
                    if self.layout.channels[number].capacity == 0 {
                        receivers[number].push(offer);
                    }
                }
            }
        }
        self.receivers = receivers;
    }

    fn ids_from(&self, from: usize) -> Result<Vec<u32>> {
        if self.moves.len() > MOST_MOVES {
            return unsupported("so many joint moves");
        }
        Ok((from..self.moves.len())
            .map(|id| u32::try_from(id).expect("few moves"))
            .collect())
    }

    fn offers(&self, instance: usize, location: LocId) -> Vec<At> {
        let process = self.layout.instances[instance].process;
        self.analysis.processes[process.index()].offered[location.index()]
            .iter()
            .map(|&(step, precedence)| At {
                instance,
                location,
                step,
                precedence,
            })
            .collect()
    }

    fn all_offers(&self, instance: usize) -> Vec<At> {
        (0..self.template(instance).locations.len())
            .flat_map(|location| self.offers(instance, LocId::new(location)))
            .collect()
    }

    fn step(&self, part: At) -> &'p model::Step {
        &self.template(part.instance).steps[part.step.index()]
    }

    /// The moves that a part is the first of.
    fn moves_of(&mut self, part: At) -> Result<()> {
        match &self.step(part).comm {
            None => self.one_move(&[part], Communication::Silent),
            Some(Comm::Barrier(barrier)) => {
                let wanted = &self.program.barriers[barrier.index()].participants;
                if wanted.first() == Some(&self.layout.instances[part.instance].process) {
                    self.join_barrier(&[part])?;
                }
                Ok(())
            }
            Some(Comm::Receive { channel, .. }) => {
                if self.only_rendezvous(Some(part.instance), *channel) {
                    return Ok(());
                }
                self.one_move(&[part], Communication::Take)
            }
            Some(Comm::Send {
                channel, message, ..
            }) => {
                for number in self.possible_channels(Some(part.instance), *channel) {
                    if self.layout.channels[number].capacity > 0 {
                        continue;
                    }
                    if self.declaration(number).fields.len() > message.len() {
                        continue;
                    }
                    for receiver in self.receivers[number].clone() {
                        if self.number(receiver.instance) != self.number(part.instance) {
                            self.one_move(&[part, receiver], Communication::Meet(number))?;
                        }
                        self.ids_from(0)?;
                    }
                }
                // Alone, a send over a rendezvous can only raise a fault of its guard.
                if self.only_rendezvous(Some(part.instance), *channel)
                    && !self.can_fault_early(part)
                {
                    return Ok(());
                }
                self.one_move(&[part], Communication::Put)
            }
        }
    }

    /// Whether a fault can be raised before it is clear that the step can be taken.
    fn can_fault_early(&self, part: At) -> bool {
        let step = self.step(part);
        let conditions = self.conditions(&[part], &[step]);
        let binds: Vec<(usize, &Choice)> = step.binds.iter().map(|bind| (0, bind)).collect();
        !self.can_test_early(&[part], &binds, &conditions)
    }

    fn join_barrier(&mut self, parts: &[At]) -> Result<()> {
        let comm = &self.step(parts[0]).comm;
        let Some(Comm::Barrier(barrier)) = comm else {
            return Ok(());
        };
        let wanted = &self.program.barriers[barrier.index()].participants;
        let Some(&next) = wanted.get(parts.len()) else {
            if self.moves.len() > MOST_MOVES {
                return unsupported("so many joint moves");
            }
            return self.one_move(parts, Communication::Silent);
        };
        let candidates: Vec<usize> = self.layout.instances_of(next).collect();
        for instance in candidates {
            let number = self.number(instance);
            if parts
                .iter()
                .any(|part| self.number(part.instance) == number)
            {
                continue;
            }
            for offer in self.all_offers(instance) {
                if self.step(offer).comm == *comm {
                    let mut longer = parts.to_vec();
                    longer.push(offer);
                    self.join_barrier(&longer)?;
                }
            }
        }
        Ok(())
    }

    /// The fairness sets that a step belongs to.
    pub(super) fn fair(&self, instance: usize, step: StepId) -> u64 {
        let process = self.layout.instances[instance].process;
        self.demand
            .fair
            .iter()
            .enumerate()
            .filter(|(_, set)| match set {
                FairSet::Steps(steps) => steps.contains(&(process, step)),
                FairSet::Instance(number) => *number == self.number(instance),
            })
            .fold(0, |bits, (index, _)| bits | 1 << index)
    }

    /// The fairness sets that all moves of an instance belong to.
    fn fair_instance(&self, instance: usize) -> u64 {
        let number = self.number(instance);
        let mine = |set: &FairSet| matches!(set, FairSet::Instance(n) if *n == number);
        self.demand
            .fair
            .iter()
            .enumerate()
            .filter(|(_, set)| mine(set))
            .fold(0, |bits, (index, _)| bits | 1 << index)
    }

    /// Notes that steps of fairness sets are taken.
    pub(super) fn taken(&mut self, sets: u64) -> Result<()> {
        if sets != 0 {
            let d = self.lasting_slot(TAKEN);
            let b = self.constant(sets.cast_signed())?;
            self.emit(Op::BitOr { d, a: d, b });
        }
        Ok(())
    }

    fn add_move(&mut self, info: MoveInfo) -> (u32, Label) {
        let id = u32::try_from(self.moves.len()).expect("moves are counted");
        let label = self.label();
        self.moves.push(info);
        self.move_labels.push(label);
        self.bind(label);
        (id, label)
    }

    pub(super) fn procedure_at(&self, part: At) -> Option<ProcedureId> {
        let process = self.layout.instances[part.instance].process;
        self.analysis.processes[process.index()].procedure[part.location.index()]
    }

    /// Code for one move.
    fn one_move(&mut self, parts: &[At], talk: Communication) -> Result<()> {
        let saved = (self.next_temporary, self.next_lasting, self.next_list);
        let steps: Vec<&model::Step> = parts.iter().map(|&part| self.step(part)).collect();
        let info = MoveInfo {
            parts: parts
                .iter()
                .map(|part| Part {
                    instance: u32::try_from(self.number(part.instance)).expect("few instances"),
                    action: Action::Step(part.step),
                })
                .collect(),
            class: steps.iter().map(|step| step.class).max().unwrap_or(1),
            urgency: parts
                .iter()
                .zip(&steps)
                .map(|(part, step)| Some((part.precedence, u16::MAX - step.rank)))
                .collect(),
            enumerate: 0,
            barrier: matches!(steps[0].comm, Some(Comm::Barrier(_))),
            writes: talk != Communication::Silent
                || steps.iter().any(|step| !step.binds.is_empty()),
            fair: parts
                .iter()
                .fold(0, |bits, p| bits | self.fair(p.instance, p.step)),
        };
        let (id, _) = self.add_move(info);
        if let [part] = *parts {
            let key = (part.instance, part.location.index(), part.step);
            self.moves_by_step.insert(key, id);
        }
        let done = self.label();
        let mut making = Making {
            parts,
            binds: Vec::new(),
            exits: Vec::new(),
            done,
            id,
        };
        for part in &parts[1..] {
            let a = self.location_slot(part.instance);
            let b = self.location_code(part.instance, part.location)?;
            self.emit(Op::JumpNe { a, b, to: done.0 });
        }
        let binds: Vec<(usize, &Choice)> = steps
            .iter()
            .enumerate()
            .flat_map(|(place, step)| step.binds.iter().map(move |bind| (place, bind)))
            .collect();
        let mut conditions = self.conditions(parts, &steps);
        let early = self.can_test_early(parts, &binds, &conditions);
        self.test(
            &mut making,
            &mut conditions,
            if early { Some(&binds) } else { None },
            0,
        )?;
        for (number, &(place, choice)) in binds.iter().enumerate() {
            let list = self.list()?;
            let next = self.label();
            let scope = self.making_scope(&mut making, number, place);
            self.fill(scope, list, &choice.set, choice.sample.as_deref())?;
            let outer = making.binds.last().map_or(done, |bind| bind.3);
            self.bind(next);
            let temporaries = self.next_temporary;
            making.binds.push((place, choice, list, next));
            let scope = self.making_scope(&mut making, number + 1, place);
            let slot = self.choice_slot(scope, choice)?;
            let d = match slot {
                Some(slot) => slot,
                None => self.temporary(1)?,
            };
            let to = outer.0;
            let innermost = number + 1 == binds.len();
            self.emit(if innermost && self.runners.contains(&d) {
                Op::ListSkip { list, d, to }
            } else {
                Op::ListNext { list, d, to }
            });
            if slot.is_none() {
                self.store_chosen(scope, choice, d)?;
            }
            self.next_temporary = temporaries;
            let known = if early { Some(&binds) } else { None };
            self.test(&mut making, &mut conditions, known, number + 1)?;
        }
        let all = binds.len();
        for (place, condition) in conditions {
            let scope = self.making_scope(&mut making, all, place);
            let next = making.binds.last().map_or(done, |bind| bind.3);
            self.branch(scope, condition, next, false)?;
        }
        let message = self.can_talk(&mut making, talk, &steps)?;
        self.yield_move(&making, all)?;
        if let (&[part], Communication::Silent, false) = (parts, talk, steps[0].comm.is_some()) {
            self.body((part.instance, part.step, self.procedure_at(part)))?;
        } else {
            self.joint_body(&making, talk, &steps, message)?;
        }
        self.resume_labels(&mut making)?;
        self.bind(done);
        self.emit(Op::NoMore);
        (self.next_temporary, self.next_lasting, self.next_list) = saved;
        Ok(())
    }

    /// The conjuncts of `provided` and the guards, each with its part.
    fn conditions(&self, parts: &[At], steps: &[&model::Step]) -> Vec<(usize, ExprId)> {
        let mut found = Vec::new();
        for (place, (part, step)) in parts.iter().zip(steps).enumerate() {
            let provided = self.template(part.instance).provided_for(step);
            for condition in provided.into_iter().chain(step.guard) {
                let mut waiting = vec![condition];
                while let Some(id) = waiting.pop() {
                    if let model::Expr::Binary(model::Binary::And, a, b) =
                        self.program.exprs.get(id)
                    {
                        waiting.extend([*b, *a]);
                    } else {
                        found.push((place, id));
                    }
                }
            }
        }
        found
    }

    /// Whether conditions may be tested as soon as what they read is known: only if nothing can
    /// fault, as the first fault in the order of the text is what happens.
    fn can_test_early(
        &self,
        parts: &[At],
        binds: &[(usize, &Choice)],
        conditions: &[(usize, ExprId)],
    ) -> bool {
        let safe = |id: &ExprId| !self.analysis.can_fault[id.index()];
        conditions.iter().all(|(_, id)| safe(id))
            && binds.iter().all(|(place, choice)| {
                let mut fine = choice.sample.iter().flatten().all(safe);
                choice.set.operands(&mut |id| fine &= safe(&id));
                let process = self.layout.instances[parts[*place].instance].process;
                let procedure = self.procedure_at(parts[*place]);
                let fits = matches!(
                    choice.place.root,
                    Root::Global(_) | Root::Own(_) | Root::Frame(_)
                ) && (procedure.is_some()
                    || !matches!(choice.place.root, Root::Frame(_)))
                    && {
                        let ty = self
                            .program
                            .place_type(Some(process), procedure, &choice.place);
                        !matches!(ty, model::Type::Range { .. }) || self.choice_fits(choice, &ty)
                    };
                fine && fits
                    && choice
                        .place
                        .path
                        .iter()
                        .all(|p| matches!(p, model::Projection::Field(_)))
            })
    }

    /// Tests the conditions that depend on nothing that is chosen later.
    fn test(
        &mut self,
        making: &mut Making<'_>,
        conditions: &mut Vec<(usize, ExprId)>,
        binds: Option<&Vec<(usize, &Choice)>>,
        known: usize,
    ) -> Result<()> {
        let Some(binds) = binds else {
            return Ok(());
        };
        let later = &binds[known..];
        let mut kept = Vec::new();
        for (place, condition) in std::mem::take(conditions) {
            let waits = later.iter().any(|(chooser, choice)| {
                let same = making.parts[*chooser].instance == making.parts[place].instance;
                self.may_read(condition, &choice.place.root, same)
            });
            if waits {
                kept.push((place, condition));
            } else {
                let scope = self.making_scope(making, known, place);
                let next = making.binds.last().map_or(making.done, |bind| bind.3);
                self.branch(scope, condition, next, false)?;
            }
        }
        *conditions = kept;
        Ok(())
    }

    /// Whether an expression may read a variable; `same` if both are seen from one instance.
    fn may_read(&self, id: ExprId, root: &Root, same: bool) -> bool {
        use model::Expr;
        let mut seen = std::collections::HashSet::new();
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.program.exprs.get(id) {
                Expr::Enabled(_) | Expr::NothingEnabled => return true,
                Expr::Load(place) => {
                    let reads = match place.root {
                        Root::Own(_) | Root::Frame(_) => same && place.root == *root,
                        Root::Remote { .. } => matches!(root, Root::Own(_)),
                        other => other == *root,
                    };
                    if reads {
                        return true;
                    }
                }
                _ => {}
            }
            self.program
                .exprs
                .operands(id, |operand| waiting.push(operand));
        }
        false
    }

    /// The scope of a part while so many choices have been made.
    pub(super) fn making_scope(
        &mut self,
        making: &mut Making<'_>,
        chosen: usize,
        place: usize,
    ) -> Scope<'static> {
        let known = making
            .exits
            .iter()
            .find(|(c, p, _)| (*c, *p) == (chosen, place));
        let fault = match known {
            Some(&(_, _, label)) => label,
            None => {
                let label = self.label();
                making.exits.push((chosen, place, label));
                label
            }
        };
        let part = making.parts[place];
        let site = self.site_of(part.instance, part.step);
        Self::scope_of(part.instance, self.procedure_at(part), fault).at_site(site)
    }

    /// Logs the move with its choices so far, and yields.
    fn yield_move(&mut self, making: &Making<'_>, chosen: usize) -> Result<()> {
        if self.demand.log {
            self.emit(Op::LogMove { id: making.id });
            for &(place, choice, list, _) in &making.binds[..chosen] {
                let saved = self.next_temporary;
                let d = self.temporary(1)?;
                self.emit(Op::ListCurrent { list, d });
                let part = making.parts[place];
                let scope = Self::scope_of(part.instance, self.procedure_at(part), making.done);
                let ty = self.choice_type(scope, choice)?;
                self.log_choice(d, &ty)?;
                self.next_temporary = saved;
            }
        }
        // The resumption stands behind the moves; its label is made there.
        let resume = self.label();
        self.emit(Op::Yield { resume: resume.0 });
        self.resumptions.push((chosen, resume));
        Ok(())
    }

    /// Where enumerations go on, and where faults in guards go.
    fn resume_labels(&mut self, making: &mut Making<'_>) -> Result<()> {
        let joint = making.parts.len() > 1;
        let last = making.parts[making.parts.len() - 1].instance;
        let sets = self.moves[making.id as usize].fair;
        for (chosen, place, label) in std::mem::take(&mut making.exits) {
            if !self.fault_targets.contains(&label) {
                continue;
            }
            self.bind(label);
            self.yield_move(making, chosen)?;
            self.taken(sets)?;
            let handler = self.handler(making.parts[place].instance, joint.then_some(last));
            self.jump(handler);
        }
        for (chosen, label) in std::mem::take(&mut self.resumptions) {
            self.bind(label);
            // The innermost choice is about to be replaced; the others must be put back.
            for &(place, choice, list, _) in &making.binds[..chosen.saturating_sub(1)] {
                let saved = self.next_temporary;
                let part = making.parts[place];
                let scope = Self::scope_of(part.instance, self.procedure_at(part), making.done);
                let slot = self.choice_slot(scope, choice)?;
                let d = match slot {
                    Some(slot) => slot,
                    None => self.temporary(1)?,
                };
                self.emit(Op::ListCurrent { list, d });
                if slot.is_none() {
                    self.store_chosen(scope, choice, d)?;
                }
                self.next_temporary = saved;
            }
            let next = chosen
                .checked_sub(1)
                .map_or(making.done, |inner| making.binds[inner].3);
            self.jump(next);
        }
        Ok(())
    }

    /// An instance that goes away leaves its number.
    fn leave_number(&mut self, instance: usize) -> Result<()> {
        if let Some(leaver) = self.program.leaver {
            let ty = &self.program.globals[leaver.index()].ty;
            let number = i128::try_from(self.number(instance)).expect("few instances");
            let number = ty.wrap(number);
            let a = self.constant(i64::try_from(number).expect("within its type"))?;
            let d = self.state_slot(self.layout.globals[leaver.index()]);
            self.emit(Op::Copy { d, a });
        }
        for &array in &self.program.per_instance {
            let Type::Array(element, length) = &self.program.globals[array.index()].ty else {
                continue;
            };
            let number = self.number(instance);
            if number >= *length as usize {
                continue;
            }
            let mut leaves = Vec::new();
            flatten(self.program, element, &mut leaves)?;
            let zeros: Vec<i64> = leaves.iter().map(|leaf| leaf.zero).collect();
            let a = self.constants(&zeros)?;
            let first = self.layout.globals[array.index()] + number * zeros.len();
            let d = self.state_slot(first);
            self.copy(d, a, zeros.len())?;
        }
        Ok(())
    }

    /// An ended instance goes away when it is the youngest.
    fn leave_move(&mut self, instance: usize) -> Result<()> {
        let process = self.layout.instances[instance].process;
        if crate::ir::layout::leaves_at_once(self.program)
            || !self.analysis.processes[process.index()].ends
        {
            return Ok(());
        }
        let part = Part {
            instance: u32::try_from(self.number(instance)).expect("few instances"),
            action: Action::Leave,
        };
        let (id, _) = self.add_move(MoveInfo {
            parts: vec![part],
            class: 1,
            urgency: vec![None],
            enumerate: 0,
            barrier: false,
            writes: false,
            fair: self.fair_instance(instance),
        });
        let done = self.label();
        // The next number is taken if any younger one is.
        if let Some(next) = self.layout.positions.get(self.number(instance) + 1) {
            let a = self.state_slot(next.location);
            let b = self.gone()?;
            self.emit(Op::JumpNe { a, b, to: done.0 });
        }
        let faulty = self.label();
        if let Some(provided) = self.template(instance).provided {
            let scope = Self::scope_of(instance, None, faulty);
            self.branch(scope, provided, done, false)?;
        }
        let begin = |cx: &mut Self| {
            if cx.demand.log {
                cx.emit(Op::LogMove { id });
            }
            cx.emit(Op::Yield { resume: done.0 });
            cx.taken(cx.fair_instance(instance))
        };
        begin(self)?;
        self.go_away(instance)?;
        self.leave_number(instance)?;
        self.end(instance, None, false)?;
        if self.fault_targets.contains(&faulty) {
            self.bind(faulty);
            begin(self)?;
            let handler = self.handler(instance, None);
            self.jump(handler);
        }
        self.bind(done);
        self.emit(Op::NoMore);
        Ok(())
    }
}

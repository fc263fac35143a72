//! Instances and channels that come and go.

use model::{ExprId, Place, ProcessId, Type, ValueSet};

use super::{Compiler, Result, Scope, small};
use crate::ir::capacity::{Known, constant};
use crate::ir::instruction::{
    Beginning, InstanceSlotInfo, MakeSite, Op, PlaceInfo, Slot, StartSite,
};
use crate::ir::layout::{Own, flatten, size, unsupported};
use crate::ir::number::as_i64;

impl Compiler<'_> {
    /// Starts an instance.
    pub(super) fn spawn(
        &mut self,
        scope: Scope<'_>,
        process: ProcessId,
        args: &[ExprId],
        result: Option<&Place>,
    ) -> Result<()> {
        let template = &self.program.processes[process.index()];
        if args.len() != template.parameters {
            return unsupported("an instance started with the wrong number of arguments");
        }
        let mut width = 0;
        for variable in &template.locals[..template.parameters] {
            width += size(self.program, &variable.ty)?;
        }
        let first = self.temporary(width.max(1))?;
        let mut d = first;
        for (&arg, variable) in args.iter().zip(&template.locals) {
            let saved = self.next_temporary;
            let a = self.fitted(scope, arg, &variable.ty)?;
            let width = size(self.program, &variable.ty)?;
            self.copy(d, a, width)?;
            self.next_temporary = saved;
            d += small::<u16>(width, "fields")?;
        }
        let number = self.temporary(1)?;
        self.starts.push(StartSite {
            process,
            args: first,
            d: number,
        });
        let site = small(self.starts.len() - 1, "places that start instances")?;
        self.emit(Op::Start { site });
        self.first_locals(scope, process, number)?;
        if let Some(place) = result {
            self.store(scope, place, number, false)?;
        }
        Ok(())
    }

    /// First values of a new instance's locals that are not always the same.
    fn first_locals(&mut self, scope: Scope<'_>, process: ProcessId, number: Slot) -> Result<()> {
        let template = &self.program.processes[process.index()];
        let known = &self.room.known[process.index()];
        let depends = |local: usize| {
            let variable = &template.locals[local];
            variable.init.is_some()
                && known[local] == Known::No
                && self.constant_first(process, local).is_none()
        };
        let depending: Vec<usize> = (template.parameters..template.locals.len())
            .filter(|&local| depends(local))
            .collect();
        if depending.is_empty() {
            return Ok(());
        }
        let end = self.label();
        let instance_slots: Vec<usize> = self.layout.instances_of(process).collect();
        for instance_slot in instance_slots {
            let next = self.label();
            let b = self.constant(as_i64(self.number(instance_slot)))?;
            self.emit(Op::JumpNe {
                a: number,
                b,
                to: next.0,
            });
            let entry = self.constant(self.beginning_code(instance_slot))?;
            let a = self.location_slot(instance_slot);
            self.emit(Op::JumpNe {
                a,
                b: entry,
                to: next.0,
            });
            for &local in &depending {
                self.first_local(scope, instance_slot, local)?;
            }
            self.jump(end);
            self.bind(next);
        }
        self.bind(end);
        Ok(())
    }

    fn first_local(&mut self, scope: Scope<'_>, instance_slot: usize, local: usize) -> Result<()> {
        let variable = &self.template(instance_slot).locals[local];
        // A fault there would be the new instance's.
        let fault = self.stop_label("a fault in the first value of a local");
        let inner = Self::scope_of(instance_slot, None, fault);
        let saved = self.next_temporary;
        match &variable.init {
            None => {}
            Some(ValueSet::One(value)) => self.assign(inner, &Place::own(local), *value)?,
            Some(set) => {
                let choice = model::Choice {
                    place: Place::own(local),
                    set: set.clone(),
                    sample: None,
                    what: String::new(),
                    outside: None,
                };
                self.choose(inner, &choice)?;
            }
        }
        self.next_temporary = saved;
        let _ = scope;
        Ok(())
    }

    /// The first values of a local that does not depend on anything.
    fn constant_first(&self, process: ProcessId, local: usize) -> Option<Vec<i64>> {
        let variable = &self.program.processes[process.index()].locals[local];
        let mut values = Vec::new();
        let Some(ValueSet::One(value)) = &variable.init else {
            return None;
        };
        let fits = match &variable.ty {
            Type::Array(..) | Type::Record(_) => true,
            ty => self.always_fits(*value, ty),
        };
        (fits && constant(self.program, *value, &mut values)).then_some(values)
    }

    /// Makes a channel.
    pub(super) fn make_channel(
        &mut self,
        scope: Scope<'_>,
        channel: model::ChannelId,
        owned: bool,
        result: &Place,
    ) -> Result<()> {
        let d = self.temporary(1)?;
        self.makes.push(MakeSite { channel, owned, d });
        let site = small(self.makes.len() - 1, "places that make channels")?;
        self.emit(Op::Make { site });
        self.store(scope, result, d, true)
    }

    /// How instances of each process begin.
    pub(super) fn beginnings(&self) -> Result<Vec<Beginning>> {
        (0..self.program.processes.len())
            .map(|process| self.beginning(ProcessId::new(process)))
            .collect()
    }

    fn beginning(&self, process: ProcessId) -> Result<Beginning> {
        let template = &self.program.processes[process.index()];
        let mut beginning = Beginning::default();
        let mut from = 0;
        let known = &self.room.known[process.index()];
        for (local, (variable, known)) in template.locals.iter().zip(known).enumerate() {
            let mut leaves = Vec::new();
            flatten(self.program, &variable.ty, &mut leaves)?;
            let n = leaves.len();
            match known {
                Known::Key(_) => beginning.keys.push((from, n)),
                Known::Always(_) => {}
                Known::No => {
                    if local < template.parameters {
                        let to = beginning.image.len();
                        beginning.copies.push((from, to, n));
                    }
                    let zeros = || leaves.iter().map(|leaf| leaf.zero).collect();
                    let first = self.constant_first(process, local).unwrap_or_else(zeros);
                    beginning.image.extend(first);
                }
            }
            if local < template.parameters {
                from += n;
            }
        }
        Ok(beginning)
    }

    /// An instance slot as the machine finds it.
    pub(super) fn instance_slot_info(&self, instance_slot: usize) -> InstanceSlotInfo {
        let slots = &self.layout.instances[instance_slot];
        let pool = &self.layout.positions[slots.number].pool;
        InstanceSlotInfo {
            process: slots.process,
            key: slots.key.clone(),
            entry: self.beginning_code(instance_slot),
            pool: pool.as_ref().map(|pool| self.state_slot(pool.start)),
        }
    }

    /// The channels' places as the machine finds them.
    pub(super) fn place_infos(&self) -> Vec<PlaceInfo> {
        let places = self.layout.places.iter();
        places
            .map(|place| PlaceInfo {
                present: place.present.map(|slot| self.state_slot(slot)),
                channel_slots: place
                    .channels
                    .iter()
                    .map(|&channel| {
                        let channel = &self.layout.channels[channel];
                        (channel.declaration, channel.owner, as_i64(channel.code))
                    })
                    .collect(),
            })
            .collect()
    }

    /// An instance is gone, and its channels with it: all their slots hold zeros.
    pub(super) fn go_away(&mut self, instance_slot: usize) -> Result<()> {
        let slots = &self.layout.instances[instance_slot];
        let number = slots.number;
        if let Some(pool) = self.layout.positions[number].pool.clone() {
            // Others may have more slots there, but those hold zeros already.
            let mine = slots.own.iter().zip(&self.template(instance_slot).locals);
            let mut end = pool.start;
            for (own, variable) in mine {
                if let Own::Slots(first) = own {
                    end = end.max(first + size(self.program, &variable.ty)?);
                }
            }
            self.clear(pool.start..end)?;
        }
        let gone = self.gone()?;
        let d = self.location_slot(instance_slot);
        self.emit(Op::Copy { d, a: gone });
        for channel in 0..self.layout.channels.len() {
            let slots = &self.layout.channels[channel];
            let place = &self.layout.places[slots.place];
            if slots.owner != Some(number) || place.present.is_none() {
                continue;
            }
            let kept = self.label();
            self.unless_there(channel, kept)?;
            self.clear(place.slots.clone())?;
            if let Some(present) = place.present {
                let a = self.constant(0)?;
                let d = self.state_slot(present);
                self.emit(Op::Copy { d, a });
            }
            self.bind(kept);
        }
        Ok(())
    }

    /// Sets slots to what they hold where nobody is.
    fn clear(&mut self, slots: std::ops::Range<usize>) -> Result<()> {
        let zeros: Vec<i64> = self.layout.leaves[slots.clone()]
            .iter()
            .map(|leaf| leaf.zero)
            .collect();
        if zeros.is_empty() {
            return Ok(());
        }
        let d = self.state_slot(slots.start);
        let a = self.constants(&zeros)?;
        self.copy(d, a, zeros.len())
    }
}

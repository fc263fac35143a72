//! Places: where they are, and how to read and write them.

use model::{ExprId, Place, Projection, Root, Type};

use super::{Compiler, Label, Result, Scope, small};
use crate::ir::instruction::{Op, Slot};
use crate::ir::layout::{HALTED, Own, flatten, size, unsupported};
use crate::ir::number::as_i64;

/// Where a place is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Address {
    Direct(Slot),
    /// At `base` plus what `index` holds.
    Indexed {
        base: Slot,
        index: Slot,
    },
    Frame {
        stack: u8,
        offset: u16,
    },
    FrameIndexed {
        stack: u8,
        offset: u16,
        index: Slot,
    },
}

impl Address {
    /// So many slots further on.
    fn plus(self, more: u16) -> Self {
        match self {
            Address::Direct(slot) => Address::Direct(slot + more),
            Address::Indexed { base, index } => Address::Indexed {
                base: base + more,
                index,
            },
            Address::Frame { stack, offset } => Address::Frame {
                stack,
                offset: offset + more,
            },
            Address::FrameIndexed {
                stack,
                offset,
                index,
            } => Address::FrameIndexed {
                stack,
                offset: offset + more,
                index,
            },
        }
    }
}

impl Compiler<'_> {
    /// Where a place is, and its type. Emits the checks of its indices.
    pub(super) fn address(&mut self, scope: Scope<'_>, place: &Place) -> Result<(Address, Type)> {
        let (start, ty) = match place.root {
            Root::Global(id) => {
                let slot = self.state_slot(self.layout.globals[id.index()]);
                (
                    Address::Direct(slot),
                    self.program.globals[id.index()].ty.clone(),
                )
            }
            Root::Own(local) => {
                let Some(me) = scope.me else {
                    return unsupported("a local where no instance is");
                };
                self.own(me, local as usize)?
            }
            Root::Frame(local) => {
                let (Some(me), Some(procedure)) = (scope.me, scope.procedure) else {
                    return unsupported("a procedure's local outside of it");
                };
                let locals = &self.template(me).procedures[procedure.index()].locals;
                let mut offset = 0;
                for variable in &locals[..local as usize] {
                    offset += size(self.program, &variable.ty)?;
                }
                let stack = self.stack(me)?;
                let offset = small(offset, "locals")?;
                (
                    Address::Frame { stack, offset },
                    locals[local as usize].ty.clone(),
                )
            }
            Root::Argument(argument) => {
                let Some((slot, ty)) = scope.arguments.get(argument as usize) else {
                    return unsupported("an argument outside of an observer");
                };
                (Address::Direct(*slot), ty.clone())
            }
            Root::Cell(_) => return unsupported("pointers"),
            Root::Remote { .. } => return unsupported("assignments to another instance's locals"),
        };
        self.project(scope, start, ty, &place.path)
    }

    /// A local of an instance.
    fn own(&mut self, instance: usize, local: usize) -> Result<(Address, Type)> {
        let slot = match &self.layout.instances[instance].own[local] {
            Own::Slots(first) => self.state_slot(*first),
            Own::Always(values) => self.constants(values)?,
        };
        let ty = self.template(instance).locals[local].ty.clone();
        Ok((Address::Direct(slot), ty))
    }

    pub(super) fn stack(&self, instance: usize) -> Result<u8> {
        match self.layout.instances[instance].stack {
            Some(stack) => small(stack, "instances with procedures"),
            None => unsupported("a procedure's local outside of it"),
        }
    }

    fn project(
        &mut self,
        scope: Scope<'_>,
        start: Address,
        ty: Type,
        path: &[Projection],
    ) -> Result<(Address, Type)> {
        let mut ty = ty;
        let mut address = start;
        let mut index: Option<Slot> = None;
        for projection in path {
            match (projection, ty) {
                (Projection::Field(field), Type::Record(id)) => {
                    let fields = &self.program.records[id.index()].fields;
                    let mut offset = 0;
                    for (_, before) in &fields[..*field as usize] {
                        offset += size(self.program, before)?;
                    }
                    address = address.plus(small(offset, "fields")?);
                    ty = fields[*field as usize].1.clone();
                }
                (Projection::Field(field), Type::Array(item, _)) => {
                    let stride = size(self.program, &item)?;
                    address = address.plus(small(stride * *field as usize, "elements")?);
                    ty = *item;
                }
                (Projection::Index(id), Type::Array(item, length)) => {
                    let stride = size(self.program, &item)?;
                    match self.known(scope.me, *id) {
                        Some(n) if (0..i64::from(length)).contains(&n) => {
                            let n = usize::try_from(n).expect("an index that was checked");
                            address = address.plus(small(stride * n, "elements")?);
                        }
                        _ => {
                            let at = self.expr(scope, *id)?;
                            let to = self.fault_label(scope, self.program.index_fault).0;
                            let length = small(length as usize, "elements")?;
                            self.emit(Op::JumpOutside { a: at, length, to });
                            let at = self.scaled(at, stride)?;
                            index = Some(match index {
                                None => at,
                                Some(before) => {
                                    let d = self.temporary(1)?;
                                    self.emit(Op::Add {
                                        d,
                                        a: before,
                                        b: at,
                                    });
                                    d
                                }
                            });
                        }
                    }
                    ty = *item;
                }
                _ => return unsupported("a path that does not fit its variable"),
            }
        }
        let address = match (address, index) {
            (address, None) => address,
            (Address::Direct(base), Some(index)) => Address::Indexed { base, index },
            (Address::Frame { stack, offset }, Some(index)) => Address::FrameIndexed {
                stack,
                offset,
                index,
            },
            (other, Some(_)) => other,
        };
        Ok((address, ty))
    }

    fn scaled(&mut self, at: Slot, stride: usize) -> Result<Slot> {
        if stride == 1 {
            return Ok(at);
        }
        let d = self.temporary(1)?;
        let b = self.constant(i64::try_from(stride).expect("a small stride"))?;
        self.emit(Op::Mul { d, a: at, b });
        Ok(d)
    }

    /// Reads a place. Without a wish, variables with a fixed address are read where they are.
    pub(super) fn load(
        &mut self,
        scope: Scope<'_>,
        place: &Place,
        ty: &Type,
        wish: Option<Slot>,
    ) -> Result<Slot> {
        if let Root::Remote {
            instance,
            process,
            local,
        } = place.root
        {
            return self.load_remote(scope, (instance, process, local as usize), place, ty, wish);
        }
        let (address, ty) = self.address(scope, place)?;
        let size = size(self.program, &ty)?;
        self.read(address, size, wish)
    }

    pub(super) fn read(
        &mut self,
        address: Address,
        size: usize,
        wish: Option<Slot>,
    ) -> Result<Slot> {
        if let (Address::Direct(slot), None) = (address, wish) {
            return Ok(slot);
        }
        let first = match wish {
            Some(slot) => slot,
            None => self.temporary(size)?,
        };
        if let Address::Direct(a) = address {
            self.copy(first, a, size)?;
            return Ok(first);
        }
        for part in 0..small::<u16>(size, "slots in a variable")? {
            let d = first + part;
            self.emit(match address.plus(part) {
                Address::Direct(a) => Op::Copy { d, a },
                Address::Indexed { base, index } => Op::LoadAt { d, base, index },
                Address::Frame { stack, offset } => Op::LoadFrame { d, stack, offset },
                Address::FrameIndexed {
                    stack,
                    offset,
                    index,
                } => Op::LoadFrameAt {
                    d,
                    stack,
                    offset,
                    index,
                },
            });
        }
        Ok(first)
    }

    /// Writes to a place.
    pub(super) fn write(&mut self, address: Address, from: Slot, size: usize) -> Result<()> {
        if let Address::Direct(d) = address {
            return self.copy(d, from, size);
        }
        for part in 0..small::<u16>(size, "slots in a variable")? {
            let a = from + part;
            self.emit(match address.plus(part) {
                Address::Direct(d) => Op::Copy { d, a },
                Address::Indexed { base, index } => Op::StoreAt { base, index, a },
                Address::Frame { stack, offset } => Op::StoreFrame { stack, offset, a },
                Address::FrameIndexed {
                    stack,
                    offset,
                    index,
                } => Op::StoreFrameAt {
                    stack,
                    offset,
                    index,
                    a,
                },
            });
        }
        Ok(())
    }

    pub(super) fn copy(&mut self, d: Slot, a: Slot, size: usize) -> Result<()> {
        match size {
            _ if d == a => {}
            0 => {}
            1 => self.emit(Op::Copy { d, a }),
            n => self.emit(Op::CopyMany {
                d,
                a,
                n: small(n, "slots in a variable")?,
            }),
        }
        Ok(())
    }

    fn load_remote(
        &mut self,
        scope: Scope<'_>,
        (instance, process, local): (ExprId, model::ProcessId, usize),
        place: &Place,
        ty: &Type,
        wish: Option<Slot>,
    ) -> Result<Slot> {
        let mut zeros = Vec::new();
        flatten(self.program, ty, &mut zeros)?;
        let zeros: Vec<i64> = zeros.iter().map(|leaf| leaf.zero).collect();
        let d = match wish {
            Some(slot) => slot,
            None => self.temporary(zeros.len())?,
        };
        let end = self.label();
        let absent = self.label();
        for (instance_slot, label, next) in
            self.instance_slots_of(scope, instance, process, absent)?
        {
            self.bind(label);
            self.unless_placed(instance_slot, next)?;
            let (start, whole) = self.own(instance_slot, local)?;
            let (address, _) = self.project(scope, start, whole, &place.path)?;
            self.read(address, zeros.len(), Some(d))?;
            self.jump(end);
        }
        self.bind(absent);
        let zero = self.constants(&zeros)?;
        self.copy(d, zero, zeros.len())?;
        self.bind(end);
        Ok(d)
    }

    /// Whether the instance with a number is at a location of a process.
    pub(super) fn at(
        &mut self,
        scope: Scope<'_>,
        (instance, process, location): (ExprId, model::ProcessId, model::LocId),
        d: Slot,
    ) -> Result<()> {
        let end = self.label();
        let absent = self.label();
        let known = self.known(scope.me, instance);
        let instance_slots = self.instance_slots_of(scope, instance, process, absent)?;
        if let ([(instance_slot, label, _)], Some(_)) = (instance_slots.as_slice(), known) {
            self.bind(*label);
            self.bind(absent);
            let a = self.location_slot(*instance_slot);
            let b = self.location_code(*instance_slot, location)?;
            self.emit(Op::Eq { d, a, b });
            return Ok(());
        }
        let one = self.constant(1)?;
        for (instance_slot, label, next) in instance_slots {
            self.bind(label);
            let a = self.location_slot(instance_slot);
            let b = self.location_code(instance_slot, location)?;
            self.emit(Op::JumpNe { a, b, to: next.0 });
            self.emit(Op::Copy { d, a: one });
            self.jump(end);
        }
        self.bind(absent);
        let a = self.constant(0)?;
        self.emit(Op::Copy { d, a });
        self.bind(end);
        Ok(())
    }

    /// Whether some instance is at one of these locations.
    pub(super) fn any_at(
        &mut self,
        places: &[(model::ProcessId, model::LocId)],
        d: Slot,
    ) -> Result<()> {
        let (end, found) = (self.label(), self.label());
        for &(process, location) in places {
            let instance_slots: Vec<usize> = self.layout.instances_of(process).collect();
            for instance_slot in instance_slots {
                let next = self.label();
                let a = self.location_slot(instance_slot);
                let b = self.location_code(instance_slot, location)?;
                self.emit(Op::JumpNe { a, b, to: next.0 });
                self.jump(found);
                self.bind(next);
            }
        }
        let a = self.constant(0)?;
        self.emit(Op::Copy { d, a });
        self.jump(end);
        self.bind(found);
        let a = self.constant(1)?;
        self.emit(Op::Copy { d, a });
        self.bind(end);
        Ok(())
    }

    /// The least number of an instance of a process; -1 if there is none.
    pub(super) fn first(&mut self, process: model::ProcessId, d: Slot) -> Result<()> {
        let end = self.label();
        let mut instance_slots: Vec<usize> = self.layout.instances_of(process).collect();
        instance_slots.sort_by_key(|&instance_slot| self.number(instance_slot));
        for instance_slot in instance_slots {
            let next = self.label();
            self.unless_placed(instance_slot, next)?;
            let a = self.constant(as_i64(self.number(instance_slot)))?;
            self.emit(Op::Copy { d, a });
            self.jump(end);
            self.bind(next);
        }
        let a = self.constant(-1)?;
        self.emit(Op::Copy { d, a });
        self.bind(end);
        Ok(())
    }

    /// Goes to code for the instance slots of a process that an instance with a number can have. Each comes
    /// with the label of its code and with where to go if somebody else is there. The first one's
    /// code has to follow.
    fn instance_slots_of(
        &mut self,
        scope: Scope<'_>,
        instance: ExprId,
        process: model::ProcessId,
        absent: Label,
    ) -> Result<Vec<(usize, Label, Label)>> {
        let mut instance_slots: Vec<usize> = self.layout.instances_of(process).collect();
        instance_slots.sort_by_key(|&instance_slot| self.number(instance_slot));
        let known = self.known(scope.me, instance);
        if let Some(number) = known {
            instance_slots.retain(|&instance_slot| as_i64(self.number(instance_slot)) == number);
        }
        let labels: Vec<Label> = instance_slots.iter().map(|_| self.label()).collect();
        let mut labelled = Vec::new();
        let mut cases: Vec<(i64, Label)> = Vec::new();
        for (at, (&instance_slot, &label)) in instance_slots.iter().zip(&labels).enumerate() {
            let number = self.number(instance_slot);
            if cases.last().is_none_or(|(last, _)| *last != as_i64(number)) {
                cases.push((as_i64(number), label));
            }
            let same = instance_slots
                .get(at + 1)
                .filter(|&&next| self.number(next) == number);
            labelled.push((
                instance_slot,
                label,
                same.map_or(absent, |_| labels[at + 1]),
            ));
        }
        if known.is_none() {
            let a = self.expr(scope, instance)?;
            self.switch(a, &cases, absent)?;
        } else if labelled.is_empty() {
            self.jump(absent);
        }
        Ok(labelled)
    }

    /// Jumps if it is not an instance of this instance slot that is there.
    fn unless_placed(&mut self, instance_slot: usize, to: Label) -> Result<()> {
        let count = self.template(instance_slot).locations.len() + HALTED;
        let base = self.layout.instances[instance_slot].base;
        let a = self.location_slot(instance_slot);
        let first = self.constant(as_i64(base))?;
        let last = self.constant(as_i64(base + count))?;
        self.emit(Op::JumpLt {
            a,
            b: first,
            to: to.0,
        });
        self.emit(Op::JumpLt {
            a: last,
            b: a,
            to: to.0,
        });
        Ok(())
    }
}

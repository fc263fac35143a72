//! Places: where they are, and how to read and write them.

use model::{Expr, ExprId, Place, Projection, Root, Type, Value};

use super::{Compiler, Result, Scope, small};
use crate::code::{Op, Slot};
use crate::layout::{GONE, flatten, location_code, size, unsupported};

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
                self.own(me, local as usize)
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
    fn own(&self, instance: usize, local: usize) -> (Address, Type) {
        let slot = self.state_slot(self.layout.instances[instance].own[local]);
        (
            Address::Direct(slot),
            self.template(instance).locals[local].ty.clone(),
        )
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
                    match self.program.exprs.constant(*id) {
                        Some(Value::Int(n)) if (0..i128::from(length)).contains(n) => {
                            let n = usize::try_from(*n).expect("an index that was checked");
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
        let number = self.expr(scope, instance)?;
        let end = self.label();
        let candidates: Vec<usize> = self.layout.instances_of(process).collect();
        for candidate in candidates {
            let next = self.label();
            let wanted = self.constant(i64::try_from(candidate).expect("few instances"))?;
            self.emit(Op::JumpNe {
                a: number,
                b: wanted,
                to: next.0,
            });
            let gone = self.absent(candidate, GONE)?;
            let location = self.location_slot(candidate);
            self.emit(Op::JumpEq {
                a: location,
                b: gone,
                to: next.0,
            });
            let (start, whole) = self.own(candidate, local);
            let (address, _) = self.project(scope, start, whole, &place.path)?;
            self.read(address, zeros.len(), Some(d))?;
            self.jump(end);
            self.bind(next);
        }
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
        let code = self.constant(location_code(location))?;
        let candidates: Vec<usize> = self.layout.instances_of(process).collect();
        if let Expr::Const(Value::Int(n)) = self.program.exprs.get(instance) {
            let found = candidates.iter().find(|&&c| c as i128 == *n);
            match found {
                Some(&found) => {
                    let a = self.location_slot(found);
                    self.emit(Op::Eq { d, a, b: code });
                }
                None => {
                    let a = self.constant(0)?;
                    self.emit(Op::Copy { d, a });
                }
            }
            return Ok(());
        }
        let number = self.expr(scope, instance)?;
        let end = self.label();
        for candidate in candidates {
            let next = self.label();
            let wanted = self.constant(i64::try_from(candidate).expect("few instances"))?;
            self.emit(Op::JumpNe {
                a: number,
                b: wanted,
                to: next.0,
            });
            let a = self.location_slot(candidate);
            self.emit(Op::Eq { d, a, b: code });
            self.jump(end);
            self.bind(next);
        }
        let a = self.constant(0)?;
        self.emit(Op::Copy { d, a });
        self.bind(end);
        Ok(())
    }
}

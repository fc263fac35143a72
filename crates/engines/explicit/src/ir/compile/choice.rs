//! Choices: the values of a set, collected in a list at run time, and initial states.

use model::{Choice, ExprId, GlobalId, Place, Type, ValueSet, VariableKind};

use super::{Compiler, Label, Result, Scope};
use crate::ir::instruction::{Op, Slot};
use crate::ir::layout::{Own, flatten, unsupported};

/// More values than this are not enumerated without a sample.
const WIDE: i128 = 1 << 24;

impl Compiler<'_> {
    /// Fills a list with what there is to choose from.
    pub(super) fn fill(
        &mut self,
        scope: Scope<'_>,
        list: u8,
        set: &ValueSet,
        sample: Option<&[ExprId]>,
    ) -> Result<()> {
        self.emit(Op::ListNew { list });
        let saved = self.next_temporary;
        match sample {
            Some(sample) => {
                self.emit(Op::Sampled);
                for &id in sample {
                    let a = self.expr(scope, id)?;
                    self.emit(Op::ListPush { list, a });
                    self.next_temporary = saved;
                }
            }
            None => self.push_set(scope, list, set, 0)?,
        }
        self.next_temporary = saved;
        Ok(())
    }

    fn push_set(&mut self, scope: Scope<'_>, list: u8, set: &ValueSet, depth: u32) -> Result<()> {
        if depth > super::DEPTH {
            return unsupported("sets nested so deeply");
        }
        let saved = self.next_temporary;
        match set {
            ValueSet::One(id) => {
                let a = self.expr(scope, *id)?;
                self.emit(Op::ListPush { list, a });
            }
            ValueSet::Between(lo, hi) => {
                let a = self.expr(scope, *lo)?;
                let b = self.expr(scope, *hi)?;
                self.emit(Op::ListRange { list, a, b });
            }
            ValueSet::Union(sets) => {
                for set in sets {
                    self.push_set(scope, list, set, depth + 1)?;
                }
            }
            ValueSet::Ite(cond, a, b) => {
                let (no, end) = (self.label(), self.label());
                self.branch(scope, *cond, no, false)?;
                self.push_set(scope, list, a, depth + 1)?;
                self.jump(end);
                self.bind(no);
                self.push_set(scope, list, b, depth + 1)?;
                self.bind(end);
            }
            ValueSet::All(ty) => {
                let bounds = match ty {
                    Type::Enum(id) => {
                        Some((0, self.program.enums[id.index()].members.len() as i128 - 1))
                    }
                    ty => ty.bounds(),
                };
                let (lo, hi) = match bounds {
                    Some((lo, hi)) if hi - lo < WIDE => (lo, hi),
                    _ => return unsupported("a wide choice without a sample"),
                };
                let bound = |n: i128| i64::try_from(n).expect("a narrow choice");
                let (a, b) = (self.constant(bound(lo))?, self.constant(bound(hi))?);
                self.emit(Op::ListRange { list, a, b });
            }
        }
        self.next_temporary = saved;
        Ok(())
    }

    /// A choice in a body: as many runs as there are values.
    pub(super) fn choose(&mut self, scope: Scope<'_>, choice: &Choice) -> Result<()> {
        let (saved_list, saved_lasting) = (self.next_list, self.next_lasting);
        let list = self.list()?;
        self.fill(scope, list, &choice.set, choice.sample.as_deref())?;
        let d = self.lasting(1)?;
        let loops = self.in_loop;
        self.emit(Op::Choose { list, d, loops });
        self.chosen(scope, choice, d)?;
        // What is not used any more must not tell states apart.
        let zero = self.constant(0)?;
        self.emit(Op::Copy { d, a: zero });
        (self.next_list, self.next_lasting) = (saved_list, saved_lasting);
        Ok(())
    }

    /// Logs and stores a value that was chosen.
    pub(super) fn chosen(&mut self, scope: Scope<'_>, choice: &Choice, value: Slot) -> Result<()> {
        let ty = self.choice_type(scope, choice)?;
        self.log_choice(value, &ty)?;
        self.store_chosen(scope, choice, value)
    }

    /// The type of the values of a choice, which must be single numbers.
    pub(super) fn choice_type(&mut self, scope: Scope<'_>, choice: &Choice) -> Result<Type> {
        let (_, ty) = self.quietly(|cx| cx.address(scope, &choice.place))?;
        if matches!(ty, Type::Array(..) | Type::Record(_)) {
            return unsupported("choices of arrays and records");
        }
        Ok(ty)
    }

    /// The variable that a chosen value can go into as it is.
    pub(super) fn choice_slot(
        &mut self,
        scope: Scope<'_>,
        choice: &Choice,
    ) -> Result<Option<Slot>> {
        let ty = self.choice_type(scope, choice)?;
        let (address, _) = self.quietly(|cx| cx.address(scope, &choice.place))?;
        Ok(match address {
            super::address::Address::Direct(slot) if self.choice_fits(choice, &ty) => Some(slot),
            _ => None,
        })
    }

    /// Whether every value of a choice is one of the type's.
    pub(super) fn choice_fits(&self, choice: &Choice, ty: &Type) -> bool {
        match &choice.sample {
            Some(sample) => sample.iter().all(|&id| self.always_fits(id, ty)),
            None => self.set_fits(&choice.set, ty),
        }
    }

    /// Stores a value that was chosen.
    pub(super) fn store_chosen(
        &mut self,
        scope: Scope<'_>,
        choice: &Choice,
        value: Slot,
    ) -> Result<()> {
        let ty = self.choice_type(scope, choice)?;
        let fits = self.choice_fits(choice, &ty);
        self.store(scope, &choice.place, value, fits)
    }

    /// Whether every value of a set is one of the type's.
    fn set_fits(&self, set: &ValueSet, ty: &Type) -> bool {
        match set {
            ValueSet::One(id) => self.always_fits(*id, ty),
            ValueSet::Between(a, b) => self.always_fits(*a, ty) && self.always_fits(*b, ty),
            ValueSet::Union(sets) => sets.iter().all(|set| self.set_fits(set, ty)),
            ValueSet::Ite(_, a, b) => self.set_fits(a, ty) && self.set_fits(b, ty),
            ValueSet::All(all) => match (all.bounds(), ty.bounds()) {
                (Some((lo, hi)), Some((least, most))) => least <= lo && hi <= most,
                _ => all == ty,
            },
        }
    }

    /// Runs a part of the compiler for its answer only, without the code.
    fn quietly<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let length = self.ops.len();
        let (apply, channel) = (self.apply.len(), self.channel.len());
        let saved = self.next_temporary;
        let result = f(self);
        self.ops.truncate(length);
        self.apply.truncate(apply);
        self.channel.truncate(channel);
        self.next_temporary = saved;
        result
    }

    /// Makes the initial states.
    pub(super) fn initial_states(&mut self) -> Result<()> {
        let impossible = self.label();
        let outside = Scope {
            me: None,
            procedure: None,
            arguments: &[],
            fault: impossible,
            site: 0,
        };
        let program = self.program;
        for (index, variable) in program.globals.iter().enumerate() {
            let set = match (&variable.init, variable.kind) {
                (Some(set), _) => set.clone(),
                (None, VariableKind::Input) => ValueSet::All(variable.ty.clone()),
                (None, _) => continue,
            };
            let slot = self.state_slot(self.layout.globals[index]);
            self.first_value(
                outside,
                Place::global(GlobalId::new(index)),
                &variable.ty,
                slot,
                set,
            )?;
        }
        for (number, start) in program.start.iter().enumerate() {
            let process = &program.processes[start.process.index()];
            let saved = self.next_temporary;
            let mut places = Vec::new();
            for &arg in &start.args {
                let size = crate::ir::layout::size(program, program.exprs.ty(arg))?;
                places.push((self.expr(outside, arg)?, size));
            }
            // Instance slots are in the order of the start, those that come later behind.
            let instance_slot = number;
            for (local, variable) in process.locals.iter().enumerate() {
                let Own::Slots(first) = self.layout.instances[instance_slot].own[local] else {
                    continue;
                };
                let d = self.state_slot(first);
                if let Some(&(a, size)) = places.get(local) {
                    self.copy(d, a, size)?;
                } else {
                    let mut zeros = Vec::new();
                    flatten(program, &variable.ty, &mut zeros)?;
                    let zeros: Vec<i64> = zeros.iter().map(|leaf| leaf.zero).collect();
                    if !zeros.is_empty() {
                        let a = self.constants(&zeros)?;
                        self.copy(d, a, zeros.len())?;
                    }
                }
            }
            self.next_temporary = saved;
            let d = self.location_slot(instance_slot);
            let a = self.constant(self.beginning_code(instance_slot))?;
            self.emit(Op::Copy { d, a });
            let scope = Scope {
                me: Some(instance_slot),
                ..outside
            };
            for (local, variable) in process.locals.iter().enumerate().skip(process.parameters) {
                if let (Some(set), Own::Slots(first)) = (
                    &variable.init,
                    &self.layout.instances[instance_slot].own[local],
                ) {
                    let slot = self.state_slot(*first);
                    self.first_value(scope, Place::own(local), &variable.ty, slot, set.clone())?;
                }
            }
        }
        for &condition in program.initial.iter().chain(&program.state_constraint) {
            self.branch(outside, condition, impossible, false)?;
        }
        self.emit(Op::Stable);
        self.bind(impossible);
        self.emit(Op::Prune);
        Ok(())
    }

    fn first_value(
        &mut self,
        scope: Scope<'_>,
        place: Place,
        ty: &Type,
        slot: Slot,
        set: ValueSet,
    ) -> Result<()> {
        let saved = self.next_temporary;
        if let ValueSet::One(value) = set {
            let a = self.expr(scope, value)?;
            let size = crate::ir::layout::size(self.program, ty)?;
            if size == 1 && !self.always_fits(value, ty) {
                self.wrap(ty, slot, a);
            } else {
                self.copy(slot, a, size)?;
            }
            self.next_temporary = saved;
            return Ok(());
        }
        let choice = Choice {
            place,
            set,
            sample: None,
            what: String::new(),
            outside: None,
        };
        let ty = self.choice_type(scope, &choice)?;
        let list = self.list()?;
        self.fill(scope, list, &choice.set, None)?;
        let d = self.lasting(1)?;
        self.emit(Op::Choose {
            list,
            d,
            loops: false,
        });
        self.log_choice(d, &ty)?;
        self.wrap(&ty, slot, d);
        self.next_lasting -= 1;
        self.next_list -= 1;
        self.next_temporary = saved;
        Ok(())
    }

    /// A scope of an instance.
    pub(super) fn scope_of(
        me: usize,
        procedure: Option<model::ProcedureId>,
        fault: Label,
    ) -> Scope<'static> {
        Scope {
            me: Some(me),
            procedure,
            arguments: &[],
            fault,
            site: 0,
        }
    }

    /// Where a step raises faults.
    pub(super) fn site_of(&self, me: usize, step: model::StepId) -> u32 {
        self.template(me).steps[step.index()].span.start
    }
}

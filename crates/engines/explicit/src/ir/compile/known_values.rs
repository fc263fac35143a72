//! What is known of a value before the program runs, and code for the cases that remain.
//!
//! A constant, the instance's own number and a known parameter are values; a channel reference
//! that is none of these, but an element of a table that nobody writes to, is one of a few. What
//! depends on a channel or on an instance is made for each that it can be.

use model::{Expr, ExprId, Projection, Root, Type, Value, ValueSet};

use super::{Compiler, Label, Result, Scope, small};
use crate::ir::capacity::constant;
use crate::ir::instruction::{Op, Slot, SwitchTable};
use crate::ir::layout::{Own, flatten, size};
use crate::ir::number::as_i64;

/// So many cases are tried one after the other.
const FEW: usize = 3;

impl Compiler<'_> {
    /// The value of an expression of one slot, if it is always the same in an instance slot.
    pub(super) fn known(&self, me: Option<usize>, id: ExprId) -> Option<i64> {
        let pool = &self.program.exprs;
        match pool.get(id) {
            Expr::Const(Value::Int(n)) => i64::try_from(*n).ok(),
            Expr::Const(Value::Bool(b)) => Some(i64::from(*b)),
            Expr::Me => Some(as_i64(self.number(me?))),
            Expr::Convert(inner) => {
                let n = self.known(me, *inner)?;
                match pool.ty(id) {
                    Type::Bool => Some(i64::from(n != 0)),
                    ty @ Type::Int { .. } => i64::try_from(ty.wrap(i128::from(n))).ok(),
                    _ => Some(n),
                }
            }
            Expr::Load(place) => {
                let Root::Own(local) = place.root else {
                    return None;
                };
                let instance_slot = me?;
                let Own::Always(values) = &self.layout.instances[instance_slot]
                    .own
                    .get(local as usize)?
                else {
                    return None;
                };
                let ty = &self.template(instance_slot).locals[local as usize].ty;
                let (offset, ty) = self.known_offset(me, ty, &place.path)?;
                let single = !matches!(ty, Type::Array(..) | Type::Record(_));
                single.then(|| values.get(offset).copied()).flatten()
            }
            _ => None,
        }
    }

    /// How far a path leads into a variable, if that is always the same; and the type there.
    fn known_offset<'t>(
        &'t self,
        me: Option<usize>,
        ty: &'t Type,
        path: &[Projection],
    ) -> Option<(usize, &'t Type)> {
        let (mut offset, mut ty) = (0, ty);
        for projection in path {
            match (projection, ty) {
                (Projection::Field(field), Type::Record(id)) => {
                    let fields = &self.program.records[id.index()].fields;
                    for (_, before) in &fields[..*field as usize] {
                        offset += size(self.program, before).ok()?;
                    }
                    ty = &fields[*field as usize].1;
                }
                (Projection::Index(index), Type::Array(item, length)) => {
                    let n = usize::try_from(self.known(me, *index)?).ok()?;
                    if n >= *length as usize {
                        return None;
                    }
                    offset += n * size(self.program, item).ok()?;
                    ty = item;
                }
                _ => return None,
            }
        }
        Some((offset, ty))
    }

    /// The references that a channel expression can have, if they are known.
    fn known_references(&self, me: Option<usize>, id: ExprId) -> Option<Vec<i64>> {
        if let Some(reference) = self.known(me, id) {
            return Some(vec![reference]);
        }
        match self.program.exprs.get(id) {
            Expr::Convert(inner) if *self.program.exprs.ty(*inner) == Type::Channel => {
                self.known_references(me, *inner)
            }
            Expr::Ite(_, a, b) => {
                let mut all = self.known_references(me, *a)?;
                all.extend(self.known_references(me, *b)?);
                Some(all)
            }
            Expr::Load(place) => {
                let (values, ty) = match place.root {
                    Root::Own(local) => {
                        let instance_slot = me?;
                        let own = self.layout.instances[instance_slot]
                            .own
                            .get(local as usize)?;
                        let Own::Always(values) = own else {
                            return None;
                        };
                        let ty = &self.template(instance_slot).locals[local as usize].ty;
                        (values.clone(), ty)
                    }
                    Root::Global(global) => {
                        let variable = &self.program.globals[global.index()];
                        if self.layout.globals[global.index()] < self.layout.changing {
                            return None;
                        }
                        let mut values = Vec::new();
                        match &variable.init {
                            Some(ValueSet::One(value))
                                if constant(self.program, *value, &mut values) => {}
                            _ => return None,
                        }
                        (values, &variable.ty)
                    }
                    _ => return None,
                };
                let mut channels = Vec::new();
                flatten_channels(self.program, ty, &mut channels);
                if let Some((offset, _)) = self.known_offset(me, ty, &place.path) {
                    return Some(vec![*values.get(offset)?]);
                }
                let pairs = values.iter().zip(channels);
                Some(
                    pairs
                        .filter(|(_, is)| *is)
                        .map(|(value, _)| *value)
                        .collect(),
                )
            }
            _ => None,
        }
    }

    /// The places, each a reference less one, that a channel expression can name.
    fn possible_places(&self, me: Option<usize>, id: ExprId) -> Vec<usize> {
        match self.known_references(me, id) {
            None => (0..self.layout.places.len()).collect(),
            Some(mut references) => {
                references.sort_unstable();
                references.dedup();
                let place = |reference: i64| usize::try_from(reference - 1).ok();
                references
                    .into_iter()
                    .filter_map(place)
                    .filter(|&place| place < self.layout.places.len())
                    .collect()
            }
        }
    }

    /// The channels that an expression can name.
    pub(super) fn possible_channels(&self, me: Option<usize>, id: ExprId) -> Vec<usize> {
        let places = self.possible_places(me, id);
        places
            .into_iter()
            .flat_map(|place| self.layout.places[place].channels.iter().copied())
            .collect()
    }

    /// The place that a channel expression always names.
    pub(super) fn known_place(&self, me: Option<usize>, id: ExprId) -> Option<usize> {
        let place = usize::try_from(self.known(me, id)?.checked_sub(1)?).ok()?;
        (place < self.layout.places.len()).then_some(place)
    }

    /// Whether a reference always names a living channel that keeps nothing.
    pub(super) fn only_rendezvous(&self, me: Option<usize>, channel: ExprId) -> bool {
        self.known_place(me, channel).is_some_and(|place| {
            let place = &self.layout.places[place];
            place.present.is_none()
                && place
                    .channels
                    .iter()
                    .all(|&channel| self.layout.channels[channel].capacity == 0)
        })
    }

    /// Code for the channel that a reference names, whichever that is.
    pub(super) fn per_channel(
        &mut self,
        scope: Scope<'_>,
        reference: ExprId,
        mut each: impl FnMut(&mut Self, usize) -> Result<()>,
    ) -> Result<()> {
        let places = self.possible_places(scope.me, reference);
        let end = self.label();
        if self.known(scope.me, reference).is_some() {
            match places.first() {
                Some(&place) => self.at_place(scope, place, end, &mut each)?,
                None => self.no_channel(scope),
            }
        } else {
            let a = self.expr(scope, reference)?;
            let cases: Vec<(i64, Label)> = places
                .iter()
                .map(|&place| (as_i64(place + 1), self.label()))
                .collect();
            let none = self.label();
            self.switch(a, &cases, none)?;
            for (&place, (_, label)) in places.iter().zip(cases) {
                self.bind(label);
                self.at_place(scope, place, end, &mut each)?;
            }
            self.bind(none);
            self.no_channel(scope);
        }
        self.bind(end);
        Ok(())
    }

    fn no_channel(&mut self, scope: Scope<'_>) {
        let to = self.fault_label(scope, self.program.channel_fault);
        self.jump(to);
    }

    /// Code for the channel that is at a place; goes to `end` behind it.
    fn at_place(
        &mut self,
        scope: Scope<'_>,
        place: usize,
        end: Label,
        each: &mut impl FnMut(&mut Self, usize) -> Result<()>,
    ) -> Result<()> {
        let slots = &self.layout.places[place];
        for &channel in &slots.channels {
            let next = self.label();
            self.unless_there(channel, next)?;
            let saved = self.next_temporary;
            each(self, channel)?;
            self.next_temporary = saved;
            self.jump(end);
            self.bind(next);
        }
        if slots.present.is_some() || slots.channels.is_empty() {
            self.no_channel(scope);
        }
        Ok(())
    }

    /// Jumps if a channel is not there.
    pub(super) fn unless_there(&mut self, channel: usize, to: Label) -> Result<()> {
        let slots = &self.layout.channels[channel];
        if let Some(present) = self.layout.places[slots.place].present {
            let a = self.state_slot(present);
            let b = self.constant(as_i64(slots.code))?;
            self.emit(Op::JumpNe { a, b, to: to.0 });
        }
        Ok(())
    }

    /// Goes to where the case of a value says.
    pub(super) fn switch(
        &mut self,
        a: Slot,
        cases: &[(i64, Label)],
        otherwise: Label,
    ) -> Result<()> {
        if cases.len() <= FEW {
            for &(value, to) in cases {
                let b = self.constant(value)?;
                self.emit(Op::JumpEq { a, b, to: to.0 });
            }
            self.jump(otherwise);
            return Ok(());
        }
        let first = cases.iter().map(|(value, _)| *value).min().unwrap_or(0);
        let last = cases.iter().map(|(value, _)| *value).max().unwrap_or(0);
        let count = usize::try_from(last - first + 1).unwrap_or(0);
        let mut to = vec![otherwise.0; count];
        for &(value, label) in cases {
            if let Ok(entry) = usize::try_from(value - first) {
                to[entry] = label.0;
            }
        }
        self.switches.push(SwitchTable {
            first,
            to,
            otherwise: otherwise.0,
        });
        let table = small(self.switches.len() - 1, "choices between instances")?;
        self.emit(Op::Switch { a, table });
        Ok(())
    }
}

/// For each slot of a type, whether it is a channel reference.
fn flatten_channels(program: &model::Program, ty: &Type, out: &mut Vec<bool>) {
    match ty {
        Type::Array(item, length) => {
            for _ in 0..*length {
                flatten_channels(program, item, out);
            }
        }
        Type::Record(id) => {
            for (_, field) in &program.records[id.index()].fields {
                flatten_channels(program, field, out);
            }
        }
        ty => {
            let mut leaves = Vec::new();
            if flatten(program, ty, &mut leaves).is_ok() {
                out.extend(leaves.iter().map(|_| *ty == Type::Channel));
            }
        }
    }
}

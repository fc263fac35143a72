//! Statements of bodies, and what an instance does at the end of a step.

use model::{Callee, Choice, ExprId, Place, ProcedureId, Stmt, Target, Type, ValueSet};

use super::{Compiler, DEPTH, EMIT_DEPTH, Result, Scope, small};
use crate::ir::instruction::EventSite;
use crate::ir::instruction::{Op, Slot};
use crate::ir::layout::{ENDED, flatten, leaves_at_once, size, unsupported};

impl Compiler<'_> {
    pub(super) fn block(&mut self, scope: Scope<'_>, body: &[Stmt]) -> Result<()> {
        self.nesting += 1;
        if self.nesting > DEPTH {
            return unsupported("statements nested so deeply");
        }
        for stmt in body {
            let saved = self.next_temporary;
            self.statement(scope, stmt)?;
            self.next_temporary = saved;
        }
        self.nesting -= 1;
        Ok(())
    }

    fn statement(&mut self, scope: Scope<'_>, stmt: &Stmt) -> Result<()> {
        match stmt {
            Stmt::Assign(place, value) => self.assign(scope, place, *value)?,
            Stmt::Choose(choice) => self.choose(scope, choice)?,
            Stmt::If(cond, then, otherwise) => {
                let no = self.label();
                self.branch(scope, *cond, no, false)?;
                self.block(scope, then)?;
                if otherwise.is_empty() {
                    self.bind(no);
                } else {
                    let end = self.label();
                    self.jump(end);
                    self.bind(no);
                    self.block(scope, otherwise)?;
                    self.bind(end);
                }
            }
            Stmt::Assert { cond, check, span } => {
                let fine = self.label();
                self.branch(scope, *cond, fine, true)?;
                self.emit(Op::Failed {
                    check: small(check.index(), "checks")?,
                    site: span.start,
                });
                self.may_note = true;
                self.bind(fine);
            }
            Stmt::Assume(cond) => {
                let fine = self.label();
                self.branch(scope, *cond, fine, true)?;
                self.emit(Op::Prune);
                self.bind(fine);
            }
            Stmt::Raise(fault) => {
                let to = self.fault_label(scope, Some(*fault));
                self.jump(to);
            }
            Stmt::Emit { event, args, .. } => self.emit_event(scope, *event, args)?,
            Stmt::Spawn {
                share_frame: true, ..
            } => return unsupported("instances that share a frame"),
            Stmt::Spawn {
                process,
                args,
                result,
                ..
            } => self.spawn(scope, *process, args, result.as_ref())?,
            Stmt::NewChannel {
                channel,
                owner,
                result,
            } => {
                let owned = *owner == model::ChannelOwner::Next;
                self.make_channel(scope, *channel, owned, result)?;
            }
            Stmt::New { .. } | Stmt::Free(_) => return unsupported("objects made at run time"),
        }
        Ok(())
    }

    /// A micro event: the observers' bodies stand where it happens.
    fn emit_event(
        &mut self,
        scope: Scope<'_>,
        event: model::EventId,
        args: &[ExprId],
    ) -> Result<()> {
        let observers: Vec<usize> = (0..self.program.observers.len())
            .filter(|&o| self.program.observers[o].event == event)
            .collect();
        let faulty = args.iter().any(|a| self.analysis.can_fault[a.index()]);
        if observers.is_empty() && !faulty && !self.demand.labels {
            return Ok(());
        }
        if self.emit_depth >= EMIT_DEPTH {
            return unsupported("observers that emit what they observe");
        }
        self.emit_depth += 1;
        let saved = self.next_lasting;
        let mut arguments = Vec::new();
        for &arg in args {
            let ty = self.program.exprs.ty(arg).clone();
            let width = size(self.program, &ty)?;
            let temporaries = self.next_temporary;
            let d = self.lasting(width)?;
            self.expr_into(scope, arg, Some(d))?;
            self.next_temporary = temporaries;
            arguments.push((d, ty));
        }
        if self.demand.labels {
            let mut site = EventSite {
                event,
                args: Vec::new(),
            };
            for (slot, ty) in &arguments {
                site.args.push((*slot, size(self.program, ty)?, ty.clone()));
            }
            self.happens.push(site);
            match u16::try_from(self.happens.len() - 1) {
                Ok(site) => self.emit(Op::Happen { site }),
                Err(_) => return unsupported("so many places where something happens"),
            }
        }
        for observer in observers {
            let inner = Scope {
                arguments: &arguments,
                ..scope
            };
            self.block(inner, &self.program.observers[observer].body)?;
        }
        if self.analysis.observers_choose {
            // What is not used any more must not tell states apart.
            let zero = self.constant(0)?;
            for slot in saved..self.next_lasting {
                let d = self.lasting_slot(slot);
                self.emit(Op::Copy { d, a: zero });
            }
        }
        self.next_lasting = saved;
        self.emit_depth -= 1;
        Ok(())
    }

    pub(super) fn assign(&mut self, scope: Scope<'_>, place: &Place, value: ExprId) -> Result<()> {
        let ty = self.program.exprs.ty(value);
        let width = size(self.program, ty)?;
        if place.path.is_empty() && width == 1 {
            // The value can be computed where it belongs, if nothing is checked in between.
            if let (super::address::Address::Direct(slot), to) = self.address(scope, place)?
                && (matches!(to, Type::Int { .. }) && to == *ty || self.always_fits(value, &to))
            {
                self.expr_into(scope, value, Some(slot))?;
                return Ok(());
            }
        }
        let a = self.expr(scope, value)?;
        let to = self.place_type(scope, place)?;
        let fits = self.always_fits(value, &to);
        let a = self.fit(scope, &to, a, fits)?;
        let (address, _) = self.address(scope, place)?;
        self.write(address, a, width)
    }

    /// The declared type of a place.
    fn place_type(&self, scope: Scope<'_>, place: &Place) -> Result<Type> {
        let process = scope.me.map(|me| self.layout.instances[me].process);
        if matches!(place.root, model::Root::Argument(_) | model::Root::Cell(_)) {
            return unsupported("assignments to arguments and cells");
        }
        if matches!(place.root, model::Root::Frame(_)) && scope.procedure.is_none() {
            return unsupported("a procedure's local outside of it");
        }
        Ok(self.program.place_type(process, scope.procedure, place))
    }

    /// Stores a single number that has been computed.
    pub(super) fn store(
        &mut self,
        scope: Scope<'_>,
        place: &Place,
        value: Slot,
        fits: bool,
    ) -> Result<()> {
        let to = self.place_type(scope, place)?;
        let width = size(self.program, &to)?;
        let value = self.fit(scope, &to, value, fits)?;
        let (address, _) = self.address(scope, place)?;
        self.write(address, value, width)
    }

    /// A value as its type stores it: machine integers wrap around, ranges are checked.
    pub(super) fn fit(&mut self, scope: Scope<'_>, ty: &Type, a: Slot, fits: bool) -> Result<Slot> {
        if fits {
            return Ok(a);
        }
        match ty {
            Type::Int { .. } => {
                let d = self.temporary(1)?;
                self.wrap(ty, d, a);
                Ok(d)
            }
            Type::Range { lo, hi } => {
                let to = self.fault_label(scope, self.program.range_fault).0;
                let (lo, hi) = (self.constant(*lo)?, self.constant(*hi)?);
                self.emit(Op::JumpLt { a, b: lo, to });
                self.emit(Op::JumpLt { a: hi, b: a, to });
                Ok(a)
            }
            _ => Ok(a),
        }
    }

    /// A value computed for a place of a type: computed, fitted, and not where it can change.
    pub(super) fn fitted(&mut self, scope: Scope<'_>, id: ExprId, ty: &Type) -> Result<Slot> {
        let a = self.expr(scope, id)?;
        let fits = self.always_fits(id, ty);
        self.fit(scope, ty, a, fits)
    }

    /// Where the last part of a move goes, and what follows.
    pub(super) fn last_target(
        &mut self,
        scope: Scope<'_>,
        step: model::StepId,
        joint: bool,
    ) -> Result<()> {
        let me = scope.me.expect("a step is an instance's");
        let process = self.template(me);
        match &process.steps[step.index()].target {
            Target::Goto(to) => {
                self.go_to(me, *to)?;
                self.flush();
                self.end(me, Some(*to), joint)
            }
            Target::End => {
                self.end_instance(me)?;
                self.flush();
                self.end(me, None, joint)
            }
            Target::Call { callee, args, .. } => match *callee {
                Callee::Known(procedure) => self.call(scope, step, procedure, args, joint),
                Callee::Value(value) => {
                    let a = self.expr(scope, value)?;
                    let kept = self.temporary(1)?;
                    self.emit(Op::Copy { d: kept, a });
                    for index in 0..process.procedures.len() {
                        if process.procedures[index].parameters != args.len() {
                            continue;
                        }
                        let next = self.label();
                        let b = self.constant(i64::try_from(index).expect("few procedures"))?;
                        self.emit(Op::JumpNe {
                            a: kept,
                            b,
                            to: next.0,
                        });
                        self.call(scope, step, ProcedureId::new(index), args, joint)?;
                        self.bind(next);
                    }
                    let to = self.stop_label("a procedure with the wrong number of parameters");
                    self.jump(to);
                    Ok(())
                }
            },
            Target::Return(value) => {
                if let Some(value) = value {
                    let width = size(self.program, self.program.exprs.ty(*value))?;
                    let d = self.results_slot();
                    let a = self.expr(scope, *value)?;
                    self.copy(d, a, width)?;
                }
                self.flush();
                let stack = self.stack(me)?;
                self.emit(Op::Return { stack });
                Ok(())
            }
        }
    }

    /// Where a part of a move goes that is not the last.
    pub(super) fn early_target(&mut self, scope: Scope<'_>, step: model::StepId) -> Result<()> {
        let me = scope.me.expect("a step is an instance's");
        match &self.template(me).steps[step.index()].target {
            Target::Goto(to) => {
                if self.template(me).locations[to.index()].mode == model::Mode::Region {
                    // It goes on when the others have made their parts.
                    self.entry(me, *to);
                }
                self.go_to(me, *to)
            }
            Target::End => self.end_instance(me),
            Target::Call { .. } | Target::Return(_) => {
                unsupported("a call or return in the first part of a joint move")
            }
        }
    }

    fn go_to(&mut self, me: usize, to: model::LocId) -> Result<()> {
        let d = self.location_slot(me);
        let a = self.location_code(me, to)?;
        self.emit(Op::Copy { d, a });
        Ok(())
    }

    fn end_instance(&mut self, me: usize) -> Result<()> {
        if self.layout.instances[me].stack.is_some() {
            let stack = self.stack(me)?;
            self.emit(Op::Unwind { stack });
        }
        if leaves_at_once(self.program) {
            self.go_away(me)
        } else {
            let d = self.location_slot(me);
            let a = self.absent(me, ENDED)?;
            self.emit(Op::Copy { d, a });
            Ok(())
        }
    }

    pub(super) fn results_slot(&self) -> Slot {
        Slot::try_from(self.results).expect("sizes are checked")
    }

    fn call(
        &mut self,
        scope: Scope<'_>,
        step: model::StepId,
        procedure: ProcedureId,
        args: &[ExprId],
        joint: bool,
    ) -> Result<()> {
        let me = scope.me.expect("a step is an instance's");
        let process = self.template(me);
        let declaration = &process.procedures[procedure.index()];
        let stack = self.stack(me)?;
        let full = self.fault_label(scope, self.program.stack_fault).0;
        let limit = u16::try_from(process.max_frames).unwrap_or(u16::MAX);
        self.emit(Op::JumpFull {
            stack,
            limit,
            to: full,
        });
        let saved = self.next_temporary;
        let mut values = Vec::new();
        for (&arg, parameter) in args.iter().zip(&declaration.locals) {
            let width = size(self.program, &parameter.ty)?;
            values.push((self.fitted(scope, arg, &parameter.ty)?, width));
        }
        let mut leaves = Vec::new();
        for variable in &declaration.locals {
            flatten(self.program, &variable.ty, &mut leaves)?;
        }
        let site = self.landing(me, step)?;
        self.emit(Op::Call {
            stack,
            size: small(leaves.len(), "locals")?,
            site: small(site, "calls")?,
        });
        let mut offset = 0u16;
        for (value, width) in values {
            for part in 0..small::<u16>(width, "fields")? {
                self.emit(Op::StoreFrame {
                    stack,
                    offset: offset + part,
                    a: value + part,
                });
            }
            offset += small::<u16>(width, "fields")?;
        }
        for (place, leaf) in leaves.iter().enumerate().skip(usize::from(offset)) {
            if leaf.zero != 0 {
                let a = self.constant(leaf.zero)?;
                self.emit(Op::StoreFrame {
                    stack,
                    offset: small(place, "locals")?,
                    a,
                });
            }
        }
        self.next_temporary = saved;
        self.go_to(me, declaration.entry)?;
        let inner = Scope {
            procedure: Some(procedure),
            ..scope
        };
        for (local, variable) in declaration
            .locals
            .iter()
            .enumerate()
            .skip(declaration.parameters)
        {
            let saved = self.next_temporary;
            match &variable.init {
                None => {}
                Some(ValueSet::One(value)) => self.assign(inner, &Place::frame(local), *value)?,
                Some(set) => {
                    let choice = Choice {
                        place: Place::frame(local),
                        set: set.clone(),
                        sample: None,
                        what: String::new(),
                        outside: None,
                    };
                    self.choose(inner, &choice)?;
                }
            }
            self.next_temporary = saved;
        }
        self.flush();
        self.end(me, Some(declaration.entry), joint)
    }

    /// The number of the place where the calls of a step return to.
    fn landing(&mut self, me: usize, step: model::StepId) -> Result<usize> {
        if let Some(&site) = self.landing_sites.get(&(me, step.index())) {
            return Ok(site);
        }
        let label = self.label();
        self.landings.push(label);
        let site = self.landings.len() - 1;
        self.landing_sites.insert((me, step.index()), site);
        self.unemitted_landings.push((me, step.index(), label));
        Ok(site)
    }

    /// What happens when a call has returned: it is the end of the returning move.
    pub(super) fn landing_code(
        &mut self,
        me: usize,
        step: usize,
        label: super::Label,
    ) -> Result<()> {
        self.bind(label);
        let process = self.template(me);
        let Target::Call { result, then, .. } = &process.steps[step].target else {
            return unsupported("a return to a step that is no call");
        };
        self.go_to(me, *then)?;
        let facts = &self.analysis.processes[self.layout.instances[me].process.index()];
        let procedure = facts.procedure[then.index()];
        // A return can be the last part of a joint move; then others may have to go on.
        let joint = self.analysis.many_inside;
        let fault = self.handler(me, joint.then_some(me));
        if let Some(place) = result {
            let site = self.site_of(me, model::StepId::new(step));
            let scope = Self::scope_of(me, procedure, fault).at_site(site);
            let to = self.place_type(scope, place)?;
            let width = size(self.program, &to)?;
            let saved = self.next_temporary;
            let from = self.results_slot();
            let fits = !matches!(to, Type::Int { .. } | Type::Range { .. });
            let value = self.fit(scope, &to, from, fits)?;
            let (address, _) = self.address(scope, place)?;
            self.write(address, value, width)?;
            self.next_temporary = saved;
        }
        self.end(me, Some(*then), joint)
    }

    /// The move is made: what was noted in it counts.
    pub(super) fn flush(&mut self) {
        if self.may_note {
            self.emit(Op::Flush);
        }
    }
}

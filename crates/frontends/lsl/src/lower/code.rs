//! Control flow under construction: one step at a time, its body filled statement by statement.
//!
//! As much as possible goes into one step, because every location costs: a step is closed only
//! where control splits or joins, or where a user function is called. Everything between two
//! stable states lies at `Region` locations, so a handler is one macro step.

use model::{
    Binary, ExprId, LocId, Mode, Place, ProcedureId, Root, Stmt, Target, Type as ModelType,
    Variable,
};
use source::Span;

use super::build::{Build, model_type};
use super::company::Inlined;
use super::locals::{Home, Temporaries};
use super::pure::Extras;
use super::undecided::Subject;
use super::{Input, Next};
use crate::ast::{self, LocalId, StateId};
use crate::types::Type;

/// What the code at hand belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unit {
    /// A handler of a state.
    Handler {
        /// The state.
        state: StateId,
        /// Whether the event has detected somebody.
        detects: bool,
        /// Where control goes at its end.
        done: LocId,
        /// Where control goes to change the state; `None` in `state_exit`, which cannot.
        leave: Option<LocId>,
    },
    /// A user function.
    Function {
        /// What it returns.
        result: Option<Type>,
    },
    /// An expression of a property.
    Pure,
}

/// Lowers the code of one handler, function or expression.
pub(crate) struct Coder<'c> {
    pub(crate) input: Input<'c>,
    pub(crate) build: &'c mut Build,
    pub(crate) unit: Unit,
    pub(crate) temporaries: Temporaries,
    /// Where the variables of the code are, by their ids.
    pub(crate) locals: Vec<Option<Place>>,
    /// The number of the handler or function whose code this is; handlers come first.
    pub(crate) unit_number: Option<usize>,
    /// Whether the handler at hand is cut where other scripts may act.
    pub(crate) split: bool,
    /// What is set again behind such a cut.
    pub(crate) restored: Vec<Stmt>,
    /// Functions whose code is put in place of their call, the innermost last.
    pub(crate) inlined: Vec<Inlined>,
    /// Procedures of user functions, by their ids.
    pub(crate) procedures: &'c [Option<ProcedureId>],
    /// Names that a property brings in.
    pub(crate) extras: Option<&'c dyn Extras>,
    /// What the operation at hand is about: where it stands, the class of the texts in it, and
    /// whether these are equal only if they are the same term.
    pub(crate) subject: Subject,
    pub(super) local_types: Vec<Type>,
    pub(super) labels: Vec<Option<LocId>>,
    open: Option<model::Step>,
    /// The bodies under construction: the open step's, and those of branches in it.
    pub(super) blocks: Vec<Vec<Stmt>>,
}

impl<'c> Coder<'c> {
    pub(crate) fn new(
        input: Input<'c>,
        build: &'c mut Build,
        procedures: &'c [Option<ProcedureId>],
        unit: Unit,
    ) -> Self {
        let home = match unit {
            Unit::Handler { .. } => Home::Handler,
            Unit::Function { .. } => Home::Frame(Vec::new()),
            Unit::Pure => Home::Nowhere,
        };
        Coder {
            input,
            build,
            unit,
            temporaries: Temporaries::new(home),
            locals: Vec::new(),
            unit_number: None,
            split: false,
            restored: Vec::new(),
            inlined: Vec::new(),
            local_types: Vec::new(),
            procedures,
            extras: None,
            subject: Subject::default(),
            labels: Vec::new(),
            open: None,
            blocks: Vec::new(),
        }
    }

    /// Makes room for the variables and labels of a body.
    pub(crate) fn enter_body(&mut self, body: &crate::check::Body) {
        self.locals = vec![None; body.locals.len()];
        self.local_types = body.locals.iter().map(|local| local.ty).collect();
        self.labels = vec![None; body.labels.len()];
    }

    /// The type of a local variable.
    pub(crate) fn local_type(&self, id: LocalId) -> Type {
        self.local_types
            .get(id.index())
            .copied()
            .unwrap_or(Type::Integer)
    }

    /// Starts a step.
    pub(crate) fn begin(&mut self, mut step: model::Step) {
        debug_assert!(
            self.open.is_none(),
            "a step is closed before the next begins"
        );
        self.blocks = vec![std::mem::take(&mut step.body)];
        self.open = Some(step);
    }

    /// Starts a step at a location, under a guard.
    pub(crate) fn begin_at(&mut self, from: LocId, guard: Option<ExprId>, span: Span) {
        let mut step = model::Step::new(from, from, span);
        step.guard = guard;
        self.begin(step);
    }

    /// Ends the open step, if control can come here at all.
    pub(crate) fn close(&mut self, target: Target) {
        if let Some(mut step) = self.open.take() {
            debug_assert_eq!(self.blocks.len(), 1, "branches of the step are closed");
            step.body = self.blocks.pop().unwrap_or_default();
            step.target = target;
            self.build.script.add_step(step);
        }
    }

    /// Whether control can come here.
    pub(crate) fn is_reachable(&self) -> bool {
        self.open.is_some()
    }

    /// Adds a statement to the open step.
    pub(crate) fn emit(&mut self, stmt: Stmt) {
        if self.open.is_some()
            && let Some(block) = self.blocks.last_mut()
        {
            block.push(stmt);
        }
    }

    /// A new location within the macro step.
    pub(crate) fn region(&mut self, name: &str, span: Span) -> LocId {
        self.build.script.add_location(name, Mode::Region, span)
    }

    /// Ends the open step at a location and goes on from there.
    pub(crate) fn go_on_at(&mut self, location: LocId, span: Span) {
        self.close(Target::Goto(location));
        self.begin_at(location, None, span);
    }

    /// Goes on in a step of its own, so that a run-time error is told at this line.
    pub(crate) fn stand_at(&mut self, span: Span) {
        if self.blocks.len() == 1 && !matches!(self.unit, Unit::Pure) {
            let here = self.region("division", span);
            self.go_on_at(here, span);
        }
    }

    /// Two ways on, by a condition: gives the location where they part. The open step is closed.
    pub(crate) fn part(&mut self, name: &str, span: Span) -> LocId {
        if self.blocks.len() == 1
            && self.blocks[0].is_empty()
            && let Some(step) = &self.open
            && step.guard.is_none()
            && step.comm.is_none()
            && step.binds.is_empty()
            && step.class == 1
        {
            let from = step.from;
            self.open = None;
            self.blocks.clear();
            return from;
        }
        let at = self.region(name, span);
        self.close(Target::Goto(at));
        at
    }

    /// Lowers both branches of a straight `if` into the open step.
    pub(crate) fn straight_if(
        &mut self,
        cond: ExprId,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        if self.open.is_none() {
            return;
        }
        match self.build.program.exprs.constant(cond) {
            Some(model::Value::Bool(true)) => return then(self),
            Some(model::Value::Bool(false)) => return otherwise(self),
            _ => {}
        }
        self.blocks.push(Vec::new());
        then(self);
        let then = self.blocks.pop().unwrap_or_default();
        self.blocks.push(Vec::new());
        otherwise(self);
        let otherwise = self.blocks.pop().unwrap_or_default();
        if !then.is_empty() || !otherwise.is_empty() || self.build.can_fault(cond) {
            self.emit(Stmt::If(cond, then, otherwise));
        }
    }

    /// The location of a label.
    pub(crate) fn label(&mut self, label: ast::LabelId, span: Span) -> LocId {
        if let Some(location) = self.labels[label.index()] {
            return location;
        }
        let location = self.region("label", span);
        self.labels[label.index()] = Some(location);
        location
    }

    /// A temporary of a type.
    pub(crate) fn temporary(&mut self, ty: &ModelType) -> Place {
        self.temporaries
            .take(&mut self.build.program, &mut self.build.slots, ty)
    }

    /// A variable for a list whose length has no companion.
    pub(crate) fn unkept_variable(&mut self, name: &str) -> Place {
        let variable = Variable::new(name, ModelType::Rich);
        let place =
            self.temporaries
                .variable(&mut self.build.program, &mut self.build.slots, variable);
        if let Root::Global(global) = place.root {
            self.build.lengths.unkept.insert(global);
        }
        place
    }

    /// Saves a value in a temporary, so that later effects do not change it. Constants stay.
    pub(crate) fn save(&mut self, expr: ExprId) -> ExprId {
        if self.build.program.exprs.constant(expr).is_some() || !self.temporaries.allowed() {
            return expr;
        }
        let ty = self.build.program.exprs.ty(expr).clone();
        let place = self.temporary(&ty);
        self.emit(Stmt::Assign(place.clone(), expr));
        self.build.program.exprs.load(place, ty)
    }

    /// What a local variable holds.
    pub(crate) fn local(&mut self, id: LocalId, ty: Type) -> Option<ExprId> {
        let place = self.locals.get(id.index())?.clone()?;
        Some(self.build.program.exprs.load(place, model_type(ty)))
    }

    /// Leaves the handler: to another state, by a reset, or for good.
    pub(crate) fn leave(&mut self, next: Next, span: Span) {
        if let Next::State(state) = next {
            let state = self.build.state_value(state);
            self.emit(Stmt::Emit {
                event: self.build.world.events.leaves,
                args: vec![state],
                span,
            });
        }
        let value = self.build.next_value(self.input.checked, next);
        let set = self.build.set_next(value);
        match self.unit {
            Unit::Handler {
                leave: Some(leave), ..
            } => {
                self.emit(set);
                self.close(Target::Goto(leave));
            }
            Unit::Handler { done, .. } => self.close(Target::Goto(done)),
            Unit::Function { .. } => {
                self.emit(set);
                let leaving = self.build.set_flag(self.build.world.leaving, true);
                self.emit(leaving);
                self.close(Target::Return(None));
            }
            Unit::Pure => {}
        }
    }

    /// After a call of a function that may leave: goes on only if it has not.
    pub(crate) fn check_left(&mut self, at: LocId, span: Span) {
        let leaves = self.build.read(self.build.world.leaving);
        let stays = self.build.not(leaves);
        self.begin_at(at, Some(leaves), span);
        match self.unit {
            Unit::Handler { done, leave, .. } => self.close(Target::Goto(leave.unwrap_or(done))),
            Unit::Function { .. } | Unit::Pure => self.close(Target::Return(None)),
        }
        self.begin_at(at, Some(stays), span);
    }

    /// Whether the inventory may be read from here on.
    pub(crate) fn inventory_matters(&self) -> bool {
        let inventory = &self.build.world.inventory;
        match self.unit {
            Unit::Handler { state, .. } => inventory.matters_in(state),
            Unit::Function { .. } => inventory.matters(),
            Unit::Pure => true,
        }
    }

    /// A condition as a guard: one that may fault is evaluated before, once.
    pub(crate) fn guard(&mut self, cond: ExprId) -> ExprId {
        if self.build.can_fault(cond) {
            self.save(cond)
        } else {
            cond
        }
    }

    /// `left && right` on truth values, both evaluated if that can make a difference.
    pub(crate) fn both(&mut self, left: ExprId, right: ExprId) -> ExprId {
        if self.build.can_fault(right) {
            self.build.program.exprs.binary(Binary::BitAnd, left, right)
        } else {
            self.build.and(left, right)
        }
    }

    /// `left || right` on truth values, both evaluated if that can make a difference.
    pub(crate) fn either(&mut self, left: ExprId, right: ExprId) -> ExprId {
        if self.build.can_fault(right) {
            self.build.program.exprs.binary(Binary::BitOr, left, right)
        } else {
            self.build.or(left, right)
        }
    }
}

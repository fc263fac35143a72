//! Properties as parts of the program: observers, checks, formulas, assumptions.
//!
//! An observer runs at each micro event of its kind. Those of one kind run in three stages:
//! first the values that `old` asks for are put aside, then `on` blocks update the ghosts, then
//! claims and assumptions look. What is claimed between events is read at stable states.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::{
    AssumptionId, Check, CheckId, Claim, EventId, Expr, ExprId, GlobalId, Observer, Place, Program,
    PropertyId, Root, Stmt, Type as ModelType, ValueSet, Variable, VariableKind,
};
use source::Span;

use super::expression::{Expressions, ghost_type};
use super::resolve::{Event, Happening, Meaning, Resolved};
use super::standing;
use super::syntax::Annotations;
use crate::ast::{self, ExprKind, StmtKind};
use crate::check::{Checked, Resolution};
use crate::facts;
use crate::lower::{Hazards, Lowered};

/// Weaves the properties of a script into its program.
pub(super) fn weave(
    lowered: &mut Lowered,
    checked: &Checked,
    annotations: &Annotations,
    resolved: &Resolved,
    hazards: Hazards,
) {
    let ghosts = resolved
        .ghosts
        .iter()
        .map(|ghost| {
            let program = &mut lowered.program;
            let common = resolved.in_common.contains(&ghost.name.as_str());
            let declared = common.then(|| ghost_named(program, &ghost.name)).flatten();
            declared.unwrap_or_else(|| declare_ghost(program, checked, ghost))
        })
        .collect();
    let mut weaver = Weaver {
        annotations,
        atoms: HashMap::new(),
        observers: Vec::new(),
        snapshots: BTreeMap::new(),
        exprs: Expressions::new(lowered, checked, resolved, ghosts),
    };
    weaver.updates();
    weaver.properties();
    weaver.assumptions();
    weaver.standing(hazards, !annotations.properties.is_empty());
    weaver.finish();
}

/// The ghost that another script has declared for all.
fn ghost_named(program: &Program, name: &str) -> Option<GlobalId> {
    let mut globals = program.globals.iter();
    let is_it = |global: &Variable| global.kind == VariableKind::Ghost && global.name == name;
    globals.position(is_it).map(GlobalId::new)
}

fn declare_ghost(
    program: &mut Program,
    checked: &Checked,
    ghost: &super::resolve::Ghost,
) -> GlobalId {
    let ty = ghost_type(ghost.ty);
    let mut variable = Variable::new(&ghost.name, ty.clone());
    variable.kind = VariableKind::Ghost;
    variable.span = ghost.span;
    let first = match ghost.value {
        Some(value) => constant(program, checked, value, &ty),
        None if ty == ModelType::Rich => {
            let empty = program.rich.text("");
            program.exprs.value(empty, ModelType::Rich)
        }
        None => program.exprs.int(0, ty),
    };
    variable.init = Some(ValueSet::One(first));
    program.add_global(variable)
}

/// The value of a constant expression that has been checked to be one.
fn constant(program: &mut Program, checked: &Checked, id: ast::ExprId, ty: &ModelType) -> ExprId {
    match checked.ast.expr(id).kind {
        ExprKind::Integer(value) => program.exprs.int(value.into(), ty.clone()),
        ExprKind::String(symbol) => {
            let text = program.rich.text(checked.ast.text(symbol));
            program.exprs.value(text, ty.clone())
        }
        ExprKind::Parenthesized(inner) => constant(program, checked, inner, ty),
        ExprKind::Unary { op, operand } => {
            let operand = constant(program, checked, operand, ty);
            let number = program.exprs.constant(operand).map_or(0, |v| match v {
                model::Value::Int(number) => *number,
                _ => 0,
            });
            let number = match op {
                ast::UnaryOp::Negate => -number,
                ast::UnaryOp::Not => i128::from(number == 0),
                ast::UnaryOp::BitNot => !number,
            };
            program.exprs.int(number, ty.clone())
        }
        _ => match checked.exprs.resolution(id) {
            Some(Resolution::Constant(constant)) => match &constant.value {
                facts::Value::Integer(value) => program.exprs.int((*value).into(), ty.clone()),
                facts::Value::String(text) => {
                    let text = program.rich.text(text);
                    program.exprs.value(text, ty.clone())
                }
                _ => program.exprs.int(0, ty.clone()),
            },
            _ => program.exprs.int(0, ty.clone()),
        },
    }
}

/// An observer before it has an id: all of stage 0 come before all of stage 1, and so on.
struct Planned {
    stage: u8,
    observer: Observer,
    /// The properties that it works for; empty: all.
    owners: Vec<usize>,
}

/// Builds what properties are made of.
pub(super) struct Weaver<'a> {
    pub(super) exprs: Expressions<'a>,
    pub(super) annotations: &'a Annotations,
    /// What stands for the event atoms of formulas.
    pub(super) atoms: HashMap<Span, ExprId>,
    observers: Vec<Planned>,
    /// The ghosts whose old values are wanted at each kind of event.
    snapshots: BTreeMap<EventId, BTreeSet<usize>>,
}

impl Weaver<'_> {
    pub(super) fn program(&mut self) -> &mut Program {
        &mut self.exprs.lowered.program
    }

    /// The kind of micro event behind a pattern; `None` if it can never happen.
    pub(super) fn event_id(&self, happening: &Happening) -> Option<EventId> {
        let layout = &self.exprs.names.layout;
        match happening {
            Happening::Call(name) => layout.calls.get(name).copied(),
            Happening::Changes(global) => layout.changes.get(global).copied(),
            Happening::Paid => Some(layout.world.paid),
            Happening::Discarded => Some(layout.world.discarded),
            Happening::OwnerChanges => Some(layout.world.owner_changes),
            Happening::Handled(name) => layout.handled.get(name).copied(),
        }
    }

    pub(super) fn enter(&mut self, event: &Event) {
        self.exprs.names.changing = match event.happening {
            Happening::Changes(global) => Some(global),
            _ => None,
        };
        self.exprs.names.asked_old.get_mut().clear();
    }

    /// Ends what [`Weaver::enter`] began: notes which old values the event needs.
    pub(super) fn leave(&mut self, id: EventId) {
        let asked = self.exprs.names.asked_old.take();
        self.snapshots.entry(id).or_default().extend(asked);
        self.exprs.names.changing = None;
    }

    /// What must be true at a micro event for the pattern to match.
    pub(super) fn guard(&mut self, event: &Event) -> ExprId {
        let mut guard = self.program().exprs.bool(true);
        if let Happening::Changes(global) = event.happening {
            let place = Place::global(self.exprs.names.layout.globals[global.index()]);
            let program = self.program();
            let ty = program.globals[place_global(&place).index()].ty.clone();
            let now = program.exprs.load(place, ty.clone());
            let before = program.exprs.load(Root::Argument(0).into(), ty);
            guard = program.exprs.binary(model::Binary::Ne, before, now);
        }
        if let Some(name) = &event.during {
            let active = self
                .exprs
                .names
                .layout
                .during
                .get(name)
                .map(|during| during.active);
            let exprs = &mut self.program().exprs;
            let active = match active {
                Some(active) => exprs.load(Place::global(active), ModelType::Bool),
                None => exprs.bool(false),
            };
            guard = exprs.and(guard, active);
        }
        for &condition in &event.conditions {
            let condition = self.exprs.condition(condition);
            guard = self.program().exprs.and(guard, condition);
        }
        guard
    }

    pub(super) fn plan(
        &mut self,
        stage: u8,
        name: String,
        event: EventId,
        guard: ExprId,
        body: Vec<Stmt>,
        owners: Vec<usize>,
    ) {
        let always = matches!(
            self.program().exprs.constant(guard),
            Some(model::Value::Bool(true))
        );
        let body = if always {
            body
        } else {
            vec![Stmt::If(guard, body, Vec::new())]
        };
        let body = self.exprs.lowered.guessing(body);
        self.observers.push(Planned {
            stage,
            observer: Observer { name, event, body },
            owners,
        });
    }

    fn updates(&mut self) {
        let resolved = self.exprs.resolved;
        for update in &resolved.updates {
            let Some(id) = self.event_id(&update.event.happening) else {
                continue;
            };
            self.enter(&update.event);
            let guard = self.guard(&update.event);
            let body = self.statements(&update.body);
            self.leave(id);
            let name = format!("on {}", self.program().events[id.index()].name);
            self.plan(1, name, id, guard, body, Vec::new());
        }
    }

    fn statements(&mut self, statements: &[ast::StmtId]) -> Vec<Stmt> {
        let mut body = Vec::new();
        for &statement in statements {
            self.statement(statement, &mut body);
        }
        body
    }

    fn statement(&mut self, id: ast::StmtId, body: &mut Vec<Stmt>) {
        let checked = self.exprs.checked;
        match &checked.ast.stmt(id).kind {
            StmtKind::Block(inner) => body.extend(self.statements(inner)),
            StmtKind::If { arms, otherwise } => {
                let mut rest = Vec::new();
                if let Some(otherwise) = otherwise {
                    self.statement(*otherwise, &mut rest);
                }
                for &(condition, then) in arms.iter().rev() {
                    let condition = self.exprs.condition(condition);
                    let mut branch = Vec::new();
                    self.statement(then, &mut branch);
                    rest = vec![Stmt::If(condition, branch, rest)];
                }
                body.extend(rest);
            }
            StmtKind::Expr(expr) => {
                let assign = self.assignment(*expr);
                body.push(assign);
            }
            _ => {}
        }
    }

    fn assignment(&mut self, id: ast::ExprId) -> Stmt {
        let checked = self.exprs.checked;
        let (place, value) = match checked.ast.expr(id).kind {
            ExprKind::Assign { op, place, value } => {
                let right = self.exprs.value(value, false);
                let value = match op {
                    None => right,
                    Some(op) => {
                        let left = self.exprs.value(place, false);
                        let right = self.exprs.unbounded(right);
                        self.exprs.operation(op, left, right)
                    }
                };
                (place, value)
            }
            ExprKind::Step { place, by, .. } => {
                let left = self.exprs.value(place, false);
                let by = self.program().exprs.int(by.into(), ModelType::Mathint);
                (place, self.exprs.operation(ast::BinaryOp::Add, left, by))
            }
            _ => unreachable!("only assignments pass the resolver"),
        };
        let left = self.exprs.value(place, false);
        let Expr::Load(target) = self.program().exprs.get(left).clone() else {
            unreachable!("ghosts are variables");
        };
        let number = self.program().exprs.ty(left).is_integer();
        let value = if number {
            self.exprs.unbounded(value)
        } else {
            value
        };
        Stmt::Assign(target, value)
    }

    fn happened(&mut self, name: String, span: Span) -> GlobalId {
        let mut variable = Variable::new(name, ModelType::Bool);
        variable.kind = VariableKind::Step;
        variable.span = span;
        self.program().add_global(variable)
    }

    fn properties(&mut self) {
        let annotations = self.annotations;
        let resolved = self.exprs.resolved;
        for (index, property) in annotations.properties.iter().enumerate() {
            let made = match &resolved.claims[index] {
                None => None,
                Some(Meaning::When(event, require)) => Some(self.when(index, event, *require)),
                Some(Meaning::Formula(formula)) => Some(self.claim(index, formula)),
            };
            let no = self.program().exprs.bool(false);
            // Without a meaning there has been an error, and nobody looks at the program.
            let (claim, trigger) = made.unwrap_or((Claim::Always(no), None));
            self.program().add_property(model::Property {
                name: property.name.clone(),
                text: property.text.clone(),
                span: property.span,
                claim,
                trigger,
                observers: Vec::new(),
                assumptions: Vec::new(),
            });
        }
    }

    fn when(
        &mut self,
        property: usize,
        event: &Event,
        require: ast::ExprId,
    ) -> (Claim, Option<ExprId>) {
        let written = &self.annotations.properties[property];
        let required = match written.text.rsplit_once("require ") {
            Some((_, required)) => format!("`{required}` is not true here"),
            None => "what is required is not true here".to_owned(),
        };
        let check = self.add_check(written.name.clone(), required, require);
        let triggered = self.observe(property, event, Some((check, require)));
        (Claim::Check(check), Some(triggered))
    }

    fn add_check(&mut self, name: String, failure: String, require: ast::ExprId) -> CheckId {
        let span = self.exprs.checked.ast.expr(require).span;
        self.program().add_check(Check {
            name,
            failure,
            span,
        })
    }

    /// A flag that is set in each macro step in which the event happens, and what is required
    /// then.
    pub(super) fn observe(
        &mut self,
        property: usize,
        event: &Event,
        required: Option<(CheckId, ast::ExprId)>,
    ) -> ExprId {
        let Some(id) = self.event_id(&event.happening) else {
            return self.program().exprs.bool(false);
        };
        let name = &self.annotations.properties[property].name;
        let what = &self.exprs.lowered.program.events[id.index()].name;
        let (flag_name, observer_name) = (format!("{name}: {what}"), name.clone());
        let flag = self.happened(flag_name, event.span);
        self.enter(event);
        let guard = self.guard(event);
        let yes = self.program().exprs.bool(true);
        let mut body = vec![Stmt::Assign(Place::global(flag), yes)];
        if let Some((check, require)) = required {
            let cond = self.exprs.condition(require);
            let span = self.exprs.checked.ast.expr(require).span;
            body.push(Stmt::Assert { cond, check, span });
        }
        self.leave(id);
        self.plan(2, observer_name, id, guard, body, vec![property]);
        self.program()
            .exprs
            .load(Place::global(flag), ModelType::Bool)
    }

    /// Gives the observers their ids, in the order of stages, and the properties what is theirs.
    fn finish(mut self) {
        self.exprs.lowered.guess_at_the_end();
        for (event, ghosts) in std::mem::take(&mut self.snapshots) {
            let body: Vec<Stmt> = ghosts
                .into_iter()
                .map(|ghost| {
                    let names = &self.exprs.names;
                    let old = names.old_ghosts[ghost].expect("it has been asked for");
                    let current = names.ghosts[ghost];
                    let program = self.program();
                    let ty = program.globals[current.index()].ty.clone();
                    let value = program.exprs.load(Place::global(current), ty);
                    Stmt::Assign(Place::global(old), value)
                })
                .collect();
            if !body.is_empty() {
                self.observers.push(Planned {
                    stage: 0,
                    observer: Observer {
                        name: "old values".to_owned(),
                        event,
                        body,
                    },
                    owners: Vec::new(),
                });
            }
        }
        let annotations = self.annotations;
        let mut observers = std::mem::take(&mut self.observers);
        observers.sort_by_key(|planned| planned.stage);
        let program = self.program();
        for planned in observers {
            let id = program.add_observer(planned.observer);
            for owner in planned.owners {
                program.properties[owner].observers.push(id);
            }
        }
        for (index, property) in program.properties.iter_mut().enumerate() {
            property.assumptions = program
                .assumptions
                .iter()
                .enumerate()
                .filter(|(_, assumption)| {
                    let touched = assumption.properties.as_ref();
                    touched.is_none_or(|p| p.contains(&PropertyId::new(index)))
                })
                .map(|(id, _)| AssumptionId::new(id))
                .collect();
        }
        standing::in_order(program, annotations);
        self.exprs.lowered.store_lengths();
    }
}

fn place_global(place: &Place) -> GlobalId {
    match place.root {
        Root::Global(id) => id,
        _ => unreachable!("script variables are global"),
    }
}

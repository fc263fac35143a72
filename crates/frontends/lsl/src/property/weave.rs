//! Properties as parts of the program: observers, checks, formulas, assumptions.
//!
//! An observer runs at each micro event of its kind. Those of one kind run in three stages:
//! first the values that `old` asks for are put aside, then `on` blocks update the ghosts, then
//! claims and assumptions look. What is claimed between events is read at stable states.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use logic::Ltl;
use model::{
    AssumptionId, Check, CheckId, Claim, EventId, Expr, ExprId, Fairness, FairnessKind, GlobalId,
    Observer, Origin, Place, Program, PropertyId, Root, Stmt, Type as ModelType, ValueSet,
    Variable, VariableKind,
};
use source::Span;

use super::expression::{Expressions, ghost_type};
use super::resolve::{Event, Happening, Meaning, Resolved};
use super::syntax::{Annotations, AssumptionKind, Formula};
use crate::ast::{self, ExprKind, StmtKind};
use crate::check::{Checked, Resolution};
use crate::facts;
use crate::lower::Lowered;

/// Weaves the properties of a script into its program.
pub(super) fn weave(
    lowered: &mut Lowered,
    checked: &Checked,
    annotations: &Annotations,
    resolved: &Resolved,
) {
    let ghosts = resolved
        .ghosts
        .iter()
        .map(|ghost| declare_ghost(&mut lowered.program, checked, ghost))
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
    weaver.finish();
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

struct Weaver<'a> {
    exprs: Expressions<'a>,
    annotations: &'a Annotations,
    /// What stands for the event atoms of formulas.
    atoms: HashMap<Span, ExprId>,
    observers: Vec<Planned>,
    /// The ghosts whose old values are wanted at each kind of event.
    snapshots: BTreeMap<EventId, BTreeSet<usize>>,
}

impl Weaver<'_> {
    fn program(&mut self) -> &mut Program {
        &mut self.exprs.lowered.program
    }

    /// The kind of micro event behind a pattern; `None` if it can never happen.
    fn event_id(&self, happening: &Happening) -> Option<EventId> {
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

    fn enter(&mut self, event: &Event) {
        self.exprs.names.changing = match event.happening {
            Happening::Changes(global) => Some(global),
            _ => None,
        };
        self.exprs.names.asked_old.get_mut().clear();
    }

    /// Ends what [`Weaver::enter`] began: notes which old values the event needs.
    fn leave(&mut self, id: EventId) {
        let asked = self.exprs.names.asked_old.take();
        self.snapshots.entry(id).or_default().extend(asked);
        self.exprs.names.changing = None;
    }

    /// What must be true at a micro event for the pattern to match.
    fn guard(&mut self, event: &Event) -> ExprId {
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

    fn plan(
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

    fn flag(&mut self, name: String, span: Span) -> GlobalId {
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
    fn observe(
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
        let flag = self.flag(flag_name, event.span);
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

    /// A formula as the simplest claim that says the same, and what makes it speak at all.
    fn claim(&mut self, property: usize, formula: &Formula) -> (Claim, Option<ExprId>) {
        match formula {
            Formula::Always(p) if p.is_present() => {
                let trigger = self.premise(property, p);
                let holds = self.present(property, p);
                (Claim::Always(holds), trigger)
            }
            Formula::Never(p) if p.is_present() => {
                let happens = self.present(property, p);
                let never = self.program().exprs.not(happens);
                (Claim::Always(never), None)
            }
            Formula::LeadsTo(p, _) if p.is_present() => {
                let ltl = self.ltl(property, formula);
                let trigger = self.present(property, p);
                (Claim::Ltl(ltl), Some(trigger))
            }
            Formula::Always(p) => {
                let ltl = self.ltl(property, formula);
                let trigger = self.premise(property, p);
                (Claim::Ltl(ltl), trigger)
            }
            _ => (Claim::Ltl(self.ltl(property, formula)), None),
        }
    }

    /// The left side of an implication about the present.
    fn premise(&mut self, property: usize, formula: &Formula) -> Option<ExprId> {
        match formula {
            Formula::Implies(p, _) if p.is_present() => Some(self.present(property, p)),
            _ => None,
        }
    }

    /// A formula about the present as one expression.
    fn present(&mut self, property: usize, formula: &Formula) -> ExprId {
        match formula {
            Formula::State(expr) => self.exprs.condition(*expr),
            Formula::Event(pattern) => {
                if let Some(&atom) = self.atoms.get(&pattern.span) {
                    return atom;
                }
                let resolved = self.exprs.resolved;
                let event = resolved
                    .events
                    .get(&pattern.span)
                    .expect("formulas have been resolved");
                let atom = self.observe(property, event, None);
                self.atoms.insert(pattern.span, atom);
                atom
            }
            Formula::Not(p) => {
                let p = self.present(property, p);
                self.program().exprs.not(p)
            }
            Formula::And(p, q) => {
                let (p, q) = (self.present(property, p), self.present(property, q));
                self.program().exprs.and(p, q)
            }
            Formula::Or(p, q) => {
                let (p, q) = (self.present(property, p), self.present(property, q));
                self.program().exprs.or(p, q)
            }
            Formula::Implies(p, q) => {
                let (p, q) = (self.present(property, p), self.present(property, q));
                let exprs = &mut self.program().exprs;
                let not_p = exprs.not(p);
                exprs.or(not_p, q)
            }
            Formula::Iff(p, q) => {
                let (p, q) = (self.present(property, p), self.present(property, q));
                self.program().exprs.binary(model::Binary::Eq, p, q)
            }
            _ => unreachable!("the formula is about the present"),
        }
    }

    fn ltl(&mut self, property: usize, formula: &Formula) -> Ltl<ExprId> {
        if formula.is_present() {
            return Ltl::atom(self.present(property, formula));
        }
        let both = |weaver: &mut Self, p: &Formula, q: &Formula| -> (Ltl<ExprId>, Ltl<ExprId>) {
            (weaver.ltl(property, p), weaver.ltl(property, q))
        };
        match formula {
            Formula::State(_) | Formula::Event(_) => unreachable!("these are about the present"),
            Formula::Not(p) => Ltl::not(self.ltl(property, p)),
            Formula::And(p, q) => {
                let (p, q) = both(self, p, q);
                Ltl::and(p, q)
            }
            Formula::Or(p, q) => {
                let (p, q) = both(self, p, q);
                Ltl::or(p, q)
            }
            Formula::Implies(p, q) => {
                let (p, q) = both(self, p, q);
                Ltl::implies(p, q)
            }
            Formula::Iff(p, q) => {
                let (p, q) = both(self, p, q);
                Ltl::iff(p, q)
            }
            Formula::Next(p) => Ltl::next(self.ltl(property, p)),
            Formula::Always(p) => Ltl::always(self.ltl(property, p)),
            Formula::Never(p) => Ltl::always(Ltl::not(self.ltl(property, p))),
            Formula::Eventually(p) => Ltl::eventually(self.ltl(property, p)),
            Formula::Until(p, q) => {
                let (p, q) = both(self, p, q);
                Ltl::until(p, q)
            }
            Formula::Release(p, q) => {
                let (p, q) = both(self, p, q);
                Ltl::release(p, q)
            }
            Formula::WeakUntil(p, q) => {
                let (p, q) = both(self, p, q);
                Ltl::weak_until(p, q)
            }
            Formula::LeadsTo(p, q) => {
                let (p, q) = both(self, p, q);
                Ltl::always(Ltl::implies(p, Ltl::eventually(q)))
            }
        }
    }

    fn assumptions(&mut self) {
        let annotations = self.annotations;
        for (index, assumption) in annotations.assumptions.iter().enumerate() {
            let named: Option<Vec<usize>> = assumption.properties.as_ref().map(|names| {
                let position = |name: &String| {
                    let mut properties = annotations.properties.iter();
                    properties.position(|property| property.name == *name)
                };
                names
                    .iter()
                    .filter_map(|(name, _)| position(name))
                    .collect()
            });
            let text = match &assumption.kind {
                AssumptionKind::OwnerGrants(name) => format!(
                    "the owner, asked for {}, grants it",
                    self.exprs.checked.ast.name_text(*name)
                ),
                AssumptionKind::OwnerAnswers => {
                    "the owner answers requests for permissions at last".to_owned()
                }
                AssumptionKind::TimerKeepsFiring => "a timer that is set fires at last".to_owned(),
                AssumptionKind::QueueNeverOverflows => {
                    "the script's queue of 64 events never overflows".to_owned()
                }
                AssumptionKind::NoPaymentLost => "no payment is discarded unseen".to_owned(),
                AssumptionKind::OwnerStays => "the object keeps its owner".to_owned(),
                AssumptionKind::InventoryStays => {
                    "the object's inventory stays as it is".to_owned()
                }
                AssumptionKind::PaymentsPositive => "payments are of at least L$1".to_owned(),
                AssumptionKind::Always(_) | AssumptionKind::When(..) => assumption.text.clone(),
            };
            let id = self.program().add_assumption(model::Assumption {
                text,
                origin: Origin::Stated,
                properties: named
                    .as_ref()
                    .map(|named| named.iter().map(|&p| PropertyId::new(p)).collect()),
                span: assumption.span,
            });
            let owners = named.unwrap_or_default();
            self.assume(index, &assumption.kind, id, &owners);
        }
    }

    fn assume(&mut self, index: usize, kind: &AssumptionKind, id: AssumptionId, owners: &[usize]) {
        let world = self.exprs.names.layout.world.clone();
        match kind {
            AssumptionKind::OwnerGrants(name) => {
                let checked = self.exprs.checked;
                let mask = facts::constant(checked.ast.name_text(*name)).map(|c| &c.value);
                if let Some(facts::Value::Integer(mask)) = mask {
                    self.assume_granted(world.answered, *mask, owners);
                }
                self.keeps_happening("run_time_permissions", id);
            }
            AssumptionKind::OwnerAnswers => self.keeps_happening("run_time_permissions", id),
            AssumptionKind::TimerKeepsFiring => self.keeps_happening("timer", id),
            AssumptionKind::QueueNeverOverflows => self.never(world.overflow, owners),
            AssumptionKind::NoPaymentLost => self.never(world.losing, owners),
            AssumptionKind::OwnerStays => self.never(world.owner_changes, owners),
            AssumptionKind::InventoryStays => self.never(world.inventory_changes, owners),
            AssumptionKind::PaymentsPositive => {
                let exprs = &mut self.program().exprs;
                let amount = exprs.load(Root::Argument(1).into(), ModelType::INT32);
                let zero = exprs.int(0, ModelType::INT32);
                let positive = exprs.binary(model::Binary::Lt, zero, amount);
                self.plan_assume(world.paid, positive, owners);
            }
            AssumptionKind::Always(_) => {
                let Some(Meaning::Formula(formula)) = &self.exprs.resolved.assumptions[index]
                else {
                    return;
                };
                let constraint = self.present(usize::MAX, formula);
                self.program().state_constraint.push(constraint);
            }
            AssumptionKind::When(..) => {
                let Some(Meaning::When(event, require)) = &self.exprs.resolved.assumptions[index]
                else {
                    return;
                };
                let Some(event_id) = self.event_id(&event.happening) else {
                    return;
                };
                self.enter(event);
                let guard = self.guard(event);
                let condition = self.exprs.condition(*require);
                self.leave(event_id);
                self.plan(
                    2,
                    "assumption".to_owned(),
                    event_id,
                    guard,
                    vec![Stmt::Assume(condition)],
                    owners.to_vec(),
                );
            }
        }
    }

    /// Whoever asks for the permission gets it.
    fn assume_granted(&mut self, answered: EventId, mask: i32, owners: &[usize]) {
        let exprs = &mut self.program().exprs;
        let mask = exprs.int(mask.into(), ModelType::INT32);
        let zero = exprs.int(0, ModelType::INT32);
        let [asked, granted] = [0, 1].map(|argument| {
            let given = exprs.load(Root::Argument(argument).into(), ModelType::INT32);
            let bits = exprs.binary(model::Binary::BitAnd, given, mask);
            exprs.binary(model::Binary::Ne, bits, zero)
        });
        let not_asked = exprs.not(asked);
        let condition = exprs.or(not_asked, granted);
        self.plan_assume(answered, condition, owners);
    }

    fn never(&mut self, event: EventId, owners: &[usize]) {
        let no = self.program().exprs.bool(false);
        self.plan_assume(event, no, owners);
    }

    fn plan_assume(&mut self, event: EventId, condition: ExprId, owners: &[usize]) {
        let always = self.program().exprs.bool(true);
        self.plan(
            2,
            "assumption".to_owned(),
            event,
            always,
            vec![Stmt::Assume(condition)],
            owners.to_vec(),
        );
    }

    fn keeps_happening(&mut self, event: &str, assumption: AssumptionId) {
        let Some(steps) = self.exprs.names.layout.steps.get(event).cloned() else {
            return;
        };
        self.program().fairness.push(Fairness {
            name: format!("{event} happens again and again where it can"),
            kind: FairnessKind::Weak(steps),
            assumption: Some(assumption),
        });
    }

    /// Gives the observers their ids, in the order of stages, and the properties what is theirs.
    fn finish(mut self) {
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
    }
}

fn place_global(place: &Place) -> GlobalId {
    match place.root {
        Root::Global(id) => id,
        _ => unreachable!("script variables are global"),
    }
}

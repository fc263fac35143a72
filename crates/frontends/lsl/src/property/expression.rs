//! Expressions of properties as expressions of the program.
//!
//! They are LSL with three differences. A ghost is a mathematical integer, and what it meets in
//! `+`, `<` and the like becomes one too, so that a ledger cannot overflow. A property is a
//! spectator: where the script would stop with a Math Error, division by zero gives 0 here. And
//! `&&` and `||` look at the right side only if need be, which without errors and effects nobody
//! can tell from LSL's way.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::resolve::{Extra, Resolved};
use super::syntax::GhostType;
use crate::Type;
use crate::ast::{self, BinaryOp, ExprKind, UnaryOp};
use crate::check::{Checked, Resolution};
use crate::facts;
use crate::lower::{Extras, Lowered, Pure};
use crate::watch::Layout;
use model::{
    Binary, Expr, ExprId, GlobalId, Place, Program, Root, Type as ModelType, Unary, VariableKind,
};

/// What expressions of properties are lowered with.
pub(super) struct Expressions<'a> {
    pub(super) lowered: &'a mut Lowered,
    pub(super) checked: &'a Checked,
    pub(super) resolved: &'a Resolved,
    pub(super) names: Names<'a>,
}

/// What the names that properties bring in stand for.
pub(super) struct Names<'a> {
    extras: &'a [Extra],
    pub(super) layout: Layout,
    /// The ghosts' variables.
    pub(super) ghosts: Vec<GlobalId>,
    /// Their values before the event at hand, of those that somebody asks for.
    pub(super) old_ghosts: Vec<Option<GlobalId>>,
    /// The ghosts whose old value has been asked for since this was last emptied.
    pub(super) asked_old: RefCell<BTreeSet<usize>>,
    /// The event at hand is a change of this variable.
    pub(super) changing: Option<ast::GlobalId>,
}

impl<'a> Expressions<'a> {
    /// For a lowered script and the variables of its ghosts.
    pub(super) fn new(
        lowered: &'a mut Lowered,
        checked: &'a Checked,
        resolved: &'a Resolved,
        ghosts: Vec<GlobalId>,
    ) -> Expressions<'a> {
        let mut old_ghosts = vec![None; ghosts.len()];
        for &ghost in &resolved.old_ghosts {
            let mut before = lowered.program.globals[ghosts[ghost].index()].clone();
            before.name = format!("old({})", before.name);
            before.kind = VariableKind::Step;
            old_ghosts[ghost] = Some(lowered.program.add_global(before));
        }
        Expressions {
            names: Names {
                extras: &resolved.extras,
                layout: lowered.layout.clone(),
                ghosts,
                old_ghosts,
                asked_old: RefCell::default(),
                changing: None,
            },
            lowered,
            checked,
            resolved,
        }
    }
}

impl Names<'_> {
    /// The value of a name; `old`: just before the event at hand.
    fn read(&self, program: &mut Program, number: u32, old: bool) -> ExprId {
        let (place, ty) = match &self.extras[number as usize] {
            &Extra::Ghost(ghost) => {
                let global = match self.old_ghosts[ghost] {
                    Some(before) if old => {
                        self.asked_old.borrow_mut().insert(ghost);
                        before
                    }
                    _ => self.ghosts[ghost],
                };
                let ty = program.globals[global.index()].ty.clone();
                (Place::global(global), ty)
            }
            &Extra::Argument { index, ty } => (Root::Argument(index).into(), model_type(ty)),
            Extra::Parameter { event, index, ty } => {
                let ty = model_type(*ty);
                match self.layout.during.get(event) {
                    Some(during) => (Place::global(during.parameters[*index]), ty),
                    // No state handles the event, so nobody will ask.
                    None => {
                        let zero = program.zero(&ty);
                        return program.exprs.value(zero, ty);
                    }
                }
            }
            Extra::Old | Extra::Granted => unreachable!("these are called, not named"),
        };
        program.exprs.load(place, ty)
    }

    /// A script variable just before the event at hand, if that is another value.
    fn before(&self, program: &mut Program, global: ast::GlobalId) -> Option<ExprId> {
        if self.changing != Some(global) {
            return None;
        }
        let variable = self.layout.globals[global.index()];
        let ty = program.globals[variable.index()].ty.clone();
        Some(program.exprs.load(Root::Argument(0).into(), ty))
    }

    /// Whether all of these permissions are granted.
    fn granted(&self, program: &mut Program, permission: ExprId) -> ExprId {
        let global = self
            .layout
            .facts
            .granted
            .expect("lowering keeps the facts that are watched");
        let exprs = &mut program.exprs;
        let mask = exprs.load(Place::global(global), ModelType::INT32);
        let both = exprs.binary(Binary::BitAnd, mask, permission);
        exprs.binary(Binary::Eq, both, permission)
    }

    /// As lowering wants values: numbers in 32 bits.
    fn narrow(program: &mut Program, value: ExprId) -> ExprId {
        if *program.exprs.ty(value) == ModelType::Mathint {
            return program.exprs.add(Expr::Convert(value), ModelType::INT32);
        }
        value
    }
}

/// Names now, for what the lowering of the script does.
impl Extras for Names<'_> {
    fn variable(&self, program: &mut Program, number: u32) -> Option<ExprId> {
        let value = self.read(program, number, false);
        Some(Names::narrow(program, value))
    }

    fn call(
        &self,
        pure: &mut Pure<'_, '_>,
        number: u32,
        arguments: &[ast::ExprId],
    ) -> Option<ExprId> {
        match self.extras[number as usize] {
            Extra::Old => Some(pure.value_with(arguments[0], &Before(self))),
            Extra::Granted => {
                let permission = pure.value(arguments[0]);
                Some(self.granted(pure.program(), permission))
            }
            _ => None,
        }
    }
}

/// Names just before the event at hand.
struct Before<'a, 'b>(&'a Names<'b>);

impl Extras for Before<'_, '_> {
    fn global(&self, program: &mut Program, global: ast::GlobalId) -> Option<ExprId> {
        self.0.before(program, global)
    }

    fn variable(&self, program: &mut Program, number: u32) -> Option<ExprId> {
        let value = self.0.read(program, number, true);
        Some(Names::narrow(program, value))
    }

    fn call(
        &self,
        pure: &mut Pure<'_, '_>,
        number: u32,
        arguments: &[ast::ExprId],
    ) -> Option<ExprId> {
        self.0.call(pure, number, arguments)
    }
}

impl Expressions<'_> {
    /// An expression as a truth value.
    pub(super) fn condition(&mut self, id: ast::ExprId) -> ExprId {
        let id = self.checked.ast.without_parentheses(id);
        match self.checked.ast.expr(id).kind {
            ExprKind::Unary {
                op: UnaryOp::Not,
                operand,
            } => {
                let operand = self.condition(operand);
                self.lowered.program.exprs.not(operand)
            }
            ExprKind::Binary { op, .. } if op.is_logic() => self.logic(id),
            ExprKind::Binary {
                op, left, right, ..
            } if op.is_comparison() => self.comparison(id, op, left, right),
            ExprKind::Word { .. } => self.in_state(id),
            ExprKind::Call { ref arguments, .. } if self.is_extra(id, &Extra::Granted) => {
                let permission = self.value(arguments[0], false);
                self.names.granted(&mut self.lowered.program, permission)
            }
            _ => {
                let value = self.value(id, false);
                self.truth(id, value)
            }
        }
    }

    fn is_extra(&self, id: ast::ExprId, wanted: &Extra) -> bool {
        matches!(self.checked.exprs.resolution(id),
            Some(Resolution::Extra(extra)) if self.resolved.extras[extra as usize] == *wanted)
    }

    /// A chain of `&&` and `||`, which may be as long as the text.
    fn logic(&mut self, id: ast::ExprId) -> ExprId {
        let (lowest, spine) = self.checked.ast.left_spine(id);
        let first = spine
            .iter()
            .position(|&node| self.binary_op(node).is_some_and(BinaryOp::is_logic))
            .expect("the chain ends in a logical operator");
        let begin = if first == 0 { lowest } else { spine[first - 1] };
        let mut left = self.condition(begin);
        for &node in &spine[first..] {
            let ExprKind::Binary { op, right, .. } = self.checked.ast.expr(node).kind else {
                unreachable!("a spine is made of binary operators");
            };
            let right = self.condition(right);
            left = match op {
                BinaryOp::And => self.lowered.program.exprs.and(left, right),
                _ => self.lowered.program.exprs.or(left, right),
            };
        }
        left
    }

    fn binary_op(&self, id: ast::ExprId) -> Option<BinaryOp> {
        match self.checked.ast.expr(id).kind {
            ExprKind::Binary { op, .. } => Some(op),
            _ => None,
        }
    }

    fn comparison(
        &mut self,
        id: ast::ExprId,
        op: BinaryOp,
        left: ast::ExprId,
        right: ast::ExprId,
    ) -> ExprId {
        let types = [left, right].map(|side| self.checked.exprs.used_as(side));
        if types
            .iter()
            .any(|ty| !(ty.is_text() || *ty == Type::Integer))
        {
            let value = self.other(id);
            return self.truth(id, value);
        }
        let sides = [left, right];
        let mut left = self.value(left, false);
        let mut right = self.value(right, false);
        if types[0].is_text() && matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            let same = self.lowered.same_text(sides, left, right);
            return match op {
                BinaryOp::Equal => same,
                _ => self.lowered.program.exprs.not(same),
            };
        }
        if types[0] == Type::Integer {
            (left, right) = self.promoted(left, right);
        }
        let exprs = &mut self.lowered.program.exprs;
        match op {
            BinaryOp::Equal => exprs.binary(Binary::Eq, left, right),
            BinaryOp::NotEqual => exprs.binary(Binary::Ne, left, right),
            BinaryOp::Less => exprs.binary(Binary::Lt, left, right),
            BinaryOp::LessEqual => exprs.binary(Binary::Le, left, right),
            BinaryOp::Greater => exprs.binary(Binary::Lt, right, left),
            _ => exprs.binary(Binary::Le, right, left),
        }
    }

    fn in_state(&mut self, id: ast::ExprId) -> ExprId {
        let Some(Resolution::State(state)) = self.checked.exprs.resolution(id) else {
            unreachable!("names behind `in` are states");
        };
        let ty = ModelType::Enum(self.names.layout.states);
        let index = i128::try_from(state.index()).expect("few states");
        let exprs = &mut self.lowered.program.exprs;
        let current = exprs.load(Place::global(self.names.layout.state), ty.clone());
        let wanted = exprs.int(index, ty);
        exprs.binary(Binary::Eq, current, wanted)
    }

    /// Whether a value is true as a condition.
    fn truth(&mut self, id: ast::ExprId, value: ExprId) -> ExprId {
        let exprs = &mut self.lowered.program.exprs;
        if exprs.ty(value).is_integer() {
            let zero = exprs.int(0, exprs.ty(value).clone());
            return exprs.binary(Binary::Ne, value, zero);
        }
        self.other_truth(id)
    }

    fn text(&mut self, text: &str) -> ExprId {
        let value = self.lowered.program.rich.text(text);
        self.lowered.program.exprs.value(value, ModelType::Rich)
    }

    /// Two numbers as numbers of one type.
    fn promoted(&mut self, left: ExprId, right: ExprId) -> (ExprId, ExprId) {
        let exprs = &mut self.lowered.program.exprs;
        if exprs.ty(left) == exprs.ty(right) {
            return (left, right);
        }
        (self.unbounded(left), self.unbounded(right))
    }

    /// A number as a mathematical integer.
    pub(super) fn unbounded(&mut self, value: ExprId) -> ExprId {
        let exprs = &mut self.lowered.program.exprs;
        if *exprs.ty(value) == ModelType::Mathint {
            return value;
        }
        match exprs.constant(value) {
            Some(constant) => {
                let constant = constant.clone();
                exprs.value(constant, ModelType::Mathint)
            }
            None => exprs.add(Expr::Convert(value), ModelType::Mathint),
        }
    }

    /// The value of an expression; `old`: just before the event at hand.
    pub(super) fn value(&mut self, id: ast::ExprId, old: bool) -> ExprId {
        let id = self.checked.ast.without_parentheses(id);
        let used = self.checked.exprs.get(id);
        if used.converted == Some(Type::Float) {
            return self.other(id);
        }
        let kind = self.checked.ast.expr(id).kind.clone();
        match kind {
            ExprKind::Integer(value) => self
                .lowered
                .program
                .exprs
                .int(value.into(), ModelType::INT32),
            ExprKind::String(symbol) => {
                let checked = self.checked;
                self.text(checked.ast.text(symbol))
            }
            ExprKind::Name(_) => self.name(id, old),
            ExprKind::Unary { op, operand }
                if self.checked.exprs.used_as(operand) == Type::Integer =>
            {
                if op == UnaryOp::Not {
                    let truth = self.condition(id);
                    return self.as_integer(truth);
                }
                let operand = self.value(operand, old);
                let op = match op {
                    UnaryOp::Negate => Unary::Neg,
                    _ => Unary::BitNot,
                };
                self.lowered.program.exprs.unary(op, operand)
            }
            ExprKind::Binary { op, .. } if op.is_logic() || op.is_comparison() => {
                let is_list_difference = op == BinaryOp::NotEqual && self.compares_lists(id);
                if is_list_difference {
                    return self.other(id);
                }
                let truth = self.condition(id);
                self.as_integer(truth)
            }
            ExprKind::Binary { .. } if used.ty.value() == Some(Type::Integer) => {
                self.arithmetic(id, old)
            }
            ExprKind::Word { .. } => {
                let truth = self.in_state(id);
                self.as_integer(truth)
            }
            ExprKind::Cast { to, operand } => {
                let from = self.checked.exprs.used_as(operand);
                if from == to || (from.is_text() && to.is_text()) {
                    return self.value(operand, old);
                }
                self.other(id)
            }
            ExprKind::Call { arguments, .. } => self.call(id, &arguments),
            _ => self.other(id),
        }
    }

    fn compares_lists(&self, id: ast::ExprId) -> bool {
        match self.checked.ast.expr(id).kind {
            ExprKind::Binary { left, .. } => self.checked.exprs.used_as(left) == Type::List,
            _ => false,
        }
    }

    fn as_integer(&mut self, truth: ExprId) -> ExprId {
        self.lowered
            .program
            .exprs
            .add(Expr::Convert(truth), ModelType::INT32)
    }

    fn call(&mut self, id: ast::ExprId, arguments: &[ast::ExprId]) -> ExprId {
        if self.is_extra(id, &Extra::Old) {
            return self.value(arguments[0], true);
        }
        if self.is_extra(id, &Extra::Granted) {
            let truth = self.condition(id);
            return self.as_integer(truth);
        }
        self.other(id)
    }

    fn name(&mut self, id: ast::ExprId, old: bool) -> ExprId {
        match self.checked.exprs.resolution(id) {
            Some(Resolution::Global(global)) => {
                let program = &mut self.lowered.program;
                if old && let Some(before) = self.names.before(program, global) {
                    return before;
                }
                let variable = self.names.layout.globals[global.index()];
                let ty = program.globals[variable.index()].ty.clone();
                program.exprs.load(Place::global(variable), ty)
            }
            Some(Resolution::Constant(constant)) => match &constant.value {
                facts::Value::Integer(value) => self
                    .lowered
                    .program
                    .exprs
                    .int((*value).into(), ModelType::INT32),
                facts::Value::String(text) => self.text(text),
                _ => self.other(id),
            },
            Some(Resolution::Extra(extra)) => {
                self.names.read(&mut self.lowered.program, extra, old)
            }
            _ => unreachable!("names have been checked"),
        }
    }

    /// Sums and the like, which may be as long as the text.
    fn arithmetic(&mut self, id: ast::ExprId, old: bool) -> ExprId {
        let (lowest, spine) = self.checked.ast.left_spine(id);
        let first = spine
            .iter()
            .rposition(|&node| {
                let op = self.binary_op(node).expect("a spine is binary");
                op.is_logic()
                    || op.is_comparison()
                    || self.checked.exprs.used_as(node) != Type::Integer
            })
            .map_or(0, |at| at + 1);
        let begin = if first == 0 { lowest } else { spine[first - 1] };
        if self.checked.exprs.used_as(begin) != Type::Integer {
            // `vector * vector` and the like.
            return self.other(id);
        }
        let mut left = self.value(begin, old);
        for &node in &spine[first..] {
            let ExprKind::Binary { op, right, .. } = self.checked.ast.expr(node).kind else {
                unreachable!("a spine is made of binary operators");
            };
            let mut right = self.value(right, old);
            (left, right) = self.promoted(left, right);
            left = self.operation(op, left, right);
        }
        left
    }

    /// An arithmetic operator on two numbers of one type.
    pub(super) fn operation(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let exprs = &mut self.lowered.program.exprs;
        let op = match op {
            BinaryOp::Add => Binary::Add,
            BinaryOp::Subtract => Binary::Sub,
            BinaryOp::Multiply => Binary::Mul,
            BinaryOp::Divide => Binary::Div,
            BinaryOp::Remainder => Binary::Rem,
            BinaryOp::ShiftLeft => Binary::Shl,
            BinaryOp::ShiftRight => Binary::Shr,
            BinaryOp::BitAnd => Binary::BitAnd,
            BinaryOp::BitXor => Binary::BitXor,
            _ => Binary::BitOr,
        };
        let result = exprs.binary(op, left, right);
        if !matches!(op, Binary::Div | Binary::Rem) {
            return result;
        }
        let ty = exprs.ty(left).clone();
        if exprs
            .constant(right)
            .is_some_and(|value| value.number() != 0)
        {
            return result;
        }
        let zero = exprs.int(0, ty.clone());
        let by_zero = exprs.binary(Binary::Eq, right, zero);
        exprs.add(Expr::Ite(by_zero, zero, result), ty)
    }

    /// What is left to the lowering of the script: floats, vectors, lists, text functions. What
    /// it cannot do is among its diagnostics.
    fn other(&mut self, id: ast::ExprId) -> ExprId {
        self.lowered.pure(self.checked, id, &self.names)
    }

    fn other_truth(&mut self, id: ast::ExprId) -> ExprId {
        self.lowered.truth(self.checked, id, &self.names)
    }
}

/// How the program keeps values of an LSL type.
fn model_type(ty: Type) -> ModelType {
    match ty {
        Type::Integer => ModelType::INT32,
        _ => ModelType::Rich,
    }
}

/// How the program keeps a ghost.
pub(super) fn ghost_type(ty: GhostType) -> ModelType {
    match ty {
        GhostType::Integer => ModelType::Mathint,
        GhostType::Key | GhostType::String => ModelType::Rich,
    }
}

//! Expressions, in LSL's order of evaluation.
//!
//! Operands of binary operators are evaluated right to left, arguments and elements left to
//! right, the value of an assignment before the variable it goes to is read; `&&` and `||`
//! evaluate both sides. The model's expressions have no effects, so an effect becomes a statement
//! before the expression, and an operand that has been evaluated earlier than an effect is saved
//! in a temporary first.

use model::{Binary, ExprId, Place, Stmt, Unary};
use source::Diagnostic;

use super::build::model_type;
use super::code::Coder;
use crate::ast::{self, BinaryOp, ExprKind, UnaryOp};
use crate::check::Resolution;
use crate::codes::lowering as code;
use crate::facts;
use crate::library::{self, PureEntry};
use crate::types::Type;

/// A chain of operators longer than this is cut by temporaries, so that nothing that walks
/// expressions runs out of stack.
const LONGEST_CHAIN: usize = 64;

impl Coder<'_> {
    /// The type of an expression by itself; `integer` for what has none (which has been reported).
    pub(crate) fn own_type(&self, id: ast::ExprId) -> Type {
        self.input
            .checked
            .exprs
            .ty(id)
            .value()
            .unwrap_or(Type::Integer)
    }

    /// The type that the place around the expression sees.
    pub(crate) fn seen_type(&self, id: ast::ExprId) -> Type {
        let used = self.input.checked.exprs.get(id);
        used.converted.or(used.ty.value()).unwrap_or(Type::Integer)
    }

    /// The value that the place around the expression sees. Comparisons may give a truth value
    /// of the model instead of an integer.
    pub(crate) fn value(&mut self, id: ast::ExprId) -> ExprId {
        let value = self.expression(id);
        let (from, to) = (self.own_type(id), self.seen_type(id));
        self.convert(value, from, to)
    }

    /// The value as LSL stores it in something of type `ty`.
    pub(crate) fn stored_value(&mut self, id: ast::ExprId, ty: Type) -> ExprId {
        let value = self.expression(id);
        let from = self.own_type(id);
        let value = self.convert(value, from, ty);
        self.as_stored(value, ty)
    }

    /// A value as a variable of its type holds it.
    pub(crate) fn as_stored(&mut self, value: ExprId, ty: Type) -> ExprId {
        match ty {
            Type::Integer => self.build.as_int(value),
            Type::Float => match self.build.program.exprs.get(value) {
                // Read from a variable: rounded already.
                model::Expr::Load(_) if !self.is_temporary(value) => value,
                _ => self.build.apply(library::store_float(), &[value]),
            },
            _ => value,
        }
    }

    /// Whether the expression reads a temporary, which may hold a double.
    fn is_temporary(&self, value: ExprId) -> bool {
        let model::Expr::Load(place) = self.build.program.exprs.get(value) else {
            return false;
        };
        self.temporaries.holds(place)
    }

    /// An implicit conversion or a cast.
    pub(crate) fn convert(&mut self, value: ExprId, from: Type, to: Type) -> ExprId {
        if from == to || (from.is_text() && to.is_text()) {
            return value;
        }
        let value = if from == Type::Integer {
            self.build.as_int(value)
        } else {
            value
        };
        match library::cast(from, to) {
            Some(entry) => self.operation(entry, &[value], &[from]),
            None => value,
        }
    }

    /// The truth of a value, as conditions ask for it.
    pub(crate) fn truth(&mut self, value: ExprId, ty: Type) -> ExprId {
        match ty {
            Type::Integer => self.build.as_bool(value),
            Type::String if self.is_plain() => {
                let empty = self.build.text("");
                let is_empty = self.build.equal(value, empty);
                self.build.not(is_empty)
            }
            _ => {
                let truth = self.operation(library::truth(ty), &[value], &[ty]);
                self.build.as_bool(truth)
            }
        }
    }

    /// An expression as a condition.
    pub(crate) fn condition(&mut self, id: ast::ExprId) -> ExprId {
        let value = self.expression(id);
        let ty = self.own_type(id);
        self.about(&[id]);
        self.truth(value, ty)
    }

    /// The expression by itself, effects before it.
    pub(crate) fn expression(&mut self, id: ast::ExprId) -> ExprId {
        let checked = self.input.checked;
        let expr = checked.ast.expr(id);
        match &expr.kind {
            ExprKind::Error => self.build.int(0),
            ExprKind::Integer(value) => self.build.int(*value),
            ExprKind::Float(value) => self.build.float(f64::from(*value)),
            ExprKind::String(symbol) => {
                let text = checked.ast.text(*symbol).to_owned();
                self.build.text(&text)
            }
            ExprKind::Vector(parts) => self.components(parts, library::vector_literal()),
            ExprKind::Rotation(parts) => self.components(parts, library::rotation_literal()),
            ExprKind::List(elements) => {
                let elements: Vec<_> = elements.to_vec();
                let values = self.in_order(&elements, |coder, id| {
                    let value = coder.value(id);
                    let ty = coder.seen_type(id);
                    coder.element(value, ty)
                });
                self.build.apply(library::list_literal(), &values)
            }
            ExprKind::Name(_) => self.name(id),
            ExprKind::Member { field, .. } => {
                let whole = self.name(id);
                let owner = self.member_owner(id);
                match library::member(owner, checked.ast.name_text(*field)) {
                    Some(entry) => self.build.apply(entry, &[whole]),
                    None => whole,
                }
            }
            ExprKind::Call { arguments, .. } => self.call(id, arguments),
            ExprKind::Print(operand) => {
                self.value(*operand);
                self.build.int(0)
            }
            ExprKind::Unary { op, operand } => self.unary(*op, *operand),
            ExprKind::Step { place, by, postfix } => self.step(*place, *by, *postfix),
            ExprKind::Binary { .. } => self.chain(id),
            ExprKind::Assign { op, place, value } => self.assignment(*op, *place, *value),
            ExprKind::Cast { to, operand } => {
                if *to == Type::Integer
                    && let Some(truncation) = library::cast(Type::Float, Type::Integer)
                    && let Some(drawn) = self.random_integer(truncation, *operand)
                {
                    return drawn;
                }
                let value = self.expression(*operand);
                let from = self.own_type(*operand);
                self.about(&[*operand]);
                self.convert(value, from, *to)
            }
            ExprKind::Parenthesized(inner) => self.expression(*inner),
            ExprKind::Undecided { ty, truth, after } => {
                for &before in after {
                    let value = self.expression(before);
                    self.keep_fault(value);
                }
                self.undecided_value(id, *ty, *truth)
            }
            ExprKind::Word { .. } => match checked.exprs.resolution(id) {
                Some(Resolution::State(state)) => self.in_state(state),
                Some(Resolution::Extra(number)) => self.extra(number, id),
                _ => self.build.int(0),
            },
        }
    }

    /// Whether the script is in a state.
    fn in_state(&mut self, state: ast::StateId) -> ExprId {
        let current = self.build.read(self.build.world.state);
        let wanted = self.build.state_value(state);
        self.build.equal(current, wanted)
    }

    /// Several expressions, left to right.
    pub(crate) fn in_order(
        &mut self,
        ids: &[ast::ExprId],
        mut lower: impl FnMut(&mut Self, ast::ExprId) -> ExprId,
    ) -> Vec<ExprId> {
        let last_effect = ids
            .iter()
            .rposition(|&id| self.input.survey.has_effects(id))
            .unwrap_or(0);
        ids.iter()
            .enumerate()
            .map(|(index, &id)| {
                let value = lower(self, id);
                if index < last_effect {
                    self.save(value)
                } else {
                    value
                }
            })
            .collect()
    }

    fn components(&mut self, parts: &[ast::ExprId], entry: &'static PureEntry) -> ExprId {
        let values = self.in_order(parts, |coder, id| {
            let value = coder.expression(id);
            let from = coder.own_type(id);
            coder.convert(value, from, Type::Float)
        });
        self.build.apply(entry, &values)
    }

    /// A value as the element of a list.
    fn element(&mut self, value: ExprId, ty: Type) -> ExprId {
        let value = self.as_int_if(value, ty);
        self.build.apply(library::as_element(ty), &[value])
    }

    fn as_int_if(&mut self, value: ExprId, ty: Type) -> ExprId {
        if ty == Type::Integer {
            self.build.as_int(value)
        } else {
            value
        }
    }

    /// A variable or a builtin constant.
    fn name(&mut self, id: ast::ExprId) -> ExprId {
        match self.input.checked.exprs.resolution(id) {
            Some(Resolution::Global(global)) => {
                if let Some(extras) = self.extras
                    && let Some(value) = extras.global(&mut self.build.program, global)
                {
                    return value;
                }
                self.build.read(self.build.globals[global.index()])
            }
            Some(Resolution::Local(local)) => {
                let ty = self.local_type(local);
                match self.local(local, ty) {
                    Some(value) => value,
                    None => self.zero(ty),
                }
            }
            Some(Resolution::Constant(constant)) => self.constant(constant),
            Some(Resolution::Extra(number)) => self.extra(number, id),
            _ => {
                let ty = self.own_type(id);
                self.zero(ty)
            }
        }
    }

    fn constant(&mut self, constant: &facts::Constant) -> ExprId {
        match &constant.value {
            facts::Value::Integer(value) => self.build.int(*value),
            facts::Value::Float(value) => self.build.float(f64::from(*value)),
            facts::Value::String(text) => self.build.text(text),
            facts::Value::Vector(parts) => {
                let parts = parts.map(|part| self.build.float(f64::from(part)));
                self.build.apply(library::vector_literal(), &parts)
            }
            facts::Value::Rotation(parts) => {
                let parts = parts.map(|part| self.build.float(f64::from(part)));
                self.build.apply(library::rotation_literal(), &parts)
            }
        }
    }

    /// Something that a property brings in.
    fn extra(&mut self, number: u32, id: ast::ExprId) -> ExprId {
        let found = self
            .extras
            .and_then(|extras| extras.variable(&mut self.build.program, number));
        match found {
            Some(value) => value,
            None => {
                self.complain(id, "this cannot be used here");
                let ty = self.own_type(id);
                self.zero(ty)
            }
        }
    }

    /// Reports an expression that cannot be lowered.
    pub(crate) fn complain(&mut self, id: ast::ExprId, message: &str) {
        let span = self.input.checked.ast.expr(id).span;
        self.build
            .diagnostics
            .push(Diagnostic::error(code::NO_VALUE, message).at(span));
    }

    /// The default value of a type.
    pub(crate) fn zero(&mut self, ty: Type) -> ExprId {
        match ty {
            Type::Integer => self.build.int(0),
            Type::Float => self.build.float(0.0),
            Type::String | Type::Key => self.build.text(""),
            Type::Vector => {
                let zero = self.build.float(0.0);
                self.build.apply(library::vector_literal(), &[zero; 3])
            }
            Type::Rotation => {
                let (zero, one) = (self.build.float(0.0), self.build.float(1.0));
                self.build
                    .apply(library::rotation_literal(), &[zero, zero, zero, one])
            }
            Type::List => self.build.apply(library::list_literal(), &[]),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: ast::ExprId) -> ExprId {
        let ty = self.own_type(operand);
        match op {
            UnaryOp::Not => {
                let truth = self.condition(operand);
                self.build.not(truth)
            }
            UnaryOp::BitNot => {
                let value = self.expression(operand);
                let value = self.build.as_int(value);
                self.build.program.exprs.unary(Unary::BitNot, value)
            }
            UnaryOp::Negate => {
                let value = self.expression(operand);
                if ty == Type::Integer {
                    let value = self.build.as_int(value);
                    return self.build.negate(value);
                }
                match library::unary("-", ty) {
                    Some(entry) => self.build.apply(entry, &[value]),
                    None => value,
                }
            }
        }
    }

    /// A chain of binary operators along left operands: right operands first, from the end.
    fn chain(&mut self, id: ast::ExprId) -> ExprId {
        let ast = &self.input.checked.ast;
        let (lowest, spine) = ast.left_spine(id);
        let survey = self.input.survey;
        // Whether something evaluated later, that is further left, has effects.
        let mut later = survey.has_effects(lowest);
        let mut effects_left = Vec::with_capacity(spine.len());
        for &node in &spine {
            effects_left.push(later);
            if let ExprKind::Binary { right, .. } = ast.expr(node).kind {
                later |= survey.has_effects(right);
            }
        }
        let mut rights = Vec::with_capacity(spine.len());
        for (&node, &effects) in spine.iter().zip(&effects_left).rev() {
            let ExprKind::Binary { right, .. } = ast.expr(node).kind else {
                continue;
            };
            let value = self.expression(right);
            let value = if effects { self.save(value) } else { value };
            rights.push(value);
        }
        rights.reverse();
        let mut left_type = self.own_type(lowest);
        let mut value = self.expression(lowest);
        for (index, (&node, &right_value)) in spine.iter().zip(&rights).enumerate() {
            let ExprKind::Binary { op, right, .. } = ast.expr(node).kind else {
                continue;
            };
            let right_type = self.own_type(right);
            let left = if index == 0 { lowest } else { spine[index - 1] };
            self.about(&[left, right]);
            value = self.binary(op, value, left_type, right_value, right_type);
            left_type = self.own_type(node);
            if index % LONGEST_CHAIN == LONGEST_CHAIN - 1 {
                if self.temporaries.allowed() {
                    value = self.save(value);
                } else if spine.len() > 16 * LONGEST_CHAIN {
                    self.complain(id, "this expression is too long for a property");
                    return value;
                }
            }
        }
        value
    }

    /// An operator on values of their own types.
    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        left_type: Type,
        right: ExprId,
        right_type: Type,
    ) -> ExprId {
        if op == BinaryOp::And || op == BinaryOp::Or {
            let left = self.truth(left, left_type);
            let right = self.truth(right, right_type);
            return if op == BinaryOp::And {
                self.both(left, right)
            } else {
                self.either(left, right)
            };
        }
        if left_type == Type::Integer && right_type == Type::Integer {
            return self.on_integers(op, left, right);
        }
        if left_type.is_text() && right_type.is_text() && self.is_plain() {
            match op {
                BinaryOp::Equal => return self.build.equal(left, right),
                BinaryOp::NotEqual => {
                    let equal = self.build.equal(left, right);
                    return self.build.not(equal);
                }
                _ => {}
            }
        }
        let left = self.as_int_if(left, left_type);
        let right = self.as_int_if(right, right_type);
        let (left, left_type, right, right_type) =
            match crate::check::binary(op, left_type, right_type) {
                Some(types) => (
                    self.convert(left, left_type, types.left),
                    types.left,
                    self.convert(right, right_type, types.right),
                    types.right,
                ),
                None => (left, left_type, right, right_type),
            };
        match library::binary(op.symbol(), left_type, right_type) {
            Some(entry) => {
                let value = self.operation(entry, &[left, right], &[left_type, right_type]);
                if op.is_comparison() && (op != BinaryOp::NotEqual || left_type != Type::List) {
                    self.build.as_bool(value)
                } else {
                    value
                }
            }
            None => left,
        }
    }

    fn on_integers(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let left = self.build.as_int(left);
        let right = self.build.as_int(right);
        let exprs = &mut self.build.program.exprs;
        match op {
            BinaryOp::Equal => self.build.equal(left, right),
            BinaryOp::NotEqual => {
                if exprs.constant(left).is_some() && exprs.constant(right).is_some() {
                    let equal = self.build.equal(left, right);
                    return self.build.not(equal);
                }
                exprs.binary(Binary::Ne, left, right)
            }
            BinaryOp::Less => exprs.binary(Binary::Lt, left, right),
            BinaryOp::LessEqual => exprs.binary(Binary::Le, left, right),
            BinaryOp::Greater => exprs.binary(Binary::Lt, right, left),
            BinaryOp::GreaterEqual => exprs.binary(Binary::Le, right, left),
            BinaryOp::Add => self.build.arithmetic(Binary::Add, left, right),
            BinaryOp::Subtract => self.build.arithmetic(Binary::Sub, left, right),
            BinaryOp::Multiply => self.build.arithmetic(Binary::Mul, left, right),
            BinaryOp::Divide => self.build.arithmetic(Binary::Div, left, right),
            BinaryOp::Remainder => self.build.arithmetic(Binary::Rem, left, right),
            BinaryOp::ShiftLeft => self.build.arithmetic(Binary::Shl, left, right),
            BinaryOp::ShiftRight => self.build.arithmetic(Binary::Shr, left, right),
            BinaryOp::BitAnd => self.build.arithmetic(Binary::BitAnd, left, right),
            BinaryOp::BitXor => self.build.arithmetic(Binary::BitXor, left, right),
            BinaryOp::BitOr => self.build.arithmetic(Binary::BitOr, left, right),
            BinaryOp::And | BinaryOp::Or => unreachable!("logic is lowered by its own rule"),
        }
    }

    /// The type of a variable whose component is meant.
    fn member_owner(&self, id: ast::ExprId) -> Type {
        match self.input.checked.exprs.resolution(id) {
            Some(Resolution::Global(global)) => self.input.checked.ast.global(global).ty,
            Some(Resolution::Local(local)) => self.local_type(local),
            Some(Resolution::Constant(constant)) => constant.ty(),
            _ => Type::Vector,
        }
    }

    /// `place = value` and `place op= value`; gives what is stored.
    fn assignment(
        &mut self,
        op: Option<BinaryOp>,
        place: ast::ExprId,
        value: ast::ExprId,
    ) -> ExprId {
        let ty = self.own_type(place);
        let Some(op) = op else {
            let value = self.stored_value(value, ty);
            return self.store(place, value);
        };
        let right_type = self.own_type(value);
        let right = self.expression(value);
        let left = self.expression(place);
        self.about(&[place, value]);
        let result = self.binary(op, left, ty, right, right_type);
        let result_type = crate::check::binary(op, ty, right_type).map_or(ty, |types| types.result);
        // `integer *= float` computes in floats and drops the fraction.
        let result = self.convert(result, result_type, ty);
        let result = self.as_stored(result, ty);
        self.store(place, result)
    }

    /// `++place` and the like.
    pub(crate) fn step(&mut self, place: ast::ExprId, by: i32, postfix: bool) -> ExprId {
        let ty = self.own_type(place);
        let before = self.expression(place);
        let before = if postfix { self.save(before) } else { before };
        let after = if ty == Type::Float {
            let by = self.build.float(f64::from(by));
            let sum = self.binary(BinaryOp::Add, before, Type::Float, by, Type::Float);
            self.as_stored(sum, ty)
        } else {
            let by = self.build.int(by);
            self.on_integers(BinaryOp::Add, before, by)
        };
        let stored = self.store(place, after);
        if postfix { before } else { stored }
    }

    /// Stores a value, of the place's type, in a variable or a component; gives the place's value.
    fn store(&mut self, place: ast::ExprId, value: ExprId) -> ExprId {
        let checked = self.input.checked;
        let span = checked.ast.expr(place).span;
        let mut component = None;
        let (value, ty) = match &checked.ast.expr(place).kind {
            ExprKind::Member { field, .. } => {
                let owner = self.member_owner(place);
                let whole = self.name(place);
                let names: &[&str] = match owner {
                    Type::Rotation => &["x", "y", "z", "s"],
                    _ => &["x", "y", "z"],
                };
                let field = checked.ast.name_text(*field);
                component = library::member(owner, field);
                let parts: Vec<ExprId> = names
                    .iter()
                    .map(|name| match library::member(owner, name) {
                        _ if *name == field => value,
                        Some(entry) => self.build.apply(entry, &[whole]),
                        None => value,
                    })
                    .collect();
                let entry = match owner {
                    Type::Rotation => library::rotation_literal(),
                    _ => library::vector_literal(),
                };
                (self.build.apply(entry, &parts), owner)
            }
            _ => (value, self.own_type(place)),
        };
        let stored = match checked.exprs.resolution(place) {
            Some(Resolution::Global(global)) => {
                let target = self.build.globals[global.index()];
                if let Some(&event) = self.build.events.get(&super::change_key(global)) {
                    let before = self.build.read(target);
                    let before = self.save(before);
                    self.emit(Stmt::Assign(Place::global(target), value));
                    self.emit(Stmt::Emit {
                        event,
                        args: vec![before],
                        span,
                    });
                } else {
                    self.emit(Stmt::Assign(Place::global(target), value));
                }
                self.build.read(target)
            }
            Some(Resolution::Local(local)) => {
                match self.locals.get(local.index()).cloned().flatten() {
                    Some(target) => {
                        self.emit(Stmt::Assign(target.clone(), value));
                        self.build.program.exprs.load(target, model_type(ty))
                    }
                    None => value,
                }
            }
            _ => {
                self.complain(place, "nothing can be assigned to here");
                value
            }
        };
        match component {
            Some(entry) => self.build.apply(entry, &[stored]),
            None => stored,
        }
    }
}

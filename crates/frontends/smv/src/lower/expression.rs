//! Expressions.

use model::{Binary, Expr as ModelExpr, ExprId, Place, Type};
use source::Span;

use super::declare::Entity;
use super::value::{Choices, Ty, Val};
use super::{Context, Lowered, Lowering, MAX_DEPTH};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp, VariableSort};
use crate::codes::{names, rules, syntax};

/// How many leaves a tree of choices may have.
const MAX_LEAVES: usize = 20_000;

impl<'t> Lowering<'t, '_> {
    /// An expression that stands for one value.
    pub(super) fn value(&mut self, expr: &'t Expr, context: Context) -> Lowered<Val> {
        let choices = self.choices(expr, context)?;
        self.single(choices, expr.span)
    }

    /// A truth value.
    pub(super) fn condition(&mut self, expr: &'t Expr, context: Context) -> Lowered<ExprId> {
        let value = self.value(expr, context)?;
        if value.ty == Ty::Bool {
            return Ok(value.id);
        }
        let message = format!(
            "a truth value is needed, but `{}` is {}",
            self.text(expr.span),
            self.type_name(value.ty)
        );
        let diagnostic = source::Diagnostic::error(rules::TYPES, message).at(expr.span);
        let diagnostic = match value.ty {
            Ty::Int => diagnostic.help("truth values are written `TRUE` and `FALSE`"),
            _ => diagnostic,
        };
        Err(self.report(diagnostic))
    }

    /// The one value that choices without sets stand for.
    pub(super) fn single(&mut self, choices: Choices, span: Span) -> Lowered<Val> {
        let mut leaves = Vec::new();
        choices.leaves(&mut leaves);
        let mut symbols: Vec<String> = Vec::new();
        let mut all_symbols = true;
        for leaf in leaves {
            match leaf {
                Choices::One(Val {
                    ty: Ty::Symbol(id), ..
                }) => {
                    for member in self.members(*id) {
                        if !symbols.contains(member) {
                            symbols.push(member.clone());
                        }
                    }
                }
                Choices::One(Val { ty: Ty::Int, id }) => match self.program.exprs.constant(*id) {
                    Some(value) => symbols.push(value.number().to_string()),
                    None => all_symbols = false,
                },
                _ => all_symbols = false,
            }
        }
        match choices {
            Choices::One(value) => Ok(value),
            Choices::If(..) if all_symbols => {
                let mut unique: Vec<String> = Vec::new();
                for symbol in symbols {
                    if !unique.contains(&symbol) {
                        unique.push(symbol);
                    }
                }
                let id = self.enumeration(unique);
                match self.as_members(choices, id) {
                    Some(id_expr) => Ok(Val {
                        id: id_expr,
                        ty: Ty::Symbol(id),
                    }),
                    None => Err(self.several(span)),
                }
            }
            _ => Err(self.several(span)),
        }
    }

    fn several(&mut self, span: Span) -> super::Failed {
        let message = format!(
            "`{}` stands for several values, or for values of several types; one is needed",
            self.text(span)
        );
        self.error(rules::SEVERAL, span, message)
    }

    fn as_members(&mut self, choices: Choices, target: model::EnumId) -> Option<ExprId> {
        match choices {
            Choices::One(value) => Some(self.as_member(value, target)),
            Choices::If(condition, a, b) => {
                let a = self.as_members(*a, target)?;
                let b = self.as_members(*b, target)?;
                Some(self.if_then_else(condition, a, b, Type::Enum(target)))
            }
            _ => None,
        }
    }

    /// What an expression stands for.
    pub(super) fn choices(&mut self, expr: &'t Expr, context: Context) -> Lowered<Choices> {
        if self.depth > MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} levels of operators and definitions");
            return Err(self.error(syntax::TOO_DEEP, expr.span, message));
        }
        self.depth += 1;
        let choices = self.choices_here(expr, context);
        self.depth -= 1;
        if self.depth == 0 {
            self.settle_doubts()?;
        }
        choices
    }

    fn choices_here(&mut self, expr: &'t Expr, context: Context) -> Lowered<Choices> {
        let one = |value| Ok(Choices::One(value));
        match &expr.kind {
            ExprKind::Bool(b) => one(self.truth(*b)),
            ExprKind::Int(n) => one(self.integer((*n).into())),
            ExprKind::Word {
                bits,
                signed,
                limbs,
            } => one(self.constant_of_limbs(limbs, *bits, *signed)),
            ExprKind::Name(_) | ExprKind::SelfRef | ExprKind::Field(..) => {
                let entity = self.entity(expr, context.scope)?;
                self.entity_value(entity, expr, context)
            }
            ExprKind::Index(base, index) => match self.entity(expr, context.scope)? {
                Entity::Value(same, scope)
                    if std::ptr::eq(same, expr) && scope == context.scope =>
                {
                    self.bit(base, index, expr.span, context)
                }
                entity => self.entity_value(entity, expr, context),
            },
            ExprKind::Bits(base, high, low) => {
                let high = self.constant(high, context.scope)?;
                let low = self.constant(low, context.scope)?;
                let base = self.choices(base, context)?;
                self.map(base, expr.span, |lowering, value| {
                    lowering.bits(value, high, low, expr.span)
                })
            }
            ExprKind::Unary(op, inner) => {
                let op = *op;
                let inner = self.choices(inner, context)?;
                self.map(inner, expr.span, |lowering, value| match op {
                    UnaryOp::Not => lowering.complement(value, expr.span),
                    UnaryOp::Minus => lowering.negate(value, expr.span),
                })
            }
            ExprKind::Binary(BinaryOp::In, a, b) => {
                let a = self.choices(a, context)?;
                let b = self.choices(b, context)?;
                let id = self.subset(&a, &b, expr.span)?;
                one(Val { id, ty: Ty::Bool })
            }
            ExprKind::Binary(BinaryOp::Range, a, b) => {
                let a = self.value(a, context)?;
                let b = self.value(b, context)?;
                if a.ty != Ty::Int || b.ty != Ty::Int {
                    let message = "the ends of a range are integers";
                    return Err(self.error(rules::TYPES, expr.span, message));
                }
                let end = |id| self.program.exprs.constant(id).map(model::Value::number);
                if let (Some(low), Some(high)) = (end(a.id), end(b.id))
                    && low > high
                {
                    let message = format!("the range {low}..{high} is empty");
                    return Err(self.error(rules::RANGE, expr.span, message));
                }
                Ok(Choices::Between(a, b))
            }
            ExprKind::Binary(op, a, b) => {
                let begin = self.doubts.len();
                let a = self.choices(a, context)?;
                let begin = [begin, self.doubts.len()];
                let b = self.choices(b, context)?;
                if let (BinaryOp::Implies, Choices::One(p), Choices::One(q)) = (op, &a, &b)
                    && (p.ty, q.ty) == (Ty::Bool, Ty::Bool)
                {
                    let not = self.not(p.id);
                    self.operands_decide(&begin, &[not, q.id], false);
                }
                self.pair(*op, a, &b, expr.span)
            }
            ExprKind::Chain(BinaryOp::Union, parts) | ExprKind::Set(parts) => {
                let mut union = Vec::new();
                for part in parts {
                    match self.choices(part, context)? {
                        Choices::Union(inner) => union.extend(inner),
                        other => union.push(other),
                    }
                }
                Ok(match union.len() {
                    1 => union.remove(0),
                    _ => Choices::Union(union),
                })
            }
            ExprKind::Chain(op, operands) => self.chain(*op, operands, expr.span, context),
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.condition(condition, context)?;
                let then = self.under(condition, |l| l.choices(then, context))?;
                let against = self.not(condition);
                let otherwise = self.under(against, |l| l.choices(otherwise, context))?;
                Ok(self.choose(condition, then, otherwise))
            }
            ExprKind::Case(branches) => self.case(branches, expr.span, context),
            ExprKind::Next(inner) => {
                if context.next {
                    let message = "`next` inside of `next`";
                    return Err(self.error(rules::NEXT, expr.span, message));
                }
                let context = Context {
                    next: true,
                    ..context
                };
                self.choices(inner, context)
            }
            ExprKind::Call(function, arguments) => {
                self.call(*function, arguments, expr.span, context)
            }
            ExprKind::ConstantArray(ty, value) => self.constant_array(ty, value, context),
            ExprKind::Array(_) => {
                let message = "a whole array where a value is needed";
                Err(self.error(names::NOT_A_VALUE, expr.span, message))
            }
            ExprKind::Temporal(..) | ExprKind::Until(..) => {
                let message = "a temporal operator inside of an ordinary expression";
                Err(self.error(rules::TEMPORAL, expr.span, message))
            }
        }
    }

    /// Lowers something that counts only under a condition.
    fn under<T>(
        &mut self,
        condition: ExprId,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        self.path.push(condition);
        let result = lower(self);
        self.path.pop();
        result
    }

    /// Long chains of `&`, `|` and `+`; of truth values as trees of little depth.
    fn chain(
        &mut self,
        op: BinaryOp,
        operands: &'t [Expr],
        span: Span,
        context: Context,
    ) -> Lowered<Choices> {
        let mut lowered = Vec::new();
        let mut begin = Vec::new();
        for operand in operands {
            begin.push(self.doubts.len());
            lowered.push(self.choices(operand, context)?);
        }
        if let (BinaryOp::And | BinaryOp::Or, Some(truths)) = (op, Self::truths(&lowered)) {
            let all = op == BinaryOp::And;
            self.operands_decide(&begin, &truths, all);
            let id = match all {
                true => self.all(truths),
                false => self.any(truths),
            };
            return Ok(Choices::One(Val { id, ty: Ty::Bool }));
        }
        let mut lowered = lowered.into_iter();
        let mut result = lowered.next().expect("a chain has operands");
        for operand in lowered {
            result = self.pair(op, result, &operand, span)?;
        }
        Ok(result)
    }

    fn case(
        &mut self,
        branches: &'t [(Expr, Expr)],
        span: Span,
        context: Context,
    ) -> Lowered<Choices> {
        let mut conditions = Vec::new();
        let mut values = Vec::new();
        let depth = self.path.len();
        for (condition, value) in branches {
            let condition = self.condition(condition, context)?;
            self.path.push(condition);
            let value = self.choices(value, context);
            self.path.pop();
            let against = self.not(condition);
            self.path.push(against);
            conditions.push(condition);
            values.push(value?);
        }
        self.path.truncate(depth);
        self.check_exhaustive(&conditions, span);
        // The last branch is what is left.
        let mut result = values.pop().expect("the parser wants a branch");
        conditions.pop();
        for (condition, value) in conditions.into_iter().zip(values).rev() {
            result = self.choose(condition, value, result);
        }
        Ok(result)
    }

    /// What something that a name stands for is worth.
    fn entity_value(
        &mut self,
        entity: Entity<'t>,
        expr: &'t Expr,
        context: Context,
    ) -> Lowered<Choices> {
        match entity {
            Entity::Variable(variable) => self.read(variable, expr.span, context),
            Entity::Compound(ty, parts) => {
                let value = self.read_compound(ty, &parts, expr.span, context)?;
                Ok(Choices::One(value))
            }
            Entity::Symbol(name) => Ok(Choices::One(self.symbol(&name))),
            Entity::Value(value, scope) => {
                self.definition(value, Context { scope, ..context }, expr.span)
            }
            Entity::Running(instance) => {
                let selector = self.selector.ok_or(super::Failed);
                let Ok(selector) = selector else {
                    let message = "`running` is not known yet here";
                    return Err(self.error(rules::CONSTANT, expr.span, message));
                };
                Ok(Choices::One(self.runs(selector, instance)))
            }
            Entity::Pick(elements, low, index, scope) => {
                let index_value = self.value(index, Context { scope, ..context })?;
                let index_value = self.as_index(index_value);
                let high = low + elements.len() as i64 - 1;
                self.check_index(index_value, low, high, index.span)?;
                let mut result: Option<Choices> = None;
                for (at, element) in (low..=high)
                    .zip(elements.iter())
                    .collect::<Vec<_>>()
                    .into_iter()
                    .rev()
                {
                    let value = self.entity_value(element.clone(), expr, context)?;
                    result = Some(match result {
                        None => value,
                        Some(others) => {
                            let at = self.index_constant(index_value, at);
                            let here = self.same(index_value.id, at);
                            self.choose(here, value, others)
                        }
                    });
                }
                result.ok_or_else(|| self.error(rules::INDEX, expr.span, "an empty array"))
            }
            Entity::Instance(_) | Entity::Array(..) => {
                if let (Entity::Instance(_), ExprKind::Name(name)) = (&entity, &expr.kind)
                    && self.symbols.contains(name)
                {
                    // A part is no value, but the symbol of its name is one.
                    return Ok(Choices::One(self.symbol(name)));
                }
                let what = match entity {
                    Entity::Array(..) => "a whole array",
                    _ => "a module instance",
                };
                let message = format!("`{}` is {what}, no value", self.text(expr.span));
                Err(self.error(names::NOT_A_VALUE, expr.span, message))
            }
        }
    }

    fn index_constant(&mut self, index: Val, at: i64) -> ExprId {
        let ty = Self::model_type(index.ty);
        self.known(at.into(), ty)
    }

    /// Whether a process runs.
    pub(super) fn runs(&mut self, selector: usize, instance: usize) -> Val {
        let position = self.processes.iter().position(|p| *p == instance);
        let ty = self.variables[selector].model_type();
        let global = self.global(selector);
        let load = self.program.exprs.load(Place::global(global), ty.clone());
        let number = self.known(position.unwrap_or(0) as i128, ty);
        Val {
            id: self.binary(Binary::Eq, load, number, Type::Bool),
            ty: Ty::Bool,
        }
    }

    /// What a variable holds.
    pub(super) fn read(
        &mut self,
        variable: usize,
        span: Span,
        context: Context,
    ) -> Lowered<Choices> {
        if self.place.is_empty() {
            let message = format!("`{}` is no constant", self.text(span));
            return Err(self.error(rules::CONSTANT, span, message));
        }
        let declared = &self.variables[variable];
        let (ty, model_type, sort) = (declared.ty, declared.model_type(), declared.sort);
        if context.next && sort == VariableSort::Input {
            let message = format!("the input `{}` inside of `next`", declared.name);
            return Err(self.error(rules::INPUT, span, message));
        }
        let global = self.global(variable);
        let expr = if context.next && sort != VariableSort::Frozen {
            ModelExpr::Next(global)
        } else {
            ModelExpr::Load(Place::global(global))
        };
        let id = self.program.exprs.add(expr, model_type);
        Ok(Choices::One(Val { id, ty }))
    }

    /// Applies an operator to every leaf.
    pub(super) fn map(
        &mut self,
        choices: Choices,
        span: Span,
        mut op: impl FnMut(&mut Self, Val) -> Lowered<Val>,
    ) -> Lowered<Choices> {
        self.map_with(choices, span, &mut op)
    }

    fn map_with(
        &mut self,
        choices: Choices,
        span: Span,
        op: &mut impl FnMut(&mut Self, Val) -> Lowered<Val>,
    ) -> Lowered<Choices> {
        match choices {
            Choices::One(value) => Ok(Choices::One(op(self, value)?)),
            Choices::If(condition, a, b) => {
                let a = self.map_with(*a, span, op)?;
                let b = self.map_with(*b, span, op)?;
                Ok(self.choose(condition, a, b))
            }
            Choices::Union(parts) => {
                let mut union = Vec::new();
                for part in parts {
                    union.push(self.map_with(part, span, op)?);
                }
                Ok(Choices::Union(union))
            }
            Choices::Between(low, high) => {
                let listed = self.listed(low, high, span)?;
                self.map_with(listed, span, op)
            }
        }
    }

    /// A range as single values.
    fn listed(&mut self, low: Val, high: Val, span: Span) -> Lowered<Choices> {
        let constant = |id| self.program.exprs.constant(id).map(model::Value::number);
        match (constant(low.id), constant(high.id)) {
            (Some(low), Some(high)) if high - low < MAX_LEAVES as i128 && low <= high => {
                let ones = (low..=high).map(|n| Choices::One(self.integer(n)));
                Ok(Choices::Union(ones.collect()))
            }
            _ => {
                let message = "a range that cannot be used here";
                Err(self.error(rules::SEVERAL, span, message))
            }
        }
    }

    /// An operator on two operands, applied to every pair of leaves.
    fn pair(&mut self, op: BinaryOp, a: Choices, b: &Choices, span: Span) -> Lowered<Choices> {
        if let (Choices::One(a), Choices::One(b)) = (&a, b) {
            if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) && self.never_equal(*a, *b) {
                return Err(self.no_operator(op.text(), a.ty, b.ty, span));
            }
            return Ok(Choices::One(self.operator(op, *a, *b, span)?));
        }
        let mut leaves = (Vec::new(), Vec::new());
        a.leaves(&mut leaves.0);
        b.leaves(&mut leaves.1);
        if leaves.0.len() * leaves.1.len() > MAX_LEAVES {
            let message = "too many combinations of values";
            return Err(self.error(rules::SEVERAL, span, message));
        }
        if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual)
            && leaves
                .0
                .iter()
                .chain(&leaves.1)
                .any(|l| matches!(l, Choices::Between(..)))
        {
            let message = format!("a set in a comparison with `{}`", op.text());
            return Err(self.error(rules::SEVERAL, span, message));
        }
        self.cross(op, a, b, span)
    }

    fn cross(&mut self, op: BinaryOp, a: Choices, b: &Choices, span: Span) -> Lowered<Choices> {
        match a {
            Choices::One(left) => self.map(b.clone(), span, |lowering, right| {
                lowering.operator(op, left, right, span)
            }),
            Choices::If(condition, x, y) => {
                let x = self.cross(op, *x, b, span)?;
                let y = self.cross(op, *y, b, span)?;
                Ok(self.choose(condition, x, y))
            }
            Choices::Union(parts) => {
                let mut union = Vec::new();
                for part in parts {
                    union.push(self.cross(op, part, b, span)?);
                }
                Ok(Choices::Union(union))
            }
            Choices::Between(low, high) => {
                let listed = self.listed(low, high, span)?;
                self.cross(op, listed, b, span)
            }
        }
    }

    /// Whether all values of a set are in another.
    fn subset(&mut self, part: &Choices, set: &Choices, span: Span) -> Lowered<ExprId> {
        match part {
            Choices::One(value) => self.member(*value, set, span),
            Choices::Union(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.push(self.subset(part, set, span)?);
                }
                Ok(self.all(all))
            }
            Choices::If(condition, a, b) => {
                let a = self.subset(a, set, span)?;
                let b = self.subset(b, set, span)?;
                Ok(self.if_then_else(*condition, a, b, Type::Bool))
            }
            Choices::Between(low, high) => {
                let listed = self.listed(*low, *high, span)?;
                self.subset(&listed, set, span)
            }
        }
    }

    /// Whether a value is one of a set's.
    pub(super) fn member(&mut self, value: Val, set: &Choices, span: Span) -> Lowered<ExprId> {
        match set {
            Choices::One(other) => match self.equal(value, *other) {
                Some(id) => Ok(id),
                None => Err(self.no_operator("in", value.ty, other.ty, span)),
            },
            Choices::Between(low, high) => {
                if let Ty::Symbol(id) = value.ty {
                    let numbers: Vec<i128> = (self.members(id).iter())
                        .filter_map(|name| name.parse().ok())
                        .collect();
                    let mut any = Vec::new();
                    for number in numbers {
                        let number = self.integer(number);
                        let inside = self.member(number, set, span)?;
                        let here = self.equal(value, number);
                        any.extend(here.map(|here| self.and(here, inside)));
                    }
                    return Ok(self.any(any));
                }
                if value.ty != Ty::Int {
                    return Err(self.no_operator("in", value.ty, Ty::Int, span));
                }
                let above = self.binary(Binary::Le, low.id, value.id, Type::Bool);
                let below = self.binary(Binary::Le, value.id, high.id, Type::Bool);
                Ok(self.and(above, below))
            }
            Choices::Union(parts) => {
                let mut any = Vec::new();
                for part in parts {
                    any.push(self.member(value, part, span)?);
                }
                Ok(self.any(any))
            }
            Choices::If(condition, a, b) => {
                let a = self.member(value, a, span)?;
                let b = self.member(value, b, span)?;
                Ok(self.if_then_else(*condition, a, b, Type::Bool))
            }
        }
    }
}

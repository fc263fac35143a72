//! Expressions: their values, and the steps that find them.

use source::Span;

use super::name::Target;
use super::{Flow, Val, assigned};
use crate::classes::{Kind, OBJECT, THREAD};
use crate::code::{Op, Place, Ref, Value};
use crate::tree::{Expr, ExprKind};

impl<'a> Flow<'a, '_> {
    /// The value of an expression. A variable for it gets this name, if it is not empty.
    pub(super) fn value(&mut self, expression: &'a Expr, name: &str) -> Val {
        let span = expression.span;
        match &expression.kind {
            ExprKind::Null => Val::Reference(Ref::Null, None, false),
            ExprKind::This => match (self.frame().this, self.frame().class) {
                (Some(this), class) => Val::Reference(this, class, true),
                _ => Val::Data,
            },
            ExprKind::Bool(value) => Val::Flag(Value::Bool(*value)),
            ExprKind::Number(_) | ExprKind::Text => Val::Data,
            ExprKind::Index(parts) => {
                self.target(expression);
                let element = self.data_type(&parts[0]);
                match self.classes.named(&element) {
                    Some(class) => self.converted(Val::Data, Kind::Reference(class), span),
                    None => Val::Data,
                }
            }
            ExprKind::Name(_) | ExprKind::Field(..) => {
                let target = self.target(expression);
                self.loaded(&target, name, span)
            }
            ExprKind::Call(of, method, arguments) => {
                self.call(of.as_deref(), method, arguments, (name, span))
            }
            ExprKind::Construct(of_super, arguments) => {
                self.construct(*of_super, arguments, span);
                Val::Data
            }
            ExprKind::New(class, arguments) => self.new_object(class, arguments, name, span),
            ExprKind::Class(class) => match self.classes.named(class) {
                Some(class) => {
                    if !self.code.class_objects.contains(&class) {
                        self.code.class_objects.push(class);
                    }
                    Val::Reference(Ref::Class(class), Some(OBJECT), true)
                }
                None => Val::Data,
            },
            ExprKind::Not(_) | ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Equal(..) => {
                self.condition_value(expression, name)
            }
            ExprKind::InstanceOf(..) => self.condition_value(expression, name),
            ExprKind::If(parts) => self.conditional(parts, name, span),
            ExprKind::Assign(both) => self.assign(&both[0], &both[1], span),
            ExprKind::Update(of, by) => self.update(of, by, span),
            ExprKind::Cast(ty, inner) => {
                let value = self.value(inner, name);
                let kind = self.classes.kind(ty);
                match (kind, value) {
                    (Kind::Reference(class), Val::Reference(reference, _, sure)) => {
                        self.may_throw = true;
                        Val::Reference(reference, Some(class), sure)
                    }
                    _ => self.converted(value, kind, span),
                }
            }
            ExprKind::NewArray(parts) => {
                self.all_data(parts);
                Val::Data
            }
            ExprKind::Operator(operator, operands) => self.operation(operator, operands),
            ExprKind::Unknown => Val::Data,
        }
    }

    /// Evaluates what is not followed further. Objects among it may be used in ways that are not seen.
    pub(super) fn all_data(&mut self, all: &'a [Expr]) -> Vec<Val> {
        all.iter().map(|one| self.value(one, "")).collect()
    }

    fn operation(&mut self, operator: &str, operands: &'a [Expr]) -> Val {
        let values = self.all_data(operands);
        let flags = values.iter().all(|value| matches!(value, Val::Flag(_)));
        if values
            .iter()
            .any(|value| matches!(value, Val::Reference(..)))
        {
            // A text is made of it.
            let span = operands.first().map_or(Span::NONE, |one| one.span);
            self.given_away(&values, "String", span);
        }
        self.may_throw |= operator == "/" || operator == "%";
        let compares = ["<", ">", "<=", ">="].contains(&operator);
        match compares || flags {
            true => Val::Flag(Value::Chosen),
            false => Val::Data,
        }
    }

    /// The values of two expressions, of which the second does not change the first.
    pub(super) fn two(&mut self, left: &'a Expr, right: &'a Expr) -> (Val, Val) {
        let one = self.value(left, "");
        let mut names = Vec::new();
        assigned::in_expression(right, &mut names);
        let one = match names.is_empty() {
            true => one,
            false => self.kept(one, left.span),
        };
        (one, self.value(right, ""))
    }

    /// A value that stays what it is whatever is assigned.
    pub(super) fn kept(&mut self, value: Val, span: Span) -> Val {
        match value {
            Val::Reference(reference, class, sure) if !self.is_stable(reference) => {
                let variable = self.variable("kept", false);
                self.step(Op::Set(variable, Value::Ref(reference)), span);
                Val::Reference(Ref::Var(variable), class, sure)
            }
            Val::Flag(Value::Flag(flag)) => {
                let variable = self.variable("kept", true);
                self.step(Op::Set(variable, Value::Flag(flag)), span);
                Val::Flag(Value::Flag(variable))
            }
            other => other,
        }
    }

    fn assign(&mut self, left: &'a Expr, right: &'a Expr, span: Span) -> Val {
        let target = self.target(left);
        let mut names = Vec::new();
        assigned::in_expression(right, &mut names);
        let target = match target {
            Target::Place(Place::Of(base, field), kind) if !names.is_empty() => {
                let base = match self.kept(Val::Reference(base, None, false), span) {
                    Val::Reference(base, ..) => base,
                    _ => base,
                };
                Target::Place(Place::Of(base, field), kind)
            }
            other => other,
        };
        let value = self.value(right, "");
        self.stored(&target, value, span);
        value
    }

    /// `x++`, `x += e`: reads, and then writes.
    fn update(&mut self, of: &'a Expr, by: &'a [Expr], span: Span) -> Val {
        let target = self.target(of);
        let before = self.loaded(&target, "", span);
        self.all_data(by);
        let after = match before {
            Val::Flag(_) => Val::Flag(Value::Chosen),
            other => other,
        };
        self.stored(&target, after, span);
        after
    }

    fn conditional(&mut self, parts: &'a [Expr; 3], name: &str, span: Span) -> Val {
        let (yes, no) = self.branch(&parts[0]);
        let mut variables: Option<(Val, Val)> = None;
        let mut ends = Vec::new();
        let mut first = None;
        for (start, part) in [(yes, &parts[1]), (no, &parts[2])] {
            self.here = start;
            if start.is_none() {
                continue;
            }
            let value = self.value(part, "");
            first.get_or_insert(value);
            let into = match value {
                Val::Reference(_, class, _) => {
                    let known = variables.map(|(into, _)| into);
                    let into = known.unwrap_or_else(|| {
                        let variable = self.variable(name_or(name, "value"), false);
                        Val::Reference(Ref::Var(variable), class, false)
                    });
                    if let (Val::Reference(Ref::Var(variable), ..), Val::Reference(from, ..)) =
                        (into, value)
                    {
                        self.step(Op::Set(variable, Value::Ref(from)), span);
                    }
                    into
                }
                Val::Flag(given) => {
                    let known = variables.map(|(into, _)| into);
                    let into = known.unwrap_or_else(|| {
                        let variable = self.variable(name_or(name, "value"), true);
                        Val::Flag(Value::Flag(variable))
                    });
                    if let Val::Flag(Value::Flag(variable)) = into {
                        self.step(Op::Set(variable, given), span);
                    }
                    into
                }
                Val::Data => Val::Data,
            };
            variables = Some((into, value));
            ends.push(self.here);
        }
        self.here = self.joined(ends, span);
        match variables {
            Some((Val::Reference(Ref::Var(variable), class, _), _)) => {
                let class = class.or(Some(OBJECT));
                Val::Reference(Ref::Var(variable), class, false)
            }
            Some((into, _)) => into,
            None => Val::Data,
        }
    }

    /// Makes an object.
    fn new_object(&mut self, class: &str, arguments: &'a [Expr], name: &str, span: Span) -> Val {
        let Some(id) = self.classes.named(class) else {
            let values = self.all_data(arguments);
            self.given_away(&values, class, span);
            return Val::Data;
        };
        let values = self.arguments(arguments);
        if !self.code.made.contains(&id) {
            self.code.made.push(id);
        }
        let variable = self.variable(name_or(name, "new"), false);
        let object = Ref::Var(variable);
        self.step(Op::New(variable, id), span);
        self.keep_surroundings(id, object, span);
        if id == THREAD {
            self.made_with(object, &values, span);
        } else {
            self.initialise(id, object, &values, span);
        }
        Val::Reference(object, Some(id), true)
    }
}

pub(super) fn name_or<'n>(name: &'n str, other: &'n str) -> &'n str {
    if name.is_empty() { other } else { name }
}

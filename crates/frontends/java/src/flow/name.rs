//! What names and fields stand for.

use source::{Diagnostic, Span, suggest};

use super::{Flow, Local, Val};
use crate::classes::{ClassId, Kind};
use crate::code::{FieldId, FieldInfo, Op, Place, Ref, Value};
use crate::codes;
use crate::tree::{Expr, ExprKind, Field};

/// What can be assigned to.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Local(Local),
    Place(Place, Kind),
    /// Something that is not followed.
    Data,
}

impl<'a> Flow<'a, '_> {
    /// What an expression that can be assigned to stands for.
    pub(super) fn target(&mut self, expression: &'a Expr) -> Target {
        let span = expression.span;
        match &expression.kind {
            ExprKind::Name(name) => self.named(name, span),
            ExprKind::Field(of, name) => self.field_of(of, name, span),
            ExprKind::Index(parts) => {
                self.value(&parts[0], "");
                self.value(&parts[1], "");
                self.may_throw = true;
                Target::Data
            }
            _ => {
                self.value(expression, "");
                Target::Data
            }
        }
    }

    fn local_named(&self, name: &str) -> Option<Local> {
        let mut locals = self.frames.last()?.locals.iter().rev();
        locals
            .find(|(own, _)| own == name)
            .map(|(_, local)| local.clone())
    }

    /// A local variable, a field of this class, a variable around it, or a field of a class around it.
    pub(super) fn named(&mut self, name: &str, span: Span) -> Target {
        if let Some(local) = self.local_named(name) {
            return Target::Local(local);
        }
        let (mut class, mut this) = (self.frame().class, self.frame().this);
        while let Some(at) = class {
            if let Some((owner, field)) = self.classes.field(at, name) {
                return self.field_place(owner, field, this, span);
            }
            if let Some(&(reference, class)) = self.constants.get(&(at, name.to_owned())) {
                return Target::Local(Local::Reference(reference, class, true));
            }
            let kept = (at, format!("val${name}"));
            if let (Some(&field), Some(this)) = (self.field_ids.get(&kept), this) {
                let kind = self.code.fields[field.0].kind;
                return Target::Place(Place::Of(this, field), kind);
            }
            class = self.classes.outer(at);
            this = self.outer_object(at, this, span);
        }
        // A class of the library.
        if !name.starts_with(char::is_uppercase) {
            self.outside(span, &format!("what `{name}` is"));
        }
        Target::Data
    }

    /// The object of the class around a class that an object of it knows.
    pub(super) fn outer_object(
        &mut self,
        class: ClassId,
        this: Option<Ref>,
        span: Span,
    ) -> Option<Ref> {
        let key = (class, "this$0".to_owned());
        let &field = self.field_ids.get(&key)?;
        let variable = self.variable("outer", false);
        self.step(Op::Load(variable, Place::Of(this?, field)), span);
        Some(Ref::Var(variable))
    }

    fn field_of(&mut self, of: &'a Expr, name: &str, span: Span) -> Target {
        if let ExprKind::Name(class) = &of.kind
            && self.local_named(class).is_none()
            && let Some(class) = self.classes.named(class)
        {
            return match self.classes.field(class, name) {
                Some((owner, field)) => self.field_place(owner, field, None, span),
                None => self.no_field(class, name, span),
            };
        }
        match self.value(of, "") {
            Val::Reference(reference, class, _) => {
                let class = class.unwrap_or(crate::classes::OBJECT);
                match self.classes.field(class, name) {
                    Some((owner, field)) => self.field_place(owner, field, Some(reference), span),
                    None => self.no_field(class, name, span),
                }
            }
            Val::Flag(_) | Val::Data => {
                let known = |one: ClassId| self.classes.field(one, name).is_some();
                if self.classes.ids().any(known) {
                    self.outside(span, &format!("whose `{name}` this is"));
                }
                Target::Data
            }
        }
    }

    fn no_field(&mut self, class: ClassId, name: &str, span: Span) -> Target {
        if self.classes.has_unknown_parent(class) {
            self.outside(span, "a field of a class that is not in this file");
            return Target::Data;
        }
        let class = self.classes.get(class);
        let message = format!("`{}` has no field `{name}`", class.name);
        let mut error = Diagnostic::error(codes::NAME, message).at(span);
        let fields = class.fields.iter().map(|field| field.name.as_str());
        if let Some(near) = suggest(name, fields) {
            error = error.help(format!("there is one named `{near}`"));
        }
        self.diagnostics.push(error);
        Target::Data
    }

    fn field_place(
        &mut self,
        owner: ClassId,
        field: &Field,
        of: Option<Ref>,
        span: Span,
    ) -> Target {
        let id = self.declared_field(owner, field);
        let kind = self.code.fields[id.0].kind;
        match (field.is_static, of) {
            (true, _) => Target::Place(Place::Static(id), kind),
            (false, Some(of)) => Target::Place(Place::Of(of, id), kind),
            (false, None) => {
                let message = format!("`{}` is a field of objects, and there is none", field.name);
                let error = Diagnostic::error(codes::NAME, message).at(span);
                self.diagnostics.push(error);
                Target::Data
            }
        }
    }

    pub(super) fn declared_field(&mut self, owner: ClassId, field: &Field) -> FieldId {
        let class = self.classes.get(owner).name.clone();
        let kind = self.classes.kind(&field.ty);
        // A static field that no method assigns to is what it was before threads ran.
        let assigned = self.assigned_fields.contains(&field.name);
        let is_final = field.is_final || field.is_static && !assigned;
        self.field_id(owner, &field.name, || FieldInfo {
            name: format!("{class}.{}", field.name),
            kind,
            is_static: field.is_static,
            ordered: is_final || field.is_volatile,
            is_final,
            span: field.span,
        })
    }

    /// The value of what can be assigned to.
    pub(super) fn loaded(&mut self, target: &Target, name: &str, span: Span) -> Val {
        match target {
            Target::Local(Local::Reference(reference, class, _)) => {
                Val::Reference(*reference, Some(*class), false)
            }
            Target::Local(Local::Flag(variable)) => Val::Flag(Value::Flag(*variable)),
            Target::Local(Local::Data(_)) | Target::Data => Val::Data,
            Target::Place(place, kind) => self.loaded_from(*place, *kind, name, span),
        }
    }

    fn loaded_from(&mut self, place: Place, kind: Kind, name: &str, span: Span) -> Val {
        let name = if name.is_empty() { "value" } else { name };
        let info = &self.code.fields[place.field().0];
        match (kind, place) {
            (Kind::Reference(class), Place::Static(field)) if info.is_final => {
                Val::Reference(Ref::Static(field), Some(class), false)
            }
            (Kind::Reference(class), _) => {
                let variable = self.variable(name, false);
                self.step(Op::Load(variable, place), span);
                Val::Reference(Ref::Var(variable), Some(class), false)
            }
            (Kind::Flag, _) => {
                let variable = self.variable(name, true);
                self.step(Op::Load(variable, place), span);
                Val::Flag(Value::Flag(variable))
            }
            (Kind::Data, _) => {
                self.touched(place, false, span);
                Val::Data
            }
        }
    }

    /// Assigns to what can be assigned to.
    pub(super) fn stored(&mut self, target: &Target, value: Val, span: Span) {
        match target {
            Target::Data | Target::Local(Local::Data(_)) => {}
            Target::Local(Local::Reference(Ref::Var(variable), class, _)) => {
                let kind = Kind::Reference(*class);
                if let Val::Reference(reference, ..) = self.converted(value, kind, span) {
                    self.step(Op::Set(*variable, Value::Ref(reference)), span);
                }
            }
            Target::Local(Local::Reference(..)) => self.outside(span, "this assignment"),
            Target::Local(Local::Flag(variable)) => {
                if let Val::Flag(value) = self.converted(value, Kind::Flag, span) {
                    self.step(Op::Set(*variable, value), span);
                }
            }
            Target::Place(place, kind) => match self.converted(value, *kind, span) {
                Val::Reference(reference, ..) => {
                    self.step(Op::Store(*place, Value::Ref(reference)), span);
                }
                Val::Flag(value) => self.step(Op::Store(*place, value), span),
                Val::Data => self.touched(*place, true, span),
            },
        }
    }

    /// A value that is not followed is read or written: it matters only whether two threads do so at
    /// once.
    fn touched(&mut self, place: Place, writes: bool, span: Span) {
        match (self.code.fields[place.field().0].ordered, place) {
            (false, _) => self.step(Op::Touch(place, writes), span),
            (true, Place::Of(base, _)) if base != Ref::Me => self.step(Op::Receive(base), span),
            (true, _) => {}
        }
    }

    /// A value as one of a type.
    pub(super) fn converted(&mut self, value: Val, kind: Kind, span: Span) -> Val {
        match (kind, value) {
            (Kind::Reference(_), Val::Reference(..)) | (Kind::Flag, Val::Flag(_)) => value,
            (Kind::Data, _) => Val::Data,
            (Kind::Flag, _) => Val::Flag(Value::Chosen),
            (Kind::Reference(class), _) => {
                self.choice(span, "which object this is");
                let variable = self.variable("any", false);
                self.step(Op::Set(variable, Value::Any(class)), span);
                Val::Reference(Ref::Var(variable), Some(class), false)
            }
        }
    }
}

//! Calls. Methods of the file are inlined.

use source::Span;

use super::{Flow, Frame, Local, Scope, Val, assigned};
use crate::classes::{ClassId, Kind, OBJECT, THREAD};
use crate::code::{Op, Ref, Test, Value};
use crate::tree::{Expr, ExprKind, Method};

/// Where a call stands, and what its result is called.
pub(super) type At<'n> = (&'n str, Span);

impl<'a> Flow<'a, '_> {
    /// The values of arguments; a later one does not change an earlier one.
    pub(super) fn arguments(&mut self, all: &'a [Expr]) -> Vec<Val> {
        let mut names = Vec::new();
        all.iter()
            .skip(1)
            .for_each(|one| assigned::in_expression(one, &mut names));
        let mut values = Vec::new();
        for one in all {
            let value = self.value(one, "");
            values.push(match names.is_empty() {
                true => value,
                false => self.kept(value, one.span),
            });
        }
        values
    }

    pub(super) fn call(
        &mut self,
        of: Option<&'a Expr>,
        name: &str,
        arguments: &'a [Expr],
        at: At<'_>,
    ) -> Val {
        let Some(of) = of else {
            return self.own_call(name, arguments, at);
        };
        if let ExprKind::Name(word) = &of.kind {
            if word == "super" {
                return self.super_call(name, arguments, at);
            }
            let is_variable = !matches!(self.named_quietly(word), Quiet::Nothing);
            match self.classes.named(word) {
                Some(class) if !is_variable => {
                    return self.static_call(class, name, arguments, at);
                }
                _ if !is_variable => {
                    let values = self.all_data(arguments);
                    return self.library(word, &values, at);
                }
                _ => {}
            }
        }
        let receiver = self.value(of, "");
        match receiver {
            Val::Reference(reference, class, sure) => {
                let class = class.unwrap_or(OBJECT);
                let values = self.arguments(arguments);
                self.method_call((reference, class, sure), name, &values, at)
            }
            Val::Flag(_) | Val::Data => {
                let ty = self.data_type(of);
                let own = ["start", "join", "run", "wait", "notify", "notifyAll"];
                let mut ids = self.classes.ids();
                let count = arguments.len();
                let known = |one| !self.classes.methods(one, name, count).is_empty();
                if own.contains(&name) || ids.any(known) {
                    self.outside(at.1, &format!("whose `{name}` this is"));
                }
                let values = self.all_data(arguments);
                self.library(&ty, &values, at)
            }
        }
    }

    /// The type that a value that is not followed is declared with, or nothing.
    pub(super) fn data_type(&mut self, of: &Expr) -> String {
        match &of.kind {
            ExprKind::Text => "String".to_owned(),
            ExprKind::Name(name) => match self.named_quietly(name) {
                Quiet::Data(ty) => ty,
                _ => name.clone(),
            },
            ExprKind::Field(of, name) => match &of.kind {
                ExprKind::Name(class) if class == "System" => "System".to_owned(),
                ExprKind::Name(class) => match self.classes.named(class) {
                    Some(class) => self.field_type(class, name),
                    None => class.clone(),
                },
                ExprKind::This => match self.frame().class {
                    Some(class) => self.field_type(class, name),
                    None => String::new(),
                },
                _ => String::new(),
            },
            ExprKind::Call(Some(of), ..) => self.data_type(of),
            ExprKind::New(name, _) => name.clone(),
            _ => String::new(),
        }
    }

    fn field_type(&self, class: ClassId, name: &str) -> String {
        let field = self.classes.field(class, name);
        field.map_or_else(String::new, |(_, field)| field.ty.name.clone())
    }

    /// What a name is, without a step.
    fn named_quietly(&self, name: &str) -> Quiet {
        let Some(frame) = self.frames.last() else {
            return Quiet::Nothing;
        };
        if let Some((_, local)) = frame.locals.iter().rev().find(|(own, _)| own == name) {
            return match local {
                Local::Data(ty) => Quiet::Data(ty.clone()),
                _ => Quiet::Followed,
            };
        }
        let mut class = frame.class;
        while let Some(at) = class {
            if let Some((_, field)) = self.classes.field(at, name) {
                return match self.classes.kind(&field.ty) {
                    Kind::Data => Quiet::Data(field.ty.name.clone()),
                    _ => Quiet::Followed,
                };
            }
            let kept = (at, format!("val${name}"));
            let constant = self.constants.contains_key(&(at, name.to_owned()));
            if constant || self.field_ids.contains_key(&kept) {
                return Quiet::Followed;
            }
            class = self.classes.outer(at);
        }
        Quiet::Nothing
    }

    /// A call without a receiver.
    fn own_call(&mut self, name: &str, arguments: &'a [Expr], at: At<'_>) -> Val {
        let (mut class, mut this) = (self.frame().class, self.frame().this);
        while let Some(id) = class {
            let found = self.classes.methods(id, name, arguments.len());
            let library = self.is_library_method(id, name, arguments.len());
            if !found.is_empty() || library {
                let values = self.arguments(arguments);
                if found.first().is_some_and(|(_, method)| method.is_static) {
                    return self.inlined(found[0], None, &values, at);
                }
                if let Some(this) = this {
                    return self.method_call((this, id, true), name, &values, at);
                }
            }
            class = self.classes.outer(id);
            this = self.outer_object(id, this, at.1);
        }
        let values = self.arguments(arguments);
        self.library("", &values, at)
    }

    fn super_call(&mut self, name: &str, arguments: &'a [Expr], at: At<'_>) -> Val {
        let values = self.arguments(arguments);
        let class = self.frame().class;
        let parent = class.and_then(|class| self.classes.above(class).get(1).copied());
        let found = parent.and_then(|parent| self.classes.method(parent, name, values.len()));
        match (found, self.frame().this) {
            (Some(found), Some(this)) => self.inlined(found, Some(this), &values, at),
            _ => self.library("", &values, at),
        }
    }

    fn static_call(
        &mut self,
        class: ClassId,
        name: &str,
        arguments: &'a [Expr],
        at: At<'_>,
    ) -> Val {
        let values = self.arguments(arguments);
        if let Some(found) = self.classes.method(class, name, values.len()) {
            return self.inlined(found, None, &values, at);
        }
        match name {
            "currentThread" if class == THREAD => Val::Reference(Ref::Me, Some(THREAD), true),
            "sleep" | "yield" | "onSpinWait" if class == THREAD => Val::Data,
            _ => self.library("", &values, at),
        }
    }

    /// A call of a method of an object that is followed.
    fn method_call(
        &mut self,
        (object, class, sure): (Ref, ClassId, bool),
        name: &str,
        values: &[Val],
        at: At<'_>,
    ) -> Val {
        let span = at.1;
        let classes = self.classes;
        let below = classes.ids().filter(|one| classes.is(*one, class));
        let mut targets: Vec<(Span, Vec<ClassId>)> = Vec::new();
        let mut methods = Vec::new();
        for one in below {
            if let Some((owner, method)) = classes.method(one, name, values.len()) {
                match targets.iter_mut().find(|(known, _)| *known == method.span) {
                    Some((_, all)) => all.push(one),
                    None => {
                        targets.push((method.span, vec![one]));
                        methods.push((owner, method));
                    }
                }
            }
        }
        if methods.is_empty() {
            return self.library_method((object, class), name, values, at);
        }
        if !sure {
            self.step(Op::Receive(object), span);
        }
        if let [only] = methods[..] {
            return self.inlined(only, Some(object), values, at);
        }
        let mut ends = Vec::new();
        let mut result = None;
        for ((_, classes), method) in targets.into_iter().zip(methods) {
            let (yes, no) = self.tested(&Test::Is(object, classes), span);
            self.here = yes;
            let value = self.inlined(method, Some(object), values, at);
            result = self.merged(result, value, span);
            ends.push(self.here);
            self.here = no;
        }
        self.here = self.joined(ends, span);
        result.unwrap_or(Val::Data)
    }

    /// One variable for the results of several methods.
    fn merged(&mut self, known: Option<Val>, value: Val, span: Span) -> Option<Val> {
        match (known, value) {
            (Some(Val::Reference(Ref::Var(variable), ..)), Val::Reference(from, ..)) => {
                self.step(Op::Set(variable, Value::Ref(from)), span);
                known
            }
            (Some(Val::Flag(Value::Flag(variable))), Val::Flag(from)) => {
                self.step(Op::Set(variable, from), span);
                known
            }
            (Some(_), _) => known,
            (None, Val::Reference(from, class, _)) => {
                let variable = self.variable("result", false);
                self.step(Op::Set(variable, Value::Ref(from)), span);
                Some(Val::Reference(Ref::Var(variable), class, false))
            }
            (None, Val::Flag(from)) => {
                let variable = self.variable("result", true);
                self.step(Op::Set(variable, from), span);
                Some(Val::Flag(Value::Flag(variable)))
            }
            (None, Val::Data) => Some(Val::Data),
        }
    }

    /// The steps of a method in place of a call of it.
    pub(super) fn inlined(
        &mut self,
        (owner, method): (ClassId, &'a Method),
        this: Option<Ref>,
        values: &[Val],
        (name, span): At<'_>,
    ) -> Val {
        let Some(body) = &method.body else {
            self.outside(span, "a call of a method without a body");
            return Val::Data;
        };
        if self.frames.iter().any(|frame| frame.method == method.span) {
            self.outside(span, "a call of a method within itself");
            let kind = self.classes.kind(&method.result);
            return self.converted(Val::Data, kind, span);
        }
        if self.here.is_none() {
            return Val::Data;
        }
        let same = |other: &&Method| {
            (&other.name, other.parameters.len()) == (&method.name, method.parameters.len())
        };
        if self.classes.get(owner).methods.iter().filter(same).count() > 1 {
            self.outside(span, "which of several methods this is");
        }
        let end = self.label(span);
        let result = match self.classes.kind(&method.result) {
            Kind::Reference(class) => {
                let variable = self.variable(super::expression::name_or(name, "result"), false);
                Some(Local::Reference(Ref::Var(variable), class, true))
            }
            Kind::Flag => {
                let variable = self.variable(super::expression::name_or(name, "result"), true);
                Some(Local::Flag(variable))
            }
            Kind::Data => None,
        };
        let mut frame = Frame {
            class: Some(owner),
            this,
            method: method.span,
            result: result.clone(),
            ..Frame::default()
        };
        assigned::in_statements(body, &mut frame.assigned);
        for ((ty, parameter), value) in method.parameters.iter().zip(values) {
            let kind = self.classes.kind(ty);
            let assigned = frame.assigned.contains(parameter);
            let value = self.converted(*value, kind, span);
            let local = self.bound((parameter, assigned), kind, value, &ty.name, span);
            frame.locals.push((parameter.clone(), local));
        }
        self.enter(Scope::Call(end));
        self.frames.push(frame);
        if method.synchronized {
            let monitor = match this {
                Some(this) => this,
                None => {
                    if !self.code.class_objects.contains(&owner) {
                        self.code.class_objects.push(owner);
                    }
                    Ref::Class(owner)
                }
            };
            self.guarded(monitor, method.span, |flow| flow.statements(body));
        } else {
            self.statements(body);
        }
        self.frames.pop();
        self.scopes.pop();
        if self.here.is_some() {
            self.goto(end, span);
        }
        self.resume(end);
        match result {
            Some(Local::Reference(reference, class, _)) => {
                Val::Reference(reference, Some(class), false)
            }
            Some(Local::Flag(variable)) => Val::Flag(Value::Flag(variable)),
            _ => Val::Data,
        }
    }

    /// What a parameter stands for.
    fn bound(
        &mut self,
        (name, assigned): (&str, bool),
        kind: Kind,
        value: Val,
        ty: &str,
        span: Span,
    ) -> Local {
        match (kind, value) {
            (Kind::Reference(class), Val::Reference(reference, ..)) => {
                if !assigned && self.is_stable(reference) && reference != Ref::Null {
                    return Local::Reference(reference, class, true);
                }
                let variable = self.variable(name, false);
                self.step(Op::Set(variable, Value::Ref(reference)), span);
                Local::Reference(Ref::Var(variable), class, !assigned)
            }
            (Kind::Flag, Val::Flag(value)) => {
                let variable = self.variable(name, true);
                self.step(Op::Set(variable, value), span);
                Local::Flag(variable)
            }
            _ => Local::Data(ty.to_owned()),
        }
    }
}

/// What a name is.
enum Quiet {
    Followed,
    Data(String),
    Nothing,
}

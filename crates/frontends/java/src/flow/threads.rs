//! What threads begin with: the main thread, those of subclasses of `Thread`, and those that are made
//! with something to run. And objects, which begin with what their fields are, and a constructor.

use source::{Diagnostic, Diagnostics, Span};

use super::{Flow, Frame, Local, Val, assigned};
use crate::classes::{ClassId, Classes, Kind, OBJECT, THREAD};
use crate::code::{Code, Label, Op, Place, Ref, Thread, Value};
use crate::codes;
use crate::tree::{Beginning, Expr, ExprKind, Method};
use crate::walk;

/// The code of all threads, and whether operations may throw exceptions that are not followed.
pub(crate) fn code<'a>(
    classes: &'a Classes<'a>,
    text: &'a str,
    diagnostics: &mut Diagnostics,
) -> (Code, bool) {
    let mut flow = Flow {
        classes,
        text,
        diagnostics,
        code: Code::default(),
        field_ids: std::collections::HashMap::new(),
        constants: std::collections::HashMap::new(),
        assigned_fields: Vec::new(),
        here: None,
        scopes: Vec::new(),
        frames: Vec::new(),
        raises: std::collections::HashMap::new(),
        next_scope: 0,
        main: true,
        reached: Vec::new(),
        targets: Vec::new(),
        may_throw: false,
    };
    for class in &classes.all {
        for method in &class.methods {
            let body = method.body.as_deref().unwrap_or_default();
            assigned::in_statements(body, &mut flow.assigned_fields);
        }
        for beginning in class.beginnings.iter().filter(|one| !one.is_static) {
            assigned::in_statements(&beginning.body, &mut flow.assigned_fields);
        }
    }
    let ids = classes.ids();
    flow.code.class_names = ids.map(|id| classes.get(id).name.clone()).collect();
    let kept = classes
        .ids()
        .filter_map(|id| Some((id, classes.get(id).never_lost?)));
    flow.code.never_lost = kept.collect();
    flow.code.above = classes.ids().map(|id| classes.above(id)).collect();
    flow.only_what_is_followed();
    flow.main_thread();
    flow.other_threads();
    (flow.code, flow.may_throw)
}

impl<'a> Flow<'a, '_> {
    /// Where arrays and objects of the library may keep objects, it is not known whether one is lost.
    fn only_what_is_followed(&mut self) {
        let mut found = None;
        let classes = self.classes;
        let mut look = |one: &Expr| {
            let elsewhere = match &one.kind {
                ExprKind::NewArray(_) => true,
                ExprKind::New(name, _) => {
                    let thrown = name.ends_with("Exception") || name.ends_with("Error");
                    classes.named(name).is_none() && !thrown
                }
                _ => false,
            };
            if elsewhere && found.is_none() {
                found = Some(one.span);
            }
        };
        for class in &classes.all {
            for method in &class.methods {
                walk::in_statements(method.body.as_deref().unwrap_or_default(), &mut look);
            }
            for beginning in &class.beginnings {
                walk::in_statements(&beginning.body, &mut look);
            }
        }
        if let Some(span) = found
            && !self.code.never_lost.is_empty()
        {
            self.code.never_lost.clear();
            let message =
                "what is kept here is not followed: it is not asked whether an object is lost";
            let note = Diagnostic::note(codes::CHOICE, message).at(span);
            self.diagnostics.push(note);
        }
    }

    fn main_thread(&mut self) {
        let is_main = |method: &&Method| method.name == "main" && method.is_static;
        let mains = self.classes.ids().filter_map(|id| {
            let mut methods = self.classes.get(id).methods.iter();
            Some((id, methods.find(is_main)?))
        });
        let mains: Vec<(ClassId, &Method)> = mains.collect();
        let Some(&(class, method)) = mains.first() else {
            let error = Diagnostic::error(codes::MAIN, "no class has a method `main`");
            let help = "write `public static void main(String[] args)`, which starts the threads";
            self.diagnostics.push(error.help(help));
            return;
        };
        if let Some((_, other)) = mains.get(1) {
            let warning = Diagnostic::warning(codes::MAIN, "this `main` is not the first one");
            self.diagnostics.push(warning.at(other.span));
        }
        let entry = self.label(method.span);
        self.code.main = Some(entry);
        self.here = Some(entry);
        for id in self.load_order() {
            self.frames.push(Frame {
                class: Some(id),
                ..Frame::default()
            });
            self.begun(&self.classes.get(id).beginnings, true);
            self.frames.pop();
        }
        let values = method.parameters.iter().map(|_| Val::Data);
        let values: Vec<Val> = values.collect();
        self.inlined((class, method), None, &values, ("", method.span));
        self.edge(None, Op::Skip, method.span, false);
        self.here = None;
    }

    /// Threads of classes of which objects are made; the code of one may make objects of others.
    fn other_threads(&mut self) {
        self.main = false;
        loop {
            let known = |class: ClassId, by_target: bool, all: &[Thread]| {
                let same = |one: &Thread| (one.class, one.by_target) == (class, by_target);
                all.iter().any(same)
            };
            let mut next = None;
            for &class in &self.code.made {
                let is_thread = self.classes.is(class, THREAD);
                let is_target = self.targets.iter().any(|of| self.classes.is(class, *of));
                for by_target in [false, true] {
                    let fits = if by_target { is_target } else { is_thread };
                    if fits && !known(class, by_target, &self.code.threads) {
                        next = Some((class, by_target));
                    }
                }
            }
            let Some((class, by_target)) = next else {
                return;
            };
            let entry = self.thread(class, by_target);
            self.code.threads.push(Thread {
                class,
                by_target,
                entry,
            });
        }
    }

    fn thread(&mut self, class: ClassId, by_target: bool) -> Option<Label> {
        if self.classes.has_unknown_parent(class) && !by_target {
            let span = self.classes.get(class).methods.first();
            let span = span.map_or(Span::NONE, |method| method.span);
            self.outside(span, "what a class extends that is not in this file");
        }
        let (owner, method) = self.classes.method(class, "run", 0)?;
        let entry = self.label(method.span);
        self.here = Some(entry);
        let this = if by_target { Ref::Target } else { Ref::Me };
        self.frames.clear();
        self.inlined((owner, method), Some(this), &[], ("", method.span));
        self.edge(None, Op::Skip, method.span, false);
        self.here = None;
        Some(entry)
    }

    /// What happens when a class is loaded, or an object of it is made.
    fn begun(&mut self, all: &'a [Beginning], is_static: bool) {
        for one in all.iter().filter(|one| one.is_static == is_static) {
            self.statements(&one.body);
        }
    }

    /// The constructor of an object, and what comes before it.
    pub(super) fn initialise(&mut self, class: ClassId, object: Ref, values: &[Val], span: Span) {
        if self.here.is_none() {
            return;
        }
        let constructors = self.classes.get(class).methods.iter();
        let mut constructors = constructors.filter(|method| method.name == "<init>");
        let fits = |method: &&Method| method.parameters.len() == values.len();
        let found: Vec<&Method> = constructors.by_ref().filter(fits).collect();
        let chains = |method: &Method| {
            let body = method.body.as_deref().unwrap_or_default();
            body.first().and_then(|first| match &first.kind {
                crate::tree::StmtKind::Expr(one) => match one.kind {
                    crate::tree::ExprKind::Construct(of_super, _) => Some(of_super),
                    _ => None,
                },
                _ => None,
            })
        };
        match found.first() {
            Some(method) => {
                if chains(method).is_none() {
                    self.begun_object(class, object, &[], span);
                }
                self.inlined((class, method), Some(object), values, ("", method.span));
            }
            // A class without a name gives its arguments to the class that it extends.
            None => self.begun_object(class, object, values, span),
        }
    }

    /// The constructor of the class above, and then the fields.
    fn begun_object(&mut self, class: ClassId, object: Ref, values: &[Val], span: Span) {
        let parent = self.classes.get(class).superclass.as_deref();
        match parent.and_then(|name| self.classes.named(name)) {
            Some(THREAD) => self.made_with(object, values, span),
            Some(parent) if parent != OBJECT => self.initialise(parent, object, values, span),
            _ => {}
        }
        if self.here.is_none() {
            return;
        }
        self.frames.push(Frame {
            class: Some(class),
            this: Some(object),
            ..Frame::default()
        });
        self.begun(&self.classes.get(class).beginnings, false);
        self.frames.pop();
    }

    /// `this(...)` and `super(...)`.
    pub(super) fn construct(
        &mut self,
        of_super: bool,
        arguments: &'a [crate::tree::Expr],
        span: Span,
    ) {
        let values = self.arguments(arguments);
        let (Some(class), Some(this)) = (self.frame().class, self.frame().this) else {
            return;
        };
        match of_super {
            true => self.begun_object(class, this, &values, span),
            false => self.initialise(class, this, &values, span),
        }
    }

    /// Keeps what an object of a class inside another one knows of what is around it.
    pub(super) fn keep_surroundings(&mut self, class: ClassId, object: Ref, span: Span) {
        let known = self.classes.get(class);
        if !known.inner {
            return;
        }
        let frame = self.frame().clone();
        if let (Some(this), Some(outer)) = (frame.this, self.classes.outer(class))
            && frame.class.is_some_and(|own| self.classes.is(own, outer))
        {
            let field = self.hidden_field(class, "this$0", Kind::Reference(outer));
            self.step(Op::Store(Place::Of(object, field), Value::Ref(this)), span);
        }
        for name in &known.mentioned {
            let Some((_, local)) = frame.locals.iter().rev().find(|(own, _)| own == name) else {
                continue;
            };
            let kept = format!("val${name}");
            match local {
                Local::Reference(reference @ (Ref::Static(_) | Ref::Class(_)), of, _) => {
                    let key = (class, name.clone());
                    self.constants.insert(key, (*reference, *of));
                }
                Local::Reference(reference, of, _) => {
                    let field = self.hidden_field(class, &kept, Kind::Reference(*of));
                    let value = Value::Ref(*reference);
                    self.step(Op::Store(Place::Of(object, field), value), span);
                }
                Local::Flag(variable) => {
                    let field = self.hidden_field(class, &kept, Kind::Flag);
                    let value = Value::Flag(*variable);
                    self.step(Op::Store(Place::Of(object, field), value), span);
                }
                Local::Data(_) => {
                    self.hidden_field(class, &kept, Kind::Data);
                }
            }
        }
    }
}

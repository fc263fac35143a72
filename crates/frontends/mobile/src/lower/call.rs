//! Calls: functions of the program are inlined, others are the world's.

use std::collections::HashMap;
use std::rc::Rc;

use lang_c::ast::{CallExpression, Expression};
use lang_c::span::Node;
use model::{Binary, LocId, Stmt};
use source::Span;

use crate::codes::names as code;
use crate::ctype::{CType, Signature};

use super::build::Build;
use super::pointer::{FUNCTION, Pts};
use super::statement::Cases;
use super::value::Rvalue;
use super::{Lowering, Symbol};

/// How many calls of one function may be open at once.
const MAX_DEPTH: usize = 4;
/// How many calls are inlined in all.
const MAX_CALLS: usize = 4000;

/// A call that is being lowered.
pub(super) struct Frame {
    /// The function.
    pub(super) function: usize,
    /// Where `return` leads.
    pub(super) back: LocId,
    /// The object that holds the result.
    pub(super) result: Option<usize>,
    /// Where `break` leads, and how many scopes are open there.
    pub(super) breaks: Vec<(LocId, usize)>,
    /// Where `continue` leads.
    pub(super) continues: Vec<(LocId, usize)>,
    pub(super) switches: Vec<Cases>,
    pub(super) labels: HashMap<String, LocId>,
    /// Whether it has a `switch`, which may pass over declarations.
    pub(super) switched: bool,
    /// The objects of its variables.
    pub(super) locals: Vec<usize>,
    /// Those of its parameters, which are set when it begins.
    given: Vec<usize>,
}

impl Lowering<'_> {
    pub(super) fn call(&mut self, call: &CallExpression, site: usize, span: Span) -> Rvalue {
        let arguments: Vec<&Node<Expression>> = call.arguments.iter().collect();
        if let Expression::Identifier(name) = &call.callee.node {
            match self.lookup(&name.node.name) {
                Some(&Symbol::Function(function)) => {
                    let values = self.operands(&arguments, span);
                    self.site = site;
                    return self.call_function(function, values, span);
                }
                // C before 1999 declares what is called; compilers still accept it.
                None => {
                    let signature = Rc::new(Signature {
                        result: CType::INT,
                        parameters: Vec::new(),
                        open: true,
                    });
                    let function = self.function(&name.node.name, &signature);
                    let values = self.operands(&arguments, span);
                    self.site = site;
                    return self.call_function(function, values, span);
                }
                _ => {}
            }
        }
        let mut all = vec![&*call.callee];
        all.extend(arguments);
        let mut values = self.operands(&all, span);
        let callee = values.remove(0);
        self.site = site;
        self.call_pointer(&callee, values, span)
    }

    /// A call through a pointer: of any function that it may be to.
    fn call_pointer(&mut self, callee: &Rvalue, values: Vec<Rvalue>, span: Span) -> Rvalue {
        let signature = match &callee.ty {
            CType::Pointer(to) => match &**to {
                CType::Function(signature) => Rc::clone(signature),
                _ => return self.no_function(span),
            },
            _ => return self.no_function(span),
        };
        let Some(pointer) = callee.expr else {
            return self.zero(&signature.result);
        };
        self.null_checked(pointer, &callee.pts, span);
        let into = self.is_into(pointer, FUNCTION);
        let other = self.pool().not(into);
        self.sink_if(
            other,
            "a call through a pointer to a function that is not known",
            span,
        );
        if let Some(number) = self.program.exprs.number(pointer) {
            let at = number - super::pointer::base(FUNCTION);
            return match usize::try_from(at)
                .ok()
                .filter(|at| *at < self.functions.len())
            {
                Some(function) => self.call_function(function, values, span),
                None => self.zero(&signature.result),
            };
        }
        let pointer = self.kept(pointer);
        let values: Vec<Rvalue> = values.into_iter().map(|value| self.copied(value)).collect();
        let candidates: Vec<usize> = self.facts.taken.iter().copied().collect();
        let Some(from) = self.seal(span) else {
            return self.zero(&signature.result);
        };
        let place = signature
            .result
            .model()
            .map(|model| self.temporary("result", model));
        let end = self.location(span);
        let mut rest = self.pool().bool(true);
        let mut pts = Pts::default();
        let site = self.site;
        for function in candidates {
            self.site = site;
            if self.functions[function].signature.parameters.len() != values.len()
                && !self.functions[function].signature.open
            {
                continue;
            }
            let here = self.pointer(FUNCTION, function);
            let here = self.pool().two(Binary::Eq, pointer, here);
            let to = self.location(span);
            self.step(from, Some(here), to, span);
            self.here = None;
            self.start(to);
            let value = self.call_function(function, values.clone(), span);
            let value = self.convert(value, &signature.result, span);
            if let (Some(place), Some(expr)) = (&place, value.expr) {
                self.assign(place.clone(), expr);
            }
            pts = super::pointer::union(&pts, &value.pts);
            self.jump(end, span);
            let not = self.pool().not(here);
            rest = self.pool().two(Binary::And, rest, not);
        }
        let strange = self.location(span);
        self.step(from, Some(rest), strange, span);
        self.here = None;
        self.start(strange);
        self.sink(
            "a call through a pointer to a function that is not known",
            span,
        );
        self.start(end);
        Rvalue {
            expr: place.map(|place| {
                let model = signature.result.model().expect("it has a place");
                self.pool().load(place, model)
            }),
            ty: signature.result.clone(),
            pts,
            at: None,
        }
    }

    fn no_function(&mut self, span: Span) -> Rvalue {
        self.error(code::TYPE, span, "what is called is no function");
        self.zero(&CType::INT)
    }

    /// A call of a function that is known by name.
    pub(super) fn call_function(
        &mut self,
        function: usize,
        values: Vec<Rvalue>,
        span: Span,
    ) -> Rvalue {
        let signature = Rc::clone(&self.functions[function].signature);
        let mut arguments = Vec::new();
        for (at, value) in values.into_iter().enumerate() {
            let value = match signature.parameters.get(at) {
                Some((_, ty)) => self.convert(value, ty, span),
                None => {
                    let ty = value.ty.promoted();
                    self.convert(value, &ty, span)
                }
            };
            arguments.push(value);
        }
        for argument in &arguments {
            if let (CType::Pointer(_), Some(pointer)) = (&argument.ty, argument.expr) {
                self.set_checked(pointer, &argument.pts, span);
            }
        }
        self.monitor(function, &arguments, span);
        match self.functions[function].definition {
            Some(_) => self.inline(function, &arguments, span),
            None => {
                self.given_for_orders(&arguments, span);
                self.library(function, &arguments, span)
            }
        }
    }

    /// Inlines a function.
    pub(super) fn inline(&mut self, function: usize, arguments: &[Rvalue], span: Span) -> Rvalue {
        let signature = Rc::clone(&self.functions[function].signature);
        let Some(definition) = self.functions[function].definition else {
            return self.zero(&signature.result);
        };
        if !self.is_live() {
            return self.zero(&signature.result);
        }
        let open = self
            .frames
            .iter()
            .filter(|frame| frame.function == function)
            .count();
        self.calls += 1;
        if open >= MAX_DEPTH || self.calls > MAX_CALLS {
            let name = &self.functions[function].name;
            let what = match open >= MAX_DEPTH {
                true => format!("a call of `{name}` from itself, more than {MAX_DEPTH} deep"),
                false => format!("a call of `{name}`, where more than {MAX_CALLS} are inlined"),
            };
            self.sink(&what, span);
            return self.zero(&signature.result);
        }
        let outer = self.enter_function(definition.span.start);
        let back = self.location(span);
        self.frames.push(Frame {
            function,
            back,
            result: None,
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            labels: HashMap::new(),
            switched: false,
            locals: Vec::new(),
            given: Vec::new(),
        });
        let at = definition.span.start;
        if signature.result != CType::Void {
            let result = self.new_variable("result", &signature.result, false, at, span);
            if let Some(frame) = self.frames.last_mut() {
                frame.result = result;
            }
        }
        self.parameters(&signature, arguments, at, span);
        let Some(entry) = self.seal(span) else {
            return self.zero(&signature.result);
        };
        let begin = self.location(span);
        let first = self.process.steps.len();
        self.step(entry, None, begin, span);
        self.here = Some(begin);
        self.statement(&definition.node.statement);
        self.jump(back, span);
        self.start(back);
        self.leave_function(outer, first, &signature, span)
    }

    fn parameters(&mut self, signature: &Signature, arguments: &[Rvalue], at: usize, span: Span) {
        for (number, (name, ty)) in signature.parameters.iter().enumerate() {
            let name = name.clone().unwrap_or_default();
            let Some(object) = self.new_variable(&name, ty, false, at + number, span) else {
                continue;
            };
            self.declare(name, Symbol::Object(object));
            self.begins(object);
            if let Some(frame) = self.frames.last_mut() {
                frame.given.push(object);
            }
            match arguments.get(number) {
                Some(value) => {
                    let place = self.whole(object);
                    self.store(&place, value, span);
                }
                None => self.unset(object, span),
            }
        }
    }

    fn leave_function(
        &mut self,
        outer: super::Outer,
        first: usize,
        signature: &Signature,
        span: Span,
    ) -> Rvalue {
        let Some(frame) = self.frames.pop() else {
            return self.zero(&signature.result);
        };
        // Jumps may pass over declarations: what was not set by then is anything.
        if !frame.labels.is_empty() || frame.switched {
            let body = std::mem::take(&mut self.body);
            for local in &frame.locals {
                if !frame.given.contains(local) {
                    self.unset(*local, span);
                }
            }
            let all = std::mem::replace(&mut self.body, body);
            self.process.steps[first].body.extend(all);
        }
        let value = match frame.result {
            Some(result) => {
                let at = self.whole(result);
                let value = self.load(&at, span);
                match value.at {
                    // A structure is copied before its place is used again.
                    Some(_) => value,
                    None => self.copied(value),
                }
            }
            None => Rvalue::unknown(CType::Void),
        };
        for local in frame.locals {
            if self.facts.mortal.contains(&local) {
                let alive = self.alive(local);
                let no = self.pool().bool(false);
                self.emit(Stmt::Assign(alive, no));
            }
        }
        self.leave(outer);
        value
    }
}

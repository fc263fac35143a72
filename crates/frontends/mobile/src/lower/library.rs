//! Functions outside of the program.
//!
//! What one returns is any value of its type. Of the library's functions a table says which of
//! their arguments they write behind; any other function may write whatever can be reached from its
//! arguments, now and at each later call of a function outside. What functions outside are given
//! they use as they may: that a text ends, for example, is not checked there.

use std::collections::BTreeSet;
use std::rc::Rc;

use model::{Stmt, ValueSet};
use source::Span;

use crate::ctype::CType;

use super::Lowering;
use super::build::Build;
use super::checks::Kind;
use super::contents::How;
use super::documented::{
    COMPUTED, MAYBE_FIRST, OPTIONAL, RETURNS_FIRST, WITHIN_FIRST, WRITES, is_filling,
};
use super::heap::Request;
use super::pointer::{FIRST, FUNCTION, NULL, OUTSIDE, Pts, base, only};
use super::value::Rvalue;

/// Functions that are followed, or whose arguments never come back from the world.
const FORGETS: &[&str] = &[
    "__probity_assert",
    "_exit",
    "abort",
    "calloc",
    "declassify",
    "exit",
    "free",
    "go_in",
    "go_out",
    "malloc",
    "printf",
    "pthread_create",
    "pthread_exit",
    "pthread_join",
    "putchar",
    "puts",
    "quick_exit",
    "realloc",
    "remote",
    "strdup",
];

impl Lowering<'_> {
    /// A call of a function outside.
    pub(super) fn library(&mut self, function: usize, arguments: &[Rvalue], span: Span) -> Rvalue {
        let name = self.functions[function].name.clone();
        let result = self.functions[function].signature.result.clone();
        if !self.is_live() {
            return self.zero(&result);
        }
        let computes = [COMPUTED, FORGETS]
            .iter()
            .any(|known| known.contains(&name.as_str()));
        let outer = self.tells(arguments, computes);
        let value = self.library_call(&name, arguments, &result, span);
        self.told(outer);
        value
    }

    fn library_call(
        &mut self,
        name: &str,
        arguments: &[Rvalue],
        result: &CType,
        span: Span,
    ) -> Rvalue {
        self.counted(name, arguments, span);
        self.scan_checked(name, arguments, span);
        if let Some(value) = self.computed(name, arguments, result, span) {
            return value;
        }
        match (name, arguments) {
            ("exit" | "abort" | "_exit" | "quick_exit", _) => {
                self.end(span);
                self.zero(result)
            }
            ("__probity_assert", [value]) => {
                let holds = self.truth(value, span);
                let bad = self.pool().not(holds);
                self.fail_assertion(bad, span);
                self.zero(result)
            }
            ("go_in", [location]) => {
                self.go_in(location, span);
                self.zero(result)
            }
            ("go_out", [location]) => {
                self.go_out(location, span);
                self.zero(result)
            }
            ("longjmp" | "siglongjmp" | "setcontext" | "swapcontext", _) => {
                self.sink("a jump out of functions", span);
                self.zero(result)
            }
            ("malloc" | "calloc" | "realloc" | "free" | "strdup", _) => {
                self.memory_function(name, arguments, result, span)
            }
            ("declassify", [value]) => self.declassified(value.clone(), result, span),
            ("remote", []) => {
                let agent = self.agent.clone();
                let remote = self.is_remote(&agent);
                let remote = self.kept(remote);
                self.truth_as(remote, &CType::INT)
            }
            ("pthread_create", _) => self.create(arguments, span),
            ("pthread_join", _) => {
                self.join(arguments, span);
                self.zero(result)
            }
            ("pthread_exit", _) => {
                self.end_thread(span);
                self.zero(result)
            }
            ("pthread_mutex_lock", [mutex]) => {
                self.lock(mutex, span);
                self.zero(result)
            }
            ("pthread_mutex_unlock" | "pthread_mutex_init", [mutex, ..]) => {
                self.unlock(mutex, span);
                self.zero(result)
            }
            ("pthread_mutex_destroy", _) => self.zero(result),
            ("strcmp", [a, b]) => self.compare_texts(a, b, span),
            ("printf" | "fprintf" | "dprintf" | "syslog", _) => {
                self.print(name, arguments, result, span)
            }
            ("strtol" | "strtoul" | "strtoll" | "strtoull" | "strtod", [text, end, ..]) => {
                // Where the number ends is somewhere in the text.
                self.written_with(name, end, &text.pts, span);
                self.any_result(name, result, span)
            }
            ("__probity_va_arg", _) => {
                let outer = self.depends_on_anything();
                let value = self.any_result(name, result, span);
                self.told(outer);
                if let Some(pointer) = value.expr {
                    let null = self.is_null(pointer);
                    let there = self.pool().not(null);
                    self.emit(Stmt::Assume(there));
                }
                value
            }
            ("memcpy" | "memmove", [to, from, ..]) => {
                self.copied_behind(name, to, from, span);
                self.returned(to, result)
            }
            _ if is_filling(name) => self.filling(name, arguments, result, span),
            _ => match WRITES.iter().find(|(known, _)| *known == name) {
                Some((_, written)) => {
                    self.text_checked(name, arguments, span);
                    for &at in *written {
                        if let Some(argument) = arguments.get(at) {
                            self.written_by(name, argument, span);
                        }
                    }
                    match arguments.first() {
                        Some(first) if RETURNS_FIRST.contains(&name) => {
                            self.returned(first, result)
                        }
                        Some(first) if MAYBE_FIRST.contains(&name) => {
                            self.first_or_null(name, first, result, span)
                        }
                        Some(first) if WITHIN_FIRST.contains(&name) => {
                            self.inside_of(name, first, result, span)
                        }
                        _ => self.any_result(name, result, span),
                    }
                }
                None => self.unknown_function(name, arguments, result, span),
            },
        }
    }

    /// What allocates memory, or frees it.
    fn memory_function(
        &mut self,
        name: &str,
        arguments: &[Rvalue],
        result: &CType,
        span: Span,
    ) -> Rvalue {
        let number = |at: usize| arguments.get(at).and_then(|value| value.expr);
        let request = match (name, number(0), number(1)) {
            ("malloc", Some(bytes), _) | ("realloc", _, Some(bytes)) => Request {
                bytes,
                zeros: false,
            },
            ("calloc", Some(count), Some(size)) => {
                let bytes = self.product(count, size, span);
                Request { bytes, zeros: true }
            }
            ("free", ..) => {
                if let [value] = arguments {
                    self.free(value, span);
                }
                return self.zero(result);
            }
            _ => {
                self.sink("memory that is allocated", span);
                return self.zero(result);
            }
        };
        match (name, arguments) {
            ("realloc", [old, _]) => self.reallocate(old, &request, result, span),
            _ => self.allocate(&request, result, span),
        }
    }

    /// A function gives back what it was given.
    fn returned(&mut self, value: &Rvalue, result: &CType) -> Rvalue {
        Rvalue {
            ty: result.clone(),
            ..value.clone()
        }
    }

    /// A function gives back what it was given, or null.
    pub(super) fn first_or_null(
        &mut self,
        name: &str,
        value: &Rvalue,
        to: &CType,
        span: Span,
    ) -> Rvalue {
        let fact = format!("whether `{name}` returns null");
        let failed = self.any_truth(&fact, span, true);
        let null = self.pointer(NULL, 0);
        let expr = value
            .expr
            .map(|expr| self.pool().either(failed, null, expr));
        Rvalue {
            ty: to.clone(),
            expr,
            ..value.clone()
        }
    }

    /// A pointer to somewhere in the memory behind an argument, or null.
    fn inside_of(&mut self, name: &str, value: &Rvalue, result: &CType, span: Span) -> Rvalue {
        let mut all: BTreeSet<usize> = value.pts.iter().copied().collect();
        all.insert(OUTSIDE);
        all.remove(&NULL);
        let all: Pts = Rc::new(all);
        let fact = format!("what `{name}` returns");
        let expr = self.any_pointer(&all, &fact, span, false);
        Rvalue {
            ty: result.clone(),
            expr: Some(expr),
            pts: all,
            at: None,
        }
    }

    /// Memory is copied: what was behind one pointer may be behind the other.
    fn copied_behind(&mut self, name: &str, to: &Rvalue, from: &Rvalue, span: Span) {
        let mut held = Pts::default();
        for &object in from.pts.iter().filter(|&&object| object >= FIRST) {
            held = super::pointer::union(&held, &self.contents(object));
        }
        if let Some(pointer) = from.expr {
            self.null_checked(pointer, &from.pts, span);
            for &object in from.pts.iter().filter(|&&object| object >= FIRST) {
                let count = self.count(object) + 1;
                let within = self.within(pointer, object, count);
                self.alive_checked(object, within, span);
            }
        }
        self.written_with(name, to, &held, span);
    }

    /// A failed assertion ends the program.
    fn fail_assertion(&mut self, bad: model::ExprId, span: Span) {
        if self.is_false(bad) {
            return;
        }
        let (yes, no) = self.branch(bad, span);
        self.start(yes);
        let all = self.pool().bool(true);
        self.report_if(all, Kind::Assertion, span);
        self.end(span);
        self.start(no);
    }

    /// Printing writes nothing, unless the format says so.
    fn print(&mut self, name: &str, arguments: &[Rvalue], result: &CType, span: Span) -> Rvalue {
        let format = arguments.get(usize::from(name != "printf"));
        let harmless = format.is_some_and(|format| {
            format.pts.iter().all(|&object| {
                let known = object >= FIRST;
                let literal = known.then(|| self.known(object).literal.clone()).flatten();
                literal.is_some_and(|bytes| !bytes.windows(2).any(|two| two == b"%n"))
            })
        });
        match harmless {
            true => self.any_result(name, result, span),
            false => self.unknown_function(name, arguments, result, span),
        }
    }

    /// Any value of a type, as a function outside returns it.
    pub(super) fn any_result(&mut self, name: &str, ty: &CType, span: Span) -> Rvalue {
        let fact = format!("what `{name}` returns");
        let exact = !COMPUTED.contains(&name);
        match ty {
            CType::Void => Rvalue::unknown(CType::Void),
            CType::Bool => {
                let truth = self.any_truth(&fact, span, exact);
                self.truth_as(truth, ty)
            }
            CType::Int { .. } => {
                let model = ty.model().expect("integers are followed");
                let expr = self.any(&model, &fact, span, exact);
                Rvalue::number(ty.clone(), expr)
            }
            CType::Pointer(_) => {
                let pts = only(OUTSIDE);
                let expr = self.any_pointer(&pts, &fact, span, exact);
                Rvalue {
                    ty: ty.clone(),
                    expr: Some(expr),
                    pts,
                    at: None,
                }
            }
            CType::Record(_) => Rvalue::unknown(ty.clone()),
            CType::Float(_) => Rvalue::unknown(ty.clone()),
            _ => {
                self.sink("a result of a type that is not followed", span);
                self.zero(ty)
            }
        }
    }

    /// `strcmp`, where one of the texts is a literal.
    fn compare_texts(&mut self, a: &Rvalue, b: &Rvalue, span: Span) -> Rvalue {
        for side in [a, b] {
            if let Some(pointer) = side.expr {
                self.null_checked(pointer, &side.pts, span);
            }
        }
        let known = [(a, b), (b, a)].into_iter().find_map(|(side, other)| {
            let text = self.literal_text(side)?;
            Some((text, other.clone()))
        });
        let Some((text, other)) = known else {
            return self.any_result("strcmp", &CType::INT, span);
        };
        self.add_text(&text);
        let same = self.is_text(&other, &text, How::Whole, span);
        let same = self.kept(same);
        let model = CType::INT.model().expect("integers are followed");
        // Which comes first is told by nobody.
        let first = self.any_truth("which of two texts comes first", span, true);
        let (one, minus, zero) = (
            self.pool().int(1, model.clone()),
            self.pool().int(-1, model.clone()),
            self.pool().int(0, model),
        );
        let differ = self.pool().either(first, one, minus);
        let expr = self.pool().either(same, zero, differ);
        Rvalue::number(CType::INT, expr)
    }

    /// The text that a constant pointer is to.
    pub(super) fn literal_text(&self, value: &Rvalue) -> Option<Vec<u8>> {
        let number = self.program_number(value.expr?)?;
        let object = usize::try_from(number >> super::pointer::OFFSET_BITS).ok()?;
        if object < FIRST {
            return None;
        }
        let bytes = self.known(object).literal.clone()?;
        let offset = usize::try_from(number - base(object)).ok()?;
        let rest = bytes.get(offset..)?;
        let end = rest.iter().position(|&byte| byte == 0)?;
        Some(rest[..end].to_vec())
    }

    /// A function of the library writes behind an argument: what it writes is any value afterwards.
    fn written_by(&mut self, name: &str, argument: &Rvalue, span: Span) {
        match self.written_type(name, argument) {
            Some(bytes) => {
                if let Some(pointer) = argument.expr {
                    self.null_or_checked(name, pointer, &argument.pts, span);
                    let fact = format!("what `{name}` writes");
                    self.writable_checked(pointer, &argument.pts, span);
                    self.filled(pointer, &argument.pts, bytes, &fact, span);
                }
            }
            None => self.written_with(name, argument, &Pts::default(), span),
        }
    }

    /// A function follows a pointer; some do nothing with null.
    fn null_or_checked(&mut self, name: &str, pointer: model::ExprId, pts: &Pts, span: Span) {
        match OPTIONAL.contains(&name) {
            true => self.set_checked(pointer, pts, span),
            false => self.null_checked(pointer, pts, span),
        }
    }

    /// The same with pointers to these objects among what is written.
    pub(super) fn written_with(&mut self, name: &str, argument: &Rvalue, held: &Pts, span: Span) {
        let Some(pointer) = argument.expr else {
            return;
        };
        self.null_or_checked(name, pointer, &argument.pts, span);
        let fact = format!("what `{name}` writes");
        self.writable_checked(pointer, &argument.pts, span);
        for &object in argument.pts.iter().filter(|&&object| object >= FIRST) {
            let count = self.count(object) + 1;
            let into = self.within(pointer, object, count);
            // Which part of it is written is not followed.
            self.havoc(object, Some(into), held, (&fact, false), span);
        }
    }

    /// What is behind a pointer is any value afterwards; null is left alone.
    pub(super) fn havoc_behind(&mut self, pointer: &Rvalue, span: Span) {
        let Some(expr) = pointer.expr else {
            return;
        };
        for &object in pointer.pts.iter().filter(|&&object| object >= FIRST) {
            let count = self.count(object) + 1;
            let into = self.within(expr, object, count);
            let fact = "what a function outside writes";
            self.havoc(object, Some(into), &Pts::default(), (fact, true), span);
        }
    }

    /// An object holds any values afterwards, pointers to these among them.
    pub(super) fn havoc(
        &mut self,
        object: usize,
        cond: Option<model::ExprId>,
        pts: &Pts,
        (fact, exact): (&str, bool),
        span: Span,
    ) {
        self.wrote(object);
        let outside = self.outside(fact, span, exact);
        let mut pts: BTreeSet<usize> = pts.iter().copied().collect();
        pts.insert(OUTSIDE);
        let pts: Pts = Rc::new(pts);
        let mut body = Vec::new();
        for (place, cell) in self.places(object) {
            let Some((set, sample)) = self.any_in_cell(object, &cell, &pts) else {
                continue;
            };
            body.push(Stmt::Choose(model::Choice {
                place,
                set,
                sample,
                what: fact.to_owned(),
                outside: Some(outside),
            }));
        }
        let cond = cond.filter(|&cond| !self.is_true(cond));
        match cond {
            Some(cond) if self.is_false(cond) => {}
            Some(cond) => self.emit(Stmt::If(cond, body, Vec::new())),
            None => {
                for stmt in body {
                    self.emit(stmt);
                }
            }
        }
    }

    /// All values of a scalar of an object, pointers to these among them, and samples; none if it is
    /// not followed.
    pub(super) fn any_in_cell(
        &mut self,
        object: usize,
        cell: &CType,
        pts: &Pts,
    ) -> Option<(ValueSet, Option<Vec<model::ExprId>>)> {
        let ty = cell.model()?;
        Some(match cell {
            CType::Pointer(_) => {
                self.holds(object, pts);
                (self.all_pointers(pts), None)
            }
            _ => {
                let sample = self.samples(&ty);
                (ValueSet::All(ty), Some(sample))
            }
        })
    }

    /// A function of which nothing is known.
    fn unknown_function(
        &mut self,
        name: &str,
        arguments: &[Rvalue],
        result: &CType,
        span: Span,
    ) -> Rvalue {
        let mut reached: BTreeSet<usize> = self.facts.escaped.clone();
        for argument in arguments {
            reached.extend(argument.pts.iter().copied());
            // A structure is passed by value; what it points to is reached.
            if let Some(at) = &argument.at {
                for &object in at.pts.iter() {
                    reached.extend(self.contents(object).iter().copied());
                }
            }
        }
        let mut waiting: Vec<usize> = reached.iter().copied().collect();
        while let Some(object) = waiting.pop() {
            for &inner in self.contents(object).iter() {
                if reached.insert(inner) {
                    waiting.push(inner);
                }
            }
        }
        reached.remove(&NULL);
        self.facts.escaped.extend(&reached);
        if reached.contains(&FUNCTION) {
            // It may call what it was given.
            let calls = self.any_truth("whether a function outside calls back", span, false);
            let what = format!("`{name}` calls a function that it was given");
            self.sink_if(calls, &what, span);
        }
        let pts: Pts = Rc::new(reached.clone());
        let fact = format!("what `{name}` writes");
        for &object in reached.iter().filter(|&&object| object >= FIRST) {
            if self.known(object).literal.is_none() {
                if self.known(object).owner.is_some() {
                    self.facts.mortal.insert(object);
                }
                self.havoc(object, None, &pts, (&fact, true), span);
            }
        }
        let mut value = self.any_result(name, result, span);
        if let (CType::Pointer(_), false) = (result, reached.is_empty()) {
            // It may give back what it was given.
            let mut all = reached;
            all.insert(OUTSIDE);
            let all: Pts = Rc::new(all);
            let expr = self.any_pointer(&all, &fact, span, true);
            value = Rvalue {
                ty: result.clone(),
                expr: Some(expr),
                pts: all,
                at: None,
            };
        }
        value
    }

    /// The number that an expression is.
    pub(super) fn program_number(&self, expr: model::ExprId) -> Option<i128> {
        self.program.exprs.number(expr)
    }
}

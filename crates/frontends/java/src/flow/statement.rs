//! Statements.

use source::Span;

use super::{Flow, Local, Scope, Val, assigned};
use crate::classes::{Kind, OBJECT};
use crate::code::{Op, Ref, Test, Value};
use crate::tree::{Expr, ExprKind, For, Stmt, StmtKind, Try, Type};

/// Loops that are known to go round no more often than this are unrolled.
const MOST_ROUNDS: u32 = 8;

impl<'a> Flow<'a, '_> {
    /// Statements of a block.
    pub(super) fn statements(&mut self, all: &'a [Stmt]) {
        let locals = self.frame().locals.len();
        for one in all {
            if self.here.is_some() {
                self.statement(one);
            }
        }
        self.frame().locals.truncate(locals);
    }

    fn statement(&mut self, statement: &'a Stmt) {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Empty => {}
            StmtKind::Block(all) => self.statements(all),
            StmtKind::Local(ty, all) => {
                for (name, value) in all {
                    self.local(ty, name, value.as_ref(), span);
                }
            }
            StmtKind::Expr(value) => {
                self.value(value, "");
            }
            StmtKind::If(test, then, otherwise) => {
                let (yes, no) = self.branch(test);
                self.here = yes;
                self.statement_if_reached(then);
                let end = std::mem::replace(&mut self.here, no);
                if let Some(otherwise) = otherwise {
                    self.statement_if_reached(otherwise);
                }
                let other = self.here;
                self.here = self.joined([end, other], span);
            }
            StmtKind::While(test, body) => self.while_loop(Some(test), body, &[], None, span),
            StmtKind::Do(body, test) => self.do_loop(body, test, span),
            StmtKind::For(parts) => self.for_loop(parts, None, span),
            StmtKind::Each(ty, name, all, body) => self.each(ty, name, all, body, span),
            StmtKind::Switch(value, groups, default) => self.switch(value, groups, *default, span),
            StmtKind::Synchronized(value, body) => self.synchronized(value, body),
            StmtKind::Return(value) => self.return_from(value.as_ref(), span),
            StmtKind::Break(label) => self.leave(label.as_deref(), false, span),
            StmtKind::Continue(label) => self.leave(label.as_deref(), true, span),
            StmtKind::Labelled(name, body) => self.labelled(name, body, span),
            StmtKind::Assert(test) => {
                let (yes, no) = self.branch(test);
                self.here = no;
                self.step(Op::Assert(span, false), span);
                self.thrown(self.scopes.len(), span);
                self.here = yes;
                self.step(Op::Assert(span, true), span);
            }
            StmtKind::Throw(value) => {
                self.value(value, "");
                self.thrown(self.scopes.len(), span);
            }
            StmtKind::Try(parts) => self.try_statement(parts, span),
        }
    }

    fn statement_if_reached(&mut self, statement: &'a Stmt) {
        if self.here.is_some() {
            let locals = self.frame().locals.len();
            self.statement(statement);
            self.frame().locals.truncate(locals);
        }
    }

    /// A variable comes into being.
    fn local(&mut self, ty: &Type, name: &str, value: Option<&'a Expr>, span: Span) {
        let assigned = self.frame().assigned.iter().any(|one| one == name);
        let given = value.map(|value| self.value(value, name));
        let kind = match (ty.name.as_str(), &given) {
            ("var", Some(Val::Reference(_, class, _))) => Kind::Reference(class.unwrap_or(OBJECT)),
            ("var", Some(Val::Flag(_))) => Kind::Flag,
            _ => self.classes.kind(ty),
        };
        let given = given.map(|given| self.converted(given, kind, span));
        let local = match (kind, given) {
            (Kind::Data, _) => Local::Data(ty.name.clone()),
            (Kind::Reference(class), Some(Val::Reference(reference, ..)))
                if !assigned && reference != Ref::Null && self.is_stable(reference) =>
            {
                Local::Reference(reference, class, true)
            }
            (Kind::Reference(class), given) => {
                let variable = self.variable(name, false);
                if let Some(Val::Reference(reference, ..)) = given {
                    self.step(Op::Set(variable, Value::Ref(reference)), span);
                }
                Local::Reference(Ref::Var(variable), class, !assigned && given.is_some())
            }
            (Kind::Flag, given) => {
                let variable = self.variable(name, true);
                if let Some(Val::Flag(value)) = given {
                    self.step(Op::Set(variable, value), span);
                }
                Local::Flag(variable)
            }
        };
        self.frame().locals.push((name.to_owned(), local));
    }

    /// `while`, and the end of `for`.
    fn while_loop(
        &mut self,
        test: Option<&'a Expr>,
        body: &'a Stmt,
        next: &'a [Expr],
        name: Option<&str>,
        span: Span,
    ) {
        let head = self.label(span);
        let (end, again) = (self.label(span), self.label(span));
        self.goto(head, span);
        self.here = Some(head);
        let (yes, no) = match test {
            Some(test) => self.branch(test),
            None => (self.here, None),
        };
        if no.is_some() {
            self.here = no;
            self.goto(end, span);
        }
        self.here = yes;
        self.enter(Scope::Loop(end, Some(again), name.map(str::to_owned)));
        self.statement_if_reached(body);
        self.scopes.pop();
        if self.here.is_some() {
            self.goto(again, span);
        }
        self.resume(again);
        for one in next {
            self.value(one, "");
        }
        if self.here.is_some() {
            self.goto(head, span);
        }
        self.resume(end);
    }

    fn do_loop(&mut self, body: &'a Stmt, test: &'a Expr, span: Span) {
        let head = self.label(span);
        let (end, again) = (self.label(span), self.label(span));
        self.goto(head, span);
        self.here = Some(head);
        self.enter(Scope::Loop(end, Some(again), None));
        self.statement_if_reached(body);
        self.scopes.pop();
        if self.here.is_some() {
            self.goto(again, span);
        }
        self.resume(again);
        if self.here.is_some() {
            let (yes, no) = self.branch(test);
            for (from, to) in [(yes, head), (no, end)] {
                self.here = from;
                self.goto(to, span);
            }
        }
        self.resume(end);
    }

    fn for_loop(&mut self, parts: &'a For, name: Option<&str>, span: Span) {
        let locals = self.frame().locals.len();
        for one in &parts.first {
            self.statement(one);
        }
        match rounds(parts) {
            Some(rounds) => {
                let end = self.label(span);
                for _ in 0..rounds {
                    let again = self.label(span);
                    self.enter(Scope::Loop(end, Some(again), name.map(str::to_owned)));
                    self.statement_if_reached(&parts.body);
                    self.scopes.pop();
                    if self.here.is_some() {
                        self.goto(again, span);
                    }
                    self.resume(again);
                }
                if self.here.is_some() {
                    self.goto(end, span);
                }
                self.resume(end);
            }
            None => {
                let test = parts.condition.as_ref();
                self.while_loop(test, &parts.body, &parts.next, name, span);
            }
        }
        self.frame().locals.truncate(locals);
    }

    /// `for (T x : e)`: so many rounds as there may be, each with any element.
    fn each(&mut self, ty: &Type, name: &str, all: &'a Expr, body: &'a Stmt, span: Span) {
        self.value(all, "");
        self.choice(all.span, "what a collection has in it");
        let head = self.label(span);
        let end = self.label(span);
        self.goto(head, span);
        self.here = Some(head);
        let (yes, no) = self.tested(&Test::Chosen, span);
        self.here = no;
        self.goto(end, span);
        self.here = yes;
        let locals = self.frame().locals.len();
        let local = match self.classes.kind(ty) {
            Kind::Reference(class) => {
                let variable = self.variable(name, false);
                self.step(Op::Set(variable, Value::Any(class)), span);
                Local::Reference(Ref::Var(variable), class, false)
            }
            Kind::Flag => {
                let variable = self.variable(name, true);
                self.step(Op::Set(variable, Value::Chosen), span);
                Local::Flag(variable)
            }
            Kind::Data => Local::Data(ty.name.clone()),
        };
        self.frame().locals.push((name.to_owned(), local));
        self.enter(Scope::Loop(end, Some(head), None));
        self.statement_if_reached(body);
        self.scopes.pop();
        if self.here.is_some() {
            self.goto(head, span);
        }
        self.frame().locals.truncate(locals);
        self.resume(end);
    }

    fn switch(&mut self, value: &'a Expr, groups: &'a [Vec<Stmt>], default: bool, span: Span) {
        self.value(value, "");
        self.choice(value.span, "the value of a `switch`");
        let end = self.label(span);
        let mut starts = Vec::new();
        for _ in groups {
            let (yes, no) = self.tested(&Test::Chosen, span);
            starts.push(yes);
            self.here = no;
        }
        if !default && self.here.is_some() {
            self.goto(end, span);
        }
        self.here = None;
        self.enter(Scope::Loop(end, None, None));
        let locals = self.frame().locals.len();
        for (group, start) in groups.iter().zip(starts) {
            let here = self.here;
            self.here = self.joined([here, start], span);
            for one in group {
                if self.here.is_some() {
                    self.statement(one);
                }
            }
        }
        self.frame().locals.truncate(locals);
        self.scopes.pop();
        if self.here.is_some() {
            self.goto(end, span);
        }
        self.resume(end);
    }

    fn synchronized(&mut self, value: &'a Expr, body: &'a [Stmt]) {
        match self.value(value, "monitor") {
            Val::Reference(monitor, ..) => {
                self.guarded(monitor, value.span, |flow| flow.statements(body));
            }
            Val::Flag(_) | Val::Data => {
                self.outside(value.span, "a monitor of this type");
                self.statements(body);
            }
        }
    }

    /// What is done while a monitor is held.
    pub(super) fn guarded(&mut self, monitor: Ref, span: Span, body: impl FnOnce(&mut Self)) {
        if self.here.is_none() {
            return;
        }
        let monitor = match self.is_stable(monitor) {
            true => monitor,
            false => {
                let variable = self.variable("monitor", false);
                self.step(Op::Set(variable, Value::Ref(monitor)), span);
                Ref::Var(variable)
            }
        };
        let before = self.here;
        self.enter(Scope::Monitor(monitor));
        let inside = self.label(span);
        let entered = self.scopes.pop();
        self.here = before;
        self.edge(Some(inside), Op::Lock(monitor), span, false);
        self.scopes.extend(entered);
        self.here = Some(inside);
        body(self);
        self.scopes.pop();
        self.step(Op::Unlock, span);
    }

    fn return_from(&mut self, value: Option<&'a Expr>, span: Span) {
        let value = value.map(|value| self.value(value, "result"));
        let result = self.frame().result.clone();
        match (result, value) {
            (Some(Local::Reference(Ref::Var(variable), class, _)), Some(value)) => {
                if let Val::Reference(reference, ..) =
                    self.converted(value, Kind::Reference(class), span)
                {
                    self.step(Op::Set(variable, Value::Ref(reference)), span);
                }
            }
            (Some(Local::Flag(variable)), Some(value)) => {
                if let Val::Flag(value) = self.converted(value, Kind::Flag, span) {
                    self.step(Op::Set(variable, value), span);
                }
            }
            _ => {}
        }
        let mut scopes = self.scopes.iter().enumerate().rev();
        let call = scopes.find_map(|(depth, (_, scope))| match scope {
            Scope::Call(end) => Some((depth, *end)),
            _ => None,
        });
        if let Some((depth, end)) = call {
            self.unwound(depth, span, |flow| flow.goto(end, span));
        }
    }

    /// `break` and `continue`.
    fn leave(&mut self, name: Option<&str>, again: bool, span: Span) {
        let mut scopes = self.scopes.iter().enumerate().rev();
        let found = scopes.find_map(|(depth, (_, scope))| match scope {
            Scope::Loop(end, next, own) => {
                let to = if again { *next } else { Some(*end) };
                let named = name.is_none_or(|name| own.as_deref() == Some(name));
                to.filter(|_| named).map(|to| (depth, to))
            }
            _ => None,
        });
        match found {
            Some((depth, to)) => self.unwound(depth, span, |flow| flow.goto(to, span)),
            None => {
                self.outside(span, "where this leads");
                self.here = None;
            }
        }
    }

    fn labelled(&mut self, name: &str, body: &'a Stmt, span: Span) {
        match &body.kind {
            StmtKind::While(test, inner) => {
                self.while_loop(Some(test), inner, &[], Some(name), span);
            }
            StmtKind::For(parts) => self.for_loop(parts, Some(name), span),
            _ => {
                self.outside(span, "a label that is not of `while` or `for`");
                self.statement(body);
            }
        }
    }

    fn try_statement(&mut self, parts: &'a Try, span: Span) {
        let end = self.label(span);
        if let Some(finally) = &parts.finally {
            self.enter(Scope::Finally(finally));
        }
        // Nobody interrupts a thread, or it has been said that this is not understood.
        let caught = parts.catches.iter().filter(|(types, _)| {
            let mut types = types.iter();
            types.any(|name| name != "InterruptedException")
        });
        let caught: Vec<&(Vec<String>, Vec<Stmt>)> = caught.collect();
        let handler = self.label(span);
        if !caught.is_empty() {
            let all = ["Throwable", "Exception", "RuntimeException"];
            let mut types = caught.iter().flat_map(|(types, _)| types);
            let catches_all = types.any(|name| all.contains(&name.as_str()));
            let exact = catches_all && caught.len() == 1;
            self.enter(Scope::Catch(handler, exact));
        }
        self.statements(&parts.body);
        if !caught.is_empty() {
            self.scopes.pop();
        }
        let mut ends = vec![self.here];
        for (_, body) in caught {
            self.resume(handler);
            if self.here.is_some() {
                self.statements(body);
                ends.push(self.here);
            }
        }
        self.here = self.joined(ends, span);
        if let Some(finally) = &parts.finally {
            self.scopes.pop();
            if self.here.is_some() {
                self.statements(finally);
            }
        }
        if self.here.is_some() {
            self.goto(end, span);
        }
        self.resume(end);
    }

    /// Whether a reference stays the same while what uses it runs.
    pub(super) fn is_stable(&self, reference: Ref) -> bool {
        let Ref::Var(_) = reference else {
            return true;
        };
        // A variable that has no name of the script's, or one that is assigned once.
        let locals = self.frames.iter().flat_map(|frame| &frame.locals);
        locals.into_iter().all(|(_, local)| match local {
            Local::Reference(one, _, stable) => *one != reference || *stable,
            _ => true,
        })
    }
}

/// How often a loop goes round that counts from one number to another.
fn rounds(parts: &For) -> Option<u32> {
    let [first] = &parts.first[..] else {
        return None;
    };
    let StmtKind::Local(_, variables) = &first.kind else {
        return None;
    };
    let [(name, Some(begin))] = &variables[..] else {
        return None;
    };
    let is_name = |one: &Expr| matches!(&one.kind, ExprKind::Name(own) if own == name);
    let number = |one: &Expr| match &one.kind {
        ExprKind::Number(text) => text.parse::<u32>().ok(),
        _ => None,
    };
    let ExprKind::Operator(operator, operands) = &parts.condition.as_ref()?.kind else {
        return None;
    };
    let [left, right] = &operands[..] else {
        return None;
    };
    let [next] = &parts.next[..] else {
        return None;
    };
    let ExprKind::Update(counted, by) = &next.kind else {
        return None;
    };
    let mut assigned = Vec::new();
    assigned::in_statements(std::slice::from_ref(&parts.body), &mut assigned);
    if !is_name(left) || !is_name(counted) || !by.is_empty() || assigned.contains(name) {
        return None;
    }
    let (from, to) = (number(begin)?, number(right)?);
    let rounds = match operator.as_str() {
        "<" => to.saturating_sub(from),
        "<=" => (to + 1).saturating_sub(from),
        _ => return None,
    };
    (rounds <= MOST_ROUNDS).then_some(rounds)
}

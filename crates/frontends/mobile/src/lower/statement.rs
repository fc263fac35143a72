//! Statements.

use lang_c::ast::{
    BlockItem, Expression, ForInitializer, Label, LabeledStatement, Statement, SwitchStatement,
};
use lang_c::span::Node;
use lang_c::visit::{self, Visit};
use model::{Binary, ExprId, LocId, Step, Type};
use source::Span;

use super::Lowering;
use super::build::Build;
use super::value::Rvalue;

/// A value that a `switch` asks for: from, to.
struct Case {
    range: (i128, i128),
    to: LocId,
}

/// A `switch` whose body is being lowered: where its labels are, by their place in the text.
#[derive(Default)]
pub(super) struct Cases {
    labels: Vec<(usize, LocId)>,
}

impl Lowering<'_> {
    /// Lowers a statement.
    pub(super) fn statement(&mut self, node: &Node<Statement>) {
        source::limits::check();
        let span = self.span(node.span);
        match &node.node {
            Statement::Labeled(labeled) => self.labeled(&labeled.node, labeled.span.start, span),
            Statement::Compound(items) => self.block(items),
            Statement::Expression(Some(expression)) => {
                self.discarded = true;
                self.rvalue(expression);
                self.seal(span);
            }
            Statement::Expression(None) => {}
            Statement::If(of) => {
                let of = &of.node;
                let cond = self.condition(&of.condition);
                let (yes, no) = self.branch(cond, self.span(of.condition.span));
                let end = self.location(span);
                self.start(yes);
                self.statement(&of.then_statement);
                self.jump(end, span);
                self.start(no);
                if let Some(otherwise) = &of.else_statement {
                    self.statement(otherwise);
                }
                self.jump(end, span);
                self.start(end);
            }
            Statement::While(of) => {
                let of = &of.node;
                let head = self.location(span);
                self.jump(head, span);
                self.start(head);
                let cond = self.condition(&of.expression);
                let (body, end) = self.branch(cond, self.span(of.expression.span));
                self.start(body);
                self.repeated(&of.statement, end, head);
                self.jump(head, span);
                self.start(end);
            }
            Statement::DoWhile(of) => {
                let of = &of.node;
                let (head, tail) = (self.location(span), self.location(span));
                self.jump(head, span);
                self.start(head);
                let end = self.location(span);
                self.repeated(&of.statement, end, tail);
                self.jump(tail, span);
                self.start(tail);
                let cond = self.condition(&of.expression);
                let (again, done) = self.branch(cond, self.span(of.expression.span));
                self.start(again);
                self.jump(head, span);
                self.start(done);
                self.jump(end, span);
                self.start(end);
            }
            Statement::For(of) => {
                let of = &of.node;
                self.enter_scope();
                match &of.initializer.node {
                    ForInitializer::Expression(first) => {
                        self.discarded = true;
                        self.rvalue(first);
                        self.seal(span);
                    }
                    ForInitializer::Declaration(first) => {
                        self.declaration(&first.node);
                        self.seal(span);
                    }
                    _ => {}
                }
                let (head, tail) = (self.location(span), self.location(span));
                self.jump(head, span);
                self.start(head);
                let end = match &of.condition {
                    Some(condition) => {
                        let cond = self.condition(condition);
                        let (body, end) = self.branch(cond, self.span(condition.span));
                        self.start(body);
                        end
                    }
                    None => self.location(span),
                };
                self.repeated(&of.statement, end, tail);
                self.jump(tail, span);
                self.start(tail);
                if let Some(step) = &of.step {
                    self.discarded = true;
                    self.rvalue(step);
                }
                self.jump(head, span);
                self.start(end);
                self.leave_scope();
            }
            Statement::Switch(of) => self.switch(&of.node, span),
            Statement::Goto(label) => {
                let to = self.label(&label.node.name, span);
                // Whether it leaves the block of a variable that somebody points to is not looked at.
                if self.has_mortal() {
                    self.sink("a `goto` where variables are pointed to", span);
                }
                self.jump(to, span);
            }
            Statement::Continue => self.leave_to(|frame| frame.continues.last().copied(), span),
            Statement::Break => self.leave_to(|frame| frame.breaks.last().copied(), span),
            Statement::Return(value) => self.give_back(value.as_deref(), span),
            Statement::Asm(_) => self.sink("inline assembly", span),
        }
    }

    fn repeated(&mut self, body: &Node<Statement>, end: LocId, again: LocId) {
        if let Some(frame) = self.frames.last_mut() {
            frame.breaks.push((end, self.scopes.len()));
            frame.continues.push((again, self.scopes.len()));
        }
        self.statement(body);
        if let Some(frame) = self.frames.last_mut() {
            frame.breaks.pop();
            frame.continues.pop();
        }
    }

    fn leave_to(&mut self, to: impl Fn(&super::Frame) -> Option<(LocId, usize)>, span: Span) {
        match self.frames.last().and_then(to) {
            Some((to, depth)) => {
                self.gone_above(depth);
                self.jump(to, span);
            }
            None => self.refuse("a jump out of what is no loop", span),
        }
    }

    /// Lowers the statements of a block, with names of their own.
    pub(super) fn block(&mut self, items: &[Node<BlockItem>]) {
        self.enter_scope();
        for item in items {
            match &item.node {
                BlockItem::Declaration(declaration) => {
                    self.declaration(&declaration.node);
                    self.seal(self.span(declaration.span));
                }
                BlockItem::Statement(statement) => self.statement(statement),
                BlockItem::StaticAssert(_) => {}
            }
        }
        self.leave_scope();
    }

    /// `({ ... })`: its value is that of the last statement.
    pub(super) fn statement_expression(&mut self, statement: &Node<Statement>) -> Rvalue {
        let Statement::Compound(items) = &statement.node else {
            return self.zero(&crate::ctype::CType::INT);
        };
        let Some((last, before)) = items.split_last() else {
            return Rvalue::unknown(crate::ctype::CType::Void);
        };
        self.enter_scope();
        for item in before {
            match &item.node {
                BlockItem::Declaration(declaration) => self.declaration(&declaration.node),
                BlockItem::Statement(statement) => self.statement(statement),
                BlockItem::StaticAssert(_) => {}
            }
        }
        let value = match &last.node {
            BlockItem::Statement(Node {
                node: Statement::Expression(Some(value)),
                ..
            }) => {
                let value = self.rvalue(value);
                let value = self.decay(value);
                self.copied(value)
            }
            BlockItem::Statement(statement) => {
                self.statement(statement);
                Rvalue::unknown(crate::ctype::CType::Void)
            }
            BlockItem::Declaration(declaration) => {
                self.declaration(&declaration.node);
                Rvalue::unknown(crate::ctype::CType::Void)
            }
            BlockItem::StaticAssert(_) => Rvalue::unknown(crate::ctype::CType::Void),
        };
        self.leave_scope();
        value
    }

    fn labeled(&mut self, labeled: &LabeledStatement, at: usize, span: Span) {
        let to = match &labeled.label.node {
            Label::Identifier(name) => Some(self.label(&name.node.name, span)),
            Label::Case(_) | Label::CaseRange(_) | Label::Default => {
                let cases = self.frames.last().and_then(|frame| frame.switches.last());
                let labels = cases
                    .map(|cases| cases.labels.as_slice())
                    .unwrap_or_default();
                let found = labels.iter().find(|(place, _)| *place == at);
                found.map(|(_, to)| *to)
            }
        };
        match to {
            Some(to) => {
                self.jump(to, span);
                self.here = Some(to);
            }
            None => self.refuse("a label outside of what it belongs to", span),
        }
        self.statement(&labeled.statement);
    }

    fn label(&mut self, name: &str, span: Span) -> LocId {
        let known = self
            .frames
            .last()
            .and_then(|frame| frame.labels.get(name).copied());
        if let Some(known) = known {
            return known;
        }
        let to = self.location(span);
        if let Some(frame) = self.frames.last_mut() {
            frame.labels.insert(name.to_owned(), to);
        }
        to
    }

    fn switch(&mut self, of: &SwitchStatement, span: Span) {
        let value = self.rvalue(&of.expression);
        let ty = value.ty.promoted();
        let value = self.convert(value, &ty, span);
        let value = self.copied(value);
        let mut found = Labels::default();
        found.visit_statement(&of.statement.node, &of.statement.span);
        let end = self.location(span);
        let (mut cases, mut all, mut default) = (Cases::default(), Vec::new(), end);
        for (at, label) in found.labels {
            let to = self.location(self.span(label.span));
            cases.labels.push((at, to));
            let range = match &label.node {
                Label::Default => {
                    default = to;
                    continue;
                }
                Label::Case(value) => self.constant_value(value).map(|value| (value, value)),
                Label::CaseRange(range) => {
                    let low = self.constant_value(&range.node.low);
                    low.zip(self.constant_value(&range.node.high))
                }
                Label::Identifier(_) => continue,
            };
            match range {
                Some(range) => all.push(Case { range, to }),
                None => self.refuse("a case that is no constant", self.span(label.span)),
            }
        }
        if let (Some(from), Some(value)) = (self.seal(span), value.expr) {
            self.dispatch(from, value, &all, default, span);
        }
        self.here = None;
        self.body.clear();
        if let Some(frame) = self.frames.last_mut() {
            frame.breaks.push((end, self.scopes.len()));
            frame.switches.push(cases);
            frame.switched = true;
        }
        self.statement(&of.statement);
        if let Some(frame) = self.frames.last_mut() {
            frame.breaks.pop();
            frame.switches.pop();
        }
        self.jump(end, span);
        self.start(end);
    }

    fn dispatch(&mut self, from: LocId, value: ExprId, all: &[Case], default: LocId, span: Span) {
        let ty: Type = self.program.exprs.ty(value).clone();
        let mut other = self.pool().bool(true);
        for case in all {
            let (low, high) = (ty.wrap(case.range.0), ty.wrap(case.range.1));
            // Unsigned numbers that are kept as signed ones go on below zero.
            let joined = match low <= high || case.range.0 > case.range.1 {
                true => Binary::And,
                false => Binary::Or,
            };
            let (low, high) = (
                self.pool().int(low, ty.clone()),
                self.pool().int(high, ty.clone()),
            );
            let above = self.pool().two(Binary::Le, low, value);
            let below = self.pool().two(Binary::Le, value, high);
            let here = match low == high {
                true => self.pool().two(Binary::Eq, value, low),
                false => self.pool().two(joined, above, below),
            };
            self.step(from, Some(here), case.to, span);
            self.facts.add_constant(case.range.0);
            let not = self.pool().not(here);
            other = self.pool().two(Binary::And, other, not);
        }
        if self.is_false(other) {
            return;
        }
        let step = Step {
            guard: Some(other),
            ..Step::new(from, default, span)
        };
        self.add(step);
    }

    fn give_back(&mut self, value: Option<&Node<Expression>>, span: Span) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let (result, to) = (frame.result, frame.back);
        if let Some(value) = value {
            let value = self.rvalue(value);
            let value = self.decay(value);
            if let Some(result) = result {
                let at = self.whole(result);
                let value = self.convert(value, &at.ty.clone(), span);
                self.store(&at, &value, span);
            }
        }
        self.jump(to, span);
    }
}

/// Finds the labels that belong to a `switch`.
#[derive(Default)]
struct Labels<'ast> {
    labels: Vec<(usize, &'ast Node<Label>)>,
}

impl<'ast> Visit<'ast> for Labels<'ast> {
    fn visit_labeled_statement(
        &mut self,
        labeled: &'ast LabeledStatement,
        span: &'ast lang_c::span::Span,
    ) {
        if !matches!(labeled.label.node, Label::Identifier(_)) {
            self.labels.push((span.start, &labeled.label));
        }
        visit::visit_labeled_statement(self, labeled, span);
    }

    fn visit_switch_statement(&mut self, _: &'ast SwitchStatement, _: &'ast lang_c::span::Span) {
        // Its labels are its own.
    }
}

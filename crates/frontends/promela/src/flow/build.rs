//! From a syntax tree to elements, in the order of the text.

use std::rc::Rc;

use source::{Diagnostic, Diagnostics, Span};

use super::graph::{
    BlockKind, CallId, Element, ElementId, ElementKind, Graph, Jump, Row, SequenceId,
};
use super::labels::Label;
use super::rows::{append, attach, prune_skips, walk_atomic};
use super::scope::{ScopeId, Scopes};
use crate::ast::{
    BinaryOp, Declaration, Declarator, Expr, ExprKind, Ident, Init, Item, ProbeOp, ReceiveField,
    Reference, Sequence, Statement, StatementKind, TypeName,
};
use crate::codes::{lints, names, rules};

/// A parameter or local.
#[derive(Clone, Debug)]
pub struct LocalDeclaration {
    /// The variable.
    pub declarator: Declarator,
    /// Its type.
    pub ty: TypeName,
    /// Whether it is a parameter.
    pub parameter: bool,
    /// Whether it is set when the process starts; else where it is declared.
    pub at_start: bool,
    /// The block and position where its first value is evaluated.
    pub place: (ScopeId, u32),
}

/// A body as a graph.
#[derive(Clone, Debug)]
pub struct Body {
    /// The elements.
    pub graph: Graph,
    /// Where control begins.
    pub start: ElementId,
    /// Parameters first, then locals in the order of the text.
    pub locals: Vec<LocalDeclaration>,
    /// What names mean.
    pub scopes: Scopes,
    pub(super) labels: Vec<Label>,
    /// The blocks of `d_step`s, by number.
    d_steps: Vec<ElementId>,
    /// Calls of inline definitions, each with the one whose text it is in.
    calls: Vec<(Span, Option<CallId>)>,
}

struct Builder<'d> {
    globals: GlobalTypes<'d>,
    body: Body,
    /// Sequences that are open.
    open: Vec<Row>,
    /// Loops around the present statement, by the numbers of their exits.
    loops: Vec<usize>,
    scope: ScopeId,
    /// The innermost braces: what is declared in an option is known behind it, too.
    braces: ScopeId,
    position: u32,
    /// Declarations are still at the beginning.
    initial: bool,
    d_steps: u32,
    /// The `d_step` that is being read.
    d_step: Option<u32>,
    /// The call whose text is being read.
    call: Option<CallId>,
    /// For the names of hidden counters.
    counters: usize,
    diagnostics: &'d mut Diagnostics,
}

impl Body {
    /// The graph of a body. `remote` tells which labels are referred to from elsewhere.
    pub fn build(
        parameters: &[Declaration],
        sequence: &Sequence,
        globals: GlobalTypes<'_>,
        remote: impl Fn(&str) -> bool,
        diagnostics: &mut Diagnostics,
    ) -> Body {
        let scopes = Scopes::new();
        let root = scopes.root();
        let body = Body {
            graph: Graph::default(),
            start: ElementId(0),
            locals: Vec::new(),
            scopes,
            labels: Vec::new(),
            d_steps: Vec::new(),
            calls: Vec::new(),
        };
        let mut builder = Builder {
            globals,
            body,
            open: Vec::new(),
            loops: Vec::new(),
            scope: root,
            braces: root,
            position: 0,
            initial: true,
            d_steps: 0,
            d_step: None,
            call: None,
            counters: 0,
            diagnostics,
        };
        for declaration in parameters {
            builder.declaration(declaration, true);
        }
        builder.open.push(Row::default());
        builder.items(&sequence.items);
        let end = builder.element(ElementKind::End, sequence.span.end_point());
        builder.append(end);
        let row = builder.open.pop().expect("the body's sequence is open");
        let mut body = builder.body;
        body.start = row.first.expect("a body has at least an end");
        body.tie_loose_ends();
        body.resolve_jumps(diagnostics);
        body.keep_labels_of_jumps(remote);
        body.settle_atomic_jumps();
        body
    }

    /// The block of the `d_step` with a number; they are counted from 1.
    pub fn whole_d_step(&self, number: u32) -> Option<ElementId> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        self.d_steps.get(index).copied()
    }

    /// The calls of inline definitions whose text an element is in, the innermost first.
    pub fn calls(&self, element: ElementId) -> Vec<Span> {
        let mut next = self.graph.element(element).call;
        let mut calls = Vec::new();
        while let Some(CallId(call)) = next {
            let (span, outer) = self.calls[call as usize];
            calls.push(span);
            next = outer;
        }
        calls
    }

    pub(super) fn push(&mut self, element: Element) -> ElementId {
        let id = ElementId(u32::try_from(self.graph.elements.len()).expect("fewer than 2^32"));
        self.graph.elements.push(element);
        id
    }

    /// The last element of a block is followed by what follows the block. Outer blocks are made
    /// after inner ones, so that going backwards sees them first.
    fn tie_loose_ends(&mut self) {
        for index in (0..self.graph.elements.len()).rev() {
            let element = &self.graph.elements[index];
            if let ElementKind::Block(_, row) = element.kind {
                let next = element.next;
                if let Some(last) = self.graph.row(row).last {
                    self.graph.element_mut(last).next = next;
                }
            }
        }
    }

    /// A jump from one atomic place to another keeps control, any other out of it does not.
    fn settle_atomic_jumps(&mut self) {
        for index in 0..self.graph.elements.len() {
            let element = &self.graph.elements[index];
            let ElementKind::Jump(jump) = &element.kind else {
                continue;
            };
            let Some(target) = self.graph.destination(jump) else {
                continue;
            };
            let target = self.graph.element(target);
            let inside = target.keeps || target.last_atomic;
            let element = &mut self.graph.elements[index];
            if element.keeps || element.last_atomic {
                element.keeps = inside;
                element.last_atomic = !inside;
            }
        }
    }
}

/// Which type a global variable has, for those that loops run over.
pub type GlobalTypes<'a> = &'a dyn Fn(&str) -> Option<TypeName>;

impl Builder<'_> {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error(code, message).at(span));
    }

    fn element(&mut self, kind: ElementKind, span: Span) -> ElementId {
        self.position += 1;
        self.body.push(Element {
            kind,
            next: None,
            span,
            scope: self.scope,
            position: self.position,
            keeps: false,
            last_atomic: false,
            d_step: self.d_step,
            call: self.call,
            escapes: Vec::new(),
            labels: Vec::new(),
        })
    }

    fn basic(&mut self, kind: StatementKind, span: Span) -> ElementId {
        let id = self.element(ElementKind::Basic(Box::new(kind)), span);
        self.append(id);
        id
    }

    /// Adds an element to the innermost open sequence.
    fn append(&mut self, id: ElementId) {
        let element = self.body.graph.element(id);
        let special = ["accept", "end", "progress"]
            .iter()
            .any(|prefix| element.has_label(prefix));
        if special && matches!(element.kind, ElementKind::Jump(_)) {
            // A jump is no control state, but its label has to be at one.
            let span = element.span;
            let skip = self.element(ElementKind::Skip, span);
            let labels = std::mem::take(&mut self.body.graph.element_mut(id).labels);
            self.body.graph.element_mut(skip).labels = labels;
            for label in &mut self.body.labels {
                if label.element == id {
                    label.element = skip;
                }
            }
            self.append(skip);
        }
        let row = self.open.last_mut().expect("a sequence is open");
        append(&mut self.body.graph, row, id);
    }

    /// Reads a sequence between braces.
    fn sequence(&mut self, sequence: &Sequence) -> SequenceId {
        self.open.push(Row::default());
        self.initial = false;
        self.between_braces(&sequence.items);
        self.close(sequence.span)
    }

    /// Reads an option, whose labels are its own.
    fn option(&mut self, option: &Sequence) -> SequenceId {
        self.open.push(Row::default());
        self.initial = false;
        let outer = self.scope;
        self.scope = self.body.scopes.open(outer);
        self.items(&option.items);
        self.scope = outer;
        self.close(option.span)
    }

    fn between_braces(&mut self, items: &[Item]) {
        let outer = (self.scope, self.braces);
        self.scope = self.body.scopes.open(self.scope);
        self.braces = self.scope;
        self.items(items);
        (self.scope, self.braces) = outer;
    }

    /// Closes the innermost open sequence.
    fn close(&mut self, span: Span) -> SequenceId {
        if self.open.last().is_some_and(|row| row.first.is_none()) {
            self.error(
                rules::EMPTY,
                span,
                "a sequence needs at least one statement",
            );
            let skip = self.element(ElementKind::Skip, span);
            self.append(skip);
        }
        let mut row = self.open.pop().expect("a sequence is open");
        row.extent = row.last;
        let first = row.first.expect("it has a first element");
        if let Some(label) = self.body.graph.element(first).labels.first() {
            self.diagnostics.push(
                Diagnostic::warning(
                    lints::LABEL_PLACE,
                    format!(
                        "label `{}` is on the first statement of a block",
                        label.name
                    ),
                )
                .at(label.span)
                .help("control waits at the statement around it: put the label there"),
            );
        }
        let rows = &mut self.body.graph.rows;
        rows.push(row);
        SequenceId(u32::try_from(rows.len() - 1).expect("fewer than 2^32 sequences"))
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Declaration(declaration) => self.declaration(declaration, false),
                Item::Statement(statement) => self.statement(statement, Vec::new()),
            }
        }
    }

    fn declaration(&mut self, declaration: &Declaration, parameter: bool) {
        if declaration.hidden {
            super::super::lower::note_hidden(declaration, self.diagnostics);
        }
        for declarator in &declaration.variables {
            let name = &declarator.name;
            if let Some(other) = self.body.scopes.find(self.scope, &name.name, u32::MAX) {
                let other = self.body.locals[other].declarator.name.span;
                self.diagnostics.push(
                    Diagnostic::error(
                        names::REDECLARED,
                        format!("`{}` is declared twice", name.name),
                    )
                    .at(name.span)
                    .label(other, "first declared here"),
                );
            }
            let place = (self.scope, self.position);
            self.position += 1;
            let local = self.body.locals.len();
            self.body
                .scopes
                .declare(self.braces, Rc::clone(&name.name), self.position, local);
            let channel = matches!(declarator.init, Some(Init::Channel { .. }));
            self.body.locals.push(LocalDeclaration {
                declarator: declarator.clone(),
                ty: declaration.ty.clone(),
                parameter,
                at_start: parameter || self.initial || channel,
                place,
            });
            if parameter || self.initial {
                continue;
            }
            if channel {
                self.diagnostics.push(
                    Diagnostic::warning(
                        lints::LATE_CHANNEL,
                        format!("channel `{}` is made when the process starts", name.name),
                    )
                    .at(name.span),
                );
                continue;
            }
            let id = self.element(ElementKind::Declare(local), name.span);
            self.append(id);
        }
    }

    fn statement(&mut self, statement: &Statement, labels: Vec<Ident>) {
        self.initial = false;
        let span = statement.span;
        let id = match &statement.kind {
            StatementKind::Labelled(label, inner) => {
                let mut labels = labels;
                labels.push(label.clone());
                match inner {
                    Some(inner) => self.statement(inner, labels),
                    None => {
                        let id = self.element(ElementKind::Skip, span);
                        self.label(id, labels);
                        self.append(id);
                    }
                }
                return;
            }
            StatementKind::If(options) => {
                let rows = self.options(options);
                self.choice(rows, None, span, labels);
                return;
            }
            StatementKind::Do(options) => {
                let exit = self.enter_loop();
                let rows = self.options(options);
                self.choice(rows, Some(exit), span, labels);
                return;
            }
            StatementKind::ForRange(variable, from, to, body) => {
                self.basic(StatementKind::Assign(variable.clone(), from.clone()), span);
                let test = binary(BinaryOp::LessEqual, read(variable), to.clone());
                self.for_loop(variable, test, &[], Some(body), span, labels);
                return;
            }
            StatementKind::Select(variable, from, to) => {
                self.basic(StatementKind::Assign(variable.clone(), from.clone()), span);
                let test = binary(BinaryOp::Less, read(variable), to.clone());
                self.for_loop(variable, test, &[], None, span, labels);
                return;
            }
            StatementKind::ForIn(variable, over, body) => {
                self.for_in(variable, over, body, span, labels);
                return;
            }
            StatementKind::Unless(main, escape) => {
                self.unless(main, escape, span, labels);
                return;
            }
            StatementKind::Atomic(sequence) => {
                let row = self.sequence(sequence);
                self.make_atomic(row);
                self.element(ElementKind::Block(BlockKind::Atomic, row), span)
            }
            StatementKind::DStep(sequence) => {
                let outer = self.d_step;
                if outer.is_none() {
                    self.d_steps += 1;
                    self.d_step = Some(self.d_steps);
                }
                let loops = std::mem::take(&mut self.loops);
                let row = self.sequence(sequence);
                self.loops = loops;
                self.d_step = outer;
                self.make_atomic(row);
                if outer.is_some() {
                    self.element(ElementKind::Block(BlockKind::Plain, row), span)
                } else {
                    let kind = ElementKind::Block(BlockKind::Deterministic, row);
                    let whole = self.element(kind, span);
                    self.body.d_steps.push(whole);
                    whole
                }
            }
            StatementKind::Block(sequence) => {
                let row = self.sequence(sequence);
                self.element(ElementKind::Block(BlockKind::Plain, row), span)
            }
            StatementKind::Call(sequence) => {
                let row = self.called(sequence, span);
                self.element(ElementKind::Block(BlockKind::Plain, row), span)
            }
            StatementKind::Goto(label) => {
                self.element(ElementKind::Jump(Jump::Label(label.clone(), None)), span)
            }
            StatementKind::Break => match self.loops.last() {
                Some(&exit) => self.element(ElementKind::Jump(Jump::Break(exit)), span),
                None => {
                    let place = if self.d_step.is_some() {
                        "`break` out of a `d_step`"
                    } else {
                        "`break` outside of a loop"
                    };
                    self.error(rules::MISPLACED, span, place);
                    self.element(ElementKind::Skip, span)
                }
            },
            StatementKind::Else => self.element(ElementKind::Else, span),
            StatementKind::Condition(e) if super::graph::is_true(e) => {
                self.element(ElementKind::Skip, span)
            }
            basic => self.element(ElementKind::Basic(Box::new(basic.clone())), span),
        };
        self.label(id, labels);
        self.append(id);
    }

    fn label(&mut self, element: ElementId, labels: Vec<Ident>) {
        for ident in labels {
            let scope = self.scope;
            let double = self
                .body
                .labels
                .iter()
                .find(|l| l.ident.name == ident.name && l.scope == scope);
            if let Some(double) = double {
                self.diagnostics.push(
                    Diagnostic::error(
                        names::REDECLARED,
                        format!("label `{}` is declared twice", ident.name),
                    )
                    .at(ident.span)
                    .label(double.ident.span, "first declared here"),
                );
            }
            self.body.labels.push(Label {
                ident: ident.clone(),
                scope,
                element,
            });
            self.body.graph.element_mut(element).labels.push(ident);
        }
    }

    fn enter_loop(&mut self) -> usize {
        let exit = self.body.graph.exits.len();
        self.body.graph.exits.push(None);
        self.loops.push(exit);
        exit
    }

    fn options(&mut self, options: &[Sequence]) -> Vec<SequenceId> {
        let mut rows = Vec::new();
        for option in options {
            let row = self.option(option);
            prune_skips(&mut self.body.graph, row);
            rows.push(row);
        }
        rows
    }

    /// A selection or loop of closed options; leaves the loop.
    fn choice(
        &mut self,
        mut rows: Vec<SequenceId>,
        exit: Option<usize>,
        span: Span,
        labels: Vec<Ident>,
    ) {
        if rows.is_empty() {
            self.error(rules::EMPTY, span, "a selection needs at least one option");
        }
        let is_else = |graph: &Graph, row: SequenceId| {
            matches!(graph.element(graph.first(row)).kind, ElementKind::Else)
        };
        let elses: Vec<SequenceId> = rows
            .iter()
            .copied()
            .filter(|&row| is_else(&self.body.graph, row))
            .collect();
        if elses.len() > 1 {
            let second = self.body.graph.first(elses[1]);
            let span = self.body.graph.element(second).span;
            self.error(rules::MISPLACED, span, "a second `else` in one selection");
        }
        rows.retain(|row| !elses.contains(row));
        rows.extend(elses);
        let join = self.element(ElementKind::Join, span);
        for &row in &rows {
            let mut changed = self.body.graph.row(row);
            append(&mut self.body.graph, &mut changed, join);
            self.body.graph.rows[row.0 as usize] = changed;
        }
        let choice = self.element(ElementKind::Choice(rows), span);
        self.label(choice, labels);
        match exit {
            None => {
                self.append(choice);
                self.append(join);
            }
            Some(exit) => {
                self.loops.pop();
                let end = self.element(ElementKind::LoopExit, span.end_point());
                self.body.graph.exits[exit] = Some(end);
                self.append(join);
                self.append(choice);
                self.append(end);
            }
        }
    }

    /// The loop of `for` and `select` behind its first assignment.
    fn for_loop(
        &mut self,
        counter: &Reference,
        test: Expr,
        before: &[StatementKind],
        body: Option<&Sequence>,
        span: Span,
        labels: Vec<Ident>,
    ) {
        let exit = self.enter_loop();
        self.open.push(Row::default());
        self.basic(StatementKind::Condition(test), span);
        for statement in before {
            self.basic(statement.clone(), span);
        }
        if let Some(body) = body {
            self.between_braces(&body.items);
        }
        self.basic(StatementKind::Increment(counter.clone()), span);
        let turn = self.close(span);
        self.open.push(Row::default());
        if body.is_some() {
            let id = self.element(ElementKind::Else, span);
            self.append(id);
        }
        let id = self.element(ElementKind::Jump(Jump::Break(exit)), span);
        self.append(id);
        let leave = self.close(span);
        self.choice(vec![leave, turn], Some(exit), span, labels);
    }

    fn for_in(
        &mut self,
        variable: &Reference,
        over: &Reference,
        body: &Sequence,
        span: Span,
        labels: Vec<Ident>,
    ) {
        let local = self
            .body
            .scopes
            .find(self.scope, &variable.parts[0].0.name, self.position);
        let ty = match local {
            Some(local) => Some(self.body.locals[local].ty.clone()),
            None => (self.globals)(&variable.parts[0].0.name),
        };
        if !matches!(ty, Some(TypeName::User(_))) {
            self.basic(
                StatementKind::Assign(variable.clone(), number(0, span)),
                span,
            );
            let length = Expr {
                kind: ExprKind::Length(over.clone()),
                span: over.span,
                depth: 0,
            };
            let test = binary(BinaryOp::Less, read(variable), length);
            self.for_loop(variable, test, &[], Some(body), span, labels);
            return;
        }
        // The messages of a channel, by turning it round once.
        self.counters += 1;
        let name = Ident {
            name: format!("_for{}", self.counters).into(),
            span,
        };
        let counter = Reference {
            parts: vec![(name.clone(), None)],
            span,
        };
        let index = self.body.locals.len();
        let scopes = &mut self.body.scopes;
        scopes.declare(self.scope, Rc::clone(&name.name), self.position, index);
        self.body.locals.push(LocalDeclaration {
            declarator: Declarator {
                name,
                width: None,
                length: None,
                init: None,
            },
            ty: TypeName::Short,
            parameter: false,
            at_start: true,
            place: (self.scope, self.position),
        });
        self.basic(
            StatementKind::Assign(counter.clone(), number(0, span)),
            span,
        );
        let length = Expr {
            kind: ExprKind::Probe(ProbeOp::Len, over.clone()),
            span: over.span,
            depth: 0,
        };
        let test = binary(BinaryOp::Less, read(&counter), length);
        let turn = [
            StatementKind::Receive {
                channel: over.clone(),
                fields: vec![ReceiveField::Reference(variable.clone())],
                anywhere: false,
                keep: false,
            },
            StatementKind::Send {
                channel: over.clone(),
                fields: vec![read(variable)],
                sorted: false,
            },
        ];
        self.for_loop(&counter, test, &turn, Some(body), span, labels);
    }

    fn unless(&mut self, main: &Statement, escape: &Statement, span: Span, labels: Vec<Ident>) {
        let mut labels = labels;
        let mut main = main;
        // A label on the main statement is one on the whole.
        while let StatementKind::Labelled(label, Some(inner)) = &main.kind {
            labels.push(label.clone());
            main = inner;
        }
        if self.d_step.is_some() {
            self.error(rules::MISPLACED, span, "`unless` inside of a `d_step`");
        }
        if labels.is_empty() {
            self.covered(main, escape, span);
            return;
        }
        // Control is never at the whole itself: a block around it carries the label.
        self.open.push(Row::default());
        self.covered(main, escape, span);
        let row = self.close(span);
        let id = self.element(ElementKind::Block(BlockKind::Plain, row), span);
        self.label(id, labels);
        self.append(id);
    }

    fn covered(&mut self, main: &Statement, escape: &Statement, span: Span) {
        let main = self.as_sequence(main);
        let escape = self.as_sequence(escape);
        let join = self.element(ElementKind::Join, span);
        for row in [main, escape] {
            let mut changed = self.body.graph.row(row);
            append(&mut self.body.graph, &mut changed, join);
            self.body.graph.rows[row.0 as usize] = changed;
        }
        let id = self.element(ElementKind::Unless(main, escape), span);
        attach(&mut self.body.graph, main, escape);
        self.append(id);
        self.append(join);
    }

    /// The text that a call stands for.
    fn called(&mut self, sequence: &Sequence, span: Span) -> SequenceId {
        let outer = self.call;
        let id = u32::try_from(self.body.calls.len()).expect("fewer than 2^32");
        self.body.calls.push((span, outer));
        self.call = Some(CallId(id));
        let row = self.sequence(sequence);
        self.call = outer;
        row
    }

    fn as_sequence(&mut self, statement: &Statement) -> SequenceId {
        if let StatementKind::Block(sequence) = &statement.kind {
            return self.sequence(sequence);
        }
        if let StatementKind::Call(sequence) = &statement.kind {
            return self.called(sequence, statement.span);
        }
        self.initial = false;
        self.open.push(Row::default());
        self.statement(statement, Vec::new());
        self.close(statement.span)
    }

    /// Control is kept behind every statement of the sequence but the last.
    fn make_atomic(&mut self, row: SequenceId) {
        let elements = self.body.graph.whole(row);
        walk_atomic(&mut self.body.graph, &elements, self.d_step.is_some());
        let mut row = row;
        loop {
            let last = self.body.graph.row(row).last.expect("it is closed");
            let element = self.body.graph.element_mut(last);
            match element.kind {
                ElementKind::Block(BlockKind::Plain | BlockKind::Atomic, inner) => row = inner,
                _ => {
                    element.keeps = false;
                    element.last_atomic = true;
                    return;
                }
            }
        }
    }
}

fn read(reference: &Reference) -> Expr {
    Expr {
        kind: ExprKind::Reference(reference.clone()),
        span: reference.span,
        depth: 0,
    }
}

fn number(value: i64, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Number(value),
        span,
        depth: 0,
    }
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr {
        span: left.span.to(right.span),
        depth: left.depth.max(right.depth) + 1,
        kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
    }
}

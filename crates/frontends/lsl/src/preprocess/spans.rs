//! Maps the spans of a tree back to their origins.

use source::{Diagnostic, Diagnostics, Span};

use super::Origins;
use crate::ast::{Ast, ExprKind, Name, StmtKind};
use crate::property::syntax::{
    Annotations, Argument, AssumptionKind, Claim, EventKind, Formula, Pattern,
};

impl Origins {
    /// Maps diagnostics back to the source. Fix-its that would edit the expansion of a macro are dropped.
    pub(crate) fn put_diagnostics(&self, found: Diagnostics) -> Diagnostics {
        let mut all = Diagnostics::new();
        for mut one in found {
            self.diagnostic(&mut one);
            all.push(one);
        }
        all
    }

    fn diagnostic(&self, one: &mut Diagnostic) {
        one.fix_its.retain(|edit| self.is_verbatim(edit.span));
        for edit in &mut one.fix_its {
            self.span(&mut edit.span);
        }
        for label in &mut one.labels {
            self.span(&mut label.span);
        }
        self.span(&mut one.span);
    }

    fn span(&self, span: &mut Span) {
        *span = self.of(*span);
    }

    fn name(&self, name: &mut Name) {
        self.span(&mut name.span);
    }

    /// Maps a tree and its annotations back to the source.
    pub(crate) fn put(&self, ast: &mut Ast, annotations: &mut Annotations) {
        self.tree(ast);
        for property in &mut annotations.properties {
            self.span(&mut property.name_span);
            self.span(&mut property.span);
            match &mut property.claim {
                Claim::Formula(formula) => self.formula(formula),
                Claim::When(pattern, _) => self.pattern(pattern),
            }
        }
        for ghost in &mut annotations.ghosts {
            self.name(&mut ghost.name);
            self.span(&mut ghost.span);
        }
        for update in &mut annotations.updates {
            self.pattern(&mut update.pattern);
            self.span(&mut update.span);
        }
        for assumption in &mut annotations.assumptions {
            self.span(&mut assumption.span);
            for (_, span) in assumption.properties.iter_mut().flatten() {
                self.span(span);
            }
            match &mut assumption.kind {
                AssumptionKind::OwnerGrants(name) => self.name(name),
                AssumptionKind::Always(formula) => self.formula(formula),
                AssumptionKind::When(pattern, _) => self.pattern(pattern),
                AssumptionKind::OwnerAnswers
                | AssumptionKind::TimerKeepsFiring
                | AssumptionKind::QueueNeverOverflows
                | AssumptionKind::NoPaymentLost
                | AssumptionKind::OwnerStays
                | AssumptionKind::InventoryStays
                | AssumptionKind::PaymentsPositive => {}
            }
        }
        for bound in &mut annotations.bounds {
            self.span(&mut bound.span);
        }
    }

    fn tree(&self, ast: &mut Ast) {
        ast.file = self.whole.file;
        for global in &mut ast.globals {
            self.name(&mut global.name);
            self.span(&mut global.span);
        }
        for function in &mut ast.functions {
            self.name(&mut function.name);
            self.span(&mut function.span);
            let parameters = function.parameters.iter_mut();
            parameters.for_each(|parameter| self.name(&mut parameter.name));
        }
        for state in &mut ast.states {
            self.name(&mut state.name);
            self.span(&mut state.span);
        }
        for handler in &mut ast.handlers {
            self.name(&mut handler.event);
            self.span(&mut handler.parameters_span);
            self.span(&mut handler.span);
            let parameters = handler.parameters.iter_mut();
            parameters.for_each(|parameter| self.name(&mut parameter.name));
        }
        for annotation in &mut ast.annotations {
            self.span(&mut annotation.span);
            self.span(&mut annotation.text);
        }
        for expr in ast.exprs_mut() {
            self.span(&mut expr.span);
            match &mut expr.kind {
                ExprKind::Name(name) => self.name(name),
                ExprKind::Member { base, field } => {
                    self.name(base);
                    self.name(field);
                }
                ExprKind::Call { function, .. } => self.name(function),
                ExprKind::Binary { op_span, .. } => self.span(op_span),
                ExprKind::Word { word, name } => {
                    self.name(word);
                    self.name(name);
                }
                ExprKind::Error
                | ExprKind::Integer(_)
                | ExprKind::Float(_)
                | ExprKind::String(_)
                | ExprKind::Vector(_)
                | ExprKind::Rotation(_)
                | ExprKind::List(_)
                | ExprKind::Print(_)
                | ExprKind::Unary { .. }
                | ExprKind::Step { .. }
                | ExprKind::Assign { .. }
                | ExprKind::Cast { .. }
                | ExprKind::Parenthesized(_)
                | ExprKind::Undecided { .. } => {}
            }
        }
        for stmt in ast.stmts_mut() {
            self.span(&mut stmt.span);
            match &mut stmt.kind {
                StmtKind::Declare { name, .. }
                | StmtKind::Label(name)
                | StmtKind::Jump(name)
                | StmtKind::State(name) => self.name(name),
                StmtKind::Error
                | StmtKind::Empty
                | StmtKind::Block(_)
                | StmtKind::Expr(_)
                | StmtKind::If { .. }
                | StmtKind::While { .. }
                | StmtKind::DoWhile { .. }
                | StmtKind::For { .. }
                | StmtKind::Return(_) => {}
            }
        }
    }

    fn formula(&self, formula: &mut Formula) {
        match formula {
            Formula::State(_) => {}
            Formula::Event(pattern) => self.pattern(pattern),
            Formula::Not(p)
            | Formula::Next(p)
            | Formula::Always(p)
            | Formula::Never(p)
            | Formula::Eventually(p) => self.formula(p),
            Formula::And(p, q)
            | Formula::Or(p, q)
            | Formula::Implies(p, q)
            | Formula::Iff(p, q)
            | Formula::Until(p, q)
            | Formula::Release(p, q)
            | Formula::WeakUntil(p, q)
            | Formula::LeadsTo(p, q) => {
                self.formula(p);
                self.formula(q);
            }
        }
    }

    fn pattern(&self, pattern: &mut Pattern) {
        self.span(&mut pattern.span);
        match &mut pattern.kind {
            EventKind::Call(name) | EventKind::Changes(name) | EventKind::Handled(name) => {
                self.name(name);
            }
            EventKind::Paid(span) | EventKind::Discarded(span) | EventKind::OwnerChanges(span) => {
                self.span(span);
            }
        }
        self.arguments(&mut pattern.arguments);
        if let Some(during) = &mut pattern.during {
            self.name(&mut during.event);
            self.span(&mut during.span);
            self.arguments(&mut during.arguments);
        }
    }

    fn arguments(&self, arguments: &mut [Argument]) {
        for argument in arguments {
            if let Argument::Name(name) = argument {
                self.name(name);
            }
        }
    }
}

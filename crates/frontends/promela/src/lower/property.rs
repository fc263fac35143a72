//! Properties: assertions, deadlock, faults, progress, acceptance, `ltl` formulas.

use logic::{Ltl, MAX_DEPTH};
use model::{Claim, ExprId, Property};
use source::Span;

use super::{Lowering, Place};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp, Unit};
use crate::codes::{names, syntax};

impl Lowering<'_> {
    /// Adds a property; its name must be new.
    pub(super) fn property(&mut self, name: &str, text: String, span: Span, claim: Claim) {
        if self.program.properties.iter().any(|p| p.name == name) {
            let message = format!("a property `{name}` exists already");
            self.error(names::REDECLARED, span, message);
        }
        self.program.add_property(Property {
            name: name.to_owned(),
            text,
            span,
            claim,
            trigger: None,
            observers: Vec::new(),
            assumptions: Vec::new(),
        });
    }

    /// Adds the properties; the last `extra` formulas are the caller's.
    pub(super) fn properties(&mut self, extra: usize) {
        if let Some(check) = self.assertions {
            let text = "no assertion fails".to_owned();
            self.property("assertions", text, Span::NONE, Claim::Check(check));
        }
        let text = "no run ends where it may not".to_owned();
        self.property("deadlock", text, Span::NONE, Claim::NoDeadlock);
        let faults = self.program.faults.iter().map(|f| f.message.as_str());
        let text = format!("never: {}", faults.collect::<Vec<_>>().join("; "));
        let faults = self.faults.all.clone();
        self.property("faults", text, Span::NONE, Claim::NoFault(faults));
        self.labels();
        let tree = self.tree;
        let formulas: Vec<_> = tree
            .units
            .iter()
            .filter_map(|unit| match unit {
                Unit::Ltl {
                    name,
                    formula,
                    span,
                } => Some((name, formula, *span)),
                _ => None,
            })
            .collect();
        let (own, extra) = formulas.split_at(formulas.len().saturating_sub(extra));
        let mut unnamed = 0;
        for &(name, formula, span) in own {
            let name = match name {
                Some(ident) => ident.name.to_string(),
                None => {
                    unnamed += 1;
                    format!("ltl_{}", unnamed - 1)
                }
            };
            self.formula(&name, formula, span);
        }
        self.claims();
        for &(_, formula, span) in extra {
            let name = (1u32..)
                .map(|number| match number {
                    1 => "property".to_owned(),
                    _ => format!("property_{number}"),
                })
                .find(|name| self.program.properties.iter().all(|p| p.name != *name))
                .expect("one of so many names is free");
            self.formula(&name, formula, span);
        }
    }

    fn formula(&mut self, name: &str, formula: &Expr, span: Span) {
        let claim = self.ltl(formula);
        if claim.depth() > MAX_DEPTH {
            let message = format!("a formula more than {MAX_DEPTH} levels deep");
            self.error(syntax::TOO_DEEP, span, message);
            return;
        }
        let text = self.sources.snippet(formula.span).to_owned();
        self.property(name, text, span, Claim::Ltl(claim));
    }

    /// Progress and acceptance labels say what must, and what must not, go on for ever. As in
    /// SPIN, progress is asked of runs that do go on, but who has stopped at an acceptance label
    /// when nothing happens any more stays there for ever ("accept stutter").
    fn labels(&mut self) {
        let labelled = |p: &super::Process<'_>, prefix: &str| {
            p.body
                .graph
                .elements()
                .any(|(_, element)| element.has_label(prefix))
        };
        if self.processes.iter().any(|p| labelled(p, "progress")) {
            let progress = self.any_progress();
            let over = self.run_is_over();
            let progress = self.program.exprs.or(progress, over);
            let claim = Ltl::always(Ltl::eventually(Ltl::atom(progress)));
            let text = "every infinite run passes progress labels for ever".to_owned();
            self.property("progress", text, Span::NONE, Claim::Ltl(claim));
        }
        if self.processes.iter().any(|p| labelled(p, "accept")) {
            let mut places = Vec::new();
            for process in &self.processes {
                places.extend(process.accept.iter().map(|&at| (process.id, at)));
            }
            let accept = self.anyone_at(places);
            let claim = Ltl::eventually(Ltl::always(Ltl::not(Ltl::atom(accept))));
            let text = "no run is at accept labels again and again, for ever".to_owned();
            self.property("acceptance", text, Span::NONE, Claim::Ltl(claim));
        }
    }

    /// Whether the run has ended: nothing can move, and no `timeout` sets anything going again.
    fn run_is_over(&mut self) -> ExprId {
        let nothing = model::Expr::NothingEnabled;
        let mut over = self.program.exprs.add(nothing, model::Type::Bool);
        if self.tree.uses_timeout {
            for instance in 0..self.instance_bound() {
                let instance = self.int(i64::from(instance));
                let enabled = model::Expr::Enabled(instance);
                let enabled = self.program.exprs.add(enabled, model::Type::Bool);
                let still = self.program.exprs.not(enabled);
                over = self.program.exprs.and(over, still);
            }
        }
        over
    }

    /// A formula; what has no temporal operator in it is one atom.
    fn ltl(&mut self, e: &Expr) -> Ltl<ExprId> {
        if !temporal(e) {
            let atom = self.truth(e, Place::OUTSIDE);
            return match self.program.exprs.constant(atom) {
                Some(value) if value.truth() => Ltl::True,
                Some(_) => Ltl::False,
                None => Ltl::atom(atom),
            };
        }
        match &e.kind {
            ExprKind::Unary(op, a) => {
                let a = self.ltl(a);
                match op {
                    UnaryOp::Not => Ltl::not(a),
                    UnaryOp::Always => Ltl::always(a),
                    UnaryOp::Eventually => Ltl::eventually(a),
                    UnaryOp::Next => Ltl::next(a),
                    UnaryOp::Minus | UnaryOp::Complement => self.no_formula(e),
                }
            }
            // Between formulas, single signs mean the same as double ones.
            ExprKind::Binary(
                op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::BitAnd | BinaryOp::BitOr),
                ..,
            ) => {
                let mut operands = Vec::new();
                chain(e, *op, &mut operands);
                let operands: Vec<_> = operands.into_iter().map(|e| self.ltl(e)).collect();
                match op {
                    BinaryOp::And | BinaryOp::BitAnd => Ltl::all(operands),
                    _ => Ltl::any(operands),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.ltl(a), self.ltl(b));
                match op {
                    BinaryOp::Implies => Ltl::implies(a, b),
                    BinaryOp::Iff => Ltl::iff(a, b),
                    BinaryOp::Until => Ltl::until(a, b),
                    BinaryOp::WeakUntil => Ltl::weak_until(a, b),
                    BinaryOp::Release => Ltl::release(a, b),
                    _ => self.no_formula(e),
                }
            }
            _ => self.no_formula(e),
        }
    }

    /// A temporal operator where a number is needed.
    fn no_formula(&mut self, e: &Expr) -> Ltl<ExprId> {
        self.truth(
            e.children()
                .into_iter()
                .find(|child| temporal(child))
                .unwrap_or(e),
            Place::OUTSIDE,
        );
        Ltl::True
    }
}

/// The operands of a chain of one operator.
fn chain<'e>(e: &'e Expr, op: BinaryOp, operands: &mut Vec<&'e Expr>) {
    match &e.kind {
        ExprKind::Binary(found, a, b) if *found == op => {
            chain(a, op, operands);
            chain(b, op, operands);
        }
        _ => operands.push(e),
    }
}

/// Whether a temporal operator stands in it.
fn temporal(e: &Expr) -> bool {
    let own = matches!(
        e.kind,
        ExprKind::Unary(UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next, _)
            | ExprKind::Binary(
                BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release,
                ..
            )
    );
    own || e.children().into_iter().any(temporal)
}

//! Properties.

use std::sync::Arc;

use logic::{Ctl, Ltl, MAX_DEPTH, Quantifier};
use model::{
    AssumptionId, Claim, Expr as ModelExpr, ExprId, FairnessKind, Property, PropertyId, Unary,
};
use source::{Diagnostic, Span};

use super::declare::Entity;
use super::value::{Choices, Ty, Val};
use super::{Context, Failed, Lowered, Lowering, Placed};
use crate::ast::{
    BinaryOp, Expr, ExprKind, Item, Quantifier as Over, Spec, SpecSort, Stated, TemporalOp,
    UnaryOp, UntilOp,
};
use crate::codes::{names, rules};

/// The most steps of a bounded operator of branching time.
const MAX_STEPS: u32 = 1_000_000;

/// Why a formula is not lowered.
pub(super) enum Refusal {
    /// It is wrong, and that has been reported.
    Wrong,
    /// It is right, and beyond what can be done.
    Beyond(String),
}

impl From<Failed> for Refusal {
    fn from(_: Failed) -> Self {
        Refusal::Wrong
    }
}

impl<'t> Lowering<'t, '_> {
    /// Lowers the model's properties, then the caller's.
    pub(super) fn properties(&mut self, items: &[Placed<'t>], extra: &'t [Spec]) {
        let own = items.iter().filter_map(|(scope, item)| match item {
            Item::Spec(spec) => Some((*scope, spec)),
            _ => None,
        });
        let mut counts = [0; 5];
        for (scope, spec) in own {
            let kind = match spec.sort {
                SpecSort::Ctl => 0,
                SpecSort::Ltl => 1,
                SpecSort::Invariant | SpecSort::Any => 2,
                SpecSort::Compute => 3,
                SpecSort::Psl => 4,
            };
            counts[kind] += 1;
            let name = match &spec.name {
                Some(name) => name.name.to_string(),
                None => {
                    let kinds = ["ctl", "ltl", "invar", "compute", "psl"];
                    format!("{}_{}", kinds[kind], counts[kind])
                }
            };
            self.property(name, spec, scope);
        }
        for spec in extra {
            let taken = |name: &String| self.program.properties.iter().any(|p| p.name == *name);
            let name = (1u32..)
                .map(|number| match number {
                    1 => "property".to_owned(),
                    _ => format!("property_{number}"),
                })
                .find(|name| !taken(name))
                .expect("one of so many names is free");
            self.property(name, spec, 0);
        }
    }

    fn property(&mut self, name: String, spec: &'t Spec, scope: usize) {
        if let Some(other) = self.program.properties.iter().find(|p| p.name == name) {
            let span = spec.name.as_ref().map_or(spec.span, |name| name.span);
            let message = format!("a property `{name}` exists already");
            let diagnostic = Diagnostic::error(names::PROPERTY, message).at(span);
            let other = other.span;
            self.report(diagnostic.label(other, "here"));
            return;
        }
        let scope = match &spec.context {
            None => scope,
            Some(context) => match self.entity(context, scope) {
                Ok(Entity::Instance(inner)) => inner,
                Ok(_) => {
                    let message = format!("`{}` is no module instance", self.text(context.span));
                    self.error(names::NOT_A_VALUE, context.span, message);
                    return;
                }
                Err(_) => return,
            },
        };
        let claim = match self.claim(spec, scope) {
            Ok(claim) => claim,
            Err(Refusal::Wrong) => return,
            Err(Refusal::Beyond(why)) => Claim::Open(why),
        };
        let id = PropertyId::new(self.program.properties.len());
        let assumptions: Vec<AssumptionId> = self
            .program
            .fairness
            .iter()
            .filter(|fairness| match (&claim, &fairness.kind) {
                (Claim::Ltl(_), _) => true,
                // As in NuSMV, compassion is for linear time only.
                (Claim::Ctl(_) | Claim::Distance { .. }, kind) => {
                    matches!(kind, FairnessKind::Justice(_))
                }
                _ => false,
            })
            .filter_map(|fairness| fairness.assumption)
            .collect();
        for assumption in &assumptions {
            let of = &mut self.program.assumptions[assumption.index()].properties;
            of.get_or_insert_default().push(id);
        }
        let mut text = self.text(spec.span).to_owned();
        if let Some(part) = self.instances[scope].prefix.strip_suffix('.') {
            text.push_str(&format!(" IN {part}"));
        }
        self.program.add_property(Property {
            name,
            text,
            span: spec.span,
            claim,
            trigger: None,
            observers: Vec::new(),
            assumptions,
        });
    }

    fn claim(&mut self, spec: &'t Spec, scope: usize) -> Result<Claim, Refusal> {
        let formula = match &spec.stated {
            Stated::Formula(formula) => formula,
            Stated::Distance { longest, from, to } => {
                return Ok(Claim::Distance {
                    longest: *longest,
                    from: self.branching(from, scope)?,
                    to: self.branching(to, scope)?,
                });
            }
        };
        match spec.sort {
            SpecSort::Ctl => Ok(Claim::Ctl(self.branching(formula, scope)?)),
            SpecSort::Ltl => self.linear_claim(formula, scope),
            SpecSort::Any | SpecSort::Psl if formula.is_branching() => {
                Ok(Claim::Ctl(self.branching(formula, scope)?))
            }
            SpecSort::Psl => self.linear_claim(formula, scope),
            SpecSort::Any if formula.is_temporal() => self.linear_claim(formula, scope),
            _ => {
                let id = self.condition(formula, Context::of(scope))?;
                self.check_inputs(id, formula.span)?;
                Ok(Claim::Always(if self.is_about_steps(id) {
                    let name = self.text(formula.span).to_owned();
                    self.last_step(id, name, true)
                } else {
                    id
                }))
            }
        }
    }

    fn check_inputs(&mut self, id: ExprId, span: Span) -> Lowered<()> {
        self.no_inputs(&Choices::One(Val { id, ty: Ty::Bool }), span)
    }

    fn linear_claim(&mut self, formula: &'t Expr, scope: usize) -> Result<Claim, Refusal> {
        let formula = self.linear(formula, scope);
        let formula = self.if_foretold_truly(formula)?;
        if formula.depth() > MAX_DEPTH {
            let why = format!("a formula more than {MAX_DEPTH} levels deep");
            return Err(Refusal::Beyond(why));
        }
        Ok(Claim::Ltl(formula))
    }

    /// A formula of linear time; what has no temporal operator in it is one atom.
    pub(super) fn linear(&mut self, expr: &'t Expr, scope: usize) -> Result<Ltl<ExprId>, Refusal> {
        if !expr.is_temporal() {
            let id = self.condition(expr, Context::of(scope))?;
            if self.is_about_steps(id) {
                // It is known in the next state whether the step met it.
                let name = self.text(expr.span).to_owned();
                let known = self.last_step(id, name, false);
                return Ok(Ltl::next(Ltl::atom(known)));
            }
            return Ok(match self.program.exprs.constant(id) {
                Some(value) if value.truth() => Ltl::True,
                Some(_) => Ltl::False,
                // With its negation it is one atom, not two: there is room for so many.
                None => match *self.program.exprs.get(id) {
                    ModelExpr::Unary(Unary::Not, inner) => Ltl::not(Ltl::atom(inner)),
                    _ => Ltl::atom(id),
                },
            });
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, a) => Ok(Ltl::not(self.linear(a, scope)?)),
            ExprKind::Chain(op @ (BinaryOp::And | BinaryOp::Or), operands) => {
                let mut all = Vec::new();
                for operand in operands {
                    all.push(self.linear(operand, scope)?);
                }
                Ok(match op {
                    BinaryOp::And => Ltl::all(all),
                    _ => Ltl::any(all),
                })
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.linear(a, scope)?, self.linear(b, scope)?);
                match op {
                    BinaryOp::Implies => Ok(Ltl::implies(a, b)),
                    BinaryOp::Iff | BinaryOp::Xnor | BinaryOp::Equal => Ok(Ltl::iff(a, b)),
                    BinaryOp::Xor | BinaryOp::NotEqual => Ok(Ltl::not(Ltl::iff(a, b))),
                    _ => Err(self.misplaced(expr).into()),
                }
            }
            ExprKind::Conditional(c, a, b) => {
                let c = self.linear(c, scope)?;
                let (a, b) = (self.linear(a, scope)?, self.linear(b, scope)?);
                let then = Ltl::implies(c.clone(), a);
                Ok(Ltl::and(then, Ltl::or(c, b)))
            }
            ExprKind::Temporal(op, bounds, a) => match op {
                TemporalOp::Next(None) => Ok(Ltl::next(self.linear(a, scope)?)),
                TemporalOp::Eventually(None) | TemporalOp::Always(None) => {
                    let a = self.linear(a, scope)?;
                    let eventually = matches!(op, TemporalOp::Eventually(_));
                    let Some(bounds) = bounds else {
                        return Ok(if eventually {
                            Ltl::eventually(a)
                        } else {
                            Ltl::always(a)
                        });
                    };
                    let (low, high) = self.steps(bounds, scope)?;
                    if high as usize >= MAX_DEPTH {
                        return Err(Refusal::Beyond(format!("a bound of {high} steps")));
                    }
                    let mut result = a.clone();
                    for back in (0..high).rev() {
                        let later = Ltl::next(result);
                        result = if back < low {
                            later
                        } else if eventually {
                            Ltl::or(a.clone(), later)
                        } else {
                            Ltl::and(a.clone(), later)
                        };
                    }
                    Ok(result)
                }
                TemporalOp::Next(_) | TemporalOp::Eventually(_) | TemporalOp::Always(_) => {
                    Err(self.other_logic(expr, "linear", "branching").into())
                }
                _ => self.past_atom(expr, scope),
            },
            ExprKind::Until(op, None, None, a, b) => match op {
                UntilOp::Until => {
                    let a = self.linear(a, scope)?;
                    Ok(Ltl::until(a, self.linear(b, scope)?))
                }
                UntilOp::Releases => {
                    let a = self.linear(a, scope)?;
                    Ok(Ltl::release(a, self.linear(b, scope)?))
                }
                UntilOp::Since | UntilOp::Triggered => self.past_atom(expr, scope),
            },
            ExprKind::Until(op, None, Some(bounds), a, b) => {
                let (low, high) = self.steps(bounds, scope)?;
                if high as usize >= MAX_DEPTH {
                    return Err(Refusal::Beyond(format!("a bound of {high} steps")));
                }
                let a = self.linear(a, scope)?;
                let b = self.linear(b, scope)?;
                // `p V q` is the dual of `p U q`.
                let until = match op {
                    UntilOp::Until => true,
                    UntilOp::Releases => false,
                    _ => return self.past_atom(expr, scope),
                };
                let mut result = b.clone();
                for back in (0..high).rev() {
                    let later = Ltl::next(result);
                    let step = match until {
                        true => Ltl::and(a.clone(), later),
                        false => Ltl::or(a.clone(), later),
                    };
                    result = match (back < low, until) {
                        (true, _) => step,
                        (false, true) => Ltl::or(b.clone(), step),
                        (false, false) => Ltl::and(b.clone(), step),
                    };
                }
                Ok(result)
            }
            ExprKind::Until(..) => Err(self.other_logic(expr, "linear", "branching").into()),
            _ => Err(self.misplaced(expr).into()),
        }
    }

    fn past_atom(&mut self, expr: &'t Expr, scope: usize) -> Result<Ltl<ExprId>, Refusal> {
        let errors = self.diagnostics.errors();
        match self.past(expr, scope) {
            Ok(id) => Ok(Ltl::atom(id)),
            Err(_) if self.diagnostics.errors() > errors => Err(Refusal::Wrong),
            Err(why) => Err(Refusal::Beyond(why)),
        }
    }

    fn steps(
        &mut self,
        bounds: &'t crate::ast::Bounds,
        scope: usize,
    ) -> Result<(u32, u32), Refusal> {
        let low = self.constant(&bounds.0, scope)?;
        let high = self.constant(&bounds.1, scope)?;
        match (u32::try_from(low), u32::try_from(high)) {
            (Ok(low), Ok(high)) if low <= high && high <= MAX_STEPS => Ok((low, high)),
            _ => {
                let message = format!("bounds from {low} to {high}");
                Err(self.error(rules::CONSTANT, bounds.0.span, message).into())
            }
        }
    }

    pub(super) fn misplaced(&mut self, expr: &Expr) -> Failed {
        let message = "a temporal operator inside of an ordinary expression";
        self.error(rules::TEMPORAL, expr.span, message)
    }

    fn other_logic(&mut self, expr: &Expr, own: &str, other: &str) -> Failed {
        let message = format!("an operator of {other} time in a formula of {own} time");
        let diagnostic = Diagnostic::error(rules::TEMPORAL, message).at(expr.span);
        self.report(diagnostic.help(match other {
            "linear" => "`LTLSPEC` states formulas of linear time, `CTLSPEC` those of branching time, `AG p`",
            _ => "`CTLSPEC` states formulas of branching time, `LTLSPEC` those of linear time, `G p`",
        }))
    }

    /// A formula of branching time.
    fn branching(&mut self, expr: &'t Expr, scope: usize) -> Result<Ctl<ExprId>, Refusal> {
        if !expr.is_temporal() {
            let id = self.condition(expr, Context::of(scope))?;
            self.check_inputs(id, expr.span)?;
            self.no_next(&Choices::One(Val { id, ty: Ty::Bool }), expr.span)?;
            return Ok(match self.program.exprs.constant(id) {
                Some(value) if value.truth() => Ctl::True,
                Some(_) => Ctl::False,
                None => Ctl::Atom(id),
            });
        }
        let quantifier = |over: &Over| match over {
            Over::All => Quantifier::All,
            Over::Some => Quantifier::Some,
        };
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, a) => Ok(Ctl::not(self.branching(a, scope)?)),
            ExprKind::Chain(op @ (BinaryOp::And | BinaryOp::Or), operands) => {
                let mut all = Vec::new();
                for operand in operands {
                    all.push(self.branching(operand, scope)?);
                }
                Ok(match op {
                    BinaryOp::And => Ctl::And(all.into()),
                    _ => Ctl::Or(all.into()),
                })
            }
            ExprKind::Binary(op, a, b) => {
                let a = Arc::new(self.branching(a, scope)?);
                let b = Arc::new(self.branching(b, scope)?);
                match op {
                    BinaryOp::Implies => Ok(Ctl::Implies(a, b)),
                    BinaryOp::Iff | BinaryOp::Xnor | BinaryOp::Equal => Ok(Ctl::Iff(a, b)),
                    BinaryOp::Xor | BinaryOp::NotEqual => Ok(Ctl::not(Ctl::Iff(a, b))),
                    _ => Err(self.misplaced(expr).into()),
                }
            }
            ExprKind::Temporal(op, bounds, a) => {
                let (TemporalOp::Next(Some(over))
                | TemporalOp::Eventually(Some(over))
                | TemporalOp::Always(Some(over))) = op
                else {
                    return Err(self.other_logic(expr, "branching", "linear").into());
                };
                let over = quantifier(over);
                let a = self.branching(a, scope)?;
                Ok(match (op, bounds) {
                    (TemporalOp::Next(_), _) => Ctl::Next(over, Arc::new(a)),
                    (TemporalOp::Eventually(_), None) => Ctl::Eventually(over, Arc::new(a)),
                    (_, None) => Ctl::Always(over, Arc::new(a)),
                    (TemporalOp::Eventually(_), Some(bounds)) => {
                        let (low, high) = self.steps(bounds, scope)?;
                        Ctl::eventually_within(over, low, high, a)
                    }
                    (_, Some(bounds)) => {
                        let (low, high) = self.steps(bounds, scope)?;
                        Ctl::always_within(over, low, high, a)
                    }
                })
            }
            ExprKind::Until(UntilOp::Until, Some(over), bounds, a, b) => {
                let over = quantifier(over);
                let a = Arc::new(self.branching(a, scope)?);
                let b = Arc::new(self.branching(b, scope)?);
                Ok(match bounds {
                    None => Ctl::Until(over, a, b),
                    Some(bounds) => {
                        let (low, high) = self.steps(bounds, scope)?;
                        Ctl::Within(over, low, high, a, b)
                    }
                })
            }
            ExprKind::Until(..) => Err(self.other_logic(expr, "branching", "linear").into()),
            _ => Err(self.misplaced(expr).into()),
        }
    }
}

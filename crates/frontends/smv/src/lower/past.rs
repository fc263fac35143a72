//! What must be remembered: past operators, and conditions on two states at once.
//!
//! A past operator's value follows from the present and from its value a step ago, so one variable
//! is enough for each (Havelund and Rosu 2002). A condition on a state and the next is known one
//! step later.
//!
//! What a past operator says of the future is foretold: an input stands for it, and the property
//! is claimed of those runs only in which the input always tells the truth.

use logic::Ltl;
use model::{Composition, ExprId, GlobalId, SyncAssign, Type, ValueSet, VariableKind};
use source::Span;

use super::property::Refusal;
use super::value::{Choices, Ty, Val};
use super::{Context, Lowering, fold};
use crate::ast::{BinaryOp, Expr, ExprKind, TemporalOp, UnaryOp, UntilOp};

/// The variables that remember.
#[derive(Default)]
pub(super) struct Remembered {
    steps: Vec<SyncAssign>,
    /// Inputs that foretell, with what they foretell; those of the property being lowered.
    foretold: Vec<(ExprId, Ltl<ExprId>)>,
}

/// The most steps that a bounded past operator may look back.
const MAX_STEPS: i64 = 64;

impl<'t> Lowering<'t, '_> {
    /// A new variable with a first value.
    fn new_memory(&mut self, name: String, first: bool) -> (GlobalId, ExprId) {
        let first = self.program.exprs.bool(first);
        let global = self.program.add_global(model::Variable {
            name,
            ty: Type::Bool,
            init: Some(ValueSet::One(first)),
            kind: VariableKind::Ghost,
            span: Span::NONE,
        });
        self.domains.push(Some(vec![0, 1]));
        self.bounds.push(Some((0, 1)));
        let load = self
            .program
            .exprs
            .load(model::Place::global(global), Type::Bool);
        (global, load)
    }

    fn remember(&mut self, global: GlobalId, value: ExprId) {
        let next = ValueSet::One(value);
        self.remembered.steps.push(SyncAssign { global, next });
    }

    /// What held, or with `first` what counts as having held, in the state before.
    fn before(&mut self, value: ExprId, name: String, first: bool) -> ExprId {
        let (global, load) = self.new_memory(name, first);
        self.remember(global, value);
        load
    }

    /// Whether the step into the current state met a condition on both; `first` where there was
    /// none.
    pub(super) fn last_step(&mut self, condition: ExprId, name: String, first: bool) -> ExprId {
        self.before(condition, name, first)
    }

    /// An input that is to be true when a formula of the future is.
    fn foretell(&mut self, expr: &'t Expr, scope: usize) -> Result<ExprId, String> {
        let errors = self.diagnostics.errors();
        let formula = self.linear(expr, scope).map_err(|why| match why {
            Refusal::Beyond(why) => why,
            Refusal::Wrong => "it has errors".to_owned(),
        })?;
        debug_assert_eq!(errors, self.diagnostics.errors());
        let any = ValueSet::All(Type::Bool);
        let global = self.program.add_global(model::Variable {
            name: format!("({})", self.text(expr.span)),
            ty: Type::Bool,
            init: Some(any.clone()),
            kind: VariableKind::Input,
            span: Span::NONE,
        });
        self.domains.push(Some(vec![0, 1]));
        self.bounds.push(Some((0, 1)));
        self.remembered.steps.push(SyncAssign { global, next: any });
        let place = model::Place::global(global);
        let load = self.program.exprs.load(place, Type::Bool);
        self.remembered.foretold.push((load, formula));
        Ok(load)
    }

    /// A formula, claimed where all that it foretells is true.
    pub(super) fn if_foretold_truly(
        &mut self,
        formula: Result<Ltl<ExprId>, Refusal>,
    ) -> Result<Ltl<ExprId>, Refusal> {
        let foretold = std::mem::take(&mut self.remembered.foretold);
        if foretold.is_empty() {
            return formula;
        }
        let truly = foretold
            .into_iter()
            .map(|(input, what)| Ltl::always(Ltl::iff(Ltl::atom(input), what)));
        Ok(Ltl::implies(Ltl::all(truly), formula?))
    }

    /// Appends the variables that remember to the program.
    pub(super) fn finish(&mut self) {
        let steps = std::mem::take(&mut self.remembered.steps);
        if let Composition::Synchronous(assigns) = &mut self.program.composition {
            assigns.extend(steps);
        }
    }

    /// A formula of past operators only, as a condition on the current state and on memory.
    /// The error is why it cannot be.
    pub(super) fn past(&mut self, expr: &'t Expr, scope: usize) -> Result<ExprId, String> {
        let failed = |_| "it has errors".to_owned();
        if !expr.is_temporal() {
            let id = self.condition(expr, Context::of(scope)).map_err(failed)?;
            let whole = Choices::One(Val { id, ty: Ty::Bool });
            self.no_next(&whole, expr.span).map_err(failed)?;
            return Ok(id);
        }
        let name = self.text(expr.span).to_owned();
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, a) => {
                let a = self.past(a, scope)?;
                Ok(self.not(a))
            }
            ExprKind::Chain(op @ (BinaryOp::And | BinaryOp::Or), operands) => {
                let mut all = Vec::new();
                for operand in operands {
                    all.push(self.past(operand, scope)?);
                }
                Ok(match op {
                    BinaryOp::And => self.all(all),
                    _ => self.any(all),
                })
            }
            ExprKind::Binary(BinaryOp::In | BinaryOp::Union | BinaryOp::Range, ..) => {
                Err(failed(self.misplaced(expr)))
            }
            ExprKind::Binary(op, a, b) => {
                let a = self.past(a, scope)?;
                let b = self.past(b, scope)?;
                let (a, b) = (
                    Val {
                        id: a,
                        ty: Ty::Bool,
                    },
                    Val {
                        id: b,
                        ty: Ty::Bool,
                    },
                );
                let value = self.operator(*op, a, b, expr.span).map_err(failed)?;
                Ok(value.id)
            }
            ExprKind::Temporal(op, None, a) => {
                let weak = matches!(op, TemporalOp::WeakYesterday | TemporalOp::Historically);
                match op {
                    TemporalOp::Yesterday | TemporalOp::WeakYesterday => {
                        let a = self.past(a, scope)?;
                        Ok(self.before(a, name, weak))
                    }
                    TemporalOp::Once | TemporalOp::Historically => {
                        let a = self.past(a, scope)?;
                        let (global, before) = self.new_memory(name, weak);
                        let now = if weak {
                            self.and(a, before)
                        } else {
                            self.or(a, before)
                        };
                        self.remember(global, now);
                        Ok(now)
                    }
                    _ => self.foretell(expr, scope),
                }
            }
            ExprKind::Temporal(
                op @ (TemporalOp::Once | TemporalOp::Historically),
                Some(bounds),
                a,
            ) => {
                let weak = *op == TemporalOp::Historically;
                let low = self.constant(&bounds.0, scope).map_err(failed)?;
                let high = self.constant(&bounds.1, scope).map_err(failed)?;
                if low < 0 || high > MAX_STEPS {
                    return Err(format!("looking back more than {MAX_STEPS} steps"));
                }
                // As in NuSMV, what is said of a time before the first is false, also of `H`.
                let mut then = self.past(a, scope)?;
                let mut window = Vec::new();
                for back in 0..=high {
                    if back >= low {
                        window.push(then);
                    }
                    if back < high {
                        then = self.before(then, format!("{name} ({})", back + 1), false);
                    }
                }
                Ok(if weak {
                    self.all(window)
                } else {
                    self.any(window)
                })
            }
            ExprKind::Until(op @ (UntilOp::Since | UntilOp::Triggered), None, None, a, b) => {
                let a = self.past(a, scope)?;
                let b = self.past(b, scope)?;
                let triggered = *op == UntilOp::Triggered;
                let (global, before) = self.new_memory(name, triggered);
                let now = if triggered {
                    let released = self.or(a, before);
                    self.and(b, released)
                } else {
                    let held = self.and(a, before);
                    self.or(b, held)
                };
                self.remember(global, now);
                Ok(now)
            }
            ExprKind::Until(
                op @ (UntilOp::Since | UntilOp::Triggered),
                None,
                Some(bounds),
                a,
                b,
            ) => {
                let low = self.constant(&bounds.0, scope).map_err(failed)?;
                let high = self.constant(&bounds.1, scope).map_err(failed)?;
                if low < 0 || low > high || high > MAX_STEPS {
                    return Err(format!("looking back more than {MAX_STEPS} steps"));
                }
                let triggered = *op == UntilOp::Triggered;
                let a = self.past(a, scope)?;
                let b = self.past(b, scope)?;
                let mut result = b;
                for back in (0..high).rev() {
                    let earlier =
                        self.before(result, format!("{name} ({})", high - back), triggered);
                    let step = match triggered {
                        true => self.or(a, earlier),
                        false => self.and(a, earlier),
                    };
                    result = match (back < low, triggered) {
                        (true, _) => step,
                        (false, true) => self.and(b, step),
                        (false, false) => self.or(b, step),
                    };
                }
                Ok(result)
            }
            ExprKind::Temporal(_, Some(_), _) | ExprKind::Until(_, None, _, _, _) => {
                self.foretell(expr, scope)
            }
            _ => Err("an operator of branching time".to_owned()),
        }
    }

    /// Whether a condition is about two states.
    pub(super) fn is_about_steps(&self, id: ExprId) -> bool {
        fold::support(&self.program.exprs, &[id])
            .iter()
            .any(|(_, next)| *next)
    }
}

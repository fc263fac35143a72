//! What properties observe, and so what passes must leave visible.

use logic::Ltl;
use model::{Claim, ExprId, FairnessKind, Program, PropertyId};

/// What a group of properties looks at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Observed {
    /// Expressions that are read at stable states: claims, triggers, atoms of automata.
    pub exprs: Vec<ExprId>,
    /// For those whose truth at some stable state is asked for, rather than along a run, the
    /// truth value that is looked for.
    pub sought: Vec<(ExprId, bool)>,
    /// What of the shape of runs matters.
    pub kind: QueryKind,
    /// Whether deadlocks are asked for.
    pub deadlock: bool,
    /// Whether macro steps that never return are asked for.
    pub divergence: bool,
}

/// What of the shape of runs a query can see, from the least to the most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum QueryKind {
    /// Which states, failures and faults can be reached.
    #[default]
    Safety,
    /// Infinite runs, up to repetition of letters: LTL without `X`, automata that do not count.
    StutterInvariant,
    /// Infinite runs, letter by letter.
    Linear,
}

impl Observed {
    /// What the given properties observe, the fairness and the constraints of the program
    /// included. The program should be [focused](crate::focus) on them.
    #[must_use]
    pub fn of(program: &Program, properties: &[PropertyId]) -> Self {
        let mut observed = Observed::default();
        for id in properties {
            let property = &program.properties[id.index()];
            observed.exprs.extend(property.trigger);
            observed
                .sought
                .extend(property.trigger.map(|trigger| (trigger, true)));
            match &property.claim {
                Claim::Always(expr) => {
                    observed.exprs.push(*expr);
                    observed.sought.push((*expr, false));
                }
                Claim::Ltl(formula) => {
                    observed.exprs.extend(formula.atoms());
                    observed.kind = observed.kind.max(if has_next(formula) {
                        QueryKind::Linear
                    } else {
                        QueryKind::StutterInvariant
                    });
                }
                Claim::Never(automaton) => {
                    observed.exprs.extend(&automaton.atoms);
                    observed.kind = observed.kind.max(if automaton.is_stutter_invariant() {
                        QueryKind::StutterInvariant
                    } else {
                        QueryKind::Linear
                    });
                }
                Claim::NoDeadlock => observed.deadlock = true,
                Claim::Returns => observed.divergence = true,
                // Asked on the whole program only: every step counts, and every observed value.
                Claim::Ctl(formula) => {
                    observed.exprs.extend(formula.atoms());
                    observed.kind = QueryKind::Linear;
                }
                Claim::Mu(formula) => {
                    observed.exprs.extend(formula.atoms());
                    observed.kind = QueryKind::Linear;
                }
                Claim::Bounded(growth) => {
                    observed.exprs.push(growth.full);
                    observed.kind = QueryKind::Linear;
                }
                Claim::Distance { from, to, .. } => {
                    observed.exprs.extend(from.atoms());
                    observed.exprs.extend(to.atoms());
                    observed.kind = QueryKind::Linear;
                }
                Claim::Check(_)
                | Claim::NoFault(_)
                | Claim::Silent(_)
                | Claim::Configurations(_)
                | Claim::Open(_) => {}
            }
        }
        if observed.kind > QueryKind::Safety {
            for fairness in &program.fairness {
                match fairness.kind {
                    FairnessKind::Justice(expr) => observed.exprs.push(expr),
                    FairnessKind::Compassion(a, b) => observed.exprs.extend([a, b]),
                    FairnessKind::Weak(_)
                    | FairnessKind::Strong(_)
                    | FairnessKind::WeakInstances => {}
                }
            }
        }
        let constraints = [
            &program.initial,
            &program.state_constraint,
            &program.relation,
        ];
        observed.exprs.extend(constraints.into_iter().flatten());
        observed.exprs.sort_unstable();
        observed.exprs.dedup();
        observed
    }
}

fn has_next(formula: &Ltl<ExprId>) -> bool {
    matches!(formula, Ltl::Next(_)) || formula.operands().into_iter().any(has_next)
}

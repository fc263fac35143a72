//! Assumptions: observers that cut runs, fairness, constraints on states.

use model::{
    AssumptionId, EventId, ExprId, Fairness, FairnessKind, Origin, PropertyId, Root, Stmt,
    Type as ModelType,
};

use super::resolve::Meaning;
use super::syntax::AssumptionKind;
use super::weave::Weaver;
use crate::facts;

impl Weaver<'_> {
    /// Adds all assumptions to the program.
    pub(super) fn assumptions(&mut self) {
        let annotations = self.annotations;
        for (index, assumption) in annotations.assumptions.iter().enumerate() {
            let named: Option<Vec<usize>> = assumption.properties.as_ref().map(|names| {
                let position = |name: &String| {
                    let mut properties = annotations.properties.iter();
                    properties.position(|property| property.name == *name)
                };
                names
                    .iter()
                    .filter_map(|(name, _)| position(name))
                    .collect()
            });
            let text = match &assumption.kind {
                AssumptionKind::OwnerGrants(name) => format!(
                    "the owner, asked for {}, grants it",
                    self.exprs.checked.ast.name_text(*name)
                ),
                AssumptionKind::OwnerAnswers => {
                    "the owner answers requests for permissions at last".to_owned()
                }
                AssumptionKind::TimerKeepsFiring => "a timer that is set fires at last".to_owned(),
                AssumptionKind::QueueNeverOverflows => {
                    "the script's queue of 64 events never overflows".to_owned()
                }
                AssumptionKind::NoPaymentLost => "no payment is discarded unseen".to_owned(),
                AssumptionKind::OwnerStays => "the object keeps its owner".to_owned(),
                AssumptionKind::InventoryStays => {
                    "the object's inventory stays as it is".to_owned()
                }
                AssumptionKind::PaymentsPositive => "payments are of at least L$1".to_owned(),
                AssumptionKind::Always(_) | AssumptionKind::When(..) => assumption.text.clone(),
            };
            let id = self.program().add_assumption(model::Assumption {
                text,
                origin: Origin::Stated,
                properties: named
                    .as_ref()
                    .map(|named| named.iter().map(|&p| PropertyId::new(p)).collect()),
                span: assumption.span,
            });
            let owners = named.unwrap_or_default();
            self.assume(index, &assumption.kind, id, &owners);
        }
    }

    fn assume(&mut self, index: usize, kind: &AssumptionKind, id: AssumptionId, owners: &[usize]) {
        let world = self.exprs.names.layout.world.clone();
        match kind {
            AssumptionKind::OwnerGrants(name) => {
                let checked = self.exprs.checked;
                let mask = facts::constant(checked.ast.name_text(*name)).map(|c| &c.value);
                if let Some(facts::Value::Integer(mask)) = mask {
                    self.assume_granted(world.answered, *mask, owners);
                }
                self.keeps_happening("run_time_permissions", id);
            }
            AssumptionKind::OwnerAnswers => self.keeps_happening("run_time_permissions", id),
            AssumptionKind::TimerKeepsFiring => self.keeps_happening("timer", id),
            AssumptionKind::QueueNeverOverflows => self.never(world.overflow, owners),
            AssumptionKind::NoPaymentLost => self.never(world.losing, owners),
            AssumptionKind::OwnerStays => self.never(world.owner_changes, owners),
            AssumptionKind::InventoryStays => self.never(world.inventory_changes, owners),
            AssumptionKind::PaymentsPositive => {
                let exprs = &mut self.program().exprs;
                let amount = exprs.load(Root::Argument(1).into(), ModelType::INT32);
                let zero = exprs.int(0, ModelType::INT32);
                let positive = exprs.binary(model::Binary::Lt, zero, amount);
                self.plan_assume(world.paid, positive, owners);
            }
            AssumptionKind::Always(_) => {
                let Some(Meaning::Formula(formula)) = &self.exprs.resolved.assumptions[index]
                else {
                    return;
                };
                let constraint = self.present(usize::MAX, formula);
                self.program().state_constraint.push(constraint);
            }
            AssumptionKind::When(..) => {
                let Some(Meaning::When(event, require)) = &self.exprs.resolved.assumptions[index]
                else {
                    return;
                };
                let Some(event_id) = self.event_id(&event.happening) else {
                    return;
                };
                self.enter(event);
                let guard = self.guard(event);
                let condition = self.exprs.condition(*require);
                self.leave(event_id);
                self.plan(
                    2,
                    "assumption".to_owned(),
                    event_id,
                    guard,
                    vec![Stmt::Assume(condition)],
                    owners.to_vec(),
                );
            }
        }
    }

    /// Whoever asks for the permission gets it.
    fn assume_granted(&mut self, answered: EventId, mask: i32, owners: &[usize]) {
        let exprs = &mut self.program().exprs;
        let mask = exprs.int(mask.into(), ModelType::INT32);
        let zero = exprs.int(0, ModelType::INT32);
        let [asked, granted] = [0, 1].map(|argument| {
            let given = exprs.load(Root::Argument(argument).into(), ModelType::INT32);
            let bits = exprs.binary(model::Binary::BitAnd, given, mask);
            exprs.binary(model::Binary::Ne, bits, zero)
        });
        let not_asked = exprs.not(asked);
        let condition = exprs.or(not_asked, granted);
        self.plan_assume(answered, condition, owners);
    }

    fn never(&mut self, event: EventId, owners: &[usize]) {
        let no = self.program().exprs.bool(false);
        self.plan_assume(event, no, owners);
    }

    fn plan_assume(&mut self, event: EventId, condition: ExprId, owners: &[usize]) {
        let always = self.program().exprs.bool(true);
        self.plan(
            2,
            "assumption".to_owned(),
            event,
            always,
            vec![Stmt::Assume(condition)],
            owners.to_vec(),
        );
    }

    fn keeps_happening(&mut self, event: &str, assumption: AssumptionId) {
        let Some(steps) = self.exprs.names.layout.steps.get(event).cloned() else {
            return;
        };
        self.program().fairness.push(Fairness {
            name: format!("{event} happens again and again where it can"),
            kind: FairnessKind::Weak(steps),
            assumption: Some(assumption),
        });
    }
}

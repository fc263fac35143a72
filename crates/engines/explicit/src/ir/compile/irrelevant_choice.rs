//! Choices that are passed over: values that make no difference.
//!
//! The innermost choice of a move runs over a list, often a long one: a hundred amounts. If all
//! that a run does with the value is to compare it, then every value that compares the same way
//! gives the same run. So code that compares such a *runner* also narrows down how far the list
//! can be passed over afterwards, and code that uses its value in any other way pins it. That is
//! possible where the value cannot outlive the macro step otherwise: in step variables.

use model::VariableKind;

use super::Compiler;
use crate::Technique;
use crate::ir::instruction::{ChannelSite, Op, Order, Slot};
use crate::ir::operands::Use;

impl Compiler<'_> {
    /// Finds the runners: step variables that some step chooses last.
    pub(super) fn find_runners(&mut self) {
        if !self.demand.tuning.has(Technique::IrrelevantChoice) {
            return;
        }
        for process in &self.program.processes {
            for choice in process.steps.iter().filter_map(|step| step.binds.last()) {
                if let model::Root::Global(id) = choice.place.root
                    && choice.place.path.is_empty()
                    && self.program.globals[id.index()].kind == VariableKind::Step
                {
                    let slot = self.state_slot(self.layout.globals[id.index()]);
                    self.runners.insert(slot);
                }
            }
        }
    }

    /// Emits what an instruction means for runners, before it.
    pub(super) fn watch_runners(&mut self, op: Op) {
        if self.runners.is_empty() {
            return;
        }
        let is = |slot: &Slot| self.runners.contains(slot);
        match op.uses() {
            Use::Compare { a, b, .. } if a == b => {}
            Use::Compare { a, b, .. } if is(&a) && is(&b) => self.ops.push(Op::Pin),
            Use::Compare { a, b, order } if is(&a) => self.ops.push(Op::Narrow { a, b, order }),
            Use::Compare { a, b, order } if is(&b) => {
                let order = match order {
                    Order::Less => Order::Greater,
                    Order::Greater => Order::Less,
                    Order::Equal => Order::Equal,
                };
                self.ops.push(Op::Narrow { a: b, b: a, order });
            }
            Use::Compare { .. } => {}
            Use::Values(slots) if slots.iter().flatten().any(is) => self.ops.push(Op::Pin),
            Use::Values(_) => {}
            Use::Anything => {
                let concerned = match op {
                    Op::Apply { site } => self.apply[usize::from(site)]
                        .args
                        .iter()
                        .any(|(slot, _)| is(slot)),
                    Op::Channel { site } => match &self.channel[usize::from(site)] {
                        ChannelSite::Find { wanted, .. } => wanted.iter().any(|(_, slot)| is(slot)),
                        ChannelSite::Put { .. } | ChannelSite::Take { .. } => false,
                    },
                    _ => true,
                };
                if concerned {
                    self.ops.push(Op::Pin);
                }
            }
        }
    }
}

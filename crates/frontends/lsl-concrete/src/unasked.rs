//! The properties that nobody writes: no run-time error stops the script, and it does not stop while
//! it holds money (`docs/properties.md`).

use std::sync::Arc;

use crate::claims::Moment;
use crate::look::View;
use crate::value::{Fault, Value};

/// What the run has shown of them.
#[derive(Clone, Default, Debug)]
pub(crate) struct Unasked {
    /// The payment of the handler that runs, while it has not been settled: who and how much.
    open: Option<(Arc<str>, i32)>,
    /// A handler has ended without settling its payment.
    kept: bool,
    pending: Vec<&'static str>,
    /// The names of those that the run has broken.
    pub(crate) broken: Vec<&'static str>,
}

impl Unasked {
    /// Something happens that properties see.
    pub(crate) fn moment(&mut self, moment: Moment<'_>, args: &[Value], view: &View<'_>) {
        match (moment, args) {
            (Moment::Handled("money"), [who, amount]) if amount.integer() > 0 => {
                self.open = Some((who.letters(), amount.integer()));
            }
            (Moment::Call("llDie"), _) => self.stops(),
            (Moment::Call(function), [to, rest @ ..]) => {
                let paying = view.handling.iter().any(|h| h.event == "money");
                let Some((who, amount)) = self.open.as_ref().filter(|_| paying) else {
                    return;
                };
                let gives = match function {
                    "llGiveInventory" | "llGiveInventoryList" => true,
                    "llGiveMoney" | "llTransferLindenDollars" => {
                        rest.first().is_some_and(|sum| sum.integer() >= *amount)
                    }
                    _ => false,
                };
                if gives && to.letters() == *who {
                    self.open = None;
                }
            }
            _ => {}
        }
    }

    fn stops(&mut self) {
        if self.kept || self.open.is_some() {
            self.pending.push("stops-with-money");
        }
    }

    /// A run-time error.
    pub(crate) fn fault(&mut self, fault: Fault) {
        self.stops();
        self.pending.push(match fault {
            Fault::Math => "math-error",
            Fault::Memory => "stack-heap-collision",
        });
        self.pending.push("run-time-errors");
    }

    /// A step has ended; `left`: the run is none that is spoken of.
    pub(crate) fn stable(&mut self, left: bool) {
        self.kept |= self.open.take().is_some();
        let pending = std::mem::take(&mut self.pending);
        if !left {
            self.broken.extend(pending);
        }
    }
}

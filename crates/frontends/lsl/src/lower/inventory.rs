//! In which states the object's inventory still matters.
//!
//! A fact about the world that nothing can read any more is the same whatever it is. Where no
//! handler that can still come reads the inventory, it does not change in the model, and what is
//! in it is forgotten: half the states for every item.

use super::script::goals;
use super::{Input, Next, effects};
use crate::ast::{FunctionId, StateId, StmtId};
use crate::check::Resolution;
use crate::watch::Fact;

/// Where the inventory may still be read, by state.
#[derive(Clone, Debug, Default)]
pub(crate) struct InventoryUse {
    /// From the moment when the state is entered.
    at_entry: Vec<bool>,
    /// Once its `state_entry` is over.
    while_waiting: Vec<bool>,
}

impl InventoryUse {
    pub(crate) fn of(input: Input<'_>) -> InventoryUse {
        let checked = input.checked;
        let ast = &checked.ast;
        let states: Vec<StateId> = ast.state_ids().collect();
        if input.watch.facts.contains(&Fact::Inventory) {
            return InventoryUse {
                at_entry: vec![true; states.len()],
                while_waiting: vec![true; states.len()],
            };
        }
        let mut found = InventoryUse {
            at_entry: vec![false; states.len()],
            while_waiting: vec![false; states.len()],
        };
        let mut next: Vec<Vec<usize>> = Vec::new();
        let first = checked.state_named("default");
        let is_reset = input.member.is_some_and(|member| member.suffers().reset);
        for &state in &states {
            for &handler in &ast.state(state).handlers {
                let entry = checked
                    .event(handler)
                    .is_some_and(|e| e.name == "state_entry");
                if reads(input, ast.handler(handler).body) {
                    found.at_entry[state.index()] = true;
                    found.while_waiting[state.index()] |= !entry;
                }
            }
            let by_others = is_reset.then_some(Next::Reset);
            next.push(
                goals(input, state)
                    .into_iter()
                    .chain(by_others)
                    .filter_map(|goal| match goal {
                        Next::State(other) => Some(other.index()),
                        Next::Reset => first.map(StateId::index),
                        Next::Die => None,
                    })
                    .collect(),
            );
        }
        loop {
            let mut changed = false;
            for (state, others) in next.iter().enumerate() {
                let later = others.iter().any(|&other| found.at_entry[other]);
                if later && !found.while_waiting[state] {
                    found.while_waiting[state] = true;
                    found.at_entry[state] = true;
                    changed = true;
                }
            }
            if !changed {
                return found;
            }
        }
    }

    /// Whether the inventory may be read in the state or behind it, its `state_entry` included.
    pub(crate) fn matters_in(&self, state: StateId) -> bool {
        self.at_entry[state.index()]
    }

    /// The states in which the inventory may be read after `state_entry`.
    pub(crate) fn waiting(&self) -> Vec<StateId> {
        (0..self.while_waiting.len())
            .filter(|&index| self.while_waiting[index])
            .map(StateId::new)
            .collect()
    }

    /// Whether it is read at all.
    pub(crate) fn matters(&self) -> bool {
        self.at_entry.contains(&true)
    }
}

/// Whether the inventory is read in the code, or in a function that it calls.
fn reads(input: Input<'_>, body: StmtId) -> bool {
    let checked = input.checked;
    let ast = &checked.ast;
    let mut seen: Vec<FunctionId> = Vec::new();
    let mut stmts = vec![body];
    let mut exprs = Vec::new();
    loop {
        while let Some(stmt) = stmts.pop() {
            let kind = &ast.stmt(stmt).kind;
            super::for_each_part(kind, |e| exprs.push(e), |s| stmts.push(s));
        }
        let Some(expr) = exprs.pop() else {
            return false;
        };
        super::for_each_operand(ast, expr, |operand| exprs.push(operand));
        match checked.exprs.resolution(expr) {
            Some(Resolution::Library(function))
                if effects::INVENTORY_READERS.contains(&function.name) =>
            {
                return true;
            }
            Some(Resolution::Function(id)) if !seen.contains(&id) => {
                seen.push(id);
                stmts.push(ast.function(id).body);
            }
            _ => {}
        }
    }
}

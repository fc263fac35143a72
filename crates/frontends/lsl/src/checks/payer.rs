//! What a script does for who has just paid.
//!
//! Whether a payment is *served* depends on what the script sells. A script that gives something in
//! return must give it, or give the money back, for every payment; one that writes down who has
//! paid must write that down; one that does neither must do anything at all.

use std::collections::{BTreeSet, HashSet};

use super::draws::decide;
use crate::ast::{ExprId, ExprKind, FunctionId, GlobalId, HandlerId, StmtId, StmtKind};
use crate::check::{Checked, Resolution};
use crate::lower::{Variable, units};
use crate::lower::{for_each_operand, parts_of};

/// Calls that hand something over.
const GIVES: [&str; 6] = [
    "llGiveInventory",
    "llGiveInventoryList",
    "llRezObject",
    "llRezAtRoot",
    "llRezObjectWithParams",
    "llRemoteLoadScriptPin",
];

/// Calls by which others learn who has paid, or by which the payer is asked something.
const TELLS: [&str; 16] = [
    "llMessageLinked",
    "llHTTPRequest",
    "llEmail",
    "llRegionSay",
    "llDialog",
    "llTextBox",
    "llLoadURL",
    "llMapDestination",
    "llTeleportAgent",
    "llRequestPermissions",
    "llAddToLandPassList",
    "llLinksetDataWrite",
    "llUpdateKeyValue",
    "llCreateKeyValue",
    "llSetObjectDesc",
    "llRequestAgentData",
];

/// Calls that serve nobody: they set what the next payer is shown, or pass time.
const SETS: [&str; 3] = ["llSetPayPrice", "llSetClickAction", "llSleep"];

/// Whether a call pays.
fn pays(name: &str) -> bool {
    matches!(name, "llGiveMoney" | "llTransferLindenDollars")
}

/// What is done while a payment is handled.
pub(super) struct Served {
    /// Library functions that count as service.
    pub(super) calls: BTreeSet<&'static str>,
    /// Assignments that do.
    pub(super) stores: HashSet<ExprId>,
    /// Whether a change of state does: only where nobody is kept or passed on, for whoever serves in
    /// another state has to know whom.
    pub(super) leaving: bool,
    /// Handlers and functions in reach, by number.
    pub(super) units: HashSet<usize>,
}

/// Looks over the handlers of payments and the functions that they call; `None` if there are none.
pub(super) fn served(checked: &Checked) -> Option<Served> {
    let handlers: Vec<HandlerId> = checked
        .ast
        .handler_ids()
        .filter(|&id| checked.event(id).is_some_and(|event| event.name == "money"))
        .collect();
    if handlers.is_empty() {
        return None;
    }
    let mut look = Look {
        checked,
        tainted: HashSet::new(),
        functions: BTreeSet::new(),
        bodies: Vec::new(),
    };
    look.follow(&handlers);
    Some(look.summary())
}

struct Look<'a> {
    checked: &'a Checked,
    /// Variables that may hold the payer, or what was made of their key.
    tainted: HashSet<Variable>,
    functions: BTreeSet<FunctionId>,
    /// Expressions in reach, with their unit.
    bodies: Vec<(usize, Vec<ExprId>)>,
}

impl Look<'_> {
    fn follow(&mut self, handlers: &[HandlerId]) {
        for &id in handlers {
            self.tainted.insert((Some(id.index()), 0));
            self.add(id.index(), self.checked.ast.handler(id).body);
        }
        let mut before = (0, 0);
        while before != (self.tainted.len(), self.bodies.len()) {
            before = (self.tainted.len(), self.bodies.len());
            for at in 0..self.bodies.len() {
                let (unit, exprs) = self.bodies[at].clone();
                for expr in exprs {
                    self.pass_on(unit, expr);
                }
            }
        }
    }

    fn add(&mut self, unit: usize, body: StmtId) {
        let ast = &self.checked.ast;
        let (stmts, exprs) = parts_of(ast, body);
        for stmt in stmts {
            if let StmtKind::Declare {
                value: Some(value), ..
            } = &ast.stmt(stmt).kind
                && let Some(local) = self.checked.declared(stmt)
                && self.mentions(unit, *value)
            {
                self.tainted.insert((Some(unit), local.index()));
            }
        }
        self.bodies.push((unit, exprs));
    }

    fn pass_on(&mut self, unit: usize, expr: ExprId) {
        let checked = self.checked;
        match &checked.ast.expr(expr).kind {
            ExprKind::Assign { place, value, .. } if self.mentions(unit, *value) => {
                if let Some(Resolution::Local(local)) = checked.exprs.resolution(*place) {
                    self.tainted.insert((Some(unit), local.index()));
                }
            }
            ExprKind::Call { arguments, .. } => {
                if let Some(Resolution::Function(function)) = checked.exprs.resolution(expr) {
                    let callee = checked.ast.handlers.len() + function.index();
                    if self.functions.insert(function) {
                        self.add(callee, checked.ast.function(function).body);
                    }
                    for (index, &argument) in arguments.iter().enumerate() {
                        if self.mentions(unit, argument) {
                            self.tainted.insert((Some(callee), index));
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether the payer is read in an expression.
    fn mentions(&self, unit: usize, expr: ExprId) -> bool {
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            if let Some(Resolution::Local(local)) = self.checked.exprs.resolution(expr)
                && self.tainted.contains(&(Some(unit), local.index()))
            {
                return true;
            }
            for_each_operand(&self.checked.ast, expr, |operand| pending.push(operand));
        }
        false
    }

    /// The global variables that the script reads somewhere.
    fn read(&self) -> HashSet<GlobalId> {
        let ast = &self.checked.ast;
        let mut read = HashSet::new();
        for (_, body) in units(ast) {
            let exprs = parts_of(ast, body).1;
            // The target of a plain assignment is not read; that of `+=` is.
            let places: HashSet<ExprId> = exprs
                .iter()
                .filter_map(|&expr| match ast.expr(expr).kind {
                    ExprKind::Assign {
                        op: None, place, ..
                    } => Some(place),
                    _ => None,
                })
                .collect();
            let others = exprs.iter().filter(|expr| !places.contains(expr));
            read.extend(
                others.filter_map(|&expr| match self.checked.exprs.resolution(expr) {
                    Some(Resolution::Global(global)) => Some(global),
                    _ => None,
                }),
            );
        }
        read
    }

    fn summary(&self) -> Served {
        let (mut gives, mut tells) = (BTreeSet::new(), BTreeSet::new());
        let (mut all_calls, mut all_stores) = (BTreeSet::new(), HashSet::new());
        let mut stores = HashSet::new();
        let read = self.read();
        for (unit, exprs) in &self.bodies {
            for &expr in exprs {
                match &self.checked.ast.expr(expr).kind {
                    ExprKind::Call { arguments, .. } => {
                        let Some(Resolution::Library(function)) =
                            self.checked.exprs.resolution(expr)
                        else {
                            continue;
                        };
                        let name = function.name;
                        // Money for the payer counts by itself, and money for others does not.
                        let sets = SETS.contains(&name);
                        if !function.pure && !function.must_use && !pays(name) && !sets {
                            all_calls.insert(name);
                        }
                        if GIVES.contains(&name) {
                            gives.insert(name);
                        }
                        let mut arguments = arguments.iter();
                        if TELLS.contains(&name)
                            && arguments.any(|&argument| self.mentions(*unit, argument))
                        {
                            tells.insert(name);
                        }
                    }
                    ExprKind::Assign { place, value, .. } => {
                        if let Some(Resolution::Global(global)) =
                            self.checked.exprs.resolution(*place)
                        {
                            all_stores.insert(expr);
                            if read.contains(&global) && self.mentions(*unit, *value) {
                                stores.insert(expr);
                            }
                        }
                    }
                    ExprKind::Step { place, .. } => {
                        if let Some(Resolution::Global(_)) = self.checked.exprs.resolution(*place) {
                            all_stores.insert(expr);
                        }
                    }
                    _ => {}
                }
            }
        }
        let something = !gives.is_empty() || !stores.is_empty() || !tells.is_empty();
        let (mut calls, stores) = match something {
            true => (gives.union(&tells).copied().collect(), stores),
            false => (all_calls, all_stores),
        };
        let units = self.bodies.iter().map(|(unit, _)| *unit).collect();
        // Whoever has played and lost has been served.
        if decide(self.checked, &units, &|name| {
            GIVES.contains(&name) || pays(name)
        }) {
            calls.insert("llFrand");
        }
        Served {
            calls,
            stores,
            leaving: !something,
            units,
        }
    }
}

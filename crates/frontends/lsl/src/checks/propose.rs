//! Properties that the author of a script without any might want to state.
//!
//! The checks know what goes wrong in any script. What a script is *for* only its author knows: that a
//! thing costs its price, who may reset the script, which counts never go below zero. These proposals
//! say it in the names of the script, ready to be pasted into it.

use std::collections::BTreeSet;

use super::money::PAYS;
use super::names::clash;
use crate::ast::{BinaryOp, ExprId, ExprKind, GlobalId, StateId, StmtKind};
use crate::check::{Checked, Resolution};
use crate::facts;
use crate::lower::parts_of;
use crate::types::Type;

/// So many are proposed.
const MOST: usize = 3;

/// Calls that only its owner should bring about in most scripts, with what to call the property.
const OWNERS: [(&str, &str); 4] = [
    ("llResetScript", "owner_resets"),
    ("llDie", "owner_removes"),
    ("llRequestPermissions", "owner_asks"),
    ("llSetPayPrice", "owner_sets_prices"),
];

/// Properties for a script that states none: at most three, those first that are most about money.
/// Each is a directive of one line.
pub(crate) fn propose(checked: &Checked) -> Vec<String> {
    let script = Script::of(checked);
    let mut found = Vec::new();
    if !clash(&checked.ast) {
        script.sale(&mut found);
        script.change(&mut found);
        script.owner(&mut found);
    }
    script.counts(&mut found);
    script.ways_out(&mut found);
    found.truncate(MOST);
    found
}

/// What of a script proposals are made of.
struct Script<'a> {
    checked: &'a Checked,
    /// For each handler, its event and the expressions that run when it does.
    handlers: Vec<(&'static str, Vec<ExprId>)>,
}

impl<'a> Script<'a> {
    fn of(checked: &'a Checked) -> Script<'a> {
        let ast = &checked.ast;
        let handlers = ast.handler_ids().filter_map(|id| {
            let event = checked.event(id)?.name;
            let mut exprs = parts_of(ast, ast.handler(id).body).1;
            let (mut called, mut at) = (BTreeSet::new(), 0);
            while at < exprs.len() {
                if let Some(Resolution::Function(function)) = checked.exprs.resolution(exprs[at])
                    && called.insert(function)
                {
                    exprs.extend(parts_of(ast, ast.function(function).body).1);
                }
                at += 1;
            }
            Some((event, exprs))
        });
        let handlers = handlers.collect();
        Script { checked, handlers }
    }

    /// The expressions that run in handlers of an event.
    fn during(&self, event: &str) -> impl Iterator<Item = ExprId> {
        let handlers = self.handlers.iter().filter(move |(name, _)| *name == event);
        handlers.flat_map(|(_, exprs)| exprs.iter().copied())
    }

    fn library(&self, expr: ExprId) -> Option<&'static str> {
        match self.checked.exprs.resolution(expr)? {
            Resolution::Library(function) => Some(function.name),
            _ => None,
        }
    }

    fn calls(&self, event: &str, function: &str) -> bool {
        self.during(event)
            .any(|expr| self.library(expr) == Some(function))
    }

    /// What is sold costs its price.
    fn sale(&self, found: &mut Vec<String>) {
        if !self.calls("money", "llGiveInventory") {
            return;
        }
        let price = self.during("money").find_map(|expr| self.price(expr));
        let claim = match &price {
            Some(price) => format!("who == id && amount >= {price}"),
            None => "who == id && amount > 0".to_owned(),
        };
        found.push(format!(
            "//@ property sold_for_the_price: when call llGiveInventory(who, _) \
             during money(id, amount) require {claim};"
        ));
        if let Some(price) = price {
            found.push(format!(
                "//@ property served: money(id, amount) if (amount == {price}) \
                 leads to call llGiveInventory(id, _);"
            ));
        }
    }

    /// The price that an expression compares a payment with: a global variable or a number.
    fn price(&self, expr: ExprId) -> Option<String> {
        let ast = &self.checked.ast;
        let ExprKind::Binary {
            op:
                BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual,
            left,
            right,
            ..
        } = ast.expr(expr).kind
        else {
            return None;
        };
        let is_amount = |expr: ExprId| {
            let expr = ast.without_parentheses(expr);
            let is_integer = self.checked.exprs.ty(expr).value() == Some(Type::Integer);
            is_integer
                && matches!(self.checked.exprs.resolution(expr), Some(Resolution::Local(local)) if local.index() == 1)
        };
        let price = |expr: ExprId| {
            let expr = ast.without_parentheses(expr);
            match (&ast.expr(expr).kind, self.checked.exprs.resolution(expr)) {
                (ExprKind::Integer(number), _) if *number > 0 => Some(number.to_string()),
                (ExprKind::Name(name), Some(Resolution::Global(_)))
                    if self.checked.exprs.ty(expr).value() == Some(Type::Integer) =>
                {
                    Some(ast.name_text(*name).to_owned())
                }
                _ => None,
            }
        };
        match (is_amount(left), is_amount(right)) {
            (true, _) => price(right),
            (_, true) => price(left),
            _ => None,
        }
    }

    /// What a payment makes the script pay goes back to the payer, and is no more than came.
    fn change(&self, found: &mut Vec<String>) {
        for (pays, suffix) in PAYS {
            if !self.calls("money", pays) {
                continue;
            }
            let others = self
                .during("money")
                .filter(|&expr| self.library(expr) == Some(pays));
            let mut partners = others.filter_map(|expr| self.partner(expr));
            let arguments = pattern(pays, &["who", "n"]);
            let claim = match partners.next() {
                Some(partner) => format!("(who == id || who == {partner}) && n <= amount"),
                None => "who == id && n <= amount".to_owned(),
            };
            found.push(format!(
                "//@ property change_goes_back{suffix}: when call {pays}{arguments} \
                 during money(id, amount) require {claim};"
            ));
        }
    }

    /// The global variable that a payment goes to.
    fn partner(&self, call: ExprId) -> Option<String> {
        let ast = &self.checked.ast;
        let ExprKind::Call { arguments, .. } = &ast.expr(call).kind else {
            return None;
        };
        let to = ast.without_parentheses(*arguments.first()?);
        match (&ast.expr(to).kind, self.checked.exprs.resolution(to)) {
            (ExprKind::Name(name), Some(Resolution::Global(_))) => {
                Some(ast.name_text(*name).to_owned())
            }
            _ => None,
        }
    }

    /// Who speaks to the script and has it do what only its owner should.
    fn owner(&self, found: &mut Vec<String>) {
        for (pays, suffix) in PAYS {
            if self.calls("listen", pays) {
                let arguments = pattern(pays, &[]);
                found.push(format!(
                    "//@ property owner_pays_out{suffix}: when call {pays}{arguments} \
                     during listen(_, _, id, _) require id == llGetOwner();"
                ));
            }
        }
        for (function, name) in OWNERS {
            if self.calls("listen", function) {
                let arguments = pattern(function, &[]);
                found.push(format!(
                    "//@ property {name}: when call {function}{arguments} \
                     during listen(_, _, id, _) require id == llGetOwner();"
                ));
            }
        }
    }

    /// Global integers that begin at zero or above, and change.
    fn counts(&self, found: &mut Vec<String>) {
        let ast = &self.checked.ast;
        let mut changed: BTreeSet<GlobalId> = BTreeSet::new();
        for &expr in self.handlers.iter().flat_map(|(_, exprs)| exprs) {
            if let ExprKind::Assign {
                op: Some(BinaryOp::Subtract),
                place,
                ..
            }
            | ExprKind::Step { place, by: -1, .. } = ast.expr(expr).kind
                && let Some(Resolution::Global(global)) = self.checked.exprs.resolution(place)
                && ast.global(global).ty == Type::Integer
            {
                changed.insert(global);
            }
        }
        for global in changed {
            let name = ast.name_text(ast.global(global).name);
            found.push(format!(
                "//@ property {name}_is_a_count: always {name} >= 0;"
            ));
        }
    }

    /// States that the script should leave again.
    fn ways_out(&self, found: &mut Vec<String>) {
        let ast = &self.checked.ast;
        let mut entered: BTreeSet<StateId> = BTreeSet::new();
        for index in 0..ast.stmt_count() {
            let id = crate::ast::StmtId::new(index);
            if matches!(ast.stmt(id).kind, StmtKind::State(_)) {
                entered.extend(self.checked.target_state(id));
            }
        }
        for state in entered.into_iter().filter(|state| state.index() != 0) {
            let name = ast.name_text(ast.state(state).name);
            found.push(format!(
                "//@ property {name}_is_reached: eventually in {name};"
            ));
        }
    }
}

/// `(names, _, _)` for a function.
fn pattern(function: &str, names: &[&str]) -> String {
    let count = facts::function(function).map_or(0, |f| f.parameters.len());
    let names = names.iter().copied().chain(std::iter::repeat("_"));
    let names: Vec<&str> = names.take(count).collect();
    format!("({})", names.join(", "))
}

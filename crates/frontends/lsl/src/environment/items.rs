//! The inventory items that a script, or a property, can name: by their names, and by number.

use std::collections::{BTreeMap, BTreeSet};

use model::{ExprId, Type as ModelType, Value, ValueSet, VariableKind};

use super::declare::Declare;
use crate::ast::{self, ExprKind, StmtKind};
use crate::check::{Constants, Resolution};
use crate::facts;
use crate::library;
use crate::lower::flow::{Flow, Holder};
use crate::lower::{Input, effects, for_each_operand, for_each_part};
use crate::watch::{Fact, Item};

/// At most so many items stand in a place of the inventory one after the other.
const MOST_NAMES: usize = 3;

/// Which items may stand in a place of the inventory, by type and number.
pub(crate) type Numbered = BTreeMap<(i32, i32), Vec<usize>>;

impl Declare {
    /// The inventory items that can be named, and those that calls name by number.
    /// Where names are kept and compared, several may stand in a place one after the other.
    pub(super) fn items(&mut self, input: Input<'_>, flow: &Flow) -> (Vec<Item>, Numbered) {
        let mut items = Vec::new();
        let mut numbered = BTreeMap::new();
        let survey = input.survey;
        if !survey.calls_any(effects::INVENTORY_READERS)
            && !input.watch.facts.contains(&Fact::Inventory)
        {
            return (items, numbered);
        }
        for &site in survey.calls.get("llGetInventoryName").into_iter().flatten() {
            let ExprKind::Call { arguments, .. } = &input.checked.ast.expr(site).kind else {
                continue;
            };
            let (Some(kind), Some(index)) = (
                constant_integer(input, arguments[0]),
                constant_integer(input, arguments[1]),
            ) else {
                continue;
            };
            let class = flow.class(Holder::Fact("inventory names"));
            let several = class.asked && class.pairs && !is_read_once(input);
            let literals: Vec<Value> = class
                .literals
                .iter()
                .map(|text| self.program.rich.text(text))
                .collect();
            let apart = library::none_of(&self.program.rich, &literals, false);
            let count = if several {
                (class.kept + 1).min(MOST_NAMES)
            } else {
                1
            };
            numbered.entry((kind, index)).or_insert_with(|| {
                (0..count)
                    .map(|number| {
                        let mut what = format!("{} {index} of the inventory", kind_name(kind));
                        if number > 0 {
                            what = format!("another {what} ({number})");
                        }
                        let name = library::stranger(&self.program.rich, &what, &apart);
                        let name = self.rich(name);
                        items.push(self.item(&what, name, Some(kind)));
                        items.len() - 1
                    })
                    .collect()
            });
        }
        let mut named: BTreeSet<String> = input.watch.items.clone();
        let constants = Constants::of(input.checked);
        let ast = &input.checked.ast;
        for &(function, position) in effects::ITEM_ARGUMENTS {
            for &site in survey.calls.get(function).into_iter().flatten() {
                if let ExprKind::Call { arguments, .. } = &ast.expr(site).kind
                    && let written = constants.written(arguments[position])
                    && let ExprKind::String(text) = ast.expr(written).kind
                {
                    named.insert(ast.text(text).to_owned());
                }
            }
        }
        for text in named {
            let name = self.program.rich.text(&text);
            let name = self.rich(name);
            items.push(self.item(&text, name, None));
        }
        (items, numbered)
    }

    fn item(&mut self, what: &str, name: ExprId, kind: Option<i32>) -> Item {
        let present = self.variable(
            &format!("{what} is there"),
            ModelType::Bool,
            VariableKind::World,
            Some(ValueSet::All(ModelType::Bool)),
        );
        Item {
            name,
            kind,
            present,
        }
    }
}

/// The value of an integer literal or builtin integer constant.
pub(crate) fn constant_integer(input: Input<'_>, id: ast::ExprId) -> Option<i32> {
    let checked = input.checked;
    let id = checked.ast.without_parentheses(id);
    match checked.ast.expr(id).kind {
        ExprKind::Integer(value) => Some(value),
        ExprKind::Name(_) => match checked.exprs.resolution(id)? {
            Resolution::Constant(constant) => match constant.value {
                facts::Value::Integer(value) => Some(value),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Whether names of items are read once, in a `state_entry` to which no way leads back.
fn is_read_once(input: Input<'_>) -> bool {
    let checked = input.checked;
    let ast = &checked.ast;
    let Some(&[site]) = input
        .survey
        .calls
        .get("llGetInventoryName")
        .map(Vec::as_slice)
    else {
        return false;
    };
    let Some(first) = checked.state_named("default") else {
        return false;
    };
    let Some(entry) = checked.handler_of(first, "state_entry") else {
        return false;
    };
    let is_reset = input.member.is_some_and(|member| member.suffers().reset);
    let comes_back = is_reset
        || input.survey.calls_any(&["llResetScript"])
        || (0..ast.stmt_count())
            .map(ast::StmtId::new)
            .any(|id| checked.target_state(id) == Some(first));
    if comes_back {
        return false;
    }
    // In the handler itself, and in no loop.
    let mut stmts = vec![ast.handler(entry).body];
    let mut exprs = Vec::new();
    while let Some(id) = stmts.pop() {
        let kind = &ast.stmt(id).kind;
        if matches!(
            kind,
            StmtKind::While { .. }
                | StmtKind::DoWhile { .. }
                | StmtKind::For { .. }
                | StmtKind::Jump(_)
        ) {
            return false;
        }
        for_each_part(kind, |expr| exprs.push(expr), |stmt| stmts.push(stmt));
    }
    while let Some(id) = exprs.pop() {
        if id == site {
            return true;
        }
        for_each_operand(ast, id, |operand| exprs.push(operand));
    }
    false
}

fn kind_name(kind: i32) -> &'static str {
    match kind {
        -1 => "item",
        0 => "texture",
        1 => "sound",
        3 => "landmark",
        5 => "clothing",
        6 => "object",
        7 => "notecard",
        10 => "script",
        13 => "body part",
        20 => "animation",
        21 => "gesture",
        56 => "setting",
        57 => "material",
        _ => "item",
    }
}

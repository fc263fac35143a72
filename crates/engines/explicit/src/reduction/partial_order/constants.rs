//! The values of variables that no step changes, so that what they index is known.

use std::collections::HashMap;

use model::{Expr, ExprId, GlobalId, Program, ValueSet, VariableKind};

use crate::ir::layout::flat_value;
use crate::ir::write_set::Written;

/// The values of globals that nothing ever changes and that have one first value.
pub(super) fn frozen(program: &Program, written: &Written) -> HashMap<GlobalId, Vec<i64>> {
    let mut found = HashMap::new();
    for (index, global) in program.globals.iter().enumerate() {
        let steady = matches!(
            global.kind,
            VariableKind::State | VariableKind::World | VariableKind::Frozen
        );
        let mut values = Vec::new();
        if steady
            && !written.globals[index]
            && let Some(ValueSet::One(value)) = global.init
            && flat_constant(program, value, &mut values)
        {
            found.insert(GlobalId::new(index), values);
        }
    }
    found
}

/// The flat values of an expression made of constants only; says whether it is.
fn flat_constant(program: &Program, id: ExprId, out: &mut Vec<i64>) -> bool {
    match program.exprs.get(id) {
        Expr::Const(value) => flat_value(value, out).is_ok(),
        Expr::Tuple(items) => items.iter().all(|&item| flat_constant(program, item, out)),
        _ => false,
    }
}

//! Which questions about what can be reached are answered on the graph that formulas of branching time
//! need anyway.
//!
//! A search of their own has passes that make the program smaller, and leaves out what commutes. Where
//! the passes find nothing to leave out, it would go through the same states once more.

use model::{Claim, Composition, Program, PropertyId};
use passes::{Pass, Selection, pipeline, sizes};

/// Of some properties, those for which a search of their own would cost no less than the graph of these
/// formulas with them.
pub(crate) fn joined(
    program: &Program,
    properties: &[PropertyId],
    formulas: &[PropertyId],
    selection: &Selection,
) -> Vec<PropertyId> {
    if formulas.is_empty() || !matches!(program.composition, Composition::Interleaving { .. }) {
        return Vec::new();
    }
    let alone = sizes(&passes::focus(program, formulas)).bits;
    let mut joined = Vec::new();
    for &property in properties {
        let entry = &program.properties[property.index()];
        let asks = matches!(
            entry.claim,
            Claim::Always(_) | Claim::Check(_) | Claim::NoFault(_)
        );
        if !asks || entry.trigger.is_some() {
            continue;
        }
        let focused = sizes(&passes::focus(program, &[property])).bits;
        // What observers remember makes more states of one.
        if focused > alone {
            continue;
        }
        let reduced = pipeline(program, &[property], selection);
        let merges = reduced
            .report
            .iter()
            .any(|report| report.pass == Some(Pass::Merge) && report.before != report.after);
        if !merges && sizes(&reduced.program).bits == focused {
            joined.push(property);
        }
    }
    joined
}

//! Which variables a thread may still read: others are forgotten, so that configurations that differ
//! only in them are the same (live variables; Aho, Lam, Sethi and Ullman, *Compilers*, section 9.2.5).

use std::collections::BTreeSet;

use crate::code::{Code, Label, LabelInfo, Op, Place, Raise, Ref, Test, Value, VarId};
use crate::contract::next;

/// The variables that are live at each label.
pub(crate) fn live(code: &Code) -> Vec<BTreeSet<VarId>> {
    let mut live: Vec<BTreeSet<VarId>> = code.labels.iter().map(kept).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for edge in code.edges.iter().rev() {
            let mut before = edge.to.map(|to| live[to.0].clone()).unwrap_or_default();
            if let Some(written) = written(&edge.op) {
                before.remove(&written);
            }
            if let Raise::To(raised) = edge.raise {
                before.extend(&live[raised.0]);
            }
            read(&edge.op, &mut before);
            let own: &mut BTreeSet<VarId> = &mut live[edge.from.0];
            let size = own.len();
            own.extend(before);
            changed |= own.len() > size;
        }
    }
    live
}

/// The variables that what is known of a label speaks of.
fn kept(info: &LabelInfo) -> BTreeSet<VarId> {
    let all = info.monitors.iter().chain(&info.released);
    all.filter_map(|one| of_ref(*one)).collect()
}

fn of_ref(reference: Ref) -> Option<VarId> {
    match reference {
        Ref::Var(variable) => Some(variable),
        _ => None,
    }
}

/// The variable that a step writes.
pub(crate) fn written(op: &Op) -> Option<VarId> {
    match op {
        Op::Set(variable, _) | Op::New(variable, _) | Op::Load(variable, _) => Some(*variable),
        _ => None,
    }
}

fn read(op: &Op, found: &mut BTreeSet<VarId>) {
    found.extend(op.base().and_then(of_ref));
    if let Op::Load(_, place) | Op::Store(place, _) = op
        && let Place::Of(base, _) = place
    {
        found.extend(of_ref(*base));
    }
    match op {
        Op::Set(_, value) | Op::Store(_, value) => match value {
            Value::Ref(reference) => found.extend(of_ref(*reference)),
            Value::Flag(variable) => {
                found.insert(*variable);
            }
            Value::Any(_) | Value::Bool(_) | Value::Chosen => {}
        },
        Op::Test(test, _) => match test {
            Test::Same(a, b) => found.extend([*a, *b].into_iter().filter_map(of_ref)),
            Test::Null(a) | Test::Is(a, _) => found.extend(of_ref(*a)),
            Test::Flag(variable) => {
                found.insert(*variable);
            }
            Test::Chosen => {}
        },
        Op::Reacquire(reference) => found.extend(of_ref(*reference)),
        _ => {}
    }
}

/// The labels at which a thread lets others go before it: something that others see may happen there,
/// or it may come there again and again without that.
pub(crate) fn pauses(code: &Code) -> Vec<bool> {
    let mut pauses = vec![true; code.labels.len()];
    let mut local = vec![false; code.labels.len()];
    for edge in &code.edges {
        local[edge.from.0] = true;
    }
    for edge in &code.edges {
        local[edge.from.0] &= edge.op.is_local();
    }
    // Depth first through local labels; what closes a circle pauses.
    let mut done = vec![false; code.labels.len()];
    for start in (0..code.labels.len()).filter(|&label| local[label]) {
        walk(
            code,
            Label(start),
            &local,
            &mut Vec::new(),
            &mut done,
            &mut pauses,
        );
    }
    pauses
}

fn walk(
    code: &Code,
    label: Label,
    local: &[bool],
    way: &mut Vec<Label>,
    done: &mut [bool],
    pauses: &mut [bool],
) {
    if std::mem::replace(&mut done[label.0], true) {
        return;
    }
    pauses[label.0] = false;
    way.push(label);
    for edge in code.edges.iter().filter(|edge| edge.from == label) {
        for to in next(edge).filter(|to| local[to.0]) {
            if way.contains(&to) {
                pauses[to.0] = true;
            } else {
                walk(code, to, local, way, done, pauses);
            }
        }
    }
    way.pop();
}

//! Takes steps away that do nothing, and labels that nothing leads to.

use std::collections::BTreeSet;

use crate::code::{Code, Edge, FieldId, Label, Op, Raise};

/// Makes code smaller, and nothing of what threads do different.
pub(crate) fn contract(code: &mut Code) {
    unread(code);
    let ends: Vec<Option<Option<Label>>> = (0..code.labels.len())
        .map(|label| passed(code, Label(label)))
        .collect();
    let target = |from: Label| -> Option<Label> {
        let mut at = from;
        // As many steps as there are labels, at most: then it is a loop that does nothing.
        for _ in 0..ends.len() {
            match ends[at.0] {
                Some(Some(next)) => at = next,
                Some(None) => return None,
                None => return Some(at),
            }
        }
        Some(from)
    };
    for edge in &mut code.edges {
        edge.to = edge.to.and_then(target);
        if let Raise::To(label) = edge.raise {
            edge.raise = target(label).map_or(Raise::Ends, Raise::To);
        }
    }
    let entry = |label: Label| Some(target(label).unwrap_or(label));
    code.main = code.main.and_then(entry);
    for thread in &mut code.threads {
        thread.entry = thread.entry.and_then(entry);
    }
    reachable(code);
}

/// Where the only step of a label leads, if it does nothing.
fn passed(code: &Code, label: Label) -> Option<Option<Label>> {
    let mut edges = code.edges.iter().filter(|edge| edge.from == label);
    let (only, none) = (edges.next()?, edges.next());
    if none.is_some() || only.op != Op::Skip || only.approximate {
        return None;
    }
    let info = &code.labels[label.0];
    match only.to {
        Some(to) => {
            let next = &code.labels[to.0];
            let same = (&info.monitors, info.released) == (&next.monitors, next.released);
            (same && to != label).then_some(Some(to))
        }
        None => info.monitors.is_empty().then_some(None),
    }
}

/// What hidden fields keep that nobody reads is not kept.
fn unread(code: &mut Code) {
    let loaded: BTreeSet<FieldId> = code
        .edges
        .iter()
        .filter_map(|edge| match edge.op {
            Op::Load(_, place) => Some(place.field()),
            _ => None,
        })
        .chain(code.target)
        .collect();
    for edge in &mut code.edges {
        if let Op::Store(place, _) = edge.op
            && !loaded.contains(&place.field())
            && code.fields[place.field().0].name.contains('$')
            && code.fields[place.field().0].span == source::Span::NONE
        {
            edge.op = Op::Skip;
            edge.raise = Raise::Never;
        }
    }
}

/// Keeps the edges to which something leads.
fn reachable(code: &mut Code) {
    let entries = code.threads.iter().filter_map(|thread| thread.entry);
    let mut open: Vec<Label> = code.main.into_iter().chain(entries).collect();
    let mut known = vec![false; code.labels.len()];
    while let Some(label) = open.pop() {
        if std::mem::replace(&mut known[label.0], true) {
            continue;
        }
        let edges = code.edges.iter().filter(|edge| edge.from == label);
        open.extend(edges.flat_map(next));
    }
    code.edges.retain(|edge| known[edge.from.0]);
}

/// Where a step may lead.
pub(crate) fn next(edge: &Edge) -> impl Iterator<Item = Label> {
    let raised = match edge.raise {
        Raise::To(label) => Some(label),
        Raise::Never | Raise::Ends => None,
    };
    edge.to.into_iter().chain(raised)
}

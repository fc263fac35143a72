//! Work on rows of elements that are there already: joining, marking as atomic, leaving out,
//! covering by an escape.

use super::graph::{BlockKind, ElementId, ElementKind, Graph, Row, SequenceId};

/// Puts an element behind the others of a row.
pub(super) fn append(graph: &mut Graph, row: &mut Row, id: ElementId) {
    match row.last {
        None => row.first = Some(id),
        Some(last) => graph.element_mut(last).next = Some(id),
    }
    row.last = Some(id);
}

/// Marks the elements, and all inside of them, as inside of an atomic block (or a `d_step`).
pub(super) fn walk_atomic(graph: &mut Graph, elements: &[ElementId], deterministic: bool) {
    for &id in elements {
        let element = graph.element_mut(id);
        element.keeps = true;
        let inner: Vec<SequenceId> = match &mut element.kind {
            ElementKind::Block(BlockKind::Deterministic, _) if !deterministic => Vec::new(),
            ElementKind::Block(kind, row) => {
                *kind = BlockKind::Plain;
                vec![*row]
            }
            ElementKind::Choice(rows) => rows.clone(),
            ElementKind::Unless(main, escape) => vec![*main, *escape],
            _ => Vec::new(),
        };
        for row in inner {
            let elements = graph.whole(row);
            walk_atomic(graph, &elements, deterministic);
        }
    }
}

/// Removes a skip behind another skip, as SPIN does in options.
pub(super) fn prune_skips(graph: &mut Graph, row: SequenceId) {
    let limits = graph.row(row);
    let mut before: Option<ElementId> = None;
    let mut count = 0;
    for id in graph.written(row) {
        let element = graph.element(id);
        if !element.is_skip() || !element.labels.is_empty() {
            count = 0;
            before = Some(id);
            continue;
        }
        count += 1;
        let removable =
            count > 1 && !element.prints() && Some(id) != limits.first && Some(id) != limits.last;
        if removable && let Some(before) = before {
            let next = element.next;
            graph.element_mut(before).next = next;
        } else {
            before = Some(id);
        }
    }
}

/// Covers the elements of a sequence, and all inside of them, with an escape.
pub(super) fn attach(graph: &mut Graph, row: SequenceId, escape: SequenceId) {
    for id in graph.written(row) {
        cover(graph, id, escape);
    }
}

fn cover(graph: &mut Graph, id: ElementId, escape: SequenceId) {
    let inner = graph.element(id).escapes.clone();
    if inner.contains(&escape) {
        return;
    }
    // Inner escapes are covered by outer ones too.
    for inner in inner {
        attach(graph, inner, escape);
    }
    graph.element_mut(id).escapes.insert(0, escape);
    match graph.element(id).kind.clone() {
        ElementKind::Unless(main, _) => attach(graph, main, escape),
        ElementKind::Choice(rows) => {
            for row in rows {
                attach(graph, row, escape);
            }
        }
        // Only as a whole.
        ElementKind::Block(BlockKind::Deterministic, row) => {
            let first = graph.first(row);
            cover(graph, first, escape);
        }
        ElementKind::Block(_, row) => attach(graph, row, escape),
        _ => {}
    }
}

//! Statements that no control flow leads to: behind a loop without an exit, or behind a `goto`.
//!
//! They never become part of the program, which holds only what can be reached from the entry;
//! a report on unreached statements names them all the same.

use source::Span;

use super::build::Body;
use super::graph::{ElementId, ElementKind};

impl Body {
    /// Where they are written. Those that do nothing are left out: some are cut away though
    /// control passes their place.
    pub fn unlinked(&self) -> Vec<Span> {
        let mut linked = vec![false; self.graph.elements().count()];
        let mut waiting: Vec<ElementId> = vec![self.start];
        while let Some(id) = waiting.pop() {
            if std::mem::replace(&mut linked[id.index()], true) {
                continue;
            }
            let element = self.graph.element(id);
            match &element.kind {
                ElementKind::Jump(jump) => waiting.extend(self.graph.destination(jump)),
                // What stands last inside is followed by what comes behind.
                ElementKind::Choice(rows) => {
                    waiting.extend(rows.iter().map(|&row| self.graph.first(row)));
                }
                ElementKind::Block(_, row) => waiting.push(self.graph.first(*row)),
                ElementKind::Unless(main, escape) => {
                    waiting.extend([*main, *escape].map(|row| self.graph.first(row)));
                    waiting.extend(element.next);
                }
                _ => waiting.extend(element.next),
            }
        }
        self.graph
            .elements()
            .filter(|(id, element)| {
                !linked[id.index()] && element.statement().is_some() && !element.is_skip()
            })
            .map(|(_, element)| element.span)
            .collect()
    }
}

//! Control states and their transitions.
//!
//! From the end of a statement one looks for the next element that is a control state: jumps,
//! joins and loop exits are passed over, but not where that would leave an atomic block (leaving
//! one is a transition). The transitions of a selection or a block are those of its first
//! statements.

use source::{Diagnostic, Diagnostics};

use super::build::Body;
use super::graph::{BlockKind, ElementId, ElementKind, SequenceId};
use crate::codes::rules;

/// A transition of a control state: a basic statement, jump, or `d_step`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The element that is executed.
    pub element: ElementId,
    /// The control state that it leads to.
    pub target: ElementId,
    /// Whether control is kept: inside of an atomic block.
    pub keeps: bool,
}

/// More hops than any sensible text needs are a circle.
const MAX_HOPS: usize = 100_000;

impl Body {
    /// The control state where a body begins.
    pub fn entry(&self, diagnostics: &mut Diagnostics) -> ElementId {
        let keeps = self.graph.element(self.start).keeps;
        self.hunt(self.start, keeps, diagnostics)
    }

    /// The control state found from an element on. `inside`: the statement before is in an atomic
    /// block and keeps control.
    pub fn hunt(&self, from: ElementId, inside: bool, diagnostics: &mut Diagnostics) -> ElementId {
        let mut at = from;
        for _ in 0..MAX_HOPS {
            let element = self.graph.element(at);
            let next = match &element.kind {
                ElementKind::Jump(jump) => self.graph.destination(jump),
                ElementKind::Join | ElementKind::LoopExit => element.next,
                ElementKind::Unless(main, _) => Some(self.graph.first(*main)),
                _ => None,
            };
            let Some(next) = next else {
                return at;
            };
            if inside && !self.graph.element(next).keeps {
                return at;
            }
            at = next;
        }
        let message = "these jumps lead nowhere but to each other";
        let error = Diagnostic::error(rules::GOTO_LOOP, message);
        let error = error.at(self.graph.element(from).span);
        // Several ways may lead here.
        if !diagnostics.iter().any(|other| *other == error) {
            diagnostics.push(error);
        }
        from
    }

    /// The first element of an option or block that counts.
    fn hunt_start(&self, mut at: ElementId) -> ElementId {
        for _ in 0..MAX_HOPS {
            let element = self.graph.element(at);
            at = match (&element.kind, element.next) {
                (ElementKind::Join, Some(next)) => next,
                (ElementKind::Unless(main, _), _) => self.graph.first(*main),
                _ => break,
            };
        }
        at
    }

    /// The transitions of a control state, in order.
    pub fn transitions(&self, state: ElementId, diagnostics: &mut Diagnostics) -> Vec<Transition> {
        let mut found = Vec::new();
        self.collect(state, &mut found, diagnostics);
        found
    }

    fn collect(
        &self,
        state: ElementId,
        found: &mut Vec<Transition>,
        diagnostics: &mut Diagnostics,
    ) {
        let element = self.graph.element(state);
        match &element.kind {
            ElementKind::Choice(rows) => {
                for &row in rows {
                    self.collect(self.hunt_start(self.graph.first(row)), found, diagnostics);
                }
            }
            ElementKind::Block(BlockKind::Plain | BlockKind::Atomic, row) => {
                self.collect(self.hunt_start(self.graph.first(*row)), found, diagnostics);
            }
            ElementKind::End => {}
            _ => {
                let next = match &element.kind {
                    ElementKind::Jump(jump) => self.graph.destination(jump),
                    _ => element.next,
                };
                let Some(next) = next else {
                    return;
                };
                let target = self.hunt(next, element.keeps, diagnostics);
                found.push(Transition {
                    element: state,
                    target,
                    keeps: element.keeps,
                });
            }
        }
    }

    /// The escapes of a control state by precedence, highest first: each given by the control
    /// state whose transitions it offers.
    pub fn escapes(&self, state: ElementId, diagnostics: &mut Diagnostics) -> Vec<ElementId> {
        let mut order: Vec<ElementId> = Vec::new();
        for transition in self.transitions(state, diagnostics) {
            let element = self.graph.element(transition.element);
            if matches!(element.kind, ElementKind::Join) {
                continue;
            }
            for &escape in element.escapes.iter().rev() {
                let at = self.hunt(self.graph.first(escape), element.keeps, diagnostics);
                if !order.contains(&at) {
                    order.insert(0, at);
                }
            }
        }
        order
    }

    /// The first element of a sequence that counts.
    pub fn start_of(&self, row: SequenceId) -> ElementId {
        self.hunt_start(self.graph.first(row))
    }
}

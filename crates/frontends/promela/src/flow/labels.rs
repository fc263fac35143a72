//! Labels: where they are put, and which one a jump means.
//!
//! Labels of one name may stand in several blocks (an inline definition that is used twice has its
//! own each time). A jump means the one in its own block, else one in a block around it, else any.

use source::{Diagnostic, Diagnostics};

use super::build::Body;
use super::graph::{ElementId, ElementKind, Jump};
use super::scope::ScopeId;
use crate::ast::Ident;
use crate::codes::{names, rules};

/// A label and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub(super) ident: Ident,
    pub(super) scope: ScopeId,
    pub(super) element: ElementId,
}

impl Body {
    /// The element with a label, as seen from outside of the process.
    #[must_use]
    pub fn labelled(&self, name: &str) -> Option<ElementId> {
        let found = self.labels.iter().find(|label| &*label.ident.name == name);
        found.map(|label| label.element)
    }

    /// Finds the targets of all jumps to labels.
    pub(super) fn resolve_jumps(&mut self, diagnostics: &mut Diagnostics) {
        for index in 0..self.graph.elements.len() {
            let element = &self.graph.elements[index];
            let ElementKind::Jump(Jump::Label(ident, None)) = &element.kind else {
                continue;
            };
            let ident = ident.clone();
            let from = (element.scope, element.d_step);
            let candidates = self.labels.iter().filter(|l| l.ident.name == ident.name);
            let best = candidates.min_by_key(|label| {
                let distance = self.scopes.distance(from.0, label.scope);
                distance.unwrap_or(usize::MAX)
            });
            let Some(label) = best else {
                let mut diagnostic =
                    Diagnostic::error(names::NO_LABEL, format!("no label `{}`", ident.name))
                        .at(ident.span);
                if let Some(close) = closest(&ident.name, &self.labels) {
                    diagnostic = diagnostic.help(format!("a label `{close}` exists"));
                }
                diagnostics.push(diagnostic);
                continue;
            };
            let target = label.element;
            if self.graph.element(target).d_step != from.1 {
                diagnostics.push(
                    Diagnostic::error(rules::MISPLACED, "a jump into or out of a `d_step`")
                        .at(ident.span)
                        .label(label.ident.span, "to here"),
                );
            }
            self.graph.elements[index].kind = ElementKind::Jump(Jump::Label(ident, Some(target)));
        }
    }

    /// A label on a jump is no control state; if it is referred to from elsewhere, or says that
    /// something ends, progresses or is accepted there, it becomes one.
    pub(super) fn keep_labels_of_jumps(&mut self, wanted: impl Fn(&str) -> bool) {
        let speaks = |name: &str| {
            let prefixes = ["end", "progress", "accept"];
            wanted(name) || prefixes.iter().any(|prefix| name.starts_with(prefix))
        };
        for index in 0..self.graph.elements.len() {
            let element = &self.graph.elements[index];
            let jumps = matches!(element.kind, ElementKind::Jump(_));
            if !jumps || !element.labels.iter().any(|label| speaks(&label.name)) {
                continue;
            }
            let mut jump = element.clone();
            jump.labels.clear();
            let id = self.push(jump);
            let skip = &mut self.graph.elements[index];
            skip.kind = ElementKind::Skip;
            skip.next = Some(id);
        }
    }
}

fn closest<'a>(name: &str, labels: &'a [Label]) -> Option<&'a str> {
    let lower = name.to_lowercase();
    labels
        .iter()
        .map(|label| &*label.ident.name)
        .find(|known| known.to_lowercase() == lower || known.starts_with(name))
}

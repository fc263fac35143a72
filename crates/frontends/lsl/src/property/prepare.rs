//! From annotations to properties, with lowering in between.

use source::{Diagnostic, Diagnostics};

use super::resolve::{self, Resolved};
use super::syntax::{Annotations, Bound};
use super::{standing, validate, weave};
use crate::check::Checked;
use crate::lower::{Hazards, Lowered};
use crate::watch::{Bounds, Watch};

/// Annotations that have been checked against their script.
#[derive(Debug)]
pub struct Prepared {
    annotations: Annotations,
    resolved: Resolved,
    hazards: Hazards,
    /// The ranges that the file and the command line state.
    pub bounds: Bounds,
}

/// Checks annotations against their script. `command_line` overrides the bounds of the file.
pub fn prepare(
    annotations: Annotations,
    command_line: &[Bound],
    checked: &mut Checked,
    diagnostics: &mut Diagnostics,
) -> Prepared {
    validate::validate(&annotations, diagnostics);
    let mut bounds = Bounds::default();
    for bound in annotations.bounds.iter().chain(command_line) {
        bounds.state(&bound.name, bound.lo, bound.hi, bound.span);
    }
    for bound in command_line {
        let Err(diagnostic) = validate::bound_name(bound) else {
            continue;
        };
        let text = format!("--bound {}={}", bound.name, bound.text);
        diagnostics.push(Diagnostic {
            message: format!("{text}: {}", diagnostic.message),
            ..*diagnostic
        });
    }
    let resolved = resolve::resolve(&annotations, checked, diagnostics);
    let hazards = Hazards::of(checked);
    let prepared = Prepared {
        annotations,
        resolved,
        hazards,
        bounds,
    };
    prepared.with_hazards(hazards)
}

impl Prepared {
    /// Whether neither the file nor the command line states anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.claims_nothing() && self.bounds.ranges.is_empty()
    }

    /// Whether they state nothing but bounds.
    pub(crate) fn claims_nothing(&self) -> bool {
        let annotations = &self.annotations;
        annotations.properties.is_empty()
            && annotations.unread.is_empty()
            && annotations.ghosts.is_empty()
            && annotations.assumptions.is_empty()
    }

    /// The directives that it consists of.
    pub(crate) fn annotations(&self) -> &Annotations {
        &self.annotations
    }

    /// The run-time errors that the script's text makes possible.
    pub(crate) fn hazards(&self) -> Hazards {
        self.hazards
    }

    /// The same, with the run-time errors of another script: the one for which this one stands.
    pub(crate) fn with_hazards(mut self, hazards: Hazards) -> Prepared {
        self.hazards = hazards;
        let watched = standing::watched(hazards);
        if !watched.is_empty() {
            self.resolved.watch.during.insert("money".to_owned());
            let watched = watched.into_iter().map(str::to_owned);
            self.resolved.watch.calls.extend(watched);
        }
        self
    }

    /// The same, for a script that asks for what all scripts beside it receive.
    pub(crate) fn with_all_payments(mut self) -> Prepared {
        self.resolved.watch.all_payments = true;
        self
    }

    /// The same, for a script whose ghosts of these names are also those of others.
    pub(crate) fn with_ghosts_in_common(mut self, names: &'static [&'static str]) -> Prepared {
        self.resolved.in_common = names;
        self
    }

    /// Whether all scripts have the ghost of this name in common.
    pub(crate) fn has_in_common(&self, ghost: &str) -> bool {
        self.resolved.in_common.contains(&ghost)
    }

    /// Whether what the script claims of its payments is about those of all scripts.
    pub(crate) fn adds_up(&self) -> bool {
        !self.resolved.in_common.is_empty()
    }

    /// What lowering must show of the script.
    #[must_use]
    pub fn watch(&self) -> &Watch {
        &self.resolved.watch
    }

    /// Has it visible which statements are executed.
    pub(crate) fn mark_statements(&mut self) {
        self.resolved.watch.statements = true;
    }

    /// Puts the properties into the lowered program.
    pub fn weave(&self, lowered: &mut Lowered, checked: &Checked) {
        weave::weave(
            lowered,
            checked,
            &self.annotations,
            &self.resolved,
            self.hazards,
        );
    }
}

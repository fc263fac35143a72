//! Small changes of a script that no property notices.

use model::Program;
use source::{SourceMap, Span};

use crate::story::{FailureOf, Narrator};
use crate::values::{FileReport, MutantReport, Mutants};

impl Mutants {
    /// None was tried, for this reason.
    #[must_use]
    pub fn not_tried(why: &str) -> Mutants {
        Mutants {
            why: Some(why.to_owned()),
            ..Mutants::default()
        }
    }
}

impl MutantReport {
    /// A change at a place of a script; `new` is what stands there afterwards, none if it is left out.
    #[must_use]
    pub fn new(
        sources: &SourceMap,
        program: &Program,
        span: Span,
        old: &str,
        new: Option<&String>,
    ) -> MutantReport {
        let narrator = Narrator::new(sources, program, FailureOf::None);
        MutantReport {
            line: narrator.line(span),
            old: old.split_whitespace().collect::<Vec<_>>().join(" "),
            new: new.cloned(),
        }
    }
}

impl FileReport {
    /// The same report, with what is known of changes that no property notices.
    #[must_use]
    pub fn with_mutants(mut self, mutants: Mutants) -> FileReport {
        self.mutants = Some(mutants);
        self
    }
}

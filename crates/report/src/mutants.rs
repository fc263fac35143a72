//! Small changes of a script that no property notices.

use model::Program;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use source::{SourceMap, Span};

use crate::story::{FailureOf, Narrator};
use crate::values::{FileReport, Line};

/// Which small changes of a script leave all properties as they are that hold.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Mutants {
    /// Why none was tried, as a sentence without its end; none if they were.
    pub why: Option<String>,
    /// How many changes made a property fail, or hold for no reason any more.
    pub noticed: usize,
    /// After how many it is not known whether all still holds.
    pub open: usize,
    /// For how many there was no time.
    pub untried: usize,
    /// Those after which all still holds, in the order of the script.
    pub unnoticed: Vec<MutantReport>,
}

/// A change of a script.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MutantReport {
    /// Where it is.
    pub line: Option<Line>,
    /// What stands there, on one line.
    pub old: String,
    /// What stood there instead; none if it was left out.
    pub new: Option<String>,
}

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

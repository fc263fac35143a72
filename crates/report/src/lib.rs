//! What Probity tells people: one [`Report`] value, and its outputs.
//!
//! A report is built from a [`Program`](model::Program), the texts it came from and the
//! [`Outcome`](verify::Outcome)s of its verification. Everything an output needs is in the value,
//! so the text for a terminal ([`text`]), the JSON ([`Report::to_json`]), the page for a browser
//! ([`html`](html())) and what build servers read ([`Report::to_sarif`], [`Report::to_junit`],
//! [`Report::to_annotations`]) say the same.
//!
//! ```
//! use model::{Claim, Program, Property, Statistics, Strength, Type, Value, Variable, Verdict};
//! use report::{FileReport, Report, Required, TextOptions};
//! use source::{SourceMap, Span};
//!
//! // A program that does nothing, and one property of it.
//! let mut sources = SourceMap::new();
//! let file = sources.add("door.lsl", "integer open; //@ property shut: never open;");
//! let mut program = Program::new("door", "LSL");
//! let yes = program.exprs.bool(true);
//! let property = program.add_property(Property {
//!     name: "shut".into(),
//!     text: "never open".into(),
//!     span: Span::NONE,
//!     claim: Claim::Always(yes),
//!     trigger: None,
//!     observers: Vec::new(),
//!     assumptions: Vec::new(),
//! });
//! let outcome = verify::Outcome {
//!     property,
//!     verdict: Verdict::Holds { strength: Strength::Proved, assumptions: Vec::new() },
//!     engine: verify::Engine::Explicit,
//!     statistics: Statistics { states: 1, ..Statistics::default() },
//!     shared_by: 1,
//!     may_be_shorter: false,
//!     passes: Vec::new(),
//!     replay: None,
//!     audited: verify::Audited::Nothing,
//!     facts: Vec::new(),
//!     evidence: None,
//!     way: None,
//!     others: Vec::new(),
//!     others_cut: false,
//!     sampled: verify::Sampled::default(),
//!     program: None,
//! };
//!
//! let file = FileReport::checked("door.lsl", &sources, &program, &[outcome], &[]);
//! let report = Report::new(vec![file], Required::Exhausted);
//! assert_eq!(report.status, 0);
//! let text = report::text(&report, TextOptions::default());
//! assert!(text.contains("holds"));
//! assert!(text.ends_with("1 property: 1 holds. Exit status 0: every property holds.\n"));
//! ```

mod assemble;
mod channels;
mod configurations;
mod cubes;
mod ending;
mod graphs;
mod html;
mod joined;
mod json;
mod log_lines;
mod mutants;
mod pipeline;
mod policy_diff;
mod printed;
mod reasons;
mod shown;
mod statements;
mod story;
mod text;
mod trace_file;
mod values;
mod verdict_by_process;
mod ways;
mod wide_number;

pub use assemble::shell_command;
pub use configurations::beginning;
pub use graphs::dot;
pub use html::{Sequence, html};
pub use json::{schema, trace_schema};
pub use policy_diff::{CallChange, Can, POLICY_DIFF_VERSION, PolicyDiff};
pub use printed::{mentions, value_text};
pub use shown::shown;
pub use story::{FailureOf, Narrator};
pub use text::{
    TextOptions, beginning_line, file_text, step_lines, summary_text, text, time, waiting_lines,
};
pub use trace_file::{
    TRACE_VERSION, TraceFile, TraceFileError, TraceValue, TracedMove, TracedPart, TracedProperty,
    TracedStep, content_digest,
};
pub use values::{
    AssumptionMade, Change, DiagnosticReport, Ending, EvidenceReport, FileReport, First, Happening,
    HappeningKind, Holder, Line, Measured, MutantReport, Mutants, Named, Origin, PassReport,
    PropertyReport, REPORT_VERSION, Report, Required, ShapeEdge, ShapeGraph, ShapeNode,
    SizesReport, SourceText, StatisticsReport, Story, StoryStep, Strength, Summary,
    UnreachedReport, UnreachedStatement, VerdictWord, Waiting,
};

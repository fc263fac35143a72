//! Runs as files, so that they can be replayed later.
//!
//! A file holds the choices of each run, as a [`Trace`] does, with values written out by their
//! structure: interned ids mean nothing outside of one run of Probity. Reading one back promises
//! nothing; whether the program has such a run is for the interpreter to say.

use model::{
    Action, MacroStep, Move, Part, Pointer, ProcedureId, Program, Rich, StepId, Trace, Value,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use source::SourceMap;
use thiserror::Error;

/// The version of the trace file's form.
pub const TRACE_VERSION: u32 = 2;

/// The first version; files of it say nothing of what they were made from.
const FIRST_VERSION: u32 = 1;

/// Values nested deeper than this are refused.
const DEEPEST: u32 = 100;

/// Runs of one program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TraceFile {
    /// The version of this form; 2.
    pub version: u32,
    /// The script, as it was named.
    pub file: String,
    /// A digest of the texts that the runs were found in (SHA-256 in hexadecimal digits).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The bounds in force, as given on the command line.
    pub bounds: Vec<String>,
    /// The macros in force, as given on the command line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defines: Vec<String>,
    /// The runs.
    pub traces: Vec<TracedProperty>,
}

/// A run, and the property that it violates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TracedProperty {
    /// The property; none for a run that shows nothing in particular.
    pub property: Option<String>,
    /// What it says, if it is none of the file's own but was given on the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The choices of the initial state.
    pub initial: Vec<TraceValue>,
    /// The macro steps.
    pub steps: Vec<TracedStep>,
    /// The run goes on for ever by repeating the steps from this position (from 0) on.
    pub repeats_from: Option<usize>,
    /// A digest of all this, as it was when the run was kept (SHA-256 in hexadecimal digits).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<String>,
}

/// A macro step.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TracedStep {
    /// Its moves.
    pub moves: Vec<TracedMove>,
}

/// A move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TracedMove {
    /// Who takes which step.
    pub parts: Vec<TracedPart>,
    /// The values chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<TraceValue>,
}

/// A part of a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TracedPart {
    /// The number of the instance.
    pub instance: u32,
    /// The step of its process; none if the instance goes away.
    pub step: Option<u32>,
}

/// A value by its structure.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TraceValue {
    /// A truth value.
    Bool(bool),
    /// A number, in decimal digits.
    Int(String),
    /// Text.
    Text(String),
    /// The bits of a double, in hexadecimal digits.
    Float(String),
    /// A term.
    Term {
        /// The functor.
        functor: String,
        /// The arguments.
        args: Vec<TraceValue>,
    },
    /// A pointer to nothing.
    Null,
    /// A pointer to an object that is gone.
    Dangling,
    /// A pointer to a cell.
    Cell {
        /// The object.
        object: u32,
        /// The cell's offset.
        offset: u32,
    },
    /// A procedure.
    Procedure(u32),
    /// The elements of an array or the fields of a record.
    Tuple(Vec<TraceValue>),
}

/// Why a trace file is none.
#[derive(Debug, Error)]
pub enum TraceFileError {
    /// It is not JSON of the right form.
    #[error("read the trace file: {0}")]
    Json(#[from] serde_json::Error),
    /// It has a version that this Probity does not know.
    #[error(
        "read the trace file: it has version {0}, and only versions {FIRST_VERSION} to {TRACE_VERSION} are known"
    )]
    Version(u32),
    /// A number in it is none.
    #[error("read the trace file: `{0}` is no number")]
    Number(String),
    /// A value is nested too deeply.
    #[error("read the trace file: a value is nested too deeply")]
    Depth,
}

impl TraceFile {
    /// The file as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text =
            serde_json::to_string(self).expect("a trace holds nothing that JSON cannot say");
        text.push('\n');
        text
    }

    /// Reads a file back.
    ///
    /// # Errors
    /// If the text is no trace file of a known version.
    pub fn from_json(text: &str) -> Result<TraceFile, TraceFileError> {
        let file: TraceFile = serde_json::from_str(text)?;
        if !(FIRST_VERSION..=TRACE_VERSION).contains(&file.version) {
            return Err(TraceFileError::Version(file.version));
        }
        Ok(file)
    }
}

impl TracedProperty {
    /// A run of `program`, written out.
    #[must_use]
    pub fn new(program: &Program, property: Option<&str>, trace: &Trace) -> TracedProperty {
        let values = |values: &[Value]| values.iter().map(|v| write(program, v)).collect();
        let mut traced = TracedProperty {
            property: property.map(str::to_owned),
            text: None,
            initial: values(&trace.initial),
            steps: trace
                .steps
                .iter()
                .map(|step| TracedStep {
                    moves: step
                        .moves
                        .iter()
                        .map(|made| TracedMove {
                            parts: made.parts.iter().map(|part| traced(*part)).collect(),
                            choices: values(&made.choices),
                        })
                        .collect(),
                })
                .collect(),
            repeats_from: trace.loop_start,
            seal: None,
        };
        traced.seal = Some(traced.digest());
        traced
    }

    /// The same run, of a property that was given on the command line.
    #[must_use]
    pub fn with_text(mut self, text: Option<&String>) -> TracedProperty {
        self.text = text.cloned();
        self.seal = Some(self.digest());
        self
    }

    /// Whether the run is still what it was when it was kept, as far as the file says.
    #[must_use]
    pub fn is_unbroken(&self) -> bool {
        self.seal.as_ref().is_none_or(|seal| *seal == self.digest())
    }

    /// The digest of everything but the seal.
    fn digest(&self) -> String {
        let bare = TracedProperty {
            seal: None,
            ..self.clone()
        };
        let text =
            serde_json::to_string(&bare).expect("a trace holds nothing that JSON cannot say");
        hexadecimal(Sha256::new().chain_update(text))
    }

    /// The run, with its values interned in the program's table.
    ///
    /// # Errors
    /// If a number is none, or a value nested too deeply.
    pub fn trace(&self, program: &Program) -> Result<Trace, TraceFileError> {
        let values = |values: &[TraceValue]| {
            values
                .iter()
                .map(|v| read(program, v, DEEPEST))
                .collect::<Result<Vec<_>, _>>()
        };
        let mut steps = Vec::new();
        for step in &self.steps {
            let mut moves = Vec::new();
            for made in &step.moves {
                moves.push(Move {
                    parts: made
                        .parts
                        .iter()
                        .map(|part| Part {
                            instance: part.instance,
                            action: part
                                .step
                                .map_or(Action::Leave, |step| Action::Step(StepId(step))),
                        })
                        .collect(),
                    choices: values(&made.choices)?,
                });
            }
            steps.push(MacroStep { moves });
        }
        Ok(Trace {
            initial: values(&self.initial)?,
            steps,
            loop_start: self.repeats_from,
        })
    }
}

/// A digest of the texts that a program was read from; what the command line adds is none of them.
#[must_use]
pub fn content_digest(sources: &SourceMap) -> String {
    let mut digest = Sha256::new();
    for file in sources
        .files()
        .filter(|file| !file.name().starts_with("--"))
    {
        digest.update(file.len().to_be_bytes());
        digest.update(file.text());
    }
    hexadecimal(digest)
}

fn hexadecimal(digest: Sha256) -> String {
    let bytes = digest.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn traced(part: Part) -> TracedPart {
    TracedPart {
        instance: part.instance,
        step: match part.action {
            Action::Step(step) => Some(step.0),
            Action::Leave => None,
        },
    }
}

fn write(program: &Program, value: &Value) -> TraceValue {
    let all = |items: &[Value]| items.iter().map(|item| write(program, item)).collect();
    match value {
        Value::Bool(truth) => TraceValue::Bool(*truth),
        Value::Int(number) => TraceValue::Int(number.to_string()),
        Value::Rich(id) => match &*program.rich.get(*id) {
            Rich::Text(text) => TraceValue::Text(text.to_string()),
            Rich::Float(bits) => TraceValue::Float(format!("{bits:016x}")),
            Rich::Term { functor, args } => TraceValue::Term {
                functor: functor.to_string(),
                args: all(args),
            },
        },
        Value::Pointer(Pointer::Null) => TraceValue::Null,
        Value::Pointer(Pointer::Dangling) => TraceValue::Dangling,
        Value::Pointer(Pointer::Cell { object, offset }) => TraceValue::Cell {
            object: *object,
            offset: *offset,
        },
        Value::Procedure(id) => TraceValue::Procedure(id.0),
        Value::Tuple(items) => TraceValue::Tuple(all(items)),
    }
}

fn read(program: &Program, value: &TraceValue, depth: u32) -> Result<Value, TraceFileError> {
    if depth == 0 {
        return Err(TraceFileError::Depth);
    }
    let all = |items: &[TraceValue]| {
        items
            .iter()
            .map(|item| read(program, item, depth - 1))
            .collect::<Result<Vec<_>, _>>()
    };
    Ok(match value {
        TraceValue::Bool(truth) => Value::Bool(*truth),
        TraceValue::Int(digits) => Value::Int(
            digits
                .parse()
                .map_err(|_| TraceFileError::Number(digits.clone()))?,
        ),
        TraceValue::Text(text) => program.rich.text(text),
        TraceValue::Float(digits) => {
            let bits = u64::from_str_radix(digits, 16)
                .map_err(|_| TraceFileError::Number(digits.clone()))?;
            Value::Rich(program.rich.intern(Rich::Float(bits)))
        }
        TraceValue::Term { functor, args } => program.rich.term(functor, all(args)?),
        TraceValue::Null => Value::Pointer(Pointer::Null),
        TraceValue::Dangling => Value::Pointer(Pointer::Dangling),
        TraceValue::Cell { object, offset } => Value::Pointer(Pointer::Cell {
            object: *object,
            offset: *offset,
        }),
        TraceValue::Procedure(id) => Value::Procedure(ProcedureId(*id)),
        TraceValue::Tuple(items) => Value::Tuple(all(items)?.into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_survives_the_file_in_another_table() {
        let here = Program::new("t", "t");
        let bob = here.rich.term("key", [here.rich.text("Bob")]);
        let trace = Trace {
            initial: vec![Value::Bool(true), here.rich.float(-0.0)],
            steps: vec![MacroStep {
                moves: vec![Move {
                    parts: vec![
                        Part {
                            instance: 1,
                            action: Action::Step(StepId(7)),
                        },
                        Part {
                            instance: 2,
                            action: Action::Leave,
                        },
                    ],
                    choices: vec![bob, Value::Int(i128::MIN)],
                }],
            }],
            loop_start: Some(1),
        };
        let file = TraceFile {
            version: TRACE_VERSION,
            file: "a.lsl".into(),
            content: None,
            bounds: Vec::new(),
            defines: Vec::new(),
            traces: vec![TracedProperty::new(&here, Some("p"), &trace)],
        };
        let back = TraceFile::from_json(&file.to_json()).unwrap();
        let there = Program::new("t", "t");
        there.rich.text("something else comes first");
        let read = back.traces[0].trace(&there).unwrap();
        assert_eq!(
            TracedProperty::new(&there, Some("p"), &read),
            file.traces[0]
        );
        assert_eq!(read.steps[0].moves[0].parts, trace.steps[0].moves[0].parts);
    }

    #[test]
    fn a_run_that_was_changed_is_told_from_one_that_was_not() {
        let program = Program::new("t", "t");
        let step = MacroStep { moves: Vec::new() };
        let trace = Trace {
            initial: Vec::new(),
            steps: vec![step; 3],
            loop_start: None,
        };
        let mut traced = TracedProperty::new(&program, Some("p"), &trace);
        assert!(traced.is_unbroken());
        traced.steps.pop();
        assert!(!traced.is_unbroken());
        traced.seal = None;
        assert!(traced.is_unbroken(), "an older file says nothing");
    }

    #[test]
    fn what_is_no_trace_is_refused() {
        assert!(TraceFile::from_json("{").is_err());
        let other = r#"{"version":9,"file":"","bounds":[],"traces":[]}"#;
        assert!(matches!(
            TraceFile::from_json(other),
            Err(TraceFileError::Version(9))
        ));
        let program = Program::new("t", "t");
        assert!(read(&program, &TraceValue::Int("ten".into()), DEEPEST).is_err());
    }
}

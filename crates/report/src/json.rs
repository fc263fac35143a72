//! The report as JSON, and the JSON Schemas of what Probity writes.

use serde_json::Value;

use crate::trace_file::TraceFile;
use crate::values::Report;

impl Report {
    /// The report as JSON, indented, with a final line break.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self)
            .expect("a report holds nothing that JSON cannot say");
        text.push('\n');
        text
    }
}

/// The JSON Schema of [`Report`], indented.
#[must_use]
pub fn schema() -> String {
    pretty(schemars::schema_for!(Report).as_value())
}

/// The JSON Schema of [`TraceFile`], indented.
#[must_use]
pub fn trace_schema() -> String {
    pretty(schemars::schema_for!(TraceFile).as_value())
}

fn pretty(schema: &Value) -> String {
    let mut text = serde_json::to_string_pretty(schema).expect("a schema is JSON");
    text.push('\n');
    text
}

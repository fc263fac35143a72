//! The report as JSON, and the JSON Schemas of what Probity writes.

use schemars::Schema;
use serde_json::Value;

use crate::trace_file::{TRACE_VERSION, TraceFile};
use crate::values::{REPORT_VERSION, Report};

impl Report {
    /// The report as JSON, indented, with a final line break.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self)
            .expect("a report holds nothing that JSON cannot say");
        text.push('\n');
        escaped(text)
    }
}

/// The same JSON, with what a terminal does not show written by its number. Outside of its strings
/// JSON has no such characters.
fn escaped(json: String) -> String {
    if let std::borrow::Cow::Borrowed(_) = source::shown(&json) {
        return json;
    }
    let mut out = String::with_capacity(json.len());
    let mut buffer = [0; 4];
    for c in json.chars() {
        match source::shown(c.encode_utf8(&mut buffer)) {
            std::borrow::Cow::Borrowed(_) => out.push(c),
            std::borrow::Cow::Owned(_) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out
}

/// The JSON Schema of [`Report`], indented.
#[must_use]
pub fn schema() -> String {
    pretty(&identified(
        schemars::schema_for!(Report),
        "report",
        REPORT_VERSION,
    ))
}

/// The JSON Schema of [`TraceFile`], indented.
#[must_use]
pub fn trace_schema() -> String {
    pretty(&identified(
        schemars::schema_for!(TraceFile),
        "trace",
        TRACE_VERSION,
    ))
}

/// A schema with the name by which others refer to it.
fn identified(mut schema: Schema, name: &str, version: u32) -> Value {
    schema.insert(
        "$id".to_owned(),
        format!("urn:probity:{name}:{version}").into(),
    );
    schema.to_value()
}

fn pretty(schema: &Value) -> String {
    let mut text = serde_json::to_string_pretty(schema).expect("a schema is JSON");
    text.push('\n');
    text
}

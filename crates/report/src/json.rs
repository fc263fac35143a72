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
        escaped(&text)
    }
}

/// The same JSON, with what a terminal does not show written by its number. Outside of its strings
/// JSON has no such characters.
fn escaped(json: &str) -> String {
    if let std::borrow::Cow::Borrowed(_) = source::shown(json) {
        return json.to_owned();
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

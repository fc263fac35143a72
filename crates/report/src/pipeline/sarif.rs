//! The report as SARIF, for code scanners and editors.
//!
//! OASIS, *Static Analysis Results Interchange Format (SARIF) Version 2.1.0* (2020). A run that shows a
//! failure is a code flow (§3.36): its locations are the lines of the script, in order, each with what
//! happens there.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{place, sentence};
use crate::values::{FileReport, Line, PropertyReport, Report, Story, VerdictWord};

/// The schema of the format.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

impl Report {
    /// The report as SARIF 2.1.0, indented, with a final line break.
    #[must_use]
    pub fn to_sarif(&self) -> String {
        // Whatever is said of the same code, or of properties of the same name, has one rule.
        let mut rules: BTreeMap<&str, Value> = BTreeMap::new();
        let mut results = Vec::new();
        for file in &self.files {
            for found in &file.diagnostics {
                rules.entry(&found.code).or_insert_with(|| {
                    let help = format!("`probity explain {}` says more.", found.code);
                    json!({
                        "id": found.code,
                        "shortDescription": { "text": found.message },
                        "help": { "text": help },
                    })
                });
                let message = std::iter::once(&found.message).chain(&found.help);
                let message: Vec<&str> = message.map(String::as_str).collect();
                let at = location(file, found.line.as_ref());
                results.push(json!({
                    "ruleId": found.code,
                    "level": found.severity,
                    "message": { "text": message.join("\n") },
                    "locations": [at],
                }));
            }
            for property in &file.properties {
                if let Some(message) = sentence(property) {
                    let rule = json!({
                        "id": property.name,
                        "shortDescription": { "text": property.text },
                    });
                    rules.entry(&property.name).or_insert(rule);
                    results.push(result(file, property, &message));
                }
            }
        }
        let log = json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "Probity",
                    "semanticVersion": self.probity,
                    "rules": rules.into_values().collect::<Vec<_>>(),
                } },
                "invocations": [{
                    "executionSuccessful": !self.interrupted && self.status != 2,
                    "exitCode": self.status,
                }],
                "columnKind": "unicodeCodePoints",
                "results": results,
            }],
        });
        let text = serde_json::to_string_pretty(&log).expect("the log is JSON");
        text + "\n"
    }
}

/// What is said of a property that does not simply hold.
fn result(file: &FileReport, property: &PropertyReport, message: &str) -> Value {
    let level = match property.verdict {
        VerdictWord::Fails => "error",
        VerdictWord::NotKnown => "note",
        _ => "warning",
    };
    let mut result = json!({
        "ruleId": property.name,
        "level": level,
        "message": { "text": message },
        "locations": [location(file, place(property))],
    });
    if let Some(line) = &property.line {
        let mut written = location(file, Some(line));
        written["message"] = json!({ "text": "the property" });
        result["relatedLocations"] = json!([written]);
    }
    let flows: Vec<Value> = property
        .story
        .iter()
        .chain(&property.others)
        .filter_map(|story| flow(file, story))
        .collect();
    if !flows.is_empty() {
        result["codeFlows"] = Value::Array(flows);
    }
    result
}

/// A run as a code flow; `None` if it comes to no line of the script.
fn flow(file: &FileReport, story: &Story) -> Option<Value> {
    let mut locations = Vec::new();
    for step in &story.steps {
        for happening in &step.happenings {
            let Some(line) = &happening.line else {
                continue;
            };
            let who = happening.who.iter().map(String::as_str);
            let text = Some(happening.text.as_str()).filter(|text| !text.is_empty());
            let said: Vec<&str> = who.chain(text).collect();
            let said = match said[..] {
                [] => line.source.clone(),
                _ => said.join(": "),
            };
            let mut at = location(file, Some(line));
            at["message"] = json!({ "text": format!("{}. {said}", step.number) });
            let importance = match happening.detail {
                true => "unimportant",
                false => "important",
            };
            locations.push(json!({
                "location": at,
                "executionOrder": locations.len() + 1,
                "importance": importance,
            }));
        }
    }
    if locations.is_empty() {
        return None;
    }
    Some(json!({
        "message": { "text": story.ending.text },
        "threadFlows": [{ "locations": locations }],
    }))
}

/// A place in a file: a line, or all of it.
fn location(file: &FileReport, line: Option<&Line>) -> Value {
    let name = line.map_or(&file.file, |line| &line.file);
    let mut physical = json!({ "artifactLocation": { "uri": uri(name) } });
    if let Some(line) = line {
        physical["region"] = json!({ "startLine": line.line, "startColumn": line.column });
    }
    json!({ "physicalLocation": physical })
}

/// A path as a URI reference (RFC 3986).
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    if path.starts_with('/') {
        out.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'\\' => out.push('/'),
            b'/' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        for (path, expected) in [
            ("shop/till 2.lsl", "shop/till%202.lsl"),
            ("/tmp/[a]#b.pml", "file:///tmp/%5Ba%5D%23b.pml"),
            ("\u{e4}.smv", "%C3%A4.smv"),
        ] {
            assert_eq!(uri(path), expected);
        }
    }
}

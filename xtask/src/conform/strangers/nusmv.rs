//! Verdicts beside those of NuSMV, property by property.
//!
//! NuSMV does not print a property as its file has it, but differs only in spaces, brackets and braces. So a
//! property there is the one of ours that is the same without them; of several with the same text, the
//! first is the first. What was said before time ran out counts, on both sides.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::beside::Compared;
use crate::bench::{by_nusmv, in_their_words};

/// What has NuSMV build its diagrams, and say nothing of properties.
const READS: &str = "set on_failure_script_quits 1\nread_model\nflatten_hierarchy\n\
                     encode_variables\nbuild_model\nquit\n";

/// Compares what we say of a file with what NuSMV says, which has `limit` seconds.
///
/// # Errors
/// If NuSMV cannot be run.
pub(super) fn beside(
    nusmv: &str,
    file: &Path,
    properties: &[Value],
    limit: u32,
) -> Result<Compared, String> {
    let mine: Vec<(String, String)> = properties.iter().filter_map(answered).collect();
    if mine.is_empty() {
        return Ok(Compared::default());
    }
    // It prints no counterexamples, which nobody reads here.
    let theirs = by_nusmv(nusmv, &["-dcx"], file, limit)?;
    Ok(compared(properties, theirs.said()))
}

/// The text of a property that is answered, and its verdict in NuSMV's words.
fn answered(property: &Value) -> Option<(String, String)> {
    let verdict = match &property["measured"]["steps"] {
        Value::Number(steps) => steps.to_string(),
        _ => property["verdict"].as_str()?.to_owned(),
    };
    let text = property["text"].as_str()?.to_owned();
    Some((text, in_their_words(&verdict)?.to_owned()))
}

/// What both sides say of the same properties.
fn compared(properties: &[Value], said: &[(String, String)]) -> Compared {
    let mut theirs: HashMap<String, Vec<&str>> = HashMap::new();
    for (text, verdict) in said {
        theirs.entry(bare(text)).or_default().push(verdict);
    }
    let mut met: HashMap<String, usize> = HashMap::new();
    let mut compared = Compared::default();
    for property in properties {
        let key = bare(property["text"].as_str().unwrap_or_default());
        let place = met.entry(key.clone()).or_default();
        let their = theirs.get(&key).and_then(|all| all.get(*place));
        *place += 1;
        let (Some((text, mine)), Some(&their)) = (answered(property), their) else {
            continue;
        };
        compared.questions += 1;
        if mine != their {
            compared
                .differ
                .push(format!("`{text}`: {mine} here, {their} there"));
        }
    }
    compared
}

/// A formula without what NuSMV prints otherwise than it was written.
fn bare(text: &str) -> String {
    let left_out = |c: &char| c.is_whitespace() || "(){};".contains(*c);
    text.chars().filter(|c| !left_out(c)).collect()
}

/// Whether NuSMV refuses a file; nothing if it takes longer than `limit` seconds to read it.
pub(super) fn refuses(nusmv: &str, file: &Path, limit: u32) -> Option<bool> {
    let script = std::env::temp_dir().join(format!("probity-nusmv-{}", std::process::id()));
    std::fs::write(&script, READS).ok()?;
    let mut command = Command::new("timeout");
    command.arg(limit.to_string()).arg(nusmv);
    command.arg("-source").arg(&script).arg(file);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status();
    drop(std::fs::remove_file(&script));
    // What `timeout` exits with when it had to end the command.
    let ended = status.ok().filter(|status| status.code() != Some(124))?;
    Some(!ended.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(all: &[(&str, &str)]) -> Vec<Value> {
        let one = |(text, verdict)| serde_json::json!({"text": text, "verdict": verdict});
        all.iter().copied().map(one).collect()
    }

    fn said(all: &[(&str, &str)]) -> Vec<(String, String)> {
        let both = all
            .iter()
            .map(|(text, verdict)| (text.to_string(), verdict.to_string()));
        both.collect()
    }

    #[test]
    fn a_property_is_found_in_another_order_and_with_other_brackets() {
        let mine = told(&[
            ("EF (n = 3)", "holds"),
            ("AG (x | !y) IN s", "fails"),
            ("n < 3", "not-known"),
        ]);
        let theirs = [
            ("n < 3", "true"),
            ("AG (x | !y) IN s", "false"),
            ("EF n = 3 ", "true"),
        ];
        let found = compared(&mine, &said(&theirs));
        assert_eq!((found.questions, found.differ.len()), (2, 0));
    }

    #[test]
    fn other_verdicts_differ_even_where_their_numbers_are_the_same() {
        let mine = told(&[("AG x", "holds"), ("AG y", "fails")]);
        let found = compared(&mine, &said(&[("AG x", "false"), ("AG y", "true")]));
        assert_eq!(found.questions, 2);
        assert_eq!(found.differ[0], "`AG x`: true here, false there");
    }

    #[test]
    fn what_was_not_said_before_the_limit_is_not_compared() {
        let mine = told(&[("AG x", "holds"), ("AG x", "fails")]);
        let found = compared(&mine, &said(&[("AG x", "true")]));
        assert_eq!((found.questions, found.differ.len()), (1, 0));
    }

    #[test]
    fn distances_are_compared_as_numbers() {
        let mine = [serde_json::json!({
            "text": "MIN[a, b]", "verdict": "measured", "measured": {"steps": 6}
        })];
        let found = compared(&mine, &said(&[("MIN [ a , b ] ", "7")]));
        assert_eq!(found.differ.len(), 1);
    }
}

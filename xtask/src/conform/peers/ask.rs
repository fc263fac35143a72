//! What our program says of formulas about a graph: the whole command line, asked as a user asks it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::graph::Graph;

/// What stands in place of *vacuous* where every run is excluded by the fairness that is assumed: where a
/// loop that takes no time never ends, for instance.
pub(crate) const NO_FAIR_RUN: &str = "no fair run";

/// Verdicts by the texts of formulas, and which words of formulas our program does not follow.
#[derive(Default, Debug)]
pub(crate) struct Answer {
    pub(crate) verdicts: HashMap<String, String>,
    /// Variables that no formula can speak of.
    pub(crate) unknown: Vec<String>,
    /// Why the graph was not taken.
    pub(crate) refused: Option<String>,
}

/// Our program, and where it finds graphs.
pub(crate) struct Program {
    pub(crate) path: String,
    pub(crate) file: PathBuf,
}

impl Program {
    /// Asks. Formulas that are refused have no verdict.
    ///
    /// # Errors
    /// If the program cannot be run, or says nothing that can be read.
    pub(crate) fn ask(&self, graph: &Graph, formulas: &[String]) -> Result<Answer, String> {
        std::fs::write(&self.file, graph.json().to_string())
            .map_err(|error| format!("write {:?}: {error}", self.file))?;
        let mut answer = Answer::default();
        let mut left: Vec<&String> = formulas.iter().collect();
        while !left.is_empty() {
            let report = self.check(&left)?;
            let file = &report["files"][0];
            if file["refused"] == false {
                for property in file["properties"].as_array().into_iter().flatten() {
                    if let (Some(text), Some(verdict)) =
                        (property["text"].as_str(), property["verdict"].as_str())
                    {
                        let none = verdict == "vacuous"
                            && property["why"]
                                .as_str()
                                .is_some_and(|why| why.contains("no run meets the fairness"));
                        let verdict = if none { NO_FAIR_RUN } else { verdict };
                        answer.verdicts.insert(text.to_owned(), verdict.to_owned());
                    }
                }
                return Ok(answer);
            }
            let before = left.len();
            for one in file["diagnostics"].as_array().into_iter().flatten() {
                let message = one["message"].as_str().unwrap_or_default();
                if one["severity"] != "error" {
                    continue;
                }
                // A formula may be refused, for a variable that is not followed; a graph may not.
                let source = one["line"]["source"].as_str().unwrap_or_default();
                left.retain(|text| text.as_str() != source);
                if let Some((_, name)) = message.split_once("there is no flag or node `") {
                    answer.unknown.push(name.trim_end_matches('`').to_owned());
                }
                if left.len() == before {
                    answer.refused = Some(message.to_owned());
                    return Ok(answer);
                }
            }
            if !answer.unknown.is_empty() {
                return Ok(answer);
            }
            if left.len() == before {
                answer.refused = Some("it says no reason".to_owned());
                return Ok(answer);
            }
        }
        Ok(answer)
    }

    fn check(&self, formulas: &[&String]) -> Result<Value, String> {
        let mut command = Command::new(&self.path);
        let file = self.file.to_string_lossy().into_owned();
        command.args(["check", &file, "--language", "nodegraph"]);
        command.args([
            "--format",
            "json",
            "--timeout",
            "10s",
            "--jobs",
            "1",
            "--memory",
            "500M",
        ]);
        for formula in formulas {
            command.args(["--property", formula.as_str()]);
        }
        let output = command
            .output()
            .map_err(|error| format!("run {command:?}: {error}"))?;
        serde_json::from_slice(&output.stdout).map_err(|error| {
            let said = String::from_utf8_lossy(&output.stderr);
            format!("read the report on {file}: {error}: {said}")
        })
    }
}

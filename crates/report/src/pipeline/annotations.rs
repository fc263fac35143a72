//! The report as annotations of a change: commands that GitHub reads in the output of a job.
//!
//! GitHub, *Workflow commands for GitHub Actions*: `::error file=F,line=N,col=N,title=T::M`.

use std::fmt::Write;

use super::{place, sentence};
use crate::values::{Line, Report, VerdictWord};

impl Report {
    /// A line for each finding and each property that does not simply hold.
    #[must_use]
    pub fn to_annotations(&self) -> String {
        let mut out = String::new();
        for file in &self.files {
            for found in &file.diagnostics {
                let command = match found.severity.as_str() {
                    severity @ ("error" | "warning") => severity,
                    _ => "notice",
                };
                let message = std::iter::once(&found.message).chain(&found.help);
                let message: Vec<&str> = message.map(String::as_str).collect();
                let at = (file.file.as_str(), found.line.as_ref());
                annotate(&mut out, command, at, &found.code, &message.join("\n"));
            }
            if let Some(unread) = &file.unread {
                let at = (file.file.as_str(), None);
                annotate(&mut out, "error", at, "not read", unread);
            }
            for property in &file.properties {
                let Some(message) = sentence(property) else {
                    continue;
                };
                let command = match property.verdict {
                    VerdictWord::Fails => "error",
                    VerdictWord::NotKnown => "notice",
                    _ => "warning",
                };
                let at = (file.file.as_str(), place(property));
                annotate(&mut out, command, at, &property.name, &message);
            }
        }
        out
    }
}

fn annotate(
    out: &mut String,
    command: &str,
    (file, line): (&str, Option<&Line>),
    title: &str,
    message: &str,
) {
    let _ = write!(
        out,
        "::{command} file={}",
        value(line.map_or(file, |line| &line.file))
    );
    if let Some(line) = line {
        let _ = write!(out, ",line={},col={}", line.line, line.column);
    }
    let _ = writeln!(out, ",title={}::{}", value(title), data(message));
}

/// A message, with the characters that would end it by their numbers.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a parameter.
fn value(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_is_written_by_its_number() {
        let mut out = String::new();
        let line = Line {
            file: "a,b.lsl".to_owned(),
            line: 3,
            column: 5,
            source: String::new(),
        };
        annotate(&mut out, "error", ("x", Some(&line)), "p:q", "50 %:\nx, y");
        assert_eq!(
            out,
            "::error file=a%2Cb.lsl,line=3,col=5,title=p%3Aq::50 %25:%0Ax, y\n"
        );
    }
}

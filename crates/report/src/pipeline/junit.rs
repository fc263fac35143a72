//! The report as test results: a suite for each file, a case for each property.
//!
//! There is no standard of the format; this is what build servers read alike. A property that fails is
//! a *failure*; one of which exit status 0 cannot be said for another reason is an *error*.

use std::fmt::Write;

use super::sentence;
use crate::text::{TextOptions, file_text};
use crate::values::{AssumptionMade, FileReport, PropertyReport, Report, VerdictWord};

impl Report {
    /// The report as JUnit's XML.
    #[must_use]
    pub fn to_junit(&self) -> String {
        let suites: Vec<Suite> = self.files.iter().map(Suite::of).collect();
        let sum = |count: fn(&Suite) -> usize| suites.iter().map(count).sum::<usize>();
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let _ = writeln!(
            out,
            "<testsuites name=\"probity\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3}\">",
            sum(|suite| suite.tests),
            sum(|suite| suite.failures),
            sum(|suite| suite.errors),
            suites.iter().map(|suite| suite.seconds).sum::<f64>()
        );
        for suite in &suites {
            let _ = writeln!(
                out,
                "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3}\">",
                escaped(suite.name),
                suite.tests,
                suite.failures,
                suite.errors,
                suite.seconds
            );
            out.push_str(&suite.cases);
            out.push_str("  </testsuite>\n");
        }
        out.push_str("</testsuites>\n");
        out
    }
}

struct Suite<'a> {
    name: &'a str,
    tests: usize,
    failures: usize,
    errors: usize,
    seconds: f64,
    cases: String,
}

impl Suite<'_> {
    fn of(file: &FileReport) -> Suite<'_> {
        let mut suite = Suite {
            name: &file.file,
            tests: 0,
            failures: 0,
            errors: 0,
            seconds: 0.0,
            cases: String::new(),
        };
        if file.refused || file.unread.is_some() {
            let found = file.diagnostics.iter().filter(|d| d.severity == "error");
            let rendered: Vec<&str> = found.map(|found| found.rendered.trim_end()).collect();
            let message = file.unread.as_deref().unwrap_or("the file has errors");
            let error = ("error", "not read", message, &*rendered.join("\n\n"));
            suite.case("read", 0.0, Some(error));
        }
        for property in &file.properties {
            suite.property(file, property);
        }
        suite
    }

    fn property(&mut self, file: &FileReport, property: &PropertyReport) {
        let seconds = property.statistics.seconds;
        let Some(message) = sentence(property) else {
            return self.case(&property.name, seconds, None);
        };
        let (element, word) = match property.verdict {
            VerdictWord::Fails => ("failure", "fails"),
            VerdictWord::Possible => ("error", "possible"),
            VerdictWord::Vacuous => ("error", "vacuous"),
            VerdictWord::NotKnown => ("error", "not known"),
            VerdictWord::Holds | VerdictWord::Measured => ("error", "too weak"),
        };
        let its_own = |made: &&AssumptionMade| property.assumptions.contains(&made.number);
        let alone = FileReport {
            properties: vec![property.clone()],
            assumptions: file.assumptions.iter().filter(its_own).cloned().collect(),
            diagnostics: Vec::new(),
            proposals: Vec::new(),
            unreached: None,
            mutants: None,
            ..file.clone()
        };
        let text = file_text(&alone, TextOptions::default());
        let wrong = (element, word, &*message, text.trim_end());
        self.case(&property.name, seconds, Some(wrong));
    }

    /// Adds a case, with what is wrong: the element, the kind, a sentence and a text.
    fn case(&mut self, name: &str, seconds: f64, wrong: Option<(&str, &str, &str, &str)>) {
        self.tests += 1;
        self.seconds += seconds;
        let out = &mut self.cases;
        let _ = write!(
            out,
            "    <testcase name=\"{}\" classname=\"{}\" time=\"{seconds:.3}\"",
            escaped(name),
            escaped(self.name)
        );
        let Some((element, kind, message, text)) = wrong else {
            out.push_str("/>\n");
            return;
        };
        match element {
            "failure" => self.failures += 1,
            _ => self.errors += 1,
        }
        let _ = writeln!(
            out,
            ">\n      <{element} type=\"{kind}\" message=\"{}\">{}</{element}>\n    </testcase>",
            escaped(message),
            escaped(text)
        );
    }
}

/// A text in XML. What XML does not allow at all has been replaced in reports by what is shown instead.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in source::shown(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_xml() {
        assert_eq!(
            escaped("a < b && \"c\" > \u{1}\u{ffff}"),
            "a &lt; b &amp;&amp; &quot;c&quot; &gt; \u{2401}\u{fffd}"
        );
    }
}

//! A finding about a text, as a value.
//!
//! Front ends build diagnostics and hand them on; only the report turns them
//! into words for a terminal ([`crate::render`]) or a file format.

use crate::span::Span;

/// How much a finding matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably not what was meant; the text still has a meaning.
    Warning,
    /// The text has no meaning that could be checked.
    Error,
}

/// A second place that explains the first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What to say about it; may be empty.
    pub text: String,
}

/// An edit that mends the finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FixIt {
    /// The text to replace; a point inserts.
    pub span: Span,
    /// What stands there afterwards; empty deletes.
    pub replacement: String,
    /// What the edit does, as an imperative.
    pub message: String,
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How much it matters.
    pub severity: Severity,
    /// The stable code that `explain` knows.
    pub code: &'static str,
    /// One line, lower case, names in backquotes.
    pub message: String,
    /// Where it is; [`Span::NONE`] if it has no place.
    pub span: Span,
    /// A few words shown under the place itself.
    pub span_text: String,
    /// Other places that belong to the story.
    pub labels: Vec<Label>,
    /// Advice, a line each.
    pub help: Vec<String>,
    /// Edits that mend it: alternatives, not steps.
    pub fix_its: Vec<FixIt>,
}

impl Diagnostic {
    /// A finding of the given severity, without a place yet.
    pub fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            span: Span::NONE,
            span_text: String::new(),
            labels: Vec::new(),
            help: Vec::new(),
            fix_its: Vec::new(),
        }
    }

    /// An error.
    pub fn error(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, message)
    }

    /// A warning.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, message)
    }

    /// A note.
    pub fn note(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Note, code, message)
    }

    /// Sets the place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Diagnostic {
        self.span = span;
        self
    }

    /// Sets the few words under the place.
    #[must_use]
    pub fn saying(mut self, text: impl Into<String>) -> Diagnostic {
        self.span_text = text.into();
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Adds a line of advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Adds the candidate that `word` probably stands for, if one is near enough.
    #[must_use]
    pub fn did_you_mean<'a>(
        self,
        word: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Diagnostic {
        match crate::suggest(word, candidates) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self,
        }
    }

    /// Adds an edit that mends the finding.
    #[must_use]
    pub fn fix_it(
        mut self,
        span: Span,
        replacement: impl Into<String>,
        message: impl Into<String>,
    ) -> Diagnostic {
        self.fix_its.push(FixIt {
            span,
            replacement: replacement.into(),
            message: message.into(),
        });
        self
    }

    /// Whether it is an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Findings in the order they were made.
///
/// A text that is wrong everywhere (a megabyte of noise) would fill memory with
/// findings nobody reads, so of each severity only the first
/// [`Diagnostics::LIMIT`] are kept; the others are counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagnostics {
    kept: Vec<Diagnostic>,
    counts: [usize; 3],
}

impl Diagnostics {
    /// How many findings of one severity are kept.
    pub const LIMIT: usize = 200;

    /// No findings.
    #[must_use]
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let count = &mut self.counts[diagnostic.severity as usize];
        *count += 1;
        if *count <= Diagnostics::LIMIT {
            self.kept.push(diagnostic);
        }
    }

    /// Adds all findings of another collection.
    pub fn append(&mut self, other: Diagnostics) {
        let mut dropped = other.counts;
        for diagnostic in other.kept {
            dropped[diagnostic.severity as usize] -= 1;
            self.push(diagnostic);
        }
        for (count, dropped) in self.counts.iter_mut().zip(dropped) {
            *count += dropped;
        }
    }

    /// Leaves out the findings of which `keep` does not hold.
    pub fn retain(&mut self, keep: impl Fn(&Diagnostic) -> bool) {
        let counts = &mut self.counts;
        self.kept.retain(|diagnostic| {
            let kept = keep(diagnostic);
            counts[diagnostic.severity as usize] -= usize::from(!kept);
            kept
        });
    }

    /// Number of errors, also those not kept.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.counts[Severity::Error as usize]
    }

    /// Number of warnings, also those not kept.
    #[must_use]
    pub fn warnings(&self) -> usize {
        self.counts[Severity::Warning as usize]
    }

    /// Whether there is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.errors() > 0
    }

    /// Number of findings that were counted but not kept.
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.counts.iter().sum::<usize>() - self.kept.len()
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Number of findings kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// The findings kept.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.kept.iter()
    }

    /// Orders the findings by place; those of one place keep their order.
    pub fn sort(&mut self) {
        self.kept.sort_by_key(|diagnostic| diagnostic.span);
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, iter: T) {
        for diagnostic in iter {
            self.push(diagnostic);
        }
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<T: IntoIterator<Item = Diagnostic>>(iter: T) -> Self {
        let mut diagnostics = Diagnostics::new();
        diagnostics.extend(iter);
        diagnostics
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.kept.into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.kept.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_never_crowd_out_an_error() {
        let mut all = Diagnostics::new();
        for _ in 0..Diagnostics::LIMIT + 5 {
            all.push(Diagnostic::warning("T1", "w"));
        }
        all.push(Diagnostic::error("T2", "e"));
        assert!(all.iter().any(Diagnostic::is_error));
        assert_eq!((all.errors(), all.warnings()), (1, Diagnostics::LIMIT + 5));
        assert_eq!(all.dropped(), 5);

        let mut sum = Diagnostics::new();
        sum.push(Diagnostic::warning("T1", "w"));
        sum.append(all);
        assert_eq!(sum.warnings(), Diagnostics::LIMIT + 6);
        assert_eq!(sum.dropped(), 6);
    }
}

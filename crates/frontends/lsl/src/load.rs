//! From a script's text to a program with its properties: the front end as one function.

use std::collections::BTreeMap;

use model::Program;
use source::{
    Diagnostic, Diagnostics, FileId, Include, Severity, SourceFile, SourceMap, Span,
    command_line_title,
};

use crate::ast::Ast;
use crate::check::{self, Checked};
use crate::checks::{propose, unasked};
use crate::codes::property as code;
use crate::habits;
use crate::lexer;
use crate::lower::{self, Delivery};
use crate::parser;
use crate::preprocess;
use crate::property::syntax::{Annotations, Bound};
use crate::property::{Prepared, bounds, directives, near_miss, prepare};
use crate::watch::Notecard;

/// What the command line adds to a script.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// Bounds as name and value: (`amount`, `0..10`). They override those of the file.
    pub bounds: Vec<(String, String)>,
    /// Where those of them are written that are not from the command line, by name.
    pub bound_spans: BTreeMap<String, Span>,
    /// More properties: `NAME: formula`, or a formula alone.
    pub extra_properties: Vec<String>,
    /// Macros for the preprocessor: name and value.
    pub defines: Vec<(String, String)>,
    /// The notecards of the object; if none are given, nothing is known of them.
    pub notecards: Vec<Notecard>,
    /// Whether a script that states nothing is checked for what goes wrong with money in many.
    pub checks: bool,
    /// Whether the program marks the statements that it executes ([`Program::statements`]).
    pub statements: bool,
}

/// A script that has been read.
pub type Loaded = source::Loaded<Program>;

/// Reads a script that includes no file, checks it, lowers it, and weaves its properties into the program.
#[must_use]
pub fn load(name: &str, text: &str, options: &Options) -> Loaded {
    load_with(name, text, options, &|_| None)
}

/// The same for a script that may include files.
#[must_use]
pub fn load_with(name: &str, text: &str, options: &Options, include: Include<'_>) -> Loaded {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let front = read(
        name,
        text,
        (options, include),
        &mut sources,
        &mut diagnostics,
    );
    let program = front.map(|(checked, prepared)| {
        if options.checks
            && prepared.is_empty()
            && let Some(mut program) = unasked(
                name,
                &checked,
                (prepared.hazards(), &options.notecards),
                &mut sources,
            )
        {
            program.display.proposals = propose(&checked);
            return program;
        }
        let (watch, bounds) = (prepared.watch(), &prepared.bounds);
        let mut lowered = lower::lower(name, &checked, watch, bounds, Delivery::Lazy);
        prepared.weave(&mut lowered, &checked);
        diagnostics.extend(lowered.diagnostics);
        lowered.program
    });
    Loaded::new(sources, diagnostics, program)
}

/// Everything up to lowering; `None` if there is an error.
pub(crate) fn read(
    name: &str,
    text: &str,
    with: (&Options, Include<'_>),
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<(Checked, Prepared)> {
    let understood = understood(name, text, with, sources, diagnostics);
    (!diagnostics.has_errors()).then_some(understood)
}

/// What is understood of a script, errors or not.
pub(crate) fn understood(
    name: &str,
    text: &str,
    (options, include): (&Options, Include<'_>),
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> (Checked, Prepared) {
    let file = sources.add(name, text);
    let (mut ast, mut annotations) = tree(file, (options, include), sources, diagnostics);
    diagnostics.append(near_miss::look(sources.file(file)));
    for (index, text) in options.extra_properties.iter().enumerate() {
        let extra = sources.add(command_line_title(index + 1), text.as_str());
        let (property, found) =
            directives::parse_property(sources.file(extra), &mut ast, "property");
        diagnostics.append(found);
        if let Some(mut property) = property {
            let taken = |name: &str| annotations.properties.iter().any(|p| p.name == name);
            if property.name == "property" {
                let mut number = index + 1;
                while taken(&property.name) {
                    number += 1;
                    property.name = format!("property_{number}");
                }
            }
            annotations.properties.push(property);
            annotations.asked += 1;
        }
    }
    let mut command_line = Vec::new();
    for (name, value) in &options.bounds {
        if value.trim() == "any" {
            annotations.bounds.retain(|bound| bound.name != name.trim());
            continue;
        }
        let written = options.bound_spans.get(name.trim());
        let span = written.copied().unwrap_or(Span::NONE);
        match bounds::parse_value(name.trim(), value.trim()) {
            Ok(bound) => command_line.push(Bound { span, ..bound }),
            Err(why) if written.is_some() => {
                let message = format!("`{name} = {value}`: {why}");
                diagnostics.push(Diagnostic::error(code::BOUND, message).at(span));
            }
            Err(why) => diagnostics.push(
                Diagnostic::error(code::BOUND, format!("--bound {name}={value}: {why}")).help(
                    "write `--bound NAME=V`, `--bound NAME=LEAST..GREATEST` or `--bound NAME=any`",
                ),
            ),
        }
    }
    let (mut checked, found) = check::check(ast);
    diagnostics.append(found);
    if !diagnostics.has_errors() {
        diagnostics.append(habits::look(&checked));
    }
    let source = sources.file(file);
    diagnostics.retain(|found| {
        found.severity == Severity::Error
            || found.span.file != file
            || !habits::is_allowed(source, source.line(found.span.start), found.code)
    });
    let mut prepared = prepare(annotations, &command_line, &mut checked, diagnostics);
    prepared.bounds.notecards.clone_from(&options.notecards);
    if options.statements {
        prepared.mark_statements();
    }
    (checked, prepared)
}

/// A script's tree and its annotations, its directives expanded.
pub fn tree(
    file: FileId,
    (options, include): (&Options, Include<'_>),
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> (Ast, Annotations) {
    if sources.file(file).text().contains('#') {
        let markers = lexer::lex(sources.file(file)).markers;
        sources.mark_lines(file, markers);
    }
    if !preprocess::is_needed(sources.file(file)) {
        return parsed(sources.file(file), diagnostics);
    }
    let expanded = preprocess::expand(file, &options.defines, include, sources, diagnostics);
    let mut found = Diagnostics::new();
    let (mut ast, mut annotations) = parsed(expanded.file(), &mut found);
    expanded.origins.put(&mut ast, &mut annotations);
    diagnostics.append(expanded.origins.put_diagnostics(found));
    (ast, annotations)
}

/// A text's tree and its annotations.
fn parsed(file: &SourceFile, diagnostics: &mut Diagnostics) -> (Ast, Annotations) {
    let (mut ast, found) = parser::parse(file);
    diagnostics.append(found);
    let (annotations, found) = directives::parse(file, &mut ast);
    diagnostics.append(found);
    (ast, annotations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::CodeDoc;

    fn codes(text: &str, options: &Options) -> Vec<&'static str> {
        let mut diagnostics = Diagnostics::new();
        read(
            "t.lsl",
            text,
            (options, &|_| None),
            &mut SourceMap::new(),
            &mut diagnostics,
        );
        diagnostics.iter().map(|d| d.code).collect()
    }

    #[test]
    fn examples_of_annotations_and_habits_show_what_they_explain() {
        let docs = crate::CODES.iter().flat_map(|table| table.iter());
        let own: Vec<&CodeDoc> = docs
            .filter(|doc| doc.code.starts_with("LSL05") || doc.code.starts_with("LSL07"))
            .collect();
        assert!(own.len() > 20);
        for doc in own {
            let example = doc.example("lsl").unwrap();
            let whole = match example.contains("default") || doc.code.starts_with("LSL05") {
                true => example.to_owned(),
                false => format!("default {{ state_entry() {{\n{example}\n}} }}"),
            };
            let found = codes(&whole, &Options::default());
            assert!(found.contains(&doc.code), "{}: {found:?}", doc.code);
        }
    }

    const SCRIPT: &str = "integer total; default { touch_start(integer n) { total += n; } }";

    #[test]
    fn properties_of_the_command_line_are_read_with_and_without_a_name() {
        for text in [
            "always total >= 0",
            "p: always total >= 0;",
            "property p: always total >= 0",
            "[] (total >= 0 -> X total > 0)",
            "when touch_start(n) require n > old(total)",
        ] {
            let options = Options {
                extra_properties: vec![text.to_owned(), text.replace("p:", "q:")],
                ..Options::default()
            };
            assert_eq!(codes(SCRIPT, &options), Vec::<&str>::new(), "{text}");
        }
        let options = Options {
            extra_properties: vec!["always toatl >= 0".to_owned()],
            ..Options::default()
        };
        assert_eq!(codes(SCRIPT, &options), ["LSL0201"]);
    }

    #[test]
    fn bounds_of_the_command_line_are_checked() {
        let with = |name: &str, value: &str| Options {
            bounds: vec![(name.to_owned(), value.to_owned())],
            ..Options::default()
        };
        let none: [&str; 0] = [];
        assert_eq!(codes(SCRIPT, &with("amount", "0..10")), none);
        assert_eq!(
            codes(SCRIPT, &with("touch_start.num_detected", "1..3")),
            none
        );
        assert_eq!(codes(SCRIPT, &with("amount", "10..0")), [code::BOUND]);
        assert_eq!(codes(SCRIPT, &with("amuont", "10")), [code::BOUND]);
        assert_eq!(codes(SCRIPT, &with("touch_start.n", "1")), [code::BOUND]);
    }
}

//! What a linkset file claims of all scripts.
//!
//! Its properties and annotations are read as those of a script that does nothing, and whose variables
//! are those of the others: `menu.total` is written into a name that LSL has.

use std::cell::RefCell;
use std::collections::BTreeMap;

use model::Program;
use source::{Diagnostic, Diagnostics, SourceMap, Span};

use super::file::LinksetFile;
use super::load::refused;
use crate::ast::GlobalId;
use crate::check::Checked;
use crate::codes::linkset as code;
use crate::environment::BOUND_NAMES;
use crate::facts;
use crate::load::{self, Options};
use crate::property::Prepared;

/// The names of the scripts and their variables.
pub(super) struct Names<'a> {
    scripts: Vec<(String, &'a Checked)>,
    used: RefCell<Vec<(usize, GlobalId)>>,
}

fn part_of_a_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl<'a> Names<'a> {
    pub(super) fn new(scripts: impl Iterator<Item = (&'a str, &'a Checked)>) -> Names<'a> {
        Names {
            scripts: scripts
                .map(|(name, checked)| (name.to_owned(), checked))
                .collect(),
            used: RefCell::default(),
        }
    }

    /// The variables that are named, in the order in which they are declared.
    pub(super) fn used(&self) -> Vec<(usize, GlobalId)> {
        self.used.borrow().clone()
    }

    /// The script whose name begins here, and its variable that follows: both, and how long they are.
    fn variable_at(&self, text: &str) -> Option<(usize, Option<GlobalId>, usize)> {
        let mut found: Option<(usize, usize)> = None;
        for (index, (name, _)) in self.scripts.iter().enumerate() {
            let behind = text
                .strip_prefix(name.as_str())
                .and_then(|t| t.strip_prefix('.'));
            let longer = found.is_none_or(|(_, length)| name.len() > length);
            if behind.is_some_and(|behind| behind.starts_with(part_of_a_name)) && longer {
                found = Some((index, name.len()));
            }
        }
        let (script, length) = found?;
        let behind = &text[length + 1..];
        let end = behind.len() - behind.trim_start_matches(part_of_a_name).len();
        let variable = self.scripts[script].1.global_named(&behind[..end]);
        Some((script, variable, length + 1 + end))
    }

    /// A property in names that LSL has.
    fn mangle(&self, text: &str, span: Span, diagnostics: &mut Diagnostics) -> String {
        let mut mangled = String::new();
        let mut rest = text;
        let (mut quoted, mut before) = (false, ' ');
        while let Some(c) = rest.chars().next() {
            let begins = !quoted && !part_of_a_name(before) && before != '.';
            if begins && let Some((script, variable, length)) = self.variable_at(rest) {
                let name = &rest[..length];
                match variable {
                    Some(variable) => {
                        let mut used = self.used.borrow_mut();
                        if !used.contains(&(script, variable)) {
                            used.push((script, variable));
                        }
                        mangled.push_str(&self.mangled(script, variable));
                    }
                    None => {
                        let message = format!("there is no variable `{name}`");
                        diagnostics.push(refused(message, span));
                    }
                }
                rest = &rest[length..];
                before = 'x';
                continue;
            }
            quoted ^= c == '"' && before != '\\';
            mangled.push(c);
            before = c;
            rest = &rest[c.len_utf8()..];
        }
        mangled
    }

    fn mangled(&self, script: usize, variable: GlobalId) -> String {
        let ast = &self.scripts[script].1.ast;
        format!("s{script}__{}", ast.name_text(ast.global(variable).name))
    }

    /// The same in the names of the linkset file.
    fn unmangle(&self, text: &mut String) {
        for &(script, variable) in self.used.borrow().iter() {
            let ast = &self.scripts[script].1.ast;
            let variable_name = ast.name_text(ast.global(variable).name);
            let own = format!("{}.{variable_name}", self.scripts[script].0);
            *text = text.replace(&self.mangled(script, variable), &own);
        }
    }

    /// Puts the names of the linkset file into what people read.
    pub(super) fn show(&self, program: &mut Program) {
        for property in &mut program.properties {
            self.unmangle(&mut property.text);
        }
        for check in &mut program.checks {
            self.unmangle(&mut check.failure);
        }
    }
}

/// The bounds for all scripts, those of the file and those of the command line, which override them; and
/// where those of the file are written that count.
pub(super) fn bounds(
    stated: &LinksetFile,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> (Vec<(String, String)>, BTreeMap<String, Span>) {
    let mut bounds = Vec::new();
    let mut spans = BTreeMap::new();
    for (text, span) in &stated.bounds {
        match text.split_once('=') {
            Some((name, value)) => {
                bounds.push((name.trim().to_owned(), value.trim().to_owned()));
                spans.insert(name.trim().to_owned(), *span);
            }
            None => diagnostics.push(
                Diagnostic::error(code::FILE, format!("`{text}` is no bound"))
                    .at(*span)
                    .help("write `\"amount = 0..10\"`"),
            ),
        }
    }
    // The command line has the last word.
    for (name, value) in &options.bounds {
        spans.remove(name);
        bounds.push((name.clone(), value.clone()));
    }
    (bounds, spans)
}

/// Reads what the file and the command line state of all scripts; nothing if they state nothing. An
/// error has been told.
pub(super) fn read(
    stated: &LinksetFile,
    names: &Names<'_>,
    options: &Options,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Result<Option<(Checked, Prepared)>, ()> {
    if stated.properties.is_empty()
        && stated.annotations.is_none()
        && options.extra_properties.is_empty()
    {
        return Ok(None);
    }
    let mut lines: Vec<String> = Vec::new();
    if let Some((text, span)) = &stated.annotations {
        about_one_script(text, *span, diagnostics);
        lines.extend(
            names
                .mangle(text, *span, diagnostics)
                .lines()
                .map(str::to_owned),
        );
    }
    for (index, (text, span)) in stated.properties.iter().enumerate() {
        about_one_script(text, *span, diagnostics);
        let text = names.mangle(text, *span, diagnostics);
        let text = text.trim().trim_end_matches(';');
        let named = text
            .split_once(':')
            .is_some_and(|(name, _)| !name.is_empty() && name.trim().chars().all(part_of_a_name));
        lines.push(match named {
            true => format!("property {text};"),
            false => format!("property property_{}: {text};", index + 1),
        });
    }
    let (mut avatars, bound_spans) = bounds(stated, options, &mut Diagnostics::new());
    avatars.retain(|(name, _)| BOUND_NAMES.contains(&&**name));
    let options = Options {
        bounds: avatars,
        bound_spans,
        extra_properties: options
            .extra_properties
            .iter()
            .map(|text| {
                about_one_script(text, Span::NONE, diagnostics);
                names.mangle(text, Span::NONE, diagnostics)
            })
            .collect(),
        defines: Vec::new(),
        notecards: Vec::new(),
        checks: false,
        statements: false,
    };
    let mut text: String = lines.iter().map(|line| format!("//@ {line}\n")).collect();
    for &(script, variable) in names.used.borrow().iter() {
        let ty = names.scripts[script].1.ast.global(variable).ty;
        text.push_str(&format!("{ty} {};\n", names.mangled(script, variable)));
    }
    text.push_str("default { state_entry() { } }\n");
    let mut found = Diagnostics::new();
    let read = load::read(
        "the linkset",
        &text,
        (&options, &|_| None),
        sources,
        &mut found,
    );
    for mut diagnostic in found {
        if diagnostic.is_error() {
            names.unmangle(&mut diagnostic.message);
            diagnostics.push(diagnostic);
        }
    }
    let Some((checked, prepared)) = read.filter(|_| !diagnostics.has_errors()) else {
        return Err(());
    };
    if !prepared.watch().facts.is_empty() || !prepared.watch().during.is_empty() {
        let message = "this asks for facts that belong to one script";
        diagnostics.push(refused(message.to_owned(), Span::NONE));
        return Err(());
    }
    Ok(Some((checked, prepared)))
}

/// Tells of what belongs to one script.
fn about_one_script(text: &str, span: Span, diagnostics: &mut Diagnostics) {
    for word in text.split_inclusive(|c| !part_of_a_name(c)) {
        let behind = word.chars().last().unwrap_or(' ');
        let word = word.trim_end_matches(|c| !part_of_a_name(c));
        let is_event = behind == '(' && facts::event(word).is_some();
        let is_state = word == "in";
        if is_event || is_state {
            let what = match is_event {
                true => format!("the event `{word}` is heard by a script"),
                false => "states are those of a script".to_owned(),
            };
            let message = format!("{what}: state this in a comment of that script");
            diagnostics.push(refused(message, span));
        }
    }
}

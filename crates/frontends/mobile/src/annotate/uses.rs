//! Where a program uses the functions that a policy names.

use std::collections::{BTreeMap, BTreeSet};

use lang_c::ast::{Expression, ExternalDeclaration, FunctionDefinition, Statement};
use lang_c::span::Span as Part;
use lang_c::visit::{self, Visit};
use source::{Diagnostic, FileId, Span};

use super::cannot;
use crate::lower::{Declared, Input};

/// What the host offers, beside the functions that a policy names: it depends on where agents are.
const HOST: &[&str] = &["go_in", "go_out", "remote"];

/// Where a program is changed.
pub(super) struct Uses {
    /// The functions that are wrapped.
    pub(super) functions: BTreeSet<String>,
    /// Places of names that become those of wrappers.
    names: BTreeSet<(usize, usize)>,
    /// Where the wrappers are put: in front of what uses one first.
    begin: usize,
    /// The beginnings of the bodies of threads' functions, with the lines of the net.
    threads: BTreeMap<usize, usize>,
}

struct Visitor<'a> {
    wanted: &'a BTreeSet<String>,
    found: Vec<(String, Part)>,
}

impl<'ast> Visit<'ast> for Visitor<'_> {
    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Part) {
        if let Expression::Identifier(name) = expression
            && self.wanted.contains(&name.node.name)
        {
            self.found.push((name.node.name.clone(), name.span));
        }
        visit::visit_expression(self, expression, span);
    }
}

/// Finds them; all must be in the file itself.
pub(super) fn find(
    input: &Input<'_>,
    file: FileId,
    known: &Declared,
    played: &BTreeSet<String>,
) -> Result<Uses, Box<Diagnostic>> {
    let rules = input.policy.rules.iter();
    let permissions = rules.flat_map(|rule| &rule.permissions);
    let mut wanted: BTreeSet<String> = permissions
        .flat_map(|permission| permission.functions.clone())
        .chain(HOST.iter().map(|name| (*name).to_owned()))
        .chain(played.iter().cloned())
        .collect();
    wanted.retain(|name| known.functions.contains_key(name));
    let mut uses = Uses {
        functions: BTreeSet::new(),
        names: BTreeSet::new(),
        begin: usize::MAX,
        threads: BTreeMap::new(),
    };
    for external in &input.unit.0 {
        let mut visitor = Visitor {
            wanted: &wanted,
            found: Vec::new(),
        };
        visitor.visit_external_declaration(&external.node, &external.span);
        for (name, part) in visitor.found {
            let place = in_file(input, file, part)?;
            let begin = in_file(input, file, external.span)?;
            uses.begin = uses.begin.min(begin.0);
            uses.names.insert(place);
            uses.functions.insert(name);
        }
        if let ExternalDeclaration::FunctionDefinition(definition) = &external.node {
            thread(input, file, &definition.node, &mut uses)?;
        }
    }
    Ok(uses)
}

/// A function of which the net says where its threads are.
fn thread(
    input: &Input<'_>,
    file: FileId,
    definition: &FunctionDefinition,
    uses: &mut Uses,
) -> Result<(), Box<Diagnostic>> {
    let name = super::declared::name_of(&definition.declarator.node);
    let lines = input
        .net
        .map(|net| net.threads.as_slice())
        .unwrap_or_default();
    let line = lines
        .iter()
        .position(|(thread, _)| Some(thread) == name.as_ref());
    if let (Some(line), Statement::Compound(_)) = (line, &definition.statement.node) {
        let (begin, _) = in_file(input, file, definition.statement.span)?;
        uses.threads.insert(begin + 1, line + 1);
        uses.begin = uses
            .begin
            .min(in_file(input, file, definition.declarator.span)?.0);
    }
    Ok(())
}

fn in_file(input: &Input<'_>, file: FileId, part: Part) -> Result<(usize, usize), Box<Diagnostic>> {
    let span: Span = input.origins.span(part);
    match span.file == file {
        true => Ok((span.start as usize, span.end as usize)),
        false => Err(cannot("calls in files that are included", span)),
    }
}

/// Puts the monitor and the names of wrappers into a text.
pub(super) fn put(text: &str, monitor: &str, uses: &Uses) -> String {
    // The wrappers begin a line of their own.
    let before = &text[..uses.begin.min(text.len())];
    let begin = before.rfind('\n').map_or(0, |at| at + 1);
    let mut edits: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    for &(from, to) in &uses.names {
        let name = format!("probity_{}", &text[from..to]);
        edits.insert(from, (to, name));
    }
    for (&at, line) in &uses.threads {
        edits.insert(at, (at, format!(" probity_enter({line});")));
    }
    let mut out = String::new();
    let mut at = 0;
    let mut written = uses.begin == usize::MAX;
    for (from, (to, new)) in edits {
        if !written && from >= begin {
            out.push_str(&text[at..begin]);
            out.push_str(monitor);
            at = begin;
            written = true;
        }
        out.push_str(&text[at..from]);
        out.push_str(&new);
        at = to;
    }
    out.push_str(&text[at..]);
    without_host_header(&out)
}

/// The header of the host is known to nobody else: it is put into the text.
fn without_host_header(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let bare: String = line.split_whitespace().collect();
        match bare.as_str() {
            "#include<mobile.h>" | "#include\"mobile.h\"" => {
                out.push_str(include_str!("../../include/mobile.h"));
            }
            _ => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}

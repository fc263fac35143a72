//! The programs for the checks: the script followed more and less closely.

use std::sync::Arc;

use model::{Claim, Origin, Program, VariableKind, Visibility};
use source::{Diagnostics, SourceFile, SourceMap, Span};

use super::mark::STORED;
use super::money::{PAYS, checks};
use super::receipts::trace;
use super::wraps::WRAPS;
use crate::abstraction::localize;
use crate::ast::Ast;
use crate::check::{self, Checked};
use crate::codes::checks as code;
use crate::lexer;
use crate::lower::{self, Delivery, Hazards};
use crate::property::syntax::Annotations;
use crate::property::{directives, prepare};
use crate::watch::Notecard;

/// What has been received less what has been paid.
const BALANCE: &str = "balance";
/// The name of the text of the checks.
const TITLE: &str = "the checks of Probity";

/// The program of a script without properties, with the checks that apply to it, and coarser ones
/// beside it unless the script calls itself: calls of functions without an effect are left out of
/// those, and with them how deep they nest.
pub(crate) fn unasked(
    name: &str,
    checked: &Checked,
    (hazards, notecards): (Hazards, &[Notecard]),
    sources: &mut SourceMap,
) -> Option<Program> {
    let checks = checks(checked, sources.file(checked.ast.file));
    let (marked, mut seen) = (checks.script, checks.seen);
    let (text, finite_text) = (checks.text, checks.finite);
    let text = sources.add(TITLE, text);
    let finite_text = sources.add(TITLE, finite_text);
    // What is read from notecards is followed in the script itself only.
    let mut program = level(
        name,
        marked.clone(),
        (hazards, notecards),
        sources.file(text),
    )?;
    let level = |tree, text| level(name, tree, (hazards, &[]), sources.file(text));
    let (script, found) = check::check(marked);
    if hazards.recurs || found.has_errors() {
        return Some(program);
    }
    let alike = |other: &Program| names(other) == names(&program);
    let finer = level(localize(&script, &seen, false), text).filter(alike);
    if let Some(mut finer) = finer {
        let traced = trace(&script, &PAYS.map(|(pays, _)| pays));
        seen.variables.extend(traced.added);
        let (script, found) = check::check(traced.script);
        if !found.has_errors() {
            let finite = level(localize(&script, &seen, true), finite_text);
            finer.coarse = finite.filter(alike).map(Arc::new);
        }
        program.coarse = Some(Arc::new(finer));
    }
    Some(program)
}

fn names(program: &Program) -> Vec<&str> {
    let properties = program.properties.iter();
    properties.map(|property| property.name.as_str()).collect()
}

/// What a check says, and what has happened where it fails.
fn in_words(check: &str) -> Option<(&'static str, &'static str)> {
    Some(match check.trim_end_matches("-by-transfer") {
        code::PAYMENT_KEPT => (
            "a payment is served or goes back",
            "the handler is over, and the payer has got nothing",
        ),
        code::PAYS_WITHOUT_DEBIT => (
            "the script pays only while it may (PERMISSION_DEBIT)",
            "the script pays here, and has no permission to",
        ),
        code::PAYS_NOTHING => (
            "what the script pays is more than L$0",
            "the script pays L$0 or less here",
        ),
        code::PAYMENT_LOST => (
            "no payment is discarded unseen",
            "a payment is discarded here, and the script never hears of it",
        ),
        code::GOODS_MISSING => (
            "what is given is in the inventory",
            "the script gives something here that is not in the inventory",
        ),
        code::AMOUNT_WRAPS => (
            "the amount times constants, as `money` handlers write it, fits into an integer",
            "the product is more than an integer holds, and comes out as another number",
        ),
        code::PAYS_MORE => (
            "the script pays no more than it has received",
            "more has been paid here than was received",
        ),
        _ => return None,
    })
}

/// The checks that apply to a script, as annotations, and the script with what they look at marked.
/// The reference for what the checks of [`Options::checks`](crate::Options::checks) mean.
///
/// # Errors
/// What is wrong with the script once it is marked: it uses a name that marks have.
pub fn annotated(
    checked: &Checked,
    sources: &mut SourceMap,
) -> Result<(Ast, Annotations), Diagnostics> {
    let checks = checks(checked, sources.file(checked.ast.file));
    let (text, mut tree) = (checks.text, checks.script);
    let file = sources.add(TITLE, text);
    let (annotations, found) = annotate(&mut tree, sources.file(file));
    match found.has_errors() {
        true => Err(found),
        false => Ok((tree, annotations)),
    }
}

/// Reads the checks, as annotations of a tree.
fn annotate(tree: &mut Ast, checks: &SourceFile) -> (Annotations, Diagnostics) {
    tree.annotations = lexer::lex(checks).annotations;
    directives::parse(checks, tree)
}

/// A script, followed more or less closely, with its checks.
fn level(
    name: &str,
    mut tree: Ast,
    (hazards, notecards): (Hazards, &[Notecard]),
    checks: &SourceFile,
) -> Option<Program> {
    let (annotations, mut diagnostics) = annotate(&mut tree, checks);
    let (mut checked, found) = check::check(tree);
    diagnostics.append(found);
    if diagnostics.has_errors() {
        return None;
    }
    let prepared = prepare(annotations, &[], &mut checked, &mut diagnostics);
    let mut prepared = prepared.with_hazards(hazards);
    notecards.clone_into(&mut prepared.bounds.notecards);
    let (watch, bounds) = (prepared.watch(), &prepared.bounds);
    let mut lowered = lower::lower(name, &checked, watch, bounds, Delivery::Lazy);
    prepared.weave(&mut lowered, &checked);
    diagnostics.extend(lowered.diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let mut program = lowered.program;
    for property in &mut program.properties {
        property.name = property.name.replace('_', "-");
        property.span = Span::NONE;
        let Some((text, failure)) = in_words(&property.name) else {
            continue;
        };
        text.clone_into(&mut property.text);
        if let Claim::Check(check) = property.claim {
            failure.clone_into(&mut program.checks[check.index()].failure);
        }
    }
    let wrapping = format!("{WRAPS} changes");
    for event in program
        .events
        .iter_mut()
        .filter(|event| event.name == wrapping)
    {
        event.story = Some("the product here does not fit into an integer".to_owned());
        event.visibility = Visibility::Told;
    }
    // The author has never heard of what only the checks keep.
    let kept = program.globals.iter_mut();
    let kept = kept.filter(|global| match global.kind {
        VariableKind::Ghost => global.name != BALANCE,
        _ => [STORED, WRAPS].contains(&&*global.name) || global.name.contains(": "),
    });
    kept.for_each(|global| global.name = format!("({})", global.name));
    for assumption in &mut program.assumptions {
        assumption.span = Span::NONE;
        if assumption.origin == Origin::Stated {
            // Not by the file, nor by the command line: it belongs to what is asked.
            assumption.origin = Origin::Semantics;
        }
    }
    Some(program)
}

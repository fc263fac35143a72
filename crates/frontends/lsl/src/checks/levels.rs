//! The programs for the checks: the script followed more and less closely.

use std::sync::Arc;

use model::{Check, Claim, Origin, Program, Property, VariableKind, Visibility};
use source::{Diagnostic, Diagnostics, FileId, SourceFile, SourceMap, Span};

use super::mark::STORED;
use super::money::{Company, PAYS, SUM, Sums, checks, ghosts_in_common};
use super::receipts::trace;
use super::wraps::WRAPS;
use crate::abstraction::{Detail, Seen, follow_messages, localize};
use crate::ast::{Ast, ExprId, ExprKind};
use crate::check::{self, Checked};
use crate::codes::checks as code;
use crate::lexer;
use crate::lower::{self, Delivery, Hazards};
use crate::property::syntax::Annotations;
use crate::property::{Prepared, directives, prepare};
use crate::watch::Notecard;

/// What has been received less what has been paid.
const BALANCE: &str = "balance";
/// The name of the text of the checks.
const TITLE: &str = "the checks of Probity";

/// A script without properties, with the checks that apply to it.
pub(crate) struct Unasked {
    /// The script, with what the checks look at marked.
    tree: Ast,
    seen: Seen,
    text: FileId,
    finite_text: FileId,
    hazards: Hazards,
    company: Company,
}

impl Unasked {
    /// The checks that apply to a script, one of several or not.
    pub(crate) fn of(
        (checked, hazards): (&Checked, Hazards),
        company: Company,
        sources: &mut SourceMap,
    ) -> Unasked {
        let checks = checks(checked, sources.file(checked.ast.file), company);
        let (tree, seen) = (checks.script, checks.seen);
        let (text, finite) = (checks.text, checks.finite);
        Unasked {
            tree,
            seen,
            text: sources.add(TITLE, text),
            finite_text: sources.add(TITLE, finite),
            hazards,
            company,
        }
    }

    /// The script as it is, with its checks.
    pub(crate) fn itself(&self, sources: &SourceMap) -> Option<(Checked, Prepared)> {
        self.read(self.tree.clone(), sources.file(self.text))
    }

    /// The script, followed more or less closely, with its checks.
    fn read(&self, mut tree: Ast, checks: &SourceFile) -> Option<(Checked, Prepared)> {
        let (annotations, mut diagnostics) = annotate(&mut tree, checks);
        let (mut checked, found) = check::check(tree);
        diagnostics.append(found);
        if diagnostics.has_errors() {
            return None;
        }
        let prepared = prepare(annotations, &[], &mut checked, &mut diagnostics);
        let mut prepared = prepared.with_hazards(self.hazards);
        prepared = match self.company.sums {
            Sums::Own => prepared,
            Sums::OnlyPayer => prepared.with_all_payments(),
            Sums::Together => prepared.with_ghosts_in_common(ghosts_in_common()),
        };
        (!diagnostics.has_errors()).then_some((checked, prepared))
    }

    /// Whether it calls itself. Calls of functions without an effect are left out of coarser scripts, and
    /// with them how deep they nest.
    pub(crate) fn recurs(&self) -> bool {
        self.hazards.recurs
    }
}

/// Scripts that run together, less of them followed.
pub(crate) fn localized(
    scripts: &[Unasked],
    detail: Detail,
    sources: &SourceMap,
) -> Option<Vec<(Checked, Prepared)>> {
    let finite = detail.is_finite();
    // Where each script is set against its own receipts, what others send is none of them.
    let receipts_travel = scripts
        .iter()
        .any(|script| script.company.sums.are_of_all());
    let well_formed = |tree: Ast| {
        let (checked, found) = check::check(tree);
        (!found.has_errors()).then_some(checked)
    };
    let mut marked: Vec<(Checked, Seen)> = Vec::new();
    for script in scripts {
        let (mut checked, mut seen) = (well_formed(script.tree.clone())?, script.seen.clone());
        if finite {
            let traced = trace(&checked, &PAYS.map(|(pays, _)| pays), receipts_travel);
            seen.variables.extend(traced.added);
            checked = well_formed(traced.script)?;
        }
        marked.push((checked, seen));
    }
    follow_messages(&mut marked, detail);
    let followed = scripts
        .iter()
        .zip(&marked)
        .map(|(script, (checked, seen))| {
            let text = match finite {
                true => script.finite_text,
                false => script.text,
            };
            script.read(localize(checked, seen, detail), sources.file(text))
        });
    followed.collect()
}

/// The program of a script without properties, with the checks that apply to it, and coarser ones
/// beside it unless the script calls itself.
pub(crate) fn unasked(
    name: &str,
    checked: &Checked,
    (hazards, notecards): (Hazards, &[Notecard]),
    sources: &mut SourceMap,
) -> Option<Program> {
    let script = [Unasked::of((checked, hazards), Company::default(), sources)];
    let mut itself = script[0].itself(sources)?;
    // What is read from notecards is followed in the script itself only.
    notecards.clone_into(&mut itself.1.bounds.notecards);
    let mut program = level(name, &itself)?;
    if hazards.recurs {
        return Some(program);
    }
    program.coarse = beside(&program, &|detail| {
        let scripts = localized(&script, detail, sources)?;
        level(name, scripts.first()?).map(|program| (program, undecided(&scripts)))
    });
    Some(program)
}

/// The coarser programs beside one: a finer one, in which failures are looked for, and beside it those
/// that prove. `level` makes them, and says how much of the scripts is undecided.
pub(crate) fn beside(
    program: &Program,
    level: &dyn Fn(Detail) -> Option<(Program, usize)>,
) -> Option<Arc<Program>> {
    let like = |detail| level(detail).filter(|(other, _)| are_alike(program, other));
    let (mut finer, _) = like(Detail::Fine)?;
    let mut proving: Option<(Arc<Program>, usize)> = None;
    for detail in [Detail::Coarse, Detail::Dependent] {
        if let Some((mut next, open)) = like(detail)
            && proving.as_ref().is_none_or(|&(_, before)| before != open)
        {
            next.only_proves = true;
            next.coarse = proving.map(|(before, _)| before);
            proving = Some((Arc::new(next), open));
        }
    }
    finer.coarse = proving.map(|(program, _)| program);
    Some(Arc::new(finer))
}

/// How many expressions of scripts are undecided.
pub(crate) fn undecided(scripts: &[(Checked, Prepared)]) -> usize {
    let trees = scripts.iter().map(|(checked, _)| &checked.ast);
    trees
        .map(|ast| {
            let is_open = |&id: &ExprId| matches!(ast.expr(id).kind, ExprKind::Undecided { .. });
            ast.expr_ids().filter(is_open).count()
        })
        .sum()
}

/// Whether programs have the same properties.
fn are_alike(one: &Program, other: &Program) -> bool {
    names(one) == names(other)
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
    let checks = checks(checked, sources.file(checked.ast.file), Company::default());
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

/// The program of one script with its checks.
fn level(name: &str, (checked, prepared): &(Checked, Prepared)) -> Option<Program> {
    let (watch, bounds) = (prepared.watch(), &prepared.bounds);
    let mut lowered = lower::lower(name, checked, watch, bounds, Delivery::Lazy);
    prepared.weave(&mut lowered, checked);
    if lowered.diagnostics.iter().any(Diagnostic::is_error) {
        return None;
    }
    let mut program = lowered.program;
    for property in &mut program.properties {
        put_in_words(property, &mut program.checks);
    }
    hide_marks(&mut program);
    Some(program)
}

/// Says of a check that it is about all scripts.
pub(crate) fn say_of_all(property: &mut Property) {
    "the scripts pay no more than they have received, all together".clone_into(&mut property.text);
}

/// Names a property as its check is named, and says what it says; gives whether it is a check.
pub(crate) fn put_in_words(property: &mut Property, checks: &mut [Check]) -> bool {
    property.name = property.name.replace('_', "-");
    property.span = Span::NONE;
    let Some((text, failure)) = in_words(&property.name) else {
        return false;
    };
    text.clone_into(&mut property.text);
    if let Claim::Check(check) = property.claim {
        failure.clone_into(&mut checks[check.index()].failure);
    }
    true
}

/// Leaves out of stories what only the checks keep: the author has never heard of it.
pub(crate) fn hide_marks(program: &mut Program) {
    let wrapping = format!("{WRAPS} changes");
    for event in program
        .events
        .iter_mut()
        .filter(|event| event.name == wrapping)
    {
        event.story = Some("the product here does not fit into an integer".to_owned());
        event.visibility = Visibility::Told;
    }
    let kept = program.globals.iter_mut();
    let kept = kept.filter(|global| {
        let own = global.name.rsplit('.').next().unwrap_or_default();
        match global.kind {
            VariableKind::Ghost => own != BALANCE && own != SUM,
            _ => [STORED, WRAPS].contains(&own) || global.name.contains(": "),
        }
    });
    kept.for_each(|global| global.name = format!("({})", global.name));
    let sums = program.globals.iter_mut();
    let sums = sums.filter(|global| global.name == SUM);
    sums.for_each(|global| BALANCE.clone_into(&mut global.name));
    for assumption in &mut program.assumptions {
        if assumption.origin == Origin::Bound {
            continue;
        }
        assumption.span = Span::NONE;
        if assumption.origin == Origin::Stated {
            // Not by the file, nor by the command line: it belongs to what is asked.
            assumption.origin = Origin::Semantics;
        }
    }
}

//! Checks that nobody has to write, of scripts that run together.
//!
//! Each script has the checks that it has by itself, but in the company of the others: what only messages
//! bring about that nobody sends does not happen. Coarser programs stand beside that of the scripts
//! themselves, as for a single one.

use std::collections::BTreeSet;

use model::Program;
use source::{Diagnostic, Diagnostics, SourceMap, Span};

use super::file::LinksetFile;
use super::load::{Asked, Script, Texts, program};
use crate::check::Checked;
use crate::checks::{
    Company, Sums, Unasked, beside, can_be_added, handles, hide_marks, localized, pays, propose,
    undecided,
};
use crate::codes::linkset as code;

/// So many properties are proposed for all scripts together.
const MOST_PROPOSALS: usize = 3;

/// The program of scripts of which nothing is stated, with the checks that apply to them.
pub(super) fn unasked(
    (name, stated): (&str, &LinksetFile),
    (scripts, texts): (&[Script], &Texts),
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Program> {
    let marked = with_checks(stated, (scripts, texts), sources, diagnostics);
    let about_money = |(checked, _): &(Checked, _)| pays(checked) || handles(checked, "money");
    let few_messages = texts.iter().any(about_money);
    // What is read from notecards is followed in the scripts themselves only.
    let level = |own: Texts, notecards: bool| {
        let mut scripts = scripts.to_vec();
        if !notecards {
            scripts
                .iter_mut()
                .for_each(|script| script.bounds.notecards.clear());
        }
        let asked = Asked {
            checks: true,
            few_messages,
            ..Asked::default()
        };
        let mut found = Diagnostics::new();
        let mut program = program((name, stated), (&scripts, &own), &asked, &mut found);
        hide_marks(&mut program);
        (!found.has_errors()).then_some(program)
    };
    let itself: Option<Texts> = marked.iter().map(|script| script.itself(sources)).collect();
    let mut program = level(itself?, true)?;
    if !marked.iter().any(Unasked::recurs) {
        program.coarse = beside(&program, &|detail| {
            let own = localized(&marked, detail, sources)?;
            let open = undecided(&own);
            level(own, false).map(|program| (program, open))
        });
    }
    let proposed = scripts.iter().flat_map(|script| {
        let own = propose(&texts[script.text].0);
        own.into_iter()
            .map(|property| format!("{}: {property}", script.name))
    });
    program.display.proposals = proposed.take(MOST_PROPOSALS).collect();
    Some(program)
}

/// The checks that apply to each text. Says which cannot be made.
fn with_checks(
    stated: &LinksetFile,
    (scripts, texts): (&[Script], &Texts),
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Vec<Unasked> {
    let those = |does: &dyn Fn(&Checked) -> bool| {
        let all = scripts.iter().filter(|script| does(&texts[script.text].0));
        all.collect::<Vec<&Script>>()
    };
    let (payers, takers) = (those(&pays), those(&|own| handles(own, "money")));
    let listeners = those(&|own| handles(own, "listen"));
    let prims: BTreeSet<usize> = takers.iter().map(|script| script.prim).collect();
    // Scripts of one prim hear of one payment each: to add that up would count it for each.
    let adds_up = prims.len() == takers.len();
    let only_payer = match payers[..] {
        [payer] if adds_up && !takers.is_empty() => Some(payer.text),
        _ => None,
    };
    let for_others = |payer: &&Script| takers.iter().all(|taker| taker.name != payer.name);
    let mut involved = payers.iter().chain(&takers);
    let can_be_added = |script: &&Script| {
        let ast = &texts[script.text].0.ast;
        can_be_added(ast, sources.file(ast.file))
    };
    let together = payers.len() > 1 && adds_up && !takers.is_empty() && involved.all(can_be_added);
    if !takers.is_empty() && only_payer.is_none() && !together && payers.iter().any(for_others) {
        let first = stated.prims.iter().flat_map(|prim| &prim.scripts).next();
        diagnostics.push(
            Diagnostic::note(
                code::NOT_ADDED_UP,
                "`pays-more` is made of each script by itself: what several pay is not added up",
            )
            .at(first.map_or(Span::NONE, |(_, span)| *span)),
        );
    }
    let mut marked = Vec::new();
    for (text, (checked, prepared)) in texts.iter().enumerate() {
        let company = Company {
            others: true,
            hears: listeners.iter().any(|other| other.text != text) || listeners.len() > 1,
            takes: takers.iter().any(|taker| taker.text != text) || takers.len() > 1,
            sums: match only_payer {
                _ if together => Sums::Together,
                Some(payer) if payer == text => Sums::OnlyPayer,
                _ => Sums::Own,
            },
        };
        marked.push(Unasked::of((checked, prepared.hazards()), company, sources));
    }
    marked
}

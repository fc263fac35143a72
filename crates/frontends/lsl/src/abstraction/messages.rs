//! What is followed of messages between scripts, and of what they say to each other.
//!
//! A script knows what it is sent only if its sender does. So a part of a message (the number, the text,
//! the key) is followed where all that any script sends there is; else it may be anything, in each.

use std::collections::BTreeSet;

use super::Detail;
use super::kept::Kept;
use super::relevant::Seen;
use crate::ast::ExprKind;
use crate::check::{Checked, Resolution};
use crate::linkset::member::speaks;
use crate::lower::parts_of;
use crate::lower::units;

/// A parameter of an event that brings what a script has sent.
type Part = (&'static str, usize);

/// Finds which parts of messages are not followed in scripts that run together.
pub(crate) fn follow_messages(scripts: &mut [(Checked, Seen)], detail: Detail) {
    loop {
        let found: BTreeSet<Part> = scripts
            .iter()
            .filter(|(_, seen)| seen.company)
            .flat_map(|(checked, seen)| vague_parts(checked, &Kept::of(checked, seen, detail)))
            .collect();
        let mut grows = false;
        for (_, seen) in scripts.iter_mut() {
            grows |= !found.is_subset(&seen.unfollowed);
            seen.unfollowed.extend(&found);
        }
        if !grows {
            return;
        }
    }
}

/// The parts of messages that a script sends although it does not know what they are.
fn vague_parts(checked: &Checked, kept: &Kept<'_>) -> BTreeSet<Part> {
    let ast = &checked.ast;
    let mut found = BTreeSet::new();
    for (unit, body) in units(ast) {
        for expr in parts_of(ast, body).1 {
            let ExprKind::Call { arguments, .. } = &ast.expr(expr).kind else {
                continue;
            };
            let Some(Resolution::Library(function)) = checked.exprs.resolution(expr) else {
                continue;
            };
            let sent = carried(function.name).iter();
            let vague = sent.filter(|(argument, ..)| {
                let argument = arguments[*argument];
                !kept.is_exact(unit, argument) && !kept.is_any_number(argument)
            });
            found.extend(vague.map(|(_, event, part)| (*event, *part)));
        }
    }
    found
}

/// Which arguments of a call come to another script, and where.
fn carried(function: &str) -> &'static [(usize, &'static str, usize)] {
    match function {
        "llMessageLinked" => &[
            (1, "link_message", 1),
            (2, "link_message", 2),
            (3, "link_message", 3),
        ],
        "llRegionSayTo" => &[(2, "listen", 3)],
        _ if speaks(function).is_some() => &[(1, "listen", 3)],
        _ => &[],
    }
}

//! Checks about money, as annotations.

use std::fmt::Write;

use super::mark::{STORED, mark};
use super::payer::{Served, served};
use crate::abstraction::Seen;
use crate::ast::{Ast, GlobalId};
use crate::check::Checked;
use crate::facts;
use crate::habits::is_allowed_anywhere;
use crate::lower::Survey;
use source::SourceFile;

/// What a script is checked for without being asked.
#[derive(Debug)]
pub(super) struct Checks<'s> {
    /// The text of the script, with comments that silence checks.
    source: &'s SourceFile,
    /// The script, with what counts as service marked.
    pub(super) script: Ast,
    /// The checks as annotations.
    pub(super) text: String,
    /// What they look at.
    pub(super) seen: Seen,
}

impl Checks<'_> {
    /// Adds a property, with what is assumed for it, unless a comment silences it.
    fn property(&mut self, name: &str, claim: &str, assumed: &[&str]) {
        if is_allowed_anywhere(self.source, &name.replace('_', "-")) {
            return;
        }
        let _ = writeln!(self.text, "//@ property {name}: {claim};");
        for assumed in assumed {
            let _ = writeln!(self.text, "//@ assume {assumed} for {name};");
        }
    }
}

/// Functions by which a script pays, and what the names of their checks end with.
const PAYS: [(&str, &str); 2] = [
    ("llGiveMoney", ""),
    ("llTransferLindenDollars", "_by_transfer"),
];

/// The checks that apply to a script.
pub(super) fn checks<'s>(checked: &Checked, source: &'s SourceFile) -> Checks<'s> {
    let survey = Survey::of(checked);
    let mut checks = Checks {
        source,
        script: checked.ast.clone(),
        text: String::new(),
        seen: Seen::default(),
    };
    let takes = served(checked).map(|served| kept(&mut checks, &survey, &served));
    for (pays, suffix) in PAYS {
        if survey.calls.contains_key(pays) {
            checks.seen.calls.insert(pays);
            paid(&mut checks, pays, suffix);
        }
    }
    if takes.is_some() {
        lost(&mut checks, checked, &survey);
    }
    checks
}

/// `(_, _, _)` for a function.
fn arguments(function: &str) -> String {
    let count = facts::function(function).map_or(0, |f| f.parameters.len());
    format!("({})", vec!["_"; count].join(", "))
}

/// What the script pays, it may pay, and is something. A refund of L$0 does no harm, so payments of
/// L$0 are left out there.
fn paid(checks: &mut Checks<'_>, pays: &str, suffix: &str) {
    let any = arguments(pays);
    let amount = any.replacen("_, _", "_, n", 1);
    checks.property(
        &format!("pays_without_debit{suffix}"),
        &format!("when call {pays}{any} require granted(PERMISSION_DEBIT)"),
        &["owner stays"],
    );
    checks.property(
        &format!("pays_nothing{suffix}"),
        &format!("when call {pays}{amount} require n > 0"),
        &["payments are positive"],
    );
}

/// No payment is lost at a change of state, or in a state that does not handle it, and what is sold
/// is there.
fn lost(checks: &mut Checks<'_>, checked: &Checked, survey: &Survey) {
    if checked.ast.states.len() > 1 {
        checks.property(
            "payment_lost",
            "never discarded(_, _)",
            &["queue never overflows", "owner stays"],
        );
    }
    if survey.calls.contains_key("llGiveInventory") {
        checks.seen.calls.insert("llGiveInventory");
        checks.property(
            "goods_missing",
            "when call llGiveInventory(_, item) require llGetInventoryType(item) != INVENTORY_NONE",
            &[],
        );
    }
}

/// A payment is served or given back.
fn kept(checks: &mut Checks<'_>, survey: &Survey, served: &Served) {
    let text = &mut checks.text;
    *text += "//@ ghost integer unsettled;\n\
        //@ on money(id, amount) when id != llGetOwner()\n\
        //@ { if (amount > 0) unsettled = 1; else unsettled = 0; }\n";
    for (pays, _) in PAYS {
        if survey.calls.contains_key(pays) {
            let who = arguments(pays).replacen('_', "who", 1);
            let _ = writeln!(
                text,
                "//@ on call {pays}{who} during money(id, _) when who == id {{ unsettled = 0; }}"
            );
        }
    }
    for &call in &served.calls {
        let arguments = arguments(call);
        let _ = writeln!(
            text,
            "//@ on call {call}{arguments} during money(_, _) {{ unsettled = 0; }}"
        );
    }
    let _ = writeln!(
        text,
        "//@ on {STORED} changes during money(_, _) {{ unsettled = 0; }}"
    );
    checks.property("payment_kept", "always unsettled == 0", &[]);
    checks.seen.calls.extend(&served.calls);
    checks.seen.variable = Some(GlobalId::new(checks.script.globals.len()));
    checks.script = mark(&checks.script, served);
}

//! Checks about money, as annotations.

use std::fmt::Write;

use super::mark::{STORED, mark};
use super::names::apart;
use super::payer::{Served, served};
use super::receipts::{COVERING, NONE, REST, SHARE, WATCHED, WATCHING, WHOLE, has_pair};
use super::wraps::{WRAPS, mark_products};
use crate::abstraction::Seen;
use crate::ast::{Ast, GlobalId};
use crate::check::Checked;
use crate::facts;
use crate::habits::is_allowed_anywhere;
use crate::linkset::member::speaks;
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
    /// Annotations for a script with finitely many states. Each property has the same name there, and
    /// holds only if the one of that name in `text` does.
    pub(super) finite: String,
    /// What they look at.
    pub(super) seen: Seen,
}

impl Checks<'_> {
    /// Adds a property, with what is assumed for it, unless a comment silences it.
    fn property(&mut self, name: &str, claim: &str, assumed: &[&str]) {
        if is_allowed_anywhere(self.source, &name.replace('_', "-")) {
            return;
        }
        self.state(&format!("property {name}: {claim};"));
        for assumed in assumed {
            self.state(&format!("assume {assumed} for {name};"));
        }
    }

    /// Adds an annotation.
    fn state(&mut self, annotation: &str) {
        for text in [&mut self.text, &mut self.finite] {
            let _ = writeln!(text, "//@ {annotation}");
        }
    }
}

/// Functions by which a script pays, and what the names of their checks end with.
pub(super) const PAYS: [(&str, &str); 2] = [
    ("llGiveMoney", ""),
    ("llTransferLindenDollars", "_by_transfer"),
];

/// Nobody pays more than so many L$ at once, where sums matter.
pub(super) const CEILING: i32 = 100_000;

/// What the scripts do with money that run beside the one that is checked.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Company {
    /// Whether there are others.
    pub(crate) others: bool,
    /// Whether another one may hear what this one says.
    pub(crate) hears: bool,
    /// Whether another one takes money.
    pub(crate) takes: bool,
    /// Against which receipts is set what the script pays.
    pub(crate) sums: Sums,
}

/// Which receipts and payments are added up.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) enum Sums {
    /// Those of this script.
    #[default]
    Own,
    /// What all scripts receive, and what this one pays: no other pays.
    OnlyPayer,
    /// What all scripts receive, and what all pay.
    Together,
}

impl Sums {
    /// Whether what other scripts receive counts, too.
    pub(crate) fn are_of_all(self) -> bool {
        self != Sums::Own
    }
}

/// Where scripts that are added up count together.
const TOGETHER: [&str; 3] = [SUM, "linkset_uncovered", "linkset_spent"];
/// What all scripts have received less what they have paid.
pub(super) const SUM: &str = "linkset_balance";
/// Where a script counts by itself.
const ALONE: [&str; 3] = ["balance", "uncovered", "spent"];

/// The ghosts that all scripts of a linkset have in common.
pub(crate) fn ghosts_in_common() -> &'static [&'static str] {
    &TOGETHER
}

/// Whether what a script receives and pays can be added to what others do.
pub(crate) fn can_be_added(script: &Ast, source: &SourceFile) -> bool {
    let has = |name: &&str| script.symbol(name).is_some();
    !TOGETHER.iter().any(has) && !is_allowed_anywhere(source, "pays-more")
}

/// Whether a script handles an event in some state.
pub(crate) fn handles(checked: &Checked, event: &str) -> bool {
    let mut handlers = checked.ast.handler_ids();
    handlers.any(|id| checked.event(id).is_some_and(|own| own.name == event))
}

/// Whether a script pays.
pub(crate) fn pays(checked: &Checked) -> bool {
    let calls = Survey::of(checked).calls;
    PAYS.iter().any(|(pays, _)| calls.contains_key(pays))
}

/// The checks that apply to a script.
pub(super) fn checks<'s>(
    checked: &Checked,
    source: &'s SourceFile,
    company: Company,
) -> Checks<'s> {
    let survey = Survey::of(checked);
    let mut checks = Checks {
        source,
        script: checked.ast.clone(),
        text: String::new(),
        finite: String::new(),
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
        lost(&mut checks, checked);
        wrapping(&mut checks, checked);
    }
    if takes.is_some() || company.takes {
        missing(&mut checks, &survey);
    }
    if takes.is_some() || company.sums.are_of_all() {
        more(&mut checks, checked, &survey, (takes.is_some(), company));
    }
    if company.others {
        checks.seen.company = true;
        checks.seen.calls.extend(["llListen", "llMessageLinked"]);
        let calls = survey.calls.keys().copied();
        let heard = calls.filter(|name| company.hears && speaks(name).is_some());
        checks.seen.calls.extend(heard);
    }
    for text in [&mut checks.text, &mut checks.finite] {
        *text = apart(&checked.ast, text);
    }
    checks
}

/// `(_, _, _)` for a function.
fn arguments(function: &str) -> String {
    let count = facts::function(function).map_or(0, |f| f.parameters.len());
    format!("({})", vec!["_"; count].join(", "))
}

/// What the script pays, it may pay, and is something. L$0 is no payment, whoever permits it. A refund of
/// L$0 does no harm, so payments of L$0 are left out where it is asked whether something is paid.
fn paid(checks: &mut Checks<'_>, pays: &str, suffix: &str) {
    let any = arguments(pays);
    let amount = any.replacen("_, _", "_, n", 1);
    checks.property(
        &format!("pays_without_debit{suffix}"),
        &format!("when call {pays}{amount} require n <= 0 || granted(PERMISSION_DEBIT)"),
        &["owner stays"],
    );
    checks.property(
        &format!("pays_nothing{suffix}"),
        &format!("when call {pays}{amount} require n > 0"),
        &["payments are positive"],
    );
}

/// No payment is lost at a change of state, or in a state that does not handle it. Payments of L$0 are ignored.
fn lost(checks: &mut Checks<'_>, checked: &Checked) {
    if checked.ast.states.len() > 1 {
        checks.property(
            "payment_lost",
            "never discarded(_, _)",
            &[
                "queue never overflows",
                "owner stays",
                "payments are positive",
            ],
        );
    }
}

/// What is sold is there.
fn missing(checks: &mut Checks<'_>, survey: &Survey) {
    if survey.calls.contains_key("llGiveInventory") {
        checks.seen.calls.insert("llGiveInventory");
        checks.property(
            "goods_missing",
            "when call llGiveInventory(_, item) require llGetInventoryType(item) != INVENTORY_NONE",
            &[],
        );
    }
}

/// All together, the script pays no more than it has received. What it pays its owner is left out:
/// that is the owner's money already.
///
/// With finitely many states, sums are not followed: there, all that is paid is part of a payment,
/// and no payment is spent twice, with permission or without. What has been spent of one is told in
/// hundredths, and where only the share or only the rest of it has been paid, in numbers below zero.
///
/// Scripts that are added up count in the same ghosts, each what it receives and pays itself, and all watch one
/// payment. Each states the property; it is the same for all.
fn more(
    checks: &mut Checks<'_>,
    checked: &Checked,
    survey: &Survey,
    (takes, company): (bool, Company),
) {
    let mut pays = PAYS.map(|(pays, _)| pays).to_vec();
    pays.retain(|&pays| survey.calls.contains_key(pays));
    let together = company.sums == Sums::Together;
    if pays.is_empty() && !(together && takes) || is_allowed_anywhere(checks.source, "pays-more") {
        return;
    }
    let [balance, uncovered, spent] = if together { TOGETHER } else { ALONE };
    let to_others = pays.iter().map(|pays| {
        let to = arguments(pays).replacen("_, _", "who, n", 1);
        format!("//@ on call {pays}{to} when n > 0 && who != llGetOwner()")
    });
    // One script's share may have been spent where another one spends of the same payment.
    let spend = match together || has_pair(checked, &pays, company.others) {
        true => spend(spent),
        false => format!("{spent} += {COVERING} - {WATCHED};"),
    };
    let (text, finite) = (&mut checks.text, &mut checks.finite);
    let _ = writeln!(
        text,
        "//@ ghost integer {balance};\n//@ property pays_more: always {balance} >= 0;"
    );
    if takes || !together {
        let _ = writeln!(text, "//@ on paid(_, amount) {{ {balance} += amount; }}");
    }
    let _ = writeln!(
        finite,
        "//@ ghost integer {uncovered};\n//@ ghost integer {spent};\n\
         //@ property pays_more: always {uncovered} == 0 && {spent} <= 100;"
    );
    // Where all watch one payment, that is watched as long as the scripts run.
    if !company.sums.are_of_all() {
        // What is under way to another script outlives a reset of this one.
        let forget = match company.others {
            true => format!("{{ if ({WATCHING} == 1) {spent} = 0; }}"),
            false => format!("{{ {spent} = 0; }}"),
        };
        let _ = writeln!(finite, "//@ on {WATCHING} changes {forget}");
    }
    for other in to_others {
        let _ = writeln!(
            text,
            "{other} && granted(PERMISSION_DEBIT) {{ {balance} -= n; }}"
        );
        let _ = writeln!(
            finite,
            "{other} {{ if ({COVERING} == {NONE}) {uncovered} = 1; \
             if ({COVERING} > {WATCHED} && {spent} <= 100) {spend} }}"
        );
    }
    checks.state("assume owner stays for pays_more;");
    checks.state(&format!(
        "assume when paid(_, amount) require amount <= {CEILING} for pays_more;"
    ));
}

/// How what has been spent changes when something of the watched payment is paid, where a share and a rest of it
/// may be.
fn spend(spent: &str) -> String {
    // Only the rest; only a share of so many hundredths is less than zero by them.
    let rest = WATCHED - REST;
    let hundredths = format!("{COVERING} - {WATCHED}");
    let share = format!("{COVERING} - {SHARE}");
    format!(
        "{{ if ({COVERING} == {REST}) \
         {{ if ({spent} == 0) {spent} = {rest}; \
         else if ({spent} < 0 && {spent} > {rest}) {spent} = 100; else {spent} = 101; }} \
         else if ({spent} == {rest}) {{ if ({COVERING} >= {SHARE}) {spent} = 100; else {spent} = 101; }} \
         else if ({COVERING} >= {SHARE} && {spent} == 0) {spent} = 0 - ({share}); \
         else {{ if ({spent} < 0) {spent} = 0 - {spent}; \
         if ({COVERING} >= {SHARE}) {spent} += {share}; \
         else if ({COVERING} == {WHOLE}) {spent} += 100; \
         else {spent} += {hundredths}; }} }}"
    )
}

/// Products of constants and a payment that somebody may make fit into an integer.
fn wrapping(checks: &mut Checks<'_>, checked: &Checked) {
    if let Some((marked, wraps)) = mark_products(checked, &checks.script) {
        checks.script = marked;
        checks.seen.variables.insert(wraps);
        checks.property(
            "amount_wraps",
            &format!("never {WRAPS} changes"),
            &[&format!("when paid(_, amount) require amount <= {CEILING}")],
        );
    }
}

/// A payment is served or given back.
fn kept(checks: &mut Checks<'_>, survey: &Survey, served: &Served) {
    checks.state("ghost integer unsettled;");
    checks.state(
        "on money(id, amount) when id != llGetOwner() \
         { if (amount > 0) unsettled = 1; else unsettled = 0; }",
    );
    for (pays, _) in PAYS {
        if survey.calls.contains_key(pays) {
            let who = arguments(pays).replacen('_', "who", 1);
            checks.state(&format!(
                "on call {pays}{who} during money(id, _) when who == id {{ unsettled = 0; }}"
            ));
        }
    }
    for &call in &served.calls {
        let arguments = arguments(call);
        checks.state(&format!(
            "on call {call}{arguments} during money(_, _) {{ unsettled = 0; }}"
        ));
    }
    checks.state(&format!(
        "on {STORED} changes during money(_, _) {{ unsettled = 0; }}"
    ));
    checks.property("payment_kept", "always unsettled == 0", &[]);
    checks.seen.calls.extend(&served.calls);
    checks
        .seen
        .variables
        .insert(GlobalId::new(checks.script.globals.len()));
    checks.script = mark(&checks.script, served);
}

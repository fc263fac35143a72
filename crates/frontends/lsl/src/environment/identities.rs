//! How many avatars there have to be.
//!
//! Keys that are only copied and compared for equality, with finitely many stored at a time, obey
//! the principle of *data independence* (Wolper 1986; Lazić and Roscoe's theory of it): as many
//! values as there are places to keep one, plus those that one macro step chooses, lose nothing,
//! because a key that is no longer held anywhere may be used again. Here the conditions are
//! checked over the script's text; where they are broken, the expression that breaks them is
//! named, and the number of avatars is the stated bound; without one, some are told apart
//! and one more stands for all others.

use std::collections::HashSet;

use source::Span;

use crate::ast::{ExprId, ExprKind, FunctionId, GlobalId, StmtId, StmtKind};
use crate::check::Resolution;
use crate::facts;
use crate::lower::{Input, for_each_operand, for_each_part};
use crate::types::Type;

/// Names by which the file or the command line bounds the number of avatars.
pub(crate) const BOUND_NAMES: [&str; 3] = ["bidders", "avatars", "payers"];

/// How many avatars are told apart without a bound when reduction loses something.
const NAMED: usize = 3;

/// The number of avatars besides the owner, and why.
#[derive(Clone, Debug)]
pub(crate) struct Identities {
    /// How many.
    pub(crate) count: usize,
    /// What the number rests on.
    pub(crate) because: Because,
}

/// What a number of avatars rests on.
#[derive(Clone, Debug)]
pub(crate) enum Because {
    /// They stand for any number.
    Lossless,
    /// The file or the command line says so.
    Bound(Span, i64),
    /// Nothing: an expression takes keys apart, or keeps ever more of them.
    Nothing(Span),
}

/// Looks at what the script does with keys.
pub(crate) fn identities(input: Input<'_>) -> Identities {
    let bound = BOUND_NAMES
        .iter()
        .find_map(|name| input.bounds.get(name))
        .map(|bound| (bound.span, bound.hi.max(0)));
    if input.member.is_some() {
        // What messages keep is not counted.
        return match bound {
            Some((span, stated)) => Identities {
                count: usize::try_from(stated).unwrap_or(usize::MAX).min(1 << 16),
                because: Because::Bound(span, stated),
            },
            None => Identities {
                count: NAMED,
                because: Because::Nothing(Span::NONE),
            },
        };
    }
    let (places, breach) = places(input);
    // One more than places: somebody else.
    let enough = places + 1;
    match (bound, breach) {
        (Some((span, stated)), breach) => {
            let stated_count = usize::try_from(stated).unwrap_or(usize::MAX);
            if breach.is_none() && enough <= stated_count {
                Identities {
                    count: enough,
                    because: Because::Lossless,
                }
            } else {
                Identities {
                    count: stated_count.min(1 << 16),
                    because: Because::Bound(span, stated),
                }
            }
        }
        (None, None) => Identities {
            count: enough,
            because: Because::Lossless,
        },
        (None, Some(span)) => Identities {
            count: NAMED,
            because: Because::Nothing(span),
        },
    }
}

/// How many places may hold an avatar's key, or text made of one, while an event is handled; and
/// an expression that does more with keys than copy and compare them.
fn places(input: Input<'_>) -> (usize, Option<Span>) {
    let mut trail = Trail::new(input);
    loop {
        let before = trail.holders.len();
        for unit in 0..trail.units.len() {
            trail.follow(unit);
        }
        if trail.holders.len() == before {
            break;
        }
    }
    let ast = &input.checked.ast;
    let globals = trail
        .holders
        .iter()
        .filter(|holder| matches!(holder, Holder::Global(_)))
        .count();
    let grows = ast
        .global_ids()
        .find(|&id| ast.global(id).ty == Type::List && trail.holders.contains(&Holder::Global(id)))
        .map(|id| ast.global(id).name.span);
    let by_event = ast
        .handler_ids()
        .filter_map(|id| Some(key_parameters(input.checked.event(id)?.name).count()))
        .max()
        .unwrap_or(0);
    (
        globals + input.watch.ghost_keys + trail.readings + by_event.max(1) - 1,
        trail.breach.or(grows),
    )
}

/// Which parameters of an event are avatars' keys, or names made of them.
fn key_parameters(event: &'static str) -> impl Iterator<Item = usize> {
    let reply = matches!(
        event,
        "dataserver" | "http_response" | "http_request" | "transaction_result"
    );
    facts::event(event)
        .into_iter()
        .flat_map(|event| event.parameters.iter().enumerate())
        .filter(move |(index, parameter)| parameter.ty == Type::Key && !(reply && *index == 0))
        .map(|(index, _)| index)
}

/// Something that may hold an avatar's key, or text made of one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Holder {
    Global(GlobalId),
    /// A variable of a handler or function.
    Local(usize, usize),
    /// What a function returns.
    Result(FunctionId),
}

/// Follows keys through the script.
struct Trail<'a> {
    input: Input<'a>,
    /// The handlers, then the functions.
    units: Vec<(StmtId, Option<FunctionId>)>,
    holders: HashSet<Holder>,
    /// How many calls read somebody's key besides what an event brings.
    readings: usize,
    breach: Option<Span>,
}

impl<'a> Trail<'a> {
    fn new(input: Input<'a>) -> Self {
        let ast = &input.checked.ast;
        let mut holders = HashSet::new();
        let mut units = Vec::new();
        for id in ast.handler_ids() {
            if let Some(event) = input.checked.event(id) {
                let unit = units.len();
                holders.extend(key_parameters(event.name).map(|i| Holder::Local(unit, i)));
                if event.name == "listen" {
                    holders.insert(Holder::Local(unit, 1));
                }
            }
            units.push((ast.handler(id).body, None));
        }
        units.extend(
            ast.function_ids()
                .map(|id| (ast.function(id).body, Some(id))),
        );
        let read = input.survey.calls.iter().filter(|(name, _)| {
            gives_somebody(name) && !OF_THE_EVENT.contains(name) && !KEPT.contains(name)
        });
        Trail {
            input,
            units,
            holders,
            readings: read.map(|(_, sites)| sites.len()).sum(),
            breach: None,
        }
    }

    /// The number of a function among the units.
    fn unit_of(&self, function: FunctionId) -> usize {
        self.input.checked.ast.handlers.len() + function.index()
    }

    /// Goes once over a handler or function.
    fn follow(&mut self, unit: usize) {
        let checked = self.input.checked;
        let ast = &checked.ast;
        let (body, function) = self.units[unit];
        let mut exprs = Vec::new();
        let mut stmts = vec![body];
        while let Some(id) = stmts.pop() {
            let kind = &ast.stmt(id).kind;
            match kind {
                StmtKind::Declare {
                    value: Some(value), ..
                } if self.carries(*value, unit) => {
                    if let Some(local) = checked.declared(id) {
                        self.holders.insert(Holder::Local(unit, local.index()));
                    }
                }
                StmtKind::Return(Some(value)) if self.carries(*value, unit) => {
                    if let Some(function) = function {
                        self.holders.insert(Holder::Result(function));
                    }
                }
                _ => {}
            }
            for_each_part(kind, |e| exprs.push(e), |s| stmts.push(s));
        }
        while let Some(id) = exprs.pop() {
            for_each_operand(ast, id, |operand| exprs.push(operand));
            self.look_at(id, unit);
        }
    }

    /// What one expression does with keys.
    fn look_at(&mut self, id: ExprId, unit: usize) {
        let checked = self.input.checked;
        let expr = checked.ast.expr(id);
        match &expr.kind {
            ExprKind::Assign { op, place, value } if self.carries(*value, unit) => {
                let holder = match checked.exprs.resolution(*place) {
                    Some(Resolution::Global(global)) => Holder::Global(global),
                    Some(Resolution::Local(local)) => Holder::Local(unit, local.index()),
                    _ => return,
                };
                self.holders.insert(holder);
                // A text of several keys is several places, without end if it grows.
                if matches!(holder, Holder::Global(_))
                    && (op.is_some() || self.leaves(*value, unit) > 1)
                {
                    self.breach.get_or_insert(expr.span);
                }
            }
            ExprKind::Cast { to, operand }
                if !to.is_text() && *to != Type::List && self.carries(*operand, unit) =>
            {
                self.breach.get_or_insert(expr.span);
            }
            ExprKind::Call { arguments, .. } => match checked.exprs.resolution(id) {
                Some(Resolution::Library(function))
                    if takes_apart(function.name)
                        && arguments.iter().any(|&arg| self.carries(arg, unit)) =>
                {
                    self.breach.get_or_insert(expr.span);
                }
                Some(Resolution::Function(function)) => {
                    let callee = self.unit_of(function);
                    for (index, &argument) in arguments.iter().enumerate() {
                        if self.carries(argument, unit) {
                            self.holders.insert(Holder::Local(callee, index));
                        }
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// Whether the expression's value may be, or be made of, an avatar's key.
    fn carries(&self, id: ExprId, unit: usize) -> bool {
        self.leaves(id, unit) > 0
    }

    /// How many parts of the value may come from keys.
    fn leaves(&self, id: ExprId, unit: usize) -> usize {
        let checked = self.input.checked;
        let mut count = 0;
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            if matches!(
                checked.exprs.ty(id).value(),
                None | Some(Type::Integer | Type::Float | Type::Vector | Type::Rotation)
            ) {
                continue;
            }
            let holder = match (&checked.ast.expr(id).kind, checked.exprs.resolution(id)) {
                (_, Some(Resolution::Global(global))) => Holder::Global(global),
                (_, Some(Resolution::Local(local))) => Holder::Local(unit, local.index()),
                (_, Some(Resolution::Function(function))) => Holder::Result(function),
                (_, Some(Resolution::Library(function))) if gives_somebody(function.name) => {
                    count += 1;
                    continue;
                }
                (ExprKind::Assign { value, .. }, _) => {
                    pending.push(*value);
                    continue;
                }
                _ => {
                    for_each_operand(&checked.ast, id, |operand| pending.push(operand));
                    continue;
                }
            };
            count += usize::from(self.holders.contains(&holder));
        }
        count
    }
}

/// What the event at hand brings.
const OF_THE_EVENT: [&str; 3] = ["llDetectedKey", "llDetectedOwner", "llDetectedName"];

/// Keys with variables or names of their own.
const KEPT: [&str; 4] = [
    "llGetCreator",
    "llGetKey",
    "llGetOwner",
    "llGetPermissionsKey",
];

/// Whether a call gives the key of somebody who may be one of those who act, or their name.
fn gives_somebody(function: &str) -> bool {
    function.starts_with("llDetected")
        || !KEPT.contains(&function)
            && facts::role(function).is_some_and(facts::Role::gives_somebody)
}

/// Library functions whose result depends on which key it is, not only on whether it is the same.
fn takes_apart(function: &str) -> bool {
    matches!(
        function,
        "llStringLength"
            | "llGetSubString"
            | "llDeleteSubString"
            | "llSubStringIndex"
            | "llToLower"
            | "llToUpper"
            | "llMD5String"
            | "llSHA1String"
            | "llSHA256String"
            | "llHash"
            | "llOrd"
            | "llListSort"
            | "llListSortStrided"
    )
}

#[cfg(test)]
mod tests {
    use source::SourceMap;

    use super::*;
    use crate::lower::{Delivery, Survey};
    use crate::watch::{Bounds, Watch};

    fn found(text: &str, bound: Option<i64>) -> Identities {
        let mut sources = SourceMap::new();
        let file = sources.add("test.lsl", text);
        let (checked, diagnostics) = crate::analyze(sources.file(file));
        assert!(!diagnostics.has_errors(), "{diagnostics:?}");
        let survey = Survey::of(&checked);
        let mut bounds = Bounds::default();
        if let Some(most) = bound {
            bounds.state("bidders", most, most, Span::NONE);
        }
        identities(Input {
            checked: &checked,
            watch: &Watch::default(),
            bounds: &bounds,
            survey: &survey,
            delivery: Delivery::Lazy,
            member: None,
        })
    }

    #[test]
    fn each_place_that_keeps_a_key_counts_and_nothing_else() {
        let cases = [
            // One key, one name; the item's name is nobody's.
            (
                "key k; string name; string item; key none;
                 default { money(key id, integer a) {
                     k = id; name = llKey2Name(k); item = llGetInventoryName(6, 0); none = NULL_KEY;
                 } }",
                3,
            ),
            // Through a function and a local variable.
            (
                "key k; key same(key x) { key y = x; return y; }
                 default { money(key id, integer a) { k = same(id); } }",
                2,
            ),
            (
                "key who; default { touch_start(integer n) { who = llDetectedKey(0); } }",
                2,
            ),
            (
                "integer n; default { money(key id, integer a) { n = a; } }",
                1,
            ),
            (
                "key q; default { dataserver(key id, string data) { q = id; } }",
                1,
            ),
        ];
        for (text, count) in cases {
            let identities = found(text, None);
            assert_eq!(identities.count, count, "{text}");
            assert!(matches!(identities.because, Because::Lossless), "{text}");
        }
    }

    #[test]
    fn what_takes_keys_apart_or_keeps_ever_more_is_named() {
        let cases = [
            ("list l; default { money(key id, integer a) { l += id; } }", "l += id"),
            (
                "string log; default { money(key id, integer a) { log += llKey2Name(id); } }",
                "log += llKey2Name(id)",
            ),
            (
                "integer n; default { money(key id, integer a) { n = llStringLength(llKey2Name(id)); } }",
                "llStringLength(llKey2Name(id))",
            ),
            (
                "integer n; default { money(key id, integer a) { n = (integer)((string)id); } }",
                "(integer)((string)id)",
            ),
            (
                "string pair; string last;
                 default { money(key id, integer a) { pair = last + (string)id; last = (string)id; } }",
                "pair = last + (string)id",
            ),
        ];
        for (text, culprit) in cases {
            match found(text, None).because {
                Because::Nothing(span) => assert_eq!(&text[span.range()], culprit),
                other => panic!("{text}: {other:?}"),
            }
            assert!(matches!(found(text, Some(7)).because, Because::Bound(_, 7)));
        }
    }

    #[test]
    fn a_smaller_bound_is_kept_and_a_larger_one_is_not_needed() {
        let text = "key k; default { money(key id, integer a) { k = id; } }";
        let small = found(text, Some(1));
        assert_eq!(small.count, 1);
        assert!(matches!(small.because, Because::Bound(_, 1)));
        let large = found(text, Some(100));
        assert_eq!(large.count, 2);
        assert!(matches!(large.because, Because::Lossless));
    }
}

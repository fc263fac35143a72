//! A script that notes from which payment an amount is.
//!
//! Where finitely many numbers stand for all, no sums are known. But what a script pays is covered by
//! what it has received if every amount that it pays is a part of some payment, and no payment is
//! paid out twice. So each variable through which amounts get from a payment to where the script pays
//! has a *shadow*, which says from which payment its value is. It is enough to tell two apart: one
//! payment, chosen freely, is watched, all others are alike, and the watched one must not be spent
//! twice.
//!
//! A number that one script sends to another takes its shadow along. Then one payment of all that the scripts
//! receive is watched.
//!
//! A share and what is left of the payment without it may both be most of it (of L$1, nine tenths are
//! nothing). One pair of shares that together are never more than the whole is told from others.

use std::collections::{BTreeMap, HashSet};

use super::insert::{Around, insert};
use super::mark::add_global;
use super::part::{Exactly, Part, Parts};
use super::share::Exact;
use crate::ast::{
    Ast, BinaryOp, ExprId, ExprKind, GlobalId, Name, Receipts, StmtId, StmtKind, Symbol,
};
use crate::check::{Checked, Resolution};
use crate::lower::{Variable, units, variable};
use crate::lower::{for_each_operand, for_each_part, parts_of};
use crate::types::Type;
use source::Span;

/// The variable that says, while the script pays, from which payment the amount is: [`NONE`],
/// [`OTHER`], or what part of the watched one it is: [`WATCHED`] and the most hundredths of it that the
/// amount may be, [`WHOLE`], [`SHARE`] and its most hundredths, or [`REST`]. It is below zero for the
/// whole and the share of another payment.
pub(super) const COVERING: &str = "payment_covering";
/// The shadow of the number in the message that is sent, and of that in the message that was taken last.
const SENT: &str = "payment_sent";
const HEARD: &str = "payment_heard";
/// The variable that changes when a payment begins to be watched.
pub(super) const WATCHING: &str = "payment_watched";

/// Of no payment.
pub(super) const NONE: i32 = 0;
/// Of a payment that is not watched, or nothing.
pub(super) const OTHER: i32 = 1;
/// Of the payment that is watched.
pub(super) const WATCHED: i32 = 2;
/// What was paid.
pub(super) const WHOLE: i32 = WATCHED + 101;
/// The share of the [`Pair`].
pub(super) const SHARE: i32 = WATCHED + 200;
/// The rest of the [`Pair`].
pub(super) const REST: i32 = WATCHED + 400;

/// What was paid, if it is not watched.
const OTHER_WHOLE: i32 = -1;
/// The share of the [`Pair`] of a payment that is not watched.
const OTHER_SHARE: i32 = -2;

/// A share of an amount, of so many hundredths at most, and what is left of it.
struct Pair {
    share: Exact,
    hundredths: i32,
}

impl Pair {
    /// Whether another share is at most what is left.
    fn is_rest(&self, other: &Exact) -> bool {
        let (Some(share), Some(other)) = (&self.share.values, &other.values) else {
            return false;
        };
        let mut both = (0..).zip(share.iter().zip(other.iter()));
        both.all(|(amount, (share, other))| share + other <= amount)
    }
}

/// A script with shadows.
pub(super) struct Traced {
    pub(super) script: Ast,
    /// The variables that were added.
    pub(super) added: Vec<GlobalId>,
}

/// Adds shadows to a script, in which no function calls itself and that pays by calls of `pays`. In `company`
/// of others, shadows go from script to script.
pub(super) fn trace(checked: &Checked, pays: &[&str], company: bool) -> Traced {
    let mut ast = checked.ast.without_statements();
    let covering = add_global(&mut ast, COVERING);
    let watching = add_global(&mut ast, WATCHING);
    let ways = Ways::of(checked, pays, company);
    ast.receipts = company.then(|| Receipts {
        sent: add_global(&mut ast, SENT),
        heard: add_global(&mut ast, HEARD),
        watching,
    });
    let receipts = ast.receipts;
    let shadows: BTreeMap<Variable, GlobalId> = ways
        .carriers()
        .into_iter()
        .enumerate()
        .map(|(number, carrier)| {
            let shadow = add_global(&mut ast, &format!("payment_of_{number}"));
            if begins_at_zero(&checked.ast, carrier) {
                let other = ast.add_expr(ExprKind::Integer(OTHER), Span::NONE);
                ast.globals[shadow.index()].value = Some(other);
            }
            (carrier, shadow)
        })
        .collect();
    let pair = ways.pair();
    let deciding = pair
        .as_ref()
        .map_or_else(HashSet::new, |pair| ways.deciding(pair));
    let mut added = vec![covering, watching];
    added.extend(shadows.values());
    added.extend(receipts.iter().flat_map(|kept| [kept.sent, kept.heard]));
    let script = insert(&checked.ast, ast, &mut |ast, unit, id| {
        let span = checked.ast.stmt(id).span;
        let mut write = Write {
            checked,
            shadows: &shadows,
            pair: pair.as_ref(),
            ast,
            span,
        };
        let mut around = Around::default();
        if let Some(amount) = ways.received(unit, id)
            && let Some(&shadow) = shadows.get(&amount)
        {
            let decides = deciding.contains(&amount);
            let receive = write.receive((shadow, decides), watching);
            around.before.push(receive);
        }
        if let Some(kept) = receipts
            && let Some(number) = ways.heard(unit, id)
        {
            if let Some(&shadow) = shadows.get(&number) {
                let heard = write.name(kept.heard);
                around.before.push(write.assign(shadow, heard));
            }
            around.before.push(write.number(kept.heard, NONE));
        }
        for (place, part) in ways.known(unit, id) {
            match place {
                Place::Paid => write.set((covering, false), part, &mut around.before),
                Place::Sent => {
                    if let Some(kept) = receipts {
                        write.send(kept.sent, part, &mut around.before);
                        around.after.push(write.number(kept.sent, NONE));
                    }
                }
                Place::Variable(variable) => {
                    if let Some(&shadow) = shadows.get(variable) {
                        let decides = deciding.contains(variable);
                        write.set((shadow, decides), part, &mut around.before);
                    }
                }
            }
        }
        if ways.pays(unit, id) {
            around.after.push(write.number(covering, NONE));
        }
        for variable in ways.unknown(unit, id) {
            if let Some(&shadow) = shadows.get(variable) {
                around.after.push(write.number(shadow, NONE));
            }
        }
        // What a unit has in its own variables is gone at its end; so are their shadows, or there
        // would be more states.
        let end = match &checked.ast.stmt(id).kind {
            StmtKind::Return(_) | StmtKind::State(_) => &mut around.before,
            _ if ways.is_body(unit, id) => &mut around.after,
            _ => return around,
        };
        for (_, &shadow) in shadows.range((Some(unit), 0)..(Some(unit + 1), 0)) {
            end.push(write.number(shadow, NONE));
        }
        around
    });
    Traced { script, added }
}

/// Whether a script pays a share and what is left of a payment.
pub(super) fn has_pair(checked: &Checked, pays: &[&str], company: bool) -> bool {
    Ways::of(checked, pays, company).pair().is_some()
}

/// Whether a variable is global and zero at first.
fn begins_at_zero(ast: &Ast, variable: Variable) -> bool {
    let (None, number) = variable else {
        return false;
    };
    let value = ast.globals[number].value;
    value.is_none_or(|value| matches!(ast.expr(value).kind, ExprKind::Integer(0)))
}

/// Where an amount goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Variable(Variable),
    /// Out of the script.
    Paid,
    /// To other scripts.
    Sent,
}

/// A statement of a unit.
type At = (usize, StmtId);

/// The ways that amounts take.
#[derive(Default)]
struct Ways {
    /// Parameters of handlers of payments, by the body of the handler.
    received: BTreeMap<At, Variable>,
    /// Parameters of handlers of messages that bring numbers, by the body of the handler.
    heard: BTreeMap<At, Variable>,
    /// Amounts of which a statement's values are parts.
    known: BTreeMap<At, Vec<(Place, Part)>>,
    /// Variables that are given other values.
    unknown: BTreeMap<At, Vec<Variable>>,
    /// Variables that change within expressions, or are given by calls within them.
    hidden: HashSet<Variable>,
    /// Statements that do nothing but pay, or keep what paying gives.
    pays: HashSet<At>,
    /// The body of each unit.
    bodies: Vec<StmtId>,
}

impl Ways {
    fn of(checked: &Checked, pays: &[&str], company: bool) -> Ways {
        let ast = &checked.ast;
        let mut ways = Ways::default();
        let parts = Parts::of(checked);
        for id in ast.handler_ids() {
            let at = (id.index(), ast.handler(id).body);
            let second = (Some(id.index()), 1);
            match checked.event(id).map(|event| event.name) {
                Some("money") => ways.received.insert(at, second),
                Some("link_message") if company => ways.heard.insert(at, second),
                _ => None,
            };
        }
        for (unit, body) in units(ast) {
            ways.bodies.push(body);
            for id in parts_of(ast, body).0 {
                ways.statement(checked, pays, &parts, (unit, id));
            }
        }
        ways
    }

    fn received(&self, unit: usize, id: StmtId) -> Option<Variable> {
        self.received.get(&(unit, id)).copied()
    }

    fn heard(&self, unit: usize, id: StmtId) -> Option<Variable> {
        self.heard.get(&(unit, id)).copied()
    }

    fn known(&self, unit: usize, id: StmtId) -> &[(Place, Part)] {
        self.known.get(&(unit, id)).map_or(&[], Vec::as_slice)
    }

    fn unknown(&self, unit: usize, id: StmtId) -> &[Variable] {
        self.unknown.get(&(unit, id)).map_or(&[], Vec::as_slice)
    }

    fn is_body(&self, unit: usize, id: StmtId) -> bool {
        self.bodies[unit] == id
    }

    fn pays(&self, unit: usize, id: StmtId) -> bool {
        self.pays.contains(&(unit, id))
    }

    /// The first share that a variable is given which is taken away from another, or the first that
    /// goes together with another share.
    fn pair(&self) -> Option<Pair> {
        let exactly = || {
            let known = self.known.values().flatten();
            known.filter_map(|(place, part)| match part {
                Part::Of {
                    exactly: Some(exactly),
                    hundredths,
                    ..
                } => Some((*place, exactly, *hundredths)),
                _ => None,
            })
        };
        let pairs = || {
            exactly().filter_map(|(place, exactly, hundredths)| match exactly {
                Exactly::Share(share) => {
                    let share = share.clone();
                    Some((place, Pair { share, hundredths }))
                }
                _ => None,
            })
        };
        let is_taken = |given: Place| {
            let mut all = exactly();
            all.any(|(_, exactly, _)| match exactly {
                Exactly::LeftBy(other) => given == Place::Variable(*other),
                _ => false,
            })
        };
        let taken = pairs().find(|(given, _)| is_taken(*given));
        let together = || {
            pairs().find(|(_, pair)| {
                pairs().any(|(_, other)| other.share != pair.share && pair.is_rest(&other.share))
            })
        };
        taken.or_else(together).map(|(_, pair)| pair)
    }

    /// The variables of which it matters whether they are a whole payment, or the share of a pair:
    /// those of which a part is one of the pair, and those that become one of them.
    fn deciding(&self, pair: &Pair) -> HashSet<Variable> {
        let parts = || self.known.values().flatten();
        let mut deciding: HashSet<Variable> = HashSet::new();
        for (_, part) in parts() {
            if let Part::Of {
                variable,
                exactly: Some(exactly),
                ..
            } = part
            {
                match exactly {
                    Exactly::Whole => {}
                    Exactly::Share(share) => {
                        if *share == pair.share || pair.is_rest(share) {
                            deciding.insert(*variable);
                        }
                    }
                    Exactly::LeftBy(other) => deciding.extend([*variable, *other]),
                }
            }
        }
        let mut before = 0;
        while before != deciding.len() {
            before = deciding.len();
            for (place, part) in parts() {
                if let (
                    Place::Variable(to),
                    Part::Of {
                        variable,
                        exactly: Some(Exactly::Whole),
                        ..
                    },
                ) = (place, part)
                    && deciding.contains(to)
                {
                    deciding.insert(*variable);
                }
            }
        }
        deciding
    }

    /// The variables through which amounts get from where they are received to where they are paid.
    fn carriers(&self) -> Vec<Variable> {
        let steps = || {
            let known = self.known.values().flatten();
            known.flat_map(|(place, part)| match part {
                Part::Of {
                    variable,
                    exactly: Some(Exactly::LeftBy(other)),
                    ..
                } => vec![(*variable, *place), (*other, *place)],
                Part::Of { variable, .. } => vec![(*variable, *place)],
                Part::Nothing => Vec::new(),
            })
        };
        let brought = self.received.values().chain(self.heard.values());
        let mut reached: HashSet<Variable> = brought.copied().collect();
        let mut wanted: HashSet<Variable> = HashSet::new();
        let mut before = None;
        while before != Some((reached.len(), wanted.len())) {
            before = Some((reached.len(), wanted.len()));
            for (from, to) in steps() {
                match to {
                    Place::Variable(to) => {
                        if reached.contains(&from) {
                            reached.insert(to);
                        }
                        if wanted.contains(&to) {
                            wanted.insert(from);
                        }
                    }
                    Place::Paid | Place::Sent => {
                        wanted.insert(from);
                    }
                }
            }
        }
        let mut carriers: Vec<Variable> = reached.intersection(&wanted).copied().collect();
        carriers.retain(|carrier| !self.hidden.contains(carrier));
        carriers.sort_unstable();
        carriers
    }

    fn statement(&mut self, checked: &Checked, pays: &[&str], parts: &Parts<'_>, at: At) {
        let ast = &checked.ast;
        let (unit, id) = at;
        let kind = &ast.stmt(id).kind;
        let mut own = None;
        // A product with a count that becomes less is the same part of a payment at most.
        let is_fewer = parts.counts.is_fewer(id);
        // A variable that the statement as a whole gives a value.
        match kind {
            StmtKind::Declare { value, .. } => {
                let local = checked
                    .declared(id)
                    .map(|local| (Some(unit), local.index()));
                if let Some(variable) = local {
                    let part = value.and_then(|value| parts.given(unit, variable, value));
                    self.assign(at, variable, part);
                }
            }
            &StmtKind::Expr(expr) => {
                let expr = ast.without_parentheses(expr);
                if let ExprKind::Assign { op, place, value } = ast.expr(expr).kind
                    && let Some(variable) = variable(checked, unit, place)
                {
                    let part = match op {
                        None => parts.given(unit, variable, value),
                        Some(_) => None,
                    };
                    if !is_fewer {
                        self.assign(at, variable, part);
                    }
                    own = Some(expr);
                }
                if let ExprKind::Step { place, .. } = ast.expr(expr).kind
                    && let Some(variable) = variable(checked, unit, place)
                {
                    if !is_fewer {
                        self.assign(at, variable, None);
                    }
                    own = Some(expr);
                }
            }
            _ => {}
        }
        let mut pending = Vec::new();
        for_each_part(kind, |expr| pending.push(expr), |_| ());
        let (mut calls, mut giving, mut hides) = (Vec::new(), Vec::new(), false);
        while let Some(expr) = pending.pop() {
            match &ast.expr(expr).kind {
                ExprKind::Assign { place, .. } | ExprKind::Step { place, .. }
                    if own != Some(expr) =>
                {
                    hides = true;
                    self.hidden.extend(variable(checked, unit, *place));
                }
                ExprKind::Call { arguments, .. } => match checked.exprs.resolution(expr) {
                    Some(Resolution::Function(function)) => {
                        calls.push((ast.handlers.len() + function.index(), arguments));
                    }
                    Some(Resolution::Library(function)) if pays.contains(&function.name) => {
                        giving.push((Place::Paid, arguments));
                    }
                    Some(Resolution::Library(function)) if function.name == "llMessageLinked" => {
                        giving.push((Place::Sent, arguments));
                    }
                    _ => {}
                },
                _ => {}
            }
            for_each_operand(ast, expr, |operand| pending.push(operand));
        }
        let once = matches!(kind, StmtKind::Expr(_) | StmtKind::Declare { .. });
        match (&calls[..], once || matches!(kind, StmtKind::Return(_))) {
            ([(callee, arguments)], true) if !hides => {
                for (index, &argument) in arguments.iter().enumerate() {
                    let parameter = (Some(*callee), index);
                    let part = parts.given(unit, parameter, argument);
                    self.pass(at, parameter, part);
                }
            }
            _ => {
                for (callee, arguments) in &calls {
                    let given = (0..arguments.len()).map(|index| (Some(*callee), index));
                    self.hidden.extend(given);
                }
            }
        }
        if let ([(place, arguments)], [], true, false) = (&giving[..], &calls[..], once, hides)
            && let Some(part) = arguments
                .get(1)
                .and_then(|&amount| parts.part(unit, amount))
        {
            self.known.entry(at).or_default().push((*place, part));
            if *place == Place::Paid {
                self.pays.insert(at);
            }
        }
    }

    /// A variable is given a value by a statement. One that is not known may be computed by functions
    /// that change the same variable: it counts afterwards.
    fn assign(&mut self, at: At, variable: Variable, part: Option<Part>) {
        match part {
            Some(part) => {
                let place = Place::Variable(variable);
                self.known.entry(at).or_default().push((place, part));
            }
            None => self.unknown.entry(at).or_default().push(variable),
        }
    }

    /// A parameter is given a value before a function runs.
    fn pass(&mut self, at: At, parameter: Variable, part: Option<Part>) {
        match part {
            Some(part) => self.assign(at, parameter, Some(part)),
            None => {
                self.hidden.insert(parameter);
            }
        }
    }
}

/// Writes statements about shadows.
struct Write<'a> {
    checked: &'a Checked,
    shadows: &'a BTreeMap<Variable, GlobalId>,
    pair: Option<&'a Pair>,
    ast: &'a mut Ast,
    span: Span,
}

impl Write<'_> {
    fn name(&mut self, global: GlobalId) -> ExprId {
        let symbol = self.ast.global(global).name.symbol;
        self.symbol(symbol)
    }

    fn symbol(&mut self, symbol: Symbol) -> ExprId {
        let span = self.span;
        self.ast
            .add_expr(ExprKind::Name(Name { symbol, span }), span)
    }

    fn integer(&mut self, number: i32) -> ExprId {
        self.ast.add_expr(ExprKind::Integer(number), self.span)
    }

    /// `global = value;`
    fn assign(&mut self, global: GlobalId, value: ExprId) -> StmtId {
        let place = self.name(global);
        let op = None;
        let kind = ExprKind::Assign { op, place, value };
        let expr = self.ast.add_expr(kind, self.span);
        self.ast.add_stmt(StmtKind::Expr(expr), self.span)
    }

    /// `global = number;`
    fn number(&mut self, global: GlobalId, number: i32) -> StmtId {
        let value = self.integer(number);
        self.assign(global, value)
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let (op_span, span) = (self.span, self.span);
        let kind = ExprKind::Binary {
            op,
            op_span,
            left,
            right,
        };
        self.ast.add_expr(kind, span)
    }

    /// `if (condition) then else otherwise`
    fn choose(&mut self, condition: ExprId, then: StmtId, otherwise: Option<StmtId>) -> StmtId {
        let arms = [(condition, then)].into();
        self.ast
            .add_stmt(StmtKind::If { arms, otherwise }, self.span)
    }

    /// A payment is received, which is watched, or not.
    fn receive(&mut self, (shadow, decides): (GlobalId, bool), watching: GlobalId) -> StmtId {
        let span = self.span;
        let begin = self.number(watching, 1);
        let (all, all_of_other) = match decides {
            true => (WHOLE, OTHER_WHOLE),
            false => (WATCHED + 100, OTHER),
        };
        let watched = self.number(shadow, all);
        let watched = self
            .ast
            .add_stmt(StmtKind::Block([begin, watched].into()), span);
        let other = self.number(shadow, all_of_other);
        let free = self.equals(watching, 0);
        let any = ExprKind::Undecided {
            ty: Type::Integer,
            truth: true,
            after: Box::default(),
        };
        let any = self.ast.add_expr(any, span);
        let condition = self.binary(BinaryOp::And, free, any);
        self.choose(condition, watched, Some(other))
    }

    /// Sets a shadow for a value that is a part of another. Where it decides nothing whether the value is
    /// the whole of a payment, that is not kept.
    fn set(&mut self, (shadow, decides): (GlobalId, bool), part: &Part, to: &mut Vec<StmtId>) {
        let Part::Of {
            variable,
            hundredths,
            not_negative,
            exactly,
        } = part
        else {
            to.push(self.number(shadow, OTHER));
            return;
        };
        let Some(&from) = self.shadows.get(variable) else {
            to.push(self.number(shadow, NONE));
            return;
        };
        let certain = self.certain(shadow, from, exactly.as_ref());
        let mut otherwise = Vec::new();
        if from != shadow {
            let from = self.name(from);
            otherwise.push(self.assign(shadow, from));
        }
        if *exactly != Some(Exactly::Whole) {
            let most = WATCHED + hundredths;
            if self.pair.is_some() || *hundredths < 100 {
                otherwise.push(self.limit(shadow, BinaryOp::Greater, most, most));
            }
        } else if self.pair.is_some() && !decides {
            otherwise.push(self.limit(shadow, BinaryOp::Equal, WHOLE, WATCHED + 100));
        }
        if self.pair.is_some() && !(*exactly == Some(Exactly::Whole) && decides) {
            otherwise.push(self.limit(shadow, BinaryOp::Less, NONE, OTHER));
        }
        for &amount in not_negative {
            let (amount, zero) = (self.copy(amount), self.integer(0));
            let negative = self.binary(BinaryOp::Less, amount, zero);
            let none = self.number(shadow, NONE);
            otherwise.push(self.choose(negative, none, None));
        }
        if certain.is_empty() {
            to.extend(otherwise);
            return;
        }
        let otherwise = StmtKind::Block(otherwise.into());
        let otherwise = self.ast.add_stmt(otherwise, self.span);
        let arms = certain.into();
        let otherwise = Some(otherwise);
        let set = StmtKind::If { arms, otherwise };
        to.push(self.ast.add_stmt(set, self.span));
    }

    /// Sets what goes with a message. Which pair a share is of is known in this script only: for others it may
    /// be all of the payment.
    fn send(&mut self, sent: GlobalId, part: &Part, to: &mut Vec<StmtId>) {
        self.set((sent, false), part, to);
        if self.pair.is_some() {
            let all = WATCHED + 100;
            to.push(self.limit(sent, BinaryOp::Greater, all, all));
            to.push(self.limit(sent, BinaryOp::Less, NONE, OTHER));
        }
    }

    /// Where a value is one of the pair for certain, and what its shadow is there.
    fn certain(
        &mut self,
        shadow: GlobalId,
        from: GlobalId,
        exactly: Option<&Exactly>,
    ) -> Vec<(ExprId, StmtId)> {
        let (Some(pair), Some(exactly)) = (self.pair, exactly) else {
            return Vec::new();
        };
        let share = SHARE + pair.hundredths;
        let ways = match exactly {
            Exactly::Whole => Vec::new(),
            Exactly::Share(other) if *other == pair.share => {
                vec![(WHOLE, None, share), (OTHER_WHOLE, None, OTHER_SHARE)]
            }
            Exactly::Share(other) if pair.is_rest(other) => vec![(WHOLE, None, REST)],
            Exactly::Share(_) => Vec::new(),
            Exactly::LeftBy(other) => match self.shadows.get(other) {
                None => Vec::new(),
                Some(&other) => vec![
                    (WHOLE, Some((other, share)), REST),
                    (OTHER_WHOLE, Some((other, OTHER_SHARE)), OTHER),
                ],
            },
        };
        let ways = ways.into_iter().map(|(whole, taken, code)| {
            let mut condition = self.equals(from, whole);
            if let Some((other, share)) = taken {
                let taken = self.equals(other, share);
                condition = self.binary(BinaryOp::And, condition, taken);
            }
            (condition, self.number(shadow, code))
        });
        ways.collect()
    }

    /// `if (shadow op limit) shadow = number;`
    fn limit(&mut self, shadow: GlobalId, op: BinaryOp, limit: i32, number: i32) -> StmtId {
        let (own, limit) = (self.name(shadow), self.integer(limit));
        let condition = self.binary(op, own, limit);
        let then = self.number(shadow, number);
        self.choose(condition, then, None)
    }

    /// `global == number`
    fn equals(&mut self, global: GlobalId, number: i32) -> ExprId {
        let (global, number) = (self.name(global), self.integer(number));
        self.binary(BinaryOp::Equal, global, number)
    }

    /// An expression that only reads variables, once more.
    fn copy(&mut self, expr: ExprId) -> ExprId {
        let kind = match self.checked.ast.expr(expr).kind.clone() {
            ExprKind::Parenthesized(inner) => ExprKind::Parenthesized(self.copy(inner)),
            ExprKind::Unary { op, operand } => ExprKind::Unary {
                op,
                operand: self.copy(operand),
            },
            ExprKind::Binary {
                op,
                op_span,
                left,
                right,
            } => ExprKind::Binary {
                op,
                op_span,
                left: self.copy(left),
                right: self.copy(right),
            },
            leaf => leaf,
        };
        self.ast.add_expr(kind, self.span)
    }
}

//! Changes of the object: a new owner, another inventory, and all that `changed` tells of besides.
//!
//! One event may tell of several kinds of change. All combinations of those come that the script can
//! tell apart; what it only masks out with `&` it cannot. If it does more with them than that and comparing
//! them with constants, it may tell any apart.

use model::{Choice, Cut, CutBy, ExprId, Place, Stmt};
use source::Span;

use super::arrival::Arrival;
use super::events::handling;
use super::permissions::{self, constant_mask};
use crate::ast::{self, BinaryOp, ExprKind, StateId};
use crate::check::Resolution;
use crate::facts;
use crate::lower::{Build, Input, for_each_operand, for_each_part};

/// `changed`: the object has a new owner.
const CHANGED_OWNER: i32 = 0x80;
/// `changed`: something in the inventory is other than before.
const CHANGED_INVENTORY: i32 = 0x1;

/// Of so many kinds of change all combinations come.
const MOST_COMBINED: usize = 7;

/// A sale: the object gets another owner. `changed` comes at once.
pub(super) fn owner(input: Input<'_>, build: &mut Build) {
    let news = News::of(input);
    let owner = build.world.owner;
    let current = build.read(owner);
    let [first, second] = build.world.owners;
    let sold = build.equal(current, second);
    let other = build.choose_by(sold, first, second);
    let granted = build.world.granted;
    let permissions = build.read(granted);
    // The new owner has allowed nothing yet.
    let without_debit = build.int(!permissions::DEBIT);
    let kept = build.arithmetic(model::Binary::BitAnd, permissions, without_debit);
    let flags = news.with(CHANGED_OWNER, 0);
    let mut body = vec![build.set(owner, other), build.set(granted, kept)];
    body.extend(build.owner_changes(&[current]));
    change(input, build, &news, "owner changes", &flags, None, body);
}

/// Somebody puts something into the inventory or takes it out: an item that the script can name, or
/// another one.
pub(super) fn inventory(input: Input<'_>, build: &mut Build) {
    let news = News::of(input);
    let flags = news.with(CHANGED_INVENTORY, CHANGED_OWNER);
    let changes = |build: &Build| Stmt::Emit {
        event: build.world.events.inventory_changes,
        args: Vec::new(),
        span: Span::NONE,
    };
    if news.kinds.contains(&CHANGED_INVENTORY) {
        let body = vec![changes(build)];
        heard(input, build, &news, &flags, None, body);
    }
    let waiting = build.world.inventory.waiting();
    if waiting.is_empty() {
        return;
    }
    let matters = build.is_in(&waiting);
    for index in 0..build.world.items.len() {
        let present = build.world.items[index].present;
        let there = build.read(present);
        let other = build.not(there);
        let body = vec![changes(build), build.set(present, other)];
        change(
            input,
            build,
            &news,
            "inventory changes",
            &flags,
            Some(matters),
            body,
        );
    }
}

/// Changes that have no meaning of their own here.
pub(super) fn others(input: Input<'_>, build: &mut Build) {
    let news = News::of(input);
    if news.states.is_empty() {
        return;
    }
    let mut members = news.with(0, CHANGED_INVENTORY | CHANGED_OWNER);
    members.retain(|&flags| flags != 0);
    members.extend(news.other);
    members.sort_unstable();
    members.dedup();
    if news.is_cut() {
        build.program.cut(Cut {
            text: "`changed` tells of one kind of change, of two, or of all".to_owned(),
            by: CutBy::Default,
            span: Span::NONE,
            properties: None,
        });
    }
    let members = members.into_iter().map(|flag| build.int(flag)).collect();
    let place = build.world.arguments["changed"][0];
    let kinds = build.brought(Place::global(place), "changed.changes", members);
    arrives(input, build, kinds, None, Vec::new());
}

/// What one `changed` event may tell of.
struct News {
    /// The states that handle it.
    states: Vec<StateId>,
    /// The kinds of change that the script can tell apart.
    kinds: Vec<i32>,
    /// One that it cannot.
    other: Option<i32>,
}

impl News {
    fn of(input: Input<'_>) -> News {
        let told = told_apart(input);
        let bits = told.map_or(-1, |told| told.bits);
        let (mut kinds, others): (Vec<i32>, Vec<i32>) =
            change_kinds().partition(|flag| bits & flag != 0);
        let other = others.first().copied();
        if told.is_some_and(|told| told.whole) {
            // It makes a difference whether this comes with the others.
            kinds.extend(other);
        }
        News {
            states: handling(input, "changed"),
            kinds,
            other,
        }
    }

    /// Whether not all combinations are followed.
    fn is_cut(&self) -> bool {
        self.kinds.len() > MOST_COMBINED
    }

    /// A kind of change, alone and with others that are not among those left out.
    fn with(&self, kind: i32, without: i32) -> Vec<i32> {
        let others: Vec<i32> = self
            .kinds
            .iter()
            .copied()
            .filter(|flag| flag & (without | kind) == 0)
            .collect();
        if self.is_cut() {
            let pairs = others
                .iter()
                .flat_map(|one| others.iter().map(move |other| one | other));
            let all = others.iter().fold(0, |all, flag| all | flag);
            return [0, all]
                .into_iter()
                .chain(pairs)
                .map(|flags| kind | flags)
                .collect();
        }
        (0_u32..1 << others.len())
            .map(|subset| {
                let chosen = others
                    .iter()
                    .enumerate()
                    .filter(|(index, _)| subset & (1 << index) != 0);
                chosen.fold(kind, |all, (_, flag)| all | flag)
            })
            .collect()
    }
}

/// What handlers of `changed` look at.
#[derive(Clone, Copy, Default)]
struct Told {
    /// Bits of the kinds of change.
    bits: i32,
    /// Whether they look at all kinds together, too: whether they are a number with these bits.
    whole: bool,
}

/// What handlers of `changed` look at, if all that they do with the kinds of change is to look at some of
/// them (`change & CHANGED_OWNER`), and to compare them with constants (`change == CHANGED_OWNER`).
fn told_apart(input: Input<'_>) -> Option<Told> {
    if input.watch.brought.contains("changed") {
        return None;
    }
    let checked = input.checked;
    let ast = &checked.ast;
    let mut told = Told::default();
    for handler in ast.handler_ids() {
        if checked
            .event(handler)
            .is_none_or(|event| event.name != "changed")
        {
            continue;
        }
        let mut exprs = Vec::new();
        let mut stmts = vec![ast.handler(handler).body];
        while let Some(stmt) = stmts.pop() {
            for_each_part(&ast.stmt(stmt).kind, |e| exprs.push(e), |s| stmts.push(s));
        }
        let is_kinds = |id: ast::ExprId| {
            let id = ast.without_parentheses(id);
            matches!(
                checked.exprs.resolution(id),
                Some(Resolution::Local(local)) if local.index() == 0
            )
        };
        while let Some(expr) = exprs.pop() {
            if let ExprKind::Binary {
                op: op @ (BinaryOp::BitAnd | BinaryOp::Equal | BinaryOp::NotEqual),
                left,
                right,
                ..
            } = ast.expr(expr).kind
            {
                let mask = match (is_kinds(left), is_kinds(right)) {
                    (true, false) => constant_mask(input, right),
                    (false, true) => constant_mask(input, left),
                    _ => None,
                };
                if let Some(mask) = mask {
                    told.bits |= mask;
                    told.whole |= op != BinaryOp::BitAnd;
                    continue;
                }
            }
            if is_kinds(expr) {
                return None;
            }
            for_each_operand(ast, expr, |operand| exprs.push(operand));
        }
    }
    Some(told)
}

/// The kinds of change that there are.
fn change_kinds() -> impl Iterator<Item = i32> {
    facts::constants().iter().filter_map(|constant| {
        match (&constant.value, constant.name.starts_with("CHANGED_")) {
            (&facts::Value::Integer(flag), true) => Some(flag),
            _ => None,
        }
    })
}

/// A change of a fact: with the script hearing of it at once, or where it does not handle
/// `changed`.
fn change(
    input: Input<'_>,
    build: &mut Build,
    news: &News,
    name: &str,
    flags: &[i32],
    guard: Option<ExprId>,
    body: Vec<Stmt>,
) {
    heard(input, build, news, flags, guard, body.clone());
    let unheard = build.unheard(&news.states);
    let dead = build.read(build.world.dead);
    let lives = build.not(dead);
    let guard = build.all(guard.into_iter().chain([unheard, lives]));
    let mut step = build.idle_step();
    step.guard = guard;
    step.body = body;
    build.world_step(name, step);
}

/// A change that the script hears of at once, in states that handle `changed`.
fn heard(
    input: Input<'_>,
    build: &mut Build,
    news: &News,
    flags: &[i32],
    guard: Option<ExprId>,
    body: Vec<Stmt>,
) {
    if news.states.is_empty() {
        return;
    }
    let place = build.world.arguments["changed"][0];
    let flags = flags.iter().map(|&flag| build.int(flag)).collect();
    let kinds = Build::one_of(Place::global(place), "changed.changes", flags);
    arrives(input, build, kinds, guard, body);
}

/// `changed` arrives in a state that handles it, with the kinds of change that are chosen.
fn arrives(
    input: Input<'_>,
    build: &mut Build,
    kinds: Choice,
    guard: Option<ExprId>,
    body: Vec<Stmt>,
) {
    let guard = build.while_handled(input, "changed", guard);
    build.arrive(
        input.member,
        Arrival {
            event: "changed",
            binds: vec![kinds],
            guard,
            body,
        },
    );
}

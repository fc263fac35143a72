//! Permissions: what the script asks for is granted or refused, and ends in other ways, too.
//!
//! A request replaces an earlier one, but that may have been answered already: where the avatar
//! sits on the object or wears it, all permissions but that to take money are granted at once. So
//! while such a request is open and the script makes another, the answers to both may come. What is
//! granted is so from the moment
//! of the answer, before the script hears of it. Whoever has granted that the script animates or
//! steers may end that at any time, of which the script hears nothing.

use std::collections::BTreeSet;

use model::{Binary, Choice, ExprId, Lifetime, Place, Stmt};
use source::Span;

use super::arrival::Arrival;
use super::events::handling;
use super::items::constant_integer;
use crate::ast::{self, BinaryOp, ExprKind};
use crate::check::Resolution;
use crate::lower::flow::Holder;
use crate::lower::{Build, Input, for_each_part};
use crate::watch::Fact;

/// To take the owner's money.
pub(crate) const DEBIT: i32 = 0x2;
/// To steer.
pub(crate) const TAKE_CONTROLS: i32 = 0x4;
/// To play animations, and to replace those of the avatar.
const ANIMATE: i32 = 0x10 | 0x8000;
/// What an experience may do: steer, animate, attach, follow and move the camera, teleport.
const EXPERIENCE: i32 = TAKE_CONTROLS | 0x10 | 0x20 | 0x400 | 0x800 | 0x1000;

/// Whether the script or a property asks what is granted.
fn are_read(input: Input<'_>) -> bool {
    are_told_apart(input) || input.watch.facts.contains(&Fact::Granted)
}

/// Whether it makes a difference that they are granted before the script hears of it.
pub(super) fn are_told_apart(input: Input<'_>) -> bool {
    let reads = ["llGetPermissions", "llGetPermissionsKey"];
    let facts = &input.watch.facts;
    input.survey.calls_any(&reads)
        || facts.contains(&Fact::GrantedBetween)
        || (facts.contains(&Fact::Granted) && takes_away(input))
}

/// Whether what is granted may take the place of something else that was: the script asks for one
/// permission here and for another there, or somebody else than the owner for the owner's money and more.
fn takes_away(input: Input<'_>) -> bool {
    let first = requests(input).next().and_then(|(mask, _)| mask);
    requests(input).any(|(mask, of_owner)| {
        let all_or_none = of_owner || mask.is_some_and(|mask| mask & DEBIT == 0 || mask == DEBIT);
        mask.is_none() || mask != first || !all_or_none
    })
}

/// Whether a permission that is asked for again, and refused, counts until the script hears of it.
pub(super) fn counts_until_heard(input: Input<'_>) -> bool {
    let heard = !handling(input, "run_time_permissions").is_empty();
    heard && are_read(input) && !are_told_apart(input) && asks_again(input)
}

/// The requests of the script: what each asks for, if that is written in it, and whether it asks the owner.
fn requests<'i>(input: Input<'i>) -> impl Iterator<Item = (Option<i32>, bool)> + use<'i> {
    let ast = &input.checked.ast;
    let sites = input.survey.calls.get("llRequestPermissions");
    let calls = sites.into_iter().flatten();
    calls.filter_map(move |&site| {
        let ExprKind::Call { arguments, .. } = &ast.expr(site).kind else {
            return None;
        };
        let of_owner = matches!(
            input.checked.exprs.resolution(arguments[0]),
            Some(Resolution::Library(function)) if function.name == "llGetOwner"
        );
        Some((constant_mask(input, arguments[1]), of_owner))
    })
}

/// The masks that the script asks for; `None` if some are not written in it.
pub(super) fn masks(input: Input<'_>) -> Option<BTreeSet<i32>> {
    let mut masks = BTreeSet::new();
    for (mask, of_owner) in requests(input) {
        let mask = mask?;
        masks.insert(mask);
        if !of_owner {
            masks.insert(mask & !DEBIT);
        }
    }
    Some(masks)
}

/// Whether the owner's money may be asked for again before the script has heard of an answer.
pub(super) fn asks_for_money_again(input: Input<'_>) -> bool {
    masks(input).is_none_or(|masks| masks.iter().any(|mask| mask & DEBIT != 0)) && asks_again(input)
}

/// Whether permissions may be asked for more than once.
fn asks_again(input: Input<'_>) -> bool {
    let sites = input.survey.calls.get("llRequestPermissions");
    let ast = &input.checked.ast;
    let comes_back = |state: ast::StateId| {
        let mut stmts = (0..ast.stmt_count()).map(ast::StmtId::new);
        stmts.any(|id| input.checked.target_state(id) == Some(state))
    };
    // At the entry of a state to which no way leads back but a reset.
    let once = |site: ast::ExprId| {
        ast.handler_ids().any(|id| {
            if comes_back(ast.handler(id).state) {
                return false;
            }
            let event = input.checked.event(id);
            let mut stmts = vec![ast.handler(id).body];
            let mut exprs = Vec::new();
            while let Some(stmt) = stmts.pop() {
                let kind = &ast.stmt(stmt).kind;
                for_each_part(kind, |e| exprs.push(e), |s| stmts.push(s));
            }
            event.is_some_and(|event| event.name == "state_entry") && exprs.contains(&site)
        })
    };
    match sites.map(Vec::as_slice) {
        None => false,
        Some(&[only]) => !once(only),
        Some(_) => true,
    }
}

/// The value of a mask that is put together from constants.
pub(super) fn constant_mask(input: Input<'_>, id: ast::ExprId) -> Option<i32> {
    let ast = &input.checked.ast;
    let id = ast.without_parentheses(id);
    match &ast.expr(id).kind {
        ExprKind::Binary {
            op: BinaryOp::BitOr | BinaryOp::Add,
            left,
            right,
            ..
        } => Some(constant_mask(input, *left)? | constant_mask(input, *right)?),
        _ => constant_integer(input, id),
    }
}

/// The answers to `llRequestPermissions`: everything that was asked for, or nothing.
pub(super) fn answers(input: Input<'_>, build: &mut Build) {
    if !input.survey.calls_any(&["llRequestPermissions"]) {
        return;
    }
    let asking = build.read(build.world.asking);
    let earlier = build.read(build.world.earlier);
    for heard in [true, false] {
        if heard && handling(input, "run_time_permissions").is_empty() {
            continue;
        }
        let asked = build.read(build.world.asked);
        let none = build.int(0);
        let (mut body, agent) = (
            vec![
                build.set_flag(build.world.asking, false),
                build.set(build.world.asked, none),
            ],
            build.world.agent,
        );
        if let Some((agent, granter)) = agent.zip(build.world.granter) {
            let who = build.read(agent);
            let nobody = build.text("");
            body.push(build.set(granter, who));
            body.push(build.set(agent, nobody));
        }
        if let Some(settled) = build.world.settled {
            body.push(build.set_flag(settled, false));
        }
        answer(input, build, heard, (asking, asked), Vec::new(), body);
        let Some((binds, more)) = earlier_request(input, build) else {
            continue;
        };
        let asked = build.read(build.world.earlier_mask);
        let harmless = build.int(!DEBIT);
        let asked = build.arithmetic(Binary::BitAnd, asked, harmless);
        answer(input, build, heard, (earlier, asked), binds, vec![more]);
    }
}

/// The answer is there, and the script has not heard of it yet.
pub(super) fn answers_unheard(input: Input<'_>, build: &mut Build) {
    let states = handling(input, "run_time_permissions");
    let Some(settled) = build.world.settled.filter(|_| !states.is_empty()) else {
        return;
    };
    let asked = build.read(build.world.asked);
    let granted = build.world.granted;
    let zero = build.int(0);
    let mut step = build.idle_step();
    let here = build.is_in(&states);
    let asking = build.read(build.world.asking);
    let already = build.read(settled);
    let open = build.not(already);
    step.guard = build.all([here, asking, open]);
    step.binds = vec![Build::one_of(
        Place::global(granted),
        "permissions granted",
        vec![asked, zero],
    )];
    let answer = build.read(granted);
    step.body = vec![
        Stmt::Emit {
            event: build.world.events.answered,
            args: vec![asked, answer],
            span: Span::NONE,
        },
        build.set(build.world.asked, answer),
        build.set_flag(settled, true),
    ];
    if let Some((agent, granter)) = build.world.agent.zip(build.world.granter) {
        let who = build.read(agent);
        step.body.push(build.set(granter, who));
    }
    build.world_step("permissions granted", step);
}

/// What an earlier request asked for and whom; and the choice, once it is answered, whether there are
/// more of them. `None` if it always is the owner's money that is asked for.
fn earlier_request(input: Input<'_>, build: &mut Build) -> Option<(Vec<Choice>, Stmt)> {
    let place = Place::global(build.world.earlier_mask);
    let what = "permissions asked for earlier";
    let mut mask = match masks(input) {
        Some(masks) => {
            let granted_at_once = masks.into_iter().filter(|mask| mask & DEBIT == 0);
            let members: Vec<ExprId> = granted_at_once.map(|mask| build.int(mask)).collect();
            if members.is_empty() {
                return None;
            }
            Build::one_of(place, what, members)
        }
        None => super::sample::choice_of_integers(build, input.survey, place, what),
    };
    mask.outside = Some(build.outside(what, Span::NONE, Lifetime::Reading, true));
    let (no, yes) = (build.bool(false), build.bool(true));
    let earlier = Place::global(build.world.earlier);
    let more = build.brought(earlier, "whether more answers are due", vec![no, yes]);
    let mut binds = vec![mask];
    if let Some(granter) = build.world.granter {
        let class = build.flow.class_of(Holder::Fact("who granted permissions"));
        binds.push(build.somebody(Place::global(granter), "who is asked", class));
    }
    Some((binds, Stmt::Choose(more)))
}

/// An answer to a request: when it may come, and what was asked for.
fn answer(
    input: Input<'_>,
    build: &mut Build,
    heard: bool,
    (due, asked): (ExprId, ExprId),
    mut binds: Vec<Choice>,
    rest: Vec<Stmt>,
) {
    let states = handling(input, "run_time_permissions");
    let granted = build.world.granted;
    let place = if heard {
        build.world.arguments["run_time_permissions"][0]
    } else {
        granted
    };
    let zero = build.int(0);
    let is_earlier = !binds.is_empty();
    let settled = build.world.settled.filter(|_| !is_earlier);
    let settled = settled.map(|settled| build.read(settled));
    let refused = match settled {
        Some(settled) => build.choose_by(settled, asked, zero),
        None => zero,
    };
    binds.push(Build::one_of(
        Place::global(place),
        "permissions granted",
        vec![asked, refused],
    ));
    let answer = build.read(place);
    let mut body = vec![Stmt::Emit {
        event: build.world.events.answered,
        args: vec![asked, answer],
        span: Span::NONE,
    }];
    if heard && is_earlier {
        // The later request may have been answered before the script hears of this one.
        let later = build.read(build.world.asked);
        binds.push(build.brought(
            Place::global(granted),
            "permissions granted meanwhile",
            vec![answer, later],
        ));
    } else {
        body.push(build.set(granted, answer));
    }
    if let Some(settled) = settled {
        body = vec![Stmt::If(settled, Vec::new(), body)];
    }
    body.extend(rest);
    if heard {
        let guard = build.while_handled(input, "run_time_permissions", Some(due));
        build.arrive(
            input.member,
            Arrival {
                event: "run_time_permissions",
                binds,
                guard,
                body,
            },
        );
    } else {
        let unheard = build.unheard(&states);
        let mut step = build.idle_step();
        step.guard = Some(build.and(due, unheard));
        step.binds = binds;
        step.body = body;
        let id = build.world_step("run_time_permissions", step);
        build.world_process.steps[id.index()].label = Some("permissions answered".to_owned());
    }
}

/// Whoever granted it ends that the script steers, or that it animates.
pub(super) fn ends(input: Input<'_>, build: &mut Build) {
    if !are_read(input) {
        return;
    }
    let asks = input.survey.calls_any(&["llRequestPermissions"]);
    let mut possible = match masks(input) {
        Some(masks) => masks.into_iter().fold(0, |all, mask| all | mask),
        None => -1,
    };
    if input.survey.calls_any(&["llRequestExperiencePermissions"]) {
        possible |= EXPERIENCE | ANIMATE;
    } else if !asks {
        return;
    }
    for mask in [TAKE_CONTROLS, ANIMATE] {
        if possible & mask == 0 {
            continue;
        }
        let granted = build.read(build.world.granted);
        let (bits, none) = (build.int(mask), build.int(0));
        let some = build.arithmetic(Binary::BitAnd, granted, bits);
        let none_is = build.equal(some, none);
        let others = build.int(!mask);
        let rest = build.arithmetic(Binary::BitAnd, granted, others);
        let mut step = build.idle_step();
        step.guard = Some(build.not(none_is));
        step.body = vec![build.set(build.world.granted, rest)];
        build.world_step("permissions end", step);
    }
}

/// What an experience may do once somebody takes part in it.
pub(super) fn of_experience(input: Input<'_>, build: &mut Build) -> Vec<Choice> {
    if !are_read(input) {
        return Vec::new();
    }
    let granted = build.world.granted;
    let before = build.read(granted);
    let what = "permissions of the experience";
    let mut members = Vec::new();
    for mask in [EXPERIENCE, EXPERIENCE | ANIMATE] {
        let mask = build.int(mask);
        members.push(mask);
        members.push(build.arithmetic(Binary::BitOr, before, mask));
    }
    let outside = build.outside(what, Span::NONE, Lifetime::Reading, false);
    let mut binds = vec![build.chosen(Place::global(granted), what, members, outside)];
    if let Some(granter) = build.world.granter {
        let who = build.world.arguments["experience_permissions"][0];
        let who = build.read(who);
        binds.push(Build::one_of(
            Place::global(granter),
            "who takes part",
            vec![who],
        ));
    }
    binds
}

//! The first values of the script's variables, and the program made whole.

use std::collections::BTreeMap;

use model::{
    Assumption, Cut, CutBy, ExprId, Fault, Lifetime, Location, Mode, Origin, Program, Start,
    ValueSet,
};
use source::Span;

use super::{SCRIPT, WORLD, events};
use crate::ast;
use crate::library::{self, PureEntry};
use crate::lower::{Build, Coder, Extras, Input, Pure, Unit, call_key, change_key, handled_key};
use crate::types::Type;
use crate::watch::{During, Facts, Layout};

/// The name that belongs to a key: what the world decides, equal for equal keys; that of a text
/// which is no key is empty.
static NAME_OF: PureEntry = PureEntry {
    name: "llKey2Name",
    result: Type::String,
    eval: |table, args| {
        Ok(match &*table.get(args[0].rich()) {
            model::Rich::Text(text) if !library::is_identity(text) => table.text(""),
            _ => library::unknown(table, "llKey2Name", args),
        })
    },
    determined: |_, _| Ok(model::Value::Bool(true)),
};

/// Functions that read notecards, or say which there are.
const NOTECARDS: [&str; 5] = [
    "llGetInventoryName",
    "llGetInventoryNumber",
    "llGetNotecardLine",
    "llGetNotecardLineSync",
    "llGetNumberOfNotecardLines",
];

/// The name of somebody.
pub(crate) fn name_of(build: &mut Build, key: ExprId) -> ExprId {
    build.apply(&NAME_OF, &[key])
}

/// Variables that already have a first value, for the initialisers behind them.
struct Earlier<'a>(&'a [ExprId]);

impl Extras for Earlier<'_> {
    fn global(&self, _: &mut Program, global: ast::GlobalId) -> Option<ExprId> {
        self.0.get(global.index()).copied()
    }

    fn variable(&self, _: &mut Program, _: u32) -> Option<ExprId> {
        None
    }

    fn call(&self, _: &mut Pure<'_, '_>, _: u32, _: &[ast::ExprId]) -> Option<ExprId> {
        None
    }
}

/// Gives the script's variables their first values, which are constants.
pub(crate) fn first_values(input: Input<'_>, build: &mut Build) {
    let ast = &input.checked.ast;
    let mut values: Vec<ExprId> = Vec::new();
    for id in ast.global_ids() {
        let global = ast.global(id);
        let earlier = Earlier(&values);
        let mut coder = Coder::new(input, build, &[], Unit::Pure);
        coder.extras = Some(&earlier);
        let value = match global.value {
            Some(value) => coder.stored_value(value, global.ty),
            None => coder.zero(global.ty),
        };
        build.program.globals[build.globals[id.index()].index()].init = Some(ValueSet::One(value));
        values.push(value);
    }
    build.first_values = values;
}

/// Adds the world, puts the processes into the program, and says where everything is.
pub(crate) fn close(input: Input<'_>, build: &mut Build) -> Layout {
    begin_world(build);
    events::steps(input, build);
    let program = &mut build.program;
    let world = std::mem::replace(&mut build.world_process, model::Process::new("world"));
    let script = std::mem::replace(&mut build.script, model::Process::new("script"));
    let ids = (program.add_process(world), program.add_process(script));
    assert_eq!(ids, (WORLD, SCRIPT), "the world comes first");
    program.start = [WORLD, SCRIPT]
        .map(|process| Start {
            process,
            args: Vec::new(),
        })
        .into();
    add_faults(program);
    tell_assumptions(input, build);
    layout(input, build)
}

/// The world's process, without steps.
pub(crate) fn begin_world(build: &mut Build) {
    build.world_process.environment = true;
    build.world_process.locations.push(Location {
        name: "the world".to_owned(),
        mode: Mode::Open,
        end: true,
        span: Span::NONE,
    });
}

/// The faults that a script can raise.
pub(crate) fn add_faults(program: &mut Program) {
    let math_error = program.add_fault(Fault {
        name: "math-error".to_owned(),
        message: "division by zero, or a result that is no number".to_owned(),
    });
    assert_eq!(
        math_error,
        library::MATH_ERROR,
        "the library numbers faults"
    );
    let stack_heap = program.add_fault(Fault {
        name: "stack-heap-collision".to_owned(),
        message: "the script runs out of memory".to_owned(),
    });
    assert_eq!(
        stack_heap,
        library::STACK_HEAP,
        "the library numbers faults"
    );
    program.division_fault = Some(math_error);
    program.stack_fault = Some(stack_heap);
}

/// What is assumed of the script's world.
pub(crate) fn tell_assumptions(input: Input<'_>, build: &mut Build) {
    assumptions(input, build);
    bounds_of_events(input, build);
}

fn assume(build: &mut Build, text: impl Into<String>, origin: Origin, span: Span) {
    build.program.add_assumption(Assumption {
        text: text.into(),
        origin,
        properties: None,
        span,
    });
}

/// What the environment may do, and what it may not.
fn assumptions(input: Input<'_>, build: &mut Build) {
    if build.world.dialog.is_some() {
        match input
            .bounds
            .get("amount")
            .or_else(|| input.bounds.get("money.amount"))
        {
            Some(bound) => assume(
                build,
                format!("payments are of L${} to L${}", bound.lo.max(0), bound.hi),
                Origin::Bound,
                bound.span,
            ),
            None if input.survey.has_representatives => {}
            None => assume(
                build,
                "payments of any amount are tried at small amounts and those that the script names",
                Origin::Sample,
                Span::NONE,
            ),
        }
        match input.bounds.get("lost-payments") {
            Some(bound) => assume(
                build,
                format!(
                    "at most {} payments wait in the queue when it is emptied",
                    bound.hi
                ),
                Origin::Bound,
                bound.span,
            ),
            None if build.samples_lost_payments => assume(
                build,
                "of the payments that wait in the queue when it is emptied, few are tried",
                Origin::Sample,
                Span::NONE,
            ),
            None => {}
        }
        if super::payments::slow_states(input).is_empty() {
            assume(
                build,
                "handlers take no time, so the event queue of 64 never fills",
                Origin::Semantics,
                Span::NONE,
            );
        }
    }
    let happenings = happenings(build);
    assume(
        build,
        format!("nothing happens to the script but {happenings}"),
        Origin::Semantics,
        Span::NONE,
    );
    if let Some((_, most)) = build.world.since_timer
        && let Some(bound) = input.bounds.get("events-per-timer")
    {
        assume(
            build,
            format!("at most {most} events are handled between two timer events"),
            Origin::Bound,
            bound.span,
        );
    }
    let changes_meanwhile = |name: &&str| {
        let lifetime = crate::facts::role(name).and_then(|role| role.lifetime);
        matches!(lifetime, Some(Lifetime::Step | Lifetime::Event))
    };
    if input.survey.calls.keys().any(changes_meanwhile) {
        assume(
            build,
            "nobody changes what a handler reads while it runs, but where it sleeps",
            Origin::Semantics,
            Span::NONE,
        );
    }
    if super::permissions::asks_for_money_again(input) {
        assume(
            build,
            "another request for PERMISSION_DEBIT takes the place of one whose answer the script has \
             not heard",
            Origin::Semantics,
            Span::NONE,
        );
    }
    if super::permissions::counts_until_heard(input) {
        assume(
            build,
            "a permission that is asked for again and refused counts until the script hears of it",
            Origin::Semantics,
            Span::NONE,
        );
    }
    detections(input, build);
    let answers = ["dataserver", "http_response"];
    if !build.world.requests.is_empty()
        || answers
            .iter()
            .any(|event| !events::handling(input, event).is_empty())
    {
        assume(
            build,
            "replies come only to the script's own requests",
            Origin::Semantics,
            Span::NONE,
        );
    }
    let of_the_object = [
        "llGetOwner",
        "llGetPermissionsKey",
        "llGetOwnerKey",
        "llGetKey",
        "llGetStartParameter",
        "llGetStartString",
    ];
    let is_read = input.survey.calls_any(&of_the_object)
        || input.watch.facts.contains(&crate::watch::Fact::Owner);
    if is_read && !input.survey.sleeping.is_empty() {
        assume(
            build,
            "the object is not sold, taken or rezzed while the script sleeps",
            Origin::Semantics,
            Span::NONE,
        );
    }
    if input.survey.calls_any(&["llGetKey"]) {
        assume(
            build,
            "the object keeps its key: it is not taken and rezzed anew",
            Origin::Semantics,
            Span::NONE,
        );
    }
    if input.survey.calls_any(&NOTECARDS) {
        notecards(input, build);
    }
    let news = ["changed", "on_rez"];
    let hears = news
        .iter()
        .any(|event| !events::handling(input, event).is_empty());
    if is_read && hears {
        assume(
            build,
            "the script hears that it was sold or rezzed before it hears of anything else",
            Origin::Semantics,
            Span::NONE,
        );
    }
    if build.world.rezzing.is_some() {
        assume(
            build,
            "nobody pays an object that was rezzed before the script has handled `on_rez`",
            Origin::Semantics,
            Span::NONE,
        );
    }
    if !input.survey.functions.is_empty() {
        assume(
            build,
            format!(
                "a Stack-Heap Collision happens when {} calls of functions are open",
                crate::lower::MOST_CALLS
            ),
            Origin::Semantics,
            Span::NONE,
        );
    }
}

/// How many may be detected at a time, for each event of which the script asks.
fn detections(input: Input<'_>, build: &mut Build) {
    for event in crate::facts::events() {
        let asks = build.world.number_detected.is_some()
            || input
                .survey
                .used_parameters
                .contains(&(event.name.to_owned(), 0));
        let name = format!("{}.num_detected", event.name);
        if !event.detected
            || !asks
            || events::handling(input, event.name).is_empty()
            || input.bounds.get(&name).is_some()
        {
            continue;
        }
        if build.world.number_detected.is_some() {
            build.program.cut(Cut {
                text: format!(
                    "{name} is 1 or {}: `--bound {name}=1..N` for more",
                    events::MOST_FOLLOWED
                ),
                by: CutBy::Default,
                span: Span::NONE,
                properties: None,
            });
        } else {
            let text = format!("{name} is at most {}", events::MOST_DETECTED);
            assume(build, text, Origin::Semantics, Span::NONE);
        }
    }
}

/// What the world may do, in words.
fn happenings(build: &Build) -> String {
    let mut found: Vec<String> = Vec::new();
    let mut steps: Vec<(&String, model::StepId)> = build
        .world
        .steps
        .iter()
        .filter_map(|(name, steps)| Some((name, steps.first()?.1)))
        .collect();
    steps.sort_by_key(|(_, first)| *first);
    for (name, _) in steps {
        let words = match name.as_str() {
            "nothing happens" => continue,
            "money" | "money unseen" => "payments",
            "queue overflows" => "floods of events while it sleeps",
            "timer" | "timer unheard" => "its timer",
            "run_time_permissions" => "answers to its requests for permissions",
            "owner changes" => "a new owner",
            "permissions granted" => "answers to its requests for permissions",
            "permissions end" => "the end of permissions",
            "start parameter lost" => "changes of region",
            "inventory changes" => "changes of the object's inventory",
            "changed" => "news of changes",
            "touch" | "touch_start" | "touch_end" => "touches",
            "collision" | "collision_start" | "collision_end" => "collisions",
            "listen" => "messages that it listens to",
            other => {
                let event = other.trim_end_matches(" unheard");
                let words = format!("`{event}` events");
                if !found.contains(&words) {
                    found.push(words);
                }
                continue;
            }
        };
        if !found.iter().any(|other| other == words) {
            found.push(words.to_owned());
        }
    }
    match found.split_last() {
        None => "time passing".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// Bounds on the values of events, such as `touch_start.num_detected`.
fn bounds_of_events(input: Input<'_>, build: &mut Build) {
    for (name, bound) in &input.bounds.ranges {
        if name.contains('.') && name != "money.amount" {
            assume(
                build,
                format!("{name} is from {} to {}", bound.lo, bound.hi),
                Origin::Bound,
                bound.span,
            );
        }
    }
}

/// Where everything is.
pub(crate) fn layout(input: Input<'_>, build: &mut Build) -> Layout {
    let strip = |build: &Build, prefix: &str| -> BTreeMap<String, model::EventId> {
        build
            .events
            .iter()
            .filter_map(|(key, &id)| Some((key.strip_prefix(prefix)?.to_owned(), id)))
            .collect()
    };
    let calls = strip(build, &call_key(""));
    let handled = strip(build, &handled_key(""));
    let changes = input
        .checked
        .ast
        .global_ids()
        .filter_map(|id| Some((id, *build.events.get(&change_key(id))?)))
        .collect();
    let world = &build.world;
    let during = world
        .during
        .iter()
        .map(|(&event, &active)| {
            let parameters = world.arguments.get(event).cloned().unwrap_or_default();
            (event.to_owned(), During { active, parameters })
        })
        .collect();
    Layout {
        globals: build.globals.clone(),
        state: world.state,
        states: world.states,
        calls,
        changes,
        handled,
        during,
        world: world.events.clone(),
        facts: Facts {
            owner: Some(world.owner),
            granted: Some(world.granted),
            armed: Some(world.armed),
            items: world.items.clone(),
        },
        steps: world.steps.clone(),
        identities: world.identities.clone(),
    }
}

/// Says that notecards are known, if there are any.
fn notecards(input: Input<'_>, build: &mut Build) {
    let names: Vec<String> = input
        .bounds
        .notecards
        .iter()
        .map(|card| format!("`{}` ({})", card.name, card.file))
        .collect();
    if names.is_empty() {
        return;
    }
    let are = if names.len() == 1 {
        "notecard is"
    } else {
        "notecards are"
    };
    build.program.cut(Cut {
        text: format!(
            "the object's only {are} {}, which nobody changes",
            names.join(", ")
        ),
        by: CutBy::Stated,
        span: Span::NONE,
        properties: None,
    });
}

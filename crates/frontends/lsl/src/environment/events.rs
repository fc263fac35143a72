//! The steps of the world, one kind of event after the other.
//!
//! When an event can happen is told by two tables of the lowering (requests and switches) and by
//! the rules below for the events with a meaning of their own; everything else happens at any
//! time. Which values an event comes with is chosen among representatives, or within a bound of
//! the form `EVENT.PARAMETER = lo..hi`.

use model::{Choice, ExprId, Place, Stmt, ValueSet};
use source::Span;

use super::arrival::Arrival;
use super::{payments, sample};
use crate::ast::StateId;
use crate::facts;
use crate::lower::effects;
use crate::lower::spoken;
use crate::lower::{Build, Input};
use crate::types::Type;

/// `changed`: the object has a new owner.
pub(crate) const CHANGED_OWNER: i32 = 0x80;
/// `changed`: something in the inventory is other than before.
pub(crate) const CHANGED_INVENTORY: i32 = 0x1;

/// Adds all steps of the world.
pub(crate) fn steps(input: Input<'_>, build: &mut Build) {
    let nothing = build.idle_step();
    build.world_step("nothing happens", nothing);
    payments::payments(input, build, &handling(input, "money"));
    timer(input, build);
    permissions(input, build);
    owner(input, build);
    inventory(input, build);
    listens(input, build);
    requests(input, build);
    for event in facts::events() {
        if handling(input, event.name).is_empty() {
            continue;
        }
        match event.name {
            "state_entry"
            | "state_exit"
            | "money"
            | "timer"
            | "run_time_permissions"
            | "listen"
            | "dataserver"
            | "http_response"
            | "transaction_result" => {}
            "changed" => other_changes(input, build),
            name => ordinary(input, build, name),
        }
    }
    payments::overflow(input, build);
}

/// The states that handle an event.
pub(crate) fn handling(input: Input<'_>, event: &str) -> Vec<StateId> {
    let checked = input.checked;
    checked
        .ast
        .state_ids()
        .filter(|&state| checked.handler_of(state, event).is_some())
        .collect()
}

impl Build {
    /// With a queue, an event is put into it only while the current state handles it; at a
    /// rendezvous, the script's own location says so.
    fn while_handled(
        &mut self,
        input: Input<'_>,
        event: &str,
        guard: Option<ExprId>,
    ) -> Option<ExprId> {
        if self.world.queue.is_none() {
            return guard;
        }
        let here = self.is_in(&handling(input, event));
        let runs = self.runs();
        let handled = self.and(here, runs);
        Some(match guard {
            Some(guard) => self.and(guard, handled),
            None => handled,
        })
    }

    /// Whether nobody would hear of an event: the state does not handle it, or the script is
    /// stopped.
    fn unheard(&mut self, handling: &[StateId]) -> ExprId {
        let here = self.is_in(handling);
        let runs = self.runs();
        let heard = self.and(here, runs);
        self.not(heard)
    }

    /// The choices of an event's values, those that are given left out.
    fn values(&mut self, input: Input<'_>, event: &'static str, given: &[usize]) -> Vec<Choice> {
        let Some(places) = self.world.arguments.get(event).cloned() else {
            return Vec::new();
        };
        let Some(facts) = facts::event(event) else {
            return Vec::new();
        };
        let mut choices = Vec::new();
        for (index, (place, parameter)) in places.into_iter().zip(&facts.parameters).enumerate() {
            if given.contains(&index) || !is_used(input, event, index) {
                continue;
            }
            let place = Place::global(place);
            choices.push(self.value_of(input, event, parameter, place));
        }
        if facts.detected
            && let Some(detected) = self.world.detected
        {
            let who = self.world.identities.clone();
            let what = format!("who causes {event}");
            choices.push(self.somebody(Place::global(detected), &what, who));
        }
        choices
    }

    /// The choice of one value of an event.
    fn value_of(
        &mut self,
        input: Input<'_>,
        event: &str,
        parameter: &facts::Parameter,
        place: Place,
    ) -> Choice {
        let name = format!("{event}.{}", parameter.name);
        if parameter.ty == Type::Integer {
            if let Some(bound) = input.bounds.get(&name) {
                let clamp =
                    |n: i64| i32::try_from(n.clamp(i32::MIN.into(), i32::MAX.into())).unwrap_or(0);
                let (lo, hi) = (clamp(bound.lo), clamp(bound.hi));
                if bound.hi - bound.lo < 1 << 16 {
                    let (lo, hi) = (self.int(lo), self.int(hi));
                    return Choice {
                        place,
                        set: ValueSet::Between(lo, hi),
                        sample: None,
                        what: name,
                        outside: None,
                    };
                }
                return sample::integer_choice(self, input.survey, place, &name, lo, hi);
            }
            if let Some(few) = few_values(event, parameter.name) {
                let members = few.iter().map(|&n| self.int(n)).collect();
                return Build::one_of(place, &name, members);
            }
        }
        sample::choice(self, input.survey, place, &name, parameter.ty)
    }
}

/// Parameters with few values.
fn few_values(event: &str, parameter: &str) -> Option<&'static [i32]> {
    match (event, parameter) {
        // Lazily delivered, detections do not pile up.
        (_, "num_detected") => Some(&[1]),
        ("transaction_result", "success") => Some(&[0, 1]),
        ("email", "num_left") => Some(&[0, 1]),
        ("http_response", "status") => Some(&[200, 404, 499, 503]),
        ("control", _) => Some(&[0, 1, 2]),
        _ => None,
    }
}

/// Whether a handler reads the parameter, or a property watches it.
fn is_used(input: Input<'_>, event: &str, index: usize) -> bool {
    input.watch.during.contains(event)
        || input
            .survey
            .used_parameters
            .contains(&(event.to_owned(), index))
}

/// An event that happens at any time, or while its switch is on.
fn ordinary(input: Input<'_>, build: &mut Build, event: &'static str) {
    let mut guard = None;
    let mut body = Vec::new();
    let switches: Vec<usize> = (0..effects::SWITCHES.len())
        .filter(|&index| effects::SWITCHES[index].events.contains(&event))
        .collect();
    if !switches.is_empty() {
        let mut any = build.bool(false);
        for index in switches {
            let Some(on) = build.world.switches[index] else {
                continue;
            };
            let is_on = build.read(on);
            any = build.or(any, is_on);
            if effects::SWITCHES[index].once {
                body.push(build.set_flag(on, false));
            }
        }
        if build.program.exprs.constant(any).is_some() {
            return;
        }
        guard = Some(any);
    }
    let guard = build.while_handled(input, event, guard);
    let binds = build.values(input, event, &[]);
    build.arrive(Arrival {
        event,
        binds,
        guard,
        body,
    });
}

/// `timer`: while one is set. Timers do not pile up.
fn timer(input: Input<'_>, build: &mut Build) {
    let states = handling(input, "timer");
    let armed = build.read(build.world.armed);
    let mut body = Vec::new();
    if let Some((count, _)) = build.world.since_timer {
        let ty = build.program.globals[count.index()].ty.clone();
        let zero = build.program.exprs.int(0, ty);
        body.push(build.set(count, zero));
    }
    if !states.is_empty() {
        let guard = build.while_handled(input, "timer", Some(armed));
        build.arrive(Arrival {
            event: "timer",
            binds: Vec::new(),
            guard,
            body: body.clone(),
        });
    }
    if !body.is_empty() {
        // Where nobody handles it, the timer still ends the wait of those that count events.
        let unheard = build.unheard(&states);
        let mut step = build.idle_step();
        step.guard = Some(build.and(armed, unheard));
        step.body = body;
        build.world_step("timer unheard", step);
    }
}

/// The answer to `llRequestPermissions`: everything that was asked for, or nothing.
fn permissions(input: Input<'_>, build: &mut Build) {
    if !input.survey.calls_any(&["llRequestPermissions"]) {
        return;
    }
    let states = handling(input, "run_time_permissions");
    let asking = build.read(build.world.asking);
    let asked = build.read(build.world.asked);
    let (granted, events) = (build.world.granted, build.world.events.clone());
    let zero = build.int(0);
    for heard in [true, false] {
        if heard && states.is_empty() {
            continue;
        }
        let place = if heard {
            build.world.arguments["run_time_permissions"][0]
        } else {
            granted
        };
        let bind = Build::one_of(
            Place::global(place),
            "permissions granted",
            vec![asked, zero],
        );
        let answer = build.read(place);
        let forget = build.int(0);
        let body = vec![
            Stmt::Emit {
                event: events.answered,
                args: vec![asked, answer],
                span: Span::NONE,
            },
            build.set(granted, answer),
            build.set_flag(build.world.asking, false),
            build.set(build.world.asked, forget),
        ];
        if heard {
            let guard = build.while_handled(input, "run_time_permissions", Some(asking));
            build.arrive(Arrival {
                event: "run_time_permissions",
                binds: vec![bind],
                guard,
                body,
            });
        } else {
            let unheard = build.unheard(&states);
            let mut step = build.idle_step();
            step.guard = Some(build.and(asking, unheard));
            step.binds = vec![bind];
            step.body = body;
            let id = build.world_step("run_time_permissions", step);
            build.world_process.steps[id.index()].label = Some("permissions answered".to_owned());
        }
    }
}

/// A sale: the object gets another owner. `changed` comes at once.
fn owner(input: Input<'_>, build: &mut Build) {
    let states = handling(input, "changed");
    let owner = build.world.owner;
    let current = build.read(owner);
    let [first, second] = build.world.owners;
    let sold = build.equal(current, second);
    let other = build.choose_by(sold, first, second);
    let granted = build.world.granted;
    let permissions = build.read(granted);
    // The new owner has allowed nothing yet.
    let without_debit = build.int(!0x2);
    let kept = build.arithmetic(model::Binary::BitAnd, permissions, without_debit);
    let body = vec![
        build.set(owner, other),
        build.set(granted, kept),
        Stmt::Emit {
            event: build.world.events.owner_changes,
            args: vec![current],
            span: Span::NONE,
        },
    ];
    change(
        input,
        build,
        &states,
        "owner changes",
        CHANGED_OWNER,
        None,
        body,
    );
}

/// Somebody puts something into the inventory or takes it out.
fn inventory(input: Input<'_>, build: &mut Build) {
    let waiting = build.world.inventory.waiting();
    if waiting.is_empty() {
        return;
    }
    let matters = build.is_in(&waiting);
    let states = handling(input, "changed");
    for index in 0..build.world.items.len() {
        let present = build.world.items[index].present;
        let there = build.read(present);
        let other = build.not(there);
        let body = vec![
            Stmt::Emit {
                event: build.world.events.inventory_changes,
                args: Vec::new(),
                span: Span::NONE,
            },
            build.set(present, other),
        ];
        change(
            input,
            build,
            &states,
            "inventory changes",
            CHANGED_INVENTORY,
            Some(matters),
            body,
        );
    }
}

/// Changes that the script asks about and that have no meaning of their own here.
fn other_changes(input: Input<'_>, build: &mut Build) {
    let states = handling(input, "changed");
    let mut flags: Vec<ExprId> = Vec::new();
    for name in &input.survey.constants {
        if let Some(constant) = facts::constant(name)
            && name.starts_with("CHANGED_")
            && let facts::Value::Integer(flag) = constant.value
            && flag != CHANGED_OWNER
            && (flag != CHANGED_INVENTORY || build.world.inventory.waiting().is_empty())
        {
            flags.push(build.int(flag));
        }
    }
    if flags.is_empty() || states.is_empty() {
        return;
    }
    let place = build.world.arguments["changed"][0];
    let bind = Build::one_of(Place::global(place), "changed.changes", flags);
    let guard = build.while_handled(input, "changed", None);
    build.arrive(Arrival {
        event: "changed",
        binds: vec![bind],
        guard,
        body: Vec::new(),
    });
}

/// A change of a fact: with the script hearing of it at once, or where it does not handle
/// `changed`.
fn change(
    input: Input<'_>,
    build: &mut Build,
    states: &[StateId],
    name: &str,
    flag: i32,
    guard: Option<ExprId>,
    body: Vec<Stmt>,
) {
    if !states.is_empty() {
        let place = build.world.arguments["changed"][0];
        let flag = build.int(flag);
        let bind = Build::one_of(Place::global(place), "changed.changes", vec![flag]);
        let guard = build.while_handled(input, "changed", guard);
        build.arrive(Arrival {
            event: "changed",
            binds: vec![bind],
            guard,
            body: body.clone(),
        });
    }
    let unheard = build.unheard(states);
    let dead = build.read(build.world.dead);
    let lives = build.not(dead);
    let guard = build.all(guard.into_iter().chain([unheard, lives]));
    let mut step = build.idle_step();
    step.guard = guard;
    step.body = body;
    build.world_step(name, step);
}

/// Somebody speaks where the script listens.
fn listens(input: Input<'_>, build: &mut Build) {
    if handling(input, "listen").is_empty() {
        return;
    }
    let [channel, name, id, message] = build.world.arguments["listen"][..] else {
        unreachable!("listen has four parameters");
    };
    let listens: Vec<super::Listen> = build.world.listens.values().cloned().collect();
    let every_text = !input.survey.more_texts && spoken::only_compared(input.checked, "listen", 3);
    for listen in listens {
        let open = build.read(listen.open);
        let on = build.read(listen.channel);
        let speakers = build.world.identities.clone();
        let texts = sample::texts(build, input.survey, "something else");
        let mut said = Build::one_of(Place::global(message), "what is said", texts.clone());
        if !every_text {
            said.sample = Some(texts);
        }
        let (speaker, text) = (build.read(id), build.read(message));
        let name_of = super::finish::name_of(build, speaker);
        let binds = vec![
            Build::one_of(Place::global(channel), "channel", vec![on]),
            build.somebody(Place::global(id), "who speaks", speakers),
            Build::one_of(Place::global(name), "the speaker's name", vec![name_of]),
            said,
        ];
        let whom = build.read(listen.id);
        let what = build.read(listen.message);
        let empty = build.text("");
        let nobody = build.text("00000000-0000-0000-0000-000000000000");
        let everybody = {
            let (a, b) = (build.equal(whom, empty), build.equal(whom, nobody));
            build.or(a, b)
        };
        let this_one = build.equal(whom, speaker);
        let heard = build.or(everybody, this_one);
        let everything = build.equal(what, empty);
        let this_text = build.equal(what, text);
        let matches = build.or(everything, this_text);
        let guard = build.all([open, heard, matches]);
        let guard = build.while_handled(input, "listen", guard);
        build.arrive(Arrival {
            event: "listen",
            binds,
            guard,
            body: Vec::new(),
        });
    }
}

/// Answers to requests: each call's own. An answer that nobody handles is lost.
fn requests(input: Input<'_>, build: &mut Build) {
    let requests: Vec<super::Request> = build.world.requests.values().cloned().collect();
    for request in requests {
        let Some(pending) = request.pending else {
            continue;
        };
        let event = request.event;
        let states = handling(input, event);
        let due = build.read(pending);
        let answered = build.set_flag(pending, false);
        let place = build.world.arguments[event][0];
        let mut binds = build.values(input, event, &[0]);
        binds.insert(
            0,
            Build::one_of(Place::global(place), "which request", vec![request.key]),
        );
        let guard = build.while_handled(input, event, Some(due));
        build.arrive(Arrival {
            event,
            binds,
            guard,
            body: vec![answered.clone()],
        });
        let unheard = build.unheard(&states);
        let mut step = build.idle_step();
        step.guard = Some(build.and(due, unheard));
        step.body = vec![answered];
        build.world_step(&format!("{event} unheard"), step);
    }
}

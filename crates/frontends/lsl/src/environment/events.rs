//! The steps of the world, one kind of event after the other.
//!
//! When an event can happen is told by two tables of the lowering (requests and switches) and by
//! the rules below for the events with a meaning of their own; everything else happens at any
//! time. Integers that an event comes with are chosen within a bound of the form
//! `EVENT.PARAMETER = lo..hi`, or all of them, with representatives; texts and keys are
//! [values from outside](crate::lower::outside).

use model::{Choice, ExprId, Lifetime, Place, Stmt, ValueSet};
use source::Span;

use super::arrival::Arrival;
use super::{changes, listens, payments, permissions, requests, sample};
use crate::ast::StateId;
use crate::facts;
use crate::lower::effects;
use crate::lower::flow::Holder;
use crate::lower::outside;
use crate::lower::{Build, Input};
use crate::types::Type;

/// So many are detected at a time at most.
pub(crate) const MOST_DETECTED: i32 = 32;
/// So many are followed, without a bound, where the script looks at each.
pub(crate) const MOST_FOLLOWED: i32 = 2;

/// Adds all steps of the world.
pub(crate) fn steps(input: Input<'_>, build: &mut Build) {
    let nothing = build.idle_step();
    build.world_step("nothing happens", nothing);
    payments::payments(input, build, &handling(input, "money"));
    timer(input, build);
    permissions::answers(input, build);
    permissions::answers_unheard(input, build);
    permissions::ends(input, build);
    changes::owner(input, build);
    changes::inventory(input, build);
    listens::listens(input, build);
    requests::answers(input, build);
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
            // In a linkset, the scripts of the file send all messages.
            "link_message" if input.member.is_some() => {}
            "changed" => changes::others(input, build),
            name => ordinary(input, build, name),
        }
    }
    rezzed_unheard(input, build);
    start_parameter_lost(build);
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
    pub(super) fn while_handled(
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
    pub(super) fn unheard(&mut self, handling: &[StateId]) -> ExprId {
        let here = self.is_in(handling);
        let runs = self.runs();
        let heard = self.and(here, runs);
        self.not(heard)
    }

    /// The choices of an event's values, those that are given left out.
    pub(super) fn values(
        &mut self,
        input: Input<'_>,
        event: &'static str,
        given: &[usize],
    ) -> Vec<Choice> {
        let Some(places) = self.world.arguments.get(event).cloned() else {
            return Vec::new();
        };
        let Some(facts) = facts::event(event) else {
            return Vec::new();
        };
        let mut choices = Vec::new();
        for (index, (place, parameter)) in places.into_iter().zip(&facts.parameters).enumerate() {
            let counts = facts.detected && index == 0 && self.world.number_detected.is_some();
            if given.contains(&index) || !(counts || is_used(input, event, index)) {
                continue;
            }
            let place = Place::global(place);
            choices.push(self.value_of(input, event, index, parameter, place));
        }
        if facts.detected
            && let Some(detected) = self.world.detected
        {
            let what = format!("who causes {event}");
            let class = self.flow.class_of(Holder::Fact("who is detected"));
            choices.push(self.somebody(Place::global(detected), &what, class));
            if let Some(owner) = self.world.owner_of_detected {
                let place = Place::global(owner);
                let who = self.read(detected);
                choices.push(match event {
                    // Avatars touch; objects collide and are found, too.
                    "touch" | "touch_start" | "touch_end" => {
                        Build::one_of(place, "who touches", vec![who])
                    }
                    _ => self.somebody(place, "whose that is", class),
                });
            }
        }
        choices
    }

    /// The choice of one value of an event.
    fn value_of(
        &mut self,
        input: Input<'_>,
        event: &'static str,
        index: usize,
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
            if parameter.name == "num_detected" {
                let most = match self.world.number_detected {
                    Some(_) => MOST_FOLLOWED,
                    None => MOST_DETECTED,
                };
                let (least, most) = (self.int(1), self.int(most));
                return Choice {
                    place,
                    set: ValueSet::Between(least, most),
                    sample: None,
                    what: name,
                    outside: None,
                };
            }
            if let Some(few) = few_values(event, parameter.name) {
                let members = few.iter().map(|&n| self.int(n)).collect();
                return Build::one_of(place, &name, members);
            }
        }
        let class = self.flow.class_of(Holder::Parameter(event, index));
        let members = match parameter.ty {
            Type::Integer => {
                let Some((usual, least, greatest)) = usual_values(event, parameter.name) else {
                    return sample::choice_of_integers(self, input.survey, place, &name);
                };
                let mut choice =
                    sample::integer_choice(self, input.survey, place, &name, least, greatest);
                if let Some(sample) = &mut choice.sample {
                    for &value in usual {
                        let value = self.int(value);
                        if !sample.contains(&value) {
                            sample.push(value);
                        }
                    }
                }
                return choice;
            }
            Type::Key if event == "attach" => {
                // Nobody's when it is taken off.
                let people = self.world.identities.clone();
                let mut members = self.people(class, &people);
                members.push(self.text(outside::NULL_KEY));
                members
            }
            Type::Key if !outside::is_any_text(event) => {
                return self.somebody(place, &name, class);
            }
            Type::Key | Type::String => self.range(class, &name),
            ty => self.anything(ty, &name),
        };
        self.brought(place, &name, members)
    }

    /// A choice among those who act, and the UUIDs that the script compares the key with.
    pub(crate) fn somebody(&mut self, place: Place, what: &str, class: Option<usize>) -> Choice {
        let people = self.world.identities.clone();
        let members = self.people(class, &people);
        self.brought(place, what, members)
    }

    /// A choice of what an event brings.
    pub(super) fn brought(&mut self, place: Place, what: &str, members: Vec<ExprId>) -> Choice {
        let outside = self.outside(what, Span::NONE, Lifetime::Reading, true);
        self.chosen(place, what, members, outside)
    }
}

/// Parameters with few values.
fn few_values(event: &str, parameter: &str) -> Option<&'static [i32]> {
    match (event, parameter) {
        ("transaction_result", "success") => Some(&[0, 1]),
        _ => None,
    }
}

/// Values that are tried beside the script's own numbers, and the least and the greatest there are.
fn usual_values(event: &str, parameter: &str) -> Option<(&'static [i32], i32, i32)> {
    match (event, parameter) {
        ("email", "num_left") => Some((&[0, 1], 0, i32::MAX)),
        ("http_response", "status") => Some((&[200, 404, 499, 503], 0, 999)),
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
            // Each target stays until it is removed.
            if !effects::SWITCHES[index].is_of_targets()
                && let Some(more) = build.world.again[index]
            {
                let off = build.set_flag(on, false);
                let many = build.read(more);
                body.push(Stmt::If(
                    many,
                    requests::last_or_not(build, off.clone(), more),
                    vec![off],
                ));
            }
        }
        if build.program.exprs.constant(any).is_some() {
            return;
        }
        guard = Some(any);
    }
    let guard = build.while_handled(input, event, guard);
    let mut binds = build.values(input, event, &[]);
    if let Some(others) = of_other_targets(input, build, event, &mut binds) {
        build.arrive(input.member, others);
    }
    if event == "experience_permissions" {
        if binds.is_empty() && build.world.granter.is_some() {
            let who = Place::global(build.world.arguments[event][0]);
            let class = build.flow.class_of(Holder::Parameter(event, 0));
            binds.push(build.somebody(who, "who takes part", class));
        }
        binds.extend(permissions::of_experience(input, build));
    }
    if event == "on_rez" {
        body.extend(build.close_dialogs(&handling(input, "money")));
    }
    if event == "on_rez"
        && let Some((value, known)) = build.world.start
        && let Some(parameter) = facts::event(event).and_then(|event| event.parameters.first())
    {
        let place = build.world.arguments[event][0];
        if binds.is_empty() {
            binds.push(build.value_of(input, event, 0, parameter, Place::global(place)));
        }
        let given = build.read(place);
        body.push(build.set(value, given));
        body.push(build.set_flag(known, true));
    }
    build.arrive(
        input.member,
        Arrival {
            event,
            binds,
            guard,
            body,
        },
    );
}

/// What tells of targets tells of the last one, or of another that may still be set: which of
/// these there are is not kept.
fn of_other_targets(
    input: Input<'_>,
    build: &mut Build,
    event: &'static str,
    binds: &mut [Choice],
) -> Option<Arrival> {
    let mut switches = effects::SWITCHES.iter();
    let index =
        switches.position(|switch| switch.is_of_targets() && switch.events.contains(&event))?;
    let target = build.world.targets.get(effects::SWITCHES[index].name);
    let target = target.cloned()?;
    let more = build.world.again[index]?;
    let mut others = binds.to_vec();
    let place = build.world.arguments.get(event).and_then(|all| all.first());
    if let (Some(handle), Some(&place)) = (target.handle, place) {
        let place = Place::global(place);
        let is_handle = |bind: &&mut Choice| bind.place == place;
        let last = build.read(handle);
        if let Some(bind) = binds.iter_mut().find(is_handle) {
            (bind.set, bind.sample) = (ValueSet::One(last), None);
        }
        if let Some(bind) = others.iter_mut().find(is_handle) {
            bind.set = build.any_handle(&target.handles);
            bind.sample = target.handles.count.is_none().then(|| {
                let numbers = sample::numbers(input.survey, 1, i32::MAX);
                numbers
                    .into_iter()
                    .map(|number| build.int(number))
                    .collect()
            });
            let what = "which of several targets";
            let outside = build.outside(what, Span::NONE, Lifetime::Reading, false);
            bind.outside = Some(outside);
        }
    }
    let more = build.read(more);
    Some(Arrival {
        event,
        binds: others,
        guard: build.while_handled(input, event, Some(more)),
        body: Vec::new(),
    })
}

/// A start parameter is given where nobody hears of it.
fn rezzed_unheard(input: Input<'_>, build: &mut Build) {
    let Some((_, known)) = build.world.start else {
        return;
    };
    let unheard = build.unheard(&handling(input, "on_rez"));
    let dead = build.read(build.world.dead);
    let lives = build.not(dead);
    let mut step = build.idle_step();
    step.guard = Some(build.and(unheard, lives));
    step.body = vec![build.set_flag(known, false)];
    build.world_step("on_rez unheard", step);
}

/// The object comes to another region, or its region restarts: the start parameter is lost.
fn start_parameter_lost(build: &mut Build) {
    let Some((value, known)) = build.world.start else {
        return;
    };
    let (given, zero, read) = (build.read(value), build.int(0), build.read(known));
    let none = build.equal(given, zero);
    let lost = build.and(read, none);
    let kept = build.not(lost);
    let dead = build.read(build.world.dead);
    let lives = build.not(dead);
    let mut step = build.idle_step();
    // While a handler runs, sleeps are where that may happen.
    let unready = [build.company.halts.loaded, build.company.busy];
    let mut guard = vec![kept, lives];
    for flag in unready.into_iter().flatten() {
        let set = build.read(flag);
        guard.push(build.not(set));
    }
    step.guard = build.all(guard);
    step.body = build.lose_start();
    build.world_step("start parameter lost", step);
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
        build.arrive(
            input.member,
            Arrival {
                event: "timer",
                binds: Vec::new(),
                guard,
                body: body.clone(),
            },
        );
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

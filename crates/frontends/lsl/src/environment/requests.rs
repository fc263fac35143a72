//! Requests to the world, their keys, and the answers.
//!
//! A request gets a new key at each call. The keys that the script does not keep any more are
//! alike: of the answers that are still due to them it can only see that they are to none of its
//! own. So a few keys are enough: as many as variables keep, one that the event at hand brings, and
//! two more. A call takes one that nobody keeps and to which no answer is due; where answers are
//! due to all that nobody keeps, one of these is given up and taken again, and it is remembered that
//! more answers than the rest say may come to forgotten requests. (The abstraction by counters
//! zero, one, many; see Pnueli, Xu and Zuck 2002.)
//!
//! Where keys are kept in lists, or the script never compares them, one key that need not equal
//! itself stands for all.

use std::collections::{BTreeMap, BTreeSet};

use model::{ExprId, GlobalId, Lifetime, Place, Stmt, Type as ModelType};
use source::Span;

use super::arrival::Arrival;
use super::declare::Declare;
use super::events::handling;
use crate::ast;
use crate::facts;
use crate::library;
use crate::lower::flow::{Flow, Holder};
use crate::lower::outside::NULL_KEY;
use crate::lower::{Build, Coder, Input, outside};

/// More keys than these are not told apart.
const MOST_KEYS: usize = 7;

/// The requests that one event answers.
#[derive(Clone, Debug)]
pub(crate) struct Requests {
    /// The event.
    pub(crate) event: &'static str,
    /// Their keys.
    pub(crate) keys: Vec<ExprId>,
    /// For each key, whether an answer is due; empty if no handler waits for one.
    pub(crate) due: Vec<GlobalId>,
    /// For each key, whether it was given in this macro step; empty if there is only one.
    pub(crate) given: Vec<GlobalId>,
    /// Whether more answers to forgotten requests are due.
    pub(crate) more: Option<GlobalId>,
    /// For each key, what the answer says; empty if nothing is known of any.
    pub(crate) answers: Vec<Answer>,
}

/// Where the answer to one request is kept until it comes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    /// Whether it is known.
    pub(crate) known: GlobalId,
    /// What it says.
    pub(crate) text: GlobalId,
}

/// How many keys there have to be, if they are told apart.
pub(super) fn keys(flow: &Flow, event: &'static str) -> Option<usize> {
    let holder = Holder::Requests(event);
    let class = flow.class(holder);
    let enough = class.kept + 3;
    let ghosts = flow
        .class_of(holder)
        .is_some_and(|class| flow.is_kept_by_ghosts(class));
    let apart = class.asked && class.pairs && class.is_plain() && !class.endless && !ghosts;
    (apart && enough <= MOST_KEYS).then_some(enough)
}

impl Declare {
    /// Requests that get an answer, by the event that brings it.
    pub(super) fn requests(
        &mut self,
        input: Input<'_>,
        flow: &Flow,
        handled: &BTreeSet<&'static str>,
    ) -> BTreeMap<&'static str, Requests> {
        let mut requests: BTreeMap<&'static str, Requests> = BTreeMap::new();
        for &name in input.survey.calls.keys() {
            let Some(event) = facts::role(name).and_then(facts::Role::answer) else {
                continue;
            };
            if requests.contains_key(event) {
                continue;
            }
            let keys: Vec<ExprId> = match keys(flow, event) {
                Some(count) => (1..=count)
                    .map(|number| self.key(&format!("request {number} for {event}")))
                    .collect(),
                None => {
                    let shunned = [self.program.rich.text(""), self.program.rich.text(NULL_KEY)];
                    let shunned = library::none_of(&self.program.rich, &shunned, true);
                    let what = format!("the request for {event}");
                    let key = library::something(&self.program.rich, &what, &shunned);
                    vec![self.rich(key)]
                }
            };
            let (mut due, mut more) = (Vec::new(), None);
            if handled.contains(event) {
                for number in 1..=keys.len() {
                    due.push(
                        self.world(&format!("answer {number} by {event} due"), ModelType::Bool),
                    );
                }
                more = Some(self.world(&format!("more answers by {event} due"), ModelType::Bool));
            }
            let told = event == "dataserver" && !input.bounds.notecards.is_empty();
            let answers = due
                .iter()
                .filter(|_| told)
                .zip(1..)
                .map(|(_, number)| Answer {
                    known: self.world(&format!("answer {number} is known"), ModelType::Bool),
                    text: self.world(&format!("answer {number}"), ModelType::Rich),
                });
            let answers = answers.collect();
            requests.insert(
                event,
                Requests {
                    answers,
                    event,
                    given: (1..=keys.len())
                        .filter(|_| keys.len() > 1)
                        .map(|number| {
                            let what = format!("request {number} for {event} given");
                            self.step(&what, ModelType::Bool)
                        })
                        .collect(),
                    keys,
                    due,
                    more,
                },
            );
        }
        requests
    }
}

impl Build {
    /// The variables that may keep a value of a class: the script's, and some others.
    pub(crate) fn places_of(&self, class: Option<usize>, mut places: Vec<Place>) -> Vec<Place> {
        for (index, &global) in self.globals.iter().enumerate() {
            let holder = Holder::Global(ast::GlobalId::new(index));
            if class.is_some()
                && self.flow.class_of(holder) == class
                && self.program.globals[global.index()].ty == ModelType::Rich
            {
                places.push(Place::global(global));
            }
        }
        places
    }

    /// Whether one of these variables keeps the value.
    pub(crate) fn is_kept(&mut self, value: ExprId, places: &[Place]) -> ExprId {
        let kept: Vec<ExprId> = places
            .iter()
            .map(|place| {
                let held = self.program.exprs.load(place.clone(), ModelType::Rich);
                self.equal(held, value)
            })
            .collect();
        self.any(&kept)
    }

    /// Whether the script keeps the key of a request.
    fn keeps(&mut self, key: ExprId, event: &'static str, own: &[Place]) -> ExprId {
        let class = self.flow.class_of(Holder::Requests(event));
        let mut places = self.places_of(class, own.to_vec());
        if let Some(&first) = self.world.arguments.get(event).and_then(|all| all.first()) {
            places.push(Place::global(first));
        }
        self.is_kept(key, &places)
    }

    /// Forgets the requests that a reset forgets: answers of the data server come all the same.
    pub(crate) fn forget_requests(&mut self) -> Vec<Stmt> {
        let mut body = Vec::new();
        for requests in self.world.requests.clone().into_values() {
            if requests.event == "dataserver" {
                continue;
            }
            for flag in requests.due.into_iter().chain(requests.more) {
                body.push(self.set_flag(flag, false));
            }
        }
        body
    }
}

impl Coder<'_> {
    /// Makes a request: gives its key.
    pub(crate) fn request(
        &mut self,
        id: ast::ExprId,
        (function, args): (&str, &[ExprId]),
        event: &'static str,
    ) -> ExprId {
        let Some(requests) = self.build.world.requests.get(event).cloned() else {
            return self.build.text("");
        };
        let expected = match requests.answers[..] {
            [] => None,
            _ => self.answer_of(id, function, args),
        };
        let class = self.build.flow.class_of(Holder::Requests(event));
        let key = self.new_key(&requests, class);
        let is_asked = class.is_some_and(|class| {
            let class = self.build.flow.get(class);
            let may_tell = class.literals.contains(outside::NULL_KEY) || class.kept_pairs;
            class.asked && may_tell
        });
        if !is_asked || !may_fail(self.input, id) || !self.temporaries.allowed() {
            self.set_due(&requests, key, expected);
            return key;
        }
        // Too many requests, or nothing of that name: no key, and no answer.
        let nobody = self.build.text(outside::NULL_KEY);
        let place = self.temporary(&ModelType::Rich);
        let span = self.input.checked.ast.expr(id).span;
        let what = "the key of the request, or `NULL_KEY` if it fails";
        let outside = self.build.outside(what, span, Lifetime::Reading, true);
        let choice = self
            .build
            .chosen(place.clone(), what, vec![key, nobody], outside);
        self.emit(Stmt::Choose(choice));
        let given = self.build.program.exprs.load(place, ModelType::Rich);
        let fails = self.build.equal(given, nobody);
        self.straight_if(
            fails,
            |_| {},
            |coder| coder.set_due(&requests, key, expected),
        );
        given
    }

    /// A key that nobody keeps, and to which no answer is due if there is one.
    fn new_key(&mut self, requests: &Requests, class: Option<usize>) -> ExprId {
        if requests.keys.len() == 1 || !self.temporaries.allowed() {
            return requests.keys[0];
        }
        let own = self.own_places(class);
        let kept: Vec<ExprId> = requests
            .keys
            .iter()
            .zip(&requests.given)
            .map(|(&key, &given)| {
                // Variables of callers may keep it, too.
                let given = self.build.read(given);
                let kept = self.build.keeps(key, requests.event, &own);
                self.build.or(kept, given)
            })
            .collect();
        // The last that nobody keeps is given up if there is no other.
        let mut key = requests.keys[requests.keys.len() - 1];
        for (&other, &kept) in requests.keys.iter().zip(&kept) {
            let free = self.build.not(kept);
            key = self.build.choose_by(free, other, key);
        }
        for (index, (&other, &kept)) in requests.keys.iter().zip(&kept).enumerate().rev() {
            let due = match requests.due.get(index) {
                Some(&due) => self.build.read(due),
                None => self.build.bool(false),
            };
            let taken = self.build.or(kept, due);
            let free = self.build.not(taken);
            key = self.build.choose_by(free, other, key);
        }
        let key = self.save(key);
        for (&other, &given) in requests.keys.iter().zip(&requests.given) {
            let this = self.build.equal(key, other);
            let set = self.build.set_flag(given, true);
            self.straight_if(this, |coder| coder.emit(set), |_| {});
        }
        key
    }

    /// Variables of the code at hand that may keep a value of the class, temporaries among them.
    pub(crate) fn own_places(&self, class: Option<usize>) -> Vec<Place> {
        let Some(class) = class else {
            return Vec::new();
        };
        let locals = self
            .locals
            .iter()
            .enumerate()
            .filter(|(index, _)| {
                self.local_type(ast::LocalId::new(*index)).is_text()
                    && self.unit_number.is_some_and(|unit| {
                        self.build.flow.class_of(Holder::Local(unit, *index)) == Some(class)
                    })
            })
            .filter_map(|(_, place)| place.clone());
        let temporaries = self.temporaries.in_use(&self.build.slots, &ModelType::Rich);
        // Whatever those keep whose call goes on here.
        let callers = self.inlined.iter().flat_map(|caller| &caller.locals);
        let is_text = |place: &&Place| match place.root {
            model::Root::Own(number) => {
                let variable = self.build.slots.own.get(number as usize);
                variable.is_some_and(|variable| variable.ty == ModelType::Rich)
            }
            _ => false,
        };
        let callers = callers.flatten().filter(is_text).cloned();
        locals.chain(temporaries).chain(callers).collect()
    }

    /// An answer is due to the key; to more than one if one was already.
    fn set_due(&mut self, requests: &Requests, key: ExprId, expected: Option<(ExprId, ExprId)>) {
        for (index, &due) in requests.due.iter().enumerate() {
            let this = self.build.equal(key, requests.keys[index]);
            let already = self.build.read(due);
            let answer = requests.answers.get(index).copied();
            let set = self.build.set_flag(due, true);
            let more = requests.more.map(|more| self.build.set_flag(more, true));
            self.straight_if(
                this,
                |coder| {
                    if let Some(answer) = answer {
                        coder.expect(answer, already, expected);
                    }
                    coder.straight_if(
                        already,
                        |coder| more.into_iter().for_each(|stmt| coder.emit(stmt)),
                        |coder| coder.emit(set),
                    );
                },
                |_| {},
            );
        }
    }
}

/// Whether a call may give `NULL_KEY` and lead to no answer.
fn may_fail(input: Input<'_>, id: ast::ExprId) -> bool {
    matches!(
        input.checked.exprs.resolution(id),
        Some(crate::check::Resolution::Library(function)) if matches!(
            function.name,
            "llHTTPRequest"
                | "llGetNotecardLine"
                | "llGetNumberOfNotecardLines"
                | "llRequestInventoryData"
        )
    )
}

/// Answers to requests. One that nobody handles is lost.
pub(super) fn answers(input: Input<'_>, build: &mut Build) {
    let requests: Vec<Requests> = build.world.requests.values().cloned().collect();
    for requests in requests {
        for index in 0..requests.due.len() {
            answer(input, build, &requests, index);
        }
    }
}

fn answer(input: Input<'_>, build: &mut Build, requests: &Requests, index: usize) {
    let (event, key) = (requests.event, requests.keys[index]);
    let states = handling(input, event);
    let due = build.read(requests.due[index]);
    let answered = build.set_flag(requests.due[index], false);
    let expected = requests.answers.get(index).copied();
    let mut body = match requests.more {
        None => vec![answered],
        Some(more) => {
            let told_apart = requests.keys.len() > 1;
            let forgotten = if told_apart {
                let kept = build.keeps(key, event, &[]);
                build.not(kept)
            } else {
                build.bool(true)
            };
            let many = build.read(more);
            let others = build.and(many, forgotten);
            vec![Stmt::If(
                others,
                last_or_not(build, answered.clone(), more),
                vec![answered],
            )]
        }
    };
    let place = build.world.arguments[event][0];
    let mut binds = build.values(input, event, &[0]);
    if event == "http_request" {
        let (granted, denied) = (
            build.text("URL_REQUEST_GRANTED"),
            build.text("URL_REQUEST_DENIED"),
        );
        let method = build.world.arguments[event][1];
        binds.retain(|bind| bind.place != Place::global(method));
        binds.push(build.brought(
            Place::global(method),
            "whether there is a URL",
            vec![granted, denied],
        ));
    }
    binds.insert(
        0,
        Build::one_of(Place::global(place), "which request", vec![key]),
    );
    let guard = build.while_handled(input, event, Some(due));
    let mut open = guard;
    if let Some(answer) = expected {
        // What comes after this one is not known.
        body.push(build.set_flag(answer.known, false));
        let known = build.read(answer.known);
        let mut told = binds.clone();
        let data = Place::global(build.world.arguments[event][1]);
        if let Some(bind) = told.iter_mut().find(|bind| bind.place == data) {
            let text = build.read(answer.text);
            *bind = Build::one_of(data, "what stands in the notecard", vec![text]);
        }
        let told_guard = match guard {
            Some(guard) => build.and(guard, known),
            None => known,
        };
        build.arrive(
            input.member,
            Arrival {
                event,
                binds: told,
                guard: Some(told_guard),
                body: body.clone(),
            },
        );
        let other = build.not(known);
        open = Some(match guard {
            Some(guard) => build.and(guard, other),
            None => other,
        });
    }
    build.arrive(
        input.member,
        Arrival {
            event,
            binds,
            guard: open,
            body: body.clone(),
        },
    );
    let unheard = build.unheard(&states);
    let mut step = build.idle_step();
    step.guard = Some(build.and(due, unheard));
    step.body = body;
    build.world_step(&format!("{event} unheard"), step);
}

/// One of several that are due: perhaps the last.
pub(super) fn last_or_not(build: &mut Build, answered: Stmt, more: GlobalId) -> Vec<Stmt> {
    let place = build.variable(
        "the last answer",
        ModelType::Bool,
        model::VariableKind::Step,
        None,
        Span::NONE,
    );
    let (no, yes) = (build.bool(false), build.bool(true));
    let choice = build.brought(
        Place::global(place),
        "whether this is the last one",
        vec![yes, no],
    );
    let last = build.read(place);
    let none = build.set_flag(more, false);
    vec![
        Stmt::Choose(choice),
        Stmt::If(last, vec![answered, none], Vec::new()),
    ]
}

//! What the world keeps: variables, channels and micro events, declared before the script is
//! lowered, because its calls refer to them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use model::{
    Channel, EnumDecl, Event, EventId, ExprId, GlobalId, Program, Type as ModelType, Value,
    ValueSet, Variable, VariableKind, Visibility,
};
use source::Span;

use super::arrival::Queue;
use super::identities::{self, Because};
use super::items::constant_integer;
use super::payments::{self, Losing};
use super::stories::{PERMISSIONS, avatar_name, hole, know, story};
use super::{Listen, Target, World};
use crate::ast::{self, ExprKind};
use crate::facts;
use crate::library;
use crate::lower::effects;
use crate::lower::flow::{Flow, Holder};
use crate::lower::handles::{self, Handles};
use crate::lower::outside::NULL_KEY;
use crate::lower::readings;
use crate::lower::{
    Build, Delivery, EARLIEST, Input, InventoryUse, call_key, change_key, handled_key, model_type,
};
use crate::watch::{Fact, WorldEvents};

/// The program with its variables, before there is any code in it.
pub(crate) fn declare(name: &str, input: Input<'_>, flow: Arc<Flow>) -> Build {
    declare_in(Program::new(name, "LSL"), input, flow)
}

/// The same in a program that has variables of other scripts.
pub(crate) fn declare_in(mut program: Program, input: Input<'_>, mut flow: Arc<Flow>) -> Build {
    let ast = &input.checked.ast;
    let states = program.add_enum(EnumDecl {
        name: "state".to_owned(),
        members: ast
            .states
            .iter()
            .map(|state| ast.name_text(state.name).to_owned())
            .collect(),
    });
    let mut goals = vec!["(stay)".to_owned()];
    goals.extend(ast.states.iter().map(|s| ast.name_text(s.name).to_owned()));
    goals.extend(["(reset)".to_owned(), "(die)".to_owned()]);
    let goals = program.add_enum(EnumDecl {
        name: "next state".to_owned(),
        members: goals,
    });
    let uuids: Vec<Value> = flow
        .uuids
        .iter()
        .map(|uuid| program.rich.text(uuid))
        .collect();
    let uuids = library::none_of(&program.rich, &uuids, false);
    let mut declare = Declare { program, uuids };
    let first = input
        .checked
        .state_named("default")
        .map_or(0, ast::StateId::index);
    let first = declare
        .program
        .exprs
        .int(first as i128, ModelType::Enum(states));
    let state = declare.variable(
        "state",
        ModelType::Enum(states),
        VariableKind::State,
        Some(ValueSet::One(first)),
    );
    let next = match input.member {
        // The handler that goes there may be cut on its way.
        Some(_) => declare.world("next state", ModelType::Enum(goals)),
        None => declare.step("next state", ModelType::Enum(goals)),
    };
    let leaving = declare.step("leaving", ModelType::Bool);
    let owners = [declare.key("the owner"), declare.key("the new owner")];
    let first_owner = declare.somebody(&flow, Holder::Fact("the owner"), &owners[..1]);
    let owner = declare.variable(
        "owner",
        ModelType::Rich,
        VariableKind::World,
        Some(first_owner),
    );
    let granted = declare.world("permissions granted", ModelType::INT32);
    let asking = declare.world("permissions requested", ModelType::Bool);
    let asked = declare.world("permissions asked for", ModelType::INT32);
    know(&mut declare.program, PERMISSIONS);
    for global in [granted, asked] {
        let constants = PERMISSIONS.to_owned();
        declare
            .program
            .display
            .constant_globals
            .insert(global, constants);
    }
    let earlier = declare.world("earlier requests for permissions", ModelType::Bool);
    let earlier_mask = declare.step("permissions asked for earlier", ModelType::INT32);
    let settled = (super::permissions::are_told_apart(input)
        && input.survey.calls_any(&["llRequestPermissions"]))
    .then(|| declare.world("permissions answered", ModelType::Bool));
    let asks_who = input.survey.calls_any(&["llGetPermissionsKey"]);
    let agent = asks_who.then(|| declare.world("who is asked for permissions", ModelType::Rich));
    let granter = asks_who.then(|| declare.world("who granted permissions", ModelType::Rich));
    let armed = declare.world("timer set", ModelType::Bool);
    let since_timer = input.bounds.get("events-per-timer").map(|bound| {
        let most = bound.hi.clamp(0, 1 << 20);
        let ty = counter(most);
        (declare.world("events since the timer", ty), most)
    });
    let clock = input.survey.calls_any(&["llGetUnixTime"]).then(|| {
        let first = declare.program.exprs.int(EARLIEST.into(), ModelType::INT32);
        let first = Some(ValueSet::One(first));
        declare.variable("the time", ModelType::INT32, VariableKind::World, first)
    });
    let times = ["llGetTime", "llGetAndResetTime"];
    let script_clock = input.survey.calls_any(&times).then(|| {
        let zero = declare.program.rich.float(0.0);
        let first = Some(ValueSet::One(declare.rich(zero)));
        let name = "the script's time";
        declare.variable(name, ModelType::Rich, VariableKind::World, first)
    });
    let start = input.survey.calls_any(&["llGetStartParameter"]).then(|| {
        let value = declare.world("start parameter", ModelType::INT32);
        let known = declare.world("start parameter has been read", ModelType::Bool);
        (value, known)
    });
    let handled = handled_events(input);
    let dialog = handled
        .contains("money")
        .then(|| declare.world("pay dialog open", ModelType::Bool));
    let rezzing = (dialog.is_some() && payments::rezzed_in_no_time(input))
        .then(|| declare.step("being rezzed", ModelType::Bool));
    let stopped = declare.world("script stopped", ModelType::Bool);
    let dead = declare.world("object gone", ModelType::Bool);
    let calls: Vec<&str> = input.survey.calls.keys().copied().collect();
    let switches: Vec<Option<GlobalId>> = effects::SWITCHES
        .iter()
        .map(|switch| {
            let wanted = switch.events.iter().any(|event| handled.contains(event))
                && calls.iter().any(|name| switch.turned(name) == Some(true));
            wanted.then(|| declare.world(&format!("{} awaited", switch.events[0]), ModelType::Bool))
        })
        .collect();
    let again = effects::SWITCHES
        .iter()
        .zip(&switches)
        .map(|(switch, on)| {
            let what = format!("more {} awaited", switch.events[0]);
            let counted = switch.once || switch.is_of_targets();
            (counted && on.is_some()).then(|| declare.world(&what, ModelType::Bool))
        })
        .collect();
    let (payers, identities, nameless) = declare.people(input, owners);
    Arc::make_mut(&mut flow).nameless = nameless;
    let mut creators = vec![declare.key("the creator")];
    creators.extend(&identities);
    let creator = declare.fixed(input, &flow, "llGetCreator", "the creator", &creators);
    let this_object = match input.member {
        Some(member) if member.linkset.prims.len() > 1 => {
            declare.key(&format!("prim {}", member.script().prim + 1))
        }
        _ => declare.key("this object"),
    };
    let this_object = [this_object];
    let this_object = declare.fixed(input, &flow, "llGetKey", "this object", &this_object);
    let losing = Losing {
        who: declare.step("lost payment by", ModelType::Rich),
        amount: declare.step("lost payment", ModelType::INT32),
        count: declare.step("lost payments", counter(64)),
    };
    let events = declare.world_events(states);
    let detected = input
        .survey
        .calls
        .keys()
        .any(|name| name.starts_with("llDetected"))
        .then(|| declare.step("detected", ModelType::Rich));
    let owner_of_detected = input
        .survey
        .calls_any(&["llDetectedOwner"])
        .then(|| declare.step("owner of detected", ModelType::Rich));
    let presence = input.survey.calls_any(&["llKey2Name"]).then(|| {
        let who = declare.step("whose name was asked for", ModelType::Rich);
        (who, declare.step("who is here", ModelType::Bool))
    });
    let number_detected = (detected.is_some() && detects_others(input))
        .then(|| declare.step("number detected", ModelType::INT32));
    let mut arguments = BTreeMap::new();
    let mut during = BTreeMap::new();
    let mut channels = BTreeMap::new();
    for &name in &handled {
        let Some(event) = facts::event(name) else {
            continue;
        };
        let places: Vec<GlobalId> = event
            .parameters
            .iter()
            .map(|p| declare.step(&format!("{name}.{}", p.name), model_type(p.ty)))
            .collect();
        arguments.insert(name, places);
        if input.watch.during.contains(name) {
            during.insert(
                name,
                declare.step(&format!("handling {name}"), ModelType::Bool),
            );
        }
        let sent = name == "link_message" && input.member.is_some();
        if !matches!(name, "state_entry" | "state_exit")
            && !sent
            && input.delivery == Delivery::Lazy
        {
            let channel = declare.program.add_channel(Channel {
                name: name.to_owned(),
                capacity: Some(0),
                fields: Vec::new(),
                from_start: true,
                owner: None,
            });
            channels.insert(name, channel);
        }
    }
    let queue = match input.delivery {
        Delivery::Lazy => None,
        Delivery::Eager { capacity } => Some(Queue::declare(
            &mut declare.program,
            capacity,
            handled.iter().copied(),
        )),
    };
    let requests = declare.requests(input, &flow, &handled);
    let listen_handles = Handles::of(input, handles::LISTENS);
    let listens = declare.listens(input, &handled, &listen_handles);
    let targets = declare.targets(input);
    let (items, numbered_items) = declare.items(input, &flow);
    let mut script_events = declare.calls(input);
    script_events.extend(declare.handled(&handled));
    let globals = declare.script_variables(input, &mut script_events);
    let world = World {
        states,
        state,
        next,
        leaving,
        owner,
        owners,
        granted,
        asking,
        asked,
        agent,
        granter,
        earlier,
        settled,
        earlier_mask,
        armed,
        clock,
        script_clock,
        start,
        since_timer,
        dialog,
        rezzing,
        stopped,
        dead,
        switches,
        again,
        requests,
        listen_handles,
        targets,
        listens,
        items,
        inventory: InventoryUse::of(input),
        numbered_items,
        arguments,
        during,
        detected,
        owner_of_detected,
        presence,
        number_detected,
        channels,
        queue,
        identities,
        payers,
        creator,
        this_object,
        losing,
        events,
        steps: BTreeMap::new(),
    };
    let mut build = Build::new(declare.program, world, flow);
    build.globals = globals;
    build.lengths.may_be_unknown =
        input.survey.lists_of_any_length || input.survey.unknown.contains(&crate::Type::List);
    build.events = script_events;
    super::finish::first_values(input, &mut build);
    readings::declare(input, &mut build);
    build
}

/// The narrowest machine integer that counts from 0 to `most`.
fn counter(most: i64) -> ModelType {
    let bits = 64 - most.max(1).leading_zeros();
    ModelType::Int {
        bits: u8::try_from(bits).expect("a number has at most 64 bits"),
        signed: false,
    }
}

/// The events that some state handles.
pub(crate) fn handled_events(input: Input<'_>) -> BTreeSet<&'static str> {
    let checked = input.checked;
    checked
        .ast
        .handler_ids()
        .filter_map(|id| Some(checked.event(id)?.name))
        .collect()
}

pub(super) struct Declare {
    pub(super) program: Program,
    /// The UUIDs that the script writes.
    uuids: Value,
}

impl Declare {
    pub(super) fn variable(
        &mut self,
        name: &str,
        ty: ModelType,
        kind: VariableKind,
        init: Option<ValueSet>,
    ) -> GlobalId {
        self.program.add_global(Variable {
            name: name.to_owned(),
            ty,
            init,
            kind,
            span: Span::NONE,
        })
    }

    pub(super) fn world(&mut self, name: &str, ty: ModelType) -> GlobalId {
        self.variable(name, ty, VariableKind::World, None)
    }

    pub(super) fn step(&mut self, name: &str, ty: ModelType) -> GlobalId {
        self.variable(name, ty, VariableKind::Step, None)
    }

    pub(super) fn rich(&mut self, value: Value) -> ExprId {
        self.program.exprs.value(value, ModelType::Rich)
    }

    pub(super) fn key(&mut self, name: &str) -> ExprId {
        let key = library::key_apart(&self.program.rich, name, &self.uuids);
        self.rich(key)
    }

    /// Somebody: those given, and the UUIDs that the script compares the key with.
    fn somebody(&mut self, flow: &Flow, holder: Holder, members: &[ExprId]) -> ValueSet {
        let mut people: Vec<ValueSet> = members.iter().map(|&one| ValueSet::One(one)).collect();
        let class = flow.class(holder);
        for uuid in class.literals.iter().filter(|_| class.asked) {
            if library::is_identity(uuid) {
                let uuid = self.program.rich.text(uuid);
                people.push(ValueSet::One(self.rich(uuid)));
            }
        }
        match people.len() {
            1 => people.remove(0),
            _ => ValueSet::Union(people),
        }
    }

    /// Somebody who stays the same: of those given, the first if nothing is asked about it.
    fn fixed(
        &mut self,
        input: Input<'_>,
        flow: &Flow,
        function: &str,
        fact: &'static str,
        members: &[ExprId],
    ) -> ExprId {
        let holder = Holder::Fact(fact);
        if !input.survey.calls.contains_key(function) || !flow.class(holder).asked {
            return members[0];
        }
        match self.somebody(flow, holder, members) {
            ValueSet::One(only) => only,
            set => {
                let variable = self.variable(fact, ModelType::Rich, VariableKind::World, Some(set));
                self.program
                    .exprs
                    .load(model::Place::global(variable), ModelType::Rich)
            }
        }
    }

    /// Those who may pay, those who may act, and whether one stands for several.
    fn people(
        &mut self,
        input: Input<'_>,
        owners: [ExprId; 2],
    ) -> (Vec<ExprId>, Vec<ExprId>, bool) {
        let found = identities::identities(input);
        let text = match found.because {
            Because::Lossless if found.count == 1 => {
                "keys are only copied and compared, so one avatar stands for any number".to_owned()
            }
            Because::Lossless => format!(
                "keys are only copied and compared, so {} avatars stand for any number",
                found.count
            ),
            Because::Bound(_, stated) => format!("at most {stated} avatars besides the owner act"),
            Because::Nothing(_) if input.member.is_some() => format!(
                "{} avatars are told apart, and one more stands for any number",
                found.count
            ),
            Because::Nothing(_) => format!(
                "{} avatars are told apart; the script does more with keys than copy and compare \
                 them, so one more stands for any number",
                found.count
            ),
        };
        let (origin, span) = match found.because {
            Because::Lossless => (model::Origin::Semantics, Span::NONE),
            Because::Bound(span, _) => (model::Origin::Bound, span),
            Because::Nothing(span) => (model::Origin::Semantics, span),
        };
        let is_told = |other: &model::Assumption| other.text == text && other.origin == origin;
        if !self.program.assumptions.iter().any(is_told) {
            self.program.add_assumption(model::Assumption {
                text,
                origin,
                properties: None,
                span,
            });
        }
        let nameless = matches!(found.because, Because::Nothing(_));
        let mut avatars: Vec<ExprId> = (0..found.count)
            .map(|index| {
                let name = avatar_name(index);
                self.key(&name)
            })
            .collect();
        if nameless {
            let model::Rich::Term { args, .. } = &*self.program.rich.get(self.uuids.rich()) else {
                unreachable!("texts that somebody is not are a term");
            };
            let mut shunned = args[1..].to_vec();
            shunned.push(self.program.rich.text(NULL_KEY));
            shunned.push(self.program.rich.text(""));
            let shunned = library::none_of(&self.program.rich, &shunned, true);
            let other = library::something(&self.program.rich, "somebody else", &shunned);
            avatars.push(self.rich(other));
        }
        // Strangers first: runs that are told have an owner in them only where that matters.
        let mut payers = avatars.clone();
        let mut identities = avatars;
        identities.push(owners[0]);
        if input.member.map_or_else(
            || owner_matters(input),
            |member| member.linkset.owner_matters,
        ) {
            // Who sells the object may still be around, and the buyer, too.
            payers.extend(owners);
            identities.push(owners[1]);
        }
        (payers, identities, nameless)
    }

    fn event(
        &mut self,
        name: &str,
        parameters: &[(&str, ModelType)],
        story: Option<&str>,
    ) -> EventId {
        self.program.add_event(Event {
            name: name.to_owned(),
            parameters: parameters
                .iter()
                .map(|(name, ty)| ((*name).to_owned(), ty.clone()))
                .collect(),
            story: story.map(str::to_owned),
            visibility: Visibility::Told,
        })
    }

    /// The same, told only when everything is.
    fn detail(&mut self, name: &str, parameters: &[(&str, ModelType)], story: &str) -> EventId {
        let id = self.event(name, parameters, Some(story));
        self.program.events[id.index()].visibility = Visibility::Detail;
        id
    }

    fn world_events(&mut self, states: model::EnumId) -> WorldEvents {
        let payment = [("id", ModelType::Rich), ("amount", ModelType::INT32)];
        let masks = [("asked", ModelType::INT32), ("granted", ModelType::INT32)];
        let state = [("state", ModelType::Enum(states))];
        WorldEvents {
            paid: self.event("paid", &payment, Some("{0} pays L${1}")),
            losing: self.event("losing a payment", &[], None),
            discarded: self.event(
                "discarded",
                &payment,
                Some("the payment of L${1} by {0} is discarded: the script never sees it"),
            ),
            overflow: self.event(
                "overflow",
                &[],
                Some("the event queue is full, and another event is lost"),
            ),
            owner_changes: self.event(
                "owner changes",
                &[("owner", ModelType::Rich)],
                Some("the object now belongs to {0}"),
            ),
            answered: self.event(
                "answered",
                &masks,
                Some("asked for {0:PERMISSION_}, the owner grants {1:PERMISSION_}"),
            ),
            inventory_changes: self.event(
                "inventory changes",
                &[],
                Some("somebody changes what is in the object's inventory"),
            ),
            start_lost: self.event(
                "start parameter lost",
                &[],
                Some("the object's start parameter is lost: another region, or a restart"),
            ),
            leaves: self.event("leaves", &state, Some("the script goes to state {0}")),
            state_changes: self.detail("state changes", &state, "the script is in state {0} now"),
            stops: self.event("stops", &[], Some("the script stops at a run-time error")),
        }
    }

    fn listens(
        &mut self,
        input: Input<'_>,
        handled: &BTreeSet<&'static str>,
        handles: &Handles,
    ) -> BTreeMap<ast::ExprId, Listen> {
        let mut listens = BTreeMap::new();
        if !handled.contains("listen") && !handles.asked {
            return listens;
        }
        let controlled = input.survey.calls_any(&["llListenControl"]);
        for (&site, handle) in input
            .survey
            .calls
            .get("llListen")
            .into_iter()
            .flatten()
            .zip(1..)
        {
            let listen = Listen {
                handle: handles
                    .asked
                    .then(|| self.world(&format!("handle of listen {handle}"), ModelType::INT32)),
                open: self.world(&format!("listen {handle} open"), ModelType::Bool),
                muted: controlled
                    .then(|| self.world(&format!("listen {handle} off"), ModelType::Bool)),
                channel: self.world(&format!("listen {handle} channel"), ModelType::INT32),
                id: self.world(&format!("listen {handle} to"), ModelType::Rich),
                name: match &input.checked.ast.expr(site).kind {
                    ExprKind::Call { arguments, .. }
                        if matches!(
                            input.checked.ast.expr(arguments[1]).kind,
                            ExprKind::String(name) if input.checked.ast.text(name).is_empty()
                        ) =>
                    {
                        None
                    }
                    _ => Some(self.world(&format!("listen {handle} by"), ModelType::Rich)),
                },
                message: self.world(&format!("listen {handle} for"), ModelType::Rich),
                others: match &input.checked.ast.expr(site).kind {
                    ExprKind::Call { arguments, .. }
                        if arguments
                            .iter()
                            .all(|&argument| readings::is_constant(input.checked, argument)) =>
                    {
                        None
                    }
                    _ => Some(self.world(&format!("listens {handle} besides"), ModelType::Bool)),
                },
            };
            listens.insert(site, listen);
        }
        listens
    }

    /// Targets, where somebody looks at their handles or hears of them.
    fn targets(&mut self, input: Input<'_>) -> BTreeMap<&'static str, Target> {
        let mut targets = BTreeMap::new();
        for (name, kind) in handles::TARGETS {
            if !input.survey.calls_any(&[kind.gives]) {
                continue;
            }
            let handles = Handles::of(input, kind);
            let handle = handles
                .asked
                .then(|| self.world(&format!("handle of the {name}"), ModelType::INT32));
            targets.insert(name, Target { handles, handle });
        }
        targets
    }

    /// Micro events of calls.
    fn calls(&mut self, input: Input<'_>) -> BTreeMap<String, EventId> {
        let mut events = BTreeMap::new();
        let ast = &input.checked.ast;
        for &name in input.survey.calls.keys() {
            let told = effects::is_told(name);
            if !told && !input.watch.calls.contains(name) {
                continue;
            }
            let Some(function) = facts::function(name) else {
                continue;
            };
            let parameters = modelled(&function.parameters);
            let event = self.call(name, parameters, Visibility::detail_if(!told));
            events.insert(call_key(name), event);
        }
        for id in ast.function_ids() {
            let function = ast.function(id);
            let name = ast.name_text(function.name);
            if input.watch.calls.contains(name) {
                let parameters = function
                    .parameters
                    .iter()
                    .map(|p| (ast.name_text(p.name).to_owned(), model_type(p.ty)))
                    .collect();
                let event = self.call(name, parameters, Visibility::Told);
                events.insert(call_key(name), event);
            }
        }
        // Properties may ask for calls that the script never makes.
        for name in &input.watch.calls {
            if let Some(function) = facts::function(name) {
                let parameters = modelled(&function.parameters);
                events
                    .entry(call_key(name))
                    .or_insert_with(|| self.call(name, parameters, Visibility::Told));
            }
        }
        events
    }

    fn call(
        &mut self,
        name: &str,
        parameters: Vec<(String, ModelType)>,
        visibility: Visibility,
    ) -> EventId {
        let holes = (0..parameters.len()).map(|at| hole(&mut self.program, name, at));
        let holes: Vec<String> = holes.collect();
        let story = format!("the script calls {name}({})", holes.join(", "));
        self.program.add_event(Event {
            name: format!("call {name}"),
            parameters,
            story: Some(story),
            visibility,
        })
    }

    /// Micro events of LSL events being handled.
    fn handled(&mut self, handled: &BTreeSet<&'static str>) -> BTreeMap<String, EventId> {
        let mut events = BTreeMap::new();
        for &name in handled {
            let Some(event) = facts::event(name) else {
                continue;
            };
            let story = story(&mut self.program, name);
            let id = self.program.add_event(Event {
                name: name.to_owned(),
                parameters: modelled(&event.parameters),
                story,
                visibility: Visibility::detail_if(matches!(
                    name,
                    "state_entry" | "state_exit" | "money"
                )),
            });
            events.insert(handled_key(name), id);
        }
        events
    }

    fn script_variables(
        &mut self,
        input: Input<'_>,
        events: &mut BTreeMap<String, EventId>,
    ) -> Vec<GlobalId> {
        let ast = &input.checked.ast;
        let mut globals = Vec::new();
        for id in ast.global_ids() {
            let global = ast.global(id);
            let name = ast.name_text(global.name);
            globals.push(self.program.add_global(Variable {
                span: global.name.span,
                ..Variable::new(name, model_type(global.ty))
            }));
            if input.watch.changes.contains(&id) {
                let event = self.program.add_event(Event {
                    name: format!("{name} changes"),
                    parameters: vec![("old".to_owned(), model_type(global.ty))],
                    story: None,
                    visibility: Visibility::Detail,
                });
                events.insert(change_key(id), event);
            }
        }
        globals
    }
}

/// Whether the script asks for others than the first that is detected.
pub(super) fn detects_others(input: Input<'_>) -> bool {
    let sites = input
        .survey
        .calls
        .iter()
        .filter(|(name, _)| name.starts_with("llDetected"))
        .flat_map(|(_, sites)| sites);
    sites
        .filter_map(|&site| match &input.checked.ast.expr(site).kind {
            ExprKind::Call { arguments, .. } => arguments.first().copied(),
            _ => None,
        })
        .any(|number| constant_integer(input, number) != Some(0))
}

/// Whether it can make a difference that the owner acts: the owner's key is read for something
/// else than to ask for permissions or to be given a message.
pub(crate) fn owner_matters(input: Input<'_>) -> bool {
    if input.watch.facts.contains(&Fact::Owner) {
        return true;
    }
    let checked = input.checked;
    let mut harmless = BTreeSet::new();
    for name in ["llRequestPermissions", "llInstantMessage", "llGiveMoney"] {
        for &site in input.survey.calls.get(name).into_iter().flatten() {
            if let ExprKind::Call { arguments, .. } = &checked.ast.expr(site).kind {
                harmless.insert(arguments[0]);
            }
        }
    }
    let reads = ["llGetOwner", "llGetPermissionsKey", "llGetOwnerKey"];
    reads
        .iter()
        .filter_map(|name| input.survey.calls.get(name))
        .flatten()
        .any(|site| !harmless.contains(site))
}

/// Parameters in the types of the model.
fn modelled(parameters: &[facts::Parameter]) -> Vec<(String, ModelType)> {
    let modelled = |p: &facts::Parameter| (p.name.to_owned(), model_type(p.ty));
    parameters.iter().map(modelled).collect()
}

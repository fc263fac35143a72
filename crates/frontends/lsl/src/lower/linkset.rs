//! Handlers that are cut, and the messages between the scripts of a linkset.
//!
//! A handler runs within one macro step, but where it makes a call that another script can see: there
//! is an open location, at which the others may act, and what the handler keeps are variables of its
//! process. A function that makes such calls is put in place of its call, because stored states have
//! no open calls; one that calls itself is not cut.
//!
//! Messages wait in a channel for each script. A script whose state has no `link_message` handler gets
//! none: it would pass it over when it comes to it, and cannot have changed the state before without
//! losing what waits.

use std::collections::HashSet;

use model::{
    Binary, Channel, ChannelId, Choice, Comm, Cut, CutBy, EventId, Expr, ExprId, GlobalId,
    Lifetime, LocId, Mode, Pattern, Place, Program, Root, Step, Stmt, Target, Type as ModelType,
    Variable, VariableKind,
};
use source::Span;

use super::build::{Build, model_type};
use super::code::{Coder, Unit};
use super::company::{Busy, Ears, Inlined, Peer};
use super::locals::{Home, Temporaries};
use super::{Input, Lowered, call_key};
use crate::ast::{self, FunctionId, StateId};
use crate::facts;
use crate::linkset::file::QUEUE;
use crate::linkset::member::{Linkset, Member};

/// The numbers that mean several prims, or the script's own.
const LINK_SET: i32 = -1;
const LINK_ALL_OTHERS: i32 = -2;
const LINK_ALL_CHILDREN: i32 = -3;
const LINK_THIS: i32 = -4;

/// The numbers that mean prims.
pub(super) fn link_numbers(linkset: &Linkset) -> impl Iterator<Item = i32> {
    let several = [
        LINK_SET,
        LINK_ALL_OTHERS,
        LINK_ALL_CHILDREN,
        LINK_THIS,
        0,
        1,
    ];
    let prims = (0..linkset.prims.len()).map(|prim| linkset.link_number(prim));
    several.into_iter().chain(prims)
}

impl Build {
    /// What must be so for a script of several to handle an event.
    pub(super) fn lives_on(&mut self, input: Input<'_>) -> Option<ExprId> {
        let lives = self.lives(input);
        let free = self.unhalted();
        self.all(lives.into_iter().chain(free))
    }

    /// The same in the middle of a handler.
    pub(super) fn lives_on_inside(&mut self, input: Input<'_>) -> Option<ExprId> {
        let lives = self.lives(input);
        let free = self.unhalted_inside();
        self.all(lives.into_iter().chain(free))
    }

    /// Whether no other script has deleted the object.
    pub(super) fn lives(&mut self, input: Input<'_>) -> Option<ExprId> {
        let member = input.member?;
        let object = member.script().object;
        let mut scripts = member.linkset.scripts.iter();
        if !scripts.any(|script| script.object == object && script.dies) {
            return None;
        }
        let dead = self.read(self.world.dead);
        Some(self.not(dead))
    }

    /// A script of several keeps from one step to the next where its handler goes instead of to its
    /// end; in the new state it goes nowhere.
    pub(super) fn forget_next(&mut self, input: Input<'_>) -> Option<Stmt> {
        input.member?;
        let ty = self.program.globals[self.world.next.index()].ty.clone();
        let stay = self.program.exprs.int(0, ty);
        Some(self.set_next(stay))
    }

    /// Where messages for the script wait.
    pub(super) fn declare_inbox(&mut self, input: Input<'_>, member: Member<'_>) {
        self.declare_halts(member);
        if !input.survey.cut.is_empty() {
            // In parentheses: stories do not tell of it.
            let name = format!("({} in the middle of a handler)", member.script().name);
            let busy = self.variable(
                &name,
                ModelType::Bool,
                VariableKind::World,
                None,
                Span::NONE,
            );
            self.company.busy = Some(busy);
            self.company.all_busy.extend(self.busy());
        }
        self.company.hears = member.hears();
        if !member.script().handled.contains("link_message") && !self.company.hears {
            return;
        }
        let (number, text) = (ModelType::INT32, ModelType::Rich);
        let mut fields = vec![number.clone(), number.clone(), text.clone(), text.clone()];
        if self.company.hears {
            fields.extend([number.clone(), text]);
        }
        if input.survey.has_receipts {
            fields.push(number);
            let kept = input.checked.ast.receipts;
            let heard = kept.and_then(|kept| self.globals.get(kept.heard.index()).copied());
            self.company.receipts = Some(heard);
        }
        let inbox = self.program.add_channel(Channel {
            name: format!("messages for {}", member.script().name),
            capacity: Some(member.linkset.queue.unwrap_or(QUEUE)),
            fields,
            from_start: true,
            owner: None,
        });
        self.company.inbox = Some(inbox);
    }

    /// When the script is in the middle of a handler, if it ever is.
    pub(super) fn busy(&self) -> Option<Busy> {
        let flag = self.company.busy?;
        Some(Busy {
            flag,
            halts: self.company.halts,
            variables: self.globals.clone(),
        })
    }

    /// The script as others reach it.
    pub(super) fn peer(&mut self, input: Input<'_>, member: Member<'_>) -> Peer {
        let checked = input.checked;
        let mut handling = |event: &str| -> Vec<ExprId> {
            let handles = |&state: &StateId| checked.handler_of(state, event).is_some();
            let states: Vec<StateId> = checked.ast.state_ids().filter(handles).collect();
            let states = states.into_iter();
            states.map(|state| self.state_value(state)).collect()
        };
        let (messages, heard) = (handling("link_message"), handling("listen"));
        let ears = self.company.hears.then(|| Ears {
            handling: heard,
            listens: self.filters(),
            names: self.names_heard(input),
        });
        Peer {
            prim: member.script().prim,
            state: self.world.state,
            handling: messages,
            stopped: self.world.stopped,
            halts: self.company.halts,
            inbox: self.company.inbox,
            key: self.world.this_object,
            ears,
        }
    }

    /// Which kind of event a message is, where there are several.
    fn kind(&mut self, event: &str) -> Option<ExprId> {
        let kind = i32::from(event == "listen");
        self.company.hears.then(|| self.int(kind))
    }

    pub(super) fn reference(&mut self, channel: ChannelId) -> ExprId {
        let reference = i128::from(channel.0) + 1;
        self.program.exprs.int(reference, ModelType::Channel)
    }

    fn waiting(&mut self, channel: ChannelId) -> ExprId {
        let channel = self.reference(channel);
        let exprs = &mut self.program.exprs;
        exprs.add(Expr::ChannelLen(channel), ModelType::INT32)
    }

    /// Whether a message waits, if any ever does.
    pub(crate) fn message_waits(&mut self) -> Option<ExprId> {
        let inbox = self.company.inbox?;
        let waiting = self.waiting(inbox);
        let zero = self.int(0);
        Some(self.program.exprs.binary(Binary::Lt, zero, waiting))
    }

    /// The script takes the first message that waits for it, if it is one of this kind.
    pub(crate) fn receive_message(&mut self, event: &str) -> Option<Comm> {
        let inbox = self.company.inbox?;
        let places = self.world.arguments.get(event)?.clone();
        let mut patterns: Vec<Pattern> = places
            .iter()
            .map(|&place| Pattern::Bind(Place::global(place)))
            .collect();
        if event == "listen" {
            // The channel, nothing, the text, the key; then the kind and the name.
            let name = patterns.remove(1);
            let text = patterns.remove(2);
            patterns.insert(1, Pattern::Any);
            patterns.insert(2, text);
            patterns.push(name);
        } else {
            patterns.extend(self.company.hears.then_some(Pattern::Any));
        }
        if let Some(kind) = self.kind(event) {
            patterns.insert(4, Pattern::Match(kind));
        }
        patterns.extend(self.company.receipts.map(|heard| match heard {
            Some(heard) if event == "link_message" => Pattern::Bind(Place::global(heard)),
            _ => Pattern::Any,
        }));
        Some(Comm::Receive {
            channel: self.reference(inbox),
            patterns,
            anywhere: false,
            keep: false,
        })
    }

    /// Messages that wait are lost: steps of the script from a location on; gives where they end.
    pub(crate) fn lose_messages(&mut self, from: LocId, span: Span) -> LocId {
        let Some(inbox) = self.company.inbox else {
            return from;
        };
        let none = self
            .script
            .add_location("no message waits", Mode::Region, span);
        let waiting = self.waiting(inbox);
        let zero = self.int(0);
        let mut done = Step::new(from, none, span);
        done.guard = Some(self.equal(waiting, zero));
        self.script.add_step(done);
        let mut lose = Step::new(from, from, span);
        let fields = if self.company.hears { 6 } else { 4 };
        let fields = fields + usize::from(self.company.receipts.is_some());
        lose.comm = Some(Comm::Receive {
            channel: self.reference(inbox),
            patterns: vec![Pattern::Any; fields],
            anywhere: false,
            keep: false,
        });
        self.script.add_step(lose);
        none
    }

    /// A choice that makes a run one that need not exist; it goes on only one way.
    pub(crate) fn doubtful(&mut self, what: &str, span: Span) -> (Choice, ExprId) {
        let flag = self.variable(what, ModelType::Bool, VariableKind::Step, None, Span::NONE);
        let outside = self.outside(what, span, Lifetime::Reading, false);
        let (no, yes) = (self.bool(false), self.bool(true));
        let choice = self.chosen(Place::global(flag), what, vec![no, yes], outside);
        (choice, self.read(flag))
    }

    /// What is said of a payment, to those who take it and to those who take none.
    pub(crate) fn paid(&self, args: &[ExprId]) -> Vec<Stmt> {
        let events = std::iter::once(&self.world.events.paid).chain(&self.company.paid);
        say(events, args)
    }

    /// The same of one that is discarded.
    pub(crate) fn discarded(&self, args: &[ExprId]) -> Vec<Stmt> {
        let events = std::iter::once(&self.world.events.discarded).chain(&self.company.discarded);
        say(events, args)
    }

    /// The same of a new owner.
    pub(crate) fn owner_changes(&self, args: &[ExprId]) -> Vec<Stmt> {
        let own = std::iter::once(&self.world.events.owner_changes);
        say(own.chain(&self.company.owner_changes), args)
    }
}

impl Lowered {
    /// A claim about all moments. One about events, which are those of the last step, is read wherever a
    /// step ends, so that none is missed in front of a cut.
    pub(crate) fn always(&self, program: &mut Program, claim: ExprId) -> ExprId {
        let mut mentioned = mentioned(program, claim).into_iter();
        if mentioned.any(|global| program.globals[global.index()].kind == VariableKind::Step) {
            return claim;
        }
        self.between_handlers(program, claim)
    }

    /// What is said of states is said of those in which the script, or all of them if it is said of
    /// all, are between handlers: where one is cut, it goes on. Where one has been halted it may not; so
    /// what is not about its own variables, which nobody else sees, is said there, too.
    pub(crate) fn between_handlers(&self, program: &mut Program, claim: ExprId) -> ExprId {
        let mentioned = mentioned(program, claim);
        let mut claim = claim;
        for script in &self.build.company.all_busy {
            let mut busy = program
                .exprs
                .load(Place::global(script.flag), ModelType::Bool);
            if !script.variables.iter().any(|own| mentioned.contains(own)) {
                let halts = script.halts;
                for halted in [halts.off, halts.gone].into_iter().flatten() {
                    let halted = program.exprs.load(Place::global(halted), ModelType::Bool);
                    let goes_on = program.exprs.not(halted);
                    busy = program.exprs.and(busy, goes_on);
                }
            }
            claim = program.exprs.or(busy, claim);
        }
        claim
    }
}

/// The variables that an expression reads.
fn mentioned(program: &Program, expr: ExprId) -> HashSet<GlobalId> {
    let mut found = HashSet::new();
    let mut seen = HashSet::new();
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        if !seen.insert(expr) {
            continue;
        }
        if let Expr::Load(place) = program.exprs.get(expr)
            && let Root::Global(global) = place.root
        {
            found.insert(global);
        }
        program
            .exprs
            .operands(expr, |operand| pending.push(operand));
    }
    found
}

fn say<'a>(events: impl Iterator<Item = &'a EventId>, args: &[ExprId]) -> Vec<Stmt> {
    let said = |&event: &EventId| Stmt::Emit {
        event,
        args: args.to_vec(),
        span: Span::NONE,
    };
    events.map(said).collect()
}

impl Coder<'_> {
    /// The handler at hand is cut where other scripts may act.
    pub(super) fn may_be_cut(&mut self) {
        self.split = true;
        self.temporaries = Temporaries::new(Home::Own);
    }

    /// Whether other scripts may notice the call, or act while it lasts.
    pub(super) fn is_seen(&self, function: &facts::Function) -> bool {
        let member = self.input.member;
        !matches!(self.unit, Unit::Pure) && member.is_some_and(|member| member.is_seen(function))
    }

    /// What the event has brought lives as long as a macro step; a handler that is cut keeps it.
    pub(super) fn keep_the_event(&mut self, event: &str, arguments: &[GlobalId]) {
        if !self.split {
            return;
        }
        let world = &self.build.world;
        let mut kept: Vec<GlobalId> = Vec::new();
        if world.during.contains_key(event) {
            kept.extend(arguments);
        }
        if facts::event(event).is_some_and(|event| event.detected) {
            let detected = [
                world.detected,
                world.owner_of_detected,
                world.number_detected,
            ];
            kept.extend(detected.into_iter().flatten());
        }
        for global in kept {
            let variable = &self.build.program.globals[global.index()];
            let (name, ty) = (variable.name.clone(), variable.ty.clone());
            let place = self.temporaries.variable(
                &mut self.build.program,
                &mut self.build.slots,
                Variable::new(name, ty.clone()),
            );
            let value = self.build.read(global);
            self.emit(Stmt::Assign(place.clone(), value));
            let value = self.build.program.exprs.load(place, ty);
            self.restored.push(self.build.set(global, value));
        }
    }

    /// Properties of scripts that make no such calls are about the calls of others.
    pub(super) fn tell_others(&mut self, function: &str, args: &[ExprId], span: Span) {
        if matches!(self.unit, Unit::Pure) {
            return;
        }
        let events = self.build.company.calls.get(&call_key(function)).cloned();
        for event in events.unwrap_or_default() {
            let args = args.to_vec();
            self.emit(Stmt::Emit { event, args, span });
        }
    }

    /// In front of a call that properties about several scripts look at: others may act here.
    pub(super) fn cut_before(
        &mut self,
        function: &facts::Function,
        args: &mut [ExprId],
        span: Span,
    ) {
        let is_watched = self
            .input
            .member
            .is_some_and(|member| member.is_watched(function));
        if !is_watched || !self.is_seen(function) || !self.is_reachable() {
            return;
        }
        for arg in args {
            *arg = self.save(*arg);
        }
        self.cut(span);
    }

    /// Behind a call that others can see: they may act here.
    pub(super) fn cut_after(&mut self, function: &facts::Function, span: Span) {
        if !self.is_seen(function) || !self.is_reachable() {
            return;
        }
        self.cut(span);
    }

    pub(super) fn cut(&mut self, span: Span) {
        debug_assert_eq!(self.blocks.len(), 1, "such calls have control of their own");
        if !self.split {
            if self.is_never_called() {
                return;
            }
            self.build.program.cut(Cut {
                text: "no other script acts in the middle of `state_exit`, nor of a function that \
                       calls itself"
                    .to_owned(),
                by: CutBy::Default,
                span,
                properties: None,
            });
            return;
        }
        let here = self
            .build
            .script
            .add_location("others may act", Mode::Open, span);
        let busy = self.build.company.busy;
        let set = busy.map(|busy| self.build.set_flag(busy, true));
        set.into_iter().for_each(|set| self.emit(set));
        self.close(Target::Goto(here));
        let lives = self.build.lives_on_inside(self.input);
        self.begin_at(here, lives, span);
        let set = busy.map(|busy| self.build.set_flag(busy, false));
        set.into_iter().for_each(|set| self.emit(set));
        for stmt in self.restored.clone() {
            self.emit(stmt);
        }
        self.inventory_changes();
    }

    /// Whether the code at hand is that of a function which stands in place of all its calls.
    fn is_never_called(&self) -> bool {
        let handlers = self.input.checked.ast.handlers.len();
        let function = self.unit_number.and_then(|unit| unit.checked_sub(handlers));
        matches!(self.unit, Unit::Function { .. })
            && function.is_some_and(|function| {
                let survey = self.input.survey;
                !survey.uncut.contains(&FunctionId::new(function))
            })
    }

    /// Whether a function's code is to stand in place of its call.
    pub(super) fn is_put_in_place(&self, function: FunctionId) -> bool {
        let survey = self.input.survey;
        self.split && survey.seen.contains(&function) && !survey.recursive.contains(&function)
    }

    /// A call of a function whose code stands in its place.
    pub(super) fn inlined_call(
        &mut self,
        function: FunctionId,
        args: &[ExprId],
        span: Span,
    ) -> ExprId {
        let checked = self.input.checked;
        let declaration = checked.ast.function(function);
        let name = checked.ast.name_text(declaration.name);
        let result = declaration
            .result
            .map(|ty| (self.temporary(&model_type(ty)), ty));
        let done = self.region(&format!("after {name}"), span);
        let caller = Inlined {
            result: result.clone(),
            done,
            locals: std::mem::take(&mut self.locals),
            local_types: std::mem::take(&mut self.local_types),
            labels: std::mem::take(&mut self.labels),
            unit_number: self.unit_number,
        };
        self.inlined.push(caller);
        self.enter_body(checked.function_body(function));
        self.unit_number = Some(checked.ast.handlers.len() + function.index());
        for (index, (parameter, &arg)) in declaration.parameters.iter().zip(args).enumerate() {
            let place = self.temporaries.variable(
                &mut self.build.program,
                &mut self.build.slots,
                Variable {
                    span: parameter.name.span,
                    ..Variable::new(
                        checked.ast.name_text(parameter.name),
                        model_type(parameter.ty),
                    )
                },
            );
            self.emit(Stmt::Assign(place.clone(), arg));
            self.parameter(index, place);
        }
        self.statement(declaration.body);
        self.close(Target::Goto(done));
        if let Some(caller) = self.inlined.pop() {
            self.locals = caller.locals;
            self.local_types = caller.local_types;
            self.labels = caller.labels;
            self.unit_number = caller.unit_number;
        }
        self.begin_at(done, None, span);
        match result {
            Some((place, ty)) => self.build.program.exprs.load(place, model_type(ty)),
            None => self.build.int(0),
        }
    }

    /// `return` in a function whose code stands in place of its call.
    pub(super) fn return_inlined(&mut self, value: Option<ast::ExprId>) {
        let Some((result, done)) = self
            .inlined
            .last()
            .map(|inlined| (inlined.result.clone(), inlined.done))
        else {
            return;
        };
        match (value, result) {
            (Some(value), Some((place, ty))) => {
                let value = self.stored_value(value, ty);
                self.emit(Stmt::Assign(place, value));
            }
            (Some(value), None) => self.effect(value),
            (None, _) => {}
        }
        self.close(Target::Goto(done));
    }

    /// `llMessageLinked`: puts the message into the queues of those that it means.
    pub(super) fn message(&mut self, args: &[ExprId], span: Span) {
        let Some(member) = self.input.member else {
            return;
        };
        let args: Vec<ExprId> = args.iter().map(|&arg| self.save(arg)).collect();
        let &[link, number, text, id] = &args[..] else {
            return;
        };
        let sender = self.build.int(member.link_number());
        let receipt = self.receipt();
        for peer in self.build.company.peers.clone() {
            let Some(inbox) = peer.inbox.filter(|_| !peer.handling.is_empty()) else {
                continue;
            };
            let meant = self.is_meant(link, &peer, member, span);
            if self.build.program.exprs.constant(meant) == Some(&model::Value::Bool(false)) {
                continue;
            }
            let ready = self.is_ready(&peer, &peer.handling);
            let ready = self.build.and(meant, ready);
            let ready = self.save(ready);
            let mut message = vec![sender, number, text, id];
            if peer.ears.is_some() {
                let (kind, nobody) = (self.build.int(0), self.build.text(""));
                message.extend([kind, nobody]);
            }
            message.extend(receipt);
            self.post(inbox, ready, message, span);
        }
    }

    /// What goes with the message at hand.
    fn receipt(&mut self) -> Option<ExprId> {
        if !self.input.survey.has_receipts {
            return None;
        }
        let kept = self.input.checked.ast.receipts;
        let sent = kept.and_then(|kept| self.build.globals.get(kept.sent.index()).copied());
        Some(match sent {
            Some(sent) => self.build.read(sent),
            None => self.build.int(0),
        })
    }

    /// Puts a message into a queue, if the script is ready for it.
    pub(super) fn post(
        &mut self,
        inbox: ChannelId,
        ready: ExprId,
        message: Vec<ExprId>,
        span: Span,
    ) {
        let queue = self.input.member.and_then(|member| member.linkset.queue);
        if let Some(most) = queue.filter(|&most| most < QUEUE) {
            let waiting = self.build.waiting(inbox);
            let most = self.build.int(i32::try_from(most).unwrap_or(i32::MAX));
            let room = self.build.program.exprs.binary(Binary::Lt, waiting, most);
            let stays = vec![Stmt::Assume(room)];
            self.emit(Stmt::If(ready, stays, Vec::new()));
        }
        let at = self.region("a message", span);
        let next = self.region("the message is sent", span);
        self.close(Target::Goto(at));
        let mut send = Step::new(at, next, span);
        send.guard = Some(ready);
        send.comm = Some(Comm::Send {
            channel: self.build.reference(inbox),
            message,
            sorted: false,
            lossy: true,
        });
        self.build.script.add_step(send);
        let mut pass = Step::new(at, next, span);
        pass.guard = Some(self.build.not(ready));
        self.build.script.add_step(pass);
        self.begin_at(next, None, span);
    }

    /// Whether a link number means the prim of a script.
    fn is_meant(&mut self, link: ExprId, peer: &Peer, member: Member<'_>, span: Span) -> ExprId {
        let linkset = member.linkset;
        let object = member.script().object;
        if linkset.prims[peer.prim].object != object {
            return self.build.bool(false);
        }
        let own = peer.prim == member.script().prim;
        let root = linkset.is_root(peer.prim);
        let alone = linkset.prims_of(object) == 1;
        let mut numbers = vec![LINK_SET];
        numbers.extend(own.then_some(LINK_THIS));
        numbers.extend((!own).then_some(LINK_ALL_OTHERS));
        numbers.extend((!root).then_some(LINK_ALL_CHILDREN));
        numbers.push(member.linkset.link_number(peer.prim));
        numbers.extend(alone.then_some(1));
        let meant: Vec<ExprId> = numbers
            .into_iter()
            .map(|number| {
                let number = self.build.int(number);
                self.build.equal(link, number)
            })
            .collect();
        let meant = self.build.any(&meant);
        if !root || alone {
            return meant;
        }
        // Whether 0 means the root of several prims is told nowhere.
        let zero = self.build.int(0);
        let unclear = self.build.equal(link, zero);
        if self.build.program.exprs.constant(unclear) == Some(&model::Value::Bool(false)) {
            return meant;
        }
        let what = "whether link number 0 means the root";
        let (mut choice, _) = self.build.doubtful(what, span);
        let place = self.temporary(&ModelType::Bool);
        choice.place = place.clone();
        let other = Stmt::Assign(place.clone(), meant);
        self.emit(Stmt::If(unclear, vec![Stmt::Choose(choice)], vec![other]));
        self.build.program.exprs.load(place, ModelType::Bool)
    }

    /// Whether a message reaches a script: it runs, and is in one of the states that handle such.
    pub(super) fn is_ready(&mut self, peer: &Peer, handling: &[ExprId]) -> ExprId {
        let state = self.build.read(peer.state);
        let here: Vec<ExprId> = handling
            .iter()
            .map(|&wanted| self.build.equal(state, wanted))
            .collect();
        let mut ready = self.build.any(&here);
        let mut wrong = vec![peer.stopped];
        wrong.extend(peer.halts.gone);
        for flag in wrong {
            let flag = self.build.read(flag);
            let not = self.build.not(flag);
            ready = self.build.and(ready, not);
        }
        if let Some(off) = peer.halts.off {
            // Whether what comes meanwhile waits for it is told nowhere.
            let off = self.build.read(off);
            let what = "whether a message waits for a script that is stopped";
            let keeps = self.maybe(off, what, Span::NONE);
            let on = self.build.not(off);
            let takes = self.build.or(on, keeps);
            ready = self.build.and(ready, takes);
        }
        ready
    }
}

/// Adds the assumptions that several scripts bring with them.
pub(super) fn assumptions(program: &mut Program, member: Member<'_>) {
    let mut scripts = 0..member.linkset.scripts.len();
    let speak = scripts.any(|index| Member { index, ..member }.hears());
    let mut texts = vec![
        "the scripts of the linkset are those of the file: no other sends them messages or does \
         anything to them"
            .to_owned(),
        "prims are neither linked nor unlinked".to_owned(),
        "another script acts only where a handler sends a message, sleeps, sets what others read, or \
         makes a call that properties about several scripts look at"
            .to_owned(),
    ];
    if speak {
        texts.extend([
            "whether a script is near enough to hear `llSay`, `llWhisper` and `llShout` is open \
             each time; what is said has at most 1023 bytes"
                .to_owned(),
            "nobody wears an object of the file".to_owned(),
        ]);
    }
    let suffer = member.linkset.scripts.iter().map(|script| script.suffers);
    if suffer.clone().any(|suffers| suffers.anything()) {
        texts.extend([
            "in the inventory of its prim, a script has the name of its file without `.lsl`"
                .to_owned(),
            "a script that another one resets, stops, removes or replaces is halted between two \
             statements"
                .to_owned(),
        ]);
    }
    if suffer.clone().any(|suffers| suffers.stopped) {
        texts.push(
            "while a script is stopped, its object is not rezzed, nor moved to another region, nor \
             is the region restarted"
                .to_owned(),
        );
    }
    if suffer.clone().any(|suffers| suffers.loaded) {
        texts.push(
            "a script that is loaded is there at once, hears what is sent to it from then on, and has \
             begun before its object comes to another region or that restarts"
                .to_owned(),
        );
    }
    match member.linkset.queue {
        Some(most) if most < QUEUE => {}
        _ => texts.push("a queue fills with messages only, and drops those beyond 64".to_owned()),
    }
    for text in texts {
        program.add_assumption(model::Assumption {
            text,
            origin: model::Origin::Semantics,
            properties: None,
            span: Span::NONE,
        });
    }
    let Some(most) = member.linkset.queue.filter(|&most| most < QUEUE) else {
        return;
    };
    if member.linkset.queue_is_chosen {
        program.cut(Cut {
            text: format!("at most {most} messages wait for a script (`queue` says how many)"),
            by: CutBy::Default,
            span: Span::NONE,
            properties: None,
        });
    } else {
        program.add_assumption(model::Assumption {
            text: format!("at most {most} messages wait for a script"),
            origin: model::Origin::Bound,
            properties: None,
            span: member.linkset.queue_span,
        });
    }
}

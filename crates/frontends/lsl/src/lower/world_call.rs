//! Library functions with a meaning of their own: they read or write what the world keeps.
//!
//! The facts are those of the public LSL wiki. `llGiveMoney` returns 0 whether it works or not,
//! so all it does here is to be seen.

use model::{Binary, ExprId, GlobalId, Lifetime, Place, Stmt, Type as ModelType, Value};
use source::Span;

use super::Next;
use super::build::Build;
use super::code::{Coder, Unit};
use super::effects::SWITCHES;
use super::flow::Holder;
use super::handles::TARGETS;
use super::outside::NULL_KEY;
use crate::ast;
use crate::environment::Listen;
use crate::environment::permissions::{DEBIT, TAKE_CONTROLS};
use crate::facts::{self, Effect};
use crate::library;
use crate::linkset::loads::LOAD;
use crate::linkset::member::{Member, acts_on_scripts};
use crate::types::Type;

impl Coder<'_> {
    /// Whether a call does something that is kept, whoever wants its value.
    pub(crate) fn has_rule(&self, name: &str) -> bool {
        matches!(
            name,
            "llSetTimerEvent"
                | "llResetTime"
                | "llGetAndResetTime"
                | "llRequestPermissions"
                | "llResetScript"
                | "llDie"
                | "llListen"
                | "llListenRemove"
                | "llListenControl"
                | "llGiveInventory"
                | "llRemoveInventory"
                | "llReleaseControls"
        ) || (self.input.member.is_some() && (name == "llMessageLinked" || acts_on_scripts(name)))
            || self.is_heard(name)
            || facts::role(name).is_some_and(|role| {
                let keeps =
                    |effect: &Effect| matches!(effect, Effect::Sets(..) | Effect::Writes(_));
                role.answer().is_some() || role.effects().iter().any(keeps)
            })
            || SWITCHES.iter().any(|switch| switch.turned(name).is_some())
    }

    /// The effect and value of a call that has a rule.
    pub(crate) fn by_rule(
        &mut self,
        id: ast::ExprId,
        function: &'static facts::Function,
        args: &[ExprId],
    ) -> Option<ExprId> {
        self.switch(function.name, args);
        if let Some(event) = facts::role(function.name).and_then(facts::Role::answer) {
            return Some(self.request(id, (function.name, args), event));
        }
        Some(match function.name {
            "llMessageLinked" if self.input.member.is_some() => {
                let span = self.input.checked.ast.expr(id).span;
                self.message(args, span);
                self.build.int(0)
            }
            name if self.is_heard(name) => {
                let span = self.input.checked.ast.expr(id).span;
                self.say(name, args, span);
                self.build.int(0)
            }
            "llGetLinkNumber" if self.input.member.is_some() => {
                let number = self.input.member.map_or(0, Member::link_number);
                self.build.int(number)
            }
            "llGiveMoney" => self.build.int(0),
            "llKey2Name" => self.name_if_here(id, args[0]),
            "llDetectedName" => {
                let who = self.detected(args, self.build.world.detected);
                self.name_of(who)
            }
            "llGetOwner" => self.build.read(self.build.world.owner),
            "llGetCreator" => self.build.world.creator,
            "llGetKey" => self.build.world.this_object,
            "llGetPermissions" => self.build.read(self.build.world.granted),
            "llGetPermissionsKey" => {
                let granted = self.build.read(self.build.world.granted);
                let any = self.build.as_bool(granted);
                let who = self.build.world.granter.unwrap_or(self.build.world.owner);
                let who = self.build.read(who);
                let nobody = self.build.text(NULL_KEY);
                self.build.choose_by(any, who, nobody)
            }
            "llDetectedKey" => self.detected(args, self.build.world.detected),
            "llDetectedOwner" => self.detected(args, self.build.world.owner_of_detected),
            "llReleaseControls" => {
                let granted = self.build.read(self.build.world.granted);
                let others = self.build.int(!TAKE_CONTROLS);
                let rest = self.build.arithmetic(Binary::BitAnd, granted, others);
                let set = self.build.set(self.build.world.granted, rest);
                self.emit(set);
                self.build.int(0)
            }
            "llSetTimerEvent" => {
                self.set_timer(args[0]);
                self.build.int(0)
            }
            "llRequestPermissions" => {
                self.request_permissions(args, self.input.checked.ast.expr(id).span);
                self.build.int(0)
            }
            "llResetScript" => {
                let span = self.input.checked.ast.expr(id).span;
                self.leave(Next::Reset, span);
                self.build.int(0)
            }
            "llDie" => {
                let span = self.input.checked.ast.expr(id).span;
                self.leave(Next::Die, span);
                self.build.int(0)
            }
            "llListen" => return self.listen(id, args),
            "llTarget" | "llRotTarget" => return self.set_target(id, function.name),
            "llListenRemove" => {
                self.control_listen(args[0], None);
                self.build.int(0)
            }
            "llListenControl" => {
                let on = self.build.as_bool(args[1]);
                self.control_listen(args[0], Some(on));
                self.build.int(0)
            }
            "llGetNotecardLineSync" => return self.line_at_once(id, args),
            "llGetInventoryName" => match self.name_of_notecard(args) {
                Some(name) => name,
                None => self.inventory_name(id, args),
            },
            "llGetInventoryType" => self.inventory_type(id, args[0]),
            "llGetInventoryNumber" => match self.number_of_notecards(args[0]) {
                Some(count) => count,
                None => return self.inventory_number(args[0]),
            },
            "llGiveInventory" => {
                self.take_item(id, args[1], true);
                self.build.int(0)
            }
            "llResetOtherScript" | "llSetScriptState" if self.input.member.is_some() => {
                self.order(id, function, args);
                self.build.int(0)
            }
            LOAD if self.input.member.is_some() => {
                self.load_script(id, args);
                self.build.int(0)
            }
            "llRemoveInventory" => {
                self.take_item(id, args[0], false);
                self.order(id, function, args);
                self.build.int(0)
            }
            "llFrand" => self.random(args[0]),
            "llGetUnixTime" => self.unix_time(self.input.checked.ast.expr(id).span),
            "llGetStartParameter" => self.start_parameter(self.input.checked.ast.expr(id).span),
            "llGetTime" => self.script_time(self.input.checked.ast.expr(id).span, false),
            "llGetAndResetTime" => self.script_time(self.input.checked.ast.expr(id).span, true),
            "llResetTime" => {
                self.restart_time();
                self.build.int(0)
            }
            "llGenerateKey" => self.new_key_of_all(self.build.flow.of_expr(id)),
            "llListRandomize" => self.any_order(args[0], self.input.checked.ast.expr(id).span),
            _ => return None,
        })
    }

    fn name_of(&mut self, key: ExprId) -> ExprId {
        crate::environment::name_of(self.build, key)
    }

    /// The name of somebody, which is empty while they are not in the region. Nobody comes or goes
    /// while the script handles an event, unless it sleeps.
    fn name_if_here(&mut self, id: ast::ExprId, key: ExprId) -> ExprId {
        let name = self.name_of(key);
        let class = self.build.flow.of_expr(id);
        let is_asked = class.is_some_and(|class| self.build.flow.get(class).asked);
        let Some((who, is_here)) = self.build.world.presence else {
            return name;
        };
        if !is_asked || !self.temporaries.allowed() {
            return name;
        }
        let what = "whether somebody is in the region";
        let span = self.input.checked.ast.expr(id).span;
        let outside = self.build.outside(what, span, Lifetime::Step, true);
        let (yes, no) = (self.build.bool(true), self.build.bool(false));
        let place = Place::global(is_here);
        let choice = self.build.chosen(place, what, vec![yes, no], outside);
        let last = self.build.read(who);
        let again = self.build.equal(last, key);
        let remember = self.build.set(who, key);
        self.straight_if(
            again,
            |_| {},
            |coder| {
                coder.emit(Stmt::Choose(choice));
                coder.emit(remember);
            },
        );
        let here = self.build.read(is_here);
        let nobody = self.build.text("");
        let name = self.build.choose_by(here, name, nobody);
        self.save(name)
    }

    /// Who is meant by `llDetectedKey(number)`, or whose that is: the first, one of the others, or
    /// nobody: an event that detects somebody has a first, any other event has none.
    fn detected(&mut self, args: &[ExprId], first: Option<GlobalId>) -> ExprId {
        let (Some(first), Some(&number)) = (first, args.first()) else {
            return self.build.text(NULL_KEY);
        };
        let who = self.build.read(first);
        let zero = self.build.int(0);
        let mut is_first = self.build.equal(number, zero);
        if !matches!(self.unit, Unit::Handler { detects: true, .. }) {
            let none = self.build.text("");
            let none = self.build.equal(who, none);
            let some = self.build.not(none);
            is_first = self.build.and(is_first, some);
        }
        let is_certain = Some(&Value::Bool(true));
        if self.build.program.exprs.constant(is_first) == is_certain || !self.temporaries.allowed()
        {
            let nobody = self.build.text(NULL_KEY);
            return self.build.choose_by(is_first, who, nobody);
        }
        let place = self.temporary(&ModelType::Rich);
        let target = place.clone();
        self.straight_if(
            is_first,
            |coder| coder.emit(Stmt::Assign(target, who)),
            |coder| coder.detected_beside(number, &place),
        );
        self.build.program.exprs.load(place, ModelType::Rich)
    }

    /// Puts into a place who is meant by a number other than that of the first.
    fn detected_beside(&mut self, number: ExprId, place: &Place) {
        // The wiki speaks of an empty key, which may be either.
        let nobody = ["", NULL_KEY].map(|text| self.build.text(text)).to_vec();
        let nobody = Build::one_of(place.clone(), "the key of nobody", nobody);
        let Some(count) = self.build.world.number_detected else {
            return self.emit(Stmt::Choose(nobody));
        };
        let one = self.build.int(1);
        let at_least = self.build.program.exprs.binary(Binary::Le, one, number);
        let count = self.build.read(count);
        let below = self.build.program.exprs.binary(Binary::Lt, number, count);
        let there = self.build.and(at_least, below);
        let class = self.build.flow.class_of(Holder::Fact("who is detected"));
        let choice = self
            .build
            .somebody(place.clone(), "who else is detected", class);
        self.straight_if(
            there,
            |coder| coder.emit(Stmt::Choose(choice)),
            |coder| coder.emit(Stmt::Choose(nobody)),
        );
    }

    fn set_timer(&mut self, seconds: ExprId) {
        let on = self.truth(seconds, Type::Float);
        let set = self.build.set(self.build.world.armed, on);
        self.emit(set);
        if let Some((count, _)) = self.build.world.since_timer {
            let ty = self.build.program.globals[count.index()].ty.clone();
            let zero = self.build.program.exprs.int(0, ty);
            let set = self.build.set(count, zero);
            self.emit(set);
        }
    }

    /// A request replaces an earlier one. Only the owner can allow to take money.
    fn request_permissions(&mut self, args: &[ExprId], span: Span) {
        let owner = self.build.read(self.build.world.owner);
        let is_owner = self.build.equal(args[0], owner);
        let is_owner = if args[0] == owner {
            self.build.bool(true)
        } else {
            is_owner
        };
        let not_debit = self.build.int(!DEBIT);
        let harmless = self.build.arithmetic(Binary::BitAnd, args[1], not_debit);
        let mask = self.build.choose_by(is_owner, args[1], harmless);
        // One for the owner's money is never granted at once: it is replaced.
        let asking = self.build.read(self.build.world.asking);
        let before = self.build.read(self.build.world.asked);
        let debit = self.build.int(DEBIT);
        let debit = self.build.arithmetic(Binary::BitAnd, before, debit);
        let debit = self.build.as_bool(debit);
        let harmless_before = self.build.not(debit);
        let answered = self.build.and(asking, harmless_before);
        let earlier = self.build.set_flag(self.build.world.earlier, true);
        self.straight_if(answered, |coder| coder.emit(earlier), |_| {});
        let mut request = Vec::new();
        if let Some(agent) = self.build.world.agent {
            request.push(self.build.set(agent, args[0]));
        }
        if let Some(settled) = self.build.world.settled {
            request.push(self.build.set_flag(settled, false));
        }
        request.push(self.build.set_flag(self.build.world.asking, true));
        request.push(self.build.set(self.build.world.asked, mask));
        if args[0] == owner || !self.temporaries.allowed() {
            request.into_iter().for_each(|stmt| self.emit(stmt));
            return;
        }
        // Nobody may be asked, if the avatar is not there: then the owner still is.
        let place = self.temporary(&ModelType::Bool);
        let what = "whether an earlier request for the owner's money stands";
        let (no, yes) = (self.build.bool(false), self.build.bool(true));
        let outside = self.build.outside(what, span, Lifetime::Reading, true);
        let choice = self
            .build
            .chosen(place.clone(), what, vec![no, yes], outside);
        self.emit(Stmt::Choose(choice));
        let stands = self.build.program.exprs.load(place, ModelType::Bool);
        let others = self.build.not(is_owner);
        let stands = self.build.and(others, stands);
        let pending = self.build.and(asking, debit);
        let stands = self.build.and(pending, stands);
        self.straight_if(
            stands,
            |_| {},
            |coder| request.into_iter().for_each(|stmt| coder.emit(stmt)),
        );
    }

    /// A listen with the arguments of one that is open is that one. Of listens that a call opens
    /// with different arguments the last is known; earlier ones may hear anything.
    fn listen(&mut self, id: ast::ExprId, args: &[ExprId]) -> Option<ExprId> {
        let listen = self.build.world.listens.get(&id).cloned()?;
        let mut args = args.to_vec();
        args[2] = self.listened_to(id, args[2]);
        let args = args.as_slice();
        let open = self.build.read(listen.open);
        let before: Vec<GlobalId> = self
            .build
            .world
            .listens
            .values()
            .filter_map(|listen| listen.others)
            .collect();
        let before: Vec<ExprId> = before.iter().map(|&more| self.build.read(more)).collect();
        let forgotten = self.build.any(&before);
        let forgotten = self.save(forgotten);
        if let Some(others) = listen.others {
            let same = self.is_same_listen(id, &listen, args);
            let changed = self.build.not(same);
            let another = self.build.and(open, changed);
            let set = self.build.set_flag(others, true);
            self.straight_if(another, |coder| coder.emit(set), |_| {});
        }
        let handle = listen.handle.map(|place| {
            let every: Vec<_> = self.build.world.listens.values().cloned().collect();
            let mut handles = Vec::new();
            for other in &every {
                let is_open = self.build.read(other.open);
                let own = other.handle.map(|handle| self.build.read(handle));
                handles.extend(own.map(|own| (is_open, own)));
            }
            let span = self.input.checked.ast.expr(id).span;
            let known = self.build.world.listen_handles.clone();
            let mut value = self.new_handle(&known, &handles, forgotten, span);
            for (other, (is_open, own)) in every.iter().zip(handles) {
                let same = self.is_same_listen(id, other, args);
                let this = self.build.and(is_open, same);
                value = self.build.choose_by(this, own, value);
            }
            let value = self.save(value);
            let set = self.build.set(place, value);
            self.emit(set);
            value
        });
        let open = self.build.set_flag(listen.open, true);
        let heard = listen.muted.map(|muted| self.build.set_flag(muted, false));
        let channel = self.build.set(listen.channel, args[0]);
        let whom = self.build.set(listen.id, args[2]);
        let what = self.build.set(listen.message, args[3]);
        for stmt in [open, channel, whom, what].into_iter().chain(heard) {
            self.emit(stmt);
        }
        if let Some(name) = listen.name {
            let set = self.build.set(name, args[1]);
            self.emit(set);
        }
        Some(handle.unwrap_or_else(|| self.build.int(1)))
    }

    /// Whether a listen has these arguments.
    /// Whom a listen asks for: a text that is nobody's key asks for nobody, and lets everybody through.
    fn listened_to(&mut self, id: ast::ExprId, key: ExprId) -> ExprId {
        let ast::ExprKind::Call { arguments, .. } = &self.input.checked.ast.expr(id).kind else {
            return key;
        };
        let argument = arguments[2];
        let everybody = self.build.text("");
        let is_other =
            |text: &str| !text.is_empty() && text != NULL_KEY && !library::is_identity(text);
        if let Some(constant) = self.build.program.exprs.constant(key) {
            return match &*self.build.program.rich.get(constant.rich()) {
                model::Rich::Text(text) if is_other(text) => everybody,
                _ => key,
            };
        }
        let flow = &self.build.flow;
        let class = flow.of_expr(argument).map(|class| flow.get(class));
        let may_be_no_key = class.is_some_and(|class| {
            class.strange || class.computed || class.literals.iter().any(|text| is_other(text))
        });
        if !may_be_no_key {
            return key;
        }
        self.about(&[argument]);
        let key = self.save(key);
        let is_key = self.operation(library::truth(Type::Key), &[key], &[Type::Key]);
        let is_key = self.build.as_bool(is_key);
        let whom = self.build.choose_by(is_key, key, everybody);
        self.save(whom)
    }

    fn is_same_listen(&mut self, id: ast::ExprId, listen: &Listen, args: &[ExprId]) -> ExprId {
        let arguments = match &self.input.checked.ast.expr(id).kind {
            ast::ExprKind::Call { arguments, .. } => arguments.clone(),
            _ => Box::default(),
        };
        let nobody = self.build.text("");
        let name = listen.name.map_or(nobody, |name| self.build.read(name));
        let channel = self.build.read(listen.channel);
        let mut same = self.build.equal(channel, args[0]);
        let whom = self.build.read(listen.id);
        let what = self.build.read(listen.message);
        for (index, own) in [(1, name), (2, whom), (3, what)] {
            self.about(&[arguments[index]]);
            let equal = self.same_text(own, args[index]);
            same = self.build.and(same, equal);
        }
        self.save(same)
    }

    /// Ends the listen of a handle, or switches it on or off.
    fn control_listen(&mut self, handle: ExprId, on: Option<ExprId>) {
        let listens: Vec<_> = self.build.world.listens.values().cloned().collect();
        for listen in listens {
            let Some(own) = listen.handle else {
                continue;
            };
            let number = self.build.read(own);
            let same = self.build.equal(handle, number);
            let open = self.build.read(listen.open);
            let this = self.build.and(open, same);
            let stmts = match (on, listen.muted) {
                (Some(on), Some(muted)) => {
                    let off = self.build.not(on);
                    vec![self.build.set(muted, off)]
                }
                _ => {
                    let none = self.build.int(0);
                    vec![
                        self.build.set_flag(listen.open, false),
                        self.build.set(own, none),
                    ]
                }
            };
            self.straight_if(
                this,
                |coder| stmts.into_iter().for_each(|stmt| coder.emit(stmt)),
                |_| {},
            );
        }
    }

    /// A target is set: the last is known by its handle, and there may be others.
    fn set_target(&mut self, id: ast::ExprId, function: &str) -> Option<ExprId> {
        let (name, _) = TARGETS.iter().find(|(_, kind)| kind.gives == function)?;
        let target = self.build.world.targets.get(name).cloned()?;
        let place = target.handle?;
        let own = self.build.read(place);
        let none = self.build.int(0);
        let is_set = self.build.equal(own, none);
        let is_set = self.build.not(is_set);
        let span = self.input.checked.ast.expr(id).span;
        let never = self.build.bool(false);
        let handle = self.new_handle(&target.handles, &[(is_set, own)], never, span);
        let set = self.build.set(place, handle);
        self.emit(set);
        Some(handle)
    }

    /// The target of a handle is no more.
    fn remove_target(&mut self, index: usize, handle: ExprId) {
        let target = self.build.world.targets.get(SWITCHES[index].name).cloned();
        let Some(place) = target.and_then(|target| target.handle) else {
            return;
        };
        let own = self.build.read(place);
        let this = self.build.equal(own, handle);
        let none = self.build.int(0);
        let forget = self.build.set(place, none);
        let off = self.build.world.switches[index].map(|on| self.build.set_flag(on, false));
        self.straight_if(
            this,
            |coder| {
                coder.emit(forget);
                off.into_iter().for_each(|off| coder.emit(off));
            },
            |_| {},
        );
    }

    /// Calls that switch a kind of event on or off.
    fn switch(&mut self, name: &str, args: &[ExprId]) {
        for (index, switch) in SWITCHES.iter().enumerate() {
            let Some(on) = switch.turned(name) else {
                continue;
            };
            if !on && switch.is_of_targets() {
                self.remove_target(index, args[0]);
                continue;
            }
            let Some(flag) = self.build.world.switches[index] else {
                continue;
            };
            if on && let Some(again) = self.build.world.again[index] {
                let already = self.build.read(flag);
                let more = self.build.set_flag(again, true);
                self.straight_if(already, |coder| coder.emit(more), |_| {});
            }
            let set = self.build.set_flag(flag, on);
            self.emit(set);
        }
    }
}

//! What the world does of its own accord, one act at a time.
//!
//! An act changes facts and puts events into the script's queue. Which act it is, and with which
//! values, is drawn at random among those that are possible.

use lsl::facts;
use lsl::property::syntax::AssumptionKind;

use crate::claims::{Cut, Moment};
use crate::machine::Machine;
use crate::value::{NULL_KEY, Value};
use crate::world::NOTECARD;
use crate::world::{Detected, Event, Lasting, QUEUE, Unheard};

/// What the world may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Act {
    Pay,
    Touch,
    Time,
    Speak,
    Answer,
    LinkMessage,
    Permissions,
    Sell,
    Inventory,
    Rez,
    Facts,
    People,
    Data,
    /// Any other event, by its name.
    Other(&'static str),
}

const CHANGED_INVENTORY: i32 = 0x1;
const CHANGED_LINK: i32 = 0x20;
const CHANGED_OWNER: i32 = 0x80;
const DEBIT: i32 = 0x2;
/// To steer, to animate, to replace animations.
const ENDED: i32 = 0x4 | 0x10 | 0x8000;
/// To steer, animate, attach, follow and move the camera, teleport.
const EXPERIENCE: i32 = 0x4 | 0x10 | 0x20 | 0x400 | 0x800 | 0x1000;

/// Events that some other act is about, or that the script's own doings cause.
const BY_OTHER_ACTS: [&str; 15] = [
    "money",
    "timer",
    "listen",
    "link_message",
    "run_time_permissions",
    "on_rez",
    "linkset_data",
    "state_entry",
    "state_exit",
    "transaction_result",
    "http_response",
    "remote_data",
    "touch",
    "touch_start",
    "touch_end",
];

/// The calls without which an event does not happen.
pub(crate) fn switch_of(event: &str) -> Option<&'static str> {
    Some(match event {
        "sensor" | "no_sensor" => "sensor",
        "at_target" | "not_at_target" => "target",
        "at_rot_target" | "not_at_rot_target" => "rot_target",
        "control" => "control",
        "object_rez" => "rez",
        "path_update" => "character",
        "experience_permissions" | "experience_permissions_denied" => "experience",
        _ => return None,
    })
}

impl Machine<'_> {
    /// One act of the world.
    pub(crate) fn act(&mut self) {
        let act = self.choose();
        match act {
            Act::Pay => self.pay(),
            Act::Touch => self.touch(),
            Act::Time => self.time_passes(),
            Act::Speak => self.speak(),
            Act::Answer => self.answer(),
            Act::LinkMessage => self.message(),
            Act::Permissions => self.permissions(),
            Act::Sell => self.sell(),
            Act::Inventory => self.inventory(),
            Act::Rez => self.rez(),
            Act::Facts => self.facts(),
            Act::People => self.people(),
            Act::Data => self.data(),
            Act::Other(event) => self.other(event),
        }
    }

    fn choose(&mut self) -> Act {
        let world = &self.world;
        let mut acts: Vec<(usize, Act)> = vec![(3, Act::Time), (2, Act::Facts), (1, Act::People)];
        let mut add = |weight, act| acts.push((weight, act));
        if world.pay_dialog && !world.dead {
            add(8, Act::Pay);
        }
        if ["touch_start", "touch", "touch_end"]
            .iter()
            .any(|e| world.handles(e))
        {
            add(8, Act::Touch);
        }
        if world.handles("listen") && world.listens.iter().any(|listen| listen.active) {
            add(8, Act::Speak);
        }
        if world.timer.is_some() {
            add(5, Act::Time);
        }
        if !world.requests.is_empty() {
            add(8, Act::Answer);
        }
        if world.handles("link_message") {
            add(6, Act::LinkMessage);
        }
        if !world.asked.is_empty() {
            add(5, Act::Permissions);
        }
        if !self
            .claims
            .promised(|kind| matches!(kind, AssumptionKind::OwnerStays))
        {
            add(1, Act::Sell);
        }
        if !self
            .claims
            .promised(|kind| matches!(kind, AssumptionKind::InventoryStays))
        {
            add(2, Act::Inventory);
        }
        add(1, Act::Rez);
        add(1, Act::Data);
        if world.handles("linkset_data") {
            add(4, Act::Data);
        }
        for event in facts::events() {
            let asked_for = switch_of(event.name).is_none_or(|by| world.on.contains_key(by));
            if world.handles(event.name) && !BY_OTHER_ACTS.contains(&event.name) && asked_for {
                add(5, Act::Other(event.name));
            }
        }
        let total = acts.iter().map(|(weight, _)| weight).sum();
        let mut at = self.world.random.below(total);
        for (weight, act) in acts {
            if at < weight {
                return act;
            }
            at -= weight;
        }
        Act::Time
    }

    /// Puts an event into the queue, or loses it.
    pub(crate) fn raise(&mut self, event: Event) {
        let payment = (event.name == "money").then(|| event.args.clone());
        if !self.world.raise(event) {
            return;
        }
        self.cut(Cut::Overflow);
        self.world.unheard.extend(payment.map(Unheard::Lost));
    }

    fn amount(&mut self) -> i32 {
        let stated = self
            .script
            .range("amount")
            .or(self.script.range("money.amount"));
        if let Some((least, greatest)) = stated {
            let least = least.max(0);
            let amount = self.world.random.between(least, greatest.max(least));
            let drawn = i64::from(self.world.integer());
            let amount = if (least..=greatest).contains(&drawn) {
                drawn
            } else {
                amount
            };
            return i32::try_from(amount).unwrap_or(i32::MAX);
        }
        let amount = self.world.integer();
        amount.checked_abs().unwrap_or(i32::MAX)
    }

    /// Who pays, and how much.
    fn payment(&mut self) -> Vec<Value> {
        let (who, _) = self.world.somebody();
        let mut amount = self.amount();
        let positive = self
            .claims
            .promised(|kind| matches!(kind, AssumptionKind::PaymentsPositive));
        if positive {
            amount = amount.max(1);
        }
        vec![Value::key(&who), Value::Integer(amount)]
    }

    /// A payment that waits behind the handler that runs.
    pub(crate) fn pay_behind(&mut self) {
        let args = self.payment();
        self.raise(Event::new("money", args));
    }

    fn pay(&mut self) {
        let args = self.payment();
        if self.world.handles("money") {
            self.raise(Event::new("money", args));
            return;
        }
        if self.world.queue.iter().any(|event| event.name == "on_rez") {
            self.cut(Cut::PaidTooEarly);
        }
        let (who, amount) = (&args[0], &args[1]);
        // Nobody hears of it: through a dialog that is still open, or after the script has stopped.
        let told = format!("{who} pays L${amount}, and no handler hears of it");
        self.world.tell(told);
        self.world.unheard.push(Unheard::Paid(args));
    }

    /// The ledger is credited: a payment leaves the queue, or never was in it.
    pub(crate) fn paid(&mut self, args: &[Value]) {
        if args.get(1).is_some_and(|amount| amount.integer() <= 0) {
            self.cut(Cut::ZeroPayment);
        }
        self.moment(Moment::Paid, args);
    }

    /// Avatars, and for some events objects, that an event detects.
    pub(crate) fn detect(&mut self, event: &str) -> Vec<Detected> {
        let stated = self.script.range(&format!("{event}.num_detected"));
        let count = match stated {
            Some((least, greatest)) => self
                .world
                .random
                .between(least.max(1), greatest.clamp(1, 16)),
            None if self.world.habits.several_detected && self.world.random.chance(1, 5) => 2,
            None => 1,
        };
        let objects = event.contains("collision") || event.contains("sensor");
        (0..count)
            .map(|_| {
                let thing = if objects && self.world.random.chance(1, 4) {
                    self.world.random.pick(&self.world.things).cloned()
                } else {
                    None
                };
                match thing {
                    Some((key, name)) => Detected {
                        key,
                        name,
                        owner: self.world.somebody().0,
                        // PASSIVE, SCRIPTED or both
                        kind: [4, 8, 10][self.world.random.below(3)],
                    },
                    None => {
                        let (key, name) = self.world.somebody();
                        Detected {
                            owner: key.clone(),
                            key,
                            name,
                            // AGENT, and ACTIVE for one that moves
                            kind: [1, 3][self.world.random.below(2)],
                        }
                    }
                }
            })
            .collect()
    }

    fn detecting(&mut self, event: &'static str, detected: Vec<Detected>) {
        let count = i32::try_from(detected.len()).unwrap_or(1);
        self.raise(Event {
            detected,
            ..Event::new(event, vec![Value::Integer(count)])
        });
    }

    fn touch(&mut self) {
        let whole = self.world.random.chance(2, 3);
        for event in ["touch_start", "touch", "touch_end"] {
            if whole || self.world.random.chance(1, 2) {
                // Whoever touches it may be more than one from moment to moment.
                let detected = self.detect(event);
                self.detecting(event, detected);
            }
        }
    }

    /// Some time passes, and the timer fires when it is due.
    pub(crate) fn time_passes(&mut self) {
        let long = match self.world.timer {
            Some((_, due)) if self.world.random.chance(3, 4) => due - self.world.clock + 0.01,
            _ => match self.world.random.below(4) {
                0 => self.world.random.unit(),
                1 => self.world.random.unit() * 60.0,
                2 => f64::from(self.world.integer().clamp(0, 100_000)),
                _ => self.world.random.unit() * 100_000.0,
            },
        };
        self.pass(long.max(0.0));
    }

    /// So many seconds pass.
    pub(crate) fn pass(&mut self, seconds: f64) {
        self.world.clock += seconds;
        let Some((interval, due)) = self.world.timer else {
            return;
        };
        if self.world.clock >= due {
            self.world.timer = Some((interval, self.world.clock + interval));
            // Timers do not pile up.
            if !self.world.queue.iter().any(|event| event.name == "timer") {
                if !self.world.handles("timer") {
                    self.world.since_timer = 0;
                }
                self.raise(Event::new("timer", Vec::new()));
            }
        }
    }

    /// A call sleeps: time passes, and the world goes on.
    pub(crate) fn sleep(&mut self, seconds: f64) {
        self.pass(seconds);
        if self.alone() {
            return;
        }
        let few = self.world.random.below(3);
        // Now and then there is a flood, and the queue overflows.
        let flood = self.world.random.chance(1, 60);
        self.asleep = true;
        for _ in 0..if flood { 2 * QUEUE } else { few } {
            self.act();
        }
        self.asleep = false;
    }

    /// The object is sold or rezzed: while the script sleeps, that is assumed not to happen.
    fn news(&mut self) {
        if self.asleep {
            self.cut(Cut::UnheardNews);
        }
    }

    /// Whether events come one at a time, because a bound counts them.
    pub(crate) fn alone(&self) -> bool {
        self.script.range("events-per-timer").is_some()
    }

    fn speak(&mut self) {
        let active: Vec<_> = self
            .world
            .listens
            .iter()
            .filter(|l| l.active)
            .cloned()
            .collect();
        let Some(listen) = self.world.random.pick(&active).cloned() else {
            return;
        };
        let (key, name) = if listen.key.is_empty() || listen.key == NULL_KEY {
            if listen.name.is_empty() {
                self.world.anything()
            } else {
                let named = self.world.people.iter().find(|p| p.name == listen.name);
                let key = named.map(|person| person.key.clone());
                // Objects can have any name.
                (
                    key.unwrap_or_else(|| self.world.new_key()),
                    listen.name.clone(),
                )
            }
        } else {
            let name = self.world.name_of(&listen.key);
            (
                listen.key.clone(),
                name.unwrap_or_else(|| "Somebody".to_owned()),
            )
        };
        if !listen.name.is_empty() && listen.name != name {
            return;
        }
        let buttons = self
            .world
            .dialogs
            .iter()
            .filter(|(c, _)| *c == listen.channel);
        let buttons: Vec<String> = buttons.flat_map(|(_, buttons)| buttons.clone()).collect();
        let message = match self.world.random.pick(&buttons).cloned() {
            _ if !listen.message.is_empty() => listen.message.clone(),
            Some(button) if self.world.random.chance(2, 3) => button,
            _ => self.world.text(),
        };
        // Each listen that it fits hears it.
        for heard in active {
            let fits = heard.channel == listen.channel
                && (heard.name.is_empty() || heard.name == name)
                && (heard.key.is_empty() || heard.key == NULL_KEY || heard.key == key)
                && (heard.message.is_empty() || heard.message == message);
            if fits {
                let args = vec![
                    Value::Integer(heard.channel),
                    Value::text(&name),
                    Value::key(&key),
                    Value::text(&message),
                ];
                self.raise(Event {
                    handle: Some(heard.handle),
                    ..Event::new("listen", args)
                });
                // What fits several is heard once.
                break;
            }
        }
    }

    fn message(&mut self) {
        let parameters = &facts::event("link_message")
            .map(|e| &*e.parameters)
            .unwrap_or(&[]);
        let sender = &parameters[0];
        let most = self.world.prims;
        let stated = self.script.range("link_message.sender_num").is_some();
        let first = if stated {
            self.world.parameter("link_message", sender)
        } else {
            Value::Integer(self.world.link.max(self.world.small(most + 1)).min(most))
        };
        let rest = parameters[1..].iter();
        let mut args = vec![first];
        args.extend(rest.map(|parameter| self.world.parameter("link_message", parameter)));
        self.raise(Event::new("link_message", args));
    }

    /// The owner, or whoever was asked, answers.
    pub(crate) fn permissions(&mut self) {
        let Some(last) = self.world.asked.len().checked_sub(1) else {
            return;
        };
        // Mostly in the order of asking.
        let index = match self.world.random.chance(1, 3) {
            true => last,
            false => 0,
        };
        let (mask, who) = self.world.asked.remove(index);
        let granted = if self.world.random.chance(2, 3) {
            mask
        } else {
            0
        };
        if granted == 0 {
            self.cut(Cut::Refused(mask));
        }
        self.world.tell(format!(
            "{who} is asked for permissions {mask} and grants {granted}"
        ));
        self.world.granted = granted;
        self.world.granter = if granted == 0 {
            NULL_KEY.to_owned()
        } else {
            who
        };
        self.raise(Event::new(
            "run_time_permissions",
            vec![Value::Integer(granted)],
        ));
    }

    fn sell(&mut self) {
        if self.world.people.len() < 2 {
            return;
        }
        self.cut(Cut::OwnerChanges);
        self.news();
        let others = self.world.people.len() - 1;
        let mut next = self.world.random.below(others);
        next += usize::from(next >= self.world.owner);
        self.world.owner = next;
        // The new owner has allowed nothing.
        self.world.granted &= !DEBIT;
        let name = self.world.people[next].name.clone();
        self.world.tell(format!("the object is sold to {name}"));
        if self.world.handles("changed") {
            // One event may tell of several changes.
            let more = match self.world.random.chance(1, 6) {
                true => 1 << self.world.small(11),
                false => 0,
            };
            self.raise(Event {
                sale: true,
                ..Event::new("changed", vec![Value::Integer(CHANGED_OWNER | more)])
            });
        } else {
            self.world.unheard.push(Unheard::Sold);
        }
    }

    fn inventory(&mut self) {
        self.cut(Cut::InventoryChanges);
        let others: Vec<String> = self
            .world
            .items
            .iter()
            .filter(|item| item.kind != NOTECARD || self.script.notecards.is_empty())
            .map(|item| item.name.clone())
            .collect();
        let taken = self.world.random.pick(&others).cloned();
        match taken {
            Some(name) if name != self.world.script_name && self.world.random.chance(1, 2) => {
                self.world.items.retain(|item| item.name != name);
                self.world
                    .tell(format!("{name:?} is taken out of the object"));
            }
            _ => {
                let known = self.world.random.pick(&self.script.literals.texts).cloned();
                let name = match known {
                    Some(name) if self.world.random.chance(3, 4) => name,
                    _ => self.world.text(),
                };
                if name.is_empty() || !self.world.add_item(name.clone()) {
                    return;
                }
                self.world.tell(format!("{name:?} is put into the object"));
            }
        }
        self.world
            .facts
            .retain(|call, _| !call.contains("Inventory"));
        let changed = vec![Value::Integer(CHANGED_INVENTORY)];
        self.raise(Event::new("changed", changed));
    }

    /// The object is taken and rezzed again.
    fn rez(&mut self) {
        self.news();
        if self.world.habits.new_keys {
            self.world.key = self.world.fresh_key();
        }
        self.world.start_parameter = match facts::event("on_rez") {
            Some(event) => self
                .world
                .parameter("on_rez", &event.parameters[0])
                .integer(),
            None => 0,
        };
        self.world.start_text = self.world.text();
        self.world.sitter = None;
        self.world.tell("the object is rezzed anew".to_owned());
        let started = Value::Integer(self.world.start_parameter);
        self.raise(Event::new("on_rez", vec![started]));
    }

    /// Somebody else changes what getters say: an owner, another script, the region. A region that is
    /// left or restarts takes the start parameter with it.
    fn facts(&mut self) {
        let mut calls: Vec<String> = self.world.facts.keys().cloned().collect();
        calls.sort();
        for call in calls {
            if self.world.random.chance(1, 2) {
                self.world.facts.remove(&call);
            }
        }
        if self.world.random.chance(1, 8) {
            self.world.start_parameter = 0;
        }
    }

    /// People come, go, sit down and stand up, and end what they have granted.
    fn people(&mut self) {
        if self.world.granted & ENDED != 0 && self.world.random.chance(1, 4) {
            self.world.granted &= !ENDED;
            self.world
                .tell("the script may not steer or animate any more".to_owned());
            return;
        }
        let index = self.world.random.below(self.world.people.len());
        if self.world.random.chance(1, 2) {
            let person = &mut self.world.people[index];
            person.here = !person.here;
            return;
        }
        self.world.sitter = match self.world.sitter {
            Some(_) => None,
            None => Some(index),
        };
        self.raise(Event::new("changed", vec![Value::Integer(CHANGED_LINK)]));
    }

    /// Another script of the linkset writes into the data that they share.
    fn data(&mut self) {
        let known: Vec<String> = self.world.data.keys().cloned().collect();
        let name = match self.world.random.pick(&known).cloned() {
            Some(name) if self.world.random.chance(1, 2) => name,
            _ => self.world.text(),
        };
        if name.is_empty() {
            return;
        }
        let value = self.world.text();
        if self.world.random.chance(1, 4) || value.is_empty() {
            self.world.data.remove(&name);
            self.linkset_data(2, &name, "");
        } else {
            self.world
                .data
                .insert(name.clone(), (value.clone(), String::new()));
            self.linkset_data(1, &name, &value);
        }
    }

    /// Tells the scripts of the linkset of a change to the data that they share.
    pub(crate) fn linkset_data(&mut self, action: i32, name: &str, value: &str) {
        let args = vec![
            Value::Integer(action),
            Value::text(name),
            Value::text(value),
        ];
        self.raise(Event::new("linkset_data", args));
    }

    /// An event without a meaning of its own here.
    fn other(&mut self, event: &'static str) {
        if let Some(switch) = switch_of(event)
            && let Some(&Lasting::Times(times)) = self.world.on.get(switch)
        {
            match times {
                0 | 1 => self.world.on.remove(switch),
                _ => self.world.on.insert(switch, Lasting::Times(times - 1)),
            };
        }
        let Some(facts) = facts::event(event) else {
            return;
        };
        if facts.detected {
            let detected = self.detect(event);
            self.detecting(event, detected);
            return;
        }
        let mut args: Vec<Value> = facts
            .parameters
            .iter()
            .map(|parameter| self.world.parameter(event, parameter))
            .collect();
        match event {
            "changed" if self.script.range("changed.changes").is_none() => {
                // Any of the flags, and now and then two at once.
                let flag = |world: &mut crate::world::World<'_>| {
                    let bits = [2, 4, 8, 0x10, 0x40, 0x100, 0x200, 0x400, 0x800, 0x1000];
                    *world.random.pick(&bits).unwrap_or(&2)
                };
                let mut changes = flag(&mut self.world);
                if self.world.random.chance(1, 6) {
                    changes |= flag(&mut self.world);
                }
                args = vec![Value::Integer(changes)];
            }
            "dataserver" => {
                if !self.world.habits.foreign_replies {
                    return;
                }
                args[0] = Value::key(&self.world.fresh_key());
            }
            "http_request" => {
                let Some(_) = self.world.random.pick(&self.world.urls) else {
                    return;
                };
                let method = ["GET", "POST", "PUT", "DELETE"][self.world.random.below(4)];
                args[0] = Value::key(&self.world.fresh_key());
                args[1] = Value::text(method);
            }
            "control" => {
                args[0] = Value::key(&self.world.granter);
                for number in &mut args[1..] {
                    if self.world.random.chance(1, 2) {
                        *number = Value::Integer(1 << self.world.random.below(4));
                    }
                }
            }
            "at_target" | "at_rot_target" => {
                let handle = self.world.random.pick(&self.world.targets).copied();
                args[0] = Value::Integer(handle.unwrap_or(0));
            }
            "object_rez" => args[0] = Value::key(&self.world.fresh_key()),
            "attach" => {
                let owner = self.world.owner_key().to_owned();
                let key = if self.world.random.chance(1, 2) {
                    &owner
                } else {
                    NULL_KEY
                };
                args[0] = Value::key(key);
            }
            "email" => {
                args[0] = Value::text(&self.world.unix_time().to_string());
                if self.script.range("email.num_left").is_none() {
                    args[4] = Value::Integer(self.world.small(3));
                }
            }
            "experience_permissions" => {
                let (key, _) = self.world.somebody();
                args[0] = Value::key(&key);
                self.world.granted |= EXPERIENCE;
                self.world.granter = key;
            }
            "experience_permissions_denied" | "game_control" => {
                args[0] = Value::key(&self.world.somebody().0);
            }
            _ => {}
        }
        self.raise(Event::new(event, args));
    }
}

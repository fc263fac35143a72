//! The concrete world around one script: who and what is there, what time it is, what has been
//! asked for, what waits in the queue.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use lsl::Type;
use lsl::ast::StateId;
use lsl::facts;

use crate::random::Random;
use crate::script::Script;
use crate::value::{NULL_KEY, Value};

/// The capacity of a script's event queue.
pub(crate) const QUEUE: usize = 64;

/// `INVENTORY_NOTECARD`, `INVENTORY_SCRIPT`.
pub(crate) const NOTECARD: i32 = 7;
pub(crate) const SCRIPT: i32 = 10;

/// How the world behaves where a verdict may have said that it does not.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// Touches and the like may come with more than one thing detected.
    pub several_detected: bool,
    /// Replies to requests of other scripts in the same prim come too.
    pub foreign_replies: bool,
    /// The object has a new key when it is rezzed anew.
    pub new_keys: bool,
    /// The object is sold or rezzed while the script sleeps, or the script handles something else
    /// before it hears of that.
    pub unheard_news: bool,
    /// The owner answers each of several requests for permission to take money.
    pub all_answers: bool,
}

impl Default for Habits {
    fn default() -> Self {
        Habits {
            several_detected: true,
            foreign_replies: true,
            new_keys: true,
            unheard_news: true,
            all_answers: true,
        }
    }
}

/// An avatar.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) balance: i64,
    pub(crate) here: bool,
}

/// Something in the object's inventory.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) kind: i32,
    pub(crate) key: String,
    pub(crate) creator: String,
    /// Of a notecard.
    pub(crate) lines: Vec<String>,
    pub(crate) copyable: bool,
}

/// What the script listens to.
#[derive(Clone, Debug)]
pub(crate) struct Listen {
    pub(crate) handle: i32,
    pub(crate) channel: i32,
    pub(crate) name: String,
    pub(crate) key: String,
    pub(crate) message: String,
    pub(crate) active: bool,
}

/// Something that an event has detected.
#[derive(Clone, Debug)]
pub(crate) struct Detected {
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) owner: String,
    pub(crate) kind: i32,
}

/// An event that waits, or is handled.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) name: &'static str,
    pub(crate) args: Vec<Value>,
    pub(crate) detected: Vec<Detected>,
    /// The owner changed, and this event tells of it.
    pub(crate) sale: bool,
    /// The listen that heard it.
    pub(crate) handle: Option<i32>,
}

impl Event {
    pub(crate) fn new(name: &'static str, args: Vec<Value>) -> Event {
        Event {
            name,
            args,
            detected: Vec::new(),
            sale: false,
            handle: None,
        }
    }
}

/// What happens without an event that the script handles.
#[derive(Clone, Debug)]
pub(crate) enum Unheard {
    /// A payment that raises no event.
    Paid(Vec<Value>),
    /// A payment whose event found no room in the queue.
    Lost(Vec<Value>),
    /// The object has another owner.
    Sold,
}

/// What somebody will answer, or not.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) key: String,
    pub(crate) asked: Asked,
}

/// What was asked for.
#[derive(Clone, Debug)]
pub(crate) enum Asked {
    /// A line of a notecard, by name and number.
    Line(String, i32),
    /// How many lines a notecard has.
    Lines(String),
    /// How often a text is found in a notecard.
    Found,
    AgentData(String, i32),
    Name(String),
    UserKey(String),
    InventoryData,
    SimulatorData(i32),
    /// One of the experience's store.
    KeyValue,
    Http,
    Url,
    Transfer,
}

/// How long a kind of event goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lasting {
    /// So many more times.
    Times(usize),
    Repeated,
}

/// The world.
#[derive(Debug)]
pub(crate) struct World<'a> {
    pub(crate) script: &'a Script,
    pub(crate) random: Random,
    pub(crate) habits: Habits,
    pub(crate) people: Vec<Person>,
    /// The owner, by position among the people.
    pub(crate) owner: usize,
    /// Keys and names of other objects.
    pub(crate) things: Vec<(String, String)>,
    pub(crate) key: String,
    pub(crate) creator: String,
    pub(crate) script_name: String,
    pub(crate) link: i32,
    pub(crate) prims: i32,
    pub(crate) sitter: Option<usize>,
    pub(crate) items: Vec<Item>,
    pub(crate) data: BTreeMap<String, (String, String)>,
    /// What getters say, by call, until somebody changes it.
    pub(crate) facts: HashMap<String, Value>,
    /// What functions of nothing but their arguments give, by call, where they are not computed.
    pub(crate) computed: HashMap<String, Value>,
    /// What the functions about detected things say, until the next event.
    pub(crate) of_event: HashMap<String, Value>,
    /// Seconds since the run began.
    pub(crate) clock: f64,
    /// The date when the run began, in seconds since 1970.
    pub(crate) epoch: i64,
    /// When the script's own clock was set to 0.
    pub(crate) clock_zero: f64,
    /// Interval of the timer and when it is due.
    pub(crate) timer: Option<(f64, f64)>,
    pub(crate) granted: i32,
    pub(crate) granter: String,
    /// Requests for permissions that are open: the mask and whom.
    pub(crate) asked: Vec<(i32, String)>,
    pub(crate) listens: Vec<Listen>,
    pub(crate) next_handle: i32,
    pub(crate) dialogs: Vec<(i32, Vec<String>)>,
    pub(crate) requests: Vec<Request>,
    pub(crate) urls: Vec<String>,
    /// Kinds of events that calls have asked for.
    pub(crate) on: HashMap<&'static str, Lasting>,
    /// Texts that the script has told others, the last few.
    told: Vec<Arc<str>>,
    /// Handles of targets.
    pub(crate) targets: Vec<i32>,
    pub(crate) queue: VecDeque<Event>,
    /// Somebody may have the object's pay dialog open.
    pub(crate) pay_dialog: bool,
    pub(crate) dead: bool,
    pub(crate) stopped: bool,
    pub(crate) start_parameter: i32,
    pub(crate) start_text: String,
    /// Events handled since the last of the timer.
    pub(crate) since_timer: i64,
    /// What the world does, for the story.
    pub(crate) story: Vec<String>,
    /// What nobody hears of: steps of their own, once the handler that runs has ended.
    pub(crate) unheard: Vec<Unheard>,
    /// The state that the script is in, so that the queue knows what is handled.
    pub(crate) state: StateId,
    /// Keys that have been given to something.
    pub(crate) used: HashSet<String>,
}

/// So many texts that the script has told are remembered.
const MOST_TOLD: usize = 8;
const NAMES: [&str; 6] = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Finn"];

impl<'a> World<'a> {
    pub(crate) fn new(script: &'a Script, seed: u64, habits: Habits, state: StateId) -> World<'a> {
        let mut random = Random::new(seed);
        let others = ["bidders", "avatars", "payers"]
            .iter()
            .find_map(|name| script.range(name));
        let others = match others {
            Some((_, most)) => usize::try_from(most).unwrap_or(0),
            None => 1 + random.below(4),
        };
        let epoch = 1_700_000_000 + random.between(0, 100_000_000);
        let mut world = World {
            script,
            random,
            habits,
            people: Vec::new(),
            owner: 0,
            things: Vec::new(),
            key: String::new(),
            creator: String::new(),
            script_name: "New Script".to_owned(),
            link: 0,
            prims: 1,
            sitter: None,
            items: Vec::new(),
            data: BTreeMap::new(),
            facts: HashMap::new(),
            computed: HashMap::new(),
            of_event: HashMap::new(),
            clock: 0.0,
            epoch,
            clock_zero: 0.0,
            timer: None,
            granted: 0,
            granter: NULL_KEY.to_owned(),
            asked: Vec::new(),
            listens: Vec::new(),
            next_handle: 1,
            dialogs: Vec::new(),
            requests: Vec::new(),
            urls: Vec::new(),
            on: HashMap::new(),
            told: Vec::new(),
            targets: Vec::new(),
            queue: VecDeque::new(),
            pay_dialog: false,
            dead: false,
            stopped: false,
            start_parameter: 0,
            start_text: String::new(),
            since_timer: 0,
            story: Vec::new(),
            unheard: Vec::new(),
            state,
            used: HashSet::new(),
        };
        world.populate(others);
        world
    }

    fn populate(&mut self, others: usize) {
        self.key = self.new_key();
        for index in 0..=others {
            let key = self.new_key();
            let known = self.random.pick(&self.script.literals.texts).cloned();
            let name = match known {
                Some(text) if self.random.chance(1, 8) && !text.is_empty() => text,
                _ => format!("{} Resident", NAMES[index % NAMES.len()]),
            };
            let person = Person {
                key,
                name,
                balance: self.random.between(0, 10_000),
                here: true,
            };
            self.people.push(person);
        }
        self.owner = self.random.below(self.people.len());
        self.creator = match self.random.below(3) {
            0 => self.people[self.owner].key.clone(),
            1 => self.people[self.random.below(self.people.len())]
                .key
                .clone(),
            _ => self.new_key(),
        };
        for _ in 0..self.random.below(3) {
            let key = self.new_key();
            let name = self.text();
            self.things.push((key, name));
        }
        if self.random.chance(1, 3) {
            self.link = i32::from(!self.random.chance(1, 4)) + 1;
            self.prims = 2 + self.small(3);
            self.link = self.link.min(self.prims);
        }
        let own = Item {
            name: self.script_name.clone(),
            kind: SCRIPT,
            key: self.new_key(),
            creator: self.creator.clone(),
            lines: Vec::new(),
            copyable: true,
        };
        self.items.push(own);
        for card in &self.script.notecards {
            let item = Item {
                name: card.name.clone(),
                kind: NOTECARD,
                key: self.new_key(),
                creator: self.creator.clone(),
                lines: card.lines.clone(),
                copyable: true,
            };
            self.items.push(item);
        }
        self.items.sort_by(|a, b| a.name.cmp(&b.name));
        for name in self.script.literals.texts.clone() {
            if !name.is_empty() && name.len() < 40 && self.random.chance(2, 5) {
                self.add_item(name);
            }
        }
        for _ in 0..self.random.below(3) {
            let name = format!("Thing {}", self.random.below(50));
            self.add_item(name);
        }
        for _ in 0..self.random.below(3) {
            let (name, value) = (self.text(), self.text());
            if !name.is_empty() && !value.is_empty() {
                self.data.insert(name, (value, String::new()));
            }
        }
        if self.random.chance(1, 2) {
            self.start_parameter = self.random.integer(&self.script.literals);
        }
        self.start_text = self.text();
        self.clock_zero = -self.random.unit() * 1000.0;
    }

    /// A key for somebody or something: one that the script names, if it is free, or a new one.
    pub(crate) fn new_key(&mut self) -> String {
        let known = self.random.pick(&self.script.literals.uuids).cloned();
        if let Some(key) = known
            && key != NULL_KEY
            && self.random.chance(1, 3)
            && self.used.insert(key.clone())
        {
            return key;
        }
        self.fresh_key()
    }

    /// A key that is new in this world.
    pub(crate) fn fresh_key(&mut self) -> String {
        let key = self.random.uuid();
        self.used.insert(key.clone());
        key
    }

    /// Puts something into the object, unless it has one of that name.
    pub(crate) fn add_item(&mut self, name: String) -> bool {
        if self.items.iter().any(|item| item.name == name) {
            return false;
        }
        let kinds = [
            0, 1, 3, 5, 6, 6, 6, NOTECARD, NOTECARD, NOTECARD, SCRIPT, 20, 21,
        ];
        let kind = match *self.random.pick(&kinds).unwrap_or(&6) {
            // All notecards are known.
            NOTECARD if !self.script.notecards.is_empty() => 6,
            kind => kind,
        };
        let lines = if kind == NOTECARD {
            (0..self.random.below(4)).map(|_| self.text()).collect()
        } else {
            Vec::new()
        };
        let item = Item {
            name,
            kind,
            key: self.new_key(),
            creator: self.somebody().0,
            lines,
            copyable: self.random.chance(2, 3),
        };
        self.items.push(item);
        self.items.sort_by(|a, b| a.name.cmp(&b.name));
        true
    }

    pub(crate) fn item(&self, name: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.name == name)
    }

    /// The type of an inventory item, -1 if there is none of that name.
    pub(crate) fn item_kind(&self, name: &str) -> i32 {
        self.item(name).map_or(-1, |item| item.kind)
    }

    pub(crate) fn owner_key(&self) -> &str {
        &self.people[self.owner].key
    }

    /// An avatar's key and name.
    pub(crate) fn somebody(&mut self) -> (String, String) {
        let index = self.random.below(self.people.len());
        let person = &self.people[index];
        (person.key.clone(), person.name.clone())
    }

    /// The key and name of an avatar or an object.
    pub(crate) fn anything(&mut self) -> (String, String) {
        match self.random.pick(&self.things).cloned() {
            Some(thing) if self.random.chance(1, 4) => thing,
            _ => self.somebody(),
        }
    }

    /// The name that belongs to a key here, if any.
    pub(crate) fn name_of(&self, key: &str) -> Option<String> {
        let person = self.people.iter().find(|person| person.key == key);
        if let Some(person) = person {
            return person.here.then(|| person.name.clone());
        }
        if key == self.key {
            return self
                .facts
                .get("llGetObjectName()")
                .map(|name| name.letters().to_string());
        }
        let thing = self.things.iter().find(|(own, _)| own == key);
        thing.map(|(_, name)| name.clone())
    }

    /// Any text: now and then one that the script has told.
    pub(crate) fn text(&mut self) -> String {
        match self.repeated() {
            Some(told) => told,
            None => self.random.text(&self.script.literals),
        }
    }

    /// What somebody says who repeats what the script has told.
    fn repeated(&mut self) -> Option<String> {
        if self.told.is_empty() || !self.random.chance(1, 8) {
            return None;
        }
        let place = self.random.below(self.told.len());
        self.told.get(place).map(|told| told.to_string())
    }

    /// The script tells others the texts in a value.
    pub(crate) fn hear(&mut self, value: &Value) {
        match value {
            Value::Text(text) | Value::Key(text) if !self.told.contains(text) => {
                if self.told.len() == MOST_TOLD {
                    self.told.remove(0);
                }
                self.told.push(Arc::clone(text));
            }
            Value::List(values) => values.iter().for_each(|value| self.hear(value)),
            _ => {}
        }
    }

    pub(crate) fn integer(&mut self) -> i32 {
        self.random.integer(&self.script.literals)
    }

    /// From 0 to below `bound`, which is above 0.
    pub(crate) fn small(&mut self, bound: i32) -> i32 {
        i32::try_from(self.random.between(0, i64::from(bound) - 1)).unwrap_or(0)
    }

    /// Any value of a parameter of an event, within what is stated for it.
    pub(crate) fn parameter(&mut self, event: &str, parameter: &facts::Parameter) -> Value {
        if parameter.ty == Type::Integer
            && let Some((least, greatest)) =
                self.script.range(&format!("{event}.{}", parameter.name))
        {
            let number = self.random.between(least, greatest);
            return Value::Integer(i32::try_from(number).unwrap_or(0));
        }
        match parameter.ty {
            Type::String => Value::text(&self.text()),
            Type::Key => match self.repeated() {
                Some(told) => Value::key(&told),
                None => self.random.value(Type::Key, &self.script.literals),
            },
            ty => self.random.value(ty, &self.script.literals),
        }
    }

    pub(crate) fn handles(&self, event: &str) -> bool {
        !self.stopped && !self.dead && self.script.handler(self.state, event).is_some()
    }

    /// A call asks for one event of a kind more.
    pub(crate) fn once_more(&mut self, kind: &'static str) {
        let more = match self.on.get(kind) {
            Some(Lasting::Repeated) => return,
            Some(Lasting::Times(times)) => times + 1,
            None => 1,
        };
        self.on.insert(kind, Lasting::Times(more));
    }

    /// Puts an event into the queue, if it is one that the script handles. Says whether there was
    /// no room for it.
    pub(crate) fn raise(&mut self, event: Event) -> bool {
        if !self.handles(event.name) {
            return false;
        }
        if self.queue.len() >= QUEUE {
            return true;
        }
        self.queue.push_back(event);
        false
    }

    /// Seconds since 1970.
    #[expect(clippy::cast_possible_truncation, reason = "runs are short")]
    pub(crate) fn unix_time(&self) -> i64 {
        self.epoch + self.clock as i64
    }

    pub(crate) fn tell(&mut self, what: String) {
        self.story.push(what);
    }

    /// Puts names in place of keys in the story.
    pub(crate) fn name_people(&mut self) {
        for person in &self.people {
            for line in &mut self.story {
                if line.contains(&person.key) {
                    *line = line.replace(&format!("{:?}", person.key), &person.name);
                }
            }
        }
    }

    /// What a getter says: the same until somebody changes it.
    pub(crate) fn fact(
        &mut self,
        call: String,
        draw: impl FnOnce(&mut World<'a>) -> Value,
    ) -> Value {
        if let Some(value) = self.facts.get(&call) {
            return value.clone();
        }
        let value = draw(self);
        self.facts.insert(call, value.clone());
        value
    }
}

//! Random scripts that take payments and state nothing, as the checks that nobody asks for see them.
//!
//! They are made of what scripts with money are made of: prices in variables and lists, permissions
//! that are asked for, states that sell, replies that are waited for, functions that refund.

use crate::generate::{Handler, Random, Script};

/// Handlers that any state may have, with what their parameters are called.
const EVENTS: [&str; 11] = [
    "touch_start",
    "timer",
    "listen",
    "link_message",
    "changed",
    "on_rez",
    "dataserver",
    "http_response",
    "sensor",
    "attach",
    "state_exit",
];

const GLOBALS: [&str; 14] = [
    "integer price = 10;",
    "integer total;",
    "integer open;",
    "integer level = -2;",
    "integer CLOSED = 3;",
    "integer handle;",
    "key payer;",
    "key wait;",
    "string item = \"open\";",
    "list known;",
    "list prices = [5, \"a\", 10];",
    "float share = 0.5;",
    "float week = 604800.0;",
    "vector at = <1.0, 2.0, 3.0>;",
];

const FUNCTIONS: [&str; 7] = [
    "refund(key to, integer sum) { if (sum > 0) llGiveMoney(to, sum); }",
    "pay(key to, integer sum) { total -= sum; llGiveMoney(to, sum); }",
    "give(key to) { llGiveInventory(to, item); }",
    "serve(key to) { if (llGetInventoryType(item) != INVENTORY_NONE) llGiveInventory(to, item); }",
    "integer cost(integer n) { if (n > 2) return price * n; return price; }",
    "integer may(key id) { return llListFindList(known, [(string)id]) >= 0; }",
    "note(key id, integer n) { known += [(string)id]; total += n; payer = id; }",
];

/// The script of a seed.
pub(crate) fn script(seed: u64) -> Script {
    let mut maker = Maker {
        random: Random::new(seed ^ 0x5eed_5b0b),
        states: 1,
    };
    maker.states = 1 + maker.random.below(3);
    let states = (0..maker.states).map(|index| maker.state(index)).collect();
    let globals = GLOBALS.iter().chain(&FUNCTIONS);
    Script {
        directives: Vec::new(),
        globals: globals.map(|&line| line.to_owned()).collect(),
        states,
    }
}

struct Maker {
    random: Random,
    states: usize,
}

impl Maker {
    fn state(&mut self, index: usize) -> (String, Vec<Handler>) {
        let name = match index {
            0 => "default".to_owned(),
            _ => format!("s{index}"),
        };
        let mut events = Vec::new();
        if index == 0 || self.random.chance(1, 2) {
            events.push("state_entry");
        }
        if index + 1 == self.states || self.random.chance(1, 2) {
            events.push("money");
        }
        if index == 0 || self.random.chance(1, 3) {
            events.push("run_time_permissions");
        }
        for _ in 0..1 + self.random.below(3) {
            events.push(self.pick(&EVENTS));
        }
        events.sort_unstable();
        events.dedup();
        let handlers = events
            .into_iter()
            .map(|event| self.handler(event, index))
            .collect();
        (name, handlers)
    }

    fn handler(&mut self, event: &'static str, state: usize) -> Handler {
        let mut statements = Vec::new();
        let asks = "llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);";
        match event {
            "state_entry" if state == 0 && self.random.chance(3, 4) => {
                statements.push(asks.to_owned());
            }
            "run_time_permissions" if self.random.chance(2, 3) => {
                let next = self.next(state, event);
                let granted = self.pick(&[
                    "p0 & PERMISSION_DEBIT",
                    "p0 == PERMISSION_DEBIT",
                    "(p0 & PERMISSION_DEBIT) == PERMISSION_DEBIT",
                    "llGetPermissions() & PERMISSION_DEBIT",
                    "p0 && PERMISSION_DEBIT",
                    "p0",
                ]);
                statements.push(format!("if ({granted}) {next}"));
            }
            "changed" | "on_rez" if self.random.chance(2, 3) => {
                let test = if event == "changed" {
                    "p0 & CHANGED_OWNER"
                } else {
                    "TRUE"
                };
                statements.push(format!("if ({test}) llResetScript();"));
            }
            _ => {}
        }
        for _ in 0..1 + self.random.below(3) {
            statements.push(self.statement(event, state, 2));
        }
        Handler { event, statements }
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.random.below(from.len())]
    }

    /// What goes to another state, or says that the script is open.
    fn next(&mut self, state: usize, event: &str) -> String {
        if self.states > 1 && event != "state_exit" && self.random.chance(2, 3) {
            let to = self.random.below(self.states);
            if to != state {
                return match to {
                    0 => "state default;".to_owned(),
                    _ => format!("state s{to};"),
                };
            }
        }
        self.pick(&["open = TRUE;", "open = 1;", "open = p0;", "++open;"])
            .replace("p0", self.integer_of(event))
    }

    /// An integer that the event brings.
    fn integer_of(&self, event: &str) -> &'static str {
        match event {
            "money" => "p1",
            "touch_start"
            | "listen"
            | "link_message"
            | "changed"
            | "on_rez"
            | "sensor"
            | "run_time_permissions" => match event {
                "link_message" => "p1",
                _ => "p0",
            },
            "http_response" => "p1",
            _ => "total",
        }
    }

    /// A key that the event brings.
    fn key_of(&mut self, event: &str) -> &'static str {
        match event {
            "money" | "dataserver" | "http_response" | "attach" => "p0",
            "touch_start" | "sensor" => "llDetectedKey(0)",
            "listen" => "p2",
            "link_message" => "p3",
            _ => self.pick_static(&["payer", "llGetOwner()"]),
        }
    }

    fn pick_static(&mut self, from: &[&'static str]) -> &'static str {
        from[self.random.below(from.len())]
    }

    fn key(&mut self, event: &str) -> &'static str {
        match self.random.below(6) {
            0 => "payer",
            1 => "llGetOwner()",
            2 => "(key)llList2String(known, 0)",
            _ => self.key_of(event),
        }
    }

    fn integer(&mut self, event: &str) -> String {
        match self.random.below(20) {
            0 => "price".to_owned(),
            13 => format!("llRound({} / share)", self.integer_of(event)),
            14 => "(integer)(week / share)".to_owned(),
            15 => "llFloor(at.x / share * 10.0)".to_owned(),
            1 => "total".to_owned(),
            2 => "level".to_owned(),
            3 => "-1".to_owned(),
            4 => format!("{} - price", self.integer_of(event)),
            5 => "llList2Integer(prices, 0)".to_owned(),
            6 => format!("(integer)(share * {})", self.integer_of(event)),
            7 => format!("cost({})", self.integer_of(event)),
            8 => format!("{} / 2", self.integer_of(event)),
            9 => "llGetListLength(known)".to_owned(),
            10 => "llAbs(level)".to_owned(),
            11 => "(integer)item".to_owned(),
            12 => self.random.below(12).to_string(),
            _ => self.integer_of(event).to_owned(),
        }
    }

    fn condition(&mut self, event: &str, depth: usize) -> String {
        if depth > 0 && self.random.chance(1, 4) {
            let op = self.pick(&["&&", "||"]);
            let (left, right) = (
                self.condition(event, depth - 1),
                self.condition(event, depth - 1),
            );
            return format!("({left}) {op} ({right})");
        }
        let number = self.integer(event);
        let key = self.key(event);
        match self.random.below(18) {
            0 => "open".to_owned(),
            1 => "!open".to_owned(),
            2 => format!("{key} == payer"),
            3 => format!("{key} != llGetOwner()"),
            4 => "llGetPermissions() & PERMISSION_DEBIT".to_owned(),
            5 => format!("may({key})"),
            6 => "item == \"open\"".to_owned(),
            7 => "llGetInventoryType(item) != INVENTORY_NONE".to_owned(),
            8 => format!("llListFindList(prices, [{number}]) >= 0"),
            9 => format!("{number} % 2 == 0"),
            10 => format!("{number} / 50 == 3"),
            11 => "level == CLOSED".to_owned(),
            12 => format!("~{number}"),
            13 if depth > 0 => key.to_owned(),
            13 => format!("{key} != NULL_KEY"),
            _ => {
                let op = self.pick(&["<", "<=", "==", "!=", ">", ">="]);
                let other = self.pick(&["price", "10", "0", "-2", "total", "CLOSED", "level"]);
                format!("{number} {op} {other}")
            }
        }
    }

    fn statement(&mut self, event: &str, state: usize, depth: usize) -> String {
        if depth > 0 && self.random.chance(2, 5) {
            let test = self.condition(event, 1);
            let then = self.statement(event, state, depth - 1);
            return match self.random.below(8) {
                0..=2 => format!("if ({test}) {{ {then} }}"),
                3..=5 => {
                    let other = self.statement(event, state, depth - 1);
                    format!("if ({test}) {{ {then} }} else {{ {other} }}")
                }
                6 => format!("if ({test}) return; {then}"),
                _ => {
                    let rounds = 1 + self.random.below(3);
                    let then = then.replace("integer i;", "");
                    format!("{{ integer i; for (i = 0; i < {rounds}; ++i) {{ {then} }} }}")
                }
            };
        }
        let key = self.key(event);
        let number = self.integer(event);
        let pays = event == "money" || self.random.chance(2, 3);
        match self.random.below(28) {
            0 | 1 | 26 | 27 if pays => format!("llGiveMoney({key}, {number});"),
            2 if pays => format!("refund({key}, {number});"),
            3 if pays => format!("pay({key}, {number});"),
            4 | 5 if event == "money" => format!("give({key});"),
            6 if event == "money" => format!("serve({key});"),
            7 => format!("note({key}, {number});"),
            8 => format!("total += {number};"),
            9 => format!("price = {number};"),
            10 => format!("open = {number};"),
            11 => format!("level = {number};"),
            12 => format!("payer = {key};"),
            13 => format!("known += [{key}, {number}];"),
            14 => "llSay(0, \"thanks\");".to_owned(),
            15 => format!("llSetTimerEvent({});", self.pick(&["0.0", "5.0", "share"])),
            16 => {
                let channel = self.pick(&["5", "level", "-7"]);
                let from = self.pick(&["NULL_KEY", "\"\"", "llGetOwner()", "payer"]);
                format!("handle = llListen({channel}, \"\", {from}, \"\");")
            }
            17 if self.random.chance(1, 2) => {
                let value =
                    self.pick(&["share / 2.0", "week / price", "at.z - 2.5", "1.0 / share"]);
                format!("share = {value};")
            }
            17 => format!("llDialog({key}, \"?\", [\"open\", \"go\"], 5);"),
            18 => format!(
                "llRequestPermissions({}, {});",
                self.pick(&["llGetOwner()", "payer"]),
                self.pick(&["PERMISSION_DEBIT", "2", "PERMISSION_DEBIT | 16", "level"])
            ),
            19 => format!("llMessageLinked(LINK_THIS, {number}, item, {key});"),
            20 => "wait = llHTTPRequest(\"http://a\", [], \"\");".to_owned(),
            21 => "wait = llGetNotecardLine(\"Config\", open);".to_owned(),
            22 => format!(
                "item = {};",
                self.pick(&["\"go\"", "\"open\"", "(string)payer"])
            ),
            23 => "llSleep(1.0);".to_owned(),
            24 => self.next(state, event),
            _ => self
                .pick(&[
                    "open = FALSE;",
                    "++total;",
                    "total = 0;",
                    "llSensor(\"\", \"\", AGENT, 10.0, PI);",
                ])
                .to_owned(),
        }
    }
}

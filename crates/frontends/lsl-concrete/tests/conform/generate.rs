//! Random scripts with properties, each around a few library functions that it has to use.
//!
//! A script is kept in parts (directives, handlers, statements of one line), so that what shows a
//! defect can be made smaller by leaving parts out.

use std::fmt::Write as _;

use lsl::Type;
use lsl::facts::{self, Function};

use crate::subjects::caused_by;

/// Sebastiano Vigna's SplitMix64.
pub(crate) struct Random(fastrand::Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(
            seed.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        ))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.u64(..)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("small")
    }

    pub(crate) fn chance(&mut self, times: usize, of: usize) -> bool {
        self.below(of) < times
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// A handler in parts.
#[derive(Clone, Debug)]
pub(crate) struct Handler {
    pub(crate) event: &'static str,
    pub(crate) statements: Vec<String>,
}

/// A script in parts.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    pub(crate) directives: Vec<String>,
    pub(crate) globals: Vec<String>,
    /// Names of states and their handlers; the first is `default`.
    pub(crate) states: Vec<(String, Vec<Handler>)>,
}

impl Script {
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for directive in &self.directives {
            let _ = writeln!(text, "//@ {directive}");
        }
        for global in &self.globals {
            let _ = writeln!(text, "{global}");
        }
        for (name, handlers) in &self.states {
            let kind = if name == "default" { "" } else { "state " };
            let _ = writeln!(text, "{kind}{name}\n{{");
            for handler in handlers {
                let _ = writeln!(text, "    {}\n    {{", header(handler.event));
                for statement in &handler.statements {
                    let _ = writeln!(text, "        {statement}");
                }
                let _ = writeln!(text, "    }}");
            }
            let _ = writeln!(text, "}}");
        }
        text
    }
}

/// `touch_start(integer p0)`.
fn header(event: &str) -> String {
    let parameters = &facts::event(event).expect("a known event").parameters;
    let parameters: Vec<String> = parameters
        .iter()
        .enumerate()
        .map(|(index, parameter)| format!("{} p{index}", parameter.ty))
        .collect();
    format!("{event}({})", parameters.join(", "))
}

const TEXTS: [&str; 6] = [
    "\"open\"",
    "\"go\"",
    "\"42\"",
    "\"\"",
    "\"a,b\"",
    "\"Config\"",
];
const UUIDS: [&str; 2] = [
    "\"ad1135c6-5ea6-45d3-917a-aa3609e46cb5\"",
    "\"3c1b0f9e-0001-4a5b-8c7d-000000000abc\"",
];

/// Events that any script may handle.
const EVENTS: [&str; 14] = [
    "touch_start",
    "touch_start",
    "money",
    "money",
    "timer",
    "listen",
    "link_message",
    "changed",
    "on_rez",
    "touch_end",
    "collision_start",
    "dataserver",
    "linkset_data",
    "run_time_permissions",
];

/// Makes the parts of a script.
pub(crate) struct Maker {
    random: Random,
    focus: Vec<&'static Function>,
    /// What may be read: names and types.
    scope: Vec<(String, Type)>,
    states: usize,
    locals: usize,
}

/// The script of a seed, around these functions.
pub(crate) fn script(seed: u64, focus: Vec<&'static Function>) -> Script {
    let mut maker = Maker {
        random: Random::new(seed),
        focus,
        scope: Vec::new(),
        states: 1,
        locals: 0,
    };
    maker.script()
}

impl Maker {
    /// For a script of one function, whose variables stay as they are.
    pub(crate) fn of(seed: u64, function: &'static Function) -> Maker {
        let variables = [("s", Type::String), ("who", Type::Key), ("l", Type::List)];
        Maker {
            random: Random::new(seed),
            focus: vec![function],
            scope: variables.map(|(name, ty)| (name.to_owned(), ty)).to_vec(),
            states: 1,
            locals: 0,
        }
    }

    fn script(&mut self) -> Script {
        self.states = 1 + usize::from(self.random.chance(1, 3));
        let globals = [
            ("integer", "x", Type::Integer),
            ("integer", "y", Type::Integer),
            ("integer", "total", Type::Integer),
            ("integer", "handle", Type::Integer),
            ("string", "s", Type::String),
            ("key", "q", Type::Key),
            ("key", "who", Type::Key),
            ("list", "l", Type::List),
            ("float", "f", Type::Float),
        ];
        self.scope = globals
            .iter()
            .map(|&(_, name, ty)| (name.to_owned(), ty))
            .collect();
        let mut states = Vec::new();
        for index in 0..self.states {
            let mut events: Vec<&'static str> = Vec::new();
            let caused: Vec<_> = self
                .focus
                .iter()
                .filter_map(|f| caused_by(f.name))
                .collect();
            events.extend(caused);
            for _ in 0..1 + self.random.below(2) {
                events.push(self.random.pick(&EVENTS));
            }
            if self.random.chance(1, 2) {
                events.push("state_entry");
            }
            if self.states > 1 && self.random.chance(1, 4) {
                events.push("state_exit");
            }
            if !events
                .iter()
                .any(|event| ["touch_start", "money", "timer"].contains(event))
            {
                events.push("touch_start");
            }
            events.sort_unstable();
            events.dedup();
            let handlers = events
                .into_iter()
                .map(|event| self.handler(event, index))
                .collect();
            let name = if index == 0 {
                "default".to_owned()
            } else {
                format!("s{index}")
            };
            states.push((name, handlers));
        }
        // Each of the functions is used somewhere.
        for function in self.focus.clone() {
            let state = self.random.below(states.len());
            let handlers: &mut Vec<Handler> = &mut states[state].1;
            let wanted = caused_by(function.name).filter(|_| function.detected);
            let index = wanted
                .and_then(|event| handlers.iter().position(|h| h.event == event))
                .unwrap_or_else(|| self.random.below(handlers.len()));
            let event = handlers[index].event;
            let probes = self.in_handler(event, |maker| maker.probe(function));
            let at = self.random.below(handlers[index].statements.len() + 1);
            // Before a change of state, or it is never reached.
            let at = if at == handlers[index].statements.len() {
                0
            } else {
                at
            };
            for probe in probes.into_iter().rev() {
                handlers[index].statements.insert(at, probe);
            }
        }
        let handled: Vec<&'static str> = states
            .iter()
            .flat_map(|(_, handlers)| handlers.iter().map(|handler| handler.event))
            .collect();
        let directives = self.directives(&handled);
        Script {
            directives,
            globals: globals
                .iter()
                .map(|(ty, name, _)| format!("{ty} {name};"))
                .collect(),
            states,
        }
    }

    /// With the parameters of an event in reach.
    fn in_handler<T>(&mut self, event: &str, make: impl FnOnce(&mut Maker) -> T) -> T {
        let before = self.scope.len();
        let parameters = &facts::event(event).expect("a known event").parameters;
        for (index, parameter) in parameters.iter().enumerate() {
            self.scope.push((format!("p{index}"), parameter.ty));
        }
        let made = make(self);
        self.scope.truncate(before);
        made
    }

    fn handler(&mut self, event: &'static str, state: usize) -> Handler {
        let statements = self.in_handler(event, |maker| {
            let count = 1 + maker.random.below(3);
            let mut statements: Vec<String> =
                (0..count).map(|_| maker.statement(event, state)).collect();
            // Parameters are looked at.
            let parameters = &facts::event(event).expect("a known event").parameters;
            if !parameters.is_empty() && maker.random.chance(2, 3) {
                let index = maker.random.below(parameters.len());
                let test = maker.test(&format!("p{index}"), parameters[index].ty);
                let flag = maker.flag();
                statements.push(format!("if ({test}) {flag}"));
            }
            statements
        });
        Handler { event, statements }
    }

    fn flag(&mut self) -> String {
        let value = 1 + self.random.below(3);
        match self.random.below(5) {
            0 => format!("y = {value};"),
            1 => "total += 1;".to_owned(),
            _ => format!("x = {value};"),
        }
    }

    /// A comparison of something with a literal or with a variable.
    pub(crate) fn test(&mut self, what: &str, ty: Type) -> String {
        let number = self.number();
        match ty {
            Type::Integer => {
                let op = self.random.pick(&["==", "==", "!=", "<", ">", "&", ">="]);
                format!("({what} {op} {number}) != 0")
            }
            Type::Float => {
                let op = self.random.pick(&["<", ">", "<=", ">=", "=="]);
                let number = self.random.pick(&["0.0", "0.5", "1.0", "10.0", "-1.0"]);
                format!("{what} {op} {number}")
            }
            Type::String => match self.random.below(7) {
                0 => format!("llStringLength({what}) == {number}"),
                1 => format!("(integer){what} > {number}"),
                2 => format!("llGetSubString({what}, 0, 1) == \"go\""),
                3 => format!("{what} == s"),
                4 => format!("llSubStringIndex({what}, \"a\") >= 0"),
                _ => format!("{what} == {}", self.text()),
            },
            Type::Key => match self.random.below(6) {
                0 => format!("{what} == q"),
                1 => format!("{what} == who"),
                2 => format!("{what} == llGetOwner()"),
                3 => format!("(string){what} == {}", self.text()),
                _ => format!("{what} == (key){}", self.random.pick(&UUIDS)),
            },
            Type::Vector => match self.random.below(3) {
                0 => format!("{what} == ZERO_VECTOR"),
                1 => format!("llVecMag({what}) > 1.0"),
                _ => format!("llVecDist({what}, <1.0, 1.0, 1.0>) < 1.0"),
            },
            Type::Rotation => format!("{what} == ZERO_ROTATION"),
            Type::List => match self.random.below(4) {
                0 => format!("llGetListLength({what}) == {}", self.random.below(4)),
                1 => format!("llList2String({what}, 0) == {}", self.text()),
                2 => format!("llListFindList({what}, [{}]) >= 0", self.text()),
                _ => format!("llList2Integer({what}, -1) == {number}"),
            },
        }
    }

    fn number(&mut self) -> String {
        let small = self.random.below(5).to_string();
        let other = self
            .random
            .pick(&["-1", "2", "10", "16", "128", "499", "200", "1"]);
        if self.random.chance(1, 2) {
            small
        } else {
            other.to_owned()
        }
    }

    fn text(&mut self) -> String {
        let special = [
            "EOF",
            "NULL_KEY",
            "URL_REQUEST_DENIED",
            "URL_REQUEST_GRANTED",
            "JSON_INVALID",
        ];
        if self.random.chance(1, 6) {
            self.random.pick(&special).to_owned()
        } else {
            self.random.pick(&TEXTS).to_owned()
        }
    }

    /// An expression of a type, not deep.
    fn expression(&mut self, ty: Type, depth: usize) -> String {
        let known: Vec<String> = self
            .scope
            .iter()
            .filter(|(_, own)| *own == ty)
            .map(|(name, _)| name.clone())
            .collect();
        if !known.is_empty() && self.random.chance(2, 5) {
            let index = self.random.below(known.len());
            return known[index].clone();
        }
        if depth == 0 || self.random.chance(1, 2) {
            return self.literal(ty);
        }
        let deeper = depth - 1;
        match ty {
            Type::Integer => match self.random.below(7) {
                0 => format!("llStringLength({})", self.expression(Type::String, deeper)),
                1 => format!("(integer){}", self.parenthesized(Type::String, deeper)),
                2 => format!("llGetListLength({})", self.expression(Type::List, deeper)),
                3 => format!("llList2Integer({}, 0)", self.expression(Type::List, deeper)),
                4 => format!("llAbs({})", self.expression(Type::Integer, deeper)),
                _ => {
                    let op = self.random.pick(&["+", "-", "*", "%", "/", "&", "|", "<<"]);
                    let left = self.parenthesized(Type::Integer, deeper);
                    let right = match op {
                        "%" | "/" if self.random.chance(1, 3) => "total".to_owned(),
                        "%" | "/" | "<<" => (1 + self.random.below(4)).to_string(),
                        _ => self.parenthesized(Type::Integer, deeper),
                    };
                    format!("{left} {op} {right}")
                }
            },
            Type::Float => format!("{} * 0.5", self.parenthesized(Type::Float, deeper)),
            Type::String => match self.random.below(6) {
                0 => format!("(string){}", self.parenthesized(Type::Integer, deeper)),
                1 => format!("llToUpper({})", self.expression(Type::String, deeper)),
                2 => format!(
                    "llGetSubString({}, 0, 2)",
                    self.expression(Type::String, deeper)
                ),
                3 => format!("llList2String({}, 0)", self.expression(Type::List, deeper)),
                4 => format!(
                    "llDumpList2String({}, \",\")",
                    self.expression(Type::List, deeper)
                ),
                _ => {
                    let left = self.parenthesized(Type::String, deeper);
                    format!("{left} + {}", self.parenthesized(Type::String, deeper))
                }
            },
            Type::Key => format!("(key){}", self.parenthesized(Type::String, deeper)),
            Type::List => match self.random.below(3) {
                0 => format!("llCSV2List({})", self.expression(Type::String, deeper)),
                1 => format!(
                    "llParseString2List({}, [\",\"], [])",
                    self.expression(Type::String, deeper)
                ),
                _ => format!(
                    "[{}, {}]",
                    self.expression(Type::String, deeper),
                    self.expression(Type::Integer, deeper)
                ),
            },
            Type::Vector | Type::Rotation => self.literal(ty),
        }
    }

    fn parenthesized(&mut self, ty: Type, depth: usize) -> String {
        format!("({})", self.expression(ty, depth))
    }

    fn literal(&mut self, ty: Type) -> String {
        match ty {
            Type::Integer => self.number(),
            Type::Float => self
                .random
                .pick(&["0.0", "0.5", "1.0", "2.5", "60.0"])
                .to_owned(),
            Type::String => self.text(),
            Type::Key => match self.random.below(4) {
                0 => "llGetOwner()".to_owned(),
                1 => "llGetKey()".to_owned(),
                2 => format!("(key){}", self.random.pick(&UUIDS)),
                _ => "who".to_owned(),
            },
            Type::Vector => "<1.0, 2.0, 3.0>".to_owned(),
            Type::Rotation => "ZERO_ROTATION".to_owned(),
            Type::List => match self.random.below(3) {
                0 => "[]".to_owned(),
                1 => format!("[{}, {}]", self.random.pick(&TEXTS), self.number()),
                _ => format!(
                    "[{}, 1, {}, 2]",
                    self.random.pick(&TEXTS),
                    self.random.pick(&TEXTS)
                ),
            },
        }
    }

    fn statement(&mut self, event: &str, state: usize) -> String {
        match self.random.below(14) {
            0 => format!("x = {};", self.expression(Type::Integer, 2)),
            1 => format!("s = {};", self.expression(Type::String, 2)),
            2 => "total += 1;".to_owned(),
            3 => {
                let test = self.expression(Type::Integer, 1);
                let flag = self.flag();
                format!("if (({test}) > {}) {flag}", self.random.below(5))
            }
            4 if self.states > 1 && event != "state_exit" => {
                let other = if state == 0 { "s1" } else { "default" };
                let test = self.expression(Type::Integer, 1);
                format!("if (({test}) == {}) state {other};", self.random.below(3))
            }
            5 if event == "money" => "total += p1;".to_owned(),
            6 if event == "money" => "llGiveMoney(p0, p1 / 2);".to_owned(),
            7 if event == "money" => "who = p0;".to_owned(),
            8 => "l += [total];".to_owned(),
            9 => "if (total > 3) total = 0;".to_owned(),
            10 => format!("llOwnerSay({});", self.expression(Type::String, 1)),
            11 => format!("llSleep({});", self.random.pick(&["0.1", "1.0"])),
            12 => "y = x;".to_owned(),
            _ => format!("y = {};", self.expression(Type::Integer, 1)),
        }
    }

    /// Arguments of a call, by the names of the parameters where these tell more than the types.
    pub(crate) fn arguments(&mut self, function: &Function) -> String {
        let arguments: Vec<String> = function
            .parameters
            .iter()
            .map(|parameter| self.argument(function, parameter))
            .collect();
        arguments.join(", ")
    }

    fn argument(&mut self, function: &Function, parameter: &facts::Parameter) -> String {
        let small = self.random.below(3).to_string();
        match (function.name, parameter.name, parameter.ty) {
            ("llListen" | "llDialog" | "llTextBox", "channel", _) => {
                self.random.pick(&["5", "0", "-7"]).to_owned()
            }
            ("llListen", "msg" | "name", _) => {
                self.random.pick(&["\"\"", "\"\"", "\"go\""]).to_owned()
            }
            ("llListen", "id", _) => self
                .random
                .pick(&["NULL_KEY", "\"\"", "llGetOwner()", "who"])
                .to_owned(),
            ("llDialog", "buttons", _) => "[\"open\", \"go\"]".to_owned(),
            ("llRequestPermissions", "permissions", _) => self
                .random
                .pick(&["PERMISSION_DEBIT", "PERMISSION_TAKE_CONTROLS", "18"])
                .to_owned(),
            ("llRequestPermissions", "agent", _) => "llGetOwner()".to_owned(),
            ("llRequestAgentData", "data", _) => "DATA_ONLINE".to_owned(),
            ("llRequestSimulatorData", "data", _) => "DATA_SIM_STATUS".to_owned(),
            ("llMessageLinked", "link", _) => self
                .random
                .pick(&["LINK_THIS", "LINK_SET", "LINK_ROOT", "LINK_ALL_OTHERS"])
                .to_owned(),
            ("llSetTimerEvent", ..) => self.random.pick(&["0.0", "5.0", "60.0"]).to_owned(),
            ("llSleep", ..) => "0.5".to_owned(),
            ("llListenRemove" | "llListenControl", "handle", _) => "handle".to_owned(),
            ("llGetInventoryNumber" | "llGetInventoryName", "type", _) => self
                .random
                .pick(&["INVENTORY_ALL", "INVENTORY_NOTECARD", "INVENTORY_OBJECT"])
                .to_owned(),
            ("llSetPrimitiveParams" | "llSetLinkPrimitiveParamsFast", _, Type::List) => self
                .random
                .pick(&[
                    "[PRIM_NAME, \"open\"]",
                    "[PRIM_DESC, \"go\"]",
                    "[PRIM_TEXT, \"go\", <1,1,1>, 1.0]",
                ])
                .to_owned(),
            ("llSetLinkPrimitiveParamsFast", "link", _) => "LINK_THIS".to_owned(),
            ("llComputeHash", "algorithm", _) => "\"sha256\"".to_owned(),
            (
                "llList2ListStrided" | "llListSort" | "llList2ListSlice" | "llListSortStrided",
                "stride",
                _,
            ) => (1 + self.random.below(2)).to_string(),
            ("llModPow", "modulus", _) => "7".to_owned(),
            ("llTakeControls", "controls", _) => "CONTROL_FWD".to_owned(),
            (_, "item" | "notecardname", Type::String) => self
                .random
                .pick(&["\"Config\"", "\"open\"", "\"go\""])
                .to_owned(),
            (
                "llGetNotecardLine" | "llGetNumberOfNotecardLines" | "llGetNotecardLineSync",
                "name",
                _,
            ) => "\"Config\"".to_owned(),
            (
                _,
                "line" | "number" | "index" | "start" | "start_index" | "link" | "face",
                Type::Integer,
            ) => small,
            (_, _, Type::Float) if self.random.chance(1, 2) => {
                self.random.pick(&["0.5", "1.0", "10.0"]).to_owned()
            }
            (_, _, ty) => self.expression(ty, 1),
        }
    }

    /// Statements that use a function so that something can be seen of it.
    fn probe(&mut self, function: &'static Function) -> Vec<String> {
        let arguments = self.arguments(function);
        let call = format!("{}({arguments})", function.name);
        let Some(ty) = function.result else {
            return self.effect_probe(function.name, &call);
        };
        let flag = self.flag();
        if ty == Type::Key && caused_by(function.name).is_some() && self.random.chance(2, 3) {
            return vec![format!("q = {call};")];
        }
        if function.name == "llListen" && self.random.chance(2, 3) {
            return vec![format!("handle = {call};")];
        }
        let store = match ty {
            Type::Integer => Some("y"),
            Type::String => Some("s"),
            Type::Key => Some("who"),
            Type::Float => Some("f"),
            Type::List => Some("l"),
            _ => None,
        };
        self.locals += 1;
        let local = format!("a{}", self.locals);
        match (self.random.below(7), store) {
            (0, Some(global)) => vec![format!("{global} = {call};")],
            // The same again, in another handler perhaps.
            (1, Some(global)) => {
                let other = self.differs(&call, global, ty);
                vec![
                    format!("if ({other}) {flag}"),
                    format!("{global} = {call};"),
                ]
            }
            // Twice in a row, with or without something between.
            (2 | 3, _) => {
                let between = match self.random.below(5) {
                    0 => "llSleep(1.0);".to_owned(),
                    1 => self.setter_of(function.name),
                    _ => String::new(),
                };
                let other = self.differs(&call, &local, ty);
                let mut probe = vec![format!("{ty} {local} = {call};")];
                if !between.is_empty() {
                    probe.push(between);
                }
                probe.push(format!("if ({other}) {flag}"));
                probe
            }
            _ => {
                let test = self.test(&call, ty);
                vec![format!("if ({test}) {flag}")]
            }
        }
    }

    fn differs(&mut self, one: &str, other: &str, ty: Type) -> String {
        match ty {
            Type::List => {
                format!("llDumpList2String({one}, \";\") != llDumpList2String({other}, \";\")")
            }
            Type::Integer | Type::Float if self.random.chance(1, 3) => format!("{one} < {other}"),
            _ => format!("{one} != {other}"),
        }
    }

    fn setter_of(&mut self, getter: &str) -> String {
        let text = self.random.pick(&TEXTS);
        match getter {
            "llGetObjectName" => format!("llSetObjectName({text});"),
            "llGetObjectDesc" => format!("llSetObjectDesc({text});"),
            "llLinksetDataRead" => format!("llLinksetDataWrite(\"go\", {text});"),
            "llGetTime" => "llResetTime();".to_owned(),
            _ => String::new(),
        }
    }

    fn effect_probe(&mut self, name: &str, call: &str) -> Vec<String> {
        let flag = self.flag();
        let guard = format!("if ({})", self.test("x", Type::Integer));
        match name {
            // All of the handler would be lost behind it.
            "llResetScript" | "llDie" => vec![format!("{guard} {call};")],
            "llSetObjectName" | "llSetObjectDesc" if self.random.chance(2, 3) => {
                let getter = name.replace("Set", "Get");
                let test = self.test(&format!("{getter}()"), Type::String);
                vec![format!("{call};"), format!("if ({test}) {flag}")]
            }
            "llResetTime" => vec![format!("{call};"), format!("if (llGetTime() > 1.0) {flag}")],
            _ => vec![format!("{call};")],
        }
    }

    fn directives(&mut self, handled: &[&'static str]) -> Vec<String> {
        let mut directives = Vec::new();
        let mut properties = 0;
        let mut property = |claim: String, directives: &mut Vec<String>| {
            properties += 1;
            directives.push(format!("property p{properties}: {claim};"));
        };
        let value = 1 + self.random.below(3);
        property(format!("never x == {value}"), &mut directives);
        let other = 1 + self.random.below(3);
        match self.random.below(6) {
            0 => property(format!("always total <= {other}"), &mut directives),
            1 => property(format!("never y == {other}"), &mut directives),
            2 => property(
                format!("when x changes require x != {other}"),
                &mut directives,
            ),
            3 => property(
                format!("always x == {other} -> y != {other}"),
                &mut directives,
            ),
            4 => property(
                "when total changes require total > old(total)".to_owned(),
                &mut directives,
            ),
            _ => property(
                format!("never s == {}", self.random.pick(&TEXTS)),
                &mut directives,
            ),
        }
        if handled.contains(&"money") {
            directives.push("ghost integer held;".to_owned());
            directives.push("on paid(id, amount) { held += amount; }".to_owned());
            directives.push("on call llGiveMoney(id, n) when n > 0 { held -= n; }".to_owned());
            match self.random.below(4) {
                0 => property("always held >= 0".to_owned(), &mut directives),
                1 => property("always held == total".to_owned(), &mut directives),
                2 => property(
                    "when call llGiveMoney(id, n) during money(id, amount) require n <= amount"
                        .to_owned(),
                    &mut directives,
                ),
                _ => property(
                    "when money(id, amount) require amount > 0".to_owned(),
                    &mut directives,
                ),
            }
            if self.random.chance(1, 2) {
                directives.push("bound amount = 0..4;".to_owned());
            }
            if self.random.chance(1, 3) {
                directives.push("assume payments are positive;".to_owned());
            }
            directives.push("bound lost-payments = 2;".to_owned());
        }
        let event = handled[self.random.below(handled.len())];
        let parameters = &facts::event(event).expect("a known event").parameters;
        if !parameters.is_empty() && self.random.chance(1, 2) {
            let index = self.random.below(parameters.len());
            let names: Vec<String> = (0..parameters.len()).map(|i| format!("a{i}")).collect();
            let literal = match parameters[index].ty {
                Type::Integer => Some(self.number()),
                Type::String => Some(self.text()),
                Type::Key => Some(format!("(key){}", self.random.pick(&UUIDS))),
                _ => None,
            };
            if let Some(literal) = literal {
                property(
                    format!(
                        "when {event}({}) require a{index} != {literal}",
                        names.join(", ")
                    ),
                    &mut directives,
                );
            }
        }
        if self.random.chance(1, 4) {
            let function = self.focus[0];
            let any: Vec<&str> = function.parameters.iter().map(|_| "_").collect();
            property(
                format!("never call {}({})", function.name, any.join(", ")),
                &mut directives,
            );
        }
        if self.random.chance(1, 8) {
            directives.push("assume owner stays;".to_owned());
        }
        if self.random.chance(1, 8) {
            directives.push("assume inventory stays;".to_owned());
        }
        directives
    }
}

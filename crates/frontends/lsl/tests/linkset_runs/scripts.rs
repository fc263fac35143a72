//! Random scripts that send messages, halt and load each other: what they do, and their text.

use std::fmt::Write;
use std::rc::Rc;

use fastrand::Rng;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Number(i32),
    Variable(usize),
    /// The number that the event brings.
    Event,
    /// The link number of who has sent it.
    Sender,
    /// The start parameter.
    Start,
}

#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    Set(usize, Value),
    /// `t = (t * 5 + c) % 97`: in which order things were done.
    Trace(i32),
    /// If there is fuel.
    Send(Value, Value),
    If(Value, i32, Body, Body),
    Goto(usize),
    Sleep,
    /// Something is done to a script of the prim, if there is fuel.
    Order(Act, usize),
    /// A script is loaded into the prim of this number, if there is fuel: to run or not, with a start
    /// parameter.
    Load(usize, i32, bool, Value),
    /// A call of the script's function, which may return early.
    Call(Value),
    Return,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    Reset,
    Stop,
    Start,
    Remove,
}

pub(crate) type Body = Rc<Vec<Stmt>>;

/// The events that a state may handle.
pub(crate) const EVENTS: [&str; 3] = ["state_entry", "touch_start", "link_message"];
pub(crate) const NAMES: [&str; 3] = ["a", "b", "c"];
pub(crate) const VARIABLES: [&str; 4] = ["x", "y", "t", "fuel"];
pub(crate) const TRACE: usize = 2;
pub(crate) const FUEL: usize = 3;

#[derive(Clone, Debug)]
pub(crate) struct Script {
    pub(crate) name: String,
    pub(crate) prim: usize,
    /// Whether it is there at first, and whether others may load it.
    pub(crate) is_there: bool,
    pub(crate) is_loaded: bool,
    pub(crate) states: Vec<[Option<Body>; 3]>,
    pub(crate) function: Body,
}

pub(crate) struct Maker {
    pub(crate) rng: Rng,
    pub(crate) prims: i32,
    /// To how many scripts the one that is being made may do something.
    pub(crate) orders: usize,
    /// Which scripts it may load, and the link numbers of their prims.
    pub(crate) loads: Vec<(usize, i32)>,
    /// Whether others may load it.
    pub(crate) is_loaded: bool,
}

impl Maker {
    fn value(&mut self, in_event: bool) -> Value {
        if self.is_loaded && self.rng.u8(0..3) == 0 {
            return Value::Start;
        }
        match self.rng.u8(0..if in_event { 8 } else { 5 }) {
            0..=2 => Value::Number(self.rng.i32(0..4)),
            3 => Value::Variable(0),
            4 => Value::Variable(1),
            5 | 6 => Value::Event,
            _ => Value::Sender,
        }
    }

    fn link(&mut self, in_event: bool) -> Value {
        match self.rng.u8(0..10) {
            0 | 1 if in_event => Value::Sender,
            0..=2 => Value::Number(self.rng.i32(1..=self.prims + 1)),
            _ => Value::Number(-self.rng.i32(1..=4)),
        }
    }

    fn body(&mut self, depth: u32, in_event: bool, in_function: bool) -> Body {
        let count = self.rng.usize(1..=3);
        let statement = |_| self.statement(depth, in_event, in_function);
        Rc::new((0..count).map(statement).collect())
    }

    fn statement(&mut self, depth: u32, in_event: bool, in_function: bool) -> Stmt {
        if self.orders > 0 && self.rng.u8(0..3) == 0 {
            let target = self.rng.usize(0..self.orders);
            // One that resets itself would have its fuel back.
            let least = usize::from(target == 0);
            let acts = [Act::Reset, Act::Stop, Act::Start, Act::Remove];
            return Stmt::Order(acts[self.rng.usize(least..4)], target);
        }
        if !self.loads.is_empty() && self.rng.u8(0..3) == 0 {
            let (target, link) = self.loads[self.rng.usize(0..self.loads.len())];
            let running = self.rng.u8(0..4) > 0;
            return Stmt::Load(target, link, running, self.value(in_event));
        }
        match self.rng.u8(0..16) {
            0 | 1 => Stmt::Set(self.rng.usize(0..2), self.value(in_event)),
            2 | 3 => Stmt::Trace(self.rng.i32(1..5)),
            4..=8 => Stmt::Send(self.link(in_event), self.value(in_event)),
            9 | 10 if depth > 0 => Stmt::If(
                self.value(in_event),
                self.rng.i32(0..3),
                self.body(depth - 1, in_event, in_function),
                self.body(depth - 1, in_event, in_function),
            ),
            11 | 12 if !in_function => Stmt::Call(self.value(in_event)),
            11 => Stmt::Return,
            13 if !in_function => Stmt::Goto(self.rng.usize(0..2)),
            14 => Stmt::Sleep,
            _ => Stmt::Trace(self.rng.i32(1..5)),
        }
    }

    pub(crate) fn prim(&mut self, number: usize) -> usize {
        match number {
            0 => 0,
            _ => self.rng.usize(0..usize::try_from(self.prims).expect("few")),
        }
    }

    pub(crate) fn script(&mut self, number: usize, prim: usize) -> Script {
        let mut state = |first: bool| {
            let entry = self.rng.u8(0..4) == 0;
            [
                entry.then(|| self.body(1, false, false)),
                (first || self.rng.bool()).then(|| self.body(2, false, false)),
                (self.rng.u8(0..5) > 0).then(|| self.body(2, true, false)),
            ]
        };
        let states = vec![state(true), state(false)];
        Script {
            name: NAMES[number].to_owned(),
            prim,
            is_there: true,
            is_loaded: self.is_loaded,
            states,
            function: self.body(1, true, true),
        }
    }
}

fn shown(value: Value) -> String {
    match value {
        Value::Number(n) => n.to_string(),
        Value::Variable(v) => VARIABLES[v].to_owned(),
        Value::Event => "n".to_owned(),
        Value::Sender => "sender".to_owned(),
        Value::Start => "llGetStartParameter()".to_owned(),
    }
}

fn print(body: &Body, out: &mut String) {
    for stmt in body.iter() {
        let _ = match stmt {
            Stmt::Set(v, value) => writeln!(out, "{} = {};", VARIABLES[*v], shown(*value)),
            Stmt::Trace(c) => writeln!(out, "t = (t * 5 + {c}) % 97;"),
            Stmt::Send(link, value) => writeln!(
                out,
                "if (fuel > 0) {{ --fuel; llMessageLinked({}, {}, \"\", \"\"); }}",
                shown(*link),
                shown(*value)
            ),
            Stmt::If(value, wanted, then, otherwise) => {
                let _ = writeln!(out, "if ({} == {wanted}) {{", shown(*value));
                print(then, out);
                let _ = writeln!(out, "}} else {{");
                print(otherwise, out);
                writeln!(out, "}}")
            }
            Stmt::Goto(state) => writeln!(out, "state {};", ["default", "other"][*state]),
            Stmt::Sleep => writeln!(out, "llSleep(1.0);"),
            Stmt::Order(act, target) => {
                let name = NAMES[*target];
                let call = match act {
                    Act::Reset => format!("llResetOtherScript(\"{name}\")"),
                    Act::Stop => format!("llSetScriptState(\"{name}\", FALSE)"),
                    Act::Start => format!("llSetScriptState(\"{name}\", TRUE)"),
                    Act::Remove => format!("llRemoveInventory(\"{name}\")"),
                };
                writeln!(out, "if (fuel > 0) {{ --fuel; {call}; }}")
            }
            Stmt::Load(target, link, running, value) => writeln!(
                out,
                "if (fuel > 0) {{ --fuel; llRemoteLoadScriptPin(llGetLinkKey({link}), \"{}\", 17, {}, {}); }}",
                NAMES[*target],
                if *running { "TRUE" } else { "FALSE" },
                shown(*value)
            ),
            Stmt::Call(value) => writeln!(out, "x = f({}, sender_);", shown(*value)),
            Stmt::Return => writeln!(out, "return n;"),
        };
    }
}

pub(crate) fn text(script: &Script, fuel: i32) -> String {
    let mut out = format!("integer x; integer y; integer t; integer fuel = {fuel};\n");
    let _ = writeln!(out, "integer f(integer n, integer sender) {{");
    print(&script.function, &mut out);
    let _ = writeln!(out, "return y; }}");
    for (name, state) in ["default", "state other"].iter().zip(&script.states) {
        let _ = writeln!(out, "{name} {{");
        for (event, body) in EVENTS.iter().zip(state) {
            let Some(body) = body else { continue };
            let parameters = match *event {
                "touch_start" => "integer touches",
                "link_message" => "integer sender, integer n, string s, key id",
                _ => "",
            };
            let _ = writeln!(out, "{event}({parameters}) {{");
            let sender = if *event == "link_message" {
                "sender"
            } else {
                "0"
            };
            let _ = writeln!(out, "integer sender_ = {sender};");
            print(body, &mut out);
            let _ = writeln!(out, "}}");
        }
        let _ = writeln!(out, "touch_end(integer touches) {{ }} }}");
    }
    out
}

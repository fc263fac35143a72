//! Random small LSL scripts with properties.
//!
//! Scripts are well typed, their handlers end, and their variables stay small, so that every
//! script can be explored completely. What a script contains is noted, so that a test can say
//! what its scripts covered.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A generator of pseudo-random numbers (Steele, Lea and Flood: *Fast splittable pseudorandom
/// number generators*, OOPSLA 2014), the same on every machine.
pub(crate) struct Random(pub(crate) fastrand::Rng);

impl Random {
    fn next(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).expect("below a usize")
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }
}

/// A script, and what it contains.
pub(crate) struct Script {
    pub(crate) text: String,
    pub(crate) features: BTreeSet<&'static str>,
}

/// Every feature that the generator can use.
pub(crate) const FEATURES: &[&str] = &[
    "always",
    "assign-op",
    "bitwise",
    "cast",
    "changes",
    "compare",
    "divide",
    "do-while",
    "eventually",
    "fairness",
    "float",
    "for",
    "function",
    "ghost",
    "if-else",
    "increment",
    "jump",
    "key",
    "leads-to",
    "list",
    "listen",
    "logic",
    "ltl",
    "message",
    "money",
    "next",
    "old",
    "parameter",
    "payout",
    "random",
    "recursion",
    "reset",
    "return",
    "second-state",
    "shift",
    "side-effect-operand",
    "state-change",
    "state-entry",
    "state-exit",
    "string",
    "timer",
    "touch",
    "vector",
    "when",
    "while",
];

/// Writes the script of a seed.
pub(crate) fn script(seed: u64) -> Script {
    let mut writer = Writer {
        random: Random(fastrand::Rng::with_seed(seed)),
        features: BTreeSet::new(),
        text: String::new(),
        modulus: [0; 3],
        has: Has::default(),
        names: 0,
        payouts: false,
    };
    // The first numbers of neighbouring seeds are alike.
    writer.random.next();
    writer.script();
    Script {
        text: writer.text,
        features: writer.features,
    }
}

/// What the script declares.
#[derive(Default)]
struct Has {
    key: bool,
    list: bool,
    string: bool,
    float: bool,
    vector: bool,
    function: bool,
    recursion: bool,
    second_state: bool,
}

/// Where a statement stands.
#[derive(Clone, Copy)]
struct Context {
    /// Integer names that can be read beside the globals.
    parameter: Option<&'static str>,
    /// A key that can be read.
    key: Option<&'static str>,
    /// Whether `state` and `llResetScript` may stand here.
    handler: Option<&'static str>,
    depth: usize,
}

struct Writer {
    random: Random,
    features: BTreeSet<&'static str>,
    text: String,
    modulus: [usize; 3],
    has: Has,
    names: usize,
    payouts: bool,
}

const GLOBALS: [&str; 3] = ["a", "b", "c"];

impl Writer {
    fn uses(&mut self, feature: &'static str) {
        assert!(FEATURES.contains(&feature), "{feature} is listed");
        self.features.insert(feature);
    }

    fn line(&mut self, indent: usize, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", indent * 2);
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn script(&mut self) {
        self.modulus = std::array::from_fn(|_| 6 + self.random.below(5));
        self.has = Has {
            key: self.random.chance(30),
            list: self.random.chance(25),
            string: self.random.chance(25),
            float: self.random.chance(25),
            vector: self.random.chance(25),
            function: self.random.chance(45),
            recursion: self.random.chance(20),
            second_state: self.random.chance(50),
        };
        let amount = 1 + self.random.below(3);
        self.line(0, &format!("//@ bound amount = 0..{amount};"));
        self.line(0, "//@ bound bidders = 2;");
        self.line(0, "//@ bound lost-payments = 1;");
        for name in GLOBALS {
            let first = self.random.below(3);
            self.line(0, &format!("integer {name} = {first};"));
        }
        self.line(0, "integer rounds;");
        for (has, declaration) in [
            (self.has.key, "key who;"),
            (self.has.list, "list items;"),
            (self.has.string, "string word = \"x\";"),
            (self.has.float, "float part;"),
            (self.has.vector, "vector spot;"),
        ] {
            if has {
                self.line(0, declaration);
            }
        }
        self.functions();
        self.state("default");
        if self.has.second_state {
            self.uses("second-state");
            self.state("state other");
        }
        self.properties();
    }

    fn functions(&mut self) {
        if self.has.function {
            self.uses("function");
            self.uses("return");
            self.line(0, "integer twist(integer n)");
            self.line(0, "{");
            self.block(
                1,
                2,
                Context {
                    parameter: Some("n"),
                    key: None,
                    handler: None,
                    depth: 1,
                },
            );
            let value = self.integer(2, Some("n"));
            self.line(1, &format!("return {value};"));
            self.line(0, "}");
        }
        if self.has.recursion {
            self.uses("recursion");
            self.line(0, "integer down(integer n)");
            self.line(0, "{");
            self.line(1, "if (n <= 0) return a;");
            self.line(1, "return 1 + down(n - 1);");
            self.line(0, "}");
        }
    }

    fn state(&mut self, header: &str) {
        self.line(0, header);
        self.line(0, "{");
        if self.random.chance(50) {
            self.uses("state-entry");
            self.handler("state_entry()", None, None, "entry");
        }
        if self.random.chance(20) {
            self.uses("state-exit");
            self.handler("state_exit()", None, None, "exit");
        }
        self.uses("touch");
        self.handler("touch_start(integer count)", None, None, "touch");
        if self.random.chance(60) {
            self.uses("money");
            self.uses("parameter");
            self.handler(
                "money(key id, integer amount)",
                Some("amount"),
                Some("id"),
                "money",
            );
        }
        if self.random.chance(45) {
            self.uses("timer");
            self.handler("timer()", None, None, "timer");
        }
        if self.random.chance(15) {
            self.uses("listen");
            self.handler(
                "listen(integer channel, string name, key speaker, string said)",
                None,
                Some("speaker"),
                "listen",
            );
        }
        self.line(0, "}");
    }

    fn handler(
        &mut self,
        header: &str,
        parameter: Option<&'static str>,
        key: Option<&'static str>,
        kind: &'static str,
    ) {
        self.line(1, header);
        self.line(1, "{");
        if kind == "entry" {
            if self.random.chance(80) {
                self.line(2, "llSetTimerEvent(2.0);");
            }
            if self.random.chance(30) {
                self.line(2, "llListen(5, \"\", NULL_KEY, \"\");");
            }
        }
        // Nothing else changes this one, so even a script that undoes what it does gets around.
        if kind == "touch" {
            self.line(2, "rounds = (rounds + 1) % 6;");
        }
        // Something moves at each event, so that there is something to explore.
        let which = match kind {
            "money" => 1,
            "timer" => 2,
            _ => 0,
        };
        if kind != "exit" && self.random.chance(85) {
            let (name, modulus) = (GLOBALS[which], self.modulus[which]);
            let by = parameter.map_or_else(
                || (1 + self.random.below(3)).to_string(),
                |parameter| format!("{parameter} + 1"),
            );
            self.line(2, &format!("{name} = ({name} + {by}) % {modulus};"));
        }
        if kind == "listen" && self.random.chance(60) {
            self.line(2, "if (said == \"go\") a = 0;");
        }
        let count = 1 + self.random.below(3);
        self.block(
            2,
            count,
            Context {
                parameter,
                key,
                handler: (kind != "exit").then_some(kind),
                depth: 0,
            },
        );
        self.line(1, "}");
    }

    fn block(&mut self, indent: usize, count: usize, context: Context) {
        for _ in 0..count {
            self.statement(indent, context);
        }
    }

    /// Stores something small in a global.
    fn keep(&mut self, indent: usize, parameter: Option<&'static str>) {
        let which = self.random.below(3);
        let modulus = self.modulus[which];
        let name = GLOBALS[which];
        match self.random.below(4) {
            0 => {
                self.uses("increment");
                let step = self.random.pick(&["++", "--"]);
                let step = if self.random.chance(50) {
                    format!("{step}{name};")
                } else {
                    format!("{name}{step};")
                };
                self.line(indent, &step);
                self.line(indent, &format!("{name} = {name} % {modulus};"));
            }
            1 => {
                self.uses("assign-op");
                let op = self.random.pick(&["+=", "-=", "*="]);
                let value = self.integer(1, parameter);
                self.line(indent, &format!("{name} {op} {value};"));
                self.line(indent, &format!("{name} %= {modulus};"));
            }
            _ => {
                let value = self.integer(2, parameter);
                self.line(indent, &format!("{name} = ({value}) % {modulus};"));
            }
        }
    }

    fn statement(&mut self, indent: usize, context: Context) {
        let Context {
            parameter,
            key,
            handler,
            depth,
        } = context;
        let deeper = Context {
            depth: depth + 1,
            ..context
        };
        match self.random.below(22) {
            0..=4 => self.keep(indent, parameter),
            5..=7 if depth < 2 => {
                self.uses("if-else");
                let condition = self.condition(parameter, key);
                self.line(indent, &format!("if ({condition})"));
                self.braces(indent, 1, deeper);
                if self.random.chance(60) {
                    self.line(indent, "else");
                    self.braces(indent, 1, deeper);
                }
            }
            8 if depth < 2 => self.counted_loop(indent, deeper),
            9 => {
                self.uses("side-effect-operand");
                let [x, y] = [self.random.below(3), self.random.below(3)];
                let (modulus, [x, y]) = (self.modulus[x], [GLOBALS[x], GLOBALS[y]]);
                self.line(indent, &format!("{x} = ({y}++ + ({y} = {x})) % {modulus};"));
                for (name, modulus) in GLOBALS.iter().zip(self.modulus) {
                    self.line(indent, &format!("{name} = {name} % {modulus};"));
                }
            }
            10 if handler.is_some() && self.has.second_state => {
                self.uses("state-change");
                let to = self.random.pick(&["default", "other"]);
                let condition = self.condition(parameter, key);
                self.line(indent, &format!("if ({condition}) state {to};"));
            }
            11 if handler == Some("touch") && self.random.chance(80) => {
                self.uses("reset");
                let condition = self.condition(parameter, key);
                self.line(indent, &format!("if ({condition}) llResetScript();"));
            }
            12 => {
                let on = self.random.pick(&["2.0", "2.0", "0.0"]);
                self.line(indent, &format!("llSetTimerEvent({on});"));
            }
            13 => {
                if let Some(key) = key {
                    self.uses("payout");
                    self.payouts = true;
                    let amount = self.integer(1, parameter);
                    self.line(indent, &format!("llGiveMoney({key}, {amount});"));
                } else {
                    self.uses("message");
                    self.line(indent, "llOwnerSay((string)a + \" here\");");
                }
            }
            14 if self.has.key => {
                self.uses("key");
                if let Some(key) = key {
                    let or = self.random.pick(&["NULL_KEY", "who"]);
                    self.line(indent, &format!("if (who == {or}) who = {key};"));
                    self.line(indent, &format!("else if (who != {key}) b = 0;"));
                } else {
                    self.line(indent, "if (who) c = 1; else c = 0;");
                }
            }
            15 if self.has.list => self.list(indent, parameter),
            16 if self.has.string => {
                self.uses("string");
                self.uses("cast");
                self.line(indent, "word = (string)a;");
                let piece =
                    self.random
                        .pick(&["\"1\"", "\"2\" + \"\"", "llGetSubString(word, 0, 0)"]);
                self.line(
                    indent,
                    &format!("if (word == {piece}) b = (integer)word % 3;"),
                );
            }
            17 if self.has.float => {
                self.uses("float");
                self.line(indent, "part = a / 2.0;");
                let test = self
                    .random
                    .pick(&["part > 1.0", "part == 0.5", "llFloor(part) == 1"]);
                self.line(indent, &format!("if ({test}) c = (integer)part;"));
            }
            18 if self.has.vector => {
                self.uses("vector");
                self.line(indent, "spot = <a, b, 1.5> + <0.5, 0.0, 0.0>;");
                self.line(
                    indent,
                    "if (spot.x > spot.y) c = (integer)(spot * <1.0, 0.0, 0.0>);",
                );
                self.line(indent, "spot = ZERO_VECTOR;");
                let modulus = self.modulus[2];
                self.line(indent, &format!("c = c % {modulus};"));
            }
            19 if handler.is_some() && depth > 0 => {
                self.uses("return");
                self.line(indent, "if (b == 2) return;");
            }
            20 if self.random.chance(40) => {
                self.uses("random");
                self.line(indent, "if (llFrand(1.0) < 0.5) a = 0;");
            }
            _ => self.keep(indent, parameter),
        }
    }

    fn list(&mut self, indent: usize, parameter: Option<&'static str>) {
        self.uses("list");
        match self.random.below(6) {
            0 => {
                let value = self.integer(1, parameter);
                self.line(indent, &format!("items = [({value}) % 3, b];"));
            }
            2 => self.line(indent, "if (items) items = llList2List(items, 1, a % 3);"),
            4 => {
                self.uses("cast");
                self.line(indent, "items = (list)b;");
            }
            3 => self.line(indent, "items = llListReplaceList(items, [b], 0, a % 2);"),
            1 => {
                self.line(indent, "if (llGetListLength(items) < 3) items += [a];");
                self.line(indent, "else items = llDeleteSubList(items, 0, 0);");
            }
            _ => {
                let index = self.random.pick(&["-1", "0", "1", "5"]);
                let modulus = self.modulus[1];
                self.line(
                    indent,
                    &format!("b = (llList2Integer(items, {index}) + (items != [])) % {modulus};"),
                );
            }
        }
    }

    fn braces(&mut self, indent: usize, count: usize, context: Context) {
        self.line(indent, "{");
        self.block(indent + 1, count, context);
        self.line(indent, "}");
    }

    fn counted_loop(&mut self, indent: usize, context: Context) {
        let i = self.fresh("i");
        let turns = 1 + self.random.below(3);
        self.line(indent, &format!("integer {i};"));
        match self.random.below(4) {
            0 => {
                self.uses("for");
                self.line(indent, &format!("for ({i} = 0; {i} < {turns}; ++{i})"));
                self.braces(indent, 1, context);
            }
            1 => {
                self.uses("while");
                self.line(indent, &format!("while ({i}++ < {turns})"));
                self.braces(indent, 1, context);
            }
            2 => {
                self.uses("do-while");
                self.line(indent, "do");
                self.braces(indent, 1, context);
                self.line(indent, &format!("while (++{i} < {turns});"));
            }
            _ => {
                self.uses("jump");
                let label = self.fresh("again");
                self.line(indent, &format!("@{label};"));
                self.braces(indent, 1, context);
                self.line(indent, &format!("if (++{i} < {turns}) jump {label};"));
            }
        }
    }

    fn integer(&mut self, depth: usize, parameter: Option<&'static str>) -> String {
        if depth == 0 || self.random.chance(25) {
            return match self.random.below(8) {
                0..=3 => GLOBALS[self.random.below(3)].to_owned(),
                4 => parameter.unwrap_or("a").to_owned(),
                _ => self.random.below(4).to_string(),
            };
        }
        let left = self.integer(depth - 1, parameter);
        let right = self.integer(depth - 1, parameter);
        match self.random.below(13) {
            0..=2 => format!("({left} + {right})"),
            3..=4 => format!("({left} - {right})"),
            5 => format!("({left} * {right})"),
            6 => {
                self.uses("divide");
                let op = self.random.pick(&["/", "%"]);
                let right = if self.random.chance(85) {
                    format!("(1 + llAbs({right}))")
                } else {
                    right
                };
                format!("({left} {op} {right})")
            }
            7 => {
                self.uses("bitwise");
                let op = self.random.pick(&["&", "|", "^"]);
                format!("({left} {op} {right})")
            }
            8 => {
                self.uses("shift");
                let op = self.random.pick(&["<<", ">>"]);
                format!("({left} {op} 1)")
            }
            9 => {
                self.uses("compare");
                let op = self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
                format!("({left} {op} {right})")
            }
            10 if self.has.function && parameter != Some("n") => format!("twist({left})"),
            11 if self.has.recursion && parameter != Some("n") => {
                format!("down(({left}) & 3)")
            }
            _ => {
                let op = self.random.pick(&["-", "!", "~"]);
                format!("({op}{left})")
            }
        }
    }

    fn condition(&mut self, parameter: Option<&'static str>, key: Option<&'static str>) -> String {
        if let Some(key) = key
            && self.has.key
            && self.random.chance(20)
        {
            self.uses("key");
            return format!("{key} == who");
        }
        let left = self.integer(1, parameter);
        let right = self.integer(1, parameter);
        self.uses("compare");
        let op = self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
        if self.random.chance(25) {
            self.uses("logic");
            let more = self.random.pick(&["&& a", "|| b == 1", "&& !c"]);
            return format!("{left} {op} {right} {more}");
        }
        format!("{left} {op} {right}")
    }

    /// A state atom.
    fn atom(&mut self) -> String {
        let which = self.random.below(3);
        let value = self.random.below(self.modulus[which]);
        let name = GLOBALS[which];
        match self.random.below(5) {
            0 | 1 => format!("{name} == {value}"),
            2 => format!("{name} < {value}"),
            3 if self.has.second_state => "in other".to_owned(),
            _ => format!("a + b != {value}"),
        }
    }

    fn properties(&mut self) {
        if self.random.chance(40) {
            self.uses("fairness");
            self.line(0, "//@ assume timer keeps firing;");
        }
        if self.random.chance(30) && self.text.contains("money(") {
            self.uses("ghost");
            self.line(0, "//@ ghost integer paid_now;");
            self.line(0, "//@ on paid(id, amount) { paid_now = amount; }");
            let limit = self.random.below(3);
            self.line(
                0,
                &format!("//@ property ledger: always paid_now <= {limit};"),
            );
        }
        self.uses("always");
        let [p, q] = [self.atom(), self.atom()];
        self.line(0, &format!("//@ property invariant: always {p} || {q};"));
        if self.payouts && self.random.chance(80) {
            self.uses("when");
            let limit = self.random.below(3);
            self.line(
                0,
                &format!(
                    "//@ property payout: when call llGiveMoney(who_, n) require n > {limit};"
                ),
            );
        } else if self.random.chance(60) {
            self.uses("when");
            self.uses("changes");
            self.uses("old");
            let name = GLOBALS[self.random.below(3)];
            let step = 1 + self.random.below(5);
            self.line(
                0,
                &format!(
                    "//@ property steady: when {name} changes require {name} - old({name}) <= {step};"
                ),
            );
        }
        let [p, q] = [self.atom(), self.atom()];
        let formula = match self.random.below(5) {
            0 => {
                self.uses("eventually");
                format!("eventually {p}")
            }
            1 | 2 => {
                self.uses("leads-to");
                format!("{p} leads to {q}")
            }
            3 => {
                self.uses("ltl");
                self.uses("next");
                format!("[] (({p}) -> X (({q}) || ({p})))")
            }
            _ => {
                self.uses("ltl");
                format!("({p}) U ({q})")
            }
        };
        self.line(0, &format!("//@ property live: {formula};"));
    }
}

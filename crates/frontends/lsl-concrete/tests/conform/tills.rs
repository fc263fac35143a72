//! Random scripts through which money goes: from payments by variables and functions to whom they pay.

use crate::generate::{Handler, Random, Script};

const GLOBALS: [&str; 12] = [
    "integer held;",
    "integer kept;",
    "integer price = 10;",
    "integer PART = 30;",
    "integer open;",
    "integer days;",
    "integer RENT = 2;",
    "integer turns;",
    "float cut = 0.3;",
    "float week = 604800.0;",
    "key payer;",
    "key PARTNER = \"aaaaaaaa-0000-4000-8000-000000000001\";",
];

const FUNCTIONS: [&str; 5] = [
    "refund(key to, integer sum) { if (sum > 0) llGiveMoney(to, sum); }",
    "keep(key who, integer sum) { payer = who; held = sum; }",
    "integer settle(integer sum) { llGiveMoney(payer, sum); return 0; }",
    "integer part(integer sum) { return sum * PART / 100; }",
    "swap() { integer old = held; held = kept; kept = old; }",
];

/// The script of a seed.
pub(crate) fn script(seed: u64) -> Script {
    let mut maker = Maker {
        random: Random::new(seed ^ 0x7111),
        locals: Vec::new(),
        made: 0,
    };
    let mut handlers = vec![Handler {
        event: "state_entry",
        statements: vec!["llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);".to_owned()],
    }];
    if maker.random.chance(1, 2) {
        let granted = "if (p0 & PERMISSION_DEBIT) open = TRUE;".to_owned();
        handlers.push(Handler {
            event: "run_time_permissions",
            statements: vec![granted],
        });
    }
    for event in ["money", "touch_start", "timer"] {
        if event == "money" || maker.random.chance(2, 3) {
            handlers.push(maker.handler(event));
        }
    }
    if maker.random.chance(1, 3) {
        let reset = "if (p0 & CHANGED_OWNER) llResetScript();".to_owned();
        handlers.push(Handler {
            event: "changed",
            statements: vec![reset],
        });
    }
    let globals = GLOBALS.iter().chain(&FUNCTIONS);
    Script {
        directives: Vec::new(),
        globals: globals.map(|&line| line.to_owned()).collect(),
        states: vec![("default".to_owned(), handlers)],
    }
}

struct Maker {
    random: Random,
    /// Local variables in scope.
    locals: Vec<String>,
    made: usize,
}

impl Maker {
    fn handler(&mut self, event: &'static str) -> Handler {
        self.locals.clear();
        let mut statements = Vec::new();
        for _ in 0..1 + self.random.below(4) {
            let statement = self.statement(event, 2);
            statements.push(statement);
        }
        Handler { event, statements }
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.random.below(from.len())]
    }

    /// A variable that may hold an amount.
    fn variable(&mut self, event: &str) -> String {
        let locals = self.locals.len();
        match self.random.below(5) {
            0 => "held".to_owned(),
            1 => "kept".to_owned(),
            2 if locals > 0 => self.locals[self.random.below(locals)].clone(),
            _ if event == "money" => "p1".to_owned(),
            _ => "held".to_owned(),
        }
    }

    fn amount(&mut self, event: &str) -> String {
        let of = self.variable(event);
        let other = self.variable(event);
        match self.random.below(34) {
            15 => format!("llRound({of} / week * 604800.0)"),
            16 => format!("(integer)({of} / week)"),
            17 => format!("0 - {of}"),
            18 => format!("{of} - {other} - price"),
            19 => format!("llRound({of} * (float)(PART / 100.0))"),
            20 => format!("(integer)(((float){of} / 100.0) * PART)"),
            21 => format!("llCeil({of} * cut)"),
            22 => format!("{of} / days"),
            23 => format!("llRound(({of} - 3) * -0.2)"),
            0 => format!("{of} - price"),
            1 => format!("{of} - {other}"),
            2 => format!("{of} * 30 / 100"),
            3 => format!("PART * {of} / 100"),
            4 => format!("{of} / 2"),
            5 => format!("{of} % 10"),
            6 => format!("(integer)({of} * cut)"),
            7 => format!("llRound({of} * 0.5)"),
            8 => format!("llFloor({of} / 3.0)"),
            9 => format!("part({of})"),
            10 => format!("{of} + 1"),
            11 => format!("{of} - (-2)"),
            12 => "days * price".to_owned(),
            13 => "price".to_owned(),
            14 => "0".to_owned(),
            _ => of,
        }
    }

    fn statement(&mut self, event: &str, depth: usize) -> String {
        if depth > 0 && self.random.chance(1, 4) {
            let test = self.condition(event);
            let scope = self.locals.len();
            let then = self.statement(event, depth - 1);
            self.locals.truncate(scope);
            return match self.random.below(4) {
                0 => format!("if ({test}) {{ {then} return; }}"),
                1 => {
                    let other = self.statement(event, depth - 1);
                    self.locals.truncate(scope);
                    format!("if ({test}) {{ {then} }} else {{ {other} }}")
                }
                _ => format!("if ({test}) {{ {then} }}"),
            };
        }
        let amount = self.amount(event);
        let to = match event {
            "money" => self.pick(&["p0", "p0", "payer", "PARTNER", "llGetOwner()"]),
            _ => self.pick(&["payer", "payer", "PARTNER"]),
        };
        match self.random.below(32) {
            28..=31 => self.count(event, to),
            25..=27 => self.split(event, to),
            0..=2 | 20..=22 => format!("llGiveMoney({to}, {amount});"),
            3 => format!("refund({to}, {amount});"),
            4 => format!("held = settle({amount});"),
            5 => format!("llGiveMoney({to}, held); held = 0;"),
            6 => format!("if (held > 0) {{ llGiveMoney({to}, held); held = 0; }}"),
            7 => format!("keep({to}, {amount});"),
            8 => format!("kept = {amount};"),
            9 => format!("held = {amount};"),
            10 => format!("held -= {amount};"),
            11 => format!("held += {amount};"),
            12 => "swap();".to_owned(),
            13 => format!("days = {amount};"),
            14 => format!("if ((held = {amount}) > 5) refund({to}, held);"),
            15 => "price = days;".to_owned(),
            16 => "llSetTimerEvent(5.0);".to_owned(),
            23 if self.random.chance(1, 2) => match self.random.below(2) {
                0 => "if (!open) return;".to_owned(),
                _ => format!("if ({} < 1) return;", self.variable(event)),
            },
            24 if !self.locals.is_empty() => {
                let at = self.random.below(self.locals.len());
                let local = self.locals[at].clone();
                match self.random.below(4) {
                    0 => format!("{local} += {amount};"),
                    1 => format!("++{local};"),
                    2 => format!("{local} /= 2;"),
                    _ => format!("if ({local}++ < 2) llGiveMoney({to}, {local});"),
                }
            }
            _ => {
                self.made += 1;
                let name = format!("v{}", self.made);
                self.locals.push(name.clone());
                format!("integer {name} = {amount};")
            }
        }
    }

    /// A share for one, and what it leaves for another, in one order or the other, or nearly so.
    fn split(&mut self, event: &str, to: &str) -> String {
        let of = match self.random.chance(3, 4) {
            true if event == "money" => "p1".to_owned(),
            _ => self.variable(event),
        };
        let share = match self.random.below(4) {
            0 => format!("(integer)({of} * cut)"),
            1 => format!("{of} % 10"),
            _ => format!("{of} * 30 / 100"),
        };
        self.made += 1;
        let name = format!("v{}", self.made);
        self.locals.push(name.clone());
        let first = match self.random.below(8) {
            0 => format!("refund(PARTNER, {share});"),
            1 => format!("refund(PARTNER, {name} + 1);"),
            2 => format!("refund(PARTNER, {name}); {name} -= 1;"),
            3 => String::new(),
            _ => format!("refund(PARTNER, {name});"),
        };
        let rest = match self.random.below(6) {
            0 => format!("held = {of} - {name}; refund({to}, held);"),
            1 => format!("refund({to}, {of} - ({share}));"),
            _ => format!("refund({to}, {of} - {name});"),
        };
        let (first, then) = match self.random.chance(1, 3) {
            true => (rest, first),
            false => (first, rest),
        };
        format!("integer {name} = {share}; {first} {then}")
    }

    /// What is bought by a payment, becomes less, and is given back, or nearly so.
    fn count(&mut self, event: &str, to: &str) -> String {
        let of = self.variable(event);
        match self.random.below(14) {
            0 | 1 => format!("turns = {of} / RENT;"),
            2 => format!("turns = {of} / RENT; refund({to}, {of} % RENT);"),
            3 => {
                self.made += 1;
                let name = format!("v{}", self.made);
                self.locals.push(name.clone());
                format!("integer {name} = {of} / RENT; turns = {name};")
            }
            4 => "if (turns > 0) turns -= 1;".to_owned(),
            5 => "if (turns >= 1) { --turns; }".to_owned(),
            6 => "if (0 < turns) turns = turns - 1; else days = 0;".to_owned(),
            7 => format!("if (turns > 0) llGiveMoney({to}, turns * RENT); turns = 0;"),
            8 => format!("refund({to}, RENT * turns); turns = 0;"),
            9 => format!("refund({to}, turns * RENT);"),
            10 => format!("refund({to}, turns); turns = 0;"),
            11 => {
                self.made += 1;
                let name = format!("v{}", self.made);
                format!("integer {name} = turns * RENT; refund({to}, {of} - {name}); turns = 0;")
            }
            12 => "turns -= 1;".to_owned(),
            _ => "turns = days;".to_owned(),
        }
    }

    fn condition(&mut self, event: &str) -> String {
        let of = self.variable(event);
        let than = self.pick(&["price", "0", "10", "held", "days"]);
        match self.random.below(5) {
            0 => "open".to_owned(),
            1 => format!("{of} >= {than}"),
            2 => format!("{of} == {than}"),
            _ => format!("{of} > {than}"),
        }
    }
}

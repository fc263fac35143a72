//! Amounts that go from script to script in messages: what a linkset pays beside what it has received, and
//! what scripts know of numbers that they are sent.

#![expect(clippy::print_stdout, reason = "prints what was met")]

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::Duration;

use fastrand::Rng;
use language::{FrontEnd, Request, Settings};
use model::{Program, Silent, Strength, Verdict};
use verify::{Engine, Options};

const MINUTE: Duration = Duration::from_secs(60);

/// The program of two or three scripts in prims of their own, with the checks that nobody has to ask for.
fn load(bounds: &str, scripts: &[String]) -> Program {
    let names = ["a.lsl", "b.lsl", "c.lsl"];
    let mut toml = format!("queue = 2\nbounds = [{bounds}]\n");
    for (name, _) in names.iter().zip(scripts) {
        toml += &format!("[[prim]]\nscripts = [\"{name}\"]\n");
    }
    let read = |path: &Path| {
        let found = names.iter().zip(scripts);
        let mut found = found.filter(|(name, _)| path.ends_with(name));
        let text = found.next().map(|(_, text)| text.clone().into_bytes());
        text.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    };
    let loaded = lsl::Lsl.load(&Request {
        path: Path::new("shop.toml"),
        contents: toml.as_bytes(),
        settings: &Settings::default(),
        extra_properties: &[],
        whole: false,
        unasked: true,
        statements: false,
        decisions: None,
        read: &read,
        entries: &|_| Ok(Vec::new()),
    });
    let errors = loaded.loaded.diagnostics.iter();
    let errors: Vec<&str> = errors
        .filter(|found| found.is_error())
        .map(|found| found.message.as_str())
        .collect();
    let program = loaded.loaded.program;
    program.unwrap_or_else(|| panic!("{errors:?}\n{}", scripts.join("\n")))
}

/// The verdict on each property, by name.
fn verdicts(program: &Program, options: &Options) -> BTreeMap<String, &'static str> {
    let outcomes = verify::check(program, options, &Silent);
    let named = outcomes.into_iter().map(|outcome| {
        let name = program.properties[outcome.property.index()].name.clone();
        let word = match outcome.verdict {
            Verdict::Holds { strength, .. } if strength >= Strength::Exhausted => "holds",
            Verdict::Fails { .. } => "fails",
            Verdict::Vacuous { .. } => "vacuous",
            _ => "open",
        };
        (name, word)
    });
    named.collect()
}

/// What is said of a linkset whose payments are of any amount.
fn said(scripts: &[String], patience: Duration) -> BTreeMap<String, &'static str> {
    let program = load("\"avatars = 1\"", scripts);
    let options = Options {
        timeout: Some(patience),
        jobs: 1,
        ..Options::default()
    };
    verdicts(&program, &options)
}

/// What the scripts themselves do with small payments, nothing left out; as far as a search gets.
fn themselves(scripts: &[String], patience: Duration) -> BTreeMap<String, &'static str> {
    let mut program = load("\"avatars = 1\", \"amount = 1..4\"", scripts);
    program.coarse = None;
    let options = Options {
        timeout: Some(patience),
        jobs: 1,
        engine: Some(Engine::Explicit),
        ..Options::default()
    };
    verdicts(&program, &options)
}

/// A script that takes money and sends messages, and what it does when it is sent one.
fn till(money: &str, message: &str) -> String {
    format!(
        "integer PRICE = 3; integer held; key who; integer count = 2;\n\
         default {{\n\
         state_entry() {{ llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }}\n\
         money(key id, integer n) {{ {money} }}\n\
         link_message(integer from, integer n, string word, key id) {{ {message} }}\n\
         }}\n"
    )
}

/// A script that is sent messages.
fn shelf(message: &str) -> String {
    format!(
        "integer left = 2; integer held; key who;\n\
         default {{ link_message(integer from, integer n, string word, key id) {{ {message} }} }}\n"
    )
}

const ASK: &str = "llMessageLinked(LINK_ALL_OTHERS, n, \"ask\", id);";
const YES: &str = "if (word == \"ask\") llMessageLinked(from, n, \"yes\", id);";

#[test]
fn an_amount_is_paid_back_that_came_in_a_message() {
    let cases = [
        (
            ASK,
            YES,
            "if (word == \"yes\") llGiveMoney(id, n);",
            "holds",
        ),
        // Beside it another script is told how many are left, which is followed nowhere.
        (
            ASK,
            "if (word == \"ask\") { --left; llMessageLinked(from, n, \"yes\", id); \
             llMessageLinked(from, left, \"left\", id); }",
            "if (word == \"yes\") llGiveMoney(id, n);",
            "holds",
        ),
        (
            ASK,
            "if (word == \"ask\") { --left; llMessageLinked(from, n, \"yes\", id); \
             llMessageLinked(from, left, \"left\", id); }",
            "llGiveMoney(id, n);",
            "open",
        ),
        // What is kept of one message and paid at another.
        (
            ASK,
            YES,
            "if (held > 0) llGiveMoney(who, held); held = n; who = id;",
            "holds",
        ),
        (ASK, YES, "llGiveMoney(id, n); llGiveMoney(id, n);", "open"),
        (
            "llMessageLinked(LINK_ALL_OTHERS, n, \"ask\", id); llGiveMoney(id, n);",
            YES,
            "llGiveMoney(id, n);",
            "open",
        ),
        (
            ASK,
            "llMessageLinked(from, n, \"yes\", id); llMessageLinked(from, n, \"yes\", id);",
            "llGiveMoney(id, n);",
            "open",
        ),
        (
            ASK,
            "llMessageLinked(from, n + 1, \"yes\", id);",
            "llGiveMoney(id, n);",
            "open",
        ),
        (
            ASK,
            "llMessageLinked(from, n, \"no\", id); llMessageLinked(from, 5, \"yes\", id);",
            "if (word == \"yes\") llGiveMoney(id, n);",
            "open",
        ),
        (
            ASK,
            "llMessageLinked(from, 5, \"yes\", id);",
            "llGiveMoney(id, n);",
            "open",
        ),
        (
            ASK,
            "llMessageLinked(from, n / 2, \"yes\", id);",
            "llGiveMoney(id, n); llGiveMoney(id, n);",
            "holds",
        ),
        // A share goes as what it may be at most; which share it was is not told.
        (
            "llMessageLinked(LINK_ALL_OTHERS, n * 30 / 100, \"ask\", id); \
             llGiveMoney(id, n - n * 30 / 100);",
            YES,
            "llGiveMoney(id, n);",
            "open",
        ),
        (
            "held = n * 30 / 100; llMessageLinked(LINK_ALL_OTHERS, n - held, \"ask\", id); \
             held = n * 30 / 100; llGiveMoney(id, held); llGiveMoney(id, held);",
            YES,
            "llGiveMoney(id, n);",
            "open",
        ),
        // What is under way outlives a reset.
        (
            "llMessageLinked(LINK_ALL_OTHERS, n, \"ask\", id); llGiveMoney(id, n); llResetScript();",
            YES,
            "llGiveMoney(id, n);",
            "open",
        ),
    ];
    for (money, shelf_does, message, expected) in cases {
        let scripts = [till(money, message), shelf(shelf_does)];
        let found = said(&scripts, MINUTE)["a.pays-more"];
        match expected {
            "open" => assert_ne!(found, "holds", "{money} {shelf_does} {message}"),
            _ => assert_eq!(found, expected, "{money} {shelf_does} {message}"),
        }
    }
}

/// Of several scripts that pay, each is set against what it has received itself.
#[test]
fn what_another_script_has_received_is_no_receipt_of_one_of_several_that_pay() {
    let pays = "if (word == \"ask\" && n > 0) llGiveMoney(id, n);";
    let both = [
        till(ASK, "llGiveMoney(id, 0);"),
        till("llGiveMoney(id, n);", pays),
    ];
    assert_ne!(said(&both, MINUTE)["b.pays-more"], "holds");
    let alone = [
        format!("default {{ money(key id, integer n) {{ {ASK} }} }}"),
        till("", pays).replace("money(key id, integer n) {  }", ""),
    ];
    assert_eq!(said(&alone, MINUTE)["b.pays-more"], "holds");
}

/// Where one message brings a number that nobody follows, others still bring theirs.
#[test]
fn what_one_message_brings_says_nothing_of_others() {
    let shelf_does = "if (word == \"ask\") { --left; llMessageLinked(from, n, \"yes\", id); } \
        llMessageLinked(LINK_ALL_OTHERS, left, \"left\", id);";
    let cases = [
        (
            "if (word == \"yes\" && n > PRICE) llGiveMoney(id, n - PRICE);",
            "holds",
        ),
        ("if (word == \"yes\") llGiveMoney(id, n - PRICE);", "open"),
        ("if (word == \"left\") llGiveMoney(id, n);", "open"),
        (
            "if (word == \"left\" && n > 0) llGiveMoney(id, n);",
            "holds",
        ),
        // A difference of what is below zero may wrap around, and is paid.
        (
            "if (word == \"left\" && n < PRICE) llGiveMoney(id, PRICE - n);",
            "open",
        ),
        (
            "if (word == \"left\" && n >= PRICE) llGiveMoney(id, n - PRICE);",
            "open",
        ),
        (
            "held = n; if (held > PRICE) llGiveMoney(id, held - 3);",
            "holds",
        ),
        (
            "held = n; if (held > PRICE) llGiveMoney(id, held - 4);",
            "open",
        ),
    ];
    for (message, expected) in cases {
        let scripts = [till(ASK, message), shelf(shelf_does)];
        let found = said(&scripts, MINUTE)["a.pays-nothing"];
        match expected {
            "open" => assert_ne!(found, "holds", "{message}"),
            _ => assert_eq!(found, expected, "{message}"),
        }
    }
}

/// A payment may be a link number, or a channel on which another script listens.
#[test]
fn an_amount_may_say_who_is_meant() {
    let pays = "state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); \
        llListen(25, \"\", \"\", \"\"); }";
    let hears =
        "link_message(integer from, integer n, string word, key id) { llGiveMoney(id, 0); }";
    let listens = "listen(integer c, string name, key id, string word) { llGiveMoney(id, 0); }";
    for (sends, handler) in [
        ("llMessageLinked(n, 0, \"\", id);", hears),
        ("llRegionSay(n, \"give\");", listens),
    ] {
        let scripts = [
            format!("default {{ money(key id, integer n) {{ {sends} }} }}"),
            format!("default {{ {pays} {handler} }}"),
        ];
        assert_ne!(said(&scripts, MINUTE)["b.pays-nothing"], "holds", "{sends}");
        assert_ne!(
            said(&scripts, MINUTE)["b.pays-nothing"],
            "vacuous",
            "{sends}"
        );
    }
}

/// Makes linksets.
struct Maker {
    random: Rng,
}

impl Maker {
    fn pick(&mut self, from: &[&str]) -> String {
        from[self.random.usize(..from.len())].to_owned()
    }

    fn amount(&mut self) -> String {
        let of = self.pick(&["n", "n", "n", "n", "n", "held", "count"]);
        match self.random.u32(..16) {
            0 => format!("{of} - PRICE"),
            1 => format!("{of} / 2"),
            2 => format!("{of} - 1"),
            3 => format!("{of} + 1"),
            4 => format!("{of} * 30 / 100"),
            5 => self.pick(&["2", "0", "-1", "PRICE"]),
            6 => format!("{of} - {of} / 2"),
            _ => of,
        }
    }

    fn condition(&mut self) -> String {
        let of = self.pick(&["n", "n", "held", "count"]);
        let than = self.pick(&["0", "1", "PRICE", "PRICE"]);
        let op = self.pick(&[">", ">=", "==", "<"]);
        format!("{of} {op} {than}")
    }

    fn statement(&mut self, depth: u32) -> String {
        if depth > 0 && self.random.u32(..3) == 0 {
            let test = match self.random.bool() {
                true => self.condition(),
                false => format!("word == \"{}\"", self.pick(&["ask", "yes"])),
            };
            let then = self.statement(depth - 1);
            return match self.random.u32(..3) {
                0 => {
                    let other = self.statement(depth - 1);
                    format!("if ({test}) {{ {then} }} else {{ {other} }}")
                }
                1 => format!("if ({test}) {{ {then} return; }}"),
                _ => format!("if ({test}) {{ {then} }}"),
            };
        }
        let amount = self.amount();
        let to = self.pick(&["id", "id", "who"]);
        match self.random.u32(..16) {
            0..4 => {
                let link = self.pick(&["LINK_ALL_OTHERS", "LINK_ALL_OTHERS", "LINK_SET", "1", "2"]);
                let word = self.pick(&["ask", "yes"]);
                format!("llMessageLinked({link}, {amount}, \"{word}\", {to});")
            }
            4..8 | 14.. => format!("llGiveMoney({to}, {amount});"),
            8 => "held = n; who = id;".to_owned(),
            9 => format!("held = {amount};"),
            10 => format!("if (held > 0) {{ llGiveMoney({to}, held); held = 0; }}"),
            11 => "--count;".to_owned(),
            12 if self.random.u32(..3) == 0 => "llResetScript();".to_owned(),
            _ => format!("pay({to}, {amount});"),
        }
    }

    fn body(&mut self) -> String {
        let count = 1 + self.random.usize(..3);
        let all: Vec<String> = (0..count).map(|_| self.statement(2)).collect();
        all.join(" ")
    }

    /// Two scripts or three. The first takes money, all may be sent messages, and one of them pays, or two do.
    fn linkset(&mut self) -> Vec<String> {
        let count = 2 + usize::from(self.random.u32(..5) == 0);
        let payer = self.random.usize(..count);
        let second = match self.random.u32(..4) {
            0 => self.random.usize(..count),
            _ => payer,
        };
        let scripts = (0..count).map(|index| {
            let mut handlers = String::new();
            if index == 0 {
                let mut body = self.body().replace("word == ", "(string)id == ");
                if self.random.u32(..3) > 0 {
                    body += " llMessageLinked(LINK_ALL_OTHERS, n, \"ask\", id);";
                }
                handlers += &format!("money(key id, integer n) {{ {body} }}\n");
            }
            let pays = index == payer || index == second;
            let mut body = self.body();
            if pays && self.random.u32(..3) > 0 {
                body += &format!(" llGiveMoney(id, {});", self.amount());
            }
            handlers += &format!(
                "link_message(integer from, integer n, string word, key id) {{ {body} }}\n"
            );
            if pays {
                handlers +=
                    "state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }\n";
            } else {
                handlers = handlers.replace("llGiveMoney(", "keep(");
                handlers = handlers.replace("pay(", "keep(");
            }
            let pay = match pays {
                true => "pay(key to, integer sum) { if (sum > 0) llGiveMoney(to, sum); }\n",
                false => "",
            };
            format!(
                "integer PRICE = 3; integer held; key who; integer count = 2;\n{pay}\
                 keep(key to, integer sum) {{ who = to; held = sum; }}\n\
                 default {{\n{handlers}}}\n"
            )
        });
        scripts.collect()
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    let stated = std::env::var(name).ok().and_then(|text| text.parse().ok());
    stated.unwrap_or(otherwise)
}

/// What is said to hold of payments of any amount holds of small ones, whatever the scripts send.
#[test]
fn what_holds_of_random_linksets_is_broken_by_no_run() {
    let first = number("PROBITY_RANDOM_FROM", 0);
    let count = number("PROBITY_RANDOM_COUNT", 24);
    let checks = ["pays-more", "pays-nothing"];
    let mut met: BTreeMap<(String, &str, &str), u32> = BTreeMap::new();
    for seed in first..first + count {
        let mut maker = Maker {
            random: Rng::with_seed(seed),
        };
        let scripts = maker.linkset();
        let said = said(&scripts, Duration::from_secs(6));
        let found = themselves(&scripts, Duration::from_secs(2));
        for check in checks {
            for (name, &verdict) in said.iter().filter(|(name, _)| name.ends_with(check)) {
                let really = found[name];
                assert!(
                    verdict != "holds" || really != "fails",
                    "seed {seed}: {name} is said to hold, and fails\n{}",
                    scripts.join("\n---\n")
                );
                *met.entry((check.to_owned(), verdict, really)).or_default() += 1;
            }
        }
    }
    for ((check, verdict, really), count) in &met {
        println!("{check}: {verdict}, of themselves {really}: {count}");
    }
    let total = |wanted: &str| -> u32 {
        let those = met.iter().filter(|((_, verdict, _), _)| *verdict == wanted);
        those.map(|(_, count)| count).sum()
    };
    let all = total("holds") + total("fails") + total("open");
    assert!(total("holds") * 4 >= all, "few hold: {met:?}");
    assert!(total("fails") * 6 >= all, "few fail: {met:?}");
}

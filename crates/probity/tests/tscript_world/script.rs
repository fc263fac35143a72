//! Scripts as the concrete world reads them, how they are written, and how they are made up.

use std::fmt::Write as _;

/// A small generator of random numbers (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 33) % limit.max(1) as u64).expect("it is below the limit")
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// The type of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Int,
    Str,
    Real,
    Bool,
    Term,
    /// A tool that is executed.
    Tool,
    /// A tool that comes by itself.
    Caller,
}

/// The variables that every process has.
pub(crate) const VARIABLES: [(&str, Kind); 10] = [
    ("N", Kind::Int),
    ("M", Kind::Int),
    ("X", Kind::Str),
    ("Y", Kind::Str),
    ("R", Kind::Real),
    ("B", Kind::Bool),
    ("Z", Kind::Term),
    ("T", Kind::Tool),
    ("U", Kind::Tool),
    ("C", Kind::Caller),
];

/// A term or an expression.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Term {
    Int(i32),
    Real(f64),
    Str(&'static str),
    Bool(bool),
    Var(usize),
    /// A variable that gets a value.
    Fill(usize),
    Word(&'static str, Vec<Term>),
    List(Vec<Term>),
    /// A function, in expressions.
    Call(&'static str, Vec<Term>),
}

/// An action.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Act {
    /// Prints a label.
    Say(usize),
    Assign(usize, Term),
    SndMsg(Term),
    RecMsg(Term),
    SndNote(Term),
    RecNote(Term),
    NoNote(Term),
    /// To notes with a word and a number.
    Subscribe(&'static str),
    Unsubscribe(&'static str),
    Execute(usize),
    Connect(usize),
    Disconnect(usize),
    Eval(usize, Term),
    Value(usize, Term),
    Event(usize, Term),
    Ack(usize, Term),
    Do(usize, Term),
}

impl Act {
    /// What it is called.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Act::Say(_) => "printf",
            Act::Assign(..) => ":=",
            Act::SndMsg(_) => "snd-msg",
            Act::RecMsg(_) => "rec-msg",
            Act::SndNote(_) => "snd-note",
            Act::RecNote(_) => "rec-note",
            Act::NoNote(_) => "no-note",
            Act::Subscribe(_) => "subscribe",
            Act::Unsubscribe(_) => "unsubscribe",
            Act::Execute(_) => "execute",
            Act::Connect(_) => "rec-connect",
            Act::Disconnect(_) => "rec-disconnect",
            Act::Eval(..) => "snd-eval",
            Act::Value(..) => "rec-value",
            Act::Event(..) => "rec-event",
            Act::Ack(..) => "snd-ack-event",
            Act::Do(..) => "snd-do",
        }
    }
}

/// A process expression.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Proc {
    Act(Act),
    /// One after the other; none of them is nothing at all.
    Seq(Vec<Proc>),
    Choice(Vec<Proc>),
    Loop(Box<Proc>, Box<Proc>),
    Side(Box<Proc>, Box<Proc>),
    If(Term, Box<Proc>, Option<Box<Proc>>),
    Delta,
}

/// A script.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Script {
    pub(crate) processes: Vec<Proc>,
    /// Whether tools answer only what somebody reads.
    pub(crate) polite: bool,
    /// Labels that there may be.
    pub(crate) labels: usize,
}

impl Script {
    /// Every action in it.
    pub(crate) fn acts(&self) -> Vec<&Act> {
        fn of<'p>(part: &'p Proc, out: &mut Vec<&'p Act>) {
            match part {
                Proc::Act(act) => out.push(act),
                Proc::Seq(all) | Proc::Choice(all) => all.iter().for_each(|part| of(part, out)),
                Proc::Loop(a, b) | Proc::Side(a, b) => {
                    of(a, out);
                    of(b, out);
                }
                Proc::If(_, then, other) => {
                    of(then, out);
                    if let Some(other) = other {
                        of(other, out);
                    }
                }
                Proc::Delta => {}
            }
        }
        let mut out = Vec::new();
        self.processes.iter().for_each(|part| of(part, &mut out));
        out
    }

    /// The script as text; labels are followed by what `behind` says.
    pub(crate) fn text(&self, behind: &str) -> String {
        let mut text = "%%@ bound queue = 3\n%%@ bound connections = 1\n".to_owned();
        let calls = |act: &&Act| matches!(act, Act::Connect(_) | Act::Disconnect(_));
        if self.acts().iter().any(calls) {
            text.push_str("%%@ bound c = 1\n");
        }
        if self.polite {
            text.push_str("%%@ bound answers = polite\n");
        }
        for label in 0..self.labels {
            let _ = writeln!(
                text,
                "%%@ property label{label}: [true* . printf(\"L{label}{behind}\")] false"
            );
        }
        text.push_str("tool t is { command = \"t\" }\ntool c is { command = \"c\" }\n");
        let declared: Vec<String> = VARIABLES
            .iter()
            .map(|(name, kind)| {
                let ty = match kind {
                    Kind::Int => "int",
                    Kind::Str => "str",
                    Kind::Real => "real",
                    Kind::Bool => "bool",
                    Kind::Term => "term",
                    Kind::Tool => "t",
                    Kind::Caller => "c",
                };
                format!("{name} : {ty}")
            })
            .collect();
        for (number, body) in self.processes.iter().enumerate() {
            let _ = writeln!(
                text,
                "process P{number} is let {} in\n  {}\nendlet",
                declared.join(", "),
                written(body, behind)
            );
        }
        let names: Vec<String> = (0..self.processes.len()).map(|n| format!("P{n}")).collect();
        let _ = writeln!(text, "toolbus({})", names.join(", "));
        text
    }
}

fn name(var: usize) -> &'static str {
    VARIABLES[var].0
}

/// A term as it is written.
pub(crate) fn term(of: &Term) -> String {
    let all = |parts: &[Term]| parts.iter().map(term).collect::<Vec<_>>().join(", ");
    match of {
        Term::Int(number) => number.to_string(),
        Term::Real(number) => format!("{number:?}"),
        Term::Str(text) => format!("\"{text}\""),
        Term::Bool(truth) => truth.to_string(),
        Term::Var(var) => name(*var).to_owned(),
        Term::Fill(var) => format!("{}?", name(*var)),
        Term::Word(word, parts) | Term::Call(word, parts) if parts.is_empty() => (*word).to_owned(),
        Term::Word(word, parts) | Term::Call(word, parts) => format!("{word}({})", all(parts)),
        Term::List(parts) => format!("[{}]", all(parts)),
    }
}

fn act(of: &Act, behind: &str) -> String {
    let word = of.word();
    match of {
        Act::Say(label) => format!("printf(\"L{label}{behind}\")"),
        Act::Assign(var, value) => format!("{} := {}", name(*var), term(value)),
        Act::SndMsg(what) | Act::RecMsg(what) | Act::SndNote(what) => {
            format!("{word}({})", term(what))
        }
        Act::RecNote(what) | Act::NoNote(what) => format!("{word}({})", term(what)),
        Act::Subscribe(note) | Act::Unsubscribe(note) => format!("{word}({note}(<int>))"),
        Act::Execute(var) => format!("execute(t, {}?)", name(*var)),
        Act::Connect(var) => format!("{word}({}?)", name(*var)),
        Act::Disconnect(var) => format!("{word}({})", name(*var)),
        Act::Eval(var, what)
        | Act::Value(var, what)
        | Act::Event(var, what)
        | Act::Ack(var, what)
        | Act::Do(var, what) => format!("{word}({}, {})", name(*var), term(what)),
    }
}

/// A process expression as it is written.
fn written(of: &Proc, behind: &str) -> String {
    let all = |parts: &[Proc], with: &str| {
        let parts: Vec<String> = parts.iter().map(|part| written(part, behind)).collect();
        format!("( {} )", parts.join(with))
    };
    match of {
        Proc::Act(one) => act(one, behind),
        Proc::Seq(parts) => all(parts, " . "),
        Proc::Choice(parts) => all(parts, " + "),
        Proc::Loop(body, exit) => {
            format!("( {} * {} )", written(body, behind), written(exit, behind))
        }
        Proc::Side(a, b) => format!("( {} || {} )", written(a, behind), written(b, behind)),
        Proc::If(test, then, None) => {
            format!("if {} then {} fi", term(test), written(then, behind))
        }
        Proc::If(test, then, Some(other)) => format!(
            "if {} then {} else {} fi",
            term(test),
            written(then, behind),
            written(other, behind)
        ),
        Proc::Delta => "delta".to_owned(),
    }
}

pub(crate) const INTS: [i32; 6] = [0, 1, 2, 7, 100, i32::MAX];
pub(crate) const TEXTS: [&str; 5] = ["go", "stop", "g", "o!", "x"];
pub(crate) const REALS: [f64; 4] = [0.0, 1.0, 2.5, -1.0];

/// Makes up scripts.
pub(crate) struct Maker<'r> {
    pub(crate) random: &'r mut Random,
    labels: usize,
    /// Whether there are tools.
    tools: bool,
    /// Whether nobody else is there to talk to.
    alone: bool,
}

/// A script with tools or without.
pub(crate) fn script(random: &mut Random, tools: bool) -> Script {
    let count = match random.below(3) {
        0 => 1,
        1 => 2,
        _ => 1 + usize::from(!tools),
    };
    let mut maker = Maker {
        random,
        labels: 0,
        tools,
        alone: count == 1,
    };
    let processes = (0..count).map(|_| maker.process()).collect();
    let labels = maker.labels;
    let polite = maker.random.chance(25);
    Script {
        processes,
        polite,
        labels,
    }
}

const N: usize = 0;
const X: usize = 2;
const R: usize = 4;
const B: usize = 5;
const Z: usize = 6;
const T: usize = 7;
const U: usize = 8;
const C: usize = 9;

impl Maker<'_> {
    fn process(&mut self) -> Proc {
        let mut all = Vec::new();
        if self.random.chance(80) {
            for (var, value) in [
                (N, Term::Int(1)),
                (N + 1, Term::Int(2)),
                (X, Term::Str("x")),
                (X + 1, Term::Str("go")),
                (R, Term::Real(1.0)),
                (B, Term::Bool(true)),
                (Z, Term::Word("w", Vec::new())),
            ] {
                all.push(Proc::Act(Act::Assign(var, value)));
            }
        }
        if self.tools {
            all.push(Proc::Act(Act::Execute(T)));
            if self.random.chance(20) {
                all.push(Proc::Act(Act::Execute(U)));
            }
            if self.random.chance(25) {
                all.push(Proc::Act(Act::Connect(C)));
            }
        }
        if self.random.chance(40) {
            all.push(Proc::Act(Act::Subscribe("n")));
        }
        all.push(self.part(3));
        all.push(Proc::Delta);
        Proc::Seq(all)
    }

    fn say(&mut self) -> Proc {
        // Some labels stand in several places.
        let label = match self.labels {
            0 => 0,
            some if some >= 7 || self.random.chance(15) => self.random.below(some),
            some => some,
        };
        self.labels = self.labels.max(label + 1);
        Proc::Act(Act::Say(label))
    }

    fn part(&mut self, depth: usize) -> Proc {
        if depth == 0 {
            return self.told();
        }
        match self.random.below(12) {
            0..=4 => {
                let count = 2 + self.random.below(2);
                Proc::Seq((0..count).map(|_| self.part(depth - 1)).collect())
            }
            5 | 6 => Proc::Choice((0..2).map(|_| self.part(depth - 1)).collect()),
            7 => {
                let body = self.part(depth - 1);
                let exit = self.told();
                Proc::Loop(Box::new(body), Box::new(exit))
            }
            8 => {
                let (a, b) = (self.part(depth - 1), self.told());
                Proc::Side(Box::new(a), Box::new(b))
            }
            _ => {
                let test = self.test(1);
                let then = Box::new(self.told());
                let other = self.random.chance(60).then(|| Box::new(self.told()));
                Proc::If(test, then, other)
            }
        }
    }

    /// An action, and often a label behind it.
    fn told(&mut self) -> Proc {
        let act = Proc::Act(self.act());
        if self.random.chance(75) {
            Proc::Seq(vec![act, self.say()])
        } else {
            act
        }
    }

    fn act(&mut self) -> Act {
        let tool = |random: &mut Random| *random.one(&[T, T, T, T, T, T, U, C]);
        let mut what = self.random.below(if self.tools { 20 } else { 10 });
        if self.alone && matches!(what, 2..=5 | 7) && self.random.chance(80) {
            // Nobody would answer.
            what = if self.tools { 10 } else { 0 };
        }
        match what {
            0 | 1 => {
                let var = *self.random.one(&[N, N + 1, X, X + 1, R, B, Z]);
                Act::Assign(var, self.expression(VARIABLES[var].1, 2))
            }
            2 | 3 => {
                let what = self.message(false);
                Act::SndMsg(what)
            }
            4 | 5 => {
                let what = self.message(true);
                Act::RecMsg(what)
            }
            6 => Act::SndNote(Term::Word("n", vec![self.plain(Kind::Int)])),
            7 => Act::RecNote(Term::Word("n", vec![self.wanted(Kind::Int)])),
            8 => Act::NoNote(Term::Word("n", vec![self.plain(Kind::Int)])),
            9 => match self.random.chance(50) {
                true => Act::Subscribe("n"),
                false => Act::Unsubscribe("n"),
            },
            10..=13 => {
                let (word, kind) = self.event();
                Act::Event(tool(self.random), Term::Word(word, vec![self.wanted(kind)]))
            }
            14 => {
                let (word, kind) = self.event();
                Act::Ack(tool(self.random), Term::Word(word, vec![self.plain(kind)]))
            }
            15 => Act::Eval(tool(self.random), Term::Word("q", Vec::new())),
            16 | 17 => {
                let (_, kind) = self.event();
                let what = match self.random.chance(25) {
                    true => self.wanted(kind),
                    false => Term::Word("v", vec![self.wanted(kind)]),
                };
                Act::Value(tool(self.random), what)
            }
            18 => Act::Do(tool(self.random), Term::Word("show", Vec::new())),
            _ => Act::Disconnect(C),
        }
    }

    fn event(&mut self) -> (&'static str, Kind) {
        *self.random.one(&[
            ("e", Kind::Int),
            ("e", Kind::Str),
            ("s", Kind::Str),
            ("r", Kind::Real),
            ("z", Kind::Term),
        ])
    }

    fn message(&mut self, wanted: bool) -> Term {
        let kind = *self
            .random
            .one(&[Kind::Int, Kind::Int, Kind::Str, Kind::Term]);
        let part = match wanted {
            true => self.wanted(kind),
            false => self.plain(kind),
        };
        Term::Word("m", vec![part])
    }

    fn var(&mut self, kind: Kind) -> usize {
        let of: Vec<usize> = (0..VARIABLES.len())
            .filter(|var| VARIABLES[*var].1 == kind)
            .collect();
        *self.random.one(&of)
    }

    fn literal(&mut self, kind: Kind) -> Term {
        match kind {
            Kind::Int => Term::Int(*self.random.one(&INTS)),
            Kind::Str => {
                let text: &&str = self.random.one(&TEXTS);
                Term::Str(text)
            }
            Kind::Real => Term::Real(self.random.one(&REALS).abs()),
            Kind::Bool => Term::Bool(self.random.chance(50)),
            _ => match self.random.below(3) {
                0 => Term::Int(7),
                1 => Term::Str("go"),
                _ => Term::Word("w", Vec::new()),
            },
        }
    }

    /// A variable or a literal.
    fn plain(&mut self, kind: Kind) -> Term {
        match self.random.chance(65) {
            true => Term::Var(self.var(kind)),
            false => self.literal(kind),
        }
    }

    /// The same, or a variable that is filled.
    fn wanted(&mut self, kind: Kind) -> Term {
        match self.random.chance(75) {
            true => Term::Fill(self.var(kind)),
            false => self.plain(kind),
        }
    }

    fn expression(&mut self, kind: Kind, depth: usize) -> Term {
        if depth == 0 || self.random.chance(35) {
            return self.plain(kind);
        }
        let mut two = |name, kind| {
            let parts = (0..2).map(|_| self.expression(kind, depth - 1)).collect();
            Term::Call(name, parts)
        };
        match kind {
            Kind::Int => match two("add", Kind::Int) {
                Term::Call(_, parts) => {
                    let name = *self.random.one(&["add", "add", "sub", "mul", "div", "mod"]);
                    Term::Call(name, parts)
                }
                other => other,
            },
            // Texts do not double.
            Kind::Str => {
                let (a, b) = (self.plain(kind), self.literal(kind));
                Term::Call("concat", vec![a, b])
            }
            Kind::Real => match two("radd", Kind::Real) {
                Term::Call(_, parts) => {
                    let name = *self.random.one(&["radd", "rsub", "rmul", "rdiv"]);
                    Term::Call(name, parts)
                }
                other => other,
            },
            Kind::Bool => self.test(depth - 1),
            _ => {
                let item = self.plain(Kind::Int);
                match self.random.chance(30) {
                    true => Term::Call("first", vec![Term::List(Vec::new())]),
                    false => Term::Call("first", vec![Term::List(vec![item])]),
                }
            }
        }
    }

    /// A truth value.
    fn test(&mut self, depth: usize) -> Term {
        if depth > 0 && self.random.chance(25) {
            let name = *self.random.one(&["and", "or"]);
            return Term::Call(name, vec![self.test(0), self.test(0)]);
        }
        match self.random.below(10) {
            0..=2 => {
                let name = *self
                    .random
                    .one(&["less", "less-equal", "greater", "greater-equal"]);
                let var = Term::Var(self.var(Kind::Int));
                let other = match self.random.chance(70) {
                    true => self.literal(Kind::Int),
                    false => Term::Var(self.var(Kind::Int)),
                };
                Term::Call(name, vec![var, other])
            }
            3 => {
                let name = *self.random.one(&["rless", "rgreater-equal"]);
                let var = Term::Var(self.var(Kind::Real));
                Term::Call(name, vec![var, self.literal(Kind::Real)])
            }
            4 => {
                let name = *self.random.one(&["is-int", "is-str", "is-appl"]);
                Term::Call(name, vec![Term::Var(Z)])
            }
            5 => Term::Call("not", vec![Term::Var(B)]),
            _ => {
                let kind =
                    *self
                        .random
                        .one(&[Kind::Int, Kind::Str, Kind::Str, Kind::Real, Kind::Term]);
                let var = Term::Var(self.var(kind));
                let name = *self.random.one(&["equal", "equal", "not-equal"]);
                let other = match (kind, self.random.chance(30)) {
                    (Kind::Str, true) => self.expression(Kind::Str, 1),
                    _ => self.plain(kind),
                };
                Term::Call(name, vec![var, other])
            }
        }
    }
}

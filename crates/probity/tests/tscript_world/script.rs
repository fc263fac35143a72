//! Scripts as the concrete world reads them, and how they are written.

use std::fmt::Write as _;

/// The type of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Int,
    Str,
    Real,
    Bool,
    Term,
    List,
    /// A tool that is executed.
    Tool,
    /// A tool that comes by itself.
    Caller,
}

/// The variables that every process has.
pub(crate) const VARIABLES: [(&str, Kind); 12] = [
    ("N", Kind::Int),
    ("M", Kind::Int),
    ("X", Kind::Str),
    ("Y", Kind::Str),
    ("R", Kind::Real),
    ("B", Kind::Bool),
    ("Z", Kind::Term),
    ("L", Kind::List),
    ("K", Kind::List),
    ("T", Kind::Tool),
    ("U", Kind::Tool),
    ("C", Kind::Caller),
];

/// The type of a variable; those of calls and of inner `let`s come behind those of the process.
pub(crate) fn kind(var: usize) -> Kind {
    VARIABLES[var % VARIABLES.len()].1
}

fn name(var: usize) -> &'static str {
    VARIABLES[var % VARIABLES.len()].0
}

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
    Tau,
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
    Terminate(usize),
    /// Starts another process, by its number and with its argument; its number is put into a variable.
    Create(usize, Option<Term>, usize),
    /// Starts the process whose name a variable holds.
    CreateNamed(usize, usize),
    Shutdown,
}

impl Act {
    /// What it is called.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Act::Say(_) => "printf",
            Act::Tau => "tau",
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
            Act::Terminate(_) => "snd-terminate",
            Act::Create(..) => "create",
            Act::CreateNamed(..) => "create by a variable",
            Act::Shutdown => "shutdown",
        }
    }
}

/// A process expression.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Proc {
    Act(Act),
    /// An action that waits, and one that may come too late: seconds.
    Timed(Act, Option<u32>, Option<u32>),
    /// One after the other; none of them is nothing at all.
    Seq(Vec<Proc>),
    Choice(Vec<Proc>),
    /// The second is preferred.
    Biased(Box<Proc>, Box<Proc>),
    Loop(Box<Proc>, Box<Proc>),
    Side(Box<Proc>, Box<Proc>),
    Disrupt(Box<Proc>, Box<Proc>),
    If(Term, Box<Proc>, Option<Box<Proc>>),
    /// A variable of its own, of the same name.
    Let(usize, Box<Proc>),
    /// A call of a process by its number, with its argument.
    Call(usize, Option<Term>),
    /// A call of the process whose name a variable holds.
    CallNamed(usize),
    Delta,
}

impl Proc {
    /// Its parts.
    pub(crate) fn parts(&self) -> Vec<&Proc> {
        match self {
            Proc::Seq(all) | Proc::Choice(all) => all.iter().collect(),
            Proc::Biased(a, b) | Proc::Loop(a, b) | Proc::Side(a, b) | Proc::Disrupt(a, b) => {
                vec![a, b]
            }
            Proc::If(_, then, other) => {
                let other = other.iter().map(|other| &**other);
                std::iter::once(&**then).chain(other).collect()
            }
            Proc::Let(_, inner) => vec![inner],
            Proc::Act(_) | Proc::Timed(..) | Proc::Call(..) | Proc::CallNamed(_) | Proc::Delta => {
                Vec::new()
            }
        }
    }

    /// The name of its operator.
    fn operator(&self) -> &'static str {
        match self {
            Proc::Act(_) => "action",
            Proc::Timed(_, Some(_), _) => "delay",
            Proc::Timed(..) => "timeout",
            Proc::Seq(_) => ".",
            Proc::Choice(_) => "+",
            Proc::Biased(..) => "+>",
            Proc::Loop(..) => "*",
            Proc::Side(..) => "||",
            Proc::Disrupt(..) => ">>",
            Proc::If(_, _, None) => "if",
            Proc::If(..) => "if else",
            Proc::Let(..) => "let",
            Proc::Call(_, None) => "call",
            Proc::Call(..) => "call with an argument",
            Proc::CallNamed(_) => "call by a variable",
            Proc::Delta => "delta",
        }
    }
}

/// The processes that are not started with the bus: their names, and the variable that is a parameter.
pub(crate) const CALLED: [(&str, Option<usize>); 2] = [("Q0", None), ("Q1", Some(0))];

/// What scripts have to have, all together: see [`Script::features`].
pub(crate) const FEATURES: [&str; 90] = [
    "printf",
    "tau",
    ":=",
    "snd-msg",
    "rec-msg",
    "snd-note",
    "rec-note",
    "no-note",
    "subscribe",
    "unsubscribe",
    "execute",
    "rec-connect",
    "rec-disconnect",
    "snd-eval",
    "rec-value",
    "rec-event",
    "snd-ack-event",
    "snd-do",
    "snd-terminate",
    "create",
    "create by a variable",
    "shutdown",
    "delay",
    "timeout",
    ".",
    "+",
    "+>",
    "*",
    "||",
    ">>",
    "if",
    "if else",
    "let",
    "call",
    "call with an argument",
    "call by a variable",
    "delta",
    "undefined",
    "first([])",
    "a large number",
    "a real",
    "add",
    "sub",
    "mul",
    "div",
    "mod",
    "abs",
    "radd",
    "rsub",
    "rmul",
    "rdiv",
    "rabs",
    "int-to-real",
    "real-to-int",
    "less",
    "less-equal",
    "greater",
    "greater-equal",
    "rless",
    "rless-equal",
    "rgreater",
    "rgreater-equal",
    "equal",
    "not-equal",
    "not",
    "and",
    "or",
    "is-int",
    "is-str",
    "is-real",
    "is-bool",
    "is-list",
    "is-appl",
    "is-empty",
    "first",
    "next",
    "index",
    "size",
    "join",
    "get",
    "put",
    "replace",
    "member",
    "subset",
    "diff",
    "inter",
    "args",
    "concat",
    "fun",
    "process-id",
];

/// A script.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Script {
    pub(crate) processes: Vec<Proc>,
    /// The bodies of [`CALLED`].
    pub(crate) called: Vec<Proc>,
    /// Whether tools answer only what somebody reads.
    pub(crate) polite: bool,
    /// Whether time is counted.
    pub(crate) ticks: bool,
    /// Labels that there may be.
    pub(crate) labels: usize,
}

impl Script {
    fn bodies(&self) -> impl Iterator<Item = &Proc> {
        self.processes.iter().chain(&self.called)
    }

    /// Every part of it.
    fn parts(&self) -> Vec<&Proc> {
        let mut all: Vec<&Proc> = self.bodies().collect();
        let mut at = 0;
        while at < all.len() {
            let inner = all[at].parts();
            all.extend(inner);
            at += 1;
        }
        all
    }

    /// Every action in it.
    pub(crate) fn acts(&self) -> Vec<&Act> {
        let acts = self.parts().into_iter().filter_map(|part| match part {
            Proc::Act(act) | Proc::Timed(act, ..) => Some(act),
            _ => None,
        });
        acts.collect()
    }

    /// What of the language it uses, by name: actions, operators, functions, and things to take care of.
    pub(crate) fn features(&self) -> Vec<&'static str> {
        fn of_term(term: &Term, out: &mut Vec<&'static str>) {
            match term {
                Term::Call(word, parts) => {
                    if *word == "first"
                        && matches!(parts.as_slice(), [Term::List(l)] if l.is_empty())
                    {
                        out.push("first([])");
                    }
                    out.push(word);
                    parts.iter().for_each(|part| of_term(part, out));
                }
                Term::Word("undefined", _) => out.push("undefined"),
                Term::Word(_, parts) | Term::List(parts) => {
                    parts.iter().for_each(|part| of_term(part, out));
                }
                Term::Int(number) if number.unsigned_abs() >= 1 << 30 => out.push("a large number"),
                Term::Real(_) => out.push("a real"),
                _ => {}
            }
        }
        let mut out = Vec::new();
        for part in self.parts() {
            out.push(part.operator());
            if let Proc::If(test, ..) = part {
                of_term(test, &mut out);
            }
        }
        for act in self.acts() {
            out.push(act.word());
            match act {
                Act::Assign(_, term)
                | Act::SndMsg(term)
                | Act::RecMsg(term)
                | Act::SndNote(term)
                | Act::RecNote(term)
                | Act::NoNote(term)
                | Act::Eval(_, term)
                | Act::Value(_, term)
                | Act::Event(_, term)
                | Act::Ack(_, term)
                | Act::Do(_, term) => of_term(term, &mut out),
                _ => {}
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Whether a tool may come by itself.
    pub(crate) fn has_callers(&self) -> bool {
        let calls = |act: &&Act| matches!(act, Act::Connect(_) | Act::Disconnect(_));
        self.acts().iter().any(calls)
    }

    /// The script as text; labels are followed by what `behind` says.
    pub(crate) fn text(&self, behind: &str) -> String {
        let mut text = "%%@ bound queue = 3\n%%@ bound connections = 1\n".to_owned();
        if self.has_callers() {
            text.push_str("%%@ bound c = 1\n");
        }
        let answers = if self.polite { "polite" } else { "any" };
        let _ = writeln!(text, "%%@ bound answers = {answers}");
        for label in 0..self.labels {
            let own = format!("printf(\"L{label}{behind}\")");
            let _ = writeln!(text, "%%@ property label{label}: [true* . {own}] false");
            let _ = writeln!(
                text,
                "%%@ property twice{label}: [true* . {own} . true* . {own}] false"
            );
            if label > 0 {
                let before = format!("printf(\"L{}{behind}\")", label - 1);
                let _ = writeln!(
                    text,
                    "%%@ property after{label}: [(!{before})* . {own}] false"
                );
            }
        }
        text.push_str("tool t is { command = \"t\" }\ntool c is { command = \"c\" }\n");
        for ((name, parameter), body) in CALLED.iter().zip(&self.called) {
            let formal = parameter.map_or(String::new(), |var| {
                format!("({} : {})", VARIABLES[var].0, type_of(var))
            });
            process(
                &mut text,
                &format!("{name}{formal}"),
                *parameter,
                body,
                behind,
            );
        }
        for (number, body) in self.processes.iter().enumerate() {
            process(&mut text, &format!("P{number}"), None, body, behind);
        }
        let names: Vec<String> = (0..self.processes.len()).map(|n| format!("P{n}")).collect();
        let _ = writeln!(text, "toolbus({})", names.join(", "));
        text
    }
}

fn process(text: &mut String, head: &str, parameter: Option<usize>, body: &Proc, behind: &str) {
    let all = (0..VARIABLES.len()).filter(|var| Some(*var) != parameter);
    let declared: Vec<String> = all
        .map(|var| format!("{} : {}", name(var), type_of(var)))
        .collect();
    let _ = writeln!(
        text,
        "process {head} is let {} in\n  {}\nendlet",
        declared.join(", "),
        written(body, behind)
    );
}

fn type_of(var: usize) -> &'static str {
    match kind(var) {
        Kind::Int => "int",
        Kind::Str => "str",
        Kind::Real => "real",
        Kind::Bool => "bool",
        Kind::Term => "term",
        Kind::List => "list",
        Kind::Tool => "t",
        Kind::Caller => "c",
    }
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
    let given = |arg: &Option<Term>| {
        arg.as_ref()
            .map_or(String::new(), |arg| format!("({})", term(arg)))
    };
    match of {
        Act::Say(label) => format!("printf(\"L{label}{behind}\")"),
        Act::Tau => "tau".to_owned(),
        Act::Assign(var, value) => format!("{} := {}", name(*var), term(value)),
        Act::SndMsg(what)
        | Act::RecMsg(what)
        | Act::SndNote(what)
        | Act::RecNote(what)
        | Act::NoNote(what) => format!("{word}({})", term(what)),
        Act::Subscribe(note) | Act::Unsubscribe(note) => format!("{word}({note}(<int>))"),
        Act::Execute(var) => format!("execute(t, {}?)", name(*var)),
        Act::Connect(var) => format!("{word}({}?)", name(*var)),
        Act::Disconnect(var) => format!("{word}({})", name(*var)),
        Act::Eval(var, what)
        | Act::Value(var, what)
        | Act::Event(var, what)
        | Act::Ack(var, what)
        | Act::Do(var, what) => format!("{word}({}, {})", name(*var), term(what)),
        Act::Terminate(var) => format!("{word}({}, bye)", name(*var)),
        Act::Create(called, arg, var) => {
            format!(
                "create({}{}, {}?)",
                CALLED[*called].0,
                given(arg),
                name(*var)
            )
        }
        Act::CreateNamed(of, var) => format!("create({}, {}?)", name(*of), name(*var)),
        Act::Shutdown => "shutdown(\"over\")".to_owned(),
    }
}

/// A process expression as it is written.
fn written(of: &Proc, behind: &str) -> String {
    let all = |parts: &[Proc], with: &str| {
        let parts: Vec<String> = parts.iter().map(|part| written(part, behind)).collect();
        format!("( {} )", parts.join(with))
    };
    let two = |a: &Proc, with: &str, b: &Proc| {
        format!("( {} {with} {} )", written(a, behind), written(b, behind))
    };
    match of {
        Proc::Act(one) => act(one, behind),
        Proc::Timed(one, delay, timeout) => {
            let mut text = act(one, behind);
            if let Some(delay) = delay {
                let _ = write!(text, " delay(sec({delay}))");
            }
            if let Some(timeout) = timeout {
                let _ = write!(text, " timeout(sec({timeout}))");
            }
            text
        }
        Proc::Seq(parts) => all(parts, " . "),
        Proc::Choice(parts) => all(parts, " + "),
        Proc::Biased(a, b) => two(a, "+>", b),
        Proc::Loop(a, b) => two(a, "*", b),
        Proc::Side(a, b) => two(a, "||", b),
        Proc::Disrupt(a, b) => two(a, ">>", b),
        Proc::If(test, then, None) => {
            format!("if {} then {} fi", term(test), written(then, behind))
        }
        Proc::If(test, then, Some(other)) => format!(
            "if {} then {} else {} fi",
            term(test),
            written(then, behind),
            written(other, behind)
        ),
        Proc::Let(var, inner) => format!(
            "let {} : {} in {} endlet",
            name(*var),
            type_of(*var),
            written(inner, behind)
        ),
        Proc::Call(called, arg) => {
            let given = arg
                .as_ref()
                .map_or(String::new(), |arg| format!("({})", term(arg)));
            format!("{}{given}", CALLED[*called].0)
        }
        Proc::CallNamed(var) => name(*var).to_owned(),
        Proc::Delta => "delta".to_owned(),
    }
}

//! Reads the part of mCRL2 that models are written in: a struct sort, functions with equations, actions,
//! processes of choices, sums, conditions and multi-actions, and one parallel composition under
//! `comm`, `allow` and `hide` (the language's grammar: Groote and Mousavi, *Modeling and analysis of
//! communicating systems*, 2014).

use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Expr {
    Number(i64),
    /// A name, applied or not.
    Apply(String, Vec<Expr>),
    List(Vec<Expr>),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
pub(crate) enum Process {
    Delta,
    Choice(Vec<Process>),
    Sum(Vec<String>, Box<Process>),
    If(Expr, Box<Process>),
    /// A multi-action, `tau` of none, and what follows.
    Then(Vec<(String, Vec<Expr>)>, Box<Process>),
    Call(String, Vec<Expr>),
}

/// A model.
#[derive(Default, Debug)]
pub(crate) struct Model {
    /// Constructors: fields, and the recogniser.
    pub(crate) constructors: HashMap<String, (Vec<String>, Option<String>)>,
    pub(crate) functions: BTreeSet<String>,
    pub(crate) variables: BTreeSet<String>,
    pub(crate) equations: Vec<(Expr, Expr)>,
    /// The sorts of each action.
    pub(crate) actions: BTreeMap<String, Vec<String>>,
    pub(crate) processes: HashMap<String, (Vec<String>, Process)>,
    pub(crate) hidden: BTreeSet<String>,
    pub(crate) allowed: Vec<Vec<String>>,
    pub(crate) meetings: Vec<(Vec<String>, String)>,
    pub(crate) parallel: Vec<Process>,
    /// The texts that comments tell of.
    pub(crate) texts: HashMap<i64, String>,
}

struct Reader {
    tokens: Vec<String>,
    at: usize,
}

const SYMBOLS: &[&str] = &[
    "||", "|>", "<|", "->", "==", "!=", "<=", ">=", "&&", "++", "|", "<", ">", "!", "+", "-", "*",
    "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "=", "#", "?",
];

fn tokens(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for line in text.lines() {
        let mut rest = line.split('%').next().unwrap_or_default().trim_start();
        while let Some(first) = rest.chars().next() {
            let inside = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
            let length = if first.is_ascii_alphanumeric() || first == '_' {
                rest.find(|c| !inside(c)).unwrap_or(rest.len())
            } else {
                let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
                symbol.unwrap_or_else(|| panic!("no token at {rest}")).len()
            };
            all.push(rest[..length].to_owned());
            rest = rest[length..].trim_start();
        }
    }
    all
}

impl Model {
    pub(crate) fn read(text: &str) -> Model {
        let mut model = Model::default();
        for line in text.lines() {
            if let Some((number, known)) = line
                .strip_prefix("%   text(")
                .and_then(|line| line.split_once(") is \""))
            {
                let known = known.strip_suffix('"').expect("it ends").to_owned();
                model.texts.insert(number.parse().expect("a number"), known);
            }
        }
        let mut reader = Reader {
            tokens: tokens(text),
            at: 0,
        };
        reader.model(&mut model);
        assert_eq!(reader.at, reader.tokens.len(), "all is read");
        model.check();
        model
    }

    /// What mCRL2 demands beyond its grammar.
    fn check(&self) {
        let mut left = BTreeSet::new();
        for (parts, result) in &self.meetings {
            let sorts = &self.actions[result];
            assert!(parts.len() > 1, "{result} is a meeting of one");
            // Several actions of a name may meet each other.
            let own: BTreeSet<&String> = parts.iter().collect();
            for part in own {
                assert!(left.insert(part), "{part} meets others in two ways");
                assert_eq!(&self.actions[part], sorts, "{part} and {result}");
            }
        }
        for name in self.allowed.iter().flatten().chain(&self.hidden) {
            assert!(self.actions.contains_key(name), "{name}");
            assert!(
                !left.contains(name),
                "{name} is allowed, and it meets others"
            );
        }
        let bodies = self.processes.values().map(|(_, body)| body);
        for body in bodies.chain(&self.parallel) {
            self.check_process(body);
        }
    }

    fn check_process(&self, process: &Process) {
        match process {
            Process::Delta => {}
            Process::Choice(all) => all.iter().for_each(|one| self.check_process(one)),
            Process::Sum(_, rest) | Process::If(_, rest) => self.check_process(rest),
            Process::Then(actions, rest) => {
                // It is part of every multi-action, and so happens together with what others do.
                assert!(!actions.is_empty(), "`tau` is not taken alone");
                for (name, args) in actions {
                    let sorts = self.actions.get(name).unwrap_or_else(|| panic!("{name}"));
                    assert_eq!(sorts.len(), args.len(), "{name}");
                }
                self.check_process(rest);
            }
            Process::Call(name, args) => {
                let (parameters, _) = self.processes.get(name).unwrap_or_else(|| panic!("{name}"));
                assert_eq!(parameters.len(), args.len(), "{name}");
            }
        }
    }
}

/// Reads the label of a step: actions with what stands in their parentheses.
pub(crate) fn label(text: &str) -> Vec<(String, Vec<Expr>)> {
    let mut reader = Reader {
        tokens: tokens(text),
        at: 0,
    };
    let actions = reader.list("|", |reader| match reader.primary() {
        Expr::Apply(name, args) => (name, args),
        other => panic!("an action in place of {other:?}"),
    });
    assert_eq!(reader.at, reader.tokens.len(), "all is read: {text}");
    actions
}

impl Reader {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens[self.at - 1].clone()
    }

    fn is(&mut self, token: &str) -> bool {
        let is = self.peek() == token;
        self.at += usize::from(is);
        is
    }

    fn must(&mut self, token: &str) {
        let around = &self.tokens[self.at.saturating_sub(8)..self.tokens.len().min(self.at + 8)];
        assert!(self.peek() == token, "`{token}` is missing in {around:?}");
        self.at += 1;
    }

    fn list<T>(&mut self, by: &str, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let mut all = vec![one(self)];
        while self.is(by) {
            all.push(one(self));
        }
        all
    }

    fn sort(&mut self) -> String {
        let name = self.next();
        if self.is("(") {
            let inner = self.sort();
            self.must(")");
            return format!("{name}({inner})");
        }
        name
    }

    /// `a, b: S, c: T` with the sorts.
    fn declared(&mut self) -> Vec<String> {
        let mut names = Vec::new();
        loop {
            names.extend(self.list(",", Self::next));
            self.must(":");
            self.sort();
            if !self.is(",") {
                return names;
            }
        }
    }

    fn model(&mut self, model: &mut Model) {
        self.must("sort");
        self.must("Term");
        self.must("=");
        self.must("struct");
        for (name, fields, recogniser) in self.list("|", |reader| {
            let name = reader.next();
            let mut fields = Vec::new();
            if reader.is("(") {
                fields = reader.declared();
                reader.must(")");
            }
            let recogniser = reader.is("?").then(|| reader.next());
            (name, fields, recogniser)
        }) {
            let before = model
                .constructors
                .insert(name.clone(), (fields, recogniser));
            assert!(before.is_none(), "{name} is there twice");
        }
        self.must(";");
        self.must("map");
        while self.peek() != "var" {
            model.functions.insert(self.next());
            self.must(":");
            self.list("#", Self::sort);
            self.must("->");
            self.sort();
            self.must(";");
        }
        self.must("var");
        while self.peek() != "eqn" {
            model.variables.extend(self.list(",", Self::next));
            self.must(":");
            self.sort();
            self.must(";");
        }
        self.must("eqn");
        while !["act", "proc", "init"].contains(&self.peek()) {
            let left = self.expr(0);
            self.must("=");
            let right = self.expr(0);
            self.must(";");
            model.equations.push((left, right));
        }
        let acts = self.is("act");
        while acts && !["proc", "init"].contains(&self.peek()) {
            let name = self.next();
            let sorts = if self.is(":") {
                self.list("#", Self::sort)
            } else {
                Vec::new()
            };
            self.must(";");
            model.actions.insert(name, sorts);
        }
        let processes = self.is("proc");
        while processes && self.peek() != "init" {
            let name = self.next();
            let mut parameters = Vec::new();
            if self.is("(") {
                parameters = self.declared();
                self.must(")");
            }
            self.must("=");
            let body = self.process();
            self.must(";");
            model.processes.insert(name, (parameters, body));
        }
        self.must("init");
        self.closed(model);
        self.must(";");
    }

    fn closed(&mut self, model: &mut Model) {
        if self.is("hide") {
            self.must("(");
            self.must("{");
            model.hidden.extend(self.list(",", Self::next));
            self.must("}");
            self.must(",");
            self.closed(model);
            self.must(")");
        } else if self.is("allow") {
            self.must("(");
            self.must("{");
            if self.peek() != "}" {
                model.allowed = self.list(",", |reader| reader.list("|", Self::next));
            }
            self.must("}");
            self.must(",");
            self.closed(model);
            self.must(")");
        } else if self.is("comm") {
            self.must("(");
            self.must("{");
            model.meetings = self.list(",", |reader| {
                let parts = reader.list("|", Self::next);
                reader.must("->");
                (parts, reader.next())
            });
            self.must("}");
            self.must(",");
            self.closed(model);
            self.must(")");
        } else {
            model.parallel = self.list("||", Self::step);
        }
    }

    fn process(&mut self) -> Process {
        let mut all = self.list("+", Self::step);
        match all.len() {
            1 => all.remove(0),
            _ => Process::Choice(all),
        }
    }

    /// Whether the parenthesis here is that of a condition.
    fn is_condition(&self) -> bool {
        let mut depth = 0;
        for (at, token) in self.tokens.iter().enumerate().skip(self.at) {
            match token.as_str() {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return self.tokens[at + 1] == "->";
            }
        }
        false
    }

    fn step(&mut self) -> Process {
        if self.is("sum") {
            let names = self.list(",", Self::next);
            self.must(":");
            self.sort();
            self.must(".");
            return Process::Sum(names, Box::new(self.step()));
        }
        // A condition is a primary expression: in parentheses, or a function applied.
        if self.peek() == "(" {
            if self.is_condition() {
                let condition = self.primary();
                self.must("->");
                return Process::If(condition, Box::new(self.step()));
            }
            self.must("(");
            let inner = self.process();
            self.must(")");
            return inner;
        }
        if self.is("delta") {
            return Process::Delta;
        }
        let Expr::Apply(name, args) = self.primary() else {
            panic!("an action, a process or a condition");
        };
        if self.is("->") {
            return Process::If(Expr::Apply(name, args), Box::new(self.step()));
        }
        let mut actions = vec![(name, args)];
        while self.is("|") {
            let Expr::Apply(name, args) = self.primary() else {
                panic!("an action");
            };
            actions.push((name, args));
        }
        if self.is(".") {
            actions.retain(|(name, _)| name != "tau");
            return Process::Then(actions, Box::new(self.step()));
        }
        let (name, args) = actions.remove(0);
        assert!(actions.is_empty(), "nothing follows {name}");
        Process::Call(name, args)
    }

    fn expr(&mut self, least: usize) -> Expr {
        const LEVELS: &[&[&str]] = &[
            &["||"],
            &["&&"],
            &["==", "!="],
            &["<", "<=", ">", ">=", "in"],
            &["|>"],
            &["<|"],
            &["++"],
            &["+", "-"],
            &["*", "div", "mod"],
        ];
        if least == LEVELS.len() {
            for sign in ["!", "-", "#"] {
                if self.is(sign) {
                    return Expr::Unary(sign, Box::new(self.expr(least)));
                }
            }
            return self.primary();
        }
        let mut left = self.expr(least + 1);
        while let Some(&sign) = LEVELS[least].iter().find(|sign| **sign == self.peek()) {
            self.at += 1;
            // What groups to the right.
            let right = match sign {
                "||" | "&&" | "|>" => self.expr(least),
                _ => self.expr(least + 1),
            };
            left = Expr::Binary(sign, Box::new(left), Box::new(right));
        }
        left
    }

    fn primary(&mut self) -> Expr {
        if self.is("(") {
            let inner = self.expr(0);
            self.must(")");
            return inner;
        }
        if self.is("[") {
            let mut items = Vec::new();
            if self.peek() != "]" {
                items = self.list(",", |reader| reader.expr(0));
            }
            self.must("]");
            return Expr::List(items);
        }
        let name = self.next();
        if let Ok(number) = name.parse() {
            return Expr::Number(number);
        }
        assert!(
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'),
            "{name}"
        );
        let mut args = Vec::new();
        if self.is("(") {
            args = self.list(",", |reader| reader.expr(0));
            self.must(")");
        }
        Expr::Apply(name, args)
    }
}

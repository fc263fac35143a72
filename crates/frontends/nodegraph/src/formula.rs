//! Formulas of CTL and LTL over flags, nodes and pins.
//!
//! ```text
//! AG (EventMode -> AF !EventMode)          G (EventMode -> F !EventMode)
//! A[!open U state(Door) == Shut]           [] (fired(Clip.Skipped) -> <> !EventMode)
//! ```
//!
//! An atom is a flag (`EventMode`, `bgm == event`, `hp < 2`), the state of a node
//! (`state(Clip) == Playing`), that a node is not at rest (`busy(Clip)`), or that a signal leaves
//! or enters it (`fired(Clip.Skipped)`, `fired(Clip)`, `entered(Clip.Start)`). Names with other
//! signs in them than letters, digits and `_ . / : -` stand in double quotes.

use std::sync::Arc;

use logic::{Ctl, Ltl, Quantifier};
use source::suggest;

use crate::lower::Atom;
use crate::net::{MachineId, Net, Real, Test, Value, VarId, equal, less};

/// Operators inside each other.
const MAX_DEPTH: u32 = 200;

/// A formula.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Formula {
    /// Of branching time, or without any temporal operator.
    Branching(Ctl<Atom>),
    /// Of linear time.
    Linear(Ltl<Atom>),
}

/// What is wrong, and at which bytes of the text.
pub(crate) type Wrong = (String, std::ops::Range<usize>);

/// Reads a formula.
pub(crate) fn read(text: &str, net: &Net) -> Result<Formula, Wrong> {
    let tokens = tokens(text)?;
    let mut parser = Parser {
        net,
        tokens,
        at: 0,
        end: text.len(),
        depth: 0,
    };
    let tree = parser.formula()?.settled(true);
    if parser.at < parser.tokens.len() {
        return Err(parser.wrong("expected an operator or the end"));
    }
    match (tree.has(true), tree.has(false)) {
        (true, true) => Err((
            "operators of branching time (AG, EF, ...) and of linear time (G, F, ...) do not mix"
                .to_owned(),
            0..text.len(),
        )),
        (false, true) => Ok(Formula::Linear(tree.linear())),
        _ => Ok(Formula::Branching(tree.branching())),
    }
}

/// A formula without temporal operators, as one of the other logic.
pub(crate) fn local(formula: &Ltl<Atom>) -> Option<Ctl<Atom>> {
    let all = |parts: &[Ltl<Atom>]| parts.iter().map(local).collect::<Option<Vec<_>>>();
    Some(match formula {
        Ltl::True => Ctl::True,
        Ltl::False => Ctl::False,
        Ltl::Atom(atom) => Ctl::Atom(atom.clone()),
        Ltl::Not(a) => Ctl::not(local(a)?),
        Ltl::And(parts) => Ctl::And(all(parts)?.into()),
        Ltl::Or(parts) => Ctl::Or(all(parts)?.into()),
        Ltl::Implies(a, b) => Ctl::Implies(local(a)?.into(), local(b)?.into()),
        Ltl::Iff(a, b) => Ctl::Iff(local(a)?.into(), local(b)?.into()),
        _ => return None,
    })
}

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Name(String),
    Quoted(String),
    Sign(&'static str),
}

const SIGNS: &[&str] = &[
    "<->", "->", "&&", "||", "==", "!=", "<=", ">=", "[]", "<>", "&", "|", "!", "(", ")", "[", "]",
    "=", "<", ">",
];

type Tokens = Vec<(Token, std::ops::Range<usize>)>;

fn tokens(text: &str) -> Result<Tokens, Wrong> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut result = Tokens::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if c == '"' {
            let Some(length) = rest[1..].find('"') else {
                return Err(("this name never ends".to_owned(), at..text.len()));
            };
            let name = rest[1..=length].to_owned();
            result.push((Token::Quoted(name), at..at + length + 2));
            at += length + 2;
        } else if is_word(c) || c == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            let mut end = at + c.len_utf8();
            for (offset, c) in rest.char_indices().skip(1) {
                let next = text[at + offset + c.len_utf8()..].chars().next();
                let inside = matches!(c, ':' | '/' | '.' | '-') && next.is_some_and(is_word);
                if !is_word(c) && !inside {
                    break;
                }
                end = at + offset + c.len_utf8();
            }
            result.push((Token::Name(text[at..end].to_owned()), at..end));
            at = end;
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            result.push((Token::Sign(sign), at..at + sign.len()));
            at += sign.len();
        } else {
            let end = at + c.len_utf8();
            return Err((format!("`{c}` has no meaning in a formula"), at..end));
        }
    }
    Ok(result)
}

#[derive(Clone)]
enum Tree {
    Constant(bool),
    Atom(Atom),
    /// What is known to hold, and where it is not known: a variable has a value that is not
    /// followed.
    Open(Test, Test),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Implies(Box<Tree>, Box<Tree>),
    Iff(Box<Tree>, Box<Tree>),
    Next(Option<Quantifier>, Box<Tree>),
    Eventually(Option<Quantifier>, Box<Tree>),
    Always(Option<Quantifier>, Box<Tree>),
    Until(Option<Quantifier>, Box<Tree>, Box<Tree>),
}

impl Tree {
    /// Where it is not known whether an atom holds, what makes the whole hold is taken: so a
    /// run that breaks it breaks it whatever the value is.
    fn settled(self, wanted: bool) -> Tree {
        let same = |a: Box<Tree>| Box::new(a.settled(wanted));
        let other = |a: Box<Tree>| Box::new(a.settled(!wanted));
        match self {
            Tree::Constant(_) | Tree::Atom(_) => self,
            Tree::Open(known, open) => Tree::Atom(Atom::Test(match wanted {
                true => Test::any(vec![known, open]),
                false => known,
            })),
            Tree::Not(a) => Tree::Not(other(a)),
            Tree::And(a, b) => Tree::And(same(a), same(b)),
            Tree::Or(a, b) => Tree::Or(same(a), same(b)),
            Tree::Implies(a, b) => Tree::Implies(other(a), same(b)),
            Tree::Iff(a, b) if a.is_open() || b.is_open() => {
                let there = Tree::Implies(a.clone(), b.clone());
                let back = Tree::Implies(b, a);
                Tree::And(Box::new(there), Box::new(back)).settled(wanted)
            }
            Tree::Iff(a, b) => Tree::Iff(same(a), same(b)),
            Tree::Next(q, a) => Tree::Next(q, same(a)),
            Tree::Eventually(q, a) => Tree::Eventually(q, same(a)),
            Tree::Always(q, a) => Tree::Always(q, same(a)),
            Tree::Until(q, a, b) => Tree::Until(q, same(a), same(b)),
        }
    }

    fn is_open(&self) -> bool {
        match self {
            Tree::Open(..) => true,
            Tree::Constant(_) | Tree::Atom(_) => false,
            Tree::Not(a) | Tree::Next(_, a) | Tree::Eventually(_, a) | Tree::Always(_, a) => {
                a.is_open()
            }
            Tree::And(a, b)
            | Tree::Or(a, b)
            | Tree::Implies(a, b)
            | Tree::Iff(a, b)
            | Tree::Until(_, a, b) => a.is_open() || b.is_open(),
        }
    }

    /// Whether it has an operator of branching, or of linear, time.
    fn has(&self, branching: bool) -> bool {
        match self {
            Tree::Constant(_) | Tree::Atom(_) | Tree::Open(..) => false,
            Tree::Not(a) => a.has(branching),
            Tree::And(a, b) | Tree::Or(a, b) | Tree::Implies(a, b) | Tree::Iff(a, b) => {
                a.has(branching) || b.has(branching)
            }
            Tree::Next(q, a) | Tree::Eventually(q, a) | Tree::Always(q, a) => {
                q.is_some() == branching || a.has(branching)
            }
            Tree::Until(q, a, b) => {
                q.is_some() == branching || a.has(branching) || b.has(branching)
            }
        }
    }

    fn linear(&self) -> Ltl<Atom> {
        match self {
            Tree::Constant(true) => Ltl::True,
            Tree::Constant(false) => Ltl::False,
            Tree::Atom(atom) => Ltl::atom(atom.clone()),
            Tree::Open(known, _) => Ltl::atom(Atom::Test(known.clone())),
            Tree::Not(a) => Ltl::not(a.linear()),
            Tree::And(a, b) => Ltl::and(a.linear(), b.linear()),
            Tree::Or(a, b) => Ltl::or(a.linear(), b.linear()),
            Tree::Implies(a, b) => Ltl::implies(a.linear(), b.linear()),
            Tree::Iff(a, b) => Ltl::iff(a.linear(), b.linear()),
            Tree::Next(_, a) => Ltl::next(a.linear()),
            Tree::Eventually(_, a) => Ltl::eventually(a.linear()),
            Tree::Always(_, a) => Ltl::always(a.linear()),
            Tree::Until(_, a, b) => Ltl::until(a.linear(), b.linear()),
        }
    }

    fn branching(&self) -> Ctl<Atom> {
        let arc = |tree: &Tree| Arc::new(tree.branching());
        let q = |q: &Option<Quantifier>| q.unwrap_or(Quantifier::All);
        match self {
            Tree::Constant(true) => Ctl::True,
            Tree::Constant(false) => Ctl::False,
            Tree::Atom(atom) => Ctl::Atom(atom.clone()),
            Tree::Open(known, _) => Ctl::Atom(Atom::Test(known.clone())),
            Tree::Not(a) => Ctl::not(a.branching()),
            Tree::And(a, b) => Ctl::And([a.branching(), b.branching()].into()),
            Tree::Or(a, b) => Ctl::Or([a.branching(), b.branching()].into()),
            Tree::Implies(a, b) => Ctl::Implies(arc(a), arc(b)),
            Tree::Iff(a, b) => Ctl::Iff(arc(a), arc(b)),
            Tree::Next(e, a) => Ctl::Next(q(e), arc(a)),
            Tree::Eventually(e, a) => Ctl::Eventually(q(e), arc(a)),
            Tree::Always(e, a) => Ctl::Always(q(e), arc(a)),
            Tree::Until(e, a, b) => Ctl::Until(q(e), arc(a), arc(b)),
        }
    }
}

struct Parser<'n> {
    net: &'n Net,
    tokens: Tokens,
    at: usize,
    end: usize,
    depth: u32,
}

type Read<T> = Result<T, Wrong>;

impl Parser<'_> {
    fn formula(&mut self) -> Read<Tree> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.wrong("nested too deeply"));
        }
        let left = self.implication()?;
        let tree = if self.sign("<->") {
            Tree::Iff(Box::new(left), Box::new(self.formula()?))
        } else {
            left
        };
        self.depth -= 1;
        Ok(tree)
    }

    fn implication(&mut self) -> Read<Tree> {
        let left = self.disjunction()?;
        if self.sign("->") {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(self.wrong("nested too deeply"));
            }
            let right = self.implication()?;
            self.depth -= 1;
            return Ok(Tree::Implies(Box::new(left), Box::new(right)));
        }
        Ok(left)
    }

    fn disjunction(&mut self) -> Read<Tree> {
        let mut left = self.conjunction()?;
        while self.sign("||") || self.sign("|") {
            left = Tree::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Read<Tree> {
        let mut left = self.until()?;
        while self.sign("&&") || self.sign("&") {
            left = Tree::And(Box::new(left), Box::new(self.until()?));
        }
        Ok(left)
    }

    fn until(&mut self) -> Read<Tree> {
        let left = self.unary()?;
        if self.word("U") {
            return Ok(Tree::Until(None, Box::new(left), Box::new(self.unary()?)));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Read<Tree> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.wrong("nested too deeply"));
        }
        let tree = self.prefixed()?;
        self.depth -= 1;
        Ok(tree)
    }

    fn prefixed(&mut self) -> Read<Tree> {
        use Quantifier::{All, Some as One};
        if self.sign("!") {
            return Ok(Tree::Not(Box::new(self.unary()?)));
        }
        if self.sign("[]") {
            return Ok(Tree::Always(None, Box::new(self.unary()?)));
        }
        if self.sign("<>") {
            return Ok(Tree::Eventually(None, Box::new(self.unary()?)));
        }
        if self.sign("(") {
            let inner = self.formula()?;
            self.need(")")?;
            return Ok(inner);
        }
        for (word, quantifier) in [("A", All), ("E", One)] {
            let bracket = matches!(self.tokens.get(self.at + 1), Some((Token::Sign("["), _)));
            if bracket && self.word(word) {
                self.need("[")?;
                let left = self.binary_operand()?;
                if !self.word("U") {
                    return Err(self.wrong("expected `U`"));
                }
                let right = self.formula()?;
                self.need("]")?;
                return Ok(Tree::Until(
                    Some(quantifier),
                    Box::new(left),
                    Box::new(right),
                ));
            }
        }
        type Make = fn(Option<Quantifier>, Box<Tree>) -> Tree;
        let operators: [(&str, Option<Quantifier>, Make); 9] = [
            ("AX", Some(All), Tree::Next),
            ("AF", Some(All), Tree::Eventually),
            ("AG", Some(All), Tree::Always),
            ("EX", Some(One), Tree::Next),
            ("EF", Some(One), Tree::Eventually),
            ("EG", Some(One), Tree::Always),
            ("X", None, Tree::Next),
            ("F", None, Tree::Eventually),
            ("G", None, Tree::Always),
        ];
        for (word, quantifier, make) in operators {
            if self.word(word) {
                return Ok(make(quantifier, Box::new(self.unary()?)));
            }
        }
        self.atom()
    }

    /// What stands before the `U` in brackets: anything that binds tighter than it would inside.
    fn binary_operand(&mut self) -> Read<Tree> {
        let mut left = self.unary()?;
        loop {
            if self.sign("&&") || self.sign("&") {
                left = Tree::And(Box::new(left), Box::new(self.unary()?));
            } else if self.sign("||") || self.sign("|") {
                left = Tree::Or(Box::new(left), Box::new(self.unary()?));
            } else if self.sign("->") {
                left = Tree::Implies(Box::new(left), Box::new(self.unary()?));
            } else {
                return Ok(left);
            }
        }
    }

    fn atom(&mut self) -> Read<Tree> {
        let here = self.range();
        if self.word("true") || self.word("TRUE") {
            return Ok(Tree::Constant(true));
        }
        if self.word("false") || self.word("FALSE") {
            return Ok(Tree::Constant(false));
        }
        let name = self.name()?;
        if self.sign("(") {
            let inside = self.range();
            let of = self.name()?;
            self.need(")")?;
            return match name.as_str() {
                "fired" | "entered" => self.pin(&name, &of, inside).map(Tree::Atom),
                "busy" => {
                    let machine = self.machine(&of, inside)?;
                    Ok(Tree::Atom(Atom::Test(self.busy(machine))))
                }
                "state" => {
                    let machine = self.machine(&of, inside.clone())?;
                    match self.net.machine(machine).state {
                        Some(var) => self.comparison(var, inside),
                        None => Err((format!("`{of}` has no states"), inside)),
                    }
                }
                _ => Err((
                    format!("`{name}` is none of fired, entered, busy, state"),
                    here,
                )),
            };
        }
        let found = self.net.var_ids().find(|(_, var)| var.name == name);
        match found {
            Some((var, _)) => self.comparison(var, here),
            None => Err((self.unknown("flag or node", &name), here)),
        }
    }

    fn comparison(&mut self, var: VarId, here: std::ops::Range<usize>) -> Read<Tree> {
        let declared = self.net.var(var);
        let signs = ["==", "=", "!=", "<=", ">=", "<", ">"];
        let Some(sign) = signs.into_iter().find(|sign| self.sign(sign)) else {
            if declared.is_bool() {
                return Ok(Tree::Atom(Atom::Test(Test::Is(var, 1))));
            }
            let message = format!(
                "`{}` has several values: compare it with one",
                declared.name
            );
            return Err((message, here));
        };
        let there = self.range();
        let word = self.name()?;
        let value = match (word.as_str(), declared.is_bool()) {
            ("true" | "TRUE" | "1", true) => Value::Bool(true),
            ("false" | "FALSE" | "0", true) => Value::Bool(false),
            _ => match word.parse() {
                Ok(number) => Value::Int(number),
                Err(_) => match word.parse() {
                    Ok(number) => Value::Real(Real::new(number)),
                    Err(_) => Value::Name(word.clone()),
                },
            },
        };
        let narrowed = self.net.ranges.contains(&var) || declared.anything().is_some();
        let test = |fits: &dyn Fn(&Value) -> bool| {
            let values = declared.values.iter().enumerate();
            let fitting = values.filter(|(_, other)| **other != Value::Unknown && fits(other));
            match Test::any(fitting.map(|(at, _)| Test::Is(var, at as u16)).collect()) {
                // It never holds, but speaks of the variable all the same: what is said beside a claim is
                // found by what the claim speaks of.
                Test::Never if narrowed => {
                    Test::All(vec![Test::Is(var, 0), Test::not(Test::Is(var, 0))])
                }
                test => test,
            }
        };
        // Numbers of engines have no bounds that a file gives; the values are those that are met.
        let is_number = |value: &Value| matches!(value, Value::Int(_) | Value::Real(_));
        let met = is_number(&value)
            && declared.owner == crate::net::Owner::Flag
            && !self.net.ranges.contains(&var)
            && declared
                .values
                .iter()
                .any(|v| is_number(v) || *v == Value::Unknown);
        if matches!(sign, "==" | "=" | "!=") && !met && !declared.values.contains(&value) {
            let values: Vec<String> = declared.values.iter().map(ToString::to_string).collect();
            let message = format!(
                "`{}` is never `{word}`; its values are {}",
                declared.name,
                values.join(", ")
            );
            return Err((message, there));
        }
        let same = |other: &Value| equal(other, &value).unwrap_or(*other == value);
        let below = |other: &Value| less(other, &value) == Some(true);
        let more = |other: &Value| less(&value, other) == Some(true);
        let known = match sign {
            "==" | "=" => test(&same),
            "!=" => test(&|other| !same(other)),
            "<" => test(&below),
            "<=" => test(&|other| below(other) || same(other)),
            ">" => test(&more),
            _ => test(&|other| more(other) || same(other)),
        };
        Ok(match declared.anything() {
            Some(at) => Tree::Open(known, Test::Is(var, at)),
            None => Tree::Atom(Atom::Test(known)),
        })
    }

    /// Whether a node is not at rest.
    fn busy(&self, id: MachineId) -> Test {
        let machine = self.net.machine(id);
        let vars = machine.state.iter().chain(&machine.memory);
        let rests = vars.map(|&var| {
            let first = self.net.var(var).first.iter();
            Test::any(first.map(|&at| Test::Is(var, at)).collect())
        });
        Test::not(Test::all(rests.collect()))
    }

    fn pin(&self, what: &str, of: &str, here: std::ops::Range<usize>) -> Read<Atom> {
        let atom = |id, at: Option<usize>| {
            let at = at.map(|at| at as u16);
            match what {
                "fired" => Atom::Fired(id, at),
                _ => Atom::Entered(id, at),
            }
        };
        if let Some(id) = self.find(of) {
            return Ok(atom(id, None));
        }
        let split = of.rsplit_once('.');
        let found = split.and_then(|(node, pin)| Some((self.find(node)?, pin)));
        let Some((id, pin)) = found else {
            return Err((self.unknown("node", of), here));
        };
        let machine = self.net.machine(id);
        let at = match what {
            "fired" => machine.output(pin),
            _ => machine.input(pin),
        };
        match at {
            Some(at) => Ok(atom(id, Some(at))),
            None => {
                let near = match what {
                    "fired" => suggest(pin, machine.outputs.iter().map(|pin| pin.name.as_str())),
                    _ => suggest(pin, machine.inputs.iter().map(|pin| pin.name.as_str())),
                };
                let near = near.map(|near| format!("; there is `{near}`"));
                let there_is = near.unwrap_or_default();
                let message = format!("`{}` has no such pin as `{pin}`{there_is}", machine.name);
                Err((message, here))
            }
        }
    }

    fn machine(&self, name: &str, here: std::ops::Range<usize>) -> Read<MachineId> {
        self.find(name)
            .ok_or_else(|| (self.unknown("node", name), here))
    }

    fn find(&self, name: &str) -> Option<MachineId> {
        let mut ids = self.net.ids();
        Some(ids.find(|(_, machine)| machine.name == name)?.0)
    }

    fn unknown(&self, what: &str, name: &str) -> String {
        let vars = self.net.vars.iter().map(|var| var.name.as_str());
        let machines = self
            .net
            .machines
            .iter()
            .map(|machine| machine.name.as_str());
        let known: Vec<&str> = vars.chain(machines).collect();
        let lower = name.to_lowercase();
        let begins = |other: &&&str| {
            let other = other.to_lowercase();
            other.starts_with(&lower) || lower.starts_with(&other)
        };
        let near = suggest(name, known.iter().copied());
        match near.or_else(|| known.iter().find(begins).copied()) {
            Some(near) => format!("there is no {what} `{name}`; there is `{near}`"),
            None => format!("there is no {what} `{name}`"),
        }
    }

    fn name(&mut self) -> Read<String> {
        match self.tokens.get(self.at) {
            Some((Token::Name(name) | Token::Quoted(name), _)) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.wrong("expected a name")),
        }
    }

    fn word(&mut self, wanted: &str) -> bool {
        let found =
            matches!(self.tokens.get(self.at), Some((Token::Name(word), _)) if word == wanted);
        self.at += usize::from(found);
        found
    }

    fn sign(&mut self, wanted: &str) -> bool {
        let found =
            matches!(self.tokens.get(self.at), Some((Token::Sign(sign), _)) if *sign == wanted);
        self.at += usize::from(found);
        found
    }

    fn need(&mut self, sign: &str) -> Read<()> {
        match self.sign(sign) {
            true => Ok(()),
            false => Err(self.wrong(&format!("expected `{sign}`"))),
        }
    }

    fn range(&self) -> std::ops::Range<usize> {
        let token = self.tokens.get(self.at);
        token.map_or(self.end..self.end, |(_, range)| range.clone())
    }

    fn wrong(&self, message: &str) -> Wrong {
        (message.to_owned(), self.range())
    }
}

//! Terms in mCRL2: one sort for all, with a constructor for each word and number of arguments.
//!
//! Patterns of notes are terms, too: where something is to be filled in stands a *hole* of its type,
//! and equations say what matches.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use model::{RichTable, Value};

use crate::term::{Pattern, VarId, View, view};
use crate::types::Type;

/// Why something has no counterpart.
pub(super) type Refusal = String;

/// Words that mean something to mCRL2's data are behind these.
const CONSTRUCTOR: &str = "c_";
const HOLE: &str = "hole_";

/// All constructors.
#[derive(Default)]
pub(super) struct Terms {
    /// Words with their numbers of arguments, and their names.
    constructors: BTreeMap<(String, usize), String>,
    texts: Vec<String>,
}

/// What is known of variables: what they stand for now, and their types.
pub(super) struct Scope<'s> {
    pub(super) values: &'s BTreeMap<VarId, String>,
    pub(super) types: &'s dyn Fn(VarId) -> Type,
}

impl Terms {
    /// The constructor of a word with so many arguments.
    pub(super) fn constructor(&mut self, word: &str, arity: usize) -> String {
        let key = (word.to_owned(), arity);
        if let Some(known) = self.constructors.get(&key) {
            return known.clone();
        }
        let mut name = format!("{CONSTRUCTOR}{}", identifier(word));
        if arity > 0 {
            let _ = write!(name, "_{arity}");
        }
        // What is written alike has more to it.
        while self.constructors.values().any(|known| *known == name) {
            name.push('\'');
        }
        self.constructors.insert(key, name.clone());
        name
    }

    /// The constructor of a word that has one.
    pub(super) fn known(&self, word: &str, arity: usize) -> String {
        let known = self.constructors.get(&(word.to_owned(), arity));
        known.cloned().unwrap_or_default()
    }

    /// The number of a text.
    fn number_of(&mut self, text: &str) -> usize {
        if let Some(known) = self.texts.iter().position(|known| known == text) {
            return known;
        }
        self.texts.push(text.to_owned());
        self.texts.len() - 1
    }

    pub(super) fn text(&mut self, text: &str) -> String {
        format!("text({})", self.number_of(text))
    }

    /// Texts that stand one behind the other; the number of the first.
    pub(super) fn texts(&mut self, all: &[String]) -> usize {
        let first = self.texts.len();
        let known = self
            .texts
            .windows(all.len().max(1))
            .position(|some| some == all);
        known.unwrap_or_else(|| {
            self.texts.extend_from_slice(all);
            first
        })
    }

    pub(super) fn applied(&mut self, word: &str, args: &[String]) -> String {
        applied(&self.constructor(word, args.len()), args)
    }

    /// A value.
    pub(super) fn value(&mut self, table: &RichTable, value: &Value) -> Result<String, Refusal> {
        let all = |items: &[Value], terms: &mut Self| {
            let items = items.iter().map(|item| terms.value(table, item));
            items.collect::<Result<Vec<String>, Refusal>>()
        };
        Ok(match view(table, value) {
            View::Int(number) => format!("number({number})"),
            View::Bool(truth) => format!("truth({truth})"),
            View::Str(text) => self.text(&text),
            View::List(items) => {
                let items = all(&items, self)?;
                self.applied("[]", &items)
            }
            View::Apply(word, args) => {
                let args = all(&args, self)?;
                self.applied(&word, &args)
            }
            View::Real(_) | View::Placeholder(_) => {
                return Err("numbers that are no integers".into());
            }
        })
    }

    /// A term as it stands; `gap` says what is written where something is to be filled in.
    pub(super) fn term(
        &mut self,
        pattern: &Pattern,
        scope: &Scope<'_>,
        gap: &mut dyn FnMut(&mut Terms, Gap<'_>) -> Result<String, Refusal>,
    ) -> Result<String, Refusal> {
        Ok(match pattern {
            Pattern::Int(number) => format!("number({number})"),
            Pattern::Real(_) => return Err("numbers that are no integers".into()),
            Pattern::Str(text) => self.text(text),
            Pattern::Bool(truth) => format!("truth({truth})"),
            Pattern::Var(var) => scope.values[var].clone(),
            Pattern::Result(var) => gap(self, Gap::Result(*var))?,
            Pattern::Placeholder(ty) => gap(self, Gap::Placeholder(ty))?,
            Pattern::Apply(word, args) => {
                let args = self.all(args, scope, gap)?;
                self.applied(word, &args)
            }
            Pattern::List(items) => {
                let items = self.all(items, scope, gap)?;
                self.applied("[]", &items)
            }
        })
    }

    fn all(
        &mut self,
        patterns: &[Pattern],
        scope: &Scope<'_>,
        gap: &mut dyn FnMut(&mut Terms, Gap<'_>) -> Result<String, Refusal>,
    ) -> Result<Vec<String>, Refusal> {
        let all = patterns
            .iter()
            .map(|pattern| self.term(pattern, scope, gap));
        all.collect()
    }

    /// A term in which nothing is to be filled in.
    pub(super) fn closed(
        &mut self,
        pattern: &Pattern,
        scope: &Scope<'_>,
    ) -> Result<String, Refusal> {
        self.term(pattern, scope, &mut |_, _| {
            Err("something to be filled in where nothing can come from".into())
        })
    }

    /// A pattern of notes, with holes.
    pub(super) fn pattern(
        &mut self,
        pattern: &Pattern,
        scope: &Scope<'_>,
    ) -> Result<String, Refusal> {
        let types = scope.types;
        self.term(pattern, scope, &mut |terms, gap| match gap {
            Gap::Result(var) => terms.hole(&types(var)),
            Gap::Placeholder(ty) => terms.hole(ty),
        })
    }

    fn hole(&mut self, ty: &Type) -> Result<String, Refusal> {
        Ok(match ty {
            Type::Term => "hole".into(),
            Type::Int => "hole_number".into(),
            Type::Bool => "hole_truth".into(),
            Type::Str | Type::Bstr => "hole_text".into(),
            Type::Apply(word, None) => format!("{HOLE}{}", self.constructor(word, 0)),
            Type::Apply(word, Some(types)) => {
                let holes: Result<Vec<String>, Refusal> =
                    types.iter().map(|ty| self.hole(ty)).collect();
                self.applied(word, &holes?)
            }
            Type::Tuple(types) => {
                let holes: Result<Vec<String>, Refusal> =
                    types.iter().map(|ty| self.hole(ty)).collect();
                self.applied("[]", &holes?)
            }
            Type::Real | Type::List(_) => return Err(format!("the type `{ty}`")),
        })
    }

    /// What has to be true of a term for it to have a type; nothing if it always has.
    pub(super) fn has_type(&mut self, term: &str, ty: &Type) -> Result<Option<String>, Refusal> {
        Ok(match ty {
            Type::Term => None,
            _ => Some(format!("matches({}, {term})", self.hole(ty)?)),
        })
    }

    /// The part of a term at a position, where the term is made by a word.
    pub(super) fn part(&mut self, term: &str, pattern: &Pattern, at: usize) -> String {
        let (word, arity) = match pattern {
            Pattern::Apply(word, args) => (&**word, args.len()),
            Pattern::List(items) => ("[]", items.len()),
            _ => ("", 0),
        };
        format!("{}_{}({term})", self.constructor(word, arity), at + 1)
    }

    /// A truth value that is computed.
    pub(super) fn truth(
        &mut self,
        pattern: &Pattern,
        scope: &Scope<'_>,
    ) -> Result<String, Refusal> {
        let Pattern::Apply(word, args) = pattern else {
            return Ok(format!("({} == truth(true))", self.closed(pattern, scope)?));
        };
        let numbers = |terms: &mut Self, relation: &str| {
            let [a, b] = args.as_slice() else {
                return Err(format!("`{word}` of so many arguments"));
            };
            let (a, b) = (terms.number(a, scope)?, terms.number(b, scope)?);
            Ok(format!("({a} {relation} {b})"))
        };
        Ok(match (&**word, args.as_slice()) {
            ("true" | "false", []) => word.to_string(),
            ("not", [one]) => format!("!{}", self.truth(one, scope)?),
            ("and", [a, b]) => format!("({} && {})", self.truth(a, scope)?, self.truth(b, scope)?),
            ("or", [a, b]) => format!("({} || {})", self.truth(a, scope)?, self.truth(b, scope)?),
            ("equal" | "not-equal", [a, b]) => {
                let relation = if &**word == "equal" { "==" } else { "!=" };
                let (a, b) = (self.computed(a, scope)?, self.computed(b, scope)?);
                format!("({a} {relation} {b})")
            }
            ("less", _) => numbers(self, "<")?,
            ("less-equal", _) => numbers(self, "<=")?,
            ("greater", _) => numbers(self, ">")?,
            ("greater-equal", _) => numbers(self, ">=")?,
            _ => return Err(format!("the function `{word}`")),
        })
    }

    /// A number that is computed.
    fn number(&mut self, pattern: &Pattern, scope: &Scope<'_>) -> Result<String, Refusal> {
        match pattern {
            Pattern::Int(number) => Ok(number.to_string()),
            _ => Ok(format!("number_of({})", self.computed(pattern, scope)?)),
        }
    }

    /// A term whose functions are computed.
    pub(super) fn computed(
        &mut self,
        pattern: &Pattern,
        scope: &Scope<'_>,
    ) -> Result<String, Refusal> {
        let Pattern::Apply(word, args) = pattern else {
            return match pattern {
                Pattern::List(items) => {
                    let items: Result<Vec<String>, Refusal> = items
                        .iter()
                        .map(|item| self.computed(item, scope))
                        .collect();
                    Ok(self.applied("[]", &items?))
                }
                _ => self.closed(pattern, scope),
            };
        };
        let known = crate::library::built_ins(crate::load::Dialect::Ng);
        let is_function = |(name, arity): (&str, usize)| name == &**word && arity == args.len();
        if !known
            .iter()
            .any(|function| is_function((function.name, function.arity)))
        {
            let args: Result<Vec<String>, Refusal> =
                args.iter().map(|arg| self.computed(arg, scope)).collect();
            return Ok(self.applied(word, &args?));
        }
        let sign = match (&**word, args.len()) {
            ("add", 2) => "+",
            ("sub", 2) => "-",
            ("mul", 2) => "*",
            ("sec", 1) => return self.computed(&args[0], scope),
            _ => return Ok(format!("truth({})", self.truth(pattern, scope)?)),
        };
        let (a, b) = (self.number(&args[0], scope)?, self.number(&args[1], scope)?);
        // 32 bits, as on both buses.
        Ok(format!(
            "number((({a} {sign} {b}) + 2147483648) mod 4294967296 - 2147483648)"
        ))
    }

    /// The sort, and what it takes to match and to keep notes.
    pub(super) fn declarations(&self) -> String {
        let mut text = String::new();
        if !self.texts.is_empty() {
            text.push_str("% Texts:\n");
            for (number, known) in self.texts.iter().enumerate() {
                let known = known.replace(['\n', '\r'], " ");
                let _ = writeln!(text, "%   text({number}) is \"{known}\"");
            }
        }
        let mut sorts: Vec<String> = [
            "undefined",
            "number(number_of: Int)?is_number",
            "truth(truth_of: Bool)?is_truth",
            "text(text_of: Nat)?is_text",
            "hole",
            "hole_number",
            "hole_truth",
            "hole_text",
        ]
        .map(str::to_owned)
        .into();
        let mut matching = String::new();
        let mut alike = String::new();
        for name in ["undefined", "number(i)", "truth(b)", "text(n)"] {
            let _ = writeln!(matching, "    matches({name}, t) = t == {name};");
        }
        for (hole, is) in [
            ("hole", "true"),
            ("hole_number", "is_number(t)"),
            ("hole_truth", "is_truth(t)"),
            ("hole_text", "is_text(t)"),
        ] {
            let _ = writeln!(matching, "    matches({hole}, t) = {is};");
        }
        let mut by_word: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for ((word, arity), name) in &self.constructors {
            by_word.entry(word).or_default().push(name);
            let numbers = 1..=*arity;
            let fields: Vec<String> = numbers
                .clone()
                .map(|at| format!("{name}_{at}: Term"))
                .collect();
            sorts.push(format!("{}?is_{name}", applied(name, &fields)));
            let parts: Vec<String> = numbers.clone().map(|at| format!("p{at}")).collect();
            let all = std::iter::once(format!("is_{name}(t)"))
                .chain(numbers.map(|at| format!("matches(p{at}, {name}_{at}(t))")));
            let all: Vec<String> = all.collect();
            let pattern = applied(name, &parts);
            let _ = writeln!(
                matching,
                "    matches({pattern}, t) = {};",
                all.join(" && ")
            );
        }
        for (word, names) in &by_word {
            let any = |of: &str| {
                let is = names.iter().map(|name| format!("is_{name}({of})"));
                is.collect::<Vec<String>>().join(" || ")
            };
            // The hole for whatever begins with a word is named after the word alone.
            if let Some(bare) = self.constructors.get(&((*word).to_owned(), 0)) {
                sorts.push(format!("{HOLE}{bare}"));
                let _ = writeln!(matching, "    matches({HOLE}{bare}, t) = {};", any("t"));
            }
            let _ = write!(alike, " || (({}) && ({}))", any("t"), any("u"));
        }
        let most = self.constructors.keys().map(|(_, arity)| *arity).max();
        let parts: Vec<String> = (1..=most.unwrap_or(0)).map(|at| format!("p{at}")).collect();
        let parts = parts
            .iter()
            .map(|part| format!(", {part}"))
            .collect::<String>();
        let _ = writeln!(text, "sort Term = struct\n    {};", sorts.join("\n  | "));
        let _ = writeln!(
            text,
            "
% A pattern and what matches it; whether two terms begin with the same word.
map matches: Term # Term -> Bool;
    alike: Term # Term -> Bool;
% Lists of patterns and of notes: whether one lets a note in, whether a note matches, which is the
% first, and what is left without it.
    lets_in: List(Term) # Term -> Bool;
    has: List(Term) # Term -> Bool;
    first: List(Term) # Term -> Term;
    drop: List(Term) # Term -> List(Term);
    purge: List(Term) # Term -> List(Term);
    without: List(Term) # Term -> List(Term);
% The event that an acknowledgement is of.
    meant: List(Term) # Term -> Term;
    like: List(Term) # Term -> Term;
var t, u, p{parts}: Term;
    q: List(Term);
    i: Int;
    b: Bool;
    n: Nat;
eqn
{matching}    alike(t, u) = (t == u){alike};
    lets_in([], t) = false;
    lets_in(p |> q, t) = matches(p, t) || lets_in(q, t);
    has([], p) = false;
    has(t |> q, p) = matches(p, t) || has(q, p);
    first(t |> q, p) = if(matches(p, t), t, first(q, p));
    drop([], p) = [];
    drop(t |> q, p) = if(matches(p, t), q, t |> drop(q, p));
    purge([], p) = [];
    purge(t |> q, p) = if(matches(p, t), purge(q, p), t |> purge(q, p));
    without([], t) = [];
    without(u |> q, t) = if(u == t, q, u |> without(q, t));
    like([], t) = undefined;
    like(u |> q, t) = if(alike(u, t), u, like(q, t));
    meant(q, t) = if(t in q, t, like(q, t));"
        );
        text
    }
}

/// Where something is to be filled in.
pub(super) enum Gap<'p> {
    Result(VarId),
    Placeholder(&'p Type),
}

pub(super) fn applied(name: &str, args: &[String]) -> String {
    if args.is_empty() {
        name.to_owned()
    } else {
        format!("{name}({})", args.join(", "))
    }
}

/// A name of letters, digits and underscores.
pub(super) fn identifier(text: &str) -> String {
    let name: String = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => name,
        _ => format!("x{name}"),
    }
}

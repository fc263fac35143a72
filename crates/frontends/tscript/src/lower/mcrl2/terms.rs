//! Terms in mCRL2: one sort for all, with a constructor for each word and number of arguments.
//!
//! Patterns of notes are terms, too: where something is to be filled in stands a *hole* of its type,
//! and equations say what matches. What has no value yet (`undefined`) fills a hole of any type, as on
//! both buses.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use model::{RichTable, Value};

use super::functions::HELPERS;
use crate::load::Dialect;
use crate::term::{Pattern, VarId, View, view};
use crate::types::Type;

/// Why something has no counterpart.
pub(super) type Refusal = String;

/// Words that mean something to mCRL2's data are behind these.
const CONSTRUCTOR: &str = "c_";
const HOLE: &str = "hole_";

/// What stands for a variable without value.
pub(super) const UNDEFINED: &str = "undefined";

/// All constructors.
pub(super) struct Terms {
    /// Words with their numbers of arguments, and their names.
    constructors: BTreeMap<(String, usize), String>,
    texts: Vec<String>,
    /// The functions of the model that something is computed with.
    pub(super) helpers: BTreeSet<&'static str>,
    pub(super) dialect: Dialect,
}

/// What is known of variables: what they stand for now, and their types.
pub(super) struct Scope<'s> {
    pub(super) values: &'s BTreeMap<VarId, String>,
    pub(super) types: &'s dyn Fn(VarId) -> Type,
}

impl Terms {
    pub(super) fn new(dialect: Dialect) -> Terms {
        Terms {
            constructors: BTreeMap::new(),
            texts: Vec::new(),
            helpers: BTreeSet::new(),
            dialect,
        }
    }

    /// The constructor of a word with so many arguments.
    pub(super) fn constructor(&mut self, word: &str, arity: usize) -> String {
        if (word, arity) == (UNDEFINED, 0) {
            return UNDEFINED.to_owned();
        }
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
                format!("list([{}])", all(&items, self)?.join(", "))
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
                format!("list([{}])", self.all(items, scope, gap)?.join(", "))
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
                let holes = self.holes(types)?;
                format!("hole_made({})", self.applied(word, &holes))
            }
            Type::Tuple(types) => {
                format!("hole_made(list([{}]))", self.holes(types)?.join(", "))
            }
            Type::List(None) => "hole_list".into(),
            Type::List(Some(item)) => format!("hole_list_of({})", self.hole(item)?),
            Type::Real => return Err(format!("the type `{ty}`")),
        })
    }

    fn holes(&mut self, types: &[Type]) -> Result<Vec<String>, Refusal> {
        types.iter().map(|ty| self.hole(ty)).collect()
    }

    /// What has to be true of a term for it to have a type; nothing if it always has.
    pub(super) fn has_type(&mut self, term: &str, ty: &Type) -> Result<Option<String>, Refusal> {
        Ok(match ty {
            Type::Term => None,
            _ => Some(format!("matches({}, {term})", self.hole(ty)?)),
        })
    }

    /// The part of a term at a position, where the term is made by a word or is a list.
    pub(super) fn part(&mut self, term: &str, pattern: &Pattern, at: usize) -> String {
        match pattern {
            Pattern::Apply(word, args) => {
                let constructor = self.constructor(word, args.len());
                format!("{}({term})", field(&constructor, at + 1))
            }
            _ => {
                let items = format!("items({term})");
                self.helper("nth", &[&items, &(at + 1).to_string()])
            }
        }
    }

    /// The sort, and what it takes to match and to keep notes.
    pub(super) fn declarations(&self) -> String {
        let mut text = String::new();
        if !self.texts.is_empty() {
            text.push_str("% Texts:\n");
            for (number, known) in self.texts.iter().enumerate() {
                let _ = writeln!(text, "%   text({number}) is {}", quoted(known));
            }
        }
        let mut sorts: Vec<String> = [
            "undefined",
            "number(number_of: Int)?is_number",
            "truth(truth_of: Bool)?is_truth",
            "text(text_of: Nat)?is_text",
            "list(items: List(Term))?is_list",
            "hole",
            "hole_number",
            "hole_truth",
            "hole_text",
            "hole_list",
            "hole_list_of(hole_item: Term)",
            "hole_made(hole_like: Term)",
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
            ("hole_number", "t == undefined || is_number(t)"),
            ("hole_truth", "t == undefined || is_truth(t)"),
            ("hole_text", "t == undefined || is_text(t)"),
            ("hole_list", "t == undefined || is_list(t)"),
            (
                "hole_list_of(p)",
                "t == undefined || is_list(t) && each_matches(p, items(t))",
            ),
            ("hole_made(p)", "t == undefined || matches(p, t)"),
            ("list(q)", "is_list(t) && all_match(q, items(t))"),
        ] {
            let _ = writeln!(matching, "    matches({hole}, t) = {is};");
        }
        let mut by_word: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for ((word, arity), name) in &self.constructors {
            by_word.entry(word).or_default().push(name);
            let numbers = 1..=*arity;
            let fields: Vec<String> = numbers
                .clone()
                .map(|at| format!("{}: Term", field(name, at)))
                .collect();
            sorts.push(format!("{}?is_{name}", applied(name, &fields)));
            let parts: Vec<String> = numbers.clone().map(|at| format!("p{at}")).collect();
            let all = std::iter::once(format!("is_{name}(t)"))
                .chain(numbers.map(|at| format!("matches(p{at}, {}(t))", field(name, at))));
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
                let _ = writeln!(
                    matching,
                    "    matches({HOLE}{bare}, t) = t == undefined || {};",
                    any("t")
                );
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
        let used = HELPERS
            .iter()
            .filter(|(name, ..)| self.helpers.contains(name));
        let (mut maps, mut equations) = (String::new(), String::new());
        for (name, sorts, equation) in used {
            let _ = writeln!(maps, "    {name}: {sorts};");
            let _ = writeln!(equations, "    {equation}");
        }
        let _ = writeln!(
            text,
            "
% A pattern and what matches it; whether two terms begin with the same word.
map matches: Term # Term -> Bool;
    all_match: List(Term) # List(Term) -> Bool;
    each_matches: Term # List(Term) -> Bool;
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
{maps}var t, u, p{parts}: Term;
    q, r: List(Term);
    i, j: Int;
    b: Bool;
    n: Nat;
eqn
{matching}    all_match([], []) = true;
    all_match([], t |> q) = false;
    all_match(p |> r, []) = false;
    all_match(p |> r, t |> q) = matches(p, t) && all_match(r, q);
    each_matches(p, []) = true;
    each_matches(p, t |> q) = matches(p, t) && each_matches(p, q);
    alike(t, u) = (t == u){alike};
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
    meant(q, t) = if(t in q, t, like(q, t));
{equations}"
        );
        text
    }
}

/// Where something is to be filled in.
pub(super) enum Gap<'p> {
    Result(VarId),
    Placeholder(&'p Type),
}

/// The function that takes an argument out of a term; no constructor has its name.
pub(super) fn field(constructor: &str, at: usize) -> String {
    format!("arg{at}_{constructor}")
}

pub(super) fn applied(name: &str, args: &[String]) -> String {
    if args.is_empty() {
        name.to_owned()
    } else {
        format!("{name}({})", args.join(", "))
    }
}

/// A text in quotes, on one line, and different from all others.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => quoted.extend(c.escape_unicode()),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
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

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn texts_stand_on_one_line_and_stay_apart() {
        assert_eq!(quoted("FAIL\n"), "\"FAIL\\n\"");
        assert_eq!(quoted("a \"b\"\t\\"), "\"a \\\"b\\\"\\t\\\\\"");
        assert_eq!(quoted("\u{7}"), "\"\\u{7}\"");
    }
}

//! Formulas of the mu-calculus as mCRL2 writes them: a formula alone, or behind `form` in a file that
//! declares sorts and actions.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use logic::mu::{Domain, MuError, Vocabulary, parse};
use model::{EventId, ExprId, MuFormula, Program, Value};

use crate::label::Term;
use crate::lower::{Alphabet, add_event};

/// A formula that was read.
pub(crate) struct Stated {
    pub(crate) formula: MuFormula,
    /// The formula's text.
    pub(crate) text: String,
    /// Actions that it names and no label has, with what there is instead, and where.
    pub(crate) never: Vec<(String, Range<usize>)>,
    /// Sorts of which only those values are known that labels have.
    pub(crate) open_sorts: Vec<String>,
}

/// Why a text is no formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Wrong {
    /// A part of a specification that is not read.
    Section(String, Range<usize>),
    /// Something else.
    Formula(String, Range<usize>),
}

/// What begins a part of a file with a formula.
const SECTIONS: [&str; 9] = [
    "sort", "cons", "map", "var", "eqn", "glob", "act", "proc", "form",
];

/// Reads a file with a formula. Ranges are of bytes in its text.
pub(crate) fn read(
    text: &str,
    program: &mut Program,
    alphabet: &Alphabet,
) -> Result<Stated, Wrong> {
    let mut sorts = HashMap::new();
    let formula = formula_of(text, &mut sorts)?;
    let shown = uncommented(&text[formula.clone()]);
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut names = Words {
        program,
        alphabet,
        sorts,
        never: Vec::new(),
        open_sorts: Vec::new(),
    };
    // What stands before the formula is left out, but for its place.
    let read = parse(&text[formula.clone()], &mut names);
    let (never, open_sorts) = (names.never, names.open_sorts);
    let shifted = |range: Range<usize>| range.start + formula.start..range.end + formula.start;
    match read {
        Ok(read) => Ok(Stated {
            formula: read,
            text: shown,
            never: never
                .into_iter()
                .map(|(name, at)| (name, shifted(at)))
                .collect(),
            open_sorts,
        }),
        Err(MuError::Syntax { error, range }) => {
            Err(Wrong::Formula(error.to_string(), shifted(range)))
        }
        Err(MuError::Name { error, range }) => Err(Wrong::Formula(error, shifted(range))),
    }
}

/// Where the formula stands; sorts that are declared are added.
fn formula_of(text: &str, sorts: &mut HashMap<String, Sort>) -> Result<Range<usize>, Wrong> {
    let words = words(text);
    let is_section = |range: &Range<usize>| SECTIONS.contains(&&text[range.clone()]);
    if !words.first().is_some_and(is_section) {
        return Ok(0..text.len());
    }
    let sections: Vec<Range<usize>> = words.into_iter().filter(is_section).collect();
    let ends = sections.iter().skip(1).map(|next| next.start);
    let mut formula = None;
    for (section, end) in sections.iter().zip(ends.chain([text.len()])) {
        let body = section.end..end;
        match &text[section.clone()] {
            "form" => {
                let written = uncommented(&text[body.clone()]);
                let end = written.trim_end().trim_end_matches(';').len();
                formula = Some(body.start..body.start + end);
            }
            "act" => {}
            "sort" => declare(&uncommented(&text[body]), sorts),
            other => return Err(Wrong::Section(other.to_owned(), section.clone())),
        }
    }
    let missing = || {
        Wrong::Formula(
            "a formula is missing: `form` and behind it the formula".to_owned(),
            0..0,
        )
    };
    formula.ok_or_else(missing)
}

/// The words of a text outside of comments.
fn words(text: &str) -> Vec<Range<usize>> {
    let written = uncommented(text);
    let mut words = Vec::new();
    let mut begin = None;
    for (at, c) in written.char_indices().chain([(written.len(), ' ')]) {
        match (c.is_alphanumeric() || c == '_', begin) {
            (true, None) => begin = Some(at),
            (false, Some(from)) => {
                words.push(from..at);
                begin = None;
            }
            _ => {}
        }
    }
    words
}

/// The text with blanks in the place of comments, from `%` to the end of the line.
fn uncommented(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let code = line.find('%').unwrap_or(line.len());
        written.push_str(&line[..code]);
        let comment = line[code..].bytes();
        written.extend(comment.map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    }
    written
}

/// A sort that a file declares.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Sort {
    /// Another name for this.
    Alias(String),
    /// Constructors without arguments.
    Enumeration(Vec<String>),
    /// Anything else.
    Open,
}

/// `A = struct a | b; B = Nat; C;`
fn declare(text: &str, sorts: &mut HashMap<String, Sort>) {
    for declaration in text.split(';') {
        let (names, sort) = match declaration.split_once('=') {
            None => (declaration, Sort::Open),
            Some((names, meaning)) => {
                let meaning = meaning.trim();
                let members = meaning.strip_prefix("struct").map(|members| {
                    let members = members.split('|').map(|member| {
                        member
                            .split('?')
                            .next()
                            .unwrap_or_default()
                            .trim()
                            .to_owned()
                    });
                    members.collect::<Vec<_>>()
                });
                let sort = match members {
                    None => Sort::Alias(meaning.to_owned()),
                    Some(members) if members.iter().any(|member| member.contains('(')) => {
                        Sort::Open
                    }
                    Some(members) => Sort::Enumeration(members),
                };
                (names, sort)
            }
        };
        for name in names
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
        {
            sorts.insert(name.to_owned(), sort.clone());
        }
    }
}

/// What names mean.
struct Words<'p> {
    program: &'p mut Program,
    alphabet: &'p Alphabet,
    sorts: HashMap<String, Sort>,
    never: Vec<(String, Range<usize>)>,
    open_sorts: Vec<String>,
}

impl Words<'_> {
    /// Whether a word is a value: of a sort that is declared, or of a label.
    fn is_value(&self, word: &str) -> bool {
        let declared = |sort: &Sort| match sort {
            Sort::Enumeration(members) => members.iter().any(|member| member == word),
            _ => false,
        };
        self.alphabet.words.contains(word) || self.sorts.values().any(declared)
    }

    fn number(&self, number: i128) -> Value {
        Term::Number(number).value(&self.program.rich)
    }
}

impl Vocabulary for Words<'_> {
    type Atom = ExprId;
    type Event = EventId;
    type Value = Value;
    type Error = String;

    const AS_MCRL2: bool = true;

    fn proposition(&mut self, text: &str, _: usize) -> Result<ExprId, String> {
        Err(format!(
            "`{text}`: formulas speak of what is done, not of what holds"
        ))
    }

    fn event(&mut self, name: &str, arguments: usize, at: usize) -> Result<EventId, String> {
        if arguments == 0 && self.alphabet.silent.contains(name) {
            return Err(format!(
                "`{name}` is silent here, which `tau` stands for; if it is an action that formulas see, say so \
                 with `--tau tau`"
            ));
        }
        let own = self.alphabet.events;
        let all = self.program.events.iter().enumerate();
        let all = all.filter(|(_, event)| event.name == name);
        let all: Vec<(usize, usize)> = all
            .map(|(place, event)| (place, event.parameters.len()))
            .collect();
        let is_own = |(place, _): &(usize, usize)| *place < own;
        let named: Vec<(usize, usize)> = all.iter().copied().filter(is_own).collect();
        let exact = named.iter().find(|(_, count)| *count == arguments);
        // A bare name cannot mean two actions.
        let bare = (arguments == 0 && named.len() == 1).then(|| &named[0]);
        if let Some(&(place, _)) = exact.or(bare) {
            return Ok(EventId::new(place));
        }
        let what = match named.first() {
            Some((_, count)) => format!(
                "no label has `{name}` with {arguments} arguments; there is one with {count}"
            ),
            None => {
                let others = self.program.events[..own].iter();
                let others = others.map(|event| event.name.as_str());
                match source::suggest(name, others) {
                    Some(near) => format!("no label has `{name}`; `{near}` was probably meant"),
                    None => format!("no label has `{name}`"),
                }
            }
        };
        self.never.push((what, at..at + name.len()));
        // Another formula may have named it, too.
        let known = all.iter().find(|(_, count)| *count == arguments);
        Ok(match known {
            Some((place, _)) => EventId::new(*place),
            None => add_event(self.program, name, arguments),
        })
    }

    fn constant(
        &mut self,
        text: &str,
        _: Option<(&EventId, usize)>,
        _: usize,
    ) -> Result<Value, String> {
        let term = Term::read(text);
        let mut words = HashSet::new();
        term.words(&mut words);
        if let Some(word) = words.iter().find(|word| !self.is_value(word)) {
            return Err(format!(
                "`{word}` is neither a variable nor a value in a label: if it is one of a sort, declare \
                 that (`sort D = struct {word} | ...;`); if it stands for a value, write the value"
            ));
        }
        Ok(term.value(&self.program.rich))
    }

    fn sort(&mut self, name: &str) -> Result<Domain<Value>, String> {
        let mut name = name;
        let sorts = self.sorts.clone();
        for _ in 0..=sorts.len() {
            match sorts.get(name) {
                Some(Sort::Alias(other)) => name = other,
                Some(Sort::Enumeration(members)) => {
                    let members = members.iter().map(|member| Term::read(member));
                    let values = members.map(|member| member.value(&self.program.rich));
                    return Ok(Domain::Stated(values.collect()));
                }
                Some(Sort::Open) | None => break,
            }
        }
        let outer = name.split('(').next().unwrap_or_default().trim();
        Ok(match outer {
            "Bool" => {
                let truths = [false, true].map(|truth| Term::Bool(truth).value(&self.program.rich));
                Domain::Stated(truths.into())
            }
            "Nat" => Domain::Numbers(Some(0), self.number(0)),
            "Pos" => Domain::Numbers(Some(1), self.number(0)),
            "Int" => Domain::Numbers(None, self.number(0)),
            "Real" | "List" | "Set" | "Bag" | "FSet" | "FBag" => Domain::Unlimited,
            _ => {
                if !self.open_sorts.iter().any(|known| known == name) {
                    self.open_sorts.push(name.to_owned());
                }
                Domain::Occurring
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_stands_alone_or_behind_form() {
        let mut sorts = HashMap::new();
        let mut of =
            |text: &'static str| formula_of(text, &mut sorts).map(|range| text[range].trim());
        assert_eq!(of("% act a;\n[a]true"), Ok("% act a;\n[a]true"));
        assert_eq!(
            of("act a: Nat;\nform [a(1)]true;  % so\n"),
            Ok("[a(1)]true")
        );
        assert_eq!(
            of("map f: Nat;\nform true;"),
            Err(Wrong::Section("map".to_owned(), 0..3))
        );
        assert!(of("act a;").is_err());
    }

    #[test]
    fn sorts_are_enumerations_or_names_of_others() {
        let mut sorts = HashMap::new();
        declare(
            " D = struct a | b?is_b; E = D; F; G = struct g(n: Nat);",
            &mut sorts,
        );
        let members = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(sorts["D"], Sort::Enumeration(members));
        assert_eq!(sorts["E"], Sort::Alias("D".to_owned()));
        assert_eq!((&sorts["F"], &sorts["G"]), (&Sort::Open, &Sort::Open));
    }

    /// Whether a formula is read; if not, what is said of it.
    fn read_alone(formula: &str) -> Result<(), String> {
        let options = crate::Options {
            extra_properties: vec![formula.to_owned()],
            ..crate::Options::default()
        };
        let graph = "des (0, 2, 1)\n(0, \"a(1)\", 0)\n(0, \"b\", 0)\n";
        let loaded = crate::load("g.aut", graph, &options);
        let errors = loaded.diagnostics.iter();
        let mut errors = errors.filter(|one| one.severity == source::Severity::Error);
        errors
            .next()
            .map_or(Ok(()), |error| Err(error.message.clone()))
    }

    /// `a(succ(0))` is `a(1)` in mCRL2: a function of a specification is no value of its own.
    #[test]
    fn functions_are_no_values() {
        for formula in [
            "[a(succ(0))]false",
            "[a([succ(0)])]false",
            "[a([0, f(1)])]false",
            "[a(m)]false",
        ] {
            let told = read_alone(formula).expect_err(formula);
            assert!(told.contains("neither a variable nor a value"), "{told}");
        }
        assert_eq!(read_alone("[a(0 + 1)]false"), Ok(()));
        assert_eq!(read_alone("[a([0, 1])]false"), Ok(()));
    }

    /// `[b] forall n. p => q` was `[b] (forall n. p => q)` before release 202507, and is
    /// `([b] forall n. p) => q` since.
    #[test]
    fn what_releases_read_differently_is_refused() {
        for (formula, word) in [
            ("[b] forall n: Nat. [a(n)]false => false", "forall"),
            ("<b> exists n: Nat. <a(n)>true && true", "exists"),
            ("!nu X. [b]X || true", "nu"),
            ("true && mu X. <b>X || true", "mu"),
            ("true || forall n: Nat. [a(n)]false => false", "forall"),
            ("[b] ![b] mu X. <b>X && true", "mu"),
            ("[!exists n: Nat. a(n) || b]false", "exists"),
            ("<b && forall n: Nat. a(n) || b>true", "forall"),
        ] {
            let told = read_alone(formula).expect_err(formula);
            assert!(
                told.contains(&format!("how far `{word}` reaches")),
                "{told}"
            );
        }
        for formula in [
            "[b] forall n: Nat. [a(n)]false",
            "[b] (forall n: Nat. [a(n)]false => false)",
            "([b] forall n: Nat. [a(n)]false) => false",
            "forall n: Nat. [a(n)]false => false",
            "true => forall n: Nat. [a(n)]false => false",
            "true || forall n: Nat. [a(n)]false && true",
            "true && nu X. [b]X && true",
            "[b] nu X. [!exists n: Nat. a(n)]X",
            "[b && exists n: Nat. a(n) && b]false",
        ] {
            assert_eq!(read_alone(formula), Ok(()), "{formula}");
        }
    }
}

//! Formulas of the mu-calculus from text.
//!
//! | formula | from the loosest |
//! |---|---|
//! | `mu X. p`, `nu X(n = 0). p`, `forall x. p`, `exists x in {1, 2}. p` | as far to the right as possible |
//! | `p => q`, `p -> q` | to the right |
//! | <code>p \|\| q</code> | |
//! | `p && q` | |
//! | `!p`, `[R] p`, `<R> p` | prefix |
//! | `true`, `false`, `X`, `X(n + 1)`, `{proposition}`, `val(n < m)`, `(p)` | |
//!
//! Regular formulas, from the loosest: `R + R`, `R . R`, then `R*` and `R+`, then formulas of
//! actions: `=>`, <code>\|\|</code>, `&&`, `!`, `forall`, `exists`, `true`, `false`, `tau`, `val(...)` and
//! actions `name` or `name(pattern, ...)`, several with `|` between them if these and no others happen.
//! Patterns are `_`, variables, constants, terms of patterns and what is computed. Data is computed with
//! `+`, `-`, `*`, `div`, `mod`, `min`, `max`, `abs` and `if`, and compared. `||` between regular formulas that are more than actions is refused, and so is a star
//! behind `a || b` without parentheses: readers disagree about what it belongs to.
//!
//! Names may hold hyphens (`snd-msg`) and be two words (`call f`). Behind a variable a sort may
//! stand for the reader, as in `forall b: Bidder`; values come from the labels, or behind `in`.
//! `%` begins a comment up to the end of the line.

mod action;
mod data;
mod scan;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use thiserror::Error;

use self::scan::{bracketed_length, is_name_byte, quoted_length};
use super::formula::{
    Binder, DataId, Domain, Mu, Operand, Parameter, Parameters, Regular, StateSetId,
};

/// The most values in a stated range.
const MOST_VALUES: i128 = 10_000;

/// What names in formulas mean.
pub trait Vocabulary {
    /// Propositions.
    type Atom;
    /// Kinds of actions.
    type Event: Clone;
    /// Data.
    type Value: Clone;
    /// Why a name means nothing.
    type Error;

    /// Whether formulas are read as mCRL2 reads them: an action stands for steps in which it happens
    /// alone, a hyphen is a minus, names have primes, and constants may be lists and sets.
    const AS_MCRL2: bool = false;

    /// The values of a sort, for a quantifier that says no more.
    ///
    /// # Errors
    /// If there is no such sort.
    fn sort(&mut self, _name: &str) -> Result<Domain<Self::Value>, Self::Error> {
        Ok(Domain::Occurring)
    }

    /// What the text of a proposition means.
    ///
    /// # Errors
    /// If it means nothing.
    fn proposition(&mut self, text: &str, offset: usize) -> Result<Self::Atom, Self::Error>;

    /// The kind of actions with a name and at least so many arguments.
    ///
    /// # Errors
    /// If there is none.
    fn event(
        &mut self,
        name: &str,
        arguments: usize,
        offset: usize,
    ) -> Result<Self::Event, Self::Error>;

    /// What a constant means: a number, a text in double quotes or a name. It stands as the
    /// argument of this number of an action, or in a comparison or inside a term.
    ///
    /// # Errors
    /// If it means nothing there.
    fn constant(
        &mut self,
        text: &str,
        place: Option<(&Self::Event, usize)>,
        offset: usize,
    ) -> Result<Self::Value, Self::Error>;
}

/// Why a text is no formula. All ranges are of bytes in the text handed to [`parse`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MuError<E> {
    /// Its form is wrong.
    #[error("{error}")]
    Syntax {
        /// What is wrong.
        error: MuSyntax,
        /// Where.
        range: Range<usize>,
    },
    /// A name or a proposition means nothing.
    #[error("{error}")]
    Name {
        /// What the vocabulary says.
        error: E,
        /// Where it stands.
        range: Range<usize>,
    },
}

/// What can be wrong with the form of a formula.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MuSyntax {
    /// An operand is missing.
    #[error("a formula is missing here")]
    MissingFormula,
    /// An operand of a regular formula is missing.
    #[error("an action is missing here")]
    MissingAction,
    /// Something else must stand here.
    #[error("`{0}` is missing here")]
    Missing(&'static str),
    /// A name must stand here.
    #[error("a name is missing here")]
    MissingName,
    /// A value must stand here.
    #[error("a value is missing here: a number, a name, a text or `_`")]
    MissingValue,
    /// A comparison must stand here.
    #[error("a comparison is missing here, as `n < m`")]
    MissingComparison,
    /// A bracket has no partner.
    #[error("this bracket is never closed")]
    Unclosed,
    /// Something stands behind the formula.
    #[error("the formula ends before this")]
    Stray,
    /// A name that is no variable.
    #[error(
        "no `mu` or `nu` brings in `{0}`; a proposition stands in braces, an action in brackets"
    )]
    UnknownVariable(String),
    /// A variable under an odd number of negations.
    #[error("`{0}` stands under a negation inside its own fixpoint, which then need not exist")]
    NotMonotone(String),
    /// `a || b*`.
    #[error("is this `(a || b)*` or `a || (b*)`? Use parentheses; the second is written `a + b*`")]
    Ambiguous,
    /// `=>`, `||`, `&&` or `!` on something that is more than one action.
    #[error("this joins single actions only; `+` joins regular formulas")]
    NotAnAction,
    /// A variable whose values nobody says.
    #[error(
        "which values has `{0}`? It stands in no action: write `{0} in 0..9` or `{0} in {{a, b}}`"
    )]
    NoDomain(String),
    /// A fixpoint or a function with another number of arguments.
    #[error("`{0}` has {1} arguments")]
    Arguments(String, usize),
    /// A range that is empty or too long.
    #[error("a range has at least one value and at most {MOST_VALUES}")]
    BadRange,
    /// A quantifier or a fixpoint behind an operator, before a looser one.
    #[error(
        "releases of mCRL2 disagree how far `{0}` reaches here: put parentheses around it and what belongs to it"
    )]
    Reach(&'static str),
    /// Too many operators inside each other: at most [`MAX_DEPTH`](crate::MAX_DEPTH), where parentheses count twice.
    #[error("the formula is nested too deeply")]
    TooDeep,
}

/// Reads a formula.
///
/// # Errors
/// If it is none, or a name in it means nothing.
pub fn parse<V: Vocabulary>(text: &str, vocabulary: &mut V) -> Parsed<Formula<V>, V::Error> {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
        vocabulary,
        sets: Vec::new(),
        data: Vec::new(),
        used: HashSet::new(),
        negative: false,
        behind: Tightness::Nothing,
        next: 0,
    };
    let formula = parser.formula()?;
    parser.blanks();
    if parser.at < text.len() {
        let range = parser.at..text.len();
        return Err(MuError::Syntax {
            error: MuSyntax::Stray,
            range,
        });
    }
    Ok(formula)
}

struct Parser<'t, V> {
    text: &'t str,
    at: usize,
    depth: usize,
    vocabulary: &'t mut V,
    /// The fixpoints around this place.
    sets: Vec<Known<'t>>,
    /// The data variables around this place.
    data: Vec<(&'t str, DataId)>,
    /// Those that stand in a pattern.
    used: HashSet<DataId>,
    /// Whether an odd number of negations is around this place.
    negative: bool,
    /// The tightest operator on the left of this place whose operand has not ended.
    behind: Tightness,
    next: u32,
}

/// How tightly operators bind, from the loosest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    /// No operator, or an arrow, behind which everything belongs to its right side.
    Nothing,
    Or,
    And,
    Prefix,
}

/// A fixpoint around a place.
#[derive(Clone, Copy)]
struct Known<'t> {
    name: &'t str,
    variable: StateSetId,
    /// Whether it stands under an odd number of negations.
    negative: bool,
    parameters: usize,
}

/// What is read, or why it cannot be.
pub type Parsed<T, E> = Result<T, MuError<E>>;
/// A formula in the terms of a vocabulary.
pub type Formula<V> =
    Mu<<V as Vocabulary>::Atom, <V as Vocabulary>::Event, <V as Vocabulary>::Value>;
type Bound<V> = (Binder<<V as Vocabulary>::Value>, Range<usize>);
type Word<V> = Regular<<V as Vocabulary>::Event, <V as Vocabulary>::Value>;

/// Words that are no names.
const WORDS: [&str; 9] = [
    "mu", "nu", "forall", "exists", "val", "true", "false", "tau", "in",
];

impl<'t, V: Vocabulary> Parser<'t, V> {
    fn formula(&mut self) -> Parsed<Formula<V>, V::Error> {
        self.deeper(Self::formula_here)
    }

    fn formula_here(&mut self) -> Parsed<Formula<V>, V::Error> {
        let begin = self.at;
        // What stands on the left of an arrow is negated, which is known only afterwards.
        let left = self.attempt_arrow(begin)?;
        let Some(left) = left else {
            return self.disjunction();
        };
        let right = self.formula()?;
        Ok(Mu::Implies(Arc::new(left), Arc::new(right)))
    }

    /// Reads the left side of an arrow and the arrow, or nothing.
    fn attempt_arrow(&mut self, begin: usize) -> Parsed<Option<Formula<V>>, V::Error> {
        if !self.arrow_follows() {
            return Ok(None);
        }
        self.at = begin;
        self.negative = !self.negative;
        let left = self.disjunction()?;
        self.negative = !self.negative;
        if !self.eat("=>") && !self.eat("->") {
            return Err(self.wrong(MuSyntax::Missing("=>"), self.at..self.at));
        }
        Ok(Some(left))
    }

    /// Whether an arrow follows the operand that begins here, before the bracket around it closes
    /// and before anything that extends to the right begins.
    fn arrow_follows(&self) -> bool {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        let (mut open, mut diamonds) = (0usize, 0usize);
        while at < bytes.len() {
            let rest = self.text.get(at..).unwrap_or("");
            match bytes[at] {
                b'%' => {
                    at += rest.find('\n').unwrap_or(rest.len());
                    continue;
                }
                b'"' => at += quoted_length(rest) - 1,
                b'(' | b'[' | b'{' => open += 1,
                b')' | b']' | b'}' => {
                    if open == 0 {
                        return false;
                    }
                    open -= 1;
                }
                _ if open > 0 => {}
                b'=' | b'-' if rest.starts_with("=>") || rest.starts_with("->") => {
                    // Between actions it is one of theirs.
                    if diamonds == 0 {
                        return true;
                    }
                    at += 1;
                }
                b'<' => diamonds += 1,
                b'>' => diamonds = diamonds.saturating_sub(1),
                byte if is_name_byte(byte) => {
                    let word = self.name_length(rest);
                    let extends = matches!(&rest[..word], "mu" | "nu" | "forall" | "exists");
                    if extends && diamonds == 0 {
                        return false;
                    }
                    at += word - 1;
                }
                _ => {}
            }
            at += 1;
        }
        false
    }

    fn disjunction(&mut self) -> Parsed<Formula<V>, V::Error> {
        let mut parts = vec![self.conjunction()?];
        while self.eat("||") {
            parts.push(self.operand_of(Tightness::Or, Self::conjunction)?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Mu::Or(parts.into()),
        })
    }

    fn conjunction(&mut self) -> Parsed<Formula<V>, V::Error> {
        let mut parts = vec![self.unary()?];
        while self.eat("&&") {
            parts.push(self.operand_of(Tightness::And, Self::unary)?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Mu::And(parts.into()),
        })
    }

    fn unary(&mut self) -> Parsed<Formula<V>, V::Error> {
        self.deeper(Self::unary_here)
    }

    fn unary_here(&mut self) -> Parsed<Formula<V>, V::Error> {
        self.blanks();
        let begin = self.at;
        if self.eat("!") {
            self.negative = !self.negative;
            let p = self.operand_of(Tightness::Prefix, Self::unary)?;
            self.negative = !self.negative;
            return Ok(Mu::Not(Arc::new(p)));
        }
        if self.eat("[") {
            let regular = self.enclosed(Self::regular)?;
            self.close("]", begin)?;
            let p = self.operand_of(Tightness::Prefix, Self::unary)?;
            return Ok(Mu::Box(regular, Arc::new(p)));
        }
        if self.eat("<") {
            let regular = self.enclosed(Self::regular)?;
            self.close(">", begin)?;
            let p = self.operand_of(Tightness::Prefix, Self::unary)?;
            return Ok(Mu::Diamond(regular, Arc::new(p)));
        }
        if self.eat("(") {
            let inner = self.enclosed(Self::formula)?;
            self.close(")", begin)?;
            return Ok(inner);
        }
        if self.peek() == Some(b'{') {
            return self.proposition();
        }
        let word = self.word();
        match word {
            "" => Err(self.wrong(MuSyntax::MissingFormula, begin..self.character_end(begin))),
            "true" => Ok(Mu::True),
            "false" => Ok(Mu::False),
            "val" => Ok(Mu::Data(self.value_condition()?)),
            "mu" | "nu" => self.fixpoint(word == "mu"),
            "forall" | "exists" => {
                let binders = self.binders()?;
                let body = self.reaching(if word == "forall" { "forall" } else { "exists" })?;
                let mut formula = body;
                for binder in self.unbind(binders)?.into_iter().rev() {
                    formula = if word == "forall" {
                        Mu::ForAll(binder, Arc::new(formula))
                    } else {
                        Mu::Exists(binder, Arc::new(formula))
                    };
                }
                Ok(formula)
            }
            name => self.set(name, begin),
        }
    }

    /// What a quantifier or a fixpoint is about: all to the right. Since release 202507 mCRL2 lets an operator
    /// before it end first, as in `[a] forall x. p => q`, which was not always so; what would mean
    /// different things is refused.
    fn reaching(&mut self, word: &'static str) -> Parsed<Formula<V>, V::Error> {
        if !V::AS_MCRL2 {
            return self.formula();
        }
        let body = match self.behind {
            Tightness::Nothing => self.formula(),
            Tightness::Or => self.disjunction(),
            Tightness::And => self.conjunction(),
            Tightness::Prefix => self.unary(),
        }?;
        self.ends_before_looser(word)?;
        Ok(body)
    }

    /// Refuses a looser operator behind what stands behind a tighter one.
    fn ends_before_looser(&mut self, word: &'static str) -> Parsed<(), V::Error> {
        self.blanks();
        let follows = |sign: &str| self.rest().starts_with(sign);
        let is_looser = match self.behind {
            Tightness::Nothing => false,
            Tightness::Or => follows("=>") || follows("->"),
            Tightness::And => follows("||") || follows("=>") || follows("->"),
            Tightness::Prefix => ["&&", "||", "=>", "->"].into_iter().any(follows),
        };
        if is_looser {
            return Err(self.wrong(MuSyntax::Reach(word), self.at..self.at + 2));
        }
        Ok(())
    }

    /// Reads an operand behind an operator.
    fn operand_of<T>(
        &mut self,
        operator: Tightness,
        read: impl FnOnce(&mut Self) -> Parsed<T, V::Error>,
    ) -> Parsed<T, V::Error> {
        let before = self.behind;
        self.behind = before.max(operator);
        let result = read(self);
        self.behind = before;
        result
    }

    /// Reads what stands in brackets: no operator before them can end in them.
    fn enclosed<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Parsed<T, V::Error>,
    ) -> Parsed<T, V::Error> {
        let before = std::mem::replace(&mut self.behind, Tightness::Nothing);
        let result = read(self);
        self.behind = before;
        result
    }

    /// `X`, or `X(n + 1)`.
    fn set(&mut self, name: &'t str, begin: usize) -> Parsed<Formula<V>, V::Error> {
        let end = self.at;
        let found = self.sets.iter().rev().find(|known| known.name == name);
        let Some(&known) = found else {
            return Err(self.wrong(MuSyntax::UnknownVariable(name.to_owned()), begin..end));
        };
        if known.negative != self.negative {
            return Err(self.wrong(MuSyntax::NotMonotone(name.to_owned()), begin..end));
        }
        let mut args: Vec<Operand<V::Value>> = Vec::new();
        if self.peek() == Some(b'(') {
            let open = self.at;
            self.at += 1;
            if !self.eat(")") {
                args.push(self.operand()?);
                while self.eat(",") {
                    args.push(self.operand()?);
                }
                self.close(")", open)?;
            }
        }
        if args.len() != known.parameters {
            let error = MuSyntax::Arguments(name.to_owned(), known.parameters);
            return Err(self.wrong(error, begin..end));
        }
        Ok(Mu::Variable(known.variable, args.into()))
    }

    fn fixpoint(&mut self, least: bool) -> Parsed<Formula<V>, V::Error> {
        let name = self.name()?;
        let outside = self.data.len();
        let parameters = self.parameters()?;
        self.need(".")?;
        self.next += 1;
        let variable = StateSetId(self.next);
        self.sets.push(Known {
            name,
            variable,
            negative: self.negative,
            parameters: parameters.len(),
        });
        let body = Arc::new(self.reaching(if least { "mu" } else { "nu" })?);
        self.sets.pop();
        self.data.truncate(outside);
        Ok(if least {
            Mu::Least(variable, parameters, body)
        } else {
            Mu::Greatest(variable, parameters, body)
        })
    }

    /// `(n: Nat = 0, b = true)`, or nothing.
    fn parameters(&mut self) -> Parsed<Parameters<V::Value>, V::Error> {
        let mut all: Vec<(&'t str, Parameter<V::Value>)> = Vec::new();
        self.blanks();
        let open = self.at;
        if !self.eat("(") {
            return Ok([].into());
        }
        loop {
            let name = self.name()?;
            if self.eat(":") {
                self.sort()?;
            }
            self.need("=")?;
            // What it begins with does not speak of the others.
            let first = self.operand()?;
            self.next += 1;
            let variable = DataId(self.next);
            let parameter = Parameter {
                variable,
                name: Arc::from(name),
                first,
            };
            all.push((name, parameter));
            if !self.eat(",") {
                break;
            }
        }
        self.close(")", open)?;
        let names = all
            .iter()
            .map(|(name, parameter)| (*name, parameter.variable));
        self.data.extend(names);
        Ok(all.into_iter().map(|(_, parameter)| parameter).collect())
    }

    /// The text of a sort: `Nat`, `List(Nat)`, `Nat # Nat -> Bool`.
    fn sort(&mut self) -> Parsed<&'t str, V::Error> {
        self.blanks();
        let begin = self.at;
        loop {
            self.name()?;
            if self.peek() == Some(b'(') {
                self.at += bracketed_length(self.rest());
            }
            let end = self.at;
            if !self.eat("->") && !self.eat("#") {
                self.at = end;
                return Ok(&self.text[begin..end]);
            }
        }
    }

    /// `{proposition}`: what stands between the braces is not ours.
    fn proposition(&mut self) -> Parsed<Formula<V>, V::Error> {
        let begin = self.at;
        let bytes = self.text.as_bytes();
        let mut open = 0;
        let mut end = begin;
        loop {
            match bytes.get(end) {
                None => return Err(self.wrong(MuSyntax::Unclosed, begin..begin + 1)),
                Some(b'{') => open += 1,
                Some(b'}') => open -= 1,
                Some(b'"') => end += quoted_length(&self.text[end..]) - 1,
                Some(_) => {}
            }
            end += 1;
            if open == 0 {
                break;
            }
        }
        let end = end.min(self.text.len());
        let inside = &self.text[begin + 1..end - 1];
        let offset = begin + 1 + (inside.len() - inside.trim_start().len());
        let text = inside.trim();
        self.at = end;
        match self.vocabulary.proposition(text, offset) {
            Ok(atom) => Ok(Mu::Atom(atom)),
            Err(error) => Err(MuError::Name {
                error,
                range: offset..offset + text.len(),
            }),
        }
    }

    /// `x: Sort, y in {1, 2}.` A sort is that of the variables without one before it, too.
    fn binders(&mut self) -> Parsed<Vec<Bound<V>>, V::Error> {
        let mut binders: Vec<Bound<V>> = Vec::new();
        let mut without = 0;
        loop {
            self.blanks();
            let begin = self.at;
            let name = self.name()?;
            let range = begin..self.at;
            self.next += 1;
            binders.push((
                Binder {
                    variable: DataId(self.next),
                    name: Arc::from(name),
                    domain: Domain::Occurring,
                },
                range,
            ));
            let here = binders.len() - 1;
            let sort = self.eat(":");
            if sort {
                self.blanks();
                let begin = self.at;
                let sort = self.sort()?;
                let range = begin..self.at;
                let domain = self.vocabulary.sort(sort);
                let domain = domain.map_err(|error| MuError::Name { error, range })?;
                for (binder, _) in &mut binders[without..] {
                    binder.domain = domain.clone();
                }
            }
            let stated = self.eat_word("in");
            if stated {
                binders[here].0.domain = self.domain()?;
            }
            if sort || stated {
                without = binders.len();
            }
            self.data.push((name, DataId(self.next)));
            if !self.eat(",") {
                break;
            }
        }
        self.need(".")?;
        Ok(binders)
    }

    fn domain(&mut self) -> Parsed<Domain<V::Value>, V::Error> {
        self.blanks();
        let begin = self.at;
        let mut values = Vec::new();
        if self.eat("{") {
            loop {
                let (text, range) = self.constant_text()?;
                values.push(self.constant(text, None, range)?);
                if !self.eat(",") {
                    break;
                }
            }
            self.close("}", begin)?;
            return Ok(Domain::Stated(values.into()));
        }
        let lo = self.whole_number()?;
        self.need("..")?;
        let hi = self.whole_number()?;
        let range = begin..self.at;
        if hi < lo || hi - lo >= MOST_VALUES {
            return Err(self.wrong(MuSyntax::BadRange, range));
        }
        for number in lo..=hi {
            values.push(self.constant(&number.to_string(), None, range.clone())?);
        }
        Ok(Domain::Stated(values.into()))
    }

    fn whole_number(&mut self) -> Parsed<i128, V::Error> {
        self.blanks();
        let begin = self.at;
        let minus = self.eat("-");
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let text = &self.text[self.at..self.at + digits];
        self.at += digits;
        match text.parse::<i64>() {
            Ok(number) => Ok(i128::from(if minus { -number } else { number })),
            Err(_) => Err(self.wrong(MuSyntax::BadRange, begin..self.at)),
        }
    }

    /// Leaves the scope of some binders.
    fn unbind(&mut self, binders: Vec<Bound<V>>) -> Parsed<Vec<Binder<V::Value>>, V::Error> {
        let mut left = Vec::new();
        for (binder, range) in binders {
            self.data
                .retain(|(_, variable)| *variable != binder.variable);
            if matches!(binder.domain, Domain::Occurring) && !self.used.contains(&binder.variable) {
                let error = MuSyntax::NoDomain(binder.name.to_string());
                return Err(self.wrong(error, range));
            }
            left.push(binder);
        }
        Ok(left)
    }
}

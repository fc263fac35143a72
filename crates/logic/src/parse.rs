//! Formulas from text, with atoms in a language of the caller's.
//!
//! From the loosest to the tightest:
//!
//! | operator | words | associates |
//! |---|---|---|
//! | `p leads to q`, which is `[] (p -> <> q)` | | not |
//! | `<->` | | to the left |
//! | `->` | `implies` | to the right |
//! | <code>\|\|</code> | | |
//! | `&&` | | |
//! | `U`, `R` or `V`, `W` | `until`, `release`, `weakuntil` | to the right, all on one level |
//! | `!`, `[]`, `<>`, `X` | `always`, `eventually`, `next` | prefix |
//!
//! Parentheses group, and `true` and `false` are constants. Everything else is an **atom**. The
//! text of an atom extends up to the first binary operator of the table or closing bracket that
//! is not inside brackets or double quotes of the atom, and the caller says what it means. So in
//!
//! ```text
//! [] (call pay(who, n && m) -> (bid + 1) * 2 > n until in closed)
//! ```
//!
//! the atoms are `call pay(who, n && m)`, `(bid + 1) * 2 > n` and `in closed`. Two texts could be
//! read in both ways and are decided by looking ahead, so parsing takes linear time:
//!
//! - An opening parenthesis groups a formula iff its partner is followed by an operator of the
//!   table, a closing bracket or the end; otherwise an atom begins there: `(a + b) > c`, `(float)x`.
//! - `!` negates a formula, unless what follows it up to the end of the atom has an operator of
//!   the atoms' language (one of ``= < > + - * / % & | ^ ~ ? !`` behind the operand's first word
//!   or bracket): `!a == b` is one atom, and means what that language says; `!in closed`,
//!   `!(a == b)` and `!(p U q)` are negations.

use std::ops::Range;

use thiserror::Error;

use crate::ltl::{Ltl, MAX_DEPTH};

/// Why a text is not a formula. All ranges are of bytes in the text handed to [`parse`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseError<E> {
    /// The temporal part is wrong.
    #[error("{error}")]
    Syntax {
        /// What is wrong.
        error: SyntaxError,
        /// Where.
        range: Range<usize>,
    },
    /// The caller's reader refused the text of an atom.
    #[error("{error}")]
    Atom {
        /// What the reader answered.
        error: E,
        /// The atom's text.
        range: Range<usize>,
    },
}

/// What can be wrong with the temporal part of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SyntaxError {
    /// An operand is missing: at the end, or in front of an operator or closing bracket.
    #[error("a formula is missing here")]
    MissingFormula,
    /// An opening bracket has no partner.
    #[error("this bracket is never closed")]
    Unclosed,
    /// A closing bracket has no partner.
    #[error("this bracket was never opened")]
    Unopened,
    /// A string has no end.
    #[error("this string never ends")]
    UnclosedString,
    /// `leads to` inside `leads to`, without parentheses.
    #[error("`leads to` does not chain: use parentheses to say what leads to what")]
    ChainedLeadsTo,
    /// More than [`MAX_DEPTH`] operators or parentheses inside each other.
    #[error("the formula is nested too deeply (more than {MAX_DEPTH} levels)")]
    TooDeep,
}

/// Reads a formula; `atom(text, offset)` reads an atom, whose `text`, without surrounding blanks,
/// stands at byte `offset` of the whole.
///
/// ```
/// use logic::{Ltl, parse};
///
/// let formula = parse("[] (bid > 3 -> <> in closed)", |text, _| Ok::<_, ()>(text.to_owned()));
/// let [high, closed] = ["bid > 3", "in closed"].map(|atom| Ltl::atom(atom.to_owned()));
/// assert_eq!(formula, Ok(Ltl::leads_to(high, closed)));
/// ```
///
/// # Errors
/// The first place where the text is not a formula, or where `atom` refuses.
pub fn parse<A, E>(
    text: &str,
    atom: impl FnMut(&str, usize) -> Result<A, E>,
) -> Result<Ltl<A>, ParseError<E>> {
    let partners =
        match_brackets(text).map_err(|(error, range)| ParseError::Syntax { error, range })?;
    let mut parser = Parser {
        text,
        partners,
        at: 0,
        nesting: 0,
        atom,
    };
    let formula = parser.formula()?;
    parser.skip_blanks();
    match parser.rest().is_empty() {
        true => Ok(formula.formula),
        // All brackets have partners, and every other operator would have been consumed.
        false => Err(parser.error(SyntaxError::MissingFormula)),
    }
}

const OPENING: &[u8] = b"([{";
const CLOSING: &[u8] = b")]}";

/// For each byte, if it is an opening bracket outside strings the position of its partner, and if
/// it is a double quote that opens a string, the position of the quote that ends it.
type Partners = Vec<Option<u32>>;

fn match_brackets(text: &str) -> Result<Partners, (SyntaxError, Range<usize>)> {
    let bytes = text.as_bytes();
    let mut partners = vec![None; bytes.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte == b'"' {
            let end =
                string_end(bytes, at).ok_or((SyntaxError::UnclosedString, at..bytes.len()))?;
            partners[at] = Some(end as u32);
            at = end;
        } else if OPENING.contains(&byte) {
            open.push(at);
        } else if let Some(kind) = CLOSING.iter().position(|&c| c == byte) {
            match open.pop() {
                Some(start) if bytes[start] == OPENING[kind] => partners[start] = Some(at as u32),
                _ => return Err((SyntaxError::Unopened, at..at + 1)),
            }
        }
        at += 1;
    }
    match open.last() {
        Some(&start) => Err((SyntaxError::Unclosed, start..start + 1)),
        None => Ok(partners),
    }
}

/// The position of the quote that ends the string opened at `start`.
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[derive(Clone, Copy, PartialEq)]
enum Binary {
    LeadsTo,
    Iff,
    Implies,
    Or,
    And,
    Until,
    Release,
    WeakUntil,
}

#[derive(Clone, Copy, PartialEq)]
enum Prefix {
    Not,
    Always,
    Eventually,
    Next,
}

/// A formula and its depth, which is cheaper to carry along than to count again.
struct Parsed<A> {
    formula: Ltl<A>,
    depth: usize,
}

struct Parser<'a, F> {
    text: &'a str,
    partners: Partners,
    at: usize,
    /// How many calls of `formula` are open, to bound the recursion.
    nesting: usize,
    atom: F,
}

impl<'a, F> Parser<'a, F> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at = self.skip_blanks_from(self.at);
    }

    fn skip_blanks_from(&self, at: usize) -> usize {
        self.text.len() - self.text[at..].trim_start().len()
    }

    /// An error at the next word or symbol.
    fn error<E>(&self, error: SyntaxError) -> ParseError<E> {
        let start = self.skip_blanks_from(self.at);
        let width = match self.text[start..].chars().next() {
            Some(c) => self.word_at(start).map_or(c.len_utf8(), str::len),
            None => 0,
        };
        ParseError::Syntax {
            error,
            range: start..start + width,
        }
    }

    /// The word that begins at `at`, if one does.
    fn word_at(&self, at: usize) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        let inside = at > 0 && (is_word(bytes[at - 1]) || bytes[at - 1] == b'.');
        let length = bytes[at..].iter().take_while(|b| is_word(**b)).count();
        (!inside && length > 0).then(|| &self.text[at..at + length])
    }

    /// The binary operator at `at`, and where it ends.
    fn binary_at(&self, at: usize) -> Option<(Binary, usize)> {
        let rest = &self.text[at..];
        for (symbol, operator) in [
            ("<->", Binary::Iff),
            ("->", Binary::Implies),
            ("||", Binary::Or),
            ("&&", Binary::And),
        ] {
            if rest.starts_with(symbol) {
                return Some((operator, at + symbol.len()));
            }
        }
        let word = self.word_at(at)?;
        let end = at + word.len();
        let operator = match word {
            "implies" => Binary::Implies,
            "U" | "until" => Binary::Until,
            "R" | "V" | "release" => Binary::Release,
            "W" | "weakuntil" => Binary::WeakUntil,
            "leads" => {
                let to = self.skip_blanks_from(end);
                let followed = to < self.text.len() && self.word_at(to) == Some("to");
                return followed.then_some((Binary::LeadsTo, to + "to".len()));
            }
            _ => return None,
        };
        Some((operator, end))
    }

    fn prefix_at(&self, at: usize) -> Option<(Prefix, usize)> {
        let rest = &self.text[at..];
        for (symbol, operator) in [
            ("[]", Prefix::Always),
            ("<>", Prefix::Eventually),
            ("!", Prefix::Not),
        ] {
            if rest.starts_with(symbol) {
                return Some((operator, at + symbol.len()));
            }
        }
        let word = self.word_at(at)?;
        let operator = match word {
            "always" => Prefix::Always,
            "eventually" => Prefix::Eventually,
            "X" | "next" => Prefix::Next,
            _ => return None,
        };
        Some((operator, at + word.len()))
    }

    /// Where the atom ends that begins at `at`: at an operator, a closing bracket or the end.
    fn atom_end(&self, mut at: usize) -> usize {
        let bytes = self.text.as_bytes();
        while at < bytes.len() {
            if let Some(partner) = self.partners[at] {
                at = partner as usize + 1;
            } else if CLOSING.contains(&bytes[at]) || self.binary_at(at).is_some() {
                break;
            } else if let Some(word) = self.word_at(at) {
                at += word.len();
            } else {
                at += self.text[at..].chars().next().map_or(1, char::len_utf8);
            }
        }
        at
    }

    /// Whether `at` (blanks skipped) is where an operand may end.
    fn ends_operand(&self, at: usize) -> bool {
        let at = self.skip_blanks_from(at);
        match self.text.as_bytes().get(at) {
            None => true,
            Some(byte) => CLOSING.contains(byte) || self.binary_at(at).is_some(),
        }
    }

    /// Whether the `!` at `at` belongs to an atom: see the module's text.
    fn negation_of_atom(&self, at: usize) -> bool {
        let bytes = self.text.as_bytes();
        let mut operand = at;
        while bytes.get(operand) == Some(&b'!') {
            operand = self.skip_blanks_from(operand + 1);
        }
        if operand >= bytes.len() || self.prefix_at(operand).is_some() {
            return false;
        }
        let end = self.atom_end(operand);
        let mut inner = operand;
        while inner < end {
            if let Some(partner) = self.partners[inner] {
                inner = partner as usize;
            } else if inner > operand && b"=<>+-*/%&|^~?!".contains(&bytes[inner]) {
                return true;
            }
            inner += 1;
        }
        false
    }
}

impl<A, E, F: FnMut(&str, usize) -> Result<A, E>> Parser<'_, F> {
    /// `implication-level ("leads to" implication-level)?`
    fn formula(&mut self) -> Result<Parsed<A>, ParseError<E>> {
        self.nest()?;
        let left = self.binary(Binary::Iff)?;
        let result = if self.accept(Binary::LeadsTo) {
            let right = self.binary(Binary::Iff)?;
            if self.peek() == Some(Binary::LeadsTo) {
                return Err(self.error(SyntaxError::ChainedLeadsTo));
            }
            let depth = left.depth.max(right.depth + 1) + 2;
            self.built(
                Ltl::always(Ltl::implies(left.formula, Ltl::eventually(right.formula))),
                depth,
            )?
        } else {
            left
        };
        self.nesting -= 1;
        Ok(result)
    }

    fn nest(&mut self) -> Result<(), ParseError<E>> {
        self.nesting += 1;
        if self.nesting > MAX_DEPTH {
            return Err(self.error(SyntaxError::TooDeep));
        }
        Ok(())
    }

    fn built(&self, formula: Ltl<A>, depth: usize) -> Result<Parsed<A>, ParseError<E>> {
        if depth > MAX_DEPTH {
            return Err(self.error(SyntaxError::TooDeep));
        }
        Ok(Parsed { formula, depth })
    }

    fn peek(&self) -> Option<Binary> {
        let (operator, _) = self.binary_at(self.skip_blanks_from(self.at))?;
        Some(operator)
    }

    fn accept(&mut self, operator: Binary) -> bool {
        match self.binary_at(self.skip_blanks_from(self.at)) {
            Some((found, end)) if found == operator => {
                self.at = end;
                true
            }
            _ => false,
        }
    }

    /// A formula whose loosest operator is at least as tight as `level`, one of `Iff`, `Implies`,
    /// `Or`, `And`, `Until`.
    fn binary(&mut self, level: Binary) -> Result<Parsed<A>, ParseError<E>> {
        match level {
            Binary::LeadsTo | Binary::Iff => {
                let mut left = self.binary(Binary::Implies)?;
                while self.accept(Binary::Iff) {
                    let right = self.binary(Binary::Implies)?;
                    let depth = left.depth.max(right.depth) + 1;
                    left = self.built(Ltl::iff(left.formula, right.formula), depth)?;
                }
                Ok(left)
            }
            Binary::Implies => {
                let left = self.binary(Binary::Or)?;
                if !self.accept(Binary::Implies) {
                    return Ok(left);
                }
                self.nest()?;
                let right = self.binary(Binary::Implies)?;
                self.nesting -= 1;
                let depth = left.depth.max(right.depth) + 1;
                self.built(Ltl::implies(left.formula, right.formula), depth)
            }
            Binary::Or => self.chain(Binary::Or, Binary::And, Ltl::any),
            Binary::And => self.chain(Binary::And, Binary::Until, Ltl::all),
            Binary::Until | Binary::Release | Binary::WeakUntil => {
                let left = self.unary()?;
                let build = match self.peek() {
                    Some(Binary::Until) => Ltl::until,
                    Some(Binary::Release) => Ltl::release,
                    Some(Binary::WeakUntil) => Ltl::weak_until,
                    _ => return Ok(left),
                };
                let operator = self.peek().expect("just looked at");
                self.accept(operator);
                self.nest()?;
                let right = self.binary(Binary::Until)?;
                self.nesting -= 1;
                let depth = left.depth.max(right.depth) + 1;
                self.built(build(left.formula, right.formula), depth)
            }
        }
    }

    fn chain(
        &mut self,
        operator: Binary,
        tighter: Binary,
        build: fn(Vec<Ltl<A>>) -> Ltl<A>,
    ) -> Result<Parsed<A>, ParseError<E>> {
        let first = self.binary(tighter)?;
        let mut depth = first.depth;
        let mut operands = vec![first.formula];
        while self.accept(operator) {
            let next = self.binary(tighter)?;
            depth = depth.max(next.depth);
            operands.push(next.formula);
        }
        let depth = depth + usize::from(operands.len() > 1);
        self.built(build(operands), depth)
    }

    fn unary(&mut self) -> Result<Parsed<A>, ParseError<E>> {
        self.skip_blanks();
        let start = self.at;
        if let Some((operator, end)) = self.prefix_at(start)
            && !(operator == Prefix::Not && self.negation_of_atom(start))
        {
            self.at = end;
            self.nest()?;
            let operand = self.unary()?;
            self.nesting -= 1;
            let build = match operator {
                Prefix::Not => Ltl::not,
                Prefix::Always => Ltl::always,
                Prefix::Eventually => Ltl::eventually,
                Prefix::Next => Ltl::next,
            };
            return self.built(build(operand.formula), operand.depth + 1);
        }
        if self.rest().starts_with('(') {
            let partner = self.partners[start].expect("all brackets are matched") as usize;
            if self.ends_operand(partner + 1) {
                self.at = start + 1;
                let inside = self.formula()?;
                self.skip_blanks();
                if self.at != partner {
                    return Err(self.error(SyntaxError::MissingFormula));
                }
                self.at = partner + 1;
                return Ok(inside);
            }
        }
        let end = self.atom_end(start);
        let text = self.text[start..end].trim_end();
        let formula = match text {
            "" => return Err(self.error(SyntaxError::MissingFormula)),
            "true" => Ltl::True,
            "false" => Ltl::False,
            _ => Ltl::Atom((self.atom)(text, start).map_err(|error| ParseError::Atom {
                error,
                range: start..start + text.len(),
            })?),
        };
        self.at = end;
        Ok(Parsed { formula, depth: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Ltl<String>, ParseError<String>> {
        parse(text, |atom, offset| {
            assert_eq!(&text[offset..offset + atom.len()], atom);
            match atom.contains('#') {
                true => Err(format!("bad atom at {offset}")),
                false => Ok(atom.to_owned()),
            }
        })
    }

    /// The formula with every operator parenthesised.
    fn shape(text: &str) -> String {
        fn show(formula: &Ltl<String>) -> String {
            let inner: Vec<String> = formula.operands().into_iter().map(show).collect();
            let name = match formula {
                Ltl::True => "true",
                Ltl::False => "false",
                Ltl::Atom(atom) => return format!("`{atom}`"),
                Ltl::Not(_) => "!",
                Ltl::And(_) => "&&",
                Ltl::Or(_) => "||",
                Ltl::Implies(..) => "->",
                Ltl::Iff(..) => "<->",
                Ltl::Next(_) => "X",
                Ltl::Eventually(_) => "<>",
                Ltl::Always(_) => "[]",
                Ltl::Until(..) => "U",
                Ltl::Release(..) => "R",
                Ltl::WeakUntil(..) => "W",
            };
            match inner.len() {
                0 => name.to_owned(),
                _ => format!("{name}({})", inner.join(", ")),
            }
        }
        match read(text) {
            Ok(formula) => show(&formula),
            Err(error) => panic!("{text}: {error}"),
        }
    }

    fn syntax_error(text: &str) -> (SyntaxError, Range<usize>) {
        match read(text) {
            Err(ParseError::Syntax { error, range }) => (error, range),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn precedences() {
        assert_eq!(
            shape("a <-> b -> c || d && e U ! [] f"),
            "<->(`a`, ->(`b`, ||(`c`, &&(`d`, U(`e`, !([](`f`)))))))"
        );
        assert_eq!(
            shape("[] a U b && c || d -> e <-> f"),
            "<->(->(||(&&(U([](`a`), `b`), `c`), `d`), `e`), `f`)"
        );
        assert_eq!(shape("a U b W c V d"), "U(`a`, W(`b`, R(`c`, `d`)))");
        assert_eq!(shape("a -> b implies c"), "->(`a`, ->(`b`, `c`))");
        assert_eq!(shape("a <-> b <-> c"), "<->(<->(`a`, `b`), `c`)");
        assert_eq!(shape("a && b && c"), "&&(`a`, `b`, `c`)");
        assert_eq!(
            shape("a || b leads to c -> d"),
            "[](->(||(`a`, `b`), <>(->(`c`, `d`))))"
        );
    }

    #[test]
    fn words_and_symbols() {
        assert_eq!(
            shape("always eventually a until next b release c weakuntil true"),
            "U([](<>(`a`)), R(X(`b`), W(`c`, true)))"
        );
        assert_eq!(shape("[]<>a"), "[](<>(`a`))");
        assert_eq!(shape("[](<>(a))"), "[](<>(`a`))");
        assert_eq!(shape("X X false"), "X(X(false))");
    }

    #[test]
    fn atoms_of_another_language() {
        assert_eq!(
            shape("[] (call pay(who, n && m) -> (bid + 1) * 2 > n until in closed)"),
            "[](->(`call pay(who, n && m)`, U(`(bid + 1) * 2 > n`, `in closed`)))"
        );
        assert_eq!(shape("(a + b) > c"), "`(a + b) > c`");
        assert_eq!(shape("(p) && q"), "&&(`p`, `q`)");
        assert_eq!(shape("((a + b) > c)"), "`(a + b) > c`");
        assert_eq!(shape("((a)) == ((b))"), "`((a)) == ((b))`");
        assert_eq!(shape("(a) U (b)"), "U(`a`, `b`)");
        assert_eq!(shape("(integer)x == 1"), "`(integer)x == 1`");
        assert_eq!(
            shape("name == \"a -> (b\" -> true"),
            "->(`name == \"a -> (b\"`, true)"
        );
        assert_eq!(shape(r#"s == "\"U" U b"#), r#"U(`s == "\"U"`, `b`)"#);
        assert_eq!(shape("list == [] || a"), "||(`list == []`, `a`)");
        assert_eq!(shape("pos.U == UV"), "`pos.U == UV`");
        assert_eq!(shape("xU U Uy"), "U(`xU`, `Uy`)");
        assert_eq!(shape("true == x"), "`true == x`");
        assert_eq!(shape("it leads nowhere"), "`it leads nowhere`");
        assert_eq!(shape("größe > 3 && b"), "&&(`größe > 3`, `b`)");
        assert_eq!(shape("a < -1 && b > -c"), "&&(`a < -1`, `b > -c`)");
    }

    #[test]
    fn negations_of_formulas_and_of_atoms() {
        assert_eq!(shape("!in closed"), "!(`in closed`)");
        assert_eq!(shape("!!p"), "!(!(`p`))");
        assert_eq!(shape("!(a == b)"), "!(`a == b`)");
        assert_eq!(shape("!(p U q)"), "!(U(`p`, `q`))");
        assert_eq!(shape("!a == b"), "`!a == b`");
        assert_eq!(shape("! a == b || c"), "||(`! a == b`, `c`)");
        assert_eq!(shape("!(a) == b"), "`!(a) == b`");
        assert_eq!(shape("!call f(a == b)"), "!(`call f(a == b)`)");
        assert_eq!(shape("![] a == b"), "!([](`a == b`))");
        assert_eq!(shape("!f(a)[2] U b"), "U(!(`f(a)[2]`), `b`)");
        assert_eq!(shape("!-a"), "!(`-a`)");
    }

    #[test]
    fn what_is_displayed_reads_back() {
        for text in [
            "[] (a > 3 -> <> b) && !(c U d > 1) || X true",
            "(a -> b) -> (c <-> !(d == 1)) W e R f",
            "!(a && b) U (c || !!d)",
        ] {
            let formula = read(text).expect("it is a formula");
            assert_eq!(read(&formula.to_string()), Ok(formula));
        }
    }

    #[test]
    fn errors_and_where() {
        use SyntaxError::*;
        assert_eq!(syntax_error(""), (MissingFormula, 0..0));
        assert_eq!(syntax_error("[] "), (MissingFormula, 3..3));
        assert_eq!(syntax_error("a && -> b"), (MissingFormula, 5..6));
        assert_eq!(syntax_error("a until until b"), (MissingFormula, 8..13));
        assert_eq!(syntax_error("() && a"), (MissingFormula, 1..2));
        assert_eq!(syntax_error("[] (a"), (Unclosed, 3..4));
        assert_eq!(syntax_error("a) && b"), (Unopened, 1..2));
        assert_eq!(syntax_error("(a]"), (Unopened, 2..3));
        assert_eq!(syntax_error("a == \"b"), (UnclosedString, 5..7));
        assert_eq!(syntax_error("a == \"b\\"), (UnclosedString, 5..8));
        assert_eq!(
            syntax_error("a leads to b leads to c"),
            (ChainedLeadsTo, 13..18)
        );
        assert_eq!(
            read("a && [] b # c  "),
            Err(ParseError::Atom {
                error: "bad atom at 8".to_owned(),
                range: 8..13
            })
        );
    }

    #[test]
    fn deep_nesting_is_an_error_and_long_chains_are_not() {
        let n = 100_000;
        for deep in [
            "(".repeat(n) + &")".repeat(n),
            "!".repeat(n) + "a",
            "[]".repeat(n) + "a",
            "a -> ".repeat(n) + "a",
            "a U ".repeat(n) + "a",
            "a <-> ".repeat(n) + "a",
            "<> (a && ".repeat(n) + "a" + &")".repeat(n),
        ] {
            assert_eq!(syntax_error(&deep).0, SyntaxError::TooDeep);
        }
        assert_eq!(syntax_error(&"(".repeat(n)).0, SyntaxError::Unclosed);
        let wide = "a && ".repeat(n) + "a";
        assert_eq!(read(&wide).map(|f| f.operands().len()), Ok(n + 1));
        // An atom's own brackets are the atom reader's business.
        let atom = "f".to_owned() + &"(".repeat(n) + &")".repeat(n);
        assert_eq!(read(&atom), Ok(Ltl::Atom(atom)));
    }
}

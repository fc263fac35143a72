//! Patterns of arguments, constants and expressions over data from text.

use std::ops::Range;
use std::sync::Arc;

use super::scan::{bracketed_length, is_name_start, quoted_length};
use super::{MuError, MuSyntax, Parsed, Parser, Vocabulary};
use crate::mu::formula::{Comparison, Condition, Operand, Operation, Pattern};

/// What an expression is, as far as its form tells.
enum Data<V> {
    /// `true` or `false`.
    Constant(bool, Range<usize>),
    Condition(Condition<V>),
    Operand(Operand<V>),
}

type ParsedData<V> = Parsed<Data<<V as Vocabulary>::Value>, <V as Vocabulary>::Error>;

/// Functions, with how many arguments they have; without an operation they change nothing but the sort.
const FUNCTIONS: [(&str, usize, Option<Operation>); 10] = [
    ("min", 2, Some(Operation::Minimum)),
    ("max", 2, Some(Operation::Maximum)),
    ("abs", 1, Some(Operation::Absolute)),
    ("if", 3, Some(Operation::If)),
    ("Nat2Pos", 1, None),
    ("Nat2Int", 1, None),
    ("Pos2Nat", 1, None),
    ("Pos2Int", 1, None),
    ("Int2Nat", 1, None),
    ("Int2Pos", 1, None),
];

impl<'t, V: Vocabulary> Parser<'t, V> {
    pub(super) fn pattern(
        &mut self,
        place: Option<(&V::Event, usize)>,
    ) -> Parsed<Pattern<V::Value>, V::Error> {
        self.deepen()?;
        self.blanks();
        let begin = self.at;
        let rest = self.rest();
        let pattern = if rest.starts_with('_') && self.name_length(rest) <= 1 {
            self.at += 1;
            Pattern::Any
        } else if self.is_computed() {
            Pattern::Computed(Arc::new(self.operand()?))
        } else {
            let (text, range) = self.constant_text()?;
            let variable = self.data.iter().rev().find(|(name, _)| *name == text);
            if let Some((_, variable)) = variable {
                self.used.insert(*variable);
                Pattern::Variable(*variable)
            } else if is_name_start(text.as_bytes()[0]) && self.peek() == Some(b'(') {
                if V::AS_MCRL2 {
                    // A function of the specification would have a value that is not known here.
                    self.constant(text, None, range)?;
                }
                self.at += 1;
                let mut parts = Vec::new();
                if !self.eat(")") {
                    loop {
                        parts.push(self.pattern(None)?);
                        if !self.eat(",") {
                            break;
                        }
                    }
                    self.close(")", begin)?;
                }
                Pattern::Term(text.into(), parts.into())
            } else {
                Pattern::Value(self.constant(text, place, range)?)
            }
        };
        self.depth -= 1;
        Ok(pattern)
    }

    /// The text of a number, a name or a text in quotes.
    pub(super) fn constant_text(&mut self) -> Parsed<(&'t str, Range<usize>), V::Error> {
        self.blanks();
        let begin = self.at;
        let rest = self.rest();
        let first = rest.bytes().next().unwrap_or(b' ');
        let length = if first == b'"' {
            quoted_length(rest)
        } else if matches!(first, b'[' | b'{') && V::AS_MCRL2 {
            bracketed_length(rest)
        } else if is_name_start(first) {
            self.name_length(rest)
        } else {
            let sign = usize::from(first == b'-');
            let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
            let whole = digits(&rest[sign..]);
            let mut length = if whole == 0 { 0 } else { sign + whole };
            if length > 0 && rest[length..].starts_with('.') {
                let fraction = digits(&rest[length + 1..]);
                if fraction > 0 {
                    length += 1 + fraction;
                }
            }
            length
        };
        if length == 0 {
            return Err(self.wrong(MuSyntax::MissingValue, begin..self.character_end(begin)));
        }
        self.at = begin + length;
        Ok((&self.text[begin..self.at], begin..self.at))
    }

    pub(super) fn constant(
        &mut self,
        text: &str,
        place: Option<(&V::Event, usize)>,
        range: Range<usize>,
    ) -> Parsed<V::Value, V::Error> {
        let found = self.vocabulary.constant(text, place, range.start);
        found.map_err(|error| MuError::Name { error, range })
    }

    /// Whether what begins here, up to the next comma or bracket that closes, is computed.
    fn is_computed(&mut self) -> bool {
        let mut rest = self.rest();
        let first = &rest[..self.name_length(rest)];
        if FUNCTIONS.iter().any(|(name, ..)| *name == first) {
            return rest[first.len()..].trim_start().starts_with('(');
        }
        let mut begins = true;
        while let Some(byte) = rest.bytes().next() {
            let length = match byte {
                b',' | b')' | b']' | b'}' | b'>' | b'|' => return false,
                b'"' => quoted_length(rest),
                b'(' | b'[' | b'{' => bracketed_length(rest),
                b'+' | b'*' | b'!' | b'=' | b'&' => return true,
                b'-' if !begins => return true,
                b if is_name_start(b) => match &rest[..self.name_length(rest)] {
                    "div" | "mod" => return true,
                    name => name.len(),
                },
                b if b.is_ascii_whitespace() => {
                    rest = &rest[1..];
                    continue;
                }
                _ => rest.chars().next().map_or(1, char::len_utf8),
            };
            begins = false;
            rest = rest.get(length..).unwrap_or("");
        }
        false
    }

    /// `(condition)` behind `val`.
    pub(super) fn value_condition(&mut self) -> Parsed<Condition<V::Value>, V::Error> {
        self.blanks();
        let open = self.at;
        self.need("(")?;
        let condition = self.condition()?;
        self.close(")", open)?;
        Ok(condition)
    }

    pub(super) fn condition(&mut self) -> Parsed<Condition<V::Value>, V::Error> {
        let data = self.data_expression()?;
        self.as_condition(data)
    }

    pub(super) fn operand(&mut self) -> Parsed<Operand<V::Value>, V::Error> {
        let data = self.data_expression()?;
        self.as_operand(data)
    }

    fn as_condition(&self, data: Data<V::Value>) -> Parsed<Condition<V::Value>, V::Error> {
        match data {
            Data::Constant(holds, _) => Ok(Condition::Constant(holds)),
            Data::Condition(condition) => Ok(condition),
            Data::Operand(operand @ (Operand::Variable(_) | Operand::Apply(Operation::If, _))) => {
                Ok(Condition::Is(operand))
            }
            Data::Operand(_) => {
                let range = self.at..self.character_end(self.at);
                Err(self.wrong(MuSyntax::MissingComparison, range))
            }
        }
    }

    fn as_operand(&mut self, data: Data<V::Value>) -> Parsed<Operand<V::Value>, V::Error> {
        let place = self.at..self.at;
        Ok(match data {
            Data::Constant(holds, range) => Operand::Value(self.truth(holds, range)?),
            Data::Condition(condition) => {
                let truths = [self.truth(true, place.clone())?, self.truth(false, place)?];
                let [yes, no] = truths.map(Operand::Value);
                let condition = Operand::Truth(Arc::new(condition));
                Operand::Apply(Operation::If, [condition, yes, no].into())
            }
            Data::Operand(operand) => operand,
        })
    }

    fn truth(&mut self, holds: bool, range: Range<usize>) -> Parsed<V::Value, V::Error> {
        self.constant(if holds { "true" } else { "false" }, None, range)
    }

    /// `a => b`, to the right.
    fn data_expression(&mut self) -> ParsedData<V> {
        self.deepen()?;
        let left = self.either_data()?;
        let data = if self.eat("=>") {
            let not_left = Condition::Not(Arc::new(self.as_condition(left)?));
            let right = self.data_expression()?;
            let right = self.as_condition(right)?;
            Data::Condition(Condition::Or([not_left, right].into()))
        } else {
            left
        };
        self.depth -= 1;
        Ok(data)
    }

    fn either_data(&mut self) -> ParsedData<V> {
        let first = self.both_data()?;
        self.joined_data(first, "||", Self::both_data, Condition::Or)
    }

    fn both_data(&mut self) -> ParsedData<V> {
        let first = self.compared_data()?;
        self.joined_data(first, "&&", Self::compared_data, Condition::And)
    }

    /// Conditions with a sign between them, or what stands alone.
    fn joined_data(
        &mut self,
        first: Data<V::Value>,
        sign: &str,
        next: impl Fn(&mut Self) -> ParsedData<V>,
        join: impl FnOnce(Arc<[Condition<V::Value>]>) -> Condition<V::Value>,
    ) -> ParsedData<V> {
        if !self.eat(sign) {
            return Ok(first);
        }
        let mut parts = vec![self.as_condition(first)?];
        loop {
            let part = next(self)?;
            parts.push(self.as_condition(part)?);
            if !self.eat(sign) {
                return Ok(Data::Condition(join(parts.into())));
            }
        }
    }

    fn compared_data(&mut self) -> ParsedData<V> {
        self.blanks();
        if self.peek() == Some(b'!') && !self.rest().starts_with("!=") {
            self.at += 1;
            self.deepen()?;
            let inner = self.compared_data()?;
            self.depth -= 1;
            let inner = self.as_condition(inner)?;
            return Ok(Data::Condition(Condition::Not(Arc::new(inner))));
        }
        let left = self.sum()?;
        let Some(how) = self.comparison() else {
            return Ok(left);
        };
        let left = self.as_operand(left)?;
        let right = self.sum()?;
        let right = self.as_operand(right)?;
        let is_order = !matches!(how, Comparison::Equal | Comparison::Unequal);
        let [left, right] = [left, right].map(|side| match is_order && V::AS_MCRL2 {
            // How other values are ordered depends on how their sorts are declared.
            true => Operand::Apply(Operation::Number, [side].into()),
            false => side,
        });
        Ok(Data::Condition(Condition::Compare(how, left, right)))
    }

    fn comparison(&mut self) -> Option<Comparison> {
        const HOW: [(&str, Comparison); 7] = [
            ("==", Comparison::Equal),
            ("!=", Comparison::Unequal),
            ("<=", Comparison::LessOrEqual),
            (">=", Comparison::GreaterOrEqual),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
            ("=", Comparison::Equal),
        ];
        self.blanks();
        if self.rest().starts_with("=>") {
            return None;
        }
        let found = HOW.into_iter().find(|(text, _)| self.eat(text));
        found.map(|(_, how)| how)
    }

    fn sum(&mut self) -> ParsedData<V> {
        let mut data = self.product()?;
        loop {
            let operation = match self.peek() {
                Some(b'+') => Operation::Add,
                Some(b'-') => Operation::Subtract,
                _ => return Ok(data),
            };
            self.at += 1;
            let right = self.product()?;
            data = self.applied(operation, data, right)?;
        }
    }

    fn product(&mut self) -> ParsedData<V> {
        let mut data = self.one_data()?;
        loop {
            let operation = if self.eat("*") {
                Operation::Multiply
            } else if self.eat_word("div") {
                Operation::Divide
            } else if self.eat_word("mod") {
                Operation::Remainder
            } else {
                return Ok(data);
            };
            let right = self.one_data()?;
            data = self.applied(operation, data, right)?;
        }
    }

    fn applied(
        &mut self,
        operation: Operation,
        left: Data<V::Value>,
        right: Data<V::Value>,
    ) -> ParsedData<V> {
        let both = [self.as_operand(left)?, self.as_operand(right)?];
        Ok(Data::Operand(Operand::Apply(operation, both.into())))
    }

    /// What stands in parentheses, a function with arguments, a variable or a constant.
    fn one_data(&mut self) -> ParsedData<V> {
        self.blanks();
        let begin = self.at;
        if self.eat("(") {
            let inner = self.data_expression()?;
            self.close(")", begin)?;
            return Ok(inner);
        }
        for (word, holds) in [("true", true), ("false", false)] {
            if self.eat_word(word) {
                return Ok(Data::Constant(holds, begin..self.at));
            }
        }
        let (text, range) = self.constant_text()?;
        let function = FUNCTIONS.iter().find(|(name, ..)| *name == text);
        if let Some(&(_, count, operation)) = function
            && self.eat("(")
        {
            return self.function(operation, count, begin);
        }
        let variable = self.data.iter().rev().find(|(name, _)| *name == text);
        Ok(Data::Operand(match variable {
            Some((_, variable)) => Operand::Variable(*variable),
            None => Operand::Value(self.constant(text, None, range)?),
        }))
    }

    /// The arguments of a function, behind the bracket that opens.
    fn function(
        &mut self,
        operation: Option<Operation>,
        count: usize,
        open: usize,
    ) -> ParsedData<V> {
        let first = self.data_expression()?;
        let mut operands = vec![match (operation, first) {
            (Some(Operation::If), first) => Operand::Truth(Arc::new(self.as_condition(first)?)),
            (_, first) => self.as_operand(first)?,
        }];
        while self.eat(",") {
            operands.push(self.operand()?);
        }
        self.close(")", open)?;
        if operands.len() != count {
            let name = self.text[open..].split('(').next().unwrap_or_default();
            let error = MuSyntax::Arguments(name.trim().to_owned(), count);
            return Err(self.wrong(error, open..self.at));
        }
        Ok(Data::Operand(match operation {
            Some(operation) => Operand::Apply(operation, operands.into()),
            None => operands.remove(0),
        }))
    }
}

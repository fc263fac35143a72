//! Patterns of arguments, constants and conditions on data from text.

use std::ops::Range;
use std::sync::Arc;

use super::scan::{is_name_start, name_length, quoted_length};
use super::{MuError, MuSyntax, Parsed, Parser, Vocabulary};
use crate::mu::{Comparison, Condition, Operand, Pattern};

impl<'t, V: Vocabulary> Parser<'t, V> {
    pub(super) fn pattern(
        &mut self,
        place: Option<(&V::Event, usize)>,
    ) -> Parsed<Pattern<V::Value>, V::Error> {
        self.deepen()?;
        self.blanks();
        let begin = self.at;
        let rest = self.rest();
        let pattern = if rest.starts_with('_') && name_length(rest) <= 1 {
            self.at += 1;
            Pattern::Any
        } else {
            let (text, range) = self.constant_text()?;
            let variable = self.data.iter().rev().find(|(name, _)| *name == text);
            if let Some((_, variable)) = variable {
                self.used.insert(*variable);
                Pattern::Variable(*variable)
            } else if is_name_start(text.as_bytes()[0]) && self.peek() == Some(b'(') {
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
        } else if is_name_start(first) {
            name_length(rest)
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
        self.deepen()?;
        let mut parts = vec![self.both_conditions()?];
        while self.eat("||") {
            parts.push(self.both_conditions()?);
        }
        self.depth -= 1;
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Condition::Or(parts.into()),
        })
    }

    pub(super) fn both_conditions(&mut self) -> Parsed<Condition<V::Value>, V::Error> {
        let mut parts = vec![self.one_condition()?];
        while self.eat("&&") {
            parts.push(self.one_condition()?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Condition::And(parts.into()),
        })
    }

    pub(super) fn one_condition(&mut self) -> Parsed<Condition<V::Value>, V::Error> {
        self.deepen()?;
        self.blanks();
        let begin = self.at;
        let condition = if self.eat("!") {
            Condition::Not(Arc::new(self.one_condition()?))
        } else if self.eat("(") {
            let inner = self.condition()?;
            self.close(")", begin)?;
            inner
        } else if self.eat_word("true") {
            Condition::Constant(true)
        } else if self.eat_word("false") {
            Condition::Constant(false)
        } else {
            let left = self.operand()?;
            let how = self.comparison()?;
            Condition::Compare(how, left, self.operand()?)
        };
        self.depth -= 1;
        Ok(condition)
    }

    pub(super) fn comparison(&mut self) -> Parsed<Comparison, V::Error> {
        const HOW: [(&str, Comparison); 7] = [
            ("==", Comparison::Equal),
            ("!=", Comparison::Unequal),
            ("<=", Comparison::LessOrEqual),
            (">=", Comparison::GreaterOrEqual),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
            ("=", Comparison::Equal),
        ];
        for (text, how) in HOW {
            if self.eat(text) {
                return Ok(how);
            }
        }
        let range = self.at..self.character_end(self.at);
        Err(self.wrong(MuSyntax::MissingComparison, range))
    }

    pub(super) fn operand(&mut self) -> Parsed<Operand<V::Value>, V::Error> {
        let (text, range) = self.constant_text()?;
        let variable = self.data.iter().rev().find(|(name, _)| *name == text);
        Ok(match variable {
            Some((_, variable)) => Operand::Variable(*variable),
            None => Operand::Value(self.constant(text, None, range)?),
        })
    }
}

//! JSON with places: what all readers of JSON formats ask.
//!
//! The parser is a library's, held to strict JSON; it limits nesting by itself, so that no text
//! exhausts the stack. A question about something that is not there has the answer *none*, not an error: each
//! reader says in its own words what it misses.

use jsonc_parser::ast::Value;
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use source::{Diagnostic, Diagnostics, FileId, SourceFile, Span};

use crate::codes::files as codes;
use crate::graph::Literal;

/// Where the characters of a text that stands within a file are in that file: pairs of offsets, each the first
/// of a stretch that was taken over as it stands. None at all: the text is the file.
#[derive(Clone, Default)]
pub(crate) struct Places(pub(crate) Vec<(usize, usize)>);

impl Places {
    pub(super) fn in_file(&self, at: usize) -> usize {
        let after = self.0.partition_point(|&(start, _)| start <= at);
        match after.checked_sub(1).and_then(|before| self.0.get(before)) {
            Some(&(start, place)) => place + (at - start),
            None => at,
        }
    }
}

/// A text that has been parsed.
pub(crate) struct Document<'t> {
    value: Value<'t>,
    file: FileId,
    places: Places,
}

impl<'t> Document<'t> {
    /// Parses; none if an error was pushed.
    pub(crate) fn parse(file: &'t SourceFile, diagnostics: &mut Diagnostics) -> Option<Self> {
        Document::parse_within(file.text(), file.id(), Places::default(), diagnostics)
    }

    /// The same for a text that stands within a file, at these places.
    pub(crate) fn parse_within(
        text: &'t str,
        file: FileId,
        places: Places,
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        let options = ParseOptions {
            allow_comments: false,
            allow_loose_object_property_names: false,
            allow_trailing_commas: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        match parse_to_ast(text, &CollectOptions::default(), &options) {
            Ok(result) => match result.value {
                Some(value) => Some(Document {
                    value,
                    file,
                    places,
                }),
                None => {
                    diagnostics.push(Diagnostic::error(codes::NOT_A_GRAPH, "the text is empty"));
                    None
                }
            },
            Err(error) => {
                let message = error.kind().to_string();
                let mut characters = message.chars();
                let message: String = characters
                    .next()
                    .into_iter()
                    .flat_map(char::to_lowercase)
                    .chain(characters)
                    .collect();
                let at = span(error.range(), file, &places);
                diagnostics.push(
                    Diagnostic::error(codes::JSON, format!("this is not JSON: {message}")).at(at),
                );
                None
            }
        }
    }

    /// The outermost value.
    pub(crate) fn root(&self) -> Json<'_> {
        Json {
            value: &self.value,
            file: self.file,
            places: &self.places,
        }
    }
}

fn span(range: Range, file: FileId, places: &Places) -> Span {
    let offset = |at: usize| u32::try_from(places.in_file(at)).unwrap_or(u32::MAX);
    Span::new(
        file,
        offset(range.start),
        offset(range.end.max(range.start)),
    )
}

/// A value in a document.
#[derive(Clone, Copy)]
pub(crate) struct Json<'a> {
    value: &'a Value<'a>,
    file: FileId,
    places: &'a Places,
}

impl<'a> Json<'a> {
    /// Where it stands.
    pub(crate) fn span(self) -> Span {
        span(self.value.range(), self.file, self.places)
    }

    /// The member of an object.
    pub(crate) fn get(self, name: &str) -> Option<Json<'a>> {
        let found = self.value.as_object()?.get(name)?;
        Some(Json {
            value: &found.value,
            ..self
        })
    }

    /// The member of a member.
    pub(crate) fn path(self, names: &[&str]) -> Option<Json<'a>> {
        names.iter().try_fold(self, |value, name| value.get(name))
    }

    /// Whether it is an array.
    pub(crate) fn is_array(self) -> bool {
        self.value.as_array().is_some()
    }

    /// The text.
    pub(crate) fn text(self) -> Option<&'a str> {
        Some(&self.value.as_string_lit()?.value)
    }

    /// The truth value.
    pub(crate) fn bool(self) -> Option<bool> {
        Some(self.value.as_boolean_lit()?.value)
    }

    /// The number.
    pub(crate) fn number(self) -> Option<f64> {
        self.value.as_number_lit()?.value.parse().ok()
    }

    /// The whole number, written as one or not.
    pub(crate) fn int(self) -> Option<i64> {
        match self.literal()? {
            Literal::Int(value) => Some(value),
            _ => None,
        }
    }

    /// A position in a list.
    pub(crate) fn index(self) -> Option<usize> {
        usize::try_from(self.int()?).ok()
    }

    /// What names something: a text, or a number's digits.
    pub(crate) fn key(self) -> Option<&'a str> {
        match self.value {
            Value::NumberLit(number) => Some(number.value),
            _ => self.text(),
        }
    }

    /// The value, if it is no object, array or null.
    pub(crate) fn literal(self) -> Option<Literal> {
        match self.value {
            Value::StringLit(text) => Some(Literal::Text(text.value.to_string())),
            Value::BooleanLit(value) => Some(Literal::Bool(value.value)),
            Value::NumberLit(number) => {
                let value: f64 = number.value.parse().ok()?;
                if value == 0.0 && value.is_sign_negative() {
                    return Some(Literal::Number(value));
                }
                if let Ok(value) = number.value.parse() {
                    return Some(Literal::Int(value));
                }
                // Editors write `1.0` for 1; up to 2^53 nothing is lost.
                if value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0 {
                    #[expect(clippy::cast_possible_truncation, reason = "whole and small enough")]
                    return Some(Literal::Int(value as i64));
                }
                Some(Literal::Number(value))
            }
            _ => None,
        }
    }

    /// Whether it is an array.
    pub(crate) fn is_list(self) -> bool {
        self.value.as_array().is_some()
    }

    /// The elements of an array; of anything else, none.
    pub(crate) fn items(self) -> impl Iterator<Item = Json<'a>> {
        let array = self.value.as_array();
        let items = array.into_iter().flat_map(|array| &array.elements);
        items.map(move |value| Json { value, ..self })
    }

    /// The members of an object; of anything else, none.
    pub(crate) fn entries(self) -> impl Iterator<Item = (&'a str, Json<'a>)> {
        let object = self.value.as_object();
        let members = object.into_iter().flat_map(|object| &object.properties);
        members.map(move |member| {
            let value = Json {
                value: &member.value,
                ..self
            };
            (member.name.as_str(), value)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_file() {
        let places = Places(vec![(0, 10), (5, 16)]);
        let found: Vec<usize> = [0, 4, 5, 9].map(|at| places.in_file(at)).to_vec();
        assert_eq!(found, [10, 14, 16, 20]);
        assert_eq!(Places::default().in_file(7), 7);
    }
}

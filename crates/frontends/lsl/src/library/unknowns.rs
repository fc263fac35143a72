//! Text that is not known to the letter: identities, what the world decides, and mixtures.
//!
//! Such text is compared by structure: an identity equals itself, an unknown equals itself. A
//! concatenation is kept flat, with neighbouring known texts joined, so that equal texts built in
//! different orders are equal terms.

use model::{Rich, RichTable, Value};

use super::entry::Answer;

/// The functor of an identity.
pub(super) const KEY: &str = "key";
/// The functor of a named unknown.
pub(super) const UNKNOWN: &str = "unknown";
/// The functor of text with parts that are not known.
pub(super) const CONCAT: &str = "concat";

/// How many characters a UUID has.
const UUID_LENGTH: usize = 36;

/// An identity of the world, printed as its name: an avatar, an object. It is a well-formed UUID
/// other than `NULL_KEY`.
#[must_use]
pub fn key(table: &RichTable, name: &str) -> Value {
    table.term(KEY, vec![table.text(name)])
}

/// A value that the world decides: what it is (usually the library function that asked for it),
/// and of what. It equals only itself.
#[must_use]
pub fn unknown(table: &RichTable, what: &str, args: &[Value]) -> Value {
    let mut all = Vec::with_capacity(args.len() + 1);
    all.push(table.text(what));
    all.extend_from_slice(args);
    table.term(UNKNOWN, all)
}

/// The concatenation of texts, known or not.
#[must_use]
pub fn join(table: &RichTable, texts: &[Value]) -> Value {
    let mut builder = TextBuilder::new(table);
    for text in texts {
        builder.push(text);
    }
    builder.finish()
}

/// Builds a concatenation in canonical form.
pub(super) struct TextBuilder<'a> {
    table: &'a RichTable,
    parts: Vec<Value>,
    /// Known text at the end, not yet a part.
    tail: String,
}

impl<'a> TextBuilder<'a> {
    pub(super) fn new(table: &'a RichTable) -> Self {
        TextBuilder {
            table,
            parts: Vec::new(),
            tail: String::new(),
        }
    }

    /// Appends known text.
    pub(super) fn push_str(&mut self, text: &str) {
        self.tail.push_str(text);
    }

    /// Appends text, known or not.
    pub(super) fn push(&mut self, text: &Value) {
        match &*self.table.get(text.rich()) {
            Rich::Text(known) => self.tail.push_str(known),
            Rich::Term { functor, args } if &**functor == CONCAT => {
                for part in args {
                    self.push_part(part);
                }
            }
            _ => self.push_part(text),
        }
    }

    fn push_part(&mut self, part: &Value) {
        if let Rich::Text(known) = &*self.table.get(part.rich()) {
            self.tail.push_str(known);
            return;
        }
        self.flush();
        self.parts.push(part.clone());
    }

    fn flush(&mut self) {
        if !self.tail.is_empty() {
            self.parts.push(self.table.text(&self.tail));
            self.tail.clear();
        }
    }

    /// The whole text.
    pub(super) fn finish(mut self) -> Value {
        if self.parts.is_empty() {
            return self.table.text(&self.tail);
        }
        self.flush();
        match self.parts.as_slice() {
            [only] => only.clone(),
            _ => self.table.term(CONCAT, self.parts),
        }
    }
}

/// How many characters a text has. All UUIDs are equally long, so an identity has a length.
pub(super) fn length(table: &RichTable, value: &Value) -> Answer<usize> {
    match &*table.get(value.rich()) {
        Rich::Term { functor, .. } if &**functor == KEY => Ok(UUID_LENGTH),
        Rich::Term { functor, args } if &**functor == CONCAT => {
            args.iter().map(|part| length(table, part)).sum()
        }
        _ => super::values::text(table, value).map(|text| text.chars().count()),
    }
}
